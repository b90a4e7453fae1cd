#include "archive_parts.h"

#include "../render/html_escape.h"

#include <stdlib.h>

enum { NEWS_SHOWN = 6, NEWS_NEWEST = 12, MONTHS_OPEN = 1 };

static void put(struct strbuf *b, const char *markup)
{
	strbuf_add(b, str_of(markup));
}

/* <ELEMENT>text</ELEMENT> */
static void put_element(struct strbuf *b, const char *element, const char *attributes, struct str text)
{
	strbuf_printf(b, "<%s%s>", element, attributes);
	html_escape(b, text);
	strbuf_printf(b, "</%s>", element);
}

/* A link below an edition's folder; what is between is names of files that were checked. */
static void open_link(struct strbuf *b, const struct store_edition *e, struct str file,
                      struct str language)
{
	put(b, "<a href=\"");
	html_escape(b, e->folder);
	put(b, "/");
	html_escape(b, file);
	put(b, "\"");
	if (language.len > 0) {
		put(b, " hreflang=\"");
		html_escape(b, language);
		put(b, "\"");
	}
}

static void put_file(struct strbuf *b, const struct store_edition *e, const char *file,
                     const char *label)
{
	put(b, "<li>");
	open_link(b, e, str_of(file), STR(""));
	strbuf_printf(b, ">%s</a></li>", label);
}

/* The hash of an id, "0123456789ab" of "2026-11-30-0123456789ab"; the whole of another form. */
static struct str short_id(const struct store_edition *e, struct arena *a)
{
	struct str prefix = str_printf(a, STR_FMT "-", STR_ARG(date_iso(a, e->date)));
	struct str id = e->summary.id;

	return str_starts(id, prefix) ? str_slice(id, prefix.len, id.len) : id;
}

/* Pages and PDFs in each language, then the data. */
static void put_links(struct strbuf *b, const struct store_edition *e)
{
	const struct summary *s = &e->summary;

	put(b, "<ul class=\"links\">");
	for (size_t i = 0; i < s->nlanguages; i++) {
		const struct summary_language *l = &s->languages[i];
		put(b, "<li>");
		open_link(b, e, l->html, l->tag);
		put(b, " lang=\"");
		html_escape(b, l->tag);
		put(b, "\">");
		html_escape(b, l->name);
		put(b, "</a> ");
		open_link(b, e, l->pdf, l->tag);
		put(b, ">PDF</a></li>");
	}
	put_file(b, e, "data/", "Data");
	put_file(b, e, "report.json", "JSON");
	put_file(b, e, "MANIFEST", "Manifest");
	put_file(b, e, "citation.bib", "BibTeX");
	put(b, "</ul>\n");
}

static void put_news(struct strbuf *b, const struct news *n, size_t most, struct arena *a)
{
	size_t shown = n->n <= most + 1 ? n->n : most;

	if (shown > 0)
		put(b, "<ul>");
	for (size_t i = 0; i < shown; i++)
		put_element(b, "li", "", n->v[i]);
	if (shown < n->n)
		put_element(b, "li", " class=\"muted\"",
			    str_printf(a, "and %zu more, in the report", n->n - shown));
	if (shown > 0)
		put(b, "</ul>");
}

struct str archive_banner(const struct archive_parts *p)
{
	struct strbuf b = { .arena = p->arena };
	struct str text = str_trim(p->opt->banner), line;

	if (text.len == 0)
		return STR("");
	put(&b, "<div class=\"note warn banner\" role=\"status\">\n<p><strong>The last run failed.</strong> ");
	put(&b, p->store->n > 0 ? "The edition below is the last good one.</p>\n"
				: "There is no good edition yet.</p>\n");
	put(&b, "<p class=\"said\">");
	for (bool first = true; str_cut(&text, '\n', &line); first = false) {
		put(&b, first ? "" : "\n");
		html_escape(&b, str_plain(p->arena, str_trim(line)));
	}
	put(&b, "</p>\n</div>\n");
	return strbuf_str(&b);
}

