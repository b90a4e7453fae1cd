#include "hash.h"

#include <string.h>

#ifdef __linux__
#include <sys/auxv.h>
#endif

/* The 16 random bytes that the kernel hands to every program. */
void hash_draw_key(const void *place, uint64_t key[2])
{
	const void *random = NULL;
	uintptr_t lies_at = (uintptr_t)place;

#ifdef __linux__
	random = (const void *)(uintptr_t)getauxval(AT_RANDOM);
#endif
	if (random)
		memcpy(key, random, 2 * sizeof *key);
	else
		memcpy(key, &lies_at, sizeof lies_at);
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

/* Words in the machine's own byte order. */
uint64_t hash_bytes(const uint64_t key[2], const void *bytes, size_t n)
{
	uint64_t v[4] = { key[0] ^ 0x736f6d6570736575u, key[1] ^ 0x646f72616e646f6du,
			  key[0] ^ 0x6c7967656e657261u, key[1] ^ 0x7465646279746573u };
	uint64_t word, last = (uint64_t)n << 56;
	const unsigned char *p = bytes;
	size_t at = 0;

	for (; at + 8 <= n; at += 8) {
		memcpy(&word, p + at, 8);
		v[3] ^= word;
		sip_round(v);
		v[0] ^= word;
	}
	for (int shift = 0; at < n; at++, shift += 8)
		last |= (uint64_t)p[at] << shift;
	v[3] ^= last;
	sip_round(v);
	v[0] ^= last;
	v[2] ^= 0xff;
	for (int i = 0; i < 3; i++)
		sip_round(v);
	return v[0] ^ v[1] ^ v[2] ^ v[3];
}
