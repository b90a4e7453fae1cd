/* Labels of charts: cleaned, measured, shortened, broken into lines; and their numbers. */
#include "test.h"

#include "../render/chart_plan.h"
#include "../render/chart_text.h"

static void test_text(struct test *t, struct font_set *fonts, struct arena *a)
{
	struct str lines[3];
	double wide = chart_text_width(fonts, TEXT_ROW, STR("abcdefghij"));

	test_str(
	    t, chart_text_clean(a, STR("  a\t b\x01\x7f  c\xff \xC2\x85\xE2\x80\xAE\xEF\xBF\xBE ")),
	    STR("a\xEF\xBF\xBD b\xEF\xBF\xBD\xEF\xBF\xBD c\xEF\xBF\xBD "
		"\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD"),
	    "cleaning");
	test_near(t, chart_text_width(fonts, TEXT_ROW, STR("0")), 12 * 0.556, 0.01,
		  "a digit of Liberation Sans is 0.556 em");
	test_str(t, chart_text_fit(a, fonts, TEXT_ROW, STR("abcdefghij"), wide), STR("abcdefghij"),
		 "what fits stays");
	test_str(t, chart_text_fit(a, fonts, TEXT_ROW, STR("abcdefghij"), wide - 0.01),
		 STR("abcd\xE2\x80\xA6hij"), "else the middle goes");
	test_str(t, chart_text_fit(a, fonts, TEXT_ROW, STR("abcdefghij"), 1), STR("\xE2\x80\xA6"),
		 "down to nothing");
	test_ok(t,
		chart_text_wrap(a, fonts, TEXT_ROW, STR("abcdefghij klm"), wide, lines, 3) == 2
		    && str_eq(lines[0], STR("abcdefghij")) && str_eq(lines[1], STR("klm")),
		"lines break at blanks");
	test_ok(t,
		chart_text_wrap(a, fonts, TEXT_ROW, STR("abcdefghijklm"), wide, lines, 3) == 2
		    && str_eq(lines[0], STR("abcdefghij")) && str_eq(lines[1], STR("klm")),
		"or in a long word");
	test_ok(t, chart_text_wrap(a, fonts, TEXT_ROW, STR(" "), wide, lines, 3) == 0, "nothing");
	test_str(t, chart_number(a, 2.345), STR("2.35"), "two decimals");
	test_str(t, chart_number(a, 0.05), STR("0.05"), "small");
	test_str(t, chart_number(a, 0.00123), STR("0.0012"), "a small value never reads 0");
	test_str(t, chart_number(a, 0), STR("0.00"), "0 does");
}

int main(void)
{
	struct test t = { 0 };
	struct arena a = { 0 };
	struct font_set *fonts = NULL;
	struct error err = { 0 };

	if (!font_set_open(&a, &fonts, &err)) {
		error_print(stderr, &err);
		return 1;
	}
	test_text(&t, fonts, &a);
	font_set_free(fonts);
	arena_free(&a);
	return test_done(&t);
}
