/* Attention: one fused cuDNN graph each way for 16-bit values from sm_80 on; elsewhere products and
 * a softmax of ours, which keep the probabilities. Which of the two is seen by asking cuDNN, not by
 * the version of the card. */
#include "cuda_graph.h"
#include "cuda_kernels.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct attention_state {
	bool fused;
	struct plan_choice plan;
	struct graph graph;
	void *stats, *sum, *dq_sum; /* fp32 on the card; the last two of the backward pass */
	void *p, *dp;               /* probabilities, and the gradient of them: not fused */
	void **scores, **context, **dv, **dq, **dk; /* addresses of batches */
};

static void free_state(void *p)
{
	struct attention_state *s = p;

	plan_free(&s->plan);
	graph_free(&s->graph);
}

static size_t squares(const struct op_attention *a)
{
	return (size_t)(a->batch * a->heads * a->queries * a->keys);
}

static size_t columns(const struct op_attention *a)
{
	return (size_t)(a->batch * a->heads * a->queries);
}

/* The pointer to k (1) or v (2) of a packed tensor. */
static void *packed_part(const struct loaded *l, const struct op_attention *a, void *qkv, int i,
			 int tensor)
{
	return (char *)qkv
	       + (size_t)(i * a->heads * a->width) * cuda_type_bytes(cuda_type_of(l, tensor));
}

static bool run_fused(struct loaded *l, const struct op *o, struct attention_state *s,
		      const struct cuda_args *args, struct bench_error *err)
{
	const struct op_attention *a = &o->p.attention;
	float scale = (float)(1 / sqrt((double)a->width)), negative = -1e30f;
	void *qkv = args->in[0];
	struct graph_pointer p[] = {
		{ UID_Q, qkv },
		{ UID_K, packed_part(l, a, qkv, 1, o->in[0]) },
		{ UID_V, packed_part(l, a, qkv, 2, o->in[0]) },
		{ UID_O, args->out[0] },
		{ UID_STATS, s->stats },
		{ UID_SCALE, &scale },
		{ UID_NEGATIVE, &negative },
	};

	return plan_run(l->d->dnn, &s->plan, p, (int)LEN(p) - !a->causal, l->workspace, err);
}

static bool run_fused_bwd(struct loaded *l, const struct op *o, struct attention_state *s,
			  const struct cuda_args *args, struct bench_error *err)
{
	const struct op_attention *a = &o->p.attention;
	const struct attention_state *f = l->ops[o->forward].state;
	float scale = (float)(1 / sqrt((double)a->width)), one = 1;
	void *qkv = args->in[1], *d = args->out[0];
	struct graph_pointer p[] = {
		{ UID_Q, qkv },
		{ UID_K, packed_part(l, a, qkv, 1, o->in[1]) },
		{ UID_V, packed_part(l, a, qkv, 2, o->in[1]) },
		{ UID_O, args->in[2] },
		{ UID_DO, args->in[0] },
		{ UID_STATS, f->stats },
		{ UID_SCALE, &scale },
		{ UID_ONE, &one },
		{ UID_SOFTMAX_SUM, s->sum },
		{ UID_DQ_SUM, s->dq_sum },
		{ UID_DQ, d },
		{ UID_DK, packed_part(l, a, d, 1, o->out[0]) },
		{ UID_DV, packed_part(l, a, d, 2, o->out[0]) },
	};

	/* several blocks add to it */
	return cuda_ok(cudaMemsetAsync(s->dq_sum, 0, columns(a) * (size_t)a->width * sizeof(float),
				       l->d->stream),
		       "cudaMemsetAsync", err)
	       && plan_run(l->d->dnn, &s->plan, p, (int)LEN(p), l->workspace, err);
}

struct
try {
	struct loaded *l;
	const struct op *o;
	struct attention_state *s;
	struct cuda_args args;
	bool (*run)(struct loaded *, const struct op *, struct attention_state *,
		    const struct cuda_args *, struct bench_error *);
};

static bool try_plan(void *ctx, struct bench_error *err)
{
	struct try *t = ctx;

	return t->run(t->l, t->o, t->s, &t->args, err);
}

