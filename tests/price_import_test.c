/* Listings to price rows: excerpts of the real ones by the shipped maps, then each rule and reason.
 */
#include "price_import_fixture.h"

#include "../prices/held.h"
#include "../base/stat.h"
#include "../prices/map_choice.h"

#include <limits.h>

/* tests/prices/NAME.csv or .json, and NAME.out: what must come out, worked out by hand. */
static const struct {
	const char *file, *map, *market, *date, *source;
	size_t used;
	const char *refused;
	size_t n_unread;
} excerpts[] = {
	{ "pcpartpicker-2017.csv", "pcpartpicker", "pcpartpicker", "2017-12-07", "excerpt", 7,
	  "duplicate 1, no-price 1, device-unknown 1, other-memory 2", 0 },
	{ "pcpartpicker-2019.csv", "pcpartpicker", "pcpartpicker", "2019-06-06", "excerpt", 8,
	  "no-price 1", 0 },
	{ "pcpartpicker-2021.csv", "pcpartpicker", "pcpartpicker", "2021-07-11", "excerpt", 7,
	  "duplicate 2, no-price 2, other-memory 1", 0 },
	{ "pcpartpicker-2023.csv", "pcpartpicker", "pcpartpicker", "2023-07-05", "excerpt", 10,
	  "no-price 1", 0 },
	{ "ebay-averages.csv", "ebay-averages", "ebay", "", "", 4, "no-price 3, device-unknown 4",
	  1 },
	{ "fsdl-cloud.csv", "fsdl-cloud", "", "2025-05-16", "", 16,
	  "duplicate 4, no-price 6, repeated 6", 0 },
	{ "cloud-gpus.json", "cloud-gpus", "", "2022-10-19", "", 4, "no-price 5, device-unknown 1",
	  0 },
	{ "dawnbench.csv", "dawnbench", "", "", "", 9, "repeated 1, no-gpu 1, cluster 2", 0 },
	{ "skypilot-gcp.csv", "skypilot", "cloud:gcp", "2025-06-30", "", 8,
	  "duplicate 2, sentinel 4", 0 },
	{ "skypilot-lambda.csv", "skypilot", "cloud:lambda", "2025-06-30", "", 5, "no-price 5", 0 },
};

static struct str expected(const char *file, struct arena *a)
{
	struct error err = { 0 };
	struct str name = str_of(file), out = STR("");
	size_t dot = str_find(name, STR("."), 0);

	file_read(str_c(a, str_printf(a, "tests/prices/" STR_FMT ".out",
				      STR_ARG(str_slice(name, 0, dot)))),
		  0, a, &out, &err);
	return out;
}

/* The text with a few bytes changed, dropped, doubled or put in. */
static struct str mutated(struct str text, struct rng *r, struct arena *a)
{
	static const char signs[] = ",;\"\n{}[]:$-.0eE\\'\t \xC3\xA9\xFF=/|";
	struct strbuf b = { .arena = a };
	size_t every = 1 + rng_below(r, 400);

	for (size_t i = 0; i < text.len; i++) {
		size_t what = rng_below(r, every) ? 4 : rng_below(r, 4);

		if (what < 2)
			strbuf_addc(&b, signs[rng_below(r, sizeof signs - 1)]);
		if (what == 2)
			strbuf_addc(&b, text.p[i]);
		if (what != 1 && what != 3)
			strbuf_addc(&b, text.p[i]);
	}
	return strbuf_str(&b);
}

/* Whether what came out can be read again, row by row. */
static bool reads_back(const struct import *im, struct arena *a)
{
	struct csv_table table;
	struct error err = { 0 };

	return csv_parse_text(import_csv(im, NULL, a), "out", a, &table, &err) && table.n == im->n;
}

