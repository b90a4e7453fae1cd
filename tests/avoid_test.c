/* The avoid list in the small market of pick_fixture.h, worked out by hand. */
#include "english.h"
#include "pick_fixture.h"

#include "../analyze/avoid.h"

#include <stdint.h>

static struct avoids computed(struct market *m)
{
	struct avoids v;

	avoid_compute(&m->in, &m->personas, &m->files.arena, &v);
	return v;
}

static const struct avoid *row_of(const struct avoids *v, size_t device, enum class_id class)
{
	for (size_t i = 0; i < v->n; i++)
		if (v->v[i].device == device && v->v[i].class == class)
			return &v->v[i];
	return NULL;
}

/* Delta (8000 USD, 16 GB): in Transformers Gamma (2500, 24) is surely faster, 1.6 over 1.0; in CNN
 * its lower end 1.2 does not pass 1.21. Nobody else is beaten. Gamma has a named exception. */
static void test_market(struct test *t, struct market *m)
{
	struct avoids v = computed(m);
	const struct avoid *delta = row_of(&v, DELTA, CLASS_TRANSFORMER);

	test_ok(t, v.n == 2 && delta && delta->by == GAMMA, "one card is dominated, in one class");
	if (!delta)
		return;
	test_near(t, delta->cost_usd, 8000, 0, "its cost");
	test_near(t, delta->by_cost_usd, 2500, 0, "the other's cost");
	test_near(t, delta->by_score, 1.69, 0, "the other's score");
	test_ok(t, !delta->everywhere && delta->exception.json.len == 0, "not in every class");
	test_ok(t, v.v[0].device == GAMMA && v.v[0].by == SIZE_MAX,
		"a named exception that no rule found");
	test_said(t, &m->files.arena, v.v[0].exception, STR("only if 24 GB are needed"),
		  "its memory is filled in");
}

static void test_everywhere(struct test *t, struct market *m)
{
	struct avoids v;

	m->price[0].price_usd = m->price[0].low = m->price[0].high =
	    1300; /* Alpha dearer than Beta */
	v = computed(m);
	const struct avoid *cnn = row_of(&v, ALPHA, CLASS_CNN),
			   *words = row_of(&v, ALPHA, CLASS_TRANSFORMER);
	test_ok(t, cnn && words && cnn->by == BETA && cnn->everywhere && words->everywhere,
		"dominated in every class it has a score in");
	m->price[0].price_usd = 1200;
	v = computed(m);
	test_ok(t, row_of(&v, ALPHA, CLASS_CNN), "the same price is no more");
	m->price[0].price_usd = 1199.99;
	v = computed(m);
	test_ok(t, !row_of(&v, ALPHA, CLASS_CNN), "a cheaper card is not dominated");
	m->price[0].price_usd = 1300;
	m->score[ALPHA].peer_high = 1;
	v = computed(m);
	test_ok(t, !row_of(&v, ALPHA, CLASS_CNN), "touching intervals: not surely faster");
	m->score[ALPHA].peer_high = NAN;
	v = computed(m);
	test_ok(t, !row_of(&v, ALPHA, CLASS_CNN), "nor by an interval that is not known");
	market_scores(m);
	m->score[BETA].origin = ORIGIN_ESTIMATED;
	v = computed(m);
	test_ok(t, !row_of(&v, ALPHA, CLASS_CNN), "an estimate dominates nobody");
	market_scores(m);
	market_prices(m);
}

/* Delta slow and dear beside Beta, which has 11 GB against 16. */
static void test_memory(struct test *t, struct market *m)
{
	struct avoids v;
	const struct avoid *r;

	m->score[DELTA].score = m->score[DELTA].peer_low = m->score[DELTA].peer_high = 0.5;
	m->price[2].price_usd = 9000; /* Gamma out of the way */
	v = computed(m);
	r = row_of(&v, DELTA, CLASS_CNN);
	test_ok(t, r && r->by == BETA && !r->everywhere, "beaten but for its memory");
	test_str(t, r ? english(&m->files.arena, r->exception) : STR(""),
		 STR("only if more than 11 GB are needed"), "the exception");
	m->price[2].price_usd = 2500;
	v = computed(m);
	r = row_of(&v, DELTA, CLASS_CNN);
	test_ok(t, r && r->by == GAMMA && r->exception.json.len == 0 && r->everywhere,
		"a card that beats it in memory too goes before");
	market_scores(m);
	market_prices(m);
}

/* Theta (300 USD, stale) would beat Alpha at 500 in CNN: 0.75 over 0.7. */
static void test_stale(struct test *t, struct market *m)
{
	struct avoids v;

	m->score[THETA].peer_low = 0.75;
	v = computed(m);
	test_ok(t, !row_of(&v, ALPHA, CLASS_CNN), "an old price dominates nobody");
	for (size_t i = 0; i < m->prices.n; i++)
		m->price[i].flags |= PRICE_FLAG_STALE;
	v = computed(m);
	const struct avoid *r = row_of(&v, ALPHA, CLASS_CNN);
	test_ok(t, r && r->by == THETA, "unless all are old");
	test_ok(t, r && r->exception.json.len == 0, "8 GB are as much memory as 8 GB");
	market_scores(m);
	market_prices(m);
}

static void test_passive(struct test *t, struct market *m)
{
	struct avoids v;

	/* Delta: 16 GB, 1.21 in cnn; at 100 USD it would dominate Alpha, Beta and Theta. */
	m->price[DELTA].price_usd = m->price[DELTA].low = m->price[DELTA].high = 100;
	v = computed(m);
	test_ok(t, !row_of(&v, ALPHA, CLASS_CNN) && !row_of(&v, BETA, CLASS_CNN),
		"a card that only a server cools speaks against none for a desktop");
	market_prices(m);
}

static void test_write(struct test *t, struct market *m)
{
	struct arena *a = &m->files.arena;
	struct avoids v = computed(m);
	const struct text_catalogue words = english_catalogue(a);
	struct error err = { 0 };
	struct str text = STR("");
	const char *path;

	fixture_put(&m->files, "avoid.csv", "");
	path = fixture_path(&m->files, "avoid.csv");
	test_ok(t,
		avoid_write(&v, &m->devices, &words, path, a, &err)
		    && file_read(path, 0, a, &text, &err),
		"written");
	test_str(t, text,
		 STR("device,class,dominated_by,cost_usd,by_cost_usd,memory_gb,by_memory_gb,score,"
		     "by_score,"
		     "exception,everywhere,exception_msg\n"
		     "Gamma,,,2500,,24,,,,only if 24 GB are needed,no,"
		     "\"{\"\"t\"\":\"\"only if {memory} GB are needed\"\",\"\"with\"\":"
		     "{\"\"memory\"\":{\"\"n\"\":\"\"24\"\"}}}\"\n"
		     "Delta,transformer,Gamma,8000,2500,16,24,1,1.69,,no,\n"),
		 "avoid.csv");
	test_ok(
	    t,
	    !avoid_write(&v, &m->devices, &words, fixture_path(&m->files, "none/a.csv"), a, &err)
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
	test_everywhere(&t, &m);
	test_memory(&t, &m);
	test_stale(&t, &m);
	test_passive(&t, &m);
	test_write(&t, &m);
	market_close(&m);
	return test_done(&t);
}
