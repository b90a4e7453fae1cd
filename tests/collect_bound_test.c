/* What all files together may bring, and what becomes of the memory of a file that is refused. */
#include "collect_fixture.h"

#include "../base/cache.h"
#include "../collect/limits.h"
#include "../collect/memo.h"
#include "../collect/parsed.h"

#include <stdint.h>

#define HEAD "machine,device,workload,precision,metric,value,unit,framework,source\n"

/* Rows from number `from` on, each of a machine, a framework and a source of its own. */
static void put_rows(struct stage *s, const char *name, size_t from, size_t n, bool one_framework)
{
	struct strbuf b = { .arena = &s->f.arena };

	strbuf_add(&b, STR(HEAD));
	for (size_t i = from; i < from + n; i++)
		strbuf_printf(&b,
			      "m%03zu,RTX 2080 Ti,resnet50,fp32,throughput,"
			      "%zu.%05zu,images/s,f%03zu,s%03zu\n",
			      i, 200 + i / 100000, i % 100000, one_framework ? (size_t)0 : i, i);
	fixture_put(&s->f, str_c(&s->f.arena, str_printf(&s->f.arena, "in/lab/%s", name)),
		    str_c(&s->f.arena, strbuf_str(&b)));
}

/* a has 100 rows; b has 100, half of whose names a has too; c has 40 of its own. */
static void put_files(struct stage *s, bool one_framework)
{
	put_rows(s, "a.csv", 0, 100, one_framework);
	put_rows(s, "b.csv", 50, 100, one_framework);
	put_rows(s, "c.csv", 200, 40, one_framework);
}

enum { ALL = 1 << 30 };

/* The limit that b would pass and c does not, and that which all three are just within. */
static const struct {
	const char *name;
	struct stage_limits least, just;
	bool one_framework;
	const char *want;
} cases[] = {
	{ "rows", { 150, ALL, ALL, ALL, ALL }, { 240, ALL, ALL, ALL, ALL }, false,
	  "rows: 200 with this file, at most 150 in all contributions together" },
	{ "kinds of rows", { ALL, 150, ALL, ALL, ALL }, { ALL, 240, ALL, ALL, ALL }, false,
	  "kinds of rows: 200 with this file, at most 150 in all contributions together" },
	{ "machines", { ALL, ALL, 145, ALL, ALL }, { ALL, ALL, 190, ALL, ALL }, false,
	  "machines: 150 with this file, at most 145 in all contributions together" },
	{ "frameworks", { ALL, ALL, ALL, 145, ALL }, { ALL, ALL, ALL, 190, ALL }, false,
	  "frameworks: 150 with this file, at most 145 in all contributions together" },
	{ "sources", { ALL, ALL, ALL, 145, ALL }, { ALL, ALL, ALL, 190, ALL }, true,
	  "sources: 150 with this file, at most 145 in all contributions together" },
	{ "bytes of names", { ALL, ALL, ALL, ALL, 1200 }, { ALL, ALL, ALL, ALL, 1920 }, false,
	  "bytes of names: 1600 with this file, at most 1200 in all contributions together" },
};

static bool has(struct str text, const char *part)
{
	return str_find(text, str_of(part), 0) < text.len;
}

/* With any number of threads, and with hardly any memory, the same; `out` is of one thread. */
static bool run(struct stage *s, const struct stage_limits *limits, struct outcome *out)
{
	static const struct {
		size_t threads, memory;
	} ways[] = { { 2, 0 }, { 7, 0 }, { 2, 4096 } };
	bool same = true;

	outcome_run(s, (struct collect_options){ .threads = 1, .limits = limits }, out);
	for (size_t i = 0; i < LEN(ways); i++) {
		struct outcome other;
		outcome_run(s,
			    (struct collect_options){ .threads = ways[i].threads,
						      .memory = ways[i].memory,
						      .limits = limits },
			    &other);
		same = same && outcome_same(out, &other);
	}
	return same;
}

static void test_limits(struct test *t, size_t i)
{
	struct stage s;
	struct outcome out;
	char want[200];

	stage_open(&s);
	put_files(&s, cases[i].one_framework);
	bool same = run(&s, &cases[i].least, &out);
	snprintf(want, sizeof want, "lab/b.csv:1:1: the file is refused: %s\n", cases[i].want);
	test_ok(t, same && out.summary.files_refused == 1 && out.summary.accepted == 140
		    && out.summary.rows == 140 && out.summary.machines == 140,
		cases[i].name);
	test_ok(t,
		has(out.messages, want)
		    && has(out.tables[3], "lab/b.csv,1,1,limit,,\"the file is refused: "),
		"it is said which limit, of all files");
	printf("# " STR_FMT, STR_ARG(out.messages));
	same = run(&s, &cases[i].just, &out);
	test_ok(t, same && out.summary.files_refused == 0 && out.summary.accepted == 240
		    && out.summary.machines == 190 && out.messages.len == 0,
		"just within it");
	stage_close(&s);
}

