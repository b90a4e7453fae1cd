/* Bars made of parts: what a computer costs. */
#ifndef RENDER_FIGURE_STACK_H
#define RENDER_FIGURE_STACK_H

#include "figure_key.h"
#include "figure_scale.h"
#include "../base/str.h"

#include <stddef.h>

enum { STACK_PARTS_MAX = 3 };

/* parts: above 0, or NAN for one that is not known (left out). */
struct stack_row {
	struct str label;
	double parts[STACK_PARTS_MAX];
	struct str total; /* behind the bar */
	struct str note;  /* in the column at the right */
};

/* The first part is solid, the second pale and hatched, the third dashed and hatched the other
 * way, so that they differ without colour too. */
struct figure_stack {
	struct str axis_title, note_title;
	struct str part_titles[STACK_PARTS_MAX];
	size_t nparts;
	struct stack_row *rows;
	size_t nrows;
	struct str prefix; /* of the tick labels */
};

/* draw of a chart_picture; data: struct figure_stack. */
double figure_stack_draw(struct chart_plan *p, const void *data, double y);

#endif
