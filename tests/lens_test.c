/* The four costs together: rankings that disagree, markets that are missing or stale, and what may
 * change without changing any ranking. */
#include "lens_fixture.h"

#include "../analyze/lens_moves.h"
#include "../analyze/value.h"
#include "../base/stat.h"

#include <math.h>

#define DAY "2019-05-30,"
#define ROW ",unit,,,s\n"
#define HOSTS DAY "1,500,USD,complete,s\n" DAY "2,800,USD,complete,s\n"
#define TARIFFS "Nowhere,2019-01-01,household,0.2,USD,s\n"

static struct scores scores_of(struct arena *a, const double *score, size_t n)
{
	struct scores s = { arena_array(a, n, sizeof(struct score)), n };

	for (size_t i = 0; i < n; i++)
		s.v[i] = (struct score){ .device = i,
					 .class = CLASS_CNN,
					 .origin = ORIGIN_MEASURED,
					 .score = score[i],
					 .low = score[i],
					 .high = score[i],
					 .peer_low = score[i],
					 .peer_high = score[i] };
	return s;
}

static const struct value *find(const struct values *v, size_t device, enum lens lens)
{
	for (size_t i = 0; i < v->n; i++)
		if (v->v[i].device == device && v->v[i].lens == lens)
			return &v->v[i];
	return NULL;
}

static bool compute(struct world *w, const char *prices, const char *hosts, const char *tariffs,
		    const struct scores *scores, struct values *out)
{
	struct error err = { 0 };
	struct card_prices cards;

	if (!world_read(w, prices, hosts, tariffs, &err)) {
		error_print(stdout, &err);
		return false;
	}
	price_lens_compute(&w->in, &w->f.arena, &cards);
	values_compute_all(scores, &cards, &w->f.arena, out);
	return true;
}

/* The guide's third bias. Card: RTX 2060 0.5 / 300 = 1 / 600, RTX 2080 Ti 1 / 1000: the small one
 * first, the large one 0.6 of it. With a host of 500: 0.5 / 800 = 1 / 1600 and 1 / 1500: the large
 * one first, the small one 15 / 16. With electricity (1000 h at 0.2): 0.5 / 832 and 1 / 1550. */
static void test_opposite(struct test *t, struct world *w)
{
	const double score[] = { 0.5, 0.4, 1 };
	struct scores s = scores_of(&w->f.arena, score, LEN(score));
	struct lens_moves m;
	struct error err = { 0 };
	struct values v;

	test_ok(t,
		compute(w,
			DAY "RTX 2060,amazon,new,USD,300" ROW DAY
			    "RTX 2080 Ti,amazon,new,USD,1000" ROW,
			HOSTS, TARIFFS, &s, &v),
		"two cards");
	test_ok(t, v.n == LENS_COUNT * LEN(score), "a value for every lens and score");
	test_near(t, find(&v, RTX_2080_TI, LENS_CARD)->value, 0.6, 1e-12,
		  "by the card the small one is the better buy");
	test_near(t, find(&v, RTX_2060, LENS_SYSTEM)->value, 15.0 / 16, 1e-12,
		  "with the machine around it the large one");
	test_near(t, find(&v, RTX_2060, LENS_SYSTEM_POWER)->value, 0.5 / 832 * 1550, 1e-12,
		  "and with the electricity");
	test_ok(t,
		find(&v, RTX_2060, LENS_CARD)->rank == 1
		    && find(&v, RTX_2060, LENS_SYSTEM)->rank == 2
		    && find(&v, RTX_2060, LENS_SYSTEM)->cost_usd == 800,
		"its rank falls");
	test_ok(t,
		find(&v, RTX_2070, LENS_SYSTEM)->status == VALUE_NO_PRICE
		    && isnan(find(&v, RTX_2070, LENS_SYSTEM)->cost_usd)
		    && find(&v, RTX_2060, LENS_CLOUD)->status == VALUE_NO_PRICE,
		"a card without a price has no system for nothing");
	lens_moves_compute(&v, &w->f.arena, &m);
	fixture_put(&w->f, "lens_moves.csv", "");
	test_ok(t,
		lens_moves_write(&m, &w->devices, fixture_path(&w->f, "lens_moves.csv"),
				 &w->f.arena, &err),
		"written");
	test_str(t, world_text(w, "lens_moves.csv"),
		 STR("class,lens_a,lens_b,n,kendall_tau,device_up,rank_up_a,rank_up_b,device_down,"
		     "rank_down_a,rank_down_b,apart\n"
		     "cnn,card,system,2,-1,RTX 2080 Ti,2,1,RTX 2060,1,2,yes\n"
		     "cnn,system,system+power,2,1,,,,,,,\n"
		     "cnn,card,cloud,0,,,,,,,,\n"),
		 "lens_moves.csv");
	test_ok(
	    t,
	    !lens_moves_write(&m, &w->devices, fixture_path(&w->f, "none/m.csv"), &w->f.arena, &err)
		&& err.code == ERR_ENVIRONMENT,
	    "a folder that is not there");
}

