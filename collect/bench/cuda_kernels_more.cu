/* The text goes on from cuda_kernels.cu: pools, optimizers, memory, attention with a cache. */

/* Element (n, c, h, w) of an image of height x width. */
DEVICE long at_image(long n, long c, long h, long w, long channels, long height, long width,
		     int nchw)
{
	return nchw ? ((n * channels + c) * height + h) * width + w
		    : ((n * height + h) * width + w) * channels + c;
}

/* The parts of the running index i of such an image. */
DEVICE void of_image(long i, long channels, long height, long width, int nchw, long *n, long *c,
		     long *h, long *w)
{
	if (nchw) {
		*w = i % width;
		*h = i / width % height;
		*c = i / (width * height) % channels;
	} else {
		*c = i % channels;
		*w = i / channels % width;
		*h = i / (channels * width) % height;
	}
	*n = i / (channels * height * width);
}

KERNEL maxpool(const void *x, void *y, long n, long channels, long height, long width, long ho,
	       long wo, int k, int stride, int pad, int nchw)
{
	for (long i = THREAD; i < n * channels * ho * wo; i += THREADS) {
		long b, c, oh, ow;
		float best = -INFINITY;
		of_image(i, channels, ho, wo, nchw, &b, &c, &oh, &ow);
		for (int p = 0; p < k; p++)
			for (int q = 0; q < k; q++) {
				long h = oh * stride - pad + p, w = ow * stride - pad + q;
				if (h < 0 || h >= height || w < 0 || w >= width)
					continue;
				float v =
				    get(x, at_image(b, c, h, w, channels, height, width, nchw));
				best = v > best || v != v ? v : best;
			}
		put(y, i, best);
	}
}

/* Whether (h, w) is the first of its window that has the maximum `top`. */
DEVICE int is_first(const void *x, float top, long b, long c, long oh, long ow, long h, long w,
		    long channels, long height, long width, int k, int stride, int pad, int nchw)
{
	for (int p = 0; p < k; p++)
		for (int q = 0; q < k; q++) {
			long vh = oh * stride - pad + p, vw = ow * stride - pad + q;
			if (vh == h && vw == w)
				return 1;
			if (vh < 0 || vh >= height || vw < 0 || vw >= width)
				continue;
			if (get(x, at_image(b, c, vh, vw, channels, height, width, nchw)) == top)
				return 0;
		}
	return 0;
}

/* Every input pixel asks the windows that it lies in: no sums in an order that may change. */
KERNEL maxpool_bwd(const void *dy, const void *x, const void *y, void *dx, long n, long channels,
		   long height, long width, long ho, long wo, int k, int stride, int pad, int nchw)
{
	for (long i = THREAD; i < n * channels * height * width; i += THREADS) {
		long b, c, h, w;
		float v = get(x, i), sum = 0;
		of_image(i, channels, height, width, nchw, &b, &c, &h, &w);
		for (int p = 0; p < k; p++)
			for (int q = 0; q < k; q++) {
				long oh = h + pad - p, ow = w + pad - q;
				if (oh < 0 || ow < 0 || oh % stride || ow % stride)
					continue;
				oh /= stride;
				ow /= stride;
				if (oh >= ho || ow >= wo)
					continue;
				long at = at_image(b, c, oh, ow, channels, ho, wo, nchw);
				if (get(y, at) == v
				    && is_first(x, v, b, c, oh, ow, h, w, channels, height, width,
						k, stride, pad, nchw))
					sum += get(dy, at);
			}
		put(dx, i, sum);
	}
}

/* y (n c): one thread a plane. */
KERNEL avgpool(const void *x, void *y, long n, long channels, long pixels, int nchw)
{
	for (long i = THREAD; i < n * channels; i += THREADS) {
		float sum = 0;
		for (long p = 0; p < pixels; p++)
			sum += get(x, nchw ? i * pixels + p
					   : (i / channels * pixels + p) * channels + i % channels);
		put(y, i, sum / pixels);
	}
}

KERNEL avgpool_bwd(const void *dy, void *dx, long n, long channels, long pixels, int nchw)
{
	for (long i = THREAD; i < n * channels * pixels; i += THREADS) {
		long plane = nchw ? i / pixels : i / (channels * pixels) * channels + i % channels;
		put(dx, i, get(dy, plane) / pixels);
	}
}

/* A weight of the optimizer; w and dw are fp32 where their flag is set. master NULL: w itself. */
struct trained {
	void *w;
	const void *dw;
	float *master, *m, *v;
	long count;
	int w_f32, dw_f32;
};

/* A piece of one weight: 4096 elements from `from`. */
struct piece {
	long from;
	long weight;
};

KERNEL sgd(const struct trained *weights, const struct piece *pieces, float rate, float momentum,
	   float decay)
{
	struct piece p = pieces[blockIdx.x];
	struct trained t = weights[p.weight];
	long to = p.from + 4096 < t.count ? p.from + 4096 : t.count;

	for (long i = p.from + threadIdx.x; i < to; i += blockDim.x) {
		float w = t.master ? t.master[i] : get_as(t.w, i, t.w_f32);
		float v = momentum * t.m[i] + get_as(t.dw, i, t.dw_f32) + decay * w;
		t.m[i] = v;
		w -= rate * v;
		if (t.master)
			t.master[i] = w;
		put_as(t.w, i, t.w_f32, w);
	}
}

