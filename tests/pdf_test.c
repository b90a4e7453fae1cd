/* The PDF: pages, tables and figures as they are laid out, refusals, and whole files. With a folder
 * as argument the invented reports are written there, to be looked at. */
#include "pdf_layout_fixture.h"
#include "../base/file.h"
#include "../render/pdf.h"
#include "../render/pdf_drawing.h"
#include "../render/pdf_front.h"

#include <dirent.h>
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

/* ---- layout ---- */

/* The room left on the first page, the lines of a paragraph and what must not stand without its
 * end, in lines of 10 pt: how many lines stand on the first page and how many on the second. */
static const struct {
	const char *name;
	size_t room, lines, tail;
	bool last; /* of the report */
	size_t first, second;
} widows[] = {
	{ "all fit", 5, 5, 0, false, 5, 0 },
	{ "one too many: two go over", 5, 6, 0, false, 4, 2 },
	{ "two go over", 5, 7, 0, false, 5, 2 },
	{ "no single first line", 1, 4, 0, false, 0, 4 },
	{ "three lines stay together", 2, 3, 0, false, 0, 3 },
	{ "two and two", 3, 4, 0, false, 2, 2 },
	{ "room for the tail too", 6, 5, 1, false, 5, 0 },
	{ "two go over with a tail", 5, 5, 1, false, 3, 2 },
	{ "three go over whole with a tail", 3, 3, 1, false, 0, 3 },
	{ "a tail asks for no more than two", 5, 7, 2, false, 5, 2 },
	{ "all fit at the end", 5, 5, 0, true, 5, 0 },
	{ "three go over at the end", 5, 6, 0, true, 3, 3 },
	{ "two and three", 2, 5, 0, true, 2, 3 },
	{ "four stay together at the end", 3, 4, 0, true, 0, 4 },
};

static void test_widows(struct fixture *f)
{
	struct report r = empty_report(f);

	for (size_t i = 0; i < LEN(widows); i++) {
		struct pdf_layout l = layout(f, &r);
		struct pdf_lines lines = some_lines(f, widows[i].lines);

		leave_room(&l, 10 * (double)widows[i].room);
		pdf_page_flow(&l, &(struct pdf_flow){ .lines = &lines,
						      .x = l.paper->left,
						      .leading = 10,
						      .tail = 10 * (double)widows[i].tail,
						      .last = widows[i].last });
		size_t second = l.npages > 1 ? text_items(&l.pages[1]) : 0;
		test_ok(&f->t,
			text_items(&l.pages[0]) == widows[i].first && second == widows[i].second,
			widows[i].name);
	}
}

static void add_heading(struct fixture *f, struct pdf_layout *l, const char *id)
{
	pdf_page_heading(l, (struct pdf_heading){ .lines = some_lines(f, 1),
						  .id = str_of(id),
						  .title = str_of(id),
						  .level = 2,
						  .leading = 20,
						  .before = 30,
						  .after = 10 });
}

static void test_headings(struct fixture *f)
{
	struct report r = empty_report(f);
	struct pdf_layout l = layout(f, &r);
	struct pdf_lines lines = some_lines(f, 2);
	struct pdf_flow flow = { .lines = &lines, .x = l.paper->left, .leading = 10, .before = 5 };

	add_heading(f, &l, "first");
	pdf_page_flow(&l, &flow);
	test_near(&f->t, l.y, l.paper->top + 20 + 10 + 20, 1e-9,
		  "no white space above the first heading");
	l.y = l.paper->bottom - 30 - 20 - 10 - 19;
	add_heading(f, &l, "second");
	pdf_page_flow(&l, &flow);
	test_ok(&f->t, l.npages == 2 && text_items(&l.pages[1]) == 3,
		"a heading goes over with the lines that follow it");
	test_ok(&f->t, l.nbookmarks == 2 && l.bookmarks[1].at.page == 1, "its bookmark too");
	const size_t *place = map_get(&l.anchors, STR("second"));
	test_ok(&f->t, place && l.places[*place].page == 1, "its anchor too");
	l.y = l.paper->bottom - 30 - 20 - 10 - 20;
	add_heading(f, &l, "second");
	pdf_page_flow(&l, &flow);
	test_ok(&f->t, l.npages == 2, "it stays where there is room for both");
	test_ok(&f->t, l.nplaces == 2, "an id given twice keeps its first place");
	l.y = l.paper->bottom;
	add_heading(f, &l, "last");
	pdf_page_flush(&l);
	test_ok(&f->t, l.npages == 3 && l.nwaiting == 0,
		"a heading with nothing below is not lost");
}

