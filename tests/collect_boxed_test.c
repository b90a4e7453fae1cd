/* The stage in a process of its own gives what it gives in this one: tables, messages, counts,
 * errors, and what it leaves in a cache. */
#include "collect_fixture.h"

#include "../base/cache.h"
#include "../collect/boxed.h"
#include "../collect/limits.h"
#include "../collect/stage.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>

#define HEAD "machine,date,device,workload,precision,metric,value,unit,source\n"
#define ROW(machine, value)                                                                        \
	machine ",2024-05-06,RTX 2080 Ti,resnet50,fp32,throughput," value ",images/s,s\n"

/* What one run gave. */
struct boxed_outcome {
	bool good;
	struct str tables[4], messages, error;
	struct collect_summary summary;
};

static const char *const tables[] = { "out/data/observations.csv", "out/data/machines.csv",
				      "out/data/sources.csv", "out/data/rejects.csv" };

/* Of the options the folders and paths are filled in. */
static void run_with(struct stage *s, const char *in, bool boxed, struct collect_options opt,
		     struct boxed_outcome *out)
{
	const char *paths[] = { strcmp(in, "-") == 0 ? "-" : fixture_path(&s->f, in) };
	struct error err = { 0 };
	struct collect_box box;

	opt.data_dir = s->f.dir;
	opt.out_dir = fixture_path(&s->f, "out");
	opt.paths = paths;
	opt.npaths = 1;
	for (size_t i = 0; i < LEN(tables); i++)
		unlink(fixture_path(&s->f, tables[i]));
	file_make_dirs(fixture_path(&s->f, "out"), &err);
	s->messages.n = 0;
	*out = (struct boxed_outcome){ .good = false };
	out->good =
	    boxed ? collect_boxed(&opt, &s->devices, &s->f.arena, &s->messages, &out->summary, &box,
				  &err)
		  : collect_run(&opt, &s->devices, &s->f.arena, &s->messages, &out->summary, &err);
	for (size_t i = 0; i < LEN(tables); i++)
		if (file_exists(fixture_path(&s->f, tables[i])))
			out->tables[i] = stage_rows(s, tables[i]);
	out->messages = stage_messages(s);
	out->error = error_text(&err, &s->f.arena);
}

static void run(struct stage *s, const char *in, struct cache *cache, bool boxed,
		struct boxed_outcome *out)
{
	run_with(s, in, boxed, (struct collect_options){ .cache = cache }, out);
}

static void compare(struct test *t, const struct boxed_outcome *got,
		    const struct boxed_outcome *want, const char *name)
{
	test_ok(t, got->good == want->good, name);
	for (size_t i = 0; i < LEN(tables); i++)
		test_str(t, got->tables[i], want->tables[i], tables[i]);
	test_str(t, got->messages, want->messages, "messages");
	test_str(t, got->error, want->error, "error");
	test_ok(t, !want->good || memcmp(&got->summary, &want->summary, sizeof got->summary) == 0,
		"counts");
}

static size_t entries(const char *dir, struct arena *a)
{
	struct file_list list = { .n = 0 };
	struct error err = { 0 };

	if (file_is_dir(dir) && !file_list(dir, "", true, a, &list, NULL, &err))
		error_print(stdout, &err);
	return list.n;
}

static void test_same(struct test *t, struct stage *s)
{
	struct boxed_outcome want, got;

	run(s, "in", NULL, false, &want);
	test_ok(t, want.good && want.summary.rejected == 1 && want.messages.len,
		"the stage in this process");
	run(s, "in", NULL, true, &got);
	compare(t, &got, &want, "in its own");
	run_with(s, "in", true, (struct collect_options){ .memory = 1 }, &got);
	compare(t, &got, &want, "values beyond the memory go to the scratch file");
	run(s, "missing", NULL, false, &want);
	test_ok(t, !want.good && want.error.len, "a path that is not there");
	run(s, "missing", NULL, true, &got);
	compare(t, &got, &want, "its error is that of this process");
}

/* The child makes no entry, this process makes those it asked for. */
static void test_cache(struct test *t, struct stage *s)
{
	struct arena *a = &s->f.arena;
	const char *dir = fixture_path(&s->f, "cache");
	struct boxed_outcome want, got;
	struct error err = { 0 };

	run(s, "in", cache_open(dir, a), false, &want);
	size_t n = entries(dir, a);
	test_ok(t, n > 1 && file_remove_tree(dir, &err), "a cache that this process fills");
	run(s, "in", cache_open(dir, a), true, &got);
	compare(t, &got, &want, "the child fills it");
	test_ok(t, entries(dir, a) == n, "with as many entries");
	run(s, "in", cache_open(dir, a), true, &got);
	compare(t, &got, &want, "it takes the tables from there");
	run(s, "in", cache_open(dir, a), false, &got);
	compare(t, &got, &want, "and so does this process");
	fixture_put(&s->f, "in/lab/x.csv",
		    HEAD ROW("m1", "300.5") ROW("m2", "1e9") ROW("m3", "301"));
	run(s, "in", NULL, false, &want);
	run(s, "in", cache_open(dir, a), true, &got);
	compare(t, &got, &want, "a file that has changed is read again");
	file_remove_tree(dir, &err);
}

