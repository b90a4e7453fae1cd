/* What is told of a row of times: order statistics and an interval; the mean is not (one disturbed
 * step moves it). */
#ifndef BENCH_STATS_H
#define BENCH_STATS_H

#include "../../base/arena.h"

#include <stdbool.h>
#include <stddef.h>

struct stats {
	size_t n;
	double median, p10, p90;
	double low, high; /* 95 % bootstrap interval of the median */
};

/* 2,000 resamples with a fixed seed, percentiles 2.5 and 97.5 (Efron 1979); n >= 1. The same times
 * give the same interval. */
struct stats stats_of(const double *v, size_t n, struct arena *scratch);

/* Whether the last five values lie within 1 % of each other: (max - min) <= 0.01 min; false of
 * fewer. */
bool stats_steady(const double *v, size_t n);

#endif
