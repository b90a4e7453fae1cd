/* gpuguide prices import FILE... --market M --date D [--map NAME|FILE] [--source TEXT] [-o FILE]:
 * real listings to data/prices/DATE-MARKET.csv, and what was refused with its place. */
#ifndef CLI_PRICES_IMPORT_H
#define CLI_PRICES_IMPORT_H

#include "options.h"

/* opt->paths[0] is "import", the listings follow; "-" is standard input. Without -o nothing that
 * stands in data/prices is written a second time, and a file that is there with other bytes is
 * never replaced. A price more than 30 % off the snapshot before it needs --accept.
 * status  1 when no price row came out, or when jumps were held back
 * Errors  ERR_USAGE; those of the readers; ERR_DATA for a target that is there and differs */
bool prices_import_command(const struct options *opt, struct arena *a, int *status,
			   struct error *err);

#endif
