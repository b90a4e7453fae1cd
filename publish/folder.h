/* A folder that a stranger may have filled: an edition that was downloaded and unpacked. No link in
 * it is followed, at no part of a path; nothing in it is waited for (a FIFO); nothing is written.
 * The folder itself may be named by a link (OUT/latest). */
#ifndef PUBLISH_FOLDER_H
#define PUBLISH_FOLDER_H

#include "../base/arena.h"
#include "../base/error.h"
#include "../base/str.h"

#include <stdbool.h>
#include <stddef.h>

struct folder {
	int fd;
	const char *path; /* for messages */
};

enum folder_kind { FOLDER_FILE, FOLDER_LINK, FOLDER_OTHER /* a device, a socket, a FIFO */ };

struct folder_entry {
	struct str name; /* path below the folder, in the bytes of the file system */
	enum folder_kind kind;
};

struct folder_list {
	struct folder_entry
	    *v; /* in byte order of the names; folders are gone into and not listed */
	size_t n, cap;
};

struct folder_sum {
	struct str sha256;
	size_t bytes;
};

enum { FOLDER_DEPTH_MAX = 32, FOLDER_ENTRIES_MAX = 200000 };

/* Errors: ERR_ENVIRONMENT it is not there, or no folder. What was opened needs folder_close(). */
bool folder_open(const char *path, struct folder *out, struct error *err);
void folder_close(struct folder *f);

/* Everything below, hidden names too.
 * Errors  ERR_ENVIRONMENT; ERR_RANGE deeper than FOLDER_DEPTH_MAX, more than FOLDER_ENTRIES_MAX */
bool folder_list(const struct folder *f, struct arena *a, struct folder_list *out,
		 struct error *err);
/* NULL: not there. */
const struct folder_entry *folder_find(const struct folder_list *l, struct str name);

/* The functions below read one regular file; anything else is ERR_ENVIRONMENT "… not a regular
 * file", a link on the way "… Too many levels of symbolic links" or "… Not a directory". limit
 * bytes, > 0; more is ERR_RANGE */
bool folder_read(const struct folder *f, struct str name, size_t limit, struct arena *a,
		 struct str *out, struct error *err);
/* The SHA-256, piece by piece: the file may be larger than the memory. */
bool folder_hash(const struct folder *f, struct str name, size_t limit, struct arena *a,
		 struct folder_sum *out, struct error *err);
/* Into a new file `to`, with the sum of what was copied, so that nothing can change between the
 * look and the use. */
bool folder_copy(const struct folder *f, struct str name, size_t limit, const char *to,
		 struct arena *a, struct folder_sum *out, struct error *err);

#endif
