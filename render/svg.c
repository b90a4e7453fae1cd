#include "svg.h"

#include "svg_tree.h"
#include "svg_value.h"
#include "../base/map.h"

struct cleaner {
	struct str id;
	struct arena *arena;
	struct error *err;
	struct map ids; /* every id of the document; value: 1 when something drawn refers to it */
	struct map patterns; /* a pattern written out without its id -> index into pattern_ids */
	struct str *pattern_ids;
	size_t npatterns, pattern_cap;
	struct map aliases; /* id of a merged pattern -> index into pattern_ids */
};

/* What happens to an element. gnuplot's svg terminal writes no other. */
enum element_rule { ELEMENT_KEEP, ELEMENT_DROP, ELEMENT_GROUP, ELEMENT_PATTERN, ELEMENT_TEXT };
static const struct {
	struct str name;
	enum element_rule rule;
} elements[] = {
	{ STR_INIT("g"), ELEMENT_GROUP },     { STR_INIT("defs"), ELEMENT_GROUP },
	{ STR_INIT("path"), ELEMENT_KEEP },   { STR_INIT("polygon"), ELEMENT_KEEP },
	{ STR_INIT("circle"), ELEMENT_KEEP }, { STR_INIT("rect"), ELEMENT_KEEP },
	{ STR_INIT("use"), ELEMENT_KEEP },    { STR_INIT("pattern"), ELEMENT_PATTERN },
	{ STR_INIT("text"), ELEMENT_TEXT },   { STR_INIT("tspan"), ELEMENT_TEXT },
	{ STR_INIT("title"), ELEMENT_DROP },  { STR_INIT("desc"), ELEMENT_DROP },
	{ STR_INIT("filter"), ELEMENT_DROP },
};

static bool put_plain(struct cleaner *c, const struct svg_node *n, const struct svg_attr *at,
		      struct strbuf *out);
static bool put_paint(struct cleaner *c, const struct svg_node *n, const struct svg_attr *at,
		      struct strbuf *out);
static bool put_id(struct cleaner *c, const struct svg_node *n, const struct svg_attr *at,
		   struct strbuf *out);
static bool put_href(struct cleaner *c, const struct svg_node *n, const struct svg_attr *at,
		     struct strbuf *out);
static bool put_style(struct cleaner *c, const struct svg_node *n, const struct svg_attr *at,
		      struct strbuf *out);
static bool put_family(struct cleaner *c, const struct svg_node *n, const struct svg_attr *at,
		       struct strbuf *out);
static bool put_default(struct cleaner *c, const struct svg_node *n, const struct svg_attr *at,
			struct strbuf *out);

/* What happens to an attribute; `only` is the one value that may be dropped, because it is SVG's
 * own default or changes nothing but how edges are smoothed. */
