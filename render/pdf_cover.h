/* The title of the PDF: a page of its own, or a block at the head of a short report. */
#ifndef RENDER_PDF_COVER_H
#define RENDER_PDF_COVER_H

#include "pdf_page.h"

/* Title, subtitle, edition id, the report's first paragraph and its first figure, which leads to
 * where it stands in the report. Fills the current page. */
void pdf_cover_add(struct pdf_layout *l);
/* Title, subtitle and edition id; the report goes on below. */
void pdf_cover_block(struct pdf_layout *l);

#endif
