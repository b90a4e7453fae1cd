/* Jobs done at once come out in the order they were taken, and an error stops everything at its
 * place. */
#include "test.h"

#include "../collect/in_order.h"
#include "../collect/parallel.h"

#include <stdatomic.h>

enum { JOBS = 500 };

struct job {
	size_t number, square;
	bool dropped;
};

struct run {
	size_t next, fail_at;
	size_t ahead; /* jobs, at most, that were taken and not finished */
	atomic_size_t done;
	size_t finished[JOBS], nfinished;
	size_t dropped;
	bool right;
	atomic_size_t worked;
};

static bool take(void *ctx, size_t worker, void *of)
{
	struct run *r = ctx;
	struct job *job = of;

	(void)worker;
	if (r->next == JOBS)
		return false;
	if (r->next + 1 - atomic_load(&r->done) > r->ahead)
		r->ahead = r->next + 1 - atomic_load(&r->done);
	job->number = r->next++;
	return true;
}

/* Early jobs take longest, so that they end last. */
static void work(void *ctx, size_t worker, void *of)
{
	struct run *r = ctx;
	struct job *job = of;
	volatile size_t spin = (job->number % 7 == 0) * 20000;

	(void)worker;
	while (spin > 0)
		spin--;
	job->square = job->number * job->number;
	atomic_fetch_add(&r->worked, 1);
}

static bool finish(void *ctx, void *of, struct error *err)
{
	struct run *r = ctx;
	const struct job *job = of;

	r->right = r->right && job->square == job->number * job->number;
	r->finished[r->nfinished++] = job->number;
	atomic_fetch_add(&r->done, 1);
	if (job->number == r->fail_at)
		return error_set(err, ERR_ENVIRONMENT, "job %zu", job->number);
	return true;
}

static void drop(void *ctx, void *of)
{
	struct run *r = ctx;

	(void)of;
	r->dropped++;
}

static bool in_order(const struct run *r, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (r->finished[i] != i)
			return false;
	return r->nfinished == n && r->right;
}

static void test_run(struct test *t, size_t threads, size_t fail_at)
{
	struct run r = { .fail_at = fail_at, .right = true };
	struct in_order o = { .threads = threads,
			      .job_size = sizeof(struct job),
			      .ctx = &r,
			      .take = take,
			      .work = work,
			      .finish = finish,
			      .drop = drop };
	struct error err = { 0 };
	bool good = in_order_run(&o, &err);
	char name[80];

	snprintf(name, sizeof name, "%zu threads, failing at %zu", threads, fail_at);
	test_ok(t, good == (fail_at >= JOBS) && in_order(&r, fail_at < JOBS ? fail_at + 1 : JOBS),
		name);
	test_ok(t, r.nfinished + r.dropped == r.next && (good || err.code == ERR_ENVIRONMENT),
		"what was taken is finished or dropped");
}

static size_t held(void *ctx, const void *of)
{
	(void)ctx;
	(void)of;
	return 1;
}

/* No job is taken while one waits for its turn: each that is not finished is at a thread. */
static void test_budget(struct test *t, size_t threads)
{
	struct run r = { .fail_at = JOBS, .right = true };
	struct in_order o = { .threads = threads,
			      .job_size = sizeof(struct job),
			      .ctx = &r,
			      .take = take,
			      .work = work,
			      .held = held,
			      .finish = finish,
			      .drop = drop };
	struct error err = { 0 };
	char name[80];

	snprintf(name, sizeof name, "%zu threads, nothing may wait: at most so many jobs at once",
		 threads);
	bool good = in_order_run(&o, &err);
	test_ok(t, good && in_order(&r, JOBS) && r.ahead <= threads, name);
}

static bool add(void *ctx, size_t i, struct error *err)
{
	(void)err;
	atomic_fetch_add((atomic_size_t *)ctx, i);
	return true;
}

static bool fail(void *ctx, size_t i, struct error *err)
{
	(void)ctx;
	return i != 300 || error_set(err, ERR_DATA, "at %zu", i);
}

int main(void)
{
	static const size_t threads[] = { 1, 2, 7 };
	struct test t = { 0 };

	for (size_t i = 0; i < LEN(threads); i++) {
		test_run(&t, threads[i], JOBS);
		test_run(&t, threads[i], 0);
		test_run(&t, threads[i], 250);
		test_run(&t, threads[i], JOBS - 1);
		test_budget(&t, threads[i]);
		atomic_size_t sum = 0;
		struct error err = { 0 };
		test_ok(&t, parallel_for(threads[i], 1000, 16, add, &sum, &err) && sum == 499500,
			"parallel_for: every number once");
		test_ok(&t,
			!parallel_for(threads[i], 1000, 16, fail, NULL, &err)
			    && err.code == ERR_DATA,
			"parallel_for: an error");
		test_ok(&t, parallel_for(threads[i], 0, 16, fail, NULL, &err),
			"parallel_for: nothing");
	}
	test_ok(&t,
		parallel_threads(3) == 3 && parallel_threads(1000) == THREADS_MAX
		    && parallel_threads(0) >= 1,
		"number of threads");
	return test_done(&t);
}
