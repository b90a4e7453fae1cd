#include "contribution.h"

#include "input.h"
#include "limits.h"
#include "parsed.h"
#include "signature.h"
#include "../base/csv_read.h"
#include "../base/date.h"
#include "../base/file.h"

#include <limits.h>
#include <stdint.h>

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

/* Whether the edition's cut-off leaves the row out; also keeps the newest and the
 * oldest date. */
static bool after_cutoff(struct row_checker *k, const struct csv_row *row)
{
	struct collection *c = k->c;
	struct series_count *count = &c->counts[c->inputs[k->file].series];
	struct str text = str_trim(csv_cell(k->table, row, k->at[COL_DATE]).text);
	struct date date;

	count->undated += text.len == 0;
	if (!date_parse(text, &date))
		return false;
	if (date.day > count->newest_row.day)
		count->newest_row = date;
	if (date.day < count->oldest_row.day)
		count->oldest_row = date;
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
static bool is_sent_again(struct collection *c, size_t file, struct str sum)
{
	struct arena scratch = { .block_size = 1 << 12 };
	bool fresh;
	size_t at = names_put(
	    &c->contents,
	    str_printf(&scratch, "%zu\n" STR_FMT, c->inputs[file].series, STR_ARG(sum)), &fresh);

	arena_free(&scratch);
	c->content_file =
	    arena_grow(c->arena, c->content_file, &c->content_cap, at + 1, sizeof *c->content_file);
	if (fresh)
		c->content_file[at] = file;
	if (c->content_file[at] == file)
		return false;
	struct str first = c->inputs[c->content_file[at]].name;
	reject_add(&c->rejects, file, 1, STR("1"), REJECT_DUPLICATE, (struct str){ 0 },
		   "the whole file has the same bytes as " STR_FMT ": counted once",
		   STR_ARG(first));
	return true;
}

static void parse(struct row_checker *k, struct overrides *o, size_t overrides_at, struct str text)
{
	const struct input *input = &k->c->inputs[k->file];
	struct error err = { 0 };
	struct csv_table table;

	if (!csv_parse_text(text, input->name_c, k->scratch, &table, &err)) {
		refuse_file(k, &err, REJECT_SYNTAX);
		return;
	}
	k->table = &table;
	if (!limit_check(table.header.n, LIMIT_COLUMNS, "columns", table.header.cells[0].pos, &err)
	    || !limit_check(table.n, LIMIT_ROWS, "rows", table.header.cells[0].pos, &err)) {
		refuse_file(k, &err, REJECT_LIMIT);
		return;
	}
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

/* One file on its way: its own collection, in memory that is let go with it. */
struct reading {
	struct row_checker *k;
	struct collection *all;
	size_t file;
	struct collection one;
	struct messages messages;
	struct arena scratch;
};

static void begin(struct reading *r, struct row_checker *k, size_t file)
{
	r->k = k;
	r->all = k->c;
	r->file = file;
	r->scratch = (struct arena){ .block_size = 1 << 16 };
	parsed_begin(r->all, file, &r->scratch, &r->one, &r->messages);
	check_row_file(k, &r->one, 0, &r->scratch);
}

static bool is_within_limits(const struct collection *one, struct error *err)
{
	struct pos pos = { one->inputs->name_c, 0, 0 };

	return limit_check(one->machine_keys.n, LIMIT_MACHINES, "machines", pos, err)
	       && limit_check(one->frameworks.n, LIMIT_NAMES, "frameworks", pos, err)
	       && limit_check(one->sources.n, LIMIT_NAMES, "sources", pos, err);
}

/* Whether the key of a signed file was good on the days of its rows. */
static bool is_signed_in_time(struct reading *r, struct error *err)
{
	const struct input *input = &r->all->inputs[r->file];
	const struct series_count *n = r->one.counts;

	return !input->signer
	       || signature_dates(r->all->signers, input->signer,
				  r->all->series.v[input->series], n->oldest_row, n->newest_row,
				  n->undated > 0, &r->scratch, err);
}

/* What the file gave is added to all, or it is refused after all. */
static void merge(struct reading *r)
{
	struct error why = { 0 };
	bool within = is_within_limits(&r->one, &why);

	if (within && is_signed_in_time(r, &why)) {
		parsed_merge(r->all, r->file, &r->one);
		return;
	}
	check_row_file(r->k, r->all, r->file, NULL);
	refuse_file(r->k, &why, within ? REJECT_SIGNATURE : REJECT_LIMIT);
}

static void end(struct reading *r)
{
	check_row_file(r->k, r->all, r->file, NULL);
	arena_free(&r->scratch);
}

/* A file that a maintainer has decided about is read each time: few are, and what becomes of its
 * refused rows must be told. */
static bool is_decided(const struct overrides *o, const struct input *input)
{
	return override_first(o, input->key) != SIZE_MAX;
}

/* Takes the file from what an earlier run has kept of its bytes. */
static bool recall(struct row_checker *k, struct collect_store *store, size_t file, struct str sum)
{
	struct reading r;
	struct str packed;

	begin(&r, k, file);
	bool good =
	    store_get_file(store, sum, &packed) && parsed_unpack(packed, &k->lookup, &r.one);
	if (good)
		merge(&r);
	end(&r);
	return good;
}

static void read_text(struct row_checker *k, struct overrides *o, struct collect_store *store,
		      size_t file, struct str sum, struct str text)
{
	size_t overrides_at = override_first(o, k->c->inputs[file].key);
	struct reading r;

	begin(&r, k, file);
	parse(k, o, overrides_at, text);
	merge(&r);
	if (store->cache && overrides_at == SIZE_MAX)
		store_put_file(store, sum, parsed_pack(&r.one, &k->lookup, &r.scratch));
	end(&r);
}

/* Whether the signature beside the file holds for the bytes that were read, or there is none. */
static bool is_sound(struct row_checker *k, size_t file, struct str text, struct arena *scratch)
{
	struct collection *c = k->c;
	struct input *input = &c->inputs[file];
	struct error why = { 0 };

	if (!input->has_signature
	    || signature_verify(c->signers, input->path, c->series.v[input->series], text, scratch,
				&input->signer, &why))
		return true;
	k->file = file;
	refuse_file(k, &why, REJECT_SIGNATURE);
	return false;
}

/* A signed file is read each time to check it, but need not be taken apart each time. */
static void take(struct row_checker *k, struct overrides *o, struct collect_store *store,
		 size_t file, struct str text, struct arena *scratch)
{
	const struct input *input = &k->c->inputs[file];
	struct str sum;

	if (!is_sound(k, file, text, scratch))
		return;
	sum = file_sha256(scratch, text);
	if (is_sent_again(k->c, file, sum)
	    || (input->has_signature && store->cache && !is_decided(o, input)
		&& recall(k, store, file, sum)))
		return;
	read_text(k, o, store, file, sum, text);
}

/* The hash is that of the bytes that are read here: the file may have changed since it was known.
 */
static bool read_file(struct row_checker *k, struct overrides *o, struct collect_store *store,
		      size_t file, struct error *err)
{
	struct collection *c = k->c;
	const struct input *input = &c->inputs[file];
	struct arena text_arena = { .block_size = 1 << 12 };
	struct str text;
	struct error why = { 0 };
	bool good = true;

	if (file_read(input_path(input, c->arena), CONTRIBUTION_MAX, &text_arena, &text, &why)) {
		take(k, o, store, file, text, &text_arena);
	} else if (why.code == ERR_RANGE) { /* too large: one more fault of a contribution */
		k->file = file;
		refuse_file(k, &why, REJECT_LIMIT);
	} else {
		*err = why;
		good = false;
	}
	arena_free(&text_arena);
	return good;
}

bool contribution_read(struct row_checker *k, struct overrides *o, struct collect_store *store,
		       size_t file, struct error *err)
{
	struct collection *c = k->c;
	const struct input *input = &c->inputs[file];
	struct str sum = store_sum(store, file);

	c->counts[input->series].files++;
	if (sum.len == 0 || input->has_signature || is_decided(o, input))
		return read_file(k, o, store, file, err);
	if (is_sent_again(c, file, sum) || recall(k, store, file, sum))
		return true;
	return read_file(k, o, store, file, err);
}
