#include "html_svg.h"
#include "svg_tree.h"
#include "../base/map.h"
#include "../base/num.h"

#include <math.h>
#include <string.h>

/* ---- numbers ---- */

static bool is_number_char(char c)
{
	return (c >= '0' && c <= '9') || c == '.' || c == '-' || c == '+';
}

/* A tenth of a unit is nowhere seen; what is scaled later, or scales, is small and keeps more. */
static int decimals_for(double v)
{
	double size = fabs(v);

	return size >= 10 ? 1 : size >= 1 ? 2 : 3;
}

static struct str rounded(struct str number, struct arena *a)
{
	double v;

	if (!num_parse(number, false, &v))
		return number;
	struct str s = num_fixed(a, v, decimals_for(v));
	if (str_find(s, STR("."), 0) == s.len)
		return s;
	while (s.p[s.len - 1] == '0')
		s.len--;
	s.len -= s.p[s.len - 1] == '.';
	return str_eq(s, STR("-0")) ? STR("0") : s;
}

/* The number at *at, and moves *at behind it; a sign starts another one. */
static struct str cut_number(struct str s, size_t *at)
{
	size_t from = *at;

	while (*at < s.len && is_number_char(s.p[*at])
	       && (*at == from || (s.p[*at] != '-' && s.p[*at] != '+')))
		++*at;
	return str_slice(s, from, *at);
}

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

struct str html_svg_numbers(struct str s, struct arena *a)
{
	struct strbuf b = { .arena = a };

	for (size_t at = 0; at < s.len;) {
		if (is_number_char(s.p[at])) {
			strbuf_add(&b, rounded(cut_number(s, &at), a));
			continue;
		}
		strbuf_addc(&b, s.p[at++]);
	}
	return strbuf_str(&b);
}

/* One step of path data: M or L with a point, or z. */
static bool next_step(struct str d, size_t *at, char *command, struct str *x, struct str *y)
{
	while (*at < d.len && strchr(" \n\t,", d.p[*at]))
		++*at;
	if (*at < d.len && is_letter(d.p[*at]))
		*command = d.p[(*at)++];
	else if (*command == 'z' || *command == 'Z')
		return false; /* numbers behind a closing */
	if (*command == 'z' || *command == 'Z')
		return true;
	if (*command != 'M' && *command != 'L')
		return false;
	while (*at < d.len && d.p[*at] == ' ')
		++*at;
	*x = cut_number(d, at);
	while (*at < d.len && (d.p[*at] == ',' || d.p[*at] == ' '))
		++*at;
	*y = cut_number(d, at);
	return x->len > 0 && y->len > 0;
}

static void put_step(struct strbuf *b, char command, struct str x, struct str y, struct str last_x,
		     struct str last_y)
{
	if (command == 'z' || command == 'Z') {
		strbuf_addc(b, 'z');
	} else if (command == 'L' && str_eq(y, last_y)) {
		strbuf_addc(b, 'H');
		strbuf_add(b, x);
	} else if (command == 'L' && str_eq(x, last_x)) {
		strbuf_addc(b, 'V');
		strbuf_add(b, y);
	} else {
		strbuf_printf(b, "%c" STR_FMT "," STR_FMT, command, STR_ARG(x), STR_ARG(y));
	}
}

struct str html_svg_path(struct str d, struct arena *a)
{
	struct strbuf b = { .arena = a };
	struct str x = STR(""), y = STR(""), last_x = STR(""), last_y = STR("");
	char command = 0;

	d = str_trim(d);
	for (size_t at = 0; at < d.len;) {
		bool closed = command == 'z' || command == 'Z';
		if (!next_step(d, &at, &command, &x, &y))
			return html_svg_numbers(d, a);
		if (closed) /* the pen went back to the start of the figure: say where it goes on */
			last_x = last_y = STR("");
		if (command != 'z' && command != 'Z') {
			x = rounded(x, a);
			y = rounded(y, a);
		}
		put_step(&b, command, x, y, last_x, last_y);
		last_x = x;
		last_y = y;
		/* further points behind an M are lines */
		command = command == 'M' ? 'L' : command;
	}
	return strbuf_str(&b);
}

/* ---- the tree ---- */

/* Properties that an element has from its parent when it says nothing. */
static const struct str inherited[] = {
	STR_INIT("color"),       STR_INIT("fill"),         STR_INIT("fill-opacity"),
	STR_INIT("stroke"),      STR_INIT("stroke-width"), STR_INIT("stroke-dasharray"),
	STR_INIT("font-family"), STR_INIT("font-size"),    STR_INIT("font-weight"),
	STR_INIT("text-anchor"), STR_INIT("stroke-linecap"), STR_INIT("stroke-linejoin"),
	STR_INIT("stroke-opacity"), STR_INIT("stroke-miterlimit"),
};

