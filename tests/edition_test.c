#include "catalogue_fixture.h"

#include "../catalogue/edition.h"
#include "../catalogue/keyfile.h"

#include <limits.h>
#include <math.h>

#define MINIMAL                                                                                    \
	"[edition]\ntitle = T\ndate = 2019-05-31\n[benchmarks]\nclasses = cnn, llm\nreference = "  \
	"RTX 2080 Ti\n"                                                                            \
	"[prices]\nmarkets = amazon, ebay\n"

static const struct error_case {
	const char *label, *text;
	enum error_code code;
	int line;
	const char *msg;
} error_cases[] = {
	{ "section", MINIMAL "[colours]\na = b\n", ERR_UNKNOWN, 10,
	  "section [colours] is not known" },
	{ "section of a class", MINIMAL "[scaling.gan]\nspecs = tdp_w\n", ERR_UNKNOWN, 10,
	  "section [scaling.gan]: no class of that name" },
	{ "section without classes", MINIMAL "[prices.cnn]\nmarkets = ebay\n", ERR_UNKNOWN, 10,
	  "section [prices.cnn] is not known" },
	{ "key", MINIMAL "\nmarket = ebay\n", ERR_UNKNOWN, 10,
	  "key 'market' is not known in [prices]" },
	{ "key before any section", "title = T\n", ERR_UNKNOWN, 1, "section [] is not known" },
	{ "key in the wrong section", MINIMAL "title = U\n", ERR_UNKNOWN, 9,
	  "key 'title' is not known in [prices]" },
	{ "precision of no class", MINIMAL "[benchmarks]\nprecision.gan = fp32\n", ERR_UNKNOWN, 10,
	  "key 'precision.gan': no class of that name" },
	{ "key that knows no class", MINIMAL "[benchmarks]\nreference.cnn = RTX 2060\n",
	  ERR_UNKNOWN, 10, "key 'reference.cnn' is not known in [benchmarks]" },
	{ "key twice", MINIMAL "markets = ebay\n", ERR_SYNTAX, 9,
	  "key 'markets' of [prices] is given twice, first in line 8" },
	{ "class", "[benchmarks]\nclasses = cnn, gan\n", ERR_UNKNOWN, 2,
	  "classes: 'gan' is not a class" },
	{ "class twice", "[benchmarks]\nclasses = cnn, llm, cnn\n", ERR_SYNTAX, 2,
	  "classes: 'cnn' stands there twice" },
	{ "device", "[benchmarks]\nreference = RTX 2090\n", ERR_UNKNOWN, 2,
	  "reference: device 'RTX 2090' is not in the catalogue; nearest: RTX 2060, RTX 2070, RTX "
	  "2080" },
	{ "ambiguous device", "[devices]\nlist = RTX 2060, Tesla V100\n", ERR_UNKNOWN, 2,
	  "list: device 'Tesla V100' could be any of Tesla V100 PCIe 16GB, Tesla V100 SXM2 16GB" },
	{ "device under two names", "[devices]\nlist = RTX 2080 Ti, GTX 2080 Ti\n", ERR_SYNTAX, 2,
	  "list: 'RTX 2080 Ti' stands there under two names" },
	{ "anchor", "[scaling]\nanchors = Titan\n", ERR_UNKNOWN, 2,
	  "anchors: device 'Titan' is not in the catalogue; nearest: Titan Xp, Titan RTX, TPUv2" },
	{ "spec", "[scaling.cnn]\nspecs = bandwidth_gbs, cooling\n", ERR_UNKNOWN, 2,
	  "specs: 'cooling' is not a number column of devices.csv" },
	{ "too many specs",
	  "[scaling.cnn]\nspecs = tdp_w, l2_mb, boost_mhz, cuda_cores, memory_gb, fp32_tflops, "
	  "fp16_tflops, bf16_tflops, "
	  "bandwidth_gbs\n",
	  ERR_RANGE, 2, "specs: more than 8 items" },
	{ "empty item", "[prices]\nmarkets = amazon,, ebay\n", ERR_SYNTAX, 2,
	  "markets: 'amazon,, ebay' has an empty item" },
	{ "empty list", "[prices]\nmarkets =\n", ERR_SYNTAX, 2, "markets: '' is empty" },
	{ "empty text", "[edition]\ntitle =\n", ERR_SYNTAX, 2, "title: '' is empty" },
	{ "date", "[edition]\ndate = yesterday\n", ERR_SYNTAX, 2,
	  "date: 'yesterday' is neither a day as YYYY-MM-DD nor newest-price" },
	{ "cutoff", "[benchmarks]\ncutoff = 2019\n", ERR_SYNTAX, 2,
	  "cutoff: '2019' is not a day as YYYY-MM-DD" },
	{ "currency", "[edition]\ncurrency = EUR\n", ERR_UNKNOWN, 2, "currency: 'EUR' is not USD" },
	{ "trust", "[benchmarks]\ntrust_least = Signed\n", ERR_UNKNOWN, 2,
	  "trust_least: 'Signed' is none of signed, known, anonymous" },
	{ "paper", "[edition]\npaper = a5\n", ERR_UNKNOWN, 2,
	  "paper: 'a5' is neither a4 nor letter" },
	{ "a language that is a path", "[edition]\nlanguages = en, ../x\n", ERR_SYNTAX, 2,
	  "languages: '../x' is not a language tag such as en or zh-Hans" },
	{ "a language twice", "[edition]\nlanguages = en, en\n", ERR_SYNTAX, 2,
	  "languages: 'en' stands there twice" },
	{ "precision", "[benchmarks]\nprecision = fp17\n", ERR_UNKNOWN, 2,
	  "precision: 'fp17' is neither guide, best or each nor a precision" },
	{ "max_error no number", "[scaling]\nmax_error = three\n", ERR_SYNTAX, 2,
	  "max_error: 'three' is not a number" },
	{ "max_error range", "[scaling]\nmax_error = 1\n", ERR_RANGE, 2,
	  "max_error: '1' is not above 1 and at most 1000" },
	{ "empty method", "[scaling]\nmethod =\n", ERR_SYNTAX, 2, "method: '' is empty" },
	{ "method of no class", "[scaling]\nmethod.gan = linear\n", ERR_UNKNOWN, 2,
	  "key 'method.gan': no class of that name" },
	{ "no cards", "[cost]\ngpus = 0\n", ERR_RANGE, 2,
	  "gpus: '0' is not a whole number of cards from 1 to 16" },
	{ "half a card", "[cost]\ngpus = 1.5\n", ERR_RANGE, 2,
	  "gpus: '1.5' is not a whole number of cards from 1 to 16" },
	{ "hours no number", "[cost]\nhours_per_year = all\n", ERR_SYNTAX, 2,
	  "hours_per_year: 'all' is not a number" },
	{ "more hours than a year has", "[cost]\nhours_per_year = 8785\n", ERR_RANGE, 2,
	  "hours_per_year: '8785' is not above 0 and at most 8784" },
	{ "no years", "[cost]\nyears = 0\n", ERR_RANGE, 2,
	  "years: '0' is not above 0 and at most 20" },
	{ "one of the hours a month", "[cost]\nhours_per_month = 40, 745\n", ERR_RANGE, 2,
	  "hours_per_month: '745' is not above 0 and at most 744" },
	{ "too many hours a month",
	  "[cost]\nhours_per_month = 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13\n", ERR_RANGE, 2,
	  "hours_per_month: more than 12 items" },
	{ "one number of hours twice", "[cost]\nhours_per_month = 1, 2, 1.0\n", ERR_SYNTAX, 2,
	  "hours_per_month: 1 stands there twice" },
	{ "specs of a class that is not listed", MINIMAL "[scaling.gemm]\nspecs = tdp_w\n",
	  ERR_UNKNOWN, 10,
	  "'specs' of [scaling.gemm]: the edition has no class gemm, only cnn, llm" },
	{ "a note of a class that is not listed", MINIMAL "[notes.gemm]\n1 = One.\n", ERR_UNKNOWN,
	  10, "'1' of [notes.gemm]: the edition has no class gemm, only cnn, llm" },
	{ "a method of a class that is not listed", MINIMAL "[scaling]\nmethod.gemm = linear\n",
	  ERR_UNKNOWN, 10,
	  "'method.gemm' of [scaling]: the edition has no class gemm, only cnn, llm" },
	{ "a precision of a class that is not listed",
	  MINIMAL "[benchmarks]\nprecision.gemm = fp32\n", ERR_UNKNOWN, 10,
	  "'precision.gemm' of [benchmarks]: the edition has no class gemm, only cnn, llm" },
	{ "a network twice", "[memory]\nnetworks = gpt-2, gpt-2\n", ERR_SYNTAX, 2,
	  "networks: 'gpt-2' stands there twice" },
	{ "days", "[prices]\nstale_days = 0\n", ERR_RANGE, 2,
	  "stale_days: '0' is not a whole number of days from 1" },
	{ "conditions", "[prices]\nconditions = new, spot\n", ERR_UNKNOWN, 2,
	  "conditions: 'new, spot' names a condition that is neither new nor used" },
	{ "note out of order", "[notes]\n1 = One.\n3 = Three.\n", ERR_SYNTAX, 3,
	  "note '3': the next number is 2" },
	{ "empty note", "[notes.cnn]\n1 =\n", ERR_SYNTAX, 2, "1: '' is empty" },
	{ "no title", "[edition]\ndate = 2019-05-31\n", ERR_SYNTAX, 0,
	  "key 'title' of [edition] is missing" },
	{ "no markets",
	  "[edition]\ntitle = T\ndate = 2019-05-31\n[benchmarks]\nclasses = cnn\nreference = RTX "
	  "2060\n",
	  ERR_SYNTAX, 0, "key 'markets' of [prices] is missing" },
	{ "ages the wrong way round", MINIMAL "stale_days = 90\ndrop_days = 60\n", ERR_RANGE, 0,
	  "drop_days: 60 is less than stale_days, 90" },
	{ "no pair", MINIMAL "nonsense\n", ERR_SYNTAX, 9,
	  "expected [section], key = value or a comment" },
	{ "no pair behind a long line",
	  "; a comment\n[edition]\nsummary = 0123456789 0123456789 0123456789 0123456789 "
	  "0123456789 0123456789 0123456789 0123456789 "
	  "0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 "
	  "0123456789 0123456789 0123456789\n"
	  "nonsense\n",
	  ERR_SYNTAX, 4, "expected [section], key = value or a comment" },
	{ "open section", "[edition\ntitle = T\n", ERR_SYNTAX, 1,
	  "expected [section], key = value or a comment" },
	{ "endless word",
	  "[edition]\ntitle = "
	  "0123456789012345678901234567890123456789012345678901234567890123456789012345678901234567"
	  "8901234567890123456789"
	  "0123456789012345678901234567890123456789012345678901234567890123456789012345678901234567"
	  "8901234567890123456789\n"
	  "title = b\n",
	  ERR_SYNTAX, 2, "a word is too long" },
	{ "not UTF-8", "[edition]\ntitle = \xff\n", ERR_SYNTAX, 0,
	  "the text is not UTF-8 or holds a NUL byte" },
};

