/* Places of then and of now, joined by lines: who rose and who fell. */
#ifndef RENDER_FIGURE_SLOPE_H
#define RENDER_FIGURE_SLOPE_H

#include "figure_key.h"
#include "../base/str.h"

#include <stddef.h>

/* before, after: ranks from 1; 0: not ranked then, or now (its side stays empty). */
struct slope_item {
	struct str label;
	int before, after;
};

struct slope_panel {
	struct str title;
	const struct slope_item *items;
	size_t n;
};

/* Items stand in the order of their ranks, each with its rank beside its name; gaps between ranks
 * are not drawn. */
struct figure_slope {
	struct str before_title, after_title;
	const struct slope_panel *panels;
	size_t npanels, columns;
	const struct figure_key *keys;
	size_t nkeys;
};

/* draw of a chart_picture; data: struct figure_slope. */
double figure_slope_draw(struct chart_plan *p, const void *data, double y);

#endif
