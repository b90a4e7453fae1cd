/* The CPU backend against the reference: every kind of operation at small, awkward sizes in fp32 and bf16; what it
 * refuses and how; that values survive the way in and out. Skipped where the plug-in is not built. */
#include "../../collect/bench/random.h"
#include "../../collect/bench/verify.h"
#include "../test.h"
#include "onednn_fixture.h"

#include <stdlib.h>
#include <string.h>

static int tensor(struct plan *p, enum element e, enum fill fill, double scale, const long *dims)
{
	struct tensor t = { .name = STR("t"), .element = e, .fill = fill, .scale = scale };

	for (; t.rank < DIMS_MAX && dims[t.rank]; t.rank++)
		t.dim[t.rank] = dims[t.rank];
	return plan_tensor(p, &t);
}

static int values(struct plan *p, const long *dims)
{
	return tensor(p, ELEMENT_VALUE, FILL_NORMAL, 1, dims);
}

static int floats(struct plan *p, long n, double scale)
{
	return tensor(p, ELEMENT_F32, FILL_NORMAL, scale, (long[]){ n, 0 });
}

static int result(struct plan *p, enum element e, const long *dims)
{
	return tensor(p, e, FILL_NONE, 0, dims);
}

static int ids(struct plan *p, long n, long range)
{
	struct tensor t = { .name = STR("ids"), .element = ELEMENT_I32, .fill = FILL_UNIFORM_INT, .range = range,
			    .rank = 1, .dim = { n } };

	return plan_tensor(p, &t);
}

static int spread(struct plan *p, long n, long range)
{
	int t = ids(p, n, range);

	p->tensors[t].fill = FILL_SPREAD;
	return t;
}

#define DIMS(...) ((const long[]){ __VA_ARGS__, 0 })

/* Products. Every field of struct op_gemm has a case. */
static const struct { const char *name; struct op_gemm g; long a, b, c; bool kept, wide; } gemms[] = {
	{ "plain", { .batch = 1, .inner = 1, .m = 17, .n = 33, .k = 65, .lda = 65, .ldb = 33, .ldc = 33, .alpha = 1 },
	  17 * 65, 65 * 33, 17 * 33, false, false },
	{ "both transposed", { .batch = 1, .inner = 1, .m = 18, .n = 20, .k = 30, .trans_a = true, .trans_b = true,
			       .lda = 18, .ldb = 30, .ldc = 20, .alpha = 1 }, 540, 600, 360, false, false },
	{ "bias and gelu, kept", { .batch = 1, .inner = 1, .m = 9, .n = 48, .k = 32, .trans_b = true, .lda = 32,
				   .ldb = 32, .ldc = 48, .alpha = 1, .bias = true, .activation = ACTIVATION_GELU },
	  288, 1536, 432, true, false },
	{ "bias and relu", { .batch = 1, .inner = 1, .m = 9, .n = 48, .k = 32, .trans_b = true, .lda = 32, .ldb = 32,
			     .ldc = 48, .alpha = 1, .bias = true, .activation = ACTIVATION_RELU },
	  288, 1536, 432, false, false },
	{ "silu", { .batch = 1, .inner = 1, .m = 9, .n = 16, .k = 32, .lda = 32, .ldb = 16, .ldc = 16, .alpha = 1,
		    .activation = ACTIVATION_SILU }, 288, 512, 144, false, false },
	{ "alpha and beta", { .batch = 1, .inner = 1, .m = 12, .n = 14, .k = 16, .lda = 16, .ldb = 14, .ldc = 14,
			      .alpha = 0.5, .beta = 2 }, 192, 224, 168, false, false },
	{ "added to fp32", { .batch = 1, .inner = 1, .m = 12, .n = 14, .k = 16, .trans_a = true, .lda = 12, .ldb = 14,
			     .ldc = 14, .alpha = 1, .beta = 1 }, 192, 224, 168, false, true },
	{ "parts of packed tensors", { .batch = 6, .inner = 3, .m = 5, .n = 7, .k = 8, .lda = 24, .ldb = 24, .ldc = 21,
				       .trans_b = true, .stride_a = 120, .stride_b = 168, .stride_c = 105,
				       .inner_stride_a = 8, .inner_stride_b = 8, .inner_stride_c = 7, .offset_a = 3,
				       .offset_b = 5, .offset_c = 2, .alpha = 1 }, 248, 344, 216, false, false },
	{ "one row", { .batch = 1, .inner = 1, .m = 1, .n = 37, .k = 70, .trans_b = true, .lda = 70, .ldb = 70,
		       .ldc = 37, .alpha = 1 }, 70, 37 * 70, 37, false, false },
};

