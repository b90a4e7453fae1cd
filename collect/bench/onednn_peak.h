/* The most that the arithmetic of this CPU gives: loops of multiply-adds that touch registers only,
 * on all threads. What operations are held against as "share of the measured peak". */
#ifndef BENCH_ONEDNN_PEAK_H
#define BENCH_ONEDNN_PEAK_H

#include "plan.h"

/* FLOP/s of the best of many short windows, since a window in which something else ran says nothing
 * about the machine. Takes 0.3 s, up to 20 s
 * where the machine is not left alone. NAN: no loop for this precision on this CPU.
 * isa  out: the instructions of the loop, "avx512f" */
double peak_measure(enum precision p, int threads, const char **isa);

#endif
