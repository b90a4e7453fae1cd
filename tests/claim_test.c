/* The guide's claims against analyses made by hand: each verdict, the numbers worked out on paper,
 * the list's errors. Which tests prove the arithmetic and the rules behind a claim, beside these
 * and claim_rows_test (the column `test` of data/claims.csv names one file each): 1 to 5 multi_test
 *   7, 8            scale_test
 *   10              score_test
 *   14, 16          value_test
 *   17, 19          price_test
 *   18, 34, 37-39   pick_test, avoid_test
 *   20, 21, 36      system_test, lens_test
 *   22 to 29        memory_test, network_test
 *   40              catalogue_device_test
 *   41              upgrade_test
 *   42              change_test */
#include "claim_fixture.h"

#include <math.h>
#include <stdint.h>

static struct claim_world *fresh(struct claim_world *w)
{
	struct test *t = w->t;

	claim_world_close(w);
	if (!claim_world_open(w, t))
		exit(1);
	return w;
}

/* Of an analysis that knows nothing, nothing can be said. */
static void test_empty(struct claim_world *w)
{
	struct claims c;
	struct error err = { 0 };
	bool all = true;

	test_ok(w->t, claims_read("data", &w->f.arena, &c, &err) && c.list.n == 44,
		"44 claims are listed");
	claims_compute(&w->x, &w->f.arena, &c);
	for (size_t i = 0; i < c.n; i++) {
		bool good = c.v[i].verdict == CLAIM_NOT_TESTABLE && !say_empty(c.v[i].why)
			    && c.v[i].text->id == (int)i + 1;
		if (!good)
			printf("# claim %zu is " STR_FMT "\n", i + 1,
			       STR_ARG(claim_verdict_name(c.v[i].verdict)));
		all = all && good;
	}
	test_ok(w->t, all, "without data every claim is not testable and says why");
	test_ok(w->t,
		claims_count(&c, CLAIM_NOT_TESTABLE) == 44
		    && claims_count(&c, CLAIM_REPRODUCED) == 0
		    && claims_count(&c, CLAIM_NOT_REPRODUCED) == 0,
		"and they are counted");
}

/* 0.6 / 300 against 1 / 10000 is 20. With interval ends x 1.1 on both sides: 20 / 1.21 = 16.5. */
static void test_claim_15(struct claim_world *w)
{
	claim_put_score(w, "RTX 2060", CLASS_CNN, 0.6, 1.1);
	claim_put_score(w, "Tesla V100 PCIe 16GB", CLASS_CNN, 1, 1.1);
	claim_put_price(w, "RTX 2060", 300);
	struct card_price *v100 = claim_put_price(w, "Tesla V100 PCIe 16GB", 10000);
	claim_want(w, 15, CLAIM_REPRODUCED, "20.0 (CNN, Tesla V100 PCIe 16GB)",
		   "Above 5 in 1 of 1 classes, the intervals together too.",
		   "claim 15: a ratio of 20");
	v100->price_usd = v100->low = v100->high = 2000;
	claim_want(w, 15, CLAIM_NOT_REPRODUCED, "4.0 (CNN", "Above 5 in 0 of 1 classes",
		   "claim 15: a ratio of 4");
	/* 0.6 / 300 x 2750 = 5.5; 5.5 / 1.21 = 4.545 */
	v100->price_usd = v100->low = v100->high = 2750;
	claim_want(w, 15, CLAIM_REPRODUCED, "5.5 (CNN", "reach below: CNN down to 4.5",
		   "claim 15: above 5, but the intervals reach below");
	/* The V100 of the better value counts: SXM2, 1.2 at 2000, gives 0.002 / 0.0006 = 3.33. */
	claim_put_score(w, "Tesla V100 SXM2 16GB", CLASS_CNN, 1.2, 1.1);
	claim_put_price(w, "Tesla V100 SXM2 16GB", 2000);
	claim_want(w, 15, CLAIM_NOT_REPRODUCED, "3.3 (CNN, Tesla V100 SXM2 16GB)", NULL,
		   "claim 15: the V100 of the best value is the one to beat");
	w->x.card_prices.n = 1;
	claim_want(w, 15, CLAIM_NOT_TESTABLE, "", "Needs scores and prices",
		   "claim 15: no price of a V100");
}

