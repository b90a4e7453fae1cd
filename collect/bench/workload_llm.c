/* Inference of a language model of the shape of Llama 2 7B: reading a prompt of 512 tokens, and
 * writing one token when 511 stand before it. Source: Touvron et al., arXiv 2307.09288, and the
 * published configuration. */
#include "workload.h"
#include "workload_net.h"

enum {
	LAYERS = 32,
	WIDTH = 4096,
	HEADS = 32,
	HEAD_WIDTH = 128,
	INNER = 11008,
	VOCABULARY = 32000,
	CONTEXT = 512
};

/* Activations of one layer; the next writes over them. x and next take turns as the residual
 * stream. */
struct llm {
	struct net *n;
	bool decode;
	long tokens;
	int x, next, normed, qkv, attended, out, gate_up, inner;
};

static int activation(struct llm *m, const char *name, long cols)
{
	return net_tensor(m->n, str_of(name), ELEMENT_VALUE, (long[]){ m->tokens, cols, 0 });
}

static void norm(struct llm *m, struct str name, int x, int y)
{
	struct op o = op_make(OP_RMSNORM, name);

	o.in[0] = x;
	o.in[1] = net_norm_weight(m->n, net_name(m->n, STR_FMT ".gamma", STR_ARG(name)), WIDTH, 1);
	o.out[0] = y;
	o.p.norm.rows = m->n->plan->tensors[x].dim[0];
	o.p.norm.cols = WIDTH;
	o.p.norm.epsilon = 1e-5;
	net_op(m->n, &o);
}

static void linear(struct llm *m, struct str name, int x, int y, long rows, long in, long out)
{
	int w = net_weight(m->n, net_name(m->n, STR_FMT ".weight", STR_ARG(name)),
			   (long[]){ out, in, 0 }, in);
	struct op o = net_product(
	    name, x, w, y, (struct op_gemm){ .m = rows, .n = out, .k = in, .trans_b = true });

	net_op(m->n, &o);
}

/* The residual stream moves to the other tensor. */
static void add(struct llm *m, struct str name, int y)
{
	struct op o = op_make(OP_ADD, name);
	int x = m->x;

	o.in[0] = x;
	o.in[1] = y;
	o.out[0] = m->next;
	o.p.add = (struct op_add){ m->tokens, WIDTH, 0, WIDTH, 0, WIDTH, 0, WIDTH };
	net_op(m->n, &o);
	m->x = m->next;
	m->next = x;
}

static int cache(struct llm *m, struct str name)
{
	return net_input(m->n, name,
			 (long[]){ m->n->plan->batch_size, HEADS, CONTEXT, HEAD_WIDTH, 0 });
}

static void attention(struct llm *m, struct str name)
{
	long batch = m->n->plan->batch_size;
	struct op rope = op_make(OP_ROPE, net_name(m->n, STR_FMT ".rope", STR_ARG(name)));
	struct op o = op_make(m->decode ? OP_ATTENTION_CACHE : OP_ATTENTION, name);
	struct op_attention *a = &o.p.attention;

	a->batch = batch;
	a->queries = m->tokens / batch;
	a->keys = CONTEXT;
	a->heads = a->kv_heads = HEADS;
	a->width = HEAD_WIDTH;
	a->causal = true;
	a->position = CONTEXT - a->queries;
	rope.in[0] = rope.out[0] = o.in[0] = m->qkv;
	rope.p = o.p;
	o.out[0] = m->attended;
	if (m->decode) {
		o.in[1] = o.out[1] = cache(m, net_name(m->n, STR_FMT ".keys", STR_ARG(name)));
		o.in[2] = o.out[2] = cache(m, net_name(m->n, STR_FMT ".values", STR_ARG(name)));
	}
	net_op(m->n, &rope);
	net_op(m->n, &o);
}

