#include "listing_json.h"

#include "listing.h"
#include "../base/map.h"

#include <cjson/cJSON.h>
#include <string.h>

struct walk {
	struct str text;
	size_t at;
	struct pos pos; /* of text.p[at] */
	struct csv_table *table;
	struct map columns; /* by name */
	size_t header_cap;
	struct arena *arena;
	struct error *err;
};

static void step(struct walk *w)
{
	char c = w->text.p[w->at++];

	if (c == '\n') {
		w->pos.line++;
		w->pos.col = 1;
	} else if (((unsigned char)w->text.p[w->at] & 0xC0) != 0x80) { /* the text ends in a NUL */
		w->pos.col++;
	}
}

static char here(const struct walk *w)
{
	return w->at < w->text.len ? w->text.p[w->at] : '\0';
}

static bool fail(struct walk *w, enum error_code code, const char *why)
{
	return error_at(w->err, code, w->pos, "%s", why);
}

/* What cJSON takes for a blank. */
static void skip_blanks(struct walk *w)
{
	while (w->at < w->text.len && (unsigned char)here(w) <= ' ')
		step(w);
}

static bool skip_char(struct walk *w, char c)
{
	skip_blanks(w);
	if (here(w) != c)
		return fail(w, ERR_SYNTAX, "this is not JSON");
	step(w);
	skip_blanks(w);
	return true;
}

static void skip_string(struct walk *w)
{
	step(w);
	while (w->at < w->text.len && here(w) != '"') {
		if (here(w) == '\\')
			step(w);
		if (w->at < w->text.len)
			step(w);
	}
	if (w->at < w->text.len)
		step(w);
}

/* Over one value, whatever is in it: cJSON has seen that its brackets match. */
static struct str skip_value(struct walk *w)
{
	size_t from = w->at, depth = 0;

	do {
		char c = here(w);

		if (c == '"') {
			skip_string(w);
			continue;
		}
		if (depth == 0 && (c == ',' || c == ']' || c == '}' || (unsigned char)c <= ' '))
			break;
		depth += c == '[' || c == '{';
		depth -= c == ']' || c == '}';
		step(w);
	} while (w->at < w->text.len && (depth > 0 || here(w) != ','));
	return str_slice(w->text, from, w->at);
}

static bool column_of(struct walk *w, const char *name, struct pos pos, size_t *col)
{
	struct csv_row *h = &w->table->header;
	struct str text = str_dup(w->arena, str_of(name));
	bool fresh;

	*col = *map_put(&w->columns, text, h->n, &fresh);
	if (!fresh)
		return true;
	if (h->n == LISTING_COLUMNS_MAX)
		return fail(w, ERR_RANGE, "the objects have too many different members");
	h->cells = arena_grow(w->arena, h->cells, &w->header_cap, h->n + 1, sizeof *h->cells);
	h->cells[h->n++] = (struct cell){ text, pos, true };
	return true;
}

static struct str cell_text(struct walk *w, const cJSON *value, struct str raw)
{
	if (cJSON_IsString(value))
		return str_trim(str_dup(w->arena, str_of(value->valuestring)));
	return cJSON_IsNull(value) ? STR("") : str_trim(raw);
}

static bool take_member(struct walk *w, const cJSON *value, struct csv_row *row, size_t *cap)
{
	struct pos name_pos = w->pos;
	size_t col;

	if (here(w) != '"')
		return fail(w, ERR_SYNTAX, "this is not JSON");
	skip_string(w);
	if (!skip_char(w, ':') || !column_of(w, value->string, name_pos, &col))
		return false;
	if (col < row->n && row->cells[col].pos.line)
		return error_at(w->err, ERR_SYNTAX, name_pos,
				"member '%s' stands twice in one object", value->string);
	row->cells = arena_grow(w->arena, row->cells, cap, col + 1, sizeof *row->cells);
	for (; row->n <= col; row->n++)
		row->cells[row->n] = (struct cell){ .pos.file = w->table->file };
	struct pos pos = w->pos;
	struct str raw = skip_value(w);
	row->cells[col] = (struct cell){ cell_text(w, value, raw), pos, cJSON_IsString(value) };
	skip_blanks(w);
	return true;
}