static const struct attr_rule {
	struct str name;
	bool (*put)(struct cleaner *c, const struct svg_node *n, const struct svg_attr *at,
		    struct strbuf *out);
	struct str only;
} attr_rules[] = {
	{ STR_INIT("id"), put_id, { 0 } },
	{ STR_INIT("href"), put_href, { 0 } },
	{ STR_INIT("xlink:href"), put_href, { 0 } },
	{ STR_INIT("style"), put_style, { 0 } },
	{ STR_INIT("fill"), put_paint, { 0 } },
	{ STR_INIT("stroke"), put_paint, { 0 } },
	{ STR_INIT("color"), put_paint, { 0 } },
	{ STR_INIT("font-family"), put_family, { 0 } },
	{ STR_INIT("stroke-linecap"), put_default, STR_INIT("butt") },
	{ STR_INIT("stroke-linejoin"), put_default, STR_INIT("miter") },
	{ STR_INIT("shape-rendering"), put_default, STR_INIT("crispEdges") },
	{ STR_INIT("x"), put_plain, { 0 } },
	{ STR_INIT("y"), put_plain, { 0 } },
	{ STR_INIT("dx"), put_plain, { 0 } },
	{ STR_INIT("dy"), put_plain, { 0 } },
	{ STR_INIT("width"), put_plain, { 0 } },
	{ STR_INIT("height"), put_plain, { 0 } },
	{ STR_INIT("cx"), put_plain, { 0 } },
	{ STR_INIT("cy"), put_plain, { 0 } },
	{ STR_INIT("r"), put_plain, { 0 } },
	{ STR_INIT("d"), put_plain, { 0 } },
	{ STR_INIT("points"), put_plain, { 0 } },
	{ STR_INIT("transform"), put_plain, { 0 } },
	{ STR_INIT("patternUnits"), put_plain, { 0 } },
	{ STR_INIT("fill-opacity"), put_plain, { 0 } },
	{ STR_INIT("stroke-width"), put_plain, { 0 } },
	{ STR_INIT("stroke-dasharray"), put_plain, { 0 } },
	{ STR_INIT("text-anchor"), put_plain, { 0 } },
	{ STR_INIT("font-size"), put_plain, { 0 } },
	{ STR_INIT("font-style"), put_plain, { 0 } },
	{ STR_INIT("font-weight"), put_plain, { 0 } },
	{ STR_INIT("xml:space"), put_plain, { 0 } },
};

/* Liberation Sans, Arial and Helvetica share their widths, by which the charts are laid out. */
#define FONT_STACK                                                                                 \
	"'Liberation Sans', Arimo, Arial, Helvetica, 'WenQuanYi Zen Hei', 'Noto Sans CJK SC', "    \
	"'PingFang SC', 'Microsoft YaHei', sans-serif"

static void put(struct strbuf *out, struct str name, struct str value)
{
	strbuf_addc(out, ' ');
	strbuf_add(out, name);
	strbuf_add(out, STR("=\""));
	svg_escape(out, str_trim(value));
	strbuf_addc(out, '"');
}

static bool put_plain(struct cleaner *c, const struct svg_node *n, const struct svg_attr *at,
		      struct strbuf *out)
{
	(void)c, (void)n;
	put(out, at->name, at->value);
	return true;
}

static bool put_default(struct cleaner *c, const struct svg_node *n, const struct svg_attr *at,
			struct strbuf *out)
{
	(void)out;
	for (size_t i = 0; i < LEN(attr_rules); i++)
		if (str_eq(attr_rules[i].name, at->name) && str_eq(attr_rules[i].only, at->value))
			return true;
	return error_at(c->err, ERR_DATA, n->pos, "svg: %s='" STR_FMT "' is not known",
			str_c(c->arena, at->name), STR_ARG(str_slice(at->value, 0, 60)));
}

static struct str prefixed(struct cleaner *c, struct str id)
{
	return str_printf(c->arena, STR_FMT "-" STR_FMT, STR_ARG(c->id), STR_ARG(id));
}

static bool put_id(struct cleaner *c, const struct svg_node *n, const struct svg_attr *at,
		   struct strbuf *out)
{
	(void)n;
	put(out, at->name, prefixed(c, at->value));
	return true;
}

/* The id that a reference will have: that of the pattern kept when equal ones were merged. */
static bool resolve(struct cleaner *c, struct pos pos, struct str ref, struct str *id)
{
	const size_t *alias = map_get(&c->aliases, ref);

	if (!map_get(&c->ids, ref))
		return error_at(c->err, ERR_DATA, pos, "svg: nothing has the id '" STR_FMT "'",
				STR_ARG(str_slice(ref, 0, 60)));
	*id = prefixed(c, alias ? c->pattern_ids[*alias] : ref);
	return true;
}

static bool put_href(struct cleaner *c, const struct svg_node *n, const struct svg_attr *at,
		     struct strbuf *out)
{
	struct str id;

