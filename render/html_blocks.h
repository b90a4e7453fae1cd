/* The blocks of the report as markup: what stands between header and footer. */
#ifndef RENDER_HTML_BLOCKS_H
#define RENDER_HTML_BLOCKS_H

#include "report.h"
#include "../catalogue/text.h"
#include "../base/error.h"

#include <stdbool.h>

struct html_parts {
	struct str nav;   /* <li> items, one a chapter */
	struct str first; /* the first chapter, and whatever stands before it */
	struct str rest;  /* the others */
};

/* text    section [page]
 * Errors  ERR_DATA a heading of level 1 or above 6, a message that is missing, a drawing that is no
 *         SVG */
bool html_blocks(const struct report *r, const struct text_catalogue *text, struct arena *a,
                 struct html_parts *out, struct error *err);

#endif
