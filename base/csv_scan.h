/* Rows of CSV text, one after another, without a table and without copies: a vector scan finds the
 * cells' ends 64 bytes at a time, also those of cells in quotes, whatever stands in these; libcsv
 * decides about every row whose quotes are not where a cell begins and ends, that is very long, or
 * that the text ends in without a line end. Cells, errors and positions are those of csv_parse_text
 * (csv_read.h tells the dialect), which is built on this.
 *
 *     struct csv_scan s;
 *     struct csv_scan_row row;
 *
 *     csv_scan_begin(&s, text, (struct pos){ name, 1, 1 }, CSV_LEVEL_BEST, a);
 *     while (csv_scan_next(&s, &row))
 *             for (size_t i = 0; i < row.n; i++)
 *                     use(csv_scan_cell(&row, i));
 *     if (s.fault.kind)
 *             the text is refused: s.fault.err tells why, and no row of it may be used
 *
 * The first row is the header. A large text can be scanned in chunks that end where rows end, by
 * several threads at once (csv_split.h). */
#ifndef BASE_CSV_SCAN_H
#define BASE_CSV_SCAN_H

#include "arena.h"
#include "csv_read.h"
#include "error.h"
#include "str.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	CSV_ROW_MAX = 1 << 24,   /* bytes in one row; more is an error */
	CSV_CELLS_MAX = 1 << 20, /* cells in one row; the same */
};

/* How the scan is done; the rows are the same with each. */
enum csv_level {
	CSV_LEVEL_BEST, /* the fastest that this processor has */
	CSV_LEVEL_PLAIN,
	CSV_LEVEL_SSE2,
	CSV_LEVEL_AVX2,
	CSV_LEVEL_AVX512,
	CSV_LEVEL_NEON,
	CSV_LEVEL_COUNT
};
bool csv_level_available(enum csv_level level);
const char *csv_level_name(enum csv_level level);

/* What is wrong with a text. The greatest kind is told, and among faults of one kind the first:
 * csv_parse_text looks for NUL bytes in the whole text before it looks for bad UTF-8, and for both
 * before anything else. */
enum csv_fault_kind {
	CSV_FAULT_NONE,
	CSV_FAULT_SYNTAX, /* bad or unclosed quote, over-long cell or row, too many cells, no header
	                   * line */
	CSV_FAULT_UTF8,
	CSV_FAULT_NUL,
};

struct csv_fault {
	enum csv_fault_kind kind;
	struct error err; /* ERR_SYNTAX, or ERR_RANGE where a cell or row is over its limit; with
	                   * the position */
};

/* Adds the fault of the next part of a text to that of the parts before it. For the same fault as
 * that of the whole text, go through all its parts, also behind a fault. */
void csv_fault_add(struct csv_fault *all, const struct csv_fault *next);

enum csv_row_flag {
	CSV_ROW_TRIM = 1,    /* there may be blanks around a cell */
	CSV_ROW_QUOTED = 2,  /* a cell may be in quotes */
	CSV_ROW_DECODED = 4, /* cells may differ from the text: all are in `decoded` */
	CSV_ROW_WIDE = 8,    /* there may be characters of more than one byte */
	CSV_ROW_LINES = 16,  /* there are line ends in quotes */
};

/* A row, until the next call of csv_scan_next. Cell i lies between ends[i - 1] + 1 (the first cell:
 * begin) and ends[i], as it stands in the text: with quotes and with blanks around it. */
struct csv_scan_row {
	const char *base;     /* begin and ends count bytes from here */
	const uint32_t *ends; /* n of them, each on a separator; the last at the row's end, on CR,
	                       * LF or the text's end */
	uint32_t begin;
	uint32_t n;           /* cells, at least 1 */
	int line;             /* where the row begins; INT_MAX stands for all from there on */
	int col;              /* 1, but for the first row of a text that begins elsewhere */
	unsigned flags;       /* enum csv_row_flag */
	const struct str *decoded;
};

struct csv_index;

struct csv_scan {
	struct csv_fault fault;   /* why csv_scan_next returned false */
	char separator;           /* ',' ';' or '\t' */
	bool bom;                 /* the text began with one */
	struct str text;          /* without it */
	struct pos at;            /* of its first byte */
	struct csv_index *index;  /* what is known of the cells ahead */
	struct arena *arena;
	size_t line;              /* of the next row, with its column */
	int col;
	bool header, ended;       /* the header is to come; all rows have been told */
	struct str *decoded;      /* of the row told last, with the text of those that changed */
	char *decoded_text;
	size_t decoded_cap, decoded_text_cap;
};

/* Begins a whole text, or its first chunk, which must hold the header: passes over a BOM and tells
 * the separator from the header line.
 * text   must stay as it is as long as rows are asked for
 * at     name of the file, and 1, 1
 * a      for the index, some 100 kB (a long row: four bytes more for each of its cells) */
void csv_scan_begin(struct csv_scan *s, struct str text, struct pos at, enum csv_level level,
		    struct arena *a);
/* Begins a later chunk of a text, which begins where a row begins and ends where a row or the text
 * ends.
 * at     of its first byte */
void csv_scan_chunk(struct csv_scan *s, struct str text, struct pos at, char separator,
		    enum csv_level level, struct arena *a);
/* The next row; false at the end of the text and at a fault (s->fault). Empty lines are left
 * out. */
bool csv_scan_next(struct csv_scan *s, struct csv_scan_row *row);

/* csv_scan_cell for any row; *quoted tells whether the cell is in quotes. */
struct str csv_scan_cell_flagged(const struct csv_scan_row *row, size_t i, bool *quoted);

/* The text of a cell without blanks around it and without its quotes: a part of the text itself,
 * except in a row that libcsv has read, and where quotes in it are written twice. */
static inline struct str csv_scan_cell(const struct csv_scan_row *row, size_t i)
{
	uint32_t from = i ? row->ends[i - 1] + 1 : row->begin;

	if (row->flags & ~(unsigned)CSV_ROW_WIDE)
		return csv_scan_cell_flagged(row, i, &(bool){ false });
	return (struct str){ row->base + from, row->ends[i] - from };
}

/* Where cell i begins: its first character (the quote of a quoted cell), or what ends an empty one.
 * It is counted from the row's begin: for messages. */
struct pos csv_scan_pos(const struct csv_scan *s, const struct csv_scan_row *row, size_t i);
/* The same of all cells, n of them. */
void csv_scan_positions(const struct csv_scan *s, const struct csv_scan_row *row, struct pos *pos);

/* The bytes of the row, without its end. */
static inline struct str csv_scan_raw(const struct csv_scan_row *row)
{
	return (struct str){ row->base + row->begin, row->ends[row->n - 1] - row->begin };
}

#endif
