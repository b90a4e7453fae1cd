/* Transformer-XL: a segment of tokens that looks back at the memory of the segment before, with
 * relative positions, and an adaptive softmax. Sequences lie time-first here (t b h), so that
 * memory and segment are two runs of rows. Source: Dai et al., ACL 2019; sizes of the wikitext-103
 * scripts of NVIDIA DeepLearningExamples. */
#include "workload.h"
#include "workload_net.h"

#include <math.h>

enum { HEAD_WIDTH = 64, TAILS = 3 };

struct xl {
	long layers, width, heads, inner, segment, memory;
	bool projects; /* each tail has its own, smaller width (div_val 4) */
};

/* The vocabulary of 267,735 words is cut at 19,997, 39,997 and 199,997: a head (with one class for
 * each tail) and three tails. share: of tokens under Zipf's law, sum of 1/i over the words of the
 * tail by that over all words. */
static const struct tail { long words; double share; long divisor; } tails[TAILS] = {
	{ 20000, 0.0530, 4 }, { 160000, 0.1231, 16 }, { 67738, 0.0223, 64 },
};
enum { HEAD_WORDS = 19997, HEAD_CLASSES = HEAD_WORDS + TAILS };

/* One layer of attention on its way through the plan. */
struct attention {
	const struct xl *s;
	long batch, keys, all; /* all: heads x width of a head */
	int x, cat, qkv, r, u, v, qu, qv, probabilities, context, dqkv;
};

enum {
	REF_CAT,
	REF_QKV,
	REF_R,
	REF_U,
	REF_V,
	REF_QU,
	REF_QV,
	REF_P,
	REF_CONTEXT,
	REF_DQKV,
	REF_PRODUCT,
	REF_SOFTMAX,
	REF_SHIFT,
	REF_QUERY
};

/* How a matrix of every (sequence, head) lies: rows ld apart, sequences and heads a stride each. */
struct lie { int tensor; long offset, ld, sequence, head; };

static struct lie scores_lie(const struct attention *a, int tensor)
{
	long t = a->s->segment, k = a->keys;

	return (struct lie){ tensor, 0, k, a->s->heads * t * k, t * k };
}

static struct lie queries_lie(const struct attention *a, int tensor)
{
	return (struct lie){ tensor, 0, a->batch * a->all, a->all, HEAD_WIDTH };
}

/* part: 1 keys, 2 values of the packed tensor. */
static struct lie packed_lie(const struct attention *a, int tensor, int part)
{
	return (struct lie){ tensor, part * a->all, 3 * a->batch * a->all, 3 * a->all, HEAD_WIDTH };
}

/* Positions are shared by the sequences. */
static struct lie positions_lie(const struct attention *a, int tensor)
{
	return (struct lie){ tensor, 0, a->all, 0, HEAD_WIDTH };
}

/* A product for every sequence and head. */
static int heads_product(struct net *n, const struct attention *a, struct str name, struct lie x,
			 struct lie y, struct lie z, struct op_gemm g)
{
	struct op o = net_product(name, x.tensor, y.tensor, z.tensor, g);
	struct op_gemm *p = &o.p.gemm;

	p->batch = a->batch * a->s->heads;
	p->inner = a->s->heads;
	p->lda = x.ld;
	p->ldb = y.ld;
	p->ldc = z.ld;
	p->offset_a = x.offset;
	p->offset_b = y.offset;
	p->offset_c = z.offset;
	p->stride_a = x.sequence;
	p->stride_b = y.sequence;
	p->stride_c = z.sequence;
	p->inner_stride_a = x.head;
	p->inner_stride_b = y.head;
	p->inner_stride_c = z.head;
	return net_op(n, &o);
}

