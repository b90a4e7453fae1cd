#include "onednn_load.h"

#include "host_memory.h"
#include "onednn_vector.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PAGE = 4096 };

static step_make_fn no_device_make;

/* How each kind is made. */
static step_make_fn *const makers[OP_KINDS] = {
	[OP_GEMM] = product_make,
	[OP_BIAS_GRAD] = rows_make,
	[OP_CONV] = conv_make,
	[OP_CONV_BWD_DATA] = conv_make,
	[OP_CONV_BWD_FILTER] = conv_make,
	[OP_BATCHNORM] = batchnorm_make,
	[OP_BATCHNORM_BWD] = batchnorm_bwd_make,
	[OP_LAYERNORM] = norm_make,
	[OP_LAYERNORM_BWD] = norm_make,
	[OP_RMSNORM] = norm_make,
	[OP_MAXPOOL] = maxpool_make,
	[OP_MAXPOOL_BWD] = maxpool_bwd_make,
	[OP_AVGPOOL] = avgpool_make,
	[OP_AVGPOOL_BWD] = avgpool_bwd_make,
	[OP_ACTIVATION] = rows_make,
	[OP_ACTIVATION_BWD] = rows_make,
	[OP_SWIGLU] = rows_make,
	[OP_ADD] = add_make,
	[OP_LOSS] = rows_make,
	[OP_EMBED] = rows_make,
	[OP_EMBED_BWD] = rows_make,
	[OP_GATHER_ROWS] = rows_make,
	[OP_SCATTER_ROWS] = rows_make,
	[OP_LSTM] = lstm_make,
	[OP_LSTM_BWD] = lstm_bwd_make,
	[OP_ATTENTION] = attention_make,
	[OP_ATTENTION_BWD] = attention_bwd_make,
	[OP_ATTENTION_CACHE] = attention_cache_make,
	[OP_ROPE] = shift_make,
	[OP_REL_SHIFT] = shift_make,
	[OP_REL_SHIFT_BWD] = shift_make,
	[OP_SOFTMAX] = rows_make,
	[OP_SOFTMAX_BWD] = rows_make,
	[OP_SGD] = optimizer_make,
	[OP_ADAM] = optimizer_make,
	[OP_STREAM] = stream_make,
	[OP_TRANSFER] = no_device_make,
	[OP_ALLREDUCE] = no_device_make,
};

static bool no_device_make(struct loaded *l, struct step *s, struct bench_error *err)
{
	struct str kind = op_kind_name(s->op->kind);

	(void)l;
	return bench_fail(err, BENCH_UNSUPPORTED,
			  "onednn: " STR_FMT ": the CPU is host and device in one, and alone",
			  STR_ARG(kind));
}

/* Layouts while operations are made. */

static enum element element_of(const struct loaded *l, int tensor)
{
	return l->plan->tensors[tensor].element;
}

bool step_half(const struct loaded *l, int tensor)
{
	enum element e = element_of(l, tensor);

	return l->plan->precision == PRECISION_BF16 && (e == ELEMENT_VALUE || e == ELEMENT_RESULT);
}

dnnl_data_type_t step_type(const struct loaded *l, int tensor)
{
	if (element_of(l, tensor) == ELEMENT_I32)
		return dnnl_s32;
	return step_half(l, tensor) ? dnnl_bf16 : dnnl_f32;
}

const struct layout *step_plain(const struct loaded *l, int tensor)
{
	return l->places[tensor].plain;
}

static void settle(struct place *p, const struct layout *at)
{
	p->now = at;
	if (!p->first)
		p->first = at;
	if (at->bytes > p->bytes)
		p->bytes = at->bytes;
}

bool step_in(struct loaded *l, struct step *s, int k, const struct layout *want)
{
	struct place *p = &l->places[s->op->in[k]];

	if (!want)
		return false;
	if (!p->now)
		settle(p, want);
	s->in[k] = p->now;
	return true;
}

bool step_out(struct loaded *l, struct step *s, int k, const struct layout *want)
{
	if (!want)
		return false;
	settle(&l->places[s->op->out[k]], want);
	s->out[k] = want;
	return true;
}

static bool plain_input(struct loaded *l, struct step *s, int k, struct bench_error *err)
{
	const struct layout *plain = step_plain(l, s->op->in[k]);
	const struct tensor *t = &l->plan->tensors[s->op->in[k]];

	if (!step_in(l, s, k, plain))
		return false;
	if (s->in[k]->bytes == plain->bytes && layout_same(s->in[k], plain))
		return true;
	return bench_fail(err, BENCH_UNSUPPORTED,
			  "onednn: " STR_FMT ": " STR_FMT " does not lie row by row",
			  STR_ARG(s->op->name), STR_ARG(t->name));
}

bool step_all_plain(struct loaded *l, struct step *s, struct bench_error *err)
{
	for (int k = 0; k < OP_INPUTS; k++)
		if (s->op->in[k] >= 0 && !plain_input(l, s, k, err))
			return false;
	for (int k = 0; k < OP_OUTPUTS; k++)
		if (s->op->out[k] >= 0 && !step_out(l, s, k, step_plain(l, s->op->out[k])))
			return false;
	return true;
}

