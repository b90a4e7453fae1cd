/* cuBLAS and cuBLASLt of the stand-in: column-major products in double precision, as their manuals
 * define them. */
#include "standin.h"

#include "../../../collect/bench/cuda_device.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define API __attribute__((visibility("default")))

static enum cuda_type type_of(int data)
{
	for (int t = 0; t < CUDA_TYPES; t++)
		if ((int)cuda_data_type((enum cuda_type)t) == data)
			return (enum cuda_type)t;
	return CUDA_TYPE_F32;
}

double standin_get(int data, const void *p, long i)
{
	enum cuda_type t = type_of(data);

	return cuda_decode(t, (const char *)p + (size_t)i * cuda_type_bytes(t));
}

void standin_put(int data, void *p, long i, double v)
{
	enum cuda_type t = type_of(data);

	cuda_encode(t, v, (char *)p + (size_t)i * cuda_type_bytes(t));
}

static cublasStatus_t status(const char *name)
{
	return (cublasStatus_t)standin_status(name);
}

API cublasStatus_t cublasCreate_v2(cublasHandle_t *h)
{
	cublasStatus_t s = status("cublasCreate");

	if (!s)
		*h = standin_make(1);
	return s;
}

API cublasStatus_t cublasDestroy_v2(cublasHandle_t h)
{
	standin_free(h);
	return CUBLAS_STATUS_SUCCESS;
}

API cublasStatus_t cublasSetStream_v2(cublasHandle_t h, cudaStream_t t)
{
	(void)h;
	(void)t;
	return status("cublasSetStream");
}

API cublasStatus_t cublasSetWorkspace_v2(cublasHandle_t h, void *p, size_t n)
{
	(void)h;
	return p && n >= 4 << 20 ? status("cublasSetWorkspace") : CUBLAS_STATUS_INVALID_VALUE;
}

API cublasStatus_t cublasGetProperty(libraryPropertyType t, int *v)
{
	*v = t == MAJOR_VERSION ? 13 : 1;
	return CUBLAS_STATUS_SUCCESS;
}

API const char *cublasGetStatusName(cublasStatus_t s)
{
	return s == CUBLAS_STATUS_EXECUTION_FAILED ? "CUBLAS_STATUS_EXECUTION_FAILED"
						   : "CUBLAS_STATUS_OTHER";
}

API const char *cublasGetStatusString(cublasStatus_t s)
{
	(void)s;
	return "words of the stand-in";
}

API cublasStatus_t cublasLtCreate(cublasLtHandle_t *h)
{
	cublasStatus_t s = status("cublasLtCreate");

	if (!s)
		*h = standin_make(1);
	return s;
}

API cublasStatus_t cublasLtDestroy(cublasLtHandle_t h)
{
	standin_free(h);
	return CUBLAS_STATUS_SUCCESS;
}

/* What the caller has set. */
struct desc {
	cublasComputeType_t compute;
	cublasOperation_t a, b;
	cublasLtEpilogue_t epilogue;
	const void *bias;
	void *aux;
	int64_t aux_ld;
	const float *scale_a, *scale_b;
};

struct matrix {
	cudaDataType_t type;
	uint64_t rows, cols;
	int64_t ld, stride;
	int32_t batch;
};

API cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t *out, cublasComputeType_t c,
					    cudaDataType_t scale)
{
	struct desc *d = standin_make(sizeof *d);

	d->compute = c;
	d->epilogue = CUBLASLT_EPILOGUE_DEFAULT;
	*out = (cublasLtMatmulDesc_t)(void *)d;
	return scale == CUDA_R_32F ? status("cublasLtMatmulDescCreate")
				   : CUBLAS_STATUS_INVALID_VALUE;
}

API cublasStatus_t cublasLtMatmulDescDestroy(cublasLtMatmulDesc_t d)
{
	standin_free(d);
	return CUBLAS_STATUS_SUCCESS;
}

API cublasStatus_t cublasLtMatmulDescSetAttribute(cublasLtMatmulDesc_t p,
						  cublasLtMatmulDescAttributes_t a, const void *v,
						  size_t n)
{
	struct desc *d = (struct desc *)(void *)p;
	const struct {
		cublasLtMatmulDescAttributes_t name;
		void *at;
		size_t size;
	} attributes[] = {
		{ CUBLASLT_MATMUL_DESC_TRANSA, &d->a, sizeof d->a },
		{ CUBLASLT_MATMUL_DESC_TRANSB, &d->b, sizeof d->b },
		{ CUBLASLT_MATMUL_DESC_EPILOGUE, &d->epilogue, sizeof d->epilogue },
		{ CUBLASLT_MATMUL_DESC_BIAS_POINTER, &d->bias, sizeof d->bias },
		{ CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, &d->aux, sizeof d->aux },
		{ CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, &d->aux_ld, sizeof d->aux_ld },
		{ CUBLASLT_MATMUL_DESC_A_SCALE_POINTER, &d->scale_a, sizeof d->scale_a },
		{ CUBLASLT_MATMUL_DESC_B_SCALE_POINTER, &d->scale_b, sizeof d->scale_b },
	};

	for (size_t i = 0; i < LEN(attributes); i++)
		if (attributes[i].name == a && attributes[i].size == n) {
			memcpy(attributes[i].at, v, n);
			return status("cublasLtMatmulDescSetAttribute");
		}
	return CUBLAS_STATUS_INVALID_VALUE;
}

API cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t *out, cudaDataType t,
					      uint64_t rows, uint64_t cols, int64_t ld)
{
	struct matrix *m = standin_make(sizeof *m);

	*m = (struct matrix){ t, rows, cols, ld, 0, 1 };
	*out = (cublasLtMatrixLayout_t)(void *)m;
	return ld >= (int64_t)rows ? status("cublasLtMatrixLayoutCreate")
				   : CUBLAS_STATUS_INVALID_VALUE;
}

API cublasStatus_t cublasLtMatrixLayoutDestroy(cublasLtMatrixLayout_t m)
{
	standin_free(m);
	return CUBLAS_STATUS_SUCCESS;
}

API cublasStatus_t cublasLtMatrixLayoutSetAttribute(cublasLtMatrixLayout_t p,
						    cublasLtMatrixLayoutAttribute_t a,
						    const void *v, size_t n)
{
	struct matrix *m = (struct matrix *)(void *)p;

	if (a == CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT && n == sizeof m->batch)
		memcpy(&m->batch, v, n);
	else if (a == CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET && n == sizeof m->stride)
		memcpy(&m->stride, v, n);
	else
		return CUBLAS_STATUS_INVALID_VALUE;
	return status("cublasLtMatrixLayoutSetAttribute");
}

API cublasStatus_t cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t *p)
{
	*p = standin_make(1);
	return status("cublasLtMatmulPreferenceCreate");
}

API cublasStatus_t cublasLtMatmulPreferenceDestroy(cublasLtMatmulPreference_t p)
{
	standin_free(p);
	return CUBLAS_STATUS_SUCCESS;
}

API cublasStatus_t cublasLtMatmulPreferenceSetAttribute(cublasLtMatmulPreference_t p,
							cublasLtMatmulPreferenceAttributes_t a,
							const void *v, size_t n)
{
	(void)p, (void)v;
	return a == CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES && n == sizeof(size_t)
		   ? CUBLAS_STATUS_SUCCESS
		   : CUBLAS_STATUS_INVALID_VALUE;
}

static bool keeps(cublasLtEpilogue_t e)
{
	return e == CUBLASLT_EPILOGUE_GELU_AUX || e == CUBLASLT_EPILOGUE_GELU_AUX_BIAS;
}

/* Rules of the manual that a mistake would break: fp8 in TN alone, what is kept in rows of 8. */
static bool is_allowed(const struct desc *d, const struct matrix *a)
{
	if (a->type == CUDA_R_8F_E4M3)
		return d->a == CUBLAS_OP_T && d->b == CUBLAS_OP_N && d->scale_a && d->scale_b;
	return !keeps(d->epilogue) || d->aux_ld % 8 == 0;
}

API cublasStatus_t cublasLtMatmulAlgoGetHeuristic(
    cublasLtHandle_t h, cublasLtMatmulDesc_t p, cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,
    cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t dd, cublasLtMatmulPreference_t f, int most,
    cublasLtMatmulHeuristicResult_t list[], int *n)
{
	const struct desc *d = (const struct desc *)(const void *)p;
	cublasStatus_t s = status("cublasLtMatmulAlgoGetHeuristic");

	(void)h, (void)b, (void)c, (void)dd, (void)f;
	if (s)
		return s;
	if (!is_allowed(d, (const struct matrix *)(const void *)a)
	    || (d->epilogue != CUBLASLT_EPILOGUE_DEFAULT && standin_number("epilogue", 0)))
		return CUBLAS_STATUS_NOT_SUPPORTED;
	*n = most < 2 ? most : 2;
	memset(list, 0, sizeof *list * (size_t)*n);
	for (int i = 0; i < *n; i++)
		list[i].algo.data[0] = (uint64_t)i + 1;
	return s;
}

static double gelu_tanh(double x)
{
	return 0.5 * x * (1 + tanh(sqrt(2 / acos(-1)) * (x + 0.044715 * x * x * x)));
}

static double finish(const struct desc *d, const struct matrix *c, double v, long row, long col)
{
	cublasLtEpilogue_t e = d->epilogue;

	if (e & CUBLASLT_EPILOGUE_BIAS)
		v += standin_get((int)c->type, d->bias, row);
	if (keeps(e))
		standin_put((int)c->type, d->aux, col * d->aux_ld + row, v);
	if (e & CUBLASLT_EPILOGUE_RELU)
		v = v > 0 ? v : 0;
	if (e & CUBLASLT_EPILOGUE_GELU)
		v = gelu_tanh(v);
	return v;
}

