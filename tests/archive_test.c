/* The page of all editions: none, few, hostile, a year of nights; written only where it differs. */
#include "archive_fixture.h"
#include "golden.h"
#include "../publish/archive_parts.h"
#include "../publish/news.h"
#include "../render/base64.h"
#include "../render/href.h"

#include <cjson/cJSON.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static struct archive_options options(void)
{
	return (struct archive_options){ .out_dir = "out", .templates_dir = "templates" };
}

static struct str page_of(struct test *t, const struct archive_options *opt, const struct store *s,
			  struct arena *a, const char *name)
{
	struct error err = { .code = ERR_NONE };
	struct str page = STR("");

	test_ok(t, archive_page(opt, s, a, &page, &err), name);
	if (err.code != ERR_NONE)
		printf("# %s\n", err.msg);
	return page;
}

/* What stands between two marks, from `from` on. */
static struct str between(struct str s, const char *open, const char *close, size_t from)
{
	size_t at = str_find(s, str_of(open), from);

	at = at < s.len ? at + str_of(open).len : at;
	return str_slice(s, at, str_find(s, str_of(close), at));
}

/* Sheet and script run only if their checksums stand in the policy; addresses are safe; the
 * document for machines is JSON. */
static void test_sound(struct test *t, struct str page, struct arena *a)
{
	struct str policy = between(page, "Content-Security-Policy\" content=\"", "\"", 0);
	struct str css = between(page, "<style>", "</style>", 0);
	struct str js = between(page, "<script>", "</script>", 0);
	struct str json = between(page, "application/ld+json\">", "</script>", 0);
	bool safe = true;

	struct str css_sum = base64_of_hex(a, file_sha256(a, css));
	struct str js_sum = base64_of_hex(a, file_sha256(a, js));
	test_ok(t, contains(policy, str_c(a, css_sum)), "the sheet is let in");
	test_ok(t, contains(policy, str_c(a, js_sum)), "the script is let in");
	test_ok(t, count(page, "<script") == 2 && count(page, "</script") == 2, "no script more");
	cJSON *doc = cJSON_ParseWithLength(json.p, json.len);
	test_ok(t, cJSON_IsArray(cJSON_GetObjectItem(doc, "dataset")), "schema.org: JSON");
	cJSON_Delete(doc);
	for (size_t at = 0; (at = str_find(page, STR(" href=\""), at)) < page.len; at++) {
		struct str href = between(page, " href=\"", "\"", at);
		bool folder = str_ends(href, STR("/data/"));
		safe = safe && (href_safe(folder ? str_slice(href, 0, href.len - 1) : href)
				|| str_eq(href, STR("data:,")));
	}
	test_ok(t, safe, "every address is one of ours");
	test_ok(t, !contains(page, "@@"), "every place is filled");
}

static void test_few(struct test *t, struct arena *a)
{
	struct archive_options opt = options();
	struct store s = store_of(few_rows, LEN(few_rows), a);
	struct news news[LEN(few_rows)];
	struct strbuf all = { .arena = a };
	struct str page = page_of(t, &opt, &s, a, "four editions");

	test_sound(t, page, a);
	for (size_t i = 0; i < s.n; i++)
		news[i] = news_of(&s, i, a);
	const struct archive_parts p = { &opt, &s, news, STR("Guide"), a };
	strbuf_add(&all, archive_newest(&p));
	strbuf_add(&all, archive_editions(&p));
	test_golden(t, strbuf_str(&all), "tests/publish/archive.html", a, "golden editions");
	test_ok(t, contains(page, "<h1>Guide, again</h1>"), "the title of the newest");
	test_ok(t, contains(page, "4 editions, 2023-01-01 to 2023-02-01"),
		"how many, from when to when");
	test_ok(t,
		str_find(page, STR("id=\"e-2023-02-01-r2\""), 0)
			< str_find(page, STR("id=\"e-2023-02-01\""), 0)
		    && str_find(page, STR("id=\"e-2023-02-01\""), 0)
			   < str_find(page, STR("id=\"e-2023-01-02\""), 0),
		"the newest first");
	test_ok(t, contains(page, "Best overall: RTX 2070, before RTX 2060."),
		"another pick is told");
	test_ok(t, count(page, "Best overall: RTX 2070, before") == 1,
		"and only where it is another");
	test_ok(t, !contains(page, "role=\"status\">\n<p><strong>"), "no banner");
	test_ok(t, !contains(page, "canonical"), "no address is made up");
}