static void test_boxes(struct fixture *f)
{
	struct report r = empty_report(f);
	struct pdf_layout l = layout(f, &r);
	struct pdf_lines lines = some_lines(f, 6), many = some_lines(f, 100);
	struct pdf_flow flow = {
		.lines = &lines, .leading = 10, .pad = 5, .boxed = true, .whole = true
	};

	leave_room(&l, 50);
	pdf_page_flow(&l, &flow);
	test_ok(&f->t, text_items(&l.pages[0]) == 0 && text_items(&l.pages[1]) == 6,
		"a box is not split while it fits on a page");
	flow.lines = &many;
	pdf_page_flow(&l, &flow);
	test_ok(&f->t, text_items(&l.pages[1]) + text_items(&l.pages[2]) == 106 && l.npages == 3,
		"a box higher than a page is split");
	for (size_t i = 0; i < 3; i++)
		for (size_t k = 0; k < l.pages[i].nitems; k++)
			if (l.pages[i].items[k].y > l.paper->bottom + 1e-6)
				test_ok(&f->t, false, "an item below the body");
}

/* ---- tables ---- */

static void test_tables(struct fixture *f)
{
	struct report r = empty_report(f);
	struct error err = { 0 };

	scores_table(f, &r, 300);
	struct pdf_layout l = layout(f, &r);
	test_ok(&f->t, pdf_table_add(&l, r.blocks[0].table, &err), "300 rows");
	bool headed = true;
	size_t dashes = 0;
	for (size_t p = 0; p < l.npages; p++) {
		headed = headed && count_text(&l.pages[p], "Device") == 1;
		dashes += count_text(&l.pages[p], "\xE2\x80\x93");
	}
	test_ok(&f->t, l.npages > 5 && headed, "the header stands on every page");
	test_ok(&f->t, dashes == 43, "a missing value is an en dash");
	test_ok(&f->t, inside(&l), "nothing outside the margins");
	test_ok(&f->t, text_items(&l.pages[l.npages - 1]) > 2 * 7, "no single last row");

	test_ok(&f->t,
		count_text(&l.pages[1], "GeForce RTX 2080 Ti") > 5
		    && count_text(&l.pages[1], "old price") > 3,
		"short texts stay on one line beside a long one");
	r.blocks[0].table->columns[6].weight = 1e-9;
	r.blocks[0].table->columns[5].weight = INFINITY;
	l = layout(f, &r);
	test_ok(&f->t, pdf_table_add(&l, r.blocks[0].table, &err) && inside(&l), "absurd weights");

	struct report_table *t = table(f, &r, "wide", 24, 3);
	for (size_t i = 0; i < t->ncolumns * 4; i++)
		*(i < t->ncolumns ? &t->columns[i].title : &t->cells[i - t->ncolumns].text) =
		    STR("a longish-heading 1234567890");
	l = layout(f, &r);
	test_ok(&f->t, pdf_table_add(&l, t, &err) && inside(&l), "24 columns stay inside");

	t = table(f, &r, "empty", 2, 0);
	t->columns[0].title = STR("Device");
	l = layout(f, &r);
	test_ok(&f->t, pdf_table_add(&l, t, &err) && count_text(&l.pages[0], "Device") == 1,
		"a table without rows has its header");
	t->ncolumns = 0;
	test_ok(&f->t, !pdf_table_add(&l, t, &err) && err.code == ERR_DATA, "no columns");
	test_str(&f->t, str_of(err.msg), STR("table 'empty': no columns"), "its message");
}

