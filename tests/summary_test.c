/* summary.json: what the renderer writes is what the archive reads; what else it must refuse. And
 * the sentences of what changed. */
#include "english.h"
#include "golden.h"
#include "test.h"
#include "../publish/summary.h"
#include "../render/build.h"
#include "../render/change_facts.h"
#include "../render/change_say.h"
#include "../render/data.h"
#include "../render/summary.h"

#include <limits.h>
#include <string.h>

#define GOOD_LANGUAGES                                                                             \
	"[{\"tag\":\"en\",\"name\":\"English\",\"html\":\"index.html\",\"pdf\":\"report.pdf\"}]"
#define TOP(id, date, title, rest)                                                                 \
	"{\"id\":" id ",\"edition\":\"current\",\"title\":" title                                  \
	",\"subtitle\":\"\",\"program\":\"p\","                                                    \
	"\"date\":" date ",\"devices\":3," rest "}"
#define PICKS "\"picks\":[]"
#define GOOD_REST "\"previous\":null,\"languages\":" GOOD_LANGUAGES "," PICKS ",\"changes\":null"
#define CHANGES(more)                                                                              \
	"{\"changed\":1,\"new\":0,\"gone\":0,\"same\":2,\"by_price\":1,\"by_data\":0,\"by_"        \
	"method\":0" more "}"
#define WITH(rest) TOP("\"2026-11-30-ab\"", "\"2026-11-30\"", "\"T\"", rest)

static const struct {
	const char *name, *text, *message;
	enum error_code code;
} faults[] = {
	{ "good", WITH(GOOD_REST), "", ERR_NONE },
	{ "unknown members are passed over", WITH("\"later\":[1,{}]," GOOD_REST), "", ERR_NONE },
	{ "no JSON", "{", "summary: expected a JSON object", ERR_SYNTAX },
	{ "empty", "", "summary: expected a JSON object", ERR_SYNTAX },
	{ "a list", "[]", "summary: expected a JSON object", ERR_SYNTAX },
	{ "not UTF-8", "{\"id\":\"\xff\"}", "summary: expected UTF-8", ERR_SYNTAX },
	{ "no id", "{}", "id: expected to be there", ERR_SYNTAX },
	{ "id no text", TOP("7", "\"2026-11-30\"", "\"T\"", GOOD_REST), "id: expected a text",
	  ERR_SYNTAX },
	{ "id empty", TOP("\"\"", "\"2026-11-30\"", "\"T\"", GOOD_REST),
	  "id: expected a text that is not empty", ERR_SYNTAX },
	{ "id a path", TOP("\"../x\"", "\"2026-11-30\"", "\"T\"", GOOD_REST),
	  "id: expected a plain name of letters, digits, - _ and .", ERR_SYNTAX },
	{ "no such day", TOP("\"a\"", "\"2026-02-30\"", "\"T\"", GOOD_REST),
	  "date: expected a date such as 2026-11-30", ERR_SYNTAX },
	{ "no title", TOP("\"a\"", "\"2026-11-30\"", "\"\"", GOOD_REST),
	  "title: expected a text that is not empty", ERR_SYNTAX },
	{ "previous a text", WITH("\"previous\":\"x\""), "previous: expected an object or null",
	  ERR_SYNTAX },
	{ "previous without id", WITH("\"previous\":{}"), "id: expected to be there", ERR_SYNTAX },
	{ "languages no list", WITH("\"previous\":null,\"languages\":{}"),
	  "languages: expected a list", ERR_SYNTAX },
	{ "no language", WITH("\"previous\":null,\"languages\":[]"),
	  "languages: expected one at least", ERR_SYNTAX },
	{ "a language that is no object", WITH("\"previous\":null,\"languages\":[1]"),
	  "languages: expected a list of objects", ERR_SYNTAX },
	{ "page outside",
	  WITH("\"previous\":null,\"languages\":[{\"tag\":\"en\",\"name\":\"E\",\"html\":"
	       "\"/etc/passwd\",\"pdf\":\"r.pdf\"}]"),
	  "html: expected a plain name of letters, digits, - _ and .", ERR_SYNTAX },
	{ "page a script",
	  WITH("\"previous\":null,\"languages\":[{\"tag\":\"en\",\"name\":\"E\",\"html\":"
	       "\"javascript:x\",\"pdf\":\"r.pdf\"}]"),
	  "html: expected a plain name of letters, digits, - _ and .", ERR_SYNTAX },
	{ "hidden page",
	  WITH("\"previous\":null,\"languages\":[{\"tag\":\"en\",\"name\":\"E\",\"html\":"
	       "\"..\",\"pdf\":\"r.pdf\"}]"),
	  "html: expected a plain name of letters, digits, - _ and .", ERR_SYNTAX },
	{ "cost 0",
	  WITH("\"previous\":null,\"languages\":" GOOD_LANGUAGES ",\"picks\":[{\"persona\":\"p\","
	       "\"title\":\"t\",\"device\":\"d\",\"cost_usd\":0,\"cost\":\"\"}],\"changes\":null"),
	  "cost_usd: expected a number above 0, or null", ERR_RANGE },
	{ "changes without counts",
	  WITH("\"previous\":null,\"languages\":" GOOD_LANGUAGES "," PICKS ",\"changes\":{}"),
	  "changed: expected to be there", ERR_SYNTAX },
	{ "half a count",
	  WITH("\"previous\":null,\"languages\":" GOOD_LANGUAGES "," PICKS
	       ",\"changes\":{\"changed\":1.5}"),
	  "changed: expected a whole number", ERR_RANGE },
	{ "no sentences",
	  WITH("\"previous\":null,\"languages\":" GOOD_LANGUAGES "," PICKS
	       ",\"changes\":" CHANGES("")),
	  "sentences: expected a list", ERR_SYNTAX },
	{ "a sentence that is a number",
	  WITH("\"previous\":null,\"languages\":" GOOD_LANGUAGES "," PICKS
	       ",\"changes\":" CHANGES(",\"sentences\":[1]")),
	  "sentences: expected a text", ERR_SYNTAX },
};

