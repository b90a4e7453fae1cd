#include "onednn_vector.h"

#include <math.h>
#include <string.h>

#ifdef __clang__
#pragma clang diagnostic ignored                                                                   \
    "-Wpass-failed" /* a loop that it cannot vectorise for the oldest machines */
#endif

/* One object file for every machine of the kind: the loader chooses among the copies. Sanitizers,
 * other architectures and clang before 17 (which gives the chooser another name) have the plain
 * one. */
#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__)                                          \
    && (!defined(__clang__) || __clang_major__ >= 17)
#define EVERY_SET __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define EVERY_SET
#endif

static inline uint32_t bits_of(float x)
{
	uint32_t u;

	memcpy(&u, &x, sizeof u);
	return u;
}

static inline float float_of(uint32_t u)
{
	float x;

	memcpy(&x, &u, sizeof x);
	return x;
}

/* NaN has no nearest: it keeps its upper half and stays NaN. */
static inline uint16_t narrow(float x)
{
	uint32_t u = bits_of(x), up = (u + 0x7fff + (u >> 16 & 1)) >> 16, nan = u >> 16 | 0x40;

	return (uint16_t)((u & 0x7fffffff) > 0x7f800000 ? nan : up);
}

EVERY_SET void vector_widen(float *y, const uint16_t *x, long n)
{
	for (long i = 0; i < n; i++)
		y[i] = float_of((uint32_t)x[i] << 16);
}

EVERY_SET void vector_narrow(uint16_t *y, const float *x, long n)
{
	for (long i = 0; i < n; i++)
		y[i] = narrow(x[i]);
}

EVERY_SET void vector_add(float *z, const float *x, const float *y, long n)
{
	for (long i = 0; i < n; i++)
		z[i] = x[i] + y[i];
}

EVERY_SET void vector_axpy(float *y, float a, const float *x, long n)
{
	for (long i = 0; i < n; i++)
		y[i] += a * x[i];
}

EVERY_SET void vector_scale(float *y, float a, const float *x, long n)
{
	for (long i = 0; i < n; i++)
		y[i] = a * x[i];
}

EVERY_SET void vector_shift(float *y, float a, const float *x, long n)
{
	for (long i = 0; i < n; i++)
		y[i] = a + x[i];
}

enum { PIECE = 4096 };

static inline float piece_sum(const float *x, long n)
{
	float sum = 0;

#pragma omp simd reduction(+ : sum)
	for (long i = 0; i < n; i++)
		sum += x[i];
	return sum;
}

EVERY_SET double vector_sum(const float *x, long n)
{
	double sum = 0;

	for (long i = 0; i < n; i += PIECE)
		sum += (double)piece_sum(x + i, n - i < PIECE ? n - i : PIECE);
	return sum;
}

EVERY_SET float vector_dot(const float *x, const float *y, long n)
{
	float sum = 0;

#pragma omp simd reduction(+ : sum)
	for (long i = 0; i < n; i++)
		sum += x[i] * y[i];
	return sum;
}

EVERY_SET float vector_dot_half(const float *x, const uint16_t *y, long n)
{
	float sum = 0;

#pragma omp simd reduction(+ : sum)
	for (long i = 0; i < n; i++)
		sum += x[i] * float_of((uint32_t)y[i] << 16);
	return sum;
}

EVERY_SET float vector_max(const float *x, long n)
{
	float max = -INFINITY;

#pragma omp simd reduction(max : max)
	for (long i = 0; i < n; i++)
		max = x[i] > max ? x[i] : max;
	return max;
}

/* exp(x) = 2^n exp(r), |r| <= ln 2 / 2, the latter by its series up to r^7 (rest under 1e-8).
 * Adding and taking away 1.5 2^23 rounds; where the result would not be a normal number it is 0 or
 * the largest power. */
static inline float exponential(float x)
{
	const float magic = 12582912.0f;

	x = x < -87.0f ? -87.0f : x > 88.0f ? 88.0f : x;
	float t = x * 1.44269504f + magic, n = t - magic;
	float r = x - n * 0.693359375f + n * 2.12194440e-4f; /* ln 2 in two parts */
	float p = 1 / 5040.0f;
	p = p * r + 1 / 720.0f;
	p = p * r + 1 / 120.0f;
	p = p * r + 1 / 24.0f;
	p = p * r + 1 / 6.0f;
	p = p * r + 0.5f;
	p = p * r + 1;
	p = p * r + 1;
	return p * float_of((bits_of(t) - bits_of(magic) + 127) << 23);
}

