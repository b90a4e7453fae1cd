/* data/contributions as fetch sees it: names, contents, signatures, and that nothing is ever put
 * over another. */
#include "test.h"

#include "../base/file.h"
#include "../fetch/shelf.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct { const char *origin, *want; } names[] = {
	{ "4090_v1.csv", "4090_v1.csv" },
	{ "a/b/c.csv", "c.csv" },
	{ "../../etc/passwd.csv", "passwd.csv" },
	{ "..csv", "file.csv" },
	{ ".csv", "file.csv" },
	{ ".hidden.csv", "hidden.csv" },
	{ "--delete.csv", "delete.csv" },
	{ "$(touch x);`y`.csv", "touch-x-y-.csv" },
	{ "a\xE4\xB8\xAD" "b \x1b[2J.csv", "a-b-2J.csv" },
	{ "..%2f..%2fx.csv", "2f..-2fx.csv" },
	{ "UPPER.Case.csv", "UPPER.Case.csv" },
	{ "con\\nul:x.csv", "con-nul-x.csv" },
	{ "_-._x_.csv", "x_.csv" },
	{ "显__.csv", "file.csv" },
	{ "a/runs.tar.gz", "runs.tar.gz" },
	{ "x y.csv.zst", "x-y.csv.zst" },
	{ ".tar", "file.tar" },
	{ "x.tgz", "x.tgz.csv" },
};

static void test_names(struct test *t, struct arena *a)
{
	char *longest = arena_alloc(a, 300);

	for (size_t i = 0; i < LEN(names); i++)
		test_str(t, shelf_safe_name(str_of(names[i].origin), a), str_of(names[i].want),
			 names[i].origin);
	memset(longest, 'x', 250);
	struct str name = shelf_safe_name(str_printf(a, "%s.csv", longest), a);
	test_ok(t, name.len == SHELF_NAME_MAX && str_ends(name, STR("x.csv")),
		"a long name is cut");
	name = shelf_safe_name(str_printf(a, "%s.tar.zst", longest), a);
	test_ok(t, name.len == SHELF_NAME_MAX && str_ends(name, STR("x.tar.zst")),
		"a long name of an archive too");
}

static struct str in(struct arena *a, const char *dir, const char *name)
{
	return file_join(a, str_of(dir), str_of(name));
}

static const char sum_1[] = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";
static const char sum_2[] = "1123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";

static void test_shelf(struct test *t, const char *dir, struct arena *a)
{
	const char *shelf = str_c(a, in(a, dir, "contributions"));
	char sum[65];
	struct shelf s;
	struct error err = { 0 };
	struct str text = { 0 };
	bool has = false;

	snprintf(sum, sizeof sum, "%s", sum_1);
	test_ok(t, shelf_open(shelf, a, &s, &err) && shelf_content(&s, str_of(sum_1)).len == 0,
		"no shelf is an empty one");
	test_ok(t, shelf_has_name(&s, STR("lab"), STR("a.csv"), a, &has, &err) && !has,
		"no series has no name");
	test_ok(
	    t, shelf_put(&s, STR("lab"), STR("A1.csv"), STR("one\n"), STR(""), str_of(sum), &err),
	    "a file is put");
	memset(sum, '?', sizeof sum - 1); /* the caller's memory is its own again */
	test_str(t, shelf_content(&s, str_of(sum_1)), STR("lab/A1.csv"), "and known by its bytes");
	test_ok(t, shelf_has_name(&s, STR("lab"), STR("a1.CSV"), a, &has, &err) && has,
		"a name in another case is taken");
	test_ok(t, shelf_has_name(&s, STR("lab"), STR("a1.csv2"), a, &has, &err) && !has,
		"a longer one is not");
	test_ok(t, shelf_has_name(&s, STR("lab"), STR("!1.csv"), a, &has, &err) && !has,
		"'!' is no 'A'");
	test_ok(
	    t,
	    !shelf_put(&s, STR("lab"), STR("A1.csv"), STR("two\n"), STR("sig"), str_of(sum_2), &err)
		&& err.code == ERR_DATA,
	    "never put over another");
	test_ok(t, str_ends(str_of(err.msg), STR("contributions/lab/A1.csv: the name is taken")),
		"  what is said");
	err = (struct error){ 0 };
	test_ok(t,
		file_read(str_c(a, in(a, shelf, "lab/A1.csv")), 0, a, &text, &err)
		    && str_eq(text, STR("one\n")),
		"the first stays");
	test_ok(t,
		!file_exists(str_c(a, in(a, shelf, ".accepting")))
		    && !file_exists(str_c(a, in(a, shelf, "lab/A1.csv.sig"))),
		"nothing is left aside, and no signature without its file");
	test_ok(t, shelf_open(shelf, a, &s, &err), "opened again");
	/* printf 'one\n' | sha256sum */
	test_str(t,
		 shelf_content(
		     &s, STR("2c8b08da5ce60398e1f19af0e5dccc744df274b826abe585eaba68c525434806")),
		 STR("lab/A1.csv"), "by the hash of what lies there");
	test_ok(t,
		symlink("/nowhere", str_c(a, in(a, shelf, "lab/link.csv"))) == 0
		    && !shelf_put(&s, STR("lab"), STR("link.csv"), STR("x"), STR(""), str_of(sum_2),
				  &err),
		"not through a link");
	err = (struct error){ 0 };
	test_ok(t,
		symlink("lab", str_c(a, in(a, shelf, "linked"))) == 0
		    && !shelf_has_name(&s, STR("linked"), STR("x.csv"), a, &has, &err),
		"a series that is a link");
	test_ok(
	    t,
	    str_ends(str_of(err.msg),
		     STR("/linked: a symbolic link: collect would pass over what is put there")),
	    "  what is said");
}

