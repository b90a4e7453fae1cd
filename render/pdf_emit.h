/* Laid-out pages to the bytes of a PDF file. */
#ifndef RENDER_PDF_EMIT_H
#define RENDER_PDF_EMIT_H

#include "pdf_page.h"
#include "../base/error.h"
#include "../base/str.h"

#include <stdbool.h>

/* tmp_dir as in pdf.h; out: the whole file, in the layout's arena. Dates come from report.timestamp
 * and the file's /ID from report.edition_id. Errors: ERR_ENVIRONMENT. */
bool pdf_emit(const struct pdf_layout *l, const char *tmp_dir, struct str *out, struct error *err);

#endif
