/* catalogue/text.h: a catalogue of messages, and after a line "%%" a message of the analysis, which
 * stands in CSV files as JSON. What is not refused can be put into words. */
#include "fuzz.h"

#include "../../catalogue/text.h"

#define ENGLISH                                                                                    \
	"[gate]\npower = {w} W {w?watt:watts} *is* `much` \\* \\{\nlicence = "                     \
	"no\n[list]\nsemicolon = {a}; {b}\n"                                                       \
	"semicolon-last = {a}; and {b}\n[date]\nday = {year}-{month}-{day}\n[number]\ndecimal = "  \
	".\n"

static void want_said(const struct text_catalogue *t, struct str json, struct arena *a)
{
	struct error err = { 0 };
	struct str words = { 0 };
	bool good =
	    text_say(t, (struct say){ json }, (struct pos){ "x.csv", 1, 1 }, a, &words, &err);

	fuzz_want_fault(good, &err);
	fuzz_want(!good || str_is_utf8(words) || !str_is_utf8(json), "words are UTF-8");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str json = fuzz_text(data, size), text = fuzz_cut(&json);
	struct arena a = { 0 };
	struct error err = { 0 };
	struct text_catalogue t, english;

	fuzz_want(text_parse(STR(ENGLISH), "text.en.ini", &a, &english, &err),
		  "the English can be read");
	bool good = text_parse(text, "text.xx.ini", &a, &t, &err);
	fuzz_want_fault(good, &err);
	for (size_t i = 0; good && i < t.n; i++) {
		struct str words;
		struct error why = { 0 };
		const char *key = str_c(&a, t.v[i].key);
		bool said = text_plain(&t, key, NULL, &a, &words, &why);
		fuzz_want_fault(said, &why);
		fuzz_want(text_has(&t, key) || memchr(t.v[i].key.p, '\0', t.v[i].key.len),
			  "a message is there");
	}
	err = (struct error){ 0 };
	if (good) {
		bool same = text_check_language(&english, &t, &err);
		fuzz_want_fault(same, &err);
		want_said(&t, json, &a);
	}
	want_said(&english, json, &a);
	arena_free(&a);
	return 0;
}
