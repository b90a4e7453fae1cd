#include "select.h"

#include "stat.h"

enum { SMALL = 16 };

static void swap(double *a, double *b)
{
	double kept = *a;

	*a = *b;
	*b = kept;
}

static void insertion_sort(double *v, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		double x = v[i];
		size_t at = i;
		for (; at > 0 && v[at - 1] > x; at--)
			v[at] = v[at - 1];
		v[at] = x;
	}
}

/* The middle one of three, spread over the range. */
static double pivot_of(const double *v, size_t n)
{
	double a = v[0], b = v[n / 2], c = v[n - 1];

	if (a > b)
		swap(&a, &b);
	return c < a ? a : c > b ? b : c;
}

/* Hoare's: equal values fall on both sides, so that many of them cost nothing. v[0 .. result] <=
 * pivot <= v[result + 1 ..]. Neither part is empty: two of the three that the pivot is chosen from
 * are not below it, and the first of them is no last one. n >= 3 */
static size_t partition(double *v, size_t n)
{
	double pivot = pivot_of(v, n);
	size_t i = 0, j = n - 1;

	for (;; i++, j--) {
		while (v[i] < pivot)
			i++;
		while (v[j] > pivot)
			j--;
		if (i >= j)
			return j;
		swap(&v[i], &v[j]);
	}
}

/* Values that were made to halve nothing are sorted instead, in O(n log n). */
void select_kth(double *v, size_t n, size_t k)
{
	size_t tries = 8;

	for (size_t left = n; left > 1; left /= 2)
		tries += 2;
	while (n > SMALL && tries-- > 0) {
		size_t low = partition(v, n) + 1;
		if (k < low) {
			n = low;
		} else {
			v += low;
			n -= low;
			k -= low;
		}
	}
	if (n > SMALL)
		stat_sort(v, n);
	else
		insertion_sort(v, n);
}

double select_median(double *v, size_t n)
{
	size_t middle = n / 2;

	select_kth(v, n, middle);
	if (n % 2)
		return v[middle];
	double lower = v[0];
	for (size_t i = 1; i < middle; i++)
		lower = v[i] > lower ? v[i] : lower;
	return (lower + v[middle]) / 2;
}
