/* collect/overlap.c: groups that no other machine's rows can equal are left out, and no others. */
#include "test.h"

#include "../base/hash.h"
#include "../base/stat.h"
#include "../collect/overlap.h"

#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 400, ROWS = 3 };

static struct group group_with(unsigned machine, int first, int last, double least, double most)
{
	return (struct group){ .row = { .machine = machine }, .least = least, .most = most, .first = { first },
			       .last = { last } };
}

static const struct {
	const char *name;
	struct {
		unsigned machine;
		int first, last;
		double least, most;
		bool undated;
	} v[3]; /* of machine 0: there is none */
	size_t left;
} cases[] = {
	{ "the same value and day", { { 1, 100, 100, 50, 50, false }, { 2, 100, 100, 50, 50, false } }, 2 },
	{ "other days", { { 1, 100, 100, 50, 50, false }, { 2, 101, 101, 50, 50, false } }, 0 },
	{ "other values", { { 1, 100, 100, 50, 50, false }, { 2, 100, 100, 60, 60, false } }, 0 },
	{ "one machine", { { 1, 100, 100, 50, 50, false }, { 1, 100, 100, 50, 50, false } }, 0 },
	{ "ranges that meet at their ends", { { 1, 100, 103, 50, 52, false }, { 2, 103, 105, 52, 54, false } }, 2 },
	{ "ranges one of which is in the other",
	  { { 1, 100, 103, 50, 53, false }, { 2, 101, 102, 51, 51.5, false } }, 2 },
	{ "the third alone",
	  { { 1, 100, 103, 50, 53, false }, { 2, 101, 102, 51, 51.5, false }, { 3, 90, 91, 51, 51.5, false } }, 2 },
	{ "none has a date", { { 1, INT_MIN, INT_MIN, 50, 50, true }, { 2, INT_MIN, INT_MIN, 50, 50, true } }, 2 },
	{ "one has none", { { 1, 100, 100, 50, 50, false }, { 2, INT_MIN, INT_MIN, 50, 50, true } }, 0 },
	{ "one has rows without, too", { { 1, 100, 100, 50, 50, true }, { 2, INT_MIN, INT_MIN, 50, 50, true } }, 2 },
	{ "many days: all are left", { { 1, 100, 1000, 50, 50, false }, { 2, 2000, 2000, 50, 50, false } }, 2 },
	{ "many values: all are left", { { 1, 100, 100, 1, 5000, false }, { 2, 2000, 2000, 50, 50, false } }, 2 },
	{ "all days", { { 1, INT_MIN + 1, INT_MAX, 1, 5000, true }, { 2, 2000, 2000, 50, 50, false } }, 2 },
	{ "nothing", { { 0 } }, 0 },
};

static void test_case(struct test *t, size_t k)
{
	struct group v[LEN(cases[k].v)], *groups[LEN(cases[k].v)];
	size_t n = 0;

	for (; n < LEN(v) && cases[k].v[n].machine; n++) {
		v[n] = group_with(cases[k].v[n].machine, cases[k].v[n].first, cases[k].v[n].last, cases[k].v[n].least,
				  cases[k].v[n].most);
		v[n].undated = cases[k].v[n].undated;
		groups[n] = &v[n];
	}
	test_ok(t, overlap_sift(groups, n) == cases[k].left, cases[k].name);
}

/* --- many groups, each of some rows --- */

struct row_of {
	int day;
	double value;
};

/* Rows of few days and values near one another, so that many meet. */
static void fill(struct group *g, struct row_of *rows, struct rng *random)
{
	int day = (int)rng_below(random, 200);
	double base = 100 + 2 * (double)rng_below(random, 50);

	*g = group_with((unsigned)rng_below(random, MOST / 2), INT_MIN, INT_MIN, INFINITY, -INFINITY);
	for (size_t i = 0; i < ROWS; i++) {
		rows[i].day = rng_below(random, 20) ? day + (int)rng_below(random, 4) : INT_MIN;
		rows[i].value = base + 0.5 * (double)rng_below(random, 3);
		g->least = fmin(g->least, rows[i].value);
		g->most = fmax(g->most, rows[i].value);
		g->undated = g->undated || rows[i].day == INT_MIN;
		group_extend(&g->first, &g->last, (struct date){ rows[i].day });
	}
}

