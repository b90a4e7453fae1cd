/* Linear scaling and its back-test by hand; roofline and kriging against values computed apart from
 * them (in Python, with inverse and determinant in place of Cholesky); claims 7, 8 and 10 of the
 * guide. */
#include "english.h"
#include "catalogue_fixture.h"
#include "test.h"

#include "../analyze/backtest.h"
#include "../analyze/scale.h"

static void set_specs(struct edition_class *c, struct str *names, size_t n)
{
	*c = (struct edition_class){ .id = CLASS_CNN, .spec_names = { names, n } };
	for (size_t i = 0; i < n; i++)
		device_spec_parse(names[i], &c->spec_offsets[i]);
}

static size_t device(const struct devices *d, const char *name)
{
	return device_index(d, str_of(name));
}

static void test_anchor(struct test *t, const struct devices *d, struct arena *a)
{
	struct str specs[] = { STR("tensor_fp16_tflops"), STR("fp32_tflops") };
	struct edition_class c;
	struct scale_source s[] = {
		{ device(d, "Titan Xp"), 0.5, true },
		{ device(d, "Titan RTX"), 1.2, true },
		{ device(d, "RTX 2080 Ti"), 1.0, true },
		{ device(d, "Tesla V100 PCIe 16GB"), 1.3, true },
	};
	struct scale_prediction p;
	struct say why = { STR("") };

	set_specs(&c, specs, 2);
	struct scale_input in = { d, &c, s, LEN(s) };
	const struct scale_method *linear = scale_method_find(STR("linear"));
	test_ok(t, linear && !scale_method_find(STR("magic")), "methods are found by name");

	/* V100 PCIe (113) is nearest to the V100 SXM2 (125) and of its architecture. */
	test_ok(t,
		linear->predict(&in, device(d, "Tesla V100 SXM2 16GB"), a, &p, &why)
		    && p.anchor == device(d, "Tesla V100 PCIe 16GB") && p.represented,
		"same architecture first");
	test_near(t, p.score, 1.3 * 125 / 113, 1e-12,
		  "score of the anchor times the ratio of the spec");
	/* RTX 2080 has 80.5: log(107.6/80.5) < log(130.5/80.5). */
	test_ok(t,
		linear->predict(&in, device(d, "RTX 2080"), a, &p, &why)
		    && p.anchor == device(d, "RTX 2080 Ti"),
		"then the smallest log distance");
	test_near(t, p.score, 80.5 / 107.6, 1e-12, "RTX 2080 from RTX 2080 Ti");
	/* GTX 1080 has no tensor units: Titan Xp by fp32. */
	test_ok(t,
		linear->predict(&in, device(d, "GTX 1080"), a, &p, &why)
		    && p.anchor == device(d, "Titan Xp"),
		"Pascal from Pascal");
	test_str(t, p.spec, STR("fp32_tflops"), "by the first spec that both have");
	test_near(t, p.score, 0.5 * 8.87 / 12.15, 1e-12, "GTX 1080 from Titan Xp");
	/* RTX 3090: no Ampere; tensor rate 142.3 is nearest to Titan RTX's 130.5. */
	test_ok(t,
		linear->predict(&in, device(d, "RTX 3090"), a, &p, &why) && !p.represented
		    && p.anchor == device(d, "Titan RTX"),
		"an architecture that nobody represents");
	s[1].anchor = false;
	test_ok(t,
		linear->predict(&in, device(d, "RTX 3090"), a, &p, &why)
		    && p.anchor == device(d, "Tesla V100 PCIe 16GB"),
		"only anchors serve");
	test_ok(t, !linear->predict(&in, device(d, "Mystery"), a, &p, &why),
		"no specs, no prediction");
	test_said(t, a, why, STR("specs missing (tensor_fp16_tflops, fp32_tflops)"),
		 "which names them");
	in.nsources = 0;
	test_ok(t, !linear->predict(&in, device(d, "RTX 2080"), a, &p, &why),
		"no anchors, no prediction");
	test_said(t, a, why, STR("no other device is measured in this class"), "which says so");
	in.nsources = c.spec_names.n = 1;
	test_ok(t, !linear->predict(&in, device(d, "RTX 2080"), a, &p, &why),
		"a Titan Xp has no tensor rate");
	test_said(t, a, why, STR("no anchor shares one of its specs (tensor_fp16_tflops)"),
		 "which is another reason");
	c.spec_names.n = 0;
	test_ok(t, !linear->predict(&in, device(d, "RTX 2080"), a, &p, &why),
		"no list of specs, no prediction");
	test_said(t, a, why, STR("the edition lists no specs to scale by in this class"),
		 "which says so too");
}

