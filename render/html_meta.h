/* What machines read of a page: alternates, Open Graph, schema.org. */
#ifndef RENDER_HTML_META_H
#define RENDER_HTML_META_H

#include "data.h"
#include "report.h"
#include "../catalogue/text.h"
#include "../base/arena.h"
#include "../base/error.h"
#include "../base/str.h"

/* Appends text as content of a <script> element that is no program: < > & as \uXXXX, so that no
 * text of a JSON document can end the element or open a comment. json: a whole document. */
void html_put_json(struct strbuf *out, struct str json);

/* <link rel="alternate"> of every language, <meta property="og:…">, and the figure's picture. */
struct str html_meta_head(const struct report *r, struct arena *a);
/* <nav> with the other languages; empty where there is one alone. label: "Languages". */
struct str html_meta_languages(const struct report *r, struct str label, struct arena *a);
/* A schema.org Dataset as JSON: https://schema.org/Dataset. data NULL: without what it knows. */
struct str html_meta_dataset(const struct report *r, const struct report_data *data,
                             struct arena *a);
/* The address of the page's picture beside the page: "figures/og.png", or empty: none is drawn. */
struct str html_meta_picture(const struct report *r, struct arena *a);

#endif
