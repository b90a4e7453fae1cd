#include "multi.h"

#include "../base/csv_read.h"
#include "../base/file.h"
#include "../base/stat.h"

#include <math.h>
#include <stddef.h>
#include <stdint.h>

/* The counts that a table shows; the guide speaks of 2, 3 and 4. */
static const int counts[] = { 2, 3, 4, 8 };

static const struct str kind_names[] = {
	[MULTI_TABLE] = STR_INIT("table"),
	[MULTI_FRAMEWORKS] = STR_INIT("frameworks"),
	[MULTI_TUNED] = STR_INIT("tuned"),
};

struct guide_record {
	struct str class, kind, source;
	double low, high;
	int device_count;
	struct date date;
	struct pos pos;
};

static const struct csv_field fields[] = {
	{ "date", CSV_DATE, true, offsetof(struct guide_record, date) },
	{ "class", CSV_TEXT, true, offsetof(struct guide_record, class) },
	{ "device_count", CSV_COUNT, true, offsetof(struct guide_record, device_count) },
	{ "kind", CSV_TEXT, true, offsetof(struct guide_record, kind) },
	{ "low", CSV_NUMBER, true, offsetof(struct guide_record, low) },
	{ "high", CSV_NUMBER, true, offsetof(struct guide_record, high) },
	{ "source", CSV_TEXT, true, offsetof(struct guide_record, source) },
};

static bool parse_kind(struct str s, enum multi_kind *out)
{
	for (size_t i = 0; i < LEN(kind_names); i++)
		if (str_eq(kind_names[i], s)) {
			*out = (enum multi_kind)i;
			return true;
		}
	return false;
}

static bool convert(const struct guide_record *r, struct multi_guide *g, struct error *err)
{
	*g = (struct multi_guide){ .date = r->date,
				   .device_count = r->device_count,
				   .low = r->low,
				   .high = r->high,
				   .source = r->source,
				   .pos = r->pos };
	if (!class_parse(r->class, &g->class))
		return error_at(err, ERR_UNKNOWN, r->pos, "class: '" STR_FMT "' is not a class",
				STR_ARG(r->class));
	if (!parse_kind(r->kind, &g->kind))
		return error_at(err, ERR_UNKNOWN, r->pos,
				"kind: '" STR_FMT "' is not table, frameworks or tuned",
				STR_ARG(r->kind));
	if (g->device_count < 1)
		return error_at(err, ERR_RANGE, r->pos, "device_count: %d is not at least 1",
				g->device_count);
	if (!(g->low > 0 && g->high >= g->low))
		return error_at(err, ERR_RANGE, r->pos,
				"low, high: %g and %g are not above 0 and in this order", g->low,
				g->high);
	if (!(g->low >= 0.01 && g->high <= 2.0 * g->device_count))
		return error_at(err, ERR_RANGE, r->pos,
				"low, high: %g and %g are not from 0.01 to twice the %d devices",
				g->low, g->high, g->device_count);
	return true;
}

bool multi_guide_read(const char *data_dir, struct date date, struct arena *a, struct multi *out,
		      struct error *err)
{
	const char *path = str_c(a, file_join(a, str_of(data_dir), STR("multi_gpu.csv")));
	void *records;
	size_t n;

	*out = (struct multi){ 0 };
	if (!file_exists(path))
		return true;
	if (!csv_read_records(path, fields, LEN(fields), sizeof(struct guide_record),
			      offsetof(struct guide_record, pos), a, &records, &n, err))
		return false;
	const struct guide_record *r = records;
	out->guide = arena_array(a, n, sizeof *out->guide);
	struct map seen = { .arena = a };
	for (size_t i = 0; i < n; i++) {
		const struct multi_guide *g = &out->guide[out->nguide];
		if (!convert(&r[i], &out->guide[out->nguide], err)
		    || !csv_once(&seen,
				 str_printf(a, "%d %d %d %d", g->date.day, (int)g->class,
					    g->device_count, (int)g->kind),
				 g->pos, err))
			return false;
		out->nguide += r[i].date.day <= date.day;
	}
	return true;
}

/* The newest; no two are of one date. */
const struct multi_guide *multi_guide_find(const struct multi *m, enum class_id class,
					   int device_count, enum multi_kind kind)
{
	const struct multi_guide *found = NULL;

	for (size_t i = 0; i < m->nguide; i++) {
		const struct multi_guide *g = &m->guide[i];
		if (g->class == class && g->device_count == device_count && g->kind == kind
		    && (!found || g->date.day >= found->date.day))
			found = g;
	}
	return found;
}

