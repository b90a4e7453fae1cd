/* Advice: what to buy under a wish, why, and at which price that changes (method: METHOD.md, "Advice").
 *
 * Cards that fail a gate (gates.h) are removed; the others are ranked
 *   value  by score a USD of the lens, its interval low score / high price to high score / low price
 *   speed  by score; equal ones the cheaper first
 * and then by their order in devices.csv. As in values.csv a card is tied while its upper end reaches the
 * lower end of the one above. Several cards run independent jobs: n times the work at n times the cost,
 * so the ranking is that of one card.
 * Flip prices are costs of one card in the lens:
 *   flips_below_usd  value: the runner-up wins below score(runner-up) / value(this)
 *   flips_above_usd  this one loses above score(this) / value(runner-up) (value), and in any case above
 *                    budget / gpus, where it leaves the budget
 * A wish that no card meets gets the nearest possible: the cards that fail the fewest gates, none of them
 * for want of a score or price. */
#ifndef ANALYZE_PICK_H
#define ANALYZE_PICK_H

#include "gates.h"
#include "../base/arena.h"
#include "../base/error.h"
#include "../catalogue/say.h"
#include "../catalogue/text.h"

#include <stdbool.h>
#include <stddef.h>

enum pick_status {
	PICK_FOUND,
	PICK_KEEP,    /* nothing is enough of a gain over the owned card */
	PICK_NEAREST, /* no card meets the wish; the rows say what must give */
	PICK_NONE,    /* no card with a score and a price at all, or no class of the wish */
};
struct str pick_status_name(enum pick_status s); /* "found", "keep", "nearest", "none" */

enum { PICK_ROWS_MAX = 3 };

struct pick_row {
	int rank;         /* from 1 */
	size_t device;    /* index into devices; SIZE_MAX: no card at all */
	size_t runner_up; /* index into devices; SIZE_MAX: none */
	struct say rule, deciding;
	struct say reason; /* what else must be said; for PICK_NEAREST what must give */
	double flips_below_usd, flips_above_usd; /* NAN: does not apply */
	double cost_usd;                         /* of all cards together; NAN */
	double score, low, high;                 /* of one card; low and high are peer ends (gates.h) */
	bool tie;
};

struct pick {
	struct pick_wish wish;
	const struct persona *persona; /* NULL: from the command line */
	enum pick_status status;
	struct candidate *v; /* all of the edition: the ranked, best first, then the removed in its order */
	size_t n, nranked;
	struct pick_row rows[PICK_ROWS_MAX];
	size_t nrows;
	struct str agrees; /* the guide's card is ours: yes; is tied with it: tie; no; empty: nothing to compare */
};

struct picks {
	struct pick *v; /* in the order of the personas */
	size_t n;
};

void pick_compute(const struct pick_input *in, const struct pick_wish *w, struct arena *a,
		  struct pick *out);
/* One pick a persona. */
void picks_compute(const struct pick_input *in, const struct personas *personas, struct arena *a,
		   struct picks *out);

/* How many cards a gate removed first. */
size_t pick_removed_count(const struct pick *p, enum gate g);
/* The first failed gate of a removed candidate. */
enum gate candidate_first_gate(const struct candidate *c);

/* Amounts as they stand in the sentences: "$1,049", "$49.99" (num_usd()); "0.74". */
struct str pick_usd(struct arena *a, double usd);
struct say pick_money(struct arena *a, double usd);
/* To the cent where it is not `other` and would read the same: one that is over a limit. */
struct say pick_money_beside(struct arena *a, double usd, double other);
/* A budget as it was given: whole, or to the cent. */
struct say pick_money_given(struct arena *a, double usd);
struct str pick_figure(struct arena *a, double v);

/* picks.csv: persona,rank,device,rule,deciding,runner_up,flips_below_usd,title,status,cost_usd,score,low,high,
 * flips_above_usd,tie,lens,guide_pick,agrees,reason,asks,guide_why,gpus,rule_msg,deciding_msg,reason_msg; a pick without a card is a row without rank and device.
 * english  the catalogue of the sentences; *_msg hold them as messages (catalogue/say.h)
 * Errors: as text_say; ERR_ENVIRONMENT. */
bool picks_write(const struct picks *p, const struct devices *devices,
		 const struct text_catalogue *english, const char *path, struct arena *a,
		 struct error *err);
bool picks_csv(const struct picks *p, const struct devices *devices,
	       const struct text_catalogue *english, struct arena *a, struct str *out,
	       struct error *err);
/* pick_removed.csv: persona,device,reason (every failed gate, separated by "; "), gates (the same as
 * words: analyze/pick_rules.h), reason_msg. */
bool picks_write_removed(const struct picks *p, const struct pick_input *in,
			 const struct text_catalogue *english, const char *path, struct arena *a,
			 struct error *err);

#endif