	if (!str_starts(at->value, STR("#")))
		return error_at(c->err, ERR_DATA, n->pos,
				"svg: a reference out of the drawing: '" STR_FMT "'",
				STR_ARG(str_slice(at->value, 0, 60)));
	if (!resolve(c, n->pos, str_slice(at->value, 1, at->value.len), &id))
		return false;
	put(out, STR("href"), str_printf(c->arena, "#" STR_FMT, STR_ARG(id)));
	return true;
}

static bool put_paint(struct cleaner *c, const struct svg_node *n, const struct svg_attr *at,
		      struct strbuf *out)
{
	struct paint p;
	struct str text = { 0 };

	if (!paint_parse(at->value, n->pos, &p, c->err))
		return false;
	switch (p.kind) {
	case PAINT_NONE:
		text = STR("none");
		break;
	case PAINT_CURRENT:
		text = STR("currentColor");
		break;
	case PAINT_COLOUR:
		text = str_printf(c->arena, "#%02x%02x%02x", p.colour.r, p.colour.g, p.colour.b);
		break;
	case PAINT_REF:
		if (!resolve(c, n->pos, p.ref, &text))
			return false;
		text = str_printf(c->arena, "url(#" STR_FMT ")", STR_ARG(text));
		break;
	}
	put(out, at->name, text);
	return true;
}

/* The font is the page's; only the weight that gnuplot keeps inside the name is carried over. */
static bool put_family(struct cleaner *c, const struct svg_node *n, const struct svg_attr *at,
		       struct strbuf *out)
{
	(void)c, (void)n;
	if (str_ends(at->value, STR(":Bold")))
		put(out, STR("font-weight"), STR("bold"));
	return true;
}

static bool put_attr(struct cleaner *c, const struct svg_node *n, const struct svg_attr *at,
		     struct strbuf *out)
{
	for (size_t i = 0; i < LEN(attr_rules); i++)
		if (str_eq(attr_rules[i].name, at->name))
			return attr_rules[i].put(c, n, at, out);
	return error_at(c->err, ERR_DATA, n->pos,
			"svg: <" STR_FMT "> has an unknown attribute '" STR_FMT "'",
			STR_ARG(n->name), STR_ARG(str_slice(at->name, 0, 60)));
}

/* style="fill:none; stroke:…" becomes attributes, which the theme can read. */
static bool put_style(struct cleaner *c, const struct svg_node *n, const struct svg_attr *at,
		      struct strbuf *out)
{
	struct str rest = at->value, piece;

	while (str_cut(&rest, ';', &piece)) {
		struct str name;

		if (str_trim(piece).len == 0)
			continue;
		if (!str_cut(&piece, ':', &name) || str_eq(str_trim(name), STR("style")))
			return error_at(c->err, ERR_DATA, n->pos, "svg: a style is not known");
		if (!put_attr(c, n, &(struct svg_attr){ str_trim(name), piece }, out))
			return false;
	}
	return true;
}

static bool put_attrs(struct cleaner *c, const struct svg_node *n, bool with_id, struct strbuf *out)
{
	for (size_t i = 0; i < n->nattrs; i++) {
		if (!with_id && str_eq(n->attrs[i].name, STR("id")))
			continue;
		if (!put_attr(c, n, &n->attrs[i], out))
			return false;
	}
	return true;
}

static bool rule_of(struct cleaner *c, const struct svg_node *n, enum element_rule *rule)
{
	for (size_t i = 0; i < LEN(elements); i++) {
		if (str_eq(elements[i].name, n->name)) {
			*rule = elements[i].rule;
			return true;
		}
	}
	return error_at(c->err, ERR_DATA, n->pos, "svg: <" STR_FMT "> is not known",
			STR_ARG(str_slice(n->name, 0, 60)));
}

static bool put_node(struct cleaner *c, const struct svg_node *n, bool in_defs, struct strbuf *out);

/* Inside of an element. Blanks between elements go, those in text stay: they matter there. */
static bool put_children(struct cleaner *c, const struct svg_node *n, enum element_rule rule,
			 struct strbuf *out)
{
	bool in_defs = str_eq(n->name, STR("defs"));

