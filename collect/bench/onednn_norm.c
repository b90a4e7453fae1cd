/* Layer norm and RMS norm, row by row. */
#include "onednn_load.h"

#include "onednn_vector.h"

#include <math.h>
#include <string.h>

static float *floats(const struct loaded *l, int tensor)
{
	return (float *)(void *)step_data(l, tensor);
}

static float *room_of(const struct loaded *l, int thread)
{
	return (float *)(void *)thread_room(l, thread);
}

static void layernorm(const struct loaded *l, const void *job, long from, long to, int thread)
{
	const struct op *op = job;
	const struct op_norm *p = &op->p.norm;
	struct numbers x = numbers_of(l, op->in[0]), y = numbers_of(l, op->out[0]);
	float *in = room_of(l, thread), *out = in + p->cols;

	for (long r = from; r < to; r++) {
		const float *row = numbers_get(x, r * p->cols, p->cols, in);
		float mean, var, *at = numbers_at(y, r * p->cols, out);
		vector_moments(row, p->cols, &mean, &var);
		float inv = 1 / sqrtf(var + (float)p->epsilon);
		vector_normalise(at, row, mean, inv, floats(l, op->in[1]), floats(l, op->in[2]),
				 p->cols);
		numbers_put(y, r * p->cols, p->cols, at);
		floats(l, op->out[1])[r] = mean;
		floats(l, op->out[2])[r] = inv;
	}
}

/* Sums of a thread for dgamma and dbeta, behind its two rows: in double, and of 128 rows in
 * float. */
static double *sums_of(const struct loaded *l, const struct op *op, int thread)
{
	size_t at = 4 * sizeof(float) * (size_t)op->p.norm.cols;

	return (double *)(void *)(thread_room(l, thread) + (at + 63) / 64 * 64);
}

static void flush(double *all, float *part, long n)
{
	for (long i = 0; i < n; i++)
		all[i] += (double)part[i];
	memset(part, 0, sizeof *part * (size_t)n);
}

static void layernorm_bwd(const struct loaded *l, const void *job, long from, long to, int thread)
{
	const struct op *op = job;
	const struct op_norm *p = &op->p.norm;
	struct numbers dy = numbers_of(l, op->in[0]), x = numbers_of(l, op->in[1]),
		       dx = numbers_of(l, op->out[0]);
	float *in = room_of(l, thread), *grad = in + p->cols, *sums = grad + p->cols;
	struct vector_norm v = { .gamma = floats(l, op->in[2]),
				 .dgamma = sums,
				 .dbeta = sums + p->cols };

	memset(sums, 0, 2 * sizeof *sums * (size_t)p->cols);
	for (long r = from; r < to; r++) {
		const float *d = numbers_get(dy, r * p->cols, p->cols, grad);
		const float *row = numbers_get(x, r * p->cols, p->cols, in);
		float g, gx, n = (float)p->cols, *at = numbers_at(dx, r * p->cols, in);
		v.mean = floats(l, op->in[3])[r];
		v.inv = floats(l, op->in[4])[r];
		vector_norm_sums(d, row, &v, p->cols, &g, &gx);
		vector_norm_bwd(at, d, row, &v, g / n, gx / n, p->cols);
		numbers_put(dx, r * p->cols, p->cols, at);
		if ((r - from) % 128 == 127)
			flush(sums_of(l, op, thread), sums, 2 * p->cols);
	}
	flush(sums_of(l, op, thread), sums, 2 * p->cols);
}

static void rmsnorm(const struct loaded *l, const void *job, long from, long to, int thread)
{
	const struct op *op = job;
	const struct op_norm *p = &op->p.norm;
	struct numbers x = numbers_of(l, op->in[0]), y = numbers_of(l, op->out[0]);
	float *in = room_of(l, thread), *out = in + p->cols, *none = out + p->cols;

	memset(none, 0, sizeof *none * (size_t)p->cols);
	for (long r = from; r < to; r++) {
		const float *row = numbers_get(x, r * p->cols, p->cols, in);
		float *at = numbers_at(y, r * p->cols, out);
		float inv =
		    1 / sqrtf(vector_dot(row, row, p->cols) / (float)p->cols + (float)p->epsilon);
		vector_normalise(at, row, 0, inv, floats(l, op->in[1]), none, p->cols);
		numbers_put(y, r * p->cols, p->cols, at);
	}
}

static bool norm_run(struct loaded *l, const struct step *s, struct bench_error *err)
{
	parallel_body *body = s->op->kind == OP_LAYERNORM ? layernorm : rmsnorm;

	(void)err;
	parallel(l, s->op->p.norm.rows, 1, body, s->op);
	return true;
}

static bool norm_bwd_run(struct loaded *l, const struct step *s, struct bench_error *err)
{
	const struct op *op = s->op;
	long cols = op->p.norm.cols;

	(void)err;
	for (int t = 0; t < l->device->threads; t++)
		memset(sums_of(l, op, t), 0, 2 * sizeof(double) * (size_t)cols);
	parallel(l, op->p.norm.rows, 1, layernorm_bwd, op);
	for (long c = 0; c < cols; c++) {
		double dgamma = 0, dbeta = 0;
		for (int t = 0; t < l->device->threads; t++) {
			dgamma += sums_of(l, op, t)[c];
			dbeta += sums_of(l, op, t)[cols + c];
		}
		floats(l, op->out[1])[c] = (float)dgamma;
		floats(l, op->out[2])[c] = (float)dbeta;
	}
	return true;
}

bool norm_make(struct loaded *l, struct step *s, struct bench_error *err)
{
	step_want_thread(
	    l, 64 + (4 * sizeof(float) + 2 * sizeof(double)) * (size_t)s->op->p.norm.cols);
	s->run = s->op->kind == OP_LAYERNORM_BWD ? norm_bwd_run : norm_run;
	return step_all_plain(l, s, err);
}
