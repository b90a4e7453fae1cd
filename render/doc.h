/* A page format, and the one walk over the report that drives it. */
#ifndef RENDER_DOC_H
#define RENDER_DOC_H

#include "report.h"
#include "../base/error.h"

#include <stdbool.h>

/* Every member is required; ctx is the renderer's own state. */
struct doc_ops {
	bool (*begin)(void *ctx, const struct report *r, struct error *err);
	bool (*heading)(void *ctx, int level, struct str id, const struct spans *text,
			struct error *err);
	bool (*text)(void *ctx, const struct spans *text, struct error *err);
	bool (*note)(void *ctx, enum note_tone tone, const struct spans *text, struct error *err);
	bool (*list)(void *ctx, const struct spans *items, size_t n, struct error *err);
	bool (*table)(void *ctx, const struct report_table *t, struct error *err);
	bool (*figure)(void *ctx, const struct report_figure *f, struct error *err);
	bool (*code)(void *ctx, const struct spans *text, struct error *err);
	bool (*end)(void *ctx, struct error *err);
};

bool doc_walk(const struct report *r, const struct doc_ops *ops, void *ctx, struct error *err);

#endif
