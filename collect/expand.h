/* A file as the stream of bytes that it holds: as it lies there, or out of gzip (zlib) or Zstandard
 * (libzstd), a block at a time and within limits. Both check what they expand against the sums in
 * it (CRC-32 and length of gzip, XXH64 of a Zstandard frame that has one), so that the end of the
 * stream is also the proof of it. Several gzip members or Zstandard frames one after the other are
 * one stream; anything else behind them is a fault.
 *
 *     expand_open, expand_block until it is empty, expand_close */
#ifndef COLLECT_EXPAND_H
#define COLLECT_EXPAND_H

#include "../base/arena.h"
#include "../base/error.h"
#include "../base/str.h"

#include <sodium.h>
#include <stdbool.h>
#include <stddef.h>

enum expand_how { EXPAND_NONE, EXPAND_GZIP, EXPAND_ZSTD };

/* Hashes of a file as it was sent, of the very bytes that are expanded. */
struct expand_sent {
	crypto_hash_sha256_state sha256;
	crypto_hash_sha512_state sha512;
};

/* Where the bytes come from. */
struct expand_source {
	const char *name;  /* in errors */
	int fd;            /* read from where it stands, and left open; -1: `bytes` */
	struct str bytes;
	struct expand_sent *sent; /* begun, and fed with each byte as it is taken in; NULL: nobody
	                           * asks */
};

struct expand_limits {
	size_t packed;     /* bytes of the file as it was sent */
	size_t expanded;   /* bytes that come out */
	size_t ratio;      /* expanded bytes for each byte taken in so far ... */
	size_t ratio_free; /* ... once more than so many have come out */
	int window_log;    /* Zstandard: log2 of the bytes that a frame may look back, all kept in
	                    * memory */
};

struct expander;

/* limits  kept: they must outlive the expander
 * Errors  ERR_ENVIRONMENT a library that cannot be set up */
bool expand_open(const struct expand_source *from, enum expand_how how,
		 const struct expand_limits *limits, struct arena *a, struct expander **out,
		 struct error *err);
/* block   out: the next bytes, good until the next call; empty at the end of a whole, sound stream
 * Errors  ERR_DATA damaged, cut short, or something behind its end; ERR_RANGE over a limit;
 *         ERR_ENVIRONMENT the file cannot be read */
bool expand_block(struct expander *e, struct str *block, struct error *err);
/* Frees what the libraries hold; NULL is nothing. */
void expand_close(struct expander *e);

#endif
