/* Reads what the analysis wrote back into its own structs, for commands that ask an edition.
 * In: DIR/data/edition.csv, scores.csv, prices.csv, and where they are there price_conditions.csv and
 * systems.csv; columns in analyze/analyze.h. */
#ifndef ANALYZE_READBACK_H
#define ANALYZE_READBACK_H

#include "price_condition.h"
#include "price_lens.h"
#include "score.h"
#include "system.h"
#include "../base/arena.h"
#include "../base/error.h"
#include "../catalogue/device.h"
#include "../catalogue/edition.h"

#include <stdbool.h>
#include <stddef.h>

struct readback {
	struct str dir;            /* the edition's folder */
	struct str folder;         /* its last part: "2025-06-30-r2" */
	struct edition edition;    /* name, title, date, classes, reference, stale_days; no more */
	size_t *indices, nindices; /* the devices that have scores, in the order of devices.csv */
	struct scores scores;
	struct card_prices prices;
	struct price_conditions conditions; /* n 0: the edition has none */
	struct systems systems;             /* costs and flags only; n 0: the edition has none */
};

/* The newest edition below `dir`: DIR/YYYY-MM-DD or DIR/YYYY-MM-DD-rN with a data/edition.csv, the
 * latest date, then the highest N; or `dir` itself when it has a data/edition.csv.
 * Errors: ERR_ENVIRONMENT when there is none; the message says how one is made. */
bool readback_find(const char *dir, struct arena *a, struct str *out, struct error *err);

/* Errors: as csv_read_records; ERR_UNKNOWN a device, class, origin, lens or word that the catalogue or
 *         program lacks; ERR_RANGE a score or price that is not above 0, an interval that does not hold it;
 *         ERR_SYNTAX an edition without date or classes; ERR_DATA a file that is not as MANIFEST lists
 *         it (seal.h); each with the file, and the line where there is one */
bool readback_open(const char *dir, const struct devices *devices, struct arena *a,
		   struct readback *out, struct error *err);

#endif
