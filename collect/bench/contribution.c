#include "contribution.h"

#include "../../base/lock.h"
#include "../../base/num.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *const row_columns[] = {
	"machine",   "date",       "device", "device_count", "class", "workload",
	"precision", "batch_size", "metric", "value",        "unit",  "framework",
	"driver",    "repeat",     "source", NULL,
};
static const char *const result_columns[] = {
	"workload",
	"precision",
	"status",
	"batch_size",
	"unit",
	"rate",
	"mode",
	"n",
	"median_s",
	"p10_s",
	"p90_s",
	"low_s",
	"high_s",
	"plain_median_s",
	"graph_median_s",
	"flop_per_step",
	"bytes_per_step",
	"memory_bytes",
	"bound_s",
	"roofline_share",
	"peak_tflops",
	"bandwidth_gbs",
	"peak_share",
	"verified_batch",
	"worst_error_of_tolerance",
	"worst_operation",
	"warm_up_steps",
	"retries",
	"cpu_share",
	"switches_per_s",
	"device_s",
	"host_s",
	"power_w",
	"energy_j_per_step",
	"sm_mhz",
	"temperature_c",
	"throttle_bits",
	"sustained_median_s",
	"marks",
	"detail",
	"message",
	NULL,
};
static const char *const check_columns[] = {
	"workload", "precision",     "verified_batch", "operation", "operations",
	"elements", "largest_error", "tolerance",      "worst",     NULL,
};
static const char *const step_columns[] = {
	"workload", "precision", "mode", "step", "seconds", NULL
};
static const char *const system_columns[] = { "key", "value", NULL };

static struct str stem_of(struct str path)
{
	return str_ends(path, STR(".csv")) ? str_slice(path, 0, path.len - 4) : path;
}

static bool make_folders(struct str path, struct arena *a, struct error *err)
{
	for (size_t i = 1; i < path.len; i++) {
		if (path.p[i] != '/')
			continue;
		const char *folder = str_c(a, str_slice(path, 0, i));
		if (mkdir(folder, 0777) != 0 && errno != EEXIST)
			return error_errno(err, folder);
	}
	return true;
}

static bool finished(const struct table *results, struct str workload, struct str precision)
{
	/* what another time may come to an end */
	static const struct str open[] = { STR_INIT("failed"), STR_INIT("device-lost"),
					    STR_INIT("unverified") };
	bool found = false;

	for (size_t i = 0; i < results->n; i++) {
		const struct table_row *r = &results->rows[i];
		if (!str_eq(table_get(results, r, "workload"), workload)
		    || !str_eq(table_get(results, r, "precision"), precision))
			continue;
		found = true;
		for (size_t k = 0; k < LEN(open); k++)
			if (str_eq(table_get(results, r, "status"), open[k]))
				return false;
	}
	return found;
}

/* Rows of what was not brought to an end: killed between two files, or failed. */
static void drop_unfinished(struct table *t, const struct table *results)
{
	size_t kept = 0;

	for (size_t i = 0; i < t->n; i++)
		if (finished(results, table_get(t, &t->rows[i], "workload"),
			     table_get(t, &t->rows[i], "precision")))
			t->rows[kept++] = t->rows[i];
	t->n = kept;
}

static const char *beside(struct arena *a, struct str stem, const char *ending)
{
	return str_printf(a, STR_FMT "%s", STR_ARG(stem), ending).p;
}

/* The file anew, with what is kept of it; from here on it is appended to, out of memory of its
 * own. */
static bool start_steps(struct contribution *c, struct error *err)
{
	bool good = table_write(&c->steps, err);

	c->steps = table_make(&c->scratch, c->steps.path, step_columns);
	return good;
}

static struct str fact(const struct table *t, struct str key)
{
	for (size_t i = 0; i < t->n; i++)
		if (str_eq(table_get(t, &t->rows[i], "key"), key))
			return table_get(t, &t->rows[i], "value");
	return STR("");
}

