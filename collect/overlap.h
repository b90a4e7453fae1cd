/* Which groups may have rows in common with others at all, by the ranges of their values and days:
 * the rows of those that cannot need not be read. */
#ifndef COLLECT_OVERLAP_H
#define COLLECT_OVERLAP_H

#include "group.h"

#include <stddef.h>

/* Leaves those of n groups, in their order, that share a day and about a value with a group of
 * another machine: at least all that have a row of the same value and day as one of another
 * machine. Where a group has many days or values, all are left. Returns how many. */
size_t overlap_sift(struct group **groups, size_t n);

#endif
