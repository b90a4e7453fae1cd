#include "matrix.h"

#include "../base/map.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

/* Endings of the parts of one step. A longer one stands before an ending of it. */
static const struct str part_endings[] = {
	STR_INIT("-bwd-inputs"), STR_INIT("-bwd-weights"), STR_INIT("-bwd-params"),
	STR_INIT("-bwd"),        STR_INIT("-fwd"),
};

enum fit { FIT_NOT, FIT_UNSTATED, FIT_STATED };

/* How well the precision of a row suits the policy. */
static enum fit policy_fit(const struct edition_class *class, const struct device *d,
			   const struct observation *o)
{
	switch (class->policy) {
	case POLICY_GUIDE:
		if (o->kind == PRECISION_UNSTATED)
			return FIT_UNSTATED;
		return o->kind == (device_has_fast_fp16(d) ? PRECISION_16 : PRECISION_32)
			   ? FIT_STATED
			   : FIT_NOT;
	case POLICY_BEST:
		return o->kind == PRECISION_WIDE ? FIT_NOT : FIT_STATED;
	case POLICY_EACH:
		return FIT_STATED;
	case POLICY_NAMED:
		return str_eq(o->precision, class->precision) ? FIT_STATED : FIT_NOT;
	}
	return FIT_NOT;
}

/* The building of one matrix: the maps number what is met for the first time. */
struct builder {
	const struct observations *obs;
	const struct edition_class *class;
	const struct devices *devices;
	struct arena *arena;
	struct map whole; /* "series\nworkload" of every row of the class */
	struct map columns, machines;
	struct matrix *out;
	const struct observation **chosen; /* by cell */
	enum fit *fits;                    /* by cell */
	bool *has_16;                      /* by cell: the device has a 16-bit row there */
};

static bool takes_part(const struct builder *b, const struct observation *o)
{
	return o->class == b->class->id && o->scores && o->device_count == 1;
}

static struct str row_key(struct arena *a, struct str series, struct str workload,
			  struct str ending)
{
	return str_printf(a, STR_FMT "\n" STR_FMT STR_FMT, STR_ARG(series), STR_ARG(workload),
			  STR_ARG(ending));
}

/* Whether the row times a part of a step that the series also times whole: "x-total", or "x"
 * itself. */
static bool is_part(const struct builder *b, const struct observation *o)
{
	for (size_t i = 0; i < LEN(part_endings); i++) {
		if (!str_ends(o->workload, part_endings[i]))
			continue;
		struct str stem = str_slice(o->workload, 0, o->workload.len - part_endings[i].len);
		return map_get(&b->whole, row_key(b->arena, o->series, stem, STR("-total")))
		       || map_get(&b->whole, row_key(b->arena, o->series, stem, STR("")));
	}
	return false;
}

static struct str column_precision(const struct builder *b, const struct observation *o)
{
	return b->class->policy == POLICY_EACH ? o->precision : STR("");
}

static struct str column_key(const struct builder *b, const struct observation *o)
{
	struct str precision = column_precision(b, o);

	return str_printf(b->arena, STR_FMT "\n" STR_FMT "\n" STR_FMT "\n" STR_FMT,
			  STR_ARG(o->workload), STR_ARG(o->metric), STR_ARG(o->series),
			  STR_ARG(precision));
}

static size_t column_of(struct builder *b, const struct observation *o)
{
	bool fresh;
	size_t at = *map_put(&b->columns, column_key(b, o), b->out->ncolumns, &fresh);

	if (fresh)
		b->out->columns[b->out->ncolumns++] = (struct matrix_column){
			o->workload, o->metric, o->series, column_precision(b, o), 1, false
		};
	return at;
}

static double rate(const struct observation *o)
{
	return o->lower_is_better ? 1 / o->value : o->value;
}

/* Takes the row in unless its cell holds a better one already. `row_cells` says where the cell of
 * each column is for the present device. */
static void offer(struct builder *b, const struct observation *o, size_t *row_cells)
{
	enum fit fit = policy_fit(b->class, &b->devices->v[o->device], o);

	if (fit == FIT_NOT)
		return;
	size_t column = column_of(b, o);
	bool fresh = row_cells[column] == SIZE_MAX;
	if (fresh)
		row_cells[column] = b->out->ncells++;
	size_t at = row_cells[column];
	if (o->kind == PRECISION_16)
		b->has_16[at] = b->out->columns[column].has_16_bit = true;
	if (!fresh && (fit < b->fits[at] || (fit == b->fits[at] && rate(o) <= rate(b->chosen[at]))))
		return;
	b->out->cells[at] =
	    (struct matrix_cell){ .device = b->out->ndevices - 1, .column = column };
	b->fits[at] = fit;
	b->chosen[at] = o;
}

