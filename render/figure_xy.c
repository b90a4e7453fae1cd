#include "figure_xy.h"

#include "figure_label.h"

#include <math.h>

#define PANEL_GAP 22.0
#define PANEL_TITLE 20.0
#define TICK_HEIGHT 20.0
#define AXIS_TITLE 18.0
#define MARK_RADIUS 4.5
#define NAME_GAP 12.0    /* from the end of a line to its name */
#define NAME_HEIGHT 13.0 /* and from name to name */
#define LABEL_HEIGHT 11.0

/* One panel while it is drawn. */
struct plot {
	struct chart_plan *plan;
	const struct figure_xy *figure;
	const struct xy_panel *panel;
	struct figure_scale x, y; /* with places on the page */
	struct label_room room;
};

static bool point_at(const struct plot *t, double vx, double vy, double *x, double *y)
{
	if (!figure_scale_has(&t->x, vx) || !figure_scale_has(&t->y, vy))
		return false;
	*x = figure_scale_at(&t->x, vx);
	*y = figure_scale_at(&t->y, vy);
	return true;
}

/* --- axes --- */

static double tick_room(const struct chart_plan *p, const struct figure_xy *f)
{
	struct chart_tick ticks[CHART_TICKS_MAX];
	size_t n = figure_scale_ticks(&f->y.scale, 6, p->arena, ticks);
	double widest = 0;

	for (size_t i = 0; i < n; i++)
		widest = fmax(widest, chart_text_width(p->fonts, TEXT_TICK, ticks[i].label));
	return ceil(widest) + 8;
}

/* Names beside the ends of lines need room at the right, the same in every panel. */
static double name_room(const struct chart_plan *p, const struct figure_xy *f)
{
	double widest = 0;

	for (size_t i = 0; i < f->npanels; i++)
		for (size_t k = 0; k < f->panels[i].nseries; k++)
			widest = fmax(widest,
				      chart_text_width(p->fonts, TEXT_NAME,
						       f->panels[i].series[k].name));
	return widest > 0 ? fmin(ceil(widest), 190) + NAME_GAP + 2 : 6;
}

static void ticks_x(struct plot *t)
{
	struct chart_plan *p = t->plan;
	struct chart_tick ticks[CHART_TICKS_MAX];
	struct str grid = paint_line(p->arena, COLOUR_GRID, 1, NULL);
	double wide = t->x.to - t->x.from, free_from = -INFINITY;
	size_t n = figure_scale_ticks(&t->x, (size_t)fmax(2, wide / 45), p->arena, ticks);

	for (size_t i = 0; i < n; i++) {
		double x = figure_scale_at(&t->x, ticks[i].value);
		double half = chart_text_width(p->fonts, TEXT_TICK, ticks[i].label) / 2;

		canvas_line(&p->canvas, PAGE_GRID, grid, x, t->y.to, x, t->y.from);
		if (x - half < free_from || x + half > p->view.width - 2)
			continue;
		canvas_text(&p->canvas, TEXT_TICK, ANCHOR_MIDDLE, x, t->y.from + 12,
			    ticks[i].label);
		free_from = x + half + 8;
	}
}

static void ticks_y(struct plot *t)
{
	struct chart_plan *p = t->plan;
	struct chart_tick ticks[CHART_TICKS_MAX];
	struct str grid = paint_line(p->arena, COLOUR_GRID, 1, NULL);
	size_t n = figure_scale_ticks(&t->y, 6, p->arena, ticks);
	double free_to = INFINITY;

	for (size_t i = 0; i < n; i++) {
		double y = figure_scale_at(&t->y, ticks[i].value);

		canvas_line(&p->canvas, PAGE_GRID, grid, t->x.from, y, t->x.to, y);
		if (y > free_to)
			continue;
		canvas_text(&p->canvas, TEXT_TICK, ANCHOR_END, t->x.from - 6, y, ticks[i].label);
		free_to = y - 13;
	}
}

/* --- lines --- */

static void rule_draw(struct plot *t, const struct xy_rule *r)
{
	static const double dash[] = { 4, 3 };
	struct chart_plan *p = t->plan;
	double x0, y0, x1, y1;

	if (!point_at(t, r->x0, r->y0, &x0, &y0) || !point_at(t, r->x1, r->y1, &x1, &y1))
		return;
	canvas_line(&p->canvas, PAGE_WHISKER,
		    paint_line(p->arena, COLOUR_REF, 1, r->solid ? NULL : dash), x0, y0, x1, y1);
	label_room_segment(&t->room, x0, y0, x1, y1);
}

/* Beside the head of an upright line, else over a flat one: at its right or left end or between,
 * wherever the marks leave room; in none of these places not at all. */
