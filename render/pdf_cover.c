#include "pdf_cover.h"
#include "pdf_drawing.h"
#include "pdf_look.h"
#include "pdf_words.h"

#include <math.h>

/* One line of the title, in the order they stand. */
struct title_line {
	enum pdf_tag tag;
	struct pdf_style style;
	double leading, before, after, width; /* width: share of the text's */
};

static void add_line(struct pdf_layout *l, const struct title_line *t, const struct spans *text)
{
	size_t outer = l->node;
	struct pdf_lines lines;

	if (text->n == 0)
		return;
	pdf_page_enter(l, t->tag);
	pdf_text_break(l->fonts, text, &t->style, l->paper->text_width * t->width, l->arena,
		       &lines);
	pdf_page_flow(l, &(struct pdf_flow){ .lines = &lines,
					     .x = l->paper->left,
					     .leading = t->leading,
					     .before = t->before,
					     .after = t->after });
	pdf_page_leave(l, outer);
}

static void add_words(struct pdf_layout *l, const struct title_line *t, struct str text)
{
	struct spans spans = pdf_text_spans(text, (struct str){ 0 }, l->arena);

	if (text.len > 0)
		add_line(l, t, &spans);
}

static struct str edition_line(struct pdf_layout *l)
{
	const struct report *r = l->report;

	return str_printf(l->arena, STR_FMT STR_FMT, STR_ARG(pdf_words_for(r->language)->edition),
			  STR_ARG(r->edition_id)); /* which starts with the date */
}

static void add_rule(struct pdf_layout *l, double before, double after)
{
	pdf_page_place(l, before, 1);
	pdf_page_box(l, l->paper->left, l->y, l->paper->text_width, 0.8, pdf_rule);
	l->gap = after;
}

void pdf_cover_block(struct pdf_layout *l)
{
	const struct title_line title = {
		TAG_H1, { .font = FONT_BOLD, .size = 23, .colour = pdf_ink }, 28, 0, 6, 1
	};
	const struct title_line subtitle = {
		TAG_P, { .font = FONT_REGULAR, .size = 12, .colour = pdf_label }, 16, 0, 4, 1
	};
	const struct title_line meta = {
		TAG_P, { .font = FONT_REGULAR, .size = 9, .colour = pdf_muted }, 13, 4, 10, 1
	};
	const double raise = 14; /* the first page has no line at its head */

	l->y -= raise;
	pdf_page_box(l, l->paper->left, l->y - 4, 44, 4, pdf_accent);
	l->y += 6;
	add_words(l, &title, l->report->title);
	add_words(l, &subtitle, l->report->subtitle);
	add_words(l, &meta, edition_line(l));
	add_rule(l, 10, 12);
}

static const struct report_block *first_block(const struct report *r, enum block_kind kind)
{
	for (size_t i = 0; i < r->n; i++)
		if (r->blocks[i].kind == kind)
			return &r->blocks[i];
	return NULL;
}

/* The figure as large as the page has room for, its whole area a link. Tagged as a link and not as
 * a figure: the figure itself comes once, later. */
static void add_figure(struct pdf_layout *l, const struct report_figure *f)
{
	const double least = 0.35; /* of full width; smaller is no picture */
	double full = l->paper->text_width / f->drawing.width;
	double scale = fmin(full, pdf_page_left(l) / f->drawing.height);
	double width = f->drawing.width * scale, height = f->drawing.height * scale;
	double x = l->paper->left + (l->paper->text_width - width) / 2;
	struct str href = str_printf(l->arena, "#" STR_FMT, STR_ARG(f->id));

	if (scale < least * full)
		return;
	size_t node = pdf_tree_add(&l->tree, l->node, TAG_LINK, l->arena);
	pdf_page_add(pdf_page_current(l), l,
		     (struct pdf_item){ .kind = PDF_FIGURE,
					.x = x,
					.y = l->y,
					.scale = scale,
					.drawing = &f->drawing,
					.labels = pdf_drawing_labels(l, &f->drawing),
					.mark = PDF_ARTEFACT });
	pdf_page_link(l, (struct pdf_link){ .x = x,
					    .y = l->y,
					    .width = width,
					    .height = height,
					    .href = href,
					    .text = f->title,
					    .node = node });
}

void pdf_cover_add(struct pdf_layout *l)
{
	const struct title_line title = {
		TAG_H1, { .font = FONT_BOLD, .size = 32, .colour = pdf_ink }, 39, 0, 8, 1
	};
	const struct title_line subtitle = {
		TAG_P, { .font = FONT_REGULAR, .size = 14, .colour = pdf_label }, 19, 0, 8, 1
	};
	const struct title_line about = {
		TAG_P, { .font = FONT_REGULAR, .size = 11, .colour = pdf_ink }, 16, 4, 8, 0.85
	};
	const struct title_line meta = {
		TAG_P, { .font = FONT_REGULAR, .size = 9, .colour = pdf_muted }, 13, 4, 10, 1
	};
	const struct report_block *text = first_block(l->report, BLOCK_TEXT);
	const struct report_block *figure = first_block(l->report, BLOCK_FIGURE);

	pdf_page_box(l, l->paper->left, l->y - 4, 64, 6, pdf_accent);
	l->y += 20;
	add_words(l, &title, l->report->title);
	add_words(l, &subtitle, l->report->subtitle);
	if (text)
		add_line(l, &about, &text->text);
	add_words(l, &meta, edition_line(l));
	add_rule(l, 10, 16);
	pdf_page_place(l, 16, 1);
	if (figure)
		add_figure(l, figure->figure);
}
