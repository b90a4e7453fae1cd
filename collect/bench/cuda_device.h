/* The CUDA backend from inside: a card, a plan on it, and what the files of the backend offer each
 * other.
 *
 * cuda_backend.c   the table of functions, opening a card, what it is
 * cuda_load.c      tensors on the card: allocation, layout, upload, download
 * cuda_run.c       operations, steps, graphs, micro-benchmarks
 * cuda_call.c      statuses of every library as bench_error
 * cuda_gemm.c      products: cuBLASLt, batches of pointers by cuBLAS
 * cuda_conv.c, cuda_attention.c, cuda_lstm.c   cuDNN; cuda_graph.h its graphs
 * cuda_kernels.c   our own kernels: NVRTC, launches; cuda_rows.c the operations made of them
 * cuda_link.c      transfers and all-reduce
 * cuda_monitor.c   NVML
 *
 * Only the runtime, cuBLAS and cuDNN are linked. The driver (for launches), NVRTC, NCCL and NVML
 * are opened by name; without one of them the operations that need it are BENCH_UNSUPPORTED with
 * the loader's reason. */
#ifndef BENCH_CUDA_DEVICE_H
#define BENCH_CUDA_DEVICE_H

#include "backend.h"

#include <cublasLt.h>
#include <cublas_v2.h>
#include <cuda_runtime_api.h>
#include <cudnn.h>

/* What a tensor is stored as. */
enum cuda_type {
	CUDA_TYPE_F32,
	CUDA_TYPE_F16,
	CUDA_TYPE_BF16,
	CUDA_TYPE_E4M3,
	CUDA_TYPE_I32,
	CUDA_TYPES
};
size_t cuda_type_bytes(enum cuda_type t);
/* To the nearest, ties to even; e4m3 saturates at 448, as frameworks do. */
void cuda_encode(enum cuda_type t, double v, void *out);
double cuda_decode(enum cuda_type t, const void *in);

struct kernels; /* our own, compiled for one type of values */
struct monitor; /* NVML */

struct device {
	int index, count;
	int arch; /* 90: compute capability 9.0 */
	int processors;
	double l2_bytes;
	cudaStream_t stream;
	cublasHandle_t blas;
	cublasLtHandle_t lt;
	cudnnHandle_t dnn;
	void *blas_workspace; /* 32 MiB from sm_90 on, else 4: what cuBLAS itself takes */
	size_t blas_workspace_bytes;
	struct kernels *kernels[3]; /* fp32, fp16, bf16; NULL: not compiled yet */
	struct monitor *monitor;    /* NULL: NVML does not answer */
	bool lost;
};

/* A run of elements whose order on the card is another than the logical one. */
struct cuda_segment {
	long logical, count, stored;
};

struct cuda_tensor {
	void *p;
	enum cuda_type type;
	long count;    /* elements stored, at least tensor_count() */
	long image[4]; /* n c h w (filters: co ci kh kw) of what is stored with channels last; [0]
			* 0: as it is. Of buffers that several operations share: as the last one
			* wrote it */
	const struct cuda_segment *segments; /* LSTM weights as cuDNN packs them; NULL */
	int nsegments;
	float *scale; /* e4m3: on the card, value = stored * scale; NULL */
	float host_scale;
};

struct cuda_op;
/* Pointers of one call: of the tensors, or of a copy of them. */
struct cuda_args {
	void *in[OP_INPUTS], *out[OP_OUTPUTS];
};

struct cuda_kind {
	bool (*prepare)(struct loaded *l, int op, struct bench_error *err);
	bool (*run)(struct loaded *l, int op, const struct cuda_args *args,
		    struct bench_error *err);
	bool (*check)(struct loaded *l, int op,
		      struct bench_error *err); /* run for verification; NULL: run */
	bool kernels;                           /* made of our own kernels */
};

struct cuda_op {
	const struct cuda_kind *kind;
	void *state; /* of the file that does it */
	char detail[128];
};

struct loaded {
	struct device *d;
	const struct plan *plan;
	struct arena arena;
	bool nhwc; /* images and filters have channels last */
	struct cuda_tensor *tensors;
	struct cuda_op *ops;
	void **owned; /* memory of the card */
	size_t nowned, owned_cap;
	struct cuda_defer {
		void (*f)(void *);
		void *p;
	} * defers; /* run in reverse order by unload */
	size_t ndefers, defers_cap;
	void *workspace; /* one for all operations: they run one after another */
	size_t workspace_bytes;
	cudaGraphExec_t graph;
	cudaEvent_t *events;
	size_t nevents, events_cap;
	struct cuda_args *sets; /* of run_micro */
	int nsets, sets_op;
	size_t sets_owned; /* owned from here on belongs to the sets */
};

/* Each returns whether the call was good and fills err with call, number, name and words. Out of
 * memory is BENCH_NO_MEMORY, "not supported" BENCH_UNSUPPORTED, an error after which the context is
 * dead BENCH_LOST. */
bool cuda_ok(cudaError_t s, const char *call, struct bench_error *err);
bool blas_ok(cublasStatus_t s, const char *call, struct bench_error *err);
bool dnn_ok(cudnnStatus_t s, const char *call, struct bench_error *err);
/* Opens the first of the names (NULL ends); NULL with the loader's words for the last. */
void *cuda_open_library(const char *const *names, char *why, size_t size);
/* Fills `out` with the functions; false with the name of the first that is missing. */
struct cuda_symbol {
	const char *name;
	void **at;
};
bool cuda_find_symbols(void *lib, const struct cuda_symbol *s, size_t n, char *why, size_t size);

