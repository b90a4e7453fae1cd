/* Reads CSV text with exact positions, as libcsv in strict mode reads it (csv_scan.h).
 * Accepted: UTF-8 with or without BOM; LF, CRLF or CR; ',' ';' or tab, told from the header line;
 * RFC 4180 quotes with newlines inside; with ';' a decimal comma. Anything else is an error with
 * its position, never a guess. */
#ifndef BASE_CSV_READ_H
#define BASE_CSV_READ_H

#include "arena.h"
#include "error.h"
#include "map.h"
#include "str.h"

#include <stdbool.h>
#include <stddef.h>

struct cell {
	struct str text;   /* trimmed of blanks around it; valid as long as the arena */
	struct pos pos;    /* of its first character in the file (the quote of a quoted cell) */
	bool quoted;
};

struct csv_row {
	struct cell *cells;
	size_t n;
	int line; /* of the first cell */
};

struct csv_table {
	const char *file;     /* the name used in positions */
	char separator;       /* ',' ';' or '\t' */
	bool decimal_comma;   /* separator is ';' */
	struct csv_row header;
	struct csv_row *rows; /* data rows; wholly empty lines are left out */
	size_t n, cap;
};

enum { CSV_CELL_MAX = 1 << 20 }; /* bytes in one cell; more is an error */

/* text   the whole file; `name` is kept in every position
 * table  out: header and rows. Rows may have fewer or more cells than the header: the caller
 *        judges.
 * Errors ERR_SYNTAX at a bad or unclosed quote, a NUL byte, text that is not UTF-8, or a file
 *        without a header line; ERR_RANGE at a cell or row over the limits (csv_scan.h). */
bool csv_parse_text(struct str text, const char *name, struct arena *a, struct csv_table *table,
                    struct error *err);
/* file_read and csv_parse_text. */
bool csv_read(const char *path, struct arena *a, struct csv_table *table, struct error *err);

/* Index of the named column in the header, or -1. */
int csv_column(const struct csv_table *t, struct str name);
/* Cell of a row by column index; an absent cell (short row, col < 0) comes back empty, at the row's
 * place. */
struct cell csv_cell(const struct csv_table *t, const struct csv_row *row, int col);

/* A table with fixed columns: what a stage reads back or a maintainer edits. */
enum csv_type {
	CSV_TEXT,     /* struct str */
	CSV_NAME,     /* the same, without characters that cannot be seen: name.h */
	CSV_NUMBER,   /* double; empty cell gives NAN; the caller judges its size */
	CSV_POSITIVE, /* the same, from 1e-12 to 1e12 */
	CSV_AMOUNT,   /* 0 or the same */
	CSV_SIGNED,   /* either sign, at most 1e12 */
	CSV_COUNT,    /* int, whole and >= 0; empty gives -1 */
	CSV_DATE,     /* struct date; empty gives day INT_MIN */
};

struct csv_field {
	const char *name;
	enum csv_type type;
	bool required; /* the column must exist and the cell must not be empty */
	size_t offset; /* offsetof in the record */
};

/* Reads every row of `path` into an array of records of `size` bytes (zeroed first). Columns may
 * come in any order, unknown ones are ignored. The first fault stops it: the file is ours or a
 * maintainer's, not a contribution.
 * Errors   those of csv_read; ERR_SYNTAX a column or cell missing, text that is not of its type;
 *          ERR_RANGE a number out of its type's bounds; with file, line and column
 * records  out: *n records; member `pos_offset` (or SIZE_MAX for none) gets the struct pos of the
 *          row */
bool csv_read_records(const char *path, const struct csv_field *fields, size_t nfields, size_t size,
                      size_t pos_offset, struct arena *a, void **records, size_t *n,
                      struct error *err);

/* Refuses a second row for the same thing: which of the two counts would be chance.
 * seen    by key, from csv_once() of the rows before
 * Errors  ERR_DATA at pos, naming the line of the first */
bool csv_once(struct map *seen, struct str key, struct pos pos, struct error *err);

#endif
