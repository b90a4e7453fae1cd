/* The few words that the PDF adds to the report, by language. */
#ifndef RENDER_PDF_WORDS_H
#define RENDER_PDF_WORDS_H

#include "../base/str.h"

struct pdf_words {
	struct str language;
	struct str contents, edition,
	    attached;             /* before the edition's id, before a list of files */
	struct str page, of, end; /* "Page 3 of 40" */
	struct str between;       /* two names of a list */
};

/* English where the language has none. */
const struct pdf_words *pdf_words_for(struct str language);

#endif
