#include "price_lens.h"

#include "../base/csv_write.h"
#include "../base/file.h"
#include "../base/stat.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

#define UNUSUAL_FACTOR 1.5
enum { TRAILING_DAYS = 365, FEW_LISTINGS = 3, MARKETS_MAX = EDITION_LIST_MAX };

static const struct str lens_names[] = {
	[LENS_CARD] = STR_INIT("card"),
	[LENS_CLOUD] = STR_INIT("cloud"),
};

/* In the order in which they are written. */
static const struct {
	unsigned flag;
	struct str name;
} flag_names[] = {
	{ PRICE_FLAG_STALE, STR_INIT("stale") },
	{ PRICE_FLAG_SINGLE_SOURCE, STR_INIT("single-source") },
	{ PRICE_FLAG_FALLBACK, STR_INIT("fallback") },
	{ PRICE_FLAG_USED, STR_INIT("used") },
	{ PRICE_FLAG_UNUSUAL, STR_INIT("unusual") },
	{ PRICE_FLAG_FEW_LISTINGS, STR_INIT("few-listings") },
	{ PRICE_FLAG_MISSING, STR_INIT("missing") },
};

/* What the rows are looked at with. */
struct view {
	const struct edition *edition;
	const struct devices *devices;
	const struct prices *prices;
	struct arena *arena;
};

/* The rows of one device, market and condition. */
struct group {
	size_t device;
	struct str market;
	enum price_condition condition;
};

/* The price of a market on its newest day. */
struct quote {
	double price, low, high;
	double usual; /* median of the year before; NAN when there was none */
	struct date date;
	struct str market;
	int observations;
	unsigned flags; /* USED, FEW_LISTINGS */
};

struct str lens_name(enum lens l)
{
	return lens_names[l];
}

static int compare(const struct price *p, const struct group *g, int day)
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

