/* A chart's drawing on a page: checked, its labels shaped for layout, then replayed. */
#ifndef RENDER_PDF_DRAWING_H
#define RENDER_PDF_DRAWING_H

#include "pdf_page.h"
#include "pdf_writer.h"
#include "report.h"

/* Errors: ERR_DATA names the figure and the shape: a number not finite or beyond 100,000 units, a
 * path that does not start with a move, a hatch or dash that cannot be drawn, a size that is not
 * positive. */
bool pdf_drawing_check(const struct report_figure *f, struct error *err);

/* One line a shape, in user units; empty for paths. */
struct pdf_line *pdf_drawing_labels(struct pdf_layout *l, const struct drawing *d);

/* Replays a PDF_FIGURE item onto the writer's current page. */
void pdf_drawing_emit(struct pdf_writer *w, const struct pdf_item *item);

#endif
