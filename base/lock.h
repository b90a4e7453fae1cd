/* One run at a time: a lock on a file that the kernel drops with the process, however it ends. */
#ifndef BASE_LOCK_H
#define BASE_LOCK_H

#include "error.h"

#include <stdbool.h>

/* path    made if it is not there; it stays
 * *taken  false: another process holds it. It is held until this process ends.
 * Errors  ERR_ENVIRONMENT */
bool lock_take(const char *path, bool *taken, struct error *err);

#endif
