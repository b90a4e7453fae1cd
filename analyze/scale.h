/* Scores of devices that nobody measured, predicted from measured ones by specifications (method:
 * METHOD.md, "Scaling"). A method is a name and a function in a table; each has a file of its own.
 *
 *   linear      the guide's rule: one anchor times the ratio of one specification (scale_linear.c)
 *   roofline    time = a / rate + b / bandwidth, fitted to the measured devices (scale_roofline.c)
 *   regression  ridge regression of log score on log specifications with an effect of each
 *               architecture (scale_kriging.c)
 *   kriging     the same and a smooth rest: a Gaussian process (scale_kriging.c)
 *
 * Every method predicts a device from sources of its own vendor only: the back-test never tries
 * another vendor's, so the error of doing so is not known; software differs as much as hardware.
 * An edition's anchors limit the sources of every method. */
#ifndef ANALYZE_SCALE_H
#define ANALYZE_SCALE_H

#include "../base/arena.h"
#include "../base/str.h"
#include "../catalogue/device.h"
#include "../catalogue/edition.h"
#include "../catalogue/say.h"

#include <stdbool.h>
#include <stddef.h>

/* A measured device of the class. */
struct scale_source {
	size_t device; /* index into devices */
	double score;  /* > 0, in any common unit */
	bool anchor;   /* may serve as a source of a prediction */
};

struct scale_input {
	const struct devices *devices;
	const struct edition_class *class; /* its list of specs: linear */
	const struct scale_source *sources;
	size_t nsources;
};

struct scale_prediction {
	double score;
	size_t anchor;    /* index into devices: the source it comes from; the nearest of all */
	bool all;         /* every source of the vendor takes part */
	struct str spec;  /* the specifications that carried it, blank-separated */
	bool represented; /* a source with these specifications shares the architecture */
	double log_sd;    /* the method's own standard deviation of log score; NAN: it gives none */
};

struct scale_method {
	struct str name;
	/* Predicts `device` from the sources other than itself.
	 * why  out where it returns false: what was missing */
	bool (*predict)(const struct scale_input *in, size_t device, struct arena *a,
			struct scale_prediction *out, struct say *why);
};

/* The table, simplest first: of methods that are level the last is taken. */
extern const struct scale_method scale_methods[];
enum { SCALE_METHODS = 4 };

/* NULL for an unknown name. */
const struct scale_method *scale_method_find(struct str name);
/* "linear, roofline, …" for a message. */
struct str scale_method_names(struct arena *a);
/* Where a prediction comes from, in words: a device's name or "all measured cards". */
struct str scale_anchor_text(const struct scale_prediction *p, const struct devices *devices);
/* The same as a message. */
struct say scale_anchor_said(const struct scale_prediction *p, const struct devices *devices,
			     struct arena *a);

bool scale_predict_linear(const struct scale_input *in, size_t device, struct arena *a,
			  struct scale_prediction *out, struct say *why);
bool scale_predict_roofline(const struct scale_input *in, size_t device, struct arena *a,
			    struct scale_prediction *out, struct say *why);
bool scale_predict_regression(const struct scale_input *in, size_t device, struct arena *a,
			      struct scale_prediction *out, struct say *why);
bool scale_predict_kriging(const struct scale_input *in, size_t device, struct arena *a,
			   struct scale_prediction *out, struct say *why);

/* ---- what the methods share ---- */

/* An unknown vendor is one of its own; an unknown architecture is nobody's. */
bool scale_same_vendor(const struct devices *devices, size_t a, size_t b);
bool scale_same_architecture(const struct devices *devices, size_t a, size_t b);

/* A specification > 0, or NAN. */
double scale_known(double spec);
/* The rate in TFLOP/s at which a device trains in 16 bit: of the tensor units with accumulation in
 * 32 bit (GeForce cards from Turing to Ada run that at half the rate of 16-bit accumulation), else
 * of the tensor units, else fp32: training sums in 32 bit, and vectors that compute fp16 at twice
 * the rate gain little by it (shipped rows: Tesla P100 0.84 to 1.03 of its fp32, Radeon Pro VII
 * 1.27); fp16, then bf16, where nothing else is stated. NAN: not known. */
double scale_rate_16bit(const struct device *d);

/* The sources that may predict `device`: anchors of its vendor other than itself, in their order.
 * missing  the specifications without which the device cannot be predicted; empty: it has them
 * kept     room for in->nsources indices into in->sources
 * why      out where 0 is returned: nobody else is measured, specs are missing, or no other of the
 *          vendor is measured */
size_t scale_candidates(const struct scale_input *in, size_t device, struct str missing,
			struct arena *a, size_t *kept, struct say *why);

#endif
