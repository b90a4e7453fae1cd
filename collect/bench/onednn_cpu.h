/* What this machine's CPU is, from /proc and /sys; whatever does not answer is left out. */
#ifndef BENCH_ONEDNN_CPU_H
#define BENCH_ONEDNN_CPU_H

#include "backend.h"

/* Threads to work with: OMP_NUM_THREADS where it is set, else the physical cores that this process
 * may run on (of two siblings one), no more than the CPU quota of its control group. At least 1. */
int cpu_threads(void);
/* Name (the model's as the system says it, and the threads that work), memory, last cache, and
 * facts: model, cores, caches, governor, hypervisor, huge pages. */
void cpu_describe(struct device_info *out, int threads);
void cpu_fact(struct device_info *out, const char *key, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

#endif
