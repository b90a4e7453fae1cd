#include "onednn_ways.h"

#include "onednn_load.h"

#include "../../base/stat.h"

#include <math.h>

/* A way is timed by SAMPLES of at least sample_s each; by two where these are hopeless. */
enum { SAMPLES = 7 };
static const double sample_s = 0.02, worth = 0.98, hopeless = 1.5, clean_share = 0.95;

struct choice {
	int way; /* -1: none yet */
	double seconds;
	bool failed;
	struct bench_error why; /* of the first that failed */
};

/* Seconds of a run, over so many as fill a sample. Where threads did not work all the time, the
 * machine did something else, and what CPU time it took is all that can be known. */
static bool sample(struct loaded *l, double *seconds, struct bench_error *err)
{
	double begin = load_clock(CLOCK_MONOTONIC), wall = 0;
	double cpu = load_clock(CLOCK_PROCESS_CPUTIME_ID);
	int n = 0;

	for (; n == 0 || wall < sample_s; n++) {
		if (!load_run(l, 0, err))
			return false;
		wall = load_clock(CLOCK_MONOTONIC) - begin;
	}
	cpu = (load_clock(CLOCK_PROCESS_CPUTIME_ID) - cpu) / l->device->threads;
	*seconds = (cpu < clean_share * wall ? cpu : wall) / n;
	return true;
}

/* The first sample warms up. */
static bool time_way(struct loaded *l, double best, double *median, struct bench_error *err)
{
	double v[SAMPLES] = { 0 };
	int n = 0;

	if (!sample(l, &v[0], err))
		return false;
	while (n < SAMPLES && !(n == 2 && fmin(v[0], v[1]) > hopeless * best))
		if (!sample(l, &v[n++], err))
			return false;
	stat_sort(v, (size_t)n);
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
