/* The median without sorting. */
#ifndef BASE_SELECT_H
#define BASE_SELECT_H

#include <stddef.h>

/* Puts the value that would stand at index k in ascending order there, no larger one before it and
 * no smaller one behind it. v: n > k numbers, no NAN, reordered */
void select_kth(double *v, size_t n, size_t k);
/* The middle value, or half the sum of the two middle ones; n >= 1. */
double select_median(double *v, size_t n);

#endif