static bool meet(const struct row_of *a, const struct row_of *b)
{
	for (size_t i = 0; i < ROWS; i++)
		for (size_t k = 0; k < ROWS; k++)
			if (a[i].day == b[k].day && a[i].value == b[k].value)
				return true;
	return false;
}

static void test_many(struct test *t)
{
	static struct row_of rows[MOST][ROWS];
	static struct group v[MOST];
	struct group *groups[MOST];
	struct rng random = { 3 };
	size_t met = 0, left_out = 0;
	bool right = true;

	for (int round = 0; round < 20; round++) {
		bool left[MOST] = { false };
		for (size_t i = 0; i < MOST; i++) {
			fill(&v[i], rows[i], &random);
			groups[i] = &v[i];
		}
		size_t n = overlap_sift(groups, MOST);
		for (size_t i = 0; i < n; i++) {
			right = right && (i == 0 || groups[i] > groups[i - 1]);
			left[groups[i] - v] = true;
		}
		left_out += MOST - n;
		for (size_t i = 0; i < MOST; i++)
			for (size_t k = 0; k < i; k++)
				if (v[i].row.machine != v[k].row.machine && meet(rows[i], rows[k])) {
					met++;
					right = right && left[i] && left[k];
				}
	}
	test_ok(t, right, "groups with equal rows are left, in their order");
	test_ok(t, met > 10 && left_out > 1000, "there were some, and many others were left out");
	printf("# %zu pairs with equal rows, %zu groups left out of %d\n", met, left_out, 20 * MOST);
}

/* --- places that nearly have one hash --- */

enum { CANDIDATES = 3 << 20, SMALL_TABLE = 64 };

struct candidate {
	int day;
	unsigned low, slot; /* of the hash of the day and the value 50, as overlap.c computes it */
};

static int compare_candidates(const void *pa, const void *pb)
{
	const struct candidate *a = pa, *b = pb;

	if (a->low != b->low)
		return a->low < b->low ? -1 : 1;
	return (a->slot > b->slot) - (a->slot < b->slot);
}

static struct candidate candidate_of(int day, const uint64_t key[2])
{
	const double value = 50;
	uint64_t h;

	memcpy(&h, &value, sizeof h);
	h = ((h >> 45) << 32 ^ (unsigned)day ^ key[0]) * 0x9e3779b97f4a7c15u;
	h = (h ^ h >> 32) * 0xd6e8feb86659fd93u;
	h ^= h >> 32;
	return (struct candidate){ day, (unsigned)h, (unsigned)(h >> 32) % SMALL_TABLE };
}

/* Days that are told apart by nothing but the upper part of their hash, whatever the key of this
 * process: their groups have no row in common. */
static void test_near_hashes(struct test *t)
{
	struct arena a = { 0 };
	struct candidate *v = arena_array(&a, CANDIDATES, sizeof *v);
	size_t near = 0, left = 0;
	uint64_t key[2];

	hash_draw_key(&a, key);
	for (int i = 0; i < CANDIDATES; i++)
		v[i] = candidate_of(i, key);
	qsort(v, CANDIDATES, sizeof *v, compare_candidates);
	for (size_t i = 1; i < CANDIDATES; i++) {
		if (compare_candidates(&v[i - 1], &v[i]) != 0)
			continue;
		struct group one = group_with(1, v[i - 1].day, v[i - 1].day, 50, 50);
		struct group other = group_with(2, v[i].day, v[i].day, 50, 50);
		struct group *groups[] = { &one, &other };
		near++;
		left += overlap_sift(groups, LEN(groups));
	}
	test_ok(t, near > 0 && left == 0, "what is left does not hang on the key of the hash");
	printf("# %zu pairs of days, %zu groups left\n", near, left);
	arena_free(&a);
}

int main(void)
{
	struct test t = { 0 };

	for (size_t k = 0; k < LEN(cases); k++)
		test_case(&t, k);
	test_many(&t);
	test_near_hashes(&t);
	return test_done(&t);
}
