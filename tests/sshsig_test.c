/* Signatures and allowed signers against ssh-keygen as the judge: what is good here is good there,
 * and what was damaged is good in neither. Keys are made anew each time; without ssh-keygen only
 * the parts that need no signature run. */
#include "folder_fixture.h"

#include "../base/file.h"
#include "../base/process.h"
#include "../base/signers.h"
#include "../base/sshsig.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool tool(const struct fixture *f, const char *const *argv, struct str input)
{
	static const char *const utc[] = { "TZ=UTC", NULL };
	struct process_options opt = {
		.argv = argv, .env = utc, .input = input, .seconds = 60, .output_max = 9999
	};
	struct process_result r;
	struct error err = { 0 };

	return process_run(&opt, f->a, &r, &err) && r.status == 0;
}

static bool make_key(const struct fixture *f, const char *name, const char *type, const char *bits)
{
	const char *const argv[] = { "ssh-keygen", "-q", "-t", type, "-b",        bits, "-N",
				     "",           "-C", name, "-f", at(f, name), NULL };

	return tool(f, argv, STR(""));
}

/* A signature by the key in the namespace, in FILE.sig; hash "sha256" or "sha512". */
static struct str sign(const struct fixture *f, const char *key, const char *name_space,
		       const char *hash, struct str message)
{
	const char *option = str_c(f->a, str_printf(f->a, "hashalg=%s", hash));
	const char *const argv[] = { "ssh-keygen", "-q", "-Y", "sign", "-O",          option, "-f",
				     at(f, key),   "-n", name_space, at(f, "message"), NULL };

	put(f, "message", message);
	unlink(at(f, "message.sig"));
	return tool(f, argv, STR("")) ? get(f, "message.sig") : STR("");
}

/* ssh-keygen -Y check-novalidate: whether it is a signature of the message at all. */
static bool judge(const struct fixture *f, struct str signature, const char *name_space,
		  struct str message)
{
	const char *const argv[] = { "ssh-keygen", "-q", "-Y", "check-novalidate", "-n", name_space,
				     "-s", at(f, "judged.sig"), NULL };

	put(f, "judged.sig", signature);
	return tool(f, argv, message);
}

/* The same question to our own code, and what it said. */
static bool ours(const struct fixture *f, struct str signature, const char *name_space,
		 struct str message, struct error *err)
{
	struct sshsig s;
	struct sshsig_bytes b;
	struct sshsig_sums sums;

	if (!sshsig_parse(signature, f->a, &s, err))
		return false;
	if (s.reason.len)
		return error_set(err, ERR_DATA, STR_FMT, STR_ARG(s.reason));
	sshsig_begin(&s, &b);
	sshsig_feed(&b, str_slice(message, 0, message.len / 2)); /* in two pieces */
	sshsig_feed(&b, str_slice(message, message.len / 2, message.len));
	crypto_hash_sha256(sums.sha256, (const unsigned char *)str_chars(message), message.len);
	crypto_hash_sha512(sums.sha512, (const unsigned char *)str_chars(message), message.len);
	bool holds = sshsig_holds(&s, &b);
	if (sshsig_holds_of(&s, &sums) != holds)
		test_ok(f->t, false, "the hashes alone say what the bytes do");
	if (!holds)
		return error_set(err, ERR_DATA, "does not hold");
	return str_eq(s.name_space, str_of(name_space))
	       || error_set(err, ERR_DATA, "another namespace");
}

static bool accepts(const struct fixture *f, struct str signature, const char *name_space,
		    struct str message)
{
	struct error err = { 0 };

	return ours(f, signature, name_space, message, &err);
}

/* --- good ones --- */

static const struct str row = STR_INIT("machine,value\nm1,101\n");

