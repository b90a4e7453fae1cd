/* Cleaning and theming of gnuplot's SVG. */
#include "test.h"

#include "../render/svg.h"
#include "../render/svg_tree.h"

#include <string.h>

#define HEAD                                                                                       \
	"<svg xmlns=\"http://www.w3.org/2000/svg\" id=\"f\" viewBox=\"0 0 8 4\" font-family=\""    \
	"'Liberation Sans', Arimo, Arial, Helvetica, 'WenQuanYi Zen Hei', 'Noto Sans CJK SC', "    \
	"'PingFang SC', 'Microsoft YaHei', sans-serif\">\n"                                        \
	"<title id=\"f-title\">T</title>\n<desc id=\"f-desc\">D</desc>\n"

#define SVG(inside) "<svg viewBox='0 0 8 4'>" inside "</svg>"

static const struct {
	const char *name, *in, *want; /* what follows HEAD, up to </svg> */
} cleaned[] = {
	{ "prolog, comment, title, desc, filter, size",
	  "<?xml version='1.0'?>\n<svg width='9' height='9' viewBox='0 0 8 4'><!-- x "
	  "--><title>Gnuplot"
	  "</title><desc>v5</desc><defs><filter id='b'><feFlood/></filter></defs></svg>",
	  "" },
	{ "groups that hold nothing",
	  SVG("<g color='black' stroke='currentColor'>\n</g><g><g/></g>"), "" },
	{ "both spellings of a colour",
	  SVG("<path d='M0,0 L1,1' stroke='rgb( 26,  26,  26)'/><path fill='rgb(0,114,178)' "
	      "d=''/>"),
	  "<path d=\"M0,0 L1,1\" stroke=\"#1a1a1a\"/>\n<path fill=\"#0072b2\" d=\"\"/>\n" },
	{ "names of colours",
	  SVG("<path stroke='black' fill='white'/><path stroke='gray' fill='none'/>"),
	  "<path stroke=\"#000000\" fill=\"#ffffff\"/>\n<path stroke=\"#808080\" "
	  "fill=\"none\"/>\n" },
	{ "ids and references; only used symbols",
	  SVG("<defs><circle id='p5' r='1'/><use xlink:href='#p5' id='p6'/><rect id='p7'/></defs>"
	      "<use xlink:href='#p6'/>"),
	  "<defs>\n<circle id=\"f-p5\" r=\"1\"/>\n<use href=\"#f-p5\" id=\"f-p6\"/>\n</defs>\n"
	  "<use href=\"#f-p6\"/>\n" },
	{ "equal patterns are merged",
	  SVG("<defs><pattern id='a' width='8'><path d='M0,0'/></pattern></defs><rect "
	      "fill='url(#a)'/>"
	      "<defs><pattern id='b' width='8'><path d='M0,0'/></pattern></defs><rect "
	      "fill='url(#b)'/>"),
	  "<defs>\n<pattern id=\"f-a\" width=\"8\">\n<path d=\"M0,0\"/>\n</pattern>\n</defs>\n"
	  "<rect fill=\"url(#f-a)\"/>\n<rect fill=\"url(#f-a)\"/>\n" },
	{ "style becomes attributes", SVG("<path style='fill:none; stroke:rgb(1,2,3)'/>"),
	  "<path fill=\"none\" stroke=\"#010203\"/>\n" },
	{ "bold hides in the font's name",
	  SVG("<g font-family='Liberation Sans:Bold' font-size='17.50'><text>A</text></g>"),
	  "<g font-weight=\"bold\" font-size=\"17.50\">\n<text>A</text>\n</g>\n" },
	{ "other fonts are the page's", SVG("<g font-family='Liberation Sans'><text/></g>"),
	  "<g>\n<text></text>\n</g>\n" },
	{ "defaults go",
	  SVG("<g stroke-linecap='butt' stroke-linejoin='miter' "
	      "shape-rendering='crispEdges'><rect/></g>"),
	  "<g>\n<rect/>\n</g>\n" },
	{ "text is escaped, quotes too",
	  SVG("<text>&lt;script&gt; R&amp;D \"q\" 'a' `b` {x}_^@ \xE4\xB8\xAD "
	      "\xF0\x9F\x8E\x89</text>"),
	  "<text>&lt;script&gt; R&amp;D &quot;q&quot; &#39;a&#39; `b` {x}_^@ \xE4\xB8\xAD"
	  " \xF0\x9F\x8E\x89</text>\n" },
	{ "the end of a CDATA section in text", SVG("<text>]]>]]]></text>"),
	  "<text>]]&gt;]]]&gt;</text>\n" },
	{ "blanks between tspans stay",
	  SVG("<text><tspan>a</tspan> <tspan dy='2'>b</tspan></text>"),
	  "<text><tspan>a</tspan> <tspan dy=\"2\">b</tspan></text>\n" },
};

