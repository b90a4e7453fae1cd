/* What the scores rest on, and which specification tells most: claims 7, 8, 10 to 13. */
#include "claim_check.h"

#include "class_fit.h"
#include "../base/map.h"
#include "../base/num.h"
#include "../base/stat.h"

#include <math.h>
#include <stdlib.h>

/* Below so many pairs of cards the specifications are not judged. */
enum { PAIRS_MIN = 6, SPECS = 4 };

/* The guide's two orders, first the specification that tells most. */
static const struct str cnn_order[SPECS] = { STR_INIT("tensor_fp16_tflops"),
					     STR_INIT("fp32_tflops"), STR_INIT("bandwidth_gbs"),
					     STR_INIT("fp16_tflops") };
static const struct str rnn_order[SPECS] = { STR_INIT("bandwidth_gbs"), STR_INIT("fp16_tflops"),
					     STR_INIT("tensor_fp16_tflops"),
					     STR_INIT("fp32_tflops") };

/* How far a specification is off: over the pairs of measured cards of one vendor that have all of
 * them, so that each is judged by the same cards, the median of exp|log(score ratio) -
 * log(specification ratio)|; 1 is never off. */
struct spec_error {
	struct str name;
	double factor;
};

static const struct score_class *class_of(const struct claim_input *in, enum class_id class)
{
	for (size_t i = 0; in->x->classes && i < in->x->edition->nclasses; i++)
		if (in->x->classes[i].class == class)
			return &in->x->classes[i];
	return NULL;
}

/* The factor by which each specification misses the score ratio of two cards; false unless both are
 * of one vendor and have them all. */
static bool pair_factors(const struct claim_input *in, const struct scale_source *x,
			 const struct scale_source *y, const size_t *offsets, double *factor)
{
	if (!scale_same_vendor(in->x->devices, x->device, y->device))
		return false;
	for (size_t k = 0; k < SPECS; k++) {
		double spec = device_spec(claim_device(in, x->device), offsets[k])
			      / device_spec(claim_device(in, y->device), offsets[k]);
		if (isnan(spec))
			return false;
		factor[k] = exp(fabs(log(x->score / y->score) - log(spec)));
	}
	return true;
}

/* Fills e, in the order of the names; returns the number of pairs. */
static size_t spec_errors(const struct claim_input *in, const struct class_fit *fit,
			  const struct str *names, struct spec_error e[SPECS])
{
	size_t offsets[SPECS], n = 0, pairs = fit->nsources * fit->nsources / 2;
	double factor[SPECS], *off[SPECS];

	for (size_t k = 0; k < SPECS; k++) {
		if (!device_spec_parse(names[k], &offsets[k]))
			return 0;
		off[k] = arena_array(in->arena, pairs, sizeof *off[k]);
	}
	for (size_t i = 0; i < fit->nsources; i++)
		for (size_t j = 0; j < i; j++) {
			if (!pair_factors(in, &fit->sources[i], &fit->sources[j], offsets, factor))
				continue;
			for (size_t k = 0; k < SPECS; k++)
				off[k][n] = factor[k];
			n++;
		}
	for (size_t k = 0; k < SPECS; k++)
		e[k] = (struct spec_error){ names[k], n ? stat_median(off[k], n, in->arena) : NAN };
	return n;
}

static int by_factor(const void *px, const void *py)
{
	const struct spec_error *x = px, *y = py;

	if (x->factor != y->factor)
		return x->factor < y->factor ? -1 : 1;
	return str_cmp(x->name, y->name);
}

/* Factors closer than this are equal. */
#define SPEC_TIE 0.005

/* Adds "CNN: fp32_tflops 1.12 < bandwidth_gbs 1.20 < … (n = 36)"; *same tells whether the guide's
 * order agrees with that. False when there are too few pairs. */
static bool add_order(const struct claim_input *in, enum class_id class, const struct str *guide,
		      struct say_list *b, bool *same)
{
	const struct score_class *scores = class_of(in, class);
	struct spec_error e[SPECS];
	struct say_list line = { .arena = in->arena };

	size_t n = scores && scores->fit ? spec_errors(in, scores->fit, guide, e) : 0;