static void test_errors(struct test *t, struct fixture *f, const struct devices *d)
{
	for (size_t i = 0; i < LEN(error_cases); i++) {
		const struct error_case *c = &error_cases[i];
		struct error err = { 0 };
		struct edition e;

		fixture_put(f, "x.ini", c->text);
		test_ok(t, !edition_read(fixture_path(f, "x.ini"), d, &f->arena, &e, &err),
			c->label);
		test_error(t, &err, c->code, "x.ini", c->line, 0, c->msg, c->label);
	}
}

static void test_defaults(struct test *t, struct fixture *f, const struct devices *d)
{
	struct error err = { 0 };
	struct edition e;

	fixture_put(f, "small.ini", MINIMAL);
	test_ok(t, edition_read(fixture_path(f, "small.ini"), d, &f->arena, &e, &err),
		"the smallest edition");
	test_str(t, e.name, STR("small"), "its name");
	test_str(t, date_iso(&f->arena, e.date), STR("2019-05-31"), "its date");
	test_str(t, e.currency, STR("USD"), "currency");
	test_ok(t, e.nclasses == 2 && e.classes[0].id == CLASS_CNN && e.classes[1].id == CLASS_LLM,
		"its classes");
	test_ok(t, e.classes[1].policy == POLICY_GUIDE && e.classes[0].spec_names.n == 0,
		"policy guide, no specs");
	test_ok(t, e.devices.n == 0 && e.anchors.n == 0 && e.fallback.n == 0 && e.notes.n == 0,
		"no lists");
	test_ok(t, e.conditions.n == 2 && str_eq(e.conditions.v[0], STR("new")), "new before used");
	test_ok(t, e.stale_days == 60 && e.drop_days == 720 && e.max_error == 3, "limits");
	test_ok(
	    t, str_eq(e.classes[0].method, STR("best")) && str_eq(e.classes[1].method, STR("best")),
	    "scaling by the best method");
	test_ok(t,
		e.gpus == 1 && str_eq(e.country, STR("United States"))
		    && str_eq(e.tariff, STR("household")) && e.hours_per_year == 2000
		    && e.years == 3,
		"what a system costs");
	test_ok(t, e.nhours == 6 && e.hours_per_month[0] == 20 && e.hours_per_month[5] == 730,
		"hours of renting");
	test_ok(t, e.networks.n == 0 && e.personas.n == 0, "every network and persona");
	test_ok(t, e.benchmark_cutoff.day == INT_MIN && !e.date_from_prices, "no cut-off");
}