static void test_good(const struct fixture *f)
{
	static const struct {
		const char *name, *hash;
		struct str message;
	} cases[] = {
		{ "sha512", "sha512", STR_INIT("machine,value\nm1,101\n") },
		{ "sha256", "sha256", STR_INIT("machine,value\nm1,101\n") },
		{ "no bytes", "sha512", STR_INIT("") },
		{ "NUL and high bytes", "sha512", STR_INIT("a\0b\377\376") },
	};

	for (size_t i = 0; i < LEN(cases); i++) {
		struct str s = sign(f, "key", "ns", cases[i].hash, cases[i].message);
		struct str other = str_printf(f->a, STR_FMT "x", STR_ARG(row));

		test_ok(f->t, s.len && accepts(f, s, "ns", cases[i].message)
				  && judge(f, s, "ns", cases[i].message),
			cases[i].name);
		test_ok(f->t, !accepts(f, s, "ns", other) && !judge(f, s, "ns", other),
			"another message");
		test_ok(f->t, !accepts(f, s, "ms", cases[i].message)
				  && !judge(f, s, "ms", cases[i].message),
			"another namespace");
	}
}

/* --- damaged ones --- */

static struct str armor(const struct fixture *f, struct str blob)
{
	size_t n = sodium_base64_encoded_len(blob.len, sodium_base64_VARIANT_ORIGINAL);
	char *text = arena_alloc(f->a, n);

	sodium_bin2base64(text, n, (const unsigned char *)blob.p, blob.len,
			  sodium_base64_VARIANT_ORIGINAL);
	return str_printf(f->a, "-----BEGIN SSH SIGNATURE-----\n%s\n-----END SSH SIGNATURE-----\n",
			  text);
}

static struct str blob_of(const struct fixture *f, struct str signature)
{
	struct str blob = { 0 }, first = STR("-----BEGIN SSH SIGNATURE-----"),
		   last = STR("\n-----END");

	sshsig_base64(str_slice(signature, first.len, str_find(signature, last, 0)), f->a, &blob);
	return blob;
}

/* Every prefix of the text and every byte of the blob changed: ours refuses all; the judge is asked
 * about a sample, for each question is a process. */
static void test_damaged(const struct fixture *f)
{
	struct str s = sign(f, "key", "ns", "sha512", row), blob = blob_of(f, s);
	size_t taken = 0, flipped = 0, cut = 0, judged = 0;

	for (size_t n = 0; n + 1 < s.len; n++) /* the last byte is a line end */
		taken += accepts(f, str_slice(s, 0, n), "ns", row);
	test_ok(f->t, s.len > 200 && taken == 0, "cut at every byte");
	for (size_t i = 0; i < blob.len; i++)
		for (int bit = 0; bit < 8; bit++) {
			char *copy = arena_alloc(f->a, blob.len);

			memcpy(copy, blob.p, blob.len);
			copy[i] = (char)(copy[i] ^ 1 << bit);
			struct str damaged = armor(f, (struct str){ copy, blob.len });
			flipped += accepts(f, damaged, "ns", row);
			if (bit == (int)(i % 8) && i % 9 == 0)
				judged += judge(f, damaged, "ns", row);
		}
	test_ok(f->t, flipped == 0, "every bit of it flipped");
	test_ok(f->t, judged == 0, "ssh-keygen takes none of a sample of them either");
	for (size_t n = 0; n < blob.len; n++)
		cut += accepts(f, armor(f, str_slice(blob, 0, n)), "ns", row);
	test_ok(f->t, cut == 0, "cut at every byte below the base64");
	test_ok(f->t, accepts(f, armor(f, blob), "ns", row) && judge(f, armor(f, blob), "ns", row),
		"undamaged it holds");
}

static void put_u32(struct strbuf *b, size_t v)
{
	for (int shift = 24; shift >= 0; shift -= 8)
		strbuf_addc(b, (char)(v >> shift & 0xff));
}

static void put_string(struct strbuf *b, struct str s)
{
	put_u32(b, s.len);
	strbuf_add(b, s);
}

