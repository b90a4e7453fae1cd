#include "import.h"

#include "import_price.h"
#include "import_rows.h"
#include "listing_template.h"
#include "../base/num.h"

static const struct str reason_names[REFUSE_REASON_COUNT] = {
	STR_INIT("short-row"),      STR_INIT("duplicate"),        STR_INIT("no-price"),
	STR_INIT("sentinel"),       STR_INIT("not-a-number"),     STR_INIT("date"),
	STR_INIT("after-date"),     STR_INIT("currency"),         STR_INIT("condition"),
	STR_INIT("device-unknown"), STR_INIT("device-ambiguous"), STR_INIT("other-memory"),
	STR_INIT("count"),          STR_INIT("market"),           STR_INIT("range"),
	STR_INIT("repeated"),
};

void import_open(struct import *im, const struct import_input *in, struct arena *a)
{
	const struct price_map *m = in->map;

	*im = (struct import){
		.in = in, .arena = a, .tally.arena = a, .seen_rows.arena = a, .seen_prices.arena = a
	};
	for (size_t i = 0; i < REFUSE_REASON_COUNT; i++)
		tally_open(&im->tally, reason_names[i]);
	im->skip_reason = arena_array(a, m->nskips, sizeof *im->skip_reason);
	for (size_t i = 0; i < m->nskips; i++)
		im->skip_reason[i] = tally_open(&im->tally, m->skips[i].reason);
	resolver_open(&im->resolver, in->devices, m, a);
}

/* The price cells of a row: each of [prices], or each column of a wide table that is there. */
static size_t price_cells(const struct price_map *m, const struct csv_table *t,
			  const struct csv_row *row, struct cell *cells, struct str *columns)
{
	size_t n = 0;

	for (size_t i = 0; m->wide.len == 0 && i < m->nprices; i++) {
		columns[n] = m->prices[i].columns.v[0];
		cells[n++] = listing_cell(t, row, m->prices[i].columns.v, m->prices[i].columns.n);
	}
	for (size_t i = 0; m->wide.len && i < t->header.n && i < row->n; i++) {
		struct str name = t->header.cells[i].text;

		if (!str_starts(name, m->wide) || row->cells[i].pos.line == 0)
			continue;
		columns[n] = name;
		cells[n++] = row->cells[i];
	}
	return n;
}

static bool test_holds(const struct price_map_skip *s, struct str text, char decimal)
{
	double v;

	switch (s->test) {
	case MAP_IS:
		return str_eq(text, s->text);
	case MAP_STARTS:
		return str_starts(text, s->text);
	case MAP_ENDS:
		return str_ends(text, s->text);
	case MAP_CONTAINS:
		return str_find(text, s->text, 0) < text.len;
	case MAP_BELOW:
		return num_parse(text, decimal == ',', &v) && v < s->number;
	case MAP_ABOVE:
		return num_parse(text, decimal == ',', &v) && v > s->number;
	}
	return false;
}

/* Refuses all n prices of the row. Always true. */
static bool refuse_row(struct import *im, size_t reason, const struct cell *at, size_t n,
		       const char *why)
{
	tally_add(&im->tally, reason, at->text, n, at->pos, "'" STR_FMT "' %s", STR_ARG(at->text),
		  why);
	return true;
}

static bool is_skipped(struct import *im, const struct csv_table *t, const struct csv_row *row,
		       size_t n)
{
	const struct price_map *m = im->in->map;

	for (size_t i = 0; i < m->nskips; i++) {
		struct cell at = csv_cell(t, row, csv_column(t, m->skips[i].column));

		if (test_holds(&m->skips[i], at.text, m->decimal))
			return refuse_row(im, im->skip_reason[i], &at, n, "is left out by the map");
	}
	return false;
}

static struct str row_text(const struct csv_row *row, struct arena *a)
{
	struct strbuf b = { .arena = a };

	for (size_t i = 0; i < row->n; i++) {
		strbuf_printf(&b, "%zu:", row->cells[i].text.len); /* so that no cell can run on */
		strbuf_add(&b, row->cells[i].text);
	}
	return strbuf_str(&b);
}

