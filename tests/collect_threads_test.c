/* Large files, which are read in parts: the same tables and messages with any number of threads,
 * right lines, and faults that lie in a later part. */
#include "collect_fixture.h"

#include "../collect/limits.h"
#include "../collect/source.h"

#define HEAD                                                                                       \
	"machine,date,device,device_count,workload,precision,batch_size,metric,value,unit,repeat," \
	"source\n"

static void run(struct stage *s, size_t threads, size_t memory, struct outcome *out)
{
	outcome_run(s, (struct collect_options){ .threads = threads, .memory = memory }, out);
}

/* With 1, 2 and 7 threads, and with hardly any memory; `out` is of the first. */
static void run_all(struct stage *s, struct test *t, struct outcome *out, const char *name)
{
	struct outcome two, seven, aside;

	run(s, 1, 0, out);
	run(s, 2, 0, &two);
	run(s, 7, 0, &seven);
	run(s, 2, 4096, &aside);
	test_ok(t,
		outcome_same(out, &two) && outcome_same(out, &seven) && outcome_same(out, &aside),
		name);
}

static bool has(struct str text, const char *part)
{
	return str_find(text, str_of(part), 0) < text.len;
}

static void add_row(struct strbuf *b, size_t i, char separator)
{
	char row[200];
	int n = snprintf(row, sizeof row,
			 "m%zu,2024-05-%02zu,RTX 2080 "
			 "Ti,1,resnet50,fp32,64,throughput,%zu.%06zu,images/s,%zu,lab %zu\n",
			 i / 5000, 1 + i % 28, 200 + i % 90, i, i % 5, i / 40000);

	for (int k = 0; k < n; k++)
		if (row[k] == ',')
			row[k] = separator;
	strbuf_add(b, (struct str){ row, (size_t)n });
}

/* A little more than two parts. */
static void add_rows(struct strbuf *b, size_t from, char separator)
{
	for (size_t i = from; b->len < 2 * (size_t)CHUNK_BYTES + 4096; i++)
		add_row(b, i, separator);
}

static void put(struct stage *s, struct strbuf *b)
{
	fixture_put(&s->f, "in/lab/large.csv", str_c(&s->f.arena, strbuf_str(b)));
}

static size_t lines_of(struct str text)
{
	size_t n = 0;

	for (size_t i = 0; i < text.len; i++)
		n += text.p[i] == '\n';
	return n;
}

static void test_lines(struct test *t)
{
	struct stage s;
	struct strbuf b = stage_text(&s, HEAD);
	struct outcome out;
	char want[200];

	add_rows(&b, 0, ',');
	size_t rows = lines_of(strbuf_str(&b)) - 1;
	strbuf_add(
	    &b,
	    STR("m0,2024-05-06,RTX 2080 Ti,1,resnet50,fp32,64,throughput,fast,images/s,1,lab\n"));
	put(&s, &b);
	run_all(&s, t, &out, "two parts: the same with 1, 2 and 7 threads");
	test_ok(t,
		out.summary.rows == rows + 1 && out.summary.accepted == rows
		    && out.summary.cells == 1 && out.summary.machines == (rows + 4999) / 5000,
		"every row is counted");
	snprintf(want, sizeof want, "lab/large.csv:%zu:57: value: 'fast' is not a number\n",
		 rows + 2);
	test_ok(t, has(out.messages, want), "a refused row in the last part has its line");
	stage_close(&s);
}

