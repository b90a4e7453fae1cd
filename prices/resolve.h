/* Which device of the catalogue a name in a listing means.
 *
 * Asked in this order, the first that knows the name decides:
 *   1. [devices] of the map
 *   2. aliases of the map's scope (retail, cloud), with the memory in the name: "RTX 3080 @10GB"
 *   3. aliases of the scope with the name as it is
 *   4. the device's own name, and aliases of the scope `any`
 *   5. the names that are ambiguous in benchmark rows ("V100"), where the memory leaves one device
 * Of several devices the memory keeps those of that size (within 5 %). One device of another size
 * is not the card: a 4 GB card sold under the name of an 8 GB one would set its price. */
#ifndef PRICES_RESOLVE_H
#define PRICES_RESOLVE_H

#include "price_map.h"
#include "../base/map.h"

enum resolved { RESOLVED, RESOLVED_UNKNOWN, RESOLVED_AMBIGUOUS, RESOLVED_OTHER_MEMORY };

struct resolution {
	enum resolved how;
	size_t device;         /* RESOLVED, and RESOLVED_OTHER_MEMORY the last one asked about */
	double count;          /* devices in one price, from [devices]; else 1 */
	size_t near[8], nnear; /* AMBIGUOUS: the candidates; UNKNOWN: the nearest names, for
				* the first 2,000 of them */
};

struct resolver {
	const struct devices *devices;
	const struct price_map *map;
	struct arena *arena;
	struct map known; /* by name and memory, index into v */
	struct resolution *v;
	size_t n, cap, nunknown;
	struct map entries; /* of [devices], by folded name */
};

void resolver_open(struct resolver *r, const struct devices *devices, const struct price_map *map,
		   struct arena *a);
/* memory_gb  NAN where the listing does not tell. The answer holds good until the next call. */
const struct resolution *resolver_find(struct resolver *r, struct str name, double memory_gb);

#endif
