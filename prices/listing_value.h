/* What the cells of a listing say, by the rules of its map (price_map.h). */
#ifndef PRICES_LISTING_VALUE_H
#define PRICES_LISTING_VALUE_H

#include "price_map.h"
#include "../base/date.h"

enum amount_kind {
	AMOUNT_GOOD,
	AMOUNT_MISSING,  /* empty, a placeholder, an empty list */
	AMOUNT_SENTINEL, /* a number that stands for "not sold here" */
	AMOUNT_BAD       /* no number */
};

struct amount {
	enum amount_kind kind;
	double value;    /* as written, of any size; NAN unless good */
	struct str text; /* what it was read from */
};

/* The prices of one cell: one, or with list = each as many as the list has (one missing one for
 * "[]"). With list = lowest the lowest good one stands for all; one bad item spoils it. */
size_t listing_amounts(const struct price_map *m, struct str cell, struct arena *a,
		       struct amount **out);

/* GB of "8", "8 GB", "16384 MiB" or "V100 16384 MiB"; NAN for anything else. GiB count as GB, as
 * makers of cards have it. */
double listing_memory_gb(struct str cell);
/* A whole number from 1 to 1e6, maybe written "8.0"; false for anything else. */
bool listing_count(struct str cell, double *out);
/* A day in the map's form; false where it is none. */
bool listing_date(enum price_map_date form, struct str cell, struct date *out);
/* The name without the map's prefixes and suffixes. A suffix is a word of its own. */
struct str listing_name(const struct price_map *m, struct str cell);

#endif
