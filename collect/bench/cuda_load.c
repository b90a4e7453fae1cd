/* A plan on a card. Everything that load allocates is in two lists, so that a failure at any point
 * frees all of it. */
#include "cuda_kernels.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool cuda_alloc(struct loaded *l, size_t bytes, void **out, struct bench_error *err)
{
	void *p = NULL;
	size_t size = bytes ? bytes : 1;

	l->owned = arena_grow(&l->arena, l->owned, &l->owned_cap, l->nowned + 1, sizeof *l->owned);
	if (!cuda_ok(cudaMalloc(&p, size), "cudaMalloc", err)) {
		if (err->code == BENCH_NO_MEMORY)
			bench_fail(err, BENCH_NO_MEMORY, "cudaMalloc: no room for %.3f GB more",
				   (double)size * 1e-9);
		return false;
	}
	l->owned[l->nowned++] = p;
	*out = p;
	/* on the stream, so that it is done before anything that follows there */
	return cuda_ok(cudaMemsetAsync(p, 0, size, l->d->stream), "cudaMemsetAsync", err)
	       && cuda_ok(cudaStreamSynchronize(l->d->stream), "cudaStreamSynchronize", err);
}

bool cuda_copy(struct loaded *l, void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind,
	       struct bench_error *err)
{
	return cuda_ok(cudaMemcpyAsync(to, from, bytes, kind, l->d->stream), "cudaMemcpyAsync", err)
	       && cuda_ok(cudaStreamSynchronize(l->d->stream), "cudaStreamSynchronize", err);
}

bool cuda_need_workspace(struct loaded *l, size_t bytes, struct bench_error *err)
{
	if (bytes <= l->workspace_bytes)
		return true;
	cudaFree(l->workspace);
	l->workspace = NULL;
	l->workspace_bytes = 0;
	if (!cuda_ok(cudaMalloc(&l->workspace, bytes), "cudaMalloc", err)) {
		l->workspace = NULL;
		if (err->code == BENCH_NO_MEMORY)
			bench_fail(err, BENCH_NO_MEMORY,
				   "cudaMalloc: no room for %.3f GB of workspace",
				   (double)bytes * 1e-9);
		return false;
	}
	l->workspace_bytes = bytes;
	return true;
}

void cuda_defer(struct loaded *l, void (*f)(void *), void *p)
{
	l->defers =
	    arena_grow(&l->arena, l->defers, &l->defers_cap, l->ndefers + 1, sizeof *l->defers);
	l->defers[l->ndefers++] = (struct cuda_defer){ f, p };
}

enum cuda_type cuda_type_of(const struct loaded *l, int tensor)
{
	static const enum cuda_type value[PRECISIONS] = {
		[PRECISION_FP32] = CUDA_TYPE_F32, [PRECISION_TF32] = CUDA_TYPE_F32,
		[PRECISION_FP16] = CUDA_TYPE_F16, [PRECISION_BF16] = CUDA_TYPE_BF16,
		[PRECISION_FP8] = CUDA_TYPE_E4M3,
	};
	enum precision p = l->plan->precision;

	switch (l->plan->tensors[tensor].element) {
	case ELEMENT_VALUE:
		return value[p];
	case ELEMENT_RESULT:
		return p == PRECISION_FP8 ? CUDA_TYPE_BF16 : value[p];
	case ELEMENT_I32:
		return CUDA_TYPE_I32;
	case ELEMENT_F32:
		break;
	}
	return CUDA_TYPE_F32;
}

int cuda_same_before(const struct loaded *l, int op)
{
	for (int i = 0; i < op; i++)
		if (op_same(l->plan, &l->plan->ops[i], &l->plan->ops[op]))
			return i;
	return -1;
}

struct cuda_args cuda_args_of(const struct loaded *l, const struct op *op)
{
	struct cuda_args a;

