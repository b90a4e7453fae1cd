#include "in_order.h"

#include "parallel.h"
#include "../base/arena.h"

#include <pthread.h>
#include <string.h>

struct slot {
	void *job;
	size_t held; /* where it has been worked */
	bool worked;
};

struct queue {
	const struct in_order *o;
	pthread_mutex_t lock; /* of what follows */
	pthread_cond_t moved; /* a job was finished, or everything stopped */
	struct slot *slots;   /* of job n: slots[n % nslots] */
	size_t nslots;
	size_t taken, finished;
	size_t held;            /* by jobs that have been worked and not finished */
	bool taking, finishing; /* by some thread, without the lock */
	bool ended;             /* there is nothing more to take */
	bool stopped;
	struct error err;
};

struct worker {
	struct queue *q;
	size_t number;
};

/* Finishes what is ready, unless another thread is at it: that one sees what has become ready
 * meanwhile. */
static void finish_ready(struct queue *q)
{
	if (q->finishing)
		return;
	q->finishing = true;
	while (!q->stopped && q->finished < q->taken && q->slots[q->finished % q->nslots].worked) {
		struct slot *s = &q->slots[q->finished % q->nslots];
		pthread_mutex_unlock(&q->lock);
		bool good = q->o->finish(q->o->ctx, s->job, &q->err);
		pthread_mutex_lock(&q->lock);
		s->worked = false;
		q->held -= s->held;
		q->finished++;
		q->stopped = q->stopped || !good;
		pthread_cond_broadcast(&q->moved);
	}
	q->finishing = false;
}

/* Nobody waits for ever: what is held belongs to jobs whose turn comes when those before them have
 * been worked, by threads that do not wait here. */
static bool must_wait(const struct queue *q)
{
	return q->taking || q->taken - q->finished == q->nslots || q->held > q->o->budget;
}

/* Takes the next job. NULL when there is none to come. */
static struct slot *take(struct queue *q, size_t worker)
{
	while (!q->stopped && !q->ended && must_wait(q))
		pthread_cond_wait(&q->moved, &q->lock);
	if (q->stopped || q->ended)
		return NULL;
	struct slot *s = &q->slots[q->taken % q->nslots];
	q->taking = true;
	pthread_mutex_unlock(&q->lock);
	memset(s->job, 0, q->o->job_size);
	bool there = q->o->take(q->o->ctx, worker, s->job);
	pthread_mutex_lock(&q->lock);
	q->taking = false;
	q->taken += there;
	q->ended = !there;
	pthread_cond_broadcast(&q->moved);
	return there ? s : NULL;
}

/* Without the lock. */
static size_t work(const struct queue *q, size_t worker, const struct slot *s)
{
	const struct in_order *o = q->o;

	o->work(o->ctx, worker, s->job);
	return o->held ? o->held(o->ctx, s->job) : 0;
}

static void *run(void *arg)
{
	const struct worker *w = arg;
	struct queue *q = w->q;
	struct slot *s;

	pthread_mutex_lock(&q->lock);
	while ((s = take(q, w->number))) {
		pthread_mutex_unlock(&q->lock);
		size_t held = work(q, w->number, s);
		pthread_mutex_lock(&q->lock);
		s->held = held;
		s->worked = true;
		q->held += held;
		finish_ready(q);
	}
	pthread_mutex_unlock(&q->lock);
	return NULL;
}

static void drop_rest(struct queue *q)
{
	for (; q->finished < q->taken; q->finished++)
		q->o->drop(q->o->ctx, q->slots[q->finished % q->nslots].job);
}

bool in_order_run(const struct in_order *o, struct error *err)
{
	struct arena arena = { .block_size = 1 << 12 };
	struct queue q = { .o = o, .nslots = o->threads * IN_ORDER_AHEAD };
	struct worker workers[THREADS_MAX];
	pthread_t ids[THREADS_MAX];
	bool started[THREADS_MAX] = { false };

	q.slots = arena_array(&arena, q.nslots, sizeof *q.slots);
	for (size_t i = 0; i < q.nslots; i++)
		q.slots[i].job = arena_alloc(&arena, o->job_size);
	pthread_mutex_init(&q.lock, NULL);
	pthread_cond_init(&q.moved, NULL);
	for (size_t i = 0; i < o->threads; i++)
		workers[i] = (struct worker){ &q, i };
	for (size_t i = 1; i < o->threads; i++)
		started[i] = pthread_create(&ids[i], NULL, run, &workers[i]) == 0;
	run(&workers[0]); /* this thread is one of them */
	for (size_t i = 1; i < o->threads; i++)
		if (started[i])
			pthread_join(ids[i], NULL);
	drop_rest(&q);
	if (q.stopped)
		*err = q.err;
	pthread_mutex_destroy(&q.lock);
	pthread_cond_destroy(&q.moved);
	arena_free(&arena);
	return !q.stopped;
}
