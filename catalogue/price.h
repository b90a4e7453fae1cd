/* Dated prices: data/prices/<any name>.csv, in US dollars by the exchange rates of fx.h. */
#ifndef CATALOGUE_PRICE_H
#define CATALOGUE_PRICE_H

#include "device.h"
#include "../base/arena.h"
#include "../base/date.h"
#include "../base/error.h"

#include <stdbool.h>
#include <stddef.h>

enum price_condition { PRICE_NEW, PRICE_USED, PRICE_ON_DEMAND, PRICE_SPOT };

struct price {
	struct date date;
	size_t device;     /* index into devices */
	struct str market; /* amazon, ebay, pcpartpicker, retail, msrp, cloud:<provider>:<sku> */
	enum price_condition condition;
	double price_usd;  /* per unit, or per device-hour where per_hour */
	bool per_hour;
	struct str stat;   /* min, median, mean; empty: a single observation */
	int n;             /* listings behind it; -1 not stated */
	struct str currency, source; /* currency: as stated, before conversion */
	struct date fx_date;         /* of the rate used, maybe after `date`; INT_MIN for USD */
	struct pos pos;
};

/* By device, market, condition, date, then place in the files. */
struct prices {
	struct price *v;
	size_t n;
	struct date newest; /* of all rows; day INT_MIN when there are none */
	struct messages skipped; /* links and hidden names among the files: no refused row, as
	                          * nothing of them is an input of an edition */
};

/* Reads every price file in name order, with columns
 *         date,device,market,condition,currency,price,quantity,source and stat,n
 * stat and n may be left out: then they are looked for as "n=16 stat=min" within source.
 * Other currencies are converted by the rate of fx_to_usd.csv nearest at or before the row's date;
 * where none is so old, by the oldest rate there is (fx_date tells).
 * Rows equal in all but their place are kept once.
 * refused  gets every row with a faulty cell, at the cell's position; the other rows go on
 * Errors   ERR_ENVIRONMENT; ERR_SYNTAX for a file that is no CSV or lacks a column; ERR_UNKNOWN for
 *          a currency that fx_to_usd.csv does not have (a price that cannot be converted must not
 *          vanish); ERR_RANGE and ERR_DATA as fx_read */
bool prices_read(const char *data_dir, const struct devices *devices, struct arena *a,
		 struct prices *out, struct messages *refused, struct error *err);

/* The same from the named files alone, wherever they lie; the exchange rates are those of
 * data_dir. */
bool prices_read_files(const char *const *paths, size_t npaths, const char *data_dir,
		       const struct devices *devices, struct arena *a, struct prices *out,
		       struct messages *refused, struct error *err);

struct str price_condition_name(enum price_condition c); /* "new" … */
bool price_condition_parse(struct str s, enum price_condition *out);

/* The provider of a cloud market ("cloud:gcp:a2-highgpu-8g" is "gcp"), one name for the several
 * that sources give it; empty for any other market. */
struct str price_provider(struct str market);

#define PRICE_MIN_USD 1e-4 /* of an hour in a data center it would be little, too */
enum { PRICE_MAX = 10000000 }; /* in the row's currency, and in USD; more is a slip of the pen */

#endif
