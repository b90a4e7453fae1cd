/* BUILDINFO: what it says of this machine, how it is read back, how two of them are compared. */
#include "test.h"

#include "../base/file.h"
#include "../publish/buildinfo.h"
#include "../render/font.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The keys, in the order of the file. */
static const char *const keys[] = {
	"program",      "edition",      "date",      "source_date_epoch",
	"gnuplot",      "font.regular", "font.bold", "font.mono",
	"font.chinese", "libharu",      "harfbuzz",  "libunibreak",
	"cairo",        "zlib",         "expat",     "cjson",
	"libcsv",       "libsodium",    "libc",      "compiler",
	"architecture",
};

static struct buildinfo_options plain_options(void)
{
	return (struct buildinfo_options){ .edition = STR("current"),
					   .date = { INT_MIN },
					   .source_date_epoch = -1 };
}

static void test_text(struct test *t, struct arena *a)
{
	struct buildinfo_options opt = plain_options();
	struct error err = { 0 };
	struct buildinfo b;
	struct str one = buildinfo_text(&opt, a), two = buildinfo_text(&opt, a), path, data;
	bool good = buildinfo_parse(one, "BUILDINFO", a, &b, &err) && b.n == LEN(keys);

	for (size_t i = 0; good && i < LEN(keys); i++)
		good = str_eq(b.v[i].key, str_of(keys[i])) && b.v[i].value.len > 0;
	test_ok(t, good, "all keys in their order, none without a value");
	test_str(t, two, one, "twice the same bytes");
	test_str(t, buildinfo_get(&b, "program"), STR("gpuguide " GPUGUIDE_VERSION), "the program");
	test_str(t, buildinfo_get(&b, "date"), STR("not given"), "no date option");
	test_str(t, buildinfo_get(&b, "source_date_epoch"), STR("not set"), "no epoch");
	test_ok(t, str_starts(buildinfo_get(&b, "gnuplot"), STR("gnuplot ")), "gnuplot's own line");
	path = font_path(FONT_REGULAR, a);
	test_ok(
	    t,
	    path.len > 0 && file_read(str_c(a, path), 0, a, &data, &err)
		&& str_eq(buildinfo_get(&b, "font.regular"),
			  str_printf(a, "LiberationSans-Regular.ttf %zu bytes, SHA-256 " STR_FMT,
				     data.len, STR_ARG(file_sha256(a, data)))),
	    "a font: its name, size and hash, not its folder");
	opt = (struct buildinfo_options){ .gnuplot = "/nonexistent/gnuplot",
					  .edition = STR("guide\n2019"),
					  .date = { 18047 },
					  .source_date_epoch = 1559260800 };
	test_ok(t,
		buildinfo_parse(buildinfo_text(&opt, a), "BUILDINFO", a, &b, &err)
		    && str_eq(buildinfo_get(&b, "gnuplot"), STR("none"))
		    && str_eq(buildinfo_get(&b, "edition"), STR("guide?2019"))
		    && str_eq(buildinfo_get(&b, "date"), STR("2019-05-31"))
		    && str_eq(buildinfo_get(&b, "source_date_epoch"), STR("1559260800")),
		"options as given, no gnuplot, a name with a line break");
	test_ok(t, buildinfo_get(&b, "nonsense").len == 0, "a key that is not there");
}

