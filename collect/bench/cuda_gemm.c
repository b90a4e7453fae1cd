/* Products. Row-major c = a b is column-major c^T = b^T a^T: cuBLAS gets b as its first operand and
 * a as its second. One product, or a batch with one stride, is cuBLASLt's, which fuses bias and
 * activation; a batch with two strides (heads inside sequences) is cuBLAS's batch of addresses. */
#include "cuda_kernels.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { HEURISTICS = 8 };

/* How much of bias and activation cuBLASLt does; the rest is done by a kernel of ours. Tried in
 * this order. */
enum fused { FUSED_ACTIVATION, FUSED_BIAS, FUSED_NONE, FUSED_KINDS };
static const char *const fused_names[FUSED_KINDS] = { "bias and activation fused", "bias fused",
						      "nothing fused" };

struct product_state {
	enum fused fused;
	cublasLtMatmulDesc_t desc;
	cublasLtMatrixLayout_t a, b, c; /* of cuBLAS's operands */
	cublasLtMatmulPreference_t preference;
	cublasLtMatmulAlgo_t algo;
	void **addresses; /* batches of addresses; else NULL */
	struct cuda_batch batch;
};

cublasComputeType_t cuda_compute_type(enum precision p)
{
	static const cublasComputeType_t types[PRECISIONS] = {
		[PRECISION_FP32] = CUBLAS_COMPUTE_32F_PEDANTIC,
		[PRECISION_TF32] = CUBLAS_COMPUTE_32F_FAST_TF32,
		[PRECISION_FP16] = CUBLAS_COMPUTE_32F,
		[PRECISION_BF16] = CUBLAS_COMPUTE_32F,
		[PRECISION_FP8] = CUBLAS_COMPUTE_32F,
	};

	return types[p];
}

static void free_state(void *p)
{
	struct product_state *s = p;

	if (s->desc)
		cublasLtMatmulDescDestroy(s->desc);
	if (s->a)
		cublasLtMatrixLayoutDestroy(s->a);
	if (s->b)
		cublasLtMatrixLayoutDestroy(s->b);
	if (s->c)
		cublasLtMatrixLayoutDestroy(s->c);
	if (s->preference)
		cublasLtMatmulPreferenceDestroy(s->preference);
	memset(s, 0, sizeof *s);
}

static bool set(cublasLtMatmulDesc_t d, cublasLtMatmulDescAttributes_t attribute, const void *v,
		size_t size, struct bench_error *err)
{
	return blas_ok(cublasLtMatmulDescSetAttribute(d, attribute, v, size),
		       "cublasLtMatmulDescSetAttribute", err);
}

static bool set_layout(cublasLtMatrixLayout_t m, cublasLtMatrixLayoutAttribute_t attribute,
		       const void *v, size_t size, struct bench_error *err)
{
	return blas_ok(cublasLtMatrixLayoutSetAttribute(m, attribute, v, size),
		       "cublasLtMatrixLayoutSetAttribute", err);
}

/* A row-major matrix of rows x cols as cuBLAS sees it: cols x rows. */
static bool layout(cublasLtMatrixLayout_t *out, enum cuda_type t, long rows, long cols, long ld,
		   long batch, long stride, struct bench_error *err)
{
	int32_t count = (int32_t)batch;
	int64_t step = stride;

	if (!blas_ok(cublasLtMatrixLayoutCreate(out, cuda_data_type(t), (uint64_t)cols,
						(uint64_t)rows, ld),
		     "cublasLtMatrixLayoutCreate", err))
		return false;
	return batch == 1
	       || (set_layout(*out, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, &count, sizeof count, err)
		   && set_layout(*out, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, &step,
				 sizeof step, err));
}

/* One stride for the whole batch, where the two of it are one. */
static bool single_stride(const struct op_gemm *g, long stride, long inner, long *out)
{
	*out = g->inner > 1 ? inner : stride;
	return g->batch == 1 || g->inner <= 1 || g->batch == g->inner || stride == g->inner * inner;
}