static void build_gemm(struct plan *p, size_t i)
{
	struct op o = op_make(OP_GEMM, STR("gemm"));

	o.in[0] = values(p, DIMS(gemms[i].a));
	o.in[1] = values(p, DIMS(gemms[i].b));
	o.in[2] = gemms[i].g.bias ? values(p, DIMS(gemms[i].g.n)) : -1;
	o.out[0] = tensor(p, gemms[i].wide ? ELEMENT_F32 : ELEMENT_VALUE, FILL_NORMAL, 1, DIMS(gemms[i].c));
	o.out[1] = gemms[i].kept ? result(p, ELEMENT_VALUE, DIMS(gemms[i].c)) : -1;
	o.p.gemm = gemms[i].g;
	plan_op(p, &o);
}

/* Images: convolution, norm with ReLU and residual, pools, and all the way back: layouts pass from one to the other. */
static int conv(struct plan *p, enum op_kind kind, const struct op_conv *c, int x, int w, int out, int forward)
{
	struct op o = op_make(kind, STR("conv"));

	o.in[0] = x;
	o.in[1] = w;
	o.out[0] = out;
	o.p.conv = *c;
	o.forward = forward;
	return plan_op(p, &o);
}

static int norm(struct plan *p, enum op_kind kind, const struct op_norm *n, const int in[7], const int out[4],
		int forward)
{
	struct op o = op_make(kind, STR("norm"));

	memcpy(o.in, in, sizeof o.in);
	memcpy(o.out, out, 4 * sizeof *out);
	o.p.norm = *n;
	o.forward = forward;
	return plan_op(p, &o);
}

static int pool(struct plan *p, enum op_kind kind, const struct op_window *w, const int in[3], int out, int forward)
{
	struct op o = op_make(kind, STR("pool"));

	memcpy(o.in, in, 3 * sizeof *in);
	o.out[0] = out;
	o.p.window = *w;
	o.forward = forward;
	return plan_op(p, &o);
}

static void sgd(struct plan *p, int w, int dw, long count)
{
	bool half = p->precision == PRECISION_BF16;
	struct op o = op_make(OP_SGD, STR("sgd"));

	o.in[0] = o.out[0] = w;
	o.in[1] = dw;
	o.in[2] = o.out[1] = half ? floats(p, count, 1) : -1;
	o.in[3] = o.out[2] = floats(p, count, 1);
	o.p.optimizer = (struct op_optimizer){ .count = count, .rate = 0.1, .momentum = 0.9, .decay = 0.01, .step = 1 };
	plan_op(p, &o);
}

/* channels: what a block holds, and more; side: odd too. */
static const struct { const char *name; long ci, co, side; bool relu, residual; } images[] = {
	{ "16 channels", 16, 16, 8, true, true },
	{ "48 to 32 channels", 48, 32, 7, true, false },
	{ "3 to 64 channels", 3, 64, 9, false, false },
};

