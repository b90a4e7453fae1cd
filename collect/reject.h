/* Why rows were refused or set aside, and the list that becomes rejects.csv. */
#ifndef COLLECT_REJECT_H
#define COLLECT_REJECT_H

#include "../base/arena.h"
#include "../base/csv_write.h"
#include "../base/str.h"

#include <stdarg.h>
#include <stddef.h>

enum reject_code {
	REJECT_SYNTAX,           /* not the CSV or the text its column holds */
	REJECT_COLUMN,           /* a header column is missing or named twice: the file is refused */
	REJECT_NUMBER,           /* nan, inf, hex, thousands marks, trailing text, nothing */
	REJECT_DATE,
	REJECT_COUNT,            /* device_count, batch_size, repeat */
	REJECT_UNIT,             /* not the unit of that workload and metric */
	REJECT_METRIC,           /* not a metric of that workload */
	REJECT_DEVICE_UNKNOWN,
	REJECT_DEVICE_AMBIGUOUS,
	REJECT_WORKLOAD_UNKNOWN,
	REJECT_CLASS,            /* contradicts the catalogue's class of the workload */
	REJECT_PRECISION,        /* not a precision's name */
	REJECT_RANGE,            /* outside the workload's believable range */
	REJECT_ABOVE_ROOFLINE,   /* more arithmetic a second than the devices can do */
	REJECT_LIMIT,            /* over a quota of collect/limits.h: the file is refused whole */
	REJECT_SIGNATURE,        /* the signature beside the file does not hold: it is refused whole */
	REJECT_OVERRIDE,         /* a maintainer's decision `reject` */
	REJECT_SUPER_LINEAR,     /* set aside from here on */
	REJECT_COLLAPSED,
	REJECT_OUT_OF_MEMORY,
	REJECT_DID_NOT_FIT,
	REJECT_OUTLIER,
	REJECT_DUPLICATE,
	REJECT_CODE_COUNT
};

/* rejected: never used. set-aside: listed, not used, brought back by data/overrides.csv.
 * overridden: brought back; the row counts. */
enum reject_action { ACTION_REJECTED, ACTION_SET_ASIDE, ACTION_OVERRIDDEN };

enum reject_action reject_action(enum reject_code code); /* without an override */

struct reject {
	size_t file;      /* index of the input */
	int line;         /* from 1 */
	struct str column; /* name of the column; of a whole file the place in the line, from 1 */
	enum reject_code code;
	struct str value, reason;
	enum reject_action action;
	size_t seq;       /* the order in which they were found */
};

struct rejects {
	struct arena *arena;
	struct reject *v;
	size_t n, cap;
};

/* Bytes of a refused cell and of a reason that are kept. */
enum { REJECT_VALUE_MAX = 120, REJECT_REASON_MAX = 900 };

/* Adds one with the code's own action and returns it (until the next call); value is cleaned and
 * clipped, the reason is formatted. */
struct reject *reject_add(struct rejects *r, size_t file, int line, struct str column,
                          enum reject_code code, struct str value, const char *fmt, ...)
	__attribute__((format(printf, 7, 8)));

/* Sorts by file, line and order of discovery, and writes the table with its header.
 * files  the name of each input */
void reject_write(struct rejects *r, const struct str *files, struct csv_out *w);

#endif