/* A script stands in for gnuplot. */
static void test_quick(struct test *t, struct arena *a)
{
	char dir[] = "/tmp/buildinfo_test_XXXXXX";
	struct buildinfo_options opt = plain_options();
	struct error err = { 0 };
	struct buildinfo b;

	if (!mkdtemp(dir))
		return;
	opt.gnuplot = str_c(a, str_printf(a, "%s/gnuplot", dir));
	file_write(opt.gnuplot, STR("#!/bin/sh\nprintf 'gnuplot 9\\033[2J\\nmore'\n"), &err);
	chmod(opt.gnuplot, 0755);
	test_ok(t,
		buildinfo_parse(buildinfo_text(&opt, a), "B", a, &b, &err)
		    && str_eq(buildinfo_get(&b, "gnuplot"), STR("gnuplot 9?[2J")),
		"the first line of what calls itself gnuplot, harmless");
	struct str before = buildinfo_quick(&opt, a);
	test_ok(t,
		buildinfo_parse(before, "B", a, &b, &err)
		    && str_starts(buildinfo_get(&b, "gnuplot"),
				  str_printf(a, "%s 42 bytes, changed ", opt.gnuplot)),
		"quick: gnuplot by path, size and time");
	test_str(t, buildinfo_quick(&opt, a), before, "quick: twice the same");
	file_write(opt.gnuplot, STR("#!/bin/sh\necho gnuplot 10\n"), &err);
	chmod(opt.gnuplot, 0755);
	test_ok(t, !str_eq(buildinfo_quick(&opt, a), before), "quick: another gnuplot");
	setenv("PATH", "/nonexistent", 1);
	opt.gnuplot = NULL;
	test_ok(t,
		buildinfo_parse(buildinfo_quick(&opt, a), "B", a, &b, &err)
		    && str_eq(buildinfo_get(&b, "gnuplot"), STR("none")),
		"quick: no gnuplot in PATH");
	setenv("PATH", dir, 1);
	test_ok(t,
		buildinfo_parse(buildinfo_quick(&opt, a), "B", a, &b, &err)
		    && str_starts(buildinfo_get(&b, "gnuplot"), str_printf(a, "%s/gnuplot ", dir)),
		"quick: gnuplot found in PATH");
	test_ok(t,
		buildinfo_write(&opt, dir, a, &err)
		    && unlink(str_c(a, str_printf(a, "%s/BUILDINFO", dir))) == 0,
		"written to its place");
	test_ok(t, !buildinfo_write(&opt, "/nonexistent", a, &err) && err.code == ERR_ENVIRONMENT,
		"no folder to write to");
	file_write(str_c(a, str_printf(a, "%s/gnuplot", dir)), STR("#!/bin/sh\nkill -9 $$\n"),
		   &err);
	chmod(str_c(a, str_printf(a, "%s/gnuplot", dir)), 0755);
	err = (struct error){ 0 };
	test_ok(t,
		!buildinfo_write(&opt, dir, a, &err) && err.code == ERR_ENVIRONMENT
		    && str_find(str_of(err.msg), STR("signal 9"), 0) < strlen(err.msg)
		    && !file_exists(str_c(a, str_printf(a, "%s/BUILDINFO", dir))),
		"a gnuplot that is killed while it is asked is not \"none\"");
	file_remove_tree(dir, &(struct error){ 0 });
}

static void test_fonts(struct test *t, struct arena *a)
{
	setenv("GPUGUIDE_FONT_PATH", "/nonexistent::/tmp", 1);
	test_ok(t, font_path(FONT_CJK, a).len == 0, "fonts are looked for where the variable says");
	unsetenv("GPUGUIDE_FONT_PATH");
}

static const struct {
	const char *name, *text;
	enum error_code code;
	int line;
	const char *msg;
} parse_cases[] = {
	{ "two lines", "a = 1\nb = x = y\n", ERR_NONE, 0, "" },
	{ "an empty value", "a = \n", ERR_NONE, 0, "" },
	{ "empty", "", ERR_SYNTAX, 0, "does not end with a line end" },
	{ "torn", "a = 1\nb =", ERR_SYNTAX, 0, "does not end with a line end" },
	{ "no equals sign", "a = 1\nb: 2\n", ERR_SYNTAX, 2,
	  "'b: 2' is not a line of \"key = value\"" },
	{ "no key", " = 2\n", ERR_SYNTAX, 1, "' = 2' is not a line" },
	{ "an empty line", "a = 1\n\n", ERR_SYNTAX, 2, "'' is not a line" },
	{ "a key twice", "a = 1\nb = 2\na = 1\n", ERR_SYNTAX, 3, "the key 'a' stands there twice" },
	{ "words for a terminal", "\033[2J\n", ERR_SYNTAX, 1, "'?[2J' is not a line" },
};

static void test_parse(struct test *t, struct arena *a)
{
	struct strbuf many = { .arena = a };
	struct error err = { 0 };
	struct buildinfo b;

	for (size_t i = 0; i < LEN(parse_cases); i++) {
		struct error why = { 0 };
		bool good = buildinfo_parse(str_of(parse_cases[i].text), "BUILDINFO", a, &b, &why);

		test_ok(t,
			good == (parse_cases[i].code == ERR_NONE) && why.code == parse_cases[i].code
			    && why.pos.line == parse_cases[i].line
			    && strstr(why.msg, parse_cases[i].msg),
			parse_cases[i].name);
	}
	for (int i = 0; i < 300; i++)
		strbuf_printf(&many, "k%d = v\n", i);
	test_ok(t,
		!buildinfo_parse(strbuf_str(&many), "B", a, &b, &err) && err.code == ERR_RANGE
		    && err.pos.line == 201,
		"more than 200 lines");
}

