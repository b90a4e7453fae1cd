/* The reader of CSV text that is libcsv alone, fed piece by piece: slow, and the judge of what the
 * fast one (csv_scan.h) must give. That one also asks it about single rows. */
#ifndef BASE_CSV_LIBCSV_H
#define BASE_CSV_LIBCSV_H

#include "arena.h"
#include "csv_read.h"
#include "error.h"
#include "str.h"

#include <stdbool.h>
#include <stddef.h>

/* As csv_parse_text, whose results are the same. */
bool csv_libcsv_parse(struct str text, const char *name, struct arena *a, struct csv_table *table,
                      struct error *err);

/* Where the first NUL byte of a text is or, if there is none, the first byte that is not UTF-8.
 * Returns false and says which and where when there is one. */
bool csv_libcsv_check(struct str text, size_t *at, bool *is_nul);

/* Reads one row, quotes and all.
 * row        its bytes, with the CR or LF that ends it; without one it is the last of its text
 * text       out: room for row.len bytes; the cells lie there
 * cells, n   out: n cells; more that the row may have are left out, fewer are empty
 * Returns false when the row is not right: csv_libcsv_fault() tells why. */
bool csv_libcsv_row(struct str row, char separator, char *text, struct str *cells, size_t n);
/* Why a row is not right; does nothing for one that is.
 * at     of its first byte
 * whole  false: there is more of the row behind, which is not looked at */
void csv_libcsv_fault(struct str row, char separator, struct pos at, bool whole, struct error *err);

/* The separator of the header line: the one of , ; tab that occurs most outside quotes. */
char csv_separator(struct str text);

/* The place behind the first n bytes of a text that begins `at`. Columns count characters; CR, LF
 * and CRLF end a line. Lines and columns stop at INT_MAX. */
struct pos csv_pos_after(struct pos at, struct str text, size_t n);

#endif