static void test_faults(struct test *t, struct arena *a)
{
	for (size_t i = 0; i < LEN(faults); i++) {
		struct error err = { .code = ERR_NONE };
		struct summary s;
		bool good = summary_parse(str_of(faults[i].text), "s.json", a, &s, &err);

		test_ok(t, good == (faults[i].code == ERR_NONE) && err.code == faults[i].code,
			faults[i].name);
		test_str(t, str_of(err.msg), str_of(faults[i].message), faults[i].name);
	}
}

static void test_limits(struct test *t, struct arena *a)
{
	struct strbuf b = { .arena = a };
	struct error err = { .code = ERR_NONE };
	struct summary s;

	strbuf_add(&b, STR("\"previous\":null,\"languages\":["));
	for (int i = 0; i <= SUMMARY_LIST_MAX; i++)
		strbuf_add(&b, i ? STR(",1") : STR("1"));
	struct str text = str_printf(a, "%.*s", (int)strlen(WITH("X")) - 2, WITH("X"));
	text = str_printf(a, STR_FMT STR_FMT "]}", STR_ARG(text), STR_ARG(strbuf_str(&b)));
	test_ok(t, !summary_parse(text, "s", a, &s, &err) && err.code == ERR_RANGE,
		"a list too long");
	test_str(t, str_of(err.msg), STR("languages: expected a shorter list"), "and it says so");
	err = (struct error){ .code = ERR_NONE };
	test_ok(t,
		!summary_read("tests/no-such-folder", a, &s, &err) && err.code == ERR_ENVIRONMENT,
		"no such folder");
	err = (struct error){ .code = ERR_NONE };
	struct str hostile =
	    str_of(TOP("\"a\"", "\"2026-11-30\"", "\"x\\u202ey\\u0007z\"", GOOD_REST));
	test_ok(t, summary_parse(hostile, "s", a, &s, &err), "controls in a title");
	test_str(t, s.title, STR("x?y?z"), "are not shown");
}

/* ---- what the renderer writes ---- */

static bool build(struct arena *a, struct report_data *d, struct text_catalogue *text,
		  struct report *r)
{
	static const struct report_alternate alternates[] = {
		{ STR_INIT("en"), STR_INIT("English"), STR_INIT("index.html"),
		  STR_INIT("report.pdf") },
		{ STR_INIT("zh-Hans"), STR_INIT("简体中文"), STR_INIT("index.zh-Hans.html"),
		  STR_INIT("report.zh-Hans.pdf") },
	};
	struct error err = { .code = ERR_NONE };

