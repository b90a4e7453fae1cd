/* Advice in the small market of pick_fixture.h, worked out by hand. */
#include "english.h"
#include "pick_fixture.h"

#include "golden.h"
#include "../analyze/pick_text.h"
#include "../cli/pick_print.h"

#include <stdint.h>

/* Score a USD: Eta 0.25/100 = 0.0025, Alpha 0.64/500 = 0.00128, Beta 1/1200, Gamma 1.44/2500. Delta
 * and Epsilon need a server, Zeta has no score, Theta's price is stale (0.81/300 = 0.0027 would
 * lead). */
static void test_value(struct test *t, struct market *m)
{
	struct pick_wish w = market_wish(CLASS_CNN);
	struct pick p = picked(m, &w);

	test_ok(t, p.status == PICK_FOUND && p.nranked == 4 && p.nrows == 3, "four cards are left");
	test_ok(t, p.rows[0].device == ETA && p.rows[1].device == ALPHA && p.rows[2].device == BETA,
		"by score a USD");
	test_ok(t, p.rows[0].runner_up == ALPHA && p.rows[2].runner_up == GAMMA, "runners-up");
	test_near(t, p.rows[0].flips_below_usd, 256, 1e-9, "Alpha wins below 0.64 / 0.0025");
	test_near(t, p.rows[0].flips_above_usd, 195.3125, 1e-9, "Eta loses above 0.25 / 0.00128");
	test_near(t, p.rows[0].cost_usd, 100, 0, "its cost");
	/* Alpha's value reaches 0.7/450 = 0.00156, below Eta's lower end 0.2/100; Beta's 1/1200 is
	 * below Alpha's lower end 0.6/500; Gamma's 1.6/2500 below Beta's. */
	test_ok(t, !p.rows[0].tie && !p.rows[1].tie && !p.rows[2].tie, "no ties");
	test_said(t, &m->files.arena, p.rows[0].rule,
		  STR("most performance (CNN) per USD of the card among 4 cards"), "rule");
	test_said(t, &m->files.arena, p.rows[0].deciding,
		 STR("2.50 per $1,000 (score 0.25 at $100) against 1.28 of Alpha (0.64 at "
		     "$500)"),
		 "deciding numbers");
	test_said(t, &m->files.arena, p.rows[0].reason,
		 STR("by an old price Theta would be before it ($300 of 2018-04-24); price of "
		     "2019-05-27: "
		     "used"),
		 "the stale card is named apart");
}

/* The interval of a value: the worst score at the highest price, the best at the lowest. */
static void test_interval(struct test *t, struct market *m)
{
	struct pick_wish w = market_wish(CLASS_CNN);
	struct pick p;

	m->price[0].high = 600;
	p = picked(m, &w);
	test_near(t, candidate(&p, ALPHA)->value, 0.64 / 500, 1e-15, "value");
	test_near(t, candidate(&p, ALPHA)->value_low, 0.6 / 600, 1e-15, "its lower end");
	test_near(t, candidate(&p, ALPHA)->value_high, 0.7 / 450, 1e-15, "its upper end");
	market_prices(m);
}

/* At the flip price the two are equal; a cent below it the runner-up has won. */
static void test_flip(struct test *t, struct market *m)
{
	struct pick_wish w = market_wish(CLASS_CNN);
	struct card_price *alpha = &m->price[0], keep = *alpha;
	struct pick p;

	alpha->price_usd = alpha->low = alpha->high = 255.99;
	p = picked(m, &w);
	test_ok(t, p.rows[0].device == ALPHA, "below the flip price the runner-up wins");
	alpha->price_usd = alpha->low = alpha->high = 256.01;
	p = picked(m, &w);
	test_ok(t, p.rows[0].device == ETA, "above it does not");
	test_ok(t, p.rows[1].device == ALPHA && p.rows[1].tie, "they are tied there");
	*alpha = keep;
	w.memory_gb = 8;
	w.budget_usd = 1200;
	p = picked(m, &w);
	test_ok(t, p.nranked == 2 && p.rows[0].device == ALPHA && p.rows[0].runner_up == BETA,
		"a price equal to the budget is within it");
	test_near(t, p.rows[0].flips_below_usd, 781.25, 1e-9, "Beta wins below 1 / 0.00128");
	test_near(t, p.rows[0].flips_above_usd, 768, 1e-9, "Alpha loses above 0.64 / (1/1200)");
	test_said(t, &m->files.arena, p.rows[0].rule,
		 STR("most performance (CNN) per USD of the card among 2 cards with at least 8 GB "
		     "and at most "
		     "$1,200"),
		 "the rule with its limits");
}

