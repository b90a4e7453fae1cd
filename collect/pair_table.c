#include "pair_table.h"

#include "../base/hash.h"

static struct pair *slot_of(const struct pair_table *t, unsigned a, unsigned b, int day)
{
	const unsigned parts[] = { a, b, (unsigned)day };
	size_t i = (size_t)hash_bytes(t->key, parts, sizeof parts) & (t->cap - 1);

	while (t->slots[i].a != t->slots[i].b
	       && (t->slots[i].a != a || t->slots[i].b != b || t->slots[i].day != day))
		i = (i + 1) & (t->cap - 1);
	return &t->slots[i];
}

static void grow(struct pair_table *t)
{
	struct pair_table old = *t;

	if (old.cap == 0)
		hash_draw_key(t->arena, t->key);
	t->cap = old.cap ? 2 * old.cap : 64;
	t->slots = arena_array(t->arena, t->cap, sizeof *t->slots);
	for (size_t i = 0; i < old.cap; i++)
		if (old.slots[i].a != old.slots[i].b)
			*slot_of(t, old.slots[i].a, old.slots[i].b, old.slots[i].day) =
			    old.slots[i];
}

struct pair *pair_put(struct pair_table *t, unsigned a, unsigned b, int day)
{
	if ((t->n + 1) * 4 > t->cap * 3)
		grow(t);
	struct pair *p = slot_of(t, a, b, day);
	if (p->a == p->b) {
		*p = (struct pair){ .a = a, .b = b, .day = day };
		t->n++;
	}
	return p;
}

struct pair *pair_get(const struct pair_table *t, unsigned a, unsigned b, int day)
{
	struct pair *p = t->cap ? slot_of(t, a, b, day) : NULL;

	return p && p->a != p->b ? p : NULL;
}
