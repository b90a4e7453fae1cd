/* Reads back what collect wrote: DIR/data/observations.csv, one row a cell (columns:
 * collect/collect.h). */
#ifndef ANALYZE_OBSERVATION_H
#define ANALYZE_OBSERVATION_H

#include "../base/arena.h"
#include "../base/error.h"
#include "../base/str.h"
#include "../catalogue/class.h"
#include "../catalogue/device.h"
#include "../catalogue/trust.h"

#include <stdbool.h>
#include <stddef.h>

/* The median of one machine, in the unit of its row. */
struct machine_value {
	struct str machine; /* ID as in machines.csv */
	double value;       /* > 0 */
};

struct observation {
	size_t device; /* index into devices */
	enum class_id class;
	struct str workload, metric, precision, series,
	    unit; /* metric and precision may be empty */
	enum precision_kind kind;
	int device_count;
	double value; /* > 0, in `unit`: the median over machines */
	bool lower_is_better;
	int machines, runs;
	enum trust trust;             /* TRUST_COUNT: the column is absent */
	bool scores;                  /* use is "score"; also where the column is absent */
	struct machine_value *values; /* by machine; one nameless entry where the file names none */
	size_t nvalues;
	struct pos pos;
};

struct observations {
	struct observation
	    *v; /* by device, class, workload, metric, precision, device_count, series */
	size_t n;
};

/* path    observations.csv; metric, use, machine_values and trust may be absent
 * Errors  ERR_ENVIRONMENT, ERR_SYNTAX as csv_read_records; ERR_UNKNOWN a device, class or precision
 * that the catalogue lacks, a word in better, use or trust that is none of theirs; ERR_RANGE a value not >
 * 0; ERR_SYNTAX a machine value that is not ID=number; ERR_DATA a cell listed twice. Each with
 * file, line and column. */
bool observations_read(const char *path, const struct devices *devices, struct arena *a,
		       struct observations *out, struct error *err);

#endif