/* Geometric means: Alpha sqrt(0.64 0.36) = 0.48, Gamma sqrt(1.44 1.69) = 1.56, with weights 2 and 1
 * Gamma (1.44^2 1.69)^(1/3). */
static void test_weights(struct test *t, struct market *m)
{
	struct pick_wish w = market_wish(CLASS_CNN);
	struct candidate c = { .device = GAMMA };

	w.weights[CLASS_TRANSFORMER] = 1;
	test_ok(t, gates_score(&m->in, &w, &c), "two classes");
	test_near(t, c.score, 1.56, 1e-11, "equal weights");
	test_near(t, c.low, sqrt(1.2 * 1.6), 1e-11, "the lower end");
	test_near(t, c.high, sqrt(1.6 * 1.8), 1e-11, "the upper end");
	c.device = ALPHA;
	gates_score(&m->in, &w, &c);
	test_near(t, c.score, 0.48, 1e-11, "Alpha");
	w.weights[CLASS_CNN] = 2;
	c.device = GAMMA;
	gates_score(&m->in, &w, &c);
	test_near(t, c.score, cbrt(1.44 * 1.44 * 1.69), 1e-11, "weights 2 and 1");
	w.weights[CLASS_LLM] = 7;
	gates_score(&m->in, &w, &c);
	test_near(t, c.score, cbrt(1.44 * 1.44 * 1.69), 1e-11,
		  "a class that the edition lacks weighs nothing");
	c.device = ZETA;
	test_ok(t, !gates_score(&m->in, &w, &c) && c.missing == CLASS_CNN && isnan(c.score),
		"a missing score is not 0: no mean");
	m->score[GAMMA].origin = ORIGIN_SCALED;
	c.device = GAMMA;
	test_ok(t, gates_score(&m->in, &w, &c) && c.origin == ORIGIN_SCALED,
		"one scaled class: scaled");
	m->score[GAMMA].origin = ORIGIN_ESTIMATED;
	test_ok(t, !gates_score(&m->in, &w, &c) && c.missing == CLASS_CNN,
		"an estimate is no score");
	m->score[GAMMA].origin = ORIGIN_MEASURED;
}

static void test_speed(struct test *t, struct market *m)
{
	struct pick_wish w = market_wish(CLASS_CNN);
	struct pick p;

	w.objective = OBJECTIVE_SPEED;
	w.budget_usd = 1200;
	p = picked(m, &w);
	test_ok(t, p.nranked == 3 && p.rows[0].device == BETA && p.rows[1].device == ALPHA,
		"by score");
	test_ok(t, isnan(p.rows[0].flips_below_usd), "no price makes a slower card faster");
	test_near(t, p.rows[0].flips_above_usd, 1200, 0, "above the budget it is gone");
	test_said(t, &m->files.arena, p.rows[0].deciding,
		 STR("score 1.00 (1.00 to 1.00) against 0.64 (0.60 to 0.70) of Alpha; $1,200 of "
		     "$1,200"),
		 "deciding numbers");
	w.budget_usd = NAN;
	p = picked(m, &w);
	test_ok(t, p.rows[0].device == GAMMA && isnan(p.rows[0].flips_above_usd),
		"no budget, no flip");
	/* Equal scores: the cheaper first, then the order of the catalogue. */
	m->score[ALPHA].score = 1;
	m->score[ALPHA].peer_high = 1;
	p = picked(m, &w);
	test_ok(t, p.rows[1].device == ALPHA && p.rows[2].device == BETA && p.rows[2].tie,
		"equal scores: the cheaper first, tied");
	m->price[0].price_usd = 1200;
	p = picked(m, &w);
	test_ok(t, p.rows[1].device == ALPHA && p.rows[2].device == BETA,
		"then the catalogue's order");
	market_scores(m);
	market_prices(m);
}

