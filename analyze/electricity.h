/* What a kilowatt-hour costs: data/system/electricity.csv, by country and kind of customer. */
#ifndef ANALYZE_ELECTRICITY_H
#define ANALYZE_ELECTRICITY_H

#include "price_flag.h"
#include "../base/arena.h"
#include "../base/date.h"
#include "../base/error.h"
#include "../base/str.h"
#include "../catalogue/edition.h"

#include <stdbool.h>
#include <stddef.h>

struct tariff {
	struct str country;
	struct date date;
	struct str kind; /* the column `class`: household, business, … */
	double usd_per_kwh;
	struct pos pos;
};

/* In the order of the file. */
struct tariffs {
	struct tariff *v;
	size_t n;
};

/* A data folder without system/electricity.csv has no tariffs: not an error, system+power then has
 * no price.
 * Errors: as csv_read_records; ERR_RANGE for a price not from 0.0001 to 100 USD; ERR_UNKNOWN for a
 * currency without a rate; ERR_DATA for a second row of one country, class and day. */
bool tariffs_read(const char *data_dir, struct arena *a, struct tariffs *out, struct error *err);

struct tariff_choice {
	const struct tariff *tariff; /* NULL: none */
	unsigned flags;              /* TARIFF_* of enum price_flag, or NO_TARIFF */
};

/* The newest tariff of the edition's country and kind that is not after its date; where none is so
 * old the oldest, flagged tariff-later. A tariff stands for a year and more, so it is called old
 * only beyond drop_days.
 * Errors: ERR_UNKNOWN when there are tariffs but none of that country and kind, at the edition's
 * key; the message names what there is. */
bool tariff_find(const struct tariffs *tariffs, const struct edition *edition, struct arena *a,
		 struct tariff_choice *out, struct error *err);

/* USD for one hour at `watts`; NAN where either is not known. */
double electricity_usd_per_hour(const struct tariff_choice *choice, double watts);

#endif
