#include "test.h"

#include "../collect/names.h"
#include "../collect/reject.h"

#include <string.h>

static const struct {
	const char *name;
	struct str in;
	size_t max;
	struct str want;
} cleaned[] = {
	{ "plain", STR_INIT("RTX 2080"), 60, STR_INIT("RTX 2080") },
	{ "empty", STR_INIT(""), 60, STR_INIT("") },
	{ "blanks and newlines", STR_INIT("  a \r\n\t b\n"), 60, STR_INIT("a b") },
	{ "controls",
	  STR_INIT("a\x1b[31m\x7f"
		   "b\0c"),
	  60, STR_INIT("a [31m b c") },
	{ "two blanks", STR_INIT("a  b"), 60, STR_INIT("a b") },
	{ "a blank in front", STR_INIT(" ab"), 60, STR_INIT("ab") },
	{ "a blank at the end", STR_INIT("ab "), 60, STR_INIT("ab") },
	{ "one blank", STR_INIT(" "), 60, STR_INIT("") },
	{ "DEL at the end", STR_INIT("ab\x7f"), 60, STR_INIT("ab") },
	{ "the first and the last plain characters", STR_INIT("!~"), 60, STR_INIT("!~") },
	{ "just fits", STR_INIT("abcde"), 5, STR_INIT("abcde") },
	{ "one too many", STR_INIT("abcdef"), 5, STR_INIT("abcde...") },
	{ "no half character of two bytes", STR_INIT("abcd\xC3\xA9"), 5, STR_INIT("abcd...") },
	{ "no half character of three bytes", STR_INIT("abc\xE2\x82\xAC"), 5, STR_INIT("abc...") },
	{ "a whole character at the end stays",
	  STR_INIT("abc\xC3\xA9"
		   "f"),
	  5, STR_INIT("abc\xC3\xA9...") },
	{ "C1 controls and direction marks",
	  STR_INIT("a\xC2\x9B"
		   "b\xE2\x80\xAE"
		   "c\xE2\x81\xA6\xD8\x9C"
		   "d\xE2\x80\xA8"),
	  60, STR_INIT("a b c d") },
	{ "Hebrew and a face stay", STR_INIT("\xD7\xA9 \xF0\x9F\x98\x80"), 60,
	  STR_INIT("\xD7\xA9 \xF0\x9F\x98\x80") },
};

static void test_clean(struct test *t)
{
	struct arena a = { 0 };

	for (size_t i = 0; i < LEN(cleaned); i++)
		test_str(t, names_clean(&a, cleaned[i].in, cleaned[i].max), cleaned[i].want,
			 cleaned[i].name);
	arena_free(&a);
}

static void test_numbers(struct test *t)
{
	struct arena a = { 0 };
	struct names names = names_make(&a);
	char text[] = "beta";
	bool fresh;

	test_ok(t, names_put(&names, str_of(text), &fresh) == 0 && fresh, "the first");
	memcpy(text, "xxxx", 4); /* the text was copied */
	test_ok(t, names_put(&names, STR("alpha"), &fresh) == 1 && fresh, "the second");
	test_ok(t, names_put(&names, STR("beta"), &fresh) == 0 && !fresh, "the first again");
	test_ok(t, names_put(&names, STR("beta"), &fresh) == 0 && !fresh, "and once more");
	const size_t *beta = names_get(&names, STR("beta")); /* that was asked for last */
	test_ok(t, beta && *beta == 0, "its number");
	const size_t *alpha = names_get(&names, STR("alpha"));
	test_ok(t, alpha && *alpha == 1 && !names_get(&names, STR("gamma")),
		"the number of another, and of none");
	test_ok(t, names_put(&names, STR(""), NULL) == 2, "empty text is a name");
	test_ok(t, names_put(&names, (struct str){ 0 }, &fresh) == 2 && !fresh, "so is no text");
	const size_t *rank = names_rank(&names, &a);
	test_ok(t, rank[0] == 2 && rank[1] == 1 && rank[2] == 0, "ranks in byte order");
	struct names pairs = names_make(&a);
	unsigned long long key[] = { 1, 0 }, other[] = { 0, 1 };
	test_ok(t,
		names_put_numbers(&pairs, key, 2, NULL) == 0
		    && names_put_numbers(&pairs, other, 2, NULL) == 1
		    && names_put_numbers(&pairs, key, 2, &fresh) == 0 && !fresh,
		"tuples of numbers");
	arena_free(&a);
}

