/* The bytes of the contributions, one after another, cut into parts that threads can read. Where a
 * file is cut hangs on its bytes alone. */
#ifndef COLLECT_SOURCE_H
#define COLLECT_SOURCE_H

#include "packed.h"
#include "plan.h"
#include "row.h"
#include "signature.h"
#include "../base/arena.h"
#include "../base/csv_scan.h"
#include "../base/csv_split.h"
#include "../base/error.h"
#include "../base/sha256.h"
#include "../base/str.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CHUNK_BYTES = 4 << 20 };

/* How files of the same bytes are told: by their SHA-256, or by a quick hash after which this must
 * be compared (copies.h). */
enum source_sum { SUM_NONE, SUM_QUICK, SUM_SHA256 };

/* What is told of one part. Of a file of one part the plan is made by who reads it, who also makes
 * the sum and feeds the signature. */
struct source_part {
	size_t file;
	bool first, last;       /* of the file; the last may be empty */
	struct csv_chunk *chunk; /* NULL: the part is empty */
	struct plan *plan;      /* NULL: none yet, or there is no header */
	char sum[SHA256_TEXT + 1]; /* with the last: hex digits of the sum that was wanted; else
	                            * empty */
	bool whole;             /* the file is of one part */
	enum source_sum sum_wanted; /* of a file of one part: who reads it makes it by
	                             * source_sum_whole() */
	struct signature_check *signature; /* NULL: not signed. Who reads the last part ends it */
	bool too_many_lines;
	struct file_identity identity; /* as it was opened; zero: it lies nowhere as it is read */
	struct error err;       /* the file cannot be read, or is refused: it or its signature is
	                         * over a limit (ERR_RANGE), it became shorter, or it or its
	                         * signature was changed meanwhile (ERR_SYNTAX), or its signature
	                         * cannot be checked (ERR_DATA) */
};

/* What is kept from one member of an archive to the next; zeroed to begin. */
struct source_archives {
	struct packed_reader reader;
	const struct packed *checked; /* whose signature was looked at: */
	struct signature_check *signature; /* NULL: it could not be checked */
	struct error err;             /* for this */
};
void source_archives_close(struct source_archives *a); /* after the last */

/* The file that is being cut. */
struct source {
	const struct collection *c;
	size_t file, part;
	bool open;
	enum source_sum sum_wanted;
	struct source_archives *archives;
	struct arena arena;     /* what is in memory is held in it */
	struct csv_file on_disk;
	struct file_identity identity; /* of it */
	struct str in_memory;   /* standard input, or what was packed */
	size_t at;
	struct csv_chunks chunks;
	struct plan *plan;
	struct signature_check *signature;
	crypto_hash_sha256_state sum;
	uint64_t quick;
};

/* Begins c->inputs[file].
 * archives  the same from file to file
 * Errors: ERR_ENVIRONMENT; ERR_RANGE for a file of more than CONTRIBUTION_MAX bytes, and an input
 * over a limit (input->over_limit); ERR_SYNTAX for one with another fault (input.h), and a packed
 * file that was changed since it was found; as signature_begin() */
bool source_open(struct source *s, const struct collection *c, size_t file,
                 enum source_sum sum_wanted, struct source_archives *archives, struct error *err);
/* The next part, in `chunk`; s->open is false after the last. */
void source_next(struct source *s, struct csv_chunk *chunk, struct source_part *part);
/* The sum of a file of one part, by who reads it. */
void source_sum_whole(struct source_part *part);
/* Ends early, or after the last part. */
void source_close(struct source *s);

#endif
