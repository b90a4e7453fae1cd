/* What was measured on CPUs, and how much faster a card did the same work in the same series: for a reader who asks
 * whether a card is needed at all. No score and no price comes from it. */
#ifndef ANALYZE_PROCESSOR_H
#define ANALYZE_PROCESSOR_H

#include "observation.h"

/* The work that may score (observations.csv, use) of one processor, in one class, precision and series. */
struct processor_group {
	const struct observation *first; /* the work that most cards did too, then the first by name */
	int workloads, cards;            /* cards: how many devices, one of each, did any of it */
	/* Of a card over the processors, over all pairs of work and card; NAN without a card. */
	double low, median, high;        /* 10 %, 50 %, 90 % */
};

struct processor_groups {
	struct processor_group *v; /* by device as in devices.csv, its count, series, class, precision */
	size_t n;
};

void processors_compute(const struct observations *obs, const struct devices *devices, struct arena *a,
			struct processor_groups *out);

/* Writes processors.csv: device,device_count,class,precision,series,workloads,workload,metric,value,unit,better,
 * cards,card_over_low,card_over_median,card_over_high; workload to better are those of `first`.
 * Errors: ERR_ENVIRONMENT. */
bool processors_write(const struct processor_groups *p, const struct devices *devices, const char *path, struct arena *a,
		      struct error *err);

#endif
