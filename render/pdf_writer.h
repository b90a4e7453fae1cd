/* What is needed to put items on a libharu page. PDF coordinates: pt from the lower left corner. */
#ifndef RENDER_PDF_WRITER_H
#define RENDER_PDF_WRITER_H

#include "font.h"
#include "pdf_page.h"
#include "../base/arena.h"
#include "../base/error.h"

#include <hpdf.h>
#include <stdbool.h>

enum { PDF_ALPHA_STEPS = 100 };

/* libharu calls its handler again for everything that follows from the first error; only that one
 * is kept, with the stage it came in. */
struct pdf_fault {
	const char *stage;
	unsigned long code, detail; /* code 0: none yet */
	const char *at;             /* stage of the first error */
};

struct pdf_writer {
	struct arena *arena;
	HPDF_Doc doc;
	HPDF_Page page;              /* the current one */
	HPDF_Font fonts[FONT_COUNT]; /* NULL where no character needs it */
	HPDF_ExtGState
	    alphas[PDF_ALPHA_STEPS + 1]; /* by opacity in percent, made when first used */
	struct pdf_fault fault;
};

/* False with ERR_ENVIRONMENT once libharu has reported an error. */
bool pdf_writer_ok(const struct pdf_writer *w, struct error *err);

/* The line's start at (x, y), its direction turned counter-clockwise; scale multiplies its lengths.
 */
void pdf_writer_line(struct pdf_writer *w, const struct pdf_line *line, double x, double y,
		     double angle_deg, double scale);
void pdf_writer_fill(struct pdf_writer *w, struct colour c);
void pdf_writer_stroke(struct pdf_writer *w, struct colour c, double width);
void pdf_writer_alpha(struct pdf_writer *w, double opacity);

/* Cuts the fonts to the characters of the layout, passes them to libharu and sets ToUnicode. */
bool pdf_font_load(struct pdf_writer *w, const struct pdf_layout *l, const char *tmp_dir,
		   struct error *err);

#endif
