/* Changes between two editions, split by hand. */
#include "change_fixture.h"

/* R costs half; A is faster and dearer; B is measured; C has a price; E is new; G's anchor lost a
 * quarter. */
static const struct folder summer = {
	SCORES "R,cnn,1,,,measured,,,,4,9,4,lab,\n"
	       "A,cnn,0.6,,,measured,,,,2,2,4,lab,\n"
	       "B,cnn,1,,,measured,,,,1,1,4,lab,\n"
	       "C,cnn,0.7,,,measured,,,,1,1,4,lab,\n"
	       "E,cnn,2,,,measured,,,,1,1,4,lab,\n"
	       "F,cnn,,,,excluded,,,,,,,,too uncertain\n"
	       "G,cnn,0.3,,,scaled,R,linear bandwidth_gbs,20,,,,,\n",
	VALUES "R,cnn,card,500,0.8,,,4,no,ok\n"
	       "A,cnn,card,300,0.8,,,5,no,ok\n"
	       "B,cnn,card,400,1,,,2,no,ok\n"
	       "C,cnn,card,350,0.8,,,3,no,ok\n"
	       "E,cnn,card,500,1,,,1,no,ok\n"
	       "F,cnn,card,100,,,,,,no-score\n"
	       "G,cnn,card,320,0.3,,,6,no,ok\n",
	PRICES "R,card,500,,,ebay,1,2019-08-01,0,ok\nA,card,300,,,amazon,1,2019-08-01,0,ok\n"
	       "B,card,400,,,ebay,1,2019-08-01,0,ok\n",
	SETTINGS("2019-08-01", "R", "guide", "amazon, ebay"),
	HASH "5  -  input:data/contributions/lab/a.csv\n" HASH
	     "6  -  input:data/contributions/lab/b.csv\n" HASH
	     "7  -  input:data/prices/august.csv\n" HASH "2  -  input:editions/hand.ini\n",
	"{\n \"generator\": \"gpuguide 0.2.0\",\n}\n",
};
/* The text with `was`, which stands in it, as `is` once. */
static struct str replaced(struct arena *a, const char *text, const char *was, const char *is)
{
	struct str all = str_of(text);
	size_t at = str_find(all, str_of(was), 0);

	return str_printf(a, STR_FMT "%s" STR_FMT, STR_ARG(str_slice(all, 0, at)), is,
			  STR_ARG(str_slice(all, at + str_of(was).len, all.len)));
}

/* NULL, with a failed test, when one of the two cannot be read. */
static const struct changes *compare_lens(struct bench *b, const struct folder *x,
					  const struct folder *y, const char *lens)
{
	struct change_edition *old = arena_alloc(b->arena, sizeof *old),
			      *now = arena_alloc(b->arena, sizeof *now);
	struct changes *c = arena_alloc(b->arena, sizeof *c);
	struct error err = { 0 };

	if (!change_read_edition(make(b, x), str_of(lens), b->arena, old, &err)
	    || !change_read_edition(make(b, y), str_of(lens), b->arena, now, &err)) {
		error_print(stderr, &err);
		test_ok(b->t, false, "both editions are read");
		return NULL;
	}
	change_compute(old, now, b->arena, c);
	return c;
}

static const struct changes *compare(struct bench *b, const struct folder *x,
				     const struct folder *y)
{
	return compare_lens(b, x, y, "card");
}

static const struct change *find(const struct changes *c, const char *device)
{
	for (size_t i = 0; c && i < c->n; i++)
		if (str_eq(c->v[i].device, str_of(device)))
			return &c->v[i];
	return NULL;
}

/* Percentages worked out by hand; NAN: not known. */
struct want {
	const char *device;
	enum change_status status;
	double price, data, method, total;
	const char *reason;
};

static void near_or_unknown(struct test *t, double got, double want, const char *name)
{
	if (isnan(want))
		test_ok(t, isnan(got), name);
	else
		test_near(t, got, want, 1e-9, name);
}

static void test_change(struct test *t, const struct changes *c, const struct want *w,
			const char *what)
{
	const struct change *m = find(c, w->device);
	char name[128];

	snprintf(name, sizeof name, "%s: %s", what, w->device);
	if (!m) {
		test_ok(t, false, name);
		return;
	}
	test_ok(t, m->status == w->status, name);
	near_or_unknown(t, change_percent(m->price), w->price, name);
	near_or_unknown(t, change_percent(m->data), w->data, name);
	near_or_unknown(t, change_percent(m->method), w->method, name);
	near_or_unknown(t, change_percent(m->total), w->total, name);
	if (!isnan(w->total))
		test_near(t, m->price + m->data + m->method, m->total, 1e-12,
			  "the three parts make the total");
	if (w->reason)
		test_str(t, m->reason, str_of(w->reason), name);
}

