/* Price against performance and against memory: the cards that no other one beats are named. */
#include "figure_chapter.h"
#include "figure_xy.h"
#include "format.h"

#include <math.h>
#include <stdlib.h>

enum { COLUMNS = 2, NAMES_SHOWN = 12 };

/* A priced card on one panel. */
struct card {
	struct str device;
	double cost, gain;
	bool fresh, scaled, on; /* scaled: drawn as a diamond */
};

struct cards {
	struct card *v;
	size_t n, on, fresh;
};

static int by_cost(const void *pa, const void *pb)
{
	const struct card *a = pa, *b = pb;

	if (a->cost != b->cost)
		return a->cost < b->cost ? -1 : 1;
	return str_cmp(a->device, b->device);
}

/* Cards with an old price are drawn, but only fresh ones make the frontier where there are any:
 * what nobody sells any more beats nobody. */
static void mark_frontier(struct build *b, struct cards *c)
{
	double *cost = arena_array(b->arena, c->n, sizeof *cost);
	double *gain = arena_array(b->arena, c->n, sizeof *gain);
	bool *on = arena_array(b->arena, c->n, sizeof *on);

	for (size_t i = 0; i < c->n; i++)
		c->fresh += c->v[i].fresh;
	for (size_t i = 0; i < c->n; i++) {
		cost[i] = c->fresh == 0 || c->v[i].fresh ? c->v[i].cost : (double)NAN;
		gain[i] = c->v[i].gain;
	}
	figure_frontier_of(cost, gain, c->n, on);
	for (size_t i = 0; i < c->n; i++) {
		c->v[i].on = on[i];
		c->on += on[i];
	}
}

static struct xy_point point_of(const struct card *c, size_t look)
{
	return (struct xy_point){ .x = c->cost,
				  .y = c->gain,
				  .low = NAN,
				  .high = NAN,
				  .label = c->on ? c->device : STR(""),
				  .hollow = !c->fresh,
				  .look = c->on ? look : LOOK_NONE,
				  .mark = c->scaled ? MARK_DIAMOND : MARK_CIRCLE };
}

/* The others lie under the frontier, and its names take their room first. */
static struct xy_panel panel_of(struct build *b, const struct cards *c, struct str title,
				size_t look)
{
	struct xy_series *s = arena_array(b->arena, 2, sizeof *s);

	for (size_t k = 0; k < 2; k++) {
		bool on = k == 1;

		s[k] = (struct xy_series){ .look = on ? look : LOOK_NONE,
					   .line = on ? XY_STEPS : XY_POINTS,
					   .marks = true,
					   .points = arena_array(b->arena, c->n,
								 sizeof *s[k].points) };
		for (size_t i = 0; i < c->n; i++)
			if (c->v[i].on == on)
				s[k].points[s[k].n++] = point_of(&c->v[i], look);
	}
	return (struct xy_panel){ .title = title, .series = s, .nseries = 2 };
}

static void take(struct figure_xy *f, const struct cards *c)
{
	for (size_t i = 0; i < c->n; i++) {
		figure_scale_take(&f->x.scale, c->v[i].cost);
		figure_scale_take(&f->y.scale, c->v[i].gain);
	}
}

static void add_names(struct build *b, const struct cards *c, struct name_set *names)
{
	for (size_t i = 0; i < c->n; i++)
		if (c->v[i].on)
			name_add(b, names, c->v[i].device);
}

