/* OUT/failed.txt: why the last run failed. It is there exactly while that is so; the archive page
 * shows its text. */
#ifndef PUBLISH_BANNER_H
#define PUBLISH_BANNER_H

#include "log.h"
#include "../base/arena.h"
#include "../base/error.h"
#include "../base/str.h"

#include <stdbool.h>

/* standing  the folder that `latest` points to; empty: there is no edition yet
 * Errors    ERR_ENVIRONMENT */
bool banner_write(const char *out_dir, const struct log_entry *e, struct str standing,
                  struct arena *a, struct error *err);
/* Empty where there is none (or it cannot be read, or is longer than a banner of ours). */
struct str banner_read(const char *out_dir, struct arena *a);
/* That there is none is no error. Errors: ERR_ENVIRONMENT */
bool banner_remove(const char *out_dir, struct arena *a, struct error *err);

#endif
