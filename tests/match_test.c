/* Equal values of one day under different machines: what is told is what comparing each row with
 * each gives, however few are in memory at once. */
#include "test.h"

#include "../base/stat.h"
#include "../collect/match.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { MACHINES = 5, GROUPS = 2 * MACHINES, ROWS = 3000 };

/* Groups by machine, two of each, their rows in the lines of two files. */
struct bench {
	struct arena arena;
	struct collection c;
	struct group made[GROUPS], *groups[GROUPS];
};

static void open_bench(struct bench *b)
{
	*b = (struct bench){ .c = { .items = item_store_make("/dev/null/x", 0, 0) } };
	for (unsigned g = 0; g < GROUPS; g++) {
		b->made[g].row.machine = g / 2;
		b->made[g].row.file = (unsigned)(g % 3 == 0);
		b->groups[g] = &b->made[g];
	}
}

static void close_bench(struct bench *b)
{
	item_store_close(&b->c.items);
	arena_free(&b->arena);
}

static void add(struct bench *b, size_t g, double value, int day, int line)
{
	const struct item item = { value, line, day };

	items_add(&b->c.items, &b->made[g].items, &item, 1);
	b->made[g].n++;
}

/* --- what is told --- */

/* A row of a copy: where it stands, and the row that it is told to copy. */
struct told {
	unsigned group, of;
	int line, of_line;
};

struct listener {
	struct bench *b;
	struct told *v;
	size_t n, cap, matches, runs, rows; /* rows: of all runs */
	double last_value;
	int last_day;
	bool rises;   /* values and days */
};

static void hear(void *ctx, const struct match *m, unsigned *original)
{
	struct listener *l = ctx;

	l->rises = l->rises
		   && (m->value > l->last_value
		       || (m->value == l->last_value && m->day > l->last_day));
	l->last_value = m->value;
	l->last_day = m->day;
	l->matches++;
	l->runs += m->n;
	for (size_t i = 0; i < m->n; i++)
		l->rows += m->runs[i].n;
	for (size_t i = 1; original && i < m->n; i++)
		original[i] = 0;
}

static void hear_row(void *ctx, struct group *g, const struct item *item, const struct group *of,
		     int line)
{
	struct listener *l = ctx;

	l->v = arena_grow(&l->b->arena, l->v, &l->cap, l->n + 1, sizeof *l->v);
	l->v[l->n++] = (struct told){ (unsigned)(g - l->b->made), (unsigned)(of - l->b->made),
				      item->line, line };
}

static int compare_told(const void *pa, const void *pb)
{
	const struct told *a = pa, *b = pb;

	if (a->group != b->group)
		return a->group < b->group ? -1 : 1;
	return (a->line > b->line) - (a->line < b->line);
}

/* taken: bytes of memory */
static struct listener listen(struct bench *b, size_t block, size_t *taken)
{
	struct listener l = { .b = b, .rises = true };
	const struct match_use use = { &l, hear, hear_row };
	struct arena a = { .block_size = 1 << 12 };
	struct error err = { 0 };

	if (!match_each(&b->c, b->groups, GROUPS, block, &use, &a, &err))
		error_print(stdout, &err);
	*taken = arena_bytes(&a);
	arena_free(&a);
	if (l.n > 1)
		qsort(l.v, l.n, sizeof *l.v, compare_told);
	return l;
}

/* --- against every row with every other --- */

struct plain {
	double value;
	int day, line;
	unsigned group;
};

static struct plain *fill(struct bench *b)
{
	struct plain *v = arena_array(&b->arena, ROWS, sizeof *v);
	struct rng r = { 7 };

	for (size_t i = 0; i < ROWS; i++) {
		/* a few values are many rows', most have few */
		size_t value = rng_below(&r, rng_below(&r, 2) ? 5 : ROWS / 4);
		v[i] = (struct plain){ 100 + (double)value / 7, (int)rng_below(&r, 3) - 1,
				       (int)i + 2, (unsigned)rng_below(&r, GROUPS) };
		add(b, v[i].group, v[i].value, v[i].day, v[i].line);
	}
	return v;
}

static bool is_equal(const struct plain *a, const struct plain *b)
{
	return a->value == b->value && a->day == b->day;
}

/* The row of equal value that was read first of the first machine that has one. */
static const struct plain *first_of(const struct bench *b, const struct plain *v, size_t i)
{
	const struct plain *first = &v[i];

	for (size_t k = 0; k < ROWS; k++) {
		const struct row *r = &b->made[v[k].group].row, *f = &b->made[first->group].row;
		if (!is_equal(&v[k], &v[i]) || r->machine > f->machine)
			continue;
		if (r->machine < f->machine || r->file < f->file
		    || (r->file == f->file && v[k].line < first->line))
			first = &v[k];
	}
	return first;
}

