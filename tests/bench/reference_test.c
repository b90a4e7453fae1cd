/* The reference: every backward operation by finite differences of its forward one, and values by hand. */
#include "../test.h"
#include "../../base/stat.h"
#include "../../collect/bench/reference.h"

#include <string.h>

/* A plan of tensors that the tests put together; values by tensor. */
struct bench_case {
	struct arena arena;
	struct plan plan;
	double *values[40];
};

static struct bench_case *case_make(struct bench_case *c)
{
	memset(c, 0, sizeof *c);
	c->plan.arena = &c->arena;
	return c;
}

static int add(struct bench_case *c, long a, long b, long d, long e)
{
	struct tensor t = { .dim = { a, b, d, e } };

	while (t.rank < 4 && t.dim[t.rank])
		t.rank++;
	int i = plan_tensor(&c->plan, &t);
	c->values[i] = arena_array(&c->arena, (size_t)tensor_count(&t) + 1, sizeof(double));
	return i;
}

static void fill(struct bench_case *c, int tensor, struct rng *r)
{
	for (long i = 0; i < tensor_count(&c->plan.tensors[tensor]); i++)
		c->values[tensor][i] = (double)rng_below(r, 2001) / 1000 - 1;
}

/* All units of one operation; results in place of what was there. */
static void run(struct bench_case *c, const struct op *op)
{
	struct reference r = { .plan = &c->plan, .op = op, .devices = 2 };
	double *results[OP_OUTPUTS] = { 0 };

	for (int i = 0; i < OP_INPUTS; i++)
		r.in[i] = op->in[i] >= 0 ? c->values[op->in[i]] : NULL;
	for (int i = 0; i < OP_OUTPUTS; i++) {
		if (op->out[i] < 0)
			continue;
		size_t n = (size_t)tensor_count(&c->plan.tensors[op->out[i]]);
		r.old[i] = c->values[op->out[i]];
		r.out[i] = results[i] = arena_array(&c->arena, n + 1, sizeof(double));
		memcpy(results[i], c->values[op->out[i]], n * sizeof(double));
	}
	for (long u = 0; u < reference_units(&c->plan, op); u++)
		reference_unit(&r, u);
	for (int i = 0; i < OP_OUTPUTS; i++)
		if (op->out[i] >= 0)
			c->values[op->out[i]] = results[i];
}

/* sum(y dy) after the forward operation: what dx is the gradient of. */
static double weighted(struct bench_case *c, const struct op *forward, int y, int dy)
{
	double sum = 0;

	run(c, forward);
	for (long i = 0; i < tensor_count(&c->plan.tensors[y]); i++)
		sum += c->values[y][i] * c->values[dy][i];
	return sum;
}

/* Central differences of every element of `x` against `dx`, which the backward operations have filled. The largest
 * difference, relative to the largest gradient. */
static double gradient_error(struct bench_case *c, const struct op *forward, int y, int dy, int x, int dx)
{
	const double h = 1e-5;
	double worst = 0, largest = 0;

	for (long i = 0; i < tensor_count(&c->plan.tensors[x]); i++) {
		double keep = c->values[x][i];
		c->values[x][i] = keep + h;
		double up = weighted(c, forward, y, dy);
		c->values[x][i] = keep - h;
		double down = weighted(c, forward, y, dy);
		c->values[x][i] = keep;
		worst = fmax(worst, fabs((up - down) / (2 * h) - c->values[dx][i]));
		largest = fmax(largest, fabs(c->values[dx][i]));
	}
	run(c, forward);
	return largest > 0 ? worst / largest : 1; /* a gradient of zeros has been forgotten */
}

static void check(struct test *t, double error, const char *name)
{
	test_ok(t, error < 1e-6, name);
	if (error >= 1e-6)
		printf("# relative error %g\n", error);
}