void step_want_slot(struct loaded *l, enum slot slot, size_t bytes)
{
	if (bytes > l->slot_bytes[slot])
		l->slot_bytes[slot] = bytes;
}

void step_want_thread(struct loaded *l, size_t bytes)
{
	/* threads share no line, and anything is aligned */
	bytes = (bytes + PAGE - 1) / PAGE * PAGE;
	if (bytes > l->thread_bytes)
		l->thread_bytes = bytes;
}

void step_want_own(struct loaded *l, size_t bytes, void **at)
{
	struct own_want *w = arena_alloc(&l->arena, sizeof *w);

	*w = (struct own_want){ l->wants, bytes, at };
	l->wants = w;
}

char *step_data(const struct loaded *l, int tensor)
{
	return tensor < 0 ? NULL : l->places[tensor].data;
}

struct call *step_call(struct loaded *l, const struct prim *p, const int *args, int nargs,
		       struct bench_error *err)
{
	if (!p)
		return NULL;
	step_want_slot(l, SLOT_SCRATCHPAD, p->scratch_bytes);
	return call_make(&l->lib, p, args, nargs, err);
}

static const int reorder_args[] = { DNNL_ARG_FROM, DNNL_ARG_TO };

static bool adapter_make(struct loaded *l, struct adapter *a, const struct layout *from,
			 const struct layout *to, size_t bytes, enum slot slot,
			 struct bench_error *err)
{
	*a = (struct adapter){ .slot = slot };
	if (!from || !to)
		return false;
	if (layout_same(from, to))
		return true;
	step_want_slot(l, slot, bytes);
	a->reorder =
	    step_call(l, lib_reorder(&l->lib, from, to, err), reorder_args, LEN(reorder_args), err);
	return a->reorder;
}

bool adapter_in(struct loaded *l, struct adapter *a, const struct layout *has,
		const struct layout *want, enum slot slot, struct bench_error *err)
{
	return adapter_make(l, a, has, want, want ? want->bytes : 0, slot, err);
}

bool adapter_out(struct loaded *l, struct adapter *a, const struct layout *makes,
		 const struct layout *has, enum slot slot, struct bench_error *err)
{
	return adapter_make(l, a, makes, has, makes ? makes->bytes : 0, slot, err);
}

bool adapter_read(struct loaded *l, const struct adapter *a, char *tensor, void **at,
		  struct bench_error *err)
{
	*at = a->reorder ? l->slot[a->slot] : tensor;
	return !a->reorder
	       || call_run(a->reorder, (void *[]){ tensor, l->slot[a->slot] },
			   l->slot[SLOT_SCRATCHPAD], err);
}

void *adapter_write(const struct loaded *l, const struct adapter *a, char *tensor)
{
	return a->reorder ? l->slot[a->slot] : tensor;
}

bool adapter_finish(struct loaded *l, const struct adapter *a, char *tensor,
		    struct bench_error *err)
{
	return !a->reorder
	       || call_run(a->reorder, (void *[]){ l->slot[a->slot], tensor },
			   l->slot[SLOT_SCRATCHPAD], err);
}

/* Threads and time. */

