/* base/num.h: numbers against the C library's strtod, millions of them; the grammar against one of
 * its own. */
#include "num_judge.h"
#include "test.h"

#include "../base/stat.h"

enum { TEXT_CAP = 80 };

/* The text of a case in the making. */
struct text {
	char p[TEXT_CAP];
	size_t len;
};

static void add(struct text *x, char c)
{
	if (x->len < TEXT_CAP - 1)
		x->p[x->len++] = c;
}

static void add_digits(struct text *x, struct rng *r, size_t n)
{
	for (uint64_t v = 0; n > 0; n--, v /= 10) {
		if (v == 0)
			v = rng_next(r);
		add(x, (char)('0' + v % 10));
	}
}

/* Digits of v, a '.' before the last `places` of them. */
static void add_fixed(struct text *x, unsigned long long high, unsigned long long low, int places)
{
	char buf[48];
	size_t n = 0;

	/* high * 10^18 + low */
	for (; n < 18; n++, low /= 10)
		buf[n] = (char)('0' + low % 10);
	for (; high > 0; high /= 10)
		buf[n++] = (char)('0' + high % 10);
	while (n > 1 && n > (size_t)places + 1 && buf[n - 1] == '0')
		n--;
	while (n > 0) {
		add(x, buf[--n]);
		if (n > 0 && n == (size_t)places)
			add(x, '.');
	}
}

static void add_exponent(struct text *x, int e)
{
	char buf[16];

	snprintf(buf, sizeof buf, "e%d", e);
	for (size_t i = 0; buf[i]; i++)
		add(x, buf[i]);
}

/* --- what is tried: each makes one text --- */

static void make_price(struct rng *r, struct text *x)
{
	add_digits(x, r, 1 + rng_below(r, 6));
	add(x, '.');
	add_digits(x, r, rng_below(r, 5));
}

static void make_digits(struct rng *r, struct text *x)
{
	if (rng_below(r, 8) == 0)
		add(x, rng_below(r, 2) ? '-' : '+');
	add_digits(x, r, rng_below(r, 24));
	if (rng_below(r, 4))
		add(x, '.');
	add_digits(x, r, rng_below(r, 24));
	if (rng_below(r, 4) == 0)
		add_exponent(x, (int)rng_below(r, 61) - 30);
}

static void make_long(struct rng *r, struct text *x)
{
	size_t zeros = rng_below(r, 20);

	for (size_t i = 0; i < zeros; i++)
		add(x, '0');
	if (rng_below(r, 2))
		add(x, '.');
	for (size_t i = rng_below(r, 10); i > 0; i--)
		add(x, '0');
	add_digits(x, r, 15 + rng_below(r, 22)); /* may get longer than a number may be */
}

/* Around 0 and around the largest double. */
static void make_extreme(struct rng *r, struct text *x)
{
	size_t whole = rng_below(r, 20);
	int small = -345 + (int)rng_below(r, 50), large = 285 + (int)rng_below(r, 30);

	add_digits(x, r, whole);
	add(x, '.');
	add_digits(x, r, rng_below(r, 20));
	add_exponent(x, rng_below(r, 2) ? small : large);
}

/* A whole number of 54 bits with the last one set lies in the middle of two doubles; divided by
 * 2^places it has as many decimals. One in three is that, one a digit more, one a hair less. */
static void make_halfway(struct rng *r, struct text *x)
{
	unsigned long long v = (rng_next(r) >> 11) * 2 + 1, high, low;
	size_t bits = rng_below(r, 30), hair = rng_below(r, 3);
	int places = (int)rng_below(r, 4);

	v |= 1ULL << 53;
	for (int i = 0; i < places; i++)
		v *= 5;
	high = v / 1000000000000000000ULL;
	low = v % 1000000000000000000ULL;
	for (size_t i = 0; i < (places ? 0 : bits); i++) { /* times two: still in the middle */
		high = high * 2 + (low >= 500000000000000000ULL);
		low = low * 2 % 1000000000000000000ULL;
	}
	if (hair == 1)
		low -= low > 0;
	add_fixed(x, high, low, places);
	if (hair == 2) {
		if (places == 0)
			add(x, '.');
		for (size_t i = rng_below(r, 24); i > 0; i--)
			add(x, '0');
		add(x, '1');
	}
}

/* Products m * 5^e of 54 bits with an odd end, times 2^k: in the middle again, written with an
 * exponent. */