static struct listener compare_all(struct bench *b, const struct plain *v)
{
	struct listener l = { .b = b };

	for (size_t i = 0; i < ROWS; i++) {
		const struct plain *first = first_of(b, v, i);
		if (b->made[first->group].row.machine == b->made[v[i].group].row.machine)
			continue;
		hear_row(&l, &b->made[v[i].group], &(struct item){ v[i].value, v[i].line, v[i].day },
			 &b->made[first->group], first->line);
	}
	qsort(l.v, l.n, sizeof *l.v, compare_told);
	return l;
}

static void test_blocks(struct test *t)
{
	static const struct {
		const char *name;
		size_t block;
	} cases[] = {
		{ "all in memory at once", 1 << 20 }, { "in two parts", ROWS },
		{ "a tenth of them", ROWS / 10 },     { "thirty", 30 },
		{ "one", 1 },
	};
	struct bench b;
	size_t matches = 0, runs = 0, rows = 0, taken;

	open_bench(&b);
	struct listener want = compare_all(&b, fill(&b));
	for (size_t i = 0; i < LEN(cases); i++) {
		struct listener got = listen(&b, cases[i].block, &taken);
		if (i == 0) {
			matches = got.matches;
			runs = got.runs;
			rows = got.rows;
		}
		test_ok(t, want.n > ROWS / 4 && got.n == want.n
			    && memcmp(got.v, want.v, want.n * sizeof *want.v) == 0,
			cases[i].name);
		test_ok(t, got.matches == matches && got.runs == runs && got.rows == rows
			    && rows > want.n && runs <= matches * MACHINES,
			"  each value and day once, with all its rows");
	}
	close_bench(&b);
}

/* --- memory --- */

/* Whether a row is of the first of so many parts, as match.c computes it. */
static bool is_in_first_part(double value, int day, size_t parts)
{
	uint64_t h;

	memcpy(&h, &value, sizeof h);
	h = (h ^ (uint64_t)(unsigned)day << 20) * 0x9e3779b97f4a7c15u;
	h = (h ^ h >> 32) * 0xd6e8feb86659fd93u;
	h ^= h >> 32;
	return (h >> 40) * parts >> 24 == 0;
}

enum { MANY = 200000, BLOCK = 10000, MEMORY = 1 << 20 };

/* One value and day, in turns with another one that only one machine has. */
static void put_one_value(struct bench *b)
{
	for (int i = 0; i < MANY; i++)
		add(b, (size_t)i % 2, i % 4 < 2 ? 300 : 301, 20000, i + 2);
	for (int i = 0; i < MANY; i++)
		add(b, 4 + (size_t)i % 2, 300, 20000, i + 2);
}

/* Values that all are of one part, each of two machines. */
static void put_one_part(struct bench *b)
{
	size_t parts = (size_t)MANY / BLOCK + 1;
	int n = 0;

	for (int i = 0; n < MANY / 2; i++) {
		double value = 300 + (double)i / 65536;
		if (!is_in_first_part(value, 20000, parts))
			continue;
		add(b, 0, value, 20000, n + 2);
		add(b, 2, value, 20000, n + 2);
		n++;
	}
}

static void test_memory(struct test *t)
{
	static const struct {
		const char *name;
		void (*put)(struct bench *b);
		size_t matches, runs, rows, copies;
	} cases[] = {
		{ "rows of one value and day", put_one_value, 1, 2, MANY / 2 + MANY, MANY },
		{ "rows that were made to share a part", put_one_part, MANY / 2, MANY, MANY,
		  MANY / 2 },
	};

	for (size_t i = 0; i < LEN(cases); i++) {
		struct bench b;
		size_t taken;
		open_bench(&b);
		cases[i].put(&b);
		struct listener l = listen(&b, BLOCK, &taken);
		test_ok(t, l.matches == cases[i].matches && l.runs == cases[i].runs
			    && l.rows == cases[i].rows && l.n == cases[i].copies && l.rises,
			cases[i].name);
		test_ok(t, taken < MEMORY, "  take no more memory than others");
		printf("# %zu bytes\n", taken);
		close_bench(&b);
	}
}

int main(void)
{
	struct test t = { 0 };

	test_blocks(&t);
	test_memory(&t);
	return test_done(&t);
}
