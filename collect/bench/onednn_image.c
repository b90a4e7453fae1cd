/* Batch norm and pools on images as convolutions lay them (layout_image): runs of pixels x channels
 * of a block. */
#include "onednn_load.h"

#include "onednn_vector.h"

#include <math.h>
#include <string.h>

/* A run is worked on in chunks that stay in the cache. */
enum { CHUNK = 4096 };

struct batchnorm {
	const struct op *op;
	struct image image;
	struct adapter residual; /* the residual lies as x does */
	char *r;                 /* this time */
	float *a, *b, *c;        /* of a channel: the factors of the second pass */
};

static bool image_of(const struct step *s, const struct layout *at, struct image *out,
		     struct bench_error *err)
{
	if (at && layout_image(at, out) && out->block <= CHUNK)
		return true;
	return bench_fail(err, BENCH_UNSUPPORTED,
			  "onednn: " STR_FMT ": an image that lies in an unknown way",
			  STR_ARG(s->op->name));
}

static long runs_of(const struct image *m)
{
	return m->n * (m->c / m->block);
}

/* The first channel of a run. */
static long channel_of(const struct image *m, long run)
{
	return run % (m->c / m->block) * m->block;
}

static long chunk_pixels(const struct image *m)
{
	return CHUNK / m->block;
}

static float *floats(const struct loaded *l, int tensor)
{
	return (float *)(void *)step_data(l, tensor);
}

/* Sums of a thread: two doubles a channel. */
static double *sums_of(const struct loaded *l, int thread)
{
	return (double *)(void *)thread_room(l, thread);
}

static void clear_sums(const struct loaded *l, const struct image *m)
{
	for (int t = 0; t < l->device->threads; t++)
		memset(sums_of(l, t), 0, sizeof(double) * 2 * (size_t)m->c);
}

/* Threads in their order. */
static void total(const struct loaded *l, const struct image *m, long c, double *sum, double *dot)
{
	*sum = *dot = 0;
	for (int t = 0; t < l->device->threads; t++) {
		*sum += sums_of(l, t)[c];
		*dot += sums_of(l, t)[m->c + c];
	}
}

/* One chunk after another of the runs [from, to): sums in float within a chunk, in double over
 * them. */
static void moments(const struct loaded *l, const void *job, long from, long to, int thread)
{
	const struct batchnorm *n = job;
	const struct image *m = &n->image;
	struct numbers x = numbers_of(l, n->op->in[0]);
	float room[CHUNK], sum[CHUNK], dot[CHUNK];
	double *all = sums_of(l, thread);

	for (long run = from; run < to; run++) {
		long c = channel_of(m, run), step = chunk_pixels(m);
		struct vector_channels v = {
			.block = m->block, .a = n->a + c, .sum = sum, .dot = dot
		};
		for (long p = 0; p < m->pixels; p += step) {
			long k = m->pixels - p < step ? m->pixels - p : step;
			memset(sum, 0, sizeof *sum * (size_t)m->block);
			memset(dot, 0, sizeof *dot * (size_t)m->block);
			vector_channel_moments(
			    numbers_get(x, (run * m->pixels + p) * m->block, k * m->block, room),
			    &v, k);
			for (long i = 0; i < m->block; i++) {
				all[c + i] += (double)sum[i];
				all[m->c + c + i] += (double)dot[i];
			}
		}
	}
}

static void apply(const struct loaded *l, const void *job, long from, long to, int thread)
{
	const struct batchnorm *n = job;
	const struct image *m = &n->image;
	struct numbers x = numbers_of(l, n->op->in[0]), y = numbers_of(l, n->op->out[0]), r = x;
	float room[CHUNK], out[CHUNK], other[CHUNK];

	(void)thread;
	r.p = n->r;
	for (long run = from; run < to; run++) {
		long c = channel_of(m, run), step = chunk_pixels(m);
		struct vector_channels v = { .block = m->block, .a = n->a + c, .b = n->b + c,
					     .relu = n->op->p.norm.relu };
		for (long p = 0; p < m->pixels; p += step) {
			long k = m->pixels - p < step ? m->pixels - p : step;
			long at = (run * m->pixels + p) * m->block, count = k * m->block;
			float *to_y = numbers_at(y, at, out);
			vector_channel_apply(to_y, numbers_get(x, at, count, room),
					     n->r ? numbers_get(r, at, count, other) : NULL, &v, k);
			numbers_put(y, at, count, to_y);
		}
	}
}

/* Moments are taken about the first pixel of each channel, lest the square of a large mean swallow
 * the variance. */
