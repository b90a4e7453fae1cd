/* One price of a listing on its way to a row: read cell by cell, until something refuses it. */
#ifndef PRICES_IMPORT_PRICE_H
#define PRICES_IMPORT_PRICE_H

#include "import.h"
#include "listing_value.h"

/* In the order of import.h; they open the tally, and the map's own reasons follow. */
enum import_reason {
	REFUSE_SHORT_ROW,
	REFUSE_DUPLICATE,
	REFUSE_NO_PRICE,
	REFUSE_SENTINEL,
	REFUSE_NOT_A_NUMBER,
	REFUSE_NO_DATE,
	REFUSE_AFTER_DATE,
	REFUSE_NO_CURRENCY,
	REFUSE_NO_CONDITION,
	REFUSE_DEVICE_NOT_KNOWN,
	REFUSE_DEVICE_NOT_CLEAR,
	REFUSE_OTHER_MEMORY,
	REFUSE_NO_COUNT,
	REFUSE_NO_MARKET,
	REFUSE_OUT_OF_RANGE,
	REFUSE_REPEATED,
	REFUSE_REASON_COUNT
};

/* The row it stands in and what is known so far. */
struct candidate {
	const struct csv_table *table;
	const struct csv_row *row;
	struct cell cell;  /* of the price */
	struct str column; /* its name */
	struct str name;   /* of the card, stripped */
	double count;      /* of cards that it pays for */
	double usd_per_unit;
	struct import_row out;
};

/* Uses or refuses the price that was read as `amount`; c has table, row, cell, column and name. */
void import_take_amount(struct import *im, struct candidate *c, const struct price_map_price *p,
			const struct amount *amount);

#endif
