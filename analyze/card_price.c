#include "card_price.h"

#include <limits.h>
#include <math.h>

#define UNUSUAL_FACTOR 1.5
enum { MARKETS_MAX = EDITION_LIST_MAX };

struct card_price card_price_none(size_t device, enum lens lens)
{
	return (struct card_price){ .device = device,
				    .lens = lens,
				    .price_usd = NAN,
				    .low = NAN,
				    .high = NAN,
				    .newest_date.day = INT_MIN,
				    .age_days = -1,
				    .usual_usd = NAN };
}

/* Joins the quotes of n markets: the mean of prices, the range of all. It is unusual
 * when the markets that have a past ask more than 1.5 x what the same ones asked in the year
 * before. */
static void join_quotes(const struct price_view *v, const struct quote *q, size_t n,
			struct card_price *out)
{
	double sum = 0, now = 0, usual = 0;
	int past = 0;
	int today = v->edition->date.day;

	for (size_t i = 0; i < n; i++) {
		sum += q[i].price;
		now += isnan(q[i].usual) ? 0 : q[i].price;
		usual += isnan(q[i].usual) ? 0 : q[i].usual;
		past += !isnan(q[i].usual);
		out->usual_days =
		    q[i].usual_days > out->usual_days ? q[i].usual_days : out->usual_days;
		out->low = i ? fmin(out->low, q[i].low) : q[i].low;
		out->high = i ? fmax(out->high, q[i].high) : q[i].high;
		out->observations += q[i].observations;
		out->newest_date.day =
		    q[i].date.day > out->newest_date.day ? q[i].date.day : out->newest_date.day;
		out->flags |= q[i].flags;
		if (today - q[i].date.day > v->edition->stale_days)
			out->flags |= PRICE_FLAG_STALE;
	}
	out->price_usd = sum / (double)n;
	out->age_days = today - out->newest_date.day;
	out->usual_usd = past ? usual / past : NAN;
	if (now > UNUSUAL_FACTOR * usual)
		out->flags |= PRICE_FLAG_UNUSUAL;
}

/* The quotes of the edition's markets that are of one time: those more than stale_days older than
 * the newest are left out, so that a price of today is not averaged with one of the year before
 * last. */
static size_t quote_markets(const struct price_view *v, size_t device, struct quote *q)
{
	const struct edition *e = v->edition;
	int newest = INT_MIN;
	size_t n = 0, kept = 0;

	for (size_t i = 0; i < e->markets.n && n < MARKETS_MAX; i++)
		if (quote_market(v, device, e->markets.v[i], &q[n]))
			n++;
	for (size_t i = 0; i < n; i++)
		newest = q[i].date.day > newest ? q[i].date.day : newest;
	for (size_t i = 0; i < n; i++)
		if (newest - q[i].date.day <= e->stale_days)
			q[kept++] = q[i];
	return kept;
}

/* The first fallback market with a price at most max_age days old. */
static bool quote_fallback(const struct price_view *v, size_t device, int max_age, struct quote *q)
{
	const struct str_list *markets = &v->edition->fallback;
	struct quote found;

	for (size_t i = 0; i < markets->n; i++) {
		if (!quote_market(v, device, markets->v[i], &found)
		    || v->edition->date.day - found.date.day > max_age)
			continue;
		*q = found;
		return true;
	}
	return false;
}

static bool all_stale(const struct edition *e, const struct quote *q, size_t n)
{
	bool stale = true;

	for (size_t i = 0; i < n; i++)
		stale = stale && e->date.day - q[i].date.day > e->stale_days;
	return stale;
}

/* Fresh markets, then a fresh fallback, then stale markets, then a stale fallback. */
struct card_price card_price_of(const struct price_view *v, size_t device)
{
	struct card_price out = card_price_none(device, LENS_CARD);
	const struct edition *e = v->edition;
	struct strbuf names = { .arena = v->arena };
	struct quote q[MARKETS_MAX];
	size_t n = quote_markets(v, device, q);

	if (all_stale(e, q, n)
	    && quote_fallback(v, device, n ? e->stale_days : e->drop_days, &q[0])) {
		out.flags |= PRICE_FLAG_FALLBACK;
		n = 1;
	} else if (n == 1 && e->markets.n > 1) {
		out.flags |= PRICE_FLAG_SINGLE_SOURCE;
	}
	for (size_t i = 0; i < n; i++) {
		if (i)
			strbuf_addc(&names, ' ');
		strbuf_add(&names, q[i].market);
	}
	out.markets = strbuf_str(&names);
	if (n)
		join_quotes(v, q, n, &out);
	else
		out.flags |= PRICE_FLAG_MISSING;
	return out;
}
