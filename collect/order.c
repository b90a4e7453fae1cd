#include "order.h"

#include <string.h>

/* Bits of a number that one pass sorts by. */
enum { DIGIT_BITS = 12, NUMBER_BITS = 32, DIGITS = 1 << DIGIT_BITS };

struct range {
	unsigned least, most;
};

static struct range range_of(const unsigned *v, size_t n)
{
	struct range r = { v[0], v[0] };

	for (size_t i = 1; i < n; i++) {
		r.least = v[i] < r.least ? v[i] : r.least;
		r.most = v[i] > r.most ? v[i] : r.most;
	}
	return r;
}

static size_t digit_of(unsigned number, unsigned shift)
{
	return number >> shift & (DIGITS - 1);
}

/* Sorts by one digit; numbers of one digit stay in their order.
 * place  room for DIGITS + 1: where the next number of each digit goes */
static void sort_digit(const unsigned *v, unsigned shift, const unsigned *from, unsigned *to,
		       size_t n, size_t *place)
{
	memset(place, 0, (DIGITS + 1) * sizeof *place);
	for (size_t i = 0; i < n; i++)
		place[digit_of(v[i], shift) + 1]++;
	for (size_t d = 0; d < DIGITS; d++)
		place[d + 1] += place[d];
	for (size_t i = 0; i < n; i++)
		to[place[digit_of(v[from[i]], shift)]++] = from[i];
}

/* From the last column to the first, and from the lowest digit to the highest. */
const unsigned *order_by(unsigned *const *columns, size_t ncolumns, size_t n, struct arena *a)
{
	unsigned *order = arena_array(a, n, sizeof *order);
	unsigned *other = arena_array(a, n, sizeof *other);
	struct arena scratch = { 0 };
	size_t *place = arena_array(&scratch, DIGITS + 1, sizeof *place);

	for (size_t i = 0; i < n; i++)
		order[i] = (unsigned)i;
	for (size_t c = ncolumns; c-- > 0 && n > 1;) {
		struct range range = range_of(columns[c], n);
		if (range.least == range.most)
			continue;
		for (unsigned shift = 0; shift < NUMBER_BITS && range.most >> shift;
		     shift += DIGIT_BITS) {
			unsigned *sorted = other;
			sort_digit(columns[c], shift, order, sorted, n, place);
			other = order;
			order = sorted;
		}
	}
	arena_free(&scratch);
	return order;
}
