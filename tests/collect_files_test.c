/* Many small files, and rows that repeat cells of rows before them: nothing of a file, a part or a row is left over for
 * the next one, and what is known from the row before is what the row itself would say. */
#include "collect_fixture.h"

#define HEAD "machine,date,device,workload,precision,metric,value,unit,framework,driver,source\n"
#define TEN "0123456789"
#define FIFTY TEN TEN TEN TEN TEN
#define LONG FIFTY FIFTY FIFTY FIFTY

/* Cells that are kept from row to row: the same, others, bad ones, and too long to be kept. */
static const struct {
	const char *machine, *device, *framework, *driver, *source;
} rows[] = {
	{ "m1", "RTX 2080 Ti", "torch", "535", "lab" },
	{ "m1", "RTX 2080 Ti", "torch", "535", "lab" },
	{ "m2", "RTX 2080 Ti", "torch 2", "535", "lab b" },
	{ "m1", "RTX 2080", "torch", "", "lab" },
	{ "m1", "rtx-2080", "torch", "", "lab" },
	{ "m1", "RTX 9999", "torch", "", "lab" },
	{ "m1", "RTX 9999", "torch", "", "lab" },
	{ "m1", "RTX 2080", "", "", "" },
	{ "m1", "RTX 2080", "", "", "" },
	{ "m3", "RTX 2080", "tor\xE2\x80\xAE" "ch", "", "lab" },
	{ "m3", "RTX 2080", "tor\xE2\x80\xAE" "ch", "", "lab" },
	{ "m3", "RTX 2080", "torch", "", "lab" },
	{ "m\xE2\x80\x8B", "RTX 2080", "torch", "", "lab" },
	{ "m\xE2\x80\x8B", "RTX 2080", "torch", "", "lab" },
	{ "", "RTX 2080", "torch", "", "lab" },
	{ "", "RTX 2080", "torch", "", "lab" },
	{ "m  4", "RTX 2080", "torch", "5\x01", "lab" },
	{ "m  4", "RTX 2080", "torch  2", "5\x01", "lab" },
	{ "m  4", "RTX 2080", "torch  2", "5", "lab" },
	{ "m 4", "RTX 2080", "torch 2", "5", "lab" },
	{ LONG, "RTX 2080", LONG, "5", LONG },
	{ LONG, "RTX 2080", LONG, "5", LONG },
	{ "m5", "RTX 2080", LONG "a", "5", LONG "b" },
	{ "m5", "RTX 2080", LONG "a", "5", LONG "b" },
	{ "m5", "RTX 2080", LONG "b", "5", LONG "a" },
	{ LONG "c", "RTX 2080", "torch", "5", "lab" },
	{ LONG "c", "RTX 2080", "torch", "5", "lab" },
	{ "m6", "RTX 2080", "torch", "5", "github:lab/x@0123/results" },
	{ "m6", "RTX 2080", "torch", "5", "github:lab/x@0123/results" },
	{ "m6", "RTX 2080", "torch", "5", "github:lab/y@0123/results" },
	{ "m6", "\"RTX 2080\"", "\"torch, 2\"", "5", "\"of \"\"night\"\" runs\"" },
	{ "m6", "\"RTX 2080\"", "\"torch, 3\"", "5", "\"of \"\"night\"\" runs\"" },
	{ "m6", "RTX 2080", "torch", "5", "lab" },
};

/* All rows in one file, or each in its own. */
static void put_rows(struct stage *s, bool apart)
{
	struct strbuf b = { .arena = &s->f.arena };

	strbuf_add(&b, STR(HEAD));
	for (size_t i = 0; i < LEN(rows); i++) {
		if (apart) {
			b = (struct strbuf){ .arena = &s->f.arena };
			strbuf_add(&b, STR(HEAD));
		}
		strbuf_printf(&b, "%s,2024-05-06,%s,resnet50,fp32,throughput,%zu,images/s,%s,%s,%s\n", rows[i].machine,
			      rows[i].device, 200 + i, rows[i].framework, rows[i].driver, rows[i].source);
		if (apart)
			fixture_put(&s->f, str_c(&s->f.arena, str_printf(&s->f.arena, "in/lab/%02zu.csv", i)),
				    str_c(&s->f.arena, strbuf_str(&b)));
	}
	if (!apart)
		fixture_put(&s->f, "in/lab/all.csv", str_c(&s->f.arena, strbuf_str(&b)));
}

static struct str texts_of(struct stage *s)
{
	struct strbuf b = { .arena = &s->f.arena };

	for (size_t i = 0; i < s->messages.n; i++)
		strbuf_printf(&b, STR_FMT "\n", STR_ARG(s->messages.v[i].text));
	return strbuf_str(&b);
}

