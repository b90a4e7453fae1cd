#include "figure_key.h"

#include <math.h>

enum { LINES_MAX = 8 };

#define SAMPLE_WIDTH 18.0
#define SAMPLE_GAP 6.0
#define KEY_GAP 18.0
#define KEY_LINE_HEIGHT 20.0

const struct class_style *figure_look(size_t look)
{
	return look < CHART_CLASSES_MAX ? &chart_classes[look] : &chart_no_class;
}

void figure_dot_draw(struct chart_plan *p, size_t look, enum figure_mark mark, bool hollow,
		     double x, double y)
{
	enum { CIRCLE_CLASS = 0, DIAMOND_CLASS = 3 }; /* whose shapes and sizes these are */
	struct class_style style = *figure_look(look);

	if (mark != MARK_OF_LOOK) {
		const struct class_style *shape =
		    &chart_classes[mark == MARK_CIRCLE ? CIRCLE_CLASS : DIAMOND_CLASS];

		style.point = shape->point;
		style.point_size = shape->point_size;
		style.hole = shape->hole;
	}
	chart_dot_draw(p, &style, hollow ? ORIGIN_SCALED : ORIGIN_MEASURED, x, y);
}

static void sample_draw(struct chart_plan *p, const struct figure_key *k, double x, double y)
{
	static const double dash[] = { 4, 3 };
	const struct class_style *look = figure_look(k->look);
	double x1 = x + SAMPLE_WIDTH;

	switch (k->kind) {
	case KEY_DOT:
	case KEY_RING:
		figure_dot_draw(p, k->look, MARK_OF_LOOK, k->kind == KEY_RING,
				x + SAMPLE_WIDTH / 2, y);
		break;
	case KEY_CIRCLE:
	case KEY_DIAMOND:
	case KEY_RING_DIAMOND:
		figure_dot_draw(p, k->look, k->kind == KEY_CIRCLE ? MARK_CIRCLE : MARK_DIAMOND,
				k->kind == KEY_RING_DIAMOND, x + SAMPLE_WIDTH / 2, y);
		break;
	case KEY_LINE:
		canvas_line(&p->canvas, PAGE_WHISKER, paint_line(p->arena, look->colour, 1.8, NULL),
			    x, y, x1, y);
		break;
	case KEY_DASHES:
		canvas_line(&p->canvas, PAGE_WHISKER, paint_line(p->arena, look->colour, 1, dash),
			    x, y, x1, y);
		break;
	case KEY_AREA:
		canvas_box(&p->canvas, PAGE_AREA, paint_solid(p->arena, look->pale), x, y - 5.5, x1,
			   y + 5.5);
		break;
	case KEY_BOX:
		chart_bar_draw(p, look, ORIGIN_MEASURED, true, x, y - 5.5, x1, y + 5.5);
		break;
	case KEY_HATCH:
		chart_bar_draw(p, look, ORIGIN_SCALED, true, x, y - 5.5, x1, y + 5.5);
		break;
	case KEY_RISING:
		chart_bar_draw(p, look, ORIGIN_ESTIMATED, true, x, y - 5.5, x1, y + 5.5);
		break;
	}
}

double figure_keys_draw(struct chart_plan *p, const struct figure_key *keys, size_t n, double y)
{
	double right = p->view.width - CHART_EDGE, x = CHART_EDGE, end = y;

	for (size_t i = 0; i < n; i++) {
		double room = right - CHART_EDGE - SAMPLE_WIDTH - SAMPLE_GAP;
		struct str text = chart_text_fit(p->arena, p->fonts, TEXT_LEGEND,
						 chart_text_clean(p->arena, keys[i].text), room);
		double width = chart_text_width(p->fonts, TEXT_LEGEND, text);

		if (text.len == 0)
			continue;
		if (x > CHART_EDGE && x + SAMPLE_WIDTH + SAMPLE_GAP + width > right) {
			x = CHART_EDGE;
			y += KEY_LINE_HEIGHT;
		}
		end = y + KEY_LINE_HEIGHT;
		sample_draw(p, &keys[i], x, y + KEY_LINE_HEIGHT / 2);
		canvas_text(&p->canvas, TEXT_LEGEND, ANCHOR_START, x + SAMPLE_WIDTH + SAMPLE_GAP,
			    y + KEY_LINE_HEIGHT / 2, text);
		x += SAMPLE_WIDTH + SAMPLE_GAP + width + KEY_GAP;
	}
	return end;
}

void figure_text(struct chart_plan *p, enum text_style style, enum text_anchor anchor, double x,
		 double y, struct str text, double width)
{
	struct str clean = chart_text_clean(p->arena, text);

	canvas_text(&p->canvas, style, anchor, x, y,
		    chart_text_fit(p->arena, p->fonts, style, clean, width));
}

double figure_lines(struct chart_plan *p, enum text_style style, double x, double y,
		    struct str text, double width, double height, size_t max)
{
	struct str lines[LINES_MAX];
	size_t n = chart_text_wrap(p->arena, p->fonts, style, chart_text_clean(p->arena, text),
				   width, lines, max < LINES_MAX ? max : LINES_MAX);

	for (size_t i = 0; i < n; i++, y += height)
		canvas_text(&p->canvas, style, ANCHOR_START, x, y + height / 2, lines[i]);
	return y;
}
