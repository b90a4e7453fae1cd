#include "output.h"

#include "parallel.h"
#include "../base/csv_write.h"
#include "../base/file.h"
#include "../base/num.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What the accepted rows of one machine add up to. */
struct machine_sum {
	size_t id; /* from 1, in the order of machines.csv; 0: no accepted row */
	size_t rows;
	struct date first, last; /* day INT_MIN: no row has a date */
	size_t *frameworks, nframeworks, frameworks_cap;
};

struct series_sum {
	size_t accepted, rejected, set_aside, machines, devices;
	size_t by_trust[TRUST_COUNT]; /* of machines */
	struct date first, last;
};

struct tables {
	struct collection *c;
	const struct observations *cells;
	struct row *keys;  /* of the cells: the groups are freed before the tables are made */
	unsigned *sources; /* of cells->groups, for the same reason */
	size_t ngroups;    /* in cells */
	const struct ranks *ranks;
	const struct series_list *described;
	struct arena *arena;
	struct machine_sum *machines;
	size_t *by_rank; /* machine at each rank */
	struct series_sum *series;
	size_t *framework_rank, *source_rank;
};

/* Adds a number that is not in the list yet; `seen` knows the pairs of owner and number. */
static bool is_new_pair(struct names *seen, size_t owner, size_t number)
{
	unsigned long long key[] = { owner, number };
	bool fresh;

	names_put_numbers(seen, key, LEN(key), &fresh);
	return fresh;
}

static void sum_group(struct tables *t, const struct group *g, struct names *frameworks,
		      struct names *devices)
{
	const struct row *r = &g->row;
	size_t series = t->c->inputs[r->file].series;
	struct series_sum *s = &t->series[series];
	struct machine_sum *m = &t->machines[r->machine];

	if (g->n == 0)
		return;
	s->accepted += g->n;
	s->by_trust[t->c->machines[r->machine].trust] += m->rows == 0;
	s->machines += m->rows == 0;
	m->rows += g->n;
	s->devices += is_new_pair(devices, series, r->device);
	group_extend(&s->first, &s->last, g->first);
	group_extend(&s->first, &s->last, g->last);
	group_extend(&m->first, &m->last, g->first);
	group_extend(&m->first, &m->last, g->last);
	if (is_new_pair(frameworks, r->machine, r->framework)
	    && t->c->frameworks.v[r->framework].len) {
		m->frameworks = arena_grow(t->arena, m->frameworks, &m->frameworks_cap,
					   m->nframeworks + 1, sizeof *m->frameworks);
		m->frameworks[m->nframeworks++] = r->framework;
	}
}

static void sum_rows(struct tables *t)
{
	struct collection *c = t->c;
	struct arena scratch = { 0 };
	struct names frameworks = names_make(&scratch), devices = names_make(&scratch);
	size_t id = 0;

	for (size_t i = 0; i < c->machine_keys.n; i++) {
		t->by_rank[t->ranks->machine[i]] = i;
		t->machines[i].first.day = t->machines[i].last.day = INT_MIN;
	}
	for (size_t i = 0; i < c->series.n; i++) {
		t->series[i].first.day = t->series[i].last.day = INT_MIN;
		t->series[i].rejected = c->counts[i].rejected;
		t->series[i].set_aside = c->counts[i].set_aside;
	}
	for (size_t i = 0; i < c->ngroups; i++)
		sum_group(t, c->groups[i], &frameworks, &devices);
	for (size_t i = 0; i < c->machine_keys.n; i++)
		if (t->machines[t->by_rank[i]].rows)
			t->machines[t->by_rank[i]].id = ++id;
	arena_free(&scratch);
}

static void put_header(struct csv_out *w, const struct str *names, size_t n)
{
	for (size_t i = 0; i < n; i++)
		csv_put(w, names[i]);
	csv_end_row(w);
}

struct ranked_number {
	size_t rank, number;
};

static int compare_ranked_numbers(const void *pa, const void *pb)
{
	const struct ranked_number *a = pa, *b = pb;

	return a->rank < b->rank ? -1 : a->rank > b->rank;
}

