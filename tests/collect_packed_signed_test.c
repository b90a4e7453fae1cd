/* Signed files that are packed: what is signed is what was sent. The same rows packed anew are
 * signed by nobody, also where a cache knows what they give. */
#include "collect_fixture.h"
#include "sshsig_fixture.h"
#include "unpack_fixture.h"

#include "../base/cache.h"
#include "../collect/signature.h"

#define HEAD                                                                                       \
	"machine,date,device,device_count,workload,precision,batch_size,metric,value,unit,repeat," \
	"source\n"
#define ROW(machine, value)                                                                        \
	machine ",2024-05-06,RTX 2080 Ti,1,resnet50,fp32,64,throughput," value ",images/s,1,lab\n"
#define NAMESPACE "gpuguide-contribution/lab"

struct bench {
	struct test t;
	struct stage s;
	const char *cache_dir;
	struct sshsig_key alice, mallory;
};

static void put(struct bench *b, const char *name, struct str bytes)
{
	struct error err = { 0 };

	if (!file_write(fixture_path(&b->s.f, name), bytes, &err))
		error_print(stdout, &err);
}

static void put_signature(struct bench *b, const char *name, const struct sshsig_key *key,
			  struct str of)
{
	put(b, name, sshsig_make(key, NAMESPACE, of, &b->s.f.arena));
}

static bool has(struct str text, const char *part)
{
	return str_find(text, str_of(part), 0) < text.len;
}

/* Without a cache, and with the one that earlier calls have left, twice: the same. */
static void run(struct bench *b, struct outcome *out, const char *name)
{
	struct arena *a = &b->s.f.arena;
	bool good = true;

	outcome_run(&b->s, (struct collect_options){ .threads = 1 }, out);
	for (int i = 0; i < 2; i++) {
		struct outcome other;
		outcome_run(
		    &b->s,
		    (struct collect_options){ .cache = cache_open(b->cache_dir, a), .threads = 2 },
		    &other);
		good = good && outcome_same(out, &other);
		if (!outcome_same(out, &other))
			printf("# with a cache: " STR_FMT "\n", STR_ARG(other.messages));
	}
	test_ok(&b->t, good, name);
}

static void counts(struct bench *b, size_t files, const char *name)
{
	struct outcome out;

	run(b, &out, name);
	test_ok(&b->t,
		out.summary.files_refused == 0 && out.summary.accepted == files
		    && has(out.tables[1], ",signed,alice\n") && !has(out.tables[1], ",known,"),
		"all of it counts as signed");
}

static void refused(struct bench *b, size_t files, const char *why, const char *name)
{
	struct outcome out;

	run(b, &out, name);
	test_ok(&b->t,
		out.summary.files_refused == files && out.summary.accepted == 0
		    && has(out.messages, why),
		why);
	if (!has(out.messages, why))
		printf("# said " STR_FMT "\n", STR_ARG(out.messages));
}

#define OTHER_BYTES "its signature is not of these bytes"

/* Two gzip members, and one: the same text in other bytes. */
static struct str gzip_anew(struct str text, struct arena *a)
{
	struct strbuf b = { .arena = a };

	strbuf_add(&b, made_gzip(str_slice(text, 0, text.len / 2), a));
	strbuf_add(&b, made_gzip(str_slice(text, text.len / 2, text.len), a));
	return strbuf_str(&b);
}

/* One name of a packed file, its bytes as they were signed, and others that give the same. */
static void test_anew(struct bench *b, const char *name, struct str sent, struct str anew,
		      size_t files)
{
	struct arena *a = &b->s.f.arena;
	const char *path = str_c(a, str_printf(a, "in/lab/%s", name));
	const char *signature = str_c(a, str_printf(a, "%s.sig", path));

	printf("# %s\n", name);
	put(b, path, sent);
	put_signature(b, signature, &b->alice, sent);
	counts(b, files, "as it was signed");
	put(b, path, anew);
	refused(b, files, OTHER_BYTES, "packed anew: the cache does not answer for it");
	put(b, path, sent);
	counts(b, files, "as it was signed, again");
	put_signature(b, signature, &b->mallory, sent);
	refused(b, files, "which is not in contributors/allowed_signers",
		"another's signature in its place");
	put_signature(b, signature, &b->alice, anew);
	refused(b, files, OTHER_BYTES, "the signature of what it is not");
	put(b, path, anew);
	counts(b, files, "and of what it is then");
	put(b, signature, STR("-----BEGIN SSH"));
	refused(b, files, "its signature is not an SSH signature", "half a signature");
	unlink(fixture_path(&b->s.f, path));
	unlink(fixture_path(&b->s.f, signature));
}

static void test_all_anew(struct bench *b)
{
	struct arena *a = &b->s.f.arena;
	const struct str names[] = { STR_INIT("a.csv"), STR_INIT("d/b.csv") };
	const struct str texts[] = { STR_INIT(HEAD ROW("m1", "300")),
				     STR_INIT(HEAD ROW("m2", "310")) };
	struct str ustar = made_tar("ustar", names, texts, 2, false, a);
	struct str gnu = made_tar("gnutar", names, texts, 2, false, a);

	test_anew(b, "x.csv.gz", made_gzip(texts[0], a), gzip_anew(texts[0], a), 1);
	test_anew(b, "x.tar", ustar, gnu, 2);
	test_anew(b, "x.tar.gz", made_gzip(ustar, a), gzip_anew(ustar, a), 2);
	test_anew(b, "x.tar.zst", made_zstd(ustar, 0, a), made_zstd(ustar, 19, a), 2);
}

