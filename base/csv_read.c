#include "csv_read.h"

#include "csv_scan.h"
#include "file.h"

#include <string.h>

/* Every cell ends in a NUL beyond its length, as all text of an arena does: a copy of the whole
 * text has room for that, since something stands between two cells. Only the
 * cells of rows that are not read where they stand (CSV_ROW_DECODED) are copied one by one. */
static struct str keep_cell(const struct csv_scan *s, const struct csv_scan_row *row, char *copy,
			    size_t i, struct arena *a, bool *quoted)
{
	struct str text = csv_scan_cell_flagged(row, i, quoted);

	if (text.len == 0)
		return STR("");
	if (row->flags & CSV_ROW_DECODED)
		return str_dup(a, text);
	char *p = copy + (text.p - s->text.p);
	p[text.len] = '\0';
	return (struct str){ p, text.len };
}

static struct csv_row keep_row(const struct csv_scan *s, const struct csv_scan_row *from,
			       char *copy, struct arena *a, struct pos *pos)
{
	struct csv_row row = { arena_array(a, from->n, sizeof *row.cells), from->n, from->line };

	csv_scan_positions(s, from, pos);
	for (size_t i = 0; i < row.n; i++) {
		struct cell *c = &row.cells[i];
		c->pos = pos[i];
		c->text = keep_cell(s, from, copy, i, a, &c->quoted);
	}
	return row;
}

static void read_rows(struct csv_scan *s, struct csv_table *t, struct arena *a,
		      struct arena *scratch)
{
	char *copy = arena_alloc(a, s->text.len + 1);
	struct csv_scan_row row;
	struct pos *pos = NULL;
	size_t pos_cap = 0;

	if (s->text.len)
		memcpy(copy, s->text.p, s->text.len);
	while (csv_scan_next(s, &row)) {
		pos = arena_grow(scratch, pos, &pos_cap, row.n, sizeof *pos);
		if (!t->header.n) {
			t->header = keep_row(s, &row, copy, a, pos);
			continue;
		}
		t->rows = arena_grow(a, t->rows, &t->cap, t->n + 1, sizeof *t->rows);
		t->rows[t->n++] = keep_row(s, &row, copy, a, pos);
	}
}

bool csv_parse_text(struct str text, const char *name, struct arena *a, struct csv_table *table,
                    struct error *err)
{
	struct arena scratch = { .block_size = 1 << 12 };
	struct csv_scan s;

	csv_scan_begin(&s, text, (struct pos){ name, 1, 1 }, CSV_LEVEL_BEST, &scratch);
	*table = (struct csv_table){ .file = name, .separator = s.separator,
		                     .decimal_comma = s.separator == ';' };
	read_rows(&s, table, a, &scratch);
	if (s.fault.kind && err->code == ERR_NONE)
		*err = s.fault.err;
	arena_free(&scratch);
	return s.fault.kind == CSV_FAULT_NONE;
}

bool csv_read(const char *path, struct arena *a, struct csv_table *table, struct error *err)
{
	struct str text;

	return file_read(path, 0, a, &text, err) && csv_parse_text(text, path, a, table, err);
}

int csv_column(const struct csv_table *t, struct str name)
{
	for (size_t i = 0; i < t->header.n; i++)
		if (str_eq(t->header.cells[i].text, name))
			return (int)i;
	return -1;
}

struct cell csv_cell(const struct csv_table *t, const struct csv_row *row, int col)
{
	if (col >= 0 && (size_t)col < row->n)
		return row->cells[col];
	return (struct cell){ STR(""), { t->file, row->line, 0 }, false };
}