EVERY_SET float vector_exp_sum(float *y, const float *x, float scale, float max, long n)
{
	float sum = 0;

#pragma omp simd reduction(+ : sum)
	for (long i = 0; i < n; i++) {
		float e = exponential(scale * x[i] - max);
		y[i] = e;
		sum += e;
	}
	return sum;
}

/* Abramowitz and Stegun 7.1.26. */
static inline float error_function(float x)
{
	float a = fabsf(x), t = 1 / (1 + 0.3275911f * a);
	float p =
	    t
	    * (0.254829592f
	       + t * (-0.284496736f + t * (1.421413741f + t * (-1.453152027f + t * 1.061405429f))));
	float e = 1 - p * exponential(-a * a);

	return x < 0 ? -e : e;
}

static inline float sigmoid(float x)
{
	return 1 / (1 + exponential(-x));
}

static const float half_root = 0.70710678f, density = 0.39894228f; /* 1 / sqrt 2, 1 / sqrt(2 pi) */

EVERY_SET static void gelu(float *y, const float *x, long n)
{
	for (long i = 0; i < n; i++)
		y[i] = 0.5f * x[i] * (1 + error_function(x[i] * half_root));
}

EVERY_SET static void relu(float *y, const float *x, long n)
{
	for (long i = 0; i < n; i++)
		y[i] = x[i] < 0 ? 0 : x[i];
}

EVERY_SET static void silu(float *y, const float *x, long n)
{
	for (long i = 0; i < n; i++)
		y[i] = x[i] * sigmoid(x[i]);
}

void vector_activate(float *y, const float *x, enum activation a, long n)
{
	switch (a) {
	case ACTIVATION_NONE:
		if (y != x)
			memcpy(y, x, sizeof *y * (size_t)n);
		break;
	case ACTIVATION_RELU:
		relu(y, x, n);
		break;
	case ACTIVATION_GELU:
		gelu(y, x, n);
		break;
	case ACTIVATION_SILU:
		silu(y, x, n);
		break;
	}
}

EVERY_SET static void gelu_slope(float *dx, const float *dy, const float *x, long n)
{
	for (long i = 0; i < n; i++)
		dx[i] = dy[i] * (0.5f * (1 + error_function(x[i] * half_root))
				 + x[i] * density * exponential(-0.5f * x[i] * x[i]));
}

EVERY_SET static void silu_slope(float *dx, const float *dy, const float *x, long n)
{
	for (long i = 0; i < n; i++) {
		float s = sigmoid(x[i]);
		dx[i] = dy[i] * s * (1 + x[i] * (1 - s));
	}
}

EVERY_SET void vector_mask(float *g, const float *dy, const float *y, long n)
{
	for (long i = 0; i < n; i++)
		g[i] = y[i] > 0 ? dy[i] : 0;
}

void vector_activate_slope(float *dx, const float *dy, const float *x, enum activation a, long n)
{
	switch (a) {
	case ACTIVATION_NONE:
		vector_activate(dx, dy, a, n);
		break;
	case ACTIVATION_RELU:
		vector_mask(dx, dy, x, n);
		break;
	case ACTIVATION_GELU:
		gelu_slope(dx, dy, x, n);
		break;
	case ACTIVATION_SILU:
		silu_slope(dx, dy, x, n);
		break;
	}
}

EVERY_SET void vector_swiglu(float *y, const float *gate, const float *up, long n)
{
	for (long i = 0; i < n; i++)
		y[i] = gate[i] * sigmoid(gate[i]) * up[i];
}

EVERY_SET void vector_softmax_bwd(float *dx, const float *dy, const float *y, float scale,
				  float dot, long n)
{
	for (long i = 0; i < n; i++)
		dx[i] = scale * y[i] * (dy[i] - dot);
}

EVERY_SET void vector_rotate(float *a, float *b, const float *cosine, const float *sine, long n)
{
	for (long i = 0; i < n; i++) {
		float x = a[i], y = b[i];
		a[i] = x * cosine[i] - y * sine[i];
		b[i] = y * cosine[i] + x * sine[i];
	}
}

