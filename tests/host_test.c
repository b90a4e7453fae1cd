/* Hosts and tariffs: what is read, what is refused, and which one an edition takes. */
#include "lens_fixture.h"

#include <math.h>

static const struct refused_case {
	const char *label, *hosts, *tariffs;
	enum error_code code;
	const char *file;
	int line;
	const char *msg;
} refused_cases[] = {
	{ "a status nobody knows", "2019-01-01,1,500,USD,guessed,s\n", NULL, ERR_UNKNOWN,
	  "host_systems.csv", 2,
	  "status: 'guessed' is not complete, partial, unreliable or includes GPUs" },
	{ "a host for no cards", "2019-01-01,0,500,USD,complete,s\n", NULL, ERR_RANGE,
	  "host_systems.csv", 2, "gpus: 0 is not above 0" },
	{ "a host for nothing", "2019-01-01,1,0,USD,complete,s\n", NULL, ERR_RANGE,
	  "host_systems.csv", 2, "host_cost: 0 is not above 0" },
	{ "a host in a currency without a rate", "2019-01-01,1,500,XYZ,complete,s\n", NULL,
	  ERR_UNKNOWN, "host_systems.csv", 2, "currency: 'XYZ' has no rate in fx_to_usd.csv" },
	{ "electricity for nothing", NULL, "Nowhere,2019-01-01,household,0,USD,s\n", ERR_RANGE,
	  "electricity.csv", 2, "price_per_kwh: 0 is not above 0" },
	{ "a host dearer than anything", "2019-01-01,1,1e308,USD,complete,s\n", NULL, ERR_RANGE,
	  "host_systems.csv", 2, "host_cost: 1e+308 USD are not from 1 to 10000000 USD" },
	{ "a host dearer in dollars", "2019-01-01,1,9000000,EUR,complete,s\n", NULL, ERR_RANGE,
	  "host_systems.csv", 2, "host_cost: 9e+06 EUR are not from 1 to 10000000 USD" },
	{ "a host twice",
	  "2019-01-01,1,500,USD,complete,s\n2019-01-01,1,500,USD,complete,t\n"
	  "2019-01-01,1,500.0,USD,complete,s\n",
	  NULL, ERR_DATA, "host_systems.csv", 4,
	  "the row stands in line 2 already: one of the two has to go" },
	{ "electricity dearer than anything", NULL, "Nowhere,2019-01-01,household,1e308,USD,s\n",
	  ERR_RANGE, "electricity.csv", 2,
	  "price_per_kwh: 1e+308 USD are not from 0.0001 to 100 USD" },
	{ "two tariffs of one day", NULL,
	  "Nowhere,2019-01-01,household,0.1,USD,s\nNowhere,2019-01-01,household,0.2,USD,s\n",
	  ERR_DATA, "electricity.csv", 3,
	  "the row stands in line 2 already: one of the two has to go" },
	{ "electricity in a currency without a rate", NULL,
	  "Nowhere,2019-01-01,household,0.1,USD,s\nNowhere,2019-01-01,business,0.1,XYZ,s\n",
	  ERR_UNKNOWN, "electricity.csv", 3, "currency: 'XYZ' has no rate in fx_to_usd.csv" },
};

static void test_refused(struct test *t, struct world *w)
{
	for (size_t i = 0; i < LEN(refused_cases); i++) {
		const struct refused_case *c = &refused_cases[i];
		struct error err = { 0 };

		test_ok(t, !world_read(w, "", c->hosts, c->tariffs, &err), c->label);
		test_error(t, &err, c->code, c->file, c->line, 0, c->msg, c->label);
	}
}

