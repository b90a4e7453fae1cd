#include "quick_sum.h"

#include <string.h>

/* Each step waits for the product of the one before: several sums at once, of every LANES-th word,
 * take no longer than one. */
enum { LANES = 4 };

static uint64_t mix(uint64_t h, uint64_t word)
{
	h = (h ^ word) * 0x9e3779b97f4a7c15u;
	return h ^ h >> 32;
}

uint64_t quick_sum(uint64_t before, struct str text)
{
	uint64_t h[LANES] = { 1, 2, 3, 4 }, words[LANES], sum = mix(before, text.len);
	const char *p = str_chars(text);
	size_t left = text.len;

	for (; left >= sizeof words; p += sizeof words, left -= sizeof words) {
		memcpy(words, p, sizeof words);
		for (size_t i = 0; i < LANES; i++)
			h[i] = mix(h[i], words[i]);
	}
	memset(words, 0, sizeof words);
	memcpy(words, p, left);
	for (size_t i = 0; i < LANES; i++)
		sum = mix(sum, mix(h[i], words[i]));
	return sum;
}