static int softmax_op(struct net *n, const struct attention *a, struct str name, enum op_kind kind,
		      int in0, int in1, int out, int forward)
{
	struct op o = op_make(kind, name);

	o.in[0] = in0;
	o.in[1] = in1;
	o.out[0] = out;
	o.p.rows.rows = a->batch * a->s->heads * a->s->segment;
	o.p.rows.cols = a->keys;
	o.p.rows.other = a->s->segment;
	o.p.rows.scale = 1 / sqrt(HEAD_WIDTH);
	o.p.rows.memory = a->s->memory;
	o.forward = forward;
	return net_op(n, &o);
}

static int shift_op(struct net *n, const struct attention *a, struct str name, enum op_kind kind,
		    int in, int out, int forward)
{
	struct op o = op_make(kind, name);

	o.in[0] = in;
	o.out[0] = out;
	o.p.rows.rows = a->batch * a->s->heads;
	o.p.rows.cols = a->keys;
	o.p.rows.other = a->s->segment;
	o.forward = forward;
	return net_op(n, &o);
}

/* Copies or adds rows of the segment; offsets and strides in the larger tensor. */
static void rows_add(struct net *n, struct str name, int x, int y, int z, struct op_add p)
{
	struct op o = op_make(OP_ADD, name);

	o.in[0] = x;
	o.in[1] = y;
	o.out[0] = z;
	o.p.add = p;
	net_op(n, &o);
}

static void bias_sum(struct net *n, struct str name, int dy, int out, long rows, long cols)
{
	struct op o = op_make(OP_BIAS_GRAD, name);

	o.in[0] = dy;
	o.out[0] = out;
	o.p.rows.rows = rows;
	o.p.rows.cols = cols;
	net_op(n, &o);
}

/* The gradient of one of the biases u, v: the sum over tokens and sequences. */
static void query_bias(struct net *n, const struct attention *a, struct str name, int dq, int bias)
{
	bool fresh;
	int grad = net_weight_grad(n, bias, &fresh);

	n->plan->tensors[grad].element = ELEMENT_F32;
	bias_sum(n, name, dq, grad, a->s->segment * a->batch, a->all);
}

/* Through positions: every sequence has a gradient of them, which are added. */
static void positions_backward(struct net *n, const struct attention *a, struct str name, int dbd)
{
	const struct tensor *r = &n->plan->tensors[a->r];
	int parts = net_tensor(n, net_name(n, STR_FMT ".r.parts", STR_ARG(name)), ELEMENT_VALUE,
			       (long[]){ a->batch, r->dim[0], r->dim[1], 0 });
	int dr = net_grad_buffer(n, a->r);
	struct lie z = { parts, 0, a->all, a->keys * a->all, HEAD_WIDTH };

	heads_product(
	    n, a, net_name(n, STR_FMT ".BD.bwd_b", STR_ARG(name)), scores_lie(a, dbd),
	    queries_lie(a, a->qv), z,
	    (struct op_gemm){ .m = a->keys, .n = HEAD_WIDTH, .k = a->s->segment, .trans_a = true });
	bias_sum(n, net_name(n, STR_FMT ".r.sum", STR_ARG(name)), parts, dr, a->batch,
		 a->keys * a->all);
	net_accumulate(n, a->r, dr);
}