static void build_image(struct plan *p, size_t i)
{
	long n = 2, ci = images[i].ci, co = images[i].co, s = images[i].side, half = (s - 1) / 2 + 1;
	const long *dx = DIMS(n, ci, s, s), *dy = DIMS(n, co, s, s), *dp = DIMS(n, co, half, half);
	struct op_conv c = { n, ci, s, s, co, 3, 3, 1, 1, s, s };
	struct op_norm b = { n * s * s, co, 1e-5, images[i].relu, images[i].residual };
	struct op_window w = { n, co, s, s, 3, 2, 1, half, half }, g = { n, co, half, half, half, 1, 0, 1, 1 };
	int x = values(p, dx), f = tensor(p, ELEMENT_VALUE, FILL_NORMAL, 0.1, DIMS(co, ci, 3, 3));
	int y = result(p, ELEMENT_VALUE, dy), z = result(p, ELEMENT_VALUE, dy), m = result(p, ELEMENT_VALUE, dp);
	int gamma = floats(p, co, 1), beta = floats(p, co, 1), res = images[i].residual ? values(p, dy) : -1;
	int mean = result(p, ELEMENT_F32, DIMS(co)), inv = result(p, ELEMENT_F32, DIMS(co));
	int flat = result(p, ELEMENT_VALUE, DIMS(n, co)), dflat = values(p, DIMS(n, co));
	int dm = result(p, ELEMENT_VALUE, dp), dz = result(p, ELEMENT_VALUE, dy), dyy = result(p, ELEMENT_VALUE, dy);
	int dres = images[i].residual ? result(p, ELEMENT_VALUE, dy) : -1;
	int dw = result(p, ELEMENT_VALUE, DIMS(co, ci, 3, 3)), dxx = result(p, ELEMENT_VALUE, dx);

	int oc = conv(p, OP_CONV, &c, x, f, y, -1);
	int on = norm(p, OP_BATCHNORM, &b, (int[]){ y, gamma, beta, res, -1, -1, -1 }, (int[]){ z, mean, inv, -1 }, -1);
	int om = pool(p, OP_MAXPOOL, &w, (int[]){ z, -1, -1 }, m, -1);
	int oa = pool(p, OP_AVGPOOL, &g, (int[]){ m, -1, -1 }, flat, -1);
	pool(p, OP_AVGPOOL_BWD, &g, (int[]){ dflat, -1, -1 }, dm, oa);
	pool(p, OP_MAXPOOL_BWD, &w, (int[]){ dm, z, m }, dz, om);
	norm(p, OP_BATCHNORM_BWD, &b, (int[]){ dz, y, z, gamma, mean, inv, -1 },
	     (int[]){ dyy, floats(p, co, 0), floats(p, co, 0), dres }, on);
	conv(p, OP_CONV_BWD_DATA, &c, dyy, f, dxx, oc);
	conv(p, OP_CONV_BWD_FILTER, &c, dyy, x, dw, oc);
	sgd(p, f, dw, co * ci * 9);
}

static const char *const lstms[] = { "recurrent layer and back", "recurrent layer, no gradient of the input" };

static void build_lstm(struct plan *p, size_t i)
{
	struct op_lstm l = { 5, 3, 16, 32 };
	long size = 2 * (4 * l.hidden * (l.input + l.hidden) + 8 * l.hidden);
	struct op f = op_make(OP_LSTM, STR("lstm")), b = op_make(OP_LSTM_BWD, STR("lstm.bwd"));

	f.in[0] = b.in[1] = values(p, DIMS(l.steps, l.batch, l.input));
	f.in[1] = b.in[3] = tensor(p, ELEMENT_VALUE, FILL_NORMAL, 0.3, DIMS(size));
	f.out[0] = b.in[2] = result(p, ELEMENT_VALUE, DIMS(l.steps, l.batch, 2 * l.hidden));
	f.p.lstm = b.p.lstm = l;
	b.forward = plan_op(p, &f);
	b.in[0] = values(p, DIMS(l.steps, l.batch, 2 * l.hidden));
	b.out[0] = i ? -1 : result(p, ELEMENT_VALUE, DIMS(l.steps, l.batch, l.input));
	b.out[1] = result(p, ELEMENT_VALUE, DIMS(size));
	plan_op(p, &b);
}

static const struct { const char *name; bool causal; } attentions[] = { { "attention", false }, { "causal attention", true } };

