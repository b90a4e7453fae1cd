/* Signed files in the stage: of one part and of several, with any number of threads, with a cold
 * cache and a warm one. Packed ones: collect_packed_signed_test.c. */
#include "collect_fixture.h"
#include "sshsig_fixture.h"

#include "../base/cache.h"
#include "../collect/source.h"

#define HEAD                                                                                       \
	"machine,date,device,device_count,workload,precision,batch_size,metric,value,unit,repeat," \
	"source\n"
#define ROW(machine, date, value)                                                                  \
	machine "," date ",RTX 2080 Ti,1,resnet50,fp32,64,throughput," value ",images/s,1,lab\n"
#define NAMESPACE "gpuguide-contribution/lab"

struct bench {
	struct test t;
	struct stage s;
	const char *cache_dir;
	struct edition edition;
	struct sshsig_key key;
};

/* Alice may sign; limits: "" or as allowed_signers has them */
static void allow(struct bench *b, const char *limits)
{
	fixture_put(&b->s.f, "contributors/allowed_signers",
		    sshsig_allow(&b->key, "alice", limits, &b->s.f.arena));
}

/* in/lab/x.csv; the signature beside it is one of `was`. */
static void put(struct bench *b, struct str text, struct str was)
{
	struct arena *a = &b->s.f.arena;

	fixture_put(&b->s.f, "in/lab/x.csv", str_c(a, text));
	fixture_put(&b->s.f, "in/lab/x.csv.sig", str_c(a, sshsig_make(&b->key, NAMESPACE, was, a)));
}

/* --- runs --- */

static void run(struct bench *b, size_t threads, size_t memory, struct cache *cache,
		struct outcome *out)
{
	outcome_run(
	    &b->s,
	    (struct collect_options){
		.edition = &b->edition, .cache = cache, .threads = threads, .memory = memory },
	    out);
}

/* In every way there is: with 1, 2 and 7 threads, with hardly any memory, with the cache that
 * earlier calls have left (of files, for the catalogue has changed since), and with all of it
 * cached. */
static void run_all(struct bench *b, struct outcome *out, const char *name)
{
	static const struct {
		size_t threads, memory;
		bool cached;
	} ways[] = {
		{ 2, 0, false }, { 7, 0, false }, { 2, 4096, false }, { 2, 0, true }, { 1, 0, true }
	};
	struct arena *a = &b->s.f.arena;
	bool good = true;

	fixture_put(
	    &b->s.f, "overrides.csv",
	    str_c(a, str_printf(a, "file,line,decision,who,why\nlab/none.csv,2,reject,me,\"%s\"\n",
				name)));
	run(b, 1, 0, NULL, out);
	for (size_t i = 0; i < LEN(ways); i++) {
		struct cache *cache = ways[i].cached ? cache_open(b->cache_dir, a) : NULL;
		struct outcome other;
		run(b, ways[i].threads, ways[i].memory, cache, &other);
		good = good && outcome_same(out, &other);
		if (!outcome_same(out, &other))
			printf("# way %zu: " STR_FMT, i, STR_ARG(other.messages));
	}
	test_ok(&b->t, good, name);
}

static bool has(struct str text, const char *part)
{
	return str_find(text, str_of(part), 0) < text.len;
}

/* --- cases --- */

/* A little more than two parts; 5 machines. */
static struct str large(struct bench *b, const char *first, const char *last)
{
	struct strbuf text = { .arena = &b->s.f.arena };

	strbuf_add(&text, STR(HEAD));
	strbuf_add(&text, str_of(first));
	for (size_t i = 0; text.len < 2 * (size_t)CHUNK_BYTES + 4096; i++)
		strbuf_printf(&text,
			      "m%zu,2024-05-%02zu,RTX 2080 "
			      "Ti,1,resnet50,fp32,64,throughput,%zu,images/s,%zu,lab\n",
			      i % 5, 1 + i % 28, 300 + i % 5, i % 9);
	strbuf_add(&text, str_of(last));
	return strbuf_str(&text);
}

static void counts(struct bench *b, struct str text, const char *dates, const char *name)
{
	struct outcome out;

	put(b, text, text);
	run_all(b, &out, name);
	test_ok(&b->t,
		out.summary.files_refused == 0 && out.summary.rejected == 0
		    && out.summary.machines > 0 && has(out.tables[1], ",signed,alice\n")
		    && !has(out.tables[1], ",anonymous,") && has(out.tables[1], dates)
		    && has(out.tables[0], ",signed\n"),
		"all of it counts as signed");
}

static void refused(struct bench *b, struct str text, struct str was, const char *why,
		    const char *name)
{
	struct outcome out;

	put(b, text, was);
	run_all(b, &out, name);
	test_ok(&b->t,
		out.summary.files_refused == 1 && out.summary.cells == 0
		    && out.summary.machines == 0 && out.summary.rows == 0 && has(out.messages, why)
		    && str_starts(out.tables[3], STR("lab/x.csv,1,1,signature,,")),
		why);
	if (!has(out.messages, why))
		printf("# said " STR_FMT, STR_ARG(out.messages));
}

static void test_small(struct bench *b)
{
	struct str text = STR(HEAD ROW("m1", "2024-05-06", "300") ROW("m2", "2024-05-07", "310"));
	struct str other = STR(HEAD ROW("m1", "2024-05-06", "300") ROW("m2", "2024-05-07", "319"));

	allow(b, "");
	counts(b, text, "2024-05-07", "one part");
	refused(b, other, text, "its signature is not of these bytes",
		"one part, a byte was changed");
	refused(b, STR(HEAD "\"open"), text, "its signature is not of these bytes",
		"one part, cut: that goes first");
	refused(b, STR(""), text, "its signature is not of these bytes", "nothing is left");
}

