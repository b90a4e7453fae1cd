/* Whole machines, checked by hand. */
#include "lens_fixture.h"

#include "../analyze/system.h"
#include "../analyze/price_condition.h"
#include "../analyze/rent.h"

#include <math.h>

#define DAY "2019-05-30,"
#define NEW ",amazon,new,USD,"
#define ROW ",unit,,,s\n"
static const char prices[] = DAY
    "RTX 2060" NEW "300" ROW DAY "RTX 2070" NEW "400" ROW DAY "RTX 2080 Ti" NEW "1000" ROW DAY
    "Blower" NEW "2000" ROW DAY "Unrated" NEW "150" ROW DAY "Module" NEW "3000" ROW DAY
    "Shapeless" NEW "100" ROW DAY "Tesla K80" NEW "600" ROW DAY "RTX 2070,ebay,new,USD,500" ROW DAY
    "RTX 2070,ebay,used,USD,250" ROW DAY "RTX 2080 Ti,cloud:x:a,on-demand,USD,0.5,hour,,,s\n" DAY
    "RTX 2080 Ti,cloud:y:a,on-demand,USD,1.5,hour,,,s\n" DAY
    "RTX 2080 Ti,cloud:z:a,on-demand,USD,0.05,hour,,,s\n" DAY
    "RTX 2060,cloud:z:a,on-demand,USD,0.01,hour,,,s\n" DAY
    "Module,cloud:x:a,on-demand,USD,3,hour,,,s\n" DAY
    "Unrated,cloud:x:a,on-demand,USD,3,hour,,,s\n" DAY
    "Tesla K80,cloud:x:a,on-demand,USD,0.45,hour,,,s\n";
static const char hosts[] =
    DAY "1,500,USD,complete,s\n" DAY "2,800,USD,complete,s\n" DAY "4,1700,USD,complete,s\n";
static const char tariffs[] = "Nowhere,2019-01-01,household,0.2,USD,s\n";

static const struct {
	const char *label;
	size_t device;
	int gpus;
	bool warns;
} cooling_cases[] = {
	{ "claim 21: 2x RTX 2070 does not warn", RTX_2070, 2, false },
	{ "claim 21: 3x RTX 2070 does", RTX_2070, 3, true },
	{ "claim 21: 4x RTX 2070 does", RTX_2070, 4, true },
	{ "claim 21: 2x RTX 2080 Ti does: open and 250 W", RTX_2080_TI, 2, true },
	{ "one card has no neighbour", RTX_2080_TI, 1, false },
	{ "blowers never warn", BLOWER, 4, false },
	{ "nor does liquid", UNRATED, 4, false },
	{ "two of unknown cooling and 200 W do not", SHAPELESS, 2, false },
	{ "three of unknown cooling do", SHAPELESS, 3, true },
	{ "two passive ones of 300 W do", K80, 2, true },
};

static void test_cooling(struct test *t, const struct world *w)
{
	for (size_t i = 0; i < LEN(cooling_cases); i++)
		test_ok(
		    t,
		    cooling_warning(&w->devices.v[cooling_cases[i].device], cooling_cases[i].gpus)
			== cooling_cases[i].warns,
		    cooling_cases[i].label);
	test_ok(t,
		system_card_slots(&w->devices.v[RTX_2070]) == 2
		    && system_card_slots(&w->devices.v[UNRATED]) == 3
		    && system_card_slots(&w->devices.v[MODULE]) == 0
		    && system_card_slots(&w->devices.v[SHAPELESS]) == -1,
		"slots: two, three, none for SXM2, not known");
}

/* 2x RTX 2070: the mean of 400 and 500 each; electricity 2 x 175 W x 1000 h at 0.2: 70; power 2 x
 * 175 + 105 = 455 W, with 10 % 500.5, in steps of 50 550. */
