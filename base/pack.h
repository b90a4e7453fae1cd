/* Numbers and texts one after the other in few bytes, for what this program keeps for itself on
 * this machine (base/cache.h): not a format to exchange. What was put is taken in the same
 * order. */
#ifndef BASE_PACK_H
#define BASE_PACK_H

#include "arena.h"
#include "str.h"

#include <stdbool.h>
#include <stddef.h>

void pack_put_int(struct strbuf *b, long long v); /* a byte where |v| is small */
void pack_put_num(struct strbuf *b, double v);    /* every bit of it; NAN too */
void pack_put_str(struct strbuf *b, struct str s);

/* bad  set by the first thing that is not there or out of its bounds; everything taken after it is
 *      0 or empty, so that it needs to be looked at only once, at the end */
struct unpack {
	struct str rest;
	bool bad;
};

long long unpack_int(struct unpack *u);
/* A whole number below `end`: an index. */
size_t unpack_index(struct unpack *u, size_t end);
/* How many elements follow, each of at least one byte: never more than there are bytes. */
size_t unpack_count(struct unpack *u);
bool unpack_bool(struct unpack *u);
double unpack_num(struct unpack *u);
struct str unpack_str(struct unpack *u); /* points into what is unpacked */
/* Whether all went well and nothing is left. */
bool unpack_end(const struct unpack *u);

#endif
