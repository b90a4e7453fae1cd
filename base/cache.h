/* What was computed before, by the hash of all that it depends on. It may be deleted at any time,
 * wholly or in part, and never changes a byte of output: an entry that is absent, cut or changed is
 * a miss, and a write that fails is no error.
 *
 * DIR/XX/KEY, XX the first two digits of KEY, holds the SHA-256 of key and data, then the data. A
 * file is written aside and renamed, so that runs side by side and threads may share a cache. It is
 * not synchronised to the disk: what a power cut leaves of it is a miss.
 *
 * Nothing here goes by the clock. DIR/run holds the number of the run, and an entry's time of
 * modification is the number, in seconds, of the last run that used it. */
#ifndef BASE_CACHE_H
#define BASE_CACHE_H

#include "arena.h"
#include "str.h"

#include <stdbool.h>
#include <stddef.h>

struct cache; /* NULL: no cache: every get misses, every put does nothing */

enum {
	CACHE_ENTRY_MAX = 256 << 20, /* bytes; more is not kept */
	CACHE_RUNS = 12,             /* cache_sweep() keeps what one of so many runs used */
};

/* dir is made when the first entry is put. */
struct cache *cache_open(const char *dir, struct arena *a);

/* A key is made of parts, each with its length, so that no two lists of parts make one key. The
 * first part names the kind and its format ("collect 1"). The identity of this program and of the
 * libraries that it runs with (their builds, not only their versions) is always part of it. */
struct cache_key;
struct cache_key *cache_key_begin(const char *kind, struct arena *a);
/* The parts so far, for several keys that begin alike. */
struct cache_key *cache_key_copy(const struct cache_key *k, struct arena *a);
void cache_key_add(struct cache_key *k, struct str part);
/* The bytes of a number: a double that differs in its last bit is another part. */
void cache_key_add_number(struct cache_key *k, double v);
/* 64 hex digits, in the arena of the key, which is used up. */
struct str cache_key_end(struct cache_key *k);

/* false: a miss. out: ends in a NUL beyond its length */
bool cache_get(struct cache *c, struct str key, struct arena *a, struct str *out);
void cache_put(struct cache *c, struct str key, struct str data);
/* Marks an entry as used without reading it: what stands behind it was not needed this time. */
void cache_keep(struct cache *c, struct str key);
/* For a process that may write nothing (base/box.h): from here on puts, and marks of what was used,
 * are listed in the open file instead of carried out; gets go on.
 * most    bytes of the list: what does not fit is not put */
void cache_list(struct cache *c, int fd, size_t most);
/* Does what was listed. A list that is cut or no list is carried out as far as it reads. */
void cache_carry_out(struct cache *c, struct str listed);
const char *cache_dir(const struct cache *c);
/* Removes entries that none of the last CACHE_RUNS runs asked for or put, and what a run that was
 * killed left aside; everything else in DIR is left alone. A run that put nothing made the cache no
 * larger: it removes nothing and does not count. Ends the run: call it once, when nobody uses the
 * cache. */
void cache_sweep(struct cache *c);

#endif
