#include "test.h"

#include "../base/file.h"
#include "../collect/limits.h"
#include "../fetch/hold.h"
#include "../fetch/ledger.h"
#include "../fetch/offer.h"
#include "../fetch/replaced.h"
#include "../fetch/source.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static struct str in(struct arena *a, const char *dir, const char *name)
{
	return file_join(a, str_of(dir), str_of(name));
}

static const char sum_1[] = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";
static const char sum_2[] = "1123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";

static void test_ledger(struct test *t, const char *dir, struct arena *a)
{
	const char *path = str_c(a, in(a, dir, "accepted.csv"));
	struct ledger l;
	struct error err = { 0 };
	struct str text = { 0 };
	struct ledger_row row = { .sha256 = str_of(sum_1),
				  .series = STR("s"),
				  .file = STR("f.csv"),
				  .source = STR("lab"),
				  .origin = STR(" =a,\"b\"\n.csv"),
				  .date = { 18000 },
				  .bytes = 7 };

	test_ok(t, ledger_read(path, a, &l, &err) && l.n == 0, "no ledger is an empty one");
	test_ok(t, ledger_write(&l, &err) && !file_exists(path), "and nothing is written");
	ledger_add(&l, &row);
	row.sha256 = str_of(sum_2);
	row.file = STR("f-2.csv");
	ledger_add(&l, &row);
	test_ok(t, ledger_write(&l, &err) && file_read(path, 0, a, &text, &err), "written");
	test_str(t, text,
		 str_printf(a,
			    "sha256,series,file,source,origin,date,bytes\n"
			    "%s,s,f.csv,lab,\"'=a,\"\"b\"\"?.csv\",2019-04-14,7\n%s,s,f-2.csv,lab,"
			    "\"'=a,\"\"b\"\"?.csv\",2019-04-14,7\n",
			    sum_1, sum_2),
		 "a formula in a name is none");
	test_ok(t, ledger_read(path, a, &l, &err) && l.n == 2, "read back");
	const struct ledger_row *found = ledger_find(&l, STR("lab"), row.origin, str_of(sum_1));
	test_ok(t, found == &l.v[0], "found by source, name and bytes");
	test_ok(t, !ledger_find(&l, STR("other"), row.origin, str_of(sum_1)),
		"not of another source");
	test_ok(t,
		ledger_newest(&l, STR("lab"), row.origin) == &l.v[1]
		    && ledger_oldest(&l, STR("lab"), row.origin) == &l.v[0],
		"the newest and the oldest of a name");
	test_ok(t, ledger_content(&l, str_of(sum_2)) == &l.v[1] && !ledger_content(&l, STR("x")),
		"found by bytes");
}

/* A ledger that somebody changed: rows, and what is said of them ("" where they are good). */
static const struct { const char *name, *sum, *series, *file, *want;
} ledger_rows[] = {
	{ "ledger: a row", NULL, "s", "f.csv", "" },
	{ "ledger: beside the series", NULL, "", "f.csv", "" },
	{ "ledger: a file of any name, in a folder", NULL, "s t", "\303\244 b/..c.csv", "" },
	{ "ledger: a sum that is none", "abc", "s", "f.csv",
	  "sha256: 'abc' is not 64 small hex digits" },
	{ "ledger: a sum in capitals",
	  "ABCDEF0123456789ABCDEF0123456789ABCDEF0123456789ABCDEF0123456789", "s", "f.csv",
	  "sha256: 'ABCDEF0123456789ABCDEF0123456789ABCDEF0123456789ABCDEF0123456789' is not 64 "
	  "small hex digits" },
	{ "ledger: a series above", NULL, "..", "f.csv",
	  "series: '..' is not the name of a folder" },
	{ "ledger: a series of two folders", NULL, "a/b", "f.csv",
	  "series: 'a/b' is not the name of a folder" },
	{ "ledger: a file above", NULL, "s", "a/../../f.csv",
	  "file: 'a/../../f.csv' is not a path below data/contributions" },
	{ "ledger: an absolute file", NULL, "", "/etc/f.csv",
	  "file: '/etc/f.csv' is not a path below data/contributions" },
	{ "ledger: a part is empty", NULL, "s", "a//f.csv",
	  "file: 'a//f.csv' is not a path below data/contributions" },
};

static void test_ledger_rows(struct test *t, const char *dir, struct arena *a)
{
	const char *path = str_c(a, in(a, dir, "changed.csv"));

	for (size_t i = 0; i < LEN(ledger_rows); i++) {
		struct ledger l;
		struct error err = { 0 };
		struct str text = str_printf(
		    a, "sha256,series,file,source,origin,date,bytes\n%s,%s,%s,l,o,2019-04-14,7\n",
		    ledger_rows[i].sum ? ledger_rows[i].sum : sum_1, ledger_rows[i].series,
		    ledger_rows[i].file);
		bool good = file_write(path, text, &err) && ledger_read(path, a, &l, &err);

		test_ok(t, good == !ledger_rows[i].want[0] && (good || err.pos.line == 2),
			ledger_rows[i].name);
		test_str(t, str_of(err.msg), str_of(ledger_rows[i].want), "  what is said");
	}
}

