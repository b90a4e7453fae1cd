/* Line breaking and runs of the PDF. The mono face makes widths countable: 0.6 em a character. */
#include "test.h"
#include "../render/pdf_text.h"

#include <math.h>

#define MONO_EM (1229 / 2048.0)

struct fixture {
	struct test t;
	struct arena a;
	struct font_set *fonts;
};

/* The lines joined by '|', trailing blanks included. */
static struct str joined(struct fixture *f, const struct pdf_lines *lines)
{
	struct strbuf b = { .arena = &f->a };

	for (size_t i = 0; i < lines->n; i++) {
		if (i > 0)
			strbuf_addc(&b, '|');
		for (size_t k = 0; k < lines->v[i].n; k++)
			strbuf_add(&b, lines->v[i].runs[k].text);
	}
	return strbuf_str(&b);
}

/* width counts mono characters of 10 pt; a Han character is 10 pt wide, 1.67 of them. */
static const struct {
	const char *name;
	struct str in;
	int columns;
	bool verbatim;
	struct str want;
} breaks[] = {
	{ "empty", STR_INIT(""), 10, false, STR_INIT("") },
	{ "blanks only", STR_INIT(" \n\t "), 10, false, STR_INIT("") },
	{ "fits", STR_INIT("one two"), 7, false, STR_INIT("one two") },
	{ "at a blank", STR_INIT("one two"), 6, false, STR_INIT("one|two") },
	{ "a blank may hang over", STR_INIT("one two "), 3, false, STR_INIT("one|two") },
	{ "blanks collapse", STR_INIT("  a \n\t b  "), 10, false, STR_INIT("a b") },
	{ "after a hyphen", STR_INIT("multi-device"), 8, false, STR_INIT("multi-|device") },
	{ "after a slash", STR_INIT("images/second"), 9, false, STR_INIT("images/|second") },
	{ "not before a unit", STR_INIT("20 images/s"), 10, false, STR_INIT("20|images/s") },
	{ "not in a date", STR_INIT("on 2026-11-30"), 11, false, STR_INIT("on|2026-11-30") },
	{ "not before a minus", STR_INIT("is -12"), 4, false, STR_INIT("is|-12") },
	{ "not at a no-break space", STR_INIT("of 8\xC2\xA0GB"), 6, false,
	  STR_INIT("of|8\xC2\xA0GB") },
	{ "at a zero-width space",
	  STR_INIT("abc\xE2\x80\x8B"
		   "def"),
	  4, false, STR_INIT("abc|def") },
	{ "a long word is cut", STR_INIT("a abcdefgh b"), 4, false, STR_INIT("a|abcd|efgh|b") },
	{ "cut behind a point", STR_INIT("abc.defghi"), 6, false, STR_INIT("abc.|defghi") },
	{ "narrower than a character", STR_INIT("abc"), 0, false, STR_INIT("a|b|c") },
	{ "chinese anywhere", STR_INIT("\xE4\xB8\xAD\xE6\x96\x87\xE5\xAD\x97"), 4, false,
	  STR_INIT("\xE4\xB8\xAD\xE6\x96\x87|\xE5\xAD\x97") },
	{ "no full stop first", STR_INIT("\xE4\xB8\xAD\xE6\x96\x87\xE3\x80\x82"), 4, false,
	  STR_INIT("\xE4\xB8\xAD|\xE6\x96\x87\xE3\x80\x82") },
	{ "no bracket last", STR_INIT("\xE4\xB8\xAD\xEF\xBC\x88\xE6\x96\x87"), 4, false,
	  STR_INIT("\xE4\xB8\xAD|\xEF\xBC\x88\xE6\x96\x87") },
	{ "latin in chinese stays whole",
	  STR_INIT("\xE4\xB8\xAD"
		   "RTX"),
	  4, false, STR_INIT("\xE4\xB8\xAD|RTX") },
	/* 4 columns are 24 pt: two Han characters and 4 pt; the stop's blank half needs 5 of 10 */
	{ "a stop may hang into the margin", STR_INIT("中文。中"), 5, false,
	  STR_INIT("中文。|中") },
	{ "but not a question mark", STR_INIT("中文？中"), 4, false, STR_INIT("中|文？|中") },
	{ "a dash is not split, and not first", STR_INIT("中文——中"), 5, false,
	  STR_INIT("中|文——|中") },
	{ "nor an ellipsis", STR_INIT("中文……中"), 5, false, STR_INIT("中|文……|中") },
	{ "quotation marks stay with their words", STR_INIT("中“文”字"), 4, false,
	  STR_INIT("中|“文”|字") },
	{ "corner brackets too", STR_INIT("中「文」字"), 5, false, STR_INIT("中|「文」|字") },
	{ "a book title keeps its marks", STR_INIT("见《方法》"), 7, false,
	  STR_INIT("见《方|法》") },
	{ "a percentage keeps its sign", STR_INIT("共占50%以上"), 5, false,
	  STR_INIT("共占|50%以|上") },
	{ "latin between han", STR_INIT("用RTX卡"), 5, false, STR_INIT("用RTX|卡") },
	{ "not in an interval",
	  STR_INIT("is 0.85\xE2\x80\x93"
		   "1.20"),
	  9, false,
	  STR_INIT("is|0.85\xE2\x80\x93"
		   "1.20") },
	{ "not at a plus", STR_INIT("a system+power"), 9, false, STR_INIT("a|system+po|wer") },
	{ "an address behind its slashes", STR_INIT("https://example.org/data"), 21, false,
	  STR_INIT("https://example.org/|data") },
	{ "an address behind its points", STR_INIT("example.org.data"), 13, false,
	  STR_INIT("example.org.|data") },
	{ "malformed bytes are boxes",
	  STR_INIT("a\xFF"
		   "b"),
	  9, false,
	  STR_INIT("a\xE2\x96\xA1"
		   "b") },
	{ "an emoji is a box", STR_INIT("a\xF0\x9F\x94\xA5"), 9, false, STR_INIT("a\xE2\x96\xA1") },
	{ "joiners go",
	  STR_INIT("a\xE2\x80\x8D\xE2\x80\xAE"
		   "b"),
	  9, false, STR_INIT("ab") },
	{ "verbatim keeps blanks", STR_INIT("  a  b "), 9, true, STR_INIT("  a  b ") },
	{ "verbatim newlines", STR_INIT("a\n\nb\r\n"), 9, true, STR_INIT("a||b") },
	{ "verbatim tab", STR_INIT("\ta"), 9, true, STR_INIT("    a") },
	{ "verbatim too long", STR_INIT("aaa bbb"), 5, true, STR_INIT("aaa |bbb") },
};

