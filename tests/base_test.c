#define _XOPEN_SOURCE 700 /* symlink */

/* base/: text, numbers, dates, maps, statistics, errors. */
#include "test.h"

#include "../base/arena.h"
#include "../base/csv_write.h"
#include "../base/date.h"
#include "../base/error.h"
#include "../base/file.h"
#include "../base/map.h"
#include "../base/num.h"
#include "../base/stat.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Blocks of the usual size, and one behind them for a large piece. */
static void test_clear(struct test *t)
{
	struct arena a = { .block_size = 256 };
	bool zero = true;

	arena_clear(&a);
	test_ok(t, a.last == NULL, "arena_clear of an empty arena");
	for (int round = 0; round < 3; round++) {
		for (int i = 0; i < 20; i++) {
			unsigned char *p = arena_alloc(&a, i == 7 ? 4000 : 50);
			for (int k = 0; k < 50; k++)
				zero = zero && p[k] == 0;
			memset(p, 0xAA, i == 7 ? 4000 : 50);
		}
		arena_clear(&a);
	}
	test_ok(t, zero, "memory is zeroed again after arena_clear");
	test_ok(t, arena_bytes(&a) > 256 && arena_bytes(&a) < 400, "one usual block is kept");
	arena_free(&a);
}

static void test_arena(struct test *t)
{
	struct arena a = { 0 };
	char *big = arena_alloc(&a, 3 << 20), *small = arena_alloc(&a, 1);
	size_t cap = 0;
	int *v = NULL;
	bool zero = true;

	for (size_t i = 0; i < 3 << 20; i++)
		zero = zero && big[i] == 0;
	test_ok(t, zero && *small == 0, "arena memory is zeroed, also beyond one block");
	for (int i = 0; i < 1000; i++) {
		v = arena_grow(&a, v, &cap, (size_t)i + 1, sizeof *v);
		v[i] = i;
	}
	test_ok(t, v[0] == 0 && v[999] == 999 && cap >= 1000, "arena_grow keeps what was there");
	arena_free(&a);
	test_ok(t, a.last == NULL, "arena_free empties the arena");
	test_clear(t);
}

static void test_numbers(struct test *t)
{
	static const struct {
		const char *name;
		struct str in;
		bool comma, good;
		double value;
	} cases[] = {
		{ "plain", STR_INIT("1599.00"), false, true, 1599 },
		{ "negative", STR_INIT("-0.5"), false, true, -0.5 },
		{ "no whole part", STR_INIT(".5"), false, true, 0.5 },
		{ "exponent", STR_INIT("1e-3"), false, true, 1e-3 },
		{ "decimal comma", STR_INIT("3,25"), true, true, 3.25 },
		{ "comma without the dialect", STR_INIT("3,25"), false, false, 0 },
		{ "point in the comma dialect", STR_INIT("3.25"), true, false, 0 },
		{ "thousands", STR_INIT("1,234.5"), false, false, 0 },
		{ "nan", STR_INIT("nan"), false, false, 0 },
		{ "inf", STR_INIT("inf"), false, false, 0 },
		{ "hex", STR_INIT("0x10"), false, false, 0 },
		{ "unit", STR_INIT("499 USD"), false, false, 0 },
		{ "blank", STR_INIT(" 1"), false, false, 0 },
		{ "empty", STR_INIT(""), false, false, 0 },
		{ "sign only", STR_INIT("-"), false, false, 0 },
		{ "overflow", STR_INIT("1e999"), false, false, 0 },
		{ "embedded nul",
		  STR_INIT("15\0"
			   "99"),
		  false, false, 0 },
		{ "half an exponent", STR_INIT("1e"), false, false, 0 },
	};

	for (size_t i = 0; i < LEN(cases); i++) {
		double v = 0;
		bool good = num_parse(cases[i].in, cases[i].comma, &v);
		test_ok(t, good == cases[i].good && v == cases[i].value, cases[i].name);
	}
	int n = -1;
	test_ok(t, num_parse_int(STR("2147483647"), &n) && n == INT_MAX, "the largest int");
	test_ok(t, !num_parse_int(STR("2147483648"), &n), "one more is refused");
	test_ok(t, !num_parse_int(STR("-1"), &n) && !num_parse_int(STR(""), &n),
		"no sign, not empty");
}

