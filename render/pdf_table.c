#include "pdf_table.h"
#include "pdf_columns.h"
#include "pdf_look.h"
#include "../base/stat.h"

#include <math.h>

#define PAD_X 4.0
#define PAD_Y 2.6
#define LEADING_RATIO 1.28

/* Shares of the page's width. */
#define LABEL_TEXT 0.13 /* at most: a label such as "$0.88 an hour", best on one line */
#define SHORT_TEXT 0.25 /* a longer one is a sentence, which may run over many lines */
#define WORD_MAX 0.25   /* a longer word is cut, lest it starve the others or make all small */

/* At both ends of a table no fewer rows stand alone on a page; at its head fewer when they are
 * high. */
enum { ROWS_TOGETHER = 3 };
#define HEAD_ENOUGH 70.0

/* Tried in turn until no word has to be cut and no short name of a row broken; the last one stands
 * in any case. */
static const double sizes[] = { 8.5, 8.0, 7.5, 7.0, 6.5 };

struct row {
	struct pdf_lines *cells; /* one a column */
	size_t nlines;           /* of the tallest cell */
	size_t node;             /* TAG_TR; its cells' nodes follow it, one a column */
	double height;           /* padding included */
};

struct grid {
	struct pdf_layout *l;
	const struct report_table *t;
	double size, leading;
	double
	    *widths; /* of the columns, padding included; they add up to the text width or less */
	struct row header;
	struct row *rows;
};

static struct pdf_style cell_style(const struct grid *g, enum cell_tone tone)
{
	static const struct {
		enum font_id font;
		const struct colour *colour;
	} tones[] = {
		[TONE_PLAIN] = { FONT_REGULAR, &pdf_ink },
		[TONE_STRONG] = { FONT_BOLD, &pdf_ink },
		[TONE_MUTED] = { FONT_REGULAR, &pdf_muted },
		[TONE_WARN] = { FONT_REGULAR, &pdf_warn_ink },
	};

	return (struct pdf_style){ .font = tones[tone].font,
				   .size = g->size,
				   .colour = *tones[tone].colour };
}

static struct pdf_style header_style(const struct grid *g)
{
	return (struct pdf_style){ .font = FONT_BOLD, .size = g->size, .colour = pdf_label };
}

/* Missing is an en dash, as in every format. */
static struct spans cell_spans(const struct grid *g, const struct report_cell *cell)
{
	struct str text = cell->text.len > 0 ? cell->text : STR("\xE2\x80\x93");

	return pdf_text_spans(text, cell->href, g->l->arena);
}

static const struct report_cell *cell_at(const struct grid *g, size_t row, size_t column)
{
	return &g->t->cells[row * g->t->ncolumns + column];
}

/* ---- column widths ---- */

/* Widths of the titles, then of the cells row by row, in em: all sizes are reckoned from them. */
static struct pdf_extent *measure(struct grid *g)
{
	const struct report_table *t = g->t;
	struct font_set *fonts = g->l->fonts;
	struct arena *a = g->l->arena;
	struct pdf_extent *extents = arena_array(a, (t->nrows + 1) * t->ncolumns, sizeof *extents);

	g->size = 1;
	for (size_t c = 0; c < t->ncolumns; c++) {
		struct pdf_style style = header_style(g);
		struct spans spans = pdf_text_spans(t->columns[c].title, (struct str){ 0 }, a);
		extents[c] = pdf_text_measure(fonts, &spans, &style, a);
	}
	for (size_t i = 0; i < t->nrows * t->ncolumns; i++) {
		struct pdf_style style = cell_style(g, t->cells[i].tone);
		struct spans spans = cell_spans(g, &t->cells[i]);
		extents[t->ncolumns + i] = pdf_text_measure(fonts, &spans, &style, a);
	}
	return extents;
}

/* What one cell asks for: a number never breaks, a label or a short name of a row breaks last, and
 * another short text is at ease on two lines. A sentence flows. Returns the ease. */
static double ask(const struct grid *g, const struct report_column *column, struct pdf_extent e,
		  struct pdf_column *to)
{
	double share = e.whole / g->l->paper->text_width;
	double word = column->numeric ? e.whole : e.longest_word;

	to->word = fmax(to->word, word);
	to->whole = fmax(to->whole, e.whole);
	to->text += e.whole;
	if (share <= (column->row_header ? SHORT_TEXT : LABEL_TEXT))
		return e.whole;
	return share <= SHORT_TEXT ? fmax(word, e.halved) : word;
}

