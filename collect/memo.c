#include "memo.h"

#include "../base/hash.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
	SLOTS_LEAST = 256,
	PROBES_MAX = 64, /* names that were made to have one hash are not kept beyond so many */
};

struct memo *memo_make(const struct collection *c)
{
	struct arena arena = { .block_size = 1 << 18 };
	struct memo *m = arena_alloc(&arena, sizeof *m);

	*m = (struct memo){ .arena = arena };
	atomic_init(&m->users, 1);
	m->lookup = lookup_make(c->devices, c->workloads, &m->arena);
	m->cap = SLOTS_LEAST;
	m->slots = arena_array(&m->arena, m->cap, sizeof *m->slots);
	return m;
}

struct memo *memo_use(struct memo *m)
{
	atomic_fetch_add(&m->users, 1);
	return m;
}

void memo_release(struct memo *m)
{
	if (!m || atomic_fetch_sub(&m->users, 1) > 1)
		return;
	struct arena arena = m->arena; /* it holds the memo itself */
	arena_free(&arena);
}

bool memo_is_full(const struct memo *m)
{
	return m->n >= MEMO_KEYS_MAX || m->nlayouts >= MEMO_LAYOUTS_MAX
	       || arena_bytes(&m->arena) > MEMO_HELD_MAX;
}

size_t memo_passing(const struct memo *m)
{
	return memo_is_full(m) ? arena_bytes(&m->arena) : 0;
}

static bool same_layout(const struct memo_layout *a, const struct memo_layout *b)
{
	return memcmp(a->at, b->at, sizeof a->at) == 0 && a->columns == b->columns
	       && a->separator == b->separator;
}

size_t memo_layout(struct memo *m, const struct memo_layout *layout)
{
	for (size_t i = 0; i < m->nlayouts; i++)
		if (same_layout(&m->layouts[i], layout))
			return i;
	m->layouts =
	    arena_grow(&m->arena, m->layouts, &m->layouts_cap, m->nlayouts + 1, sizeof *m->layouts);
	m->layouts[m->nlayouts] = *layout;
	return m->nlayouts++;
}

/* Eight bytes at a time; the order of the slots is never seen outside. */
uint64_t memo_hash(const struct memo_piece *pieces, size_t n)
{
	uint64_t h = 0, word;

	for (size_t i = 0; i < n; i++) {
		const char *p = pieces[i].p;
		size_t len = pieces[i].len;
		h = hash_mix(h, len);
		for (; len >= sizeof word; p += sizeof word, len -= sizeof word) {
			memcpy(&word, p, sizeof word);
			h = hash_mix(h, word);
		}
		word = 0;
		memcpy(&word, p, len);
		h = hash_mix(h, word);
	}
	return h;
}

static bool same_entry(const struct memo_entry *k, size_t layout, const struct memo_piece *pieces,
		       size_t n)
{
	const char *p = k->bytes;

	if (k->layout != layout)
		return false;
	for (size_t i = 0; i < n; i++) {
		if (k->lengths[i] != pieces[i].len || memcmp(p, pieces[i].p, pieces[i].len) != 0)
			return false;
		p += pieces[i].len;
	}
	return true;
}

/* The last two that were found: the other one goes next. */
static struct memo_entry *set_recent(struct memo *m, size_t i, struct memo_entry *e)
{
	m->recent[i] = e;
	m->oldest = 1 - i;
	return e;
}

struct memo_entry *memo_find(struct memo *m, size_t layout, const struct memo_piece *pieces,
			     size_t n, uint64_t *hash)
{
	for (size_t i = 0; i < LEN(m->recent); i++)
		if (m->recent[i] && same_entry(m->recent[i], layout, pieces, n))
			return set_recent(m, i, m->recent[i]);
	*hash = memo_hash(pieces, n);
	size_t at = (size_t)*hash & (m->cap - 1);
	for (size_t probes = 0; m->slots[at] && probes < PROBES_MAX; probes++) {
		struct memo_entry *e = m->slots[at];
		if (e->hash == *hash && same_entry(e, layout, pieces, n))
			return set_recent(m, m->oldest, e);
		at = (at + 1) & (m->cap - 1);
	}
	return NULL;
}

/* The free place for a hash, or NULL when there are too many before it. */
static struct memo_entry **free_slot(struct memo *m, uint64_t hash)
{
	size_t at = (size_t)hash & (m->cap - 1);

	for (size_t probes = 0; probes < PROBES_MAX; probes++) {
		if (!m->slots[at])
			return &m->slots[at];
		at = (at + 1) & (m->cap - 1);
	}
	return NULL;
}

static void grow(struct memo *m)
{
	struct memo_entry **old = m->slots;
	size_t cap = m->cap;

	m->cap *= 2;
	m->slots = arena_array(&m->arena, m->cap, sizeof *m->slots);
	for (size_t i = 0; i < cap; i++) {
		struct memo_entry **slot = old[i] ? free_slot(m, old[i]->hash) : NULL;
		if (slot)
			*slot = old[i];
	}
}

static struct memo_key key_of(const struct collection *c, const struct row *row)
{
	return (struct memo_key){
		.row = *row,
		.machine = c->machines[row->machine].name,
		.precision = c->precisions.v[row->precision],
		.framework = c->frameworks.v[row->framework],
		.source = c->sources.v[row->source],
		.file = SIZE_MAX,
	};
}

struct memo_key *memo_single(const struct collection *c, const struct row *row, struct arena *a)
{
	struct memo_key *key = arena_alloc(a, sizeof *key);

	*key = key_of(c, row);
	return key;
}

/* The memo outlives the part whose names the key has. */
static void keep_names(struct memo *m, struct memo_key *key)
{
	struct str *const names[] = { &key->machine, &key->precision, &key->framework,
				      &key->source };

	for (size_t i = 0; i < LEN(names); i++) {
		*names[i] = str_dup(&m->arena, *names[i]);
		m->held += names[i]->len;
	}
}

static void keep_bytes(struct memo *m, struct memo_entry *e, const struct memo_piece *pieces,
		       size_t n, size_t len)
{
	char *bytes = arena_alloc(&m->arena, len);

	e->bytes = bytes;
	for (size_t i = 0; i < n; i++) {
		memcpy(bytes, pieces[i].p, pieces[i].len);
		bytes += pieces[i].len;
		e->lengths[i] = (unsigned)pieces[i].len;
	}
	m->held += len;
}

static size_t length_of(const struct memo_piece *pieces, size_t n)
{
	size_t len = 0;

	for (size_t i = 0; i < n; i++)
		len += pieces[i].len;
	return len;
}

struct memo_entry *memo_put(struct memo *m, size_t layout, uint64_t hash,
			    const struct memo_piece *pieces, size_t n, const struct row_checker *k,
			    const struct row *row)
{
	size_t len = length_of(pieces, n);

	if (len > MEMO_BYTES_MAX || m->n == MEMO_KEYS_MAX || m->held > MEMO_HELD_MAX)
		return NULL;
	if ((m->n + 1) * 2 > m->cap)
		grow(m);
	struct memo_entry **slot = free_slot(m, hash);
	if (!slot)
		return NULL;
	struct memo_entry *e = arena_alloc(&m->arena, sizeof *e);
	*e = (struct memo_entry){ .key = key_of(k->c, row),
				  .hash = hash,
				  .layout = (unsigned)layout,
				  .check = check_row_again(k, row) };
	keep_names(m, &e->key);
	keep_bytes(m, e, pieces, n, len);
	m->held += sizeof *e;
	m->n++;
	*slot = e;
	return set_recent(m, m->oldest, e);
}
