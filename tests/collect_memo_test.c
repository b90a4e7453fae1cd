/* Rows of the same bytes as one before but for value, repeat, date and driver: what is wrong with
 * these is found, and what only looks the same is told apart. */
#include "collect_fixture.h"

#define HEAD                                                                                       \
	"machine,date,device,device_count,workload,precision,batch_size,metric,value,unit,driver," \
	"repeat,source\n"
#define GOOD "m,2024-05-06,RTX 2080 Ti,1,resnet50,fp32,64,throughput,265,images/s,535,1,lab\n"

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

int main(void)
{
	struct test t = { 0 };

	for (size_t i = 0; i < LEN(cases); i++)
		test_case(&t, i);
	test_more(&t);
	return test_done(&t);
}