/* Two cards a machine: (2 x 300 + 800) / 2; low and high move with the card's alone. */
static void test_two_cards(struct test *t, struct world *w)
{
	const struct card_price *p;
	struct card_prices cards;
	struct error err = { 0 };

	w->edition.gpus = 2;
	test_ok(t,
		world_read(w,
			   DAY "RTX 2060,amazon,new,USD,300,unit,min,5,s\n" DAY
			       "RTX 2060,amazon,new,USD,400,unit,median,5,s\n",
			   HOSTS, TARIFFS, &err),
		"a range of prices");
	price_lens_compute(&w->in, &w->f.arena, &cards);
	p = price_lens_find(&cards, RTX_2060, LENS_SYSTEM);
	test_ok(t, p && p->price_usd == 700 && p->low == 700 && p->high == 800, "half a machine");
	p = price_lens_find(&cards, RTX_2060, LENS_SYSTEM_POWER);
	test_ok(t, p && p->price_usd == 732 && p->low == 732 && p->high == 832,
		"and its electricity");
	w->edition.gpus = 1;
}

static const struct reason_case {
	const char *label, *row, *hosts, *tariffs;
	size_t device;
	enum lens lens;
	enum value_status status;
	const char *flags;
} reason_cases[] = {
	{ "a module fits no host", DAY "Module,amazon,new,USD,3000" ROW, HOSTS, TARIFFS, MODULE,
	  LENS_SYSTEM, VALUE_NOT_FOR_HOST, "missing not-for-host" },
	{ "nor does one that nobody sells", "", HOSTS, TARIFFS, MODULE, LENS_SYSTEM_POWER,
	  VALUE_NOT_FOR_HOST, "missing not-for-host" },
	{ "a form that is not known", DAY "Shapeless,amazon,new,USD,100" ROW, HOSTS, TARIFFS,
	  SHAPELESS, LENS_SYSTEM, VALUE_SLOTS_UNKNOWN, "missing slots-unknown" },
	{ "no host", DAY "RTX 2060,amazon,new,USD,300" ROW, NULL, TARIFFS, RTX_2060, LENS_SYSTEM,
	  VALUE_NO_HOST, "missing no-host" },
	{ "no host, so no electricity for it", DAY "RTX 2060,amazon,new,USD,300" ROW, NULL, TARIFFS,
	  RTX_2060, LENS_SYSTEM_POWER, VALUE_NO_HOST, "missing no-host" },
	{ "power that is not known", DAY "Unrated,amazon,new,USD,150" ROW, HOSTS, TARIFFS, UNRATED,
	  LENS_SYSTEM_POWER, VALUE_NO_TDP, "missing no-tdp" },
	{ "has a system all the same", DAY "Unrated,amazon,new,USD,150" ROW, HOSTS, TARIFFS,
	  UNRATED, LENS_SYSTEM, VALUE_OK, "single-source" },
	{ "no tariff", DAY "RTX 2060,amazon,new,USD,300" ROW, HOSTS, NULL, RTX_2060,
	  LENS_SYSTEM_POWER, VALUE_NO_TARIFF, "missing no-tariff" },
	{ "needs none for the machine alone", DAY "RTX 2060,amazon,new,USD,300" ROW, HOSTS, NULL,
	  RTX_2060, LENS_SYSTEM, VALUE_OK, "single-source" },
	{ "no price", "", HOSTS, TARIFFS, RTX_2060, LENS_SYSTEM, VALUE_NO_PRICE, "missing" },
	{ "what a host and a tariff are marked with", DAY "RTX 2060,amazon,new,USD,300" ROW,
	  "2018-05-30,4,1700,USD,partial,s\n", "Nowhere,2020-01-01,household,0.2,USD,s\n", RTX_2060,
	  LENS_SYSTEM_POWER, VALUE_OK,
	  "single-source host-stale host-partial host-larger tariff-later" },
	{ "the tariff is none of the system's business", DAY "RTX 2060,amazon,new,USD,300" ROW,
	  "2018-05-30,4,1700,USD,partial,s\n", "Nowhere,2020-01-01,household,0.2,USD,s\n", RTX_2060,
	  LENS_SYSTEM, VALUE_OK, "single-source host-stale host-partial host-larger" },
};

