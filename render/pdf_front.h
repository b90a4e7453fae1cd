/* What the PDF adds around the report: title, contents with page numbers, running head and foot.
 * A report of two chapters or more has a cover and a page of contents, numbered i, ii, …; a shorter
 * one has its title on the first page. */
#ifndef RENDER_PDF_FRONT_H
#define RENDER_PDF_FRONT_H

#include "pdf_page.h"

/* Up to the place where the report starts; page numbers in the contents are left open. Chapters are
 * headings of level 2, sections of level 3. */
void pdf_front_begin(struct pdf_layout *l);
/* When all pages are laid out: fills the page numbers in and adds head and foot to every page. */
void pdf_front_end(struct pdf_layout *l);

#endif