static void test_breaks(struct fixture *f)
{
	for (size_t i = 0; i < LEN(breaks); i++) {
		struct pdf_style style = { .font = FONT_MONO,
					   .size = 10,
					   .verbatim = breaks[i].verbatim };
		struct spans spans = pdf_text_spans(breaks[i].in, (struct str){ 0 }, &f->a);
		struct pdf_lines lines;

		pdf_text_break(f->fonts, &spans, &style, breaks[i].columns * 10 * MONO_EM, &f->a,
			       &lines);
		test_str(&f->t, joined(f, &lines), breaks[i].want, breaks[i].name);
	}
}

static void test_long_word(struct fixture *f)
{
	struct strbuf b = { .arena = &f->a };
	struct pdf_style style = { .font = FONT_MONO, .size = 10 };
	struct pdf_lines lines;
	bool narrow = true;

	for (int i = 0; i < 5000; i++)
		strbuf_addc(&b, 'x');
	struct spans spans = pdf_text_spans(strbuf_str(&b), (struct str){ 0 }, &f->a);
	pdf_text_break(f->fonts, &spans, &style, 80 * 10 * MONO_EM, &f->a, &lines);
	for (size_t i = 0; i < lines.n; i++)
		narrow = narrow && lines.v[i].width <= 80 * 10 * MONO_EM + 1e-6;
	test_ok(&f->t, lines.n == 63 && narrow, "5,000 characters without a blank: 63 lines of 80");
	struct pdf_extent e = pdf_text_measure(f->fonts, &spans, &style, &f->a);
	test_near(&f->t, e.longest_word, 50000 * MONO_EM, 1e-6, "and one long word");
}

/* What a text asks of a table's column, in mono characters. */
static const struct {
	const char *name;
	struct str in;
	int longest_word, halved, whole;
} extents[] = {
	{ "one word", STR_INIT("2017-12-09"), 10, 10, 10 },
	{ "two words", STR_INIT("one three"), 5, 5, 9 },
	{ "two dates", STR_INIT("2017-12-09 to 2024-07-24"), 10, 13, 24 },
	{ "words alike", STR_INIT("aa bb cc dd"), 2, 5, 11 },
	{ "a hyphen stays", STR_INIT("multi-device"), 6, 6, 12 },
	{ "empty", STR_INIT(""), 0, 0, 0 },
};

