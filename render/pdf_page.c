#include "pdf_page.h"
#include "pdf_look.h"

#include <math.h>

#define PAPER(paper_name, w, h)                                                                    \
	{                                                                                          \
		.name = STR_INIT(paper_name), .width = w, .height = h, .left = 51, .top = 60,      \
		.right = (w)-51, .bottom = (h)-58, .text_width = (w)-102                           \
	}

/* ISO 216 and ANSI/ASME Y14.1; the first is taken where nothing is said. */
static const struct pdf_paper papers[] = {
	PAPER("a4", 595.276, 841.890),
	PAPER("letter", 612, 792),
};

const struct pdf_paper *pdf_paper_find(struct str name)
{
	if (name.len == 0)
		return &papers[0];
	for (size_t i = 0; i < LEN(papers); i++)
		if (str_eq(papers[i].name, name))
			return &papers[i];
	return NULL;
}

double pdf_page_looseness(struct str language)
{
	return str_starts(language, STR("zh")) ? 1.14 : 1;
}

/* ---- structure ---- */

size_t pdf_page_enter(struct pdf_layout *l, enum pdf_tag tag)
{
	size_t outer = l->node;

	l->node = pdf_tree_add(&l->tree, outer, tag, l->arena);
	return outer;
}

void pdf_page_leave(struct pdf_layout *l, size_t outer)
{
	l->node = outer;
}

int pdf_page_mark(struct pdf_layout *l, size_t node)
{
	struct pdf_page *page = pdf_page_current(l);

	if (node == PDF_NO_NODE)
		return PDF_ARTEFACT;
	if (page->mark_open && page->nmarks > 0 && page->marks[page->nmarks - 1] == node)
		return (int)page->nmarks - 1;
	page->marks = arena_grow(l->arena, page->marks, &page->marks_cap, page->nmarks + 1,
				 sizeof *page->marks);
	page->marks[page->nmarks] = node;
	pdf_tree_kid(&l->tree, node, (struct pdf_kid){ KID_MARK, l->npages - 1, page->nmarks },
		     l->arena);
	return (int)page->nmarks++;
}

/* ---- items ---- */

static void add_page(struct pdf_layout *l)
{
	l->pages = arena_grow(l->arena, l->pages, &l->pages_cap, l->npages + 1, sizeof *l->pages);
	l->pages[l->npages++] = (struct pdf_page){ 0 };
	l->y = l->paper->top;
	l->gap = 0;
	l->at_top = true;
}

/* A heading that waits must stand before its figure, so the figure then waits on. */
void pdf_page_new(struct pdf_layout *l)
{
	const double least = 0.25 * pdf_page_body(l); /* else the rest stays white */
	const struct report_figure *f = l->floating;

	add_page(l);
	if (!f || l->nwaiting > 0)
		return;
	l->floating = NULL;
	l->draw_floating(l, f);
	l->y += l->gap;
	l->gap = 0;
	if (pdf_page_left(l) < least)
		add_page(l);
}

struct pdf_page *pdf_page_current(struct pdf_layout *l)
{
	return &l->pages[l->npages - 1];
}

struct pdf_item *pdf_page_add(struct pdf_page *page, struct pdf_layout *l, struct pdf_item item)
{
	page->items = arena_grow(l->arena, page->items, &page->items_cap, page->nitems + 1,
				 sizeof *page->items);
	page->items[page->nitems] = item;
	page->mark_open = item.mark >= 0;
	return &page->items[page->nitems++];
}

void pdf_page_box(struct pdf_layout *l, double x, double y, double width, double height,
		  struct colour colour)
{
	pdf_page_add(pdf_page_current(l), l,
		     (struct pdf_item){ .kind = PDF_BOX,
					.x = x,
					.y = y,
					.width = width,
					.height = height,
					.colour = colour,
					.mark = PDF_ARTEFACT });
}

void pdf_page_link(struct pdf_layout *l, struct pdf_link link)
{
	struct pdf_page *page = pdf_page_current(l);

	page->links = arena_grow(l->arena, page->links, &page->links_cap, page->nlinks + 1,
				 sizeof *page->links);
	page->links[page->nlinks] = link;
	pdf_tree_kid(&l->tree, link.node, (struct pdf_kid){ KID_LINK, l->npages - 1, page->nlinks },
		     l->arena);
	page->nlinks++;
}

/* The node of a part of a line: a link, words in another language, or the present one. A link that
 * goes on over a line's end stays one node. */
static size_t part_node(struct pdf_layout *l, const struct pdf_run *run)
{
	enum pdf_tag tag = run->href.len > 0 ? TAG_LINK : TAG_SPAN;

	if (l->node == PDF_NO_NODE || (run->href.len == 0 && run->lang.len == 0))
		return l->node;
	if (l->tree.n > l->node && l->tree.v[l->node].nkids > 0) {
		const struct pdf_node *n = &l->tree.v[l->node];
		const struct pdf_kid *last = &n->kids[n->nkids - 1];
		const struct pdf_node *before =
		    last->kind == KID_NODE ? &l->tree.v[last->at] : NULL;
		if (before && before->tag == tag && str_eq(before->alt, run->href)
		    && str_eq(before->lang, run->lang))
			return last->at;
	}
	size_t node = pdf_tree_add(&l->tree, l->node, tag, l->arena);
	l->tree.v[node].alt = run->href;
	l->tree.v[node].lang = run->lang;
	return node;
}

