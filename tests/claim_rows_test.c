/* The guide's claims that rest on rows, fits and memory, against analyses made by hand. */
#include "claim_fixture.h"

#include "../analyze/class_fit.h"

#include <math.h>

static struct claim_world *fresh(struct claim_world *w)
{
	struct test *t = w->t;

	claim_world_close(w);
	if (!claim_world_open(w, t))
		exit(1);
	return w;
}

enum { ROWS = 24 };

/* Three cells of each class and count, speed-ups factor x (0.9, 1, 1.1) on 2, 3 and 4 cards, each
 * of a device of its own. */
static void put_multi(struct claim_world *w, struct multi_row *rows, enum class_id class,
		      const double *speedup)
{
	static const double spread[] = { 0.9, 1, 1.1 };

	w->x.multi.rows = rows;
	for (int n = 0; n < 3; n++)
		for (int i = 0; i < 3; i++)
			rows[w->x.multi.nrows++] =
			    (struct multi_row){ .device = (size_t)i,
						.class = class,
						.workload = STR("resnet50"),
						.series = STR("lambda-pytorch-v0"),
						.device_count = n + 2,
						.speedup = speedup[n] * spread[i] };
}

/* All 27 rows of put_multi(); left as they were. */
static void test_pairs(struct claim_world *w, struct multi_row *rows)
{
	struct multi_row *more = &rows[w->x.multi.nrows];

	/* Image networks on a machine that nothing else ran on: 5 times as fast on 2 cards. The
	 * median over all is then (2.09 + 5) / 2, that of the pairs as before. */
	for (int i = 0; i < 3; i++) {
		more[i] = rows[0];
		more[i].device = 5;
		more[i].speedup = 5;
	}
	w->x.multi.nrows += 3;
	claim_want(w, 2, CLAIM_REPRODUCED,
		   "2 GPUs: 0.89 of the CNN's speed-up (0.89 to 0.89, n = 3)", NULL,
		   "claim 2: only cards that ran both are compared");
	w->x.multi.nrows -= 3;
	/* A second RNN row of device 0, 1.91: its median is (1.53 + 1.91) / 2 = 1.72 over 1.71. */
	more[0] = rows[9];
	more[0].speedup = 1.91;
	w->x.multi.nrows++;
	claim_want(w, 2, CLAIM_REPRODUCED,
		   "2 GPUs: 0.89 of the CNN's speed-up (0.89 to 1.01, n = 3)", NULL,
		   "claim 2: two rows of one pair are one figure");
	w->x.multi.nrows--;
	for (size_t i = 9; i < 18; i++)
		rows[i].precision = STR("amp");
	claim_want(w, 2, CLAIM_NOT_TESTABLE, "", "three pairs",
		   "claim 2: another precision is no pair");
	rows[9].precision = rows[10].precision = rows[0].precision;
	claim_want(w, 2, CLAIM_NOT_TESTABLE, "(0.89 to 0.89, n = 2: too few to judge)", NULL,
		   "claim 2: two pairs are shown, but too few");
	for (size_t i = 9; i < 18; i++)
		rows[i].precision = rows[0].precision;
}

