#include "table.h"

#include "../../base/csv_write.h"
#include "../../base/num.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct table table_make(struct arena *a, const char *path, const char *const *columns)
{
	struct table t = { .arena = a, .path = path, .columns = columns };

	while (columns[t.ncolumns])
		t.ncolumns++;
	return t;
}

static size_t column_of(const struct table *t, const char *name)
{
	size_t i = 0;

	while (i < t->ncolumns && strcmp(t->columns[i], name) != 0)
		i++;
	if (i == t->ncolumns) /* a slip in this program, not in data */
		abort();
	return i;
}

struct table_row *table_add(struct table *t)
{
	t->rows = arena_grow(t->arena, t->rows, &t->cap, t->n + 1, sizeof *t->rows);
	struct table_row *r = &t->rows[t->n++];
	r->cell = arena_array(t->arena, t->ncolumns, sizeof *r->cell);
	return r;
}

void table_set(struct table *t, struct table_row *row, const char *column, struct str text)
{
	row->cell[column_of(t, column)] = str_dup(t->arena, text);
}

void table_set_num(struct table *t, struct table_row *row, const char *column, double v)
{
	char buf[40];
	double rounded;

	if (!isfinite(v))
		return;
	snprintf(buf, sizeof buf, "%.12g", v);
	if (num_parse(str_of(buf), false, &rounded))
		table_set(t, row, column, num_shortest(t->arena, rounded));
}

struct str table_get(const struct table *t, const struct table_row *row, const char *column)
{
	return row->cell[column_of(t, column)];
}

static bool read_all(const char *path, struct arena *a, struct str *out, bool *exists,
		     struct error *err)
{
	FILE *f = fopen(path, "rb");
	struct strbuf b = { .arena = a };
	char buf[65536];
	size_t n;

	*exists = f != NULL;
	if (!f)
		return errno == ENOENT || error_errno(err, path);
	while ((n = fread(buf, 1, sizeof buf, f)) > 0)
		strbuf_add(&b, (struct str){ buf, n });
	bool good = !ferror(f) || error_errno(err, path);
	fclose(f);
	*out = strbuf_str(&b);
	return good;
}

/* One cell from *at on, which moves behind it and its comma or newline; *last: it ended the row. */
static bool read_cell(struct str text, size_t *at, struct strbuf *cell, bool *last)
{
	bool quoted = *at < text.len && text.p[*at] == '"';

	*at += quoted;
	for (;; ++*at) {
		if (*at >= text.len)
			return false; /* every row of ours ends in a newline */
		char c = text.p[*at];
		if (quoted && c == '"' && *at + 1 < text.len && text.p[*at + 1] == '"')
			++*at;
		else if (quoted && c == '"') {
			quoted = false;
			continue;
		} else if (!quoted && (c == ',' || c == '\n')) {
			*last = c == '\n';
			++*at;
			return true;
		}
		strbuf_addc(cell, c);
	}
}

static bool read_row(struct table *t, struct str text, size_t *at, struct table_row *row)
{
	bool last = false;
	size_t i = 0;

	for (; !last && i < t->ncolumns; i++) {
		struct strbuf cell = { .arena = t->arena };
		if (!read_cell(text, at, &cell, &last))
			return false;
		struct str s = strbuf_str(&cell);
		if (s.len > 1 && s.p[0] == '\'' && strchr("=+-@\t\r'", s.p[1]))
			s = str_slice(s, 1, s.len); /* what csv_put() set before a formula */
		row->cell[i] = s;
	}
	return last && i == t->ncolumns;
}

static bool is_header(const struct table *t, const struct table_row *row)
{
	for (size_t i = 0; i < t->ncolumns; i++)
		if (!str_eq(row->cell[i], str_of(t->columns[i])))
			return false;
	return true;
}

/* Where the last line begins. */
static size_t last_line(struct str text)
{
	size_t at = text.len;

	while (at > 0 && text.p[at - 1] != '\n')
		at--;
	return at;
}

bool table_read(struct table *t, struct error *err)
{
	struct str text = { 0 };
	size_t at = 0;
	bool exists;
	struct table_row row = { arena_array(t->arena, t->ncolumns, sizeof *row.cell) };

	if (!read_all(t->path, t->arena, &text, &exists, err))
		return false;
	if (!exists)
		return true;
	if (!read_row(t, text, &at, &row) || !is_header(t, &row))
		return error_at(err, ERR_SYNTAX, (struct pos){ t->path, 1, 0 },
				"not a file of this program's columns; give another with -o");
	text.len = last_line(text);
	while (at < text.len) {
		if (!read_row(t, text, &at, table_add(t)))
			return error_at(err, ERR_SYNTAX, (struct pos){ t->path, (int)t->n + 1, 0 },
					"not a row of %zu cells", t->ncolumns);
	}
	return true;
}

static struct str text_of(const struct table *t, bool header, struct arena *a)
{
	struct csv_out w = { .buf = { .arena = a } };

	for (size_t i = 0; header && i < t->ncolumns; i++)
		csv_put(&w, str_of(t->columns[i]));
	if (header)
		csv_end_row(&w);
	for (size_t r = 0; r < t->n; r++) {
		for (size_t i = 0; i < t->ncolumns; i++)
			csv_put(&w, t->rows[r].cell[i]);
		csv_end_row(&w);
	}
	return strbuf_str(&w.buf);
}

static bool put_file(const char *path, int how, struct str text, struct error *err)
{
	int fd = open(path, O_WRONLY | O_CREAT | how, 0666);
	bool good = fd >= 0;

	for (size_t at = 0; good && at < text.len;) {
		ssize_t n = write(fd, text.p + at, text.len - at);
		good = n > 0 || (n < 0 && errno == EINTR);
		at += n > 0 ? (size_t)n : 0;
	}
	good = good && fsync(fd) == 0;
	if (!good)
		error_errno(err, path);
	if (fd >= 0)
		close(fd);
	return good;
}

bool table_write(const struct table *t, struct error *err)
{
	struct arena a = { 0 };
	struct str aside = str_printf(&a, "%s.tmp", t->path);
	bool good = put_file(aside.p, O_TRUNC, text_of(t, true, &a), err);

	if (good && rename(aside.p, t->path) != 0)
		good = error_errno(err, t->path);
	if (!good)
		unlink(aside.p);
	arena_free(&a);
	return good;
}

bool table_append(struct table *t, struct error *err)
{
	struct arena a = { 0 };
	bool good = put_file(t->path, O_APPEND, text_of(t, false, &a), err);

	t->n = 0;
	arena_free(&a);
	return good;
}
