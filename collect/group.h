/* Rows that differ in nothing but value, line and date (and in what is checked and then forgotten:
 * class, batch size, driver, repeat) are kept as one group: what they share once, the rest
 * packed. */
#ifndef COLLECT_GROUP_H
#define COLLECT_GROUP_H

#include "items.h"
#include "row.h"
#include "../base/arena.h"
#include "../base/error.h"

#include <stdbool.h>
#include <stddef.h>

struct group_out {
	int *lines;
	size_t n, cap;
	bool sorted;
};

/* A row with an override is a group of its own. There are as many as machines have kinds of runs:
 * the members stand so that none leaves a gap. */
struct group {
	struct row row;      /* what the rows share; line, value and date are those of the first */
	struct items items;  /* of all rows that were read, in the order of their lines */
	double least, most;  /* values of the rows that were read */
	double median;       /* of the machine's rows in the cell; see observation.h */
	struct group_out *out; /* rows that checks set aside; NULL: none */
	struct date first, last; /* dates of the rows that were read, after group_settle() of those
				  * that are left; day INT_MIN: none has one */
	unsigned n;          /* rows that no check has set aside */
	unsigned median_of;  /* how many groups the median is of; 0: it is not known */
	bool undated;        /* a row that was read has no date */
};

/* The group of a row in the file that is being read, which is new when there is none. Machine,
 * precision, framework and source of the row are numbers of c->file_names. */
struct group *group_of(struct collection *c, const struct row *row);
/* Adds rows. Lines rise, also over all calls for one group. */
void group_add(struct collection *c, struct group *g, const struct item *v, size_t n);
/* Sets one row aside. */
void group_take_out(struct collection *c, struct group *g, int line);
/* Goes through the rows that no check has set aside when it begins, in the order of their lines:
 *
 *     struct group_cursor cur = group_first(c, g);
 *     while (group_next(&cur, err))
 *             for (size_t i = 0; i < cur.n; i++)
 *                     use(cur.v[i]);
 *     if (cur.failed) ...
 */
struct group_cursor {
	const struct item_store *store;
	const struct group *group;
	struct item_cursor at;
	const int *out; /* lines to leave out, nout of them */
	size_t nout;
	bool failed;
	size_t n; /* rows told by the last call, at least 1 */
	struct item v[ITEMS_PIECE];
};

struct group_cursor group_first(const struct collection *c, struct group *g);
/* Errors: ERR_ENVIRONMENT when what was written aside cannot be read. */
bool group_next(struct group_cursor *cur, struct error *err);
/* Takes a date into a range; one that was not given (day INT_MIN) changes nothing. */
void group_extend(struct date *first, struct date *last, struct date date);

/* After the last row was set aside. Errors: as group_next() */
bool group_settle(const struct collection *c, struct group *g, struct error *err);

/* The groups and names of a file begin. Those of a file that is refused are dropped: their memory
 * serves the files behind it. After the last file: group_end_files(). */
void group_begin_file(struct collection *c);
void group_drop_file(struct collection *c);
void group_end_files(struct collection *c);
/* Frees all groups: their memory goes back to the system. What was made of them must not point to
 * them any more. */
void group_free(struct collection *c);

#endif