/* Scores 1.0, 1.3, 0.6 of 2080 Ti, Titan RTX, Titan Xp, specs tensor then fp32:
 *   2080 Ti from Titan RTX: 1.3 x 107.6/130.5 = 1.0719 (factor 1.0719)
 *   Titan RTX from 2080 Ti: 130.5/107.6 = 1.2128 (1.3/1.2128 = the same factor)
 *   Titan Xp, no tensor rate: nearest by fp32 (12.15) of 13.45 and 16.31 is the 2080
 * Ti: 12.15/13.45 = 0.9033 (1.5056) */
static void test_backtest(struct test *t, const struct devices *d, struct arena *a)
{
	struct str specs[] = { STR("tensor_fp16_tflops"), STR("fp32_tflops") };
	struct edition_class c;
	const struct scale_source s[] = {
		{ device(d, "RTX 2080 Ti"), 1.0, true },
		{ device(d, "Titan RTX"), 1.3, true },
		{ device(d, "Titan Xp"), 0.6, true },
	};
	struct backtest b;
	double turing = 1.3 * 107.6 / 130.5, pascal = 12.15 / 13.45 / 0.6, p90;

	set_specs(&c, specs, 2);
	struct scale_input in = { d, &c, s, LEN(s) };
	backtest_run(scale_method_find(STR("linear")), &in, a, &b);
	test_near(t, b.factor[0], turing, 1e-12, "left out: RTX 2080 Ti");
	test_near(t, b.factor[1], turing, 1e-12, "left out: Titan RTX");
	test_near(t, b.factor[2], pascal, 1e-12, "left out: Titan Xp");
	test_ok(t,
		b.cases[BACKTEST_REPRESENTED].n == 2 && b.cases[BACKTEST_NOT_REPRESENTED].n == 1
		    && b.cases[BACKTEST_ALL].n == 3,
		"cases are counted apart");
	test_near(t, b.cases[BACKTEST_ALL].median_factor, turing, 1e-12, "median of three");
	test_near(t, b.cases[BACKTEST_ALL].p90_factor, turing + 0.8 * (pascal - turing), 1e-12,
		  "90th percentile of three: 0.8 of the way from the second to the third");
	struct scale_prediction p = { .represented = true, .log_sd = NAN };
	test_ok(t, backtest_p90(&b, &p, &p90), "three predictions are enough to tell an error");
	test_near(t, p90, b.cases[BACKTEST_ALL].p90_factor, 1e-12,
		  "a case of two borrows that of all");
	/* Without its architecture each Turing card comes from the Titan Xp by fp32: factors 0.6
	 * x 13.45/12.15 against 1, 0.6 x 16.31/12.15 against 1.3; the Titan Xp as before. */
	double ti = 1 / (0.6 * 13.45 / 12.15), titan = 1.3 / (0.6 * 16.31 / 12.15);
	test_near(t, b.factor_out[0], ti, 1e-12, "architecture left out: RTX 2080 Ti");
	test_near(t, b.factor_out[1], titan, 1e-12, "architecture left out: Titan RTX");
	test_near(t, b.factor_out[2], pascal, 1e-12,
		  "where nobody shares it, it is the same prediction");
	test_ok(t, b.cases[BACKTEST_ARCHITECTURE_OUT].n == 3, "three of them");
	test_near(t, b.cases[BACKTEST_ARCHITECTURE_OUT].p90_factor, pascal + 0.8 * (titan - pascal),
		  1e-9, "their 90th percentile: 0.8 of the way from the second to the third");
	test_ok(t, isnan(b.sd_scale), "linear states no standard deviation");
	p.represented = false;
	test_ok(t, backtest_p90(&b, &p, &p90), "a case of one");
	test_near(t, p90, pascal + 0.8 * (titan - pascal), 1e-9,
		  "borrows that of the architecture left out where it is larger");
	test_ok(t, !backtest_p90_without(&b, 2, a, &p90),
		"two others do not tell the error of the third");
	in.nsources = 2;
	backtest_run(scale_method_find(STR("linear")), &in, a, &b);
	test_ok(t, !backtest_p90(&b, &p, &p90), "two predictions are too few");
	test_str(t, backtest_case_name(BACKTEST_NOT_REPRESENTED), STR("not-represented"),
		 "case names");
}

