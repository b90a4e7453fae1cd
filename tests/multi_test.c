/* Speed-ups of several cards, checked by hand. */
#include "english.h"
#include "catalogue_fixture.h"

#include "../analyze/multi.h"

#include <math.h>
#include <stdint.h>

enum { A, B, C };

/* One cell; on several cards of two machines where `other` is not 0. */
static struct observation cell(struct arena *a, size_t device, enum class_id class,
			       const char *workload, int count, double value, double other)
{
	struct observation o = { .device = device,
				 .class = class,
				 .workload = str_of(workload),
				 .metric = STR("throughput"),
				 .precision = STR("fp16"),
				 .series = STR("s"),
				 .device_count = count,
				 .value = value,
				 .scores = true,
				 .machines = other > 0 ? 2 : 1,
				 .runs = 1,
				 .nvalues = other > 0 ? 2 : 1 };

	o.values = arena_array(a, o.nvalues, sizeof *o.values);
	o.values[0] = (struct machine_value){ STR("m1"), other > 0 ? 2 * value - other : value };
	if (other > 0)
		o.values[1] = (struct machine_value){ STR("m2"), other };
	return o;
}

static struct edition edition_of(void)
{
	struct edition e = { .nclasses = 4 };

	e.classes[0].id = CLASS_CNN;
	e.classes[1].id = CLASS_RNN_WORD;
	e.classes[2].id = CLASS_RNN_CHAR;
	e.classes[3].id = CLASS_TRANSFORMER;
	date_parse(STR("2020-01-01"), &e.date);
	return e;
}

static const struct multi_row *row(const struct multi *m, size_t device, const char *workload,
				   int count)
{
	for (size_t i = 0; i < m->nrows; i++)
		if (m->rows[i].device == device && str_eq(m->rows[i].workload, str_of(workload))
		    && m->rows[i].device_count == count)
			return &m->rows[i];
	return NULL;
}

/* In the order that observations_read() gives. */
static struct observations fixture_observations(struct arena *a)
{
	const struct observation v[] = {
		cell(a, A, CLASS_CNN, "alexnet", 1, 50, 0),
		cell(a, A, CLASS_CNN, "resnet", 1, 100, 0),
		cell(a, A, CLASS_CNN, "resnet", 2, 190, 200), /* machines 180 and 200 */
		cell(a, A, CLASS_CNN, "resnet", 4, 350, 0),
		cell(a, A, CLASS_CNN, "resnet", 6, 500, 0), /* no count of the tables */
		cell(a, A, CLASS_CNN, "vgg", 2, 30, 0),     /* nobody ran one */
		cell(a, A, CLASS_CNN, "vgg", 4, 45, 0),
		cell(a, A, CLASS_RNN_WORD, "gnmt", 1, 10, 0),
		cell(a, A, CLASS_RNN_WORD, "gnmt", 2, 19.9, 0),
		cell(a, A, CLASS_SPEECH, "tacotron", 1, 1, 0),
		cell(a, A, CLASS_SPEECH, "tacotron", 2, 2, 0), /* not a class of the edition */
		cell(a, B, CLASS_CNN, "resnet", 1, 100, 0),
		cell(a, B, CLASS_CNN, "resnet", 2, 150, 0),
	};
	struct observations o = { arena_array(a, LEN(v), sizeof *o.v), LEN(v) };

	memcpy(o.v, v, sizeof v);
	return o;
}