/* What each of them is at some place; NULL: not said. */
struct style {
	const struct str *v[LEN(inherited)];
};

/* A picture being made smaller. */
struct shrink {
	struct arena *arena;
	struct map refs;  /* ids that something points at, numbered */
	struct strbuf defs, body;
	struct map marks; /* "href scale" to the number of its symbol */
	size_t nmarks;
	struct str prefix; /* of every id */
};

static bool is(const struct svg_node *n, const char *name)
{
	return str_eq(n->name, str_of(name));
}

static size_t inherited_no(struct str name)
{
	size_t i = 0;

	while (i < LEN(inherited) && !str_eq(inherited[i], name))
		i++;
	return i;
}

static void drop_attr(struct svg_node *n, size_t at)
{
	n->nattrs--;
	memmove(&n->attrs[at], &n->attrs[at + 1], (n->nattrs - at) * sizeof *n->attrs);
}

static void drop_named(struct svg_node *n, const char *name)
{
	for (size_t i = 0; i < n->nattrs; i++)
		if (str_eq(n->attrs[i].name, str_of(name))) {
			drop_attr(n, i);
			return;
		}
}

/* What "#id" or "url(#id)" points at; empty when it is neither. */
static struct str target_of(struct str value)
{
	if (str_starts(value, STR("#")))
		return str_slice(value, 1, value.len);
	if (str_starts(value, STR("url(#")) && str_ends(value, STR(")")))
		return str_slice(value, 5, value.len - 1);
	return STR("");
}

static void collect_refs(struct shrink *s, const struct svg_node *n)
{
	for (size_t i = 0; i < n->nattrs; i++) {
		struct str target = target_of(n->attrs[i].value);
		if (target.len > 0)
			map_put(&s->refs, target, s->refs.n, NULL);
	}
	for (const struct svg_node *c = n->first; c; c = c->next)
		collect_refs(s, c);
}

static struct str short_id(const struct shrink *s, size_t no)
{
	return str_printf(s->arena, STR_FMT "-%zu", STR_ARG(s->prefix), no);
}

/* Ids that something points at become short, the others go. Root, title and description keep
 * theirs: the page links to the first, the root's aria attributes to the others. */
static void shorten_ids(struct shrink *s, struct svg_node *n)
{
	bool kept = is(n, "svg") || is(n, "title") || is(n, "desc");

	for (size_t i = 0; i < n->nattrs; i++) {
		struct svg_attr *attr = &n->attrs[i];
		struct str target = target_of(attr->value);
		bool id = !kept && str_eq(attr->name, STR("id"));
		const size_t *no = map_get(&s->refs, id ? attr->value : target);
		if (id && !no)
			drop_attr(n, i--);
		else if (id)
			attr->value = short_id(s, *no);
		else if (target.len > 0)
			attr->value = str_printf(
			    s->arena, attr->value.p[0] == '#' ? "#" STR_FMT : "url(#" STR_FMT ")",
			    STR_ARG(short_id(s, *no)));
	}
	for (struct svg_node *c = n->first; c; c = c->next)
		shorten_ids(s, c);
}

/* Properties that say what holds anyway. Symbols have theirs from where they are used. */
static void drop_inherited(struct svg_node *n, const struct style *above)
{
	struct style below = *above;

	for (size_t i = 0; i < n->nattrs;) {
		size_t p = inherited_no(n->attrs[i].name);
		if (p < LEN(inherited) && above->v[p]
		    && str_eq(*above->v[p], n->attrs[i].value)) {
			drop_attr(n, i);
			continue;
		}
		i++;
	}
	for (size_t i = 0; i < n->nattrs; i++)
		if (inherited_no(n->attrs[i].name) < LEN(inherited))
			below.v[inherited_no(n->attrs[i].name)] = &n->attrs[i].value;
	for (struct svg_node *c = n->first; c; c = c->next)
		if (c->name.len > 0 && !is(c, "defs"))
			drop_inherited(c, &below);
}

/* The x and y of "translate(x,y)" when that is all. */
static bool plain_translate(struct str t, struct str *x, struct str *y)
{
	if (!str_starts(t, STR("translate(")) || str_find(t, STR(")"), 0) != t.len - 1)
		return false;
	t = str_slice(t, 10, t.len - 1);
	return str_cut(&t, ',', x) && str_cut(&t, ',', y) && t.len == 0;
}

