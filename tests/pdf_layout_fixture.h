/* Pages as they are laid out, before they become a file. */
#ifndef TESTS_PDF_LAYOUT_FIXTURE_H
#define TESTS_PDF_LAYOUT_FIXTURE_H

#include "pdf_fixture.h"
#include "../render/pdf_page.h"
#include "../render/pdf_table.h"

/* A first page of A4 with nothing on it. */
static inline struct pdf_layout layout(struct fixture *f, const struct report *r)
{
	struct pdf_layout l = { .report = r,
				.paper = pdf_paper_find(STR("a4")),
				.looseness = 1,
				.fonts = f->fonts,
				.arena = &f->a,
				.anchors = { .arena = &f->a } };

	pdf_page_new(&l);
	return l;
}

/* Leaves `room` pt of the page, below something. */
static inline void leave_room(struct pdf_layout *l, double room)
{
	l->y = l->paper->bottom - room;
	l->at_top = false;
}

static inline struct pdf_lines some_lines(struct fixture *f, size_t n)
{
	const struct pdf_style style = { .font = FONT_MONO, .size = 10, .verbatim = true };
	struct strbuf b = { .arena = &f->a };
	struct pdf_lines lines;

	for (size_t i = 0; i < n; i++)
		strbuf_printf(&b, "line %zu\n", i + 1);
	struct spans spans = plain(f, strbuf_str(&b));
	pdf_text_break(f->fonts, &spans, &style, pdf_paper_find(STR("a4"))->text_width, &f->a,
		       &lines);
	return lines;
}

static inline size_t text_items(const struct pdf_page *page)
{
	size_t n = 0;

	for (size_t i = 0; i < page->nitems; i++)
		n += page->items[i].kind == PDF_TEXT;
	return n;
}

/* Lines that start with this text. */
static inline size_t count_text(const struct pdf_page *page, const char *text)
{
	size_t n = 0;

	for (size_t i = 0; i < page->nitems; i++)
		n += page->items[i].kind == PDF_TEXT
		     && str_eq(page->items[i].line.runs[0].text, str_of(text));
	return n;
}

/* Every word lies inside the margins. */
static inline bool inside(const struct pdf_layout *l)
{
	for (size_t p = 0; p < l->npages; p++)
		for (size_t i = 0; i < l->pages[p].nitems; i++) {
			const struct pdf_item *item = &l->pages[p].items[i];
			double width = item->kind == PDF_TEXT ? item->line.width : item->width;

			if (item->x < l->paper->left - 0.01
			    || item->x + width > l->paper->right + 0.01
			    || item->y < l->paper->top - 0.01 || item->y > l->paper->bottom + 0.5)
				return false;
		}
	return true;
}

#endif
