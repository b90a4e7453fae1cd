/* Scores of one class from observations: fit, intervals, policies, scaling, exclusions; claim 10.
 */
#include "english.h"
#include "catalogue_fixture.h"
#include "test.h"

#include "../analyze/score.h"

#include <limits.h>

#define HEADER                                                                                     \
	"device,class,workload,precision,device_count,series,value,unit,better,machines,runs,"     \
	"spread_pct,sources,metric,use,machine_values\n"

struct world {
	struct test *t;
	struct fixture f;
	struct devices devices;
	struct edition edition;
	struct str names[4];
	size_t indices[16], nindices;
	struct estimates estimates;
	struct str_list accepted;
	struct scores scores;
	struct score_class *classes;
};

/* An edition of one class over the whole small catalogue. */
static void world_open(struct world *w, struct test *t)
{
	struct error err = { 0 };
	struct edition_class *c = &w->edition.classes[0];

	*w = (struct world){ .t = t };
	test_ok(t, fixture_open(&w->f) && fixture_devices(&w->f, &w->devices, &err),
		"the small catalogue is read");
	w->names[0] = STR("tensor_fp16_tflops");
	w->names[1] = STR("fp32_tflops");
	w->edition = (struct edition){
		.reference = STR("RTX 2080 Ti"), .nclasses = 1, .max_error = 3, .date = { 18000 }
	};
	*c = (struct edition_class){ .id = CLASS_CNN,
				     .policy = POLICY_GUIDE,
				     .method = STR("linear"),
				     .spec_names = { w->names, 2 } };
	for (size_t i = 0; i < 2; i++)
		device_spec_parse(w->names[i], &c->spec_offsets[i]);
	for (size_t i = 0; i < w->devices.n; i++)
		w->indices[w->nindices++] = i;
}

static void run(struct world *w, const char *rows)
{
	struct observations obs;
	struct error err = { 0 };
	struct arena *a = &w->f.arena;

	fixture_put(&w->f, "observations.csv", str_c(a, str_printf(a, "%s%s", HEADER, rows)));
	if (!observations_read(fixture_path(&w->f, "observations.csv"), &w->devices, a, &obs,
			       &err)) {
		test_ok(w->t, false, err.msg);
		obs.n = 0;
	}
	struct score_input in = { &obs,        &w->devices,   &w->edition, w->indices,
				  w->nindices, &w->estimates, w->accepted };
	if (!score_compute(&in, a, &w->scores, &w->classes, &err))
		test_ok(w->t, false, err.msg);
}

static const struct score *of(const struct world *w, const char *name)
{
	return &w->scores.v[device_index(&w->devices, str_of(name))];
}

/* 2 networks on 3 cards, each once, but the 2080 Ti on two machines in `a` (100 and 110, median
 * 105). */
#define COMPLETE                                                                                   \
	"RTX 2080 Ti,cnn,a,fp16,1,s,105,x/s,higher,2,2,,,t,score,1=100 2=110\n"                    \
	"RTX 2080 Ti,cnn,b,fp16,1,s,20,ms,lower,1,1,,,t,score,1=20\n"                              \
	"Titan RTX,cnn,a,fp16,1,s,130,x/s,higher,1,1,,,t,score,3=130\n"                            \
	"Titan RTX,cnn,b,fp16,1,s,16,ms,lower,1,3,,,t,score,3=16\n"                                \
	"Titan Xp,cnn,a,fp32,1,s,50,x/s,higher,1,1,,,t,score,4=50\n"                               \
	"Titan Xp,cnn,b,fp32,1,s,30,ms,lower,1,1,,,t,score,4=30\n"