/* From the gradient of the scores to queries, keys, positions and both biases. */
static void scores_backward(struct net *n, const struct attention *a, struct str name, int ds,
			    int shift)
{
	long t = a->s->segment, k = a->keys, rows = t * a->batch, packed = 3 * a->all;
	int dbd = net_grad_buffer(n, ds), dqu = net_grad_buffer(n, a->qu),
	    dqv = net_grad_buffer(n, a->qv);
	struct op_gemm to_queries = { .m = t, .n = HEAD_WIDTH, .k = k };
	struct op_gemm to_keys = { .m = k, .n = HEAD_WIDTH, .k = t, .trans_a = true };

	heads_product(n, a, net_name(n, STR_FMT ".AC.bwd_a", STR_ARG(name)), scores_lie(a, ds),
		      packed_lie(a, a->qkv, 1), queries_lie(a, dqu), to_queries);
	heads_product(n, a, net_name(n, STR_FMT ".AC.bwd_b", STR_ARG(name)), scores_lie(a, ds),
		      queries_lie(a, a->qu), packed_lie(a, a->dqkv, 1), to_keys);
	shift_op(n, a, net_name(n, STR_FMT ".shift.bwd", STR_ARG(name)), OP_REL_SHIFT_BWD, ds, dbd,
		 shift);
	heads_product(n, a, net_name(n, STR_FMT ".BD.bwd_a", STR_ARG(name)), scores_lie(a, dbd),
		      positions_lie(a, a->r), queries_lie(a, dqv), to_queries);
	positions_backward(n, a, name, dbd);
	query_bias(n, a, net_name(n, STR_FMT ".u", STR_ARG(name)), dqu, a->u);
	query_bias(n, a, net_name(n, STR_FMT ".v", STR_ARG(name)), dqv, a->v);
	rows_add(n, net_name(n, STR_FMT ".q.sum", STR_ARG(name)), dqu, dqv, a->dqkv,
		 (struct op_add){ rows, a->all, 0, a->all, 0, a->all,
				  a->s->memory * a->batch * packed, packed });
	net_release(n, dbd);
	net_release(n, dqu);
	net_release(n, dqv);
}

static struct attention attention_of(const struct net *n, const struct node *node)
{
	const struct op *f = &n->plan->ops[node->ref[REF_PRODUCT]],
			*q = &n->plan->ops[node->ref[REF_QUERY]];
	struct attention a = { .batch = f->p.gemm.batch / f->p.gemm.inner, .keys = f->p.gemm.k,
			       .all = q->p.add.cols };

	a.cat = node->ref[REF_CAT];
	a.qkv = node->ref[REF_QKV];
	a.r = node->ref[REF_R];
	a.u = node->ref[REF_U];
	a.v = node->ref[REF_V];
	a.qu = node->ref[REF_QU];
	a.qv = node->ref[REF_QV];
	a.probabilities = node->ref[REF_P];
	a.context = node->ref[REF_CONTEXT];
	a.dqkv = node->ref[REF_DQKV];
	return a;
}

static void attention_backward(struct net *n, const struct node *node)
{
	struct attention a = attention_of(n, node);
	struct op_gemm f = n->plan->ops[node->ref[REF_PRODUCT]].p.gemm;
	struct xl s = { .heads = f.inner, .segment = f.m, .memory = f.k - f.m };
	int dy = net_grad_of(n, a.context), dp = net_grad_buffer(n, a.probabilities);
	int ds = net_grad_buffer(n, a.probabilities);

	a.s = &s;
	heads_product(n, &a, net_name(n, STR_FMT ".context.bwd_a", STR_ARG(node->name)),
		      queries_lie(&a, dy), packed_lie(&a, a.qkv, 2), scores_lie(&a, dp),
		      (struct op_gemm){ .m = f.m, .n = f.k, .k = f.n, .trans_b = true });
	heads_product(n, &a, net_name(n, STR_FMT ".context.bwd_b", STR_ARG(node->name)),
		      scores_lie(&a, a.probabilities), queries_lie(&a, dy),
		      packed_lie(&a, a.dqkv, 2),
		      (struct op_gemm){ .m = f.k, .n = f.n, .k = f.m, .trans_a = true });
	softmax_op(n, &a, net_name(n, STR_FMT ".softmax.bwd", STR_ARG(node->name)), OP_SOFTMAX_BWD,
		   dp, a.probabilities, ds, node->ref[REF_SOFTMAX]);
	net_release(n, dy);
	net_release(n, dp);
	scores_backward(n, &a, node->name, ds, node->ref[REF_SHIFT]);
	net_release(n, ds);
	net_accumulate(n, a.qkv, a.dqkv);
}

/* q + bias of the tokens of the segment, which are the last rows of the packed tensor. Returns the
 * operation. */