static void take_shift(const struct loaded *l, struct batchnorm *n)
{
	const struct image *m = &n->image;
	struct numbers x = numbers_of(l, n->op->in[0]);

	for (long c = 0; c < m->c; c += m->block) {
		const float *from =
		    numbers_get(x, c / m->block * m->pixels * m->block, m->block, n->b);
		memcpy(n->a + c, from, sizeof(float) * (size_t)m->block);
	}
}

static bool batchnorm_run(struct loaded *l, const struct step *s, struct bench_error *err)
{
	struct batchnorm *n = s->state;
	const struct op_norm *p = &s->op->p.norm;
	const struct image *m = &n->image;
	const float *gamma = floats(l, s->op->in[1]), *beta = floats(l, s->op->in[2]);
	void *r = NULL;

	if (p->residual && !adapter_read(l, &n->residual, step_data(l, s->op->in[3]), &r, err))
		return false;
	n->r = r;
	take_shift(l, n);
	clear_sums(l, m);
	parallel(l, runs_of(m), 1, moments, n);
	for (long c = 0; c < m->c; c++) {
		double sum, dot, rows = (double)p->rows;
		total(l, m, c, &sum, &dot);
		double mean = sum / rows,
		       inv = 1 / sqrt(fmax(dot / rows - mean * mean, 0) + p->epsilon);
		mean += (double)n->a[c];
		floats(l, s->op->out[1])[c] = (float)mean;
		floats(l, s->op->out[2])[c] = (float)inv;
		n->a[c] = (float)(inv * (double)gamma[c]);
		n->b[c] = (float)((double)beta[c] - mean * inv * (double)gamma[c]);
	}
	parallel(l, runs_of(m), 1, apply, n);
	return true;
}

static struct batchnorm *batchnorm_state(struct loaded *l, struct step *s)
{
	struct batchnorm *n = arena_alloc(&l->arena, sizeof *n);

	n->op = s->op;
	s->state = n;
	return n;
}

static bool batchnorm_rooms(struct loaded *l, struct batchnorm *n, const struct step *s,
			    const struct layout *x, struct bench_error *err)
{
	if (!image_of(s, x, &n->image, err))
		return false;
	n->a = arena_array(&l->arena, (size_t)n->image.c, sizeof *n->a);
	n->b = arena_array(&l->arena, (size_t)n->image.c, sizeof *n->b);
	n->c = arena_array(&l->arena, (size_t)n->image.c, sizeof *n->c);
	step_want_thread(l, sizeof(double) * 2 * (size_t)n->image.c);
	return true;
}

/* Parameters and statistics are plain. */
static bool plain_operands(struct loaded *l, struct step *s, int in_from, int in_to, int out_from,
			   int out_to)
{
	for (int k = in_from; k < in_to; k++)
		if (!step_in(l, s, k, step_plain(l, s->op->in[k])))
			return false;
	for (int k = out_from; k < out_to; k++)
		if (!step_out(l, s, k, step_plain(l, s->op->out[k])))
			return false;
	return true;
}

bool batchnorm_make(struct loaded *l, struct step *s, struct bench_error *err)
{
	struct batchnorm *n = batchnorm_state(l, s);

	s->run = batchnorm_run;
	if (!step_in(l, s, 0, step_plain(l, s->op->in[0]))
	    || !batchnorm_rooms(l, n, s, s->in[0], err))
		return false;
	if (s->op->p.norm.residual
	    && (!step_in(l, s, 3, s->in[0])
		|| !adapter_in(l, &n->residual, s->in[3], s->in[0], SLOT_A, err)))
		return false;
	return plain_operands(l, s, 1, 3, 1, 3) && step_out(l, s, 0, s->in[0]);
}

/* Backward. dy and y lie as x does, or are made to. */
struct batchnorm_bwd {
	struct batchnorm n;
	struct adapter dy, y;
	char *at_dy, *at_y, *g; /* this time; g: dy where the ReLU let it through */
};

static struct numbers like(struct numbers v, char *p)
{
	return (struct numbers){ p, v.half };
}

