/* What the parts of `gpuguide prices` that change data/ have in common. */
#ifndef CLI_PRICES_USER_H
#define CLI_PRICES_USER_H

#include "../base/arena.h"
#include "../base/error.h"
#include "../base/str.h"

#include <stdbool.h>

/* Who accepts a jump: the login name. The environment is not asked: cron has little of it. */
struct str prices_user(struct arena *a);
/* The lock on data/, held until the program ends. false where another run holds it: *status is 3.
 */
bool prices_lock(const char *data_dir, struct arena *a, int *status, struct error *err);

#endif
