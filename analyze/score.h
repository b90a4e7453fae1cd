/* Scores of devices by class (method: METHOD.md, sections "Scores" and "Scaling"). */
#ifndef ANALYZE_SCORE_H
#define ANALYZE_SCORE_H

#include "class_fit.h"
#include "estimate.h"
#include "observation.h"
#include "../base/arena.h"
#include "../base/error.h"
#include "../catalogue/class.h"
#include "../catalogue/device.h"
#include "../catalogue/edition.h"
#include "../catalogue/text.h"

#include <stdbool.h>
#include <stddef.h>

/* One device in one class. score is 1.0 for the reference device; low and high are a 95 % interval.
 * ORIGIN_EXCLUDED has no score: reason says why. */
struct score {
	size_t device; /* index into devices */
	enum class_id class;
	enum origin origin;
	double score, low, high; /* NAN for what is not known; low and high of an estimate are */
	double peer_low, peer_high; /* the same without the error of a scaled reference: all scores of the class
	                             * share that, so it does not count when they are compared */
	struct str anchor;    /* scaled: the measured device it comes from, or "all"; estimated: its base */
	struct str predictor; /* scaled: "linear bandwidth_gbs"; estimated: source and date */
	double error_pct;     /* scaled: 90th percentile factor less 1, in percent; else NAN */
	int machines, runs, workloads; /* measured; else 0 */
	struct str series;             /* blank-separated series behind a measured score */
	struct str
	    precisions;    /* blank-separated precisions used; "unstated" for rows that name none */
	struct str trust;  /* measured: the best tier of its cells (catalogue/trust.h), so that "anonymous" is what
	                    * nothing better supports; empty: the rows do not tell */
	struct say reason; /* why excluded; beside a scaled score why its own rows do not count */
};

/* By class in the edition's order, then by device in the order of `devices`; one entry for every
 * device of the edition and every class of it. */
struct scores {
	struct score *v;
	size_t n;
};

/* What must be said of one class beside its scores. */
struct score_class {
	enum class_id class;
	struct str method; /* of scaling, in use: "kriging", or "kriging; roofline where nobody measured the architecture" */
	const struct class_fit *fit; /* and with it the back-tests of every method */
	size_t measured, workloads; /* devices (of the edition or not) and columns in the fit */
	struct str_list series;     /* in byte order: those in the fit */
	struct str_list anchors; /* behind the scaled scores listed, in the order of devices.csv */
	bool from_all;           /* some listed scaled score comes from all measured cards of its vendor */
	struct str reference;    /* "measured", "scaled" or "none" */
	struct say_notes notes;   /* sentences */
	struct say_notes alarms;  /* the last of the notes: those that a person should look into */
};

struct score_input {
	const struct observations *obs;
	const struct devices *devices;
	const struct edition *edition; /* date resolved; its reference is in the catalogue */
	const size_t *indices;         /* the edition's devices, in the order of devices.csv */
	size_t nindices;
	const struct estimates *estimates;
	struct str_list link_accepted; /* series whose links are never called implausible */
};

/* classes  out: edition->nclasses of them, in the edition's order
 * Errors   ERR_UNKNOWN a scaling method that is not known */
bool score_compute(const struct score_input *in, struct arena *a, struct scores *out,
		   struct score_class **classes, struct error *err);

/* 12 significant digits: the last ones of exp() and log() differ between mathematical libraries, and
 * the files are compared byte by byte. */
double score_rounded(double v);
/* A factor error in percent, so rounded that a factor of 1 gives 0 whatever its last digits. */
double score_error_pct(double factor);

/* Write scores.csv, backtest.csv and predictions.csv: columns in analyze/analyze.h. backtest.csv has
 * every method and case, predictions.csv every measured device predicted from the others, in the
 * order of devices.csv; `english` has the words of scores.csv. Errors: as text_say; ERR_ENVIRONMENT. */
bool score_write(const struct scores *scores, const struct devices *devices,
		 const struct text_catalogue *english, const char *path, struct arena *a,
		 struct error *err);
bool score_write_backtest(const struct score_class *classes, size_t n, const char *path,
			  struct arena *a, struct error *err);
bool score_write_predictions(const struct score_class *classes, size_t n, const struct devices *devices,
			     const char *path, struct arena *a, struct error *err);

#endif
