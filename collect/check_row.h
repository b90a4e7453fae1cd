/* Checks of one row by itself: every cell against its column, the catalogue and the other cells. */
#ifndef COLLECT_CHECK_ROW_H
#define COLLECT_CHECK_ROW_H

#include "row.h"
#include "../base/csv_read.h"

#include <stdbool.h>

/* Columns of a contribution; the table with their names stands in check_row.c. */
enum contribution_column {
	COL_MACHINE, COL_DATE, COL_DEVICE, COL_DEVICE_COUNT, COL_CLASS, COL_WORKLOAD, COL_PRECISION,
	COL_BATCH_SIZE, COL_METRIC, COL_VALUE, COL_UNIT, COL_FRAMEWORK, COL_DRIVER, COL_REPEAT,
	COL_SOURCE,
	COL_COUNT
};

struct str column_name(enum contribution_column column);
bool column_required(enum contribution_column column);

/* Answers of the catalogue, kept: a contribution asks the same few names again and again. */
struct lookup {
	struct names names;
	struct answer {
		bool found;
		size_t index;           /* into devices or workloads when found */
		enum reject_code code;  /* else why not */
		struct str reason;
	} *v;
	size_t cap;
};

/* Each unknown name is compared with every name of the catalogue, up to so many of them: a file of
 * nothing but unknown names must not hold up the others. Later ones are refused without a hint. */
enum { NEAREST_SEARCHES_MAX = 500 };

struct row_checker {
	struct collection *c;
	struct lookup devices, workloads;
	size_t nearest_searches;        /* done so far; at most NEAREST_SEARCHES_MAX */
	struct arena *scratch;          /* of the file being read */
	size_t file;
	const struct csv_table *table;
	int at[COL_COUNT];              /* column of the table, or -1 */
	bool decimal_comma;
};

struct row_checker check_row_make(struct collection *c);

/* Checks one row whose date was not past the cut-off.
 * Every faulty cell gives a reject and a message. Returns true when there was none: *out is then
 * filled, its state ROW_SET_ASIDE (with its reject) for a run that did not fit: value 0,
 * batch_size 0. */
bool check_row(struct row_checker *k, const struct csv_row *row, struct row *out);

/* Adds a rejected cell and its message "column: reason". */
void check_reject(struct row_checker *k, const struct cell *cell, struct str column,
                  enum reject_code code, const char *fmt, ...)
	__attribute__((format(printf, 5, 6)));

#endif