static void test_hold(struct test *t, const char *dir, struct arena *a)
{
	struct hold h = { .spool = dir,
			  .source = STR("lab"),
			  .key = str_of(sum_1),
			  .name = STR("a.csv"),
			  .origin = STR("x/\033a.csv"),
			  .text = STR("bytes"),
			  .reason = STR("line 1: bad"),
			  .advice = STR("mend it") };
	struct error err = { 0 };
	struct str text = { 0 };
	const char *reason = str_c(a, in(a, dir, "held/lab/0123456789abcdef-a.csv.reason.txt"));

	test_ok(t, !hold_stands(&h, a) && hold_keep(&h, 1, a, &err) && hold_stands(&h, a),
		"a file is held");
	test_ok(t, file_read(reason, 0, a, &text, &err), "with its reason");
	test_str(
	    t, text,
	    str_printf(
		a,
		"source: lab\nfile: x/?a.csv\nkey: %s\nreason: line 1: bad\nwhat to do: mend it\n",
		sum_1),
	    "  what stands there");
	h.key = str_of(sum_2);
	test_ok(t, !hold_stands(&h, a) && !hold_keep(&h, 1, a, &err) && err.code == ERR_RANGE,
		"not more than so many");
	test_str(
	    t, str_of(err.msg),
	    str_printf(a, "1 files are held in %s/held/lab: look at them and delete them", dir),
	    "  what is said");
	h.key = str_of(sum_1);
	hold_release(&h, a);
	test_ok(t,
		!hold_stands(&h, a)
		    && !file_exists(str_c(a, in(a, dir, "held/lab/0123456789abcdef-a.csv"))),
		"let go");
}

static void test_replaced(struct test *t, const char *dir, struct arena *a)
{
	const char *shelf = str_c(a, in(a, dir, "old"));
	struct error err = { 0 };
	struct str path = { 0 }, text = { 0 };

	test_ok(
	    t,
	    file_make_dirs(str_c(a, in(a, shelf, "lab")), &err)
		&& file_write(str_c(a, in(a, shelf, "lab/a.csv")),
			      STR("h,i\n1,\"two\nlines\"\n3,4\n\n5,6\n"), &err)
		&& replaced_write(dir, shelf, STR("lab/a.csv"), STR("lab/a-2.csv"), a, &path, &err)
		&& file_read(str_c(a, path), 0, a, &text, &err),
	    "lines for overrides.csv");
	test_str(t, text,
		 STR("lab/a.csv,2,reject,fetch,replaced by lab/a-2.csv\n"
		     "lab/a.csv,4,reject,fetch,replaced by lab/a-2.csv\n"
		     "lab/a.csv,6,reject,fetch,replaced by lab/a-2.csv\n"),
		 "  one a row, by the line it begins in");
	test_ok(t, str_ends(path, STR("/replaced/lab-a.csv")), "  in a file of its name");
	test_ok(t,
		replaced_write(dir, shelf, STR("lab/gone.csv"), STR("lab/b.csv"), a, &path, &err)
		    && file_read(str_c(a, path), 0, a, &text, &err) && text.len == 0,
		"none of a file that is gone");
}