static void set_date(struct card_price *p, const char *text)
{
	date_parse(str_of(text), &p->newest_date);
}

/* 92 days before 2019-04-01 is 2018-12-30, 92 days after it 2019-07-02. */
static void test_price_dates(struct claim_world *w)
{
	claim_put_score(w, "RTX 2060", CLASS_CNN, 0.6, 1.1);
	claim_put_score(w, "Tesla V100 PCIe 16GB", CLASS_CNN, 1, 1.1);
	struct card_price *p = claim_put_price(w, "RTX 2060", 300);
	struct card_price *q = claim_put_price(w, "Tesla V100 PCIe 16GB", 10000);
	set_date(claim_put_price(w, "RTX 2070", 500), "2010-01-01"); /* not asked for */
	claim_want(w, 15, CLAIM_REPRODUCED, NULL, "too. Prices of 2019-05-31, none of them used.",
		   "prices of one day");
	date_parse(STR("2025-06-30"), &w->edition.date);
	set_date(p, "2018-12-30");
	set_date(q, "2019-07-02");
	p->flags = PRICE_FLAG_USED;
	claim_want(w, 15, CLAIM_REPRODUCED, NULL,
		   "too. Prices of 2018-12-30 to 2019-07-02, used ones among them.",
		   "their days, not the edition's, and that one is used");
	q->flags = PRICE_FLAG_USED | PRICE_FLAG_STALE;
	set_date(q, "2019-07-03");
	claim_want(
	    w, 15, CLAIM_REPRODUCED, NULL,
	    "Prices of 2018-12-30 to 2019-07-03, all of them used; the guide spoke of 2019-04.",
	    "93 days after the guide is another time, and said so");
	set_date(p, "2018-12-29");
	set_date(q, "2019-04-01");
	claim_want(w, 15, CLAIM_REPRODUCED, NULL, "2019-04-01, all of them used; the guide spoke",
		   "and so are 93 days before it");
}

/* Values of the four cards at a price of 100 each are their scores. */
static void test_claim_16(struct claim_world *w)
{
	static const char *const names[] = { "RTX 2060", "RTX 2070", "RTX 2080", "RTX 2080 Ti" };
	static const double score[] = { 1, 0.9, 0.5, 0.4 };

	for (size_t i = 0; i < 4; i++) {
		claim_put_score(w, names[i], CLASS_CNN, score[i], 1.1);
		claim_put_price(w, names[i], 100);
	}
	claim_want(w, 16, CLAIM_REPRODUCED,
		   "CNN: 1.11 x RTX 2070, 2.00 x RTX 2080, 2.50 x RTX 2080 Ti",
		   "ahead in 3 of 3 comparisons; the intervals overlap with RTX 2070 (CNN).",
		   "claim 16: ahead of all, tied with one");
	w->scores[3].score = 1.5;
	claim_want(w, 16, CLAIM_NOT_REPRODUCED, "0.67 x RTX 2080 Ti", "ahead in 2 of 3",
		   "claim 16: behind one");
	w->x.scores.n = 1;
	claim_want(w, 16, CLAIM_NOT_TESTABLE, "", "larger RTX 20 cards",
		   "claim 16: nothing to compare with");
}

static void test_claim_14(struct claim_world *w)
{
	struct claims c;
	struct error err = { 0 };

	claim_put_score(w, "RTX 2060", CLASS_CNN, 0.6, 1.1);
	claim_put_score(w, "RTX 2080 Ti", CLASS_CNN, 1, 1.1);
	claim_put_price(w, "RTX 2060", 300);
	claim_put_price(w, "RTX 2080 Ti", 1000);
	claim_want(w, 14, CLAIM_NOT_TESTABLE, "2 values of cards", "worked out twice",
		   "claim 14: score over price");
	w->x.values.v[1].value += 1e-6;
	claims_read("data", &w->f.arena, &c, &err);
	claims_compute(&w->x, &w->f.arena, &c);
	test_ok(w->t, c.v[13].verdict == CLAIM_NOT_REPRODUCED,
		"claim 14: a value off by 1e-6 is found");
	w->x.card_prices.n = 0;
	claim_want(w, 14, CLAIM_NOT_TESTABLE, "", "both a score and a price",
		   "claim 14: no prices");
}

