/* What gpuguide-bench does: measure everything asked for and write it down, one workload after
 * another; or list, or say what it would do. */
#ifndef BENCH_RUN_H
#define BENCH_RUN_H

#include "options.h"

/* folder  where the program lies: plug-ins are looked for there
 * status  out: 0, or 1 where a check failed or a result was refused
 * Errors: ERR_USAGE, ERR_ENVIRONMENT (no device, a file that cannot be written) */
bool run_measure(const struct bench_options *opt, struct str folder, struct arena *a, int *status,
		 struct error *err);
bool run_dry(const struct bench_options *opt, struct str folder, struct arena *a,
	     struct error *err);
/* Needs no device. */
bool run_list(const struct bench_options *opt, struct arena *a, struct error *err);

#endif
