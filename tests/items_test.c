/* Lists of items that are written aside: what is read back is what was added, whatever the budget.
 * */
#include "test.h"

#include "../base/stat.h"
#include "../collect/items.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LISTS = 40, ROUNDS = 600, TURNS = 20000, FILES = 100 };

static double value_of(size_t list, size_t i)
{
	return (double)(list * 1000003 + i) / 7;
}

/* Adds n items, at most 100, to a list of that number. */
static void add(struct item_store *s, struct items *list, size_t number, size_t n)
{
	struct item v[100];

	for (size_t i = 0; i < n; i++)
		v[i] = (struct item){ value_of(number, list->n + i), (int)(list->n + i),
				      (int)number - 3 };
	items_add(s, list, v, n);
}

/* Adds runs of random lengths to random lists. */
static void fill(struct item_store *s, struct items *lists)
{
	struct rng r = { 3 };

	for (size_t round = 0; round < ROUNDS; round++) {
		size_t list = rng_below(&r, LISTS), n = rng_below(&r, 100) + 1;
		add(s, &lists[list], list, n);
	}
}

static bool is_whole(const struct item_store *s, const struct items *list, size_t number)
{
	struct item_cursor cur = { 0 };
	struct item v[ITEMS_PIECE];
	struct error err = { 0 };
	size_t n, at = 0;

	while (items_next(s, list, &cur, v, &n, &err) && n)
		for (size_t i = 0; i < n; i++, at++)
			if (v[i].value != value_of(number, at) || v[i].line != (int)at
			    || v[i].day != (int)number - 3)
				return false;
	return err.code == ERR_NONE && at == list->n;
}

/* Lists are filled and dropped again and again, as those of files that are refused, beside others
 * that stay. */
static void test_again(struct test *t, struct item_store *s, const struct items *stay,
		       struct items *lists)
{
	unsigned long long end = 0;
	size_t extents = 0;
	bool good = true, bounded = true;

	for (size_t round = 0; round < 3; round++) {
		item_store_begin(s);
		fill(s, lists);
		for (size_t i = 0; i < LISTS; i++)
			good = good && is_whole(s, &lists[i], i) && is_whole(s, &stay[i], i);
		if (round == 0) {
			extents = arena_bytes(&s->arena);
			end = s->end;
		}
		bounded = bounded && arena_bytes(&s->arena) <= extents + (1 << 15)
			  && s->end <= end + (1 << 17);
		for (size_t i = 0; i < LISTS; i++)
			items_drop(&lists[i]);
		item_store_back(s);
	}
	for (size_t i = 0; i < LISTS; i++)
		good = good && lists[i].n == 0 && is_whole(s, &lists[i], i)
		       && is_whole(s, &stay[i], i);
	test_ok(t, good, "lists beside those that are dropped stay as they are");
	test_ok(t, bounded, "which take no more room when they are filled again");
}

static void test_budget(struct test *t, const char *dir, size_t budget, bool spills,
			const char *name)
{
	struct item_store s = item_store_make(dir, 0, budget);
	struct items lists[LISTS] = { 0 }, again[LISTS] = { 0 };
	bool good = true;

	fill(&s, lists);
	for (size_t i = 0; i < LISTS; i++)
		good = good && is_whole(&s, &lists[i], i);
	test_ok(t, good && s.err.code == ERR_NONE, name);
	test_ok(t,
		(s.fd >= 0) == spills && s.held <= s.room
		    && s.room <= (budget ? budget : ITEMS_BUDGET) + 8192,
		"and the memory is kept to");
	test_ok(t, !spills || (fcntl(s.fd, F_GETFD) & FD_CLOEXEC),
		"no program that is run has the file");
	test_again(t, &s, lists, again);
	item_store_close(&s);
}

/* Lists that take turns item by item lie in as many places of the file as they went there. */
static void test_turns(struct test *t, const char *dir)
{
	struct item_store s = item_store_make(dir, 0, 8 << 10);
	struct items lists[LISTS] = { 0 };
	bool good = true;

	for (size_t turn = 0; turn < TURNS; turn++)
		for (size_t i = 0; i < LISTS; i++)
			add(&s, &lists[i], i, 1);
	for (size_t i = 0; i < LISTS; i++)
		good = good && lists[i].n == TURNS && is_whole(&s, &lists[i], i);
	test_ok(t, good && s.err.code == ERR_NONE, "lists that take turns");
	test_ok(t, s.end > TURNS * LISTS * sizeof(struct item) / 2
		    && arena_bytes(&s.arena) < 64 << 10,
		"take no memory for the places where they lie");
	printf("# %zu bytes\n", arena_bytes(&s.arena));
	item_store_close(&s);
}

/* Files of rows that are refused one after another, each of so many items. */
static void refuse(struct item_store *s, size_t hundreds)
{
	struct items lists[LISTS] = { 0 };

	for (size_t file = 0; file < FILES; file++) {
		struct items *list = &lists[file % LISTS];
		item_store_begin(s);
		for (size_t i = 0; i < hundreds; i++)
			add(s, list, 1, 100);
		items_drop(list);
		item_store_back(s);
	}
}

static void test_refused(struct test *t, const char *dir)
{
	struct item_store s = item_store_make(dir, 0, 64 << 10);
	struct items kept = { 0 }, last = { 0 };

	add(&s, &kept, 5, 50);
	size_t held = s.held;
	refuse(&s, 10);
	test_ok(t, s.fd < 0 && s.held == held && is_whole(&s, &kept, 5),
		"files that are refused give back their part of the pool");
	refuse(&s, 100);
	/* the items that are kept, in one extent */
	test_ok(t, s.fd >= 0 && s.held == 0 && s.end == 51 * sizeof(struct item)
		    && is_whole(&s, &kept, 5),
		"and those that are too large for it, of the file");
	item_store_begin(&s);
	add(&s, &last, 6, 50);
	test_ok(t, s.end == 51 * sizeof(struct item) && is_whole(&s, &last, 6)
		    && is_whole(&s, &kept, 5),
		"the next one has the whole pool");
	item_store_close(&s);
}

static void test_failure(struct test *t)
{
	struct item_store s = item_store_make("/dev/null/x", 0, 1024);
	struct items lists[LISTS] = { 0 };

	fill(&s, lists);
	test_ok(t, s.err.code == ERR_ENVIRONMENT && strstr(s.err.msg, "/dev/null"), "no folder");
	item_store_close(&s);
}

int main(void)
{
	struct test t = { 0 };
	char dir[] = "/tmp/gpuguide-test-XXXXXX";

	if (!mkdtemp(dir))
		return 1;
	test_budget(&t, dir, 0, false, "all in memory");
	test_budget(&t, dir, 64 << 10, true, "a small budget");
	test_budget(&t, dir, 1, true, "no budget at all");
	test_turns(&t, dir);
	test_refused(&t, dir);
	test_failure(&t);
	test_ok(&t, rmdir(dir) == 0, "nothing is left behind");
	return test_done(&t);
}
