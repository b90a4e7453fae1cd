/* Asks the catalogue for the devices and workloads that contributions name, and keeps the answers:
 * a contribution asks the same few names again and again. */
#ifndef COLLECT_LOOKUP_H
#define COLLECT_LOOKUP_H

#include "names.h"
#include "reject.h"
#include "../base/arena.h"
#include "../base/str.h"
#include "../catalogue/device.h"
#include "../catalogue/workload.h"

#include <stdbool.h>
#include <stddef.h>

enum {
	/* Each unknown name is compared with every name of the catalogue, up to so many of them in
	 * one file (of a large one, in each part of CHUNK_BYTES): a file of nothing but unknown
	 * names must not hold up the others. Later ones are refused without a hint. */
	NEAREST_SEARCHES_MAX = 20,
	LOOKUP_QUOTE_MAX = 60, /* bytes of a cell that are quoted in a reason */
};

struct answer {
	bool found;
	bool searched;         /* names near to it were searched for */
	size_t part;           /* the last part of a file that was given it; 0: cut short since */
	size_t index;          /* into devices or workloads when found */
	enum reject_code code; /* else why not */
	struct str reason;     /* in the memory of the lookup; of one cut short in the scratch */
};

struct answers {
	struct names names; /* of workloads with their metric, "resnet50\nthroughput" */
	struct answer *v;
	size_t cap;
};

struct lookup {
	struct arena *arena; /* of the answers, which are kept */
	const struct devices *devices;
	const struct workloads *workloads;
	struct answers by_device, by_workload;
	/* Of the part being read. */
	struct arena *scratch; /* of one row: emptied between calls by whoever owns it */
	size_t part;           /* number of it, from 1 */
	size_t searches;       /* asked for in it; at most NEAREST_SEARCHES_MAX */
	struct answer cut;     /* short, without a hint: the last one */
};

struct lookup lookup_make(const struct devices *devices, const struct workloads *workloads,
                          struct arena *a);
/* Begins a file or a part of it, with the scratch memory of its rows, an arena that stays in its
 * place until the next begins. What a part is answered does not hang on what others have asked
 * for. */
void lookup_part(struct lookup *l, struct arena *scratch);

/* Both hold good until the next call, and until the scratch memory is emptied. */
const struct answer *lookup_device(struct lookup *l, struct str name);
const struct answer *lookup_workload(struct lookup *l, struct str name, struct str metric);

#endif
