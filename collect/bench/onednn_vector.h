/* Loops over runs of floats that the compiler vectorises, made for several instruction sets; the
 * loader takes the best that the machine has. No memory, no threads. n may be 0; x and y may be the
 * same array where they have one index. Errors: exp within 2e-7 relative, erf within 2e-7
 * absolute. */
#ifndef BENCH_ONEDNN_VECTOR_H
#define BENCH_ONEDNN_VECTOR_H

#include "plan.h"

#include <stdbool.h>
#include <stdint.h>

/* bf16 is the upper half of a float; rounded to nearest, ties to even. */
void vector_widen(float *y, const uint16_t *x, long n);
void vector_narrow(uint16_t *y, const float *x, long n);

void vector_add(float *z, const float *x, const float *y, long n);
void vector_axpy(float *y, float a, const float *x, long n);            /* y += a x */
void vector_scale(float *y, float a, const float *x, long n);           /* y = a x */
void vector_shift(float *y, float a, const float *x, long n);           /* y = a + x */
/* pieces of 4096 in float, these in double */
double vector_sum(const float *x, long n);
float vector_dot(const float *x, const float *y, long n);
float vector_dot_half(const float *x, const uint16_t *y, long n);      /* y in bf16 */
float vector_max(const float *x, long n);                               /* -inf for none */
/* y = exp(scale x - max); the sum */
float vector_exp_sum(float *y, const float *x, float scale, float max, long n);
void vector_activate(float *y, const float *x, enum activation a, long n);
void vector_activate_slope(float *dx, const float *dy, const float *x, enum activation a, long n);
void vector_swiglu(float *y, const float *gate, const float *up, long n);
/* dx = scale y (dy - dot) */
void vector_softmax_bwd(float *dx, const float *dy, const float *y, float scale, float dot, long n);
void vector_rotate(float *a, float *b, const float *cosine, const float *sine, long n);

/* Layer norm. moments: mean and biased variance of one row. */
void vector_moments(const float *x, long n, float *mean, float *var);
void vector_normalise(float *y, const float *x, float mean, float inv, const float *gamma,
		      const float *beta, long n);
/* Adds dy xhat and dy to dgamma and dbeta, and gives the sums of g and g xhat, g = dy gamma. */
struct vector_norm { float mean, inv; const float *gamma; float *dgamma, *dbeta; };
void vector_norm_sums(const float *dy, const float *x, const struct vector_norm *p, long n,
		      float *g, float *gx);
void vector_norm_bwd(float *dx, const float *dy, const float *x, const struct vector_norm *p,
		     float g, float gx, long n);

/* Batch norm of a run of pixels x block channels; arrays of one float a channel. */
struct vector_channels {
	long block;
	const float *a, *b, *c; /* see each */
	float *sum, *dot;
	bool relu;
};
/* sum += x - a, dot += (x - a)^2 */
void vector_channel_moments(const float *x, const struct vector_channels *p, long pixels);
/* y = a x + b + r, cut at 0 with relu; r may be NULL */
void vector_channel_apply(float *y, const float *x, const float *r, const struct vector_channels *p,
			  long pixels);
/* g = dy where y > 0 (all of it without relu), into g; sum += g, dot += g (x - a) b */
void vector_channel_sums(float *g, const float *dy, const float *x, const float *y,
			 const struct vector_channels *p, long pixels);
/* dx = a g + b x + c */
void vector_channel_bwd(float *dx, const float *g, const float *x, const struct vector_channels *p,
			long pixels);
/* g = dy where y > 0 */
void vector_mask(float *g, const float *dy, const float *y, long n);

/* Pools: the largest of each channel of a window, pixels of `block` channels, rows of `width`
 * pixels. where: NULL, or out: the pixel of the first of them in row order; -1 where nothing is a
 * number. */
struct vector_window { long row, rows, col, cols, width, block; };
void vector_window_max(const float *x, const struct vector_window *w, float *best, int32_t *where);

/* Optimizers: m in and out is the trained value. */
struct vector_rule {
	float rate, momentum, beta1, rest1, beta2, rest2, epsilon, decay, correct1,
	    correct2; /* rest: 1 - beta, which
	                                                                      * as a difference of
	                                                                      * floats is off */
};
void vector_sgd(float *m, const float *g, float *v, const struct vector_rule *r, long n);
void vector_adam(float *w, const float *g, float *m, float *v, const struct vector_rule *r, long n);

#endif