static void make_halfway_power(struct rng *r, struct text *x)
{
	int e = (int)rng_below(r, 23);
	unsigned long long five = 1, m;

	for (int i = 0; i < e; i++)
		five *= 5;
	m = ((1ULL << 53) + (rng_next(r) >> 11)) / five | 1;
	m <<= rng_below(r, 10);
	add_fixed(x, m / 1000000000000000000ULL, m % 1000000000000000000ULL, 0);
	add_exponent(x, e);
}

static void make_garbage(struct rng *r, struct text *x)
{
	static const char alphabet[] = "0123456789012345++--..,,eeEE x\0nif_";

	for (size_t i = rng_below(r, rng_below(r, 50) ? 9 : 70); i > 0; i--)
		add(x, alphabet[rng_below(r, sizeof alphabet - 1)]);
}

static uint64_t parsed(const struct text *x, bool comma)
{
	uint64_t bits = UINT64_MAX;
	double v;

	if (num_parse((struct str){ x->p, x->len }, comma, &v))
		memcpy(&bits, &v, sizeof bits);
	return bits;
}

static void test_against_library(struct test *t)
{
	static const struct {
		const char *name;
		void (*make)(struct rng *r, struct text *x);
		bool comma;
		long n;
	} kinds[] = {
		{ "3,000,000 prices are read as strtod reads them", make_price, false, 3000000 },
		{ "2,000,000 of 0 to 46 digits, some with an exponent", make_digits, false,
		  2000000 },
		{ "1,000,000 with leading zeros and many digits", make_long, false, 1000000 },
		{ "1,000,000 around 0 and the largest double", make_extreme, false, 1000000 },
		{ "1,500,000 in the middle of two doubles, and a hair beside", make_halfway, false,
		  1500000 },
		{ "500,000 in the middle with an exponent", make_halfway_power, false, 500000 },
		{ "700,000 texts of all kinds are told from numbers", make_garbage, false, 700000 },
		{ "300,000 with a decimal comma", make_garbage, true, 300000 },
	};

	for (size_t k = 0; k < LEN(kinds); k++) {
		struct rng r = { 1000 + k };
		long bad = 0;

		for (long i = 0; i < kinds[k].n; i++) {
			struct text x = { .len = 0 };
			kinds[k].make(&r, &x);
			uint64_t got = parsed(&x, kinds[k].comma),
				 want = judge_number((struct str){ x.p, x.len }, kinds[k].comma);
			if (got != want && bad++ < 5)
				printf("# '%.*s' got %016llx want %016llx\n", (int)x.len, x.p,
				       (unsigned long long)got, (unsigned long long)want);
		}
		test_ok(t, bad == 0, kinds[k].name);
	}
}

/* Values worked out by hand or from the literature, as bits: strtod is not asked. */
static void test_known(struct test *t)
{
	static const struct {
		struct str in;
		uint64_t bits;
	} cases[] = {
		{ STR_INIT("0"), 0 },
		{ STR_INIT("-0.000e99999999999999999999"), 0x8000000000000000 },
		{ STR_INIT("1"), 0x3FF0000000000000 },
		{ STR_INIT("+0.1"), 0x3FB999999999999A },
		{ STR_INIT("9007199254740993"), 0x4340000000000000 }, /* 2^53 + 1: to even, down */
		{ STR_INIT("9007199254740995"), 0x4340000000000002 }, /* 2^53 + 3: to even, up */
		{ STR_INIT("9007199254740993.0000000001"), 0x4340000000000001 },
		{ STR_INIT("18446744073709551615"), 0x43F0000000000000 }, /* 2^64 - 1 */
		{ STR_INIT("9999999999999999999"), 0x43E158E460913D00 },  /* 10^19 - 1 */
		{ STR_INIT("1e23"), 0x44B52D02C7E14AF6 },                 /* just below a middle */
		{ STR_INIT("1e-23"), 0x3B282DB34012B251 },
		{ STR_INIT("1.7976931348623157e308"), 0x7FEFFFFFFFFFFFFF },
		{ STR_INIT("1.7976931348623158e308"), 0x7FEFFFFFFFFFFFFF },
		{ STR_INIT("2.2250738585072014e-308"), 0x0010000000000000 },
		{ STR_INIT("2.2250738585072011e-308"),
		  0x000FFFFFFFFFFFFF }, /* hung PHP and Java once */
		{ STR_INIT("4.9e-324"), 1 },
		{ STR_INIT("2.4703282292062328e-324"), 1 }, /* above half of the least */
		{ STR_INIT("2.4703282292062327e-324"), 0 },
		{ STR_INIT("1e-999999999999999999999"), 0 },
		{ STR_INIT("6.02214076e23"), 0x44DFE185CA57C517 },
		{ STR_INIT("100000000000000008388608"),
		  0x44B52D02C7E14AF7 }, /* the middle of two, to even */
	};

	for (size_t i = 0; i < LEN(cases); i++) {
		double v = -1;
		uint64_t bits = 0;
		bool good = num_parse(cases[i].in, false, &v);
		memcpy(&bits, &v, sizeof bits);
		test_ok(t, good && bits == cases[i].bits, cases[i].in.p);
		if (bits != cases[i].bits)
			printf("# got %016llx\n", (unsigned long long)bits);
	}
	double v = 7;
	test_ok(t, !num_parse(STR("1.7976931348623159e308"), false, &v) && v == 7,
	        "just too large is no number, and the result is untouched");
	test_ok(t, !num_parse(STR("1e99999999999999999999999999"), false, &v),
		"an exponent of 26 digits");
	test_ok(t, !num_parse((struct str){ 0 }, false, &v), "nothing is no number");
	struct str longest = STR("000000000000000000000000000000000000000000000000000000000000001");
	test_ok(t, longest.len == 63 && num_parse(longest, false, &v) && v == 1, "63 bytes");
	test_ok(t,
		!num_parse(STR("0000000000000000000000000000000000000000000000000000000000000001"),
			   false, &v),
		"64 are too many");
}

