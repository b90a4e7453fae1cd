#include "catalogue_fixture.h"

#include "../catalogue/price.h"

#include <limits.h>
#include <math.h>

#define HEADER "date,device,market,condition,currency,price,quantity,stat,n,source\n"
#define OLD_HEADER "date,device,market,condition,currency,price,quantity,source\n"
#define FX                                                                                         \
	"date,currency,usd_per_unit,source\n"                                                      \
	"2018-01-31,EUR,1.2,ECB\n2019-05-01,EUR,1.1,ECB\n2019-07-01,EUR,1.5,ECB\n2019-05-01,GBP,"  \
	"1.25,ECB\n"

static const struct refused_case {
	const char *label, *row;
	int col;
	const char *msg;
} refused_cases[] = {
	{ "zero", "2019-05-28,RTX 2070,amazon,new,USD,0.00,unit,,,s\n", 36,
	  "price: '0.00' is not above 0 and at most 10000000; leave the row out when unknown" },
	{ "unit in cell", "2019-05-28,RTX 2070,amazon,new,USD,499 USD,unit,,,s\n", 36,
	  "price: '499 USD' is not a number" },
	{ "thousands", "2019-05-28,RTX 2070,amazon,new,USD,\"1,234.5\",unit,,,s\n", 36,
	  "price: '1,234.5' is not a number" },
	{ "nan", "2019-05-28,RTX 2070,amazon,new,USD,nan,unit,,,s\n", 36,
	  "price: 'nan' is not a number" },
	{ "missing", "2019-05-28,RTX 2070,amazon,new,USD,,unit,,,s\n", 36,
	  "price: '' is not a number" },
	{ "too much", "2019-05-28,RTX 2070,amazon,new,USD,1e8,unit,,,s\n", 36,
	  "price: '1e8' is not above 0 and at most 10000000; leave the row out when unknown" },
	{ "date", "2019-5-28,RTX 2070,amazon,new,USD,499,unit,,,s\n", 1,
	  "date: '2019-5-28' is not a day as YYYY-MM-DD" },
	{ "no such day", "2019-02-29,RTX 2070,amazon,new,USD,499,unit,,,s\n", 1,
	  "date: '2019-02-29' is not a day as YYYY-MM-DD" },
	{ "unknown device", "2019-05-28,RTX 2090,amazon,new,USD,499,unit,,,s\n", 12,
	  "device: 'RTX 2090' is not in the catalogue; nearest: RTX 2060, RTX 2070, RTX 2080" },
	{ "ambiguous device", "2019-05-28,Tesla V100,amazon,new,USD,499,unit,,,s\n", 12,
	  "device: 'Tesla V100' could be any of Tesla V100 PCIe 16GB, Tesla V100 SXM2 16GB" },
	{ "a market that turns the text",
	  "2019-05-28,RTX 2070,a\xE2\x80\xAEz,new,USD,499,unit,,,s\n", 21,
	  "market: 'a<U+202E>z' holds a character that is not seen as it is" },
	{ "a device with a joiner", "2019-05-28,RTX\xE2\x80\x8D 2070,a,new,USD,499,unit,,,s\n", 12,
	  "device: 'RTX<U+200D> 2070' holds a character that is not seen as it is" },
	{ "a source in two lines", "2019-05-28,RTX 2070,a,new,USD,499,unit,,,\"s\nt\"\n", 42,
	  "source: 's<U+000A>t' holds a character that is not seen as it is" },
	{ "no market", "2019-05-28,RTX 2070,,new,USD,499,unit,,,s\n", 21, "market: '' is empty" },
	{ "condition", "2019-05-28,RTX 2070,amazon,refurbished,USD,499,unit,,,s\n", 28,
	  "condition: 'refurbished' is not new, used, on-demand or spot" },
	{ "a card by the hour", "2019-05-28,RTX 2070,amazon,new,USD,499,hour,,,s\n", 40,
	  "quantity: 'hour' is not unit, as new and used prices are" },
	{ "a cloud by the unit", "2019-05-28,RTX 2070,cloud:x:y,spot,USD,4,unit,,,s\n", 42,
	  "quantity: 'unit' is not hour, as on-demand and spot prices are" },
	{ "stat", "2019-05-28,RTX 2070,amazon,new,USD,499,unit,max,,s\n", 45,
	  "stat: 'max' is not min, median or mean" },
	{ "n of none", "2019-05-28,RTX 2070,amazon,new,USD,499,unit,min,0,s\n", 49,
	  "n: '0' is not a whole number above 0" },
	{ "n is a price", "2019-05-28,RTX 2070,amazon,new,USD,499,unit,min,$175,s\n", 49,
	  "n: '$175' is not a whole number above 0" },
	{ "next to nothing", "2019-05-28,RTX 2070,amazon,new,USD,1e-320,unit,,,s\n", 36,
	  "price: '1e-320' is not from 0.0001 to 10000000 USD" },
	{ "short row", "2019-05-28,RTX 2070,amazon,new,USD,499,unit,min\n", 1,
	  "8 cells, but the header has 10" },
};