/* Four cards, none of them an exact multiple of another. */
#define FOUR(d)                                                                                    \
	{                                                                                          \
		{ device(d, "RTX 2080 Ti"), 1.0, true }, { device(d, "Titan RTX"), 1.25, true },   \
		    { device(d, "RTX 3090"), 1.6, true }, { device(d, "Titan Xp"), 0.7, true },    \
	}

static void test_rate(struct test *t, const struct devices *d)
{
	test_near(t, scale_rate_16bit(&d->v[device(d, "RTX 2070")]), 29.9, 0,
		  "16-bit rate: with 32-bit accumulation");
	test_near(t, scale_rate_16bit(&d->v[device(d, "TPUv2")]), 180, 0,
		  "bf16 where the catalogue has nothing else");
	test_near(t, scale_rate_16bit(&d->v[device(d, "GTX 1080")]), 8.87, 0,
		  "else fp32 where fp16 is slower");
	test_ok(t, isnan(scale_rate_16bit(&d->v[device(d, "Mystery")])), "or not known");
	test_ok(t, isnan(scale_known(0)) && isnan(scale_known(INFINITY)) && scale_known(2) == 2,
		"a specification is above 0 and finite");
}

static void test_roofline(struct test *t, const struct devices *d, struct arena *a)
{
	struct scale_source s[] = FOUR(d), exact[3];
	struct edition_class c = { .id = CLASS_CNN };
	struct scale_input in = { d, &c, s, LEN(s) };
	struct scale_prediction p;
	struct say why;
	const struct scale_method *m = scale_method_find(STR("roofline"));

	test_ok(t, m->predict(&in, device(d, "RTX 2070"), a, &p, &why) && p.represented && p.all,
		"roofline: a represented card from all");
	test_near(t, p.score, 0.7310070882786658, 1e-12, "roofline: RTX 2070");
	test_ok(t, p.anchor == device(d, "RTX 2080 Ti"), "roofline: its nearest relative");
	test_ok(t,
		m->predict(&in, device(d, "GTX 1080"), a, &p, &why)
		    && p.anchor == device(d, "Titan Xp"),
		"roofline: a card without tensor units");
	test_near(t, p.score, 0.43727989992415117, 1e-12, "roofline: GTX 1080");
	for (size_t i = 0; i < 3; i++) { /* score = bandwidth / 100: a must be 0 */
		exact[i] = s[i];
		exact[i].score = d->v[s[i].device].bandwidth_gbs / 100;
	}
	in.sources = exact;
	in.nsources = 3;
	test_ok(t, m->predict(&in, device(d, "RTX 2070"), a, &p, &why),
		"roofline: bandwidth alone");
	test_near(t, p.score, 4.48, 1e-12, "roofline: exact where scores are bandwidths");
	for (size_t i = 0; i < 3; i++) /* 1 / score = 3 / F + 200 / B */
		exact[i].score = 1
				 / (3 / scale_rate_16bit(&d->v[exact[i].device])
				    + 200 / d->v[exact[i].device].bandwidth_gbs);
	test_ok(t, m->predict(&in, device(d, "GTX 1080"), a, &p, &why) && !p.represented,
		"roofline: an architecture nobody represents");
	test_near(t, p.score, 1 / (3 / 8.87 + 200.0 / 320), 1e-9,
		  "roofline: exact where times are sums");
	test_ok(t, !m->predict(&in, device(d, "TPUv2"), a, &p, &why),
		"roofline: nothing across vendors");
	test_said(t, a, why,
		 STR("no other device of Google is measured in this class, and the error of "
		     "scaling across "
		     "vendors is not known"),
		 "roofline: which it says");
	test_ok(t, !m->predict(&in, device(d, "Mystery"), a, &p, &why), "roofline: no specs");
	test_said(t, a, why, STR("specs missing (bandwidth_gbs, 16-bit or fp32 rate)"),
		 "roofline: which it names");
}

