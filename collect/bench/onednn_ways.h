/* The ways to do a convolution, and the choice among them for one that stands alone (the rows of
 * the group conv). It may lie in memory as it likes: every way is loaded with the layouts that it
 * wants and timed, and the fastest is kept, as frameworks let cuDNN choose an algorithm. In a step
 * of a network it is CONV_LIBRARY everywhere: what convolutions win in another layout, norms and
 * pools lose.
 *
 * Filters lie as a way wants them too; what it makes of them at every run counts in its time. */
#ifndef BENCH_ONEDNN_WAYS_H
#define BENCH_ONEDNN_WAYS_H

#include "backend.h"

enum conv_way {
	CONV_LIBRARY,      /* layouts and kernel that the library likes best */
	CONV_NHWC,         /* images pixel by pixel, for which it has other kernels ("brgconv") */
	CONV_NHWC_NEXT,    /* the same, the kernel that it likes second */
	CONV_TURNED,       /* gradient of the input at stride 1: the forward pass over dy, pixel by
	                    * pixel, its filters turned round and their channels changed over */
	CONV_PRODUCT,      /* 1 x 1 at stride 1: a product with a matrix of pixels by channels */
	CONV_PRODUCT_NEXT, /* the same, the kernel that the library likes second */
	CONV_WAYS
};

/* Loads a plan; where it is one convolution and nothing else, that is done the fastest of the ways
 * that the device tries (struct device). A way's time is the median of some samples, on zeros,
 * which are as fast as any numbers on a CPU; a later way must be 2 % faster than what was found
 * before it. One way is in memory at a time, with what it needs beside the tensors, which counts
 * as that of any plan when memory is looked for.
 * Errors  a way that cannot be made, or fails, is passed over; where all are, the error of the
 *         first; of other plans those of load_plan() */
struct loaded *ways_load(struct device *d, const struct plan *plan, struct bench_error *err);

#endif
