/* The history of a device's prices and its curve. Dates around 2019-05-31, the edition's; expected
 * values by hand. */
#include "price_fixture.h"

#include "../cli/prices_show_out.h"
#include "../cli/terminal.h"
#include "../prices/show.h"

#include <limits.h>

enum { RTX_2070 = 3, TPU_V2 = 11 };

static const struct curve_case {
	const char *label, *rows, *from, *to;
	size_t columns;
	const char *blocks, *ascii;
} curve_cases[] = {
	{ "lowest to highest",
	  "2019-05-01,RTX 2070,amazon,new,USD,100,unit,,,s\n2019-05-02,RTX "
	  "2070,amazon,new,USD,200,unit,,,s\n"
	  "2019-05-03,RTX 2070,amazon,new,USD,150,unit,,,s\n2019-05-04,RTX "
	  "2070,amazon,new,USD,900,unit,,,s\n",
	  "2019-05-01", "2019-05-04", 4, "▁▂▁█", "_._#" },
	{ "one price stands in the middle", "2019-05-01,RTX 2070,amazon,new,USD,100,unit,,,s\n",
	  "2019-05-01", "2019-05-01", 1, "▅", "=" },
	{ "it holds until the next one, not beyond the last",
	  "2019-05-02,RTX 2070,amazon,new,USD,100,unit,,,s\n2019-05-06,RTX "
	  "2070,amazon,new,USD,200,unit,,,s\n",
	  "2019-05-01", "2019-05-08", 8, " ▁▁▁▁█  ", " ____#  " },
	{ "at most 60 days: then there is a gap",
	  "2019-01-01,RTX 2070,amazon,new,USD,100,unit,,,s\n2019-05-10,RTX "
	  "2070,amazon,new,USD,200,unit,,,s\n",
	  "2019-01-01", "2019-05-10", 13, "▁▁▁▁▁▁▁     █", "_______     #" },
	{ "a column of several days: their median",
	  "2019-05-01,RTX 2070,amazon,new,USD,100,unit,,,s\n2019-05-02,RTX "
	  "2070,amazon,new,USD,100,unit,,,s\n"
	  "2019-05-03,RTX 2070,amazon,new,USD,900,unit,,,s\n2019-05-04,RTX "
	  "2070,amazon,new,USD,900,unit,,,s\n",
	  "2019-05-01", "2019-05-04", 1, "▅", "=" },
	{ "no column, no curve", "2019-05-01,RTX 2070,amazon,new,USD,100,unit,,,s\n", "2019-05-01",
	  "2019-05-01", 0, "", "" },
};

static void look(struct fixture *f, const struct devices *d, const struct edition *e,
		 const char *rows, size_t device, struct price_show *out, struct price_view *v,
		 struct prices *p)
{
	struct messages m = { .arena = &f->arena };
	struct price_show_wish wish = { STR(""), NULL };

	price_rows(f, d, rows, p, &m);
	*v = (struct price_view){ e, d, p, &e->conditions, &f->arena };
	price_show(v, device, &wish, &f->arena, out);
}

static void test_curves(struct test *t, struct fixture *f, const struct devices *d,
			const struct edition *e)
{
	for (size_t i = 0; i < LEN(curve_cases); i++) {
		const struct curve_case *c = &curve_cases[i];
		struct price_show s;
		struct price_view v;
		struct prices p;

		look(f, d, e, c->rows, RTX_2070, &s, &v, &p);
		test_ok(t, s.n == 1, "one kind of price");
		test_str(t,
			 price_sparkline(&s.v[0], price_day(c->from), price_day(c->to), c->columns,
					 true, &f->arena),
			 str_of(c->blocks), c->label);
		test_str(t,
			 price_sparkline(&s.v[0], price_day(c->from), price_day(c->to), c->columns,
					 false, &f->arena),
			 str_of(c->ascii), "the same in ASCII");
	}
}