static void test_complete(struct world *w)
{
	double titan = sqrt(130.0 / 105 * 20 / 16), sigma = log(110.0 / 100) / sqrt(2);
	/* Half the difference of log rates a and b by card: 3.82485, 3.82006, 3.65661, so residuals of 0.05767, 0.05289,
	 * -0.11056 and the same with the other sign: MAD 0.05767. Six deviations with 2 degrees of freedom: variance
	 * 3 (1.4826 MAD)^2 of a workload, half of that for a score of two. */
	double half = (log(105) + log(20)) / 2, mean = (log(105) + log(20) + log(130) + log(16) + log(50) + log(30)) / 6;
	double around = 1.96 * hypot(sigma, sqrt(1.5) * 1.4826 * (half - mean));

	run(w, COMPLETE);
	const struct score *s = of(w, "Titan RTX"), *ref = of(w, "RTX 2080 Ti");
	test_near(w->t, s->score, titan, 1e-9,
		  "complete table: geometric mean of ratios, times inverted");
	test_near(w->t, of(w, "Titan Xp")->score, sqrt(50.0 / 105 * 20 / 30), 1e-9,
		  "complete table: Titan Xp");
	test_near(w->t, s->low, titan * exp(-around), 1e-9,
		  "one machine: score / exp(1.96 sigma), sigma of machines and of workloads");
	test_near(w->t, s->high, titan * exp(around), 1e-9, "one machine: the same above");
	test_ok(w->t,
		s->origin == ORIGIN_MEASURED && s->machines == 1 && s->runs == 4
		    && s->workloads == 2,
		"what stands behind it is counted");
	test_str(w->t, s->series, STR("s"), "its series");
	test_str(w->t, s->precisions, STR("fp16"), "its precisions");
	test_ok(w->t, ref->score == 1 && ref->low == 1 && ref->high == 1 && ref->machines == 2,
		"the reference is 1.0");
}

/* Claim 10: three measured cards; every other is scaled and names its anchor, or says why not. */
static void test_claim_10(struct world *w)
{
	run(w, COMPLETE);
	for (size_t i = 0; i < w->scores.n; i++) {
		const struct score *s = &w->scores.v[i];
		struct str name = w->devices.v[s->device].name;
		bool measured = str_eq(name, STR("Titan Xp")) || str_eq(name, STR("Titan RTX"))
				|| str_eq(name, STR("RTX 2080 Ti"));
		bool bare = str_eq(name, STR("Mystery")) || str_eq(name, STR("TPUv2"));
		enum origin want = measured ? ORIGIN_MEASURED
				   : bare   ? ORIGIN_EXCLUDED
					    : ORIGIN_SCALED;
		test_ok(w->t, s->origin == want && (want != ORIGIN_SCALED || s->anchor.len),
			"claim 10: origin");
	}
	const struct score *s = of(w, "RTX 2070");
	test_str(w->t, s->anchor, STR("RTX 2080 Ti"), "claim 10: the anchor of the RTX 2070");
	test_str(w->t, s->predictor, STR("linear tensor_fp16_tflops"),
		 "claim 10: and its predictor");
	test_near(w->t, s->score, 59.7 / 107.6, 1e-9, "claim 10: scaled linearly");
	test_near(w->t, s->high / s->score, 1 + s->error_pct / 100, 1e-9,
		  "its interval is the back-test's error");
	test_near(w->t, s->score / s->low, 1 + s->error_pct / 100, 1e-9, "on both sides");
	test_said(w->t, &w->f.arena, of(w, "Mystery")->reason,
		 STR("specs missing (tensor_fp16_tflops, fp32_tflops)"),
		 "a card without specs says so");
}

static struct str written(struct world *w)
{
	struct error err = { 0 };
	struct str text = STR("");
	const struct text_catalogue words = english_catalogue(&w->f.arena);

	fixture_put(&w->f, "scores.csv", "");
	score_write(&w->scores, &w->devices, &words, fixture_path(&w->f, "scores.csv"), &w->f.arena, &err);
	file_read(fixture_path(&w->f, "scores.csv"), 0, &w->f.arena, &text, &err);
	return text;
}

static void test_order(struct world *w)
{
	run(w, COMPLETE);
	struct str first = written(w);
	run(w, "Titan Xp,cnn,b,fp32,1,s,30,ms,lower,1,1,,,t,score,4=30\n"
	       "Titan RTX,cnn,a,fp16,1,s,130,x/s,higher,1,1,,,t,score,3=130\n"
	       "RTX 2080 Ti,cnn,b,fp16,1,s,20,ms,lower,1,1,,,t,score,1=20\n"
	       "Titan Xp,cnn,a,fp32,1,s,50,x/s,higher,1,1,,,t,score,4=50\n"
	       "RTX 2080 Ti,cnn,a,fp16,1,s,105,x/s,higher,2,2,,,t,score,2=110 1=100\n"
	       "Titan RTX,cnn,b,fp16,1,s,16,ms,lower,1,3,,,t,score,3=16\n");
	test_str(w->t, written(w), first, "the order of rows does not change a byte");
}

