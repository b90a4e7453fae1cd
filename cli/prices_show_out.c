#include "prices_show_out.h"

#include "json_out.h"
#include "terminal.h"

#include "../analyze/cost.h"
#include "../base/csv_write.h"
#include "../base/num.h"

#include <limits.h>
#include <math.h>

enum { RENT_COLUMNS = 16, RENT_LINE = 56 /* all of a line but its name and its curve */ };

static const char *const role_words[] = {
	[ROLE_USED] = "taken",
	[ROLE_OLDER] = "left out: much older than the newest market",
	[ROLE_STALE] = "left out: stale, and a fallback is fresh",
	[ROLE_NOT_NEEDED] = "not needed: another market has a price",
	[ROLE_NONE] = "has no price that is young enough",
};

static const char *const role_names[] = {
	[ROLE_USED] = "used",   [ROLE_OLDER] = "older",
	[ROLE_STALE] = "stale", [ROLE_NOT_NEEDED] = "not-needed",
	[ROLE_NONE] = "none",
};

static struct str money(struct arena *a, double usd)
{
	return num_grouped(a, usd, usd < 10 ? 4 : 2);
}

static struct str iso(struct arena *a, struct date d)
{
	return d.day == INT_MIN ? STR("") : date_iso(a, d);
}

static const struct device *device_of(const struct prices_show_said *s)
{
	return &s->view->devices->v[s->show->device];
}

static void text_head(struct strbuf *b, const struct prices_show_said *s)
{
	const struct device *d = device_of(s);
	struct strbuf line = { .arena = b->arena };

	strbuf_printf(&line, STR_FMT ": " STR_FMT " " STR_FMT, STR_ARG(d->name), STR_ARG(d->vendor),
		      STR_ARG(d->architecture));
	if (d->release_date.day != INT_MIN)
		strbuf_printf(&line, ", released " STR_FMT,
			      STR_ARG(date_iso(b->arena, d->release_date)));
	if (isnan(d->launch_price_usd))
		strbuf_add(&line, STR(", launch price not known"));
	else
		strbuf_printf(&line, ", launch price " STR_FMT "\u00a0USD",
			      STR_ARG(money(b->arena, d->launch_price_usd)));
	terminal_wrap(b, strbuf_str(&line), 0, 2, s->width);
}

/* "1,031.13 USD (449.99 to 581.14), stale single-source" */
static void text_price(struct strbuf *b, const struct prices_show_said *s,
		       const struct card_price *p, const char *per)
{
	struct arena *a = b->arena;
	struct strbuf line = { .arena = a };

	strbuf_printf(&line, STR_FMT "\u00a0USD%s", STR_ARG(money(a, p->price_usd)), per);
	if (p->low != p->high)
		strbuf_printf(&line, " (" STR_FMT "\u00a0to\u00a0" STR_FMT ")",
			      STR_ARG(money(a, p->low)), STR_ARG(money(a, p->high)));
	strbuf_printf(&line, ", newest of " STR_FMT " (%d days old), " STR_FMT,
		      STR_ARG(iso(a, p->newest_date)), p->age_days,
		      STR_ARG(price_flags_text(a, p->flags)));
	if (p->flags & PRICE_FLAG_UNUSUAL)
		strbuf_printf(&line, ": " STR_FMT "\u00a0USD in the year before",
			      STR_ARG(money(a, p->usual_usd)));
	terminal_wrap(b, strbuf_str(&line), 2, 4, s->width);
}

static void text_market(struct strbuf *b, const struct price_market *m, size_t columns,
			size_t width)
{
	struct arena *a = b->arena;
	struct str words =
	    str_printf(a, "%s%s", m->fallback ? "fallback, " : "", role_words[m->role]);
	size_t at = columns + 35;

	strbuf_add(b, STR("    "));
	terminal_put(b, m->market, columns, false);
	if (m->role != ROLE_NONE)
		strbuf_printf(b, "  %10.*s %s  %.*s  ", STR_ARG(money(a, m->quote.price)),
			      m->quote.flags & PRICE_FLAG_USED ? "used" : "new ",
			      STR_ARG(iso(a, m->quote.date)));
	else
		strbuf_printf(b, "  %10s %4s  %10s  ", "-", "", "");
	terminal_wrap(b, words, at, at + 16 < width ? at : 6, width);
}

