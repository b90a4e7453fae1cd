/* Contributions from the sources into data/contributions: what each source offers tonight is
 * compared with the ledger by content, what is new is read by collect, and what collect can use
 * becomes a contribution. Nothing there is ever overwritten or deleted; nothing that one source
 * does stops another.
 *
 *   new       not seen before: the sum of accepted, held and changed
 *   accepted  now data/contributions/SERIES/NAME.csv; under NAME-<8 digits of its SHA-256>.csv
 *             where the name is taken, of whatever case. Or its signature is now, which came later
 *             than the file that lies there
 *   held      collect can use no row of it, or it is too large, a link, an unusable name, or its
 *             signature does not hold (hold.h)
 *   changed   other bytes under a name that this source gave before: held too. With `accept` it
 *             becomes NAME-2.csv, -3 …; rows of both count then, and lines for data/overrides.csv
 *             that set the old ones aside are written into the spool. Or another signature than
 *             that which lies beside the same bytes, or one that came later for bytes which
 *             another source gave first: held, and with `accept` too
 *   same      accepted or held before, or the same bytes as another contribution (taken once)
 *   vanished  accepted before and gone at the source: it stays
 *   failed    the source, or single files of it, could not be had this time
 *
 * Spool: ROOT/spool (git, rsync, read: may be deleted; held, replaced: for a person to look at). */
#ifndef FETCH_FETCH_H
#define FETCH_FETCH_H

#include "source.h"
#include "../base/date.h"

enum fetch_outcome {
	FETCH_ACCEPTED,
	FETCH_HELD,
	FETCH_CHANGED,
	FETCH_SAME,
	FETCH_VANISHED,
	FETCH_FAILED,
	FETCH_WAITS
};

/* What is said of one file, or of the source where origin is empty. */
struct fetch_event {
	enum fetch_outcome outcome;
	struct str origin, stored, reason; /* stored: "SERIES/FILE.csv", or empty */
};

struct fetch_result {
	const struct fetch_source *source;
	size_t accepted, held, changed, same, vanished, failed;
	size_t held_before; /* of `same` */
	struct fetch_event *events;
	size_t n, cap;
};

struct fetch_options {
	const char *root;
	const char *program;     /* this program, to read files with */
	struct str reference;    /* any device of the catalogue */
	struct date today;       /* for the ledger */
	bool accept;             /* takes changed files and reads held ones again */
	bool dry_run;            /* the spool is filled, nothing else is written */
};

/* Sources in the order given, one result each; where it returns false, those not tried count as
 * failed. Errors: ERR_ENVIRONMENT and ERR_SYNTAX the ledger or data/contributions cannot be read or
 *         written; a source that fails is none */
bool fetch_run(const struct fetch_options *opt, const struct fetch_source *const *sources, size_t n,
	       struct arena *a, struct fetch_result *results, struct error *err);
struct str fetch_outcome_name(enum fetch_outcome outcome);

#endif
