/* The builder of the workload itself, with a small shape. */
#include "plans.h"

#include "../../../collect/bench/workload_xl.c"

struct plan plan_xl(enum precision p, struct arena *a)
{
	static const struct xl shape = { 1, 64, 2, 96, 12, 5, true };
	struct workload w = { .shape = &shape };
	struct plan plan = { .workload = STR("xl"), .precision = p, .batch_size = 2, .arena = a };

	build_xl(&w, &plan);
	return plan;
}
