/* Jumps, the decisions on them, and what a check finds; sources of prices. Dates around 2019-05-31,
 * the edition's; expected values by hand. */
#include "price_fixture.h"

#include "../prices/check.h"
#include "../prices/fetch.h"
#include "../prices/price_source.h"
#include "../cli/prices_check_out.h"

#include <limits.h>

#define FX "date,currency,usd_per_unit,source\n2019-01-01,EUR,1.1,x\n"

static const struct jump_case {
	const char *label, *rows;
	int max_gap_days;
	const char *found; /* "device market condition stat: before > price (pct)", one a line */
} jump_cases[] = {
	{ "31 % up is a jump",
	  "2019-05-01,RTX 2070,amazon,new,USD,100,unit,,,s\n2019-05-28,RTX "
	  "2070,amazon,new,USD,131,unit,,,s\n",
	  720, "RTX 2070 amazon new : 100 > 131 (31.0)\n" },
	{ "30 % exactly is none: 100 to 130, 1 to 1.3",
	  "2019-05-01,RTX 2070,amazon,new,USD,100,unit,,,s\n2019-05-28,RTX "
	  "2070,amazon,new,USD,130,unit,,,s\n"
	  "2019-05-01,RTX 2080,amazon,new,USD,1,unit,,,s\n2019-05-28,RTX "
	  "2080,amazon,new,USD,1.3,unit,,,s\n",
	  720, "" },
	{ "down counts as well",
	  "2019-05-01,RTX 2070,amazon,new,USD,100,unit,,,s\n2019-05-28,RTX "
	  "2070,amazon,new,USD,69,unit,,,s\n",
	  720, "RTX 2070 amazon new : 100 > 69 (-31.0)\n" },
	{ "only the newest step: what jumped before is history",
	  "2019-05-01,RTX 2070,amazon,new,USD,100,unit,,,s\n2019-05-10,RTX "
	  "2070,amazon,new,USD,200,unit,,,s\n"
	  "2019-05-28,RTX 2070,amazon,new,USD,210,unit,,,s\n",
	  720, "" },
	{ "a row after the date does not exist",
	  "2019-05-01,RTX 2070,amazon,new,USD,100,unit,,,s\n2019-06-01,RTX "
	  "2070,amazon,new,USD,200,unit,,,s\n",
	  720, "" },
	{ "market, condition, stat and currency each stand for themselves",
	  "2019-05-01,RTX 2070,amazon,new,USD,100,unit,,,s\n2019-05-28,RTX "
	  "2070,ebay,new,USD,200,unit,,,s\n"
	  "2019-05-28,RTX 2070,amazon,used,USD,30,unit,,,s\n2019-05-28,RTX "
	  "2070,amazon,new,USD,200,unit,median,9,s\n"
	  "2019-05-28,RTX 2070,amazon,new,EUR,200,unit,,,s\n",
	  720, "" },
	{ "new: the lowest of the day",
	  "2019-05-01,RTX 2070,amazon,new,USD,100,unit,,,s\n2019-05-01,RTX "
	  "2070,amazon,new,USD,300,unit,,,s\n"
	  "2019-05-28,RTX 2070,amazon,new,USD,290,unit,,,s\n2019-05-28,RTX "
	  "2070,amazon,new,USD,110,unit,,,s\n",
	  720, "" },
	{ "used: the median of the day",
	  "2019-05-01,RTX 2070,ebay,used,USD,100,unit,,,s\n"
	  "2019-05-28,RTX 2070,ebay,used,USD,20,unit,,,s\n2019-05-28,RTX "
	  "2070,ebay,used,USD,150,unit,,,s\n"
	  "2019-05-28,RTX 2070,ebay,used,USD,170,unit,,,s\n",
	  720, "RTX 2070 ebay used : 100 > 150 (50.0)\n" },
	{ "rents by their SKU, on demand and spot apart",
	  "2019-05-01,TPUv2,cloud:gcp:a,on-demand,USD,4,hour,,,s\n2019-05-28,TPUv2,cloud:gcp:a,on-"
	  "demand,USD,6,hour,,,s\n"
	  "2019-05-28,TPUv2,cloud:gcp:a,spot,USD,1,hour,,,s\n2019-05-28,TPUv2,cloud:gcp:b,on-"
	  "demand,USD,9,hour,,,s\n",
	  720, "TPUv2 cloud:gcp:a on-demand : 4 > 6 (50.0)\n" },
	{ "two years apart are no measure",
	  "2017-06-07,GTX 1080,amazon,new,USD,100,unit,,,s\n2019-05-28,GTX "
	  "1080,amazon,new,USD,200,unit,,,s\n"
	  "2017-06-07,RTX 2070,amazon,new,USD,100,unit,,,s\n2019-05-27,RTX "
	  "2070,amazon,new,USD,200,unit,,,s\n",
	  719, "RTX 2070 amazon new : 100 > 200 (100.0)\n" },
	{ "the first snapshot has nothing to be held against",
	  "2019-05-28,RTX 2070,amazon,new,USD,1,unit,,,s\n", 720, "" },
};