/* R: 1000 to 500 USD is +100 %. A: 200 to 300 USD is 2/3 - 1, 0.5 to 0.6 is +20 %, together 2/3
 * x 1.2 = 0.8. B: 0.8 scaled to 1 measured is +25 % by another rule. G: same rule, 0.4 to 0.3, is
 * -25 %. */
static void test_split(struct bench *b)
{
	static const struct want wants[] = {
		{ "R", CHANGE_CHANGED, 100, 0, 0, 100, "price from: amazon before, ebay now" },
		{ "A", CHANGE_CHANGED, -100.0 / 3, 20, 0, -20, "" },
		{ "B", CHANGE_CHANGED, 0, 0, 25, 25,
		  "origin: scaled before, measured now; anchor: R before, none now; "
		  "predictor: linear fp32_tflops before, none now" },
		{ "C", CHANGE_NEW, NAN, NAN, NAN, NAN, "no price before" },
		{ "D", CHANGE_GONE, NAN, NAN, NAN, NAN, "not in the new edition" },
		{ "E", CHANGE_NEW, NAN, NAN, NAN, NAN, "not in the old edition" },
		{ "F", CHANGE_SAME, NAN, NAN, NAN, NAN,
		  "no score before: too uncertain; no score now: too uncertain" },
		{ "G", CHANGE_CHANGED, 0, -25, 0, -25, "" },
	};
	const struct changes *c = compare(b, &spring, &summer);

	if (!c)
		return;
	test_ok(b->t, c->n == LEN(wants) && c->nclasses == 1 && !c->nothing,
		"one change a card of either");
	for (size_t i = 0; i < LEN(wants); i++)
		test_change(b->t, c, &wants[i], "split");
	test_str(b->t, c->classes[0].unit, STR("R"), "the unit is the reference");
	test_ok(b->t, !c->classes[0].rescaled, "nothing had to be rescaled");
	test_ok(b->t,
		c->classes[0].count[CHANGE_CHANGED] == 4 && c->classes[0].count[CHANGE_NEW] == 2
		    && c->classes[0].count[CHANGE_GONE] == 1
		    && c->classes[0].count[CHANGE_SAME] == 1,
		"counts");
	/* |log 2| + |log 2/3| ; log 1.2 + |log 0.75| ; log 1.25 */
	test_near(b->t, c->classes[0].price, log(2) + log(1.5), 1e-12, "what prices moved");
	test_near(b->t, c->classes[0].data, log(1.2) - log(0.75), 1e-12, "what data moved");
	test_near(b->t, c->classes[0].method, log(1.25), 1e-12, "what method moved");
	test_ok(b->t, find(c, "A")->old->rank == 1 && find(c, "A")->now->rank == 5,
		"ranks of both");
}

static void test_inputs(struct bench *b)
{
	static const struct {
		enum change_input_kind kind;
		const char *path, *group;
	} wants[] = {
		{ CHANGE_INPUT_ADDED, "data/prices/august.csv", "prices" },
		{ CHANGE_INPUT_REMOVED, "data/prices/may.csv", "prices" },
		{ CHANGE_INPUT_CHANGED, "data/contributions/lab/a.csv", "benchmark rows" },
		{ CHANGE_INPUT_ADDED, "data/contributions/lab/b.csv", "benchmark rows" },
	};
	const struct changes *c = compare(b, &spring, &summer);

	if (!c)
		return;
	test_ok(b->t, c->inputs_known && c->ninputs == LEN(wants), "input files that differ");
	for (size_t i = 0; i < LEN(wants) && i < c->ninputs; i++)
		test_ok(b->t,
			c->inputs[i].kind == wants[i].kind
			    && str_eq(c->inputs[i].path, str_of(wants[i].path))
			    && str_eq(c->inputs[i].group, str_of(wants[i].group)),
			wants[i].path);
	test_ok(b->t, c->program_differs && c->nsettings == 0,
		"the program differs, no setting does");
}

