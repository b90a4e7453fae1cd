/* cuDNN graphs from C: tensors and operations are described, cuDNN names the engines that can run
 * them, one of which is chosen by trying. A graph can be built for a card that is not there: from
 * the properties of a device as text. */
#ifndef BENCH_CUDA_GRAPH_H
#define BENCH_CUDA_GRAPH_H

#include "backend.h"

#include <cudnn.h>
#include <stdint.h>

enum {
	GRAPH_DESCRIPTORS = 128,
	GRAPH_OPS = 32,
	GRAPH_CANDIDATES = 8,
	GRAPH_DIMS = 4,
	GRAPH_TENSORS = 16
};

/* For whom: a handle, or properties of a device (tests). */
struct graph_target {
	cudnnHandle_t handle;
	cudnnBackendDescriptor_t properties;
	bool true_fp32; /* no engine that uses tensor cores or rounds its inputs */
};

/* What has been described so far. The first error stays; later calls do nothing. */
struct graph {
	cudnnBackendDescriptor_t all[GRAPH_DESCRIPTORS], ops[GRAPH_OPS];
	int nall, nops;
	bool failed;
	struct bench_error err;
};

/* A tensor in the words of cuDNN: dimensions and strides in elements. uid 0 is given by the graph
 * to virtual ones. */
struct graph_tensor {
	int64_t uid;
	cudnnDataType_t type;
	int rank;
	int64_t dim[GRAPH_DIMS], stride[GRAPH_DIMS];
	bool is_virtual, by_value;
};

struct plan_choice {
	cudnnBackendDescriptor_t plan;
	int64_t workspace;
	char name[96]; /* "eng34 k2=1 k13=0" */
};

cudnnBackendDescriptor_t graph_tensor(struct graph *g, const struct graph_tensor *t);
/* Virtual, row-major, fp32. */
cudnnBackendDescriptor_t graph_virtual(struct graph *g, int64_t uid, cudnnDataType_t type,
				       const int64_t *dim);
/* passes: OP_CONV x w y; OP_CONV_BWD_DATA dx w dy; OP_CONV_BWD_FILTER x dw dy. */
void graph_conv(struct graph *g, enum op_kind pass, const struct op_conv *c,
		cudnnBackendDescriptor_t x, cudnnBackendDescriptor_t w, cudnnBackendDescriptor_t y);
void graph_pointwise(struct graph *g, cudnnPointwiseMode_t mode, cudnnBackendDescriptor_t x,
		     cudnnBackendDescriptor_t b, cudnnBackendDescriptor_t y);
/* y = t ? x : b */
void graph_select(struct graph *g, cudnnBackendDescriptor_t t, cudnnBackendDescriptor_t x,
		  cudnnBackendDescriptor_t b, cudnnBackendDescriptor_t y);
/* y = index along an axis, of the shape of x */
void graph_index(struct graph *g, int64_t axis, cudnnBackendDescriptor_t x,
		 cudnnBackendDescriptor_t y);
void graph_matmul(struct graph *g, cudnnBackendDescriptor_t a, cudnnBackendDescriptor_t b,
		  cudnnBackendDescriptor_t c);
void graph_reduce(struct graph *g, cudnnReduceTensorOp_t how, cudnnBackendDescriptor_t x,
		  cudnnBackendDescriptor_t y);
void graph_reshape(struct graph *g, cudnnBackendDescriptor_t x, cudnnBackendDescriptor_t y);
/* The fused forward node; stats may be NULL. */
void graph_sdpa_forward(struct graph *g, cudnnBackendDescriptor_t q, cudnnBackendDescriptor_t k,
			cudnnBackendDescriptor_t v, cudnnBackendDescriptor_t o,
			cudnnBackendDescriptor_t stats, cudnnBackendDescriptor_t scale);

/* At most GRAPH_CANDIDATES plans in the order of cuDNN's heuristics, each finalized; *n how many.
 * False with the last reason when there is none. for_status: where not NULL nothing is kept, and
 * the status that the last finalize gave is told (5001 with a stub driver: compiled, but not
 * loaded). */
bool graph_plans(struct graph *g, const struct graph_target *target,
		 struct plan_choice out[GRAPH_CANDIDATES], int *n, cudnnStatus_t *for_status,
		 struct bench_error *err);
void plan_free(struct plan_choice *p);
void graph_free(struct graph *g);

struct graph_pointer {
	int64_t uid;
	void *p;
};
bool plan_run(cudnnHandle_t handle, const struct plan_choice *plan, const struct graph_pointer *p,
	      int n, void *workspace, struct bench_error *err);

/* The graphs of the backend, for whom it may concern. cuda_conv.c, cuda_attention_graph.c */
void graph_of_conv(struct graph *g, enum op_kind pass, const struct op_conv *c,
		   cudnnDataType_t type, bool nhwc);
/* single: the fused node, else composed. */
void graph_of_attention(struct graph *g, const struct op_attention *a, cudnnDataType_t type,
			bool single);
void graph_of_attention_bwd(struct graph *g, const struct op_attention *a, cudnnDataType_t type);
/* uids of their tensors */
enum { UID_X = 1, UID_W, UID_Y };
enum {
	UID_Q = 1,
	UID_K,
	UID_V,
	UID_O,
	UID_STATS,
	UID_SCALE,
	UID_DO,
	UID_DQ,
	UID_DK,
	UID_DV,
	UID_DQ_SUM,
	UID_SOFTMAX_SUM,
	UID_ONE,
	UID_NEGATIVE,
	UID_VIRTUAL = 100
};

#endif
