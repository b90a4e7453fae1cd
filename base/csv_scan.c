#include "csv_scan.h"

#include "csv_index.h"
#include "csv_libcsv.h"

#include <limits.h>
#include <string.h>

/* What is rare stays out of the way of the loop. */
#define RARE __attribute__((noinline, cold))

void csv_fault_add(struct csv_fault *all, const struct csv_fault *next)
{
	if (next->kind > all->kind)
		*all = *next;
}

static void begin(struct csv_scan *s, struct str text, struct pos at, char separator,
		  enum csv_level level, struct arena *a)
{
	struct csv_index *x = arena_alloc(a, sizeof *x);

	*s = (struct csv_scan){ .text = text,
				.at = at,
				.separator = separator,
				.index = x,
				.arena = a,
				.line = (size_t)at.line,
				.col = at.col };
	*x = (struct csv_index){
		.base = str_chars(text), .len = text.len, .separator = separator, .arena = a
	};
	x->kernel = csv_kernel(level) ? csv_kernel(level) : csv_kernel(CSV_LEVEL_BEST);
	x->blank = separator == '\t' ? ' ' : '\t';
	x->carry.after = 1;
}

void csv_scan_begin(struct csv_scan *s, struct str text, struct pos at, enum csv_level level,
		    struct arena *a)
{
	bool bom = str_starts(text, STR("\xEF\xBB\xBF"));

	if (bom)
		text = str_slice(text, 3, text.len);
	/* as much as empty lines and a header may take */
	begin(s, text, at, csv_separator(str_slice(text, 0, 2 * (size_t)CSV_ROW_MAX)), level, a);
	s->bom = bom;
	s->header = true;
}

void csv_scan_chunk(struct csv_scan *s, struct str text, struct pos at, char separator,
		    enum csv_level level, struct arena *a)
{
	begin(s, text, at, separator, level, a);
}

/* The bytes are looked at once more, from the first: only now it matters which is the worst. */
static void check_text(struct csv_scan *s)
{
	struct pos pos = s->at;
	struct csv_fault f = { .kind = CSV_FAULT_NONE };
	size_t at;
	bool is_nul;

	if (csv_libcsv_check(s->text, &at, &is_nul))
		return;
	pos = csv_pos_after(pos, s->text, at);
	if (s->bom && pos.line == s->at.line)
		pos.col++;
	f.kind = is_nul ? CSV_FAULT_NUL : CSV_FAULT_UTF8;
	if (is_nul)
		error_at(&f.err, ERR_SYNTAX, pos, "a NUL byte: this is not CSV text");
	else
		error_at(&f.err, ERR_SYNTAX, pos, "byte 0x%02X is not UTF-8",
			 (unsigned char)s->text.p[at]);
	csv_fault_add(&s->fault, &f);
}

/* Ends the scan with a fault of syntax, or what else is wrong in the rest of the text. */
static bool fail(struct csv_scan *s)
{
	if (s->fault.err.code)
		s->fault.kind = CSV_FAULT_SYNTAX;
	check_text(s);
	return false;
}

static int row_line(const struct csv_scan *s)
{
	return s->line < INT_MAX ? (int)s->line : INT_MAX;
}

static struct pos row_pos(const struct csv_scan *s, const struct csv_scan_row *row)
{
	return (struct pos){ s->at.file, row->line, row->col };
}

/* A row of more cells or bytes than any may have: what is before the limit may have a fault of its
 * own. Only what every chunk that holds the row has is looked at. */
RARE static bool too_long(struct csv_scan *s, const struct csv_scan_row *row)
{
	struct str bytes = { row->base + row->begin, CSV_ROW_MAX };
	bool cells = row->n > CSV_CELLS_MAX && row->ends[CSV_CELLS_MAX] - row->begin <= CSV_ROW_MAX;

	if (cells)
		bytes.len = row->ends[CSV_CELLS_MAX] - row->begin;
	csv_libcsv_fault(bytes, s->separator, row_pos(s, row), false, &s->fault.err);
	if (cells)
		error_at(&s->fault.err, ERR_RANGE, row_pos(s, row), "a row of more than %d cells",
			 CSV_CELLS_MAX);
	else
		error_at(&s->fault.err, ERR_RANGE, row_pos(s, row), "a row of more than %d bytes",
			 CSV_ROW_MAX);
	return fail(s);
}

/* Room for the cells of a row that may differ from its text, of so many bytes. */
static void make_room(struct csv_scan *s, const struct csv_scan_row *row, size_t bytes)
{
	s->decoded = arena_grow(s->arena, s->decoded, &s->decoded_cap, row->n, sizeof *s->decoded);
	s->decoded_text = arena_grow(s->arena, s->decoded_text, &s->decoded_text_cap, bytes, 1);
}

