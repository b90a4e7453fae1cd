/* Which edition a new one is compared with. */
#ifndef CLI_PREDECESSOR_H
#define CLI_PREDECESSOR_H

#include "context.h"
#include "../publish/store.h"

#include <stdbool.h>

struct predecessor {
	const char *dir;    /* to compare with; NULL: none */
	const char *newest; /* the newest edition of the name in OUT, of any date; NULL: none */
};

/* --previous DIR, or with none of that the newest edition of the same name and an earlier date in
 * OUT; "none" is none. One in OUT that cannot be read (of another format, damaged) is a message on
 * standard error, and the next older one is taken.
 * c        context_open() with prices: name and date of the edition
 * s        the editions in OUT
 * Errors   of an edition that --previous names those of edition_comparable() */
bool predecessor_find(struct context *c, const struct store *s, struct predecessor *out,
                      struct error *err);

#endif
