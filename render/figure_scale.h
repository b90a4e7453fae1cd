/* From values to places on a page, and the ticks between: the axes of figures. */
#ifndef RENDER_FIGURE_SCALE_H
#define RENDER_FIGURE_SCALE_H

#include "chart_plan.h"
#include "../base/arena.h"
#include "../base/str.h"

#include <stdbool.h>
#include <stddef.h>

/* SCALE_DATE: days since 1970, linear. */
enum figure_scale_kind { SCALE_LINEAR, SCALE_LOG10, SCALE_LOG2, SCALE_DATE };

struct figure_scale {
	enum figure_scale_kind kind;
	double min, max; /* values, min < max; above 0 on a log scale */
	double from, to; /* where they lie, in user units; from > to on an axis that rises */
	struct str prefix, suffix; /* of every tick label: "$", " GB" */
	const double *fixed;       /* ticks in place of computed ones; NULL: none */
	size_t nfixed;
};

/* Whether the value has a place on it: finite, above 0 on a log scale, from min to max. */
bool figure_scale_has(const struct figure_scale *s, double v);
double figure_scale_at(const struct figure_scale *s, double v);
/* Widens min and max to take the value in; min > max before the first. Values without a place on
 * this kind of scale are passed over. */
void figure_scale_take(struct figure_scale *s, double v);
/* After the last value: room of `share` of the range at both ends (of the logarithms on a log
 * scale); an empty range becomes one around its value, no value at all 1 to 10. A linear scale that
 * starts at or above 0 does not go below. */
void figure_scale_pad(struct figure_scale *s, double share);
/* Ticks ascending, at most CHART_TICKS_MAX; returns how many. Linear: steps of 1, 2 or 5 times a
 * power of ten, about `want`. log10: the powers, with 2 and 5 (or 3) between where few. log2:
 * powers of two. Dates: the first of January, or of every month, third or sixth month. */
size_t figure_scale_ticks(const struct figure_scale *s, size_t want, struct arena *a,
                          struct chart_tick *out);

#endif
