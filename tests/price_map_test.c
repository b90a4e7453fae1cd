/* The language of the price maps: what every key sets, and every error; and the shipped maps. */
#include "price_import_fixture.h"

/* All keys at once; what they do to a listing stands in price_import_test.c. */
static const char whole[] =
    "[match]\nformat = json\nrows = data\nhas = card | price\n"
    "[columns]\nname = card | product\nmemory_gb = gb\ncondition = state\ndate = day\ncount = of\n"
    "[values]\ncurrency = EUR\ndate = month\nmissing = - | [] | —\nsentinel = 700.0 | 0\n"
    "symbols = $ | /hr\nthousands = '\ndecimal = ,\nlist = each\nstrip_prefix = a | b\n"
    "strip_suffix = c\nscope = cloud\n"
    "[prices]\nlisted = price | cost\nspot = spot\n"
    "[conditions]\nUsed = used\n"
    "[devices]\nx1 = GTX 1080\nx8 = GTX 1080 / 8\n"
    "[markets]\nx1 = cloud:a:b\n"
    "[notes]\nGTX 1080 = a note = a word\n"
    "[skip]\nold = the day below 5 || day is\n"
    "[rows]\nmarket = cloud:{slug card}\nsource = here\nstatistics = min | mean\ndecimals = 3\n"
    "duplicates = keep\n";

static void test_whole(struct test *t, struct importing_fixture *f)
{
	struct price_map m;
	struct arena *a = &f->files.arena;

	test_ok(t, price_map_parse(str_of(whole), "dir/whole.ini", &f->devices, a, &m, &f->err),
		"every key");
	test_str(t, m.name, STR("whole"), "its name");
	test_ok(t, m.format == MAP_JSON && m.has.n == 2 && m.exact.n == 0, "[match]");
	test_str(t, m.rows, STR("data"), "rows");
	test_ok(t,
		m.columns[MAP_NAME].n == 2 && m.columns[MAP_MEMORY].n == 1
		    && m.columns[MAP_CURRENCY].n == 0 && m.columns[MAP_COUNT].n == 1
		    && m.columns[MAP_DATE].n == 1 && m.columns[MAP_CONDITION].n == 1,
		"[columns]");
	test_str(t, m.columns[MAP_NAME].v[1], STR("product"), "a second column");
	test_ok(t, m.columns[MAP_NAME].pos.line == 6, "with its line");
	test_str(t, m.currency, STR("EUR"), "currency");
	test_ok(t, m.date == MAP_DATE_MONTH && m.list == MAP_LIST_EACH, "words");
	test_ok(t, m.missing.n == 3 && str_eq(m.missing.v[2], STR("—")), "missing");
	test_ok(t, m.sentinel.n == 2 && m.sentinels[0] == 700 && m.sentinels[1] == 0, "sentinel");
	test_ok(t, m.symbols.n == 2 && m.thousands == '\'' && m.decimal == ',', "marks");
	test_ok(t, m.strip_prefix.n == 2 && m.strip_suffix.n == 1, "strip");
	test_str(t, m.scope, STR("cloud"), "scope");
	test_ok(t,
		m.nprices == 2 && m.prices[0].listed && m.prices[0].columns.n == 2
		    && m.prices[1].condition == PRICE_SPOT,
		"[prices]");
	test_ok(t, m.conditions.n == 1 && m.conditions.v[0].condition == PRICE_USED,
		"[conditions]");
	test_ok(t, m.devices.n == 2 && m.devices.v[0].count == 1 && m.devices.v[1].count == 8,
		"[devices]");
	test_ok(t,
		m.markets.n == 1 && m.notes.n == 1 && m.notes.v[0].device == m.devices.v[0].device,
		"[markets] and [notes]");
	test_str(t, m.notes.v[0].value, STR("a note = a word"), "a value with '='");
	test_ok(t,
		m.nskips == 2 && m.skips[0].test == MAP_BELOW && m.skips[0].number == 5
		    && m.skips[1].test == MAP_IS && m.skips[1].text.len == 0,
		"[skip]");
	test_str(t, m.skips[0].column, STR("the day"), "a column of two words");
	test_ok(t,
		m.statistics[MAP_STAT_MIN] && !m.statistics[MAP_STAT_MEDIAN]
		    && m.statistics[MAP_STAT_MEAN],
		"statistics");
	test_ok(t, m.decimals == 3 && m.keep_duplicates, "decimals, duplicates");
}