static void test_conv(struct test *t, long k, long stride, long pad, const char *name)
{
	struct bench_case c;
	struct rng r = { 7 };
	long side = 5, out = (side + 2 * pad - k) / stride + 1;
	struct op f = op_make(OP_CONV, STR("f")), d = op_make(OP_CONV_BWD_DATA, STR("d")), w = op_make(OP_CONV_BWD_FILTER, STR("w"));

	case_make(&c);
	f.p.conv = (struct op_conv){ 2, 3, side, side, 4, k, k, stride, pad, out, out };
	d.p = w.p = f.p;
	f.in[0] = add(&c, 2, 3, side, side);
	f.in[1] = add(&c, 4, 3, k, k);
	f.out[0] = add(&c, 2, 4, out, out);
	int dy = add(&c, 2, 4, out, out);
	d.in[0] = w.in[0] = dy;
	d.in[1] = f.in[1];
	w.in[1] = f.in[0];
	d.out[0] = add(&c, 2, 3, side, side);
	w.out[0] = add(&c, 4, 3, k, k);
	fill(&c, f.in[0], &r);
	fill(&c, f.in[1], &r);
	fill(&c, dy, &r);
	run(&c, &d);
	run(&c, &w);
	check(t, gradient_error(&c, &f, f.out[0], dy, f.in[0], d.out[0]), str_printf(&c.arena, "conv-bwd-data, %s", name).p);
	check(t, gradient_error(&c, &f, f.out[0], dy, f.in[1], w.out[0]), str_printf(&c.arena, "conv-bwd-filter, %s", name).p);
	arena_free(&c.arena);
}

static void test_batchnorm(struct test *t, bool relu, bool residual)
{
	struct bench_case c;
	struct rng r = { 3 };
	struct op f = op_make(OP_BATCHNORM, STR("f")), b = op_make(OP_BATCHNORM_BWD, STR("b"));

	case_make(&c);
	f.p.norm = (struct op_norm){ 2 * 3 * 3, 4, 1e-5, relu, residual };
	b.p = f.p;
	f.in[0] = add(&c, 2, 4, 3, 3);
	f.in[1] = add(&c, 4, 0, 0, 0);
	f.in[2] = add(&c, 4, 0, 0, 0);
	f.in[3] = residual ? add(&c, 2, 4, 3, 3) : -1;
	f.out[0] = add(&c, 2, 4, 3, 3);
	f.out[1] = add(&c, 4, 0, 0, 0);
	f.out[2] = add(&c, 4, 0, 0, 0);
	b.in[0] = add(&c, 2, 4, 3, 3);
	b.in[1] = f.in[0];
	b.in[2] = f.out[0];
	b.in[3] = f.in[1];
	b.in[4] = f.out[1];
	b.in[5] = f.out[2];
	b.out[0] = add(&c, 2, 4, 3, 3);
	b.out[1] = add(&c, 4, 0, 0, 0);
	b.out[2] = add(&c, 4, 0, 0, 0);
	b.out[3] = residual ? add(&c, 2, 4, 3, 3) : -1;
	for (int i = 0; i < 4; i++)
		if (f.in[i] >= 0)
			fill(&c, f.in[i], &r);
	fill(&c, b.in[0], &r);
	run(&c, &f);
	run(&c, &b);
	const char *kind = relu ? residual ? "relu and residual" : "relu" : "plain";
	static const char *const what[] = { "dx", "dgamma", "dbeta", "dresidual" };
	for (int i = 0; i < 4; i++)
		if (f.in[i] >= 0)
			check(t, gradient_error(&c, &f, f.out[0], b.in[0], f.in[i], b.out[i]),
			      str_printf(&c.arena, "batchnorm-bwd, %s: %s", kind, what[i]).p);
	arena_free(&c.arena);
}

