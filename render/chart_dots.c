#include "chart_plan.h"

#include <math.h>

/* Measured: filled. Scaled: hollow. Estimated: larger, hollow, with a grain inside. A hollow mark
 * is a small symbol in paper on one in colour: gnuplot's own are too thin to tell their colours
 * apart. */
void chart_dot_draw(struct chart_plan *p, const struct class_style *look, enum origin origin,
		    bool on_page, double x, double y)
{
	struct canvas *cv = &p->canvas;
	enum layer filled = on_page ? PAGE_POINT : PLOT_POINT;
	enum layer hollow = on_page ? PAGE_HOLLOW : PLOT_HOLLOW;
	bool measured = origin == ORIGIN_MEASURED, estimated = origin == ORIGIN_ESTIMATED;
	double size = look->point_size * (estimated ? 1.45 : 1);
	double hole = size * look->hole * (estimated ? 1.25 : 1);

	canvas_point(cv, measured ? filled : hollow,
		     paint_point(p->arena, look->colour, look->point, size), x, y);
	if (measured)
		return;
	canvas_point(cv, hollow, paint_point(p->arena, COLOUR_PAPER, look->point, hole), x, y);
	if (estimated)
		canvas_point(cv, hollow, paint_point(p->arena, look->colour, look->point, hole / 2),
			     x, y);
}

static void whisker_part(struct chart_plan *p, struct str paint, double x0, double y0, double x1,
			 double y1)
{
	canvas_line(&p->canvas, PLOT_WHISKER, paint, x0, y0, x1, y1);
}

void chart_whisker_draw(struct chart_plan *p, const struct chart_point *pt, struct str paint,
			double y, double cap)
{
	const struct canvas_view *v = &p->view;

	if (isnan(pt->low) || isnan(pt->high))
		return;

	double low = fmax(pt->low, v->min), high = fmin(pt->high, v->max);

	if (low > high)
		return; /* wholly beyond a given axis */
	whisker_part(p, paint, low, y, high, y);
	if (low == pt->low)
		whisker_part(p, paint, low, y - cap, low, y + cap);
	if (high == pt->high)
		whisker_part(p, paint, high, y - cap, high, y + cap);
}

static void row_draw(struct chart_plan *p, size_t row)
{
	const struct chart *c = p->chart;
	double middle = chart_row_y(p, row), n = (double)c->nclasses;
	double step = n > 1 ? fmin(13.5 / (n - 1), 5) : 0;

	for (size_t k = 0; k < c->nclasses; k++) {
		const struct chart_point *pt = &c->rows[row].points[k];
		const struct class_style *look = &chart_classes[k];
		double y = middle + step * ((double)k - (n - 1) / 2);

		if (!chart_has(pt))
			continue;
		chart_whisker_draw(p, pt, paint_line(p->arena, look->colour, 0.9, NULL), y, 2);
		chart_dot_draw(p, look, pt->origin, false, pt->value, y);
	}
}

void chart_dots_draw(struct chart_plan *p)
{
	double right = p->view.width - CHART_PAD;

	for (size_t r = 0; r < p->chart->nrows; r++) {
		row_draw(p, r);
		canvas_text(&p->canvas, TEXT_MEAN, ANCHOR_END, right, chart_row_y(p, r),
			    p->means[r]);
	}
	canvas_text(&p->canvas, TEXT_TICK, ANCHOR_END, right, p->view.top - 10, p->mean_title);
}