/* The fastest of the plans of the graph, which is already described. */
static bool choose(struct try *t, struct bench_error *err)
{
	struct graph_target target = { .handle = t->l->d->dnn };
	struct plan_choice list[GRAPH_CANDIDATES];
	double best = INFINITY, seconds;
	int n, chosen = -1;

	if (!graph_plans(&t->s->graph, &target, list, &n, NULL, err))
		return false;
	for (int i = 0; i < n; i++) {
		t->s->plan = list[i];
		if (!cuda_need_workspace(t->l, (size_t)list[i].workspace, err)
		    || !cuda_time_try(t->l, try_plan, t, &seconds, err)) {
			if (err->code == BENCH_LOST)
				break;
			continue;
		}
		if (seconds < best) {
			best = seconds;
			chosen = i;
		}
	}
	for (int i = 0; i < n; i++)
		if (i != chosen)
			plan_free(&list[i]);
	t->s->plan = chosen >= 0 ? list[chosen] : (struct plan_choice){ 0 };
	return chosen >= 0 && cuda_need_workspace(t->l, (size_t)t->s->plan.workspace, err);
}

/* fp32 has no fused attention. */
static bool may_fuse(const struct loaded *l, const struct op_attention *a)
{
	return (l->plan->precision == PRECISION_FP16 || l->plan->precision == PRECISION_BF16)
	       && a->queries == a->keys && a->heads == a->kv_heads;
}

static void forget_graph(struct attention_state *s)
{
	graph_free(&s->graph);
	memset(&s->graph, 0, sizeof s->graph);
}

/* The fused node, then the composed graph. */
static bool fuse_forward(struct loaded *l, int op, struct attention_state *s,
			 struct bench_error *err)
{
	const struct op *o = &l->plan->ops[op];
	const struct op_attention *a = &o->p.attention;
	cudnnDataType_t type = cuda_dnn_type(cuda_type_of(l, o->in[0]));
	struct try t = { l, o, s, cuda_args_of(l, o), run_fused };

	for (int single = !a->causal; single >= 0; single--) {
		graph_of_attention(&s->graph, a, type, single);
		if (choose(&t, err)) {
			snprintf(l->ops[op].detail, sizeof l->ops[op].detail, "%s, %s",
				 s->plan.name, single ? "attention node" : "attention of parts");
			return true;
		}
		forget_graph(s);
		if (err->code == BENCH_LOST || err->code == BENCH_NO_MEMORY)
			return false;
	}
	return false;
}

/* Where the matrices of every (sequence, head) lie. */
static struct cuda_lies lies_packed(const struct loaded *l, const struct op_attention *a, void *qkv,
				    int i, int tensor)
{
	long row = 3 * a->heads * a->width;

	return (struct cuda_lies){ qkv, cuda_type_bytes(cuda_type_of(l, tensor)),
				   i * a->heads * a->width, a->queries * row, a->width };
}

static struct cuda_lies lies_square(const struct loaded *l, const struct op_attention *a, void *p,
				    int tensor)
{
	return (struct cuda_lies){ p, cuda_type_bytes(cuda_type_of(l, tensor)), 0,
				   a->heads * a->queries * a->keys, a->queries * a->keys };
}

static struct cuda_lies lies_output(const struct loaded *l, const struct op_attention *a, void *y,
				    int tensor)
{
	return (struct cuda_lies){ y, cuda_type_bytes(cuda_type_of(l, tensor)), 0,
				   a->queries * a->heads * a->width, a->width };
}

/* x op y -> z for every (sequence, head); cuBLAS takes y first. */
static bool addresses(struct loaded *l, const struct op_attention *a, struct cuda_lies x,
		      struct cuda_lies y, struct cuda_lies z, void ***out, struct bench_error *err)
{
	const struct cuda_lies lies[3] = { y, x, z };

	return cuda_batch_addresses(l, lies, a->batch, a->heads, out, err);
}

static bool by_products(struct loaded *l, int op, struct attention_state *s,
			struct bench_error *err)
{
	const struct op *o = &l->plan->ops[op];
	const struct op_attention *a = &o->p.attention;
	struct cuda_args args = cuda_args_of(l, o);
	int t = o->in[0];

