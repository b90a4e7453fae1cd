/* Which contributions are read: files, folders and standard input to a list of inputs.
 * The folder a file lies in is its series; a folder given is searched for *.csv below it, in
 * byte order. */
#ifndef COLLECT_INPUT_H
#define COLLECT_INPUT_H

#include "collect.h"
#include "limits.h"
#include "row.h"

#include <stdbool.h>

enum { CONTRIBUTION_MAX = LIMIT_BYTES }; /* bytes of one file; more is refused */

/* Fills c->inputs, c->series and c->counts; files with a signature come first. A file named twice is read
 * once; series that the edition excludes and files below its trust_least are left out: all of it is
 * told in messages.
 * described  series.csv
 * Errors: ERR_UNKNOWN a series to leave out that neither series.csv nor the paths know;
 * ERR_ENVIRONMENT for a path that is not there, a folder that cannot be read, or when no file is
 * left ("no contributions found in ..."). */
bool input_find(const struct collect_options *opt, struct collection *c,
		const struct series_list *described, struct error *err);

/* For file_read: "-" is standard input. */
const char *input_path(const struct input *input, struct arena *a);

#endif
