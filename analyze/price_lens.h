/* What a device costs at the date of an edition (method: METHOD.md, section "Prices and cost").
 *
 * Lens card
 *   market     the newest day that is not after the date and at most drop_days old, in the first of
 *              the edition's conditions (new, then used) that has one
 *   its price  of that day's rows in the edition's currency (others only when there is none): the
 *              lowest for new, rows of stat `median` left out unless nothing else is there; the
 *              median for used, rows of stat `min` left out likewise
 *   price_usd  mean over the edition's markets that have a price; when none has, the first fallback
 *              market that does. `msrp` also knows the launch price of devices.csv, dated by
 *              release_date; the age limit holds for it too
 *   low, high  smallest and largest of the prices averaged and of the stat min .. median rows of
 *              the same days: low <= price_usd <= high
 * Lens cloud
 *   price_usd  on demand, for one device-hour: per provider the median of its newest day, then the
 *              median over providers
 *   low, high  the cheapest and the dearest provider */
#ifndef ANALYZE_PRICE_LENS_H
#define ANALYZE_PRICE_LENS_H

#include "../base/arena.h"
#include "../base/date.h"
#include "../base/error.h"
#include "../catalogue/device.h"
#include "../catalogue/edition.h"
#include "../catalogue/price.h"

#include <stdbool.h>
#include <stddef.h>

enum lens { LENS_CARD, LENS_CLOUD, LENS_COUNT };
struct str lens_name(enum lens l); /* "card", "cloud" */

/* What must be said beside a price; a set of bits. No bit: "ok". */
enum price_flag {
	PRICE_FLAG_STALE = 1, /* card: a price in it, cloud: its newest, is older than stale_days */
	PRICE_FLAG_SINGLE_SOURCE = 2, /* one of several markets, or one provider, only */
	PRICE_FLAG_FALLBACK = 4,      /* none of the edition's markets had one */
	PRICE_FLAG_USED = 8,          /* a used price is in it */
	PRICE_FLAG_UNUSUAL = 16,      /* above 1.5 x the median of the year before, same markets */
	PRICE_FLAG_FEW_LISTINGS = 32, /* a price in it rests on fewer than 3 listings */
	PRICE_FLAG_MISSING = 64,      /* no usable price; the numbers are NAN */
};

struct card_price {
	size_t device; /* index into devices */
	enum lens lens;
	double price_usd; /* card: USD a device; cloud: USD a device-hour; NAN when missing */
	double low, high;
	struct str markets;      /* blank-separated: the markets, or providers, behind price_usd */
	int observations;        /* listings where the rows state them, else rows */
	struct date newest_date; /* of the newest row behind it; INT_MIN when missing */
	int age_days;            /* edition date - newest_date; -1 when missing */
	unsigned flags;          /* of enum price_flag */
};

/* By device as asked for: always one of lens card, then one of lens cloud if it has a price. */
struct card_prices {
	struct card_price *v;
	size_t n;
};

/* The devices of the edition, in the order of devices.csv: as listed, or all with a price usable at
 * the date (card or cloud). A device released after the date does not exist for it.
 * edition  its date is resolved
 * indices  out: *n indices into devices->v */
void edition_devices(const struct edition *edition, const struct devices *devices,
		     const struct prices *prices, struct arena *a, size_t **indices, size_t *n);

/* indices  n devices, as edition_devices gives them */
void price_lens_compute(const struct edition *edition, const struct devices *devices,
			const struct prices *prices, const size_t *indices, size_t n,
			struct arena *a, struct card_prices *out);

/* The price of a device in a lens, or NULL where there is none; a card price may be MISSING. */
const struct card_price *price_lens_find(const struct card_prices *p, size_t device,
					 enum lens lens);

/* The flags as blank-separated words in the order of the enum; "ok" for none. */
struct str price_flags_text(struct arena *a, unsigned flags);

/* Writes prices.csv:
 * device,lens,price_usd,low,high,markets,observations,newest_date,age_days,status. Errors:
 * ERR_ENVIRONMENT. */
bool price_lens_write(const struct card_prices *p, const struct devices *devices, const char *path,
		      struct arena *a, struct error *err);

#endif
