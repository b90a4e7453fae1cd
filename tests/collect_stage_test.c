/* Checks of rows against each other, overrides, and what the stage makes of paths and editions. */
#include "collect_fixture.h"

#include "../collect/check_row.h"

#include "../base/num.h"

#include <fcntl.h>

#define HEAD                                                                                       \
	"machine,date,device,device_count,class,workload,precision,metric,value,unit,framework,"   \
	"repeat,source\n"

/* Rows of one workload on RTX 2080 Ti, throughput. */
struct line {
	const char *machine;
	int devices;
	const char *workload, *precision, *value;
};

static void put_lines(struct stage *s, const char *name, const char *date, const struct line *v,
		      size_t n)
{
	struct strbuf b = { .arena = &s->f.arena };

	strbuf_add(&b, STR(HEAD));
	for (size_t i = 0; i < n; i++)
		strbuf_printf(&b, "%s,%s,RTX 2080 Ti,%d,,%s,%s,throughput,%s,%s,fw,1,src\n",
			      v[i].machine, date, v[i].devices, v[i].workload, v[i].precision,
			      v[i].value,
			      strcmp(v[i].workload, "resnet50") ? "sequences/s" : "images/s");
	fixture_put(&s->f, name, str_c(&s->f.arena, strbuf_str(&b)));
}

static void test_cells(struct test *t)
{
	/* Medians: m1 of 3 repeats 101 (not their mean), m2 of 2 repeats 111, m3 131: cell 111. */
	static const struct line v[] = {
		{ "m1", 1, "resnet50", "fp32", "171" }, { "m1", 1, "resnet50", "fp32", "91" },
		{ "m1", 1, "resnet50", "fp32", "101" }, { "m2", 1, "resnet50", "fp32", "101" },
		{ "m2", 1, "resnet50", "fp32", "121" }, { "m3", 1, "resnet50", "fp32", "131" },
		{ "m3", 2, "resnet50", "fp32", "251" }, { "m3", 1, "resnet50", "", "141" },
	};
	struct stage s;

	stage_open(&s);
	put_lines(&s, "in/lab/x.csv", "2024-05-06", v, LEN(v));
	test_ok(t, stage_run(&s), "cells");
	/* p10 and p90 of 101 111 131 by linear interpolation: 103 and 127. */
	struct str spread = num_shortest(&s.f.arena, 100 * (127.0 - 103.0) / 111);
	test_str(
	    t, stage_rows(&s, "out/data/observations.csv"),
	    str_printf(
		&s.f.arena,
		"RTX 2080 "
		"Ti,cnn,resnet50,,1,lab,141,images/s,higher,1,1,,src,throughput,score,3=141,known\n"
		"RTX 2080 Ti,cnn,resnet50,fp32,1,lab,111,images/s,higher,3,6," STR_FMT
		",src,throughput,score,1=101 2=111 3=131,known\n"
		"RTX 2080 "
		"Ti,cnn,resnet50,fp32,2,lab,251,images/"
		"s,higher,1,1,,src,throughput,score,3=251,known\n",
		STR_ARG(spread)),
	    "observations.csv");
	test_str(t, stage_rows(&s, "out/data/machines.csv"),
		 STR("1,m1,lab,2024-05-06,2024-05-06,3,fw,known,\n2,m2,lab,2024-05-06,2024-05-06,2,"
		     "fw,known,\n"
		     "3,m3,lab,2024-05-06,2024-05-06,3,fw,known,\n"),
		 "machines.csv");
	test_str(t, stage_rows(&s, "out/data/sources.csv"),
		 STR("lab,Laboratory,1,8,8,0,0,3,1,2024-05-06,2024-05-06,yes,PyTorch "
		     "2,MIT,https://example.org/lab,"
		     "2024-05-06,0,3,0\n"),
		 "sources.csv");
	test_ok(t, s.summary.cells == 3 && s.summary.machines == 3 && s.summary.devices == 1,
		"summary");
	stage_close(&s);
}

