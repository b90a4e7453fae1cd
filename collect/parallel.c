#include "parallel.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <unistd.h>

size_t parallel_threads(size_t wanted)
{
	long cores = sysconf(_SC_NPROCESSORS_ONLN);
	size_t n = wanted ? wanted : cores > 0 ? (size_t)cores : 1;

	return n < THREADS_MAX ? n : THREADS_MAX;
}

struct shared {
	bool (*work)(void *ctx, size_t i, struct error *err);
	void *ctx;
	size_t n, batch;
	atomic_size_t next;
	atomic_bool failed;
};

struct worker {
	struct shared *shared;
	struct error err;
	size_t failed_at;
};

static void *run(void *arg)
{
	struct worker *w = arg;
	struct shared *s = w->shared;

	while (!atomic_load(&s->failed)) {
		size_t i = atomic_fetch_add(&s->next, s->batch), end = i + s->batch;
		if (i >= s->n)
			break;
		for (; i < end && i < s->n; i++)
			if (!s->work(s->ctx, i, &w->err)) {
				w->failed_at = i;
				atomic_store(&s->failed, true);
				return NULL;
			}
	}
	return NULL;
}

bool parallel_for(size_t threads, size_t n, size_t batch,
		  bool (*work)(void *ctx, size_t i, struct error *err), void *ctx,
		  struct error *err)
{
	struct shared shared = { .work = work, .ctx = ctx, .n = n, .batch = batch };
	struct worker workers[THREADS_MAX], *worst = NULL;
	pthread_t ids[THREADS_MAX];
	bool started[THREADS_MAX] = { false };
	size_t useful = n / batch + 1;

	threads = threads < THREADS_MAX ? threads : THREADS_MAX;
	threads = threads < useful ? threads : useful;
	threads = threads ? threads : 1;
	for (size_t i = 0; i < threads; i++)
		workers[i] = (struct worker){ .shared = &shared, .failed_at = SIZE_MAX };
	for (size_t i = 1; i < threads; i++)
		started[i] = pthread_create(&ids[i], NULL, run, &workers[i]) == 0;
	run(&workers[0]); /* this thread is one of them */
	for (size_t i = 1; i < threads; i++)
		if (started[i])
			pthread_join(ids[i], NULL);
	for (size_t i = 0; i < threads; i++)
		if (workers[i].failed_at < (worst ? worst->failed_at : SIZE_MAX))
			worst = &workers[i];
	if (worst)
		*err = worst->err;
	return !worst;
}