static void test_multi(struct claim_world *w)
{
	static const double cnn[] = { 1.9, 2.8, 3.5 }, less[] = { 1.7, 2.5, 3.1 },
			    poor[] = { 1.5, 2, 2.4 };
	static struct multi_guide guide[] = {
		{ .class = CLASS_CNN,
		  .device_count = 2,
		  .kind = MULTI_TABLE,
		  .low = 1.9,
		  .high = 1.9 },
		{ .class = CLASS_CNN,
		  .device_count = 3,
		  .kind = MULTI_TABLE,
		  .low = 2.8,
		  .high = 2.8 },
		{ .class = CLASS_CNN,
		  .device_count = 4,
		  .kind = MULTI_TABLE,
		  .low = 3.5,
		  .high = 3.5 },
		{ .class = CLASS_CNN,
		  .device_count = 4,
		  .kind = MULTI_FRAMEWORKS,
		  .low = 2.5,
		  .high = 3 },
		{ .class = CLASS_CNN,
		  .device_count = 4,
		  .kind = MULTI_TUNED,
		  .low = 3.6,
		  .high = 3.8 },
	};
	struct multi_row rows[2 * ROWS];

	put_multi(w, rows, CLASS_CNN, cnn);
	claim_want(w, 1, CLAIM_NOT_TESTABLE, "2 GPUs: 1.90x (1.75 to 2.05, n = 3)",
		   "had not given its figures", "claim 1: no figures of the guide at the date");
	w->x.multi.guide = guide;
	w->x.multi.nguide = LEN(guide);
	/* 10th and 90th percentile of 0.9, 1, 1.1 are 0.92 and 1.08: 1.9 x 0.92 = 1.748 */
	claim_want(w, 1, CLAIM_REPRODUCED, "3 GPUs: 2.80x (2.58 to 3.02, n = 3); 4 GPUs: 3.50x",
		   "at all 3 counts", "claim 1");
	claim_want(w, 2, CLAIM_NOT_TESTABLE, "", NULL, "claim 2: no recurrent rows");
	put_multi(w, rows, CLASS_RNN_WORD, less);
	/* 1.7 / 1.9 = 0.895, 2.5 / 2.8 = 0.893, 3.1 / 3.5 = 0.886 on each of the three devices */
	claim_want(w, 2, CLAIM_REPRODUCED,
		   "2 GPUs: 0.89 of the CNN's speed-up (0.89 to 0.89, n = 3); 3 GPUs: 0.89",
		   "are 0.89 to 0.89 of the CNN's", "claim 2: slightly worse");
	put_multi(w, rows, CLASS_TRANSFORMER, poor);
	/* 2.4 / 3.5 = 0.686 */
	claim_want(w, 3, CLAIM_REPRODUCED, NULL,
		   "On 4 cards the median over pairs (one card in one series and precision) is "
		   "0.69 of the CNN's",
		   "claim 3: poor");
	test_pairs(w, rows);
	claim_want(w, 4, CLAIM_NOT_TESTABLE, "all series: 3.50x", "No series of 2016",
		   "claim 4: later series are no test");
	for (size_t i = 0; i < w->x.multi.nrows; i++)
		rows[i].series = STR("jcjohnson-nn"); /* of 2016 */
	claim_want(w, 4, CLAIM_NOT_REPRODUCED, "series of 2016 and before: 3.50x",
		   "2.5 to 3.0 and 3.6 to 3.8", "claim 4: between the two ranges is in neither");
	rows[7].speedup = 3.7; /* the middle one on 4 cards */
	rows[8].speedup = 4;
	claim_want(w, 4, CLAIM_REPRODUCED, "3.70x", NULL, "claim 4: in the range of tuned code");
	for (size_t i = 9; i < 18; i++)
		rows[i].speedup *= 0.8;
	claim_want(w, 2, CLAIM_NOT_REPRODUCED, NULL, NULL, "claim 2: much worse");
	for (size_t i = 18; i < 27; i++)
		rows[i].speedup *= 1.5;
	claim_want(w, 3, CLAIM_NOT_REPRODUCED, NULL, NULL, "claim 3: not poor");
	rows[6].speedup = rows[7].speedup = rows[8].speedup = 3.9;
	claim_want(w, 1, CLAIM_NOT_REPRODUCED, NULL, "3.5x on 4 lies below",
		   "claim 1: outside the middle 80 %");
	for (size_t i = 0; i < 9; i++)
		rows[i].forward_only = true;
	claim_want(w, 1, CLAIM_NOT_TESTABLE, "", NULL,
		   "claim 1: forward passes are no data parallelism");
	claim_want(w, 4, CLAIM_NOT_TESTABLE, "", "No series of 2016",
		   "claim 4: nor are they in series of 2016");
}

static void test_busy(struct claim_world *w)
{
	claim_want(w, 5, CLAIM_NOT_TESTABLE, "", NULL, "claim 5: no rows");
	claim_put_row(w, "RTX 2080 Ti", CLASS_CNN, "resnet50-imagenet-warm", "time-per-image", 3.8);
	struct observation *o = claim_put_row(w, "RTX 2080 Ti", CLASS_CNN,
					      "resnet50-imagenet-allgpus", "time-per-image", 4);
	claim_put_row(w, "Titan RTX", CLASS_CNN, "resnet50-imagenet-allgpus", "time-per-image", 4);
	claim_want(w, 5, CLAIM_REPRODUCED, "a run keeps 95 % of its speed (median of 1;", NULL,
		   "claim 5: 3.8 / 4; the other card has no row alone");
	claim_want(w, 43, CLAIM_NOT_TESTABLE, "a run keeps 95 %", "no row states them",
		   "claim 43: shown, not tested");
	o->value = 5;
	claim_want(w, 5, CLAIM_NOT_REPRODUCED, "keeps 76 %", NULL,
		   "claim 5: a quarter lost is too much");
}