/* Whether the file's rows are of the same program, machine and kind of run as those to come. */
static bool same_run(const struct contribution *c, const struct table *now, struct error *err)
{
	static const struct str keys[] = { STR_INIT("program"),   STR_INIT("machine"),
					   STR_INIT("device"),    STR_INIT("devices"),
					   STR_INIT("framework"), STR_INIT("driver"),
					   STR_INIT("run") };

	for (size_t i = 0; c->rows.n + c->results.n > 0 && i < LEN(keys); i++) {
		struct str was = fact(&c->system, keys[i]), is = fact(now, keys[i]);
		if (was.len == 0 && is.len > 0)
			return error_set(err, ERR_USAGE,
					 "%s: of which " STR_FMT
					 " it is, %s does not say; -o names another file",
					 c->rows.path, STR_ARG(keys[i]), c->system.path);
		if (!str_eq(was, is))
			return error_set(err, ERR_USAGE,
					 "%s: is of " STR_FMT " '" STR_FMT
					 "' by %s, here it is '" STR_FMT "'; -o names another file",
					 c->rows.path, STR_ARG(keys[i]), STR_ARG(was),
					 c->system.path, STR_ARG(is));
	}
	return true;
}

static bool read_back(struct contribution *c, const struct table *system, struct error *err)
{
	if (!table_read(&c->rows, err) || !table_read(&c->results, err)
	    || !table_read(&c->system, err) || !same_run(c, system, err)
	    || !table_read(&c->checks, err) || !table_read(&c->steps, err))
		return false;
	drop_unfinished(&c->rows, &c->results);
	drop_unfinished(&c->checks, &c->results);
	drop_unfinished(&c->steps, &c->results);
	drop_unfinished(&c->results, &c->results);
	return true;
}

static struct table system_table(struct arena *a, const char *path, const struct system *s)
{
	struct table t = table_make(a, path, system_columns);

	for (size_t i = 0; i < s->n; i++) {
		struct table_row *r = table_add(&t);
		table_set(&t, r, "key", s->facts[i].key);
		table_set(&t, r, "value", s->facts[i].value);
	}
	return t;
}

static struct contribution tables(const char *path, struct arena *a)
{
	struct str stem = stem_of(str_of(path));

	return (struct contribution){
		.arena = a,
		.rows = table_make(a, path, row_columns),
		.results = table_make(a, beside(a, stem, ".results.txt"), result_columns),
		.checks = table_make(a, beside(a, stem, ".checks.txt"), check_columns),
		.steps = table_make(a, beside(a, stem, ".steps.txt"), step_columns),
		.system = table_make(a, beside(a, stem, ".system.txt"), system_columns),
	};
}

bool contribution_open(const char *path, bool resume, const struct system *system, struct arena *a,
		       struct contribution *out, struct error *err)
{
	bool taken;

	*out = tables(path, a);
	struct table now = system_table(a, out->system.path, system);
	if (!resume && access(path, F_OK) == 0)
		return error_set(
		    err, ERR_USAGE,
		    "%s: there is such a file; --resume goes on from it, -o names another", path);
	if (!make_folders(str_of(path), a, err)
	    || !lock_take(beside(a, stem_of(str_of(path)), ".lock"), &taken, err))
		return false;
	out->held = !taken;
	out->locked = taken;
	if (out->held)
		return true;
	if (resume && !read_back(out, &now, err))
		return false;
	out->system = now;
	return start_steps(out, err) && contribution_write(out, err);
}

bool contribution_has(const struct contribution *c, struct str name, enum precision p)
{
	return finished(&c->results, name, precision_name(p));
}

static struct str marks_of(struct contribution *c, const struct measurement *m)
{
	return steady_marks(m->plain.marks | (m->has_graph ? m->graph.marks : 0)
			    | (m->has_sustained ? m->sustained.marks : 0), c->arena);
}

static struct table_row *add_row(struct contribution *c, const struct bench *b,
				 const struct workload *w, struct str name, enum precision p,
				 const struct measurement *m)
{
	struct table *t = &c->rows;
	struct table_row *r = table_add(t);
	struct str marks = marks_of(c, m);
	bool micro = w->kind == WORKLOAD_MICRO && w->batch == 1;

	table_set(t, r, "machine", c->machine);
	table_set(t, r, "date", c->date);
	table_set(t, r, "device", str_of(b->info.name));
	table_set_num(t, r, "device_count", w->devices > 1 ? b->info.device_count : 1);
	table_set(t, r, "class", w->class);
	table_set(t, r, "workload", name);
	table_set(t, r, "precision", precision_name(p));
	if (!micro)
		table_set_num(t, r, "batch_size", (double)m->batch_size);
	table_set(t, r, "framework", str_of(b->info.framework));
	table_set(t, r, "driver", str_of(b->info.driver));
	table_set(t, r, "repeat", STR("1"));
	table_set(t, r, "source",
		  marks.len ? str_printf(c->arena, STR_FMT "; " STR_FMT, STR_ARG(c->source),
					 STR_ARG(marks))
			    : c->source);
	return r;
}

