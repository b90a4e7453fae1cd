/* Whether verification can be passed by a wrong operator. Small networks and single operations with every kind of
 * operation run on a device that is the reference but for one operation, which is wrong in one way: a result negated,
 * not written, off by a little or by one place, an operand left out, a parameter ignored. Each must be refused, in
 * every precision; the same plan without a fault must pass. */
#include "../test.h"
#include "../../collect/bench/verify.h"
#include "../../collect/bench/workload_net.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The device: the plan's operation `target` is spoiled by the fault `fault`. */
struct device {
	struct plan *plan;
	int target;
	const struct fault *fault;
	int operand;
	bool changed; /* the fault made a difference */
};

struct loaded {
	struct device *device;
	struct loaded *inner;
};

/* A way to be wrong. apply: before the operation runs, may change parameters of `op` (put back afterwards); spoil:
 * afterwards, changes one result. operands: tried with each input ('i'), each output ('o'), or once. */
struct fault {
	const char *name;
	char operands;
	bool (*apply)(struct loaded *l, struct op *op, int operand);
	bool (*spoil)(const struct tensor *t, double *v, const double *before, long n, enum precision p);
};

static double *download(struct loaded *l, int tensor)
{
	struct bench_error err = { 0 };
	double *v = calloc((size_t)tensor_count(&l->device->plan->tensors[tensor]) + 1, sizeof *v);

	backend_reference()->download(l->inner, tensor, v, &err);
	return v;
}

static void upload(struct loaded *l, int tensor, const double *v)
{
	struct bench_error err = { 0 };

	backend_reference()->upload(l->inner, tensor, v, &err);
}

static bool negate(const struct tensor *t, double *v, const double *before, long n, enum precision p)
{
	(void)t;
	(void)before;
	(void)p;
	for (long i = 0; i < n; i++)
		v[i] = -v[i];
	return true;
}

static bool forget(const struct tensor *t, double *v, const double *before, long n, enum precision p)
{
	(void)t;
	(void)p;
	memcpy(v, before, sizeof *v * (size_t)n);
	return true;
}

/* Twice what a tolerance would let pass. */
static bool scale(const struct tensor *t, double *v, const double *before, long n, enum precision p)
{
	double by = p == PRECISION_FP32 ? 3e-4 : p == PRECISION_TF32 ? 3e-3 : 0.05;

	(void)t;
	(void)before;
	for (long i = 0; i < n; i++)
		v[i] *= 1 + by;
	return true;
}

static bool shift(const struct tensor *t, double *v, const double *before, long n, enum precision p)
{
	(void)t;
	(void)before;
	(void)p;
	double first = v[0];
	memmove(v, v + 1, sizeof *v * (size_t)(n - 1));
	v[n - 1] = first;
	return n > 1;
}

/* Rows for columns of the last two dimensions. */
static bool transpose(const struct tensor *t, double *v, const double *before, long n, enum precision p)
{
	long rows = t->rank > 1 ? t->dim[t->rank - 2] : 1, cols = t->rank > 1 ? t->dim[t->rank - 1] : 1;
	double *copy = malloc(sizeof *copy * (size_t)(n + 1));

	(void)before;
	(void)p;
	memcpy(copy, v, sizeof *v * (size_t)n);
	for (long i = 0; rows > 1 && cols > 1 && i < n; i++) {
		long at = i % (rows * cols);
		v[i - at + at % cols * rows + at / cols] = copy[i];
	}
	free(copy);
	return rows > 1 && cols > 1;
}

/* The last element of every eighth is that of the one before: an edge not handled. */
static bool edge(const struct tensor *t, double *v, const double *before, long n, enum precision p)
{
	(void)t;
	(void)before;
	(void)p;
	for (long i = 7; i < n; i += 8)
		v[i] = v[i - 1];
	return n > 7;
}

