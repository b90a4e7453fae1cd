/* Messages of the analysis: how they are kept, and how a catalogue puts them into words. */
#include "english.h"
#include "../catalogue/say.h"

#include <math.h>

static const char catalogue[] =
    "[language]\ntag = xx\n[number]\ndecimal = ,\ngroup = .\n[date]\nday = {day}. {month}. {year}\n"
    "[list]\ncomma = ,\\s\nand = ,\\s\nand-last = \\sund\\s\nsemicolon = ;\\s\n"
    "[s]\nbare = nothing\none = {x}\ntwo = {x} of {y}\ncards = {n} {n?card:cards}\n"
    "pair = {a}: {b}\nnested = {n?one {x}:all {n} {x}}\nhan = 由{x}得{y}分\n"
    "[data]\nEnglish = Englisch\nmore than {gb} GB = mehr als {gb} GB\n";

static struct text_catalogue parsed(struct test *t, const char *text, struct arena *a)
{
	struct error err = { .code = ERR_NONE };
	struct text_catalogue c = { 0 };

	test_ok(t, text_parse(str_of(text), "x.ini", a, &c, &err), "the catalogue");
	if (err.code)
		printf("# %s\n", err.msg);
	return c;
}

/* Each as JSON, and in the words of the catalogue above. */
static void test_kept(struct test *t, struct arena *a, const struct text_catalogue *c)
{
	struct date day;
	struct say_list l = { .arena = a }, one = { .arena = a }, none = { .arena = a };
	const struct say_arg gb[] = { say_shortest("gb", 11), say_end() };

	date_parse(STR("2025-06-30"), &day);
	say_add(&l, say_plain(a, STR("A")));
	say_add(&l, (struct say){ STR("") });
	say_add(&l, say_plain(a, STR("B\"")));
	say_add(&l, say(a, "s.bare", NULL));
	say_add(&one, say_plain(a, STR("A")));
	const struct {
		struct say said;
		struct str json, words;
	} cases[] = {
		{ say(a, "s.bare", NULL), STR("[\"s.bare\"]"), STR("nothing") },
		{ say(a, "s.one",
		      (const struct say_arg[]){ say_name("x", STR("<{x}*")), say_end() }),
		  STR("[\"s.one\",{\"x\":\"<{x}*\"}]"), STR("<{x}*") },
		{ say(a, "s.cards", (const struct say_arg[]){ say_int("n", 1), say_end() }),
		  STR("[\"s.cards\",{\"n\":{\"n\":\"1\"}}]"), STR("1 card") },
		{ say(a, "s.cards", (const struct say_arg[]){ say_count("n", 12), say_end() }),
		  STR("[\"s.cards\",{\"n\":{\"n\":\"12\"}}]"), STR("12 cards") },
		{ say(a, "s.two",
		      (const struct say_arg[]){ say_fixed("x", 0.665, 2),
						say_figure("y", STR("1,049.50")), say_end() }),
		  STR("[\"s.two\",{\"x\":{\"n\":\"0.67\"},\"y\":{\"n\":\"1,049.50\"}}]"),
		  STR("0,67 of 1.049,50") },
		{ say(a, "s.one", (const struct say_arg[]){ say_fixed("x", NAN, 2), say_end() }),
		  STR("[\"s.one\",{\"x\":\"\"}]"), STR("") },
		{ say(a, "s.one",
		      (const struct say_arg[]){ say_put("x", say_date(a, day)), say_end() }),
		  STR("[\"s.one\",{\"x\":{\"d\":\"2025-06-30\"}}]"), STR("30. 6. 2025") },
		{ say_data(a, STR("English"), NULL), STR("{\"t\":\"English\"}"), STR("Englisch") },
		{ say_data(a, STR("Unknown {x} * text"), NULL),
		  STR("{\"t\":\"Unknown {x} * text\"}"), STR("Unknown {x} * text") },
		{ say_data(a, STR("more than {gb} GB"), gb),
		  STR("{\"t\":\"more than {gb} GB\",\"with\":{\"gb\":{\"n\":\"11\"}}}"),
		  STR("mehr als 11 GB") },
		{ say_data(a, STR("at {gb} {of} GB"), gb),
		  STR("{\"t\":\"at {gb} {of} GB\",\"with\":{\"gb\":{\"n\":\"11\"}}}"),
		  STR("at 11 {of} GB") },
		{ say_data(a, STR(""), NULL), STR(""), STR("") },
		{ say_join(&l, "and"), STR("{\"l\":[\"A\",\"B\\\"\",[\"s.bare\"]],\"by\":\"and\"}"),
		  STR("A, B\" und nothing") },
		{ say_join(&l, "semicolon"),
		  STR("{\"l\":[\"A\",\"B\\\"\",[\"s.bare\"]],\"by\":\"semicolon\"}"),
		  STR("A; B\"; nothing") },
		{ say_join(&one, "and"), STR("\"A\""), STR("A") },
		{ say_join(&none, "and"), STR(""), STR("") },
		{ say(a, "s.nested",
		      (const struct say_arg[]){ say_int("n", 3), say_name("x", STR("y")),
						say_end() }),
		  STR("[\"s.nested\",{\"n\":{\"n\":\"3\"},\"x\":\"y\"}]"), STR("all 3 y") },
		{ say(a, "s.han",
		      (const struct say_arg[]){ say_name("x", STR("RTX")), say_int("y", 3),
						say_end() }),
		  STR("[\"s.han\",{\"x\":\"RTX\",\"y\":{\"n\":\"3\"}}]"), STR("由 RTX 得 3 分") },
		{ say(a, "s.han",
		      (const struct say_arg[]){ say_name("x", STR("卷积")),
						say_name("y", STR("满")), say_end() }),
		  STR("[\"s.han\",{\"x\":\"卷积\",\"y\":\"满\"}]"), STR("由卷积得满分") },
	};

	for (size_t i = 0; i < LEN(cases); i++) {
		struct error err = { .code = ERR_NONE };
		struct str words;

		test_str(t, cases[i].said.json, cases[i].json, "kept");
		test_ok(t, text_say(c, cases[i].said, (struct pos){ 0 }, a, &words, &err), "said");
		test_str(t, words, cases[i].words, "in words");
	}
}

