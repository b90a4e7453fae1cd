/* BERT: pre-training (masked words and pooler) and question answering.
 * Source: Devlin et al., NAACL 2019; sizes of the published checkpoints. */
#include "workload.h"
#include "workload_net.h"

enum { VOCABULARY = 30522, POSITIONS = 512, SEGMENTS = 2, HEAD_WIDTH = 64 };

struct bert {
	long layers, width, tokens;
	long masked; /* words to guess a sequence; 0: question answering */
};

static int linear(struct net *n, struct str name, int x, long rows, long in, long out,
		  enum activation act)
{
	int w = net_weight(n, net_name(n, STR_FMT ".weight", STR_ARG(name)), (long[]){ out, in, 0 },
			   in);
	int b = net_bias(n, net_name(n, STR_FMT ".bias", STR_ARG(name)), out);

	return net_linear(n, name, x, w, b, rows, in, out, act);
}

/* Words, positions and one segment are added and normalised. A sequence is one row of tokens x
 * width, to which the first rows of the table of positions are added. */
static int embeddings(struct net *n, const struct bert *s, long batch, int *table)
{
	long h = s->width, rows = batch * s->tokens;
	int ids = net_ids(n, STR("tokens"), rows, FILL_ZIPF, VOCABULARY);

	*table = net_weight(n, STR("embeddings.word"), (long[]){ VOCABULARY, h, 0 }, h);
	int position = net_weight(n, STR("embeddings.position"), (long[]){ POSITIONS, h, 0 }, h);
	int segment = net_weight(n, STR("embeddings.segment"), (long[]){ SEGMENTS, h, 0 }, h);
	int x = net_embed(n, STR("embed"), *table, ids, rows, h, VOCABULARY);
	x = net_add_row(n, STR("embed.position"), x, position, batch, s->tokens * h);
	x = net_add_row(n, STR("embed.segment"), x, segment, rows, h);
	return net_layernorm(n, STR("embed.norm"), x, rows, h);
}

static int layer(struct net *n, const struct bert *s, int i, int x, long batch)
{
	long h = s->width, rows = batch * s->tokens, heads = h / HEAD_WIDTH;
	struct op_attention a = { .batch = batch, .queries = s->tokens, .keys = s->tokens,
				  .heads = heads, .kv_heads = heads, .width = HEAD_WIDTH };

	int y = linear(n, net_name(n, "layer%d.qkv", i), x, rows, h, 3 * h, ACTIVATION_NONE);
	y = net_attention(n, net_name(n, "layer%d.attention", i), y, &a);
	y = linear(n, net_name(n, "layer%d.attn_out", i), y, rows, h, h, ACTIVATION_NONE);
	y = net_add(n, net_name(n, "layer%d.add1", i), y, x, rows, h);
	x = net_layernorm(n, net_name(n, "layer%d.norm1", i), y, rows, h);
	y = linear(n, net_name(n, "layer%d.ffn1", i), x, rows, h, 4 * h, ACTIVATION_GELU);
	y = linear(n, net_name(n, "layer%d.ffn2", i), y, rows, 4 * h, h, ACTIVATION_NONE);
	y = net_add(n, net_name(n, "layer%d.add2", i), y, x, rows, h);
	return net_layernorm(n, net_name(n, "layer%d.norm2", i), y, rows, h);
}

/* Masked words against the tied table, and the pooler on the first token of each sequence; its loss
 * is taken of its own outputs, so that gradients of the right size flow through it. */