static bool same_cell(const struct observation *x, const struct observation *y)
{
	return x->device == y->device && x->class == y->class && str_eq(x->workload, y->workload)
	       && str_eq(x->metric, y->metric) && str_eq(x->precision, y->precision)
	       && str_eq(x->series, y->series);
}

/* The same cell on the fewest devices. Cells of one (device, class, workload, metric, precision)
 * lie together in the observations, fewest devices first. */
static const struct observation *fewest(const struct observations *obs, size_t at)
{
	const struct observation *o = &obs->v[at], *found = o;

	for (size_t i = at;
	     i-- > 0 && obs->v[i].device == o->device && str_eq(obs->v[i].workload, o->workload);)
		if (same_cell(&obs->v[i], o))
			found = &obs->v[i];
	return found;
}

static void set_spread(const struct observation *o, double one, struct multi_row *r)
{
	double least = o->values[0].value, most = least;

	for (size_t i = 1; i < o->nvalues; i++) {
		least = fmin(least, o->values[i].value);
		most = fmax(most, o->values[i].value);
	}
	if (o->nvalues > 1) {
		r->low = least / one;
		r->high = most / one;
	}
}

/* Suffixes as data/README.md has them; more may follow ("-infer-real"). */
bool multi_is_forward(struct str workload)
{
	return str_find(workload, STR("-infer"), 0) < workload.len
	       || str_find(workload, STR("-fwd"), 0) < workload.len;
}

static struct multi_row row_of(const struct observations *obs, size_t at, struct arena *a)
{
	const struct observation *o = &obs->v[at], *base = fewest(obs, at);
	struct multi_row r = { .device = o->device,
			       .class = o->class,
			       .workload = o->workload,
			       .metric = o->metric,
			       .precision = o->precision,
			       .series = o->series,
			       .device_count = o->device_count,
			       .speedup = NAN,
			       .efficiency = NAN,
			       .low = NAN,
			       .high = NAN,
			       .machines = o->machines,
			       .forward_only = multi_is_forward(o->workload) };

	if (base->device_count == 1) {
		r.speedup = o->value / base->value;
		r.efficiency = r.speedup / o->device_count;
		set_spread(o, base->value, &r);
	} else if (base == o) {
		r.reason = say(a, "multi-note.fewest", NULL);
	} else {
		r.reason = say(a, "multi-note.not_one",
			       (const struct say_arg[]){
				   say_fixed("factor", o->value / base->value, 2),
				   say_int("n", base->device_count), say_end() });
	}
	return r;
}

static bool shown(const struct observation *o, const struct edition *e)
{
	bool count = false;

	for (size_t i = 0; i < LEN(counts); i++)
		count = count || counts[i] == o->device_count;
	return count && o->scores && !o->lower_is_better && edition_class_find(e, o->class);
}

/* Speed-ups of a class and count, of one device unless SIZE_MAX; *ndevices counts devices. */
static double *gather(const struct multi *m, enum class_id class, int n, size_t device,
		      struct arena *a, size_t *count, size_t *ndevices)
{
	double *v = arena_array(a, m->nrows, sizeof *v);
	size_t last = SIZE_MAX;

	*count = *ndevices = 0;
	for (size_t i = 0; i < m->nrows; i++) {
		const struct multi_row *r = &m->rows[i];
		if (r->class != class || r->device_count != n || isnan(r->speedup)
		    || r->forward_only || (device != SIZE_MAX && r->device != device))
			continue;
		v[(*count)++] = r->speedup;
		*ndevices += r->device != last; /* rows are by device */
		last = r->device;
	}
	return v;
}

static struct say note_of(const struct multi *m, const struct multi_summary *s,
			  struct arena *a)
{
	if (s->n > 0 && s->class == CLASS_LLM)
		return say(a, "multi-note.layers", NULL);
	if (s->n > 0)
		return say(a, "multi-note.batch_grows", NULL);
	if (multi_guide_find(m, s->class, s->device_count, MULTI_TABLE))
		return say(a, "multi-note.guide", NULL);
	if (s->class == CLASS_RNN_WORD || s->class == CLASS_RNN_CHAR)
		return say(a, "multi-note.at_most_cnn", NULL);
	return say(a, "multi-note.none", NULL);
}