/* A file that was accepted alone, and is remembered, is refused behind another one as it is when it
 * is read. */
static void test_recalled(struct test *t)
{
	struct stage s;
	struct outcome alone, read, recalled;
	struct error err = { 0 };
	const struct stage_limits *limits = &cases[0].least;

	stage_open(&s);
	const char *dir = fixture_path(&s.f, "cache");
	put_rows(&s, "b.csv", 50, 100, false);
	struct cache *cache = cache_open(dir, &s.f.arena);
	outcome_run(&s, (struct collect_options){ .cache = cache, .limits = limits }, &alone);
	put_files(&s, false);
	outcome_run(&s, (struct collect_options){ .limits = limits }, &read);
	cache = cache_open(dir, &s.f.arena);
	outcome_run(&s, (struct collect_options){ .cache = cache, .limits = limits }, &recalled);
	test_ok(t, alone.summary.accepted == 100 && read.summary.files_refused == 1
		    && outcome_same(&read, &recalled),
		"a file that is remembered is refused as one that is read");
	if (!file_remove_tree(dir, &err))
		error_print(stdout, &err);
	stage_close(&s);
}

/* How much the stage takes for so many files that are refused, each for names of its own. */
static size_t taken_by(size_t files)
{
	static const struct stage_limits limits = { ALL, ALL, 10, ALL, ALL };
	struct stage s;
	struct outcome out;

	stage_open(&s);
	for (size_t i = 0; i < files; i++)
		put_rows(&s, str_c(&s.f.arena, str_printf(&s.f.arena, "%zu.csv", i)), i * 5000,
			 5000, false);
	size_t before = arena_bytes(&s.f.arena);
	outcome_run(&s, (struct collect_options){ .threads = 2, .limits = &limits }, &out);
	size_t after = arena_bytes(&s.f.arena);
	stage_close(&s);
	return out.summary.files_refused == files ? after - before : SIZE_MAX;
}

static void test_memory(struct test *t)
{
	size_t two = taken_by(2), twelve = taken_by(12);

	test_ok(t, two < SIZE_MAX && twelve <= two + (3 << 19),
		"what refused files held serves those behind them");
	printf("# %zu bytes for 2, %zu for 12\n", two, twelve);
}

/* A row of machine `number`, as check_row() gives it. */
static struct row row_of(struct collection *c, size_t number, struct arena *a)
{
	struct str name = str_printf(a, "machine %zu", number);

	return (struct row){ .machine = (unsigned)row_machine(c, c->inputs, name, a),
			     .precision = (unsigned)names_put(&c->precisions, STR("fp32"), NULL),
			     .framework = (unsigned)names_put(&c->frameworks, STR("torch"), NULL),
			     .source = (unsigned)names_put(&c->sources, STR("lab"), NULL),
			     .device_count = 1,
			     .override = NO_OVERRIDE,
			     .value = 265 };
}

enum { KEYS = 30000 };

/* The bytes that the row is known by. */
static uint64_t piece_of(size_t number, struct arena *a, struct memo_piece *piece)
{
	struct str text = str_printf(a, "bytes of %zu", number);

	*piece = (struct memo_piece){ text.p, text.len };
	return memo_hash(piece, 1);
}

static void fill_memo(struct memo *memo, struct parsed *p, bool *kept)
{
	const struct row_checker checker = { .c = &p->one };
	struct memo_piece piece;

	for (size_t i = 0; i < KEYS; i++) {
		struct row row = row_of(&p->one, i, &p->arena);
		uint64_t hash = piece_of(i, &p->arena, &piece);
		kept[i] = memo_put(memo, 0, hash, &piece, 1, &checker, &row) != NULL;
	}
}

static bool is_as_kept(struct memo *memo, const bool *kept, struct arena *a)
{
	struct memo_piece piece;

	for (size_t i = 0; i < KEYS; i++) {
		uint64_t hash = piece_of(i, a, &piece), told = hash;
		const struct memo_entry *e = memo_find(memo, 0, &piece, 1, &told);
		if ((e != NULL) != kept[i] || told != hash
		    || (e && !str_eq(e->key.machine, str_printf(a, "machine %zu", i))))
			return false;
	}
	return true;
}