static int query(struct net *n, const struct attention *a, struct str name, int bias, int *out)
{
	long rows = a->s->segment * a->batch, packed = 3 * a->all;

	*out = net_tensor(n, name, ELEMENT_VALUE, (long[]){ rows, a->all, 0 });
	rows_add(n, name, a->qkv, bias, *out,
		 (struct op_add){ rows, a->all, a->s->memory * a->batch * packed, packed, 0, 0, 0,
				  a->all });
	return n->plan->nops - 1;
}

/* BD, shifted, then AC added to it. */
static int scores(struct net *n, const struct attention *a, struct str name, int *shift)
{
	long t = a->s->segment, k = a->keys;
	long dims[] = { a->batch, a->s->heads, t, k, 0 };
	int bd = net_tensor(n, net_name(n, STR_FMT ".BD", STR_ARG(name)), ELEMENT_VALUE, dims);
	int s = net_tensor(n, net_name(n, STR_FMT ".scores", STR_ARG(name)), ELEMENT_VALUE, dims);
	struct op_gemm g = { .m = t, .n = k, .k = HEAD_WIDTH, .trans_b = true };

	heads_product(n, a, net_name(n, STR_FMT ".BD", STR_ARG(name)), queries_lie(a, a->qv),
		      positions_lie(a, a->r), scores_lie(a, bd), g);
	*shift =
	    shift_op(n, a, net_name(n, STR_FMT ".shift", STR_ARG(name)), OP_REL_SHIFT, bd, s, -1);
	g.beta = 1;
	heads_product(n, a, net_name(n, STR_FMT ".AC", STR_ARG(name)), queries_lie(a, a->qu),
		      packed_lie(a, a->qkv, 1), scores_lie(a, s), g);
	return s;
}

static int attention(struct net *n, struct attention *a, struct str name)
{
	struct node node = { attention_backward, { 0 }, name };
	int shift;

	node.ref[REF_QUERY] = query(n, a, net_name(n, STR_FMT ".qu", STR_ARG(name)), a->u, &a->qu);
	query(n, a, net_name(n, STR_FMT ".qv", STR_ARG(name)), a->v, &a->qv);
	int s = scores(n, a, name, &shift);
	a->probabilities = net_like(n, net_name(n, STR_FMT ".p", STR_ARG(name)), s);
	node.ref[REF_SOFTMAX] = softmax_op(n, a, net_name(n, STR_FMT ".softmax", STR_ARG(name)),
					   OP_SOFTMAX, s, -1, a->probabilities, -1);
	a->context = net_like(n, net_name(n, STR_FMT ".context", STR_ARG(name)), a->qu);
	node.ref[REF_PRODUCT] = heads_product(
	    n, a, net_name(n, STR_FMT ".context", STR_ARG(name)), scores_lie(a, a->probabilities),
	    packed_lie(a, a->qkv, 2), queries_lie(a, a->context),
	    (struct op_gemm){ .m = a->s->segment, .n = HEAD_WIDTH, .k = a->keys });
	node.ref[REF_CAT] = a->cat;
	node.ref[REF_QKV] = a->qkv;
	node.ref[REF_R] = a->r;
	node.ref[REF_U] = a->u;
	node.ref[REF_V] = a->v;
	node.ref[REF_QU] = a->qu;
	node.ref[REF_QV] = a->qv;
	node.ref[REF_P] = a->probabilities;
	node.ref[REF_CONTEXT] = a->context;
	node.ref[REF_DQKV] = a->dqkv;
	node.ref[REF_SHIFT] = shift;
	net_want(n, a->context);
	*net_node(n, name, attention_backward) = node;
	return a->context;
}

/* The memory has no gradient. */
enum { REF_SEGMENT_X, REF_SEGMENT_CAT, REF_SEGMENT_OP };
static void segment_backward(struct net *n, const struct node *node)
{
	struct op_add f = n->plan->ops[node->ref[REF_SEGMENT_OP]].p.add;
	int dcat = net_grad_of(n, node->ref[REF_SEGMENT_CAT]), x = node->ref[REF_SEGMENT_X];
	int dx = net_grad_buffer(n, x);

	rows_add(n, net_name(n, STR_FMT ".bwd", STR_ARG(node->name)), dcat, -1, dx,
		 (struct op_add){ f.rows, f.cols, f.offset_z, f.stride_z, 0, 0, 0, f.cols });
	net_release(n, dcat);
	net_accumulate(n, x, dx);
}

