/* Attention as cuDNN graphs: the fused node, and both ways in parts. */
#include "cuda_graph.h"

/* A part of the packed tensor (b s 3 heads d), b h s d for cuDNN; transposed: b h d s. */
static cudnnBackendDescriptor_t part(struct graph *g, const struct op_attention *a, int64_t uid,
				     cudnnDataType_t type, bool transposed)
{
	int64_t row = 3 * a->heads * a->width;
	struct graph_tensor t = { .uid = uid,
				  .type = type,
				  .rank = 4,
				  .dim = { a->batch, a->heads, a->queries, a->width },
				  .stride = { a->queries * row, a->width, row, 1 } };

	if (transposed) {
		t.dim[2] = a->width;
		t.dim[3] = a->keys;
		t.stride[2] = 1;
		t.stride[3] = row;
	}
	return graph_tensor(g, &t);
}

/* y (b s heads d) */
static cudnnBackendDescriptor_t output(struct graph *g, const struct op_attention *a, int64_t uid,
				       cudnnDataType_t type)
{
	int64_t row = a->heads * a->width;
	struct graph_tensor t = { .uid = uid,
				  .type = type,
				  .rank = 4,
				  .dim = { a->batch, a->heads, a->queries, a->width },
				  .stride = { a->queries * row, a->width, row, 1 } };

	return graph_tensor(g, &t);
}

/* b h s cols, row-major, fp32, stored. */
static cudnnBackendDescriptor_t stored(struct graph *g, const struct op_attention *a, int64_t uid,
				       int64_t cols)
{
	struct graph_tensor t = { .uid = uid,
				  .type = CUDNN_DATA_FLOAT,
				  .rank = 4,
				  .dim = { a->batch, a->heads, a->queries, cols },
				  .stride = { a->heads * a->queries * cols, a->queries * cols, cols,
					      1 } };

	return graph_tensor(g, &t);
}

static cudnnBackendDescriptor_t scalar(struct graph *g, int64_t uid)
{
	struct graph_tensor t = { .uid = uid,
				  .type = CUDNN_DATA_FLOAT,
				  .rank = 4,
				  .dim = { 1, 1, 1, 1 },
				  .stride = { 1, 1, 1, 1 },
				  .by_value = true };

	return graph_tensor(g, &t);
}

/* Virtual tensors of a graph get their numbers one after another. */
struct builder {
	struct graph *g;
	const struct op_attention *a;
	int64_t next;
};

static cudnnBackendDescriptor_t square(struct builder *b, cudnnDataType_t type)
{
	int64_t dim[4] = { b->a->batch, b->a->heads, b->a->queries, b->a->keys };

	return graph_virtual(b->g, b->next++, type, dim);
}

static cudnnBackendDescriptor_t column(struct builder *b)
{
	int64_t dim[4] = { b->a->batch, b->a->heads, b->a->queries, 1 };

	return graph_virtual(b->g, b->next++, CUDNN_DATA_FLOAT, dim);
}

static cudnnBackendDescriptor_t two(struct builder *b, cudnnPointwiseMode_t mode,
				    cudnnBackendDescriptor_t x, cudnnBackendDescriptor_t y,
				    cudnnBackendDescriptor_t z)
{
	graph_pointwise(b->g, mode, x, y, z);
	return z;
}

/* Query i sees keys 0 .. i. */
static cudnnBackendDescriptor_t masked(struct builder *b, cudnnBackendDescriptor_t s)
{
	cudnnBackendDescriptor_t row = square(b, CUDNN_DATA_INT32),
				 col = square(b, CUDNN_DATA_INT32);
	cudnnBackendDescriptor_t seen = square(b, CUDNN_DATA_BOOLEAN),
				 out = square(b, CUDNN_DATA_FLOAT);

	graph_index(b->g, 2, s, row);
	graph_index(b->g, 3, s, col);
	graph_pointwise(b->g, CUDNN_POINTWISE_CMP_GE, row, col, seen);
	graph_select(b->g, seen, s, scalar(b->g, UID_NEGATIVE), out);
	return out;
}

/* softmax(scale q k^T) and its log-sum-exp, then v. */
static void composed(struct builder *b, cudnnDataType_t type, cudnnBackendDescriptor_t q,
		     cudnnBackendDescriptor_t k, cudnnBackendDescriptor_t v,
		     cudnnBackendDescriptor_t o, cudnnBackendDescriptor_t stats,
		     cudnnBackendDescriptor_t scale)
{
	cudnnBackendDescriptor_t s = square(b, CUDNN_DATA_FLOAT), max = column(b), sum = column(b),
				 e, p;

	graph_matmul(b->g, q, k, s);
	s = two(b, CUDNN_POINTWISE_MUL, s, scale, square(b, CUDNN_DATA_FLOAT));
	if (b->a->causal)
		s = masked(b, s);
	graph_reduce(b->g, CUDNN_REDUCE_TENSOR_MAX, s, max);
	e = two(b, CUDNN_POINTWISE_SUB, s, max, square(b, CUDNN_DATA_FLOAT));
	e = two(b, CUDNN_POINTWISE_EXP, e, NULL, square(b, CUDNN_DATA_FLOAT));
	graph_reduce(b->g, CUDNN_REDUCE_TENSOR_ADD, e, sum);
	two(b, CUDNN_POINTWISE_ADD, max, two(b, CUDNN_POINTWISE_LOG, sum, NULL, column(b)), stats);
	p = two(b, CUDNN_POINTWISE_DIV, e, sum, square(b, type));
	graph_matmul(b->g, p, v, o);
}