/* More kinds of rows than a memo remembers. */
static void test_memo(struct test *t)
{
	struct stage s;
	struct workloads workloads;
	struct input input = { .name = STR("lab/x.csv"), .name_c = "lab/x.csv" };
	struct parsed p;
	bool *kept;

	stage_open(&s);
	workloads_read(s.f.dir, &s.f.arena, &workloads, &s.err);
	const struct collection all = { .arena = &s.f.arena,
					.devices = &s.devices,
					.workloads = &workloads,
					.cutoff = { INT_MIN },
					.inputs = &input,
					.ninputs = 1 };
	parsed_begin(&all, 0, &p);
	struct memo *memo = memo_make(&p.one);
	kept = arena_array(&s.f.arena, KEYS, sizeof *kept);
	test_ok(t, !memo_is_full(memo) && memo_passing(memo) == 0, "a new memo is not full");
	fill_memo(memo, &p, kept);
	test_ok(t, kept[0] && kept[999] && !kept[KEYS - 1] && memo->n <= MEMO_KEYS_MAX
		    && arena_bytes(&memo->arena) < 2 * MEMO_HELD_MAX,
		"a memo remembers no more than it has room for");
	test_ok(t, memo_is_full(memo) && memo_passing(memo) == arena_bytes(&memo->arena),
		"it is full then");
	test_ok(t, is_as_kept(memo, kept, &s.f.arena), "and tells of what it remembers");
	memo_release(memo);
	parsed_free(&p);
	stage_close(&s);
}

/* Rows of more kinds than a memo remembers, twice, the second time from the last one on; and each
 * once more at once. */
static void test_many_kinds(struct test *t)
{
	enum { KINDS = MEMO_KEYS_MAX + 1000 };
	struct stage s;
	struct strbuf b = stage_text(&s, HEAD);
	struct outcome out;

	for (size_t i = 0; i < 2 * KINDS; i++) {
		size_t kind = i < KINDS ? i : 2 * KINDS - 1 - i;
		for (size_t k = 0; k < 2; k++)
			strbuf_printf(&b,
				      "m%05zu,RTX 2080 Ti,resnet50,fp32,throughput,"
				      "2%02zu.%06zu,images/s,f,s\n",
				      kind, 2 * (i / KINDS) + k, kind);
	}
	strbuf_add(&b, STR("m00000,RTX 2080 Ti,resnet50,fp32,throughput,2000001,images/s,f,s\n"));
	fixture_put(&s.f, "in/lab/a.csv", str_c(&s.f.arena, strbuf_str(&b)));
	bool same = run(&s, NULL, &out);
	test_ok(t, same && out.summary.rows == 4 * KINDS + 1 && out.summary.accepted == 4 * KINDS
		    && out.summary.rejected == 1 && out.summary.machines == KINDS,
		"more kinds of rows than a memo remembers");
	test_ok(t, has(out.tables[0], " 2=201.500001 "),
		"each machine has the median of its four rows");
	stage_close(&s);
}

/* Rows of two kinds that take turns, more than there is room for, and no folder for their file: the
 * stage fails, and nothing is computed of rows that were lost (valgrind sees it). */
static void test_no_room(struct test *t)
{
	struct stage s;
	struct strbuf b = stage_text(&s, HEAD);
	const char *paths[] = { fixture_path(&s.f, "in") };
	const struct collect_options opt = { .data_dir = s.f.dir,
					     .out_dir = "/dev/null/x",
					     .paths = paths,
					     .npaths = 1,
					     .threads = 1,
					     .memory = 1 };

	for (size_t i = 0; i < 400; i++)
		strbuf_printf(&b,
			      "m%zu,RTX 2080 Ti,resnet50,fp32,throughput,%zu.5,images/s,f,s\n",
			      i % 2, 200 + i);
	fixture_put(&s.f, "in/lab/a.csv", str_c(&s.f.arena, strbuf_str(&b)));
	test_ok(t,
		!collect_run(&opt, &s.devices, &s.f.arena, &s.messages, &s.summary, &s.err)
		    && s.err.code == ERR_ENVIRONMENT,
		"no folder for rows that memory has no room for");
	printf("# %s\n", s.err.msg);
	stage_close(&s);
}

int main(void)
{
	struct test t = { 0 };

	for (size_t i = 0; i < LEN(cases); i++)
		test_limits(&t, i);
	test_recalled(&t);
	test_memory(&t);
	test_memo(&t);
	test_many_kinds(&t);
	test_no_room(&t);
	return test_done(&t);
}
