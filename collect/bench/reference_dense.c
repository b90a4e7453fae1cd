/* Products, convolutions, recurrent layers, attention; see reference.h. */
#include "reference.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Where matrix i of a batch begins. */
static long begin(long i, long inner, long offset, long stride, long inner_stride)
{
	return offset + i / inner * stride + i % inner * inner_stride;
}

static long gemm_units(const struct plan *p, const struct op *op)
{
	(void)p;
	return op->p.gemm.batch * op->p.gemm.m * op->p.gemm.n;
}

static void gemm_unit(const struct reference *r, long unit)
{
	const struct op_gemm *g = &r->op->p.gemm;
	long i = unit / (g->m * g->n), row = unit / g->n % g->m, col = unit % g->n;
	const double *a =
	    r->in[0] + begin(i, g->inner, g->offset_a, g->stride_a, g->inner_stride_a);
	const double *b =
	    r->in[1] + begin(i, g->inner, g->offset_b, g->stride_b, g->inner_stride_b);
	long at =
	    begin(i, g->inner, g->offset_c, g->stride_c, g->inner_stride_c) + row * g->ldc + col;
	long step_a = g->trans_a ? g->lda : 1, step_b = g->trans_b ? 1 : g->ldb;
	double sum = 0;

	a += g->trans_a ? row : row * g->lda;
	b += g->trans_b ? col * g->ldb : col;
	for (long k = 0; k < g->k; k++)
		sum += a[k * step_a] * b[k * step_b];
	sum *= g->alpha;
	if (g->bias)
		sum += r->in[2][col];
	if (g->beta != 0)
		sum += g->beta * r->old[0][at];
	if (r->out[1])
		r->out[1][at] = sum;
	r->out[0][at] = reference_activate(g->activation, sum);
}

const struct reference_kind reference_gemm = { gemm_units, gemm_unit };

static long conv_units(const struct plan *p, const struct op *op)
{
	const struct op_conv *c = &op->p.conv;

	(void)p;
	return c->n * c->co * c->ho * c->wo;
}

static void conv_unit(const struct reference *r, long unit)
{
	const struct op_conv *c = &r->op->p.conv;
	long wo = unit % c->wo, ho = unit / c->wo % c->ho, co = unit / (c->wo * c->ho) % c->co;
	const double *x = r->in[0] + unit / (c->wo * c->ho * c->co) * c->ci * c->h * c->w;
	const double *w = r->in[1] + co * c->ci * c->kh * c->kw;
	double sum = 0;

	for (long ci = 0; ci < c->ci; ci++)
		for (long kh = 0; kh < c->kh; kh++)
			for (long kw = 0; kw < c->kw; kw++) {
				long h = ho * c->stride - c->pad + kh,
				     v = wo * c->stride - c->pad + kw;
				if (h >= 0 && h < c->h && v >= 0 && v < c->w)
					sum += x[(ci * c->h + h) * c->w + v]
					       * w[(ci * c->kh + kh) * c->kw + kw];
			}
	r->out[0][unit] = sum;
}

const struct reference_kind reference_conv = { conv_units, conv_unit };

static long conv_data_units(const struct plan *p, const struct op *op)
{
	const struct op_conv *c = &op->p.conv;

	(void)p;
	return c->n * c->ci * c->h * c->w;
}

/* Every output pixel that this input pixel had part in. */
static void conv_data_unit(const struct reference *r, long unit)
{
	const struct op_conv *c = &r->op->p.conv;
	long v = unit % c->w, h = unit / c->w % c->h, ci = unit / (c->w * c->h) % c->ci;
	const double *dy = r->in[0] + unit / (c->w * c->h * c->ci) * c->co * c->ho * c->wo;
	double sum = 0;

	for (long kh = 0; kh < c->kh; kh++)
		for (long kw = 0; kw < c->kw; kw++) {
			long ho = h + c->pad - kh, wo = v + c->pad - kw;
			if (ho % c->stride || wo % c->stride)
				continue;
			ho /= c->stride;
			wo /= c->stride;
			if (ho < 0 || ho >= c->ho || wo < 0 || wo >= c->wo)
				continue;
			for (long co = 0; co < c->co; co++)
				sum += dy[(co * c->ho + ho) * c->wo + wo]
				       * r->in[1][((co * c->ci + ci) * c->kh + kh) * c->kw + kw];
		}
	r->out[0][unit] = sum;
}

