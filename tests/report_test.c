/* The report model: message catalogue, number formats, reading of data/, and the whole report of
 * three cards as plain text. */
#include "../render/build.h"
#include "../render/chart.h"
#include "../render/citation.h"
#include "../render/format.h"
#include "golden.h"
#include "report_dump.h"
#include "test.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

static const struct {
	const char *name;
	struct str text;
	int line;
	const char *want;
} bad_texts[] = {
	{ "no equals sign", STR_INIT("[a]\nwhat is this"), 2, "expected 'key = text'" },
	{ "twice", STR_INIT("[a]\nk = x\nk = y"), 3, "'a.k' is given twice" },
	{ "continuation of nothing", STR_INIT("  x"), 1, "nothing to go on with" },
	{ "unclosed brace", STR_INIT("[a]\nk = {x"), 2, "unclosed {" },
	{ "unclosed star", STR_INIT("\n[a]\nk = *x"), 3, "unclosed *" },
	{ "not UTF-8", STR_INIT("[a]\nk = caf\xe9\n"), 2, "expected UTF-8, read byte 0xe9" },
	{ "unclosed backquote", STR_INIT("[a]\nk = `x"), 2, "unclosed `" },
};

static const struct {
	const char *name;
	struct str message, arg, want;
} fills[] = {
	{ "argument", STR_INIT("a {x} b"), STR_INIT("<1>"), STR_INIT("a <1> b") },
	{ "one", STR_INIT("{x} {x?row:rows}"), STR_INIT("1"), STR_INIT("1 row") },
	{ "other", STR_INIT("{x} {x?row:rows}"), STR_INIT("11"), STR_INIT("11 rows") },
	{ "nothing or something", STR_INIT("{x?:many}"), STR_INIT("2"), STR_INIT("many") },
	{ "markup is not text", STR_INIT("*a* `b`"), STR_INIT(""), STR_INIT("a b") },
	{ "escapes", STR_INIT("\\*a\\* \\{x\\}\\s"), STR_INIT(""), STR_INIT("*a* {x} ") },
	{ "an argument is not marked up", STR_INIT("{x}"), STR_INIT("*{x}`\\"),
	  STR_INIT("*{x}`\\") },
	{ "an empty argument leaves one blank", STR_INIT("a {x} b"), STR_INIT(""),
	  STR_INIT("a b") },
	{ "continuation", STR_INIT("a\n  b\n\tc"), STR_INIT(""), STR_INIT("a b c") },
};

static void test_text(struct test *t, struct arena *a)
{
	for (size_t i = 0; i < LEN(bad_texts); i++) {
		struct error err = { .code = ERR_NONE };
		struct text_catalogue c;
		test_ok(t,
			!text_parse(bad_texts[i].text, "x.ini", a, &c, &err)
			    && err.pos.line == bad_texts[i].line,
			bad_texts[i].name);
		test_str(t, str_of(err.msg), str_of(bad_texts[i].want), bad_texts[i].name);
	}
	for (size_t i = 0; i < LEN(fills); i++) {
		struct error err = { .code = ERR_NONE };
		struct text_catalogue c;
		struct str file = str_printf(a, "[s]\nk = " STR_FMT, STR_ARG(fills[i].message));
		struct spans out = { .n = 0 };
		const struct text_arg args[] = { text_arg("x", fills[i].arg), text_arg_end() };
		bool good = text_parse(file, "x.ini", a, &c, &err)
			    && text_spans(&c, "s.k", args, a, &out, &err);
		test_ok(t, good, fills[i].name);
		test_str(t, spans_text(a, &out), fills[i].want, fills[i].name);
	}
}

