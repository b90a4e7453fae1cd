/* HTML: escaping, addresses, checksums in the policy, and a whole small page. */
#include "../render/base64.h"
#include "../render/href.h"
#include "../render/html.h"
#include "../render/html_escape.h"
#include "golden.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>

static const struct {
	const char *name;
	struct str in, want;
} escapes[] = {
	{ "plain", STR_INIT("RTX 2080 Ti"), STR_INIT("RTX 2080 Ti") },
	{ "script", STR_INIT("<script>alert(1)</script>"),
	  STR_INIT("&lt;script&gt;alert(1)&lt;/script&gt;") },
	{ "ampersand", STR_INIT("R&D &amp;"), STR_INIT("R&amp;D &amp;amp;") },
	{ "quotes", STR_INIT("\"a\" 'b' `c`"), STR_INIT("&quot;a&quot; &#39;b&#39; &#96;c&#96;") },
	{ "controls",
	  STR_INIT("a\0b\x1b\x7f"
		   "c"),
	  STR_INIT("a\xef\xbf\xbd"
		   "b\xef\xbf\xbd\xef\xbf\xbd"
		   "c") },
	{ "newline stays", STR_INIT("a\nb"), STR_INIT("a\nb") },
	{ "C1 control", STR_INIT("a\xc2\x85"), STR_INIT("a\xef\xbf\xbd") },
	{ "bad UTF-8",
	  STR_INIT("a\xff"
		   "b\xc3"),
	  STR_INIT("a\xef\xbf\xbd"
		   "b\xef\xbf\xbd") },
	{ "Chinese and emoji", STR_INIT("显卡 🚀"), STR_INIT("显卡 🚀") },
	{ "empty", STR_INIT(""), STR_INIT("") },
};

static const struct {
	struct str href;
	bool safe;
} hrefs[] = {
	{ STR_INIT("https://example.org/a?b=1&c=2"), true },
	{ STR_INIT("http://example.org"), true },
	{ STR_INIT("mailto:someone@example.org"), true },
	{ STR_INIT("#rejects"), true },
	{ STR_INIT("data/scores.csv"), true },
	{ STR_INIT("MANIFEST"), true },
	{ STR_INIT(""), false },
	{ STR_INIT("#"), false },
	{ STR_INIT("#a b"), false },
	{ STR_INIT("javascript:alert(1)"), false },
	{ STR_INIT("JavaScript:alert(1)"), false },
	{ STR_INIT(" https://example.org"), false },
	{ STR_INIT("data:text/html,x"), false },
	{ STR_INIT("vbscript:x"), false },
	{ STR_INIT("//example.org/x"), false },
	{ STR_INIT("/etc/passwd"), false },
	{ STR_INIT("../secret"), false },
	{ STR_INIT("data/../../x"), false },
	{ STR_INIT("./x"), false },
	{ STR_INIT("a//b"), false },
	{ STR_INIT("https://example.org/\"onclick=x"), false },
	{ STR_INIT("https://example.org/<b>"), false },
	{ STR_INIT("https://example.org/a b"), false },
	{ STR_INIT("https://example.org/\n"), false },
	{ STR_INIT("https://"), false },
	{ STR_INIT("data\\scores.csv"), false },
};

static void test_escape(struct test *t, struct arena *a)
{
	for (size_t i = 0; i < LEN(escapes); i++) {
		struct strbuf b = { .arena = a };
		html_escape(&b, escapes[i].in);
		test_str(t, strbuf_str(&b), escapes[i].want, escapes[i].name);
	}
	for (size_t i = 0; i < LEN(hrefs); i++)
		test_ok(
		    t, href_safe(hrefs[i].href) == hrefs[i].safe,
		    str_c(a, str_printf(a, "href %zu %s", i, hrefs[i].safe ? "safe" : "refused")));
	test_str(t, base64_of_hex(a, STR("666f6f626172")), STR("Zm9vYmFy"),
		 "base 64, RFC 4648: foobar");
	test_str(t, base64_of_hex(a, STR("666f6f6261")), STR("Zm9vYmE="), "base 64: fooba");
	test_str(t, base64_of_hex(a, STR("666f6f62")), STR("Zm9vYg=="), "base 64: foob");
	test_str(t, base64_of_hex(a, STR("")), STR(""), "base 64: nothing");
}

