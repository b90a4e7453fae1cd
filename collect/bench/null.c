/* A device that is none: times follow from the work by fixed rates, so that the rest of the program
 * can be tried. The environment variable GPUGUIDE_BENCH_NULL holds options, separated by commas:
 *   device=NAME  what the driver says it is called        compute  results are computed, by the
 *                reference
 *   nan, wrong   results are not numbers, are 3 % off     oom[=WORKLOAD]  does not fit
 *   fast         faster than the rates allow              fail=WORKLOAD, lost=WORKLOAD  running it
 *                fails
 *   throttle     thermal slowdown is told                 skew     the host's clock tells 5 % more
 *   drift        never steady: every step is 1 % slower   graph    graphs are there; steps take 0.9
 *                of the time
 *   power        250 W                                   oomabove=N  a batch of more than N does
 *                not fit
 *   stopped      the device's clock stands */
#include "backend.h"

#include "../../base/stat.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* About those of a card of 2018. */
static const double rate_tflops[PRECISIONS] = {
	[PRECISION_FP32] = 5,  [PRECISION_TF32] = 10, [PRECISION_FP16] = 20,
	[PRECISION_BF16] = 20, [PRECISION_FP8] = 40,
};
enum { BANDWIDTH_GBS = 300, MEMORY_GB = 64, POWER_W = 250, THERMAL = 0x20 };

struct device {
	char options[512];
	double clock_s; /* of all that ran, for the energy counter */
};

struct loaded {
	struct device *device;
	const struct plan *plan;
	struct loaded *inner; /* of the reference, with `compute` */
	struct rng rng;
	int steps;
};

/* The text behind "key" or "key=" among the options; NULL when it is not there. */
static const char *option(const struct device *d, const char *key, char *value, size_t size)
{
	size_t len = strlen(key);

	for (const char *p = d->options; *p;) {
		size_t n = strcspn(p, ",");
		if (n >= len && strncmp(p, key, len) == 0 && (n == len || p[len] == '=')) {
			snprintf(value, size, "%.*s", n > len ? (int)(n - len - 1) : 0,
				 n > len ? p + len + 1 : "");
			return value;
		}
		p += n + (p[n] == ',');
	}
	return NULL;
}

static bool has(const struct device *d, const char *key)
{
	char value[128];

	return option(d, key, value, sizeof value) != NULL;
}

/* Whether the option stands for this workload: it names it, or none. */
static bool meant(const struct loaded *l, const struct device *d, const struct plan *plan,
		  const char *key)
{
	char value[128];
	const char *v = option(d, key, value, sizeof value);

	(void)l;
	return v && (!*v || str_eq(str_of(v), plan->workload));
}

static int devices(struct bench_error *why)
{
	(void)why;
	return 1;
}

static struct device *open_device(int index, struct bench_error *err)
{
	struct device *d = index == 0 ? calloc(1, sizeof *d) : NULL;
	const char *options = getenv("GPUGUIDE_BENCH_NULL");

	if (!d)
		bench_fail(err, BENCH_FAILED, "null: there is one device, 0");
	else if (options)
		snprintf(d->options, sizeof d->options, "%s", options);
	return d;
}

static void close_device(struct device *d)
{
	free(d);
}

static bool describe(struct device *d, struct device_info *out, struct bench_error *err)
{
	(void)err;
	memset(out, 0, sizeof *out);
	if (!option(d, "device", out->name, sizeof out->name))
		snprintf(out->name, sizeof out->name, "null");
	snprintf(out->framework, sizeof out->framework, "gpuguide null, no computation");
	snprintf(out->driver, sizeof out->driver, "0");
	out->device_count = 1;
	out->memory_bytes = MEMORY_GB * 1e9;
	out->l2_bytes = 4e6;
	out->bandwidth = BANDWIDTH_GBS * 1e9;
	for (int i = 0; i < PRECISIONS; i++)
		out->peak[i] = rate_tflops[i] * 1e12;
	out->facts[0] = (struct device_fact){ "power limit", "250 W" };
	out->nfacts = 1;
	return true;
}

static bool supports(struct device *d, enum precision p, struct bench_error *why)
{
	if (p == PRECISION_FP8 && has(d, "compute"))
		return bench_fail(why, BENCH_UNSUPPORTED, "null: no fp8");
	return true;
}

static void unload(struct loaded *l)
{
	if (l->inner)
		backend_reference()->unload(l->inner);
	free(l);
}

static struct loaded *load(struct device *d, const struct plan *plan, struct bench_error *err)
{
	struct loaded *l = calloc(1, sizeof *l);
	char most[32];

	if (!l || meant(l, d, plan, "oom")
	    || (option(d, "oomabove", most, sizeof most)
		&& plan->batch_size > strtol(most, NULL, 10))
	    || plan_bytes(plan) > MEMORY_GB * 1e9) {
		bench_fail(err, BENCH_NO_MEMORY, "null: %.1f GB do not fit",
			   plan_bytes(plan) * 1e-9);
		free(l);
		return NULL;
	}
	l->device = d;
	l->plan = plan;
	l->rng.state = 1;
	if (has(d, "compute") && !(l->inner = backend_reference()->load(NULL, plan, err))) {
		free(l);
		return NULL;
	}
	return l;
}

