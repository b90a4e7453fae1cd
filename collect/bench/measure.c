#include "measure.h"

#include "host_memory.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double slack = 1.05;
/* Buffers of a single operation that turn by turn are more than this many caches, so that none is
 * found in one. */
enum { CACHES = 4, COPIES_MAX = 4096, QUICK_BATCH = 2, RECURRENT_BATCH = 8 };
static const double cache_unknown = 64e6, sample_s = 0.02, quick_sample_s = 0.005, fits_share = 0.9;
/* What the program wants of the host beside the values that it verifies, bytes. */
static const double host_rest = 256e6;

static const struct str status_names[] = {
	[MEASURE_DONE] = STR_INIT("done"),
	[MEASURE_VERIFIED] = STR_INIT("verified"),
	[MEASURE_DID_NOT_FIT] = STR_INIT("did-not-fit"),
	[MEASURE_UNSUPPORTED] = STR_INIT("unsupported"),
	[MEASURE_UNVERIFIED] = STR_INIT("unverified"),
	[MEASURE_WRONG] = STR_INIT("wrong-result"),
	[MEASURE_REFUSED] = STR_INIT("above-roofline"),
	[MEASURE_FAILED] = STR_INIT("failed"),
	[MEASURE_LOST] = STR_INIT("device-lost"),
};

static const struct steady_rules full_rules = { 3, 30, 10, 40, 30, 5 };
static const struct steady_rules quick_rules = { 0.3, 3, 0.7, 10, 11, 2 };
static const double sustained_s = 60;

struct str measure_status_name(enum measure_status s)
{
	return status_names[s];
}

struct bench bench_make(const struct backend *b, struct device *d, const struct device_info *info,
			bool quick, struct arena *a)
{
	struct bench out = { .backend = b,
			     .device = d,
			     .info = *info,
			     .quick = quick,
			     .bandwidth = (double)NAN,
			     .host_bytes = (double)NAN,
			     .rules = quick ? quick_rules : full_rules,
			     .workloads = workload_all(a) };

	for (int i = 0; i < PRECISIONS; i++)
		out.peak[i] = (double)NAN;
	return out;
}

double measure_peak(const struct bench *b, enum precision p)
{
	return fmax(b->peak[p], b->info.peak[p]); /* fmax passes NAN over */
}

double measure_bandwidth(const struct bench *b)
{
	return fmax(b->bandwidth, b->info.bandwidth);
}

/* What is run: a loaded plan, as steps or as one operation. */
struct subject {
	const struct bench *bench;
	struct loaded *loaded;
	const struct workload *workload;
	bool graph;
	int times, copies;
};

static bool run_steps(void *ctx, int n, double *seconds, double *wall_s, struct bench_error *err)
{
	struct subject *s = ctx;

	return s->bench->backend->run_steps(s->loaded, n, s->graph, seconds, wall_s, err);
}

/* A sample is `times` operations together: one alone is often below what clocks can tell. */
static bool run_micro(void *ctx, int n, double *seconds, double *wall_s, struct bench_error *err)
{
	struct subject *s = ctx;
	double total;

	*wall_s = 0;
	for (int i = 0; i < n; i++) {
		if (!s->bench->backend->run_micro(s->loaded, 0, s->times, s->copies, &total, err))
			return false;
		seconds[i] = total;
		*wall_s += total;
	}
	return true;
}

/* From times of samples to times of one operation. Warm-up and window go by samples: what takes
 * microseconds would otherwise need a million of them until its seconds are full. */
static void per_operation(struct steady *m, int times, struct arena *a)
{
	for (size_t i = 0; i < m->n; i++)
		m->seconds[i] /= times;
	m->stats = stats_of(m->seconds, m->n, a);
	m->operations = times;
}

static bool choose_times(struct subject *s, const struct plan *p, struct bench_error *err)
{
	double l2 = isfinite(s->bench->info.l2_bytes) ? s->bench->info.l2_bytes : cache_unknown;
	double want = s->bench->quick ? quick_sample_s : sample_s, once;
	double sets = ceil(CACHES * l2 / plan_bytes(p));

	s->copies = sets > COPIES_MAX ? COPIES_MAX : sets > 1 ? (int)sets : 1;
	if (!s->bench->backend->run_micro(s->loaded, 0, 1, s->copies, &once, err)
	    || !s->bench->backend->run_micro(s->loaded, 0, 1, s->copies, &once, err))
		return false;
	double times = want / (once > 1e-9 ? once : 1e-9);
	s->times = times > 10000 ? 10000 : times > 1 ? (int)times : 1;
	return true;
}

