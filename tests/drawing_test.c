/* SVG read back into shapes. */
#include "test.h"

#include "../render/drawing.h"

#include <string.h>

#define SVG(inside) "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 100 50'>" inside "</svg>"
#define HATCH(d)                                                                                   \
	"<defs><pattern id='p' patternUnits='userSpaceOnUse' x='0' y='0' width='8' height='8'>"    \
	"<path style='fill:none; stroke:rgb(0,114,178)' d='" d "'/></pattern></defs>"

static void put_steps(struct strbuf *b, const struct shape *s)
{
	for (size_t i = 0; i < s->nsteps; i++) {
		const struct path_step *p = &s->steps[i];

		if (i > 0)
			strbuf_addc(b, ' ');
		if (p->op == PATH_CLOSE)
			strbuf_addc(b, 'Z');
		else /* + 0 turns -0 into 0 */
			strbuf_printf(b, "%c%.4g,%.4g", p->op == PATH_MOVE ? 'M' : 'L', p->x + 0,
				      p->y + 0);
	}
}

static void put_colour(struct strbuf *b, const char *what, struct colour c)
{
	strbuf_printf(b, " %s=%02x%02x%02x", what, c.r, c.g, c.b);
}

/* One line a shape, so that a case reads as what it wants. */
static struct str shapes_text(const struct drawing *d, struct arena *a)
{
	static const char *const sides[] = { "start", "middle", "end" };
	struct strbuf b = { .arena = a };

	for (size_t i = 0; i < d->n; i++) {
		const struct shape *s = &d->shapes[i];

		if (s->kind == SHAPE_TEXT) {
			strbuf_printf(&b, "'" STR_FMT "' %.4g,%.4g size=%.4g angle=%.4g %s%s",
				      STR_ARG(s->text), s->x, s->y, s->size, s->angle_deg,
				      sides[s->anchor], s->bold ? " bold" : "");
			put_colour(&b, "ink", s->text_colour);
			strbuf_addc(&b, '\n');
			continue;
		}
		put_steps(&b, s);
		if (s->fill == FILL_SOLID)
			put_colour(&b, "fill", s->fill_colour);
		if (s->fill == FILL_HATCH) {
			put_colour(&b, "hatch", s->fill_colour);
			strbuf_printf(&b, " step=%.4g width=%.4g slope=%d", s->hatch_step,
				      s->hatch_width, s->hatch_slope);
		}
		if (s->fill_opacity != 1)
			strbuf_printf(&b, " opacity=%.4g", s->fill_opacity);
		if (s->stroke) {
			put_colour(&b, "stroke", s->stroke_colour);
			strbuf_printf(&b, " width=%.4g", s->stroke_width);
		}
		for (size_t k = 0; k < s->ndash; k++)
			strbuf_printf(&b, "%s%.4g", k == 0 ? " dash=" : ",", s->dash[k]);
		strbuf_addc(&b, '\n');
	}
	return strbuf_str(&b);
}

