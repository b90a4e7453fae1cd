/* Performance per cost, checked by hand. */
#include "catalogue_fixture.h"

#include "../analyze/value.h"

#include <math.h>

enum { A, B, C, D, E }; /* devices of the fixtures: indices into a catalogue of that order */

static struct score scored(size_t device, enum class_id class, double score, double low,
			   double high)
{
	return (struct score){ .device = device,
			       .class = class,
			       .origin = ORIGIN_MEASURED,
			       .score = score,
			       .low = low,
			       .high = high,
			       .peer_low = low,
			       .peer_high = high };
}

static struct card_price priced(size_t device, double price, double low, double high)
{
	return (struct card_price){ .device = device,
				    .lens = LENS_CARD,
				    .price_usd = price,
				    .low = low,
				    .high = high,
				    .flags = isnan(price) ? PRICE_FLAG_MISSING : 0 };
}

static void test_interval(struct test *t, const struct value *v, double value, double low,
			  double high, int rank, bool tie, const char *name)
{
	test_near(t, v->value, value, 1e-9, name);
	test_near(t, v->low, low, 1e-9, name);
	test_near(t, v->high, high, 1e-9, name);
	test_ok(t, v->rank == rank && v->tie == tie && v->status == VALUE_OK, name);
}

/* Claim 14. Score over price: A 1/1000 = 0.001, B 0.7/500 = 0.0014, C 0.5/250 = 0.002, the best.
 * Ends, over the best: A 0.9/1100/0.002 = 9/22, 1.1/950/0.002 = 11/19; B 0.65/520/0.002 = 5/8,
 * 0.76/480/0.002 = 19/24; C is exact. */
static void test_by_hand(struct test *t, struct arena *a)
{
	struct score s[] = { scored(A, CLASS_CNN, 1, 0.9, 1.1),
			     scored(B, CLASS_CNN, 0.7, 0.65, 0.76),
			     scored(C, CLASS_CNN, 0.5, 0.5, 0.5) };
	struct card_price p[] = { priced(A, 1000, 950, 1100), priced(B, 500, 480, 520),
				  priced(C, 250, 250, 250) };
	struct values v;

	value_compute(&(struct scores){ s, LEN(s) }, &(struct card_prices){ p, LEN(p) }, LENS_CARD,
		      a, &v);
	test_ok(t, v.n == 3, "claim 14: one value a score");
	test_interval(t, &v.v[A], 0.5, 9.0 / 22, 11.0 / 19, 3, false, "claim 14: the dear card");
	test_interval(t, &v.v[B], 0.7, 5.0 / 8, 19.0 / 24, 2, false, "claim 14: the middle card");
	test_interval(t, &v.v[C], 1, 1, 1, 1, false, "claim 14: the best is 1");
	test_near(t, v.v[B].cost_usd, 500, 0, "its cost");

	s[A].peer_high = 1.25; /* 1.25/950/0.002 = 125/190, above B's 5/8 */
	value_compute(&(struct scores){ s, LEN(s) }, &(struct card_prices){ p, LEN(p) }, LENS_CARD,
		      a, &v);
	test_interval(t, &v.v[A], 0.5, 9.0 / 22, 125.0 / 190, 3, true,
		      "an overlap with the card above is a tie");
	test_ok(t, !v.v[B].tie && v.v[B].rank == 2, "but not of the one above with its own");

	s[A].peer_low = s[A].peer_high = NAN;
	value_compute(&(struct scores){ s, LEN(s) }, &(struct card_prices){ p, LEN(p) }, LENS_CARD,
		      a, &v);
	test_ok(t,
		v.v[A].rank == 3 && !v.v[A].tie && isnan(v.v[A].low) && isnan(v.v[A].high)
		    && v.v[A].value == 0.5,
		"an interval that is not known makes no tie");
}

/* Claim 16: prices of 2019-05-30 (lowest retail), CNN scores about those of the guide's first
 * figure. */
static void test_rtx_2060(struct test *t, struct arena *a)
{
	const double score[] = { 0.62, 0.74, 0.85, 1.0 },
		     price[] = { 334.99, 449.99, 669.99, 1049 };
	struct score s[4];
	struct card_price p[4];
	struct values v;

	for (size_t i = 0; i < 4; i++) {
		s[i] = scored(i, CLASS_CNN, score[i], score[i] * 0.97, score[i] * 1.03);
		p[i] = priced(i, price[i], price[i], price[i]);
	}
	value_compute(&(struct scores){ s, 4 }, &(struct card_prices){ p, 4 }, LENS_CARD, a, &v);
	for (size_t i = 0; i < 4; i++)
		test_ok(t, v.v[i].rank == (int)i + 1,
			"claim 16: RTX 2060 > 2070 > 2080 > 2080 Ti per cost");
	test_ok(t, !v.v[1].tie && !v.v[2].tie && !v.v[3].tie, "claim 16: no ties within 3 %");
	for (size_t i = 0; i < 4; i++) {
		s[i].peer_low = score[i] * 0.9;
		s[i].peer_high = score[i] * 1.1;
	}
	value_compute(&(struct scores){ s, 4 }, &(struct card_prices){ p, 4 }, LENS_CARD, a, &v);
	test_ok(t, v.v[1].tie && !v.v[2].tie && !v.v[3].tie,
		"claim 16: within 10 % the 2070 ties with the 2060");
}

