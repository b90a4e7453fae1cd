/* Cards that nobody should buy at their price (method: METHOD.md, "Advice").
 *
 * Card X is dominated by card Y in a class when
 *   Y costs no more, has at least as much memory, and is surely faster: peer_low(Y) > peer_high(X).
 * A passive card or a module speaks against no card for a desktop.
 * If Y has less memory than X but the other two hold, X is dominated only for work that fits into Y: the
 * exception names Y's memory. Of several Y the one counts that dominates X in most classes; where all have
 * less memory, the one with the most; then the cheapest; then the first in devices.csv.
 * Prices are those of the lens card; stale ones count only where no card has a fresh one.
 * Named exceptions come from data/personas.ini, section [avoid.YEAR], whether the rule finds the card or not. */
#ifndef ANALYZE_AVOID_H
#define ANALYZE_AVOID_H

#include "gates.h"
#include "../base/arena.h"
#include "../base/error.h"
#include "../catalogue/say.h"
#include "../catalogue/text.h"

#include <stdbool.h>
#include <stddef.h>

struct avoid {
	size_t device;       /* index into devices */
	enum class_id class; /* CLASS_COUNT: a named exception that the rule did not find */
	size_t by;           /* index into devices; SIZE_MAX then */
	double cost_usd, by_cost_usd, score, by_score;
	double memory_gb, by_memory_gb; /* what a program finds */
	struct say exception; /* "only if more than 11 GB are needed"; may be empty */
	bool everywhere;      /* the card is dominated, without a memory exception, in every class it has a score in */
};

struct avoids {
	struct avoid *v; /* by device as in the edition, then by class as in the edition */
	size_t n;
};

void avoid_compute(const struct pick_input *in, const struct personas *personas, struct arena *a,
		   struct avoids *out);
/* avoid.csv: device,class,dominated_by,cost_usd,by_cost_usd,memory_gb,by_memory_gb,score,by_score,exception,
 * everywhere,exception_msg. Errors: as text_say; ERR_ENVIRONMENT. */
bool avoid_write(const struct avoids *v, const struct devices *devices,
		 const struct text_catalogue *english, const char *path, struct arena *a,
		 struct error *err);

#endif
