#include "observation.h"

#include "../base/csv_read.h"
#include "../base/num.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

/* One line of the file as it stands. */
struct record {
	struct str device, class, workload, precision, series, unit, better, metric, use,
	    machine_values, trust;
	double value;
	int device_count, machines, runs;
	struct pos pos;
};

#define COLUMN(member, type, required)                                                             \
	{                                                                                          \
#member, type, required, offsetof(struct record, member)                           \
	}

static const struct csv_field fields[] = {
	COLUMN(device, CSV_TEXT, true),        COLUMN(class, CSV_TEXT, true),
	COLUMN(workload, CSV_TEXT, true),      COLUMN(precision, CSV_TEXT, false),
	COLUMN(device_count, CSV_COUNT, true), COLUMN(series, CSV_TEXT, true),
	COLUMN(value, CSV_NUMBER, true),       COLUMN(unit, CSV_TEXT, true),
	COLUMN(better, CSV_TEXT, true),        COLUMN(machines, CSV_COUNT, false),
	COLUMN(runs, CSV_COUNT, false),        COLUMN(metric, CSV_TEXT, false),
	COLUMN(use, CSV_TEXT, false),          COLUMN(machine_values, CSV_TEXT, false),
	COLUMN(trust, CSV_TEXT, false),
};

/* A word of a column that has only two, or is empty where `empty` says what that means. */
static const struct word {
	struct str text;
	bool value;
} better_words[] = {
	{ STR_INIT("higher"), false },
	{ STR_INIT("lower"), true },
}, use_words[] = {
	{ STR_INIT("score"), true },
	{ STR_INIT("info"), false },
	{ STR_INIT(""), true },
};

static bool word_parse(const struct word *words, size_t n, struct str s, bool *out)
{
	for (size_t i = 0; i < n; i++)
		if (str_eq(words[i].text, s)) {
			*out = words[i].value;
			return true;
		}
	return false;
}

/* The records know only their line; where one is faulty, the file is looked at again for the
 * column. */
static struct pos cell_pos(const char *path, struct pos row, const char *column, struct arena *a)
{
	struct csv_table t;
	struct error ignored = { 0 };

	if (!csv_read(path, a, &t, &ignored))
		return row;
	for (size_t i = 0; i < t.n; i++)
		if (t.rows[i].line == row.line)
			return csv_cell(&t, &t.rows[i], csv_column(&t, str_of(column))).pos;
	return row;
}

static int machine_value_cmp(const void *x, const void *y)
{
	const struct machine_value *a = x, *b = y;

	return str_cmp(a->machine, b->machine);
}

static bool machine_values_parse(struct str text, struct arena *a, struct observation *o)
{
	size_t cap = 0;
	struct str piece;

	o->values = NULL;
	while (str_cut(&text, ' ', &piece)) {
		struct machine_value m;
		size_t eq = piece.len;

		if (piece.len == 0)
			continue;
		while (eq > 0
		       && piece.p[eq - 1] != '=') /* the last one: an ID may hold '=' itself */
			eq--;
		if (eq < 2 || !num_parse(str_slice(piece, eq, piece.len), false, &m.value)
		    || !(m.value > 0))
			return false;
		m.machine = str_slice(piece, 0, eq - 1);
		o->values = arena_grow(a, o->values, &cap, o->nvalues + 1, sizeof *o->values);
		o->values[o->nvalues++] = m;
	}
	if (o->nvalues == 0) {
		o->values = arena_array(a, 1, sizeof *o->values);
		o->values[0].value = o->value;
		o->nvalues = 1;
	}
	qsort(o->values, o->nvalues, sizeof *o->values, machine_value_cmp);
	return true;
}