static void test_claim_17(struct claim_world *w)
{
	struct card_price *p = claim_put_price(w, "RTX 2060", 350);

	claim_put_price(w, "RTX 2070", 500);
	claim_want(w, 17, CLAIM_NOT_TESTABLE,
		   "of 2 card prices 0 are the mean of Amazon and eBay, 0 come from one of them, 2",
		   "No card has a usable price of both", "claim 17: other markets only");
	p->markets = STR("amazon");
	claim_want(w, 17, CLAIM_NOT_TESTABLE, "0 are the mean of Amazon and eBay, 1 come from one",
		   NULL, "claim 17: one market is no mean");
	p->markets = STR("amazon ebay");
	p->low = 300;
	p->high = 400;
	claim_want(w, 17, CLAIM_NOT_TESTABLE,
		   "1 are the mean of Amazon and eBay, 0 come from one of them, 1 from other",
		   "left out, never 0", "claim 17: the mean of both");
	p->low = 360;
	claim_want(w, 17, CLAIM_NOT_REPRODUCED, NULL, NULL,
		   "claim 17: a mean outside the two is none");
}

/* Cards of 6, 8 and 11 GB, each at 100 USD. */
static void test_claim_18(struct claim_world *w)
{
	claim_put_score(w, "RTX 2060", CLASS_CNN, 3, 1.1);
	claim_put_score(w, "RTX 2080", CLASS_CNN, 2, 1.1);
	claim_put_score(w, "RTX 2080 Ti", CLASS_CNN, 1, 1.1);
	claim_put_price(w, "RTX 2060", 100);
	claim_put_price(w, "RTX 2080", 100);
	claim_put_price(w, "RTX 2080 Ti", 100);
	claim_want(w, 18, CLAIM_REPRODUCED,
		   "CNN: best value RTX 2060 with 6 GB, middle card 8 GB, tau -1.00 (n = 3)",
		   "in 1 of 1 classes", "claim 18: value falls with memory");
	struct memory_stated need = { .low_gb = 11, .bound = MEMORY_AT_LEAST };
	w->x.memory.stated = &need;
	w->x.memory.nstated = 1;
	claim_want(w, 18, CLAIM_REPRODUCED, "with 11 GB or more RTX 2080 Ti", NULL,
		   "claim 18: a floor removes the small ones");
	/* A board of two GPUs lends a program half of its 11 GB: 5.5, 6, 8; now it is the best. */
	struct memory_board board = { .device = STR_INIT("RTX 2080 Ti"), .gpus = 2 };
	w->x.memory.settings.boards = &board;
	w->x.memory.settings.nboards = 1;
	w->scores[2].score = 4;
	claim_want(w, 18, CLAIM_REPRODUCED,
		   "CNN: best value RTX 2080 Ti with 6 GB, middle card 6 GB, tau -1.00 (n = 3)",
		   "Prices of 2019-05-31", "claim 18: a board's memory is shared by its GPUs");
	w->x.memory.settings.nboards = 0;
	w->scores[2].score = 1;
	w->scores[0].score = 0.5;
	claim_want(w, 18, CLAIM_NOT_REPRODUCED, "best value RTX 2080 with 8 GB", "in 0 of 1",
		   "claim 18: the small one is not the best");
	w->x.scores.n = 2;
	claim_want(w, 18, CLAIM_NOT_TESTABLE, "", NULL, "claim 18: two cards are too few");
}

