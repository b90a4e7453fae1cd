#include "figure_slope.h"

#include <math.h>

#define STEP 18.0
#define PANEL_GAP 24.0
#define HEAD 40.0

/* Where an item stands on one side: how many have a better rank, or the same and come before. */
static size_t place_of(const struct slope_panel *panel, size_t item, bool after)
{
	int rank = after ? panel->items[item].after : panel->items[item].before;
	size_t n = 0;

	for (size_t i = 0; i < panel->n; i++) {
		int other = after ? panel->items[i].after : panel->items[i].before;

		n += other > 0 && (other < rank || (other == rank && i < item));
	}
	return n;
}

static double side_y(const struct slope_panel *panel, size_t item, bool after, double top)
{
	return top + ((double)place_of(panel, item, after) + 0.5) * STEP;
}

static void side_draw(struct chart_plan *p, const struct slope_item *it, bool after, double x,
		      double y, double room)
{
	int rank = after ? it->after : it->before;
	struct str number = str_printf(p->arena, "%d", rank);
	double off = after ? 8 : -8, name_off = after ? 32 : -32;

	canvas_text(&p->canvas, TEXT_TICK, after ? ANCHOR_START : ANCHOR_END, x + off, y, number);
	figure_text(p, TEXT_NAME, after ? ANCHOR_START : ANCHOR_END, x + name_off, y, it->label,
		    room - 32);
}

/* Rising: solid, blue; falling: dashed, red; the same: thin, grey. */
static void line_draw(struct chart_plan *p, const struct slope_item *it, double x0, double y0,
		      double x1, double y1)
{
	static const double dash[] = { 5, 3 };
	struct canvas *cv = &p->canvas;

	if (it->after < it->before)
		canvas_line(cv, PAGE_WHISKER,
			    paint_line(p->arena, figure_look(0)->colour, 1.8, NULL), x0, y0, x1,
			    y1);
	else if (it->after > it->before)
		canvas_line(cv, PAGE_WHISKER,
			    paint_line(p->arena, figure_look(4)->colour, 1.4, dash), x0, y0, x1,
			    y1);
	else
		canvas_line(cv, PAGE_WHISKER, paint_line(p->arena, COLOUR_REF, 1, NULL), x0, y0, x1,
			    y1);
}

static size_t lines_of(const struct slope_panel *panel)
{
	size_t before = 0, after = 0;

	for (size_t i = 0; i < panel->n; i++) {
		before += panel->items[i].before > 0;
		after += panel->items[i].after > 0;
	}
	return before > after ? before : after;
}

static void panel_draw(struct chart_plan *p, const struct figure_slope *f,
		       const struct slope_panel *panel, double x, double y, double width)
{
	double room = fmin(width * 0.43, 200), x0 = x + room, x1 = x + width - room;
	double top = y + HEAD;

	figure_text(p, TEXT_PANEL, ANCHOR_START, x, y + 9, panel->title, width);
	figure_text(p, TEXT_TICK, ANCHOR_END, x0, y + 28, f->before_title, room);
	figure_text(p, TEXT_TICK, ANCHOR_START, x1, y + 28, f->after_title, room);
	for (size_t i = 0; i < panel->n; i++) {
		const struct slope_item *it = &panel->items[i];
		double y0 = side_y(panel, i, false, top), y1 = side_y(panel, i, true, top);

		if (it->before > 0)
			side_draw(p, it, false, x0, y0, room);
		if (it->after > 0)
			side_draw(p, it, true, x1, y1, room);
		if (it->before > 0 && it->after > 0)
			line_draw(p, it, x0, y0, x1, y1);
	}
}

double figure_slope_draw(struct chart_plan *p, const void *data, double y)
{
	const struct figure_slope *f = data;
	double wide = p->view.width - 2 * CHART_EDGE, columns = (double)f->columns;
	double width = (wide - (columns - 1) * PANEL_GAP) / columns;

	y = figure_keys_draw(p, f->keys, f->nkeys, y + 6) + 8;
	for (size_t i = 0; i < f->npanels; i += f->columns) {
		double high = 0;

		for (size_t k = i; k < f->npanels && k < i + f->columns; k++) {
			panel_draw(p, f, &f->panels[k],
				   CHART_EDGE + (double)(k - i) * (width + PANEL_GAP), y, width);
			high = fmax(high, HEAD + (double)lines_of(&f->panels[k]) * STEP);
		}
		y += high + 18;
	}
	return y - 12;
}
