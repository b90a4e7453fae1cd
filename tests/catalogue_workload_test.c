#include "catalogue_fixture.h"

#include "../catalogue/workload.h"

#include <math.h>

#define HEADER                                                                                     \
	"workload,metric,class,unit,better,lo,hi,flop_per_sample,bytes_per_sample,use,title,"      \
	"source\n"
#define SERIES_HEADER "series,title,rules,software,date,licence,comparable,url\n"

static void test_read(struct test *t, struct fixture *f)
{
	struct error err = { 0 };
	struct workloads w;
	size_t i;

	fixture_put(f, "workloads.csv",
		    HEADER
		    "resnet50,throughput,cnn,images/s,higher,1,1e5,2.46e10,,score,ResNet-50,x\n"
		    "resnet50,time,cnn,ms,lower,0.1,1e4,,,info,ResNet-50,x\n");
	if (!workloads_read(f->dir, &f->arena, &w, &err))
		error_print(stdout, &err);
	i = workload_find(&w, STR("resnet50"), STR("throughput"));
	test_ok(t, w.n == 2 && i == 0, "workload and metric are found");
	test_ok(t, w.v[0].class == CLASS_CNN && w.v[0].scores && !w.v[0].lower_is_better,
		"its words");
	test_near(t, w.v[0].flop_per_sample, 2.46e10, 0, "its work");
	test_ok(t, isnan(w.v[0].bytes_per_sample), "an empty cell is not known");
	test_ok(t, w.v[1].lower_is_better && !w.v[1].scores && w.v[1].hi == 1e4,
		"the other metric");
	test_ok(t, workload_find(&w, STR("resnet50"), STR("tflops")) == w.n, "unknown metric");
	test_ok(t, workload_find(&w, STR("resnet5"), STR("0throughput")) == w.n,
		"the pair is not one word");
	test_ok(t, workload_known(&w, STR("resnet50")) && !workload_known(&w, STR("vgg16")),
		"known by name");
}

static const struct error_case {
	const char *label, *text;
	enum error_code code;
	int line, col;
	const char *msg;
} error_cases[] = {
	{ "unknown class", "a,time,gan,ms,lower,1,2,,,score,,\n", ERR_UNKNOWN, 2, 0,
	  "class: 'gan' is not a class" },
	{ "better", "a,time,cnn,ms,less,1,2,,,score,,\n", ERR_SYNTAX, 2, 0,
	  "better: 'less' is neither lower nor higher" },
	{ "use", "a,time,cnn,ms,lower,1,2,,,yes,,\n", ERR_SYNTAX, 2, 0,
	  "use: 'yes' is neither score nor info" },
	{ "bounds", "a,time,cnn,ms,lower,2,1,,,score,,\n", ERR_RANGE, 2, 0,
	  "lo, hi: 2 and 1 are not 0 < lo < hi" },
	{ "zero bound", "a,time,cnn,ms,lower,0,1,,,score,,\n", ERR_RANGE, 2, 0,
	  "lo, hi: 0 and 1 are not 0 < lo < hi" },
	{ "no work", "a,time,cnn,ms,lower,1,2,0,,score,,\n", ERR_RANGE, 2, 0,
	  "flop_per_sample: 0 is not above 0" },
	{ "no traffic", "a,time,cnn,ms,lower,1,2,,-1,score,,\n", ERR_RANGE, 2, 0,
	  "bytes_per_sample: -1 is not above 0" },
	{ "twice", "a,time,cnn,ms,lower,1,2,,,score,,\na,time,cnn,ms,lower,1,2,,,score,,\n",
	  ERR_DATA, 3, 0, "workload 'a' with metric 'time' is listed twice, first in line 2" },
	{ "missing bound", "a,time,cnn,ms,lower,,2,,,score,,\n", ERR_SYNTAX, 2, 21,
	  "lo: the cell is empty" },
};

static void test_errors(struct test *t, struct fixture *f)
{
	for (size_t i = 0; i < LEN(error_cases); i++) {
		const struct error_case *c = &error_cases[i];
		struct error err = { 0 };
		struct workloads w;

		fixture_put(f, "workloads.csv",
			    str_c(&f->arena, str_printf(&f->arena, "%s%s", HEADER, c->text)));
		test_ok(t, !workloads_read(f->dir, &f->arena, &w, &err), c->label);
		test_error(t, &err, c->code, "workloads.csv", c->line, c->col, c->msg, c->label);
	}
}

static void test_series(struct test *t, struct fixture *f)
{
	struct error err = { 0 };
	struct series_list s;
	const struct series *found;

	fixture_put(f, "series.csv",
		    SERIES_HEADER "lambda-pytorch-v1,Lambda,\"per GPU, PyTorch\",PyTorch "
				  "1.x,2021,MIT,yes,https://example.org\n"
				  "dawnbench,DAWNBench,,,,none stated,no,\n");
	if (!series_read(f->dir, &f->arena, &s, &err))
		error_print(stdout, &err);
	found = series_find(&s, STR("dawnbench"));
	test_ok(t, s.n == 2 && found && !found->comparable, "a series that is not comparable");
	test_ok(t, s.v[0].comparable, "and one that is");
	test_str(t, s.v[0].rules, STR("per GPU, PyTorch"), "its rules");
	test_ok(t, !series_find(&s, STR("unheard")), "an undescribed series");
	fixture_put(f, "series.csv", SERIES_HEADER "a,A,,,,,maybe,\n");
	test_ok(t, !series_read(f->dir, &f->arena, &s, &err), "comparable must be yes or no");
	test_error(t, &err, ERR_SYNTAX, "series.csv", 2, 0,
		   "comparable: 'maybe' is neither yes nor no", "its message");
	err = (struct error){ 0 };
	fixture_put(f, "series.csv", SERIES_HEADER "a,A,,,,,no,\na,A,,,,,no,\n");
	test_ok(t, !series_read(f->dir, &f->arena, &s, &err), "a series listed twice");
	test_error(t, &err, ERR_DATA, "series.csv", 3, 0, "series 'a' is listed twice",
		   "its message");
}

int main(void)
{
	struct test t = { 0 };
	struct fixture f;

	test_ok(&t, fixture_open(&f), "a folder for the test");
	test_read(&t, &f);
	test_errors(&t, &f);
	test_series(&t, &f);
	fixture_close(&f);
	return test_done(&t);
}