/* Wherever a table of seven rows starts, its first three rows stand together and its last three. */
static void test_split(struct fixture *f)
{
	struct report r = empty_report(f);
	struct error err = { 0 };
	struct report_table *t = table(f, &r, "split", 1, 7);
	bool good = true, split = false;

	t->columns[0].title = STR("Title");
	for (size_t i = 0; i < t->nrows; i++)
		t->cells[i].text = STR("x");
	for (double room = 5; room < 140; room += 1) {
		struct pdf_layout l = layout(f, &r);
		leave_room(&l, room);
		good = good && pdf_table_add(&l, t, &err) && l.npages <= 2;
		size_t first = count_text(&l.pages[0], "x");
		split = split || (first > 0 && first < t->nrows);
		good = good && (first == 0 || first == 3 || first == 4 || first == t->nrows);
	}
	test_ok(&f->t, good && split, "no fewer than three rows stand alone");
}

static void test_tall_row(struct fixture *f)
{
	struct report r = empty_report(f);
	struct error err = { 0 };
	struct report_table *t = table(f, &r, "tall", 3, 2);
	struct strbuf b = { .arena = &f->a };
	size_t words = 0;

	for (int i = 0; i < 4000; i++)
		strbuf_add(&b, STR("word "));
	for (size_t c = 0; c < 3; c++)
		t->columns[c].title = STR("Title");
	t->cells[1].text = str_dup(&f->a, strbuf_str(&b));
	t->cells[0].text = t->cells[3].text = t->cells[5].text = STR("x");
	struct pdf_layout l = layout(f, &r);
	test_ok(&f->t, pdf_table_add(&l, t, &err) && inside(&l), "a row taller than a page");
	for (size_t p = 0; p < l.npages; p++)
		for (size_t i = 0; i < l.pages[p].nitems; i++) {
			struct str s = l.pages[p].items[i].line.n > 0
					   ? l.pages[p].items[i].line.runs[0].text
					   : STR("");
			for (size_t at = 0; (at = str_find(s, STR("word"), at)) < s.len; at++)
				words++;
		}
	test_ok(&f->t, words == 4000 && l.npages > 2, "and none of it is lost");
}

/* High rows, few or more of them, with ever more room on the first page. */
static void test_header_alone(struct fixture *f)
{
	struct report r = empty_report(f);
	struct error err = { 0 };
	size_t alone = 0, begun = 0;

	for (size_t n = 1; n <= 6; n++) {
		struct report_table *t = table(f, &r, "high", 1, n);
		t->columns[0].title = STR("Title");
		for (size_t i = 0; i < n; i++)
			t->cells[i].text = str_printf(&f->a, "x %s %s", lorem, lorem);
		for (int step = 0; step < 40; step++) {
			struct pdf_layout l = layout(f, &r);
			leave_room(&l, 20 + 10 * step);
			pdf_table_add(&l, t, &err);
			bool head = count_text(&l.pages[0], "Title") > 0;
			begun += head;
			alone += head && text_items(&l.pages[0]) < 3;
		}
	}
	test_ok(&f->t, begun > 100 && alone == 0, "no header without a row");
}

/* ---- figures ---- */

enum broken {
	NO_SIZE,
	NAN_STEP,
	FAR_STEP,
	NO_MOVE,
	BAD_OPACITY,
	BAD_HATCH,
	BAD_DASH,
	BAD_WIDTH,
	MANY_DASHES,
	NAN_TEXT,
	BAD_SIZE
};