static bool is_strided(const struct op_gemm *g, long stride[3])
{
	return single_stride(g, g->stride_a, g->inner_stride_a, &stride[0])
	       && single_stride(g, g->stride_b, g->inner_stride_b, &stride[1])
	       && single_stride(g, g->stride_c, g->inner_stride_c, &stride[2]);
}

static bool is_narrow(const struct loaded *l)
{
	return l->plan->precision == PRECISION_FP16 || l->plan->precision == PRECISION_BF16;
}

/* Whether this much can be fused at all. cuBLASLt's GELU is the form with tanh, off by 5e-4:
 * rounding of 16-bit results, but not of fp32. Its ReLU keeps bits, not what we keep. A bias of
 * another type than the result is not taken. */
static bool can_fuse(const struct loaded *l, const struct op *o, enum fused f)
{
	const struct op_gemm *g = &o->p.gemm;

	if (f == FUSED_NONE)
		return true;
	if (g->bias && cuda_type_of(l, o->in[2]) != cuda_type_of(l, o->out[0]))
		return false;
	if (f == FUSED_BIAS)
		return g->bias;
	if (g->activation == ACTIVATION_GELU)
		return is_narrow(l) && g->batch == 1 && (o->out[1] < 0 || g->ldc % 8 == 0);
	return g->activation == ACTIVATION_RELU && o->out[1] < 0;
}

static cublasLtEpilogue_t epilogue(const struct op *o, enum fused f)
{
	bool bias = o->p.gemm.bias, keep = o->out[1] >= 0;

	if (f == FUSED_NONE)
		return CUBLASLT_EPILOGUE_DEFAULT;
	if (f == FUSED_BIAS)
		return CUBLASLT_EPILOGUE_BIAS;
	if (o->p.gemm.activation == ACTIVATION_RELU)
		return bias ? CUBLASLT_EPILOGUE_RELU_BIAS : CUBLASLT_EPILOGUE_RELU;
	if (keep)
		return bias ? CUBLASLT_EPILOGUE_GELU_AUX_BIAS : CUBLASLT_EPILOGUE_GELU_AUX;
	return bias ? CUBLASLT_EPILOGUE_GELU_BIAS : CUBLASLT_EPILOGUE_GELU;
}

/* The pointers of one call that are part of the description. */
static bool set_pointers(struct loaded *l, const struct op *o, struct product_state *s,
			 const struct cuda_args *a, struct bench_error *err)
{
	const float *scale_a = l->tensors[o->in[1]].scale, *scale_b = l->tensors[o->in[0]].scale;
	int64_t ld = o->p.gemm.ldc;
	bool aux = s->fused == FUSED_ACTIVATION && o->p.gemm.activation == ACTIVATION_GELU
		   && o->out[1] >= 0;

	if (o->p.gemm.bias && s->fused != FUSED_NONE
	    && !set(s->desc, CUBLASLT_MATMUL_DESC_BIAS_POINTER, &a->in[2], sizeof a->in[2], err))
		return false;
	if (aux
	    && (!set(s->desc, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, &a->out[1],
		     sizeof a->out[1], err)
		|| !set(s->desc, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, &ld, sizeof ld, err)))
		return false;
	return !scale_a
	       || (set(s->desc, CUBLASLT_MATMUL_DESC_A_SCALE_POINTER, &scale_a, sizeof scale_a, err)
		   && set(s->desc, CUBLASLT_MATMUL_DESC_B_SCALE_POINTER, &scale_b, sizeof scale_b,
			  err));
}