static void test_number_text(struct test *t)
{
	struct arena a = { 0 };

	test_str(t, num_shortest(&a, 0.1), STR("0.1"), "shortest 0.1");
	test_str(t, num_shortest(&a, 1.0 / 3), STR("0.3333333333333333"), "shortest third");
	test_str(t, num_shortest(&a, 29217978871.38047), STR("29217978871.38047"),
		 "shortest large");
	test_str(t, num_shortest(&a, 470), STR("470"), "shortest 470 is plain");
	test_str(t, num_shortest(&a, 1e22), STR("1e+22"), "shortest 1e22");
	test_str(t, num_shortest(&a, 1e15), STR("1000000000000000"), "shortest 1e15");
	test_str(t, num_shortest(&a, 2.5e-7), STR("2.5e-07"), "shortest tiny");
	test_str(t, num_shortest(&a, -0.000125), STR("-0.000125"), "shortest small");
	bool back = true;
	struct rng r = { 7 };
	for (int i = 0; i < 20000; i++) { /* every size of number reads back exactly */
		double v = ldexp((double)rng_next(&r), (int)rng_below(&r, 120) - 120), w = 0;
		back = back && num_parse(num_shortest(&a, v), false, &w) && w == v;
	}
	test_ok(t, back, "20,000 numbers read back exactly");
	test_str(t, num_shortest(&a, -0.0), STR("0"), "no minus zero");
	test_str(t, num_fixed(&a, -0.001, 2), STR("0.00"), "no minus zero when rounded");
	test_str(t, num_fixed(&a, 2.5, 0), STR("2"), "half to even");
	test_str(t, num_grouped(&a, 10664, 0), STR("10,664"), "grouped");
	test_str(t, num_grouped(&a, -1234567.891, 2), STR("-1,234,567.89"), "grouped, negative");
	test_str(t, num_grouped(&a, 999, 0), STR("999"), "nothing to group");
	arena_free(&a);
}

static void test_dates(struct test *t)
{
	struct arena a = { 0 };
	struct date d, e;

	test_ok(t, date_parse(STR("1970-01-01"), &d) && d.day == 0, "day 0");
	test_ok(t, date_parse(STR("2026-11-30"), &d) && d.day == 20787, "a known day");
	test_ok(t, date_parse(STR("2000-02-29"), &d) && d.day == 11016, "leap day of a century");
	test_ok(t, !date_parse(STR("1900-02-29"), &d), "1900 had none");
	test_ok(t, !date_parse(STR("2019-04-31"), &d), "31 April");
	test_ok(t, !date_parse(STR("2019-7-22"), &d), "not padded");
	test_ok(t, !date_parse(STR("2019-07-2x"), &d), "not digits");
	bool good = true;
	for (int day = -25567; day < 84006; day += 1) /* 1900 to 2199, every day and back */
		good = good && date_parse(date_iso(&a, date_of_day(day)), &e) && e.day == day;
	test_ok(t, good, "every day from 1900 to 2199 survives the round trip");
	arena_free(&a);
}

/* Texts around the length up to which they are printed once only, and whole numbers of any size. */
static void test_print(struct test *t)
{
	static const size_t lengths[] = { 0, 1, 254, 255, 256, 257, 1000 };
	struct arena a = { 0 };
	char text[1001], want[3][32];
	bool right = true;

	memset(text, 'x', sizeof text);
	for (size_t i = 0; i < LEN(lengths); i++) {
		struct str all = { text, lengths[i] };
		struct strbuf b = { .arena = &a };
		struct str printed = str_printf(&a, STR_FMT, STR_ARG(all));
		strbuf_printf(&b, STR_FMT, STR_ARG(all));
		strbuf_printf(&b, "%c" STR_FMT, ',', STR_ARG(all));
		right = right && str_eq(printed, all) && printed.p[printed.len] == '\0'
			&& b.len == 2 * all.len + 1
			&& str_eq(str_slice(strbuf_str(&b), 0, all.len), all)
			&& str_eq(str_slice(strbuf_str(&b), all.len + 1, b.len), all);
	}
	test_ok(t, right, "printed texts, short and long");
	struct csv_out w = { .buf = { .arena = &a } };
	const long numbers[] = { LONG_MIN, -10, LONG_MAX };
	for (size_t i = 0; i < LEN(numbers); i++) {
		csv_put_int(&w, numbers[i]);
		snprintf(want[i], sizeof want[i], "%ld", numbers[i]);
	}
	test_str(t, strbuf_str(&w.buf), str_printf(&a, "%s,%s,%s", want[0], want[1], want[2]),
		 "the least, a negative and the largest whole number");
	test_str(t, file_join(&a, STR("a/"), STR("b")), STR("a/b"),
		 "file_join of a folder with '/'");
	test_str(t, file_join(&a, STR("a"), STR("")), STR("a/"), "and of no name");
	test_str(t, file_join(&a, STR(""), STR("b")), STR("b"), "and of no folder");
	arena_free(&a);
}

