#include "chart_plan.h"

#include <math.h>

/* Measured: filled. Scaled: hollow. Estimated: larger, hollow, with a grain inside. A hollow mark
 * is a small symbol in paper on one in colour: gnuplot's own are too thin to tell their colours
 * apart. */
void chart_dot_draw(struct chart_plan *p, const struct class_style *look, enum origin origin,
		    double x, double y)
{
	struct canvas *cv = &p->canvas;
	bool measured = origin == ORIGIN_MEASURED, estimated = origin == ORIGIN_ESTIMATED;
	double size = look->point_size * (estimated ? 1.45 : 1);
	double hole = size * look->hole * (estimated ? 1.25 : 1);

	/* holes of all colours look alike and share a block: a layer of their own lies above every
	 * ring */
	canvas_point(cv, measured ? PAGE_POINT : PAGE_RING,
		     paint_point(p->arena, look->colour, look->point, size), x, y);
	if (measured)
		return;
	canvas_point(cv, PAGE_HOLE, paint_point(p->arena, COLOUR_PAPER, look->point, hole), x, y);
	if (estimated)
		canvas_point(cv, PAGE_GRAIN,
			     paint_point(p->arena, look->colour, look->point, hole / 2), x, y);
}

/* A tick label's stretch of the axis. */
struct label_span {
	double x0, x1;
};

/* --- panels: one a class, all with the same axis --- */

#define PANEL_GAP 26.0

/* The stretch of page of one panel; the view is narrowed to it while its marks are placed. */
static struct chart_plan panel_of(const struct chart_plan *p, size_t class)
{
	struct chart_plan panel = *p;
	double n = (double)p->chart->nclasses;
	double width = (p->view.right - p->view.left - (n - 1) * PANEL_GAP) / n;

	panel.view.left = p->view.left + (double)class * (width + PANEL_GAP);
	panel.view.right = panel.view.left + width;
	return panel;
}

/* A whisker on the page with caps at the ends that the axis reaches. */
static void whisker_draw(struct chart_plan *p, const struct chart_plan *panel,
			 const struct chart_point *pt, struct str paint, double y)
{
	const struct canvas_view *v = &panel->view;
	struct canvas *cv = &p->canvas;
	double low = fmax(pt->low, v->min), high = fmin(pt->high, v->max);

	if (isnan(pt->low) || isnan(pt->high) || low > high)
		return;

	double x0 = chart_x(panel, low), x1 = chart_x(panel, high);

	canvas_line(cv, PAGE_WHISKER, paint, x0, y, x1, y);
	if (low == pt->low)
		canvas_line(cv, PAGE_WHISKER, paint, x0, y - 2.5, x0, y + 2.5);
	if (high == pt->high)
		canvas_line(cv, PAGE_WHISKER, paint, x1, y - 2.5, x1, y + 2.5);
}

static void marks_draw(struct chart_plan *p, const struct chart_plan *panel, size_t class)
{
	const struct class_style *look = &chart_classes[class];
	struct str paint = paint_line(p->arena, look->colour, 0.8, NULL);

	for (size_t r = 0; r < p->chart->nrows; r++) {
		const struct chart_point *pt = &p->chart->rows[r].points[class];

		if (!chart_has(pt))
			continue;
		whisker_draw(p, panel, pt, paint, chart_row_y(p, r));
		chart_dot_draw(p, look, pt->origin, chart_x(panel, pt->value), chart_row_y(p, r));
	}
}

static bool label_fits(const struct label_span *taken, size_t n, double x0, double x1)
{
	for (size_t i = 0; i < n; i++)
		if (x0 < taken[i].x1 + 6 && x1 > taken[i].x0 - 6)
			return false;
	return true;
}

/* The reference and the powers of ten take their room first, then what else fits. */
static int tick_order(const struct chart_plan *p, double v)
{
	double power = log10(v);

	if (v == p->chart->reference)
		return 0;
	return v > 0 && fabs(power - round(power)) < 1e-9 ? 1 : 2;
}

static void ticks_draw(struct chart_plan *p, const struct chart_plan *panel)
{
	struct str grid = paint_line(p->arena, COLOUR_GRID, 1, NULL);
	struct label_span taken[CHART_TICKS_MAX];
	size_t n = 0;

	for (size_t i = 0; i < 3 * p->nticks; i++) {
		const struct chart_tick *t = &p->ticks[i % p->nticks];
		double x = chart_x(panel, t->value);
		double half = chart_text_width(p->fonts, TEXT_TICK, t->label) / 2;

		if (tick_order(p, t->value) != (int)(i / p->nticks)
		    || !label_fits(taken, n, x - half, x + half))
			continue;
		taken[n++] = (struct label_span){ x - half, x + half };
		if (t->value != p->chart->reference)
			canvas_line(&p->canvas, PAGE_GRID, grid, x, p->view.top, x, p->view.bottom);
		canvas_text(&p->canvas, TEXT_TICK, ANCHOR_MIDDLE, x, p->view.top - 10, t->label);
		canvas_text(&p->canvas, TEXT_TICK, ANCHOR_MIDDLE, x, p->view.bottom + 15, t->label);
	}
}

static void panel_draw(struct chart_plan *p, size_t class)
{
	static const double dash[] = { 4, 3 };
	const struct chart *c = p->chart;
	struct chart_plan panel = panel_of(p, class);
	const struct canvas_view *v = &panel.view;
	double mark = v->left + 4, y = v->top - 29;
	struct str title = chart_text_clean(p->arena, c->class_titles[class]);

	chart_dot_draw(p, &chart_classes[class], ORIGIN_MEASURED, mark, y);
	canvas_text(&p->canvas, TEXT_PANEL, ANCHOR_START, mark + 10, y,
		    chart_text_fit(p->arena, p->fonts, TEXT_PANEL, title,
				   v->right - mark - 10 + PANEL_GAP / 2));
	ticks_draw(p, &panel);
	if (c->reference >= v->min && c->reference <= v->max)
		canvas_line(&p->canvas, PAGE_GRID, paint_line(p->arena, COLOUR_REF, 1, dash),
			    chart_x(&panel, c->reference), v->top, chart_x(&panel, c->reference),
			    v->bottom);
	marks_draw(p, &panel, class);
}

void chart_dots_draw(struct chart_plan *p)
{
	double right = p->view.width - CHART_PAD;

	for (size_t k = 0; k < p->chart->nclasses; k++)
		panel_draw(p, k);
	for (size_t r = 0; r < p->chart->nrows; r++)
		canvas_text(&p->canvas, TEXT_MEAN, ANCHOR_END, right, chart_row_y(p, r),
			    p->means[r]);
	canvas_text(&p->canvas, TEXT_TICK, ANCHOR_END, right, p->view.top - 10, p->mean_title);
}
