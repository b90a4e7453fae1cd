/* What the operations of a plan must do at the least; declared in plan.h. */
#include "plan.h"

#include <math.h>

static int gemm_products(const struct op *op, struct product *out)
{
	const struct op_gemm *g = &op->p.gemm;

	out[0] = (struct product){ "", 'f', 1, g->batch, g->m, g->n, g->k };
	return 1;
}

/* Implicit products over the whole batch. Every pass has the same multiplications: those with the
 * padding count, as everywhere in the field; a bound does without them. */
static int conv_products(const struct op *op, struct product *out)
{
	const struct op_conv *c = &op->p.conv;
	long pixels = c->n * c->ho * c->wo, patch = c->ci * c->kh * c->kw;

	if (op->kind == OP_CONV)
		out[0] = (struct product){ "", 'f', 1, 1, pixels, c->co, patch };
	else if (op->kind == OP_CONV_BWD_DATA)
		out[0] = (struct product){ "", 'a', 1, 1, pixels, patch, c->co };
	else
		out[0] = (struct product){ "", 'b', 1, 1, patch, c->co, pixels };
	return 1;
}

static struct product backward_a(struct product f)
{
	return (struct product){ f.part, 'a', f.count, f.batch, f.m, f.k, f.n };
}

static struct product backward_b(struct product f)
{
	return (struct product){ f.part, 'b', f.count, f.batch, f.k, f.n, f.m };
}

/* The forward products as they are, or both gradients of each. */
static int both_ways(bool backward, const struct product *forward, int n, struct product *out)
{
	for (int i = 0; i < n; i++) {
		if (!backward) {
			out[i] = forward[i];
			continue;
		}
		out[2 * i] = backward_a(forward[i]);
		out[2 * i + 1] = backward_b(forward[i]);
	}
	return backward ? 2 * n : n;
}

static int lstm_products(const struct op *op, struct product *out)
{
	const struct op_lstm *l = &op->p.lstm;
	struct product f[] = {
		{ "input_gemm", 'f', 2, 1, l->steps * l->batch, 4 * l->hidden, l->input },
		{ "recurrent_gemm", 'f', 2 * l->steps, 1, l->batch, 4 * l->hidden, l->hidden },
	};

	return both_ways(op->kind == OP_LSTM_BWD, f, 2, out);
}

/* Of a causal mask the whole square counts, as in the published counts of such models; a kernel
 * that leaves out the masked half does less, and op_cost() counts that. */
static int attention_products(const struct op *op, struct product *out)
{
	const struct op_attention *a = &op->p.attention;
	struct product f[] = {
		{ "scores", 'f', 1, a->batch * a->heads, a->queries, a->keys, a->width },
		{ "context", 'f', 1, a->batch * a->heads, a->queries, a->width, a->keys },
	};

	return both_ways(op->kind == OP_ATTENTION_BWD, f, 2, out);
}

int op_products(const struct op *op, struct product out[PRODUCTS_MAX])
{
	static int (*const by_kind[OP_KINDS])(const struct op *, struct product *) = {
		[OP_GEMM] = gemm_products,
		[OP_CONV] = conv_products,
		[OP_CONV_BWD_DATA] = conv_products,
		[OP_CONV_BWD_FILTER] = conv_products,
		[OP_LSTM] = lstm_products,
		[OP_LSTM_BWD] = lstm_products,
		[OP_ATTENTION] = attention_products,
		[OP_ATTENTION_BWD] = attention_products,
		[OP_ATTENTION_CACHE] = attention_products,
	};

	return by_kind[op->kind] ? by_kind[op->kind](op, out) : 0;
}

double product_flop(const struct product *p)
{
	return 2.0 * (double)p->count * (double)p->batch * (double)p->m * (double)p->n
	       * (double)p->k;
}

/* Causal attention needs the products of the keys that are seen only: (s + 1) / 2 of s on the
 * average. */
static double needed_share(const struct op *op)
{
	const struct op_attention *a = &op->p.attention;

	if ((op->kind != OP_ATTENTION && op->kind != OP_ATTENTION_BWD) || !a->causal)
		return 1;
	return ((double)a->keys + 1) / (2 * (double)a->keys);
}

/* Pairs of an output and a place of the filter, along one side, that meet the image and not its
 * padding. */
static double met(long size, long out, long filter, const struct op_conv *c)
{
	long sum = 0;

	for (long o = 0; o < out; o++)
		for (long k = 0; k < filter; k++) {
			long at = o * c->stride - c->pad + k;
			sum += at >= 0 && at < size;
		}
	return (double)sum;
}