static void test_reasons(struct test *t, struct world *w)
{
	const double score[LENS_DEVICES] = { 1, 1, 1, 1, 1, 1, 1, 1 };
	struct scores s = scores_of(&w->f.arena, score, LEN(score));

	for (size_t i = 0; i < LEN(reason_cases); i++) {
		const struct reason_case *c = &reason_cases[i];
		const struct card_price *p;
		struct card_prices cards;
		struct values v;

		test_ok(t, compute(w, c->row, c->hosts, c->tariffs, &s, &v), c->label);
		price_lens_compute(&w->in, &w->f.arena, &cards);
		p = price_lens_find(&cards, c->device, c->lens);
		test_ok(t,
			p && find(&v, c->device, c->lens)->status == c->status
			    && isnan(p->price_usd) == (c->status != VALUE_OK),
			"its status");
		test_str(t, price_flags_text(&w->f.arena, p ? p->flags : 0), str_of(c->flags),
			 "its flags");
	}
	for (int i = VALUE_OK; i <= VALUE_NO_TARIFF; i++)
		test_ok(t, value_status_name((enum value_status)i).len > 0,
			"every status has a name");
}

/* One market missing: the other alone, not half of it; and all prices stale: used and marked. */
static void test_markets(struct test *t, struct world *w)
{
	const struct card_price *p;
	struct card_prices cards;
	struct error err = { 0 };
	struct str text;

	test_ok(t,
		world_read(w,
			   DAY "RTX 2060,amazon,new,USD,300" ROW "2018-01-30,RTX "
			       "2070,amazon,new,USD,500" ROW
			       "2018-02-01,RTX 2070,ebay,new,USD,400" ROW,
			   HOSTS, TARIFFS, &err),
		"one card at one market, one with old prices only");
	price_lens_compute(&w->in, &w->f.arena, &cards);
	p = price_lens_find(&cards, RTX_2060, LENS_CARD);
	test_ok(t, p->price_usd == 300 && p->flags == PRICE_FLAG_SINGLE_SOURCE,
		"a missing market is not averaged with 0");
	p = price_lens_find(&cards, RTX_2070, LENS_CARD);
	test_ok(t, p->price_usd == 450 && p->flags == PRICE_FLAG_STALE && p->age_days == 484,
		"stale prices serve and say so");
	fixture_put(&w->f, "prices.csv", "");
	w->in.nindices = RTX_2080_TI;
	price_lens_compute(&w->in, &w->f.arena, &cards);
	w->in.nindices = LENS_DEVICES;
	test_ok(t,
		price_lens_write(&cards, &w->devices, fixture_path(&w->f, "prices.csv"),
				 &w->f.arena, &err),
		"written");
	text = world_text(w, "prices.csv");
	test_str(t, text,
		 STR("device,lens,price_usd,low,high,markets,observations,newest_date,age_days,"
		     "status\n"
		     "RTX 2060,card,300,300,300,amazon,1,2019-05-30,1,single-source\n"
		     "RTX 2060,system,800,800,800,amazon,1,2019-05-30,1,single-source\n"
		     "RTX 2060,system+power,832,832,832,amazon,1,2019-05-30,1,single-source\n"
		     "RTX 2070,card,450,400,500,amazon ebay,2,2018-02-01,484,stale\n"
		     "RTX 2070,system,950,900,1000,amazon ebay,2,2018-02-01,484,stale\n"
		     "RTX 2070,system+power,985,935,1035,amazon ebay,2,2018-02-01,484,stale\n"),
		 "prices.csv");
}

/* An unknown currency stops the run at its cell: prices, and so every lens, would be wrong without.
 */
static void test_currency(struct test *t, struct world *w)
{
	struct error err = { 0 };

	test_ok(t, !world_read(w, DAY "RTX 2060,amazon,new,XYZ,300" ROW, HOSTS, TARIFFS, &err),
		"a currency without a rate");
	test_error(t, &err, ERR_UNKNOWN, "prices/a.csv", 2, 32,
		   "currency: 'XYZ' has no rate in fx_to_usd.csv", "is refused at its place");
}

