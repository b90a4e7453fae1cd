/* Equal values of one day under different machines. */
#ifndef COLLECT_MATCH_H
#define COLLECT_MATCH_H

#include "group.h"
#include "row.h"
#include "../base/arena.h"
#include "../base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A row on its way to its equals. */
struct match_entry {
	struct item item;
	unsigned group; /* among the groups that are compared */
};

/* The rows of one machine that have the value. */
struct match_run {
	const struct match_entry *v;
	size_t n;
};

/* Rows of equal value and day, of more than one machine: runs in the order of the machines. */
struct match {
	struct group *const *groups; /* what entries name */
	const struct match_run *runs;
	size_t n;
	double value;
	int day;
};

/* Tells of every value and day that more than one machine has.
 * groups  n of them, by machine
 * block   about so many rows are in memory at once, more are gone through several times; but rows
 *         of one value and day, and any that were made to share a hash, come together
 * Errors  ERR_ENVIRONMENT as group_next() */
bool match_each(const struct collection *c, struct group *const *groups, size_t n, size_t block,
                void (*tell)(void *ctx, const struct match *m), void *ctx, struct error *err);

#endif