static void gradient_sums(const struct loaded *l, const void *job, long from, long to, int thread)
{
	const struct batchnorm_bwd *w = job;
	const struct image *m = &w->n.image;
	struct numbers x = numbers_of(l, w->n.op->in[1]), y = like(x, w->at_y),
		       dy = like(x, w->at_dy), g = like(x, w->g);
	float rooms[4][CHUNK], sum[CHUNK], dot[CHUNK];
	double *all = sums_of(l, thread);

	for (long run = from; run < to; run++) {
		long c = channel_of(m, run), step = chunk_pixels(m);
		struct vector_channels v = { .block = m->block,
					     .a = floats(l, w->n.op->in[4]) + c,
					     .b = floats(l, w->n.op->in[5]) + c,
					     .sum = sum,
					     .dot = dot,
					     .relu = w->n.op->p.norm.relu };
		for (long p = 0; p < m->pixels; p += step) {
			long k = m->pixels - p < step ? m->pixels - p : step;
			long at = (run * m->pixels + p) * m->block, count = k * m->block;
			float *to_g = w->g ? numbers_at(g, at, rooms[3]) : rooms[3];
			memset(sum, 0, sizeof *sum * (size_t)m->block);
			memset(dot, 0, sizeof *dot * (size_t)m->block);
			vector_channel_sums(to_g, numbers_get(dy, at, count, rooms[0]),
					    numbers_get(x, at, count, rooms[1]),
					    v.relu ? numbers_get(y, at, count, rooms[2]) : NULL, &v,
					    k);
			if (w->g)
				numbers_put(g, at, count, to_g);
			for (long i = 0; i < m->block; i++) {
				all[c + i] += (double)sum[i];
				all[m->c + c + i] += (double)dot[i];
			}
		}
	}
}

/* With a residual its gradient is g, kept from the first pass; else g is made again. */
static void gradient_apply(const struct loaded *l, const void *job, long from, long to, int thread)
{
	const struct batchnorm_bwd *w = job;
	const struct image *m = &w->n.image;
	struct numbers x = numbers_of(l, w->n.op->in[1]), dx = numbers_of(l, w->n.op->out[0]);
	struct numbers y = like(x, w->at_y), dy = like(x, w->g ? w->g : w->at_dy);
	bool mask = w->n.op->p.norm.relu && !w->g;
	float rooms[4][CHUNK];

	(void)thread;
	for (long run = from; run < to; run++) {
		long c = channel_of(m, run), step = chunk_pixels(m);
		struct vector_channels v = {
			.block = m->block, .a = w->n.a + c, .b = w->n.b + c, .c = w->n.c + c
		};
		for (long p = 0; p < m->pixels; p += step) {
			long k = m->pixels - p < step ? m->pixels - p : step;
			long at = (run * m->pixels + p) * m->block, count = k * m->block;
			const float *g = numbers_get(dy, at, count, rooms[0]);
			float *to_dx = numbers_at(dx, at, rooms[3]);
			if (mask) {
				vector_mask(rooms[0], g, numbers_get(y, at, count, rooms[2]),
					    count);
				g = rooms[0];
			}
			vector_channel_bwd(to_dx, g, numbers_get(x, at, count, rooms[1]), &v, k);
			numbers_put(dx, at, count, to_dx);
		}
	}
}

/* dx = gamma inv (g - sum g / R - xhat sum(g xhat) / R), written as a g + b x + c. */
static void bwd_factors(const struct loaded *l, struct batchnorm_bwd *w)
{
	const struct op *op = w->n.op;
	double rows = (double)op->p.norm.rows;

	for (long c = 0; c < w->n.image.c; c++) {
		double sum, dot, mean = (double)floats(l, op->in[4])[c],
				 inv = (double)floats(l, op->in[5])[c];
		total(l, &w->n.image, c, &sum, &dot);
		floats(l, op->out[1])[c] = (float)dot;
		floats(l, op->out[2])[c] = (float)sum;
		double a = (double)floats(l, op->in[3])[c] * inv, b = -a * inv * dot / rows;
		w->n.a[c] = (float)a;
		w->n.b[c] = (float)b;
		w->n.c[c] = (float)(-a * sum / rows - b * mean);
	}
}

static bool batchnorm_bwd_run(struct loaded *l, const struct step *s, struct bench_error *err)
{
	struct batchnorm_bwd *w = s->state;
	void *dy, *y;

	if (!adapter_read(l, &w->dy, step_data(l, s->op->in[0]), &dy, err)
	    || !adapter_read(l, &w->y, step_data(l, s->op->in[2]), &y, err))
		return false;
	w->at_dy = dy;
	w->at_y = y;
	w->g = s->op->p.norm.residual ? step_data(l, s->op->out[3]) : NULL;
	clear_sums(l, &w->n.image);
	parallel(l, runs_of(&w->n.image), 1, gradient_sums, w);
	bwd_factors(l, w);
	parallel(l, runs_of(&w->n.image), 1, gradient_apply, w);
	return true;
}

