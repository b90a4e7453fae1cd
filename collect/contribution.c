#include "contribution.h"

#include "input.h"
#include "../base/csv_read.h"
#include "../base/date.h"
#include "../base/file.h"

#include <limits.h>

/* Refuses the whole file, in one reject whose column is the place in the line. */
static void refuse_file(struct row_checker *k, const struct error *cause, enum reject_code code)
{
	struct collection *c = k->c;
	struct pos pos = { c->inputs[k->file].name_c, cause->pos.line ? cause->pos.line : 1,
			   cause->pos.col ? cause->pos.col : 1 };

	reject_add(&c->rejects, k->file, pos.line, str_printf(c->arena, "%d", pos.col), code,
		   (struct str){ 0 }, "the file is refused: %s", cause->msg);
	messages_add(c->messages, pos, "the file is refused: %s", cause->msg);
	c->files_refused++;
}

static bool header_column(struct row_checker *k, size_t at, struct strbuf *unknown,
			  struct error *err)
{
	const struct cell *cell = &k->table->header.cells[at];
	struct str name = str_trim(cell->text);

	for (size_t i = 0; i < COL_COUNT; i++) {
		if (!str_eq(column_name((enum contribution_column)i), name))
			continue;
		if (k->at[i] >= 0)
			return error_at(err, ERR_DATA, cell->pos,
					"column '" STR_FMT "' stands twice in the header",
					STR_ARG(name));
		k->at[i] = (int)at;
		return true;
	}
	if (name.len)
		strbuf_printf(unknown, "%s'" STR_FMT "'", unknown->len ? ", " : "",
			      STR_ARG(names_clean(k->scratch, name, 40)));
	return true;
}

static bool header_complete(const struct row_checker *k, struct error *err)
{
	struct strbuf missing = { .arena = k->scratch };
	size_t n = 0;

	for (size_t i = 0; i < COL_COUNT; i++) {
		struct str name = column_name((enum contribution_column)i);
		if (k->at[i] < 0 && column_required((enum contribution_column)i))
			strbuf_printf(&missing, "%s'" STR_FMT "'", n++ ? ", " : "", STR_ARG(name));
	}
	if (n == 0)
		return true;
	return error_at(err, ERR_DATA, k->table->header.cells[0].pos,
			"column%s " STR_FMT " missing", n > 1 ? "s" : "",
			STR_ARG(strbuf_str(&missing)));
}

static bool read_header(struct row_checker *k, struct error *err)
{
	struct strbuf unknown = { .arena = k->scratch };
	struct pos pos = { k->c->inputs[k->file].name_c, k->table->header.line, 0 };

	for (size_t i = 0; i < COL_COUNT; i++)
		k->at[i] = -1;
	for (size_t i = 0; i < k->table->header.n; i++)
		if (!header_column(k, i, &unknown, err))
			return false;
	if (!header_complete(k, err))
		return false;
	if (unknown.len)
		messages_add(k->c->messages, pos, "unknown columns ignored: " STR_FMT,
			     STR_ARG(names_clean(k->scratch, strbuf_str(&unknown), 300)));
	return true;
}

/* One file has one decimal mark: 1.234 beside 5,6 would be a thousands mark. */
static bool has_decimal_comma(const struct row_checker *k)
{
	const struct csv_table *t = k->table;

	if (!t->decimal_comma)
		return false;
	for (size_t i = 0; i < t->n; i++) {
		struct str text = csv_cell(t, &t->rows[i], k->at[COL_VALUE]).text;
		if (str_find(text, STR(","), 0) < text.len)
			return true;
	}
	return false;
}

/* Whether the edition's cut-off leaves the row out; also keeps the newest date of the series. */
static bool after_cutoff(struct row_checker *k, const struct csv_row *row)
{
	struct collection *c = k->c;
	struct series_count *count = &c->counts[c->inputs[k->file].series];
	struct date date;

	if (!date_parse(str_trim(csv_cell(k->table, row, k->at[COL_DATE]).text), &date))
		return false;
	if (date.day > count->newest_row.day)
		count->newest_row = date;
	if (c->cutoff.day == INT_MIN || date.day <= c->cutoff.day)
		return false;
	c->left_out++;
	return true;
}

