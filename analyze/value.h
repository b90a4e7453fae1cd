/* Performance per cost (method: METHOD.md, "Prices, costs and values"), for each of the four
 * costs.
 *
 * value = score / price, divided by the best of its class and lens: the best card has 1.0.
 * The interval joins the score's with the price's, over the same best:
 *     low = score.peer_low / price.high        high = score.peer_high / price.low
 * The peer interval leaves out the error of a scaled reference, which cancels in the division.
 * Estimated scores get a value but are never the best and have no rank: they are an author's word,
 * not a measurement, and their value may pass 1. */
#ifndef ANALYZE_VALUE_H
#define ANALYZE_VALUE_H

#include "price_lens.h"
#include "score.h"
#include "../base/arena.h"
#include "../base/error.h"
#include "../catalogue/device.h"

#include <stdbool.h>
#include <stddef.h>

enum value_status {
	VALUE_OK,
	VALUE_NO_PRICE,
	VALUE_NO_SCORE,
	/* Why a system has no price (enum price_flag). */
	VALUE_NOT_FOR_HOST,
	VALUE_SLOTS_UNKNOWN,
	VALUE_NO_HOST,
	VALUE_NO_TDP,
	VALUE_NO_TARIFF,
};
struct str value_status_name(enum value_status s); /* "ok", "no-price", "no-score", … */

struct value {
	size_t device; /* index into devices */
	enum class_id class;
	enum lens lens;
	double cost_usd;  /* NAN without a price */
	double value;     /* 1.0 for the best; NAN unless status is VALUE_OK */
	double low, high; /* NAN where the score's interval is not known */
	int rank;         /* 1 is the best; 0: not ranked */
	bool tie;         /* its interval overlaps that of the rank above: their order is open */
	enum value_status status;
};

/* One entry a score, in the order of the scores; of several lenses one such list behind the other.
 */
struct values {
	struct value *v;
	size_t n;
};

/* scores  of each class together; score > 0 unless ORIGIN_EXCLUDED; low and high may be NAN
 * A device without a score says no-score even when the price is missing too; so does an estimated
 * one in a class where nothing measured or scaled has a price: there is no best to divide by. */
void value_compute(const struct scores *scores, const struct card_prices *prices, enum lens lens,
		   struct arena *a, struct values *out);

/* value_compute() for every lens in the order of enum lens, one behind the other. */
void values_compute_all(const struct scores *scores, const struct card_prices *prices,
			struct arena *a, struct values *out);

/* Writes values.csv: device,class,lens,cost_usd,value,low,high,rank,tie,status.
 * Errors: ERR_ENVIRONMENT. */
bool value_write(const struct values *values, const struct devices *devices, const char *path,
		 struct arena *a, struct error *err);

#endif
