/* What is put in the place of a file between its hash, by which the cache would find the tables
 * again, and its reading: then they are not kept. */
#include "collect_fixture.h"
#include "sshsig_fixture.h"
#include "unpack_fixture.h"

#include "../base/cache.h"
#include "../collect/contribution.h"
#include "../collect/group.h"
#include "../collect/input.h"
#include "../collect/limits.h"
#include "../collect/signature.h"
#include "../collect/store.h"

#define HEAD "machine,date,device,workload,precision,metric,value,unit,source\n"
#define ROW(machine, value)                                                                        \
	machine ",2024-05-06,RTX 2080 Ti,resnet50,fp32,throughput," value ",images/s,s\n"

struct bench {
	struct test t;
	struct stage s;
	struct sshsig_key key;
	struct workloads workloads;
	struct series_list series;
	struct signers signers;
	struct overrides overrides;
	struct cache *cache;
	const char *in;
};

static void put(struct bench *b, const char *name, struct str bytes)
{
	struct error err = { 0 };

	if (!file_write(fixture_path(&b->s.f, name), bytes, &err))
		error_print(stdout, &err);
}

static struct str sign(struct bench *b, struct str text)
{
	return sshsig_make(&b->key, SIGNATURE_NAMESPACE "/lab", text, &b->s.f.arena);
}

static struct collection collection_of(struct bench *b)
{
	struct arena *a = &b->s.f.arena;

	return (struct collection){
		.arena = a,
		.devices = &b->s.devices,
		.workloads = &b->workloads,
		.signers = &b->signers,
		.messages = &b->s.messages,
		.cutoff = { INT_MIN },
		.series = names_make(a),
		.precisions = names_make(a),
		.frameworks = names_make(a),
		.sources = names_make(a),
		.machine_keys = names_make(a),
		.contents = names_make(a),
		.rejects = { .arena = a },
		.items = item_store_make(b->s.f.dir, 0, 0),
		.limits = &limits_of_stage,
		.threads = 2,
	};
}

/* --- what becomes of the contribution --- */

static void do_nothing(struct bench *b)
{
	(void)b;
}

static void replace(struct bench *b)
{
	put(b, "in/lab/x.csv", STR(HEAD ROW("m1", "301")));
}

static void lengthen(struct bench *b)
{
	if (truncate(fixture_path(&b->s.f, "in/lab/x.csv"), (off_t)CONTRIBUTION_MAX + 1) != 0)
		puts("# no file of such a size can be made");
}

static void break_header(struct bench *b)
{
	put(b, "in/lab/x.csv", STR("no,header\n"));
}

static void sign_anew(struct bench *b)
{
	put(b, "in/lab/x.csv.sig", sign(b, STR("another text")));
}

static void take_signature(struct bench *b)
{
	unlink(fixture_path(&b->s.f, "in/lab/x.csv.sig"));
}

static void replace_packed(struct bench *b)
{
	put(b, "in/lab/y.csv.gz", made_gzip(STR(HEAD ROW("m2", "311")), &b->s.f.arena));
}

static void spoil_signature(struct bench *b)
{
	put(b, "in/lab/x.csv.sig", sign(b, STR("a third text")));
}

static void fill(struct bench *b)
{
	struct str text = STR(HEAD ROW("m1", "300"));

	put(b, "in/lab/x.csv", text);
	put(b, "in/lab/x.csv.sig", sign(b, text));
	put(b, "in/lab/y.csv.gz", made_gzip(STR(HEAD ROW("m2", "310")), &b->s.f.arena));
}

/* Finds and hashes, lets somebody act, reads; whether the tables would be kept. */
static bool is_kept(struct bench *b, void (*act)(struct bench *))
{
	const struct collect_options opt = { .data_dir = b->s.f.dir,
					     .out_dir = b->s.f.dir,
					     .paths = &b->in,
					     .npaths = 1,
					     .cache = b->cache };
	struct arena *a = &b->s.f.arena;
	struct collection c = collection_of(b);
	struct store_catalogue catalogue = store_catalogue(&opt, a);
	struct collect_store store = { .cache = NULL };
	struct error err = { 0 };

	bool good = input_find(&opt, &c, &b->series, &err);
	if (good)
		store_open(&store, &opt, &catalogue, &c);
	good = good && store.stage.len > 0;
	act(b);
	good = good && contribution_read_all(&c, &b->overrides, &store, &err);
	item_store_close(&c.items);
	group_end_files(&c);
	group_free(&c);
	if (!good)
		error_print(stdout, &err);
	return good && store.stage.len > 0;
}

static void test_contributions(struct bench *b)
{
	static const struct {
		const char *name;
		void (*before)(struct bench *), (*act)(struct bench *);
		bool kept;
	} cases[] = {
		{ "nothing", do_nothing, do_nothing, true },
		{ "a signature that does not hold, and nothing", spoil_signature, do_nothing,
		  true },
		{ "other rows", do_nothing, replace, false },
		{ "a file that is refused", do_nothing, break_header, false },
		{ "a file over the limit", do_nothing, lengthen, false },
		{ "another signature", do_nothing, sign_anew, false },
		{ "a good file whose signature goes", spoil_signature, take_signature, false },
		{ "another packed file", do_nothing, replace_packed, false },
	};

	for (size_t i = 0; i < LEN(cases); i++) {
		fill(b);
		cases[i].before(b);
		test_ok(&b->t, is_kept(b, cases[i].act) == cases[i].kept, cases[i].name);
	}
}