/* What no writer of ours makes: an edition's file may be anybody's. */
static const struct {
	const char *json;
	enum error_code code;
	const char *want;
} bad[] = {
	{ "[", ERR_SYNTAX, "message: it is no JSON" },
	{ "\"A\" x", ERR_SYNTAX, "message: it is no JSON" },
	{ "1", ERR_SYNTAX, "message: expected a text, a message, an object" },
	{ "[]", ERR_SYNTAX, "message: expected [\"key\"] or [\"key\",{…}]" },
	{ "[\"s.one\",{\"x\":\"1\"},2]", ERR_SYNTAX,
	  "message: expected [\"key\"] or [\"key\",{…}]" },
	{ "[\"s.one\",\"x\"]", ERR_SYNTAX, "message: the arguments are no object" },
	{ "[\"s.none\"]", ERR_UNKNOWN, "message: x.ini has no 's.none'" },
	{ "[\"s.one\"]", ERR_DATA, "no value for {x}" },
	{ "[\"s.one\",{\"x\":3}]", ERR_SYNTAX, "message: expected a text, a message, an object" },
	{ "{}", ERR_SYNTAX, "message: expected one member, or two" },
	{ "{\"n\":\"1\",\"d\":\"2\",\"t\":\"3\"}", ERR_SYNTAX,
	  "message: expected one member, or two" },
	{ "{\"n\":1}", ERR_SYNTAX, "message: expected a text in a member" },
	{ "{\"n\":\"1\",\"m\":\"2\"}", ERR_SYNTAX, "message: expected one member" },
	{ "{\"q\":\"1\"}", ERR_SYNTAX, "message: a member is none of n, d, t, l" },
	{ "{\"d\":\"2025-02-30\"}", ERR_SYNTAX, "message: a date is not YYYY-MM-DD" },
	{ "{\"l\":\"x\",\"by\":\"and\"}", ERR_SYNTAX,
	  "message: expected {\"l\":[…],\"by\":\"…\"}" },
	{ "{\"l\":[\"x\"],\"by\":\"none\"}", ERR_DATA, "text 'list.none' is missing" },
};