/* The first failed gate counts a card; the counts are those of the removed. */
static void test_counts(struct test *t, struct market *m)
{
	struct pick_wish w = market_wish(CLASS_CNN);
	struct pick p = picked(m, &w);
	size_t sum = 0;

	for (size_t g = 0; g < GATE_COUNT; g++)
		sum += pick_removed_count(&p, (enum gate)g);
	test_ok(t, sum == p.n - p.nranked && sum == 4, "each removed card is counted once");
	test_ok(t,
		pick_removed_count(&p, GATE_HOST) == 2 && pick_removed_count(&p, GATE_PRICE) == 0,
		"Epsilon by its form factor, not by its price");
	test_said(t, &m->files.arena,
		  pick_failures_said(&m->in, &w, candidate(&p, EPSILON), &m->files.arena),
		  STR("form factor SXM2, no card for a slot; no price in the lens card"),
		  "both are told");
}

static void test_stale(struct test *t, struct market *m)
{
	struct pick_wish w = market_wish(CLASS_CNN);
	struct pick p;

	for (size_t i = 0; i < m->prices.n; i++)
		if (m->price[i].price_usd > 0)
			m->price[i].flags |= PRICE_FLAG_STALE;
	p = picked(m, &w);
	test_ok(t, p.rows[0].device == THETA && p.status == PICK_FOUND,
		"where every price is stale they count, marked");
	market_prices(m);
	/* Used cards: Eta alone, and a stale Theta would not do beside it. */
	w.condition = CONDITION_USED;
	p = picked(m, &w);
	test_ok(t, p.nranked == 1 && p.rows[0].device == ETA, "used");
	test_said(t, &m->files.arena, p.rows[0].rule,
		 STR("most performance (CNN) per USD of the card among 1 used card"),
		 "the rule says so");
	w.lens = STR("cloud");
	w.host = HOST_ANY;
	p = picked(m, &w);
	test_ok(t, p.nranked == 2, "what is rented is neither new nor used");
	w.lens = STR("card");
	w.host = HOST_DESKTOP;
	m->price[8].flags |= PRICE_FLAG_STALE;
	p = picked(m, &w);
	test_ok(t, p.nranked == 1, "fresh prices of new cards do not make the only used one stale");
	market_prices(m);
}

/* Prices of a condition and of several cards in one machine, where they are known apart. */
static void test_apart(struct test *t, struct market *m)
{
	struct price_condition_entry used[] = {
		{ PRICE_USED, market_price(BETA, LENS_CARD, 250, 200, 300, PRICE_FLAG_USED) },
		{ PRICE_NEW, market_price(ETA, LENS_CARD, 190, 190, 190, 0) },
	};
	struct price_conditions conditions = { used, LEN(used) };
	struct system machines[] = {
		{ .device = BETA,
		  .gpus = 2,
		  .cards_usd = 2400,
		  .purchase_usd = 3400,
		  .total_usd = 4000,
		  .cards_low_usd = 2200,
		  .cards_high_usd = 2600,
		  .flags = PRICE_FLAG_HOST_STALE | PRICE_FLAG_TARIFF_OLD },
		{ .device = BETA,
		  .gpus = 1,
		  .cards_usd = 1200,
		  .purchase_usd = 2000,
		  .total_usd = NAN },
	};
	struct systems systems = { machines, LEN(machines) };
	struct pick_wish w = market_wish(CLASS_CNN);
	struct pick p;

	m->in.conditions = &conditions;
	w.condition = CONDITION_USED;
	p = picked(m, &w);
	test_ok(t, p.nranked == 1 && p.rows[0].device == BETA && p.rows[0].cost_usd == 250,
		"the used price of a card whose own price is new");
	test_said(t, &m->files.arena,
		  gate_reason(&m->in, &w, candidate(&p, ETA), GATE_PRICE, &m->files.arena),
		  STR("no used price in the lens card"), "and who has none");
	m->in.conditions = NULL;
	m->in.systems = &systems;
	w = market_wish(CLASS_CNN);
	w.lens = STR("system");
	w.gpus = 2;
	p = picked(m, &w);
	test_ok(t, p.nranked == 1 && p.rows[0].device == BETA, "a machine of two");
	test_near(t, p.rows[0].cost_usd, 3400, 1e-9, "cards and host");
	test_near(t, p.v[0].cost_usd, 1700, 1e-9, "half of it a card");
	test_near(t, p.v[0].price.low, 1600, 1e-9, "(3400 - 2400 + 2200) / 2");
	test_near(t, p.v[0].price.high, 1800, 1e-9, "(3400 - 2400 + 2600) / 2");
	test_ok(t, p.v[0].price.flags == PRICE_FLAG_HOST_STALE,
		"electricity is none of its matters");
	w.lens = STR("system+power");
	p = picked(m, &w);
	test_near(t, p.rows[0].cost_usd, 4000, 1e-9, "with its power");
	test_ok(t, p.v[0].price.flags == (PRICE_FLAG_HOST_STALE | PRICE_FLAG_TARIFF_OLD),
		"here it is");
	w.gpus = 1;
	p = picked(m, &w);
	test_ok(t, p.status == PICK_NONE, "no tariff, no price");
	w.gpus = 4;
	p = picked(m, &w);
	test_said(t, &m->files.arena,
		  gate_reason(&m->in, &w, candidate(&p, BETA), GATE_PRICE, &m->files.arena),
		  STR("no price in the lens system+power for 4 cards"),
		  "no host for four is on record");
	m->in.systems = NULL;
}

