/* Scores of devices by class (method: METHOD.md, sections "Scores" and "Scaling"). */
#ifndef ANALYZE_SCORE_H
#define ANALYZE_SCORE_H

#include "../base/arena.h"
#include "../base/error.h"
#include "../catalogue/class.h"
#include "../catalogue/device.h"
#include "../catalogue/edition.h"

#include <stdbool.h>
#include <stddef.h>

/* One device in one class. score is 1.0 for the reference device; low and high are a 95 % interval.
 * ORIGIN_EXCLUDED has no score: reason says why. */
struct score {
	size_t device;            /* index into devices */
	enum class_id class;
	enum origin origin;
	double score, low, high;
	struct str anchor;        /* scaled: the measured device it comes from; estimated: its base */
	struct str predictor;     /* scaled: "linear bandwidth_gbs"; estimated: source and date */
	double error_pct;         /* scaled: 90th percentile factor less 1, in percent; else NAN */
	int machines, runs, workloads;
	struct str series;        /* blank-separated series behind a measured score */
	struct str precisions;    /* blank-separated precisions used */
	struct str reason;
};

/* By class in the edition's order, then by device in the order of `devices`; one entry for every
 * device of the edition and every class of it. */
struct scores {
	struct score *v;
	size_t n;
};

#endif
