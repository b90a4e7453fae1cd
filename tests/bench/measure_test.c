/* Statistics, warm-up, verification, refusals: what a row must pass. Backends are the null one and
 * the reference, spoiled on purpose. */
#include "../test.h"
#include "../../collect/bench/interference.h"
#include "../../collect/bench/measure.h"
#include "../../collect/bench/random.h"

#include <stdlib.h>
#include <string.h>

static void test_stats(struct test *t)
{
	struct arena a = { 0 };
	double v[] = { 5, 1, 4, 2, 3 }, same[] = { 2, 2, 2, 2 }, many[101];
	struct stats s = stats_of(v, 5, &a);

	test_ok(t, s.n == 5 && s.median == 3, "median of 1 to 5");
	test_near(t, s.p10, 1.4, 1e-12, "p10 of 1 to 5");
	test_near(t, s.p90, 4.6, 1e-12, "p90 of 1 to 5");
	test_ok(t, s.low >= 1 && s.low <= 3 && s.high >= 3 && s.high <= 5,
		"interval holds the median");
	s = stats_of(same, 4, &a);
	test_ok(t, s.low == 2 && s.high == 2, "equal values: an interval of no width");
	s = stats_of(same, 1, &a);
	test_ok(t, s.median == 2 && s.low == 2 && s.high == 2, "one value");
	/* of 0 to 100 the median's interval is that of order statistics, 50 -+ 1.96 sqrt(101) / 2 =
	 * 40.15 to 59.85 */
	for (int i = 0; i <= 100; i++)
		many[i] = (i * 37) % 101;
	s = stats_of(many, 101, &a);
	test_near(t, s.low, 40.15, 2, "interval, low");
	test_near(t, s.high, 59.85, 2, "interval, high");
	struct stats again = stats_of(many, 101, &a);
	test_ok(t, again.low == s.low && again.high == s.high,
		"the same times give the same interval");
	test_ok(t, !stats_steady(v, 4) && !stats_steady(v, 5), "not steady: four, and 1 to 5");
	test_ok(t, stats_steady((double[]){ 9, 1, 1.005, 1.0099, 1, 1 }, 6),
		"steady: the last five within 1 %");
	test_ok(t, !stats_steady((double[]){ 9, 1, 1.005, 1.011, 1, 1 }, 6), "not steady: 1.1 %");
	arena_free(&a);
}

static void test_interference(struct test *t)
{
	static const struct {
		const char *name;
		struct interference i;
		int threads;
		bool disturbed;
	} cases[] = {
		{ "two threads busy", { 19.9, 10, 10 }, 2, false },
		{ "one of two was taken for a while", { 19.3, 10, 10 }, 2, true },
		{ "21 switches a second and 2 % gone", { 19.6, 10, 210 }, 2, true },
		{ "20 switches a second and 2 % gone", { 19.6, 10, 200 }, 2, false },
		{ "140 switches a second that take nothing", { 19.93, 10, 1400 }, 2, false },
		{ "the work is on a GPU", { 1, 10, 900 }, 0, false },
	};

	for (size_t i = 0; i < LEN(cases); i++)
		test_ok(t,
			interference_disturbed(&cases[i].i, cases[i].threads) == cases[i].disturbed,
			cases[i].name);
}

