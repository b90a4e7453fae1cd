/* From listings to dated price rows, by the rules of a price map.
 *
 * Every price of a listing is used or refused for one reason, the first that holds:
 *   short-row         a row with more or fewer cells than the header
 *   (of the map)      [skip]: the row does not count, and why
 *   duplicate         the row is an earlier row again, cell by cell
 *   no-price          empty, a placeholder, an empty list
 *   sentinel          a number that means "not sold here"
 *   not-a-number      anything else that is no price
 *   date, after-date  no day of the map's form; a day after the listing's own
 *   currency          no code of three letters, or one without an exchange rate
 *   condition         a text that [conditions] does not know
 *   device-unknown, device-ambiguous, other-memory     resolve.h
 *   count             no whole number from 1 to a million of cards in a price
 *   market            no market, one that is too long, or with characters that are not seen
 *   range             not from 0.0001 to PRICE_MAX for one card, after division and rounding
 *   repeated          single prices: date, device, market, condition, currency and price of an
 *                     earlier row
 * prices_in is counted before any of this, from the cells; used + refused must come to it.
 * An n that is no number above 0 leaves the row without one; n_unread counts them. */
#ifndef PRICES_IMPORT_H
#define PRICES_IMPORT_H

#include "price_map.h"
#include "resolve.h"
#include "tally.h"
#include "../base/csv_read.h"
#include "../base/date.h"
#include "../catalogue/fx.h"

enum { IMPORT_MARKET_MAX = 120, IMPORT_SOURCE_MAX = 300 };

struct import_row {
	struct date date;
	size_t device;
	struct str market;
	enum price_condition condition;
	struct str currency;
	double price, usd_per_unit;
	struct date fx_date;
	struct str stat; /* empty: a single price */
	int n;           /* -1: not stated */
	struct str source;
	struct pos pos; /* of the price in the listing; a statistic: of its first */
	size_t place;   /* in the order of the listings */
};

/* What an import is told. */
struct import_input {
	const struct price_map *map;
	const struct devices *devices;
	const struct fx *fx;
	struct date date;          /* of the listing; INT_MIN where a column says it */
	struct str market, source; /* --market, --source; empty: not given */
};

struct import {
	const struct import_input *in;
	struct arena *arena;
	struct resolver resolver;
	struct tally tally;
	size_t *skip_reason; /* of each of the map's skips: index into tally */
	struct map seen_rows, seen_prices;
	struct import_row
	    *rows; /* after import_finish: date, device, market, condition, currency, place */
	size_t n, cap;
	size_t rows_in, prices_in, used, n_unread;
};

void import_open(struct import *im, const struct import_input *in, struct arena *a);
/* Takes one listing more.
 * Errors  ERR_DATA a column that the map names and the listing lacks, at the map's line */
bool import_listing(struct import *im, const struct csv_table *t, struct error *err);
/* Statistics where the map wants them, and the order of the rows.
 * Errors  ERR_DATA when used + refused is not prices_in: a fault of this program */
bool import_finish(struct import *im, struct error *err);
#endif