static void test_text(struct test *t)
{
	struct arena a = { 0 };
	struct str rest = STR("a,,b,"), piece;
	struct strbuf b = { .arena = &a };
	size_t at = 0;

	while (str_cut(&rest, ',', &piece))
		strbuf_printf(&b, "[" STR_FMT "]", STR_ARG(piece));
	test_str(t, strbuf_str(&b), STR("[a][][b][]"), "str_cut keeps empty pieces");
	test_ok(t, str_is_utf8(STR("GPU 显卡 é")), "UTF-8");
	test_ok(t, !str_is_utf8(STR("\xC0\x80")) && !str_is_utf8(STR("\xED\xA0\x80"))
	           && !str_is_utf8(STR("\xF5\x80\x80\x80")) && !str_is_utf8(STR("\xE6\x98")),
	        "overlong, surrogate, too large, cut off");
	test_ok(t, str_next_utf8(STR("显"), &at) == 0x663E && at == 3, "a Han character");
	at = 0;
	test_ok(t, str_next_utf8(STR("\xFFx"), &at) == 0xFFFD && at == 1, "a bad byte");
	test_ok(
	    t, str_find(STR("abcabc"), STR("ca"), 0) == 2 && str_find(STR("abc"), STR("x"), 0) == 3,
	    "str_find");
	test_ok(t, str_find(STR("aaab"), STR("ab"), 0) == 2
		    && str_find(STR("abab"), STR("ab"), 1) == 2
		    && str_find(STR("ab"), STR("ab"), 1) == 2
		    && str_find(STR("ab"), STR("ab"), 9) == 2
		    && str_find(STR("ab"), STR(""), 1) == 1 && str_find(STR("ab"), STR(""), 9) == 2
		    && str_find((struct str){ 0 }, STR("a"), 0) == 0,
		"str_find: half of it before, from behind, nothing");
	const struct str parts[] = { STR("a"), { NULL, 0 }, STR("bc") };
	struct str joined = str_join(&a, parts, LEN(parts));
	test_ok(t, str_eq(joined, STR("abc")) && joined.p[3] == '\0'
		    && str_join(&a, NULL, 0).len == 0,
		"str_join");
	test_str(t, str_trim(STR(" \ta b\r\n")), STR("a b"), "str_trim");
	test_ok(t, str_cmp(STR("ab"), STR("abc")) < 0 && str_cmp(STR("b"), STR("abc")) > 0,
		"str_cmp");
	arena_free(&a);
}

static void test_map(struct test *t)
{
	struct arena a = { 0 };
	struct map m = { .arena = &a };
	bool fresh, good = true;

	for (size_t i = 0; i < 5000; i++)
		map_put(&m, str_printf(&a, "key %zu", i), i, NULL);
	for (size_t i = 0; i < 5000; i++) {
		const size_t *v = map_get(&m, str_printf(&a, "key %zu", i));
		good = good && v && *v == i;
	}
	test_ok(t, good && m.n == 5000, "5,000 keys found again");
	test_ok(t, !map_get(&m, STR("key 5000")), "an absent key");
	*map_put(&m, STR("key 7"), 1, &fresh) = 70;
	test_ok(t, !fresh && *map_get(&m, STR("key 7")) == 70, "map_put gives the stored value");
	map_put(&m, (struct str){ 0 }, 9, &fresh);
	test_ok(t, fresh && *map_get(&m, STR("")) == 9, "the empty key");
	arena_free(&a);
}

