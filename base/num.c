#include "num.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* The quick conversions below round once, to the nearest double: no wider type may hold what they
 * compute. */
#if FLT_EVAL_METHOD != 0 || DBL_MANT_DIG != 53
#error "doubles must be computed as doubles of 53 bits (on x86: SSE2)"
#endif

enum {
	TEXT_MAX = 63,          /* bytes of a number; more is none */
	MANTISSA_DIGITS = 19,   /* that surely fit 64 bits */
	EXPONENT_END = 100000,  /* beyond it everything is 0 or no double, whatever the TEXT_MAX
	                         * digits */
	EXACT_FIVE = 27,        /* 5^27 the largest of five that fits 64 bits */
};

/* A text taken apart: mantissa * 10^exponent, with a sign. */
struct decimal {
	bool negative, cut;  /* cut: more digits than the mantissa holds, which is no good then */
	uint64_t mantissa;
	int exponent;        /* with the places of the fraction taken off */
	size_t from, to;     /* where its digits stand, the decimal mark among them */
};

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Adds the digits at `at` to the mantissa, which may wrap around; returns where they end. */
static size_t add_digits(struct str s, size_t at, uint64_t *mantissa)
{
	uint64_t m = *mantissa;

	for (; at < s.len && is_digit(s.p[at]); at++)
		m = m * 10 + (uint64_t)(s.p[at] - '0');
	*mantissa = m;
	return at;
}

/* How many of n digits count: zeros in front do not. */
static size_t significant(struct str s, const struct decimal *d, size_t n)
{
	for (size_t i = d->from; i < d->to && (s.p[i] == '0' || !is_digit(s.p[i])); i++)
		n -= s.p[i] == '0';
	return n;
}

/* [+-]digits at `at`, to the end of s. */
static bool scan_exponent(struct str s, size_t at, int *exponent)
{
	bool negative = at < s.len && s.p[at] == '-';
	int e = 0;

	at += negative || (at < s.len && s.p[at] == '+');
	if (at == s.len)
		return false;
	for (; at < s.len && is_digit(s.p[at]); at++)
		if (e < EXPONENT_END)
			e = e * 10 + (s.p[at] - '0');
	*exponent = negative ? -e : e;
	return at == s.len;
}

/* The whole grammar of num_parse(). */
static bool scan(struct str s, char mark, struct decimal *d)
{
	size_t at = s.len > 0 && (s.p[0] == '+' || s.p[0] == '-'), fraction = 0, n;

	*d = (struct decimal){ .negative = at && s.p[0] == '-', .from = at };
	at = add_digits(s, at, &d->mantissa);
	n = at - d->from;
	if (at < s.len && s.p[at] == mark) {
		size_t end = add_digits(s, at + 1, &d->mantissa);
		fraction = end - at - 1;
		n += fraction;
		at = end;
	}
	d->to = at;
	if (n == 0)
		return false;
	if (at < s.len
	    && ((s.p[at] != 'e' && s.p[at] != 'E') || !scan_exponent(s, at + 1, &d->exponent)))
		return false;
	d->exponent -= (int)fraction;
	d->cut = n > MANTISSA_DIGITS && significant(s, d, n) > MANTISSA_DIGITS;
	return true;
}

const double num_tens[NUM_TEN_MAX + 1] = {
	1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
	1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
};

/* Both operands are exact, so the one operation rounds correctly (Clinger, How to Read Floating
 * Point Numbers Accurately, PLDI 1990). */
static bool by_double(const struct decimal *d, double *out)
{
	if (d->mantissa > 1ULL << DBL_MANT_DIG || d->exponent < -NUM_TEN_MAX
	    || d->exponent > NUM_TEN_MAX)
		return false;
	double m = (double)d->mantissa;
	*out = d->exponent < 0 ? m / num_tens[-d->exponent] : m * num_tens[d->exponent];
	return true;
}

#ifdef __SIZEOF_INT128__
__extension__ typedef unsigned __int128 uint128;

