/* The first stage as the commands run it: in its sandbox, unless --no-sandbox. */
#ifndef CLI_COLLECT_STAGE_H
#define CLI_COLLECT_STAGE_H

#include "options.h"
#include "../collect/collect.h"

#include <stdbool.h>

/* As collect_run(), and says on standard error, where not silent or quiet: what the process of the
 * stage said, that there is no sandbox by wish, and with --verbose what the kernel granted. */
bool collect_stage(const struct options *opt, const struct collect_options *stage, bool silent,
                   const struct devices *devices, struct arena *a, struct messages *messages,
                   struct collect_summary *sum, struct error *err);

#endif
