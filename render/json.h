/* report.json: everything the report says, numbers as in the CSVs, keys in a fixed order. */
#ifndef RENDER_JSON_H
#define RENDER_JSON_H

#include "data.h"
#include "report.h"
#include "../base/arena.h"
#include "../base/str.h"
#include "../catalogue/device.h"

/* Appends text as a JSON string with its quotes. What str_is_plain() refuses is escaped;
 * malformed UTF-8 becomes U+FFFD. */
void json_string(struct strbuf *out, struct str text);

/* devices  the catalogue, or NULL: then devices are listed by name alone */
struct str json_write(const struct report *r, const struct report_data *d,
		      const struct devices *devices, struct arena *a);

#endif