static void test_nothing(struct bench *b)
{
	const struct changes *c = compare(b, &spring, &spring);
	struct folder f = spring;

	test_ok(b->t, c && c->nothing && c->ninputs == 0, "the same edition: nothing changed");
	for (size_t i = 0; c && i < c->n; i++)
		test_ok(b->t, c->v[i].status == CHANGE_SAME,
			"the same edition: every card is the same");
	f.manifest = NULL;
	f.report = NULL;
	c = compare(b, &f, &f);
	test_ok(b->t, c && c->nothing && !c->inputs_known && !c->program_differs,
		"without MANIFEST the inputs are not known");
	f = spring;
	f.manifest =
	    HASH "0  -  input:data/contributions/lab/a.csv\n" HASH
		 "1  -  input:data/prices/may.csv\n" HASH "2  -  input:editions/hand.ini\n" HASH
		 "3  -  input:previous/summary.json\n";
	f.edition = SETTINGS("2019-05-01", "R", "guide", "amazon, ebay")
	    "previous_date,2019-04-01\nprevious_id,2019-04-01-0123456789ab\n";
	c = compare(b, &spring, &f);
	test_ok(b->t, c && c->nothing && c->ninputs == 0 && c->nsettings == 0,
		"what an edition was itself compared with is no change");
	f = spring;
	f.edition = SETTINGS("2019-05-02", "R", "guide", "amazon, ebay");
	c = compare(b, &spring, &f);
	test_ok(b->t, c && !c->nothing, "a date of its own is a change");
	/* 12 digits: the 13th is noise, the 8th is not */
	f = spring;
	f.scores = SCORES
	    "R,cnn,1,,,measured,,,,3,9,4,lab,\nA,cnn,0.50000000000005,,,measured,,,,2,2,4,lab,\n";
	f.values = VALUES "R,cnn,card,1000,0.4,,,5,no,ok\nA,cnn,card,200,1,,,1,no,ok\n";
	c = compare(b, &spring, &f);
	test_ok(b->t, c && find(c, "A")->status == CHANGE_SAME, "noise is no move");
	f.scores =
	    SCORES "R,cnn,1,,,measured,,,,3,9,4,lab,\nA,cnn,0.50000005,,,measured,,,,2,2,4,lab,\n";
	c = compare(b, &spring, &f);
	test_ok(b->t, c && find(c, "A")->status == CHANGE_CHANGED, "a millionth is one");
}

/* The same moves under other rules: the whole part of each belongs to the method. */
static void test_rules(struct bench *b)
{
	static const struct {
		const char *name, *edition;
		struct want a, g;
	} cases[] = {
		{ "another precision policy",
		  SETTINGS("2019-08-01", "R", "best", "amazon, ebay"),
		  { "A", CHANGE_CHANGED, -100.0 / 3, 0, 20, -20, "" },
		  { "G", CHANGE_CHANGED, 0, 0, -25, -25, "" } },
		{ "another mix of markets",
		  SETTINGS("2019-08-01", "R", "guide", "amazon"),
		  { "A", CHANGE_CHANGED, 0, 20, -100.0 / 3, -20, "" },
		  { "G", CHANGE_CHANGED, 0, -25, 0, -25, "" } },
		{ "another age limit",
		  SETTINGS("2019-08-01", "R", "guide", "amazon, ebay") "stale_days,90\n",
		  { "A", CHANGE_CHANGED, 0, 20, -100.0 / 3, -20, "" },
		  { "G", CHANGE_CHANGED, 0, -25, 0, -25, "" } },
		{ "other anchors move scaled cards only",
		  SETTINGS("2019-08-01", "R", "guide", "amazon, ebay") "anchors,R\n",
		  { "A", CHANGE_CHANGED, -100.0 / 3, 20, 0, -20, "" },
		  { "G", CHANGE_CHANGED, 0, 0, -25, -25, "" } },
		{ "a limit of error moves no score",
		  SETTINGS("2019-08-01", "R", "guide", "amazon, ebay") "max_error,2\n",
		  { "A", CHANGE_CHANGED, -100.0 / 3, 20, 0, -20, "" },
		  { "G", CHANGE_CHANGED, 0, -25, 0, -25, "" } },
		{ "a policy of another class",
		  SETTINGS("2019-08-01", "R", "guide", "amazon, ebay") "policy.llm,each\n",
		  { "A", CHANGE_CHANGED, -100.0 / 3, 20, 0, -20, "" },
		  { "G", CHANGE_CHANGED, 0, -25, 0, -25, "" } },
	};

	for (size_t i = 0; i < LEN(cases); i++) {
		struct folder f = summer;
		const struct changes *c;

		f.edition = cases[i].edition;
		c = compare(b, &spring, &f);
		if (!c)
			continue;
		test_ok(b->t, c->nsettings == 1, cases[i].name);
		test_change(b->t, c, &cases[i].a, cases[i].name);
		test_change(b->t, c, &cases[i].g, cases[i].name);
	}
}