static void test_full(struct test *t, struct fixture *f, const struct devices *d)
{
	struct error err = { 0 };
	struct edition e;
	const struct edition_class *cnn, *llm;

	fixture_put(
	    f, "full.ini",
	    "\xEF\xBB\xBF; all keys, classes named before they are listed\r\n"
	    "[scaling.cnn]\r\n  specs = fp32_tflops, bandwidth_gbs ; in this order\r\n"
	    "[notes]\n1 = Note one # not a comment.\n2 = Two: a longer one, so long that "
	    "the reader must take it in several pieces, "
	    "and every piece of it must come out again, # signs too, in the same order and "
	    "with one blank between them, or the "
	    "sentence would not read as it was written by its author.\n"
	    "[notes.llm]\n1 = For llm.\n"
	    "[benchmarks]\nprecision.llm = each\nprecision = fp16\nclasses = llm, "
	    "cnn\nreference = gtx 2080ti\n"
	    "cutoff = 2021-12-31\nseries_excluded = dawnbench\n"
	    "[edition]\ntitle = T\nsummary = S\ndate = newest-price\ncurrency = "
	    "USD\npaper = letter\nlanguages = zh-Hant, en\n"
	    "[devices]\nlist = GTX 2080 Ti, RTX Titan\n"
	    "[scaling]\nanchors = XP Titan\nmax_error = 2.5\nmethod = roofline\nmethod.cnn = "
	    "linear\n"
	    "[cost]\ngpus = 4\ncountry = Germany\ntariff = business\nhours_per_year = 8760\n"
	    "years = 1.5\nhours_per_month = 10, 730\n"
	    "[memory]\nnetworks = gpt-2, resnet-50\n[advice]\npersonas = kaggle\n"
	    "[benchmarks]\ntrust_least = known\n"
	    "[prices]\nmarkets = amazon\nfallback = retail, msrp\nconditions = "
	    "used\nstale_days = 30\ndrop_days = 365\n");
	if (!edition_read(fixture_path(f, "full.ini"), d, &f->arena, &e, &err))
		error_print(stdout, &err);
	test_ok(t, err.code == ERR_NONE && e.date_from_prices && e.date.day == INT_MIN,
		"dated by the newest price");
	test_str(t, e.reference, STR("RTX 2080 Ti"), "an alias becomes the canonical name");
	test_str(t, e.paper, STR("letter"), "paper");
	test_ok(t, e.devices.n == 2 && str_eq(e.devices.v[1], STR("Titan RTX")), "listed devices");
	test_ok(t, e.anchors.n == 1 && str_eq(e.anchors.v[0], STR("Titan Xp")), "anchors");
	test_ok(t, e.nclasses == 2 && e.classes[0].id == CLASS_LLM, "classes in the file's order");
	cnn = edition_class_find(&e, CLASS_CNN);
	llm = edition_class_find(&e, CLASS_LLM);
	test_ok(t, !edition_class_find(&e, CLASS_CONV), "a class that the edition lacks");
	if (!cnn || !llm)
		return;
	test_str(t, edition_policy_name(cnn), STR("fp16"), "precision of all classes");
	test_str(t, edition_policy_name(llm), STR("each"),
		 "precision of one, though it comes first");
	test_ok(t,
		cnn->spec_names.n == 2
		    && cnn->spec_offsets[1] == offsetof(struct device, bandwidth_gbs),
		"specs");
	test_ok(t, llm->notes.n == 1 && cnn->notes.n == 0 && e.notes.n == 2, "notes");
	if (e.notes.n == 2) {
		test_str(t, e.notes.v[0], STR("Note one # not a comment."), "a note");
		test_str(t, e.notes.v[1],
			 STR("Two: a longer one, so long that the reader must take it in several "
			     "pieces, and "
			     "every piece of it must come out again, # signs too, in the same "
			     "order and with one blank between them, "
			     "or the sentence would not read as it was written by its author."),
			 "a long note");
	}
	test_ok(t, e.languages.n == 2 && str_eq(e.languages.v[0], STR("zh-Hant")), "languages");
	test_ok(t, e.max_error == 2.5 && e.stale_days == 30 && e.drop_days == 365, "limits");
	for (size_t i = 0; i < e.nclasses; i++)
		test_ok(t, str_eq(e.classes[i].method,
				  e.classes[i].id == CLASS_CNN ? STR("linear") : STR("roofline")),
			"a class with its own method of scaling, others with the general one");
	/* lines counted by hand in the text above */
	test_ok(t,
		edition_pos(&e, "cost", STR("country")).line == 32
		    && edition_pos(&e, "memory", STR("networks")).line == 38
		    && cnn->method_pos.line == 29 && llm->method_pos.line == 28,
		"the lines of keys");
	test_ok(
	    t,
	    edition_pos(&e, "cost", STR("nothing")).line == 0
		&& str_ends(str_of(edition_pos(&e, "cost", STR("nothing")).file), STR("full.ini")),
	    "a key that is not given stands in the file");
	test_ok(t,
		e.gpus == 4 && str_eq(e.country, STR("Germany"))
		    && str_eq(e.tariff, STR("business")) && e.hours_per_year == 8760
		    && e.years == 1.5 && e.nhours == 2 && e.hours_per_month[1] == 730,
		"what a system costs");
	test_ok(t, e.networks.n == 2 && str_eq(e.networks.v[1], STR("resnet-50"))
		       && e.personas.n == 1 && str_eq(e.personas.v[0], STR("kaggle")),
		"networks and personas");
	test_ok(t, e.fallback.n == 2 && e.conditions.n == 1 && e.series_excluded.n == 1, "lists");
	test_ok(t, e.trust_least == TRUST_KNOWN, "the least trust");
}

