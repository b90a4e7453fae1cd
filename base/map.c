#include "map.h"

#include "hash.h"

static struct map_slot *slot_of(const struct map *m, struct str key)
{
	size_t i = (size_t)hash_bytes(m->key, key.p, key.len) & (m->cap - 1);

	while (m->slots[i].key.p && !str_eq(m->slots[i].key, key))
		i = (i + 1) & (m->cap - 1);
	return &m->slots[i];
}

static void grow(struct map *m)
{
	struct map old = *m;

	if (old.cap == 0)
		hash_draw_key(m->arena, m->key);
	m->cap = old.cap ? old.cap * 2 : 64;
	m->slots = arena_array(m->arena, m->cap, sizeof *m->slots);
	for (size_t i = 0; i < old.cap; i++)
		if (old.slots[i].key.p)
			*slot_of(m, old.slots[i].key) = old.slots[i];
}

size_t *map_put(struct map *m, struct str key, size_t value, bool *fresh)
{
	if (!key.p)
		key = STR(""); /* a slot with a NULL key is free */
	if ((m->n + 1) * 4 > m->cap * 3)
		grow(m);
	struct map_slot *s = slot_of(m, key);
	bool is_new = !s->key.p;

	if (is_new) {
		*s = (struct map_slot){ key, value };
		m->n++;
	}
	if (fresh)
		*fresh = is_new;
	return &s->value;
}

const size_t *map_get(const struct map *m, struct str key)
{
	if (m->cap == 0)
		return NULL;
	if (!key.p)
		key = STR("");
	const struct map_slot *s = slot_of(m, key);
	return s->key.p ? &s->value : NULL;
}