static void test_text_lookup(struct test *t, struct arena *a)
{
	struct error err = { .code = ERR_NONE }, missing = { .code = ERR_NONE };
	struct text_catalogue c;
	struct spans s = { .n = 0 };
	struct spans none = { .n = 0 };
	const struct text_arg args[] = { text_arg_link("x", STR("here"), STR("#there")),
					 text_arg_end() };

	text_parse(STR("[s]\nk = go *now* {x}!"), "x.ini", a, &c, &err);
	test_ok(t, text_spans(&c, "s.k", args, a, &s, &err) && s.n == 5, "five spans");
	test_ok(t, s.n == 5 && s.v[1].strong && !s.v[2].strong, "the second is strong");
	test_str(t, s.n == 5 ? s.v[3].href : STR(""), STR("#there"), "the fourth is a link");
	test_ok(t, !text_spans(&c, "s.k", NULL, a, &none, &missing) && missing.pos.line == 2,
		"an argument is missing");
	test_str(t, str_of(missing.msg), STR("no value for {x}"), "and named");
	missing = (struct error){ .code = ERR_NONE };
	test_ok(t, !text_spans(&c, "s.none", args, a, &none, &missing), "no such message");
	test_str(t, str_of(missing.msg), STR("text 's.none' is missing"), "and named");
}

/* Every number of the report comes from the data, so no message may hold one. */
static void test_no_digits(struct test *t, struct arena *a)
{
	struct error err = { .code = ERR_NONE };
	struct text_catalogue c;
	struct str file = STR(""), up_to;
	int last = 1;
	size_t digits = 0;

	test_ok(t,
		text_read("templates/text.en.ini", a, &c, &err)
		    && file_read("templates/text.en.ini", 0, a, &file, &err),
		"text.en.ini reads");
	up_to = str_slice(file, 0, str_find(file, STR("; ---- The sentences of the analysis"), 0));
	for (size_t i = 0; i < up_to.len; i++)
		last += up_to.p[i] == '\n';
	for (size_t i = 0; i < c.n && c.v[i].pos.line < last; i++)
		for (size_t k = 0; k < c.v[i].text.len; k++)
			if (c.v[i].text.p[k] >= '0' && c.v[i].text.p[k] <= '9') {
				printf("# text.en.ini:%d holds a digit\n", c.v[i].pos.line);
				digits++;
			}
	test_ok(t, digits == 0, "no message holds a digit");
}