static void test_rows(struct test *t, struct arena *a)
{
	struct observations o = fixture_observations(a);
	struct edition e = edition_of();
	struct multi m = { 0 };

	multi_compute(&o, &e, a, &m);
	test_ok(t, m.nrows == 6, "rows of 2, 3, 4 and 8 cards, of the edition's classes");
	const struct multi_row *r = row(&m, A, "resnet", 2);
	test_near(t, r ? r->speedup : 0, 1.9, 1e-12, "speed-up");
	test_near(t, r ? r->efficiency : 0, 0.95, 1e-12, "efficiency");
	test_ok(t,
		r && r->machines == 2 && fabs(r->low - 1.8) < 1e-12 && fabs(r->high - 2.0) < 1e-12,
		"spread of the machines");
	r = row(&m, A, "resnet", 4);
	test_ok(t, r && r->speedup == 3.5 && isnan(r->low) && isnan(r->high),
		"one machine has no spread");
	r = row(&m, A, "vgg", 2);
	test_ok(t, r && isnan(r->speedup) && isnan(r->efficiency),
		"without one card there is no speed-up");
	test_str(t, r ? english(a, r->reason) : STR(""), STR("nobody ran it on fewer cards"),
		 "and it says so");
	r = row(&m, A, "vgg", 4);
	test_ok(t, r && isnan(r->speedup), "nor from two");
	test_str(t, r ? english(a, r->reason) : STR(""),
		 STR("nobody ran one card: 1.50 times 2 cards"), "but how far from two");
}

/* Other series, precisions and metrics are other cells; times and rows of incomparable series do
 * not count. */
static void test_apart(struct test *t, struct arena *a)
{
	struct edition e = edition_of();
	struct multi m = { 0 };
	struct observation v[] = { cell(a, A, CLASS_CNN, "x", 1, 100, 0),
				   cell(a, A, CLASS_CNN, "x", 2, 150, 0) };
	struct observations o = { v, 2 };

	multi_compute(&o, &e, a, &m);
	test_ok(t, m.nrows == 1 && m.rows[0].speedup == 1.5, "the same cell");
	v[1].series = STR("t");
	multi_compute(&o, &e, a, &m);
	test_ok(t, m.nrows == 1 && isnan(m.rows[0].speedup), "another series");
	v[1].series = STR("s");
	v[1].precision = STR("fp32");
	multi_compute(&o, &e, a, &m);
	test_ok(t, isnan(m.rows[0].speedup), "another precision");
	v[1].precision = STR("fp16");
	v[1].device = B;
	multi_compute(&o, &e, a, &m);
	test_ok(t, isnan(m.rows[0].speedup), "another device");
	v[1].device = A;
	v[1].scores = false;
	multi_compute(&o, &e, a, &m);
	test_ok(t, m.nrows == 0, "a series that is not comparable");
	v[1].scores = true;
	v[1].lower_is_better = true;
	multi_compute(&o, &e, a, &m);
	test_ok(t, m.nrows == 0, "a time");
	v[1].lower_is_better = false;
	v[0].workload = v[1].workload = STR("x-infer-real");
	multi_compute(&o, &e, a, &m);
	test_ok(t, m.nrows == 1 && m.rows[0].speedup == 1.5 && m.summaries[0].n == 0,
		"forward passes are told and count for no median");
	o.n = 0;
	multi_compute(&o, &e, a, &m);
	test_ok(t, m.nrows == 0 && m.nsummaries == 16,
		"no observations: classes and counts all the same");
}

/* cnn on 2: 1.9 and 1.5: median 1.7, 10th percentile 1.54, 90th 1.86. */
static void test_summary(struct test *t, struct arena *a)
{
	struct observations o = fixture_observations(a);
	struct edition e = edition_of();
	struct multi m = { 0 };

	multi_compute(&o, &e, a, &m);
	const struct multi_summary *s = &m.summaries[0];
	test_ok(t, s->class == CLASS_CNN && s->device_count == 2 && s->n == 2 && s->devices == 2,
		"cnn on two");
	test_near(t, s->median, 1.7, 1e-12, "median");
	test_near(t, s->p10, 1.54, 1e-12, "10th percentile");
	test_near(t, s->p90, 1.86, 1e-12, "90th percentile");
	s = &m.summaries[12];
	test_ok(t, s->class == CLASS_TRANSFORMER && s->n == 0 && isnan(s->median),
		"nobody ran Transformers on two");
	test_said(t, a, s->note, STR("not estimated"), "claim 3: not estimated from others");
}

