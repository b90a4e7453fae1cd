/* First values of tensors: our own generator, whole numbers only up to the last step, so that every
 * backend and every machine has the same bits. Real data matter: a product of zeros draws less
 * power and clocks higher (an A100 gave 295 TFLOP/s on zeros and 257 on normal values). */
#ifndef BENCH_RANDOM_H
#define BENCH_RANDOM_H

#include "plan.h"

/* values  out: tensor_count(t) of them by t->fill; seed: of this tensor, its index in the plan.
 * FILL_NORMAL: sums of twelve uniform 16-bit numbers (Irwin-Hall), N(0, scale^2) within 6 sigma;
 * after 1,048,573 values they come again, since billions of weights must not take minutes.
 * FILL_NONE leaves 0. */
void random_fill(const struct tensor *t, unsigned seed, double *values);

#endif
