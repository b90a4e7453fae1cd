/* An edition's folder held to its MANIFEST, and to another folder. The checksums are those of
 * sha256sum. */
#include "test.h"

#include "../base/file.h"
#include "../publish/verify.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Of "a\n", "b\n" and "abc". */
#define SHA_A "87428fc522803d31065e7bce3cf03fe475096631e5e07bbd7a0fde60c4cf25c7"
#define SHA_B "0263829989b6fd954f72baaf2fc64bc2e2f01d692d4de72986ea808f6e99813f"
#define SHA_ABC "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"

struct fixture {
	char dir[64];
	struct arena *a;
	struct test *t;
};

static const char *at(const struct fixture *f, const char *name)
{
	return str_c(f->a, str_printf(f->a, "%s/%s", f->dir, name));
}

static void put(const struct fixture *f, const char *name, const char *text)
{
	struct error err = { 0 };
	char folder[PATH_MAX];

	snprintf(folder, sizeof folder, "%s", at(f, name));
	*strrchr(folder, '/') = '\0';
	if (!file_make_dirs(folder, &err) || !file_write(at(f, name), str_of(text), &err))
		error_print(stdout, &err);
}

static void empty(const struct fixture *f)
{
	struct error err = { 0 };

	if (file_exists(f->dir))
		file_remove_tree(f->dir, &err);
	file_make_dirs(f->dir, &err);
}

static const struct {
	const char *name, *manifest;
	enum error_code code;
	int line;
	const char *msg;
} manifests[] = {
	{ "a sound list", SHA_A "  2  a\n" SHA_B "  -  input:b\n", ERR_NONE, 0, "" },
	{ "empty", "", ERR_SYNTAX, 0, "does not end with a line end" },
	{ "torn", SHA_A "  2  a\n" SHA_B "  2  b", ERR_SYNTAX, 0, "does not end with a line end" },
	{ "no hash", "abc  2  a\n", ERR_SYNTAX, 1, "is not a line of \"sha256  size  path\"" },
	{ "a hash in capitals",
	  "87428FC522803D31065E7BCE3CF03FE475096631E5E07BBD7A0FDE60C4CF25C7  2  a\n", ERR_SYNTAX, 1,
	  "is not a line of" },
	{ "no size", SHA_A "  -  a\n", ERR_SYNTAX, 1, "size: '-' is not a count of bytes" },
	{ "a negative size", SHA_A "  -1  a\n", ERR_SYNTAX, 1, "size: '-1'" },
	{ "a size with a nought before it", SHA_A "  02  a\n", ERR_SYNTAX, 1, "size: '02'" },
	{ "a size beyond all disks", SHA_A "  1234567890123456  a\n", ERR_SYNTAX, 1, "size: " },
	{ "not in byte order", SHA_A "  2  b\n" SHA_A "  2  a\n", ERR_DATA, 2,
	  "path: 'a' is not in byte order" },
	{ "twice", SHA_A "  2  a\n" SHA_A "  2  a\n", ERR_DATA, 2, "path: 'a' stands there twice" },
	{ "a path from the root", SHA_A "  2  /etc/passwd\n", ERR_SYNTAX, 1,
	  "leads out of the edition" },
	{ "a path upwards", SHA_A "  2  data/../../x\n", ERR_SYNTAX, 1,
	  "leads out of the edition" },
	{ "an input upwards", SHA_A "  2  input:../x\n", ERR_SYNTAX, 1,
	  "leads out of the edition" },
	{ "an input from the root", SHA_A "  2  input:/etc/passwd\n", ERR_SYNTAX, 1, "leads out" },
	{ "an input without a path", SHA_A "  2  input:\n", ERR_SYNTAX, 1, "no path" },
	{ "a dot", SHA_A "  2  ./a\n", ERR_SYNTAX, 1, "leads out of the edition" },
	{ "two slashes", SHA_A "  2  data//a\n", ERR_SYNTAX, 1, "leads out of the edition" },
	{ "a folder", SHA_A "  2  data/\n", ERR_SYNTAX, 1, "leads out of the edition" },
	{ "a control character", SHA_A "  2  a\033[2J\n", ERR_SYNTAX, 1,
	  "'a?[2J': the path is not plain text" },
	{ "not UTF-8", SHA_A "  2  a\xff\n", ERR_SYNTAX, 1, "'a?': the path is not plain text" },
	{ "MANIFEST itself", SHA_A "  2  MANIFEST\n", ERR_SYNTAX, 1, "not listed under this name" },
	{ "its signature", SHA_A "  2  MANIFEST.minisig\n", ERR_SYNTAX, 1,
	  "not listed under this name" },
	{ "an input by its place", SHA_A "  2  inputs/a\n", ERR_SYNTAX, 1,
	  "not listed under this name" },
};