/* A row of another width than the header has shifted cells: none of them is believed. */
static bool width_right(struct row_checker *k, const struct csv_row *row)
{
	size_t want = k->table->header.n;

	if (row->n == want)
		return true;
	struct cell first = row->cells[row->n > want ? want : row->n - 1];
	first.text = (struct str){ 0 };
	check_reject(k, &first, (struct str){ 0 }, REJECT_SYNTAX,
		     "%zu cells where the header has %zu", row->n, want);
	return false;
}

static void read_row(struct row_checker *k, struct overrides *o, size_t overrides_at,
		     const struct csv_row *row)
{
	struct collection *c = k->c;
	struct series_count *count = &c->counts[c->inputs[k->file].series];
	int override = override_at(o, overrides_at, row->line);
	bool right_width = width_right(k, row);
	struct row new;

	if (right_width && after_cutoff(k, row))
		return;
	count->rows++;
	bool good = right_width && check_row(k, row, &new);
	if (override != NO_OVERRIDE) {
		o->v[override].found = true;
		o->v[override].refused = !good;
	}
	if (!good) {
		count->rejected++;
		return;
	}
	new.override = override;
	c->rows = arena_grow(c->arena, c->rows, &c->cap, c->n + 1, sizeof *c->rows);
	c->rows[c->n++] = new;
}

/* A file sent again under another name would count as repeats of its runs. */
static bool is_sent_again(struct row_checker *k, struct str text)
{
	struct collection *c = k->c;
	struct str sum = file_sha256(k->scratch, text);
	bool fresh;
	size_t at = names_put(
	    &c->contents,
	    str_printf(k->scratch, "%zu\n" STR_FMT, c->inputs[k->file].series, STR_ARG(sum)),
	    &fresh);

	c->content_file =
	    arena_grow(c->arena, c->content_file, &c->content_cap, at + 1, sizeof *c->content_file);
	if (fresh) {
		c->content_file[at] = k->file;
		return false;
	}
	struct str first = c->inputs[c->content_file[at]].name;
	reject_add(&c->rejects, k->file, 1, STR("1"), REJECT_DUPLICATE, (struct str){ 0 },
		   "the whole file has the same bytes as " STR_FMT ": counted once",
		   STR_ARG(first));
	return true;
}

static void parse(struct row_checker *k, struct overrides *o, struct str text)
{
	const struct input *input = &k->c->inputs[k->file];
	size_t overrides_at = override_first(o, input->key);
	struct error err = { 0 };
	struct csv_table table;

	k->c->counts[input->series].files++;
	if (is_sent_again(k, text))
		return;
	if (!csv_parse_text(text, input->name_c, k->scratch, &table, &err)) {
		refuse_file(k, &err, REJECT_SYNTAX);
		return;
	}
	k->table = &table;
	if (!read_header(k, &err)) {
		refuse_file(k, &err, REJECT_COLUMN);
		return;
	}
	if (table.n == 0)
		messages_add(k->c->messages, (struct pos){ input->name_c, table.header.line, 0 },
			     "no row below the header");
	k->decimal_comma = has_decimal_comma(k);
	for (size_t i = 0; i < table.n; i++)
		read_row(k, o, overrides_at, &table.rows[i]);
}

void contribution_parse(struct row_checker *k, struct overrides *o, size_t file, struct str text)
{
	struct arena scratch = { .block_size =
				     1 << 16 }; /* the cells of one file are let go with it */

	k->scratch = &scratch;
	k->file = file;
	parse(k, o, text);
	k->scratch = NULL;
	k->table = NULL;
	arena_free(&scratch);
}

bool contribution_read(struct row_checker *k, struct overrides *o, size_t file, struct error *err)
{
	const struct input *input = &k->c->inputs[file];
	struct arena text_arena = { .block_size = 1 << 12 };
	const char *path = input->path.len ? str_c(k->c->arena, input->path) : "-";
	struct str text;
	struct error why = { 0 };
	bool good = true;

	if (file_read(path, CONTRIBUTION_MAX, &text_arena, &text, &why)) {
		contribution_parse(k, o, file, text);
	} else if (why.code == ERR_RANGE) { /* too large: one more fault of a contribution */
		k->file = file;
		k->c->counts[input->series].files++;
		refuse_file(k, &why, REJECT_SYNTAX);
	} else {
		*err = why;
		good = false;
	}
	arena_free(&text_arena);
	return good;
}
