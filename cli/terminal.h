/* Text for a terminal: how wide it is, and columns of what strangers wrote. */
#ifndef CLI_TERMINAL_H
#define CLI_TERMINAL_H

#include "../base/error.h"
#include "../base/str.h"

#include <stdbool.h>
#include <stddef.h>

enum { TERMINAL_WIDTH = 80 };

/* Columns of standard output, 40 to 400; TERMINAL_WIDTH where it is no terminal. */
size_t terminal_width(void);
/* Whether it shows more than ASCII: TERM is not "dumb". */
bool terminal_is_unicode(void);

/* Characters of a text as terminal_put() shows it. */
size_t terminal_length(struct str s);
/* s as str_plain() and blanks up to `columns` characters; right: the blanks in front. */
void terminal_put(struct strbuf *b, struct str s, size_t columns, bool right);
/* Words between blanks in lines of at most `width` characters, every line but the first `indent`
 * blanks in; `at` is where the first one begins. Ends the last line. U+00A0 keeps words together
 * and comes out as a blank. */
void terminal_wrap(struct strbuf *b, struct str words, size_t at, size_t indent, size_t width);

/* To standard output. Errors: ERR_ENVIRONMENT. */
bool terminal_print(struct str text, struct error *err);

#endif