static void put_picks(struct strbuf *b, const struct summary *s)
{
	if (s->npicks == 0)
		return;
	put(b, "<div><table><caption><span>What to buy</span></caption>\n<thead><tr><th scope=\"col\">Who you are</th>"
	       "<th scope=\"col\">Buy</th><th scope=\"col\" class=\"num\">Cost</th></tr></thead>\n<tbody>\n");
	for (size_t i = 0; i < s->npicks; i++) {
		const struct summary_pick *p = &s->picks[i];
		put(b, "<tr>");
		put_element(b, "th", " scope=\"row\"", p->title);
		put(b, "<td>");
		if (p->device.len > 0)
			put_element(b, "bdi", " class=\"strong\"", p->device);
		else
			put(b, "<span class=\"muted\">none</span>");
		put(b, "</td>");
		put_element(b, "td", " class=\"num\"", p->cost.len > 0 ? p->cost : STR("–"));
		put(b, "</tr>\n");
	}
	put(b, "</tbody></table></div>\n");
}

static void put_newest_news(struct strbuf *b, const struct archive_parts *p, size_t i)
{
	const struct summary *s = &p->store->v[i].summary;

	put(b, "<div><h3>What changed</h3>\n");
	if (p->news[i].counts.len > 0) {
		put(b, "<p class=\"counts\">Since ");
		html_escape(b, s->previous_id.len > 0 ? date_iso(p->arena, s->previous_date)
						      : STR("the edition before"));
		put(b, ": ");
		html_escape(b, p->news[i].counts);
		put(b, "</p>\n");
	} else {
		put(b, "<p>It is the first of its kind: there is no edition before it to compare.</p>\n");
	}
	put_news(b, &p->news[i], NEWS_NEWEST, p->arena);
	put(b, "</div>\n");
}

struct str archive_newest(const struct archive_parts *p)
{
	struct strbuf b = { .arena = p->arena };

	if (p->store->n == 0)
		return STR("<p class=\"note\">No edition has been published yet.</p>\n");
	size_t i = p->store->n - 1;
	const struct store_edition *e = &p->store->v[i];
	put(&b, "<section class=\"newest\" aria-labelledby=\"newest\">\n<p class=\"kicker\">The newest edition</p>\n"
		"<h2 id=\"newest\">");
	open_link(&b, e, e->summary.languages[0].html, STR(""));
	put(&b, ">");
	html_escape(&b, e->folder);
	put(&b, "</a></h2>\n");
	put_element(&b, "p", "", e->summary.subtitle);
	put(&b, "\n<p class=\"counts\">id ");
	html_escape(&b, e->summary.id);
	strbuf_printf(&b, " · %d devices</p>\n", e->summary.devices);
	put_links(&b, e);
	put(&b, "<div class=\"columns-2\">\n");
	put_picks(&b, &e->summary);
	put_newest_news(&b, p, i);
	put(&b, "</div>\n</section>\n");
	return strbuf_str(&b);
}

/* ---- the list by months ---- */

static const char *const months[] = { "January",   "February", "March",    "April",
				      "May",       "June",     "July",     "August",
				      "September", "October",  "November", "December" };

static bool same_month(struct date a, struct date b)
{
	int year[2], month[2], day[2];

	date_ymd(a, &year[0], &month[0], &day[0]);
	date_ymd(b, &year[1], &month[1], &day[1]);
	return year[0] == year[1] && month[0] == month[1];
}

