/* Counts by two machines and a day: open addressing, no order. */
#ifndef COLLECT_PAIR_TABLE_H
#define COLLECT_PAIR_TABLE_H

#include "../base/arena.h"

#include <stddef.h>
#include <stdint.h>

/* Rows that two machines share: how many, and the digits they carry together. */
struct pair {
	unsigned a, b; /* machines, a before b by rank; a == b: a free slot */
	int day;
	size_t matched, evidence;
	size_t of;     /* rows of b, where they matter */
};

/* Zeroed but for the arena to begin. */
struct pair_table {
	struct arena *arena;
	struct pair *slots; /* cap of them, a power of two; where one lies differs from run to
	                     * run */
	size_t n, cap;
	uint64_t key[2];    /* base/hash.h: the numbers of machines go by the order of their rows,
	                     * and the days are a stranger's */
};

/* The counts of a pair (a != b), 0 when it is new; the place holds good until the next call. */
struct pair *pair_put(struct pair_table *t, unsigned a, unsigned b, int day);
/* NULL when it is not there. */
struct pair *pair_get(const struct pair_table *t, unsigned a, unsigned b, int day);

#endif
