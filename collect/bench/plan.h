/* A workload as data: tensors and the list of operations of one step on them, in the order they run.
 * Every backend runs the same list; reference.c says what each operation means.
 *
 * Logical layouts, whatever a backend keeps in memory: images n c h w, filters co ci kh kw, matrices
 * row-major, sequences batch-first (b s h) but recurrent ones time-first (t b h), heads (b s 3 heads d).
 * Sizes are in elements, 1 MAC = 2 FLOP. */
#ifndef BENCH_PLAN_H
#define BENCH_PLAN_H

#include "../../base/arena.h"
#include "../../base/error.h"
#include "../../base/str.h"

#include <stdbool.h>
#include <stddef.h>

/* What values of tensors and products are in. fp32 is true fp32; tf32 stores fp32 and multiplies in
 * tf32; fp8 stores e4m3 with one scale a tensor and accumulates in fp32; master weights, statistics,
 * softmax and optimizer states are fp32 in every precision. */
enum precision { PRECISION_FP32, PRECISION_TF32, PRECISION_FP16, PRECISION_BF16, PRECISION_FP8, PRECISIONS };
struct str precision_name(enum precision p); /* "fp32" … as in contributions */
bool precision_parse(struct str s, enum precision *out);

enum element {
	ELEMENT_VALUE,  /* of the plan's precision */
	ELEMENT_RESULT, /* the same, but bf16 where that is fp8: what a product of fp8 values is written as */
	ELEMENT_F32,
	ELEMENT_I32,
};
size_t element_bytes(enum element e, enum precision p);

/* How a tensor gets its first values; the generator is our own (random.h), so that every backend has
 * the same bits. Results of operations are FILL_NONE. */
enum fill {
	FILL_NONE,
	FILL_NORMAL,  /* N(0, scale^2) */
	FILL_CONSTANT, /* scale */
	FILL_ZIPF,    /* whole numbers in [0, range), p(i) ~ 1/(i+1): tokens */
	FILL_UNIFORM_INT, /* whole numbers in [0, range) */
	FILL_SPREAD, /* i * range / count: distinct rows in ascending order */
	FILL_NEAR_ONE, /* 1 + N(0, scale^2): factors of norms; all 1, one that is left out would not show */
};

enum { DIMS_MAX = 5 };

struct tensor {
	struct str name;      /* "layer1.0.conv1.weight" */
	enum element element;
	int rank;
	long dim[DIMS_MAX];
	enum fill fill;
	double scale;
	long range;
	bool is_weight;       /* a parameter: counted, trained, all-reduced */
};

/* What an operation reads (in[]) and writes (out[]), in this order; in brackets: -1 where there is none.
 * Operations marked "in place" write the tensor that they read. Gradients of weights are VALUE where a
 * product makes them and F32 where sums over rows do (biases, norms, tables): look at the tensor. */
