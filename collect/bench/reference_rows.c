/* Norms, pools, softmax, tables of rows, optimizers, memory; see reference.h. */
#include "reference.h"

#include <math.h>
#include <string.h>

static long element_units(const struct plan *p, const struct op *op)
{
	return tensor_count(&p->tensors[op->out[0]]);
}

static long row_units(const struct plan *p, const struct op *op)
{
	(void)p;
	return op->p.rows.rows;
}

static long norm_row_units(const struct plan *p, const struct op *op)
{
	(void)p;
	return op->p.norm.rows;
}

static long column_units(const struct plan *p, const struct op *op)
{
	(void)p;
	return op->p.rows.cols;
}

static double sigmoid(double x)
{
	return 1 / (1 + exp(-x));
}

double reference_activate(enum activation a, double x)
{
	switch (a) {
	case ACTIVATION_NONE:
		break;
	case ACTIVATION_RELU:
		return x > 0 || isnan(x) ? x : 0;
	case ACTIVATION_GELU:
		return 0.5 * x * (1 + erf(x / sqrt(2)));
	case ACTIVATION_SILU:
		return x * sigmoid(x);
	}
	return x;
}

double reference_activate_slope(enum activation a, double x)
{
	switch (a) {
	case ACTIVATION_NONE:
		break;
	case ACTIVATION_RELU:
		return x > 0;
	case ACTIVATION_GELU: /* Phi(x) + x phi(x) */
		return 0.5 * (1 + erf(x / sqrt(2))) + x * exp(-x * x / 2) / sqrt(2 * acos(-1));
	case ACTIVATION_SILU:
		return sigmoid(x) * (1 + x * (1 - sigmoid(x)));
	}
	return 1;
}

static void bias_grad_unit(const struct reference *r, long unit)
{
	const struct op_rows *p = &r->op->p.rows;
	double sum = 0;

	for (long i = 0; i < p->rows; i++)
		sum += r->in[0][i * p->cols + unit];
	r->out[0][unit] = sum;
}

const struct reference_kind reference_bias_grad = { column_units, bias_grad_unit };

static long channel_units(const struct plan *p, const struct op *op)
{
	(void)p;
	return op->p.norm.cols;
}

/* Pixels of an image: the norm tells rows = n h w only. */
static long pixels_of(const struct reference *r, int tensor)
{
	const struct tensor *t = &r->plan->tensors[tensor];
	long n = 1;

	for (int i = 2; i < t->rank; i++)
		n *= t->dim[i];
	return n;
}

/* Element i of channel c, counted over all images. */
static long at_channel(const struct op_norm *p, long pixels, long c, long i)
{
	return (i / pixels * p->cols + c) * pixels + i % pixels;
}

static void batchnorm_unit(const struct reference *r, long c)
{
	const struct op_norm *p = &r->op->p.norm;
	long pixels = pixels_of(r, r->op->in[0]);
	double mean = 0, var = 0;

	for (long i = 0; i < p->rows; i++)
		mean += r->in[0][at_channel(p, pixels, c, i)];
	mean /= (double)p->rows;
	for (long i = 0; i < p->rows; i++)
		var += pow(r->in[0][at_channel(p, pixels, c, i)] - mean, 2);
	double inv = 1 / sqrt(var / (double)p->rows + p->epsilon);
	for (long i = 0; i < p->rows; i++) {
		long at = at_channel(p, pixels, c, i);
		double y = (r->in[0][at] - mean) * inv * r->in[1][c] + r->in[2][c];
		y += p->residual ? r->in[3][at] : 0;
		r->out[0][at] = p->relu ? reference_activate(ACTIVATION_RELU, y) : y;
	}
	r->out[1][c] = mean;
	r->out[2][c] = inv;
}

const struct reference_kind reference_batchnorm = { channel_units, batchnorm_unit };

