#include "cuda_graph.h"

#include "cuda_device.h"

#include <stdio.h>
#include <string.h>

/* The graph keeps the first error. */
static bool check(struct graph *g, cudnnStatus_t s, const char *call)
{
	if (g->failed)
		return false;
	g->failed = !dnn_ok(s, call, &g->err);
	return !g->failed;
}

static cudnnBackendDescriptor_t make(struct graph *g, cudnnBackendDescriptorType_t type)
{
	cudnnBackendDescriptor_t d = NULL;

	if (g->failed)
		return NULL;
	if (g->nall == GRAPH_DESCRIPTORS) {
		g->failed = true;
		bench_fail(&g->err, BENCH_FAILED, "a graph of more than %d parts",
			   GRAPH_DESCRIPTORS);
		return NULL;
	}
	if (check(g, cudnnBackendCreateDescriptor(type, &d), "cudnnBackendCreateDescriptor"))
		g->all[g->nall++] = d;
	return d;
}

static void set(struct graph *g, cudnnBackendDescriptor_t d, cudnnBackendAttributeName_t name,
		cudnnBackendAttributeType_t type, int64_t n, const void *v)
{
	if (!g->failed)
		check(g, cudnnBackendSetAttribute(d, name, type, n, v), "cudnnBackendSetAttribute");
}

static void set_desc(struct graph *g, cudnnBackendDescriptor_t d, cudnnBackendAttributeName_t name,
		     cudnnBackendDescriptor_t v)
{
	set(g, d, name, CUDNN_TYPE_BACKEND_DESCRIPTOR, 1, &v);
}

static void finalize(struct graph *g, cudnnBackendDescriptor_t d)
{
	if (!g->failed)
		check(g, cudnnBackendFinalize(d), "cudnnBackendFinalize");
}

static void finalize_op(struct graph *g, cudnnBackendDescriptor_t d)
{
	finalize(g, d);
	if (!g->failed && g->nops < GRAPH_OPS)
		g->ops[g->nops++] = d;
}

cudnnBackendDescriptor_t graph_tensor(struct graph *g, const struct graph_tensor *t)
{
	cudnnBackendDescriptor_t d = make(g, CUDNN_BACKEND_TENSOR_DESCRIPTOR);
	int64_t alignment = 16;

	set(g, d, CUDNN_ATTR_TENSOR_UNIQUE_ID, CUDNN_TYPE_INT64, 1, &t->uid);
	set(g, d, CUDNN_ATTR_TENSOR_DATA_TYPE, CUDNN_TYPE_DATA_TYPE, 1, &t->type);
	set(g, d, CUDNN_ATTR_TENSOR_DIMENSIONS, CUDNN_TYPE_INT64, t->rank, t->dim);
	set(g, d, CUDNN_ATTR_TENSOR_STRIDES, CUDNN_TYPE_INT64, t->rank, t->stride);
	set(g, d, CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT, CUDNN_TYPE_INT64, 1, &alignment);
	if (t->is_virtual)
		set(g, d, CUDNN_ATTR_TENSOR_IS_VIRTUAL, CUDNN_TYPE_BOOLEAN, 1, &t->is_virtual);
	if (t->by_value)
		set(g, d, CUDNN_ATTR_TENSOR_IS_BY_VALUE, CUDNN_TYPE_BOOLEAN, 1, &t->by_value);
	finalize(g, d);
	return d;
}

cudnnBackendDescriptor_t graph_virtual(struct graph *g, int64_t uid, cudnnDataType_t type,
				       const int64_t *dim)
{
	struct graph_tensor t = {
		.uid = uid, .type = type, .rank = GRAPH_DIMS, .is_virtual = true
	};

	for (int i = GRAPH_DIMS - 1; i >= 0; i--) {
		t.dim[i] = dim[i];
		t.stride[i] = i == GRAPH_DIMS - 1 ? 1 : t.stride[i + 1] * t.dim[i + 1];
	}
	return graph_tensor(g, &t);
}