static void test_news(struct test *t, struct arena *a)
{
	struct store s = store_of(few_rows, LEN(few_rows), a);
	struct news first = news_of(&s, 0, a), second = news_of(&s, 1, a), last = news_of(&s, 3, a);

	test_ok(t, first.kind[NEWS_FIRST] && first.n == 0 && first.counts.len == 0, "not compared");
	test_ok(t, second.kind[NEWS_PICKS] && second.kind[NEWS_CARDS] && second.kind[NEWS_PRICES]
			   && !second.kind[NEWS_ROWS] && !second.kind[NEWS_NONE],
		"kinds of change");
	test_str(t, second.counts, STR("2 changed, 1 new, 0 gone, 4 the same"), "counts");
	test_ok(t, !last.kind[NEWS_PICKS],
		"compared with the one it names, not with the one before");
	s.v[1].summary.nchanges = 0;
	s.v[1].summary.changed = s.v[1].summary.fresh = s.v[1].summary.by_price = 0;
	s.v[1].summary.picks[0].device = STR("RTX 2060");
	second = news_of(&s, 1, a);
	test_ok(t, second.kind[NEWS_NONE] && second.n == 1, "nothing changed");
	test_str(t, second.v[0], STR("Nothing changed."), "and it says so");
	s.v[1].summary.picks[0].device = STR("");
	second = news_of(&s, 1, a);
	test_str(t, second.v[0], STR("Best overall: no card, before RTX 2060."),
		 "a pick that is none");
}

static void test_hostile(struct test *t, struct arena *a)
{
	struct archive_options opt = options();
	struct store s = store_of(evil_rows, LEN(evil_rows), a);
	struct archive_removed removed[] = { { STR(EVIL), STR(EVIL) } };

	opt.banner = STR(EVIL "\n</p><img src=x onerror=alert(1)>");
	opt.removed = removed;
	opt.nremoved = LEN(removed);
	struct str page = page_of(t, &opt, &s, a, "hostile names");
	s.v[0].summary.title = s.v[1].summary.title = STR("G");
	test_ok(t, count(page, "<script") == 2, "no script of theirs");
	test_ok(t, !contains(page, "alert(1)</script"), "nothing ends the document for machines");
	test_ok(t, !contains(page, "<img"), "no element of theirs");
	test_ok(t, !contains(page, "\x01") && !contains(page, "\x1f"), "no control character");
	test_ok(t, !contains(page, "\xe2\x80\xae"), "nothing that turns the direction of the text");
	test_ok(t, contains(page, "\xd7\x90\xd7\x91"), "letters of any script stay");
	test_ok(t, contains(page, "@@CSS@@"), "a name to fill in is text when an edition says it");
}