static void test_rest(struct test *t, struct importing_fixture *f)
{
	const char *text =
	    "[match]\ncolumns = a\n[columns]\nwide = cost\ncurrency = cur\nn = sold\n[prices]\nnew "
	    "= *\n"
	    "[rows]\nstat = median\nduplicates = drop\n[values]\ndate = iso\nlist = lowest\n";
	struct price_map m;

	test_ok(t, price_map_parse(str_of(text), "m", &f->devices, &f->files.arena, &m, &f->err),
		"the other keys");
	test_str(t, m.wide, STR("cost"), "wide");
	test_str(t, m.stat, STR("median"), "stat");
	test_ok(t,
		m.exact.n == 1 && m.columns[MAP_N].n == 1 && m.columns[MAP_CURRENCY].n == 1
		    && m.prices[0].columns.n == 0 && m.decimals == -1 && m.decimal == '.'
		    && m.list == MAP_LIST_LOWEST && !m.keep_duplicates,
		"and what holds unless given");
}

/* Line 0: of the whole map. */
static const struct {
	const char *text; /* behind IMPORT_MAP, whose last line is 7 */
	enum error_code code;
	int line;
	const char *msg;
} errors[] = {
	{ "colour = red\n", ERR_UNKNOWN, 8, "key 'colour' is not known in [values]" },
	{ "[colours]\nx = y\n", ERR_UNKNOWN, 9, "section [colours] is none of a price map" },
	{ "[match]\nformat = xml\n", ERR_UNKNOWN, 9, "format: 'xml' is not csv or json" },
	{ "[match]\nrows = data\n", ERR_DATA, 0, "[match] rows is for format = json" },
	{ "[match]\ncolumns = a\nhas = b\n", ERR_DATA, 0,
	  "[match] has both 'columns' and 'has'; one is enough" },
	{ "[match]\ncolumns = a || b\n", ERR_SYNTAX, 9, "columns: 'a || b' has an empty item" },
	{ "[columns]\nwide = cost\n", ERR_DATA, 0,
	  "[columns] needs 'name' or 'wide', and not both" },
	{ "[columns]\ncurrency = cur\n", ERR_DATA, 0,
	  "a currency is needed, in [values] or in [columns]" },
	{ "[columns]\ncondition = state\n", ERR_DATA, 0,
	  "'listed' of [prices] and 'condition' of [columns] need each other" },
	{ "[columns]\nn = sold\n[rows]\nstatistics = min\n", ERR_DATA, 0,
	  "[columns] n is for single prices; 'statistics' counts the listings itself" },
	{ "[prices]\nold = price\n", ERR_UNKNOWN, 9, "'old' is not new, used, on-demand or spot" },
	{ "[prices]\nspot = *\n", ERR_DATA, 0,
	  "[prices] of a wide table is one line 'CONDITION = *', and '*' is only for one" },
	{ "date = friday\n", ERR_UNKNOWN, 8, "date: 'friday' is not iso, iso-loose or month" },
	{ "sentinel = 700 | x\n", ERR_SYNTAX, 8, "sentinel: '700 | x' is not a list of numbers" },
	{ "missing =\n", ERR_SYNTAX, 8, "missing: '' has an empty item" },
	{ "thousands = x\n", ERR_UNKNOWN, 8, "thousands: 'x' is not ,, . or '" },
	{ "thousands = .\n", ERR_DATA, 0, "[values] thousands and decimal are the same mark" },
	{ "decimal = '\n", ERR_UNKNOWN, 8, "decimal: ''' is not . or ," },
	{ "list = all\n", ERR_UNKNOWN, 8, "list: 'all' is not none, lowest or each" },
	{ "[conditions]\nUsed = old\n", ERR_UNKNOWN, 9,
	  "'old' is not new, used, on-demand or spot" },
	{ "[devices]\nx = GTX 9999\n", ERR_UNKNOWN, 9,
	  "'GTX 9999' is not a device of devices.csv" },
	{ "[devices]\nx = GTX 1080 / 0\n", ERR_SYNTAX, 9,
	  "x: 'GTX 1080 / 0' is not DEVICE or DEVICE / N" },
	{ "[devices]\nx = GTX 1080 / two\n", ERR_SYNTAX, 9,
	  "x: 'GTX 1080 / two' is not DEVICE or DEVICE / N" },
	{ "[markets]\nx =\n", ERR_SYNTAX, 9, "x: '' is empty" },
	{ "[notes]\nGTX 9999 = x\n", ERR_UNKNOWN, 9, "'GTX 9999' is not a device of devices.csv" },
	{ "[notes]\nGTX 1080 =\n", ERR_SYNTAX, 9, "GTX 1080: '' is empty" },
	{ "[skip]\na = card\n", ERR_SYNTAX, 9,
	  "a: 'card' is not COLUMN is, starts, ends, contains, below or above TEXT" },
	{ "[skip]\na = card starts\n", ERR_SYNTAX, 9, "a: 'card starts' compares with nothing" },
	{ "[skip]\na = card below x\n", ERR_SYNTAX, 9,
	  "a: 'card below x' compares with what is not a number" },
	{ "[rows]\nmarket = {a\n", ERR_SYNTAX, 9,
	  "market: '{a' has a brace without its other one" },
	{ "[rows]\nsource = a}\n", ERR_SYNTAX, 9,
	  "source: 'a}' has a brace without its other one" },
	{ "[rows]\nstatistics = mode\n", ERR_UNKNOWN, 9,
	  "statistics: 'mode' is not min, median or mean" },
	{ "[rows]\nstat = mode\n", ERR_UNKNOWN, 9, "stat: 'mode' is not min, median or mean" },
	{ "[rows]\nstat = min\nstatistics = min\n", ERR_DATA, 0,
	  "[rows] has both 'statistics' and 'stat': a statistic of statistics" },
	{ "[rows]\ndecimals = 9\n", ERR_RANGE, 9,
	  "decimals: '9' is not a whole number from 0 to 8" },
	{ "[rows]\nduplicates = maybe\n", ERR_UNKNOWN, 9,
	  "duplicates: 'maybe' is not drop or keep" },
	{ "symbols = $\nsymbols = x\n", ERR_SYNTAX, 9,
	  "key 'symbols' of [values] is given twice, first in line 8" },
};