static void test_random(struct test *t)
{
	enum { N = 100000 };
	static double v[N], w[N];
	struct tensor normal = { .rank = 1, .dim = { N }, .fill = FILL_NORMAL, .scale = 0.5 };
	struct tensor zipf = { .rank = 1, .dim = { N }, .fill = FILL_ZIPF, .range = 10000 };
	struct tensor spread = { .rank = 1, .dim = { 7 }, .fill = FILL_SPREAD, .range = 100 };
	double sum = 0, square = 0, first = 0, largest = 0;

	random_fill(&normal, 3, v);
	random_fill(&normal, 3, w);
	test_ok(t, memcmp(v, w, sizeof v) == 0, "the same seed gives the same bits");
	random_fill(&normal, 4, w);
	test_ok(t, memcmp(v, w, sizeof v) != 0, "another tensor has others");
	for (int i = 0; i < N; i++) {
		sum += v[i];
		square += v[i] * v[i];
	}
	test_near(t, sum / N, 0, 0.005, "normal: mean");
	test_near(t, square / N, 0.25, 0.005, "normal: variance");
	random_fill(&zipf, 3, v);
	for (int i = 0; i < N; i++) {
		first += v[i] == 0;
		largest = fmax(largest, v[i]);
	}
	/* ln 2 / ln 10001 */
	test_near(t, first / N, 0.0753, 0.005, "zipf: share of the first word");
	test_ok(t, largest < 10000 && largest > 9000, "zipf: within the vocabulary");
	random_fill(&spread, 3, v);
	bool distinct = v[0] == 0 && v[6] < 100;
	for (int i = 1; i < 7; i++)
		distinct = distinct && v[i] > v[i - 1] && v[i] == floor(v[i]);
	test_ok(t, distinct, "spread: distinct rows in order");
}

/* A device that is told its times. */
struct script { const double *seconds; int n, at; double host; };

static bool run_script(void *ctx, int n, double *seconds, double *wall_s, struct bench_error *err)
{
	struct script *s = ctx;

	(void)err;
	*wall_s = 0;
	for (int i = 0; i < n; i++) {
		seconds[i] = s->seconds[s->at < s->n - 1 ? s->at++ : s->n - 1];
		*wall_s += seconds[i] * s->host;
	}
	return true;
}

static void test_steady(struct test *t)
{
	static const double falling[] = { 3, 2, 1.5, 1.2, 1.1, 1.05, 1.02, 1, 1, 1, 1, 1, 1 };
	struct arena a = { 0 };
	struct bench_error err = { 0 };
	struct script s = { falling, LEN(falling), 0, 1 };
	const struct backend *b = backend_null();
	struct device *d = b->open(0, &err);
	struct steady_source source = { run_script, &s, b, d, 0 };
	struct steady_rules rules = { 3, 30, 10, 300, 30, 5 };
	struct steady m;

	test_ok(t, steady_measure(&source, &rules, &a, &m, &err) && m.stats.median == 1,
		"warm-up: until it is steady");
	test_ok(t, m.n >= 30 && m.device_s >= 10 && m.marks == 0,
		"at least 30 steps and 10 s, no mark");
	/* times before the last five within 1 %: 3 2 1.5 1.2 1.1 1.05 1.02 are no part of them */
	test_ok(t, m.warm_steps == 12, "12 steps of warm-up");
	s = (struct script){ (double[]){ 1 }, 1, 0, 1.05 };
	test_ok(t, steady_measure(&source, &rules, &a, &m, &err) && m.marks == MARK_CLOCKS,
		"clocks 5 % apart: marked");
	s = (struct script){ (double[]){ 100 }, 1, 0, 1 };
	test_ok(t, steady_measure(&source, &rules, &a, &m, &err) && m.n == 3 && m.marks & MARK_FEW,
		"slow steps: three, and marked");
	setenv("GPUGUIDE_BENCH_NULL", "throttle", 1);
	source.device = b->open(0, &err);
	unsetenv("GPUGUIDE_BENCH_NULL");
	/* windows of 300 s: after the third 900 s have passed, more than twice 300 */
	test_ok(t,
		steady_measure(&source, &rules, &a, &m, &err) && m.retries == 2
		    && m.marks & MARK_THROTTLED,
		"slow and throttled steps: repeated twice, not five times");
	b->close(source.device);
	source.device = d;
	static const double wrong[] = { 0, -1, NAN, INFINITY };
	for (size_t i = 0; i < LEN(wrong); i++) {
		s = (struct script){ &wrong[i], 1, 0, 1 };
		err = (struct bench_error){ 0 };
		test_ok(t,
			!steady_measure(&source, &rules, &a, &m, &err) && err.code == BENCH_FAILED
			    && strstr(err.msg, "the device's clock says") == err.msg,
			"a time that no clock tells");
	}
	s = (struct script){ (double[]){ 1 }, 1, 0, 0 };
	test_ok(t,
		!steady_measure(&source, &rules, &a, &m, &err)
		    && strstr(err.msg, "the host's clock says 0 s"),
		"nor the host's");
	test_str(t, steady_marks(MARK_QUICK | MARK_THROTTLED, &a), STR("quick, throttled"),
		 "marks in words");
	b->close(d);
	arena_free(&a);
}

