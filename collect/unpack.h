/* What a contribution may be sent as, and the way to the CSVs in it: a CSV, one compressed with
 * gzip or Zstandard, or a tar archive of CSVs, compressed or not. expand.h expands, libarchive
 * reads the tar; both by blocks, so that memory does not grow with what comes out.
 *
 * An archive is read to its end mark: one that is cut short between two members, or has something
 * behind the mark, is a fault as damaged bytes are. Whoever reads members before the end must be
 * able to forget them: packed.h does. Nothing of an archive is written to a disk and no name in it
 * is a path of one. Times, owners and rights in it are not looked at.
 *
 *     unpack_open, then unpack_next and, for a file, unpack_block until it is empty;
 *     unpack_close */
#ifndef COLLECT_UNPACK_H
#define COLLECT_UNPACK_H

#include "expand.h"
#include "../base/error.h"
#include "../base/str.h"

#include <stdbool.h>
#include <stddef.h>

/* By the ending of the name: nothing is guessed from the bytes. */
enum unpack_kind {
	UNPACK_CSV, UNPACK_CSV_GZ, UNPACK_CSV_ZST, UNPACK_TAR, UNPACK_TAR_GZ, UNPACK_TAR_ZST,
	UNPACK_KINDS,
	UNPACK_UNREAD = UNPACK_KINDS, /* .zip, .xz, …: told, not read */
	UNPACK_OTHER,
};

enum unpack_kind unpack_kind_of(struct str name);
/* First the endings of the kinds that are read, in the order of the enum: ".csv" … ".tar.zst"; then
 * those of other forms of packing that people may try. */
enum { UNPACK_ENDINGS = UNPACK_KINDS + 18 };
extern const struct str unpack_endings[UNPACK_ENDINGS];
/* ".tar.zst" of such a name; empty for a name of another kind. */
struct str unpack_ending(struct str name);
/* Whether files of that kind have members with names of their own. */
bool unpack_is_archive(enum unpack_kind kind);
/* "only .csv, .csv.gz, … are read" */
extern const char unpack_read_kinds[];

/* limits.h says how much is allowed; a test may set its own. */
struct unpack_limits {
	struct expand_limits expand; /* .expanded: of all members together */
	size_t member;               /* expanded bytes of one */
	size_t members;              /* of every type */
	size_t name;                 /* bytes */
};
extern const struct unpack_limits unpack_limits;

enum unpack_type { UNPACK_FILE, UNPACK_FOLDER, UNPACK_LINK, UNPACK_DEVICE, UNPACK_SPARSE };

struct unpack_entry {
	struct str name;     /* any bytes but NUL, as they stand there; empty where it is the file
	                      * itself */
	enum unpack_type type;
	bool has_size;       /* known before it is read: of a tar */
	unsigned long long bytes;
};

struct unpacker;

/* from    for a file, opened for it: unpack_close() leaves it open
 * limits  kept
 * Errors  ERR_ENVIRONMENT a library that cannot be set up */
bool unpack_open(const struct expand_source *from, enum unpack_kind kind,
		 const struct unpack_limits *limits, struct unpacker **out, struct error *err);
/* The next member; what was not read of the one before is passed over.
 * entry   out: its name holds good until the next call
 * there   out: false at the end of a whole, sound file
 * Errors  as expand_block; ERR_DATA no tar archive, a damaged one, one that is cut short or has
 *         something behind its end; ERR_RANGE too many members */
bool unpack_next(struct unpacker *u, struct unpack_entry *entry, bool *there, struct error *err);
/* The next bytes of that member, good until the next call; empty at its end. Errors: as
 * unpack_next. */
bool unpack_block(struct unpacker *u, struct str *block, struct error *err);
void unpack_close(struct unpacker *u); /* NULL is nothing */

#endif
