/* Operations on rows, and the kernels that products and attention borrow. */
#include "cuda_kernels.h"

#include <math.h>

enum { BLOCK = 256, GRID_MAX = 65535, ROW_BLOCK_MAX = 512 };

/* Values that one thread moves at a time. */
static long pack_of(const struct loaded *l)
{
	return l->plan->precision == PRECISION_FP32 || l->plan->precision == PRECISION_TF32 ? 4 : 8;
}

static bool is_f32(const struct loaded *l, int tensor)
{
	return cuda_type_of(l, tensor) == CUDA_TYPE_F32;
}

/* A loop over the grid: enough blocks to fill the card, several times over so that its end is even.
 */
static struct kernel_grid loop_grid(const struct loaded *l, long threads)
{
	long blocks = (threads + BLOCK - 1) / BLOCK, most = 32L * l->d->processors;

	return (struct kernel_grid){ .x = blocks < 1      ? 1
					  : blocks < most ? blocks
							  : most,
				     .block = BLOCK };
}

/* A block a row; as many warps as its columns need. */
static struct kernel_grid row_grid(long rows, long cols)
{
	long threads = (cols + 31) / 32 * 32;

	if (threads > 128)
		threads = (cols / 4 + 31) / 32 * 32; /* some columns for each thread */
	return (struct kernel_grid){ .x = rows,
				     .block = (int)(threads < 64              ? 64
						    : threads < ROW_BLOCK_MAX ? threads
									      : ROW_BLOCK_MAX) };
}

/* Rows that follow without a gap are one long row. */
static struct op_add flat(const struct op_add *a, bool has_y)
{
	struct op_add p = *a;

	if (p.rows > 1 && p.stride_x == p.cols && p.stride_z == p.cols
	    && (!has_y || p.stride_y == p.cols)) {
		p.cols *= p.rows;
		p.rows = 1;
		p.stride_x = p.stride_y = p.stride_z = p.cols;
	}
	return p;
}

static bool launch_add(struct loaded *l, const struct op_add *given, void *x, void *y, void *z,
		       int f32, struct bench_error *err)
{
	struct op_add p = flat(given, y != NULL);
	long pack = pack_of(l), all = p.cols | p.offset_x | p.stride_x | p.offset_z | p.stride_z;
	bool packs = true;
	void *args[] = { &x,          &y,          &z,          &p.rows,
			 &p.cols,     &p.offset_x, &p.stride_x, &p.offset_y,
			 &p.stride_y, &p.offset_z, &p.stride_z, &f32 };

	if (y)
		all |= p.offset_y | p.stride_y;
	packs =
	    all % pack == 0 && (pack == 4 || f32 == 0); /* fp32 is VALUE and fp32 at once there */
	struct kernel_grid g = loop_grid(l, packs ? p.cols / pack : p.cols);
	g.y = p.rows < GRID_MAX ? p.rows : GRID_MAX;
	return kernel_launch(l, packs ? KERNEL_ADD_PACKS : KERNEL_ADD_ROWS, g, args, err);
}

bool cuda_add_run(struct loaded *l, int op, const struct cuda_args *a, struct bench_error *err)
{
	const struct op *o = &l->plan->ops[op];
	int f32 = is_f32(l, o->in[0]) | (o->in[1] >= 0 && is_f32(l, o->in[1])) << 1
		  | is_f32(l, o->out[0]) << 2;

	return launch_add(l, &o->p.add, a->in[0], a->in[1], a->out[0], f32, err);
}

bool kernel_add_row(struct loaded *l, void *c, bool c_f32, const void *bias, bool bias_f32, long m,
		    long n, long ld, struct bench_error *err)
{
	struct op_add p = { .rows = m, .cols = n, .stride_x = ld, .stride_z = ld };

	return launch_add(l, &p, c, (void *)(size_t)bias, c, c_f32 | bias_f32 << 1 | c_f32 << 2,
			  err);
}

bool kernel_activation(struct loaded *l, const void *x, void *y, long n, int activation,
		       struct bench_error *err)
{
	void *args[] = { &x, &y, &n, &activation };

	return kernel_launch(l, KERNEL_ACTIVATION, loop_grid(l, n / pack_of(l) + 1), args, err);
}

bool cuda_activation_run(struct loaded *l, int op, const struct cuda_args *a,
			 struct bench_error *err)
{
	const struct op_rows *p = &l->plan->ops[op].p.rows;

	return kernel_activation(l, a->in[0], a->out[0], p->rows * p->cols, (int)p->activation,
				 err);
}

bool cuda_activation_bwd_run(struct loaded *l, int op, const struct cuda_args *a,
			     struct bench_error *err)
{
	const struct op_rows *p = &l->plan->ops[op].p.rows;
	long n = p->rows * p->cols;
	int activation = (int)p->activation;
	void *args[] = { (void *)&a->in[0], (void *)&a->in[1], (void *)&a->out[0], &n,
			 &activation };

