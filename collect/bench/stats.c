#include "stats.h"

#include "../../base/stat.h"

#include <math.h>
#include <string.h>

enum { RESAMPLES = 2000, STEADY_STEPS = 5 };
static const double steady_within = 0.01;

/* Medians of resamples of the sorted values: ranks are drawn and counted, which needs no sorting of
 * each. */
static double resampled_median(const double *sorted, size_t n, struct rng *r, unsigned *count)
{
	size_t lower = (n - 1) / 2, upper = n / 2, seen = 0;
	double a = 0;

	memset(count, 0, n * sizeof *count);
	for (size_t i = 0; i < n; i++)
		count[rng_below(r, n)]++;
	for (size_t i = 0; i < n; i++) {
		size_t from = seen;
		seen += count[i];
		if (lower >= from && lower < seen)
			a = sorted[i];
		if (upper >= from && upper < seen)
			return (a + sorted[i]) / 2;
	}
	return sorted[n - 1];
}

struct stats stats_of(const double *v, size_t n, struct arena *scratch)
{
	double *sorted = arena_array(scratch, n, sizeof *sorted);
	double *medians = arena_array(scratch, RESAMPLES, sizeof *medians);
	unsigned *count = arena_array(scratch, n, sizeof *count);
	struct rng r = { 1 };

	memcpy(sorted, v, n * sizeof *v);
	stat_sort(sorted, n);
	for (int i = 0; i < RESAMPLES; i++)
		medians[i] = resampled_median(sorted, n, &r, count);
	stat_sort(medians, RESAMPLES);
	return (struct stats){
		.n = n,
		.median = stat_quantile_sorted(sorted, n, 0.5),
		.p10 = stat_quantile_sorted(sorted, n, 0.1),
		.p90 = stat_quantile_sorted(sorted, n, 0.9),
		.low = stat_quantile_sorted(medians, RESAMPLES, 0.025),
		.high = stat_quantile_sorted(medians, RESAMPLES, 0.975),
	};
}

bool stats_steady(const double *v, size_t n)
{
	double min = INFINITY, max = 0;

	if (n < STEADY_STEPS)
		return false;
	for (size_t i = n - STEADY_STEPS; i < n; i++) {
		min = fmin(min, v[i]);
		max = fmax(max, v[i]);
	}
	return max - min <= steady_within * min;
}