/* unbias1, unbias2: 1 / (1 - beta^step) */
KERNEL adam(const struct trained *weights, const struct piece *pieces, float rate, float beta1,
	    float beta2, float rest1, float rest2, float epsilon, float decay, float unbias1,
	    float unbias2)
{
	struct piece p = pieces[blockIdx.x];
	struct trained t = weights[p.weight];
	long to = p.from + 4096 < t.count ? p.from + 4096 : t.count;

	for (long i = p.from + threadIdx.x; i < to; i += blockDim.x) {
		float w = t.master ? t.master[i] : get_as(t.w, i, t.w_f32),
		      g = get_as(t.dw, i, t.dw_f32);
		float m = beta1 * t.m[i] + rest1 * g, v = beta2 * t.v[i] + rest2 * g * g;
		t.m[i] = m;
		t.v[i] = v;
		w -= rate * (m * unbias1 / (sqrtf(v * unbias2) + epsilon) + decay * w);
		if (t.master)
			t.master[i] = w;
		put_as(t.w, i, t.w_f32, w);
	}
}

/* 0 copy, 1 scale, 2 add, 3 triad, 5 write: the order of enum stream. */
DEVICE float stream_of(int kind, float x, float y)
{
	return kind == 0 ? x : kind == 1 ? 3 * x : kind == 2 ? x + y : kind == 3 ? x + 3 * y : 1;
}

KERNEL stream(const float *x, const float *y, float *z, long n, int kind)
{
	for (long i = THREAD * 4; i < n; i += THREADS * 4) {
		struct quad a = { { 0, 0, 0, 0 } }, b = a;
		if (i + 4 <= n) {
			if (x)
				a = *(const struct quad *)(x + i);
			if (y)
				b = *(const struct quad *)(y + i);
			for (int j = 0; j < 4; j++)
				a.v[j] = stream_of(kind, a.v[j], b.v[j]);
			*(struct quad *)(z + i) = a;
		} else {
			for (long k = i; k < n; k++)
				z[k] = stream_of(kind, x ? x[k] : 0, y ? y[k] : 0);
		}
	}
}

/* part: a sum of each block. */
KERNEL stream_read(const float *x, float *part, long n)
{
	float sum = 0;

	for (long i = THREAD * 4; i < n; i += THREADS * 4) {
		if (i + 4 <= n) {
			struct quad a = *(const struct quad *)(x + i);
			sum += a.v[0] + a.v[1] + a.v[2] + a.v[3];
		} else {
			for (long k = i; k < n; k++)
				sum += x[k];
		}
	}
	sum = block_sum(sum);
	if (threadIdx.x == 0)
		part[blockIdx.x] = sum;
}

/* A block a head: the new k and v go to the end of the cache, then the query looks at all keys.
 * Dynamic memory: a probability of each key, then 256 floats. */
KERNEL attention_cache(const void *qkv, void *keys, void *values, void *y, long heads, long n,
		       long width)
{
	DYNAMIC(p);
	long b = blockIdx.x / heads, head = blockIdx.x % heads, q = (b * 3 * heads + head) * width;
	long cache = blockIdx.x * n * width, last = cache + (n - 1) * width;
	long part = threadIdx.x / width, parts = blockDim.x / width, col = threadIdx.x % width;
	float *sums = p + n, max = -INFINITY, sum = 0, out = 0;

	for (long c = threadIdx.x; c < width; c += blockDim.x) {
		put(keys, last + c, get(qkv, q + heads * width + c));
		put(values, last + c, get(qkv, q + 2 * heads * width + c));
	}
	__syncthreads();
	for (long j = threadIdx.x / 32; j < n; j += blockDim.x / 32) {
		float dot = 0;
		for (long c = threadIdx.x % 32; c < width; c += 32)
			dot += get(qkv, q + c) * get(keys, cache + j * width + c);
		for (int m = 16; m > 0; m /= 2)
			dot += SHUFFLE(dot, m);
		if (threadIdx.x % 32 == 0)
			p[j] = dot / sqrtf((float)width);
	}
	__syncthreads();
	for (long j = threadIdx.x; j < n; j += blockDim.x)
		max = fmaxf(max, p[j]);
	max = block_max(max);
	for (long j = threadIdx.x; j < n; j += blockDim.x)
		sum += p[j] = expf(p[j] - max);
	sum = block_sum(sum);
	for (long j = part; part < parts && j < n; j += parts)
		out += p[j] * get(values, cache + j * width + col);
	sums[threadIdx.x] = out;
	__syncthreads();
	if (part == 0) {
		for (long k = 1; k < parts; k++)
			out += sums[k * width + col];
		put(y, blockIdx.x * width + col, out / sum);
	}
}
