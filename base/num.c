#include "num.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t digits(struct str s, size_t at)
{
	size_t n = 0;

	while (at + n < s.len && s.p[at + n] >= '0' && s.p[at + n] <= '9')
		n++;
	return n;
}

/* The program never calls setlocale, so strtod takes '.'; what may reach it is checked here. */
bool num_parse(struct str s, bool decimal_comma, double *out)
{
	char buf[64];
	size_t at = 0;

	if (s.len == 0 || s.len >= sizeof buf)
		return false;
	memcpy(buf, s.p, s.len);
	buf[s.len] = '\0';
	if (s.p[at] == '+' || s.p[at] == '-')
		at++;
	size_t whole = digits(s, at), fraction = 0;
	at += whole;
	if (at < s.len && s.p[at] == (decimal_comma ? ',' : '.')) {
		buf[at] = '.';
		at++;
		fraction = digits(s, at);
		at += fraction;
	}
	if (whole + fraction == 0)
		return false;
	if (at < s.len && (s.p[at] == 'e' || s.p[at] == 'E')) {
		at++;
		if (at < s.len && (s.p[at] == '+' || s.p[at] == '-'))
			at++;
		size_t exponent = digits(s, at);
		if (exponent == 0)
			return false;
		at += exponent;
	}
	if (at != s.len)
		return false;
	double v = strtod(buf, NULL);
	if (!isfinite(v))
		return false;
	*out = v;
	return true;
}

bool num_parse_int(struct str s, int *out)
{
	long v = 0;

	if (s.len == 0 || digits(s, 0) != s.len)
		return false;
	for (size_t i = 0; i < s.len; i++) {
		v = v * 10 + (s.p[i] - '0');
		if (v > INT_MAX)
			return false;
	}
	*out = (int)v;
	return true;
}

struct str num_shortest(struct arena *a, double v)
{
	char buf[40];
	int precision = 1;

	for (; precision < 17; precision++) {
		snprintf(buf, sizeof buf, "%.*e", precision - 1, v);
		if (strtod(buf, NULL) == v)
			break;
	}
	snprintf(buf, sizeof buf, "%.*e", precision - 1, v);
	const char *e = strchr(buf, 'e');
	long exponent = e ? strtol(e + 1, NULL, 10) : 0;
	/* %g would write 470 as 4.7e+02 at two digits */
	if (exponent >= -5 && exponent <= 15)
		return num_fixed(a, v, exponent < precision - 1 ? precision - 1 - (int)exponent : 0);
	return str_dup(a, str_of(buf));
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
	size_t sign = s.len > 0 && s.p[0] == '-';
	size_t whole = digits(s, sign);

	strbuf_add(&b, str_slice(s, 0, sign));
	for (size_t i = 0; i < whole; i++) {
		if (i > 0 && (whole - i) % 3 == 0)
			strbuf_addc(&b, ',');
		strbuf_addc(&b, s.p[sign + i]);
	}
	strbuf_add(&b, str_slice(s, sign + whole, s.len));
	return strbuf_str(&b);
}