static bool upload(struct loaded *l, int tensor, const double *values, struct bench_error *err)
{
	return !l->inner || backend_reference()->upload(l->inner, tensor, values, err);
}

static bool download(struct loaded *l, int tensor, double *values, struct bench_error *err)
{
	long n = tensor_count(&l->plan->tensors[tensor]);

	if (l->inner)
		return backend_reference()->download(l->inner, tensor, values, err);
	for (long i = 0; i < n; i++)
		values[i] = 0;
	return true;
}

/* Spoils the first result of an operation, as a broken kernel would. */
static bool spoil(struct loaded *l, const struct op *op, struct bench_error *err)
{
	bool nan = has(l->device, "nan"), wrong = has(l->device, "wrong");
	size_t n = op->out[0] >= 0 ? (size_t)tensor_count(&l->plan->tensors[op->out[0]]) : 0;
	double *v = (nan || wrong) && n ? malloc(sizeof *v * n) : NULL;
	bool good = true;

	if (!v)
		return true;
	good = backend_reference()->download(l->inner, op->out[0], v, err);
	for (size_t i = 0; wrong && i < n; i++)
		v[i] *= 1.03;
	if (nan)
		v[n / 2] = NAN;
	good = good && backend_reference()->upload(l->inner, op->out[0], v, err);
	free(v);
	return good;
}

static bool run_op(struct loaded *l, int op, struct bench_error *err)
{
	if (!l->inner)
		return true;
	return backend_reference()->run_op(l->inner, op, err) && spoil(l, &l->plan->ops[op], err);
}

/* 1.25 of the least time, within 0.5 %. */
static double time_of(struct loaded *l, double least)
{
	double noise = (double)rng_below(&l->rng, 1001) / 1e5 - 0.005;
	double t = least * (1.25 + noise);

	if (has(l->device, "fast"))
		t /= 2;
	if (has(l->device, "stopped"))
		t = 0;
	if (has(l->device, "drift"))
		t *= pow(1.01, l->steps);
	l->steps++;
	return t;
}

static bool broken(struct loaded *l, struct bench_error *err)
{
	if (meant(l, l->device, l->plan, "fail"))
		return !bench_fail(err, BENCH_FAILED, "null: launch failed");
	if (meant(l, l->device, l->plan, "lost"))
		return !bench_fail(err, BENCH_LOST, "null: the device is lost");
	return false;
}

static bool run_steps(struct loaded *l, int steps, bool graph, double *seconds, double *wall_s,
		      struct bench_error *err)
{
	double least =
	    plan_bound(l->plan, rate_tflops[l->plan->precision] * 1e12, BANDWIDTH_GBS * 1e9);

	if (broken(l, err))
		return false;
	if (graph && !has(l->device, "graph"))
		return bench_fail(err, BENCH_UNSUPPORTED, "null: no graphs");
	*wall_s = 0;
	for (int i = 0; i < steps; i++) {
		seconds[i] = time_of(l, least) * (graph ? 0.9 : 1);
		*wall_s += seconds[i] * (has(l->device, "skew") ? 1.05 : 1);
	}
	l->device->clock_s += *wall_s;
	return true;
}

static bool run_micro(struct loaded *l, int op, int times, int copies, double *seconds,
		      struct bench_error *err)
{
	struct cost c = op_cost(l->plan, &l->plan->ops[op]);
	double peak = rate_tflops[l->plan->precision] * 1e12;

	(void)copies;
	if (broken(l, err))
		return false;
	*seconds = times * time_of(l, fmax(c.least_flop / peak, c.bytes / (BANDWIDTH_GBS * 1e9)));
	l->device->clock_s += *seconds;
	return true;
}

static bool sample(struct device *d, struct telemetry *out)
{
	*out = (struct telemetry){ NAN, NAN, NAN, NAN, NAN, has(d, "throttle") ? THERMAL : 0, 0 };
	if (has(d, "power")) {
		out->power_w = POWER_W;
		out->energy_j = POWER_W * d->clock_s;
		out->temperature_c = 60;
		out->sm_mhz = 1500;
	}
	return true;
}

static const char *op_detail(struct loaded *l, int op)
{
	(void)l;
	(void)op;
	return "";
}

static const struct backend hollow = {
	.abi = BENCH_ABI, .name = "null", .hollow = true, .devices = devices, .open = open_device,
	.close = close_device, .describe = describe, .supports = supports, .load = load,
	.unload = unload, .upload = upload, .download = download, .run_op = run_op,
	.run_steps = run_steps, .run_micro = run_micro, .sample = sample, .op_detail = op_detail,
};

static const struct backend computing = {
	.abi = BENCH_ABI, .name = "null", .devices = devices, .open = open_device,
	.close = close_device, .describe = describe, .supports = supports, .load = load,
	.unload = unload, .upload = upload, .download = download, .run_op = run_op,
	.run_steps = run_steps, .run_micro = run_micro, .sample = sample, .op_detail = op_detail,
};

const struct backend *backend_null(void)
{
	const char *options = getenv("GPUGUIDE_BENCH_NULL");

	return options && strstr(options, "compute") ? &computing : &hollow;
}