static void text_edition(struct strbuf *b, const struct prices_show_said *s)
{
	const struct price_show *p = s->show;
	size_t columns = 0;

	strbuf_add(b, STR("\nEdition "));
	terminal_put(b, s->view->edition->name, 0, false);
	strbuf_printf(b, " on " STR_FMT ":\n  ",
		      STR_ARG(date_iso(b->arena, s->view->edition->date)));
	if (p->card.flags & PRICE_FLAG_MISSING)
		strbuf_add(b, STR("no price of the card\n"));
	else
		text_price(b, s, &p->card, "");
	for (size_t i = 0; i < p->nmarkets; i++) {
		size_t n = terminal_length(p->markets[i].market);
		columns = n > columns ? n : columns;
	}
	for (size_t i = 0; i < p->nmarkets; i++)
		text_market(b, &p->markets[i], columns, s->width);
	if (!p->rented)
		return;
	strbuf_add(b, STR("  "));
	text_price(b, s, &p->rent, " an hour");
}

/* The first and the last day of all kinds of price. */
static void span(const struct price_series *v, size_t n, struct date *from, struct date *to)
{
	*from = (struct date){ INT_MAX };
	*to = (struct date){ INT_MIN };
	for (size_t i = 0; i < n; i++) {
		int first = v[i].v[0].row->date.day, last = v[i].v[v[i].n - 1].row->date.day;

		from->day = first < from->day ? first : from->day;
		to->day = last > to->day ? last : to->day;
	}
}

static struct str series_name(const struct price_series *x, struct arena *a)
{
	const struct price *row = x->v[0].row;
	struct strbuf b = { .arena = a };

	strbuf_printf(&b, STR_FMT " " STR_FMT, STR_ARG(row->market),
		      STR_ARG(price_condition_name(row->condition)));
	if (row->stat.len)
		strbuf_printf(&b, " " STR_FMT, STR_ARG(row->stat));
	if (!str_eq(row->currency, STR("USD")))
		strbuf_printf(&b, " (" STR_FMT ")", STR_ARG(row->currency));
	return strbuf_str(&b);
}

static void add_figure(struct strbuf *line, const char *name, double usd, struct date d)
{
	strbuf_printf(line, "%s%s " STR_FMT, line->len ? "; " : "", name,
		      STR_ARG(money(line->arena, usd)));
	if (d.day != INT_MIN)
		strbuf_printf(line, " on " STR_FMT, STR_ARG(date_iso(line->arena, d)));
}

static void text_figures(struct strbuf *b, const struct prices_show_said *s,
			 const struct price_series *x)
{
	const struct price_snapshot *first = &x->v[0], *last = &x->v[x->n - 1];
	struct strbuf line = { .arena = b->arena };

	add_figure(&line, "first", first->price_usd, first->row->date);
	if (x->n > 1) {
		add_figure(&line, "last", last->price_usd, last->row->date);
		add_figure(&line, "min", x->min_usd, x->min_date);
		add_figure(&line, "median", x->median_usd, (struct date){ INT_MIN });
		add_figure(&line, "max", x->max_usd, x->max_date);
	}
	strbuf_printf(&line, "; %zu\u00a0day%s, %zu\u00a0row%s", x->n, x->n == 1 ? "" : "s",
		      x->rows, x->rows == 1 ? "" : "s");
	if (x->gap_from.day != INT_MIN)
		strbuf_printf(&line, "; longest gap %d days from " STR_FMT,
			      x->gap_to.day - x->gap_from.day,
			      STR_ARG(date_iso(b->arena, x->gap_from)));
	strbuf_add(b, STR("    "));
	terminal_wrap(b, strbuf_str(&line), 4, 4, s->width);
}

static void text_cards(struct strbuf *b, const struct prices_show_said *s)
{
	const struct price_show *p = s->show;
	struct arena *a = b->arena;
	struct date from, to;

	if (p->ncards == 0)
		return;
	span(p->v, p->ncards, &from, &to);
	strbuf_addc(b, '\n');
	terminal_wrap(b,
		      str_printf(a,
				 "USD a card, " STR_FMT " to " STR_FMT
				 "; each curve from its min to its max:",
				 STR_ARG(date_iso(a, from)), STR_ARG(date_iso(a, to))),
		      0, 0, s->width);
	for (size_t i = 0; i < p->ncards; i++) {
		strbuf_add(b, STR("\n  "));
		terminal_put(b, series_name(&p->v[i], a), 0, false);
		strbuf_add(b, STR("\n    "));
		strbuf_printf(
		    b, STR_FMT "\n",
		    STR_ARG(price_sparkline(&p->v[i], from, to, s->width - 4, s->unicode, a)));
		text_figures(b, s, &p->v[i]);
	}
}