static void put_edition(struct strbuf *b, const struct archive_parts *p, size_t i, bool named)
{
	const struct store_edition *e = &p->store->v[i];
	const struct news *n = &p->news[i];
	bool first = true;

	put(b, "<li class=\"edition\" id=\"e-");
	html_escape(b, e->folder);
	put(b, "\" data-kinds=\"");
	for (int k = 0; k < NEWS_KINDS; k++)
		if (n->kind[k]) {
			strbuf_printf(b, "%s%s", first ? "" : " ", news_kind_name((enum news_kind)k));
			first = false;
		}
	put(b, "\">\n<div class=\"when\"><h4>");
	open_link(b, e, e->summary.languages[0].html, STR(""));
	put(b, ">");
	html_escape(b, e->folder);
	put(b, "</a></h4>");
	put_element(b, "p", " class=\"id\"", short_id(e, p->arena));
	if (named)
		put_element(b, "p", " class=\"tag\"", e->summary.edition);
	put(b, "</div>\n<div>");
	if (!str_eq(e->summary.title, p->title))
		put_element(b, "p", " class=\"strong\"", e->summary.title);
	put_element(b, "p", " class=\"counts\"",
		    n->counts.len > 0 ? n->counts : STR("not compared with an edition before"));
	put_news(b, n, NEWS_SHOWN, p->arena);
	put(b, "</div>\n");
	put_links(b, e);
	put(b, "</li>\n");
}

/* Whether editions of several names lie here, so that each needs its name. */
static bool several_names(const struct store *s)
{
	for (size_t i = 1; i < s->n; i++)
		if (!str_eq(s->v[i].summary.edition, s->v[0].summary.edition))
			return true;
	return false;
}

static void put_filter(struct strbuf *b)
{
	static const struct {
		enum news_kind kind;
		const char *label;
	} kinds[] = {
		{ NEWS_PICKS, "another pick" },      { NEWS_CARDS, "cards new or gone" },
		{ NEWS_PRICES, "prices" },           { NEWS_ROWS, "benchmark rows" },
		{ NEWS_METHOD, "the method" },       { NEWS_NONE, "nothing changed" },
		{ NEWS_FIRST, "not compared" },
	};

	put(b, "<div class=\"controls filter\" id=\"archive-filter\" hidden>\n"
	       "<div class=\"field wide\"><label for=\"archive-find\">Find a card, a date, an id</label>"
	       "<input id=\"archive-find\" type=\"search\" autocomplete=\"off\" spellcheck=\"false\"></div>\n"
	       "<div class=\"field\"><label for=\"archive-month\">Month or year</label>"
	       "<select id=\"archive-month\"><option value=\"\">all</option></select></div>\n"
	       "<div class=\"field\"><label for=\"archive-kind\">What changed</label>"
	       "<select id=\"archive-kind\"><option value=\"\">anything</option>");
	for (size_t i = 0; i < LEN(kinds); i++)
		strbuf_printf(b, "<option value=\"%s\">%s</option>", news_kind_name(kinds[i].kind),
			      kinds[i].label);
	put(b, "</select></div>\n<button type=\"button\" id=\"archive-clear\">Show all</button>\n</div>\n"
	       "<p id=\"archive-status\" role=\"status\"></p>\n");
}

/* Editions [from, to) of one month, the newest first. */
static void put_month(struct strbuf *b, const struct archive_parts *p, size_t from, size_t to,
                      bool open, bool named)
{
	int year, month, day;

	date_ymd(p->store->v[from].date, &year, &month, &day);
	strbuf_printf(b,
		      "<details class=\"month\" data-month=\"%04d-%02d\"%s>\n<summary><h3>%s %d</h3> "
		      "<span>%zu %s</span></summary>\n<ol class=\"list\">\n",
		      year, month, open ? " open" : "", months[month - 1], year, to - from,
		      to - from == 1 ? "edition" : "editions");
	for (size_t i = to; i-- > from;)
		put_edition(b, p, i, named);
	put(b, "</ol>\n</details>\n");
}

struct str archive_editions(const struct archive_parts *p)
{
	struct strbuf b = { .arena = p->arena };
	const struct store *s = p->store;
	bool named = several_names(s);