void graph_of_attention(struct graph *g, const struct op_attention *a, cudnnDataType_t type,
			bool single)
{
	struct builder b = { g, a, UID_VIRTUAL };
	cudnnBackendDescriptor_t q = part(g, a, UID_Q, type, false),
				 k = part(g, a, UID_K, type, true);
	cudnnBackendDescriptor_t v = part(g, a, UID_V, type, false), o = output(g, a, UID_O, type);
	cudnnBackendDescriptor_t stats = stored(g, a, UID_STATS, 1), scale = scalar(g, UID_SCALE);

	if (single)
		graph_sdpa_forward(g, q, k, v, o, stats, scale);
	else
		composed(&b, type, q, k, v, o, stats, scale);
}

static cudnnBackendDescriptor_t turned(struct builder *b, cudnnBackendDescriptor_t x,
				       struct graph_tensor t)
{
	t.uid = b->next++;
	t.rank = 4;
	t.is_virtual = true;
	cudnnBackendDescriptor_t y = graph_tensor(b->g, &t);
	graph_reshape(b->g, x, y);
	return y;
}

/* The transposed view (keys queries) of a square tensor: every element stays where it is. */
static cudnnBackendDescriptor_t turned_square(struct builder *b, cudnnBackendDescriptor_t x,
					      cudnnDataType_t type)
{
	int64_t heads = b->a->heads, q = b->a->queries, k = b->a->keys;

	return turned(b, x,
		      (struct graph_tensor){ .type = type,
					     .dim = { b->a->batch, heads, k, q },
					     .stride = { heads * q * k, q * k, 1, k } });
}

/* k as it lies (keys width), from its transposed form. */
static cudnnBackendDescriptor_t turned_keys(struct builder *b, cudnnBackendDescriptor_t x,
					    cudnnDataType_t type)
{
	int64_t heads = b->a->heads, k = b->a->keys, d = b->a->width, row = 3 * heads * d;

	return turned(b, x,
		      (struct graph_tensor){ .type = type,
					     .dim = { b->a->batch, heads, k, d },
					     .stride = { k * row, d, row, 1 } });
}

/* sum(dy y) of every query */
static cudnnBackendDescriptor_t softmax_sum(struct builder *b, cudnnBackendDescriptor_t dy,
					    cudnnBackendDescriptor_t y,
					    cudnnBackendDescriptor_t one)
{
	int64_t dim[4] = { b->a->batch, b->a->heads, b->a->queries, b->a->width };
	cudnnBackendDescriptor_t product = graph_virtual(b->g, b->next++, CUDNN_DATA_FLOAT, dim),
				 sum = column(b);

	graph_pointwise(b->g, CUDNN_POINTWISE_MUL, dy, y, product);
	graph_reduce(b->g, CUDNN_REDUCE_TENSOR_ADD, product, sum);
	return two(b, CUDNN_POINTWISE_MUL, sum, one, stored(b->g, b->a, UID_SOFTMAX_SUM, 1));
}

/* p = exp(scale q k^T - stats); dv = p^T dy; ds = p (dy v^T - sum) scale; dk = ds^T q; dq = ds k.
 * The factors of one stand where dropout would be: without them cuDNN does not know the pattern. */
void graph_of_attention_bwd(struct graph *g, const struct op_attention *a, cudnnDataType_t type)
{
	struct builder b = { g, a, UID_VIRTUAL };
	cudnnBackendDescriptor_t q = part(g, a, UID_Q, type, false),
				 k = part(g, a, UID_K, type, true);
	cudnnBackendDescriptor_t v = part(g, a, UID_V, type, true), y = output(g, a, UID_O, type);
	cudnnBackendDescriptor_t dy = output(g, a, UID_DO, type),
				 stats = stored(g, a, UID_STATS, 1);
	cudnnBackendDescriptor_t scale = scalar(g, UID_SCALE), one = scalar(g, UID_ONE);
	cudnnBackendDescriptor_t sum = softmax_sum(&b, dy, y, one),
				 dq_sum = stored(g, a, UID_DQ_SUM, a->width);
	cudnnBackendDescriptor_t s = square(&b, CUDNN_DATA_FLOAT), p, ds;

	graph_matmul(g, q, k, s);
	s = two(&b, CUDNN_POINTWISE_MUL, s, scale, square(&b, CUDNN_DATA_FLOAT));
	s = two(&b, CUDNN_POINTWISE_SUB, s, stats, square(&b, CUDNN_DATA_FLOAT));
	p = two(&b, CUDNN_POINTWISE_EXP, s, NULL, square(&b, CUDNN_DATA_FLOAT));
	graph_matmul(
	    g, turned_square(&b, two(&b, CUDNN_POINTWISE_MUL, p, one, square(&b, type)), type), dy,
	    part(g, a, UID_DV, type, false));
	ds = square(&b, CUDNN_DATA_FLOAT);
	graph_matmul(g, dy, v, ds);
	ds = two(&b, CUDNN_POINTWISE_SUB, ds, sum, square(&b, CUDNN_DATA_FLOAT));
	ds = two(&b, CUDNN_POINTWISE_MUL, ds, p, square(&b, CUDNN_DATA_FLOAT));
	ds = two(&b, CUDNN_POINTWISE_MUL, ds, one, square(&b, CUDNN_DATA_FLOAT));
	ds = two(&b, CUDNN_POINTWISE_MUL, ds, scale, square(&b, type));
	graph_matmul(g, turned_square(&b, ds, type), q, part(g, a, UID_DK, type, false));
	graph_matmul(g, ds, turned_keys(&b, k, type), dq_sum);
	two(&b, CUDNN_POINTWISE_IDENTITY, dq_sum, NULL, part(g, a, UID_DQ, type, false));
}
