/* Operations on rows of numbers: sums of columns, activations, losses, tables, softmax. bf16 is
 * widened to floats a run at a time; whole rows have room in the thread's own memory. */
#include "onednn_load.h"

#include "onednn_vector.h"

#include <math.h>
#include <string.h>

enum { RUN = 2048, COLUMNS = 256 };

/* A thread's memory: a double (its part of a loss), then floats. */
enum { HEAD = 64 };

static double *loss_of(const struct loaded *l, int thread)
{
	return (double *)(void *)thread_room(l, thread);
}

static float *floats_of(const struct loaded *l, int thread)
{
	return (float *)(void *)(thread_room(l, thread) + HEAD);
}

static const int32_t *ids_of(const struct loaded *l, int tensor)
{
	return (const int32_t *)(void *)step_data(l, tensor);
}

/* Sums of columns [from, to): 128 rows in float, these in double. */
static void bias_grad(const struct loaded *l, const void *job, long from, long to, int thread)
{
	const struct op *op = job;
	const struct op_rows *p = &op->p.rows;
	struct numbers dy = numbers_of(l, op->in[0]), db = numbers_of(l, op->out[0]);
	float part[COLUMNS], room[COLUMNS];
	double all[COLUMNS];

	(void)thread;
	for (long c = from; c < to; c += COLUMNS) {
		long n = to - c < COLUMNS ? to - c : COLUMNS;
		memset(all, 0, sizeof all);
		for (long r = 0; r < p->rows; r += 128) {
			memset(part, 0, sizeof part);
			for (long i = r; i < p->rows && i < r + 128; i++)
				vector_add(part, part, numbers_get(dy, i * p->cols + c, n, room),
					   n);
			for (long k = 0; k < n; k++)
				all[k] += (double)part[k];
		}
		for (long k = 0; k < n; k++)
			part[k] = (float)all[k];
		numbers_put(db, c, n, part);
	}
}

static void activation(const struct loaded *l, const void *job, long from, long to, int thread)
{
	const struct op *op = job;
	struct numbers x = numbers_of(l, op->in[0]), y = numbers_of(l, op->out[0]);
	float in[RUN], out[RUN];

	(void)thread;
	for (long i = from; i < to; i += RUN) {
		long n = to - i < RUN ? to - i : RUN;
		float *at = numbers_at(y, i, out);
		vector_activate(at, numbers_get(x, i, n, in), op->p.rows.activation, n);
		numbers_put(y, i, n, at);
	}
}

static void activation_bwd(const struct loaded *l, const void *job, long from, long to, int thread)
{
	const struct op *op = job;
	struct numbers dy = numbers_of(l, op->in[0]), x = numbers_of(l, op->in[1]),
		       dx = numbers_of(l, op->out[0]);
	float in[RUN], grad[RUN], out[RUN];

	(void)thread;
	for (long i = from; i < to; i += RUN) {
		long n = to - i < RUN ? to - i : RUN;
		float *at = numbers_at(dx, i, out);
		vector_activate_slope(at, numbers_get(dy, i, n, grad), numbers_get(x, i, n, in),
				      op->p.rows.activation, n);
		numbers_put(dx, i, n, at);
	}
}

static void swiglu(const struct loaded *l, const void *job, long from, long to, int thread)
{
	const struct op *op = job;
	long cols = op->p.rows.cols;
	struct numbers x = numbers_of(l, op->in[0]), y = numbers_of(l, op->out[0]);
	float gate[RUN], up[RUN], out[RUN];

	(void)thread;
	for (long r = from; r < to; r++)
		for (long c = 0; c < cols; c += RUN) {
			long n = cols - c < RUN ? cols - c : RUN, at = 2 * r * cols + c;
			float *to_y = numbers_at(y, r * cols + c, out);
			vector_swiglu(to_y, numbers_get(x, at, n, gate),
				      numbers_get(x, at + cols, n, up), n);
			numbers_put(y, r * cols + c, n, to_y);
		}
}