/* CPU 1000 ms, GPU 200 ms: 5. */
static void test_cpu(struct claim_world *w)
{
	claim_put_row(w, "RTX 2080 Ti", CLASS_CNN, "resnet-50", "time", 200);
	claim_put_row(w, "RTX 2080 Ti", CLASS_CNN, "resnet-101", "time", 500)->precision =
	    STR("fp16");
	claim_want(w, 6, CLAIM_NOT_TESTABLE, "", NULL, "claim 6: no CPU");
	struct observation *cpu =
	    claim_put_row(w, "Xeon E5-2630 v3", CLASS_CNN, "resnet-50", "time", 1000);
	cpu->device_count = 2;
	claim_put_row(w, "Xeon E5-2630 v3", CLASS_CNN, "resnet-101", "time", 1000);
	/* A forward pass alone, 40 times as fast: no training step. */
	claim_put_row(w, "RTX 2080 Ti", CLASS_CNN, "resnet-50-infer", "time", 10);
	claim_put_row(w, "Xeon E5-2630 v3", CLASS_CNN, "resnet-50-infer", "time", 400);
	claim_want(w, 6, CLAIM_REPRODUCED,
		   "one GPU over 2 x Xeon E5-2630 v3: 5x (median of 1 CNN training steps in "
		   "deepbench; 5 to 5)",
		   NULL, "claim 6: five times; another precision or a forward pass is other work");
	claim_put_row(w, "EPYC (2 vCPU)", CLASS_CNN, "resnet-50", "time", 90000);
	claim_want(w, 6, CLAIM_REPRODUCED, "one GPU over 2 x Xeon E5-2630 v3: 5x", NULL,
		   "claim 6: two threads of a processor are none");
	cpu->value = 2200;
	claim_want(w, 6, CLAIM_NOT_REPRODUCED, "11x", NULL,
		   "claim 6: 11 times is more than twice 5");
	cpu->value = 5000;
	claim_want(w, 6, CLAIM_NOT_REPRODUCED, "25x", NULL, "claim 6: 25 times");
}

/* Device of 13 TFLOP/s and 616 GB/s: ridge at 21.1 FLOP a byte. 64x64x64 in fp32: 2 x 64^3 / (4 x 3
 * x 64^2) = 10.67, below; 512 cubed: 85.3, above. */
static void test_roofline(struct claim_world *w)
{
	struct observation *small =
	    claim_put_row(w, "RTX 2080 Ti", CLASS_GEMM, "gemm-64x64x64-NN", "tflops", 1.3);

	claim_put_row(w, "RTX 2080 Ti", CLASS_GEMM, "gemm-512x512x512-NN", "tflops", 10.4);
	claim_want(w, 9, CLAIM_NOT_TESTABLE, "", NULL, "claim 9: no convolutions");
	claim_put_row(w, "RTX 2080 Ti", CLASS_CONV, "conv-1", "tflops", 7.8);
	claim_put_row(w, "RTX 2080 Ti", CLASS_CONV, "conv-1", "time", 7);
	/* 1.3 / 13 = 10 %; 1300 GFLOP/s / 10.67 = 121.9 GB/s, 20 % of 616 */
	claim_want(w, 9, CLAIM_REPRODUCED,
		   "median over 1 devices, 32 bit: products below the ridge point reach 10 % of "
		   "the peak rate and 20 % of the "
		   "bandwidth (n = 1), products above it 80 % of the rate, convolutions 60 %",
		   "On 1 of 1 devices", "claim 9: by hand");
	small->value = 9;
	claim_want(w, 9, CLAIM_NOT_REPRODUCED, NULL, "On 0 of 1",
		   "claim 9: faster than the convolutions");
}