static void test_layernorm(struct test *t)
{
	struct bench_case c;
	struct rng r = { 5 };
	struct op f = op_make(OP_LAYERNORM, STR("f")), b = op_make(OP_LAYERNORM_BWD, STR("b"));

	case_make(&c);
	f.p.norm = (struct op_norm){ 4, 6, 1e-5, false, false };
	b.p = f.p;
	f.in[0] = b.in[1] = add(&c, 4, 6, 0, 0);
	f.in[1] = b.in[2] = add(&c, 6, 0, 0, 0);
	f.in[2] = add(&c, 6, 0, 0, 0);
	f.out[0] = add(&c, 4, 6, 0, 0);
	f.out[1] = b.in[3] = add(&c, 4, 0, 0, 0);
	f.out[2] = b.in[4] = add(&c, 4, 0, 0, 0);
	b.in[0] = add(&c, 4, 6, 0, 0);
	b.out[0] = add(&c, 4, 6, 0, 0);
	b.out[1] = add(&c, 6, 0, 0, 0);
	b.out[2] = add(&c, 6, 0, 0, 0);
	for (int i = 0; i < 3; i++)
		fill(&c, f.in[i], &r);
	fill(&c, b.in[0], &r);
	run(&c, &f);
	run(&c, &b);
	static const char *const what[] = { "layernorm-bwd: dx", "layernorm-bwd: dgamma", "layernorm-bwd: dbeta" };
	for (int i = 0; i < 3; i++)
		check(t, gradient_error(&c, &f, f.out[0], b.in[0], f.in[i], b.out[i]), what[i]);
	arena_free(&c.arena);
}

static void test_pool(struct test *t, bool max)
{
	struct bench_case c;
	struct rng r = { 9 };
	struct op f = op_make(max ? OP_MAXPOOL : OP_AVGPOOL, STR("f"));
	struct op b = op_make(max ? OP_MAXPOOL_BWD : OP_AVGPOOL_BWD, STR("b"));
	long side = 6, out = max ? 3 : 1;

	case_make(&c);
	f.p.window = max ? (struct op_window){ 2, 2, side, side, 3, 2, 1, out, out }
			 : (struct op_window){ 2, 2, side, side, side, 1, 0, 1, 1 };
	b.p = f.p;
	f.in[0] = add(&c, 2, 2, side, side);
	f.out[0] = add(&c, 2, 2, out, out);
	b.in[0] = add(&c, 2, 2, out, out);
	b.in[1] = max ? f.in[0] : -1;
	b.in[2] = max ? f.out[0] : -1;
	b.out[0] = add(&c, 2, 2, side, side);
	fill(&c, f.in[0], &r);
	fill(&c, b.in[0], &r);
	run(&c, &f);
	run(&c, &b);
	check(t, gradient_error(&c, &f, f.out[0], b.in[0], f.in[0], b.out[0]), max ? "maxpool-bwd" : "avgpool-bwd");
	arena_free(&c.arena);
}

static void test_activation(struct test *t, enum activation a, const char *name)
{
	struct bench_case c;
	struct rng r = { 11 };
	struct op f = op_make(OP_ACTIVATION, STR("f")), b = op_make(OP_ACTIVATION_BWD, STR("b"));

	case_make(&c);
	f.p.rows = b.p.rows = (struct op_rows){ .rows = 5, .cols = 7, .activation = a };
	f.in[0] = b.in[1] = add(&c, 5, 7, 0, 0);
	f.out[0] = add(&c, 5, 7, 0, 0);
	b.in[0] = add(&c, 5, 7, 0, 0);
	b.out[0] = add(&c, 5, 7, 0, 0);
	fill(&c, f.in[0], &r);
	fill(&c, b.in[0], &r);
	run(&c, &b);
	check(t, gradient_error(&c, &f, f.out[0], b.in[0], f.in[0], b.out[0]), name);
	arena_free(&c.arena);
}

static void test_softmax(struct test *t, long memory, const char *name)
{
	struct bench_case c;
	struct rng r = { 13 };
	struct op f = op_make(OP_SOFTMAX, STR("f")), b = op_make(OP_SOFTMAX_BWD, STR("b"));

	case_make(&c);
	f.p.rows = b.p.rows = (struct op_rows){ .rows = 6, .cols = 7, .other = 3, .scale = 0.7, .memory = memory };
	f.in[0] = add(&c, 6, 7, 0, 0);
	f.out[0] = b.in[1] = add(&c, 6, 7, 0, 0);
	b.in[0] = add(&c, 6, 7, 0, 0);
	b.out[0] = add(&c, 6, 7, 0, 0);
	fill(&c, f.in[0], &r);
	fill(&c, b.in[0], &r);
	run(&c, &f);
	run(&c, &b);
	check(t, gradient_error(&c, &f, f.out[0], b.in[0], f.in[0], b.out[0]), name);
	arena_free(&c.arena);
}

