/* Which price map reads a listing: the one that is named, or the only one that fits. */
#ifndef PRICES_MAP_CHOICE_H
#define PRICES_MAP_CHOICE_H

#include "price_map.h"
#include "../base/csv_read.h"

/* A listing as its file has it: table and format are known once a map is. */
struct listing_text {
	const char *name; /* for positions */
	struct str text;
};

/* asked      a name of DATA/price_maps without ".ini", or a path with '/' or ".ini"; NULL: the map
 * whose [match] fits the listing table      out: the listing, read as the map says Errors     those
 * of price_map_read and listing_parse; ERR_UNKNOWN no map of that name (the names there are stand
 * in the message); ERR_DATA none fits, or several do; ERR_ENVIRONMENT */
bool map_choose(const char *data_dir, const char *asked, const struct listing_text *listing,
		const struct devices *devices, struct arena *a, struct price_map *map,
		struct csv_table *table, struct error *err);

#endif
