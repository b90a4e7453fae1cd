/* Attention, head by head: products of one thread on strided views of the packed tensor, softmax
 * between them. The backward pass makes the probabilities again, which is one product of six and
 * keeps no memory. */
#include "onednn_load.h"

#include "onednn_vector.h"

#include <math.h>
#include <omp.h>
#include <string.h>

/* Products of one head. */
enum part { SCORES, CONTEXT, DP, DV, DQ, DK };
enum { PARTS = DK + 1, PART_ARGS = 3 };

struct attention {
	const struct op *op;
	struct call **threads;          /* PARTS of each */
	size_t at_p, at_dp, at_ds, at_scratch; /* in a thread's room; the scores are at 0 */
	bool half;
	struct bench_error *errors;
};

static const int args[PART_ARGS] = { DNNL_ARG_SRC, DNNL_ARG_WEIGHTS, DNNL_ARG_DST };

static struct call *call_of(const struct attention *a, int thread, enum part part)
{
	return a->threads[thread * PARTS + (int)part];
}

static size_t value_bytes(const struct attention *a)
{
	return a->half ? 2 : 4;
}

/* Rows of a head: in the packed tensor (b s 3 heads d), in outputs (b s heads d), of scores. ld in
 * elements. */
struct lie { long rows, cols, ld; bool trans, f32; };

static const struct layout *view(struct loaded *l, const struct attention *a, struct lie v,
				 struct bench_error *err)
{
	dnnl_data_type_t type = a->half && !v.f32 ? dnnl_bf16 : dnnl_f32;
	long dims[] = { v.trans ? v.cols : v.rows, v.trans ? v.rows : v.cols };

	return layout_make(&l->lib, type, 2, dims,
			   v.trans ? (long[]){ 1, v.ld } : (long[]){ v.ld, 1 }, err);
}

static bool make_part(struct loaded *l, struct attention *a, enum part part, const struct lie v[3],
		      struct bench_error *err)
{
	struct lib_product p = { .a = view(l, a, v[0], err),
				 .b = view(l, a, v[1], err),
				 .c = view(l, a, v[2], err),
				 .alpha = 1 };

	if (!p.a || !p.b || !p.c)
		return false;
	omp_set_num_threads(1); /* a primitive for one thread is made while OpenMP would use one */
	const struct prim *prim = lib_matmul(&l->lib, &p, 0, err);
	omp_set_num_threads(l->device->threads);
	for (int t = 0; prim && t < l->device->threads; t++)
		if (!(a->threads[t * PARTS + (int)part] =
			  call_make(&l->lib, prim, args, PART_ARGS, err)))
			return false;
	if (prim)
		step_want_thread(l, a->at_scratch + prim->scratch_bytes);
	return prim;
}

static size_t line(size_t bytes)
{
	return (bytes + 63) / 64 * 64;
}

static bool make_parts(struct loaded *l, struct attention *a, bool backward,
		       struct bench_error *err)
{
	const struct op_attention *p = &a->op->p.attention;
	long q = p->queries, k = p->keys, d = p->width, in = 3 * p->heads * d, out = p->heads * d;
	const struct lie parts[PARTS][3] = {
		[SCORES] = { { q, d, in, false, false },
			     { k, d, in, true, false },
			     { q, k, k, false, true } },
		[CONTEXT] = { { q, k, k, false, false },
			      { k, d, in, false, false },
			      { q, d, out, false, false } },
		[DP] = { { q, d, out, false, false },
			 { k, d, in, true, false },
			 { q, k, k, false, true } },
		[DV] = { { q, k, k, true, false },
			 { q, d, out, false, false },
			 { k, d, in, false, false } },
		[DQ] = { { q, k, k, false, false },
			 { k, d, in, false, false },
			 { q, d, in, false, false } },
		[DK] = { { q, k, k, true, false },
			 { q, d, in, false, false },
			 { k, d, in, false, false } },
	};
	size_t scores = line(sizeof(float) * (size_t)(q * k));

	a->at_p = scores;
	a->at_dp = 2 * scores;
	a->at_ds = 3 * scores;
	a->at_scratch = (backward ? 4 : 2) * scores;
	a->threads = arena_array(&l->arena, (size_t)l->device->threads * PARTS, sizeof *a->threads);
	a->errors = arena_array(&l->arena, (size_t)l->device->threads, sizeof *a->errors);
	for (int i = 0; i < PARTS; i++)
		if (i == SCORES || backward == (i != CONTEXT))
			if (!make_part(l, a, (enum part)i, parts[i], err))
				return false;
	return true;
}

