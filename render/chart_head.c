#include "chart_plan.h"

enum { LEGEND_MAX = CHART_CLASSES_MAX + 3 };

/* One sample of the legend. */
struct entry {
	const struct class_style *look;
	enum origin origin;
	struct str text;
	double width; /* sample, text and the gap behind it */
};

#define SAMPLE_WIDTH 17.0
#define SAMPLE_GAP 6.0
#define ENTRY_GAP 20.0
#define LEGEND_LINE 20.0

static double sample_width(const struct chart_plan *p)
{
	return p->dots ? 8 : SAMPLE_WIDTH;
}

static void entry_add(const struct chart_plan *p, struct entry *list, size_t *n,
		      const struct class_style *look, enum origin origin, struct str text)
{
	double room = p->view.width - 2 * CHART_EDGE - sample_width(p) - SAMPLE_GAP;

	text =
	    chart_text_fit(p->arena, p->fonts, TEXT_LEGEND, chart_text_clean(p->arena, text), room);
	if (text.len == 0)
		return;
	list[(*n)++] = (struct entry){
		look,
		origin,
		text,
		sample_width(p) + SAMPLE_GAP + chart_text_width(p->fonts, TEXT_LEGEND, text)
		    + ENTRY_GAP,
	};
}

static size_t legend_entries(const struct chart_plan *p, struct entry *list)
{
	const struct chart *c = p->chart;
	size_t n = 0;

	/* over dots the panels name the classes */
	for (size_t k = 0; k < c->nclasses && !p->dots; k++)
		entry_add(p, list, &n, &chart_classes[k], ORIGIN_MEASURED, c->class_titles[k]);
	entry_add(p, list, &n, &chart_no_class, ORIGIN_MEASURED, c->legend_measured);
	entry_add(p, list, &n, &chart_no_class, ORIGIN_SCALED, c->legend_scaled);
	if (c->has_estimated)
		entry_add(p, list, &n, &chart_no_class, ORIGIN_ESTIMATED, c->legend_estimated);
	return n;
}

static void entry_draw(struct chart_plan *p, const struct entry *e, double x, double y)
{
	if (p->dots)
		chart_dot_draw(p, e->look, e->origin, x + sample_width(p) / 2, y);
	else
		chart_bar_draw(p, e->look, e->origin, true, x, y - 5.5, x + SAMPLE_WIDTH, y + 5.5);
	canvas_text(&p->canvas, TEXT_LEGEND, ANCHOR_START, x + sample_width(p) + SAMPLE_GAP, y,
		    e->text);
}

/* In one line over the plot where that fits, else from the left edge of the page, else in more
 * lines. */
static double legend_draw(struct chart_plan *p, double y)
{
	struct entry list[LEGEND_MAX];
	size_t n = legend_entries(p, list);
	double total = -ENTRY_GAP, left, right = p->view.width - CHART_EDGE, x;

	for (size_t i = 0; i < n; i++)
		total += list[i].width;
	left = p->view.left + total <= right ? p->view.left : CHART_EDGE;
	x = left;
	for (size_t i = 0; i < n; i++) {
		if (x > left && x + list[i].width - ENTRY_GAP > right) {
			x = left;
			y += LEGEND_LINE;
		}
		entry_draw(p, &list[i], x, y + LEGEND_LINE / 2);
		x += list[i].width;
	}
	return n > 0 ? y + LEGEND_LINE : y;
}

/* Draws wrapped text from y on and returns where it ends. */
static double lines_draw(struct chart_plan *p, enum text_style style, struct str text, double y,
			 double height)
{
	struct str lines[CHART_LINES_MAX];
	double room = p->view.width - 2 * CHART_EDGE;
	size_t n = chart_text_wrap(p->arena, p->fonts, style, chart_text_clean(p->arena, text),
				   room, lines, LEN(lines));

	for (size_t i = 0; i < n; i++, y += height)
		canvas_text(&p->canvas, style, ANCHOR_START, CHART_EDGE, y + height / 2, lines[i]);
	return y;
}

double chart_head_draw(struct chart_plan *p)
{
	double y = 13;

	y = lines_draw(p, TEXT_TITLE, p->chart->title, y, 24);
	y = lines_draw(p, TEXT_SUBTITLE, p->chart->subtitle, y + 3, 17);
	return legend_draw(p, y + 8);
}