	for (const struct svg_node *k = n->first; k; k = k->next) {
		if (k->name.len > 0) {
			if (!put_node(c, k, in_defs, out))
				return false;
		} else if (rule == ELEMENT_TEXT) {
			svg_escape(out, k->text);
		} else if (str_trim(k->text).len > 0) {
			return error_at(c->err, ERR_DATA, k->pos, "svg: text outside <text>");
		}
	}
	return true;
}

static bool put_element(struct cleaner *c, const struct svg_node *n, enum element_rule rule,
			struct strbuf *out)
{
	struct strbuf body = { .arena = c->arena };

	if (!put_children(c, n, rule, &body))
		return false;
	if (rule == ELEMENT_GROUP && body.len == 0)
		return true;
	strbuf_addc(out, '<');
	strbuf_add(out, n->name);
	if (!put_attrs(c, n, true, out))
		return false;
	if (body.len == 0 && rule != ELEMENT_TEXT) {
		strbuf_add(out, STR("/>\n"));
		return true;
	}
	strbuf_add(out, rule == ELEMENT_TEXT ? STR(">") : STR(">\n"));
	strbuf_add(out, strbuf_str(&body));
	strbuf_printf(out, "</" STR_FMT ">%s", STR_ARG(n->name),
		      str_eq(n->name, STR("tspan")) ? "" : "\n");
	return true;
}

/* gnuplot writes one pattern for every bar it hatches; the first of equal ones is kept. */
static bool put_pattern(struct cleaner *c, const struct svg_node *n, struct strbuf *out)
{
	const struct str *id = svg_attr(n, STR("id"));
	struct strbuf key = { .arena = c->arena };
	bool fresh;

	if (!id)
		return true; /* nothing can refer to it */
	if (!put_attrs(c, n, false, &key) || !put_children(c, n, ELEMENT_PATTERN, &key))
		return false;

	size_t at = *map_put(&c->patterns, strbuf_str(&key), c->npatterns, &fresh);

	if (!fresh) {
		map_put(&c->aliases, *id, at, NULL);
		return true;
	}
	c->pattern_ids = arena_grow(c->arena, c->pattern_ids, &c->pattern_cap, c->npatterns + 1,
				    sizeof *c->pattern_ids);
	c->pattern_ids[c->npatterns++] = *id;
	return put_element(c, n, ELEMENT_PATTERN, out);
}

static bool is_used(const struct cleaner *c, const struct svg_node *n)
{
	const struct str *id = svg_attr(n, STR("id"));
	const size_t *used = id ? map_get(&c->ids, *id) : NULL;

	return used && *used;
}

static bool put_node(struct cleaner *c, const struct svg_node *n, bool in_defs, struct strbuf *out)
{
	enum element_rule rule = ELEMENT_DROP;

	if (!rule_of(c, n, &rule))
		return false;
	if (rule == ELEMENT_DROP || (in_defs && !is_used(c, n)))
		return true;
	if (rule == ELEMENT_PATTERN)
		return put_pattern(c, n, out);
	return put_element(c, n, rule, out);
}

static void ids_collect(struct cleaner *c, const struct svg_node *n)
{
	const struct str *id = svg_attr(n, STR("id"));

	if (id)
		map_put(&c->ids, *id, 0, NULL);
	for (const struct svg_node *k = n->first; k; k = k->next)
		ids_collect(c, k);
}