static struct str jumps_text(const struct price_jumps *j, const struct devices *d, struct arena *a)
{
	struct strbuf b = { .arena = a };

	for (size_t i = 0; i < j->n; i++)
		strbuf_printf(&b, STR_FMT " " STR_FMT " " STR_FMT " " STR_FMT ": %g > %g (%.1f)\n",
			      STR_ARG(d->v[j->v[i].device].name), STR_ARG(j->v[i].market),
			      STR_ARG(price_condition_name(j->v[i].condition)),
			      STR_ARG(j->v[i].stat), j->v[i].before_usd, j->v[i].price_usd,
			      j->v[i].change_pct);
	return strbuf_str(&b);
}

static void test_jumps(struct test *t, struct fixture *f, const struct devices *d)
{
	for (size_t i = 0; i < LEN(jump_cases); i++) {
		struct messages m = { .arena = &f->arena };
		struct prices p;
		struct price_jumps j;

		test_ok(t, price_rows(f, d, jump_cases[i].rows, &p, &m) && m.n == 0,
			"the rows are read");
		price_jumps_find(&p, NULL, 0, price_day("2019-05-31"), jump_cases[i].max_gap_days,
				 &f->arena, &j);
		test_str(t, jumps_text(&j, d, &f->arena), str_of(jump_cases[i].found),
			 jump_cases[i].label);
	}
}

/* Fresh rows are held against the known one before them; known jumps are none of theirs. */
static void test_fresh(struct test *t, struct fixture *f, const struct devices *d)
{
	struct messages m = { .arena = &f->arena };
	struct prices known, fresh;
	struct price_jumps j;

	fixture_put(f, "fresh.csv",
		    PRICE_HEADER "2019-05-20,RTX 2070,amazon,new,USD,140,unit,,,s\n"
				 "2019-05-20,RTX 2080,amazon,new,USD,140,unit,,,s\n");
	const char *path = fixture_path(f, "fresh.csv");
	struct error err = { 0 };
	price_rows(f, d,
		   "2019-05-01,RTX 2070,amazon,new,USD,100,unit,,,s\n2019-05-28,RTX "
		   "2070,amazon,new,USD,500,unit,,,s\n"
		   "2019-05-01,GTX 1080,amazon,new,USD,100,unit,,,s\n2019-05-28,GTX "
		   "1080,amazon,new,USD,500,unit,,,s\n",
		   &known, &m);
	test_ok(t,
		prices_read_files(&path, 1, f->dir, d, &f->arena, &fresh, &m, &err) && fresh.n == 2,
		"a file anywhere is read");
	price_jumps_find(&known, fresh.v, fresh.n, (struct date){ INT_MAX }, 720, &f->arena, &j);
	test_str(t, jumps_text(&j, d, &f->arena), STR("RTX 2070 amazon new : 100 > 140 (40.0)\n"),
		 "fresh rows against the known one before them");
	test_ok(t,
		j.n == 1 && j.v[0].pos.line == 2
		    && str_ends(str_of(j.v[0].pos.file), STR("fresh.csv")),
		"the jump names its row");
}

