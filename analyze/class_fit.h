/* One class from observations to measured scores: the fit, its back-test, and what is set aside for
 * a bad link. */
#ifndef ANALYZE_CLASS_FIT_H
#define ANALYZE_CLASS_FIT_H

#include "backtest.h"
#include "bootstrap.h"
#include "matrix.h"
#include "model.h"
#include "observation.h"
#include "scale.h"
#include "../base/arena.h"
#include "../catalogue/device.h"
#include "../catalogue/edition.h"

#include <stdbool.h>
#include <stddef.h>

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
	struct str *set_aside_why;
	/* Relative to the reference; NAN where not in the fit, or where the interval is not known. */
	double *score, *low, *high, *peer_low, *peer_high;
	/* Measured devices for scaling, scores relative to the reference. */
	struct scale_source *sources;
	size_t nsources;
	bool anchors_replaced; /* none of the edition's anchors is measured: any measured device
				  serves */
	const struct scale_method *method;
	struct backtest backtest;
	enum class_reference reference;
	struct scale_prediction reference_prediction; /* SCALED */
	double reference_factor; /* SCALED: its 90th percentile factor; else 1 */
	struct str why_none;
};

struct class_fit_input {
	const struct observations *obs;
	const struct devices *devices;
	const struct edition *edition;
	size_t reference;                     /* index into devices */
	const struct str_list *link_accepted; /* series whose links are taken as they are */
	const struct scale_method *method;
	double sigma_elsewhere; /* for a class without a cell of 2 machines; NAN: none known */
};

/* A factor error of a measured score above max(this, 2 x the 90th percentile of the others) is an
 * implausible link. */
#define IMPLAUSIBLE_FACTOR_MIN 3.0

void class_fit_run(const struct class_fit_input *in, const struct edition_class *class,
		   struct arena *a, struct class_fit *out);

/* Row of a device in the matrix, or matrix.ndevices. */
size_t class_fit_row(const struct class_fit *f, size_t device);
/* Whether the device has a measured score. */
bool class_fit_measured(const struct class_fit *f, size_t device);

/* The prediction of any device with the factor of its error, that of a scaled reference joined in.
 * own    out: the 90th percentile factor of the prediction alone
 * total  out: with the reference's
 * why    out where it returns false: specs missing, error not known, too uncertain (over the
 * edition's max_error) */
bool class_fit_scale(const struct class_fit *f, const struct class_fit_input *in, size_t device,
		     struct arena *a, struct scale_prediction *p, double *own, double *total,
		     struct str *why);

#endif
