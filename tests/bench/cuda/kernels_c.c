/* The kernels as C, for one VALUE. */
#include "shim.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wsign-compare"
#pragma GCC diagnostic ignored "-Wunused-function"

#define KERNEL static void
#define DEVICE static inline
#define SHARED static
#define DYNAMIC(name) float *name = shim_dynamic
#define ALIGN16 __attribute__((aligned(16)))
#define SHUFFLE(v, mask) shim_shuffle(v, mask)
#define __syncthreads() shim_block_barrier()
#define atomicAdd(p, v) (*(p) += (v))

static inline unsigned float_bits(float f)
{
	unsigned u;

	memcpy(&u, &f, sizeof u);
	return u;
}

static inline float bits_float(unsigned u)
{
	float f;

	memcpy(&f, &u, sizeof f);
	return f;
}

/* By arithmetic of their own, not as the backend converts: a half is (-1)^s 2^(e - 15) (1 + f /
 * 1024). */
static inline float half_to_float(unsigned short h)
{
	int e = h >> 10 & 31, f = h & 1023;
	float v = e == 31 ? (f ? NAN : INFINITY)
		  : e     ? ldexpf((float)(1024 + f), e - 25)
			  : ldexpf((float)f, -24);

	return h & 0x8000 ? -v : v;
}

static inline unsigned short float_to_half(float v)
{
	unsigned short sign = signbit(v) ? 0x8000 : 0;
	float a = fabsf(v);
	int e;

	if (isnan(v))
		return 0x7fff;
	frexpf(a, &e);
	e = a < 0x1p-14f ? -13
			 : e; /* a = m 2^(e - 11), m whole: 11 bits, or fewer when subnormal */
	float m = isinf(a) ? INFINITY : nearbyintf(ldexpf(a, 11 - e));
	if (isinf(m) || ldexpf(m, e - 11) >= 65520)
		return (unsigned short)(sign | 0x7c00);
	if (m >= 2048) {
		m /= 2;
		e++;
	}
	return (unsigned short)(sign | (m < 1024 ? (int)m : ((e + 14) << 10) + (int)m - 1024));
}

#include "../../../collect/bench/cuda_kernels.cu"
#include "../../../collect/bench/cuda_kernels_more.cu"

#define CALLS_2(n) shim_kernels_##n
#define CALLS_1(n) CALLS_2(n)
#define SHIM_KERNELS CALLS_1(VALUE)
#include "kernel_calls.h"
