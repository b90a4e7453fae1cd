/* Speed of several cards over one, by class: the median, the middle eighty per cent, one line for
 * n times as fast, and what the guide said. */
#include "figure_chapter.h"
#include "figure_xy.h"
#include "format.h"

#include <math.h>

enum { COUNTS_MAX = 16, COLUMNS = 2 };

/* The rows of one class, by device_count ascending as they stand in the file. */
struct runs {
	const struct data_multi_summary *v[COUNTS_MAX];
	size_t n;
};

static struct runs runs_of(const struct build *b, struct str class_text)
{
	struct runs r = { .n = 0 };

	for (size_t i = 0; i < b->data->nmulti_summary && r.n < COUNTS_MAX; i++) {
		const struct data_multi_summary *m = &b->data->multi_summary[i];
		if (str_eq(m->class_text, class_text) && !isnan(m->median_speedup))
			r.v[r.n++] = m;
	}
	return r;
}

static struct xy_point guide_point(double count, double y, double low, double high)
{
	return (struct xy_point){ .x = count, .y = y, .low = low, .high = high, .hollow = true,
				  .look = LOOK_NONE, .mark = MARK_DIAMOND };
}

/* Ours: one card is once as fast as one card. */
static struct xy_series measured(struct build *b, const struct runs *r, size_t look)
{
	struct xy_series s = { .look = look, .line = XY_CURVE, .marks = true, .band = true };

	s.points = arena_array(b->arena, r->n + 1, sizeof *s.points);
	s.points[s.n++] = (struct xy_point){ .x = 1, .y = 1, .low = 1, .high = 1, .look = look };
	for (size_t i = 0; i < r->n; i++) {
		const struct data_multi_summary *m = r->v[i];
		s.points[s.n++] = (struct xy_point){
			.x = m->device_count, .y = m->median_speedup, .low = m->p10,
			.high = m->p90, .look = look,
			.label = figure_times(b->arena, m->median_speedup) };
	}
	return s;
}

/* The guide's figures: points of 2019, and ranges of 2016 without a point in them. */
static void guide(struct build *b, const struct runs *r, struct xy_series *points,
		  struct xy_series *ranges)
{
	*points = (struct xy_series){ .look = LOOK_NONE, .marks = true };
	*ranges = (struct xy_series){ .look = LOOK_NONE };
	points->points = arena_array(b->arena, r->n, sizeof *points->points);
	ranges->points = arena_array(b->arena, 2 * r->n, sizeof *ranges->points);
	for (size_t i = 0; i < r->n; i++) {
		const struct data_multi_summary *m = r->v[i];
		if (!isnan(m->guide_2019))
			points->points[points->n++] =
			    guide_point(m->device_count, m->guide_2019, NAN, NAN);
		if (!isnan(m->guide_2016_low))
			ranges->points[ranges->n++] =
			    guide_point(m->device_count, m->guide_2016_low, m->guide_2016_low,
					m->guide_2016_high);
		if (!isnan(m->guide_2016_tuned_low))
			ranges->points[ranges->n++] = guide_point(
			    m->device_count, m->guide_2016_tuned_low, m->guide_2016_tuned_low,
			    m->guide_2016_tuned_high);
	}
}

static void panel_add(struct build *b, struct figure_xy *f, const struct runs *r, size_t look,
		      double *most)
{
	struct xy_panel *p = &f->panels[f->npanels++];

	p->title = build_class_title(b, r->v[0]->class_text);
	p->series = arena_array(b->arena, 3, sizeof *p->series);
	p->nseries = 3;
	p->series[0] = measured(b, r, look);
	guide(b, r, &p->series[1], &p->series[2]);
	p->rules = arena_alloc(b->arena, sizeof *p->rules);
	p->nrules = 1;
	for (size_t k = 0; k < p->nseries; k++) {
		for (size_t i = 0; i < p->series[k].n; i++) {
			const struct xy_point *pt = &p->series[k].points[i];
			*most = fmax(*most, pt->x);
			figure_scale_take(&f->y.scale, pt->low);
			figure_scale_take(&f->y.scale, pt->high);
			figure_scale_take(&f->y.scale, pt->y);
		}
	}
}

