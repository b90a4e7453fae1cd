/* A listing as a table of text cells with places: CSV (base/csv_read.h) or JSON.
 * JSON: an array of objects, alone or as a member of the object at the top. The columns are the
 * members in the order of their first mention; a string is its text, null an empty text, anything
 * else stands as it is written: "2.5", "true", "[249.99, 264.99]". A member that an object lacks is
 * a cell without a place (line 0).
 * The text is a stranger's: sizes, depth and counts are limited, and nothing is guessed. */
#ifndef PRICES_LISTING_H
#define PRICES_LISTING_H

#include "price_map.h"
#include "../base/csv_read.h"

enum {
	LISTING_BYTES_MAX = 16 << 20,
	LISTING_ROWS_MAX = 200000,
	LISTING_COLUMNS_MAX = 1000,
	LISTING_CELLS_MAX = 4000000
};

/* JSON where the text begins with '{' or '[', else CSV. */
enum price_map_format listing_format(struct str text);

/* rows    JSON: the member that holds the array; empty: the text is the array
 * table   out: header and rows; `name` is kept in every position
 * Errors  those of csv_parse_text; ERR_SYNTAX for text that is no JSON, is nested too deep, has no
 *         such array, anything but objects in it, or one member of an object twice, and for a CSV
 *         header that names a column twice; ERR_RANGE over the limits */
bool listing_parse(struct str text, const char *name, enum price_map_format format, struct str rows,
		   struct arena *a, struct csv_table *table, struct error *err);

#endif
