/* Order statistics. Every function sorts or copies into `a`; inputs stay as they are. */
#ifndef BASE_STAT_H
#define BASE_STAT_H

#include "arena.h"

#include <stddef.h>
#include <stdint.h>

double stat_median(const double *v, size_t n, struct arena *scratch); /* n >= 1 */
/* q in [0, 1], linear interpolation between order statistics (type 7 of Hyndman & Fan 1996). */
double stat_quantile(const double *v, size_t n, double q, struct arena *scratch);
/* The same on values already in ascending order. */
double stat_quantile_sorted(const double *sorted, size_t n, double q);
/* Median of |v - median(v)|, not scaled. */
double stat_mad(const double *v, size_t n, struct arena *scratch);
void stat_sort(double *v, size_t n); /* ascending */

/* splitmix64 (Steele, Lea & Flood 2014): a fixed seed gives the same draws on every machine. */
struct rng { uint64_t state; };
uint64_t rng_next(struct rng *r);
/* Uniform whole number in [0, n), without modulo bias; n >= 1. */
size_t rng_below(struct rng *r, size_t n);

#endif