bool batchnorm_bwd_make(struct loaded *l, struct step *s, struct bench_error *err)
{
	struct batchnorm_bwd *w = arena_alloc(&l->arena, sizeof *w);

	w->n.op = s->op;
	s->state = w;
	s->run = batchnorm_bwd_run;
	if (!step_in(l, s, 1, step_plain(l, s->op->in[1]))
	    || !batchnorm_rooms(l, &w->n, s, s->in[1], err) || !step_in(l, s, 0, s->in[1])
	    || !adapter_in(l, &w->dy, s->in[0], s->in[1], SLOT_A, err)
	    || !step_in(l, s, 2, s->in[1])
	    || !adapter_in(l, &w->y, s->in[2], s->in[1], SLOT_B, err))
		return false;
	return plain_operands(l, s, 3, 6, 1, 3) && step_out(l, s, 0, s->in[1])
	       && (s->op->out[3] < 0 || step_out(l, s, 3, s->in[1]));
}

/* Pools: y lies as x does, in blocks of the same size. */
struct pool {
	const struct op *op;
	struct image x, y;
	const struct layout *layout_y;
};

/* The part of a window that is inside. */
static struct vector_window window_of(const struct pool *p, long ho, long wo)
{
	const struct op_window *w = &p->op->p.window;
	long row = ho * w->stride - w->pad, col = wo * w->stride - w->pad;
	long row_end = row + w->k < w->h ? row + w->k : w->h,
	     col_end = col + w->k < w->w ? col + w->k : w->w;

	row = row < 0 ? 0 : row;
	col = col < 0 ? 0 : col;
	return (struct vector_window){ row, row_end - row, col, col_end - col, w->w, p->x.block };
}

/* A run of x as floats; of a thread's room where it is bf16. */
static long run_floats(const struct image *m)
{
	return m->pixels * m->block;
}

static void maxpool(const struct loaded *l, const void *job, long from, long to, int thread)
{
	const struct pool *p = job;
	struct numbers x = numbers_of(l, p->op->in[0]), y = numbers_of(l, p->op->out[0]);
	float *room = (float *)(void *)thread_room(l, thread), best[CHUNK];

	for (long run = from; run < to; run++) {
		const float *in = numbers_get(x, run * run_floats(&p->x), run_floats(&p->x), room);
		for (long i = 0; i < p->y.pixels; i++) {
			struct vector_window w = window_of(p, i / p->y.w, i % p->y.w);
			vector_window_max(in, &w, best, NULL);
			numbers_put(y, (run * p->y.pixels + i) * p->y.block, p->y.block, best);
		}
	}
}

/* What is not a number is no maximum: a window of those has its gradient nowhere. */
static void maxpool_bwd(const struct loaded *l, const void *job, long from, long to, int thread)
{
	const struct pool *p = job;
	struct numbers dy = numbers_of(l, p->op->in[0]), x = numbers_of(l, p->op->in[1]),
		       dx = numbers_of(l, p->op->out[0]);
	float *room = (float *)(void *)thread_room(l, thread), *out = room + run_floats(&p->x),
	      best[CHUNK], in_dy[CHUNK];
	int32_t where[CHUNK];

	for (long run = from; run < to; run++) {
		const float *in = numbers_get(x, run * run_floats(&p->x), run_floats(&p->x), room);
		memset(out, 0, sizeof *out * (size_t)run_floats(&p->x));
		for (long i = 0; i < p->y.pixels; i++) {
			const float *d = numbers_get(dy, (run * p->y.pixels + i) * p->y.block,
						     p->y.block, in_dy);
			struct vector_window w = window_of(p, i / p->y.w, i % p->y.w);
			vector_window_max(in, &w, best, where);
			for (long c = 0; c < p->x.block; c++)
				if (where[c] >= 0)
					out[where[c] * p->x.block + c] += d[c];
		}
		numbers_put(dx, run * run_floats(&p->x), run_floats(&p->x), out);
	}
}

/* y is n c: element by element where its channel is. */
static void avgpool(const struct loaded *l, const void *job, long from, long to, int thread)
{
	const struct pool *p = job;
	const struct image *m = &p->x;
	struct numbers x = numbers_of(l, p->op->in[0]), y = numbers_of(l, p->op->out[0]);
	float room[CHUNK], sum[CHUNK];

	(void)thread;
	for (long run = from; run < to; run++) {
		memset(sum, 0, sizeof *sum * (size_t)m->block);
		for (long i = 0; i < m->pixels; i++)
			vector_add(sum, sum,
				   numbers_get(x, (run * m->pixels + i) * m->block, m->block, room),
				   m->block);
		vector_scale(sum, 1 / (float)m->pixels, sum, m->block);
		numbers_put(y, run / (m->c / m->block) * m->c + channel_of(m, run), m->block, sum);
	}
}

