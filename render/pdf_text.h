/* Running text to lines of runs: which font draws what, and where lines break. */
#ifndef RENDER_PDF_TEXT_H
#define RENDER_PDF_TEXT_H

#include "font.h"
#include "report.h"
#include "../base/arena.h"
#include "../base/str.h"

#include <stdbool.h>
#include <stddef.h>

struct pdf_style {
	enum font_id font; /* FONT_REGULAR, FONT_BOLD or FONT_MONO */
	double size;       /* pt */
	struct colour colour;
	bool verbatim; /* blanks and newlines stay (code); else they collapse to one blank */
};

/* A stretch of one font, size and colour; every character is in that font and in the BMP. */
struct pdf_run {
	enum font_id font;
	bool embolden; /* bold was wanted but the font has only one weight: drawn thicker */
	double size;
	struct colour colour;
	struct str href; /* of the span it comes from */
	struct str lang; /* likewise; empty: the report's */
	double x, width; /* pt, x from the line's left end */
	struct str text; /* UTF-8, ends in a NUL */
};

struct pdf_line {
	struct pdf_run *runs;
	size_t n, cap;
	double width; /* pt, without the blank it was broken at */
	bool spaced;  /* broken at a blank, which parts the words for those who do not see lines */
};

struct pdf_lines {
	struct pdf_line *v;
	size_t n, cap;
};

struct pdf_extent {
	double longest_word; /* pt: narrowest width without cutting words; four Chinese characters
				count as a word */
	double halved;       /* pt: narrowest width for two lines, no less than longest_word */
	double whole;        /* pt: width on one line */
};

/* Breaks text into lines at most `width` pt wide (INFINITY: newlines of verbatim text only). Breaks
 * where Unicode's rules (UAX 14) and ours allow: at blanks and U+200B, after hyphens and slashes
 * inside words, and between Chinese characters unless punctuation forbids it; half of a full-width
 * stop may stand in the margin. A word wider than the line is cut. Empty text gives no line. */
void pdf_text_break(struct font_set *fonts, const struct spans *text, const struct pdf_style *style,
		    double width, struct arena *a, struct pdf_lines *out);
struct pdf_extent pdf_text_measure(struct font_set *fonts, const struct spans *text,
				   const struct pdf_style *style, struct arena *a);

/* One line of plain text, never broken. */
struct pdf_line pdf_text_line(struct font_set *fonts, struct str text,
			      const struct pdf_style *style, struct arena *a);

/* Whether href becomes a link: http, https, mailto or "#id". A file beside the report stays text,
 * since the PDF is read away from its folder. */
bool pdf_text_is_link(struct str href);

/* The characters as they are drawn, without those that are not (for titles and bookmarks). */
struct str pdf_text_plain(struct font_set *fonts, const struct spans *text, struct arena *a);
struct spans pdf_text_spans(struct str text, struct str href, struct arena *a);

#endif