/* At ease are nine rows of ten, lest one long text widen the column for all; of names every one. */
static double common_ease(const struct report_column *column, double *eases, size_t n)
{
	enum { ODD_ONES = 10 };

	stat_sort(eases, n);
	return n == 0 ? 0 : eases[n - 1 - (column->row_header ? 0 : n / ODD_ONES)];
}

/* Padded; what cannot be had without starving the others is not asked for. */
static void pad_column(const struct grid *g, struct pdf_column *c)
{
	double width = g->l->paper->text_width;
	double most = fmax(width * WORD_MAX, width / (double)g->t->ncolumns);

	c->word = fmin(c->word + 2 * PAD_X, most);
	c->ease = fmin(c->ease + 2 * PAD_X, most);
	c->whole += 2 * PAD_X;
}

/* What every column asks for at this size. A title may wrap: it asks for its longest word, and is
 * at ease on two lines. */
static void reckon_columns(const struct grid *g, const struct pdf_extent *extents,
			   struct pdf_column *columns)
{
	size_t n = g->t->ncolumns;
	double *eases = arena_array(g->l->arena, g->t->nrows, sizeof *eases);

	for (size_t c = 0; c < n; c++) {
		double title = extents[c].longest_word * g->size;

		columns[c] = (struct pdf_column){ .word = title,
						  .whole = title,
						  .weight = g->t->columns[c].weight };
		for (size_t r = 0; r < g->t->nrows; r++) {
			struct pdf_extent e = extents[(r + 1) * n + c];

			e.whole *= g->size;
			e.halved *= g->size;
			e.longest_word *= g->size;
			eases[r] = ask(g, &g->t->columns[c], e, &columns[c]);
		}
		columns[c].ease = fmax(common_ease(&g->t->columns[c], eases, g->t->nrows),
				       fmax(columns[c].word, extents[c].halved * g->size));
		columns[c].whole = fmax(columns[c].whole, columns[c].ease);
		pad_column(g, &columns[c]);
	}
}

/* With no word cut and no short name of a row broken. */
static double narrowest(const struct grid *g, const struct pdf_column *columns)
{
	double sum = 0;

	for (size_t c = 0; c < g->t->ncolumns; c++)
		sum += g->t->columns[c].row_header ? columns[c].ease : columns[c].word;
	return sum;
}

static void set_widths(struct grid *g)
{
	const double room = g->l->paper->text_width;
	size_t n = g->t->ncolumns;
	struct pdf_column *columns = arena_array(g->l->arena, n, sizeof *columns);
	struct pdf_extent *extents = measure(g);

	g->widths = arena_array(g->l->arena, n, sizeof *g->widths);
	for (size_t s = 0; s < LEN(sizes); s++) {
		g->size = sizes[s];
		reckon_columns(g, extents, columns);
		if (narrowest(g, columns) <= room)
			break;
	}
	g->leading = g->size * LEADING_RATIO * g->l->looseness;
	pdf_columns_share(columns, n, room, g->widths);
}

/* ---- rows ---- */

static void close_row(const struct grid *g, struct row *row)
{
	row->nlines = 1;
	for (size_t c = 0; c < g->t->ncolumns; c++)
		if (row->cells[c].n > row->nlines)
			row->nlines = row->cells[c].n;
	row->height = (double)row->nlines * g->leading + 2 * PAD_Y;
}

static void break_cell(const struct grid *g, struct row *row, size_t c, const struct spans *spans,
		       const struct pdf_style *style)
{
	pdf_text_break(g->l->fonts, spans, style, g->widths[c] - 2 * PAD_X, g->l->arena,
		       &row->cells[c]);
}

static void break_rows(struct grid *g)
{
	size_t n = g->t->ncolumns;
	struct arena *a = g->l->arena;

	g->header.cells = arena_array(a, n, sizeof *g->header.cells);
	g->rows = arena_array(a, g->t->nrows, sizeof *g->rows);
	for (size_t c = 0; c < n; c++) {
		struct pdf_style style = header_style(g);
		struct spans spans = pdf_text_spans(g->t->columns[c].title, (struct str){ 0 }, a);
		break_cell(g, &g->header, c, &spans, &style);
	}
	close_row(g, &g->header);
	for (size_t r = 0; r < g->t->nrows; r++) {
		g->rows[r].cells = arena_array(a, n, sizeof *g->rows[r].cells);
		for (size_t c = 0; c < n; c++) {
			const struct report_cell *cell = cell_at(g, r, c);
			struct pdf_style style = cell_style(g, cell->tone);
			struct spans spans = cell_spans(g, cell);
			break_cell(g, &g->rows[r], c, &spans, &style);
		}
		close_row(g, &g->rows[r]);
	}
}

