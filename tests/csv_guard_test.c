/* No text that a spreadsheet runs is written as it is, and every text comes back as it was. */
#define _XOPEN_SOURCE 700 /* mkdtemp */

#include "test.h"

#include "../base/csv_guard.h"
#include "../base/csv_read.h"
#include "../base/csv_write.h"
#include "../base/file.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* in  a text; out  what stands in the file */
static const struct { const char *name; struct str in, out; } cases[] = {
	{ "plain", STR_INIT("x=1"), STR_INIT("x=1") },
	{ "equals", STR_INIT("=1+1"), STR_INIT("'=1+1") },
	{ "a command", STR_INIT("=cmd|'/C calc'!A0"), STR_INIT("'=cmd|'/C calc'!A0") },
	{ "plus", STR_INIT("+1"), STR_INIT("'+1") },
	{ "minus and words", STR_INIT("-x"), STR_INIT("'-x") },
	{ "a sum", STR_INIT("-2+3+cmd|' /C calc'!A0"), STR_INIT("'-2+3+cmd|' /C calc'!A0") },
	{ "at", STR_INIT("@SUM(A1)"), STR_INIT("'@SUM(A1)") },
	{ "a sign alone", STR_INIT("-"), STR_INIT("'-") },
	{ "tab", STR_INIT("\t=1"), STR_INIT("\"'\t=1\"") },
	{ "carriage return", STR_INIT("\r=1"), STR_INIT("\"'\r=1\"") },
	{ "line feed", STR_INIT("\n=1"), STR_INIT("\"'\n=1\"") },
	{ "behind blanks", STR_INIT("  =1"), STR_INIT("\"'  =1\"") },
	{ "full-width equals", STR_INIT("\xEF\xBC\x9D" "1"), STR_INIT("'\xEF\xBC\x9D" "1") },
	{ "full-width plus", STR_INIT("\xEF\xBC\x8B" "1"), STR_INIT("'\xEF\xBC\x8B" "1") },
	{ "full-width minus", STR_INIT("\xEF\xBC\x8D" "1"), STR_INIT("'\xEF\xBC\x8D" "1") },
	{ "full-width at", STR_INIT("\xEF\xBC\xA0" "1"), STR_INIT("'\xEF\xBC\xA0" "1") },
	{ "another full-width sign", STR_INIT("\xEF\xBC\x9C" "1"), STR_INIT("\xEF\xBC\x9C" "1") },
	{ "half of one", STR_INIT("\xEF\xBC"), STR_INIT("\xEF\xBC") },
	{ "a negative number", STR_INIT("-1.5"), STR_INIT("-1.5") },
	{ "a negative exponent", STR_INIT("-1e-5"), STR_INIT("-1e-5") },
	{ "infinity is none", STR_INIT("-inf"), STR_INIT("'-inf") },
	{ "two signs", STR_INIT("--1"), STR_INIT("'--1") },
	{ "a number and a unit", STR_INIT("-1 s"), STR_INIT("'-1 s") },
	{ "a date", STR_INIT("2019-05-28"), STR_INIT("2019-05-28") },
	{ "an apostrophe", STR_INIT("'"), STR_INIT("'") },
	{ "a quoted word", STR_INIT("'x'"), STR_INIT("'x'") },
	{ "two apostrophes", STR_INIT("''x"), STR_INIT("''x") },
	{ "a guarded text", STR_INIT("'=1"), STR_INIT("''=1") },
	{ "guarded twice", STR_INIT("''=1"), STR_INIT("'''=1") },
	{ "an apostrophe and a number", STR_INIT("'-1.5"), STR_INIT("'-1.5") },
	{ "quotes and commas", STR_INIT("=\"a\",b"), STR_INIT("\"'=\"\"a\"\",b\"") },
	{ "empty", STR_INIT(""), STR_INIT("") },
};

struct record { struct str text, end; };

static void test_written(struct test *t)
{
	struct arena a = { 0 };

	for (size_t i = 0; i < LEN(cases); i++) {
		struct csv_out w = { .buf = { .arena = &a } };
		csv_put(&w, cases[i].in);
		test_str(t, strbuf_str(&w.buf), cases[i].out, cases[i].name);
	}
	arena_free(&a);
}

/* By the readers of our own tables. Blanks around an unquoted cell are not kept by any CSV of
 * ours. */