static void test_kriging(struct test *t, struct devices *d, struct arena *a)
{
	static const struct {
		const char *name;
		double gb;
	} memory[] = {
		{ "RTX 2070", 8 },  { "RTX 2080 Ti", 11 }, { "Titan RTX", 24 },
		{ "RTX 3090", 24 }, { "Titan Xp", 12 },
	};
	struct scale_source s[] = FOUR(d), turned[4];
	struct edition_class c = { .id = CLASS_CNN };
	struct scale_input in = { d, &c, s, LEN(s) }, other = { d, &c, turned, LEN(turned) };
	struct scale_prediction p, q;
	struct say why;
	const struct scale_method *m = scale_method_find(STR("kriging"));

	test_ok(t, m->predict(&in, device(d, "RTX 2070"), a, &p, &why) && p.represented && p.all,
		"kriging: from all");
	test_near(t, p.score, 0.7095599064441062, 1e-12, "kriging: RTX 2070");
	test_near(t, p.log_sd, 0.16348103401226027, 1e-10, "kriging: its standard deviation");
	test_str(t, p.spec, STR("bandwidth_gbs rate_16bit"),
		 "kriging: without memory by two specifications");
	test_ok(t, m->predict(&in, device(d, "GTX 1080"), a, &p, &why), "kriging: a far one");
	test_near(t, p.score, 0.45256854975631977, 1e-12, "kriging: GTX 1080");
	test_near(t, p.log_sd, 0.2391130891238023, 1e-10, "kriging: which it is less sure of");
	test_ok(t, scale_predict_regression(&in, device(d, "RTX 2070"), a, &p, &why), "regression");
	test_near(t, p.score, 0.7077171747661629, 1e-12, "regression: RTX 2070");
	m->predict(&in, device(d, "RTX 2070"), a, &p, &why);
	for (size_t i = 0; i < 4; i++) {
		turned[i] = s[3 - i];
		turned[i].score *= 7;
	}
	m->predict(&other, device(d, "RTX 2070"), a, &q, &why);
	test_near(t, q.score / p.score, 7, 1e-9,
		  "kriging: neither the unit nor the order of sources matters");
	test_ok(t, q.anchor == p.anchor, "kriging: nor does it for the nearest");
	for (size_t i = 0; i < LEN(memory); i++)
		d->v[device(d, memory[i].name)].memory_gb = memory[i].gb;
	m->predict(&in, device(d, "RTX 2070"), a, &p, &why);
	test_near(t, p.score, 0.6993818659827996, 1e-12, "kriging: with memory, two sets averaged");
	test_str(t, p.spec, STR("bandwidth_gbs rate_16bit fp32_tflops memory_gb"),
		 "kriging: by four");
	in.nsources = 1;
	test_ok(t, m->predict(&in, device(d, "Titan RTX"), a, &p, &why),
		"kriging: from a single card");
	double by_hand = sqrt(672.0 / 616 * 130.5 / 53.8) * pow(24.0 / 11, 0.1);
	test_ok(t, fabs(log(p.score / by_hand)) < 0.05,
		"kriging: which the prior elasticities carry over, 1/2 bandwidth, 1/2 rate, 1/10 "
		"memory");
	in.nsources = 4;
	test_ok(t, !m->predict(&in, device(d, "Mystery"), a, &p, &why), "kriging: no specs");
	test_said(t, a, why, STR("specs missing (bandwidth_gbs)"), "kriging: which it names");
	for (size_t i = 0; i < LEN(memory); i++)
		d->v[device(d, memory[i].name)].memory_gb = NAN;
}

