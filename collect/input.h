/* Which contributions are read: files, folders and standard input to a list of inputs.
 * The folder a file lies in is its series; a folder given is searched for CSVs below it, packed
 * ones (unpack.h) too, in byte order. A compressed CSV is one input, an archive one of each CSV in
 * it, in its order, called "runs.tar:folder/file.csv"; the series is that of the archive. What
 * cannot be used of them stands in the list with its fault, and is refused for it. */
#ifndef COLLECT_INPUT_H
#define COLLECT_INPUT_H

#include "collect.h"
#include "packed.h"
#include "limits.h"
#include "row.h"

#include <stdbool.h>

/* Bytes of one file; more is refused. */
#define CONTRIBUTION_MAX LIMIT_BYTES

/* Fills c->inputs, c->series and c->counts; files with a signature come first. A file named twice
 * is read once; series that the edition excludes and files below its trust_least are left out: all
 * of it is told in messages.
 * described  series.csv
 * Errors: ERR_UNKNOWN a series to leave out that neither series.csv nor the paths know;
 * ERR_ENVIRONMENT for a path that is not there, a folder that cannot be read, or when no file is
 * left ("no contributions found in ..."). */
bool input_find(const struct collect_options *opt, struct collection *c,
		const struct series_list *described, struct error *err);

/* For file_read, of an input that is not packed: "-" is standard input. */
const char *input_path(const struct input *input, struct arena *a);

/* SHA-256 of the expanded bytes of a packed input without a fault; else empty. */
struct str input_sum(const struct input *input);

#endif
