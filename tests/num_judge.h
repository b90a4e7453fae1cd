/* What base/num.h is held to: a grammar of its own, and the C library. For the tests and the fuzz
 * harness. */
#ifndef TESTS_NUM_JUDGE_H
#define TESTS_NUM_JUDGE_H

#include "../base/num.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NUM_BYTES_MAX = 63 };

/* The grammar as states: rows are states, columns sign, digit, mark, e. -1: no number. */
static inline bool judge_grammar(struct str x, char mark)
{
	enum { SIGN, DIGIT, MARK, E, OTHER };
	static const signed char next[][4] = {
		{ 1, 2, 3, -1 },    /* 0 nothing yet */
		{ -1, 2, 3, -1 },   /* 1 a sign */
		{ -1, 2, 4, 5 },    /* 2 whole digits: good */
		{ -1, 4, -1, -1 },  /* 3 a mark with no digit before it */
		{ -1, 4, -1, 5 },   /* 4 a mark with a digit on one side at least: good */
		{ 6, 7, -1, -1 },   /* 5 an e */
		{ -1, 7, -1, -1 },  /* 6 its sign */
		{ -1, 7, -1, -1 },  /* 7 its digits: good */
	};
	int state = 0;

	for (size_t i = 0; i < x.len && state >= 0; i++) {
		char c = x.p[i];
		int kind = c == '+' || c == '-' ? SIGN
			   : c >= '0' && c <= '9' ? DIGIT
			   : c == mark ? MARK
			   : c == 'e' || c == 'E' ? E : OTHER;
		state = kind == OTHER ? -1 : next[state][kind];
	}
	return x.len <= NUM_BYTES_MAX && (state == 2 || state == 4 || state == 7);
}

/* What num_parse() must say of a text: one word of bits, or all ones for "no number". */
static inline uint64_t judge_number(struct str x, bool comma)
{
	uint64_t bits = UINT64_MAX;
	char buf[NUM_BYTES_MAX + 1];

	if (!judge_grammar(x, comma ? ',' : '.'))
		return bits;
	memcpy(buf, x.p, x.len);
	buf[x.len] = '\0';
	if (comma && strchr(buf, ','))
		*strchr(buf, ',') = '.';
	double v = strtod(buf, NULL);
	if (isfinite(v))
		memcpy(&bits, &v, sizeof bits);
	return bits;
}

/* The plain way: one digit more until it reads back. */
static inline struct str judge_shortest(struct arena *a, double v)
{
	char buf[40];
	int precision = 0;

	do
		snprintf(buf, sizeof buf, "%.*e", precision, v);
	while (strtod(buf, NULL) != v && precision++ < 17);
	int exponent = (int)strtol(strchr(buf, 'e') + 1, NULL, 10);
	if (exponent < -5 || exponent > 15)
		return str_dup(a, str_of(buf));
	snprintf(buf, sizeof buf, "%.*f", precision > exponent ? precision - exponent : 0, v);
	return str_dup(a, str_of(v == 0 ? "0" : buf));
}

#endif