static void test_p100(struct claim_world *w)
{
	struct observation *o;

	claim_want(w, 30, CLAIM_NOT_TESTABLE, "", "Needs rows of a P100", "claim 30: no rows");
	claim_put_row(w, "Tesla P100 PCIe 16GB", CLASS_CONV, "c1", "time", 3);
	o = claim_put_row(w, "Tesla P100 PCIe 16GB", CLASS_CONV, "c1", "time", 2);
	o->kind = PRECISION_16;
	o->precision = STR("pseudo-fp16");
	claim_want(w, 30, CLAIM_NOT_TESTABLE,
		   "stored in 16 bit, computed in 32: Convolution: 1.50x (n = 1)",
		   "No row of a P100 computes in 16 bit",
		   "claim 30: 16-bit storage is no 16-bit arithmetic");
	o->precision = STR("fp16");
	claim_want(w, 30, CLAIM_REPRODUCED, "Convolution: 1.50x (n = 1)", "16 bit is 1.50 times",
		   "claim 30: half as fast again");
	o->value = 2.9;
	claim_want(w, 30, CLAIM_NOT_REPRODUCED, "1.03x", NULL, "claim 30: 3 % is not much");
}

static void test_tpu(struct claim_world *w)
{
	struct observation *v100, *tpu;

	claim_want(w, 31, CLAIM_NOT_TESTABLE, "", NULL, "claim 31: no rows");
	claim_want(w, 33, CLAIM_NOT_TESTABLE, "", "dated", "claim 33: no rows");
	v100 = claim_put_row(w, "Tesla V100 SXM2 16GB", CLASS_CNN, "resnet50", "throughput", 3000);
	v100->device_count = 4;
	v100->lower_is_better = false;
	tpu = claim_put_row(w, "TPUv2", CLASS_CNN, "resnet50", "throughput", 3150);
	tpu->lower_is_better = false;
	tpu->unit = STR("images/s");
	claim_want(w, 31, CLAIM_REPRODUCED,
		   "one cloud TPU v2 (4 chips) 3150 images/s, 4 x Tesla V100 SXM2 16GB 3000: ratio "
		   "1.05 (deepbench)",
		   "one figure each", "claim 31: within 10 %");
	tpu->value = 3600;
	claim_want(w, 31, CLAIM_NOT_REPRODUCED, "ratio 1.20", NULL, "claim 31: 20 % more");
	v100->device_count = 1;
	claim_want(w, 31, CLAIM_NOT_TESTABLE, "", NULL, "claim 31: one V100 is not four");
	v100->class = tpu->class = CLASS_TRANSFORMER;
	claim_want(w, 32, CLAIM_NOT_REPRODUCED, "1.20x (resnet50, deepbench)", NULL,
		   "claim 32: rows go before an estimate");
	tpu->value = 4680;
	claim_want(w, 32, CLAIM_REPRODUCED, "1.56x", NULL, "claim 32: 56 % faster");
	w->x.obs.n = 0;
	struct estimate e = { .device = claim_index(w, "TPUv2"),
			      .relative_to = claim_index(w, "Tesla V100 SXM2 16GB"),
			      .class = CLASS_TRANSFORMER,
			      .ratio = 1.56 };
	w->x.estimates = (struct estimates){ &e, 1 };
	claim_put_score(w, "TPUv2", CLASS_TRANSFORMER, 2.34, NAN)->origin = ORIGIN_ESTIMATED;
	claim_want(w, 32, CLAIM_NOT_TESTABLE,
		   "carried as an estimate: 1.56 x Tesla V100 SXM2 16GB, score 2.34",
		   "author's estimate", "claim 32: an estimate proves nothing");
	struct score *s = claim_put_score(w, "TPUv2", CLASS_RNN_WORD, NAN, 1);
	s->origin = ORIGIN_EXCLUDED;
	s->reason = say_plain(&w->f.arena, STR("an LSTM did not converge"));
	claim_want(w, 33, CLAIM_NOT_TESTABLE, "excluded: an LSTM did not converge", NULL,
		   "claim 33: excluded with the reason");
	tpu = claim_put_row(w, "TPUv2", CLASS_RNN_WORD, "gnmt", "time-to-train", 40.4);
	tpu->unit = STR("min");
	tpu->series = STR("mlperf-v0.5");
	claim_want(w, 33, CLAIM_NOT_REPRODUCED,
		   "TPUv2 trained gnmt to its target quality in 40.4 min (mlperf-v0.5, 2018-10 to "
		   "2018-12)",
		   NULL, "claim 33: a run to the target contradicts it");
}

