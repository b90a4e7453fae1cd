#include "part.h"

#include "../base/date.h"
#include "../base/num.h"

#include <limits.h>
#include <stdint.h>
#include <string.h>

enum { ROW_BYTES = 128 }; /* of a usual row */

/* A part on its way. */
struct part {
	struct memo *memo;
	const struct plan *plan;
	const struct overrides *o;
	size_t overrides_at; /* SIZE_MAX: no row of the file is decided about */
	struct csv_scan *scan;
	struct parsed *p;
	struct row_checker checker;
	struct arena scratch; /* of one row */
	size_t layout;
	/* The row before, where rows like it need not be checked again; NULL: it was refused, or
	 * decided about. */
	struct memo_key *key;
	const struct value_check *again; /* of its value */
	struct value_check own_again;    /* of a row that the memo did not remember */
	struct memo_piece pieces[COL_COUNT];
	/* The same of a row that differs from the one before, as the memo knows it; bytes: room for
	 * those that do not stand so in the text. */
	struct memo_piece known[COL_COUNT];
	char bytes[MEMO_BYTES_MAX];
	struct str date_text, driver; /* of a row before; p NULL: there is none */
	struct date date;
};

static struct str cell_text(const struct part *r, const struct csv_scan_row *row,
			    enum contribution_column column)
{
	int at = r->plan->at[column];

	if (at < 0)
		return (struct str){ 0 };
	struct str text = csv_scan_cell(row, (size_t)at);
	return row->flags ? str_trim(text) : text;
}

/* --- row by row --- */

/* Whether the edition's cut-off leaves the row out; also keeps the newest and the oldest date. A
 * row may be asked about twice. */
static bool after_cutoff(struct part *r, struct date date)
{
	struct collection *c = &r->p->one;

	if (date.day > c->counts->newest_row.day)
		c->counts->newest_row = date;
	if (date.day < r->p->oldest.day)
		r->p->oldest = date;
	if (c->cutoff.day == INT_MIN || date.day <= c->cutoff.day)
		return false;
	c->left_out++;
	return true;
}

static bool left_out(struct part *r, const struct csv_row *row)
{
	struct str text = str_trim(csv_cell(&r->plan->table, row, r->plan->at[COL_DATE]).text);
	struct date date;

	r->p->undated = r->p->undated || text.len == 0;
	return date_parse(text, &date) && after_cutoff(r, date);
}

/* A row of another width than the header has shifted cells: none of them is believed. */
static bool width_right(struct part *r, const struct csv_row *row)
{
	size_t want = r->plan->table.header.n;

	if (row->n == want)
		return true;
	struct cell first = row->cells[row->n > want ? want : row->n - 1];
	first.text = (struct str){ 0 };
	check_reject(&r->checker, &first, (struct str){ 0 }, REJECT_SYNTAX,
		     "%zu cells where the header has %zu", row->n, want);
	return false;
}

static void note_decided(struct part *r, int override, bool good)
{
	struct parsed *p = r->p;

	p->decided =
	    arena_grow(&p->arena, p->decided, &p->decided_cap, p->ndecided + 1, sizeof *p->decided);
	p->decided[p->ndecided++] = (struct parsed_decided){ override, good };
}

/* A key of rows that the memo did not know. Rows behind it that have r->known (hash: of them) may
 * have it too. */
static struct memo_key *learn(struct part *r, const struct row *row, const uint64_t *hash)
{
	struct memo_entry *e =
	    hash ? memo_put(r->memo, r->layout, *hash, r->known, r->plan->npieces, &r->checker, row)
		 : NULL;
	struct memo_key *key = e ? &e->key : memo_single(&r->p->one, row, &r->p->arena);

	if (hash && !e)
		r->own_again = check_row_again(&r->checker, row);
	if (hash) {
		r->again = e ? &e->check : &r->own_again;
		r->key = key;
	}
	return key;
}

