/* The CSVs of a packed contribution: found in a first pass over all of it, which also judges it,
 * and read in further ones. All or nothing: a file that is damaged, cut short or over a limit gives
 * none of its members, also not those that came whole before the fault.
 *
 * Of an archive only regular files count. Their names say where a row came from and how
 * data/overrides.csv names it; they are no path of anything. Refused each, while the others go on:
 * a name that is absolute, leads upwards, is not UTF-8, is too long, has control characters or
 * marks that turn the direction of text, or stands twice (nobody could say which is meant: neither
 * is read); links, devices, pipes, sparse files; archives and compressed files (nothing is opened
 * that lies in an archive); a file over LIMIT_MEMORY_BYTES. Passed over: folders, hidden names, and
 * what does not end in .csv. */
#ifndef COLLECT_PACKED_H
#define COLLECT_PACKED_H

#include "unpack.h"
#include "../base/arena.h"
#include "../base/error.h"
#include "../base/identity.h"
#include "../base/sshsig.h"
#include "../base/str.h"

#include <stdbool.h>
#include <stddef.h>

struct packed_member {
	struct str name;    /* without "./"; of a fault as it may be shown; empty: the file is its
	                     * own member */
	struct str fault;   /* why it is refused; empty: it can be read */
	bool over_limit;    /* for its length or that of its name */
	struct str sha256;  /* of its expanded bytes */
	size_t bytes;       /* of the same */
	size_t entry;       /* its place among all members of the archive */
	bool duplicate;
};

/* What the first pass found. */
struct packed {
	const char *path;
	enum unpack_kind kind;
	const struct unpack_limits *limits;
	struct packed_member *v; /* in the order of the archive */
	size_t n, cap;
	struct str fault;        /* why nothing of it is used; empty: sound */
	bool over_limit;         /* for one of its limits */
	size_t hidden, others;   /* members passed over: hidden names; files that are no CSV */
	struct file_identity identity; /* to know the file again */
	struct sshsig_sums sent; /* packed_look_signed(): of the file as it was sent, made in the
	                          * pass that made the sums of its members. Of a file with a fault
	                          * it says nothing */
};

/* The first pass.
 * kind    one that unpack.h reads, UNPACK_CSV too
 * limits  kept; NULL: those of limits.h
 * out     in `a`; a file with a fault is no error
 * Errors  ERR_ENVIRONMENT it cannot be read, or is no regular file */
bool packed_look(const char *path, enum unpack_kind kind, const struct unpack_limits *limits,
		 struct arena *a, struct packed *out, struct error *err);
/* The same for a file that is signed: what is signed is what was sent. */
bool packed_look_signed(const char *path, enum unpack_kind kind, const struct unpack_limits *limits,
			struct arena *a, struct packed *out, struct error *err);

/* A place in one packed file. Members that are asked for in their order are read in one pass; any
 * other order works and costs a new one. Not for two threads at once: each has its own. Zero it to
 * begin. */
struct packed_reader {
	const struct packed *of;
	struct unpacker *unpacker;
	int fd;
	size_t next; /* the entry that unpack_next() gives next */
};

/* To the beginning of one member, v[i] without a fault; its bytes then come by packed_block().
 * Errors  ERR_DATA the file is another one than at the first pass; ERR_ENVIRONMENT it cannot be
 *         read */
bool packed_seek(struct packed_reader *r, const struct packed *p, size_t i, struct error *err);
/* Empty at the end of the member. Errors: as unpack_block. */
bool packed_block(struct packed_reader *r, struct str *block, struct error *err);
/* All of a member; the text ends in a NUL beyond len. Errors: of both; ERR_DATA when it is not of
 * the length of the first pass. Whoever hashes the text compares it with sha256. */
bool packed_text(struct packed_reader *r, const struct packed *p, size_t i, struct arena *a,
		 struct str *text, struct error *err);
void packed_close(struct packed_reader *r);

#endif