static void test_claim_19(struct claim_world *w)
{
	struct card_price *p = claim_put_price(w, "GTX 1070", 442),
			  *q = claim_put_price(w, "GTX 1080", 600);

	claim_want(w, 19, CLAIM_NOT_TESTABLE,
		   "GTX 1070 1.10 of its launch price; GTX 1080 1.00 of its launch price",
		   "No GTX 10xx has prices of 3 days", "claim 19: no past");
	p->usual_usd = 400;
	p->usual_days = 2;
	claim_want(w, 19, CLAIM_NOT_TESTABLE, "GTX 1070 1.10 of its launch", NULL,
		   "claim 19: two days are no past");
	p->usual_days = 3;
	set_date(q, "2016-05-27"); /* has no past: its day is not that of the claim's prices */
	claim_want(w, 19, CLAIM_REPRODUCED, "GTX 1070 1.10 of its year's median (3 days)",
		   "(1.5 times). Prices of 2019-05-31, none of them used.",
		   "claim 19: its prices are those with a past");
	claim_want(w, 19, CLAIM_REPRODUCED, "GTX 1070 1.10 of its year's median (3 days)",
		   "Of 1 cards with a past 1 cost 1.1 times",
		   "claim 19: a tenth above its own median is marked up");
	q->usual_usd = 600;
	q->usual_days = 30;
	claim_want(w, 19, CLAIM_REPRODUCED, NULL, "Of 2 cards with a past 1 cost",
		   "claim 19: half of the cards are enough");
	p->usual_usd = 402;
	claim_want(w, 19, CLAIM_NOT_REPRODUCED, NULL, "Of 2 cards with a past 0 cost",
		   "claim 19: none of two is not");
	p->flags = PRICE_FLAG_UNUSUAL;
	claim_want(w, 19, CLAIM_NOT_REPRODUCED, NULL, "1 are marked unusual",
		   "claim 19: the mark is counted");
}

/* One host of 1000 USD for four: 4 x 1000 + 1000 = 5000 against 8 x 300 + 2 x 1000 = 4400.
 * Independent jobs: 4 x 1 / 5000 = 0.0008 against 8 x 0.5 / 4400 = 0.000909: 0.88. A card ranking
 * says 2060 (0.5 / 300 > 1 / 1000). */
static void test_claim_20(struct claim_world *w)
{
	struct host host = { .gpus = 4, .host_usd = 1000, .status = HOST_COMPLETE };

	claim_put_score(w, "RTX 2060", CLASS_CNN, 0.5, 1.1);
	claim_put_score(w, "RTX 2080 Ti", CLASS_CNN, 1, 1.1);
	claim_put_price(w, "RTX 2060", 300);
	claim_put_price(w, "RTX 2080 Ti", 1000);
	claim_want(w, 20, CLAIM_NOT_TESTABLE, "", "a host for four cards",
		   "claim 20: no host is known");
	host.date = w->edition.date;
	w->x.hosts = (struct hosts){ &host, 1 };
	claim_want(w, 20, CLAIM_NOT_REPRODUCED,
		   "4 x RTX 2080 Ti in one machine $5,000, 8 x RTX 2060 in two $4,400; 0.88 "
		   "times the work per USD (CNN); host of 2019-05-31",
		   "in 0 of 1 classes", "claim 20: two machines do more per USD");
	/* A host of 4000: 8000 against 10400; 0.0005 against 0.000385: 1.30. Now system and card
	 * rank opposite. */
	host.host_usd = 4000;
	claim_want(
	    w, 20, CLAIM_REPRODUCED, "1.30 times the work per USD (CNN)", "in 1 of 1",
	    "claim 20: with a dear host one machine does more, against the ranking of the cards");
}