/* A folder with what does not belong there. */
static void test_folder(struct test *t, const char *dir, struct arena *a)
{
	const char *drop = str_c(a, in(a, dir, "drop"));
	struct fetch_source s = { .name = STR("x"),
				  .type = FETCH_FOLDER,
				  .path = str_of(drop),
				  .files = STR(".csv"),
				  .max_files = 5,
				  .max_file = 10,
				  .max_total = 15,
				  .seconds = 5 };
	struct fetch_place place = { dir, a };
	struct fetch_offers o;
	struct error err = { 0 };
	bool made = file_make_dirs(str_c(a, in(a, drop, "in")), &err)
		 && file_write(str_c(a, in(a, drop, "b.csv")), STR("bbb"), &err)
		 && file_write(str_c(a, in(a, drop, "in/a.csv")), STR("aaaa"), &err)
		 && file_write(str_c(a, in(a, drop, "large.csv")), STR("01234567890"), &err)
		 && file_write(str_c(a, in(a, drop, ".hidden.csv")), STR("x"), &err)
		 && file_write(str_c(a, in(a, drop, "x.csv.part")), STR("x"), &err)
		 && symlink("b.csv", str_c(a, in(a, drop, "link.csv"))) == 0
		 && symlink("/etc", str_c(a, in(a, drop, "etc"))) == 0
		 && mkfifo(str_c(a, in(a, drop, "pipe.csv")), 0600) == 0;

	test_ok(t, made && fetch_offers(&s, &place, &o, &err) && o.n == 5, "a folder's files");
	test_ok(t,
		o.n == 5 && str_eq(o.v[0].origin, STR("b.csv")) && str_eq(o.v[0].text, STR("bbb"))
		    && str_eq(o.v[1].origin, STR("in/a.csv")) && str_eq(o.v[1].text, STR("aaaa")),
		"in byte order, with their text");
	test_str(t, o.v[2].problem, STR("11 bytes, more than 0.00001 MB (max_file_mb)"),
		 "one too large");
	test_str(t, o.v[3].problem, STR("a symbolic link"), "a link");
	test_str(t, o.v[4].problem, STR("not a regular file"), "a pipe");
	s.max_files = 4;
	test_ok(t, !fetch_offers(&s, &place, &o, &err) && err.code == ERR_RANGE, "too many");
	test_str(t, str_of(err.msg), STR("5 files, more than 4 (max_files): nothing is taken"),
		 "  what is said");
	s.max_files = 5;
	s.max_total = 6;
	err = (struct error){ 0 };
	test_ok(t, !fetch_offers(&s, &place, &o, &err), "too much together");
	test_str(t, str_of(err.msg),
		 STR("7 bytes, more than 6e-06 MB (max_total_mb): nothing is taken"),
		 "  what is said");
	s.subfolder = STR("in");
	err = (struct error){ 0 };
	test_ok(t,
		fetch_offers(&s, &place, &o, &err) && o.n == 1
		    && str_eq(o.v[0].origin, STR("a.csv")),
		"a subfolder");
	s.subfolder = STR("absent");
	test_ok(t,
		!fetch_offers(&s, &place, &o, &err)
		    && str_ends(str_of(err.msg), STR("/drop/absent: No such file or directory")),
		"a subfolder that is not there");
	s.subfolder = STR("etc");
	err = (struct error){ 0 };
	test_ok(t,
		!fetch_offers(&s, &place, &o, &err)
		    && str_ends(str_of(err.msg), STR("/drop/etc: not a folder, or behind a link")),
		"a subfolder that is a link");
	test_str(t, str_of(err.msg), str_printf(a, "%s/etc: not a folder, or behind a link", drop),
		 "  what is said");
	s.subfolder = STR("etc/ssl");
	test_ok(t, !fetch_offers(&s, &place, &o, &err), "one behind a link");
}

static const struct {
	const char *name, *text, *signature, *problem;
	bool is_signed;
} signed_cases[] = {
	{ "a.csv", "one", "sig", "", true },
	{ "b.csv", "two", NULL, "", false },
	{ "c.csv", "three", "", "its signature: it is empty", false },
	{ "d.csv", "four", "0123456789x",
	  "its signature: 11 bytes, more than 0.00001 MB (max_file_mb)", false },
	{ "e.csv", "five", "->a.csv.sig", "its signature: a symbolic link", false },
	{ "f.csv", "0123456789x", "sig", "11 bytes, more than 0.00001 MB (max_file_mb)", false },
};

/* Signatures come with their files; one that is not as it should be holds its file. */
static void test_signatures(struct test *t, const char *dir, struct arena *a)
{
	const char *drop = str_c(a, in(a, dir, "sent"));
	struct fetch_source s = { .name = STR("x"),
				  .type = FETCH_FOLDER,
				  .path = str_of(drop),
				  .files = STR(".csv"),
				  .max_files = 20,
				  .max_file = 10,
				  .max_total = 100,
				  .seconds = 5 };
	struct fetch_place place = { dir, a };
	struct fetch_offers o = { 0 };
	struct error err = { 0 };
	bool good = file_make_dirs(drop, &err)
		    && file_write(str_c(a, in(a, drop, "alone.csv.sig")), STR("x"), &err)
		    && file_write(str_c(a, in(a, drop, "a.txt.sig")), STR("x"), &err);

	for (size_t i = 0; good && i < LEN(signed_cases); i++) {
		const char *path = str_c(a, in(a, drop, signed_cases[i].name)),
			   *text = signed_cases[i].signature;
		const char *beside = str_c(a, str_printf(a, "%s.sig", path));
		good = file_write(path, str_of(signed_cases[i].text), &err);
		if (good && text)
			good = text[0] == '-' ? symlink(text + 2, beside) == 0
					      : file_write(beside, str_of(text), &err);
	}
	test_ok(t, good && fetch_offers(&s, &place, &o, &err) && o.n == LEN(signed_cases),
		"signatures are no files of their own");
	for (size_t i = 0; i < o.n && i < LEN(signed_cases); i++) {
		bool is_signed = signed_cases[i].is_signed;

		test_ok(t,
			str_eq(o.v[i].origin, str_of(signed_cases[i].name))
			    && str_eq(o.v[i].signature,
				      is_signed ? str_of(signed_cases[i].signature) : STR("")),
			signed_cases[i].name);
		test_str(t, o.v[i].problem, str_of(signed_cases[i].problem), "  what is said");
	}
	s.max_file = LIMIT_SIGNATURE * 2;
	s.max_total = LIMIT_SIGNATURE * 4;
	good = file_write(str_c(a, in(a, drop, "b.csv.sig")),
			  (struct str){ arena_alloc(a, LIMIT_SIGNATURE + 1), LIMIT_SIGNATURE + 1 },
			  &err);
	test_ok(t, good && fetch_offers(&s, &place, &o, &err) && o.n == LEN(signed_cases),
		"within other limits");
	test_str(t, o.n > 1 ? o.v[1].problem : STR(""),
		 STR("its signature: it has more than 16384 bytes"), "an endless one");
}

