/* Between memories: host and device through pinned memory, device and device, all devices at once
 * (NCCL). Timed is one direction; for verification the values go there and back, through zeros, so
 * that x tells whether they arrived. */
#include "cuda_device.h"

#include <stdlib.h>
#include <string.h>

struct transfer_state {
	void *other; /* pinned, or on the peer */
	int peer;
	bool filled; /* the other side has the values */
};

static void free_pinned(void *p)
{
	cudaFreeHost(p);
}

/* Memory of another card: freed there. */
struct remote {
	int device, home;
	void *p;
};

static void free_remote(void *p)
{
	struct remote *r = p;

	cudaSetDevice(r->device);
	cudaFree(r->p);
	cudaSetDevice(r->home);
}

static bool alloc_remote(struct loaded *l, int device, size_t bytes, void **out,
			 struct bench_error *err)
{
	struct remote *r = arena_alloc(&l->arena, sizeof *r);
	bool good;

	r->device = device;
	r->home = l->d->index;
	good = cuda_ok(cudaSetDevice(device), "cudaSetDevice", err)
	       && cuda_ok(cudaMalloc(&r->p, bytes), "cudaMalloc", err);
	if (good)
		cuda_defer(l, free_remote, r);
	*out = r->p;
	return cuda_ok(cudaSetDevice(l->d->index), "cudaSetDevice", err) && good;
}

bool cuda_transfer_prepare(struct loaded *l, int op, struct bench_error *err)
{
	const struct op_memory *p = &l->plan->ops[op].p.memory;
	struct transfer_state *s = arena_alloc(&l->arena, sizeof *s);

	l->ops[op].state = s;
	if (p->transfer == TRANSFER_PEER) {
		if (l->d->count < 2)
			return bench_fail(err, BENCH_UNSUPPORTED,
					  "a copy between devices needs two, there is one");
		s->peer = (l->d->index + 1) % l->d->count;
		return alloc_remote(l, s->peer, (size_t)p->bytes, &s->other, err);
	}
	if (!cuda_ok(cudaMallocHost(&s->other, (size_t)p->bytes), "cudaMallocHost", err))
		return false;
	cuda_defer(l, free_pinned, s->other);
	return true;
}

static bool copy(struct loaded *l, void *to, const void *from, size_t bytes,
		 enum cudaMemcpyKind kind, struct bench_error *err)
{
	return cuda_ok(cudaMemcpyAsync(to, from, bytes, kind, l->d->stream), "cudaMemcpyAsync",
		       err);
}

static bool to_other(struct loaded *l, const struct op_memory *p, struct transfer_state *s, void *x,
		     struct bench_error *err)
{
	if (p->transfer == TRANSFER_PEER)
		return cuda_ok(cudaMemcpyPeerAsync(s->other, s->peer, x, l->d->index,
						   (size_t)p->bytes, l->d->stream),
			       "cudaMemcpyPeerAsync", err);
	return copy(l, s->other, x, (size_t)p->bytes, cudaMemcpyDeviceToHost, err);
}

static bool from_other(struct loaded *l, const struct op_memory *p, struct transfer_state *s,
		       void *x, struct bench_error *err)
{
	if (p->transfer == TRANSFER_PEER)
		return cuda_ok(cudaMemcpyPeerAsync(x, l->d->index, s->other, s->peer,
						   (size_t)p->bytes, l->d->stream),
			       "cudaMemcpyPeerAsync", err);
	return copy(l, x, s->other, (size_t)p->bytes, cudaMemcpyHostToDevice, err);
}

bool cuda_transfer_run(struct loaded *l, int op, const struct cuda_args *a, struct bench_error *err)
{
	const struct op_memory *p = &l->plan->ops[op].p.memory;
	struct transfer_state *s = l->ops[op].state;

	if (p->transfer != TRANSFER_H2D)
		return to_other(l, p, s, a->out[0], err);
	if (!s->filled && !(s->filled = to_other(l, p, s, a->out[0], err)))
		return false;
	return from_other(l, p, s, a->out[0], err);
}

bool cuda_transfer_check(struct loaded *l, int op, struct bench_error *err)
{
	const struct op *o = &l->plan->ops[op];
	const struct op_memory *p = &o->p.memory;
	struct transfer_state *s = l->ops[op].state;
	void *x = l->tensors[o->out[0]].p;

	s->filled = true;
	return to_other(l, p, s, x, err)
	       && cuda_ok(cudaMemsetAsync(x, 0, (size_t)p->bytes, l->d->stream), "cudaMemsetAsync",
			  err)
	       && from_other(l, p, s, x, err);
}

/* NCCL by its own declarations. 0 is success; the types and sums of ours are 7 (fp32) and 0. */
struct nccl {
	int (*init_all)(void **comms, int n, const int *devices);
	int (*destroy)(void *comm);
	int (*start)(void);
	int (*end)(void);
	int (*all_reduce)(const void *from, void *to, size_t count, int type, int op, void *comm,
			  cudaStream_t stream);
	const char *(*words)(int status);
};
enum { NCCL_FLOAT = 7, NCCL_SUM = 0 };

/* One process for all devices; out of place, so that the values stay what they are however often it
 * runs. Ours first. */
struct allreduce_state {
	struct nccl nccl;
	int n, home;
	int *devices;
	void **comms, **from, **to;
	cudaStream_t *streams;
};

static bool nccl_ok(const struct nccl *n, int s, const char *call, struct bench_error *err)
{
	return s == 0 || bench_fail(err, BENCH_FAILED, "%s: %d %s", call, s, n->words(s));
}