#define JUMPING                                                                                    \
	"2019-05-01,RTX 2070,amazon,new,USD,100,unit,,,s\n2019-05-28,RTX "                         \
	"2070,amazon,new,USD,131,unit,,,s\n"                                                       \
	"2019-05-01,RTX 2080,amazon,new,USD,100,unit,,,s\n2019-05-28,RTX "                         \
	"2080,amazon,new,USD,200.5,unit,,,s\n"

static void test_accept(struct test *t, struct fixture *f, const struct devices *d)
{
	struct messages m = { .arena = &f->arena };
	struct error err = { 0 };
	struct price_accepted acc;
	struct price_jumps j;
	struct prices p;
	struct str text;
	size_t added;

	price_rows(f, d, JUMPING, &p, &m);
	price_jumps_find(&p, NULL, 0, price_day("2019-05-31"), 720, &f->arena, &j);
	test_ok(t, price_accepted_read(f->dir, d, &f->arena, &acc, &err) && acc.n == 0,
		"no file: nothing was accepted");
	fixture_put(f, "price_accepted.csv",
		    "device,date,market,condition,price_usd,why,by\n"
		    "RTX 2070,2019-05-28,amazon,new,131.00,\"sold, out\",me\n"
		    "RTX 2080,2019-05-28,amazon,new,200,another price,me\n");
	test_ok(t, price_accepted_read(f->dir, d, &f->arena, &acc, &err) && acc.n == 2,
		"columns in any order");
	price_accepted_mark(&acc, &j);
	test_ok(t, j.n == 2 && j.v[0].accepted, "a snapshot with its price is accepted");
	test_ok(t, j.n == 2 && !j.v[1].accepted, "one with another price is not");
	test_ok(t,
		price_accepted_add(&acc, d, &j, STR("=you"), STR("looked"), &f->arena, &added, &err)
		    && added == 1,
		"only what was not accepted is added");
	file_read(acc.path, 0, &f->arena, &text, &err);
	test_str(t, text,
		 STR("date,device,market,condition,price_usd,by,why\n"
		     "2019-05-28,RTX 2070,amazon,new,131,me,\"sold, out\"\n"
		     "2019-05-28,RTX 2080,amazon,new,200,me,another price\n"
		     "2019-05-28,RTX 2080,amazon,new,200.5,'=you,looked\n"),
		 "the file, without a formula in it");
	test_ok(t,
		price_accepted_read(f->dir, d, &f->arena, &acc, &err)
		    && str_eq(acc.v[2].by, STR("=you")),
		"and it is read back");
	test_ok(t,
		price_accepted_add(&acc, d, &j, STR("x"), STR("y"), &f->arena, &added, &err)
		    && added == 0,
		"a second time adds nothing");
}

static const struct {
	const char *row, *msg;
	enum error_code code;
} bad_accepted[] = {
	{ "2019-05-28,RTX 2071,amazon,new,1,a,b",
	  "device: 'RTX 2071' is not one of the catalogue; nearest: RTX 2070, RTX 2060, RTX 2080",
	  ERR_UNKNOWN },
	{ "2019-05-28,RTX 2070,amazon,neu,1,a,b",
	  "condition: 'neu' is not new, used, on-demand or spot", ERR_SYNTAX },
};

static void test_bad_accepted(struct test *t, struct fixture *f, const struct devices *d)
{
	for (size_t i = 0; i < LEN(bad_accepted); i++) {
		struct error err = { 0 };
		struct price_accepted acc;

		fixture_put(f, "price_accepted.csv",
			    str_c(&f->arena,
				  str_printf(&f->arena,
					     "date,device,market,condition,price_usd,by,why\n%s\n",
					     bad_accepted[i].row)));
		test_ok(t, !price_accepted_read(f->dir, d, &f->arena, &acc, &err), "it is refused");
		test_error(t, &err, bad_accepted[i].code, "price_accepted.csv", 2, 0,
			   bad_accepted[i].msg, bad_accepted[i].msg);
	}
	unlink(fixture_path(f, "price_accepted.csv"));
}

