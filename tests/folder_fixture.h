/* A folder of a test's own, its files by name. */
#ifndef TESTS_FOLDER_FIXTURE_H
#define TESTS_FOLDER_FIXTURE_H

#include "test.h"

#include "../base/file.h"

struct fixture {
	char dir[64];
	struct arena *a;
	struct test *t;
};

static inline const char *at(const struct fixture *f, const char *name)
{
	return str_c(f->a, str_printf(f->a, "%s/%s", f->dir, name));
}

static inline void put(const struct fixture *f, const char *name, struct str text)
{
	struct error err = { 0 };

	if (!file_write(at(f, name), text, &err))
		error_print(stdout, &err);
}

static inline struct str get(const struct fixture *f, const char *name)
{
	struct error err = { 0 };
	struct str text = { 0 };

	file_read(at(f, name), 0, f->a, &text, &err);
	return text;
}

#endif