/* The distinct names of a list in byte order, "a; b"; the empty name is left out. */
static struct str join_names(const struct names *names, const size_t *rank, const size_t *list,
			     size_t n, struct arena *a)
{
	struct arena scratch = { .block_size = 1 << 12 };
	struct ranked_number *sorted = arena_array(&scratch, n, sizeof *sorted);
	struct strbuf b = { .arena = a };

	for (size_t i = 0; i < n; i++)
		sorted[i] = (struct ranked_number){ rank[list[i]], list[i] };
	if (n > 1)
		qsort(sorted, n, sizeof *sorted, compare_ranked_numbers);
	for (size_t i = 0; i < n; i++) {
		struct str name = names->v[sorted[i].number];
		if (name.len == 0 || (i > 0 && sorted[i].rank == sorted[i - 1].rank))
			continue;
		if (b.len)
			strbuf_add(&b, STR("; "));
		strbuf_add(&b, name);
	}
	arena_free(&scratch);
	return strbuf_str(&b);
}

/* Cells as observations.csv has them: device, workload, metric, precision, device_count, series. */
struct sorted_cell {
	size_t key[5];
	const struct observation *cell;
};

static int compare_cells(const void *pa, const void *pb)
{
	const struct sorted_cell *a = pa, *b = pb;

	for (size_t i = 0; i < LEN(a->key); i++)
		if (a->key[i] != b->key[i])
			return a->key[i] < b->key[i] ? -1 : 1;
	return 0;
}

static const struct row *key_of(const struct tables *t, const struct observation *o)
{
	return &t->keys[o - t->cells->v];
}

static struct sorted_cell *sort_cells(const struct tables *t)
{
	struct sorted_cell *sorted = arena_array(t->arena, t->cells->n, sizeof *sorted);

	for (size_t i = 0; i < t->cells->n; i++) {
		const struct observation *o = &t->cells->v[i];
		const struct row *key = key_of(t, o);
		sorted[i] = (struct sorted_cell){
			{ t->ranks->device[key->device], t->ranks->workload[key->workload],
			  t->ranks->precision[key->precision], (size_t)key->device_count,
			  t->ranks->series[o->series] },
			o,
		};
	}
	if (t->cells->n > 1)
		qsort(sorted, t->cells->n, sizeof *sorted, compare_cells);
	return sorted;
}

static struct str machine_values(const struct tables *t, const struct observation *o,
				 struct arena *a)
{
	struct strbuf b = { .arena = a };

	for (size_t i = 0; i < o->machines; i++) {
		const struct machine_median *m = &t->cells->medians[o->machine0 + i];
		if (i)
			strbuf_addc(&b, ' ');
		strbuf_add(&b, num_shortest(a, (double)t->machines[m->machine].id));
		strbuf_addc(&b, '=');
		strbuf_add(&b, num_shortest(a, m->value));
	}
	return strbuf_str(&b);
}

static enum trust cell_trust(const struct tables *t, const struct observation *o)
{
	size_t counts[TRUST_COUNT] = { 0 };

	for (size_t i = 0; i < o->machines; i++)
		counts[t->c->machines[t->cells->medians[o->machine0 + i].machine].trust]++;
	return trust_of_median(counts);
}

static struct str cell_sources(const struct tables *t, const struct observation *o, struct arena *a)
{
	size_t *list = arena_array(a, o->ngroups, sizeof *list);

	for (size_t i = 0; i < o->ngroups; i++)
		list[i] = t->sources[o->first + i];
	return join_names(&t->c->sources, t->source_rank, list, o->ngroups, a);
}

static bool is_comparable(const struct tables *t, size_t series)
{
	const struct series *s = series_find(t->described, t->c->series.v[series]);

	return !s || s->comparable;
}

static void put_cell(const struct tables *t, const struct observation *o, bool comparable,
		     struct csv_out *w)
{
	struct arena scratch = { .block_size = 1 << 14 };
	const struct collection *c = t->c;
	const struct row *key = key_of(t, o);
	const struct workload *workload = &c->workloads->v[key->workload];