static void test_country(struct test *t, struct world *w)
{
	struct error err = { 0 };

	test_ok(t,
		!world_read(w, "", NULL, "Nowhere,2019-01-01,business,0.1,USD,s\n", &err)
		    && err.code == ERR_UNKNOWN,
		"a tariff that nobody lists");
	test_str(
	    t, str_of(err.msg),
	    STR("tariff: electricity.csv has no tariff 'household' of 'Nowhere'; its tariffs are "
		"business"),
	    "says what was looked for");
	err = (struct error){ 0 };
	test_ok(t,
		!world_read(w, "", NULL,
			    "Somewhere,2019-01-01,business,0.1,USD,s\n"
			    "Elsewhere,2019-01-01,business,0.1,USD,s\n"
			    "Somewhere,2019-01-01,household,0.1,USD,s\n",
			    &err),
		"a country that nobody lists");
	test_str(t, str_of(err.msg),
		 STR("country: electricity.csv has no tariff 'household' of 'Nowhere'; the "
		     "countries are Somewhere, Elsewhere"),
		 "says which there are");
	err = (struct error){ 0 };
	test_ok(t, world_read(w, "", NULL, NULL, &err) && w->hosts.n == 0 && !w->tariff.tariff,
		"a data folder without hosts and tariffs is read");
	test_ok(t,
		w->tariff.flags == PRICE_FLAG_NO_TARIFF
		    && isnan(electricity_usd_per_hour(&w->tariff, 100)),
		"and electricity then costs an unknown sum, not 0");
}

/* For 2019-05-31, which is day 0; stale beyond 60 days, old beyond 720. */
static const struct host_case {
	const char *label, *rows;
	int gpus;
	double host_usd; /* NAN: none */
	const char *flags;
} host_cases[] = {
	{ "the newest not after the date",
	  "2019-05-01,1,500,USD,complete,s\n2019-05-30,1,510,USD,complete,s\n"
	  "2019-06-01,1,100,USD,complete,s\n",
	  1, 510, "ok" },
	{ "60 days are fresh", "2019-04-01,1,500,USD,complete,s\n", 1, 500, "ok" },
	{ "61 days are stale", "2019-03-31,1,500,USD,complete,s\n", 1, 500, "host-stale" },
	{ "euros", "2019-05-01,1,400,EUR,complete,s\n", 1, 500, "ok" },
	{ "its own count before a newer larger one",
	  "2019-05-30,4,1700,USD,complete,s\n2018-05-30,2,900,USD,complete,s\n", 2, 900,
	  "host-stale" },
	{ "between two counts the larger",
	  "2019-05-30,2,900,USD,complete,s\n2019-05-30,4,1700,USD,complete,s\n"
	  "2019-05-30,8,9000,USD,complete,s\n",
	  3, 1700, "host-larger" },
	{ "none is large enough", "2019-05-30,2,900,USD,complete,s\n", 4, NAN, "no-host" },
	{ "a partial sum waits behind a complete one of its own count",
	  "2019-05-30,1,100,USD,partial,s\n2019-01-30,1,500,USD,complete,s\n", 1, 500,
	  "host-stale" },
	{ "and of a larger one",
	  "2019-05-30,1,100,USD,partial,s\n2019-05-30,2,900,USD,complete,s\n", 1, 900,
	  "host-larger" },
	{ "and even of one beyond the age limit",
	  "2019-05-30,1,100,USD,partial,s\n2017-06-09,1,450,USD,complete,s\n", 1, 450,
	  "host-stale host-old" },
	{ "720 days are not beyond it", "2017-06-10,1,450,USD,complete,s\n", 1, 450, "host-stale" },
	{ "of old ones the newest, then the smallest",
	  "2016-01-01,1,400,USD,complete,s\n2017-01-01,4,1700,USD,complete,s\n"
	  "2017-01-01,2,900,USD,complete,s\n",
	  1, 900, "host-stale host-old host-larger" },
	{ "alone it serves, marked", "2019-05-30,1,100,USD,partial,s\n", 1, 100, "host-partial" },
	{ "but not for ever", "2017-06-09,1,100,USD,partial,s\n", 1, NAN, "no-host" },
	{ "unreliable and with cards in it never serve",
	  "2019-05-30,1,100,USD,unreliable,s\n2019-05-30,1,9000,USD,includes GPUs,s\n", 1, NAN,
	  "no-host" },
	{ "no file", NULL, 1, NAN, "no-host" },
};

static void test_hosts(struct test *t, struct world *w)
{
	for (size_t i = 0; i < LEN(host_cases); i++) {
		const struct host_case *c = &host_cases[i];
		struct error err = { 0 };
		struct host_choice got;

		test_ok(t, world_read(w, "", c->rows, NULL, &err), c->label);
		got = host_find(&w->hosts, c->gpus, &w->edition);
		if (isnan(c->host_usd))
			test_ok(t, !got.host, "none");
		else
			test_near(t, got.host ? got.host->host_usd : NAN, c->host_usd, 1e-9,
				  "its cost");
		test_str(t, price_flags_text(&w->f.arena, got.flags), str_of(c->flags), "flags");
	}
}