static void test_repeated(struct test *t)
{
	struct stage together, apart;
	struct outcome one, other;

	stage_open(&together);
	stage_open(&apart);
	put_rows(&together, false);
	put_rows(&apart, true);
	outcome_run(&together, (struct collect_options){ .threads = 1 }, &one);
	outcome_run(&apart, (struct collect_options){ .threads = 2 }, &other);
	test_ok(t, one.summary.accepted == 21 && one.summary.rejected == 12,
		"rows that repeat cells: the good ones are accepted, the bad ones refused");
	printf("# accepted %zu, rejected %zu\n", one.summary.accepted, one.summary.rejected);
	test_str(t, one.tables[0], other.tables[0], "the same cells as of rows in files of their own");
	test_str(t, one.tables[1], other.tables[1], "the same machines");
	test_str(t, texts_of(&together), texts_of(&apart), "the same messages");
	stage_close(&together);
	stage_close(&apart);
}

/* --- medians of a machine whose rows are of several groups --- */

static const char *const halves[] = {
	"m,2024-05-06,RTX 2080 Ti,resnet50,fp32,throughput,100,images/s,torch,,lab a\n"
	"m,2024-05-06,RTX 2080 Ti,resnet50,fp32,throughput,110,images/s,torch,,lab a\n",
	"m,2024-05-06,RTX 2080 Ti,resnet50,fp32,throughput,130,images/s,torch,,lab b\n"
	"m,2024-05-06,RTX 2080 Ti,resnet50,fp32,throughput,200,images/s,torch,,lab b\n",
};

static void test_groups(struct test *t)
{
	static const struct {
		const char *name;
		bool apart;
		size_t memory;
	} cases[] = {
		{ "in one file", false, 0 },
		{ "in two files", true, 0 },
		{ "in two files, with hardly any memory", true, 1 },
	};

	for (size_t i = 0; i < LEN(cases); i++) {
		struct stage s;
		struct outcome out;
		stage_open(&s);
		const char *one = str_c(&s.f.arena, str_printf(&s.f.arena, HEAD "%s%s", halves[0], cases[i].apart ? "" : halves[1]));
		fixture_put(&s.f, "in/lab/a.csv", one);
		if (cases[i].apart)
			fixture_put(&s.f, "in/lab/b.csv", str_c(&s.f.arena, str_printf(&s.f.arena, HEAD "%s", halves[1])));
		outcome_run(&s, (struct collect_options){ .threads = 1, .memory = cases[i].memory }, &out);
		test_ok(t, str_starts(out.tables[0], STR("RTX 2080 Ti,cnn,resnet50,fp32,1,lab,120,images/s,higher,1,4,")),
			cases[i].name);
		printf("# " STR_FMT, STR_ARG(out.tables[0]));
		stage_close(&s);
	}
}

/* --- many files --- */

enum { FILES = 50 };

/* Every seventh cannot be read, every eleventh has a row that is refused, two are the same. */
static void put_file(struct stage *s, size_t i)
{
	struct arena *a = &s->f.arena;
	struct strbuf b = { .arena = a };
	size_t named = i == 30 ? 19 : i;

	strbuf_add(&b, STR(HEAD));
	for (size_t k = 0; k < 40 + 30 * (named % 3); k++)
		strbuf_printf(&b, "m%zu,2024-05-%02zu,RTX 2080 Ti,%s,fp32,throughput,%zu.%02zu,%s/s,torch %zu,,lab %zu\n", named,
			      1 + k / 8, k % 8 < 4 ? "resnet50" : "bert-base", 200 + k, named, k % 8 < 4 ? "images" : "sequences",
			      named % 4, k % 2);
	if (named % 11 == 5)
		strbuf_add(&b, STR("m,2024-05-06,RTX 2080 Ti,resnet50,fp32,throughput,fast,images/s,torch,,lab\n"));
	if (named % 7 == 6)
		strbuf_add(&b, STR("\"m\n"));
	fixture_put(&s->f, str_c(a, str_printf(a, "in/lab/%02zu.csv", i)), str_c(a, strbuf_str(&b)));
}

static void test_many(struct test *t)
{
	static const struct {
		size_t threads, memory;
	} ways[] = { { 2, 0 }, { 7, 0 }, { 64, 0 }, { 1, 4096 }, { 3, 4096 } };
	struct stage s;
	struct outcome first, out;

	stage_open(&s);
	for (size_t i = 0; i < FILES; i++)
		put_file(&s, i);
	outcome_run(&s, (struct collect_options){ .threads = 1 }, &first);
	test_ok(t, first.summary.files == FILES && first.summary.files_refused == 7 && first.summary.machines == 42
		       && first.summary.rejected == 4,
		"many files");
	printf("# %zu files, %zu refused, %zu machines, %zu rows refused\n", first.summary.files,
	       first.summary.files_refused, first.summary.machines, first.summary.rejected);
	for (size_t i = 0; i < LEN(ways); i++) {
		outcome_run(&s, (struct collect_options){ .threads = ways[i].threads, .memory = ways[i].memory }, &out);
		test_ok(t, outcome_same(&first, &out), "the same with other threads, or hardly any memory");
	}
	stage_close(&s);
}

int main(void)
{
	struct test t = { 0 };

	test_repeated(&t);
	test_groups(&t);
	test_many(&t);
	return test_done(&t);
}
