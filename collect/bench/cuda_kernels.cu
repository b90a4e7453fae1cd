/* Our own kernels, compiled at run time by NVRTC for the card at hand, without any header. They are
 * written in what C and CUDA have in common, so that the tests compile this very text with a C
 * compiler and compare it with the reference.
 *
 * VALUE: what tensors of the plan's precision are stored as: 0 fp32, 1 fp16, 2 bf16. Where a tensor
 * may be either, `f32` says that it is fp32. Sums and functions are in fp32. Pointers are aligned
 * to 256 bytes; rows need not be. Images lie n h w c where pixels is 0, else n c h w with so many
 * pixels. One block a row, or a loop over the whole grid; sums over rows are made in two passes, so
 * that they are the same every time. */
#ifdef __CUDACC_RTC__
#define KERNEL extern "C" __global__ void
#define DEVICE static __device__ __forceinline__
#define SHARED __shared__
#define DYNAMIC(name) extern __shared__ float name[]
#define ALIGN16 __align__(16)
#define SHUFFLE(v, mask) __shfl_xor_sync(0xffffffffu, v, mask)

DEVICE float half_to_float(unsigned short h)
{
	float f;

	asm("cvt.f32.f16 %0, %1;" : "=f"(f) : "h"(h));
	return f;
}

DEVICE unsigned short float_to_half(float f)
{
	unsigned short h;

	asm("cvt.rn.f16.f32 %0, %1;" : "=h"(h) : "f"(f));
	return h;
}

#define float_bits(f) __float_as_uint(f)
#define bits_float(u) __uint_as_float(u)
#define INFINITY bits_float(0x7f800000u)
#endif

/* To the nearest, ties to even; what is not a number stays so. */
DEVICE unsigned short float_to_bf16(float f)
{
	unsigned u = float_bits(f);

	if ((u & 0x7fffffffu) > 0x7f800000u)
		return 0x7fff;
	return (unsigned short)((u + 0x7fffu + (u >> 16 & 1u)) >> 16);
}

#if VALUE == 0
#define PACK 4
#define RAW float
#define FROM_RAW(v) (v)
#define TO_RAW(v) (v)
#elif VALUE == 1
#define PACK 8
#define RAW unsigned short
#define FROM_RAW(v) half_to_float(v)
#define TO_RAW(v) float_to_half(v)
#else
#define PACK 8
#define RAW unsigned short
#define FROM_RAW(v) bits_float((unsigned)(v) << 16)
#define TO_RAW(v) float_to_bf16(v)
#endif

/* What one thread moves at a time. */
struct ALIGN16 pack { RAW v[PACK]; };
struct ALIGN16 quad { float v[4]; };

DEVICE float get(const void *p, long i)
{
	return FROM_RAW(((const RAW *)p)[i]);
}

DEVICE void put(void *p, long i, float v)
{
	((RAW *)p)[i] = TO_RAW(v);
}

DEVICE float get_as(const void *p, long i, int f32)
{
	return f32 ? ((const float *)p)[i] : get(p, i);
}

DEVICE void put_as(void *p, long i, int f32, float v)
{
	if (f32)
		((float *)p)[i] = v;
	else
		put(p, i, v);
}

/* PACK values from i, which is a multiple of PACK. */
DEVICE void get_pack(const void *p, long i, float *v)
{
	struct pack k = ((const struct pack *)p)[i / PACK];

	for (int j = 0; j < PACK; j++)
		v[j] = FROM_RAW(k.v[j]);
}

DEVICE void put_pack(void *p, long i, const float *v)
{
	struct pack k;

	for (int j = 0; j < PACK; j++)
		k.v[j] = TO_RAW(v[j]);
	((struct pack *)p)[i / PACK] = k;
}

/* The sum (or maximum) over all threads of the block, in every thread; blocks are whole warps. */
DEVICE float block_sum(float v)
{
	SHARED float part[32];
	int lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;

	for (int m = 16; m > 0; m /= 2)
		v += SHUFFLE(v, m);
	if (lane == 0)
		part[warp] = v;
	__syncthreads();
	v = lane < warps ? part[lane] : 0;
	for (int m = 16; m > 0; m /= 2)
		v += SHUFFLE(v, m);
	__syncthreads();
	return v;
}

DEVICE float block_max(float v)
{
	SHARED float part[32];
	int lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;

	for (int m = 16; m > 0; m /= 2)
		v = fmaxf(v, SHUFFLE(v, m));
	if (lane == 0)
		part[warp] = v;
	__syncthreads();
	v = lane < warps ? part[lane] : part[0];
	for (int m = 16; m > 0; m /= 2)
		v = fmaxf(v, SHUFFLE(v, m));
	__syncthreads();
	return v;
}