/* Who may sign is part of what is kept; so is why a signature cannot be read. */
static void test_signers(struct bench *b)
{
	struct arena *a = &b->s.f.arena;
	struct str sent = made_gzip(STR(HEAD ROW("m1", "300")), a);
	const char *signers = "contributors/allowed_signers";

	put(b, "in/lab/x.csv.gz", sent);
	put_signature(b, "in/lab/x.csv.gz.sig", &b->mallory, sent);
	refused(b, 1, "which is not in contributors/allowed_signers", "a key that nobody knows");
	fixture_put(&b->s.f, signers, sshsig_allow(&b->mallory, "alice", "", a));
	counts(b, 1, "once it is known");
	fixture_put(&b->s.f, signers, sshsig_allow(&b->alice, "alice", "", a));
	refused(b, 1, "which is not in contributors/allowed_signers", "and when it was taken out");
	put(b, "in/lab/x.csv.gz.sig",
	    (struct str){ arena_alloc(a, LIMIT_SIGNATURE + 1), LIMIT_SIGNATURE + 1 });
	refused(b, 1, "its signature has more than 16384 bytes", "an endless signature");
	put(b, "in/lab/x.csv.gz.sig", STR(""));
	refused(b, 1, "its signature is not an SSH signature", "an empty one");
	unlink(fixture_path(&b->s.f, "in/lab/x.csv.gz.sig"));
	unlink(fixture_path(&b->s.f, "in/lab/x.csv.gz"));
}

/* What a first pass says of the bytes that it took, large and small, whatever lies there later. */
static void test_sums(struct bench *b)
{
	static const char *const kinds[] = { "s.csv", "s.csv.gz", "s.csv.zst" };
	struct arena *a = &b->s.f.arena;
	struct strbuf text = { .arena = a };

	for (int i = 0; i < 100000; i++) /* more than is read at once, also when it is packed */
		strbuf_printf(&text, "%d,%d\n", i, (i * 7919) % 100003);
	const struct str files[] = { strbuf_str(&text), made_gzip(strbuf_str(&text), a),
				     made_zstd(strbuf_str(&text), 0, a) };
	for (size_t i = 0; i < LEN(kinds); i++) {
		const char *path = fixture_path(&b->s.f, kinds[i]);
		struct sshsig_sums want;
		struct error err = { 0 };
		struct packed p;

		put(b, kinds[i], files[i]);
		bool good =
		    packed_look_signed(path, unpack_kind_of(str_of(kinds[i])), NULL, a, &p, &err);
		put(b, kinds[i], STR("x"));
		crypto_hash_sha256(want.sha256, (const unsigned char *)files[i].p, files[i].len);
		crypto_hash_sha512(want.sha512, (const unsigned char *)files[i].p, files[i].len);
		test_ok(&b->t,
			good && files[i].len > 1 << 17 && memcmp(&p.sent, &want, sizeof want) == 0,
			kinds[i]);
		unlink(path);
	}
}

/* A signature that was put in the place of the one that the run has found. */
static void test_replaced(struct bench *b)
{
	struct arena *a = &b->s.f.arena;
	struct str path = str_of(fixture_path(&b->s.f, "in/lab/x.csv")),
		   text = STR(HEAD ROW("m1", "300"));
	struct signers signers;
	struct error err = { 0 };

	put_signature(b, "in/lab/x.csv.sig", &b->mallory, text);
	struct str found = signature_sum(path, a);
	test_ok(&b->t, found.len == 64 && signature_signers(b->s.f.dir, a, &signers, &err),
		"a signature is found");
	put_signature(b, "in/lab/x.csv.sig", &b->alice, text);
	test_ok(&b->t,
		!signature_begin(&signers, path, found, STR("lab"), &err) && err.code == ERR_SYNTAX,
		"and another one is read");
	test_str(&b->t, str_of(err.msg), STR("its signature was changed while it was read"),
		 "what is said");
	unlink(fixture_path(&b->s.f, "in/lab/x.csv.sig"));
	err = (struct error){ 0 };
	test_ok(&b->t,
		!signature_begin(&signers, path, found, STR("lab"), &err) && err.code == ERR_SYNTAX,
		"or none is there");
	test_str(&b->t, signature_sum(path, a), STR("its signature cannot be read"),
		 "by which that is known");
}

int main(void)
{
	struct bench b = { .t = { 0 } };
	struct error err = { 0 };

	stage_open(&b.s);
	if (!sshsig_key_make(&b.alice, 7) || !sshsig_key_make(&b.mallory, 8))
		return 1;
	stage_dir(&b.s, "contributors");
	b.cache_dir = fixture_path(&b.s.f, "cache");
	fixture_put(&b.s.f, "contributors/allowed_signers",
		    sshsig_allow(&b.alice, "alice", "", &b.s.f.arena));
	test_sums(&b);
	test_replaced(&b);
	test_all_anew(&b);
	test_signers(&b);
	if (!file_remove_tree(b.cache_dir, &err))
		error_print(stdout, &err);
	unlink(fixture_path(&b.s.f, "contributors/allowed_signers"));
	stage_close(&b.s);
	return test_done(&b.t);
}