/* Classes are normalised apart; what has no score or no price stays, with empty numbers. */
static void test_missing(struct test *t, struct arena *a)
{
	struct score s[] = {
		scored(A, CLASS_CNN, 1, 1, 1),       scored(B, CLASS_CNN, 0.5, 0.5, 0.5),
		scored(C, CLASS_CNN, NAN, NAN, NAN), scored(D, CLASS_CNN, 2, 2, 2),
		scored(E, CLASS_CNN, NAN, NAN, NAN), scored(A, CLASS_LLM, 1, 1, 1),
		scored(B, CLASS_LLM, 3, 3, 3),
	};
	struct card_price p[] = { priced(A, 100, 100, 100), priced(B, 100, 100, 100),
				  priced(C, 100, 100, 100), priced(D, NAN, NAN, NAN) };
	struct values v;

	s[2].origin = s[4].origin = ORIGIN_EXCLUDED;
	value_compute(&(struct scores){ s, LEN(s) }, &(struct card_prices){ p, LEN(p) }, LENS_CARD,
		      a, &v);
	test_interval(t, &v.v[0], 1, 1, 1, 1, false, "best of the first class");
	test_interval(t, &v.v[1], 0.5, 0.5, 0.5, 2, false, "half of it");
	test_ok(t,
		v.v[2].status == VALUE_NO_SCORE && isnan(v.v[2].value) && v.v[2].cost_usd == 100
		    && v.v[2].rank == 0,
		"no score");
	test_ok(t,
		v.v[3].status == VALUE_NO_PRICE && isnan(v.v[3].value) && isnan(v.v[3].cost_usd)
		    && v.v[3].rank == 0,
		"no price: the fastest card is not the best value");
	test_ok(t, v.v[4].status == VALUE_NO_SCORE && isnan(v.v[4].cost_usd), "neither");
	test_near(t, v.v[5].value, 1.0 / 3, 1e-9, "the second class has its own best");
	test_interval(t, &v.v[6], 1, 1, 1, 1, false, "and that is it");
	value_compute(&(struct scores){ s, LEN(s) }, &(struct card_prices){ p, LEN(p) }, LENS_CLOUD,
		      a, &v);
	test_ok(t, v.v[0].status == VALUE_NO_PRICE && v.v[0].lens == LENS_CLOUD,
		"a card price is no cloud price");
}

static void test_estimated(struct test *t, struct arena *a)
{
	struct score s[] = { scored(A, CLASS_CNN, 1, 1, 1), scored(B, CLASS_CNN, 1.56, NAN, NAN),
			     scored(B, CLASS_LLM, 1, 1, 1) };
	struct card_price p[] = { priced(A, 100, 100, 100), priced(B, 100, 100, 100) };
	struct values v;

	s[1].origin = s[2].origin = ORIGIN_ESTIMATED;
	value_compute(&(struct scores){ s, LEN(s) }, &(struct card_prices){ p, LEN(p) }, LENS_CARD,
		      a, &v);
	test_interval(t, &v.v[0], 1, 1, 1, 1, false, "the measured card is the best");
	test_ok(t,
		v.v[1].status == VALUE_OK && fabs(v.v[1].value - 1.56) < 1e-9 && v.v[1].rank == 0
		    && !v.v[1].tie,
		"an estimate passes it without a rank");
	test_ok(t, v.v[2].status == VALUE_NO_SCORE && isnan(v.v[2].value),
		"a class of estimates alone has no best");
}

static void test_write(struct test *t, struct fixture *f)
{
	struct score s[] = { scored(A, CLASS_CNN, 1, 0.75, 1.5), scored(B, CLASS_CNN, 1, 1, 1),
			     scored(C, CLASS_CNN, NAN, NAN, NAN), scored(D, CLASS_CNN, 1, 1, 1) };
	struct card_price p[] = { priced(A, 400.5, 400.5, 400.5), priced(B, 200.25, 200.25, 200.25),
				  priced(C, 10.5, 10.5, 10.5) };
	struct device names[] = { { .name = STR("=A,1") },
				  { .name = STR("B") },
				  { .name = STR("C") },
				  { .name = STR("D") } };
	struct devices d = { .v = names, .n = LEN(names) };
	struct error err = { 0 };
	struct str text = STR("");
	struct values v;
	const char *path;

	s[2].origin = ORIGIN_EXCLUDED;
	value_compute(&(struct scores){ s, LEN(s) }, &(struct card_prices){ p, LEN(p) }, LENS_CARD,
		      &f->arena, &v);
	fixture_put(f, "values.csv", "");
	path = fixture_path(f, "values.csv");
	test_ok(t,
		value_write(&v, &d, path, &f->arena, &err)
		    && file_read(path, 0, &f->arena, &text, &err),
		"written");
	test_str(t, text,
		 STR("device,class,lens,cost_usd,value,low,high,rank,tie,status\n"
		     "\"'=A,1\",cnn,card,400.5,0.5,0.375,0.75,2,no,ok\n"
		     "B,cnn,card,200.25,1,1,1,1,no,ok\n"
		     "C,cnn,card,10.5,,,,,,no-score\n"
		     "D,cnn,card,,,,,,,no-price\n"),
		 "values.csv");
	test_ok(t,
		!value_write(&v, &d, fixture_path(f, "none/values.csv"), &f->arena, &err)
		    && err.code == ERR_ENVIRONMENT,
		"a folder that is not there");
}

int main(void)
{
	struct test t = { 0 };
	struct fixture f;

	test_ok(&t, fixture_open(&f), "a folder for the test");
	test_by_hand(&t, &f.arena);
	test_rtx_2060(&t, &f.arena);
	test_missing(&t, &f.arena);
	test_estimated(&t, &f.arena);
	test_write(&t, &f);
	fixture_close(&f);
	return test_done(&t);
}
