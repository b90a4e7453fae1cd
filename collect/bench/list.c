/* --list and --dry-run; see run.h. */
#include "run.h"

#include "choose.h"

#include <math.h>

static void put_head(const struct bench_options *opt, bool dry)
{
	if (!opt->quiet)
		printf("%-38s %-5s %7s %12s %10s %9s%s\n", "workload", "type", "batch",
		       "GFLOP/step", "GB/step", "memory GB",
		       dry ? "  at least ms  about s" : "  unit");
}

/* Matrix FLOP and least bytes of a step, tensors in memory. */
static void put_work(const struct plan *plan, const struct workload *w)
{
	struct cost c = plan_cost(plan);
	struct str type = precision_name(plan->precision);

	printf("%-38.*s %-5.*s %7ld %12.3f %10.3f %9.2f", STR_ARG(w->name), STR_ARG(type),
	       plan->batch_size, c.matrix_flop * 1e-9, c.bytes * 1e-9, plan_bytes(plan) * 1e-9);
}

bool run_list(const struct bench_options *opt, struct arena *a, struct error *err)
{
	struct workload_list all = workload_all(a);

	if (!options_check(opt, &all, err))
		return false;
	put_head(opt, false);
	for (size_t i = 0; i < all.n; i++) {
		const struct workload *w = &all.v[i];
		for (int p = 0; p < PRECISIONS; p++) {
			struct arena scratch = { 0 };
			if (!options_wants(opt, w)
			    || !options_wants_precision(opt, w, (enum precision)p))
				continue;
			struct plan plan =
			    workload_plan(w, (enum precision)p, opt->batch, &scratch);
			put_work(&plan, w);
			printf("  " STR_FMT "\n", STR_ARG(w->unit));
			arena_free(&scratch);
		}
	}
	return true;
}

/* Warm-up and measurement, twice where steps are replayed as a graph, with half the rate that the
 * peaks allow. A tenth for single operations (measure.c). */
static double estimated_s(const struct bench *b, const struct workload *w, double step)
{
	double share = w->kind == WORKLOAD_MICRO ? 0.1 : 1, once = 2 * step;
	double warm = fmax(b->rules.warm_s * share, 5 * once);
	double least = fmax(b->rules.least_s * share, b->rules.steps * once);

	return warm + fmin(least, b->rules.most_s);
}

static double put_dry(const struct bench *b, const struct workload *w, const struct plan *plan)
{
	struct bench_error why = { 0 };
	double step = plan_bound(plan, measure_peak(b, plan->precision), measure_bandwidth(b));
	double seconds = estimated_s(b, w, step);

	put_work(plan, w);
	if (!b->backend->supports(b->device, plan->precision, &why))
		printf("  not here: %s\n", why.msg);
	else if (w->devices > b->info.device_count)
		printf("  not here: %d devices are needed\n", w->devices);
	else if (plan_bytes(plan) > b->info.memory_bytes)
		printf("  does not fit into %.1f GB\n", b->info.memory_bytes * 1e-9);
	else if (isnan(step))
		printf("  %12s %8s\n", "not known", "");
	else {
		printf("  %12.3f %8.0f\n", step * 1e3, seconds);
		return seconds;
	}
	return 0;
}

bool run_dry(const struct bench_options *opt, struct str folder, struct arena *a, struct error *err)
{
	struct strbuf notes = { .arena = a };
	struct bench b;
	double sum = 0;

	if (!choose_device(opt, folder, a, &notes, &b, err))
		return false;
	if (!options_check(opt, &b.workloads, err)) {
		choose_close(&b);
		return false;
	}
	fprintf(stderr, STR_FMT "%s: %s (%s)\n", STR_ARG(strbuf_str(&notes)), b.backend->name,
		b.info.name, b.info.framework);
	put_head(opt, true);
	for (size_t i = 0; i < b.workloads.n; i++) {
		const struct workload *w = &b.workloads.v[i];
		for (int p = 0; p < PRECISIONS; p++) {
			struct arena scratch = { 0 };
			if (!options_wants(opt, w)
			    || !options_wants_precision(opt, w, (enum precision)p))
				continue;
			struct plan plan =
			    workload_plan(w, (enum precision)p, opt->batch, &scratch);
			sum += put_dry(&b, w, &plan);
			arena_free(&scratch);
		}
	}
	printf("about %.0f min, and the verification\n", ceil(sum / 60));
	choose_close(&b);
	return true;
}