/* A listing that was damaged is refused, or every price of it is used or refused. */
static void test_damaged(struct test *t, const struct importing_fixture *f, struct str text)
{
	struct rng r = { 1 };
	size_t bad = 0, read = 0;

	for (int round = 0; round < 100; round++) {
		struct arena a = { 0 };
		struct csv_table table;
		struct error err = { 0 };
		struct import im;

		import_open(&im, &f->in, &a);
		if (listing_parse(mutated(text, &r, &a), "x", f->map.format, f->map.rows, &a,
				  &table, &err)
		    && import_listing(&im, &table, &err)) {
			read++;
			bad += !import_finish(&im, &err) || !reads_back(&im, &a);
		} else {
			bad += err.code == ERR_NONE || err.msg[0] == '\0';
		}
		arena_free(&a);
	}
	test_ok(t, bad == 0 && read > 0, "damaged listings are refused or add up");
}

static void test_excerpt(struct test *t, struct importing_fixture *f, size_t i)
{
	struct arena *a = &f->files.arena;
	const char *path = str_c(a, str_printf(a, "tests/prices/%s", excerpts[i].file));
	struct listing_text listing = { path, { 0 } };
	struct csv_table table;
	struct error err = { 0 };

	f->in = (struct import_input){ &f->map,
				       &f->devices,
				       &f->fx,
				       { INT_MIN },
				       str_of(excerpts[i].market),
				       str_of(excerpts[i].source) };
	if (*excerpts[i].date)
		date_parse(str_of(excerpts[i].date), &f->in.date);
	bool good = file_read(path, 0, a, &listing.text, &err)
		    && map_choose("data", NULL, &listing, &f->devices, a, &f->map, &table, &err);
	test_str(t, good ? f->map.name : str_of(err.msg), str_of(excerpts[i].map), path);
	if (!good)
		return;
	import_open(&f->im, &f->in, a);
	test_ok(t, import_listing(&f->im, &table, &err) && import_finish(&f->im, &err),
		"used and refused come to what was read");
	test_ok(t, f->im.used == excerpts[i].used && f->im.n_unread == excerpts[i].n_unread,
		"used");
	test_str(t, importing_refused(f), str_of(excerpts[i].refused), "refused, by reason");
	test_str(t, import_csv(&f->im, NULL, a), expected(excerpts[i].file, a), "the rows");
	test_damaged(t, f, listing.text);
}

static void test_excerpts(struct test *t)
{
	struct importing_fixture f = { 0 };
	struct arena *a = &f.files.arena;

	test_ok(t, devices_read("data", a, &f.devices, &f.err) && fx_read("data", a, &f.fx, &f.err),
		"the shipped catalogue");
	for (size_t i = 0; i < LEN(excerpts); i++)
		test_excerpt(t, &f, i);
	arena_free(a);
}

