/* The chart on its way to gnuplot: measures, then marks. Shared by chart.c, chart_axis.c,
 * chart_head.c, chart_bars.c and chart_dots.c. */
#ifndef RENDER_CHART_PLAN_H
#define RENDER_CHART_PLAN_H

#include "canvas.h"
#include "chart.h"
#include "chart_style.h"
#include "chart_text.h"

#define CHART_WIDTH 960.0
#define CHART_PAD 24.0       /* names and means keep this from both sides */
#define CHART_EDGE 18.0      /* where the title, the subtitle and a long legend start */
#define CHART_BAND_PAD 12.0  /* the zebra bands this */
#define CHART_BAR_STEP 12.3  /* from bar to bar: 0.205 of the 60 units of a row of four */
#define CHART_BAR_HEIGHT 10.8
#define CHART_DOT_ROW 20.0

enum { CHART_TICKS_MAX = 64, CHART_LINES_MAX = 3 };

struct chart_tick {
	double value;
	struct str label;
};

/* A stretch of page that the grid leaves free: a value label. In order of y0. */
struct chart_gap {
	double x0, x1, y0, y1;
};

struct chart_plan {
	const struct chart *chart;
	const struct font_set *fonts;
	struct arena *arena;
	struct canvas canvas;
	struct canvas_view view;
	bool dots;
	double row_height;
	struct str *labels; /* of the rows, cleaned and fitted */
	struct str *means;  /* dots: right-hand column, empty where there is none */
	struct str mean_title;
	struct chart_tick ticks[CHART_TICKS_MAX];
	size_t nticks;
	struct chart_gap *gaps;
	size_t ngaps, gap_cap;
};

/* Whether something is drawn there. */
bool chart_has(const struct chart_point *p);
double chart_x(const struct chart_plan *p, double value);  /* user units */
double chart_row_y(const struct chart_plan *p, size_t row); /* middle of the row */
/* A score with two decimals; below 0.01 two significant digits, so that it never reads as 0. */
struct str chart_number(struct arena *a, double v);

/* chart_axis.c: range and ticks from the values, then grid, reference line and labels. */
void chart_axis_plan(struct chart_plan *p);
void chart_axis_draw(struct chart_plan *p);
/* chart_head.c: title, subtitle and legend from the top of the page; returns where they end. */
double chart_head_draw(struct chart_plan *p);
/* The marks of all rows. */
void chart_bars_draw(struct chart_plan *p);
void chart_dots_draw(struct chart_plan *p);

/* A class's bar between two places on x of the page or the plot, as its origin looks. */
void chart_bar_draw(struct chart_plan *p, const struct class_style *look, enum origin origin,
                    bool on_page, double x0, double y0, double x1, double y1);
void chart_dot_draw(struct chart_plan *p, const struct class_style *look, enum origin origin,
                    double x, double y);

#endif