/* Marks what a node refers to; returns how many ids were new to it. */
static size_t refs_mark(struct cleaner *c, const struct svg_node *n)
{
	size_t fresh = 0;

	for (size_t i = 0; i < n->nattrs; i++) {
		struct str v = str_trim(n->attrs[i].value), ref = { 0 };
		const size_t *used;

		if (str_starts(v, STR("url(#")))
			ref = str_slice(v, sizeof "url(#" - 1, v.len - 1);
		else if (str_starts(v, STR("#")) && str_ends(n->attrs[i].name, STR("href")))
			ref = str_slice(v, 1, v.len);
		used = ref.len > 0 ? map_get(&c->ids, ref) : NULL;
		if (used && !*used) {
			*map_put(&c->ids, ref, 1, NULL) = 1;
			fresh++;
		}
	}
	return fresh;
}

/* One round over what is drawn and over the definitions already known to be used. */
static size_t used_mark(struct cleaner *c, const struct svg_node *n)
{
	bool in_defs = str_eq(n->name, STR("defs"));
	size_t fresh = refs_mark(c, n);

	for (const struct svg_node *k = n->first; k; k = k->next)
		if (!in_defs || is_used(c, k))
			fresh += used_mark(c, k);
	return fresh;
}

bool svg_id_is_valid(struct str id)
{
	for (size_t i = 0; i < id.len; i++) {
		char ch = id.p[i];
		bool letter = (ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z');

		if (!letter && (i == 0 || (ch != '-' && !(ch >= '0' && ch <= '9'))))
			return false;
	}
	return id.len > 0 && id.len <= 100;
}

static bool put_root(struct cleaner *c, const struct svg_node *root, struct str title,
		     struct str desc, struct strbuf *out)
{
	const struct str *box = svg_attr(root, STR("viewBox"));
	double v[4];
	size_t n = 0;

	if (box && !number_list_parse(*box, root->pos, v, 4, &n, c->err))
		return false;
	if (n != 4)
		return error_at(c->err, ERR_DATA, root->pos, "svg: no viewBox of four numbers");
	strbuf_printf(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" id=\"" STR_FMT "\"",
		      STR_ARG(c->id));
	put(out, STR("viewBox"), *box);
	/* no untrusted text here, and single quotes inside double ones are plain in XML */
	strbuf_add(out, STR(" font-family=\"" FONT_STACK "\">\n"));
	strbuf_printf(out, "<title id=\"" STR_FMT "-title\">", STR_ARG(c->id));
	svg_escape(out, title);
	strbuf_printf(out, "</title>\n<desc id=\"" STR_FMT "-desc\">", STR_ARG(c->id));
	svg_escape(out, desc);
	strbuf_add(out, STR("</desc>\n"));
	if (!put_children(c, root, ELEMENT_GROUP, out))
		return false;
	strbuf_add(out, STR("</svg>\n"));
	return true;
}

/* gnuplot escapes < and &, not >; so a label with ]]> in it, which XML forbids in text, would make
 * the whole drawing unreadable. It writes no CDATA section, where ]]> would be markup. */
static struct str escape_cdata_end(struct str raw, struct arena *a)
{
	struct strbuf b = { .arena = a };
	size_t at = 0, next;

	while ((next = str_find(raw, STR("]]>"), at)) < raw.len) {
		strbuf_add(&b, str_slice(raw, at, next));
		strbuf_add(&b, STR("]]&gt;"));
		at = next + 3;
	}
	if (at == 0)
		return raw;
	strbuf_add(&b, str_slice(raw, at, raw.len));
	return strbuf_str(&b);
}

bool svg_clean(struct str raw, struct str id, struct str title, struct str desc, struct arena *a,
	       struct str *out, struct error *err)
{
	struct cleaner c = { .id = id,
			     .arena = a,
			     .err = err,
			     .ids = { .arena = a },
			     .patterns = { .arena = a },
			     .aliases = { .arena = a } };
	struct strbuf b = { .arena = a };
	struct svg_node *root;
	const char *name;

	if (!svg_id_is_valid(id))
		return error_set(err, ERR_DATA,
				 "svg: '" STR_FMT "' is no id: letters, digits and dashes",
				 STR_ARG(str_slice(id, 0, 60)));
	name = str_c(a, str_printf(a, STR_FMT ".svg", STR_ARG(id)));
	if (!svg_tree_parse(escape_cdata_end(raw, a), name, a, &root, err))
		return false;
	ids_collect(&c, root);
	while (used_mark(&c, root) > 0)
		continue;
	if (!put_root(&c, root, title, desc, &b))
		return false;
	*out = strbuf_str(&b);
	return true;
}

/* Colours of the charts (render/chart_style.c) and what stands for them in a page. The fallback
 * keeps a page right that does not define the variable. */
static const struct {
	struct str colour, themed;
} theme[] = {
	{ STR_INIT("#1a1a1a"), STR_INIT("var(--ink)") },
	{ STR_INIT("#3a3f47"), STR_INIT("var(--label)") },
	{ STR_INIT("#5f6670"), STR_INIT("var(--muted)") },
	{ STR_INIT("#7a828c"), STR_INIT("var(--ref)") },
	{ STR_INIT("#e1e5ea"), STR_INIT("var(--grid)") },
	{ STR_INIT("#f6f7f9"), STR_INIT("var(--band)") },
	{ STR_INIT("#2b2f36"), STR_INIT("var(--whisker)") },
	{ STR_INIT("#ffffff"), STR_INIT("var(--paper, #ffffff)") },
	{ STR_INIT("#0072b2"), STR_INIT("var(--class-1, #0072b2)") },
	{ STR_INIT("#c98500"), STR_INIT("var(--class-2, #c98500)") },
	{ STR_INIT("#009e73"), STR_INIT("var(--class-3, #009e73)") },
	{ STR_INIT("#cc79a7"), STR_INIT("var(--class-4, #cc79a7)") },
	{ STR_INIT("#a6341b"), STR_INIT("var(--class-5, #a6341b)") },
	{ STR_INIT("#5b3a8c"), STR_INIT("var(--class-6, #5b3a8c)") },
	{ STR_INIT("#e4e6e9"), STR_INIT("var(--pale-0, #e4e6e9)") },
	{ STR_INIT("#cfe4f1"), STR_INIT("var(--pale-1, #cfe4f1)") },
	{ STR_INIT("#fbebc8"), STR_INIT("var(--pale-2, #fbebc8)") },
	{ STR_INIT("#cbe9de"), STR_INIT("var(--pale-3, #cbe9de)") },
	{ STR_INIT("#f5e3ed"), STR_INIT("var(--pale-4, #f5e3ed)") },
	{ STR_INIT("#f1dbd6"), STR_INIT("var(--pale-5, #f1dbd6)") },
	{ STR_INIT("#e0d9ea"), STR_INIT("var(--pale-6, #e0d9ea)") },
};

static struct str themed(struct str colour)
{
	for (size_t i = 0; i < LEN(theme); i++)
		if (str_eq(theme[i].colour, colour))
			return theme[i].themed;
	return colour;
}

struct str svg_theme(struct str clean, struct str id, struct arena *a)
{
	struct strbuf b = { .arena = a };
	size_t at = str_starts(clean, STR("<svg")) ? sizeof "<svg" - 1 : 0;
	size_t next;

	strbuf_add(&b, str_slice(clean, 0, at));
	if (at > 0)
		strbuf_printf(&b,
			      " role=\"img\" class=\"figure\" aria-labelledby=\"" STR_FMT "-title\""
			      " aria-describedby=\"" STR_FMT "-desc\"",
			      STR_ARG(id), STR_ARG(id));
	/* a raw quote is always markup (svg_escape), so this never touches a label */
	while ((next = str_find(clean, STR("=\"#"), at)) < clean.len) {
		size_t value = next + 2, end = str_find(clean, STR("\""), value);

		strbuf_add(&b, str_slice(clean, at, value));
		strbuf_add(&b, themed(str_slice(clean, value, end)));
		at = end;
	}
	strbuf_add(&b, str_slice(clean, at, clean.len));
	return strbuf_str(&b);
}
