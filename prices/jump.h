/* Jumps: the newest snapshot of a price (snapshot.h) against the one before it of the same kind. It
 * jumped when it lies more than JUMP_PCT above or below: |new / old - 1| > 0.30. A snapshot that is
 * more than max_gap_days older is no measure. */
#ifndef PRICES_JUMP_H
#define PRICES_JUMP_H

#include "../base/arena.h"
#include "../base/date.h"
#include "../base/str.h"
#include "../catalogue/price.h"

#include <stdbool.h>
#include <stddef.h>

enum { JUMP_PCT = 30, JUMP_GAP_DAYS = 720 /* the default of an edition's drop_days */ };

struct price_jump {
	size_t device; /* index into devices */
	struct str market, stat, currency;
	enum price_condition condition;
	bool per_hour;
	struct date before, date;     /* of the two snapshots */
	double before_usd, price_usd; /* of a card, or of a device-hour */
	double change_pct;            /* 100 (price / before - 1) */
	struct pos pos;               /* of the cheapest row of the snapshot */
	bool accepted;                /* see accepted.h; false as found */
};

/* By device, market, condition, stat, currency. */
struct price_jumps {
	struct price_jump *v;
	size_t n;
};

/* known  what is there already
 * fresh  n rows that came now, in any order: only their newest snapshot of each kind is looked at,
 *        against the one before it among both. NULL: the newest of `known`.
 * date   rows after it do not exist; INT_MAX as its day: all count */
void price_jumps_find(const struct prices *known, const struct price *fresh, size_t n,
		      struct date date, int max_gap_days, struct arena *a, struct price_jumps *out);

#endif