static void test_sums(struct test *t, struct world *w, const struct card_prices *cards)
{
	struct system s =
	    system_of(&w->in, price_lens_find(cards, RTX_2070, LENS_CARD), RTX_2070, 2);

	test_near(t, s.cards_usd, 900, 1e-9, "two cards");
	test_near(t, s.host_usd, 800, 1e-9, "the host for two");
	test_near(t, s.power_usd, 70, 1e-9, "electricity");
	test_near(t, s.purchase_usd, 1700, 1e-9, "to buy");
	test_near(t, s.total_usd, 1770, 1e-9, "in all");
	test_near(t, s.per_gpu_usd, 885, 1e-9, "a card");
	test_near(t, s.power_w, 455, 1e-9, "power at full load");
	test_near(t, s.psu_w, 550, 1e-9, "power supply");
	test_ok(t, s.slots == 4 && s.status == SYSTEM_OK && s.warnings == 0, "fits");
	s = system_of(&w->in, price_lens_find(cards, UNRATED, LENS_CARD), UNRATED, 4);
	test_ok(t,
		s.status == SYSTEM_NO_TDP && s.purchase_usd == 2300 && isnan(s.power_usd)
		    && isnan(s.total_usd) && isnan(s.psu_w),
		"without a tdp there is a price to buy, and no total");
	test_ok(t, s.slots == 12 && s.warnings == SYSTEM_WARN_SLOTS,
		"four of three slots are too many");
	test_near(t, cost_round(449.99 + 581.14), 1031.13, 0, "sums are rounded");
	test_ok(t, isnan(cost_round(NAN)), "what is not known stays so");
}

/* Claim 20, by hand: one host of four RTX 2080 Ti 4 x 1000 + 1700 = 5700; two of four RTX 2060 2 x
 * (4 x 300 + 1700) = 5800. At 0.6 a card of the RTX 2080 Ti's speed: 4 / 5700 = 7.02e-4 against 8 x
 * 0.6 / 5800 = 8.28e-4; at 0.5, 6.90e-4. By the card alone the RTX 2060 wins both: 0.5 / 300 > 1 /
 * 1000. */
static void test_claim_20(struct test *t, struct world *w, const struct card_prices *cards)
{
	double one = system_cost(&w->in, cards, RTX_2080_TI, 1, 4),
	       two = system_cost(&w->in, cards, RTX_2060, 2, 4);

	test_near(t, one, 5700, 1e-9, "claim 20: four RTX 2080 Ti in one machine");
	test_near(t, two, 5800, 1e-9, "claim 20: eight RTX 2060 in two");
	test_ok(t, 4 / one < 8 * 0.6 / two && 4 / one > 8 * 0.5 / two,
		"claim 20: which is better hangs on the speed of the small card");
	test_ok(t, isnan(system_cost(&w->in, cards, MODULE, 1, 4)), "no machine for a module");
}

static void test_write(struct test *t, struct world *w, const struct card_prices *cards)
{
	struct systems s;
	struct error err = { 0 };

	w->in.nindices = UNRATED + 2; /* to MODULE */
	systems_compute(&w->in, cards, &w->f.arena, &s);
	w->in.nindices = LENS_DEVICES;
	fixture_put(&w->f, "systems.csv", "");
	test_ok(
	    t,
	    systems_write(&s, &w->devices, fixture_path(&w->f, "systems.csv"), &w->f.arena, &err),
	    "written");
	test_str(
	    t, world_text(w, "systems.csv"),
	    STR("device,gpus,cards_usd,host_usd,host_date,power_usd,total_usd,per_gpu_usd,power_w,"
		"slots,status,warnings,purchase_usd,psu_w,host_psu_w,flags\n"
		"RTX 2060,1,300,500,2019-05-30,32,832,832,225,2,ok,,800,250,,single-source\n"
		"RTX 2060,2,600,800,2019-05-30,64,1464,732,425,4,ok,,1400,500,,single-source\n"
		"RTX 2060,4,1200,1700,2019-05-30,128,3028,757,920,8,ok,cooling,2900,1050,,"
		"single-source\n"
		"RTX 2070,1,450,500,2019-05-30,35,985,985,240,2,ok,,950,300,,ok\n"
		"RTX 2070,2,900,800,2019-05-30,70,1770,885,455,4,ok,,1700,550,,ok\n"
		"RTX 2070,4,1800,1700,2019-05-30,140,3640,910,980,8,ok,cooling,3500,1100,,ok\n"
		"RTX 2080 Ti,1,1000,500,2019-05-30,50,1550,1550,315,2,ok,,1500,350,,"
		"single-source\n"
		"RTX 2080 Ti,2,2000,800,2019-05-30,100,2900,1450,605,4,ok,cooling,2800,700,,"
		"single-source\n"
		"RTX 2080 Ti,4,4000,1700,2019-05-30,200,5900,1475,1280,8,ok,cooling,5700,1450,,"
		"single-source\n"
		"Blower,1,2000,500,2019-05-30,52,2552,2552,325,2,ok,,2500,400,,single-source\n"
		"Blower,2,4000,800,2019-05-30,104,4904,2452,625,4,ok,,4800,700,,single-source\n"
		"Blower,4,8000,1700,2019-05-30,208,9908,2477,1320,8,ok,,9700,1500,,"
		"single-source\n"
		"Unrated,1,150,500,2019-05-30,,,,,3,no-tdp,,650,,,single-source\n"
		"Unrated,2,300,800,2019-05-30,,,,,6,no-tdp,,1100,,,single-source\n"
		"Unrated,4,600,1700,2019-05-30,,,,,12,no-tdp,slots,2300,,,single-source\n"
		"Module,1,3000,,,,,,,,not-for-host,,,,,single-source\n"
		"Module,2,6000,,,,,,,,not-for-host,,,,,single-source\n"
		"Module,4,12000,,,,,,,,not-for-host,,,,,single-source\n"),
	    "systems.csv");
	test_ok(t,
		!systems_write(&s, &w->devices, fixture_path(&w->f, "none/systems.csv"),
			       &w->f.arena, &err)
		    && err.code == ERR_ENVIRONMENT,
		"a folder that is not there");
}