static void test_order_and_use(struct test *t)
{
	struct stage s;

	stage_open(&s);
	stage_dir(&s, "in/claims");
	stage_dir(&s, "in/a-new-one");
	fixture_put(
	    &s.f, "in/lab/x.csv",
	    HEAD
	    "m,,Titan RTX,,,resnet50,fp32,throughput,301,images/s,,1,github:o/r/dir/f.csv@abc\n"
	    "m,,RTX 2060,,,resnet50,fp32,time,21,ms,,1,\n"
	    "m,,RTX 2060,,,resnet50,fp32,throughput,151,images/s,,1,https://example.org/a b\n");
	fixture_put(&s.f, "in/claims/y.csv",
		    HEAD "m,,RTX 2060,,,resnet50,fp32,throughput,161,images/s,,1,\n");
	fixture_put(&s.f, "in/a-new-one/z.csv",
		    HEAD "m,,RTX 2060,2,,resnet50,fp32,throughput,311,images/s,,1,\n");
	test_ok(t, stage_run(&s), "order and use");
	test_str(
	    t, stage_rows(&s, "out/data/observations.csv"),
	    STR("RTX "
		"2060,cnn,resnet50,fp32,1,claims,161,images/"
		"s,higher,1,1,,,throughput,info,2=161,anonymous\n"
		"RTX 2060,cnn,resnet50,fp32,1,lab,151,images/s,higher,1,1,,https://example.org/a "
		"b,throughput,score,"
		"3=151,known\n"
		"RTX "
		"2060,cnn,resnet50,fp32,2,a-new-one,311,images/"
		"s,higher,1,1,,,throughput,score,1=311,anonymous\n"
		"RTX 2060,cnn,resnet50,fp32,1,lab,21,ms,lower,1,1,,,time,info,3=21,known\n"
		"Titan "
		"RTX,cnn,resnet50,fp32,1,lab,301,images/s,higher,1,1,,github:o/"
		"r@abc,throughput,score,3=301,known\n"),
	    "sorted; info where the series or the workload does not score");
	test_str(
	    t, stage_messages(&s),
	    STR(":0:0: series 'a-new-one' is not described in series.csv: taken as comparable\n"),
	    "undescribed");
	stage_close(&s);
}

static void test_scaling(struct test *t)
{
	static const struct line v[] = {
		{ "a", 1, "bert-large", "fp16", "23.1" }, { "b", 2, "bert-large", "fp16", "6.2" },
		{ "c", 2, "bert-large", "fp16", "40.5" }, { "d", 8, "bert-large", "fp16", "501" },
		/* no single card in fp32: the two stand in */
		{ "e", 2, "bert-large", "fp32", "100" }, { "f", 8, "bert-large", "fp32", "410" },
		{ "g", 8, "bert-large", "fp32", "700" },
	};
	struct stage s;

	stage_open(&s);
	put_lines(&s, "in/lab/x.csv", "", v, LEN(v));
	test_ok(t, stage_run(&s) && s.summary.set_aside == 3 && s.summary.accepted == 4, "scaling");
	test_str(
	    t, stage_rows(&s, "out/data/rejects.csv"),
	    STR("lab/x.csv,3,value,collapsed,6.2,bert-large fp16: 2 devices at 6.2 sequences/s are "
		"0.268 x the 1-device median 23.1 (machines: 1),set-aside\n"
		"lab/x.csv,5,value,super-linear,501,bert-large fp16: 8 devices at 501 sequences/s "
		"are 2.71 x 8 x the 1-device median 23.1 (machines: 1),set-aside\n"
		"lab/x.csv,8,value,super-linear,700,bert-large fp32: 8 devices at 700 sequences/s "
		"are 1.75 x 4 x the 2-device median 100 (machines: 1),set-aside\n"),
	    "collapsed and super-linear");
	stage_close(&s);
}

/* A step of two devices with a batch each takes no less than that of one: no verdict on times. */
static void test_scaling_of_times(struct test *t)
{
	struct stage s;

	stage_open(&s);
	fixture_put(&s.f, "in/lab/x.csv",
		    HEAD "a,,RTX 2080 Ti,1,,resnet50,fp32,time,50,ms,,1,\nb,,RTX 2080 "
			 "Ti,8,,resnet50,fp32,time,400,ms,,1,\n");
	test_ok(t, stage_run(&s) && s.summary.accepted == 2,
		"times are not compared over device counts");
	stage_close(&s);
}