/* Small plans of the real builders' operations. */
static const struct workload *workload(const struct bench *b, const char *name)
{
	for (size_t i = 0; i < b->workloads.n; i++)
		if (str_eq(b->workloads.v[i].name, str_of(name)))
			return &b->workloads.v[i];
	printf("Bail out! no workload %s\n", name);
	return NULL;
}

/* One measurement on the null device with these options. */
static struct measurement measured(const char *options, const char *name, enum precision p,
				   long batch, bool quick, struct arena *a)
{
	struct bench_error err = { 0 };
	struct device_info info;
	struct measurement m;

	setenv("GPUGUIDE_BENCH_NULL", options, 1);
	const struct backend *b = backend_null();
	struct device *d = b->open(0, &err);
	b->describe(d, &info, &err);
	struct bench bench = bench_make(b, d, &info, quick, a);
	m = measure_workload(&bench, workload(&bench, name), p, batch, a);
	b->close(d);
	return m;
}

static void test_faults(struct test *t)
{
	static const struct {
		const char *name, *options, *workload;
		enum measure_status want;
		const char *message;
	} cases[] = {
		{ "sound", "compute", "gemm-64x2048x512", MEASURE_DONE, "" },
		{ "not a number", "compute,nan", "gemm-64x2048x512", MEASURE_WRONG,
		  "gemm of gemm-64x2048x512: element 65536 of c is not a number" },
		{ "3 % off", "compute,wrong", "gemm-64x2048x512", MEASURE_WRONG,
		  "(at most 0.02 is allowed)" },
		{ "does not fit", "oom", "resnet50", MEASURE_DID_NOT_FIT, "do not fit" },
		{ "another does not fit", "oom=resnet50", "bilstm-word", MEASURE_DONE, "" },
		{ "a launch fails", "fail=bilstm-word", "bilstm-word", MEASURE_FAILED,
		  "null: launch failed" },
		{ "the device is lost", "lost", "memory-copy", MEASURE_LOST,
		  "null: the device is lost" },
		{ "a network too fast", "fast", "bert-base-s128", MEASURE_REFUSED,
		  "(at most 105 % is believed)" },
		{ "a product too fast", "fast", "gemm-4096x4096x4096", MEASURE_REFUSED,
		  "(at most 105 % is believed)" },
		{ "a stream too fast", "fast", "memory-copy", MEASURE_REFUSED,
		  "(at most 105 % is believed)" },
		{ "one device", "", "allreduce-1024-bytes", MEASURE_UNSUPPORTED,
		  "2 devices are needed, here is 1" },
	};

	for (size_t i = 0; i < LEN(cases); i++) {
		struct arena a = { 0 };
		struct measurement m =
		    measured(cases[i].options, cases[i].workload, PRECISION_FP16, 0, true, &a);
		struct str message = str_of(m.message), want = str_of(cases[i].message);
		bool said =
		    want.len == 0 ? message.len == 0 : str_find(message, want, 0) < message.len;
		test_ok(t, m.status == cases[i].want && said, cases[i].name);
		if (m.status != cases[i].want || !said)
			printf("# status %d, '%s'\n", (int)m.status, m.message);
		arena_free(&a);
	}
}