static bool describe(struct loaded *l, const struct op *o, struct product_state *s,
		     const long stride[3], struct bench_error *err)
{
	const struct op_gemm *g = &o->p.gemm;
	cublasOperation_t first = g->trans_b ? CUBLAS_OP_T : CUBLAS_OP_N;
	cublasOperation_t second = g->trans_a ? CUBLAS_OP_T : CUBLAS_OP_N;
	cublasLtEpilogue_t e = epilogue(o, s->fused);
	size_t bytes = l->d->blas_workspace_bytes;
	enum cuda_type a = cuda_type_of(l, o->in[0]), b = cuda_type_of(l, o->in[1]),
		       c = cuda_type_of(l, o->out[0]);

	return blas_ok(cublasLtMatmulDescCreate(&s->desc, cuda_compute_type(l->plan->precision),
						CUDA_R_32F),
		       "cublasLtMatmulDescCreate", err)
	       && set(s->desc, CUBLASLT_MATMUL_DESC_TRANSA, &first, sizeof first, err)
	       && set(s->desc, CUBLASLT_MATMUL_DESC_TRANSB, &second, sizeof second, err)
	       && set(s->desc, CUBLASLT_MATMUL_DESC_EPILOGUE, &e, sizeof e, err)
	       && layout(&s->a, b, g->trans_b ? g->n : g->k, g->trans_b ? g->k : g->n, g->ldb,
			 g->batch, stride[1], err)
	       && layout(&s->b, a, g->trans_a ? g->k : g->m, g->trans_a ? g->m : g->k, g->lda,
			 g->batch, stride[0], err)
	       && layout(&s->c, c, g->m, g->n, g->ldc, g->batch, stride[2], err)
	       && blas_ok(cublasLtMatmulPreferenceCreate(&s->preference),
			  "cublasLtMatmulPreferenceCreate", err)
	       && blas_ok(cublasLtMatmulPreferenceSetAttribute(
			      s->preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &bytes,
			      sizeof bytes),
			  "cublasLtMatmulPreferenceSetAttribute", err);
}

static void *at(void *p, long offset, enum cuda_type t)
{
	return (char *)p + (size_t)offset * cuda_type_bytes(t);
}

/* Where the result goes before what is not fused is done: what the activation is taken of is kept.
 */
static bool matmul(struct loaded *l, const struct op *o, struct product_state *s,
		   const struct cuda_args *a, struct bench_error *err)
{
	const struct op_gemm *g = &o->p.gemm;
	float alpha = (float)g->alpha, beta = (float)g->beta;
	enum cuda_type tc = cuda_type_of(l, o->out[0]);
	bool keep =
	    s->fused != FUSED_ACTIVATION && g->activation != ACTIVATION_NONE && o->out[1] >= 0;
	void *c = at(keep ? a->out[1] : a->out[0], g->offset_c, tc);

	return set_pointers(l, o, s, a, err)
	       && blas_ok(cublasLtMatmul(l->d->lt, s->desc, &alpha,
					 at(a->in[1], g->offset_b, cuda_type_of(l, o->in[1])), s->a,
					 at(a->in[0], g->offset_a, cuda_type_of(l, o->in[0])), s->b,
					 &beta, c, s->c, c, s->c, &s->algo, l->d->blas_workspace,
					 l->d->blas_workspace_bytes, l->d->stream),
			  "cublasLtMatmul", err);
}

struct
try {
	struct loaded *l;
	const struct op *o;
	struct product_state *s;
	struct cuda_args args;
};

static bool try_matmul(void *ctx, struct bench_error *err)
{
	struct try *t = ctx;

	return matmul(t->l, t->o, t->s, &t->args, err);
}

/* The fastest of the first candidates; one that fails is passed over, except that the card is lost
 * or full. */
