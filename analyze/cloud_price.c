/* The cloud lens of card_price.h. */
#include "card_price.h"

#include "../base/stat.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

/* Boards whose clouds rent their chips one by one: AWS p2 and g3, Azure NC and NV, GCP. A benchmark
 * of "one" of them ran on one chip too, so score and rent fit; a bought board holds `chips` of
 * them. Source: data/SOURCES.md, "Prices". */
static const struct {
	struct str device;
	int chips;
} rented_by_chip[] = {
	{ STR_INIT("Tesla K80"), 2 },
	{ STR_INIT("Tesla M60"), 2 },
};

/* One on-demand row that counts, with its provider. */
struct cloud_row {
	struct str provider;
	int day;
	double price_usd;
};

/* By provider, newest first, then price: the order that the medians are taken in. */
static int by_provider(const void *pa, const void *pb)
{
	const struct cloud_row *x = pa, *y = pb;
	int c = str_cmp(x->provider, y->provider);

	if (c)
		return c;
	if (x->day != y->day)
		return x->day > y->day ? -1 : 1;
	return (x->price_usd > y->price_usd) - (x->price_usd < y->price_usd);
}

static struct cloud_row *cloud_rows(const struct price_view *v, size_t device, size_t *n)
{
	struct price_group g = { device, STR("cloud:"), PRICE_NEW };
	size_t first = price_group_from(v->prices, &g, INT_MIN), end = first;
	int today = v->edition->date.day;
	struct cloud_row *rows;

	while (end < v->prices->n && v->prices->v[end].device == device
	       && str_starts(v->prices->v[end].market, g.market))
		end++;
	rows = arena_array(v->arena, end - first, sizeof *rows);
	*n = 0;
	for (size_t i = first; i < end; i++) {
		const struct price *p = &v->prices->v[i];

		if (p->condition == PRICE_ON_DEMAND && p->date.day <= today
		    && today - p->date.day <= v->edition->drop_days)
			rows[(*n)++] = (struct cloud_row){ price_provider(p->market), p->date.day,
							   p->price_usd };
	}
	if (*n)
		qsort(rows, *n, sizeof *rows, by_provider);
	return rows;
}

/* How many rows from the first on are of its provider and day. */
static size_t same_day(const struct cloud_row *rows, size_t n)
{
	size_t m = 1;

	while (m < n && rows[m].day == rows[0].day && str_eq(rows[m].provider, rows[0].provider))
		m++;
	return m;
}

/* Their median; they come in the order of their prices. */
static double middle(const struct cloud_row *rows, size_t m)
{
	return (rows[(m - 1) / 2].price_usd + rows[m / 2].price_usd) / 2;
}

int cloud_units(const struct device *d)
{
	for (size_t i = 0; i < LEN(rented_by_chip); i++)
		if (str_eq(rented_by_chip[i].device, d->name))
			return rented_by_chip[i].chips;
	return 1;
}

/* What one provider asks: the median of its newest day. */
struct offer {
	struct str provider;
	int day, rows;
	double price_usd;
};

/* One a provider, by name; those more than stale_days older than the newest of them are left out,
 * as markets are: a list of the year before last is no rent of today. */
static struct offer *offers_of(const struct price_view *v, size_t device, size_t *n)
{
	size_t nrows, all = 0, count;
	struct cloud_row *rows = cloud_rows(v, device, &nrows);
	struct offer *o = arena_array(v->arena, nrows, sizeof *o);
	int newest = INT_MIN;

	for (size_t i = 0; i < nrows; i++) {
		if (i > 0 && str_eq(rows[i].provider, rows[i - 1].provider))
			continue; /* an older day, or more of the newest */
		count = same_day(&rows[i], nrows - i);
		o[all++] = (struct offer){ rows[i].provider, rows[i].day, (int)count,
					   middle(&rows[i], count) };
		newest = rows[i].day > newest ? rows[i].day : newest;
	}
	*n = 0;
	for (size_t i = 0; i < all; i++)
		if (newest - o[i].day <= v->edition->stale_days)
			o[(*n)++] = o[i];
	return o;
}

bool cloud_price_of(const struct price_view *v, size_t device, struct card_price *out)
{
	struct strbuf names = { .arena = v->arena };
	size_t n;
	const struct offer *o = offers_of(v, device, &n);
	double *prices = arena_array(v->arena, n, sizeof *prices);
	int today = v->edition->date.day;

	*out = card_price_none(device, LENS_CLOUD);
	for (size_t i = 0; i < n; i++) {
		prices[i] = o[i].price_usd;
		if (!(o[i].price_usd >= out->low)) { /* low is NAN before the first */
			out->low = o[i].price_usd;
			out->cheapest = o[i].provider;
		}
		out->observations += o[i].rows;
		if (o[i].day > out->newest_date.day)
			out->newest_date.day = o[i].day;
		if (today - o[i].day > v->edition->stale_days)
			out->flags |= PRICE_FLAG_STALE;
		if (names.len)
			strbuf_addc(&names, ' ');
		strbuf_add(&names, o[i].provider);
	}
	if (!n)
		return false;
	stat_sort(prices, n);
	out->price_usd = stat_quantile_sorted(prices, n, 0.5);
	out->high = prices[n - 1];
	out->markets = strbuf_str(&names);
	out->age_days = today - out->newest_date.day;
	out->flags |= (n == 1 ? PRICE_FLAG_SINGLE_SOURCE : 0u)
		      | (cloud_units(&v->devices->v[device]) > 1 ? PRICE_FLAG_PER_CHIP : 0u);
	return true;
}
