/* Symmetric positive definite systems, small and dense: a matrix is n x n, row-major, and only its
 * lower triangle is read and written. */
#ifndef ANALYZE_CHOLESKY_H
#define ANALYZE_CHOLESKY_H

#include <stdbool.h>
#include <stddef.h>

/* Turns A into L with A = L L'. False, with A spoilt, when a pivot is not above 0: A is not
 * positive definite. */
bool cholesky_factor(double *a, size_t n);
/* b becomes the x of L x = b. */
void cholesky_forward(const double *l, double *b, size_t n);
/* b becomes the x of L' x = b; after cholesky_forward that solves A x = b. */
void cholesky_back(const double *l, double *b, size_t n);

#endif
