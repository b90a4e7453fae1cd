/* Vendors: the files of texts and every way they are refused, the facts from a small world counted
 * by hand, and the chapter. */
#include "../analyze/vendor.h"
#include "../render/build.h"
#include "catalogue_fixture.h"
#include "report_dump.h"
#include "test.h"

#include <math.h>

#define VENDORS "vendor,title,makers,cloud\n"
#define TEXTS "vendor,id,kind,date,source,url,language,text\n"
#define TWO VENDORS "nvidia,NVIDIA,NVIDIA,\ncloud,Clouds,,yes\n"

static const struct {
	const char *name, *vendors, *texts;
	enum error_code code;
	int line;
	const char *want;
} bad[] = {
	{ "no date", TWO, TEXTS "nvidia,a,guide,,The guide,,en,Words.\n", ERR_SYNTAX, 2, "date:" },
	{ "no source", TWO, TEXTS "nvidia,a,guide,2016-06-25,,,en,Words.\n", ERR_SYNTAX, 2,
	  "source:" },
	{ "a date that is none", TWO, TEXTS "nvidia,a,guide,2016-06-31,The guide,,en,Words.\n",
	  ERR_SYNTAX, 2, "date:" },
	{ "no text", TWO, TEXTS "nvidia,a,guide,2016-06-25,The guide,,en,\n", ERR_SYNTAX, 2,
	  "text:" },
	{ "an unknown vendor", TWO, TEXTS "amd,a,guide,2016-06-25,The guide,,en,Words.\n",
	  ERR_UNKNOWN, 2, "vendor: 'amd' is not in vendors.csv" },
	{ "an unknown kind", TWO, TEXTS "nvidia,a,rumour,2016-06-25,The guide,,en,Words.\n",
	  ERR_UNKNOWN, 2, "kind: 'rumour' is not guide, since or licence" },
	{ "a script for an address", TWO,
	  TEXTS "nvidia,a,guide,2016-06-25,The guide,javascript:x,en,Words.\n", ERR_SYNTAX, 2,
	  "url: 'javascript:x' does not start with https:// or http://" },
	{ "a translation before the text", TWO,
	  TEXTS "nvidia,a,guide,2016-06-25,The guide,,zh-Hans,字。\n", ERR_DATA, 2,
	  "language: 'zh-Hans' of 'a' comes before the English text" },
	{ "a translation of another day", TWO,
	  TEXTS "nvidia,a,guide,2016-06-25,The guide,,en,Words.\n"
		"nvidia,a,guide,2016-06-26,The guide,,zh-Hans,字。\n",
	  ERR_DATA, 3, "id: 'a' has another date, kind or source than the English text in line 2" },
	{ "a text twice", TWO,
	  TEXTS "nvidia,a,guide,2016-06-25,The guide,,en,Words.\n"
		"nvidia,a,guide,2016-06-25,The guide,,en,Words.\n",
	  ERR_DATA, 3, "id: 'a' is listed twice, first in line 2" },
	{ "a vendor twice", VENDORS "nvidia,NVIDIA,NVIDIA,\nnvidia,N,,\n", TEXTS, ERR_DATA, 3,
	  "vendor: 'nvidia' is listed twice, first in line 2" },
	{ "a maker twice", VENDORS "a,A,NVIDIA,\nb,B,AMD NVIDIA,\n", TEXTS, ERR_DATA, 3,
	  "makers: 'NVIDIA' is listed twice" },
	{ "a word for cloud", VENDORS "a,A,,perhaps\n", TEXTS, ERR_SYNTAX, 2,
	  "cloud: 'perhaps' is not yes or empty" },
};

static struct date day(const char *s)
{
	struct date d = { 0 };

	date_parse(str_of(s), &d);
	return d;
}

static void test_bad(struct test *t)
{
	for (size_t i = 0; i < LEN(bad); i++) {
		struct fixture f;
		struct vendors v;
		struct error err = { 0 };

		fixture_open(&f);
		fixture_put(&f, "vendors.csv", bad[i].vendors);
		fixture_put(&f, "vendor_texts.csv", bad[i].texts);
		bool refused = !vendors_read(f.dir, day("2025-06-30"), &f.arena, &v, &err);
		bool good = refused && err.code == bad[i].code && err.pos.line == bad[i].line
			    && str_starts(str_of(err.msg), str_of(bad[i].want));
		test_ok(t, good, bad[i].name);
		if (!good)
			printf("# code %d line %d: %s\n", (int)err.code, err.pos.line, err.msg);
		fixture_close(&f);
	}
}

