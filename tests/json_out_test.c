/* JSON of the commands, byte by byte: commas, nulls, line ends, text that would not be JSON. */
#include "test.h"

#include "../base/arena.h"
#include "../cli/json_out.h"

#include <math.h>

static void test_object(struct test *t, struct arena *a)
{
	struct strbuf b = { .arena = a };

	json_out_begin(&b, NULL, '{');
	json_out_text(&b, "name", STR("a \"b\" {[,\\"));
	json_out_known(&b, "known", STR("x"));
	json_out_known(&b, "unknown", STR(""));
	json_out_number(&b, "number", 0.1);
	json_out_number(&b, "whole", 3);
	json_out_number(&b, "none", NAN);
	json_out_number(&b, "huge", INFINITY);
	json_out_bool(&b, "yes", true);
	json_out_bool(&b, "no", false);
	json_out_null(&b, "null");
	json_out_begin(&b, "empty", '{');
	json_out_end(&b, '{');
	json_out_begin(&b, "texts", '[');
	json_out_text(&b, NULL, STR("["));
	json_out_text(&b, NULL, STR("two"));
	json_out_end(&b, '[');
	json_out_begin(&b, "objects", '[');
	for (int i = 1; i <= 2; i++) {
		json_out_begin(&b, NULL, '{');
		json_out_number(&b, "i", i);
		json_out_end(&b, '{');
	}
	json_out_end(&b, '[');
	json_out_text(&b, "last", STR(""));
	json_out_end(&b, '{');
	test_str(t, strbuf_str(&b),
		 STR("{\"name\": \"a \\\"b\\\" {[,\\\\\", \"known\": \"x\", \"unknown\": null, "
		     "\"number\": 0.1, \"whole\": 3, \"none\": null, \"huge\": null, "
		     "\"yes\": true, \"no\": false, \"null\": null, \"empty\": {}, "
		     "\"texts\": [\"[\", \"two\"], \"objects\": [\n{\"i\": 1},\n{\"i\": 2}], "
		     "\"last\": \"\"}"),
		 "an object of everything");
}

static void test_array(struct test *t, struct arena *a)
{
	struct strbuf b = { .arena = a }, none = { .arena = a };

	json_out_begin(&none, NULL, '[');
	json_out_end(&none, '[');
	test_str(t, strbuf_str(&none), STR("[]"), "an array of nothing");
	json_out_begin(&b, NULL, '[');
	json_out_begin(&b, NULL, '{');
	json_out_end(&b, '{');
	json_out_text(&b, NULL, STR("\x1b[2J\xe2\x80\xae"));
	json_out_end(&b, '[');
	test_str(t, strbuf_str(&b), STR("[\n{}, \"?[2J?\"]"),
		 "an array at the top; what a terminal would obey is made harmless");
}

int main(void)
{
	struct test t = { 0 };
	struct arena a = { 0 };

	test_object(&t, &a);
	test_array(&t, &a);
	arena_free(&a);
	return test_done(&t);
}