const struct reference_kind reference_conv_data = { conv_data_units, conv_data_unit };

static long conv_filter_units(const struct plan *p, const struct op *op)
{
	const struct op_conv *c = &op->p.conv;

	(void)p;
	return c->co * c->ci * c->kh * c->kw;
}

static void conv_filter_unit(const struct reference *r, long unit)
{
	const struct op_conv *c = &r->op->p.conv;
	long kw = unit % c->kw, kh = unit / c->kw % c->kh, ci = unit / (c->kw * c->kh) % c->ci;
	long co = unit / (c->kw * c->kh * c->ci);
	double sum = 0;

	for (long n = 0; n < c->n; n++)
		for (long ho = 0; ho < c->ho; ho++) {
			long h = ho * c->stride - c->pad + kh;
			const double *dy = r->in[0] + ((n * c->co + co) * c->ho + ho) * c->wo;
			if (h < 0 || h >= c->h)
				continue;
			const double *x = r->in[1] + ((n * c->ci + ci) * c->h + h) * c->w;
			for (long wo = 0; wo < c->wo; wo++) {
				long v = wo * c->stride - c->pad + kw;
				if (v >= 0 && v < c->w)
					sum += dy[wo] * x[v];
			}
		}
	r->out[0][unit] = sum;
}

const struct reference_kind reference_conv_filter = { conv_filter_units, conv_filter_unit };

/* One direction of a recurrent layer for one sequence of the batch. Scratch of all steps: gates (t
 * 4h, after their functions), cells and outputs (t h). */
struct lstm {
	const struct op_lstm *p;
	const double *w, *r, *bw, *br;
	bool reversed;
	long sequence;
	double *gates, *cells, *outputs;
};

static void out_of_memory(void)
{
	struct arena none = { 0 };

	arena_array(&none, (size_t)-1, 2); /* says so and ends the program, as everywhere */
}

static double *numbers(long n)
{
	double *v = calloc((size_t)n, sizeof *v);

	if (!v)
		out_of_memory();
	return v;
}

static struct lstm lstm_open(const struct op_lstm *p, const double *packed, int direction,
			     long sequence)
{
	long h = p->hidden, size = 4 * h * (p->input + h) + 8 * h;
	const double *w = packed + direction * size;

	return (struct lstm){ .p = p,
			      .w = w,
			      .r = w + 4 * h * p->input,
			      .bw = w + 4 * h * (p->input + h),
			      .br = w + 4 * h * (p->input + h) + 4 * h,
			      .reversed = direction == 1,
			      .sequence = sequence,
			      .gates = numbers(p->steps * 4 * h),
			      .cells = numbers(p->steps * h),
			      .outputs = numbers(p->steps * h) };
}

static void lstm_close(struct lstm *l)
{
	free(l->gates);
	free(l->cells);
	free(l->outputs);
}

static double dot(const double *a, const double *b, long n)
{
	double sum = 0;

	for (long i = 0; i < n; i++)
		sum += a[i] * b[i];
	return sum;
}

static double sigmoid(double x)
{
	return 1 / (1 + exp(-x));
}

/* The i-th step in the order of this direction stands at this time. */
static long time_of(const struct lstm *l, long i)
{
	return l->reversed ? l->p->steps - 1 - i : i;
}