static void test_bad(struct test *t, struct arena *a, const struct text_catalogue *c)
{
	struct strbuf deep = { .arena = a };

	for (size_t i = 0; i < LEN(bad); i++) {
		struct error err = { .code = ERR_NONE };
		struct str words;
		bool good = text_say(c, (struct say){ str_of(bad[i].json) },
				     (struct pos){ "f.csv", 7, 0 }, a, &words, &err);

		test_ok(t, !good && err.code == bad[i].code, bad[i].json);
		test_str(t, str_of(err.msg), str_of(bad[i].want), "and why");
	}
	for (size_t i = 0; i < 100000; i++)
		strbuf_addc(&deep, '[');
	struct error err = { .code = ERR_NONE };
	struct str words;
	test_ok(t,
		!text_say(c, (struct say){ strbuf_str(&deep) }, (struct pos){ "f.csv", 7, 0 }, a,
			  &words, &err)
		    && err.code == ERR_SYNTAX && err.pos.line == 7,
		"a hundred thousand brackets, with the line of the file");
}

/* A language against English. */
static const struct {
	const char *name, *text;
	int line;
	const char *want;
} faults[] = {
	{ "the same", "[a]\nx = {n} Karte\ny = {v}\n", 0, "" },
	{ "a plural of its own", "[a]\nx = {n} {n?Karte:Karten}\ny = {v}\n", 0, "" },
	{ "data of its own", "[a]\nx = {n}\ny = {v}\n[data]\nEnglish = Englisch\n", 0, "" },
	{ "a message less", "[a]\nx = {n}\n", 0, "the message 'a.y' of en.ini:3 is missing" },
	{ "a message more", "[a]\nx = {n}\ny = {v}\nz = Z\n", 4,
	  "there is no message 'a.z' in en.ini" },
	{ "an argument less", "[a]\nx = Karten\ny = {v}\n", 2, "a.x: {n} of en.ini:2 is missing" },
	{ "only chosen by", "[a]\nx = {n?eine:viele}\ny = {v}\n", 2,
	  "a.x: {n} of en.ini:2 is missing" },
	{ "an argument more", "[a]\nx = {n}\ny = {v} {w}\n", 3, "a.y: {w} is not in en.ini:3" },
	{ "a choice more", "[a]\nx = {n}\ny = {v} {w?a:b}\n", 3, "a.y: {w} is not in en.ini:3" },
	{ "an argument within a choice", "[a]\nx = {n?eine:{w}} {n}\ny = {v}\n", 2,
	  "a.x: {w} is not in en.ini:2" },
};

static void test_languages(struct test *t, struct arena *a)
{
	struct error err = { .code = ERR_NONE };
	struct text_catalogue english, other;

	text_parse(STR("[a]\nx = {n} {n?card:cards}\ny = {v}\n"), "en.ini", a, &english, &err);
	for (size_t i = 0; i < LEN(faults); i++) {
		err = (struct error){ .code = ERR_NONE };
		text_parse(str_of(faults[i].text), "de.ini", a, &other, &err);
		bool good = text_check_language(&english, &other, &err);
		test_ok(t, good == (faults[i].want[0] == '\0') && err.pos.line == faults[i].line,
			faults[i].name);
		test_str(t, str_of(err.msg), str_of(faults[i].want), "and what it is");
	}
	err = (struct error){ .code = ERR_NONE };
	test_ok(t,
		!text_read_language("templates", STR("xx"), a, &other, &err)
		    && err.code == ERR_ENVIRONMENT,
		"a language without a file");
}

int main(void)
{
	struct test t = { 0 };
	struct arena a = { 0 };
	struct text_catalogue c = parsed(&t, catalogue, &a);

	test_kept(&t, &a, &c);
	test_bad(&t, &a, &c);
	test_languages(&t, &a);
	arena_free(&a);
	return test_done(&t);
}