static void check_cells(struct part *r, const struct csv_scan_row *scanned, int override,
			const uint64_t *hash)
{
	struct series_count *count = r->p->one.counts;
	struct csv_row row = plan_row(r->scan, scanned, &r->scratch);
	bool right_width = width_right(r, &row);
	struct row new;

	r->key = NULL;
	if (right_width && left_out(r, &row))
		return;
	count->rows++;
	bool good = right_width && check_row(&r->checker, &row, &new);
	if (override != NO_OVERRIDE)
		note_decided(r, override, good);
	if (!good) {
		count->rejected++;
		return;
	}
	if (new.state != ROW_ACCEPTED) {
		count->set_aside++;
		return;
	}
	new.override = override;
	struct item item = { new.value, new.line, new.date.day };
	parsed_add(r->p, learn(r, &new, hash), &item);
}

/* Checks a row cell by cell. hash: of r->known, where its key may be remembered */
static void check(struct part *r, const struct csv_scan_row *scanned, int override,
		  const uint64_t *hash)
{
	check_cells(r, scanned, override, hash);
	arena_clear(&r->scratch);
}

/* --- by the memo --- */

static struct memo_piece piece_of(const struct csv_scan_row *row, const struct plan_piece *piece)
{
	uint32_t from = piece->first ? row->ends[piece->first - 1] + 1 : row->begin;

	return (struct memo_piece){ row->base + from, row->ends[piece->last] - from };
}

/* Whether the row is known by the same bytes as the one before; r->pieces are the row's then and
 * otherwise. */
static bool same_as_before(struct part *r, const struct csv_scan_row *row)
{
	bool same = r->key != NULL;

	for (size_t i = 0; i < r->plan->npieces; i++) {
		struct memo_piece now = piece_of(row, &r->plan->pieces[i]);
		same = same && now.len == r->pieces[i].len
		       && memcmp(now.p, r->pieces[i].p, now.len) == 0;
		r->pieces[i] = now;
	}
	return same;
}

static bool read_date(struct part *r, const struct csv_scan_row *row)
{
	struct str text = cell_text(r, row, COL_DATE);

	if (r->date_text.p && str_eq(text, r->date_text))
		return true;
	r->date.day = INT_MIN;
	if (text.len && !date_parse(text, &r->date)) {
		r->date_text.p = NULL;
		return false;
	}
	r->date_text = (struct str){ str_chars(text), text.len };
	if (row->flags & CSV_ROW_DECODED) /* its text goes with the row */
		r->date_text.p = NULL;
	return true;
}

/* Drivers stand in many rows one after another. */
static bool takes_driver(struct part *r, const struct csv_scan_row *row)
{
	struct str text = cell_text(r, row, COL_DRIVER);

	if (r->driver.p && str_eq(text, r->driver))
		return true;
	if (!column_takes(COL_DRIVER, text))
		return false;
	if (!(row->flags & CSV_ROW_DECODED)) /* its text goes with the row */
		r->driver = (struct str){ str_chars(text), text.len };
	return true;
}

/* Reads the cells that the key does not tell of. False where check() must look at the row. */
static bool read_item(struct part *r, const struct csv_scan_row *row, struct item *item, bool *out)
{
	int repeat;

	if (!read_date(r, row))
		return false;
	r->p->undated = r->p->undated || r->date.day == INT_MIN;
	*out = r->date.day != INT_MIN && after_cutoff(r, r->date);
	if (*out)
		return true;
	struct str repeat_text = cell_text(r, row, COL_REPEAT);
	*item = (struct item){ 0, row->line, r->date.day };
	return num_parse(cell_text(r, row, COL_VALUE), r->plan->decimal_comma, &item->value)
	       && item->value != 0 && check_row_value(r->again, item->value)
	       && (repeat_text.len == 0 || num_parse_int(repeat_text, &repeat))
	       && takes_driver(r, row);
}

/* Whether a text in quotes would be another without them. */
static bool needs_quotes(const struct csv_scan_row *row, struct str text, char separator)
{
	return text.len
	       && (memchr(text.p, separator, text.len) || str_trim(text).len < text.len
		   || ((row->flags & CSV_ROW_DECODED) && memchr(text.p, '"', text.len))
		   || ((row->flags & CSV_ROW_LINES)
		       && (memchr(text.p, '\n', text.len) || memchr(text.p, '\r', text.len))));
}

static char *put(char *to, const char *from, const char *end)
{
	memcpy(to, from, (size_t)(end - from));
	return to + (end - from);
}

