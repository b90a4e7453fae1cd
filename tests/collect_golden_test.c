/* Whole runs: tests/collect/CASE/in with the catalogue in tests/collect/catalogue, compared byte
 * for byte with the tables and messages in tests/collect/CASE/expected. Runs from the root of the
 * source tree, or from the folder that GPUGUIDE_SOURCE names. */
#include "test.h"

#include "../base/file.h"
#include "../collect/collect.h"

#include <stdlib.h>
#include <unistd.h>

static const struct str cases[] = { STR_INIT("cross"), STR_INIT("dialects"), STR_INIT("faulty") };
static const struct str tables[] = { STR_INIT("observations.csv"), STR_INIT("machines.csv"),
				     STR_INIT("sources.csv"), STR_INIT("rejects.csv") };

static const char *path_of(struct arena *a, const char *root, struct str name, const char *below)
{
	return str_c(a,
		     str_printf(a, "%s/tests/collect/" STR_FMT "%s", root, STR_ARG(name), below));
}

static struct str text_of(struct arena *a, const char *path)
{
	struct error err = { 0 };
	struct str text = { 0 };

	if (!file_read(path, 0, a, &text, &err))
		error_print(stdout, &err);
	return text;
}

/* Messages as main prints them; the catalogue's own path is cut to its file. */
static struct str messages_text(const struct messages *m, const char *catalogue, struct arena *a)
{
	struct strbuf b = { .arena = a };

	for (size_t i = 0; i < m->n; i++) {
		struct str file = str_of(m->v[i].pos.file ? m->v[i].pos.file : "");
		if (str_starts(file, str_of(catalogue)))
			file = str_slice(file, str_of(catalogue).len + 1, file.len);
		strbuf_printf(&b, STR_FMT ":%d:%d: " STR_FMT "\n", STR_ARG(file), m->v[i].pos.line,
			      m->v[i].pos.col, STR_ARG(m->v[i].text));
	}
	return strbuf_str(&b);
}

static void compare(struct test *t, struct arena *a, const char *expected, struct str name,
		    struct str got)
{
	struct str want = text_of(a, str_c(a, file_join(a, str_of(expected), name)));

	test_str(t, got, want, str_c(a, str_printf(a, "%s/" STR_FMT, expected, STR_ARG(name))));
}

static void run_case(struct test *t, const char *root, struct str name)
{
	struct arena a = { 0 };
	char out[] = "/tmp/gpuguide-test-XXXXXX";
	const char *catalogue = path_of(&a, root, STR("catalogue"), ""),
		   *in = path_of(&a, root, name, "/in");
	const char *expected = path_of(&a, root, name, "/expected");
	struct messages messages = { .arena = &a };
	struct collect_summary summary;
	struct devices devices;
	struct error err = { 0 };
	const char *made = mkdtemp(out);
	struct collect_options opt = { catalogue, made, &in, 1, NULL, NULL, 0, 0 };

	test_ok(t,
		made && devices_read(catalogue, &a, &devices, &err)
		    && collect_run(&opt, &devices, &a, &messages, &summary, &err),
		in);
	error_print(stdout, &err);
	for (size_t i = 0; i < LEN(tables); i++) {
		const char *path =
		    str_c(&a, str_printf(&a, "%s/data/" STR_FMT, out, STR_ARG(tables[i])));
		compare(t, &a, expected, tables[i], text_of(&a, path));
		unlink(path);
	}
	compare(t, &a, expected, STR("messages.txt"), messages_text(&messages, catalogue, &a));
	rmdir(str_c(&a, str_printf(&a, "%s/data", out)));
	rmdir(out);
	arena_free(&a);
}

int main(void)
{
	const char *root = getenv("GPUGUIDE_SOURCE");
	struct test t = { 0 };

	for (size_t i = 0; i < LEN(cases); i++)
		run_case(&t, root ? root : ".", cases[i]);
	return test_done(&t);
}
