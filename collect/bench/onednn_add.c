/* Sums of strided rows, rotary positions and the relative shift. */
#include "onednn_load.h"

#include "onednn_vector.h"

#include <math.h>
#include <string.h>

enum { RUN = 2048 };

struct add {
	const struct op *op;
	struct op_add p;       /* one row for tensors that lie alike */
	struct adapter y;
	char *at_y;            /* this time; NULL: a copy */
};

/* Elements [from, to) of rows x cols, row by row. */
static void add(const struct loaded *l, const void *job, long from, long to, int thread)
{
	const struct add *a = job;
	const struct op_add *p = &a->p;
	struct numbers x = numbers_of(l, a->op->in[0]), y = numbers_of(l, a->op->in[1]),
		       z = numbers_of(l, a->op->out[0]);
	float one[RUN], two[RUN], out[RUN];

	(void)thread;
	y.p = a->at_y;
	for (long i = from; i < to;) {
		long row = i / p->cols, col = i % p->cols, n = p->cols - col;
		n = n < RUN ? n : RUN;
		n = n < to - i ? n : to - i;
		long at = p->offset_z + row * p->stride_z + col;
		const float *v = numbers_get(x, p->offset_x + row * p->stride_x + col, n, one);
		float *sum = numbers_at(z, at, out);
		if (y.p)
			vector_add(sum, v,
				   numbers_get(y, p->offset_y + row * p->stride_y + col, n, two),
				   n);
		numbers_put(z, at, n, y.p ? sum : v);
		i += n;
	}
}

static bool add_run(struct loaded *l, const struct step *s, struct bench_error *err)
{
	struct add *a = s->state;
	void *y = NULL;

	if (s->op->in[1] >= 0 && !adapter_read(l, &a->y, step_data(l, s->op->in[1]), &y, err))
		return false;
	a->at_y = y;
	parallel(l, a->p.rows * a->p.cols, 16, add, a);
	return true;
}

/* Whether it goes through all of three tensors side by side, in any order. */
static bool is_whole(const struct loaded *l, const struct op *op)
{
	const struct op_add *p = &op->p.add;
	long count = p->rows * p->cols;
	bool dense =
	    p->rows == 1
	    || (p->stride_x == p->cols && p->stride_y == p->cols && p->stride_z == p->cols);

	return dense && op->in[1] >= 0 && !p->offset_x && !p->offset_y && !p->offset_z
	       && tensor_count(&l->plan->tensors[op->in[0]]) == count
	       && tensor_count(&l->plan->tensors[op->in[1]]) == count
	       && tensor_count(&l->plan->tensors[op->out[0]]) == count;
}

bool add_make(struct loaded *l, struct step *s, struct bench_error *err)
{
	struct add *a = arena_alloc(&l->arena, sizeof *a);
	const struct op *op = s->op;

	*a = (struct add){ .op = op, .p = op->p.add };
	s->state = a;
	s->run = add_run;
	if (!is_whole(l, op) || (l->places[op->in[0]].now == step_plain(l, op->in[0])
				 && l->places[op->in[1]].now == step_plain(l, op->in[1])))
		return step_all_plain(l, s, err);
	if (!step_in(l, s, 0, step_plain(l, op->in[0])) || !step_in(l, s, 1, s->in[0]))
		return false;
	const struct layout *y = layout_like(&l->lib, s->in[0], step_type(l, op->in[1]), err);
	const struct layout *z = layout_like(&l->lib, s->in[0], step_type(l, op->out[0]), err);
	long count = (long)(s->in[0]->bytes / (step_half(l, op->in[0]) ? 2 : 4));
	a->p = (struct op_add){
		.rows = 1, .cols = count, .stride_x = count, .stride_y = count, .stride_z = count
	};
	return y && z && adapter_in(l, &a->y, s->in[1], y, SLOT_A, err) && step_out(l, s, 0, z);
}

/* Rotary positions: cosines and sines of all tokens are made once. */
struct rope { const struct op *op; float *cosine, *sine; };

static void rope(const struct loaded *l, const void *job, long from, long to, int thread)
{
	const struct rope *r = job;
	const struct op_attention *p = &r->op->p.attention;
	struct numbers v = numbers_of(l, r->op->in[0]);
	long half = p->width / 2;
	float *room = (float *)(void *)thread_room(l, thread);

	for (long token = from; token < to; token++) {
		const float *c = r->cosine + token % p->queries * half,
			    *s = r->sine + token % p->queries * half;
		for (long head = 0; head < 2 * p->heads; head++) {
			long at = (token * 3 * p->heads + head) * p->width;
			float *x = numbers_at(v, at, room);
			numbers_get(v, at, p->width, x);
			vector_rotate(x, x + half, c, s, half);
			numbers_put(v, at, p->width, x);
		}
	}
}

static bool rope_run(struct loaded *l, const struct step *s, struct bench_error *err)
{
	const struct rope *r = s->state;

	(void)err;
	parallel(l, s->op->p.attention.batch * s->op->p.attention.queries, 1, rope, r);
	return true;
}

static struct rope *rope_state(struct loaded *l, const struct op *op)
{
	const struct op_attention *p = &op->p.attention;
	long half = p->width / 2;
	struct rope *r = arena_alloc(&l->arena, sizeof *r);

	r->op = op;
	r->cosine = arena_array(&l->arena, (size_t)(p->queries * half), sizeof *r->cosine);
	r->sine = arena_array(&l->arena, (size_t)(p->queries * half), sizeof *r->sine);
	for (long t = 0; t < p->queries; t++)
		for (long i = 0; i < half; i++) {
			double angle = (double)(p->position + t)
				       * pow(10000, -2 * (double)i / (double)p->width);
			r->cosine[t * half + i] = (float)cos(angle);
			r->sine[t * half + i] = (float)sin(angle);
		}
	return r;
}

/* Row i of t over k keys: what stands t - 1 - i further right; back: to the right by as much. */
static void shift(const struct loaded *l, const void *job, long from, long to, int thread)
{
	const struct op *op = job;
	long k = op->p.rows.cols, t = op->p.rows.other;
	size_t size = step_half(l, op->in[0]) ? 2 : 4;

	(void)thread;
	for (long row = from; row < to; row++) {
		size_t by = size * (size_t)(t - 1 - row % t), all = size * (size_t)k;
		char *y = step_data(l, op->out[0]) + all * (size_t)row;
		const char *x = step_data(l, op->in[0]) + all * (size_t)row;
		if (op->kind == OP_REL_SHIFT) {
			memcpy(y, x + by, all - by);
			memset(y + (all - by), 0, by);
		} else {
			memset(y, 0, by);
			memcpy(y + by, x, all - by);
		}
	}
}

static bool shift_run(struct loaded *l, const struct step *s, struct bench_error *err)
{
	(void)err;
	parallel(l, s->op->p.rows.rows * s->op->p.rows.other, 1, shift, s->op);
	return true;
}

bool shift_make(struct loaded *l, struct step *s, struct bench_error *err)
{
	if (s->op->kind == OP_ROPE) {
		s->state = rope_state(l, s->op);
		s->run = rope_run;
		step_want_thread(l, sizeof(float) * (size_t)s->op->p.attention.width);
	} else {
		s->run = shift_run;
	}
	return step_all_plain(l, s, err);
}