	for (int i = 0; i < OP_INPUTS; i++)
		a.in[i] = op->in[i] >= 0 ? l->tensors[op->in[i]].p : NULL;
	for (int i = 0; i < OP_OUTPUTS; i++)
		a.out[i] = op->out[i] >= 0 ? l->tensors[op->out[i]].p : NULL;
	return a;
}

static void set_image(struct loaded *l, int tensor, long n, long c, long h, long w)
{
	long *image = l->tensors[tensor].image;

	image[0] = n;
	image[1] = c;
	image[2] = h;
	image[3] = w;
}

/* How the image lies that the operation has as its input (or output) `i` in the order x, w, y of a
 * convolution; of norms and pools x and y alone. */
static void note_conv(struct loaded *l, const struct op_conv *c, int x, int w, int y)
{
	set_image(l, x, c->n, c->ci, c->h, c->w);
	set_image(l, w, c->co, c->ci, c->kh, c->kw);
	set_image(l, y, c->n, c->co, c->ho, c->wo);
}

static void note_like(struct loaded *l, int tensor, int like)
{
	memcpy(l->tensors[tensor].image, l->tensors[like].image, sizeof l->tensors[tensor].image);
}

/* A norm's x is no shared buffer: its own dimensions are the image's. */
static void note_norm(struct loaded *l, int x, const int *out, const int *also)
{
	const struct tensor *t = &l->plan->tensors[x];

	if (t->rank != 4)
		return;
	set_image(l, x, t->dim[0], t->dim[1], t->dim[2], t->dim[3]);
	note_like(l, out[0], x);
	if (also[0] >= 0)
		note_like(l, also[0], x);
}

static void note_plain(struct loaded *l, const struct op *o)
{
	for (int i = 0; i < OP_OUTPUTS; i++)
		if (o->out[i] >= 0)
			set_image(l, o->out[i], 0, 0, 0, 0);
}

void cuda_note_written(struct loaded *l, int op)
{
	const struct op *o = &l->plan->ops[op];
	const struct op_window *w = &o->p.window;

	if (!l->nhwc)
		return;
	switch ((int)o->kind) {
	case OP_CONV:
		note_conv(l, &o->p.conv, o->in[0], o->in[1], o->out[0]);
		break;
	case OP_CONV_BWD_DATA:
		note_conv(l, &o->p.conv, o->out[0], o->in[1], o->in[0]);
		break;
	case OP_CONV_BWD_FILTER:
		note_conv(l, &o->p.conv, o->in[1], o->out[0], o->in[0]);
		break;
	case OP_BATCHNORM:
		note_norm(l, o->in[0], o->out, &o->in[3]);
		break;
	case OP_BATCHNORM_BWD:
		note_norm(l, o->in[1], o->out, &o->out[3]);
		break;
	case OP_MAXPOOL:
		set_image(l, o->in[0], w->n, w->c, w->h, w->w);
		set_image(l, o->out[0], w->n, w->c, w->ho, w->wo);
		break;
	case OP_MAXPOOL_BWD:
	case OP_AVGPOOL_BWD:
		set_image(l, o->out[0], w->n, w->c, w->h, w->w);
		break;
	case OP_ADD:
		note_like(l, o->out[0], o->in[0]);
		break;
	case OP_SGD:
	case OP_ADAM: /* states are as their weight, whatever shape they say they have */
		for (int i = 1; i < 5; i++)
			if (o->in[i] >= 0)
				note_like(l, o->in[i], o->in[0]);
		break;
	default:
		note_plain(l, o);
	}
}

