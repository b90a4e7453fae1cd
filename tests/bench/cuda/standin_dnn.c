/* cuDNN's graphs in the stand-in: descriptors keep what is set; a plan runs its operations one
 * after another on values in logical order, in double precision. Convolutions are the reference's.
 */
#include "standin.h"

#include "../../../collect/bench/reference.h"

#include <cudnn.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define API __attribute__((visibility("default")))

enum { ATTRIBUTES_MAX = 16, CONFIGS = 3, TENSORS_MAX = 64, BYTES_MAX = 512 };

struct attribute {
	cudnnBackendAttributeName_t name;
	int64_t count;
	size_t bytes;
	char v[BYTES_MAX];
};

struct descriptor {
	cudnnBackendDescriptorType_t type;
	bool final;
	int n;
	struct attribute attributes[ATTRIBUTES_MAX];
	int64_t engine; /* of configurations and engines */
	struct descriptor *graph;
};

static cudnnStatus_t status(const char *name)
{
	return (cudnnStatus_t)standin_status(name);
}

API cudnnStatus_t cudnnCreate(cudnnHandle_t *h)
{
	cudnnStatus_t s = status("cudnnCreate");

	if (!s)
		*h = standin_make(1);
	return s;
}

API cudnnStatus_t cudnnDestroy(cudnnHandle_t h)
{
	standin_free(h);
	return CUDNN_STATUS_SUCCESS;
}

API cudnnStatus_t cudnnSetStream(cudnnHandle_t h, cudaStream_t t)
{
	(void)h, (void)t;
	return status("cudnnSetStream");
}

API size_t cudnnGetVersion(void)
{
	return 91900;
}

API const char *cudnnGetErrorString(cudnnStatus_t s)
{
	return (int)s / 1000 == 3 ? "CUDNN_STATUS_NOT_SUPPORTED"
	       : (int)s == 5000   ? "CUDNN_STATUS_EXECUTION_FAILED"
				  : "CUDNN_STATUS_OTHER";
}

API void cudnnGetLastErrorString(char *out, size_t n)
{
	snprintf(out, n, "what the stand-in was told to say\nsecond line");
}

API cudnnStatus_t cudnnBackendCreateDescriptor(cudnnBackendDescriptorType_t type,
					       cudnnBackendDescriptor_t *out)
{
	cudnnStatus_t s = status("cudnnBackendCreateDescriptor");

	if (s)
		return s;
	struct descriptor *d = standin_make(sizeof *d);
	d->type = type;
	*out = d;
	return s;
}

API cudnnStatus_t cudnnBackendDestroyDescriptor(cudnnBackendDescriptor_t d)
{
	standin_free(d);
	return CUDNN_STATUS_SUCCESS;
}

static size_t size_of(cudnnBackendAttributeType_t t)
{
	switch ((int)t) {
	case CUDNN_TYPE_INT64:
	case CUDNN_TYPE_BACKEND_DESCRIPTOR:
	case CUDNN_TYPE_HANDLE:
	case CUDNN_TYPE_VOID_PTR:
		return 8;
	case CUDNN_TYPE_BOOLEAN:
		return sizeof(bool);
	default:
		return 4;
	}
}

API cudnnStatus_t cudnnBackendSetAttribute(cudnnBackendDescriptor_t p,
					   cudnnBackendAttributeName_t name,
					   cudnnBackendAttributeType_t type, int64_t count,
					   const void *v)
{
	struct descriptor *d = p;
	size_t bytes = (size_t)count * size_of(type);
	cudnnStatus_t s = status("cudnnBackendSetAttribute");

	if (s)
		return s;
	if (d->final || d->n == ATTRIBUTES_MAX || bytes > BYTES_MAX)
		return CUDNN_STATUS_BAD_PARAM;
	struct attribute *a = &d->attributes[d->n++];
	a->name = name;
	a->count = count;
	a->bytes = bytes;
	memcpy(a->v, v, bytes);
	return s;
}

static const struct attribute *find(const struct descriptor *d, int name)
{
	for (int i = 0; i < d->n; i++)
		if ((int)d->attributes[i].name == name)
			return &d->attributes[i];
	return NULL;
}

static struct descriptor *child(const struct descriptor *d, int name)
{
	const struct attribute *a = find(d, name);
	struct descriptor *c = NULL;