static void build_attention(struct plan *p, size_t i)
{
	struct op_attention a = { .batch = 2, .queries = 19, .keys = 19, .heads = 3, .kv_heads = 3, .width = 16,
				  .causal = attentions[i].causal, .position = 4 };
	struct op r = op_make(OP_ROPE, STR("rope")), f = op_make(OP_ATTENTION, STR("attention"));
	struct op b = op_make(OP_ATTENTION_BWD, STR("attention.bwd")), c = op_make(OP_ATTENTION_CACHE, STR("cache"));

	r.in[0] = r.out[0] = f.in[0] = b.in[1] = values(p, DIMS(2, 19, 3 * 3 * 16));
	f.out[0] = b.in[2] = result(p, ELEMENT_VALUE, DIMS(2, 19, 48));
	b.in[0] = values(p, DIMS(2, 19, 48));
	b.out[0] = result(p, ELEMENT_VALUE, DIMS(2, 19, 144));
	r.p.attention = f.p.attention = b.p.attention = c.p.attention = a;
	plan_op(p, &r);
	b.forward = plan_op(p, &f);
	plan_op(p, &b);
	c.p.attention.queries = 1;
	c.in[0] = values(p, DIMS(2, 1, 144));
	c.in[1] = c.out[1] = values(p, DIMS(2, 3, 19, 16));
	c.in[2] = c.out[2] = values(p, DIMS(2, 3, 19, 16));
	c.out[0] = result(p, ELEMENT_VALUE, DIMS(2, 48));
	plan_op(p, &c);
}

/* Operations on rows. Sizes are no multiples of anything. */
static const struct rows_case { const char *name; enum op_kind kind; struct op_rows p; } rows[] = {
	{ "sum of columns", OP_BIAS_GRAD, { .rows = 301, .cols = 275 } },
	{ "relu", OP_ACTIVATION, { .rows = 7, .cols = 33, .activation = ACTIVATION_RELU } },
	{ "gelu", OP_ACTIVATION, { .rows = 70, .cols = 33, .activation = ACTIVATION_GELU } },
	{ "silu", OP_ACTIVATION, { .rows = 7, .cols = 33, .activation = ACTIVATION_SILU } },
	{ "relu back", OP_ACTIVATION_BWD, { .rows = 7, .cols = 33, .activation = ACTIVATION_RELU } },
	{ "gelu back", OP_ACTIVATION_BWD, { .rows = 70, .cols = 33, .activation = ACTIVATION_GELU } },
	{ "silu back", OP_ACTIVATION_BWD, { .rows = 7, .cols = 33, .activation = ACTIVATION_SILU } },
	{ "swiglu", OP_SWIGLU, { .rows = 5, .cols = 2100 } },
	{ "loss", OP_LOSS, { .rows = 9, .cols = 1001, .other = 1001, .scale = 1 } },
	{ "scaled loss", OP_LOSS, { .rows = 9, .cols = 11, .other = 11, .scale = 1024 } },
	{ "embedding", OP_EMBED, { .rows = 21, .cols = 35, .other = 50 } },
	{ "embedding back, words twice", OP_EMBED_BWD, { .rows = 41, .cols = 35, .other = 11 } },
	{ "embedding back, added to", OP_EMBED_BWD, { .rows = 41, .cols = 35, .other = 11, .memory = 1 } },
	{ "gather", OP_GATHER_ROWS, { .rows = 5, .cols = 35, .other = 50 } },
	{ "scatter", OP_SCATTER_ROWS, { .rows = 5, .cols = 35, .other = 50 } },
	{ "scatter, added to", OP_SCATTER_ROWS, { .rows = 5, .cols = 35, .other = 50, .memory = 1 } },
	{ "softmax", OP_SOFTMAX, { .rows = 12, .cols = 37, .other = 4, .scale = 0.7, .memory = -1 } },
	{ "masked softmax", OP_SOFTMAX, { .rows = 12, .cols = 37, .other = 4, .scale = 0.7, .memory = 33 } },
	{ "softmax back", OP_SOFTMAX_BWD, { .rows = 12, .cols = 37, .other = 4, .scale = 0.7, .memory = -1 } },
	{ "relative shift", OP_REL_SHIFT, { .rows = 3, .cols = 13, .other = 5 } },
	{ "relative shift back", OP_REL_SHIFT_BWD, { .rows = 3, .cols = 13, .other = 5 } },
};

