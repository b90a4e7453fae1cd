/* Every operation of the CUDA backend on the stand-in against the reference: small plans of every
 * kind of workload, in every precision, on a card with fused attention and on one without, with and
 * without fused epilogues. verify PLUGIN [all]   all: what is slow in every precision and card too
 */
#include "plans.h"
#include "standin.h"

#include "../../../collect/bench/backend.h"
#include "../../../collect/bench/verify.h"

#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int tests, bad;

static bool ok(bool good, const char *what, const char *how)
{
	printf("%s %d - %s%s%s\n", good ? "ok" : "not ok", ++tests, what, *how ? ": " : "", how);
	fflush(stdout);
	bad += !good;
	return good;
}

static const struct backend *plugin(const char *path)
{
	void *lib = dlopen(path, RTLD_NOW | RTLD_LOCAL),
	     *symbol = lib ? dlsym(lib, "bench_backend_get") : NULL;
	bench_backend_get_fn *get;

	if (!symbol) {
		printf("Bail out! %s\n", dlerror());
		exit(1);
	}
	memcpy(&get, &symbol, sizeof get);
	return get();
}

/* Verifies, runs three steps both ways, and looks that nothing is left behind. */
static void check_plan(const struct backend *b, struct device *d, const struct plan *p,
		       const char *name)
{
	struct arena a = { 0 };
	struct verify_result r = { 0 };
	struct bench_error err = { .code = BENCH_OK };
	double seconds[3], wall;
	char how[600];
	long before = standin_live();
	struct loaded *l = b->load(d, p, &err);
	bool good = l && verify_plan(b, l, p, 2, &a, &r, &err);
	bool steps = good && b->run_steps(l, 3, false, seconds, &wall, &err)
		     && b->run_steps(l, 3, true, seconds, &wall, &err);

	snprintf(how, sizeof how, "%s; worst %.2g of its tolerance (%.*s)",
		 good && steps ? "" : err.msg, r.error, STR_ARG(r.worst));
	ok(good && steps, name, how);
	if (l)
		b->unload(l);
	/* kernels compiled on the way stay with the card */
	ok(standin_live() - before <= 1, name,
	   standin_live() - before <= 1 ? "nothing left" : "something is left behind");
	arena_free(&a);
}

/* all: what is slow in every precision, on every card */
static void check_card(const struct backend *b, const char *faults, const char *title, bool all)
{
	struct bench_error err = { .code = BENCH_OK }, why;
	standin_set(faults);
	struct device *d = b->open(0, &err);

	if (!ok(d != NULL, title, d ? "opened" : err.msg))
		return;
	for (int i = 0; i < small_plan_count; i++)
		for (int p = PRECISION_FP32; p <= PRECISION_BF16; p++) {
			struct arena a = { 0 };
			char name[120];
			if (!b->supports(d, (enum precision)p, &why)
			    || (small_plans[i].slow && !all && (*faults || p != PRECISION_BF16)))
				continue;
			struct plan plan = small_plans[i].make((enum precision)p, &a);
			struct str word = precision_name((enum precision)p);
			snprintf(name, sizeof name, "%s, %s, %.*s", title, small_plans[i].name,
				 STR_ARG(word));
			check_plan(b, d, &plan, name);
			arena_free(&a);
		}
	b->close(d);
	ok(standin_live() == 0, title, "closed, nothing left");
}

static void check_alone(const struct backend *b)
{
	struct bench_error err = { .code = BENCH_OK };
	standin_set("");
	struct device *d = b->open(0, &err);
	static const struct {
		enum op_kind kind;
		int n;
		const char *name;
	} memory[] = {
		{ OP_STREAM, 6, "stream" },
		{ OP_TRANSFER, 3, "transfer" },
		{ OP_ALLREDUCE, 1, "allreduce" },
	};

	for (int p = 0; p < PRECISIONS; p++)
		for (int odd = 0; odd < 2; odd++) {
			struct arena a = { 0 };
			struct plan plan =
			    plan_gemm((enum precision)p, 16 + odd, 32 + 3 * odd, 48 + 7 * odd, &a);
			struct str word = precision_name((enum precision)p);
			char name[64];
			snprintf(name, sizeof name, "gemm %.*s%s", STR_ARG(word),
				 odd ? ", odd sizes" : "");
			check_plan(b, d, &plan, name);
			arena_free(&a);
		}
	for (size_t i = 0; i < LEN(memory); i++)
		for (int k = 0; k < memory[i].n; k++) {
			struct arena a = { 0 };
			struct plan plan = plan_memory(memory[i].kind, k, 5003, &a);
			struct loaded *l = b->load(d, &plan, &err);
			struct verify_result r = { 0 };
			double seconds = NAN;
			char name[64];
			snprintf(name, sizeof name,
				 "%s %d, verified and repeated over 3 sets of buffers",
				 memory[i].name, k);
			bool good = l && verify_plan(b, l, &plan, 2, &a, &r, &err)
				    && b->run_micro(l, 0, 7, 3, &seconds, &err) && seconds > 0;
			ok(good, name, good ? "" : err.msg);
			if (l)
				b->unload(l);
			arena_free(&a);
		}
	b->close(d);
	ok(standin_live() == 0, "alone", "closed, nothing left");
}

int main(int argc, char **argv)
{
	const struct backend *b = plugin(argc > 1 ? argv[1] : "");

	bool all = argc > 2;
	check_alone(b);
	check_card(b, "", "sm_90", all);
	check_card(b, "arch:0:75", "sm_75", all);
	check_card(b, "epilogue:0:1", "nothing fused", all);
	printf("1..%d\n", tests);
	return bad > 0;
}
