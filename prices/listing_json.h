/* The JSON half of listing.h. cJSON reads and judges the text; the places and the spelling of the
 * numbers, which it does not keep, come from a second walk over the text beside its tree. */
#ifndef PRICES_LISTING_JSON_H
#define PRICES_LISTING_JSON_H

#include "../base/csv_read.h"

/* As listing_parse. */
bool listing_parse_json(struct str text, const char *name, struct str rows, struct arena *a,
			struct csv_table *table, struct error *err);

#endif
