/* Numbers to text. */
#include "num.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A decimal of so many digits at most is told from its neighbours by a double. */
enum { SURE_DIGITS = 15, PLACES_MAX = 20, PLAIN_LEAST = -5, PLAIN_MOST = 15 };

static const double sure_end = 1e15;

/* Finds the least k with v = m / 10^k for a whole m of SURE_DIGITS digits at most; v > 0. m and
 * 10^k are exact doubles, so that the quotient is what reading "m e-k" gives, and no other such
 * decimal reads as v. v * 10^k is off by less than half of the last digit of m: no k is missed. */
static bool short_decimal(double v, uint64_t *m, int *k)
{
	double ten = 1;

	for (*k = 0; *k <= PLACES_MAX; ++*k, ten *= 10) { /* exact up to 10^22 */
		double whole = floor(v * ten + 0.5);
		if (!(whole < sure_end))
			return false;
		if (whole / ten == v) {
			*m = (uint64_t)whole;
			return true;
		}
	}
	return false;
}

/* m / 10^k in plain digits. */
static struct str plain(struct arena *a, bool negative, uint64_t m, int k)
{
	char buf[SURE_DIGITS + PLACES_MAX + 8];
	size_t at = sizeof buf;

	for (int i = 0; m > 0 || i <= k; i++, m /= 10) {
		if (i == k && k > 0)
			buf[--at] = '.';
		buf[--at] = (char)('0' + m % 10);
	}
	if (negative)
		buf[--at] = '-';
	return str_dup(a, (struct str){ buf + at, sizeof buf - at });
}

/* One digit more at a time, from `precision` on, until it reads back: some microseconds. */
static struct str by_trial(struct arena *a, double v, int precision)
{
	char buf[40];

	for (;; precision++) {
		snprintf(buf, sizeof buf, "%.*e", precision - 1, v);
		if (precision == 17 || strtod(buf, NULL) == v)
			break;
	}
	const char *e = strchr(buf, 'e');
	long exponent = e ? strtol(e + 1, NULL, 10) : 0;
	/* %g would write 470 as 4.7e+02 at two digits */
	if (exponent >= PLAIN_LEAST && exponent <= PLAIN_MOST)
		return num_fixed(a, v,
				 exponent < precision - 1 ? precision - 1 - (int)exponent : 0);
	return str_dup(a, str_of(buf));
}

struct str num_shortest(struct arena *a, double v)
{
	double size = fabs(v);
	uint64_t m;
	int k;

	if (v == 0)
		return STR("0");
	if (!(size >= 1e-5 && size < sure_end))
		return by_trial(a, v, 1);
	return short_decimal(size, &m, &k) ? plain(a, v < 0, m, k)
					   : by_trial(a, v, SURE_DIGITS + 1);
}

struct str num_fixed(struct arena *a, double v, int decimals)
{
	struct str s = str_printf(a, "%.*f", decimals, v);
	bool zero = s.len > 0 && s.p[0] == '-';

	for (size_t i = 1; zero && i < s.len; i++)
		zero = s.p[i] == '0' || s.p[i] == '.';
	return zero ? str_slice(s, 1, s.len) : s;
}

struct str num_grouped(struct arena *a, double v, int decimals)
{
	struct str s = num_fixed(a, v, decimals);
	struct strbuf b = { .arena = a };
	size_t sign = s.len > 0 && s.p[0] == '-', end = sign;

	while (end < s.len && s.p[end] >= '0' && s.p[end] <= '9')
		end++;
	strbuf_add(&b, str_slice(s, 0, sign));
	for (size_t i = sign; i < end; i++) {
		if (i > sign && (end - i) % 3 == 0)
			strbuf_addc(&b, ',');
		strbuf_addc(&b, s.p[i]);
	}
	strbuf_add(&b, str_slice(s, end, s.len));
	return strbuf_str(&b);
}

struct str num_usd(struct arena *a, double v)
{
	const double half_cent = 0.005;
	bool whole = fabs(v) >= 10 - half_cent && fabs(v - nearbyint(v)) < half_cent;

	return num_grouped(a, v, fabs(v) < 100 - half_cent && !whole ? 2 : 0);
}