static void test_manifests(const struct fixture *f)
{
	struct verify v;

	for (size_t i = 0; i < LEN(manifests); i++) {
		struct error err = { 0 };

		empty(f);
		put(f, "MANIFEST", manifests[i].manifest);
		bool good = verify_open(f->dir, f->a, &v, &err);
		verify_close(&v);
		test_ok(f->t,
			good == (manifests[i].code == ERR_NONE) && err.code == manifests[i].code
			    && err.pos.line == manifests[i].line
			    && strstr(err.msg, manifests[i].msg),
			manifests[i].name);
	}
	struct error err = { 0 };
	empty(f);
	test_ok(f->t,
		!verify_open(f->dir, f->a, &v, &err) && err.code == ERR_DATA
		    && strstr(err.msg, "no MANIFEST"),
		"no MANIFEST");
	verify_close(&v);
	err = (struct error){ 0 };
	if (symlink("/etc/passwd", at(f, "MANIFEST")) != 0)
		test_ok(f->t, false, "no link");
	test_ok(f->t,
		!verify_open(f->dir, f->a, &v, &err) && err.code == ERR_DATA
		    && strstr(err.msg, "MANIFEST: not a regular file"),
		"MANIFEST is a link");
	verify_close(&v);
	err = (struct error){ 0 };
	test_ok(f->t, !verify_open("/nonexistent", f->a, &v, &err) && err.code == ERR_ENVIRONMENT,
		"no folder");
	verify_close(&v);
	test_ok(f->t, v.folder.fd == -1, "closed twice does no harm");
}

/* A small sound edition. Its id was worked out with sha256sum from the three lines of MANIFEST of
 * data/ and the input. */
#define INPUTS "path,sha256,bytes\ndata/x.csv," SHA_A ",2\n"
#define SMALL_ID "2019-05-31-9b41e2120dc1"
#define EDITION "key,value\nname,small\ndate,2019-05-31\n"

static struct str sum(const struct fixture *f, const char *text)
{
	return file_sha256(f->a, str_of(text));
}

static void list(const struct fixture *f, struct strbuf *b, const char *path, const char *text)
{
	strbuf_printf(b, STR_FMT "  %zu  %s\n", STR_ARG(sum(f, text)), strlen(text), path);
}

/* id: what CITATION.cff says; the files as they are listed are then spoilt by the caller. */
static void put_small(const struct fixture *f, const char *id)
{
	const char *cff =
	    str_c(f->a, str_printf(f->a, "cff-version: 1.2.0\nversion: \"%s\"\n", id));
	struct strbuf b = { .arena = f->a };

	empty(f);
	put(f, "BUILDINFO", "edition = small\n");
	put(f, "CITATION.cff", cff);
	put(f, "data/edition.csv", EDITION);
	put(f, "data/inputs.csv", INPUTS);
	put(f, "index.html", "b\n");
	put(f, "inputs/data/x.csv", "a\n");
	list(f, &b, "BUILDINFO", "edition = small\n");
	list(f, &b, "CITATION.cff", cff);
	list(f, &b, "data/edition.csv", EDITION);
	list(f, &b, "data/inputs.csv", INPUTS);
	list(f, &b, "index.html", "b\n");
	list(f, &b, "input:data/x.csv", "a\n");
	put(f, "MANIFEST", str_c(f->a, strbuf_str(&b)));
}