/* A fault anywhere refuses the whole file, and of several the worst is told. */
static void test_faults(struct test *t)
{
	static const struct {
		const char *name, *tail, *want;
	} cases[] = {
		{ "quote in the last part", "a\"b\n",
		  "a quote inside an unquoted cell: quote the whole cell\n" },
		{ "open quote in the last part", "\"m\n",
		  "the quote that opens here is never closed\n" },
		{ "bad UTF-8 in the last part", "a\"b\n\xff\n", "byte 0xFF is not UTF-8\n" },
	};
	struct outcome out;

	for (size_t i = 0; i < LEN(cases); i++) {
		struct stage s;
		struct strbuf b = stage_text(&s, HEAD);
		strbuf_add(&b, STR("m,,nothing,1,resnet50,,1,throughput,1,images/s,1,\n"));
		add_rows(&b, 0, ',');
		strbuf_add(&b, str_of(cases[i].tail));
		put(&s, &b);
		fixture_put(&s.f, "in/lab/small.csv",
			    HEAD "m,,RTX 2080 Ti,1,resnet50,,1,throughput,265,images/s,1,\n");
		run_all(&s, t, &out, cases[i].name);
		test_ok(t,
			out.summary.files_refused == 1 && out.summary.rows == 1
			    && out.summary.accepted == 1 && has(out.messages, cases[i].want)
			    && !has(out.messages, "nothing"),
			"the file is refused whole, the other is read");
		stage_close(&s);
	}
}

/* A decimal comma in one row: in the first part, and in the last. */
static void test_comma(struct test *t)
{
	static const char with[] =
	    "m0;2024-05-06;RTX 2080 Ti;1;resnet50;fp32;64;throughput;265,5;images/s;1;lab\n";
	static const char *const names[] = { "a decimal comma in the last part",
					     "in the first part" };

	for (size_t first = 0; first < LEN(names); first++) {
		struct stage s;
		struct outcome out;
		stage_open(&s);
		struct strbuf b = { .arena = &s.f.arena };
		strbuf_add(&b, STR("machine;date;device;device_count;workload;precision;batch_size;"
				   "metric;value;unit;"
				   "repeat;source\n"));
		if (first)
			strbuf_add(&b, str_of(with));
		add_rows(&b, 0, ';');
		if (!first)
			strbuf_add(&b, str_of(with));
		size_t rows = lines_of(strbuf_str(&b)) - 1;
		put(&s, &b);
		run_all(&s, t, &out, names[first]);
		char want[200];
		snprintf(want, sizeof want,
			 "lab/large.csv:%d:57: value: '200.000000' is not a number (this file "
			 "writes decimals with a comma)\n",
			 first ? 3 : 2);
		test_ok(t,
			out.summary.rows == rows && out.summary.accepted == 1
			    && has(out.messages, want),
			"holds for the whole file");
		stage_close(&s);
	}
}

/* Files of one size: only those of the same bytes are one file. */
static void test_sent_again(struct test *t)
{
	struct stage s;
	struct strbuf b = stage_text(&s, HEAD);
	struct outcome out;

	add_rows(&b, 0, ',');
	put(&s, &b);
	fixture_put(&s.f, "in/lab/large2.csv", str_c(&s.f.arena, strbuf_str(&b)));
	b.p[b.len - 2] = 'x';
	fixture_put(&s.f, "in/lab/large3.csv", str_c(&s.f.arena, strbuf_str(&b)));
	run_all(&s, t, &out, "large files of one size");
	test_ok(t,
		has(out.tables[3],
		    "lab/large2.csv,1,1,duplicate,,the whole file has the same bytes as "
		    "lab/large.csv: counted once,set-aside\n")
		    && !has(out.tables[3], "large3.csv"),
		"one of the same bytes is counted once");
	stage_close(&s);
}