/* G moves as before, but one word about its rule differs. */
static void test_predictor(struct bench *b)
{
	static const char *const rules[] = { "R,linear fp32_tflops", "A,linear bandwidth_gbs" };
	static const struct want g = { "G", CHANGE_CHANGED, 0, 0, -25, -25, NULL };

	for (size_t i = 0; i < LEN(rules); i++) {
		struct folder f = summer;
		const struct changes *c;

		f.scores = str_c(b->arena, str_printf(b->arena,
						      SCORES "R,cnn,1,,,measured,,,,4,9,4,lab,\n"
							     "G,cnn,0.3,,,scaled,%s,20,,,,,\n",
						      rules[i]));
		f.values = VALUES "R,cnn,card,500,1,,,1,no,ok\nG,cnn,card,320,0.3,,,2,no,ok\n";
		if ((c = compare(b, &spring, &f)) != NULL)
			test_change(b->t, c, &g, rules[i]);
	}
}

/* The same sums and scores, got otherwise: B's price was a list price and is a market's, A's grew
 * old; F and C still have no value, for another reason. R stays. */
static void test_sources(struct bench *b)
{
	static const struct want wants[] = {
		{ "R", CHANGE_SAME, 0, 0, 0, 0, "" },
		{ "A", CHANGE_CHANGED, 0, 0, 0, 0, "price status: ok before, stale now" },
		{ "B", CHANGE_CHANGED, 0, 0, 0, 0,
		  "price from: msrp before, amazon now; "
		  "price status: stale fallback before, ok now" },
		{ "C", CHANGE_CHANGED, NAN, NAN, NAN, NAN,
		  "no price before; no price now; status: no-price before, no-host now" },
		{ "F", CHANGE_CHANGED, NAN, NAN, NAN, NAN,
		  "no score before: too uncertain; no score now: nobody ran it" },
	};
	struct folder x = spring, y = spring;
	const struct changes *c;

	x.prices = PRICES "R,card,1000,,,amazon,1,2019-05-01,0,ok\n"
			  "A,card,200,,,amazon,1,2019-05-01,0,ok\n"
			  "B,card,400,,,msrp,1,2017-05-01,730,stale fallback\n";
	y.prices = PRICES "R,card,1000,,,amazon,1,2019-05-01,0,ok\n"
			  "A,card,200,,,amazon,1,2019-01-01,120,stale\n"
			  "B,card,400,,,amazon,1,2019-05-01,0,ok\n";
	y.scores =
	    str_c(b->arena, replaced(b->arena, spring.scores, "too uncertain", "nobody ran it"));
	y.values = str_c(b->arena, replaced(b->arena, spring.values, "no-price", "no-host"));
	if ((c = compare(b, &x, &y)) == NULL)
		return;
	for (size_t i = 0; i < LEN(wants); i++)
		test_change(b->t, c, &wants[i], "the same sum");
	test_ok(b->t, !c->nothing && c->classes[0].count[CHANGE_CHANGED] == 4,
		"and that is something that changed");
}

#define METHOD(scaling, method)                                                                    \
	"key,value\nname,hand\ndate,2019-08-01\nreference,R\nclasses,cnn\nmarkets,\"amazon, "      \
	"ebay\"\n"                                                                                 \
	"policy.cnn,guide\nreference.cnn,measured\nscaling.cnn," scaling "\nmethod.cnn," method    \
	"\n"

/* A method is a result where the choice is left to the back-test, a setting where somebody made it;
 * scaled cards move by method either way. */