/* An operand that is not looked at: what it is by default, 0 or the constant that it begins with. */
static bool ignore(struct loaded *l, struct op *op, int operand)
{
	int tensor = op->in[operand];

	if (tensor < 0)
		return false;
	const struct tensor *t = &l->device->plan->tensors[tensor];
	long n = tensor_count(t);
	double *v = calloc((size_t)n + 1, sizeof *v);
	bool gamma = t->fill == FILL_NEAR_ONE;
	for (long i = 0; i < n; i++)
		v[i] = gamma ? 1 : 0;
	upload(l, tensor, v);
	free(v);
	return true;
}

#define PARAMETER(name, wanted, body)                                                                                  \
	static bool name(struct loaded *l, struct op *op, int operand)                                                 \
	{                                                                                                              \
		(void)l;                                                                                               \
		(void)operand;                                                                                         \
		if (!(wanted))                                                                                         \
			return false;                                                                                  \
		body;                                                                                                  \
		return true;                                                                                           \
	}
PARAMETER(no_alpha, op->kind == OP_GEMM && op->p.gemm.alpha != 1, op->p.gemm.alpha = 1)
PARAMETER(no_beta, op->kind == OP_GEMM && op->p.gemm.beta != 0, op->p.gemm.beta = 0)
PARAMETER(no_bias, op->kind == OP_GEMM && op->p.gemm.bias, op->p.gemm.bias = false)
PARAMETER(no_activation, op->kind == OP_GEMM && op->p.gemm.activation, op->p.gemm.activation = ACTIVATION_NONE)
PARAMETER(other_activation, op->kind == OP_GEMM && op->p.gemm.activation == ACTIVATION_GELU,
	  op->p.gemm.activation = ACTIVATION_SILU)
PARAMETER(square_a, op->kind == OP_GEMM && op->p.gemm.m == op->p.gemm.k, op->p.gemm.trans_a = !op->p.gemm.trans_a)
PARAMETER(square_b, op->kind == OP_GEMM && op->p.gemm.n == op->p.gemm.k, op->p.gemm.trans_b = !op->p.gemm.trans_b)
PARAMETER(first_of_batch, op->kind == OP_GEMM && op->p.gemm.batch > 1 && op->p.gemm.inner == 1, op->p.gemm.stride_b = 0)
PARAMETER(short_k, op->kind == OP_GEMM && op->p.gemm.k > 1, op->p.gemm.k /= 2)
PARAMETER(no_relu, (op->kind == OP_BATCHNORM || op->kind == OP_BATCHNORM_BWD) && op->p.norm.relu, op->p.norm.relu = false)
PARAMETER(no_padding, (op->kind == OP_CONV || op->kind == OP_CONV_BWD_DATA || op->kind == OP_CONV_BWD_FILTER)
	  && op->p.conv.pad > 0, op->p.conv.pad = 0)
PARAMETER(not_causal, op->kind == OP_ATTENTION && op->p.attention.causal, op->p.attention.causal = false)
PARAMETER(first_position, op->kind == OP_ROPE && op->p.attention.position > 0, op->p.attention.position = 0)
PARAMETER(no_mask, (op->kind == OP_SOFTMAX) && op->p.rows.memory >= 0, op->p.rows.memory = -1)
PARAMETER(no_scale, (op->kind == OP_SOFTMAX || op->kind == OP_SOFTMAX_BWD || op->kind == OP_LOSS) && op->p.rows.scale != 1,
	  op->p.rows.scale = 1)
PARAMETER(other_rows_activation, (op->kind == OP_ACTIVATION || op->kind == OP_ACTIVATION_BWD)
	  && op->p.rows.activation == ACTIVATION_GELU, op->p.rows.activation = ACTIVATION_SILU)
