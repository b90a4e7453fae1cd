/* Prices over time of the cards that the advice names. */
#include "figure_chapter.h"
#include "figure_xy.h"
#include "format.h"

#include <limits.h>
#include <math.h>

/* One price a week, the newest of its days; a mark on every eighth, on all of a few, tells the
 * lines apart without colour. */
enum { CARDS_MAX = 6, DAYS_MIN = 3, BIN_DAYS = 7, MARK_EVERY = 8, MARK_ALL = 24, SERIES = 3 };

/* Rows of one card in one market, new or used: rows[from, to) of price_history.csv. */
struct course {
	size_t from, to;
};

static bool same_course(const struct data_price_day *a, const struct data_price_day *b)
{
	return str_eq(a->device, b->device) && str_eq(a->market, b->market)
	       && str_eq(a->condition, b->condition);
}

/* The longest course of the card: the one with the most days; of equals the first. */
static struct course longest(const struct report_data *d, struct str device)
{
	struct course best = { 0, 0 };

	for (size_t i = 0, end; i < d->nprice_history; i = end) {
		for (end = i + 1; end < d->nprice_history
				  && same_course(&d->price_history[i], &d->price_history[end]);)
			end++;
		if (str_eq(d->price_history[i].device, device) && end - i > best.to - best.from)
			best = (struct course){ i, end };
	}
	return best;
}

static struct xy_point point_of(double day, double usd, size_t look)
{
	return (struct xy_point){ .x = day, .y = usd, .low = NAN, .high = NAN, .look = look };
}

static struct str course_name(struct build *b, const struct data_price_day *p)
{
	return figure_word(b, "history", "name", (struct text_arg[]){
		text_arg("device", p->device),
		text_arg("market", build_word(b, "market", p->market)),
		text_arg("condition", build_word(b, "condition", p->condition)),
		text_arg_end() });
}

static int week_of(const struct data_price_day *p)
{
	return (p->date.day - (p->date.day % BIN_DAYS + BIN_DAYS) % BIN_DAYS) / BIN_DAYS;
}

/* The weeks as steps, some of them marked, and in dashes the newest price carried to the edition's
 * date. */
static void course_add(struct build *b, struct figure_xy *f, struct xy_panel *panel,
		       struct course c, size_t look)
{
	const struct data_price_day *days = b->data->price_history;
	struct xy_series *steps = &panel->series[panel->nseries++], *marks, *carried;
	struct xy_point *points = arena_array(b->arena, c.to - c.from, sizeof *points);

	*steps = (struct xy_series){ .look = look, .line = XY_STEPS, .points = points };
	for (size_t i = c.from; i < c.to; i++) {
		if (i + 1 < c.to && week_of(&days[i]) == week_of(&days[i + 1]))
			continue;
		points[steps->n++] = point_of(days[i].date.day, days[i].price_usd, look);
		figure_scale_take(&f->x.scale, days[i].date.day);
		figure_scale_take(&f->y.scale, days[i].price_usd);
	}
	marks = &panel->series[panel->nseries++];
	*marks = (struct xy_series){ .look = look, .marks = true,
				     .points = arena_array(b->arena, steps->n, sizeof *points) };
	size_t stride = steps->n <= MARK_ALL ? 1 : MARK_EVERY;
	for (size_t i = (steps->n - 1) % stride; i < steps->n; i += stride)
		marks->points[marks->n++] = points[i];
	carried = &panel->series[panel->nseries++];
	*carried = (struct xy_series){ .name = course_name(b, &days[c.from]), .look = look,
				       .line = XY_CURVE, .dashed = true, .n = 2,
				       .points = arena_array(b->arena, 2, sizeof *points) };
	carried->points[0] = carried->points[1] = points[steps->n - 1];
	carried->points[1].x = b->data->date.day;
}

/* The card whose price moved by the largest factor, in its own course. */
static size_t largest_move(const struct report_data *d, const struct course *c, size_t n)
{
	size_t best = 0;
	double most = -1;

	for (size_t i = 0; i < n; i++) {
		double move = fabs(log(d->price_history[c[i].to - 1].price_usd
				       / d->price_history[c[i].from].price_usd));
		if (move > most) {
			most = move;
			best = i;
		}
	}
	return best;
}

static void add(struct build *b, const struct figure_xy *f, const struct course *c, size_t n)
{
	const struct data_price_day *days = b->data->price_history;
	struct course moved = c[largest_move(b->data, c, n)];
	const struct data_price_day *first = &days[moved.from], *last = &days[moved.to - 1];
	struct name_set names = { .n = 0 };

	for (size_t i = 0; i < n; i++)
		name_add(b, &names, days[c[i].from].device);

	const struct text_arg args[] = {
		text_arg_int("n", (long)n, b->arena),
		text_arg("names", name_list(b, &names, n)),
		text_arg("date", date_iso(b->arena, b->data->date)),
		text_arg("device", first->device),
		text_arg("from", format_usd(b->arena, first->price_usd)),
		text_arg("from_date", date_iso(b->arena, first->date)),
		text_arg("to", format_usd(b->arena, last->price_usd)),
		text_arg("to_date", date_iso(b->arena, last->date)),
		text_arg_end(),
	};
	figure_add(b, "history", "data/price_history.csv", args, figure_xy_draw, f);
}

void figure_history(struct build *b)
{
	struct figure_xy *f = arena_alloc(b->arena, sizeof *f);
	struct xy_panel *panel = arena_alloc(b->arena, sizeof *panel);
	struct xy_rule *rule = arena_alloc(b->arena, sizeof *rule);
	struct name_set picked = { .n = 0 };
	struct course courses[CARDS_MAX];
	size_t n = 0;

	f->x.scale = (struct figure_scale){ .kind = SCALE_DATE, .min = 1, .max = 0 };
	f->y.scale = (struct figure_scale){ .kind = SCALE_LOG10, .min = 1, .max = 0,
					    .prefix = STR("$") };
	f->y.title = figure_word(b, "history", "y", NULL);
	panel->series = arena_array(b->arena, (size_t)SERIES * CARDS_MAX, sizeof *panel->series);
	figure_picked(b, &picked);
	for (size_t i = 0; i < picked.n && n < CARDS_MAX; i++) {
		struct course c = longest(b->data, picked.v[i]);

		if (c.to - c.from < DAYS_MIN)
			continue;
		course_add(b, f, panel, c, n);
		courses[n++] = c;
	}
	if (n == 0)
		return;
	figure_scale_take(&f->x.scale, b->data->date.day);
	figure_scale_pad(&f->x.scale, 0.02);
	figure_scale_pad(&f->y.scale, 0.08);
	f->x.scale.max = b->data->date.day;
	*rule = (struct xy_rule){ b->data->date.day, f->y.scale.min, b->data->date.day,
				  f->y.scale.max, date_iso(b->arena, b->data->date), true };
	panel->rules = rule;
	panel->nrules = 1;
	f->panels = panel;
	f->npanels = f->columns = 1;
	f->plot_height = 330;
	add(b, f, courses, n);
}
