/* What was accepted from where: data/accepted.csv, written only by fetch, a row a file of a source.
 *
 *   sha256  of its bytes
 *   series,file  where it lies: data/contributions/SERIES/FILE; series is empty where it lies
 *           beside the series, for bytes that were there before the source gave them
 *   source,origin  the source and the path there
 *   date    the day it was accepted (of SOURCE_DATE_EPOCH where that is set)
 *   bytes
 *
 * A file that a maintainer deleted stays in it and is not fetched again. */
#ifndef FETCH_LEDGER_H
#define FETCH_LEDGER_H

#include "../base/date.h"
#include "../base/error.h"
#include "../base/map.h"

#include <stdbool.h>

struct ledger_row {
	struct str sha256, series, file, source, origin;
	struct date date;
	int bytes;
	struct pos pos;
};

struct ledger {
	const char *path;
	struct arena *arena;
	struct ledger_row *v; /* in the order of acceptance */
	size_t n, cap;
	struct map exact;     /* "source\norigin\nsha256" to a row */
	struct map newest;    /* "source\norigin" to the newest row */
	struct map oldest;    /* and to the oldest */
	struct map content;   /* sha256 to the first row */
	bool changed;         /* since it was read or written */
};

/* A file that is not there is an empty one. Errors: as csv_read_records; ERR_SYNTAX a sum that is
 * none, a place that is not below data/contributions. */
bool ledger_read(const char *path, struct arena *a, struct ledger *out, struct error *err);
const struct ledger_row *ledger_find(const struct ledger *l, struct str source, struct str origin,
				     struct str sha256);
const struct ledger_row *ledger_newest(const struct ledger *l, struct str source,
				       struct str origin);
const struct ledger_row *ledger_oldest(const struct ledger *l, struct str source,
				       struct str origin);
const struct ledger_row *ledger_content(const struct ledger *l, struct str sha256);
/* "SERIES/FILE", or "FILE" without a series. */
struct str ledger_stored(const struct ledger_row *r, struct arena *a);
void ledger_add(struct ledger *l, const struct ledger_row *row);
/* Written aside and renamed; nothing is done where nothing changed. Errors: ERR_ENVIRONMENT */
bool ledger_write(struct ledger *l, struct error *err);

#endif