static const struct {
	const char *name, *in, *want;
} good[] = {
	{ "absolute and relative steps",
	  SVG("<path d='M1,2 L3,4 l1 1 h2 H9 v-3 V0 z' fill='none' stroke='#010203'/>"),
	  "M1,2 L3,4 L4,5 L6,5 L9,5 L9,2 L9,0 Z stroke=010203 width=1\n" },
	{ "pairs after M are lines; z goes back to the start",
	  SVG("<path d='m1,1 2,2 z l1,0' fill='none' stroke='black'/>"),
	  "M1,1 L3,3 Z L2,1 stroke=000000 width=1\n" },
	{ "numbers without blanks", SVG("<path d='M-1-2L.5,1e1' fill='none' stroke='black'/>"),
	  "M-1,-2 L0.5,10 stroke=000000 width=1\n" },
	{ "polygon with blanks",
	  SVG("<polygon fill = 'rgb(207, 228, 241)' points = '0,1 2,1 2,0 '/>"),
	  "M0,1 L2,1 L2,0 Z fill=cfe4f1\n" },
	{ "rectangle; black is the default", SVG("<rect x='1' y='2' width='3' height='4'/>"),
	  "M1,2 L4,2 L4,6 L1,6 Z fill=000000\n" },
	{ "nothing to see is no shape", SVG("<rect width='3' height='4' fill='none'/><g/>"), "" },
	{ "nested transforms and inherited paint",
	  SVG("<g transform='translate(10,20)' stroke='rgb( 1,  2,  3)' fill='none' "
	      "stroke-width='2'>"
	      "<g transform='scale(2) rotate(90)'><path d='M1,0 L0,3'/></g></g>"),
	  "M10,22 L4,20 stroke=010203 width=4\n" },
	{ "scale by two numbers", SVG("<rect transform='scale(2,3)' width='1' height='1'/>"),
	  "M0,0 L2,0 L2,3 L0,3 Z fill=000000\n" },
	{ "dashes scale too",
	  SVG("<g transform='scale(2)'><path stroke='black' fill='none' stroke-dasharray=' 4,3' "
	      "d='M0,0 L1,0'/></g>"),
	  "M0,0 L2,0 stroke=000000 width=2 dash=8,6\n" },
	{ "dashes of 0 are a solid line",
	  SVG("<path stroke='black' fill='none' stroke-dasharray='0,0' d='M0,0 L1,0'/>"),
	  "M0,0 L1,0 stroke=000000 width=1\n" },
	{ "opacity", SVG("<rect fill-opacity='0.25' width='1' height='1'/>"),
	  "M0,0 L1,0 L1,1 L0,1 Z fill=000000 opacity=0.25\n" },
	{ "a symbol takes the colour of its use",
	  SVG("<defs><path id='t' stroke-width='0.5' stroke='currentColor' d='M0,0 L1,1'/>"
	      "<use xlink:href='#t' id='u' fill='currentColor' stroke='none'/></defs><g "
	      "fill='none'>"
	      "<use href='#t' transform='translate(5,5) scale(2)' color='rgb(9,8,7)'/>"
	      "<use href='#u' x='1' y='2' color='#060504'/></g>"),
	  "M5,5 L7,7 stroke=090807 width=1\nM1,2 L2,3 fill=060504 stroke=060504 width=0.5\n" },
	{ "falling hatch",
	  SVG(HATCH(
	      "M-4,0 L8,12 M0,-4 L12,8") "<g stroke='none'>"
					 "<polygon fill='url(#p)' points='0,0 1,0 1,1'/></g>"),
	  "M0,0 L1,0 L1,1 Z hatch=0072b2 step=5.657 width=1 slope=1\n" },
	{ "rising hatch, width from around the pattern",
	  SVG("<g stroke-width='0.8'>" HATCH(
	      "M-4,8 L8,-4 M0,12 L12,0") "</g>"
					 "<polygon fill='url(#p)' points='0,0 1,0 1,1'/>"),
	  "M0,0 L1,0 L1,1 Z hatch=0072b2 step=5.657 width=0.8 slope=-1\n" },
	{ "text: anchors, weight, place",
	  SVG("<g transform='translate(96.00,45.70)' fill='rgb(26,26,26)' font-size='17.50' "
	      "font-weight='bold' text-anchor='end'><text>A &lt;b&gt; &amp; \"c\"</text></g>"),
	  "'A <b> & \"c\"' 96,45.7 size=17.5 angle=0 end bold ink=1a1a1a\n" },
	{ "text: turned up", SVG("<g transform='translate(1,2) rotate(270)'><text>y</text></g>"),
	  "'y' 1,2 size=16 angle=90 start ink=000000\n" },
	{ "text: tspans joined, blanks collapsed",
	  SVG("<text text-anchor='middle'>\n a  b <tspan dy='-3px' font-size='9'>2</tspan> "
	      "<tspan>c</tspan>"
	      "\n</text>"),
	  "'a b 2 c' 0,0 size=16 angle=0 middle ink=000000\n" },
	{ "text: empty or unpainted", SVG("<text> </text><text fill='none'>x</text>"), "" },
	{ "title and desc are no drawing", SVG("<title>a</title><desc>b</desc>"), "" },
	{ "an origin elsewhere",
	  "<svg viewBox='10 20 30 40'><rect x='10' y='20' width='1' height='1'/></svg>",
	  "M0,0 L1,0 L1,1 L0,1 Z fill=000000\n" },
};

