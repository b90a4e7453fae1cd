/* When a contributor's newer file was accepted beside the older one, rows of both count. This
 * writes spool/replaced/SERIES-FILE: the lines that, put into data/overrides.csv, set every row of
 * the old file aside. A person decides: the newer file may just as well be more measurements. */
#ifndef FETCH_REPLACED_H
#define FETCH_REPLACED_H

#include "../base/error.h"

#include <stdbool.h>

/* old    "SERIES/FILE.csv" below contributions, or of another kind that collect reads: its lines
 *        are then for each CSV in it, in SERIES-FILE.tar.csv
 * newer  the same of the file that was accepted
 * path   out: of what was written
 * Errors ERR_ENVIRONMENT; a file that is gone, or no CSV any more, makes lines of none of its
 * rows */
bool replaced_write(const char *spool, const char *contributions, struct str old, struct str newer,
		    struct arena *a, struct str *path, struct error *err);

#endif
