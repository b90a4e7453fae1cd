/* The stage as its parts, for whoever runs it in a process of its own (collect/boxed.h) or keeps
 * what it gave (collect/store.h). */
#ifndef COLLECT_STAGE_H
#define COLLECT_STAGE_H

#include "collect.h"
#include "output.h"
#include "../base/pack.h"

#include <stdbool.h>
#include <stddef.h>

/* collect_run() without its last step, output_write(): writes nothing but the cache, and what does
 * not fit into memory (collect_options.scratch_fd). */
bool stage_make(const struct collect_options *opt, const struct devices *devices, struct arena *a,
                struct messages *messages, struct collect_tables *tables,
                struct collect_summary *summary, struct error *err);

/* The summary and the messages from `first` on.
 * Errors  ERR_RANGE more than LIMIT_MESSAGES of them: then it packs none */
bool stage_pack(struct strbuf *b, const struct messages *m, size_t first,
                const struct collect_summary *summary, struct error *err);
/* The way back; the messages are added to m, at most LIMIT_MESSAGES. Whether all was there:
 * unpack_end(). */
void stage_unpack(struct unpack *u, struct messages *m, struct collect_summary *summary);

#endif
