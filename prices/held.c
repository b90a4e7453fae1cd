#include "held.h"

#include "import_rows.h"
#include "../base/csv_guard.h"
#include "../base/file.h"
#include "../base/num.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

enum fate { FREE, EQUAL, DIFFER };

/* A row of data/prices whose key came now. */
struct there {
	struct import_row row;
	struct str key;
	bool paired;
};

struct comparison {
	const struct import *im;
	struct held *out;
	struct arena *arena;
	struct map first;  /* by key: first row of the import */
	size_t *next;      /* of each row: the next of its key, or n */
	enum fate *fate;   /* of each row */
	struct map scopes; /* date, market and currency that came now */
	struct there *v;
	size_t n, cap;
};

static struct str scope_of(const struct import_row *r, struct arena *a)
{
	return str_printf(a, "%d\n" STR_FMT "\n" STR_FMT, r->date.day, STR_ARG(r->market),
			  STR_ARG(r->currency));
}

/* Backwards, so that each chain runs in the order of the rows. */
static void index_rows(struct comparison *c)
{
	const struct import *im = c->im;

	for (size_t i = im->n; i-- > 0;) {
		const struct import_row *r = &im->rows[i];
		bool fresh;
		size_t *at = map_put(&c->first, import_row_key(r, false, c->arena), i, &fresh);

		c->next[i] = fresh ? im->n : *at;
		*at = i;
		map_put(&c->scopes, scope_of(r, c->arena), 0, NULL);
	}
}

static bool same_price(const struct import_row *x, const struct import_row *y)
{
	return fabs(x->price - y->price) <= 1e-9 * y->price
	       && (x->n < 1 || y->n < 1 || x->n == y->n);
}

/* A free row of the import with the key and, if `equal`, the price; or n. */
static size_t find_partner(const struct comparison *c, const struct there *t, bool equal)
{
	const size_t *first = map_get(&c->first, t->key);

	for (size_t i = first ? *first : c->im->n; i < c->im->n; i = c->next[i])
		if (c->fate[i] == FREE && (!equal || same_price(&c->im->rows[i], &t->row)))
			return i;
	return c->im->n;
}

enum column { DATE, DEVICE, MARKET, CONDITION, CURRENCY, PRICE, STAT, N, COLUMN_COUNT };
static const char *const names[COLUMN_COUNT] = { "date",     "device", "market", "condition",
						 "currency", "price",  "stat",   "n" };

static bool read_row(struct comparison *c, const struct csv_table *t, const struct csv_row *row,
		     const int col[COLUMN_COUNT], struct import_row *out)
{
	struct cell cells[COLUMN_COUNT];

	for (size_t i = 0; i < COLUMN_COUNT; i++) {
		cells[i] = csv_cell(t, row, col[i]);
		cells[i].text = csv_unguard(cells[i].text);
	}
	*out = (struct import_row){ .market = cells[MARKET].text,
				    .currency = cells[CURRENCY].text,
				    .stat = cells[STAT].text,
				    .pos = cells[PRICE].pos };
	if (!num_parse_int(cells[N].text, &out->n))
		out->n = -1;
	out->device = device_index(c->im->in->devices, cells[DEVICE].text);
	return date_parse(cells[DATE].text, &out->date) && out->device < c->im->in->devices->n
	       && price_condition_parse(cells[CONDITION].text, &out->condition)
	       && num_parse(cells[PRICE].text, t->decimal_comma, &out->price);
}

static void take_row(struct comparison *c, const struct import_row *row)
{
	struct there t = { *row, import_row_key(row, false, c->arena), false };
	size_t partner;

	if (!map_get(&c->scopes, scope_of(row, c->arena)))
		return;
	partner = find_partner(c, &t, true);
	if (partner < c->im->n) {
		c->fate[partner] = EQUAL;
		t.paired = true;
		if (c->out->nequal++ == 0)
			c->out->first = row->pos;
	}
	c->v = arena_grow(c->arena, c->v, &c->cap, c->n + 1, sizeof t);
	c->v[c->n++] = t;
}

