/* The median without sorting, against sorting. */
#include "test.h"

#include "../base/select.h"
#include "../base/stat.h"

#include <string.h>

enum { MOST = 3000 };

static double shuffled(size_t i, size_t n, struct rng *r)
{
	(void)i;
	return (double)rng_below(r, n * 4);
}

static double few(size_t i, size_t n, struct rng *r)
{
	(void)i;
	(void)n;
	return (double)rng_below(r, 3);
}

static double rising(size_t i, size_t n, struct rng *r)
{
	(void)n;
	(void)r;
	return (double)i;
}

static double falling(size_t i, size_t n, struct rng *r)
{
	(void)r;
	return (double)(n - i);
}

static double equal(size_t i, size_t n, struct rng *r)
{
	(void)i;
	(void)n;
	(void)r;
	return 7.25;
}

/* Up to the middle and down again. */
static double organ(size_t i, size_t n, struct rng *r)
{
	(void)r;
	return (double)(i < n / 2 ? i : n - i);
}

static const struct shape {
	const char *name;
	double (*value)(size_t i, size_t n, struct rng *r);
} shapes[] = {
	{ "shuffled", shuffled }, { "few values", few }, { "rising", rising },
	{ "falling", falling },   { "equal", equal },    { "organ pipes", organ },
};

static bool is_median(const double *v, size_t n)
{
	double sorted[MOST], selected[MOST];

	memcpy(sorted, v, n * sizeof *v);
	memcpy(selected, v, n * sizeof *v);
	stat_sort(sorted, n);
	double want = n % 2 ? sorted[n / 2] : (sorted[n / 2 - 1] + sorted[n / 2]) / 2;
	return select_median(selected, n) == want;
}

static bool is_kth(const double *v, size_t n, size_t k)
{
	double sorted[MOST], selected[MOST];

	memcpy(sorted, v, n * sizeof *v);
	memcpy(selected, v, n * sizeof *v);
	stat_sort(sorted, n);
	select_kth(selected, n, k);
	for (size_t i = 0; i < n; i++)
		if (i < k ? selected[i] > selected[k] : selected[i] < selected[k])
			return false;
	return selected[k] == sorted[k];
}

int main(void)
{
	struct test t = { 0 };
	struct rng r = { 7 };

	for (size_t s = 0; s < LEN(shapes); s++) {
		bool good = true;
		for (size_t n = 1; n <= MOST; n = n < 40 ? n + 1 : n * 3 / 2 + 1) {
			double v[MOST];
			for (size_t i = 0; i < n; i++)
				v[i] = shapes[s].value(i, n, &r);
			good = good && is_median(v, n) && is_kth(v, n, 0) && is_kth(v, n, n - 1)
			       && is_kth(v, n, rng_below(&r, n));
		}
		test_ok(&t, good, shapes[s].name);
	}
	return test_done(&t);
}
