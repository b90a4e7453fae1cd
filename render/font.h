/* The fonts of the report: widths and coverage for layout, subsets for the PDF (HarfBuzz). */
#ifndef RENDER_FONT_H
#define RENDER_FONT_H

#include "../base/arena.h"
#include "../base/error.h"
#include "../base/str.h"

#include <stdbool.h>
#include <stddef.h>

/* In the order they are tried for a character: Latin faces first, then the Chinese one. */
enum font_id { FONT_REGULAR, FONT_BOLD, FONT_MONO, FONT_CJK, FONT_COUNT };

struct font_set; /* opaque */

/* Finds the distribution's fonts (Liberation Sans, Liberation Mono, WenQuanYi Zen Hei) in the usual
 * folders, or in those of GPUGUIDE_FONT_PATH (colon-separated). Errors: ERR_ENVIRONMENT names the
 * missing font and its Debian package. The Chinese face is optional: without it its characters are
 * reported by font_missing(). font_set_free releases HarfBuzz objects. */
bool font_set_open(struct arena *a, struct font_set **out, struct error *err);
void font_set_free(struct font_set *fonts);
/* The file that font_set_open() finds for it; empty: there is none. */
struct str font_path(enum font_id font, struct arena *a);

/* Which font draws the character when `wanted` (REGULAR, BOLD or MONO) is asked for; false: none
 * has it, or its script cannot be set letter by letter from the left (Arabic, Hebrew, Indic). */
bool font_for_char(const struct font_set *fonts, enum font_id wanted, unsigned codepoint,
		   enum font_id *out);
/* Advance width of the text in units of the font size (1.0 = one em), kerning not counted. */
double font_text_width(const struct font_set *fonts, enum font_id wanted, struct str text);

/* What is drawn for a character of untrusted text, and by which font: itself; a blank for tabs,
 * newlines and blanks that no font has; a box for what no font has (noted for font_missing); 0 for
 * what is never drawn (joiners, variation selectors, direction marks). The result is in the BMP.
 * font_text_width counts by the same rule. */
unsigned font_resolve(struct font_set *fonts, enum font_id wanted, unsigned codepoint,
		      enum font_id *out);
/* Advance width in em of one character in exactly this font; the .notdef width if it lacks it. */
double font_char_width(const struct font_set *fonts, enum font_id font, unsigned codepoint);
/* The characters that font_resolve has drawn as a box so far, ascending: "U+4E00 U+1F600", at most
 * 12 and then "and 3 more"; empty when there were none. */
struct str font_missing(const struct font_set *fonts, struct arena *a);

/* Where the outline of a character goes, in em from the baseline, y up; each part is closed. */
struct font_pen {
	void *ctx;
	void (*move)(void *ctx, double x, double y);
	void (*line)(void *ctx, double x, double y);
	void (*curve)(void *ctx, double x1, double y1, double x2, double y2, double x, double y);
	void (*close)(void *ctx);
};

/* The outline of one character in exactly this font; that of .notdef if it lacks it. */
void font_outline(const struct font_set *fonts, enum font_id font, unsigned codepoint,
		  const struct font_pen *pen);

/* The face cut down to the given characters, as a plain TrueType file without hinting and layout
 * tables. Errors: ERR_ENVIRONMENT the face is absent or HarfBuzz failed. */
bool font_subset(const struct font_set *fonts, enum font_id font, const unsigned *codepoints,
		 size_t n, struct arena *a, struct str *out, struct error *err);

#endif