	if (a)
		memcpy(&c, a->v, sizeof c);
	return c;
}

static int number(const struct descriptor *d, int name, int otherwise)
{
	const struct attribute *a = find(d, name);
	int v = otherwise;

	if (a && a->bytes == sizeof(bool))
		return *a->v != 0;
	if (a)
		memcpy(&v, a->v, sizeof v);
	return v;
}

static struct descriptor *const *ops_of(const struct descriptor *graph, int64_t *n)
{
	const struct attribute *a = find(graph, CUDNN_ATTR_OPERATIONGRAPH_OPS);

	*n = a->count;
	return (struct descriptor *const *)(const void *)a->v;
}

API cudnnStatus_t cudnnBackendFinalize(cudnnBackendDescriptor_t p)
{
	struct descriptor *d = p;
	bool plan = d->type == CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR;
	cudnnStatus_t s = status(plan ? "plan" : "cudnnBackendFinalize");

	if (plan && !s)
		d->graph = child(d, CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG)->graph;
	d->final = !s;
	return s;
}

/* Attention is not for old cards; one in three engines has tensor cores. */
static int64_t configurations(const struct descriptor *graph)
{
	int64_t n;

	ops_of(graph, &n);
	return n > 1 || ops_of(graph, &n)[0]->type == CUDNN_BACKEND_OPERATION_SDPA_FWD_DESCRIPTOR
		   ? (standin_number("arch", 90) >= 80 ? CONFIGS : 0)
		   : CONFIGS;
}

API cudnnStatus_t cudnnBackendGetAttribute(cudnnBackendDescriptor_t p,
					   cudnnBackendAttributeName_t name,
					   cudnnBackendAttributeType_t type, int64_t most,
					   int64_t *n, void *out)
{
	struct descriptor *d = p, **list = out;
	cudnnStatus_t s = status("cudnnBackendGetAttribute");

	(void)type;
	*n = 1;
	if (s)
		return s;
	switch ((int)name) {
	case CUDNN_ATTR_ENGINEHEUR_RESULTS:
		d->graph = child(d, CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH);
		*n = configurations(d->graph);
		for (int64_t i = 0; i < *n && i < most; i++) {
			list[i]->graph = d->graph;
			list[i]->engine = i;
		}
		break;
	case CUDNN_ATTR_ENGINECFG_ENGINE:
		list[0]->engine = d->engine;
		break;
	case CUDNN_ATTR_ENGINE_NUMERICAL_NOTE:
		*(cudnnBackendNumericalNote_t *)out = CUDNN_NUMERICAL_NOTE_TENSOR_CORE;
		*n = d->engine == 0;
		break;
	case CUDNN_ATTR_ENGINE_GLOBAL_INDEX:
		*(int64_t *)out = d->engine;
		break;
	case CUDNN_ATTR_ENGINECFG_KNOB_CHOICES:
		*n = 0;
		break;
	case CUDNN_ATTR_EXECUTION_PLAN_WORKSPACE_SIZE:
		*(int64_t *)out = 1000 + child(d, CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG)->engine;
		break;
	default:
		return CUDNN_STATUS_BAD_PARAM;
	}
	return s;
}

/* A tensor of a graph while it runs: values in logical order. */
struct value {
	const struct descriptor *d;
	int64_t dim[4], stride[4];
	double *v;
	void *p;
};

struct run {
	struct value values[TENSORS_MAX];
	int n;
	const struct descriptor *pack;
};

static int data_type(const struct descriptor *d)
{
	switch (number(d, CUDNN_ATTR_TENSOR_DATA_TYPE, 0)) {
	case CUDNN_DATA_HALF:
		return CUDA_R_16F;
	case CUDNN_DATA_BFLOAT16:
		return CUDA_R_16BF;
	default:
		return CUDA_R_32F;
	}
}

static void *pointer_of(const struct descriptor *pack, const struct descriptor *t)
{
	const struct attribute *uids = find(pack, CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS);
	const struct attribute *pointers = find(pack, CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS);
	int64_t uid, at;
	void *p;

	memcpy(&uid, find(t, CUDNN_ATTR_TENSOR_UNIQUE_ID)->v, sizeof uid);
	for (int64_t i = 0; i < uids->count; i++) {
		memcpy(&at, uids->v + 8 * i, sizeof at);
		memcpy(&p, pointers->v + 8 * i, sizeof p);
		if (at == uid)
			return p;
	}
	fprintf(stderr, "no pointer for tensor %lld\n", (long long)uid);
	abort();
}