static bool product(const struct loaded *l, const struct attention *a, int thread, enum part part,
		    void *x, void *y, void *z)
{
	return call_run(call_of(a, thread, part), (void *[]){ x, y, z },
			thread_room(l, thread) + a->at_scratch, &a->errors[thread]);
}

/* Where q, k or v (part 0, 1, 2) of a head begins in the packed tensor, in bytes. */
static size_t packed(const struct attention *a, long b, long head, int part)
{
	const struct op_attention *p = &a->op->p.attention;

	return value_bytes(a)
	       * (size_t)((b * p->queries * 3 * p->heads + part * p->heads + head) * p->width);
}

static size_t unpacked(const struct attention *a, long b, long head)
{
	const struct op_attention *p = &a->op->p.attention;

	return value_bytes(a) * (size_t)((b * p->queries * p->heads + head) * p->width);
}

static float *room_floats(const struct loaded *l, int thread, size_t at)
{
	return (float *)(void *)(thread_room(l, thread) + at);
}

/* Scores to probabilities, in float in their own place, and as values beside them. */
static void probabilities(const struct loaded *l, const struct attention *a, int thread)
{
	const struct op_attention *p = &a->op->p.attention;
	struct numbers to = { thread_room(l, thread) + a->at_p, a->half };
	float scale = (float)(1 / sqrt((double)p->width)), *scores = room_floats(l, thread, 0);

	for (long i = 0; i < p->queries; i++) {
		float *row = scores + i * p->keys;
		long seen = p->causal ? i + 1 : p->keys;
		float sum = vector_exp_sum(row, row, scale, scale * vector_max(row, seen), seen);
		vector_scale(row, 1 / sum, row, seen);
		memset(row + seen, 0, sizeof *row * (size_t)(p->keys - seen));
		numbers_put(to, i * p->keys, p->keys, row);
	}
}

static void forward(const struct loaded *l, const void *job, long from, long to, int thread)
{
	const struct attention *a = job;
	long heads = a->op->p.attention.heads;
	char *qkv = step_data(l, a->op->in[0]), *y = step_data(l, a->op->out[0]),
	     *room = thread_room(l, thread);

	for (long i = from; i < to; i++) {
		long b = i / heads, head = i % heads;
		if (!product(l, a, thread, SCORES, qkv + packed(a, b, head, 0),
			     qkv + packed(a, b, head, 1), room))
			return;
		probabilities(l, a, thread);
		if (!product(l, a, thread, CONTEXT, room + a->at_p, qkv + packed(a, b, head, 2),
			     y + unpacked(a, b, head)))
			return;
	}
}

/* ds = p (dp - sum(p dp)) / sqrt(d). The probabilities of a row add up to 1, so that any number may
 * be taken off dp first: where all of dp is about the same, the difference would be lost in
 * rounding. */
static void score_gradients(const struct loaded *l, const struct attention *a, int thread)
{
	const struct op_attention *p = &a->op->p.attention;
	struct numbers to = { thread_room(l, thread) + a->at_ds, a->half };
	float scale = (float)(1 / sqrt((double)p->width));
	const float *prob = room_floats(l, thread, 0);
	float *dp = room_floats(l, thread, a->at_dp);

	for (long i = 0; i < p->queries; i++) {
		float *d = dp + i * p->keys;
		const float *row = prob + i * p->keys;
		vector_shift(d, -d[0], d, p->keys);
		vector_softmax_bwd(d, d, row, scale, vector_dot(d, row, p->keys), p->keys);
		numbers_put(to, i * p->keys, p->keys, d);
	}
}

static void backward(const struct loaded *l, const void *job, long from, long to, int thread)
{
	const struct attention *a = job;
	long heads = a->op->p.attention.heads;
	char *dy = step_data(l, a->op->in[0]), *qkv = step_data(l, a->op->in[1]),
	     *dqkv = step_data(l, a->op->out[0]);
	char *room = thread_room(l, thread), *p = room + a->at_p, *ds = room + a->at_ds;

	for (long i = from; i < to; i++) {
		long b = i / heads, head = i % heads;
		size_t q = packed(a, b, head, 0), k = packed(a, b, head, 1),
		       v = packed(a, b, head, 2);
		char *d = dy + unpacked(a, b, head);
		if (!product(l, a, thread, SCORES, qkv + q, qkv + k, room))
			return;
		probabilities(l, a, thread);
		if (!product(l, a, thread, DP, d, qkv + v, room + a->at_dp))
			return;
		score_gradients(l, a, thread);
		if (!product(l, a, thread, DV, p, d, dqkv + v)
		    || !product(l, a, thread, DQ, ds, qkv + k, dqkv + q)
		    || !product(l, a, thread, DK, ds, qkv + q, dqkv + k))
			return;
	}
}