/* A piece without the quotes that its cells do not need, and else as it stands: what is put still
 * reads as the row's cells do, and only as they do. */
static char *put_piece(char *to, const struct csv_scan_row *row, const struct plan_piece *piece,
		       char separator)
{
	struct memo_piece raw = piece_of(row, piece);
	const char *from = raw.p; /* what is not put yet */

	for (size_t at = piece->first; at <= piece->last; at++) {
		const char *begin = row->base + (at ? row->ends[at - 1] + 1 : row->begin);
		if (begin == row->base + row->ends[at] || *begin != '"')
			continue;
		struct str text = csv_scan_cell(row, at);
		if (needs_quotes(row, text, separator))
			continue;
		to = put(to, from, begin);
		to = put(to, begin + 1, begin + 1 + text.len);
		from = row->base + row->ends[at];
	}
	return put(to, from, raw.p + raw.len);
}

/* Some programs put quotes around every text, some around those that need them: both write the same
 * row. A row that is longer than any that is remembered stays as it stands. */
static void know_pieces(struct part *r, const struct csv_scan_row *row)
{
	const struct plan *plan = r->plan;
	struct str raw = csv_scan_raw(row);
	char *to = r->bytes;

	memcpy(r->known, r->pieces, plan->npieces * sizeof *r->known);
	if (!(row->flags & CSV_ROW_QUOTED) || raw.len > sizeof r->bytes
	    || !memchr(raw.p, '"', raw.len))
		return;
	for (size_t i = 0; i < plan->npieces; i++) {
		char *from = to;
		to = put_piece(to, row, &plan->pieces[i], plan->layout.separator);
		r->known[i] = (struct memo_piece){ from, (size_t)(to - from) };
	}
}

/* Finds the row's key by r->pieces; NULL where check() must look at the row. */
static void find_key(struct part *r, const struct csv_scan_row *row, uint64_t *hash)
{
	know_pieces(r, row);
	struct memo_entry *e = memo_find(r->memo, r->layout, r->known, r->plan->npieces, hash);

	r->key = e ? &e->key : NULL;
	r->again = e ? &e->check : NULL;
}

static void read_row(struct part *r, const struct csv_scan_row *row)
{
	int override = r->overrides_at == SIZE_MAX ? NO_OVERRIDE
						   : override_at(r->o, r->overrides_at, row->line);
	struct item item;
	uint64_t hash;
	bool out;

	if (override != NO_OVERRIDE || row->n != r->plan->table.header.n) {
		check(r, row, override, NULL);
		return;
	}
	if (!same_as_before(r, row)) {
		find_key(r, row, &hash);
		if (!r->key) {
			check(r, row, NO_OVERRIDE, &hash);
			return;
		}
	}
	struct memo_key *key = r->key;
	if (!read_item(r, row, &item, &out)) {
		check(r, row, NO_OVERRIDE, NULL);
		r->key = key;
	} else if (!out) {
		r->p->one.counts->rows++;
		parsed_add(r->p, key, &item);
	}
}

void part_read(struct memo *memo, const struct plan *plan, const struct overrides *o, size_t first,
	       struct csv_scan *scan, struct parsed *p)
{
	struct part r = { .memo = memo,
			  .plan = plan,
			  .o = o,
			  .overrides_at = first,
			  .scan = scan,
			  .p = p,
			  .scratch = { .block_size = 1 << 12 } };
	struct csv_scan_row row;

	r.checker = (struct row_checker){ .c = &p->one,
					  .lookup = &memo->lookup,
					  .scratch = &r.scratch,
					  .table = &plan->table,
					  .decimal_comma = plan->decimal_comma };
	memcpy(r.checker.at, plan->at, sizeof plan->at);
	lookup_part(&memo->lookup, &r.scratch);
	parsed_reserve(p, scan->text.len / ROW_BYTES + 1);
	r.layout = memo_layout(memo, &plan->layout);
	while (csv_scan_next(scan, &row)) {
		p->rows++;
		if (plan->bad)
			continue;
		read_row(&r, &row);
	}
	p->fault = scan->fault;
	arena_free(&r.scratch);
}
