/* Files that were not accepted: spool/held/SOURCE/KEY-NAME with KEY-NAME.reason.txt beside it, for
 * a person to look at. KEY is the first 16 hex digits of what was held: the SHA-256 of the bytes
 * (of a signed file also of its signature, which is not kept; where only the signature is held, it
 * is KEY-NAME.sig), or, of a file that was not read, of its name, size and fault. */
#ifndef FETCH_HOLD_H
#define FETCH_HOLD_H

#include "../base/arena.h"
#include "../base/error.h"
#include "../base/str.h"

#include <stdbool.h>

struct hold {
	const char *spool;
	struct str source;
	struct str key;    /* the whole of it, 64 hex digits */
	struct str name;   /* a safe one */
	struct str origin;
	struct str text;   /* empty: it was not read, only the reason is kept */
	struct str reason, advice;
};

/* Whether exactly this was held before. */
bool hold_stands(const struct hold *h, struct arena *a);
/* most   files that may be held of one source: a source that sends other rubbish every night fills
 *        no disk. ERR_RANGE when there are as many; ERR_ENVIRONMENT */
bool hold_keep(const struct hold *h, size_t most, struct arena *a, struct error *err);
/* It was accepted after all. */
void hold_release(const struct hold *h, struct arena *a);

#endif