static void add_value(struct contribution *c, const struct bench *b, const struct workload *w,
		      struct str name, enum precision p, const struct measurement *m,
		      const char *metric, double value, struct str unit)
{
	if (!(value > 0))
		return;
	struct table_row *r = add_row(c, b, w, name, p, m);
	table_set(&c->rows, r, "metric", str_of(metric));
	table_set_num(&c->rows, r, "value", value);
	table_set(&c->rows, r, "unit", unit);
}

/* "images/s" to "J/image". */
static struct str energy_unit(struct contribution *c, struct str unit)
{
	struct str what = str_slice(unit, 0, unit.len - 3);

	return str_printf(c->arena, "J/" STR_FMT, STR_ARG(what));
}

static const struct steady *faster(const struct measurement *m)
{
	return m->has_graph && m->graph.stats.median < m->plain.stats.median ? &m->graph
									     : &m->plain;
}

static void add_network(struct contribution *c, const struct bench *b, const struct workload *w,
			struct str name, enum precision p, const struct measurement *m)
{
	const struct steady *s = faster(m);
	double samples = (double)m->samples;

	add_value(c, b, w, name, p, m, "throughput", m->rate, w->unit);
	if (m->has_graph) {
		add_value(c, b, w, name, p, m, "throughput-plain", samples / m->plain.stats.median,
			  w->unit);
		add_value(c, b, w, name, p, m, "throughput-graph", samples / m->graph.stats.median,
			  w->unit);
	}
	if (m->has_sustained)
		add_value(c, b, w, name, p, m, "throughput-sustained",
			  samples / m->sustained.stats.median, w->unit);
	add_value(c, b, w, name, p, m, "power", s->power_w, STR("W"));
	add_value(c, b, w, name, p, m, "energy",
		  s->energy_j / ((double)s->n * s->operations * samples), energy_unit(c, w->unit));
}

static void add_micro(struct contribution *c, const struct bench *b, const struct workload *w,
		      struct str name, enum precision p, const struct measurement *m)
{
	add_value(c, b, w, name, p, m, w->metric.p, m->rate, w->unit);
	if (str_eq(w->metric, STR("tflops")))
		add_value(c, b, w, name, p, m, "time", m->plain.stats.median * 1e3, STR("ms"));
}

static void add_memory_fact(struct contribution *c, const struct bench *b, const struct workload *w,
			    struct str name, enum precision p, const struct measurement *m)
{
	struct table_row *r = add_row(c, b, w, name, p, m);

	table_set(&c->rows, r, "metric", w->metric);
	table_set(&c->rows, r, "value", STR("0"));
	table_set(&c->rows, r, "batch_size", STR("0"));
	table_set(&c->rows, r, "unit", w->unit);
}

static void add_times(struct contribution *c, struct table_row *r, const struct measurement *m)
{
	struct table *t = &c->results;
	const struct steady *s = faster(m);
	const struct { const char *column; double v;
	} cells[] = {
		{ "rate", m->rate },
		{ "n", (double)s->n },
		{ "median_s", s->stats.median },
		{ "p10_s", s->stats.p10 },
		{ "p90_s", s->stats.p90 },
		{ "low_s", s->stats.low },
		{ "high_s", s->stats.high },
		{ "plain_median_s", m->plain.stats.median },
		{ "graph_median_s", m->has_graph ? m->graph.stats.median : (double)NAN },
		{ "warm_up_steps", s->warm_steps },
		{ "retries", s->retries },
		{ "cpu_share", s->cpu_share },
		{ "switches_per_s", s->switches_per_s },
		{ "device_s", s->device_s },
		{ "host_s", s->wall_s },
		{ "power_w", s->power_w },
		{ "energy_j_per_step", s->energy_j / ((double)s->n * s->operations) },
		{ "sm_mhz", s->sm_mhz },
		{ "temperature_c", s->temperature_c },
		{ "throttle_bits", s->sampled ? (double)s->throttle : (double)NAN },
		{ "sustained_median_s",
		  m->has_sustained ? m->sustained.stats.median : (double)NAN },
		{ "roofline_share", m->share },
		{ "bound_s", m->bound_s },
		{ "peak_tflops", m->peak * 1e-12 },
		{ "bandwidth_gbs", m->bandwidth * 1e-9 },
		{ "peak_share", m->cost.matrix_flop > 0
				    ? m->cost.matrix_flop / s->stats.median / m->peak
				    : (double)NAN },
	};

	table_set(t, r, "mode", s == &m->graph ? STR("graph") : STR("plain"));
	for (size_t i = 0; i < LEN(cells); i++)
		table_set_num(t, r, cells[i].column, cells[i].v);
	table_set(t, r, "marks", marks_of(c, m));
}

