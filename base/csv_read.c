#include "csv_read.h"

#include "file.h"

#include <csv.h>
#include <stdlib.h>
#include <string.h>

/* libcsv gives no positions, so the text is fed to it in pieces that end before every character
 * it may act on; the callbacks then know where they are. */
struct reader {
	struct csv_parser parser;
	struct arena *arena;
	struct csv_table *table;
	struct csv_row row;      /* being filled */
	size_t row_cap;
	bool have_header;
	struct pos here;         /* of the byte being fed */
	struct pos start;        /* of the cell's first character */
	bool started, quoted;    /* the cell has a first character; it is a quote */
};

static void take_cell(void *text, size_t len, void *ctx)
{
	struct reader *r = ctx;
	struct str s = { text, len };
	size_t n = r->row.n;

	r->row.cells = arena_grow(r->arena, r->row.cells, &r->row_cap, n + 1, sizeof *r->row.cells);
	r->row.cells[n] = (struct cell){ len ? str_dup(r->arena, s) : STR(""),
	                                 r->started ? r->start : r->here, r->quoted };
	if (n == 0)
		r->row.line = r->row.cells[0].pos.line;
	r->row.n++;
	r->started = r->quoted = false;
}

static void take_row(int end, void *ctx)
{
	struct reader *r = ctx;
	struct csv_table *t = r->table;
	bool empty = true;

	(void)end;
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
		r->row.cells = arena_grow(r->arena, NULL, &r->row_cap, r->row.n, sizeof *r->row.cells);
	}
	r->row.n = 0;
	r->started = r->quoted = false;
}

/* Caps one cell: csv_parse then stops with CSV_ENOMEM and everything stays valid. */
static void *limited_realloc(void *p, size_t n)
{
	return n > CSV_CELL_MAX + 1024 ? NULL : realloc(p, n);
}

/* Position of byte `at`, columns counted in characters. */
static struct pos position(struct str text, const char *name, size_t at)
{
	struct pos p = { name, 1, 1 };

	for (size_t i = 0; i < at && i < text.len; i++) {
		char c = text.p[i];
		if (c == '\n' || (c == '\r' && !(i + 1 < text.len && text.p[i + 1] == '\n'))) {
			p.line++;
			p.col = 1;
		} else if (((unsigned char)c & 0xC0) != 0x80 && c != '\r') {
			p.col++;
		}
	}
	return p;
}

static bool check_text(struct str text, const char *name, struct error *err)
{
	const char *nul = text.len ? memchr(text.p, '\0', text.len) : NULL;

	if (nul)
		return error_at(err, ERR_SYNTAX, position(text, name, (size_t)(nul - text.p)),
		                "a NUL byte: this is not CSV text");
	for (size_t at = 0; at < text.len;) {
		size_t before = at;
		if (str_next_utf8(text, &at) == 0xFFFD && at == before + 1)
			return error_at(err, ERR_SYNTAX, position(text, name, before),
			                "byte 0x%02X is not UTF-8", (unsigned char)text.p[before]);
	}
	return true;
}

/* The separator of the header line: the one of , ; tab that occurs most outside quotes. */
static char find_separator(struct str text)
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

static void advance(struct pos *p, struct str text, size_t at)
{
	char c = text.p[at];

	if (c == '\n' || (c == '\r' && !(at + 1 < text.len && text.p[at + 1] == '\n'))) {
		p->line++;
		p->col = 1;
	} else if (((unsigned char)c & 0xC0) != 0x80 && c != '\r') {
		p->col++;
	}
}

static bool parse_failed(struct reader *r, struct error *err)
{
	switch (csv_error(&r->parser)) {
	case CSV_ENOMEM:
	case CSV_ETOOBIG:
		return error_at(err, ERR_SYNTAX, r->started ? r->start : r->here,
		                "a cell of more than %d bytes", CSV_CELL_MAX);
	default:
		if (r->started && r->quoted)
			return error_at(err, ERR_SYNTAX, r->here,
			                "text after a closing quote: a quote inside a quoted cell is written twice");
		return error_at(err, ERR_SYNTAX, r->here,
		                "a quote inside an unquoted cell: quote the whole cell");
	}
}

static bool feed(struct reader *r, struct str text, char separator, struct error *err)
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
		if (csv_parse(&r->parser, text.p + at, end - at, take_cell, take_row, r) != end - at)
			return parse_failed(r, err);
		for (; at < end; at++)
			advance(&r->here, text, at);
	}
	if (csv_fini(&r->parser, take_cell, take_row, r) != 0)
		return error_at(err, ERR_SYNTAX, r->start, "the quote that opens here is never closed");
	return true;
}

bool csv_parse_text(struct str text, const char *name, struct arena *a, struct csv_table *table,
                    struct error *err)
{
	struct reader r = { .arena = a, .table = table, .here = { name, 1, 1 } };

	*table = (struct csv_table){ .file = name };
	if (!check_text(text, name, err))
		return false;
	if (str_starts(text, STR("\xEF\xBB\xBF")))
		text = str_slice(text, 3, text.len);
	table->separator = find_separator(text);
	table->decimal_comma = table->separator == ';';
	if (csv_init(&r.parser, CSV_STRICT | CSV_STRICT_FINI | CSV_REPALL_NL) != 0)
		return error_set(err, ERR_ENVIRONMENT, "libcsv cannot be set up");
	csv_set_delim(&r.parser, (unsigned char)table->separator);
	csv_set_realloc_func(&r.parser, limited_realloc);
	bool good = feed(&r, text, table->separator, err);
	csv_free(&r.parser);
	if (good && !r.have_header)
		return error_at(err, ERR_SYNTAX, (struct pos){ name, 1, 1 }, "no header line: the file is empty");
	return good;
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
