/* OUT/removed.csv: the editions that retention took away, so that the archive goes on naming them and none of
 * their folders' names is ever given to another.
 *
 *   folder,id,date,title */
#ifndef PUBLISH_REMOVED_H
#define PUBLISH_REMOVED_H

#include "../base/arena.h"
#include "../base/date.h"
#include "../base/error.h"
#include "../base/str.h"

#include <stdbool.h>
#include <stddef.h>

struct removed {
	struct str folder, id, title;
	struct date date;
};

struct removed_list {
	struct removed *v;
	size_t n;
};

/* No such file is no edition removed. Errors: those of csv_read_records */
bool removed_read(const char *out_dir, struct arena *a, struct removed_list *out, struct error *err);
/* Adds the rows of `more` whose folder is not listed yet; the file is made anew and renamed.
 * Errors: ERR_ENVIRONMENT */
bool removed_add(const char *out_dir, const struct removed_list *more, struct arena *a,
                 struct error *err);
bool removed_has(const struct removed_list *l, struct str folder);

#endif