/* Transformer-XL large in bf16 (20.5 GB) fitted into 25 GB, and the kernel ended the program when
 * it was verified. */
static void test_host_memory(struct test *t)
{
	struct arena a = { 0 };
	struct bench_error err = { 0 };
	struct device_info info;

	setenv("GPUGUIDE_BENCH_NULL", "compute", 1);
	const struct backend *b = backend_null();
	struct device *d = b->open(0, &err);
	b->describe(d, &info, &err);
	struct bench bench = bench_make(b, d, &info, true, &a);
	const struct workload *product = workload(&bench, "gemm-4096x4096x4096");
	struct plan plan = workload_plan(product, PRECISION_BF16, 0, &a);
	test_near(t, verify_host_bytes(&plan), 4.5 * 4096 * 4096 * 8, 0,
		  "a product is verified with 4 matrices and half of one on its way");
	plan = workload_plan(workload(&bench, "transformerxl-large"), PRECISION_BF16, 0, &a);
	test_near(t, verify_host_bytes(&plan), 3.44e9, 0.01e9,
		  "Transformer-XL large wants 3.4 GB of the host");
	bench.host_bytes = 0.5e9;
	struct measurement m = measure_workload(&bench, product, PRECISION_BF16, 0, &a);
	test_ok(t, m.status == MEASURE_UNVERIFIED, "no room for the reference's values: not run");
	test_str(t, str_of(m.message),
		 STR("its verification wants 0.9 GB of host memory, 0.5 GB are free"),
		 "and says so");
	b->close(d);
	arena_free(&a);
}

static void test_marks(struct test *t)
{
	static const struct { const char *name, *options; unsigned mark; } cases[] = {
		{ "throttled", "throttle", MARK_THROTTLED },
		{ "host clock 5 % off", "skew", MARK_CLOCKS },
		{ "quick", "", MARK_QUICK },
	};

	for (size_t i = 0; i < LEN(cases); i++) {
		struct arena a = { 0 };
		struct measurement m =
		    measured(cases[i].options, "bilstm-char", PRECISION_FP32, 0, true, &a);
		test_ok(t, m.status == MEASURE_DONE && m.plain.marks & cases[i].mark,
			cases[i].name);
		arena_free(&a);
	}
}

/* The rate is samples by the median step: 1.25 times the bound on the null device, so 80 % of the
 * roofline. */
static void test_rates(struct test *t)
{
	struct arena a = { 0 };
	struct measurement m = measured("power,graph", "bilstm-word", PRECISION_FP16, 0, false, &a);

	test_near(t, m.plain.stats.median / m.bound_s, 1.25, 0.005, "a step is 1.25 of the bound");
	test_ok(t, m.has_graph, "graphs are measured too");
	test_near(t, m.rate * m.graph.stats.median, 64 * 50, 1e-6,
		  "rate of the faster: 64 sequences of 50 tokens");
	test_near(t, m.share, 1 / (1.25 * 0.9), 0.005, "share of the roofline");
	test_near(t, m.plain.energy_j, 250 * m.plain.wall_s, 1, "energy: 250 W by the time");
	test_near(t, m.plain.power_w, 250, 1e-9, "power");
	test_ok(t, m.has_sustained && m.sustained.warm_steps * m.sustained.stats.median > 59,
		"a warm device after 60 s");
	test_near(t, m.sustained.stats.median / m.graph.stats.median, 1, 0.005,
		  "of the faster way");
	test_ok(t, m.plain.retries == 0, "nothing to repeat");
	m = measured("throttle", "bilstm-word", PRECISION_FP16, 0, false, &a);
	test_ok(t, m.plain.retries == 5 && m.plain.marks == MARK_THROTTLED,
		"throttled: repeated five times, then marked");
	m = measured("", "gemm-4096x4096x4096", PRECISION_FP16, 0, false, &a);
	test_near(t, m.rate, 20 / 1.25, 0.1, "a product, TFLOP/s");
	m = measured("power", "gemm-256x256x256", PRECISION_FP16, 0, false, &a);
	/* 2 x 256^3 FLOP in 2.1 us: samples of 20 ms, so 30 of them or a second */
	test_ok(t,
		m.plain.n >= 30 && m.plain.n <= 64 && m.plain.device_s >= 1 && m.plain.device_s < 2,
		"a small product is measured for a second too");
	test_near(t, m.plain.stats.median * m.plain.operations, 0.020, 0.002,
		  "in samples of 20 ms");
	test_near(
	    t, m.plain.energy_j / ((double)m.plain.n * m.plain.operations) / m.plain.stats.median,
	    250, 5, "energy of one: 250 W by its time");
	m = measured("", "memory-triad", PRECISION_FP32, 0, false, &a);
	test_near(t, m.rate, 300 / 1.25, 2, "a triad, GB/s");
	m = measured("drift", "bilstm-word", PRECISION_FP16, 0, false, &a);
	test_ok(t, m.plain.marks & MARK_UNSTEADY,
		"a drift ends the warm-up by time, and is marked");
	arena_free(&a);
}

