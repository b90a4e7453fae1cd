/* price_history.csv: every dated price of the edition's cards. */
#include "lens_fixture.h"

#include "../analyze/price_history.h"

#define OUT_HEADER "device,market,condition,date,price_usd\n"

static const struct {
	const char *name, *rows, *want;
} cases[] = {
	{ "days in order, markets and conditions apart",
	  "2019-05-28,RTX 2070,ebay,used,USD,300,unit,,,s\n"
	  "2019-05-20,RTX 2070,amazon,new,USD,510,unit,,,s\n"
	  "2019-05-28,RTX 2070,amazon,new,USD,500,unit,,,s\n",
	  "RTX 2070,amazon,new,2019-05-20,510\nRTX 2070,amazon,new,2019-05-28,500\n"
	  "RTX 2070,ebay,used,2019-05-28,300\n" },
	{ "of a day the lowest new and the median used one",
	  "2019-05-28,RTX 2070,amazon,new,USD,530,unit,,,s\n"
	  "2019-05-28,RTX 2070,amazon,new,USD,470,unit,,,s\n"
	  "2019-05-28,RTX 2070,ebay,used,USD,250,unit,,,s\n"
	  "2019-05-28,RTX 2070,ebay,used,USD,310,unit,,,s\n"
	  "2019-05-28,RTX 2070,ebay,used,USD,320,unit,,,s\n",
	  "RTX 2070,amazon,new,2019-05-28,470\nRTX 2070,ebay,used,2019-05-28,310\n" },
	{ "an old price stays, one after the edition does not exist",
	  "2014-01-01,RTX 2060,amazon,new,USD,900,unit,,,s\n"
	  "2019-05-31,RTX 2060,amazon,new,USD,350,unit,,,s\n"
	  "2019-06-01,RTX 2060,amazon,new,USD,1,unit,,,s\n",
	  "RTX 2060,amazon,new,2014-01-01,900\nRTX 2060,amazon,new,2019-05-31,350\n" },
	{ "no prices by the hour, no launch prices",
	  "2019-05-28,RTX 2070,cloud:x:y,on-demand,USD,2,hour,,,s\n"
	  "2018-10-17,RTX 2070,msrp,new,USD,499,unit,,,s\n",
	  "" },
	{ "another currency in dollars", "2019-05-28,RTX 2070,retail,new,EUR,400,unit,,,s\n",
	  "RTX 2070,retail,new,2019-05-28,500\n" },
	{ "no prices at all", "", "" },
};

int main(void)
{
	struct test t = { 0 };
	struct world w;

	test_ok(&t, world_open(&w), "a world");
	for (size_t i = 0; i < LEN(cases); i++) {
		const char *path = fixture_path(&w.f, "price_history.csv");
		struct error err = { 0 };
		struct arena *a = &w.f.arena;

		test_ok(&t, world_read(&w, cases[i].rows, "", "", &err), cases[i].name);
		const struct price_view v = { &w.edition, &w.devices, &w.prices,
					      &w.edition.conditions, a };
		test_ok(&t, price_history_write(&v, w.indices, LENS_DEVICES, path, &err),
			"written");
		test_str(&t, world_text(&w, "price_history.csv"),
			 str_printf(a, OUT_HEADER "%s", cases[i].want), "its rows");
	}

	const struct price_view v = { &w.edition, &w.devices, &w.prices, &w.edition.conditions,
				      &w.f.arena };
	struct error err = { 0 };

	test_ok(&t,
		!price_history_write(&v, w.indices, 0, "/no/such/folder/x.csv", &err)
		    && err.code == ERR_ENVIRONMENT,
		"a folder that is not there");
	fixture_close(&w.f);
	return test_done(&t);
}
