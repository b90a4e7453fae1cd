/* How the columns of a PDF table share the width of a page. */
#include "pdf_layout_fixture.h"
#include "../render/pdf_columns.h"

enum { COLUMNS_MAX = 3 };

static const struct {
	const char *name;
	double room;
	struct pdf_column columns[COLUMNS_MAX]; /* one whose word is 0 is none */
	double want[COLUMNS_MAX];
} cases[] = {
	{ "what is to spare goes by weight", 60, { { 10, 10, 10, 9, 1 }, { 10, 10, 10, 9, 3 } },
	  { 20, 40 } },
	{ "but no column is torn apart", 500, { { 10, 10, 10, 9, 1 }, { 10, 20, 30, 9, 1 } },
	  { 64, 104 } },
	{ "no word is cut for another column's texts", 60,
	  { { 40, 40, 40, 9, 1 }, { 20, 60, 200, 9999, 9 } }, { 40, 20 } },
	/* a date and long names of rows */
	{ "small wants are met first", 120,
	  { { 50, 60, 110, 900, 1 }, { 40, 120, 200, 9999, 9 } }, { 60, 60 } },
	{ "names break where all want more", 120,
	  { { 40, 120, 120, 900, 1 }, { 40, 120, 120, 9999, 9 } }, { 60, 60 } },
	{ "then as the root of the text", 120, { { 10, 20, 200, 100, 1 }, { 10, 20, 200, 900, 1 } },
	  { 30, 90 } },
	{ "weights have no say in it", 120, { { 10, 20, 200, 100, 9 }, { 10, 20, 200, 900, 1 } },
	  { 30, 90 } },
	{ "nobody loses the ease for it", 120, { { 10, 60, 200, 100, 1 }, { 10, 20, 200, 900, 1 } },
	  { 60, 60 } },
	{ "what one does not want the others get", 100,
	  { { 10, 20, 22, 900, 1 }, { 10, 20, 100, 400, 1 }, { 10, 20, 100, 400, 1 } },
	  { 22, 39, 39 } },
	{ "only the longest word is cut", 60,
	  { { 10, 10, 300, 9999, 9 }, { 20, 20, 20, 9, 1 }, { 90, 90, 90, 9, 1 } },
	  { 10, 20, 30 } },
	{ "a column without rows", 60, { { 10, 10, 10, 0, 1 }, { 10, 10, 10, 0, 1 } }, { 30, 30 } },
	{ "no weight is one", 60, { { 10, 10, 10, 9, 0 }, { 10, 10, 10, 9, 1 } }, { 30, 30 } },
	{ "what is no number is one too", 60, { { 10, 10, 10, 9, NAN }, { 10, 10, 10, 9, 1 } },
	  { 30, 30 } },
	{ "an endless weight is twenty", 62, { { 10, 10, 10, 9, INFINITY }, { 10, 10, 10, 9, 1 } },
	  { 50, 12 } },
	{ "a weight of nearly nothing is a twentieth", 41,
	  { { 10, 10, 10, 9, 1e-9 }, { 10, 10, 10, 9, 1 } }, { 11, 30 } },
};

static void test_shares(struct test *t)
{
	for (size_t i = 0; i < LEN(cases); i++) {
		double widths[COLUMNS_MAX] = { 0 };
		size_t n = 0;

		while (n < COLUMNS_MAX && cases[i].columns[n].word > 0)
			n++;
		pdf_columns_share(cases[i].columns, n, cases[i].room, widths);
		for (size_t c = 0; c < n; c++)
			test_near(t, widths[c], cases[i].want[c], 1e-9, cases[i].name);
	}
}

/* ---- a crowded table ---- */

static const struct {
	const char *title, *cell;
	bool numeric;
	double weight;
} crowd[] = {
	{ "Source", "RTX 2080 Ti benchmarks", false, 2.8 }, /* names the row */
	{ "Software", "TensorFlow 1.15; the Radeon machines do not say", false, 2.2 },
	{ "Licence", "Apache-2.0", false, 1.1 },
	{ "Rows dated", "2017-12-09 to 2024-07-24", false, 1.2 },
	{ "Series", "12", true, 0.6 },
	{ "Rows", "13,915", true, 0.7 },
	{ "Counted", "13,915", true, 0.8 },
	{ "Machines", "11", true, 0.9 },
	{ "Scores", "yes", false, 0.7 },
	{ "Vouched for", "signed 2; known 5", false, 1.0 },
};

static void test_crowd(struct fixture *f)
{
	enum { ROWS = 6 };
	struct report r = empty_report(f);
	struct pdf_layout l = layout(f, &r);
	struct report_table *t = table(f, &r, "crowd", LEN(crowd), ROWS);
	struct error err = { 0 };

	for (size_t i = 0; i < LEN(crowd) * ROWS; i++)
		t->cells[i].text = str_of(crowd[i % LEN(crowd)].cell);
	for (size_t c = 0; c < LEN(crowd); c++)
		t->columns[c] = (struct report_column){ .title = str_of(crowd[c].title),
							.numeric = crowd[c].numeric,
							.row_header = c == 0,
							.weight = crowd[c].weight };
	test_ok(&f->t, pdf_table_add(&l, t, &err) && inside(&l), "a crowded table");
	test_ok(&f->t, count_text(&l.pages[0], "2017-12-09 to") == ROWS,
		"its dates stand on two lines");
	test_ok(&f->t,
		count_text(&l.pages[0], "Apache-2.0") == ROWS
		    && count_text(&l.pages[0], "13,915") == 2 * ROWS,
		"no word and no number is broken");
}

int main(void)
{
	struct fixture f = { 0 };
	struct error err = { 0 };

	if (!font_set_open(&f.a, &f.fonts, &err)) {
		test_ok(&f.t, false, err.msg);
		return test_done(&f.t);
	}
	test_shares(&f.t);
	test_crowd(&f);
	font_set_free(f.fonts);
	arena_free(&f.a);
	return test_done(&f.t);
}
