/* What each device costs and how sure that is; new and used cards apart. */
#include "build.h"
#include "figure_chapter.h"
#include "format.h"
#include "../base/stat.h"

#include <math.h>
#include <stdlib.h>

enum { MARKETS_SHOWN = 4, PAIRS_SHOWN = 10, PRICES_SHOWN = 40 };

static const struct build_column columns[] = {
	{ "column.device", false, true, 1.8 },       { "column.price", true, false, 0.9 },
	{ "column.range", true, false, 1.3 },        { "column.markets", false, false, 1.2 },
	{ "column.observations", true, false, 0.7 }, { "column.price_date", true, false, 1 },
	{ "column.status", false, false, 2.6 },
};

/* Flags of prices.csv and what they read as. */
static const struct {
	const char *flag, *key;
	bool warn;
} flags[] = {
	{ "ok", "status.ok", false },
	{ "stale", "status.stale", true },
	{ "single-source", "status.single_source", false },
	{ "fallback", "status.fallback", false }, /* {markets}: those that had none */
	{ "used", "status.used", false },
	{ "unusual", "status.unusual", true },
	{ "few-listings", "status.few_listings", false },
	{ "missing", "status.missing", true },
};

/* Of a list of ids with blanks or commas ("amazon ebay", "amazon, ebay") the names that the markets
 * have among their readers. */
static struct name_set market_names(struct build *b, struct str markets)
{
	struct name_set names = { .n = 0 };
	struct str part, word;

	while (str_cut(&markets, ',', &part))
		while (str_cut(&part, ' ', &word))
			name_add(b, &names, build_word(b, "market", word));
	return names;
}

static struct report_cell status_cell(struct build *b, struct str status)
{
	struct name_set markets = market_names(b, data_setting(b->data, STR("markets")));
	const struct text_arg args[] = {
		text_arg("markets", name_list_or(b, &markets)),
		text_arg_end(),
	};
	struct strbuf text = { .arena = b->arena };
	struct report_cell cell = { .tone = TONE_MUTED };
	struct str word;

	while (str_cut(&status, ' ', &word)) {
		struct str shown = word; /* a flag of a later version shows as it is */
		for (size_t i = 0; i < LEN(flags); i++)
			if (str_eq(word, str_of(flags[i].flag))) {
				shown = build_str(b, flags[i].key, args);
				if (flags[i].warn)
					cell.tone = TONE_WARN;
			}
		if (text.len > 0 && shown.len > 0)
			strbuf_add(&text, build_str(b, "list.comma", NULL));
		strbuf_add(&text, shown);
	}
	cell.text = strbuf_str(&text);
	return cell;
}

/* ---- new and used ---- */

/* A device with both prices. */
struct pair {
	const struct data_price_condition *fresh, *used;
	double share; /* used price over new price */
};

static const struct data_price_condition *condition_price(const struct build *b, struct str device,
							  const char *condition)
{
	for (size_t i = 0; i < b->data->nprice_conditions; i++) {
		const struct data_price_condition *p = &b->data->price_conditions[i];
		if (str_eq(p->device, device) && str_eq(p->condition, str_of(condition))
		    && !isnan(p->price_usd))
			return p;
	}
	return NULL;
}

/* The newest of the older of both dates first: what can be compared today; ties in the order of the
 * file. */
static int by_date(const void *pa, const void *pb)
{
	const struct pair *a = pa, *b = pb;
	int da = a->fresh->newest_date.day, db = b->fresh->newest_date.day;

	da = a->used->newest_date.day < da ? a->used->newest_date.day : da;
	db = b->used->newest_date.day < db ? b->used->newest_date.day : db;
	if (da != db)
		return da < db ? 1 : -1;
	return (a->fresh->pos.line > b->fresh->pos.line)
	       - (a->fresh->pos.line < b->fresh->pos.line);
}

static size_t find_pairs(struct build *b, struct pair *out)
{
	size_t n = 0;

	for (size_t i = 0; i < b->data->ndevices; i++) {
		struct pair p = { .fresh = condition_price(b, b->data->devices[i], "new"),
				  .used = condition_price(b, b->data->devices[i], "used") };
		if (!p.fresh || !p.used)
			continue;
		p.share = p.used->price_usd / p.fresh->price_usd;
		out[n++] = p;
	}
	if (n > 0)
		qsort(out, n, sizeof *out, by_date);
	return n;
}

static const struct build_column pair_columns[] = {
	{ "column.device", false, true, 1.8 },   { "column.new", true, false, 0.9 },
	{ "column.price_date", true, false, 1 }, { "column.used", true, false, 0.9 },
	{ "column.price_date", true, false, 1 }, { "column.used_share", true, false, 0.9 },
};

static void pair_row(struct build *b, struct report_table *t, const struct pair *p)
{
	struct report_cell *cells = report_table_row(t, b->arena);

	cells[0].text = p->fresh->device;
	cells[1].text = format_usd(b->arena, p->fresh->price_usd);
	cells[2].text = format_date(b->arena, p->fresh->newest_date);
	cells[3].text = format_usd(b->arena, p->used->price_usd);
	cells[4].text = format_date(b->arena, p->used->newest_date);
	cells[5].text = format_percent(b->arena, 100 * p->share);
}