static void test_outlier(struct test *t)
{
	/* The logs of 100 to 103 lie close; 151 is far off. */
	static const struct line v[] = {
		{ "a", 1, "bert-base", "fp16", "100" }, { "b", 1, "bert-base", "fp16", "101" },
		{ "c", 1, "bert-base", "fp16", "102" }, { "d", 1, "bert-base", "fp16", "103" },
		{ "e", 1, "bert-base", "fp16", "151" }, { "e", 1, "bert-base", "fp16", "151" },
	};
	static const struct line few[] = {
		{ "a", 1, "bert-base", "fp16", "100" },
		{ "b", 1, "bert-base", "fp16", "101" },
		{ "c", 1, "bert-base", "fp16", "102" },
		{ "e", 1, "bert-base", "fp16", "151" },
	};
	struct stage s;

	stage_open(&s);
	put_lines(&s, "in/lab/x.csv", "", v, LEN(v));
	test_ok(t, stage_run(&s) && s.summary.set_aside == 2, "outlier of 5 machines");
	test_str(t, stage_rows(&s, "out/data/rejects.csv"),
		 STR("lab/x.csv,6,value,outlier,151,\"'e' has 151 sequences/s, 1.48 x the median "
		     "102 of 5 machines\","
		     "set-aside\n"
		     "lab/x.csv,7,value,outlier,151,\"'e' has 151 sequences/s, 1.48 x the median "
		     "102 of 5 machines\","
		     "set-aside\n"),
		 "all its rows");
	put_lines(&s, "in/lab/x.csv", "", few, LEN(few));
	test_ok(t, stage_run(&s) && s.summary.set_aside == 0, "4 machines are too few");
	stage_close(&s);
}

static void test_duplicate(struct test *t)
{
	/* p3 repeats two of its three resnet50 rows; bert-base agrees in one short value. */
	static const struct line first[] = {
		{ "4xV100", 4, "resnet50", "fp16", "329.343" },
		{ "4xV100", 4, "resnet50", "fp32", "144.161" },
		{ "4xV100", 4, "resnet50", "amp", "331.176" },
		{ "4xV100", 4, "bert-base", "fp16", "92.3" },
		{ "4xV100", 4, "bert-base", "fp32", "46.12" },
		{ "4xV100", 4, "bert-base", "amp", "91.17" },
		{ "4xV100", 4, "bert-large", "amp", "31.17" },
	};
	static const struct line second[] = {
		{ "p3", 4, "resnet50", "fp16", "329.343" },
		{ "p3", 4, "resnet50", "fp32", "144.161" },
		{ "p3", 4, "resnet50", "amp", "324.525" },
		{ "p3", 4, "bert-base", "fp16", "92.3" },
		{ "p3", 4, "bert-base", "fp32", "45.97" },
		{ "p3", 4, "bert-base", "amp", "90.68" },
		{ "p3", 4, "bert-large", "amp", "31.09" },
	};
	struct stage s;

	stage_open(&s);
	put_lines(&s, "in/lab/a.csv", "2020-03-09", first, LEN(first));
	put_lines(&s, "in/lab/b.csv", "2020-03-09", second, LEN(second));
	test_ok(t, stage_run(&s) && s.summary.set_aside == 2 && s.summary.accepted == 12,
		"a copied run");
	test_str(t, stage_rows(&s, "out/data/rejects.csv"),
		 STR("lab/b.csv,2,value,duplicate,329.343,\"'4xV100' has the same value at "
		     "lab/a.csv:2, and 2 of 3 rows of "
		     "'p3' (resnet50) match it: counted once\",set-aside\n"
		     "lab/b.csv,3,value,duplicate,144.161,\"'4xV100' has the same value at "
		     "lab/a.csv:3, and 2 of 3 rows of "
		     "'p3' (resnet50) match it: counted once\",set-aside\n"),
		 "both are named, a rounded value is not taken for a copy");
	put_lines(&s, "in/lab/b.csv", "2020-03-10", second, LEN(second));
	test_ok(t, stage_run(&s) && s.summary.set_aside == 0, "another day is another run");
	stage_close(&s);
}