static bool choose(struct loaded *l, int op, struct product_state *s, struct bench_error *err)
{
	cublasLtMatmulHeuristicResult_t list[HEURISTICS];
	struct try t = { l, &l->plan->ops[op], s, cuda_args_of(l, &l->plan->ops[op]) };
	double best = INFINITY, seconds;
	int n = 0, chosen = -1;

	if (!blas_ok(cublasLtMatmulAlgoGetHeuristic(l->d->lt, s->desc, s->a, s->b, s->c, s->c,
						    s->preference, HEURISTICS, list, &n),
		     "cublasLtMatmulAlgoGetHeuristic", err))
		return false;
	for (int i = 0; i < n; i++) {
		if (list[i].state != CUBLAS_STATUS_SUCCESS)
			continue;
		s->algo = list[i].algo;
		if (!cuda_time_try(l, try_matmul, &t, &seconds, err)) {
			if (err->code == BENCH_LOST)
				return false;
			continue;
		}
		if (seconds < best) {
			best = seconds;
			chosen = i;
		}
	}
	if (chosen < 0)
		return bench_fail(err, BENCH_UNSUPPORTED,
				  "cublasLtMatmul: none of %d candidates runs", n);
	s->algo = list[chosen].algo;
	snprintf(l->ops[op].detail, sizeof l->ops[op].detail, "cublasLt candidate %d of %d, %s",
		 chosen + 1, n, fused_names[s->fused]);
	return true;
}

/* What stays for our own kernels, if anything. */
static bool needs_kernels(const struct op *o, enum fused f)
{
	return (o->p.gemm.bias && f == FUSED_NONE)
	       || (o->p.gemm.activation != ACTIVATION_NONE && f != FUSED_ACTIVATION);
}

static bool prepare_strided(struct loaded *l, int op, struct product_state *s, const long stride[3],
			    struct bench_error *err)
{
	const struct op *o = &l->plan->ops[op];
	struct cuda_args args = cuda_args_of(l, o);

	bench_fail(err, BENCH_UNSUPPORTED, "no form of the product");
	for (int f = 0; f < FUSED_KINDS; f++) {
		if (!can_fuse(l, o, (enum fused)f))
			continue;
		free_state(s);
		s->fused = (enum fused)f;
		if (needs_kernels(o, s->fused) && !kernels_want(l->d, l->plan->precision, err))
			return false;
		/* pointers take part in the choice: their alignment */
		if (describe(l, o, s, stride, err) && set_pointers(l, o, s, &args, err)
		    && choose(l, op, s, err))
			return true;
		if (err->code != BENCH_UNSUPPORTED && err->code != BENCH_FAILED)
			return false;
	}
	return false;
}

static size_t element_of(const struct loaded *l, int tensor)
{
	return cuda_type_bytes(cuda_type_of(l, tensor));
}

static bool prepare_batch(struct loaded *l, int op, struct product_state *s,
			  struct bench_error *err)
{
	const struct op *o = &l->plan->ops[op];
	const struct op_gemm *g = &o->p.gemm;
	struct cuda_args a = cuda_args_of(l, o);
	struct cuda_lies lies[3] = {
		{ a.in[1], element_of(l, o->in[1]), g->offset_b, g->stride_b, g->inner_stride_b },
		{ a.in[0], element_of(l, o->in[0]), g->offset_a, g->stride_a, g->inner_stride_a },
		{ a.out[0], element_of(l, o->out[0]), g->offset_c, g->stride_c, g->inner_stride_c },
	};

	if (g->bias || g->activation != ACTIVATION_NONE)
		return bench_fail(err, BENCH_UNSUPPORTED,
				  "a batch of addresses with a bias or an activation");
	s->batch = (struct cuda_batch){ g->m,
					g->n,
					g->k,
					g->lda,
					g->ldb,
					g->ldc,
					g->batch,
					g->trans_a,
					g->trans_b,
					(float)g->alpha,
					(float)g->beta,
					cuda_type_of(l, o->in[0]),
					cuda_type_of(l, o->out[0]) };
	snprintf(l->ops[op].detail, sizeof l->ops[op].detail, "cublasGemmBatchedEx");
	return cuda_batch_addresses(l, lies, g->batch / g->inner, g->inner, &s->addresses, err);
}

