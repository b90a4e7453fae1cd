/* A map from text to a whole number (an index into somebody's array). Iteration is never
 * offered: whoever needs an order keeps the array. Keys may be strangers': base/hash.h. */
#ifndef BASE_MAP_H
#define BASE_MAP_H

#include "arena.h"
#include "str.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct map {
	struct arena *arena;
	struct map_slot { struct str key; size_t value; } *slots;
	size_t n, cap;
	uint64_t key[2]; /* of the hash, drawn with the first slots */
};

/* Stores value under key unless the key is there; returns a pointer to the stored value, which
 * holds good until the next call. The key's bytes must outlive the map. *fresh may be NULL. */
size_t *map_put(struct map *m, struct str key, size_t value, bool *fresh);
/* The stored value, or NULL. */
const size_t *map_get(const struct map *m, struct str key);

#endif
