/* Norms and sums over rows: two passes, so that every run adds in the same order; and what pools
 * images. */
#include "cuda_kernels.h"

enum { BLOCK = 256, FINISH = 128, CHUNKS_MAX = 512, ROWS_LEAST = 32 };

/* What column_parts sums. */
enum sums { SUMS_PLAIN, SUMS_STATISTICS, SUMS_BATCHNORM, SUMS_LAYERNORM };

struct columns {
	enum sums kind;
	void *x, *x0, *y;
	void *mean, *inv;
	long rows, cols, pixels; /* pixels 0: channels last */
};

/* Columns of one block, and into how many chunks rows are cut: about eight blocks for each
 * processor. */
struct cut {
	int width, chunks;
};

static struct cut cut_of(const struct loaded *l, long rows, long cols, long pixels)
{
	int width = pixels ? 1 : 64;
	long blocks = (cols + width - 1) / width, want = 8L * l->d->processors / blocks + 1;
	long least = (rows + ROWS_LEAST - 1) / ROWS_LEAST;

	want = want < least ? want : least;
	return (struct cut){ width, (int)(want < 1 ? 1 : want < CHUNKS_MAX ? want : CHUNKS_MAX) };
}

static bool need_parts(struct loaded *l, long rows, long cols, long pixels, struct bench_error *err)
{
	struct cut c = cut_of(l, rows, cols, pixels);

	return cuda_need_workspace(l, 2 * sizeof(float) * (size_t)c.chunks * (size_t)cols, err);
}

/* a, b: as column_finish. */
static bool sum_columns(struct loaded *l, struct columns s, void *a, void *b, double epsilon,
			int f32, struct bench_error *err)
{
	struct cut c = cut_of(l, s.rows, s.cols, s.pixels);
	int kind = (int)s.kind;
	float eps = (float)epsilon;
	void *parts[] = { &s.x,    &s.x0,   &s.y,      &s.mean,  &s.inv, &l->workspace,
			  &s.rows, &s.cols, &s.pixels, &c.width, &kind };
	void *finish[] = { &l->workspace, &s.x,      &a,    &b,   &s.rows, &s.cols,
			   &s.pixels,     &c.chunks, &kind, &eps, &f32 };
	struct kernel_grid g = { .x = (s.cols + c.width - 1) / c.width,
				 .y = c.chunks,
				 .block = BLOCK };

	return kernel_launch(l, KERNEL_COLUMN_PARTS, g, parts, err)
	       && kernel_launch(
		   l, KERNEL_COLUMN_FINISH,
		   (struct kernel_grid){ .x = (s.cols + FINISH - 1) / FINISH, .block = FINISH },
		   finish, err);
}

bool cuda_bias_grad_prepare(struct loaded *l, int op, struct bench_error *err)
{
	const struct op_rows *p = &l->plan->ops[op].p.rows;

	return need_parts(l, p->rows, p->cols, 0, err);
}

bool cuda_bias_grad_run(struct loaded *l, int op, const struct cuda_args *a,
			struct bench_error *err)
{
	const struct op *o = &l->plan->ops[op];
	struct columns s = {
		.kind = SUMS_PLAIN, .x = a->in[0], .rows = o->p.rows.rows, .cols = o->p.rows.cols
	};

	return sum_columns(l, s, a->out[0], NULL, 0, cuda_type_of(l, o->out[0]) == CUDA_TYPE_F32,
			   err);
}

/* Pixels of an image of the norm; 0 where channels are last or there is no image. */
static long pixels_of(const struct loaded *l, int tensor)
{
	const struct tensor *t = &l->plan->tensors[tensor];
	long n = 1;

	for (int i = 2; i < t->rank; i++)
		n *= t->dim[i];
	return l->nhwc ? 0 : n;
}