/* V100: 1.2 times as fast as the fastest GeForce at ten times its price. */
static void test_claim_34(struct claim_world *w)
{
	struct score *s = claim_put_score(w, "RTX 2080 Ti", CLASS_CNN, 1, 1.1);

	claim_put_score(w, "RTX 2060", CLASS_CNN, 0.5, 1.1);
	claim_put_price(w, "RTX 2080 Ti", 1000);
	claim_put_price(w, "RTX 2060", 300);
	claim_want(w, 34, CLAIM_NOT_TESTABLE, "", NULL, "claim 34: no Tesla");
	claim_put_score(w, "Tesla V100 PCIe 16GB", CLASS_CNN, 1.2, 1.1);
	struct card_price *p = claim_put_price(w, "Tesla V100 PCIe 16GB", 10000);
	claim_want(w, 34, CLAIM_REPRODUCED,
		   "CNN: Tesla V100 PCIe 16GB (measured) is 1.20 times as fast as RTX 2080 Ti at "
		   "10.0 times the price",
		   "(here up to 10.0)", "claim 34: ten times the price, no advantage");
	s->score = 0.6;
	claim_want(w, 34, CLAIM_NOT_REPRODUCED, "2.00 times as fast", NULL,
		   "claim 34: twice as fast is an advantage");
	s->score = 1;
	p->price_usd = 4000;
	claim_want(w, 34, CLAIM_NOT_REPRODUCED, "at 4.0 times the price", NULL,
		   "claim 34: four times the price is less");
}

/* Months at 20 and 730 hours: 250 and 6.9 for the rent of 1 USD an hour and a card of 5000. */
static void test_claim_36(struct claim_world *w)
{
	struct breakeven b[] = {
		{ .provider = STR_INIT("median"),
		  .hours_per_month = 20,
		  .months = 250,
		  .status = SYSTEM_OK },
		{ .provider = STR_INIT("median"),
		  .hours_per_month = HOURS_PER_MONTH_FULL,
		  .months = 6.9,
		  .status = SYSTEM_OK },
		{ .provider = STR_INIT("cheap"),
		  .hours_per_month = 20,
		  .months = 1,
		  .status = SYSTEM_OK },
	};

	w->edition.hours_per_month[0] = 0;
	w->edition.hours_per_month[1] = 20;
	w->edition.nhours = 2;
	w->x.breakevens = (struct breakevens){ b, 1 };
	claim_want(w, 36, CLAIM_NOT_TESTABLE, "", NULL, "claim 36: nothing for full use");
	w->x.breakevens.n = LEN(b);
	claim_want(w, 36, CLAIM_REPRODUCED,
		   "paid after 250.0 months at 20 hours a month, after 6.9 months in full use "
		   "(median of 1)",
		   NULL, "claim 36: rare use is for the cloud, steady use is not");
	/* Card and rent of the one device: both are dated. */
	set_date(claim_put_price(w, "GTX 1070", 5000), "2019-03-01");
	struct card_price *rent = claim_put_price(w, "GTX 1070", 1);
	rent->lens = LENS_CLOUD;
	set_date(rent, "2019-05-20");
	claim_want(w, 36, CLAIM_REPRODUCED, NULL, "Prices of 2019-03-01 to 2019-05-20, none",
		   "claim 36: the days of card and rent");
	b[1].months = 13;
	claim_want(w, 36, CLAIM_NOT_REPRODUCED, "after 13.0 months in full use", NULL,
		   "claim 36: 13 months are too long");
	b[1].never = true;
	claim_want(w, 36, CLAIM_NOT_REPRODUCED, "never in full use", NULL, "claim 36: never paid");
	b[1] = (struct breakeven){ .provider = STR("median"),
				   .hours_per_month = HOURS_PER_MONTH_FULL,
				   .months = 6,
				   .status = SYSTEM_OK };
	b[0].never = true;
	claim_want(w, 36, CLAIM_REPRODUCED, "paid never at 20 hours", NULL,
		   "claim 36: never paid by rare use");
	b[0].never = false;
	b[0].months = 20;
	claim_want(w, 36, CLAIM_NOT_REPRODUCED, "after 20.0 months at 20", NULL,
		   "claim 36: 20 months by rare use are too short");
}

/* A persona's pick of one card. */
static struct pick picked(struct claim_world *w, struct persona *persona, const char *name,
			  const char *card, const char *guide, const char *agrees)
{
	struct pick p = { .wish.name = str_of(name),
			  .persona = persona,
			  .status = PICK_FOUND,
			  .nrows = 1,
			  .agrees = str_of(agrees) };

	persona->guide = str_of(guide);
	p.rows[0].device = claim_index(w, card);
	return p;
}

