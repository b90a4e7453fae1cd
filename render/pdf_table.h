/* Lays a table out: the size of its type and the widths of its columns (pdf_columns.h) from its
 * texts and weights, its rows over pages. */
#ifndef RENDER_PDF_TABLE_H
#define RENDER_PDF_TABLE_H

#include "pdf_page.h"
#include "report.h"

/* Caption above, header repeated on every page, a row is split only when it is taller than a page.
 * What must not stand alone below it (l->tail) keeps the last rows with it.
 * Errors: ERR_DATA a table without columns. */
bool pdf_table_add(struct pdf_layout *l, const struct report_table *t, struct error *err);

/* The names of the files with the same content, for under a table or figure; no line if there are
 * none. */
struct pdf_lines pdf_table_files(struct pdf_layout *l, struct str csv_href, struct str svg_href);

#endif
