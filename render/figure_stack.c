#include "figure_stack.h"

#include <math.h>

#define ROW_HEIGHT 26.0
#define BAR_HEIGHT 15.0

static const enum figure_key_kind kinds[STACK_PARTS_MAX] = { KEY_BOX, KEY_HATCH, KEY_RISING };
static const enum origin origins[STACK_PARTS_MAX] = { ORIGIN_MEASURED, ORIGIN_SCALED,
						      ORIGIN_ESTIMATED };
/* Blue, amber and green. */
static const size_t looks[STACK_PARTS_MAX] = { 0, 1, 2 };

struct stack {
	struct chart_plan *plan;
	const struct figure_stack *figure;
	struct figure_scale x;
	double top, bottom, note_width;
};

static double total_of(const struct figure_stack *f, const struct stack_row *r)
{
	double sum = 0;

	for (size_t k = 0; k < f->nparts; k++)
		sum += r->parts[k] > 0 ? r->parts[k] : 0; /* false for NAN */
	return sum;
}

/* The widest text of a column of the rows. */
static double widest(const struct stack *s, enum text_style style, size_t offset)
{
	double w = 0;

	for (size_t i = 0; i < s->figure->nrows; i++) {
		const char *row = (const char *)&s->figure->rows[i];

		w = fmax(w, chart_text_width(s->plan->fonts, style,
					     *(const struct str *)(const void *)(row + offset)));
	}
	return ceil(w);
}

/* Beside the names at the left stand totals behind the longest bar and notes at the right. */
static void measure(struct stack *s)
{
	const struct figure_stack *f = s->figure;
	const struct chart_plan *p = s->plan;
	double names = fmin(widest(s, TEXT_ROW, offsetof(struct stack_row, label)), 230);
	double totals = widest(s, TEXT_VALUE, offsetof(struct stack_row, total));

	s->note_width = fmax(widest(s, TEXT_MEAN, offsetof(struct stack_row, note)),
			     chart_text_width(p->fonts, TEXT_TICK, f->note_title));
	s->x = (struct figure_scale){ .min = 0, .max = 0, .prefix = f->prefix };
	for (size_t i = 0; i < f->nrows; i++)
		s->x.max = fmax(s->x.max, total_of(f, &f->rows[i]));
	s->x.max = s->x.max > 0 ? s->x.max : 1;
	s->x.from = CHART_EDGE + names + 10;
	s->x.to = p->view.width - CHART_EDGE - s->note_width - totals - 26;
}

static void axis_draw(const struct stack *s)
{
	struct chart_plan *p = s->plan;
	struct chart_tick ticks[CHART_TICKS_MAX];
	struct str grid = paint_line(p->arena, COLOUR_GRID, 1, NULL);
	double free_from = -INFINITY;
	size_t n = figure_scale_ticks(&s->x, 8, p->arena, ticks);

	for (size_t i = 0; i < n; i++) {
		double x = figure_scale_at(&s->x, ticks[i].value);
		double half = chart_text_width(p->fonts, TEXT_TICK, ticks[i].label) / 2;

		canvas_line(&p->canvas, PAGE_GRID, grid, x, s->top, x, s->bottom);
		if (x - half < free_from)
			continue;
		canvas_text(&p->canvas, TEXT_TICK, ANCHOR_MIDDLE, x, s->bottom + 12,
			    ticks[i].label);
		free_from = x + half + 8;
	}
	figure_text(p, TEXT_AXIS, ANCHOR_MIDDLE, (s->x.from + s->x.to) / 2, s->bottom + 31,
		    s->figure->axis_title, s->x.to - s->x.from);
}

static void row_draw(const struct stack *s, size_t i)
{
	const struct stack_row *r = &s->figure->rows[i];
	struct chart_plan *p = s->plan;
	double y = s->top + ((double)i + 0.5) * ROW_HEIGHT, sum = 0;

	if (i % 2 == 0)
		canvas_box(&p->canvas, PAGE_BAND, paint_solid(p->arena, COLOUR_BAND),
			   CHART_BAND_PAD, y - ROW_HEIGHT / 2, p->view.width - CHART_BAND_PAD,
			   y + ROW_HEIGHT / 2);
	figure_text(p, TEXT_ROW, ANCHOR_END, s->x.from - 8, y, r->label,
		    s->x.from - CHART_EDGE - 8);
	for (size_t k = 0; k < s->figure->nparts; k++) {
		if (!(r->parts[k] > 0))
			continue;
		chart_bar_draw(p, figure_look(looks[k]), origins[k], true,
			       figure_scale_at(&s->x, sum), y - BAR_HEIGHT / 2,
			       figure_scale_at(&s->x, sum + r->parts[k]), y + BAR_HEIGHT / 2);
		sum += r->parts[k];
	}
	canvas_text(&p->canvas, TEXT_VALUE, ANCHOR_START, figure_scale_at(&s->x, sum) + 6, y,
		    chart_text_clean(p->arena, r->total));
	canvas_text(&p->canvas, TEXT_MEAN, ANCHOR_END, p->view.width - CHART_EDGE, y,
		    chart_text_clean(p->arena, r->note));
}

double figure_stack_draw(struct chart_plan *p, const void *data, double y)
{
	const struct figure_stack *f = data;
	struct stack s = { .plan = p, .figure = f };
	struct figure_key keys[STACK_PARTS_MAX];

	for (size_t k = 0; k < f->nparts; k++)
		keys[k] = (struct figure_key){ kinds[k], looks[k], f->part_titles[k] };
	measure(&s);
	y = figure_keys_draw(p, keys, f->nparts, y + 6);
	figure_text(p, TEXT_TICK, ANCHOR_END, p->view.width - CHART_EDGE, y + 10, f->note_title,
		    p->view.width - 2 * CHART_EDGE);
	s.top = y + 22;
	s.bottom = s.top + ROW_HEIGHT * (double)f->nrows;
	for (size_t i = 0; i < f->nrows; i++)
		row_draw(&s, i);
	axis_draw(&s);
	return s.bottom + 40;
}
