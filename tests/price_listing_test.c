/* Listings as tables, what their cells say, and the choice of a map. */
#include "price_import_fixture.h"

#include "../prices/listing_template.h"
#include "../prices/listing_value.h"
#include "../prices/map_choice.h"

static void test_json(struct test *t, struct arena *a)
{
	struct str text =
	    STR("\xEF\xBB\xBF{ \"x\": [1, {\"rows\": 2}], \"rows\": [\n"
		" {\"name\": \" A\\u00e9 \", \"p\": 2.50, \"list\": [1, \"]\"], \"no\": null},\n"
		" {\"q\": true, \"name\": \"B\"}\n] }");
	struct csv_table table;
	struct error err = { 0 };
	bool good = listing_parse(text, "f", MAP_JSON, STR("rows"), a, &table, &err);

	test_ok(t, good && table.n == 2 && table.header.n == 5, "objects to rows");
	if (!good)
		return;
	test_str(t, table.header.cells[4].text, STR("q"),
		 "columns in the order of their first mention");
	test_str(t, table.rows[0].cells[0].text, STR("A\xC3\xA9"), "a string is its text, trimmed");
	test_str(t, table.rows[0].cells[1].text, STR("2.50"), "a number as it is written");
	test_str(t, table.rows[0].cells[2].text, STR("[1, \"]\"]"), "so is a list");
	test_ok(t, table.rows[0].cells[3].text.len == 0 && table.rows[0].cells[3].pos.line == 2,
		"null is empty");
	test_ok(t, table.rows[1].n == 5 && table.rows[1].cells[1].pos.line == 0,
		"a member that is not there");
	test_str(t, table.rows[1].cells[4].text, STR("true"), "true");
	test_ok(t, table.rows[1].cells[0].pos.line == 3 && table.rows[1].cells[0].pos.col == 22,
		"its place");
	test_ok(t,
		listing_parse(STR("[]"), "f", MAP_JSON, STR(""), a, &table, &err) && table.n == 0,
		"no rows");
	test_ok(t,
		listing_parse(STR("[{}]"), "f", MAP_JSON, STR(""), a, &table, &err) && table.n == 1,
		"an empty object");
}

static struct str nested(struct arena *a, size_t n)
{
	struct strbuf b = { .arena = a };

	for (size_t i = 0; i < n; i++)
		strbuf_add(&b, STR("["));
	return strbuf_str(&b);
}

static void test_bad_listings(struct test *t, struct arena *a)
{
	const struct {
		struct str text;
		enum price_map_format format;
		enum error_code code;
		int line, col;
		const char *msg;
	} bad[] = {
		{ STR("{"), MAP_JSON, ERR_SYNTAX, 1, 2,
		  "this is not JSON, or it is nested too deep" },
		{ STR("{\"rows\": [{\"a\": 1}\n,]}"), MAP_JSON, ERR_SYNTAX, 2, 2,
		  "this is not JSON, or it is nested too deep" },
		{ STR("{\"rows\": []} x"), MAP_JSON, ERR_SYNTAX, 1, 14,
		  "this is not JSON, or it is nested too deep" },
		{ STR("[]"), MAP_JSON, ERR_SYNTAX, 1, 1, "expected an object at the top" },
		{ STR("{\"row\": []}"), MAP_JSON, ERR_SYNTAX, 1, 11, "there is no member 'rows'" },
		{ STR("{\"rows\": 3}"), MAP_JSON, ERR_SYNTAX, 1, 10,
		  "expected an array of objects" },
		{ STR("{\"rows\": [\n3]}"), MAP_JSON, ERR_SYNTAX, 2, 1,
		  "expected an object of prices" },
		{ STR("{\"rows\": [{\"a\": 1, \"a\": 2}]}"), MAP_JSON, ERR_SYNTAX, 1, 20,
		  "member 'a' stands twice in one object" },
		{ STR("{\"rows\": [{\"a\": \"\xFF\"}]}"), MAP_JSON, ERR_SYNTAX, 1, 18,
		  "byte 0xFF is not UTF-8" },
		{ STR("{\"rows\": [{\"a\": \"\0\"}]}"), MAP_JSON, ERR_SYNTAX, 1, 18,
		  "a NUL byte: this is not JSON" },
		{ nested(a, 100000), MAP_JSON, ERR_SYNTAX, 1, 1001,
		  "this is not JSON, or it is nested too deep" },
		{ STR("a,b,a\n1,2,3\n"), MAP_CSV, ERR_SYNTAX, 1, 5, "column 'a' stands twice" },
	};

	for (size_t i = 0; i < LEN(bad); i++) {
		struct csv_table table;
		struct error err = { 0 };

		test_ok(
		    t,
		    !listing_parse(bad[i].text, "f", bad[i].format, STR("rows"), a, &table, &err),
		    bad[i].msg);
		test_error(t, &err, bad[i].code, "f", bad[i].line, bad[i].col, bad[i].msg,
			   bad[i].msg);
	}
}