static struct spans one(struct arena *a, struct span span)
{
	struct spans s = { .n = 0 };

	spans_add(a, &s, span);
	return s;
}

static struct report_table *tiny_table(struct arena *a, bool folded)
{
	static struct report_column columns[] = {
		{ .title = STR_INIT("Device"), .row_header = true },
		{ .title = STR_INIT("Score <b>"), .numeric = true },
	};
	struct report_table *table = arena_alloc(a, sizeof *table);

	*table = (struct report_table){ .id = STR("t1"),
					.caption = STR("A & B"),
					.columns = columns,
					.ncolumns = 2,
					.csv_href = STR("data/x.csv"),
					.folded = folded };
	struct report_cell *cells = report_table_row(table, a);
	cells[0] = (struct report_cell){ .text = STR("<script>alert(\"x\")</script>"),
					 .href = STR("javascript:alert(1)") };
	cells[1] = (struct report_cell){ .text = STR("1.23 (1.10–1.37)"), .tone = TONE_STRONG };
	cells = report_table_row(table, a);
	cells[0] = (struct report_cell){ .text = STR("`quoted` 'card'"),
					 .tone = TONE_WARN,
					 .href = STR("https://example.org/?a=1&b=2") };
	cells[1].tone = TONE_MUTED; /* no text: missing */
	return table;
}

static void tiny_report(struct report *r, struct arena *a)
{
	static struct report_figure figure = {
		.id = STR_INIT("figure-a"),
		.title = STR_INIT("Figure \"A\""),
		.caption = STR_INIT("What it shows <here>."),
		.svg_href = STR_INIT("figures/figure-a.svg"),
		.csv_href = STR_INIT("data/x.csv"),
		.svg = STR_INIT("<svg class=\"figure\"></svg>"),
	};
	struct spans *items = arena_array(a, 2, sizeof *items);

	*r = (struct report){ .title = STR("Guide </title><script>"),
			      .subtitle = STR("Sub \"title\""),
			      .language = STR("en"),
			      .edition_id = STR("2019-05-31-0123456789ab"),
			      .generator = STR("gpuguide test"),
			      .arena = a };
	date_parse(STR("2019-05-31"), &r->date);
	report_heading(r, 2, STR("one"), one(a, (struct span){ .text = STR("One & two") }));
	struct spans text = one(a, (struct span){ .text = STR("Plain <i>, ") });
	spans_add(a, &text, (struct span){ .text = STR("strong"), .strong = true });
	spans_add(a, &text, (struct span){ .text = STR("code"), .code = true });
	spans_add(a, &text, (struct span){ .text = STR("link"), .href = STR("#two") });
	spans_add(a, &text, (struct span){ .text = STR("no link"), .href = STR("//evil") });
	report_text(r, text);
	report_note(r, NOTE_WARN, one(a, (struct span){ .text = STR("Beware.") }));
	report_note(r, NOTE_INFO, one(a, (struct span){ .text = STR("Know.") }));
	report_heading(r, 3, STR("sub"), one(a, (struct span){ .text = STR("Section") }));
	items[0] = one(a, (struct span){ .text = STR("first") });
	items[1] = one(a, (struct span){ .text = STR("second") });
	report_list(r, items, 2);
	report_heading(r, 2, STR("two"), one(a, (struct span){ .text = STR("Two") }));
	report_add_table(r, tiny_table(a, false));
	report_add_table(r, tiny_table(a, true));
	report_add_figure(r, &figure);
	report_code(r, one(a, (struct span){ .text = STR("@misc{a,\n  b = {<c>}\n}") }));
}

static void write_templates(const char *dir, struct str page, struct str css, struct arena *a)
{
	struct error err = { .code = ERR_NONE };

	file_write(str_c(a, file_join(a, str_of(dir), STR("page.html"))), page, &err);
	file_write(str_c(a, file_join(a, str_of(dir), STR("report.css"))), css, &err);
}