/* One listing each, and its whole outcome: reasons, first case, rows of price and n. */
static const struct {
	const char *name, *map, *listing, *refused, *first;
	size_t rows;
	double price;
} cases[] = {
	{ "a price", "", "card,price\nGTX 1080,499\n", "", "", 1, 499 },
	{ "an alias of the scope", "", "card,price\nGeForce RTX 3080,700\n", "", "", 1, 700 },
	{ "an alias for everything", "", "card,price\n1080 Gaming,7.5\n", "", "", 1, 7.5 },
	{ "short row", "", "card,price\nGTX 1080\n", "short-row 1",
	  "2:0: 1 cells, but the header has 2", 0, 0 },
	{ "duplicate", "", "card,price\nGTX 1080,1\nGTX 1080,1\n", "duplicate 1",
	  "3:1: 'GTX 1080' is a row that stood there before", 1, 1 },
	{ "duplicates kept are repeated prices", "[rows]\nduplicates = keep\n",
	  "card,price\nGTX 1080,1\nGTX 1080,1\n", "repeated 1",
	  "3:10: '1': the price of shop in line 2 again", 1, 1 },
	{ "duplicates kept count in a statistic", "[rows]\nduplicates = keep\nstatistics = mean\n",
	  "card,price\nGTX 1080,1\nGTX 1080,1\nGTX 1080,4\n", "", "", 1, 2 },
	{ "empty", "", "card,price\nGTX 1080,\n", "no-price 1", "2:10: price: '' means: no price",
	  0, 0 },
	{ "0 is no placeholder of itself", "", "card,price\nGTX 1080,0.00\n", "range 1",
	  "2:10: price: '0.00' is not from 0.0001 to 10000000 for one card", 0, 0 },
	{ "placeholder", "missing = 0.00 | -\n", "card,price\nGTX 1080,0.00\nGTX 1080,-\n",
	  "no-price 2", "2:10: price: '0.00' means: no price", 0, 0 },
	{ "sentinel", "sentinel = 700\n", "card,price\nGTX 1080,700.0\n", "sentinel 1",
	  "2:10: price: '700.0' means: not sold here", 0, 0 },
	{ "no number", "", "card,price\nGTX 1080,nan\n", "not-a-number 1",
	  "2:10: price: 'nan' is not a number", 0, 0 },
	{ "a symbol that the map does not name", "", "card,price\nGTX 1080,$499\n",
	  "not-a-number 1", "2:10: price: '$499' is not a number", 0, 0 },
	{ "symbols and thousands", "symbols = $ | /hr\nthousands = ,\n",
	  "card,price\nGTX 1080,\"$ 2,300.5 /hr\"\n", "", "", 1, 2300.5 },
	{ "thousands in the wrong place", "thousands = ,\n", "card,price\nGTX 1080,\"1,59\"\n",
	  "not-a-number 1", "2:10: price: '1,59' is not a number", 0, 0 },
	{ "thousands behind too many digits", "thousands = ,\n",
	  "card,price\nGTX 1080,\"1234,567\"\n", "not-a-number 1",
	  "2:10: price: '1234,567' is not a number", 0, 0 },
	{ "millions", "thousands = ,\n", "card,price\nGTX 1080,\"1,234,567.5\"\n", "", "", 1,
	  1234567.5 },
	{ "thousands behind the decimal mark", "thousands = ,\n",
	  "card,price\nGTX 1080,\"1.123,456\"\n", "not-a-number 1",
	  "2:10: price: '1.123,456' is not a number", 0, 0 },
	{ "decimal comma", "thousands = .\ndecimal = ,\n", "card,price\nGTX 1080,\"1.234,50\"\n",
	  "", "", 1, 1234.5 },
	{ "over the most", "", "card,price\nGTX 1080,10000001\n", "range 1",
	  "2:10: price: '10000001' is not from 0.0001 to 10000000 for one card", 0, 0 },
	{ "below zero", "", "card,price\nGTX 1080,-3\n", "range 1",
	  "2:10: price: '-3' is not from 0.0001 to 10000000 for one card", 0, 0 },
	{ "rounded to nothing", "[rows]\ndecimals = 0\n", "card,price\nGTX 1080,0.3\n", "range 1",
	  "2:10: price: '0.3' is not from 0.0001 to 10000000 for one card", 0, 0 },
	{ "the lowest of a list", "list = lowest\n", "card,price\nGTX 1080,\"[3, 2.5, 4]\"\n", "",
	  "", 1, 2.5 },
	{ "an empty list", "list = lowest\n", "card,price\nGTX 1080,[]\n", "no-price 1",
	  "2:10: price: '[]' means: no price", 0, 0 },
	{ "a list with a gap", "list = lowest\n", "card,price\nGTX 1080,\"[, 2]\"\n", "", "", 1,
	  2 },
	{ "a list with a bad item", "list = lowest\n", "card,price\nGTX 1080,\"[3, x]\"\n",
	  "not-a-number 1", "2:10: price: 'x' is not a number", 0, 0 },
	{ "each of a list", "list = each\n[rows]\nstatistics = median\n",
	  "card,price\nGTX 1080,\"[3, 2, 7, -]\"\n", "not-a-number 1",
	  "2:10: price: '-' is not a number", 1, 3 },
	{ "a list that the map does not know of", "", "card,price\nGTX 1080,[3]\n",
	  "not-a-number 1", "2:10: price: '[3]' is not a number", 0, 0 },
	{ "unknown device", "", "card,price\nFirePro 2460,3\n", "device-unknown 1",
	  "2:1: 'FirePro 2460' is not in the catalogue; nearest: RTX 3080 10GB, RTX 3080 12GB, RX "
	  "580",
	  0, 0 },
	{ "a name that is trusted in benchmarks only", "", "card,price\nVolta,3\n",
	  "device-unknown 1", "2:1: 'Volta' is not in the catalogue; nearest: Tesla V100 PCIe 16GB",
	  0, 0 },
	{ "an alias of another scope", "", "card,price\nV100,3\n", "device-unknown 1",
	  "2:1: 'V100' is not in the catalogue; nearest: GTX 1080, RX 580, Tesla V100 PCIe 16GB", 0,
	  0 },
	{ "ambiguous device", "", "card,price\nRTX 3080,3\n", "device-ambiguous 1",
	  "2:1: 'RTX 3080' could be any of RTX 3080 10GB, RTX 3080 12GB", 0, 0 },
	{ "suffix", "strip_suffix = LHR\n", "card,price\nGTX 1080 LHR,3\nGTX 1080LHR,4\n",
	  "device-unknown 1",
	  "3:1: 'GTX 1080LHR' is not in the catalogue; nearest: GTX 1080, RTX 3080 10GB, RTX 3080 "
	  "12GB",
	  1, 3 },
	{ "prefix", "strip_prefix = x-\n", "card,price\nx-GTX 1080,3\n", "", "", 1, 3 },
	{ "names of the map", "[devices]\nthe old one = GTX 1080\n", "card,price\nThe old one,3\n",
	  "", "", 1, 3 },
	{ "several cards by the map", "[devices]\npair = GTX 1080 / 2\n", "card,price\npair,3\n",
	  "", "", 1, 1.5 },
	{ "left out by the map", "[skip]\nold = card ends (old)\n",
	  "card,price\nGTX 1080 (old),3\n", "old 1", "2:1: 'GTX 1080 (old)' is left out by the map",
	  0, 0 },
	{ "left out by a number", "[skip]\ncheap = price below 5 || price above 9\n",
	  "card,price\nGTX 1080,4.99\nGTX 1080,5\nGTX 1080,9.5\n", "cheap 2",
	  "2:10: '4.99' is left out by the map", 1, 5 },
	{ "left out where a cell is empty, is, starts or contains",
	  "[skip]\na = card is || card is x\nb = card starts y || card contains z\n",
	  "card,price\n,1\nx,1\ny1,1\n1z1,1\nGTX 1080,8\n", "a 2, b 2",
	  "2:1: '' is left out by the map", 1, 8 },
};