/* Wishes that no card meets. */
static void test_impossible(struct test *t, struct market *m)
{
	struct pick_wish w = market_wish(CLASS_TRANSFORMER);
	struct pick p;

	w.budget_usd = 10;
	w.memory_gb = 8;
	p = picked(m, &w);
	test_ok(t, p.status == PICK_NEAREST && p.nrows == 1 && p.rows[0].device == ZETA,
		"the cheapest that meets the rest");
	test_said(t, &m->files.arena, p.rows[0].reason,
		 STR("cheapest that meets the rest: $150 for 1 card, budget $10"),
		 "what must give");
	test_ok(t, isnan(p.rows[0].flips_below_usd) && p.rows[0].runner_up == SIZE_MAX, "no flip");
	w.budget_usd = 300;
	w.memory_gb = 11;
	p = picked(m, &w);
	test_ok(t, p.nrows == 2 && p.rows[0].device == BETA && p.rows[1].device == ZETA,
		"either pay more, or take less memory");
	test_said(t, &m->files.arena, p.rows[1].reason,
		 STR("most memory that meets the rest: 8 GB of memory, 11 GB wanted"),
		 "what must give");
	/* 8 GB: of Theta (stale besides) and Zeta; the most memory first, here equal: the better
	 * value, Zeta 0.25 / 150. A wish in two ways out of reach: */
	w.memory_gb = 40;
	w.budget_usd = 10;
	p = picked(m, &w);
	test_ok(t, p.nrows == 1 && p.rows[0].device == ETA, "two things must give: the cheapest");
	test_said(t, &m->files.arena, p.rows[0].reason,
	    STR("nearest of all: 6 GB of memory, 40 GB wanted; $100 for 1 card, budget $10"),
	    "both are told");
	w = market_wish(CLASS_LLM);
	p = picked(m, &w);
	test_ok(t, p.status == PICK_NONE && p.nrows == 1 && p.rows[0].device == SIZE_MAX,
		"a class that the edition lacks");
	test_said(t, &m->files.arena, p.rows[0].reason, STR("not in this edition: LLM inference"),
		  "why");
	w = market_wish(CLASS_CNN);
	w.lens = STR("system");
	p = picked(m, &w);
	test_said(t, &m->files.arena, p.rows[0].reason,
		 STR("no card with a score and a price is left (does not fit the host: 2; no "
		     "score: 1; no "
		     "price: 5)"),
		 "a lens without prices");
	m->in.nindices = 0;
	p = picked(m, &w);
	test_said(t, &m->files.arena, p.rows[0].reason, STR("the edition has no card"),
		  "an edition without cards");
	m->in.nindices = MARKET_DEVICES;
}

/* 0.64 to 0.7 of Alpha and 0.81 of Theta, priced alike: overlapping intervals. */
static void test_ties(struct test *t, struct market *m)
{
	struct pick_wish w = market_wish(CLASS_CNN);
	struct pick p;
	size_t n, *tied;

	m->price[0].price_usd = m->price[0].low = m->price[0].high = 320;
	m->price[9].flags = 0;
	w.memory_gb = 8;
	p = picked(m, &w);
	tied = pick_tied(&p, &m->files.arena, &n);
	/* Theta 0.81/300 = 0.0027 from 0.7/300 = 0.00233; Alpha 0.002 up to 0.7/320 = 0.00219: no
	 * tie. */
	test_ok(t, p.rows[0].device == THETA && !p.rows[1].tie && n == 0, "just not touching");
	m->price[0].low = 300; /* 0.7/300: they touch */
	p = picked(m, &w);
	tied = pick_tied(&p, &m->files.arena, &n);
	test_ok(t, p.rows[1].device == ALPHA && p.rows[1].tie && n == 1 && tied[0] == ALPHA,
		"touching");
	test_said(t, &m->files.arena, p.rows[0].reason,
		  STR("cannot be told from Alpha by these numbers"), "said in words");
	m->score[ALPHA].peer_high = NAN;
	p = picked(m, &w);
	test_ok(t, !p.rows[1].tie, "an interval that is not known makes no tie");
	market_scores(m);
	market_prices(m);
}

