#include "show.h"

#include "../base/stat.h"

#include <limits.h>
#include <math.h>

bool price_market_is(struct str market, struct str wanted)
{
	return wanted.len == 0 || str_eq(market, wanted)
	       || (str_starts(market, wanted) && market.p[wanted.len] == ':');
}

static struct price_series series_of(const struct price_snapshot *v, size_t n, struct arena *a)
{
	struct price_series s = { .v = v,
				  .n = n,
				  .min_usd = INFINITY,
				  .max_usd = -INFINITY,
				  .gap_from.day = INT_MIN,
				  .gap_to.day = INT_MIN };
	double *usd = arena_array(a, n, sizeof *usd);
	int longest = SERIES_HOLD_DAYS;

	for (size_t i = 0; i < n; i++) {
		usd[i] = v[i].price_usd;
		s.rows += v[i].rows;
		if (usd[i] < s.min_usd) {
			s.min_usd = usd[i];
			s.min_date = v[i].row->date;
		}
		if (usd[i] > s.max_usd) {
			s.max_usd = usd[i];
			s.max_date = v[i].row->date;
		}
		if (i == 0 || v[i].row->date.day - v[i - 1].row->date.day <= longest)
			continue;
		s.gap_from = v[i - 1].row->date;
		s.gap_to = v[i].row->date;
		longest = s.gap_to.day - s.gap_from.day;
	}
	s.median_usd = stat_median(usd, n, a);
	return s;
}

static bool is_wished(const struct price *p, const struct price_show_wish *wish)
{
	return price_market_is(p->market, wish->market)
	       && (!wish->condition || p->condition == *wish->condition);
}

/* The device's rows lie together. */
static void add_series(const struct price_view *v, size_t device,
		       const struct price_show_wish *wish, struct arena *a, struct price_show *out)
{
	struct price_group first = { device, STR(""), PRICE_NEW },
			   next = { device + 1, STR(""), PRICE_NEW };
	size_t from = price_group_from(v->prices, &first, INT_MIN),
	       to = price_group_from(v->prices, &next, INT_MIN);
	struct price_snapshots *all = arena_alloc(a, sizeof *all);

	price_snapshots_make(v->prices->v + from, to - from, NULL, 0, v->edition->date, a, all);
	out->v = arena_array(a, all->n, sizeof *out->v);
	for (int rents = 0; rents < 2; rents++) {
		for (size_t i = 0, end; i < all->n; i = end) {
			const struct price *row = all->v[i].row;

			end = price_snapshots_end(all, i);
			if (row->per_hour == (rents == 1) && is_wished(row, wish))
				out->v[out->n++] = series_of(&all->v[i], end - i, a);
		}
		if (!rents)
			out->ncards = out->n;
	}
}

/* Whether a blank-separated list holds the word. */
static bool has_word(struct str list, struct str word)
{
	struct str piece;

	while (str_cut(&list, ' ', &piece))
		if (str_eq(piece, word))
			return true;
	return false;
}

static void add_market(const struct price_view *v, struct str market, bool fallback,
		       struct price_show *out)
{
	struct price_market *m = &out->markets[out->nmarkets++];
	bool from_fallback = out->card.flags & PRICE_FLAG_FALLBACK;

	*m = (struct price_market){ .market = market, .role = ROLE_NONE, .fallback = fallback };
	if (!quote_market(v, out->device, market, &m->quote))
		return;
	if (fallback == from_fallback && has_word(out->card.markets, market))
		m->role = ROLE_USED;
	else if (fallback)
		m->role = ROLE_NOT_NEEDED;
	else
		m->role = from_fallback ? ROLE_STALE : ROLE_OLDER;
}

void price_show(const struct price_view *v, size_t device, const struct price_show_wish *wish,
		struct arena *a, struct price_show *out)
{
	const struct edition *e = v->edition;

	*out = (struct price_show){ .device = device };
	out->card = card_price_of(v, device);
	out->rented = cloud_price_of(v, device, &out->rent);
	out->markets = arena_array(a, e->markets.n + e->fallback.n, sizeof *out->markets);
	for (size_t i = 0; i < e->markets.n; i++)
		add_market(v, e->markets.v[i], false, out);
	for (size_t i = 0; i < e->fallback.n; i++)
		add_market(v, e->fallback.v[i], true, out);
	add_series(v, device, wish, a, out);
}

static const struct str blocks[] = { STR_INIT("▁"), STR_INIT("▂"), STR_INIT("▃"), STR_INIT("▄"),
				     STR_INIT("▅"), STR_INIT("▆"), STR_INIT("▇"), STR_INIT("█") };
static const struct str marks[] = { STR_INIT("_"), STR_INIT("."), STR_INIT("-"), STR_INIT("~"),
				    STR_INIT("="), STR_INIT("+"), STR_INIT("*"), STR_INIT("#") };
enum { LEVELS = LEN(blocks) };

static size_t level_of(const struct price_series *s, double usd)
{
	double range = s->max_usd - s->min_usd, at = range > 0 ? (usd - s->min_usd) / range : 0.5;

	return (size_t)fmin(at * LEVELS, LEVELS - 1);
}

/* The first day of a column; that of column `columns` is the day after the last. */
static int column_day(struct date from, struct date to, size_t columns, size_t column)
{
	double days = to.day - from.day + 1;

	return from.day + (int)floor(days * (double)column / (double)columns);
}

struct str price_sparkline(const struct price_series *s, struct date from, struct date to,
			   size_t columns, bool unicode, struct arena *a)
{
	struct strbuf b = { .arena = a };
	double *usd = arena_array(a, s->n, sizeof *usd);
	size_t next = 0, level = 0;
	int seen = INT_MIN; /* day of the last price drawn */

	for (size_t c = 0; c < columns; c++) {
		int first = column_day(from, to, columns, c),
		    end = column_day(from, to, columns, c + 1);
		size_t n = 0;

		for (; next < s->n && s->v[next].row->date.day < end; next++) {
			usd[n++] = s->v[next].price_usd;
			seen = s->v[next].row->date.day;
		}
		if (n)
			level = level_of(s, stat_median(usd, n, a));
		if (n || (seen > INT_MIN && first - seen <= SERIES_HOLD_DAYS && next < s->n))
			strbuf_add(&b, unicode ? blocks[level] : marks[level]);
		else
			strbuf_addc(&b, ' ');
	}
	return strbuf_str(&b);
}
