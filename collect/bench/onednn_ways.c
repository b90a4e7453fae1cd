#include "onednn_ways.h"

#include "onednn_load.h"

#include <math.h>
#include <stdlib.h>

/* A way is timed by RUNS samples of at least sample_s each; by two where these are hopeless. */
enum { RUNS = 7 };
static const double sample_s = 0.02, worth = 0.98, hopeless = 1.5;

struct choice {
	int way; /* -1: none yet */
	double seconds;
	bool failed;
	struct bench_error why; /* of the first that failed */
};

static int ascending(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static bool run_times(struct loaded *l, int times, double *seconds, struct bench_error *err)
{
	double begin = load_clock();

	for (int i = 0; i < times; i++)
		if (!load_run(l, 0, err))
			return false;
	*seconds = (load_clock() - begin) / times;
	return true;
}

/* The first run warms up, the second says how many make a sample. */
static bool time_way(struct loaded *l, double best, double *median, struct bench_error *err)
{
	double v[RUNS] = { 0 }, once;
	int n = 0;

	if (!run_times(l, 1, &once, err) || !run_times(l, 1, &once, err))
		return false;
	int times = once < sample_s ? (int)(sample_s / fmax(once, 1e-6)) + 1 : 1;
	while (n < RUNS && !(n == 2 && fmin(v[0], v[1]) > hopeless * best))
		if (!run_times(l, times, &v[n++], err))
			return false;
	qsort(v, (size_t)n, sizeof *v, ascending);
	*median = v[n / 2];
	return true;
}

static void try_way(struct device *d, const struct plan *plan, int way, struct choice *c)
{
	struct bench_error why = { 0 };
	struct loaded *l = load_plan(d, plan, (enum conv_way)way, &why);
	double seconds = INFINITY;
	bool good = l && time_way(l, c->seconds, &seconds, &why);

	if (l)
		load_free(l);
	if (good && seconds < c->seconds * worth) {
		c->way = way;
		c->seconds = seconds;
	}
	if (!good && !c->failed) {
		c->failed = true;
		c->why = why;
	}
}

static bool is_conv(enum op_kind kind)
{
	return kind == OP_CONV || kind == OP_CONV_BWD_DATA || kind == OP_CONV_BWD_FILTER;
}

struct loaded *ways_load(struct device *d, const struct plan *plan, struct bench_error *err)
{
	struct choice c = { .way = -1, .seconds = INFINITY };

	if (plan->nops != 1 || !is_conv(plan->ops[0].kind))
		return load_plan(d, plan, CONV_LIBRARY, err);
	for (int way = 0; way < CONV_WAYS; way++) {
		if (d->ways == 1u << way) /* no choice */
			return load_plan(d, plan, (enum conv_way)way, err);
		if (d->ways & 1u << way)
			try_way(d, plan, way, &c);
	}
	if (c.way >= 0)
		return load_plan(d, plan, (enum conv_way)c.way, err);
	*err = c.why;
	return NULL;
}
