#include "svg_tree.h"

#include <expat.h>
#include <string.h>

struct reader {
	XML_Parser parser;
	struct arena *arena;
	const char *file;
	struct svg_node *open[SVG_DEPTH_MAX]; /* open elements, outermost first */
	size_t depth, nodes;
	struct svg_node *root;
	bool failed;
	struct error *err;
};

static struct pos here(const struct reader *r)
{
	return (struct pos){ r->file, (int)XML_GetCurrentLineNumber(r->parser),
			     (int)XML_GetCurrentColumnNumber(r->parser) + 1 };
}

static void refuse(struct reader *r, const char *what)
{
	if (!r->failed)
		error_at(r->err, ERR_DATA, here(r), "svg: %s", what);
	r->failed = true;
	XML_StopParser(r->parser, XML_FALSE);
}

static struct svg_node *node_new(struct reader *r)
{
	if (++r->nodes > SVG_NODES_MAX) {
		refuse(r, "too many elements");
		return NULL;
	}

	struct svg_node *n = arena_alloc(r->arena, sizeof *n);

	n->pos = here(r);
	if (r->depth > 0) {
		struct svg_node *parent = r->open[r->depth - 1];

		if (parent->last)
			parent->last->next = n;
		else
			parent->first = n;
		parent->last = n;
	}
	return n;
}

static void attrs_copy(struct reader *r, struct svg_node *n, const XML_Char **attrs)
{
	while (attrs[2 * n->nattrs])
		n->nattrs++;
	n->attrs = arena_array(r->arena, n->nattrs, sizeof *n->attrs);
	for (size_t i = 0; i < n->nattrs; i++) {
		n->attrs[i].name = str_dup(r->arena, str_of(attrs[2 * i]));
		n->attrs[i].value = str_dup(r->arena, str_of(attrs[2 * i + 1]));
	}
}

static void on_start(void *ctx, const XML_Char *name, const XML_Char **attrs)
{
	struct reader *r = ctx;

	if (r->failed)
		return;
	if (r->depth == SVG_DEPTH_MAX) {
		refuse(r, "elements nested too deeply");
		return;
	}
	if (r->depth == 0 && strcmp(name, "svg") != 0) {
		refuse(r, "the outermost element is not <svg>");
		return;
	}

	struct svg_node *n = node_new(r);

	if (!n)
		return;
	n->name = str_dup(r->arena, str_of(name));
	attrs_copy(r, n, attrs);
	if (r->depth == 0)
		r->root = n;
	r->open[r->depth++] = n;
}

static void on_end(void *ctx, const XML_Char *name)
{
	struct reader *r = ctx;

	(void)name;
	if (!r->failed)
		r->depth--;
}

static void on_text(void *ctx, const XML_Char *p, int len)
{
	struct reader *r = ctx;

	if (r->failed || r->depth == 0)
		return;

	struct svg_node *n = node_new(r);

	if (n)
		n->text = str_dup(r->arena, (struct str){ p, (size_t)len });
}

static void on_doctype(void *ctx, const XML_Char *name, const XML_Char *sysid,
		       const XML_Char *pubid, int internal)
{
	(void)name, (void)sysid, (void)pubid, (void)internal;
	refuse(ctx, "a document type is refused");
}

static bool parse_all(struct reader *r, struct str text)
{
	XML_SetUserData(r->parser, r);
	XML_SetElementHandler(r->parser, on_start, on_end);
	XML_SetCharacterDataHandler(r->parser, on_text);
	XML_SetStartDoctypeDeclHandler(r->parser, on_doctype);
	if (XML_Parse(r->parser, text.p ? text.p : "", (int)text.len, 1) == XML_STATUS_OK)
		return true;
	if (!r->failed)
		error_at(r->err, ERR_SYNTAX, here(r), "svg: %s",
			 XML_ErrorString(XML_GetErrorCode(r->parser)));
	return false;
}

bool svg_tree_parse(struct str text, const char *name, struct arena *a, struct svg_node **root,
		    struct error *err)
{
	struct reader r = { .arena = a, .file = name, .err = err };
	struct pos start = { name, 0, 0 };

	if (text.len > SVG_BYTES_MAX)
		return error_at(err, ERR_DATA, start, "svg: larger than %d bytes", SVG_BYTES_MAX);
	r.parser = XML_ParserCreate("UTF-8"); /* whatever the prolog claims: we write UTF-8 only */
	if (!r.parser)
		return error_at(err, ERR_ENVIRONMENT, start, "svg: expat cannot start");
	/* Fixed, so that not even expat's hash tables depend on chance. */
	XML_SetHashSalt(r.parser, 1);

	bool good = parse_all(&r, text);

	XML_ParserFree(r.parser);
	*root = r.root;
	return good;
}

const struct str *svg_attr(const struct svg_node *n, struct str name)
{
	for (size_t i = 0; i < n->nattrs; i++)
		if (str_eq(n->attrs[i].name, name))
			return &n->attrs[i].value;
	return NULL;
}

void svg_text_add(const struct svg_node *n, struct strbuf *b)
{
	strbuf_add(b, n->text);
	for (const struct svg_node *c = n->first; c; c = c->next)
		svg_text_add(c, b);
}

static bool xml_allows(unsigned c)
{
	return c == '\t' || c == '\n' || c == '\r' || (c >= 0x20 && c != 0xFFFE && c != 0xFFFF);
}

void svg_escape(struct strbuf *b, struct str text)
{
	for (size_t at = 0; at < text.len;) {
		size_t from = at;
		unsigned c = str_next_utf8(text, &at);

		switch (c) {
		case '<':
			strbuf_add(b, STR("&lt;"));
			break;
		case '>':
			strbuf_add(b, STR("&gt;"));
			break;
		case '&':
			strbuf_add(b, STR("&amp;"));
			break;
		case '"':
			strbuf_add(b, STR("&quot;"));
			break;
		case '\'':
			strbuf_add(b, STR("&#39;"));
			break;
		default:
			/* a malformed byte reads as U+FFFD too: its bytes must not be copied */
			if (xml_allows(c) && c != 0xFFFD)
				strbuf_add(b, str_slice(text, from, at));
			else
				strbuf_add(b, STR("\xEF\xBF\xBD"));
		}
	}
}
