#include "html.h"
#include "base64.h"
#include "html_blocks.h"
#include "html_escape.h"
#include "html_meta.h"
#include "html_prices.h"
#include "../base/file.h"
#include "../catalogue/template.h"

#include <string.h>

/* The maintainer's files that make a page. */
struct templates {
	const char *page_file;
	struct str page, css, js;
};

/* A @@NAME@@ of page.html. raw: markup that goes in as it is. */
struct slot {
	const char *name;
	struct str value;
	bool raw;
};

/* What fills a page. */
struct filler {
	const struct slot *slots;
	size_t n;
	const struct text_catalogue *text;
	struct arena *arena;
	struct error *err;
};

/* A name with a dot is a message; the caller says where an unknown name stands. */
static bool put_slot(struct strbuf *out, struct str name, const struct filler *f, bool *known)
{
	struct str said;

	*known = true;
	for (size_t i = 0; i < f->n; i++) {
		if (!str_eq(name, str_of(f->slots[i].name)))
			continue;
		if (f->slots[i].raw)
			strbuf_add(out, f->slots[i].value);
		else
			html_escape(out, f->slots[i].value);
		return true;
	}
	*known = str_find(name, STR("."), 0) < name.len;
	if (!*known
	    || !text_plain(f->text, str_c(f->arena, name), NULL, f->arena, &said, f->err))
		return false;
	html_escape(out, said);
	return true;
}

static bool fill_page(const struct templates *t, const struct filler *f, struct str *out)
{
	struct strbuf b = { .arena = f->arena };
	struct str page = t->page;
	bool known = false;

	for (size_t at = 0; at < page.len;) {
		size_t open = str_find(page, STR("@@"), at);
		strbuf_add(&b, str_slice(page, at, open));
		if (open == page.len)
			break;
		size_t close = str_find(page, STR("@@"), open + 2);
		struct str name = str_slice(page, open + 2, close);
		if (close < page.len && !put_slot(&b, name, f, &known) && known)
			return false; /* a message that is missing: said by the catalogue */
		if (close == page.len || !known)
			return error_at(f->err, ERR_SYNTAX, (struct pos){ .file = t->page_file },
					"'@@" STR_FMT "' is not a name to fill in",
					STR_ARG(str_slice(name, 0, 40)));
		at = close + 2;
	}
	*out = strbuf_str(&b);
	return true;
}

/* Nothing is loaded but pictures beside the page; checksums let sheet and script in. */
static struct str content_policy(const struct templates *t, struct arena *a)
{
	return str_printf(a,
			  "default-src 'none'; style-src 'sha256-" STR_FMT "'; "
			  "script-src 'sha256-" STR_FMT "'; img-src 'self' data:; "
			  "base-uri 'none'; form-action 'none'",
			  STR_ARG(base64_of_hex(a, file_sha256(a, t->css))),
			  STR_ARG(base64_of_hex(a, file_sha256(a, t->js))));
}

/* Sheet and script stand in elements whose end no quoting protects. */
static bool check_raw(struct str text, const char *file, const char *element, struct error *err)
{
	static const char *const ends[] = { "</", "<!--" };

	for (size_t i = 0; i < LEN(ends); i++)
		if (str_find(text, str_of(ends[i]), 0) < text.len)
			return error_at(err, ERR_SYNTAX, (struct pos){ .file = file },
					"'%s' would end the %s element", ends[i], element);
	return true;
}

static bool read_raw(const char *dir, struct str name, const char *element, struct arena *a,
		     struct str *out, struct error *err)
{
	const char *file = str_c(a, file_join(a, str_of(dir), name));

	return template_read(file, a, out, err) && check_raw(*out, file, element, err);
}

static bool read_templates(const char *dir, struct arena *a, struct templates *t, struct error *err)
{
	t->page_file = str_c(a, file_join(a, str_of(dir), STR("page.html")));
	return template_read(t->page_file, a, &t->page, err)
	       && read_raw(dir, STR("report.css"), "style", a, &t->css, err)
	       && read_raw(dir, STR("report.js"), "script", a, &t->js, err);
}

/* The document that the script reads; {} leaves it without readers' own prices. */
static bool price_data(const struct report *r, const struct html_input *in, struct arena *a,
		       struct str *out, struct error *err)
{
	struct strbuf b = { .arena = a };
	struct str json = STR("{}");

	if (in->data && !html_prices_json(r, in->data, in->devices, in->text, a, &json, err))
		return false;
	html_put_json(&b, json);
	*out = strbuf_str(&b);
	return true;
}

static struct str dataset(const struct report *r, const struct html_input *in, struct arena *a)
{
	struct strbuf b = { .arena = a };

	html_put_json(&b, html_meta_dataset(r, in->data, a));
	return strbuf_str(&b);
}

static struct str pdf_href(const struct report *r)
{
	for (size_t i = 0; i < r->nalternates; i++)
		if (str_eq(r->alternates[i].language, r->language))
			return r->alternates[i].pdf_href;
	return STR("report.pdf");
}

bool html_write(const struct report *r, const struct html_input *in, struct arena *a,
		struct str *out, struct error *err)
{
	struct templates t;
	struct html_parts parts;
	struct str languages, prices;

	if (!read_templates(in->templates_dir, a, &t, err)
	    || !html_blocks(r, in->text, a, &parts, err)
	    || !text_plain(in->text, "page.languages", NULL, a, &languages, err)
	    || !price_data(r, in, a, &prices, err))
		return false;
	const struct slot slots[] = {
		{ "LANG", r->language, false },
		{ "CSP", content_policy(&t, a), false },
		{ "GENERATOR", r->generator, false },
		{ "TITLE", r->title, false },
		{ "SUBTITLE", r->subtitle, false },
		{ "DATE", date_iso(a, r->date), false },
		{ "EDITION_ID", r->edition_id, false },
		{ "PDF", pdf_href(r), false },
		{ "META", html_meta_head(r, a), true },
		{ "LANGUAGES", html_meta_languages(r, languages, a), true },
		{ "DATASET", dataset(r, in, a), true },
		{ "CSS", t.css, true },
		{ "JS", t.js, true },
		{ "PRICES", prices, true },
		{ "NAV", parts.nav, true },
		{ "FIRST", parts.first, true },
		{ "REST", parts.rest, true },
	};
	const struct filler f = { slots, LEN(slots), in->text, a, err };
	return fill_page(&t, &f, out);
}