static long count(const struct value *v)
{
	return (long)(v->dim[0] * v->dim[1] * v->dim[2] * v->dim[3]);
}

static long offset(const struct value *v, long i)
{
	long w = i % v->dim[3], h = i / v->dim[3] % v->dim[2],
	     c = i / (v->dim[3] * v->dim[2]) % v->dim[1];
	long n = i / (v->dim[3] * v->dim[2] * v->dim[1]);

	return n * v->stride[0] + c * v->stride[1] + h * v->stride[2] + w * v->stride[3];
}

/* Loads what is stored the first time that it is wanted. */
static struct value *value_of(struct run *r, const struct descriptor *d)
{
	for (int i = 0; i < r->n; i++)
		if (r->values[i].d == d)
			return &r->values[i];
	struct value *v = &r->values[r->n++];
	v->d = d;
	memcpy(v->dim, find(d, CUDNN_ATTR_TENSOR_DIMENSIONS)->v, sizeof v->dim);
	memcpy(v->stride, find(d, CUDNN_ATTR_TENSOR_STRIDES)->v, sizeof v->stride);
	v->v = calloc((size_t)count(v), sizeof(double));
	if (number(d, CUDNN_ATTR_TENSOR_IS_VIRTUAL, 0))
		return v;
	v->p = pointer_of(r->pack, d);
	for (long i = 0; i < count(v); i++)
		v->v[i] = standin_get(data_type(d), v->p, offset(v, i));
	return v;
}

/* Rounded to what the tensor is, and stored unless it is virtual. */
static void give(struct value *v)
{
	double one[1];

	for (long i = 0; i < count(v); i++) {
		if (v->p)
			standin_put(data_type(v->d), v->p, offset(v, i), standin_spoil(v->v[i]));
		standin_put(data_type(v->d), one, 0, v->v[i]);
		v->v[i] = standin_get(data_type(v->d), one, 0);
	}
}

/* Element i of a shape in a tensor whose dimensions may be 1. */
static double spread(const struct value *x, const struct value *shape, long i)
{
	long at[4], from = 0;

	for (int k = 3; k >= 0; k--) {
		at[k] = i % shape->dim[k];
		i /= shape->dim[k];
	}
	for (int k = 0; k < 4; k++)
		from = from * x->dim[k] + (x->dim[k] == 1 ? 0 : at[k]);
	return x->v[from];
}

static void run_conv(struct run *r, const struct descriptor *d, enum op_kind pass, int conv, int nx,
		     int nw, int ny)
{
	struct value *x = value_of(r, child(d, nx)), *w = value_of(r, child(d, nw)),
		     *y = value_of(r, child(d, ny));
	const struct descriptor *c = child(d, conv);
	struct op o = op_make(pass, STR("conv"));
	struct plan plan = { .ops = &o, .nops = 1 };
	struct value *in[2], *out;
	int64_t stride, pad;

	memcpy(&stride, find(c, CUDNN_ATTR_CONVOLUTION_FILTER_STRIDES)->v, sizeof stride);
	memcpy(&pad, find(c, CUDNN_ATTR_CONVOLUTION_PRE_PADDINGS)->v, sizeof pad);
	o.p.conv =
	    (struct op_conv){ x->dim[0], x->dim[1], x->dim[2], x->dim[3], w->dim[0], w->dim[2],
			      w->dim[3], stride,    pad,       y->dim[2], y->dim[3] };
	in[0] = pass == OP_CONV ? x : y;
	in[1] = pass == OP_CONV_BWD_FILTER ? x : w;
	out = pass == OP_CONV ? y : pass == OP_CONV_BWD_DATA ? x : w;
	struct reference ref = { .plan = &plan,
				 .op = &o,
				 .in = { in[0]->v, in[1]->v },
				 .out = { out->v },
				 .devices = 1 };
	for (long u = 0; u < reference_units(&plan, &o); u++)
		reference_unit(&ref, u);
	give(out);
}

