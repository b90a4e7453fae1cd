/* Small objects of a PDF file into compressed object streams (ISO 32000-1, 7.5.7 and 7.5.8).
 * libharu writes every object by itself and in plain text; a tagged report has thousands, and
 * packed they take a tenth of the room. */
#ifndef RENDER_PDF_PACK_H
#define RENDER_PDF_PACK_H

#include "../base/arena.h"
#include "../base/error.h"
#include "../base/str.h"

#include <stdbool.h>

/* in   a file as libharu saves it: one cross-reference table, objects that do not overlap
 * out  the same objects under the same numbers as PDF 1.7; streams as they were, all else packed,
 *      lengths of streams in their dictionaries
 * Errors: ERR_ENVIRONMENT a file of another form, with the place. */
bool pdf_pack(struct str in, struct arena *a, struct str *out, struct error *err);

#endif