static bool read_file(struct comparison *c, const char *path, struct error *err)
{
	struct csv_table t;
	int col[COLUMN_COUNT];

	if (!csv_read(path, c->arena, &t, err))
		return false;
	for (size_t i = 0; i < COLUMN_COUNT; i++)
		col[i] = csv_column(&t, str_of(names[i]));
	for (size_t i = 0; i < t.n; i++) {
		struct import_row row;

		if (read_row(c, &t, &t.rows[i], col, &row))
			take_row(c, &row);
	}
	return true;
}

static struct str described(const struct comparison *c, const struct import_row *r)
{
	struct arena *a = c->arena;

	return str_printf(a, STR_FMT ", " STR_FMT ", " STR_FMT "%s" STR_FMT ", " STR_FMT,
			  STR_ARG(c->im->in->devices->v[r->device].name), STR_ARG(r->market),
			  STR_ARG(price_condition_name(r->condition)), r->stat.len ? ", " : "",
			  STR_ARG(r->stat), STR_ARG(date_iso(a, r->date)));
}

static struct str priced(const struct comparison *c, const struct import_row *r)
{
	struct str price = num_shortest(c->arena, r->price);

	return r->n > 0 ? str_printf(c->arena, STR_FMT " " STR_FMT " of %d", STR_ARG(price),
				     STR_ARG(r->currency), r->n)
			: str_printf(c->arena, STR_FMT " " STR_FMT, STR_ARG(price),
				     STR_ARG(r->currency));
}

static void pair_others(struct comparison *c)
{
	struct messages *m = &c->out->details;

	for (size_t i = 0; i < c->n; i++) {
		const struct there *t = &c->v[i];
		size_t partner = t->paired ? c->im->n : find_partner(c, t, false);

		if (t->paired)
			continue;
		struct str what = described(c, &t->row), price = priced(c, &t->row);
		if (partner < c->im->n) {
			c->fate[partner] = DIFFER;
			c->out->ndiffer++;
			struct str here = priced(c, &c->im->rows[partner]);
			messages_add(m, t->row.pos,
				     "differs: " STR_FMT ": " STR_FMT " here, " STR_FMT " there",
				     STR_ARG(what), STR_ARG(here), STR_ARG(price));
		} else {
			c->out->only_there++;
			messages_add(m, t->row.pos, "only there: " STR_FMT ": " STR_FMT,
				     STR_ARG(what), STR_ARG(price));
		}
	}
}

static void tell_others(struct comparison *c)
{
	for (size_t i = 0; i < c->im->n; i++) {
		const struct import_row *r = &c->im->rows[i];

		c->out->known[i] = c->fate[i] == EQUAL || (c->fate[i] == DIFFER && r->stat.len);
		c->out->nknown += c->out->known[i];
		if (c->fate[i] != FREE)
			continue;
		c->out->only_here++;
		struct str what = described(c, r), price = priced(c, r);
		messages_add(&c->out->details, r->pos, "only here: " STR_FMT ": " STR_FMT, STR_ARG(what),
			     STR_ARG(price));
	}
}

bool held_compare(const struct import *im, const char *data_dir, const char *but_for,
		  struct arena *a, struct held *out, struct error *err)
{
	struct comparison c = {
		.im = im, .out = out, .arena = a, .first.arena = a, .scopes.arena = a
	};
	struct str dir = file_join(a, str_of(data_dir), STR("prices"));
	struct file_list files = { 0 };

	*out = (struct held){ .details.arena = a };
	out->known = arena_array(a, im->n, sizeof *out->known);
	c.next = arena_array(a, im->n, sizeof *c.next);
	c.fate = arena_array(a, im->n, sizeof *c.fate);
	index_rows(&c);
	if (file_is_dir(str_c(a, dir))
	    && !file_list(str_c(a, dir), ".csv", true, a, &files, NULL, err))
		return false;
	for (size_t i = 0; i < files.n; i++)
		if ((!but_for || !str_eq(files.v[i], str_of(but_for)))
		    && !read_file(&c, str_c(a, file_join(a, dir, files.v[i])), err))
			return false;
	pair_others(&c);
	tell_others(&c);
	return true;
}
