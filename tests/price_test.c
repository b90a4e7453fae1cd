/* The card and cloud lenses, on price files of their own. Dates around 2019-05-31, the date of the
 * edition. */
#include "catalogue_fixture.h"

#include "../analyze/price_lens.h"

#include <limits.h>
#include <math.h>

#define HEADER "date,device,market,condition,currency,price,quantity,stat,n,source\n"

static const struct str markets[] = { STR_INIT("amazon"), STR_INIT("ebay") };
static const struct str fallback[] = { STR_INIT("pcpartpicker"), STR_INIT("msrp") };
static const struct str conditions[] = { STR_INIT("new"), STR_INIT("used") };

/* Systems have tests of their own. */
static const struct hosts no_hosts;
static const struct tariff_choice no_tariff;

static struct edition edition_2019(struct arena *a)
{
	struct edition e = {
		.currency = STR("USD"), .stale_days = 60, .drop_days = 720, .gpus = 1
	};
	struct str_list *lists[] = { &e.markets, &e.fallback, &e.conditions };
	const struct str *words[] = { markets, fallback, conditions };

	date_parse(STR("2019-05-31"), &e.date);
	for (size_t i = 0; i < LEN(lists); i++) {
		lists[i]->n = 2;
		lists[i]->v = arena_array(a, 2, sizeof(struct str));
		lists[i]->v[0] = words[i][0];
		lists[i]->v[1] = words[i][1];
	}
	return e;
}