/* A bit of everything. */
#define MIXED                                                                                      \
	"2019-05-28,RTX 2070,amazon,new,USD,500,unit,,,s\n2019-05-28,RTX "                         \
	"2070,ebay,new,USD,440,unit,,,s\n"                                                         \
	"2019-05-28,RTX 2080,amazon,new,USD,oops,unit,,,s\n"                                       \
	"2019-05-01,RTX 2060,amazon,new,USD,300,unit,,,s\n2019-05-28,RTX "                         \
	"2060,amazon,new,USD,410,unit,,,s\n"                                                       \
	"2018-06-01,GTX 1080,ebay,used,USD,200,unit,,,s\n2018-10-01,GTX "                          \
	"1080,ebay,used,USD,200,unit,,,s\n"                                                        \
	"2019-03-31,GTX 1080,ebay,used,USD,301,unit,median,2,s\n"                                  \
	"2019-01-01,Titan Xp,amazon,new,USD,900,unit,,,s\n2019-02-01,Titan "                       \
	"Xp,amazon,new,USD,500,unit,,,s\n"                                                         \
	"2017-06-09,GTX 1080 Ti,amazon,new,USD,700,unit,,,s\n"                                     \
	"2018-09-20,RTX 2080 Ti,msrp,new,USD,999,unit,,,s\n"                                       \
	"2019-03-01,TPUv2,cloud:gcp:a,on-demand,USD,4.5,hour,,,s\n"

static struct str findings_text(const struct price_check *c, const struct devices *d,
				struct arena *a)
{
	struct strbuf b = { .arena = a };

	for (size_t i = 0; i < c->n; i++) {
		const struct price_finding *f = &c->v[i];

		strbuf_printf(&b, STR_FMT " " STR_FMT,
			      STR_ARG(price_check_severity_name(f->severity)),
			      STR_ARG(price_check_kind_name(f->kind)));
		if (f->device < d->n)
			strbuf_printf(&b, " " STR_FMT " [" STR_FMT "]",
				      STR_ARG(d->v[f->device].name), STR_ARG(f->market));
		if (f->age_days >= 0)
			strbuf_printf(&b, " %d days", f->age_days);
		if (!isnan(f->change_pct))
			strbuf_printf(&b, " %+.1f", f->change_pct);
		strbuf_addc(&b, '\n');
	}
	return strbuf_str(&b);
}

struct checked {
	struct prices prices;
	struct messages refused;
	struct price_jumps jumps;
	struct price_view view;
	struct edition edition;
	struct price_check check;
};

static void run_check(struct fixture *f, const struct devices *d, const char *rows,
		      struct checked *k)
{
	k->refused = (struct messages){ .arena = &f->arena };
	price_rows(f, d, rows, &k->prices, &k->refused);
	price_jumps_find(&k->prices, NULL, 0, k->edition.date, k->edition.drop_days, &f->arena,
			 &k->jumps);
	k->view =
	    (struct price_view){ &k->edition, d, &k->prices, &k->edition.conditions, &f->arena };
	price_check_run(
	    &(struct price_check_input){ &k->view, &k->refused, &k->jumps, true, &f->arena },
	    &k->check);
}