/* scores: cards are measured or scaled; else all are alike. */
static void legend(struct build *b, struct figure_xy *f, const char *name, bool scores)
{
	const struct text_arg args[] = { text_arg("days", data_setting(b->data, STR("stale_days"))),
					 text_arg_end() };
	struct figure_key *keys = arena_array(b->arena, 4, sizeof *keys);

	keys[f->nkeys++] =
	    (struct figure_key){ KEY_LINE, scores ? LOOK_NONE : 0,
				 figure_word(b, name, "key_frontier", NULL) };
	keys[f->nkeys++] = (struct figure_key){ KEY_CIRCLE, LOOK_NONE,
						scores ? build_str(b, "figure.measured", NULL)
						       : figure_word(b, name, "key_fresh", NULL) };
	if (scores)
		keys[f->nkeys++] = (struct figure_key){ KEY_DIAMOND, LOOK_NONE,
							build_str(b, "figure.scaled", NULL) };
	keys[f->nkeys++] =
	    (struct figure_key){ KEY_RING, LOOK_NONE, figure_word(b, name, "key_stale", args) };
	f->keys = keys;
}

static struct figure_xy *figure_new(struct build *b, const char *name, size_t panels)
{
	const struct text_arg args[] = { text_arg("reference",
						  data_setting(b->data, STR("reference"))),
					 text_arg_end() };
	struct figure_xy *f = arena_alloc(b->arena, sizeof *f);

	f->x.title = figure_word(b, name, "x", NULL);
	f->x.scale = (struct figure_scale){ .kind = SCALE_LOG10, .min = 1, .max = 0,
					    .prefix = STR("$") };
	f->y.title = figure_word(b, name, "y", args);
	f->y.scale = (struct figure_scale){ .kind = SCALE_LOG10, .min = 1, .max = 0 };
	f->panels = arena_array(b->arena, panels, sizeof *f->panels);
	f->columns = 1;
	return f;
}

/* --- performance --- */

static struct cards class_cards(struct build *b, size_t class_no)
{
	const struct report_data *d = b->data;
	struct cards c = { .v = arena_array(b->arena, d->ndevices, sizeof *c.v) };

	for (size_t i = 0; i < d->ndevices; i++) {
		const struct data_score *s = data_score(d, i, class_no);
		const struct data_price *p = build_card_price(b, d->devices[i]);

		if (figure_score_is_drawn(s) && p)
			c.v[c.n++] = (struct card){ .device = d->devices[i],
						    .cost = p->price_usd,
						    .gain = s->score,
						    .fresh = !build_price_is_stale(p),
						    .scaled = s->origin == ORIGIN_SCALED };
	}
	qsort(c.v, c.n, sizeof *c.v, by_cost);
	mark_frontier(b, &c);
	return c;
}

/* Cards that are on the frontier of every panel. */
static void keep_common(struct build *b, const struct cards *c, struct name_set *common)
{
	struct name_set kept = { .n = 0 };

	for (size_t k = 0; k < common->n; k++)
		for (size_t i = 0; i < c->n; i++)
			if (c->v[i].on && str_eq(c->v[i].device, common->v[k]))
				name_add(b, &kept, common->v[k]);
	*common = kept;
}

/* The cards of all panels, and those that are on the frontier of any and of every one. */
struct seen {
	struct name_set cards, any, common;
};

/* One class; a class without a priced card has no panel. */
static void add_panel(struct build *b, struct figure_xy *f, size_t class_no, struct seen *seen)
{
	struct cards c = class_cards(b, class_no);

	if (c.n == 0)
		return;
	f->panels[f->npanels] = panel_of(b, &c, build_class(b, b->data->classes[class_no]),
					 class_no % CHART_CLASSES_MAX);
	take(f, &c);
	add_names(b, &c, &seen->any);
	if (f->npanels++ == 0)
		add_names(b, &c, &seen->common);
	else
		keep_common(b, &c, &seen->common);
	for (size_t i = 0; i < c.n; i++)
		name_add(b, &seen->cards, c.v[i].device);
}

static long count_fresh(const struct build *b, const struct name_set *cards)
{
	long n = 0;

	for (size_t i = 0; i < cards->n; i++)
		n += build_price_is_fresh(b, cards->v[i]);
	return n;
}

