/* Files that were sent again under another name: they would count as repeats of their runs. Two
 * files of a series are copies of one another where their SHA-256 is the same. Most files are known
 * by a quick sum only (source.h), for which anybody can make another file: those whose quick sums
 * agree are read once more for their SHA-256. */
#ifndef COLLECT_COPIES_H
#define COLLECT_COPIES_H

#include "row.h"
#include "../base/error.h"
#include "../base/str.h"

#include <stdbool.h>
#include <stddef.h>

/* Enters a file that was read to its end.
 * sum     of its bytes: SHA256_TEXT hex digits of SHA-256, or fewer of a quick sum; all of a size
 *         in a series have one kind
 * again   out: whether an earlier file that was not refused has the same bytes;  first: that one
 * Errors  ERR_SYNTAX it cannot be told: one of the two was changed since it was read, or is gone;
 *         in words that follow "the file is refused: " */
bool copies_find(struct collection *c, size_t file, struct str sum, bool *again, size_t *first,
		 struct error *err);

#endif
