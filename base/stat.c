#include "stat.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

void stat_sort(double *v, size_t n)
{
	if (n > 1)
		qsort(v, n, sizeof *v, compare);
}

static double *sorted_copy(const double *v, size_t n, struct arena *scratch)
{
	double *copy = arena_array(scratch, n, sizeof *copy);

	if (n)
		memcpy(copy, v, n * sizeof *copy);
	stat_sort(copy, n);
	return copy;
}

double stat_quantile_sorted(const double *sorted, size_t n, double q)
{
	double at = q * (double)(n - 1);
	size_t below = (size_t)at;

	if (below + 1 >= n)
		return sorted[n - 1];
	double part = at - (double)below;
	if (part == 0) /* keeps 0.5 * (a + a) from rounding and infinities from turning into NaN */
		return sorted[below];
	return sorted[below] + part * (sorted[below + 1] - sorted[below]);
}

double stat_quantile(const double *v, size_t n, double q, struct arena *scratch)
{
	return stat_quantile_sorted(sorted_copy(v, n, scratch), n, q);
}

double stat_median(const double *v, size_t n, struct arena *scratch)
{
	if (n == 1)
		return v[0];
	if (n == 2)
		return v[0] + (v[1] - v[0]) / 2;
	return stat_quantile(v, n, 0.5, scratch);
}

double stat_mad(const double *v, size_t n, struct arena *scratch)
{
	double median = stat_median(v, n, scratch);
	double *off = arena_array(scratch, n, sizeof *off);

	for (size_t i = 0; i < n; i++)
		off[i] = fabs(v[i] - median);
	return stat_median(off, n, scratch);
}

uint64_t rng_next(struct rng *r)
{
	uint64_t z = r->state += 0x9e3779b97f4a7c15u;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return z ^ z >> 31;
}

size_t rng_below(struct rng *r, size_t n)
{
	uint64_t bound = (uint64_t)n;
	uint64_t threshold = (0 - bound) % bound; /* draws below it would favour small values */
	uint64_t x;

	do
		x = rng_next(r);
	while (x < threshold);
	return (size_t)(x % bound);
}