/* Memory and segment, one behind the other: the memory stands in the tensor from the start. */
static int concatenate(struct net *n, const struct xl *s, struct str name, int x, long batch)
{
	int cat = net_input(n, name, (long[]){ s->memory + s->segment, batch, s->width, 0 });

	rows_add(n, name, x, -1, cat,
		 (struct op_add){ s->segment * batch, s->width, 0, s->width, 0, 0,
				  s->memory * batch * s->width, s->width });
	net_want(n, cat);
	*net_node(n, name, segment_backward) = (struct node){
		segment_backward, { x, cat, n->plan->nops - 1 }, name };
	return cat;
}

static int linear(struct net *n, struct str name, int x, bool bias, long rows, long in, long out,
		  enum activation act)
{
	int w = net_weight(n, net_name(n, STR_FMT ".weight", STR_ARG(name)), (long[]){ out, in, 0 },
			   in);
	int b = bias ? net_bias(n, net_name(n, STR_FMT ".bias", STR_ARG(name)), out) : -1;

	return net_linear(n, name, x, w, b, rows, in, out, act);
}

/* What all layers share. */
struct shared { int positions, u, v, dqkv; };

static int layer(struct net *n, const struct xl *s, const struct shared *sh, int i, int x,
		 long batch)
{
	struct attention a = { .s = s,
			       .batch = batch,
			       .keys = s->memory + s->segment,
			       .all = s->heads * HEAD_WIDTH,
			       .u = sh->u,
			       .v = sh->v,
			       .dqkv = sh->dqkv };
	long rows = s->segment * batch;

	a.cat = concatenate(n, s, net_name(n, "layer%d.cat", i), x, batch);
	a.qkv = linear(n, net_name(n, "layer%d.qkv", i), a.cat, false, a.keys * batch, s->width,
		       3 * a.all, ACTIVATION_NONE);
	a.r = linear(n, net_name(n, "layer%d.r_net", i), sh->positions, false, a.keys, s->width,
		     a.all, ACTIVATION_NONE);
	int y = attention(n, &a, net_name(n, "layer%d.attention", i));
	y = linear(n, net_name(n, "layer%d.o_net", i), y, false, rows, a.all, s->width,
		   ACTIVATION_NONE);
	y = net_add(n, net_name(n, "layer%d.add1", i), y, x, rows, s->width);
	x = net_layernorm(n, net_name(n, "layer%d.norm1", i), y, rows, s->width);
	y = linear(n, net_name(n, "layer%d.ffn1", i), x, true, rows, s->width, s->inner,
		   ACTIVATION_RELU);
	y = linear(n, net_name(n, "layer%d.ffn2", i), y, true, rows, s->inner, s->width,
		   ACTIVATION_NONE);
	y = net_add(n, net_name(n, "layer%d.add2", i), y, x, rows, s->width);
	return net_layernorm(n, net_name(n, "layer%d.norm2", i), y, rows, s->width);
}

/* Tokens of a tail are taken out, projected to its width where it has its own, and told among its
 * words. */
static void tail(struct net *n, const struct xl *s, int i, int x, long tokens)
{
	long rows = lround((double)tokens * tails[i].share), width = s->width;
	int ids = net_ids(n, net_name(n, "tail%d.rows", i + 1), rows, FILL_SPREAD, tokens);
	int labels =
	    net_ids(n, net_name(n, "tail%d.labels", i + 1), rows, FILL_UNIFORM_INT, tails[i].words);

	x = net_gather(n, net_name(n, "tail%d.gather", i + 1), x, ids, rows, width, tokens);
	if (s->projects) {
		x = linear(n, net_name(n, "tail%d_proj", i + 1), x, false, rows, width,
			   s->width / tails[i].divisor, ACTIVATION_NONE);
		width = s->width / tails[i].divisor;
	}
	x = linear(n, net_name(n, "softmax_tail%d", i + 1), x, true, rows, width, tails[i].words,
		   ACTIVATION_NONE);
	net_loss(n, net_name(n, "tail%d.loss", i + 1), x, labels, rows, tails[i].words);
}