static bool check(const struct fixture *f, struct verify *v)
{
	struct error err = { 0 };
	bool good = verify_open(f->dir, f->a, v, &err) && verify_files(v, &err);

	if (!good)
		error_print(stdout, &err);
	return good;
}

static void remove_page(const struct fixture *f)
{
	unlink(at(f, "index.html"));
}

static void change_page(const struct fixture *f)
{
	put(f, "index.html", "c\n");
}

static void lengthen_page(const struct fixture *f)
{
	put(f, "index.html", "b\nc\n");
}

static void link_page(const struct fixture *f)
{
	put(f, "../verify_test_page", "b\n");
	unlink(at(f, "index.html"));
	if (symlink("../verify_test_page", at(f, "index.html")) != 0)
		remove_page(f);
}

static void fifo_page(const struct fixture *f)
{
	unlink(at(f, "index.html"));
	mkfifo(at(f, "index.html"), 0600);
}

static void add_file(const struct fixture *f)
{
	put(f, "data/more.csv", "x");
}

static void add_hidden(const struct fixture *f)
{
	put(f, ".well-known/x", "x");
}

static void add_red(const struct fixture *f)
{
	put(f, "\033[31mred", "x");
}

static void add_link(const struct fixture *f)
{
	if (symlink("/etc", at(f, "etc")) != 0)
		add_file(f);
}

static void change_input(const struct fixture *f)
{
	put(f, "inputs/data/x.csv", "b\n");
}

static void add_input(const struct fixture *f)
{
	put(f, "inputs/data/y.csv", "b\n");
}

static void link_signature(const struct fixture *f)
{
	if (symlink("MANIFEST", at(f, "MANIFEST.sig")) != 0)
		add_file(f);
}

static void spoil_edition(const struct fixture *f)
{
	put(f, "data/edition.csv", "key,value\n");
}

static const struct {
	const char *name;
	void (*spoil)(const struct fixture *f);
	enum verify_problem problem;
	const char *file, *detail;
} spoils[] = {
	{ "missing", remove_page, VERIFY_MISSING, "index.html", "" },
	{ "changed", change_page, VERIFY_CHANGED, "index.html",
	  "its SHA-256 is not the one in MANIFEST" },
	{ "longer", lengthen_page, VERIFY_CHANGED, "index.html", "4 bytes, MANIFEST says 2" },
	{ "a link to the same words", link_page, VERIFY_NOT_A_FILE, "index.html",
	  "a symbolic link" },
	{ "a FIFO", fifo_page, VERIFY_NOT_A_FILE, "index.html", "a device, socket or FIFO" },
	{ "one too many", add_file, VERIFY_UNLISTED, "data/more.csv", "" },
	{ "a hidden one too many", add_hidden, VERIFY_UNLISTED, ".well-known/x", "" },
	{ "one with a name for terminals", add_red, VERIFY_UNLISTED, "?[31mred", "" },
	{ "a link too many", add_link, VERIFY_UNLISTED, "etc", "and not a file" },
	{ "an input changed", change_input, VERIFY_CHANGED, "inputs/data/x.csv",
	  "its SHA-256 is not the one in MANIFEST" },
	{ "an input too many", add_input, VERIFY_UNLISTED, "inputs/data/y.csv", "" },
	{ "a signature that is a link", link_signature, VERIFY_NOT_A_FILE, "MANIFEST.sig", "" },
	{ "a table changed: the id is then not computed", spoil_edition, VERIFY_CHANGED,
	  "data/edition.csv", "10 bytes, MANIFEST says 37" },
};