static void set_decoded(const struct csv_scan *s, struct csv_scan_row *row)
{
	row->flags |= CSV_ROW_DECODED | CSV_ROW_QUOTED;
	row->decoded = s->decoded;
}

/* Lets libcsv read the row. */
static bool decode(struct csv_scan *s, struct csv_scan_row *row, bool open)
{
	struct str bytes = csv_scan_raw(row);

	bytes.len += !open; /* with its end */
	make_room(s, row, bytes.len);
	if (!csv_libcsv_row(bytes, s->separator, s->decoded_text, s->decoded, row->n)) {
		csv_libcsv_fault(bytes, s->separator, row_pos(s, row), true, &s->fault.err);
		return fail(s);
	}
	set_decoded(s, row);
	return true;
}

/* Of the quotes in a quoted cell, each of which is written twice, takes one. *room is moved behind
 * what is needed of it. */
static struct str single_quotes(struct str cell, char **room)
{
	const char *from = cell.p, *end = cell.p + cell.len, *quote;
	struct str out = { *room, 0 };

	while (from < end && (quote = memchr(from, '"', (size_t)(end - from)))) {
		size_t n = (size_t)(quote + 1 - from);
		memcpy(*room + out.len, from, n);
		out.len += n;
		from = quote + 2;
	}
	if (out.len == 0)
		return cell;
	memcpy(*room + out.len, from, (size_t)(end - from));
	out.len += (size_t)(end - from);
	*room += out.len;
	return out;
}

/* Reads a row whose quotes stand where they belong: nothing else of it can differ from its text. */
static void undouble(struct csv_scan *s, struct csv_scan_row *row)
{
	struct str raw = csv_scan_raw(row);

	if (!memchr(raw.p, '"', raw.len)) /* they are in the row beside it */
		return;
	make_room(s, row, raw.len);
	char *room = s->decoded_text;

	for (size_t i = 0; i < row->n; i++) {
		bool quoted;
		struct str cell = csv_scan_cell_flagged(row, i, &quoted);
		s->decoded[i] = quoted ? single_quotes(cell, &room) : cell;
	}
	if (room > s->decoded_text)
		set_decoded(s, row);
}

/* What the blocks of the row have told; the line ends within its quotes are counted. */
__attribute__((noinline)) static unsigned row_flags(struct csv_index *x, uint32_t from,
						    uint32_t end, size_t *lines)
{
	unsigned flags = 0;

	while (x->event < x->nevents && x->events[x->event].at + CSV_BLOCK <= from)
		x->event++;
	for (size_t i = x->event; i < x->nevents && x->events[i].at <= end; i++) {
		const struct csv_event *e = &x->events[i];
		uint64_t newlines = e->newlines;

		if (newlines && e->at < from)
			newlines &= UINT64_MAX << (from - e->at);
		if (newlines && end - e->at < CSV_BLOCK)
			newlines &= ~(UINT64_MAX << (end - e->at));
		*lines += (size_t)__builtin_popcountll(newlines);
		flags |= e->flags;
	}
	return flags | (*lines ? CSV_ROW_LINES : 0u);
}

static bool is_blank(struct str s)
{
	for (size_t i = 0; i < s.len; i++)
		if (s.p[i] != ' ' && s.p[i] != '\t') /* a tab that separates is not in a cell */
			return false;
	return true;
}

/* Takes the next row out of the index. */
static void take(struct csv_scan *s, struct csv_scan_row *row, size_t *lines)
{
	struct csv_index *x = s->index;
	size_t last = x->rows[x->row++];
	uint32_t end = x->ends[last], next = end + 1;

	next += next < x->len && x->base[end] == '\r' && x->base[next] == '\n';
	row->base = x->base;
	row->ends = x->ends + x->first;
	row->begin = x->begin;
	row->n = (uint32_t)(last + 1 - x->first);
	row->line = row_line(s);
	row->col = s->col;
	row->flags = 0;
	if (x->event < x->nevents && x->events[x->event].at <= end)
		row->flags = row_flags(x, x->begin, end, lines);
	x->first = last + 1;
	x->begin = end < x->len ? next : end;
	s->col = 1;
}

RARE static bool no_header(struct csv_scan *s, bool many_empty)
{
	error_at(&s->fault.err, many_empty ? ERR_RANGE : ERR_SYNTAX,
		 (struct pos){ s->at.file, 1, 1 }, "no header line: %s",
		 many_empty ? "there are too many empty lines" : "the file is empty");
	return fail(s);
}