static void build_rows(struct plan *p, size_t i)
{
	struct op o = op_make(rows[i].kind, STR("rows"));
	long r = rows[i].p.rows, c = rows[i].p.cols, other = rows[i].p.other;
	bool added = rows[i].p.memory == 1, shift = o.kind == OP_REL_SHIFT || o.kind == OP_REL_SHIFT_BWD;
	bool back = o.kind == OP_EMBED_BWD || o.kind == OP_SCATTER_ROWS, table = o.kind == OP_EMBED || o.kind == OP_GATHER_ROWS;
	enum element sums = o.kind == OP_BIAS_GRAD || o.kind == OP_EMBED_BWD ? ELEMENT_F32 : ELEMENT_VALUE;

	o.p.rows = rows[i].p;
	o.in[0] = values(p, shift ? DIMS(r, other, c) : table ? DIMS(other, c) : DIMS(r, c * (o.kind == OP_SWIGLU ? 2 : 1)));
	o.out[0] = tensor(p, sums, added ? FILL_NORMAL : FILL_NONE, 1,
			  shift ? DIMS(r, other, c) : back ? DIMS(other, c) : o.kind == OP_BIAS_GRAD ? DIMS(c) : DIMS(r, c));
	if (back || table || o.kind == OP_LOSS)
		o.in[1] = o.kind == OP_SCATTER_ROWS ? spread(p, r, other) : ids(p, r, other);
	if (o.kind == OP_ACTIVATION_BWD || o.kind == OP_SOFTMAX_BWD)
		o.in[1] = values(p, DIMS(r, c));
	if (added)
		o.in[2] = o.out[0];
	if (o.kind == OP_LOSS)
		o.out[1] = result(p, ELEMENT_F32, DIMS(1));
	plan_op(p, &o);
}

static const char *const norms[] = { "layer norm and back, RMS norm" };

static void build_norm(struct plan *p, size_t i)
{
	struct op_norm n = { 131, 93, 1e-5, false, false };
	int x = values(p, DIMS(131, 93)), gamma = floats(p, 93, 1), beta = floats(p, 93, 1);
	int y = result(p, ELEMENT_VALUE, DIMS(131, 93)), mean = floats(p, 131, 0), inv = floats(p, 131, 0);
	int f = norm(p, OP_LAYERNORM, &n, (int[]){ x, gamma, beta, -1, -1, -1, -1 }, (int[]){ y, mean, inv, -1 }, -1);

	(void)i;
	norm(p, OP_LAYERNORM_BWD, &n, (int[]){ values(p, DIMS(131, 93)), x, gamma, mean, inv, -1, -1 },
	     (int[]){ result(p, ELEMENT_VALUE, DIMS(131, 93)), floats(p, 93, 0), floats(p, 93, 0), -1 }, f);
	norm(p, OP_RMSNORM, &n, (int[]){ x, gamma, -1, -1, -1, -1, -1 },
	     (int[]){ result(p, ELEMENT_VALUE, DIMS(131, 93)), -1, -1, -1 }, -1);
}

static const struct { const char *name; struct op_add a; long x, y, z; bool in_place, wide; } adds[] = {
	{ "sum", { 3, 50, 0, 50, 0, 50, 0, 50 }, 150, 150, 150, false, false },
	{ "sum in place", { 1, 5000, 0, 5000, 0, 5000, 0, 5000 }, 5000, 5000, 5000, true, false },
	{ "one row for all, in fp32", { 4, 30, 0, 30, 0, 0, 0, 30 }, 120, 30, 120, false, true },
	{ "copy of parts", { 4, 10, 5, 40, 0, 0, 3, 20 }, 170, 0, 90, false, false },
};