/* The part of its products that an operation cannot do without: a kernel may leave those with
 * padding out, and some do. */
static double unpadded_share(const struct op *op)
{
	const struct op_conv *c = &op->p.conv;

	if (op->kind != OP_CONV && op->kind != OP_CONV_BWD_DATA && op->kind != OP_CONV_BWD_FILTER)
		return 1;
	return met(c->h, c->ho, c->kh, c) * met(c->w, c->wo, c->kw, c)
	       / ((double)c->ho * (double)c->kh * (double)c->wo * (double)c->kw);
}

static double tensor_size(const struct plan *p, int tensor)
{
	if (tensor < 0)
		return 0;
	const struct tensor *t = &p->tensors[tensor];
	return (double)tensor_count(t) * (double)element_bytes(t->element, p->precision);
}

static double element_size(const struct plan *p, int tensor)
{
	return tensor < 0 ? 0 : (double)element_bytes(p->tensors[tensor].element, p->precision);
}

/* Every operand once. Operands that are not touched, or only in part, are mended by bytes_of(). */
static double operand_bytes(const struct plan *p, const struct op *op)
{
	double sum = 0;

	for (int i = 0; i < OP_INPUTS; i++)
		sum += tensor_size(p, op->in[i]);
	for (int i = 0; i < OP_OUTPUTS; i++)
		sum += tensor_size(p, op->out[i]);
	return sum;
}

/* Products touch parts of packed tensors: their sizes come from the shape. c is read too where beta
 * is not 0. */
static double gemm_bytes(const struct plan *p, const struct op *op)
{
	const struct op_gemm *g = &op->p.gemm;
	double batch = (double)g->batch, m = (double)g->m, n = (double)g->n, k = (double)g->k;
	double c = batch * m * n * element_size(p, op->out[0]);

	return batch * m * k * element_size(p, op->in[0])
	       + batch * k * n * element_size(p, op->in[1]) + (g->beta != 0 ? 2 : 1) * c
	       + (g->bias ? n * element_size(p, op->in[2]) : 0)
	       + batch * m * n * element_size(p, op->out[1]);
}

static double add_bytes(const struct plan *p, const struct op *op)
{
	const struct op_add *a = &op->p.add;
	double rows = (double)a->rows, cols = (double)a->cols;
	double y = (a->stride_y ? rows : 1) * cols * element_size(p, op->in[1]);

	return rows * cols * (element_size(p, op->in[0]) + element_size(p, op->out[0])) + y;
}

/* x twice (mean and variance before the first result), and y: 3 passes, and the residual. */
static double batchnorm_bytes(const struct plan *p, const struct op *op)
{
	return operand_bytes(p, op) + tensor_size(p, op->in[0]);
}

/* dy and x twice, dx: 5 passes; y once where a ReLU masks dy; dresidual. */
static double batchnorm_bwd_bytes(const struct plan *p, const struct op *op)
{
	double y = op->p.norm.relu ? 0 : tensor_size(p, op->in[2]);

	return operand_bytes(p, op) - y + tensor_size(p, op->in[0]) + tensor_size(p, op->in[1]);
}

/* Rows that are looked up, not the table; the gradient of the table goes to the rows that occur, at
 * the most one each, but a table that starts from zero is written whole. */
static double rows_bytes(const struct plan *p, const struct op *op)
{
	const struct op_rows *r = &op->p.rows;
	double some = (double)r->rows * (double)r->cols, ids = 4 * (double)r->rows;

	switch (op->kind) {
	case OP_EMBED:
	case OP_GATHER_ROWS:
		return some * (element_size(p, op->in[0]) + element_size(p, op->out[0])) + ids;
	default: /* their gradients */
		if (op->in[2] >= 0)
			return some * (element_size(p, op->in[0]) + 2 * element_size(p, op->out[0]))
			       + ids;
		return some * element_size(p, op->in[0]) + tensor_size(p, op->out[0]) + ids;
	}
}

/* v of the packed tensor stays where it is. */
static double rope_bytes(const struct plan *p, const struct op *op)
{
	return 2 * tensor_size(p, op->in[0]) * 2 / 3;
}

/* The caches are read; of each one token is written. */
static double attention_cache_bytes(const struct plan *p, const struct op *op)
{
	const struct op_attention *a = &op->p.attention;
	double token = (double)a->batch * (double)a->kv_heads * (double)a->width;

	return operand_bytes(p, op) - tensor_size(p, op->out[1]) - tensor_size(p, op->out[2])
	       + token * (element_size(p, op->out[1]) + element_size(p, op->out[2]));
}

