/* Memory of one stage: allocated piece by piece, freed all at once. Nothing else owns memory
 * across a call. Out of memory ends the program here and only here (message, exit 2). */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stddef.h>

struct arena_block;

struct arena {
	struct arena_block *last;
	size_t block_size; /* bytes of a fresh block; 0 stands for the default of 1 MiB */
};

/* Returns n zeroed bytes aligned for any type; n == 0 gives a valid pointer. */
void *arena_alloc(struct arena *a, size_t n);
/* n objects of `size` bytes, zeroed; an overflow of n * size ends the program as out of memory. */
void *arena_array(struct arena *a, size_t n, size_t size);
/* Grows an arena array to at least `want` elements, doubling *cap; returns the (moved) array. */
void *arena_grow(struct arena *a, void *array, size_t *cap, size_t want, size_t size);
void arena_free(struct arena *a);
/* Empties it, and keeps a block for what comes next: filled and cleared again and again, it asks
 * the system for nothing. */
void arena_clear(struct arena *a);
/* What it has taken from the system, used or not yet. */
size_t arena_bytes(const struct arena *a);
/* Takes over the memory of another arena, which is empty then: what a thread made outlives it. */
void arena_adopt(struct arena *a, struct arena *other);

#endif
