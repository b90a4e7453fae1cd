/* How an edition is cited: BibTeX, the Citation File Format, and the chapter that shows them. */
#ifndef RENDER_CITATION_H
#define RENDER_CITATION_H

#include "report.h"
#include "../base/arena.h"
#include "../base/str.h"

/* A @misc entry; LaTeX's special characters in the title are escaped. Ends in a newline. */
struct str citation_bibtex(const struct report *r, struct arena *a);
/* CITATION.cff, format 1.2.0: every text a double-quoted YAML scalar. */
struct str citation_cff(const struct report *r, struct arena *a);

#endif