/* Whether the row is refused as a whole. */
static bool refused_row(struct import *im, const struct csv_table *t, const struct csv_row *row,
			size_t n)
{
	struct cell at = csv_cell(t, row, 0);
	bool fresh;

	if (row->n != t->header.n) {
		tally_add(&im->tally, REFUSE_SHORT_ROW, STR(""), n,
			  (struct pos){ t->file, row->line, 0 },
			  "%zu cells, but the header has %zu", row->n, t->header.n);
		return true;
	}
	if (is_skipped(im, t, row, n))
		return true;
	if (im->in->map->keep_duplicates)
		return false;
	map_put(&im->seen_rows, row_text(row, im->arena), 0, &fresh);
	return !fresh
	       && refuse_row(im, REFUSE_DUPLICATE, &at, n, "is a row that stood there before");
}

static void take_row(struct import *im, const struct csv_table *t, const struct csv_row *row,
		     struct cell *cells, struct str *columns)
{
	const struct price_map *m = im->in->map;
	size_t n = price_cells(m, t, row, cells, columns), prices = 0;
	struct amount **amounts = arena_array(im->arena, n, sizeof *amounts);
	size_t *counts = arena_array(im->arena, n, sizeof *counts);

	for (size_t i = 0; i < n; i++)
		prices += counts[i] = listing_amounts(m, cells[i].text, im->arena, &amounts[i]);
	im->rows_in++;
	im->prices_in += prices;
	if (refused_row(im, t, row, prices))
		return;
	for (size_t i = 0; i < n; i++) {
		struct candidate c = {
			.table = t, .row = row, .cell = cells[i], .column = columns[i]
		};

		c.name =
		    listing_name(m, m->wide.len ? str_slice(columns[i], m->wide.len, columns[i].len)
						: listing_cell(t, row, m->columns[MAP_NAME].v,
							       m->columns[MAP_NAME].n)
						      .text);
		for (size_t k = 0; k < counts[i]; k++)
			import_take_amount(im, &c, &m->prices[m->wide.len ? 0 : i], &amounts[i][k]);
	}
}

static bool has_column(const struct csv_table *t, const struct price_map_list *list,
		       struct error *err)
{
	for (size_t i = 0; i < list->n; i++)
		if (csv_column(t, list->v[i]) >= 0)
			return true;
	return list->n == 0
	       || error_at(err, ERR_DATA, list->pos, "column '" STR_FMT "' is not in %s",
			   STR_ARG(list->v[0]), t->file);
}

/* Whether all that the map names is there: a column that is misspelt must not read as empty. */
static bool check_columns(const struct import *im, const struct csv_table *t, struct error *err)
{
	const struct price_map *m = im->in->map;

	for (size_t i = 0; i < MAP_COLUMN_COUNT; i++)
		if (!has_column(t, &m->columns[i], err))
			return false;
	for (size_t i = 0; i < m->nprices; i++)
		if (!has_column(t, &m->prices[i].columns, err))
			return false;
	for (size_t i = 0; i < m->nskips; i++)
		if (csv_column(t, m->skips[i].column) < 0)
			return error_at(err, ERR_DATA, m->skips[i].pos,
					"column '" STR_FMT "' is not in %s",
					STR_ARG(m->skips[i].column), t->file);
	for (size_t i = 0; i < m->markets.n; i++)
		if (!listing_template_check(m->markets.v[i].value, m->markets.v[i].pos, t, err))
			return false;
	return listing_template_check(m->market, m->market_pos, t, err)
	       && listing_template_check(m->source, m->source_pos, t, err);
}

bool import_listing(struct import *im, const struct csv_table *t, struct error *err)
{
	size_t most = im->in->map->nprices + t->header.n;
	struct cell *cells = arena_array(im->arena, most, sizeof *cells);
	struct str *columns = arena_array(im->arena, most, sizeof *columns);

	if (!check_columns(im, t, err))
		return false;
	for (size_t i = 0; i < t->n; i++)
		take_row(im, t, &t->rows[i], cells, columns);
	return true;
}

bool import_finish(struct import *im, struct error *err)
{
	size_t refused = tally_sum(&im->tally);

	if (im->used + refused != im->prices_in)
		return error_set(err, ERR_DATA,
				 "%zu prices used and %zu refused are not the %zu read", im->used,
				 refused, im->prices_in);
	if (price_map_has_statistics(im->in->map))
		import_statistics(im);
	for (size_t i = 0; i < im->n; i++)
		im->rows[i].price = import_round(im->in->map, im->rows[i].price, im->arena);
	import_sort(im);
	return true;
}