enum op_kind {
	OP_GEMM,            /* a, b, (bias) -> c, (what the activation was taken of); see struct op_gemm */
	OP_BIAS_GRAD,       /* dy (rows cols) -> db (cols), F32; p.rows */
	OP_CONV,            /* x, w -> y */
	OP_CONV_BWD_DATA,   /* dy, w -> dx */
	OP_CONV_BWD_FILTER, /* dy, x -> dw */
	OP_BATCHNORM,       /* x, gamma, beta, (residual) -> y, mean, inv_std: statistics of the batch, biased variance;
	                     * y = relu(norm(x) gamma + beta + residual) */
	OP_BATCHNORM_BWD,   /* dy, x, y, gamma, mean, inv_std -> dx, dgamma, dbeta, (dresidual) */
	OP_LAYERNORM,       /* x (rows cols), gamma, beta -> y, mean (rows), inv_std (rows) */
	OP_LAYERNORM_BWD,   /* dy, x, gamma, mean, inv_std -> dx, dgamma, dbeta */
	OP_RMSNORM,         /* x (rows cols), gamma -> y = x / sqrt(mean(x^2) + epsilon) gamma */
	OP_MAXPOOL,         /* x -> y; the padding is never the maximum */
	OP_MAXPOOL_BWD,     /* dy, x, y -> dx; the first maximum of a window in row order has it all */
	OP_AVGPOOL,         /* global: n c h w -> n c; k = h = w */
	OP_AVGPOOL_BWD,     /* dy -> dx */
	OP_ACTIVATION,      /* x -> y: relu, gelu (with erf), silu */
	OP_ACTIVATION_BWD,  /* dy, x -> dx; x: what the activation was taken of */
	OP_SWIGLU,          /* gate_up (rows 2 cols; gate first) -> y (rows cols): silu(gate) * up */
	OP_ADD,             /* x, (y) -> z = x + y, or a copy; see struct op_add */
	OP_LOSS,            /* logits (rows cols), labels (rows) -> dlogits, loss (1): softmax cross-entropy, mean over rows;
	                     * dlogits = scale (softmax - 1 at the label) / rows; scale keeps fp16 gradients above
	                     * its least numbers, the loss itself is not scaled */
	OP_EMBED,           /* table (other cols), ids (rows) -> y (rows cols) */
	OP_EMBED_BWD,       /* dy, ids, (dtable) -> dtable (F32): sums, in any order; where the third input is
	                     * given it is the output and is added to in place, else it starts from zero */
	OP_GATHER_ROWS,     /* x (other cols), ids (rows) -> y (rows cols): masked positions */
	OP_SCATTER_ROWS,    /* dy (rows cols), ids (rows), (dx) -> dx (other cols); ids are distinct; where the third
	                     * input is given it is the output and is added to in place, else zero elsewhere */
	OP_LSTM,            /* x (t b i), w (packed) -> y (t b 2h); one bidirectional layer, states start from zero */
	OP_LSTM_BWD,        /* dy, x, y, w -> (dx), dw */
	OP_ATTENTION,       /* qkv (b s 3 heads d; q, k, v) -> y (b s heads d): softmax(q k^T / sqrt(d)) v */
	OP_ATTENTION_BWD,   /* dy, qkv, y -> dqkv */
	OP_ATTENTION_CACHE, /* qkv (b 1 3 heads d), k, v (b heads keys d) -> y (b heads d), k, v in place: the new token's
	                     * k and v become the last of the cache, then its q looks at all keys */
	OP_ROPE,            /* qkv (b s 3 heads d) -> itself, in place: q and k turned, v stays; see struct op_attention */
	OP_REL_SHIFT,       /* bd (b heads t k) -> s: s[i][j] = bd[i][j + t - 1 - i] where j <= k - t + i, else 0 */
	OP_REL_SHIFT_BWD,   /* ds -> dbd: the transpose of it; zero where nothing was taken */
	OP_SOFTMAX,         /* x (rows cols) -> y = softmax(scale x); row r sees keys 0 .. memory + r % other where
	                     * memory >= 0, the rest gives 0 */
	OP_SOFTMAX_BWD,     /* dy, y -> dx = scale y (dy - sum(dy y)) */
	OP_SGD,             /* w, dw, (master), momentum -> w, (master), momentum in place: g = dw + decay m; v = momentum v + g; m -= rate v;
	                     * w = m rounded. Without a master w is its own */
	OP_ADAM,            /* w, dw, (master), m, v -> w, (master), m, v in place; bias-corrected by `step`, decoupled weight decay:
	                     * p -= rate (m^ / (sqrt(v^) + epsilon) + decay p). Without a master w is its own.
	                     * Optimizer operations stand one after another: a backend may run them as one */
	OP_STREAM,          /* x, (y) -> z: copy z = x, scale z = 3 x, add z = x + y, triad z = x + 3 y, read (-> sum (1)),
	                     * write z = 1 */
	OP_TRANSFER,        /* x -> x in place: p.memory.bytes of it, pinned host memory on the other side */
	OP_ALLREDUCE,       /* x -> x in place: sum over all devices, p.memory.bytes of it on each */
	OP_KINDS
};
struct str op_kind_name(enum op_kind k); /* "gemm", "conv-bwd-data" … */

enum activation { ACTIVATION_NONE, ACTIVATION_RELU, ACTIVATION_GELU, ACTIVATION_SILU };
enum stream { STREAM_COPY, STREAM_SCALE, STREAM_ADD, STREAM_TRIAD, STREAM_READ, STREAM_WRITE };
enum transfer { TRANSFER_H2D, TRANSFER_D2H, TRANSFER_PEER };

/* c[i] (m n) = activation(op(a[i]) op(b[i]) * alpha + bias + beta * c[i]), i < batch. Matrices lie row-major with
 * leading dimensions ld* and strides stride* (elements) from offset*, so that parts of a packed tensor need no copy.
 * trans_a: a lies as (k m); trans_b: b lies as (n k). */
struct op_gemm {
	long batch, m, n, k;
	bool trans_a, trans_b;
	long lda, ldb, ldc, stride_a, stride_b, stride_c, offset_a, offset_b, offset_c;
	/* where `inner` > 1 batch index i means outer i / inner and inner i % inner, with its own strides: heads
	 * inside a sequence; inner is 1 otherwise */
	long inner, inner_stride_a, inner_stride_b, inner_stride_c;
	double alpha, beta;
	bool bias;                   /* third input, (n) */
	enum activation activation;  /* after the bias; its input is kept in the second output where a
	                              * backward operation wants it */
};

struct op_conv {
	long n, ci, h, w, co, kh, kw, stride, pad, ho, wo; /* groups: none of our networks has them */
};

/* z[r][c] = x[r][c] + y[r][c]: row r starts at offset + r * stride (elements). stride_y 0: one row for all, F32 or
 * VALUE. Without y z is a copy. */
struct op_add {
	long rows, cols, offset_x, stride_x, offset_y, stride_y, offset_z, stride_z;
};

struct op_window {
	long n, c, h, w, k, stride, pad, ho, wo;
};

