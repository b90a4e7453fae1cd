/* What the edition's cards cost on every day that has a price: the course behind prices.csv.
 *
 * price_history.csv: device,market,condition,date,price_usd
 *   in the order of devices.csv, then by market, condition and date; not after the edition's date
 *   price_usd  of one card on that day, by the rule of analyze/quote.h (new: the lowest; used: the
 *              median), however old. Prices by the hour are left out, and launch prices, which are
 *              not dated sales. */
#ifndef ANALYZE_PRICE_HISTORY_H
#define ANALYZE_PRICE_HISTORY_H

#include "quote.h"
#include "../base/arena.h"
#include "../base/error.h"

#include <stdbool.h>
#include <stddef.h>

/* v->conditions is not read: new and used prices are both written.
 * indices  the edition's devices
 * Errors   ERR_ENVIRONMENT */
bool price_history_write(const struct price_view *v, const size_t *indices, size_t nindices,
                         const char *path, struct error *err);

#endif