static void build_add(struct plan *p, size_t i)
{
	struct op o = op_make(OP_ADD, STR("add"));

	o.in[0] = values(p, DIMS(adds[i].x));
	o.in[1] = !adds[i].y ? -1 : adds[i].wide ? floats(p, adds[i].y, 1) : values(p, DIMS(adds[i].y));
	o.out[0] = adds[i].in_place ? o.in[0] : values(p, DIMS(adds[i].z));
	o.p.add = adds[i].a;
	plan_op(p, &o);
}

static const char *const adams[] = { "adam", "adam, step 1000" };

static void build_adam(struct plan *p, size_t i)
{
	struct op o = op_make(OP_ADAM, STR("adam"));

	o.in[0] = o.out[0] = values(p, DIMS(1500));
	o.in[1] = values(p, DIMS(1500));
	o.in[2] = o.out[1] = p->precision == PRECISION_BF16 ? floats(p, 1500, 1) : -1;
	o.in[3] = o.out[2] = floats(p, 1500, 0.1);
	o.in[4] = o.out[3] = tensor(p, ELEMENT_F32, FILL_CONSTANT, i ? 0.01 : 0, DIMS(1500));
	o.p.optimizer = (struct op_optimizer){ .count = 1500, .rate = 0.01, .beta1 = 0.9, .beta2 = 0.999, .epsilon = 1e-6,
					       .decay = 0.01, .step = i ? 1000 : 1 };
	plan_op(p, &o);
}

static const char *const streams[] = { "copy", "scale", "add", "triad", "read", "write" };

static void build_stream(struct plan *p, size_t i)
{
	struct op o = op_make(OP_STREAM, STR("stream"));
	enum stream s = (enum stream)i;
	long n = 16 * 5001;

	o.in[0] = s == STREAM_WRITE ? -1 : floats(p, n, 1);
	o.in[1] = s == STREAM_ADD || s == STREAM_TRIAD ? floats(p, n, 1) : -1;
	o.out[0] = result(p, ELEMENT_F32, DIMS(s == STREAM_READ ? 1 : n));
	o.p.memory = (struct op_memory){ .count = n, .stream = s };
	plan_op(p, &o);
}

/* Names of cases are the first member of each row. */
struct group { const char *name; void (*build)(struct plan *p, size_t i); const void *cases; size_t n, size; };
#define GROUP(name, build, cases) { name, build, cases, LEN(cases), sizeof (cases)[0] }
static const struct group groups[] = {
	GROUP("product", build_gemm, gemms), GROUP("images", build_image, images), GROUP("lstm", build_lstm, lstms),
	GROUP("attention", build_attention, attentions), GROUP("rows", build_rows, rows),
	GROUP("norms", build_norm, norms), GROUP("add", build_add, adds), GROUP("optimizer", build_adam, adams),
	GROUP("stream", build_stream, streams),
};

static const char *case_name(const struct group *g, size_t i)
{
	const char *name;

	memcpy(&name, (const char *)g->cases + i * g->size, sizeof name);
	return name;
}

static void check_case(struct test *t, const struct backend *b, struct device *d, const struct group *g, size_t i,
		       enum precision precision)
{
	struct arena a = { 0 };
	struct plan p = { .precision = precision, .arena = &a };
	struct verify_result r;
	struct bench_error err = { 0 };
	struct str name = precision_name(precision);

	g->build(&p, i);
	struct loaded *l = b->load(d, &p, &err);
	bool good = l && verify_plan(b, l, &p, 1, &a, &r, &err);
	test_ok(t, good, str_c(&a, str_printf(&a, "%s, " STR_FMT ": %s", g->name, STR_ARG(name), case_name(g, i))));
	if (!good)
		printf("# %s\n", err.msg);
	if (l)
		b->unload(l);
	arena_free(&a);
}