static void test_formats(struct test *t, struct arena *a)
{
	static const struct {
		double v;
		struct str want;
	} ratios[] = {
		{ 1, STR_INIT("1.00") },        { 0.62, STR_INIT("0.62") },
		{ 0.0995, STR_INIT("0.10") },   { 0.0621, STR_INIT("0.062") },
		{ 0.0042, STR_INIT("0.0042") }, { 9.994, STR_INIT("9.99") },
		{ 9.996, STR_INIT("10.0") },    { 12.34, STR_INIT("12.3") },
		{ 123.4, STR_INIT("123") },     { 12345, STR_INIT("12,345") },
		{ NAN, STR_INIT("") },          { INFINITY, STR_INIT("") },
	};
	struct date first, last, none = { INT_MIN };

	for (size_t i = 0; i < LEN(ratios); i++)
		test_str(t, format_ratio(a, ratios[i].v), ratios[i].want, "ratio");
	test_str(t, format_interval(a, 1.234, 1.1, 1.366), STR("1.23 (1.10–1.37)"), "interval");
	test_str(t, format_interval(a, 1.234, NAN, 1.366), STR("1.23"), "interval not known");
	test_str(t, format_usd(a, 1599), STR("$1,599"), "dollars");
	test_str(t, format_usd(a, 4.5), STR("$4.50"), "cents below 100");
	test_str(t, format_usd(a, 84.5), STR("$84.50"), "there too");
	test_str(t, format_usd(a, 85), STR("$85"), "but not of whole dollars");
	test_str(t, format_usd(a, 4), STR("$4.00"), "unless they are few");
	test_str(t, format_usd(a, 99.996), STR("$100"), "a hundred when rounded");
	test_str(t, format_usd(a, 9.996), STR("$10"), "ten when rounded");
	test_str(t, format_usd(a, 9.994), STR("$9.99"), "and not before");
	test_str(t, format_correlation(a, 0.674), STR("0.67"), "a coefficient");
	test_str(t, format_correlation(a, -0.004), STR("0.00"), "none is not negative");
	test_str(t, format_correlation(a, -0.0051), STR("-0.01"), "but a small one is");
	test_str(t, format_correlation(a, NAN), STR(""), "no coefficient");
	test_str(t, format_usd(a, NAN), STR(""), "no price");
	test_str(t, format_usd_range(a, 499, 549), STR("$499–$549"), "range");
	test_str(t, format_usd_range(a, 499, 499), STR(""), "no range");
	test_str(t, format_amount(a, 11), STR("11"), "a whole amount");
	test_str(t, format_amount(a, 16.94), STR("16.9"), "one decimal");
	test_str(t, format_amount(a, 16.96), STR("17"), "whole when rounded");
	test_str(t, format_amount(a, NAN), STR(""), "no amount");
	test_str(t, format_tenths(a, 1906.48), STR("1,906.5"), "tenths");
	test_str(t, format_tenths(a, 11), STR("11.0"), "tenths of a whole number");
	test_str(t, format_ratio_range(a, 2.5, 3), STR("2.50–3.00"), "range of ratios");
	test_str(t, format_ratio_range(a, 1.9, 1.9), STR("1.90"), "one ratio");
	test_str(t, format_ratio_range(a, NAN, 3), STR("3.00"), "one end");
	test_str(t, format_ratio_range(a, NAN, NAN), STR(""), "no range");
	test_str(t, format_percent(a, 8.25), STR("8.2 %"), "percent");
	test_str(t, format_percent(a, 112.4), STR("112 %"), "large percent");
	test_str(t, format_count(a, 10664), STR("10,664"), "count");
	test_str(t, format_count(a, -1), STR(""), "no count");
	date_parse(STR("2019-05-28"), &first);
	date_parse(STR("2020-01-02"), &last);
	test_str(t, format_dates(a, first, last, STR(" to ")), STR("2019-05-28 to 2020-01-02"),
		 "dates");
	test_str(t, format_dates(a, first, first, STR(" to ")), STR("2019-05-28"), "one date");
	test_str(t, format_dates(a, none, last, STR(" to ")), STR("2020-01-02"), "only the last");
	test_str(t, format_dates(a, none, none, STR(" to ")), STR(""), "no date");
	test_str(t, format_short(a, STR("abcde"), 5), STR("abcde"), "short enough");
	test_str(t, format_short(a, STR("abcdef"), 5), STR("abcd…"), "cut");
	test_str(t, format_short(a, STR("显卡显卡"), 3), STR("显卡…"), "cut between characters");
	test_str(t, format_short(a, STR("about 1.75 times"), 10), STR("about…"), "no cut number");
	test_str(t, format_short(a, STR("one word; another; more"), 14), STR("one word; …"),
		 "cut behind a part");
	test_str(t, format_short(a, STR("甲乙丙；丁戊己"), 6), STR("甲乙丙；…"), "in Chinese too");
}

static void test_citation(struct test *t, struct arena *a)
{
	struct report r = { .title = STR("A & B: 50 % \"x\"\\"),
			    .subtitle = STR("s"),
			    .edition = STR("my_edition"),
			    .edition_id = STR("2019-05-31-ab") };

	date_parse(STR("2019-05-31"), &r.date);
	test_str(
	    t, citation_bibtex(&r, a),
	    STR("@misc{gpuguide-2019-05-31-ab,\n"
		"  title  = {{A \\& B: 50 \\% \"x\"\\textbackslash{}}},\n"
		"  author = {{gpuguide contributors}},\n"
		"  year   = {2019},\n"
		"  month  = may,\n"
		"  version = {2019-05-31-ab},\n"
		"  howpublished = {Report with its data; MANIFEST has the SHA-256 of each file},\n"
		"  note   = {Edition my\\_edition of 2019-05-31, id 2019-05-31-ab},\n"
		"}\n"),
	    "BibTeX");
	test_str(
	    t, citation_cff(&r, a),
	    STR("cff-version: 1.2.0\n"
		"message: \"If you use these figures, please cite this edition.\"\n"
		"type: dataset\n"
		"title: \"A & B: 50 % \\\"x\\\"\\\\\"\n"
		"authors:\n"
		"  - name: \"gpuguide contributors\"\n"
		"version: \"2019-05-31-ab\"\n"
		"date-released: \"2019-05-31\"\n"
		"abstract: \"s\"\n"
		"identifiers:\n"
		"  - type: other\n"
		"    value: \"2019-05-31-ab\"\n"
		"    description: \"Id of the edition: its date, and a hash of its data and of "
		"what it was made from. MANIFEST beside this file has the SHA-256 of each of "
		"its files.\"\n"
		"keywords:\n"
		"  - GPU\n"
		"  - deep learning\n"
		"  - benchmark\n"
		"  - price\n"),
	    "CITATION.cff");
	r.title = STR("a\n\x1b\xe2\x80\xae\xef\xbf\xbe\xff" "b");
	struct str cff = citation_cff(&r, a);
	test_ok(t,
		str_starts(str_slice(cff, str_find(cff, STR("title:"), 0), cff.len),
			   STR("title: \"a\\x0a\\x1b\\u202e\\ufffe\xef\xbf\xbd"
			       "b\"\n")),
		"CITATION.cff: what YAML cannot print is escaped");
}

