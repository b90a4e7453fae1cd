/* What the machine itself can still give. */
#ifndef BENCH_HOST_MEMORY_H
#define BENCH_HOST_MEMORY_H

/* Without swapping or killing, in bytes: free and reclaimable memory, and the limit of the control
 * group. INFINITY where the system tells neither. */
double host_memory_available(void);

#endif
