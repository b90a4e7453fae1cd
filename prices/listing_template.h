/* Templates of a price map, filled from a row: "cloud:{slug Cloud}:{Name|GPU Type}" (price_map.h).
 */
#ifndef PRICES_LISTING_TEMPLATE_H
#define PRICES_LISTING_TEMPLATE_H

#include "../base/csv_read.h"

/* What the fields stand for. */
struct template_row {
	const struct csv_table *table;
	const struct csv_row *row;
	struct str name, market, source; /* @name, @market, @source */
};

/* The first of the columns (parted by '|') that is there and not empty, or the first of them
 * that is there. */
struct cell listing_cell(const struct csv_table *t, const struct csv_row *row,
			 const struct str *columns, size_t n);

/* Whether each field of the template is a special one or has a column in the table.
 * Errors  ERR_DATA at pos: the field that the listing cannot fill */
bool listing_template_check(struct str text, struct pos pos, const struct csv_table *t,
			    struct error *err);
/* The text as it is filled in, without blanks at its ends: what of it goes into a file is looked at first
 * (base/name.h). */
struct str listing_template_fill(struct str text, const struct template_row *r, struct arena *a);
/* Whether the template has the field: "@market". */
bool listing_template_has(struct str text, struct str field);

/* "Latitude.sh" is "latitude-sh". */
struct str listing_slug(struct str s, struct arena *a);

#endif