/* One folder that is too deep is no reason to leave the other files. */
static void test_deep_folder(struct test *t, const char *dir, struct arena *a)
{
	const char *drop = str_c(a, in(a, dir, "deep"));
	struct fetch_source s = { .name = STR("x"),
				  .type = FETCH_FOLDER,
				  .path = str_of(drop),
				  .files = STR(".csv"),
				  .max_files = 5,
				  .max_file = 10,
				  .max_total = 15,
				  .seconds = 5 };
	struct fetch_place place = { dir, a };
	struct fetch_offers o = { 0 };
	struct error err = { 0 };
	bool made = file_make_dirs(str_c(a, in(a, drop, "1/2/3/4/5/6/7/8/9/10")), &err)
		 && file_write(str_c(a, in(a, drop, "1/2/3/4/5/6/7/8/a.csv")), STR("a"), &err)
		 && file_write(str_c(a, in(a, drop, "b.csv")), STR("b"), &err);

	test_ok(t, made && fetch_offers(&s, &place, &o, &err) && o.n == 3, "a deep folder");
	test_ok(t, o.n == 3 && str_eq(o.v[0].origin, STR("1/2/3/4/5/6/7/8/9")) && o.v[0].failed,
		"  is told as failed");
	test_str(t, o.n ? o.v[0].problem : STR(""), STR("a folder deeper than 8: not looked into"),
		 "  what is said");
	test_ok(t, o.n == 3 && str_eq(o.v[1].text, STR("a")) && str_eq(o.v[2].text, STR("b")),
		"  and the others are read");
}

/* A program that is not installed names its package. */
static void test_missing_tool(struct test *t, const char *dir, struct arena *a)
{
	static const struct { enum fetch_type type; const char *url, *want; } cases[] = {
		{ FETCH_GIT, "/repo.git", "git: not found: install git" },
		{ FETCH_RSYNC, "rsync://127.0.0.1:9/m", "rsync: not found: install rsync" },
		{ FETCH_SSH, "127.0.0.1:m", "rsync: not found: install rsync" },
		{ FETCH_HTTPS, "https://127.0.0.1:9/x.csv", "curl: not found: install curl" },
	};
	const char *path = getenv("PATH");
	char *kept = path ? strcpy(arena_alloc(a, strlen(path) + 1), path) : NULL;

	setenv("PATH", "/nowhere", 1);
	for (size_t i = 0; i < LEN(cases); i++) {
		struct fetch_source s = { .name = STR("x"),
					  .type = cases[i].type,
					  .url = str_of(cases[i].url),
					  .files = STR(".csv"),
					  .max_files = 5,
					  .max_file = 10,
					  .max_total = 15,
					  .seconds = 5 };
		struct fetch_place place = { dir, a };
		struct fetch_offers o;
		struct error err = { 0 };

		test_ok(t, !fetch_offers(&s, &place, &o, &err) && err.code == ERR_ENVIRONMENT,
			cases[i].want);
		test_str(t, str_of(err.msg), str_of(cases[i].want), "  what is said");
	}
	if (kept)
		setenv("PATH", kept, 1);
}

int main(void)
{
	struct test t = { 0 };
	struct arena a = { 0 };
	struct error err = { 0 };
	char dir[] = "/tmp/fetch_test.XXXXXX";

	if (!mkdtemp(dir))
		return 1;
	test_ledger(&t, dir, &a);
	test_ledger_rows(&t, dir, &a);
	test_hold(&t, dir, &a);
	test_replaced(&t, dir, &a);
	test_folder(&t, dir, &a);
	test_signatures(&t, dir, &a);
	test_deep_folder(&t, dir, &a);
	test_missing_tool(&t, dir, &a);
	file_remove_tree(dir, &err);
	arena_free(&a);
	return test_done(&t);
}
