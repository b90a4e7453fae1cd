/* Equal values of different machines. */
#ifndef COLLECT_MATCH_H
#define COLLECT_MATCH_H

#include "group.h"
#include "row.h"
#include "../base/arena.h"
#include "../base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A value on its way to its equals. */
struct match_entry {
	uint64_t bits; /* of the value, which is above 0: they sort as it does */
	unsigned group; /* among the groups that are compared */
	int line;
};

/* The rows of one machine in a stretch of equal values. */
struct match_run {
	const struct match_entry *v;
	size_t n;
};

/* Rows of equal value, of more than one machine: runs in the order of the machines. */
struct match {
	struct group *const *groups; /* what entries name */
	const struct match_run *runs;
	size_t n;
	double value;
};

/* Tells of every value that more than one machine has.
 * groups  n of them, by machine
 * block   values that may be in memory at once; more are gone through several times
 * Errors  ERR_ENVIRONMENT as group_read() */
bool match_each(const struct collection *c, struct group *const *groups, size_t n, size_t block,
                void (*tell)(void *ctx, const struct match *m), void *ctx, struct error *err);

#endif