static enum measure_status status_of(const struct bench_error *err)
{
	static const enum measure_status by_code[] = {
		[BENCH_OK] = MEASURE_FAILED, [BENCH_UNSUPPORTED] = MEASURE_UNSUPPORTED,
		[BENCH_NO_MEMORY] = MEASURE_DID_NOT_FIT, [BENCH_FAILED] = MEASURE_FAILED,
		[BENCH_LOST] = MEASURE_LOST,
	};

	return by_code[err->code];
}

static void give_up(struct measurement *m, enum measure_status status,
		    const struct bench_error *err)
{
	m->status = status;
	snprintf(m->message, sizeof m->message, "%s", err->msg);
}

static bool is_recurrent(const struct plan *p)
{
	for (int i = 0; i < p->nops; i++)
		if (p->ops[i].kind == OP_LSTM_BWD)
			return true;
	return false;
}

/* The batch that the reference can follow, at most the rule's: smaller in a quick run, and where a
 * recurrence runs over every sequence. A single operation is verified as it is timed: the backend
 * may choose how to do it by the batch. */
static long verified_batch(const struct bench *b, const struct workload *w, const struct plan *p)
{
	if (w->kind == WORKLOAD_MICRO)
		return p->batch_size;
	long most = b->quick ? QUICK_BATCH : is_recurrent(p) ? RECURRENT_BATCH : w->batch;

	return p->batch_size < most ? p->batch_size : most;
}

/* Asked before anything is taken: a system that promises more than it has ends the program
 * later. */
static bool room_to_verify(const struct bench *b, const struct plan *p, struct measurement *m)
{
	double want = verify_host_bytes(p) + host_rest;
	double have = isnan(b->host_bytes) ? host_memory_available() : b->host_bytes;

	if (want <= have)
		return true;
	m->status = MEASURE_UNVERIFIED;
	snprintf(m->message, sizeof m->message,
		 "its verification wants %.1f GB of host memory, %.1f GB are free", want * 1e-9,
		 have * 1e-9);
	return false;
}

/* On the plan itself where it is small enough, else on the same network with fewer samples. */
static bool verify(struct bench *b, struct loaded *l, const struct plan *p, struct arena *a,
		   struct measurement *m)
{
	struct bench_error err = { 0 };

	if (!room_to_verify(b, p, m))
		return false;
	m->verified_batch = p->batch_size;
	bool good = verify_plan(b->backend, l, p, b->info.device_count, a, &m->verify, &err);
	if (!good)
		give_up(m, m->verify.wrong ? MEASURE_WRONG : status_of(&err), &err);
	return good;
}

static bool verify_smaller(struct bench *b, const struct workload *w, enum precision p, long batch,
			   struct arena *a, struct measurement *m)
{
	struct plan small = workload_plan(w, p, batch, a);
	struct bench_error err = { 0 };
	struct loaded *l = b->backend->load(b->device, &small, &err);

	if (!l) {
		give_up(m, status_of(&err), &err);
		return false;
	}
	bool good = verify(b, l, &small, a, m);
	b->backend->unload(l);
	return good;
}

/* Measured for less time than the rules want: by --quick or --seconds. */
static bool is_short(const struct bench *b)
{
	return b->quick || b->rules.least_s < full_rules.least_s;
}

static bool time_steps(struct bench *b, struct loaded *l, const struct workload *w, struct arena *a,
		       struct measurement *m, struct bench_error *err)
{
	struct subject s = { .bench = b, .loaded = l, .workload = w };
	struct steady_source source = { run_steps, &s, b->backend, b->device, b->info.threads };

	if (!steady_measure(&source, &b->rules, a, &m->plain, err))
		return false;
	s.graph = true;
	m->has_graph = steady_measure(&source, &b->rules, a, &m->graph, err);
	if (!m->has_graph && err->code != BENCH_UNSUPPORTED)
		return false;
	/* what takes seconds a step has warmed the device already */
	if (!w->sustained || is_short(b) || m->plain.warm_s + m->plain.wall_s >= sustained_s)
		return true;
	struct steady_rules hot = b->rules;
	hot.warm_s = hot.warm_max_s = sustained_s;
	s.graph = m->has_graph && m->graph.stats.median < m->plain.stats.median;
	m->has_sustained = steady_measure(&source, &hot, a, &m->sustained, err);
	return m->has_sustained;
}

static bool time_micro(struct bench *b, struct loaded *l, const struct workload *w,
		       const struct plan *p, struct arena *a, struct measurement *m,
		       struct bench_error *err)
{
	struct subject s = { .bench = b, .loaded = l, .workload = w };
	struct steady_source source = { run_micro, &s, b->backend, b->device, b->info.threads };
	struct steady_rules rules = b->rules;

