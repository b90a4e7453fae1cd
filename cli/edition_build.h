/* Builds one edition in a folder: inputs, collect, analyze, changes, render, MANIFEST. What report,
 * publish and verify share. */
#ifndef CLI_EDITION_BUILD_H
#define CLI_EDITION_BUILD_H

#include "context.h"
#include "../base/cache.h"
#include "../collect/collect.h"
#include "../publish/inputs.h"

#include <stdbool.h>
#include <stddef.h>

/* How much went into it. */
struct edition_counts {
	struct collect_summary rows;
	size_t refused_prices;
};

struct edition_build {
	const char *dir;       /* made here; must not be there yet */
	const char *previous;  /* folder of the edition to compare with; NULL: none */
	/* an edition whose equal files are linked, not written again; NULL: none */
	const char *link_from;
	struct cache *cache;   /* NULL: none */
	bool keep_inputs;      /* false: inputs/ is left out (verify has them already) */
	bool silent;           /* prints nothing: neither counts nor messages */
	struct edition_counts *counts; /* out; NULL: not wanted */
};

/* The inputs of the edition that the options ask for, previous ones too unless it is NULL.
 * Errors: those of inputs_gather() */
bool edition_inputs(const struct options *opt, const char *previous, struct arena *a,
                    struct inputs *out, struct error *err);

/* Whether an edition folder can be compared with: its tables can be read and are as its MANIFEST
 * lists them, and it says what it is. Errors: those of change_read_edition() and summary_read() */
bool edition_comparable(const char *dir, struct arena *a, struct error *err);

/* c   from context_open() with prices
 * in  from edition_inputs() with the same `previous`, before context_open() read anything. They are
 *     gathered again at the end: ERR_DATA "… changed while the edition was made" when they moved
 *     meanwhile.
 * On failure `dir` is removed. Prints what the stages say. */
bool edition_build(struct context *c, const struct edition_build *b, const struct inputs *in,
                   struct error *err);

#endif