static void test_agreement(struct test *t, struct market *m)
{
	struct picks p;

	picks_compute(&m->in, &m->personas, &m->files.arena, &p);
	test_ok(t, p.n == m->personas.n, "a pick a persona");
	test_str(t, p.v[0].agrees, STR("yes"), "thrifty: Alpha, as the guide");
	test_str(t, p.v[1].agrees, STR("no"), "quick: Gamma, the guide said Alpha");
	test_str(t, p.v[2].agrees, STR(""), "rack: the guide said nothing");
	test_ok(t, p.v[3].status == PICK_KEEP && p.v[3].rows[0].device == THETA,
		"owner: keep Theta");
	test_str(t, p.v[3].agrees, STR("yes"), "as the guide");
	test_said(t, &m->files.arena, p.v[3].rows[0].reason,
		 STR("keep Theta: the best within reach is Beta with 1.23 times "
		     "Theta, 1.5 wanted"),
		 "and why");
	m->price[2].price_usd = 5000;
	m->score[ALPHA].peer_high = m->score[MARKET_DEVICES + ALPHA].peer_high = 1;
	picks_compute(&m->in, &m->personas, &m->files.arena, &p);
	test_ok(t, p.v[1].rows[0].device == BETA, "Gamma twice is over the budget now");
	test_str(t, p.v[1].agrees, STR("tie"), "Alpha cannot be told from Beta");
	market_scores(m);
	market_prices(m);
}

static void test_files(struct test *t, struct market *m)
{
	struct arena *a = &m->files.arena;
	struct picks p;
	const struct text_catalogue words = english_catalogue(a);
	struct error err = { 0 };
	struct str text = STR("");
	const char *path;

	picks_compute(&m->in, &m->personas, a, &p);
	fixture_put(&m->files, "picks.csv", "");
	path = fixture_path(&m->files, "picks.csv");
	test_ok(t,
		picks_write(&p, &m->devices, &words, path, a, &err)
		    && file_read(path, 0, a, &text, &err),
		"picks.csv");
	test_golden(t, text, "tests/pick/picks.csv", a, "picks.csv of all personas");
	test_ok(t,
		picks_write_removed(&p, &m->in, &words, path, a, &err)
		    && file_read(path, 0, a, &text, &err),
		"pick_removed.csv");
	test_golden(t, text, "tests/pick/pick_removed.csv", a, "pick_removed.csv of all personas");
	test_ok(
	    t,
	    !picks_write(&p, &m->devices, &words, fixture_path(&m->files, "none/x.csv"), a, &err)
		&& err.code == ERR_ENVIRONMENT,
	    "a folder that is not there");
}

/* No line is longer than a terminal's 80 columns. */
static bool fits_terminal(struct str text)
{
	struct str line;
	bool good = true;

	while (str_cut(&text, '\n', &line)) {
		size_t n = 0;
		for (size_t i = 0; i < line.len; i++)
			n += ((unsigned char)line.p[i] & 0xC0) != 0x80;
		good &= n <= 80;
	}
	return good;
}

