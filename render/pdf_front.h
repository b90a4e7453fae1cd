/* What the PDF adds around the report: title block, contents with page numbers, running head and
 * foot. */
#ifndef RENDER_PDF_FRONT_H
#define RENDER_PDF_FRONT_H

#include "pdf_page.h"

/* Title block and contents at the top of the first page; page numbers are left open. Chapters are
 * headings of level 2; with fewer than two there is no contents list. */
void pdf_front_begin(struct pdf_layout *l);
/* When all pages are laid out: fills the page numbers in and adds head and foot to every page. */
void pdf_front_end(struct pdf_layout *l);

#endif