static void test_check(struct test *t, struct fixture *f, const struct devices *d)
{
	struct checked k = { .edition = price_edition(&f->arena) };
	struct str listed[] = { STR_INIT("RTX 2070"), STR_INIT("Titan RTX"),
				STR_INIT("GTX 1080 Ti") };

	k.edition.fallback.n = 1; /* no list price */
	run_check(f, d, MIXED, &k);
	test_str(t, findings_text(&k.check, d, &f->arena),
		 STR("decision fault\n"
		     "decision jump RTX 2060 [amazon] 3 days +36.7\n"
		     "warning unusual GTX 1080 [ebay] 61 days +50.5\n"
		     "warning stale Titan Xp [amazon] 119 days\n"
		     "warning stale TPUv2 [gcp] 91 days\n"
		     "warning stale GTX 1080 [ebay] 61 days\n"
		     "note missing RTX 2080 []\n"
		     "note missing RTX 2080 Ti []\n"
		     "note missing Tesla V100 PCIe 16GB []\n"
		     "note missing Tesla V100 SXM2 16GB []\n"
		     "note missing Titan RTX []\n"
		     "note missing Mystery []\n"
		     "note lapsed GTX 1080 Ti [amazon] 721 days\n"
		     "note old-jump Titan Xp [amazon] 119 days -44.4\n"
		     "note single-source GTX 1080 [ebay] 61 days\n"
		     "note single-source RTX 2060 [amazon] 3 days\n"
		     "note single-source Titan Xp [amazon] 119 days\n"
		     "note few-listings GTX 1080 [ebay] 61 days\n"),
		 "worst first, each with its severity");
	test_ok(t, k.check.decisions == 2 && k.check.of_kind[CHECK_STALE] == 3, "counts");
	k.jumps.v[0].accepted = true;
	price_check_run(
	    &(struct price_check_input){ &k.view, &k.refused, &k.jumps, true, &f->arena },
	    &k.check);
	test_ok(t,
		k.check.decisions == 1 && k.check.accepted == 1 && k.check.of_kind[CHECK_JUMP] == 0,
		"an accepted jump needs no decision");
	price_check_run(
	    &(struct price_check_input){ &k.view, &k.refused, &k.jumps, false, &f->arena },
	    &k.check);
	test_ok(t, k.check.n == 2, "without the cards: the fault and the old jump");
	k.edition.devices = (struct str_list){ listed, LEN(listed) };
	run_check(f, d, "2019-05-28,RTX 2070,amazon,new,USD,500,unit,,,s\n", &k);
	test_str(t, findings_text(&k.check, d, &f->arena),
		 STR("warning missing GTX 1080 Ti []\nwarning missing Titan RTX []\n"
		     "note single-source RTX 2070 [amazon] 3 days\n"),
		 "a card of the edition's list is warned of, no other is looked at");
}

static void test_check_repeated(struct test *t, struct fixture *f, const struct devices *d)
{
	struct checked k = { .edition = price_edition(&f->arena) };

	run_check(f, d,
		  "2019-05-01,RTX 2070,amazon,new,USD,100,unit,min,1,s\n2019-05-01,RTX "
		  "2070,amazon,new,USD,100,unit,median,1,s\n"
		  "2019-05-28,RTX 2070,amazon,new,USD,200,unit,min,1,s\n2019-05-28,RTX "
		  "2070,amazon,new,USD,200,unit,median,1,s\n",
		  &k);
	test_ok(t, k.jumps.n == 2 && k.check.of_kind[CHECK_JUMP] == 1,
		"min and median of one price: one finding");
	run_check(f, d, "", &k);
	test_ok(t, k.check.decisions == 0 && k.check.of_kind[CHECK_FAULT] == 0,
		"no price at all is no fault");
}

/* Names from outside reach a terminal harmless, and a file of the text format only as far as 12
 * lines. */
