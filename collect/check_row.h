/* Checks of one row by itself: every cell against its column, the catalogue and the other cells. */
#ifndef COLLECT_CHECK_ROW_H
#define COLLECT_CHECK_ROW_H

#include "lookup.h"
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

/* A text that was sound, and the number that stands for it: of a machine, a device or a name. */
struct known_cell {
	bool there;
	unsigned number;
	size_t len;
	char text[200]; /* longer ones are not kept */
};

struct row_checker {
	struct collection *c;
	struct lookup *lookup;
	struct arena *scratch;          /* of one row: who calls check_row() empties it behind
	                                 * each */
	size_t file;                    /* of c->inputs */
	const struct csv_table *table;  /* its name and header are looked at */
	int at[COL_COUNT];              /* column of the table, or -1 */
	bool decimal_comma;
	/* The last sound text of each column that says the same in every row: most rows repeat
	 * it. */
	struct known_cell known[COL_COUNT];
};

/* Checks one row whose date was not past the cut-off.
 * Every faulty cell gives a reject and a message. Returns true when there was none: *out is then
 * filled, its state ROW_SET_ASIDE (with its reject) for a run that did not fit: value 0,
 * batch_size 0. */
bool check_row(struct row_checker *k, const struct csv_row *row, struct row *out);

/* What the value of a row must hold when another one, that differs in value, repeat, date and
 * driver alone, was right. */
struct value_check {
	double lo, hi;        /* believable range */
	double flop, seconds; /* of the workload and its unit; as check_row() takes them */
	int device_count;
	bool is_time;
	double tflops_max;    /* INFINITY: nothing is known */
};

struct value_check check_row_again(const struct row_checker *k, const struct row *row);
/* Whether check_row() would take the value, which is not 0. */
bool check_row_value(const struct value_check *v, double value);
/* Whether a text is neither too long for the column nor holds what is not seen. */
bool column_takes(enum contribution_column column, struct str text);

/* Adds a rejected cell and its message "column: reason". Of each part of a file LIMIT_REJECTS are
 * added, further ones counted. */
void check_reject(struct row_checker *k, const struct cell *cell, struct str column,
                  enum reject_code code, const char *fmt, ...)
	__attribute__((format(printf, 5, 6)));

#endif
