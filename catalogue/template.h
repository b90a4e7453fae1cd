/* The maintainer's files in templates/: page, style sheet, message catalogue. */
#ifndef CATALOGUE_TEMPLATE_H
#define CATALOGUE_TEMPLATE_H

#include "../base/arena.h"
#include "../base/error.h"
#include "../base/str.h"

#include <stdbool.h>

/* Errors: as file_read and template_check. */
bool template_read(const char *path, struct arena *a, struct str *out, struct error *err);

/* Pages are declared as UTF-8, so what goes into them must be. `file` stands in the position.
 * Errors: ERR_SYNTAX with line and column (in characters) of the first byte that is not. */
bool template_check(struct str text, const char *file, struct error *err);

#endif
