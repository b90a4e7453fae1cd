#include "observation.h"

#include "order.h"
#include "parallel.h"
#include "../base/select.h"
#include "../base/stat.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

/* Rows of a span: fewer than the one are selected from in memory, few on the stack. */
enum { LARGE_SPAN = 1 << 21, FEW_ROWS = 256 };

static struct str signer_name(const struct collection *c, size_t machine)
{
	const struct signer *s = c->machines[machine].signer;

	return s ? s->name : STR("");
}

/* Machines rank by series, by name, then by signer, unsigned ones first: the order of machines.csv.
 * The separators are below every other byte of a name. */
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

/* What a group sorts by: all but the machine decide which cell it belongs to. */
enum { BY_SERIES, BY_DEVICE, BY_WORKLOAD, BY_PRECISION, BY_DEVICE_COUNT, BY_MACHINE, BY_COUNT };

struct group **observation_order(const struct collection *c, const struct ranks *ranks,
				 struct arena *a)
{
	struct arena scratch = { 0 };
	struct group **order = arena_array(a, c->ngroups, sizeof *order);
	unsigned *by[BY_COUNT];

	for (size_t k = 0; k < BY_COUNT; k++)
		by[k] = arena_array(&scratch, c->ngroups, sizeof *by[k]);
	for (size_t i = 0; i < c->ngroups; i++) {
		const struct row *r = &c->groups[i]->row;
		by[BY_SERIES][i] = (unsigned)ranks->series[c->inputs[r->file].series];
		by[BY_DEVICE][i] = (unsigned)ranks->device[r->device];
		by[BY_WORKLOAD][i] = (unsigned)ranks->workload[r->workload];
		by[BY_PRECISION][i] = (unsigned)ranks->precision[r->precision];
		by[BY_DEVICE_COUNT][i] = (unsigned)r->device_count;
		by[BY_MACHINE][i] = (unsigned)ranks->machine[r->machine];
	}
	const unsigned *sorted = order_by(by, BY_COUNT, c->ngroups, &scratch);
	for (size_t i = 0; i < c->ngroups; i++)
		order[i] = c->groups[sorted[i]];
	arena_free(&scratch);
	return order;
}