/* Rows of one card and what the lens makes of them. */
static const struct lens_case {
	const char *label, *rows;
	size_t device;
	enum lens lens;
	double price, low, high;
	const char *markets, *newest, *status;
	int observations, age_days;
} lens_cases[] = {
	{ "claim 17: two sources, one day: their mean",
	  "2019-05-28,RTX 2070,amazon,new,USD,500,unit,,,s\n2019-05-28,RTX "
	  "2070,ebay,new,USD,440,unit,,,s\n",
	  3, LENS_CARD, 470, 440, 500, "amazon ebay", "2019-05-28", "ok", 2, 3 },
	{ "claim 17: one source missing: not averaged with 0",
	  "2019-05-28,RTX 2070,amazon,new,USD,500,unit,,,s\n", 3, LENS_CARD, 500, 500, 500,
	  "amazon", "2019-05-28", "single-source", 1, 3 },
	{ "new goes before used in one market",
	  "2019-05-01,RTX 2070,ebay,new,USD,480,unit,,,s\n2019-05-28,RTX "
	  "2070,ebay,used,USD,300,unit,,,s\n",
	  3, LENS_CARD, 480, 480, 480, "ebay", "2019-05-01", "single-source", 1, 30 },
	{ "a used price is marked",
	  "2019-05-28,RTX 2070,amazon,new,USD,500,unit,,,s\n2019-05-29,RTX "
	  "2070,ebay,used,USD,300,unit,mean,40,s\n",
	  3, LENS_CARD, 400, 300, 500, "amazon ebay", "2019-05-29", "used", 41, 2 },
	{ "min of new listings, min .. median as the range",
	  "2019-05-28,RTX 2070,amazon,new,USD,470,unit,min,38,s\n2019-05-28,RTX "
	  "2070,amazon,new,USD,530,unit,median,38,s\n",
	  3, LENS_CARD, 470, 470, 530, "amazon", "2019-05-28", "single-source", 38, 3 },
	{ "median of used listings",
	  "2019-05-28,RTX 2070,ebay,used,USD,250,unit,min,9,s\n2019-05-28,RTX "
	  "2070,ebay,used,USD,310,unit,median,9,s\n",
	  3, LENS_CARD, 310, 250, 310, "ebay", "2019-05-28", "single-source used", 9, 3 },
	{ "several rows of a day: the lowest new one",
	  "2019-05-28,RTX 2070,amazon,new,USD,510,unit,,,s\n2019-05-28,RTX "
	  "2070,amazon,new,USD,490,unit,,,s\n"
	  "2019-05-28,RTX 2070,amazon,new,USD,520,unit,,,s\n",
	  3, LENS_CARD, 490, 490, 490, "amazon", "2019-05-28", "single-source", 3, 3 },
	{ "several rows of a day: the median used one",
	  "2019-05-28,RTX 2070,ebay,used,USD,300,unit,,,s\n2019-05-28,RTX "
	  "2070,ebay,used,USD,100,unit,,,s\n"
	  "2019-05-28,RTX 2070,ebay,used,USD,320,unit,,,s\n",
	  3, LENS_CARD, 300, 300, 300, "ebay", "2019-05-28", "single-source used", 3, 3 },
	{ "a lone median serves", "2019-05-28,RTX 2070,amazon,new,USD,530,unit,median,38,s\n", 3,
	  LENS_CARD, 530, 530, 530, "amazon", "2019-05-28", "single-source", 38, 3 },
	{ "the newest day wins, and a day after the date does not exist",
	  "2019-05-20,RTX 2070,amazon,new,USD,400,unit,,,s\n2019-05-31,RTX "
	  "2070,amazon,new,USD,490,unit,,,s\n"
	  "2019-06-01,RTX 2070,amazon,new,USD,100,unit,,,s\n",
	  3, LENS_CARD, 490, 490, 490, "amazon", "2019-05-31", "single-source", 1, 0 },
	{ "60 days old is fresh", "2019-04-01,RTX 2070,amazon,new,USD,490,unit,,,s\n", 3, LENS_CARD,
	  490, 490, 490, "amazon", "2019-04-01", "single-source", 1, 60 },
	{ "61 days old is stale", "2019-03-31,RTX 2070,amazon,new,USD,490,unit,,,s\n", 3, LENS_CARD,
	  490, 490, 490, "amazon", "2019-03-31", "stale single-source", 1, 61 },
	{ "stale when one of two is",
	  "2019-03-31,RTX 2070,amazon,new,USD,490,unit,,,s\n2019-05-30,RTX "
	  "2070,ebay,new,USD,510,unit,,,s\n",
	  3, LENS_CARD, 500, 490, 510, "amazon ebay", "2019-05-30", "stale", 2, 1 },
	{ "prices of different times are not averaged",
	  "2019-03-31,RTX 2070,amazon,new,USD,490,unit,,,s\n2019-05-31,RTX "
	  "2070,ebay,new,USD,510,unit,,,s\n",
	  3, LENS_CARD, 510, 510, 510, "ebay", "2019-05-31", "single-source", 1, 0 },
	{ "720 days old still serves", "2017-06-10,GTX 1080,amazon,new,USD,550,unit,,,s\n", 0,
	  LENS_CARD, 550, 550, 550, "amazon", "2017-06-10", "stale single-source", 1, 720 },
	{ "721 days old does not, nor does a launch price of 2016",
	  "2017-06-09,GTX 1080,amazon,new,USD,550,unit,,,s\n", 0, LENS_CARD, NAN, NAN, NAN, "",
	  NULL, "missing", 0, -1 },
	{ "a fallback market is marked",
	  "2019-05-28,RTX 2070,pcpartpicker,new,USD,460,unit,min,20,s\n2019-05-28,RTX "
	  "2070,pcpartpicker,new,USD,500,unit,median,20,s\n",
	  3, LENS_CARD, 460, 460, 500, "pcpartpicker", "2019-05-28", "fallback", 20, 3 },
	{ "a market of the edition goes before its fallbacks",
	  "2019-05-02,RTX 2070,ebay,used,USD,350,unit,,,s\n2019-05-28,RTX "
	  "2070,pcpartpicker,new,USD,460,unit,min,20,s\n",
	  3, LENS_CARD, 350, 350, 350, "ebay", "2019-05-02", "single-source used", 1, 29 },
	{ "but a fresh fallback before a stale market",
	  "2019-01-02,RTX 2070,ebay,used,USD,350,unit,,,s\n2019-05-28,RTX "
	  "2070,pcpartpicker,new,USD,460,unit,min,20,s\n",
	  3, LENS_CARD, 460, 460, 460, "pcpartpicker", "2019-05-28", "fallback", 20, 3 },
	{ "and a stale market before a stale fallback",
	  "2019-01-02,RTX 2070,ebay,used,USD,350,unit,,,s\n2019-02-28,RTX "
	  "2070,pcpartpicker,new,USD,460,unit,min,20,s\n",
	  3, LENS_CARD, 350, 350, 350, "ebay", "2019-01-02", "stale single-source used", 1, 149 },
	{ "last the launch price of the catalogue", "", 3, LENS_CARD, 499, 499, 499, "msrp",
	  "2018-10-17", "stale fallback", 1, 226 },
	{ "a launch price row goes before it", "2019-05-01,RTX 2070,msrp,new,USD,450,unit,,,s\n", 3,
	  LENS_CARD, 450, 450, 450, "msrp", "2019-05-01", "fallback", 1, 30 },
	{ "a market that the edition does not name",
	  "2019-05-28,Titan Xp,newegg,new,USD,900,unit,,,s\n", 9, LENS_CARD, NAN, NAN, NAN, "",
	  NULL, "missing", 0, -1 },
	{ "claim 19: above 1.5 x its own trailing median",
	  "2018-06-05,RTX 2070,amazon,new,USD,400,unit,,,s\n2018-12-05,RTX "
	  "2070,amazon,new,USD,420,unit,,,s\n"
	  "2019-02-05,RTX 2070,amazon,new,USD,410,unit,,,s\n2019-05-28,RTX "
	  "2070,amazon,new,USD,616,unit,,,s\n",
	  3, LENS_CARD, 616, 616, 616, "amazon", "2019-05-28", "single-source unusual", 1, 3 },
	{ "claim 19: 1.5 x is not above",
	  "2018-06-05,RTX 2070,amazon,new,USD,400,unit,,,s\n2018-12-05,RTX "
	  "2070,amazon,new,USD,420,unit,,,s\n"
	  "2019-02-05,RTX 2070,amazon,new,USD,410,unit,,,s\n2019-05-28,RTX "
	  "2070,amazon,new,USD,615,unit,,,s\n",
	  3, LENS_CARD, 615, 615, 615, "amazon", "2019-05-28", "single-source", 1, 3 },
	{ "claim 19: more than a year back does not count",
	  "2018-05-27,RTX 2070,amazon,new,USD,100,unit,,,s\n2019-05-28,RTX "
	  "2070,amazon,new,USD,615,unit,,,s\n",
	  3, LENS_CARD, 615, 615, 615, "amazon", "2019-05-28", "single-source", 1, 3 },
	{ "claim 19: two markets against the same two",
	  "2019-01-05,RTX 2070,amazon,new,USD,400,unit,,,s\n2019-01-05,RTX "
	  "2070,ebay,used,USD,200,unit,,,s\n"
	  "2019-05-28,RTX 2070,amazon,new,USD,500,unit,,,s\n2019-05-28,RTX "
	  "2070,ebay,used,USD,410,unit,,,s\n",
	  3, LENS_CARD, 455, 410, 500, "amazon ebay", "2019-05-28", "used unusual", 2, 3 },
	{ "2 listings are few",
	  "2019-05-28,RTX 2070,amazon,new,USD,490,unit,min,2,s\n2019-05-28,RTX "
	  "2070,ebay,new,USD,510,unit,min,3,s\n",
	  3, LENS_CARD, 500, 490, 510, "amazon ebay", "2019-05-28", "few-listings", 5, 3 },
	{ "dollars go before euros of the same day",
	  "2019-05-28,RTX 2070,amazon,new,EUR,300,unit,,,s\n2019-05-28,RTX "
	  "2070,amazon,new,USD,490,unit,,,s\n",
	  3, LENS_CARD, 490, 490, 490, "amazon", "2019-05-28", "single-source", 1, 3 },
	{ "euros alone are converted", "2019-05-28,RTX 2070,amazon,new,EUR,400,unit,,,s\n", 3,
	  LENS_CARD, 440, 440, 440, "amazon", "2019-05-28", "single-source", 1, 3 },
	{ "cloud: newest day of each provider, median over providers, spot left out",
	  "2019-05-28,TPUv2,cloud:gcp:a,on-demand,USD,4,hour,,,s\n2019-05-28,TPUv2,cloud:google-"
	  "cloud:b,on-demand,USD,5,hour,,,s\n"
	  "2019-05-01,TPUv2,cloud:gcp:a,on-demand,USD,99,hour,,,s\n2019-01-01,TPUv2,cloud:aws:x,on-"
	  "demand,USD,6,hour,,,s\n"
	  "2019-04-01,TPUv2,cloud:azure:x,on-demand,USD,9,hour,,,s\n2019-05-30,TPUv2,cloud:azure:x,"
	  "spot,USD,1,hour,,,s\n"
	  "2017-06-09,TPUv2,cloud:ovhcloud:x,on-demand,USD,1,hour,,,s\n",
	  11, LENS_CLOUD, 6.75, 4.5, 9, "azure gcp", "2019-05-28", "ok", 3, 3 },
	{ "cloud: rents of different times are not joined, nor is the cheapest an old one",
	  "2019-03-28,TPUv2,cloud:gcp:a,on-demand,USD,1,hour,,,s\n2019-03-29,TPUv2,cloud:aws:x,on-"
	  "demand,USD,6,hour,,,s\n"
	  "2019-05-28,TPUv2,cloud:azure:x,on-demand,USD,8,hour,,,s\n",
	  11, LENS_CLOUD, 7, 6, 8, "aws azure", "2019-05-28", "stale", 2, 3 },
	{ "cloud: all of them old, but of one time",
	  "2018-12-01,TPUv2,cloud:gcp:a,on-demand,USD,4,hour,,,s\n2018-12-31,TPUv2,cloud:aws:x,on-"
	  "demand,USD,6,hour,,,s\n",
	  11, LENS_CLOUD, 5, 4, 6, "aws gcp", "2018-12-31", "stale", 2, 151 },
	{ "cloud: one provider, long ago",
	  "2018-12-31,TPUv2,cloud:gcp:a,on-demand,USD,4.5,hour,,,s\n", 11, LENS_CLOUD, 4.5, 4.5,
	  4.5, "gcp", "2018-12-31", "stale single-source", 1, 151 },
};

