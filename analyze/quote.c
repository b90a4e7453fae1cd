#include "quote.h"

#include "price_flag.h"
#include "../base/stat.h"

#include <limits.h>
#include <math.h>

enum { TRAILING_DAYS = 365, FEW_LISTINGS = 3 };

static int compare(const struct price *p, const struct price_group *g, int day)
{
	int c;

	if (p->device != g->device)
		return p->device < g->device ? -1 : 1;
	if ((c = str_cmp(p->market, g->market)) != 0)
		return c;
	if (p->condition != g->condition)
		return p->condition < g->condition ? -1 : 1;
	return (p->date.day > day) - (p->date.day < day);
}

size_t price_group_from(const struct prices *prices, const struct price_group *g, int day)
{
	size_t lo = 0, hi = prices->n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (compare(&prices->v[mid], g, day) < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

static bool has_stat(const struct price *p, struct str stat)
{
	return str_eq(p->stat, stat);
}

/* Rows of one day [from, to) in the edition's currency, or all when none is. */
static struct price *rows_of_day(const struct price_view *v, size_t from, size_t to, size_t *n)
{
	struct price *rows = arena_array(v->arena, to - from, sizeof *rows);

	*n = 0;
	for (size_t i = from; i < to; i++)
		if (str_eq(v->prices->v[i].currency, v->edition->currency))
			rows[(*n)++] = v->prices->v[i];
	for (size_t i = from; *n == 0 && i < to; i++)
		rows[i - from] = v->prices->v[i];
	*n = *n ? *n : to - from;
	return rows;
}

/* New: the lowest, what a buyer can get (the median follows scalpers when stock is thin). Used: the
 * median, since the lowest used listing is often a broken card. */
static double price_of_rows(const struct price *rows, size_t n, enum price_condition condition,
			    struct arena *a)
{
	struct str last_resort = condition == PRICE_USED ? STR("min") : STR("median");
	double *values = arena_array(a, n, sizeof *values);
	size_t m = 0;

	for (size_t i = 0; i < n; i++)
		if (!has_stat(&rows[i], last_resort))
			values[m++] = rows[i].price_usd;
	for (size_t i = 0; m == 0 && i < n; i++)
		values[i] = rows[i].price_usd;
	m = m ? m : n;
	stat_sort(values, m);
	return condition == PRICE_USED ? stat_quantile_sorted(values, m, 0.5) : values[0];
}

/* Median of the day prices in the year before row `first`; NAN when there was none. */
static double usual_price(const struct price_view *v, const struct price_group *g, size_t first,
			  int *ndays)
{
	size_t from = price_group_from(v->prices, g, v->prices->v[first].date.day - TRAILING_DAYS),
	       n = 0, m;
	double *days = arena_array(v->arena, first - from, sizeof *days);

	for (size_t i = from, end; i < first; i = end) {
		const struct price *rows;

		for (end = i + 1;
		     end < first && v->prices->v[end].date.day == v->prices->v[i].date.day;)
			end++;
		rows = rows_of_day(v, i, end, &m);
		days[n++] = price_of_rows(rows, m, g->condition, v->arena);
	}
	*ndays = (int)n;
	return n ? stat_median(days, n, v->arena) : NAN;
}

/* Listings where a row states them, else the rows. */
static int count_listings(const struct price *rows, size_t n, bool *stated)
{
	int most = 0;

	for (size_t i = 0; i < n; i++)
		most = rows[i].n > most ? rows[i].n : most;
	*stated = most > 0;
	return *stated ? most : (int)n;
}

static bool quote_group(const struct price_view *v, const struct price_group *g, struct quote *q)
{
	int today = v->edition->date.day;
	size_t end = price_group_from(v->prices, g, today + 1), first, n;
	const struct price *newest = end ? &v->prices->v[end - 1] : NULL, *rows;
	bool stated;

	if (!newest || newest->device != g->device || !str_eq(newest->market, g->market)
	    || newest->condition != g->condition
	    || today - newest->date.day > v->edition->drop_days)
		return false;
	first = price_group_from(v->prices, g, newest->date.day);
	rows = rows_of_day(v, first, end, &n);
	*q = (struct quote){ .date = newest->date };
	q->price = q->low = q->high = price_of_rows(rows, n, g->condition, v->arena);
	for (size_t i = 0; i < n; i++) {
		if (has_stat(&rows[i], STR("min")))
			q->low = fmin(q->low, rows[i].price_usd);
		if (has_stat(&rows[i], STR("median")))
			q->high = fmax(q->high, rows[i].price_usd);
	}
	q->usual = usual_price(v, g, first, &q->usual_days);
	q->observations = count_listings(rows, n, &stated);
	q->flags = (g->condition == PRICE_USED ? PRICE_FLAG_USED : 0u)
		   | (stated && q->observations < FEW_LISTINGS ? PRICE_FLAG_FEW_LISTINGS : 0u);
	return true;
}

/* The launch price of devices.csv as a market of its own. */
static bool quote_launch(const struct price_view *v, size_t device, struct quote *q)
{
	const struct device *d = &v->devices->v[device];
	int today = v->edition->date.day;

	if (isnan(d->launch_price_usd) || d->release_date.day == INT_MIN
	    || d->release_date.day > today || today - d->release_date.day > v->edition->drop_days)
		return false;
	*q = (struct quote){ .price = d->launch_price_usd,
			     .low = d->launch_price_usd,
			     .high = d->launch_price_usd,
			     .usual = NAN,
			     .date = d->release_date,
			     .observations = 1 };
	return true;
}

bool quote_market(const struct price_view *v, size_t device, struct str market, struct quote *q)
{
	bool wants_new = false;

	for (size_t i = 0; i < v->conditions->n; i++) {
		struct price_group g = { device, market, PRICE_NEW };

		if (!price_condition_parse(v->conditions->v[i], &g.condition))
			continue;
		wants_new = wants_new || g.condition == PRICE_NEW;
		if (quote_group(v, &g, q)) {
			q->market = market;
			return true;
		}
	}
	if (!wants_new || !str_eq(market, STR("msrp")) || !quote_launch(v, device, q))
		return false;
	q->market = market;
	return true;
}
