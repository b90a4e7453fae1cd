/* What one device costs: bought as a card, or by the hour.
 * Card
 *   price_usd  mean over the edition's markets that have a price (quote.h), those more than
 *              stale_days older than the newest of them left out; when none has, or all are stale
 *              and a fallback market is not, the first fallback market that does
 *   low, high  smallest and largest over the markets averaged: low <= price_usd <= high
 * Cloud
 *   price_usd  on demand, for one device-hour: per provider the median of its newest day, providers
 *              more than stale_days older than the newest of them left out; then the median over
 *              providers
 *   low, high  the cheapest and the dearest of these providers */
#ifndef ANALYZE_CARD_PRICE_H
#define ANALYZE_CARD_PRICE_H

#include "price_flag.h"
#include "quote.h"
#include "../base/date.h"
#include "../base/str.h"
#include "../catalogue/lens.h"

#include <stdbool.h>
#include <stddef.h>

struct card_price {
	size_t device; /* index into devices */
	enum lens lens;
	double price_usd; /* USD a device; cloud: USD a device-hour; NAN when missing */
	double low, high;
	struct str markets;      /* blank-separated: the markets, or providers, behind price_usd */
	struct str cheapest;     /* cloud: the provider that asks `low`; else empty */
	int observations;        /* listings where the rows state them, else rows */
	struct date newest_date; /* of the newest row behind it; INT_MIN when missing */
	int age_days;            /* edition date - newest_date; -1 when missing */
	/* Card: the median of the year before in the markets that have a past, and the days behind
	 * it in the market that has most; NAN and 0 when there is no past to call a price unusual
	 * by. */
	double usual_usd;
	int usual_days;
	unsigned flags; /* of enum price_flag */
};

/* A card price may be MISSING. */
struct card_price card_price_of(const struct price_view *v, size_t device);
/* false: no provider rents it. */
bool cloud_price_of(const struct price_view *v, size_t device, struct card_price *out);

/* A price of the lens that is not there: NAN, INT_MIN, -1; no flag. */
struct card_price card_price_none(size_t device, enum lens lens);

/* How many of a provider's units one device is: 2 for the boards of two chips that clouds rent by
 * the chip (price flagged per-chip), else 1. */
int cloud_units(const struct device *d);

#endif