static void add_link(struct pdf_layout *l, const struct pdf_run *run, double x, double y,
		     size_t node)
{
	const double above = 0.8, below = 0.25; /* em around the baseline */

	pdf_page_link(l, (struct pdf_link){ .x = x + run->x,
					    .y = y - above * run->size,
					    .width = run->width,
					    .height = (above + below) * run->size,
					    .href = run->href,
					    .text = run->text,
					    .node = node });
}

struct pdf_lines pdf_page_wrap(struct pdf_layout *l, struct str text, const struct pdf_style *style,
			       double width)
{
	struct spans spans = pdf_text_spans(text, (struct str){ 0 }, l->arena);
	struct pdf_lines lines;

	pdf_text_break(l->fonts, &spans, style, width, l->arena, &lines);
	return lines;
}

size_t pdf_page_part(const struct pdf_line *line, size_t from)
{
	size_t to = from + 1;

	while (to < line->n && str_eq(line->runs[to].href, line->runs[from].href)
	       && str_eq(line->runs[to].lang, line->runs[from].lang))
		to++;
	return to;
}

void pdf_page_line(struct pdf_layout *l, const struct pdf_line *line, double x, double y)
{
	int first = PDF_ARTEFACT;

	if (line->n == 0)
		return;
	for (size_t at = 0, to; at < line->n; at = to) {
		size_t node = part_node(l, &line->runs[at]);
		int mark = pdf_page_mark(l, node);

		pdf_page_current(l)->mark_open = false; /* the next part has its own */
		to = pdf_page_part(line, at);
		if (at == 0)
			first = mark;
		for (size_t i = at; i < to && line->runs[at].href.len > 0; i++)
			add_link(l, &line->runs[i], x, y, node);
	}
	pdf_page_add(
	    pdf_page_current(l), l,
	    (struct pdf_item){ .kind = PDF_TEXT, .x = x, .y = y, .line = *line, .mark = first });
}

double pdf_page_baseline(double top, double leading, double size)
{
	const double ascent = 0.72, descent = 0.21; /* of capitals and tails, em */

	return top + (leading - (ascent + descent) * size) / 2 + ascent * size;
}

void pdf_page_anchor(struct pdf_layout *l, struct str id, double y)
{
	bool fresh;

	if (id.len == 0)
		return;
	map_put(&l->anchors, id, l->nplaces, &fresh);
	if (!fresh) /* an id given twice leads to its first place, as in HTML */
		return;
	l->places =
	    arena_grow(l->arena, l->places, &l->places_cap, l->nplaces + 1, sizeof *l->places);
	l->places[l->nplaces++] = (struct pdf_place){ l->npages - 1, y };
}

/* ---- headings that wait ---- */

double pdf_page_left(const struct pdf_layout *l)
{
	return l->paper->bottom - l->y;
}

double pdf_page_body(const struct pdf_layout *l)
{
	return l->paper->bottom - l->paper->top;
}

static double heading_height(const struct pdf_heading *h)
{
	return (double)h->lines.n * h->leading;
}

/* Waiting headings and the white space between them, from a pen with `gap` owed. */
static double waiting_height(const struct pdf_layout *l, bool top, double gap, double before)
{
	double sum = 0;

	for (size_t i = 0; i < l->nwaiting; i++) {
		const struct pdf_heading *h = &l->waiting[i];

		sum += (top ? 0 : fmax(gap, h->before)) + heading_height(h);
		gap = h->after;
		top = false;
	}
	return sum + (top ? 0 : l->nwaiting > 0 ? gap : fmax(gap, before));
}

double pdf_page_waiting(const struct pdf_layout *l)
{
	return waiting_height(l, true, 0, 0);
}

static void skip(struct pdf_layout *l, double before)
{
	if (!l->at_top)
		l->y += fmax(l->gap, before);
	l->gap = 0;
	l->at_top = false;
}

static void place_heading(struct pdf_layout *l, const struct pdf_heading *h)
{
	size_t outer = l->node;

	skip(l, h->before);
	pdf_page_leave(l, h->node);
	pdf_page_anchor(l, h->id, l->y);
	l->bookmarks = arena_grow(l->arena, l->bookmarks, &l->bookmarks_cap, l->nbookmarks + 1,
				  sizeof *l->bookmarks);
	l->bookmarks[l->nbookmarks++] =
	    (struct pdf_bookmark){ h->title, h->level, { l->npages - 1, l->y } };
	for (size_t i = 0; i < h->lines.n; i++) {
		const struct pdf_line *line = &h->lines.v[i];
		double size = line->n > 0 ? line->runs[0].size : 0;

		pdf_page_line(l, line, l->paper->left, pdf_page_baseline(l->y, h->leading, size));
		l->y += h->leading;
	}
	l->gap = h->after;
	pdf_page_leave(l, outer);
}