PARAMETER(no_correction, op->kind == OP_ADAM, op->p.optimizer.step = 1000000)
PARAMETER(backwards, op->kind == OP_ADAM || op->kind == OP_SGD, op->p.optimizer.rate = -op->p.optimizer.rate)
PARAMETER(no_rate, op->kind == OP_ADAM || op->kind == OP_SGD, op->p.optimizer.rate = 0)
PARAMETER(no_momentum, op->kind == OP_SGD, op->p.optimizer.momentum = 0)
PARAMETER(other_beta, op->kind == OP_ADAM, op->p.optimizer.beta2 = op->p.optimizer.beta1)

static const struct fault faults[] = {
	{ "negated", 'o', NULL, negate },
	{ "not written", 'o', NULL, forget },
	{ "a little large", 'o', NULL, scale },
	{ "one place off", 'o', NULL, shift },
	{ "transposed", 'o', NULL, transpose },
	{ "edges forgotten", 'o', NULL, edge },
	{ "operand ignored", 'i', ignore, NULL },
	{ "alpha ignored", 0, no_alpha, NULL },
	{ "beta ignored", 0, no_beta, NULL },
	{ "bias ignored", 0, no_bias, NULL },
	{ "activation ignored", 0, no_activation, NULL },
	{ "silu for gelu", 0, other_activation, NULL },
	{ "a transposed", 0, square_a, NULL },
	{ "b transposed", 0, square_b, NULL },
	{ "first matrix for all", 0, first_of_batch, NULL },
	{ "half of k left out", 0, short_k, NULL },
	{ "relu ignored", 0, no_relu, NULL },
	{ "padding ignored", 0, no_padding, NULL },
	{ "not causal", 0, not_causal, NULL },
	{ "position ignored", 0, first_position, NULL },
	{ "mask ignored", 0, no_mask, NULL },
	{ "scale ignored", 0, no_scale, NULL },
	{ "silu for gelu, apart", 0, other_rows_activation, NULL },
	{ "no bias correction", 0, no_correction, NULL },
	{ "weights move the wrong way", 0, backwards, NULL },
	{ "weights do not move", 0, no_rate, NULL },
	{ "no momentum", 0, no_momentum, NULL },
	{ "beta1 for beta2", 0, other_beta, NULL },
};

static struct loaded *load(struct device *d, const struct plan *plan, struct bench_error *err)
{
	struct loaded *l = calloc(1, sizeof *l);

	l->device = d;
	l->inner = backend_reference()->load(NULL, plan, err);
	return l;
}

static void unload(struct loaded *l)
{
	backend_reference()->unload(l->inner);
	free(l);
}

static bool put(struct loaded *l, int tensor, const double *values, struct bench_error *err)
{
	return backend_reference()->upload(l->inner, tensor, values, err);
}

static bool get(struct loaded *l, int tensor, double *values, struct bench_error *err)
{
	return backend_reference()->download(l->inner, tensor, values, err);
}

/* Values of all operands, to put inputs back that a fault has changed and to see whether results differ. */
struct kept { double *in[OP_INPUTS], *out[OP_OUTPUTS]; };

static struct kept keep(struct loaded *l, const struct op *op)
{
	struct kept k = { 0 };

	for (int i = 0; i < OP_INPUTS; i++)
		k.in[i] = op->in[i] >= 0 ? download(l, op->in[i]) : NULL;
	for (int i = 0; i < OP_OUTPUTS; i++)
		k.out[i] = op->out[i] >= 0 ? download(l, op->out[i]) : NULL;
	return k;
}

static bool is_output(const struct op *op, int tensor)
{
	for (int i = 0; i < OP_OUTPUTS; i++)
		if (op->out[i] == tensor)
			return true;
	return false;
}

static void put_back(struct loaded *l, const struct op *op, const struct kept *k, bool outputs)
{
	for (int i = 0; i < OP_INPUTS; i++)
		if (k->in[i] && (outputs || !is_output(op, op->in[i])))
			upload(l, op->in[i], k->in[i]);
	for (int i = 0; outputs && i < OP_OUTPUTS; i++)
		if (k->out[i])
			upload(l, op->out[i], k->out[i]);
}

