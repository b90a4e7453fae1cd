/* A keyed hash (SipHash-1-3: Aumasson & Bernstein, INDOCRYPT 2012) for tables whose keys strangers
 * choose: with one that they can compute, 20,000 well-chosen names would meet in one place and cost
 * seconds. Its values are others in every process, so they may tell where something lies in memory,
 * and never what comes out or in which order. */
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

/* The key of this process; of one that has none, `place`, where the table's memory happens to
 * lie. */
void hash_draw_key(const void *place, uint64_t key[2]);
uint64_t hash_bytes(const uint64_t key[2], const void *bytes, size_t n);

/* A step of a sum without a key, of eight bytes: quick, the same everywhere, and nothing that
 * withstands somebody who wants two texts to meet. */
static inline uint64_t hash_mix(uint64_t h, uint64_t word)
{
	h = (h ^ word) * 0x9e3779b97f4a7c15u;
	return h ^ h >> 32;
}

#endif