struct op_norm {
	long rows, cols;  /* batch norm: rows = n h w, cols = c */
	double epsilon;
	bool relu, residual;
};

/* One layer, both directions; y has 2 hidden, the forward direction first. Packed weights: of each direction,
 * forward first: W (4h i), R (4h h), bW (4h), bR (4h), gates in the order i f c~ o:
 * g = W x + bW + R h' + bR; c = sigma(f) c' + sigma(i) tanh(c~); h = sigma(o) tanh(c). bW and bR have the same
 * gradient: a backend with one bias takes their sum. */
struct op_lstm {
	long steps, batch, input, hidden;
};

struct op_attention {
	long batch, queries, keys, heads, kv_heads, width; /* width: d of one head */
	bool causal;
	long position; /* rope: of the first token. Pair (i, i + d/2) of a head at position p is turned by
	                * p 10000^(-2i/d) */
};

struct op_rows {
	long rows, cols, other; /* embed: rows of y, h, v; loss: rows, classes; gather, scatter: rows of the small
	                         * side, cols, rows of the large; softmax: queries; else 0. rel-shift: rows = b heads,
	                         * cols = k, other = t */
	double scale;
	long memory; /* softmax: keys before the segment that every query sees; -1: no mask */
	enum activation activation;
};

struct op_optimizer {
	long count;
	double rate, momentum, beta1, beta2, epsilon, decay;
	int step;
};

struct op_memory {
	long count; /* elements of one array */
	long bytes; /* transfers, all-reduce */
	enum stream stream;
	enum transfer transfer;
};

enum phase { PHASE_FORWARD, PHASE_BACKWARD, PHASE_OPTIMIZER };

enum { OP_INPUTS = 7, OP_OUTPUTS = 5 };

struct op {
	enum op_kind kind;
	struct str name;     /* "layer1.0.conv1" */
	int in[OP_INPUTS], out[OP_OUTPUTS]; /* indices of tensors; -1: none; the order stands at op_kind */
	enum phase phase;    /* what part of a step it belongs to */
	int forward;         /* of a backward operation: index of the forward one; a backend may keep
	                      * private state of it (statistics, reserve space); -1 */
	union {
		struct op_gemm gemm;
		struct op_conv conv;
		struct op_add add;
		struct op_window window;
		struct op_norm norm;
		struct op_lstm lstm;
		struct op_attention attention;
		struct op_rows rows;
		struct op_optimizer optimizer;
		struct op_memory memory;
	} p;
};

/* The least work of an operation, for rooflines: matrix FLOP (what tensor cores can do), other FLOP,
 * and bytes that must move when every operand is read once and every result written once (batch norm
 * reads x twice, backward x and dy: its statistics are needed before the first result). matrix_flop counts a
 * convolution's products with its padding, as everywhere in the field; least_flop those without, since kernels may
 * leave them out: it is what bounds a time. */
struct cost {
	double matrix_flop, least_flop, other_flop, bytes;
};
/* p holds the tensors (their element sizes count). */
struct plan;
struct cost op_cost(const struct plan *p, const struct op *op);

/* The matrix products that an operation is made of: `count` times `batch` products of (m k) (k n).
 * Convolutions count as implicit products: forward m = n ho wo, n = co, k = ci kh kw. Recurrent layers:
 * one product a time step and direction. 2 count batch m n k summed is matrix_flop. */
struct product {
	const char *part; /* "input", "recurrent", "scores" …; "" where there is one only */
	char operand;     /* 'f' forward, 'a' gradient of the first operand, 'b' of the second */
	long count, batch, m, n, k;
};
enum { PRODUCTS_MAX = 4 };
int op_products(const struct op *op, struct product out[PRODUCTS_MAX]);
double product_flop(const struct product *p);

struct plan {
	struct str workload;       /* name in data/workloads.csv */
	enum precision precision;
	long samples;              /* of one step, in what the metric counts: images, tokens, sequences */
	long batch_size;           /* as a contribution says it */
	struct tensor *tensors;
	int ntensors;
	size_t tensors_cap;
	struct op *ops;
	int nops;
	size_t ops_cap;
	struct arena *arena;
};

/* Adds one and returns its index; names must outlive the plan. */
int plan_tensor(struct plan *p, const struct tensor *t);
int plan_op(struct plan *p, const struct op *o);
struct op op_make(enum op_kind kind, struct str name); /* every in, out and forward -1 */
long tensor_count(const struct tensor *t);
/* The operation of the same work at another place gives true: same kind, numbers and element types. */
bool op_same(const struct plan *p, const struct op *a, const struct op *b);
struct cost plan_cost(const struct plan *p);
/* Least time of a step: the sum over operations of max(least FLOP / peak, bytes / bandwidth), in seconds. */
double plan_bound(const struct plan *p, double peak, double bandwidth);
double plan_bytes(const struct plan *p);      /* of all tensors, without a backend's workspace */
long plan_parameters(const struct plan *p);

#endif