static void add_attr(struct shrink *s, struct svg_node *n, const char *name, struct str value)
{
	struct svg_attr *attrs = arena_array(s->arena, n->nattrs + 1, sizeof *attrs);

	if (n->nattrs)
		memcpy(attrs, n->attrs, n->nattrs * sizeof *attrs);
	attrs[n->nattrs++] = (struct svg_attr){ str_of(name), value };
	n->attrs = attrs;
}

/* <g transform="translate(x,y)" STYLE><text>…: the place goes to the text, so that groups of one
 * style are equal. */
static void move_place(struct shrink *s, struct svg_node *n)
{
	const struct str *transform = svg_attr(n, STR("transform"));
	struct svg_node *text = n->first;
	struct str x, y;

	if (!is(n, "g") || !transform || !text || text->next || !is(text, "text")
	    || svg_attr(text, STR("x")) || svg_attr(text, STR("transform")))
		return;
	if (plain_translate(*transform, &x, &y)) {
		add_attr(s, text, "x", x);
		add_attr(s, text, "y", y);
	} else {
		add_attr(s, text, "transform", *transform);
	}
	drop_named(n, "transform");
}

static bool same_attrs(const struct svg_node *x, const struct svg_node *y)
{
	if (x->nattrs != y->nattrs)
		return false;
	for (size_t i = 0; i < x->nattrs; i++)
		if (!str_eq(x->attrs[i].name, y->attrs[i].name)
		    || !str_eq(x->attrs[i].value, y->attrs[i].value))
			return false;
	return true;
}

static void append(struct svg_node *parent, struct svg_node *child)
{
	child->next = NULL;
	if (parent->last)
		parent->last->next = child;
	else
		parent->first = child;
	parent->last = child;
}

static void append_all(struct svg_node *parent, struct svg_node *children)
{
	for (struct svg_node *c = children, *next; c; c = next) {
		next = c->next;
		append(parent, c);
	}
}

/* Painting order holds: only neighbours are joined. A group with a transform stays by itself. */
static void add_simplified(struct svg_node *parent, struct svg_node *child)
{
	struct svg_node *last = parent->last;

	if (is(child, "g") && !child->first)
		return;
	if (is(child, "g") && child->nattrs == 0) {
		struct svg_node *c = child->first;
		for (struct svg_node *next; c; c = next) {
			next = c->next;
			add_simplified(parent, c);
		}
	} else if (is(child, "g") && last && is(last, "g") && same_attrs(last, child)) {
		for (struct svg_node *c = child->first, *next; c; c = next) {
			next = c->next;
			add_simplified(last, c);
		}
	} else {
		append(parent, child);
	}
}

static void simplify(struct shrink *s, struct svg_node *n)
{
	struct svg_node *children = n->first;

	n->first = n->last = NULL;
	if (is(n, "text") || is(n, "title") || is(n, "desc")) {
		append_all(n, children); /* blanks between tspans count */
		return;
	}
	for (struct svg_node *c = children, *next; c; c = next) {
		next = c->next;
		if (c->name.len == 0)
			continue;
		simplify(s, c);
		add_simplified(n, c);
	}
	move_place(s, n);
}

/* Marks of one colour in a row: the colour goes to a group around them. */
static const struct str *shared_colour(const struct svg_node *n)
{
	return is(n, "use") ? svg_attr(n, STR("color")) : NULL;
}

static void group_marks(struct shrink *s, struct svg_node *n)
{
	struct svg_node *children = n->first;

	n->first = n->last = NULL;
	for (struct svg_node *c = children, *next; c; c = next) {
		const struct str *colour = shared_colour(c);
		struct svg_node *last = n->last;
		next = c->next;
		if (is(c, "g"))
			group_marks(s, c);
		if (!colour) {
			append(n, c);
			continue;
		}
		const struct str *before = last && is(last, "g") && last->nattrs == 1
						   ? svg_attr(last, STR("color")) : NULL;
		if (!before || !str_eq(*before, *colour)) {
			struct svg_node *g = arena_alloc(s->arena, sizeof *g);
			g->name = STR("g");
			add_attr(s, g, "color", *colour);
			append(n, g);
			last = g;
		}
		drop_named(c, "color");
		append(last, c);
	}
}

/* ---- writing ---- */

static void put_attr(struct strbuf *b, struct str name, struct str value)
{
	strbuf_printf(b, " " STR_FMT "=\"", STR_ARG(name));
	svg_escape(b, value);
	strbuf_addc(b, '"');
}

