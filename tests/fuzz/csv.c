/* base/csv_read.h against plain libcsv, which is given one byte at a time, with places counted in
 * another way: cells, places, what is an error and where. */
#include "fuzz.h"

#include "../../base/csv_read.h"

#include <csv.h>
#include <limits.h>

/* A text as libcsv reads it. */
struct reading {
	struct str text;
	char separator;
	size_t at, from;    /* the byte that libcsv got; where the cell begins that it is in */
	struct csv_row *rows;
	size_t n, cap, cells_cap;
	struct csv_row row;
	struct arena arena;
};

/* Line and column of a byte: lines end with LF, CR or CRLF, columns count characters. */
static struct pos place(struct str text, size_t at)
{
	struct pos p = { NULL, 1, 1 };
	size_t begin = 0;

	for (size_t i = 0; i < at; i++)
		if (text.p[i] == '\n'
		    || (text.p[i] == '\r' && (i + 1 == text.len || text.p[i + 1] != '\n'))) {
			p.line++;
			begin = i + 1;
		}
	for (size_t i = begin; i < at; i++)
		p.col += text.p[i] != '\r' && (signed char)text.p[i] > -65; /* not 10xxxxxx */
	return p;
}

static void judge_cell(void *text, size_t len, void *ctx)
{
	struct reading *j = ctx;
	size_t start = j->from;

	while (start < j->at && strchr(" \t\r\n", j->text.p[start]))
		start++;
	j->row.cells =
	    arena_grow(&j->arena, j->row.cells, &j->cells_cap, j->row.n + 1, sizeof *j->row.cells);
	j->row.cells[j->row.n++] = (struct cell){ str_dup(&j->arena, (struct str){ text, len }),
	                                          place(j->text, start),
	                                          start < j->at && j->text.p[start] == '"' };
	j->from = j->at + 1;
}

static void judge_row(int end, void *ctx)
{
	struct reading *j = ctx;
	bool blank = j->row.n == 0
		     || (j->row.n == 1 && j->row.cells[0].text.len == 0 && !j->row.cells[0].quoted);

	(void)end;
	if (!blank) {
		j->row.line = j->row.cells[0].pos.line;
		j->rows = arena_grow(&j->arena, j->rows, &j->cap, j->n + 1, sizeof *j->rows);
		j->rows[j->n++] = j->row;
		j->row.cells = NULL;
		j->cells_cap = 0;
	}
	j->row.n = 0;
	j->from = j->at + 1;
}

/* Decodes strictly: the judge of what is UTF-8. The first bad byte, or the length. */
static size_t bad_utf8(struct str s)
{
	static const struct { unsigned char lo, hi, n, lo2, hi2;
	} leads[] = {
		{ 0x00, 0x7F, 0, 0, 0 },       { 0xC2, 0xDF, 1, 0x80, 0xBF },
		{ 0xE0, 0xE0, 2, 0xA0, 0xBF }, { 0xE1, 0xEC, 2, 0x80, 0xBF },
		{ 0xED, 0xED, 2, 0x80, 0x9F }, { 0xEE, 0xEF, 2, 0x80, 0xBF },
		{ 0xF0, 0xF0, 3, 0x90, 0xBF }, { 0xF1, 0xF3, 3, 0x80, 0xBF },
		{ 0xF4, 0xF4, 3, 0x80, 0x8F },
	};
	const unsigned char *p = (const unsigned char *)s.p;

	for (size_t at = 0; at < s.len;) {
		size_t k = 0;
		while (k < LEN(leads) && (p[at] < leads[k].lo || p[at] > leads[k].hi))
			k++;
		if (k == LEN(leads) || at + leads[k].n >= s.len)
			return at;
		for (size_t i = 1; i <= leads[k].n; i++)
			if (p[at + i] < (i == 1 ? leads[k].lo2 : 0x80)
			    || p[at + i] > (i == 1 ? leads[k].hi2 : 0xBF))
				return at;
		at += 1 + (size_t)leads[k].n;
	}
	return s.len;
}

