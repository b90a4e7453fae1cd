#include "onednn_peak.h"

#include <math.h>
#include <time.h>

#ifdef __x86_64__
#include <immintrin.h>
#endif

/* Chains that do not wait for one another: more than latency x units of any CPU at hand (4 or 5
 * cycles, 2 units). */
enum { CHAINS = 14, STEPS = 100000 };

/* A window takes 0.2 ms. There are at least WINDOWS, and more until SEEN of them are within 2 % of
 * the best: on a machine that does something else the best of few is of no use. */
enum { WINDOWS = 1000, WINDOWS_MAX = 100000, SEEN = 20 };
static const double near_best = 1.02, seconds_max = 20;

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* A loop gives back something of its sums, lest it be left out. */
struct loop {
	enum precision precision;
	const char *isa;
	double flop; /* of one step of one chain */
	bool (*there)(void);
	float (*run)(void);
};

#ifdef __x86_64__
__attribute__((target("avx512f"))) static float loop_avx512(void)
{
	__m512 a[CHAINS], x = _mm512_set1_ps(0.999f), y = _mm512_set1_ps(0.001f);

	for (int c = 0; c < CHAINS; c++)
		a[c] = _mm512_set1_ps((float)c);
	for (int i = 0; i < STEPS; i++) {
#pragma GCC unroll 14
		for (int c = 0; c < CHAINS; c++)
			a[c] = _mm512_fmadd_ps(a[c], x, y);
	}
	for (int c = 1; c < CHAINS; c++)
		a[0] = _mm512_add_ps(a[0], a[c]);
	return _mm512_cvtss_f32(a[0]);
}

__attribute__((target("avx2,fma"))) static float loop_avx2(void)
{
	__m256 a[CHAINS], x = _mm256_set1_ps(0.999f), y = _mm256_set1_ps(0.001f);

	for (int c = 0; c < CHAINS; c++)
		a[c] = _mm256_set1_ps((float)c);
	for (int i = 0; i < STEPS; i++) {
#pragma GCC unroll 14
		for (int c = 0; c < CHAINS; c++)
			a[c] = _mm256_fmadd_ps(a[c], x, y);
	}
	for (int c = 1; c < CHAINS; c++)
		a[0] = _mm256_add_ps(a[0], a[c]);
	return _mm256_cvtss_f32(a[0]);
}

__attribute__((target("avx512f,avx512bw,avx512vl,avx512bf16"))) static float loop_bf16(void)
{
	__m512 a[CHAINS];
	__m512bh x = _mm512_cvtne2ps_pbh(_mm512_set1_ps(0.5f), _mm512_set1_ps(0.5f));
	__m512bh y = _mm512_cvtne2ps_pbh(_mm512_set1_ps(0.001f), _mm512_set1_ps(-0.001f));

	for (int c = 0; c < CHAINS; c++)
		a[c] = _mm512_set1_ps((float)c);
	for (int i = 0; i < STEPS; i++) {
#pragma GCC unroll 14
		for (int c = 0; c < CHAINS; c++)
			a[c] = _mm512_dpbf16_ps(a[c], x, y);
	}
	for (int c = 1; c < CHAINS; c++)
		a[0] = _mm512_add_ps(a[0], a[c]);
	return _mm512_cvtss_f32(a[0]);
}

static bool has_bf16(void)
{
	return __builtin_cpu_supports("avx512bf16");
}

static bool has_avx512(void)
{
	return __builtin_cpu_supports("avx512f");
}

static bool has_avx2(void)
{
	return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}

/* The first that is there counts: lanes x 2, of bf16 pairs x 4. */
static const struct loop loops[] = {
	{ PRECISION_FP32, "avx512f", 32, has_avx512, loop_avx512 },
	{ PRECISION_FP32, "avx2 fma", 16, has_avx2, loop_avx2 },
	{ PRECISION_BF16, "avx512_bf16", 64, has_bf16, loop_bf16 },
};
#else
static const struct loop loops[] = { { PRECISIONS, "", 0, NULL, NULL } };
#endif

static double window(const struct loop *l, int threads)
{
	float sum = 0;
	double begin = now();

#pragma omp parallel for schedule(static, 1) num_threads(threads) reduction(+ : sum)
	for (int t = 0; t < threads; t++)
		sum += l->run();
	volatile float kept = sum; /* so that the loops are not left out */
	(void)kept;
	return now() - begin;
}

/* How many windows were as fast as the best, so far. */
struct best { double seconds; int seen; };

static void add_window(struct best *b, double seconds)
{
	if (seconds < b->seconds / near_best)
		b->seen = 0;
	b->seen += seconds < b->seconds * near_best;
	b->seconds = fmin(b->seconds, seconds);
}

double peak_measure(enum precision p, int threads, const char **isa)
{
	const struct loop *l = NULL;
	struct best best = { INFINITY, 0 };
	double begin = now();

	for (size_t i = 0; i < LEN(loops) && !l; i++)
		if (loops[i].precision == p && loops[i].there())
			l = &loops[i];
	if (!l)
		return NAN;
	*isa = l->isa;
	for (int i = 0;
	     i < WINDOWS || (i < WINDOWS_MAX && best.seen < SEEN && now() - begin < seconds_max);
	     i++)
		add_window(&best, window(l, threads));
	return l->flop * CHAINS * STEPS * threads / best.seconds;
}