bool cuda_norm_prepare(struct loaded *l, int op, struct bench_error *err)
{
	const struct op *o = &l->plan->ops[op];
	bool image = o->kind == OP_BATCHNORM || o->kind == OP_BATCHNORM_BWD;

	return need_parts(l, o->p.norm.rows, o->p.norm.cols, image ? pixels_of(l, o->in[0]) : 0,
			  err);
}

/* As many blocks as the card can hold, several times over. */
static struct kernel_grid loop_grid(const struct loaded *l, long n)
{
	long blocks = (n + BLOCK - 1) / BLOCK, most = 32L * l->d->processors;

	return (struct kernel_grid){ .x = blocks < 1      ? 1
					  : blocks < most ? blocks
							  : most,
				     .block = BLOCK };
}

bool cuda_batchnorm_run(struct loaded *l, int op, const struct cuda_args *a,
			struct bench_error *err)
{
	const struct op *o = &l->plan->ops[op];
	struct op_norm p = o->p.norm;
	long n = p.rows * p.cols, pixels = pixels_of(l, o->in[0]);
	int relu = p.relu;
	void *residual = p.residual ? a->in[3] : NULL;
	struct columns s = { .kind = SUMS_STATISTICS,
			     .x = a->in[0],
			     .rows = p.rows,
			     .cols = p.cols,
			     .pixels = pixels };
	void *args[] = { (void *)&a->in[0],
			 (void *)&a->in[1],
			 (void *)&a->in[2],
			 (void *)&a->out[1],
			 (void *)&a->out[2],
			 &residual,
			 (void *)&a->out[0],
			 &n,
			 &p.cols,
			 &pixels,
			 &relu };

	return sum_columns(l, s, a->out[1], a->out[2], p.epsilon, 0, err)
	       && kernel_launch(l, KERNEL_BATCHNORM_APPLY, loop_grid(l, n / 4 + 1), args, err);
}

bool cuda_batchnorm_bwd_run(struct loaded *l, int op, const struct cuda_args *a,
			    struct bench_error *err)
{
	const struct op *o = &l->plan->ops[op];
	struct op_norm p = o->p.norm;
	long n = p.rows * p.cols, pixels = pixels_of(l, o->in[1]);
	void *y = p.relu ? a->in[2] : NULL, *dresidual = p.residual ? a->out[3] : NULL;
	struct columns s = { .kind = SUMS_BATCHNORM,
			     .x = a->in[0],
			     .x0 = a->in[1],
			     .y = y,
			     .mean = a->in[4],
			     .inv = a->in[5],
			     .rows = p.rows,
			     .cols = p.cols,
			     .pixels = pixels };
	void *args[] = { (void *)&a->in[0],
			 (void *)&a->in[1],
			 &y,
			 (void *)&a->in[3],
			 (void *)&a->in[4],
			 (void *)&a->in[5],
			 (void *)&a->out[1],
			 (void *)&a->out[2],
			 (void *)&a->out[0],
			 &dresidual,
			 &n,
			 &p.cols,
			 &pixels };

	return sum_columns(l, s, a->out[1], a->out[2], 0, 0, err)
	       && kernel_launch(l, KERNEL_BATCHNORM_BWD_APPLY, loop_grid(l, n / 4 + 1), args, err);
}

/* A block a row. */
static struct kernel_grid row_grid(long rows, long cols)
{
	long threads = (cols / 4 + 31) / 32 * 32;

	return (struct kernel_grid){ .x = rows,
				     .block = (int)(threads < 64    ? 64
						    : threads < 512 ? threads
								    : 512) };
}

bool cuda_layernorm_run(struct loaded *l, int op, const struct cuda_args *a,
			struct bench_error *err)
{
	struct op_norm p = l->plan->ops[op].p.norm;
	float epsilon = (float)p.epsilon;
	void *args[] = {
		(void *)&a->in[0],  (void *)&a->in[1],  (void *)&a->in[2], (void *)&a->out[0],
		(void *)&a->out[1], (void *)&a->out[2], &p.cols,           &epsilon
	};

