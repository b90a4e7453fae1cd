#include "processor.h"

#include "../base/csv_write.h"
#include "../base/file.h"
#include "../base/stat.h"

#include <math.h>
#include <stdlib.h>

/* One group being filled: every pair of work and card. */
struct filling {
	struct processor_group group;
	double *over;
	size_t n, cap;
	bool *card; /* by device: it did some of this work */
	int most;   /* cards that did the work of group.first */
};

static bool is_same_work(const struct observation *x, const struct observation *y)
{
	return x->class == y->class && str_eq(x->workload, y->workload) && str_eq(x->metric, y->metric)
	       && str_eq(x->precision, y->precision) && str_eq(x->series, y->series);
}

static int compare(const void *pa, const void *pb)
{
	const struct observation *a = *(const struct observation *const *)pa, *b = *(const struct observation *const *)pb;
	int order;

	if (a->device != b->device)
		return a->device < b->device ? -1 : 1;
	if (a->device_count != b->device_count)
		return a->device_count < b->device_count ? -1 : 1;
	if ((order = str_cmp(a->series, b->series)) != 0)
		return order;
	if (a->class != b->class)
		return a->class < b->class ? -1 : 1;
	if ((order = str_cmp(a->precision, b->precision)) != 0)
		return order;
	order = str_cmp(a->workload, b->workload);
	return order ? order : str_cmp(a->metric, b->metric);
}

static bool same_group(const struct observation *a, const struct observation *b)
{
	return a->device == b->device && a->device_count == b->device_count && a->class == b->class
	       && str_eq(a->series, b->series) && str_eq(a->precision, b->precision);
}

/* What one work adds: each card that did it, alone. */
static void add_work(const struct observations *obs, const struct devices *devices, const struct observation *x,
		     struct filling *f, struct arena *a)
{
	int cards = 0;

	for (size_t i = 0; i < obs->n; i++) {
		const struct observation *y = &obs->v[i];
		if (y->device_count != 1 || device_is_processor(&devices->v[y->device]) || !is_same_work(x, y))
			continue;
		f->over = arena_grow(a, f->over, &f->cap, f->n + 1, sizeof *f->over);
		f->over[f->n++] = x->lower_is_better ? x->value / y->value : y->value / x->value;
		f->card[y->device] = true;
		cards++;
	}
	if (!f->group.first || cards > f->most) {
		f->group.first = x;
		f->most = cards;
	}
	f->group.workloads++;
}

static struct processor_group finish(struct filling *f, size_t ndevices)
{
	struct processor_group *g = &f->group;

	for (size_t i = 0; i < ndevices; i++)
		g->cards += f->card[i];
	stat_sort(f->over, f->n);
	g->low = f->n ? stat_quantile_sorted(f->over, f->n, 0.1) : (double)NAN;
	g->median = f->n ? stat_quantile_sorted(f->over, f->n, 0.5) : (double)NAN;
	g->high = f->n ? stat_quantile_sorted(f->over, f->n, 0.9) : (double)NAN;
	return *g;
}

static const struct observation **on_processors(const struct observations *obs, const struct devices *devices,
						struct arena *a, size_t *n)
{
	const struct observation **out = arena_array(a, obs->n, sizeof *out);

	*n = 0;
	for (size_t i = 0; i < obs->n; i++)
		if (obs->v[i].scores && device_is_processor(&devices->v[obs->v[i].device]))
			out[(*n)++] = &obs->v[i];
	if (*n > 1)
		qsort(out, *n, sizeof *out, compare);
	return out;
}

void processors_compute(const struct observations *obs, const struct devices *devices, struct arena *a,
			struct processor_groups *out)
{
	struct arena scratch = { 0 };
	size_t n, end;
	const struct observation **rows = on_processors(obs, devices, &scratch, &n);

	*out = (struct processor_groups){ arena_array(a, n, sizeof *out->v), 0 };
	for (size_t i = 0; i < n; i = end) {
		struct filling f = { .card = arena_array(&scratch, devices->n, sizeof *f.card) };
		for (end = i; end < n && same_group(rows[i], rows[end]); end++)
			add_work(obs, devices, rows[end], &f, &scratch);
		out->v[out->n++] = finish(&f, devices->n);
	}
	arena_free(&scratch);
}

bool processors_write(const struct processor_groups *p, const struct devices *devices, const char *path, struct arena *a,
		      struct error *err)
{
	struct csv_out w = { .buf.arena = a };

	strbuf_add(&w.buf, STR("device,device_count,class,precision,series,workloads,workload,metric,value,unit,better,"
			       "cards,card_over_low,card_over_median,card_over_high\n"));
	for (size_t i = 0; i < p->n; i++) {
		const struct processor_group *g = &p->v[i];
		const struct observation *x = g->first;

		csv_put(&w, devices->v[x->device].name);
		csv_put_int(&w, x->device_count);
		csv_put(&w, class_name(x->class));
		csv_put(&w, x->precision);
		csv_put(&w, x->series);
		csv_put_int(&w, g->workloads);
		csv_put(&w, x->workload);
		csv_put(&w, x->metric);
		csv_put_num(&w, x->value);
		csv_put(&w, x->unit);
		csv_put(&w, x->lower_is_better ? STR("lower") : STR("higher"));
		csv_put_int(&w, g->cards);
		csv_put_num(&w, g->low); /* empty without a card */
		csv_put_num(&w, g->median);
		csv_put_num(&w, g->high);
		csv_end_row(&w);
	}
	return file_write(path, strbuf_str(&w.buf), err);
}