	if (s->n == 0)
		return STR("");
	put(&b, "<section aria-labelledby=\"editions\">\n<h2 id=\"editions\">All editions</h2>\n");
	put_filter(&b);
	for (size_t to = s->n, n = 0; to > 0; n++) {
		size_t from = to - 1;
		while (from > 0 && same_month(s->v[from - 1].date, s->v[to - 1].date))
			from--;
		put_month(&b, p, from, to, n < MONTHS_OPEN, named);
		to = from;
	}
	put(&b, "</section>\n");
	return strbuf_str(&b);
}

/* ---- the rest ---- */

static int by_folder_newest(const void *pa, const void *pb)
{
	const struct archive_removed *a = pa, *b = pb;
	struct date da = { 0 }, db = { 0 };
	int ra = 0, rb = 0;

	store_parse_folder(a->folder, &da, &ra);
	store_parse_folder(b->folder, &db, &rb);
	if (da.day != db.day)
		return da.day < db.day ? 1 : -1;
	if (ra != rb)
		return ra < rb ? 1 : -1;
	return str_cmp(a->folder, b->folder);
}

struct str archive_removed_list(const struct archive_parts *p)
{
	struct strbuf b = { .arena = p->arena };
	size_t n = p->opt->nremoved;
	struct archive_removed *v = arena_array(p->arena, n, sizeof *v);

	if (n == 0)
		return STR("");
	for (size_t i = 0; i < n; i++)
		v[i] = p->opt->removed[i];
	qsort(v, n, sizeof *v, by_folder_newest);
	strbuf_printf(&b,
		      "<section aria-labelledby=\"removed\">\n<h2 id=\"removed\">Removed</h2>\n<p>Not kept here any "
		      "more; whoever has a copy can still check it with its MANIFEST.</p>\n<details>\n"
		      "<summary>%zu %s</summary>\n<ul class=\"removed\">\n",
		      n, n == 1 ? "removed edition" : "removed editions");
	for (size_t i = 0; i < n; i++) {
		put(&b, "<li>");
		html_escape(&b, str_plain(p->arena, v[i].folder));
		put_element(&b, "span", " class=\"gone-id\"",
			    v[i].id.len > 0
				? str_printf(p->arena, " removed, id " STR_FMT,
					     STR_ARG(str_plain(p->arena, v[i].id)))
				: STR(" removed"));
		put(&b, "</li>\n");
	}
	put(&b, "</ul>\n</details>\n</section>\n");
	return strbuf_str(&b);
}

struct str archive_latest_links(const struct archive_parts *p)
{
	struct strbuf b = { .arena = p->arena };

	if (p->store->n == 0)
		return STR("");
	const struct summary *s = &p->store->v[p->store->n - 1].summary;
	for (size_t i = 0; i < s->nlanguages; i++) {
		const struct summary_language *l = &s->languages[i];
		put(&b, "<a href=\"latest/");
		html_escape(&b, l->html);
		put(&b, "\" hreflang=\"");
		html_escape(&b, l->tag);
		put(&b, "\" lang=\"");
		html_escape(&b, l->tag);
		put(&b, "\">");
		html_escape(&b, l->name);
		put(&b, "</a> ");
	}
	return strbuf_str(&b);
}

struct str archive_description(const struct archive_parts *p)
{
	const struct store *s = p->store;

	if (s->n == 0)
		return STR("No edition yet");
	struct str first = date_iso(p->arena, s->v[0].date),
		   last = date_iso(p->arena, s->v[s->n - 1].date);
	if (str_eq(first, last))
		return str_printf(p->arena, "%zu %s of " STR_FMT, s->n,
				  s->n == 1 ? "edition" : "editions", STR_ARG(last));
	return str_printf(p->arena, "%zu editions, " STR_FMT " to " STR_FMT, s->n, STR_ARG(first),
			  STR_ARG(last));
}
