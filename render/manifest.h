/* MANIFEST: the size and SHA-256 of all that an edition was made from and consists of.
 *
 *   sha256  size  path
 *
 * in byte order of the path. Inputs have the path "input:PATH" and come from DIR/data/inputs.csv
 * (columns path,sha256 and, if there, bytes; "-" stands where it is not), and lie in
 * DIR/inputs/PATH where they are kept; everything else is a file below DIR. The edition id is
 * DATE-HASH: the first 12 hex digits of the SHA-256 over the lines of the inputs and of DIR/data/,
 * so that neither the page formats nor the drawings change it. */
#ifndef RENDER_MANIFEST_H
#define RENDER_MANIFEST_H

#include "../base/arena.h"
#include "../base/date.h"
#include "../base/error.h"
#include "../base/str.h"

#include <stdbool.h>
#include <stddef.h>

struct manifest_line {
	struct str path, sha256;
	struct str size; /* bytes in digits, or "-" */
};

struct manifest {
	struct manifest_line *v;
	size_t n, cap;
};

/* Lists inputs and DIR/data/.
 * Errors: ERR_ENVIRONMENT; a faulty inputs.csv as csv_read_records; ERR_DATA a path with a line
 * break. */
bool manifest_inputs(const char *out_dir, struct arena *a, struct manifest *out, struct error *err);
struct str manifest_edition_id(const struct manifest *inputs, struct date date, struct arena *a);
/* Lists inputs and every file below DIR but MANIFEST itself, its signatures (MANIFEST.sig,
 * MANIFEST.minisig), inputs/ and hidden ones. */
bool manifest_all(const char *out_dir, struct arena *a, struct manifest *out, struct error *err);
struct str manifest_text(const struct manifest *m, struct arena *a);

#endif
