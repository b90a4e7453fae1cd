#include "plan.h"

#include "limits.h"
#include "names.h"

#include <string.h>

/* What a row is known by; value, repeat, date and driver change from row to row, and other columns
 * are ignored. */
static bool is_key(enum contribution_column column)
{
	return column != COL_VALUE && column != COL_REPEAT && column != COL_DATE
	       && column != COL_DRIVER;
}

static bool header_column(struct plan *p, size_t at, struct strbuf *unknown)
{
	const struct cell *cell = &p->table.header.cells[at];
	struct str name = str_trim(cell->text);

	for (size_t i = 0; i < COL_COUNT; i++) {
		if (!str_eq(column_name((enum contribution_column)i), name))
			continue;
		if (p->at[i] >= 0)
			return error_at(&p->err, ERR_DATA, cell->pos,
					"column '" STR_FMT "' stands twice in the header",
					STR_ARG(name));
		p->at[i] = (int)at;
		return true;
	}
	if (name.len)
		strbuf_printf(unknown, "%s'" STR_FMT "'", unknown->len ? ", " : "",
			      STR_ARG(names_clean(&p->arena, name, 40)));
	return true;
}

static bool header_complete(struct plan *p)
{
	struct strbuf missing = { .arena = &p->arena };
	size_t n = 0;

	for (size_t i = 0; i < COL_COUNT; i++) {
		struct str name = column_name((enum contribution_column)i);
		if (p->at[i] < 0 && column_required((enum contribution_column)i))
			strbuf_printf(&missing, "%s'" STR_FMT "'", n++ ? ", " : "", STR_ARG(name));
	}
	if (n == 0)
		return true;
	return error_at(&p->err, ERR_DATA, p->table.header.cells[0].pos,
			"column%s " STR_FMT " missing", n > 1 ? "s" : "",
			STR_ARG(strbuf_str(&missing)));
}

/* Its cells, to be kept: the text goes before the plan does. */
static void take_cells(struct plan *p, const struct csv_scan *s, const struct csv_scan_row *header)
{
	struct csv_row *row = &p->table.header;

	*row = plan_row(s, header, &p->arena);
	for (size_t i = 0; i < row->n; i++)
		row->cells[i].text = str_dup(&p->arena, row->cells[i].text);
}

/* Asked before anything is done for each of them. */
static bool is_narrow(struct plan *p, const struct csv_scan *s, const struct csv_scan_row *header)
{
	return header->n <= LIMIT_COLUMNS
	       || limit_check(header->n, LIMIT_COLUMNS, "columns",
			      csv_scan_pos(s, header, LIMIT_COLUMNS), &p->err);
}

static bool read_header(struct plan *p)
{
	struct strbuf unknown = { .arena = &p->arena };

	for (size_t i = 0; i < p->table.header.n; i++)
		if (!header_column(p, i, &unknown))
			return false;
	if (!header_complete(p))
		return false;
	if (unknown.len)
		p->unknown = names_clean(&p->arena, strbuf_str(&unknown), 300);
	return true;
}

static void find_pieces(struct plan *p)
{
	size_t before = p->table.header.n; /* column of the piece before, its last */

	for (size_t at = 0; at < p->table.header.n; at++)
		for (size_t i = 0; i < COL_COUNT; i++) {
			if (p->at[i] != (int)at || !is_key((enum contribution_column)i))
				continue;
			if (p->npieces && before + 1 == at)
				p->pieces[p->npieces - 1].last = at;
			else
				p->pieces[p->npieces++] = (struct plan_piece){ at, at };
			before = at;
		}
}

struct plan *plan_make(const struct csv_scan *s, const struct csv_scan_row *header,
		       const char *name)
{
	struct arena arena = { .block_size = 1 << 13 };
	struct plan *p = arena_alloc(&arena, sizeof *p);

	*p = (struct plan){ .arena = arena, .code = REJECT_COLUMN };
	p->table = (struct csv_table){ .file = name, .separator = s->separator };
	p->table.header.line = header->line;
	for (size_t i = 0; i < COL_COUNT; i++)
		p->at[i] = -1;
	if (is_narrow(p, s, header)) {
		take_cells(p, s, header);
		p->bad = !read_header(p);
		find_pieces(p);
	} else {
		p->bad = true;
		p->code = REJECT_LIMIT;
	}
	memcpy(p->layout.at, p->at, sizeof p->at);
	p->layout.columns = p->table.header.n;
	p->layout.separator = s->separator;
	return p;
}

void plan_free(struct plan *p)
{
	struct arena arena = p->arena; /* it holds the plan itself */

	arena_free(&arena);
}

struct csv_row plan_row(const struct csv_scan *s, const struct csv_scan_row *row, struct arena *a)
{
	struct csv_row out = { arena_array(a, row->n, sizeof *out.cells), row->n, row->line };
	struct pos *pos = arena_array(a, row->n, sizeof *pos);

	csv_scan_positions(s, row, pos);
	for (size_t i = 0; i < row->n; i++) {
		bool quoted = false;
		struct str text = row->flags ? csv_scan_cell_flagged(row, i, &quoted)
					     : csv_scan_cell(row, i);
		out.cells[i] = (struct cell){ text, pos[i], quoted };
	}
	return out;
}

bool plan_sees_comma(const struct plan *p, struct csv_scan *s)
{
	struct csv_scan_row row;
	int value = p->at[COL_VALUE];

	while (csv_scan_next(s, &row))
		if (value >= 0 && (size_t)value < row.n) {
			struct str text = csv_scan_cell(&row, (size_t)value);
			if (str_find(text, STR(","), 0) < text.len)
				return true;
		}
	return false;
}
