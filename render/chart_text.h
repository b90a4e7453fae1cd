/* Untrusted text made fit for a chart: cleaned, measured, shortened, wrapped. */
#ifndef RENDER_CHART_TEXT_H
#define RENDER_CHART_TEXT_H

#include "chart_style.h"
#include "font.h"
#include "../base/arena.h"
#include "../base/str.h"

#include <stddef.h>

/* Control characters (tab and newline too), bidirectional overrides, line separators, noncharacters
 * and malformed bytes become U+FFFD; runs of blanks become one, blanks at the ends go. */
struct str chart_text_clean(struct arena *a, struct str s);
/* Width in user units. */
double chart_text_width(const struct font_set *fonts, enum text_style style, struct str s);
/* The text, or as much of both its ends around an ellipsis as `width` holds. */
struct str chart_text_fit(struct arena *a, const struct font_set *fonts, enum text_style style,
                          struct str s, double width);
/* Breaks into at most max lines at blanks (or within a word too long for a line); what is left over
 * is shortened into the last line. Returns the number of lines, 0 for empty text. */
size_t chart_text_wrap(struct arena *a, const struct font_set *fonts, enum text_style style,
                       struct str s, double width, struct str *lines, size_t max);

#endif
