#include "group.h"

#include "../base/hash.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

void group_extend(struct date *first, struct date *last, struct date date)
{
	if (date.day == INT_MIN)
		return;
	if (first->day == INT_MIN || date.day < first->day)
		*first = date;
	if (date.day > last->day)
		*last = date;
}

enum {
	SLOTS_LEAST = 64,
	GROUPS_AT_ONCE = 64, /* are made */
	FILE_BLOCK = 1 << 16,
	GROUP_BLOCK = 40 << 20, /* malloc keeps none of more than 32 MiB to itself */
};

void group_end_files(struct collection *c)
{
	arena_free(&c->file_arena);
	arena_free(&c->slots_arena);
	c->file_slots = NULL;
	c->file_slots_cap = 0;
}

void group_free(struct collection *c)
{
	arena_free(&c->group_arena);
	c->groups = NULL;
	c->ngroups = c->groups_made = c->groups_cap = 0;
}

void group_begin_file(struct collection *c)
{
	arena_clear(&c->file_arena);
	arena_free(&c->slots_arena);
	c->file_slots = NULL;
	c->file_slots_cap = 0;
	c->file_arena.block_size = FILE_BLOCK;
	c->group_arena.block_size = GROUP_BLOCK;
	c->file_names = file_names_make(&c->file_arena);
	c->file_group0 = c->ngroups;
	item_store_begin(&c->items);
}

void group_drop_file(struct collection *c)
{
	for (size_t i = c->file_group0; i < c->ngroups; i++)
		items_drop(&c->groups[i]->items);
	c->ngroups = c->file_group0;
	item_store_back(&c->items);
	group_begin_file(c);
}

static bool same_group(const struct row *a, const struct row *b)
{
	return a->machine == b->machine && a->device == b->device && a->workload == b->workload
	       && a->precision == b->precision && a->framework == b->framework
	       && a->source == b->source && a->device_count == b->device_count
	       && a->override == b->override;
}

/* With the key of a map (hash.h): the numbers of names go by their order in the file, so that rows
 * could be made to meet in one place. The map has it since the name of the first row's machine. */
static unsigned hash_of(const struct collection *c, const struct row *r)
{
	const unsigned parts[] = { r->machine,   r->device, r->workload,
				   r->precision, r->framework, r->source,
				   (unsigned)r->device_count, (unsigned)r->override };

	return (unsigned)hash_bytes(c->file_names.machines.map.key, parts, sizeof parts);
}

/* Number of a group, from 1; 0: free. Its hash stands here too, for the group itself lies far
 * away. */
struct group_slot {
	unsigned group, hash;
};

/* Where the group of a row stands among the file's, or the free place for it. */
static struct group_slot *slot_of(struct collection *c, const struct row *row, unsigned hash)
{
	size_t i = hash & (c->file_slots_cap - 1);

	for (; c->file_slots[i].group; i = (i + 1) & (c->file_slots_cap - 1)) {
		const struct group_slot *s = &c->file_slots[i];
		if (s->hash == hash && same_group(&c->groups[s->group - 1]->row, row))
			break;
	}
	return &c->file_slots[i];
}

static void grow_slots(struct collection *c)
{
	struct arena old_arena = c->slots_arena;
	const struct group_slot *old = c->file_slots;
	size_t old_cap = c->file_slots_cap, cap = old_cap ? 2 * old_cap : SLOTS_LEAST;

	c->slots_arena = (struct arena){ .block_size = sizeof *c->file_slots };
	c->file_slots = arena_array(&c->slots_arena, cap, sizeof *c->file_slots);
	c->file_slots_cap = cap;
	for (size_t k = 0; k < old_cap; k++) {
		size_t i = old[k].hash & (cap - 1);
		if (old[k].group == 0)
			continue;
		while (c->file_slots[i].group)
			i = (i + 1) & (cap - 1);
		c->file_slots[i] = old[k];
	}
	arena_free(&old_arena);
}

