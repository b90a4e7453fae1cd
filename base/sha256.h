/* SHA-256 (FIPS 180-4, by libsodium) as text: what files and keys are known by here.
 *
 *     crypto_hash_sha256_state s;
 *     crypto_hash_sha256_init(&s);
 *     crypto_hash_sha256_update(&s, bytes, n) ...;
 *     struct str text = sha256_end(&s, a); */
#ifndef BASE_SHA256_H
#define BASE_SHA256_H

#include "arena.h"
#include "str.h"

#include <sodium.h>

enum { SHA256_TEXT = 2 * crypto_hash_sha256_BYTES }; /* lower-case hex digits */

/* The sum of what was fed, as SHA256_TEXT digits; the state is used up. */
struct str sha256_end(crypto_hash_sha256_state *s, struct arena *a);
/* The same into a text that ends in a NUL. */
void sha256_end_in(crypto_hash_sha256_state *s, char text[SHA256_TEXT + 1]);

#endif