static void test_large(struct bench *b)
{
	struct str text = large(b, "", ROW("m0", "2024-06-30", "301")),
		   last = large(b, "", ROW("m0", "2024-06-30", "302"));

	allow(b, "");
	counts(b, text, "2024-06-30", "several parts");
	refused(b, last, text, "its signature is not of these bytes",
		"several parts, a byte of the last was changed");
	refused(b, str_slice(text, 0, text.len - 100), text, "its signature is not of these bytes",
		"several parts, cut");
	allow(b, "valid-after=\"20240501\",valid-before=\"20240630\" ");
	counts(b, text, "2024-06-30", "several parts, all dates within the key's time");
	refused(b, large(b, "", ROW("m0", "2024-07-01", "301")),
		large(b, "", ROW("m0", "2024-07-01", "301")),
		"with rows of 2024-05-01 to 2024-07-01", "a row of the last part is too new");
	refused(b, large(b, ROW("m0", "2024-04-30", "x"), ""),
		large(b, ROW("m0", "2024-04-30", "x"), ""), "with rows of 2024-04-30 to 2024-05-28",
		"a row of the first part is too old, though it is refused");
	refused(b, large(b, "", ROW("m0", "", "301")), large(b, "", ROW("m0", "", "301")),
		"but rows have no date", "a row of the last part has no date");
	refused(b, large(b, "", ROW("m4", "", "304") ROW("m4", "", "304")),
		large(b, "", ROW("m4", "", "304") ROW("m4", "", "304")), "but rows have no date",
		"rows of known bytes have no date");
	b->edition.benchmark_cutoff.day = 0;
	refused(b, large(b, "", ROW("m0", "2024-07-01", "301")),
		large(b, "", ROW("m0", "2024-07-01", "301")),
		"with rows of 2024-05-01 to 2024-07-01",
		"rows after the cut-off have dates as well");
	b->edition.benchmark_cutoff.day = INT_MIN;
}

/* The cache knows the bytes from when they had no signature, and from when it held. */
static void test_cached(struct bench *b)
{
	struct str text = STR(HEAD ROW("m1", "2024-05-06", "300")), other = STR(HEAD);
	struct outcome out;

	allow(b, "");
	fixture_put(&b->s.f, "in/lab/x.csv", str_chars(text));
	unlink(fixture_path(&b->s.f, "in/lab/x.csv.sig"));
	run_all(b, &out, "without a signature");
	test_ok(&b->t, has(out.tables[1], ",known,\n"), "known: the series has an address");
	refused(b, text, other, "its signature is not of these bytes", "with another file's");
	counts(b, text, "2024-05-06", "with its own");
	allow(b, "valid-before=\"20240101\" ");
	refused(b, text, text, "whose key is good until 2024-01-01",
		"when the key was over by then");
}

/* What is refused for its signature takes nothing away from the same bytes without one. */
static void test_copy(struct bench *b)
{
	struct str text = STR(HEAD ROW("m1", "2024-05-06", "300"));
	struct outcome out;

	allow(b, "");
	fixture_put(&b->s.f, "in/lab/y.csv", str_chars(text));
	put(b, text, STR(HEAD));
	run_all(b, &out, "an unsigned copy beside a bad signature");
	test_ok(&b->t, out.summary.files_refused == 1 && out.summary.accepted == 1
			  && has(out.tables[1], ",known,\n") && !has(out.tables[3], "duplicate"),
		"counts, and as unsigned");
	put(b, text, text);
	run_all(b, &out, "an unsigned copy beside a good one");
	test_ok(&b->t, out.summary.files_refused == 0 && out.summary.accepted == 1
			  && has(out.tables[1], ",signed,alice\n")
			  && str_starts(out.tables[3], STR("lab/y.csv,1,1,duplicate,,")),
		"is the one that does not count");
	allow(b, "valid-before=\"20240101\" ");
	put(b, text, text);
	run_all(b, &out, "an unsigned copy beside a signature by a key that had ended");
	test_ok(&b->t,
		out.summary.files_refused == 1 && out.summary.accepted == 1
		    && has(out.tables[1], ",known,\n") && !has(out.tables[3], "duplicate"),
		"counts, and as unsigned");
}

int main(void)
{
	struct bench b = { .edition.benchmark_cutoff.day = INT_MIN };
	struct error err = { 0 };

	if (!sshsig_key_make(&b.key, 7))
		return 1;
	stage_open(&b.s);
	stage_dir(&b.s, "contributors");
	b.cache_dir = fixture_path(&b.s.f, "cache");
	test_small(&b);
	test_large(&b);
	test_cached(&b);
	test_copy(&b);
	if (!file_remove_tree(b.cache_dir, &err))
		error_print(stdout, &err);
	unlink(fixture_path(&b.s.f, "in/lab/x.csv.sig"));
	unlink(fixture_path(&b.s.f, "in/lab/x.csv"));
	unlink(fixture_path(&b.s.f, "in/lab/y.csv"));
	unlink(fixture_path(&b.s.f, "overrides.csv"));
	unlink(fixture_path(&b.s.f, "contributors/allowed_signers"));
	stage_close(&b.s);
	return test_done(&b.t);
}