/* One workload in three precisions and one unstated. */
static void test_policies(struct world *w)
{
	static const char rows[] = "RTX 2080 Ti,cnn,a,fp16,1,s,100,x/s,higher,1,1,,,t,score,1=100\n"
				   "RTX 2080 Ti,cnn,a,fp32,1,s,60,x/s,higher,1,1,,,t,score,1=60\n"
				   "RTX 2080 Ti,cnn,a,amp,1,s,120,x/s,higher,1,1,,,t,score,1=120\n"
				   "Titan RTX,cnn,a,fp32,1,s,90,x/s,higher,1,1,,,t,score,2=90\n"
				   "RTX 2070,cnn,a,,1,s,80,x/s,higher,1,1,,,t,score,3=80\n"
				   "Titan Xp,cnn,a,fp16,1,s,30,x/s,higher,1,1,,,t,score,4=30\n"
				   "Titan Xp,cnn,a,fp32,1,s,48,x/s,higher,1,1,,,t,score,4=48\n"
				   "Titan Xp,cnn,a,fp64,1,s,480,x/s,higher,1,1,,,t,score,4=480\n"
				   "RTX 2080 Ti,cnn,b,fp16,1,s,100,x/s,higher,1,1,,,t,info,1=100\n"
				   "RTX 2070,cnn,b,fp16,1,s,500,x/s,higher,1,1,,,t,info,1=500\n"
				   "RTX 2080 Ti,cnn,a,fp16,2,s,100,x/s,higher,1,1,,,t,score,5=100\n"
				   "RTX 2070,cnn,a,fp16,2,s,900,x/s,higher,1,1,,,t,score,5=900\n";
	struct edition_class *c = &w->edition.classes[0];

	run(w, rows);
	test_near(w->t, of(w, "Titan Xp")->score, 48.0 / 120, 1e-9,
		  "guide: fp32 without fast fp16, else the fastest 16 bit");
	test_ok(w->t, of(w, "Titan RTX")->origin != ORIGIN_MEASURED,
		"guide: fp32 does not serve a card of fast fp16");
	test_near(w->t, of(w, "RTX 2070")->score, 80.0 / 120, 1e-9,
		  "guide: an unstated precision serves where nothing fits");
	test_str(w->t, of(w, "RTX 2070")->precisions, STR("unstated"), "guide: and is called so");
	c->policy = POLICY_BEST;
	run(w, rows);
	test_near(w->t, of(w, "Titan Xp")->score, 48.0 / 120, 1e-9,
		  "best: the fastest, fp64 never");
	test_ok(w->t, of(w, "Titan RTX")->origin != ORIGIN_MEASURED,
		"best: 32 bit beside others' 16 bit is not the best of a card with fast fp16");
	c->policy = POLICY_NAMED;
	c->precision = STR("fp32");
	run(w, rows);
	test_near(w->t, of(w, "Titan RTX")->score, 90.0 / 60, 1e-9, "named: that precision only");
	test_ok(w->t, of(w, "RTX 2070")->origin != ORIGIN_MEASURED,
		"named: an unstated one does not serve");
	c->policy = POLICY_EACH;
	run(w, rows);
	/* Titan Xp is 0.3 in fp16 and 0.8 in fp32, so sqrt(0.24); that moves the fp32 column, on
	 * which the Titan RTX hangs. */
	test_near(w->t, of(w, "Titan RTX")->score, 90 / sqrt(60 * 48 / sqrt(0.24)), 1e-9,
		  "each: compared within the precision");
	test_near(w->t, of(w, "Titan Xp")->workloads, 3, 0, "each: every precision is a column");
	c->policy = POLICY_GUIDE;
}

