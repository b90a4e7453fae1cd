/* Price files of one's own, read, and an edition of 2019-05-31 to look at them with. */
#ifndef TESTS_PRICE_FIXTURE_H
#define TESTS_PRICE_FIXTURE_H

#include "catalogue_fixture.h"

#include "../analyze/quote.h"

#define PRICE_HEADER "date,device,market,condition,currency,price,quantity,stat,n,source\n"

static const struct str price_markets[] = { STR_INIT("amazon"), STR_INIT("ebay") };
static const struct str price_fallback[] = { STR_INIT("pcpartpicker"), STR_INIT("msrp") };
static const struct str price_conditions[] = { STR_INIT("new"), STR_INIT("used") };

static inline struct str_list price_list(struct arena *a, const struct str *words, size_t n)
{
	struct str_list l = { arena_array(a, n, sizeof *l.v), n };

	for (size_t i = 0; i < n; i++)
		l.v[i] = words[i];
	return l;
}

/* Every card with a price; stale after 60 days, not used after 720. */
static inline struct edition price_edition(struct arena *a)
{
	struct edition e = { .name = STR("test"),
			     .currency = STR("USD"),
			     .stale_days = 60,
			     .drop_days = 720,
			     .gpus = 1 };

	date_parse(STR("2019-05-31"), &e.date);
	e.markets = price_list(a, price_markets, LEN(price_markets));
	e.fallback = price_list(a, price_fallback, LEN(price_fallback));
	e.conditions = price_list(a, price_conditions, LEN(price_conditions));
	return e;
}

/* The rows, without their header, as the only price file. */
static inline bool price_rows(struct fixture *f, const struct devices *d, const char *rows,
			      struct prices *out, struct messages *refused)
{
	struct error err = { 0 };

	fixture_put(f, "prices/a.csv",
		    str_c(&f->arena, str_printf(&f->arena, PRICE_HEADER "%s", rows)));
	bool good = prices_read(f->dir, d, &f->arena, out, refused, &err);
	if (!good)
		error_print(stdout, &err);
	return good;
}

static inline struct date price_day(const char *iso)
{
	struct date d = { 0 };

	date_parse(str_of(iso), &d);
	return d;
}

#endif