static void lstm_step(struct lstm *l, const double *x, long i)
{
	long h = l->p->hidden, t = time_of(l, i);
	const double *before = i ? l->outputs + time_of(l, i - 1) * h : NULL;
	const double *cell = i ? l->cells + time_of(l, i - 1) * h : NULL;
	const double *xt = x + (t * l->p->batch + l->sequence) * l->p->input;
	double *g = l->gates + t * 4 * h;

	for (long k = 0; k < 4 * h; k++) {
		double sum = l->bw[k] + l->br[k] + dot(l->w + k * l->p->input, xt, l->p->input);
		if (before)
			sum += dot(l->r + k * h, before, h);
		g[k] = k / h == 2 ? tanh(sum) : sigmoid(sum); /* i f c~ o */
	}
	for (long k = 0; k < h; k++) {
		double c = (cell ? g[h + k] * cell[k] : 0) + g[k] * g[2 * h + k];
		l->cells[t * h + k] = c;
		l->outputs[t * h + k] = g[3 * h + k] * tanh(c);
	}
}

static void lstm_forward(struct lstm *l, const double *x)
{
	for (long i = 0; i < l->p->steps; i++)
		lstm_step(l, x, i);
}

static long lstm_units(const struct plan *p, const struct op *op)
{
	(void)p;
	return op->p.lstm.batch;
}

static void lstm_unit(const struct reference *r, long unit)
{
	const struct op_lstm *p = &r->op->p.lstm;

	for (int d = 0; d < 2; d++) {
		struct lstm l = lstm_open(p, r->in[1], d, unit);
		lstm_forward(&l, r->in[0]);
		for (long t = 0; t < p->steps; t++)
			memcpy(r->out[0] + ((t * p->batch + unit) * 2 + d) * p->hidden,
			       l.outputs + t * p->hidden, sizeof(double) * (size_t)p->hidden);
		lstm_close(&l);
	}
}

const struct reference_kind reference_lstm = { lstm_units, lstm_unit };

/* Gradients of the gates before their functions, all steps (t 4h), over l->gates, which they
 * replace. */
static void gate_gradients(struct lstm *l, const double *dy, int direction)
{
	long h = l->p->hidden;
	double *dh = numbers(h), *dc = numbers(h);

	for (long i = l->p->steps - 1; i >= 0; i--) {
		long t = time_of(l, i);
		const double *cell = i ? l->cells + time_of(l, i - 1) * h : NULL;
		const double *dyt = dy + ((t * l->p->batch + l->sequence) * 2 + direction) * h;
		double *g = l->gates + t * 4 * h;
		for (long k = 0; k < h; k++) {
			double gi = g[k], gf = g[h + k], gc = g[2 * h + k], go = g[3 * h + k];
			double tc = tanh(l->cells[t * h + k]), d = dh[k] + dyt[k];
			double dck = dc[k] + d * go * (1 - tc * tc);
			g[k] = dck * gc * gi * (1 - gi);
			g[h + k] = cell ? dck * cell[k] * gf * (1 - gf) : 0;
			g[2 * h + k] = dck * gi * (1 - gc * gc);
			g[3 * h + k] = d * tc * go * (1 - go);
			dc[k] = dck * gf;
			dh[k] = 0;
		}
		for (long k = 0; k < 4 * h; k++)
			for (long j = 0; j < h; j++)
				dh[j] += g[k] * l->r[k * h + j];
	}
	free(dh);
	free(dc);
}

/* A sequence: its dx. The unit behind the last: all of dw. */
static long lstm_bwd_units(const struct plan *p, const struct op *op)
{
	(void)p;
	return op->p.lstm.batch + 1;
}

static void input_gradient(const struct reference *r, const struct lstm *l)
{
	const struct op_lstm *p = l->p;
	long h = p->hidden;

	for (long t = 0; t < p->steps; t++) {
		double *dx = r->out[0] + (t * p->batch + l->sequence) * p->input;
		for (long k = 0; k < 4 * h; k++)
			for (long j = 0; j < p->input; j++)
				dx[j] += l->gates[t * 4 * h + k] * l->w[k * p->input + j];
	}
}

