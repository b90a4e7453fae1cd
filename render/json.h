/* report.json: everything the report says, numbers as in the CSVs, keys in a fixed order. */
#ifndef RENDER_JSON_H
#define RENDER_JSON_H

#include "data.h"
#include "report.h"
#include "../base/arena.h"
#include "../base/json_string.h"
#include "../base/str.h"
#include "../catalogue/device.h"

/* devices  the catalogue, or NULL: then devices are listed by name alone */
struct str json_write(const struct report *r, const struct report_data *d,
		      const struct devices *devices, struct arena *a);

#endif
