/* The reference as a backend: every tensor in doubles, rounded to what would be stored. Slow; for
 * small sizes, and to show that the rest of the program is right. */
#include "backend.h"
#include "reference.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct loaded {
	const struct plan *plan;
	double **tensors;
};

/* It has no state; the address says that it is open. */
struct device { int open; };

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int devices(struct bench_error *why)
{
	(void)why;
	return 1;
}

static struct device *open_device(int index, struct bench_error *err)
{
	struct device *d = index == 0 ? calloc(1, sizeof *d) : NULL;

	if (!d)
		bench_fail(err, BENCH_FAILED, "reference: there is one device, 0");
	return d;
}

static void close_device(struct device *d)
{
	free(d);
}

static bool describe(struct device *d, struct device_info *out, struct bench_error *err)
{
	(void)d;
	(void)err;
	memset(out, 0, sizeof *out);
	snprintf(out->name, sizeof out->name, "reference");
	snprintf(out->framework, sizeof out->framework, "gpuguide reference, double precision");
	out->device_count = out->threads = 1;
	out->memory_bytes = out->l2_bytes = out->bandwidth = NAN;
	for (int i = 0; i < PRECISIONS; i++)
		out->peak[i] = NAN;
	return true;
}

static bool supports(struct device *d, enum precision p, struct bench_error *why)
{
	(void)d;
	if (p == PRECISION_FP8)
		return bench_fail(why, BENCH_UNSUPPORTED,
				  "reference: values of fp8 have scales of the device's own");
	return true;
}

static void unload(struct loaded *l)
{
	for (int i = 0; l->tensors && i < l->plan->ntensors; i++)
		free(l->tensors[i]);
	free(l->tensors);
	free(l);
}

static struct loaded *load(struct device *d, const struct plan *plan, struct bench_error *err)
{
	struct loaded *l = calloc(1, sizeof *l);
	bool good = l && (l->tensors = calloc((size_t)plan->ntensors + 1, sizeof *l->tensors));

	(void)d;
	if (l)
		l->plan = plan;
	for (int i = 0; good && i < plan->ntensors; i++)
		good = (l->tensors[i] =
			    calloc((size_t)tensor_count(&plan->tensors[i]) + 1, sizeof(double)));
	if (good)
		return l;
	if (l)
		unload(l);
	bench_fail(err, BENCH_NO_MEMORY, "reference: %.1f GB wanted", plan_bytes(plan) * 2e-9);
	return NULL;
}

static bool upload(struct loaded *l, int tensor, const double *values, struct bench_error *err)
{
	const struct tensor *t = &l->plan->tensors[tensor];
	long n = tensor_count(t);

	(void)err;
	for (long i = 0; i < n; i++)
		l->tensors[tensor][i] = reference_round(values[i], t->element, l->plan->precision);
	return true;
}

static bool download(struct loaded *l, int tensor, double *values, struct bench_error *err)
{
	(void)err;
	memcpy(values, l->tensors[tensor],
	       sizeof *values * (size_t)tensor_count(&l->plan->tensors[tensor]));
	return true;
}

static void run_units(struct loaded *l, const struct op *op, double *const *results)
{
	struct reference r = { .plan = l->plan, .op = op, .devices = 1 };
	long units = reference_units(l->plan, op);

	for (int i = 0; i < OP_INPUTS; i++)
		r.in[i] = op->in[i] >= 0 ? l->tensors[op->in[i]] : NULL;
	for (int i = 0; i < OP_OUTPUTS; i++) {
		r.out[i] = results[i];
		r.old[i] = op->out[i] >= 0 ? l->tensors[op->out[i]] : NULL;
	}
	for (long u = 0; u < units; u++)
		reference_unit(&r, u);
}

/* Results go to memory of their own first: an operation in place must not read what it has
 * written. */
static bool run_op(struct loaded *l, int index, struct bench_error *err)
{
	const struct op *op = &l->plan->ops[index];
	double *results[OP_OUTPUTS] = { 0 };
	bool good = true;

	for (int i = 0; i < OP_OUTPUTS && good; i++) {
		if (op->out[i] < 0)
			continue;
		size_t n = (size_t)tensor_count(&l->plan->tensors[op->out[i]]);
		good = (results[i] = malloc(sizeof(double) * (n + 1)));
		if (good)
			memcpy(results[i], l->tensors[op->out[i]], sizeof(double) * n);
	}
	if (good)
		run_units(l, op, results);
	else
		bench_fail(err, BENCH_NO_MEMORY, "reference: no memory for the results of " STR_FMT,
			   STR_ARG(op->name));
	for (int i = 0; i < OP_OUTPUTS; i++) {
		if (good && results[i])
			good = upload(l, op->out[i], results[i], err);
		free(results[i]);
	}
	return good;
}

static bool run_steps(struct loaded *l, int steps, bool graph, double *seconds, double *wall_s,
		      struct bench_error *err)
{
	double begin = now();

	if (graph)
		return bench_fail(err, BENCH_UNSUPPORTED, "reference: no graphs");
	for (int i = 0; i < steps; i++) {
		double start = now();
		for (int k = 0; k < l->plan->nops; k++)
			if (!run_op(l, k, err))
				return false;
		seconds[i] = now() - start;
	}
	*wall_s = now() - begin;
	return true;
}

static bool run_micro(struct loaded *l, int op, int times, int copies, double *seconds,
		      struct bench_error *err)
{
	double begin = now();

	(void)copies;
	for (int i = 0; i < times; i++)
		if (!run_op(l, op, err))
			return false;
	*seconds = now() - begin;
	return true;
}

static bool sample(struct device *d, struct telemetry *out)
{
	(void)d;
	*out = (struct telemetry){ NAN, NAN, NAN, NAN, NAN, 0, -1 };
	return false;
}

static const char *op_detail(struct loaded *l, int op)
{
	(void)l;
	(void)op;
	return "plain C, double";
}

const struct backend *backend_reference(void)
{
	static const struct backend b = {
		.abi = BENCH_ABI,
		.name = "reference",
		.devices = devices,
		.open = open_device,
		.close = close_device,
		.describe = describe,
		.supports = supports,
		.load = load,
		.unload = unload,
		.upload = upload,
		.download = download,
		.run_op = run_op,
		.run_steps = run_steps,
		.run_micro = run_micro,
		.sample = sample,
		.op_detail = op_detail,
	};

	return &b;
}