enum { RANDOM_WORLDS = 25, RANDOM_CARDS = 5 };

/* The files of a random world with prices, hosts and electricity times a factor, in a currency. */
struct scaling {
	double card, host, tariff;
	const char *currency;
};

static bool scaled(struct world *w, uint64_t seed, const struct scaling *by, const struct scores *s,
		   struct values *out)
{
	static const char *const markets[] = { "amazon", "ebay", "cloud:x:a" };
	struct rng rng = { seed };
	struct arena *a = &w->f.arena;
	struct strbuf rows = { .arena = a };

	for (size_t d = 0; d < RANDOM_CARDS; d++)
		for (size_t m = 0; m < LEN(markets); m++)
			strbuf_printf(&rows, DAY STR_FMT ",%s,%s,%s,%.17g,%s,,,s\n",
				      STR_ARG(w->devices.v[d].name), markets[m],
				      m == 2 ? "on-demand" : "new", by->currency,
				      by->card * (double)(100 + rng_below(&rng, 2000)),
				      m == 2 ? "hour" : "unit");
	return compute(
	    w, str_c(a, strbuf_str(&rows)),
	    str_c(a, str_printf(a, DAY "1,%.17g,%s,complete,s\n",
				by->host * (double)(300 + rng_below(&rng, 900)), by->currency)),
	    str_c(a, str_printf(a, "Nowhere,2019-01-01,household,%.17g,%s,s\n",
				by->tariff * (double)(1 + rng_below(&rng, 9)) / 20, by->currency)),
	    s, out);
}

/* Whether every ranking of the first `lenses` lenses is the same, and the values to 1e-9. */
static bool same_ranking(const struct values *x, const struct values *y, int lenses)
{
	bool same = x->n == y->n;

	for (size_t i = 0; same && i < x->n; i++)
		if ((int)x->v[i].lens < lenses)
			same =
			    x->v[i].rank == y->v[i].rank && x->v[i].tie == y->v[i].tie
			    && x->v[i].status == y->v[i].status
			    && (isnan(x->v[i].value) || fabs(x->v[i].value - y->v[i].value) < 1e-8);
	return same;
}

static const struct scaling_case {
	const char *label;
	struct scaling by;
	int lenses;    /* of enum lens, from the first on, whose ranking must not move */
	bool all_move; /* and a later one that must, in some world */
} scaling_cases[] = {
	{ "every price doubled", { 2, 2, 2, "USD" }, LENS_COUNT, false },
	{ "only the cards doubled: the card ranking stays, systems move",
	  { 2, 1, 1, "USD" },
	  LENS_SYSTEM,
	  true },
	{ "everything in euros", { 1, 1, 1, "EUR" }, LENS_COUNT, false },
	{ "everything in euros at the same worth", { 0.8, 0.8, 0.8, "EUR" }, LENS_COUNT, false },
	{ "everything a hundred times as dear", { 100, 100, 100, "USD" }, LENS_COUNT, false },
};

static void test_scaling(struct test *t, struct world *w)
{
	const double score[RANDOM_CARDS] = { 0.3, 0.5, 1, 1.7, 2.5 };
	struct scores s = scores_of(&w->f.arena, score, LEN(score));

	for (size_t i = 0; i < LEN(scaling_cases); i++) {
		const struct scaling_case *c = &scaling_cases[i];
		bool same = true, moved = false;

		for (uint64_t seed = 1; seed <= RANDOM_WORLDS; seed++) {
			struct values x, y;

			same = same && scaled(w, seed, &(struct scaling){ 1, 1, 1, "USD" }, &s, &x)
			       && scaled(w, seed, &c->by, &s, &y)
			       && same_ranking(&x, &y, c->lenses);
			moved = moved || (same && !same_ranking(&x, &y, LENS_COUNT));
		}
		test_ok(t, same && moved == c->all_move, c->label);
	}
}

/* By hand: pairs of (1 2 3 4) and (1 3 2 4): five agree, one does not, 4 / 6. With a tie in x: of
 * (1 1 2) and (1 2 3) two pairs agree, one is tied in x: 2 / sqrt(2 x 3). */