static void run_matmul(struct run *r, const struct descriptor *d)
{
	struct value *a = value_of(r, child(d, CUDNN_ATTR_OPERATION_MATMUL_ADESC));
	struct value *b = value_of(r, child(d, CUDNN_ATTR_OPERATION_MATMUL_BDESC));
	struct value *c = value_of(r, child(d, CUDNN_ATTR_OPERATION_MATMUL_CDESC));
	long m = c->dim[2], n = c->dim[3], k = a->dim[3];

	if (b->dim[2] != k || a->dim[2] != m || b->dim[3] != n)
		abort();
	for (long i = 0; i < count(c); i++) {
		long batch = i / (m * n), row = i / n % m, col = i % n;
		c->v[i] = 0;
		for (long q = 0; q < k; q++)
			c->v[i] +=
			    a->v[(batch * m + row) * k + q] * b->v[(batch * k + q) * n + col];
	}
	give(c);
}

static double apply(int mode, double x, double b)
{
	switch (mode) {
	case CUDNN_POINTWISE_ADD:
		return x + b;
	case CUDNN_POINTWISE_SUB:
		return x - b;
	case CUDNN_POINTWISE_MUL:
		return x * b;
	case CUDNN_POINTWISE_DIV:
		return x / b;
	case CUDNN_POINTWISE_EXP:
		return exp(x);
	case CUDNN_POINTWISE_LOG:
		return log(x);
	case CUDNN_POINTWISE_CMP_GE:
		return x >= b;
	case CUDNN_POINTWISE_IDENTITY:
		return x;
	default:
		abort();
	}
}

static void run_pointwise(struct run *r, const struct descriptor *d)
{
	const struct descriptor *pw = child(d, CUDNN_ATTR_OPERATION_POINTWISE_PW_DESCRIPTOR);
	const struct descriptor *bd = child(d, CUDNN_ATTR_OPERATION_POINTWISE_BDESC);
	const struct descriptor *td = child(d, CUDNN_ATTR_OPERATION_POINTWISE_TDESC);
	struct value *x = value_of(r, child(d, CUDNN_ATTR_OPERATION_POINTWISE_XDESC));
	struct value *b = bd ? value_of(r, bd) : NULL, *t = td ? value_of(r, td) : NULL;
	struct value *y = value_of(r, child(d, CUDNN_ATTR_OPERATION_POINTWISE_YDESC));
	int mode = number(pw, CUDNN_ATTR_POINTWISE_MODE, -1),
	    axis = number(pw, CUDNN_ATTR_POINTWISE_AXIS, -1);

	for (long i = 0; i < count(y); i++) {
		if (mode == CUDNN_POINTWISE_GEN_INDEX)
			y->v[i] = (double)(axis == 3 ? i % y->dim[3] : i / y->dim[3] % y->dim[2]);
		else if (mode == CUDNN_POINTWISE_BINARY_SELECT)
			y->v[i] = spread(t, y, i) != 0 ? spread(x, y, i) : spread(b, y, i);
		else
			y->v[i] = apply(mode, spread(x, y, i), b ? spread(b, y, i) : 0);
	}
	give(y);
}

/* Over the last dimension. */
static void run_reduction(struct run *r, const struct descriptor *d)
{
	struct value *x = value_of(r, child(d, CUDNN_ATTR_OPERATION_REDUCTION_XDESC));
	struct value *y = value_of(r, child(d, CUDNN_ATTR_OPERATION_REDUCTION_YDESC));
	int how = number(child(d, CUDNN_ATTR_OPERATION_REDUCTION_DESC),
			 CUDNN_ATTR_REDUCTION_OPERATOR, -1);
	long n = x->dim[3];

	for (long i = 0; i < count(y); i++) {
		y->v[i] = how == CUDNN_REDUCE_TENSOR_MAX ? -INFINITY : 0;
		for (long k = 0; k < n; k++)
			y->v[i] = how == CUDNN_REDUCE_TENSOR_MAX ? fmax(y->v[i], x->v[i * n + k])
								 : y->v[i] + x->v[i * n + k];
	}
	give(y);
}