static void test_shelf_signed(struct test *t, const char *dir, struct arena *a)
{
	const char *shelf = str_c(a, in(a, dir, "signed"));
	struct shelf s;
	struct error err = { 0 };
	struct str text = { 0 };
	bool has = false;

	test_ok(t,
		shelf_open(shelf, a, &s, &err)
		    && shelf_put(&s, STR("lab"), STR("a.csv"), STR("one\n"), STR("sig"),
				 str_of(sum_1), &err),
		"a signed file is put");
	test_ok(t,
		file_read(str_c(a, in(a, shelf, "lab/a.csv.sig")), 0, a, &text, &err)
		    && str_eq(text, STR("sig"))
		    && file_read(str_c(a, in(a, shelf, "lab/a.csv")), 0, a, &text, &err)
		    && str_eq(text, STR("one\n")),
		"with its signature beside it");
	test_ok(t,
		file_write(str_c(a, in(a, shelf, "lab/B.csv.sig")), STR("old"), &err)
		    && shelf_has_name(&s, STR("lab"), STR("b.csv"), a, &has, &err) && has,
		"a name whose signature lies there is taken");
	test_ok(
	    t,
	    !shelf_put(&s, STR("lab"), STR("B.csv"), STR("two\n"), STR("sig"), str_of(sum_2), &err)
		&& !file_exists(str_c(a, in(a, shelf, "lab/B.csv"))),
	    "a signature is never put over another");
	err = (struct error){ 0 };
	test_ok(t,
		file_read(str_c(a, in(a, shelf, "lab/B.csv.sig")), 0, a, &text, &err)
		    && str_eq(text, STR("old")),
		"which stays");
}

/* The files of a series with the bytes that a signature is of: which of them it goes to. */
static void test_shelf_late(struct test *t, const char *dir, struct arena *a)
{
	static const struct {
		const char *series, *sum, *signature;
		enum shelf_signed want;
		const char *stored;
	} cases[] = {
		{ "lab", sum_1, "sig", SHELF_UNSIGNED, "lab/a.csv" },
		{ "other", sum_1, "sig", SHELF_NO_FILE, "" },
		{ "lab", sum_2, "sig", SHELF_SIGNED, "lab/b.csv" },
		{ "lab", sum_2, "gis", SHELF_OTHER, "lab/b.csv" },
		{ "lab", "none", "sig", SHELF_NO_FILE, "" },
		{ "deep", sum_2, "sig", SHELF_OTHER, "lab/deep/c.csv" },
	};
	const char *path = str_c(a, in(a, dir, "late"));
	const char *beside = str_c(a, in(a, path, "lab/a.csv.sig"));
	struct shelf s;
	struct error err = { 0 };
	struct str text = { 0 }, stored;

	test_ok(
	    t,
	    shelf_open(path, a, &s, &err)
		&& shelf_put(&s, STR("lab"), STR("a.csv"), STR("1"), STR(""), str_of(sum_1), &err)
		&& shelf_put(&s, STR("lab"), STR("b.csv"), STR("2"), STR("sig"), str_of(sum_2),
			     &err)
		&& shelf_put(&s, STR("lab/deep"), STR("c.csv"), STR("2"), STR(""), str_of(sum_2),
			     &err)
		&& symlink("b.csv.sig", str_c(a, in(a, path, "lab/deep/c.csv.sig"))) == 0,
	    "files with and without a signature");
	for (size_t i = 0; i < LEN(cases); i++) {
		enum shelf_signed how =
			shelf_find_signed(&s, str_of(cases[i].series), str_of(cases[i].sum),
					  str_of(cases[i].signature), a, &stored);
		test_ok(t, how == cases[i].want, "how a signature stands to them");
		test_str(t, stored, str_of(cases[i].stored), "  to which of them");
	}
	test_ok(t, shelf_sign(&s, STR("lab/a.csv"), STR("sig"), &err)
		&& file_read(beside, 0, a, &text, &err) && str_eq(text, STR("sig")),
		"a later signature is put");
	test_ok(t, !shelf_sign(&s, STR("lab/a.csv"), STR("gis"), &err) && err.code == ERR_DATA
		&& file_read(beside, 0, a, &text, &(struct error){ 0 }) && str_eq(text, STR("sig")),
		"and never over another");
	test_ok(t, shelf_find_signed(&s, STR("lab"), str_of(sum_1), STR("sig"), a, &stored)
			== SHELF_SIGNED,
		"then it lies there");
}

int main(void)
{
	struct test t = { 0 };
	struct arena a = { 0 };
	struct error err = { 0 };
	char dir[] = "/tmp/shelf_test.XXXXXX";

	if (!mkdtemp(dir))
		return 1;
	test_names(&t, &a);
	test_shelf(&t, dir, &a);
	test_shelf_signed(&t, dir, &a);
	test_shelf_late(&t, dir, &a);
	file_remove_tree(dir, &err);
	arena_free(&a);
	return test_done(&t);
}
