/* The scan with SSE2, which every x86-64 processor has, with AVX2, and with AVX-512. */
#include "csv_index.h"

#if defined(__x86_64__)

#include <immintrin.h>

static inline uint64_t same_sse2(const __m128i v[4], char c)
{
	__m128i want = _mm_set1_epi8(c);
	uint64_t bits = 0;

	for (unsigned i = 0; i < 4; i++)
		bits |= (uint64_t)(uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(v[i], want)) << 16 * i;
	return bits;
}

static inline struct csv_masks masks_sse2(const char *text, char separator, char blank)
{
	struct csv_masks m = { 0 };
	__m128i v[4];

	for (unsigned i = 0; i < 4; i++) {
		v[i] = _mm_loadu_si128((const __m128i *)(const void *)(text + 16 * i));
		m.high |= (uint64_t)(uint32_t)_mm_movemask_epi8(v[i]) << 16 * i;
	}
	__m128i least = _mm_min_epu8(_mm_min_epu8(v[0], v[1]), _mm_min_epu8(v[2], v[3]));
	m.nul = _mm_movemask_epi8(_mm_cmpeq_epi8(least, _mm_setzero_si128())) != 0;
	m.separator = same_sse2(v, separator);
	m.cr = same_sse2(v, '\r');
	m.lf = same_sse2(v, '\n');
	m.quote = same_sse2(v, '"');
	m.blank = same_sse2(v, ' ') | same_sse2(v, blank);
	return m;
}

CSV_KERNEL_LOOPS(, sse2, masks_sse2, csv_index_ends)

static bool has_sse2(void)
{
	return true;
}

const struct csv_kernel csv_kernel_sse2 = { "sse2", has_sse2, index_sse2, count_sse2 };

#define AVX2 __attribute__((target("avx2,bmi,popcnt")))

AVX2 static inline uint64_t bits_avx2(__m256i low, __m256i high)
{
	return (uint32_t)_mm256_movemask_epi8(low)
	       | (uint64_t)(uint32_t)_mm256_movemask_epi8(high) << 32;
}

AVX2 static inline uint64_t same_avx2(__m256i a, __m256i b, char c)
{
	__m256i want = _mm256_set1_epi8(c);

	return bits_avx2(_mm256_cmpeq_epi8(a, want), _mm256_cmpeq_epi8(b, want));
}

AVX2 static inline struct csv_masks masks_avx2(const char *text, char separator, char blank)
{
	__m256i a = _mm256_loadu_si256((const __m256i *)(const void *)text);
	__m256i b = _mm256_loadu_si256((const __m256i *)(const void *)(text + 32));
	__m256i space = _mm256_set1_epi8(' '), other = _mm256_set1_epi8(blank);
	__m256i nul = _mm256_cmpeq_epi8(_mm256_min_epu8(a, b), _mm256_setzero_si256());

	return (struct csv_masks){
		.separator = same_avx2(a, b, separator),
		.cr = same_avx2(a, b, '\r'),
		.lf = same_avx2(a, b, '\n'),
		.quote = same_avx2(a, b, '"'),
		.blank = bits_avx2(
		    _mm256_or_si256(_mm256_cmpeq_epi8(a, space), _mm256_cmpeq_epi8(a, other)),
		    _mm256_or_si256(_mm256_cmpeq_epi8(b, space), _mm256_cmpeq_epi8(b, other))),
		.high = bits_avx2(a, b),
		.nul = _mm256_movemask_epi8(nul) != 0,
	};
}

CSV_KERNEL_LOOPS(AVX2, avx2, masks_avx2, csv_index_ends)

static bool has_avx2(void)
{
	return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi")
	       && __builtin_cpu_supports("popcnt");
}

const struct csv_kernel csv_kernel_avx2 = { "avx2", has_avx2, index_avx2, count_avx2 };

#define AVX512 __attribute__((target("avx512f,avx512bw,avx512vbmi2,bmi,popcnt")))

AVX512 static inline struct csv_masks masks_avx512(const char *text, char separator, char blank)
{
	__m512i v = _mm512_loadu_si512(text);

	return (struct csv_masks){
		.separator = _mm512_cmpeq_epi8_mask(v, _mm512_set1_epi8(separator)),
		.cr = _mm512_cmpeq_epi8_mask(v, _mm512_set1_epi8('\r')),
		.lf = _mm512_cmpeq_epi8_mask(v, _mm512_set1_epi8('\n')),
		.quote = _mm512_cmpeq_epi8_mask(v, _mm512_set1_epi8('"')),
		.blank = _mm512_cmpeq_epi8_mask(v, _mm512_set1_epi8(' '))
		         | _mm512_cmpeq_epi8_mask(v, _mm512_set1_epi8(blank)),
		.high = _mm512_movepi8_mask(v),
		.nul = _mm512_testn_epi8_mask(v, v) != 0,
	};
}

/* The places of the set bits, sixteen at a time: the numbers 0 to 63 with those of the clear bits
 * left out. */
AVX512 static inline size_t ends_avx512(uint32_t *to, uint64_t bits, uint32_t at)
{
	static const unsigned char numbers[CSV_BLOCK] = {
		0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15,
		16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31,
		32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47,
		48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63,
	};
	size_t n = (size_t)__builtin_popcountll(bits);
	__m512i base = _mm512_set1_epi32((int)at);
	__m512i left = _mm512_maskz_compress_epi8(bits, _mm512_loadu_si512(numbers));

	_mm512_storeu_si512(
	    to, _mm512_add_epi32(base, _mm512_cvtepu8_epi32(_mm512_castsi512_si128(left))));
	if (__builtin_expect(n > 16, 0)) {
		__m128i second = _mm512_extracti32x4_epi32(left, 1),
			third = _mm512_extracti32x4_epi32(left, 2);
		__m128i fourth = _mm512_extracti32x4_epi32(left, 3);
		_mm512_storeu_si512(to + 16, _mm512_add_epi32(base, _mm512_cvtepu8_epi32(second)));
		_mm512_storeu_si512(to + 32, _mm512_add_epi32(base, _mm512_cvtepu8_epi32(third)));
		_mm512_storeu_si512(to + 48, _mm512_add_epi32(base, _mm512_cvtepu8_epi32(fourth)));
	}
	return n;
}

CSV_KERNEL_LOOPS(AVX512, avx512, masks_avx512, ends_avx512)

static bool has_avx512(void)
{
	return has_avx2() && __builtin_cpu_supports("avx512bw")
	       && __builtin_cpu_supports("avx512vbmi2");
}

const struct csv_kernel csv_kernel_avx512 = { "avx512", has_avx512, index_avx512, count_avx512 };

#else
extern const int csv_x86_absent; /* C wants a declaration in each file */
#endif