static void test_case(struct test *t, struct importing_fixture *f, size_t i)
{
	struct str map = str_printf(&f->files.arena, "%s%s", IMPORT_MAP, cases[i].map);

	if (!importing_run(f, str_c(&f->files.arena, map), cases[i].listing)) {
		test_ok(t, false, cases[i].name);
		error_print(stdout, &f->err);
		return;
	}
	test_str(t, importing_refused(f), str_of(cases[i].refused), cases[i].name);
	if (*cases[i].first)
		test_str(t, importing_case(f), str_of(cases[i].first), cases[i].name);
	test_ok(t, f->im.n == cases[i].rows, cases[i].name);
	if (cases[i].rows && f->im.n)
		test_near(t, f->im.rows[0].price, cases[i].price, 1e-12, cases[i].name);
}

/* Maps with columns of their own, written out. */
#define COLUMNS_MAP                                                                                \
	"[columns]\nname = card\nmemory_gb = gb\ncurrency = cur\ncondition = state\ndate = "       \
	"day\ncount = of\nn = sold\n"                                                              \
	"[prices]\nlisted = price\n[conditions]\nNew = new\nRefurbished = used\n[values]\nscope "  \
	"= retail\ndate = iso-loose\n"
#define COLUMNS_HEAD "card,gb,cur,state,day,of,sold,price\n"