static void test_states(struct test *t, struct arena *a)
{
	struct archive_options opt = options();
	struct store none = { .dir = "out" }, few = store_of(few_rows, LEN(few_rows), a);
	static const struct archive_removed removed[] = {
		{ STR_INIT("2022-01-01"), STR_INIT("2022-01-01-aaaaaaaaaaaa") },
		{ STR_INIT("2022-01-01-r10"), STR_INIT("") },
		{ STR_INIT("2022-01-01-r2"), STR_INIT("2022-01-01-bbbbbbbbbbbb") },
	};
	struct str page = page_of(t, &opt, &none, a, "no edition");

	test_sound(t, page, a);
	test_ok(t, contains(page, "No edition has been published yet."), "and it says so");
	test_ok(t, !contains(page, "latest/"), "no link that leads nowhere");
	opt.banner = STR("2026-11-30: disk full\nprices.csv:3:1: price: '<499>'\n");
	page = page_of(t, &opt, &none, a, "a first run that failed");
	test_ok(t, contains(page, "There is no good edition yet."),
		"there is none to fall back on");
	opt.removed = removed;
	opt.nremoved = LEN(removed);
	opt.base_url = STR("https://gpu.example.org/guide");
	opt.title = STR("Our \"guide\"");
	page = page_of(t, &opt, &few, a, "banner, removed ones, address, title");
	test_sound(t, page, a);
	test_ok(
	    t,
	    contains(
		page,
		"role=\"status\">\n<p><strong>The last run failed.</strong> The edition below is "
		"the last good one."),
	    "the banner");
	test_ok(t,
		contains(page,
			 "2026-11-30: disk full\nprices.csv:3:1: price: &#39;&lt;499&gt;&#39;</p>"),
		"its text, line by line");
	test_ok(t, contains(page, "<summary>3 removed editions</summary>"),
		"how many were removed");
	size_t r10 = str_find(page, STR("2022-01-01-r10<"), 0),
	       r2 = str_find(page, STR("2022-01-01-r2<"), 0);
	test_ok(t, r10 < r2 && r2 < str_find(page, STR("2022-01-01<"), 0),
		"the newest removed first, by number");
	test_ok(t, contains(page, "removed, id 2022-01-01-bbbbbbbbbbbb"), "with the id");
	test_ok(t,
		contains(page, "<link rel=\"canonical\" href=\"https://gpu.example.org/guide/\">"),
		"the address of the page");
	test_ok(t,
		contains(page, "\"url\": \"https://gpu.example.org/guide/2023-01-02/index.html\""),
		"and of its editions");
	test_ok(t, contains(page, "<h1>Our &quot;guide&quot;</h1>"), "the title of the archive");
}

static void test_nights(struct test *t, struct arena *a)
{
	static const struct {
		size_t nights, months, bytes_max;
	} sizes[] = { { 365, 12, 1000000 }, { 1000, 33, 2500000 } };

	for (size_t i = 0; i < LEN(sizes); i++) {
		struct archive_options opt = options();
		struct store s = store_of_nights(sizes[i].nights, a);
		struct str page = page_of(t, &opt, &s, a, "many nights"), again;

		again = page_of(t, &opt, &s, a, "the same again");
		test_ok(t, str_eq(page, again), "the same bytes");
		test_ok(t, page.len < sizes[i].bytes_max, "small enough");
		printf("# %zu editions: %zu bytes\n", s.n, page.len);
		test_ok(t, count(page, "<li class=\"edition\"") == sizes[i].nights,
			"every edition");
		test_ok(t, count(page, "<details class=\"month\"") == sizes[i].months, "by month");
		test_ok(t, count(page, "\" open>") == 1, "one month unfolded");
		test_ok(t, count(page, "\"@type\": \"Dataset\"") == ARCHIVE_DATASETS,
			"the newest for machines");
	}
}

static const struct {
	const char *name, *in, *want; /* want NULL: refused */
} urls[] = {
	{ "none", "", "" },
	{ "a host", "https://a.example", "https://a.example/" },
	{ "a folder", "http://a.example/b/", "http://a.example/b/" },
	{ "a port", "https://a.example:8443/x", "https://a.example:8443/x/" },
	{ "another scheme", "javascript:alert(1)", NULL },
	{ "a file", "file:///etc", NULL },
	{ "no host", "https:///x", NULL },
	{ "nothing behind the scheme", "https://", NULL },
	{ "a user", "https://me:secret@a.example/", NULL },
	{ "a query", "https://a.example/?x", NULL },
	{ "a fragment", "https://a.example/#x", NULL },
	{ "a blank", "https://a.example/ x", NULL },
	{ "a quote", "https://a.example/\"x", NULL },
	{ "no address", "a.example", NULL },
};

static void test_urls(struct test *t, struct arena *a)
{
	for (size_t i = 0; i < LEN(urls); i++) {
		struct error err = { .code = ERR_NONE };
		struct str out = STR("");
		bool good = archive_base_url(str_of(urls[i].in), a, &out, &err);

		test_ok(t, good == (urls[i].want != NULL), urls[i].name);
		if (urls[i].want)
			test_str(t, out, str_of(urls[i].want), urls[i].name);
		else
			test_ok(t,
				err.code == ERR_RANGE
				    && str_starts(str_of(err.msg), STR("base_url: '")),
				"and why");
	}
}