/* The loss is its own weighted sum with dy = 1. */
static void test_loss(struct test *t)
{
	struct bench_case c;
	struct rng r = { 15 };
	struct op f = op_make(OP_LOSS, STR("f"));

	case_make(&c);
	f.p.rows = (struct op_rows){ .rows = 4, .cols = 5, .scale = 1 };
	f.in[0] = add(&c, 4, 5, 0, 0);
	f.in[1] = add(&c, 4, 0, 0, 0);
	f.out[0] = add(&c, 4, 5, 0, 0);
	f.out[1] = add(&c, 1, 0, 0, 0);
	int one = add(&c, 1, 0, 0, 0), kept = add(&c, 4, 5, 0, 0);
	c.values[one][0] = 1;
	fill(&c, f.in[0], &r);
	for (int i = 0; i < 4; i++)
		c.values[f.in[1]][i] = i;
	run(&c, &f);
	memcpy(c.values[kept], c.values[f.out[0]], sizeof(double) * 20);
	check(t, gradient_error(&c, &f, f.out[1], one, f.in[0], kept), "loss: dlogits");
	f.p.rows.scale = 1024;
	run(&c, &f);
	test_near(t, c.values[f.out[0]][3], 1024 * c.values[kept][3], 1e-12, "loss: dlogits scaled");
	arena_free(&c.arena);
}

static void test_lstm(struct test *t)
{
	struct bench_case c;
	struct rng r = { 17 };
	struct op f = op_make(OP_LSTM, STR("f")), b = op_make(OP_LSTM_BWD, STR("b"));
	long T = 4, B = 2, I = 3, H = 2, count = 2 * (4 * H * (I + H) + 8 * H);

	case_make(&c);
	f.p.lstm = b.p.lstm = (struct op_lstm){ T, B, I, H };
	f.in[0] = b.in[1] = add(&c, T, B, I, 0);
	f.in[1] = b.in[3] = add(&c, count, 0, 0, 0);
	f.out[0] = b.in[2] = add(&c, T, B, 2 * H, 0);
	b.in[0] = add(&c, T, B, 2 * H, 0);
	b.out[0] = add(&c, T, B, I, 0);
	b.out[1] = add(&c, count, 0, 0, 0);
	fill(&c, f.in[0], &r);
	fill(&c, f.in[1], &r);
	fill(&c, b.in[0], &r);
	run(&c, &f);
	run(&c, &b);
	check(t, gradient_error(&c, &f, f.out[0], b.in[0], f.in[0], b.out[0]), "lstm-bwd: dx");
	check(t, gradient_error(&c, &f, f.out[0], b.in[0], f.in[1], b.out[1]), "lstm-bwd: dw");
	arena_free(&c.arena);
}

static void test_attention(struct test *t, bool causal)
{
	struct bench_case c;
	struct rng r = { 19 };
	struct op f = op_make(OP_ATTENTION, STR("f")), b = op_make(OP_ATTENTION_BWD, STR("b"));

	case_make(&c);
	f.p.attention = b.p.attention = (struct op_attention){ 2, 4, 4, 2, 2, 3, causal, 0 };
	f.in[0] = b.in[1] = add(&c, 2, 4, 3 * 2, 3);
	f.out[0] = b.in[2] = add(&c, 2, 4, 2, 3);
	b.in[0] = add(&c, 2, 4, 2, 3);
	b.out[0] = add(&c, 2, 4, 3 * 2, 3);
	fill(&c, f.in[0], &r);
	fill(&c, b.in[0], &r);
	run(&c, &f);
	run(&c, &b);
	check(t, gradient_error(&c, &f, f.out[0], b.in[0], f.in[0], b.out[0]),
	      causal ? "attention-bwd, causal" : "attention-bwd");
	arena_free(&c.arena);
}

