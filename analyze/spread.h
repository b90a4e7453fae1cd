/* How far a card's score would be elsewhere: the spread that more machines of the same kind do not
 * tell. The residual of the two-way model in series s and workload w of it is
 *
 *     e(d,w) = between(d,s) + within(d,w),
 *
 * because a series' networks ran on the same few hosts with the same software and err together.
 * Both variances are estimated from the residuals of the fit, by their median absolute deviation,
 * as the fit itself is one that few wild cells do not move, and drawn towards what the other
 * classes tell. A score that rests on n_s workloads in each of its series s, which weigh q_s in it,
 * then has, beside the machines' spread, the variance
 *
 *     sum over s of q_s^2 (between + within / n_s).
 *
 * Source  variance components: Searle, Casella & McCulloch, Variance Components, 1992, ch. 5; the
 * scale of residuals: Huber & Ronchetti, Robust Statistics, 2nd ed. 2009, ch. 5 */
#ifndef ANALYZE_SPREAD_H
#define ANALYZE_SPREAD_H

#include "matrix.h"
#include "model.h"
#include "../base/arena.h"

#include <stddef.h>

/* Variances of log v with the degrees of freedom they were estimated from. */
struct spread {
	double between, within; /* >= 0; NAN when freedom is 0 */
	double between_freedom, within_freedom;
};

/* Degrees of freedom that the pooled variances count for in spread_shrink. */
#define SPREAD_PRIOR_FREEDOM 4.0

/* From the residuals of a fit of the model, whose cells stand by device. */
struct spread spread_measure(const struct matrix *m, const struct model *model,
			     const struct model_fit *fit, struct arena *a);

/* Sums over classes; begins as all zero. */
struct spread_pool {
	double between_sum, within_sum, between_freedom, within_freedom;
};
void spread_add(struct spread_pool *pool, const struct spread *s);

/* A class's variances as the mean of its own and the pooled ones, weighted with its own freedom and
 * SPREAD_PRIOR_FREEDOM. A component that no class can tell is 0. */
struct spread spread_shrink(const struct spread *own, const struct spread_pool *pool);

/* By device of the matrix: the variance of log score above; 0 for one that is not in the fit. */
void spread_variance(const struct matrix *m, const struct model *model, const struct model_fit *fit,
		     const struct spread *s, struct arena *a, double *out);

/* By device of the matrix: the standard deviation of its residuals; NAN for fewer than two cells. */
void spread_residuals(const struct matrix *m, const struct model *model,
		      const struct model_fit *fit, struct arena *a, double *out);

#endif