/* ---- files ---- */

static void test_write(struct test *t, struct arena *a)
{
	char dir[] = "/tmp/gpuguide-archive-XXXXXX";
	struct archive_options opt = options();
	struct store s = store_of(few_rows, LEN(few_rows), a);
	struct error err = { .code = ERR_NONE };
	struct stat before, after;
	bool changed = false;

	test_ok(t, mkdtemp(dir) != NULL, "a folder");
	opt.out_dir = dir;
	const char *page = str_c(a, file_join(a, str_of(dir), STR("index.html")));
	const char *feed = str_c(a, file_join(a, str_of(dir), STR("feed.xml")));
	test_ok(t, archive_write(&opt, &s, a, &changed, &err) && changed, "written");
	test_ok(t, stat(page, &before) == 0 && file_exists(feed), "page and feed");
	test_ok(t, archive_write(&opt, &s, a, &changed, &err) && !changed, "not written again");
	test_ok(t, stat(page, &after) == 0 && after.st_ino == before.st_ino,
		"the file is the same one");
	opt.banner = STR("failed");
	test_ok(t, archive_write(&opt, &s, a, &changed, &err) && changed, "a banner is a change");
	test_ok(t, file_write(feed, STR("half"), &err), "a feed cut short");
	test_ok(t, archive_write(&opt, &s, a, &changed, &err) && changed, "is made again");
	opt.out_dir = "/nonexistent/folder";
	test_ok(t, !archive_write(&opt, &s, a, &changed, &err) && err.code == ERR_ENVIRONMENT,
		"no such folder");
	file_remove_tree(dir, &err);
}

static void test_templates(struct test *t, struct arena *a)
{
	static const struct {
		const char *name, *file, *text, *message;
	} cases[] = {
		{ "an unknown place", "archive.html", "<p>@@WHAT@@</p>",
		  "'@@WHAT' is not a name to fill in" },
		{ "a place without end", "archive.html", "<p>@@TITLE",
		  "'@@TITLE' is not a name to fill in" },
		{ "a script that ends itself", "archive.js", "'</script>'",
		  "'</' or '<!--' would end the element it stands in" },
		{ "a sheet that ends itself", "archive.css", "/* </style> */",
		  "'</' or '<!--' would end the element it stands in" },
	};
	static const char *const files[] = { "archive.html", "archive.css", "archive.js",
					     "report.css" };
	struct store s = { .dir = "out" };

	for (size_t i = 0; i < LEN(cases); i++) {
		char dir[] = "/tmp/gpuguide-archive-XXXXXX";
		struct archive_options opt = options();
		struct error err = { .code = ERR_NONE }, ignored = { .code = ERR_NONE };
		struct str text, page;

		if (!mkdtemp(dir))
			continue;
		for (size_t k = 0; k < LEN(files); k++) {
			bool own = str_eq(str_of(files[k]), str_of(cases[i].file));
			if (own)
				text = str_of(cases[i].text);
			else
				file_read(
				    str_c(a, file_join(a, STR("templates"), str_of(files[k]))), 0,
				    a, &text, &ignored);
			file_write(str_c(a, file_join(a, str_of(dir), str_of(files[k]))), text,
				   &ignored);
		}
		opt.templates_dir = dir;
		test_ok(t, !archive_page(&opt, &s, a, &page, &err) && err.code == ERR_SYNTAX,
			cases[i].name);
		test_str(t, str_of(err.msg), str_of(cases[i].message), cases[i].name);
		file_remove_tree(dir, &ignored);
	}
}

int main(void)
{
	struct test t = { 0 };
	struct arena a = { 0 };

	test_few(&t, &a);
	test_news(&t, &a);
	test_hostile(&t, &a);
	test_states(&t, &a);
	test_nights(&t, &a);
	test_urls(&t, &a);
	test_write(&t, &a);
	test_templates(&t, &a);
	arena_free(&a);
	return test_done(&t);
}