/* The fields of a signature, to be put together otherwise. */
struct fields {
	struct str magic;
	size_t version;
	struct str key, name_space, reserved, hash, signature, rest;
};

static struct str assemble(const struct fixture *f, const struct fields *x)
{
	struct strbuf b = { .arena = f->a };

	strbuf_add(&b, x->magic);
	put_u32(&b, x->version);
	put_string(&b, x->key);
	put_string(&b, x->name_space);
	put_string(&b, x->reserved);
	put_string(&b, x->hash);
	put_string(&b, x->signature);
	strbuf_add(&b, x->rest);
	return armor(f, strbuf_str(&b));
}

static struct fields take_apart(struct str blob)
{
	struct fields x = { .magic = str_slice(blob, 0, 6), .version = 1 };
	struct str *const parts[] = { &x.key, &x.name_space, &x.reserved, &x.hash, &x.signature };

	blob = str_slice(blob, 10, blob.len);
	for (size_t i = 0; i < LEN(parts); i++)
		sshsig_string(&blob, parts[i]);
	return x;
}

static struct str typed(const struct fixture *f, struct str type, struct str value, struct str rest)
{
	struct strbuf b = { .arena = f->a };

	put_string(&b, type);
	put_string(&b, value);
	strbuf_add(&b, rest);
	return strbuf_str(&b);
}

static void said(const struct fixture *f, struct str signature, const char *words,
		 const char *name)
{
	struct error err = { 0 };
	bool good = !ours(f, signature, "ns", row, &err) && strstr(err.msg, words);

	test_ok(f->t, good, name);
	if (!good)
		printf("# said '%s', wanted '%s'\n", err.msg, words);
}

static void test_fields(const struct fixture *f)
{
	struct str s = sign(f, "key", "ns", "sha512", row), ed = STR("ssh-ed25519");
	const struct fields good = take_apart(blob_of(f, s));
	struct str sixty = str_slice(good.signature, 19, good.signature.len);
	struct fields x;

	test_ok(f->t, accepts(f, assemble(f, &good), "ns", row), "put together again it holds");
	said(f, STR(""), "does not begin", "nothing");
	said(f, STR("-----BEGIN PGP SIGNATURE-----\n"), "does not begin", "another kind");
	said(f, STR("-----BEGIN SSH SIGNATURE-----\nU1NI\n"), "does not end", "no last line");
	said(f, STR("-----BEGIN SSH SIGNATURE-----\nU1N!\n-----END SSH SIGNATURE-----\n"),
	     "base64 is damaged", "no base64");
	said(f, str_printf(f->a, STR_FMT "more\n", STR_ARG(s)), "follows its last line",
	     "text behind it");
	x = good, x.magic = STR("SSHSIF");
	said(f, assemble(f, &x), "of something else", "magic");
	x = good, x.version = 2;
	said(f, assemble(f, &x), "another version", "version");
	x = good, x.reserved = STR("r");
	said(f, assemble(f, &x), "holds more", "reserved");
	x = good, x.rest = STR("r");
	said(f, assemble(f, &x), "holds more", "more behind the last field");
	x = good, x.hash = STR("md5");
	said(f, assemble(f, &x), "made with the hash 'md5'", "an unknown hash");
	x = good, x.hash = STR("sha256");
	said(f, assemble(f, &x), "does not hold", "the other hash");
	x = good, x.name_space = STR("nt");
	said(f, assemble(f, &x), "does not hold", "a namespace put in later");
	x = good, x.key = STR("\0\0\0\3abc");
	said(f, assemble(f, &x), "key of type 'abc'", "an unknown key type");
	x = good, x.key = STR("\0\0\1");
	said(f, assemble(f, &x), "key is damaged", "a key without a type");
	x = good, x.key = typed(f, ed, STR("short"), STR(""));
	said(f, assemble(f, &x), "key is damaged", "a short key");
	x = good, x.signature = typed(f, STR("ssh-rsa"), sixty, STR(""));
	said(f, assemble(f, &x), "last field is damaged", "a signature of another type");
	x = good, x.signature = typed(f, ed, STR("short"), STR(""));
	said(f, assemble(f, &x), "last field is damaged", "a short signature");
	x = good, x.signature = STR("");
	said(f, assemble(f, &x), "last field is damaged", "no signature");
}