	return kernel_launch(l, KERNEL_ACTIVATION_BWD, loop_grid(l, n / pack_of(l) + 1), args, err);
}

bool cuda_swiglu_run(struct loaded *l, int op, const struct cuda_args *a, struct bench_error *err)
{
	struct op_rows p = l->plan->ops[op].p.rows;
	void *args[] = { (void *)&a->in[0], (void *)&a->out[0], &p.rows, &p.cols };

	return kernel_launch(l, KERNEL_SWIGLU, loop_grid(l, p.rows * p.cols), args, err);
}

bool cuda_rmsnorm_run(struct loaded *l, int op, const struct cuda_args *a, struct bench_error *err)
{
	struct op_norm p = l->plan->ops[op].p.norm;
	float epsilon = (float)p.epsilon;
	void *args[] = { (void *)&a->in[0], (void *)&a->in[1], (void *)&a->out[0], &p.cols,
			 &epsilon };

	return kernel_launch(l, KERNEL_RMSNORM, row_grid(p.rows, p.cols), args, err);
}

bool kernel_softmax(struct loaded *l, const void *x, void *y, long rows, long cols, double scale,
		    long memory, long other, struct bench_error *err)
{
	float s = (float)scale;
	void *args[] = { &x, &y, &cols, &s, &memory, &other };

	return kernel_launch(l, KERNEL_SOFTMAX, row_grid(rows, cols), args, err);
}

bool kernel_softmax_bwd(struct loaded *l, const void *dy, const void *y, void *dx, long rows,
			long cols, double scale, struct bench_error *err)
{
	float s = (float)scale;
	void *args[] = { &dy, &y, &dx, &cols, &s };

	return kernel_launch(l, KERNEL_SOFTMAX_BWD, row_grid(rows, cols), args, err);
}

bool cuda_softmax_run(struct loaded *l, int op, const struct cuda_args *a, struct bench_error *err)
{
	const struct op_rows *p = &l->plan->ops[op].p.rows;

	return kernel_softmax(l, a->in[0], a->out[0], p->rows, p->cols, p->scale, p->memory,
			      p->other ? p->other : 1, err);
}

bool cuda_softmax_bwd_run(struct loaded *l, int op, const struct cuda_args *a,
			  struct bench_error *err)
{
	const struct op_rows *p = &l->plan->ops[op].p.rows;

	return kernel_softmax_bwd(l, a->in[0], a->in[1], a->out[0], p->rows, p->cols, p->scale,
				  err);
}

bool cuda_loss_prepare(struct loaded *l, int op, struct bench_error *err)
{
	return cuda_need_workspace(l, sizeof(float) * (size_t)l->plan->ops[op].p.rows.rows, err);
}

bool cuda_loss_run(struct loaded *l, int op, const struct cuda_args *a, struct bench_error *err)
{
	struct op_rows p = l->plan->ops[op].p.rows;
	float scale = (float)((p.scale > 0 ? p.scale : 1) / (double)p.rows),
	      mean = (float)(1 / (double)p.rows);
	void *args[] = { (void *)&a->in[0], (void *)&a->in[1], (void *)&a->out[0],
			 &l->workspace,     &p.cols,           &scale };
	void *sum[] = { &l->workspace, (void *)&a->out[1], &p.rows, &mean };

	return kernel_launch(l, KERNEL_LOSS, row_grid(p.rows, p.cols), args, err)
	       && kernel_launch(l, KERNEL_SUM_ALL,
				(struct kernel_grid){ .x = 1, .block = ROW_BLOCK_MAX }, sum, err);
}

/* A block a row, as many as the grid may have. */
static struct kernel_grid rows_grid(const struct loaded *l, long rows, long cols)
{
	struct kernel_grid g = row_grid(rows, cols / pack_of(l) + 1);

	g.block = g.block < BLOCK ? g.block : BLOCK;
	return g;
}

bool cuda_gather_run(struct loaded *l, int op, const struct cuda_args *a, struct bench_error *err)
{
	struct op_rows p = l->plan->ops[op].p.rows;
	void *args[] = { (void *)&a->in[0], (void *)&a->in[1], (void *)&a->out[0], &p.rows,
			 &p.cols };

	return kernel_launch(l, KERNEL_GATHER_ROWS, rows_grid(l, p.rows, p.cols), args, err);
}

/* Without a third input the sums start from zero. */
static bool clear_first(struct loaded *l, const struct op *o, void *p, size_t element,
			struct bench_error *err)
{
	size_t n = (size_t)tensor_count(&l->plan->tensors[o->out[0]]);

	return o->in[2] >= 0
	       || cuda_ok(cudaMemsetAsync(p, 0, n * element, l->d->stream), "cudaMemsetAsync", err);
}