static void test_advice(struct claim_world *w)
{
	struct persona personas[2] = { { .guide.len = 0 } };
	struct pick p[] = { picked(w, &personas[0], "best-overall", "RTX 2070", "RTX 2070", "yes"),
			    picked(w, &personas[1], "value-cheap", "RTX 2060", "GTX 1060 6GB",
				   "tie") };
	struct avoid dominated[] = { { .device = claim_index(w, "Titan Xp"), .class = CLASS_CNN },
				     { .device = claim_index(w, "Titan V"),
				       .class = CLASS_COUNT } };

	claim_want(w, 37, CLAIM_NOT_TESTABLE, "", NULL, "claim 37: no personas");
	claim_want(w, 38, CLAIM_NOT_TESTABLE, "", "gave no persona a card",
		   "claim 38: no personas");
	w->x.picks = (struct picks){ p, 2 };
	claim_put_price(w, "Titan Xp", 1200);
	w->x.avoids = (struct avoids){ dominated, 2 };
	claim_want(w, 37, CLAIM_REPRODUCED, "best overall: RTX 2070; the rule finds 1 of 1",
		   "The pick is the guide's", "claim 37: the card and those to avoid");
	claim_want(w, 39, CLAIM_REPRODUCED, "best: RTX 2070; cheap value: RTX 2060", NULL,
		   "claim 39: best, value, worst");
	claim_want(w, 38, CLAIM_REPRODUCED,
		   "1 of 2 personas get the guide's card; value-cheap: RTX 2060 (guide: GTX 1060 "
		   "6GB, tied)",
		   "The same card 1 times, tied with it 1 times",
		   "claim 38: a tie agrees, and is named");
	/* The pick was chosen among two cards, one of them at a used price of May. */
	struct candidate ranked[] = { { .price = { .price_usd = 500 } },
				      { .price = { .price_usd = 300, .flags = PRICE_FLAG_USED } } };
	set_date(&ranked[0].price, "2019-05-30");
	set_date(&ranked[1].price, "2019-05-02");
	p[0].v = ranked;
	p[0].n = p[0].nranked = 2;
	claim_want(w, 37, CLAIM_REPRODUCED, NULL, "Prices of 2019-05-02 to 2019-05-31, used ones",
		   "claim 37: the prices that were compared");
	claim_want(w, 38, CLAIM_REPRODUCED, NULL, "Prices of 2019-05-02 to 2019-05-30, used ones",
		   "claim 38: the prices that were compared");
	claim_want(w, 39, CLAIM_REPRODUCED, NULL, "Prices of 2019-05-02 to 2019-05-31, used ones",
		   "claim 39: the prices that were compared");
	claim_put_price(w, "Titan V", 3000);
	claim_want(w, 37, CLAIM_NOT_REPRODUCED,
		   "the rule finds 1 of 2 cards to avoid that have a price; not Titan V", NULL,
		   "claim 37: a named exception is no finding of the rule");
	w->x.card_prices.n = 1;
	p[0] = picked(w, &personas[0], "best-overall", "RTX 2080", "RTX 2070", "no");
	claim_want(w, 37, CLAIM_NOT_REPRODUCED, "best overall: RTX 2080", "another card",
		   "claim 37: another card");
	claim_want(w, 38, CLAIM_NOT_REPRODUCED, "best-overall: RTX 2080 (guide: RTX 2070)",
		   "another 1 times", "claim 38: another card");
	p[0].agrees = STR("tie");
	claim_want(w, 37, CLAIM_REPRODUCED, NULL, "is tied with the pick", "claim 37: tied");
	p[0].status = PICK_NEAREST;
	p[0].agrees = STR("no");
	claim_want(w, 38, CLAIM_NOT_REPRODUCED, "best-overall: no card (nearest)", NULL,
		   "claim 38: the nearest possible is no pick");
}