static void test_parts(struct world *w)
{
	run(w, "RTX 2080 Ti,cnn,conv-b16-fwd,fp16,1,s,9,ms,lower,1,1,,,time,score,1=9\n"
	       "RTX 2080 Ti,cnn,conv-b16-total,fp16,1,s,10,ms,lower,1,1,,,time,score,1=10\n"
	       "RTX 2080 Ti,cnn,alexnet,fp16,1,s,10,ms,lower,1,1,,,time,score,1=10\n"
	       "RTX 2080 Ti,cnn,alexnet-bwd,fp16,1,s,1,ms,lower,1,1,,,time,score,1=1\n"
	       "RTX 2080 Ti,cnn,gru-fwd,fp16,1,s,10,ms,lower,1,1,,,time,score,1=10\n"
	       "Titan RTX,cnn,conv-b16-fwd,fp16,1,s,1,ms,lower,1,1,,,time,score,2=1\n"
	       "Titan RTX,cnn,conv-b16-total,fp16,1,s,5,ms,lower,1,1,,,time,score,2=5\n"
	       "Titan RTX,cnn,alexnet,fp16,1,s,5,ms,lower,1,1,,,time,score,2=5\n"
	       "Titan RTX,cnn,alexnet-bwd,fp16,1,s,5,ms,lower,1,1,,,time,score,2=5\n"
	       "Titan RTX,cnn,gru-fwd,fp16,1,s,5,ms,lower,1,1,,,time,score,2=5\n");
	test_near(w->t, of(w, "Titan RTX")->score, 2, 1e-9,
		  "parts of a step give way to the whole");
	test_ok(w->t, of(w, "Titan RTX")->workloads == 3, "a part without a whole stays");
}

static void test_disconnected(struct world *w)
{
	run(w, COMPLETE "Mystery,cnn,z,fp32,1,other,9,x/s,higher,1,1,,,t,score,9=9\n"
			"RTX 2070,cnn,z,fp16,1,other,9,x/s,higher,1,1,,,t,score,9=9\n");
	test_ok(w->t, of(w, "Mystery")->origin == ORIGIN_EXCLUDED && isnan(of(w, "Mystery")->score),
		"a device without a common workload is excluded");
	test_said(w->t, &w->f.arena, of(w, "Mystery")->reason,
		 STR("not comparable: its rows (other) share no workload of one series with cards "
		     "that lead to the "
		     "reference; not scaled: specs missing (tensor_fp16_tflops, fp32_tflops)"),
		 "and says why");
	test_ok(w->t, of(w, "RTX 2070")->origin == ORIGIN_SCALED && !say_empty(of(w, "RTX 2070")->reason),
		"or is scaled where it can be, and says why its rows do not count");
	test_near(w->t, of(w, "Titan RTX")->score, sqrt(130.0 / 105 * 20 / 16), 1e-9,
		  "the others do not change");
}

/* Vectors that compute fp16 at twice the fp32 rate are no tensor units: under POLICY_BEST the card
 * keeps its 32-bit row where others ran 16 bit, and is not scaled as if 16 bit doubled it. */
static void test_vectors(struct world *w)
{
	struct device *xp = &w->devices.v[device_index(&w->devices, STR("Titan Xp"))];
	double fp16 = xp->fp16_tflops;

	w->edition.classes[0].policy = POLICY_BEST;
	xp->fp16_tflops = 2 * xp->fp32_tflops;
	run(w, "RTX 2080 Ti,cnn,a,fp16,1,s,100,x/s,higher,1,1,,,t,score,1=100\n"
	       "RTX 2080 Ti,cnn,a,fp32,1,s,60,x/s,higher,1,1,,,t,score,1=60\n"
	       "Titan RTX,cnn,a,fp16,1,s,125,x/s,higher,1,1,,,t,score,2=125\n"
	       "Titan Xp,cnn,a,fp32,1,s,48,x/s,higher,1,1,,,t,score,3=48\n");
	test_ok(w->t, of(w, "Titan Xp")->origin == ORIGIN_MEASURED,
		"best: the 32-bit row of a card with fast vectors counts");
	test_near(w->t, of(w, "Titan Xp")->score, 48.0 / 100, 1e-9, "best: as its score");
	xp->fp16_tflops = fp16;
	w->edition.classes[0].policy = POLICY_GUIDE;
}

/* Six cards whose rate is their tensor rate, the 2080 Ti not among them. */
#define BY_TENSOR                                                                                  \
	"RTX 2060,cnn,a,fp16,1,s,51.6,x/s,higher,1,1,,,t,score,1=51.6\n"                           \
	"RTX 2070,cnn,a,fp16,1,s,59.7,x/s,higher,1,1,,,t,score,2=59.7\n"                           \
	"RTX 2080,cnn,a,fp16,1,s,80.5,x/s,higher,1,1,,,t,score,3=80.5\n"                           \
	"Titan RTX,cnn,a,fp16,1,s,130.5,x/s,higher,1,1,,,t,score,4=130.5\n"                        \
	"Tesla V100 PCIe 16GB,cnn,a,fp16,1,s,124.3,x/s,higher,1,1,,,t,score,5=124.3\n"             \
	"Tesla V100 SXM2 16GB,cnn,a,fp16,1,s,125,x/s,higher,1,1,,,t,score,6=125\n"