static void test_extents(struct fixture *f)
{
	const struct pdf_style style = { .font = FONT_MONO, .size = 10 };
	const double column = 10 * MONO_EM;

	for (size_t i = 0; i < LEN(extents); i++) {
		struct spans spans = pdf_text_spans(extents[i].in, (struct str){ 0 }, &f->a);
		struct pdf_extent e = pdf_text_measure(f->fonts, &spans, &style, &f->a);

		test_near(&f->t, e.longest_word, extents[i].longest_word * column, 1e-6,
			  extents[i].name);
		test_near(&f->t, e.halved, extents[i].halved * column, 1e-6, extents[i].name);
		test_near(&f->t, e.whole, extents[i].whole * column, 1e-6, extents[i].name);
	}
}

static void test_runs(struct fixture *f)
{
	struct span v[] = {
		{ .text = STR("see ") },
		{ .text = STR("this"), .strong = true },
		{ .text = STR(" \xE4\xB8\xAD"), .href = STR("#there") },
		{ .text = STR(" x"), .code = true, .href = STR("javascript:alert(1)") },
	};
	struct spans spans = { v, LEN(v), LEN(v) };
	struct pdf_style style = { .font = FONT_REGULAR, .size = 10 };
	struct pdf_lines lines;

	pdf_text_break(f->fonts, &spans, &style, 500, &f->a, &lines);
	test_ok(&f->t, lines.n == 1 && lines.v[0].n == 5, "a run a span and font");
	const struct pdf_run *r = lines.v[0].runs;
	test_ok(&f->t,
		r[0].font == FONT_REGULAR && r[1].font == FONT_BOLD && r[2].font == FONT_REGULAR
		    && r[3].font == FONT_CJK && r[4].font == FONT_MONO,
		"fonts of the runs");
	test_ok(&f->t, r[2].href.len > 0 && r[3].href.len > 0 && r[0].href.len == 0,
		"links of the runs");
	test_ok(&f->t, r[4].href.len == 0, "an unknown scheme is no link");
	test_near(&f->t, r[4].size, 9.2, 1e-9, "code is a little smaller");
	test_near(&f->t, r[3].x, r[2].x + r[2].width, 1e-9, "runs follow each other");
	test_near(&f->t, lines.v[0].width, r[4].x + r[4].width, 1e-9, "the line is their sum");

	style.font = FONT_BOLD;
	struct pdf_line bold = pdf_text_line(f->fonts, STR("A\xE4\xB8\xAD"), &style, &f->a);
	test_ok(&f->t, bold.n == 2 && !bold.runs[0].embolden && bold.runs[1].embolden,
		"bold Chinese is thickened");
}

static const struct {
	struct str href;
	bool link;
} links[] = {
	{ STR_INIT("https://example.org"), true },  { STR_INIT("http://example.org"), true },
	{ STR_INIT("mailto:a@example.org"), true }, { STR_INIT("#id"), true },
	{ STR_INIT("data/scores.csv"), false },     { STR_INIT("javascript:alert(1)"), false },
	{ STR_INIT("file:///etc/passwd"), false },  { STR_INIT(""), false },
};

int main(void)
{
	struct fixture f = { 0 };
	struct error err = { 0 };

	if (!font_set_open(&f.a, &f.fonts, &err)) {
		test_ok(&f.t, false, err.msg);
		return test_done(&f.t);
	}
	test_breaks(&f);
	test_long_word(&f);
	test_extents(&f);
	test_runs(&f);
	for (size_t i = 0; i < LEN(links); i++)
		test_ok(&f.t, pdf_text_is_link(links[i].href) == links[i].link, links[i].href.p);
	struct spans spans =
	    pdf_text_spans(STR(" A \n\xF0\x9F\x94\xA5\xE2\x80\x8D"), STR(""), &f.a);
	test_str(&f.t, pdf_text_plain(f.fonts, &spans, &f.a), STR("A \xE2\x96\xA1"), "plain text");
	font_set_free(f.fonts);
	arena_free(&f.a);
	return test_done(&f.t);
}
