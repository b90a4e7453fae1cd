#include "feed.h"
#include "news.h"

#include "../base/file.h"
#include "../render/html_escape.h"

#include <limits.h>

enum { TITLE_MAX = 120, DAY_SECONDS = 86400 };

/* Appends text as XML 1.0 content or attribute value. */
static void xml_escape(struct strbuf *out, struct str text)
{
	static const struct {
		char c;
		const char *xml;
	} marks[] = { { '&', "&amp;" }, { '<', "&lt;" }, { '>', "&gt;" }, { '"', "&quot;" },
		      { '\'', "&#39;" } };

	for (size_t at = 0; at < text.len;) {
		size_t from = at, k = 0;
		unsigned c = str_next_utf8(text, &at);
		while (k < LEN(marks) && (unsigned char)marks[k].c != c)
			k++;
		if (k < LEN(marks))
			strbuf_add(out, str_of(marks[k].xml));
		else if (c == 0xfffd || c == 0xfffe || c == 0xffff || (c != '\n' && !str_is_plain(c)))
			strbuf_add(out, STR("\xef\xbf\xbd"));
		else
			strbuf_add(out, str_slice(text, from, at));
	}
}

/* <ELEMENT ATTRIBUTES>text</ELEMENT> */
static void put(struct strbuf *b, const char *element, const char *attributes, struct str text)
{
	strbuf_printf(b, "<%s%s>", element, attributes);
	xml_escape(b, text);
	strbuf_printf(b, "</%s>\n", element);
}

/* Version 8 of RFC 9562: 122 bits of the SHA-256, four of the version, two of the variant (8, 9, a, b). */
static struct str uuid(const char *kind, struct str name, struct arena *a)
{
	static const char variants[] = "89ab";
	struct str h =
	    file_sha256(a, str_printf(a, "gpuguide %s " STR_FMT, kind, STR_ARG(name)));
	char digit = h.p[16];
	unsigned bits = (unsigned)(digit <= '9' ? digit - '0' : digit - 'a' + 10);

	return str_printf(a, "urn:uuid:%.8s-%.4s-8%.3s-%c%.3s-%.12s", h.p, h.p + 8, h.p + 13,
			  variants[bits & 3], h.p + 17, h.p + 20);
}

struct str feed_edition_id(const struct store_edition *e, struct arena *a)
{
	struct str id = e->summary.id;

	if (e->revision > 1)
		id = str_printf(a, STR_FMT " r%d", STR_ARG(id), e->revision);
	return uuid("edition", id, a);
}

/* Of the oldest edition that ever was: it stays when that one is removed. */
static struct str feed_id(const struct archive_options *opt, const struct store *s, struct arena *a)
{
	struct date oldest = { INT_MAX };
	int revision = INT_MAX;
	struct str id = STR("");

	if (s->n > 0) {
		oldest = s->v[0].date;
		revision = s->v[0].revision;
		id = s->v[0].summary.id;
	}
	for (size_t i = 0; i < opt->nremoved; i++) {
		struct date d;
		int r;
		if (!store_parse_folder(opt->removed[i].folder, &d, &r) || d.day > oldest.day
		    || (d.day == oldest.day && r >= revision))
			continue;
		oldest = d;
		revision = r;
		id = opt->removed[i].id.len > 0 ? opt->removed[i].id : opt->removed[i].folder;
	}
	return uuid("feed", id, a);
}

/* The later revision of a day is the later by a second. */
static struct str updated(struct date date, int revision, struct arena *a)
{
	int second = revision - 1 < DAY_SECONDS ? revision - 1 : DAY_SECONDS - 1;

	return str_printf(a, STR_FMT "T%02d:%02d:%02dZ", STR_ARG(date_iso(a, date)), second / 3600,
			  second / 60 % 60, second % 60);
}

static void put_link(struct strbuf *b, const char *attributes, struct str href, struct str language)
{
	strbuf_printf(b, "<link %s href=\"", attributes);
	xml_escape(b, href);
	strbuf_addc(b, '"');
	if (language.len > 0) {
		strbuf_add(b, STR(" hreflang=\""));
		xml_escape(b, language);
		strbuf_addc(b, '"');
	}
	strbuf_add(b, STR("/>\n"));
}

static struct str below(const struct store_edition *e, struct str file, struct arena *a)
{
	return str_printf(a, STR_FMT "/" STR_FMT, STR_ARG(e->folder), STR_ARG(file));
}

static void put_links(struct strbuf *b, const struct store_edition *e, struct arena *a)
{
	const struct summary *s = &e->summary;

	for (size_t i = 0; i < s->nlanguages; i++)
		put_link(b, "rel=\"alternate\" type=\"text/html\"",
			 below(e, s->languages[i].html, a), s->languages[i].tag);
	for (size_t i = 0; i < s->nlanguages; i++)
		put_link(b, "rel=\"related\" type=\"application/pdf\"",
			 below(e, s->languages[i].pdf, a), s->languages[i].tag);
	put_link(b, "rel=\"related\" type=\"application/json\"", below(e, STR("report.json"), a),
		 STR(""));
}