	if (n < PAIRS_MIN)
		return false;
	*same = true;
	for (size_t i = 1; i < SPECS; i++)
		*same = *same && e[i].factor > e[i - 1].factor - SPEC_TIE;
	qsort(e, SPECS, sizeof *e, by_factor);
	for (size_t i = 0; i < SPECS; i++) {
		const struct say_arg args[] = { say_name("spec", e[i].name),
						say_fixed("factor", e[i].factor, 2), say_end() };
		bool equal = i && e[i].factor < e[i - 1].factor + SPEC_TIE;
		claim_add(&line,
			  i == 0  ? "claim.spec"
			  : equal ? "claim.spec_equal"
				  : "claim.spec_worse",
			  args);
	}
	claim_add(b, "claim.order",
		  (const struct say_arg[]){ say_class("class", class, in->arena),
					    say_put("specs", say_join(&line, "blank")),
					    say_count("n", n), say_end() });
	return true;
}

/* Reproduced when in every class that can be tested the specifications tell in the guide's order.
 */
static void check_order(const struct claim_input *in, const enum class_id *classes, size_t n,
			const struct str *guide, struct claim *c)
{
	struct say_list b = { .arena = in->arena };
	size_t tested = 0, alike = 0;

	for (size_t i = 0; i < n; i++) {
		bool same;
		if (!add_order(in, classes[i], guide, &b, &same))
			continue;
		tested++;
		alike += same;
	}
	c->computed_value = claim_pieces(&b);
	if (tested == 0)
		claim_settle(in, c, CLAIM_NOT_TESTABLE, "claim.need_pairs",
			     (const struct say_arg[]){ say_int("n", (int)PAIRS_MIN), say_end() });
	else
		claim_decide(in, c, alike == tested, "claim.order_holds",
			     (const struct say_arg[]){ say_count("alike", alike),
						       say_count("tested", tested), say_end() });
}

void claim_specs_cnn(const struct claim_input *in, struct claim *c)
{
	static const enum class_id classes[] = { CLASS_CNN, CLASS_TRANSFORMER };

	check_order(in, classes, LEN(classes), cnn_order, c);
}

void claim_specs_rnn(const struct claim_input *in, struct claim *c)
{
	static const enum class_id classes[] = { CLASS_RNN_WORD, CLASS_RNN_CHAR };

	check_order(in, classes, LEN(classes), rnn_order, c);
}

/* The leave-one-out error of linear scaling over all devices of a class; n 0 where it is not known.
 */
static struct backtest_error linear_error(const struct score_class *s)
{
	for (size_t i = 0; s && s->fit && i < SCALE_METHODS; i++) {
		const struct backtest *b = &s->fit->backtests[i];
		if (b->method && str_eq(b->method->name, STR("linear")))
			return b->cases[BACKTEST_ALL];
	}
	return (struct backtest_error){ 0, NAN, NAN };
}

/* Entries of a class by origin, and scaled ones that name no anchor. */
struct origins {
	size_t of[ORIGIN_EXCLUDED + 1], nameless;
};

static struct origins count_origins(const struct claim_input *in, enum class_id class)
{
	struct origins o = { 0 };

	for (size_t i = 0; i < in->x->scores.n; i++) {
		const struct score *s = &in->x->scores.v[i];
		if (s->class != class)
			continue;
		o.of[s->origin]++;
		o.nameless += s->origin == ORIGIN_SCALED && s->anchor.len == 0;
	}
	return o;
}

/* Linear scaling is good enough to stand for measurements when its median factor error is 1.15 at
 * most in every class of the guide where the back-test knows it; every scaled score must name where
 * it comes from. */