	/* there are a hundred of them: a tenth of the time of a network each */
	rules.warm_s /= 10;
	rules.warm_max_s /= 10;
	rules.least_s /= 10;
	rules.most_s /= 4;
	if (!choose_times(&s, p, err) || !steady_measure(&source, &rules, a, &m->plain, err))
		return false;
	per_operation(&m->plain, s.times, a);
	return true;
}

/* Bytes that count for a rate: of an all-reduce what every link carries. */
static double units_of(const struct bench *b, const struct workload *w, const struct plan *p,
		       const struct cost *c)
{
	double n = b->info.device_count;

	if (w->kind == WORKLOAD_STEP)
		return (double)p->samples / w->per_unit;
	if (p->ops[0].kind == OP_ALLREDUCE)
		return c->bytes * 2 * (n - 1) / n / w->per_unit;
	return (c->matrix_flop > 0 ? c->matrix_flop : c->bytes) / w->per_unit;
}

/* What a workload shows of the device itself. */
static bool is_product(const struct plan *p)
{
	return p->nops == 1 && p->ops[0].kind == OP_GEMM;
}

static bool is_stream(const struct plan *p)
{
	return p->nops == 1 && p->ops[0].kind == OP_STREAM;
}

/* Transfers and all-reduce run over links of which nothing is known. */
static bool is_link(const struct plan *p)
{
	return p->nops == 1 && (p->ops[0].kind == OP_TRANSFER || p->ops[0].kind == OP_ALLREDUCE);
}

/* A rate above what the device is said to have is a fault, and no measure for others. */
static void learn(struct bench *b, const struct plan *p, const struct cost *c, double seconds)
{
	double *best = is_product(p) ? &b->peak[p->precision] : is_stream(p) ? &b->bandwidth : NULL;
	double said = is_product(p) ? b->info.peak[p->precision] : b->info.bandwidth;
	double rate = (is_product(p) ? c->matrix_flop : c->bytes) / seconds;

	if (best && !(rate > slack * said)) /* said may be NAN: not known */
		*best = fmax(*best, rate);
}

static bool run_probe(struct bench *b, const struct workload *w, enum precision p)
{
	struct arena a = { 0 };
	struct plan plan = workload_plan(w, p, 0, &a);
	struct bench_error err = { 0 };
	struct loaded *l = b->backend->load(b->device, &plan, &err);
	struct measurement m = { 0 };
	bool good = l && verify_fill(b->backend, l, &plan, &err);
	struct bench probe = *b;
	struct cost c = plan_cost(&plan);

	probe.rules = quick_rules;
	good = good && time_micro(&probe, l, w, &plan, &a, &m, &err);
	if (l)
		b->backend->unload(l);
	if (good)
		learn(b, &plan, &c, m.plain.stats.median);
	arena_free(&a);
	return good;
}

/* Products of two sizes and three streams, where this run has not measured any. again: also where
 * it has. */
static void probe(struct bench *b, enum precision p, bool again)
{
	static const struct str products[] = { STR_INIT("gemm-2048x2048x2048"),
					       STR_INIT("gemm-4096x4096x4096") };
	static const struct str streams[] = { STR_INIT("memory-copy"), STR_INIT("memory-triad"),
					      STR_INIT("memory-read") };

	for (size_t i = 0; i < b->workloads.n; i++) {
		const struct workload *w = &b->workloads.v[i];
		for (size_t k = 0; k < LEN(products) && (again || isnan(b->peak[p]) || k); k++)
			if (str_eq(products[k], w->name))
				run_probe(b, w, p);
		for (size_t k = 0; k < LEN(streams) && (again || isnan(b->bandwidth) || k); k++)
			if (str_eq(streams[k], w->name))
				run_probe(b, w, PRECISION_FP32);
	}
}

/* The least time by what the device is known to do. A product is held against the peak that the
 * device is said to have (it makes the measured one itself), a stream likewise. */
static void judge(const struct bench *b, const struct plan *p, struct measurement *m)
{
	m->peak = is_product(p) ? b->info.peak[p->precision] : measure_peak(b, p->precision);
	m->bandwidth = is_stream(p) ? b->info.bandwidth : measure_bandwidth(b);
	bool known = is_stream(p) ? isfinite(m->bandwidth) : isfinite(m->peak);
	/* of products nothing may be known but the peak: then bytes take no time */
	m->bound_s = is_link(p) || !known
			 ? (double)NAN
			 : plan_bound(p, m->peak, isnan(m->bandwidth) ? INFINITY : m->bandwidth);
}

