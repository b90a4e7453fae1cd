/* cuDNN's recurrent layers in the stand-in. Weights are packed in an order of its own, with gaps:
 * biases first, gates backwards, so that a backend that took the logical order for granted would
 * fail. */
#include "standin.h"

#include "../../../collect/bench/reference.h"

#include <cudnn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define API __attribute__((visibility("default")))

enum { GAP = 16, GATES = 8, MAGIC = 4711 };

struct rnn {
	long input, hidden;
	cudnnDataType_t type;
};
struct data {
	long steps, batch, width;
};
struct reserve {
	int magic;
	const void *x, *w, *dy;
};

static cudnnStatus_t status(const char *name)
{
	return (cudnnStatus_t)standin_status(name);
}

#define OBJECT(name, type)                                                                         \
	API cudnnStatus_t cudnnCreate##name(type *out)                                             \
	{                                                                                          \
		cudnnStatus_t s = status("cudnnCreate" #name);                                     \
		if (!s)                                                                            \
			*out = standin_make(sizeof(struct rnn));                                   \
		return s;                                                                          \
	}                                                                                          \
	API cudnnStatus_t cudnnDestroy##name(type d)                                               \
	{                                                                                          \
		standin_free(d);                                                                   \
		return CUDNN_STATUS_SUCCESS;                                                       \
	}
OBJECT(RNNDescriptor, cudnnRNNDescriptor_t)
OBJECT(RNNDataDescriptor, cudnnRNNDataDescriptor_t)
OBJECT(DropoutDescriptor, cudnnDropoutDescriptor_t)
OBJECT(TensorDescriptor, cudnnTensorDescriptor_t)

API cudnnStatus_t cudnnSetDropoutDescriptor(cudnnDropoutDescriptor_t d, cudnnHandle_t h, float p,
					    void *states, size_t n, unsigned long long seed)
{
	(void)d, (void)h, (void)states, (void)n, (void)seed;
	return p == 0 ? status("cudnnSetDropoutDescriptor") : CUDNN_STATUS_BAD_PARAM;
}

API cudnnStatus_t cudnnSetTensorNdDescriptor(cudnnTensorDescriptor_t d, cudnnDataType_t t, int n,
					     const int dim[], const int stride[])
{
	(void)d, (void)t, (void)dim, (void)stride;
	return n == 3 ? status("cudnnSetTensorNdDescriptor") : CUDNN_STATUS_BAD_PARAM;
}

API cudnnStatus_t cudnnSetRNNDescriptor_v8(cudnnRNNDescriptor_t p, cudnnRNNAlgo_t algo,
					   cudnnRNNMode_t cell, cudnnRNNBiasMode_t bias,
					   cudnnDirectionMode_t direction,
					   cudnnRNNInputMode_t input, cudnnDataType_t type,
					   cudnnDataType_t math, cudnnMathType_t how, int32_t in,
					   int32_t hidden, int32_t projection, int32_t layers,
					   cudnnDropoutDescriptor_t dropout, uint32_t flags)
{
	(void)algo, (void)input, (void)how, (void)dropout, (void)flags;
	if (cell != CUDNN_LSTM || bias != CUDNN_RNN_DOUBLE_BIAS || direction != CUDNN_BIDIRECTIONAL
	    || projection != hidden || layers != 1 || math != CUDNN_DATA_FLOAT)
		return CUDNN_STATUS_BAD_PARAM;
	*(struct rnn *)(void *)p = (struct rnn){ in, hidden, type };
	return status("cudnnSetRNNDescriptor_v8");
}

API cudnnStatus_t cudnnSetRNNDataDescriptor(cudnnRNNDataDescriptor_t p, cudnnDataType_t t,
					    cudnnRNNDataLayout_t layout, int steps, int batch,
					    int width, const int lengths[], void *fill)
{
	(void)t, (void)fill;
	if (layout != CUDNN_RNN_DATA_LAYOUT_SEQ_MAJOR_PACKED || lengths[batch - 1] != steps)
		return CUDNN_STATUS_BAD_PARAM;
	*(struct data *)(void *)p = (struct data){ steps, batch, width };
	return status("cudnnSetRNNDataDescriptor");
}

static int data_type(const struct rnn *r)
{
	return r->type == CUDNN_DATA_HALF       ? CUDA_R_16F
	       : r->type == CUDNN_DATA_BFLOAT16 ? CUDA_R_16BF
						: CUDA_R_32F;
}

static size_t element(const struct rnn *r)
{
	return r->type == CUDNN_DATA_FLOAT ? 4 : 2;
}

/* Elements of one direction, and where its matrix or bias of a gate lies. */
static long direction_size(const struct rnn *r)
{
	return 4 * r->hidden * (r->input + r->hidden) + 8 * r->hidden + GAP;
}

static long bias_at(const struct rnn *r, int direction, int gate)
{
	return direction * direction_size(r) + (GATES - 1 - gate) * r->hidden;
}

static long matrix_at(const struct rnn *r, int direction, int gate)
{
	long at = direction * direction_size(r) + GATES * r->hidden + GAP;

	for (int g = GATES - 1; g > gate; g--)
		at += r->hidden * (g < 4 ? r->input : r->hidden);
	return at;
}

API cudnnStatus_t cudnnGetRNNWeightSpaceSize(cudnnHandle_t h, cudnnRNNDescriptor_t p, size_t *n)
{
	const struct rnn *r = (const struct rnn *)(const void *)p;

	(void)h;
	*n = 2 * (size_t)direction_size(r) * element(r);
	return status("cudnnGetRNNWeightSpaceSize");
}

API cudnnStatus_t cudnnGetRNNWeightParams(cudnnHandle_t h, cudnnRNNDescriptor_t p, int32_t layer,
					  size_t n, const void *space, int32_t gate,
					  cudnnTensorDescriptor_t m, void **matrix,
					  cudnnTensorDescriptor_t b, void **bias)
{
	const struct rnn *r = (const struct rnn *)(const void *)p;
	char *base = (char *)(size_t)space;

	(void)h, (void)n, (void)m, (void)b;
	*matrix = base + (size_t)matrix_at(r, layer, gate) * element(r);
	*bias = base + (size_t)bias_at(r, layer, gate) * element(r);
	return status("cudnnGetRNNWeightParams");
}

API cudnnStatus_t cudnnGetRNNTempSpaceSizes(cudnnHandle_t h, cudnnRNNDescriptor_t p,
					    cudnnForwardMode_t mode, cudnnRNNDataDescriptor_t x,
					    size_t *workspace, size_t *reserve)
{
	(void)h, (void)p, (void)mode, (void)x;
	*workspace = 100;
	*reserve = sizeof(struct reserve);
	return status("cudnnGetRNNTempSpaceSizes");
}

/* Copies between the packed order of the plan (logical) and that of the space. */
static void exchange(const struct rnn *r, void *space, double *logical, bool to_space)
{
	long h = r->hidden, size = 4 * h * (r->input + h) + 8 * h;

	for (int d = 0; d < 2; d++)
		for (int g = 0; g < GATES; g++) {
			long cols = g < 4 ? r->input : h, n = h * cols;
			double *m =
			    logical + d * size + (g < 4 ? g * n : 4 * h * r->input + (g - 4) * n);
			double *b = logical + d * size + 4 * h * (r->input + h) + g * h;
			for (long i = 0; i < n + h; i++) {
				double *v = i < n ? m + i : b + i - n;
				long at = i < n ? matrix_at(r, d, g) + i : bias_at(r, d, g) + i - n;
				if (to_space)
					standin_put(data_type(r), space, at,
						    standin_get(data_type(r), space, at) + *v);
				else
					*v = standin_get(data_type(r), space, at);
			}
		}
}

static double *numbers(const struct rnn *r, const void *p, long n)
{
	double *v = calloc((size_t)n, sizeof *v);

	for (long i = 0; p && i < n; i++)
		v[i] = standin_get(data_type(r), p, i);
	return v;
}

/* One pass by the reference: kind, what it reads and writes. */
static void run(const struct rnn *r, const struct data *x, enum op_kind kind, double *const in[4],
		double *const out[2], bool weights)
{
	struct op o = op_make(kind, STR("lstm"));
	struct plan plan = { .ops = &o, .nops = 1 };
	struct reference ref = { .plan = &plan, .op = &o, .devices = 1 };

	o.p.lstm = (struct op_lstm){ x->steps, x->batch, r->input, r->hidden };
	for (int i = 0; i < 4; i++)
		ref.in[i] = in[i];
	ref.out[0] = out[0];
	ref.out[1] = out[1];
	for (long u = weights ? x->batch : 0; u < (weights ? x->batch + 1 : x->batch); u++)
		reference_unit(&ref, u);
}

static long weight_count(const struct rnn *r)
{
	return 2 * (4 * r->hidden * (r->input + r->hidden) + 8 * r->hidden);
}

API cudnnStatus_t cudnnRNNForward(cudnnHandle_t h, cudnnRNNDescriptor_t p, cudnnForwardMode_t mode,
				  const int32_t lengths[], cudnnRNNDataDescriptor_t xd,
				  const void *x, cudnnRNNDataDescriptor_t yd, void *y,
				  cudnnTensorDescriptor_t hd, const void *hx, void *hy,
				  cudnnTensorDescriptor_t cd, const void *cx, void *cy, size_t nw,
				  const void *w, size_t nwork, void *work, size_t nreserve,
				  void *reserve)
{
	const struct rnn *r = (const struct rnn *)(const void *)p;
	const struct data *d = (const struct data *)(const void *)xd;
	long rows = d->steps * d->batch, n = rows * 2 * r->hidden;
	cudnnStatus_t s = status("cudnnRNNForward");

	(void)h, (void)yd, (void)hd, (void)hx, (void)hy, (void)cd, (void)cx, (void)cy, (void)nw,
	    (void)nreserve;
	if (s)
		return s;
	if (mode != CUDNN_FWD_MODE_TRAINING || lengths[0] != d->steps || nwork < 100 || !work)
		return CUDNN_STATUS_BAD_PARAM;
	double *vx = numbers(r, x, rows * d->width),
	       *vw = calloc((size_t)weight_count(r), sizeof *vw), *vy = numbers(r, NULL, n);
	exchange(r, (void *)(size_t)w, vw, false);
	run(r, d, OP_LSTM, (double *const[4]){ vx, vw }, (double *const[2]){ vy }, false);
	for (long i = 0; i < n; i++)
		standin_put(data_type(r), y, i, standin_spoil(vy[i]));
	*(struct reserve *)reserve = (struct reserve){ MAGIC, x, w, NULL };
	free(vx);
	free(vw);
	free(vy);
	return s;
}

/* x and w of the forward pass stand in the reserve, as gates do in the real one; dy is left there
 * for the weights. */
static void backward(const struct rnn *r, const struct data *d, const struct reserve *k,
		     const void *x, const void *y, void *dx, void *dw)
{
	long rows = d->steps * d->batch, n = rows * 2 * r->hidden;
	double *vdy = numbers(r, k->dy, n), *vx = numbers(r, x, rows * d->width),
	       *vy = numbers(r, y, n);
	double *vw = calloc((size_t)weight_count(r), sizeof *vw),
	       *vdw = calloc((size_t)weight_count(r), sizeof *vdw);
	double *vdx = numbers(r, NULL, rows * d->width);

	exchange(r, (void *)(size_t)k->w, vw, false);
	run(r, d, OP_LSTM_BWD, (double *const[4]){ vdy, vx, vy, vw },
	    (double *const[2]){ vdx, vdw }, dw != NULL);
	for (long i = 0; dx && i < rows * d->width; i++)
		standin_put(data_type(r), dx, i, vdx[i]);
	if (dw)
		exchange(r, dw, vdw, true);
	free(vdy);
	free(vx);
	free(vy);
	free(vw);
	free(vdw);
	free(vdx);
}

API cudnnStatus_t cudnnRNNBackwardData_v8(
    cudnnHandle_t h, cudnnRNNDescriptor_t p, const int32_t lengths[], cudnnRNNDataDescriptor_t yd,
    const void *y, const void *dy, cudnnRNNDataDescriptor_t xd, void *dx,
    cudnnTensorDescriptor_t hd, const void *hx, const void *dhy, void *dhx,
    cudnnTensorDescriptor_t cd, const void *cx, const void *dcy, void *dcx, size_t nw,
    const void *w, size_t nwork, void *work, size_t nreserve, void *reserve)
{
	struct reserve *k = reserve;
	cudnnStatus_t s = status("cudnnRNNBackwardData_v8");

	(void)h, (void)lengths, (void)yd, (void)hd, (void)hx, (void)dhy, (void)dhx, (void)cd;
	(void)cx, (void)dcy, (void)dcx, (void)nw, (void)nwork, (void)work, (void)nreserve;
	if (s)
		return s;
	if (k->magic != MAGIC || !dx || w != k->w)
		return CUDNN_STATUS_BAD_PARAM;
	k->dy = dy;
	backward((const struct rnn *)(const void *)p, (const struct data *)(const void *)xd, k,
		 k->x, y, dx, NULL);
	return s;
}

API cudnnStatus_t cudnnRNNBackwardWeights_v8(cudnnHandle_t h, cudnnRNNDescriptor_t p,
					     cudnnWgradMode_t mode, const int32_t lengths[],
					     cudnnRNNDataDescriptor_t xd, const void *x,
					     cudnnTensorDescriptor_t hd, const void *hx,
					     cudnnRNNDataDescriptor_t yd, const void *y, size_t nw,
					     void *dw, size_t nwork, void *work, size_t nreserve,
					     void *reserve)
{
	struct reserve *k = reserve;
	cudnnStatus_t s = status("cudnnRNNBackwardWeights_v8");

	(void)h, (void)lengths, (void)hd, (void)hx, (void)yd, (void)nw, (void)nwork, (void)work,
	    (void)nreserve;
	if (s)
		return s;
	if (mode != CUDNN_WGRAD_MODE_ADD || k->magic != MAGIC || !k->dy)
		return CUDNN_STATUS_BAD_PARAM;
	backward((const struct rnn *)(const void *)p, (const struct data *)(const void *)xd, k, x,
		 y, NULL, dw);
	k->dy = NULL;
	return s;
}