static void test_print(struct test *t, struct market *m)
{
	struct arena *a = &m->files.arena;
	struct readback r = { .dir = STR("out/2019-05-29"),
			      .folder = STR("2019-05-29"),
			      .edition = m->edition };
	struct strbuf text = { .arena = a }, json = { .arena = a };
	struct picks p;
	const struct text_catalogue words = english_catalogue(a);
	struct error err = { 0 };
	const struct text_english e = { &words, a, &err };
	bool fits = true;

	picks_compute(&m->in, &m->personas, a, &p);
	for (size_t i = 0; i < p.n; i++) {
		struct str one = pick_print_text(&r, &m->in, &p.v[i], &e);
		fits &= fits_terminal(one);
		strbuf_add(&text, one);
		strbuf_add(&text, STR("----\n"));
		strbuf_add(&json, pick_print_json(&r, &m->in, &p.v[i], &e));
	}
	test_ok(t, fits && err.code == ERR_NONE, "80 columns");
	test_golden(t, strbuf_str(&text), "tests/pick/terminal.txt", a, "what the terminal shows");
	test_golden(t, strbuf_str(&json), "tests/pick/picks.json", a, "the same as JSON");
	/* A card with a hostile name, as an edition's file might bring it. */
	m->devices.v[ETA].name = STR("\x1b[2Jx\xe2\x80\xae");
	struct pick_wish w = market_wish(CLASS_CNN);
	struct pick one = picked(m, &w);
	struct str shown = pick_print_text(&r, &m->in, &one, &e),
		   data = pick_print_json(&r, &m->in, &one, &e);
	test_ok(t,
		str_find(shown, STR("\x1b"), 0) == shown.len
		    && str_find(shown, STR("\xe2\x80\xae"), 0) == shown.len
		    && str_find(shown, STR("?[2Jx?"), 0) < shown.len,
		"the terminal gets no escape sequence");
	test_ok(t,
		str_find(data, STR("\x1b"), 0) == data.len
		    && str_find(data, STR("\xe2\x80\xae"), 0) == data.len,
		"nor does JSON hold one");
	m->devices.v[ETA].name = STR("Eta");
}

static void test_words(struct test *t, struct arena *a)
{
	test_str(t, pick_usd(a, 1049), STR("$1,049"), "dollars");
	test_str(t, pick_usd(a, 449.99), STR("$450"), "without cents from 100 on");
	test_str(t, pick_figure(a, 0.74), STR("0.74"), "two decimals");
	test_str(t, pick_figure(a, 0.048), STR("0.048"), "three for small figures");
	test_str(t, pick_status_name(PICK_KEEP), STR("keep"), "a status");
	test_str(t, gate_name(GATE_COOLING), STR("no blower"), "a gate");
}

/* Of what may give, an old price goes before the budget. */
static void test_old_price_first(struct test *t, struct market *m)
{
	struct pick_wish w = market_wish(CLASS_CNN);

	w.memory_gb = 8;
	w.budget_usd = 350;
	struct pick p = picked(m, &w);
	test_ok(t,
		p.status == PICK_NEAREST && p.nrows >= 2 && p.rows[0].device == THETA
		    && p.rows[1].device == ALPHA,
		"Theta's old $300 is nearer than $500 for Alpha");
}

/* A scaled reference widens every interval; it does not make ties. */
static void test_peer_ends(struct test *t, struct market *m)
{
	struct pick_wish w = pick_wish_default();

	w.weights[CLASS_CNN] = 1;
	w.objective = OBJECTIVE_SPEED;
	for (size_t i = 0; i < MARKET_DEVICES; i++) {
		m->score[i].low = m->score[i].peer_low / 2;
		m->score[i].high = m->score[i].peer_high * 2;
	}
	struct pick p = picked(m, &w);
	test_ok(t, p.rows[0].device == GAMMA && p.rows[1].device == BETA && !p.rows[1].tie,
		"Beta, 1, is below Gamma's peer end, 1.2");
	test_near(t, p.rows[0].low, 0.6, 1e-12, "but what is said is the whole interval");
	test_near(t, p.rows[0].high, 3.2, 1e-12, "at both ends");
	market_scores(m);
}

int main(void)
{
	struct test t = { 0 };
	struct market m;
	struct error err = { 0 };

	test_ok(&t, market_open(&m, MARKET_PERSONAS, &err), "the small market");
	if (err.code != ERR_NONE) {
		error_print(stdout, &err);
		return test_done(&t);
	}
	test_value(&t, &m);
	test_interval(&t, &m);
	test_flip(&t, &m);
	test_weights(&t, &m);
	test_speed(&t, &m);
	test_old_price_first(&t, &m);
	test_peer_ends(&t, &m);
	test_counts(&t, &m);
	test_stale(&t, &m);
	test_apart(&t, &m);
	test_impossible(&t, &m);
	test_ties(&t, &m);
	test_agreement(&t, &m);
	test_files(&t, &m);
	test_print(&t, &m);
	test_words(&t, &m.files.arena);
	market_close(&m);
	return test_done(&t);
}