static void test_result(struct bench *b)
{
	static const struct want g = { "G", CHANGE_CHANGED, 0, 0, -25, -25, "" };
	static const struct {
		const char *name, *old, *now;
		size_t settings;
		bool result;
	} cases[] = {
		{ "found best", METHOD("best", "linear"), METHOD("best", "kriging"), 1, true },
		{ "chosen", METHOD("linear", "linear"), METHOD("kriging", "kriging"), 2, false },
		{ "chosen after all", METHOD("best", "linear"), METHOD("kriging", "kriging"), 2,
		  true },
	};

	for (size_t i = 0; i < LEN(cases); i++) {
		struct folder x = spring, y = summer;
		const struct changes *c;

		x.edition = cases[i].old;
		y.edition = cases[i].now;
		if ((c = compare(b, &x, &y)) == NULL)
			continue;
		test_ok(b->t, c->nsettings == cases[i].settings, cases[i].name);
		for (size_t k = 0; k < c->nsettings; k++)
			test_ok(b->t,
				c->settings[k].result
				    == (cases[i].result
					&& str_eq(c->settings[k].key, STR("method.cnn"))),
				cases[i].name);
		test_change(b->t, c, &g, cases[i].name);
	}
}

/* One date and the same files: nothing but the program can have moved anything. */
static void test_same_inputs(struct bench *b)
{
	static const struct want a = { "A", CHANGE_CHANGED, 0, 0, -20, -20, "" },
				 later = { "A", CHANGE_CHANGED, -100.0 / 3, 20, 0, -20, "" },
				 prices = { "A", CHANGE_CHANGED, -100.0 / 3, 0, 20, -20, "" };
	struct folder f = summer;
	const struct changes *c;

	f.manifest = spring.manifest;
	if ((c = compare(b, &spring, &f)) != NULL)
		test_change(b->t, c, &later, "the same files at a later date");
	f.edition = spring.edition;
	if ((c = compare(b, &spring, &f)) != NULL)
		test_change(b->t, c, &a, "the same files and date");
	f.manifest =
	    HASH "0  -  input:data/contributions/lab/a.csv\n" HASH
		 "8  -  input:data/prices/may.csv\n" HASH "2  -  input:editions/hand.ini\n";
	if ((c = compare(b, &spring, &f)) != NULL)
		test_change(b->t, c, &prices, "other prices, the same rows and date");
}

/* Another reference: R is 2 there, A 1.2, G 0.6; divided by a common card they move as before. A
 * has 2 machines in both, R 3 and 4: R is the better known. */
static void test_scale(struct bench *b)
{
	static const struct want a = { "A", CHANGE_CHANGED, -100.0 / 3, 20, 0, -20, "" };
	static const struct want refused = {
		"A",
		CHANGE_CHANGED,
		NAN,
		NAN,
		NAN,
		NAN,
		"the scores have no common scale; origin: measured before, scaled now; "
		"anchor: none before, Z now; predictor: none before, linear x now"
	};
	struct folder f = summer;
	const struct changes *c;

	f.scores = SCORES "R,cnn,2,,,measured,,,,4,9,4,lab,\nA,cnn,1.2,,,measured,,,,2,2,4,lab,\n"
			  "Z,cnn,1,,,measured,,,,9,9,4,lab,\n";
	f.values = VALUES "R,cnn,card,500,0.8,,,2,no,ok\nA,cnn,card,300,1,,,1,no,ok\n";
	f.edition = SETTINGS("2019-08-01", "Z", "guide", "amazon, ebay");
	if ((c = compare(b, &spring, &f)) != NULL) {
		test_change(b->t, c, &a, "another reference");
		test_str(b->t, c->classes[0].unit, STR("R"),
			 "another reference: the best-known common card");
		test_ok(b->t,
			c->classes[0].rescaled && c->classes[0].old_unit == 1
			    && c->classes[0].now_unit == 2,
			"another reference: rescaled");
		test_str(b->t, c->classes[0].note,
			 STR("the reference was R and is Z; scores are compared in units of R, "
			     "which both measured"),
			 "another reference: it is said");
	}
	f.scores =
	    SCORES "R,cnn,2,,,scaled,Z,linear x,,,,,,\nA,cnn,1.2,,,scaled,Z,linear x,,,,,,\n";
	if ((c = compare(b, &spring, &f)) != NULL) {
		test_change(b->t, c, &refused, "no common card");
		test_ok(b->t, c->classes[0].unit.len == 0, "no common card: no unit");
		test_str(b->t, c->classes[0].note,
			 STR("the reference was R and is Z, and no card is measured in both: "
			     "their scores have no common scale"),
			 "no common card: it is said");
	}
	f = summer;
	f.edition = "key,value\ndate,2019-08-01\nreference,R\nclasses,cnn\nmarkets,\"amazon, "
		    "ebay\"\nname,hand\n"
		    "policy.cnn,guide\nmethod.cnn,linear\nreference.cnn,scaled\n";
	if ((c = compare(b, &spring, &f)) != NULL)
		test_str(b->t, c->classes[0].note,
			 STR("the reference R is not measured in both editions; scores are "
			     "compared in units of R, which both measured"),
			 "a scaled reference");
}

