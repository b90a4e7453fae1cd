/* Change or keep, in the small market of pick_fixture.h, worked out by hand.
 * Candidates: Alpha (thrifty), Gamma (quick, center), Beta (rack), and the best fresh values: Eta
 * in CNN, 0.25/100 a USD (Theta's 0.81/300 is stale), Zeta in Transformers, 0.25/150. */
#include "pick_fixture.h"

#include "../analyze/upgrade.h"

static struct upgrades computed(struct market *m)
{
	struct arena *a = &m->files.arena;
	struct picks picks;
	struct values values;
	struct upgrades u;

	picks_compute(&m->in, &m->personas, a, &picks);
	value_compute(&m->scores, &m->prices, LENS_CARD, a, &values);
	upgrade_compute(&m->in, &m->personas, &picks, &values, a, &u);
	return u;
}

static const struct upgrade *row_of(const struct upgrades *u, size_t owned, size_t candidate,
				    enum class_id class)
{
	for (size_t i = 0; i < u->n; i++)
		if (u->v[i].owned == owned && u->v[i].candidate == candidate
		    && u->v[i].class == class)
			return &u->v[i];
	return NULL;
}

static void test_verdict(struct test *t, const struct upgrades *u, size_t owned, size_t candidate,
			 enum class_id class, enum upgrade_verdict want, const char *name)
{
	const struct upgrade *r = row_of(u, owned, candidate, class);

	test_ok(t, r && r->verdict == want, name);
}

static void test_market(struct test *t, struct market *m)
{
	struct upgrades u = computed(m);
	const struct upgrade *r = row_of(&u, ETA, ALPHA, CLASS_CNN);

	test_ok(t, u.n == 16, "2 owned cards, 5 candidates, no row without a score or to itself");
	test_ok(t, !row_of(&u, ETA, ZETA, CLASS_CNN) && !row_of(&u, ETA, ETA, CLASS_CNN),
		"none of those");
	test_ok(t, !row_of(&u, ETA, DELTA, CLASS_CNN), "nobody advises Delta");
	test_ok(t, r != NULL, "Eta to Alpha");
	if (!r)
		return;
	test_near(t, r->gain, 2.56, 1e-12, "gain 0.64 / 0.25");
	test_near(t, r->low, 2, 1e-12, "at least 0.6 / 0.3");
	test_near(t, r->high, 3.5, 1e-12, "at most 0.7 / 0.2");
	test_near(t, r->resale_usd, 100, 0, "Eta's price is a used one");
	test_near(t, r->net_usd, 400, 0, "net");
	test_verdict(t, &u, ETA, ALPHA, CLASS_CNN, UPGRADE_YES,
		     "upgrade: 0.00128 a USD of 0.0025 is not dear");
	test_verdict(t, &u, ETA, GAMMA, CLASS_CNN, UPGRADE_DEAR, "dear: 0.000576 a USD of 0.0025");
	test_verdict(t, &u, ETA, ZETA, CLASS_TRANSFORMER, UPGRADE_CONSIDER,
		     "consider: a gain of 1.56");
	test_verdict(t, &u, THETA, BETA, CLASS_CNN, UPGRADE_KEEP, "keep: a gain of 1.23");
	test_verdict(t, &u, THETA, BETA, CLASS_TRANSFORMER, UPGRADE_YES, "upgrade: a gain of 2.04");
	test_verdict(t, &u, THETA, ALPHA, CLASS_CNN, UPGRADE_KEEP, "keep: a loss");
	r = row_of(&u, THETA, BETA, CLASS_CNN);
	test_ok(t, isnan(r->resale_usd) && isnan(r->net_usd) && r->price_usd == 1200,
		"no used price of Theta: no net price, and not 0");
}