static void weight_gradient(const struct reference *r, const struct lstm *l, double *dw)
{
	const struct op_lstm *p = l->p;
	long h = p->hidden;
	double *dr = dw + 4 * h * p->input, *dbw = dr + 4 * h * h, *dbr = dbw + 4 * h;

	for (long i = 0; i < p->steps; i++) {
		long t = time_of(l, i);
		const double *x = r->in[1] + (t * p->batch + l->sequence) * p->input;
		const double *before = i ? l->outputs + time_of(l, i - 1) * h : NULL;
		for (long k = 0; k < 4 * h; k++) {
			double g = l->gates[t * 4 * h + k];
			for (long j = 0; j < p->input; j++)
				dw[k * p->input + j] += g * x[j];
			for (long j = 0; before && j < h; j++)
				dr[k * h + j] += g * before[j];
			dbw[k] += g;
			dbr[k] += g;
		}
	}
}

static void zero_inputs(const struct reference *r, long sequence)
{
	const struct op_lstm *p = &r->op->p.lstm;

	for (long t = 0; t < p->steps; t++)
		memset(r->out[0] + (t * p->batch + sequence) * p->input, 0,
		       sizeof(double) * (size_t)p->input);
}

static void lstm_bwd_unit(const struct reference *r, long unit)
{
	const struct op_lstm *p = &r->op->p.lstm;
	long size = 4 * p->hidden * (p->input + p->hidden) + 8 * p->hidden;
	bool weights = unit == p->batch;
	long first = weights ? 0 : unit, last = weights ? p->batch - 1 : unit;

	if (!weights && !r->out[0])
		return;
	if (weights)
		memset(r->out[1], 0, sizeof(double) * (size_t)(2 * size));
	else
		zero_inputs(r, unit);
	for (long b = first; b <= last; b++)
		for (int d = 0; d < 2; d++) {
			struct lstm l = lstm_open(p, r->in[3], d, b);
			lstm_forward(&l, r->in[1]);
			gate_gradients(&l, r->in[0], d);
			if (weights)
				weight_gradient(r, &l, r->out[1] + d * size);
			else
				input_gradient(r, &l);
			lstm_close(&l);
		}
}

const struct reference_kind reference_lstm_bwd = { lstm_bwd_units, lstm_bwd_unit };

/* A head of a sequence. Row i of q, k, v in a packed tensor (b s 3 heads d): part 0, 1, 2. */
static const double *packed(const double *qkv, const struct op_attention *a, long b, long i,
			    int part, long head)
{
	return qkv + (((b * a->queries + i) * 3 + part) * a->heads + head) * a->width;
}

static long attention_units(const struct plan *p, const struct op *op)
{
	(void)p;
	return op->p.attention.batch * op->p.attention.heads;
}

/* Probabilities of query i over `keys` keys. */
static void probabilities(const struct op_attention *a, const double *qkv, long b, long head,
			  long i, double *p)
{
	const double *q = packed(qkv, a, b, i, 0, head);
	long seen = a->causal ? i + 1 : a->keys;
	double max = -INFINITY, sum = 0;

	for (long j = 0; j < seen; j++) {
		p[j] = dot(q, packed(qkv, a, b, j, 1, head), a->width) / sqrt((double)a->width);
		max = fmax(max, p[j]);
	}
	for (long j = 0; j < seen; j++)
		sum += p[j] = exp(p[j] - max);
	for (long j = 0; j < a->keys; j++)
		p[j] = j < seen ? p[j] / sum : 0;
}

static void attention_unit(const struct reference *r, long unit)
{
	const struct op_attention *a = &r->op->p.attention;
	long b = unit / a->heads, head = unit % a->heads;
	double *p = numbers(a->keys);

	for (long i = 0; i < a->queries; i++) {
		double *y = r->out[0] + ((b * a->queries + i) * a->heads + head) * a->width;
		probabilities(a, r->in[0], b, head, i, p);
		memset(y, 0, sizeof *y * (size_t)a->width);
		for (long j = 0; j < a->keys; j++)
			for (long k = 0; k < a->width; k++)
				y[k] += p[j] * packed(r->in[0], a, b, j, 2, head)[k];
	}
	free(p);
}