static void drop(struct kept *k)
{
	for (int i = 0; i < OP_INPUTS; i++)
		free(k->in[i]);
	for (int i = 0; i < OP_OUTPUTS; i++)
		free(k->out[i]);
}

static void spoil_result(struct loaded *l, const struct op *op, const struct kept *before)
{
	int o = l->device->operand, tensor = op->out[o];
	if (tensor < 0)
		return;
	const struct tensor *t = &l->device->plan->tensors[tensor];
	double *v = download(l, tensor);
	if (l->device->fault->spoil(t, v, before->out[o], tensor_count(t), l->device->plan->precision))
		upload(l, tensor, v);
	free(v);
}

static bool differs(struct loaded *l, const struct op *op, const struct kept *right)
{
	bool different = false;

	for (int i = 0; i < OP_OUTPUTS; i++) {
		if (op->out[i] < 0)
			continue;
		double *v = download(l, op->out[i]);
		size_t size = sizeof *v * (size_t)tensor_count(&l->device->plan->tensors[op->out[i]]);
		different = different || memcmp(v, right->out[i], size) != 0;
		free(v);
	}
	return different;
}

/* Right once, to know what is right; then wrong, on the same values. */
static bool run_op(struct loaded *l, int index, struct bench_error *err)
{
	struct device *d = l->device;
	struct op *op = &d->plan->ops[index], own = *op;

	if (index != d->target || !d->fault)
		return backend_reference()->run_op(l->inner, index, err);
	struct kept before = keep(l, op);
	bool good = backend_reference()->run_op(l->inner, index, err);
	struct kept right = keep(l, op);
	put_back(l, op, &before, true);
	bool tried = !d->fault->apply || d->fault->apply(l, op, d->operand);
	good = good && backend_reference()->run_op(l->inner, index, err);
	*op = own;
	put_back(l, op, &before, false);
	if (d->fault->spoil)
		spoil_result(l, op, &before);
	d->changed = tried && differs(l, op, &right);
	drop(&before);
	drop(&right);
	return good;
}

static const struct backend spoiled = {
	.abi = BENCH_ABI, .name = "spoiled", .load = load, .unload = unload, .upload = put, .download = get, .run_op = run_op,
};

static bool passes(struct device *d, struct bench_error *err)
{
	struct arena a = { 0 };
	struct verify_result result;
	struct loaded *l = load(d, d->plan, err);
	bool good = verify_plan(&spoiled, l, d->plan, 1, &a, &result, err);

	unload(l);
	arena_free(&a);
	return good;
}

/* Nets: small, but with more than a few of everything. */
static void build_cnn(struct plan *p)
{
	struct net n = net_make(p, true);
	long b = 2;
	int x = net_input(&n, STR("x"), (long[]){ b, 3, 12, 12, 0 });
	struct op_conv first = { b, 3, 12, 12, 8, 3, 3, 2, 1, 6, 6 }, second = { b, 8, 6, 6, 8, 3, 3, 1, 1, 6, 6 };
	struct op_conv third = { b, 8, 3, 3, 8, 1, 1, 1, 0, 3, 3 };

	x = net_conv(&n, STR("conv1"), x, &first);
	x = net_batchnorm(&n, STR("bn1"), x, -1, true, (long[]){ b, 8, 6, 6 });
	int y = net_conv(&n, STR("conv2"), x, &second);
	x = net_batchnorm(&n, STR("bn2"), y, x, true, (long[]){ b, 8, 6, 6 });
	struct op_window w = { b, 8, 6, 6, 3, 2, 1, 3, 3 }, all = { b, 8, 3, 3, 3, 1, 0, 1, 1 };
	x = net_maxpool(&n, STR("pool"), x, &w);
	x = net_conv(&n, STR("conv3"), x, &third);
	x = net_avgpool(&n, STR("mean"), x, &all);
	int fc = net_weight(&n, STR("fc"), (long[]){ 16, 8, 0 }, 8), bias = net_bias(&n, STR("fc.bias"), 16);
	x = net_linear(&n, STR("fc"), x, fc, bias, b, 8, 16, ACTIVATION_NONE);
	int labels = net_ids(&n, STR("labels"), b, FILL_UNIFORM_INT, 16);
	net_loss(&n, STR("loss"), x, labels, b, 16);
	net_backward(&n);
	net_sgd(&n);
}

