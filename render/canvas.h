/* Marks on a chart, gathered in painting order and handed to gnuplot as one data file and one
 * script. Places on the page are user units, y downwards; on the plot x is on the value axis. */
#ifndef RENDER_CANVAS_H
#define RENDER_CANVAS_H

#include "chart_style.h"
#include "drawing.h"
#include "../base/arena.h"
#include "../base/str.h"

#include <stdbool.h>
#include <stddef.h>

/* Painted from first to last: the page's layers lie in user units, the plot's on the value axis. */
enum layer {
	PAGE_BAND, PAGE_AREA, PAGE_GRID, PAGE_FILL, PAGE_HATCH, PAGE_OUTLINE, PAGE_WHISKER,
	PAGE_CURVE, PAGE_POINT, PAGE_RING, PAGE_HOLE, PAGE_GRAIN, PAGE_TEXT,
	PLOT_FILL, PLOT_HATCH, PLOT_OUTLINE, PLOT_WHISKER,
	LAYERS
};

struct canvas_view {
	double width, height;            /* of the page */
	double left, right, top, bottom; /* of the plot, on the page */
	double min, max;                 /* of the value axis */
	bool log;
};

/* Marks that look alike: one data block and one plot clause. */
struct canvas_block {
	enum layer layer;
	const char *columns; /* names for the reader of the data file */
	struct str clause;   /* "using … with … paint" */
	struct strbuf rows;
	struct str *texts;   /* what the rows of a text block say */
	size_t ntexts, text_cap;
};

struct canvas {
	struct arena *arena;
	struct canvas_block *blocks; /* as created; painted by layer, then in this order */
	size_t n, cap;
};

void canvas_box(struct canvas *cv, enum layer layer, struct str paint, double x0, double y0,
                double x1, double y1);
void canvas_line(struct canvas *cv, enum layer layer, struct str paint, double x0, double y0,
                 double x1, double y1);
void canvas_point(struct canvas *cv, enum layer layer, struct str paint, double x, double y);
struct canvas_xy {
	double x, y;
};

/* A line through n places, and an area with n corners; fewer than two, or three, draw nothing. */
void canvas_curve(struct canvas *cv, enum layer layer, struct str paint, const struct canvas_xy *at,
                  size_t n);
void canvas_area(struct canvas *cv, enum layer layer, struct str paint, const struct canvas_xy *at,
                 size_t n);
/* Text cleaned by chart_text_clean, y at its middle; empty text is passed over. */
void canvas_text(struct canvas *cv, enum text_style style, enum text_anchor anchor, double x,
                 double y, struct str text);

/* The data file (tab separated, one data block for each block, in painting order) and the script
 * that plots it into `output`; both names are our own and free of quotes. */
struct str canvas_data(const struct canvas *cv);
struct str canvas_script(const struct canvas *cv, const struct canvas_view *v, struct str data,
                         struct str output);
/* Whether every text of the canvas stands in the cleaned SVG, in painting order. *lost: the first
 * that does not. */
bool canvas_check(const struct canvas *cv, struct str svg, struct str *lost);

#endif