/* Attributes of the three passes, in the same order. */
static const struct pass {
	cudnnBackendDescriptorType_t type;
	cudnnBackendAttributeName_t conv, x, w, y, alpha, beta;
} passes[] = {
	{ CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR,
	  CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_CONV_DESC,
	  CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_X, CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_W,
	  CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_Y,
	  CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_ALPHA,
	  CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_BETA },
	{ CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_DATA_DESCRIPTOR,
	  CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_CONV_DESC,
	  CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DX, CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_W,
	  CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DY,
	  CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_ALPHA,
	  CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_BETA },
	{ CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_FILTER_DESCRIPTOR,
	  CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_CONV_DESC,
	  CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_X,
	  CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_DW,
	  CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_DY,
	  CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_ALPHA,
	  CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_BETA },
};

static cudnnBackendDescriptor_t conv_desc(struct graph *g, const struct op_conv *c)
{
	cudnnBackendDescriptor_t d = make(g, CUDNN_BACKEND_CONVOLUTION_DESCRIPTOR);
	cudnnDataType_t compute = CUDNN_DATA_FLOAT;
	cudnnConvolutionMode_t mode = CUDNN_CROSS_CORRELATION;
	int64_t dims = 2, pad[2] = { c->pad, c->pad }, stride[2] = { c->stride, c->stride },
		dilation[2] = { 1, 1 };

	set(g, d, CUDNN_ATTR_CONVOLUTION_COMP_TYPE, CUDNN_TYPE_DATA_TYPE, 1, &compute);
	set(g, d, CUDNN_ATTR_CONVOLUTION_CONV_MODE, CUDNN_TYPE_CONVOLUTION_MODE, 1, &mode);
	set(g, d, CUDNN_ATTR_CONVOLUTION_SPATIAL_DIMS, CUDNN_TYPE_INT64, 1, &dims);
	set(g, d, CUDNN_ATTR_CONVOLUTION_PRE_PADDINGS, CUDNN_TYPE_INT64, 2, pad);
	set(g, d, CUDNN_ATTR_CONVOLUTION_POST_PADDINGS, CUDNN_TYPE_INT64, 2, pad);
	set(g, d, CUDNN_ATTR_CONVOLUTION_DILATIONS, CUDNN_TYPE_INT64, 2, dilation);
	set(g, d, CUDNN_ATTR_CONVOLUTION_FILTER_STRIDES, CUDNN_TYPE_INT64, 2, stride);
	finalize(g, d);
	return d;
}

void graph_conv(struct graph *g, enum op_kind pass, const struct op_conv *c,
		cudnnBackendDescriptor_t x, cudnnBackendDescriptor_t w, cudnnBackendDescriptor_t y)
{
	const struct pass *p = &passes[pass - OP_CONV];
	cudnnBackendDescriptor_t conv = conv_desc(g, c), d = make(g, p->type);
	float alpha = 1, beta = 0;

	set_desc(g, d, p->conv, conv);
	set_desc(g, d, p->x, x);
	set_desc(g, d, p->w, w);
	set_desc(g, d, p->y, y);
	set(g, d, p->alpha, CUDNN_TYPE_FLOAT, 1, &alpha);
	set(g, d, p->beta, CUDNN_TYPE_FLOAT, 1, &beta);
	finalize_op(g, d);
}

static cudnnBackendDescriptor_t pointwise_desc(struct graph *g, cudnnPointwiseMode_t mode,
					       int64_t axis)
{
	cudnnBackendDescriptor_t d = make(g, CUDNN_BACKEND_POINTWISE_DESCRIPTOR);
	cudnnDataType_t compute = CUDNN_DATA_FLOAT;

	set(g, d, CUDNN_ATTR_POINTWISE_MODE, CUDNN_TYPE_POINTWISE_MODE, 1, &mode);
	set(g, d, CUDNN_ATTR_POINTWISE_MATH_PREC, CUDNN_TYPE_DATA_TYPE, 1, &compute);
	if (axis >= 0)
		set(g, d, CUDNN_ATTR_POINTWISE_AXIS, CUDNN_TYPE_INT64, 1, &axis);
	finalize(g, d);
	return d;
}

static void pointwise(struct graph *g, cudnnBackendDescriptor_t desc, cudnnBackendDescriptor_t x,
		      cudnnBackendDescriptor_t b, cudnnBackendDescriptor_t t,
		      cudnnBackendDescriptor_t y)
{
	cudnnBackendDescriptor_t d = make(g, CUDNN_BACKEND_OPERATION_POINTWISE_DESCRIPTOR);

	set_desc(g, d, CUDNN_ATTR_OPERATION_POINTWISE_PW_DESCRIPTOR, desc);
	set_desc(g, d, CUDNN_ATTR_OPERATION_POINTWISE_XDESC, x);
	if (b)
		set_desc(g, d, CUDNN_ATTR_OPERATION_POINTWISE_BDESC, b);
	if (t)
		set_desc(g, d, CUDNN_ATTR_OPERATION_POINTWISE_TDESC, t);
	set_desc(g, d, CUDNN_ATTR_OPERATION_POINTWISE_YDESC, y);
	finalize_op(g, d);
}