static bool convert(const char *path, const struct record *r, const struct devices *devices,
		    struct arena *a, struct observation *o, struct error *err)
{
	*o = (struct observation){
		.device = device_index(devices, r->device),
		.workload = r->workload,
		.metric = r->metric,
		.precision = r->precision,
		.series = r->series,
		.unit = r->unit,
		.pos = r->pos,
		.device_count = r->device_count,
		.value = r->value,
		.machines = r->machines < 0 ? 1 : r->machines,
		.runs = r->runs < 0 ? 1 : r->runs,
		.trust = TRUST_COUNT,
	};
	if (o->device == devices->n)
		return error_at(err, ERR_UNKNOWN, cell_pos(path, r->pos, "device", a),
				"device: '" STR_FMT "' is not in the catalogue",
				STR_ARG(r->device));
	if (!class_parse(r->class, &o->class))
		return error_at(err, ERR_UNKNOWN, cell_pos(path, r->pos, "class", a),
				"class: '" STR_FMT "' is not a class", STR_ARG(r->class));
	if (!precision_parse(r->precision, &o->kind))
		return error_at(err, ERR_UNKNOWN, cell_pos(path, r->pos, "precision", a),
				"precision: '" STR_FMT "' is not known", STR_ARG(r->precision));
	if (o->device_count == 0)
		return error_at(err, ERR_RANGE, cell_pos(path, r->pos, "device_count", a),
				"device_count: 0 is not at least 1");
	if (!(r->value > 0))
		return error_at(err, ERR_RANGE, cell_pos(path, r->pos, "value", a),
				"value: %g is not above 0", r->value);
	if (!word_parse(better_words, LEN(better_words), r->better, &o->lower_is_better))
		return error_at(err, ERR_UNKNOWN, cell_pos(path, r->pos, "better", a),
				"better: '" STR_FMT "' is neither higher nor lower",
				STR_ARG(r->better));
	if (!word_parse(use_words, LEN(use_words), r->use, &o->scores))
		return error_at(err, ERR_UNKNOWN, cell_pos(path, r->pos, "use", a),
				"use: '" STR_FMT "' is neither score nor info", STR_ARG(r->use));
	if (r->trust.len && !trust_parse(r->trust, &o->trust))
		return error_at(err, ERR_UNKNOWN, cell_pos(path, r->pos, "trust", a),
				"trust: '" STR_FMT "' is none of signed, known, anonymous",
				STR_ARG(r->trust));
	if (!machine_values_parse(r->machine_values, a, o))
		return error_at(
		    err, ERR_SYNTAX, cell_pos(path, r->pos, "machine_values", a),
		    "machine_values: expected ID=number separated by blanks, numbers above 0");
	return true;
}

/* The key of a cell; later stages rely on this order, so that the order of rows in the file never
 * matters. */
static int observation_cmp(const void *x, const void *y)
{
	const struct observation *a = x, *b = y;
	int c;

	if (a->device != b->device)
		return a->device < b->device ? -1 : 1;
	if (a->class != b->class)
		return a->class < b->class ? -1 : 1;
	if ((c = str_cmp(a->workload, b->workload)) || (c = str_cmp(a->metric, b->metric))
	    || (c = str_cmp(a->precision, b->precision)))
		return c;
	if (a->device_count != b->device_count)
		return a->device_count < b->device_count ? -1 : 1;
	return str_cmp(a->series, b->series);
}

static bool check_unique(const struct observations *o, struct error *err)
{
	for (size_t i = 1; i < o->n; i++) {
		const struct observation *a = &o->v[i - 1], *b = &o->v[i];
		const struct observation *later = a->pos.line > b->pos.line ? a : b;

		if (observation_cmp(a, b) == 0)
			return error_at(err, ERR_DATA, later->pos,
					"the cell of workload '" STR_FMT "' in series '" STR_FMT
					"' is listed twice, first in line %d",
					STR_ARG(a->workload), STR_ARG(a->series),
					later == a ? b->pos.line : a->pos.line);
	}
	return true;
}

bool observations_read(const char *path, const struct devices *devices, struct arena *a,
		       struct observations *out, struct error *err)
{
	void *records;
	size_t n;

	if (!csv_read_records(path, fields, LEN(fields), sizeof(struct record),
			      offsetof(struct record, pos), a, &records, &n, err))
		return false;
	const struct record *r = records;
	out->v = arena_array(a, n, sizeof *out->v);
	out->n = n;
	for (size_t i = 0; i < n; i++)
		if (!convert(path, &r[i], devices, a, &out->v[i], err))
			return false;
	qsort(out->v, n, sizeof *out->v, observation_cmp);
	return check_unique(out, err);
}
