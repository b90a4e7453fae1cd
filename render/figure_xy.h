/* Points and lines on two axes, in one panel or several with the same axes: scatter plots with a
 * frontier, curves with bands, histories in steps. */
#ifndef RENDER_FIGURE_XY_H
#define RENDER_FIGURE_XY_H

#include "figure_key.h"
#include "figure_scale.h"
#include "../base/str.h"

#include <stdbool.h>
#include <stddef.h>

/* low and high: a whisker up and down, or the band of a series that has one; NAN: none.
 * label: direct; may stay away for want of room, the first points of a series take theirs first. */
struct xy_point {
	double x, y, low, high;
	struct str label;
	bool hollow;
	size_t look; /* of its mark */
	enum figure_mark mark;
};

enum xy_line { XY_POINTS, XY_CURVE, XY_STEPS };

struct xy_series {
	struct str name; /* beside the end of the line; empty: none */
	size_t look;     /* of the line and the band */
	enum xy_line line;
	bool dashed, marks, band; /* band: low and high joined to a pale area, no whiskers */
	struct xy_point *points;  /* ascending in x where there is a line */
	size_t n;
};

/* A line across a panel, in values: "two years", the edition's date. A label stands beside the head
 * of an upright line or over a flat one, and stays away for want of room. */
struct xy_rule {
	double x0, y0, x1, y1;
	struct str label;
	bool solid;
};

struct xy_panel {
	struct str title;
	struct xy_series *series; /* painted from first to last; labels take room in that order */
	size_t nseries;
	struct xy_rule *rules;
	size_t nrules;
};

struct xy_axis {
	struct str title;
	struct figure_scale scale; /* without from and to */
};

struct figure_xy {
	struct xy_axis x, y;
	struct xy_panel *panels;
	size_t npanels, columns; /* columns: at least 1 */
	double plot_height;      /* of a panel, user units */
	const struct figure_key *keys;
	size_t nkeys;
};

/* draw of a chart_picture; data: struct figure_xy. */
double figure_xy_draw(struct chart_plan *p, const void *data, double y);

#endif