static bool build(const char *dir, struct report *r, struct arena *a, struct error *err)
{
	struct report_data *d = arena_alloc(a, sizeof *d);
	struct text_catalogue text;

	*r = (struct report){ .language = STR("en"),
			      .generator = STR("gpuguide test"),
			      .edition_id = STR("2019-05-31-0123456789ab"),
			      .arena = a };
	return data_read(str_of(dir), a, d, err)
	       && text_read("templates/text.en.ini", a, &text, err)
	       && report_build(d, &text, r, err);
}

static bool contains(struct str s, struct str part)
{
	return str_find(s, part, 0) < s.len;
}

static void test_three(struct test *t, struct arena *a)
{
	struct error err = { .code = ERR_NONE };
	struct report r;
	static const char *const caveats[] = {
		"sequence length and cell type can change their order",
		"1 series stands for them here",
		"rows of 2018-11-02 to 2019-04-20 from 2 series",
		"the fastest measured (Word RNN); fp16 (Transformer)",
	};

	test_ok(t, build("tests/render/three/data", &r, a, &err), "the report of three cards");
	if (err.code != ERR_NONE)
		printf("# %s\n", err.msg);
	test_golden(t, report_dump(&r, a), "tests/render/three/report.txt", a, "golden report");
	for (size_t i = 0; i < r.n; i++) {
		const struct report_figure *f = r.blocks[i].figure;
		if (r.blocks[i].kind != BLOCK_FIGURE
		    || !(str_starts(f->id, STR("figure-performance"))
			 || str_starts(f->id, STR("figure-value"))))
			continue;
		/* the guide's three caveats: recurrent nets, software, precision; in caption and
		 * alt text */
		for (size_t k = 0; k < LEN(caveats); k++) {
			test_ok(t, contains(f->caption, str_of(caveats[k])), caveats[k]);
			test_ok(t, contains(f->alt, str_of(caveats[k])),
				"the same in the alt text");
		}
	}
}

/* The chapters stand in the order of the contract, with the appendix behind them. */
static void test_order(struct test *t, struct arena *a)
{
	static const char *const chapters[] = {
		"headline", "performance", "value",   "frontier", "systems", "prices",	"memory",
		"multi",    "rent",	   "trust",   "claims",	  "vendors", "changes", "method",
		"sources",  "rejects",	   "cite",    "numbers",
	};
	struct error err = { .code = ERR_NONE };
	struct report r;
	size_t n = 0;

	build("tests/render/three/data", &r, a, &err);
	for (size_t i = 0; i < r.n; i++) {
		if (r.blocks[i].kind != BLOCK_HEADING || r.blocks[i].level != 2)
			continue;
		test_str(t, r.blocks[i].id, str_of(n < LEN(chapters) ? chapters[n] : "none"),
			 "the next chapter");
		n++;
	}
	test_ok(t, n == LEN(chapters), "every chapter is there");
}

/* What the report of three cards says after its prices have got other remarks. */
static struct str with_prices(const char *first, const char *second, double third, struct arena *a)
{
	struct error err = { .code = ERR_NONE };
	struct report_data d;
	struct text_catalogue text;
	struct report r = { .edition_id = STR("id"), .arena = a };