/* A rent has a line: there may be a hundred. */
static void text_rent(struct strbuf *b, const struct prices_show_said *s,
		      const struct price_series *x, size_t columns, struct date from,
		      struct date to)
{
	struct arena *a = b->arena;
	const struct price_snapshot *last = &x->v[x->n - 1];

	strbuf_add(b, STR("  "));
	if (s->width >= columns + RENT_COLUMNS + RENT_LINE)
		strbuf_printf(b, STR_FMT "  ",
			      STR_ARG(price_sparkline(x, from, to, RENT_COLUMNS, s->unicode, a)));
	terminal_put(b, series_name(x, a), columns, false);
	strbuf_printf(b, " %9.*s on %.*s", STR_ARG(money(a, last->price_usd)),
		      STR_ARG(date_iso(a, last->row->date)));
	if (x->min_usd != x->max_usd && s->width >= columns + RENT_LINE)
		strbuf_printf(b, "  " STR_FMT " to " STR_FMT, STR_ARG(money(a, x->min_usd)),
			      STR_ARG(money(a, x->max_usd)));
	strbuf_printf(b, "  %zu day%s\n", x->n, x->n == 1 ? "" : "s");
}

static void text_rents(struct strbuf *b, const struct prices_show_said *s)
{
	const struct price_show *p = s->show;
	struct arena *a = b->arena;
	struct date from, to;
	size_t columns = 0;

	if (p->ncards == p->n)
		return;
	span(p->v + p->ncards, p->n - p->ncards, &from, &to);
	strbuf_printf(b, "\nUSD an hour, " STR_FMT " to " STR_FMT ", the last and the range:\n",
		      STR_ARG(date_iso(a, from)), STR_ARG(date_iso(a, to)));
	for (size_t i = p->ncards; i < p->n; i++) {
		size_t n = terminal_length(series_name(&p->v[i], a));
		columns = n > columns ? n : columns;
	}
	for (size_t i = p->ncards; i < p->n; i++)
		text_rent(b, s, &p->v[i], columns, from, to);
}

static struct str as_text(const struct prices_show_said *s, struct arena *a)
{
	struct strbuf b = { .arena = a };

	text_head(&b, s);
	text_edition(&b, s);
	text_cards(&b, s);
	text_rents(&b, s);
	if (s->show->n == 0)
		strbuf_add(&b, STR("\nNo price is on record.\n"));
	return strbuf_str(&b);
}

static const char *const columns_csv[] = { "device", "market",    "condition", "stat", "currency",
					   "date",   "price_usd", "quantity",  "rows", "n",
					   "source", "file",      "line" };

static void csv_day(struct csv_out *w, const struct prices_show_said *s,
		    const struct price_snapshot *x)
{
	const struct price *row = x->row;
	struct arena *a = w->buf.arena;

	csv_put(w, str_plain(a, device_of(s)->name));
	csv_put(w, str_plain(a, row->market));
	csv_put(w, price_condition_name(row->condition));
	csv_put(w, row->stat);
	csv_put(w, str_plain(a, row->currency));
	csv_put_date(w, row->date);
	csv_put_num(w, cost_round(x->price_usd));
	csv_put(w, row->per_hour ? STR("hour") : STR("unit"));
	csv_put_int(w, (long)x->rows);
	csv_put_num(w, x->listings > 0 ? x->listings : (double)NAN);
	csv_put(w, str_plain(a, row->source));
	csv_put(w, str_plain(a, str_of(row->pos.file ? row->pos.file : "")));
	csv_put_int(w, row->pos.line);
	csv_end_row(w);
}

static struct str as_csv(const struct prices_show_said *s, struct arena *a)
{
	const struct price_show *p = s->show;
	struct csv_out w = { .buf.arena = a };