void pdf_page_place(struct pdf_layout *l, double before, double need)
{
	const double slack = 1e-6; /* sums of heights that fill a page exactly */
	double room = waiting_height(l, l->at_top, l->gap, before) + need;
	bool headed = l->nwaiting > 0;

	if (!l->at_top && room > pdf_page_left(l) + slack)
		pdf_page_new(l);
	/* below a floating figure */
	if (!l->at_top && waiting_height(l, false, 0, before) + need > pdf_page_left(l) + slack)
		pdf_page_new(l);
	for (size_t i = 0; i < l->nwaiting; i++)
		place_heading(l, &l->waiting[i]);
	l->nwaiting = 0;
	/* What follows a heading keeps the heading's own distance. */
	skip(l, headed ? 0 : before);
}

static enum pdf_tag tag_of_level(int level)
{
	return level <= 1 ? TAG_H1 : level == 2 ? TAG_H2 : TAG_H3;
}

void pdf_page_heading(struct pdf_layout *l, struct pdf_heading h)
{
	l->waiting =
	    arena_grow(l->arena, l->waiting, &l->waiting_cap, l->nwaiting + 1, sizeof *l->waiting);
	h.node = pdf_tree_add(&l->tree, l->node, tag_of_level(h.level), l->arena);
	l->waiting[l->nwaiting++] = h;
}

void pdf_page_flush(struct pdf_layout *l)
{
	if (l->nwaiting > 0)
		pdf_page_place(l, 0, 0);
}

/* ---- text over pages ---- */

static double flow_size(const struct pdf_lines *lines)
{
	for (size_t i = 0; i < lines->n; i++)
		if (lines->v[i].n > 0)
			return lines->v[i].runs[0].size;
	return PDF_BODY_SIZE;
}

/* No fewer lines of a paragraph stand alone at the foot of a page (HEAD), at the top of the next
 * one (END), or there where nothing follows (LAST_END): two lines on a page look like a mistake. */
enum { LINES_HEAD = 2, LINES_END = 2, LINES_LAST_END = 3 };

static size_t lines_end(const struct pdf_flow *f)
{
	return f->last ? LINES_LAST_END : LINES_END;
}

/* How many of the `left` lines go on this page: all if they fit with what must stay with them, else
 * so many that those which go over are not too few, and at least one so that it goes on. */
static size_t lines_here(const struct pdf_layout *l, const struct pdf_flow *f, size_t left)
{
	const double slack = 1e-6;
	const size_t end = lines_end(f);
	double room = pdf_page_left(l) - 2 * f->pad + slack;
	size_t fit = room > f->leading ? (size_t)(room / f->leading) : 1;
	bool with_tail = (double)left * f->leading + f->tail <= room;

	if (fit >= left && (with_tail || left <= end))
		return left;
	return left <= end ? 1 : fit < left - end ? fit : left - end;
}

static void flow_chunk(struct pdf_layout *l, const struct pdf_flow *f, size_t from, size_t n,
		       double size)
{
	const double bar_width = 2.6;
	double height = (double)n * f->leading + 2 * f->pad;

	if (f->boxed) {
		pdf_page_box(l, l->paper->left, l->y, l->paper->text_width, height, f->fill);
		pdf_page_box(l, l->paper->left, l->y, bar_width, height, f->bar);
	}
	l->y += f->pad;
	if (f->marker && from == 0) {
		size_t outer = l->node;

		pdf_page_leave(l, f->marker_node);
		pdf_page_line(l, f->marker, f->marker_x, pdf_page_baseline(l->y, f->leading, size));
		pdf_page_leave(l, outer);
	}
	for (size_t i = from; i < from + n; i++) {
		pdf_page_line(l, &f->lines->v[i], f->x, pdf_page_baseline(l->y, f->leading, size));
		l->y += f->leading;
	}
	l->y += f->pad;
}

void pdf_page_flow(struct pdf_layout *l, const struct pdf_flow *f)
{
	const double page = pdf_page_body(l);
	size_t n = f->lines->n, first = n < LINES_HEAD + lines_end(f) ? n : LINES_HEAD;
	double size = flow_size(f->lines), all = (double)n * f->leading + 2 * f->pad;

	if (n == 0)
		return;
	if (f->whole && all + f->tail + pdf_page_waiting(l) <= page)
		first = n;
	pdf_page_place(l, f->before,
		       (double)first * f->leading + 2 * f->pad + (first == n ? f->tail : 0));
	for (size_t at = 0, take; at < n; at += take) {
		if (at > 0)
			pdf_page_new(l);
		take = lines_here(l, f, n - at);
		flow_chunk(l, f, at, take, size);
		l->at_top = false;
	}
	l->gap = f->after;
}