/* "2026-11-30: the weightiest news", cut between characters. */
static struct str entry_title(const struct store_edition *e, const struct news *n, struct arena *a)
{
	struct str said = n->n > 0 ? n->v[0] : e->summary.title;
	size_t at = 0, count = 0;

	while (at < said.len && count < TITLE_MAX) {
		str_next_utf8(said, &at);
		count++;
	}
	return str_printf(a, STR_FMT ": " STR_FMT "%s", STR_ARG(e->folder),
			  STR_ARG(str_slice(said, 0, at)), at < said.len ? "…" : "");
}

/* HTML for readers of feeds; links are whole where base_url is known, as many of them know no xml:base. */
static struct str content(const struct archive_options *opt, const struct store_edition *e,
                          const struct news *n, struct arena *a)
{
	struct strbuf b = { .arena = a };
	const struct summary *s = &e->summary;

	strbuf_add(&b, STR("<p>"));
	html_escape(&b, s->subtitle);
	if (n->counts.len > 0) {
		strbuf_add(&b, STR(". Figures, one a card and class: "));
		html_escape(&b, n->counts);
	}
	strbuf_add(&b, STR(".</p>"));
	for (size_t i = 0; i < n->n; i++) {
		strbuf_add(&b, i == 0 ? STR("<ul><li>") : STR("</li><li>"));
		html_escape(&b, n->v[i]);
	}
	strbuf_add(&b, n->n > 0 ? STR("</li></ul><p>") : STR("<p>"));
	for (size_t i = 0; i < s->nlanguages; i++) {
		strbuf_add(&b, i > 0 ? STR(" · <a href=\"") : STR("<a href=\""));
		html_escape(&b, opt->base_url);
		html_escape(&b, below(e, s->languages[i].html, a));
		strbuf_add(&b, STR("\">"));
		html_escape(&b, s->languages[i].name);
		strbuf_add(&b, STR("</a>"));
	}
	strbuf_add(&b, STR(" · id "));
	html_escape(&b, s->id);
	strbuf_add(&b, STR("</p>"));
	return strbuf_str(&b);
}

static void put_entry(struct strbuf *b, const struct archive_options *opt, const struct store *s,
                      size_t i, struct arena *a)
{
	const struct store_edition *e = &s->v[i];
	struct news n = news_of(s, i, a);
	struct str when = updated(e->date, e->revision, a);

	strbuf_add(b, STR("<entry>\n"));
	put(b, "id", "", feed_edition_id(e, a));
	put(b, "title", "", entry_title(e, &n, a));
	put(b, "updated", "", when);
	put(b, "published", "", when);
	put_links(b, e, a);
	for (int k = 0; k < NEWS_KINDS; k++)
		if (n.kind[k])
			strbuf_printf(b, "<category term=\"%s\"/>\n",
				      news_kind_name((enum news_kind)k));
	put(b, "summary", "", n.counts.len > 0 ? n.counts : e->summary.subtitle);
	put(b, "content", " type=\"html\"", content(opt, e, &n, a));
	strbuf_add(b, STR("</entry>\n"));
}

static void put_head(struct strbuf *b, const struct archive_options *opt, const struct store *s,
                     struct arena *a)
{
	/* a store is by date, then revision: its last is the last updated */
	const struct store_edition *last = s->n > 0 ? &s->v[s->n - 1] : NULL;

	strbuf_add(b, STR("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
			  "<feed xmlns=\"http://www.w3.org/2005/Atom\" xml:lang=\"en\""));
	if (opt->base_url.len > 0) {
		strbuf_add(b, STR(" xml:base=\""));
		xml_escape(b, opt->base_url);
		strbuf_addc(b, '"');
	}
	strbuf_add(b, STR(">\n"));
	put(b, "id", "", feed_id(opt, s, a));
	put(b, "title", "", archive_title(opt, s, a));
	put(b, "subtitle", "", STR("What changed from edition to edition"));
	put(b, "updated", "", last ? updated(last->date, last->revision, a) : STR("1970-01-01T00:00:00Z"));
	strbuf_add(b, STR("<author><name>gpuguide contributors</name></author>\n"));
	put(b, "rights", "",
	    STR("Figures are facts from the sources that each edition names with their licences."));
	if (last)
		put(b, "generator", "", last->summary.program);
	if (opt->base_url.len > 0)
		put_link(b, "rel=\"self\" type=\"application/atom+xml\"",
			 str_printf(a, STR_FMT "feed.xml", STR_ARG(opt->base_url)), STR(""));
	put_link(b, "rel=\"alternate\" type=\"text/html\"",
		 opt->base_url.len > 0 ? opt->base_url : STR("index.html"), STR(""));
}

bool feed_text(const struct archive_options *given, const struct store *s, struct arena *a,
               struct str *out, struct error *err)
{
	struct archive_options opt = *given;
	struct strbuf b = { .arena = a };

	if (!archive_base_url(given->base_url, a, &opt.base_url, err))
		return false;
	put_head(&b, &opt, s, a);
	for (size_t n = 0; n < FEED_ENTRIES && n < s->n; n++)
		put_entry(&b, &opt, s, s->n - 1 - n, a);
	strbuf_add(&b, STR("</feed>\n"));
	*out = strbuf_str(&b);
	return true;
}
