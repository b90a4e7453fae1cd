#include "map.h"

#include <stdint.h>
#include <string.h>

#ifdef __linux__
#include <sys/auxv.h>
#endif

/* What strangers send becomes keys: with a hash that they can compute, 20,000 well-chosen names would meet in one
 * place and cost seconds. So it is keyed with what only this process knows: the 16 random bytes that the kernel
 * hands to every program, elsewhere where the map's memory happens to lie. The order of slots is never seen
 * outside, so that the results do not depend on it. */
static void draw_key(struct map *m)
{
	const void *random = NULL;
	uintptr_t lies_at = (uintptr_t)m->arena;

#ifdef __linux__
	random = (const void *)(uintptr_t)getauxval(AT_RANDOM);
#endif
	if (random)
		memcpy(m->key, random, sizeof m->key);
	else
		memcpy(m->key, &lies_at, sizeof lies_at);
}

static uint64_t rotate(uint64_t x, int bits)
{
	return x << bits | x >> (64 - bits);
}

static void sip_round(uint64_t v[4])
{
	v[0] += v[1], v[2] += v[3];
	v[1] = rotate(v[1], 13) ^ v[0], v[3] = rotate(v[3], 16) ^ v[2];
	v[0] = rotate(v[0], 32);
	v[2] += v[1], v[0] += v[3];
	v[1] = rotate(v[1], 17) ^ v[2], v[3] = rotate(v[3], 21) ^ v[0];
	v[2] = rotate(v[2], 32);
}

/* SipHash-1-3: Aumasson & Bernstein, INDOCRYPT 2012; words in the machine's own byte order. */
static size_t hash(const struct map *m, struct str key)
{
	uint64_t v[4] = { m->key[0] ^ 0x736f6d6570736575u, m->key[1] ^ 0x646f72616e646f6du,
		          m->key[0] ^ 0x6c7967656e657261u, m->key[1] ^ 0x7465646279746573u };
	uint64_t word, last = (uint64_t)key.len << 56;
	size_t at = 0;

	for (; at + 8 <= key.len; at += 8) {
		memcpy(&word, key.p + at, 8);
		v[3] ^= word;
		sip_round(v);
		v[0] ^= word;
	}
	for (int shift = 0; at < key.len; at++, shift += 8)
		last |= (uint64_t)(unsigned char)key.p[at] << shift;
	v[3] ^= last;
	sip_round(v);
	v[0] ^= last;
	v[2] ^= 0xff;
	for (int i = 0; i < 3; i++)
		sip_round(v);
	return (size_t)(v[0] ^ v[1] ^ v[2] ^ v[3]);
}

static struct map_slot *slot_of(const struct map *m, struct str key)
{
	size_t i = hash(m, key) & (m->cap - 1);

	while (m->slots[i].key.p && !str_eq(m->slots[i].key, key))
		i = (i + 1) & (m->cap - 1);
	return &m->slots[i];
}

static void grow(struct map *m)
{
	struct map old = *m;

	if (old.cap == 0)
		draw_key(m);
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