static void test_rejects(struct test *t)
{
	static const struct str files[] = { STR_INIT("a.csv"), STR_INIT("b.csv") };
	struct arena a = { 0 };
	struct rejects r = { .arena = &a };
	struct csv_out w = { .buf = { .arena = &a } };

	reject_add(&r, 1, 2, STR("value"), REJECT_NUMBER, STR("=1+1"), "'%s' is not\na number",
		   "x");
	reject_add(&r, 0, 9, STR("device"), REJECT_DEVICE_UNKNOWN, STR(""), "no device given");
	reject_add(&r, 0, 3, STR("value"), REJECT_OUTLIER, STR("7"), "off")->action =
	    ACTION_OVERRIDDEN;
	reject_add(&r, 0, 3, STR("unit"), REJECT_DUPLICATE, STR("7"), "again");
	reject_write(&r, files, &w);
	test_str(t, strbuf_str(&w.buf),
		 STR("file,line,column,code,value,reason,action\n"
		     "a.csv,3,value,outlier,7,off,overridden\n"
		     "a.csv,3,unit,duplicate,7,again,set-aside\n"
		     "a.csv,9,device,device-unknown,,no device given,rejected\n"
		     "b.csv,2,value,number,'=1+1,'x' is not a number,rejected\n"),
		 "sorted by file and line; a formula is defused");
	arena_free(&a);
}

/* Rejected and set-aside as METHOD.md says, in its words. */
static void test_actions(struct test *t)
{
	static const struct {
		enum reject_code code;
		const char *line;
	} cases[] = {
		{ REJECT_SYNTAX, "f,1,,syntax,,,rejected" },
		{ REJECT_COLUMN, "f,1,,column,,,rejected" },
		{ REJECT_NUMBER, "f,1,,number,,,rejected" },
		{ REJECT_DATE, "f,1,,date,,,rejected" },
		{ REJECT_COUNT, "f,1,,count,,,rejected" },
		{ REJECT_UNIT, "f,1,,unit,,,rejected" },
		{ REJECT_METRIC, "f,1,,metric,,,rejected" },
		{ REJECT_DEVICE_UNKNOWN, "f,1,,device-unknown,,,rejected" },
		{ REJECT_DEVICE_AMBIGUOUS, "f,1,,device-ambiguous,,,rejected" },
		{ REJECT_WORKLOAD_UNKNOWN, "f,1,,workload-unknown,,,rejected" },
		{ REJECT_CLASS, "f,1,,class,,,rejected" },
		{ REJECT_PRECISION, "f,1,,precision,,,rejected" },
		{ REJECT_RANGE, "f,1,,range,,,rejected" },
		{ REJECT_CHARACTER, "f,1,,character,,,rejected" },
		{ REJECT_ABOVE_ROOFLINE, "f,1,,above-roofline,,,rejected" },
		{ REJECT_LIMIT, "f,1,,limit,,,rejected" },
		{ REJECT_SIGNATURE, "f,1,,signature,,,rejected" },
		{ REJECT_OVERRIDE, "f,1,,override,,,rejected" },
		{ REJECT_SUPER_LINEAR, "f,1,,super-linear,,,set-aside" },
		{ REJECT_COLLAPSED, "f,1,,collapsed,,,set-aside" },
		{ REJECT_OUT_OF_MEMORY, "f,1,,out-of-memory,,,set-aside" },
		{ REJECT_DID_NOT_FIT, "f,1,,did-not-fit,,,set-aside" },
		{ REJECT_OUTLIER, "f,1,,outlier,,,set-aside" },
		{ REJECT_DUPLICATE, "f,1,,duplicate,,,set-aside" },
	};
	const struct str file = STR_INIT("f");
	struct arena a = { 0 };

	test_ok(t, LEN(cases) == REJECT_CODE_COUNT, "every code");
	for (size_t i = 0; i < LEN(cases); i++) {
		struct rejects r = { .arena = &a };
		struct csv_out w = { .buf = { .arena = &a } };

		reject_add(&r, 0, 1, STR(""), cases[i].code, STR(""), "%s", "");
		reject_write(&r, &file, &w);
		test_ok(t,
			str_ends(strbuf_str(&w.buf),
				 str_printf(&a, "\n%s\n", cases[i].line)),
			cases[i].line);
		test_ok(t,
			(reject_action(cases[i].code) == ACTION_SET_ASIDE)
			    == (cases[i].code >= REJECT_SUPER_LINEAR),
			"and its action is that");
	}
	arena_free(&a);
}

int main(void)
{
	struct test t = { 0 };

	test_clean(&t);
	test_numbers(&t);
	test_rejects(&t);
	test_actions(&t);
	return test_done(&t);
}
