/* A small world with hosts, tariffs and cards of every shape, for the tests of costs. The date of
 * the edition is 2019-05-31. */
#ifndef TESTS_LENS_FIXTURE_H
#define TESTS_LENS_FIXTURE_H

#include "catalogue_fixture.h"

#include "../analyze/cost.h"
#include "../analyze/price_lens.h"

#define PRICE_HEADER "date,device,market,condition,currency,price,quantity,stat,n,source\n"
#define HOST_HEADER "date,gpus,host_cost,currency,status,source\n"
#define TARIFF_HEADER "country,date,class,price_per_kwh,currency,source\n"

/* In the order of the file. */
enum { RTX_2060, RTX_2070, RTX_2080_TI, BLOWER, UNRATED, MODULE, SHAPELESS, K80, LENS_DEVICES };

#define LENS_CATALOGUE                                                                             \
	"device,vendor,architecture,release_date,tdp_w,form_factor,cooling\n"                      \
	"RTX 2060,NVIDIA,Turing,2019-01-07,160,dual-slot,open\n"                                   \
	"RTX 2070,NVIDIA,Turing,2018-10-17,175,dual-slot,open\n"                                   \
	"RTX 2080 Ti,NVIDIA,Turing,2018-09-20,250,dual-slot,open\n"                                \
	"Blower,NVIDIA,Turing,2018-09-20,260,dual-slot,blower\n"                                   \
	"Unrated,NVIDIA,Turing,2018-09-20,,triple-slot,liquid\n"                                   \
	"Module,NVIDIA,Volta,2017-06-21,300,SXM2,passive\n"                                        \
	"Shapeless,NVIDIA,Volta,2017-06-21,200,,\n"                                                \
	"Tesla K80,NVIDIA,Kepler,2014-11-17,300,dual-slot,passive\n"

struct world {
	struct fixture f;
	struct devices devices;
	struct edition edition;
	struct prices prices;
	struct hosts hosts;
	struct tariffs tariffs;
	struct tariff_choice tariff;
	size_t indices[LENS_DEVICES];
	struct cost_input in;
};

static inline struct str_list world_list(struct arena *a, const char *one, const char *two)
{
	struct str_list l = { arena_array(a, 2, sizeof(struct str)), two ? 2 : 1 };

	l.v[0] = str_of(one);
	if (two)
		l.v[1] = str_of(two);
	return l;
}

/* amazon and ebay, no fallback, new before used; one card a host, 1000 hours in 2 years of use. */
static inline struct edition world_edition(struct arena *a)
{
	struct edition e = { .currency = STR("USD"),
			     .stale_days = 60,
			     .drop_days = 720,
			     .gpus = 1,
			     .country = STR("Nowhere"),
			     .tariff = STR("household"),
			     .hours_per_year = 500,
			     .years = 2 };

	date_parse(STR("2019-05-31"), &e.date);
	e.markets = world_list(a, "amazon", "ebay");
	e.conditions = world_list(a, "new", "used");
	return e;
}

/* One euro is 1.25 dollars. */
static inline bool world_open(struct world *w)
{
	struct error err = { 0 };

	memset(w, 0, sizeof *w);
	if (!fixture_open(&w->f))
		return false;
	fixture_put(&w->f, "devices.csv", LENS_CATALOGUE);
	fixture_put(&w->f, "aliases.csv", "name,device,scope\n");
	fixture_put(&w->f, "system/fx_to_usd.csv",
		    "date,currency,usd_per_unit\n2019-01-01,EUR,1.25\n");
	w->edition = world_edition(&w->f.arena);
	for (size_t i = 0; i < LENS_DEVICES; i++)
		w->indices[i] = i;
	return devices_read(w->f.dir, &w->f.arena, &w->devices, &err);
}

/* Reads prices, hosts and tariffs, given without their headers; NULL is a file that is not there.
 */
static inline bool world_read(struct world *w, const char *prices, const char *hosts,
			      const char *tariffs, struct error *err)
{
	const char *names[] = { "prices/a.csv", "system/host_systems.csv",
				"system/electricity.csv" };
	const char *headers[] = { PRICE_HEADER, HOST_HEADER, TARIFF_HEADER };
	const char *rows[] = { prices, hosts, tariffs };
	struct messages refused = { .arena = &w->f.arena };
	struct arena *a = &w->f.arena;

	for (size_t i = 0; i < LEN(names); i++) {
		if (rows[i])
			fixture_put(&w->f, names[i],
				    str_c(a, str_printf(a, "%s%s", headers[i], rows[i])));
		else
			unlink(fixture_path(&w->f, names[i]));
	}
	w->in = (struct cost_input){ &w->edition, &w->devices, &w->prices,  &w->hosts,
				     &w->tariff,  w->indices,  LENS_DEVICES };
	return prices_read(w->f.dir, &w->devices, a, &w->prices, &refused, err) && refused.n == 0
	       && hosts_read(w->f.dir, a, &w->hosts, err)
	       && tariffs_read(w->f.dir, a, &w->tariffs, err)
	       && tariff_find(&w->tariffs, &w->edition, a, &w->tariff, err);
}

/* The text of a file that a test had written, or an empty one. */
static inline struct str world_text(struct world *w, const char *name)
{
	struct error err = { 0 };
	struct str text = STR("");

	if (!file_read(fixture_path(&w->f, name), 0, &w->f.arena, &text, &err))
		error_print(stdout, &err);
	return text;
}

#endif
