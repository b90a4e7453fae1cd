/* Our own kernels (cuda_kernels.cu): compiled by NVRTC for the card at hand the first time that
 * they are wanted, launched through the driver, both opened by name. */
#ifndef BENCH_CUDA_KERNELS_H
#define BENCH_CUDA_KERNELS_H

#include "cuda_device.h"

enum kernel {
	KERNEL_ADD_ROWS,
	KERNEL_ADD_PACKS,
	KERNEL_ACTIVATION,
	KERNEL_ACTIVATION_BWD,
	KERNEL_SWIGLU,
	KERNEL_COLUMN_PARTS,
	KERNEL_COLUMN_FINISH,
	KERNEL_BATCHNORM_APPLY,
	KERNEL_BATCHNORM_BWD_APPLY,
	KERNEL_LAYERNORM,
	KERNEL_LAYERNORM_BWD,
	KERNEL_RMSNORM,
	KERNEL_SOFTMAX,
	KERNEL_SOFTMAX_BWD,
	KERNEL_LOSS,
	KERNEL_SUM_ALL,
	KERNEL_GATHER_ROWS,
	KERNEL_EMBED_BWD,
	KERNEL_SCATTER_ROWS,
	KERNEL_ROPE,
	KERNEL_REL_SHIFT,
	KERNEL_MAXPOOL,
	KERNEL_MAXPOOL_BWD,
	KERNEL_AVGPOOL,
	KERNEL_AVGPOOL_BWD,
	KERNEL_SGD,
	KERNEL_ADAM,
	KERNEL_STREAM,
	KERNEL_STREAM_READ,
	KERNEL_ATTENTION_CACHE,
	KERNELS
};
const char *kernel_name(enum kernel k);

/* The source as one text, in the arena. */
const char *kernels_source(struct arena *a);
/* Compiles for arch (90: sm_90) and VALUE (0 fp32, 1 fp16, 2 bf16) with NVRTC alone; *image
 * (malloc) is a cubin, or PTX of the newest architecture that NVRTC knows where it does not know
 * this one. BENCH_UNSUPPORTED: no NVRTC. */
bool kernels_compile(int arch, int value, void **image, size_t *bytes, struct bench_error *err);

/* Those of the plan's precision are ready after it. */
bool kernels_want(struct device *d, enum precision p, struct bench_error *err);
void kernels_free(struct kernels *k);

/* grid y is 1 where 0 is given. args: addresses of the arguments. */
struct kernel_grid {
	long x, y;
	int block;
	size_t shared;
};
bool kernel_launch(struct loaded *l, enum kernel k, struct kernel_grid g, void **args,
		   struct bench_error *err);
/* The softmax rows that attention without a fused kernel needs; memory as in OP_SOFTMAX. */
bool kernel_softmax(struct loaded *l, const void *x, void *y, long rows, long cols, double scale,
		    long memory, long other, struct bench_error *err);
bool kernel_softmax_bwd(struct loaded *l, const void *dy, const void *y, void *dx, long rows,
			long cols, double scale, struct bench_error *err);
/* c (m n) += bias, then activation; where a fused epilogue is missing. y may be c. */
bool kernel_add_row(struct loaded *l, void *c, bool c_f32, const void *bias, bool bias_f32, long m,
		    long n, long ld, struct bench_error *err);
bool kernel_activation(struct loaded *l, const void *x, void *y, long n, int activation,
		       struct bench_error *err);

/* The operations that are nothing but such kernels. cuda_rows.c, cuda_norm.c, cuda_optimizer.c */
bool cuda_add_run(struct loaded *, int, const struct cuda_args *, struct bench_error *);
bool cuda_activation_run(struct loaded *, int, const struct cuda_args *, struct bench_error *);
bool cuda_activation_bwd_run(struct loaded *, int, const struct cuda_args *, struct bench_error *);
bool cuda_swiglu_run(struct loaded *, int, const struct cuda_args *, struct bench_error *);
bool cuda_bias_grad_run(struct loaded *, int, const struct cuda_args *, struct bench_error *);
bool cuda_bias_grad_prepare(struct loaded *, int, struct bench_error *);
bool cuda_norm_prepare(struct loaded *, int, struct bench_error *);
bool cuda_batchnorm_run(struct loaded *, int, const struct cuda_args *, struct bench_error *);
bool cuda_batchnorm_bwd_run(struct loaded *, int, const struct cuda_args *, struct bench_error *);
bool cuda_layernorm_run(struct loaded *, int, const struct cuda_args *, struct bench_error *);
bool cuda_layernorm_bwd_run(struct loaded *, int, const struct cuda_args *, struct bench_error *);
bool cuda_rmsnorm_run(struct loaded *, int, const struct cuda_args *, struct bench_error *);
bool cuda_softmax_run(struct loaded *, int, const struct cuda_args *, struct bench_error *);
bool cuda_softmax_bwd_run(struct loaded *, int, const struct cuda_args *, struct bench_error *);
bool cuda_loss_prepare(struct loaded *, int, struct bench_error *);
bool cuda_loss_run(struct loaded *, int, const struct cuda_args *, struct bench_error *);
bool cuda_gather_run(struct loaded *, int, const struct cuda_args *, struct bench_error *);
bool cuda_embed_bwd_run(struct loaded *, int, const struct cuda_args *, struct bench_error *);
bool cuda_scatter_run(struct loaded *, int, const struct cuda_args *, struct bench_error *);
bool cuda_rope_run(struct loaded *, int, const struct cuda_args *, struct bench_error *);
bool cuda_rel_shift_run(struct loaded *, int, const struct cuda_args *, struct bench_error *);
bool cuda_attention_cache_prepare(struct loaded *, int, struct bench_error *);
bool cuda_attention_cache_run(struct loaded *, int, const struct cuda_args *, struct bench_error *);
bool cuda_maxpool_run(struct loaded *, int, const struct cuda_args *, struct bench_error *);
bool cuda_maxpool_bwd_run(struct loaded *, int, const struct cuda_args *, struct bench_error *);
bool cuda_avgpool_run(struct loaded *, int, const struct cuda_args *, struct bench_error *);
bool cuda_avgpool_bwd_run(struct loaded *, int, const struct cuda_args *, struct bench_error *);
bool cuda_stream_prepare(struct loaded *, int, struct bench_error *);
bool cuda_stream_run(struct loaded *, int, const struct cuda_args *, struct bench_error *);
/* One launch for a run of optimizer operations of the same kind that stand one after another. */
bool cuda_optimizer_prepare(struct loaded *, int, struct bench_error *);
bool cuda_optimizer_run(struct loaded *, int, const struct cuda_args *, struct bench_error *);
/* Runs op and those that belong to its launch; *next is the operation behind them. */
bool cuda_optimizer_run_group(struct loaded *l, int op, int *next, struct bench_error *err);

#endif