	csv_put(w, c->devices->v[key->device].name);
	csv_put(w, class_name(workload->class));
	csv_put(w, workload->name);
	csv_put(w, c->precisions.v[key->precision]);
	csv_put_int(w, key->device_count);
	csv_put(w, c->series.v[o->series]);
	csv_put_num(w, o->value);
	csv_put(w, workload->unit);
	csv_put(w, workload->lower_is_better ? STR("lower") : STR("higher"));
	csv_put_int(w, (long)o->machines);
	csv_put_int(w, (long)o->nrows);
	csv_put_num(w, o->spread_pct); /* empty with one machine */
	csv_put(w, cell_sources(t, o, &scratch));
	csv_put(w, workload->metric);
	csv_put(w, workload->scores && comparable ? STR("score") : STR("info"));
	csv_put(w, machine_values(t, o, &scratch));
	csv_put(w, trust_name(cell_trust(t, o)));
	csv_end_row(w);
	arena_free(&scratch);
}

/* Cells are written by several threads, so many at once, and joined in their order. */
enum { CELLS_AT_ONCE = 16, BATCHES_AT_ONCE = 64 };

struct cell_batch {
	struct arena arena;
	struct csv_out out;
};

struct cell_writing {
	const struct tables *t;
	const struct sorted_cell *sorted;
	const bool *comparable; /* by series */
	size_t first;           /* batch */
	struct cell_batch batches[BATCHES_AT_ONCE];
};

static bool write_batch(void *ctx, size_t at, struct error *err)
{
	struct cell_writing *w = ctx;
	struct cell_batch *batch = &w->batches[at];
	size_t begin = (w->first + at) * CELLS_AT_ONCE, n = w->t->cells->n;

	(void)err;
	batch->arena.block_size = 1 << 15;
	batch->out = (struct csv_out){ .buf = { .arena = &batch->arena } };
	for (size_t i = begin; i < begin + CELLS_AT_ONCE && i < n; i++)
		put_cell(w->t, w->sorted[i].cell, w->comparable[w->sorted[i].cell->series],
			 &batch->out);
	return true;
}

/* More than the cells are likely to take: a text that outgrows its room leaves it behind in the
 * arena. */
static size_t expected_bytes(const struct tables *t)
{
	enum { A_CELL = 512, A_MACHINE = 32, A_SOURCE = 4 };
	size_t n = t->cells->n * A_CELL + t->cells->nmedians * A_MACHINE;

	for (size_t i = 0; i < t->ngroups; i++)
		n += t->c->sources.v[t->sources[i]].len + A_SOURCE;
	return n;
}

static void reserve(struct strbuf *b, size_t more)
{
	char *p = arena_alloc(b->arena, b->len + more);

	if (b->len)
		memcpy(p, b->p, b->len);
	b->p = p;
	b->cap = b->len + more;
}

static void put_cells(const struct tables *t, const bool *comparable, struct csv_out *w)
{
	struct cell_writing *writing = arena_alloc(t->arena, sizeof *writing);
	size_t n = t->cells->n / CELLS_AT_ONCE + 1;
	struct error none = { .code = ERR_NONE };

	*writing =
	    (struct cell_writing){ .t = t, .sorted = sort_cells(t), .comparable = comparable };
	reserve(&w->buf, expected_bytes(t));
	for (; writing->first < n; writing->first += BATCHES_AT_ONCE) {
		size_t some =
		    n - writing->first < BATCHES_AT_ONCE ? n - writing->first : BATCHES_AT_ONCE;
		parallel_for(t->c->threads, some, 1, write_batch, writing, &none);
		for (size_t i = 0; i < some; i++) {
			strbuf_add(&w->buf, strbuf_str(&writing->batches[i].out.buf));
			arena_free(&writing->batches[i].arena);
		}
	}
}

