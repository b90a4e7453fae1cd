/* Asks the catalogue for the devices and workloads that contributions name, and keeps the answers: a
 * contribution asks the same few names again and again. */
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
	/* Each unknown name is compared with every name of the catalogue, up to so many of them: a file of
	 * nothing but unknown names must not hold up the others. Later ones are refused without a hint. */
	NEAREST_SEARCHES_MAX = 500,
	LOOKUP_QUOTE_MAX = 60, /* bytes of a cell that are quoted in a reason */
};

struct answer {
	bool found;
	enum { ANSWER_DIRECT, ANSWER_SEARCHED, ANSWER_CUT } how; /* CUT: without a hint, too many searches */
	size_t index;          /* into devices or workloads when found */
	enum reject_code code; /* else why not */
	struct str reason;
};

struct answers {
	struct names names; /* of workloads with their metric, "resnet50\nthroughput" */
	struct answer *v;
	size_t cap;
};

/* A name that the file being read asked for and that is not found. */
struct unknown_name {
	const struct answers *answers;
	size_t at; /* its answer */
};

struct lookup {
	struct arena *arena; /* of the answers */
	const struct devices *devices;
	const struct workloads *workloads;
	struct answers by_device, by_workload;
	size_t searches; /* done so far; at most NEAREST_SEARCHES_MAX */
	/* Of the file being read, in its memory. */
	struct arena *scratch;
	struct names seen; /* in step with unknown */
	struct unknown_name *unknown;
	size_t nunknown, unknown_cap;
};

struct lookup lookup_make(const struct devices *devices, const struct workloads *workloads,
                          struct arena *a);
/* Begins a file; scratch holds good until the next begins. */
void lookup_file(struct lookup *l, struct arena *scratch);

/* Both hold good until the next call. */
const struct answer *lookup_device(struct lookup *l, struct str name);
const struct answer *lookup_workload(struct lookup *l, struct str name, struct str metric);

/* Takes the answer that an earlier run found for an unknown name, as if it had been asked for here.
 * kept  l->by_device or l->by_workload
 * Returns false when this run would answer otherwise: its searches are used up. */
bool lookup_recall(struct lookup *l, struct answers *kept, struct str name,
                   const struct answer *answer);

#endif