/* dx = gamma inv / R (R g - sum g - xhat sum(g xhat)); g is dy where the ReLU let it through. */
static void batchnorm_bwd_unit(const struct reference *r, long c)
{
	const struct op_norm *p = &r->op->p.norm;
	long pixels = pixels_of(r, r->op->in[1]);
	double mean = r->in[4][c], inv = r->in[5][c], sum = 0, dot = 0, n = (double)p->rows;

	for (long i = 0; i < p->rows; i++) {
		long at = at_channel(p, pixels, c, i);
		double g = p->relu && !(r->in[2][at] > 0) ? 0 : r->in[0][at];
		sum += g;
		dot += g * (r->in[1][at] - mean) * inv;
	}
	for (long i = 0; i < p->rows; i++) {
		long at = at_channel(p, pixels, c, i);
		double g = p->relu && !(r->in[2][at] > 0) ? 0 : r->in[0][at];
		r->out[0][at] = r->in[3][c] * inv / n * (n * g - sum - (r->in[1][at] - mean) * inv * dot);
		if (p->residual)
			r->out[3][at] = g;
	}
	r->out[1][c] = dot;
	r->out[2][c] = sum;
}

const struct reference_kind reference_batchnorm_bwd = { channel_units, batchnorm_bwd_unit };

static void layernorm_unit(const struct reference *r, long row)
{
	const struct op_norm *p = &r->op->p.norm;
	const double *x = r->in[0] + row * p->cols;
	double mean = 0, var = 0;

	for (long i = 0; i < p->cols; i++)
		mean += x[i];
	mean /= (double)p->cols;
	for (long i = 0; i < p->cols; i++)
		var += (x[i] - mean) * (x[i] - mean);
	double inv = 1 / sqrt(var / (double)p->cols + p->epsilon);
	for (long i = 0; i < p->cols; i++)
		r->out[0][row * p->cols + i] = (x[i] - mean) * inv * r->in[1][i] + r->in[2][i];
	r->out[1][row] = mean;
	r->out[2][row] = inv;
}

const struct reference_kind reference_layernorm = { norm_row_units, layernorm_unit };

static long layernorm_bwd_units(const struct plan *p, const struct op *op)
{
	(void)p;
	return op->p.norm.rows + op->p.norm.cols;
}

static void layernorm_bwd_column(const struct reference *r, long c)
{
	const struct op_norm *p = &r->op->p.norm;
	double sum = 0, dot = 0;

	for (long row = 0; row < p->rows; row++) {
		double dy = r->in[0][row * p->cols + c];
		sum += dy;
		dot += dy * (r->in[1][row * p->cols + c] - r->in[3][row]) * r->in[4][row];
	}
	r->out[1][c] = dot;
	r->out[2][c] = sum;
}

/* dx = inv (g - mean(g) - xhat mean(g xhat)), g = dy gamma. */
static void layernorm_bwd_unit(const struct reference *r, long unit)
{
	const struct op_norm *p = &r->op->p.norm;
	const double *dy = r->in[0] + unit * p->cols, *x = r->in[1] + unit * p->cols;
	double sum = 0, dot = 0, n = (double)p->cols;

	if (unit >= p->rows) {
		layernorm_bwd_column(r, unit - p->rows);
		return;
	}
	double mean = r->in[3][unit], inv = r->in[4][unit];
	for (long i = 0; i < p->cols; i++) {
		double g = dy[i] * r->in[2][i];
		sum += g;
		dot += g * (x[i] - mean) * inv;
	}
	for (long i = 0; i < p->cols; i++)
		r->out[0][unit * p->cols + i] =
		    inv * (dy[i] * r->in[2][i] - sum / n - (x[i] - mean) * inv * dot / n);
}

const struct reference_kind reference_layernorm_bwd = { layernorm_bwd_units, layernorm_bwd_unit };

static void rmsnorm_unit(const struct reference *r, long row)
{
	const struct op_norm *p = &r->op->p.norm;
	const double *x = r->in[0] + row * p->cols;
	double sum = 0;

	for (long i = 0; i < p->cols; i++)
		sum += x[i] * x[i];
	for (long i = 0; i < p->cols; i++)
		r->out[0][row * p->cols + i] = x[i] / sqrt(sum / (double)p->cols + p->epsilon) * r->in[1][i];
}

const struct reference_kind reference_rmsnorm = { norm_row_units, rmsnorm_unit };

/* Where in its plane the maximum of the window of output pixel (ho, wo) lies: the first in row
 * order. */
static long window_max(const struct op_window *w, const double *x, long ho, long wo)
{
	long best = -1;

	for (long i = 0; i < w->k; i++)
		for (long j = 0; j < w->k; j++) {
			long h = ho * w->stride - w->pad + i, v = wo * w->stride - w->pad + j;
			if (h < 0 || h >= w->h || v < 0 || v >= w->w)
				continue;
			if (best < 0 || x[h * w->w + v] > x[best])
				best = h * w->w + v;
		}
	return best;
}