static void test_good(struct test *t, struct arena *a)
{
	for (size_t i = 0; i < LEN(good); i++) {
		struct error err = { 0 };
		struct drawing d;

		if (!drawing_parse(str_of(good[i].in), "t.svg", a, &d, &err))
			printf("# %s\n", err.msg);
		test_str(t, shapes_text(&d, a), str_of(good[i].want), good[i].name);
	}
}

static void test_circle(struct test *t, struct arena *a)
{
	struct error err = { 0 };
	struct drawing d;
	bool on = true;

	test_ok(t,
		drawing_parse(STR(SVG("<circle cx='10' cy='20' r='5'/>")), "t.svg", a, &d, &err)
		    && d.n == 1 && d.shapes[0].nsteps == 33,
		"a circle is a polygon of 32 corners");
	for (size_t i = 0; d.n == 1 && i < 32; i++)
		on = on
		     && fabs(hypot(d.shapes[0].steps[i].x - 10, d.shapes[0].steps[i].y - 20) - 5)
			    < 1e-9;
	test_ok(t, on, "whose corners lie on it");
	test_near(t, d.width, 100, 0, "width of the viewBox");
	test_near(t, d.height, 50, 0, "height of the viewBox");
}

static const struct {
	const char *name, *in, *want;
	enum error_code code;
	int line;
} bad[] = {
	{ "no XML", "<svg", "unclosed token", ERR_SYNTAX, 1 },
	{ "entities", "<!DOCTYPE svg [<!ENTITY a 'b'>]><svg/>", "a document type is refused",
	  ERR_DATA, 1 },
	{ "no size", "<svg/>", "svg: no viewBox of four numbers", ERR_DATA, 1 },
	{ "an empty size", "<svg viewBox='0 0 0 5'/>", "svg: no viewBox of four numbers", ERR_DATA,
	  1 },
	{ "an attribute of the root", "<svg viewBox='0 0 1 1' onload='x'/>",
	  "svg: <svg>: attribute 'onload' is not known", ERR_DATA, 1 },
	{ "an element", SVG("\n<ellipse/>"), "svg: <ellipse> is not known", ERR_DATA, 2 },
	{ "a clip path", SVG("<clipPath/>"), "svg: <clipPath> is not known", ERR_DATA, 1 },
	{ "an attribute", SVG("\n\n<path filter='url(#f)'/>"),
	  "svg: <path>: attribute 'filter' is not known", ERR_DATA, 3 },
	{ "an attribute of a group", SVG("<g opacity='0.5'/>"),
	  "svg: <g>: attribute 'opacity' is not known", ERR_DATA, 1 },
	{ "a curve", SVG("<path d='M0,0 C1,1 2,2 3,3'/>"),
	  "svg: 'M0,0 C1,1 2,2 3,3' is not a path of M, L, H, V and Z", ERR_DATA, 1 },
	{ "a path from nowhere", SVG("<path d='L1,1'/>"), "is not a path that starts with M",
	  ERR_DATA, 1 },
	{ "a number after z", SVG("<path d='M1,1 z 3,3'/>"), "is not a path of M, L, H, V and Z",
	  ERR_DATA, 1 },
	{ "half a pair", SVG("<path d='M1'/>"), "svg: 'M1' is not a number", ERR_DATA, 1 },
	{ "half a point", SVG("<polygon points='1,2 3'/>"), "svg: '1,2 3' is not a number",
	  ERR_DATA, 1 },
	{ "no points", SVG("<polygon points=''/>"), "svg: '' is not a list of points", ERR_DATA,
	  1 },
	{ "a skew", SVG("<g transform='skewX(3)'/>"), "svg: 'skewX(3)' is not a transform",
	  ERR_DATA, 1 },
	{ "a matrix", SVG("<g transform='matrix(1 0 0 1 0 0)'/>"), "is not a transform", ERR_DATA,
	  1 },
	{ "an open transform", SVG("<g transform='scale(2'/>"), "is not a transform", ERR_DATA, 1 },
	{ "an empty transform", SVG("<g transform='scale()'/>"), "is not a transform", ERR_DATA,
	  1 },
	{ "a turn about a point", SVG("<g transform='rotate(1 2 3)'/>"),
	  "svg: '1 2 3' is not a list that short", ERR_DATA, 1 },
	{ "a colour", SVG("<path fill='lightgrey'/>"), "svg: 'lightgrey' is not a colour", ERR_DATA,
	  1 },
	{ "a short colour", SVG("<path fill='#fff'/>"), "svg: '#fff' is not a colour", ERR_DATA,
	  1 },
	{ "no hex digit", SVG("<path fill='#00000g'/>"), "svg: '#00000g' is not a colour", ERR_DATA,
	  1 },
	{ "too bright", SVG("<path fill='rgb(1,2,256)'/>"), "is not a colour", ERR_DATA, 1 },
	{ "rgb left open", SVG("<path fill='rgb(1,2,3'/>"), "is not a colour", ERR_DATA, 1 },
	{ "a hatched line", SVG("<path stroke='url(#p)'/>"),
	  "<path>: stroke 'url(#p)' is not known", ERR_DATA, 1 },
	{ "no colour at all", SVG("<g color='none'/>"), "<g>: color 'none' is not known", ERR_DATA,
	  1 },
	{ "opacity", SVG("<g fill-opacity='1.5'/>"), "<g>: fill-opacity '1.5' is not known",
	  ERR_DATA, 1 },
	{ "a negative width", SVG("<g stroke-width='-1'/>"), "<g>: stroke-width '-1' is not known",
	  ERR_DATA, 1 },
	{ "a unit", SVG("<g stroke-width='1em'/>"), "svg: '1em' is not a number", ERR_DATA, 1 },
	{ "a negative dash", SVG("<g stroke-dasharray='1,-1'/>"),
	  "<g>: stroke-dasharray '1,-1' is not known", ERR_DATA, 1 },
	{ "nine dashes", SVG("<g stroke-dasharray='1 2 3 4 5 6 7 8 9'/>"),
	  "is not a list that short", ERR_DATA, 1 },
	{ "a size of 0", SVG("<g font-size='0'/>"), "<g>: font-size '0' is not known", ERR_DATA,
	  1 },
	{ "a weight", SVG("<g font-weight='600'/>"), "<g>: font-weight '600' is not known",
	  ERR_DATA, 1 },
	{ "an anchor", SVG("<g text-anchor='left'/>"), "<g>: text-anchor 'left' is not known",
	  ERR_DATA, 1 },
	{ "a style in a style", SVG("<g style='style:a'/>"), "<g>: style '' is not known", ERR_DATA,
	  1 },
	{ "inside of text", SVG("<text><a>x</a></text>"), "<a>: element 'a' is not known", ERR_DATA,
	  1 },
	{ "an attribute of a tspan", SVG("<text><tspan rotate='3'>x</tspan></text>"),
	  "<tspan>: attribute 'rotate' is not known", ERR_DATA, 1 },
	{ "hatched text", SVG("<text fill='url(#p)'>x</text>"), "<text>: fill 'p' is not known",
	  ERR_DATA, 1 },
	{ "text outside", SVG("<g>x</g>"), "svg: text outside <text>", ERR_DATA, 1 },
	{ "a symbol that is not there", SVG("<use href='#x'/>"), "<use>: href '#x' is not known",
	  ERR_DATA, 1 },
	{ "a symbol elsewhere", SVG("<use href='a.svg'/>"), "<use>: href 'a.svg' is not known",
	  ERR_DATA, 1 },
	{ "no symbol", SVG("<use/>"), "<use>: href '' is not known", ERR_DATA, 1 },
	{ "a symbol in itself", SVG("<g id='a'><use href='#a'/></g>"),
	  "svg: symbols nested too deeply", ERR_DATA, 1 },
	{ "a pattern that is not there", SVG("<rect width='1' height='1' fill='url(#p)'/>"),
	  "<rect>: pattern 'p' is not known", ERR_DATA, 1 },
	{ "a cross hatch", SVG(HATCH("M0,0 L8,8 M0,8 L8,0")),
	  "svg: <pattern>: only one 45 degree line a tile is known", ERR_DATA, 1 },
	{ "two lines a tile", SVG(HATCH("M0,0 L8,8 M0,4 L4,8")), "only one 45 degree line",
	  ERR_DATA, 1 },
	{ "a steep hatch", SVG(HATCH("M0,0 L4,8")), "only one 45 degree line", ERR_DATA, 1 },
	{ "a hatch of nothing", SVG(HATCH("M0,0")), "<path>: pattern 'M0,0' is not known", ERR_DATA,
	  1 },
	{ "a pattern of dots",
	  SVG("<defs><pattern id='p' patternUnits='userSpaceOnUse' width='8' height='8'><circle "
	      "r='1'/>"
	      "</pattern></defs>"),
	  "<circle>: pattern of 'circle' is not known", ERR_DATA, 1 },
	{ "a pattern of the box", SVG("<defs><pattern id='p' width='8' height='8'/></defs>"),
	  "<pattern>: patternUnits '' is not known", ERR_DATA, 1 },
	{ "an oblong tile",
	  SVG("<defs><pattern id='p' patternUnits='userSpaceOnUse' width='8' height='4'/></defs>"),
	  "<pattern>: tile 'not square' is not known", ERR_DATA, 1 },
	{ "an empty pattern",
	  SVG("<defs><pattern id='p' patternUnits='userSpaceOnUse' width='8' height='8'/></defs>"),
	  "<pattern>: pattern 'p' is not known", ERR_DATA, 1 },
	{ "NaN", SVG("<path d='M0,nan'/>"), "svg: a number is not finite", ERR_RANGE, 1 },
	{ "infinity", SVG("<rect x='-inf'/>"), "svg: a number is not finite", ERR_RANGE, 1 },
	{ "too large", SVG("<path d='M0,1e999'/>"), "svg: 1e999 is not finite", ERR_RANGE, 1 },
	{ "too large together", SVG("<g transform='scale(1e300)'><path d='M1e300,0'/></g>"),
	  "svg: a coordinate is not finite", ERR_RANGE, 1 },
};

