/* The stage in a process of its own gives what it gives in this one: tables, messages, counts, errors,
 * and what it leaves in a cache. */
#include "collect_fixture.h"

#include "../base/cache.h"
#include "../collect/boxed.h"

#include <fcntl.h>

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

static void run_with(struct stage *s, const char *in, struct cache *cache, bool boxed, size_t memory,
		     struct boxed_outcome *out)
{
	const char *paths[] = { fixture_path(&s->f, in) };
	const struct collect_options opt = { .data_dir = s->f.dir,
					     .out_dir = fixture_path(&s->f, "out"),
					     .paths = paths,
					     .npaths = 1,
					     .cache = cache,
					     .memory = memory };
	struct error err = { 0 };
	struct collect_box box;

	for (size_t i = 0; i < LEN(tables); i++)
		unlink(fixture_path(&s->f, tables[i]));
	file_make_dirs(fixture_path(&s->f, "out"), &err);
	s->messages.n = 0;
	*out = (struct boxed_outcome){ .good = false };
	out->good = boxed ? collect_boxed(&opt, &s->devices, &s->f.arena, &s->messages, &out->summary,
					  &box, &err)
			  : collect_run(&opt, &s->devices, &s->f.arena, &s->messages, &out->summary,
					&err);
	for (size_t i = 0; i < LEN(tables); i++)
		if (file_exists(fixture_path(&s->f, tables[i])))
			out->tables[i] = stage_rows(s, tables[i]);
	out->messages = stage_messages(s);
	out->error = error_text(&err, &s->f.arena);
}

static void run(struct stage *s, const char *in, struct cache *cache, bool boxed,
		struct boxed_outcome *out)
{
	run_with(s, in, cache, boxed, 0, out);
}

static void compare(struct test *t, const struct boxed_outcome *got, const struct boxed_outcome *want,
		    const char *name)
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
	test_ok(t, want.good && want.summary.rejected == 1 && want.messages.len, "the stage in this process");
	run(s, "in", NULL, true, &got);
	compare(t, &got, &want, "in its own");
	run_with(s, "in", NULL, true, 1, &got);
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
	fixture_put(&s->f, "in/lab/x.csv", HEAD ROW("m1", "300.5") ROW("m2", "1e9") ROW("m3", "301"));
	run(s, "in", NULL, false, &want);
	run(s, "in", cache_open(dir, a), true, &got);
	compare(t, &got, &want, "a file that has changed is read again");
	file_remove_tree(dir, &err);
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

	cache_list(c, fd);
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

int main(void)
{
	struct test t = { 0 };
	struct stage s;

	setvbuf(stdout, NULL, _IOLBF, 0);
	stage_open(&s);
	fixture_put(&s.f, "in/lab/x.csv", HEAD ROW("m1", "300.5") ROW("m2", "1e9"));
	fixture_put(&s.f, "in/lab/y.csv", HEAD "\"m,4\",2024-05-06,RTX 2080 Ti,resnet50,fp32,throughput,"
					       "302,images/s,\"=s\"\n");
	test_same(&t, &s);
	test_cache(&t, &s);
	test_list(&t, &s);
	stage_close(&s);
	return test_done(&t);
}
