#include "plans.h"

#include "../../../collect/bench/workload_net.h"

#include <string.h>

static struct op_conv conv_of(long n, long ci, long side, long co, long k, long stride)
{
	struct op_conv c;

	memset(&c, 0, sizeof c);
	c.n = n;
	c.ci = ci;
	c.h = c.w = side;
	c.co = co;
	c.kh = c.kw = k;
	c.stride = stride;
	c.pad = k / 2;
	c.ho = c.wo = (side + 2 * c.pad - k) / stride + 1;
	return c;
}

/* Two convolutions of the kinds of ResNet with a residual, all pools, a classifier. 16 channels:
 * whole packs; 5: not. */
static struct plan convolutional(enum precision p, long channels, struct arena *a)
{
	struct plan plan = { .workload = STR("cnn"), .precision = p, .batch_size = 2, .arena = a };
	struct net n = net_make(&plan, true);
	long b = 2, c = channels, side = 13, half = 7, pooled = 4;
	int x = net_input(&n, STR("images"), (long[]){ b, 3, side, side, 0 });
	int labels = net_ids(&n, STR("labels"), b, FILL_UNIFORM_INT, 10);
	struct op_conv first = conv_of(b, 3, side, c, 7, 2),
		       second = conv_of(b, c, pooled, c, 3, 1);

	x = net_conv(&n, STR("conv1"), x, &first);
	x = net_batchnorm(&n, STR("bn1"), x, -1, true, (long[]){ b, c, half, half });
	x = net_maxpool(&n, STR("maxpool"), x,
			&(struct op_window){ b, c, half, half, 3, 2, 1, pooled, pooled });
	int y = net_conv(&n, STR("conv2"), x, &second);
	y = net_batchnorm(&n, STR("bn2"), y, -1, false, (long[]){ b, c, pooled, pooled });
	y = net_conv(&n, STR("conv3"), y, &second);
	y = net_batchnorm(&n, STR("bn3"), y, x, true, (long[]){ b, c, pooled, pooled });
	y = net_avgpool(&n, STR("avgpool"), y,
			&(struct op_window){ b, c, pooled, pooled, pooled, 1, 0, 1, 1 });
	int weight = net_weight(&n, STR("fc.weight"), (long[]){ 10, c, 0 }, c);
	y = net_linear(&n, STR("fc"), y, weight, net_bias(&n, STR("fc.bias"), 10), b, c, 10,
		       ACTIVATION_NONE);
	net_loss(&n, STR("loss"), y, labels, b, 10);
	net_backward(&n);
	net_sgd(&n);
	return plan;
}

struct plan plan_cnn(enum precision p, struct arena *a)
{
	return convolutional(p, 16, a);
}

struct plan plan_odd(enum precision p, struct arena *a)
{
	return convolutional(p, 5, a);
}

static int tensor(struct plan *p, const char *name, enum element e, const long *dims, double scale)
{
	struct tensor t = { .name = str_of(name),
			    .element = e,
			    .fill = scale > 0 ? FILL_NORMAL : FILL_NONE,
			    .scale = scale };

	for (; dims[t.rank]; t.rank++)
		t.dim[t.rank] = dims[t.rank];
	return plan_tensor(p, &t);
}

/* The operations of the language model that no training has. */
struct plan plan_llm(enum precision p, struct arena *a)
{
	struct plan plan = { .workload = STR("llm"), .precision = p, .batch_size = 2, .arena = a };
	long b = 2, s = 6, heads = 2, d = 32, keys = 9, h = heads * d;
	int x = tensor(&plan, "x", ELEMENT_VALUE, (long[]){ b * s, h, 0 }, 1);
	int gamma = tensor(&plan, "gamma", ELEMENT_F32, (long[]){ h, 0 }, 1);
	int y = tensor(&plan, "y", ELEMENT_VALUE, (long[]){ b * s, h, 0 }, 0);
	int qkv = tensor(&plan, "qkv", ELEMENT_VALUE, (long[]){ b, s, 3 * heads, d, 0 }, 1);
	int out = tensor(&plan, "attended", ELEMENT_VALUE, (long[]){ b, s, h, 0 }, 0);
	int gate = tensor(&plan, "gate_up", ELEMENT_VALUE, (long[]){ b * s, 2 * h, 0 }, 1);
	int last = tensor(&plan, "last", ELEMENT_VALUE, (long[]){ b, 1, 3 * heads, d, 0 }, 1);
	int k = tensor(&plan, "keys", ELEMENT_VALUE, (long[]){ b, heads, keys, d, 0 }, 1);
	int v = tensor(&plan, "values", ELEMENT_VALUE, (long[]){ b, heads, keys, d, 0 }, 1);
	int one = tensor(&plan, "one", ELEMENT_VALUE, (long[]){ b, h, 0 }, 0);
	int act = tensor(&plan, "act", ELEMENT_VALUE, (long[]){ b * s, h, 0 }, 0);
	struct op o = op_make(OP_RMSNORM, STR("norm"));

