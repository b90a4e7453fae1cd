/* The whole stage on the three cards: every file appears, twice the same bytes, and a clear message
 * without gnuplot. */
#include "../base/file.h"
#include "../render/manifest.h"
#include "../render/render.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>

static const char *const outputs[] = {
	"index.html",
	"report.pdf",
	"report.json",
	"citation.bib",
	"CITATION.cff",
	"MANIFEST",
	"figures/figure-performance.svg",
	"figures/figure-value.svg",
	"figures/src/figure-performance.gnuplot",
	"figures/src/figure-performance.tsv",
};

static const char *path_in(const char *dir, struct str name, struct arena *a)
{
	return str_c(a, file_join(a, str_of(dir), name));
}

static bool copy_data(const char *dir, struct arena *a)
{
	struct file_list files = { .n = 0 };
	struct error err = { .code = ERR_NONE };
	struct str text;

	if (!file_make_dirs(path_in(dir, STR("data"), a), &err)
	    || !file_list("tests/render/three/data", ".csv", false, a, &files, NULL, &err))
		return false;
	for (size_t i = 0; i < files.n; i++)
		if (!file_read(path_in("tests/render/three/data", files.v[i], a), 0, a, &text, &err)
		    || !file_write(path_in(dir, file_join(a, STR("data"), files.v[i]), a), text,
				   &err))
			return false;
	return true;
}

static void clean(const char *dir, struct arena *a)
{
	static const char *const folders[] = { "figures/src", "figures", "data", "" };
	struct file_list files = { .n = 0 };
	struct error err = { .code = ERR_NONE };

	file_list(dir, "", true, a, &files, NULL, &err);
	for (size_t i = 0; i < files.n; i++)
		remove(path_in(dir, files.v[i], a));
	for (size_t i = 0; i < LEN(folders); i++)
		remove(path_in(dir, str_of(folders[i]), a));
}

static struct str render(struct test *t, const char *dir, struct arena *a)
{
	const struct render_options opt = { .out_dir = dir,
					    .templates_dir = "templates",
					    .source_date_epoch = -1,
					    .version = STR("test") };
	struct messages messages = { .arena = a };
	struct error err = { .code = ERR_NONE };
	struct str manifest = STR("");

	test_ok(t, render_run(&opt, NULL, a, &messages, &err), "the stage runs");
	if (err.code != ERR_NONE)
		printf("# %s\n", err.msg);
	test_ok(t, !file_is_dir(path_in(dir, STR(".render"), a)), "no scratch is left");
	file_read(path_in(dir, STR("MANIFEST"), a), 0, a, &manifest, &err);
	return manifest;
}

static void test_stage(struct test *t, const char *dir, struct arena *a)
{
	struct error err = { .code = ERR_NONE };
	struct manifest all;
	struct str first = render(t, dir, a);

	for (size_t i = 0; i < LEN(outputs); i++)
		test_ok(t, file_exists(path_in(dir, str_of(outputs[i]), a)), outputs[i]);
	test_ok(t, manifest_all(dir, a, &all, &err), "the files can be listed");
	test_str(t, manifest_text(&all, a), first, "MANIFEST tells the files that are there");
	/* a drawing of an earlier run with another split must not stay */
	file_write(path_in(dir, STR("figures/figure-value-9.svg"), a), STR("old"), &err);
	test_str(t, render(t, dir, a), first, "a second run gives the same bytes");
}

static void test_no_gnuplot(struct test *t, const char *dir, struct arena *a)
{
	const struct render_options opt = { .out_dir = dir,
					    .templates_dir = "templates",
					    .gnuplot = "/nonexistent/gnuplot",
					    .source_date_epoch = -1,
					    .version = STR("test") };
	struct messages messages = { .arena = a };
	struct error err = { .code = ERR_NONE };

	test_ok(t, !render_run(&opt, NULL, a, &messages, &err) && err.code == ERR_ENVIRONMENT,
		"without gnuplot the stage fails");
	test_ok(t, str_find(str_of(err.msg), STR("gnuplot"), 0) < str_of(err.msg).len,
		"and names it");
}

int main(void)
{
	struct test t = { 0 };
	struct arena a = { 0 };
	char dir[] = "/tmp/render_test_XXXXXX";

	if (!mkdtemp(dir) || !copy_data(dir, &a)) {
		test_ok(&t, false, "a folder for the output");
		return test_done(&t);
	}
	test_stage(&t, dir, &a);
	test_no_gnuplot(&t, dir, &a);
	clean(dir, &a);
	arena_free(&a);
	return test_done(&t);
}
