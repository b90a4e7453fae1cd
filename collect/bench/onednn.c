/* The CPU as a device: oneDNN for convolutions, products and recurrent layers, loops of our own for
 * what only moves memory. fp32, and bf16 where the CPU multiplies it. */
#include "backend.h"
#include "onednn_cpu.h"
#include "onednn_load.h"
#include "onednn_peak.h"

#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int devices(struct bench_error *why)
{
	(void)why;
	return 1;
}

/* Names of oneDNN's instruction sets that matter here. */
static const struct { dnnl_cpu_isa_t isa; const char *name; bool half; } isas[] = {
	{ dnnl_cpu_isa_avx2, "avx2", false },
	{ dnnl_cpu_isa_avx2_vnni, "avx2_vnni", false },
	{ dnnl_cpu_isa_avx512_core, "avx512_core", false },
	{ dnnl_cpu_isa_avx512_core_vnni, "avx512_core_vnni", false },
	{ dnnl_cpu_isa_avx512_core_bf16, "avx512_core_bf16", true },
	{ dnnl_cpu_isa_avx512_core_amx, "avx512_core_amx", true },
};

static struct device *open_device(int index, struct bench_error *err)
{
	struct device *d = index == 0 ? calloc(1, sizeof *d) : NULL;
	dnnl_cpu_isa_t isa = dnnl_get_effective_cpu_isa();

	if (!d) {
		bench_fail(err, BENCH_FAILED, "onednn: there is one device, 0");
		return NULL;
	}
	d->threads = cpu_threads();
	d->ways = (1u << CONV_WAYS) - 1;
	omp_set_num_threads(d->threads);
	snprintf(d->isa, sizeof d->isa, "isa %#x", (unsigned)isa);
	for (size_t i = 0; i < LEN(isas); i++)
		if (isas[i].isa == isa) {
			snprintf(d->isa, sizeof d->isa, "%s", isas[i].name);
			d->half = isas[i].half;
		}
	for (int p = 0; p < PRECISIONS; p++) {
		d->loop[p] = "";
		d->peak[p] = peak_measure((enum precision)p, d->threads, &d->loop[p]);
	}
	return d;
}

static void close_device(struct device *d)
{
	free(d);
}

static bool describe(struct device *d, struct device_info *out, struct bench_error *err)
{
	const dnnl_version_t *v = dnnl_version();

	(void)err;
	memset(out, 0, sizeof *out);
	cpu_describe(out, d->threads);
	snprintf(out->framework, sizeof out->framework, "onednn %d.%d.%d", v->major, v->minor,
		 v->patch);
	out->device_count = 1;
	out->threads = d->threads;
	out->bandwidth = NAN;
	for (int p = 0; p < PRECISIONS; p++) {
		out->peak[p] = d->peak[p];
		struct str name = precision_name((enum precision)p);
		char key[48];
		snprintf(key, sizeof key, "peak_loop_" STR_FMT, STR_ARG(name));
		if (!isnan(d->peak[p]))
			cpu_fact(out, key,
				 "%.1f GFLOP/s, registers only, %s, best of short windows",
				 d->peak[p] * 1e-9, d->loop[p]);
	}
	cpu_fact(out, "threads", "%d", d->threads);
	cpu_fact(out, "threads_pinned", "%s",
		 omp_get_proc_bind() == omp_proc_bind_false ? "no" : "yes");
	cpu_fact(out, "onednn_isa", "%s", d->isa);
	return true;
}

static bool supports(struct device *d, enum precision p, struct bench_error *why)
{
	struct str name = precision_name(p);

	if (p == PRECISION_FP32 || (p == PRECISION_BF16 && d->half))
		return true;
	if (p == PRECISION_BF16)
		return bench_fail(
		    why, BENCH_UNSUPPORTED,
		    "onednn: bf16 wants a CPU with AVX512-BF16; this one is used as %s", d->isa);
	return bench_fail(why, BENCH_UNSUPPORTED,
			  "onednn: " STR_FMT " is no precision of the CPU backend", STR_ARG(name));
}

static struct loaded *load(struct device *d, const struct plan *plan, struct bench_error *err)
{
	return supports(d, plan->precision, err) ? ways_load(d, plan, err) : NULL;
}

static bool run_steps(struct loaded *l, int steps, bool graph, double *seconds, double *wall_s,
		      struct bench_error *err)
{
	double begin = load_clock(CLOCK_MONOTONIC), last = begin;

	if (graph)
		return bench_fail(err, BENCH_UNSUPPORTED, "onednn: a CPU has no graphs");
	for (int i = 0; i < steps; i++) {
		for (int k = 0; k < l->plan->nops; k++)
			if (!load_run(l, k, err))
				return false;
		double at = load_clock(CLOCK_MONOTONIC);
		seconds[i] = at - last;
		last = at;
	}
	*wall_s = last - begin;
	return true;
}

static bool run_micro(struct loaded *l, int op, int times, int copies, double *seconds,
		      struct bench_error *err)
{
	if (!load_run(l, op, err)
	    || !load_copies(l, op, copies, err)) /* the first run settles how operands lie */
		return false;
	double begin = load_clock(CLOCK_MONOTONIC);
	for (int i = 0; i < times; i++) {
		load_turn(l, i % copies);
		if (!load_run(l, op, err))
			return false;
	}
	*seconds = load_clock(CLOCK_MONOTONIC) - begin;
	load_turn(l, 0);
	return true;
}

/* Power and clocks of a CPU are not for every user to read. */
static bool sample(struct device *d, struct telemetry *out)
{
	(void)d;
	*out = (struct telemetry){ NAN, NAN, NAN, NAN, NAN, 0, -1 };
	return false;
}

static const char *op_detail(struct loaded *l, int op)
{
	return l->steps[op].detail;
}

__attribute__((visibility("default"))) const struct backend *bench_backend_get(void);

const struct backend *bench_backend_get(void)
{
	static const struct backend b = {
		.abi = BENCH_ABI,
		.name = "onednn",
		.devices = devices,
		.open = open_device,
		.close = close_device,
		.describe = describe,
		.supports = supports,
		.load = load,
		.unload = load_free,
		.upload = load_upload,
		.download = load_download,
		.run_op = load_run,
		.run_steps = run_steps,
		.run_micro = run_micro,
		.sample = sample,
		.op_detail = op_detail,
	};

	return &b;
}