#define HELD(value)                                                                                \
	"RTX 2060,cnn,a,fp16,1,s,51.6,x/s,higher,1,1,,,t,score,1=51.6\n"                           \
	"RTX 2070,cnn,a,fp32,1,s," value ",x/s,higher,1,1,,,t,score,2=" value "\n"                 \
	"RTX 2080,cnn,a,fp16,1,s,80.5,x/s,higher,1,1,,,t,score,3=80.5\n"                           \
	"RTX 2080 Ti,cnn,a,fp16,1,s,107.6,x/s,higher,1,1,,,t,score,7=107.6\n"                      \
	"Titan RTX,cnn,a,fp16,1,s,130.5,x/s,higher,1,1,,,t,score,4=130.5\n"

/* All run at their tensor rate; the 2070, of 59.7, has a row in 32 bit only. Scaled it is 59.7 /
 * 107.6, and every prediction is exact. In 16 bit it is at most 29.9 / 7.46 times faster. */
static void check_wide(struct world *w)
{
	run(w, HELD("20"));
	const struct score *s = of(w, "RTX 2070");
	test_ok(w->t, s->origin == ORIGIN_SCALED, "a card with 32-bit rows only is scaled");
	test_near(w->t, s->score, 59.7 / 107.6, 1e-9, "by its tensor rate");
	test_ok(w->t, s->high < s->score * 1.01 && s->low > s->score / 1.01,
		"rows that it may well outrun leave the interval alone");
	test_ok(w->t, str_find(english(&w->f.arena, s->reason), STR("its own 32-bit rows say 0.186"), 0) < english(&w->f.arena, s->reason).len,
		"but are told");
	run(w, HELD("80"));
	s = of(w, "RTX 2070");
	test_near(w->t, s->high, 80 / 107.6, 1e-9, "faster rows widen it upwards");
	test_near(w->t, s->peer_high, 80 / 107.6, 1e-9, "beside its peers too");
	test_ok(w->t, str_find(english(&w->f.arena, s->reason), STR("above the interval"), 0) < english(&w->f.arena, s->reason).len,
		"and it says so");
	run(w, HELD("5"));
	s = of(w, "RTX 2070");
	test_near(w->t, s->low, 5 * 29.9 / 7.46 / 107.6, 1e-9,
		  "rows that no 16-bit rate brings up to it widen it downwards");
	test_near(w->t, s->peer_low, s->low, 1e-12, "beside its peers too");
	test_ok(w->t, str_find(english(&w->f.arena, s->reason), STR("below what 16 bit"), 0) < english(&w->f.arena, s->reason).len,
		"and it says so");
}

static void test_wide(struct world *w)
{
	check_wide(w);
	w->edition.classes[0].policy = POLICY_BEST;
	check_wide(w);
	w->edition.classes[0].policy = POLICY_GUIDE;
}

static void test_reference_scaled(struct world *w)
{
	run(w, BY_TENSOR);
	const struct score *ref = of(w, "RTX 2080 Ti"), *s = of(w, "RTX 2070"),
			   *v = of(w, "RTX 3090");
	test_ok(w->t,
		ref->origin == ORIGIN_SCALED && ref->score == 1 && ref->low == 1 && ref->high == 1,
		"a reference that nobody measured is scaled and 1.0");
	test_str(w->t, ref->anchor, STR("Titan RTX"), "from its nearest");
	test_near(w->t, s->score, 59.7 / 107.6, 1e-9, "and all scores are divided by it");
	test_ok(w->t, s->origin == ORIGIN_MEASURED && isnan(s->low),
		"no spread known, no interval");
	/* Six predictions: 4 exact, the two V100 off by 1.1 each: the 90th percentile is 1.1.
	 * Reference: 4 Turing, fewer than 5, exact: it borrows 1.1. RTX 3090: none of its
	 * architecture, 1.1 too; joined exp(sqrt(2) log 1.1). */
	test_near(w->t, ref->error_pct, 10, 1e-6, "its error is the back-test's");
	test_near(w->t, v->high / v->score, exp(sqrt(2) * log(1.1)), 1e-6,
		  "and enters the interval of a scaled one");
	run(w, BY_TENSOR "RTX 2060,cnn,b,fp16,1,s,100,x/s,higher,2,2,,,t,score,1=90 8=110\n");
	double sigma = log(110.0 / 90) / sqrt(2);
	s = of(w, "RTX 2070");
	test_near(w->t, log(s->high / s->score), hypot(1.96 * sigma, log(1.1)), 1e-6,
		  "and that of a measured one, as the root of the sum of squares");
	test_near(w->t, log(s->peer_high / s->score), 1.96 * sigma, 1e-6,
		  "but not when cards of the class are compared");
	test_near(w->t, log(s->score / s->peer_low), 1.96 * sigma, 1e-6, "at the lower end too");
	ref = of(w, "RTX 2080 Ti");
	test_near(w->t, ref->peer_high * ref->peer_low, 1, 1e-12, "where the reference itself carries it");
	test_near(w->t, ref->peer_high, 1 + ref->error_pct / 100, 1e-9, "in full");
	test_ok(w->t, w->classes[0].notes.n == 2 && str_eq(w->classes[0].reference, STR("scaled")),
		"a note says so");
}

