/* What becomes of the rows of an import: rounded, summed up, sorted, written. */
#ifndef PRICES_IMPORT_ROWS_H
#define PRICES_IMPORT_ROWS_H

#include "import.h"

/* To the decimals of the map, or to 12 digits: the price is what stands in the file. */
double import_round(const struct price_map *m, double v, struct arena *a);
/* Date, device, market, condition, currency and stat as text; with the price, too. */
struct str import_row_key(const struct import_row *r, bool with_price, struct arena *a);
/* By date, device name, market, condition, currency, then the order they came in. */
void import_sort(struct import *im);
/* In the place of single prices: for each date, device, market, condition and currency one row for
 * each statistic of the map, in the order min, median, mean, with n = prices behind it. */
void import_statistics(struct import *im);
/* The rows as a file of data/prices; `leave_out` (n of them, or NULL) marks rows that stay out. */
struct str import_csv(const struct import *im, const bool *leave_out, struct arena *a);

#endif