static void maxpool_unit(const struct reference *r, long unit)
{
	const struct op_window *w = &r->op->p.window;
	const double *x = r->in[0] + unit / (w->ho * w->wo) * w->h * w->w;

	r->out[0][unit] = x[window_max(w, x, unit / w->wo % w->ho, unit % w->wo)];
}

const struct reference_kind reference_maxpool = { element_units, maxpool_unit };

static long plane_units(const struct plan *p, const struct op *op)
{
	(void)p;
	return op->p.window.n * op->p.window.c;
}

static void maxpool_bwd_unit(const struct reference *r, long plane)
{
	const struct op_window *w = &r->op->p.window;
	const double *x = r->in[1] + plane * w->h * w->w, *dy = r->in[0] + plane * w->ho * w->wo;
	double *dx = r->out[0] + plane * w->h * w->w;

	memset(dx, 0, sizeof *dx * (size_t)(w->h * w->w));
	for (long ho = 0; ho < w->ho; ho++)
		for (long wo = 0; wo < w->wo; wo++)
			dx[window_max(w, x, ho, wo)] += dy[ho * w->wo + wo];
}

const struct reference_kind reference_maxpool_bwd = { plane_units, maxpool_bwd_unit };

static void avgpool_unit(const struct reference *r, long plane)
{
	const struct op_window *w = &r->op->p.window;
	long pixels = w->h * w->w;
	double sum = 0;

	for (long i = 0; i < pixels; i++)
		sum += r->in[0][plane * pixels + i];
	r->out[0][plane] = sum / (double)pixels;
}

const struct reference_kind reference_avgpool = { plane_units, avgpool_unit };

static void avgpool_bwd_unit(const struct reference *r, long plane)
{
	const struct op_window *w = &r->op->p.window;
	long pixels = w->h * w->w;

	for (long i = 0; i < pixels; i++)
		r->out[0][plane * pixels + i] = r->in[0][plane] / (double)pixels;
}

const struct reference_kind reference_avgpool_bwd = { plane_units, avgpool_bwd_unit };

static void activation_unit(const struct reference *r, long i)
{
	r->out[0][i] = reference_activate(r->op->p.rows.activation, r->in[0][i]);
}

const struct reference_kind reference_activation = { element_units, activation_unit };

static void activation_bwd_unit(const struct reference *r, long i)
{
	r->out[0][i] = r->in[0][i] * reference_activate_slope(r->op->p.rows.activation, r->in[1][i]);
}

const struct reference_kind reference_activation_bwd = { element_units, activation_bwd_unit };

static void swiglu_unit(const struct reference *r, long row)
{
	long cols = r->op->p.rows.cols;
	const double *gate = r->in[0] + row * 2 * cols, *up = gate + cols;

	for (long i = 0; i < cols; i++)
		r->out[0][row * cols + i] = reference_activate(ACTIVATION_SILU, gate[i]) * up[i];
}

const struct reference_kind reference_swiglu = { row_units, swiglu_unit };

static long add_units(const struct plan *p, const struct op *op)
{
	(void)p;
	return op->p.add.rows * op->p.add.cols;
}

static void add_unit(const struct reference *r, long unit)
{
	const struct op_add *a = &r->op->p.add;
	long row = unit / a->cols, col = unit % a->cols;
	double x = r->in[0][a->offset_x + row * a->stride_x + col];
	double y = r->in[1] ? r->in[1][a->offset_y + row * a->stride_y + col] : 0;

	r->out[0][a->offset_z + row * a->stride_z + col] = x + y;
}

const struct reference_kind reference_add = { add_units, add_unit };

/* ln(sum(exp(row))) */
static double log_sum(const double *x, long n)
{
	double max = -INFINITY, sum = 0;

	for (long i = 0; i < n; i++)
		max = fmax(max, x[i]);
	for (long i = 0; i < n; i++)
		sum += exp(x[i] - max);
	return max + log(sum);
}

/* A row of dlogits; the unit behind the last is the loss, the mean over all rows. */
static long loss_units(const struct plan *p, const struct op *op)
{
	(void)p;
	return op->p.rows.rows + 1;
}