static void test_cleaned(struct test *t, struct arena *a)
{
	for (size_t i = 0; i < LEN(cleaned); i++) {
		struct error err = { 0 };
		struct str out = { 0 };

		if (!svg_clean(str_of(cleaned[i].in), STR("f"), STR("T"), STR("D"), a, &out, &err))
			printf("# %s\n", err.msg);
		test_str(t, out, str_printf(a, "%s%s</svg>\n", HEAD, cleaned[i].want),
			 cleaned[i].name);
	}
}

static const struct {
	const char *name, *in, *want;
	enum error_code code;
	int line, col;
} refused[] = {
	{ "nothing", "", "no element found", ERR_SYNTAX, 1, 1 },
	{ "cut off", "<svg viewBox='0 0 1 1'>\n<g>", "no element found", ERR_SYNTAX, 2, 4 },
	{ "not UTF-8", "<svg>\xff</svg>", "not well-formed", ERR_SYNTAX, 1, 6 },
	{ "an undeclared entity", "<svg>&x;</svg>", "undefined entity", ERR_SYNTAX, 1, 6 },
	{ "a document type", "<!DOCTYPE svg [<!ENTITY a 'aa'><!ENTITY b '&a;&a;'>]><svg>&b;</svg>",
	  "svg: a document type is refused", ERR_DATA, 1, 0 },
	{ "another root", "<html/>", "svg: the outermost element is not <svg>", ERR_DATA, 1, 1 },
	{ "no size", "<svg/>", "svg: no viewBox of four numbers", ERR_DATA, 1, 1 },
	{ "half a size", "<svg viewBox='0 0'/>", "svg: no viewBox of four numbers", ERR_DATA, 1,
	  1 },
	{ "script", SVG("\n<script>x</script>"), "svg: <script> is not known", ERR_DATA, 2, 1 },
	{ "image", SVG("<image href='http://x/'/>"), "svg: <image> is not known", ERR_DATA, 1, 24 },
	{ "handler", SVG("<g><path onload='x()'/></g>"),
	  "svg: <path> has an unknown attribute 'onload'", ERR_DATA, 1, 27 },
	{ "another default", SVG("<path stroke-linecap='round'/>"),
	  "svg: stroke-linecap='round' is not known", ERR_DATA, 1, 24 },
	{ "a colour", SVG("<path stroke='red'/>"), "svg: 'red' is not a colour", ERR_DATA, 1, 24 },
	{ "a dangling reference", SVG("<use href='#a'/>"), "svg: nothing has the id 'a'", ERR_DATA,
	  1, 24 },
	{ "a dangling pattern", SVG("<path fill='url(#a)'/>"), "svg: nothing has the id 'a'",
	  ERR_DATA, 1, 24 },
	{ "a reference elsewhere", SVG("<use href='x.svg#a'/>"),
	  "svg: a reference out of the drawing: 'x.svg#a'", ERR_DATA, 1, 24 },
	{ "a style without a value", SVG("<path style='fill'/>"), "svg: '' is not a colour",
	  ERR_DATA, 1, 24 },
	{ "a style in a style", SVG("<path style='style:x'/>"), "svg: a style is not known",
	  ERR_DATA, 1, 24 },
	{ "loose text", SVG("<g>hello</g>"), "svg: text outside <text>", ERR_DATA, 1, 27 },
};

static void test_refused(struct test *t, struct arena *a)
{
	for (size_t i = 0; i < LEN(refused); i++) {
		struct error err = { 0 };
		struct str out;
		bool failed =
		    !svg_clean(str_of(refused[i].in), STR("f"), STR("T"), STR("D"), a, &out, &err);
		bool good = failed && err.code == refused[i].code
			    && strstr(err.msg, refused[i].want) && err.pos.line == refused[i].line
			    && (refused[i].col == 0 || err.pos.col == refused[i].col)
			    && strcmp(err.pos.file, "f.svg") == 0;

		test_ok(t, good, refused[i].name);
		if (!good)
			printf("# got %d:%d: %s\n", err.pos.line, err.pos.col, err.msg);
	}
}

