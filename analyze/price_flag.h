/* What must be said beside a price: a set of bits, written as words in the column `status`. */
#ifndef ANALYZE_PRICE_FLAG_H
#define ANALYZE_PRICE_FLAG_H

#include "../base/arena.h"
#include "../base/str.h"
#include "../catalogue/say.h"

enum price_flag {
	PRICE_FLAG_STALE = 1,         /* a price in it is older than stale_days */
	PRICE_FLAG_SINGLE_SOURCE = 2, /* one of several markets, or one provider, only */
	PRICE_FLAG_FALLBACK = 4,      /* none of the edition's markets had one */
	PRICE_FLAG_USED = 8,          /* a used price is in it */
	PRICE_FLAG_UNUSUAL = 16,      /* above 1.5 x the median of the year before, same markets */
	PRICE_FLAG_FEW_LISTINGS = 32, /* a price in it rests on fewer than 3 listings */
	PRICE_FLAG_MISSING = 64,      /* no usable price; the numbers are NAN */
	/* Whole systems: what the host and the electricity in it rest on. */
	PRICE_FLAG_HOST_STALE = 1 << 7,    /* the host's figure is older than stale_days */
	PRICE_FLAG_HOST_OLD = 1 << 8,      /* and than drop_days: no complete host is newer */
	PRICE_FLAG_HOST_PARTIAL = 1 << 9,  /* parts of the host are not in the figure: too low */
	PRICE_FLAG_HOST_LARGER = 1 << 10,  /* the host holds more cards than are put into it */
	PRICE_FLAG_TARIFF_OLD = 1 << 11,   /* the tariff is older than drop_days */
	PRICE_FLAG_TARIFF_LATER = 1 << 12, /* the tariff is of a day after the edition's date */
	/* Why a system has no price; beside MISSING. */
	PRICE_FLAG_NOT_FOR_HOST = 1 << 13,  /* no card for a slot: SXM, OAM, laptop, cloud only */
	PRICE_FLAG_SLOTS_UNKNOWN = 1 << 14, /* the catalogue does not state its form factor */
	PRICE_FLAG_NO_HOST = 1 << 15,       /* no host for so many cards is known at the date */
	PRICE_FLAG_NO_TDP = 1 << 16,        /* the catalogue does not state its power */
	PRICE_FLAG_NO_TARIFF = 1 << 17,     /* no electricity price is known at all */
	/* Cloud. */
	PRICE_FLAG_PER_CHIP = 1 << 18, /* the rent is for one chip of a board that holds several */
	/* What is said of the electricity: no matter of the lens system. */
	PRICE_FLAGS_TARIFF = PRICE_FLAG_TARIFF_OLD | PRICE_FLAG_TARIFF_LATER | PRICE_FLAG_NO_TARIFF,
};

/* The flags as blank-separated words in the order of the enum, "stale host-partial"; "ok" for none.
 */
struct str price_flags_text(struct arena *a, unsigned flags);
/* The same for a sentence: "from one market only, used"; empty for none. */
struct str price_flags_words(struct arena *a, unsigned flags);
/* The same as a message: a list of flag.NAME. */
struct say price_flags_said(struct arena *a, unsigned flags);
/* The names alone as a list of flag-name.NAME, separated by blanks in English. */
struct say price_flags_names(struct arena *a, unsigned flags);

#endif
