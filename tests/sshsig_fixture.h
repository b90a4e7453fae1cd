/* Signatures put together by PROTOCOL.sshsig, by a key that is always the same one. What a
 * signature may be: sshsig_test.c, with ssh-keygen as the judge. */
#ifndef TESTS_SSHSIG_FIXTURE_H
#define TESTS_SSHSIG_FIXTURE_H

#include "../base/arena.h"
#include "../base/str.h"

#include <sodium.h>

struct sshsig_key {
	unsigned char public_key[crypto_sign_PUBLICKEYBYTES],
	    secret_key[crypto_sign_SECRETKEYBYTES];
};

/* Another one for each number. */
static inline bool sshsig_key_make(struct sshsig_key *k, unsigned char number)
{
	unsigned char seed[crypto_sign_SEEDBYTES] = { number };

	return sodium_init() >= 0
	       && crypto_sign_seed_keypair(k->public_key, k->secret_key, seed) == 0;
}

static inline void sshsig_put_string(struct strbuf *b, struct str text)
{
	const unsigned char n[] = { (unsigned char)(text.len >> 24),
				    (unsigned char)(text.len >> 16), (unsigned char)(text.len >> 8),
				    (unsigned char)text.len };

	strbuf_add(b, (struct str){ (const char *)n, sizeof n });
	strbuf_add(b, text);
}

static inline struct str sshsig_key_text(const struct sshsig_key *k, struct arena *a)
{
	struct strbuf key = { .arena = a };

	sshsig_put_string(&key, STR("ssh-ed25519"));
	sshsig_put_string(&key, (struct str){ (const char *)k->public_key, sizeof k->public_key });
	return strbuf_str(&key);
}

static inline const char *sshsig_armor(struct str bytes, struct arena *a)
{
	size_t max = sodium_base64_encoded_len(bytes.len, sodium_base64_VARIANT_ORIGINAL);
	char *text = arena_alloc(a, max);

	return sodium_bin2base64(text, max, (const unsigned char *)str_chars(bytes), bytes.len,
				 sodium_base64_VARIANT_ORIGINAL);
}

/* A line of allowed_signers; limits: "" or as allowed_signers has them, with a blank behind. */
static inline const char *sshsig_allow(const struct sshsig_key *k, const char *name,
				       const char *limits, struct arena *a)
{
	const char *key = sshsig_armor(sshsig_key_text(k, a), a);

	return str_c(a, str_printf(a, "%s %sssh-ed25519 %s\n", name, limits, key));
}

/* The text of a .sig file. */
static inline struct str sshsig_make(const struct sshsig_key *k, const char *name_space,
				     struct str message, struct arena *a)
{
	struct strbuf text = { .arena = a }, signature = { .arena = a }, blob = { .arena = a };
	unsigned char hash[crypto_hash_sha512_BYTES], raw[crypto_sign_BYTES];

	crypto_hash_sha512(hash, (const unsigned char *)str_chars(message), message.len);
	strbuf_add(&text, STR("SSHSIG"));
	sshsig_put_string(&text, str_of(name_space));
	sshsig_put_string(&text, STR(""));
	sshsig_put_string(&text, STR("sha512"));
	sshsig_put_string(&text, (struct str){ (const char *)hash, sizeof hash });
	crypto_sign_detached(raw, NULL, (const unsigned char *)text.p, text.len, k->secret_key);
	sshsig_put_string(&signature, STR("ssh-ed25519"));
	sshsig_put_string(&signature, (struct str){ (const char *)raw, sizeof raw });
	strbuf_add(&blob, (struct str){ "SSHSIG\0\0\0\1", 10 });
	sshsig_put_string(&blob, sshsig_key_text(k, a));
	sshsig_put_string(&blob, str_of(name_space));
	sshsig_put_string(&blob, STR(""));
	sshsig_put_string(&blob, STR("sha512"));
	sshsig_put_string(&blob, strbuf_str(&signature));
	return str_printf(a, "-----BEGIN SSH SIGNATURE-----\n%s\n-----END SSH SIGNATURE-----\n",
			  sshsig_armor(strbuf_str(&blob), a));
}

#endif