static void test_implausible(struct world *w)
{
	static const char rows[] =
	    BY_TENSOR "RTX 2080 Ti,cnn,a,fp16,1,s,107.6,x/s,higher,1,1,,,t,score,7=107.6\n"
		      "RTX 2080 Ti,cnn,z,fp16,1,blog,10,x/s,higher,1,1,,,t,score,7=10\n"
		      "RTX 3090,cnn,z,fp16,1,blog,132,x/s,higher,1,1,,,t,score,8=132\n";
	struct str series = STR("blog");

	run(w, rows);
	const struct score *s = of(w, "RTX 3090");
	test_ok(w->t, s->origin == ORIGIN_EXCLUDED,
		"a score ten times its prediction is set aside");
	test_said(w->t, &w->f.arena, s->reason,
		 STR("implausible link: a factor 10.0 from what Titan RTX predicts by "
		     "tensor_fp16_tflops (limit 3.0); series blog: z"),
		 "naming series and rows");
	test_ok(w->t, w->classes[0].alarms.n == 1
			      && str_starts(english(&w->f.arena, w->classes[0].alarms.v[0]), STR("RTX 3090 is set aside, ")),
		"and it is an alarm");
	test_near(w->t, of(w, "RTX 2070")->score, 59.7 / 107.6, 1e-9, "the others stay");
	w->accepted = (struct str_list){ &series, 1 };
	run(w, rows);
	test_near(w->t, of(w, "RTX 3090")->score, 13.2, 1e-9,
		  "until an override vouches for the series");
	w->accepted.n = 0;
}

static void test_uncertain(struct world *w)
{
	run(w, "RTX 2080 Ti,cnn,a,fp16,1,s,100,x/s,higher,1,1,,,t,score,1=100\n");
	test_ok(w->t, of(w, "RTX 2080 Ti")->score == 1, "a reference alone is measured");
	test_said(w->t, &w->f.arena, of(w, "RTX 2070")->reason,
		 STR("the error of scaling is not known: fewer than 3 predictions to test it"),
		 "nothing is scaled by a method that cannot be tested");
	run(w, "");
	test_said(w->t, &w->f.arena, of(w, "RTX 2070")->reason,
		 STR("the reference RTX 2080 Ti has no score here: no rows score in this class"),
		 "an empty class");
	w->edition.max_error = 1.05;
	run(w, COMPLETE);
	test_ok(w->t,
		str_starts(english(&w->f.arena, of(w, "RTX 2070")->reason),
			   STR("too uncertain: scaled by tensor_fp16_tflops from "
			       "RTX 2080 Ti it may be off by a factor ")),
		"a factor over max_error is not shown");
	run(w, BY_TENSOR);
	test_said(w->t, &w->f.arena, of(w, "RTX 2070")->reason,
		 STR("the reference RTX 2080 Ti has no score here: scaling it is too "
		     "uncertain: a factor 1.10, over 1.05"),
		 "nor anything relative to such a reference");
	w->edition.max_error = 3;
}

static void test_anchors(struct world *w)
{
	struct str anchors[] = { STR("Titan Xp") }, none[] = { STR("GTX 1080") };

	w->edition.anchors = (struct str_list){ anchors, 1 };
	run(w, COMPLETE);
	test_str(w->t, of(w, "RTX 2070")->anchor, STR(""),
		 "with one anchor too little can be tested");
	w->edition.anchors = (struct str_list){ none, 1 };
	run(w, COMPLETE);
	test_str(w->t, of(w, "RTX 2070")->anchor, STR("RTX 2080 Ti"),
		 "no anchor measured: any measured device serves");
	test_said(w->t, &w->f.arena, w->classes[0].notes.v[0],
		 STR("None of the edition's anchors (GTX 1080) is measured here: any measured card "
		     "serves."),
		 "and a note");
	w->edition.anchors.n = 0;
}

