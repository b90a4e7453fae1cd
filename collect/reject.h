/* Why rows were refused or set aside, and the list that becomes rejects.csv. */
#ifndef COLLECT_REJECT_H
#define COLLECT_REJECT_H

#include "../base/arena.h"
#include "../base/csv_write.h"
#include "../base/str.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

enum reject_code {
	REJECT_SYNTAX,           /* not the CSV or the text its column holds */
	REJECT_COLUMN,           /* a header column is missing or named twice: the file is
	                          * refused */
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
	REJECT_CHARACTER,        /* a name holds what cannot be seen: base/name.h */
	REJECT_RANGE,            /* outside the workload's believable range */
	REJECT_ABOVE_ROOFLINE,   /* more arithmetic a second than the devices can do */
	REJECT_LIMIT,            /* over a quota of collect/limits.h: the file is refused whole, for
	                          * an over-long name only the row */
	REJECT_SIGNATURE,        /* the signature beside the file does not hold: it is refused
	                          * whole */
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

/* What of a file is counted and not listed: how many, and where the first stands and why. */
struct unlisted {
	size_t n;
	int line;
	enum reject_code code;
};

/* Adds n, the first of them in that line. */
void unlisted_add(struct unlisted *u, size_t n, int line, enum reject_code code);

struct rejects {
	struct arena *arena;
	struct reject *v;
	size_t n, cap;
	struct unlisted unlisted; /* of a part of a file */
};

/* Bytes of a refused cell and of a reason that are kept. */
enum { REJECT_VALUE_MAX = 120, REJECT_REASON_MAX = 900 };

/* Adds one with the code's own action and returns it (until the next call); value is kept as
 * name_shown(), the reason is formatted. */
struct reject *reject_add(struct rejects *r, size_t file, int line, struct str column,
                          enum reject_code code, struct str value, const char *fmt, ...)
	__attribute__((format(printf, 7, 8)));

/* Whether the list of a part of a file has room for one more, which else is counted. */
bool reject_listed(struct rejects *r, int line, enum reject_code code);

/* Whether one more is listed of a file that has `n`, when the stage has listed *of_all
 * (LIMIT_STAGE_REJECTS), to which it adds. What a file told that is refused in the end is counted
 * too: its memory is used. */
bool reject_told(size_t n, size_t *of_all);

/* Sorts by file, line and order of discovery, and writes the table with its header.
 * files  the name of each input */
void reject_write(struct rejects *r, const struct str *files, struct csv_out *w);

#endif