bool cuda_gemm_prepare(struct loaded *l, int op, struct bench_error *err)
{
	const struct op *o = &l->plan->ops[op];
	int same = cuda_same_before(l, op);
	struct product_state *s = arena_alloc(&l->arena, sizeof *s);
	long stride[3];
	bool strided = is_strided(&o->p.gemm, stride);

	if (strided && same >= 0) { /* whether an activation is kept is part of op_same() */
		l->ops[op].state = l->ops[same].state;
		memcpy(l->ops[op].detail, l->ops[same].detail, sizeof l->ops[op].detail);
		return true;
	}
	l->ops[op].state = s;
	cuda_defer(l, free_state, s);
	return strided ? prepare_strided(l, op, s, stride, err) : prepare_batch(l, op, s, err);
}

/* Bias and activation where they are not fused. */
static bool finish(struct loaded *l, const struct op *o, const struct product_state *s,
		   const struct cuda_args *a, struct bench_error *err)
{
	const struct op_gemm *g = &o->p.gemm;
	enum cuda_type tc = cuda_type_of(l, o->out[0]);
	bool acts = g->activation != ACTIVATION_NONE && s->fused != FUSED_ACTIVATION;
	void *pre = at(acts && o->out[1] >= 0 ? a->out[1] : a->out[0], g->offset_c, tc);

	if (g->bias && s->fused == FUSED_NONE
	    && !kernel_add_row(l, pre, tc == CUDA_TYPE_F32, a->in[2],
			       cuda_type_of(l, o->in[2]) == CUDA_TYPE_F32, g->m, g->n, g->ldc, err))
		return false;
	return !acts
	       || kernel_activation(l, pre, at(a->out[0], g->offset_c, tc), g->m * g->ldc,
				    (int)g->activation, err);
}

bool cuda_gemm_run(struct loaded *l, int op, const struct cuda_args *a, struct bench_error *err)
{
	const struct op *o = &l->plan->ops[op];
	struct product_state *s = l->ops[op].state;

	if (!s->addresses)
		return matmul(l, o, s, a, err) && finish(l, o, s, a, err);
	if (a->out[0] != l->tensors[o->out[0]].p)
		return bench_fail(err, BENCH_UNSUPPORTED,
				  "a batch of addresses has no other buffers");
	return cuda_batch_run(l, &s->batch, s->addresses, err);
}

bool cuda_batch_addresses(struct loaded *l, const struct cuda_lies lies[3], long outer, long inner,
			  void ***out, struct bench_error *err)
{
	size_t n = (size_t)(outer * inner), bytes = 3 * n * sizeof(void *);
	void **list = arena_array(&l->arena, 3 * n, sizeof *list), *card;

	for (size_t k = 0; k < 3; k++)
		for (long i = 0; i < outer * inner; i++)
			list[k * n + (size_t)i] =
			    (char *)lies[k].base
			    + (size_t)(lies[k].offset + i / inner * lies[k].outer
				       + i % inner * lies[k].inner)
				  * lies[k].element;
	if (!cuda_alloc(l, bytes, &card, err)
	    || !cuda_copy(l, card, list, bytes, cudaMemcpyHostToDevice, err))
		return false;
	*out = card;
	return true;
}

bool cuda_batch_run(struct loaded *l, const struct cuda_batch *b, void **addresses,
		    struct bench_error *err)
{
	cudaDataType_t ab = cuda_data_type(b->ab), c = cuda_data_type(b->c);

	return blas_ok(cublasGemmBatchedEx(
			   l->d->blas, b->trans_b ? CUBLAS_OP_T : CUBLAS_OP_N,
			   b->trans_a ? CUBLAS_OP_T : CUBLAS_OP_N, (int)b->n, (int)b->m, (int)b->k,
			   &b->alpha, (const void *const *)addresses, ab, (int)b->ldb,
			   (const void *const *)(addresses + b->count), ab, (int)b->lda, &b->beta,
			   addresses + 2 * b->count, c, (int)b->ldc, (int)b->count,
			   cuda_compute_type(l->plan->precision), CUBLAS_GEMM_DEFAULT),
		       "cublasGemmBatchedEx", err);
}