/* A host whose supply is too small; one card draws 250 + 65 W, with 10 % 346.5, so 350; eight 2080.
 */
static void test_warnings(struct test *t, struct world *w, const struct card_prices *cards)
{
	const struct card_price *card = price_lens_find(cards, RTX_2080_TI, LENS_CARD);
	struct error err = { 0 };
	struct system s;

	fixture_put(&w->f, "system/host_parts.csv",
		    "date,gpus,component,part,price,currency,source\n"
		    "2019-05-30,1,psu,W 340,9,USD,s\n2019-05-30,2,psu,W 700,9,USD,s\n");
	test_ok(t, world_read(w, prices, hosts, tariffs, &err), "hosts with supplies");
	s = system_of(&w->in, card, RTX_2080_TI, 1);
	test_ok(t, s.warnings == SYSTEM_WARN_PSU, "340 W are less than 350");
	s = system_of(&w->in, card, RTX_2080_TI, 2);
	test_ok(t, s.warnings == SYSTEM_WARN_COOLING, "700 W are enough for 700");
	s = system_of(&w->in, price_lens_find(cards, K80, LENS_CARD), K80, 1);
	test_ok(t, s.warnings == (SYSTEM_WARN_PASSIVE | SYSTEM_WARN_PSU),
		"passive cards need a server's air");
	fixture_put(&w->f, "system/host_parts.csv",
		    "date,gpus,component,part,price,currency,source\n");
	test_ok(t, world_read(w, prices, DAY "8,9000,USD,complete,s\n", tariffs, &err),
		"a host for eight");
	s = system_of(&w->in, card, RTX_2080_TI, 8);
	test_ok(t,
		s.psu_w == 2550
		    && s.warnings
			   == (SYSTEM_WARN_COOLING | SYSTEM_WARN_SLOTS | SYSTEM_WARN_PSU_SIZE),
		"eight cards: 2280 W, no single supply gives 2550");
	test_ok(t, world_read(w, prices, hosts, tariffs, &err), "the world as before");
}

/* Own: 1000 + 500; 250 W at 0.2: 0.05 an hour. Median rent 0.5: 1500 / (h x 0.45). The cheapest,
 * 0.05, is what the electricity costs: never. */
