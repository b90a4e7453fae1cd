/* Which contributions are read: files, folders and standard input to a list of inputs.
 * The folder a file lies in is its series; a folder given is searched for CSVs below it, packed
 * ones (unpack.h) too, in byte order. A compressed CSV is one input, an archive one of each CSV in it, in
 * its order, called "runs.tar:folder/file.csv"; the series is that of the archive. What cannot be used of
 * them stands in the list with its fault: input_read() is not for it. */
#ifndef COLLECT_INPUT_H
#define COLLECT_INPUT_H

#include "collect.h"
#include "packed.h"
#include "limits.h"
#include "row.h"

#include <stdbool.h>

enum { CONTRIBUTION_MAX = LIMIT_BYTES }; /* bytes of one file; more is refused */

/* Fills c->inputs, c->series and c->counts. A file named twice is read once; series that the
 * edition excludes are left out: both are told in a message.
 * described  series.csv
 * Errors: ERR_UNKNOWN a series to leave out that neither series.csv nor the paths know;
 * ERR_ENVIRONMENT for a path that is not there, a folder that cannot be read, or when no file is
 * left ("no contributions found in ..."). */
bool input_find(const struct collect_options *opt, struct collection *c,
		const struct series_list *described, struct error *err);

/* For file_read, of an input that is not packed: "-" is standard input. */
const char *input_path(const struct input *input, struct arena *a);

/* The bytes of an input without a fault, expanded where it is packed; the text ends in a NUL beyond len.
 * r       where the member before was read; inputs in the order of the list cost one pass an archive
 * Errors  those of file_read and packed_text */
bool input_read(const struct input *input, struct packed_reader *r, struct arena *a, struct str *text,
		struct error *err);
/* SHA-256 of the same where the first pass has told it; else empty. */
struct str input_sum(const struct input *input);

#endif