static void test_vendors(struct claim_world *w)
{
	struct observation *amd, *phi;

	claim_put_row(w, "RTX 2080 Ti", CLASS_GEMM, "g", "tflops", 10.4);      /* 80 % of 13 */
	amd = claim_put_row(w, "Radeon VII", CLASS_GEMM, "g", "tflops", 9.36); /* 72 % of 13 */
	claim_want(w, 35, CLAIM_NOT_TESTABLE, "", NULL, "claim 35: no Xeon Phi");
	phi = claim_put_row(w, "Xeon Phi 7250", CLASS_GEMM, "g", "tflops", 5.2);
	/* 0.72 / 0.8 = 0.9; 5.2 / 10.4 = 0.5 */
	claim_want(w, 35, CLAIM_REPRODUCED,
		   "an AMD card reaches 72 % (n = 1), an NVIDIA card 80 % (n = 1): 0.90 of it",
		   NULL, "claim 35: AMD by its share of the peak rate");
	claim_want(w, 35, CLAIM_REPRODUCED,
		   "Xeon Phi 7250: 0.50 of the speed of the middle NVIDIA card", NULL,
		   "claim 35: Xeon Phi by its speed");
	amd->value = 5.2;
	claim_want(w, 35, CLAIM_NOT_REPRODUCED, "0.50 of it", NULL,
		   "claim 35: half of the software is less than 90 %");
	amd->value = 9.36;
	phi->value = 11;
	claim_want(w, 35, CLAIM_NOT_REPRODUCED, NULL, NULL, "claim 35: a fast Xeon Phi");
}

/* Four cards whose scores are exactly their fp32 rate x 0.1: that specification is never off, nor
 * is the 16-bit rate, which is twice as much. */
static void test_specs(struct claim_world *w)
{
	static const char *const names[] = { "RTX 2060", "RTX 2070", "RTX 2080", "RTX 2080 Ti" };
	struct scale_source sources[5];
	struct class_fit fit = { .sources = sources, .nsources = 4 };
	struct score_class class = { .class = CLASS_CNN, .fit = &fit };

	for (size_t i = 0; i < 4; i++)
		sources[i] = (struct scale_source){
			.device = claim_index(w, names[i]),
			.score = w->devices.v[claim_index(w, names[i])].fp32_tflops / 10
		};
	w->x.classes = &class;
	claim_want(w, 7, CLAIM_NOT_REPRODUCED, "CNN: fp16_tflops 1.00 = fp32_tflops 1.00 < tensor",
		   "holds in 0 of 1", "claim 7: FLOP before tensor cores");
	/* By tensor rate 50 60 80 100: exact. fp32 over it is 0.12 0.12167 0.12375 0.126: the six
	 * pairs are off by 1.0139 to 1.05, the middle two by 1.0182 and 1.0313. Bandwidth over it
	 * is 6 6.333 6.875 7.2: 1.0855 and 1.1368. fp16: 0.2 0.2333 0.275 0.33: 1.2 and 1.375. */
	static const double fp32[] = { 6.0, 7.3, 9.9, 12.6 }, bandwidth[] = { 300, 380, 550, 720 },
			    half[] = { 10, 14, 22, 33 };
	for (size_t i = 0; i < 4; i++) {
		struct device *d = &w->devices.v[claim_index(w, names[i])];
		sources[i].score = d->tensor_fp16_tflops / 100;
		d->fp32_tflops = fp32[i];
		d->bandwidth_gbs = bandwidth[i];
		d->fp16_tflops = half[i];
	}
	claim_want(w, 7, CLAIM_REPRODUCED,
		   "CNN: tensor_fp16_tflops 1.00 < fp32_tflops 1.02 < bandwidth_gbs 1.11 < "
		   "fp16_tflops 1.29 (n = 6)",
		   "holds in 1 of 1", "claim 7: the guide's order");
	/* A fifth card that does not state its tensor rate and is far off by the other three: by
	 * none of the four is it judged. */
	sources[4] = (struct scale_source){ .device = claim_index(w, "Titan Xp"), .score = 9 };
	fit.nsources = 5;
	claim_want(w, 7, CLAIM_REPRODUCED,
		   "CNN: tensor_fp16_tflops 1.00 < fp32_tflops 1.02 < bandwidth_gbs 1.11 < "
		   "fp16_tflops 1.29 (n = 6)",
		   NULL, "claim 7: all four by the same pairs");
	fit.nsources = 4;
	class.class = CLASS_RNN_WORD;
	w->edition.classes[0].id = CLASS_RNN_WORD;
	claim_want(w, 8, CLAIM_NOT_REPRODUCED, "Word RNN: tensor_fp16_tflops 1.00 <", NULL,
		   "claim 8: not the recurrent order");
	fit.nsources = 3;
	claim_want(w, 8, CLAIM_NOT_TESTABLE, "", "Needs 6 pairs",
		   "claim 8: three pairs are too few");
}