static void test_duplicate_machine(struct test *t)
{
	static const struct line first[] = { { "a", 1, "resnet50", "fp32", "145.31" } };
	static const struct line copy[] = { { "b", 1, "resnet50", "fp32", "145.31" } };
	static const struct line chance[] = { { "b", 1, "resnet50", "fp32", "145.31" },
					      { "b", 1, "bert-base", "fp32", "90.5" } };
	struct stage s;

	stage_open(&s);
	stage_dir(&s, "in/lab-v2");
	put_lines(&s, "in/lab/a.csv", "", first, LEN(first));
	put_lines(&s, "in/lab/b.csv", "", copy, LEN(copy));
	test_ok(t, stage_run(&s) && s.summary.set_aside == 1,
		"all rows of both machines are equal");
	put_lines(&s, "in/lab/b.csv", "", chance, LEN(chance));
	test_ok(t, stage_run(&s) && s.summary.set_aside == 0,
		"one equal value of several is chance");
	unlink(fixture_path(&s.f, "in/lab/b.csv"));
	put_lines(&s, "in/lab-v2/b.csv", "", copy, LEN(copy));
	test_ok(t, stage_run(&s) && s.summary.set_aside == 1, "over two versions of one source");
	stage_close(&s);
}

static void test_sent_again(struct test *t)
{
	static const struct line v[] = { { "a", 1, "resnet50", "fp32", "145.31" } };
	struct stage s;

	stage_open(&s);
	put_lines(&s, "in/lab/a.csv", "", v, LEN(v));
	put_lines(&s, "in/lab/b.csv", "", v, LEN(v));
	test_ok(t, stage_run(&s) && s.summary.rows == 1 && s.summary.accepted == 1,
		"a file sent again");
	test_str(t, stage_rows(&s, "out/data/rejects.csv"),
		 STR("lab/b.csv,1,1,duplicate,,the whole file has the same bytes as lab/a.csv: "
		     "counted once,set-aside\n"),
		 "its reject");
	stage_close(&s);
}

#define OVERRIDES "file,line,decision,who,why\n"

static void test_overrides(struct test *t)
{
	static const struct line v[] = {
		{ "a", 1, "bert-large", "fp16", "23.1" }, { "b", 2, "bert-large", "fp16", "6.2" },
		{ "c", 2, "bert-large", "fp16", "40.5" }, { "d", 2, "bert-large", "fp16", "41" },
		{ "e", 2, "bert-large", "fp16", "42" },   { "f", 2, "bert-large", "fp16", "x" },
		{ "g", 2, "bert-large", "fp16", "43" },
	};
	struct stage s;

	stage_open(&s);
	put_lines(&s, "in/lab/x.csv", "", v, LEN(v));
	fixture_put(
	    &s.f, "overrides.csv",
	    OVERRIDES
	    "lab/x.csv,3,accept,jo,checked by hand\nlab/x.csv,4,out-of-memory,jo,log says so\n"
	    "lab/x.csv,5,did-not-fit,jo,too large\nlab/x.csv,6,reject,jo,invented\n"
	    "lab/x.csv,7,accept,jo,cannot\nlab/x.csv,8,accept,jo,sound anyway\n"
	    "lab/x.csv,99,accept,jo,nothing there\nlab/gone.csv,2,accept,jo,nothing there\n"
	    "elsewhere/x.csv,2,accept,jo,not read in this run\n");
	test_ok(t, stage_run(&s), "overrides");
	test_ok(t, s.summary.accepted == 3 && s.summary.set_aside == 2 && s.summary.rejected == 2,
		"counts");
	test_str(
	    t, stage_rows(&s, "out/data/rejects.csv"),
	    STR("lab/x.csv,3,value,collapsed,6.2,\"bert-large fp16: 2 devices at 6.2 sequences/s "
		"are 0.268 x the "
		"1-device median 23.1 (machines: 1); accepted by jo: checked by hand\",overridden\n"
		"lab/x.csv,4,value,out-of-memory,40.5,log says so (jo),set-aside\n"
		"lab/x.csv,5,value,did-not-fit,41,too large (jo),set-aside\n"
		"lab/x.csv,6,value,override,42,invented (jo),rejected\n"
		"lab/x.csv,7,value,number,x,'x' is not a number,rejected\n"),
	    "rejects");
	test_str(t, stage_messages(&s),
		 STR("lab/x.csv:7:46: value: 'x' is not a number\n"
		     "overrides.csv:6:0: override: lab/x.csv:7 is rejected by a check, 'accept' "
		     "does not change that\n"
		     "overrides.csv:7:0: override: 'accept' changes nothing at lab/x.csv:8\n"
		     "overrides.csv:8:0: override: there is no row at lab/x.csv:99\n"
		     "overrides.csv:9:0: override: there is no row at lab/gone.csv:2\n"),
		 "messages");
	stage_close(&s);
}

