#include "sshsig.h"

#include <string.h>

enum { VERSION = 1, SK_USER_PRESENT = 1, HASH_MAX = crypto_hash_sha512_BYTES };

static const struct str magic = STR_INIT("SSHSIG");
static const struct str first_line = STR_INIT("-----BEGIN SSH SIGNATURE-----");
static const struct str last_line = STR_INIT("\n-----END SSH SIGNATURE-----");

static const struct {
	struct str name;
	enum sshsig_hash hash;
} hashes[] = {
	{ STR_INIT("sha256"), SSHSIG_SHA256 },
	{ STR_INIT("sha512"), SSHSIG_SHA512 },
};

/* Key types that are checked; hardware: the signature is over what the key's device adds to it. */
static const struct key_type {
	struct str name;
	bool hardware;
} key_types[] = {
	{ STR_INIT("ssh-ed25519"), false },
	{ STR_INIT("sk-ssh-ed25519@openssh.com"), true },
};

static bool bad(struct error *err, const char *what)
{
	return error_set(err, ERR_SYNTAX, "not an SSH signature: %s", what);
}

/* --- the wire format: big-endian numbers, strings with their length before them --- */

static bool cut_bytes(struct str *rest, size_t n, struct str *out)
{
	if (rest->len < n)
		return false;
	*out = str_slice(*rest, 0, n);
	*rest = str_slice(*rest, n, rest->len);
	return true;
}

static bool cut_number(struct str *rest, unsigned long *out)
{
	struct str b;

	if (!cut_bytes(rest, 4, &b))
		return false;
	*out = 0;
	for (size_t i = 0; i < b.len; i++)
		*out = *out << 8 | (unsigned char)b.p[i];
	return true;
}

bool sshsig_string(struct str *rest, struct str *out)
{
	unsigned long n;

	return cut_number(rest, &n) && cut_bytes(rest, n, out);
}

static void put_number(struct strbuf *b, unsigned long v)
{
	for (int shift = 24; shift >= 0; shift -= 8)
		strbuf_addc(b, (char)(v >> shift & 0xff));
}

static void put_string(struct strbuf *b, struct str s)
{
	put_number(b, s.len);
	strbuf_add(b, s);
}

bool sshsig_base64(struct str text, struct arena *a, struct str *out)
{
	unsigned char *bytes = arena_alloc(a, text.len / 4 * 3 + 3);
	size_t n;

	if (sodium_base642bin(bytes, text.len / 4 * 3 + 3, str_chars(text), text.len, " \t\r\n", &n,
			      NULL, sodium_base64_VARIANT_ORIGINAL)
	    != 0)
		return false;
	*out = (struct str){ (const char *)bytes, n };
	return true;
}

struct str sshsig_fingerprint(struct str key, struct arena *a)
{
	unsigned char sum[crypto_hash_sha256_BYTES];
	char text[sodium_base64_ENCODED_LEN(sizeof sum, sodium_base64_VARIANT_ORIGINAL_NO_PADDING)];

	crypto_hash_sha256(sum, (const unsigned char *)str_chars(key), key.len);
	sodium_bin2base64(text, sizeof text, sum, sizeof sum,
			  sodium_base64_VARIANT_ORIGINAL_NO_PADDING);
	return str_printf(a, "SHA256:%s", text);
}

/* --- a signature --- */

static bool open_armor(struct str text, struct arena *a, struct str *blob, struct error *err)
{
	size_t end = str_find(text, last_line, 0);

	if (!str_starts(text, first_line))
		return bad(err, "it does not begin with -----BEGIN SSH SIGNATURE-----");
	if (end == text.len)
		return bad(err, "it does not end with -----END SSH SIGNATURE-----");
	if (str_trim(str_slice(text, end + last_line.len, text.len)).len > 0)
		return bad(err, "something follows its last line");
	if (!sshsig_base64(str_slice(text, first_line.len, end), a, blob))
		return bad(err, "its base64 is damaged");
	return true;
}

static const struct key_type *find_type(struct str name)
{
	for (size_t i = 0; i < LEN(key_types); i++)
		if (str_eq(key_types[i].name, name))
			return &key_types[i];
	return NULL;
}

static bool read_hash(struct str name, struct arena *a, struct sshsig *out)
{
	for (size_t i = 0; i < LEN(hashes); i++)
		if (str_eq(hashes[i].name, name)) {
			out->hash = hashes[i].hash;
			return true;
		}
	struct str shown = str_plain(a, str_slice(name, 0, 40));
	out->reason = str_printf(a, "made with the hash '" STR_FMT "'; sha512 and sha256 are read",
				 STR_ARG(shown));
	return true;
}

static bool read_key(const struct key_type *type, struct str key, struct sshsig *out,
		     struct error *err)
{
	struct str name;

	if (!sshsig_string(&key, &name) || !sshsig_string(&key, &out->public_key)
	    || out->public_key.len != crypto_sign_PUBLICKEYBYTES
	    || (type->hardware && !sshsig_string(&key, &out->application)) || key.len > 0)
		return bad(err, "its key is damaged");
	return true;
}

static bool read_signature(const struct key_type *type, struct str signature, struct sshsig *out,
			   struct error *err)
{
	struct str name, flags = { 0 };

	if (!sshsig_string(&signature, &name) || !str_eq(name, type->name)
	    || !sshsig_string(&signature, &out->signature)
	    || out->signature.len != crypto_sign_BYTES
	    || (type->hardware
		&& (!cut_bytes(&signature, 1, &flags) || !cut_number(&signature, &out->counter)))
	    || signature.len > 0)
		return bad(err, "its last field is damaged");
	if (type->hardware)
		out->flags = (unsigned char)flags.p[0];
	return true;
}