static void layer(struct llm *m, int i)
{
	struct net *n = m->n;
	struct op swiglu = op_make(OP_SWIGLU, net_name(n, "layer%d.swiglu", i));

	norm(m, net_name(n, "layer%d.norm1", i), m->x, m->normed);
	linear(m, net_name(n, "layer%d.qkv", i), m->normed, m->qkv, m->tokens, WIDTH, 3 * WIDTH);
	attention(m, net_name(n, "layer%d.attention", i));
	linear(m, net_name(n, "layer%d.attn_out", i), m->attended, m->out, m->tokens, WIDTH, WIDTH);
	add(m, net_name(n, "layer%d.add1", i), m->out);
	norm(m, net_name(n, "layer%d.norm2", i), m->x, m->normed);
	linear(m, net_name(n, "layer%d.gate_up", i), m->normed, m->gate_up, m->tokens, WIDTH,
	       2 * INNER);
	swiglu.in[0] = m->gate_up;
	swiglu.out[0] = m->inner;
	swiglu.p.rows.rows = m->tokens;
	swiglu.p.rows.cols = INNER;
	net_op(n, &swiglu);
	linear(m, net_name(n, "layer%d.down", i), m->inner, m->out, m->tokens, INNER, WIDTH);
	add(m, net_name(n, "layer%d.add2", i), m->out);
}

/* Only the last token of each sequence is told among the words. */
static void head(struct llm *m)
{
	struct net *n = m->n;
	long batch = n->plan->batch_size;
	int last = net_tensor(n, STR("last"), ELEMENT_VALUE, (long[]){ batch, WIDTH, 0 }), x = m->x;
	int normed = net_like(n, STR("last.normed"), last);
	int logits = net_tensor(n, STR("logits"), ELEMENT_VALUE, (long[]){ batch, VOCABULARY, 0 });

	if (!m->decode) { /* of one sequence the last row */
		int ids = net_ids(n, STR("last.row"), batch, FILL_CONSTANT, 0);
		n->plan->tensors[ids].scale = (double)(m->tokens - 1);
		x = net_gather(n, STR("last"), x, ids, batch, WIDTH, m->tokens);
	}
	norm(m, STR("norm"), x, normed);
	linear(m, STR("lm_head"), normed, logits, batch, WIDTH, VOCABULARY);
}

static void build_llm(const struct workload *w, struct plan *p)
{
	const bool *decode = w->shape;
	struct net n = net_make(p, false);
	struct llm m = { .n = &n,
			 .decode = *decode,
			 .tokens = p->batch_size * (*decode ? 1 : CONTEXT) };
	int ids = net_ids(&n, STR("tokens"), m.tokens, FILL_ZIPF, VOCABULARY);
	int table = net_weight(&n, STR("embedding"), (long[]){ VOCABULARY, WIDTH, 0 }, 1);

	m.x = net_embed(&n, STR("embed"), table, ids, m.tokens, WIDTH, VOCABULARY);
	m.next = activation(&m, "residual", WIDTH);
	m.normed = activation(&m, "normed", WIDTH);
	m.qkv = activation(&m, "qkv", 3 * WIDTH);
	m.attended = activation(&m, "attended", WIDTH);
	m.out = activation(&m, "out", WIDTH);
	m.gate_up = activation(&m, "gate_up", 2 * INNER);
	m.inner = activation(&m, "inner", INNER);
	for (int i = 0; i < LAYERS; i++)
		layer(&m, i);
	head(&m);
}

static const bool prefill = false, decode = true;

static const struct {
	struct str name, title;
	const bool *shape;
	long sample;
	bool quick;
} llms[] = {
	{ STR_INIT("llama-2-7b-pp512"), STR_INIT("Llama 2 7B, prompt reading of 512 tokens"),
	  &prefill, CONTEXT, false },
	{ STR_INIT("llama-2-7b-tg1-d512"), STR_INIT("Llama 2 7B, text generation after 511 tokens"),
	  &decode, 1, true },
};

void workload_add_llm(struct workload_table *t)
{
	for (size_t i = 0; i < LEN(llms); i++)
		workload_table_add(
		    t, (struct workload){ .name = llms[i].name,
					  .group = STR("llm"),
					  .class = STR("llm"),
					  .title = llms[i].title,
					  .kind = WORKLOAD_STEP,
					  .metric = STR("throughput"),
					  .unit = STR("tokens/s"),
					  .per_unit = 1,
					  .precisions = PRECISIONS_TRAIN,
					  .batch = 1,
					  .sample = llms[i].sample,
					  /* filling 7 billion weights takes half a minute: once */
					  .quick = llms[i].quick,
					  .quick_precisions = 1u << PRECISION_FP16,
					  .devices = 1,
					  .build = build_llm,
					  .shape = llms[i].shape });
}