/* Keys of low order sign everything: with one of them any text would be "signed". */
static void test_low_order(const struct fixture *f)
{
	static const char zeros[64] = { 1 }; /* the neutral element as key and as R, S = 0 */
	struct fields x = { .magic = STR("SSHSIG"), .version = 1, .name_space = STR("ns"),
			    .hash = STR("sha512") };

	x.key = typed(f, STR("ssh-ed25519"), (struct str){ zeros, 32 }, STR(""));
	x.signature = typed(f, STR("ssh-ed25519"), (struct str){ zeros, 64 }, STR(""));
	said(f, assemble(f, &x), "does not hold", "a key of low order");
}

/* --- other keys --- */

static void test_key_types(const struct fixture *f)
{
	static const struct {
		const char *type, *bits, *words;
	} cases[] = {
		{ "rsa", "2048", "made with a key of type 'ssh-rsa'; ed25519 is read" },
		{ "ecdsa", "256",
		  "made with a key of type 'ecdsa-sha2-nistp256'; ed25519 is read" },
	};

	for (size_t i = 0; i < LEN(cases); i++) {
		struct str s = make_key(f, cases[i].type, cases[i].type, cases[i].bits)
				   ? sign(f, cases[i].type, "ns", "sha512", row)
				   : STR("");

		test_ok(f->t, s.len && judge(f, s, "ns", row), cases[i].type);
		said(f, s, cases[i].words, "is refused with a reason");
	}
}

/* A hardware key, made up here: ssh-keygen checks such signatures without the hardware. */
static struct str hardware(const struct fixture *f, unsigned char flags, struct str message)
{
	static const unsigned char seed[crypto_sign_SEEDBYTES] = { 7 };
	unsigned char pk[crypto_sign_PUBLICKEYBYTES], sk[crypto_sign_SECRETKEYBYTES];
	unsigned char sum[64], inner[32], application[32], signature[crypto_sign_BYTES];
	struct str type = STR("sk-ssh-ed25519@openssh.com"), ssh = STR("ssh:");
	struct strbuf b = { .arena = f->a }, key = { .arena = f->a }, end = { .arena = f->a };

	crypto_sign_seed_keypair(pk, sk, seed);
	crypto_hash_sha512(sum, (const unsigned char *)message.p, message.len);
	strbuf_add(&b, STR("SSHSIG"));
	put_string(&b, STR("ns"));
	put_string(&b, STR(""));
	put_string(&b, STR("sha512"));
	put_string(&b, (struct str){ (const char *)sum, sizeof sum });
	crypto_hash_sha256(inner, (const unsigned char *)b.p, b.len);
	crypto_hash_sha256(application, (const unsigned char *)ssh.p, ssh.len);
	b.len = 0;
	strbuf_add(&b, (struct str){ (const char *)application, 32 });
	strbuf_addc(&b, (char)flags);
	put_u32(&b, 41);
	strbuf_add(&b, (struct str){ (const char *)inner, 32 });
	crypto_sign_detached(signature, NULL, (const unsigned char *)b.p, b.len, sk);
	put_string(&key, type);
	put_string(&key, (struct str){ (const char *)pk, sizeof pk });
	put_string(&key, ssh);
	strbuf_addc(&end, (char)flags);
	put_u32(&end, 41);
	struct fields x = { .magic = STR("SSHSIG"),
			    .version = 1,
			    .key = strbuf_str(&key),
			    .name_space = STR("ns"),
			    .hash = STR("sha512"),
			    .signature = typed(f, type,
					       (struct str){ (const char *)signature, 64 },
					       strbuf_str(&end)) };
	return assemble(f, &x);
}

