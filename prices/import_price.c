#include "import_price.h"

#include "import_rows.h"
#include "listing_template.h"
#include "../base/name.h"
#include "../base/num.h"

#include <limits.h>
#include <math.h>

static struct cell cell_of(const struct candidate *c, const struct price_map_list *columns)
{
	return listing_cell(c->table, c->row, columns->v, columns->n);
}

/* Refuses the price for what stands in `at`, a cell of that column. Always false. */
static bool refuse(struct import *im, enum import_reason reason, struct str column,
		   const struct cell *at, const char *why)
{
	tally_add(&im->tally, reason, at->text, 1, at->pos, STR_FMT ": '" STR_FMT "' %s",
		  STR_ARG(column), STR_ARG(at->text), why);
	return false;
}

static bool take_date(struct import *im, struct candidate *c)
{
	const struct price_map *m = im->in->map;
	struct cell at = cell_of(c, &m->columns[MAP_DATE]);

	c->out.date = im->in->date;
	if (m->columns[MAP_DATE].n == 0)
		return true;
	if (!listing_date(m->date, at.text, &c->out.date))
		return refuse(im, REFUSE_NO_DATE, m->columns[MAP_DATE].v[0], &at,
			      "is no day of the form that the map states");
	return im->in->date.day == INT_MIN || c->out.date.day <= im->in->date.day
	       || refuse(im, REFUSE_AFTER_DATE, m->columns[MAP_DATE].v[0], &at, "is after --date");
}

static bool is_code(struct str s)
{
	for (size_t i = 0; i < s.len; i++)
		if (s.p[i] < 'A' || s.p[i] > 'Z')
			return false;
	return s.len == 3;
}

/* A currency without a rate would stop every later reading of the prices. */
static bool take_currency(struct import *im, struct candidate *c)
{
	const struct price_map *m = im->in->map;
	struct cell at = m->currency.len ? (struct cell){ m->currency, c->cell.pos, false }
					 : cell_of(c, &m->columns[MAP_CURRENCY]);
	struct error none = { 0 };

	c->out.currency = at.text;
	if (!is_code(at.text))
		return refuse(im, REFUSE_NO_CURRENCY, STR("currency"), &at,
			      "is not a currency such as USD");
	return fx_find(im->in->fx, at.text, c->out.date, at.pos, &c->usd_per_unit, &c->out.fx_date,
		       &none)
	       || refuse(im, REFUSE_NO_CURRENCY, STR("currency"), &at,
			 "has no exchange rate in system/fx_to_usd.csv");
}

static bool take_condition(struct import *im, struct candidate *c, const struct price_map_price *p)
{
	const struct price_map *m = im->in->map;
	struct cell at;

	c->out.condition = p->condition;
	if (!p->listed)
		return true;
	at = cell_of(c, &m->columns[MAP_CONDITION]);
	for (size_t i = 0; i < m->conditions.n; i++)
		if (str_eq(m->conditions.v[i].name, at.text)) {
			c->out.condition = m->conditions.v[i].condition;
			return true;
		}
	return refuse(im, REFUSE_NO_CONDITION, m->columns[MAP_CONDITION].v[0], &at,
		      "is not in [conditions] of the map");
}

static void refuse_device(struct import *im, const struct candidate *c, struct pos pos,
			  const struct resolution *res, double memory_gb)
{
	const struct devices *d = im->in->devices;
	struct str names = device_names(d, res->near, res->nnear, im->arena);

	switch (res->how) {
	case RESOLVED:
		break;
	case RESOLVED_UNKNOWN:
		tally_add(&im->tally, REFUSE_DEVICE_NOT_KNOWN, c->name, 1, pos,
			  "'" STR_FMT "' is not in the catalogue%s" STR_FMT, STR_ARG(c->name),
			  names.len ? "; nearest: " : "", STR_ARG(names));
		break;
	case RESOLVED_AMBIGUOUS:
		tally_add(&im->tally, REFUSE_DEVICE_NOT_CLEAR, c->name, 1, pos,
			  "'" STR_FMT "' could be any of " STR_FMT, STR_ARG(c->name),
			  STR_ARG(names));
		break;
	case RESOLVED_OTHER_MEMORY:
		tally_add(&im->tally, REFUSE_OTHER_MEMORY,
			  str_printf(im->arena, STR_FMT " %g", STR_ARG(c->name), memory_gb), 1, pos,
			  "'" STR_FMT "' with %g GB is another card than " STR_FMT " with %g GB",
			  STR_ARG(c->name), memory_gb, STR_ARG(d->v[res->device].name),
			  d->v[res->device].memory_gb);
		break;
	}
}

static bool take_device(struct import *im, struct candidate *c)
{
	const struct price_map *m = im->in->map;
	struct cell memory = cell_of(c, &m->columns[MAP_MEMORY]);
	struct cell name = m->wide.len ? c->cell : cell_of(c, &m->columns[MAP_NAME]);
	double memory_gb = listing_memory_gb(memory.text);
	const struct resolution *res = resolver_find(&im->resolver, c->name, memory_gb);

	c->out.device = res->device;
	c->count = res->count;
	if (res->how != RESOLVED)
		refuse_device(im, c, name.pos, res, memory_gb);
	return res->how == RESOLVED;
}

/* Cards in one price: what the column says, times what [devices] says. */
static bool take_count(struct import *im, struct candidate *c)
{
	const struct price_map *m = im->in->map;
	struct cell at = cell_of(c, &m->columns[MAP_COUNT]);
	double count;

	if (m->columns[MAP_COUNT].n == 0)
		return true;
	if (!listing_count(at.text, &count))
		return refuse(im, REFUSE_NO_COUNT, m->columns[MAP_COUNT].v[0], &at,
			      "is not a whole number of cards from 1 on");
	c->count *= count;
	return true;
}

