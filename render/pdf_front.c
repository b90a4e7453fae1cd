#include "pdf_front.h"
#include "pdf_look.h"

#include <math.h>

/* The renderer's own words; everything else comes from the report. */
struct words {
	struct str language, contents, edition, page, of, end;
};

static const struct words words_by_language[] = {
	{ STR_INIT("en"), STR_INIT("Contents"), STR_INIT("Edition id "), STR_INIT("Page "),
	  STR_INIT(" of "), STR_INIT("") },
	{ STR_INIT("zh-Hans"), STR_INIT("目录"), STR_INIT("版本号 "), STR_INIT("第 "),
	  STR_INIT(" 页，共 "), STR_INIT(" 页") },
	{ STR_INIT("zh-Hant"), STR_INIT("目錄"), STR_INIT("版本號 "), STR_INIT("第 "),
	  STR_INIT(" 頁，共 "), STR_INIT(" 頁") },
};

static const struct words *words_for(struct str language)
{
	for (size_t i = 0; i < LEN(words_by_language); i++)
		if (str_eq(words_by_language[i].language, language))
			return &words_by_language[i];
	return &words_by_language[0];
}

/* ---- title block and contents ---- */

static void add_title(struct pdf_layout *l)
{
	const struct report *r = l->report;
	const struct words *words = words_for(r->language);
	const struct pdf_style title = { .font = FONT_BOLD, .size = 23, .colour = pdf_ink };
	const struct pdf_style subtitle = { .font = FONT_REGULAR, .size = 12, .colour = pdf_label };
	const struct pdf_style meta = { .font = FONT_REGULAR, .size = 9, .colour = pdf_muted };
	const double raise = 14; /* the first page has no line at its head */
	struct str line = str_printf(l->arena, STR_FMT STR_FMT, STR_ARG(words->edition),
				     STR_ARG(r->edition_id)); /* which starts with the date */
	struct pdf_lines titles = pdf_page_wrap(l, r->title, &title, PDF_TEXT_WIDTH);
	struct pdf_lines subtitles = pdf_page_wrap(l, r->subtitle, &subtitle, PDF_TEXT_WIDTH);
	struct pdf_lines metas = pdf_page_wrap(l, line, &meta, PDF_TEXT_WIDTH);

	l->y -= raise;
	pdf_page_box(l, PDF_LEFT, l->y - 4, 44, 4, pdf_accent);
	pdf_page_flow(
	    l, &(struct pdf_flow){ .lines = &titles, .x = PDF_LEFT, .leading = 28, .pad = 6 });
	pdf_page_flow(
	    l, &(struct pdf_flow){ .lines = &subtitles, .x = PDF_LEFT, .leading = 16, .after = 4 });
	pdf_page_flow(
	    l, &(struct pdf_flow){
		   .lines = &metas, .x = PDF_LEFT, .leading = 13, .before = 4, .after = 10 });
	pdf_page_place(l, 10, 1);
	pdf_page_box(l, PDF_LEFT, l->y, PDF_TEXT_WIDTH, 0.8, pdf_rule);
	l->gap = 12;
}

static bool is_chapter(const struct report_block *b)
{
	return b->kind == BLOCK_HEADING && b->level <= 2;
}

#define CONTENTS_LEADING 15.5

/* One line of the contents; its page number is set in when all pages are known. */
static void add_entry(struct pdf_layout *l, const struct report_block *b, double x, double y,
		      double width)
{
	const double number_width = 24;
	const struct pdf_style style = { .font = FONT_REGULAR, .size = 9.5, .colour = pdf_ink };
	struct pdf_page *page = pdf_page_current(l);
	struct str title = pdf_text_plain(l->fonts, &b->text, l->arena);
	struct pdf_lines lines = pdf_page_wrap(l, title, &style, width - number_width);
	double baseline = pdf_page_baseline(y, CONTENTS_LEADING, style.size);

	if (lines.n > 0)
		pdf_page_line(l, &lines.v[0], x, baseline);
	l->entries =
	    arena_grow(l->arena, l->entries, &l->entries_cap, l->nentries + 1, sizeof *l->entries);
	l->entries[l->nentries++] = (struct pdf_entry){ l->npages - 1, page->nitems, x + width };
	pdf_page_add(page, l, (struct pdf_item){ .kind = PDF_TEXT, .y = baseline });
	pdf_page_box(l, x, y + CONTENTS_LEADING - 0.4, width, 0.4, pdf_hairline);
	if (b->id.len == 0)
		return;
	struct str href = str_printf(l->arena, "#" STR_FMT, STR_ARG(b->id));
	pdf_page_link(l, (struct pdf_link){ x, y, width, CONTENTS_LEADING, href });
}

static double widest_title(struct pdf_layout *l, const struct report_block **chapters, size_t n)
{
	const struct pdf_style style = { .font = FONT_REGULAR, .size = 9.5 };
	double widest = 0;

	for (size_t i = 0; i < n; i++)
		widest = fmax(
		    widest, pdf_text_measure(l->fonts, &chapters[i]->text, &style, l->arena).whole);
	return widest;
}

