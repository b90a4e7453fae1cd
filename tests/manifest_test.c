/* MANIFEST and edition id of a small folder; the checksums are those of sha256sum. */
#include "../base/file.h"
#include "../render/manifest.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>

struct folder {
	char dir[32];
	struct arena *a;
};

static const char *path_in(struct folder *f, const char *name)
{
	return str_c(f->a, file_join(f->a, str_of(f->dir), str_of(name)));
}

static void put(struct folder *f, const char *name, struct str text)
{
	struct error err = { .code = ERR_NONE };

	if (!file_write(path_in(f, name), text, &err))
		printf("# %s\n", err.msg);
}

static void test_listing(struct test *t, struct folder *f)
{
	struct error err = { .code = ERR_NONE };
	struct manifest m;
	struct date date;

	date_parse(STR("2026-11-30"), &date);
	test_ok(t, manifest_inputs(f->dir, f->a, &m, &err), "inputs are listed");
	test_str(t, manifest_text(&m, f->a),
		 STR("5da6a32cdc10140b7710708beaa20d379894e901073562a80c9eecc0ed92a641  49  "
		     "data/inputs.csv\n"
		     "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad  3  "
		     "data/scores.csv\n"
		     "aa  -  input:data/a.csv\n"
		     "bb  7  input:data/b.csv\n"),
		 "inputs: data/ and what inputs.csv names, by path");
	test_str(t, manifest_edition_id(&m, date, f->a), STR("2026-11-30-d43aafaf371a"),
		 "edition id");
	test_ok(t, manifest_all(f->dir, f->a, &m, &err), "all files are listed");
	test_str(
	    t, manifest_text(&m, f->a),
	    STR("5da6a32cdc10140b7710708beaa20d379894e901073562a80c9eecc0ed92a641  49  "
		"data/inputs.csv\n"
		"ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad  3  "
		"data/scores.csv\n"
		"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855  0  index.html\n"
		"aa  -  input:data/a.csv\n"
		"bb  7  input:data/b.csv\n"),
	    "all files but MANIFEST, its signatures, what inputs/ keeps and hidden ones");
}

static void test_errors(struct test *t, struct folder *f)
{
	struct error err = { .code = ERR_NONE }, broken = { .code = ERR_NONE };
	struct manifest m;
	struct date date = { 0 };

	put(f, "data/inputs.csv", STR("path,sha256\n\"a\nb\",aa\n"));
	test_ok(t, !manifest_inputs(f->dir, f->a, &m, &broken), "line break in a path");
	test_str(t, str_of(broken.msg), STR("MANIFEST: a file name holds a line break"), "and why");
	remove(path_in(f, "data/inputs.csv"));
	test_ok(t, manifest_inputs(f->dir, f->a, &m, &err) && m.n == 1, "inputs.csv may be absent");
	remove(path_in(f, "data/scores.csv"));
	test_ok(t, manifest_inputs(f->dir, f->a, &m, &err) && m.n == 0, "an empty data folder");
	/* the first digits of the SHA-256 of nothing */
	test_str(t, manifest_edition_id(&m, date, f->a), STR("1970-01-01-e3b0c44298fc"),
		 "id of nothing");
	test_ok(t, !manifest_inputs("/nonexistent", f->a, &m, &err) && err.code == ERR_ENVIRONMENT,
		"no such folder");
}

/* Leaves nothing behind in the temporary folder. */
static void clean(struct folder *f)
{
	static const char *const names[] = { "index.html",	  "MANIFEST", "MANIFEST.sig",
					     "MANIFEST.minisig",  ".hidden/x", ".hidden",
					     "inputs/data/a.csv", "inputs/data", "inputs",
					     "data",		  "" };

	for (size_t i = 0; i < LEN(names); i++)
		remove(path_in(f, names[i]));
}

int main(void)
{
	struct test t = { 0 };
	struct arena a = { 0 };
	struct folder f = { .dir = "/tmp/manifest_test_XXXXXX", .a = &a };
	struct error err = { .code = ERR_NONE };

	if (!mkdtemp(f.dir) || !file_make_dirs(path_in(&f, "data"), &err)
	    || !file_make_dirs(path_in(&f, ".hidden"), &err)
	    || !file_make_dirs(path_in(&f, "inputs/data"), &err))
		return 1;
	put(&f, "data/scores.csv", STR("abc"));
	put(&f, "index.html", STR(""));
	put(&f, "MANIFEST", STR("of an earlier run"));
	put(&f, ".hidden/x", STR("x"));
	put(&f, "MANIFEST.sig", STR("by a key"));
	put(&f, "MANIFEST.minisig", STR("by a key"));
	put(&f, "inputs/data/a.csv", STR("kept"));
	put(&f, "data/inputs.csv", STR("path,sha256,bytes\ndata/b.csv,bb,7\ndata/a.csv,aa,\n"));
	test_listing(&t, &f);
	test_errors(&t, &f);
	clean(&f);
	arena_free(&a);
	return test_done(&t);
}
