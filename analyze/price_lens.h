/* The four costs of a device at the date of an edition (method: METHOD.md, "Prices, costs
 * and values"): every lens of every device.
 *   card          what the card costs (card_price.h)
 *   system        a card in a machine: (n cards + host for n) / n, n the edition's gpus (system.h)
 *   system+power  and its electricity over the edition's hours_per_year x years
 *   cloud         a device-hour on demand (card_price.h)
 * The range of a system is the card's, moved by host and electricity, which have one figure each.
 */
#ifndef ANALYZE_PRICE_LENS_H
#define ANALYZE_PRICE_LENS_H

#include "card_price.h"
#include "cost.h"
#include "../base/arena.h"
#include "../base/error.h"
#include "../catalogue/device.h"
#include "../catalogue/edition.h"
#include "../catalogue/price.h"

#include <stdbool.h>
#include <stddef.h>

/* By device as asked for: always one of lens card, system and system+power, MISSING where there is
 * no price (a system's reason stands among its flags: not-for-host, no-host, …); then one of lens
 * cloud if it has a price. */
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

void price_lens_compute(const struct cost_input *in, struct arena *a, struct card_prices *out);

/* The price of a device in a lens, or NULL where there is none; it may be MISSING (price_usd NAN).
 */
const struct card_price *price_lens_find(const struct card_prices *p, size_t device,
					 enum lens lens);

/* Writes prices.csv:
 * device,lens,price_usd,low,high,markets,observations,newest_date,age_days,status. A row of lens
 * card for every device, of the others where there is a price. Errors: ERR_ENVIRONMENT. */
bool price_lens_write(const struct card_prices *p, const struct devices *devices, const char *path,
		      struct arena *a, struct error *err);

#endif
