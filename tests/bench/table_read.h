/* Reads the layer tables of tests/bench/tables: header line, cells, quotes. For tests only. */
#ifndef TESTS_BENCH_TABLE_READ_H
#define TESTS_BENCH_TABLE_READ_H

#include "../../base/arena.h"
#include "../../base/str.h"

#include <stdio.h>
#include <stdlib.h>

enum { SHEET_COLUMNS = 20, SHEET_ROWS = 100 };

struct sheet {
	struct str head[SHEET_COLUMNS], cell[SHEET_ROWS][SHEET_COLUMNS];
	size_t columns, rows;
};

static inline size_t sheet_cut(struct str line, struct str *out)
{
	size_t n = 0, at = 0;

	while (at <= line.len && n < SHEET_COLUMNS) {
		bool quoted = at < line.len && line.p[at] == '"';
		size_t from = at + quoted, end = from;
		while (end < line.len && line.p[end] != (quoted ? '"' : ','))
			end++;
		out[n++] = str_slice(line, from, end);
		at = end + quoted + 1;
	}
	return n;
}

static inline struct sheet *sheet_read(const char *name, struct arena *a)
{
	char path[200];
	struct sheet *s = arena_alloc(a, sizeof *s);
	char *text = arena_alloc(a, 1 << 16);
	struct str rest, line;

	snprintf(path, sizeof path, "tests/bench/tables/%s.csv", name);
	FILE *f = fopen(path, "r");
	if (!f) {
		printf("Bail out! %s cannot be read\n", path);
		exit(1);
	}
	rest = (struct str){ text, fread(text, 1, 1 << 16, f) };
	fclose(f);
	if (str_cut(&rest, '\n', &line))
		s->columns = sheet_cut(line, s->head);
	while (str_cut(&rest, '\n', &line) && s->rows < SHEET_ROWS)
		if (line.len)
			sheet_cut(line, s->cell[s->rows++]);
	return s;
}

static inline struct str sheet_text(const struct sheet *s, size_t row, const char *column)
{
	for (size_t i = 0; i < s->columns; i++)
		if (str_eq(s->head[i], str_of(column)))
			return s->cell[row][i];
	printf("Bail out! no column %s\n", column);
	exit(1);
}

static inline long sheet_long(const struct sheet *s, size_t row, const char *column)
{
	char buf[40];
	struct str t = sheet_text(s, row, column);

	snprintf(buf, sizeof buf, STR_FMT, STR_ARG(t));
	return strtol(buf, NULL, 10);
}

#endif