static bool same(double got, double want)
{
	return isnan(want) ? isnan(got) : fabs(got - want) < 1e-9;
}

static void test_lens(struct test *t, struct fixture *f, const struct devices *d,
		      const struct edition *e, const struct lens_case *c)
{
	struct messages m = { .arena = &f->arena };
	struct error err = { 0 };
	struct prices p;
	struct card_prices cp;
	const struct card_price *got;

	fixture_put(f, "prices/a.csv",
		    str_c(&f->arena, str_printf(&f->arena, "%s%s", HEADER, c->rows)));
	test_ok(t, prices_read(f->dir, d, &f->arena, &p, &m, &err) && m.n == 0, c->label);
	price_lens_compute(&(struct cost_input){ e, d, &p, &no_hosts, &no_tariff, &c->device, 1 },
			   &f->arena, &cp);
	got = price_lens_find(&cp, c->device, c->lens);
	test_ok(t,
		got && same(got->price_usd, c->price) && same(got->low, c->low)
		    && same(got->high, c->high),
		"price and range");
	if (!got)
		return;
	if (!same(got->price_usd, c->price) || !same(got->low, c->low) || !same(got->high, c->high))
		printf("# got %g [%g, %g]\n", got->price_usd, got->low, got->high);
	test_str(t, got->markets, str_of(c->markets), "markets");
	test_str(t, price_flags_text(&f->arena, got->flags), str_of(c->status), "status");
	test_ok(t, got->observations == c->observations && got->age_days == c->age_days,
		"observations and age");
	if (c->newest)
		test_str(t, date_iso(&f->arena, got->newest_date), str_of(c->newest), "newest row");
	else
		test_ok(t, got->newest_date.day == INT_MIN, "no newest row");
}