static void build_rnn(struct plan *p)
{
	struct net n = net_make(p, true);
	long t = 6, b = 3, e = 8, h = 8, words = 40, size = 2 * (4 * h * (e + h) + 8 * h);
	int ids = net_ids(&n, STR("ids"), t * b, FILL_ZIPF, words), labels = net_ids(&n, STR("labels"), t * b, FILL_ZIPF, words);
	int table = net_weight(&n, STR("table"), (long[]){ words, e, 0 }, 1);
	int x = net_embed(&n, STR("embed"), table, ids, t * b, e, words);
	struct op_lstm l = { t, b, e, h };

	x = net_lstm(&n, STR("lstm"), x, net_weight(&n, STR("lstm.weight"), (long[]){ size, 0 }, h), &l);
	int w = net_weight(&n, STR("proj"), (long[]){ words, 2 * h, 0 }, 2 * h), bias = net_bias(&n, STR("proj.bias"), words);
	x = net_linear(&n, STR("proj"), x, w, bias, t * b, 2 * h, words, ACTIVATION_NONE);
	net_loss(&n, STR("loss"), x, labels, t * b, words);
	net_backward(&n);
	net_adam(&n);
}

static void build_transformer(struct plan *p)
{
	struct net n = net_make(p, true);
	long b = 2, s = 8, d = 16, words = 50, masked = 5;
	int ids = net_ids(&n, STR("ids"), b * s, FILL_ZIPF, words);
	int table = net_weight(&n, STR("table"), (long[]){ words, d, 0 }, d);
	int segment = net_weight(&n, STR("segment"), (long[]){ 2, d, 0 }, d);
	int x = net_embed(&n, STR("embed"), table, ids, b * s, d, words);
	struct op_attention a = { b, s, s, 2, 2, d / 2, false, 0 };

	x = net_add_row(&n, STR("segment"), x, segment, b * s, d);
	x = net_layernorm(&n, STR("ln"), x, b * s, d);
	int w = net_weight(&n, STR("qkv"), (long[]){ 3 * d, d, 0 }, d), bias = net_bias(&n, STR("qkv.bias"), 3 * d);
	int y = net_attention(&n, STR("attention"), net_linear(&n, STR("qkv"), x, w, bias, b * s, d, 3 * d, ACTIVATION_NONE), &a);
	x = net_layernorm(&n, STR("ln1"), net_add(&n, STR("add"), x, y, b * s, d), b * s, d);
	w = net_weight(&n, STR("up"), (long[]){ d, d, 0 }, d);
	x = net_linear(&n, STR("up"), x, w, net_bias(&n, STR("up.bias"), d), b * s, d, d, ACTIVATION_GELU);
	x = net_gather(&n, STR("gather"), x, net_ids(&n, STR("masked"), masked, FILL_SPREAD, b * s), masked, d, b * s);
	w = net_weight(&n, STR("head"), (long[]){ words, d, 0 }, d);
	x = net_linear(&n, STR("head"), x, w, -1, masked, d, words, ACTIVATION_NONE);
	net_loss(&n, STR("loss"), x, net_ids(&n, STR("labels"), masked, FILL_UNIFORM_INT, words), masked, words);
	net_backward(&n);
	net_adam(&n);
}

static int values(struct plan *p, const char *name, const long *dims)
{
	struct tensor t = { .name = str_of(name), .fill = FILL_NORMAL, .scale = 1 };

	for (; dims[t.rank]; t.rank++)
		t.dim[t.rank] = dims[t.rank];
	return plan_tensor(p, &t);
}

