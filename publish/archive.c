#include "archive.h"
#include "archive_parts.h"
#include "feed.h"

#include "../base/file.h"
#include "../catalogue/template.h"
#include "../render/base64.h"
#include "../render/href.h"
#include "../render/html_escape.h"

/* A @@NAME@@ of archive.html. raw: markup that goes in as it is. */
struct slot {
	const char *name;
	struct str value;
	bool raw;
};

struct templates {
	const char *page_file;
	struct str page, css, js;
};

/* Sheet and script stand in elements whose end no quoting protects. */
static bool read_raw(const char *dir, const char *name, struct arena *a, struct str *out,
                     struct error *err)
{
	const char *file = str_c(a, file_join(a, str_of(dir), str_of(name)));

	if (!template_read(file, a, out, err))
		return false;
	if (str_find(*out, STR("</"), 0) < out->len || str_find(*out, STR("<!--"), 0) < out->len)
		return error_at(err, ERR_SYNTAX, (struct pos){ .file = file },
				"'</' or '<!--' would end the element it stands in");
	return true;
}

/* The report's sheet first: the archive looks as the editions do. */
static bool read_templates(const char *dir, struct arena *a, struct templates *t, struct error *err)
{
	struct str report, archive;

	t->page_file = str_c(a, file_join(a, str_of(dir), STR("archive.html")));
	if (!template_read(t->page_file, a, &t->page, err)
	    || !read_raw(dir, "report.css", a, &report, err)
	    || !read_raw(dir, "archive.css", a, &archive, err)
	    || !read_raw(dir, "archive.js", a, &t->js, err))
		return false;
	t->css = str_printf(a, STR_FMT STR_FMT, STR_ARG(report), STR_ARG(archive));
	return true;
}

static struct str content_policy(const struct templates *t, struct arena *a)
{
	return str_printf(a,
			  "default-src 'none'; style-src 'sha256-" STR_FMT "'; "
			  "script-src 'sha256-" STR_FMT "'; img-src data:; "
			  "base-uri 'none'; form-action 'none'",
			  STR_ARG(base64_of_hex(a, file_sha256(a, t->css))),
			  STR_ARG(base64_of_hex(a, file_sha256(a, t->js))));
}

static bool put_slot(struct strbuf *out, const struct slot *slots, size_t n, struct str name)
{
	for (size_t i = 0; i < n; i++) {
		if (!str_eq(name, str_of(slots[i].name)))
			continue;
		if (slots[i].raw)
			strbuf_add(out, slots[i].value);
		else
			html_escape(out, slots[i].value);
		return true;
	}
	return false;
}

static bool fill(const struct templates *t, const struct slot *slots, size_t n, struct arena *a,
                 struct str *out, struct error *err)
{
	struct strbuf b = { .arena = a };
	struct str page = t->page;

	for (size_t at = 0; at < page.len;) {
		size_t open = str_find(page, STR("@@"), at), close;
		strbuf_add(&b, str_slice(page, at, open));
		if (open == page.len)
			break;
		close = str_find(page, STR("@@"), open + 2);
		struct str name = str_slice(page, open + 2, close);
		if (close == page.len || !put_slot(&b, slots, n, name))
			return error_at(err, ERR_SYNTAX, (struct pos){ .file = t->page_file },
					"'@@" STR_FMT "' is not a name to fill in",
					STR_ARG(str_slice(name, 0, 40)));
		at = close + 2;
	}
	*out = strbuf_str(&b);
	return true;
}

static bool is_one_of(char c, const char *set)
{
	for (; *set; set++)
		if (*set == c)
			return true;
	return false;
}

bool archive_base_url(struct str url, struct arena *a, struct str *out, struct error *err)
{
	bool good = str_starts(url, STR("https://")) || str_starts(url, STR("http://"));
	size_t host = str_find(url, STR("://"), 0) + 3;

	*out = url;
	if (url.len == 0)
		return true;
	good = good && href_safe(url) && host < url.len && url.p[host] != '/';
	for (size_t i = host; good && i < url.len; i++)
		good = !is_one_of(url.p[i], "?#@");
	if (!good)
		return error_set(err, ERR_RANGE,
				 "base_url: '" STR_FMT "' is not an http or https address without "
				 "query, fragment and user",
				 STR_ARG(str_plain(a, str_slice(url, 0, 100))));
	if (url.p[url.len - 1] != '/')
		*out = str_printf(a, STR_FMT "/", STR_ARG(url));
	return true;
}

struct str archive_title(const struct archive_options *opt, const struct store *s, struct arena *a)
{
	if (opt->title.len > 0)
		return str_plain(a, opt->title);
	return s->n > 0 ? s->v[s->n - 1].summary.title : STR("GPU guide");
}

static struct str canonical(struct str base_url, struct arena *a)
{
	struct strbuf b = { .arena = a };

	if (base_url.len == 0)
		return STR("");
	strbuf_add(&b, STR("<link rel=\"canonical\" href=\""));
	html_escape(&b, base_url);
	strbuf_add(&b, STR("\">\n"));
	return strbuf_str(&b);
}

bool archive_page(const struct archive_options *given, const struct store *s, struct arena *a,
                  struct str *out, struct error *err)
{
	struct archive_options opt = *given;
	struct news *news = arena_array(a, s->n, sizeof *news);
	struct templates t;

	if (!read_templates(opt.templates_dir, a, &t, err)
	    || !archive_base_url(given->base_url, a, &opt.base_url, err))
		return false;
	for (size_t i = 0; i < s->n; i++)
		news[i] = news_of(s, i, a);
	const struct archive_parts p = { &opt, s, news, archive_title(&opt, s, a), a };
	const struct slot slots[] = {
		{ "CSP", content_policy(&t, a), false },
		{ "DESCRIPTION", archive_description(&p), false },
		{ "TITLE", p.title, false },
		{ "CANONICAL", canonical(opt.base_url, a), true },
		{ "CSS", t.css, true },
		{ "JS", t.js, true },
		{ "CATALOG", archive_catalog(&p), true },
		{ "LATEST", archive_latest_links(&p), true },
		{ "BANNER", archive_banner(&p), true },
		{ "NEWEST", archive_newest(&p), true },
		{ "EDITIONS", archive_editions(&p), true },
		{ "REMOVED", archive_removed_list(&p), true },
	};
	return fill(&t, slots, LEN(slots), a, out, err);
}

/* A file that holds these bytes already is left alone: its time of change tells readers' caches. */
static bool write_if_new(const char *path, struct str data, struct arena *a, bool *changed,
                         struct error *err)
{
	struct error ignored = { .code = ERR_NONE };
	struct str old;

	if (file_exists(path) && file_read(path, data.len, a, &old, &ignored) && str_eq(old, data))
		return true;
	*changed = true;
	return file_write(path, data, err);
}

bool archive_write(const struct archive_options *opt, const struct store *s, struct arena *a,
                   bool *changed, struct error *err)
{
	struct str out_dir = str_of(opt->out_dir), page, feed;
	bool wrote = false;
	bool good = archive_page(opt, s, a, &page, err) && feed_text(opt, s, a, &feed, err)
		    && write_if_new(str_c(a, file_join(a, out_dir, STR("index.html"))), page, a,
				    &wrote, err)
		    && write_if_new(str_c(a, file_join(a, out_dir, STR("feed.xml"))), feed, a,
				    &wrote, err);

	if (changed)
		*changed = wrote;
	return good;
}