/* 1 relu, 2 gelu, 3 silu: the order of enum activation. NaN passes. */
DEVICE float activate(int a, float x)
{
	if (a == 1)
		return x > 0 || x != x ? x : 0;
	if (a == 2)
		return 0.5f * x * (1 + erff(x * 0.70710678118654752f));
	if (a == 3)
		return x / (1 + expf(-x));
	return x;
}

DEVICE float slope(int a, float x)
{
	float s;

	if (a == 1)
		return x > 0 ? 1.0f : 0.0f;
	if (a == 2)
		return 0.5f * (1 + erff(x * 0.70710678118654752f))
		       + x * expf(-0.5f * x * x) * 0.39894228040143268f;
	if (a == 3) {
		s = 1 / (1 + expf(-x));
		return s * (1 + x * (1 - s));
	}
	return 1;
}

#define THREAD ((long)blockIdx.x * blockDim.x + threadIdx.x)
#define THREADS ((long)gridDim.x * blockDim.x)

/* z[r][c] = x[r][c] + y[r][c]; y may be NULL. f32: bits 1 x, 2 y, 4 z. */
KERNEL add_rows(const void *x, const void *y, void *z, long rows, long cols, long ox, long sx,
		long oy, long sy, long oz, long sz, int f32)
{
	for (long r = blockIdx.y; r < rows; r += gridDim.y)
		for (long c = THREAD; c < cols; c += THREADS) {
			float v = get_as(x, ox + r * sx + c, f32 & 1);
			if (y)
				v += get_as(y, oy + r * sy + c, f32 & 2);
			put_as(z, oz + r * sz + c, f32 & 4, v);
		}
}

/* The same where all are VALUE and all sizes, strides and offsets are multiples of PACK. */
KERNEL add_packs(const void *x, const void *y, void *z, long rows, long cols, long ox, long sx,
		 long oy, long sy, long oz, long sz)
{
	for (long r = blockIdx.y; r < rows; r += gridDim.y)
		for (long c = THREAD * PACK; c < cols; c += THREADS * PACK) {
			float v[PACK], w[PACK];
			get_pack(x, ox + r * sx + c, v);
			if (y) {
				get_pack(y, oy + r * sy + c, w);
				for (int j = 0; j < PACK; j++)
					v[j] += w[j];
			}
			put_pack(z, oz + r * sz + c, v);
		}
}

KERNEL activation(const void *x, void *y, long n, int a)
{
	for (long i = THREAD * PACK; i < n; i += THREADS * PACK) {
		float v[PACK];
		if (i + PACK <= n) {
			get_pack(x, i, v);
			for (int j = 0; j < PACK; j++)
				v[j] = activate(a, v[j]);
			put_pack(y, i, v);
		} else {
			for (long k = i; k < n; k++)
				put(y, k, activate(a, get(x, k)));
		}
	}
}

KERNEL activation_bwd(const void *dy, const void *x, void *dx, long n, int a)
{
	for (long i = THREAD * PACK; i < n; i += THREADS * PACK) {
		float v[PACK], d[PACK];
		if (i + PACK <= n) {
			get_pack(x, i, v);
			get_pack(dy, i, d);
			for (int j = 0; j < PACK; j++)
				d[j] *= slope(a, v[j]);
			put_pack(dx, i, d);
		} else {
			for (long k = i; k < n; k++)
				put(dx, k, get(dy, k) * slope(a, get(x, k)));
		}
	}
}

KERNEL swiglu(const void *x, void *y, long rows, long cols)
{
	for (long i = THREAD; i < rows * cols; i += THREADS) {
		long r = i / cols, c = i % cols;
		put(y, i, activate(3, get(x, r * 2 * cols + c)) * get(x, r * 2 * cols + cols + c));
	}
}

/* Where element `row` of channel c lies. */
DEVICE long at_channel(long row, long c, long cols, long pixels)
{
	return pixels ? (row / pixels * cols + c) * pixels + row % pixels : row * cols + c;
}

/* Sums over the rows of one chunk (blockIdx.y) of every column: `width` columns a block, the other
 * threads of a column a row each. kind 0: x. 1: x - x[0] and its square (statistics without loss of
 * digits). 2: g and g xhat of a batch norm, mean and inv of the column. 3: the same of a layer
 * norm, mean and inv of the row. x is dy for 2 and 3, and x0 what was normalised; y the output
 * behind a relu, or NULL. part: chunks x cols of the first sums, then of the second. */