/* dlogits = scale (softmax - one at the label) / rows; the loss of a row is ln(sum(exp)) - logit of
 * the label. */
static void loss(const struct loaded *l, const void *job, long from, long to, int thread)
{
	const struct op *op = job;
	const struct op_rows *p = &op->p.rows;
	struct numbers x = numbers_of(l, op->in[0]), y = numbers_of(l, op->out[0]);
	float *room = floats_of(l, thread), *out = room + p->cols,
	      share = (float)(p->scale / (double)p->rows);

	for (long r = from; r < to; r++) {
		int32_t label = ids_of(l, op->in[1])[r];
		const float *in = numbers_get(x, r * p->cols, p->cols, room);
		float *at = numbers_at(y, r * p->cols, out), max = vector_max(in, p->cols),
		      logit = in[label];
		float sum = vector_exp_sum(at, in, 1, max, p->cols);
		vector_scale(at, share / sum, at, p->cols);
		at[label] -= share;
		numbers_put(y, r * p->cols, p->cols, at);
		*loss_of(l, thread) += (double)max + log((double)sum) - (double)logit;
	}
}

static void embed(const struct loaded *l, const void *job, long from, long to, int thread)
{
	const struct op *op = job;
	long cols = op->p.rows.cols;
	struct numbers table = numbers_of(l, op->in[0]), y = numbers_of(l, op->out[0]);
	float *room = floats_of(l, thread);

	for (long r = from; r < to; r++)
		numbers_put(y, r * cols, cols,
			    numbers_get(table, ids_of(l, op->in[1])[r] * cols, cols, room));
}

static void zero(const struct loaded *l, const void *job, long from, long to, int thread)
{
	(void)l;
	(void)thread;
	memset((char *)(size_t)job + from, 0, (size_t)(to - from));
}

/* Each thread has columns of its own: words that occur often are no race, and sums have one
 * order. */
static void table_add(const struct loaded *l, const void *job, long from, long to, int thread)
{
	const struct op *op = job;
	const struct op_rows *p = &op->p.rows;
	struct numbers dy = numbers_of(l, op->in[0]), table = numbers_of(l, op->out[0]);
	float *room = floats_of(l, thread), *other = room + p->cols;
	long n = to - from;

	for (long r = 0; r < p->rows; r++) {
		long at = ids_of(l, op->in[1])[r] * p->cols + from;
		const float *d = numbers_get(dy, r * p->cols + from, n, room),
			    *old = numbers_get(table, at, n, other);
		float *sum = numbers_at(table, at, other);
		vector_add(sum, old, d, n);
		numbers_put(table, at, n, sum);
	}
}

/* Row r sees the keys of memory and those of its segment up to itself. */
static void softmax(const struct loaded *l, const void *job, long from, long to, int thread)
{
	const struct op *op = job;
	const struct op_rows *p = &op->p.rows;
	struct numbers x = numbers_of(l, op->in[0]), y = numbers_of(l, op->out[0]);
	float *room = floats_of(l, thread), *out = room + p->cols, scale = (float)p->scale;

	for (long r = from; r < to; r++) {
		long seen = p->memory >= 0 ? p->memory + r % p->other + 1 : p->cols;
		const float *in = numbers_get(x, r * p->cols, seen, room);
		float *at = numbers_at(y, r * p->cols, out);
		float sum = vector_exp_sum(at, in, scale, scale * vector_max(in, seen), seen);
		vector_scale(at, 1 / sum, at, seen);
		memset(at + seen, 0, sizeof *at * (size_t)(p->cols - seen));
		numbers_put(y, r * p->cols, p->cols, at);
	}
}