static void pretraining_head(struct net *n, const struct bert *s, int x, long batch, int table)
{
	long h = s->width, rows = batch * s->tokens, guesses = batch * s->masked;
	int masked = net_ids(n, STR("masked"), guesses, FILL_SPREAD, rows);
	int first = net_ids(n, STR("first"), batch, FILL_SPREAD, rows);
	int labels = net_ids(n, STR("labels"), guesses, FILL_ZIPF, VOCABULARY);
	int next = net_ids(n, STR("pooler.labels"), batch, FILL_UNIFORM_INT, h);
	int bias = net_bias(n, STR("mlm.decoder.bias"), VOCABULARY);

	int pooled = net_gather(n, STR("first"), x, first, batch, h, rows);
	pooled = linear(n, STR("pooler"), pooled, batch, h, h, ACTIVATION_NONE);
	int y = net_gather(n, STR("masked"), x, masked, guesses, h, rows);
	y = linear(n, STR("mlm.transform"), y, guesses, h, h, ACTIVATION_GELU);
	y = net_layernorm(n, STR("mlm.norm"), y, guesses, h);
	y = net_linear(n, STR("mlm.decoder"), y, table, bias, guesses, h, VOCABULARY,
		       ACTIVATION_NONE);
	net_loss(n, STR("mlm.loss"), y, labels, guesses, VOCABULARY);
	net_loss(n, STR("pooler.loss"), pooled, next, batch, h);
}

/* The answer is one of 2 x tokens starts and ends. */
static void answer_head(struct net *n, const struct bert *s, int x, long batch)
{
	long rows = batch * s->tokens;
	int labels = net_ids(n, STR("labels"), batch, FILL_UNIFORM_INT, 2 * s->tokens);

	x = linear(n, STR("qa_out"), x, rows, s->width, 2, ACTIVATION_NONE);
	net_loss(n, STR("loss"), x, labels, batch, 2 * s->tokens);
}

static void build_bert(const struct workload *w, struct plan *p)
{
	const struct bert *s = w->shape;
	struct net n = net_make(p, true);
	int table;
	int x = embeddings(&n, s, p->batch_size, &table);

	for (int i = 0; i < (int)s->layers; i++)
		x = layer(&n, s, i, x, p->batch_size);
	if (s->masked)
		pretraining_head(&n, s, x, p->batch_size, table);
	else
		answer_head(&n, s, x, p->batch_size);
	net_backward(&n);
	net_adam(&n);
}

static const struct {
	struct str name, title;
	struct bert shape;
	long batch;
	bool quick, grows;
} berts[] = {
	{ STR_INIT("bert-base-s128"),
	  STR_INIT("BERT-base pre-training, 128 tokens"),
	  { 12, 768, 128, 20 },
	  32,
	  true,
	  false },
	{ STR_INIT("bert-base-squad"),
	  STR_INIT("BERT-base SQuAD fine-tuning"),
	  { 12, 768, 384, 0 },
	  16,
	  false,
	  true },
	{ STR_INIT("bert-large-s128"),
	  STR_INIT("BERT-large pre-training, 128 tokens"),
	  { 24, 1024, 128, 20 },
	  16,
	  false,
	  false },
	{ STR_INIT("bert-large-squad"),
	  STR_INIT("BERT-large SQuAD fine-tuning"),
	  { 24, 1024, 384, 0 },
	  8,
	  false,
	  true },
	{ STR_INIT("bert-large-s512"),
	  STR_INIT("BERT-large pre-training, 512 tokens"),
	  { 24, 1024, 512, 80 },
	  4,
	  false,
	  false },
};

void workload_add_bert(struct workload_table *t)
{
	for (size_t i = 0; i < LEN(berts); i++)
		workload_table_add(t, (struct workload){ .name = berts[i].name,
							 .group = STR("bert"),
							 .class = STR("transformer"),
							 .title = berts[i].title,
							 .kind = WORKLOAD_STEP,
							 .metric = STR("throughput"),
							 .unit = STR("sequences/s"),
							 .per_unit = 1,
							 .precisions = PRECISIONS_TRAIN,
							 .batch = berts[i].batch,
							 .sample = 1,
							 .quick = berts[i].quick,
							 .sustained = berts[i].quick,
							 .grows = berts[i].grows,
							 .devices = 1,
							 .build = build_bert,
							 .shape = &berts[i].shape });
}
