/* The builder of the workload itself, with a small shape. */
#include "plans.h"

#include "../../../collect/bench/workload_rnn.c"

struct plan plan_rnn(enum precision p, struct arena *a)
{
	static const struct rnn shape = { 37, 12, 16, 2, 5 };
	struct workload w = { .shape = &shape };
	struct plan plan = { .workload = STR("rnn"), .precision = p, .batch_size = 3, .arena = a };

	build_rnn(&w, &plan);
	return plan;
}
