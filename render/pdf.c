#include "pdf.h"
#include "doc.h"
#include "pdf_drawing.h"
#include "pdf_emit.h"
#include "pdf_front.h"
#include "pdf_look.h"
#include "pdf_pack.h"
#include "pdf_page.h"
#include "pdf_table.h"

#include <linebreak.h>
#include <math.h>

static bool pdf_begin(void *ctx, const struct report *r, struct error *err)
{
	struct pdf_layout *l = ctx;

	(void)err;
	(void)r;
	pdf_page_new(l);
	pdf_front_begin(l);
	return true;
}

static struct pdf_style body_style(void)
{
	return (struct pdf_style){ .font = FONT_REGULAR, .size = PDF_BODY_SIZE, .colour = pdf_ink };
}

/* Height of a text of one or two lines, with the white space before it; 0 for another block, which
 * may stand on a page of its own. */
static double short_height(struct pdf_layout *l, const struct report_block *b)
{
	enum { SHORT_LINES = 2 };
	const double white = 12;
	struct pdf_style style = body_style();
	struct pdf_lines lines;

	if (b->kind != BLOCK_TEXT)
		return 0;
	pdf_text_break(l->fonts, &b->text, &style, l->paper->text_width, l->arena, &lines);
	return lines.n <= SHORT_LINES
		   ? white + (double)lines.n * PDF_BODY_LEADING * l->looseness
		   : 0;
}

/* Called first for every block, so that what stands above a short text at the end of the report
 * goes over to the last page with it. */
static void next_block(struct pdf_layout *l)
{
	const struct report *r = l->report;

	l->nblocks++;
	l->tail = l->nblocks + 1 == r->n ? short_height(l, &r->blocks[r->n - 1]) : 0;
}

static bool is_last(const struct pdf_layout *l)
{
	return l->nblocks == l->report->n;
}

static bool pdf_text(void *ctx, const struct spans *text, struct error *err)
{
	struct pdf_layout *l = ctx;
	struct pdf_style style = body_style();
	struct pdf_lines lines;
	size_t outer = pdf_page_enter(l, TAG_P);

	(void)err;
	next_block(l);
	pdf_text_break(l->fonts, text, &style, l->paper->text_width, l->arena, &lines);
	pdf_page_flow(l, &(struct pdf_flow){ .lines = &lines,
					     .x = l->paper->left,
					     .before = 7,
					     .leading = PDF_BODY_LEADING * l->looseness,
					     .after = 7,
					     .tail = l->tail,
					     .last = is_last(l) });
	pdf_page_leave(l, outer);
	return true;
}

static bool pdf_note(void *ctx, enum note_tone tone, const struct spans *text, struct error *err)
{
	static const struct {
		const struct colour *fill, *bar;
	} tones[] = {
		[NOTE_INFO] = { &pdf_info_fill, &pdf_accent },
		[NOTE_WARN] = { &pdf_warn_fill, &pdf_warn_bar },
	};
	const double inset = 11;
	struct pdf_layout *l = ctx;
	struct pdf_style style = body_style();
	struct pdf_lines lines;
	size_t outer = pdf_page_enter(l, TAG_P);

	(void)err;
	next_block(l);
	pdf_text_break(l->fonts, text, &style, l->paper->text_width - 2 * inset, l->arena, &lines);
	pdf_page_flow(l, &(struct pdf_flow){ .lines = &lines,
					     .x = l->paper->left + inset,
					     .leading = PDF_BODY_LEADING * l->looseness,
					     .before = 9,
					     .after = 9,
					     .tail = l->tail,
					     .last = is_last(l),
					     .boxed = true,
					     .whole = true,
					     .pad = 6,
					     .fill = *tones[tone].fill,
					     .bar = *tones[tone].bar });
	pdf_page_leave(l, outer);
	return true;
}

static bool pdf_list(void *ctx, const struct spans *items, size_t n, struct error *err)
{
	const double indent = 13, hang = 9.5;
	struct pdf_layout *l = ctx;
	struct pdf_style style = body_style();
	struct pdf_line bullet = pdf_text_line(l->fonts, STR("\xE2\x80\xA2"), &style, l->arena);

	size_t outer = pdf_page_enter(l, TAG_L);

	(void)err;
	next_block(l);
	for (size_t i = 0; i < n; i++) {
		struct pdf_lines lines;
		size_t list = pdf_page_enter(l, TAG_LI);
		size_t label = pdf_tree_add(&l->tree, l->node, TAG_LBL, l->arena);
		pdf_page_enter(l, TAG_LBODY);

		pdf_text_break(l->fonts, &items[i], &style, l->paper->text_width - indent, l->arena,
			       &lines);
		pdf_page_flow(l, &(struct pdf_flow){ .lines = &lines,
						     .x = l->paper->left + indent,
						     .marker = &bullet,
						     .marker_node = label,
						     .marker_x = l->paper->left + indent - hang,
						     .leading = PDF_BODY_LEADING * l->looseness,
						     .before = i > 0 ? 2.5 : 5,
						     .after = i + 1 < n ? 2.5 : 7,
						     .tail = i + 1 < n ? 0 : l->tail,
						     .last = i + 1 == n && is_last(l) });
		pdf_page_leave(l, list);
	}
	pdf_page_leave(l, outer);
	return true;
}

