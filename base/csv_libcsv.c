#include "csv_libcsv.h"

#include <csv.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* libcsv gives no positions, so the text is fed to it in pieces that end before every character
 * it may act on; the callbacks then know where they are. */
struct reader {
	struct csv_parser parser;
	struct arena *arena;
	struct csv_table *table; /* NULL: only the fault is wanted */
	struct csv_row row;      /* being filled */
	size_t row_cap;
	bool have_header;
	struct pos here;         /* of the byte being fed */
	struct pos start;        /* of the cell's first character */
	bool started, quoted;    /* the cell has a first character; it is a quote */
};

static void keep_cell(struct reader *r, struct str text)
{
	size_t n = r->row.n;

	r->row.cells = arena_grow(r->arena, r->row.cells, &r->row_cap, n + 1, sizeof *r->row.cells);
	r->row.cells[n] = (struct cell){ text.len ? str_dup(r->arena, text) : STR(""),
	                                 r->started ? r->start : r->here, r->quoted };
	if (n == 0)
		r->row.line = r->row.cells[0].pos.line;
	r->row.n++;
}

static void take_cell(void *text, size_t len, void *ctx)
{
	struct reader *r = ctx;

	if (r->table)
		keep_cell(r, (struct str){ text, len });
	r->started = r->quoted = false;
}

static void keep_row(struct reader *r)
{
	struct csv_table *t = r->table;
	bool empty = true;

	for (size_t i = 0; i < r->row.n; i++)
		empty = empty && r->row.cells[i].text.len == 0 && !r->row.cells[i].quoted;
	if (!(empty && r->row.n <= 1)) {
		if (!r->have_header) {
			t->header = r->row;
			r->have_header = true;
		} else {
			t->rows = arena_grow(r->arena, t->rows, &t->cap, t->n + 1, sizeof *t->rows);
			t->rows[t->n++] = r->row;
		}
		r->row.cells = NULL;
		r->row_cap = 0;
		/* rows of one table are alike: room for as many cells in one piece */
		r->row.cells =
		    arena_grow(r->arena, NULL, &r->row_cap, r->row.n, sizeof *r->row.cells);
	}
	r->row.n = 0;
}

static void take_row(int end, void *ctx)
{
	struct reader *r = ctx;

	(void)end;
	if (r->table)
		keep_row(r);
	r->started = r->quoted = false;
}

/* Bytes by which libcsv's buffer grows. Where that is too much it tries half of it, and so on: any
 * power of two from 1024 on ends at the same size. */
enum { GROWTH = 1 << 12 };

/* Caps one cell: csv_parse then stops with CSV_ENOMEM and everything stays valid. */
static void *limited_realloc(void *p, size_t n)
{
	return n > CSV_CELL_MAX + 1024 ? NULL : realloc(p, n);
}

static void advance(struct pos *p, struct str text, size_t at)
{
	char c = text.p[at];

	if (c == '\n' || (c == '\r' && !(at + 1 < text.len && text.p[at + 1] == '\n'))) {
		p->line += p->line < INT_MAX;
		p->col = 1;
	} else if (((unsigned char)c & 0xC0) != 0x80 && c != '\r') {
		p->col += p->col < INT_MAX;
	}
}

struct pos csv_pos_after(struct pos at, struct str text, size_t n)
{
	for (size_t i = 0; i < n && i < text.len; i++)
		advance(&at, text, i);
	return at;
}

bool csv_libcsv_check(struct str text, size_t *at, bool *is_nul)
{
	const char *nul = text.len ? memchr(text.p, '\0', text.len) : NULL;

	*is_nul = nul != NULL;
	*at = nul ? (size_t)(nul - text.p) : 0;
	while (!nul && *at < text.len) {
		size_t before = *at;
		if (str_next_utf8(text, at) == 0xFFFD && *at == before + 1) {
			*at = before;
			return false;
		}
	}
	return !nul;
}

static bool check_text(struct str text, const char *name, struct error *err)
{
	struct pos begin = { name, 1, 1 };
	size_t at;
	bool is_nul;

	if (csv_libcsv_check(text, &at, &is_nul))
		return true;
	if (is_nul)
		return error_at(err, ERR_SYNTAX, csv_pos_after(begin, text, at),
		                "a NUL byte: this is not CSV text");
	return error_at(err, ERR_SYNTAX, csv_pos_after(begin, text, at), "byte 0x%02X is not UTF-8",
	                (unsigned char)text.p[at]);
}

