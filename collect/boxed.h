/* The stage in a process of its own that can do nothing but read its inputs: whatever a
 * contribution makes the reading do, no file is written or removed, no program run, nothing sent,
 * and no other file read than the contributions, the catalogue and the cache. Standard input too is
 * read there alone.
 *
 * The child makes the tables and hands them back, within limits (limits.h); this process, which has
 * read none of the contributions, writes them, and the entries of the cache. So a child that dies
 * leaves nothing behind, and its memory is free when the next stage begins. What a child that was
 * taken over can still do is to give wrong numbers, in this run and, by the cache, in later ones:
 * the cache may be removed. */
#ifndef COLLECT_BOXED_H
#define COLLECT_BOXED_H

#include "collect.h"
#include "../base/sandbox.h"

#include <stdbool.h>

/* How it went, beside the result. */
struct collect_box {
	struct sandbox_state state; /* what the kernel granted */
	struct str words;           /* what the child said on standard error: box.h */
};

/* The error of a child that a signal ended begins so: the contributions made it crash. */
#define COLLECT_BOX_CRASHED "collect: its process was ended by signal"

/* As collect_run(); box is out. Errors: besides those, ERR_ENVIRONMENT for a child that did not
 * come to its end. Call it while there is one thread. */
bool collect_boxed(const struct collect_options *opt, const struct devices *devices,
                   struct arena *a, struct messages *messages, struct collect_summary *summary,
                   struct collect_box *box, struct error *err);

#endif
