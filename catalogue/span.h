/* Running text with its markup, as messages of the catalogue and the report are made of. */
#ifndef CATALOGUE_SPAN_H
#define CATALOGUE_SPAN_H

#include "../base/arena.h"
#include "../base/str.h"

#include <stdbool.h>
#include <stddef.h>

/* A stretch of running text. href set: a link (http, https, or a "#id" of this report, or a file
 * beside it). */
struct span {
	struct str text;
	struct str href;
	struct str lang; /* of the text where it is not the report's, "en"; else empty */
	bool strong, code;
};

struct spans {
	struct span *v;
	size_t n, cap;
};

void spans_add(struct arena *a, struct spans *s, struct span span);
/* The words alone, in order. */
struct str spans_text(struct arena *a, const struct spans *s);

#endif