static void test_read(struct test *t)
{
	struct fixture f;
	struct vendors v;
	struct error err = { 0 };

	fixture_open(&f);
	test_ok(t, vendors_read(f.dir, day("2025-06-30"), &f.arena, &v, &err) && v.n == 0,
		"no file: no vendor");
	fixture_put(&f, "vendors.csv",
		    VENDORS "nvidia,NVIDIA,NVIDIA,\nothers,Others,Apple Huawei,\nrest,Rest,*,\n");
	fixture_put(&f, "vendor_texts.csv",
		    TEXTS "nvidia,old,guide,2016-06-25,The guide,,en,Old words.\n"
			  "nvidia,same,since,2019-04-03,Rows,https://example.org/,en,Words.\n"
			  "nvidia,new,since,2019-04-04,Rows,,en,Later words.\n");
	test_ok(t, vendors_read(f.dir, day("2019-04-03"), &f.arena, &v, &err) && v.n == 3,
		"three vendors");
	test_ok(t, v.ntexts == 2, "a text after the date of the edition does not exist");
	test_str(t, v.texts[1].text, STR("Words."), "one of the very day does");
	test_ok(t, vendor_of_maker(&v, STR("Huawei")) == 1, "a maker named second");
	test_ok(t, vendor_of_maker(&v, STR("Graphcore")) == 2, "a maker that no line names");
	fixture_close(&f);
}

/* ---- facts ---- */

#define DEVICES                                                                                    \
	"device,vendor,architecture,release_date,fp32_tflops,datacenter_ok\n"                      \
	"N1,NVIDIA,a,2018-01-01,10,no\nN2,NVIDIA,a,2018-01-01,20,yes\n"                            \
	"N3,NVIDIA,a,2030-01-01,20,yes\n"                                                          \
	"A1,AMD,b,2018-01-01,10,yes\nX1,Xenon,c,2018-01-01,,yes\n"
#define PRICES                                                                                     \
	"date,device,market,condition,currency,price,quantity,stat,n,source\n"                     \
	"2019-05-01,N1,cloud:big:a,on-demand,USD,3,hour,,,t\n"                                     \
	"2019-05-01,N1,cloud:big:b,on-demand,USD,5,hour,,,t\n"                                     \
	"2019-04-01,N1,cloud:big:b,on-demand,USD,900,hour,,,t\n"                                   \
	"2019-04-02,N1,cloud:small:a,on-demand,USD,2,hour,,,t\n"                                   \
	"2019-04-02,N1,cloud:small:a,spot,USD,1,hour,,,t\n"                                        \
	"2019-04-02,N2,cloud:small:a,on-demand,USD,7,hour,,,t\n"                                   \
	"2030-04-02,N2,cloud:late:a,on-demand,USD,7,hour,,,t\n"

enum { N1, N2, N3, A1, X1, DEVICE_COUNT };

static struct observation gemm(size_t device, double value, int runs)
{
	return (struct observation){ .device = device,
				     .class = CLASS_GEMM,
				     .workload = STR("gemm"),
				     .metric = STR("tflops"),
				     .precision = STR("fp32"),
				     .series = STR("deepbench"),
				     .unit = STR("tflops"),
				     .kind = PRECISION_32,
				     .device_count = 1,
				     .value = value,
				     .runs = runs };
}

struct small_world {
	struct fixture f;
	struct devices devices;
	struct prices prices;
	struct vendors vendors;
	struct edition edition;
	struct score scores[4]; /* the facts point into them */
	struct card_price cards[DEVICE_COUNT];
	struct vendor_facts facts;
};

static const struct score scores[] = {
	{ .device = N1, .class = CLASS_CNN, .origin = ORIGIN_MEASURED, .score = 1 },
	{ .device = N2, .class = CLASS_CNN, .origin = ORIGIN_SCALED, .score = 4 },
	{ .device = A1, .class = CLASS_CNN, .origin = ORIGIN_ESTIMATED, .score = 9 },
	{ .device = X1, .class = CLASS_CNN, .origin = ORIGIN_EXCLUDED, .score = (double)NAN },
};