static void conditions(struct build *b)
{
	struct pair *pairs = arena_array(b->arena, b->data->ndevices, sizeof *pairs);
	double *shares = arena_array(b->arena, b->data->ndevices, sizeof *shares);
	size_t n = find_pairs(b, pairs), shown = build_rows_shown(n, PAIRS_SHOWN);

	if (n == 0)
		return;
	for (size_t i = 0; i < n; i++)
		shares[i] = pairs[i].share;
	const struct text_arg args[] = {
		text_arg_int("shown", (long)shown, b->arena), text_arg_int("n", (long)n, b->arena),
		text_arg("share", format_percent(b->arena, 100 * stat_median(shares, n, b->arena))),
		text_arg_end()
	};
	struct report_table *t = build_table(b, "table-conditions", "prices.conditions", args,
					     pair_columns, LEN(pair_columns));
	for (size_t i = 0; i < shown; i++)
		pair_row(b, t, &pairs[i]);
	build_heading(b, 3, "conditions", "prices.conditions_title", NULL);
	build_text(b, "prices.conditions_about", args);
	build_add_table(b, t, "data/price_conditions.csv");
}

/* ---- the tables ---- */

static void price_row(struct build *b, struct report_table *t, const struct data_price *p)
{
	struct name_set markets = market_names(b, p->markets);
	struct report_cell *cells = report_table_row(t, b->arena);

	cells[0].text = p->device;
	cells[1].text = format_usd(b->arena, p->price_usd);
	cells[2].text = format_usd_range(b->arena, p->low, p->high);
	cells[3].text = name_list(b, &markets, MARKETS_SHOWN);
	cells[4].text = isnan(p->price_usd) ? STR("") : format_count(b->arena, p->observations);
	cells[5].text = format_date(b->arena, p->newest_date);
	cells[6] = status_cell(b, p->status);
}

static bool is_card(const struct data_price *p)
{
	return str_eq(p->lens, lens_name(LENS_CARD));
}

static bool is_recent(const struct data_price *p)
{
	return !isnan(p->price_usd) && !build_price_is_stale(p);
}

struct price_counts {
	size_t all, recent;
	const struct data_price *cheapest, *dearest; /* of the recent ones */
};

static struct price_counts count_prices(const struct build *b)
{
	struct price_counts n = { 0 };

	for (size_t i = 0; i < b->data->nprices; i++) {
		const struct data_price *p = &b->data->prices[i];
		if (!is_card(p))
			continue;
		n.all++;
		if (!is_recent(p))
			continue;
		n.recent++;
		if (!n.cheapest || p->price_usd < n.cheapest->price_usd)
			n.cheapest = p;
		if (!n.dearest || p->price_usd > n.dearest->price_usd)
			n.dearest = p;
	}
	return n;
}

/* A long list shows what can be acted on: the recent prices. */
static bool shows_recent_only(const struct price_counts *n)
{
	return n->recent > 0 && build_rows_shown(n->all, PRICES_SHOWN) < n->all;
}

static void finding(struct build *b, const struct price_counts *n)
{
	struct str days = data_setting(b->data, STR("stale_days"));

	if (n->recent == 0 || days.len == 0)
		return;
	build_text(
	    b, "prices.finding",
	    (struct text_arg[]){
		text_arg_int("recent", (long)n->recent, b->arena),
		text_arg_int("n", (long)n->all, b->arena), text_arg("days", days),
		text_arg("cheapest", n->cheapest->device),
		text_arg("least", format_usd(b->arena, n->cheapest->price_usd)),
		text_arg("dearest", n->dearest->device),
		text_arg("most", format_usd(b->arena, n->dearest->price_usd)), text_arg_end() });
}

static void price_table(struct build *b, const struct price_counts *n)
{
	bool recent_only = shows_recent_only(n);
	const struct text_arg args[] = {
		text_arg_int("recent", (long)n->recent, b->arena),
		text_arg_int("n", (long)n->all, b->arena),
		text_arg("days", data_setting(b->data, STR("stale_days"))), text_arg_end()
	};
	struct report_table *t =
	    build_table(b, "table-prices", recent_only ? "prices.table_recent" : "prices.table",
			args, columns, LEN(columns));

	for (size_t i = 0; i < b->data->nprices; i++)
		if (is_card(&b->data->prices[i])
		    && (!recent_only || is_recent(&b->data->prices[i])))
			price_row(b, t, &b->data->prices[i]);
	t->csv_href = STR("data/prices.csv");
	report_add_table(b->report, t);
}

void chapter_prices(struct build *b)
{
	struct price_counts n = count_prices(b);

	build_heading(b, 2, "prices", "prices.title", NULL);
	finding(b, &n);
	build_text(b, "prices.about", NULL);
	figure_history(b);
	price_table(b, &n);
	conditions(b);
}