static struct op *append(struct plan *p, enum op_kind kind)
{
	struct op o = op_make(kind, op_kind_name(kind));

	int at = plan_op(p, &o);
	return &p->ops[at];
}

/* What only Transformer-XL and inference have, and memory. */
static void build_singles(struct plan *p)
{
	long b = 2, heads = 2, t = 4, k = 8, d = 8, rows = b * heads * t, keys = 6;
	int scores = values(p, "scores", (long[]){ rows, k, 0 }), shifted = values(p, "shifted", (long[]){ rows, k, 0 });
	int chances = values(p, "chances", (long[]){ rows, k, 0 }), back = values(p, "back", (long[]){ rows, k, 0 });
	struct op *o = append(p, OP_REL_SHIFT);

	o->in[0] = scores, o->out[0] = shifted;
	o->p.rows = (struct op_rows){ .rows = b * heads, .cols = k, .other = t };
	(o = append(p, OP_SOFTMAX))->in[0] = shifted, o->out[0] = chances;
	o->p.rows = (struct op_rows){ .rows = rows, .cols = k, .other = t, .scale = 0.35, .memory = k - t };
	(o = append(p, OP_SOFTMAX_BWD))->in[0] = scores, o->in[1] = chances, o->out[0] = back;
	o->p.rows = (struct op_rows){ .rows = rows, .cols = k, .other = t, .scale = 0.35, .memory = k - t };
	(o = append(p, OP_REL_SHIFT_BWD))->in[0] = back, o->out[0] = shifted;
	o->p.rows = (struct op_rows){ .rows = b * heads, .cols = k, .other = t };
	int qkv = values(p, "qkv", (long[]){ b, 1, 3, heads * d, 0 }), cache = values(p, "k", (long[]){ b, heads, keys, d, 0 });
	int v = values(p, "v", (long[]){ b, heads, keys, d, 0 }), y = values(p, "y", (long[]){ b, heads * d, 0 });
	o = append(p, OP_ROPE);
	o->in[0] = o->out[0] = qkv;
	o->p.attention = (struct op_attention){ b, 1, keys, heads, heads, d, true, keys - 1 };
	o = append(p, OP_ATTENTION_CACHE);
	o->in[0] = qkv, o->in[1] = o->out[1] = cache, o->in[2] = o->out[2] = v, o->out[0] = y;
	o->p.attention = (struct op_attention){ b, 1, keys, heads, heads, d, false, keys - 1 };
	int gate = values(p, "gate_up", (long[]){ 4, 2 * d, 0 }), small = values(p, "small", (long[]){ 4, d, 0 });
	int normed = values(p, "normed", (long[]){ 4, d, 0 });
	(o = append(p, OP_SWIGLU))->in[0] = gate, o->out[0] = small;
	o->p.rows = (struct op_rows){ .rows = 4, .cols = d };
	(o = append(p, OP_RMSNORM))->in[0] = small, o->in[1] = values(p, "gamma", (long[]){ d, 0 }), o->out[0] = normed;
	p->tensors[o->in[1]].element = ELEMENT_F32;
	o->p.norm = (struct op_norm){ 4, d, 1e-5, false, false };
	int prompt = values(p, "prompt", (long[]){ b, t, 3, heads * d, 0 }), out = values(p, "out", (long[]){ b, t, heads * d, 0 });
	(o = append(p, OP_ATTENTION))->in[0] = prompt, o->out[0] = out;
	o->p.attention = (struct op_attention){ b, t, t, heads, heads, d, true, 0 };
	int c = values(p, "c", (long[]){ 2, 8, 8, 0 });
	(o = append(p, OP_GEMM))->in[0] = values(p, "a", (long[]){ 2, 8, 8, 0 });
	o->in[1] = values(p, "b", (long[]){ 2, 8, 8, 0 }), o->out[0] = c;
	o->p.gemm = (struct op_gemm){ .batch = 2, .m = 8, .n = 8, .k = 8, .lda = 8, .ldb = 8, .ldc = 8, .stride_a = 64,
				      .stride_b = 64, .stride_c = 64, .inner = 1, .alpha = 0.5, .beta = 1 };
	for (int s = STREAM_COPY; s <= STREAM_WRITE; s++) {
		int x = values(p, "x", (long[]){ 64, 0 }), z = values(p, "z", (long[]){ s == STREAM_READ ? 1 : 64, 0 });
		o = append(p, OP_STREAM);
		o->in[0] = s == STREAM_WRITE ? -1 : x, o->out[0] = z;
		o->in[1] = s == STREAM_ADD || s == STREAM_TRIAD ? values(p, "y", (long[]){ 64, 0 }) : -1;
		o->p.memory = (struct op_memory){ .count = 64, .stream = (enum stream)s };
	}
}

