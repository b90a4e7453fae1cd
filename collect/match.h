/* Equal values of one day under different machines. */
#ifndef COLLECT_MATCH_H
#define COLLECT_MATCH_H

#include "group.h"
#include "row.h"
#include "../base/arena.h"
#include "../base/error.h"

#include <stdbool.h>
#include <stddef.h>

/* The rows of one machine that have the value: how many, and the one that was read first. */
struct match_run {
	struct item first;
	unsigned group; /* of the first, among those that are compared */
	unsigned n;
};

/* Rows of equal value and day, of more than one machine: runs in the order of the machines. */
struct match {
	struct group *const *groups; /* what runs name */
	const struct match_run *runs;
	size_t n;
	double value;
	int day;
};

struct match_use {
	void *ctx;
	/* A value and day that more than one machine has.
	 * original  n of them: which run each one copies, to be set; as it comes: itself, none.
	 *           NULL without row() */
	void (*tell)(void *ctx, const struct match *m, unsigned *original);
	/* Or NULL. Then comes each row of a run that copies another one: of the values that are in
	 * memory at once by groups, and in these by lines; the row may be set aside.
	 * g      the row's group
	 * of     the group of the first row of the run that is copied, line: where that stands */
	void (*row)(void *ctx, struct group *g, const struct item *item, const struct group *of,
	            int line);
};

/* Tells of every value and day that more than one machine has, and of the rows of copies.
 * groups  n of them, by machine
 * block   about so many runs are in memory at once (or those of one value and day, if they are
 *         more: as many as machines), whatever the rows are; of more rows than that all are gone
 *         through several times
 * a       what it needs is made there
 * Errors  ERR_ENVIRONMENT as group_next() */
bool match_each(const struct collection *c, struct group *const *groups, size_t n, size_t block,
                const struct match_use *use, struct arena *a, struct error *err);

#endif