/* N1 measured 1.0 at a recent 100 dollars, N2 scaled 4.0 at a stale 200, A1 an estimate of 9, X1
 * nothing: N1 is the best for its price, N2 the fastest, AMD has neither. */
static bool world_open(struct small_world *w)
{
	static size_t const indices[] = { N1, N2, A1, X1 };
	struct error err = { 0 };
	struct messages refused = { 0 };
	struct observation obs[] = { gemm(N1, 4, 3), gemm(N1, 9, 2), gemm(N2, 10, 5),
				     gemm(A1, 2, 10) };
	struct observations o = { obs, LEN(obs) };
	struct card_price *cards = w->cards;
	struct scores s = { w->scores, LEN(w->scores) };
	struct card_prices p = { cards, LEN(w->cards) };
	struct values values;

	fixture_open(&w->f);
	memcpy(w->scores, scores, sizeof w->scores);
	refused.arena = &w->f.arena;
	fixture_put(&w->f, "devices.csv", DEVICES);
	fixture_put(&w->f, "aliases.csv", "name,device,scope,used_by\n");
	fixture_put(&w->f, "system/fx_to_usd.csv", "date,currency,usd_per_unit,source\n");
	fixture_put(&w->f, "prices/a.csv", PRICES);
	fixture_put(&w->f, "vendors.csv",
		    VENDORS
		    "nvidia,NVIDIA,NVIDIA,\namd,AMD,AMD,\ncloud,Clouds,,yes\nrest,Rest,*,\n");
	w->edition = (struct edition){ .date = day("2019-05-31"),
				       .nclasses = 1,
				       .stale_days = 60,
				       .drop_days = 720 };
	w->edition.classes[0].id = CLASS_CNN;
	for (size_t d = 0; d < DEVICE_COUNT; d++)
		cards[d] = card_price_none(d, LENS_CARD);
	cards[N1].price_usd = cards[N1].low = cards[N1].high = 100;
	cards[N2].price_usd = cards[N2].low = cards[N2].high = 200;
	cards[N2].flags = PRICE_FLAG_STALE;
	if (!devices_read(w->f.dir, &w->f.arena, &w->devices, &err)
	    || !prices_read(w->f.dir, &w->devices, &w->f.arena, &w->prices, &refused, &err)
	    || !vendors_read(w->f.dir, w->edition.date, &w->f.arena, &w->vendors, &err)) {
		printf("# %s\n", err.msg);
		return false;
	}
	value_compute(&s, &p, LENS_CARD, &w->f.arena, &values);
	const struct vendor_input in = { &w->vendors, &w->devices, &w->edition,  &o, &w->prices,
					 indices,     LEN(indices), &s, &values, &p };
	vendor_facts_compute(&in, &w->f.arena, &w->facts);
	return true;
}

static void check_counts(struct test *t, const struct vendor_facts *f)
{
	const struct vendor_fact *n = &f->v[0], *a = &f->v[1], *rest = &f->v[3];

	test_ok(t, n->devices == 2, "a device after the date is not counted");
	test_ok(t, n->barred == 1, "one is kept out of data centers");
	test_ok(t, n->with_rows == 2 && n->rows == 10, "rows are those accepted, not the medians");
	test_near(t, n->row_share_pct, 50, 1e-12, "share of the rows");
	test_ok(t, n->listed == 2 && n->measured == 1 && n->scored == 2, "measured and scored");
	test_ok(t, n->priced == 2 && n->fresh == 1, "priced, and by a recent price");
	test_ok(t, a->measured == 0 && a->scored == 0, "an estimate is no score");
	/* N1: sqrt(0.4 x 0.9) = 0.6; N2: 0.5; the middle 0.55 */
	test_near(t, n->peak_share_pct, 55, 1e-9, "share of the peak rate");
	test_near(t, a->peak_share_pct, 20, 1e-9, "that of the other vendor");
	test_ok(t, isnan(rest->peak_share_pct) && rest->peak_devices == 0, "without rows: missing");
	test_ok(t, rest->devices == 1 && rest->rows == 0, "the maker that no line names");
}