static const struct {
	const char *name;
	enum broken how;
	struct str message;
} refusals[] = {
	{ "no size", NO_SIZE, STR_INIT("figure 'f': size 0 x 100 cannot be drawn") },
	{ "a coordinate that is no number", NAN_STEP,
	  STR_INIT("figure 'f': shape 1 has a coordinate out of bounds") },
	{ "a coordinate far away", FAR_STEP,
	  STR_INIT("figure 'f': shape 1 has a coordinate out of bounds") },
	{ "a path without a move", NO_MOVE,
	  STR_INIT("figure 'f': shape 1 has a path that does not start with a move") },
	{ "an opacity", BAD_OPACITY,
	  STR_INIT("figure 'f': shape 1 has an opacity outside 0 to 1") },
	{ "a hatch", BAD_HATCH, STR_INIT("figure 'f': shape 1 has a hatch out of bounds") },
	{ "a dash", BAD_DASH, STR_INIT("figure 'f': shape 1 has a dash out of bounds") },
	{ "a line width", BAD_WIDTH,
	  STR_INIT("figure 'f': shape 1 has a line width out of bounds") },
	{ "dashes", MANY_DASHES, STR_INIT("figure 'f': shape 1 has more than 8 dashes") },
	{ "a text position", NAN_TEXT,
	  STR_INIT("figure 'f': shape 2 has a text position out of bounds") },
	{ "a text size", BAD_SIZE, STR_INIT("figure 'f': shape 2 has a text size out of bounds") },
};

static void break_figure(struct report_figure *g, enum broken how)
{
	struct shape *s = &g->drawing.shapes[0], *text = &g->drawing.shapes[1];

	switch (how) {
	case NO_SIZE:
		g->drawing.width = 0;
		break;
	case NAN_STEP:
		s->steps[1].x = NAN;
		break;
	case FAR_STEP:
		s->steps[2].y = -1e6;
		break;
	case NO_MOVE:
		s->steps[0].op = PATH_LINE;
		break;
	case BAD_OPACITY:
		s->fill_opacity = 1.5;
		break;
	case BAD_HATCH:
		s->hatch_step = 1e-9;
		break;
	case BAD_DASH:
		s->dash[0] = -1;
		break;
	case BAD_WIDTH:
		s->stroke_width = INFINITY;
		break;
	case MANY_DASHES:
		s->ndash = 9;
		break;
	case NAN_TEXT:
		text->angle_deg = NAN;
		break;
	case BAD_SIZE:
		text->size = 0;
		break;
	}
}

static void test_refusals(struct fixture *f)
{
	for (size_t i = 0; i < LEN(refusals); i++) {
		struct report_figure g = { .id = STR("f"),
					   .drawing = { .width = 100, .height = 100 } };
		struct shape *s = polygon(f, &g.drawing, 10, 10, 50, 50);
		struct error err = { 0 };

		s->fill = FILL_HATCH;
		s->hatch_step = 5;
		s->hatch_width = 1;
		s->stroke = true;
		s->stroke_width = 1;
		s->ndash = 2;
		s->dash[0] = s->dash[1] = 3;
		label(f, &g.drawing, 5, 5, "text", ANCHOR_START);
		test_ok(&f->t, pdf_drawing_check(&g, &err), "a sound figure");
		break_figure(&g, refusals[i].how);
		test_ok(&f->t, !pdf_drawing_check(&g, &err) && err.code == ERR_DATA,
			refusals[i].name);
		test_str(&f->t, str_of(err.msg), refusals[i].message, refusals[i].name);
	}
}

/* ---- whole files ---- */

static bool has(struct str pdf, const char *text)
{
	return str_find(pdf, str_of(text), 0) < pdf.len;
}

static size_t files_in(const char *path)
{
	DIR *dir = opendir(path);
	size_t n = 0;

	for (struct dirent *e; dir && (e = readdir(dir));)
		n += e->d_name[0] != '.';
	if (dir)
		closedir(dir);
	return n;
}