static void loss_unit(const struct reference *r, long unit)
{
	const struct op_rows *p = &r->op->p.rows;
	double rows = (double)p->rows, sum = 0;

	if (unit == p->rows) {
		for (long i = 0; i < p->rows; i++) {
			const double *x = r->in[0] + i * p->cols;
			sum += log_sum(x, p->cols) - x[(long)r->in[1][i]];
		}
		r->out[1][0] = sum / rows;
		return;
	}
	const double *x = r->in[0] + unit * p->cols;
	double total = log_sum(x, p->cols);
	for (long i = 0; i < p->cols; i++)
		r->out[0][unit * p->cols + i] =
		    p->scale * (exp(x[i] - total) - (i == (long)r->in[1][unit])) / rows;
}

const struct reference_kind reference_loss = { loss_units, loss_unit };

static void embed_unit(const struct reference *r, long row)
{
	long cols = r->op->p.rows.cols;

	memcpy(r->out[0] + row * cols, r->in[0] + (long)r->in[1][row] * cols, sizeof(double) * (size_t)cols);
}

const struct reference_kind reference_embed = { row_units, embed_unit };
const struct reference_kind reference_gather = { row_units, embed_unit };

/* The sum of all rows of dy that go to row v of the table; `before` is what is added to, or
 * NULL. */
static void sum_rows(const struct reference *r, long v)
{
	const struct op_rows *p = &r->op->p.rows;
	double *out = r->out[0] + v * p->cols;

	for (long c = 0; c < p->cols; c++)
		out[c] = r->in[2] ? r->in[2][v * p->cols + c] : 0;
	for (long i = 0; i < p->rows; i++)
		for (long c = 0; (long)r->in[1][i] == v && c < p->cols; c++)
			out[c] += r->in[0][i * p->cols + c];
}

/* First the rows that occur, then every row of the table: most of them are 0. */
static long table_units(const struct plan *p, const struct op *op)
{
	(void)p;
	return op->p.rows.rows + op->p.rows.other;
}

static void table_unit(const struct reference *r, long unit)
{
	long rows = r->op->p.rows.rows;

	sum_rows(r, unit < rows ? (long)r->in[1][unit] : unit - rows);
}

const struct reference_kind reference_embed_bwd = { table_units, table_unit };
const struct reference_kind reference_scatter = { table_units, table_unit };

static long token_units(const struct plan *p, const struct op *op)
{
	(void)p;
	return op->p.attention.batch * op->p.attention.queries;
}

/* q and k of all heads of one token; v is as it was. */
static void rope_unit(const struct reference *r, long token)
{
	const struct op_attention *a = &r->op->p.attention;
	long half = a->width / 2, at = token * 3 * a->heads * a->width;
	double position = (double)(a->position + token % a->queries);

	memcpy(r->out[0] + at, r->in[0] + at, sizeof(double) * (size_t)(3 * a->heads * a->width));
	for (long head = 0; head < 2 * a->heads; head++)
		for (long i = 0; i < half; i++) {
			double angle = position * pow(10000, -2 * (double)i / (double)a->width);
			const double *x = r->in[0] + at + head * a->width + i;
			double *y = r->out[0] + at + head * a->width + i;
			y[0] = x[0] * cos(angle) - x[half] * sin(angle);
			y[half] = x[half] * cos(angle) + x[0] * sin(angle);
		}
}

const struct reference_kind reference_rope = { token_units, rope_unit };

static long shift_units(const struct plan *p, const struct op *op)
{
	(void)p;
	return op->p.rows.rows * op->p.rows.other;
}

/* Row i of queries t over keys k: key j is j + t - 1 - i of the unshifted row. */
static void rel_shift_unit(const struct reference *r, long unit)
{
	long keys = r->op->p.rows.cols, t = r->op->p.rows.other, i = unit % t, by = t - 1 - i;

	for (long j = 0; j < keys; j++)
		r->out[0][unit * keys + j] = j + by < keys ? r->in[0][unit * keys + j + by] : 0;
}

static void rel_shift_bwd_unit(const struct reference *r, long unit)
{
	long keys = r->op->p.rows.cols, t = r->op->p.rows.other, i = unit % t, by = t - 1 - i;

	for (long j = 0; j < keys; j++)
		r->out[0][unit * keys + j] = j >= by ? r->in[0][unit * keys + j - by] : 0;
}

const struct reference_kind reference_rel_shift = { shift_units, rel_shift_unit };
const struct reference_kind reference_rel_shift_bwd = { shift_units, rel_shift_bwd_unit };

