/* Counts by two machines and a day: what was put is found, and keys that are chosen to meet in one
 * place cost no more than others. */
#include "test.h"

#include "../collect/pair_table.h"

#include <stdint.h>
#include <time.h>

enum { PAIRS = 40000 };

static void test_counts(struct test *t)
{
	struct arena a = { 0 };
	struct pair_table table = { .arena = &a };
	bool good = true;

	test_ok(t, pair_get(&table, 1, 2, 3) == NULL, "an empty table has no pair");
	for (int day = -3; day <= 3; day++)
		for (unsigned i = 0; i < 100; i++)
			pair_put(&table, i, i + 1, day)->matched = i + 1000u * (unsigned)(day + 3);
	for (int day = -3; day <= 3; day++)
		for (unsigned i = 0; i < 100; i++) {
			const struct pair *p = pair_get(&table, i, i + 1, day);
			good = good && p && p->matched == i + 1000u * (unsigned)(day + 3);
		}
	test_ok(t, good && table.n == 700, "each pair and day has its own count");
	test_ok(t, pair_get(&table, 2, 1, 0) == NULL && pair_get(&table, 1, 2, 4) == NULL,
		"the other way round, and on another day, it is another pair");
	pair_put(&table, 5, 6, 0)->matched++;
	test_ok(t, table.n == 700 && pair_get(&table, 5, 6, 0)->matched == 3006,
		"put again it is the same");
	arena_free(&a);
}

/* Pairs of day 0. Chosen ones a table that multiplies by a known number, and folds, would put into
 * one place: the halves of the product are alike. */
static void put_pairs(struct pair_table *table, bool chosen)
{
	const uint64_t factor = 0x9e3779b97f4a7c15u;
	uint64_t inverse =
	    factor; /* modulo 2^64, by Newton: each step doubles the bits that are right */

	for (int i = 0; i < 6; i++)
		inverse *= 2 - factor * inverse;
	for (uint64_t i = 1; i <= PAIRS; i++) {
		uint64_t both = chosen ? (i << 32 | i) * inverse : i << 32 | (i + 1);
		pair_put(table, (unsigned)(both >> 32), (unsigned)both, 0)->matched++;
	}
}

static void test_hostile(struct test *t)
{
	for (int chosen = 0; chosen < 2; chosen++) {
		struct arena a = { 0 };
		struct pair_table table = { .arena = &a };
		clock_t begin = clock();
		put_pairs(&table, chosen);
		double seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
		printf("# %zu pairs, %.3f s\n", table.n, seconds);
		test_ok(t, table.n == PAIRS && seconds < 0.4,
			chosen ? "as many that were chosen to meet" : "40,000 pairs");
		arena_free(&a);
	}
}

int main(void)
{
	struct test t = { 0 };

	test_counts(&t);
	test_hostile(&t);
	return test_done(&t);
}
