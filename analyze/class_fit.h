/* One class from observations to measured scores: the fit, its back-test by every scaling method,
 * what is set aside for a bad link, and the intervals. Two steps, because the intervals of a class
 * borrow from the others what it can not tell itself:
 *
 *     class_fit_run on every class, class_fit_pool over them, class_fit_intervals on every class. */
#ifndef ANALYZE_CLASS_FIT_H
#define ANALYZE_CLASS_FIT_H

#include "backtest.h"
#include "bootstrap.h"
#include "matrix.h"
#include "model.h"
#include "observation.h"
#include "scale.h"
#include "spread.h"
#include "../base/arena.h"
#include "../catalogue/device.h"
#include "../catalogue/edition.h"

#include <stdbool.h>
#include <stddef.h>

/* The model that was fitted, for whoever fits it again. */
struct class_model {
	struct model model; /* of the cells that are not set aside */
	size_t *cell_of;    /* by model cell: the matrix cell behind it */
	bool robust;        /* how it was fitted: class_fit_options */
};

/* How the reference came to its 1.0 in a class. */
enum class_reference {
	REFERENCE_MEASURED,
	REFERENCE_SCALED, /* not measured: predicted, and every score divided by the prediction */
	REFERENCE_NONE,   /* neither: no device has a score; why_none says more */
};

struct class_fit {
	const struct edition_class *class;
	struct matrix matrix;
	/* By device of the matrix. */
	struct model_fit fit;
	bool *set_aside;
	struct say *set_aside_why;
	/* Relative to the reference; NAN where not in the fit, or the interval is not known. */
	double *score, *low, *high, *peer_low, *peer_high;
	/* Measured devices for scaling, scores relative to the reference. */
	struct scale_source *sources;
	size_t nsources;
	bool anchors_replaced; /* none of the edition's anchors is measured: any measured device
				  serves */
	struct backtest backtests[SCALE_METHODS]; /* in the order of scale_methods */
	/* The methods in use: for devices whose architecture is represented, and for the others. */
	size_t chosen[2]; /* by BACKTEST_REPRESENTED, BACKTEST_NOT_REPRESENTED */
	struct class_model model;
	struct spread spread; /* of the class alone, before it is shrunk */
	enum class_reference reference;
	struct scale_prediction reference_prediction; /* SCALED */
	const struct scale_method *reference_method;
	double reference_factor; /* SCALED: its 90th percentile factor; else 1 */
	double unit;             /* score = unit exp(theta) */
	struct say why_none;
};

struct class_fit_input {
	const struct observations *obs;
	const struct devices *devices;
	const struct edition *edition;
	size_t reference;                     /* index into devices */
	const struct str_list *link_accepted; /* series whose links are taken as they are */
};

/* What all classes tell together. */
struct class_pool {
	double machine_squares; /* of matrix_within */
	size_t machine_freedom;
	struct spread_pool spread;
};

/* A factor error of a measured score above max(this, 2 x the 90th percentile of the others) is an
 * implausible link. */
#define IMPLAUSIBLE_FACTOR_MIN 3.0

/* The class's scaling method (backtest_check_method has passed it) is `method` of the edition; the
 * intervals stay NAN. */
void class_fit_run(const struct class_fit_input *in, const struct edition_class *class,
		   struct arena *a, struct class_fit *out);
/* Adds a class to the pool, which began as all zero. */
void class_fit_pool(const struct class_fit *f, struct class_pool *pool);
/* low, high, peer_low, peer_high: as the root of the sum of squared logs the machines' spread
 * (bootstrap.h; sigma of the class, where it has none of the pool), that between series and
 * workloads (spread.h), and but for the peers' the error of a scaled reference. */
void class_fit_intervals(struct class_fit *f, const struct class_pool *pool, struct arena *a);
/* Options of the fit of a class. */
struct model_options class_fit_options(bool robust);
/* The back-test, and with it the method, of a case. */
const struct backtest *class_fit_backtest(const struct class_fit *f, enum backtest_case c);
/* That of a source: of its case where the method for represented devices predicts it as such. */
const struct backtest *class_fit_backtest_of(const struct class_fit *f, size_t source);

/* Row of a device in the matrix, or matrix.ndevices. */
size_t class_fit_row(const struct class_fit *f, size_t device);
/* Whether the device has a measured score. */
bool class_fit_measured(const struct class_fit *f, size_t device);
/* What the device's 32-bit rows that do not count (matrix.wide) say of its score, the other devices
 * as they are: exp of the weighted mean of y - beta, beta of a column being the median of y - theta
 * over its cells. A lower bound, since 16 bit would be no slower. NAN: there are none. */
double class_fit_wide_score(const struct class_fit *f, size_t device, struct arena *a);

/* The prediction of any device with the factor of its error, that of a scaled reference joined in.
 * method out: which predicted it
 * own    out: the 90th percentile factor of the prediction alone
 * total  out: with the reference's
 * why    out where it returns false: specs missing, error not known, too uncertain (over the
 * edition's max_error) */
bool class_fit_scale(const struct class_fit *f, const struct class_fit_input *in, size_t device,
		     struct arena *a, const struct scale_method **method,
		     struct scale_prediction *p, double *own, double *total, struct say *why);

#endif