bool sshsig_parse(struct str text, struct arena *a, struct sshsig *out, struct error *err)
{
	struct str blob, reserved, hash, signature, key;
	unsigned long version;

	*out = (struct sshsig){ .hash = SSHSIG_SHA512 };
	if (!open_armor(text, a, &blob, err))
		return false;
	if (!str_starts(blob, magic))
		return bad(err, "its base64 is of something else");
	blob = str_slice(blob, magic.len, blob.len);
	if (!cut_number(&blob, &version))
		return bad(err, "it is cut short");
	if (version != VERSION)
		return bad(err, "it is of another version than 1");
	if (!sshsig_string(&blob, &out->key) || !sshsig_string(&blob, &out->name_space)
	    || !sshsig_string(&blob, &reserved) || !sshsig_string(&blob, &hash)
	    || !sshsig_string(&blob, &signature))
		return bad(err, "it is cut short");
	if (blob.len > 0 || reserved.len > 0)
		return bad(err, "it holds more than a signature");
	key = out->key;
	if (!sshsig_string(&key, &out->key_type))
		return bad(err, "its key is damaged");

	const struct key_type *type = find_type(out->key_type);
	if (!type) {
		struct str shown = str_plain(a, str_slice(out->key_type, 0, 40));
		out->reason = str_printf(a,
					 "made with a key of type '" STR_FMT
					 "'; ed25519 is read (ssh-keygen -t ed25519)",
					 STR_ARG(shown));
		return true;
	}
	return read_hash(hash, a, out) && read_key(type, out->key, out, err)
	       && read_signature(type, signature, out, err);
}

/* --- what was signed --- */

void sshsig_begin(const struct sshsig *s, struct sshsig_bytes *b)
{
	b->hash = s->hash;
	if (b->hash == SSHSIG_SHA256)
		crypto_hash_sha256_init(&b->state.sha256);
	else
		crypto_hash_sha512_init(&b->state.sha512);
}

void sshsig_feed(struct sshsig_bytes *b, struct str piece)
{
	const unsigned char *p = (const unsigned char *)str_chars(piece);

	if (b->hash == SSHSIG_SHA256)
		crypto_hash_sha256_update(&b->state.sha256, p, piece.len);
	else
		crypto_hash_sha512_update(&b->state.sha512, p, piece.len);
}

static struct str end_bytes(struct sshsig_bytes *b, unsigned char sum[HASH_MAX])
{
	size_t n = b->hash == SSHSIG_SHA256 ? crypto_hash_sha256_BYTES : crypto_hash_sha512_BYTES;

	if (b->hash == SSHSIG_SHA256)
		crypto_hash_sha256_final(&b->state.sha256, sum);
	else
		crypto_hash_sha512_final(&b->state.sha512, sum);
	return (struct str){ (const char *)sum, n };
}

static struct str hash_name(enum sshsig_hash hash)
{
	for (size_t i = 0; i < LEN(hashes); i++)
		if (hashes[i].hash == hash)
			return hashes[i].name;
	return STR("");
}

static void add_sha256(struct strbuf *b, struct str text)
{
	unsigned char sum[crypto_hash_sha256_BYTES];

	crypto_hash_sha256(sum, (const unsigned char *)str_chars(text), text.len);
	strbuf_add(b, (struct str){ (const char *)sum, sizeof sum });
}

/* A hardware key signs hash(application), flags, counter, hash(message): what its device saw. */
static struct str hardware_message(const struct sshsig *s, struct str message, struct arena *a)
{
	struct strbuf b = { .arena = a };

	add_sha256(&b, s->application);
	strbuf_addc(&b, (char)s->flags);
	put_number(&b, s->counter);
	add_sha256(&b, message);
	return strbuf_str(&b);
}

/* hash  of what is signed, by s->hash */
static bool holds(const struct sshsig *s, struct str hash)
{
	struct arena scratch = { .block_size = 1 << 12 };
	struct strbuf b = { .arena = &scratch };
	const struct key_type *type = find_type(s->key_type);
	struct str message;
	bool good = false;

	if (type && s->reason.len == 0) {
		strbuf_add(&b, magic);
		put_string(&b, s->name_space);
		put_string(&b, STR(""));
		put_string(&b, hash_name(s->hash));
		put_string(&b, hash);
		message = strbuf_str(&b);
		if (type->hardware)
			message = hardware_message(s, message, &scratch);
		good = (!type->hardware || s->flags & SK_USER_PRESENT)
		       && crypto_sign_verify_detached(
			      (const unsigned char *)s->signature.p,
			      (const unsigned char *)message.p, message.len,
			      (const unsigned char *)s->public_key.p)
			      == 0;
	}
	arena_free(&scratch);
	return good;
}

bool sshsig_holds(const struct sshsig *s, struct sshsig_bytes *bytes)
{
	unsigned char sum[HASH_MAX];

	return holds(s, end_bytes(bytes, sum));
}

bool sshsig_holds_of(const struct sshsig *s, const struct sshsig_sums *sums)
{
	const struct str sha256 = { (const char *)sums->sha256, sizeof sums->sha256 };
	const struct str sha512 = { (const char *)sums->sha512, sizeof sums->sha512 };

	return holds(s, s->hash == SSHSIG_SHA256 ? sha256 : sha512);
}
