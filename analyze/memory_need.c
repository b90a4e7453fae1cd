/* The formulas of memory.h: what a network keeps, part by part. */
#include "memory.h"

#include <math.h>

enum { SCALE_GROUP = 32 }; /* weights that share one 16-bit scale (llama.cpp Q4_0, Q8_0) */

/* fp32 is the only precision whose training keeps no copy of the weights beside. */
static const struct memory_precision precisions[] = {
	{ STR_INIT("fp32"), 4, 4, 0, true, false, false },
	{ STR_INIT("fp16"), 2, 2, 0, true, true, false },
	{ STR_INIT("bf16"), 2, 2, 0, true, true, false },
	{ STR_INIT("int8"), 1, 2, 2.0 / SCALE_GROUP, false, false, true },
	{ STR_INIT("int4"), 0.5, 2, 2.0 / SCALE_GROUP, false, false, true },
};

static const double state_bytes[] = {
	[OPTIMIZER_SGD] = 0,
	[OPTIMIZER_MOMENTUM] = 4,
	[OPTIMIZER_ADAM] = 8,
};

const struct memory_precision *memory_precision_find(struct str name)
{
	for (size_t i = 0; i < LEN(precisions); i++)
		if (str_eq(precisions[i].name, name))
			return &precisions[i];
	return NULL;
}

struct str memory_precision_names(struct arena *a)
{
	struct strbuf b = { .arena = a };

	for (size_t i = 0; i < LEN(precisions); i++)
		strbuf_printf(&b, "%s" STR_FMT, i ? ", " : "", STR_ARG(precisions[i].name));
	return strbuf_str(&b);
}

bool memory_possible(const struct network *net, enum memory_mode mode,
		     const struct memory_precision *p)
{
	switch (mode) {
	case MEMORY_TRAINING:
		return p->trains;
	case MEMORY_RECOMPUTE:
		return p->trains && net->kind == NETWORK_TRANSFORMER;
	case MEMORY_INFERENCE:
	case MEMORY_MODES:
		break;
	}
	return p->weight_bytes >= 1 || net->kind == NETWORK_TRANSFORMER;
}

double memory_batch(const struct network *net, enum memory_mode mode)
{
	return mode == MEMORY_INFERENCE ? net->inference_batch_size : net->batch_size;
}

/* One need on its way. e, b as in memory.h. */
struct counting {
	const struct network *net;
	const struct memory_precision *p;
	double e, b;
	struct arena *arena;
	struct memory_need *out;
	size_t cap;
};

static void add(struct counting *c, struct str name, double bytes)
{
	struct memory_need *n = c->out;

	if (!(bytes > 0))
		return;
	n->parts = arena_grow(c->arena, n->parts, &c->cap, n->n + 1, sizeof *n->parts);
	n->parts[n->n++] = (struct memory_part){ name, bytes };
	n->total_bytes += bytes;
}

static void add_training_state(struct counting *c)
{
	double n = c->net->parameters;

	add(c, STR("weights"), n * c->p->weight_bytes);
	add(c, STR("gradients"), n * c->p->weight_bytes);
	add(c, STR("fp32 master weights"), c->p->master ? 4 * n : 0);
	add(c,
	    str_printf(c->arena, "optimizer states (" STR_FMT ")",
		       STR_ARG(optimizer_name(c->net->optimizer))),
	    n * state_bytes[c->net->optimizer]);
}

static void add_weights(struct counting *c)
{
	add(c, STR("weights"), c->net->parameters * c->p->weight_bytes);
	add(c, STR("scales of the quantised weights"), c->net->parameters * c->p->scale_bytes);
}

/* The guide's 2 x bytes x batch x maps x side^2 where errors are kept beside every activation. */
static void train_cnn(struct counting *c)
{
	const struct cnn *n = &c->net->cnn;
	double copies = c->net->errors_kept ? 2 : 1, largest = 0;

	add(c, STR("input"), c->e * c->b * n->input.maps * n->input.height * n->input.width);
	for (size_t i = 0; i < n->nlayers; i++) {
		const struct cnn_layer *l = &n->layers[i];

		add(c, str_printf(c->arena, "layer %zu: " STR_FMT, i + 1, STR_ARG(l->text)),
		    copies * c->e * c->b * l->kept);
		largest = fmax(largest, l->largest_output);
	}
	if (!c->net->errors_kept)
		add(c, STR("errors of the largest operation"), 2 * c->e * c->b * largest);
}

static void infer_cnn(struct counting *c)
{
	const struct cnn *n = &c->net->cnn;
	double largest = 0;

	for (size_t i = 0; i < n->nlayers; i++)
		largest = fmax(largest, n->layers[i].largest_step);
	add(c, STR("activations of the largest operation"), c->e * c->b * largest);
}

static double rnn_gates(const struct rnn *r)
{
	return r->cell == RNN_LSTM ? 4 : 3;
}