static struct multi_summary summarise(const struct multi *m, enum class_id class, int n,
				      struct arena *a)
{
	struct multi_summary s = {
		.class = class, .device_count = n, .median = NAN, .p10 = NAN, .p90 = NAN
	};
	double *v = gather(m, class, n, SIZE_MAX, a, &s.n, &s.devices);

	if (s.n) {
		s.median = stat_median(v, s.n, a);
		s.p10 = stat_quantile(v, s.n, 0.1, a);
		s.p90 = stat_quantile(v, s.n, 0.9, a);
	}
	s.note = note_of(m, &s, a);
	return s;
}

void multi_compute(const struct observations *obs, const struct edition *edition, struct arena *a,
		   struct multi *out)
{
	out->rows = arena_array(a, obs->n, sizeof *out->rows);
	out->nrows = 0;
	for (size_t i = 0; i < obs->n; i++)
		if (shown(&obs->v[i], edition))
			out->rows[out->nrows++] = row_of(obs, i, a);
	out->summaries = arena_array(a, edition->nclasses * LEN(counts), sizeof *out->summaries);
	out->nsummaries = 0;
	for (size_t i = 0; i < edition->nclasses; i++)
		for (size_t k = 0; k < LEN(counts); k++)
			out->summaries[out->nsummaries++] =
			    summarise(out, edition->classes[i].id, counts[k], a);
}

static struct multi_answer own_answer(const struct multi *m, enum class_id class, size_t device,
				      int n, struct arena *a)
{
	struct multi_answer none = { NAN, MULTI_NONE, { STR("") } };
	size_t count, devices;

	if (device == SIZE_MAX)
		return none;
	double *v = gather(m, class, n, device, a, &count, &devices);
	if (count == 0)
		return none;
	return (struct multi_answer){
		stat_median(v, count, a), MULTI_OWN,
		say(a, "multi-from.own",
		    (const struct say_arg[]){ say_count("workloads", count), say_int("n", n),
					      say_end() })
	};
}

static struct multi_answer class_answer(const struct multi *m, enum class_id class, int n,
					struct arena *a)
{
	size_t count, devices;
	double *v = gather(m, class, n, SIZE_MAX, a, &count, &devices);
	const struct multi_guide *g = multi_guide_find(m, class, n, MULTI_TABLE);

	if (count)
		return (struct multi_answer){
			stat_median(v, count, a), MULTI_CLASS,
			say(a, "multi-from.class",
			    (const struct say_arg[]){ say_count("cells", count),
						      say_count("cards", devices), say_end() })
		};
	if (g)
		return (struct multi_answer){
			g->low, MULTI_GUIDE,
			say(a, "multi-from.guide",
			    (const struct say_arg[]){ say_name("source", g->source), say_end() })
		};
	return (struct multi_answer){ NAN, MULTI_NONE, say(a, "multi-note.none", NULL) };
}

/* Recurrent networks gain what convolutional ones do or less (the guide, 2019): a median of other
 * cards' rows that says more is not passed on. */
static struct multi_answer rnn_answer(const struct multi *m, enum class_id class, int n,
				      struct arena *a)
{
	struct multi_answer own = class_answer(m, class, n, a),
			    cnn = class_answer(m, CLASS_CNN, n, a);

	if (isnan(cnn.speedup) || own.speedup <= cnn.speedup)
		return own;
	cnn.reason = say(a, "multi-from.at_most_cnn",
			 (const struct say_arg[]){ say_put("why", cnn.reason), say_end() });
	return cnn;
}

struct multi_answer multi_speedup(const struct multi *m, enum class_id class, size_t device, int n,
				  enum multi_mode mode, struct arena *a)
{
	bool rnn = class == CLASS_RNN_WORD || class == CLASS_RNN_CHAR;

	if (mode == MULTI_INDEPENDENT)
		return (struct multi_answer){ n, MULTI_OWN, say(a, "multi-from.independent", NULL) };
	if (n == 1)
		return (struct multi_answer){ 1, MULTI_OWN, say(a, "multi-from.one_card", NULL) };
	struct multi_answer own = own_answer(m, class, device, n, a);
	if (own.origin != MULTI_NONE)
		return own;
	return rnn ? rnn_answer(m, class, n, a) : class_answer(m, class, n, a);
}