static void test_edges(struct test *t, struct market *m)
{
	struct price_condition_entry used = { PRICE_USED, market_price(THETA, LENS_CARD, 220, 220,
								       220, PRICE_FLAG_USED) };
	struct price_conditions conditions = { &used, 1 };
	struct upgrades u;

	m->in.conditions = &conditions;
	u = computed(m);
	test_near(t, row_of(&u, THETA, BETA, CLASS_CNN)->net_usd, 980, 0,
		  "a used price known apart");
	test_ok(t, isnan(row_of(&u, ETA, BETA, CLASS_CNN)->net_usd),
		"is the only one that counts then");
	m->in.conditions = NULL;
	/* 0.00128 a USD of Eta's 0.25/60 = 0.00417 is 0.31; of a stale Theta's it would be 0.47
	 * still */
	m->price[8].price_usd = m->price[8].low = m->price[8].high = 60;
	u = computed(m);
	test_verdict(t, &u, ETA, ALPHA, CLASS_CNN, UPGRADE_DEAR, "dear: below 0.33 of the best");
	m->price[8].price_usd = m->price[8].low = m->price[8].high = 100;
	m->price[9].price_usd = m->price[9].low = m->price[9].high = 100;
	u = computed(m);
	test_verdict(t, &u, ETA, ALPHA, CLASS_CNN, UPGRADE_YES,
		     "an old price of Theta makes nothing dear");
	market_prices(m);
	m->score[MARKET_DEVICES + BETA].peer_low = 0.49;
	u = computed(m);
	test_verdict(t, &u, THETA, BETA, CLASS_TRANSFORMER, UPGRADE_KEEP,
		     "keep: at its lower end no gain");
	m->score[MARKET_DEVICES + BETA].peer_low = NAN;
	u = computed(m);
	test_verdict(t, &u, THETA, BETA, CLASS_TRANSFORMER, UPGRADE_KEEP,
		     "keep: the interval is not known");
	market_scores(m);
	m->score[THETA].origin = ORIGIN_ESTIMATED;
	u = computed(m);
	test_ok(t, !row_of(&u, THETA, BETA, CLASS_CNN), "an estimate gives no row");
	market_scores(m);
	/* Delta is passive: 1.21 at 8000 USD, made the best value here. */
	m->price[DELTA].price_usd = m->price[DELTA].low = m->price[DELTA].high = 10;
	u = computed(m);
	size_t passive = 0;
	for (size_t i = 0; i < u.n; i++)
		passive += u.v[i].candidate == DELTA;
	test_ok(t, passive == 0, "a card that only a server cools takes no place in a desktop");
	market_prices(m);
}

static void test_write(struct test *t, struct market *m)
{
	struct arena *a = &m->files.arena;
	struct upgrade rows[] = {
		{ ETA,
		  ALPHA,
		  CLASS_CNN,
		  2.5,
		  2,
		  3.5,
		  100,
		  500,
		  400,
		  UPGRADE_YES,
		  { 18043 } }, /* 2019-05-27 */
		{ THETA,
		  ETA,
		  CLASS_TRANSFORMER,
		  0.5,
		  0.25,
		  0.75,
		  NAN,
		  100,
		  NAN,
		  UPGRADE_KEEP,
		  { INT_MIN } },
		{ THETA, GAMMA, CLASS_CNN, 4, 3, 5, NAN, 9000, NAN, UPGRADE_DEAR, { INT_MIN } },
		{ THETA,
		  BETA,
		  CLASS_CNN,
		  1.5,
		  1.25,
		  2,
		  NAN,
		  NAN,
		  NAN,
		  UPGRADE_CONSIDER,
		  { INT_MIN } },
	};
	struct upgrades u = { rows, LEN(rows) };
	struct error err = { 0 };
	struct str text = STR("");
	const char *path;

	fixture_put(&m->files, "upgrades.csv", "");
	path = fixture_path(&m->files, "upgrades.csv");
	test_ok(t,
		upgrade_write(&u, &m->devices, path, a, &err) && file_read(path, 0, a, &text, &err),
		"written");
	test_str(t, text,
		 STR("owned,candidate,class,gain,low,high,resale_usd,price_usd,net_usd,verdict,"
		     "resale_date\n"
		     "Eta,Alpha,cnn,2.5,2,3.5,100,500,400,upgrade,2019-05-27\n"
		     "Theta,Eta,transformer,0.5,0.25,0.75,,100,,keep,\n"
		     "Theta,Gamma,cnn,4,3,5,,9000,,dear,\n"
		     "Theta,Beta,cnn,1.5,1.25,2,,,,consider,\n"),
		 "upgrades.csv");
	test_ok(t,
		!upgrade_write(&u, &m->devices, fixture_path(&m->files, "none/u.csv"), a, &err)
		    && err.code == ERR_ENVIRONMENT,
		"a folder that is not there");
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
	test_market(&t, &m);
	test_edges(&t, &m);
	test_write(&t, &m);
	market_close(&m);
	return test_done(&t);
}