KERNEL column_parts(const void *x, const void *x0, const void *y, const float *mean,
		    const float *inv, float *part, long rows, long cols, long pixels, int width,
		    int kind)
{
	SHARED float first[256], second[256];
	int t = threadIdx.x, lane = t / width, lanes = 256 / width;
	long c = (long)blockIdx.x * width + t % width, chunk = (rows + gridDim.y - 1) / gridDim.y;
	long from = blockIdx.y * chunk, to = from + chunk < rows ? from + chunk : rows;
	float a = 0, b = 0, shift = 0;

	if (c < cols && kind == 1)
		shift = get(x, at_channel(0, c, cols, pixels));
	for (long r = from + lane; c < cols && r < to; r += lanes) {
		long i = at_channel(r, c, cols, pixels);
		float v = get(x, i);
		if (kind == 1)
			v -= shift;
		if (y && !(get(y, i) > 0))
			v = 0;
		a += v;
		if (kind == 1)
			b += v * v;
		else if (kind >= 2)
			b += v * (get(x0, i) - mean[kind == 2 ? c : r]) * inv[kind == 2 ? c : r];
	}
	first[t] = a;
	second[t] = b;
	__syncthreads();
	for (int half = lanes / 2; half > 0; half /= 2) {
		if (lane < half) {
			first[t] += first[t + half * width];
			second[t] += second[t + half * width];
		}
		__syncthreads();
	}
	if (lane == 0 && c < cols) {
		part[blockIdx.y * cols + c] = first[t];
		part[(gridDim.y + blockIdx.y) * cols + c] = second[t];
	}
}

/* Adds the chunks. kind as above: 0 -> a (f32 or VALUE); 1 -> a mean, b 1 / sqrt(var + epsilon); 2,
 * 3 -> a the second sum (gamma), b the first (beta). */
KERNEL column_finish(const float *part, const void *x, void *a, float *b, long rows, long cols,
		     long pixels, int chunks, int kind, float epsilon, int f32)
{
	for (long c = THREAD; c < cols; c += THREADS) {
		float s = 0, q = 0;
		for (int k = 0; k < chunks; k++) {
			s += part[k * cols + c];
			q += part[(chunks + k) * cols + c];
		}
		if (kind == 0) {
			put_as(a, c, f32, s);
		} else if (kind == 1) {
			float m = s / rows, var = q / rows - m * m;
			((float *)a)[c] = get(x, at_channel(0, c, cols, pixels)) + m;
			b[c] = 1 / sqrtf((var > 0 ? var : 0) + epsilon);
		} else {
			((float *)a)[c] = q;
			b[c] = s;
		}
	}
}

DEVICE float normed(float x, float mean, float inv, float gamma, float beta)
{
	return (x - mean) * inv * gamma + beta;
}

/* y = relu(norm(x) + residual) */
KERNEL batchnorm_apply(const void *x, const float *gamma, const float *beta, const float *mean,
		       const float *inv, const void *residual, void *y, long n, long cols,
		       long pixels, int relu)
{
	if (pixels == 0 && cols % PACK == 0) {
		for (long i = THREAD * PACK; i < n; i += THREADS * PACK) {
			float v[PACK], d[PACK];
			long c = i % cols;
			get_pack(x, i, v);
			if (residual)
				get_pack(residual, i, d);
			for (int j = 0; j < PACK; j++) {
				v[j] = normed(v[j], mean[c + j], inv[c + j], gamma[c + j],
					      beta[c + j]);
				v[j] = activate(relu, residual ? v[j] + d[j] : v[j]);
			}
			put_pack(y, i, v);
		}
		return;
	}
	for (long i = THREAD; i < n; i += THREADS) {
		long c = pixels ? i / pixels % cols : i % cols;
		float v = normed(get(x, i), mean[c], inv[c], gamma[c], beta[c]);
		put(y, i, activate(relu, residual ? v + get(residual, i) : v));
	}
}

/* dx = gamma inv / R (R g - sum g - xhat sum(g xhat)) */
DEVICE float batchnorm_dx(float g, float x, float mean, float inv, float gamma, float dgamma,
			  float dbeta, float rows)
{
	return gamma * inv * (g - dbeta / rows - (x - mean) * inv * (dgamma / rows));
}

