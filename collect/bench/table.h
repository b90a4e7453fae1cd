/* A CSV of the program's own: read back for --resume, added to, written aside and renamed, so that
 * a killed run leaves a valid file. */
#ifndef BENCH_TABLE_H
#define BENCH_TABLE_H

#include "../../base/arena.h"
#include "../../base/error.h"
#include "../../base/str.h"

#include <stdbool.h>
#include <stddef.h>

struct table {
	struct arena *arena;
	const char *path;
	const char *const *columns; /* ends in NULL */
	size_t ncolumns;
	struct table_row { struct str *cell; } *rows; /* ncolumns cells */
	size_t n, cap;
};

struct table table_make(struct arena *a, const char *path, const char *const *columns);
/* Reads what an earlier run left; no file: no rows. A last line without its newline is left out:
 * the run was killed while it appended. Errors: ERR_ENVIRONMENT; ERR_SYNTAX with line where the
 * file is not of these columns. */
bool table_read(struct table *t, struct error *err);
struct table_row *table_add(struct table *t); /* every cell empty */
/* By the name of the column, which must be one. */
void table_set(struct table *t, struct table_row *row, const char *column, struct str text);
/* 12 digits; not finite: empty */
void table_set_num(struct table *t, struct table_row *row, const char *column, double v);
struct str table_get(const struct table *t, const struct table_row *row, const char *column);
bool table_write(const struct table *t, struct error *err); /* ERR_ENVIRONMENT */
/* Puts the rows behind those in the file and forgets them: for tables that grow by thousands. */
bool table_append(struct table *t, struct error *err);

#endif