EVERY_SET void vector_moments(const float *x, long n, float *mean, float *var)
{
	float sum = 0, square = 0;

#pragma omp simd reduction(+ : sum)
	for (long i = 0; i < n; i++)
		sum += x[i];
	float m = sum / (float)n;
#pragma omp simd reduction(+ : square)
	for (long i = 0; i < n; i++)
		square += (x[i] - m) * (x[i] - m);
	*mean = m;
	*var = square / (float)n;
}

EVERY_SET void vector_normalise(float *y, const float *x, float mean, float inv, const float *gamma,
				const float *beta, long n)
{
	for (long i = 0; i < n; i++)
		y[i] = (x[i] - mean) * inv * gamma[i] + beta[i];
}

EVERY_SET void vector_norm_sums(const float *dy, const float *x, const struct vector_norm *p,
				long n, float *g, float *gx)
{
	const float mean = p->mean, inv = p->inv, *restrict gamma = p->gamma;
	float *restrict dgamma = p->dgamma, *restrict dbeta = p->dbeta, s = 0, d = 0;

#pragma omp simd reduction(+ : s, d)
	for (long i = 0; i < n; i++) {
		float xhat = (x[i] - mean) * inv, v = dy[i] * gamma[i];
		dgamma[i] += dy[i] * xhat;
		dbeta[i] += dy[i];
		s += v;
		d += v * xhat;
	}
	*g = s;
	*gx = d;
}

EVERY_SET void vector_norm_bwd(float *dx, const float *dy, const float *x,
			       const struct vector_norm *p, float g, float gx, long n)
{
	const float mean = p->mean, inv = p->inv, *gamma = p->gamma;

	for (long i = 0; i < n; i++)
		dx[i] = inv * (dy[i] * gamma[i] - g - (x[i] - mean) * inv * gx);
}

/* The loops over channels are written for a block of 16, which is a register, and for any other. */
enum { BLOCK = 16 };

static inline void moments_block(const float *restrict x, const float *restrict shift,
				 float *restrict sum, float *restrict dot, long block, long pixels)
{
	for (long p = 0; p < pixels; p++, x += block)
		for (long c = 0; c < block; c++) {
			float d = x[c] - shift[c];
			sum[c] += d;
			dot[c] += d * d;
		}
}

static inline void moments_16(const float *restrict x, const float *restrict shift,
			      float *restrict sum, float *restrict dot, long pixels)
{
	float s[BLOCK] = { 0 }, d[BLOCK] = { 0 };

	for (long p = 0; p < pixels; p++)
#pragma omp simd
		for (long c = 0; c < BLOCK; c++) {
			float v = x[p * BLOCK + c] - shift[c];
			s[c] += v;
			d[c] += v * v;
		}
	for (long c = 0; c < BLOCK; c++) {
		sum[c] += s[c];
		dot[c] += d[c];
	}
}

EVERY_SET void vector_channel_moments(const float *x, const struct vector_channels *p, long pixels)
{
	if (p->block == BLOCK)
		moments_16(x, p->a, p->sum, p->dot, pixels);
	else
		moments_block(x, p->a, p->sum, p->dot, p->block, pixels);
}

static inline void apply_block(float *y, const float *x, const float *r, const float *restrict a,
			       const float *restrict b, long block, long pixels, float low)
{
	for (long p = 0; p < pixels; p++)
#pragma omp simd
		for (long c = 0; c < block; c++) {
			long i = p * block + c;
			float v = a[c] * x[i] + b[c] + (r ? r[i] : 0);
			y[i] = v < low ? low : v;
		}
}

EVERY_SET void vector_channel_apply(float *y, const float *x, const float *r,
				    const struct vector_channels *p, long pixels)
{
	float low = p->relu ? 0 : -INFINITY;

	if (p->block == BLOCK && r)
		apply_block(y, x, r, p->a, p->b, BLOCK, pixels, low);
	else if (p->block == BLOCK)
		apply_block(y, x, NULL, p->a, p->b, BLOCK, pixels, low);
	else
		apply_block(y, x, r, p->a, p->b, p->block, pixels, low);
}

static inline void sums_block(float *g, const float *dy, const float *x, const float *y,
			      const float *restrict a, const float *restrict b, float *restrict sum,
			      float *restrict dot, long block, long pixels)
{
	for (long p = 0; p < pixels; p++)
#pragma omp simd
		for (long c = 0; c < block; c++) {
			long i = p * block + c;
			float v = !y || y[i] > 0 ? dy[i] : 0;
			g[i] = v;
			sum[c] += v;
			dot[c] += v * (x[i] - a[c]) * b[c];
		}
}