static void test_linear(struct claim_world *w)
{
	struct class_fit fit = { .nsources = 0 };
	struct score_class class = { .class = CLASS_CNN, .fit = &fit };
	struct backtest_error *e = &fit.backtests[0].cases[BACKTEST_ALL];

	fit.backtests[0].method = scale_method_find(STR("linear"));
	*e = (struct backtest_error){ 4, 1.1, 1.2 };
	w->x.classes = &class;
	claim_put_score(w, "RTX 2080 Ti", CLASS_CNN, 1, 1);
	struct score *s = claim_put_score(w, "RTX 2070", CLASS_CNN, 0.6, 1.2);
	s->origin = ORIGIN_SCALED;
	s->anchor = STR("RTX 2080 Ti");
	claim_want(w, 10, CLAIM_NOT_TESTABLE, "", "Needs 5 measured",
		   "claim 10: four predictions are too few");
	e->n = 5;
	claim_want(w, 10, CLAIM_REPRODUCED,
		   "CNN: 1 measured, 1 scaled; linear off by a factor 1.10 (median), 1.20 (90th "
		   "percentile), n = 5",
		   "every scaled score names its anchor", "claim 10: off by a factor 1.1");
	s->anchor = STR("");
	claim_want(w, 10, CLAIM_NOT_REPRODUCED, NULL, "some scaled scores name no anchor",
		   "claim 10: a scaled score without an anchor");
	s->anchor = STR("RTX 2080 Ti");
	e->median_factor = 1.2;
	claim_want(w, 10, CLAIM_NOT_REPRODUCED, "1.20 (median)", "in 0 of 1 classes",
		   "claim 10: off by a factor 1.2");
	claim_want(w, 13, CLAIM_NOT_TESTABLE, "CNN: 1 measured, 1 scaled, 0 estimated, 0 excluded",
		   "in 0 of 1", "claim 13: two devices make no chart");
	claim_put_score(w, "Titan RTX", CLASS_CNN, 1.2, 1);
	claim_want(w, 13, CLAIM_NOT_TESTABLE, "CNN: 2 measured", "RTX 2080 Ti is 1",
		   "claim 13: three do");
}

static void test_workloads(struct claim_world *w)
{
	claim_put_row(w, "RTX 2080 Ti", CLASS_CNN, "resnet50", "time", 1);
	claim_put_row(w, "RTX 2080 Ti", CLASS_RNN_WORD, "lstm-h1024-t25-b16-total", "time", 1);
	claim_put_row(w, "RTX 2080 Ti", CLASS_RNN_WORD, "lstm-h1024-t50-b16-fwd", "time", 1);
	claim_put_row(w, "RTX 2080 Ti", CLASS_RNN_CHAR, "bilstm-h1024-t150-b16-total", "time", 1);
	claim_put_row(w, "RTX 2080 Ti", CLASS_TRANSFORMER, "transformerxl-base", "time", 1);
	claim_put_row(w, "RTX 2080 Ti", CLASS_TRANSFORMER, "bert-base", "time", 1);
	claim_want(w, 11, CLAIM_NOT_TESTABLE, "Word RNN: 0 of 1 workloads are biLSTM",
		   "none of biLSTM (Word RNN);",
		   "claim 11: stand-ins are named, parts are no workloads");
	claim_want(w, 12, CLAIM_NOT_TESTABLE,
		   "Word RNN: rows that state a length have 25 to 50 steps; Char RNN: rows that "
		   "state a length have 150 steps",
		   "limit of the guide's own runs", "claim 12: lengths from the names");
	w->obs[1].workload = STR("bilstm-h1024-t25-b16-total");
	claim_want(w, 11, CLAIM_REPRODUCED, "Word RNN: 1 of 1 workloads are biLSTM", NULL,
		   "claim 11: all are there");
}