char csv_separator(struct str text)
{
	static const char candidates[] = { ',', ';', '\t' };
	size_t count[LEN(candidates)] = { 0 }, best = 0;
	bool quoted = false, seen = false;

	for (size_t i = 0; i < text.len; i++) {
		char c = text.p[i];
		quoted ^= c == '"';
		if (!quoted && (c == '\n' || c == '\r') && seen)
			break;
		seen = seen || (c != '\n' && c != '\r');
		for (size_t k = 0; k < LEN(candidates) && !quoted; k++)
			count[k] += c == candidates[k];
	}
	for (size_t k = 1; k < LEN(candidates); k++)
		if (count[k] > count[best])
			best = k;
	return candidates[best];
}

static bool is_special(char c, char separator)
{
	return c == separator || c == '"' || c == '\n' || c == '\r' || c == ' ' || c == '\t';
}

static bool parse_failed(struct reader *r, struct error *err)
{
	switch (csv_error(&r->parser)) {
	case CSV_ENOMEM:
	case CSV_ETOOBIG:
		return error_at(err, ERR_RANGE, r->started ? r->start : r->here,
				"a cell of more than %d bytes", CSV_CELL_MAX);
	default:
		if (r->started && r->quoted)
			return error_at(err, ERR_SYNTAX, r->here,
					"text after a closing quote: a quote inside a quoted cell "
					"is written twice");
		return error_at(err, ERR_SYNTAX, r->here,
		                "a quote inside an unquoted cell: quote the whole cell");
	}
}

static bool feed(struct reader *r, struct str text, char separator, bool whole, struct error *err)
{
	for (size_t at = 0; at < text.len;) {
		size_t end = at + 1;
		char c = text.p[at];
		bool special = is_special(c, separator);

		while (!special && end < text.len && !is_special(text.p[end], separator))
			end++;
		if (!r->started && (!special || c == '"')) {
			r->start = r->here;
			r->started = true;
			r->quoted = c == '"';
		}
		if (csv_parse(&r->parser, text.p + at, end - at, take_cell, take_row, r)
		    != end - at)
			return parse_failed(r, err);
		for (; at < end; at++)
			advance(&r->here, text, at);
	}
	if (whole && csv_fini(&r->parser, take_cell, take_row, r) != 0)
		return error_at(err, ERR_SYNTAX, r->start,
				"the quote that opens here is never closed");
	return true;
}

static bool begin(struct csv_parser *p, char separator)
{
	if (csv_init(p, CSV_STRICT | CSV_STRICT_FINI | CSV_REPALL_NL) != 0)
		return false;
	csv_set_delim(p, (unsigned char)separator);
	csv_set_realloc_func(p, limited_realloc);
	csv_set_blk_size(p, GROWTH);
	return true;
}

bool csv_libcsv_parse(struct str text, const char *name, struct arena *a, struct csv_table *table,
                      struct error *err)
{
	struct reader r = { .arena = a, .table = table, .here = { name, 1, 1 } };

	*table = (struct csv_table){ .file = name };
	if (!check_text(text, name, err))
		return false;
	if (str_starts(text, STR("\xEF\xBB\xBF")))
		text = str_slice(text, 3, text.len);
	table->separator = csv_separator(text);
	table->decimal_comma = table->separator == ';';
	if (!begin(&r.parser, table->separator))
		return error_set(err, ERR_ENVIRONMENT, "libcsv cannot be set up");
	bool good = feed(&r, text, table->separator, true, err);
	csv_free(&r.parser);
	if (good && !r.have_header)
		return error_at(err, ERR_SYNTAX, (struct pos){ name, 1, 1 },
				"no header line: the file is empty");
	return good;
}

/* Where the cells of one row go. */
struct row_cells {
	char *text;
	struct str *cells;
	size_t n, cap;
};

static void row_cell(void *text, size_t len, void *ctx)
{
	struct row_cells *to = ctx;

	if (to->n == to->cap)
		return;
	if (len)
		memcpy(to->text, text, len);
	to->cells[to->n++] = (struct str){ to->text, len };
	to->text += len;
}

static void row_end(int end, void *ctx)
{
	(void)end;
	(void)ctx;
}

bool csv_libcsv_row(struct str row, char separator, char *text, struct str *cells, size_t n)
{
	struct row_cells to = { text, cells, 0, n };
	struct csv_parser p;

	for (size_t i = 0; i < n; i++)
		cells[i] = STR("");
	if (!begin(&p, separator))
		return false;
	bool good = csv_parse(&p, row.p, row.len, row_cell, row_end, &to) == row.len
		&& csv_fini(&p, row_cell, row_end, &to) == 0;
	csv_free(&p);
	return good;
}

void csv_libcsv_fault(struct str row, char separator, struct pos at, bool whole, struct error *err)
{
	struct reader r = { .here = at };

	if (!begin(&r.parser, separator)) {
		error_set(err, ERR_ENVIRONMENT, "libcsv cannot be set up");
		return;
	}
	feed(&r, row, separator, whole, err);
	csv_free(&r.parser);
}