	o.in[0] = x, o.in[1] = gamma, o.out[0] = y;
	o.p.norm = (struct op_norm){ .rows = b * s, .cols = h, .epsilon = 1e-5 };
	plan_op(&plan, &o);
	o = op_make(OP_ROPE, STR("rope"));
	o.in[0] = o.out[0] = qkv;
	o.p.attention = (struct op_attention){ b, s, s, heads, heads, d, true, 505 };
	plan_op(&plan, &o);
	union {
		struct op_attention a;
	} shape = { o.p.attention };
	o = op_make(OP_ATTENTION, STR("attention"));
	o.in[0] = qkv, o.out[0] = out;
	o.p.attention = shape.a;
	plan_op(&plan, &o);
	o = op_make(OP_SWIGLU, STR("swiglu"));
	o.in[0] = gate, o.out[0] = y;
	o.p.rows.rows = b * s, o.p.rows.cols = h;
	plan_op(&plan, &o);
	o = op_make(OP_ACTIVATION, STR("silu"));
	o.in[0] = x, o.out[0] = act;
	o.p.rows.rows = b * s, o.p.rows.cols = h, o.p.rows.activation = ACTIVATION_SILU;
	plan_op(&plan, &o);
	o = op_make(OP_ATTENTION_CACHE, STR("decode"));
	o.in[0] = last, o.in[1] = o.out[1] = k, o.in[2] = o.out[2] = v, o.out[0] = one;
	o.p.attention = (struct op_attention){ b, 1, keys, heads, heads, d, true, keys - 1 };
	plan_op(&plan, &o);
	return plan;
}

struct plan plan_gemm(enum precision p, long m, long n, long k, struct arena *a)
{
	struct plan plan = { .workload = STR("gemm"), .precision = p, .batch_size = 1, .arena = a };
	int x = tensor(&plan, "a", ELEMENT_VALUE, (long[]){ m, k, 0 }, 0.5);
	int w = tensor(&plan, "b", ELEMENT_VALUE, (long[]){ n, k, 0 }, 0.5);
	int y = tensor(&plan, "c", ELEMENT_RESULT, (long[]){ m, n, 0 }, 0);
	struct op o = net_product(STR("gemm"), x, w, y,
				  (struct op_gemm){ .m = m, .n = n, .k = k, .trans_b = true });

	plan_op(&plan, &o);
	return plan;
}

struct plan plan_memory(enum op_kind kind, int which, long count, struct arena *a)
{
	struct plan plan = {
		.workload = STR("memory"), .precision = PRECISION_FP32, .batch_size = 1, .arena = a
	};
	struct op o = op_make(kind, STR("memory"));
	bool stream = kind == OP_STREAM;
	int x = tensor(&plan, "x", ELEMENT_F32, (long[]){ 1, count, 0 }, 1);
	int y = tensor(&plan, "y", ELEMENT_F32, (long[]){ 1, count, 0 }, 1);
	int z = tensor(&plan, "z", ELEMENT_F32,
		       (long[]){ 1, stream && which == STREAM_READ ? 1 : count, 0 }, 0);

	o.in[0] = stream && which == STREAM_WRITE ? -1 : x;
	o.in[1] = stream && (which == STREAM_ADD || which == STREAM_TRIAD) ? y : -1;
	o.out[0] = stream ? z : x;
	o.p.memory =
	    (struct op_memory){ count, 4 * count, stream ? (enum stream)which : STREAM_COPY,
				kind == OP_TRANSFER ? (enum transfer)which : TRANSFER_H2D };
	plan_op(&plan, &o);
	return plan;
}

const struct small_plan small_plans[] = {
	{ "cnn", plan_cnn, false }, { "cnn-odd", plan_odd, false },
	{ "rnn", plan_rnn, false }, { "bert", plan_bert, false },
	{ "llm", plan_llm, false }, { "bert-words", plan_words, true },
	{ "xl", plan_xl, true },
};
const int small_plan_count = (int)LEN(small_plans);