/* The shipped networks known in May 2019. */
static void test_memory(struct claim_world *w)
{
	struct error err = { 0 };

	if (!memory_compute("data", &w->edition, &w->f.arena, &w->x.memory, &err)) {
		error_print(stderr, &err);
		test_ok(w->t, false, "the shipped networks are read");
		return;
	}
	/* 2 x 4 x 128 x maps x side^2 / 2^20: 32 x 247^2, 64 x 244^2, 96 x 241^2; corrected 248,
	 * 246, 244 */
	claim_want(
	    w, 25, CLAIM_REPRODUCED,
	    "91.6 > 1906.5 > 3721.0 > 5445.1 MiB; corrected 91.6 > 1922.0 > 3782.2 > 5581.5 MiB",
	    "is 1.1 MiB", "claim 25: layer by layer");
	claim_want(w, 26, CLAIM_REPRODUCED, "45.8 > 953.3 > 1860.5 > 2722.5 MiB", NULL,
		   "claim 26: half of each");
	claim_want(w, 27, CLAIM_NOT_REPRODUCED,
		   "guide-2016: 100 % activations and errors; first half of the layers 1907 MiB, "
		   "last half 5445 MiB",
		   NULL, "claim 27: without strides later layers take more");
	claim_want(w, 29, CLAIM_REPRODUCED,
		   "96 1x1 kernels: 1048576 to 393216 values; 2x2 pooling: 0.25; stride 2: 0.25, "
		   "stride 4: 0.0625; batch 64: 0.5 of "
		   "128",
		   NULL, "claim 29: each technique");
	/* 2 GiB more of overhead: a batch of 64 no longer fits 8 GB, but 12; 8 GiB more: not even
	 * those. */
	double overhead = w->x.memory.settings.overhead_mib;
	w->x.memory.settings.overhead_mib = overhead + 2048;
	claim_want(w, 28, CLAIM_REPRODUCED, "largest batch of ResNet-50, 224x224x3, 32 bit:",
		   "that a batch of 64 fits there and not on 8 GB",
		   "claim 28: 12 GB are needed and enough");
	w->x.memory.settings.overhead_mib = overhead + 8192;
	claim_want(w, 28, CLAIM_NOT_REPRODUCED, NULL, NULL, "claim 28: 12 GB are not enough");
	w->x.memory.settings.overhead_mib = 0;
	claim_want(w, 28, CLAIM_NOT_REPRODUCED, NULL, NULL, "claim 28: 8 GB are enough");
	w->x.memory.settings.overhead_mib = overhead;
	claim_want(w, 44, CLAIM_NOT_TESTABLE, "", NULL, "claim 44: no card has a price");
	claim_put_price(w, "Titan RTX", 2500);
	claim_put_price(w, "RTX 2060", 350);
	test_ok(w->t,
		str_find(english(&w->f.arena, claim_run(w, 44)->computed_value),
			 STR("can be trained on one Titan RTX (24 GB)"), 0)
		    < english(&w->f.arena, claim_run(w, 44)->computed_value).len,
		"claim 44: by the largest card with a price");
	date_parse(STR("2016-06-30"), &w->edition.date);
	memory_compute("data", &w->edition, &w->f.arena, &w->x.memory, &err);
	claim_want(w, 22, CLAIM_NOT_TESTABLE, "", "Needs 3 networks",
		   "claim 22: one network is no middle");
	claim_want(w, 24, CLAIM_NOT_TESTABLE, "", NULL, "claim 24: no data know settings");
}

/* Three networks of one part each: fp16 takes 1 / factor of fp32. */
static void put_savings(struct claim_world *w, struct network *net, struct memory_case *v,
			const double *factor)
{
	static const char *const names[] = { "a", "b", "c" };

	for (size_t i = 0; i < 3; i++) {
		net[i] = (struct network){ .name = str_of(names[i]), .kind = NETWORK_COUNTS };
		v[2 * i] = (struct memory_case){ .network = &net[i],
						 .mode = MEMORY_TRAINING,
						 .precision = memory_precision_find(STR("fp32")),
						 .need.total_bytes = 1e9 * factor[i],
						 .needed_gb = 10 * factor[i] };
		v[2 * i + 1] =
		    (struct memory_case){ .network = &net[i],
					  .mode = MEMORY_TRAINING,
					  .precision = memory_precision_find(STR("fp16")),
					  .need.total_bytes = 1e9,
					  .needed_gb = 10 };
	}
	w->x.memory.v = v;
	w->x.memory.n = 6;
	w->x.memory.networks = (struct networks){ .v = net, .n = 3 };
}