static size_t machine_of(struct builder *b, const struct observation *o,
			 const struct machine_value *v)
{
	bool named = v->machine.len > 0;
	struct str key =
	    named ? v->machine
		  : str_printf(b->arena, "\n" STR_FMT "\n%zu", STR_ARG(o->series), o->device);
	bool fresh;
	size_t at = *map_put(&b->machines, key, b->out->nmachines, &fresh);

	if (fresh)
		b->out->machines[b->out->nmachines++] = (struct matrix_machine){ v->machine, 1 };
	if (!named && o->machines > b->out->machines[at].count)
		b->out->machines[at].count = o->machines;
	return at;
}

static int value_cmp(const void *x, const void *y)
{
	const struct matrix_value *a = x, *b = y;

	if (a->value != b->value)
		return a->value < b->value ? -1 : 1;
	return (a->machine > b->machine) - (a->machine < b->machine);
}

static void fill_cell(struct builder *b, size_t at)
{
	const struct observation *o = b->chosen[at];
	struct matrix_cell *c = &b->out->cells[at];

	c->lower_is_better = o->lower_is_better;
	c->runs = o->runs;
	c->trust = o->trust;
	c->precision = o->precision;
	c->nvalues = o->nvalues;
	c->values = arena_array(b->arena, o->nvalues, sizeof *c->values);
	for (size_t i = 0; i < o->nvalues; i++)
		c->values[i] =
		    (struct matrix_value){ o->values[i].value, machine_of(b, o, &o->values[i]) };
	qsort(c->values, c->nvalues, sizeof *c->values, value_cmp);
	c->y = log(rate(o));
}

/* Under POLICY_BEST: see matrix_build. */
static void drop_wide(struct builder *b)
{
	size_t n = 0;

	for (size_t i = 0; i < b->out->ncells; i++) {
		const struct observation *o = b->chosen[i];
		if (b->class->policy == POLICY_BEST && o->kind == PRECISION_32
		    && b->out->columns[b->out->cells[i].column].has_16_bit && !b->has_16[i]
		    && device_has_matrix_units(&b->devices->v[o->device]))
			continue;
		b->out->cells[n] = b->out->cells[i];
		b->chosen[n++] = o;
	}
	b->out->wide_left_out = b->out->ncells - n;
	b->out->ncells = n;
}

/* Whether the device of the row has a cell in the column. */
static bool has_cell(const struct matrix *m, size_t device, size_t column)
{
	for (size_t i = 0; i < m->ncells; i++)
		if (m->cells[i].column == column && m->devices[m->cells[i].device] == device)
			return true;
	return false;
}

/* Lists the 32-bit rows that the policy leaves out: see struct matrix_wide. */
static void gather_wide(struct builder *b)
{
	struct matrix *m = b->out;
	bool leaves_out = b->class->policy == POLICY_BEST || b->class->policy == POLICY_GUIDE;

	m->wide = arena_array(b->arena, b->obs->n, sizeof *m->wide);
	for (size_t i = 0; leaves_out && i < b->obs->n; i++) {
		const struct observation *o = &b->obs->v[i];
		if (!takes_part(b, o) || o->kind != PRECISION_32
		    || !device_has_fast_fp16(&b->devices->v[o->device]) || is_part(b, o))
			continue;
		const size_t *column = map_get(&b->columns, column_key(b, o));
		if (column && !has_cell(m, o->device, *column))
			m->wide[m->nwide++] =
			    (struct matrix_wide){ o->device, *column, log(rate(o)) };
	}
}

static void weigh_columns(struct matrix *m)
{
	for (size_t i = 0; i < m->ncolumns; i++) {
		size_t n = 0;
		for (size_t j = 0; j < m->ncolumns; j++)
			n += str_eq(m->columns[i].series, m->columns[j].series);
		m->columns[i].weight = 1 / (double)n;
	}
}

static int cell_cmp(const void *x, const void *y)
{
	const struct matrix_cell *a = x, *b = y;

	if (a->device != b->device)
		return a->device < b->device ? -1 : 1;
	return (a->column > b->column) - (a->column < b->column);
}