	for (size_t i = 0; i < LEN(columns_csv); i++)
		csv_put(&w, str_of(columns_csv[i]));
	csv_end_row(&w);
	for (size_t i = 0; i < p->n; i++)
		for (size_t k = 0; k < p->v[i].n; k++)
			csv_day(&w, s, &p->v[i].v[k]);
	return strbuf_str(&w.buf);
}

static void json_price(struct strbuf *b, const char *key, const struct card_price *p)
{
	if (isnan(p->price_usd)) {
		json_out_null(b, key);
		return;
	}
	json_out_begin(b, key, '{');
	json_out_number(b, "price_usd", cost_round(p->price_usd));
	json_out_number(b, "low", cost_round(p->low));
	json_out_number(b, "high", cost_round(p->high));
	json_out_known(b, "markets", p->markets);
	json_out_known(b, "newest_date", iso(b->arena, p->newest_date));
	json_out_number(b, "age_days", p->age_days);
	json_out_text(b, "status", price_flags_text(b->arena, p->flags));
	json_out_end(b, '{');
}

static void json_market(struct strbuf *b, const struct price_market *m)
{
	bool none = m->role == ROLE_NONE;

	json_out_begin(b, NULL, '{');
	json_out_text(b, "market", m->market);
	json_out_bool(b, "fallback", m->fallback);
	json_out_text(b, "role", str_of(role_names[m->role]));
	json_out_number(b, "price_usd", none ? (double)NAN : cost_round(m->quote.price));
	json_out_known(b, "date", none ? STR("") : iso(b->arena, m->quote.date));
	json_out_end(b, '{');
}

static void json_day(struct strbuf *b, const struct price_snapshot *x)
{
	json_out_begin(b, NULL, '{');
	json_out_text(b, "date", date_iso(b->arena, x->row->date));
	json_out_number(b, "price_usd", cost_round(x->price_usd));
	json_out_number(b, "rows", (double)x->rows);
	json_out_number(b, "n", x->listings > 0 ? x->listings : (double)NAN);
	json_out_end(b, '{');
}

static void json_series(struct strbuf *b, const struct price_series *x)
{
	const struct price *row = x->v[0].row;

	json_out_begin(b, NULL, '{');
	json_out_text(b, "market", row->market);
	json_out_text(b, "condition", price_condition_name(row->condition));
	json_out_known(b, "stat", row->stat);
	json_out_text(b, "currency", row->currency);
	json_out_text(b, "quantity", row->per_hour ? STR("hour") : STR("unit"));
	json_out_number(b, "min_usd", cost_round(x->min_usd));
	json_out_number(b, "median_usd", cost_round(x->median_usd));
	json_out_number(b, "max_usd", cost_round(x->max_usd));
	json_out_begin(b, "days", '[');
	for (size_t i = 0; i < x->n; i++)
		json_day(b, &x->v[i]);
	json_out_end(b, '[');
	json_out_end(b, '{');
}

static struct str as_json(const struct prices_show_said *s, struct arena *a)
{
	const struct price_show *p = s->show;
	struct strbuf b = { .arena = a };

	json_out_begin(&b, NULL, '{');
	json_out_text(&b, "device", device_of(s)->name);
	json_out_text(&b, "edition", s->view->edition->name);
	json_out_text(&b, "date", date_iso(a, s->view->edition->date));
	json_out_number(&b, "launch_price_usd", device_of(s)->launch_price_usd);
	json_price(&b, "card", &p->card);
	if (p->rented)
		json_price(&b, "rent", &p->rent);
	else
		json_out_null(&b, "rent");
	json_out_begin(&b, "markets", '[');
	for (size_t i = 0; i < p->nmarkets; i++)
		json_market(&b, &p->markets[i]);
	json_out_end(&b, '[');
	json_out_begin(&b, "series", '[');
	for (size_t i = 0; i < p->n; i++)
		json_series(&b, &p->v[i]);
	json_out_end(&b, '[');
	json_out_end(&b, '{');
	strbuf_addc(&b, '\n');
	return strbuf_str(&b);
}

struct str prices_show_format(const struct prices_show_said *s, enum output_format format,
			      struct arena *a)
{
	static struct str (*const formats[])(const struct prices_show_said *, struct arena *) = {
		[FORMAT_TEXT] = as_text, [FORMAT_CSV] = as_csv, [FORMAT_JSON] = as_json,
	};

	return formats[format](s, a);
}
