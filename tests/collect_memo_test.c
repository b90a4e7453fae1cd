/* Rows of the same bytes as one before but for value, repeat, date and driver: what is wrong with
 * these is found, and what only looks the same is told apart. */
#include "collect_fixture.h"

#include "../collect/part.h"

#include <stdint.h>

#define HEAD                                                                                       \
	"machine,date,device,device_count,workload,precision,batch_size,metric,value,unit,driver," \
	"repeat,source\n"
#define GOOD "m,2024-05-06,RTX 2080 Ti,1,resnet50,fp32,64,throughput,265,images/s,535,1,lab\n"
#define SAME "m,2024-05-06,RTX 2080 Ti,1,resnet50,fp32,64,throughput,"

/* Each row follows a good one, and is followed by one. want: the message of the row, which is in
 * line 3; empty: it is accepted. */
static const struct {
	const char *name, *row, *want;
} cases[] = {
	{ "the same once more", GOOD, "" },
	{ "another value, repeat, date and driver",
	  "m,2024-05-07,RTX 2080 Ti,1,resnet50,fp32,64,throughput,266,images/s,536,2,lab\n", "" },
	{ "no date, repeat and driver",
	  "m,,RTX 2080 Ti,1,resnet50,fp32,64,throughput,266,images/s,,,lab\n", "" },
	{ "quoted",
	  "\"m\",\"2024-05-06\",RTX 2080 "
	  "Ti,1,resnet50,fp32,64,throughput,\"266\",images/s,535,1,lab\n",
	  "" },
	{ "every text in quotes",
	  "\"m\",\"2024-05-06\",\"RTX 2080 Ti\",1,\"resnet50\",\"fp32\",64,\"throughput\",265,"
	  "\"images/s\",\"535\",1,\"lab\"\n",
	  "" },
	{ "a comma in quotes", SAME "265,images/s,535,1,\"lab,2\"\n", "" },
	{ "a quote in quotes", SAME "265,images/s,535,1,\"\"\"lab\"\"\"\n", "" },
	{ "a quote in a driver in quotes", SAME "265,images/s,\"535 \"\"beta\"\"\",1,lab\n", "" },
	{ "two cells in one",
	  "m,2024-05-06,RTX 2080 Ti,1,\"resnet50,fp32\",,64,throughput,265,images/s,535,1,lab\n",
	  "workload: workload 'resnet50,fp32' is not in the catalogue" },
	{ "a character in quotes that is not seen",
	  SAME "265,images/s,535,1,\"l\"\"\xE2\x80\xAE\"\n", "source: 'l\"<U+202E>' holds U+202E" },
	{ "a fault before a line end in quotes", SAME "fast,images/s,\"535\n1\",1,lab\n",
	  "value: 'fast' is not a number" },
	{ "blanks",
	  "m , 2024-05-06,RTX 2080 Ti,1,resnet50,fp32,64,throughput, 266 ,images/s,535, 1,lab\n",
	  "" },
	{ "not a number",
	  "m,2024-05-06,RTX 2080 Ti,1,resnet50,fp32,64,throughput,fast,images/s,535,1,lab\n",
	  "value: 'fast' is not a number" },
	{ "no value",
	  "m,2024-05-06,RTX 2080 Ti,1,resnet50,fp32,64,throughput,,images/s,535,1,lab\n",
	  "value: no value given" },
	{ "zero", "m,2024-05-06,RTX 2080 Ti,1,resnet50,fp32,64,throughput,0,images/s,535,1,lab\n",
	  "value: 0 images/s is outside what is believable of resnet50, 1 to 1e+06" },
	{ "below the range",
	  "m,2024-05-06,RTX 2080 Ti,1,resnet50,fp32,64,throughput,0.5,images/s,535,1,lab\n",
	  "value: 0.5 images/s is outside what is believable of resnet50, 1 to 1e+06" },
	{ "above the range",
	  "m,2024-05-06,RTX 2080 Ti,1,resnet50,fp32,64,throughput,1e7,images/s,535,1,lab\n",
	  "value: 1e+07 images/s is outside what is believable of resnet50, 1 to 1e+06" },
	{ "above the roofline",
	  "m,2024-05-06,RTX 2080 Ti,1,resnet50,fp32,64,throughput,900000,images/s,535,1,lab\n",
	  "value: 900000 images/s of resnet50 is " },
	{ "no day",
	  "m,2024-02-30,RTX 2080 Ti,1,resnet50,fp32,64,throughput,265,images/s,535,1,lab\n",
	  "date: '2024-02-30' is not a day as in 2019-05-28" },
	{ "no repeat",
	  "m,2024-05-06,RTX 2080 Ti,1,resnet50,fp32,64,throughput,265,images/s,535,one,lab\n",
	  "repeat: 'one' is not a whole number from 0 on" },
	{ "a cell too many",
	  "m,2024-05-06,RTX 2080 Ti,1,resnet50,fp32,64,throughput,265,images/s,535,1,lab,\n",
	  "14 cells where the header has 13" },
	{ "cells that are cut elsewhere",
	  "m,2024-05-06,RTX 2080 Ti,1,resnet50,fp32,6,4throughput,265,images/s,535,1,lab\n",
	  "metric: '4throughput' is not a metric of resnet50, which has throughput, time" },
	{ "another unit",
	  "m,2024-05-06,RTX 2080 Ti,1,resnet50,fp32,64,throughput,265,images,535,1,lab\n",
	  "unit: 'images' where resnet50 throughput is in images/s" },
	{ "did not fit",
	  "m,2024-05-06,RTX 2080 Ti,1,resnet50,fp32,0,throughput,0,images/s,535,1,lab\n", "-" },
};

