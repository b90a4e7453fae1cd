#include "pdf_front.h"
#include "pdf_cover.h"
#include "pdf_look.h"
#include "pdf_words.h"

#include <math.h>

/* ---- contents ---- */

#define CHAPTER_LEADING 18.0
#define SECTION_LEADING 14.0
#define NUMBER_WIDTH 28.0

static size_t count_headings(const struct report *r, int deepest)
{
	size_t n = 0;

	for (size_t i = 0; i < r->n; i++)
		n += r->blocks[i].kind == BLOCK_HEADING && r->blocks[i].level <= deepest;
	return n;
}

/* Sections stand in the contents while all of it fits on a page. */
static int deepest_entry(const struct pdf_layout *l)
{
	const double title = 50, files = 40;
	size_t chapters = count_headings(l->report, 2), all = count_headings(l->report, 3);
	double height =
	    (double)chapters * CHAPTER_LEADING + (double)(all - chapters) * SECTION_LEADING;

	return height + title + files <= pdf_page_body(l) ? 3 : 2;
}

/* The number of an entry is set in when all pages are known; it belongs to the link as its title
 * does. */
static void add_number(struct pdf_layout *l, size_t node, double baseline, double right)
{
	struct pdf_page *page = pdf_page_current(l);
	int mark = pdf_page_mark(l, node);

	l->entries =
	    arena_grow(l->arena, l->entries, &l->entries_cap, l->nentries + 1, sizeof *l->entries);
	l->entries[l->nentries++] = (struct pdf_entry){ l->npages - 1, page->nitems, right };
	pdf_page_add(page, l, (struct pdf_item){ .kind = PDF_TEXT, .y = baseline, .mark = mark });
}

/* One entry: TOCI > Reference > Link, the whole line sensitive. */
static void add_entry(struct pdf_layout *l, const struct report_block *b)
{
	bool chapter = b->level <= 2;
	const struct pdf_style style = { .font = chapter ? FONT_BOLD : FONT_REGULAR,
					 .size = chapter ? 10 : 9,
					 .colour = chapter ? pdf_ink : pdf_label };
	double leading = chapter ? CHAPTER_LEADING : SECTION_LEADING, indent = chapter ? 0 : 12;
	double width = l->paper->text_width - indent;
	struct str title = pdf_text_plain(l->fonts, &b->text, l->arena);
	struct pdf_lines lines = pdf_page_wrap(l, title, &style, width - NUMBER_WIDTH);
	size_t rows = lines.n > 0 ? lines.n : 1, outer = pdf_page_enter(l, TAG_TOCI);

	pdf_page_place(l, 0, (double)rows * leading);
	pdf_page_enter(l, TAG_REFERENCE);
	pdf_page_enter(l, TAG_LINK);
	double top = l->y, baseline = pdf_page_baseline(top, leading, style.size);
	for (size_t i = 0; i < rows; i++, l->y += leading) {
		baseline = pdf_page_baseline(l->y, leading, style.size);
		if (i < lines.n)
			pdf_page_line(l, &lines.v[i], l->paper->left + indent, baseline);
	}
	add_number(l, l->node, baseline, l->paper->right);
	if (b->id.len > 0)
		pdf_page_link(
		    l, (struct pdf_link){ .x = l->paper->left + indent,
					  .y = top,
					  .width = width,
					  .height = l->y - top,
					  .href = str_printf(l->arena, "#" STR_FMT, STR_ARG(b->id)),
					  .text = title,
					  .node = l->node });
	pdf_page_leave(l, outer);
	pdf_page_box(l, l->paper->left + indent, l->y - 0.4, width, 0.4, pdf_hairline);
}

static void add_contents(struct pdf_layout *l)
{
	const struct report *r = l->report;
	const struct pdf_style style = { .font = FONT_BOLD, .size = 18, .colour = pdf_ink };
	const double leading = 26;
	struct pdf_lines lines =
	    pdf_page_wrap(l, pdf_words_for(r->language)->contents, &style, l->paper->text_width);
	int deepest = deepest_entry(l);
	size_t outer = pdf_page_enter(l, TAG_TOC), list = pdf_page_enter(l, TAG_CAPTION);

	pdf_page_flow(l,
		      &(struct pdf_flow){
			  .lines = &lines, .x = l->paper->left, .leading = leading, .after = 10 });
	pdf_page_leave(l, list);
	pdf_page_place(l, 10, CHAPTER_LEADING);
	for (size_t i = 0; i < r->n; i++)
		if (r->blocks[i].kind == BLOCK_HEADING && r->blocks[i].level <= deepest)
			add_entry(l, &r->blocks[i]);
	pdf_page_leave(l, outer);
	l->entries_deepest = deepest;
}