static bool nccl_open(struct nccl *n, struct bench_error *err)
{
	static const char *const libraries[] = { "libnccl.so.2", "libnccl.so", NULL };
	char why[200];
	void *lib = cuda_open_library(libraries, why, sizeof why);
	struct cuda_symbol symbols[] = {
		{ "ncclCommInitAll", (void **)&n->init_all },
		{ "ncclCommDestroy", (void **)&n->destroy },
		{ "ncclGroupStart", (void **)&n->start },
		{ "ncclGroupEnd", (void **)&n->end },
		{ "ncclAllReduce", (void **)&n->all_reduce },
		{ "ncclGetErrorString", (void **)&n->words },
	};

	if (!lib || !cuda_find_symbols(lib, symbols, LEN(symbols), why, sizeof why))
		return bench_fail(err, BENCH_UNSUPPORTED, "all-reduce needs NCCL: %s", why);
	return true;
}

static void free_allreduce(void *p)
{
	struct allreduce_state *s = p;

	for (int i = 0; i < s->n; i++) {
		cudaSetDevice(s->devices[i]);
		if (s->comms[i])
			s->nccl.destroy(s->comms[i]);
		if (i > 0 && s->streams[i])
			cudaStreamDestroy(s->streams[i]);
	}
	cudaSetDevice(s->home);
}

static bool alloc_all(struct loaded *l, struct allreduce_state *s, const void *x, size_t bytes,
		      struct bench_error *err)
{
	if (!cuda_alloc(l, bytes, &s->to[0], err))
		return false;
	s->from[0] = (void *)(size_t)x;
	s->streams[0] = l->d->stream;
	for (int i = 1; i < s->n; i++) {
		if (!alloc_remote(l, s->devices[i], bytes, &s->from[i], err)
		    || !alloc_remote(l, s->devices[i], bytes, &s->to[i], err)
		    || !cuda_ok(cudaSetDevice(s->devices[i]), "cudaSetDevice", err)
		    || !cuda_ok(cudaStreamCreateWithFlags(&s->streams[i], cudaStreamNonBlocking),
				"cudaStreamCreate", err))
			return false;
	}
	return cuda_ok(cudaSetDevice(s->home), "cudaSetDevice", err)
	       && nccl_ok(&s->nccl, s->nccl.init_all(s->comms, s->n, s->devices), "ncclCommInitAll",
			  err)
	       && cuda_ok(cudaSetDevice(s->home), "cudaSetDevice", err);
}

bool cuda_allreduce_prepare(struct loaded *l, int op, struct bench_error *err)
{
	const struct op *o = &l->plan->ops[op];
	struct allreduce_state *s = arena_alloc(&l->arena, sizeof *s);
	size_t n = (size_t)l->d->count;

	if (n < 2)
		return bench_fail(err, BENCH_UNSUPPORTED,
				  "an all-reduce needs two devices, there is one");
	if (!nccl_open(&s->nccl, err))
		return false;
	s->n = (int)n;
	s->home = l->d->index;
	s->devices = arena_array(&l->arena, n, sizeof *s->devices);
	s->comms = arena_array(&l->arena, n, sizeof *s->comms);
	s->from = arena_array(&l->arena, n, sizeof *s->from);
	s->to = arena_array(&l->arena, n, sizeof *s->to);
	s->streams = arena_array(&l->arena, n, sizeof *s->streams);
	for (int i = 0; i < s->n; i++)
		s->devices[i] = (s->home + i) % s->n;
	l->ops[op].state = s;
	cuda_defer(l, free_allreduce, s);
	return alloc_all(l, s, l->tensors[o->in[0]].p, (size_t)o->p.memory.bytes, err);
}

static bool all_reduce(const struct allreduce_state *s, void *own, size_t count,
		       struct bench_error *err)
{
	bool good = nccl_ok(&s->nccl, s->nccl.start(), "ncclGroupStart", err);

	for (int i = 0; i < s->n && good; i++)
		good = nccl_ok(&s->nccl,
			       s->nccl.all_reduce(i == 0 ? own : s->from[i], s->to[i], count,
						  NCCL_FLOAT, NCCL_SUM, s->comms[i], s->streams[i]),
			       "ncclAllReduce", err);
	return nccl_ok(&s->nccl, s->nccl.end(), "ncclGroupEnd", err) && good;
}

bool cuda_allreduce_run(struct loaded *l, int op, const struct cuda_args *a,
			struct bench_error *err)
{
	return all_reduce(l->ops[op].state, a->in[0],
			  (size_t)l->plan->ops[op].p.memory.bytes / sizeof(float), err);
}

/* Every device gets our values, and the sum takes their place. */
bool cuda_allreduce_check(struct loaded *l, int op, struct bench_error *err)
{
	const struct op *o = &l->plan->ops[op];
	const struct allreduce_state *s = l->ops[op].state;
	size_t bytes = (size_t)o->p.memory.bytes;
	void *x = l->tensors[o->in[0]].p;

	for (int i = 1; i < s->n; i++)
		if (!cuda_ok(cudaMemcpyPeerAsync(s->from[i], s->devices[i], x, s->home, bytes,
						 l->d->stream),
			     "cudaMemcpyPeerAsync", err))
			return false;
	if (!cuda_ok(cudaStreamSynchronize(l->d->stream), "cudaStreamSynchronize", err)
	    || !all_reduce(s, x, bytes / sizeof(float), err)
	    || !copy(l, x, s->to[0], bytes, cudaMemcpyDeviceToDevice, err))
		return false;
	for (int i = 1; i < s->n; i++)
		if (!cuda_ok(cudaSetDevice(s->devices[i]), "cudaSetDevice", err)
		    || !cuda_ok(cudaStreamSynchronize(s->streams[i]), "cudaStreamSynchronize", err))
			return false;
	return cuda_ok(cudaSetDevice(s->home), "cudaSetDevice", err);
}