static bool pdf_code(void *ctx, const struct spans *text, struct error *err)
{
	const double inset = 10;
	const struct pdf_style style = {
		.font = FONT_MONO, .size = 8, .colour = pdf_label, .verbatim = true
	};
	struct pdf_layout *l = ctx;
	struct pdf_lines lines;
	size_t outer = pdf_page_enter(l, TAG_P);

	(void)err;
	next_block(l);
	pdf_page_enter(l, TAG_CODE);
	pdf_text_break(l->fonts, text, &style, l->paper->text_width - 2 * inset, l->arena, &lines);
	pdf_page_flow(l, &(struct pdf_flow){ .lines = &lines,
					     .x = l->paper->left + inset,
					     .leading = 11,
					     .before = 9,
					     .after = 9,
					     .tail = l->tail,
					     .last = is_last(l),
					     .boxed = true,
					     .whole = true,
					     .pad = 6,
					     .fill = pdf_band,
					     .bar = pdf_hairline });
	pdf_page_leave(l, outer);
	return true;
}

static bool pdf_table(void *ctx, const struct report_table *t, struct error *err)
{
	struct pdf_layout *l = ctx;

	next_block(l);
	return pdf_table_add(l, t, err);
}

static const double shrink_least = 0.8;

static void add_drawing(struct pdf_layout *l, const struct report_figure *f, double scale,
			size_t node)
{
	double width = f->drawing.width * scale, height = f->drawing.height * scale;
	double x = l->paper->left + (l->paper->text_width - width) / 2;
	struct pdf_node *n = &l->tree.v[node];

	n->alt = f->alt.len > 0 ? f->alt : f->title;
	n->left = x;
	n->top = l->y;
	n->right = x + width;
	n->bottom = l->y + height;
	pdf_page_anchor(l, f->id, l->y);
	pdf_page_add(pdf_page_current(l), l,
		     (struct pdf_item){ .kind = PDF_FIGURE,
					.y = l->y,
					.scale = scale,
					.x = x,
					.drawing = &f->drawing,
					.labels = pdf_drawing_labels(l, &f->drawing),
					.mark = pdf_page_mark(l, node) });
	l->y += height;
}

/* The title in bold and the caption behind it, as in HTML. */
static struct pdf_lines caption_lines(struct pdf_layout *l, const struct report_figure *f,
				      const struct pdf_style *style)
{
	struct span parts[] = { { .text = f->title, .strong = true },
				{ .text = STR(" ") },
				{ .text = f->caption } };
	struct spans spans = { parts, LEN(parts), LEN(parts) };
	struct pdf_lines lines;

	pdf_text_break(l->fonts, &spans, style, l->paper->text_width, l->arena, &lines);
	return lines;
}

/* Room for a drawing on the page as it is, headings that wait and its `below` taken off. */
static double room_here(const struct pdf_layout *l, double below)
{
	const double white = 24; /* before headings and figure */

	return pdf_page_left(l) - pdf_page_waiting(l) - white - below;
}

/* A figure's nodes: the drawing, its caption and the line of file names are made together in the
 * report's order, wherever the figure comes to stand. */
enum { NODE_FIGURE, NODE_CAPTION, NODE_FILES, FIGURE_NODES };

static size_t add_nodes(struct pdf_layout *l)
{
	size_t first = pdf_tree_add(&l->tree, 0, TAG_FIGURE, l->arena);

	pdf_tree_add(&l->tree, 0, TAG_CAPTION, l->arena);
	pdf_tree_add(&l->tree, 0, TAG_P, l->arena);
	return first;
}

/* The lines below a drawing. */
static void add_below(struct pdf_layout *l, const struct pdf_lines *lines, size_t node)
{
	size_t outer = l->node;

	pdf_page_leave(l, node);
	pdf_page_flow(l, &(struct pdf_flow){ .lines = lines,
					     .x = l->paper->left,
					     .leading = PDF_SMALL_LEADING * l->looseness });
	pdf_page_leave(l, outer);
}

