/* Files and folders: read whole, written aside and renamed, listed in byte order. */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include "arena.h"
#include "error.h"
#include "str.h"

#include <stdbool.h>
#include <stddef.h>

struct file_list {
	struct str *v;
	size_t n, cap;
};

/* Reads a whole regular file, at most `limit` bytes (0: no limit). The result ends in a NUL
 * beyond len. ERR_ENVIRONMENT when it cannot be read, ERR_RANGE when it is larger. */
bool file_read(const char *path, size_t limit, struct arena *a, struct str *out, struct error *err);
/* Writes beside `path` (to `path`.part, through no link), fsyncs and renames, so that the name
 * never holds half a file. */
bool file_write(const char *path, struct str data, struct error *err);
/* Adds to the end in one write, so that two programs that do so at once do not mix their lines, and
 * fsyncs; the file is made if it is not there. It may be a device; a FIFO that nobody reads is
 * ERR_ENVIRONMENT. */
bool file_append(const char *path, struct str data, struct error *err);
bool file_make_dirs(const char *path, struct error *err); /* mkdir -p */
/* Makes a file without a name in `dir`, which must be there, to write to and to read back: whatever
 * ends the program ends it too. No program that is run has it open, and it takes the place of no
 * standard stream that is closed. Returns its descriptor, or -1.
 * Errors: ERR_ENVIRONMENT with the folder */
int file_make_unnamed(const char *dir, struct error *err);
/* rm -r of a folder that this program made; links in it are removed, never followed. What is put
 * into it meanwhile goes too, for a second. */
bool file_remove_tree(const char *path, struct error *err);
bool file_exists(const char *path);
bool file_is_dir(const char *path);
bool file_is_link(const char *path);
/* Regular files below `dir` whose names end in `suffix`, paths relative to dir, in byte order.
 * recursive goes into folders. Hidden names (a leading dot) and everything that is not a regular
 * file or a folder (links, devices, sockets) are passed over and named in `skipped` if given; a
 * link without the suffix only where it leads to a folder that would have been gone into. */
bool file_list(const char *dir, const char *suffix, bool recursive, struct arena *a,
               struct file_list *out, struct messages *skipped, struct error *err);
/* The same for names that end in one of several suffixes. */
bool file_list_any(const char *dir, const struct str *suffixes, size_t nsuffixes, bool recursive,
		   struct arena *a, struct file_list *out, struct messages *skipped,
		   struct error *err);
/* Puts `dir` before the names of what was passed over, from message `from` on. */
void file_skipped_in(const char *dir, size_t from, struct messages *skipped);
struct str file_join(struct arena *a, struct str dir, struct str name);

/* SHA-256 (FIPS 180-4) of data as 64 lower-case hex digits. */
struct str file_sha256(struct arena *a, struct str data);

/* What a file holds, without keeping it in memory. */
struct file_sum {
	struct str sha256;
	size_t bytes;
};
/* Errors: as file_read. */
bool file_hash(const char *path, struct arena *a, struct file_sum *out, struct error *err);
/* Copies a regular file to a new name, which must not be there; not fsynced (file_sync_tree). `out`
 * is of the bytes copied. On failure the new file is removed. */
bool file_copy(const char *from, const char *to, struct arena *a, struct file_sum *out,
               struct error *err);
/* Whether both are regular files of the same bytes; false also where one cannot be read. */
bool file_same(const char *one, const char *other);

/* fsyncs every file and folder below path, path itself last, and takes the right to write from the
 * files (not from the folders: they can be removed). What is there afterwards outlives a power
 * failure.
 * Errors: ERR_ENVIRONMENT, also for what is neither file nor folder. */
bool file_sync_tree(const char *path, struct error *err);
/* fsyncs one folder: the names in it. */
bool file_sync_dir(const char *path, struct error *err);
/* Makes `path` a symbolic link to target, by rename, so that the name is never missing. What is
 * there must be a link. Errors: ERR_ENVIRONMENT */
bool file_point_link(const char *path, const char *target, struct error *err);

#endif
