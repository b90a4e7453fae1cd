/* The stage with a cache: the same tables, messages and counts as without one, whatever is in the
 * cache and whatever was changed since. */
#include "collect_fixture.h"

#include "../base/cache.h"
#include "../collect/limits.h"
#include "../collect/lookup.h"

#define HEAD                                                                                       \
	"machine,date,device,device_count,class,workload,precision,batch_size,metric,value,unit,"  \
	"repeat,source\n"
#define ROW(machine, device, workload, value)                                                      \
	machine ",2024-05-06," device ",1,," workload ",fp32,64,throughput," value ",images/"      \
										   "s,1,s\n"

struct bench {
	struct test t;
	struct stage s;
	const char *cache_dir;
	struct edition edition;
};

static void run(struct bench *b, struct cache *cache, struct outcome *out)
{
	outcome_run(&b->s, (struct collect_options){ .edition = &b->edition, .cache = cache }, out);
}

static struct cache *open_cache(struct bench *b)
{
	return cache_open(b->cache_dir, &b->s.f.arena);
}

static void clear_cache(struct bench *b)
{
	struct error err = { 0 };

	if (file_is_dir(b->cache_dir) && !file_remove_tree(b->cache_dir, &err))
		error_print(stdout, &err);
}

/* Entries of the cache; what is larger than the tables of a fixture there is none. */
static struct file_list entries(struct bench *b)
{
	struct file_list list = { .n = 0 };
	struct error err = { 0 };

	if (file_is_dir(b->cache_dir))
		file_list(b->cache_dir, "", true, &b->s.f.arena, &list, NULL, &err);
	return list;
}

/* With the cache as it is, twice, against a run without: */
static void check(struct bench *b, const char *name)
{
	struct outcome without, with, again;

	run(b, NULL, &without);
	run(b, open_cache(b), &with);
	run(b, open_cache(b), &again);
	bool good = outcome_same(&without, &with) && outcome_same(&without, &again);
	test_ok(&b->t, good, name);
	if (!good)
		printf("# without\n" STR_FMT "# with\n" STR_FMT "# again\n" STR_FMT,
		       STR_ARG(without.messages), STR_ARG(with.messages), STR_ARG(again.messages));
}

/* Whether the last of two equal runs found all that it needs: then it puts nothing. */
static void check_hit(struct bench *b, const char *name)
{
	struct outcome o;
	struct file_list before, after;

	run(b, open_cache(b), &o);
	before = entries(b);
	run(b, open_cache(b), &o);
	after = entries(b);
	test_ok(&b->t, before.n > 0 && before.n == after.n, name);
}

static void fill(struct bench *b)
{
	struct fixture *f = &b->s.f;

	fixture_put(f, "in/lab/a.csv",
		    HEAD ROW("m2", "RTX 2080 Ti", "resnet50",
			     "290") ROW("m1", "GeForce RTX 2080 Ti", "resnet50", "300")
			ROW("m1", "RTX 9999", "resnet50", "300") ROW("m1", "", "resnet50", "nan")
			    ROW("m3", "RTX 2080 Ti", "resnet51", "7"));
	fixture_put(f, "in/lab/b.csv",
		    HEAD ROW("m1", "RTX 2080 Ti", "resnet50", "310")
			ROW("m4", "RTX 9999", "resnet50", "5")
			    ROW("m4", "RTX 2080 Ti", "resnet50", "0"));
	fixture_put(f, "in/lab/c.csv", "no,header\n1,2\n");
	fixture_put(f, "in/lab/d.csv", HEAD "\"open");
	fixture_put(f, "in/lab/e.csv", HEAD ROW("m5", "RTX 2080 Ti", "resnet50", "280"));
	fixture_put(f, "overrides.csv",
		    "file,line,decision,who,why\nlab/e.csv,2,did-not-fit,me,so\n"
		    "lab/b.csv,9,accept,me,no such row\n");
}

static void test_same(struct bench *b)
{
	check(b, "without, cold and warm: the same tables, messages and counts");
	check_hit(b, "warm: nothing is put");
	fixture_put(&b->s.f, "in/lab/f.csv", HEAD ROW("m6", "RTX 2080 Ti", "resnet50", "270"));
	check(b, "one more file: only it is read");
	fixture_put(&b->s.f, "in/lab/b.csv", HEAD ROW("m1", "RTX 2080 Ti", "resnet50", "311"));
	check(b, "a changed file");
	fixture_put(&b->s.f, "in/lab/g.csv", HEAD ROW("m1", "RTX 2080 Ti", "resnet50", "311"));
	check(b, "a file sent again under another name is told of");
	unlink(fixture_path(&b->s.f, "in/lab/b.csv"));
	check(b, "the first of two equal files is gone: the other counts");
}