/* One run with a limit, without a cache or with an empty one. */
static struct boxed_outcome run_limited(struct stage *s, size_t most, bool cached)
{
	const char *dir = fixture_path(&s->f, "cache");
	struct boxed_outcome out;
	struct error err = { 0 };
	const struct collect_options opt = {
		.cache = cached ? cache_open(dir, &s->f.arena) : NULL, .result = most
	};

	run_with(s, "in", true, opt, &out);
	if (file_is_dir(dir))
		file_remove_tree(dir, &err);
	return out;
}

/* What comes back beside the list for the cache is within a limit of its own: what the list leaves
 * free is not for it. */
static void test_result(struct test *t, struct stage *s)
{
	size_t low = 1, high = 1 << 16; /* too few bytes, and enough */
	struct boxed_outcome want, got;
	char said[200];

	run(s, "in", NULL, false, &want);
	while (high - low > 1) {
		size_t most = low + (high - low) / 2;
		*(run_limited(s, most, false).good ? &high : &low) = most;
	}
	got = run_limited(s, high, false);
	compare(t, &got, &want, "a result as long as it may be");
	got = run_limited(s, low, false);
	snprintf(said, sizeof said,
		 "collect: its process could not hand back its result: it has more than %zu bytes",
		 low);
	test_ok(t, !got.good && low > 500 && got.tables[0].len == 0, "a byte more than it may");
	test_str(t, got.error, str_of(said), "  what is said");
	got = run_limited(s, high, true);
	compare(t, &got, &want, "as long as it may be, beside a list for the cache");
	got = run_limited(s, low, true);
	snprintf(said, sizeof said, "collect: its process handed back more than %zu bytes of results",
		 low);
	test_ok(t, !got.good && got.tables[0].len == 0, "a byte more, where the list has room left");
	test_str(t, got.error, str_of(said), "  what is said");
}

/* A list that is cut anywhere does what stands whole in it, and no harm. */
static void test_list(struct test *t, struct stage *s)
{
	static const char keys[2][65] = {
		"0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
		"fedcba9876543210fedcba9876543210fedcba9876543210fedcba9876543210",
	};
	struct arena *a = &s->f.arena;
	const char *dir = fixture_path(&s->f, "cache"), *path = fixture_path(&s->f, "listed");
	struct cache *c = cache_open(dir, a);
	struct error err = { 0 };
	struct str listed, got;
	int fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
	bool good = true;

	cache_list(c, fd, 1000);
	cache_put(c, str_of(keys[0]), STR("one"));
	cache_keep(c, str_of(keys[0]));
	cache_put(c, str_of(keys[1]), STR(""));
	cache_put(c, STR("no key"), STR("x"));
	close(fd);
	test_ok(t, entries(dir, a) == 0 && file_read(path, 0, a, &listed, &err) && listed.len,
		"puts are listed, nothing is made");
	for (size_t i = 0; i <= listed.len; i++) {
		struct cache *other = cache_open(dir, a);
		bool first, second;

		cache_carry_out(other, str_slice(listed, 0, i));
		first = cache_get(other, str_of(keys[0]), a, &got) && str_eq(got, STR("one"));
		second = cache_get(other, str_of(keys[1]), a, &got) && got.len == 0;
		good = good && first == (i >= 71) && second == (i == listed.len);
		if (file_is_dir(dir))
			file_remove_tree(dir, &err);
	}
	test_ok(t, good, "a list that is cut is carried out up to there");
	cache_carry_out(cache_open(dir, a), STR("\x00\xff\xff\xff\xff\xff\xff\xff\xff\x01 noise"));
	cache_carry_out(NULL, listed);
	test_ok(t, entries(dir, a) == 0, "noise and no cache do nothing");
	unlink(path);
}

/* What does not fit into the list is left out whole; what is smaller still comes. */
static void test_list_limit(struct test *t, struct stage *s)
{
	static const char key[] =
	    "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";
	enum { LINE = 71 }; /* bytes for "one" under a key */
	static const struct {
		const char *name;
		size_t most, left; /* bytes that are listed */
	} cases[] = {
		{ "room for all", 3 * LINE, 3 * LINE }, { "for two", 3 * LINE - 1, 2 * LINE },
		{ "for one", LINE, LINE },		{ "for none", LINE - 1, 0 },
	};
	struct arena *a = &s->f.arena;
	const char *path = fixture_path(&s->f, "listed");

	for (size_t i = 0; i < LEN(cases); i++) {
		struct cache *c = cache_open(fixture_path(&s->f, "cache"), a);
		int fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
		struct stat st = { 0 };

		cache_list(c, fd, cases[i].most);
		for (int n = 0; n < 3; n++) {
			cache_put(c, str_of(key), STR("one"));
			cache_put(c, str_of(key),
				  (struct str){ arena_alloc(a, 4 * LINE), 4 * LINE });
		}
		test_ok(t, fstat(fd, &st) == 0 && (size_t)st.st_size == cases[i].left,
			cases[i].name);
		close(fd);
	}
	unlink(path);
}