/* More refused cells than are listed. */
static void test_many_refused(struct test *t)
{
	struct stage s;
	struct strbuf b = stage_text(&s, HEAD);
	struct outcome out;
	char want[200];

	for (size_t i = 0; i < LIMIT_REJECTS + 5; i++)
		strbuf_add(&b, STR("m0,2024-05-06,RTX 2080 "
				   "Ti,1,resnet50,fp32,64,throughput,fast,images/s,1,lab\n"));
	put(&s, &b);
	run_all(&s, t, &out, "more refused cells than are listed");
	test_ok(t, out.summary.rejected == LIMIT_REJECTS + 5 && s.messages.n == LIMIT_REJECTS + 1
		    && lines_of(out.tables[3]) == LIMIT_REJECTS + 1,
		"all are counted, the first ones listed");
	snprintf(want, sizeof want, "lab/large.csv:%d:0: 5 further refused cells are not listed\n",
		 LIMIT_REJECTS + 2);
	test_ok(t, has(out.messages, want), "and it is said how many are not");
	stage_close(&s);
}

/* More refused cells in all files together than are listed: rows of nothing, with six each. */
static void test_many_files_refused(struct test *t)
{
	enum {
		FULL = LIMIT_STAGE_REJECTS / LIMIT_REJECTS,
		FILES = FULL + 2,
		ROWS = LIMIT_REJECTS / 6 + 1
	};
	struct stage s;
	struct outcome one, two;

	stage_open(&s);
	for (size_t i = 0; i < FILES; i++) {
		struct strbuf b = { .arena = &s.f.arena };
		strbuf_add(&b, STR(HEAD));
		for (size_t row = 0; row < ROWS + i; row++)
			strbuf_add(&b, STR(",,,,,,,,,,,\n"));
		fixture_put(&s.f, str_c(&s.f.arena, str_printf(&s.f.arena, "in/lab/%02zu.csv", i)),
			    str_c(&s.f.arena, strbuf_str(&b)));
	}
	run(&s, 1, 0, &one);
	run(&s, 7, 0, &two);
	test_ok(t, outcome_same(&one, &two), "more refused cells in all files than are listed");
	test_ok(t,
		lines_of(one.tables[3]) == FULL * (LIMIT_REJECTS + 1) + 2 * (LIMIT_FILE_REJECTS + 1)
		    && one.summary.rejected == FILES * ROWS + FILES * (FILES - 1) / 2,
		"all are counted, ten of each file listed in any case");
	for (size_t i = 0; i < FILES; i++)
		unlink(fixture_path(
		    &s.f, str_c(&s.f.arena, str_printf(&s.f.arena, "in/lab/%02zu.csv", i))));
	stage_close(&s);
}

/* Copies of more rows than are listed. */
static void test_many_set_aside(struct test *t)
{
	struct stage s;
	struct strbuf first = { 0 }, second = { 0 };
	struct outcome out;

	stage_open(&s);
	first.arena = second.arena = &s.f.arena;
	strbuf_add(&first, STR(HEAD));
	strbuf_add(&second, STR(HEAD));
	for (size_t i = 0; i < LIMIT_REJECTS + 7; i++)
		for (int k = 0; k < 2; k++)
			strbuf_printf(k ? &second : &first,
				      "%s,2024-05-06,RTX 2080 "
				      "Ti,1,resnet50,fp32,64,throughput,265.%05zu,images/s,1,lab\n",
				      k ? "copy" : "first", i);
	fixture_put(&s.f, "in/lab/a.csv", str_c(&s.f.arena, strbuf_str(&first)));
	fixture_put(&s.f, "in/lab/b.csv", str_c(&s.f.arena, strbuf_str(&second)));
	run_all(&s, t, &out, "more copied rows than are listed");
	test_ok(t,
		out.summary.set_aside == LIMIT_REJECTS + 7
		    && lines_of(out.tables[3]) == LIMIT_REJECTS + 1
		    && has(out.tables[3], ",duplicate,,7 further rows of the file are set aside "
					  "and not listed,set-aside\n"),
		"all are counted, the first ones listed");
	stage_close(&s);
}

int main(void)
{
	struct test t = { 0 };

	test_lines(&t);
	test_faults(&t);
	test_comma(&t);
	test_sent_again(&t);
	test_many_refused(&t);
	test_many_files_refused(&t);
	test_many_set_aside(&t);
	return test_done(&t);
}