/* RTX 3090 comes after the date; Mystery's date is not known. */
static void test_devices(struct test *t, struct fixture *f, const struct devices *d,
			 struct edition e)
{
	struct messages m = { .arena = &f->arena };
	struct error err = { 0 };
	struct str list[] = { STR_INIT("Titan RTX"), STR_INIT("RTX 3090"), STR_INIT("GTX 1080") };
	struct prices p;
	size_t *ix, n;

	fixture_put(
	    f, "prices/a.csv",
	    HEADER "2019-05-28,RTX "
		   "3090,amazon,new,USD,999,unit,,,s\n2019-05-28,Mystery,ebay,used,USD,9,unit,,,s\n"
		   "2019-05-28,GTX "
		   "1080,amazon,new,USD,480,unit,,,s\n2019-05-28,TPUv2,cloud:gcp:a,on-demand,USD,4."
		   "5,hour,,,s\n"
		   "2019-05-28,Titan Xp,newegg,new,USD,900,unit,,,s\n");
	e.fallback.n = 0;
	test_ok(t, prices_read(f->dir, d, &f->arena, &p, &m, &err), "prices for the device list");
	edition_devices(&e, d, &p, &f->arena, &ix, &n);
	test_str(t, device_names(d, ix, n, &f->arena), STR("GTX 1080, TPUv2, Mystery"),
		 "priced: card or cloud, as of the date");
	e.devices = (struct str_list){ list, LEN(list) };
	edition_devices(&e, d, &p, &f->arena, &ix, &n);
	test_str(t, device_names(d, ix, n, &f->arena), STR("GTX 1080, Titan RTX"),
		 "listed: in the catalogue's order, priced or not");
}