static const struct {
	const char *name;
	enum class_id class;
	size_t device;
	int n;
	enum multi_mode mode;
	double speedup;
	enum multi_origin origin;
} answers[] = {
	{ "claim 5: independent jobs", CLASS_TRANSFORMER, A, 4, MULTI_INDEPENDENT, 4, MULTI_OWN },
	{ "one card", CLASS_TRANSFORMER, A, 1, MULTI_ONE_JOB, 1, MULTI_OWN },
	{ "its own rows", CLASS_CNN, B, 2, MULTI_ONE_JOB, 1.5, MULTI_OWN },
	{ "its class", CLASS_CNN, C, 2, MULTI_ONE_JOB, 1.7, MULTI_CLASS },
	{ "no card in particular", CLASS_CNN, SIZE_MAX, 2, MULTI_ONE_JOB, 1.7, MULTI_CLASS },
	{ "claim 1: the guide where nobody measured", CLASS_CNN, C, 3, MULTI_ONE_JOB, 2.8,
	  MULTI_GUIDE },
	{ "claim 1: measured rows go before", CLASS_CNN, A, 4, MULTI_ONE_JOB, 3.5, MULTI_OWN },
	{ "nobody, not the guide either", CLASS_CNN, A, 8, MULTI_ONE_JOB, NAN, MULTI_NONE },
	{ "a recurrent net's own rows stand", CLASS_RNN_WORD, A, 2, MULTI_ONE_JOB, 1.99,
	  MULTI_OWN },
	{ "claim 2: those of others at most as cnn", CLASS_RNN_WORD, B, 2, MULTI_ONE_JOB, 1.7,
	  MULTI_CLASS },
	{ "claim 2: nobody's too", CLASS_RNN_CHAR, A, 3, MULTI_ONE_JOB, 2.8, MULTI_GUIDE },
	{ "claim 3: Transformers are not estimated", CLASS_TRANSFORMER, A, 2, MULTI_ONE_JOB, NAN,
	  MULTI_NONE },
	{ "claim 3: nor on four", CLASS_TRANSFORMER, SIZE_MAX, 4, MULTI_ONE_JOB, NAN, MULTI_NONE },
};

static void test_answers(struct test *t, struct arena *a)
{
	struct observations o = fixture_observations(a);
	struct edition e = edition_of();
	struct multi m;
	struct error err = { 0 };

	test_ok(t, multi_guide_read("data", e.date, a, &m, &err), "the guide's figures");
	multi_compute(&o, &e, a, &m);
	for (size_t i = 0; i < LEN(answers); i++) {
		struct multi_answer got = multi_speedup(&m, answers[i].class, answers[i].device,
							answers[i].n, answers[i].mode, a);
		bool same = isnan(answers[i].speedup)
				? isnan(got.speedup)
				: fabs(got.speedup - answers[i].speedup) < 1e-12;
		test_ok(t, same && got.origin == answers[i].origin && !say_empty(got.reason),
			answers[i].name);
		if (!same)
			printf("# got %g\n", got.speedup);
	}
	struct multi_answer bound = multi_speedup(&m, CLASS_RNN_WORD, B, 2, MULTI_ONE_JOB, a);
	test_said(t, a, bound.reason,
		 STR("at most the gain of convolutional networks (median of 2 measured cells of 2 "
		     "cards)"),
		 "what holds a recurrent net down is said");
}