static void rule_label(struct plot *t, const struct xy_rule *r)
{
	static const double shares[] = { 1, 0, 0.75, 0.25, 0.5 };
	struct chart_plan *p = t->plan;
	struct str label = chart_text_clean(p->arena, r->label);
	double width = chart_text_width(p->fonts, TEXT_NOTE, label), x0, y0, x1, y1;

	if (label.len == 0 || !point_at(t, r->x0, r->y0, &x0, &y0)
	    || !point_at(t, r->x1, r->y1, &x1, &y1))
		return;
	for (size_t i = 0; i < LEN(shares); i++) {
		bool upright = x1 - x0 < 1;
		double x = upright ? x1 - width - 5 : x0 + 3 + shares[i] * (x1 - x0 - width - 6);
		double y = upright ? fmin(y0, y1) + 7 + (double)i * 13 : y0 - 7;

		if (!label_room_take(&t->room, (struct label_box){ x, y - 5, x + width, y + 5 }))
			continue;
		canvas_text(&p->canvas, TEXT_NOTE, ANCHOR_START, x, y, label);
		return;
	}
}

static void band_draw(struct plot *t, const struct xy_series *s)
{
	struct chart_plan *p = t->plan;
	struct canvas_xy *at = arena_array(p->arena, 2 * s->n, sizeof *at);
	size_t n = 0;
	double x, y;

	for (size_t i = 0; i < s->n; i++)
		if (point_at(t, s->points[i].x, s->points[i].low, &x, &y))
			at[n++] = (struct canvas_xy){ x, y };
	for (size_t i = s->n; i-- > 0;)
		if (point_at(t, s->points[i].x, s->points[i].high, &x, &y))
			at[n++] = (struct canvas_xy){ x, y };
	canvas_area(&p->canvas, PAGE_AREA, paint_solid(p->arena, figure_look(s->look)->pale), at,
		    n);
}

static void curve_draw(struct plot *t, const struct xy_series *s)
{
	static const double dash[] = { 5, 3 };
	struct chart_plan *p = t->plan;
	struct canvas_xy *at = arena_array(p->arena, 2 * s->n, sizeof *at);
	size_t n = 0;
	double x, y;

	for (size_t i = 0; i < s->n; i++) {
		if (!point_at(t, s->points[i].x, s->points[i].y, &x, &y))
			continue;
		if (s->line == XY_STEPS && n > 0) {
			at[n] = (struct canvas_xy){ x, at[n - 1].y };
			n++;
		}
		at[n++] = (struct canvas_xy){ x, y };
	}
	canvas_curve(&p->canvas, PAGE_CURVE,
		     paint_line(p->arena, figure_look(s->look)->colour, 1.8,
				s->dashed ? dash : NULL),
		     at, n);
	for (size_t i = 1; i < n; i++)
		label_room_segment(&t->room, at[i - 1].x, at[i - 1].y, at[i].x, at[i].y);
}

/* --- marks --- */

static void whisker_draw(struct plot *t, const struct xy_point *pt, double x)
{
	struct chart_plan *p = t->plan;
	struct str paint = paint_line(p->arena, figure_look(pt->look)->colour, 0.9, NULL);

	if (!figure_scale_has(&t->y, pt->low) || !figure_scale_has(&t->y, pt->high))
		return;

	double y0 = figure_scale_at(&t->y, pt->low), y1 = figure_scale_at(&t->y, pt->high);

	canvas_line(&p->canvas, PAGE_WHISKER, paint, x, y0, x, y1);
	canvas_line(&p->canvas, PAGE_WHISKER, paint, x - 3, y0, x + 3, y0);
	canvas_line(&p->canvas, PAGE_WHISKER, paint, x - 3, y1, x + 3, y1);
	label_room_box(&t->room, (struct label_box){ x - 3, y1, x + 3, y0 });
}

static void marks_draw(struct plot *t, const struct xy_series *s)
{
	double x, y;

	for (size_t i = 0; i < s->n; i++) {
		const struct xy_point *pt = &s->points[i];

		if (!point_at(t, pt->x, pt->y, &x, &y))
			continue;
		if (s->marks) {
			figure_dot_draw(t->plan, pt->look, pt->mark, pt->hollow, x, y);
			label_room_box(&t->room, (struct label_box){ x - MARK_RADIUS,
								     y - MARK_RADIUS,
								     x + MARK_RADIUS,
								     y + MARK_RADIUS });
		}
		if (!s->band)
			whisker_draw(t, pt, x);
	}
}

/* --- labels --- */

static void label_draw(struct plot *t, const struct xy_point *pt)
{
	struct chart_plan *p = t->plan;
	struct str text = chart_text_clean(p->arena, pt->label);
	struct label_place at;
	double x, y, width;

	if (text.len == 0 || !point_at(t, pt->x, pt->y, &x, &y))
		return;
	text = chart_text_fit(p->arena, p->fonts, TEXT_NAME, text, 150);
	width = chart_text_width(p->fonts, TEXT_NAME, text);
	if (!label_room_place(&t->room, x, y, MARK_RADIUS, width, LABEL_HEIGHT, &at))
		return;
	canvas_text(&p->canvas, TEXT_NAME, ANCHOR_START, at.left, at.middle, text);
	if (at.leader)
		canvas_line(&p->canvas, PAGE_WHISKER, paint_line(p->arena, COLOUR_REF, 0.6, NULL),
			    x, y, at.to_x, at.to_y);
}