/* Operations that are linear: the backward one is the transpose, sum(f(x) dy) = sum(x g(dy)). */
static void test_transposed(struct test *t, struct op f, struct op b, const long *x_dims, const long *y_dims,
			    const char *name)
{
	struct bench_case c;
	struct rng r = { 21 };
	double left = 0, right = 0;

	case_make(&c);
	f.in[0] = add(&c, x_dims[0], x_dims[1], x_dims[2], 0);
	f.out[0] = add(&c, y_dims[0], y_dims[1], y_dims[2], 0);
	b.in[0] = add(&c, y_dims[0], y_dims[1], y_dims[2], 0);
	b.out[0] = add(&c, x_dims[0], x_dims[1], x_dims[2], 0);
	if (f.in[1] == 0) { /* ids: of y's rows, the same row twice */
		f.in[1] = b.in[1] = add(&c, y_dims[0], 0, 0, 0);
		for (long i = 0; i < y_dims[0]; i++)
			c.values[f.in[1]][i] = (double)(i * i % x_dims[0]);
	}
	fill(&c, f.in[0], &r);
	fill(&c, b.in[0], &r);
	run(&c, &f);
	run(&c, &b);
	for (long i = 0; i < tensor_count(&c.plan.tensors[f.out[0]]); i++)
		left += c.values[f.out[0]][i] * c.values[b.in[0]][i];
	for (long i = 0; i < tensor_count(&c.plan.tensors[f.in[0]]); i++)
		right += c.values[f.in[0]][i] * c.values[b.out[0]][i];
	test_near(t, left, right, 1e-12, name);
	test_ok(t, left != 0, "and it is not 0");
	arena_free(&c.arena);
}

static void test_linear(struct test *t)
{
	struct op embed = op_make(OP_EMBED, STR("f")), embed_bwd = op_make(OP_EMBED_BWD, STR("b"));
	struct op shift = op_make(OP_REL_SHIFT, STR("f")), shift_bwd = op_make(OP_REL_SHIFT_BWD, STR("b"));

	embed.in[1] = 0;
	embed.p.rows = embed_bwd.p.rows = (struct op_rows){ .rows = 6, .cols = 3, .other = 5 };
	test_transposed(t, embed, embed_bwd, (long[]){ 5, 3, 0 }, (long[]){ 6, 3, 0 }, "embed-bwd");
	shift.p.rows = shift_bwd.p.rows = (struct op_rows){ .rows = 2, .cols = 7, .other = 3 };
	test_transposed(t, shift, shift_bwd, (long[]){ 2, 3, 7 }, (long[]){ 2, 3, 7 }, "rel-shift-bwd");
}

/* Values of one operation by hand. */
static void test_hand(struct test *t, struct op o, const double *x, long n, const double *y, long m, const double *want,
		      const char *name)
{
	struct bench_case c;
	double worst = 0;
	long size = m ? m : n;

	case_make(&c);
	o.in[0] = add(&c, n, 0, 0, 0);
	memcpy(c.values[o.in[0]], x, sizeof *x * (size_t)n);
	if (y) {
		o.in[1] = add(&c, n, 0, 0, 0);
		memcpy(c.values[o.in[1]], y, sizeof *y * (size_t)n);
	}
	o.out[0] = add(&c, size, 0, 0, 0);
	run(&c, &o);
	for (long i = 0; i < size; i++)
		worst = fmax(worst, fabs(c.values[o.out[0]][i] - want[i]));
	test_near(t, worst, 0, 1e-12, name);
	arena_free(&c.arena);
}