static void test_case(struct test *t, size_t i)
{
	struct stage s;
	struct strbuf b = stage_text(&s, HEAD GOOD);
	bool good = cases[i].want[0] == '\0', aside = cases[i].want[0] == '-';
	char want[200];

	strbuf_printf(&b, "%s" GOOD, cases[i].row);
	fixture_put(&s.f, "in/lab/m.csv", str_c(&s.f.arena, strbuf_str(&b)));
	bool done = stage_run(&s);
	struct str said = stage_messages(&s);
	snprintf(want, sizeof want, ": %s", aside ? "" : cases[i].want);
	test_ok(t,
		done && s.summary.rows == 3 && s.summary.accepted == (good ? 3 : 2)
		    && s.summary.set_aside == aside && s.summary.machines == 1
		    && s.summary.cells == 1
		    && (good || aside ? said.len == 0
				      : str_starts(said, STR("lab/m.csv:3:"))
					    && str_find(said, str_of(want), 0) < said.len),
		cases[i].name);
	if (said.len)
		printf("# " STR_FMT, STR_ARG(said));
	stage_close(&s);
}

/* A driver that is too long; and two files whose headers differ, with rows of the same bytes. */
static void test_more(struct test *t)
{
	struct stage s;
	struct strbuf b = stage_text(&s, HEAD GOOD "m,2024-05-06,RTX 2080 Ti,1,resnet50,fp32,64,"
						   "throughput,265,images/s,");

	for (int i = 0; i < 1001; i++)
		strbuf_addc(&b, '5');
	strbuf_add(&b,
		   STR(",1,lab\nm,2024-05-06,RTX 2080 "
		       "Ti,1,resnet50,fp32,64,throughput,266,images/s,53\xE2\x80\xAE\x35,1,lab\n"));
	fixture_put(&s.f, "in/lab/a.csv", str_c(&s.f.arena, strbuf_str(&b)));
	fixture_put(
	    &s.f, "in/lab/b.csv",
	    "machine,date,device,device_count,workload,precision,batch_size,metric,value,unit,"
	    "driver,repeat,host\n" GOOD
	    "m,2024-05-06,RTX 2080 Ti,1,resnet50,fp32,64,throughput,265,images/s,535,1,other\n");
	test_ok(t, stage_run(&s) && s.summary.accepted == 3 && s.summary.rejected == 2,
		"rows of two headers");
	struct str said = stage_messages(&s), rows = stage_rows(&s, "out/data/observations.csv");
	test_ok(t,
		str_find(said, STR("driver: 1001 bytes where at most 1000 are allowed"), 0)
		    < said.len,
		"an over-long driver behind a good one");
	test_ok(t,
		str_find(said, STR("driver: '53<U+202E>5' holds U+202E"), 0) < said.len
		    || str_find(said, STR("holds U+202E, a character that is not seen"), 0)
			   < said.len,
		"one with a character that is not seen behind a good one");
	test_ok(t, str_find(rows, STR(",1,3,,lab,throughput,"), 0) < rows.len,
		"a column that is no source in the other file gives none");
	printf("# " STR_FMT, STR_ARG(rows));
	stage_close(&s);
}