/* Every element stays where its strides say it is. */
static void run_reshape(struct run *r, const struct descriptor *d)
{
	struct value *x = value_of(r, child(d, CUDNN_ATTR_OPERATION_RESHAPE_XDESC));
	struct value *y = value_of(r, child(d, CUDNN_ATTR_OPERATION_RESHAPE_YDESC));

	for (long i = 0; i < count(y); i++) {
		long k = 0;
		while (k < count(x) && offset(x, k) != offset(y, i))
			k++;
		if (k == count(x))
			abort();
		y->v[i] = x->v[k];
	}
	give(y);
}

static void run_sdpa(struct run *r, const struct descriptor *d)
{
	struct value *q = value_of(r, child(d, CUDNN_ATTR_OPERATION_SDPA_FWD_QDESC));
	struct value *k = value_of(r, child(d, CUDNN_ATTR_OPERATION_SDPA_FWD_KDESC));
	struct value *v = value_of(r, child(d, CUDNN_ATTR_OPERATION_SDPA_FWD_VDESC));
	struct value *o = value_of(r, child(d, CUDNN_ATTR_OPERATION_SDPA_FWD_ODESC));
	struct value *stats = value_of(r, child(d, CUDNN_ATTR_OPERATION_SDPA_FWD_STATSDESC));
	double scale = value_of(r, child(d, CUDNN_ATTR_OPERATION_SDPA_FWD_SCALEDESC))->v[0];
	long keys = k->dim[3], width = q->dim[3], queries = q->dim[2];
	double *p = calloc((size_t)keys, sizeof *p);

	for (long i = 0; i < count(stats); i++) {
		long batch = i / queries;
		double sum = 0;
		for (long j = 0; j < keys; j++) {
			p[j] = 0;
			for (long c = 0; c < width; c++)
				p[j] += scale * q->v[i * width + c]
					* k->v[(batch * width + c) * keys + j];
			sum += exp(p[j]);
		}
		stats->v[i] = log(sum);
		for (long c = 0; c < width; c++) {
			o->v[i * width + c] = 0;
			for (long j = 0; j < keys; j++)
				o->v[i * width + c] +=
				    exp(p[j]) / sum * v->v[(batch * keys + j) * width + c];
		}
	}
	free(p);
	give(stats);
	give(o);
}

static void run_op(struct run *r, const struct descriptor *d)
{
	switch ((int)d->type) {
	case CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR:
		run_conv(r, d, OP_CONV, CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_CONV_DESC,
			 CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_X,
			 CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_W,
			 CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_Y);
		break;
	case CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_DATA_DESCRIPTOR:
		run_conv(r, d, OP_CONV_BWD_DATA,
			 CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_CONV_DESC,
			 CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DX,
			 CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_W,
			 CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DY);
		break;
	case CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_FILTER_DESCRIPTOR:
		run_conv(r, d, OP_CONV_BWD_FILTER,
			 CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_CONV_DESC,
			 CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_X,
			 CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_DW,
			 CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_DY);
		break;
	case CUDNN_BACKEND_OPERATION_MATMUL_DESCRIPTOR:
		run_matmul(r, d);
		break;
	case CUDNN_BACKEND_OPERATION_POINTWISE_DESCRIPTOR:
		run_pointwise(r, d);
		break;
	case CUDNN_BACKEND_OPERATION_REDUCTION_DESCRIPTOR:
		run_reduction(r, d);
		break;
	case CUDNN_BACKEND_OPERATION_RESHAPE_DESCRIPTOR:
		run_reshape(r, d);
		break;
	case CUDNN_BACKEND_OPERATION_SDPA_FWD_DESCRIPTOR:
		run_sdpa(r, d);
		break;
	default:
		abort();
	}
}

API cudnnStatus_t cudnnBackendExecute(cudnnHandle_t h, cudnnBackendDescriptor_t p,
				      cudnnBackendDescriptor_t pack)
{
	const struct descriptor *plan = p;
	struct run r = { .pack = pack };
	cudnnStatus_t s = status("cudnnBackendExecute");
	int64_t n;

	(void)h;
	if (cudaPeekAtLastError() == cudaErrorIllegalAddress)
		return CUDNN_STATUS_EXECUTION_FAILED;
	struct descriptor *const *ops = ops_of(plan->graph, &n);
	for (int64_t i = 0; i < n && !s; i++)
		run_op(&r, ops[i]);
	for (int i = 0; i < r.n; i++)
		free(r.values[i].v);
	return s;
}