bool cuda_embed_bwd_run(struct loaded *l, int op, const struct cuda_args *a,
			struct bench_error *err)
{
	const struct op *o = &l->plan->ops[op];
	struct op_rows p = o->p.rows;
	void *args[] = { (void *)&a->in[0], (void *)&a->in[1], (void *)&a->out[0], &p.rows,
			 &p.cols };

	return clear_first(l, o, a->out[0], sizeof(float), err)
	       && kernel_launch(l, KERNEL_EMBED_BWD, rows_grid(l, p.rows, p.cols), args, err);
}

bool cuda_scatter_run(struct loaded *l, int op, const struct cuda_args *a, struct bench_error *err)
{
	const struct op *o = &l->plan->ops[op];
	struct op_rows p = o->p.rows;
	void *args[] = { (void *)&a->in[0], (void *)&a->in[1], (void *)&a->out[0], &p.rows,
			 &p.cols };

	return clear_first(l, o, a->out[0], cuda_type_bytes(cuda_type_of(l, o->out[0])), err)
	       && kernel_launch(l, KERNEL_SCATTER_ROWS, rows_grid(l, p.rows, p.cols), args, err);
}

bool cuda_rope_run(struct loaded *l, int op, const struct cuda_args *a, struct bench_error *err)
{
	struct op_attention p = l->plan->ops[op].p.attention;
	long tokens = p.batch * p.queries;
	void *args[] = { (void *)&a->out[0], &tokens, &p.queries, &p.heads, &p.width, &p.position };

	return kernel_launch(l, KERNEL_ROPE, loop_grid(l, tokens * p.width / 2), args, err);
}

bool cuda_rel_shift_run(struct loaded *l, int op, const struct cuda_args *a,
			struct bench_error *err)
{
	struct op_rows p = l->plan->ops[op].p.rows;
	int backward = l->plan->ops[op].kind == OP_REL_SHIFT_BWD;
	void *args[] = { (void *)&a->in[0], (void *)&a->out[0], &p.rows,
			 &p.cols,           &p.other,           &backward };

	return kernel_launch(l, KERNEL_REL_SHIFT, loop_grid(l, p.rows * p.cols * p.other), args,
			     err);
}

bool cuda_attention_cache_prepare(struct loaded *l, int op, struct bench_error *err)
{
	const struct op_attention *p = &l->plan->ops[op].p.attention;

	if (p->heads != p->kv_heads || p->width > BLOCK || BLOCK % p->width || p->keys > 8192)
		return bench_fail(err, BENCH_UNSUPPORTED,
				  "attention with a cache: heads of %ld, %ld keys", p->width,
				  p->keys);
	return true;
}

bool cuda_attention_cache_run(struct loaded *l, int op, const struct cuda_args *a,
			      struct bench_error *err)
{
	struct op_attention p = l->plan->ops[op].p.attention;
	struct kernel_grid g = { .x = p.batch * p.heads,
				 .block = BLOCK,
				 .shared = sizeof(float) * ((size_t)p.keys + BLOCK) };
	void *args[] = { (void *)&a->in[0],
			 (void *)&a->out[1],
			 (void *)&a->out[2],
			 (void *)&a->out[0],
			 &p.heads,
			 &p.keys,
			 &p.width };

	return kernel_launch(l, KERNEL_ATTENTION_CACHE, g, args, err);
}

/* Blocks of the read: a partial sum each. */
static struct kernel_grid read_grid(const struct loaded *l, long n)
{
	return loop_grid(l, n / 4 + 1);
}

bool cuda_stream_prepare(struct loaded *l, int op, struct bench_error *err)
{
	struct kernel_grid g = read_grid(l, l->plan->ops[op].p.memory.count);

	return cuda_need_workspace(l, sizeof(float) * (size_t)g.x, err);
}

bool cuda_stream_run(struct loaded *l, int op, const struct cuda_args *a, struct bench_error *err)
{
	const struct op_memory *p = &l->plan->ops[op].p.memory;
	long n = p->count;
	int kind = p->stream == STREAM_WRITE ? 4 : (int)p->stream;
	struct kernel_grid g = read_grid(l, n);
	float one = 1;
	void *args[] = { (void *)&a->in[0], (void *)&a->in[1], (void *)&a->out[0], &n, &kind };
	void *read[] = { (void *)&a->in[0], &l->workspace, &n };
	void *sum[] = { &l->workspace, (void *)&a->out[0], &g.x, &one };

	if (p->stream != STREAM_READ)
		return kernel_launch(l, KERNEL_STREAM, g, args, err);
	return kernel_launch(l, KERNEL_STREAM_READ, g, read, err)
	       && kernel_launch(l, KERNEL_SUM_ALL,
				(struct kernel_grid){ .x = 1, .block = ROW_BLOCK_MAX }, sum, err);
}