static void test_values(struct test *t)
{
	struct op gemm = op_make(OP_GEMM, STR("f")), softmax = op_make(OP_SOFTMAX, STR("f")), swiglu = op_make(OP_SWIGLU, STR("f"));
	struct op rope = op_make(OP_ROPE, STR("f")), sum = op_make(OP_ADD, STR("f")), norm = op_make(OP_RMSNORM, STR("f"));
	struct op shift = op_make(OP_REL_SHIFT, STR("f")), reduce = op_make(OP_ALLREDUCE, STR("f")), bias = op_make(OP_BIAS_GRAD, STR("f"));

	/* (1 2; 3 4) (5 6; 7 8) */
	gemm.p.gemm = (struct op_gemm){ .batch = 1, .inner = 1, .m = 2, .n = 2, .k = 2, .lda = 2, .ldb = 2, .ldc = 2, .alpha = 1 };
	test_hand(t, gemm, (double[]){ 1, 2, 3, 4 }, 4, (double[]){ 5, 6, 7, 8 }, 0, (double[]){ 19, 22, 43, 50 }, "gemm");
	gemm.p.gemm.trans_a = true;
	test_hand(t, gemm, (double[]){ 1, 2, 3, 4 }, 4, (double[]){ 5, 6, 7, 8 }, 0, (double[]){ 26, 30, 38, 44 }, "gemm, a transposed");
	gemm.p.gemm.trans_a = false;
	gemm.p.gemm.trans_b = true;
	test_hand(t, gemm, (double[]){ 1, 2, 3, 4 }, 4, (double[]){ 5, 6, 7, 8 }, 0, (double[]){ 17, 23, 39, 53 }, "gemm, b transposed");
	/* two 1 x 1 products inside one sequence, their operands 1 and 2 apart */
	gemm.p.gemm = (struct op_gemm){ .batch = 2, .inner = 2, .m = 1, .n = 1, .k = 1, .lda = 1, .ldb = 1, .ldc = 1, .alpha = 2,
					.inner_stride_a = 1, .inner_stride_b = 2, .inner_stride_c = 1, .offset_c = 1 };
	test_hand(t, gemm, (double[]){ 3, 4, 0 }, 3, (double[]){ 5, 6, 7 }, 0, (double[]){ 0, 30, 56 }, "gemm, heads");
	softmax.p.rows = (struct op_rows){ .rows = 2, .cols = 3, .other = 2, .scale = 2, .memory = 0 };
	test_hand(t, softmax, (double[]){ 1, 9, 9, 0, 0, 9 }, 6, NULL, 0, (double[]){ 1, 0, 0, 0.5, 0.5, 0 }, "softmax, masked");
	swiglu.p.rows = (struct op_rows){ .rows = 1, .cols = 2 };
	test_hand(t, swiglu, (double[]){ 0, 1, 5, 3 }, 4, NULL, 2, (double[]){ 0, 3 / (1 + exp(-1)) }, "swiglu");
	/* one head of 2, token at position 1: turned by one radian; v stays */
	rope.p.attention = (struct op_attention){ .batch = 1, .queries = 1, .heads = 1, .kv_heads = 1, .width = 2, .position = 1 };
	test_hand(t, rope, (double[]){ 1, 0, 0, 1, 7, 8 }, 6, NULL, 0, (double[]){ cos(1), sin(1), -sin(1), cos(1), 7, 8 }, "rope");
	sum.p.add = (struct op_add){ .rows = 2, .cols = 1, .offset_x = 1, .stride_x = 2, .stride_z = 3 };
	test_hand(t, sum, (double[]){ 1, 2, 3, 4 }, 4, (double[]){ 10, 0, 0, 0 }, 0, (double[]){ 12, 0, 0, 14 }, "add, rows apart and one row for all");
	norm.p.norm = (struct op_norm){ .rows = 1, .cols = 2, .epsilon = 0 };
	test_hand(t, norm, (double[]){ 3, 4 }, 2, (double[]){ 1, 2 }, 0, (double[]){ 3 / sqrt(12.5), 8 / sqrt(12.5) }, "rmsnorm");
	/* two queries, memory of one: row 0 sees keys 0 1, moved by one; row 1 sees all */
	shift.p.rows = (struct op_rows){ .rows = 1, .cols = 3, .other = 2 };
	test_hand(t, shift, (double[]){ 1, 2, 3, 4, 5, 6 }, 6, NULL, 0, (double[]){ 2, 3, 0, 4, 5, 6 }, "rel-shift");
	test_hand(t, reduce, (double[]){ 1, 2 }, 2, NULL, 0, (double[]){ 2, 4 }, "allreduce of 2 devices");
	bias.p.rows = (struct op_rows){ .rows = 2, .cols = 2 };
	test_hand(t, bias, (double[]){ 1, 2, 3, 4 }, 4, NULL, 2, (double[]){ 4, 6 }, "bias-grad");
}

