#include "cholesky.h"

#include <math.h>

bool cholesky_factor(double *a, size_t n)
{
	for (size_t r = 0; r < n; r++)
		for (size_t c = 0; c <= r; c++) {
			double sum = a[r * n + c];
			for (size_t k = 0; k < c; k++)
				sum -= a[r * n + k] * a[c * n + k];
			if (c == r && !(sum > 0))
				return false;
			a[r * n + c] = c == r ? sqrt(sum) : sum / a[c * n + c];
		}
	return true;
}

void cholesky_forward(const double *l, double *b, size_t n)
{
	for (size_t r = 0; r < n; r++) {
		for (size_t k = 0; k < r; k++)
			b[r] -= l[r * n + k] * b[k];
		b[r] /= l[r * n + r];
	}
}

void cholesky_back(const double *l, double *b, size_t n)
{
	for (size_t r = n; r-- > 0;) {
		for (size_t k = r + 1; k < n; k++)
			b[r] -= l[k * n + r] * b[k];
		b[r] /= l[r * n + r];
	}
}
