#include "report.h"

static void add_block(struct report *r, struct report_block block)
{
	r->blocks = arena_grow(r->arena, r->blocks, &r->cap, r->n + 1, sizeof *r->blocks);
	r->blocks[r->n++] = block;
}

void report_heading(struct report *r, int level, struct str id, struct spans text)
{
	add_block(r, (struct report_block){
			 .kind = BLOCK_HEADING, .level = level, .id = id, .text = text });
}

void report_text(struct report *r, struct spans text)
{
	add_block(r, (struct report_block){ .kind = BLOCK_TEXT, .text = text });
}

void report_note(struct report *r, enum note_tone tone, struct spans text)
{
	add_block(r, (struct report_block){ .kind = BLOCK_NOTE, .tone = tone, .text = text });
}

void report_list(struct report *r, struct spans *items, size_t n)
{
	add_block(r, (struct report_block){ .kind = BLOCK_LIST, .items = items, .nitems = n });
}

void report_code(struct report *r, struct spans text)
{
	add_block(r, (struct report_block){ .kind = BLOCK_CODE, .text = text });
}

void report_add_table(struct report *r, struct report_table *t)
{
	add_block(r, (struct report_block){ .kind = BLOCK_TABLE, .table = t });
}

void report_add_figure(struct report *r, struct report_figure *f)
{
	add_block(r, (struct report_block){ .kind = BLOCK_FIGURE, .figure = f });
}

struct report_cell *report_table_row(struct report_table *t, struct arena *a)
{
	size_t used = t->nrows * t->ncolumns;

	t->cells = arena_grow(a, t->cells, &t->cap, used + t->ncolumns, sizeof *t->cells);
	t->nrows++;
	for (size_t i = 0; i < t->ncolumns; i++)
		t->cells[used + i] = (struct report_cell){ .tone = TONE_PLAIN };
	return &t->cells[used];
}
