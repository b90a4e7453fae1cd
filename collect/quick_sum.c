#include "quick_sum.h"

#include "../base/hash.h"

#include <string.h>

static uint64_t word_at(const char *p)
{
	uint64_t word;

	memcpy(&word, p, sizeof word);
	return word;
}

/* Each step waits for the product of the one before: four sums at once, of every fourth word, take
 * no longer than one. They are no array: a compiler makes vectors of that, which have no such
 * product. */
uint64_t quick_sum(uint64_t before, struct str text)
{
	uint64_t a = 1, b = 2, c = 3, d = 4;
	const char *p = str_chars(text);
	char rest[4 * sizeof a] = { 0 };
	size_t left = text.len;

	for (; left >= sizeof rest; p += sizeof rest, left -= sizeof rest) {
		a = hash_mix(a, word_at(p));
		b = hash_mix(b, word_at(p + 8));
		c = hash_mix(c, word_at(p + 16));
		d = hash_mix(d, word_at(p + 24));
	}
	memcpy(rest, p, left);
	a = hash_mix(a, word_at(rest));
	b = hash_mix(b, word_at(rest + 8));
	c = hash_mix(c, word_at(rest + 16));
	d = hash_mix(d, word_at(rest + 24));
	return hash_mix(hash_mix(hash_mix(hash_mix(hash_mix(before, text.len), a), b), c), d);
}
