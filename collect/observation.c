#include "observation.h"

#include "../base/stat.h"

#include <math.h>
#include <stdlib.h>

static struct str signer_name(const struct collection *c, size_t machine)
{
	const struct signer *s = c->machines[machine].signer;

	return s ? s->name : STR("");
}

/* Machines rank by series, by name, then by signer, unsigned ones first: the order of machines.csv. The
 * separators are below every other byte of a name. */
static size_t *machine_ranks(const struct collection *c, const size_t *series_rank, struct arena *a)
{
	struct names keys = names_make(a);

	for (size_t i = 0; i < c->machine_keys.n; i++)
		names_put(&keys,
			  str_printf(a, "%010zu\n" STR_FMT "\n" STR_FMT,
				     series_rank[c->machines[i].series],
				     STR_ARG(c->machines[i].name), STR_ARG(signer_name(c, i))),
			  NULL);
	return names_rank(&keys, a);
}

static size_t *device_ranks(const struct devices *devices, struct arena *a)
{
	struct names names = names_make(a);

	for (size_t i = 0; i < devices->n; i++)
		names_put(&names, devices->v[i].name, NULL);
	return names_rank(&names, a);
}

/* A byte below every other parts name and metric, so that a shorter name comes first. */
static size_t *workload_ranks(const struct workloads *w, struct arena *a)
{
	struct names names = names_make(a);

	for (size_t i = 0; i < w->n; i++)
		names_put(&names,
			  str_printf(a, STR_FMT "\001" STR_FMT, STR_ARG(w->v[i].name),
				     STR_ARG(w->v[i].metric)),
			  NULL);
	return names_rank(&names, a);
}

void observation_ranks(const struct collection *c, struct arena *a, struct ranks *out)
{
	out->series = names_rank(&c->series, a);
	out->machine = machine_ranks(c, out->series, a);
	out->device = device_ranks(c->devices, a);
	out->workload = workload_ranks(c->workloads, a);
	out->precision = names_rank(&c->precisions, a);
}

/* A row as it sorts; cell[] decides which cell it belongs to. */
struct keyed {
	size_t cell[5];
	size_t machine, row;
	double value;
};

static int compare_keyed(const void *pa, const void *pb)
{
	const struct keyed *a = pa, *b = pb;

	for (size_t i = 0; i < LEN(a->cell); i++)
		if (a->cell[i] != b->cell[i])
			return a->cell[i] < b->cell[i] ? -1 : 1;
	if (a->machine != b->machine)
		return a->machine < b->machine ? -1 : 1;
	if (a->value != b->value)
		return a->value < b->value ? -1 : 1;
	return a->row < b->row ? -1 : a->row > b->row;
}

size_t *observation_order(const struct collection *c, const struct ranks *ranks, struct arena *a)
{
	struct arena scratch = { 0 };
	struct keyed *keyed = arena_array(&scratch, c->n, sizeof *keyed);
	size_t *order = arena_array(a, c->n, sizeof *order);

	for (size_t i = 0; i < c->n; i++) {
		const struct row *r = &c->rows[i];
		keyed[i] = (struct keyed){
			{ ranks->series[c->inputs[r->file].series], ranks->device[r->device],
			  ranks->workload[r->workload], ranks->precision[r->precision],
			  (size_t)r->device_count },
			ranks->machine[r->machine],
			i,
			r->value,
		};
	}
	if (c->n > 1)
		qsort(keyed, c->n, sizeof *keyed, compare_keyed);
	for (size_t i = 0; i < c->n; i++)
		order[i] = keyed[i].row;
	arena_free(&scratch);
	return order;
}

static bool same_cell(const struct collection *c, const struct row *a, const struct row *b)
{
	return a->device == b->device && a->workload == b->workload && a->precision == b->precision
	       && a->device_count == b->device_count
	       && c->inputs[a->file].series == c->inputs[b->file].series;
}

/* Median of the values of rows order[from .. to), which are in ascending order. */
static double sorted_median(const struct collection *c, const size_t *order, size_t from, size_t to)
{
	size_t n = to - from;
	double upper = c->rows[order[from + n / 2]].value;

	return n % 2 ? upper : (c->rows[order[from + n / 2 - 1]].value + upper) / 2;
}

static void finish(struct observations *out, struct observation *o)
{
	struct arena scratch = { .block_size = 1 << 12 };
	double *v = arena_array(&scratch, o->machines, sizeof *v);

	for (size_t i = 0; i < o->machines; i++)
		v[i] = out->medians[o->machine0 + i].value;
	stat_sort(v, o->machines);
	o->value = stat_quantile_sorted(v, o->machines, 0.5);
	o->spread_pct = NAN;
	if (o->machines > 1)
		o->spread_pct = 100
				* (stat_quantile_sorted(v, o->machines, 0.9)
				   - stat_quantile_sorted(v, o->machines, 0.1))
				/ o->value;
	arena_free(&scratch);
}

/* Closes the run of one machine's rows order[from .. to) into the last cell. */
static void add_machine(const struct collection *c, struct observations *out, size_t from,
			size_t to, struct arena *a)
{
	struct observation *o = &out->v[out->n - 1];

	out->medians =
	    arena_grow(a, out->medians, &out->medians_cap, out->nmedians + 1, sizeof *out->medians);
	out->medians[out->nmedians++] =
	    (struct machine_median){ c->rows[out->order[from]].machine,
				     sorted_median(c, out->order, from, to) };
	o->machines++;
	o->nrows = to - o->first;
}

static size_t *accepted_order(const struct collection *c, const size_t *order, size_t *n,
			      struct arena *a)
{
	size_t *kept = arena_array(a, c->n, sizeof *kept);

	*n = 0;
	for (size_t i = 0; i < c->n; i++)
		if (c->rows[order[i]].state == ROW_ACCEPTED)
			kept[(*n)++] = order[i];
	return kept;
}

void observation_build(const struct collection *c, const size_t *order, struct arena *a,
		       struct observations *out)
{
	size_t n, end;
	size_t *kept = accepted_order(c, order, &n, a);

	*out = (struct observations){ .order = kept };
	for (size_t i = 0; i < n; i = end) {
		const struct row *r = &c->rows[kept[i]];
		if (i == 0 || !same_cell(c, r, &c->rows[kept[i - 1]])) {
			if (out->n)
				finish(out, &out->v[out->n - 1]);
			out->v = arena_grow(a, out->v, &out->cap, out->n + 1, sizeof *out->v);
			out->v[out->n++] =
			    (struct observation){ .key = r,
						  .series = c->inputs[r->file].series,
						  .first = i,
						  .machine0 = out->nmedians };
		}
		for (end = i + 1; end < n; end++) {
			const struct row *next = &c->rows[kept[end]];
			if (next->machine != r->machine || !same_cell(c, r, next))
				break;
		}
		add_machine(c, out, i, end, a);
	}
	if (out->n)
		finish(out, &out->v[out->n - 1]);
}
