#include "sha256.h"

void sha256_end_in(crypto_hash_sha256_state *s, char text[SHA256_TEXT + 1])
{
	unsigned char sum[crypto_hash_sha256_BYTES];

	crypto_hash_sha256_final(s, sum);
	sodium_bin2hex(text, SHA256_TEXT + 1, sum, sizeof sum);
}

struct str sha256_end(crypto_hash_sha256_state *s, struct arena *a)
{
	char *text = arena_alloc(a, SHA256_TEXT + 1);

	sha256_end_in(s, text);
	return (struct str){ text, SHA256_TEXT };
}