/* --- the catalogue --- */

static size_t entries(struct bench *b)
{
	struct file_list list = { .n = 0 };
	struct error err = { 0 };

	if (file_is_dir(cache_dir(b->cache)))
		file_list(cache_dir(b->cache), "", true, &b->s.f.arena, &list, NULL, &err);
	return list.n;
}

static void clear(struct bench *b)
{
	struct error err = { 0 };

	if (file_is_dir(cache_dir(b->cache)) && !file_remove_tree(cache_dir(b->cache), &err))
		error_print(stdout, &err);
}

/* It changes between its reading and the end of the run: neither the file nor the tables are
 * kept. */
static void test_catalogue(struct bench *b)
{
	static const struct {
		const char *name, *text; /* NULL: nothing changes */
		size_t kept;
	} cases[] = {
		{ NULL, NULL, 2 },
		{ "workloads.csv", "", 0 },
		{ "series.csv", "", 0 },
		{ "overrides.csv", "file,line,decision,who,why\n", 0 },
		{ "contributors/allowed_signers", "# nobody\n", 0 },
		{ NULL, NULL, 2 }, /* those are read anew by each run */
		{ "aliases.csv", FIXTURE_ALIASES, 0 },
		{ NULL, NULL, 0 }, /* the devices were not, since they changed */
	};
	static const char sum[] =
	    "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";
	const struct collect_options opt = { .data_dir = b->s.f.dir, .cache = b->cache };
	struct arena *a = &b->s.f.arena;

	for (size_t i = 0; i < LEN(cases); i++) {
		struct collection c = collection_of(b);
		struct store_catalogue before = store_catalogue(&opt, a);
		struct collect_tables tables = { 0 };
		struct collect_summary summary = { 0 };
		struct collect_store store;

		clear(b);
		store_open(&store, &opt, &before, &c);
		if (i + 1 == LEN(cases))
			test_ok(&b->t, !store.cache,
				"nothing is recalled for devices that are others by then");
		if (cases[i].name)
			put(b, cases[i].name, str_of(cases[i].text));
		store_put_file(&store, str_of(sum), STR("what it gave"));
		store_put_shelves(&store);
		store_put_stage(&store, &b->s.messages, &tables, &summary);
		test_ok(&b->t, entries(b) == cases[i].kept,
			cases[i].name ? cases[i].name : "nothing changes meanwhile");
		item_store_close(&c.items);
	}
	unlink(fixture_path(&b->s.f, "overrides.csv"));
}

/* Files whose sums begin alike lie on one shelf, which takes so much and no more. */
static void test_shelf(struct bench *b)
{
	const struct collect_options opt = { .data_dir = b->s.f.dir, .cache = b->cache };
	struct arena *a = &b->s.f.arena;
	struct collection c = collection_of(b);
	struct store_catalogue catalogue = store_catalogue(&opt, a);
	const struct str half = { arena_alloc(a, LIMIT_SHELF_BYTES / 2), LIMIT_SHELF_BYTES / 2 };
	const struct str sums[] = { STR("0a"), STR("0b"), STR("0c") };
	struct collect_store store;
	struct str got;

	clear(b);
	store_open(&store, &opt, &catalogue, &c);
	for (size_t i = 0; i < LEN(sums); i++)
		store_put_file(&store, sums[i], half);
	test_ok(&b->t,
		store_get_file(&store, sums[0], &got) && store_get_file(&store, sums[1], &got)
		    && got.len == half.len,
		"a shelf has room for what is just within it");
	test_ok(&b->t, !store_get_file(&store, sums[2], &got), "what is more is read anew");
	item_store_close(&c.items);
}

static bool open_bench(struct bench *b, struct error *err)
{
	struct arena *a = &b->s.f.arena;
	const char *dir;

	stage_open(&b->s);
	dir = b->s.f.dir;
	stage_dir(&b->s, "contributors");
	b->in = fixture_path(&b->s.f, "in");
	b->cache = cache_open(fixture_path(&b->s.f, "cache"), a);
	if (!sshsig_key_make(&b->key, 7))
		return false;
	fixture_put(&b->s.f, "contributors/allowed_signers", sshsig_allow(&b->key, "alice", "", a));
	return workloads_read(dir, a, &b->workloads, err) && series_read(dir, a, &b->series, err)
	       && signature_signers(dir, a, &b->signers, err)
	       && override_read(dir, a, &b->overrides, err);
}

int main(void)
{
	struct bench b = { .t = { 0 } };
	struct error err = { 0 };

	if (open_bench(&b, &err)) {
		test_contributions(&b);
		test_shelf(&b);
		test_catalogue(&b);
	} else {
		error_print(stdout, &err);
		test_ok(&b.t, false, "a bench");
	}
	clear(&b);
	unlink(fixture_path(&b.s.f, "in/lab/x.csv"));
	unlink(fixture_path(&b.s.f, "in/lab/x.csv.sig"));
	unlink(fixture_path(&b.s.f, "in/lab/y.csv.gz"));
	unlink(fixture_path(&b.s.f, "aliases.csv"));
	unlink(fixture_path(&b.s.f, "contributors/allowed_signers"));
	stage_close(&b.s);
	return test_done(&b.t);
}