static double table_width(const struct grid *g)
{
	double sum = 0;

	for (size_t c = 0; c < g->t->ncolumns; c++)
		sum += g->widths[c];
	return sum;
}

/* The row's node with those of its cells; an empty cell has one too. cells: NULL for the header. */
static void add_row_nodes(const struct grid *g, struct row *row, const struct report_cell *cells)
{
	struct pdf_layout *l = g->l;

	row->node = pdf_tree_add(&l->tree, l->node, TAG_TR, l->arena);
	for (size_t c = 0; c < g->t->ncolumns; c++) {
		enum pdf_tag tag = !cells                        ? TAG_TH_COLUMN
				   : g->t->columns[c].row_header ? TAG_TH_ROW
								 : TAG_TD;
		size_t node = pdf_tree_add(&l->tree, row->node, tag, l->arena);
		if (cells && node != PDF_NO_NODE)
			l->tree.v[node].lang = cells[c].lang;
	}
}

/* Lines [from, from + n) of every cell; the header's stand at the bottom of its row. */
static void draw_row(const struct grid *g, const struct row *row, size_t from, size_t n,
		     bool bottom)
{
	double x = g->l->paper->left;
	size_t outer = g->l->node;

	for (size_t c = 0; c < g->t->ncolumns; c++) {
		const struct pdf_lines *cell = &row->cells[c];
		size_t above = bottom ? row->nlines - cell->n : 0;

		pdf_page_leave(g->l, row->node == PDF_NO_NODE ? PDF_NO_NODE : row->node + 1 + c);
		for (size_t i = from; i < from + n && i < cell->n; i++) {
			const struct pdf_line *line = &cell->v[i];
			double top = g->l->y + PAD_Y + (double)(i - from + above) * g->leading;
			double at = g->t->columns[c].numeric
					? x + g->widths[c] - PAD_X - line->width
					: x + PAD_X;
			pdf_page_line(g->l, line, at, pdf_page_baseline(top, g->leading, g->size));
		}
		x += g->widths[c];
	}
	pdf_page_leave(g->l, outer);
	g->l->y += (double)n * g->leading + 2 * PAD_Y;
	g->l->at_top = false;
}

static void draw_rule(const struct grid *g, double thickness, struct colour colour)
{
	pdf_page_box(g->l, g->l->paper->left, g->l->y - thickness / 2, table_width(g), thickness,
		     colour);
}

/* Only the first one is the table's; repeated on another page it is an artefact. */
static void draw_header(const struct grid *g, bool first)
{
	struct row row = g->header;

	if (!first)
		row.node = PDF_NO_NODE;
	pdf_page_box(g->l, g->l->paper->left, g->l->y, table_width(g), g->header.height, pdf_band);
	draw_row(g, &row, 0, row.nlines, true);
	draw_rule(g, 0.8, pdf_rule);
}

/* A row taller than a page goes line by line, as many as each page holds. */
static void draw_tall_row(const struct grid *g, const struct row *row)
{
	for (size_t at = 0; at < row->nlines;) {
		double room = pdf_page_left(g->l) - 2 * PAD_Y;
		size_t fit = room > g->leading ? (size_t)(room / g->leading) : 1;

		if (fit > row->nlines - at)
			fit = row->nlines - at;
		draw_row(g, row, at, fit, false);
		at += fit;
		if (at < row->nlines) {
			pdf_page_new(g->l);
			draw_header(g, false);
		}
	}
}

/* `tail`: what must stay with the row: the last rows, the file name, a text that ends it all. */
static void draw_body_row(const struct grid *g, const struct row *row, double tail)
{
	const double page = pdf_page_body(g->l) - g->header.height;

	if (row->height + tail > page)
		tail = 0;
	if (row->height + tail > pdf_page_left(g->l) && row->height <= page) {
		pdf_page_new(g->l);
		if (g->header.height + row->height + tail > pdf_page_left(g->l))
			pdf_page_new(g->l); /* a floating figure stands on it */
		draw_header(g, false);
	}
	if (row->height > pdf_page_left(g->l))
		draw_tall_row(g, row);
	else
		draw_row(g, row, 0, row->nlines, false);
	draw_rule(g, 0.4, pdf_hairline);
}

