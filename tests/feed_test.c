/* The Atom feed: well-formed and valid, ids that stay, times from the editions, hostile text. */
#include "archive_fixture.h"
#include "golden.h"
#include "../base/process.h"
#include "../publish/feed.h"

#include <expat.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { IDS_MAX = 128 };

/* What expat says of a feed. */
struct seen {
	struct str ids[IDS_MAX], updated[IDS_MAX];
	size_t nids, nupdated, entries;
	struct strbuf text;
	bool deep; /* an element inside content: its HTML was not escaped */
	bool in_content;
	struct arena *arena;
};

static void XMLCALL on_start(void *ctx, const XML_Char *name, const XML_Char **attributes)
{
	struct seen *s = ctx;

	(void)attributes;
	s->deep = s->deep || s->in_content;
	s->in_content = strcmp(name, "content") == 0;
	s->entries += strcmp(name, "entry") == 0;
	s->text = (struct strbuf){ .arena = s->arena };
}

static void XMLCALL on_text(void *ctx, const XML_Char *p, int len)
{
	struct seen *s = ctx;

	strbuf_add(&s->text, (struct str){ p, (size_t)len });
}

static void XMLCALL on_end(void *ctx, const XML_Char *name)
{
	struct seen *s = ctx;

	s->in_content = false;
	if (strcmp(name, "id") == 0 && s->nids < IDS_MAX)
		s->ids[s->nids++] = strbuf_str(&s->text);
	if (strcmp(name, "updated") == 0 && s->nupdated < IDS_MAX)
		s->updated[s->nupdated++] = strbuf_str(&s->text);
}

static bool parse(struct str feed, struct arena *a, struct seen *out)
{
	XML_Parser p = XML_ParserCreate(NULL);

	*out = (struct seen){ .arena = a };
	XML_SetUserData(p, out);
	XML_SetElementHandler(p, on_start, on_end);
	XML_SetCharacterDataHandler(p, on_text);
	bool good = XML_Parse(p, feed.p, (int)feed.len, 1) == XML_STATUS_OK;
	if (!good)
		printf("# line %lu: %s\n", (unsigned long)XML_GetCurrentLineNumber(p),
		       XML_ErrorString(XML_GetErrorCode(p)));
	XML_ParserFree(p);
	return good;
}

/* Against tests/publish/atom.rng; true with a note where there is no xmllint. */
static bool valid(struct str feed, struct arena *a)
{
	const char *const argv[] = { "xmllint", "--noout", "--relaxng", "tests/publish/atom.rng",
				     "-",       NULL };
	struct process_options opt = { .argv = argv, .input = feed, .seconds = 30 };
	struct process_result r;
	struct error err = { .code = ERR_NONE };

	if (!process_run(&opt, a, &r, &err)) {
		printf("# %s: skipped\n", err.msg);
		return true;
	}
	if (r.status != 0)
		printf("# " STR_FMT "\n", STR_ARG(r.message));
	return r.status == 0;
}

static struct str feed_of(struct test *t, const struct archive_options *opt, const struct store *s,
			  struct arena *a, const char *name)
{
	struct error err = { .code = ERR_NONE };
	struct str feed = STR("");

	test_ok(t, feed_text(opt, s, a, &feed, &err), name);
	test_ok(t, valid(feed, a), "valid by its schema");
	return feed;
}

static bool all_different(const struct seen *s)
{
	for (size_t i = 0; i < s->nids; i++)
		for (size_t k = 0; k < i; k++)
			if (str_eq(s->ids[i], s->ids[k]))
				return false;
	return true;
}

static void test_few(struct test *t, struct arena *a)
{
	struct archive_options opt = { .base_url = STR("https://gpu.example.org/g") },
			       bare = { .title = STR("x") };
	struct store s = store_of(few_rows, LEN(few_rows), a);
	struct str feed = feed_of(t, &opt, &s, a, "four editions"), other;
	struct seen with, without;

	test_golden(t, feed, "tests/publish/feed.xml", a, "golden feed");
	test_ok(t, parse(feed, a, &with) && with.entries == 4 && with.nids == 5,
		"well-formed, an entry an edition");
	test_ok(t, all_different(&with),
		"every id once, also of two revisions with one edition id");
	test_ok(t, !with.deep, "HTML is text");
	/* sha256sum of "gpuguide edition 2023-01-01-000000000000", version 8 and variant put in */
	test_str(t, with.ids[4], STR("urn:uuid:628eb81f-49af-8d1f-aa19-139d85ee70f9"),
		 "the id of an edition");
	test_str(t, with.updated[0], STR("2023-02-01T00:00:01Z"),
		 "the feed is as new as its last revision");
	test_str(t, with.updated[1], STR("2023-02-01T00:00:01Z"),
		 "a second revision is a second later");
	test_str(t, with.updated[2], STR("2023-02-01T00:00:00Z"), "the first at midnight");
	other = feed_of(t, &bare, &s, a, "another title, no address");
	test_ok(t, parse(other, a, &without) && without.nids == with.nids, "the same entries");
	for (size_t i = 0; i < with.nids && i < without.nids; i++)
		test_str(t, without.ids[i], with.ids[i], "ids know neither address nor title");
	test_ok(t,
		contains(feed, "rel=\"self\" type=\"application/atom+xml\" "
			       "href=\"https://gpu.example.org/g/feed.xml\""),
		"where it lies");
	test_ok(t, contains(feed, "xml:base=\"https://gpu.example.org/g/\""),
		"and what links start from");
	test_ok(t, !contains(other, "rel=\"self\"") && !contains(other, "xml:base"), "not made up");
}

