/* The report as tagged PDF 1.7, with libharu.
 * Three steps: the report is laid out into pages of positioned items (pdf_page.h), which settles
 * the page numbers, the structure tree (pdf_tree.h) and the characters in use; then the fonts are
 * cut to those characters and everything is written (pdf_emit.h); then small objects are packed
 * (pdf_pack.h). The same report gives the same bytes. */
#ifndef RENDER_PDF_H
#define RENDER_PDF_H

#include "font.h"
#include "report.h"
#include "../base/error.h"

/* Once, before threads start: indexes the library's table of line breaking. Without it the breaks
 * are the same and take longer to find. */
void pdf_prepare(void);

/* What the report does not say itself. */
struct pdf_options {
	const char *tmp_dir; /* an existing folder for the subset fonts, which libharu reads from
				files; emptied again */
	const char *dir;  /* the edition's folder, whose main data files are attached; NULL: none */
	struct str paper; /* "a4" or "letter"; empty: A4 */
};

/* out: the whole file. Characters that no font has are drawn as a box and named by font_missing().
 * Errors: ERR_DATA names the figure with a coordinate, size or path that cannot be drawn, or a
 * table without columns; ERR_UNKNOWN another paper; ERR_ENVIRONMENT a font that cannot be cut, a
 * data file that cannot be read, or libharu's code and where it came. */
bool pdf_write(const struct report *r, const struct pdf_options *opt, struct font_set *fonts,
	       struct arena *a, struct str *out, struct error *err);

#endif