void graph_pointwise(struct graph *g, cudnnPointwiseMode_t mode, cudnnBackendDescriptor_t x,
		     cudnnBackendDescriptor_t b, cudnnBackendDescriptor_t y)
{
	pointwise(g, pointwise_desc(g, mode, -1), x, b, NULL, y);
}

void graph_select(struct graph *g, cudnnBackendDescriptor_t t, cudnnBackendDescriptor_t x,
		  cudnnBackendDescriptor_t b, cudnnBackendDescriptor_t y)
{
	pointwise(g, pointwise_desc(g, CUDNN_POINTWISE_BINARY_SELECT, -1), x, b, t, y);
}

void graph_index(struct graph *g, int64_t axis, cudnnBackendDescriptor_t x,
		 cudnnBackendDescriptor_t y)
{
	pointwise(g, pointwise_desc(g, CUDNN_POINTWISE_GEN_INDEX, axis), x, NULL, NULL, y);
}

void graph_matmul(struct graph *g, cudnnBackendDescriptor_t a, cudnnBackendDescriptor_t b,
		  cudnnBackendDescriptor_t c)
{
	cudnnBackendDescriptor_t m = make(g, CUDNN_BACKEND_MATMUL_DESCRIPTOR), d;
	cudnnDataType_t compute = CUDNN_DATA_FLOAT;

	set(g, m, CUDNN_ATTR_MATMUL_COMP_TYPE, CUDNN_TYPE_DATA_TYPE, 1, &compute);
	finalize(g, m);
	d = make(g, CUDNN_BACKEND_OPERATION_MATMUL_DESCRIPTOR);
	set_desc(g, d, CUDNN_ATTR_OPERATION_MATMUL_DESC, m);
	set_desc(g, d, CUDNN_ATTR_OPERATION_MATMUL_ADESC, a);
	set_desc(g, d, CUDNN_ATTR_OPERATION_MATMUL_BDESC, b);
	set_desc(g, d, CUDNN_ATTR_OPERATION_MATMUL_CDESC, c);
	finalize_op(g, d);
}

void graph_reduce(struct graph *g, cudnnReduceTensorOp_t how, cudnnBackendDescriptor_t x,
		  cudnnBackendDescriptor_t y)
{
	cudnnBackendDescriptor_t r = make(g, CUDNN_BACKEND_REDUCTION_DESCRIPTOR), d;
	cudnnDataType_t compute = CUDNN_DATA_FLOAT;

	set(g, r, CUDNN_ATTR_REDUCTION_COMP_TYPE, CUDNN_TYPE_DATA_TYPE, 1, &compute);
	set(g, r, CUDNN_ATTR_REDUCTION_OPERATOR, CUDNN_TYPE_REDUCTION_OPERATOR_TYPE, 1, &how);
	finalize(g, r);
	d = make(g, CUDNN_BACKEND_OPERATION_REDUCTION_DESCRIPTOR);
	set_desc(g, d, CUDNN_ATTR_OPERATION_REDUCTION_DESC, r);
	set_desc(g, d, CUDNN_ATTR_OPERATION_REDUCTION_XDESC, x);
	set_desc(g, d, CUDNN_ATTR_OPERATION_REDUCTION_YDESC, y);
	finalize_op(g, d);
}

void graph_reshape(struct graph *g, cudnnBackendDescriptor_t x, cudnnBackendDescriptor_t y)
{
	cudnnBackendDescriptor_t d = make(g, CUDNN_BACKEND_OPERATION_RESHAPE_DESCRIPTOR);

	set_desc(g, d, CUDNN_ATTR_OPERATION_RESHAPE_XDESC, x);
	set_desc(g, d, CUDNN_ATTR_OPERATION_RESHAPE_YDESC, y);
	finalize_op(g, d);
}