/* One step of Adam from zero moments: m^ = g, v^ = g^2, so p moves by the rate against the sign of g. */
static void test_optimizers(struct test *t)
{
	struct bench_case c;
	struct op adam = op_make(OP_ADAM, STR("a")), sgd = op_make(OP_SGD, STR("s"));

	case_make(&c);
	adam.p.optimizer = (struct op_optimizer){ .count = 2, .rate = 0.1, .beta1 = 0.9, .beta2 = 0.99, .epsilon = 0, .decay = 0.5, .step = 1 };
	for (int i = 0; i < 5; i++)
		adam.in[i] = add(&c, 2, 0, 0, 0);
	adam.out[0] = adam.in[0];
	adam.out[1] = adam.in[2];
	adam.out[2] = adam.in[3];
	adam.out[3] = adam.in[4];
	c.values[adam.in[1]][0] = 2;
	c.values[adam.in[1]][1] = -4;
	c.values[adam.in[2]][0] = c.values[adam.in[2]][1] = 1;
	run(&c, &adam);
	test_near(t, c.values[adam.in[2]][0], 1 - 0.1 * (1 + 0.5), 1e-12, "adam: master");
	test_near(t, c.values[adam.in[0]][1], 1 - 0.1 * (-1 + 0.5), 1e-12, "adam: weight is the master");
	test_near(t, c.values[adam.in[4]][1], 0.01 * 16, 1e-12, "adam: second moment");
	sgd.p.optimizer = (struct op_optimizer){ .count = 2, .rate = 0.5, .momentum = 0.9, .decay = 0.1 };
	sgd.in[0] = sgd.out[0] = adam.in[0];
	sgd.in[1] = adam.in[1];
	sgd.in[3] = sgd.out[2] = adam.in[3];
	c.values[sgd.in[0]][0] = 1;
	c.values[sgd.in[3]][0] = 3;
	run(&c, &sgd);
	test_near(t, c.values[sgd.in[3]][0], 0.9 * 3 + 2 + 0.1, 1e-12, "sgd: momentum");
	test_near(t, c.values[sgd.in[0]][0], 1 - 0.5 * 4.8, 1e-12, "sgd: weight without a master");
	arena_free(&c.arena);
}

/* The new token becomes the last of the cache, and the result is that of attention over all of them. */
static void test_cache(struct test *t)
{
	struct bench_case c;
	struct rng r = { 23 };
	struct op whole = op_make(OP_ATTENTION, STR("w")), cache = op_make(OP_ATTENTION_CACHE, STR("c"));
	double worst = 0;

	case_make(&c);
	whole.p.attention = (struct op_attention){ 1, 4, 4, 2, 2, 3, true, 0 };
	cache.p.attention = (struct op_attention){ 1, 1, 4, 2, 2, 3, true, 3 };
	whole.in[0] = add(&c, 1, 4, 6, 3);
	whole.out[0] = add(&c, 1, 4, 2, 3);
	cache.in[0] = add(&c, 1, 1, 6, 3);
	cache.in[1] = cache.out[1] = add(&c, 1, 2, 4, 3);
	cache.in[2] = cache.out[2] = add(&c, 1, 2, 4, 3);
	cache.out[0] = add(&c, 1, 2, 3, 0);
	fill(&c, whole.in[0], &r);
	for (int token = 0; token < 4; token++)
		for (int head = 0; head < 2; head++)
			for (int i = 0; i < 3; i++)
				for (int part = 0; part < 3; part++) {
					double v = c.values[whole.in[0]][((token * 3 + part) * 2 + head) * 3 + i];
					if (token == 3)
						c.values[cache.in[0]][(part * 2 + head) * 3 + i] = v;
					else if (part)
						c.values[cache.in[part]][(head * 4 + token) * 3 + i] = v;
				}
	run(&c, &whole);
	run(&c, &cache);
	for (int i = 0; i < 6; i++)
		worst = fmax(worst, fabs(c.values[whole.out[0]][18 + i] - c.values[cache.out[0]][i]));
	test_near(t, worst, 0, 1e-12, "attention-cache as attention");
	test_near(t, c.values[cache.in[2]][(1 * 4 + 3) * 3 + 2], c.values[cache.in[0]][(2 * 2 + 1) * 3 + 2], 0,
		  "attention-cache: v is kept");
	arena_free(&c.arena);
}

