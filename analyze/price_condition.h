/* New and used apart: the card price of every device in one condition alone, whatever the edition
 * mixes. A used price is what an owned card can be sold for. */
#ifndef ANALYZE_PRICE_CONDITION_H
#define ANALYZE_PRICE_CONDITION_H

#include "card_price.h"
#include "cost.h"
#include "../base/arena.h"
#include "../base/error.h"
#include "../catalogue/device.h"
#include "../catalogue/price.h"

#include <stdbool.h>
#include <stddef.h>

struct price_condition_entry {
	enum price_condition condition; /* PRICE_NEW or PRICE_USED */
	struct card_price price;        /* lens card; never missing */
};

/* By device of the edition, then new before used; an absent entry is a price that is not known. */
struct price_conditions {
	struct price_condition_entry *v;
	size_t n;
};

/* As lens card (card_price.h), its markets and fallbacks, with the one condition only. */
void price_conditions_compute(const struct cost_input *in, struct arena *a,
			      struct price_conditions *out);

/* NULL: no such price. */
const struct card_price *price_condition_find(const struct price_conditions *p, size_t device,
					      enum price_condition condition);

/* Writes price_conditions.csv:
 * device,condition,price_usd,low,high,markets,newest_date,age_days,status. Errors: ERR_ENVIRONMENT.
 */
bool price_conditions_write(const struct price_conditions *p, const struct devices *devices,
			    const char *path, struct arena *a, struct error *err);

#endif