static void softmax_bwd(const struct loaded *l, const void *job, long from, long to, int thread)
{
	const struct op *op = job;
	const struct op_rows *p = &op->p.rows;
	struct numbers dy = numbers_of(l, op->in[0]), y = numbers_of(l, op->in[1]),
		       dx = numbers_of(l, op->out[0]);
	float *room = floats_of(l, thread), *out = room + p->cols, *other = out + p->cols;

	for (long r = from; r < to; r++) {
		const float *d = numbers_get(dy, r * p->cols, p->cols, room);
		const float *v = numbers_get(y, r * p->cols, p->cols, other);
		float *at = numbers_at(dx, r * p->cols, out);
		vector_softmax_bwd(at, d, v, (float)p->scale, vector_dot(d, v, p->cols), p->cols);
		numbers_put(dx, r * p->cols, p->cols, at);
	}
}

/* How the work of each kind is cut: elements in runs, rows, or columns. */
enum unit { ELEMENTS, ROWS, COLS };
static const struct rows_kind {
	parallel_body *body;
	enum unit unit;
	const char *detail;
} kinds[OP_KINDS] = {
	[OP_BIAS_GRAD] = { bias_grad, COLS, "own loop" },
	[OP_ACTIVATION] = { activation, ELEMENTS, "own loop" },
	[OP_ACTIVATION_BWD] = { activation_bwd, ELEMENTS, "own loop" },
	[OP_SWIGLU] = { swiglu, ROWS, "own loop" },
	[OP_LOSS] = { loss, ROWS, "own loop" },
	[OP_EMBED] = { embed, ROWS, "own loop" },
	[OP_GATHER_ROWS] = { embed, ROWS, "own loop" },
	[OP_EMBED_BWD] = { table_add, COLS, "own loop, columns shared out" },
	[OP_SCATTER_ROWS] = { table_add, COLS, "own loop, columns shared out" },
	[OP_SOFTMAX] = { softmax, ROWS, "own loop" },
	[OP_SOFTMAX_BWD] = { softmax_bwd, ROWS, "own loop" },
};

static void clear_table(struct loaded *l, const struct op *op)
{
	size_t bytes = l->places[op->out[0]].now->bytes;

	if (op->in[2] < 0)
		parallel(l, (long)bytes, 4096, zero, step_data(l, op->out[0]));
}

static void put_loss(struct loaded *l, const struct op *op)
{
	double sum = 0;

	for (int t = 0; t < l->device->threads; t++)
		sum += *loss_of(l, t);
	*(float *)(void *)step_data(l, op->out[1]) = (float)(sum / (double)op->p.rows.rows);
}

static bool rows_run(struct loaded *l, const struct step *s, struct bench_error *err)
{
	const struct op *op = s->op;
	const struct rows_kind *k = &kinds[op->kind];
	long units[] = { [ELEMENTS] = 0, [ROWS] = op->p.rows.rows, [COLS] = op->p.rows.cols };
	static const long grains[] = { [ELEMENTS] = RUN, [ROWS] = 1, [COLS] = 16 };

	(void)err;
	units[ELEMENTS] = tensor_count(&l->plan->tensors[op->out[0]]);
	if (op->kind == OP_EMBED_BWD || op->kind == OP_SCATTER_ROWS)
		clear_table(l, op);
	for (int t = 0; op->kind == OP_LOSS && t < l->device->threads; t++)
		*loss_of(l, t) = 0;
	parallel(l, units[k->unit], grains[k->unit], k->body, op);
	if (op->kind == OP_LOSS)
		put_loss(l, op);
	return true;
}

bool rows_make(struct loaded *l, struct step *s, struct bench_error *err)
{
	if (s->op->kind == OP_SOFTMAX && !(s->op->p.rows.scale > 0))
		return bench_fail(err, BENCH_UNSUPPORTED, "onednn: " STR_FMT ": a scale of %g",
				  STR_ARG(s->op->name), s->op->p.rows.scale);
	step_want_thread(l, HEAD + 3 * sizeof(float) * (size_t)s->op->p.rows.cols);
	s->run = rows_run;
	s->detail = kinds[s->op->kind].detail;
	return step_all_plain(l, s, err);
}
