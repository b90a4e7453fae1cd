#include "chart_plan.h"

#include <math.h>

/* Measured: solid. Scaled: pale under a falling hatch, outlined. Estimated: paper under a rising
 * hatch in dashes. So the three differ without colour too. */
void chart_bar_draw(struct chart_plan *p, const struct class_style *look, enum origin origin,
		    bool on_page, double x0, double y0, double x1, double y1)
{
	static const double dash[] = { 3, 2 };
	struct canvas *cv = &p->canvas;
	bool estimated = origin == ORIGIN_ESTIMATED;
	enum layer fill = on_page ? PAGE_FILL : PLOT_FILL;
	enum layer hatch = on_page ? PAGE_HATCH : PLOT_HATCH;
	enum layer outline = on_page ? PAGE_OUTLINE : PLOT_OUTLINE;

	if (origin == ORIGIN_MEASURED) {
		canvas_box(cv, fill, paint_solid(p->arena, look->colour), x0, y0, x1, y1);
		return;
	}
	canvas_box(cv, fill, paint_solid(p->arena, estimated ? COLOUR_PAPER : look->pale), x0, y0,
		   x1, y1);
	canvas_box(cv, hatch,
		   paint_hatch(p->arena, look->colour, estimated ? HATCH_ESTIMATED : HATCH_SCALED),
		   x0, y0, x1, y1);
	canvas_box(cv, outline, paint_outline(p->arena, look->colour, estimated ? dash : NULL), x0,
		   y0, x1, y1);
}

/* A whisker with caps at the ends that the axis reaches; nothing without low and high. */
static void whisker_part(struct chart_plan *p, struct str paint, double x0, double y0, double x1,
			 double y1)
{
	canvas_line(&p->canvas, PLOT_WHISKER, paint, x0, y0, x1, y1);
}

static void whisker_draw(struct chart_plan *p, const struct chart_point *pt, struct str paint,
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

/* The label behind the whisker, and the stretch of grid that it needs. */
static void label_draw(struct chart_plan *p, enum text_style style, double x, double y,
		       struct str text)
{
	double width = chart_text_width(p->fonts, style, text);
	/* never past the page: a whisker may be cut at the axis' end */
	double left = fmin(x, p->view.width - 4 - width);

	canvas_text(&p->canvas, style, ANCHOR_START, left, y, text);
	p->gaps = arena_grow(p->arena, p->gaps, &p->gap_cap, p->ngaps + 1, sizeof *p->gaps);
	p->gaps[p->ngaps++] = (struct chart_gap){ left - 2, left + width + 2,
						  y - CHART_BAR_STEP / 2, y + CHART_BAR_STEP / 2 };
}

static void bar_draw(struct chart_plan *p, const struct chart_point *pt, size_t class, double y)
{
	struct str paint = paint_line(p->arena, COLOUR_WHISKER, 0.9, NULL);
	double end = fmin(fmax(pt->value, pt->high), p->view.max); /* fmax passes over NAN */

	chart_bar_draw(p, &chart_classes[class], pt->origin, false, 0, y - CHART_BAR_HEIGHT / 2,
		       pt->value, y + CHART_BAR_HEIGHT / 2);
	whisker_draw(p, pt, paint, y, 3);
	label_draw(p, TEXT_VALUE, chart_x(p, end) + 5, y, chart_number(p->arena, pt->value));
}

void chart_bars_draw(struct chart_plan *p)
{
	const struct chart *c = p->chart;

	for (size_t r = 0; r < c->nrows; r++) {
		double y = chart_row_y(p, r) - CHART_BAR_STEP * ((double)c->nclasses - 1) / 2;

		for (size_t k = 0; k < c->nclasses; k++, y += CHART_BAR_STEP) {
			if (chart_has(&c->rows[r].points[k]))
				bar_draw(p, &c->rows[r].points[k], k, y);
			else
				label_draw(p, TEXT_ABSENT, p->view.left + 5, y, STR("n/a"));
		}
	}
}
