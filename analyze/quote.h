/* The price of one device in one market at the edition's date.
 *   which day  the newest that is not after the date and at most drop_days old, in the first of the
 *              wanted conditions (new, used) that has one
 *   its price  of that day's rows in the edition's currency (others only when there is none): the
 *              lowest for new, rows of stat `median` left out unless nothing else is there; the
 *              median for used, rows of stat `min` left out likewise
 *   low, high  the price and the stat min .. median rows of the day
 * `msrp` also knows the launch price of devices.csv, a new price dated by release_date; the age
 * limit holds for it too. */
#ifndef ANALYZE_QUOTE_H
#define ANALYZE_QUOTE_H

#include "../base/arena.h"
#include "../base/date.h"
#include "../base/str.h"
#include "../catalogue/device.h"
#include "../catalogue/edition.h"
#include "../catalogue/price.h"

#include <stdbool.h>
#include <stddef.h>

/* What the rows are looked at with. */
struct price_view {
	const struct edition *edition; /* date resolved */
	const struct devices *devices;
	const struct prices *prices;
	const struct str_list *conditions; /* in the order wanted; mostly edition->conditions */
	struct arena *arena;
};

struct quote {
	double price, low, high; /* USD a device */
	double usual;   /* median of the day prices in the year before; NAN when there was none */
	int usual_days; /* days behind it */
	struct date date;
	struct str market;
	int observations; /* listings where the rows state them, else rows */
	unsigned flags;   /* USED, FEW_LISTINGS of enum price_flag */
};

/* false: the market has no usable price of the device. */
bool quote_market(const struct price_view *v, size_t device, struct str market, struct quote *q);

/* The rows of one device, market and condition, and the first of them in `prices` that is not
 * before the day, or where it would stand. */
struct price_group {
	size_t device;
	struct str market;
	enum price_condition condition;
};
size_t price_group_from(const struct prices *prices, const struct price_group *g, int day);

#endif
