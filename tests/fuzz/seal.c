/* MANIFEST, BUILDINFO and summary.json of an edition that comes from anywhere; after lines "@@
 * NAME". */
#include "fuzz.h"

#include "../../analyze/seal.h"
#include "../../publish/buildinfo.h"
#include "../../publish/summary.h"
#include "../../publish/verify.h"

static const char *const names[] = { "MANIFEST", "BUILDINFO", "summary.json", "data/inputs.csv",
                                     "inputs/data/devices.csv" };

static struct str read_back(struct fuzz *f, const char *name)
{
	struct str text = { 0 };
	struct error err = { 0 };

	return file_read(fuzz_path(f, name), 0, &f->arena, &text, &err) ? text : (struct str){ 0 };
}

static void try_buildinfo(struct str text, struct arena *a)
{
	struct buildinfo b = { 0 };
	struct buildinfo_options opt;
	struct buildinfo_difference *d;
	struct error err = { 0 };
	bool good = buildinfo_parse(text, "BUILDINFO", a, &b, &err);

	fuzz_want_fault(good, &err);
	if (!good)
		return;
	fuzz_want(buildinfo_compare(&b, &b, a, &d) == 0, "nothing differs from itself");
	good = buildinfo_read_options(&b, "BUILDINFO", &opt, &err);
	fuzz_want_fault(good, &err);
	fuzz_want(!good
		      || (opt.edition.len && str_find(opt.edition, STR("/"), 0) == opt.edition.len),
		  "an edition's name is no path");
}

static void try_summary(struct str text, struct arena *a)
{
	struct summary s;
	struct error err = { 0 };
	bool good = summary_parse(text, "summary.json", a, &s, &err);

	fuzz_want_fault(good, &err);
	for (size_t i = 0; good && i < s.nlanguages; i++)
		fuzz_want(str_find(s.languages[i].html, STR("/"), 0) == s.languages[i].html.len
		          && !str_starts(s.languages[i].html, STR(".")),
		          "a page is a plain file name");
	fuzz_want(!good || (s.npicks <= SUMMARY_LIST_MAX && s.nchanges <= SUMMARY_LIST_MAX),
		  "lists are bounded");
}

static void try_manifest(struct fuzz *f, struct str text)
{
	struct seal seal = { 0 };
	struct verify v;
	struct error err = { 0 };
	bool good = seal_parse(text, "MANIFEST", &f->arena, &seal, &err);

	fuzz_want_fault(good, &err);
	err = (struct error){ 0 };
	good = verify_open(f->dir, &f->arena, &v, &err);
	fuzz_want_fault(good, &err);
	for (size_t i = 0; good && i < v.n; i++) {
		struct str path = v.files[i].path;
		fuzz_want(path.len && path.p[0] != '/' && !str_starts(path, STR("../"))
		          && str_find(path, STR("/../"), 0) == path.len,
		          "no path leads out of the edition");
	}
	if (good) {
		good = verify_files(&v, &err);
		fuzz_want_fault(good, &err);
	}
	verify_close(&v);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz f;

	fuzz_open(&f);
	fuzz_make_dir(&f, "data");
	fuzz_make_dir(&f, "inputs");
	fuzz_make_dir(&f, "inputs/data");
	fuzz_put_files(&f, fuzz_text(data, size), names, LEN(names));
	try_manifest(&f, read_back(&f, "MANIFEST"));
	try_buildinfo(read_back(&f, "BUILDINFO"), &f.arena);
	try_summary(read_back(&f, "summary.json"), &f.arena);
	fuzz_close(&f);
	return 0;
}