static void test_files(const struct fixture *f)
{
	struct verify v;

	put_small(f, SMALL_ID);
	test_ok(f->t,
		check(f, &v) && v.findings.n == 0 && v.n == 6 && v.ninputs == 1 && v.keeps_inputs
		    && v.has_buildinfo,
		"a sound edition");
	test_str(f->t, v.id, STR(SMALL_ID), "its id");
	for (size_t i = 0; i < v.findings.n; i++)
		printf("# " STR_FMT ": " STR_FMT "\n", STR_ARG(v.findings.v[i].file),
		       STR_ARG(v.findings.v[i].detail));
	verify_close(&v);
	for (size_t i = 0; i < LEN(spoils); i++) {
		put_small(f, SMALL_ID);
		spoils[i].spoil(f);
		bool good = check(f, &v) && v.findings.n == 1
			    && v.findings.v[0].problem == spoils[i].problem
			    && str_eq(v.findings.v[0].file, str_of(spoils[i].file))
			    && str_eq(v.findings.v[0].detail, str_of(spoils[i].detail));
		test_ok(f->t, good, spoils[i].name);
		for (size_t k = 0; !good && k < v.findings.n; k++)
			printf("# %s " STR_FMT ": " STR_FMT "\n",
			       verify_problem_name(v.findings.v[k].problem),
			       STR_ARG(v.findings.v[k].file), STR_ARG(v.findings.v[k].detail));
		verify_close(&v);
	}
	unlink(at(f, "../verify_test_page"));
}

/* Files that are as listed and yet say something else than the rest. */
static void test_contradictions(const struct fixture *f)
{
	struct strbuf b = { .arena = f->a };
	struct verify v;

	put_small(f, "2019-05-31-000000000000");
	test_ok(f->t,
		check(f, &v) && v.findings.n == 1 && v.findings.v[0].problem == VERIFY_CONTRADICTS
		    && str_eq(
			v.findings.v[0].detail,
			STR("it says the id 2019-05-31-000000000000, MANIFEST makes it " SMALL_ID)),
		"another id");
	verify_close(&v);
	empty(f);
	put(f, "BUILDINFO", "nonsense\n");
	put(f, "data/edition.csv", "key,value\ndate,soon\n");
	put(f, "data/inputs.csv", "path,sha256,bytes\ndata/x.csv," SHA_B ",2\n");
	put(f, "inputs/data/x.csv", "a\n");
	list(f, &b, "BUILDINFO", "nonsense\n");
	list(f, &b, "data/edition.csv", "key,value\ndate,soon\n");
	list(f, &b, "data/inputs.csv", "path,sha256,bytes\ndata/x.csv," SHA_B ",2\n");
	list(f, &b, "input:data/x.csv", "a\n");
	put(f, "MANIFEST", str_c(f->a, strbuf_str(&b)));
	test_ok(f->t,
		check(f, &v) && v.findings.n == 3 && v.id.len == 0 && !v.has_buildinfo
		    && str_eq(v.findings.v[0].detail, STR("it has no date"))
		    && str_eq(v.findings.v[1].detail,
			      STR("0 of its 1 inputs are as MANIFEST lists them, which has 1"))
		    && str_eq(v.findings.v[2].file, STR("BUILDINFO"))
		    && str_starts(v.findings.v[2].detail, STR("'nonsense' is not a line")),
		"no date, another input, a BUILDINFO that is none");
	verify_close(&v);
	put(f, "MANIFEST", SHA_ABC "  -  input:data/x.csv\n");
	unlink(at(f, "BUILDINFO"));
	file_remove_tree(at(f, "data"), &(struct error){ 0 });
	file_remove_tree(at(f, "inputs"), &(struct error){ 0 });
	test_ok(f->t, check(f, &v) && v.findings.n == 0 && !v.keeps_inputs && !v.has_buildinfo,
		"an old edition keeps no inputs: they are not missed");
	verify_close(&v);
}