static void adaptive_softmax(struct net *n, const struct xl *s, int x, int table, long tokens)
{
	int labels = net_ids(n, STR("labels"), tokens, FILL_ZIPF, HEAD_CLASSES);
	int bias = net_bias(n, STR("softmax_head.bias"), HEAD_CLASSES), head = x;

	if (s->projects)
		head = linear(n, STR("emb_proj0"), x, false, tokens, s->width, s->width,
			      ACTIVATION_NONE);
	head = net_linear(n, STR("softmax_head"), head, table, bias, tokens, s->width, HEAD_CLASSES,
			  ACTIVATION_NONE);
	net_loss(n, STR("head.loss"), head, labels, tokens, HEAD_CLASSES);
	for (int i = 0; i < TAILS; i++)
		tail(n, s, i, x, tokens);
}

/* Input words are of the head, whose table is tied to the softmax. */
static void build_xl(const struct workload *w, struct plan *p)
{
	const struct xl *s = w->shape;
	struct net n = net_make(p, true);
	long batch = p->batch_size, tokens = batch * s->segment, keys = s->memory + s->segment;
	long all = s->heads * HEAD_WIDTH;
	int ids = net_ids(&n, STR("tokens"), tokens, FILL_ZIPF, HEAD_WORDS);
	int table =
	    net_weight(&n, STR("embedding"), (long[]){ HEAD_CLASSES, s->width, 0 }, s->width);
	struct shared sh = { .positions =
				 net_input(&n, STR("positions"), (long[]){ keys, s->width, 0 }),
			     .u = net_bias(&n, STR("r_w_bias"), all),
			     .v = net_bias(&n, STR("r_r_bias"), all) };
	/* counted as the tables of the field count it: as if the positions were learned */
	net_want(&n, sh.positions);
	/* queries of the memory are never used: their gradient stays 0 */
	sh.dqkv =
	    net_tensor(&n, STR("gradient.qkv"), ELEMENT_VALUE, (long[]){ keys, batch, 3 * all, 0 });
	p->tensors[sh.dqkv].fill = FILL_CONSTANT;

	int x = net_embed(&n, STR("embed"), table, ids, tokens, s->width, HEAD_WORDS);
	for (int i = 0; i < (int)s->layers; i++)
		x = layer(&n, s, &sh, i, x, batch);
	adaptive_softmax(&n, s, x, table, tokens);
	net_backward(&n);
	net_adam(&n);
}

static const struct { struct str name, title; struct xl shape; long batch; } xls[] = {
	{ STR_INIT("transformerxl-base"), STR_INIT("Transformer-XL base training"),
	  { 16, 512, 8, 2048, 192, 192, false }, 32 },
	{ STR_INIT("transformerxl-large"), STR_INIT("Transformer-XL large training"),
	  { 18, 1024, 16, 4096, 384, 384, true }, 16 },
};

void workload_add_xl(struct workload_table *t)
{
	for (size_t i = 0; i < LEN(xls); i++)
		workload_table_add(t, (struct workload){
			.name = xls[i].name, .group = STR("xl"), .class = STR("transformer"),
			.title = xls[i].title, .kind = WORKLOAD_STEP, .metric = STR("throughput"),
			.unit = STR("tokens/s"), .per_unit = 1, .precisions = PRECISIONS_TRAIN,
			.batch = xls[i].batch, .sample = xls[i].shape.segment, .devices = 1,
			.build = build_xl, .shape = &xls[i].shape });
}
