/* Holds an edition's folder to its MANIFEST (format: render/manifest.h), so that a file that was
 * cut or changed after the edition was made is not taken for the edition. */
#ifndef ANALYZE_SEAL_H
#define ANALYZE_SEAL_H

#include "../base/arena.h"
#include "../base/error.h"
#include "../base/str.h"

#include <stdbool.h>
#include <stddef.h>

struct seal_line {
	struct str path, sha256;
	struct str size; /* as it stands there: digits or "-", but nothing is checked */
};

struct seal {
	const char *dir;
	const char *file; /* DIR/MANIFEST; NULL: there is none, as when only `analyze` has run */
	struct seal_line *v;
	size_t n, cap;
};

/* text    of a MANIFEST; file names it in positions
 * Errors  ERR_SYNTAX a line that is not "sha256  size  path", or no line end at its end */
bool seal_parse(struct str text, const char *file, struct arena *a, struct seal *out,
		struct error *err);
/* DIR/MANIFEST. Errors: ERR_ENVIRONMENT; as seal_parse */
bool seal_read(const char *dir, struct arena *a, struct seal *out, struct error *err);

/* names   n paths below the folder that are about to be read; without a MANIFEST nothing is checked
 * Errors  ERR_DATA a file whose SHA-256 is not the listed one, a listed file that is missing, one
 *         that lies in the folder and is not listed; each with the file's name */
bool seal_check(const struct seal *s, const char *const *names, size_t n, struct error *err);

#endif
