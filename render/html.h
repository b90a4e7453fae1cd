/* The report as one self-contained HTML page: nothing is loaded, and all of it reads without
 * scripting. */
#ifndef RENDER_HTML_H
#define RENDER_HTML_H

#include "data.h"
#include "report.h"
#include "../catalogue/text.h"
#include "../base/error.h"
#include "../catalogue/device.h"

#include <stdbool.h>

/* What a page is made from beside the report. */
struct html_input {
	const char *templates_dir;         /* page.html, report.css and report.js */
	const struct text_catalogue *text; /* of the report's language: [page] and [yours] */
	const struct report_data *data;    /* for readers' own prices (html_prices.h); NULL: none */
	const struct devices *devices;     /* the catalogue: vendor, memory; NULL: not known */
};

/* The template's @@NAMES@@ are filled in; one with a dot is a message of the catalogue. The policy
 * lets in the style sheet and the script by their checksums and nothing else.
 * out     the whole page
 * Errors  as template_read; ERR_SYNTAX an unknown @@NAME@@, or a template that would end its own
 *         element; ERR_DATA a message that is missing, a heading above level 2, a drawing that is
 *         no SVG */
bool html_write(const struct report *r, const struct html_input *in, struct arena *a,
                struct str *out, struct error *err);

#endif
