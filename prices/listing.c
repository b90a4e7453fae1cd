#include "listing.h"

#include "listing_json.h"
#include "../base/map.h"

#include <string.h>

enum price_map_format listing_format(struct str text)
{
	struct str s =
	    str_trim(str_starts(text, STR("\xEF\xBB\xBF")) ? str_slice(text, 3, text.len) : text);

	return s.len && (s.p[0] == '{' || s.p[0] == '[') ? MAP_JSON : MAP_CSV;
}

static bool check_limits(const struct csv_table *t, struct error *err)
{
	struct pos top = { t->file, 0, 0 };

	if (t->n > LISTING_ROWS_MAX)
		return error_at(err, ERR_RANGE, top, "%zu rows are more than %d", t->n,
				LISTING_ROWS_MAX);
	if (t->header.n > LISTING_COLUMNS_MAX)
		return error_at(err, ERR_RANGE, top, "%zu columns are more than %d", t->header.n,
				LISTING_COLUMNS_MAX);
	if (t->n && t->header.n > LISTING_CELLS_MAX / t->n)
		return error_at(err, ERR_RANGE, top,
				"%zu rows of %zu columns are more than %d cells", t->n, t->header.n,
				LISTING_CELLS_MAX);
	return true;
}

/* Which of two columns of one name is meant would be chance. */
static bool check_header(const struct csv_table *t, struct arena *a, struct error *err)
{
	struct map seen = { .arena = a };

	for (size_t i = 0; i < t->header.n; i++) {
		const struct cell *c = &t->header.cells[i];
		bool fresh;

		map_put(&seen, c->text, i, &fresh);
		if (!fresh)
			return error_at(err, ERR_SYNTAX, c->pos,
					"column '" STR_FMT "' stands twice", STR_ARG(c->text));
	}
	return true;
}

bool listing_parse(struct str text, const char *name, enum price_map_format format, struct str rows,
		   struct arena *a, struct csv_table *table, struct error *err)
{
	if (text.len > LISTING_BYTES_MAX)
		return error_at(err, ERR_RANGE, (struct pos){ name, 0, 0 },
				"%zu bytes are more than %d", text.len, LISTING_BYTES_MAX);
	if (format == MAP_JSON)
		return listing_parse_json(text, name, rows, a, table, err)
		       && check_limits(table, err);
	return csv_parse_text(text, name, a, table, err) && check_limits(table, err)
	       && check_header(table, a, err);
}
