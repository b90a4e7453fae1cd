/* The report as PDF (A4), with libharu.
 * Two steps: the report is laid out into pages of positioned items (pdf_page.h), which settles the
 * page numbers and the characters in use; then the fonts are cut to those characters and the
 * items are written (pdf_emit.h). The same report gives the same bytes. */
#ifndef RENDER_PDF_H
#define RENDER_PDF_H

#include "font.h"
#include "report.h"
#include "../base/error.h"

/* tmp_dir: an existing folder for the subset fonts, which libharu reads from files; emptied again.
 * out: the whole file. Characters that no font has are drawn as a box and named by font_missing().
 * Errors: ERR_DATA names the figure with a coordinate, size or path that cannot be drawn, or a
 * table without columns; ERR_ENVIRONMENT a font that cannot be cut, or libharu's code and where it
 * came. */
bool pdf_write(const struct report *r, struct font_set *fonts, const char *tmp_dir, struct arena *a,
	       struct str *out, struct error *err);

#endif