static void test_tau(struct test *t)
{
	const double x[] = { 1, 2, 3, 4 }, y[] = { 1, 3, 2, 4 }, down[] = { 4, 3, 2, 1 },
		     tied[] = { 1, 1, 2 };

	test_near(t, kendall_tau(x, x, 4), 1, 0, "tau of the same order");
	test_near(t, kendall_tau(x, down, 4), -1, 0, "tau of the opposite one");
	test_near(t, kendall_tau(x, y, 4), 4.0 / 6, 1e-15, "tau with one pair swapped");
	test_near(t, kendall_tau(tied, x, 3), 2 / sqrt(6), 1e-15, "tau-b with a tie");
	test_ok(t, isnan(kendall_tau(x, x, 1)) && isnan(kendall_tau(x, x, 0)),
		"no tau of fewer than two");
}

static struct value valued(size_t device, enum lens lens, int rank, double value, double off)
{
	return (struct value){ .device = device,
			       .class = CLASS_CNN,
			       .lens = lens,
			       .rank = rank,
			       .value = value,
			       .low = value - off,
			       .high = value + off };
}

/* Devices 0 and 1 swap most strongly (0.9 against 0.5, then 0.5 against 0.9) but with intervals of
 * 0.3 that overlap; 2 and 3 swap less (0.4 against 0.3) and are apart: they are the pair. */
static void test_pair(struct test *t, struct arena *a)
{
	struct value v[] = {
		valued(0, LENS_CARD, 1, 0.9, 0.3),    valued(1, LENS_CARD, 2, 0.5, 0.3),
		valued(2, LENS_CARD, 3, 0.4, 0.01),   valued(3, LENS_CARD, 4, 0.3, 0.01),
		valued(4, LENS_CARD, 0, NAN, 0),      valued(0, LENS_SYSTEM, 2, 0.5, 0.3),
		valued(1, LENS_SYSTEM, 1, 0.9, 0.3),  valued(2, LENS_SYSTEM, 4, 0.3, 0.01),
		valued(3, LENS_SYSTEM, 3, 0.4, 0.01), valued(4, LENS_SYSTEM, 5, 0.1, 0),
	};
	struct lens_moves m;

	lens_moves_compute(&(struct values){ v, LEN(v) }, a, &m);
	test_ok(t, m.n == 3 && m.v[0].n == 4, "a device ranked in one lens only takes no part");
	test_near(t, m.v[0].kendall_tau, 2.0 / 6, 1e-15, "four pairs agree, two do not");
	test_ok(t,
		m.v[0].opposite && m.v[0].apart && m.v[0].up == 3 && m.v[0].down == 2
		    && m.v[0].rank_up_a == 4 && m.v[0].rank_up_b == 3 && m.v[0].rank_down_a == 3
		    && m.v[0].rank_down_b == 4,
		"a pair that is apart goes before a stronger one that is not");
	struct value turned[] = { v[2], v[3], v[0], v[1], v[7], v[8], v[5], v[6] };
	lens_moves_compute(&(struct values){ turned, LEN(turned) }, a, &m);
	test_ok(t, m.v[0].apart && m.v[0].up == 3 && m.v[0].down == 2, "whichever comes first");
	v[2].high = 1;
	lens_moves_compute(&(struct values){ v, LEN(v) }, a, &m);
	test_ok(t, m.v[0].opposite && m.v[0].apart, "an interval on the far side does not matter");
	v[2].low = 0.3;
	lens_moves_compute(&(struct values){ v, LEN(v) }, a, &m);
	test_ok(t, !m.v[0].apart && m.v[0].up == 1 && m.v[0].down == 0,
		"where none is apart the strongest");
	v[5].low = v[5].high = NAN;
	lens_moves_compute(&(struct values){ v, LEN(v) }, a, &m);
	test_ok(t, !m.v[0].apart && m.v[0].up == 1, "an interval that is not known is not apart");
}

static void test_names(struct test *t)
{
	enum lens lens;

	for (int i = 0; i < LENS_COUNT; i++)
		test_ok(t, lens_parse(lens_name((enum lens)i), &lens) && (int)lens == i,
			"lens there and back");
	test_ok(t, !lens_parse(STR("rent"), &lens) && !lens_parse(STR("Card"), &lens),
		"no such lens");
	test_str(t, lens_name(LENS_SYSTEM_POWER), STR("system+power"), "its name");
}

int main(void)
{
	struct test t = { 0 };
	struct world w;

	test_ok(&t, world_open(&w), "a small world");
	test_names(&t);
	test_opposite(&t, &w);
	test_two_cards(&t, &w);
	test_reasons(&t, &w);
	test_markets(&t, &w);
	test_currency(&t, &w);
	test_scaling(&t, &w);
	test_tau(&t);
	test_pair(&t, &w.f.arena);
	fixture_close(&w.f);
	return test_done(&t);
}