static const struct {
	const char *name, *row, *refused, *first, *out;
} columns[] = {
	{ "every column", "GTX 1080,8 GB,EUR,Refurbished,2020-5-1,2.0,7,100\n", "", "",
	  "2020-05-01,GTX 1080,shop,used,EUR,50,unit,,7,somebody\n" },
	{ "n that is no number", "GTX 1080,8,USD,New,2020-05-01,1,$7,100\n", "", "",
	  "2020-05-01,GTX 1080,shop,new,USD,100,unit,,,somebody\n" },
	{ "memory tells cards of a name apart", "GeForce RTX 3080,12GB,USD,New,2020-05-01,1,1,9\n",
	  "", "", "2020-05-01,RTX 3080 12GB,shop,new,USD,9,unit,,1,somebody\n" },
	{ "so it does for an ambiguous one", "RTX 3080,12288 MiB,USD,New,2020-05-01,1,1,9\n", "",
	  "", "2020-05-01,RTX 3080 12GB,shop,new,USD,9,unit,,1,somebody\n" },
	{ "memory of no card", "Radeon RX 580,4,USD,New,2020-05-01,1,1,9\n", "other-memory 1",
	  "2:1: 'Radeon RX 580' with 4 GB is another card than RX 580 with 8 GB", "" },
	{ "the catalogue does not know the memory", "Mystery,3,USD,New,2020-05-01,1,1,9\n", "", "",
	  "2020-05-01,Mystery,shop,new,USD,9,unit,,1,somebody\n" },
	{ "no currency", "GTX 1080,8,usd,New,2020-05-01,1,1,9\n", "currency 1",
	  "2:12: currency: 'usd' is not a currency such as USD", "" },
	{ "no exchange rate", "GTX 1080,8,XYZ,New,2020-05-01,1,1,9\n", "currency 1",
	  "2:12: currency: 'XYZ' has no exchange rate in system/fx_to_usd.csv", "" },
	{ "no condition", "GTX 1080,8,USD,broken,2020-05-01,1,1,9\n", "condition 1",
	  "2:16: state: 'broken' is not in [conditions] of the map", "" },
	{ "no day", "GTX 1080,8,USD,New,May 2020,1,1,9\n", "date 1",
	  "2:20: day: 'May 2020' is no day of the form that the map states", "" },
	{ "a day that is none", "GTX 1080,8,USD,New,2020-2-30,1,1,9\n", "date 1",
	  "2:20: day: '2020-2-30' is no day of the form that the map states", "" },
	{ "after the listing", "GTX 1080,8,USD,New,2020-06-02,1,1,9\n", "after-date 1",
	  "2:20: day: '2020-06-02' is after --date", "" },
	{ "no count", "GTX 1080,8,USD,New,2020-05-01,1.5,1,9\n", "count 1",
	  "2:31: of: '1.5' is not a whole number of cards from 1 on", "" },
	{ "a count of nothing", "GTX 1080,8,USD,New,2020-05-01,0,1,9\n", "count 1",
	  "2:31: of: '0' is not a whole number of cards from 1 on", "" },
};

static void test_columns(struct test *t, struct importing_fixture *f)
{
	struct arena *a = &f->files.arena;

	for (size_t i = 0; i < LEN(columns); i++) {
		struct str listing = str_printf(a, "%s%s", COLUMNS_HEAD, columns[i].row);

		if (!importing_run(f, COLUMNS_MAP, str_c(a, listing))) {
			test_ok(t, false, columns[i].name);
			error_print(stdout, &f->err);
			continue;
		}
		struct str csv = import_csv(&f->im, NULL, a);
		size_t head = str_find(csv, STR("\n"), 0) + 1;

		test_str(t, importing_refused(f), str_of(columns[i].refused), columns[i].name);
		test_str(t, str_slice(csv, head, csv.len), str_of(columns[i].out), columns[i].name);
		if (*columns[i].first)
			test_str(t, importing_case(f), str_of(columns[i].first), columns[i].name);
	}
}