	*text = english_catalogue(a);
	*r = (struct report){ .arena = a,
			      .language = STR("en"),
			      .edition_id = STR("2019-05-31-0123456789ab"),
			      .generator = STR("gpuguide 0"),
			      .alternates = alternates,
			      .nalternates = LEN(alternates) };
	bool good = data_read(STR("tests/render/three/data"), a, d, &err)
		    && report_build(d, text, r, &err);
	if (!good)
		error_print(stdout, &err);
	return good;
}

static void test_round_trip(struct test *t, struct arena *a)
{
	struct error err = { .code = ERR_NONE };
	struct report_data d;
	struct text_catalogue text, chinese;
	struct report r;
	struct str out, again;
	struct summary s;

	test_ok(t, build(a, &d, &text, &r), "three cards");
	test_ok(t, summary_json(&r, &d, &text, "templates", a, &out, &err), "written");
	test_golden(t, out, "tests/render/three/summary.json", a, "golden summary.json");
	test_ok(t, summary_parse(out, "summary.json", a, &s, &err), "read back");
	test_str(t, s.id, r.edition_id, "the id");
	test_str(t, s.title, r.title, "the title");
	test_ok(t, s.date.day == d.date.day && s.devices == (int)d.ndevices, "date and devices");
	test_ok(t, s.nlanguages == 2 && str_eq(s.languages[1].html, STR("index.zh-Hans.html")),
		"languages");
	test_ok(t, s.has_changes && s.changed == 2 && s.fresh == 1 && s.gone == 0 && s.same == 1,
		"counts of changes.csv, by hand");
	test_ok(t, s.by_price == 2 && s.by_data == 1 && s.by_method == 0, "by their causes");
	test_ok(t, s.previous_id.len == 0 && s.previous_date.day == INT_MIN,
		"no predecessor named");
	test_ok(t,
		text_read_language("templates", STR("zh-Hans"), a, &chinese, &err)
		    && summary_json(&r, &d, &chinese, "templates", a, &again, &err)
		    && str_eq(out, again),
		"sentences are English whatever the main language");
}

/* ---- what changed ---- */

struct change_row {
	const char *device, *class, *status, *reason;
	int old_rank, new_rank;
	double price, data, method, old_cost, new_cost;
};

static struct data_change change_of(const struct change_row *row, int line)
{
	return (struct data_change){ .device = str_of(row->device),
				     .class_text = str_of(row->class),
				     .status = str_of(row->status),
				     .reason = str_of(row->reason),
				     .old_rank = row->old_rank,
				     .new_rank = row->new_rank,
				     .from_price_pct = row->price,
				     .from_data_pct = row->data,
				     .from_method_pct = row->method,
				     .old_cost_usd = row->old_cost,
				     .new_cost_usd = row->new_cost,
				     .pos = { NULL, line, 1 } };
}

enum { ROWS_MAX = 4 };

/* In the fixture RTX 2070 (499) and RTX 2080 Ti (1,199) have values of CNN, both of one age. */
static const struct {
	const char *name, *want;
	struct change_row rows[ROWS_MAX];
} nights[] = {
	{ "nothing", "", { { "RTX 2070", "cnn", "same", "", 1, 1, 0, 0, 0, 499, 499 } } },
	{ "a normal night",
	  "In every class the same card as before gives most performance per USD.\n"
	  "No card moved by 5 % or more in performance per USD; the largest move is +2.0 %, of RTX "
	  "2070.\n"
	  "All moves come from prices.\n",
	  { { "RTX 2070", "cnn", "changed", "", 1, 1, 2, 0, 0, 509, 499 },
	    { "RTX 2080 Ti", "cnn", "changed", "", 2, 2, -0.1, 0, 0, 1198, 1199 } } },
	{ "only words differ",
	  "In every class the same card as before gives most performance per USD.\n"
	  "No price and no score moved.\n",
	  { { "RTX 2070", "cnn", "changed", "price status: ok before, single-source now", 1, 1, 0,
	      0, 0, 499, 499 } } },
	{ "another first card",
	  "Most performance per USD in CNN: RTX 2070; before it was RTX 2080 Ti.\n"
	  "By 5 % or more in performance per USD 1 card rose and 0 fell.\n"
	  "All moves come from prices.\n"
	  "RTX 2070: +25 % performance per USD; its price went from $624 to $499.\n",
	  { { "RTX 2070", "cnn", "changed", "", 2, 1, 25, 0, 0, 623.75, 499 },
	    { "RTX 2080 Ti", "cnn", "changed", "", 1, 2, 0, 0, 0, 1199, 1199 } } },
	{ "the first card is gone: who was first is not said",
	  "No longer in the edition: Gone.\n",
	  { { "Gone", "cnn", "gone", "not in the new edition", 1, 0, NAN, NAN, NAN, 100, NAN },
	    { "RTX 2070", "cnn", "same", "", 2, 1, NAN, NAN, NAN, 499, 499 } } },
	{ "cards come and go",
	  "New in this edition: New.\n"
	  "With a price and a score now: Valued.\n"
	  "Without a price or a score now: Lost.\n",
	  { { "New", "cnn", "new", "not in the old edition", 0, 3, NAN, NAN, NAN, NAN, 1 },
	    { "Valued", "cnn", "new", "no price before", 0, 4, NAN, NAN, NAN, NAN, 1 },
	    { "Lost", "cnn", "gone", "no price now", 1, 0, NAN, NAN, NAN, 1, NAN } } },
	{ "the method",
	  "The method moved 1 figure: a setting, an anchor or a predictor is another.\n"
	  "Benchmark rows moved 1 figure.\n"
	  "In every class the same card as before gives most performance per USD.\n"
	  "By 5 % or more in performance per USD 1 card rose and 1 fell.\n"
	  "What moved the figures, by share: benchmark rows 50 %, the method 50 %.\n"
	  "RTX 2070: +100 % performance per USD in CNN, by the method.\n"
	  "RTX 2080 Ti: -50 % performance per USD in CNN, by benchmark rows.\n",
	  { { "RTX 2070", "cnn", "changed", "", 1, 1, 0, 0, 100, 499, 499 },
	    { "RTX 2080 Ti", "cnn", "changed", "", 2, 2, 0, -50, 0, 1199, 1199 } } },
};

