/* base/sshsig.h, base/signers.h: any text is a signature or refused, and none of them holds for
 * bytes that nobody signed; after a line "%%" a file of allowed signers. A text that begins with a
 * letter below 'a' is taken as the bytes in the armour, so that not every change is lost to
 * base64. */
#include "fuzz.h"

#include "../../base/signers.h"
#include "../../base/sshsig.h"

#include <limits.h>

static struct str armoured(struct str bytes, struct arena *a)
{
	size_t size = sodium_base64_ENCODED_LEN(bytes.len, sodium_base64_VARIANT_ORIGINAL);
	char *base64 = arena_alloc(a, size);
	struct strbuf b = { .arena = a };

	sodium_bin2base64(base64, size, (const unsigned char *)str_chars(bytes), bytes.len,
	                  sodium_base64_VARIANT_ORIGINAL);
	strbuf_add(&b, STR("-----BEGIN SSH SIGNATURE-----\n"));
	for (size_t at = 0; at < size - 1; at += 70) {
		strbuf_add(&b, str_slice((struct str){ base64, size - 1 }, at, at + 70));
		strbuf_addc(&b, '\n');
	}
	strbuf_add(&b, STR("-----END SSH SIGNATURE-----\n"));
	return strbuf_str(&b);
}

static void try_signature(struct str text, struct arena *a)
{
	struct sshsig s, again;
	struct sshsig_bytes bytes;
	struct error err = { 0 };
	bool good = sshsig_parse(text, a, &s, &err);

	fuzz_want_fault(good, &err);
	if (!good)
		return;
	fuzz_want(sshsig_parse(text, a, &again, &err) && str_eq(s.key, again.key)
		      && str_eq(s.name_space, again.name_space),
		  "twice the same");
	fuzz_want(sshsig_fingerprint(s.key, a).len == 50,
		  "a fingerprint of 43 characters behind its name");
	if (s.reason.len) {
		fuzz_want(str_eq(s.reason, str_plain(a, s.reason)), "a reason is plain text");
		return;
	}
	fuzz_want(s.public_key.len == 32 && s.signature.len == 64,
		  "a key and a signature of their lengths");
	sshsig_begin(&s, &bytes);
	sshsig_feed(&bytes, STR("nobody ever signed this, whatever the key: 5f0c6bf2"));
	fuzz_want(!sshsig_holds(&s, &bytes), "it does not hold for what nobody signed");
}

static void try_signers(struct str text, struct arena *a)
{
	struct signers s = { 0 };
	struct error err = { 0 };
	bool good = signers_parse(text, "allowed_signers", a, &s, &err);

	fuzz_want_fault(good, &err);
	for (size_t i = 1; good && i < s.n; i++) {
		const struct signer *v = &s.v[i], *w = signers_find(&s, v->key);
		while (w && w != v) {
			fuzz_want(str_eq(w->name, v->name), "a key is one person's");
			w = signers_next(&s, w);
		}
		fuzz_want(w == v, "a line is found by its key");
		fuzz_want(str_is_word(v->name, "._-+@") && v->number >= 1 && v->number <= s.names,
			  "a name is a word");
		fuzz_want(v->namespaces.len || signer_may(v, STR("gpuguide-contribution/lab")),
			  "no patterns: any");
		signer_is_valid(v, (struct date){ 20000 });
		signer_days(v, a);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str signers = fuzz_text(data, size), text = fuzz_cut(&signers);
	struct arena a = { 0 };
	struct str bytes;

	fuzz_want(sodium_init() >= 0, "libsodium can be set up");
	if (size && data[0] < 'a' && data[0] != '-')
		text = armoured(str_slice(text, 1, text.len), &a);
	try_signature(text, &a);
	try_signers(signers, &a);
	sshsig_base64(signers, &a, &bytes);
	arena_free(&a);
	return 0;
}