static void test_errors(struct test *t, struct importing_fixture *f)
{
	struct arena *a = &f->files.arena;

	for (size_t i = 0; i < LEN(errors); i++) {
		struct str text = str_printf(a, "%s%s", IMPORT_MAP, errors[i].text);
		struct error err = { 0 };
		struct price_map m;

		test_ok(t, !price_map_parse(text, "map.ini", &f->devices, a, &m, &err),
			errors[i].msg);
		test_error(t, &err, errors[i].code, "map.ini", errors[i].line, 0, errors[i].msg,
			   errors[i].msg);
	}
}

static void test_short_maps(struct test *t, struct importing_fixture *f)
{
	static const struct {
		const char *text, *msg;
	} maps[] = {
		{ "[columns]\nname = a\n[values]\ncurrency = USD\n", "[prices] names no column" },
		{ "[prices]\nnew = p\n[values]\ncurrency = USD\n",
		  "[columns] needs 'name' or 'wide', and not both" },
		{ "[columns]\nname = a\n[prices]\nnew = p\n",
		  "a currency is needed, in [values] or in [columns]" },
		{ "[columns]\nname = a\n[prices]\nnew = *\n[values]\ncurrency = USD\n",
		  "[prices] of a wide table is one line 'CONDITION = *', and '*' is only for one" },
		{ "[columns]\nwide = a\n[prices]\nnew = p\n[values]\ncurrency = USD\n",
		  "[prices] of a wide table is one line 'CONDITION = *', and '*' is only for one" },
		{ "[columns]\nname = a\n[prices]\nlisted = p\n[values]\ncurrency = USD\n",
		  "'listed' of [prices] and 'condition' of [columns] need each other" },
	};

	for (size_t i = 0; i < LEN(maps); i++) {
		struct error err = { 0 };
		struct price_map m;

		price_map_parse(str_of(maps[i].text), "map.ini", &f->devices, &f->files.arena, &m,
				&err);
		test_error(t, &err, ERR_DATA, "map.ini", 0, 0, maps[i].msg, maps[i].msg);
	}
}