/* Claims 1 and 4. */
static void test_guide(struct test *t, struct arena *a)
{
	static const double table[] = { 1, 1.9, 2.8, 3.5 };
	struct edition e = edition_of();
	struct multi m;
	struct error err = { 0 };

	test_ok(t, multi_guide_read("data", e.date, a, &m, &err), "read");
	for (int n = 1; n <= 4; n++) {
		const struct multi_guide *g = multi_guide_find(&m, CLASS_CNN, n, MULTI_TABLE);
		test_ok(t, g && g->low == table[n - 1] && g->high == table[n - 1],
			"claim 1: the table of 2019");
	}
	const struct multi_guide *g = multi_guide_find(&m, CLASS_CNN, 4, MULTI_FRAMEWORKS);
	test_ok(t, g && g->low == 2.5 && g->high == 3.0, "claim 4: frameworks of 2016");
	g = multi_guide_find(&m, CLASS_CNN, 4, MULTI_TUNED);
	test_ok(t, g && g->low == 3.6 && g->high == 3.8, "claim 4: tuned code of 2016");
	test_ok(t, !multi_guide_find(&m, CLASS_TRANSFORMER, 4, MULTI_TABLE),
		"nothing for Transformers");
	date_parse(STR("2016-06-25"), &e.date);
	test_ok(t, multi_guide_read("data", e.date, a, &m, &err) && m.nguide == 2,
		"an edition of 2016 knows 2016 only");
}

#define HEADER "date,class,device_count,kind,low,high,source\n"

static const struct {
	const char *name, *text;
	enum error_code code;
	const char *msg;
	int line;
} errors[] = {
	{ "class", HEADER "2019-01-01,gan,2,table,1,1,s\n", ERR_UNKNOWN,
	  "class: 'gan' is not a class", 2 },
	{ "kind", HEADER "2019-01-01,cnn,2,list,1,1,s\n", ERR_UNKNOWN,
	  "kind: 'list' is not table, frameworks or tuned", 2 },
	{ "count", HEADER "2019-01-01,cnn,0,table,1,1,s\n", ERR_RANGE,
	  "device_count: 0 is not at least 1", 2 },
	{ "order", HEADER "2019-01-01,cnn,2,table,2,1,s\n", ERR_RANGE,
	  "low, high: 2 and 1 are not above 0 and in this order", 2 },
	{ "nothing", HEADER "2019-01-01,cnn,2,table,0,1,s\n", ERR_RANGE,
	  "low, high: 0 and 1 are not above 0 and in this order", 2 },
	{ "no such speed-up", HEADER "2019-01-01,cnn,2,table,1,1e308,s\n", ERR_RANGE,
	  "low, high: 1 and 1e+308 are not from 0.01 to twice the 2 devices", 2 },
	{ "a figure twice", HEADER "2019-01-01,cnn,2,table,1,2,s\n2019-01-01,cnn,2,table,1,1,s\n",
	  ERR_DATA, "the row stands in line 2 already: one of the two has to go", 3 },
};

static void test_errors(struct test *t, struct fixture *f)
{
	struct edition e = edition_of();
	struct multi m;

	for (size_t i = 0; i < LEN(errors); i++) {
		struct error err = { 0 };
		fixture_put(f, "multi_gpu.csv", errors[i].text);
		test_ok(t, !multi_guide_read(f->dir, e.date, &f->arena, &m, &err), errors[i].name);
		test_error(t, &err, errors[i].code, "multi_gpu.csv", errors[i].line, 0,
			   errors[i].msg, errors[i].name);
	}
	struct error err = { 0 };
	unlink(fixture_path(f, "multi_gpu.csv"));
	test_ok(t, multi_guide_read(f->dir, e.date, &f->arena, &m, &err) && m.nguide == 0,
		"an absent file is none");
}