/* Bounds against documents made to exhaust the reader. */
static void test_bounds(struct test *t, struct arena *a)
{
	struct strbuf deep = { .arena = a }, many = { .arena = a };
	struct error err = { 0 };
	struct svg_node *root;
	struct str big = { arena_alloc(a, SVG_BYTES_MAX + 1), SVG_BYTES_MAX + 1 };

	for (int i = 0; i <= SVG_DEPTH_MAX; i++)
		strbuf_add(&deep, STR("<svg>"));
	test_ok(t,
		!svg_tree_parse(strbuf_str(&deep), NULL, a, &root, &err)
		    && strstr(err.msg, "nested too deeply"),
		"depth is bounded");
	strbuf_add(&many, STR("<svg>"));
	for (int i = 0; i <= SVG_NODES_MAX; i++)
		strbuf_add(&many, STR("<g/>"));
	err = (struct error){ 0 };
	test_ok(t,
		!svg_tree_parse(strbuf_str(&many), NULL, a, &root, &err)
		    && strstr(err.msg, "too many elements"),
		"elements are bounded");
	err = (struct error){ 0 };
	test_ok(t,
		!svg_tree_parse(big, NULL, a, &root, &err)
		    && strstr(err.msg, "larger than 16777216"),
		"size is bounded");
}

static void test_ids(struct test *t, struct arena *a)
{
	static const struct {
		struct str id;
		bool good;
	} ids[] = {
		{ STR_INIT("figure-performance-2"), true },
		{ STR_INIT("F"), true },
		{ STR_INIT(""), false },
		{ STR_INIT("2x"), false },
		{ STR_INIT("-x"), false },
		{ STR_INIT("a/b"), false },
		{ STR_INIT("a.b"), false },
		{ STR_INIT("a'b"), false },
		{ STR_INIT("a\0b"), false },
	};
	struct error err = { 0 };
	struct str out;

	for (size_t i = 0; i < LEN(ids); i++)
		test_ok(t, svg_id_is_valid(ids[i].id) == ids[i].good, "an id");
	test_ok(t,
		!svg_clean(STR(SVG("")), STR("a b"), STR(""), STR(""), a, &out, &err)
		    && strstr(err.msg, "svg: 'a b' is no id: letters, digits and dashes"),
		"a bad id is named");
}

static void test_theme(struct test *t, struct arena *a)
{
	struct str in = STR("<svg id=\"f\"><title id=\"f-title\">T</title>"
			    "<path fill=\"#1a1a1a\" stroke=\"#e1e5ea\"/>"
			    "<path fill=\"#0072b2\" stroke=\"#123456\"/><use href=\"#f-p\"/>"
			    "<text>fill=&quot;#1a1a1a&quot; #1a1a1a</text></svg>\n");
	struct str want =
	    STR("<svg role=\"img\" class=\"figure\" aria-labelledby=\"f-title\""
		" aria-describedby=\"f-desc\" id=\"f\"><title id=\"f-title\">T</title>"
		"<path fill=\"var(--ink)\" stroke=\"var(--grid)\"/>"
		"<path fill=\"var(--class-1, #0072b2)\" stroke=\"#123456\"/>"
		"<use href=\"#f-p\"/>"
		"<text>fill=&quot;#1a1a1a&quot; #1a1a1a</text></svg>\n");

	test_str(t, svg_theme(in, STR("f"), a), want,
		 "neutral colours become variables, text stays");
}

static void test_escape(struct test *t, struct arena *a)
{
	struct strbuf b = { .arena = a };

	svg_escape(&b, STR("a\x01"
			   "b\xC3"
			   "c<>&\"'\t\xEF\xBF\xBF"));
	test_str(t, strbuf_str(&b),
		 STR("a\xEF\xBF\xBD"
		     "b\xEF\xBF\xBD"
		     "c&lt;&gt;&amp;&quot;&#39;\t\xEF\xBF\xBD"),
		 "escaping; what XML forbids is replaced");
}

int main(void)
{
	struct test t = { 0 };
	struct arena a = { 0 };

	test_cleaned(&t, &a);
	test_refused(&t, &a);
	test_bounds(&t, &a);
	test_ids(&t, &a);
	test_theme(&t, &a);
	test_escape(&t, &a);
	arena_free(&a);
	return test_done(&t);
}
