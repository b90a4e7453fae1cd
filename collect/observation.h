/* Accepted rows to cells: one value for each device, workload, metric, precision, device count
 * and series. A machine's repeats give their median, the machines' medians the median of the
 * cell. */
#ifndef COLLECT_OBSERVATION_H
#define COLLECT_OBSERVATION_H

#include "row.h"
#include "../base/arena.h"

#include <stddef.h>

struct machine_median {
	size_t machine;
	double value;
};

struct observation {
	const struct row *key;   /* a row of the cell: device, workload, precision, device_count */
	size_t series;
	size_t first, nrows;     /* accepted rows: order[first ..] */
	size_t machine0, machines; /* machine medians */
	double value;            /* median of the machine medians, in the workload's unit */
	double spread_pct;       /* 100 (p90 - p10) / median of them; NAN with one machine */
};

/* Cells by series, device, workload (name and metric), precision and device count, in byte order
 * of the names: a one-device cell comes before the cells of more of the same device. */
struct observations {
	const size_t *order;     /* indices of rows, sorted as the cells, then by machine and value */
	struct observation *v;
	size_t n, cap;
	struct machine_median *medians; /* of each cell by machine in the order of machines.csv */
	size_t nmedians, medians_cap;
};

/* Ranks in byte order of everything a row names: rows then sort by whole numbers. */
struct ranks {
	size_t *series, *machine, *device, *workload, *precision;
};

void observation_ranks(const struct collection *c, struct arena *a, struct ranks *out);
/* All rows in the order of the cells; rows that are out are passed over later. */
size_t *observation_order(const struct collection *c, const struct ranks *ranks, struct arena *a);
/* The cells of the rows that are accepted now. */
void observation_build(const struct collection *c, const size_t *order, struct arena *a,
                       struct observations *out);

#endif