static void test_output(struct test *t, struct fixture *f, const struct devices *d)
{
	struct checked k = { .edition = price_edition(&f->arena) };
	struct strbuf rows = { .arena = &f->arena };

	for (int i = 0; i < 20; i++)
		strbuf_printf(&rows,
			      "2019-05-01,TPUv2,cloud:p%02d:a,on-demand,USD,1,hour,,,s\n"
			      "2019-05-28,TPUv2,cloud:p%02d:a,on-demand,USD,2,hour,,,s\n",
			      i, i);
	strbuf_add(&rows, STR("2019-05-28,TPUv2,cloud:\x1b[31m,on-demand,USD,2,hour,,,s\n"));
	run_check(f, d, str_c(&f->arena, strbuf_str(&rows)), &k);
	struct prices_check_said s = {
		.check = &k.check, .view = &k.view, .rows = k.prices.n, .cards = true, .width = 80
	};
	struct str text = prices_check_format(&s, FORMAT_TEXT, &f->arena),
		   csv = prices_check_format(&s, FORMAT_CSV, &f->arena),
		   json = prices_check_format(&s, FORMAT_JSON, &f->arena);
	test_ok(t, k.check.of_kind[CHECK_JUMP] == 20, "20 jumps");
	test_ok(t,
		str_find(text, STR("\x1b"), 0) == text.len
		    && str_find(text, STR("cloud:<U+001B>[31m"), 0) < text.len,
		"text: no escape sequence");
	test_ok(t, str_find(text, STR("… and 8 more"), 0) < text.len, "text: 12 lines a kind");
	test_ok(t, str_find(csv, STR("cloud:p19:"), 0) < csv.len, "csv: every finding");
	test_ok(t,
		str_find(json, STR("\x1b"), 0) == json.len
		    && str_find(json, STR("cloud:p19:"), 0) < json.len,
		"json: every finding, no escape sequence");
	s.decisions_only = true;
	k.check.n = 0;
	test_str(t, prices_check_format(&s, FORMAT_TEXT, &f->arena), STR(""),
		 "quiet: nothing where nothing is wrong");
}

static const struct {
	const char *label, *text, *msg;
	enum error_code code;
	int line;
} bad_sources[] = {
	{ "unknown key", "[a]\nurls = https://x/y\n",
	  "unknown key 'urls' of [a]; there are url, command, map, market, date, source, max_mb, "
	  "timeout_s, keep_raw, "
	  "cafile",
	  ERR_SYNTAX, 2 },
	{ "http", "[a]\nurl = http://x/y\n", "url: 'http://x/y' is not https://HOST/PATH",
	  ERR_SYNTAX, 2 },
	{ "file", "[a]\nurl = file:///etc/passwd\n",
	  "url: 'file:///etc/passwd' is not https://HOST/PATH", ERR_SYNTAX, 2 },
	{ "no host", "[a]\nurl = https:///y\n", "url: 'https:///y' is not https://HOST/PATH",
	  ERR_SYNTAX, 2 },
	{ "blank", "[a]\nurl = https://x/y -o z\n",
	  "url: 'https://x/y -o z' has a blank, a quote, '<', '>', '\\' or a character that is not "
	  "ASCII",
	  ERR_SYNTAX, 2 },
	{ "password", "[a]\nurl = https://me:pw@x/y\n",
	  "url: a name or password in it would stand in logs and process lists", ERR_SYNTAX, 2 },
	{ "no program", "[a]\ncommand =\n", "command: '' names no program", ERR_SYNTAX, 2 },
	{ "no map", "[a]\nurl = https://x/y\n", "[a]: key 'map' is missing", ERR_SYNTAX, 2 },
	{ "empty map", "[a]\nmap =\n",
	  "map: '' is not a name of data/price_maps or a file NAME.ini", ERR_SYNTAX, 2 },
	{ "empty market", "[a]\nmarket =\n", "market: '' is not the name of a market", ERR_SYNTAX,
	  2 },
	{ "empty source", "[a]\nsource =\n", "source: '' says nothing", ERR_SYNTAX, 2 },
	{ "neither", "[a]\nmap = m\n", "[a]: one of url and command is wanted", ERR_SYNTAX, 2 },
	{ "both", "[a]\nmap = m\nurl = https://x/y\ncommand = z\n",
	  "[a]: one of url and command is wanted", ERR_SYNTAX, 2 },
	{ "cafile of a command", "[a]\nmap = m\ncommand = z\ncafile = c\n",
	  "[a]: cafile is for a url; a command has no use for it", ERR_SYNTAX, 2 },
	{ "cafile like an option", "[a]\ncafile = -k\n", "cafile: '-k' is not the path of a file",
	  ERR_SYNTAX, 2 },
	{ "date", "[a]\ndate = yesterday\n", "date: 'yesterday' is not today or from-file",
	  ERR_SYNTAX, 2 },
	{ "size", "[a]\nmax_mb = 0\n", "max_mb: 0 is not from 0.001 to 1000", ERR_RANGE, 2 },
	{ "no number", "[a]\ntimeout_s = soon\n", "timeout_s: 'soon' is not a number", ERR_SYNTAX,
	  2 },
	{ "keep", "[a]\nkeep_raw = maybe\n", "keep_raw: 'maybe' is not yes or no", ERR_SYNTAX, 2 },
	{ "name", "[../a]\nmap = m\n",
	  "[../a]: a source's name is letters, digits, '-' and '_', at most 40", ERR_SYNTAX, 2 },
	{ "words",
	  "[a]\ncommand = 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 "
	  "28 29 30 31 32 "
	  "33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61 "
	  "62 63 64 65\n",
	  "command: '1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 "
	  "30 31 32 33 34 35 36 "
	  "37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63 64 65' "
	  "has more than 64 "
	  "words",
	  ERR_SYNTAX, 2 },
};

