/* Characters that have no place in a name, and how they are shown. */
#include "test.h"

#include "../base/name.h"

#include <string.h>

/* The ends of every range of Default_Ignorable_Code_Point in DerivedCoreProperties.txt 14.0.0, with
 * the characters before and after. */
static const struct { unsigned first, last; } ignorable[] = {
	{ 0xAD, 0xAD },       { 0x34F, 0x34F },     { 0x61C, 0x61C },       { 0x115F, 0x1160 },
	{ 0x17B4, 0x17B5 },   { 0x180B, 0x180F },   { 0x200B, 0x200F },     { 0x202A, 0x202E },
	{ 0x2060, 0x206F },   { 0x3164, 0x3164 },   { 0xFE00, 0xFE0F },     { 0xFEFF, 0xFEFF },
	{ 0xFFA0, 0xFFA0 },   { 0xFFF0, 0xFFF8 },   { 0x1BCA0, 0x1BCA3 },   { 0x1D173, 0x1D17A },
	{ 0xE0000, 0xE0FFF },
};

static const struct { const char *name; unsigned c; bool hidden; } cases[] = {
	{ "NUL", 0, true },
	{ "tab", 9, true },
	{ "line end", 10, true },
	{ "escape", 0x1B, true },
	{ "the last of C0", 0x1F, true },
	{ "blank", 0x20, false },
	{ "tilde", 0x7E, false },
	{ "DEL", 0x7F, true },
	{ "the first of C1", 0x80, true },
	{ "CSI", 0x9B, true },
	{ "the last of C1", 0x9F, true },
	{ "a blank that does not break", 0xA0, false },
	{ "e acute", 0xE9, false },
	{ "a combining accent", 0x301, false },
	{ "Hebrew", 0x5D0, false },
	{ "Arabic", 0x628, false },
	{ "a narrow blank", 0x200A, false },
	{ "dash", 0x2010, false },
	{ "line separator", 0x2028, true },
	{ "paragraph separator", 0x2029, true },
	{ "a narrow blank that does not break", 0x202F, false },
	{ "Chinese", 0x4E2D, false },
	{ "the last before private use", 0xD7FB, false },
	{ "private use", 0xE000, true },
	{ "the last of private use", 0xF8FF, true },
	{ "behind it", 0xF900, false },
	{ "a noncharacter", 0xFDD0, true },
	{ "the last of those", 0xFDEF, true },
	{ "behind them", 0xFDF0, false },
	{ "interlinear annotation", 0xFFF9, true },
	{ "the object that stands for an object", 0xFFFC, false },
	{ "the replacement character", 0xFFFD, false },
	{ "the last two of the plane", 0xFFFE, true },
	{ "the last of the plane", 0xFFFF, true },
	{ "a face", 0x1F600, false },
	{ "the last two of plane 1", 0x1FFFE, true },
	{ "private use of plane 15", 0xF0000, true },
	{ "the last of all", 0x10FFFF, true },
};

static const struct { const char *name; struct str in; size_t max; struct str want;
} shown[] = {
	{ "plain", STR_INIT("RTX 2080"), 60, STR_INIT("RTX 2080") },
	{ "empty", STR_INIT(""), 60, STR_INIT("") },
	{ "blanks", STR_INIT("  a   b "), 60, STR_INIT("a b") },
	{ "bidi",
	  STR_INIT("a\xE2\x80\xAE"
		   "b"),
	  60, STR_INIT("a<U+202E>b") },
	{ "a line end", STR_INIT("a\nb"), 60, STR_INIT("a<U+000A>b") },
	{ "five digits", STR_INIT("\xF3\xA0\x81\x81"), 60, STR_INIT("<U+E0041>") },
	{ "six digits", STR_INIT("\xF4\x8F\xBF\xBF"), 60, STR_INIT("<U+10FFFF>") },
	{ "malformed",
	  STR_INIT("a\x9B"
		   "b\xC3"),
	  60, STR_INIT("a<byte 9B>b<byte C3>") },
	{ "just fits", STR_INIT("a\xE2\x80\xAE"), 9, STR_INIT("a<U+202E>") },
	{ "an escape is not cut", STR_INIT("a\xE2\x80\xAE"), 8, STR_INIT("a...") },
	{ "a character is not cut", STR_INIT("ab\xC3\xA9"), 3, STR_INIT("ab...") },
	{ "other scripts", STR_INIT("\xD7\xA9 \xF0\x9F\x98\x80"), 60,
	  STR_INIT("\xD7\xA9 \xF0\x9F\x98\x80") },
};

static void test_ignorable(struct test *t)
{
	for (size_t i = 0; i < LEN(ignorable); i++) {
		bool good = true;
		char name[64];

		for (unsigned c = ignorable[i].first; c <= ignorable[i].last; c++)
			good = good && name_is_hidden(c);
		snprintf(name, sizeof name, "U+%04X to U+%04X", ignorable[i].first,
			 ignorable[i].last);
		test_ok(t, good, name);
	}
}

static void test_hidden(struct test *t)
{
	unsigned c = 1;

	test_ok(t, !name_hidden(STR("RTX 2080 Ti \xC3\xA9\xE4\xB8\xAD"), &c) && c == 1,
		"a good name");
	test_ok(t, !name_hidden(STR(""), &c), "no name");
	test_ok(t, name_hidden(STR("ab\x7F"), &c) && c == 0x7F, "DEL at the end");
	test_ok(t, name_hidden(STR("\xE4\xB8\xAD\xE2\x80\x8B\x1B"), &c) && c == 0x200B,
		"the first is told");
	test_ok(t, name_hidden(STR("a\0b"), &c) && c == 0, "NUL");
	test_ok(t, !name_hidden_in_lines(STR("a\r\nb"), &c), "words in two lines");
	test_ok(t, name_hidden_in_lines(STR("a\nb\tc"), &c) && c == 9, "but no tab");
}

int main(void)
{
	struct test t = { 0 };
	struct arena a = { 0 };

	test_ignorable(&t);
	for (size_t i = 0; i < LEN(cases); i++)
		test_ok(&t, name_is_hidden(cases[i].c) == cases[i].hidden, cases[i].name);
	test_hidden(&t);
	for (size_t i = 0; i < LEN(shown); i++)
		test_str(&t, name_shown(&a, shown[i].in, shown[i].max), shown[i].want,
			 shown[i].name);
	arena_free(&a);
	return test_done(&t);
}