static double step_s(const struct measurement *m)
{
	return m->has_graph ? fmin(m->plain.stats.median, m->graph.stats.median)
			    : m->plain.stats.median;
}

static void conclude(struct bench *b, const struct workload *w, const struct plan *p,
		     struct measurement *m)
{
	bool network = !is_product(p) && !is_stream(p) && !is_link(p);

	if (network && (isnan(b->peak[p->precision]) || isnan(b->bandwidth)))
		probe(b, p->precision, false);
	judge(b, p, m);
	if (network
	    && m->bound_s > slack * step_s(m)) { /* perhaps the peaks were taken in a bad moment */
		probe(b, p->precision, true);
		judge(b, p, m);
	}
	m->share = m->bound_s / step_s(m);
	m->rate = units_of(b, w, p, &m->cost) / step_s(m);
	if (m->share > slack) {
		m->status = MEASURE_REFUSED;
		snprintf(m->message, sizeof m->message,
			 "%.4g ms a step is %.0f %% of what %.4g TFLOP/s and %.4g GB/s allow (at "
			 "most 105 %% is believed): "
			 "clocks, or work left out",
			 step_s(m) * 1e3, m->share * 100, m->peak * 1e-12, m->bandwidth * 1e-9);
		return;
	}
	m->status = MEASURE_DONE;
	learn(b, p, &m->cost, step_s(m));
}

static void run_loaded(struct bench *b, const struct workload *w, struct loaded *l,
		       const struct plan *p, struct arena *a, struct measurement *m)
{
	struct bench_error err = { 0 };
	bool verified = m->verified_batch != 0; /* on a smaller plan */

	snprintf(m->detail, sizeof m->detail, "%s", b->backend->op_detail(l, 0));
	if (b->backend->hollow || verified) {
		if (!b->backend->hollow && !b->verify_only
		    && !verify_fill(b->backend, l, p, &err)) {
			give_up(m, status_of(&err), &err);
			return;
		}
	} else if (!verify(b, l, p, a, m)) {
		return;
	}
	m->status = MEASURE_VERIFIED;
	if (b->verify_only)
		return;
	bool good = w->kind == WORKLOAD_STEP ? time_steps(b, l, w, a, m, &err)
					      : time_micro(b, l, w, p, a, m, &err);
	if (good)
		conclude(b, w, p, m);
	else
		give_up(m, status_of(&err), &err);
	if (is_short(b)) {
		m->plain.marks |= MARK_QUICK;
		m->graph.marks |= MARK_QUICK;
	}
}

struct measurement measure_workload(struct bench *b, const struct workload *w, enum precision p,
				    long batch, struct arena *a)
{
	struct plan plan = workload_plan(w, p, batch, a);
	struct measurement m = { .cost = plan_cost(&plan), .bytes_needed = plan_bytes(&plan),
				 .batch_size = plan.batch_size, .samples = plan.samples,
				 .share = (double)NAN, .bound_s = (double)NAN };
	struct bench_error err = { 0 };
	long small = verified_batch(b, w, &plan);

	if (w->devices > b->info.device_count) {
		bench_fail(&err, BENCH_UNSUPPORTED, "%d devices are needed, here %s %d", w->devices,
			   b->info.device_count == 1 ? "is" : "are", b->info.device_count);
		give_up(&m, MEASURE_UNSUPPORTED, &err);
		return m;
	}
	if (!b->backend->hollow && small < plan.batch_size
	    && !verify_smaller(b, w, p, small, a, &m))
		return m;
	if (b->verify_only && m.verified_batch) {
		m.status = MEASURE_VERIFIED;
		return m;
	}
	struct loaded *l = b->backend->load(b->device, &plan, &err);
	if (!l) {
		give_up(&m, status_of(&err), &err);
		return m;
	}
	run_loaded(b, w, l, &plan, a, &m);
	b->backend->unload(l);
	return m;
}

long measure_largest_batch(const struct bench *b, const struct workload *w, enum precision p)
{
	long largest = 0;

	for (long batch = 2 * w->batch; isfinite(b->info.memory_bytes) && batch < 1L << 20;
	     batch *= 2) {
		struct arena a = { 0 };
		struct plan plan = workload_plan(w, p, batch, &a);
		bool fits = plan_bytes(&plan) <= fits_share * b->info.memory_bytes;
		arena_free(&a);
		if (!fits)
			break;
		largest = batch;
	}
	return largest;
}
