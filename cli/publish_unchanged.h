/* The night on which nothing happened: told by hashes alone, without reading a price or a
 * contribution.
 *
 * What an edition was made from (its inputs, the options, the program, gnuplot and the fonts) is
 * the key of a cache entry that holds its folder, the SHA-256 of its MANIFEST and the id of the
 * edition that came before it. Deleted, the edition is simply built again and found to be the
 * same. */
#ifndef CLI_PUBLISH_UNCHANGED_H
#define CLI_PUBLISH_UNCHANGED_H

#include "options.h"
#include "../base/cache.h"
#include "../publish/inputs.h"
#include "../publish/store.h"

#include <stdbool.h>

struct unchanged {
	const struct options *opt;
	struct cache *cache;
	const struct store *store;
	struct str name;         /* of the edition */
	const struct inputs *in; /* without those of a predecessor */
};

/* Whether the edition that would be made stands there: the newest of its date and name, with the
 * MANIFEST of then, and before it the same edition as then. --previous DIR is never known to be
 * unchanged. */
bool unchanged_find(const struct unchanged *u, struct arena *a, struct str *folder);
/* For the next night. */
void unchanged_remember(const struct unchanged *u, struct str folder, struct arena *a);

#endif