const struct reference_kind reference_attention = { attention_units, attention_unit };

/* Where a gradient of q, k or v goes. */
static double *gradient(const struct reference *r, long b, long i, int part, long head)
{
	return (double *)(size_t)packed(r->out[0], &r->op->p.attention, b, i, part, head);
}

/* dv = p^T dy; ds = p (dp - sum p dp) / sqrt(d); dq = ds k; dk = ds^T q. */
static void query_backward(const struct reference *r, long b, long head, long i, double *p,
			   double *dp)
{
	const struct op_attention *a = &r->op->p.attention;
	const double *qkv = r->in[1], *q = packed(qkv, a, b, i, 0, head);
	const double *dy = r->in[0] + ((b * a->queries + i) * a->heads + head) * a->width;
	double *dq = gradient(r, b, i, 0, head), sum = 0;

	probabilities(a, qkv, b, head, i, p);
	for (long j = 0; j < a->keys; j++) {
		dp[j] = dot(dy, packed(qkv, a, b, j, 2, head), a->width);
		sum += p[j] * dp[j];
	}
	for (long j = 0; j < a->keys; j++) {
		double ds = p[j] * (dp[j] - sum) / sqrt((double)a->width);
		double *dk = gradient(r, b, j, 1, head), *dv = gradient(r, b, j, 2, head);
		const double *k = packed(qkv, a, b, j, 1, head);
		for (long c = 0; c < a->width; c++) {
			dq[c] += ds * k[c];
			dk[c] += ds * q[c];
			dv[c] += p[j] * dy[c];
		}
	}
}

static void attention_bwd_unit(const struct reference *r, long unit)
{
	const struct op_attention *a = &r->op->p.attention;
	long b = unit / a->heads, head = unit % a->heads;
	double *p = numbers(a->keys), *dp = numbers(a->keys);

	for (long i = 0; i < a->queries; i++)
		for (int part = 0; part < 3; part++)
			memset(gradient(r, b, i, part, head), 0, sizeof(double) * (size_t)a->width);
	for (long i = 0; i < a->queries; i++)
		query_backward(r, b, head, i, p, dp);
	free(p);
	free(dp);
}

const struct reference_kind reference_attention_bwd = { attention_units, attention_bwd_unit };

/* The new token's k and v become the last of the cache; then as above with one query. */
static void attention_cache_unit(const struct reference *r, long unit)
{
	const struct op_attention *a = &r->op->p.attention;
	long b = unit / a->heads, head = unit % a->heads, d = a->width;
	const double *q = packed(r->in[0], a, b, 0, 0, head),
		     *k = packed(r->in[0], a, b, 0, 1, head);
	const double *v = packed(r->in[0], a, b, 0, 2, head);
	long cache = (b * a->kv_heads + head) * a->keys * d, last = cache + (a->keys - 1) * d;
	double *p = numbers(a->keys), *y = r->out[0] + (b * a->heads + head) * d, max = -INFINITY,
	       sum = 0;

	for (long j = 0; j < a->keys; j++) {
		p[j] = dot(q, j == a->keys - 1 ? k : r->in[1] + cache + j * d, d) / sqrt((double)d);
		max = fmax(max, p[j]);
	}
	for (long j = 0; j < a->keys; j++)
		sum += p[j] = exp(p[j] - max);
	memset(y, 0, sizeof *y * (size_t)d);
	for (long j = 0; j < a->keys; j++)
		for (long c = 0; c < d; c++)
			y[c] += p[j] / sum * (j == a->keys - 1 ? v : r->in[2] + cache + j * d)[c];
	memcpy(r->out[1] + last, k, sizeof *k * (size_t)d);
	memcpy(r->out[2] + last, v, sizeof *v * (size_t)d);
	free(p);
}

const struct reference_kind reference_attention_cache = { attention_units, attention_cache_unit };
