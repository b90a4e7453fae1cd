/* Writes CSV: UTF-8, LF, RFC 4180 quoting, '.' decimals, empty for missing. Text cells that a
 * spreadsheet would run as a formula get a ' in front (csv_guard.h); csv_read_records takes it away
 * again in our own files, and so must whoever reads them by csv_read. */
#ifndef BASE_CSV_WRITE_H
#define BASE_CSV_WRITE_H

#include "arena.h"
#include "date.h"
#include "error.h"
#include "str.h"

struct csv_out {
	struct strbuf buf;
	bool mid_row;
};

void csv_put(struct csv_out *w, struct str text);        /* untrusted or trusted text; a NUL becomes
                                                          * U+FFFD */
void csv_put_num(struct csv_out *w, double v);           /* shortest exact form; not finite:
                                                          * empty */
void csv_put_int(struct csv_out *w, long v);
void csv_put_date(struct csv_out *w, struct date d);     /* day INT_MIN: empty */
void csv_put_missing(struct csv_out *w);
void csv_end_row(struct csv_out *w);

#endif