static void test_statistics(struct test *t)
{
	struct arena a = { 0 };
	const double v[] = { 4, 1, 3, 2 }, w[] = { 1, 1, 2, 2, 4, 6, 9 };
	struct rng r = { 1 }, again = { 1 };

	test_near(t, stat_median(v, 4, &a), 2.5, 0, "median of four");
	test_near(t, stat_median(w, 7, &a), 2, 0, "median of seven");
	test_near(t, stat_mad(w, 7, &a), 1, 0, "MAD: the textbook example");
	test_near(t, stat_quantile(v, 4, 0.9, &a), 3.7, 1e-15, "type 7 quantile");
	test_near(t, stat_quantile(v, 4, 1, &a), 4, 0, "the largest");
	test_ok(t, rng_next(&r) == 0x910a2dec89025cc1u,
		"splitmix64 of seed 1: the published value");
	rng_next(&again);
	size_t counts[3] = { 0 };
	for (int i = 0; i < 30000; i++)
		counts[rng_below(&r, 3)]++;
	test_ok(t, counts[0] > 9700 && counts[1] > 9700 && counts[2] > 9700, "draws are even");
	arena_free(&a);
}

static void test_csv_out(struct test *t)
{
	struct arena a = { 0 };
	struct csv_out w = { .buf = { .arena = &a } };

	csv_put(&w, STR("plain"));
	csv_put(&w, STR("a,\"b\"\nc"));
	csv_put(&w, STR("=1+1"));
	csv_put(&w, STR("'=x"));
	csv_put(&w, STR("-1.25"));
	csv_put_num(&w, -1.25);
	csv_put_num(&w, NAN);
	csv_put_date(&w, date_of_day(0));
	csv_put_date(&w, (struct date){ INT_MIN });
	csv_put_int(&w, 7);
	csv_put_missing(&w);
	csv_end_row(&w);
	test_str(t, strbuf_str(&w.buf),
		 STR("plain,\"a,\"\"b\"\"\nc\",'=1+1,''=x,-1.25,-1.25,,1970-01-01,,7,\n"),
		 "a CSV row");
	w = (struct csv_out){ .buf = { .arena = &a } };
	csv_put(&w, STR("\0=1"));
	csv_put(&w, STR("'\0@a"));
	csv_end_row(&w);
	test_str(t, strbuf_str(&w.buf), STR("\xEF\xBF\xBD=1,'\xEF\xBF\xBD@a\n"),
		 "a NUL hides no formula");
	arena_free(&a);
}

