/* Exchange rates to US dollars: data/system/fx_to_usd.csv, a line a day and currency. */
#ifndef CATALOGUE_FX_H
#define CATALOGUE_FX_H

#include "../base/arena.h"
#include "../base/date.h"
#include "../base/error.h"
#include "../base/str.h"

#include <stdbool.h>
#include <stddef.h>

struct fx_rate {
	struct date date;
	struct str currency;
	double usd_per_unit; /* from 1e-9 to 1e6 */
	struct pos pos;
};

/* In the order of the file. */
struct fx {
	struct fx_rate *v;
	size_t n;
};

/* Errors: as csv_read_records; ERR_RANGE for a rate out of its bounds; ERR_DATA for a rate of the
 * USD itself and for a second, other one of a day and currency. */
bool fx_read(const char *data_dir, struct arena *a, struct fx *out, struct error *err);

/* Dollars for one unit of the currency: by the rate nearest at or before the date; where none is so
 * old, by the oldest one.
 * pos            of the row that names the currency, for the message
 * usd_per_unit   out: 1 for USD
 * rate_date      out: the rate's own day, maybe after `date`; INT_MIN for USD
 * Errors         ERR_UNKNOWN for a currency without any rate: what cannot be converted must not
 *                vanish */
bool fx_find(const struct fx *fx, struct str currency, struct date date, struct pos pos,
	     double *usd_per_unit, struct date *rate_date, struct error *err);

#endif