static void test_rounding(struct test *t)
{
	static const struct { const char *name; double v; enum element e; enum precision p; double want; } cases[] = {
		{ "fp16: ties to even", 1 + 1.0 / 2048, ELEMENT_VALUE, PRECISION_FP16, 1 },
		{ "fp16: up", 1 + 3.0 / 2048, ELEMENT_VALUE, PRECISION_FP16, 1 + 2.0 / 1024 },
		{ "fp16: least number", 3e-8, ELEMENT_VALUE, PRECISION_FP16, 5.9604644775390625e-8 },
		{ "fp16: nothing is left", 2e-8, ELEMENT_VALUE, PRECISION_FP16, 0 },
		{ "fp16: too large", 65520, ELEMENT_VALUE, PRECISION_FP16, INFINITY },
		{ "fp16: largest", 65519, ELEMENT_VALUE, PRECISION_FP16, 65504 },
		{ "bf16", 1 + 1.0 / 256 + 1e-9, ELEMENT_VALUE, PRECISION_BF16, 1 + 1.0 / 128 },
		{ "bf16: large", 3e38, ELEMENT_VALUE, PRECISION_BF16, 226 * 1.329227995784916e36 }, /* steps of 2^120 */
		{ "fp32 tensor of an fp16 plan", 65520, ELEMENT_F32, PRECISION_FP16, 65520 },
		{ "whole numbers", 2147483647, ELEMENT_I32, PRECISION_FP16, 2147483647 },
		{ "product of fp8 values", 1 + 1.0 / 256 + 1e-9, ELEMENT_RESULT, PRECISION_FP8, 1 + 1.0 / 128 },
	};

	for (size_t i = 0; i < LEN(cases); i++) {
		double got = reference_round(cases[i].v, cases[i].e, cases[i].p);
		test_ok(t, got == cases[i].want || fabs(got - cases[i].want) < 1e-6 * cases[i].want, cases[i].name);
	}
}

int main(void)
{
	struct test t = { 0 };

	test_conv(&t, 3, 1, 1, "3x3");
	test_conv(&t, 3, 2, 1, "3x3 stride 2");
	test_conv(&t, 1, 2, 0, "1x1 stride 2");
	test_batchnorm(&t, false, false);
	test_batchnorm(&t, true, false);
	test_batchnorm(&t, true, true);
	test_layernorm(&t);
	test_pool(&t, true);
	test_pool(&t, false);
	test_activation(&t, ACTIVATION_RELU, "activation-bwd: relu");
	test_activation(&t, ACTIVATION_GELU, "activation-bwd: gelu");
	test_activation(&t, ACTIVATION_SILU, "activation-bwd: silu");
	test_softmax(&t, -1, "softmax-bwd");
	test_softmax(&t, 2, "softmax-bwd, masked");
	test_loss(&t);
	test_lstm(&t);
	test_attention(&t, false);
	test_attention(&t, true);
	test_linear(&t);
	test_values(&t);
	test_optimizers(&t);
	test_cache(&t);
	test_rounding(&t);
	return test_done(&t);
}