#if CUDNN_VERSION >= 91300
void graph_sdpa_forward(struct graph *g, cudnnBackendDescriptor_t q, cudnnBackendDescriptor_t k,
			cudnnBackendDescriptor_t v, cudnnBackendDescriptor_t o,
			cudnnBackendDescriptor_t stats, cudnnBackendDescriptor_t scale)
{
	cudnnBackendDescriptor_t d = make(g, CUDNN_BACKEND_OPERATION_SDPA_FWD_DESCRIPTOR);

	set_desc(g, d, CUDNN_ATTR_OPERATION_SDPA_FWD_QDESC, q);
	set_desc(g, d, CUDNN_ATTR_OPERATION_SDPA_FWD_KDESC, k);
	set_desc(g, d, CUDNN_ATTR_OPERATION_SDPA_FWD_VDESC, v);
	set_desc(g, d, CUDNN_ATTR_OPERATION_SDPA_FWD_ODESC, o);
	if (stats)
		set_desc(g, d, CUDNN_ATTR_OPERATION_SDPA_FWD_STATSDESC, stats);
	set_desc(g, d, CUDNN_ATTR_OPERATION_SDPA_FWD_SCALEDESC, scale);
	finalize_op(g, d);
}
#else
/* Older cuDNN has no such node: the composed graph is used. */
void graph_sdpa_forward(struct graph *g, cudnnBackendDescriptor_t q, cudnnBackendDescriptor_t k,
			cudnnBackendDescriptor_t v, cudnnBackendDescriptor_t o,
			cudnnBackendDescriptor_t stats, cudnnBackendDescriptor_t scale)
{
	(void)q, (void)k, (void)v, (void)o, (void)stats, (void)scale;
	if (!g->failed)
		bench_fail(&g->err, BENCH_UNSUPPORTED, "this cuDNN has no attention node");
	g->failed = true;
}
#endif

static cudnnBackendDescriptor_t operation_graph(struct graph *g, const struct graph_target *t)
{
	cudnnBackendDescriptor_t d = make(g, CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR);

	set(g, d, CUDNN_ATTR_OPERATIONGRAPH_OPS, CUDNN_TYPE_BACKEND_DESCRIPTOR, g->nops, g->ops);
	if (t->handle)
		set(g, d, CUDNN_ATTR_OPERATIONGRAPH_HANDLE, CUDNN_TYPE_HANDLE, 1, &t->handle);
	finalize(g, d);
	return d;
}

/* Engine configurations by one heuristic; they belong to g. */
static int configs(struct graph *g, const struct graph_target *t, cudnnBackendDescriptor_t ops,
		   cudnnBackendHeurMode_t mode, cudnnBackendDescriptor_t *out, int most)
{
	cudnnBackendDescriptor_t h = make(g, CUDNN_BACKEND_ENGINEHEUR_DESCRIPTOR);
	int64_t n = 0;

	set_desc(g, h, CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH, ops);
	set(g, h, CUDNN_ATTR_ENGINEHEUR_MODE, CUDNN_TYPE_HEUR_MODE, 1, &mode);
	if (t->properties)
		set_desc(g, h, CUDNN_ATTR_ENGINEHEUR_DEVICEPROP, t->properties);
	finalize(g, h);
	for (int i = 0; i < most && !g->failed; i++)
		out[i] = make(g, CUDNN_BACKEND_ENGINECFG_DESCRIPTOR);
	if (!g->failed)
		check(g,
		      cudnnBackendGetAttribute(h, CUDNN_ATTR_ENGINEHEUR_RESULTS,
					       CUDNN_TYPE_BACKEND_DESCRIPTOR, most, &n, out),
		      "cudnnBackendGetAttribute");
	return g->failed ? 0 : (int)(n < most ? n : most);
}

enum { NOTES = 16, KNOBS = 24 };

/* The engine of a configuration, into a descriptor that the caller destroys. */
static cudnnBackendDescriptor_t engine_of(cudnnBackendDescriptor_t config)
{
	cudnnBackendDescriptor_t e = NULL;
	int64_t n;

	if (cudnnBackendCreateDescriptor(CUDNN_BACKEND_ENGINE_DESCRIPTOR, &e)
	    != CUDNN_STATUS_SUCCESS)
		return NULL;
	if (cudnnBackendGetAttribute(config, CUDNN_ATTR_ENGINECFG_ENGINE,
				     CUDNN_TYPE_BACKEND_DESCRIPTOR, 1, &n, &e)
	    != CUDNN_STATUS_SUCCESS) {
		cudnnBackendDestroyDescriptor(e);
		return NULL;
	}
	return e;
}