static void test_series(struct test *t, struct fixture *f, const struct devices *d,
			const struct edition *e)
{
	enum price_condition used = PRICE_USED;
	struct price_show_wish wish = { STR(""), &used };
	struct price_show s;
	struct price_view v;
	struct prices p;

	look(f, d, e,
	     "2019-05-28,TPUv2,cloud:gcp:b,on-demand,USD,4,hour,,,s\n2019-05-28,TPUv2,cloud:gcp:a,"
	     "spot,USD,1,hour,,,s\n"
	     "2018-10-01,TPUv2,amazon,new,USD,900,unit,,,s\n2019-01-01,TPUv2,amazon,new,USD,500,"
	     "unit,,,s\n"
	     "2019-01-01,TPUv2,amazon,new,USD,520,unit,,7,s\n2019-02-01,TPUv2,amazon,new,USD,700,"
	     "unit,,,s\n"
	     "2019-06-01,TPUv2,amazon,new,USD,1,unit,,,s\n2019-01-05,TPUv2,ebay,used,USD,300,unit,"
	     "mean,5,s\n"
	     "2019-01-05,RTX 2070,ebay,used,USD,1,unit,,,s\n",
	     TPU_V2, &s, &v, &p);
	test_ok(t, s.n == 4 && s.ncards == 2, "cards before rents, no row of another device");
	if (s.n != 4)
		return;
	test_str(t, s.v[0].v[0].row->market, STR("amazon"), "cards by market");
	test_str(t, s.v[2].v[0].row->market, STR("cloud:gcp:a"), "rents by market");
	test_ok(t, s.v[0].n == 3 && s.v[0].rows == 4, "a point a day, none after the date");
	test_near(t, s.v[0].min_usd, 500, 0, "min: the lowest of its day");
	test_near(t, s.v[0].median_usd, 700, 0, "median of 900, 500, 700");
	test_near(t, s.v[0].max_usd, 900, 0, "max");
	test_ok(t,
		s.v[0].min_date.day == price_day("2019-01-01").day
		    && s.v[0].max_date.day == price_day("2018-10-01").day,
		"their days");
	test_ok(t,
		s.v[0].gap_from.day == price_day("2018-10-01").day
		    && s.v[0].gap_to.day == price_day("2019-01-01").day,
		"the longest gap: 92 days");
	test_ok(t, s.v[1].gap_from.day == INT_MIN, "no gap");
	test_ok(t, s.v[0].v[1].listings == 7 && s.v[0].v[0].listings == -1,
		"listings where they are stated");
	price_show(&v, TPU_V2, &wish, &f->arena, &s);
	test_ok(t, s.n == 1 && str_eq(s.v[0].v[0].row->market, STR("ebay")), "one condition only");
	wish = (struct price_show_wish){ STR("cloud:gcp"), NULL };
	price_show(&v, TPU_V2, &wish, &f->arena, &s);
	test_ok(t, s.n == 2 && s.ncards == 0, "a provider's name stands for its SKUs");
	wish.market = STR("cloud:g");
	price_show(&v, TPU_V2, &wish, &f->arena, &s);
	test_ok(t, s.n == 0, "half of its name for none");
}

static const struct {
	const char *label, *rows;
	enum price_role roles[4]; /* amazon, ebay, pcpartpicker, msrp */
} role_cases[] = {
	{ "both markets",
	  "2019-05-28,RTX 2070,amazon,new,USD,500,unit,,,s\n2019-05-28,RTX "
	  "2070,ebay,new,USD,440,unit,,,s\n"
	  "2019-05-28,RTX 2070,pcpartpicker,new,USD,440,unit,,,s\n",
	  { ROLE_USED, ROLE_USED, ROLE_NOT_NEEDED, ROLE_NOT_NEEDED } },
	{ "one much older than the other",
	  "2019-05-28,RTX 2070,amazon,new,USD,500,unit,,,s\n2019-03-01,RTX "
	  "2070,ebay,new,USD,440,unit,,,s\n",
	  { ROLE_USED, ROLE_OLDER, ROLE_NONE, ROLE_NOT_NEEDED } },
	{ "a fresh fallback goes before a stale market",
	  "2019-03-01,RTX 2070,ebay,new,USD,440,unit,,,s\n2019-05-28,RTX "
	  "2070,pcpartpicker,new,USD,440,unit,,,s\n",
	  { ROLE_NONE, ROLE_STALE, ROLE_USED, ROLE_NOT_NEEDED } },
	{ "no price but the list's",
	  "2019-05-28,RTX 2080,ebay,new,USD,440,unit,,,s\n",
	  { ROLE_NONE, ROLE_NONE, ROLE_NONE, ROLE_USED } },
};