/* The past that a price is called unusual by: the median of 400, 420 and 410; none of one day
 * alone. */
static void test_usual(struct test *t, struct fixture *f, const struct devices *d,
		       const struct edition *e)
{
	struct str used = STR_INIT("used");
	struct str_list only_used = { &used, 1 };
	struct messages m = { .arena = &f->arena };
	struct error err = { 0 };
	struct card_price c;
	struct prices p;

	fixture_put(f, "prices/a.csv",
		    HEADER "2018-06-05,RTX 2070,amazon,new,USD,400,unit,,,s\n"
			   "2018-12-05,RTX 2070,amazon,new,USD,420,unit,,,s\n"
			   "2019-02-05,RTX 2070,amazon,new,USD,410,unit,,,s\n"
			   "2019-05-28,RTX 2070,amazon,new,USD,500,unit,,,s\n"
			   "2019-05-28,RTX 2080,amazon,new,USD,700,unit,,,s\n");
	test_ok(t, prices_read(f->dir, d, &f->arena, &p, &m, &err), "prices with a past");
	struct price_view v = { e, d, &p, &e->conditions, &f->arena };
	c = card_price_of(&v, 3);
	test_ok(t, c.usual_usd == 410 && c.usual_days == 3, "the usual price, of three days");
	c = card_price_of(&v, 4);
	test_ok(t, isnan(c.usual_usd) && c.usual_days == 0 && !(c.flags & PRICE_FLAG_UNUSUAL),
		"no past, nothing unusual");
	v.conditions = &only_used;
	test_ok(t, isnan(card_price_of(&v, 4).price_usd),
		"the launch price is a new one: it does not serve for used");
}

/* The cheapest of three providers, the first of two equal ones; a K80 would be rented by the chip.
 */