static void test_bad(struct test *t, struct arena *a)
{
	for (size_t i = 0; i < LEN(bad); i++) {
		struct error err = { 0 };
		struct drawing d;
		bool failed = !drawing_parse(str_of(bad[i].in), "t.svg", a, &d, &err);
		bool match = failed && err.code == bad[i].code && strstr(err.msg, bad[i].want)
			     && err.pos.line == bad[i].line && err.pos.col > 0
			     && strcmp(err.pos.file, "t.svg") == 0;

		test_ok(t, match, bad[i].name);
		if (!match)
			printf("# got %d:%d: %s\n", err.pos.line, err.pos.col,
			       failed ? err.msg : "success");
	}
}

/* Seven levels of ten uses each: a million shapes, or as many visits when they draw nothing. */
static struct str bomb(struct arena *a, const char *leaf)
{
	struct strbuf b = { .arena = a };

	strbuf_printf(&b, "<svg viewBox='0 0 1 1'><defs><g id='x0'>%s</g>", leaf);
	for (int level = 1; level < 7; level++) {
		strbuf_printf(&b, "<g id='x%d'>", level);
		for (int i = 0; i < 10; i++)
			strbuf_printf(&b, "<use href='#x%d'/>", level - 1);
		strbuf_add(&b, STR("</g>"));
	}
	strbuf_add(&b, STR("</defs><use href='#x6'/></svg>"));
	return strbuf_str(&b);
}

static void test_bombs(struct test *t, struct arena *a)
{
	struct error err = { 0 };
	struct drawing d;

	test_ok(t,
		!drawing_parse(bomb(a, "<path d='M0,0 L1,1'/>"), "t.svg", a, &d, &err)
		    && strstr(err.msg, "more than 100000 shapes"),
		"shapes are bounded");
	err = (struct error){ 0 };
	test_ok(t,
		!drawing_parse(bomb(a, ""), "t.svg", a, &d, &err)
		    && strstr(err.msg, "too many elements and symbols"),
		"visits are bounded");
}

int main(void)
{
	struct test t = { 0 };
	struct arena a = { 0 };

	test_good(&t, &a);
	test_circle(&t, &a);
	test_bad(&t, &a);
	test_bombs(&t, &a);
	arena_free(&a);
	return test_done(&t);
}