#define KEYS "machine,device,workload,precision,metric,value,unit,framework,source\n"
#define ROW(framework_and_source)                                                                  \
	"m,RTX 2080 Ti,resnet50,fp32,throughput,265,images/s," framework_and_source "\n"

/* Rows that say the same with and without quotes are known by one key, those that only look alike
 * by two. Rows of one key that follow one another are one run. */
static const struct {
	const char *name;
	struct str rows;
	size_t keys, runs;
} quoted[] = {
	{ "every text in quotes",
	  STR_INIT(ROW("f,s")
		   "\"m\",\"RTX 2080 Ti\",\"resnet50\",\"fp32\",\"throughput\",265,\"images/s\","
		   "\"f\",\"s\"\n" ROW("f,s")), 1, 1 },
	{ "numbers too",
	  STR_INIT(ROW("f,s")
		   "\"m\",RTX 2080 Ti,resnet50,fp32,throughput,\"266\",images/s,f,s\r\n"), 1, 1 },
	{ "an empty cell", STR_INIT(ROW(",s") ROW("\"\",s") ROW(",\"s\"")), 1, 1 },
	{ "quotes that are needed, twice",
	  STR_INIT(ROW("\"f,g\",s") ROW("\"f,g\",\"s\"") ROW("f,s")), 2, 2 },
	{ "a comma in the one or in the other",
	  STR_INIT(ROW("\"f,g\",s") ROW("f,\"g,s\"")), 2, 2 },
	{ "a quote in quotes",
	  STR_INIT(ROW("f,\"s\"\"\"") ROW("\"f\",\"s\"\"\"") ROW("f,s")), 2, 2 },
	{ "a line end in quotes",
	  STR_INIT(ROW("f,\"s\ns\"") ROW("\"f\",\"s\ns\"") ROW("f,\"s s\"") ROW("f,s s")), 2, 2 },
	{ "blanks before quotes", STR_INIT(ROW("f,s") ROW("f, \"s\"")), 2, 2 },
	{ "blanks behind quotes", STR_INIT(ROW("f,s") ROW("\"f\" ,\"s\"\t")), 1, 1 },
	{ "nothing behind the last separator",
	  STR_INIT(ROW("\"f\",")
		   "m,RTX 2080 Ti,resnet50,fp32,throughput,265,images/s,\"f\","), 1, 1 },
	{ "blanks in quotes", STR_INIT(ROW("f,s") ROW("f,\" s\"")), 2, 2 },
};

static void test_quoted(struct test *t, size_t i)
{
	struct input input = { .name = STR_INIT("lab/x.csv"), .name_c = "lab/x.csv" };
	struct workloads workloads;
	struct csv_scan_row header;
	struct csv_scan scan;
	struct parsed p;
	struct stage s;

	stage_open(&s);
	bool good = workloads_read(s.f.dir, &s.f.arena, &workloads, &s.err);
	struct collection c = { .devices = &s.devices, .workloads = &workloads, .inputs = &input,
				.ninputs = 1, .cutoff = { INT_MIN } };
	struct memo *memo = memo_make(&c);
	struct str text = str_printf(&s.f.arena, KEYS STR_FMT, STR_ARG(quoted[i].rows));
	size_t rows = 0;

	csv_scan_begin(&scan, text, (struct pos){ "lab/x.csv", 1, 1 }, CSV_LEVEL_BEST, &s.f.arena);
	good = good && csv_scan_next(&scan, &header);
	struct plan *plan = plan_make(&scan, &header, "lab/x.csv");
	parsed_begin(&c, 0, &p);
	part_read(memo, plan, NULL, SIZE_MAX, &scan, &p);
	for (size_t k = 0; k < p.nruns; k++)
		rows += p.runs[k].n;
	test_ok(t, good && rows == p.rows && p.rows == p.n && memo->n == quoted[i].keys
		    && p.nruns == quoted[i].runs,
		quoted[i].name);
	printf("# %zu rows, %zu accepted, %zu keys, %zu runs\n", p.rows, p.n, memo->n, p.nruns);
	parsed_free(&p);
	plan_free(plan);
	memo_release(memo);
	stage_close(&s);
}

int main(void)
{
	struct test t = { 0 };

	for (size_t i = 0; i < LEN(cases); i++)
		test_case(&t, i);
	for (size_t i = 0; i < LEN(quoted); i++)
		test_quoted(&t, i);
	test_more(&t);
	return test_done(&t);
}