	snprintf(l->ops[op].detail, sizeof l->ops[op].detail, "cublasGemmBatchedEx and softmax");
	return kernels_want(l->d, l->plan->precision, err)
	       && cuda_alloc(l, squares(a) * cuda_type_bytes(cuda_type_of(l, t)), &s->p, err)
	       && addresses(l, a, lies_packed(l, a, args.in[0], 0, t),
			    lies_packed(l, a, args.in[0], 1, t), lies_square(l, a, s->p, t),
			    &s->scores, err)
	       && addresses(l, a, lies_square(l, a, s->p, t), lies_packed(l, a, args.in[0], 2, t),
			    lies_output(l, a, args.out[0], t), &s->context, err);
}

bool cuda_attention_prepare(struct loaded *l, int op, struct bench_error *err)
{
	const struct op_attention *a = &l->plan->ops[op].p.attention;
	struct attention_state *s = arena_alloc(&l->arena, sizeof *s);
	int same = cuda_same_before(l, op);
	const struct attention_state *before = same >= 0 ? l->ops[same].state : NULL;

	l->ops[op].state = s;
	if (before && before->fused) { /* the plan is shared, the statistics are its own */
		*s = *before;
		memcpy(l->ops[op].detail, l->ops[same].detail, sizeof l->ops[op].detail);
		return cuda_alloc(l, columns(a) * sizeof(float), &s->stats, err);
	}
	if (!before)
		cuda_defer(l, free_state, s);
	if (!before && may_fuse(l, a)) {
		*err = (struct bench_error){ .code = BENCH_OK };
		if (!cuda_alloc(l, columns(a) * sizeof(float), &s->stats, err))
			return false;
		s->fused = fuse_forward(l, op, s, err);
		if (!s->fused && (err->code == BENCH_LOST || err->code == BENCH_NO_MEMORY))
			return false;
	}
	return s->fused || by_products(l, op, s, err);
}

/* A product of every (sequence, head). */
static bool product(struct loaded *l, const struct op *o, long m, long n, long k, long lda,
		    long ldb, long ldc, bool ta, bool tb, void **at, struct bench_error *err)
{
	enum cuda_type t = cuda_type_of(l, o->out[0]);
	struct cuda_batch b = {
		m,  n,  k, lda, ldb, ldc, o->p.attention.batch * o->p.attention.heads,
		ta, tb, 1, 0,   t,   t
	};

	return cuda_batch_run(l, &b, at, err);
}

bool cuda_attention_run(struct loaded *l, int op, const struct cuda_args *args,
			struct bench_error *err)
{
	const struct op *o = &l->plan->ops[op];
	const struct op_attention *a = &o->p.attention;
	struct attention_state *s = l->ops[op].state;
	long packed = 3 * a->heads * a->width, row = a->heads * a->width;
	double scale = 1 / sqrt((double)a->width);

	if (s->fused)
		return run_fused(l, o, s, args, err);
	return product(l, o, a->queries, a->keys, a->width, packed, packed, a->keys, false, true,
		       s->scores, err)
	       && kernel_softmax(l, s->p, s->p, (long)columns(a), a->keys, scale,
				 a->causal ? 0 : -1, a->queries, err)
	       && product(l, o, a->queries, a->width, a->keys, a->keys, packed, row, false, false,
			  s->context, err);
}

static bool bwd_by_products(struct loaded *l, int op, struct attention_state *s,
			    struct bench_error *err)
{
	const struct op *o = &l->plan->ops[op];
	const struct op_attention *a = &o->p.attention;
	const struct attention_state *f = l->ops[o->forward].state;
	struct cuda_args args = cuda_args_of(l, o);
	void *dy = args.in[0], *qkv = args.in[1], *d = args.out[0];
	int t = o->out[0];
	struct cuda_lies p = lies_square(l, a, f->p, t), dp;

