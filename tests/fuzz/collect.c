/* collect/: contributions to tables. The text is one contribution, or several files after lines "@@
 * NAME". What comes out can be read, says the same when it is made again, and no row gets lost. */
#include "fuzz.h"

#include "../collect_fixture.h"

#include "../../base/csv_read.h"

static const char *const names[] = { "in/lab/a.csv", "in/lab/b.csv", "in/claims/c.csv",
				     "overrides.csv" };
static const char *const tables[] = { "observations.csv", "rejects.csv", "machines.csv",
				      "sources.csv" };

struct seen {
	struct strbuf text; /* all tables and messages */
	struct collect_summary summary;
};

static void put_table(struct fuzz *f, const char *name, struct strbuf *b, size_t *rows)
{
	struct str text;
	struct csv_table t;
	const char *path =
	    fuzz_path(f, str_c(&f->arena, str_printf(&f->arena, "out/data/%s", name)));

	fuzz_want(file_read(path, 0, &f->arena, &text, &f->err), "each table is written");
	fuzz_want(csv_parse_text(text, name, &f->arena, &t, &f->err), "each table is CSV");
	for (size_t i = 0; i < t.n; i++) {
		fuzz_want(t.rows[i].n == t.header.n, "each row has the header's cells");
		for (size_t k = 0; k < t.header.n; k++)
			fuzz_want(!t.rows[i].cells[k].text.len
			          || !strchr("=+@\t\r", t.rows[i].cells[k].text.p[0]),
			          "no cell begins as a formula does");
	}
	*rows = t.n;
	strbuf_add(b, text);
}

static bool run(struct fuzz *f, const struct devices *devices, size_t threads, struct seen *out)
{
	const char *path = fuzz_path(f, "in");
	struct collect_options opt = { .data_dir = f->dir,
				       .out_dir = fuzz_path(f, "out"),
				       .paths = &path,
				       .npaths = 1,
				       .threads = threads };
	struct messages m = { .arena = &f->arena };
	size_t rows[LEN(tables)];

	*out = (struct seen){ .text = { .arena = &f->arena } };
	bool good = collect_run(&opt, devices, &f->arena, &m, &out->summary, &f->err);
	fuzz_want_fault(good, &f->err);
	for (size_t i = 0; good && i < LEN(tables); i++)
		put_table(f, tables[i], &out->text, &rows[i]);
	for (size_t i = 0; good && i < m.n; i++)
		strbuf_printf(&out->text, "%d:%d: " STR_FMT "\n", m.v[i].pos.line, m.v[i].pos.col,
		              STR_ARG(m.v[i].text));
	if (good)
		fuzz_want(out->summary.cells == rows[0] && out->summary.machines == rows[2],
		          "the summary counts what the tables hold");
	f->err = (struct error){ 0 };
	return good;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str text = fuzz_text(data, size);
	struct seen one, two;
	struct devices devices;
	struct fuzz f;

	fuzz_open(&f);
	fuzz_put(&f, "devices.csv", STR(FIXTURE_DEVICES));
	fuzz_put(&f, "aliases.csv", STR(FIXTURE_ALIASES));
	fuzz_put(&f, "workloads.csv", STR(FIXTURE_WORKLOADS));
	fuzz_put(&f, "series.csv", STR(FIXTURE_SERIES));
	fuzz_make_dir(&f, "in");
	fuzz_make_dir(&f, "in/lab");
	fuzz_make_dir(&f, "in/claims");
	if (str_starts(text, STR("@@ ")))
		fuzz_put_files(&f, text, names, LEN(names));
	else
		fuzz_put(&f, names[0], text);
	fuzz_want(devices_read(f.dir, &f.arena, &devices, &f.err),
		  "the small catalogue can be read");
	bool good = run(&f, &devices, 1, &one);
	fuzz_want(run(&f, &devices, 7, &two) == good
		      && str_eq(strbuf_str(&one.text), strbuf_str(&two.text)),
		  "made again it is the same");
	if (good)
		fuzz_want(one.summary.rows >= one.summary.accepted + one.summary.rejected,
			  "no row counts twice");
	fuzz_close(&f);
	return 0;
}
