/* Own or rent: after how many months a machine with one card costs as much as renting that card.
 *
 *   months = own_usd / (hours_per_month x (rent_usd_per_hour - power_usd_per_hour))
 *   own_usd             one card and the host for it (system.h), at once
 *   power_usd_per_hour  tdp_w / 1000 x price of a kilowatt-hour: the card at full load
 *   rent_usd_per_hour   on demand, of providers of one time (card_price.h); for boards that clouds
 *                       rent by the chip (K80, M60) times the chips of the board, since the whole
 *                       board is bought
 *
 * Never, status `never`: at 0 hours, and where rent is not above electricity. What the card could
 * be sold for, what the host draws, storage and traffic in the cloud are not counted. */
#ifndef ANALYZE_RENT_H
#define ANALYZE_RENT_H

#include "cost.h"
#include "price_lens.h"
#include "system.h"
#include "../base/arena.h"
#include "../base/error.h"
#include "../catalogue/device.h"

#include <stdbool.h>
#include <stddef.h>

enum { HOURS_PER_MONTH_FULL = 730 }; /* 8760 / 12: the whole month */

struct breakeven {
	size_t device;
	struct str provider; /* "median" over the providers, or the name of the cheapest */
	double hours_per_month;
	double rent_usd_per_hour;
	double own_usd, power_usd_per_hour; /* NAN where not known; status says why */
	double months;                      /* NAN unless status is SYSTEM_OK and not never */
	bool never;
	enum system_status status; /* of the machine: SYSTEM_OK when all is known */
	unsigned flags; /* of enum price_flag: card, host, tariff and rent; stale: the card or the rent */
};

/* By device, median before cheapest, then hours ascending. */
struct breakevens {
	struct breakeven *v;
	size_t n;
};

/* Every device with a card price and a cloud price, at 0 hours a month, the edition's
 * hours_per_month, and the full month; equal hours once. */
void breakeven_compute(const struct cost_input *in, const struct card_prices *prices,
		       struct arena *a, struct breakevens *out);

/* The formula above, to a millionth of a month; NAN for never. */
double breakeven_months(double own_usd, double rent_usd_per_hour, double power_usd_per_hour,
			double hours_per_month);

/* Writes breakeven.csv: device,provider,hours_per_month,rent_usd_per_hour,own_usd,
 * power_usd_per_hour,months,status,flags. status: ok, never, or why the machine's cost is not
 * known. Errors: ERR_ENVIRONMENT. */
bool breakeven_write(const struct breakevens *b, const struct devices *devices, const char *path,
		     struct arena *a, struct error *err);

#endif
