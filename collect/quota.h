/* How much of everything one file may bring, and all files together (limits.h), counted while the
 * parts of the file are merged. */
#ifndef COLLECT_QUOTA_H
#define COLLECT_QUOTA_H

#include "row.h"

#include <stdbool.h>
#include <stddef.h>

/* Whether the file is over a limit of its own already, after so many rows: it is refused in the
 * end, and needs no more memory until then. */
bool quota_is_over(const struct collection *c, size_t rows);
/* At its end, with all that was merged of it. The limits of all files (c->limits) are asked with
 * the file: it is refused where it would be too much, and does not count then; a smaller one behind
 * it may still be within them. Errors: ERR_RANGE at pos, naming the limit and what was found. */
bool quota_check(const struct collection *c, size_t file, size_t rows, struct pos pos,
		 struct error *err);

#endif