/* R costs 1500 USD in a host for one card and 1000 in one for two: that is a setting, not a price.
 */
static void test_system(struct bench *b)
{
	static const struct want system = { "R", CHANGE_CHANGED, 0, 0, 50, 50, NULL },
				 card = { "R", CHANGE_CHANGED, 100, 0, 0, 100, NULL };
	struct folder one = spring, two = summer;
	const struct changes *c;

	one.values = VALUES "R,cnn,card,1000,1,,,1,no,ok\nR,cnn,system,1500,1,,,1,no,ok\n";
	two.values = VALUES "R,cnn,card,500,1,,,1,no,ok\nR,cnn,system,1000,1,,,1,no,ok\n";
	two.edition = SETTINGS("2019-08-01", "R", "guide", "amazon, ebay") "gpus,2\n";
	if ((c = compare_lens(b, &one, &two, "system")) != NULL)
		test_change(b->t, c, &system, "lens system, another number of cards");
	if ((c = compare_lens(b, &one, &two, "card")) != NULL)
		test_change(b->t, c, &card, "lens card, another number of cards");
}

static void test_csv(struct bench *b)
{
	static const char want[] =
	    "device,class,old_rank,new_rank,from_price_pct,from_data_pct,from_method_pct,status,"
	    "reason,total_pct,"
	    "old_score,new_score,old_cost_usd,new_cost_usd\n"
	    "R,cnn,5,4,100,0,0,changed,\"price from: amazon before, ebay now\",100,1,1,1000,500\n"
	    "A,cnn,1,5,-33.3333333333,20,0,changed,,-20,0.5,0.6,200,300\n"
	    "B,cnn,2,2,0,0,25,changed,\"origin: scaled before, measured now; anchor: R before, "
	    "none now; predictor: "
	    "linear fp32_tflops before, none now\",25,0.8,1,400,400\n"
	    "C,cnn,,3,,,,new,no price before,,0.7,0.7,,350\n"
	    "E,cnn,,1,,,,new,not in the old edition,,,2,,500\n"
	    "F,cnn,,,,,,same,\"no score before: too uncertain; no score now: too "
	    "uncertain\",,,,100,100\n"
	    "G,cnn,4,6,0,-25,0,changed,,-25,0.4,0.3,320,320\n"
	    "D,cnn,3,,,,,gone,not in the new edition,,0.2,,125,\n";
	const struct changes *c = compare(b, &spring, &summer);
	const char *path = str_c(b->arena, str_printf(b->arena, "%s/changes.csv", b->root));
	struct error err = { 0 };
	struct changes one;
	struct str text;

	if (!c)
		return;
	test_str(b->t, change_csv(c, b->arena), str_of(want), "changes.csv, byte by byte");
	test_ok(b->t,
		change_write(c, path, b->arena, &err) && file_read(path, 0, b->arena, &text, &err)
		    && str_eq(text, str_of(want)),
		"and the same in the file");
	one = *c;
	test_ok(b->t, change_select(&one, STR("cnn"), &err) && one.n == c->n, "one class is kept");
	test_ok(b->t,
		!change_select(&one, STR("llm"), &err) && err.code == ERR_USAGE
		    && strcmp(err.msg, "--class: 'llm' is a class of neither edition") == 0,
		"a class of neither");
}

int main(void)
{
	struct test t = { 0 };
	struct arena a = { 0 };
	char root[] = "/tmp/gpuguide-change-XXXXXX";
	struct bench b;

	if (!bench_open(&b, &t, &a, root))
		return test_done(&t);
	test_split(&b);
	test_inputs(&b);
	test_nothing(&b);
	test_rules(&b);
	test_sources(&b);
	test_result(&b);
	test_predictor(&b);
	test_same_inputs(&b);
	test_scale(&b);
	test_system(&b);
	test_csv(&b);
	bench_close(&b);
	arena_free(&a);
	return test_done(&t);
}