void claim_linear_scaling(const struct claim_input *in, struct claim *c)
{
	struct say_list b = { .arena = in->arena };
	size_t tested = 0, good = 0, nameless = 0;

	for (size_t i = 0; i < CLAIM_CLASSES; i++) {
		struct origins o = count_origins(in, claim_classes[i]);
		struct backtest_error e = linear_error(class_of(in, claim_classes[i]));
		nameless += o.nameless;
		if (e.n < BACKTEST_CASE_MIN)
			continue;
		tested++;
		good += e.median_factor <= 1.15;
		claim_add(&b, "claim.linear_off",
			  (const struct say_arg[]){ say_class("class", claim_classes[i], in->arena),
						    say_count("measured", o.of[ORIGIN_MEASURED]),
						    say_count("scaled", o.of[ORIGIN_SCALED]),
						    say_fixed("median", e.median_factor, 2),
						    say_fixed("ninth", e.p90_factor, 2),
						    say_count("n", e.n), say_end() });
	}
	c->computed_value = claim_pieces(&b);
	if (tested == 0)
		claim_settle(
		    in, c, CLAIM_NOT_TESTABLE, "claim.need_measured",
		    (const struct say_arg[]){ say_int("n", (int)BACKTEST_CASE_MIN), say_end() });
	else
		claim_decide(in, c, good == tested && nameless == 0,
			     nameless ? "claim.linear_nameless" : "claim.linear_named",
			     (const struct say_arg[]){ say_count("good", good),
						       say_count("tested", tested), say_end() });
}

static bool is_part(struct str workload)
{
	return str_find(workload, STR("-fwd"), 0) < workload.len
	       || str_find(workload, STR("-bwd"), 0) < workload.len;
}

/* Workloads of a class whose name holds `word`, all of them for an empty one; parts of a step are
 * none. */
static size_t count_workloads(const struct claim_input *in, enum class_id class, struct str word)
{
	const struct observations *o = &in->x->obs;
	struct map seen = { .arena = in->arena };

	for (size_t i = 0; i < o->n; i++) {
		const struct observation *x = &o->v[i];
		if (x->class == class && x->scores && x->device_count == 1 && !is_part(x->workload)
		    && (word.len == 0 || str_find(x->workload, word, 0) < x->workload.len))
			map_put(&seen, x->workload, 0, NULL);
	}
	return seen.n;
}

/* Reproduced when each class has rows of the benchmarks that the guide names; CNN: any. */
void claim_workloads(const struct claim_input *in, struct claim *c)
{
	static const struct {
		enum class_id class;
		struct str word;
		const char *title; /* the message of its name */
	} wanted[] = {
		{ CLASS_TRANSFORMER, STR_INIT("transformerxl"), "claim.transformerxl" },
		{ CLASS_TRANSFORMER, STR_INIT("bert"), "claim.bert" },
		{ CLASS_RNN_WORD, STR_INIT("bilstm"), "claim.bilstm" },
		{ CLASS_RNN_CHAR, STR_INIT("bilstm"), "claim.bilstm" },
		{ CLASS_CNN, STR_INIT(""), "claim.published" },
	};
	struct say_list b = { .arena = in->arena }, missing = { .arena = in->arena };

	for (size_t i = 0; i < LEN(wanted); i++) {
		size_t n = count_workloads(in, wanted[i].class, wanted[i].word);
		struct say title = say(in->arena, wanted[i].title, NULL);
		size_t all = count_workloads(in, wanted[i].class, STR(""));
		if (all)
			claim_add(&b, "claim.workloads",
				  (const struct say_arg[]){
				      say_class("class", wanted[i].class, in->arena),
				      say_count("n", n), say_count("all", all),
				      say_put("title", title), say_end() });
		if (n == 0)
			claim_add(&missing, "claim.title_class",
				  (const struct say_arg[]){
				      say_put("title", title),
				      say_class("class", wanted[i].class, in->arena), say_end() });
	}
	c->computed_value = claim_pieces(&b);
	if (missing.n)
		claim_settle(in, c, CLAIM_NOT_TESTABLE, "claim.need_workloads",
			     (const struct say_arg[]){ say_put("missing", claim_pieces(&missing)),
						       say_end() });
	else
		claim_decide(in, c, true, "claim.has_workloads", NULL);
}

/* "lstm-h1536-t50-b16-total" to 50: the number behind "-t"; NAN where the name has none. */
static double sequence_length(struct str workload)
{
	struct str rest = workload, piece;
	double v;

	while (str_cut(&rest, '-', &piece))
		if (piece.len > 1 && piece.p[0] == 't'
		    && num_parse(str_slice(piece, 1, piece.len), false, &v))
			return v;
	return NAN;
}

