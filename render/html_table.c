/* Tables: the heaviest part of a page, so cells say only what the sheet does not know of them. */
#include "html_out.h"
#include "href.h"

#include <stdint.h>

/* What a text column holds, by the longest of its texts in characters: the sheet gives each kind
 * its least width, so that a small screen neither squeezes sentences to a word a line nor spends
 * room on a "yes". Names of rows have a width of their own, and another where they are titles. */
static const struct {
	size_t most;
	const char *class;
} kinds[] = {
	{ 5, "short" },
	{ 9, NULL },    /* a word or two */
	{ 16, "name" }, /* a name, a date */
	{ 60, "wide" }, /* some names, two dates, a remark */
	{ 130, "long" }, /* a sentence */
	{ SIZE_MAX, "prose" },
};

/* From this many rows on a table scrolls by itself, under a head that stays. */
enum { TALL_ROWS = 24 };

/* A name of a row with more characters is a title: the longest names of cards have some 30. */
enum { NAME_MOST = 40 };

/* Chinese characters are as wide as two others. */
static size_t text_columns(struct str s)
{
	const unsigned first_wide = 0x2E80;
	size_t n = 0;

	for (size_t at = 0; at < s.len;)
		n += str_next_utf8(s, &at) >= first_wide ? 2 : 1;
	return n;
}

static const char *kind_of(const struct report_table *t, size_t column)
{
	size_t longest = 0, k = 0;

	for (size_t r = 0; r < t->nrows; r++) {
		size_t n = text_columns(t->cells[r * t->ncolumns + column].text);
		longest = n > longest ? n : longest;
	}
	if (t->columns[column].row_header)
		return longest > NAME_MOST ? "title" : NULL;
	while (longest > kinds[k].most)
		k++;
	return kinds[k].class;
}

/* Two classes at most, or NULL. */
static void put_classes(struct html *h, const char *first, const char *second)
{
	if (first || second)
		strbuf_printf(&h->body, " class=\"%s%s%s\"", first ? first : "",
			      first && second ? " " : "", second ? second : "");
}

static void put_cell(struct html *h, const struct report_column *column,
		     const struct report_cell *cell)
{
	static const char *const tones[] = {
		[TONE_PLAIN] = NULL,
		[TONE_STRONG] = "strong",
		[TONE_MUTED] = "muted",
		[TONE_WARN] = "warned",
	};
	const char *tag = column->row_header ? "th" : "td";
	bool missing = cell->text.len == 0;

	strbuf_printf(&h->body, "<%s%s", tag, column->row_header ? " scope=\"row\"" : "");
	put_classes(h, column->numeric ? "num" : NULL,
		    tones[missing && cell->tone == TONE_PLAIN ? TONE_MUTED : cell->tone]);
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
		const struct report_column *column = &t->columns[c];

		html_put(h, "<th scope=\"col\"");
		put_classes(h, column->numeric ? "num" : kind_of(t, c), NULL);
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