struct operands {
	const void *a, *b, *c;
	void *d;
};

/* op(m) as rows of k numbers: rows of the first operand, columns of the second. */
static double *rows_of(cublasOperation_t op, bool columns, const struct matrix *m, const void *p,
		       long from, long *k)
{
	bool swap = (op == CUBLAS_OP_T) != columns;
	long rows = (long)(swap ? m->cols : m->rows), cols = (long)(swap ? m->rows : m->cols);
	double *v = malloc(sizeof *v * (size_t)(rows * cols));

	for (long r = 0; r < rows; r++)
		for (long c = 0; c < cols; c++)
			v[r * cols + c] = standin_get(
			    (int)m->type, p, from + (swap ? r * m->ld + c : c * m->ld + r));
	*k = cols;
	return v;
}

static void product(const struct desc *d, const struct matrix *a, const struct matrix *b,
		    const struct matrix *c, float alpha, float beta, struct operands p, long i)
{
	long k, kb;
	double *va = rows_of(d->a, false, a, p.a, i * a->stride, &k),
	       *vb = rows_of(d->b, true, b, p.b, i * b->stride, &kb);
	double scale =
	    (d->scale_a ? (double)*d->scale_a : 1) * (d->scale_b ? (double)*d->scale_b : 1);

	if (k != kb)
		abort();
	for (long col = 0; col < (long)c->cols; col++)
		for (long row = 0; row < (long)c->rows; row++) {
			double sum = 0;
			for (long q = 0; q < k; q++)
				sum += va[row * k + q] * vb[col * k + q];
			long at = i * c->stride + col * c->ld + row;
			double v = (double)alpha * scale * sum;
			if (beta != 0)
				v += (double)beta * standin_get((int)c->type, p.c, at);
			standin_put((int)c->type, p.d, at,
				    standin_spoil(finish(d, c, v, row, col)));
		}
	free(va);
	free(vb);
}

API cublasStatus_t cublasLtMatmul(cublasLtHandle_t h, cublasLtMatmulDesc_t p, const void *alpha,
				  const void *a, cublasLtMatrixLayout_t la, const void *b,
				  cublasLtMatrixLayout_t lb, const void *beta, const void *c,
				  cublasLtMatrixLayout_t lc, void *d, cublasLtMatrixLayout_t ld,
				  const cublasLtMatmulAlgo_t *algo, void *workspace, size_t bytes,
				  cudaStream_t t)
{
	const struct matrix *mc = (const struct matrix *)(const void *)lc;
	cublasStatus_t s = status("cublasLtMatmul");

	(void)h, (void)ld, (void)workspace, (void)bytes, (void)t;
	if (cudaPeekAtLastError() == cudaErrorIllegalAddress)
		return CUBLAS_STATUS_EXECUTION_FAILED;
	if (s || !algo || algo->data[0] == 0)
		return s ? s : CUBLAS_STATUS_INVALID_VALUE;
	for (long i = 0; i < mc->batch; i++)
		product((const struct desc *)(const void *)p,
			(const struct matrix *)(const void *)la,
			(const struct matrix *)(const void *)lb, mc, *(const float *)alpha,
			*(const float *)beta, (struct operands){ a, b, c, d }, i);
	return s;
}

API cublasStatus_t cublasGemmBatchedEx(cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb,
				       int m, int n, int k, const void *alpha,
				       const void *const a[], cudaDataType at, int lda,
				       const void *const b[], cudaDataType bt, int ldb,
				       const void *beta, void *const c[], cudaDataType ct, int ldc,
				       int count, cublasComputeType_t compute,
				       cublasGemmAlgo_t algo)
{
	struct desc d = {
		.compute = compute, .a = ta, .b = tb, .epilogue = CUBLASLT_EPILOGUE_DEFAULT
	};
	struct matrix ma = { at,
			     (uint64_t)(ta == CUBLAS_OP_N ? m : k),
			     (uint64_t)(ta == CUBLAS_OP_N ? k : m),
			     lda,
			     0,
			     1 };
	struct matrix mb = { bt,
			     (uint64_t)(tb == CUBLAS_OP_N ? k : n),
			     (uint64_t)(tb == CUBLAS_OP_N ? n : k),
			     ldb,
			     0,
			     1 };
	struct matrix mc = { ct, (uint64_t)m, (uint64_t)n, ldc, 0, 1 };
	cublasStatus_t s = status("cublasGemmBatchedEx");

	(void)h, (void)algo;
	for (int i = 0; i < count && !s; i++)
		product(&d, &ma, &mb, &mc, *(const float *)alpha, *(const float *)beta,
			(struct operands){ a[i], b[i], c[i], c[i] }, 0);
	return s;
}
