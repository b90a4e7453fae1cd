/* Whether other programs took part of the CPU while it was measured: a window that is slow
 * throughout shows in no statistic of its times, but in the time that our threads were given. */
#ifndef BENCH_INTERFERENCE_H
#define BENCH_INTERFERENCE_H

#include <stdbool.h>

struct interference {
	double cpu_s, wall_s; /* of this process since interference_begin() */
	long switches;        /* involuntary ones */
};

void interference_begin(struct interference *at);
/* The difference from *at to now, into *at. */
void interference_end(struct interference *at);
/* cpu / (wall x threads) under 0.97, or under 0.99 with more than 20 involuntary switches a second.
 * threads 0: the work is done elsewhere, never disturbed by this. */
bool interference_disturbed(const struct interference *i, int threads);
/* cpu / (wall threads); NAN of 0 threads */
double interference_share(const struct interference *i, int threads);

#endif
