/* Numbers from and to text, free of the locale. */
#ifndef BASE_NUM_H
#define BASE_NUM_H

#include "arena.h"
#include "str.h"

#include <stdbool.h>

/* Powers of ten: all that a double holds exactly. */
enum { NUM_TEN_MAX = 22 };
extern const double num_tens[NUM_TEN_MAX + 1];

/* Strict decimal number: [+-]digits[.digits][e[+-]digits], or ".5"; decimal_comma reads ',' in
 * place of '.'. No blanks, hex, inf, nan, thousands separators. Returns false when s is not one
 * or when it overflows a double; *out is then untouched. */
bool num_parse(struct str s, bool decimal_comma, double *out);
/* Strict non-negative whole number that fits an int. */
bool num_parse_int(struct str s, int *out);
/* Shortest decimal text that reads back as exactly v (v finite): "0.1", "470", "1e+22"; an exponent
 * only below 1e-5 and from 1e16 on. */
struct str num_shortest(struct arena *a, double v);
/* Fixed decimals, rounded half to even of the binary value; "-0.00" comes out as "0.00". */
struct str num_fixed(struct arena *a, double v, int decimals);
/* Fixed decimals with a comma every three digits: "10,664". */
struct str num_grouped(struct arena *a, double v, int decimals);
/* An amount of US dollars, without their sign: "1,599"; below 100 with cents, unless it is whole
 * dollars from 10 on: "84.50", "85", "4.00". v finite. */
struct str num_usd(struct arena *a, double v);

#endif