/* Before anything is allocated: weights of recurrent layers and what belongs to them. */
static bool lay_out_lstm(struct loaded *l, struct bench_error *err)
{
	for (int i = 0; i < l->plan->nops; i++) {
		const struct op *o = &l->plan->ops[i];
		struct cuda_tensor *w = NULL;
		if (o->kind == OP_LSTM)
			w = &l->tensors[o->in[1]];
		else if (o->kind == OP_LSTM_BWD)
			w = &l->tensors[o->out[1]];
		if (w && !cuda_lstm_layout(l, o, &w->segments, &w->nsegments, &w->count, err))
			return false;
	}
	for (int i = 0; i < l->plan->nops; i++) {
		const struct op *o = &l->plan->ops[i];
		for (int k = 1; (o->kind == OP_SGD || o->kind == OP_ADAM) && k < 5; k++) {
			const struct cuda_tensor *w = &l->tensors[o->in[0]];
			struct cuda_tensor *t = o->in[k] >= 0 ? &l->tensors[o->in[k]] : NULL;
			if (!t || !w->segments)
				continue;
			t->segments = w->segments;
			t->nsegments = w->nsegments;
			t->count = w->count;
		}
	}
	return true;
}

static bool make_tensors(struct loaded *l, struct bench_error *err)
{
	for (int i = 0; i < l->plan->ntensors; i++) {
		l->tensors[i].type = cuda_type_of(l, i);
		l->tensors[i].count = tensor_count(&l->plan->tensors[i]);
		l->tensors[i].host_scale = 1;
	}
	if (!lay_out_lstm(l, err))
		return false;
	for (int i = 0; i < l->plan->ntensors; i++) {
		struct cuda_tensor *t = &l->tensors[i];
		void *scale = NULL;
		if (!cuda_alloc(l, (size_t)t->count * cuda_type_bytes(t->type), &t->p, err))
			return false;
		if (t->type == CUDA_TYPE_E4M3 && !cuda_alloc(l, sizeof(float), &scale, err))
			return false;
		t->scale = scale;
	}
	return true;
}

static bool prepare_ops(struct loaded *l, struct bench_error *err)
{
	for (int i = 0; i < l->plan->nops; i++) {
		l->ops[i].kind = cuda_kind_of(l->plan->ops[i].kind);
		if (l->ops[i].kind->kernels && !kernels_want(l->d, l->plan->precision, err))
			return false;
		if (l->ops[i].kind->prepare && !l->ops[i].kind->prepare(l, i, err))
			return false;
	}
	/* as after a step, which is what upload needs: filters have channels last from the start */
	for (int i = 0; i < l->plan->nops; i++)
		cuda_note_written(l, i);
	return true;
}

/* Candidates were tried on the tensors: they start from zero again. */
static bool clear(struct loaded *l, struct bench_error *err)
{
	for (int i = 0; i < l->plan->ntensors; i++) {
		const struct cuda_tensor *t = &l->tensors[i];
		if (!cuda_ok(cudaMemsetAsync(t->p, 0, (size_t)t->count * cuda_type_bytes(t->type),
					     l->d->stream),
			     "cudaMemsetAsync", err))
			return false;
	}
	return cuda_ok(cudaStreamSynchronize(l->d->stream), "cudaStreamSynchronize", err);
}

struct loaded *cuda_load(struct device *d, const struct plan *plan, struct bench_error *err)
{
	struct loaded *l = calloc(1, sizeof *l);

	if (!l) {
		bench_fail(err, BENCH_NO_MEMORY, "no host memory for a plan");
		return NULL;
	}
	l->d = d;
	l->plan = plan;
	l->sets_op = -1;
	/* true fp32 convolutions want channels first: cuDNN has no others without tensor cores on
	 * every card */
	l->nhwc = plan->precision != PRECISION_FP32;
	l->tensors = arena_array(&l->arena, (size_t)plan->ntensors + 1, sizeof *l->tensors);
	l->ops = arena_array(&l->arena, (size_t)plan->nops + 1, sizeof *l->ops);
	if (d->lost)
		bench_fail(err, BENCH_LOST, "the card was lost by an earlier error");
	else if (cuda_ok(cudaSetDevice(d->index), "cudaSetDevice", err) && make_tensors(l, err)
		 && prepare_ops(l, err) && clear(l, err))
		return l;
	d->lost = d->lost || err->code == BENCH_LOST;
	cuda_unload(l);
	return NULL;
}

/* Statuses are not looked at: there is nothing to do about them, and after a lost card every call
 * fails. */