static void test_read_back(struct test *t)
{
	static const struct csv_field fields[] = {
		{ "text", CSV_TEXT, false, offsetof(struct record, text) },
		{ "end", CSV_TEXT, true, offsetof(struct record, end) },
	};
	struct arena a = { 0 };
	struct csv_out w = { .buf = { .arena = &a } };
	struct error err = { 0 };
	char dir[] = "/tmp/gpuguide-guard-XXXXXX";
	void *records = NULL;
	size_t n = 0;

	csv_put(&w, STR("text"));
	csv_put(&w, STR("end"));
	csv_end_row(&w);
	for (size_t i = 0; i < LEN(cases); i++) {
		csv_put(&w, str_is_utf8(cases[i].in)
				? cases[i].in
				: STR("")); /* no file of ours has other text */
		csv_put(&w, STR("end"));
		csv_end_row(&w);
	}
	const char *path = mkdtemp(dir) ? str_c(&a, file_join(&a, str_of(dir), STR("x.csv"))) : "";
	test_ok(t,
		file_write(path, strbuf_str(&w.buf), &err)
		    && csv_read_records(path, fields, LEN(fields), sizeof(struct record), SIZE_MAX,
					&a, &records, &n, &err)
		    && n == LEN(cases),
		"the table is read back");
	for (size_t i = 0; i < n; i++)
		test_str(t, ((struct record *)records)[i].text,
			 str_is_utf8(cases[i].in) ? cases[i].in : STR(""), cases[i].name);
	unlink(path);
	rmdir(dir);
	arena_free(&a);
}

/* Every text of up to 4 characters of those that matter. */
static void test_all(struct test *t)
{
	static const char alphabet[] = "'=-+1 x\t";
	enum { LETTERS = sizeof alphabet - 1, LENGTH = 5 };
	size_t runs = 0, wrong = 0, exposed = 0;

	for (size_t len = 0; len <= LENGTH; len++) {
		size_t total = 1;

		for (size_t i = 0; i < len; i++)
			total *= LETTERS;
		for (size_t k = 0; k < total; k++, runs++) {
			char text[LENGTH + 2] = "'";
			size_t rest = k;

			for (size_t i = 0; i < len; i++, rest /= LETTERS)
				text[1 + i] = alphabet[rest % LETTERS];
			struct str s = { text + 1, len };
			struct str out = csv_guard_needed(s) ? (struct str){ text, len + 1 } : s;
			wrong += !str_eq(csv_unguard(out), s);
			exposed += out.len && strchr("=+@\t", out.p[0]) != NULL;
		}
	}
	printf("# %zu texts\n", runs);
	test_ok(t, wrong == 0, "every text comes back");
	test_ok(t, exposed == 0, "none begins as a formula");
}

/* A name of a table is read without its guard and held to its characters. */
static void test_names(struct test *t)
{
	static const struct csv_field fields[] = { { "name", CSV_NAME, true, 0 } };
	static const struct { const char *text; const char *want, *error;
	} names[] = {
		{ "name\n'-x\n", "-x", "" },
		{ "name\n\xE4\xB8\xAD\n", "\xE4\xB8\xAD", "" },
		{ "name\nab\xE2\x80\xAE"
		  "c\n",
		  "", "name: 'ab<U+202E>c' holds U+202E, a character that is not seen as it is" },
	};
	char dir[] = "/tmp/gpuguide-guard-XXXXXX";
	struct arena a = { 0 };
	const char *path = mkdtemp(dir) ? str_c(&a, file_join(&a, str_of(dir), STR("x.csv"))) : "";

	for (size_t i = 0; i < LEN(names); i++) {
		struct error err = { 0 };
		void *records = NULL;
		size_t n = 0;
		bool good = file_write(path, str_of(names[i].text), &err)
			    && csv_read_records(path, fields, 1, sizeof(struct str), SIZE_MAX, &a,
						&records, &n, &err);

		test_ok(t, good == !*names[i].error, names[i].want);
		if (good)
			test_str(t, *(struct str *)records, str_of(names[i].want), "the name");
		test_str(t, str_of(err.msg), str_of(names[i].error), "the error");
		test_ok(t,
			good || (err.code == ERR_SYNTAX && err.pos.line == 2 && err.pos.col == 1),
			"its place");
	}
	unlink(path);
	rmdir(dir);
	arena_free(&a);
}

int main(void)
{
	struct test t = { 0 };

	test_written(&t);
	test_read_back(&t);
	test_all(&t);
	test_names(&t);
	return test_done(&t);
}
