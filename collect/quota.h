/* How much of everything one file may bring (limits.h), counted while its parts are merged. */
#ifndef COLLECT_QUOTA_H
#define COLLECT_QUOTA_H

#include "row.h"

#include <stdbool.h>
#include <stddef.h>

/* The names that were known before the file. */
struct quota {
	size_t machines, frameworks, sources;
};

struct quota quota_begin(const struct collection *c);
/* Whether the file is over a limit already, after so many rows: it is refused in the end, and needs no more memory
 * until then. */
bool quota_is_over(const struct quota *q, const struct collection *c, size_t rows);
/* At its end, with all that was merged of it. Errors: ERR_RANGE at pos, naming the limit and what was found. */
bool quota_check(const struct collection *c, size_t rows, struct pos pos, struct error *err);

#endif
