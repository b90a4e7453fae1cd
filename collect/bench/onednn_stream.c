/* Memory bandwidth. Results are written past the caches, so that no line is read before it is
 * written: the bytes that are counted are the bytes that are moved. A line of 64 bytes a time;
 * arrays are aligned and end on whole lines. */
#include "onednn_load.h"

#include "onednn_vector.h"

#include <string.h>

#ifdef __SSE__
#include <xmmintrin.h>
#endif

enum { LINE = 16, FACTOR = 3 };

#ifdef __SSE__
static inline void put_line(float *restrict z, const float *restrict v)
{
	for (int i = 0; i < LINE; i += 4)
		_mm_stream_ps(z + i, _mm_loadu_ps(v + i));
}

/* Such stores are in order again behind this. */
static void put_done(void)
{
	_mm_sfence();
}
#else
static inline void put_line(float *restrict z, const float *restrict v)
{
	memcpy(z, v, LINE * sizeof *z);
}

static void put_done(void)
{
}
#endif

/* z = a x + b y + c; what is absent is NULL at compile time, and its loads are left out. */
static inline void lines(float *z, const float *x, const float *y, float a, float b, float c,
			 long n)
{
	for (long i = 0; i < n; i += LINE) {
		float v[LINE];
		for (int k = 0; k < LINE; k++)
			v[k] = x && y ? a * x[i + k] + b * y[i + k] : x ? a * x[i + k] : c;
		put_line(z + i, v);
	}
}

static void stream(const struct loaded *l, const void *job, long from, long to, int thread)
{
	const struct op *op = job;
	const float *x = (const float *)(void *)step_data(l, op->in[0]);
	const float *y = (const float *)(void *)step_data(l, op->in[1]);
	float *z = (float *)(void *)step_data(l, op->out[0]) + from;
	long n = to - from;

	(void)thread;
	x = x ? x + from : NULL;
	y = y ? y + from : NULL;
	switch (op->p.memory.stream) {
	case STREAM_COPY:
		lines(z, x, NULL, 1, 0, 0, n);
		break;
	case STREAM_SCALE:
		lines(z, x, NULL, FACTOR, 0, 0, n);
		break;
	case STREAM_ADD:
		lines(z, x, y, 1, 1, 0, n);
		break;
	case STREAM_TRIAD:
		lines(z, x, y, 1, FACTOR, 0, n);
		break;
	case STREAM_READ:
		break;
	case STREAM_WRITE:
		lines(z, NULL, NULL, 0, 0, 1, n);
		break;
	}
	put_done();
}

static double *sum_of(const struct loaded *l, int thread)
{
	return (double *)(void *)thread_room(l, thread);
}

static void read_all(const struct loaded *l, const void *job, long from, long to, int thread)
{
	const struct op *op = job;

	*sum_of(l, thread) =
	    vector_sum((const float *)(void *)step_data(l, op->in[0]) + from, to - from);
}

static bool stream_run(struct loaded *l, const struct step *s, struct bench_error *err)
{
	long count = s->op->p.memory.count;
	double sum = 0;

	(void)err;
	if (s->op->p.memory.stream != STREAM_READ) {
		parallel(l, count, 4096, stream, s->op);
		return true;
	}
	for (int t = 0; t < l->device->threads; t++)
		*sum_of(l, t) = 0;
	parallel(l, count, 4096, read_all, s->op);
	for (int t = 0; t < l->device->threads; t++)
		sum += *sum_of(l, t);
	*(float *)(void *)step_data(l, s->op->out[0]) = (float)sum;
	return true;
}

bool stream_make(struct loaded *l, struct step *s, struct bench_error *err)
{
	if (s->op->p.memory.count % LINE)
		return bench_fail(err, BENCH_UNSUPPORTED,
				  "onednn: " STR_FMT ": %ld elements are no multiple of %d",
				  STR_ARG(s->op->name), s->op->p.memory.count, LINE);
	s->run = stream_run;
	s->detail =
	    s->op->p.memory.stream == STREAM_READ ? "own loop" : "own loop, stores past the caches";
	return step_all_plain(l, s, err);
}