/* Attributes that hold lengths or places. */
static const struct str places[] = {
	STR_INIT("x"),         STR_INIT("y"),         STR_INIT("x1"),
	STR_INIT("y1"),        STR_INIT("x2"),        STR_INIT("y2"),
	STR_INIT("cx"),        STR_INIT("cy"),        STR_INIT("r"),
	STR_INIT("width"),     STR_INIT("dx"),        STR_INIT("dy"),
	STR_INIT("height"),    STR_INIT("points"),    STR_INIT("transform"),
	STR_INIT("stroke-width"), STR_INIT("font-size"), STR_INIT("stroke-dasharray"),
};

static struct str short_value(struct svg_attr attr, struct arena *a)
{
	if (str_eq(attr.name, STR("d")))
		return html_svg_path(attr.value, a);
	for (size_t i = 0; i < LEN(places); i++)
		if (str_eq(attr.name, places[i]))
			return html_svg_numbers(attr.value, a);
	return attr.value;
}

/* "translate(x,y) scale(k)": place and "scale(k)". */
static bool placed_mark(const struct svg_node *n, struct str *x, struct str *y, struct str *scale)
{
	const struct str *t = svg_attr(n, STR("transform"));
	size_t end = t ? str_find(*t, STR(") scale("), 0) : 0;

	if (!is(n, "use") || !t || end == t->len || svg_attr(n, STR("x")))
		return false;
	*scale = str_slice(*t, end + 2, t->len);
	return plain_translate(str_slice(*t, 0, end + 1), x, y);
}

/* The symbol of a mark's shape and size, defined where it is first used. */
static size_t mark_no(struct shrink *s, struct str href, struct str scale)
{
	bool fresh;
	struct str key = str_printf(s->arena, STR_FMT " " STR_FMT, STR_ARG(href), STR_ARG(scale));
	size_t no = *map_put(&s->marks, key, s->nmarks, &fresh);

	if (fresh) {
		s->nmarks++;
		strbuf_printf(&s->defs, "<use id=\"" STR_FMT "m%zu\"", STR_ARG(s->prefix), no);
		put_attr(&s->defs, STR("href"), href);
		put_attr(&s->defs, STR("transform"), html_svg_numbers(scale, s->arena));
		strbuf_add(&s->defs, STR("/>"));
	}
	return no;
}

static bool put_mark(struct shrink *s, const struct svg_node *n)
{
	const struct str *href = svg_attr(n, STR("href"));
	struct str x, y, scale;

	if (!href || n->nattrs != 2 || !placed_mark(n, &x, &y, &scale))
		return false;
	strbuf_printf(&s->body, "<use href=\"#" STR_FMT "m%zu\"", STR_ARG(s->prefix),
		      mark_no(s, *href, scale));
	put_attr(&s->body, STR("x"), rounded(x, s->arena));
	put_attr(&s->body, STR("y"), rounded(y, s->arena));
	strbuf_add(&s->body, STR("/>"));
	return true;
}

static void put_node(struct shrink *s, const struct svg_node *n, bool exact)
{
	if (n->name.len == 0) {
		svg_escape(&s->body, n->text);
		return;
	}
	if (!exact && put_mark(s, n))
		return;
	strbuf_printf(&s->body, "<" STR_FMT, STR_ARG(n->name));
	for (size_t i = 0; i < n->nattrs; i++)
		put_attr(&s->body, n->attrs[i].name,
			 exact ? n->attrs[i].value : short_value(n->attrs[i], s->arena));
	if (!n->first) {
		strbuf_add(&s->body, STR("/>"));
		return;
	}
	strbuf_addc(&s->body, '>');
	for (const struct svg_node *c = n->first; c; c = c->next)
		put_node(s, c, exact || is(c, "defs")); /* symbols are small and scaled later */
	strbuf_printf(&s->body, "</" STR_FMT ">", STR_ARG(n->name));
}

bool html_svg(struct str svg, const char *name, struct str prefix, struct arena *a, struct str *out,
	      struct error *err)
{
	struct shrink s = { .arena = a,
			    .refs.arena = a,
			    .marks.arena = a,
			    .defs.arena = a,
			    .body.arena = a,
			    .prefix = prefix };
	struct style nothing = { .v = { 0 } };
	struct svg_node *root;

	if (!svg_tree_parse(svg, name, a, &root, err))
		return false;
	collect_refs(&s, root);
	shorten_ids(&s, root);
	drop_inherited(root, &nothing);
	simplify(&s, root);
	group_marks(&s, root);
	put_node(&s, root, false);
	struct str body = strbuf_str(&s.body), defs = strbuf_str(&s.defs);
	size_t end = body.len - STR("</svg>").len;
	/* symbols may stand behind their use */
	*out = defs.len == 0 ? body
			     : str_printf(a, STR_FMT "<defs>" STR_FMT "</defs></svg>",
					  STR_ARG(str_slice(body, 0, end)), STR_ARG(defs));
	return true;
}
