/* The two-way model of one class: y(d,w) = theta(d) + beta(w) + e, y a natural logarithm.
 * Fit by iteratively re-weighted least squares with Huber's weights on top of the cells' own. Plain
 * least squares of equal weights on a table without gaps gives exp(theta) as exactly the geometric
 * mean of ratios. Source  Huber & Ronchetti, Robust Statistics, 2nd ed. 2009, ch. 7; geometric
 * means of ratios: Fleming & Wallace, CACM 29(3), 1986 */
#ifndef ANALYZE_MODEL_H
#define ANALYZE_MODEL_H

#include "../base/arena.h"

#include <stdbool.h>
#include <stddef.h>

struct model_cell {
	size_t device, column;
	double y;
	double weight; /* > 0, before Huber's */
};

/* Work space for fits of up to so many devices, columns and cells; made once, used for many. */
struct model_work;

struct model {
	const struct model_cell *cells; /* at most one a device and column */
	size_t ndevices, ncolumns, ncells;
	size_t reference; /* device whose theta is 0 */
};

struct model_options {
	bool robust; /* false: least squares with the cells' own weights */
	int max_rounds;
	double tolerance; /* ends when no theta moves by more */
};

struct model_fit {
	bool *in;      /* out, by device: connected with the reference through shared columns */
	double *theta; /* out, by device; NAN where not in; 0 for the reference */
	int rounds;    /* out: solutions computed */
};

struct model_work *model_work_new(size_t ndevices, size_t ncolumns, size_t ncells, struct arena *a);
/* Arrays of a fit. */
struct model_fit model_fit_new(size_t ndevices, struct arena *a);

/* The device with the most links: the sum over its columns of the other devices there; the first of
 * equals. */
size_t model_best_connected(const struct model *m, struct model_work *work);

/* Marks what is connected with the reference in fit->in. Returns how many devices that is, the
 * reference too. */
size_t model_connect(const struct model *m, struct model_work *work, struct model_fit *fit);

/* Whether every device of the reference's component has a cell in every column of it that compares
 * anything (columns of one device only say nothing and do not count). Call after model_connect. */
bool model_complete(const struct model *m, struct model_work *work, const struct model_fit *fit);

/* Connects and fits. Huber's k is 1.345 and the scale 1.4826 MAD of the residuals, without those
 * that are zero by construction (a device with one cell only). The weighted normal equations are
 * solved exactly: column effects eliminated, then Cholesky on the devices. */
void model_fit(const struct model *m, const struct model_options *opt, struct model_work *work,
	       struct model_fit *fit);

#endif
