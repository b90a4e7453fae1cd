/* Intervals of measured scores (method: METHOD.md, "Scores").
 * Two or more machines: cluster bootstrap over the machines of the class, a machine with all its
 * rows together, percentiles 2.5 and 97.5. One machine: score x/: exp(1.96 sigma), sigma the spread
 * between machines of one card elsewhere (matrix_within). Source  Efron & Tibshirani, An
 * Introduction to the Bootstrap, 1993, ch. 8 and 13 */
#ifndef ANALYZE_BOOTSTRAP_H
#define ANALYZE_BOOTSTRAP_H

#include "matrix.h"
#include "model.h"
#include "../base/arena.h"

#include <stddef.h>

enum { BOOTSTRAP_RESAMPLES = 1000, BOOTSTRAP_USABLE_MIN = 100 };

/* Both factors around exp(theta): low <= 1 <= high; NAN when not known. */
struct bootstrap_interval {
	double low, high;
};

/* m        the class; cell_of[i] is the matrix cell behind model->cells[i]
 * model    what was fitted, `fit` its result, `robust` how
 * sigma    pooled standard deviation of log v; NAN: devices of one machine get no interval
 * out      by device: 1 and 1 for the reference, NAN for what is not in the fit. A device whose
 * machines leave fewer than BOOTSTRAP_USABLE_MIN resamples connected with the reference counts as
 * one machine. */
void bootstrap_run(const struct matrix *m, const struct model *model, const size_t *cell_of,
		   const struct model_fit *fit, bool robust, double sigma, struct arena *a,
		   struct bootstrap_interval *out);

#endif
