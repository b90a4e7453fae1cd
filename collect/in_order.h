/* Jobs that several threads do at once, taken and finished one after another: what comes of it does
 * not hang on the number of threads. */
#ifndef COLLECT_IN_ORDER_H
#define COLLECT_IN_ORDER_H

#include "../base/error.h"

#include <stdbool.h>
#include <stddef.h>

/* ctx and the job's memory (job_size bytes, zeroed before it is taken) are handed to each.
 * take    fills the next job; false when there is none. One call at a time
 * work    may run at once with everything else; worker is a number below `threads`, the same as in
 *         take
 * held    bytes that the job holds until it is finished; asked once it has been worked, by the same
 *         thread. NULL: none
 * finish  in the order in which jobs were taken, one call at a time; false stops everything, with
 *         err set
 * drop    instead of finish, for what was taken when everything stopped
 * budget  bytes: while the jobs that have been worked and not finished hold more, none is taken */
struct in_order {
	size_t threads, job_size, budget;
	void *ctx;
	bool (*take)(void *ctx, size_t worker, void *job);
	void (*work)(void *ctx, size_t worker, void *job);
	size_t (*held)(void *ctx, const void *job);
	bool (*finish)(void *ctx, void *job, struct error *err);
	void (*drop)(void *ctx, void *job);
};

/* Jobs of so many are in memory at once for each thread. */
enum { IN_ORDER_AHEAD = 3 };

/* Errors: those of finish. A thread that cannot be started is done without. */
bool in_order_run(const struct in_order *o, struct error *err);

#endif
