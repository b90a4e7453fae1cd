/* Jumps that a person looked at and found right: data/price_accepted.csv, so that a check speaks of
 * each only once. No report reads it.
 *
 * Columns  date,device,market,condition,price_usd,by,why: the snapshot, who accepted it, and why.
 * The price is part of it: another price of the same day is another decision. */
#ifndef PRICES_ACCEPTED_H
#define PRICES_ACCEPTED_H

#include "jump.h"
#include "../base/error.h"
#include "../catalogue/device.h"

struct price_accepted_row {
	struct date date;
	struct str name, market, condition_name;
	double price_usd;
	struct str by, why;
	struct pos pos;
	size_t device;
	enum price_condition condition;
};

struct price_accepted {
	const char *path;
	struct price_accepted_row *v;
	size_t n;
};

/* A file that is not there is an empty one.
 * Errors  as csv_read_records; ERR_UNKNOWN a device that the catalogue lacks; ERR_SYNTAX a
 * condition that is none */
bool price_accepted_read(const char *data_dir, const struct devices *devices, struct arena *a,
			 struct price_accepted *out, struct error *err);
/* Sets `accepted` of every jump whose snapshot stands there with that price. */
void price_accepted_mark(const struct price_accepted *accepted, struct price_jumps *jumps);

/* Writes the file anew: its rows, then the jumps that are not accepted yet, each with `by` and
 * `why` (neither empty), and marks them. added   out: how many rows Errors  ERR_ENVIRONMENT */
bool price_accepted_add(const struct price_accepted *accepted, const struct devices *devices,
			struct price_jumps *jumps, struct str by, struct str why, struct arena *a,
			size_t *added, struct error *err);

#endif
