/* Data files that travel inside the PDF: the tables that a reader of the report may want to reckon
 * with. The larger ones (observations, memory, refused rows) stay beside it. */
#ifndef RENDER_PDF_ATTACH_H
#define RENDER_PDF_ATTACH_H

#include "../base/arena.h"
#include "../base/error.h"
#include "../base/str.h"

#include <stdbool.h>
#include <stddef.h>

struct pdf_attachment {
	struct str name, data;
};

/* In byte order of their names, as the PDF's name tree wants it. */
struct pdf_attachments {
	struct pdf_attachment *v;
	size_t n;
};

/* Reads claims.csv, picks.csv, prices.csv, scores.csv and values.csv of dir/data, as far as they
 * are there. dir NULL: none. Errors: ERR_ENVIRONMENT one that cannot be read. */
bool pdf_attach_read(const char *dir, struct arena *a, struct pdf_attachments *out,
		     struct error *err);

#endif
