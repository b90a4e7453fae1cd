/* Whether to change an owned card for a new one (method: METHOD.md, "Advice").
 *
 * gain   score(candidate) / score(owned) in a class, between peer_low / peer_high and peer_high / peer_low
 * net    price(candidate) - resale, the used price of the owned card; missing where either is
 * words  keep      gain below keep_below, or its lower end not above 1: it may be no gain at all
 *        dear      else, when its score a USD is below dear_below x that of the best value of the class with
 *                  a fresh price: the gain is there, its price is out of proportion
 *        upgrade   else, gain of at least upgrade_from
 *        consider  else
 * A passive card or a module is no candidate for one that sits in a desktop.
 * Candidates are the first picks of the personas (lens card) and the best value of each class. */
#ifndef ANALYZE_UPGRADE_H
#define ANALYZE_UPGRADE_H

#include "gates.h"
#include "pick.h"
#include "value.h"
#include "../base/arena.h"
#include "../base/error.h"

#include <stdbool.h>
#include <stddef.h>

enum upgrade_verdict { UPGRADE_KEEP, UPGRADE_DEAR, UPGRADE_CONSIDER, UPGRADE_YES };
struct str upgrade_verdict_name(enum upgrade_verdict v); /* "keep", "dear", "consider", "upgrade" */

struct upgrade {
	size_t owned, candidate; /* indices into devices */
	enum class_id class;
	double gain, low, high;
	double resale_usd, price_usd, net_usd; /* NAN: not known */
	enum upgrade_verdict verdict;
	struct date resale_date; /* of resale_usd; INT_MIN when that is not known */
};

struct upgrades {
	struct upgrade *v; /* by owned card as listed, candidate in the order of devices.csv, class */
	size_t n;
};

/* Owned cards that the edition does not have, and classes where either card has no measured or scaled
 * score, give no row. */
void upgrade_compute(const struct pick_input *in, const struct personas *personas,
		     const struct picks *picks, const struct values *values, struct arena *a,
		     struct upgrades *out);
/* upgrades.csv: owned,candidate,class,gain,low,high,resale_usd,price_usd,net_usd,verdict,
 * resale_date.
 * Errors: ERR_ENVIRONMENT. */
bool upgrade_write(const struct upgrades *u, const struct devices *devices, const char *path,
		   struct arena *a, struct error *err);

#endif
