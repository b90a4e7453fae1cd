/* Charts drawn by gnuplot as SVG: devices by class as grouped bars up to 20 devices and as dots in
 * one panel a class above, or another picture (render/figure_*.h). The geometry is settled here, to
 * the hundredth of a unit (960 units wide); gnuplot gets it as data and puts it on its axes. Texts
 * reach gnuplot only in the data file, and each is looked up in the drawing afterwards: one that
 * came out changed is an error. */
#ifndef RENDER_CHART_H
#define RENDER_CHART_H

#include "font.h"
#include "../base/arena.h"
#include "../base/error.h"
#include "../base/str.h"
#include "../catalogue/class.h"

#include <stdbool.h>
#include <stddef.h>

enum { PICTURE_WIDTH = 760 };
enum { CHART_CLASSES_MAX = 6, CHART_BARS_MAX_ROWS = 20, CHART_DOTS_MAX_ROWS = 60 };

/* has false, or ORIGIN_EXCLUDED: bars show "n/a", dots nothing (missing is never 0). low and high
 * are NAN when unknown; where the axis ends before them the whisker has no cap. */
struct chart_point {
	bool has;
	double value, low, high;
	enum origin origin;
};

struct chart_row {
	struct str label; /* untrusted; shortened in the middle past 2/5 of the page */
	struct chart_point points[CHART_CLASSES_MAX]; /* one a class */
	double mean; /* right-hand column of the dot plot; NAN: empty */
};

struct chart_plan; /* render/chart_plan.h */

/* A picture that is no list of devices (render/figure_*.h). All its texts are settled beforehand;
 * places are worked out when it is drawn, for they need the widths of the fonts.
 * draw  puts marks and texts on p's canvas from y on, PICTURE_WIDTH units wide; returns where it
 *       ends. What is not finite is left out. */
struct chart_picture {
	double (*draw)(struct chart_plan *p, const void *data, double y);
	const void *data;
};

struct chart {
	struct str id;   /* "figure-performance": file name and prefix of every id inside */
	struct str title, subtitle, axis_title, mean_title;
	struct str alt;  /* goes into <desc> */
	struct str legend_measured, legend_scaled, legend_estimated; /* empty: not in the legend */
	struct str class_titles[CHART_CLASSES_MAX];
	size_t nclasses;
	struct chart_row *rows; /* top to bottom, at most CHART_DOTS_MAX_ROWS */
	size_t nrows;
	double reference;   /* where the reference line stands, e.g. 1.0, and tick labels then end
	                       in a times sign; NAN: none */
	bool has_estimated; /* puts legend_estimated into the legend */
	bool dots;          /* dots even for few rows: the short last part of a split figure */
	bool log_axis;      /* dots only; the caller sets it when the largest value is over 10
	                       medians */
	double axis_max;    /* 0: 9 % beyond the largest whisker; given: equal axes over the parts
	                       of a split figure */
	double axis_min;    /* log axis; 0: chosen */
	const struct chart_picture *picture; /* below title and subtitle, in place of rows and axis;
	                                        NULL: none */
};

/* gnuplot   program name or path (NULL: "gnuplot"), run without a shell under LC_ALL=C
 * work_dir  an existing folder; script and data are kept there as <id>.gnuplot and <id>.tsv
 * svg       out: cleaned by svg_clean (render/svg.h), with title and alt as its title and desc
 * Errors    ERR_ENVIRONMENT gnuplot is missing or failed (its first message line is quoted) or
 *           its picture is broken off
 *           ERR_RANGE a value, bound, mean or axis not finite, negative, or beyond 1e9; 0 on a
 *           log axis; a value beyond a given axis; low above high; too many rows or classes
 *           ERR_DATA an id that is not letters, digits and dashes; a text that gnuplot lost */
bool chart_draw(const struct chart *c, const struct font_set *fonts, const char *gnuplot,
                const char *work_dir, struct arena *a, struct str *svg, struct error *err);

/* What draws. */
struct chart_drawer {
	const struct font_set *fonts;
	const char *gnuplot;  /* NULL: "gnuplot" */
	struct cache *cache;  /* NULL: none */
	struct str identity;  /* of gnuplot_identity() (render/gnuplot.h), with a cache */
};

/* The same for n charts of different ids in one run of gnuplot, whose start takes longer than a
 * chart; each comes out as it would alone. One that was drawn before of the same script and data by
 * the same gnuplot comes from the cache. svgs: out, n; none counts after an error. */
bool chart_draw_all(const struct chart *const *charts, size_t n, const struct chart_drawer *by,
                    const char *work_dir, struct arena *a, struct str *svgs, struct error *err);

#endif