static void test_savings(struct claim_world *w)
{
	static const double most[] = { 1.5, 1.9, 2 }, some[] = { 1.2, 1.6, 2 },
			    little[] = { 1, 1.2, 1.3 };
	struct network net[3];
	struct memory_case v[6];

	put_savings(w, net, v, most);
	claim_want(
	    w, 22, CLAIM_REPRODUCED,
	    "factor 2.0 makes 8 GB 16 GB; worked out for 3 networks in training: factor 1.90", NULL,
	    "claim 22: 1.9 is almost 2");
	claim_want(w, 23, CLAIM_NOT_REPRODUCED, "factor 1.5 makes 8 GB 12 GB;", NULL,
		   "claim 23: 1.9 is not 1.5");
	put_savings(w, net, v, some);
	claim_want(w, 22, CLAIM_NOT_REPRODUCED, "factor 1.60 (median; 1.20 to 2.00)", NULL,
		   "claim 22: 1.6 is not");
	claim_want(w, 23, CLAIM_REPRODUCED, "1.60", "would alone make the factor 2",
		   "claim 23: 1.6 is about 1.5");
	put_savings(w, net, v, little);
	claim_want(w, 23, CLAIM_NOT_REPRODUCED, "1.20", NULL, "claim 23: 1.2 is not");
	net[1].name = STR("guide-2016-valid");
	claim_want(w, 23, CLAIM_NOT_TESTABLE, "", NULL,
		   "the second reading of the trace is no network of its own");
}

/* Five networks that ask for 10 GB each of a card with 11. */
static void test_one_gpu(struct claim_world *w)
{
	static const char *const names[] = { "a", "b", "c", "d", "e" };
	struct network net[5];
	struct memory_case v[5];

	for (size_t i = 0; i < 5; i++) {
		net[i] = (struct network){ .name = str_of(names[i]) };
		v[i] = (struct memory_case){ .network = &net[i],
					     .mode = MEMORY_TRAINING,
					     .needed_gb = 10 };
	}
	w->x.memory.v = v;
	w->x.memory.n = 5;
	w->x.memory.networks = (struct networks){ .v = net, .n = 4 };
	claim_put_price(w, "RTX 2080 Ti", 1000);
	claim_want(w, 44, CLAIM_NOT_TESTABLE, "", "5 networks",
		   "claim 44: four networks are too few");
	w->x.memory.networks.n = 5;
	claim_want(w, 44, CLAIM_REPRODUCED,
		   "5 of 5 networks can be trained on one RTX 2080 Ti (11 GB)", NULL,
		   "claim 44: all fit");
	/* Half of a board of two GPUs is 5.5 GB. */
	struct memory_board board = { .device = STR_INIT("RTX 2080 Ti"), .gpus = 2 };
	w->x.memory.settings.boards = &board;
	w->x.memory.settings.nboards = 1;
	claim_want(w, 44, CLAIM_NOT_REPRODUCED, "0 of 5 networks can be trained on one RTX 2080 Ti",
		   NULL, "claim 44: a program has one GPU of a board");
	claim_put_price(w, "RTX 2080", 700);
	claim_want(w, 44, CLAIM_NOT_REPRODUCED, "one RTX 2080 (8 GB)", NULL,
		   "claim 44: and another card is then the largest");
	w->x.card_prices.n--;
	w->x.memory.settings.nboards = 0;
	v[3].needed_gb = 95;
	claim_want(w, 44, CLAIM_NOT_REPRODUCED,
		   "4 of 5 networks can be trained on one RTX 2080 Ti (11 GB); "
		   "not: d (95 GB)",
		   NULL, "claim 44: four of five are not nine of ten");
}

int main(void)
{
	static void (*const tests[])(struct claim_world * w) = {
		test_multi,  test_busy,    test_cpu,     test_roofline, test_p100,
		test_tpu,    test_vendors, test_specs,   test_linear,   test_workloads,
		test_memory, test_savings, test_one_gpu,
	};
	struct test t = { 0 };
	struct claim_world w;

	if (!claim_world_open(&w, &t))
		return 1;
	for (size_t i = 0; i < LEN(tests); i++)
		tests[i](fresh(&w));
	claim_world_close(&w);
	return test_done(&t);
}