static void put_observations(const struct tables *t, struct csv_out *w)
{
	static const struct str header[] = {
		STR_INIT("device"),         STR_INIT("class"),        STR_INIT("workload"),
		STR_INIT("precision"),      STR_INIT("device_count"), STR_INIT("series"),
		STR_INIT("value"),          STR_INIT("unit"),         STR_INIT("better"),
		STR_INIT("machines"),       STR_INIT("runs"),         STR_INIT("spread_pct"),
		STR_INIT("sources"),        STR_INIT("metric"),       STR_INIT("use"),
		STR_INIT("machine_values"), STR_INIT("trust"),
	};
	bool *comparable = arena_array(t->arena, t->c->series.n, sizeof *comparable);

	for (size_t i = 0; i < t->c->series.n; i++)
		comparable[i] = is_comparable(t, i);
	put_header(w, header, LEN(header));
	put_cells(t, comparable, w);
}

static struct str signer_of(const struct machine *m)
{
	return m->signer ? m->signer->name : STR("");
}

static void put_machines(const struct tables *t, struct csv_out *w)
{
	static const struct str header[] = {
		STR_INIT("id"),         STR_INIT("machine"),   STR_INIT("series"),
		STR_INIT("first_date"), STR_INIT("last_date"), STR_INIT("rows"),
		STR_INIT("frameworks"), STR_INIT("trust"),     STR_INIT("signer"),
	};
	const struct collection *c = t->c;

	put_header(w, header, LEN(header));
	for (size_t i = 0; i < c->machine_keys.n; i++) {
		size_t machine = t->by_rank[i];
		const struct machine_sum *m = &t->machines[machine];
		if (m->rows == 0)
			continue;
		csv_put_int(w, (long)m->id);
		csv_put(w, c->machines[machine].name);
		csv_put(w, c->series.v[c->machines[machine].series]);
		csv_put_date(w, m->first);
		csv_put_date(w, m->last);
		csv_put_int(w, (long)m->rows);
		csv_put(w, join_names(&c->frameworks, t->framework_rank, m->frameworks,
				      m->nframeworks, t->arena));
		csv_put(w, trust_name(c->machines[machine].trust));
		csv_put(w, signer_of(&c->machines[machine]));
		csv_end_row(w);
	}
}

static void put_source(const struct tables *t, size_t number, struct csv_out *w)
{
	static const struct series undescribed = { .comparable = true };
	const struct series *described = series_find(t->described, t->c->series.v[number]);
	const struct series *s = described ? described : &undescribed;
	const struct series_count *count = &t->c->counts[number];
	const struct series_sum *sum = &t->series[number];

	csv_put(w, t->c->series.v[number]);
	csv_put(w, s->title);
	csv_put_int(w, (long)count->files);
	csv_put_int(w, (long)count->rows);
	csv_put_int(w, (long)sum->accepted);
	csv_put_int(w, (long)sum->rejected);
	csv_put_int(w, (long)sum->set_aside);
	csv_put_int(w, (long)sum->machines);
	csv_put_int(w, (long)sum->devices);
	csv_put_date(w, sum->first);
	csv_put_date(w, sum->last);
	csv_put(w, s->comparable ? STR("yes") : STR("no"));
	csv_put(w, s->software);
	csv_put(w, s->licence);
	csv_put(w, s->url);
	csv_put_date(w, count->newest_row);
	for (size_t i = TRUST_COUNT; i-- > 0;)
		csv_put_int(w, (long)sum->by_trust[i]);
	csv_end_row(w);
}

static void put_sources(const struct tables *t, struct csv_out *w)
{
	static const struct str header[] = {
		STR_INIT("series"),    STR_INIT("title"),
		STR_INIT("files"),     STR_INIT("rows"),
		STR_INIT("accepted"),  STR_INIT("rejected"),
		STR_INIT("set_aside"), STR_INIT("machines"),
		STR_INIT("devices"),   STR_INIT("first_date"),
		STR_INIT("last_date"), STR_INIT("comparable"),
		STR_INIT("software"),  STR_INIT("licence"),
		STR_INIT("url"),       STR_INIT("newest_row_date"),
		STR_INIT("machines_signed"), STR_INIT("machines_known"),
		STR_INIT("machines_anonymous"),
	};
	size_t n = t->c->series.n;
	size_t *at = arena_array(t->arena, n, sizeof *at);

	put_header(w, header, LEN(header));
	for (size_t i = 0; i < n; i++)
		at[t->ranks->series[i]] = i;
	for (size_t i = 0; i < n; i++)
		put_source(t, at[i], w);
}