static void test_copy(const struct fixture *f)
{
	const char *to = at(f, "../verify_test_copy");
	struct error err = { 0 };
	struct str text;
	struct verify v;

	put_small(f, SMALL_ID);
	put(f, "inputs/data/more.csv", "x");
	check(f, &v);
	test_ok(f->t,
		verify_copy_inputs(&v, to, &err)
		    && file_read(str_c(f->a, file_join(f->a, str_of(to), STR("data/x.csv"))), 0,
				 f->a, &text, &err)
		    && str_eq(text, STR("a\n"))
		    && !file_exists(str_c(f->a, file_join(f->a, str_of(to), STR("data/more.csv")))),
		"the inputs are copied, what is not listed is not");
	file_remove_tree(to, &(struct error){ 0 });
	put(f, "inputs/data/x.csv", "b\n");
	test_ok(f->t,
		!verify_copy_inputs(&v, to, &err) && err.code == ERR_DATA
		    && strstr(err.msg, "inputs/data/x.csv: changed while it was verified"),
		"an input that changes after the look");
	file_remove_tree(to, &(struct error){ 0 });
	unlink(at(f, "inputs/data/x.csv"));
	err = (struct error){ 0 };
	if (symlink("/etc/passwd", at(f, "inputs/data/x.csv")) != 0)
		test_ok(f->t, false, "no link");
	test_ok(f->t, !verify_copy_inputs(&v, to, &err) && err.code == ERR_ENVIRONMENT,
		"an input that becomes a link");
	file_remove_tree(to, &(struct error){ 0 });
	file_remove_tree(at(f, "inputs/data"), &(struct error){ 0 });
	err = (struct error){ 0 };
	if (symlink("/etc", at(f, "inputs/data")) != 0)
		test_ok(f->t, false, "no link");
	test_ok(f->t, !verify_copy_inputs(&v, to, &err) && err.code == ERR_ENVIRONMENT,
		"a folder that becomes a link");
	file_remove_tree(to, &(struct error){ 0 });
	verify_close(&v);
}

static const struct {
	const char *path;
	bool page;
} paths[] = {
	{ "index.html", true },          { "report.zh-Hans.pdf", true },
	{ "figures/value.svg", true },   { "figures/zh-Hans/x.png", true },
	{ "data/scores.csv", false },    { "report.json", false },
	{ "data/figures/x.csv", false }, { "summary.json", false },
};

/* The edition against one that was made anew: every kind of difference. */
static void test_compare(const struct fixture *f)
{
	struct fixture anew = *f;
	struct error err = { 0 };
	struct verify_rebuild r;
	struct verify v;

	snprintf(anew.dir, sizeof anew.dir, "%s", at(f, "../verify_test_anew"));
	put_small(f, SMALL_ID);
	check(f, &v);
	empty(&anew);
	put(&anew, "BUILDINFO", "edition = small\nnew = 1\n");
	put(&anew, "MANIFEST", "whatever");
	put(&anew, "CITATION.cff", "cff-version: 1.2.0\nversion: \"" SMALL_ID "\"\n");
	put(&anew, "data/edition.csv", EDITION);
	put(&anew, "data/inputs.csv", INPUTS);
	put(&anew, "index.html", "b\n");
	test_ok(f->t,
		verify_compare(&v, anew.dir, &r, &err) && r.findings.n == 0 && r.compared == 4
		    && r.ntools == 1 && str_eq(r.tools[0].key, STR("new")),
		"identical, made with another tool");
	put(&anew, "index.html", "b");
	test_ok(f->t,
		verify_compare(&v, anew.dir, &r, &err) && r.findings.n == 1 && r.pages == 1
		    && r.data == 0
		    && str_eq(r.findings.v[0].detail,
			      STR("first at byte 2, line 1, of 2 bytes and 1 anew")),
		"a page is cut");
	put(&anew, "index.html", "b\n");
	put(&anew, "data/edition.csv", "key,value\nname,Small\ndate,2019-05-31\n");
	put(&anew, "figures/x.svg", "x");
	unlink(at(&anew, "CITATION.cff"));
	test_ok(f->t,
		verify_compare(&v, anew.dir, &r, &err) && r.findings.n == 3 && r.pages == 1
		    && r.data == 2 && r.findings.v[0].problem == VERIFY_ONLY_IN_EDITION
		    && str_eq(r.findings.v[0].file, STR("CITATION.cff"))
		    && r.findings.v[1].problem == VERIFY_DIFFERS
		    && str_eq(r.findings.v[1].detail,
			      STR("first at byte 16, line 2, of 37 bytes and 37 anew"))
		    && r.findings.v[2].problem == VERIFY_ONLY_IN_REBUILD
		    && str_eq(r.findings.v[2].file, STR("figures/x.svg")),
		"not made anew, another byte, one too many");
	verify_close(&v);
	test_ok(f->t, !verify_compare(&v, "/nonexistent", &r, &err) && err.code == ERR_ENVIRONMENT,
		"nothing was made anew");
	file_remove_tree(anew.dir, &err);
	for (size_t i = 0; i < LEN(paths); i++)
		test_ok(f->t, verify_is_page(str_of(paths[i].path)) == paths[i].page,
			paths[i].path);
}

