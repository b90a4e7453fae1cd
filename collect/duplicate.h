/* Finds measurements that came in twice under two machine names of one source family (series whose
 * names differ only in a version: lambda-pytorch-v0, -v1).
 * Two rows match when workload, metric, precision, device count, date and value are equal; the
 * device need not be, for a copied log may stand under a wrong one. Cells of many machines of a
 * kind agree by chance in all their digits, so one match proves nothing. The rows of machine B
 * are a copy of those of A where
 *   - all rows of both match and carry 5 digits or more together, or
 *   - at least 2 and half of the rows of the smaller of the two match and carry 10 digits or more;
 * each taken over all rows, or over those of one workload and day where at least 2 of them match.
 * A value carries its significant digits without trailing zeros, at most 6, and none below 4: short
 * values agree by rounding. The machine that is better vouched for (catalogue/trust.h), of two
 * alike the first by series and name, keeps its rows, the other one's are set aside. Only the first
 * 8 machines with a value are compared with each other one, so that the work grows with the
 * rows. */
#ifndef COLLECT_DUPLICATE_H
#define COLLECT_DUPLICATE_H

#include "observation.h"
#include "override.h"
#include "row.h"
#include "../base/error.h"

#include <stdbool.h>

/* Work and memory: a workload, precision and device count that only one machine has is not looked
 * at, nor are kinds of rows that share no day and value with another machine's (overlap.h); of the
 * others' rows about DUPLICATE_BLOCK are in memory at once, for each thread, those of a machine that
 * have one value and day as one (match.h).
 * Errors: ERR_ENVIRONMENT as group_next(). */
enum { DUPLICATE_BLOCK = 1 << 20 };
bool check_duplicate(struct collection *c, struct overrides *o, const struct ranks *ranks,
                     struct error *err);

#endif