	return kernel_launch(l, KERNEL_LAYERNORM, row_grid(p.rows, p.cols), args, err);
}

bool cuda_layernorm_bwd_run(struct loaded *l, int op, const struct cuda_args *a,
			    struct bench_error *err)
{
	struct op_norm p = l->plan->ops[op].p.norm;
	struct columns s = { .kind = SUMS_LAYERNORM,
			     .x = a->in[0],
			     .x0 = a->in[1],
			     .mean = a->in[3],
			     .inv = a->in[4],
			     .rows = p.rows,
			     .cols = p.cols };
	void *args[] = { (void *)&a->in[0],
			 (void *)&a->in[1],
			 (void *)&a->in[2],
			 (void *)&a->in[3],
			 (void *)&a->in[4],
			 (void *)&a->out[0],
			 &p.cols };

	return kernel_launch(l, KERNEL_LAYERNORM_BWD, row_grid(p.rows, p.cols), args, err)
	       && sum_columns(l, s, a->out[1], a->out[2], 0, 0, err);
}

/* Numbers of a window as the kernels take them; they stay where they are while the launch reads
 * them. */
struct window {
	long n, c, h, w, ho, wo, pixels;
	int k, stride, pad, nchw;
};

static struct window window_of(const struct loaded *l, const struct op *o)
{
	const struct op_window *p = &o->p.window;

	return (struct window){ p->n,        p->c,      p->h,           p->w,        p->ho,   p->wo,
				p->h * p->w, (int)p->k, (int)p->stride, (int)p->pad, !l->nhwc };
}

bool cuda_maxpool_run(struct loaded *l, int op, const struct cuda_args *a, struct bench_error *err)
{
	const struct op *o = &l->plan->ops[op];
	struct window w = window_of(l, o);
	void *args[] = { (void *)&a->in[0],
			 (void *)&a->out[0],
			 &w.n,
			 &w.c,
			 &w.h,
			 &w.w,
			 &w.ho,
			 &w.wo,
			 &w.k,
			 &w.stride,
			 &w.pad,
			 &w.nchw };

	return kernel_launch(l, KERNEL_MAXPOOL, loop_grid(l, w.n * w.c * w.ho * w.wo), args, err);
}

bool cuda_maxpool_bwd_run(struct loaded *l, int op, const struct cuda_args *a,
			  struct bench_error *err)
{
	const struct op *o = &l->plan->ops[op];
	struct window w = window_of(l, o);
	void *args[] = { (void *)&a->in[0],
			 (void *)&a->in[1],
			 (void *)&a->in[2],
			 (void *)&a->out[0],
			 &w.n,
			 &w.c,
			 &w.h,
			 &w.w,
			 &w.ho,
			 &w.wo,
			 &w.k,
			 &w.stride,
			 &w.pad,
			 &w.nchw };

	return kernel_launch(l, KERNEL_MAXPOOL_BWD, loop_grid(l, w.n * w.c * w.pixels), args, err);
}

bool cuda_avgpool_run(struct loaded *l, int op, const struct cuda_args *a, struct bench_error *err)
{
	const struct op *o = &l->plan->ops[op];
	struct window w = window_of(l, o);
	void *args[] = { (void *)&a->in[0], (void *)&a->out[0], &w.n, &w.c, &w.pixels, &w.nchw };

	return kernel_launch(l, KERNEL_AVGPOOL, loop_grid(l, w.n * w.c), args, err);
}

bool cuda_avgpool_bwd_run(struct loaded *l, int op, const struct cuda_args *a,
			  struct bench_error *err)
{
	const struct op *o = &l->plan->ops[op];
	struct window w = window_of(l, o);
	void *args[] = { (void *)&a->in[0], (void *)&a->out[0], &w.n, &w.c, &w.pixels, &w.nchw };

	return kernel_launch(l, KERNEL_AVGPOOL_BWD, loop_grid(l, w.n * w.c * w.pixels), args, err);
}
