/* What the page's script is told, from a small edition with odd names. */
#include "../render/html_prices.h"
#include "../render/html_meta.h"
#include "english.h"
#include "golden.h"
#include "test.h"

#include <math.h>

static bool has(struct str s, struct str what)
{
	return str_find(s, what, 0) < s.len;
}

/* vision loses a card for its memory and one for its price alone; lab's card fails both ways. */
static struct data_pick_removed removed[] = {
	{ .persona = STR_INIT("vision"),
	  .device = STR_INIT("RTX 2070"),
	  .gates = STR_INIT("memory budget") },
	{ .persona = STR_INIT("vision"),
	  .device = STR_INIT("TPUv2"),
	  .gates = STR_INIT("price stale") },
	{ .persona = STR_INIT("lab"), .device = STR_INIT("RTX 2080 Ti"), .gates = STR_INIT("") },
	{ .persona = STR_INIT("lab"),
	  .device = STR_INIT("no such card"),
	  .gates = STR_INIT("host") },
};

static struct data_pick_rule rules[] = {
	{ .persona = STR_INIT("vision"),
	  .objective = STR_INIT("speed"),
	  .lens = STR_INIT("card"),
	  .condition = STR_INIT("any"),
	  .weights = STR_INIT("cnn:1 transformer:0.5 nonsense"),
	  .budget_usd = 1500,
	  .gpus = 1 },
	{ .persona = STR_INIT("lab"),
	  .objective = STR_INIT("value"),
	  .lens = STR_INIT("system"),
	  .condition = STR_INIT("used"),
	  .weights = STR_INIT("rnn-word:1"),
	  .budget_usd = 0,
	  .gpus = 4 },
	{ .persona = STR_INIT("without a pick"), .weights = STR_INIT("cnn:1") },
};

static void add_rules(struct report_data *d)
{
	rules[1].budget_usd = (double)NAN;
	d->pick_rules = rules;
	d->npick_rules = LEN(rules);
	d->pick_removed = removed;
	d->npick_removed = LEN(removed);
}

static void test_document(struct test *t, const struct report *r, struct report_data *d,
			  const struct text_catalogue *text, struct arena *a)
{
	struct error err = { .code = ERR_NONE };
	struct str json = STR(""), none = STR("");
	struct text_catalogue empty = { .file = "empty" };

	test_ok(t, html_prices_json(r, d, NULL, text, a, &none, &err)
		       && has(none, STR("\"personas\":[],")),
		"an edition from before the rules: no advice to follow");
	add_rules(d);
	test_ok(t, html_prices_json(r, d, NULL, text, a, &json, &err), "the document");
	test_golden(t, json, "tests/render/prices.json", a, "as expected");
	test_ok(t, !html_prices_json(r, d, NULL, &empty, a, &json, &err) && err.code == ERR_DATA,
		"a catalogue without the words");
}

/* Names as nobody should give them, in every place a name can stand. */
static void test_hostile(struct test *t, const struct report *r, struct report_data *d,
			 const struct text_catalogue *text, struct arena *a)
{
	struct error err = { .code = ERR_NONE };
	struct strbuf out = { .arena = a };
	struct str json = STR("");

	d->devices[0] = STR("</script><script>alert(\"1\")//");
	d->picks[0].title = STR("<!-- \\ \n \xff & 显卡 \xf0\x9f\x9a\x80");
	test_ok(t, html_prices_json(r, d, NULL, text, a, &json, &err), "hostile names");
	html_put_json(&out, json);
	json = strbuf_str(&out);
	test_ok(t, !has(json, STR("<")) && !has(json, STR(">")) && !has(json, STR("&")),
		"nothing that could end the element or begin a comment");
	test_ok(t,
		has(json, STR("\"\\u003c/script\\u003e\\u003cscript\\u003ealert(\\\"1\\\")//\"")),
		"a name comes through whole");
	test_ok(t, has(json, STR("\\\\ \\u000a \xef\xbf\xbd \\u0026 显卡 \xf0\x9f\x9a\x80\"")),
		"controls escaped, a bad byte replaced, all else kept");
}

int main(void)
{
	struct test t = { 0 };
	struct arena a = { 0 };
	struct error err = { .code = ERR_NONE };
	struct text_catalogue text = english_catalogue(&a);
	struct report_data d;
	const struct report r = { .edition_id = STR("2019-05-31-0123456789ab"),
				  .language = STR("en"),
				  .arena = &a };

	if (data_read(STR("tests/render/three/data"), &a, &d, &err)) {
		test_document(&t, &r, &d, &text, &a);
		test_hostile(&t, &r, &d, &text, &a);
	} else {
		error_print(stdout, &err);
		test_ok(&t, false, "tests/render/three/data");
	}
	arena_free(&a);
	return test_done(&t);
}
