#include "span.h"

void spans_add(struct arena *a, struct spans *s, struct span span)
{
	s->v = arena_grow(a, s->v, &s->cap, s->n + 1, sizeof *s->v);
	s->v[s->n++] = span;
}

struct str spans_text(struct arena *a, const struct spans *s)
{
	struct strbuf b = { .arena = a };

	for (size_t i = 0; i < s->n; i++)
		strbuf_add(&b, s->v[i].text);
	return strbuf_str(&b);
}