static void check_classes(struct test *t, const struct vendor_facts *f)
{
	test_ok(t, f->nclasses == 3, "three vendors have devices in the edition");
	test_ok(t, f->class[0].fastest && f->class[0].fastest->device == N2, "the fastest");
	test_ok(t, f->class[0].best && f->class[0].best->device == N1,
		"the best for its price, old prices left out");
	test_ok(t, !f->class[1].fastest && !f->class[1].best, "an estimate is never the best");
	test_ok(t, f->class[1].count[ORIGIN_ESTIMATED] == 1, "but it is counted");
	test_ok(t, f->class[2].count[ORIGIN_EXCLUDED] == 1, "so is one without a score");
}

/* big asks 4 (middle of its newest day) for N1, small 2: the middle is 3. Only small has N2. */
static void check_providers(struct test *t, const struct vendor_facts *f)
{
	test_ok(t, f->nproviders == 2, "a later offer does not exist");
	test_str(t, f->providers[0].name, STR("small"), "most devices first");
	test_ok(t, f->providers[0].devices == 2 && f->providers[0].cheapest == 2,
		"two devices, nobody asks less");
	test_near(t, f->providers[0].price_ratio, 2.0 / 3, 1e-12, "beside the middle");
	test_ok(t, f->providers[0].compared == 1, "on the one device that both have");
	test_near(t, f->providers[1].price_ratio, 4.0 / 3, 1e-12, "the dearer one");
	test_ok(t, f->providers[1].age_days == 30, "age of its newest price");
}

static void test_facts(struct test *t)
{
	struct small_world w;
	struct error err = { 0 };
	struct str text = STR("");

	if (!world_open(&w)) {
		test_ok(t, false, "the small world");
		return;
	}
	check_counts(t, &w.facts);
	check_classes(t, &w.facts);
	check_providers(t, &w.facts);
	const char *path = fixture_path(&w.f, "out.csv");
	fixture_put(&w.f, "out.csv", "");
	test_ok(t,
		vendor_classes_write(&w.vendors, &w.facts, &w.devices, path, &w.f.arena, &err)
		    && file_read(path, 0, &w.f.arena, &text, &err),
		"the classes are written");
	test_ok(t, str_find(text, STR("\namd,cnn,0,0,1,0,,,,,,,,,,,,,\n"), 0) < text.len,
		"what is missing is empty, never nought");
	test_ok(t, str_find(text, STR("\nnvidia,cnn,1,1,0,0,N2,4,"), 0) < text.len,
		"the rest stands");
	fixture_close(&w.f);
}

/* ---- the chapter ---- */

static const struct str hostile = STR_INIT("<script>&\"'`{}_^@ \xF0\x9F\x99\x82 \xD7\x90 显卡");

static struct str chapter(const char *language, struct data_vendor_text *texts, size_t n,
			  struct arena *a)
{
	struct data_vendor vendors[] = {
		{ .vendor = hostile, .title = hostile, .cloud = STR("no"), .devices = 0,
		  .row_share_pct = NAN, .peak_share_pct = NAN },
	};
	struct report_data d = { .vendors = vendors, .nvendors = 1, .vendor_texts = texts,
				 .nvendor_texts = n, .date = day("2019-05-31") };
	struct text_catalogue text;
	struct error err = { 0 };
	struct report r = { .arena = a, .language = str_of(language) };
	struct build b = { &r, &d, &text, a, &err };

	d.setting_index.arena = a;
	if (!text_read("templates/text.en.ini", a, &text, &err))
		return str_of("no catalogue");
	chapter_vendors(&b);
	return err.code == ERR_NONE ? report_dump(&r, a) : str_dup(a, str_of(err.msg));
}

static bool contains(struct str s, struct str part)
{
	return str_find(s, part, 0) < s.len;
}