static void test_rent(struct test *t, struct world *w, const struct card_prices *cards)
{
	struct breakevens b;
	struct error err = { 0 };

	w->edition.hours_per_month[0] = 100;
	w->edition.hours_per_month[1] = 730;
	w->edition.hours_per_month[2] = 0;
	w->edition.nhours = 3;
	test_near(t, breakeven_months(1500, 0.5, 0.05, 100), 100.0 / 3, 1e-6, "1500 / 45");
	test_ok(t,
		isnan(breakeven_months(1500, 0.5, 0.05, 0))
		    && isnan(breakeven_months(1500, 0.05, 0.05, 100))
		    && isnan(breakeven_months(1500, 0.01, 0.05, 100)),
		"never at 0 hours, nor where rent is not above electricity");
	breakeven_compute(&w->in, cards, &w->f.arena, &b);
	fixture_put(&w->f, "breakeven.csv", "");
	test_ok(t,
		breakeven_write(&b, &w->devices, fixture_path(&w->f, "breakeven.csv"), &w->f.arena,
				&err),
		"written");
	test_str(t, world_text(w, "breakeven.csv"),
		 STR("device,provider,hours_per_month,rent_usd_per_hour,own_usd,power_usd_per_hour,"
		     "months,status,flags\n"
		     "RTX 2060,median,0,0.01,800,0.032,,never,single-source\n"
		     "RTX 2060,median,100,0.01,800,0.032,,never,single-source\n"
		     "RTX 2060,median,730,0.01,800,0.032,,never,single-source\n"
		     "RTX 2060,z,0,0.01,800,0.032,,never,single-source\n"
		     "RTX 2060,z,100,0.01,800,0.032,,never,single-source\n"
		     "RTX 2060,z,730,0.01,800,0.032,,never,single-source\n"
		     "RTX 2080 Ti,median,0,0.5,1500,0.05,,never,single-source\n"
		     "RTX 2080 Ti,median,100,0.5,1500,0.05,33.333333,ok,single-source\n"
		     "RTX 2080 Ti,median,730,0.5,1500,0.05,4.56621,ok,single-source\n"
		     "RTX 2080 Ti,z,0,0.05,1500,0.05,,never,single-source\n"
		     "RTX 2080 Ti,z,100,0.05,1500,0.05,,never,single-source\n"
		     "RTX 2080 Ti,z,730,0.05,1500,0.05,,never,single-source\n"
		     "Unrated,median,0,3,650,,,no-tdp,single-source\n"
		     "Unrated,median,100,3,650,,,no-tdp,single-source\n"
		     "Unrated,median,730,3,650,,,no-tdp,single-source\n"
		     "Unrated,x,0,3,650,,,no-tdp,single-source\n"
		     "Unrated,x,100,3,650,,,no-tdp,single-source\n"
		     "Unrated,x,730,3,650,,,no-tdp,single-source\n"
		     "Module,median,0,3,,0.06,,not-for-host,single-source\n"
		     "Module,median,100,3,,0.06,,not-for-host,single-source\n"
		     "Module,median,730,3,,0.06,,not-for-host,single-source\n"
		     "Module,x,0,3,,0.06,,not-for-host,single-source\n"
		     "Module,x,100,3,,0.06,,not-for-host,single-source\n"
		     "Module,x,730,3,,0.06,,not-for-host,single-source\n"
		     "Tesla K80,median,0,0.9,1100,0.06,,never,single-source per-chip\n"
		     "Tesla K80,median,100,0.9,1100,0.06,13.095238,ok,single-source per-chip\n"
		     "Tesla K80,median,730,0.9,1100,0.06,1.793868,ok,single-source per-chip\n"
		     "Tesla K80,x,0,0.9,1100,0.06,,never,single-source per-chip\n"
		     "Tesla K80,x,100,0.9,1100,0.06,13.095238,ok,single-source per-chip\n"
		     "Tesla K80,x,730,0.9,1100,0.06,1.793868,ok,single-source per-chip\n"),
		 "breakeven.csv; a K80 is rented by the chip, bought as a board of two");
	test_ok(
	    t,
	    !breakeven_write(&b, &w->devices, fixture_path(&w->f, "none/b.csv"), &w->f.arena, &err)
		&& err.code == ERR_ENVIRONMENT,
	    "a folder that is not there");
}

/* Rents of February, at the end of May: stale. That of November is of another time, so it is
 * neither in the median (0.5 + 1.5) / 2 nor the cheapest. 1500 / (100 x 0.95) and 1500 / (100 x
 * 0.45). */