/* All cases of one precision, or the one line that says why not. */
static void check_precision(struct test *t, const struct backend *b, struct device *d, enum precision p)
{
	struct bench_error why = { 0 };
	bool there = b->supports(d, p, &why);

	if (!there)
		printf("# %s\n", why.msg);
	for (size_t k = 0; k < LEN(groups) && there; k++)
		for (size_t i = 0; i < groups[k].n; i++)
			check_case(t, b, d, &groups[k], i, p);
}

/* What is refused, and how it says so. */
static void lone_lstm_bwd(struct plan *p)
{
	build_lstm(p, 0);
	p->ops[0] = p->ops[1];
	p->ops[0].forward = -1;
	p->nops = 1;
}

static void huge(struct plan *p)
{
	values(p, DIMS(1L << 30, 1L << 14));
}

static void transfer(struct plan *p)
{
	struct op o = op_make(OP_TRANSFER, STR("transfer"));

	o.in[0] = o.out[0] = floats(p, 64, 1);
	plan_op(p, &o);
}

static void odd_stream(struct plan *p)
{
	build_stream(p, STREAM_COPY);
	p->ops[0].p.memory.count = 7;
}

static void factor_and_bias(struct plan *p)
{
	build_gemm(p, 3);
	p->ops[0].p.gemm.alpha = 2;
}

static void negative_softmax(struct plan *p)
{
	build_rows(p, 16);
	p->ops[0].p.rows.scale = -1;
}

static void few_keys(struct plan *p)
{
	build_attention(p, 0);
	p->ops[1].p.attention.kv_heads = 1;
}

static const struct { void (*build)(struct plan *p); enum precision precision; enum bench_code code; const char *says; } refusals[] = {
	{ lone_lstm_bwd, PRECISION_FP32, BENCH_UNSUPPORTED, "a backward pass without its forward one" },
	{ huge, PRECISION_FP32, BENCH_NO_MEMORY, "GB of memory are free" },
	{ transfer, PRECISION_FP32, BENCH_UNSUPPORTED, "transfer: the CPU is host and device in one" },
	{ odd_stream, PRECISION_FP32, BENCH_UNSUPPORTED, "7 elements are no multiple of 16" },
	{ factor_and_bias, PRECISION_FP32, BENCH_UNSUPPORTED, "both a factor and a bias" },
	{ negative_softmax, PRECISION_FP32, BENCH_UNSUPPORTED, "a scale of -1" },
	{ few_keys, PRECISION_FP32, BENCH_UNSUPPORTED, "19 queries of 19 keys, 1 of 3 heads" },
	{ transfer, PRECISION_FP16, BENCH_UNSUPPORTED, "fp16 is no precision of the CPU backend" },
	{ transfer, PRECISION_TF32, BENCH_UNSUPPORTED, "tf32 is no precision of the CPU backend" },
	{ transfer, PRECISION_FP8, BENCH_UNSUPPORTED, "fp8 is no precision of the CPU backend" },
};

static void check_refusals(struct test *t, const struct backend *b, struct device *d)
{
	for (size_t i = 0; i < LEN(refusals); i++) {
		struct arena a = { 0 };
		struct plan p = { .precision = refusals[i].precision, .arena = &a };
		struct bench_error err = { 0 };
		refusals[i].build(&p);
		struct loaded *l = b->load(d, &p, &err);
		test_ok(t, !l && err.code == refusals[i].code && strstr(err.msg, refusals[i].says), refusals[i].says);
		if (l)
			b->unload(l);
		else if (!strstr(err.msg, refusals[i].says))
			printf("# %s\n", err.msg);
		arena_free(&a);
	}
}