static void legend(struct build *b, struct figure_xy *f)
{
	struct figure_key *keys = arena_array(b->arena, 4, sizeof *keys);

	keys[0] =
	    (struct figure_key){ KEY_LINE, LOOK_NONE, figure_word(b, "multi", "median", NULL) };
	keys[1] = (struct figure_key){ KEY_AREA, LOOK_NONE, figure_word(b, "multi", "band", NULL) };
	keys[2] =
	    (struct figure_key){ KEY_DASHES, LOOK_NONE, figure_word(b, "multi", "ideal", NULL) };
	keys[3] = (struct figure_key){ KEY_RING_DIAMOND, LOOK_NONE,
				       figure_word(b, "multi", "guide", NULL) };
	f->keys = keys;
	f->nkeys = 4;
}

/* The class with the largest and the one with the smallest median at the most cards of any. */
static void add(struct build *b, const struct figure_xy *f, double most)
{
	const struct data_multi_summary *best = NULL, *worst = NULL;

	for (size_t i = 0; i < b->data->nmulti_summary; i++) {
		const struct data_multi_summary *m = &b->data->multi_summary[i];
		if (m->device_count < most || isnan(m->median_speedup))
			continue;
		best = !best || m->median_speedup > best->median_speedup ? m : best;
		worst = !worst || m->median_speedup < worst->median_speedup ? m : worst;
	}
	if (!best || !worst)
		return;
	const struct text_arg args[] = {
		text_arg_int("n", (long)f->npanels, b->arena),
		text_arg_int("most", lround(most), b->arena),
		text_arg("best", build_class_title(b, best->class_text)),
		text_arg("best_speed", format_ratio(b->arena, best->median_speedup)),
		text_arg("worst", build_class_title(b, worst->class_text)),
		text_arg("worst_speed", format_ratio(b->arena, worst->median_speedup)),
		text_arg_end(),
	};
	figure_add(b, "multi", "data/multi_summary.csv", args, figure_xy_draw, f);
}

void figure_multi(struct build *b)
{
	static const double counts[] = { 1, 2, 3, 4, 8, 16, 32, 64 };
	struct figure_xy *f = arena_alloc(b->arena, sizeof *f);
	double most = 1;

	f->x.title = figure_word(b, "multi", "x", NULL);
	f->y.title = figure_word(b, "multi", "y", NULL);
	f->x.scale = (struct figure_scale){ .kind = SCALE_LOG2, .fixed = counts,
					    .nfixed = LEN(counts) };
	f->y.scale = (struct figure_scale){ .kind = SCALE_LOG2, .min = 1, .max = 0,
					    .suffix = STR("\xC3\x97") };
	f->panels = arena_array(b->arena, b->data->nclasses, sizeof *f->panels);
	for (size_t c = 0; c < b->data->nclasses; c++) {
		struct runs r = runs_of(b, class_name(b->data->classes[c]));
		if (r.n > 0)
			panel_add(b, f, &r, c % CHART_CLASSES_MAX, &most);
	}
	if (f->npanels == 0 || most < 2)
		return;
	figure_scale_take(&f->y.scale, most);
	figure_scale_pad(&f->y.scale, 0.05);
	f->x.scale.min = 1 / 1.06;
	f->x.scale.max = most * 1.06;
	for (size_t i = 0; i < f->npanels; i++)
		f->panels[i].rules[0] =
		    (struct xy_rule){ .x0 = 1, .y0 = 1, .x1 = most, .y1 = most };
	f->columns = f->npanels > 1 ? COLUMNS : 1;
	f->plot_height = 190;
	legend(b, f);
	add(b, f, most);
}