static void test_written(struct test *t, struct fixture *f)
{
	struct device v[] = { { .name = STR_INIT("A, the card") }, { .name = STR_INIT("B") } };
	struct devices devices = { .v = v, .n = 2 };
	struct observations o = fixture_observations(&f->arena);
	struct edition e = edition_of();
	struct multi m;
	const struct text_catalogue words = english_catalogue(&f->arena);
	struct error err = { 0 };
	struct str rows = STR(""), summary = STR("");

	e.nclasses = 1;
	bool good = multi_guide_read("data", e.date, &f->arena, &m, &err);
	multi_compute(&o, &e, &f->arena, &m);
	good = good && multi_write(&m, &devices, &words, fixture_path(f, "m.csv"), &f->arena, &err)
	       && multi_write_summary(&m, &words, fixture_path(f, "s.csv"), &f->arena, &err)
	       && file_read(fixture_path(f, "m.csv"), 0, &f->arena, &rows, &err)
	       && file_read(fixture_path(f, "s.csv"), 0, &f->arena, &summary, &err);
	test_ok(t, good, "written and read");
	test_str(
	    t, rows,
	    STR("class,workload,device,device_count,speedup,efficiency,origin,machines,precision,"
		"series,low,high,"
		"reason,reason_msg\n"
		"cnn,resnet,\"A, the card\",2,1.9,0.95,measured,2,fp16,s,1.8,2,,\n"
		"cnn,resnet,\"A, the card\",4,3.5,0.875,measured,1,fp16,s,,,,\n"
		"cnn,vgg,\"A, the card\",2,,,excluded,1,fp16,s,,,nobody ran it on fewer cards,"
		"\"[\"\"multi-note.fewest\"\"]\"\n"
		"cnn,vgg,\"A, the card\",4,,,excluded,1,fp16,s,,,nobody ran one card: 1.50 times 2 "
		"cards,\"[\"\"multi-note.not_one\"\",{\"\"factor\"\":{\"\"n\"\":\"\"1.50\"\"},"
		"\"\"n\"\":{\"\"n\"\":\"\"2\"\"}}]\"\n"
		"cnn,resnet,B,2,1.5,0.75,measured,1,fp16,s,,,,\n"),
	    "multi.csv");
	test_str(t, summary,
		 STR("class,device_count,n,median_speedup,p10,p90,guide_2019,guide_2016_low,guide_"
		     "2016_high,note,"
		     "guide_2016_tuned_low,guide_2016_tuned_high,devices,independent_speedup,"
		     "one_job_speedup,one_job_from,note_msg,one_job_from_msg\n"
		     "cnn,2,2,1.7,1.54,1.8599999999999999,1.9,,,\"measured, the batch grows with "
		     "the cards\",,,2,2,1.7,median of 2 measured cells of 2 cards,"
		     "\"[\"\"multi-note.batch_grows\"\"]\",\"[\"\"multi-from.class\"\",{"
		     "\"\"cells\"\":{\"\"n\"\":\"\"2\"\"},\"\"cards\"\":{\"\"n\"\":\"\"2\"\"}}]\"\n"
		     "cnn,3,0,,,,2.8,,,not measured: the guide's table stands in,,,0,3,2.8,"
		     "\"not measured: Dettmers, Which GPU for deep learning, 2019-04\","
		     "\"[\"\"multi-note.guide\"\"]\",\"[\"\"multi-from.guide\"\",{\"\"source\"\":"
		     "\"\"Dettmers, Which GPU for deep learning, 2019-04\"\"}]\"\n"
		     "cnn,4,1,3.5,3.5,3.5,3.5,2.5,3,\"measured, the batch grows with the "
		     "cards\",3.6,3.8,1,4,3.5,median of 1 measured cell of 1 card,"
		     "\"[\"\"multi-note.batch_grows\"\"]\",\"[\"\"multi-from.class\"\",{"
		     "\"\"cells\"\":{\"\"n\"\":\"\"1\"\"},\"\"cards\"\":{\"\"n\"\":\"\"1\"\"}}]\"\n"
		     "cnn,8,0,,,,,,,not estimated,,,0,8,,not estimated,"
		     "\"[\"\"multi-note.none\"\"]\",\"[\"\"multi-note.none\"\"]\"\n"),
		 "multi_summary.csv");
	unlink(fixture_path(f, "m.csv"));
	unlink(fixture_path(f, "s.csv"));
}

int main(void)
{
	struct test t = { 0 };
	struct fixture f;

	if (!fixture_open(&f))
		return 1;
	test_rows(&t, &f.arena);
	test_apart(&t, &f.arena);
	test_summary(&t, &f.arena);
	test_answers(&t, &f.arena);
	test_guide(&t, &f.arena);
	test_errors(&t, &f);
	test_written(&t, &f);
	fixture_close(&f);
	return test_done(&t);
}