static void test_hardware(const struct fixture *f)
{
	struct str touched = hardware(f, 1, row), untouched = hardware(f, 0, row);

	test_ok(f->t, accepts(f, touched, "ns", row) && judge(f, touched, "ns", row),
		"a hardware key");
	test_ok(f->t, !accepts(f, touched, "ns", STR("x")) && !judge(f, touched, "ns", STR("x")),
		"of other bytes");
	test_ok(f->t, !accepts(f, untouched, "ns", row), "that nobody touched");
}

/* --- signers --- */

#define KEY "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl"
#define KEY2 "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIEX/dQ0v4127bEo8eeG1EV0ApO2lWbSnN6RWusn/NjIB"

static void test_signers(struct test *t, struct arena *a)
{
	static const struct {
		const char *name;
		struct str text;
		int line; /* of the error; 0: good */
		const char *words;
		size_t n, persons;
	} cases[] = {
		{ "nothing", STR_INIT(""), 0, "", 0, 0 },
		{ "comments and empty lines", STR_INIT("# x\n\n  # y\r\n"), 0, "", 0, 0 },
		{ "a line", STR_INIT("alice " KEY "\n"), 0, "", 1, 1 },
		{ "a comment behind the key", STR_INIT("alice@x.org " KEY " my key, 2026"), 0, "",
		  1, 1 },
		{ "two persons", STR_INIT("alice " KEY "\nbob " KEY2 "\n"), 0, "", 2, 2 },
		{ "one person, two keys", STR_INIT("alice " KEY "\nalice " KEY2 "\n"), 0, "", 2,
		  1 },
		{ "one key twice",
		  STR_INIT("alice valid-before=\"20260101\" " KEY
			   "\nalice valid-after=\"20260101\" " KEY "\n"),
		  0, "", 2, 1 },
		{ "all options",
		  STR_INIT("a\tnamespaces=\"x,!y z\",valid-after=\"202601010203Z\",valid-before="
			   "\"20260102030405\"\t" KEY),
		  0, "", 1, 1 },
		{ "a type that is not checked", STR_INIT("a ssh-rsa AAAAB3NzaC1yc2E="), 0, "", 1,
		  1 },
		{ "one key, two names", STR_INIT("alice " KEY "\nbob " KEY "\n"), 2,
		  "the key stands in line 1 under the name 'alice'", 0, 0 },
		{ "a list of names", STR_INIT("alice,bob " KEY), 1,
		  "one line is of one contributor", 0, 0 },
		{ "a pattern", STR_INIT("\n*@x.org " KEY), 2, "one line is of one contributor", 0,
		  0 },
		{ "no key", STR_INIT("alice\n"), 1,
		  "no key: NAME [OPTIONS] KEY-TYPE BASE64 was wanted", 0, 0 },
		{ "no base64", STR_INIT("alice ssh-ed25519\n"), 1,
		  "the key is not one of 'ssh-ed25519'", 0, 0 },
		{ "bad base64", STR_INIT("alice ssh-ed25519 A!\n"), 1, "the key is not base64", 0,
		  0 },
		{ "another type inside", STR_INIT("alice ssh-rsa AAAAC3NzaC1lZDI1NTE5AAAA"), 1,
		  "the key is not one of 'ssh-rsa'", 0, 0 },
		{ "a certificate", STR_INIT("a cert-authority " KEY), 1,
		  "'cert-authority' is neither", 0, 0 },
		{ "an unknown option", STR_INIT("a x=\"y\" " KEY), 1, "'x=\"y\"' is neither", 0,
		  0 },
		{ "no quotes", STR_INIT("a namespaces=x " KEY), 1, "'namespaces=x' is neither", 0,
		  0 },
		{ "an empty option", STR_INIT("a namespaces=\"\" " KEY), 1,
		  "'namespaces=\"\"' is neither", 0, 0 },
		{ "an option twice", STR_INIT("a namespaces=\"x\",namespaces=\"y\" " KEY), 1,
		  "namespaces stands twice", 0, 0 },
		{ "no day", STR_INIT("a valid-after=\"20260230\" " KEY), 1,
		  "valid-after: not a time", 0, 0 },
		{ "no hour", STR_INIT("a valid-before=\"202602282400\" " KEY), 1,
		  "valid-before: not a time", 0, 0 },
		{ "letters", STR_INIT("a valid-before=\"2026022x\" " KEY), 1,
		  "valid-before: not a time", 0, 0 },
		{ "the wrong way round",
		  STR_INIT("a valid-before=\"20260101\",valid-after=\"20260101\" " KEY), 1,
		  "valid-after is not before valid-before", 0, 0 },
	};

	for (size_t i = 0; i < LEN(cases); i++) {
		struct signers s;
		struct error err = { 0 };
		bool good = signers_parse(cases[i].text, "f", a, &s, &err);
		bool right =
		    good
			? cases[i].line == 0 && s.n == cases[i].n + 1 && s.names == cases[i].persons
			: err.pos.line == cases[i].line && strstr(err.msg, cases[i].words);

		test_ok(t, right, cases[i].name);
		if (!right)
			printf("# %d:%s\n", err.pos.line, err.msg);
	}
}

