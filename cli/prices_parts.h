/* The parts of `gpuguide prices`; opt->paths[0] is the part's name. Those of `import` stand in
 * prices_import.h. */
#ifndef CLI_PRICES_PARTS_H
#define CLI_PRICES_PARTS_H

#include "options.h"

bool prices_check_command(const struct options *opt, struct arena *a, int *status,
			  struct error *err);
bool prices_show_command(const struct options *opt, struct arena *a, int *status,
			 struct error *err);
bool prices_fetch_command(const struct options *opt, struct arena *a, int *status,
			  struct error *err);

#endif
