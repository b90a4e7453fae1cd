/* The builder of the workload itself, with a small shape: one head of 64. */
#include "plans.h"

#include "../../../collect/bench/workload_bert.c"

struct plan plan_bert(enum precision p, struct arena *a)
{
	static const struct bert shape = { 2, 128, 8, 3 };
	struct workload w = { .shape = &shape };
	struct plan plan = { .workload = STR("bert"), .precision = p, .batch_size = 2, .arena = a };

	build_bert(&w, &plan);
	return plan;
}