static void test_limits(struct test *t, struct arena *a)
{
	struct strbuf wide = { .arena = a }, object = { .arena = a };
	struct csv_table table;
	struct error err = { 0 };

	strbuf_add(&object, STR("[{"));
	for (int i = 0; i <= LISTING_COLUMNS_MAX; i++) {
		strbuf_printf(&wide, "%s%d", i ? "," : "", i);
		strbuf_printf(&object, "%s\"%d\":1", i ? "," : "", i);
	}
	strbuf_add(&object, STR("}]"));
	test_ok(t,
		!listing_parse(strbuf_str(&wide), "f", MAP_CSV, STR(""), a, &table, &err)
		    && err.code == ERR_RANGE,
		"too many columns");
	test_str(t, str_of(err.msg), STR("1001 columns are more than 1000"), "and says so");
	err = (struct error){ 0 };
	test_ok(t, !listing_parse(strbuf_str(&object), "f", MAP_JSON, STR(""), a, &table, &err),
		"too many members");
	test_str(t, str_of(err.msg), STR("the objects have too many different members"),
		 "and says so");
}

static void test_format(struct test *t)
{
	static const struct {
		struct str text;
		enum price_map_format format;
	} texts[] = {
		{ STR_INIT(" \n {\"a\":1}"), MAP_JSON },
		{ STR_INIT("[]"), MAP_JSON },
		{ STR_INIT("\xEF\xBB\xBF[]"), MAP_JSON },
		{ STR_INIT("a,b\n{"), MAP_CSV },
		{ STR_INIT(""), MAP_CSV },
	};

	for (size_t i = 0; i < LEN(texts); i++)
		test_ok(t, listing_format(texts[i].text) == texts[i].format,
			"told by the first character");
}

static void test_values(struct test *t)
{
	static const struct {
		struct str text;
		double gb;
	} memory[] = {
		{ STR_INIT("8"), 8 },
		{ STR_INIT("8 GB"), 8 },
		{ STR_INIT("0.5"), 0.5 },
		{ STR_INIT("6gb"), 6 },
		{ STR_INIT("V100 16384 MiB"), 16 },
		{ STR_INIT("512 MB"), 0.5 },
		{ STR_INIT("80 GiB"), 80 },
		{ STR_INIT("tpu-v6e-1"), NAN },
		{ STR_INIT(""), NAN },
		{ STR_INIT("GB"), NAN },
		{ STR_INIT("0"), NAN },
		{ STR_INIT("-8"), NAN },
	};
	static const struct {
		enum price_map_date form;
		struct str text;
		const char *date;
	} dates[] = {
		{ MAP_DATE_ISO, STR_INIT("2019-07-22"), "2019-07-22" },
		{ MAP_DATE_ISO, STR_INIT("2019-7-22"), NULL },
		{ MAP_DATE_LOOSE, STR_INIT("2019-7-22"), "2019-07-22" },
		{ MAP_DATE_LOOSE, STR_INIT("2019-07-22"), "2019-07-22" },
		{ MAP_DATE_LOOSE, STR_INIT("2019-2-29"), NULL },
		{ MAP_DATE_LOOSE, STR_INIT("2019-7-22-1"), NULL },
		{ MAP_DATE_LOOSE, STR_INIT("2019-7"), NULL },
		{ MAP_DATE_LOOSE, STR_INIT("22-7-2019"), NULL },
		{ MAP_DATE_MONTH, STR_INIT("April 2022"), "2022-04-15" },
		{ MAP_DATE_MONTH, STR_INIT("December 2021"), "2021-12-15" },
		{ MAP_DATE_MONTH, STR_INIT("Apr 2022"), NULL },
		{ MAP_DATE_MONTH, STR_INIT("April"), NULL },
		{ MAP_DATE_MONTH, STR_INIT("April 22"), NULL },
	};
	double count;

	for (size_t i = 0; i < LEN(memory); i++) {
		double gb = listing_memory_gb(memory[i].text);
		test_ok(t, gb == memory[i].gb || (isnan(gb) && isnan(memory[i].gb)), "memory");
	}
	for (size_t i = 0; i < LEN(dates); i++) {
		struct date got, want;
		bool good = listing_date(dates[i].form, dates[i].text, &got);

		test_ok(
		    t,
		    good == (dates[i].date != NULL)
			&& (!good
			    || (date_parse(str_of(dates[i].date), &want) && want.day == got.day)),
		    dates[i].text.p);
	}
	test_ok(t, listing_count(STR("8.0"), &count) && count == 8, "a count of 8.0");
	test_ok(t,
		!listing_count(STR("1.5"), &count) && !listing_count(STR("0"), &count)
		    && !listing_count(STR("1e9"), &count) && !listing_count(STR("x"), &count),
		"no counts");
}