static void test_errors(struct test *t, const struct report *r, struct arena *a)
{
	char dir[] = "/tmp/html_test_XXXXXX";
	struct str out;

	if (!mkdtemp(dir)) {
		test_ok(t, false, "a folder for templates");
		return;
	}
	const struct {
		const char *name;
		struct str page, css;
		const char *want;
	} cases[] = {
		{ "unknown name", STR("a@@WRONG@@b"), STR("p{}"),
		  "'@@WRONG' is not a name to fill in" },
		{ "unclosed name", STR("a@@TITLE"), STR("p{}"),
		  "'@@TITLE' is not a name to fill in" },
		{ "style end in the style", STR("@@CSS@@"), STR("p{}</style>"),
		  "'</' would end the style element" },
		{ "a page that is not UTF-8", STR("<p>\n\xe9t\xe9"), STR("p{}"),
		  "expected UTF-8, read byte 0xe9" },
		{ "a style that is not UTF-8", STR("@@CSS@@"), STR("p{content:'\xff'}"),
		  "expected UTF-8, read byte 0xff" },
	};
	for (size_t i = 0; i < LEN(cases); i++) {
		struct error err = { .code = ERR_NONE };
		write_templates(dir, cases[i].page, cases[i].css, a);
		test_ok(t, !html_write(r, dir, a, &out, &err) && err.code == ERR_SYNTAX,
			cases[i].name);
		test_str(t, str_of(err.msg), str_of(cases[i].want), cases[i].name);
	}
	struct error err = { .code = ERR_NONE };
	write_templates(dir, STR("<@@LANG@@|@@TITLE@@|@@CSS@@|@@CSP@@>"), STR(""), a);
	test_ok(t, html_write(r, dir, a, &out, &err), "small template");
	/* SHA-256 of nothing, in base 64 */
	test_str(
	    t, out,
	    STR("<en|Guide &lt;/title&gt;&lt;script&gt;||default-src &#39;none&#39;; style-src "
		"&#39;sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=&#39;; img-src data:; "
		"base-uri &#39;none&#39;; form-action &#39;none&#39;>"),
	    "slots are escaped, the policy has the checksum of the style");
	test_ok(t, !html_write(r, "/nonexistent", a, &out, &err) && err.code == ERR_ENVIRONMENT,
		"missing templates");
	struct report deep = { .arena = a, .language = STR("en") };
	struct error level = { .code = ERR_NONE };
	report_heading(&deep, 1, STR("x"), (struct spans){ .n = 0 });
	test_ok(t, !html_write(&deep, dir, a, &out, &level),
		"a heading of level 1 belongs to the page");
	test_str(t, str_of(level.msg), STR("html: heading of level 1"), "and the message says so");
	remove(str_c(a, file_join(a, str_of(dir), STR("page.html"))));
	remove(str_c(a, file_join(a, str_of(dir), STR("report.css"))));
	remove(dir);
}

int main(void)
{
	struct test t = { 0 };
	struct arena a = { 0 };
	struct error err = { .code = ERR_NONE };
	struct report r;
	struct str page = STR("");

	test_escape(&t, &a);
	tiny_report(&r, &a);
	test_ok(&t, html_write(&r, "templates", &a, &page, &err),
		"a page with the shipped templates");
	/* the style sheet changes often and is none of the golden page's business */
	size_t css = str_find(page, STR("<style>"), 0), end = str_find(page, STR("</style>"), 0);
	size_t policy = str_find(page, STR("sha256-"), 0);
	struct str cut =
	    str_printf(&a, STR_FMT STR_FMT STR_FMT, STR_ARG(str_slice(page, 0, policy + 7)),
		       STR_ARG(str_slice(page, policy + 7 + 44, css + 7)),
		       STR_ARG(str_slice(page, end, page.len)));
	test_golden(&t, cut, "tests/render/tiny.html", &a, "golden page");
	test_ok(&t, str_find(page, STR("<script"), 0) == page.len, "no script gets through");
	test_ok(&t, str_find(page, STR("javascript:"), 0) == page.len, "no script address either");
	test_ok(&t, str_find(page, STR("@@"), 0) == page.len, "every name was filled in");
	test_errors(&t, &r, &a);
	arena_free(&a);
	return test_done(&t);
}
