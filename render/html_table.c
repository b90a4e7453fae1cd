/* Tables: the heaviest part of a page, so cells say only what the sheet does not know of them. */
#include "html_out.h"
#include "href.h"

/* A text column of this share of the page or more holds sentences: a small screen must not squeeze
 * it to a word a line. */
static const double long_weight = 2.5;

/* From this many rows on a table scrolls by itself, under a head that stays. */
enum { TALL_ROWS = 24 };

/* The classes of a cell, in this order. */
static void put_classes(struct html *h, bool numeric, bool is_long, enum cell_tone tone)
{
	static const char *const tones[] = {
		[TONE_PLAIN] = NULL,
		[TONE_STRONG] = "strong",
		[TONE_MUTED] = "muted",
		[TONE_WARN] = "warned",
	};
	const char *classes[] = { numeric ? "num" : NULL, is_long ? "long" : NULL, tones[tone] };
	bool any = false;

	for (size_t i = 0; i < LEN(classes); i++) {
		if (!classes[i])
			continue;
		html_put(h, any ? " " : " class=\"");
		html_put(h, classes[i]);
		any = true;
	}
	if (any)
		html_put(h, "\"");
}

static void put_cell(struct html *h, const struct report_column *column,
		     const struct report_cell *cell)
{
	const char *tag = column->row_header ? "th" : "td";
	bool missing = cell->text.len == 0;

	strbuf_printf(&h->body, "<%s%s", tag, column->row_header ? " scope=\"row\"" : "");
	put_classes(h, column->numeric, !column->numeric && column->weight >= long_weight,
		    missing && cell->tone == TONE_PLAIN ? TONE_MUTED : cell->tone);
	if (cell->lang.len > 0 && !missing)
		html_put_attribute(h, "lang", cell->lang);
	html_put(h, ">");
	if (missing)
		html_put(h, "–");
	else
		html_put_link(h, cell->text, cell->href);
	strbuf_printf(&h->body, "</%s>", tag);
}

static void put_head(struct html *h, const struct report_table *t)
{
	html_put(h, "<thead><tr>");
	for (size_t c = 0; c < t->ncolumns; c++) {
		html_put(h, "<th scope=\"col\"");
		put_classes(h, t->columns[c].numeric, false, TONE_PLAIN);
		html_put(h, ">");
		html_put_text(h, t->columns[c].title);
		html_put(h, "</th>");
	}
	html_put(h, "</tr></thead>\n<tbody>\n");
}

static void put_rows(struct html *h, const struct report_table *t)
{
	for (size_t r = 0; r < t->nrows; r++) {
		html_put(h, "<tr>");
		for (size_t c = 0; c < t->ncolumns; c++)
			put_cell(h, &t->columns[c], &t->cells[r * t->ncolumns + c]);
		html_put(h, "</tr>\n");
	}
}

/* Whether any figure bears the sign of a scaled or estimated one. */
static bool has_signs(const struct html *h, const struct report_table *t)
{
	for (size_t i = 0; i < t->nrows * t->ncolumns; i++) {
		struct str text = t->cells[i].text;
		if (t->columns[i % t->ncolumns].numeric
		    && ((h->words.scaled.len > 0 && str_starts(text, h->words.scaled))
			|| (h->words.estimated.len > 0 && str_starts(text, h->words.estimated))))
			return true;
	}
	return false;
}

void html_put_table(struct html *h, const struct report_table *t)
{
	if (t->folded) {
		html_put(h, "<details><summary>");
		html_put_text(h, t->caption);
		html_put(h, "</summary>\n");
	}
	html_put(h, "<div class=\"table\"");
	if (t->id.len > 0)
		html_put_attribute(h, "id", t->id);
	/* it scrolls on a small screen, so it takes the keyboard's focus and has a name; a group
	 * and no region, which would be one more landmark for every table */
	html_put(h, t->nrows >= TALL_ROWS ? ">\n<div class=\"scroll tall\""
					  : ">\n<div class=\"scroll\"");
	html_put(h, " role=\"group\" tabindex=\"0\"");
	html_put_attribute(h, "aria-label", t->caption);
	html_put(h, ">\n<table><caption><span>");
	html_put_text(h, t->caption);
	html_put(h, "</span></caption>\n");
	put_head(h, t);
	put_rows(h, t);
	html_put(h, "</tbody></table></div>\n");
	if (has_signs(h, t)) {
		html_put(h, "<p class=\"signs\">");
		html_put_text(h, h->words.signs);
		html_put(h, "</p>\n");
	}
	html_put_files(h, t->csv_href, STR(""));
	html_put(h, "</div>\n");
	if (t->folded)
		html_put(h, "</details>\n");
}
