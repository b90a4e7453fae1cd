/* Linear scaling and its back-test by hand; claims 7, 8 and 10 of the guide. */
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
	struct str why = STR("");

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
	test_str(t, why, STR("specs missing (tensor_fp16_tflops, fp32_tflops)"),
		 "which names them");
	in.nsources = 0;
	test_ok(t, !linear->predict(&in, device(d, "RTX 2080"), a, &p, &why),
		"no anchors, no prediction");
	test_str(t, why, STR("no other device is measured in this class"), "which says so");
	in.nsources = c.spec_names.n = 1;
	test_ok(t, !linear->predict(&in, device(d, "RTX 2080"), a, &p, &why),
		"a Titan Xp has no tensor rate");
	test_str(t, why, STR("no anchor shares one of its specs (tensor_fp16_tflops)"),
		 "which is another reason");
	c.spec_names.n = 0;
	test_ok(t, !linear->predict(&in, device(d, "RTX 2080"), a, &p, &why),
		"no list of specs, no prediction");
	test_str(t, why, STR("the edition lists no specs to scale by in this class"),
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
	test_ok(t, backtest_p90(&b, true, &p90), "three predictions are enough to tell an error");
	test_near(t, p90, b.cases[BACKTEST_ALL].p90_factor, 1e-12,
		  "a case of two borrows that of all");
	test_ok(t, backtest_p90(&b, false, &p90), "a case of one");
	test_near(t, p90, pascal, 1e-12, "keeps its own where that is larger");
	test_ok(t, !backtest_p90_without(&b, 2, a, &p90),
		"two others do not tell the error of the third");
	in.nsources = 2;
	backtest_run(scale_method_find(STR("linear")), &in, a, &b);
	test_ok(t, !backtest_p90(&b, true, &p90), "two predictions are too few");
	test_str(t, backtest_case_name(BACKTEST_NOT_REPRESENTED), STR("not-represented"),
		 "case names");
}

static double predicted(const struct devices *d, struct str *specs, size_t n, struct arena *a)
{
	const struct scale_source s[] = { { device(d, "Titan RTX"), 1.0, true } };
	struct edition_class c;
	struct scale_prediction p = { .score = NAN };
	struct str why;

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
	test_backtest(&t, &d, &f.arena);
	test_priorities(&t, &d, &f.arena);
	fixture_close(&f);
	return test_done(&t);
}
