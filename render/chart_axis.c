#include "chart_plan.h"

#include "../base/num.h"

#include <math.h>

double chart_x(const struct chart_plan *p, double value)
{
	const struct canvas_view *v = &p->view;
	double t = v->log ? log(value / v->min) / log(v->max / v->min)
			  : (value - v->min) / (v->max - v->min);

	return v->left + t * (v->right - v->left);
}

/* Smallest and largest of values and whiskers; lo > hi when there are none. */
static void extent(const struct chart *c, bool log, double *lo, double *hi)
{
	*lo = INFINITY;
	*hi = -INFINITY;
	for (size_t r = 0; r < c->nrows; r++) {
		for (size_t k = 0; k < c->nclasses; k++) {
			const struct chart_point *pt = &c->rows[r].points[k];

			if (!chart_has(pt))
				continue;
			/* fmin and fmax pass over NAN; a log axis has no place for a low of 0 */
			*lo = fmin(*lo, pt->value);
			if (!log || pt->low > 0)
				*lo = fmin(*lo, pt->low);
			*hi = fmax(*hi, fmax(pt->value, pt->high));
		}
	}
	if (isfinite(c->reference)) {
		*lo = fmin(*lo, c->reference);
		*hi = fmax(*hi, c->reference);
	}
}

static void tick_add(struct chart_plan *p, double value, int decimals)
{
	struct str number = num_fixed(p->arena, value, decimals);

	if (p->nticks == CHART_TICKS_MAX)
		return;
	p->ticks[p->nticks++] = (struct chart_tick){
		value,
		str_printf(p->arena, STR_FMT "%s", STR_ARG(number),
			   isfinite(p->chart->reference) ? "\xC3\x97" : ""),
	};
}

/* Steps of 1, 2 or 5 times a power of ten, at most ten of them. */
static void ticks_linear(struct chart_plan *p)
{
	static const double nice[] = { 1, 2, 5, 10 };
	double rough = p->view.max / 10, exponent = floor(log10(rough));
	size_t i = 0;

	/* 1e-9: a step that only rounding makes too small must not be passed over */
	while (i + 1 < LEN(nice) && nice[i] * pow(10, exponent) < rough * (1 - 1e-9))
		i++;
	exponent += nice[i] == 10;

	double step = nice[i] == 10 ? pow(10, exponent) : nice[i] * pow(10, exponent);
	int decimals = exponent < 0 ? (int)-exponent : 0;

	for (int k = 0; k * step <= p->view.max * (1 + 1e-9); k++)
		tick_add(p, k * step, decimals);
}

/* 1, 2 and 5 in every decade while they have room, else the powers alone, thinned out over many. */
static void ticks_log(struct chart_plan *p)
{
	static const double steps[] = { 1, 2, 5 };
	double decades = log10(p->view.max / p->view.min);
	int stride = (int)ceil(decades / 10);
	size_t used = decades <= 3 ? LEN(steps) : 1;
	int first = (int)floor(log10(p->view.min));

	for (int k = first; k <= (int)ceil(log10(p->view.max)); k += stride) {
		for (size_t i = 0; i < used; i++) {
			double v = steps[i] * pow(10, k);

			if (v >= p->view.min * (1 - 1e-9) && v <= p->view.max * (1 + 1e-9))
				tick_add(p, v, k < 0 ? -k : 0);
		}
	}
}

/* 9 % beyond the largest whisker leaves room for its label. */
void chart_axis_plan(struct chart_plan *p)
{
	const struct chart *c = p->chart;
	struct canvas_view *v = &p->view;
	double lo, hi;

	v->log = p->dots && c->log_axis;
	extent(c, v->log, &lo, &hi);
	if (!(lo <= hi) || (hi == 0))
		lo = hi = 1;
	v->max = c->axis_max > 0 ? c->axis_max : hi * (v->log ? 1.12 : 1.09);
	v->min = !v->log ? 0 : c->axis_min > 0 ? c->axis_min : fmin(lo, v->max) / 1.12;
	if (v->log)
		ticks_log(p);
	else
		ticks_linear(p);
}

/* A line down the plot that leaves the value labels free. */
static void grid_line(struct chart_plan *p, struct str paint, double x)
{
	const struct canvas_view *v = &p->view;
	double y = v->top;

	for (size_t i = 0; i < p->ngaps; i++) {
		const struct chart_gap *g = &p->gaps[i];

		if (x < g->x0 || x > g->x1)
			continue;
		if (g->y0 > y)
			canvas_line(&p->canvas, PAGE_GRID, paint, x, y, x, g->y0);
		y = fmax(y, g->y1);
	}
	if (y < v->bottom)
		canvas_line(&p->canvas, PAGE_GRID, paint, x, y, x, v->bottom);
}

/* Leaves out a label that would touch the one before. */
static void tick_labels(struct chart_plan *p, double y)
{
	double free_from = -INFINITY;

	for (size_t i = 0; i < p->nticks; i++) {
		const struct chart_tick *t = &p->ticks[i];
		double x = chart_x(p, t->value);
		double half = chart_text_width(p->fonts, TEXT_TICK, t->label) / 2;

		if (x - half < free_from)
			continue;
		canvas_text(&p->canvas, TEXT_TICK, ANCHOR_MIDDLE, x, y, t->label);
		free_from = x + half + 8;
	}
}

static void axis_title(struct chart_plan *p)
{
	const struct canvas_view *v = &p->view;
	double middle = (v->left + v->right) / 2;
	/* centred under the plot, so as wide as the nearer page edge allows on both sides */
	double room = 2 * (fmin(middle, v->width - middle) - CHART_PAD);
	struct str text = chart_text_clean(p->arena, p->chart->axis_title);

	canvas_text(&p->canvas, TEXT_AXIS, ANCHOR_MIDDLE, middle, v->bottom + 39,
		    chart_text_fit(p->arena, p->fonts, TEXT_AXIS, text, room));
}

void chart_axis_draw(struct chart_plan *p)
{
	const struct chart *c = p->chart;
	const struct canvas_view *v = &p->view;
	struct str grid = paint_line(p->arena, COLOUR_GRID, 1, NULL);
	struct str ref = paint_line(p->arena, COLOUR_REF, 1, (const double[]){ 4, 3 });

	axis_title(p);
	if (p->dots) /* the panels have axes of their own */
		return;
	for (size_t i = 0; i < p->nticks; i++)
		if (p->ticks[i].value != c->reference)
			grid_line(p, grid, chart_x(p, p->ticks[i].value));
	if (c->reference >= v->min && c->reference <= v->max)
		grid_line(p, ref, chart_x(p, c->reference));
	tick_labels(p, v->bottom + 15);
}