static void test_broken_overrides(struct test *t)
{
	static const struct line v[] = { { "a", 1, "resnet50", "fp32", "145.31" } };
	struct stage s;

	stage_open(&s);
	put_lines(&s, "in/lab/x.csv", "", v, LEN(v));
	fixture_put(&s.f, "overrides.csv", OVERRIDES "lab/x.csv,2,forgive,jo,why not\n");
	test_ok(t, !stage_run(&s), "an unknown decision");
	test_error(t, &s.err, ERR_UNKNOWN, "overrides.csv", 2, 0,
		   "decision: 'forgive' is not accept, out-of-memory, did-not-fit or reject",
		   "its error");
	fixture_put(&s.f, "overrides.csv",
		    OVERRIDES "lab/x.csv,2,accept,jo,a\nlab/y.csv,2,accept,jo,b\n"
			      "lab/x.csv,2,reject,jo,c\n");
	test_ok(t, !stage_run(&s), "a row decided twice");
	test_error(t, &s.err, ERR_DATA, "overrides.csv", 4, 0,
		   "line: lab/x.csv:2 is decided in line 2 already", "its error");
	test_ok(t, !file_exists(fixture_path(&s.f, "out/data/observations.csv")),
		"nothing is written");
	stage_close(&s);
}

static void test_paths(struct test *t)
{
	static const char *const file_and_folder[] = { "in/lab/x.csv", "in/lab" };
	static const char *const gone = "in/gone.csv", *const empty = "in/empty";
	static const struct line v[] = { { "a", 1, "resnet50", "fp32", "nan" } };
	struct stage s;

	stage_open(&s);
	stage_dir(&s, "in/empty");
	put_lines(&s, "in/lab/x.csv", "", v, LEN(v));
	test_ok(t, stage_run_paths(&s, file_and_folder, 2, NULL) && s.summary.files == 1,
		"a file and its folder");
	test_str(t, stage_messages(&s),
		 STR("x.csv:0:0: given twice, read once\nlab/x.csv:2:44: value: 'nan' is not a "
		     "number\n"),
		 "its messages");
	test_ok(t, !stage_run_paths(&s, &gone, 1, NULL) && s.err.code == ERR_ENVIRONMENT,
		"a file that is not there");
	test_ok(t, !stage_run_paths(&s, &empty, 1, NULL) && s.err.code == ERR_ENVIRONMENT,
		"an empty folder");
	struct error empty_error = s.err;
	unlink(fixture_path(&s.f, "out/data/rejects.csv"));
	stage_dir(&s, "out/data/rejects.csv"); /* a folder in the place of a table */
	test_ok(t, !stage_run(&s) && s.err.code == ERR_ENVIRONMENT,
		"a table that cannot be written");
	s.err = empty_error;
	struct str want =
	    str_printf(&s.f.arena, "no contributions found in %s", fixture_path(&s.f, "in/empty"));
	test_str(t, str_of(s.err.msg), want, "its error");
	stage_close(&s);
}

