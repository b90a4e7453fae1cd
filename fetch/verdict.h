/* Whether collect can use a file: it is read by the collect stage itself, in a process of its own
 * with limits, so that a file that breaks the reader breaks nothing else. */
#ifndef FETCH_VERDICT_H
#define FETCH_VERDICT_H

#include "../base/arena.h"
#include "../base/error.h"
#include "../base/str.h"

#include <stdbool.h>

struct verdict_reader {
	const char *program;   /* this program */
	const char *root;      /* holds data/ */
	const char *scratch;   /* absolute; a folder of the reader's own */
	struct str reference;  /* any device of the catalogue: an edition has to name one */
};

struct verdict {
	bool usable;       /* at least one row was accepted or set aside */
	int accepted, refused, set_aside;
	/* of a file that is not usable; the first refusal of one that is, or empty */
	struct str reason;
};

/* file       its name, ending in .csv or what else collect reads
 * signature  empty: it has none. A file whose signature does not hold is not usable
 * Errors: ERR_ENVIRONMENT the reader could not run: that says nothing about the file. */
bool verdict_of(const struct verdict_reader *v, struct str series, struct str file, struct str text,
		struct str signature, struct arena *a, struct verdict *out, struct error *err);

#endif