static bool attention_run(struct loaded *l, const struct step *s, struct bench_error *err)
{
	const struct attention *a = s->state;
	const struct op_attention *p = &s->op->p.attention;

	parallel(l, p->batch * p->heads, 1, s->op->kind == OP_ATTENTION ? forward : backward, a);
	for (int t = 0; t < l->device->threads; t++)
		if (a->errors[t].code != BENCH_OK) {
			*err = a->errors[t];
			return false;
		}
	return true;
}

static bool make(struct loaded *l, struct step *s, bool backward_pass, struct bench_error *err)
{
	struct attention *a = arena_alloc(&l->arena, sizeof *a);
	const struct op_attention *p = &s->op->p.attention;

	if (p->queries != p->keys || p->kv_heads != p->heads)
		return bench_fail(err, BENCH_UNSUPPORTED,
				  "onednn: " STR_FMT ": %ld queries of %ld keys, %ld of %ld heads",
				  STR_ARG(s->op->name), p->queries, p->keys, p->kv_heads, p->heads);
	a->op = s->op;
	a->half = step_half(l, s->op->in[0]);
	s->state = a;
	s->run = attention_run;
	if (!step_all_plain(l, s, err) || !make_parts(l, a, backward_pass, err))
		return false;
	s->detail = call_of(a, 0, SCORES)->prim->detail;
	return true;
}

bool attention_make(struct loaded *l, struct step *s, struct bench_error *err)
{
	return make(l, s, false, err);
}

bool attention_bwd_make(struct loaded *l, struct step *s, struct bench_error *err)
{
	return make(l, s, true, err);
}

/* One new token: its k and v go to the end of the cache, then its q looks at all keys. Reading the
 * cache is the work. */
static void cache_head(const struct loaded *l, const struct op *op, long unit, float *room)
{
	const struct op_attention *p = &op->p.attention;
	long b = unit / p->heads, head = unit % p->heads, d = p->width;
	long at = (b * 3 * p->heads + head) * d, first = (b * p->kv_heads + head) * p->keys * d;
	struct numbers qkv = numbers_of(l, op->in[0]), k = numbers_of(l, op->in[1]),
		       v = numbers_of(l, op->in[2]);
	float *scores = room, *q = scores + p->keys, *row = q + d, *sum = row + d;
	float scale = (float)(1 / sqrt((double)d));

	for (int part = 1; part <= 2; part++)
		numbers_put(part == 1 ? k : v, first + (p->keys - 1) * d, d,
			    numbers_get(qkv, at + part * p->heads * d, d, row));
	memcpy(q, numbers_get(qkv, at, d, row), sizeof *q * (size_t)d);
	for (long j = 0; j < p->keys; j++)
		scores[j] = vector_dot(q, numbers_get(k, first + j * d, d, row), d);
	float total =
	    vector_exp_sum(scores, scores, scale, scale * vector_max(scores, p->keys), p->keys);
	memset(sum, 0, sizeof *sum * (size_t)d);
	for (long j = 0; j < p->keys; j++)
		vector_axpy(sum, scores[j] / total, numbers_get(v, first + j * d, d, row), d);
	numbers_put(numbers_of(l, op->out[0]), (b * p->heads + head) * d, d, sum);
}

static void cache(const struct loaded *l, const void *job, long from, long to, int thread)
{
	for (long i = from; i < to; i++)
		cache_head(l, job, i, room_floats(l, thread, 0));
}

static bool cache_run(struct loaded *l, const struct step *s, struct bench_error *err)
{
	(void)err;
	parallel(l, s->op->p.attention.batch * s->op->p.attention.heads, 1, cache, s->op);
	return true;
}

bool attention_cache_make(struct loaded *l, struct step *s, struct bench_error *err)
{
	const struct op_attention *p = &s->op->p.attention;

	step_want_thread(l, sizeof(float) * (size_t)(p->keys + 3 * p->width));
	s->run = cache_run;
	return step_all_plain(l, s, err);
}
