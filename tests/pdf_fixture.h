/* An invented report with every kind of block, for the tests of the PDF. */
#ifndef TESTS_PDF_FIXTURE_H
#define TESTS_PDF_FIXTURE_H

#include "test.h"
#include "pdf_read.h"
#include "../render/font.h"
#include "../render/pdf.h"
#include "../render/pdf_text.h"
#include "../render/report.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct fixture {
	struct test t;
	struct arena a;
	struct font_set *fonts;
	const char *tmp;
};

/* A test's main: with the fonts open and a folder for what it writes. */
static inline int fixture_run(void (*run)(struct fixture *f))
{
	char tmp[] = "/tmp/gpuguide-test-XXXXXX";
	struct fixture f = { .tmp = tmp };
	struct error err = { 0 };

	if (!font_set_open(&f.a, &f.fonts, &err) || !mkdtemp(tmp)) {
		error_print(stderr, &err);
		return 1;
	}
	run(&f);
	font_set_free(f.fonts);
	rmdir(tmp);
	arena_free(&f.a);
	return test_done(&f.t);
}

static inline struct spans plain(struct fixture *f, struct str text)
{
	return pdf_text_spans(text, (struct str){ 0 }, &f->a);
}

static inline void add(struct fixture *f, struct spans *s, const char *text, const char *href,
		       bool strong, bool code)
{
	s->v = arena_grow(&f->a, s->v, &s->cap, s->n + 1, sizeof *s->v);
	s->v[s->n++] = (struct span){
		.text = str_of(text), .href = str_of(href), .strong = strong, .code = code
	};
}

/* ---- an invented report ---- */

static inline struct report_block *block(struct report *r, enum block_kind kind)
{
	r->blocks = arena_grow(r->arena, r->blocks, &r->cap, r->n + 1, sizeof *r->blocks);
	r->blocks[r->n] = (struct report_block){ .kind = kind };
	return &r->blocks[r->n++];
}

static inline void heading(struct fixture *f, struct report *r, int level, const char *id,
			   const char *text)
{
	struct report_block *b = block(r, BLOCK_HEADING);

	b->level = level;
	b->id = str_of(id);
	b->text = plain(f, str_of(text));
}

static inline void text(struct fixture *f, struct report *r, const char *s)
{
	block(r, BLOCK_TEXT)->text = plain(f, str_of(s));
}

static const char lorem[] =
    "The reference device scores 1.0 in every class it was measured in; other devices are compared "
    "on the workloads, precisions and device counts they share with it. A geometric mean is used "
    "because the scores are ratios: an arithmetic mean would depend on which device is the "
    "reference. Rows that fail a check are listed in the chapter on refused rows with file, line, "
    "column and reason, and no missing value is ever counted as zero.";

static inline struct report_table *table(struct fixture *f, struct report *r, const char *id,
					 size_t ncolumns, size_t nrows)
{
	struct report_table *t = arena_alloc(&f->a, sizeof *t);

	t->id = str_of(id);
	t->ncolumns = ncolumns;
	t->nrows = nrows;
	t->columns = arena_array(&f->a, ncolumns, sizeof *t->columns);
	t->cells = arena_array(&f->a, ncolumns * nrows, sizeof *t->cells);
	block(r, BLOCK_TABLE)->table = t;
	return t;
}

static inline void scores_table(struct fixture *f, struct report *r, size_t nrows)
{
	static const char *const titles[] = { "Device",
					      "Convolutional",
					      "Recurrent",
					      "Transformer",
					      "Price, USD",
					      "Status",
					      "Why it stands where it does" };
	static const char *const names[] = {
		"GeForce RTX 2080 Ti", "Titan V", "Tesla V100 16 GB",
		"Radeon RX Vega 64 \xE6\xB6\xB2\xE5\x86\xB7\xE7\x89\x88"
	};
	struct report_table *t = table(f, r, "table-scores", LEN(titles), nrows);

	t->caption = STR("Scores by class, and what each card cost in the newest fortnight");
	t->csv_href = STR("data/scores.csv");
	for (size_t c = 0; c < LEN(titles); c++)
		t->columns[c] = (struct report_column){ .title = str_of(titles[c]),
							.numeric = c >= 1 && c <= 4,
							.row_header = c == 0 };
	t->columns[6].weight = 2;
	for (size_t i = 0; i < nrows; i++) {
		struct report_cell *cell = &t->cells[i * t->ncolumns];

		cell[0].text = str_of(names[i % 4]);
		cell[0].tone = TONE_STRONG;
		cell[1].text = str_printf(&f->a, "%zu.%02zu", i % 3, i % 100);
		if (i % 7 != 3)
			cell[2].text = str_printf(&f->a, "0.%02zu", i % 90);
		cell[3].text = str_printf(&f->a, "%zu.%zu", i, i % 10);
		cell[4].text = STR("1,199");
		cell[5].text = i % 5 == 0 ? STR("old price") : STR("fresh");
		cell[5].tone = i % 5 == 0 ? TONE_WARN : TONE_MUTED;
		cell[6].text = i % 6 == 1
				   ? STR("scaled from the same architecture; the interval is wide, "
					 "so read the rank as a tie with its neighbours")
				   : STR("measured");
		if (i % 6 == 1)
			cell[6].href = STR("#method");
	}
}

