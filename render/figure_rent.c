/* Own or rent: after how many months a bought card is cheaper, by the hours it runs a month. */
#include "figure_chapter.h"
#include "figure_xy.h"
#include "format.h"

#include <math.h>

enum { CARDS_MAX = 6, HOURS_MAX = 16, RULES_MAX = 3, MONTHS_OF_YEAR = 12, YEARS_SHOWN = 10 };

/* The curve of one card under the middle offer of all providers: rows[from, to). */
struct offer {
	size_t from, to;
};

static bool is_middle(const struct data_breakeven *r)
{
	return str_eq(r->provider, STR("median"));
}

/* Months of ten years and more are no plan: such points stay off the figure. */
static bool is_shown(const struct data_breakeven *r)
{
	return r->hours_per_month > 0 && r->months > 0
	       && r->months <= YEARS_SHOWN * MONTHS_OF_YEAR; /* false for NAN */
}

static bool find(const struct report_data *d, struct str device, struct offer *o)
{
	size_t shown = 0;

	*o = (struct offer){ d->nbreakeven, 0 };
	for (size_t i = 0; i < d->nbreakeven; i++) {
		const struct data_breakeven *r = &d->breakeven[i];
		if (!is_middle(r) || !str_eq(r->device, device))
			continue;
		o->from = i < o->from ? i : o->from;
		o->to = i + 1;
		shown += is_shown(r);
	}
	return shown > 1;
}

/* The cards of the advice first, then the others in the order of the file. */
static size_t offers_gather(struct build *b, struct offer *out)
{
	struct name_set names = { .n = 0 };
	size_t n = 0;

	figure_picked(b, &names);
	for (size_t i = 0; i < b->data->nbreakeven; i++)
		name_add(b, &names, b->data->breakeven[i].device);
	for (size_t i = 0; i < names.n && n < CARDS_MAX; i++)
		n += find(b->data, names.v[i], &out[n]);
	return n;
}

static void curve_add(struct build *b, struct figure_xy *f, struct offer o, size_t look)
{
	const struct data_breakeven *rows = b->data->breakeven;
	struct xy_series *s = &f->panels[0].series[f->panels[0].nseries++];

	*s = (struct xy_series){
		.look = look,
		.line = XY_CURVE,
		.marks = true,
		.points = arena_array(b->arena, o.to - o.from, sizeof *s->points),
	};
	s->name = figure_word(b, "rent", "name", (struct text_arg[]){
		text_arg("device", rows[o.from].device),
		text_arg("rent", format_usd(b->arena, rows[o.from].rent_usd_per_hour)),
		text_arg_end() });
	for (size_t i = o.from; i < o.to; i++) {
		if (!is_middle(&rows[i]) || !is_shown(&rows[i]))
			continue;
		s->points[s->n++] = (struct xy_point){ .x = rows[i].hours_per_month,
						       .y = rows[i].months, .low = NAN,
						       .high = NAN, .look = look };
		figure_scale_take(&f->x.scale, rows[i].hours_per_month);
		figure_scale_take(&f->y.scale, rows[i].months);
	}
}

/* The hours of the file, ascending: the ticks. */
static size_t hours_gather(const struct report_data *d, double *out)
{
	size_t n = 0;

	for (size_t i = 0; i < d->nbreakeven; i++) {
		double v = d->breakeven[i].hours_per_month;
		size_t at = 0;

		while (at < n && out[at] < v)
			at++;
		if (!(v > 0) || (at < n && !(out[at] > v)) || n == HOURS_MAX)
			continue;
		for (size_t k = n++; k > at; k--)
			out[k] = out[k - 1];
		out[at] = v;
	}
	return n;
}

/* One, two and three years, where they lie on the axis. */
static void years_add(struct build *b, struct figure_xy *f)
{
	struct xy_panel *p = &f->panels[0];

	p->rules = arena_array(b->arena, RULES_MAX, sizeof *p->rules);
	for (int year = 1; year <= RULES_MAX; year++) {
		double months = year * MONTHS_OF_YEAR;
		if (!figure_scale_has(&f->y.scale, months))
			continue;
		p->rules[p->nrules++] = (struct xy_rule){
			f->x.scale.min, months, f->x.scale.max, months,
			figure_word(b, "rent", "years", (struct text_arg[]){
				text_arg_int("n", year, b->arena), text_arg_end() }),
			false };
	}
}

static void add(struct build *b, const struct figure_xy *f, const struct offer *offers, size_t n)
{
	const struct data_breakeven *best = NULL;

	for (size_t k = 0; k < n; k++)
		for (size_t i = offers[k].from; i < offers[k].to; i++) {
			const struct data_breakeven *r = &b->data->breakeven[i];
			if (is_middle(r) && is_shown(r) && (!best || r->months < best->months))
				best = r;
		}
	if (!best)
		return;
	const struct text_arg args[] = {
		text_arg_int("n", (long)n, b->arena),
		text_arg("device", best->device),
		text_arg("months", format_amount(b->arena, best->months)),
		text_arg("hours", format_amount(b->arena, best->hours_per_month)),
		text_arg_int("limit", YEARS_SHOWN, b->arena),
		text_arg_end(),
	};
	figure_add(b, "rent", "data/breakeven.csv", args, figure_xy_draw, f);
}

void figure_rent(struct build *b)
{
	struct figure_xy *f = arena_alloc(b->arena, sizeof *f);
	double *hours = arena_array(b->arena, HOURS_MAX, sizeof *hours);
	struct offer offers[CARDS_MAX];
	size_t n = offers_gather(b, offers);

	if (n == 0)
		return;
	f->panels = arena_alloc(b->arena, sizeof *f->panels);
	f->npanels = f->columns = 1;
	f->panels[0].series = arena_array(b->arena, n, sizeof *f->panels[0].series);
	f->plot_height = 330;
	f->x.title = figure_word(b, "rent", "x", NULL);
	f->y.title = figure_word(b, "rent", "y", NULL);
	f->x.scale = (struct figure_scale){ .kind = SCALE_LOG10, .min = 1, .max = 0, .fixed = hours,
					    .nfixed = hours_gather(b->data, hours) };
	f->y.scale = (struct figure_scale){ .kind = SCALE_LOG10, .min = 1, .max = 0 };
	for (size_t i = 0; i < n; i++)
		curve_add(b, f, offers[i], i);
	figure_scale_pad(&f->x.scale, 0.03);
	figure_scale_pad(&f->y.scale, 0.06);
	years_add(b, f);
	add(b, f, offers, n);
}