static struct str said(struct arena *a, const struct report_data *d,
		       const struct text_catalogue *text)
{
	struct error err = { .code = ERR_NONE };
	struct report r = { .arena = a };
	struct build b = { .report = &r, .data = d, .text = text, .arena = a, .err = &err };
	struct strbuf out = { .arena = a };
	struct change_facts f = change_facts(&b);
	struct spans *items;
	size_t n;

	change_say(&b, &f, &items, &n);
	for (size_t i = 0; i < n; i++) {
		strbuf_add(&out, spans_text(a, &items[i]));
		strbuf_addc(&out, '\n');
	}
	return err.code == ERR_NONE ? strbuf_str(&out) : str_of(err.msg);
}

/* Values of the class CNN alone, with prices of one age. */
static void only_cnn(struct report_data *d)
{
	for (size_t i = 0; i < d->nvalues; i++)
		if (!str_eq(d->values[i].class_text, STR("cnn")))
			d->values[i].value = NAN;
	for (size_t i = 0; i < d->nprices; i++)
		d->prices[i].status = STR("ok");
}

static void test_nights(struct test *t, struct arena *a)
{
	for (size_t i = 0; i < LEN(nights); i++) {
		struct data_change rows[ROWS_MAX];
		struct report_data d;
		struct text_catalogue text;
		struct report r;

		if (!build(a, &d, &text, &r))
			continue;
		only_cnn(&d);
		d.changes = rows;
		d.nchanges = 0;
		for (size_t k = 0; k < ROWS_MAX && nights[i].rows[k].device; k++)
			rows[d.nchanges++] = change_of(&nights[i].rows[k], (int)k + 2);
		test_str(t, said(a, &d, &text), str_of(nights[i].want), nights[i].name);
	}
}

static void test_clauses(struct test *t)
{
	struct str rest =
	    STR("price status: stale ok before, none now; the scores have no common scale");
	struct change_clause c;

	test_ok(t, change_clause_next(&rest, &c), "the first clause");
	test_str(t, c.label, STR("price status"), "its label");
	test_str(t, c.old, STR("stale ok"), "before");
	test_str(t, c.now, STR("none"), "now");
	test_ok(t, change_clause_next(&rest, &c) && c.old.len == 0, "one without sides");
	test_str(t, c.label, STR("the scores have no common scale"), "is all label");
	test_ok(t, !change_clause_next(&rest, &c), "no more");
}

int main(void)
{
	struct test t = { 0 };
	struct arena a = { 0 };

	test_faults(&t, &a);
	test_limits(&t, &a);
	test_round_trip(&t, &a);
	test_nights(&t, &a);
	test_clauses(&t);
	arena_free(&a);
	return test_done(&t);
}