static const struct {
	const char *name, *text;
	enum error_code code;
	int line;
	const char *msg;
} option_cases[] = {
	{ "as they were", "edition = e\ndate = 2019-05-31\nsource_date_epoch = 253402300799\n",
	  ERR_NONE, 0, "" },
	{ "none given", "edition = e\ndate = not given\nsource_date_epoch = not set\n", ERR_NONE, 0,
	  "" },
	{ "no edition", "date = not given\nsource_date_epoch = not set\n", ERR_DATA, 0,
	  "edition: expected" },
	{ "an edition elsewhere", "edition = ../e\ndate = not given\nsource_date_epoch = not set\n",
	  ERR_DATA, 1, "edition: expected the name of a file" },
	{ "a hidden edition", "edition = .e\ndate = not given\nsource_date_epoch = not set\n",
	  ERR_DATA, 1, "edition: expected" },
	{ "an edition with a line feed's kin",
	  "edition = a\033b\ndate = not given\nsource_date_epoch = 1\n", ERR_DATA, 1,
	  "edition: expected" },
	{ "no date", "edition = e\nsource_date_epoch = not set\n", ERR_SYNTAX, 0,
	  "date: expected" },
	{ "a date that is none", "edition = e\ndate = 2019-02-30\nsource_date_epoch = 1\n",
	  ERR_SYNTAX, 2, "date: expected YYYY-MM-DD" },
	{ "no epoch", "edition = e\ndate = not given\n", ERR_SYNTAX, 0,
	  "source_date_epoch: expected" },
	{ "a negative epoch", "edition = e\ndate = not given\nsource_date_epoch = -1\n", ERR_SYNTAX,
	  3, "source_date_epoch: expected a count" },
	{ "an epoch after 9999",
	  "edition = e\ndate = not given\nsource_date_epoch = 253402300800\n", ERR_SYNTAX, 3,
	  "source_date_epoch" },
	{ "an epoch beyond all numbers",
	  "edition = e\ndate = not given\nsource_date_epoch = 99999999999999999999\n", ERR_SYNTAX,
	  3, "source_date_epoch" },
};

static void test_options(struct test *t, struct arena *a)
{
	struct buildinfo_options opt;
	struct buildinfo b;
	struct error err = { 0 };

	for (size_t i = 0; i < LEN(option_cases); i++) {
		struct error why = { 0 };
		bool good = buildinfo_parse(str_of(option_cases[i].text), "BUILDINFO", a, &b, &why)
			    && buildinfo_read_options(&b, "BUILDINFO", &opt, &why);

		test_ok(t,
			good == (option_cases[i].code == ERR_NONE)
			    && why.code == option_cases[i].code
			    && why.pos.line == option_cases[i].line
			    && strstr(why.msg, option_cases[i].msg),
			option_cases[i].name);
	}
	buildinfo_parse(str_of(option_cases[0].text), "B", a, &b, &err);
	test_ok(t,
		buildinfo_read_options(&b, "B", &opt, &err) && opt.date.day == 18047
		    && opt.source_date_epoch == 253402300799 && !opt.gnuplot,
		"their values; no program");
	buildinfo_parse(str_of(option_cases[1].text), "B", a, &b, &err);
	test_ok(t,
		buildinfo_read_options(&b, "B", &opt, &err) && opt.date.day == INT_MIN
		    && opt.source_date_epoch == -1,
		"what was not given stays so");
}

static void test_compare(struct test *t, struct arena *a)
{
	struct buildinfo was, is;
	struct buildinfo_difference *d;
	struct error err = { 0 };

	buildinfo_parse(STR("a = 1\ngone = x\nb = 2\n"), "B", a, &was, &err);
	buildinfo_parse(STR("new = y\nb = 3\na = 1\n"), "B", a, &is, &err);
	size_t n = buildinfo_compare(&was, &is, a, &d);
	test_ok(t,
		n == 3 && str_eq(d[0].key, STR("gone")) && str_eq(d[0].was, STR("x"))
		    && d[0].is.len == 0 && str_eq(d[1].key, STR("b")) && str_eq(d[1].was, STR("2"))
		    && str_eq(d[1].is, STR("3")) && str_eq(d[2].key, STR("new"))
		    && d[2].was.len == 0 && str_eq(d[2].is, STR("y")),
		"gone, changed and new, in the order of the file");
	test_ok(t, buildinfo_compare(&was, &was, a, &d) == 0, "no difference to itself");
}

int main(void)
{
	struct test t = { 0 };
	struct arena a = { 0 };

	test_text(&t, &a);
	test_parse(&t, &a);
	test_options(&t, &a);
	test_compare(&t, &a);
	test_fonts(&t, &a);
	test_quick(&t, &a);
	arena_free(&a);
	return test_done(&t);
}