static void add_result(struct contribution *c, const struct workload *w, struct str name,
		       enum precision p, const struct measurement *m)
{
	struct table *t = &c->results;
	struct table_row *r = table_add(t);

	table_set(t, r, "workload", name);
	table_set(t, r, "precision", precision_name(p));
	table_set(t, r, "status", measure_status_name(m->status));
	table_set_num(t, r, "batch_size", (double)m->batch_size);
	table_set(t, r, "unit", w->unit);
	table_set_num(t, r, "flop_per_step", m->cost.matrix_flop);
	table_set_num(t, r, "bytes_per_step", m->cost.bytes);
	table_set_num(t, r, "memory_bytes", m->bytes_needed);
	if (m->verify.nkinds) {
		table_set_num(t, r, "verified_batch", (double)m->verified_batch);
		table_set_num(t, r, "worst_error_of_tolerance", m->verify.error);
		table_set(t, r, "worst_operation", m->verify.worst);
	}
	if (m->status == MEASURE_DONE)
		add_times(c, r, m);
	table_set(t, r, "detail", str_of(m->detail));
	table_set(t, r, "message", str_of(m->message));
}

static void add_checks(struct contribution *c, struct str name, enum precision p,
		       const struct measurement *m)
{
	for (int i = 0; i < m->verify.nkinds; i++) {
		const struct verify_kind *k = &m->verify.kinds[i];
		struct table_row *r = table_add(&c->checks);
		table_set(&c->checks, r, "workload", name);
		table_set(&c->checks, r, "precision", precision_name(p));
		table_set_num(&c->checks, r, "verified_batch", (double)m->verified_batch);
		table_set(&c->checks, r, "operation", op_kind_name(k->kind));
		table_set_num(&c->checks, r, "operations", k->checked);
		table_set_num(&c->checks, r, "elements", (double)k->elements);
		table_set_num(&c->checks, r, "largest_error", k->error);
		table_set_num(&c->checks, r, "tolerance", k->tolerance);
		table_set(&c->checks, r, "worst", k->worst);
	}
}

enum { STEPS_KEPT = 5000 };

static void add_steps(struct contribution *c, struct str name, enum precision p, const char *mode,
		      const struct steady *s)
{
	for (size_t i = 0; i < s->n && i < STEPS_KEPT; i++) {
		struct table_row *r = table_add(&c->steps);
		table_set(&c->steps, r, "workload", name);
		table_set(&c->steps, r, "precision", precision_name(p));
		table_set(&c->steps, r, "mode", str_of(mode));
		table_set_num(&c->steps, r, "step", (double)i + 1);
		table_set_num(&c->steps, r, "seconds", s->seconds[i]);
	}
}

void contribution_add(struct contribution *c, const struct bench *b, const struct workload *w,
		      struct str name, enum precision p, const struct measurement *m,
		      bool contributes)
{
	add_result(c, w, name, p, m);
	add_checks(c, name, p, m);
	if (m->status == MEASURE_DONE) {
		add_steps(c, name, p, "plain", &m->plain);
		if (m->has_graph)
			add_steps(c, name, p, "graph", &m->graph);
		if (m->has_sustained)
			add_steps(c, name, p, "sustained", &m->sustained);
	}
	if (!contributes)
		return;
	if (m->status == MEASURE_DID_NOT_FIT)
		add_memory_fact(c, b, w, name, p, m);
	else if (m->status == MEASURE_DONE && w->kind == WORKLOAD_STEP)
		add_network(c, b, w, name, p, m);
	else if (m->status == MEASURE_DONE)
		add_micro(c, b, w, name, p, m);
}

/* The contribution last: whatever it has stands in the results too. */
bool contribution_write(struct contribution *c, struct error *err)
{
	bool good = table_append(&c->steps, err);

	arena_free(&c->scratch);
	c->steps = table_make(&c->scratch, c->steps.path, step_columns);
	return good && table_write(&c->system, err) && table_write(&c->checks, err)
	       && table_write(&c->results, err) && table_write(&c->rows, err);
}

void contribution_close(struct contribution *c)
{
	if (c->locked) /* ours until now; the kernel drops it with the process in any case */
		unlink(beside(c->arena, stem_of(str_of(c->rows.path)), ".lock"));
	arena_free(&c->scratch);
}