KERNEL batchnorm_bwd_apply(const void *dy, const void *x, const void *y, const float *gamma,
			   const float *mean, const float *inv, const float *dgamma,
			   const float *dbeta, void *dx, void *dresidual, long n, long cols,
			   long pixels)
{
	float rows = (float)(n / cols);

	if (pixels == 0 && cols % PACK == 0) {
		for (long i = THREAD * PACK; i < n; i += THREADS * PACK) {
			float g[PACK], v[PACK], w[PACK];
			long c = i % cols;
			get_pack(dy, i, g);
			get_pack(x, i, v);
			if (y)
				get_pack(y, i, w);
			for (int j = 0; j < PACK; j++) {
				g[j] = y && !(w[j] > 0) ? 0 : g[j];
				v[j] =
				    batchnorm_dx(g[j], v[j], mean[c + j], inv[c + j], gamma[c + j],
						 dgamma[c + j], dbeta[c + j], rows);
			}
			put_pack(dx, i, v);
			if (dresidual)
				put_pack(dresidual, i, g);
		}
		return;
	}
	for (long i = THREAD; i < n; i += THREADS) {
		long c = pixels ? i / pixels % cols : i % cols;
		float g = y && !(get(y, i) > 0) ? 0 : get(dy, i);
		put(dx, i,
		    batchnorm_dx(g, get(x, i), mean[c], inv[c], gamma[c], dgamma[c], dbeta[c],
				 rows));
		if (dresidual)
			put(dresidual, i, g);
	}
}

/* Two passes over the row: the mean, then the squares around it. */
KERNEL layernorm(const void *x, const float *gamma, const float *beta, void *y, float *mean,
		 float *inv, long cols, float epsilon)
{
	long at = blockIdx.x * cols;
	float sum = 0, var = 0;

	for (long c = threadIdx.x; c < cols; c += blockDim.x)
		sum += get(x, at + c);
	float m = block_sum(sum) / cols;
	for (long c = threadIdx.x; c < cols; c += blockDim.x) {
		float d = get(x, at + c) - m;
		var += d * d;
	}
	float s = 1 / sqrtf(block_sum(var) / cols + epsilon);
	for (long c = threadIdx.x; c < cols; c += blockDim.x)
		put(y, at + c, normed(get(x, at + c), m, s, gamma[c], beta[c]));
	if (threadIdx.x == 0) {
		mean[blockIdx.x] = m;
		inv[blockIdx.x] = s;
	}
}

KERNEL layernorm_bwd(const void *dy, const void *x, const float *gamma, const float *mean,
		     const float *inv, void *dx, long cols)
{
	long at = blockIdx.x * cols;
	float m = mean[blockIdx.x], s = inv[blockIdx.x], sum = 0, dot = 0;

	for (long c = threadIdx.x; c < cols; c += blockDim.x) {
		float g = get(dy, at + c) * gamma[c];
		sum += g;
		dot += g * (get(x, at + c) - m) * s;
	}
	sum = block_sum(sum) / cols;
	dot = block_sum(dot) / cols;
	for (long c = threadIdx.x; c < cols; c += blockDim.x)
		put(dx, at + c,
		    s * (get(dy, at + c) * gamma[c] - sum - (get(x, at + c) - m) * s * dot));
}

KERNEL rmsnorm(const void *x, const float *gamma, void *y, long cols, float epsilon)
{
	long at = blockIdx.x * cols;
	float sum = 0;

	for (long c = threadIdx.x; c < cols; c += blockDim.x) {
		float v = get(x, at + c);
		sum += v * v;
	}
	float s = 1 / sqrtf(block_sum(sum) / cols + epsilon);
	for (long c = threadIdx.x; c < cols; c += blockDim.x)
		put(y, at + c, get(x, at + c) * s * gamma[c]);
}

/* Row r sees keys 0 .. memory + r % other where memory >= 0. */
KERNEL softmax(const void *x, void *y, long cols, float scale, long memory, long other)
{
	long at = blockIdx.x * cols, seen = memory >= 0 ? memory + blockIdx.x % other + 1 : cols;
	float max = -INFINITY, sum = 0;

	for (long c = threadIdx.x; c < seen; c += blockDim.x)
		max = fmaxf(max, scale * get(x, at + c));
	max = block_max(max);
	for (long c = threadIdx.x; c < seen; c += blockDim.x)
		sum += expf(scale * get(x, at + c) - max);
	sum = block_sum(sum);
	for (long c = threadIdx.x; c < cols; c += blockDim.x)
		put(y, at + c, c < seen ? expf(scale * get(x, at + c) - max) / sum : 0);
}

