/* Opening what strangers may have put there: no pipe is waited for, and no link followed but where
 * it is said. */
#ifndef BASE_OPEN_H
#define BASE_OPEN_H

#include "arena.h"
#include "error.h"
#include "str.h"

#include <dirent.h>

struct stat;

/* A regular file, to be read; the path may lead over links. -1 where it is none, or cannot be read.
 * st      out: of the open file
 * Errors  ERR_ENVIRONMENT, with the path */
int open_regular(const char *path, struct stat *st, struct error *err);
/* What lies below an open folder, part by part of its path, so that no part of it can be a link,
 * and no folder on the way become one meanwhile. That the path does not lead upwards, and of what
 * kind its last part is, is for the caller to ask. -1 with errno. */
int open_below(int folder, struct str path, struct arena *a);
/* A folder that is no link, in an open one (or AT_FDCWD); to be closed with closedir(). NULL with
 * errno. */
DIR *open_folder(int parent, const char *name);

/* close() between a call that failed and whoever asks why: errno stays. */
void open_drop(int fd);

#endif
