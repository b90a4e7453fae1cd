#include "html_out.h"
#include "href.h"
#include "html_escape.h"

void html_put(struct html *h, const char *markup)
{
	strbuf_add(&h->body, str_of(markup));
}

void html_put_text(struct html *h, struct str text)
{
	html_escape(&h->body, text);
}

void html_put_attribute(struct html *h, const char *name, struct str value)
{
	strbuf_printf(&h->body, " %s=\"", name);
	html_put_text(h, value);
	html_put(h, "\"");
}

void html_put_link(struct html *h, struct str text, struct str href)
{
	bool link = href_safe(href);

	if (link) {
		html_put(h, "<a");
		html_put_attribute(h, "href", href);
		html_put(h, ">");
	}
	html_put_text(h, text);
	if (link)
		html_put(h, "</a>");
}

void html_put_spans(struct html *h, const struct spans *s)
{
	for (size_t i = 0; i < s->n; i++) {
		const struct span *span = &s->v[i];
		if (span->strong)
			html_put(h, "<strong>");
		if (span->code)
			html_put(h, "<code>");
		if (span->lang.len > 0) {
			html_put(h, "<span");
			html_put_attribute(h, "lang", span->lang);
			html_put(h, ">");
		}
		html_put_link(h, span->text, span->href);
		if (span->lang.len > 0)
			html_put(h, "</span>");
		if (span->code)
			html_put(h, "</code>");
		if (span->strong)
			html_put(h, "</strong>");
	}
}

void html_put_anchor(struct html *h, struct str id, struct str title)
{
	struct str href = str_printf(h->arena, "#" STR_FMT, STR_ARG(id));

	if (!href_safe(href))
		return;
	html_put(h, "<a class=\"anchor\"");
	html_put_attribute(h, "href", href);
	html_put_attribute(h, "aria-label",
			   str_printf(h->arena, STR_FMT ": " STR_FMT, STR_ARG(h->words.link),
				      STR_ARG(title)));
	html_put(h, ">#</a>");
}

static struct str file_name(struct str path)
{
	size_t from = path.len;

	while (from > 0 && path.p[from - 1] != '/')
		from--;
	return str_slice(path, from, path.len);
}

void html_put_files(struct html *h, struct str csv, struct str svg)
{
	const struct {
		const char *kind;
		struct str href;
	} files[] = { { "CSV", csv }, { "SVG", svg } };

	if (!href_safe(csv) && !href_safe(svg))
		return;
	html_put(h, "<p class=\"files\">");
	for (size_t i = 0; i < LEN(files); i++) {
		if (!href_safe(files[i].href))
			continue;
		html_put(h, "<a");
		html_put_attribute(h, "href", files[i].href);
		strbuf_printf(&h->body, "><b>%s</b> ", files[i].kind);
		html_put_text(h, file_name(files[i].href));
		html_put(h, "</a>");
	}
	html_put(h, "</p>\n");
}