/* As wide as the text; smaller when it is then higher than a page with its caption, or when a fifth
 * less lets it stand on the page that has begun. With `may_wait` it waits for the next page when it
 * would leave much of this one empty; tells whether it stands now. */
static bool place_figure(struct pdf_layout *l, const struct report_figure *f, size_t node,
			 bool may_wait)
{
	const struct pdf_style style = { .font = FONT_REGULAR,
					 .size = PDF_CAPTION_SIZE,
					 .colour = pdf_label };
	const double gap = 4, page = pdf_page_body(l), empty_most = 0.15 * page;
	struct pdf_lines caption = caption_lines(l, f, &style);
	struct pdf_lines file = pdf_table_files(l, f->csv_href, f->svg_href);
	double below = (double)(caption.n + file.n) * PDF_SMALL_LEADING * l->looseness + gap;
	double room = fmax(page - pdf_page_waiting(l) - below, page / 3);
	double scale = fmin(l->paper->text_width / f->drawing.width, room / f->drawing.height);
	double here = room_here(l, below) / f->drawing.height;
	if (here < scale && here >= shrink_least * scale)
		scale = here;
	else if (may_wait && here < scale && room_here(l, 0) > empty_most)
		return false;
	pdf_page_place(l, 10, f->drawing.height * scale + below);
	add_drawing(l, f, scale, node + NODE_FIGURE);
	l->gap = gap;
	add_below(l, &caption, node + NODE_CAPTION);
	add_below(l, &file, node + NODE_FILES);
	l->gap = 12;
	return true;
}

static void draw_floating(struct pdf_layout *l, const struct report_figure *f)
{
	place_figure(l, f, l->floating_node, false);
}

/* Places the figure that waits, before anything that it must not pass. */
static void settle_floating(struct pdf_layout *l)
{
	const struct report_figure *f = l->floating;

	l->floating = NULL;
	if (f)
		place_figure(l, f, l->floating_node, false);
}

static bool pdf_figure(void *ctx, const struct report_figure *f, struct error *err)
{
	struct pdf_layout *l = ctx;

	next_block(l);
	if (!pdf_drawing_check(f, err))
		return false;
	settle_floating(l);
	size_t node = add_nodes(l);
	if (!place_figure(l, f, node, true)) {
		l->floating = f;
		l->floating_node = node;
	}
	return true;
}

static bool pdf_heading(void *ctx, int level, struct str id, const struct spans *text,
			struct error *err)
{
	static const struct {
		double size, leading, before, after;
	} looks[] = { { 15, 19, 24, 7 }, { 11.2, 15, 15, 4 } };
	struct pdf_layout *l = ctx;
	size_t look = level <= 2 ? 0 : 1;
	struct pdf_style style = { .font = FONT_BOLD, .size = looks[look].size, .colour = pdf_ink };
	if (level <= 2)
		settle_floating(l);
	struct pdf_heading h = { .id = id,
				 .level = level,
				 .leading = looks[look].leading,
				 .before = looks[look].before,
				 .after = looks[look].after };

	(void)err;
	next_block(l);
	h.title = pdf_text_plain(l->fonts, text, l->arena);
	pdf_text_break(l->fonts, text, &style, l->paper->text_width, l->arena, &h.lines);
	pdf_page_heading(l, h);
	return true;
}

static bool pdf_end(void *ctx, struct error *err)
{
	struct pdf_layout *l = ctx;

	(void)err;
	settle_floating(l);
	pdf_page_flush(l);
	pdf_front_end(l);
	return true;
}

static const struct doc_ops pdf_ops = { pdf_begin, pdf_heading, pdf_text, pdf_note, pdf_list,
					pdf_table, pdf_figure,  pdf_code, pdf_end };

void pdf_prepare(void)
{
	init_linebreak();
}

bool pdf_write(const struct report *r, const struct pdf_options *opt, struct font_set *fonts,
	       struct arena *a, struct str *out, struct error *err)
{
	struct pdf_layout l = {
		.report = r,
		.paper = pdf_paper_find(opt->paper),
		.looseness = pdf_page_looseness(r->language),
		.fonts = fonts,
		.arena = a,
		.anchors = { .arena = a },
		.draw_floating = draw_floating,
	};
	struct str loose;

	if (!l.paper)
		return error_set(err, ERR_UNKNOWN, "paper '" STR_FMT "' is none of a4, letter",
				 STR_ARG(opt->paper));
	return pdf_attach_read(opt->dir, a, &l.attached, err) && doc_walk(r, &pdf_ops, &l, err)
	       && pdf_emit(&l, opt->tmp_dir, &loose, err) && pdf_pack(loose, a, out, err);
}