static void test_standard_input(struct test *t)
{
	static const struct line v[] = { { "a", 1, "resnet50", "fp32", "145.31" } };
	static const char *const dash = "-";
	struct stage s;

	stage_open(&s);
	put_lines(&s, "in/lab/x.csv", "", v, LEN(v));
	int fd = open(fixture_path(&s.f, "in/lab/x.csv"), O_RDONLY);
	test_ok(t,
		fd >= 0 && dup2(fd, STDIN_FILENO) == STDIN_FILENO
		    && stage_run_paths(&s, &dash, 1, NULL),
		"-");
	if (fd >= 0)
		close(fd);
	struct str rows = stage_rows(&s, "out/data/observations.csv");
	test_ok(t, str_find(rows, STR(",1,stdin,145.31,"), 0) < rows.len, "its series");
	stage_close(&s);
}

static void test_edition(struct test *t)
{
	static const char *const in = "in";
	struct str excluded = STR("claims");
	struct edition e = { .series_excluded = { &excluded, 1 } };
	struct stage s;

	stage_open(&s);
	stage_dir(&s, "in/claims");
	date_parse(STR("2021-12-31"), &e.benchmark_cutoff);
	fixture_put(&s.f, "in/claims/y.csv",
		    HEAD "m,,RTX 2060,,,resnet50,fp32,throughput,161,images/s,,1,\n");
	fixture_put(&s.f, "in/lab/x.csv",
		    HEAD "m,2021-12-31,RTX 2060,,,resnet50,fp32,throughput,151,images/s,,1,\n"
			 "m,2022-01-01,RTX 2060,,,resnet50,fp32,throughput,nan,images/s,,1,\n"
			 "m,,RTX 2060,,,resnet50,fp32,throughput,152,images/s,,1,\n");
	test_ok(t,
		stage_run_paths(&s, &in, 1, &e) && s.summary.rows == 2 && s.summary.accepted == 2,
		"an edition");
	test_str(t, stage_messages(&s),
		 STR(":0:0: series 'claims' is excluded by the edition: 1 files left out\n"
		     ":0:0: 1 rows after the edition's cut-off 2021-12-31 are left out\n"),
		 "cut-off and excluded series");
	test_str(t, stage_rows(&s, "out/data/sources.csv"),
		 STR("lab,Laboratory,1,2,2,0,0,1,1,2021-12-31,2021-12-31,yes,PyTorch "
		     "2,MIT,https://example.org/lab,"
		     "2022-01-01,0,1,0\n"),
		 "the newest row is told");
	stage_close(&s);
}

/* A file of nothing but unknown names: hints for the first ones only, a reason for every one. */
static void test_many_unknown(struct test *t)
{
	struct stage s;
	struct strbuf b = { 0 };
	size_t hints = 0, last_hint = 0;

	stage_open(&s);
	b.arena = &s.f.arena;
	strbuf_add(&b, STR("machine,device,workload,metric,value,unit\n"));
	for (int i = 0; i < NEAREST_SEARCHES_MAX + 50; i++)
		strbuf_printf(&b,
			      i % 2 ? "m,GTX x%d,resnet50,throughput,100,images/s\n"
				    : "m,RTX 2080 Ti,resnet5%dx,throughput,100,images/s\n",
			      i);
	fixture_put(&s.f, "in/lab/m.csv", str_c(&s.f.arena, strbuf_str(&b)));
	test_ok(t, stage_run(&s) && s.summary.rejected == NEAREST_SEARCHES_MAX + 50,
		"unknown names: all refused");
	for (size_t i = 0; i < s.messages.n; i++)
		if (str_find(s.messages.v[i].text, STR("; nearest: "), 0)
		    < s.messages.v[i].text.len) {
			hints++;
			last_hint = i;
		}
	test_ok(t, hints == NEAREST_SEARCHES_MAX && last_hint < s.messages.n - 1,
		"hints for the first ones only");
	stage_close(&s);
}

int main(void)
{
	struct test t = { 0 };

	test_cells(&t);
	test_order_and_use(&t);
	test_scaling(&t);
	test_scaling_of_times(&t);
	test_outlier(&t);
	test_duplicate(&t);
	test_duplicate_machine(&t);
	test_sent_again(&t);
	test_overrides(&t);
	test_broken_overrides(&t);
	test_paths(&t);
	test_standard_input(&t);
	test_edition(&t);
	test_many_unknown(&t);
	return test_done(&t);
}
