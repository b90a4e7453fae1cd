#include "english.h"
#include "pick_fixture.h"

/* Every gate removes its card, and says so with the numbers. */
static void test_gates(struct test *t, struct market *m)
{
	struct device_note eta = { ETA, STR_INIT("too small") }, beta = { BETA, STR_INIT("x") };
	struct str amd = STR("AMD");
	struct pick_wish cnn = market_wish(CLASS_CNN);
	struct pick_wish listed = cnn, only = cnn, vendor = cnn, memory = cnn, power = cnn,
			 centers = cnn, three = cnn, gain = cnn, cloud = cnn, used = cnn,
			 fresh = cnn, budget = cnn, tight = cnn;

	listed.except = (struct device_notes){ &eta, 1 };
	only.only = (struct device_notes){ &beta, 1 };
	vendor.vendors = (struct str_list){ &amd, 1 };
	memory.memory_gb = 11;
	power.tdp_w = 120;
	centers.data_center = true;
	three.adjacent = true;
	three.gpus = 3;
	gain.owns = THETA;
	gain.gain_min = 1.25;
	cloud.lens = STR("cloud");
	used.condition = CONDITION_NEW;
	budget.budget_usd = 499.5;
	budget.gpus = 2;
	tight.budget_usd = 499.8;
	const struct {
		const struct pick_wish *wish;
		size_t device;
		enum gate gate;
		const char *reason;
	} cases[] = {
		{ &listed, ETA, GATE_LISTED, "too small" },
		{ &only, ALPHA, GATE_LISTED, "not among the cards named" },
		{ &vendor, ALPHA, GATE_VENDOR, "vendor NVIDIA" },
		{ &memory, ALPHA, GATE_MEMORY, "8 GB of memory, 11 GB wanted" },
		{ &power, BETA, GATE_POWER, "250 W, at most 120 W wanted" },
		{ &cnn, DELTA, GATE_HOST, "passive: it needs a server's stream of air" },
		{ &cnn, EPSILON, GATE_HOST, "form factor SXM2, no card for a slot" },
		{ &centers, ALPHA, GATE_LICENCE, "its driver licence bars it from data centers" },
		{ &three, ALPHA, GATE_COOLING, "open cooler: 3 side by side need a blower" },
		{ &cnn, ZETA, GATE_SCORE, "no score in cnn: nobody ran it" },
		{ &gain, BETA, GATE_GAIN, "1.23 times Theta, 1.25 wanted" },
		{ &cloud, ALPHA, GATE_PRICE, "no price in the lens cloud" },
		{ &cnn, EPSILON, GATE_PRICE, "no price in the lens card" },
		{ &used, ETA, GATE_CONDITION, "its price is of a used card" },
		{ &fresh, THETA, GATE_STALE, "its price of 2018-04-24 is stale (400 days)" },
		{ &budget, ALPHA, GATE_BUDGET, "$1,000 for 2 cards, budget $499.50" },
		{ &tight, ALPHA, GATE_BUDGET, "$500.00 for 1 card, budget $499.80" },
	};
	for (size_t i = 0; i < LEN(cases); i++) {
		struct pick p = picked(m, cases[i].wish);
		const struct candidate *c = candidate(&p, cases[i].device);

		test_ok(t, c->failed & 1u << cases[i].gate, cases[i].reason);
		test_said(t, &m->files.arena,
			  gate_reason(&m->in, cases[i].wish, c, cases[i].gate, &m->files.arena),
			  str_of(cases[i].reason), cases[i].reason);
	}
	struct memory_board two_gpus = { STR("Alpha"), 2, { 0 } };
	struct memory_settings boards = { .boards = &two_gpus, .nboards = 1 };
	m->in.memory = &boards;
	struct pick half = picked(m, &memory);
	test_said(
	    t, &m->files.arena,
	    gate_reason(&m->in, &memory, candidate(&half, ALPHA), GATE_MEMORY, &m->files.arena),
	    STR("4 GB of memory, 11 GB wanted"), "of a board with two GPUs a program has half");
	m->in.memory = NULL;
	struct pick p = picked(m, &three);
	test_ok(t, candidate(&p, BETA)->failed == 0, "boards of Beta with a blower are sold");
	test_ok(t, !(candidate(&p, DELTA)->failed & 1u << GATE_COOLING),
		"a passive card is its server's");
	three.gpus = 2;
	p = picked(m, &three);
	test_ok(t, candidate(&p, ALPHA)->failed == 0, "two open cards of 175 W go");
	p = picked(m, &gain);
	test_ok(t, candidate(&p, GAMMA)->failed == 0,
		"1.44 is 1.78 times 0.81, and 1.2 is above 0.9");
	m->score[GAMMA].peer_low = 0.85;
	p = picked(m, &gain);
	test_said(t, &m->files.arena,
		  gate_reason(&m->in, &gain, candidate(&p, GAMMA), GATE_GAIN, &m->files.arena),
		  STR("1.78 times Theta, but the intervals overlap"), "a gain that may be none");
	market_scores(m);
	m->score[ZETA].origin = ORIGIN_ESTIMATED;
	m->score[ZETA].score = 9;
	p = picked(m, &cnn);
	test_said(t, &m->files.arena,
		  gate_reason(&m->in, &cnn, candidate(&p, ZETA), GATE_SCORE, &m->files.arena),
		  STR("only an author's estimate in cnn"), "an estimate");
	test_ok(t, p.rows[0].device == ETA, "is never the pick");
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
	test_gates(&t, &m);
	market_close(&m);
	return test_done(&t);
}