static void test_claim_41(struct claim_world *w)
{
	struct upgrade u[4] = { { 0 } };

	for (size_t i = 0; i < 4; i++)
		u[i] = (struct upgrade){ .owned = claim_index(w, "GTX 1070"),
					 .candidate =
					     claim_index(w, i % 2 ? "RTX 2070" : "RTX 2080 Ti"),
					 .class = i < 2 ? CLASS_TRANSFORMER : CLASS_CNN,
					 .gain = 2,
					 .verdict = i == 0 ? UPGRADE_YES : UPGRADE_KEEP };
	w->x.upgrades = (struct upgrades){ u, 2 };
	claim_want(w, 41, CLAIM_NOT_TESTABLE, "", NULL, "claim 41: Transformers only");
	w->x.upgrades.n = 4;
	claim_want(w, 41, CLAIM_REPRODUCED,
		   "upgrade in 1 of 2 steps to a faster card for Transformers and in 0 of 2", NULL,
		   "claim 41: half for Transformers, fewer for the others");
	claim_put_price(w, "RTX 2070", 500);
	set_date(claim_put_price(w, "RTX 2080 Ti", 1000), "2019-05-02");
	claim_want(w, 41, CLAIM_REPRODUCED, NULL, "Prices of 2019-05-02 to 2019-05-31, none",
		   "claim 41: the days of the candidates' prices");
	u[2].verdict = UPGRADE_YES;
	claim_want(w, 41, CLAIM_NOT_REPRODUCED, "in 1 of 2 for the other", NULL,
		   "claim 41: half for the others is too many");
	u[2].gain = 0.9;
	claim_want(w, 41, CLAIM_REPRODUCED, "in 0 of 1 for the other", NULL,
		   "claim 41: a slower card is no step");
	u[1].owned = u[0].owned = claim_index(w, "RTX 2060");
	claim_want(w, 41, CLAIM_NOT_TESTABLE, "", NULL,
		   "claim 41: only owners of a GTX 1070 or better");
}

static void test_claim_40(struct claim_world *w)
{
	claim_want(w, 40, CLAIM_NOT_TESTABLE, "GTX 2080 Ti: RTX 2080 Ti; XP Titan: Titan Xp",
		   "4 of 4", "claim 40: every spelling");
	fixture_put(&w->f, "aliases.csv",
		    "name,device,scope,used_by\nGTX 2080 Ti,RTX 2080 Ti,any,guide\n");
	struct error err = { 0 };
	devices_read(w->f.dir, &w->f.arena, &w->devices, &err);
	claim_want(w, 40, CLAIM_NOT_REPRODUCED, "XP Titan: not found", "2 of 4",
		   "claim 40: two are missing");
}

static void test_claim_21(struct claim_world *w)
{
	claim_want(w, 21, CLAIM_NOT_TESTABLE,
		   "rule for 2 x RTX 2070 (open): any fan; rule for 3 x RTX 2070 (open): blower "
		   "needed; rule for 2 x RTX 2080 Ti "
		   "(open): blower needed; rule for 4 x Titan Xp (blower): any fan",
		   "Needs temperatures", "claim 21: the rule is shown, heat is not tested");
}

#define HEAD "id,claim,guide_value,source,kind,test\n"

static const struct {
	const char *name, *text;
	enum error_code code;
	int line, col;
	const char *msg;
} faults[] = {
	{ "the first id is 1", HEAD "2,c,v,2019-04,computed,t\n", ERR_DATA, 2, 0,
	  "id: 2 read, 1 is the next" },
	{ "an id twice", HEAD "1,c,v,2019-04,computed,t\n1,c,v,2019-04,computed,t\n", ERR_DATA, 3,
	  0, "id: 1 read, 2 is the next" },
	{ "a kind of neither", HEAD "1,c,v,2019-04,guessed,t\n", ERR_UNKNOWN, 2, 0,
	  "kind: 'guessed' is not computed or carried" },
	{ "a source that is no month", HEAD "1,c,v,2019-04 spring,carried,t\n", ERR_SYNTAX, 2, 0,
	  "source: 'spring' is not a month YYYY-MM" },
	{ "fewer claims than checks", HEAD "1,c,v,2019-04,carried,t\n", ERR_DATA, 2, 0,
	  "id: the last claim is 1, 44 is wanted" },
};

