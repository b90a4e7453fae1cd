/* Which editions are old enough to go, and taking them away.
 *
 * An edition goes when its date is more than keep_days before that of the newest edition (not before
 * today: nothing here reads the clock), unless
 *   - it is the last of its month and edition name: the newest date, of that the newest revision;
 *   - publish.ini names it in `keep`;
 *   - `latest` points to it, it is the newest of its name, or the newest is compared with it. */
#ifndef PUBLISH_RETENTION_H
#define PUBLISH_RETENTION_H

#include "config.h"
#include "removed.h"
#include "store.h"
#include "../base/arena.h"
#include "../base/error.h"

#include <stdbool.h>

/* The editions of `s` that go, oldest first; none without keep_days. */
void retention_choose(const struct store *s, const struct publish_config *config, struct arena *a,
                      struct removed_list *out);
/* First they are listed in removed.csv, then each is renamed to .removing-FOLDER, then removed: a run that
 * is killed leaves none of them half under its name.
 * Errors: ERR_ENVIRONMENT; those of removed_read() */
bool retention_remove(const char *out_dir, const struct removed_list *old, struct arena *a,
                      struct error *err);

#endif