/* There is no whole row in the index. */
RARE static bool end(struct csv_scan *s, struct csv_scan_row *row)
{
	struct csv_index *x = s->index;

	if (x->bad)
		return fail(s);
	if (!x->ended) {
		*row = (struct csv_scan_row){ .base = x->base,
					      .ends = x->ends,
					      .begin = x->begin,
					      .n = (uint32_t)x->n,
					      .line = row_line(s),
					      .col = s->col };
		return too_long(s, row);
	}
	s->ended = true;
	if (!s->header)
		return false;
	return no_header(s, s->text.len > CSV_ROW_MAX);
}

/* What is not a row of plain cells: false when it is no row at all, or is not right. */
__attribute__((noinline)) static bool unusual(struct csv_scan *s, struct csv_scan_row *row,
					      size_t length)
{
	struct csv_index *x = s->index;
	bool open = x->open && x->row == x->nrows; /* ended by the text's end alone */

	if (length > CSV_ROW_MAX || row->n > CSV_CELLS_MAX)
		return too_long(s, row);
	if (row->n == 1 && is_blank(csv_scan_raw(row)))
		return false;
	if ((row->flags & CSV_ROW_HARD) || (open && row->flags) || length >= CSV_CELL_MAX)
		return decode(s, row, open);
	if (row->flags & CSV_ROW_DOUBLED)
		undouble(s, row);
	if (open)
		row->flags |= CSV_ROW_TRIM;
	return true;
}

bool csv_scan_next(struct csv_scan *s, struct csv_scan_row *row)
{
	struct csv_index *x = s->index;

	while (!s->ended && !s->fault.kind) {
		size_t lines = 0;

		if (x->row == x->nrows) {
			csv_index_more(x);
			if (x->bad || x->row == x->nrows)
				return end(s, row);
		}
		take(s, row, &lines);
		size_t length = row->ends[row->n - 1] - row->begin;
		bool is_row = true;
		if (row->flags || row->n == 1 || length >= CSV_CELL_MAX || x->open)
			is_row = unusual(s, row, length);
		s->line += 1 + lines;
		if (!is_row)
			continue;
		if (s->header && row->base + row->begin > s->text.p + CSV_ROW_MAX)
			return no_header(s, true);
		s->header = false;
		return true;
	}
	return false;
}

static const char *skip_blanks(const char *p, const char *end)
{
	while (p < end && (*p == ' ' || *p == '\t'))
		p++;
	return p;
}

struct str csv_scan_cell_flagged(const struct csv_scan_row *row, size_t i, bool *quoted)
{
	const char *p = row->base + (i ? row->ends[i - 1] + 1 : row->begin);
	const char *end = row->base + row->ends[i];

	p = skip_blanks(p, end);
	*quoted = p < end && *p == '"';
	if (row->flags & CSV_ROW_DECODED)
		return row->decoded[i];
	if (*quoted) /* else libcsv had read the row */
		return (struct str){ p + 1, (size_t)(end - p) - 2 };
	while (end > p && (end[-1] == ' ' || end[-1] == '\t'))
		end--;
	return (struct str){ p, (size_t)(end - p) };
}

/* The place of cell i, told from one before it in the row. */
static struct pos cell_pos(const struct csv_scan_row *row, size_t i, struct pos pos,
			   const char *from)
{
	const char *end = row->base + row->ends[i];
	const char *p = skip_blanks(row->base + (i ? row->ends[i - 1] + 1 : row->begin), end);

	if (row->flags & (CSV_ROW_WIDE | CSV_ROW_LINES))
		return csv_pos_after(pos, (struct str){ from, (size_t)(end - from) },
				     (size_t)(p - from));
	size_t col = (size_t)pos.col + (size_t)(p - from);
	pos.col = col < INT_MAX ? (int)col : INT_MAX;
	return pos;
}

struct pos csv_scan_pos(const struct csv_scan *s, const struct csv_scan_row *row, size_t i)
{
	return cell_pos(row, i, row_pos(s, row), row->base + row->begin);
}

void csv_scan_positions(const struct csv_scan *s, const struct csv_scan_row *row, struct pos *pos)
{
	const char *from = row->base + row->begin;
	struct pos before = row_pos(s, row);

	for (size_t i = 0; i < row->n; i++) {
		before = pos[i] = cell_pos(row, i, before, from);
		from = skip_blanks(row->base + (i ? row->ends[i - 1] + 1 : row->begin),
				   row->base + row->ends[i]);
	}
}