/* First row of the group that is not before the day, or where it would stand. */
static size_t lower_bound(const struct prices *p, const struct group *g, int day)
{
	size_t lo = 0, hi = p->n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (compare(&p->v[mid], g, day) < 0)
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
static struct price *rows_of_day(const struct view *v, size_t from, size_t to, size_t *n)
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
static double usual_price(const struct view *v, const struct group *g, size_t first)
{
	size_t from = lower_bound(v->prices, g, v->prices->v[first].date.day - TRAILING_DAYS),
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

static bool quote_group(const struct view *v, const struct group *g, struct quote *q)
{
	int today = v->edition->date.day;
	size_t end = lower_bound(v->prices, g, today + 1), first, n;
	const struct price *newest = end ? &v->prices->v[end - 1] : NULL, *rows;
	bool stated;

	if (!newest || newest->device != g->device || !str_eq(newest->market, g->market)
	    || newest->condition != g->condition
	    || today - newest->date.day > v->edition->drop_days)
		return false;
	first = lower_bound(v->prices, g, newest->date.day);
	rows = rows_of_day(v, first, end, &n);
	*q = (struct quote){ .date = newest->date };
	q->price = q->low = q->high = price_of_rows(rows, n, g->condition, v->arena);
	for (size_t i = 0; i < n; i++) {
		if (has_stat(&rows[i], STR("min")))
			q->low = fmin(q->low, rows[i].price_usd);
		if (has_stat(&rows[i], STR("median")))
			q->high = fmax(q->high, rows[i].price_usd);
	}
	q->usual = usual_price(v, g, first);
	q->observations = count_listings(rows, n, &stated);
	q->flags = (g->condition == PRICE_USED ? PRICE_FLAG_USED : 0u)
		   | (stated && q->observations < FEW_LISTINGS ? PRICE_FLAG_FEW_LISTINGS : 0u);
	return true;
}

/* The launch price of devices.csv as a market of its own. */
static bool quote_launch(const struct view *v, size_t device, struct quote *q)
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

/* The first of the edition's conditions in which the market has a price. */
static bool quote_market(const struct view *v, size_t device, struct str market, struct quote *q)
{
	for (size_t i = 0; i < v->edition->conditions.n; i++) {
		struct group g = { device, market, PRICE_NEW };

		if (price_condition_parse(v->edition->conditions.v[i], &g.condition)
		    && quote_group(v, &g, q))
			return true;
	}
	return str_eq(market, STR("msrp")) && quote_launch(v, device, q);
}

/* Joins the quotes of n markets: the mean of prices, the range of all. It is unusual
 * when the markets that have a past ask more than 1.5 x what the same ones asked in the year
 * before. */
static void join_quotes(const struct view *v, const struct quote *q, size_t n,
			struct card_price *out)
{
	double sum = 0, now = 0, usual = 0;
	int today = v->edition->date.day;

	for (size_t i = 0; i < n; i++) {
		sum += q[i].price;
		now += isnan(q[i].usual) ? 0 : q[i].price;
		usual += isnan(q[i].usual) ? 0 : q[i].usual;
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
	if (now > UNUSUAL_FACTOR * usual)
		out->flags |= PRICE_FLAG_UNUSUAL;
}

static struct card_price price_missing(size_t device, enum lens lens)
{
	return (struct card_price){ .device = device,
				    .lens = lens,
				    .price_usd = NAN,
				    .low = NAN,
				    .high = NAN,
				    .newest_date.day = INT_MIN,
				    .age_days = -1 };
}

static void add_word(struct strbuf *b, struct str word)
{
	if (b->len)
		strbuf_addc(b, ' ');
	strbuf_add(b, word);
}

/* The quotes of the edition's markets that are of one time: those more than stale_days older than the
 * newest are left out, so that a price of today is not averaged with one of the year before last. */
static size_t quote_markets(const struct view *v, size_t device, struct quote *q)
{
	const struct edition *e = v->edition;
	int newest = INT_MIN;
	size_t n = 0, kept = 0;

	for (size_t i = 0; i < e->markets.n && n < MARKETS_MAX; i++)
		if (quote_market(v, device, e->markets.v[i], &q[n]))
			q[n++].market = e->markets.v[i];
	for (size_t i = 0; i < n; i++)
		newest = q[i].date.day > newest ? q[i].date.day : newest;
	for (size_t i = 0; i < n; i++)
		if (newest - q[i].date.day <= e->stale_days)
			q[kept++] = q[i];
	return kept;
}

/* The first fallback market with a price at most max_age days old. */
static bool quote_fallback(const struct view *v, size_t device, int max_age, struct quote *q)
{
	const struct str_list *markets = &v->edition->fallback;
	struct quote found;

	for (size_t i = 0; i < markets->n; i++) {
		if (!quote_market(v, device, markets->v[i], &found)
		    || v->edition->date.day - found.date.day > max_age)
			continue;
		*q = found;
		q->market = markets->v[i];
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
static struct card_price price_card(const struct view *v, size_t device)
{
	struct card_price out = price_missing(device, LENS_CARD);
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
	for (size_t i = 0; i < n; i++)
		add_word(&names, q[i].market);
	out.markets = strbuf_str(&names);
	if (n)
		join_quotes(v, q, n, &out);
	else
		out.flags |= PRICE_FLAG_MISSING;
	return out;
}

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

static struct cloud_row *cloud_rows(const struct view *v, size_t device, size_t *n)
{
	struct group g = { device, STR("cloud:"), PRICE_NEW };
	size_t first = lower_bound(v->prices, &g, INT_MIN), end = first;
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

static bool price_cloud(const struct view *v, size_t device, struct card_price *out)
{
	struct strbuf names = { .arena = v->arena };
	size_t n, providers = 0, count;
	struct cloud_row *rows = cloud_rows(v, device, &n);
	double *prices = arena_array(v->arena, n, sizeof *prices);

	*out = price_missing(device, LENS_CLOUD);
	for (size_t i = 0; i < n; i++) {
		if (i > 0 && str_eq(rows[i].provider, rows[i - 1].provider))
			continue; /* an older day, or more of the newest */
		count = same_day(&rows[i], n - i);
		prices[providers++] = middle(&rows[i], count);
		out->observations += (int)count;
		if (rows[i].day > out->newest_date.day)
			out->newest_date.day = rows[i].day;
		add_word(&names, rows[i].provider);
	}
	if (!providers)
		return false;
	stat_sort(prices, providers);
	out->price_usd = stat_quantile_sorted(prices, providers, 0.5);
	out->low = prices[0];
	out->high = prices[providers - 1];
	out->markets = strbuf_str(&names);
	out->age_days = v->edition->date.day - out->newest_date.day;
	out->flags = (out->age_days > v->edition->stale_days ? PRICE_FLAG_STALE : 0u)
		     | (providers == 1 ? PRICE_FLAG_SINGLE_SOURCE : 0u);
	return true;
}

static bool is_listed(const struct edition *e, struct str name)
{
	for (size_t i = 0; i < e->devices.n; i++)
		if (str_eq(e->devices.v[i], name))
			return true;
	return false;
}

void edition_devices(const struct edition *edition, const struct devices *devices,
		     const struct prices *prices, struct arena *a, size_t **indices, size_t *n)
{
	struct view v = { edition, devices, prices, a };
	struct card_price cloud;

	*indices = arena_array(a, devices->n, sizeof **indices);
	*n = 0;
	for (size_t i = 0; i < devices->n; i++) {
		if (devices->v[i].release_date.day > edition->date.day)
			continue; /* a date that is not known (INT_MIN) never is */
		if (edition->devices.n ? is_listed(edition, devices->v[i].name)
				       : !(price_card(&v, i).flags & PRICE_FLAG_MISSING)
					     || price_cloud(&v, i, &cloud))
			(*indices)[(*n)++] = i;
	}
}

void price_lens_compute(const struct edition *edition, const struct devices *devices,
			const struct prices *prices, const size_t *indices, size_t n,
			struct arena *a, struct card_prices *out)
{
	struct view v = { edition, devices, prices, a };

	*out = (struct card_prices){ .v = arena_array(a, n, LENS_COUNT * sizeof *out->v) };
	for (size_t i = 0; i < n; i++) {
		out->v[out->n++] = price_card(&v, indices[i]);
		if (price_cloud(&v, indices[i], &out->v[out->n]))
			out->n++;
	}
}

const struct card_price *price_lens_find(const struct card_prices *p, size_t device, enum lens lens)
{
	for (size_t i = 0; i < p->n; i++)
		if (p->v[i].device == device && p->v[i].lens == lens)
			return &p->v[i];
	return NULL;
}

struct str price_flags_text(struct arena *a, unsigned flags)
{
	struct strbuf b = { .arena = a };

	for (size_t i = 0; i < LEN(flag_names); i++)
		if (flags & flag_names[i].flag)
			add_word(&b, flag_names[i].name);
	return b.len ? strbuf_str(&b) : STR("ok");
}

bool price_lens_write(const struct card_prices *p, const struct devices *devices, const char *path,
		      struct arena *a, struct error *err)
{
	struct csv_out w = { .buf.arena = a };

	strbuf_add(&w.buf, STR("device,lens,price_usd,low,high,markets,observations,newest_date,"
			       "age_days,status\n"));
	for (size_t i = 0; i < p->n; i++) {
		const struct card_price *c = &p->v[i];
		bool missing = c->flags & PRICE_FLAG_MISSING;

		csv_put(&w, devices->v[c->device].name);
		csv_put(&w, lens_name(c->lens));
		csv_put_num(&w, c->price_usd);
		csv_put_num(&w, c->low);
		csv_put_num(&w, c->high);
		csv_put(&w, c->markets);
		if (missing)
			csv_put_missing(&w);
		else
			csv_put_int(&w, c->observations);
		csv_put_date(&w, c->newest_date);
		if (missing)
			csv_put_missing(&w);
		else
			csv_put_int(&w, c->age_days);
		csv_put(&w, price_flags_text(a, c->flags));
		csv_end_row(&w);
	}
	return file_write(path, strbuf_str(&w.buf), err);
}
