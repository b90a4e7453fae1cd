/* report.json: strings, missing values, and the whole file of the three cards. */
#include "../render/build.h"
#include "../render/json.h"
#include "golden.h"
#include "test.h"

static const struct {
	const char *name;
	struct str in, want;
} strings[] = {
	{ "plain", STR_INIT("RTX 2070"), STR_INIT("\"RTX 2070\"") },
	{ "quote and backslash", STR_INIT("a\"b\\c"), STR_INIT("\"a\\\"b\\\\c\"") },
	{ "controls", STR_INIT("a\n\t\0\x1f\x7f"),
	  STR_INIT("\"a\\u000a\\u0009\\u0000\\u001f\\u007f\"") },
	{ "line separators", STR_INIT("\xe2\x80\xa8\xe2\x80\xa9"), STR_INIT("\"\\u2028\\u2029\"") },
	{ "bad UTF-8", STR_INIT("\xc0\xaf"), STR_INIT("\"\xef\xbf\xbd\xef\xbf\xbd\"") },
	{ "Chinese and emoji", STR_INIT("显卡 🚀"), STR_INIT("\"显卡 🚀\"") },
	{ "empty", STR_INIT(""), STR_INIT("\"\"") },
};

static bool build(struct report *r, struct report_data *d, struct arena *a, struct error *err)
{
	struct text_catalogue text;

	*r = (struct report){ .language = STR("en"),
			      .generator = STR("gpuguide test"),
			      .edition_id = STR("2019-05-31-0123456789ab"),
			      .arena = a };
	return data_read(STR("tests/render/three/data"), a, d, err)
	       && text_read("templates/text.en.ini", a, &text, err)
	       && report_build(d, &text, r, err);
}

int main(void)
{
	struct test t = { 0 };
	struct arena a = { 0 };
	struct error err = { .code = ERR_NONE };
	struct report_data d;
	struct report r;

	for (size_t i = 0; i < LEN(strings); i++) {
		struct strbuf b = { .arena = &a };
		json_string(&b, strings[i].in);
		test_str(&t, strbuf_str(&b), strings[i].want, strings[i].name);
	}
	if (!build(&r, &d, &a, &err))
		printf("# %s\n", err.msg);
	test_ok(&t, err.code == ERR_NONE, "the report of the three cards");
	struct str json = json_write(&r, &d, NULL, &a);
	test_golden(&t, json, "tests/render/three/report.json", &a, "golden report.json");
	test_ok(&t, str_find(json, STR("\"score\": null"), 0) < json.len,
		"a missing score is null");
	test_ok(&t,
		str_find(json, STR("nan"), 0) == json.len
		    || str_find(json, STR(": nan"), 0) == json.len,
		"and never a bare nan");
	arena_free(&a);
	return test_done(&t);
}