static void test_files(struct test *t)
{
	struct arena a = { 0 };
	struct error err = { 0 };
	struct str s;

	test_str(t, file_sha256(&a, STR("abc")),
	         STR("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
	         "SHA-256: the standard's example");
	test_ok(t, !file_read("/nonexistent/x", 0, &a, &s, &err) && err.code == ERR_ENVIRONMENT
	           && strstr(err.msg, "/nonexistent/x"), "a missing file is named");
	err = (struct error){ 0 };
	test_ok(t, !file_read("/", 0, &a, &s, &err) && strstr(err.msg, "not a regular file"),
		"a folder is no file");
	err = (struct error){ 0 };
	test_ok(t, !file_write("/dev/full/x", STR("x"), &err) && err.code == ERR_ENVIRONMENT,
		"an impossible path");
	test_ok(t, error_exit_status(&err) == 2, "the environment's fault is exit 2");
	arena_free(&a);
}

static void test_listing(struct test *t)
{
	static const char *const names[] = { "b.csv",       ".hidden.csv", "..odd;name/c.csv",
					     ".git/config", "sub/a.csv",   "x.csv/d.csv",
					     "z.txt" };
	static const char *const dirs[] = { "..odd;name", ".git", "sub", "x.csv" };
	char root[] = "/tmp/gpuguide-base-XXXXXX";
	struct arena a = { 0 };
	struct error err = { 0 };
	struct messages m = { .arena = &a };
	struct file_list list;
	int odd = 0, git = 0, file = 0;

	test_ok(t, mkdtemp(root) != NULL, "a folder for files");
	for (size_t i = 0; i < LEN(dirs); i++)
		file_make_dirs(str_c(&a, file_join(&a, str_of(root), str_of(dirs[i]))), &err);
	for (size_t i = 0; i < LEN(names); i++)
		file_write(str_c(&a, file_join(&a, str_of(root), str_of(names[i]))), STR("x"),
			   &err);
	test_ok(t,
		file_list(root, ".csv", true, &a, &list, &m, &err) && list.n == 3
		    && str_eq(list.v[0], STR("b.csv")) && str_eq(list.v[1], STR("sub/a.csv"))
		    && str_eq(list.v[2], STR("x.csv/d.csv")),
		"files are listed in byte order");
	for (size_t i = 0; i < m.n; i++) {
		odd += strcmp(m.v[i].pos.file, "..odd;name") == 0;
		git += strcmp(m.v[i].pos.file, ".git") == 0;
		file += strcmp(m.v[i].pos.file, ".hidden.csv") == 0;
	}
	test_ok(t, m.n == 3 && odd == 1 && git == 1 && file == 1,
		"hidden files and folders are told");
	m.n = 0;
	test_ok(t,
		symlink("b.csv", str_c(&a, file_join(&a, str_of(root), STR("l.csv")))) == 0
		    && symlink("sub", str_c(&a, file_join(&a, str_of(root), STR("up")))) == 0
		    && symlink("b.csv", str_c(&a, file_join(&a, str_of(root), STR("other")))) == 0
		    && file_list(root, ".csv", true, &a, &list, &m, &err) && list.n == 3
		    && m.n == 5,
		"links to a file and to a folder are told, one without the suffix is nobody's");
	file_skipped_in("dir", 4, &m);
	test_ok(t, str_starts(str_of(m.v[4].pos.file), STR("dir/"))
			&& !str_starts(str_of(m.v[3].pos.file), STR("dir/")),
		"with the folder in front");
	unlink(str_c(&a, file_join(&a, str_of(root), STR("l.csv"))));
	m.n = 0;
	test_ok(t, file_list(root, ".csv", false, &a, &list, &m, &err) && list.n == 1 && m.n == 1,
		"folders are none of a flat list's business");
	test_ok(t, file_remove_tree(root, &err) && !file_exists(root), "removed again");
	arena_free(&a);
}

/* What the function writes to a stream; at most 2,000 bytes. */
static struct str printed(struct arena *a, const struct error *err, const struct message *m)
{
	char *text = arena_alloc(a, 2001);
	FILE *f = tmpfile();

	if (!f)
		return STR("no temporary file");
	if (err)
		error_print(f, err);
	else
		message_print(f, m);
	rewind(f);
	struct str out = { text, fread(text, 1, 2000, f) };
	fclose(f);
	return out;
}

static void test_messages(struct test *t)
{
	struct arena a = { 0 };
	struct messages m = { .arena = &a };
	struct error err = { 0 };
	char *many = arena_alloc(&a, 3001);

	for (int i = 0; i < 1000; i++)
		memcpy(many + 3 * i, "\xE2\x82\xAC", 3);
	test_ok(t,
		str_is_plain('a') && str_is_plain(0xE9) && str_is_plain(0x5D0)
		    && str_is_plain(0x1F600),
		"letters of any script and pictures are plain");
	test_ok(t,
		!str_is_plain(0) && !str_is_plain('\n') && !str_is_plain(0x7F)
		    && !str_is_plain(0x9B) && !str_is_plain(0x61C) && !str_is_plain(0x200F)
		    && !str_is_plain(0x202E) && !str_is_plain(0x2066),
		"controls and direction marks are not");
	test_str(t, str_plain(&a, STR("x\x1B[m\x82\xC2\x9By\xE2\x80\xAE\xC3\xA9\n")),
		 STR("x?[m??y?\xC3\xA9?"), "a file name made plain");
	test_str(t, str_plain(&a, STR("\xEF\xBF\xBD")), STR("\xEF\xBF\xBD"),
		 "a replacement sign is kept");
	error_at(&err, ERR_DATA, (struct pos){ "a\x1B/b.csv", 3, 7 },
		 "x\xC2\x9By\xE2\x80\xAEz\xFF");
	test_str(t, printed(&a, &err, NULL), STR("a?/b.csv:3:7: x?y?z?\n"),
		 "error_print obeys nobody");
	err = (struct error){ 0 };
	error_set(&err, ERR_DATA, "%s", many);
	test_ok(t,
		strlen(err.msg) == 396 + 3 && str_is_utf8(str_of(err.msg))
		    && str_ends(str_of(err.msg), STR("...")),
		"a long error is cut at a character");
	messages_add(&m, (struct pos){ "f", 1, 0 }, "%s", many);
	messages_add(&m, (struct pos){ 0 }, "short\x1B\n\xE2\x80\xAE");
	test_ok(t, m.v[0].text.len == 999 + 3 && str_is_utf8(m.v[0].text),
		"a long message is cut at a character");
	test_ok(t, printed(&a, NULL, &m.v[0]).len == strlen("f:1: ") + 999 + 3 + 1,
		"and printed whole");
	test_str(t, printed(&a, NULL, &m.v[1]), STR("short???\n"), "a message without a place");
	test_str(t, m.v[1].text, STR("short???"), "a message is kept plain");
	arena_free(&a);
}

/* What a thread made outlives its own arena. */
static void test_adopt(struct test *t)
{
	struct arena a = { .block_size = 64 }, b = { .block_size = 64 }, empty = { 0 };
	char *own = arena_alloc(&a, 16), *other = NULL;

	memcpy(own, "own", 4);
	for (int i = 0; i < 8; i++) { /* several blocks */
		other = arena_alloc(&b, 48);
		memcpy(other, "other", 6);
	}
	arena_adopt(&a, &b);
	arena_adopt(&a, &empty);
	test_ok(t, !b.last && strcmp(other, "other") == 0, "the memory has another owner");
	char *more = arena_alloc(&a, 16);
	test_ok(t, more == own + 16, "the block that was being filled goes on");
	arena_adopt(&empty, &a);
	test_ok(t, empty.last && !a.last && strcmp(own, "own") == 0, "an empty arena takes it all");
	arena_free(&empty);
	arena_free(&a);
}

/* A child that outlived a killed run goes on writing while the next run clears the folder. */
static void test_remove_while_written(struct test *t, struct arena *a)
{
	char root[] = "/tmp/gpuguide-remove-XXXXXX";
	struct error err = { 0 };

	if (!mkdtemp(root)) {
		test_ok(t, false, "a folder to write to");
		return;
	}
	pid_t child = fork();
	if (child == 0) {
		for (int i = 0; i < 2000; i++) {
			struct error ignored = { 0 };
			file_write(str_c(a, str_printf(a, "%s/%d", root, i)), STR("x"), &ignored);
		}
		_exit(0);
	}
	test_ok(t, file_remove_tree(root, &err) && !file_exists(root),
		"removed while somebody writes there");
	waitpid(child, NULL, 0);
}

/* Names with the marks "-_": the first a letter or digit, nothing but letters, digits and marks. */
static const struct { const char *name; struct str text; bool want;
} words[] = {
	{ "a word", STR_INIT("Lab-2_b"), true },
	{ "a digit in front", STR_INIT("0"), true },
	{ "nothing", STR_INIT(""), false },
	{ "an option", STR_INIT("-a"), false },
	{ "a mark in front", STR_INIT("_a"), false },
	{ "a dot", STR_INIT("a.b"), false },
	{ "a NUL", STR_INIT("a\0b"), false },
	{ "'@' is no letter", STR_INIT("a@"), false },
	{ "'`' is no letter", STR_INIT("a`"), false },
	{ "'[' is no letter", STR_INIT("a["), false },
	{ "not of ASCII", STR_INIT("\303\244"), false },
};

static void test_words(struct test *t)
{
	for (size_t i = 0; i < LEN(words); i++)
		test_ok(t, str_is_word(words[i].text, "-_") == words[i].want, words[i].name);
	test_ok(t, str_is_word(STR("a.b"), "."), "another mark");
}

static void test_error_text(struct test *t, struct arena *a)
{
	struct error err = { 0 };

	error_at(&err, ERR_SYNTAX, (struct pos){ "a\033.csv", 3, 7 }, "price: '%s'", "x\n");
	test_str(t, error_text(&err, a), STR("a?.csv:3:7: price: 'x?'"), "an error with its place");
	err.pos.col = 0;
	test_str(t, error_text(&err, a), STR("a?.csv:3: price: 'x?'"), "without a column");
	err.pos.line = 0;
	test_str(t, error_text(&err, a), STR("a?.csv: price: 'x?'"), "without a line");
	err.pos.file = NULL;
	test_str(t, error_text(&err, a), STR("price: 'x?'"), "without a file");
}

int main(void)
{
	struct test t = { 0 };

	test_arena(&t);
	test_numbers(&t);
	test_number_text(&t);
	test_dates(&t);
	test_print(&t);
	test_text(&t);
	test_map(&t);
	test_statistics(&t);
	test_csv_out(&t);
	test_files(&t);
	test_listing(&t);
	test_messages(&t);
	test_adopt(&t);
	struct arena a = { 0 };
	test_words(&t);
	test_error_text(&t, &a);
	test_remove_while_written(&t, &a);
	arena_free(&a);
	return test_done(&t);
}
