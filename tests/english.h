/* What a message of the analysis reads in English. */
#ifndef TESTS_ENGLISH_H
#define TESTS_ENGLISH_H

#include "test.h"
#include "../catalogue/text.h"

static inline struct text_catalogue english_catalogue(struct arena *a)
{
	struct error err = { .code = ERR_NONE };
	struct text_catalogue t = { 0 };

	if (!text_read("templates/text.en.ini", a, &t, &err))
		error_print(stdout, &err);
	return t;
}

static inline struct str english(struct arena *a, struct say s)
{
	struct error err = { .code = ERR_NONE };
	struct text_catalogue t = english_catalogue(a);
	struct str out;

	if (!text_say(&t, s, (struct pos){ 0 }, a, &out, &err))
		return str_printf(a, "# %s", err.msg);
	return out;
}

static inline void test_said(struct test *t, struct arena *a, struct say got, struct str want,
			     const char *name)
{
	test_str(t, english(a, got), want, name);
}

#endif