static void test_cheapest(struct test *t, struct fixture *f, const struct devices *d,
			  const struct edition *e)
{
	struct messages m = { .arena = &f->arena };
	struct error err = { 0 };
	struct card_price c;
	struct prices p;

	fixture_put(f, "prices/a.csv",
		    HEADER "2019-05-28,TPUv2,cloud:zeta:a,on-demand,USD,4,hour,,,s\n"
			   "2019-05-28,TPUv2,cloud:beta:a,on-demand,USD,4,hour,,,s\n"
			   "2019-05-28,TPUv2,cloud:alpha:a,on-demand,USD,5,hour,,,s\n");
	test_ok(t, prices_read(f->dir, d, &f->arena, &p, &m, &err), "three providers");
	struct price_view v = { e, d, &p, &e->conditions, &f->arena };
	test_ok(t, cloud_price_of(&v, 11, &c) && c.low == 4, "the lowest rent");
	test_str(t, c.cheapest, STR("beta"), "who asks it");
	test_ok(t,
		cloud_units(&(struct device){ .name = STR("Tesla K80") }) == 2
		    && cloud_units(&d->v[0]) == 1,
		"a K80 is two units of a cloud");
}

static void test_write(struct test *t, struct fixture *f, const struct devices *d,
		       const struct edition *e)
{
	struct messages m = { .arena = &f->arena };
	struct error err = { 0 };
	const size_t ix[] = { 3, 9, 11 };
	const char *path;
	struct card_prices cp;
	struct prices p;
	struct str text = STR("");

	fixture_put(f, "prices/a.csv",
		    HEADER "2019-05-28,RTX 2070,amazon,new,USD,471.5,unit,min,38,s\n2019-05-28,RTX "
			   "2070,ebay,used,USD,399.25,unit,,,s\n"
			   "2019-05-28,TPUv2,cloud:gcp:a,on-demand,USD,4.5,hour,,,s\n");
	test_ok(t, prices_read(f->dir, d, &f->arena, &p, &m, &err), "prices to be written");
	price_lens_compute(&(struct cost_input){ e, d, &p, &no_hosts, &no_tariff, ix, LEN(ix) },
			   &f->arena, &cp);
	fixture_put(f, "prices.csv", "");
	path = fixture_path(f, "prices.csv");
	test_ok(t,
		price_lens_write(&cp, d, path, &f->arena, &err)
		    && file_read(path, 0, &f->arena, &text, &err),
		"written");
	test_str(
	    t, text,
	    STR("device,lens,price_usd,low,high,markets,observations,newest_date,age_days,status\n"
		"RTX 2070,card,435.375,399.25,471.5,amazon ebay,39,2019-05-28,3,used\n"
		"Titan Xp,card,,,,,,,,missing\n"
		"TPUv2,card,,,,,,,,missing\n"
		"TPUv2,cloud,4.5,4.5,4.5,gcp,1,2019-05-28,3,single-source\n"),
	    "prices.csv");
	test_ok(t,
		!price_lens_write(&cp, d, fixture_path(f, "none/prices.csv"), &f->arena, &err)
		    && err.code == ERR_ENVIRONMENT,
		"a folder that is not there");
}

int main(void)
{
	struct test t = { 0 };
	struct error err = { 0 };
	struct devices d;
	struct edition e;
	struct fixture f;

	test_ok(&t, fixture_open(&f) && fixture_devices(&f, &d, &err),
		"the small catalogue is read");
	fixture_put(&f, "system/fx_to_usd.csv", "date,currency,usd_per_unit\n2019-05-01,EUR,1.1\n");
	e = edition_2019(&f.arena);
	for (size_t i = 0; i < LEN(lens_cases); i++)
		test_lens(&t, &f, &d, &e, &lens_cases[i]);
	test_devices(&t, &f, &d, e);
	test_usual(&t, &f, &d, &e);
	test_cheapest(&t, &f, &d, &e);
	test_write(&t, &f, &d, &e);
	fixture_close(&f);
	return test_done(&t);
}