static void test_slugs(struct test *t, struct arena *a)
{
	test_str(t, listing_slug(STR("Amazon Web Services (AWS)"), a),
		 STR("amazon-web-services-aws"), "slug");
	test_str(t, listing_slug(STR("Latitude.sh"), a), STR("latitude-sh"), "slug of a domain");
	test_str(t, listing_slug(STR("../../etc/passwd"), a), STR("etc-passwd"),
		 "no slug leaves its folder");
	test_str(t, listing_slug(STR("\xC3\xA9!"), a), STR(""), "a slug of nothing");
	test_ok(t,
		listing_template_has(STR("a{x|@market}"), STR("@market"))
		    && !listing_template_has(STR("@market"), STR("@market")),
		"fields of a template");
}

#define MATCH(columns) IMPORT_MAP "[match]\ncolumns = " columns "\n"

static void test_choice(struct test *t, struct importing_fixture *f)
{
	struct arena *a = &f->files.arena;
	struct listing_text listing = { "list", STR("card,price\nGTX 1080,1\n") },
			    other = { "list", STR("x\n1\n") };
	const char *dir = f->files.dir;
	struct csv_table table;
	struct error err = { 0 };
	struct price_map m;

	test_ok(t, !map_choose(dir, NULL, &listing, &f->devices, a, &m, &table, &err),
		"no maps at all");
	test_str(t, str_of(err.msg),
		 STR("no map fits its columns; name one with --map (there are none) or write one"),
		 "and says so");
	file_make_dirs(fixture_path(&f->files, "price_maps"), &err);
	fixture_put(&f->files, "price_maps/one.ini", MATCH("price | card"));
	fixture_put(&f->files, "price_maps/two.ini", MATCH("x"));
	err = (struct error){ 0 };
	test_ok(t,
		map_choose(dir, NULL, &listing, &f->devices, a, &m, &table, &err) && table.n == 1,
		"the one that fits");
	test_str(t, m.name, STR("one"), "is it");
	test_ok(t,
		map_choose(dir, "two", &listing, &f->devices, a, &m, &table, &err)
		    && str_eq(m.name, STR("two")),
		"the one that is named");
	test_ok(t,
		map_choose(dir, fixture_path(&f->files, "price_maps/one.ini"), &other, &f->devices,
			   a, &m, &table, &err)
		    && str_eq(m.name, STR("one")),
		"by its path");
	test_ok(t,
		!map_choose(dir, "three", &listing, &f->devices, a, &m, &table, &err)
		    && err.code == ERR_UNKNOWN,
		"no such map");
	test_str(t, str_of(err.msg), STR("--map: there is no map 'three'; there are one, two"),
		 "and says which there are");
	fixture_put(&f->files, "price_maps/twin.ini", MATCH("card | price"));
	err = (struct error){ 0 };
	test_ok(t, !map_choose(dir, NULL, &listing, &f->devices, a, &m, &table, &err),
		"two that fit");
	test_str(t, str_of(err.msg), STR("the maps one and twin both fit; name one with --map"),
		 "and says which");
	fixture_put(&f->files, "price_maps/twin.ini", "[columns]\nx = y\n");
	err = (struct error){ 0 };
	test_ok(t, !map_choose(dir, NULL, &listing, &f->devices, a, &m, &table, &err),
		"a faulty map");
	test_str(t, str_of(err.msg), STR("key 'x' is not known in [columns]"), "is no secret");
}

int main(void)
{
	struct test t = { 0 };
	struct importing_fixture f;

	test_ok(&t, importing_open(&f), "fixture");
	test_json(&t, &f.files.arena);
	test_bad_listings(&t, &f.files.arena);
	test_limits(&t, &f.files.arena);
	test_format(&t);
	test_values(&t);
	test_slugs(&t, &f.files.arena);
	test_choice(&t, &f);
	while (f.files.n > 3) /* the folder of the maps before that of all */
		unlink(f.files.files[--f.files.n].p);
	rmdir(fixture_path(&f.files, "price_maps"));
	fixture_close(&f.files);
	return test_done(&t);
}