static void test_sources(struct test *t, struct fixture *f)
{
	struct error err = { 0 };
	struct price_sources s;

	test_ok(t,
		price_sources_parse(
		    STR("[a]\nurl = https://x.org/y?z=1\nmap = m\nmarket = shop\ncafile = ca.pem\n"
			"max_mb = 0.5\ntimeout_s = 7\nkeep_raw = no\ndate = from-file\nsource = a "
			"page\n"
			"[b]\ncommand = tools/get  --all 'x\nmap = n\n"),
		    "x.ini", "/usr", &f->arena, &s, &err)
		    && s.n == 2,
		"two sources");
	if (s.n < 2)
		return;
	test_ok(t,
		s.v[0].max_bytes == 500000 && s.v[0].seconds == 7 && !s.v[0].keep_raw
		    && s.v[0].date_from_file,
		"what the first says");
	test_str(t, price_fetch_plan(&s.v[0], &f->arena),
		 STR("curl --disable --silent --show-error --fail --location --max-redirs 3 "
		     "--proto =https --proto-redir "
		     "=https --globoff --user-agent gpuguide --output - --max-filesize 500000 "
		     "--max-time 7 "
		     "--connect-timeout 7 --cacert /usr/ca.pem --url https://x.org/y?z=1"),
		 "https alone, with limits");
	test_ok(t,
		s.v[1].max_bytes == 10000000 && s.v[1].seconds == 60 && s.v[1].keep_raw
		    && !s.v[1].date_from_file,
		"the defaults");
	test_str(t, price_fetch_plan(&s.v[1], &f->arena), STR("/usr/tools/get --all 'x"),
		 "a command below ROOT, words by blanks, quotes mean nothing");
	test_ok(t, price_source_find(&s, STR("b")) == &s.v[1] && !price_source_find(&s, STR("c")),
		"by name");
	for (size_t i = 0; i < LEN(bad_sources); i++) {
		struct error e = { 0 };

		test_ok(t,
			!price_sources_parse(str_of(bad_sources[i].text), "x.ini", "/usr",
					     &f->arena, &s, &e),
			bad_sources[i].label);
		test_error(t, &e, bad_sources[i].code, "x.ini", bad_sources[i].line, 0,
			   bad_sources[i].msg, bad_sources[i].msg);
	}
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
	fixture_put(&f, "system/fx_to_usd.csv", FX);
	test_jumps(&t, &f, &d);
	test_fresh(&t, &f, &d);
	test_accept(&t, &f, &d);
	test_bad_accepted(&t, &f, &d);
	test_check(&t, &f, &d);
	test_check_repeated(&t, &f, &d);
	test_output(&t, &f, &d);
	test_sources(&t, &f);
	fixture_close(&f);
	return test_done(&t);
}