static void test_estimates(struct world *w)
{
	struct estimate e[] = {
		{ device_index(&w->devices, STR("TPUv2")),
		  device_index(&w->devices, STR("Titan RTX")),
		  CLASS_CNN,
		  1.5,
		  { 17000 },
		  STR_INIT("guide"),
		  STR_INIT("a word") },
		{ device_index(&w->devices, STR("Titan Xp")),
		  device_index(&w->devices, STR("Titan RTX")),
		  CLASS_CNN,
		  9,
		  { 17000 },
		  STR_INIT("guide"),
		  STR_INIT("") },
		{ device_index(&w->devices, STR("Mystery")),
		  device_index(&w->devices, STR("Titan RTX")),
		  CLASS_CNN,
		  9,
		  { 19000 },
		  STR_INIT("later"),
		  STR_INIT("") },
	};

	w->estimates = (struct estimates){ e, LEN(e) };
	run(w, COMPLETE);
	const struct score *s = of(w, "TPUv2");
	test_ok(w->t, s->origin == ORIGIN_ESTIMATED && isnan(s->low), "an estimate is an estimate");
	test_near(w->t, s->score, 1.5 * sqrt(130.0 / 105 * 20 / 16), 1e-9,
		  "of the score of its base");
	test_str(w->t, s->predictor, STR("guide, 2016-07-18"), "with its source and date");
	test_ok(w->t, of(w, "Titan Xp")->origin == ORIGIN_MEASURED, "a measured score goes before");
	test_ok(w->t, of(w, "Mystery")->origin == ORIGIN_EXCLUDED,
		"an estimate after the edition's date is not known yet");
	e[0].ratio = NAN;
	run(w, COMPLETE);
	s = of(w, "TPUv2");
	test_ok(w->t, s->origin == ORIGIN_EXCLUDED && isnan(s->score), "without a ratio it is excluded");
	test_said(w->t, &w->f.arena, s->reason, STR("a word (guide, 2016-07-18)"), "and its text is the reason");
	w->estimates.n = 0;
}

/* Ten machines each of two cards, 2 % apart: the interval holds the score and is no wider than they
 * are. */
static void test_bootstrap(struct world *w)
{
	struct strbuf b = { .arena = &w->f.arena };

	for (int d = 0; d < 2; d++) {
		strbuf_printf(&b, "%s,cnn,a,fp16,1,s,%d,x/s,higher,10,10,,,t,score,",
			      d ? "Titan RTX" : "RTX 2080 Ti", d ? 218 : 109);
		for (int m = 0; m < 10; m++)
			strbuf_printf(&b, "%s%d=%d", m ? " " : "", d * 10 + m,
				      (d + 1) * (100 + 2 * m));
		strbuf_add(&b, STR("\n"));
	}
	run(w, strbuf_str(&b).p ? str_c(&w->f.arena, strbuf_str(&b)) : "");
	const struct score *s = of(w, "Titan RTX");
	test_near(w->t, s->score, 2, 1e-9, "medians of ten machines");
	test_ok(w->t, s->low < 2 && s->low > 1.7 && s->high > 2 && s->high < 2.4,
		"bootstrap interval around it");
	test_ok(w->t, s->machines == 10, "ten machines");
	double low = s->low, high = s->high;
	run(w, str_c(&w->f.arena, strbuf_str(&b)));
	test_ok(w->t, of(w, "Titan RTX")->low == low && of(w, "Titan RTX")->high == high,
		"the same every time");
}