/* A change of anything that the checks go by. */
static void test_catalogue(struct bench *b)
{
	struct fixture *f = &b->s.f;

	fixture_put(f, "workloads.csv",
		    FIXTURE_WORKLOADS
		    "resnet51,throughput,cnn,images/s,higher,1,1e6,,,score,New,t\n");
	check(b, "a new workload: rows that were refused count");
	fixture_put(f, "workloads.csv", FIXTURE_WORKLOADS);
	check(b, "and are refused again");
	fixture_put(f, "series.csv", "series,title,rules,software,date,licence,comparable,url\n");
	check(b, "a series that is no longer described");
	fixture_put(f, "series.csv", FIXTURE_SERIES);
	fixture_put(f, "overrides.csv", "file,line,decision,who,why\nlab/a.csv,2,reject,me,so\n");
	check(b, "another decision");
	b->edition.benchmark_cutoff.day = 10000;
	check(b, "a cut-off before all rows");
	b->edition.benchmark_cutoff.day = INT_MIN;
	check(b, "and without it again");
}

/* Every entry changed in its middle, cut, removed: each is a miss, and the others serve. */
static void test_damage(struct bench *b)
{
	struct outcome without, o;
	struct arena *a = &b->s.f.arena;
	size_t good = 0, tried = 0;

	run(b, NULL, &without);
	run(b, open_cache(b), &o);
	struct file_list list = entries(b);
	for (size_t i = 0; i < list.n; i++)
		for (int how = 0; how < 3; how++) {
			const char *path = str_c(a, file_join(a, str_of(b->cache_dir), list.v[i]));
			struct error err = { 0 };
			struct str text = { 0 };
			if (!file_read(path, 0, a, &text, &err) || text.len < 40)
				continue;
			char *bytes = memcpy(arena_alloc(a, text.len), text.p, text.len);
			bytes[text.len / 2] ^= 1;
			struct str bad = { bytes, how == 1 ? text.len / 2 : text.len };
			if (how == 2)
				unlink(path);
			else
				file_write(path, bad, &err);
			run(b, open_cache(b), &o);
			tried++;
			good += outcome_same(&without, &o);
		}
	printf("# %zu damages\n", tried);
	test_ok(&b->t, tried >= 6 && good == tried, "each entry changed, cut or removed: the same");
}

/* As many faulty cells as a file may tell, behind a message of the file itself: recalled, all of
 * them are told again. */
static void test_full(struct bench *b)
{
	struct fixture *f = &b->s.f;
	struct strbuf full = { .arena = &f->arena };

	strbuf_add(&full, STR("machine,device,workload,metric,value,unit,colour\n"));
	for (int i = 0; i < LIMIT_REJECTS; i++)
		strbuf_printf(&full, "m,RTX 2080 Ti,resnet50,throughput,none %d,images/s,\n", i);
	clear_cache(b);
	fixture_put(f, "in/lab/z.csv", strbuf_str(&full).p);
	fixture_put(f, "in/lab/z2.csv", HEAD);
	check(b, "as many faulty cells as are told, and an unknown column");
	fixture_put(f, "in/lab/y.csv", HEAD ROW("m8", "RTX 2080 Ti", "resnet50", "264"));
	check(b, "the same when it is recalled beside another file that has changed");
	struct str said = stage_messages(&b->s);
	test_ok(&b->t,
		str_find(said, STR("z.csv:1:0: unknown columns ignored: 'colour'\n"), 0) < said.len
		    && str_find(said, STR("'none 9999' is not a number\n"), 0) < said.len
		    && str_find(said, STR("z2.csv:1:0: no row below the header\n"), 0) < said.len,
		"the first, the last, and that of a file without rows");
}

/* More unknown names than are searched for in one file: later ones are refused without a hint,
 * whatever other files ask for and the cache holds. */
static void test_searches(struct bench *b)
{
	struct fixture *f = &b->s.f;
	struct strbuf many = { .arena = &f->arena };

	strbuf_add(&many, STR(HEAD));
	for (int i = 0; i < NEAREST_SEARCHES_MAX + 1; i++)
		strbuf_printf(
		    &many, "m,2024-05-06,card %d,1,,resnet50,fp32,64,throughput,9,images/s,1,s\n",
		    i);
	clear_cache(b);
	fixture_put(f, "in/lab/x.csv",
		    HEAD ROW("m", "last one", "resnet50", "9") ROW("m", "beyond", "resnet50", "9"));
	check(b, "two unknown names with hints");
	fixture_put(f, "in/lab/w.csv", strbuf_str(&many).p);
	check(b, "a file before them with one more than is searched for");
	struct str said = stage_messages(&b->s);
	test_ok(
	    &b->t,
	    str_find(said, STR("'card 20' is not in the catalogue\n"), 0) < said.len
		&& str_find(said, STR("'card 19' is not in the catalogue; nearest"), 0) < said.len
		&& str_find(said, STR("'beyond' is not in the catalogue; nearest"), 0) < said.len,
	    "its last is refused without a hint, those of the other file have one");
	unlink(fixture_path(f, "in/lab/w.csv"));
	fixture_put(f, "in/lab/y.csv",
		    HEAD ROW("m7", "RTX 2080 Ti", "resnet50", "265")); /* new tables */
	check(b, "without those before it");
}

int main(void)
{
	struct bench b = { .edition.benchmark_cutoff.day = INT_MIN };

	stage_open(&b.s);
	b.cache_dir = fixture_path(&b.s.f, "cache");
	fill(&b);
	test_same(&b);
	test_catalogue(&b);
	test_damage(&b);
	test_searches(&b);
	test_full(&b);
	clear_cache(&b);
	stage_close(&b.s);
	return test_done(&b.t);
}
