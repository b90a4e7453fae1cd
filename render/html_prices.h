/* What the page's script computes readers' own prices from: scores, prices and rules of the edition
 * as JSON.
 *
 *   { "edition": id, "classes": [[name, title]…],
 *     "devices": [[name, vendor, memory_gb, price_usd, low, high, stale 0|1,
 *                  [[score, low, high, origin 0 measured 1 scaled 2 estimated] or null
 *                   …a class]]…],
 *     "personas": [[title, "value"|"speed", lens, its title, condition, gpus, budget_usd,
 *                   [weight…a class], "01…"a device, the edition's card or -1, its status]…],
 *     "text": { key: message of [yours]; "device": what stands above devices in tables } }
 *
 * low and high of a score are its peer ends, as values.csv and picks.csv use them. Numbers have
 * seven significant digits; null is missing. "01…": 1 where the device passes every gate that no
 * price decides. */
#ifndef RENDER_HTML_PRICES_H
#define RENDER_HTML_PRICES_H

#include "data.h"
#include "report.h"
#include "../catalogue/text.h"
#include "../base/error.h"
#include "../catalogue/device.h"

#include <stdbool.h>

/* Errors: ERR_DATA a message is missing. */
bool html_prices_json(const struct report *r, const struct report_data *data,
                      const struct devices *devices, const struct text_catalogue *text,
                      struct arena *a, struct str *out, struct error *err);

#endif
