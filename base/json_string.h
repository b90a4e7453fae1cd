/* Text as a JSON string. */
#ifndef BASE_JSON_STRING_H
#define BASE_JSON_STRING_H

#include "str.h"

/* Appends text as a JSON string with its quotes. What str_is_plain() refuses is escaped; malformed
 * UTF-8 becomes U+FFFD. */
void json_string(struct strbuf *out, struct str text);

#endif