/* A file that takes no more in the middle of a line, and later would again: nothing comes behind
 * that half. */
static void test_list_cut(struct test *t, struct stage *s)
{
	static const char key[] =
	    "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";
	enum { ROOM = 100 }; /* for one line of 71 bytes */
	struct cache *c = cache_open(fixture_path(&s->f, "cache"), &s->f.arena);
	const char *path = fixture_path(&s->f, "listed");
	int fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
	struct rlimit before;
	struct stat st = { 0 };

	cache_list(c, fd, 1000);
	getrlimit(RLIMIT_FSIZE, &before);
	signal(SIGXFSZ, SIG_IGN);
	setrlimit(RLIMIT_FSIZE, &(struct rlimit){ ROOM, before.rlim_max });
	cache_put(c, str_of(key), STR("one"));
	cache_put(c, str_of(key), STR("two"));
	setrlimit(RLIMIT_FSIZE, &before);
	signal(SIGXFSZ, SIG_DFL);
	cache_put(c, str_of(key), STR("three"));
	test_ok(t, fstat(fd, &st) == 0 && st.st_size == ROOM,
		"nothing is listed behind half a line");
	close(fd);
	unlink(path);
}

/* The child's word for how many there are costs nothing before it is looked at. */
static void test_messages(struct test *t)
{
	static const struct {
		const char *name;
		size_t n;
		bool good;
	} cases[] = { { "some messages", 3, true },
		      { "one more than there may be", LIMIT_MESSAGES + 1, false } };
	struct message few[] = { { .text = STR_INIT("one") },
				 { .text = STR_INIT("two") },
				 { .text = STR_INIT("") } };
	struct collect_summary sum = { 0 };

	for (size_t i = 0; i < LEN(cases); i++) {
		struct arena a = { 0 };
		struct strbuf b = { .arena = &a };
		struct messages m = { .v = few, .n = cases[i].n }, back = { .arena = &a };
		struct unpack u = { 0 };
		struct error err = { 0 };
		bool packed = stage_pack(&b, &m, 0, &sum, &err);

		test_ok(t, packed == cases[i].good && err.code == (packed ? ERR_NONE : ERR_RANGE),
			cases[i].name);
		if (!packed) { /* by a child that does not keep to it */
			b.len = 0;
			strbuf_add(&b, STR("\0\0\0\0\0\0\0\0\0")); /* the numbers of a summary */
			pack_put_int(&b, (long long)m.n);
			strbuf_add(&b, (struct str){ arena_alloc(&a, 4 * m.n), 4 * m.n });
		}
		u.rest = strbuf_str(&b);
		stage_unpack(&u, &back, &sum);
		test_ok(t, unpack_end(&u) == cases[i].good && back.n == (cases[i].good ? m.n : 0),
			"  on the way back");
		arena_free(&a);
	}
}

/* A pipe as standard input, which is read once. */
static void test_input(struct test *t, struct stage *s)
{
	static const char text[] = HEAD ROW("m1", "300.5") ROW("m2", "1e9");
	struct boxed_outcome got[2];
	int kept = dup(STDIN_FILENO);

	for (int boxed = 0; boxed < 2; boxed++) {
		int ends[2];
		bool good = pipe(ends) == 0
			    && write(ends[1], text, sizeof text - 1) == (ssize_t)sizeof text - 1
			    && dup2(ends[0], STDIN_FILENO) == STDIN_FILENO;

		test_ok(t, good, "text in a pipe");
		close(ends[0]);
		close(ends[1]);
		run(s, "-", NULL, boxed, &got[boxed]);
	}
	if (kept >= 0)
		dup2(kept, STDIN_FILENO);
	close(kept);
	test_ok(t, got[0].good && got[0].summary.accepted == 1 && got[0].summary.rejected == 1,
		"standard input");
	compare(t, &got[1], &got[0], "the child reads it");
}

int main(void)
{
	struct test t = { 0 };
	struct stage s;

	setvbuf(stdout, NULL, _IOLBF, 0);
	stage_open(&s);
	fixture_put(&s.f, "in/lab/x.csv", HEAD ROW("m1", "300.5") ROW("m2", "1e9"));
	fixture_put(&s.f, "in/lab/y.csv",
		    HEAD "\"m,4\",2024-05-06,RTX 2080 Ti,resnet50,fp32,throughput,"
			 "302,images/s,\"=s\"\n");
	test_same(&t, &s);
	test_cache(&t, &s);
	test_result(&t, &s);
	test_list(&t, &s);
	test_list_limit(&t, &s);
	test_list_cut(&t, &s);
	test_messages(&t);
	test_input(&t, &s);
	stage_close(&s);
	return test_done(&t);
}