static void test_int(struct test *t)
{
	struct rng r = { 5 };
	bool good = true;
	int n = -1;

	for (int i = 0; i < 200000; i++) {
		struct text x = { .len = 0 };
		long long want = 0;
		size_t len = rng_below(&r, 14), bad = rng_below(&r, 40);
		add_digits(&x, &r, len);
		if (bad < len)
			x.p[bad] = "+-. e/:"[rng_below(&r, 7)];
		for (size_t k = 0; k < len; k++)
			want = x.p[k] >= '0' && x.p[k] <= '9' && want >= 0
				   ? want * 10 + x.p[k] - '0'
				   : -1;
		n = -1;
		bool is_int = len > 0 && want >= 0 && want <= 2147483647;
		good = good && num_parse_int((struct str){ x.p, len }, &n) == is_int
		       && n == (is_int ? (int)want : -1);
	}
	test_ok(t, good, "200,000 whole numbers and what is none");
	test_ok(t, num_parse_int(STR("00000000000000000000002147483647"), &n) && n == 2147483647,
	        "zeros in front of the largest int");
	test_ok(t, !num_parse_int(STR("2147483650"), &n), "ten more than a tenth of it");
}

/* --- to text --- */

static double random_value(struct rng *r, size_t kind)
{
	double tens[] = { 1, 10, 100, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e15, 1e20 };
	double v = (double)(long long)(rng_next(r) >> (1 + rng_below(r, 63)));
	uint64_t bits = rng_next(r);

	switch (kind) {
	case 0: /* a decimal */
		return v / tens[rng_below(r, LEN(tens))];
	case 1: /* the double beside a decimal */
		return nextafter(v / tens[rng_below(r, LEN(tens))],
				 rng_below(r, 2) ? 1e300 : -1e300);
	case 2: /* around the powers of ten where the form changes */
		v = tens[rng_below(r, LEN(tens))] * (double)(1 + rng_below(r, 3));
		return rng_below(r, 2) ? 1 / v : nextafter(v, rng_below(r, 2) ? 0 : 1e300);
	case 3:
		return -ldexp(v, (int)rng_below(r, 200) - 150);
	default:
		memcpy(&v, &bits, sizeof v);
		return isfinite(v) ? v : 0.5;
	}
}

static void test_shortest(struct test *t)
{
	static const char *const names[] = { "decimals", "doubles beside a decimal",
					     "powers of ten", "sums of powers of two", "any bits" };

	for (size_t kind = 0; kind < LEN(names); kind++) {
		struct arena a = { 0 };
		struct rng r = { 77 + kind };
		long bad = 0;

		for (int i = 0; i < 20000; i++) {
			double v = random_value(&r, kind);
			struct str got = num_shortest(&a, v), want = judge_shortest(&a, v);
			if (!str_eq(got, want) && bad++ < 5)
				printf("# %.17g got '" STR_FMT "' want '" STR_FMT "'\n", v,
				       STR_ARG(got), STR_ARG(want));
		}
		test_ok(t, bad == 0, names[kind]);
		arena_free(&a);
	}
}

int main(void)
{
	struct test t = { 0 };

	test_known(&t);
	test_against_library(&t);
	test_int(&t);
	test_shortest(&t);
	return test_done(&t);
}