void cuda_unload(struct loaded *l)
{
	cudaStreamSynchronize(l->d->stream);
	if (l->graph)
		cudaGraphExecDestroy(l->graph);
	for (size_t i = l->ndefers; i-- > 0;)
		l->defers[i].f(l->defers[i].p);
	for (size_t i = 0; i < l->nevents; i++)
		cudaEventDestroy(l->events[i]);
	for (size_t i = 0; i < l->nowned; i++)
		cudaFree(l->owned[i]);
	cudaFree(l->workspace);
	cudaGetLastError();
	arena_free(&l->arena);
	free(l);
}

/* Where logical element i is stored; *run so many from there lie one after another. */
static long stored_at(const struct cuda_tensor *t, long i, long *run)
{
	const long *d = t->image;

	*run = 1;
	if (t->segments) {
		for (int k = 0; k < t->nsegments; k++) {
			const struct cuda_segment *s = &t->segments[k];
			if (i >= s->logical && i < s->logical + s->count) {
				*run = s->logical + s->count - i;
				return s->stored + i - s->logical;
			}
		}
	}
	if (d[0] == 0) {
		*run = t->count - i;
		return i;
	}
	long w = i % d[3], h = i / d[3] % d[2], c = i / (d[3] * d[2]) % d[1],
	     n = i / (d[3] * d[2] * d[1]);
	return ((n * d[2] + h) * d[3] + w) * d[1] + c;
}

/* Host memory for a tensor as it is stored. */
static void *staging(const struct cuda_tensor *t, size_t *bytes, struct bench_error *err)
{
	*bytes = (size_t)t->count * cuda_type_bytes(t->type);
	void *p = calloc(1, *bytes + 1);
	if (!p)
		bench_fail(err, BENCH_NO_MEMORY, "no host memory for %.3f GB of values",
			   (double)*bytes * 1e-9);
	return p;
}

/* One scale a tensor, so that the largest value is the largest number. */
static bool set_scale(struct loaded *l, struct cuda_tensor *t, const double *values, long n,
		      struct bench_error *err)
{
	double max = 0;

	for (long i = 0; i < n; i++)
		max = fmax(max, fabs(values[i]));
	t->host_scale = max > 0 ? (float)(max / 448) : 1;
	return cuda_copy(l, t->scale, &t->host_scale, sizeof(float), cudaMemcpyHostToDevice, err);
}

bool cuda_upload(struct loaded *l, int tensor, const double *values, struct bench_error *err)
{
	struct cuda_tensor *t = &l->tensors[tensor];
	long n = tensor_count(&l->plan->tensors[tensor]);
	size_t size = cuda_type_bytes(t->type), bytes;

	if (t->scale && !set_scale(l, t, values, n, err))
		return false;
	char *p = staging(t, &bytes, err);
	if (!p)
		return false;
	for (long i = 0, run; i < n; i += run) {
		long at = stored_at(t, i, &run);
		for (long k = 0; k < run && i + k < n; k++)
			cuda_encode(t->type, values[i + k] / (double)t->host_scale,
				    p + (size_t)(at + k) * size);
	}
	bool good = cuda_copy(l, t->p, p, bytes, cudaMemcpyHostToDevice, err);
	free(p);
	return good;
}

bool cuda_download(struct loaded *l, int tensor, double *values, struct bench_error *err)
{
	const struct cuda_tensor *t = &l->tensors[tensor];
	long n = tensor_count(&l->plan->tensors[tensor]);
	size_t size = cuda_type_bytes(t->type), bytes;
	char *p = staging(t, &bytes, err);

	if (!p)
		return false;
	bool good = cuda_copy(l, p, t->p, bytes, cudaMemcpyDeviceToHost, err);
	for (long i = 0, run; good && i < n; i += run) {
		long at = stored_at(t, i, &run);
		for (long k = 0; k < run && i + k < n; k++)
			values[i + k] = cuda_decode(t->type, p + (size_t)(at + k) * size)
					* (double)t->host_scale;
	}
	free(p);
	return good;
}
