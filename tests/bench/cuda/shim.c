#define _XOPEN_SOURCE 700
#include "shim.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

enum { THREADS_MAX = 1024, STACK = 1 << 15 };
enum state { READY, WAITS_BLOCK, WAITS_WARP, DONE };

struct shim_dim threadIdx, blockIdx, blockDim, gridDim;
float *shim_dynamic;

static struct {
	ucontext_t home, context[THREADS_MAX];
	enum state state[THREADS_MAX];
	float slot[THREADS_MAX];
	char *stacks;
	unsigned current;
	const struct shim_kernel *kernel;
	void **args;
} shim;

static void yield(enum state why)
{
	unsigned me = shim.current;

	shim.state[me] = why;
	swapcontext(&shim.context[me], &shim.home);
	threadIdx.x = me;
}

void shim_block_barrier(void)
{
	yield(WAITS_BLOCK);
}

float shim_shuffle(float v, int mask)
{
	unsigned me = shim.current;

	shim.slot[me] = v;
	yield(WAITS_WARP);
	v = shim.slot[me ^ (unsigned)mask];
	yield(WAITS_WARP);
	return v;
}

static void thread_main(void)
{
	shim.kernel->call(shim.args);
	shim.state[shim.current] = DONE;
}

/* Lets go on whoever has reached a barrier together; whether anything moved. */
static int release(unsigned from, unsigned to, enum state barrier)
{
	for (unsigned t = from; t < to; t++)
		if (shim.state[t] != barrier)
			return 0;
	for (unsigned t = from; t < to; t++)
		shim.state[t] = READY;
	return 1;
}

static void diverged(void)
{
	fprintf(stderr, "%s: threads of block %u wait at different barriers\n", shim.kernel->name,
		blockIdx.x);
	abort();
}

static void start_thread(unsigned t)
{
	shim.state[t] = READY;
	getcontext(&shim.context[t]);
	shim.context[t].uc_stack.ss_sp = shim.stacks + (size_t)t * STACK;
	shim.context[t].uc_stack.ss_size = STACK;
	shim.context[t].uc_link = &shim.home;
	makecontext(&shim.context[t], thread_main, 0);
}

static void run_threads(void)
{
	unsigned n = blockDim.x, done = 0;

	for (unsigned t = 0; t < n; t++)
		start_thread(t);
	while (done < n) {
		int moved = 0;
		for (unsigned t = 0; t < n; t++)
			if (shim.state[t] == READY) {
				shim.current = threadIdx.x = t;
				swapcontext(&shim.home, &shim.context[t]);
				moved = 1;
			}
		done = 0;
		for (unsigned t = 0; t < n; t++)
			done += shim.state[t] == DONE;
		for (unsigned w = 0; w < n; w += 32)
			moved += release(w, w + 32 < n ? w + 32 : n, WAITS_WARP);
		moved += release(0, n, WAITS_BLOCK);
		if (!moved && done < n)
			diverged();
	}
}

static void run_block(void)
{
	if (shim.kernel->waits) {
		run_threads();
		return;
	}
	for (unsigned t = 0; t < blockDim.x; t++) {
		threadIdx.x = t;
		shim.kernel->call(shim.args);
	}
}

void shim_launch(const struct shim_kernel *k, unsigned gx, unsigned gy, unsigned block,
		 size_t shared, void **args)
{
	if (block > THREADS_MAX || block % 32) {
		fprintf(stderr, "%s: a block of %u threads\n", k->name, block);
		abort();
	}
	shim.stacks = shim.stacks ? shim.stacks : malloc((size_t)THREADS_MAX * STACK);
	shim.kernel = k;
	shim.args = args;
	shim_dynamic = malloc(shared + 1);
	blockDim = (struct shim_dim){ block, 1, 1 };
	gridDim = (struct shim_dim){ gx, gy, 1 };
	for (blockIdx.y = 0; blockIdx.y < gy; blockIdx.y++)
		for (blockIdx.x = 0; blockIdx.x < gx; blockIdx.x++) {
			memset(shim_dynamic, 0xff, shared);
			run_block();
		}
	free(shim_dynamic);
	shim_dynamic = NULL;
}
