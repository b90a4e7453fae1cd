/* How far a scaling method is off: every measured device of a class is predicted from the others.
 * A factor error is max(predicted / measured, measured / predicted), at least 1. */
#ifndef ANALYZE_BACKTEST_H
#define ANALYZE_BACKTEST_H

#include "scale.h"
#include "../base/arena.h"

#include <stdbool.h>
#include <stddef.h>

enum backtest_case { BACKTEST_REPRESENTED, BACKTEST_NOT_REPRESENTED, BACKTEST_ALL, BACKTEST_CASES };
struct str backtest_case_name(enum backtest_case c); /* "represented", "not-represented", "all" */

/* A case with fewer predictions than CASE_MIN borrows the error of all where that is larger: a few
 * bad predictions of strange architectures are no reason to trust the next one. All of fewer than
 * ALL_MIN tell nothing. */
enum { BACKTEST_CASE_MIN = 5, BACKTEST_ALL_MIN = 3 };

struct backtest_error {
	size_t n;
	double median_factor, p90_factor; /* NAN when n is 0 */
};

struct backtest {
	size_t n;                            /* sources */
	double *factor;                      /* by source; NAN where it could not be predicted */
	struct scale_prediction *prediction; /* by source */
	struct backtest_error cases[BACKTEST_CASES];
};

void backtest_run(const struct scale_method *method, const struct scale_input *in, struct arena *a,
		  struct backtest *out);

/* The 90th percentile factor that fits the case of a prediction; false when too few are known. */
bool backtest_p90(const struct backtest *b, bool represented, double *factor);

/* The same without source `left_out`: what the others say of how far it may be off. */
bool backtest_p90_without(const struct backtest *b, size_t left_out, struct arena *a,
			  double *factor);

#endif