static void test_names(struct test *t, const struct devices *d, struct arena *a)
{
	struct scale_prediction p = { .anchor = device(d, "Titan Xp") };

	test_str(t, scale_method_names(a), STR("linear, roofline, regression, kriging"),
		 "the methods' names");
	test_str(t, scale_anchor_text(&p, d), STR("Titan Xp"), "an anchor by name");
	p.all = true;
	test_str(t, scale_anchor_text(&p, d), STR("all measured cards"), "or all of them");
}

static double predicted(const struct devices *d, struct str *specs, size_t n, struct arena *a)
{
	const struct scale_source s[] = { { device(d, "Titan RTX"), 1.0, true } };
	struct edition_class c;
	struct scale_prediction p = { .score = NAN };
	struct say why;

	set_specs(&c, specs, n);
	struct scale_input in = { d, &c, s, 1 };
	scale_method_find(STR("linear"))->predict(&in, device(d, "RTX 2070"), a, &p, &why);
	return p.score;
}

/* Claims 7 and 8: the order of the list decides, and it differs between CNN and RNN. */
static void test_priorities(struct test *t, struct devices *d, struct arena *a)
{
	struct str cnn[] = { STR("tensor_fp16_tflops"), STR("fp32_tflops"), STR("bandwidth_gbs"),
			     STR("fp16_tflops") };
	struct str rnn[] = { STR("bandwidth_gbs"), STR("fp16_tflops"), STR("tensor_fp16_tflops"),
			     STR("fp32_tflops") };
	struct device *card = &d->v[device(d, "RTX 2070")];
	double cnn_before = predicted(d, cnn, 4, a), rnn_before = predicted(d, rnn, 4, a);

	test_near(t, cnn_before, 59.7 / 130.5, 1e-12, "claim 7: CNN goes by tensor rate first");
	test_near(t, rnn_before, 448.0 / 672, 1e-12, "claim 8: RNN goes by bandwidth first");
	test_ok(t, fabs(cnn_before - rnn_before) > 0.1,
		"claim 7: changing the order changes the prediction");
	card->bandwidth_gbs *= 2;
	test_near(t, predicted(d, rnn, 4, a), 2 * rnn_before, 1e-12,
		  "claim 8: bandwidth moves the RNN estimate");
	test_near(t, predicted(d, cnn, 4, a), cnn_before, 1e-12,
		  "claim 8: and the CNN estimate less");
}

int main(void)
{
	struct test t = { 0 };
	struct fixture f;
	struct devices d;
	struct error err = { 0 };

	test_ok(&t, fixture_open(&f) && fixture_devices(&f, &d, &err),
		"the small catalogue is read");
	test_anchor(&t, &d, &f.arena);
	test_rate(&t, &d);
	test_roofline(&t, &d, &f.arena);
	test_kriging(&t, &d, &f.arena);
	test_names(&t, &d, &f.arena);
	test_backtest(&t, &d, &f.arena);
	test_priorities(&t, &d, &f.arena);
	fixture_close(&f);
	return test_done(&t);
}
