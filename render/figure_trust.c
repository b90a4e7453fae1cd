/* How far scaled numbers can be trusted: every measured card beside what was predicted for it. */
#include "figure_chapter.h"
#include "figure_xy.h"
#include "format.h"

#include <math.h>
#include <stdlib.h>

enum { COLUMNS = 2, WORST = 3 };

struct predictions {
	const struct data_prediction **v; /* the worst first */
	size_t n;
};

static int by_factor(const void *pa, const void *pb)
{
	const struct data_prediction *a = *(const struct data_prediction *const *)pa;
	const struct data_prediction *b = *(const struct data_prediction *const *)pb;

	if (a->factor != b->factor)
		return a->factor < b->factor ? 1 : -1;
	return str_cmp(a->device, b->device);
}

static struct predictions gather(struct build *b, struct str class_text)
{
	struct predictions p = { .v = arena_array(b->arena, b->data->npredictions, sizeof *p.v) };

	for (size_t i = 0; i < b->data->npredictions; i++) {
		const struct data_prediction *r = &b->data->predictions[i];
		if (str_eq(r->chosen, STR("yes")) && str_eq(r->class_text, class_text)
		    && r->predicted > 0 && r->measured > 0)
			p.v[p.n++] = r;
	}
	qsort(p.v, p.n, sizeof *p.v, by_factor);
	return p;
}

/* 1 + the ninth decile of the error of the method in use, or NAN. */
static double factor_of(const struct build *b, struct str class_text)
{
	for (size_t i = 0; i < b->data->nbacktest; i++) {
		const struct data_backtest *r = &b->data->backtest[i];
		if (str_eq(r->class_text, class_text) && str_eq(r->chosen, STR("yes"))
		    && str_eq(r->which, STR("all")) && !isnan(r->p90_error_pct))
			return 1 + r->p90_error_pct / 100;
	}
	return NAN;
}

static struct xy_series points_of(struct build *b, const struct predictions *p, size_t look)
{
	struct xy_series s = { .look = look, .marks = true,
			       .points = arena_array(b->arena, p->n, sizeof *s.points) };

	for (size_t i = 0; i < p->n; i++)
		s.points[s.n++] = (struct xy_point){
			.x = p->v[i]->measured, .y = p->v[i]->predicted, .low = NAN, .high = NAN,
			.look = look, .hollow = !str_eq(p->v[i]->represented, STR("yes")),
			.label = i < WORST ? p->v[i]->device : STR("") };
	return s;
}

/* A line of constant factor, cut where it leaves the square from min to max. */
static struct xy_rule factor_line(const struct figure_scale *s, double factor, struct str label)
{
	/* a hair inside, so that rounding does not put the ends off the axis */
	double lo = s->min * 1.0001, hi = s->max / 1.0001;

	return (struct xy_rule){ .x0 = factor < 1 ? lo / factor : lo,
				 .y0 = factor < 1 ? lo : lo * factor,
				 .x1 = factor < 1 ? hi : hi / factor,
				 .y1 = factor < 1 ? hi * factor : hi,
				 .label = label,
				 .solid = factor == 1 };
}

static void lines_add(struct build *b, struct xy_panel *p, const struct figure_scale *s,
		      double factor)
{
	p->rules = arena_array(b->arena, 3, sizeof *p->rules);
	p->rules[p->nrules++] = factor_line(s, 1, STR(""));
	if (!(factor > 1))
		return;
	p->rules[p->nrules++] = factor_line(s, factor, STR(""));
	p->rules[p->nrules++] = factor_line(s, 1 / factor, STR(""));
}

static void legend(struct build *b, struct figure_xy *f)
{
	struct figure_key *keys = arena_array(b->arena, 4, sizeof *keys);

	keys[0] =
	    (struct figure_key){ KEY_DOT, LOOK_NONE, figure_word(b, "trust", "represented", NULL) };
	keys[1] = (struct figure_key){ KEY_RING, LOOK_NONE,
				       figure_word(b, "trust", "not_represented", NULL) };
	keys[2] =
	    (struct figure_key){ KEY_DASHES, LOOK_NONE, figure_word(b, "trust", "decile", NULL) };
	f->keys = keys;
	f->nkeys = 3;
}

/* What the caption says. */
struct totals {
	const struct data_prediction *worst;
	long n, inside;
	double classes;
};

static void count(struct totals *t, const struct predictions *p, double factor)
{
	for (size_t i = 0; i < p->n; i++) {
		t->n++;
		t->inside += p->v[i]->factor <= factor;
		if (!t->worst || p->v[i]->factor > t->worst->factor)
			t->worst = p->v[i];
	}
}

static void add(struct build *b, const struct figure_xy *f, const struct totals *t)
{
	const struct text_arg args[] = {
		text_arg_int("n", t->n, b->arena),
		text_arg_int("inside", t->inside, b->arena),
		text_arg_int("classes", (long)f->npanels, b->arena),
		text_arg("worst", t->worst->device),
		text_arg("class", build_class_title(b, t->worst->class_text)),
		text_arg("factor", format_ratio(b->arena, t->worst->factor)),
		text_arg_end(),
	};

	figure_add(b, "trust", "data/predictions.csv", args, figure_xy_draw, f);
}

static struct figure_xy *figure_new(struct build *b)
{
	struct figure_xy *f = arena_alloc(b->arena, sizeof *f);

	f->panels = arena_array(b->arena, b->data->nclasses, sizeof *f->panels);
	f->x.title = figure_word(b, "trust", "x", NULL);
	f->y.title = figure_word(b, "trust", "y", NULL);
	f->x.scale = (struct figure_scale){ .kind = SCALE_LOG10, .min = 1, .max = 0,
					    .suffix = STR("\xC3\x97") };
	f->plot_height = 240;
	legend(b, f);
	return f;
}

void figure_trust(struct build *b)
{
	struct figure_xy *f = figure_new(b);
	double *factors = arena_array(b->arena, b->data->nclasses, sizeof *factors);
	struct totals totals = { .n = 0 };

	for (size_t c = 0; c < b->data->nclasses; c++) {
		struct str name = class_name(b->data->classes[c]);
		struct predictions p = gather(b, name);
		struct xy_panel *panel = &f->panels[f->npanels];

		if (p.n == 0)
			continue;
		factors[f->npanels++] = factor_of(b, name);
		panel->title = build_class(b, b->data->classes[c]);
		panel->series = arena_alloc(b->arena, sizeof *panel->series);
		panel->series[0] = points_of(b, &p, c % CHART_CLASSES_MAX);
		panel->nseries = 1;
		count(&totals, &p, factors[f->npanels - 1]);
		for (size_t i = 0; i < p.n; i++) {
			figure_scale_take(&f->x.scale, p.v[i]->measured);
			figure_scale_take(&f->x.scale, p.v[i]->predicted);
		}
	}
	if (f->npanels == 0)
		return;
	figure_scale_pad(&f->x.scale, 0.06);
	f->y.scale = f->x.scale;
	f->columns = f->npanels > 1 ? COLUMNS : 1;
	for (size_t i = 0; i < f->npanels; i++)
		lines_add(b, &f->panels[i], &f->x.scale, factors[i]);
	add(b, f, &totals);
}