static void keep(struct fixture *f, const char *folder, const char *name, struct str pdf)
{
	struct error err = { 0 };

	if (folder)
		test_ok(&f->t, file_write(str_printf(&f->a, "%s/%s", folder, name).p, pdf, &err),
			name);
}

static void test_full(struct fixture *f, const char *folder)
{
	struct report r = full_report(f);
	struct error err = { 0 };
	struct str pdf = { 0 }, again = { 0 };

	test_ok(&f->t, write_pdf(f, &r, &pdf, &err), "a full report");
	test_ok(&f->t, write_pdf(f, &r, &again, &err), "written again");
	test_ok(&f->t, pdf.len > 0 && str_eq(pdf, again), "gives the same bytes");
	test_ok(&f->t, files_in(f->tmp) == 0, "the folder for fonts is empty again");
	test_ok(&f->t, str_starts(pdf, STR("%PDF-1.7")), "version");
	keep(f, folder, "full.pdf", pdf);
	pdf = pdf_file_plain(pdf, &f->a);
	test_ok(&f->t, has(pdf, "/CreationDate (D:20261130120001+00'00')"), "date of the report");
	test_ok(&f->t, has(pdf, "/ModDate (D:20261130120001+00'00')"), "and of its change");
	/* SHA-256 of "2026-11-30-0123456789ab" */
	test_ok(&f->t, has(pdf, "<D59EFB486953524BFAECA99E21D965DC>"), "file id");
	test_ok(&f->t,
		has(pdf, "/Lang (en)") && has(pdf, "/DisplayDocTitle true")
		    && has(pdf, "/PageLabels"),
		"language, reader's view");
	test_ok(&f->t, has(pdf, "(https:\\057\\057example.org\\057prices?day=2026-11-30)"),
		"link to a page");
	test_ok(&f->t, !has(pdf, "data/picks.csv"), "no link to a file beside the report");
	test_ok(&f->t,
		has(pdf, "+LiberationSans") && has(pdf, "+LiberationSans-Bold")
		    && has(pdf, "+LiberationMono") && has(pdf, "+WenQuanYiZenHei"),
		"four fonts, cut");
}

enum { ROWS_ABOVE = 16 };

/* Height in pt at full width of the highest figure that still stands below title and table. */
static double highest_on_first_page(struct fixture *f)
{
	const double full = pdf_paper_find(STR("a4"))->text_width / 960;
	double height = 0;
	struct str pdf = STR("");

	while (height < 3000 && !has(pdf, "/Count 2")) {
		struct report r = empty_report(f);
		struct error err = { 0 };
		height += 20;
		scores_table(f, &r, ROWS_ABOVE);
		figure(f, &r, height);
		if (!write_pdf(f, &r, &pdf, &err))
			return 0;
		pdf = pdf_file_plain(pdf, &f->a);
	}
	return (height - 20) * full;
}

/* A figure gives up a fifth of its width, not more, to stay on the page. */
static void test_shrink(struct fixture *f)
{
	struct report r = empty_report(f);
	struct error err = { 0 };
	struct pdf_layout l = layout(f, &r);
	double caption = 3 * 11.2 + 4; /* two lines, a file name and white space */

	pdf_front_begin(&l);
	scores_table(f, &r, ROWS_ABOVE);
	test_ok(&f->t, pdf_table_add(&l, r.blocks[0].table, &err) && l.npages == 1, "a table");
	double room = pdf_page_left(&l) - caption - 24;
	test_near(&f->t, highest_on_first_page(f), room / 0.8, 14,
		  "a figure shrinks to four fifths to stay on a page");
}

