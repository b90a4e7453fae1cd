/* Measures one workload in one precision on one device: verification first, then times, then the
 * question whether they can be true. Nothing above 105 % of the roofline comes out of here. */
#ifndef BENCH_MEASURE_H
#define BENCH_MEASURE_H

#include "backend.h"
#include "steady.h"
#include "verify.h"
#include "workload.h"

/* The device under test and what it has been seen to do. */
struct bench {
	const struct backend *backend;
	struct device *device;
	struct device_info info;
	struct workload_list workloads;
	struct steady_rules rules;
	bool quick, verify_only;
	/* The best products and memory operations of this run, FLOP/s and bytes/s; NAN: none
	 * yet. */
	double peak[PRECISIONS], bandwidth;
	double host_bytes; /* memory that verification may take; NAN: what the machine has free */
};

enum measure_status {
	MEASURE_DONE,
	MEASURE_VERIFIED,    /* verify_only */
	MEASURE_DID_NOT_FIT,
	MEASURE_UNSUPPORTED, /* the backend has no such operation */
	MEASURE_UNVERIFIED,  /* the host has no room for the reference's values: not run, and no fact about the device */
	MEASURE_WRONG,       /* results differ from the reference */
	MEASURE_REFUSED,     /* faster than the device can be */
	MEASURE_FAILED,
	MEASURE_LOST,        /* as failed, and the device must not be used again */
};
struct str measure_status_name(enum measure_status s); /* "done", "did-not-fit" … */

struct measurement {
	enum measure_status status;
	char message[400];          /* why; "" when done */
	struct cost cost;           /* of a step */
	double bytes_needed;        /* memory of all tensors */
	long batch_size, samples, verified_batch;
	struct verify_result verify;
	bool has_graph;
	struct steady plain, graph; /* graph: the step captured once and replayed */
	bool has_sustained;
	struct steady sustained;    /* the faster way again, after 60 s of it: a warm device */
	double rate;                /* of the faster of both, in the workload's unit */
	double bound_s, share;      /* least time of a step by the peaks; share = bound / median */
	double peak, bandwidth;     /* that these come from */
	char detail[160];           /* how the first operation is done, by the backend */
};

/* The times that a full measurement takes; choose.c may shorten them, and such rows are marked as
 * quick ones are. */
struct bench bench_make(const struct backend *b, struct device *d, const struct device_info *info,
			bool quick, struct arena *a);
/* batch 0: the rule's. Results live in `a`. */
struct measurement measure_workload(struct bench *b, const struct workload *w, enum precision p,
				    long batch, struct arena *a);
/* The largest batch, twice the rule's and on by doubling, whose tensors fit into 90 % of the
 * device's memory; 0 where twice does not, or the memory is not known. What a backend needs beside
 * them may still be too much. */
long measure_largest_batch(const struct bench *b, const struct workload *w, enum precision p);
/* Limit of a rate: 1.05 of the better of what was seen and what the device is said to do. */
double measure_peak(const struct bench *b, enum precision p);
double measure_bandwidth(const struct bench *b);

#endif