static void put(struct fixture *f, const char *name, const char *header, const char *rows)
{
	fixture_put(f, name, str_c(&f->arena, str_printf(&f->arena, "%s%s", header, rows)));
}

static void test_refused(struct test *t, struct fixture *f, const struct devices *d)
{
	for (size_t i = 0; i < LEN(refused_cases); i++) {
		const struct refused_case *c = &refused_cases[i];
		struct messages m = { .arena = &f->arena };
		struct error err = { 0 };
		struct prices p;

		put(f, "prices/a.csv", HEADER "2019-05-27,RTX 2070,amazon,new,USD,498,unit,,,s\n",
		    c->row);
		test_ok(t, prices_read(f->dir, d, &f->arena, &p, &m, &err) && p.n == 1 && m.n == 1,
			c->label);
		if (m.n == 0)
			continue;
		test_str(t, m.v[0].text, str_of(c->msg), c->label);
		test_ok(t,
			m.v[0].pos.line == 3 && m.v[0].pos.col == c->col
			    && str_ends(str_of(m.v[0].pos.file), STR("prices/a.csv")),
			"its place");
	}
}

static const struct error_case {
	const char *label, *fx, *header, *row, *file;
	enum error_code code;
	int line, col;
	const char *msg;
} error_cases[] = {
	{ "unknown currency", FX, HEADER, "2019-05-28,RTX 2070,amazon,new,CHF,499,unit,,,s\n",
	  "prices/a.csv", ERR_UNKNOWN, 2, 32, "currency: 'CHF' has no rate in fx_to_usd.csv" },
	{ "no currency", FX, HEADER, "2019-05-28,RTX 2070,amazon,new,,499,unit,,,s\n",
	  "prices/a.csv", ERR_UNKNOWN, 2, 32, "currency: '' has no rate in fx_to_usd.csv" },
	{ "a column is missing", FX, "date,device,market,condition,currency,quantity,source\n",
	  "2019-05-28,RTX 2070,amazon,new,USD,unit,s\n", "prices/a.csv", ERR_SYNTAX, 1, 0,
	  "the header has no column 'price'" },
	{ "a rate of 0", "date,currency,usd_per_unit\n2019-05-01,EUR,0\n", HEADER, "",
	  "fx_to_usd.csv", ERR_RANGE, 2, 0, "usd_per_unit: 0 is not above 0" },
	{ "a rate of 1e308", "date,currency,usd_per_unit\n2019-05-01,EUR,1e308\n", HEADER, "",
	  "fx_to_usd.csv", ERR_RANGE, 2, 0, "usd_per_unit: 1e+308 is not from 1e-09 to 1e+06" },
	{ "a rate of the dollar", "date,currency,usd_per_unit\n2019-05-01,USD,1.1\n", HEADER, "",
	  "fx_to_usd.csv", ERR_DATA, 2, 0, "currency: a dollar is a dollar; the row has to go" },
	{ "two rates of one day",
	  "date,currency,usd_per_unit\n2019-05-01,EUR,1.1\n2019-05-02,EUR,1.2\n"
	  "2019-05-01,EUR,1.1\n2019-05-01,EUR,1.2\n",
	  HEADER, "", "fx_to_usd.csv", ERR_DATA, 5, 0,
	  "usd_per_unit: 1.2, but line 2 of the same day says 1.1" },
};

static void test_errors(struct test *t, struct fixture *f, const struct devices *d)
{
	for (size_t i = 0; i < LEN(error_cases); i++) {
		const struct error_case *c = &error_cases[i];
		struct messages m = { .arena = &f->arena };
		struct error err = { 0 };
		struct prices p;

		fixture_put(f, "system/fx_to_usd.csv", c->fx);
		put(f, "prices/a.csv", c->header, c->row);
		test_ok(t, !prices_read(f->dir, d, &f->arena, &p, &m, &err), c->label);
		test_error(t, &err, c->code, c->file, c->line, c->col, c->msg, c->label);
	}
	fixture_put(f, "system/fx_to_usd.csv", FX);
}