double load_clock(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void parallel(const struct loaded *l, long n, long grain, parallel_body *body, const void *job)
{
	long grains = (n + grain - 1) / grain;
	int threads = grains < l->device->threads ? (int)grains : l->device->threads;

	if (threads <= 1) {
		body(l, job, 0, n, 0);
		return;
	}
#pragma omp parallel for schedule(static, 1) num_threads(threads)
	for (int t = 0; t < threads; t++) {
		long from = grains * t / threads * grain, to = grains * (t + 1) / threads * grain;
		body(l, job, from, to < n ? to : n, t);
	}
}

char *thread_room(const struct loaded *l, int thread)
{
	return l->thread_room + l->thread_bytes * (size_t)thread;
}

struct numbers numbers_of(const struct loaded *l, int tensor)
{
	return (struct numbers){ step_data(l, tensor), tensor >= 0 && step_half(l, tensor) };
}

const float *numbers_get(struct numbers v, long at, long n, float *room)
{
	if (!v.half)
		return (const float *)(void *)v.p + at;
	vector_widen(room, (const uint16_t *)(void *)v.p + at, n);
	return room;
}

float *numbers_at(struct numbers v, long at, float *room)
{
	return v.half ? room : (float *)(void *)v.p + at;
}

void numbers_put(struct numbers v, long at, long n, const float *x)
{
	if (v.half)
		vector_narrow((uint16_t *)(void *)v.p + at, x, n);
	else if (x != (const float *)(void *)v.p + at)
		memcpy((float *)(void *)v.p + at, x, sizeof *x * (size_t)n);
}

/* Loading. */

static bool make_steps(struct loaded *l, struct bench_error *err)
{
	for (int i = 0; i < l->plan->nops; i++) {
		struct step *s = &l->steps[i];
		s->op = &l->plan->ops[i];
		s->detail = "own loop";
		if (!makers[s->op->kind](l, s, err))
			return false;
	}
	return true;
}

/* Tensors that no operation touches have a place too. */
static void settle_rest(struct loaded *l)
{
	for (int i = 0; i < l->plan->ntensors; i++)
		if (!l->places[i].first)
			settle(&l->places[i], l->places[i].plain);
}

static bool make_plain(struct loaded *l, struct bench_error *err)
{
	static const long one = 1;

	for (int i = 0; i < l->plan->ntensors; i++) {
		const struct tensor *t = &l->plan->tensors[i];
		l->places[i].plain = layout_make(&l->lib, step_type(l, i), t->rank ? t->rank : 1,
						 t->rank ? t->dim : &one, NULL, err);
		if (!l->places[i].plain)
			return false;
	}
	return true;
}

/* Decided before anything is touched: a system that promises more than it has ends the program
 * later. Beside the plan there must be room to fill its largest tensor: in doubles, and once more
 * where it is kept in another layout; and something for the program itself. What a verification
 * wants is asked when this is taken (measure.c). */
static bool enough_memory(const struct loaded *l, struct bench_error *err)
{
	double want = (double)l->thread_bytes * l->device->threads, largest = 0,
	       have = host_memory_available();

	for (int i = 0; i < l->plan->ntensors; i++) {
		want += (double)l->places[i].bytes;
		largest = fmax(largest,
			       (double)tensor_count(&l->plan->tensors[i]) * (double)sizeof(double));
	}
	for (int i = 0; i < SLOTS; i++)
		want += (double)l->slot_bytes[i];
	for (const struct own_want *w = l->wants; w; w = w->next)
		want += (double)w->bytes;
	want += 2 * largest + 256e6;
	return !(want > have)
	       || bench_fail(err, BENCH_NO_MEMORY,
			     "onednn: %.1f GB wanted, %.1f GB of memory are free", want * 1e-9,
			     have * 1e-9);
}

static bool allocate(struct loaded *l, struct bench_error *err)
{
	if (!enough_memory(l, err))
		return false;
	for (int i = 0; i < l->plan->ntensors; i++)
		if (!(l->places[i].data = load_memory(l, l->places[i].bytes, "a tensor", err)))
			return false;
	for (int i = 0; i < SLOTS; i++)
		if (!(l->slot[i] = load_memory(l, l->slot_bytes[i], "a buffer", err)))
			return false;
	for (const struct own_want *w = l->wants; w; w = w->next)
		if (!(*w->at = load_memory(l, w->bytes, "what an operation keeps", err)))
			return false;
	l->thread_room =
	    load_memory(l, l->thread_bytes * (size_t)l->device->threads, "buffers of threads", err);
	return l->thread_room;
}

static bool choose(struct loaded *l, struct bench_error *err)
{
	for (int i = 0; i < l->plan->nops; i++)
		if (l->steps[i].choose && !l->steps[i].choose(l, &l->steps[i], err))
			return false;
	return true;
}

static void start_of_step(struct loaded *l)
{
	for (int i = 0; i < l->plan->ntensors; i++)
		l->places[i].now = l->places[i].first;
}

struct loaded *load_plan(struct device *d, const struct plan *plan, enum conv_way way,
			 struct bench_error *err)
{
	struct loaded *l = calloc(1, sizeof *l);

	if (!l) {
		bench_fail(err, BENCH_NO_MEMORY, "onednn: no memory for a plan");
		return NULL;
	}
	l->device = d;
	l->plan = plan;
	l->way = way;
	l->places = arena_array(&l->arena, (size_t)plan->ntensors + 1, sizeof *l->places);
	l->steps = arena_array(&l->arena, (size_t)plan->nops + 1, sizeof *l->steps);
	step_want_thread(l, 64);
	if (lib_open(&l->lib, &l->arena, err) && make_plain(l, err) && make_steps(l, err)) {
		settle_rest(l);
		start_of_step(l);
		if (allocate(l, err) && choose(l, err))
			return l;
	}
	load_free(l);
	return NULL;
}

/* Whether the operands lie as they did when the operation was made. */
static bool lies_as_made(const struct loaded *l, const struct step *s, struct bench_error *err)
{
	for (int k = 0; k < OP_INPUTS; k++) {
		if (s->op->in[k] < 0 || !s->in[k])
			continue;
		const struct place *p = &l->places[s->op->in[k]];
		if (p->now != s->in[k] && !layout_same(p->now, s->in[k]))
			return bench_fail(err, BENCH_FAILED,
					  "onednn: " STR_FMT " out of order: " STR_FMT
					  " has been written by another operation",
					  STR_ARG(s->op->name),
					  STR_ARG(l->plan->tensors[s->op->in[k]].name));
	}
	return true;
}

bool load_run(struct loaded *l, int op, struct bench_error *err)
{
	const struct step *s = &l->steps[op];

	if (!lies_as_made(l, s, err) || !s->run(l, s, err))
		return false;
	for (int k = 0; k < OP_OUTPUTS; k++)
		if (s->op->out[k] >= 0 && s->out[k])
			l->places[s->op->out[k]].now = s->out[k];
	return true;
}