static void test_list(struct claim_world *w)
{
	struct claims c;

	for (size_t i = 0; i < LEN(faults); i++) {
		struct error err = { 0 };
		fixture_put(&w->f, "claims.csv", faults[i].text);
		claims_read(w->f.dir, &w->f.arena, &c, &err);
		test_error(w->t, &err, faults[i].code, "claims.csv", faults[i].line, faults[i].col,
			   faults[i].msg, faults[i].name);
	}
	struct strbuf b = { .arena = &w->f.arena };
	strbuf_add(&b, STR(HEAD));
	for (int i = 1; i <= 45; i++)
		strbuf_printf(&b, "%d,c,v,2016-06 2019-04,carried,t\n", i);
	strbuf_addc(&b, '\0');
	fixture_put(&w->f, "claims.csv", b.p);
	struct error err = { 0 };
	test_ok(w->t, !claims_read(w->f.dir, &w->f.arena, &c, &err), "more claims than checks");
	test_error(w->t, &err, ERR_UNKNOWN, "claims.csv", 46, 0, "id: no check for claim 45",
		   "and which has none");
	err = (struct error){ 0 };
	test_ok(w->t,
		claims_read(fixture_path(&w->f, "prices"), &w->f.arena, &c, &err) && c.list.n == 0,
		"no file: no claims");
	claims_compute(&w->x, &w->f.arena, &c);
	test_ok(w->t, c.n == 0, "and none is computed");
}

static void test_write(struct claim_world *w)
{
	const struct claim_text text[] = {
		{ .id = 1,
		  .claim = STR_INIT("a, b"),
		  .guide_value = STR_INIT("5x"),
		  .source = STR_INIT("2019-04"),
		  .computed = true },
		{ .id = 2,
		  .claim = STR_INIT("c"),
		  .guide_value = STR_INIT("=1+1"),
		  .source = STR_INIT("2016-06") },
	};
	struct arena *a = &w->f.arena;
	const struct text_catalogue words = english_catalogue(a);
	struct claim v[] = {
		{ &text[0], CLAIM_REPRODUCED, say_plain(a, STR("6x (\"n\" = 1)")),
		  say_plain(a, STR("So.")) },
		{ &text[1], CLAIM_NOT_TESTABLE, { STR("") }, say(a, "claim.need_busy", NULL) },
	};
	const struct claims c = { .v = v, .n = 2 };
	const char *path = fixture_path(&w->f, "out.csv");
	struct error err = { 0 };
	struct str got = STR("");

	fixture_put(&w->f, "out.csv", "");
	test_ok(w->t,
		claims_write(&c, &words, path, &w->f.arena, &err)
		    && file_read(path, 0, &w->f.arena, &got, &err),
		"written");
	test_str(w->t, got,
		 STR("id,claim,guide_value,computed_value,verdict,source,kind,why,"
		     "computed_value_msg,why_msg\n"
		     "1,\"a, b\",5x,\"6x (\"\"n\"\" = 1)\",reproduced,2019-04,computed,So.,"
		     "\"\"\"6x (\\\"\"n\\\"\" = 1)\"\"\",\"\"\"So.\"\"\"\n"
		     "2,c,'=1+1,,not-testable,2016-06,carried,Needs rows of a card alone and with "
		     "the other cards of its machine busy.,,\"[\"\"claim.need_busy\"\"]\"\n"),
		 "claims.csv: quoted, formulas made harmless, nothing computed is empty");
}

int main(void)
{
	static void (*const tests[])(struct claim_world * w) = {
		test_empty,    test_claim_15, test_price_dates, test_claim_16, test_claim_14,
		test_claim_17, test_claim_18, test_claim_19,    test_claim_20, test_claim_34,
		test_claim_36, test_advice,   test_claim_41,    test_claim_40, test_claim_21,
		test_list,     test_write,
	};
	struct test t = { 0 };
	struct claim_world w;

	if (!claim_world_open(&w, &t))
		return 1;
	for (size_t i = 0; i < LEN(tests); i++)
		tests[i](fresh(&w));
	claim_world_close(&w);
	return test_done(&t);
}