static bool take_object(struct walk *w, const cJSON *object, size_t *cap)
{
	struct csv_table *t = w->table;
	struct csv_row row = { .line = w->pos.line };
	size_t row_cap = 0;

	if (!cJSON_IsObject(object))
		return fail(w, ERR_SYNTAX, "expected an object of prices");
	if (!skip_char(w, '{'))
		return false;
	for (const cJSON *m = object->child; m; m = m->next)
		if (!take_member(w, m, &row, &row_cap) || !skip_char(w, m->next ? ',' : '}'))
			return false;
	if (!object->child && !skip_char(w, '}'))
		return false;
	if (t->n == LISTING_ROWS_MAX)
		return fail(w, ERR_RANGE, "too many objects");
	t->rows = arena_grow(w->arena, t->rows, cap, t->n + 1, sizeof row);
	t->rows[t->n++] = row;
	return true;
}

static bool take_array(struct walk *w, const cJSON *array)
{
	size_t cap = 0;

	if (!cJSON_IsArray(array))
		return fail(w, ERR_SYNTAX, "expected an array of objects");
	if (!skip_char(w, '['))
		return false;
	for (const cJSON *x = array->child; x; x = x->next)
		if (!take_object(w, x, &cap) || (x->next && !skip_char(w, ',')))
			return false;
	return true;
}

/* Moves to the member that holds the rows. */
static bool find_rows(struct walk *w, const cJSON *root, struct str rows, const cJSON **array)
{
	skip_blanks(w);
	*array = root;
	if (rows.len == 0)
		return true;
	if (!cJSON_IsObject(root) || !skip_char(w, '{'))
		return fail(w, ERR_SYNTAX, "expected an object at the top");
	for (const cJSON *m = root->child; m; m = m->next) {
		skip_string(w);
		if (!skip_char(w, ':'))
			return false;
		*array = m;
		if (str_eq(str_of(m->string), rows))
			return true;
		skip_value(w);
		if (m->next && !skip_char(w, ','))
			return false;
	}
	return error_at(w->err, ERR_SYNTAX, w->pos, "there is no member '" STR_FMT "'",
			STR_ARG(rows));
}

/* Every row as wide as the header, as a CSV file would have it. */
static void widen(struct walk *w)
{
	for (size_t i = 0; i < w->table->n; i++) {
		struct csv_row *row = &w->table->rows[i];
		struct cell *cells = arena_array(w->arena, w->table->header.n, sizeof *cells);

		if (row->n)
			memcpy(cells, row->cells, row->n * sizeof *cells);
		for (size_t col = row->n; col < w->table->header.n; col++)
			cells[col].pos.file = w->table->file;
		row->cells = cells;
		row->n = w->table->header.n;
	}
}

static struct pos place(struct str text, const char *name, size_t at)
{
	struct walk w = { .text = text, .pos = { name, 1, 1 } };

	while (w.at < at && w.at < text.len)
		step(&w);
	return w.pos;
}

static bool check_text(struct str text, const char *name, struct error *err)
{
	const char *nul = text.len ? memchr(text.p, '\0', text.len) : NULL;

	if (nul)
		return error_at(err, ERR_SYNTAX, place(text, name, (size_t)(nul - text.p)),
				"a NUL byte: this is not JSON");
	for (size_t at = 0; at < text.len;) {
		size_t before = at;

		if (str_next_utf8(text, &at) == 0xFFFD && at == before + 1)
			return error_at(err, ERR_SYNTAX, place(text, name, before),
					"byte 0x%02X is not UTF-8", (unsigned char)text.p[before]);
	}
	return true;
}

bool listing_parse_json(struct str text, const char *name, struct str rows, struct arena *a,
			struct csv_table *table, struct error *err)
{
	bool bom = str_starts(text, STR("\xEF\xBB\xBF"));
	struct str json = str_dup(a, bom ? str_slice(text, 3, text.len) : text);
	struct walk w = { .text = json,
			  .pos = { name, 1, 1 },
			  .table = table,
			  .columns.arena = a,
			  .arena = a,
			  .err = err };
	const char *end = json.p;
	const cJSON *array;

	*table = (struct csv_table){ .file = name, .separator = ',' };
	if (!check_text(json, name, err))
		return false;
	/* beside the tree it keeps the place of a fault in a global, which nobody here reads */
	cJSON *root = cJSON_ParseWithLengthOpts(json.p, json.len + 1, &end, true);
	bool good = root ? find_rows(&w, root, rows, &array) && take_array(&w, array)
			 : error_at(err, ERR_SYNTAX, place(json, name, (size_t)(end - json.p)),
				    "this is not JSON, or it is nested too deep");

	cJSON_Delete(root);
	if (good)
		widen(&w);
	return good;
}