static inline struct shape *shape(struct fixture *f, struct drawing *d, enum shape_kind kind)
{
	d->shapes = arena_grow(&f->a, d->shapes, &d->cap, d->n + 1, sizeof *d->shapes);
	d->shapes[d->n] = (struct shape){ .kind = kind, .fill_opacity = 1 };
	return &d->shapes[d->n++];
}

static inline struct shape *polygon(struct fixture *f, struct drawing *d, double x, double y,
				    double w, double h)
{
	struct shape *s = shape(f, d, SHAPE_PATH);
	const struct path_step steps[] = { { PATH_MOVE, x, y },
					   { PATH_LINE, x + w, y },
					   { PATH_LINE, x + w, y + h },
					   { PATH_LINE, x, y + h },
					   { PATH_CLOSE, 0, 0 } };

	s->steps = arena_array(&f->a, LEN(steps), sizeof *s->steps);
	memcpy(s->steps, steps, sizeof steps);
	s->nsteps = LEN(steps);
	return s;
}

static inline struct shape *label(struct fixture *f, struct drawing *d, double x, double y,
				  const char *s, enum text_anchor anchor)
{
	struct shape *t = shape(f, d, SHAPE_TEXT);

	t->x = x;
	t->y = y;
	t->size = 14;
	t->text = str_of(s);
	t->anchor = anchor;
	t->text_colour = (struct colour){ 0x3A, 0x3F, 0x47 };
	return t;
}

static inline void bar_row(struct fixture *f, struct drawing *d, double y, const char *name,
			   double value)
{
	struct shape *s;

	label(f, d, 190, y + 20, name, ANCHOR_END);
	s = polygon(f, d, 200, y, value * 300, 14);
	s->fill = FILL_SOLID;
	s->fill_colour = (struct colour){ 0x00, 0x72, 0xB2 };
	s = polygon(f, d, 200, y + 16, value * 210, 14);
	s->fill = FILL_SOLID;
	s->fill_colour = (struct colour){ 0xFB, 0xEB, 0xC8 };
	s = polygon(f, d, 200, y + 16, value * 210, 14);
	s->fill = FILL_HATCH;
	s->fill_colour = (struct colour){ 0xC9, 0x85, 0x00 };
	s->hatch_step = 5.65685;
	s->hatch_width = 0.8;
	s->hatch_slope = -1;
	s->stroke = true;
	s->stroke_colour = s->fill_colour;
	s->stroke_width = 0.8;
	label(f, d, 208 + value * 300, y + 12, "1.53", ANCHOR_START);
}

static inline struct report_figure *figure(struct fixture *f, struct report *r, double height)
{
	struct report_figure *g = arena_alloc(&f->a, sizeof *g);
	struct drawing *d = &g->drawing;
	struct shape *s;

	g->id = STR("figure-performance");
	g->title = STR("Performance by class");
	g->caption =
	    STR("Figure 1. Performance by class, the reference card at 1.0; hatched bars are "
		"scaled from other cards, not measured.");
	g->csv_href = STR("data/scores.csv");
	d->width = 960;
	d->height = height;
	label(f, d, 20, 30, "Normalised performance by class", ANCHOR_START)->bold = true;
	for (int i = 0; 60 + i * 60 < height - 40; i++)
		bar_row(f, d, 60 + i * 60,
			i % 2 ? "\xE6\xB3\xB0\xE5\x9D\xA6 Titan V" : "RTX 2080 Ti",
			1.0 + i % 5 * 0.3);
	s = polygon(f, d, 500, 50, 0, height - 90);
	s->stroke = true;
	s->stroke_colour = (struct colour){ 0x7A, 0x82, 0x8C };
	s->stroke_width = 1;
	s->dash[0] = 4.5;
	s->dash[1] = 3.25;
	s->ndash = 2;
	label(f, d, 930, height / 2, "rotated label", ANCHOR_MIDDLE)->angle_deg = 90;
	s = polygon(f, d, 700, 40, 200, 30);
	s->fill = FILL_SOLID;
	s->fill_opacity = 0.35;
	s->fill_colour = (struct colour){ 0x00, 0x9E, 0x73 };
	block(r, BLOCK_FIGURE)->figure = g;
	return g;
}

static inline struct report empty_report(struct fixture *f)
{
	return (struct report){ .arena = &f->a,
				.title = STR("GPUs for deep learning: what to buy"),
				.subtitle =
				    STR("Benchmarks contributed by readers, prices of the day"),
				.edition = STR("current"),
				.language = STR("en"),
				.date = date_of_day(20787),
				.timestamp = 1796040001,
				.edition_id = STR("2026-11-30-0123456789ab"),
				.generator = STR("gpuguide 0.1.0") };
}