/* Whole networks of small batch on the reference: every operation against itself, so the plans are
 * sound end to end. */
static void test_verified(struct test *t)
{
	static const struct { const char *name; enum precision p; } cases[] = {
		{ "bilstm-char", PRECISION_FP16 }, { "bilstm-char", PRECISION_FP32 },
	};

	for (size_t i = 0; i < LEN(cases); i++) {
		struct arena a = { 0 };
		struct bench_error err = { 0 };
		const struct backend *b = backend_reference();
		struct device *d = b->open(0, &err);
		struct device_info info;
		b->describe(d, &info, &err);
		struct bench bench = bench_make(b, d, &info, true, &a);
		bench.verify_only = true;
		struct measurement m =
		    measure_workload(&bench, workload(&bench, cases[i].name), cases[i].p, 1, &a);
		test_ok(t,
			m.status == MEASURE_VERIFIED && m.verify.nkinds == 8 && m.verify.error == 0,
			cases[i].name);
		b->close(d);
		arena_free(&a);
	}
}

static void test_largest(struct test *t)
{
	struct arena a = { 0 };
	struct bench_error err = { 0 };
	struct device_info info;
	const struct backend *b = backend_null();
	struct device *d = b->open(0, &err);

	b->describe(d, &info, &err);
	struct bench bench = bench_make(b, d, &info, false, &a);
	const struct workload *w = workload(&bench, "resnet50");
	long batch = measure_largest_batch(&bench, w, PRECISION_FP16);
	struct plan fits = workload_plan(w, PRECISION_FP16, batch, &a),
		    not = workload_plan(w, PRECISION_FP16, 2 * batch, &a);
	test_ok(t,
		plan_bytes(&fits) <= 0.9 * info.memory_bytes
		    && plan_bytes(&not ) > 0.9 * info.memory_bytes,
		"the largest batch fits, twice it does not");
	bench.info.memory_bytes = 1e9;
	test_ok(t, measure_largest_batch(&bench, w, PRECISION_FP16) == 0,
		"1 GB: none but the rule's");
	bench.info.memory_bytes = NAN;
	test_ok(t, measure_largest_batch(&bench, w, PRECISION_FP16) == 0, "memory not known: none");
	b->close(d);
	arena_free(&a);
}

int main(void)
{
	struct test t = { 0 };

	unsetenv("GPUGUIDE_BENCH_NULL");
	test_stats(&t);
	test_interference(&t);
	test_random(&t);
	test_steady(&t);
	test_faults(&t);
	test_host_memory(&t);
	test_marks(&t);
	test_rates(&t);
	test_verified(&t);
	test_largest(&t);
	return test_done(&t);
}
