/* Checks of rows against other rows of their series. Each sets rows aside (collect/override.h).
 * Errors: ERR_ENVIRONMENT as group_next(). */
#ifndef COLLECT_CHECK_CROSS_H
#define COLLECT_CHECK_CROSS_H

#include "observation.h"
#include "override.h"
#include "row.h"
#include "../base/error.h"

#include <stdbool.h>

/* super-linear: n devices faster than 1.25 x n x the one-device cell of the same series, device,
 * workload, metric and precision; collapsed: slower than 0.5 x that cell. Where nobody ran one
 * device the cell of the fewest stands in, its rate taken as proportional. Rates only: with
 * several devices a time of the sources is that of a step in which each device has its own batch
 * (the best there is stays the one-device time), and a time to a quality does not fall with n by
 * a rule. */
bool check_scaling(struct collection *c, struct overrides *o, const struct observations *cells,
                   struct error *err);

/* outlier: in a cell of 5 or more machines, a machine whose log median lies more than 6 x 1.4826
 * x MAD from the median of the logs and more than 10 % off the cell: all its rows in the cell.
 * Source: 1.4826 MAD estimates the standard deviation of a normal (Rousseeuw & Croux, JASA 88,
 * 1993). */
bool check_outlier(struct collection *c, struct overrides *o, const struct observations *cells,
                   struct error *err);

#endif
