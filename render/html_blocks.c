#include "html_blocks.h"
#include "doc.h"
#include "html_escape.h"
#include "html_out.h"
#include "html_svg.h"

static void close_section(struct html *h)
{
	if (h->in_section)
		html_put(h, "</section>\n");
	h->in_section = false;
	if (h->chapters == 1 && h->first_end == 0)
		h->first_end = h->body.len;
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
	html_put(h, "<section");
	html_put_attribute(h, "aria-labelledby", id);
	html_put(h, ">\n");
	h->in_section = true;
	h->chapters++;
	strbuf_add(&h->nav, STR("<li><a href=\"#"));
	html_escape(&h->nav, id);
	strbuf_add(&h->nav, STR("\">"));
	html_escape(&h->nav, spans_text(h->arena, text));
	strbuf_add(&h->nav, STR("</a></li>\n"));
}

/* The anchor stands beside the heading, not in it: a heading's name is its words alone. */
static bool html_heading(void *ctx, int level, struct str id, const struct spans *text,
			 struct error *err)
{
	struct html *h = ctx;

	if (level < 2 || level > 6)
		return error_set(err, ERR_DATA, "html: heading of level %d", level);
	if (level == 2)
		open_chapter(h, id, text);
	strbuf_printf(&h->body, "<div class=\"head\"><h%d", level);
	if (id.len > 0)
		html_put_attribute(h, "id", id);
	html_put(h, ">");
	html_put_spans(h, text);
	strbuf_printf(&h->body, "</h%d>", level);
	html_put_anchor(h, id, spans_text(h->arena, text));
	html_put(h, "</div>\n");
	return true;
}

static bool html_text(void *ctx, const struct spans *text, struct error *err)
{
	struct html *h = ctx;

	(void)err;
	html_put(h, "<p>");
	html_put_spans(h, text);
	html_put(h, "</p>\n");
	return true;
}

static bool html_note(void *ctx, enum note_tone tone, const struct spans *text, struct error *err)
{
	struct html *h = ctx;

	(void)err;
	html_put(h, tone == NOTE_WARN ? "<div class=\"note warn\" role=\"note\"><p>"
				      : "<div class=\"note\" role=\"note\"><p>");
	html_put_spans(h, text);
	html_put(h, "</p></div>\n");
	return true;
}

static bool html_list(void *ctx, const struct spans *items, size_t n, struct error *err)
{
	struct html *h = ctx;

	(void)err;
	html_put(h, "<ul>\n");
	for (size_t i = 0; i < n; i++) {
		html_put(h, "<li>");
		html_put_spans(h, &items[i]);
		html_put(h, "</li>\n");
	}
	html_put(h, "</ul>\n");
	return true;
}

static bool html_code(void *ctx, const struct spans *text, struct error *err)
{
	struct html *h = ctx;

	(void)err;
	/* one element around the whole: a <code> of each span would break the lines' look */
	html_put(h, "<pre tabindex=\"0\"><code>");
	html_put_text(h, spans_text(h->arena, text));
	html_put(h, "</code></pre>\n");
	return true;
}

static bool html_table(void *ctx, const struct report_table *t, struct error *err)
{
	(void)err;
	html_put_table(ctx, t);
	return true;
}

/* The drawing's own root has the id of the figure. */
static bool html_figure(void *ctx, const struct report_figure *f, struct error *err)
{
	struct html *h = ctx;
	struct str prefix = str_printf(h->arena, "f%zu", ++h->figures), svg;

	if (!html_svg(f->svg, str_c(h->arena, f->id), prefix, h->arena, &svg, err))
		return false;
	html_put(h, "<figure>\n<div class=\"scroll\" role=\"group\" tabindex=\"0\"");
	html_put_attribute(h, "aria-label", f->title);
	html_put(h, ">\n");
	strbuf_add(&h->body, svg); /* its texts are escaped again where it was made small */
	html_put(h, "\n</div>\n<figcaption><div class=\"head\"><strong>");
	html_put_text(h, f->title);
	html_put(h, "</strong>");
	html_put_anchor(h, f->id, f->title);
	html_put(h, "</div>\n");
	html_put_text(h, f->caption);
	html_put(h, "\n");
	html_put_files(h, f->csv_href, f->svg_href);
	html_put(h, "</figcaption>\n</figure>\n");
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

/* "~" of "~{figure}". */
static bool sign(const struct text_catalogue *text, const char *key, struct arena *a,
		 struct str *out, struct error *err)
{
	const struct text_arg args[] = { text_arg("figure", STR("")), text_arg_end() };

	if (!text_plain(text, key, args, a, out, err))
		return false;
	*out = str_trim(*out);
	return true;
}

bool html_blocks(const struct report *r, const struct text_catalogue *text, struct arena *a,
		 struct html_parts *out, struct error *err)
{
	struct html h = { .nav = { .arena = a }, .body = { .arena = a }, .arena = a };

	if (!text_plain(text, "page.link", NULL, a, &h.words.link, err)
	    || !text_plain(text, "page.signs", NULL, a, &h.words.signs, err)
	    || !sign(text, "sign.scaled", a, &h.words.scaled, err)
	    || !sign(text, "sign.estimated", a, &h.words.estimated, err)
	    || !doc_walk(r, &ops, &h, err))
		return false;
	struct str body = strbuf_str(&h.body);
	*out = (struct html_parts){ .nav = strbuf_str(&h.nav),
				    .first = str_slice(body, 0, h.first_end),
				    .rest = str_slice(body, h.first_end, body.len) };
	return true;
}