/* The last point of a line that is drawn. */
static bool line_end(const struct plot *t, const struct xy_series *s, double *x, double *y)
{
	for (size_t i = s->n; i-- > 0;)
		if (point_at(t, s->points[i].x, s->points[i].y, x, y))
			return true;
	return false;
}

static void names_draw(struct plot *t)
{
	struct chart_plan *p = t->plan;
	const struct xy_panel *panel = t->panel;
	double *at = arena_array(p->arena, panel->nseries, sizeof *at);
	size_t *who = arena_array(p->arena, panel->nseries, sizeof *who), n = 0;
	double x, y, left = t->x.to + NAME_GAP;

	for (size_t i = 0; i < panel->nseries; i++) {
		if (panel->series[i].name.len == 0 || !line_end(t, &panel->series[i], &x, &y))
			continue;
		who[n] = i;
		at[n++] = y;
	}
	label_spread(at, n, NAME_HEIGHT, t->y.to, t->y.from, p->arena);
	for (size_t i = 0; i < n; i++) {
		const struct xy_series *s = &panel->series[who[i]];

		line_end(t, s, &x, &y);
		canvas_line(&p->canvas, PAGE_WHISKER,
			    paint_line(p->arena, figure_look(s->look)->colour, 0.6, NULL), x, y,
			    left - 3, at[i]);
		figure_text(p, TEXT_NAME, ANCHOR_START, left, at[i], s->name,
			    p->view.width - CHART_EDGE - left + 14);
	}
}

/* --- panels --- */

static void panel_draw(struct plot *t)
{
	const struct xy_panel *panel = t->panel;

	ticks_x(t);
	ticks_y(t);
	for (size_t i = 0; i < panel->nrules; i++)
		rule_draw(t, &panel->rules[i]);
	for (size_t i = 0; i < panel->nseries; i++) {
		const struct xy_series *s = &panel->series[i];

		if (s->band)
			band_draw(t, s);
		if (s->line != XY_POINTS)
			curve_draw(t, s);
		marks_draw(t, s);
	}
	for (size_t i = 0; i < panel->nrules; i++)
		rule_label(t, &panel->rules[i]);
	for (size_t i = 0; i < panel->nseries; i++)
		for (size_t k = 0; k < panel->series[i].n; k++)
			label_draw(t, &panel->series[i].points[k]);
	names_draw(t);
}

/* One panel with its upper left corner at (x, y). */
static void panel_at(struct chart_plan *p, const struct figure_xy *f, size_t i, double x, double y,
		     double width)
{
	struct plot t = { .plan = p, .figure = f, .panel = &f->panels[i], .x = f->x.scale,
			  .y = f->y.scale, .room.arena = p->arena };
	bool last_in_column = i + f->columns >= f->npanels;

	t.x.from = x + tick_room(p, f);
	t.x.to = x + width - name_room(p, f);
	t.y.to = y + (t.panel->title.len > 0 ? PANEL_TITLE : 0) + 4;
	t.y.from = t.y.to + f->plot_height;
	t.room.frame = (struct label_box){ t.x.from + 2, t.y.to, x + width, t.y.from - 1 };
	figure_text(p, TEXT_PANEL, ANCHOR_START, t.x.from, y + PANEL_TITLE / 2, t.panel->title,
		    width);
	panel_draw(&t);
	if (last_in_column)
		figure_text(p, TEXT_AXIS, ANCHOR_MIDDLE, (t.x.from + t.x.to) / 2,
			    t.y.from + TICK_HEIGHT + AXIS_TITLE / 2, f->x.title, width);
}

double figure_xy_draw(struct chart_plan *p, const void *data, double y)
{
	const struct figure_xy *f = data;
	double wide = p->view.width - 2 * CHART_EDGE, columns = (double)f->columns;
	double panel = (wide - (columns - 1) * PANEL_GAP) / columns;
	bool titled = f->npanels > 0 && f->panels[0].title.len > 0;
	double high = (titled ? PANEL_TITLE : 0) + 4 + f->plot_height + TICK_HEIGHT;
	size_t rows = (f->npanels + f->columns - 1) / f->columns;

	y = figure_keys_draw(p, f->keys, f->nkeys, y + 6);
	/* the title of the y axis lies over the plots: read before them, and never turned */
	figure_text(p, TEXT_AXIS, ANCHOR_START, CHART_EDGE, y + AXIS_TITLE / 2, f->y.title, wide);
	y += AXIS_TITLE + 8;
	for (size_t i = 0; i < f->npanels; i++)
		panel_at(p, f, i, CHART_EDGE + (double)(i % f->columns) * (panel + PANEL_GAP),
			 y + (double)(i / f->columns) * (high + 12), panel);
	return y + (double)rows * (high + 12) - 12 + AXIS_TITLE;
}
