/* Widths of a table's columns, from what their texts ask for. */
#ifndef RENDER_PDF_COLUMNS_H
#define RENDER_PDF_COLUMNS_H

#include <stddef.h>

/* All in pt, the first three with the padding; word <= ease <= whole. */
struct pdf_column {
	double word;   /* the longest word, which does not break: also a date or a number */
	double ease;   /* nothing short is squeezed: names of rows on one line, others on two */
	double whole;  /* every text on one line */
	double text;   /* length of all its texts together */
	double weight; /* share of what is to spare; 0 stands for 1 */
};

/* Shares the room of a line out, in steps, of which each takes what the one before leaves:
 *   to its word    every column alike, so with too little room only the longest words are cut
 *   to its ease    alike too: small wants are met first, and long names of rows break before a
 *                  date stands on three lines
 *   to its whole   so that all texts together have the fewest lines: a column of length t and
 *                  width w has t / w, and the sum of those is least where w goes as the root of t
 *   beyond         by weight, at most as much again and a bit, so that a table of short texts is
 *                  not torn apart; the rest stays free
 * widths  out: n, their sum at most `room` but for rounding */
void pdf_columns_share(const struct pdf_column *columns, size_t n, double room, double *widths);

#endif
