/* The one way of text into HTML, for element content and quoted attributes alike. */
#ifndef RENDER_HTML_ESCAPE_H
#define RENDER_HTML_ESCAPE_H

#include "../base/str.h"

/* Appends text with & < > " ' ` as references. Control characters other than newline, marks of
 * direction (str_is_plain), U+FFFE and U+FFFF, and malformed UTF-8 become U+FFFD: HTML has no way
 * to write them, or they would turn what stands around them. */
void html_escape(struct strbuf *out, struct str text);

#endif
