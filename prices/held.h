/* New rows against those that stand in data/prices: a listing may have been brought in before, by
 * hand or under another name, and a price must not count twice.
 *
 * Rows are about the same thing where date, device, market, condition, currency and stat are equal.
 * Of those, rows of equal price and n are `equal`; what is left over pairs up as `differ`. Rows
 * that stand there for a date, market and currency that came now, without a partner, are `only
 * there`. A second minimum or median of one day would contradict the first: a statistic that
 * differs counts as known. Of single prices any number may stand side by side. */
#ifndef PRICES_HELD_H
#define PRICES_HELD_H

#include "import.h"

struct held {
	bool *known; /* of each row of the import: equal, or a statistic that differs */
	size_t nequal, ndiffer, only_here, only_there;
	size_t nknown;
	struct pos first;        /* of the first equal one */
	struct messages details; /* a line for each row that differs or is only here or there */
};

/* data_dir  prices/ in it is read whole; a row there that has no price or no known device is passed
 * over but_for   a file of it that does not count (the one to be written), without the folder; may
 * be NULL Errors    ERR_ENVIRONMENT; ERR_SYNTAX for a file that is no CSV */
bool held_compare(const struct import *im, const char *data_dir, const char *but_for,
		  struct arena *a, struct held *out, struct error *err);

#endif