static void add_lengths(const struct claim_input *in, enum class_id class, struct say_list *b)
{
	const struct observations *o = &in->x->obs;
	double lowest = INFINITY, highest = -INFINITY;

	for (size_t i = 0; i < o->n; i++) {
		double t = o->v[i].class == class ? sequence_length(o->v[i].workload) : NAN;
		if (isnan(t))
			continue;
		lowest = fmin(lowest, t);
		highest = fmax(highest, t);
	}
	if (highest > lowest)
		claim_add(b, "claim.lengths",
			  (const struct say_arg[]){ say_class("class", class, in->arena),
						    say_fixed("low", lowest, 0),
						    say_fixed("high", highest, 0), say_end() });
	else if (highest > 0)
		claim_add(b, "claim.length",
			  (const struct say_arg[]){ say_class("class", class, in->arena),
						    say_fixed("high", highest, 0), say_end() });
}

/* Limits of the guide's own runs: no rows of them exist. Shown: the lengths here and the precisions
 * of RTX scores. */
void claim_rnn_limits(const struct claim_input *in, struct claim *c)
{
	struct say_list b = { .arena = in->arena };
	size_t measured = 0, wide = 0;

	add_lengths(in, CLASS_RNN_WORD, &b);
	add_lengths(in, CLASS_RNN_CHAR, &b);
	for (size_t i = 0; i < in->x->scores.n; i++) {
		const struct score *s = &in->x->scores.v[i];
		if (s->origin != ORIGIN_MEASURED
		    || !str_starts(claim_device(in, s->device)->name, STR("RTX")))
			continue;
		measured++;
		wide += str_find(s->precisions, STR("16"), 0) == s->precisions.len
			&& str_find(s->precisions, STR("amp"), 0) == s->precisions.len;
	}
	if (measured)
		claim_add(&b, "claim.rtx_16",
			  (const struct say_arg[]){ say_count("n", measured),
						    say_count("narrow", measured - wide),
						    say_end() });
	c->computed_value = claim_pieces(&b);
	claim_settle(in, c, CLAIM_NOT_TESTABLE, "claim.need_lengths", NULL);
}

/* Our own chart: that it can be drawn, in every class of the guide with the reference at 1 and
 * three devices or more, says nothing about the guide's. */
void claim_performance_chart(const struct claim_input *in, struct claim *c)
{
	struct say_list b = { .arena = in->arena };
	struct str reference = in->x->edition->reference;
	size_t classes = 0, good = 0;

	for (size_t i = 0; i < CLAIM_CLASSES; i++) {
		struct origins o = count_origins(in, claim_classes[i]);
		const struct score *r = claim_score(in, reference, claim_classes[i]);
		size_t scored =
		    o.of[ORIGIN_MEASURED] + o.of[ORIGIN_SCALED] + o.of[ORIGIN_ESTIMATED];
		if (scored + o.of[ORIGIN_EXCLUDED] == 0)
			continue;
		classes++;
		good += r && fabs(r->score - 1) < 1e-9 && scored >= 3;
		claim_add(&b, "claim.origins",
			  (const struct say_arg[]){ say_class("class", claim_classes[i], in->arena),
						    say_count("measured", o.of[ORIGIN_MEASURED]),
						    say_count("scaled", o.of[ORIGIN_SCALED]),
						    say_count("estimated", o.of[ORIGIN_ESTIMATED]),
						    say_count("excluded", o.of[ORIGIN_EXCLUDED]),
						    say_end() });
	}
	c->computed_value = claim_pieces(&b);
	if (classes == 0 || good < classes)
		claim_settle(in, c, CLAIM_NOT_TESTABLE, "claim.need_scores",
			     (const struct say_arg[]){ say_count("good", good),
						       say_count("classes", classes), say_end() });
	else
		claim_own_rule(
		    in, c, true, "claim.chart",
		    (const struct say_arg[]){ say_name("reference", reference), say_end() });
}