static int tries(const struct fault *f)
{
	return f->operands == 'i' ? OP_INPUTS : f->operands == 'o' ? OP_OUTPUTS : 1;
}

struct counts { int mutants, survivors; };

static void try_op(struct device *d, int index, struct counts *n)
{
	struct op *op = &d->plan->ops[index];
	struct str kind = op_kind_name(op->kind), type = precision_name(d->plan->precision);

	d->target = index;
	for (size_t f = 0; f < LEN(faults); f++)
		for (int k = 0; k < tries(&faults[f]); k++) {
			struct bench_error err = { 0 };
			d->fault = &faults[f];
			d->operand = k;
			d->changed = false;
			bool passed = passes(d, &err);
			if (!d->changed) /* an operand that the reference does without, a row that is 0 */
				continue;
			n->mutants++;
			n->survivors += passed;
			if (passed)
				printf("# " STR_FMT " " STR_FMT " of " STR_FMT ": %s (%d) passes\n", STR_ARG(type), STR_ARG(kind),
				       STR_ARG(op->name), d->fault->name, k);
		}
}

/* The first of every kind that verification looks at: of the same numbers it looks at one. */
static bool looked_at(const struct plan *p, int index)
{
	for (int i = 0; i < index; i++)
		if (op_same(p, &p->ops[i], &p->ops[index]))
			return false;
	return true;
}

static void test_network(struct test *t, const char *name, void (*build)(struct plan *), enum precision precision)
{
	struct arena a = { 0 };
	struct plan p = { .workload = str_of(name), .precision = precision, .arena = &a };
	struct device d = { .plan = &p };
	struct bench_error err = { 0 };
	struct counts n = { 0 };
	struct str type = precision_name(precision);

	build(&p);
	bool sound = passes(&d, &err);
	test_ok(t, sound, str_printf(&a, "%s " STR_FMT ": without a fault it passes", name, STR_ARG(type)).p);
	if (!sound)
		printf("# %s\n", err.msg);
	for (int i = 0; i < p.nops; i++)
		if (looked_at(&p, i))
			try_op(&d, i, &n);
	test_ok(t, n.survivors == 0 && n.mutants > 50,
		str_printf(&a, "%s " STR_FMT ": %d wrong operators are refused", name, STR_ARG(type), n.mutants).p);
	arena_free(&a);
}

int main(void)
{
	static const struct { const char *name; void (*build)(struct plan *); } nets[] = {
		{ "convolutions", build_cnn }, { "recurrent", build_rnn }, { "transformer", build_transformer },
		{ "single operations", build_singles },
	};
	static const enum precision precisions[] = { PRECISION_FP32, PRECISION_TF32, PRECISION_FP16, PRECISION_BF16 };
	struct test t = { 0 };

	for (size_t i = 0; i < LEN(nets); i++)
		for (size_t k = 0; k < LEN(precisions); k++)
			test_network(&t, nets[i].name, nets[i].build, precisions[k]);
	return test_done(&t);
}
