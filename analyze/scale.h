/* Scores of devices that nobody measured, predicted from measured ones by specifications (method:
 * METHOD.md, "Scaling"). A method is a name and a function in a table. */
#ifndef ANALYZE_SCALE_H
#define ANALYZE_SCALE_H

#include "../base/arena.h"
#include "../base/str.h"
#include "../catalogue/device.h"
#include "../catalogue/edition.h"

#include <stdbool.h>
#include <stddef.h>

/* A measured device of the class. */
struct scale_source {
	size_t device; /* index into devices */
	double score;  /* > 0, in any common unit */
	bool anchor;   /* may serve as an anchor */
};

struct scale_input {
	const struct devices *devices;
	const struct edition_class *class; /* its list of specs */
	const struct scale_source *sources;
	size_t nsources;
};

struct scale_prediction {
	double score;
	size_t anchor;    /* index into devices */
	struct str spec;  /* the column that carried it */
	bool represented; /* an anchor with a spec in common shares the architecture */
};

struct scale_method {
	struct str name;
	/* Predicts `device` from the sources other than itself.
	 * why  out where it returns false: what was missing */
	bool (*predict)(const struct scale_input *in, size_t device, struct arena *a,
			struct scale_prediction *out, struct str *why);
};

/* "linear": the anchor is, of the sources of its vendor, the one of the same architecture before others, then the one with
 * which the earliest spec of the class's list is shared, then the one nearest in it (smallest
 * absolute log ratio), then the first in devices.csv. The score is the anchor's times the ratio of
 * that spec. NULL for an unknown name. */
const struct scale_method *scale_method_find(struct str name);

#endif
