/* The update of all weights of a step in one launch: a table of weights, cut into pieces, a block a
 * piece. */
#include "cuda_kernels.h"

#include <math.h>
#include <string.h>

/* As in cuda_kernels.cu. */
enum { PIECE = 4096, BLOCK = 256 };
struct trained {
	void *w;
	const void *dw;
	float *master, *m, *v;
	long count;
	int w_f32, dw_f32;
};
struct piece {
	long from, weight;
};

/* One launch; state of the first operation, the others point to it. */
struct group {
	int first, n;           /* operations */
	long *piece;            /* of operation i: its first; [n] is how many */
	void *weights, *pieces; /* on the card */
};

static bool same_rule(const struct op *a, const struct op *b)
{
	struct op_optimizer p = a->p.optimizer, q = b->p.optimizer;

	p.count = q.count = 0;
	return a->kind == b->kind && p.rate == q.rate && p.momentum == q.momentum
	       && p.beta1 == q.beta1 && p.beta2 == q.beta2 && p.epsilon == q.epsilon
	       && p.decay == q.decay && p.step == q.step;
}

static int group_end(const struct plan *p, int first)
{
	int end = first + 1;

	while (end < p->nops && same_rule(&p->ops[first], &p->ops[end]))
		end++;
	return end;
}

static void *stored(const struct loaded *l, int tensor)
{
	return tensor >= 0 ? l->tensors[tensor].p : NULL;
}

/* Elements as they are stored: LSTM weights may have gaps. */
static struct trained trained_of(const struct loaded *l, const struct op *o)
{
	return (struct trained){ .w = stored(l, o->in[0]),
				 .dw = stored(l, o->in[1]),
				 .master = stored(l, o->in[2]),
				 .m = stored(l, o->in[3]),
				 .v = stored(l, o->in[4]),
				 .count = l->tensors[o->in[0]].count,
				 .w_f32 = cuda_type_of(l, o->in[0]) == CUDA_TYPE_F32,
				 .dw_f32 = cuda_type_of(l, o->in[1]) == CUDA_TYPE_F32 };
}

static bool to_card(struct loaded *l, const void *from, size_t bytes, void **out,
		    struct bench_error *err)
{
	return cuda_alloc(l, bytes, out, err)
	       && cuda_copy(l, *out, from, bytes, cudaMemcpyHostToDevice, err);
}

static bool make_group(struct loaded *l, int first, struct group *g, struct bench_error *err)
{
	int end = group_end(l->plan, first), n = end - first;
	struct trained *weights = arena_array(&l->arena, (size_t)n, sizeof *weights);
	long pieces = 0;

	g->first = first;
	g->n = n;
	g->piece = arena_array(&l->arena, (size_t)n + 1, sizeof *g->piece);
	for (int i = 0; i < n; i++) {
		weights[i] = trained_of(l, &l->plan->ops[first + i]);
		g->piece[i] = pieces;
		pieces += (weights[i].count + PIECE - 1) / PIECE;
	}
	g->piece[n] = pieces;
	struct piece *list = arena_array(&l->arena, (size_t)pieces, sizeof *list);
	for (int i = 0; i < n; i++)
		for (long k = g->piece[i]; k < g->piece[i + 1]; k++)
			list[k] = (struct piece){ (k - g->piece[i]) * PIECE, i };
	return to_card(l, weights, sizeof *weights * (size_t)n, &g->weights, err)
	       && to_card(l, list, sizeof *list * (size_t)pieces, &g->pieces, err);
}

bool cuda_optimizer_prepare(struct loaded *l, int op, struct bench_error *err)
{
	const struct group *before = op > 0 ? l->ops[op - 1].state : NULL;

	if (op > 0 && l->ops[op - 1].kind == l->ops[op].kind
	    && same_rule(&l->plan->ops[op - 1], &l->plan->ops[op])) {
		l->ops[op].state = (void *)(size_t)before;
		return true;
	}
	struct group *g = arena_alloc(&l->arena, sizeof *g);
	l->ops[op].state = g;
	return make_group(l, op, g, err);
}

static bool launch(struct loaded *l, const struct group *g, int from, int to,
		   struct bench_error *err)
{
	const struct op *o = &l->plan->ops[g->first];
	const struct op_optimizer *p = &o->p.optimizer;
	const struct piece *pieces = (const struct piece *)g->pieces + g->piece[from];
	float rate = (float)p->rate, momentum = (float)p->momentum, decay = (float)p->decay,
	      b1 = (float)p->beta1;
	float b2 = (float)p->beta2, rest1 = (float)(1 - p->beta1), rest2 = (float)(1 - p->beta2);
	float epsilon = (float)p->epsilon, unbias1 = (float)(1 / (1 - pow(p->beta1, p->step)));
	float unbias2 = (float)(1 / (1 - pow(p->beta2, p->step)));
	struct kernel_grid grid = { .x = g->piece[to] - g->piece[from], .block = BLOCK };
	void *weights = g->weights;
	void *sgd[] = { &weights, &pieces, &rate, &momentum, &decay };
	void *adam[] = { &weights, &pieces,  &rate,  &b1,      &b2,     &rest1,
			 &rest2,   &epsilon, &decay, &unbias1, &unbias2 };

	return kernel_launch(l, o->kind == OP_SGD ? KERNEL_SGD : KERNEL_ADAM, grid,
			     o->kind == OP_SGD ? sgd : adam, err);
}

bool cuda_optimizer_run(struct loaded *l, int op, const struct cuda_args *a,
			struct bench_error *err)
{
	const struct group *g = l->ops[op].state;

	(void)a; /* addresses are in the table */
	return launch(l, g, op - g->first, op - g->first + 1, err);
}

bool cuda_optimizer_run_group(struct loaded *l, int op, int *next, struct bench_error *err)
{
	const struct group *g = l->ops[op].state;

	*next = g->first + g->n;
	return launch(l, g, op - g->first, g->n, err);
}