static const uint64_t fives[EXACT_FIVE + 1] = {
	1ULL,
	5ULL,
	25ULL,
	125ULL,
	625ULL,
	3125ULL,
	15625ULL,
	78125ULL,
	390625ULL,
	1953125ULL,
	9765625ULL,
	48828125ULL,
	244140625ULL,
	1220703125ULL,
	6103515625ULL,
	30517578125ULL,
	152587890625ULL,
	762939453125ULL,
	3814697265625ULL,
	19073486328125ULL,
	95367431640625ULL,
	476837158203125ULL,
	2384185791015625ULL,
	11920928955078125ULL,
	59604644775390625ULL,
	298023223876953125ULL,
	1490116119384765625ULL,
	7450580596923828125ULL,
};

/* (v + a bit less than 1 if sticky) * 2^exponent to the nearest double, ties to even; v has its top
 * bit at 62 or 63, and the result is a normal number. */
static double round_bits(uint64_t v, bool sticky, int exponent)
{
	int shift = v >> 63 ? 64 - DBL_MANT_DIG : 63 - DBL_MANT_DIG;
	uint64_t kept = v >> shift, rest = v << (64 - shift), half = 1ULL << 63;
	uint64_t power = (uint64_t)(exponent + shift + DBL_MAX_EXP - 1) << (DBL_MANT_DIG - 1);
	double scale;

	kept += rest > half || (rest == half && (sticky || (kept & 1)));
	memcpy(&scale, &power, sizeof scale); /* 2^(exponent + shift) */
	return (double)kept * scale;
}

/* In whole numbers: mantissa * 5^e fits 128 bits, and of mantissa / 5^-e 63 bits and whether
 * anything is left say how to round. */
static bool by_integers(const struct decimal *d, double *out)
{
	if (d->cut || d->mantissa == 0 || d->exponent < -EXACT_FIVE || d->exponent > EXACT_FIVE)
		return false;
	int e = d->exponent, up = __builtin_clzll(d->mantissa);
	uint64_t m = d->mantissa << up;
	if (e >= 0) {
		/* m and five both with their top bit at 63: the product has it at 126 or 127 */
		int up5 = __builtin_clzll(fives[e]);
		uint128 product = (uint128)m * (fives[e] << up5);
		*out = round_bits((uint64_t)(product >> 64), (uint64_t)product != 0,
				  64 + e - up - up5);
	} else { /* m / five is in (1/2, 2), the quotient below in (2^62, 2^64) */
		int up5 = __builtin_clzll(fives[-e]);
		uint64_t five = fives[-e] << up5;
		uint128 shifted = (uint128)m << 63;
		uint64_t q = (uint64_t)(shifted / five);
		*out = round_bits(q, shifted - (uint128)q * five != 0, e - 63 - up + up5);
	}
	return true;
}
#else
static bool by_integers(const struct decimal *d, double *out)
{
	(void)d;
	(void)out;
	return false;
}
#endif

/* All that is left: the C library. It is given whole digits and an exponent, so that no locale's
 * decimal point comes in. */
static double by_library(struct str s, const struct decimal *d)
{
	char buf[TEXT_MAX + sizeof "e-1234567"];
	int e = d->exponent < 0 ? -d->exponent : d->exponent;
	size_t n = 0;

	for (size_t i = d->from; i < d->to; i++)
		if (is_digit(s.p[i]))
			buf[n++] = s.p[i];
	buf[n++] = 'e';
	if (d->exponent < 0)
		buf[n++] = '-';
	for (int place = 10 * EXPONENT_END; place > 0; place /= 10)
		buf[n++] = (char)('0' + e / place % 10);
	buf[n] = '\0';
	return strtod(buf, NULL);
}

bool num_parse(struct str s, bool decimal_comma, double *out)
{
	struct decimal d;
	double v;

	if (s.len > TEXT_MAX || !scan(s, decimal_comma ? ',' : '.', &d))
		return false;
	if ((d.cut || !by_double(&d, &v)) && !by_integers(&d, &v))
		v = by_library(s, &d);
	if (isinf(v))
		return false;
	*out = d.negative ? -v : v;
	return true;
}

bool num_parse_int(struct str s, int *out)
{
	int v = 0;

	for (size_t i = 0; i < s.len; i++) {
		int digit = s.p[i] - '0';
		if (digit < 0 || digit > 9 || v > (INT_MAX - digit) / 10)
			return false;
		v = v * 10 + digit;
	}
	if (s.len == 0)
		return false;
	*out = v;
	return true;
}
