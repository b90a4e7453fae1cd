/* HTML: escaping, addresses, checksums in the policy, and a whole small page. */
#include "../render/base64.h"
#include "../render/href.h"
#include "../render/html.h"
#include "../render/html_escape.h"
#include "../render/html_meta.h"
#include "../render/html_out.h"
#include "english.h"
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
	cells = report_table_row(table, a);
	cells[0] = (struct report_cell){ .text = STR("in \"English\""), .lang = STR("en\">") };
	cells[1].text = STR("~0.50"); /* calls for the legend of the signs */
	return table;
}

static void tiny_report(struct report *r, struct arena *a)
{
	static const struct report_alternate alternates[] = {
		{ STR_INIT("en"), STR_INIT("English <b>"), STR_INIT("index.html"),
		  STR_INIT("report.pdf") },
		{ STR_INIT("zh-Hant"), STR_INIT("繁體中文"), STR_INIT("index.zh-Hant.html"),
		  STR_INIT("report.zh-Hant.pdf") },
		{ STR_INIT("xx"), STR_INIT("no safe address"), STR_INIT("javascript:x"),
		  STR_INIT("") },
	};
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
			      .alternates = alternates,
			      .nalternates = LEN(alternates),
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
	report_text(r,
		    one(a, (struct span){ .text = STR("not \"translated\""), .lang = STR("en") }));
}

static void write_templates(const char *dir, struct str page, struct str css, struct str js,
			    struct arena *a)
{
	struct error err = { .code = ERR_NONE };

	file_write(str_c(a, file_join(a, str_of(dir), STR("page.html"))), page, &err);
	file_write(str_c(a, file_join(a, str_of(dir), STR("report.css"))), css, &err);
	file_write(str_c(a, file_join(a, str_of(dir), STR("report.js"))), js, &err);
}

/* What a faulty template is answered with. */
static const struct {
	const char *name;
	struct str page, css, js;
	enum error_code code;
	const char *want;
} faults[] = {
	{ "unknown name", STR_INIT("a@@WRONG@@b"), STR_INIT("p{}"), STR_INIT(""), ERR_SYNTAX,
	  "'@@WRONG' is not a name to fill in" },
	{ "unclosed name", STR_INIT("a@@TITLE"), STR_INIT("p{}"), STR_INIT(""), ERR_SYNTAX,
	  "'@@TITLE' is not a name to fill in" },
	{ "unknown message", STR_INIT("@@page.nothing@@"), STR_INIT(""), STR_INIT(""), ERR_DATA,
	  NULL },
	{ "style end in the style", STR_INIT("@@CSS@@"), STR_INIT("p{}</style>"), STR_INIT(""),
	  ERR_SYNTAX, "'</' would end the style element" },
	{ "script end in the script", STR_INIT("@@JS@@"), STR_INIT(""), STR_INIT("'</script>'"),
	  ERR_SYNTAX, "'</' would end the script element" },
	{ "comment in the script", STR_INIT("@@JS@@"), STR_INIT(""), STR_INIT("a<!--b"), ERR_SYNTAX,
	  "'<!--' would end the script element" },
	{ "a page that is not UTF-8", STR_INIT("<p>\n\xe9t\xe9"), STR_INIT("p{}"), STR_INIT(""),
	  ERR_SYNTAX, "expected UTF-8, read byte 0xe9" },
	{ "a style that is not UTF-8", STR_INIT("@@CSS@@"), STR_INIT("p{content:'\xff'}"),
	  STR_INIT(""), ERR_SYNTAX, "expected UTF-8, read byte 0xff" },
};

static void test_faults(struct test *t, const struct report *r, const struct html_input *in,
			struct arena *a)
{
	struct str out;

	for (size_t i = 0; i < LEN(faults); i++) {
		struct error err = { .code = ERR_NONE };
		write_templates(in->templates_dir, faults[i].page, faults[i].css, faults[i].js, a);
		test_ok(t, !html_write(r, in, a, &out, &err) && err.code == faults[i].code,
			faults[i].name);
		if (faults[i].want)
			test_str(t, str_of(err.msg), str_of(faults[i].want), faults[i].name);
	}
}

static void test_templates(struct test *t, const struct report *r, const struct html_input *in,
			   struct arena *a)
{
	struct error err = { .code = ERR_NONE };
	struct str out = STR("");

