/* collect/order.c: sorting by columns of numbers, against a comparison of each with the next. */
#include "test.h"

#include "../base/stat.h"
#include "../collect/order.h"

enum { COLUMNS = 3, MOST = 3000 };

static bool is_before(unsigned *const *columns, unsigned x, unsigned y)
{
	for (size_t c = 0; c < COLUMNS; c++)
		if (columns[c][x] != columns[c][y])
			return columns[c][x] < columns[c][y];
	return x < y;
}

/* Every number once, each before the next. */
static bool is_sorted(unsigned *const *columns, const unsigned *order, size_t n)
{
	bool seen[MOST] = { false };

	for (size_t i = 0; i < n; i++) {
		if (order[i] >= n || seen[order[i]])
			return false;
		seen[order[i]] = true;
		if (i > 0 && !is_before(columns, order[i - 1], order[i]))
			return false;
	}
	return true;
}

int main(void)
{
	/* the numbers of a column are below its bound; 0: all are the same */
	static const struct {
		const char *name;
		size_t n;
		unsigned long long bounds[COLUMNS];
	} cases[] = {
		{ "none", 0, { 5, 5, 5 } },
		{ "one", 1, { 5, 5, 5 } },
		{ "few numbers", 3000, { 2, 3, 4 } },
		{ "all the same", 100, { 0, 0, 0 } },
		{ "the last column alone", 3000, { 0, 0, 1000 } },
		{ "the first column alone", 3000, { 1000, 0, 0 } },
		{ "numbers of two digits", 3000, { 3, 1 << 20, 2 } },
		{ "of 32 bits", 3000, { 2, 1ULL << 32, 1ULL << 32 } },
		{ "the bounds of digits", 3000, { 4097, 4096, 2 } },
	};
	struct test t = { 0 };
	struct rng random = { 7 };

	for (size_t i = 0; i < LEN(cases); i++) {
		struct arena a = { 0 };
		unsigned *columns[COLUMNS];
		for (size_t c = 0; c < COLUMNS; c++) {
			columns[c] = arena_array(&a, MOST, sizeof *columns[c]);
			for (size_t k = 0; k < cases[i].n; k++)
				columns[c][k] = cases[i].bounds[c] ? (unsigned)rng_below(&random, (size_t)cases[i].bounds[c]) : 70000;
		}
		const unsigned *order = order_by(columns, COLUMNS, cases[i].n, &a);
		test_ok(&t, is_sorted(columns, order, cases[i].n), cases[i].name);
		arena_free(&a);
	}
	return test_done(&t);
}