/* Weights are rounded copies of their masters: written, never read. */
static double optimizer_bytes(const struct plan *p, const struct op *op)
{
	return operand_bytes(p, op) - (op->in[2] >= 0 ? tensor_size(p, op->in[0]) : 0);
}

static double stream_bytes(const struct plan *p, const struct op *op)
{
	static const int arrays[] = {
		[STREAM_COPY] = 2,  [STREAM_SCALE] = 2, [STREAM_ADD] = 3,
		[STREAM_TRIAD] = 3, [STREAM_READ] = 1,  [STREAM_WRITE] = 1,
	};
	const struct op_memory *m = &op->p.memory;
	int t = op->in[0] >= 0 ? op->in[0] : op->out[0];

	return arrays[m->stream] * (double)m->count * element_size(p, t);
}

static double transfer_bytes(const struct plan *p, const struct op *op)
{
	(void)p;
	return (double)op->p.memory.bytes;
}

static double (*const bytes_by_kind[OP_KINDS])(const struct plan *, const struct op *) = {
	[OP_GEMM] = gemm_bytes,
	[OP_ADD] = add_bytes,
	[OP_BATCHNORM] = batchnorm_bytes,
	[OP_BATCHNORM_BWD] = batchnorm_bwd_bytes,
	[OP_EMBED] = rows_bytes,
	[OP_EMBED_BWD] = rows_bytes,
	[OP_GATHER_ROWS] = rows_bytes,
	[OP_SCATTER_ROWS] = rows_bytes,
	[OP_ROPE] = rope_bytes,
	[OP_ATTENTION_CACHE] = attention_cache_bytes,
	[OP_SGD] = optimizer_bytes,
	[OP_ADAM] = optimizer_bytes,
	[OP_STREAM] = stream_bytes,
	[OP_TRANSFER] = transfer_bytes,
	[OP_ALLREDUCE] = transfer_bytes,
};

/* Arithmetic outside products, FLOP an element of the first result (an exponential counts as one).
 * It is small and never decides a bound; it is told beside it. */
static const double flop_per_element[OP_KINDS] = {
	[OP_BIAS_GRAD] = 1,    [OP_BATCHNORM] = 8,  [OP_BATCHNORM_BWD] = 12, [OP_LAYERNORM] = 8,
	[OP_LAYERNORM_BWD] = 12, [OP_RMSNORM] = 4,  [OP_MAXPOOL] = 9,        [OP_AVGPOOL] = 49,
	[OP_AVGPOOL_BWD] = 1,  [OP_ACTIVATION] = 8, [OP_ACTIVATION_BWD] = 10, [OP_SWIGLU] = 5,
	[OP_ADD] = 1,          [OP_LOSS] = 5,       [OP_ROPE] = 6,           [OP_SOFTMAX] = 5,
	[OP_SOFTMAX_BWD] = 4,  [OP_SGD] = 6,        [OP_ADAM] = 15,          [OP_STREAM] = 1,
};

struct cost op_cost(const struct plan *p, const struct op *op)
{
	struct product products[PRODUCTS_MAX];
	struct cost c = { 0 };
	int n = op_products(op, products);

	for (int i = 0; i < n; i++)
		c.matrix_flop += product_flop(&products[i]);
	c.matrix_flop *= needed_share(op);
	c.least_flop = c.matrix_flop * unpadded_share(op);
	c.bytes = bytes_by_kind[op->kind] ? bytes_by_kind[op->kind](p, op) : operand_bytes(p, op);
	if (op->out[0] >= 0)
		c.other_flop = flop_per_element[op->kind]
			       * (double)tensor_count(&p->tensors[op->out[0]]);
	return c;
}

struct cost plan_cost(const struct plan *p)
{
	struct cost sum = { 0 };

	for (int i = 0; i < p->nops; i++) {
		struct cost c = op_cost(p, &p->ops[i]);
		sum.matrix_flop += c.matrix_flop;
		sum.least_flop += c.least_flop;
		sum.other_flop += c.other_flop;
		sum.bytes += c.bytes;
	}
	return sum;
}

double plan_bound(const struct plan *p, double peak, double bandwidth)
{
	double sum = 0;

	for (int i = 0; i < p->nops; i++) {
		struct cost c = op_cost(p, &p->ops[i]);
		sum += fmax(c.least_flop / peak, c.bytes / bandwidth);
	}
	return sum;
}
