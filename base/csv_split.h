/* Cuts CSV text into chunks that begin and end where rows do, so that several threads can scan
 * them, and reads a large file or a stream in such chunks. Whether a newline ends a row is told by
 * the number of quotes before it; where that is not so, the scan of the chunk before it finds a
 * fault, and the text is refused.
 *
 *     struct csv_chunks c;                    one, under a lock when several threads ask
 *     struct csv_chunk chunk = { .arena = a } one a thread, used again
 *
 *     csv_chunks_begin(&c, source, name, 8 << 20, CSV_LEVEL_BEST);
 *     while (csv_chunks_next(&c, &chunk, &err) && !chunk.over)
 *             csv_chunk_scan(&chunk, level, scratch, &scan), csv_scan_next ... csv_fault_add in
 *             order of number
 */
#ifndef BASE_CSV_SPLIT_H
#define BASE_CSV_SPLIT_H

#include "arena.h"
#include "csv_scan.h"
#include "error.h"
#include "identity.h"
#include "str.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Quotes and line ends (LF, CRLF or CR) in a text; a CR at its end counts. */
struct csv_count {
	size_t quotes, lines;
};
struct csv_count csv_count(struct str text, enum csv_level level);

/* A count that goes on as a text is read, while its bytes are near; zeroed to begin. */
struct csv_counting {
	struct csv_count sum; /* of the first `at` bytes */
	size_t at;
	uint64_t cr;          /* 1: the last of them is a CR */
};
/* Counts on in the text, from its beginning to where whole blocks end. */
void csv_count_on(struct csv_counting *k, struct str text, enum csv_level level);
/* csv_count() of a text of which k has counted some. */
struct csv_count csv_count_rest(const struct csv_counting *k, struct str text,
				enum csv_level level);

/* Length of the first chunk of a text that begins where a row does.
 * want    bytes it should have at most; it has more when the first row has
 * first   the text begins a file: the chunk holds its header row
 * final   nothing comes behind the text
 * Returns 0 when more of the text must be known to tell, but not more than `want` (or the
 *         header, with empty lines before it) and one row. A row longer than CSV_ROW_MAX is cut:
 *         its scan finds the fault. */
size_t csv_split(struct str text, size_t want, bool first, bool final, enum csv_level level);
/* The same where some of the text is counted: no more than `want`. */
size_t csv_split_counted(struct str text, size_t want, bool first, bool final,
			 const struct csv_counting *k, enum csv_level level);

/* Where the bytes come from. read gives at most max bytes, *got == 0 at the end, and false with err
 * set when it cannot; it is called by one thread at a time. */
struct csv_source {
	bool (*read)(void *ctx, char *to, size_t max, size_t *got, struct error *err);
	void *ctx;
};

/* A regular file, read by pread: when it shrinks meanwhile, that is an error, and never a fault of
 * memory. */
struct csv_file {
	const char *path;
	int fd;
	size_t at, size;
	struct file_identity identity; /* as it was opened */
};
/* Errors: ERR_ENVIRONMENT, also for what is no regular file. */
bool csv_file_open(struct csv_file *f, const char *path, struct error *err);
void csv_file_close(struct csv_file *f);
struct csv_source csv_file_source(struct csv_file *f);

struct csv_chunk {
	struct arena *arena;  /* of the buffer, which grows and is used again */
	char *buffer;
	size_t cap;
	struct str text;      /* in the buffer */
	struct pos at;        /* of its first byte in the file */
	size_t number;        /* from 0 */
	char separator;
	bool over;            /* there was no more text: this is none */
};

struct csv_chunks {
	struct csv_source source;
	const char *name;
	size_t size;          /* bytes of a chunk, but for one with a longer row */
	enum csv_level level;
	struct arena arena;   /* of what was read behind the chunk */
	char *rest;
	size_t rest_len, rest_cap;
	bool ended;
	size_t number;
	size_t line;          /* of the next chunk, with its column. Behind the last it only tells
	                       * whether it is less than INT_MAX */
	int col;
	char separator;
};

void csv_chunks_begin(struct csv_chunks *c, struct csv_source source, const char *name, size_t size,
                      enum csv_level level);
/* The next chunk, whose `over` is set behind the last. An empty file gives one empty chunk, for its
 * fault.
 * Errors: those of the source */
bool csv_chunks_next(struct csv_chunks *c, struct csv_chunk *chunk, struct error *err);
void csv_chunks_end(struct csv_chunks *c);
/* A second reader that goes on from where c stands, and leaves c as it is: csv_chunks_end() it.
 * Both read from one source, which is put back for c by whoever asks. */
void csv_chunks_ahead(const struct csv_chunks *c, struct csv_chunks *ahead);
/* csv_scan_begin or csv_scan_chunk, as the chunk's number wants it. */
void csv_chunk_scan(const struct csv_chunk *chunk, enum csv_level level, struct arena *a,
		    struct csv_scan *s);

#endif