/* Out of order, an operation finds an image that another has laid otherwise, or works: never on misread values. */
static void check_runs(struct test *t, const struct backend *b, struct device *d)
{
	struct arena a = { 0 };
	struct plan p = { .precision = PRECISION_FP32, .arena = &a };
	struct bench_error err = { 0 };
	double seconds[3] = { 0 }, wall = 0, one = 0, before[150], after[150];

	build_add(&p, 0);
	struct loaded *l = b->load(d, &p, &err);
	test_ok(t, l && verify_fill(b, l, &p, &err) && b->run_steps(l, 3, false, seconds, &wall, &err), "steps run");
	test_ok(t, seconds[0] > 0 && seconds[2] > 0 && fabs(seconds[0] + seconds[1] + seconds[2] - wall) < 1e-6,
		"steps: times add up");
	test_ok(t, l && !b->run_steps(l, 1, true, seconds, &wall, &err) && err.code == BENCH_UNSUPPORTED, "no graphs");
	test_ok(t, l && b->download(l, p.ops[0].out[0], before, &err), "downloaded");
	test_ok(t, l && b->run_micro(l, 0, 7, 3, &one, &err) && one > 0, "one operation on three sets of buffers");
	test_ok(t, l && b->download(l, p.ops[0].out[0], after, &err) && memcmp(before, after, sizeof before) == 0,
		"sets of buffers: the first is the plan's own again");
	test_ok(t, l && b->op_detail(l, 0)[0], "says how an operation is done");
	if (l)
		b->unload(l);
	arena_free(&a);
}

static void check_round_trip(struct test *t, const struct backend *b, struct device *d)
{
	static const double in[4] = { 1, -2.5, 1.00390625, 1e-30 }, fp32[4] = { 1, -2.5, 1.00390625, (double)1e-30f };
	struct arena a = { 0 };
	struct plan p = { .precision = PRECISION_FP32, .arena = &a };
	struct bench_error err = { 0 };
	double out[4];
	int x = values(&p, DIMS(4)), n = ids(&p, 4, 10);
	struct loaded *l = b->load(d, &p, &err);

	test_ok(t, l && b->upload(l, x, in, &err) && b->download(l, x, out, &err) && memcmp(out, fp32, sizeof out) == 0,
		"values in and out");
	test_ok(t, l && b->upload(l, n, (double[]){ 3, 0, 9, 2147483647 }, &err) && b->download(l, n, out, &err)
		       && out[0] == 3 && out[2] == 9 && out[3] == 2147483647, "whole numbers in and out");
	if (l)
		b->unload(l);
	arena_free(&a);
}

static void check_device(struct test *t, const struct backend *b, struct device *d)
{
	struct device_info info;
	struct bench_error err = { 0 };
	struct telemetry sampled;

	test_ok(t, b->describe(d, &info, &err), "described");
	test_ok(t, info.name[0] && strncmp(info.framework, "onednn ", 7) == 0 && info.threads >= 1, "name, version, threads");
	test_ok(t, isnan(info.peak[PRECISION_FP32]) || info.peak[PRECISION_FP32] > 1e9, "a peak that can be");
	test_ok(t, isnan(info.peak[PRECISION_FP16]), "no peak where there is no precision");
	test_ok(t, !b->sample(d, &sampled) && isnan(sampled.power_w), "no telemetry");
	test_ok(t, !b->open(1, &err) && strstr(err.msg, "one device"), "no second device");
}

int main(void)
{
	struct test t = { 0 };
	struct arena a = { 0 };
	struct bench_error err = { 0 };
	const struct backend *b = onednn_open(&a, &err);
	struct device *d = b ? b->open(0, &err) : NULL;

	if (!b && err.code == BENCH_UNSUPPORTED) {
		printf("# %s\n", err.msg);
		test_ok(&t, true, "skipped: the plug-in is not there");
		arena_free(&a);
		return test_done(&t);
	}
	test_ok(&t, d, "the CPU is there");
	if (d) {
		check_device(&t, b, d);
		check_precision(&t, b, d, PRECISION_FP32);
		check_precision(&t, b, d, PRECISION_BF16);
		check_refusals(&t, b, d);
		check_runs(&t, b, d);
		check_round_trip(&t, b, d);
		b->close(d);
	}
	arena_free(&a);
	return test_done(&t);
}