	snprintf(l->ops[op].detail, sizeof l->ops[op].detail, "cublasGemmBatchedEx and softmax");
	if (!kernels_want(l->d, l->plan->precision, err)
	    || (!s->dp
		&& !cuda_alloc(l, squares(a) * cuda_type_bytes(cuda_type_of(l, t)), &s->dp, err)))
		return false;
	dp = lies_square(l, a, s->dp, t);
	return addresses(l, a, lies_output(l, a, dy, t), lies_packed(l, a, qkv, 2, t), dp,
			 &s->scores, err)
	       && addresses(l, a, p, lies_output(l, a, dy, t), lies_packed(l, a, d, 2, t), &s->dv,
			    err)
	       && addresses(l, a, dp, lies_packed(l, a, qkv, 1, t), lies_packed(l, a, d, 0, t),
			    &s->dq, err)
	       && addresses(l, a, dp, lies_packed(l, a, qkv, 0, t), lies_packed(l, a, d, 1, t),
			    &s->dk, err);
}

static bool fuse_backward(struct loaded *l, int op, struct attention_state *s,
			  struct bench_error *err)
{
	const struct op *o = &l->plan->ops[op];
	const struct op_attention *a = &o->p.attention;
	struct try t = { l, o, s, cuda_args_of(l, o), run_fused_bwd };

	if (!cuda_alloc(l, columns(a) * sizeof(float), &s->sum, err)
	    || !cuda_alloc(l, columns(a) * (size_t)a->width * sizeof(float), &s->dq_sum, err))
		return false;
	graph_of_attention_bwd(&s->graph, a, cuda_dnn_type(cuda_type_of(l, o->in[0])));
	if (!choose(&t, err)) {
		forget_graph(s);
		return false;
	}
	snprintf(l->ops[op].detail, sizeof l->ops[op].detail, "%s, attention of parts",
		 s->plan.name);
	return true;
}

/* A backward pass that cannot be fused wants the probabilities, so the forward pass is not fused
 * either. */
static bool unfuse_forward(struct loaded *l, int forward, struct bench_error *err)
{
	struct attention_state *f = l->ops[forward].state;

	if (!f->fused)
		return true;
	f->fused = false;
	return by_products(l, forward, f, err);
}

bool cuda_attention_bwd_prepare(struct loaded *l, int op, struct bench_error *err)
{
	const struct op *o = &l->plan->ops[op];
	struct attention_state *s = arena_alloc(&l->arena, sizeof *s);
	int same = cuda_same_before(l, op);
	const struct attention_state *before = same >= 0 ? l->ops[same].state : NULL;

	if (o->forward < 0)
		return bench_fail(err, BENCH_UNSUPPORTED,
				  "attention backward without its forward operation");
	const struct attention_state *f = l->ops[o->forward].state;
	l->ops[op].state = s;
	if (before && before->fused) {
		*s = *before;
		memcpy(l->ops[op].detail, l->ops[same].detail, sizeof l->ops[op].detail);
		return true;
	}
	if (!before) {
		cuda_defer(l, free_state, s);
		*err = (struct bench_error){ .code = BENCH_OK };
		s->fused = f->fused && !o->p.attention.causal && fuse_backward(l, op, s, err);
		if (!s->fused && (err->code == BENCH_LOST || err->code == BENCH_NO_MEMORY))
			return false;
	} else {
		s->dp = before->dp; /* operations run one after another */
	}
	return s->fused || (unfuse_forward(l, o->forward, err) && bwd_by_products(l, op, s, err));
}

/* dp = dy v^T; dv = p^T dy; ds = softmax backward; dq = ds k; dk = ds^T q */
bool cuda_attention_bwd_run(struct loaded *l, int op, const struct cuda_args *args,
			    struct bench_error *err)
{
	const struct op *o = &l->plan->ops[op];
	const struct op_attention *a = &o->p.attention;
	struct attention_state *s = l->ops[op].state;
	const struct attention_state *f = l->ops[o->forward].state;
	long packed = 3 * a->heads * a->width, row = a->heads * a->width, q = a->queries,
	     k = a->keys, d = a->width;

	if (s->fused)
		return run_fused_bwd(l, o, s, args, err);
	return product(l, o, q, k, d, row, packed, k, false, true, s->scores, err)
	       && product(l, o, k, d, q, k, row, packed, true, false, s->dv, err)
	       && kernel_softmax_bwd(l, s->dp, f->p, s->dp, (long)columns(a), k,
				     1 / sqrt((double)d), err)
	       && product(l, o, q, d, k, k, packed, packed, false, false, s->dq, err)
	       && product(l, o, k, d, q, k, packed, packed, true, false, s->dk, err);
}
