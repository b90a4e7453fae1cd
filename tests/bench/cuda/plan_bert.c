/* The builder of the workload itself, with small shapes: two heads of 64. Its vocabulary is not
 * small. */
#include "plans.h"

#include "../../../collect/bench/workload_bert.c"

static struct plan small(const struct bert *shape, enum precision p, struct arena *a)
{
	struct workload w = { .shape = shape };
	struct plan plan = { .workload = STR("bert"), .precision = p, .batch_size = 2, .arena = a };

	build_bert(&w, &plan);
	return plan;
}

struct plan plan_bert(enum precision p, struct arena *a)
{
	static const struct bert shape = { 2, 128, 8, 0 };

	return small(&shape, p, a);
}

struct plan plan_words(enum precision p, struct arena *a)
{
	static const struct bert shape = { 1, 128, 8, 3 };

	return small(&shape, p, a);
}
