/* Compares what a scan gives with what libcsv alone gives: every cell, place and error. */
#ifndef TESTS_CSV_SCAN_FIXTURE_H
#define TESTS_CSV_SCAN_FIXTURE_H

#include "../base/csv_libcsv.h"
#include "../base/csv_scan.h"
#include "../base/csv_split.h"

#include <stdlib.h>
#include <string.h>

/* What libcsv alone makes of a text. */
struct judgement {
	struct str text;
	bool good;
	struct csv_table table;
	struct error err;
};

static inline struct judgement judge(struct str text, struct arena *a)
{
	struct judgement j = { .text = text };

	j.good = csv_libcsv_parse(text, "x.csv", a, &j.table, &j.err);
	return j;
}

static inline bool same_pos(struct pos a, struct pos b)
{
	return a.line == b.line && a.col == b.col && a.file && b.file
	       && strcmp(a.file, b.file) == 0;
}

static inline bool same_fault(const struct judgement *j, const struct csv_fault *f)
{
	if (j->good || !f->kind)
		return j->good && !f->kind;
	return f->err.code == j->err.code && strcmp(f->err.msg, j->err.msg) == 0
		&& same_pos(f->err.pos, j->err.pos);
}

static inline bool same_row(const struct csv_row *want, const struct csv_scan *s,
			    const struct csv_scan_row *row, struct arena *a)
{
	struct pos *pos = arena_array(a, row->n, sizeof *pos);

	if (row->n != want->n || row->line != want->line)
		return false;
	csv_scan_positions(s, row, pos);
	for (size_t i = 0; i < row->n; i++) {
		const struct cell *c = &want->cells[i];
		bool quoted = !c->quoted;
		if (!str_eq(csv_scan_cell(row, i), c->text) || !same_pos(pos[i], c->pos)
		    || !same_pos(csv_scan_pos(s, row, i), c->pos)
		    || !str_eq(csv_scan_cell_flagged(row, i, &quoted), c->text)
		    || quoted != c->quoted)
			return false;
	}
	return true;
}

/* Goes through the rows of one part; *at counts the rows of all parts. */
static inline bool same_rows(const struct judgement *j, struct csv_scan *s, size_t *at,
			     struct arena *a)
{
	struct csv_scan_row row;
	bool same = true;

	for (; csv_scan_next(s, &row); ++*at) {
		if (!j->good)
			continue;
		same = same && *at <= j->table.n
			&& same_row(*at ? &j->table.rows[*at - 1] : &j->table.header, s, &row, a);
	}
	return same && !csv_scan_next(s, &row);
}

static inline bool all_told(const struct judgement *j, size_t at, const struct csv_fault *f,
			    char separator)
{
	return same_fault(j, f)
		&& (!j->good || (at == j->table.n + 1 && separator == j->table.separator));
}

/* The whole text at once. */
static inline bool whole_is_same(const struct judgement *j, enum csv_level level)
{
	struct arena a = { .block_size = 1 << 14 };
	struct csv_scan s;
	size_t at = 0;

	csv_scan_begin(&s, j->text, (struct pos){ "x.csv", 1, 1 }, level, &a);
	bool same = same_rows(j, &s, &at, &a) && all_told(j, at, &s.fault, s.separator);
	arena_free(&a);
	return same;
}

/* Parts of the text in memory, each scanned where it lies. */
static inline bool parts_are_same(const struct judgement *j, size_t size, enum csv_level level)
{
	struct arena a = { .block_size = 1 << 14 };
	struct csv_fault fault = { 0 };
	struct pos pos = { "x.csv", 1, 1 };
	struct str rest = j->text;
	char separator = 0;
	bool same = true, first = true;
	size_t at = 0;

	for (; first || rest.len; first = false) {
		size_t n = csv_split(rest, size, first, true, level);
		struct str part = str_slice(rest, 0, n);
		struct csv_scan s;
		if (n == 0 && rest.len)
			return false;
		if (first)
			csv_scan_begin(&s, part, pos, level, &a);
		else
			csv_scan_chunk(&s, part, pos, separator, level, &a);
		separator = s.separator;
		same = same_rows(j, &s, &at, &a) && same;
		csv_fault_add(&fault, &s.fault);
		pos = csv_pos_after(pos, part, part.len);
		rest = str_slice(rest, n, rest.len);
	}
	same = same && all_told(j, at, &fault, separator);
	arena_free(&a);
	return same;
}

/* A source that gives the text in pieces of changing size. */
struct pieces {
	struct str left;
	unsigned state;
};

static inline bool read_piece(void *ctx, char *to, size_t max, size_t *got, struct error *err)
{
	struct pieces *p = ctx;
	size_t n;

	(void)err;
	p->state = p->state * 1664525u + 1013904223u;
	n = 1 + (p->state >> 24) % 37;
	if (p->left.len > 4096)
		n *= 100000;
	n = n < max ? n : max;
	n = n < p->left.len ? n : p->left.len;
	if (n)
		memcpy(to, p->left.p, n);
	p->left = str_slice(p->left, n, p->left.len);
	*got = n;
	return true;
}

static inline bool stream_is_same(const struct judgement *j, size_t size, enum csv_level level)
{
	struct arena a = { .block_size = 1 << 14 };
	struct pieces pieces = { j->text, (unsigned)size };
	struct csv_chunk chunk = { .arena = &a };
	struct csv_fault fault = { 0 };
	struct error err = { 0 };
	struct csv_chunks c;
	bool same = true;
	size_t at = 0;

	csv_chunks_begin(&c, (struct csv_source){ read_piece, &pieces }, "x.csv", size, level);
	while (same && csv_chunks_next(&c, &chunk, &err) && !chunk.over) {
		struct csv_scan s;
		csv_chunk_scan(&chunk, level, &a, &s);
		same = same_rows(j, &s, &at, &a);
		csv_fault_add(&fault, &s.fault);
	}
	same = same && all_told(j, at, &fault, c.separator);
	csv_chunks_end(&c);
	arena_free(&a);
	return same;
}

/* csv_parse_text, with the NUL behind each cell. */
static inline bool table_is_same(const struct judgement *j)
{
	struct arena a = { .block_size = 1 << 14 };
	struct csv_table t;
	struct error err = { 0 };
	bool good = csv_parse_text(j->text, "x.csv", &a, &t, &err);
	bool same = good == j->good;

	if (!good)
		same = same && err.code == j->err.code && strcmp(err.msg, j->err.msg) == 0
			&& same_pos(err.pos, j->err.pos);
	for (size_t r = 0; same && good && r <= t.n; r++) {
		const struct csv_row *x = r ? &t.rows[r - 1] : &t.header;
		const struct csv_row *y = r ? &j->table.rows[r - 1] : &j->table.header;
		same = t.n == j->table.n && x->n == y->n && x->line == y->line;
		for (size_t i = 0; same && i < x->n; i++)
			same = str_eq(x->cells[i].text, y->cells[i].text)
			       && x->cells[i].quoted == y->cells[i].quoted
			       && same_pos(x->cells[i].pos, y->cells[i].pos)
			       && x->cells[i].text.p[x->cells[i].text.len] == '\0';
	}
	arena_free(&a);
	return same;
}

static inline void print_text(struct str text, const char *how)
{
	printf("# differs (%s): \"", how);
	for (size_t i = 0; i < text.len && i < 400; i++)
		if (text.p[i] >= ' ' && text.p[i] < 127 && text.p[i] != '"' && text.p[i] != '\\')
			putchar(text.p[i]);
		else
			printf("\\%03o", (unsigned char)text.p[i]);
	printf("\"\n");
}

#endif
