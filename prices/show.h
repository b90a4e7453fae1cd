/* The history of one device's prices, and the price that an edition makes of it and why. */
#ifndef PRICES_SHOW_H
#define PRICES_SHOW_H

#include "snapshot.h"
#include "../analyze/card_price.h"
#include "../analyze/quote.h"
#include "../base/str.h"

#include <stdbool.h>
#include <stddef.h>

/* One kind of price (snapshot.h): a point a day, oldest first. */
struct price_series {
	const struct price_snapshot *v;
	size_t n;
	size_t rows;
	double min_usd, median_usd, max_usd; /* over the days */
	struct date min_date, max_date;      /* the first day of each */
	struct date gap_from, gap_to;        /* the longest time without a price, where it is over
					      * SERIES_HOLD_DAYS; else day INT_MIN */
};

enum { SERIES_HOLD_DAYS = 60 /* a price is drawn as holding until the next, at most so long */ };

/* What part a market of the edition has in the card price. */
enum price_role {
	ROLE_USED,       /* it is in the mean, or is the fallback that was taken */
	ROLE_OLDER,      /* left out: more than stale_days older than the newest market */
	ROLE_STALE,      /* left out: all markets are stale, and a fallback is fresh */
	ROLE_NOT_NEEDED, /* a fallback, and a market or an earlier fallback has a price */
	ROLE_NONE,       /* it has no price of the last drop_days */
};

struct price_market {
	struct str market;
	enum price_role role;
	bool fallback;
	struct quote quote; /* not of ROLE_NONE */
};

struct price_show {
	size_t device;
	struct card_price card, rent; /* rent only where rented */
	bool rented;
	struct price_market *markets; /* the edition's, then its fallbacks */
	size_t nmarkets;
	/* Not after the edition's date: cards by market, condition, stat, currency, then rents. */
	struct price_series *v;
	size_t n;
	size_t ncards; /* v[0..ncards) are of cards */
};

struct price_show_wish {
	struct str market;                     /* only it, or its SKUs ("cloud:gcp"); empty: all */
	const enum price_condition *condition; /* only it; NULL: all */
};

void price_show(const struct price_view *v, size_t device, const struct price_show_wish *wish,
		struct arena *a, struct price_show *out);

/* Whether `wanted` is the market, or a provider's name in front of it; empty: any. */
bool price_market_is(struct str market, struct str wanted);

/* A curve of `columns` characters from one day to another: each the median of the prices of its
 * days, scaled from the series' minimum (lowest) to its maximum (highest), or in the middle where
 * they are the same. A column without a price holds the one before, at most SERIES_HOLD_DAYS long,
 * then is blank. unicode  false: ASCII, "_.-~=+*#" from low to high */
struct str price_sparkline(const struct price_series *s, struct date from, struct date to,
			   size_t columns, bool unicode, struct arena *a);

#endif
