/* The same work on many things by several threads: what comes out may not hang on who does
 * which. */
#ifndef COLLECT_PARALLEL_H
#define COLLECT_PARALLEL_H

#include "../base/error.h"

#include <stdbool.h>
#include <stddef.h>

enum { THREADS_MAX = 64 };

/* Threads to use: all that the machine has for 0, and never more than THREADS_MAX. */
size_t parallel_threads(size_t wanted);

/* Calls work(ctx, i, err) once for every i below n, in no particular order; a thread takes `batch`
 * of them at once. Where calls fail, the error is that of the lowest i that was tried.
 * Errors: those of work(); a thread that cannot be started is done without. */
bool parallel_for(size_t threads, size_t n, size_t batch,
		  bool (*work)(void *ctx, size_t i, struct error *err), void *ctx,
		  struct error *err);

#endif