/* cuda_load.c */
bool cuda_alloc(struct loaded *l, size_t bytes, void **out,
		struct bench_error *err); /* zeroed; freed by unload */
/* Done when it returns, in the order of our stream: cudaMemcpy goes by another one, and returns
 * before the card has it. */
bool cuda_copy(struct loaded *l, void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind,
	       struct bench_error *err);
bool cuda_need_workspace(struct loaded *l, size_t bytes,
			 struct bench_error *err); /* while loading only */
void cuda_defer(struct loaded *l, void (*f)(void *), void *p);
struct cuda_args cuda_args_of(const struct loaded *l, const struct op *op);
/* The operation before `op` that op_same() says is the same, or -1. */
int cuda_same_before(const struct loaded *l, int op);
enum cuda_type cuda_type_of(const struct loaded *l, int tensor);
cudaDataType_t cuda_data_type(enum cuda_type t);
cudnnDataType_t cuda_dnn_type(enum cuda_type t);
/* After an operation has run: how what it wrote lies. */
void cuda_note_written(struct loaded *l, int op);

struct loaded *cuda_load(struct device *d, const struct plan *plan, struct bench_error *err);
void cuda_unload(struct loaded *l);
bool cuda_upload(struct loaded *l, int tensor, const double *values, struct bench_error *err);
bool cuda_download(struct loaded *l, int tensor, double *values, struct bench_error *err);

/* cuda_run.c */
const struct cuda_kind *cuda_kind_of(enum op_kind k);
bool cuda_run_op(struct loaded *l, int op, struct bench_error *err);
bool cuda_run_steps(struct loaded *l, int steps, bool graph, double *seconds, double *wall_s,
		    struct bench_error *err);
bool cuda_run_micro(struct loaded *l, int op, int times, int copies, double *seconds,
		    struct bench_error *err);
const char *cuda_op_detail(struct loaded *l, int op);
void cuda_drop_sets(struct loaded *l);
/* Seconds that f takes, best of three after one to warm up: how candidates are chosen. */
bool cuda_time_try(struct loaded *l, bool (*f)(void *ctx, struct bench_error *err), void *ctx,
		   double *seconds, struct bench_error *err);

/* Products. cuda_gemm.c */
bool cuda_gemm_prepare(struct loaded *l, int op, struct bench_error *err);
bool cuda_gemm_run(struct loaded *l, int op, const struct cuda_args *a, struct bench_error *err);
cublasComputeType_t cuda_compute_type(enum precision p);
/* A batch of products c = alpha op(a) op(b) at addresses that lie on the card in three arrays, b
 * before a before c. */
struct cuda_batch {
	long m, n, k, lda, ldb, ldc, count;
	bool trans_a, trans_b;
	float alpha, beta;
	enum cuda_type ab, c;
};
/* Offsets in elements of every matrix -> arrays of addresses on the card. */
struct cuda_lies {
	void *base;
	size_t element;
	long offset, outer, inner;
};
bool cuda_batch_addresses(struct loaded *l, const struct cuda_lies lies[3], long outer, long inner,
			  void ***out, struct bench_error *err);
bool cuda_batch_run(struct loaded *l, const struct cuda_batch *b, void **addresses,
		    struct bench_error *err);

bool cuda_conv_prepare(struct loaded *l, int op, struct bench_error *err);
bool cuda_conv_run(struct loaded *l, int op, const struct cuda_args *a, struct bench_error *err);
bool cuda_attention_prepare(struct loaded *l, int op, struct bench_error *err);
bool cuda_attention_run(struct loaded *l, int op, const struct cuda_args *a,
			struct bench_error *err);
bool cuda_attention_bwd_prepare(struct loaded *l, int op, struct bench_error *err);
bool cuda_attention_bwd_run(struct loaded *l, int op, const struct cuda_args *a,
			    struct bench_error *err);
bool cuda_lstm_prepare(struct loaded *l, int op, struct bench_error *err);
bool cuda_lstm_run(struct loaded *l, int op, const struct cuda_args *a, struct bench_error *err);
bool cuda_lstm_bwd_prepare(struct loaded *l, int op, struct bench_error *err);
bool cuda_lstm_bwd_run(struct loaded *l, int op, const struct cuda_args *a,
		       struct bench_error *err);
/* Before tensors are allocated: how the weights of an LSTM lie. *out in l->arena. */
bool cuda_lstm_layout(struct loaded *l, const struct op *op, const struct cuda_segment **out,
		      int *n, long *stored, struct bench_error *err);
bool cuda_transfer_prepare(struct loaded *l, int op, struct bench_error *err);
bool cuda_transfer_run(struct loaded *l, int op, const struct cuda_args *a,
		       struct bench_error *err);
bool cuda_transfer_check(struct loaded *l, int op, struct bench_error *err);
bool cuda_allreduce_prepare(struct loaded *l, int op, struct bench_error *err);
bool cuda_allreduce_run(struct loaded *l, int op, const struct cuda_args *a,
			struct bench_error *err);
bool cuda_allreduce_check(struct loaded *l, int op, struct bench_error *err);

/* Telemetry and facts; NULL where NVML is missing. cuda_monitor.c */
struct monitor *monitor_open(int index);
void monitor_close(struct monitor *m);
void monitor_facts(struct monitor *m, struct device_info *out);
double monitor_max_sm_hz(struct monitor *m); /* NAN: not known */
bool monitor_sample(struct monitor *m, struct telemetry *out);
void device_fact_add(struct device_info *out, const char *key, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

#endif