/* A group that no row has: of a file that was dropped, or one more. */
static struct group *free_group(struct collection *c)
{
	if (c->ngroups == c->groups_made) {
		struct group *more = arena_array(&c->group_arena, GROUPS_AT_ONCE, sizeof *more);
		c->groups = arena_grow(&c->group_arena, c->groups, &c->groups_cap,
				       c->groups_made + GROUPS_AT_ONCE, sizeof *c->groups);
		for (size_t i = 0; i < GROUPS_AT_ONCE; i++) {
			/* zeros are written: a page that is read first is faulted in twice */
			more[i].items = (struct items){ .n = 0 };
			c->groups[c->groups_made++] = &more[i];
		}
	}
	return c->groups[c->ngroups++];
}

struct group *group_of(struct collection *c, const struct row *row)
{
	unsigned hash = hash_of(c, row);

	if ((c->ngroups - c->file_group0 + 1) * 4 > c->file_slots_cap * 3)
		grow_slots(c);
	struct group_slot *slot = slot_of(c, row, hash);
	if (slot->group)
		return c->groups[slot->group - 1];
	struct group *g = free_group(c);
	*g = (struct group){ .row = *row, .least = INFINITY, .most = -INFINITY,
			     .first = { INT_MIN }, .last = { INT_MIN } };
	*slot = (struct group_slot){ (unsigned)c->ngroups, hash };
	return g;
}

void group_add(struct collection *c, struct group *g, const struct item *v, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		g->least = v[i].value < g->least ? v[i].value : g->least;
		g->most = v[i].value > g->most ? v[i].value : g->most;
		if (i > 0 && v[i].day == v[i - 1].day)
			continue;
		group_extend(&g->first, &g->last, (struct date){ v[i].day });
		g->undated = g->undated || v[i].day == INT_MIN;
	}
	items_add(&c->items, &g->items, v, n);
	g->n += (unsigned)n;
}

void group_take_out(struct collection *c, struct group *g, int line)
{
	struct group_out *out = g->out;

	if (!out)
		out = g->out = arena_alloc(c->arena, sizeof *out);
	out->lines = arena_grow(c->arena, out->lines, &out->cap, out->n + 1, sizeof *out->lines);
	out->lines[out->n++] = line;
	out->sorted = false;
	g->median_of = 0;
	g->n--;
	c->taken_out++;
}

static int compare_lines(const void *pa, const void *pb)
{
	int a = *(const int *)pa, b = *(const int *)pb;

	return (a > b) - (a < b);
}

struct group_cursor group_first(const struct collection *c, struct group *g)
{
	struct group_cursor cur;

	if (g->out && !g->out->sorted)
		qsort(g->out->lines, g->out->n, sizeof *g->out->lines, compare_lines);
	if (g->out)
		g->out->sorted = true;
	cur.store = &c->items;
	cur.group = g;
	cur.at = (struct item_cursor){ 0 };
	/* stays as it is meanwhile: the arena keeps what a list has grown out of */
	cur.out = g->out ? g->out->lines : NULL;
	cur.nout = g->out ? g->out->n : 0;
	cur.failed = false;
	cur.n = 0;
	return cur;
}

/* Leaves out what was taken out; both lists of lines rise. */
static void keep_rows(struct group_cursor *cur)
{
	size_t kept = 0;

	for (size_t i = 0; i < cur->n; i++) {
		if (cur->nout && *cur->out == cur->v[i].line) {
			cur->out++;
			cur->nout--;
			continue;
		}
		cur->v[kept++] = cur->v[i];
	}
	cur->n = kept;
}

bool group_next(struct group_cursor *cur, struct error *err)
{
	do {
		if (!items_next(cur->store, &cur->group->items, &cur->at, cur->v, &cur->n, err)) {
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

bool group_settle(const struct collection *c, struct group *g, struct error *err)
{
	if (!g->out)
		return true;
	struct group_cursor cur = group_first(c, g);
	g->first.day = g->last.day = INT_MIN;
	while (group_next(&cur, err))
		for (size_t i = 0; i < cur.n; i++)
			group_extend(&g->first, &g->last, (struct date){ cur.v[i].day });
	return !cur.failed;
}
