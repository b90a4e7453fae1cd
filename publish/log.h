/* OUT/publish.log and OUT/publish.jsonl: one line a run, for people and for programs. The only place where
 * the clock is read. Both grow for ever; rotating them is the administrator's.
 *
 *   2026-11-30T02:10:04Z published 2026-11-30 in 1.423 s: 1 price file new (id 2026-11-30-0123456789ab; …)
 *   {"time":"2026-11-30T02:10:04Z","result":"published","folder":"2026-11-30",…} */
#ifndef PUBLISH_LOG_H
#define PUBLISH_LOG_H

#include "../base/arena.h"
#include "../base/error.h"
#include "../base/str.h"

#include <stdbool.h>
#include <stddef.h>

enum publish_result { PUBLISH_NEW, PUBLISH_UNCHANGED, PUBLISH_FAILED, PUBLISH_LOCKED };
struct str publish_result_name(enum publish_result r); /* "published" "unchanged" "failed" "locked" */

struct log_entry {
	enum publish_result result;
	struct str time;        /* from log_time(): when the run began */
	double seconds;
	struct str folder, id;  /* of the edition made or found, also where what came after failed; empty: none */
	struct str moves;       /* inputs_moves(); empty: nothing, or not known */
	struct str reason;      /* of a failure, with its place; empty: none */
	size_t removed;         /* editions that retention took away */
	bool counted;           /* whether the counts below are known: data were read */
	size_t files, files_refused, accepted, rejected, set_aside, devices, refused_prices;
};

/* Now, in UTC, to the second. */
struct str log_time(struct arena *a);
struct str log_line(const struct log_entry *e, struct arena *a);
struct str log_json(const struct log_entry *e, struct arena *a);
/* Adds a line to both. Errors: ERR_ENVIRONMENT; the second is tried all the same when the first fails. */
bool log_write(const char *out_dir, const struct log_entry *e, struct arena *a, struct error *err);

#endif