/* Markets, sources and notes; wide tables; what a stranger may have written in them. */
static const struct {
	const char *name, *map, *listing, *market, *source, *refused;
} templates[] = {
	{ "--market and --source", "", "card,price,shop\nGTX 1080,1,A\n", "shop", "somebody", "" },
	{ "a template", "[rows]\nmarket = cloud:{slug shop}:{kind|card}\nsource = page {shop}\n",
	  "card,price,shop\nGTX 1080,1,\"Acme (US), Inc.\"\n", "cloud:acme-us-inc:GTX 1080",
	  "somebody", "" },
	{ "a place for --source", "[rows]\nsource = {@source} page {shop}\n",
	  "card,price,shop\nGTX 1080,1,A\n", "shop", "somebody page A", "" },
	{ "a market of its own", "[markets]\nGTX 1080 = own:{@market}\n",
	  "card,price\nGTX 1080,1\n", "own:shop", "somebody", "" },
	{ "a note", "[notes]\nGTX 1080 = a note\n", "card,price\nGTX 1080,1\n", "shop",
	  "somebody; a note", "" },
	{ "a part of a market is empty", "[rows]\nmarket = cloud:{slug shop}:x\n",
	  "card,price,shop\nGTX 1080,1,!\n", "", "", "market 1" },
	{ "a market of control characters", "[rows]\nmarket = m:{shop}\n",
	  "card,price,shop\nGTX 1080,1,a\033[31m\n", "", "", "market 1" },
	{ "a market with a blank of no width", "[rows]\nmarket = m:{shop}\n",
	  "card,price,shop\nGTX 1080,1,a\xE2\x80\x8B"
	  "b\n",
	  "", "", "market 1" },
	{ "a source that turns the text", "[rows]\nsource = {@source} page {shop}\n",
	  "card,price,shop\nGTX 1080,1,a\xE2\x80\xAE"
	  "b\n",
	  "shop", "somebody page a<U+202E>b", "" },
	{ "a formula", "[rows]\nmarket = {shop}\n", "card,price,shop\nGTX 1080,1,=1+1\n", "=1+1",
	  "somebody", "" },
};

static void test_templates(struct test *t, struct importing_fixture *f)
{
	for (size_t i = 0; i < LEN(templates); i++) {
		struct str map = str_printf(&f->files.arena, "%s%s", IMPORT_MAP, templates[i].map);

		if (!importing_run(f, str_c(&f->files.arena, map), templates[i].listing)) {
			test_ok(t, false, templates[i].name);
			error_print(stdout, &f->err);
			continue;
		}
		test_str(t, importing_refused(f), str_of(templates[i].refused), templates[i].name);
		if (f->im.n == 0)
			continue;
		test_str(t, f->im.rows[0].market, str_of(templates[i].market), templates[i].name);
		test_str(t, f->im.rows[0].source, str_of(templates[i].source), templates[i].name);
	}
}

static void test_statistics(struct test *t, struct importing_fixture *f)
{
	const char *map = IMPORT_MAP "[rows]\nstatistics = min | median | mean\ndecimals = 2\n";

	test_ok(t,
		importing_run(
		    f, map,
		    "card,price\nGTX 1080,1.006\nRX 580,9\nGTX 1080,2\nGTX 1080,4\nGTX 1080,5\n"),
		"statistics");
	/* min 1.006 to 1.01; median 3; mean 12.006 / 4 = 3.0015 to 3; two devices, by name */
	test_str(t, import_csv(&f->im, NULL, &f->files.arena),
		 STR("date,device,market,condition,currency,price,quantity,stat,n,source\n"
		     "2020-06-01,GTX 1080,shop,new,USD,1.01,unit,min,4,somebody\n"
		     "2020-06-01,GTX 1080,shop,new,USD,3,unit,median,4,somebody\n"
		     "2020-06-01,GTX 1080,shop,new,USD,3,unit,mean,4,somebody\n"
		     "2020-06-01,RX 580,shop,new,USD,9,unit,min,1,somebody\n"
		     "2020-06-01,RX 580,shop,new,USD,9,unit,median,1,somebody\n"
		     "2020-06-01,RX 580,shop,new,USD,9,unit,mean,1,somebody\n"),
		 "min, median and mean of each card, rounded last");
}

/* A listing must have what its map names. */
static const struct {
	const char *name, *map, *listing, *msg;
	int line;
} lacking[] = {
	{ "name", "", "product,price\n", "column 'card' is not in list", 2 },
	{ "price", "", "card,cost\n", "column 'price' is not in list", 4 },
	{ "skip", "[skip]\na = colour is red\n", "card,price\n", "column 'colour' is not in list",
	  9 },
	{ "market", "[rows]\nmarket = m:{shop}\n", "card,price\n", "'{shop}' is no column of list",
	  9 },
	{ "source", "[rows]\nsource = {page}\n", "card,price\n", "'{page}' is no column of list",
	  9 },
	{ "markets", "[markets]\nx = m:{shop}\n", "card,price\n", "'{shop}' is no column of list",
	  9 },
};

