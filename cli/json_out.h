/* JSON as the commands print it, piece by piece; commas and line ends come by themselves.
 *
 * A key of NULL stands for an element of an array, or the value at the top. What is not known is
 * null: a number that is not finite, a text that is absent. Texts are made harmless for a terminal,
 * as everywhere (str_plain()). Objects in an array begin a line each. */
#ifndef CLI_JSON_OUT_H
#define CLI_JSON_OUT_H

#include "../base/str.h"

#include <stdbool.h>

/* open: '{' or '['; every one needs its json_out_end() with the same. */
void json_out_begin(struct strbuf *b, const char *key, char open);
void json_out_end(struct strbuf *b, char open);

void json_out_text(struct strbuf *b, const char *key, struct str text);
/* Of a text that is empty when nothing is known: null then. */
void json_out_known(struct strbuf *b, const char *key, struct str text);
void json_out_number(struct strbuf *b, const char *key, double v);
void json_out_bool(struct strbuf *b, const char *key, bool v);
void json_out_null(struct strbuf *b, const char *key);

#endif