/* The editions we ship name devices and specs of the shipped catalogue only. */
static void test_shipped(struct test *t)
{
	static const char *const paths[] = { "editions/current.ini", "editions/guide-2019-04.ini" };
	struct arena a = { 0 };
	struct error err = { 0 };
	struct devices d;

	test_ok(t, devices_read("data", &a, &d, &err), "the shipped catalogue");
	for (size_t i = 0; i < LEN(paths) && err.code == ERR_NONE; i++) {
		struct edition e;

		test_ok(t, edition_read(paths[i], &d, &a, &e, &err), paths[i]);
		for (size_t k = 0; k < e.nclasses; k++)
			test_ok(t, e.classes[k].spec_names.n == 4, "every class can be scaled");
	}
	if (err.code != ERR_NONE)
		error_print(stdout, &err);
	arena_free(&a);
}

int main(void)
{
	struct test t = { 0 };
	struct error err = { 0 };
	struct devices d;
	struct fixture f;

	test_ok(&t, fixture_open(&f) && fixture_devices(&f, &d, &err),
		"the small catalogue is read");
	test_defaults(&t, &f, &d);
	test_full(&t, &f, &d);
	test_errors(&t, &f, &d);
	test_shipped(&t);
	fixture_close(&f);
	return test_done(&t);
}