static void test_chapter(struct test *t, struct arena *a)
{
	struct data_vendor_text texts[] = {
		{ hostile, STR("a"), STR("guide"), STR("The guide"), STR("https://example.org/"),
		  STR("en"), STR("English {words} *here*."), day("2016-06-25"), { 0 } },
		{ hostile, STR("a"), STR("guide"), STR("The guide"), STR("https://example.org/"),
		  STR("zh-Hans"), STR("中文。"), day("2016-06-25"), { 0 } },
		{ hostile, STR("b"), STR("since"), STR("Rows"), STR("javascript:x"), STR("en"),
		  STR("Second words."), day("2019-05-31"), { 0 } },
		{ hostile, STR("c"), STR("since"), STR("Rows"), STR(""), STR("en"),
		  STR("Later words."), day("2019-06-01"), { 0 } },
	};
	struct str en = chapter("en", texts, LEN(texts), a);
	struct str zh = chapter("zh-Hans", texts, LEN(texts), a);

	test_ok(t, contains(en, STR("English {words} *here*.")), "a text is not marked up");
	test_ok(t, contains(en, STR("2016-06-25")) && contains(en, STR("<https://example.org/>")),
		"its date and its address");
	test_ok(t, contains(en, hostile), "a name of any characters stays text");
	test_ok(t, !contains(en, STR("javascript")), "an address that is none becomes no link");
	test_ok(t, contains(en, STR("Second words.")) && contains(en, STR("(Rows)")),
		"a text of the very day, with its source");
	test_ok(t, !contains(en, STR("Later words.")), "a later one does not exist");
	test_ok(t, !contains(en, STR("中文")) && contains(zh, STR("中文")), "the report's language");
	test_ok(t, !contains(zh, STR("English")) && contains(zh, STR("Second words.")),
		"English where there is no translation");
	test_ok(t, contains(en, STR("no device of theirs is in the catalogue")),
		"a vendor without devices says so");
}

/* The renderer itself refuses a text without date or source, in a file that somebody edited. */
static void test_refusal(struct test *t)
{
	static const struct {
		const char *name, *row, *want;
	} rows[] = {
		{ "the renderer wants a date", "nvidia,a,guide,,The guide,,en,Words.\n", "date" },
		{ "and a source", "nvidia,a,guide,2016-06-25,,,en,Words.\n", "source" },
	};

	for (size_t i = 0; i < LEN(rows); i++) {
		struct fixture f;
		struct error err = { 0 };
		const struct data_format *df = data_formats;
		void *records;
		size_t n;

		fixture_open(&f);
		fixture_put(&f, "vendor_texts.csv",
			    str_c(&f.arena, str_printf(&f.arena, TEXTS "%s", rows[i].row)));
		while (df->name && !str_eq(str_of(df->name), STR("vendor_texts")))
			df++;
		bool read = df->name
			    && csv_read_records(fixture_path(&f, "vendor_texts.csv"), df->fields,
						df->nfields, df->size, df->pos_offset, &f.arena,
						&records, &n, &err);
		test_ok(t,
			!read && err.code == ERR_SYNTAX && err.pos.line == 2
			    && str_starts(str_of(err.msg), str_of(rows[i].want)),
			rows[i].name);
		fixture_close(&f);
	}
}

/* The shipped files: they read, and every text of the guide has a translation. */
static void test_shipped(struct test *t, struct arena *a)
{
	static const struct str languages[] = { STR_INIT("en"), STR_INIT("zh-Hans"),
						STR_INIT("zh-Hant") };
	struct vendors v;
	struct error err = { 0 };
	size_t count[LEN(languages)] = { 0 };

	test_ok(t, vendors_read("data", day("2199-12-31"), a, &v, &err), "data/vendors.csv reads");
	if (err.code != ERR_NONE)
		printf("# line %d: %s\n", err.pos.line, err.msg);
	for (size_t i = 0; i < v.ntexts; i++)
		for (size_t k = 0; k < LEN(languages); k++)
			count[k] += str_eq(v.texts[i].language, languages[k]);
	test_ok(t, count[0] > 0 && count[0] == count[1] && count[0] == count[2],
		"every text is there in every language");
}

int main(void)
{
	struct test t = { 0 };
	struct arena a = { 0 };

	test_bad(&t);
	test_read(&t);
	test_facts(&t);
	test_chapter(&t, &a);
	test_refusal(&t);
	test_shipped(&t, &a);
	arena_free(&a);
	return test_done(&t);
}