static void test_currency(struct test *t, struct importing_fixture *f)
{
	static const char *const texts[] = { "usd", "US", "DOLLAR", "" };

	for (size_t i = 0; i < LEN(texts); i++) {
		struct str text =
		    str_printf(&f->files.arena, "[values]\ncurrency = %s\n", texts[i]);
		struct error err = { 0 };
		struct price_map m;

		price_map_parse(text, "map.ini", &f->devices, &f->files.arena, &m, &err);
		test_error(
		    t, &err, ERR_SYNTAX, "map.ini", 2, 0,
		    str_c(&f->files.arena,
			  str_printf(&f->files.arena,
				     "currency: '%s' is not a currency such as USD", texts[i])),
		    "no currency");
	}
}

static void test_fits(struct test *t, struct importing_fixture *f)
{
	static const struct {
		const char *match;
		const char *columns[3];
		bool fits;
	} fits[] = {
		{ "columns = a | b", { "b", "a" }, true },
		{ "columns = a | b", { "a", "b", "c" }, false },
		{ "columns = a | b", { "a" }, false },
		{ "has = a | b", { "c", "b", "a" }, true },
		{ "has = a | b", { "a", "c" }, false },
		{ "format = csv", { "a" }, false },
		{ "format = json\nhas = a", { "a" }, false },
	};

	for (size_t i = 0; i < LEN(fits); i++) {
		struct str text =
		    str_printf(&f->files.arena, "%s[match]\n%s\n", IMPORT_MAP, fits[i].match);
		struct str columns[3];
		struct price_map m;
		size_t n = 0;

		for (; n < 3 && fits[i].columns[n]; n++)
			columns[n] = str_of(fits[i].columns[n]);
		test_ok(t,
			price_map_parse(text, "m", &f->devices, &f->files.arena, &m, &f->err)
			    && price_map_fits(&m, MAP_CSV, columns, n) == fits[i].fits,
			"whether a map fits");
	}
}

static void test_shipped(struct test *t)
{
	struct arena a = { 0 };
	struct file_list files = { 0 };
	struct devices devices;
	struct error err = { 0 };
	struct price_map m;

	test_ok(t,
		devices_read("data", &a, &devices, &err)
		    && file_list("data/price_maps", ".ini", false, &a, &files, NULL, &err)
		    && files.n >= 6,
		"the shipped maps");
	for (size_t i = 0; i < files.n; i++) {
		const char *path = str_c(&a, file_join(&a, STR("data/price_maps"), files.v[i]));

		test_ok(t, price_map_read(path, &devices, &a, &m, &err) && (m.exact.n || m.has.n),
			path);
	}
	arena_free(&a);
}

int main(void)
{
	struct test t = { 0 };
	struct importing_fixture f;

	test_ok(&t, importing_open(&f), "fixture");
	test_whole(&t, &f);
	test_rest(&t, &f);
	test_errors(&t, &f);
	test_short_maps(&t, &f);
	test_currency(&t, &f);
	test_fits(&t, &f);
	test_shipped(&t);
	fixture_close(&f.files);
	return test_done(&t);
}