static void test_roles(struct test *t, struct fixture *f, const struct devices *d,
		       const struct edition *e)
{
	for (size_t i = 0; i < LEN(role_cases); i++) {
		struct price_show s;
		struct price_view v;
		struct prices p;
		bool good;

		look(f, d, e, role_cases[i].rows, RTX_2070, &s, &v, &p);
		good = s.nmarkets == 4;
		for (size_t k = 0; k < s.nmarkets && k < 4; k++)
			good = good && s.markets[k].role == role_cases[i].roles[k];
		test_ok(t, good, role_cases[i].label);
	}
}

static void test_output(struct test *t, struct fixture *f, const struct devices *d,
			const struct edition *e)
{
	struct price_show s;
	struct price_view v;
	struct prices p;

	look(f, d, e,
	     "2019-05-01,RTX 2070,ama;x,new,USD,500,unit,,,=cmd\n2019-05-28,RTX "
	     "2070,amazon,new,USD,510,unit,,3,s\n",
	     RTX_2070, &s, &v, &p);
	struct prices_show_said said = { &s, &v, 60, true };
	struct str text = prices_show_format(&said, FORMAT_TEXT, &f->arena),
		   json = prices_show_format(&said, FORMAT_JSON, &f->arena), rest = text, line;
	bool fits = true;

	while (str_cut(&rest, '\n', &line))
		if (terminal_length(line) > 60) {
			printf("# too wide: " STR_FMT "\n", STR_ARG(line));
			fits = false;
		}
	test_ok(t, fits, "text: no line is wider than the terminal");
	test_ok(t,
		str_find(text, STR("510.00 USD, newest of 2019-05-28 (3 days old),"), 0) < text.len,
		"text: the edition's price");
	test_str(
	    t, prices_show_format(&said, FORMAT_CSV, &f->arena),
	    str_printf(
		&f->arena,
		"device,market,condition,stat,currency,date,price_usd,quantity,rows,n,source,file,"
		"line\n"
		"RTX 2070,\"ama;x\",new,,USD,2019-05-01,500,unit,1,,'=cmd,%s/prices/a.csv,2\n"
		"RTX 2070,amazon,new,,USD,2019-05-28,510,unit,1,3,s,%s/prices/a.csv,3\n",
		f->dir, f->dir),
	    "csv: every day, no formula");
	test_ok(t, str_find(json, STR("\"role\": \"used\", \"price_usd\": 510"), 0) < json.len,
		"json: the markets");
	said.unicode = false;
	text = prices_show_format(&said, FORMAT_TEXT, &f->arena);
	test_ok(t,
		str_find(text, STR("▅"), 0) == text.len && str_find(text, STR("="), 0) < text.len,
		"ASCII where the terminal knows no more");
	look(f, d, e, "2019-05-28,RTX 2080,amazon,new,USD,510,unit,,3,s\n", TPU_V2, &s, &v, &p);
	text = prices_show_format(&said, FORMAT_TEXT, &f->arena);
	test_ok(t, str_find(text, STR("No price is on record."), 0) < text.len,
		"a card without any price");
}

static void test_terminal(struct test *t, struct arena *a)
{
	struct strbuf b = { .arena = a };

	terminal_wrap(&b, STR("one two three\u00a0four five"), 0, 2, 10);
	test_str(t, strbuf_str(&b), STR("one two\n  three four\n  five\n"),
		 "words in lines, hard blanks keep together");
	b.len = 0;
	terminal_put(&b, STR("日本"), 4, false);
	terminal_put(&b, STR("\x9b\xff"), 3, true);
	test_str(t, strbuf_str(&b), STR("日本   ??"),
		 "columns by characters, malformed bytes as ?");
}

int main(void)
{
	struct test t = { 0 };
	struct fixture f;
	struct devices d;
	struct error err = { 0 };

	if (!fixture_open(&f) || !fixture_devices(&f, &d, &err)) {
		error_print(stdout, &err);
		return 1;
	}
	fixture_put(&f, "system/fx_to_usd.csv",
		    "date,currency,usd_per_unit,source\n2019-01-01,EUR,1.1,x\n");
	struct edition e = price_edition(&f.arena);
	test_curves(&t, &f, &d, &e);
	test_series(&t, &f, &d, &e);
	test_roles(&t, &f, &d, &e);
	test_output(&t, &f, &d, &e);
	test_terminal(&t, &f.arena);
	fixture_close(&f);
	return test_done(&t);
}
