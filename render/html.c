#include "html.h"
#include "base64.h"
#include "doc.h"
#include "href.h"
#include "html_escape.h"
#include "template.h"
#include "../base/file.h"

#include <string.h>

/* State of one page. */
struct html {
	struct strbuf nav, body;
	struct arena *arena;
	bool in_section;
};

static void put(struct html *h, const char *markup)
{
	strbuf_add(&h->body, str_of(markup));
}

static void put_text(struct html *h, struct str text)
{
	html_escape(&h->body, text);
}

static void put_attribute(struct html *h, const char *name, struct str value)
{
	strbuf_printf(&h->body, " %s=\"", name);
	put_text(h, value);
	put(h, "\"");
}

static void put_link(struct html *h, struct str text, struct str href)
{
	bool link = href_safe(href);

	if (link) {
		put(h, "<a");
		put_attribute(h, "href", href);
		put(h, ">");
	}
	put_text(h, text);
	if (link)
		put(h, "</a>");
}

static void put_spans(struct html *h, const struct spans *s)
{
	for (size_t i = 0; i < s->n; i++) {
		const struct span *span = &s->v[i];
		if (span->strong)
			put(h, "<strong>");
		if (span->code)
			put(h, "<code>");
		put_link(h, span->text, span->href);
		if (span->code)
			put(h, "</code>");
		if (span->strong)
			put(h, "</strong>");
	}
}

static void close_section(struct html *h)
{
	if (h->in_section)
		put(h, "</section>\n");
	h->in_section = false;
}

static bool html_begin(void *ctx, const struct report *r, struct error *err)
{
	(void)ctx;
	(void)r;
	(void)err;
	return true;
}

static void open_chapter(struct html *h, struct str id, const struct spans *text)
{
	close_section(h);
	put(h, "<section");
	put_attribute(h, "aria-labelledby", id);
	put(h, ">\n");
	h->in_section = true;
	strbuf_add(&h->nav, STR("<li><a href=\"#"));
	html_escape(&h->nav, id);
	strbuf_add(&h->nav, STR("\">"));
	html_escape(&h->nav, spans_text(h->arena, text));
	strbuf_add(&h->nav, STR("</a></li>\n"));
}

static bool html_heading(void *ctx, int level, struct str id, const struct spans *text,
			 struct error *err)
{
	struct html *h = ctx;

	if (level < 2 || level > 6)
		return error_set(err, ERR_DATA, "html: heading of level %d", level);
	if (level == 2)
		open_chapter(h, id, text);
	strbuf_printf(&h->body, "<h%d", level);
	if (id.len > 0)
		put_attribute(h, "id", id);
	put(h, ">");
	put_spans(h, text);
	strbuf_printf(&h->body, "</h%d>\n", level);
	return true;
}

static bool html_text(void *ctx, const struct spans *text, struct error *err)
{
	struct html *h = ctx;

	(void)err;
	put(h, "<p>");
	put_spans(h, text);
	put(h, "</p>\n");
	return true;
}

static bool html_note(void *ctx, enum note_tone tone, const struct spans *text, struct error *err)
{
	struct html *h = ctx;

	put(h, tone == NOTE_WARN ? "<div class=\"note warn\" role=\"note\">"
				 : "<div class=\"note\" role=\"note\">");
	html_text(ctx, text, err);
	h->body.len--; /* the newline: the paragraph ends inside the box */
	put(h, "</div>\n");
	return true;
}

static bool html_list(void *ctx, const struct spans *items, size_t n, struct error *err)
{
	struct html *h = ctx;

	(void)err;
	put(h, "<ul>\n");
	for (size_t i = 0; i < n; i++) {
		put(h, "<li>");
		put_spans(h, &items[i]);
		put(h, "</li>\n");
	}
	put(h, "</ul>\n");
	return true;
}

static bool html_code(void *ctx, const struct spans *text, struct error *err)
{
	struct html *h = ctx;

	(void)err;
	/* one element around the whole: a <code> of each span would break the lines' look */
	put(h, "<pre tabindex=\"0\"><code>");
	put_text(h, spans_text(h->arena, text));
	put(h, "</code></pre>\n");
	return true;
}

static const char *const tone_class[] = {
	[TONE_PLAIN] = "",
	[TONE_STRONG] = " strong",
	[TONE_MUTED] = " muted",
	[TONE_WARN] = " warned",
};

/* A text column of this share of the page or more holds sentences: a small screen must not squeeze
 * it to a word a line. */
static const double long_weight = 2.5;

static void put_cell(struct html *h, const struct report_column *column,
		     const struct report_cell *cell)
{
	const char *tag = column->row_header ? "th" : "td";

	strbuf_printf(&h->body, "<%s%s class=\"%s%s%s\">", tag,
		      column->row_header ? " scope=\"row\"" : "", column->numeric ? "num" : "text",
		      !column->numeric && column->weight >= long_weight ? " long" : "",
		      tone_class[cell->tone]);
	if (cell->text.len > 0)
		put_link(h, cell->text, cell->href);
	else
		put(h, "<span class=\"missing\">–</span>");
	strbuf_printf(&h->body, "</%s>", tag);
}

/* Addresses of files beside the page; each is its own text, so no word needs a translation. */
static void put_files(struct html *h, struct str csv, struct str svg)
{
	const struct str files[] = { csv, svg };

	if (csv.len == 0 && svg.len == 0)
		return;
	put(h, "<p class=\"files\">");
	for (size_t i = 0; i < LEN(files); i++)
		if (files[i].len > 0)
			put_link(h, files[i], files[i]);
	put(h, "</p>\n");
}