static bool same_cell(const struct collection *c, const struct row *a, const struct row *b)
{
	return a->device == b->device && a->workload == b->workload && a->precision == b->precision
	       && a->device_count == b->device_count
	       && c->inputs[a->file].series == c->inputs[b->file].series;
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

/* The groups of one machine in one cell, some of them perhaps without rows: their median is kept in
 * the first. */
struct span {
	struct group *const *groups;
	unsigned n, rows;
};

struct spans {
	const struct collection *c;
	struct span *v;
	size_t n;
};

static bool span_known(const struct span *s)
{
	for (size_t i = 0; i < s->n; i++)
		if (s->groups[i]->median_of != s->n)
			return false;
	return true;
}

/* All values of a span, into room for them. */
static bool span_values(const struct collection *c, const struct span *s, double *values,
			struct error *err)
{
	size_t n = 0;

	for (size_t g = 0; g < s->n; g++) {
		struct group_cursor cur = group_first(c, s->groups[g]);
		while (group_next(&cur, err))
			for (size_t i = 0; i < cur.n; i++)
				values[n++] = cur.v[i].value;
		if (cur.failed)
			return false;
	}
	return true;
}

enum { COUNT_BITS = 16, COUNTS = 1 << COUNT_BITS };

/* How many values of a span begin with the bits above `shift` that `prefix` has, by their next
 * COUNT_BITS. */
static bool count_values(const struct collection *c, const struct span *s, uint64_t prefix,
			 unsigned shift, size_t *count, struct error *err)
{
	memset(count, 0, COUNTS * sizeof *count);
	for (size_t g = 0; g < s->n; g++) {
		struct group_cursor cur = group_first(c, s->groups[g]);
		while (group_next(&cur, err))
			for (size_t i = 0; i < cur.n; i++) {
				uint64_t bits;
				memcpy(&bits, &cur.v[i].value, sizeof bits);
				if (shift + COUNT_BITS == 64
				    || bits >> (shift + COUNT_BITS) == prefix)
					count[bits >> shift & (COUNTS - 1)]++;
			}
		if (cur.failed)
			return false;
	}
	return true;
}

/* The value at index k in ascending order, COUNT_BITS at a time: positive numbers sort as their
 * bits do. */
static bool value_at(const struct collection *c, const struct span *s, size_t k, double *out,
		     struct error *err)
{
	struct arena scratch = { .block_size = 1 << 12 };
	size_t *count = arena_array(&scratch, COUNTS, sizeof *count);
	uint64_t prefix = 0;
	bool good = true;

	for (unsigned shift = 64; shift > 0 && good;) {
		size_t digit = 0;
		shift -= COUNT_BITS;
		good = count_values(c, s, prefix, shift, count, err);
		for (; digit < COUNTS - 1 && k >= count[digit]; digit++)
			k -= count[digit];
		prefix = prefix << COUNT_BITS | digit;
	}
	memcpy(out, &prefix, sizeof *out);
	arena_free(&scratch);
	return good;
}

/* Of a span that is too large to have all its values in memory. */
static bool large_median(const struct collection *c, const struct span *s, double *out,
			 struct error *err)
{
	double lower;

	if (!value_at(c, s, s->rows / 2, out, err))
		return false;
	if (s->rows % 2)
		return true;
	if (!value_at(c, s, s->rows / 2 - 1, &lower, err))
		return false;
	*out = (lower + *out) / 2;
	return true;
}

static bool small_median(const struct collection *c, const struct span *s, double *out,
			 struct error *err)
{
	struct arena scratch = { .block_size = 1 << 12 };
	double few[FEW_ROWS], *values = few;

	if (s->rows > FEW_ROWS)
		values = arena_array(&scratch, s->rows, sizeof *values);
	bool good = span_values(c, s, values, err);
	if (good)
		*out = select_median(values, s->rows);
	arena_free(&scratch);
	return good;
}

static bool span_median(void *ctx, size_t at, struct error *err)
{
	const struct spans *spans = ctx;
	const struct span *s = &spans->v[at];
	double *out = &s->groups[0]->median;

	if (span_known(s))
		return true;
	for (size_t i = 0; i < s->n; i++)
		s->groups[i]->median_of = s->n;
	if (s->rows > LARGE_SPAN)
		return large_median(spans->c, s, out, err);
	return small_median(spans->c, s, out, err);
}

void observation_end_file(struct collection *c)
{
	struct error none = { .code = ERR_NONE };

	if (c->items.err.code != ERR_NONE) /* rows were lost: groups have fewer than they say */
		return;
	for (size_t i = c->file_group0; i < c->ngroups; i++) {
		struct group *g = c->groups[i];
		const struct span own = { &c->groups[i], 1, g->n };
		if (own.rows > 0 && own.rows <= FEW_ROWS && !g->items.first_n
		    && small_median(c, &own, &g->median, &none))
			g->median_of = own.n;
	}
}

static bool same_span(const struct collection *c, const struct row *a, const struct row *b)
{
	return a->machine == b->machine && same_cell(c, a, b);
}

/* Finds the spans that have rows: there are hardly fewer than groups. */
static void find_spans(struct spans *spans, struct group *const *order, struct arena *a)
{
	const struct collection *c = spans->c;
	size_t end;

	spans->v = arena_array(a, c->ngroups, sizeof *spans->v);
	for (size_t i = 0; i < c->ngroups; i = end) {
		struct span s = { order + i, 0, 0 };
		for (end = i; end < c->ngroups && same_span(c, &order[end]->row, &order[i]->row);
		     end++)
			s.rows += order[end]->n;
		s.n = (unsigned)(end - i);
		if (s.rows)
			spans->v[spans->n++] = s;
	}
}

/* Adds one machine to the last cell. */
static void add_machine(struct observations *out, const struct span *s)
{
	struct observation *o = &out->v[out->n - 1];

	out->medians[out->nmedians++] =
	    (struct machine_median){ s->groups[0]->row.machine, s->groups[0]->median };
	o->machines++;
	o->nrows += s->rows;
	for (size_t i = 0; i < s->n; i++)
		if (s->groups[i]->n)
			out->groups[o->first + o->ngroups++] = s->groups[i];
}

static void add_span(const struct collection *c, const struct span *s, struct arena *a,
		     struct observations *out)
{
	const struct row *r = &s->groups[0]->row;
	struct observation *last = out->n ? &out->v[out->n - 1] : NULL;

	if (!last || !same_cell(c, r, last->key)) {
		if (last)
			finish(out, last);
		out->v = arena_grow(a, out->v, &out->cap, out->n + 1, sizeof *out->v);
		size_t first = out->n ? out->v[out->n - 1].first + out->v[out->n - 1].ngroups : 0;
		out->v[out->n++] = (struct observation){ .key = r,
							 .series = c->inputs[r->file].series,
							 .first = first,
							 .machine0 = out->nmedians };
	}
	add_machine(out, s);
}

bool observation_build(struct collection *c, struct group *const *order, struct arena *a,
		       struct observations *out, struct error *err)
{
	struct arena scratch = { 0 };
	struct spans spans = { .c = c };

	*out = (struct observations){ .groups = arena_array(a, c->ngroups, sizeof *out->groups) };
	find_spans(&spans, order, &scratch);
	bool good = parallel_for(c->threads, spans.n, 16, span_median, &spans, err);
	out->medians = arena_array(a, spans.n, sizeof *out->medians); /* one a span */
	for (size_t i = 0; i < spans.n && good; i++)
		add_span(c, &spans.v[i], a, out);
	if (out->n)
		finish(out, &out->v[out->n - 1]);
	arena_free(&scratch);
	return good;
}
