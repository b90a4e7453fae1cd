/* What is said when a run is stopped from outside (Ctrl-C, a shutdown, the end of a terminal):
 * where the results stand and how to go on. Files need nothing: they are whole after every
 * workload. A thread waits for the signal, since a handler may not print and has no state of its
 * own; signals that the caller ignores (nohup) stay ignored. */
#ifndef BENCH_INTERRUPT_H
#define BENCH_INTERRUPT_H

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>

struct interrupt {
	_Atomic(const char *) path; /* of the results; NULL: there are none yet */
	sigset_t set, before;
	pthread_t thread;
	int wake; /* one of the set: ends the wait once `ended` is set */
	atomic_bool ended;
	bool running;
};

/* Before any other thread is started, so that none of them takes the signal. The process ends by
 * the signal, as it would without this. */
void interrupt_begin(struct interrupt *i);
void interrupt_end(struct interrupt *i);

#endif
