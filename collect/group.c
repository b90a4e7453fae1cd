#include "group.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void group_begin_file(struct collection *c)
{
	arena_free(&c->file_arena);
	c->file_groups = names_make(&c->file_arena);
	c->file_group0 = c->ngroups;
}

void group_drop_file(struct collection *c)
{
	for (size_t i = c->file_group0; i < c->ngroups; i++)
		items_drop(&c->groups[i]->items);
	c->ngroups = c->file_group0;
	group_begin_file(c);
}

struct group *group_of(struct collection *c, const struct row *row)
{
	const unsigned long long key[] = {
		(unsigned long long)row->machine << 32 | row->device,
		(unsigned long long)row->workload << 32 | row->precision,
		(unsigned long long)row->framework << 32 | row->source,
		(unsigned long long)(unsigned)row->device_count << 32 | (unsigned)row->date.day,
		(unsigned)row->override,
	};
	bool fresh;
	size_t at = names_put_numbers(&c->file_groups, key, LEN(key), &fresh) + c->file_group0;

	if (!fresh)
		return c->groups[at];
	struct group *g = arena_alloc(c->arena, sizeof *g);
	*g = (struct group){ .row = *row, .least = INFINITY, .most = -INFINITY };
	c->groups = arena_grow(c->arena, c->groups, &c->groups_cap, at + 1, sizeof *c->groups);
	c->groups[c->ngroups++] = g;
	return g;
}

void group_add(struct collection *c, struct group *g, const double *values, const int *lines,
	       size_t n)
{
	for (size_t i = 0; i < n; i++) {
		g->least = values[i] < g->least ? values[i] : g->least;
		g->most = values[i] > g->most ? values[i] : g->most;
	}
	items_add(&c->items, &g->items, values, lines, n);
	g->n += n;
}

void group_take_out(struct collection *c, struct group *g, int line)
{
	g->out = arena_grow(c->arena, g->out, &g->out_cap, g->nout + 1, sizeof *g->out);
	g->out[g->nout++] = line;
	g->out_sorted = false;
	g->median_known = false;
	g->n--;
}

static int compare_lines(const void *pa, const void *pb)
{
	int a = *(const int *)pa, b = *(const int *)pb;

	return (a > b) - (a < b);
}

struct group_cursor group_first(const struct collection *c, struct group *g)
{
	struct group_cursor cur;

	if (!g->out_sorted && g->nout)
		qsort(g->out, g->nout, sizeof *g->out, compare_lines);
	g->out_sorted = true;
	cur.store = &c->items;
	cur.group = g;
	cur.at = (struct item_cursor){ 0 };
	cur.out = g->out; /* stays as it is: the arena keeps what a list has grown out of */
	cur.nout = g->nout;
	cur.failed = false;
	cur.n = 0;
	return cur;
}

/* Leaves out what was taken out; both lists of lines rise. */
static void keep_rows(struct group_cursor *cur)
{
	size_t kept = 0;

	for (size_t i = 0; i < cur->n; i++) {
		if (cur->nout && *cur->out == cur->lines[i]) {
			cur->out++;
			cur->nout--;
			continue;
		}
		cur->values[kept] = cur->values[i];
		cur->lines[kept++] = cur->lines[i];
	}
	cur->n = kept;
}

bool group_next(struct group_cursor *cur, struct error *err)
{
	do {
		if (!items_next(cur->store, &cur->group->items, &cur->at, cur->values, cur->lines,
				&cur->n, err)) {
			cur->failed = true;
			return false;
		}
		if (cur->n == 0)
			return false;
		if (cur->nout)
			keep_rows(cur);
	} while (cur->n == 0);
	return true;
}

bool group_values(const struct collection *c, struct group *g, double *values, struct error *err)
{
	size_t n = 0;

	if (g->nout == 0)
		return items_read(&c->items, &g->items, values, err);
	struct group_cursor cur = group_first(c, g);
	while (group_next(&cur, err)) {
		memcpy(values + n, cur.values, cur.n * sizeof *values);
		n += cur.n;
	}
	return !cur.failed;
}