static void test_lacking(struct test *t, struct importing_fixture *f)
{
	for (size_t i = 0; i < LEN(lacking); i++) {
		struct str map = str_printf(&f->files.arena, "%s%s", IMPORT_MAP, lacking[i].map);

		test_ok(t, !importing_run(f, str_c(&f->files.arena, map), lacking[i].listing),
			lacking[i].name);
		test_error(t, &f->err, ERR_DATA, "map.ini", lacking[i].line, 0, lacking[i].msg,
			   lacking[i].name);
	}
}

#define HEAD "date,device,market,condition,currency,price,quantity,stat,n,source\n"

/* What stands in data/prices is not brought in twice. */
static void test_held(struct test *t, struct importing_fixture *f)
{
	const char *map = IMPORT_MAP "[rows]\nstatistics = min\n";
	const char *listing = "card,price\nGTX 1080,10\nRX 580,20\nGeForce RTX 3080,30\n";
	struct arena *a = &f->files.arena;
	struct held h;

	fixture_put(&f->files, "prices/a.csv",
		    HEAD "2020-06-01,GTX 1080,shop,new,USD,10.00,unit,min,1,other\n"
			 "2020-06-01,RX 580,shop,new,USD,21,unit,min,1,other\n"
			 "2020-06-01,Mystery,shop,new,USD,5,unit,min,1,other\n"
			 "2020-06-01,GTX 1080,elsewhere,new,USD,10,unit,min,1,other\n"
			 "2020-06-02,GTX 1080,shop,new,USD,10,unit,min,1,other\n"
			 "2020-06-01,GTX 1080,shop,new,EUR,10,unit,min,1,other\n");
	fixture_put(&f->files, "prices/b.csv",
		    HEAD "2020-06-01,RTX 3080 10GB,shop,new,USD,30,unit,min,1,x\n");
	test_ok(t,
		importing_run(f, map, listing)
		    && held_compare(&f->im, f->files.dir, "b.csv", a, &h, &f->err),
		"against what stands there");
	test_ok(t, h.nequal == 1 && h.ndiffer == 1 && h.only_here == 1 && h.only_there == 1,
		"equal, differs, only here, only there");
	test_ok(t, h.nknown == 2 && h.known[0] && !h.known[1] && h.known[2],
		"an equal row and a contradicting minimum are known");
	test_str(
	    t, h.details.v[0].text,
	    STR("differs: RX 580, shop, new, min, 2020-06-01: 20 USD of 1 here, 21 USD of 1 there"),
	    "the one that differs");
	test_str(t, h.details.v[1].text,
		 STR("only there: Mystery, shop, new, min, 2020-06-01: 5 USD of 1"), "only there");
	test_str(t, h.details.v[2].text,
		 STR("only here: RTX 3080 10GB, shop, new, min, 2020-06-01: 30 USD of 1"),
		 "only here");
	test_str(t, import_csv(&f->im, h.known, a),
		 STR(HEAD "2020-06-01,RTX 3080 10GB,shop,new,USD,30,unit,min,1,somebody\n"),
		 "what is left to write");
	test_ok(t, held_compare(&f->im, f->files.dir, NULL, a, &h, &f->err) && h.nequal == 2,
		"without a file that does not count");
}

int main(void)
{
	struct test t = { 0 };
	struct importing_fixture f;

	test_excerpts(&t);
	test_ok(&t, importing_open(&f), "fixture");
	for (size_t i = 0; i < LEN(cases); i++)
		test_case(&t, &f, i);
	test_columns(&t, &f);
	test_templates(&t, &f);
	test_statistics(&t, &f);
	test_lacking(&t, &f);
	test_held(&t, &f);
	fixture_close(&f.files);
	return test_done(&t);
}
