#include "workload.h"

#include "../base/csv_read.h"
#include "../base/file.h"

#include <stddef.h>

/* A line of workloads.csv as it is read; its words become the members of struct workload. */
struct workload_row {
	struct workload w;
	struct str class, better, use;
};

#define FIELD(member, kind, needed) \
	{ .name = #member, .type = kind, .required = needed, \
	  .offset = offsetof(struct workload_row, w.member) }

static const struct csv_field columns[] = {
	{ "workload", CSV_NAME, true, offsetof(struct workload_row, w.name) },
	FIELD(metric, CSV_NAME, true),
	{ "class", CSV_TEXT, true, offsetof(struct workload_row, class) },
	FIELD(unit, CSV_NAME, true),
	{ "better", CSV_TEXT, true, offsetof(struct workload_row, better) },
	FIELD(lo, CSV_NUMBER, true),
	FIELD(hi, CSV_NUMBER, true),
	FIELD(flop_per_sample, CSV_NUMBER, false),
	FIELD(bytes_per_sample, CSV_NUMBER, false),
	{ "use", CSV_TEXT, true, offsetof(struct workload_row, use) },
	FIELD(title, CSV_NAME, false),
};

struct series_row {
	struct series s;
	struct str comparable;
};

#define SERIES_FIELD(member, needed) \
	{ .name = #member, .type = CSV_TEXT, .required = needed, \
	  .offset = offsetof(struct series_row, s.member) }

static const struct csv_field series_columns[] = {
	{ "series", CSV_NAME, true, offsetof(struct series_row, s.name) },
	SERIES_FIELD(title, true),
	SERIES_FIELD(rules, false),
	SERIES_FIELD(software, false),
	SERIES_FIELD(date, false),
	SERIES_FIELD(licence, false),
	{ "comparable", CSV_TEXT, true, offsetof(struct series_row, comparable) },
	SERIES_FIELD(url, false),
};

/* Tells which of two words a cell holds. */
static bool either(struct str s, struct pos pos, const char *column, const char *yes,
		   const char *no, bool *out, struct error *err)
{
	*out = str_eq(s, str_of(yes));
	if (*out || str_eq(s, str_of(no)))
		return true;
	return error_at(err, ERR_SYNTAX, pos, "%s: '" STR_FMT "' is neither %s nor %s", column,
			STR_ARG(s), yes, no);
}

/* Bounds and work per sample: NAN is not known, anything else must be above 0. */
static bool check_numbers(const struct workload *w, struct error *err)
{
	if (!(w->lo > 0 && w->lo < w->hi))
		return error_at(err, ERR_RANGE, w->pos, "lo, hi: %g and %g are not 0 < lo < hi",
				w->lo, w->hi);
	if (w->flop_per_sample <= 0)
		return error_at(err, ERR_RANGE, w->pos, "flop_per_sample: %g is not above 0",
				w->flop_per_sample);
	if (w->bytes_per_sample <= 0)
		return error_at(err, ERR_RANGE, w->pos, "bytes_per_sample: %g is not above 0",
				w->bytes_per_sample);
	return true;
}

static bool convert(const struct workload_row *row, struct workload *w, struct error *err)
{
	*w = row->w;
	if (!class_parse(row->class, &w->class))
		return error_at(err, ERR_UNKNOWN, w->pos, "class: '" STR_FMT "' is not a class",
				STR_ARG(row->class));
	return either(row->better, w->pos, "better", "lower", "higher", &w->lower_is_better, err)
	       && either(row->use, w->pos, "use", "score", "info", &w->scores, err)
	       && check_numbers(w, err);
}

/* "name\nmetric", as by_key is keyed; names of the catalogue hold no newline. */
static struct str pair_key(struct str name, struct str metric, struct strbuf *b)
{
	strbuf_add(b, name);
	strbuf_addc(b, '\n');
	strbuf_add(b, metric);
	return strbuf_str(b);
}

static bool index_workload(struct workloads *out, size_t i, struct arena *a, struct error *err)
{
	const struct workload *w = &out->v[i];
	struct strbuf b = { .arena = a };
	bool fresh;
	size_t first = *map_put(&out->by_key, pair_key(w->name, w->metric, &b), i, &fresh);

	if (!fresh)
		return error_at(err, ERR_DATA, w->pos,
				"workload '" STR_FMT "' with metric '" STR_FMT
				"' is listed twice, first in line %d",
				STR_ARG(w->name), STR_ARG(w->metric), out->v[first].pos.line);
	map_put(&out->by_name, w->name, i, NULL);
	return true;
}

bool workloads_read(const char *data_dir, struct arena *a, struct workloads *out, struct error *err)
{
	const char *path = str_c(a, file_join(a, str_of(data_dir), STR("workloads.csv")));
	const struct workload_row *rows;
	void *v;

	*out = (struct workloads){ .by_key.arena = a, .by_name.arena = a };
	if (!csv_read_records(path, columns, LEN(columns), sizeof *rows,
			      offsetof(struct workload_row, w.pos), a, &v, &out->n, err))
		return false;
	rows = v;
	out->v = arena_array(a, out->n, sizeof *out->v);
	for (size_t i = 0; i < out->n; i++)
		if (!convert(&rows[i], &out->v[i], err) || !index_workload(out, i, a, err))
			return false;
	return true;
}

size_t workload_find(const struct workloads *w, struct str name, struct str metric)
{
	struct arena scratch = { .block_size = 1024 };
	struct strbuf b = { .arena = &scratch };
	const size_t *at = map_get(&w->by_key, pair_key(name, metric, &b));
	size_t i = at ? *at : w->n;

	arena_free(&scratch);
	return i;
}

bool workload_known(const struct workloads *w, struct str name)
{
	return map_get(&w->by_name, name) != NULL;
}

bool series_read(const char *data_dir, struct arena *a, struct series_list *out, struct error *err)
{
	const char *path = str_c(a, file_join(a, str_of(data_dir), STR("series.csv")));
	struct map seen = { .arena = a };
	const struct series_row *rows;
	void *v;

	*out = (struct series_list){ 0 };
	if (!csv_read_records(path, series_columns, LEN(series_columns), sizeof *rows,
			      offsetof(struct series_row, s.pos), a, &v, &out->n, err))
		return false;
	rows = v;
	out->v = arena_array(a, out->n, sizeof *out->v);
	for (size_t i = 0; i < out->n; i++) {
		struct series *s = &out->v[i];
		bool fresh;

		*s = rows[i].s;
		if (!either(rows[i].comparable, s->pos, "comparable", "yes", "no", &s->comparable,
			    err))
			return false;
		map_put(&seen, s->name, i, &fresh);
		if (!fresh)
			return error_at(err, ERR_DATA, s->pos,
					"series '" STR_FMT "' is listed twice", STR_ARG(s->name));
	}
	return true;
}

const struct series *series_find(const struct series_list *s, struct str name)
{
	for (size_t i = 0; i < s->n; i++)
		if (str_eq(s->v[i].name, name))
			return &s->v[i];
	return NULL;
}
