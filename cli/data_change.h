/* What the commands that change data/ have in common: fetch, and prices import, check --accept,
 * fetch. */
#ifndef CLI_DATA_CHANGE_H
#define CLI_DATA_CHANGE_H

#include "options.h"

#include "../base/arena.h"
#include "../base/date.h"
#include "../base/error.h"
#include "../base/str.h"

#include <stdbool.h>

/* The lock ROOT/data/.lock, held until the program ends; what may be written over is read after it.
 * false where another run holds it: *status is 3. */
bool data_lock(const char *root, struct arena *a, int *status, struct error *err);
/* Who accepts: the login name. The environment is not asked: cron has little of it. */
struct str data_user(struct arena *a);
/* The day in UTC, of SOURCE_DATE_EPOCH where that is set: to be kept with what comes in, nothing is
 * decided by it. */
struct date data_today(const struct options *opt);

#endif