/* Two files, out of order: b.csv repeats a row of a.csv and has the stat in the source text. */
static void test_rows(struct test *t, struct fixture *f, const struct devices *d)
{
	struct messages m = { .arena = &f->arena };
	struct error err = { 0 };
	struct prices p;

	put(f, "prices/b.csv", OLD_HEADER,
	    "2019-06-06,RTX 2070,pcpartpicker,new,EUR,400,unit,x region=de n=11 stat=min\n"
	    "2019-05-30,GTX 1080,amazon,new,USD,500,unit,y\n"
	    "2019-05-30,GTX 1080,ebay,used,USD,175,unit,n=$175 stat=mean\n"
	    "2017-01-01,GTX 2080 Ti,cloud:amazon-aws:p9,on-demand,EUR,2,hour,z\n");
	put(f, "prices/a.csv", HEADER,
	    "2019-06-06,RTX 2070,amazon,new,USD,500,unit,,,z\n"
	    "2019-05-28,RTX 2070,amazon,new,USD,499,unit,,,z\n"
	    "2019-05-28,RTX 2070,amazon,used,GBP,200,unit,median,7,z\n"
	    "2019-05-30,GTX 1080,amazon,new,USD,500,unit,,,y\n");
	symlink("a.csv", str_c(&f->arena, str_printf(&f->arena, "%s/prices/link.csv", f->dir)));
	test_ok(t, prices_read(f->dir, d, &f->arena, &p, &m, &err), "two files are read");
	test_ok(t, p.n == 7 && m.n == 0, "the repeated row counts once");
	test_ok(t, p.skipped.n == 1 && strstr(p.skipped.v[0].pos.file, "prices/link.csv")
	               && str_eq(p.skipped.v[0].text, STR("passed over: a symbolic link")),
		"a link is no file of prices, and no refused row");
	if (p.n != 7)
		return;
	test_str(t, date_iso(&f->arena, p.newest), STR("2019-06-06"), "newest row");
	test_ok(t, p.v[0].device == 0 && str_eq(p.v[0].market, STR("amazon")),
		"by device, then market");
	test_ok(t, p.v[1].n == -1 && str_eq(p.v[1].stat, STR("mean")),
		"an n in the source that is no number is not stated");
	test_ok(t, p.v[2].price_usd == 499 && p.v[3].price_usd == 500,
		"then by condition and date");
	test_ok(t, p.v[4].condition == PRICE_USED && p.v[4].n == 7 && p.v[4].price_usd == 250,
		"pounds by 1.25");
	test_near(t, p.v[5].price_usd, 440, 1e-9,
		  "euros by the rate before, though a later one is nearer");
	test_ok(t, p.v[5].n == 11 && str_eq(p.v[5].stat, STR("min")),
		"stat and n out of the source");
	test_str(t, date_iso(&f->arena, p.v[5].fx_date), STR("2019-05-01"), "the rate's day");
	test_near(t, p.v[6].price_usd, 2.4, 1e-9, "no rate so old: the oldest");
	test_ok(t, p.v[6].per_hour && p.v[6].device == 5, "by the hour; an alias is understood");
	test_ok(t, p.v[0].fx_date.day == INT_MIN, "dollars need no rate");
	test_str(t, price_provider(p.v[6].market), STR("aws"), "one name for a provider");
}

static void test_words(struct test *t)
{
	enum price_condition c;

	test_str(t, price_provider(STR("cloud:runpod:A100 (80 GB)")), STR("runpod"), "a provider");
	test_str(t, price_provider(STR("amazon")), STR(""), "a shop is no provider");
	test_str(t, price_provider(STR("cloud")), STR(""), "no provider named");
	for (int i = PRICE_NEW; i <= PRICE_SPOT; i++)
		test_ok(t,
			price_condition_parse(price_condition_name((enum price_condition)i), &c)
			    && (int)c == i,
			"condition there and back");
}

int main(void)
{
	struct test t = { 0 };
	struct error err = { 0 };
	struct devices d;
	struct fixture f;

	test_ok(&t, fixture_open(&f) && fixture_devices(&f, &d, &err),
		"the small catalogue is read");
	fixture_put(&f, "system/fx_to_usd.csv", FX);
	test_words(&t);
	test_refused(&t, &f, &d);
	test_errors(&t, &f, &d);
	test_rows(&t, &f, &d);
	fixture_close(&f);
	return test_done(&t);
}