KERNEL softmax_bwd(const void *dy, const void *y, void *dx, long cols, float scale)
{
	long at = blockIdx.x * cols;
	float sum = 0;

	for (long c = threadIdx.x; c < cols; c += blockDim.x)
		sum += get(dy, at + c) * get(y, at + c);
	sum = block_sum(sum);
	for (long c = threadIdx.x; c < cols; c += blockDim.x)
		put(dx, at + c, scale * get(y, at + c) * (get(dy, at + c) - sum));
}

/* dlogits = (softmax - one at the label) scale / rows; part: the loss of every row. */
KERNEL loss(const void *x, const int *labels, void *dx, float *part, long cols, float scale)
{
	long at = blockIdx.x * cols;
	int label = labels[blockIdx.x];
	float max = -INFINITY, sum = 0;

	for (long c = threadIdx.x; c < cols; c += blockDim.x)
		max = fmaxf(max, get(x, at + c));
	max = block_max(max);
	for (long c = threadIdx.x; c < cols; c += blockDim.x)
		sum += expf(get(x, at + c) - max);
	sum = block_sum(sum);
	if (threadIdx.x == 0)
		part[blockIdx.x] = max + logf(sum) - get(x, at + label);
	for (long c = threadIdx.x; c < cols; c += blockDim.x)
		put(dx, at + c,
		    (expf(get(x, at + c) - max) / sum - (c == label ? 1.0f : 0.0f)) * scale);
}

/* One block: *out = factor * sum of n. */
KERNEL sum_all(const float *part, float *out, long n, float factor)
{
	float sum = 0;

	for (long i = threadIdx.x; i < n; i += blockDim.x)
		sum += part[i];
	sum = block_sum(sum);
	if (threadIdx.x == 0)
		*out = factor * sum;
}

/* y[r] = x[ids[r]] */
KERNEL gather_rows(const void *x, const int *ids, void *y, long rows, long cols)
{
	for (long r = blockIdx.x; r < rows; r += gridDim.x) {
		long from = ids[r] * cols;
		if (cols % PACK == 0)
			for (long c = threadIdx.x * PACK; c < cols; c += blockDim.x * PACK) {
				float v[PACK];
				get_pack(x, from + c, v);
				put_pack(y, r * cols + c, v);
			}
		else
			for (long c = threadIdx.x; c < cols; c += blockDim.x)
				put(y, r * cols + c, get(x, from + c));
	}
}

/* table[ids[r]] += dy[r], in fp32; the same id may come often. */
KERNEL embed_bwd(const void *dy, const int *ids, float *table, long rows, long cols)
{
	for (long r = blockIdx.x; r < rows; r += gridDim.x)
		for (long c = threadIdx.x; c < cols; c += blockDim.x)
			atomicAdd(table + ids[r] * cols + c, get(dy, r * cols + c));
}

/* The same into VALUE; every id comes once. */
KERNEL scatter_rows(const void *dy, const int *ids, void *dx, long rows, long cols)
{
	for (long r = blockIdx.x; r < rows; r += gridDim.x)
		for (long c = threadIdx.x; c < cols; c += blockDim.x) {
			long at = ids[r] * cols + c;
			put(dx, at, get(dx, at) + get(dy, r * cols + c));
		}
}

/* In double precision: the angle of position 511 in fp32 is off by more than fp32 results may be.
 * One thread a token and pair; all heads of q and k are turned by the same angle. */
KERNEL rope(void *qkv, long tokens, long queries, long heads, long width, long position)
{
	long half = width / 2;

	for (long i = THREAD; i < tokens * half; i += THREADS) {
		long token = i / half, pair = i % half;
		double angle = (double)(position + token % queries)
			       * pow(10000.0, -2.0 * (double)pair / (double)width);
		float s = (float)sin(angle), c = (float)cos(angle);
		for (long h = 0; h < 2 * heads; h++) {
			long at = (token * 3 * heads + h) * width + pair;
			float a = get(qkv, at), b = get(qkv, at + half);
			put(qkv, at, a * c - b * s);
			put(qkv, at + half, b * c + a * s);
		}
	}
}

/* Row i of t: forward takes element j + t - 1 - i, backward gives it back. */
KERNEL rel_shift(const void *x, void *y, long rows, long keys, long t, int backward)
{
	for (long i = THREAD; i < rows * t * keys; i += THREADS) {
		long j = i % keys, by = t - 1 - i / keys % t;
		long from = backward ? j - by : j + by;
		put(y, i, from >= 0 && from < keys ? get(x, i - j + from) : 0);
	}
}
