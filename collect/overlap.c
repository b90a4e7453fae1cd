#include "overlap.h"

#include "../base/hash.h"

#include <limits.h>
#include <stdint.h>
#include <string.h>

enum {
	VALUE_SHIFT = 45,     /* of a double's bits: 128 steps from a power of two to the next */
	PLACES_MOST = 64,     /* of one group */
	PLACES_ALL = 1 << 21, /* of all together: 48 MiB of marks */
	MARKS_LEAST = 64,
};
enum { MARK_FREE = 0, MARK_MANY = -1 }; /* else a machine, from 1 */

/* A group has the places (day, step) of all its days and all steps between its values. */
struct places {
	int day;
	uint64_t days;        /* from `day` on; 0: no row has a date */
	bool undated;         /* some have none: one more day, INT_MIN */
	uint64_t step, steps; /* the first, and how many */
};

/* The machines that have a place. The halves of its hash, of which one tells where the mark stands
 * too, are all of it: no two places have the same. What is left must not hang on the key, for the
 * order in which copies are told hangs on how many rows are left (match.c). */
struct mark {
	unsigned high, low, machine;
};

struct marks {
	struct mark *v;
	size_t n;        /* a power of two, twice as many as places */
	uint64_t key[2]; /* of the hash: strangers choose days and values */
};

/* Positive numbers sort as their bits do. */
static uint64_t step_of(double value)
{
	uint64_t bits;

	memcpy(&bits, &value, sizeof bits);
	return bits >> VALUE_SHIFT;
}

static struct places places_of(const struct group *g)
{
	struct places p = { .day = g->first.day, .undated = g->undated, .step = step_of(g->least) };

	p.steps = step_of(g->most) - p.step + 1;
	if (p.day != INT_MIN)
		p.days = (uint64_t)((int64_t)g->last.day - p.day + 1);
	return p;
}

static uint64_t count_places(const struct group *g)
{
	struct places p = places_of(g);

	return g->least > 0 ? (p.days + p.undated) * p.steps : UINT64_MAX;
}

/* Each step can be undone: others have another one. */
static uint64_t hash_of(const struct marks *m, int day, uint64_t step)
{
	uint64_t h = (step << 32 ^ (unsigned)day ^ m->key[0]) * 0x9e3779b97f4a7c15u;

	h = (h ^ h >> 32) * 0xd6e8feb86659fd93u;
	return h ^ h >> 32;
}

/* Whether another machine has the place too. */
static bool mark(struct marks *m, int day, uint64_t step, unsigned machine)
{
	uint64_t hash = hash_of(m, day, step);
	unsigned high = (unsigned)(hash >> 32), low = (unsigned)hash;
	size_t at = high & (m->n - 1);

	while (m->v[at].machine != MARK_FREE && (m->v[at].low != low || m->v[at].high != high))
		at = (at + 1) & (m->n - 1);
	if (m->v[at].machine == MARK_FREE)
		m->v[at] = (struct mark){ high, low, machine + 1 };
	else if (m->v[at].machine != machine + 1)
		m->v[at].machine = (unsigned)MARK_MANY;
	return m->v[at].machine == (unsigned)MARK_MANY;
}

/* Marks the places of a group; whether another machine has marked one of them. */
static bool mark_all(struct marks *m, const struct group *g)
{
	struct places p = places_of(g);
	bool many = false;

	for (uint64_t d = 0; d < p.days + p.undated; d++)
		for (uint64_t s = 0; s < p.steps; s++)
			many |= mark(m, d < p.days ? p.day + (int)d : INT_MIN, p.step + s,
				     g->row.machine);
	return many;
}

/* Those of all groups, or UINT64_MAX where they are too many. */
static uint64_t count_all(struct group *const *groups, size_t n)
{
	uint64_t places = 0;

	for (size_t i = 0; i < n; i++) {
		uint64_t own = count_places(groups[i]);
		if (own > PLACES_MOST || places + own > PLACES_ALL)
			return UINT64_MAX;
		places += own;
	}
	return places;
}

size_t overlap_sift(struct group **groups, size_t n)
{
	struct arena arena = { .block_size = 1 << 12 };
	struct marks m = { .n = MARKS_LEAST };
	uint64_t places = count_all(groups, n);
	size_t kept = 0;

	if (places == UINT64_MAX)
		return n;
	while (m.n < 2 * places)
		m.n *= 2;
	m.v = arena_array(&arena, m.n, sizeof *m.v);
	hash_draw_key(&arena, m.key);
	for (size_t i = 0; i < n; i++)
		mark_all(&m, groups[i]);
	for (size_t i = 0; i < n; i++) /* once more, when all have made theirs */
		if (mark_all(&m, groups[i]))
			groups[kept++] = groups[i];
	arena_free(&arena);
	return kept;
}
