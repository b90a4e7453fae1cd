/* Snapshots: what one day's rows say of a price.
 *
 * A snapshot is all rows of one day of one device, market, condition, stat and currency (its kind).
 * Its price in USD is the lowest of its rows where they are minima or single offers of new cards,
 * else their median. */
#ifndef PRICES_SNAPSHOT_H
#define PRICES_SNAPSHOT_H

#include "../base/arena.h"
#include "../base/date.h"
#include "../catalogue/price.h"

#include <stdbool.h>
#include <stddef.h>

struct price_snapshot {
	const struct price *row; /* the cheapest of its rows: kind, date, place */
	double price_usd;
	size_t rows;
	int listings; /* the most that a row states; -1: none does */
	bool fresh;   /* one of its rows came now */
};

/* By kind (device, market, condition, stat, currency), then date. */
struct price_snapshots {
	struct price_snapshot *v;
	size_t n;
};

/* known  nknown rows, and
 * fresh  n more that came now; either may be NULL with 0 rows; in any order
 * date   rows after it do not exist; INT_MAX as its day: all count */
void price_snapshots_make(const struct price *known, size_t nknown, const struct price *fresh,
			  size_t n, struct date date, struct arena *a, struct price_snapshots *out);
/* The first snapshot after `from` that is of another kind, or n. */
size_t price_snapshots_end(const struct price_snapshots *s, size_t from);

#endif