void figure_frontier(struct build *b)
{
	struct figure_xy *f = figure_new(b, "frontier", b->data->nclasses);
	struct seen seen = { .cards = { .n = 0 } };

	for (size_t k = 0; k < b->data->nclasses; k++)
		add_panel(b, f, k, &seen);
	if (f->npanels == 0)
		return;
	legend(b, f, "frontier", true);
	f->columns = f->npanels > 1 ? COLUMNS : 1;
	f->plot_height = f->npanels > 1 ? 230 : 360;
	f->y.scale.suffix = STR("\xC3\x97");
	figure_scale_pad(&f->x.scale, 0.04);
	figure_scale_pad(&f->y.scale, 0.06);

	const struct text_arg args[] = {
		text_arg_int("n", (long)seen.cards.n, b->arena),
		text_arg_int("fresh", count_fresh(b, &seen.cards), b->arena),
		text_arg_int("on", (long)seen.any.n, b->arena),
		text_arg_int("common", (long)seen.common.n, b->arena),
		text_arg("names", seen.common.n ? name_list(b, &seen.common, NAMES_SHOWN)
						: figure_word(b, "frontier", "none", NULL)),
		text_arg("reference", data_setting(b->data, STR("reference"))),
		text_arg("days", data_setting(b->data, STR("stale_days"))),
		text_arg_end(),
	};
	figure_add(b, "frontier", "data/values.csv", args, figure_xy_draw, f);
}

/* --- memory --- */

static struct cards memory_cards(struct build *b)
{
	const struct report_data *d = b->data;
	struct cards c = { .v = arena_array(b->arena, d->ndevices, sizeof *c.v) };
	struct map seen = { .arena = b->arena };
	bool fresh;

	for (size_t i = 0; i < d->nmemory; i++) {
		const struct data_memory *m = &d->memory[i];
		const struct data_price *p;

		if (!(m->memory_gb > 0))
			continue;
		map_put(&seen, m->device, 0, &fresh);
		if (!fresh || !map_get(&d->device_index, m->device)
		    || !(p = build_card_price(b, m->device)))
			continue;
		c.v[c.n++] = (struct card){ .device = m->device,
					    .cost = p->price_usd,
					    .gain = m->memory_gb,
					    .fresh = !build_price_is_stale(p) };
	}
	qsort(c.v, c.n, sizeof *c.v, by_cost);
	mark_frontier(b, &c);
	return c;
}

void figure_memory_price(struct build *b)
{
	struct cards c = memory_cards(b);
	struct figure_xy *f = figure_new(b, "memory-price", 1);
	struct name_set names = { .n = 0 };
	double best = INFINITY;
	struct str cheapest = { 0 };

	if (c.n == 0)
		return;
	legend(b, f, "memory-price", false);
	f->panels[f->npanels++] = panel_of(b, &c, STR(""), 0);
	f->y.scale.kind = SCALE_LOG2;
	f->y.scale.suffix = STR(" GB");
	f->plot_height = 340;
	take(f, &c);
	figure_scale_pad(&f->x.scale, 0.04);
	figure_scale_pad(&f->y.scale, 0.06);
	add_names(b, &c, &names);
	for (size_t i = 0; i < c.n; i++) {
		if (!c.v[i].on || !(c.v[i].cost / c.v[i].gain < best))
			continue;
		best = c.v[i].cost / c.v[i].gain;
		cheapest = c.v[i].device;
	}
	const struct text_arg args[] = {
		text_arg_int("n", (long)c.n, b->arena),
		text_arg_int("fresh", (long)c.fresh, b->arena),
		text_arg_int("on", (long)c.on, b->arena),
		text_arg("names", name_list(b, &names, NAMES_SHOWN)),
		text_arg("cheapest", cheapest),
		text_arg("per_gb", format_usd(b->arena, best)),
		text_arg("days", data_setting(b->data, STR("stale_days"))),
		text_arg_end(),
	};
	figure_add(b, "memory-price", "data/memory.csv", args, figure_xy_draw, f);
}