/* The back-test of two networks on Turing cards by every method, and what an edition may ask for. */
static void test_methods(struct world *w)
{
	struct edition_class *c = &w->edition.classes[0];
	struct arena *a = &w->f.arena;
	struct observations none = { NULL, 0 };
	struct error err = { 0 };

	c->method = STR("best");
	run(w, BY_TENSOR "RTX 2080 Ti,cnn,a,fp16,1,s,107.6,x/s,higher,1,1,,,t,score,7=107.6\n");
	const struct class_fit *f = w->classes[0].fit;
	test_ok(w->t, f->nsources == 7 && f->backtests[0].n == 7 && f->backtests[SCALE_METHODS - 1].n == 7,
		"every method is tested on every measured card");
	test_str(w->t, class_fit_backtest(f, BACKTEST_REPRESENTED)->method->name, STR("linear"),
		 "best: cards whose rates are their tensor rates are scaled by them");
	c->method = STR("kriging");
	run(w, BY_TENSOR "RTX 2080 Ti,cnn,a,fp16,1,s,107.6,x/s,higher,1,1,,,t,score,7=107.6\n");
	const struct score *s = of(w, "RTX 3090");
	test_str(w->t, s->anchor, STR("all"), "kriging: the anchor is all");
	test_str(w->t, s->predictor, STR("kriging bandwidth_gbs rate_16bit, nearest Tesla V100 PCIe 16GB"),
		 "kriging: the predictor says by what, and the nearest");
	test_str(w->t, w->classes[0].method, STR("kriging"), "a named method serves both cases");
	c->method = STR("magic");
	struct score_input in = { &none,       &w->devices,	 &w->edition, w->indices,
				  w->nindices, &w->estimates, w->accepted };
	test_ok(w->t, !score_compute(&in, a, &w->scores, &w->classes, &err) && err.code == ERR_UNKNOWN,
		"a method that is not known");
	test_str(w->t, str_of(err.msg),
		 STR("scaling: method.cnn: 'magic' is no scaling method; known: best, linear, roofline, "
		     "regression, kriging"),
		 "is refused with its key and the known ones");
	c->method = STR("linear");
}

static struct str file_of(struct world *w, const char *name)
{
	struct error err = { 0 };
	struct str text = STR("");

	if (!file_read(fixture_path(&w->f, name), 0, &w->f.arena, &text, &err))
		test_ok(w->t, false, err.msg);
	return text;
}

static void test_files(struct world *w)
{
	struct error err = { 0 };
	struct arena *a = &w->f.arena;

	run(w, BY_TENSOR "RTX 2080 Ti,cnn,a,fp16,1,s,107.6,x/s,higher,1,1,,,t,score,7=107.6\n");
	fixture_put(&w->f, "backtest.csv", "");
	fixture_put(&w->f, "predictions.csv", "");
	test_ok(w->t,
		score_write_backtest(w->classes, 1, fixture_path(&w->f, "backtest.csv"), a, &err)
		    && score_write_predictions(w->classes, 1, &w->devices,
					       fixture_path(&w->f, "predictions.csv"), a, &err),
		"backtest.csv and predictions.csv are written");
	struct str text = file_of(w, "backtest.csv"), row = STR("cnn,linear,7,0,");
	test_ok(w->t, str_starts(text, STR("class,method,n,median_error_pct,p90_error_pct,case,chosen\n")),
		"columns of backtest.csv");
	test_ok(w->t, str_find(text, row, 0) < text.len
			      && str_find(text, STR(",represented,yes\n"), 0) < text.len
			      && str_find(text, STR("cnn,kriging,7,"), 0) < text.len
			      && str_find(text, STR(",architecture-left-out,no\n"), 0) < text.len,
		"every method, every case, and which is in use");
	text = file_of(w, "predictions.csv");
	/* The 2080 Ti from the nearest Turing card: 130.5 x 107.6 / 130.5, divided by its own score. */
	test_ok(w->t,
		str_find(text, STR("cnn,linear,RTX 2080 Ti,1,1,1,yes,Titan RTX,tensor_fp16_tflops,yes\n"), 0)
		    < text.len,
		"a prediction with its measured score, factor, anchor and predictor");
	test_ok(w->t, str_find(text, STR(",all,bandwidth_gbs rate_16bit,no\n"), 0) < text.len,
		"those of the other methods too");
}

int main(void)
{
	struct test t = { 0 };
	struct world w;

	world_open(&w, &t);
	test_complete(&w);
	test_claim_10(&w);
	test_order(&w);
	test_policies(&w);
	test_vectors(&w);
	test_wide(&w);
	test_parts(&w);
	test_disconnected(&w);
	test_reference_scaled(&w);
	test_implausible(&w);
	test_uncertain(&w);
	test_anchors(&w);
	test_estimates(&w);
	test_bootstrap(&w);
	test_methods(&w);
	test_files(&w);
	fixture_close(&w.f);
	return test_done(&t);
}