static void softmax_unit(const struct reference *r, long row)
{
	const struct op_rows *p = &r->op->p.rows;
	const double *x = r->in[0] + row * p->cols;
	double *y = r->out[0] + row * p->cols, max = -INFINITY, sum = 0;
	long seen = p->memory >= 0 ? p->memory + row % p->other + 1 : p->cols;

	for (long i = 0; i < seen; i++)
		max = fmax(max, p->scale * x[i]);
	for (long i = 0; i < p->cols; i++)
		sum += y[i] = i < seen ? exp(p->scale * x[i] - max) : 0;
	for (long i = 0; i < p->cols; i++)
		y[i] /= sum;
}

const struct reference_kind reference_softmax = { row_units, softmax_unit };

static void softmax_bwd_unit(const struct reference *r, long row)
{
	const struct op_rows *p = &r->op->p.rows;
	const double *dy = r->in[0] + row * p->cols, *y = r->in[1] + row * p->cols;
	double sum = 0;

	for (long i = 0; i < p->cols; i++)
		sum += dy[i] * y[i];
	for (long i = 0; i < p->cols; i++)
		r->out[0][row * p->cols + i] = p->scale * y[i] * (dy[i] - sum);
}

const struct reference_kind reference_softmax_bwd = { row_units, softmax_bwd_unit };

/* The value that is trained: the master, or the weight itself. */
static double master_value(const struct reference *r, long i)
{
	return r->in[2] ? r->in[2][i] : r->in[0][i];
}

static void put_master(const struct reference *r, long i, double v)
{
	r->out[0][i] = v;
	if (r->out[1])
		r->out[1][i] = v;
}

static long optimizer_units(const struct plan *p, const struct op *op)
{
	(void)p;
	return op->p.optimizer.count;
}

static void sgd_unit(const struct reference *r, long i)
{
	const struct op_optimizer *p = &r->op->p.optimizer;
	double w = master_value(r, i), v = p->momentum * r->in[3][i] + r->in[1][i] + p->decay * w;

	r->out[2][i] = v;
	put_master(r, i, w - p->rate * v);
}

const struct reference_kind reference_sgd = { optimizer_units, sgd_unit };

static void adam_unit(const struct reference *r, long i)
{
	const struct op_optimizer *p = &r->op->p.optimizer;
	double w = master_value(r, i), g = r->in[1][i];
	double m = p->beta1 * r->in[3][i] + (1 - p->beta1) * g;
	double v = p->beta2 * r->in[4][i] + (1 - p->beta2) * g * g;
	double mean = m / (1 - pow(p->beta1, p->step)), square = v / (1 - pow(p->beta2, p->step));

	r->out[2][i] = m;
	r->out[3][i] = v;
	put_master(r, i, w - p->rate * (mean / (sqrt(square) + p->epsilon) + p->decay * w));
}

const struct reference_kind reference_adam = { optimizer_units, adam_unit };

enum { STREAM_FACTOR = 3 };

static void stream_unit(const struct reference *r, long i)
{
	double sum = 0;

	switch (r->op->p.memory.stream) {
	case STREAM_COPY:
		r->out[0][i] = r->in[0][i];
		break;
	case STREAM_SCALE:
		r->out[0][i] = STREAM_FACTOR * r->in[0][i];
		break;
	case STREAM_ADD:
		r->out[0][i] = r->in[0][i] + r->in[1][i];
		break;
	case STREAM_TRIAD:
		r->out[0][i] = r->in[0][i] + STREAM_FACTOR * r->in[1][i];
		break;
	case STREAM_READ:
		for (long k = 0; k < r->op->p.memory.count; k++)
			sum += r->in[0][k];
		r->out[0][0] = sum;
		break;
	case STREAM_WRITE:
		r->out[0][i] = 1;
		break;
	}
}

const struct reference_kind reference_stream = { element_units, stream_unit };

static void transfer_unit(const struct reference *r, long i)
{
	r->out[0][i] = r->in[0][i];
}

const struct reference_kind reference_transfer = { element_units, transfer_unit };

/* Every device holds the same values. */
static void allreduce_unit(const struct reference *r, long i)
{
	r->out[0][i] = r->devices * r->in[0][i];
}

const struct reference_kind reference_allreduce = { element_units, allreduce_unit };