static void add_attached(struct pdf_layout *l)
{
	const struct pdf_words *words = pdf_words_for(l->report->language);
	const struct pdf_style style = { .font = FONT_REGULAR, .size = 8.5, .colour = pdf_muted };
	struct strbuf b = { .arena = l->arena };

	if (l->attached.n == 0)
		return;
	strbuf_add(&b, words->attached);
	for (size_t i = 0; i < l->attached.n; i++) {
		strbuf_add(&b, i > 0 ? words->between : STR(""));
		strbuf_add(&b, l->attached.v[i].name);
	}
	struct pdf_lines lines = pdf_page_wrap(l, strbuf_str(&b), &style, l->paper->text_width);
	size_t outer = pdf_page_enter(l, TAG_P);
	pdf_page_flow(l, &(struct pdf_flow){
			     .lines = &lines, .x = l->paper->left, .leading = 12, .before = 16 });
	pdf_page_leave(l, outer);
}

/* ---- page numbers ---- */

/* "iv"; front matter is far shorter than fifty pages. */
static struct str roman(size_t n, struct arena *a)
{
	static const struct {
		size_t value;
		const char *sign;
	} signs[] = { { 10, "x" }, { 9, "ix" }, { 5, "v" }, { 4, "iv" }, { 1, "i" } };
	struct strbuf b = { .arena = a };

	for (size_t i = 0; i < LEN(signs); i++)
		for (; n >= signs[i].value; n -= signs[i].value)
			strbuf_add(&b, str_of(signs[i].sign));
	return strbuf_str(&b);
}

/* As the page labels of the file have it. */
static struct str page_number(const struct pdf_layout *l, size_t page)
{
	return page < l->nfront ? roman(page + 1, l->arena)
				: str_printf(l->arena, "%zu", page + 1 - l->nfront);
}

static void set_page_numbers(struct pdf_layout *l)
{
	const struct pdf_style style = { .font = FONT_REGULAR, .size = 9.5, .colour = pdf_muted };
	size_t entry = 0;

	for (size_t i = 0; i < l->nbookmarks && entry < l->nentries; i++) {
		if (l->bookmarks[i].level > l->entries_deepest)
			continue;
		const struct pdf_entry *e = &l->entries[entry++];
		struct pdf_item *item = &l->pages[e->page].items[e->item];

		item->line = pdf_text_line(l->fonts, page_number(l, l->bookmarks[i].at.page),
					   &style, l->arena);
		item->x = e->right - item->line.width;
	}
}

/* ---- running head and foot ---- */

static void add_margin_line(struct pdf_layout *l, size_t page, struct str text, bool right,
			    double y)
{
	const struct pdf_style style = { .font = FONT_REGULAR, .size = 7.8, .colour = pdf_muted };
	struct pdf_lines lines = pdf_page_wrap(l, text, &style, l->paper->text_width * 0.62);

	if (lines.n == 0)
		return;
	double x = right ? l->paper->right - lines.v[0].width : l->paper->left;
	pdf_page_add(
	    &l->pages[page], l,
	    (struct pdf_item){
		.kind = PDF_TEXT, .x = x, .y = y, .line = lines.v[0], .mark = PDF_PAGINATION });
}

static void add_margin_rule(struct pdf_layout *l, size_t page, double y)
{
	pdf_page_add(&l->pages[page], l,
		     (struct pdf_item){ .kind = PDF_BOX,
					.x = l->paper->left,
					.y = y,
					.width = l->paper->text_width,
					.height = 0.4,
					.colour = pdf_hairline,
					.mark = PDF_PAGINATION });
}

/* The cover has neither, the first page of a short report has its title in place of a head. */
static void add_margins(struct pdf_layout *l)
{
	const double head = 36, foot = l->paper->height - 34;
	const struct report *r = l->report;
	const struct pdf_words *words = pdf_words_for(r->language);

	for (size_t i = l->nfront > 0; i < l->npages; i++) {
		struct str number = page_number(l, i);

		if (i > 0) {
			add_margin_line(l, i, r->title, false, head);
			add_margin_line(l, i, r->edition_id, true, head);
			add_margin_rule(l, i, head + 6);
		}
		add_margin_rule(l, i, foot - 13);
		if (i >= l->nfront) {
			add_margin_line(l, i, r->generator, false, foot);
			number =
			    str_printf(l->arena, STR_FMT STR_FMT STR_FMT "%zu" STR_FMT,
				       STR_ARG(words->page), STR_ARG(number), STR_ARG(words->of),
				       l->npages - l->nfront, STR_ARG(words->end));
		}
		add_margin_line(l, i, number, true, foot);
	}
}

void pdf_front_begin(struct pdf_layout *l)
{
	if (count_headings(l->report, 2) < 2) {
		pdf_cover_block(l);
		return;
	}
	pdf_cover_add(l);
	pdf_page_new(l);
	add_contents(l);
	add_attached(l);
	l->nfront = l->npages;
	pdf_page_new(l);
}

void pdf_front_end(struct pdf_layout *l)
{
	set_page_numbers(l);
	add_margins(l);
}
