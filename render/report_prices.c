/* Chapter 4: what each device costs and how sure that is. */
#include "build.h"
#include "format.h"

#include <math.h>

enum { MARKETS_SHOWN = 4 };

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

/* The market's name as its own readers write it, or the id of one that the catalogue lacks. */
static struct str market_name(struct build *b, struct str market)
{
	const char *key = str_c(b->arena, str_printf(b->arena, "market." STR_FMT, STR_ARG(market)));

	return text_has(b->text, key) ? build_str(b, key, NULL) : market;
}

/* Of a list of ids with blanks or commas: "amazon ebay", "amazon, ebay". */
static struct name_set market_names(struct build *b, struct str markets)
{
	struct name_set names = { .n = 0 };
	struct str part, word;

	while (str_cut(&markets, ',', &part))
		while (str_cut(&part, ' ', &word))
			name_add(b, &names, market_name(b, word));
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

void chapter_prices(struct build *b)
{
	struct report_table *t =
	    build_table(b, "table-prices", "prices.table", NULL, columns, LEN(columns));

	for (size_t i = 0; i < b->data->nprices; i++) {
		const struct data_price *p = &b->data->prices[i];
		if (!str_eq(p->lens, STR("card")))
			continue;
		bool priced = !isnan(p->price_usd);
		struct name_set markets = market_names(b, p->markets);
		struct report_cell *cells = report_table_row(t, b->arena);
		cells[0].text = p->device;
		cells[1].text = format_usd(b->arena, p->price_usd);
		cells[2].text = format_usd_range(b->arena, p->low, p->high);
		cells[3].text = name_list(b, &markets, MARKETS_SHOWN);
		cells[4].text = priced ? format_count(b->arena, p->observations) : STR("");
		cells[5].text = format_date(b->arena, p->newest_date);
		cells[6] = status_cell(b, p->status);
	}
	t->csv_href = STR("data/prices.csv");
	build_heading(b, 2, "prices", "prices.title", NULL);
	build_text(b, "prices.about", NULL);
	report_add_table(b->report, t);
}