	if (!data_read(STR("tests/render/three/data"), a, &d, &err))
		return str_of(err.msg);
	d.prices[0].status = str_of(first);
	d.prices[1].status = str_of(second);
	d.prices[2].status = STR("ok");
	d.prices[2].price_usd = third;
	if (!text_read("templates/text.en.ini", a, &text, &err)
	    || !report_build(&d, &text, &r, &err))
		return str_of(err.msg);
	return report_dump(&r, a);
}

static void test_fresh_prices(struct test *t, struct arena *a)
{
	struct str fresh = with_prices("ok", "fallback", NAN, a);
	struct str old = with_prices("stale", "stale", NAN, a);
	struct str mixed = with_prices("ok", "stale", NAN, a);
	struct str unscored = with_prices("stale", "stale", 100, a);

	test_ok(t, contains(fresh, STR("among cards with a price at most 60 days old")),
		"fresh prices: the caption says so");
	test_ok(t, !contains(fresh, STR("With older prices")), "nobody else would be ahead");
	test_ok(t, contains(fresh, STR("| 2019-03-01 | ~not on Amazon or eBay\n")),
		"the remark names the markets that had no price");
	test_ok(t,
		contains(old, STR("table #best-value: Most performance per cost in each class <")),
		"no fresh price: the caption claims none");
	test_ok(t, contains(old, STR("CNN | !RTX 2070 | $499 | 2019-03-01 |")),
		"all are ranked, with the date");
	test_ok(t, contains(old, STR("\nNo price is recent, so all cards are ranked")),
		"and that is said");
	test_ok(t, contains(old, STR("\n2 of the 2 drawn devices have a price older than 60 days")),
		"the chapter of values counts them");
	test_ok(t, !contains(mixed, STR(" drawn devices ha")),
		"not where only fresh ones are drawn");
	test_ok(t, contains(unscored, STR("\nCNN | ~none with a recent price")),
		"only a card without a value has a fresh price");
	test_ok(t, contains(unscored, STR("RTX 2070 ($499 of 2019-03-01) in CNN, Word RNN")),
		"the others are named");
}

/* An edition that was analysed before a file existed has no chapter of it, and no other lack. */
static void test_old_folder(struct test *t, struct arena *a)
{
	static const char *const chapters[] = { "table #table-advice", "== #systems",
						"=== #conditions",     "== #memory",
						"== #multi",	       "== #rent",
						"== #avoid",	       "== #upgrade",
						"== #claims",	       "== #changes",
						"== #vendors" };
	struct error err = { .code = ERR_NONE };
	struct report_data d;
	struct text_catalogue text;
	struct report r = { .edition_id = STR("id"), .arena = a };

	test_ok(t,
		data_read(STR("tests/render/three/data"), a, &d, &err)
		    && text_read("templates/text.en.ini", a, &text, &err),
		"the three cards again");
	d.npicks = d.npick_removed = d.nsystems = d.nlens_moves = d.nprice_conditions = 0;
	d.nmemory = d.nmemory_parts = d.nmulti = d.nmulti_summary = d.nbreakeven = 0;
	d.npredictions = d.navoid = d.nupgrades = d.nclaims = d.nchanges = 0;
	d.nvendors = d.nvendor_classes = d.nvendor_texts = d.ncloud_providers = 0;
	for (size_t i = 0; i < d.ndevices * d.nclasses; i++)
		d.value_at[LENS_SYSTEM][i] = d.value_at[LENS_SYSTEM_POWER][i] = d.nvalues;
	test_ok(t, report_build(&d, &text, &r, &err), "without the newer files it builds");
	struct str dump = report_dump(&r, a);
	for (size_t i = 0; i < LEN(chapters); i++)
		test_ok(t, !contains(dump, str_of(chapters[i])), chapters[i]);
	test_ok(t, contains(dump, STR("== #trust")) && contains(dump, STR("== #cite")),
		"what was there before still is");
}

int main(void)
{
	struct test t = { 0 };
	struct arena a = { 0 };

	test_text(&t, &a);
	test_text_lookup(&t, &a);
	test_no_digits(&t, &a);
	test_formats(&t, &a);
	test_citation(&t, &a);
	test_three(&t, &a);
	test_order(&t, &a);
	test_fresh_prices(&t, &a);
	test_old_folder(&t, &a);
	arena_free(&a);
	return test_done(&t);
}