static inline void full_report_text(struct fixture *f, struct report *r)
{
	struct spans s = { 0 };
	struct spans *items = arena_array(&f->a, 3, sizeof *items);

	heading(f, r, 2, "advice", "What to buy");
	add(f, &s, "For a first card take the ", "", false, false);
	add(f, &s, "RTX 2070", "", true, false);
	add(f, &s, "; see ", "", false, false);
	add(f, &s, "the method", "#method", false, false);
	add(f, &s, ", the file ", "", false, false);
	add(f, &s, "data/picks.csv", "data/picks.csv", false, true);
	add(f, &s, " and ", "", false, false);
	add(f, &s, "the list of prices", "https://example.org/prices?day=2026-11-30", false, false);
	add(f, &s, ".", "", false, false);
	block(r, BLOCK_TEXT)->text = s;
	for (int i = 0; i < 3; i++)
		items[i] =
		    plain(f, str_of(i == 1 ? lorem : "A short item: 8 GB hold most networks."));
	struct report_block *b = block(r, BLOCK_LIST);
	b->items = items;
	b->nitems = 3;
	b = block(r, BLOCK_NOTE);
	b->text = plain(f, str_of(lorem));
	b = block(r, BLOCK_NOTE);
	b->tone = NOTE_WARN;
	b->text = plain(
	    f, STR("Prices are older than 30 days for 4 cards. \xE4\xB8\xAD\xE6\x96\x87"
		   "\xE6\xB5\x8B\xE8\xAF\x95\xEF\xBC\x9A\xE4\xBB\xB7\xE6\xA0\xBC\xE3\x80\x82"));
	text(f, r, lorem);
}

/* On A4, nothing attached. */
static inline bool write_pdf(struct fixture *f, const struct report *r, struct str *out,
			     struct error *err)
{
	const struct pdf_options opt = { .tmp_dir = f->tmp };

	return pdf_write(r, &opt, f->fonts, &f->a, out, err);
}

static inline struct report full_report(struct fixture *f)
{
	struct report r = empty_report(f);
	struct report_block *b;

	full_report_text(f, &r);
	heading(f, &r, 2, "performance", "Performance by class");
	text(f, &r, lorem);
	figure(f, &r, 660);
	heading(f, &r, 3, "scores", "All scores");
	text(f, &r, "Every number behind the figure.");
	scores_table(f, &r, 300);
	heading(f, &r, 2, "high", "A figure higher than a page");
	figure(f, &r, 2400);
	heading(f, &r, 2, "method", "Method");
	for (int i = 0; i < 6; i++)
		text(f, &r, lorem);
	b = block(&r, BLOCK_CODE);
	b->text =
	    plain(f, STR("$ gpuguide report --date 2026-11-30 --out out\n"
			 "collect: 10,664 rows read\n\n"
			 "\tindented by a tab, and a line that is far too long for the page: "
			 "0123456789012345678901234567890123456789012345678901234567890123456789"));
	heading(f, &r, 2, "chinese", "\xE4\xB8\xAD\xE6\x96\x87\xE7\xAB\xA0\xE8\x8A\x82");
	struct strbuf long_word = { .arena = &f->a };
	for (int i = 0; i < 12; i++)
		strbuf_add(&long_word,
			   STR("\xE5\x8F\x82\xE8\x80\x83\xE5\x8D\xA1\xE7\x9A\x84\xE5\xBE\x97"
			       "\xE5\x88\x86\xE6\x98\xAF 1.0\xEF\xBC\x8C\xE7\xBC\xBA"
			       "\xE5\xB0\x91\xE7\x9A\x84\xE6\x95\xB0\xE6\x8D\xAE\xE4\xB8\x8D"
			       "\xE7\xAE\x97\xE9\x9B\xB6\xE3\x80\x82"));
	block(&r, BLOCK_TEXT)->text = plain(f, str_dup(&f->a, strbuf_str(&long_word)));
	heading(f, &r, 2, "hostile", "Names from strangers");
	struct spans s = { 0 };
	add(f, &s, "A machine called ", "", false, false);
	add(f, &s, "GPU \xF0\x9F\x94\xA5 <b>\x01\xE2\x80\xAE", "", true, false);
	add(f, &s, " stays on the page.", "", false, false);
	block(&r, BLOCK_TEXT)->text = s;
	long_word.len = 0;
	for (int i = 0; i < 5000; i++)
		strbuf_addc(&long_word, "abcdefghijklmnop"[i % 16]);
	block(&r, BLOCK_TEXT)->text = plain(f, str_dup(&f->a, strbuf_str(&long_word)));
	heading(f, &r, 2, "end", "A last heading with nothing below");
	return r;
}

#endif
