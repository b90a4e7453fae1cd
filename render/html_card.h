/* The picture that stands for the page where it is shared: 1200 x 630, PNG. */
#ifndef RENDER_HTML_CARD_H
#define RENDER_HTML_CARD_H

#include "font.h"
#include "report.h"
#include "../base/arena.h"
#include "../base/error.h"
#include "../base/str.h"

#include <stdbool.h>

enum { HTML_CARD_WIDTH = 1200, HTML_CARD_HEIGHT = 630 };

/* The report's main figure: performance by class, else the first one drawn; NULL: none is. */
const struct report_figure *html_card_figure(const struct report *r);

/* The head of that drawing under the report's title, painted by cairo; the same report gives the
 * same bytes. png: empty when the report has no drawing.
 * Errors  ERR_ENVIRONMENT cairo has no memory */
bool html_card_png(const struct report *r, struct font_set *fonts, struct arena *a, struct str *png,
                   struct error *err);

#endif