static char separator_of(struct str text)
{
	size_t commas = 0, semicolons = 0, tabs = 0, begin = 0;
	bool quoted = false;

	while (begin < text.len && (text.p[begin] == '\n' || text.p[begin] == '\r'))
		begin++;
	for (size_t i = begin; i < text.len && (quoted || (text.p[i] != '\n' && text.p[i] != '\r'));
	     i++) {
		quoted = quoted != (text.p[i] == '"');
		commas += !quoted && text.p[i] == ',';
		semicolons += !quoted && text.p[i] == ';';
		tabs += !quoted && text.p[i] == '\t';
	}
	if (commas >= semicolons && commas >= tabs)
		return ',';
	return semicolons >= tabs ? ';' : '\t';
}

/* Reads all of it; bad: the place of what is wrong, line 0 where nothing is. */
static void judge_read(struct reading *j, struct pos *bad)
{
	struct csv_parser p;
	bool good = true;

	fuzz_want(csv_init(&p, CSV_STRICT | CSV_STRICT_FINI | CSV_REPALL_NL) == 0,
		  "libcsv can be set up");
	csv_set_delim(&p, (unsigned char)j->separator);
	for (; j->at < j->text.len && good; j->at += good)
		good = csv_parse(&p, j->text.p + j->at, 1, judge_cell, judge_row, j) == 1;
	if (!good) {
		*bad = place(j->text, j->at);
	} else if (csv_fini(&p, judge_cell, judge_row, j) != 0) {
		while (strchr(" \t\r\n", j->text.p[j->from]))
			j->from++;
		*bad = place(j->text, j->from);
	} else if (j->n == 0) {
		*bad = (struct pos){ NULL, 1, 1 };
	}
	csv_free(&p);
}

static void want_row(const struct csv_row *got, const struct csv_row *want)
{
	fuzz_want(got->n == want->n && got->line == want->line,
		  "a row has libcsv's cells and its line");
	for (size_t i = 0; i < got->n; i++) {
		const struct cell *x = &got->cells[i], *y = &want->cells[i];
		fuzz_want(str_eq(x->text, y->text), "a cell has libcsv's text");
		fuzz_want(x->pos.line == y->pos.line && x->pos.col == y->pos.col,
			  "a cell has its place");
		fuzz_want(x->quoted == y->quoted, "a cell is quoted or not");
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str text = fuzz_text(data, size);
	const char *nul = size ? memchr(data, 0, size) : NULL;
	size_t bom = str_starts(text, STR("\xEF\xBB\xBF")) ? 3 : 0, odd = bad_utf8(text);
	struct reading j = { .text = str_slice(text, bom, text.len) };
	struct arena a = { 0 };
	struct csv_table t;
	struct error err = { 0 };
	struct pos bad = { 0 };

	if (nul)
		bad = place(text, (size_t)(nul - text.p));
	else if (odd < text.len)
		bad = place(text, odd);
	j.separator = separator_of(j.text);
	if (bad.line == 0)
		judge_read(&j, &bad);
	bool good = csv_parse_text(text, "x.csv", &a, &t, &err);
	fuzz_want_fault(good, &err);
	fuzz_want(good == (bad.line == 0), "libcsv takes it too");
	fuzz_want(good || (err.pos.line == bad.line && err.pos.col == bad.col),
		  "an error has its place");
	if (good) {
		fuzz_want(t.separator == j.separator && t.decimal_comma == (j.separator == ';'),
			  "the separator");
		fuzz_want(t.n + 1 == j.n, "as many rows as libcsv has");
		want_row(&t.header, &j.rows[0]);
		for (size_t i = 0; i < t.n; i++)
			want_row(&t.rows[i], &j.rows[i + 1]);
	}
	arena_free(&j.arena);
	arena_free(&a);
	return 0;
}