static void test_states(struct test *t, struct arena *a)
{
	struct store none = { .dir = "out" }, few = store_of(few_rows, LEN(few_rows), a), later;
	static const struct archive_removed removed[] = { { STR_INIT("2023-01-01"),
							    STR_INIT("2023-01-01-000000000000") } };
	struct archive_options opt = { .title = STR("") };
	struct seen before, after;
	struct error err = { .code = ERR_NONE };
	struct str feed = feed_of(t, &opt, &none, a, "no edition");

	test_ok(t, parse(feed, a, &before) && before.entries == 0 && before.nids == 1,
		"a feed without entries");
	parse(feed_of(t, &opt, &few, a, "four"), a, &before);
	later = few;
	later.v++;
	later.n--;
	opt.removed = removed;
	opt.nremoved = LEN(removed);
	parse(feed_of(t, &opt, &later, a, "the oldest removed"), a, &after);
	test_str(t, after.ids[0], before.ids[0], "the feed keeps its id");
	opt.base_url = STR("ftp://x/");
	test_ok(t, !feed_text(&opt, &few, a, &feed, &err) && err.code == ERR_RANGE,
		"a faulty address");
}

static void test_nights(struct test *t, struct arena *a)
{
	struct store s = store_of_nights(365, a);
	struct archive_options opt = { .title = STR("") };
	struct str feed = feed_of(t, &opt, &s, a, "a year of nights");
	struct seen seen;

	test_ok(t, parse(feed, a, &seen) && seen.entries == FEED_ENTRIES, "the newest");
	test_ok(t, all_different(&seen), "ids");
	test_str(t, seen.updated[1], STR("2023-12-31T00:00:00Z"), "the newest first");
	test_str(t, seen.updated[50], STR("2023-11-12T00:00:00Z"), "down to the fiftieth");
}

static void test_hostile(struct test *t, struct arena *a)
{
	struct store s = store_of(evil_rows, LEN(evil_rows), a);
	struct archive_options opt = { .title = STR(EVIL) };
	struct str feed = feed_of(t, &opt, &s, a, "hostile names");
	struct seen seen;

	test_ok(t, parse(feed, a, &seen) && seen.entries == 2 && !seen.deep,
		"well-formed, no element of theirs");
	test_ok(t, !contains(feed, "<script"), "no script");
	test_ok(t, contains(feed, "&amp;lt;script&amp;gt;"),
		"escaped once for HTML and once for XML");
	test_ok(t, !contains(feed, "]]>"), "no end of a section");
	test_ok(t, !contains(feed, "\x01") && !contains(feed, "\xef\xbf\xbe"),
		"nothing that XML cannot hold");
	test_ok(t, !contains(feed, "\xe2\x80\xae"), "nothing that turns the direction of the text");
	/* a summary that no file was read for holds anything */
	s.v[1].summary.subtitle = STR("a\x01\xff\xef\xbf\xbf\xe2\x80\xae" "b\x7f");
	s.v[1].summary.program = STR("p\x0c");
	feed = feed_of(t, &opt, &s, a, "controls in a store");
	test_ok(t, parse(feed, a, &seen), "well-formed all the same");
}

static void test_titles(struct test *t, struct arena *a)
{
	struct edition_row row = few_rows[0];
	struct archive_options opt = { .title = STR("") };
	struct strbuf longest = { .arena = a };

	for (int i = 0; i < 130; i++)
		strbuf_add(&longest, STR("显"));
	row.title = str_c(a, strbuf_str(&longest));
	struct store s = store_of(&row, 1, a);
	struct str feed = feed_of(t, &opt, &s, a, "a long title"), title;
	size_t at = str_find(feed, STR("<title>2023-01-01: "), 0) + 19;
	title = str_slice(feed, at, str_find(feed, STR("</title>"), at));
	test_ok(t, title.len == 120 * 3 + 3 && str_ends(title, STR("显…")),
		"is cut between characters");
}

int main(void)
{
	struct test t = { 0 };
	struct arena a = { 0 };

	test_few(&t, &a);
	test_states(&t, &a);
	test_nights(&t, &a);
	test_hostile(&t, &a);
	test_titles(&t, &a);
	arena_free(&a);
	return test_done(&t);
}