static void train_rnn(struct counting *c)
{
	const struct rnn *r = &c->net->rnn;
	double tokens = c->b * r->sequence_length, ways = r->bidirectional ? 2 : 1;

	add(c, STR("embedded input"), c->e * tokens * r->embedding);
	add(c, STR("gates, cells and outputs"),
	    c->e * tokens * r->layers * ways * r->hidden * (rnn_gates(r) + 2));
	add(c, STR("errors of one layer"), c->e * tokens * ways * r->hidden * (rnn_gates(r) + 1));
	add(c, STR("logits (fp32)"), 4 * tokens * r->vocabulary);
}

static void infer_rnn(struct counting *c)
{
	const struct rnn *r = &c->net->rnn;
	double tokens = c->b * r->sequence_length, ways = r->bidirectional ? 2 : 1;

	add(c, STR("activations of one layer"),
	    c->e * tokens
		* (fmax(r->embedding, ways * r->hidden) + ways * r->hidden * (rnn_gates(r) + 1)));
	add(c, STR("logits (fp32)"), 4 * tokens * r->vocabulary);
}

/* Bytes that the backward pass of one layer needs, without the scores. */
static double layer_linear(const struct counting *c, const struct transformer *t)
{
	double s = t->sequence_length, h = t->hidden, q = t->heads * t->head_dim;
	double kv = 2 * t->kv_heads * t->head_dim * (s + t->memory_length);
	double values = s * (2 * h + h + q + q + h + (t->gated ? 4 : 2) * t->ffn) + kv;

	return c->b * (c->e * values + (t->dropout ? 2 * s * h : 0));
}

/* softmax output; with dropout its mask, one byte, and what is left. */
static double layer_scores(const struct counting *c, const struct transformer *t)
{
	double s = t->sequence_length, keys = s + t->memory_length;

	if (t->flash)
		return 4 * c->b * t->heads * s;
	return c->b * t->heads * s * keys * (t->dropout ? 2 * c->e + 1 : c->e);
}

static void add_head(struct counting *c, const struct transformer *t)
{
	double tokens = c->b * t->sequence_length;

	add(c, STR("embedded input and dropout"),
	    tokens * t->hidden * (c->e + (t->dropout ? 1 : 0)));
	add(c, STR("hidden states of earlier segments"),
	    c->e * c->b * t->memory_length * t->hidden * (t->layers + 1));
	add(c, STR("output layer"), 2 * c->e * tokens * t->hidden);
	add(c, STR("logits (fp32)"), 4 * tokens * t->logits_per_token);
}

static void train_transformer(struct counting *c, bool recompute)
{
	const struct transformer *t = &c->net->transformer;
	double linear = layer_linear(c, t), scores = layer_scores(c, t);

	if (recompute) {
		add(c, STR("inputs of the layers"),
		    c->e * c->b * t->sequence_length * t->hidden * t->layers);
		add(c, STR("one layer, recomputed"), linear + scores);
	} else {
		add(c, STR("layers without attention scores"), t->layers * linear);
		add(c, STR("attention scores"), t->layers * scores);
	}
	add_head(c, t);
}

static void infer_transformer(struct counting *c)
{
	const struct transformer *t = &c->net->transformer;
	double s = t->sequence_length, h = t->hidden, q = t->heads * t->head_dim;
	double kv = 2 * t->kv_heads * t->head_dim * (s + t->memory_length);
	double attention = s * (h + 2 * q) + kv, mlp = s * (h + (t->gated ? 2 : 1) * t->ffn);
	double scores = t->flash ? 0 : 2 * t->heads * s * (s + t->memory_length);

	if (t->decoder)
		add(c, STR("key-value cache"), c->e * c->b * t->layers * kv);
	add(c, STR("activations of one layer"),
	    c->e * c->b * (s * h + fmax(attention + scores, mlp)));
	add(c, STR("logits (fp32)"), 4 * c->b * t->logits_per_token);
}

static void add_activations(struct counting *c, enum memory_mode mode)
{
	bool infer = mode == MEMORY_INFERENCE;

	switch (c->net->kind) {
	case NETWORK_CNN:
		if (infer)
			infer_cnn(c);
		else
			train_cnn(c);
		break;
	case NETWORK_RNN:
		if (infer)
			infer_rnn(c);
		else
			train_rnn(c);
		break;
	case NETWORK_TRANSFORMER:
		if (infer)
			infer_transformer(c);
		else
			train_transformer(c, mode == MEMORY_RECOMPUTE);
		break;
	case NETWORK_COUNTS:
		if (!infer)
			add(c, STR("activations"), c->e * c->b * c->net->counts.activations);
		add(c,
		    infer ? STR("activations of the largest layer")
			  : STR("errors of the largest layer"),
		    c->e * c->b * c->net->counts.largest_activation);
		break;
	}
}

void memory_need(const struct network *net, enum memory_mode mode, const struct memory_precision *p,
		 double batch, const struct memory_settings *s, struct arena *a,
		 struct memory_need *out)
{
	struct counting c = { net, p, p->activation_bytes, batch, a, out, 0 };

	*out = (struct memory_need){ 0 };
	if (mode == MEMORY_INFERENCE)
		add_weights(&c);
	else
		add_training_state(&c);
	add_activations(&c, mode);
	add(&c, STR("CUDA context and workspaces"), s->overhead_mib * MEMORY_MIB);
}
