/* How far a scaling method is off: every measured device of a class is predicted from the others,
 * and once more from those of other architectures only. A factor error is max(predicted / measured,
 * measured / predicted), at least 1. */
#ifndef ANALYZE_BACKTEST_H
#define ANALYZE_BACKTEST_H

#include "scale.h"
#include "../base/arena.h"
#include "../base/error.h"

#include <stdbool.h>
#include <stddef.h>

/* REPRESENTED and NOT_REPRESENTED part the predictions of ALL, which leave one device out.
 * ARCHITECTURE_OUT leaves out the device's whole architecture: what to expect of an architecture
 * that nobody measured, from many devices instead of the few that have no relative here. */
enum backtest_case {
	BACKTEST_REPRESENTED,
	BACKTEST_NOT_REPRESENTED,
	BACKTEST_ALL,
	BACKTEST_ARCHITECTURE_OUT,
	BACKTEST_CASES
};
/* "represented", "not-represented", "all", "architecture-left-out" */
struct str backtest_case_name(enum backtest_case c);

/* A case with fewer predictions than CASE_MIN borrows the error of ALL where that is larger: a few
 * predictions are no reason to trust the next one. NOT_REPRESENTED of fewer than ALL_MIN borrows that
 * of ARCHITECTURE_OUT instead, or of both where that too has fewer. ALL of fewer than ALL_MIN tells
 * nothing, nor does a NOT_REPRESENTED that nothing was ever predicted like: not known. */
enum { BACKTEST_CASE_MIN = 5, BACKTEST_ALL_MIN = 3 };

/* Methods whose 90th percentile is within this factor of the lowest are level. */
#define BACKTEST_LEVEL 1.05

struct backtest_error {
	size_t n;
	double median_factor, p90_factor; /* NAN when n is 0 */
};

struct backtest {
	const struct scale_method *method;
	size_t n; /* sources */
	/* By source: predicted without it, and without its architecture; NAN where it could not be. */
	double *factor, *factor_out;
	/* By source: predicted without it, in the unit of the sources. */
	struct scale_prediction *prediction;
	struct backtest_error cases[BACKTEST_CASES];
	/* 90th percentile of |log error| / log_sd over both kinds of prediction: what to multiply the
	 * method's own standard deviation by for 90 % to lie within. NAN: it states none. */
	double sd_scale;
};

void backtest_run(const struct scale_method *method, const struct scale_input *in, struct arena *a,
		  struct backtest *out);

/* The method in use for a case (REPRESENTED or NOT_REPRESENTED), an index into tests: the named
 * one, or for "best" and "" the last of those level with the lowest 90th percentile: of
 * REPRESENTED, with CASE_MIN as above; of ARCHITECTURE_OUT or NOT_REPRESENTED, whichever is larger
 * of those with ALL_MIN predictions (a single one decides nothing), else of ALL. A device that
 * another method predicts and this one can not counts as infinitely wrong. Too little predicted: the
 * first. The two cases may differ: what interpolates best among relatives need not be what carries
 * furthest.
 * Level, because a 90th percentile of some 25 cards rests on two or three of them: by the lowest
 * alone the method changed in 70 of 352 fits that each lacked one machine, by this rule in 5. The
 * last, because it is the one that knows most, and any fixed order is as stable.
 * tests     one a method, in the order of scale_methods
 * left_out  a source that has no say in the choice; tests->n: all have
 * Picking the lowest of a few flatters it, since its own error is then a minimum: backtest_nested
 * tells by how much. */
size_t backtest_choose(const struct backtest *tests, size_t n, struct str method,
		       enum backtest_case c, size_t left_out, struct arena *a);

/* The errors of choosing itself: every source of the case is predicted by the method that the
 * others choose. */
struct backtest_error backtest_nested(const struct backtest *tests, size_t n, enum backtest_case c,
				      struct arena *a);

/* The factor within which 90 % of predictions like this one lie: the 90th percentile of its case,
 * or the method's own standard deviation times sd_scale where that says more (a card far from all
 * that was measured); false when too few are known. */
bool backtest_p90(const struct backtest *b, const struct scale_prediction *p, double *factor);

/* The 90th percentile that fits the case of source `left_out`, told by the others alone. */
bool backtest_p90_without(const struct backtest *b, size_t left_out, struct arena *a,
			  double *factor);

/* Whether a method's name is known, or "best".
 * Errors: ERR_UNKNOWN naming the key `method.CLASS` and the known names. */
bool backtest_check_method(const struct edition_class *class, struct arena *a, struct error *err);

#endif
