/* collect/overlap.c: groups that no other machine's rows can equal are left out, and no others. */
#include "test.h"

#include "../base/stat.h"
#include "../collect/overlap.h"

#include <limits.h>

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

int main(void)
{
	struct test t = { 0 };

	for (size_t k = 0; k < LEN(cases); k++)
		test_case(&t, k);
	test_many(&t);
	return test_done(&t);
}
