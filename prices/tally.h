/* Why prices of a listing were not used: how many for each reason, and about what.
 * Cases of one reason are told apart by their subject: the name that no one knows, the text that is
 * no number. */
#ifndef PRICES_TALLY_H
#define PRICES_TALLY_H

#include "../base/error.h"
#include "../base/map.h"
#include "../base/str.h"

enum { TALLY_CASES_MAX = 20000 }; /* of a reason; the last one stands for all that come after */

struct tally_case {
	size_t n;
	struct pos pos;  /* of the first */
	struct str text; /* of the first: column: what was read, what was wanted */
};

struct tally_reason {
	struct str name;
	size_t n;                 /* prices */
	struct tally_case *cases; /* in the order of their first mention */
	size_t ncases, cap;
};

/* Reasons stand in the order in which they were opened. */
struct tally {
	struct arena *arena;
	struct tally_reason *v;
	size_t n, cap;
	struct map cases; /* by reason and subject */
};

/* Index of a reason, opened where it is new. */
size_t tally_open(struct tally *t, struct str name);
/* n prices more for the reason. */
void tally_add(struct tally *t, size_t reason, struct str subject, size_t n, struct pos pos,
	       const char *fmt, ...) __attribute__((format(printf, 6, 7)));
size_t tally_sum(const struct tally *t);
/* The cases with the most prices first, then in the order of their first mention; at most `limit`,
 * for which there is room in out. Returns how many. */
size_t tally_largest(const struct tally_reason *r, size_t limit, struct arena *a,
		     const struct tally_case **out);

#endif