static void test_stale_rent(struct test *t, struct world *w)
{
	static const char rents[] = DAY
	    "RTX 2080 Ti" NEW "1000" ROW
	    "2019-02-01,RTX 2080 Ti,cloud:x:a,on-demand,USD,0.5,hour,,,s\n"
	    "2019-02-10,RTX 2080 Ti,cloud:y:a,on-demand,USD,1.5,hour,,,s\n"
	    "2018-11-01,RTX 2080 Ti,cloud:z:a,on-demand,USD,0.07,hour,,,s\n";
	struct card_prices cards;
	struct breakevens b;
	struct error err = { 0 };
	size_t ti = RTX_2080_TI;

	test_ok(t, world_read(w, rents, hosts, tariffs, &err), "old rents are read");
	w->in.indices = &ti;
	w->in.nindices = 1;
	price_lens_compute(&w->in, &w->f.arena, &cards);
	breakeven_compute(&w->in, &cards, &w->f.arena, &b);
	fixture_put(&w->f, "breakeven.csv", "");
	test_ok(t,
		breakeven_write(&b, &w->devices, fixture_path(&w->f, "breakeven.csv"), &w->f.arena,
				&err),
		"written");
	test_str(t, world_text(w, "breakeven.csv"),
		 STR("device,provider,hours_per_month,rent_usd_per_hour,own_usd,"
		     "power_usd_per_hour,months,status,flags\n"
		     "RTX 2080 Ti,median,0,1,1500,0.05,,never,stale single-source\n"
		     "RTX 2080 Ti,median,100,1,1500,0.05,15.789474,ok,stale single-source\n"
		     "RTX 2080 Ti,median,730,1,1500,0.05,2.162942,ok,stale single-source\n"
		     "RTX 2080 Ti,x,0,0.5,1500,0.05,,never,stale single-source\n"
		     "RTX 2080 Ti,x,100,0.5,1500,0.05,33.333333,ok,stale single-source\n"
		     "RTX 2080 Ti,x,730,0.5,1500,0.05,4.56621,ok,stale single-source\n"),
		 "breakeven.csv: old rents are marked, of another time left out");
}

static void test_conditions(struct test *t, struct world *w)
{
	struct price_conditions p;
	const struct card_price *used;
	struct error err = { 0 };

	w->in.nindices = RTX_2080_TI;
	price_conditions_compute(&w->in, &w->f.arena, &p);
	w->in.nindices = LENS_DEVICES;
	used = price_condition_find(&p, RTX_2070, PRICE_USED);
	test_ok(t, used && used->price_usd == 250, "what a used RTX 2070 brings");
	test_ok(t, !price_condition_find(&p, RTX_2060, PRICE_USED), "not known of the RTX 2060");
	fixture_put(&w->f, "price_conditions.csv", "");
	test_ok(t,
		price_conditions_write(&p, &w->devices, fixture_path(&w->f, "price_conditions.csv"),
				       &w->f.arena, &err),
		"written");
	test_str(t, world_text(w, "price_conditions.csv"),
		 STR("device,condition,price_usd,low,high,markets,newest_date,age_days,status\n"
		     "RTX 2060,new,300,300,300,amazon,2019-05-30,1,single-source\n"
		     "RTX 2070,new,450,400,500,amazon ebay,2019-05-30,1,ok\n"
		     "RTX 2070,used,250,250,250,ebay,2019-05-30,1,single-source used\n"),
		 "price_conditions.csv");
	test_ok(t,
		!price_conditions_write(&p, &w->devices, fixture_path(&w->f, "none/p.csv"),
					&w->f.arena, &err)
		    && err.code == ERR_ENVIRONMENT,
		"a folder that is not there");
}

int main(void)
{
	struct test t = { 0 };
	struct error err = { 0 };
	struct card_prices cards;
	struct world w;

	test_ok(&t, world_open(&w), "a small world");
	test_ok(&t, world_read(&w, prices, hosts, tariffs, &err), "its prices, hosts and tariff");
	price_lens_compute(&w.in, &w.f.arena, &cards);
	test_cooling(&t, &w);
	test_sums(&t, &w, &cards);
	test_claim_20(&t, &w, &cards);
	test_write(&t, &w, &cards);
	test_warnings(&t, &w, &cards);
	test_rent(&t, &w, &cards);
	test_conditions(&t, &w);
	test_stale_rent(&t, &w);
	fixture_close(&w.f);
	return test_done(&t);
}