static void test_may(struct test *t, struct arena *a)
{
	static const struct {
		const char *patterns, *name_space;
		bool may;
	} cases[] = {
		{ "c/lab", "c/lab", true },
		{ "c/lab", "c/labb", false },
		{ "c/*", "c/lab", true },
		{ "c/*", "c/", true },
		{ "c/*", "d/lab", false },
		{ "c/l?b", "c/lab", true },
		{ "c/l?b", "c/lb", false },
		{ "x,c/*", "c/lab", true },
		{ "c/*,!c/lab", "c/lab", false },
		{ "!c/lab,c/*", "c/x", true },
		{ "!c/lab", "c/x", false },
		{ "*a*b*", "xaxbx", true },
		{ "*a*b*", "xbxax", false },
		{ "*", "", true },
		{ "**?", "", false },
		{ "a*a*a*a*a*a*a*b", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", false },
	};

	for (size_t i = 0; i < LEN(cases); i++) {
		struct signer s = { .namespaces = str_of(cases[i].patterns) };
		struct str name =
		    str_printf(a, "%s against %s", cases[i].patterns, cases[i].name_space);

		test_ok(t, signer_may(&s, str_of(cases[i].name_space)) == cases[i].may, name.p);
	}
	test_ok(t, signer_may(&(struct signer){ .next = 0 }, STR("any")), "no patterns");
}

/* The line of a key with one option, judged by both for a day. */
static void test_days(const struct fixture *f)
{
	static const struct {
		const char *option, *day, *says;
		bool good;
	} cases[] = {
		{ "valid-after=\"20260110Z\"", "2026-01-10", "from 2026-01-10", true },
		{ "valid-after=\"20260110Z\"", "2026-01-09", "from 2026-01-10", false },
		{ "valid-after=\"202601100000Z\"", "2026-01-10", "from 2026-01-10", true },
		{ "valid-after=\"202601100001Z\"", "2026-01-10", "from 2026-01-11", false },
		{ "valid-before=\"20260110Z\"", "2026-01-10", "until 2026-01-10", true },
		{ "valid-before=\"20260110Z\"", "2026-01-11", "until 2026-01-10", false },
		{ "valid-before=\"20260110235959Z\"", "2026-01-10", "until 2026-01-10", true },
		{ "valid-after=\"20260101Z\",valid-before=\"20260110Z\"", "2026-01-05",
		  "from 2026-01-01 until 2026-01-10", true },
		{ "namespaces=\"n*\"", "1970-01-02", "always", true },
		{ "namespaces=\"n*,!ns\"", "2026-01-01", "always", false },
	};
	struct str s = sign(f, "key", "ns", "sha512", row), key = get(f, "key.pub");

	put(f, "signed.sig", s);
	for (size_t i = 0; i < LEN(cases); i++) {
		struct str line =
		    str_printf(f->a, "alice %s " STR_FMT, cases[i].option, STR_ARG(key));
		struct str day = str_of(cases[i].day);
		const char *time = str_c(f->a, str_printf(f->a, "verify-time=%.4s%.2s%.2sZ", day.p,
							  day.p + 5, day.p + 8));
		const char *const argv[] = { "ssh-keygen", "-q", "-Y", "verify", "-O", time, "-f",
					     at(f, "signers"), "-I", "alice", "-n", "ns", "-s",
					     at(f, "signed.sig"), NULL };
		struct signers all;
		struct sshsig sig;
		struct error err = { 0 };
		struct date date;

		put(f, "signers", line);
		bool read = signers_parse(line, "f", f->a, &all, &err)
			    && sshsig_parse(s, f->a, &sig, &err) && date_parse(day, &date);
		const struct signer *who = read ? signers_find(&all, sig.key) : NULL;
		bool good = who && signer_may(who, STR("ns")) && signer_is_valid(who, date);
		test_ok(f->t, who && good == cases[i].good && tool(f, argv, row) == cases[i].good,
			cases[i].option);
		test_str(f->t, who ? signer_days(who, f->a) : STR(""), str_of(cases[i].says),
			 "is told");
	}
}

static void test_files(struct test *t, struct arena *a)
{
	struct signers s;
	struct error err = { 0 };

	test_ok(t, signers_read("/nonexistent/allowed_signers", 100, a, &s, &err) && s.n == 1,
		"no file is nobody");
	test_ok(t, !signers_read("/proc/self", 100, a, &s, &err) && err.code == ERR_ENVIRONMENT,
		"a folder is an error");
	err = (struct error){ 0 };
	test_ok(t, !signers_read("Makefile", 10, a, &s, &err) && err.code == ERR_RANGE,
		"a file over the limit is an error");
}

static void test_fingerprint(const struct fixture *f)
{
	struct str s = sign(f, "key", "ns", "sha512", row);
	const char *const argv[] = { "ssh-keygen", "-l", "-f", at(f, "key.pub"), NULL };
	struct process_options opt = { .argv = argv, .seconds = 60, .output_max = 9999 };
	struct process_result r = { 0 };
	struct sshsig sig;
	struct error err = { 0 };
	bool good = sshsig_parse(s, f->a, &sig, &err) && process_run(&opt, f->a, &r, &err);
	struct str print = good ? sshsig_fingerprint(sig.key, f->a) : STR("none");

	test_ok(f->t, str_find(r.output, print, 0) < r.output.len,
		"the fingerprint is ssh-keygen's");
}

int main(void)
{
	struct test t = { 0 };
	struct arena a = { 0 };
	struct fixture f = { .dir = "/tmp/sshsig_test.XXXXXX", .a = &a, .t = &t };
	struct error err = { 0 };

	if (!mkdtemp(f.dir))
		return 2;
	test_signers(&t, &a);
	test_may(&t, &a);
	test_files(&t, &a);
	test_low_order(&f);
	if (make_key(&f, "key", "ed25519", "256")) {
		test_good(&f);
		test_damaged(&f);
		test_fields(&f);
		test_key_types(&f);
		test_hardware(&f);
		test_days(&f);
		test_fingerprint(&f);
	} else {
		printf("# ssh-keygen is not there: signatures are not tried\n");
	}
	file_remove_tree(f.dir, &err);
	arena_free(&a);
	return test_done(&t);
}