/* What folder.h promises of a folder that a stranger filled. */
static void test_folder(const struct fixture *f)
{
	struct error err = { 0 };
	struct folder folder;
	struct folder_list entries;
	struct folder_sum s;
	struct str text, deep = STR("d");

	empty(f);
	put(f, "a/b/abc", "abc");
	mkfifo(at(f, "fifo"), 0600);
	if (symlink("a", at(f, "link")) != 0)
		test_ok(f->t, false, "no link");
	test_ok(f->t,
		folder_open(f->dir, &folder, &err) && folder_list(&folder, f->a, &entries, &err)
		    && entries.n == 3 && str_eq(entries.v[0].name, STR("a/b/abc"))
		    && entries.v[0].kind == FOLDER_FILE && entries.v[1].kind == FOLDER_OTHER
		    && entries.v[2].kind == FOLDER_LINK,
		"all entries, in byte order");
	test_ok(f->t,
		folder_hash(&folder, STR("a/b/abc"), 3, f->a, &s, &err) && s.bytes == 3
		    && str_eq(s.sha256, STR(SHA_ABC)),
		"a hash");
	test_ok(f->t,
		!folder_hash(&folder, STR("a/b/abc"), 2, f->a, &s, &err) && err.code == ERR_RANGE,
		"a file over the limit");
	err = (struct error){ 0 };
	test_ok(f->t, !folder_read(&folder, STR("link/b/abc"), 9, f->a, &text, &err),
		"through a link");
	test_ok(f->t, !folder_read(&folder, STR("link"), 9, f->a, &text, &err), "a link");
	test_ok(f->t, !folder_read(&folder, STR("fifo"), 9, f->a, &text, &err), "a FIFO");
	test_ok(f->t, !folder_read(&folder, STR("a"), 9, f->a, &text, &err), "a folder");
	test_ok(f->t, !folder_copy(&folder, STR("a/b/abc"), 9, at(f, "a/b/abc"), f->a, &s, &err),
		"over a file that is there");
	for (int i = 0; i < 40; i++)
		deep = file_join(f->a, deep, STR("d"));
	file_make_dirs(at(f, str_c(f->a, deep)), &(struct error){ 0 });
	err = (struct error){ 0 };
	test_ok(f->t, !folder_list(&folder, f->a, &entries, &err) && err.code == ERR_RANGE,
		"folders too deep");
	folder_close(&folder);
	for (int i = 0; i < 20; i++) /* too deep for file_remove_tree() too */
		rmdir(at(f, str_c(f->a, str_slice(deep, 0, deep.len - 2 * (size_t)i))));
}

int main(void)
{
	struct test t = { 0 };
	struct arena a = { 0 };
	struct fixture f = { .a = &a, .t = &t };
	char base[] = "/tmp/verify_test_XXXXXX";

	if (!mkdtemp(base))
		return 1;
	snprintf(f.dir, sizeof f.dir, "%s/edition", base);
	test_manifests(&f);
	test_files(&f);
	test_contradictions(&f);
	test_copy(&f);
	test_compare(&f);
	test_folder(&f);
	file_remove_tree(base, &(struct error){ 0 });
	arena_free(&a);
	return test_done(&t);
}