static void allocate(struct builder *b, size_t *nrows, size_t *nvalues)
{
	struct matrix *m = b->out;

	*nrows = *nvalues = 0;
	for (size_t i = 0; i < b->obs->n; i++) {
		const struct observation *o = &b->obs->v[i];
		if (o->class == b->class->id)
			map_put(&b->whole, row_key(b->arena, o->series, o->workload, STR("")), 0,
				NULL);
		if (takes_part(b, o)) {
			*nrows += 1;
			*nvalues += o->nvalues;
		}
	}
	m->devices = arena_array(b->arena, *nrows, sizeof *m->devices);
	m->columns = arena_array(b->arena, *nrows, sizeof *m->columns);
	m->cells = arena_array(b->arena, *nrows, sizeof *m->cells);
	m->machines = arena_array(b->arena, *nvalues, sizeof *m->machines);
	b->chosen = arena_array(b->arena, *nrows, sizeof *b->chosen);
	b->fits = arena_array(b->arena, *nrows, sizeof *b->fits);
	b->has_16 = arena_array(b->arena, *nrows, sizeof *b->has_16);
}

void matrix_build(const struct observations *obs, const struct edition_class *class,
		  const struct devices *devices, struct arena *a, struct matrix *out)
{
	struct builder b = { .obs = obs,
			     .class = class,
			     .devices = devices,
			     .arena = a,
			     .out = out,
			     .whole.arena = a,
			     .columns.arena = a,
			     .machines.arena = a };
	size_t nrows, nvalues, last = SIZE_MAX;

	*out = (struct matrix){ 0 };
	allocate(&b, &nrows, &nvalues);
	size_t *row_cells = arena_array(a, nrows, sizeof *row_cells);
	for (size_t i = 0; i < obs->n; i++) {
		const struct observation *o = &obs->v[i];
		if (!takes_part(&b, o))
			continue;
		if (is_part(&b, o)) {
			out->parts_left_out++;
			continue;
		}
		if (policy_fit(class, &devices->v[o->device], o) == FIT_NOT)
			continue;
		if (o->device != last) {
			out->devices[out->ndevices++] = last = o->device;
			for (size_t j = 0; j < nrows; j++)
				row_cells[j] = SIZE_MAX;
		}
		offer(&b, o, row_cells);
	}
	drop_wide(&b);
	for (size_t i = 0; i < out->ncells; i++)
		fill_cell(&b, i);
	gather_wide(&b);
	weigh_columns(out);
	qsort(out->cells, out->ncells, sizeof *out->cells, cell_cmp);
}

double matrix_cell_y(const struct matrix_cell *c, const unsigned *counts)
{
	size_t total = 0, seen = 0;
	double lower = NAN;

	for (size_t i = 0; i < c->nvalues; i++)
		total += counts ? counts[c->values[i].machine] : 1;
	if (total == 0)
		return NAN;
	/* The median of the expanded list: its elements (total-1)/2 and total/2, counted from 0. */
	for (size_t i = 0; i < c->nvalues; i++) {
		seen += counts ? counts[c->values[i].machine] : 1;
		if (isnan(lower) && seen > (total - 1) / 2)
			lower = c->values[i].value;
		if (seen > total / 2) {
			double median = lower + (c->values[i].value - lower) / 2;
			return c->lower_is_better ? -log(median) : log(median);
		}
	}
	return NAN;
}

int matrix_machines(const struct matrix *m, size_t row, struct arena *a)
{
	bool *seen = arena_array(a, m->nmachines, sizeof *seen);
	int n = 0;

	for (size_t i = 0; i < m->ncells; i++) {
		const struct matrix_cell *c = &m->cells[i];
		for (size_t j = 0; c->device == row && j < c->nvalues; j++) {
			size_t machine = c->values[j].machine;
			n += seen[machine] ? 0 : m->machines[machine].count;
			seen[machine] = true;
		}
	}
	return n;
}

void matrix_within(const struct matrix *m, double *sum_of_squares, size_t *freedom)
{
	for (size_t i = 0; i < m->ncells; i++) {
		const struct matrix_cell *c = &m->cells[i];
		double mean = 0;

		if (c->nvalues < 2)
			continue;
		for (size_t j = 0; j < c->nvalues; j++)
			mean += log(c->values[j].value) / (double)c->nvalues;
		for (size_t j = 0; j < c->nvalues; j++) {
			double off = log(c->values[j].value) - mean;
			*sum_of_squares += off * off;
		}
		*freedom += c->nvalues - 1;
	}
}
