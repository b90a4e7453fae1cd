/* What a part of a contribution gives by itself: rows, rejects and messages. It depends on the
 * bytes of the part, the header of its file, the catalogue and the cut-off alone, so that parts can
 * be read by several threads; what the other files and a maintainer's decisions make of it comes
 * with parsed_merge, in the order of the files. */
#ifndef COLLECT_PARSED_H
#define COLLECT_PARSED_H

#include "group.h"
#include "memo.h"
#include "row.h"
#include "../base/arena.h"
#include "../base/csv_scan.h"

#include <stdbool.h>
#include <stddef.h>

/* Rows that follow one another and have one key. */
struct parsed_run {
	struct memo_key *key;
	size_t n;
};

/* A row that a maintainer has decided about. */
struct parsed_decided {
	int override;
	bool good;
};

struct parsed {
	struct arena arena;
	/* One input, number 0 of series 0; rejects and counts of the part; names numbered within
	 * it. */
	struct collection one;
	struct messages messages;
	struct item *items;       /* of accepted rows, in the order of their lines */
	size_t n, cap;
	struct parsed_run *runs;  /* of items */
	size_t nruns, runs_cap;
	struct parsed_decided *decided;
	size_t ndecided, decided_cap;
	size_t rows;              /* below the header, right or not */
	/* Of rows of the header's width, also of those that are refused or after the cut-off. A
	 * cache does not keep them: only a signed file is asked for them, and is read each time. */
	struct date oldest;       /* day INT_MAX: no row has a date */
	bool undated;             /* a row has an empty date */
	size_t said;              /* messages of the file, not of a cell: the first, told in any
	                           * case */
	struct csv_fault fault;   /* why the file is refused */
};

/* Bytes of parts that wait for their turn to be merged: beyond them no other is begun
 * (in_order.h). */
enum { PARSED_AHEAD = 64 << 20 };

/* An empty part of c->inputs[file].
 * room  the arena of a part that was ended by parsed_end(), or an empty one; it is empty then */
void parsed_begin(const struct collection *c, size_t file, struct parsed *p);
void parsed_begin_in(const struct collection *c, size_t file, struct arena *room,
		     struct parsed *p);
/* Makes room for about so many rows. */
void parsed_reserve(struct parsed *p, size_t rows);
/* Adds an accepted row. */
void parsed_add(struct parsed *p, struct memo_key *key, const struct item *item);
/* Adds the part to all; its names to c->file_names. Of each file LIMIT_REJECTS refused cells are
 * taken over, with their messages, or fewer when the stage has told LIMIT_STAGE_REJECTS; further
 * ones are counted. */
void parsed_merge(struct collection *c, size_t file, const struct parsed *p);
void parsed_free(struct parsed *p);
/* As parsed_free(), but leaves memory in `room` for another part; also of one that is all zeros,
 * which has none. */
void parsed_end(struct parsed *p, struct arena *room);

/* Where a file begins in all, so that what it gave can be taken back. */
struct parsed_mark {
	size_t file, nrows, rejects, messages, left_out;
	struct series_count count;
};
struct parsed_mark parsed_begin_file(struct collection *c, size_t file);
/* Takes back all that was merged of the file; what it held in memory serves the files behind it. */
void parsed_drop_file(struct collection *c, const struct parsed_mark *m);
/* A file that is accepted: its names become names of all, and how many refused cells are not listed
 * is said. */
void parsed_end_file(struct collection *c, size_t file);

/* What a file gave, to be kept: m is from before it, and parsed_end_file() has not been called.
 * Returns empty text for a file that gave more than PACK_ROWS_MAX rows, or cannot be read back. */
enum { PACK_ROWS_MAX = 1 << 20 };
struct str parsed_pack(const struct collection *c, const struct parsed_mark *m, struct arena *a);
/* The way back, into an empty part. False, and the file must be read, when the bytes are not those
 * of parsed_pack(). */
bool parsed_unpack(struct str packed, struct parsed *p);

#endif