static void summarise(const struct tables *t, struct collect_summary *out)
{
	const struct collection *c = t->c;
	bool *device_seen = arena_array(t->arena, c->devices->n, sizeof *device_seen);

	*out = (struct collect_summary){ .files = c->ninputs,
					 .files_refused = c->files_refused,
					 .cells = t->cells->n };
	for (size_t i = 0; i < c->series.n; i++) {
		out->rows += c->counts[i].rows;
		out->accepted += t->series[i].accepted;
		out->rejected += t->series[i].rejected;
		out->set_aside += t->series[i].set_aside;
		out->machines += t->series[i].machines;
	}
	for (size_t i = 0; i < t->cells->n; i++) {
		bool *seen = &device_seen[t->keys[i].device];
		out->devices += !*seen;
		*seen = true;
	}
}

static void put_rejects(const struct tables *t, struct csv_out *w)
{
	struct str *files = arena_array(t->arena, t->c->ninputs, sizeof *files);

	for (size_t i = 0; i < t->c->ninputs; i++)
		files[i] = t->c->inputs[i].name;
	reject_write(&t->c->rejects, files, w);
}

/* Copies what the tables want of the groups. */
static void keep_of_groups(struct tables *t)
{
	const struct observations *cells = t->cells;
	const struct observation *last = cells->n ? &cells->v[cells->n - 1] : NULL;

	t->ngroups = last ? last->first + last->ngroups : 0;
	t->sources = arena_array(t->arena, t->ngroups, sizeof *t->sources);
	t->keys = arena_array(t->arena, cells->n, sizeof *t->keys);
	for (size_t i = 0; i < t->ngroups; i++)
		t->sources[i] = cells->groups[i]->row.source;
	for (size_t i = 0; i < cells->n; i++)
		t->keys[i] = *cells->v[i].key;
}

static struct tables make_tables(struct collection *c, const struct observations *cells,
				 const struct ranks *ranks, const struct series_list *series)
{
	struct arena *a = c->arena;
	struct tables t = {
		.c = c,
		.cells = cells,
		.ranks = ranks,
		.described = series,
		.arena = a,
		.machines = arena_array(a, c->machine_keys.n, sizeof *t.machines),
		.by_rank = arena_array(a, c->machine_keys.n, sizeof *t.by_rank),
		.series = arena_array(a, c->series.n, sizeof *t.series),
		.framework_rank = names_rank(&c->frameworks, a),
		.source_rank = names_rank(&c->sources, a),
	};

	sum_rows(&t);
	keep_of_groups(&t);
	return t;
}

static const struct {
	struct str name;
	void (*put)(const struct tables *t, struct csv_out *w);
} files[COLLECT_TABLES] = {
	{ STR_INIT("observations.csv"), put_observations },
	{ STR_INIT("machines.csv"), put_machines },
	{ STR_INIT("sources.csv"), put_sources },
	{ STR_INIT("rejects.csv"), put_rejects },
};

void output_make(struct collection *c, const struct observations *cells, const struct ranks *ranks,
		 const struct series_list *series, struct collect_tables *out,
		 struct collect_summary *summary)
{
	struct tables t = make_tables(c, cells, ranks, series);

	group_free(c);
	summarise(&t, summary);
	for (size_t i = 0; i < LEN(files); i++) {
		struct csv_out w = { .buf = { .arena = c->arena } };
		files[i].put(&t, &w);
		out->text[i] = strbuf_str(&w.buf);
	}
}

bool output_write(const struct collect_tables *tables, const char *out_dir, struct arena *a,
		  struct error *err)
{
	struct str dir = file_join(a, str_of(out_dir), STR("data"));

	if (!file_make_dirs(str_c(a, dir), err))
		return false;
	for (size_t i = 0; i < LEN(files); i++)
		if (!file_write(str_c(a, file_join(a, dir, files[i].name)), tables->text[i], err))
			return false;
	return true;
}