static void avgpool_bwd(const struct loaded *l, const void *job, long from, long to, int thread)
{
	const struct pool *p = job;
	const struct image *m = &p->x;
	struct numbers dy = numbers_of(l, p->op->in[0]), dx = numbers_of(l, p->op->out[0]);
	float room[CHUNK], out[CHUNK];

	(void)thread;
	for (long run = from; run < to; run++) {
		const float *d = numbers_get(
		    dy, run / (m->c / m->block) * m->c + channel_of(m, run), m->block, room);
		vector_scale(out, 1 / (float)m->pixels, d, m->block);
		for (long i = 0; i < m->pixels; i++)
			numbers_put(dx, (run * m->pixels + i) * m->block, m->block, out);
	}
}

static bool pool_run(struct loaded *l, const struct step *s, struct bench_error *err)
{
	const struct pool *p = s->state;
	parallel_body *body = s->op->kind == OP_MAXPOOL       ? maxpool
			      : s->op->kind == OP_MAXPOOL_BWD ? maxpool_bwd
			      : s->op->kind == OP_AVGPOOL     ? avgpool
							      : avgpool_bwd;

	(void)err;
	parallel(l, runs_of(&p->x), 1, body, p);
	return true;
}

static struct pool *pool_state(struct loaded *l, struct step *s)
{
	struct pool *p = arena_alloc(&l->arena, sizeof *p);

	p->op = s->op;
	s->state = p;
	s->run = pool_run;
	return p;
}

/* y in runs of the same blocks as x: the layout of x with other sizes. */
static bool image_like(struct loaded *l, struct pool *p, int tensor, struct bench_error *err)
{
	const struct op_window *w = &p->op->p.window;

	p->y = p->x;
	p->y.h = w->ho;
	p->y.w = w->wo;
	p->y.pixels = w->ho * w->wo;
	p->layout_y = layout_blocked(&l->lib, step_type(l, tensor), &p->y, err);
	return p->layout_y;
}

bool maxpool_make(struct loaded *l, struct step *s, struct bench_error *err)
{
	struct pool *p = pool_state(l, s);

	if (!step_in(l, s, 0, step_plain(l, s->op->in[0])) || !image_of(s, s->in[0], &p->x, err)
	    || !image_like(l, p, s->op->out[0], err))
		return false;
	step_want_thread(l, sizeof(float) * (size_t)run_floats(&p->x));
	return step_out(l, s, 0, p->layout_y);
}

bool maxpool_bwd_make(struct loaded *l, struct step *s, struct bench_error *err)
{
	struct pool *p = pool_state(l, s);

	if (!step_in(l, s, 1, step_plain(l, s->op->in[1])) || !image_of(s, s->in[1], &p->x, err)
	    || !image_like(l, p, s->op->in[0], err) || !step_in(l, s, 0, p->layout_y)
	    || !step_in(l, s, 2, p->layout_y))
		return false;
	if (!layout_same(s->in[0], p->layout_y))
		return bench_fail(err, BENCH_UNSUPPORTED,
				  "onednn: " STR_FMT ": the gradient lies otherwise than the image",
				  STR_ARG(s->op->name));
	step_want_thread(l, 2 * sizeof(float) * (size_t)run_floats(&p->x));
	return step_out(l, s, 0, s->in[1]);
}

bool avgpool_make(struct loaded *l, struct step *s, struct bench_error *err)
{
	struct pool *p = pool_state(l, s);

	return step_in(l, s, 0, step_plain(l, s->op->in[0])) && image_of(s, s->in[0], &p->x, err)
	       && step_out(l, s, 0, step_plain(l, s->op->out[0]));
}

/* dx lies as x did, which only the forward operation knows. */
bool avgpool_bwd_make(struct loaded *l, struct step *s, struct bench_error *err)
{
	struct pool *p = pool_state(l, s);
	const struct layout *x =
	    s->op->forward >= 0 ? l->steps[s->op->forward].in[0] : step_plain(l, s->op->out[0]);

	return step_in(l, s, 0, step_plain(l, s->op->in[0])) && image_of(s, x, &p->x, err)
	       && step_out(l, s, 0, x);
}