/* Whether it computes in less than fp32: what may not be told as fp32. */
static bool is_reduced(cudnnBackendDescriptor_t config)
{
	cudnnBackendNumericalNote_t notes[NOTES];
	cudnnBackendDescriptor_t e = engine_of(config);
	int64_t n = 0;
	bool reduced = !e;

	if (e
	    && cudnnBackendGetAttribute(e, CUDNN_ATTR_ENGINE_NUMERICAL_NOTE,
					CUDNN_TYPE_NUMERICAL_NOTE, NOTES, &n, notes)
		   != CUDNN_STATUS_SUCCESS)
		reduced = true;
	for (int64_t i = 0; i < n && i < NOTES; i++)
		reduced = reduced || notes[i] == CUDNN_NUMERICAL_NOTE_TENSOR_CORE
			  || notes[i] == CUDNN_NUMERICAL_NOTE_DOWN_CONVERT_INPUTS
			  || notes[i] == CUDNN_NUMERICAL_NOTE_REDUCED_PRECISION_REDUCTION;
	if (e)
		cudnnBackendDestroyDescriptor(e);
	return reduced;
}

static void name_knobs(cudnnBackendDescriptor_t config, char *out, size_t size)
{
	cudnnBackendDescriptor_t knobs[KNOBS];
	int64_t n = 0, made = 0, got;
	size_t at = strlen(out);

	while (made < KNOBS
	       && cudnnBackendCreateDescriptor(CUDNN_BACKEND_KNOB_CHOICE_DESCRIPTOR, &knobs[made])
		      == CUDNN_STATUS_SUCCESS)
		made++;
	if (cudnnBackendGetAttribute(config, CUDNN_ATTR_ENGINECFG_KNOB_CHOICES,
				     CUDNN_TYPE_BACKEND_DESCRIPTOR, made, &n, knobs)
	    != CUDNN_STATUS_SUCCESS)
		n = 0;
	for (int64_t i = 0; i < n && i < made; i++) {
		cudnnBackendKnobType_t type;
		int64_t value;
		if (cudnnBackendGetAttribute(knobs[i], CUDNN_ATTR_KNOB_CHOICE_KNOB_TYPE,
					     CUDNN_TYPE_KNOB_TYPE, 1, &got, &type)
			== CUDNN_STATUS_SUCCESS
		    && cudnnBackendGetAttribute(knobs[i], CUDNN_ATTR_KNOB_CHOICE_KNOB_VALUE,
						CUDNN_TYPE_INT64, 1, &got, &value)
			   == CUDNN_STATUS_SUCCESS
		    && at + 24 < size)
			at += (size_t)snprintf(out + at, size - at, " k%d=%lld", (int)type,
					       (long long)value);
	}
	for (int64_t i = 0; i < made; i++)
		cudnnBackendDestroyDescriptor(knobs[i]);
}

static void name_plan(cudnnBackendDescriptor_t config, char *out, size_t size)
{
	cudnnBackendDescriptor_t e = engine_of(config);
	int64_t index = -1, n;

	if (e) {
		cudnnBackendGetAttribute(e, CUDNN_ATTR_ENGINE_GLOBAL_INDEX, CUDNN_TYPE_INT64, 1, &n,
					 &index);
		cudnnBackendDestroyDescriptor(e);
	}
	snprintf(out, size, "cudnn eng%lld", (long long)index);
	name_knobs(config, out, size);
}

/* A plan of a configuration; the status of its finalize in *status. */
static bool make_plan(const struct graph_target *t, cudnnBackendDescriptor_t config,
		      struct plan_choice *out, cudnnStatus_t *status, struct bench_error *err)
{
	cudnnBackendDescriptor_t d = NULL;
	int64_t n;

