/* Tables with fixed columns, on top of csv_read.c. */
#include "csv_read.h"

#include "csv_guard.h"
#include "date.h"
#include "name.h"
#include "num.h"

#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

enum { FIELDS_MAX = 64 };

static bool read_number(const struct cell *c, bool decimal_comma, const char *column, void *to,
                        struct error *err)
{
	double v = NAN;

	if (c->text.len && !num_parse(c->text, decimal_comma, &v))
		return error_at(err, ERR_SYNTAX, c->pos, "%s: '" STR_FMT "' is not a number",
				column, STR_ARG(c->text));
	memcpy(to, &v, sizeof v);
	return true;
}

/* Bounds of the types of numbers. No product or quotient of two such numbers overflows. */
static const double least = 1e-12, most = 1e12;

static bool read_bounded(const struct csv_field *f, const struct cell *c, bool decimal_comma,
                         void *to, struct error *err)
{
	double v;

	if (!read_number(c, decimal_comma, f->name, to, err))
		return false;
	memcpy(&v, to, sizeof v);
	if (isnan(v) || (fabs(v) <= most && (f->type == CSV_SIGNED || v >= least
	                                     || (f->type == CSV_AMOUNT && v == 0))))
		return true;
	return error_at(err, ERR_RANGE, c->pos, "%s: '" STR_FMT "' is not %s%g to %g", f->name,
	                STR_ARG(c->text), f->type == CSV_AMOUNT ? "0 or from " : "from ",
	                f->type == CSV_SIGNED ? -most : least, most);
}

static bool read_count(const struct cell *c, const char *column, void *to, struct error *err)
{
	int v = -1;

	if (c->text.len && !num_parse_int(c->text, &v))
		return error_at(err, ERR_SYNTAX, c->pos, "%s: '" STR_FMT "' is not a whole number",
				column, STR_ARG(c->text));
	memcpy(to, &v, sizeof v);
	return true;
}

static bool read_date(const struct cell *c, const char *column, void *to, struct error *err)
{
	struct date d = { INT_MIN };

	if (c->text.len && !date_parse(c->text, &d))
		return error_at(err, ERR_SYNTAX, c->pos,
				"%s: '" STR_FMT "' is not a date YYYY-MM-DD", column,
				STR_ARG(c->text));
	memcpy(to, &d, sizeof d);
	return true;
}

static void read_text(const struct cell *c, void *to)
{
	struct str s = csv_unguard(c->text);

	memcpy(to, &s, sizeof s);
}

/* The message lives in err, so the text shown is let go at once. */
static bool check_name(const struct csv_field *f, const struct cell *c, struct error *err)
{
	struct arena scratch = { .block_size = 1 << 12 };
	unsigned hidden;
	bool good = !name_hidden(c->text, &hidden);

	if (!good)
		error_at(err, ERR_SYNTAX, c->pos,
			 "%s: '" STR_FMT "' holds U+%04X, a character that is not seen as it is",
			 f->name, STR_ARG(name_shown(&scratch, c->text, 120)), hidden);
	arena_free(&scratch);
	return good;
}

static bool read_field(const struct csv_field *f, const struct cell *c, bool decimal_comma,
                       void *to, struct error *err)
{
	if (f->required && c->text.len == 0)
		return error_at(err, ERR_SYNTAX, c->pos, "%s: the cell is empty", f->name);
	switch (f->type) {
	case CSV_TEXT:
		read_text(c, to);
		return true;
	case CSV_NAME:
		read_text(c, to);
		return check_name(f, c, err);
	case CSV_NUMBER:
		return read_number(c, decimal_comma, f->name, to, err);
	case CSV_POSITIVE:
	case CSV_AMOUNT:
	case CSV_SIGNED:
		return read_bounded(f, c, decimal_comma, to, err);
	case CSV_COUNT:
		return read_count(c, f->name, to, err);
	case CSV_DATE:
		return read_date(c, f->name, to, err);
	}
	return false;
}

static bool find_columns(const struct csv_table *t, const struct csv_field *fields, size_t nfields,
                         int *columns, struct error *err)
{
	for (size_t i = 0; i < nfields; i++) {
		columns[i] = csv_column(t, str_of(fields[i].name));
		if (columns[i] < 0 && fields[i].required)
			return error_at(err, ERR_SYNTAX, (struct pos){ t->file, t->header.line, 0 },
			                "the header has no column '%s'", fields[i].name);
	}
	return true;
}

bool csv_once(struct map *seen, struct str key, struct pos pos, struct error *err)
{
	bool fresh;
	size_t first = *map_put(seen, key, (size_t)pos.line, &fresh);

	return fresh
	       || error_at(err, ERR_DATA, pos,
			   "the row stands in line %zu already: one of the two has to go", first);
}

bool csv_read_records(const char *path, const struct csv_field *fields, size_t nfields, size_t size,
                      size_t pos_offset, struct arena *a, void **records, size_t *n,
                      struct error *err)
{
	struct csv_table t;
	int columns[FIELDS_MAX];

	if (nfields > FIELDS_MAX)
		return error_set(err, ERR_USAGE, "%s: more than %d columns", path, FIELDS_MAX);
	if (!csv_read(path, a, &t, err) || !find_columns(&t, fields, nfields, columns, err))
		return false;
	char *v = arena_array(a, t.n, size);
	for (size_t r = 0; r < t.n; r++) {
		char *record = v + r * size;
		if (t.rows[r].n > t.header.n)
			return error_at(err, ERR_SYNTAX, t.rows[r].cells[t.header.n].pos,
			                "more cells than the header has columns");
		for (size_t f = 0; f < nfields; f++) {
			struct cell c = csv_cell(&t, &t.rows[r], columns[f]);
			if (!read_field(&fields[f], &c, t.decimal_comma, record + fields[f].offset,
					err))
				return false;
		}
		if (pos_offset != SIZE_MAX) {
			struct pos p = { t.file, t.rows[r].line, 0 };
			memcpy(record + pos_offset, &p, sizeof p);
		}
	}
	*records = v;
	*n = t.n;
	return true;
}
