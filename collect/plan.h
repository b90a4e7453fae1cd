/* The header of a contribution: where each column stands. */
#ifndef COLLECT_PLAN_H
#define COLLECT_PLAN_H

#include "check_row.h"
#include "memo.h"
#include "../base/arena.h"
#include "../base/csv_read.h"
#include "../base/csv_scan.h"
#include "../base/error.h"

#include <stdbool.h>
#include <stddef.h>

/* Cells that stand side by side, of columns that a row is known by. */
struct plan_piece {
	size_t first, last;
};

/* Made once of the header row, then read by every thread that has a part of the file. */
struct plan {
	struct arena arena;
	struct csv_table table; /* name and header; no rows */
	int at[COL_COUNT];      /* column of the file, or -1 */
	bool decimal_comma;     /* values of this file have one; set by who has seen them */
	bool bad;               /* the header cannot be used: err tells why, code under what it is
	                         * refused */
	struct error err;
	enum reject_code code;
	struct str unknown;     /* columns that are ignored, for a message; empty: none */
	struct memo_layout layout;
	struct plan_piece pieces[COL_COUNT];
	size_t npieces;
};

/* A header of more than LIMIT_COLUMNS cells is bad before one of them is looked at.
 * name  of the file in messages; it must outlive the plan */
struct plan *plan_make(const struct csv_scan *s, const struct csv_scan_row *header,
                       const char *name);
void plan_free(struct plan *p);

/* A row as check_row() wants it. */
struct csv_row plan_row(const struct csv_scan *s, const struct csv_scan_row *row, struct arena *a);

/* Whether the value of some row that is left in the scan has a comma. Only a file separated by ';'
 * may write decimals so, and has no decimal points then: 1.234 beside 5,6 would be a thousands
 * mark. */
bool plan_sees_comma(const struct plan *p, struct csv_scan *s);

#endif