	write_templates(in->templates_dir,
			STR("<@@LANG@@|@@TITLE@@|@@page.top@@|@@PRICES@@|@@PDF@@|@@CSP@@>"),
			STR(""), STR("1"), a);
	test_ok(t, html_write(r, in, a, &out, &err), "small template");
	/* SHA-256 of nothing and of "1", in base 64 */
	test_str(
	    t, out,
	    STR("<en|Guide &lt;/title&gt;&lt;script&gt;|Back to the top|{}|report.pdf|default-src "
		"&#39;none&#39;; style-src "
		"&#39;sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=&#39;; "
		"script-src &#39;sha256-a4ayc/80/OGda4BO/1o/V0etpOqiLx1JwB5S3beHW0s=&#39;; img-src "
		"&#39;self&#39; data:; base-uri &#39;none&#39;; form-action &#39;none&#39;>"),
	    "slots are escaped, messages filled in, the policy has both checksums");
	struct html_input nowhere = *in;
	nowhere.templates_dir = "/nonexistent";
	test_ok(t, !html_write(r, &nowhere, a, &out, &err) && err.code == ERR_ENVIRONMENT,
		"missing templates");
	struct report deep = { .arena = a, .language = STR("en") };
	struct error level = { .code = ERR_NONE };
	report_heading(&deep, 1, STR("x"), (struct spans){ .n = 0 });
	test_ok(t, !html_write(&deep, in, a, &out, &level),
		"a heading of level 1 belongs to the page");
	test_str(t, str_of(level.msg), STR("html: heading of level 1"), "and the message says so");
}

static void test_errors(struct test *t, const struct report *r, const struct text_catalogue *text,
			struct arena *a)
{
	static const char *const names[] = { "page.html", "report.css", "report.js" };
	char dir[] = "/tmp/html_test_XXXXXX";

	if (!mkdtemp(dir)) {
		test_ok(t, false, "a folder for templates");
		return;
	}
	const struct html_input in = { .templates_dir = dir, .text = text };
	test_faults(t, r, &in, a);
	test_templates(t, r, &in, a);
	for (size_t i = 0; i < LEN(names); i++)
		remove(str_c(a, file_join(a, str_of(dir), str_of(names[i]))));
	remove(dir);
}

/* s without what stands between each `open` and the next `close`. */
static struct str without(struct str s, struct str open, struct str close, struct arena *a)
{
	struct strbuf b = { .arena = a };

	for (size_t at = 0; at < s.len;) {
		size_t from = str_find(s, open, at), start = from + open.len;
		if (from == s.len) {
			strbuf_add(&b, str_slice(s, at, s.len));
			break;
		}
		strbuf_add(&b, str_slice(s, at, start));
		at = str_find(s, close, start);
	}
	return strbuf_str(&b);
}

static size_t count(struct str s, struct str what)
{
	size_t n = 0;

	for (size_t at = str_find(s, what, 0); at < s.len; at = str_find(s, what, at + what.len))
		n++;
	return n;
}

/* What the head of a text column is told of the longest text below it. */
static const struct {
	const char *name;
	struct str longest, want;
} kinds[] = {
	{ "yes or no", STR_INIT("no"), STR_INIT("<th scope=\"col\" class=\"short\">K</th>") },
	{ "nothing at all", STR_INIT(""), STR_INIT("<th scope=\"col\" class=\"short\">K</th>") },
	{ "two words", STR_INIT("old price"), STR_INIT("<th scope=\"col\">K</th>") },
	{ "a date", STR_INIT("2025-06-30"), STR_INIT("<th scope=\"col\" class=\"name\">K</th>") },
	{ "two dates", STR_INIT("2017-12-09 to 2024-07-24"),
	  STR_INIT("<th scope=\"col\" class=\"wide\">K</th>") },
	{ "Chinese, which is wide", STR_INIT("含整机与电费的价格"),
	  STR_INIT("<th scope=\"col\" class=\"wide\">K</th>") },
	{ "a sentence",
	  STR_INIT("scaled from the same architecture; the interval is wide, so mind it"),
	  STR_INIT("<th scope=\"col\" class=\"long\">K</th>") },
	{ "several",
	  STR_INIT(
	      "scaled from the same architecture; the interval is wide, so mind it, and read the "
	      "rank as a tie with its neighbours, whose intervals overlap"),
	  STR_INIT("<th scope=\"col\" class=\"prose\">K</th>") },
};