	memset(out, 0, sizeof *out);
	*status = cudnnBackendCreateDescriptor(CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR, &d);
	if (*status == CUDNN_STATUS_SUCCESS && t->handle)
		*status = cudnnBackendSetAttribute(d, CUDNN_ATTR_EXECUTION_PLAN_HANDLE,
						   CUDNN_TYPE_HANDLE, 1, &t->handle);
	if (*status == CUDNN_STATUS_SUCCESS && t->properties)
		*status =
		    cudnnBackendSetAttribute(d, CUDNN_ATTR_EXECUTION_PLAN_DEVICEPROP,
					     CUDNN_TYPE_BACKEND_DESCRIPTOR, 1, &t->properties);
	if (*status == CUDNN_STATUS_SUCCESS)
		*status = cudnnBackendSetAttribute(d, CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG,
						   CUDNN_TYPE_BACKEND_DESCRIPTOR, 1, &config);
	if (*status == CUDNN_STATUS_SUCCESS)
		*status = cudnnBackendFinalize(d);
	if (*status == CUDNN_STATUS_SUCCESS)
		*status = cudnnBackendGetAttribute(d, CUDNN_ATTR_EXECUTION_PLAN_WORKSPACE_SIZE,
						   CUDNN_TYPE_INT64, 1, &n, &out->workspace);
	if (*status == CUDNN_STATUS_SUCCESS) {
		out->plan = d;
		name_plan(config, out->name, sizeof out->name);
		return true;
	}
	dnn_ok(*status, "cudnnBackendFinalize(plan)", err);
	if (d)
		cudnnBackendDestroyDescriptor(d);
	return false;
}

bool graph_plans(struct graph *g, const struct graph_target *t,
		 struct plan_choice out[GRAPH_CANDIDATES], int *n, cudnnStatus_t *for_status,
		 struct bench_error *err)
{
	/* more are asked for than are tried: some are dropped */
	cudnnBackendDescriptor_t ops = operation_graph(g, t), list[4 * GRAPH_CANDIDATES];
	static const cudnnBackendHeurMode_t modes[] = { CUDNN_HEUR_MODE_A,
							CUDNN_HEUR_MODE_FALLBACK };
	struct bench_error why = { .code = BENCH_UNSUPPORTED, .msg = "cuDNN has no engine for it" };

	*n = 0;
	for (size_t m = 0; m < LEN(modes) && *n == 0 && !g->failed; m++) {
		int found = configs(g, t, ops, modes[m], list, (int)LEN(list) / 2);
		for (int i = 0; i < found && *n < GRAPH_CANDIDATES; i++) {
			cudnnStatus_t s;
			if (t->true_fp32 && is_reduced(list[i]))
				continue;
			if (make_plan(t, list[i], &out[*n], &s, &why))
				++*n;
			if (for_status)
				*for_status = s;
			if (for_status
			    && (s == CUDNN_STATUS_SUCCESS
				|| s == CUDNN_STATUS_EXECUTION_FAILED_CUDA_DRIVER))
				return true;
		}
		if (g->failed && m + 1 < LEN(modes) && g->err.code == BENCH_UNSUPPORTED) {
			why = g->err; /* no heuristic of this kind: the next */
			g->failed = false;
		}
	}
	if (*n > 0)
		return true;
	*err = g->failed ? g->err : why;
	return false;
}

void plan_free(struct plan_choice *p)
{
	if (p->plan)
		cudnnBackendDestroyDescriptor(p->plan);
	p->plan = NULL;
}

void graph_free(struct graph *g)
{
	while (g->nall > 0)
		cudnnBackendDestroyDescriptor(g->all[--g->nall]);
}

bool plan_run(cudnnHandle_t handle, const struct plan_choice *plan, const struct graph_pointer *p,
	      int n, void *workspace, struct bench_error *err)
{
	struct graph g = { 0 };
	int64_t uids[GRAPH_TENSORS];
	void *pointers[GRAPH_TENSORS];

	if (n > GRAPH_TENSORS)
		return bench_fail(err, BENCH_FAILED, "a graph of more than %d tensors",
				  GRAPH_TENSORS);
	cudnnBackendDescriptor_t pack = make(&g, CUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR);
	for (int i = 0; i < n; i++) {
		uids[i] = p[i].uid;
		pointers[i] = p[i].p;
	}
	set(&g, pack, CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS, CUDNN_TYPE_INT64, n, uids);
	set(&g, pack, CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS, CUDNN_TYPE_VOID_PTR, n, pointers);
	set(&g, pack, CUDNN_ATTR_VARIANT_PACK_WORKSPACE, CUDNN_TYPE_VOID_PTR, 1, &workspace);
	finalize(&g, pack);
	if (!g.failed)
		check(&g, cudnnBackendExecute(handle, plan->plan, pack), "cudnnBackendExecute");
	graph_free(&g);
	if (g.failed)
		*err = g.err;
	return !g.failed;
}