static bool take_price(struct import *im, struct candidate *c, double value)
{
	const struct price_map *m = im->in->map;
	double exact = value / c->count, price = import_round(m, exact, im->arena);
	double usd = price * c->usd_per_unit;

	if (!(price >= PRICE_MIN_USD && price <= PRICE_MAX && usd >= PRICE_MIN_USD && usd <= PRICE_MAX))
		return refuse(im, REFUSE_OUT_OF_RANGE, c->column, &c->cell,
			      "is not from 0.0001 to 10000000 for one card");
	c->out.price = price_map_has_statistics(m) ? exact : price;
	c->out.usd_per_unit = c->usd_per_unit;
	return true;
}

static struct str market_template(const struct import *im, struct str name)
{
	const struct price_map *m = im->in->map;

	for (size_t i = 0; i < m->markets.n; i++)
		if (str_eq(m->markets.v[i].name, name))
			return m->markets.v[i].value;
	return m->market.len ? m->market : STR("{@market}");
}

static struct str note_of(const struct price_map *m, size_t device)
{
	for (size_t i = 0; i < m->notes.n; i++)
		if (m->notes.v[i].device == device)
			return m->notes.v[i].value;
	return STR("");
}

/* --source stands in the place of the template, unless that has a place for it. */
static struct str source_of(const struct import *im, const struct candidate *c,
			    const struct template_row *row)
{
	const struct price_map *m = im->in->map;
	bool own = m->source.len
		   && (im->in->source.len == 0 || listing_template_has(m->source, STR("@source")));
	struct str text = own ? listing_template_fill(m->source, row, im->arena) : im->in->source;
	struct str note = note_of(m, c->out.device);
	unsigned hidden;

	if (note.len)
		text = str_printf(im->arena, STR_FMT "; " STR_FMT, STR_ARG(text), STR_ARG(note));
	if (name_hidden(text, &hidden))
		text = name_shown(im->arena, text, IMPORT_SOURCE_MAX - 3); /* and "..." */
	return str_plain(im->arena,
			 str_slice(text, 0, IMPORT_SOURCE_MAX)); /* a character may be cut */
}

/* A market is "a", "a:b" or "a:b:c", none of them empty, in characters that can be seen. */
static bool is_market(struct str s)
{
	struct str rest = s, part;
	unsigned hidden;

	while (str_cut(&rest, ':', &part))
		if (str_trim(part).len == 0)
			return false;
	return s.len > 0 && s.len <= IMPORT_MARKET_MAX && s.p[s.len - 1] != ':'
	       && !name_hidden(s, &hidden);
}

static bool take_market(struct import *im, struct candidate *c)
{
	struct template_row row = { c->table, c->row, c->name, im->in->market, im->in->source };

	c->out.market = listing_template_fill(market_template(im, c->name), &row, im->arena);
	c->out.source = source_of(im, c, &row);
	if (!is_market(c->out.market)) {
		struct str shown = name_shown(im->arena, c->out.market, 2 * IMPORT_MARKET_MAX);

		tally_add(&im->tally, REFUSE_NO_MARKET, shown, 1, c->cell.pos,
			  "'" STR_FMT "' is no market", STR_ARG(shown));
		return false;
	}
	return true;
}

static void take_n(struct import *im, struct candidate *c)
{
	const struct price_map *m = im->in->map;
	struct cell at = cell_of(c, &m->columns[MAP_N]);

	c->out.n = -1;
	c->out.stat = m->stat;
	if (m->columns[MAP_N].n && (!num_parse_int(at.text, &c->out.n) || c->out.n == 0)) {
		c->out.n = -1;
		im->n_unread++;
	}
}

/* The second price of one offer tells nothing new: where an offer of 8 cards costs 8 times that of
 * one, say. */
static bool is_new(struct import *im, const struct candidate *c)
{
	const struct import_row *r = &c->out;
	bool fresh;
	size_t first =
	    *map_put(&im->seen_prices, import_row_key(r, true, im->arena), im->n, &fresh);

	if (!fresh)
		tally_add(&im->tally, REFUSE_REPEATED, r->market, 1, r->pos,
			  "'" STR_FMT "': the price of " STR_FMT " in line %d again",
			  STR_ARG(c->cell.text), STR_ARG(r->market), im->rows[first].pos.line);
	return fresh;
}

static void use(struct import *im, struct candidate *c)
{
	im->rows = arena_grow(im->arena, im->rows, &im->cap, im->n + 1, sizeof c->out);
	c->out.place = im->n;
	im->rows[im->n++] = c->out;
	im->used++;
}

/* A price that was read as `amount`. */
void import_take_amount(struct import *im, struct candidate *c, const struct price_map_price *p,
			const struct amount *amount)
{
	struct cell at = { amount->text, c->cell.pos, false };

	c->out = (struct import_row){ .pos = c->cell.pos };
	c->count = 1;
	switch (amount->kind) {
	case AMOUNT_MISSING:
		refuse(im, REFUSE_NO_PRICE, c->column, &at, "means: no price");
		return;
	case AMOUNT_SENTINEL:
		refuse(im, REFUSE_SENTINEL, c->column, &at, "means: not sold here");
		return;
	case AMOUNT_BAD:
		refuse(im, REFUSE_NOT_A_NUMBER, c->column, &at, "is not a number");
		return;
	case AMOUNT_GOOD:
		break;
	}
	if (!take_date(im, c) || !take_currency(im, c) || !take_condition(im, c, p)
	    || !take_device(im, c) || !take_count(im, c) || !take_market(im, c)
	    || !take_price(im, c, amount->value))
		return;
	if (!price_map_has_statistics(im->in->map) && !is_new(im, c))
		return;
	take_n(im, c);
	use(im, c);
}
