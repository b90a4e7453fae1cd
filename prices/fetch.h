/* Prices from the sources of price_source.h. What a source gives is a stranger's text:
 *
 *   1. it is kept as spool/prices/NAME-DATE.raw (DATE: today)
 *   2. read by its map into spool/prices/DATE-NAME.csv (DATE: of the newest price)
 *   3. held there, and not used, while one of these is so:
 *        a row would be refused by the reader of data/prices
 *        a row is of a day after today
 *        it has less than half the rows of the source's last file in data/prices
 *        a price jumped (jump.h) and nobody accepted it (accepted.h)
 *        data/prices has a file of that name with other bytes
 *   4. else moved to data/prices/DATE-NAME.csv, under its name at once and never over another file.
 *
 * What is held is looked at again by the next fetch; `accept` takes it, and keeps the decision on
 * its jumps. A source whose file of today is in data/prices is not asked again that day. */
#ifndef PRICES_FETCH_H
#define PRICES_FETCH_H

#include "accepted.h"
#include "price_source.h"
#include "../catalogue/fx.h"

enum price_fetch_outcome {
	PRICE_FETCH_TAKEN,   /* file is in data/prices now */
	PRICE_FETCH_SAME,    /* it was there already */
	PRICE_FETCH_HELD,    /* file is in spool/prices: why */
	PRICE_FETCH_FAILED,  /* nothing came of it: why */
	PRICE_FETCH_PLANNED, /* dry run: what would be run */
};

struct price_fetched {
	struct str source; /* name */
	enum price_fetch_outcome outcome;
	struct str file;          /* below ROOT; empty: none */
	size_t rows;              /* in it */
	size_t unused;            /* prices of the listing that the map refused */
	struct str why;           /* one line */
	struct price_jumps jumps; /* not accepted */
};

struct price_fetch {
	const char *root, *data_dir;
	const struct devices *devices;
	struct prices known; /* of data/prices; read again when a file was taken */
	struct price_accepted accepted;
	struct fx fx;
	struct date today;
	bool accept;
	struct str by, why; /* of what is accepted */
	struct arena *arena;
};

struct price_fetched_list {
	struct price_fetched *v;
	size_t n, cap;
};

/* Appends what became of files of the source that were held, then of today's.
 * Errors  only what ends the whole run: spool/prices cannot be written, data/prices cannot be read;
 *         whatever the source does wrong is an outcome */
bool price_fetch(struct price_fetch *f, const struct price_source *s,
		 struct price_fetched_list *out, struct error *err);

/* What would be run for the source, as one line. */
struct str price_fetch_plan(const struct price_source *s, struct arena *a);
/* The source's listing, by curl or its command. Errors: ERR_ENVIRONMENT with what went wrong. */
bool price_fetch_get(const struct price_source *s, const char *root, struct arena *a,
		     struct str *out, struct error *err);

struct str price_fetch_outcome_name(enum price_fetch_outcome o); /* "taken" … */

#endif