static void put_rows(struct html *h, const struct report_table *t)
{
	put(h, "<thead><tr>");
	for (size_t c = 0; c < t->ncolumns; c++) {
		strbuf_printf(&h->body, "<th scope=\"col\" class=\"%s\">",
			      t->columns[c].numeric ? "num" : "text");
		put_text(h, t->columns[c].title);
		put(h, "</th>");
	}
	put(h, "</tr></thead>\n<tbody>\n");
	for (size_t r = 0; r < t->nrows; r++) {
		put(h, "<tr>");
		for (size_t c = 0; c < t->ncolumns; c++)
			put_cell(h, &t->columns[c], &t->cells[r * t->ncolumns + c]);
		put(h, "</tr>\n");
	}
	put(h, "</tbody></table></div>\n");
}

static bool html_table(void *ctx, const struct report_table *t, struct error *err)
{
	struct html *h = ctx;

	(void)err;
	if (t->folded) {
		put(h, "<details><summary>");
		put_text(h, t->caption);
		put(h, "</summary>\n");
	}
	put(h, "<div class=\"table\"");
	if (t->id.len > 0)
		put_attribute(h, "id", t->id);
	/* the region scrolls sideways on a small screen, so it takes the keyboard's focus and has a
	 * name */
	put(h, ">\n<div class=\"scroll\" role=\"region\" tabindex=\"0\"");
	put_attribute(h, "aria-label", t->caption);
	put(h, ">\n<table><caption><span>");
	put_text(h, t->caption);
	put(h, "</span></caption>\n");
	put_rows(h, t);
	put_files(h, t->csv_href, STR(""));
	put(h, "</div>\n");
	if (t->folded)
		put(h, "</details>\n");
	return true;
}

static bool html_figure(void *ctx, const struct report_figure *f, struct error *err)
{
	struct html *h = ctx;

	(void)err;
	/* the drawing's own root has the id of the figure */
	put(h, "<figure>\n<div class=\"scroll\" role=\"region\" tabindex=\"0\"");
	put_attribute(h, "aria-label", f->title);
	put(h, ">\n");
	strbuf_add(&h->body, f->svg); /* our own drawing, its labels escaped where it was made */
	put(h, "\n</div>\n<figcaption><strong>");
	put_text(h, f->title);
	put(h, "</strong> ");
	put_text(h, f->caption);
	put(h, "\n");
	put_files(h, f->csv_href, f->svg_href);
	put(h, "</figcaption>\n</figure>\n");
	return true;
}

static bool html_end(void *ctx, struct error *err)
{
	(void)err;
	close_section(ctx);
	return true;
}

static const struct doc_ops ops = {
	.begin = html_begin,
	.heading = html_heading,
	.text = html_text,
	.note = html_note,
	.list = html_list,
	.table = html_table,
	.figure = html_figure,
	.code = html_code,
	.end = html_end,
};

/* A @@NAME@@ of page.html. raw: markup that goes in as it is. */
struct slot {
	const char *name;
	struct str value;
	bool raw;
};

static bool put_slot(struct strbuf *out, struct str name, const struct slot *slots, size_t n)
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

static bool fill_page(struct str page, const char *file, const struct slot *slots, size_t n,
		      struct arena *a, struct str *out, struct error *err)
{
	struct strbuf b = { .arena = a };
	size_t at = 0;

	while (at < page.len) {
		size_t open = str_find(page, STR("@@"), at);
		strbuf_add(&b, str_slice(page, at, open));
		if (open == page.len)
			break;
		size_t close = str_find(page, STR("@@"), open + 2);
		struct str name = str_slice(page, open + 2, close);
		if (close == page.len || !put_slot(&b, name, slots, n))
			return error_at(err, ERR_SYNTAX, (struct pos){ .file = file },
					"'@@" STR_FMT "' is not a name to fill in",
					STR_ARG(str_slice(name, 0, 40)));
		at = close + 2;
	}
	*out = strbuf_str(&b);
	return true;
}

/* Nothing is loaded and nothing runs; the one style sheet is let in by its checksum. */
static struct str content_policy(struct str css, struct arena *a)
{
	return str_printf(a,
			  "default-src 'none'; style-src 'sha256-" STR_FMT "'; img-src data:; "
			  "base-uri 'none'; form-action 'none'",
			  STR_ARG(base64_of_hex(a, file_sha256(a, css))));
}

bool html_write(const struct report *r, const char *templates_dir, struct arena *a, struct str *out,
		struct error *err)
{
	struct html h = { .nav = { .arena = a }, .body = { .arena = a }, .arena = a };
	const char *page_file = str_c(a, file_join(a, str_of(templates_dir), STR("page.html")));
	const char *css_file = str_c(a, file_join(a, str_of(templates_dir), STR("report.css")));
	struct str page, css;

	if (!template_read(page_file, a, &page, err) || !template_read(css_file, a, &css, err)
	    || !doc_walk(r, &ops, &h, err))
		return false;
	if (str_find(css, STR("</"), 0) < css.len)
		return error_at(err, ERR_SYNTAX, (struct pos){ .file = css_file },
				"'</' would end the style element");
	const struct slot slots[] = {
		{ "LANG", r->language, false },         { "CSP", content_policy(css, a), false },
		{ "GENERATOR", r->generator, false },   { "TITLE", r->title, false },
		{ "SUBTITLE", r->subtitle, false },     { "DATE", date_iso(a, r->date), false },
		{ "EDITION_ID", r->edition_id, false }, { "CSS", css, true },
		{ "NAV", strbuf_str(&h.nav), true },    { "BODY", strbuf_str(&h.body), true },
	};
	return fill_page(page, page_file, slots, LEN(slots), a, out, err);
}
