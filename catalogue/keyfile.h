/* Reads an INI file (with inih) into its pairs, each with its line.
 *   ; comment            # comment            key = value ; comment behind a blank
 * Lines stand alone, of any length; blanks in front do not matter. */
#ifndef CATALOGUE_KEYFILE_H
#define CATALOGUE_KEYFILE_H

#include "../base/arena.h"
#include "../base/error.h"
#include "../base/str.h"

#include <stdbool.h>
#include <stddef.h>

struct keyfile_pair {
	struct str section, key, value; /* trimmed; value may be empty */
	struct pos pos;                 /* its line */
};

struct keyfile {
	const char *file;
	struct keyfile_pair *v; /* in the order of the file */
	size_t n, cap;
};

/* Errors: ERR_SYNTAX for a line that is no comment, [section] or key = value; for text that is not
 *         UTF-8 or holds a NUL; for a key that one section gives twice (its first line is named);
 *         ERR_ENVIRONMENT. */
bool keyfile_read(const char *path, struct arena *a, struct keyfile *out, struct error *err);
/* The same from text; `name` is kept in every position. */
bool keyfile_parse(struct str text, const char *name, struct arena *a, struct keyfile *out,
		   struct error *err);

/* The value as a number from least to most. Errors: ERR_SYNTAX, ERR_RANGE, with its line. */
bool keyfile_number(const struct keyfile_pair *p, double least, double most, double *out,
		    struct error *err);

#endif