static void test_kinds(struct test *t, struct arena *a)
{
	for (size_t i = 0; i < LEN(kinds); i++) {
		struct html h = { .body.arena = a, .arena = a };
		struct report_column column = { .title = STR("K") };
		struct report_table table = { .columns = &column, .ncolumns = 1 };

		report_table_row(&table, a)->text = STR("-");
		report_table_row(&table, a)->text = kinds[i].longest;
		html_put_table(&h, &table);
		test_ok(t, count(strbuf_str(&h.body), kinds[i].want) == 1, kinds[i].name);
	}
	struct html h = { .body.arena = a, .arena = a };
	html_put_table(&h, tiny_table(a, false));
	test_ok(t, count(strbuf_str(&h.body), STR("<th scope=\"col\">Device</th>")) == 1,
		"a column of row names has none");
}

static void test_page(struct test *t, const struct report *r, const struct text_catalogue *text,
		      struct arena *a)
{
	const struct html_input in = { .templates_dir = "templates", .text = text };
	struct error err = { .code = ERR_NONE };
	struct str page = STR("");

	test_ok(t, html_write(r, &in, a, &page, &err), "a page with the shipped templates");
	/* sheet and script change often and are none of the golden page's business */
	struct str cut = without(page, STR("<style>"), STR("</style>"), a);
	cut = without(cut, STR("<script>"), STR("</script>"), a);
	cut = without(cut, STR("sha256-"), STR("&#39;"), a);
	test_golden(t, cut, "tests/render/tiny.html", a, "golden page");
	test_ok(t, count(page, STR("<script")) == 3 && count(page, STR("</script>")) == 3,
		"no script but the page's own and its two documents");
	test_ok(t, count(cut, STR("javascript:")) == 0, "no script address");
	test_ok(t, count(page, STR("@@")) == 0, "every name was filled in");
	test_ok(t, count(cut, STR("class=\"signs\"")) == 4,
		"a legend below tables with signs, and two of the page's own");
}

static const struct {
	const char *name;
	struct str in, want;
} documents[] = {
	{ "plain", STR_INIT("{\"a\":1}"), STR_INIT("{\"a\":1}") },
	{ "end of the element", STR_INIT("\"</script><!--\""),
	  STR_INIT("\"\\u003c/script\\u003e\\u003c!--\"") },
	{ "entity", STR_INIT("\"&lt;\""), STR_INIT("\"\\u0026lt;\"") },
	{ "Chinese", STR_INIT("\"显卡\""), STR_INIT("\"显卡\"") },
};

static void test_documents(struct test *t, struct arena *a)
{
	for (size_t i = 0; i < LEN(documents); i++) {
		struct strbuf b = { .arena = a };
		html_put_json(&b, documents[i].in);
		test_str(t, strbuf_str(&b), documents[i].want, documents[i].name);
	}
}

static void test_meta(struct test *t, const struct report *r, struct arena *a)
{
	struct report single = *r;
	struct str head = html_meta_head(r, a), languages = html_meta_languages(r, STR("\"L\""), a);

	single.nalternates = 1;
	test_ok(t, count(head, STR("hreflang=\"zh-Hant\" href=\"index.zh-Hant.html\"")) == 1,
		"alternate");
	test_ok(t, count(head, STR("rel=\"alternate\"")) == 2,
		"an address that is not safe is left out");
	test_ok(t, count(head, STR("og:image")) == 0, "no picture where nothing is drawn");
	test_str(t, html_meta_picture(r, a), STR(""), "and no address of one");
	test_ok(t,
		count(head, STR("og:title\" content=\"Guide &lt;/title&gt;&lt;script&gt;\"")) == 1,
		"Open Graph is escaped");
	test_ok(t,
		count(languages, STR("<li>")) == 2
		    && count(languages, STR("aria-current=\"page\"")) == 1
		    && count(languages, STR("English &lt;b&gt;")) == 1,
		"the languages, this one marked");
	test_str(t, html_meta_languages(&single, STR("L"), a), STR(""),
		 "one language needs no choice");
	test_ok(t, count(html_meta_head(&single, a), STR("alternate")) == 0, "nor an alternate");
	struct str set = html_meta_dataset(r, NULL, a);
	test_ok(t, count(set, STR("\"contentUrl\"")) == 2,
		"schema.org: each file once, and report.json");
	test_ok(t, count(set, STR("\"name\": \"Guide </title><script>\"")) == 1,
		"schema.org: the title");
}

int main(void)
{
	struct test t = { 0 };
	struct arena a = { 0 };
	struct text_catalogue text = english_catalogue(&a);
	struct report r;

	test_escape(&t, &a);
	tiny_report(&r, &a);
	test_page(&t, &r, &text, &a);
	test_kinds(&t, &a);
	test_errors(&t, &r, &text, &a);
	test_documents(&t, &a);
	test_meta(&t, &r, &a);
	arena_free(&a);
	return test_done(&t);
}