/* In two columns where every title fits in one, and the list is not longer than a page. */
static void add_entries(struct pdf_layout *l, const struct report_block **chapters, size_t n)
{
	const double gutter = 22, half = (PDF_TEXT_WIDTH - gutter) / 2, number_width = 24;
	const size_t most_rows = 30;
	bool two =
	    n > 4 && n <= 2 * most_rows && widest_title(l, chapters, n) <= half - number_width;
	size_t columns = two ? 2 : 1;
	size_t rows = (n + columns - 1) / columns;
	double width = two ? half : PDF_TEXT_WIDTH;

	if (two)
		pdf_page_place(l, 0, (double)rows * CONTENTS_LEADING);
	double top = l->y;
	for (size_t i = 0; i < n; i++) {
		if (!two) {
			pdf_page_place(l, 0, CONTENTS_LEADING);
			add_entry(l, chapters[i], PDF_LEFT, l->y, width);
			l->y += CONTENTS_LEADING;
			continue;
		}
		double x = PDF_LEFT + (double)(i / rows) * (half + gutter);
		double y = top + (double)(i % rows) * CONTENTS_LEADING;
		add_entry(l, chapters[i], x, y, width);
		l->y = fmax(l->y, y + CONTENTS_LEADING);
	}
	l->gap = 14;
}

static void add_contents(struct pdf_layout *l)
{
	const struct report *r = l->report;
	const struct words *words = words_for(r->language);
	const struct pdf_style style = { .font = FONT_BOLD, .size = 11, .colour = pdf_ink };
	const struct report_block **chapters =
	    arena_array(l->arena, r->n, sizeof(const struct report_block *));
	size_t n = 0;

	for (size_t i = 0; i < r->n; i++)
		if (is_chapter(&r->blocks[i]))
			chapters[n++] = &r->blocks[i];
	if (n < 2)
		return;
	struct pdf_lines lines = pdf_page_wrap(l, words->contents, &style, PDF_TEXT_WIDTH);
	pdf_page_place(l, 12, 3 * CONTENTS_LEADING);
	l->at_top = false;
	pdf_page_line(l, &lines.v[0], PDF_LEFT,
		      pdf_page_baseline(l->y, CONTENTS_LEADING, style.size));
	l->y += CONTENTS_LEADING + 2;
	add_entries(l, chapters, n);
}

static void set_page_numbers(struct pdf_layout *l)
{
	const struct pdf_style style = { .font = FONT_REGULAR, .size = 9.5, .colour = pdf_muted };
	size_t entry = 0;

	for (size_t i = 0; i < l->nbookmarks && entry < l->nentries; i++) {
		if (l->bookmarks[i].level > 2)
			continue;
		const struct pdf_entry *e = &l->entries[entry++];
		struct pdf_item *item = &l->pages[e->page].items[e->item];
		struct str number = str_printf(l->arena, "%zu", l->bookmarks[i].at.page + 1);

		item->line = pdf_text_line(l->fonts, number, &style, l->arena);
		item->x = e->right - item->line.width;
	}
}

/* ---- running head and foot ---- */

static void add_margin_line(struct pdf_layout *l, size_t page, struct str text, bool right,
			    double y)
{
	const struct pdf_style style = { .font = FONT_REGULAR, .size = 7.8, .colour = pdf_muted };
	struct pdf_lines lines = pdf_page_wrap(l, text, &style, PDF_TEXT_WIDTH * 0.62);

	if (lines.n == 0)
		return;
	double x = right ? PDF_RIGHT - lines.v[0].width : PDF_LEFT;
	pdf_page_add(&l->pages[page], l,
		     (struct pdf_item){ .kind = PDF_TEXT, .x = x, .y = y, .line = lines.v[0] });
}

static void add_margin_rule(struct pdf_layout *l, size_t page, double y)
{
	pdf_page_add(&l->pages[page], l,
		     (struct pdf_item){ .kind = PDF_BOX,
					.x = PDF_LEFT,
					.y = y,
					.width = PDF_TEXT_WIDTH,
					.height = 0.4,
					.colour = pdf_hairline });
}

/* The first page has the title block in place of a head. */
static void add_margins(struct pdf_layout *l)
{
	const double head = 36, foot = PDF_HEIGHT - 34;
	const struct report *r = l->report;
	const struct words *words = words_for(r->language);

	for (size_t i = 0; i < l->npages; i++) {
		struct str number =
		    str_printf(l->arena, STR_FMT "%zu" STR_FMT "%zu" STR_FMT, STR_ARG(words->page),
			       i + 1, STR_ARG(words->of), l->npages, STR_ARG(words->end));
		if (i > 0) {
			add_margin_line(l, i, r->title, false, head);
			add_margin_line(l, i, r->edition_id, true, head);
			add_margin_rule(l, i, head + 6);
		}
		add_margin_rule(l, i, foot - 13);
		add_margin_line(l, i, r->generator, false, foot);
		add_margin_line(l, i, number, true, foot);
	}
}

void pdf_front_begin(struct pdf_layout *l)
{
	add_title(l);
	add_contents(l);
}

void pdf_front_end(struct pdf_layout *l)
{
	set_page_numbers(l);
	add_margins(l);
}
