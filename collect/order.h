/* Sorts by columns of whole numbers, in a time that rises with their number alone. */
#ifndef COLLECT_ORDER_H
#define COLLECT_ORDER_H

#include "../base/arena.h"

#include <stddef.h>

/* The numbers below n, sorted by what the columns have for them: the first column decides, of equal
 * ones the next, at the end the number itself.
 * columns  ncolumns of them, n numbers each
 * a        of the result, and of as much again */
const unsigned *order_by(unsigned *const *columns, size_t ncolumns, size_t n, struct arena *a);

#endif