static void test_links(struct fixture *f)
{
	struct report r = empty_report(f);
	struct spans s = { 0 };
	struct error err = { 0 };
	struct str pdf = { 0 };

	add(f, &s, "a", "https://example.org/a(b)\"\xC3\xA9 c", false, false);
	add(f, &s, "b", "javascript:alert(1)", false, false);
	add(f, &s, "c", "#nowhere", false, false);
	block(&r, BLOCK_TEXT)->text = s;
	test_ok(&f->t, write_pdf(f, &r, &pdf, &err), "odd links");
	pdf = pdf_file_plain(pdf, &f->a);
	test_ok(&f->t, has(pdf, "a\\050b\\051\\04522\\045C3\\045A9\\04520c)"), "a URI is escaped");
	test_ok(&f->t, !has(pdf, "javascript"), "no scripts");
}

static void test_small(struct fixture *f, const char *folder)
{
	struct report r = empty_report(f);
	struct error err = { 0 };
	struct str pdf = { 0 };

	test_ok(&f->t, write_pdf(f, &r, &pdf, &err), "an empty report");
	keep(f, folder, "empty.pdf", pdf);
	pdf = pdf_file_plain(pdf, &f->a);
	test_ok(&f->t, has(pdf, "/Count 1") && !has(pdf, "/Outlines"), "is one page, no bookmarks");

	struct report blank = { .arena = &f->a, .date = date_of_day(0), .timestamp = -1 };
	test_ok(&f->t, write_pdf(f, &blank, &pdf, &err), "no title at all");
	pdf = pdf_file_plain(pdf, &f->a);
	test_ok(&f->t, has(pdf, "(D:19691231235959+00'00')"), "a date before 1970");

	r.language = STR("zh-Hans");
	heading(f, &r, 3, "a", "\xE4\xB8\x80");
	heading(f, &r, 2, "b", "\xE4\xBA\x8C");
	heading(f, &r, 2, "c", "");
	test_ok(&f->t, write_pdf(f, &r, &pdf, &err), "a Chinese report");
	keep(f, folder, "chinese.pdf", pdf);
	pdf = pdf_file_plain(pdf, &f->a);
	test_ok(&f->t, has(pdf, "/Lang (zh-Hans)"), "says so");

	figure(f, &r, 100)->drawing.width = -1;
	test_ok(&f->t, !write_pdf(f, &r, &pdf, &err) && err.code == ERR_DATA,
		"a figure that cannot be drawn stops it");
}

static void test_environment(struct fixture *f)
{
	struct report r = empty_report(f);
	struct error err = { 0 };
	struct str pdf = { 0 };
	struct pdf_writer w = { .fault = { .code = 0x1015, .detail = 2, .at = "page 3" } };

	test_ok(&f->t,
		!pdf_write(&r, &(struct pdf_options){ .tmp_dir = "/nowhere" }, f->fonts, &f->a,
			   &pdf, &err)
		    && err.code == ERR_ENVIRONMENT,
		"no folder for the fonts");
	err = (struct error){ 0 };
	test_ok(&f->t, !pdf_writer_ok(&w, &err) && err.code == ERR_ENVIRONMENT, "a library error");
	test_str(&f->t, str_of(err.msg), STR("PDF library: error 0x1015 (detail 2) in page 3"),
		 "its message");
}

int main(int argc, char **argv)
{
	struct fixture f = { 0 };
	struct error err = { 0 };
	char tmp[] = "/tmp/pdf-test-XXXXXX";

	f.tmp = mkdtemp(tmp);
	if (!f.tmp || !font_set_open(&f.a, &f.fonts, &err)) {
		test_ok(&f.t, false, err.msg);
		return test_done(&f.t);
	}
	test_widows(&f);
	test_headings(&f);
	test_boxes(&f);
	test_tables(&f);
	test_split(&f);
	test_tall_row(&f);
	test_header_alone(&f);
	test_refusals(&f);
	test_full(&f, argc > 1 ? argv[1] : NULL);
	test_shrink(&f);
	test_links(&f);
	test_small(&f, argc > 1 ? argv[1] : NULL);
	test_environment(&f);
	rmdir(tmp);
	font_set_free(f.fonts);
	arena_free(&f.a);
	return test_done(&f.t);
}