EVERY_SET void vector_channel_sums(float *g, const float *dy, const float *x, const float *y,
				   const struct vector_channels *p, long pixels)
{
	float s[BLOCK] = { 0 }, d[BLOCK] = { 0 };

	if (p->block != BLOCK) {
		sums_block(g, dy, x, p->relu ? y : NULL, p->a, p->b, p->sum, p->dot, p->block,
			   pixels);
		return;
	}
	if (p->relu)
		sums_block(g, dy, x, y, p->a, p->b, s, d, BLOCK, pixels);
	else
		sums_block(g, dy, x, NULL, p->a, p->b, s, d, BLOCK, pixels);
	for (long c = 0; c < BLOCK; c++) {
		p->sum[c] += s[c];
		p->dot[c] += d[c];
	}
}

static inline void bwd_block(float *dx, const float *g, const float *x, const float *restrict a,
			     const float *restrict b, const float *restrict k, long block,
			     long pixels)
{
	for (long p = 0; p < pixels; p++)
#pragma omp simd
		for (long c = 0; c < block; c++) {
			long i = p * block + c;
			dx[i] = a[c] * g[i] + b[c] * x[i] + k[c];
		}
}

EVERY_SET void vector_channel_bwd(float *dx, const float *g, const float *x,
				  const struct vector_channels *p, long pixels)
{
	if (p->block == BLOCK)
		bwd_block(dx, g, x, p->a, p->b, p->c, BLOCK, pixels);
	else
		bwd_block(dx, g, x, p->a, p->b, p->c, p->block, pixels);
}

static inline void window_values(const float *x, const struct vector_window *w,
				 float *restrict best, long block)
{
	for (long c = 0; c < block; c++)
		best[c] = -INFINITY;
	for (long h = w->row; h < w->row + w->rows; h++)
		for (long v = w->col; v < w->col + w->cols; v++) {
			const float *at = x + (h * w->width + v) * block;
#pragma omp simd
			for (long c = 0; c < block; c++)
				best[c] = at[c] > best[c] ? at[c] : best[c];
		}
}

static inline void window_places(const float *x, const struct vector_window *w,
				 float *restrict best, int32_t *restrict where, long block)
{
	for (long c = 0; c < block; c++) {
		best[c] = -INFINITY;
		where[c] = -1;
	}
	for (long h = w->row; h < w->row + w->rows; h++)
		for (long v = w->col; v < w->col + w->cols; v++) {
			int32_t pixel = (int32_t)(h * w->width + v);
			const float *at = x + pixel * block;
#pragma omp simd
			for (long c = 0; c < block; c++) {
				where[c] = at[c] > best[c] ? pixel : where[c];
				best[c] = at[c] > best[c] ? at[c] : best[c];
			}
		}
}

EVERY_SET void vector_window_max(const float *x, const struct vector_window *w, float *best,
				 int32_t *where)
{
	if (where && w->block == BLOCK)
		window_places(x, w, best, where, BLOCK);
	else if (where)
		window_places(x, w, best, where, w->block);
	else if (w->block == BLOCK)
		window_values(x, w, best, BLOCK);
	else
		window_values(x, w, best, w->block);
}

EVERY_SET void vector_sgd(float *m, const float *g, float *v, const struct vector_rule *r, long n)
{
	const float rate = r->rate, momentum = r->momentum, decay = r->decay;

	for (long i = 0; i < n; i++) {
		v[i] = momentum * v[i] + g[i] + decay * m[i];
		m[i] -= rate * v[i];
	}
}

EVERY_SET void vector_adam(float *w, const float *g, float *m, float *v,
			   const struct vector_rule *r, long n)
{
	const struct vector_rule k = *r;

	for (long i = 0; i < n; i++) {
		m[i] = k.beta1 * m[i] + k.rest1 * g[i];
		v[i] = k.beta2 * v[i] + k.rest2 * g[i] * g[i];
		w[i] -=
		    k.rate
		    * (m[i] * k.correct1 / (sqrtf(v[i] * k.correct2) + k.epsilon) + k.decay * w[i]);
	}
}
