/* What a maintainer should look at in the prices at a date, worst first.
 *
 *   fault          a row that was refused, with its place                                  decision
 *   jump           the newest snapshot against the one before (jump.h), at most stale_days
 *                  old and not accepted                                                    decision
 *   unusual        the card price is above 1.5 x the median of the year before (card_price.h)
 *                                                                                          warning
 *   stale          a price that the edition uses is older than stale_days                  warning
 *   missing        a card of the edition's list without any usable price                   warning;
 *                  of an edition without a list: a card that never had one but its list
 *                  price                                                                   note
 *   lapsed         a card that had prices, none of them young enough to be used            note
 *   old-jump       a jump of a snapshot older than stale_days, which nobody can look up any
 *                  more, but not older than drop_days                                      note
 *   single-source  the card price comes from one of several markets only                   note
 *   few-listings   and rests on fewer than 3 listings somewhere                            note
 *
 * A decision is what only a person can settle: mend the row, or accept the jump. */
#ifndef PRICES_CHECK_H
#define PRICES_CHECK_H

#include "accepted.h"
#include "jump.h"
#include "../analyze/quote.h"
#include "../base/error.h"

#include <stdbool.h>
#include <stddef.h>

enum price_check_kind {
	CHECK_FAULT,
	CHECK_JUMP,
	CHECK_UNUSUAL,
	CHECK_STALE,
	CHECK_MISSING,
	CHECK_LAPSED,
	CHECK_OLD_JUMP,
	CHECK_SINGLE_SOURCE,
	CHECK_FEW_LISTINGS,
	CHECK_KIND_COUNT
};

enum price_check_severity { CHECK_DECISION, CHECK_WARNING, CHECK_NOTE };

struct price_finding {
	enum price_check_kind kind;
	enum price_check_severity severity;
	size_t device;                /* index into devices; SIZE_MAX: fault */
	struct str market;            /* of a jump; else those behind the price, blank-separated */
	struct str condition, stat;   /* of a jump; "on-demand" where rent is meant; else empty */
	struct date date, before;     /* of the price; jump: of the one before; INT_MIN: none */
	double price_usd, before_usd; /* before: jump: the price before; unusual: the median of the
				       * year before; NAN: none */
	double change_pct;            /* 100 (price / before - 1); NAN */
	int age_days;                 /* of the price at the date; -1: none */
	struct pos pos;               /* fault, jump: the row */
	struct str text;              /* fault: what is wrong */
};

/* By severity, then kind; jumps by the size of the step, unusual by factor, stale and lapsed the
 * oldest first; else and for ties in the order of devices.csv, then of market, condition and stat.
 */
struct price_check {
	struct price_finding *v;
	size_t n, cap;
	size_t of_kind[CHECK_KIND_COUNT];
	size_t decisions;
	size_t accepted; /* jumps that would need a decision, had nobody accepted them */
};

struct price_check_input {
	const struct price_view *view;   /* conditions: the edition's; its prices are looked at */
	const struct messages *refused;  /* rows that prices_read() refused */
	const struct price_jumps *jumps; /* marked by price_accepted_mark() */
	bool cards;                      /* false: faults and jumps alone */
	struct arena *arena;
};

void price_check_run(const struct price_check_input *in, struct price_check *out);

struct str price_check_kind_name(enum price_check_kind k); /* "jump" … */
struct str price_check_severity_name(
    enum price_check_severity s); /* "decision", "warning", "note" */

#endif
