#include "doc.h"

static bool walk_block(const struct report_block *b, const struct doc_ops *ops, void *ctx,
		       struct error *err)
{
	switch (b->kind) { /* no default: the compiler names a missing kind */
	case BLOCK_HEADING:
		return ops->heading(ctx, b->level, b->id, &b->text, err);
	case BLOCK_TEXT:
		return ops->text(ctx, &b->text, err);
	case BLOCK_NOTE:
		return ops->note(ctx, b->tone, &b->text, err);
	case BLOCK_LIST:
		return ops->list(ctx, b->items, b->nitems, err);
	case BLOCK_TABLE:
		return ops->table(ctx, b->table, err);
	case BLOCK_FIGURE:
		return ops->figure(ctx, b->figure, err);
	case BLOCK_CODE:
		return ops->code(ctx, &b->text, err);
	}
	return error_set(err, ERR_DATA, "report: block of unknown kind %d", (int)b->kind);
}

bool doc_walk(const struct report *r, const struct doc_ops *ops, void *ctx, struct error *err)
{
	if (!ops->begin(ctx, r, err))
		return false;
	for (size_t i = 0; i < r->n; i++)
		if (!walk_block(&r->blocks[i], ops, ctx, err))
			return false;
	return ops->end(ctx, err);
}
