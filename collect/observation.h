/* Accepted rows to cells: one value for each device, workload, metric, precision, device count
 * and series. A machine's repeats give their median, the machines' medians the median of the
 * cell. */
#ifndef COLLECT_OBSERVATION_H
#define COLLECT_OBSERVATION_H

#include "group.h"
#include "row.h"
#include "../base/arena.h"
#include "../base/error.h"

#include <stdbool.h>
#include <stddef.h>

struct machine_median {
	size_t machine;
	double value;
};

struct observation {
	const struct row *key;   /* a row of the cell: device, workload, precision, device_count */
	size_t series;
	size_t first, ngroups;   /* groups of accepted rows: groups[first ..] */
	size_t nrows;            /* accepted rows */
	size_t machine0, machines; /* machine medians */
	double value;            /* median of the machine medians, in the workload's unit */
	double spread_pct;       /* 100 (p90 - p10) / median of them; NAN with one machine */
};

/* Cells by series, device, workload (name and metric), precision and device count, in byte order
 * of the names: a one-device cell comes before the cells of more of the same device. */
struct observations {
	struct group **groups; /* by cell, then by machine, then as they were read */
	struct observation *v;
	size_t n, cap;
	struct machine_median *medians; /* of each cell by machine in the order of machines.csv */
	size_t nmedians;
};

/* Ranks in byte order of everything a row names: rows then sort by whole numbers. */
struct ranks {
	size_t *series, *machine, *device, *workload, *precision;
};

void observation_ranks(const struct collection *c, struct arena *a, struct ranks *out);
/* All groups in the order of the cells; those that have no row left are passed over later. */
struct group **observation_order(const struct collection *c, const struct ranks *ranks,
                                 struct arena *a);
/* Computes the medians of those groups of the file that was read last whose rows are few and still
 * in memory: they need not be read back for it. Where a machine has but one group in a cell, as is
 * usual, that is its median there. */
void observation_end_file(struct collection *c);
/* The cells of the rows that are accepted now. Medians are computed by c->threads threads, and kept
 * with the groups until one of their rows is set aside.
 * Errors: ERR_ENVIRONMENT as group_next(). */
bool observation_build(struct collection *c, struct group *const *order, struct arena *a,
                       struct observations *out, struct error *err);

#endif
