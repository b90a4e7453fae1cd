/* The report as one self-contained HTML page. */
#ifndef RENDER_HTML_H
#define RENDER_HTML_H

#include "report.h"
#include "../base/error.h"

/* templates_dir holds report.css and page.html (its @@NAMES@@ are filled in). out: the whole page. */
bool html_write(const struct report *r, const char *templates_dir, struct arena *a,
                struct str *out, struct error *err);

#endif
