/* gpuguide bench: becomes the benchmark program beside this one, which has an exit status, options
 * and help of its own.
 * argv  argv[0] is replaced; ends in NULL
 * Comes back only with an error: ERR_ENVIRONMENT "…/gpuguide-bench: No such file or directory". */
#ifndef CLI_BENCH_H
#define CLI_BENCH_H

#include "../base/error.h"

#include <stdbool.h>

bool bench_become(char **argv, struct error *err);

#endif