/* Height of rows [from, to), with `foot`, what stands below the table, where it ends. */
static double rows_height(const struct grid *g, size_t from, size_t to, double foot)
{
	double sum = to >= g->t->nrows ? foot : 0;

	for (size_t r = from; r < to && r < g->t->nrows; r++)
		sum += g->rows[r].height;
	return sum;
}

/* What must follow the header on its page. */
static double first_rows_height(const struct grid *g, double foot)
{
	/* a short table stays together, as its last rows do */
	for (size_t n = 1; n < ROWS_TOGETHER && g->t->nrows > ROWS_TOGETHER; n++)
		if (rows_height(g, 0, n, 0) >= HEAD_ENOUGH)
			return rows_height(g, 0, n, 0);
	return rows_height(g, 0, ROWS_TOGETHER, foot);
}

static void draw_rows(struct grid *g, double foot)
{
	size_t n = g->t->nrows;

	for (size_t r = 0; r < n; r++) {
		bool near_end = r + ROWS_TOGETHER >= n;

		add_row_nodes(g, &g->rows[r], cell_at(g, r, 0));
		draw_body_row(g, &g->rows[r], near_end ? rows_height(g, r + 1, n, foot) : 0);
	}
}

/* ---- caption and file name ---- */

static void draw_lines(struct pdf_layout *l, const struct pdf_lines *lines, double leading,
		       double size)
{
	for (size_t i = 0; i < lines->n; i++) {
		pdf_page_line(l, &lines->v[i], l->paper->left,
			      pdf_page_baseline(l->y, leading, size));
		l->y += leading;
	}
}

static void draw_caption(struct pdf_layout *l, const struct pdf_lines *caption)
{
	size_t outer = l->node;

	if (caption->n == 0)
		return;
	pdf_page_enter(l, TAG_CAPTION);
	draw_lines(l, caption, PDF_SMALL_LEADING * l->looseness, PDF_CAPTION_SIZE);
	pdf_page_leave(l, outer);
}

struct pdf_lines pdf_table_files(struct pdf_layout *l, struct str csv_href, struct str svg_href)
{
	struct pdf_style style = { .font = FONT_REGULAR,
				   .size = PDF_FILE_SIZE,
				   .colour = pdf_muted };
	const char *between = csv_href.len > 0 && svg_href.len > 0 ? " \xC2\xB7 " : "";
	struct str text = str_printf(l->arena, STR_FMT "%s" STR_FMT, STR_ARG(csv_href), between,
				     STR_ARG(svg_href));

	return pdf_page_wrap(l, text, &style, l->paper->text_width);
}

bool pdf_table_add(struct pdf_layout *l, const struct report_table *t, struct error *err)
{
	const double caption_gap = 3, foot_gap = 3, page = pdf_page_body(l);
	const struct pdf_style caption_style = { .font = FONT_BOLD,
						 .size = PDF_CAPTION_SIZE,
						 .colour = pdf_ink };
	struct grid g = { .l = l, .t = t };

	if (t->ncolumns == 0)
		return error_set(err, ERR_DATA, "table '" STR_FMT "': no columns", STR_ARG(t->id));
	struct pdf_lines caption =
			     pdf_page_wrap(l, t->caption, &caption_style, l->paper->text_width),
			 file = pdf_table_files(l, t->csv_href, STR(""));
	set_widths(&g);
	break_rows(&g);
	double foot = l->tail;
	if (file.n > 0)
		foot += foot_gap + (double)file.n * PDF_SMALL_LEADING * l->looseness;
	double head =
	    (double)caption.n * PDF_SMALL_LEADING * l->looseness + caption_gap + g.header.height;
	double need = head + first_rows_height(&g, foot);
	pdf_page_place(l, 12, fmin(need, page - pdf_page_waiting(l)));
	pdf_page_anchor(l, t->id, l->y);
	size_t outer = pdf_page_enter(l, TAG_TABLE);
	draw_caption(l, &caption);
	l->y += caption.n > 0 ? caption_gap : 0;
	add_row_nodes(&g, &g.header, NULL);
	draw_header(&g, true);
	draw_rows(&g, foot);
	pdf_page_leave(l, outer);
	if (file.n > 0) {
		l->y += foot_gap;
		pdf_page_enter(l, TAG_P);
		draw_lines(l, &file, PDF_SMALL_LEADING * l->looseness, PDF_FILE_SIZE);
		pdf_page_leave(l, outer);
	}
	l->gap = 12;
	return true;
}