static const struct tariff_case {
	const char *label, *rows;
	double usd_per_kwh;
	const char *flags;
} tariff_cases[] = {
	{ "newest not after the date, own country and kind",
	  "Nowhere,2019-06-01,household,0.9,USD,s\nNowhere,2018-01-01,household,0.2,USD,s\n"
	  "Nowhere,2017-01-01,household,0.8,USD,s\nNowhere,2019-01-01,business,0.7,USD,s\n"
	  "Elsewhere,2019-01-01,household,0.6,USD,s\n",
	  0.2, "ok" },
	{ "in euros", "Nowhere,2019-01-01,household,0.2,EUR,s\n", 0.25, "ok" },
	{ "720 days are not old", "Nowhere,2017-06-10,household,0.2,USD,s\n", 0.2, "ok" },
	{ "721 are", "Nowhere,2017-06-09,household,0.2,USD,s\n", 0.2, "tariff-old" },
	{ "none so old: the oldest",
	  "Nowhere,2023-07-01,household,0.4,USD,s\nNowhere,2020-07-01,household,0.3,USD,s\n", 0.3,
	  "tariff-later" },
};

static void test_tariffs(struct test *t, struct world *w)
{
	for (size_t i = 0; i < LEN(tariff_cases); i++) {
		const struct tariff_case *c = &tariff_cases[i];
		struct error err = { 0 };

		test_ok(t, world_read(w, "", NULL, c->rows, &err), c->label);
		test_near(t, w->tariff.tariff ? w->tariff.tariff->usd_per_kwh : NAN, c->usd_per_kwh,
			  1e-12, "its price");
		test_str(t, price_flags_text(&w->f.arena, w->tariff.flags), str_of(c->flags),
			 "flags");
		test_near(t, electricity_usd_per_hour(&w->tariff, 500), c->usd_per_kwh / 2, 1e-12,
			  "500 W for an hour are half a kilowatt-hour");
	}
}

static const struct {
	struct str part;
	double watts;
} psu_cases[] = {
	{ STR_INIT("Thermaltake PS-TPD-0750MPCGUS-1"), 750 },
	{ STR_INIT("Rosewill HERCULES-1600S"), 1600 },
	{ STR_INIT("EVGA SuperNOVA 1600 G+"), 1600 },
	{ STR_INIT("80 Plus 12 cm 650 W"), 650 },
	{ STR_INIT("Corsair AXi"), NAN },
	{ STR_INIT("Model 1234"), NAN },
	{ STR_INIT("99999999999999999999"), NAN },
	{ STR_INIT(""), NAN },
};

static void test_psu(struct test *t, struct world *w)
{
	struct error err = { 0 };

	for (size_t i = 0; i < LEN(psu_cases); i++) {
		double got = host_psu_w(psu_cases[i].part);

		test_ok(t, isnan(psu_cases[i].watts) ? isnan(got) : got == psu_cases[i].watts,
			"watts in the name of a power supply");
	}
	fixture_put(&w->f, "system/host_parts.csv",
		    "date,gpus,component,part,price,currency,source\n"
		    "2019-05-30,1,cpu,Ryzen 2600,145.89,USD,s\n"
		    "2019-05-30,1,psu,Watts 750,62.98,USD,s\n"
		    "2019-05-30,2,psu,Nameless,62.98,USD,s\n2018-05-30,4,psu,Watts 900,,USD,s\n");
	test_ok(t,
		world_read(w, "",
			   "2019-05-30,1,500,USD,complete,s\n2019-05-30,2,900,USD,complete,s\n"
			   "2019-05-30,4,1700,USD,complete,s\n",
			   NULL, &err),
		"hosts and their parts");
	test_ok(t,
		w->hosts.n == 3 && w->hosts.v[0].psu_w == 750 && isnan(w->hosts.v[1].psu_w)
		    && isnan(w->hosts.v[2].psu_w),
		"the supply of its own day and count, where its name states watts");
}

int main(void)
{
	struct test t = { 0 };
	struct world w;

	test_ok(&t, world_open(&w), "a small world");
	test_refused(&t, &w);
	test_country(&t, &w);
	test_hosts(&t, &w);
	test_tariffs(&t, &w);
	test_psu(&t, &w);
	fixture_close(&w.f);
	return test_done(&t);
}
