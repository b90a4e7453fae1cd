/* Drawings made smaller: the same marks, fewer bytes. */
#include "../render/html_svg.h"
#include "test.h"

static const struct {
	const char *name;
	struct str in, want;
} numbers[] = {
	{ "a tenth from ten on", STR_INIT("12.34"), STR_INIT("12.3") },
	{ "hundredths below", STR_INIT("2.9712"), STR_INIT("2.97") },
	{ "thousandths below one", STR_INIT("0.2222"), STR_INIT("0.222") },
	{ "no zeros at the end", STR_INIT("948.00,113.10"), STR_INIT("948,113.1") },
	{ "half to even", STR_INIT("10.25 10.75"), STR_INIT("10.2 10.8") },
	{ "nought without a sign", STR_INIT("-0.0001"), STR_INIT("0") },
	{ "a transform", STR_INIT("translate(569.22,504.76) scale(2.97) rotate(-45)"),
	  STR_INIT("translate(569.2,504.8) scale(2.97) rotate(-45)") },
	{ "not a number", STR_INIT("none"), STR_INIT("none") },
	{ "nothing", STR_INIT(""), STR_INIT("") },
};

static const struct {
	const char *name;
	struct str in, want;
} paths[] = {
	{ "a whisker", STR_INIT("M763.53,120.64 L870.71,120.64 M763.53,118.64 L763.53,122.64"),
	  STR_INIT("M763.5,120.6H870.7M763.5,118.6V122.6") },
	{ "points behind an M are lines", STR_INIT("M 10,10 20,10 20,30"),
	  STR_INIT("M10,10H20V30") },
	{ "a closed figure", STR_INIT("M0,-1.33 L-1.33,0.67 L1.33,0.67 z"),
	  STR_INIT("M0,-1.33L-1.33,0.67H1.33z") },
	/* the pen is back at 10,10: an H from 20 would be a wrong line */
	{ "a line behind a closing", STR_INIT("M10,10 L20,20 z L30,20"),
	  STR_INIT("M10,10L20,20zL30,20") },
	{ "equal after rounding", STR_INIT("M10.01,10 L10.04,20"), STR_INIT("M10,10V20") },
	{ "another command", STR_INIT("M10,10 h 20.00 v 5"), STR_INIT("M10,10 h 20 v 5") },
	{ "a number missing", STR_INIT("M10,10 L20"), STR_INIT("M10,10 L20") },
	{ "nothing", STR_INIT(""), STR_INIT("") },
};

#define ROOT "<svg id=\"fig\" viewBox=\"0 0 960 500\">"

static const struct {
	const char *name;
	struct str in, want;
} drawings[] = {
	{ "groups that say nothing are dropped",
	  STR_INIT(ROOT "<g id=\"p1\"><g><rect x=\"1.00\" y=\"2.00\"/></g></g><g/></svg>"),
	  STR_INIT(ROOT "<rect x=\"1\" y=\"2\"/></svg>") },
	{ "title and description keep their ids",
	  STR_INIT("<svg id=\"fig\"><title id=\"fig-title\">A &amp; &lt;b&gt; \"c\"</title>"
		   "<desc id=\"fig-desc\">d</desc></svg>"),
	  STR_INIT("<svg id=\"fig\"><title id=\"fig-title\">A &amp; &lt;b&gt; &quot;c&quot;</title>"
		   "<desc id=\"fig-desc\">d</desc></svg>") },
	{ "what holds anyway is not said twice",
	  STR_INIT(ROOT "<g fill=\"none\"><g fill=\"none\" stroke=\"red\"><path fill=\"none\" "
			"d=\"M1,1 L2,1\"/></g></g></svg>"),
	  STR_INIT(ROOT "<g fill=\"none\"><g stroke=\"red\"><path d=\"M1,1H2\"/></g></g></svg>") },
	{ "neighbours that look alike are joined, in painting order",
	  STR_INIT(ROOT "<g fill=\"a\"><rect x=\"1\"/></g><g fill=\"a\"><rect x=\"2\"/></g>"
			"<g fill=\"b\"><rect x=\"3\"/></g><g fill=\"a\"><rect x=\"4\"/></g></svg>"),
	  STR_INIT(
	      ROOT
	      "<g fill=\"a\"><rect x=\"1\"/><rect x=\"2\"/></g><g fill=\"b\"><rect x=\"3\"/></g>"
	      "<g fill=\"a\"><rect x=\"4\"/></g></svg>") },
	{ "the place of a text is its own",
	  STR_INIT(
	      ROOT
	      "<g transform=\"translate(18.00,30.70)\" font-size=\"12\"><text>one</text></g>"
	      "<g transform=\"translate(18.00,52.71)\" font-size=\"12\"><text>t<tspan>w</tspan> o"
	      "</text></g></svg>"),
	  STR_INIT(
	      ROOT
	      "<g font-size=\"12\"><text x=\"18\" y=\"30.7\">one</text><text x=\"18\" y=\"52.7\">"
	      "t<tspan>w</tspan> o</text></g></svg>") },
	{ "a turned text keeps its transform",
	  STR_INIT(ROOT "<g transform=\"translate(1,2) rotate(-90)\"><text>up</text></g></svg>"),
	  STR_INIT(ROOT "<text transform=\"translate(1,2) rotate(-90)\">up</text></svg>") },
	{ "marks become symbols with short ids",
	  STR_INIT(
	      ROOT
	      "<defs><circle id=\"fig-gpPt5\" r=\"1\"/></defs>"
	      "<use href=\"#fig-gpPt5\" transform=\"translate(10.04,20) scale(2.97)\" color=\"x\"/>"
	      "<use href=\"#fig-gpPt5\" transform=\"translate(30,40) scale(2.97)\" color=\"x\"/>"
	      "<use href=\"#fig-gpPt5\" transform=\"translate(50,60) scale(1.5)\" "
	      "color=\"y\"/></svg>"),
	  STR_INIT(ROOT
		   "<defs><circle id=\"f1-0\" r=\"1\"/></defs>"
		   "<g color=\"x\"><use href=\"#f1m0\" x=\"10\" y=\"20\"/><use href=\"#f1m0\" "
		   "x=\"30\" y=\"40\"/>"
		   "</g><g color=\"y\"><use href=\"#f1m1\" x=\"50\" y=\"60\"/></g>"
		   "<defs><use id=\"f1m0\" href=\"#f1-0\" transform=\"scale(2.97)\"/>"
		   "<use id=\"f1m1\" href=\"#f1-0\" transform=\"scale(1.5)\"/></defs></svg>") },
	{ "symbols stay as they are: they are scaled later",
	  STR_INIT(ROOT "<defs><rect id=\"a\" stroke-width=\"0.2222\" x=\"-1.0\"/></defs>"
			"<rect fill=\"url(#a)\"/></svg>"),
	  STR_INIT(ROOT "<defs><rect id=\"f1-0\" stroke-width=\"0.2222\" x=\"-1.0\"/></defs>"
			"<rect fill=\"url(#f1-0)\"/></svg>") },
	{ "a text that looks like markup",
	  STR_INIT(ROOT "<text x=\"1\">&lt;/svg&gt;&lt;script&gt;</text></svg>"),
	  STR_INIT(ROOT "<text x=\"1\">&lt;/svg&gt;&lt;script&gt;</text></svg>") },
	{ "an empty drawing", STR_INIT("<svg class=\"figure\"></svg>"),
	  STR_INIT("<svg class=\"figure\"/>") },
};

int main(void)
{
	struct test t = { 0 };
	struct arena a = { 0 };
	struct error err = { .code = ERR_NONE };
	struct str out = STR("");

	for (size_t i = 0; i < LEN(numbers); i++)
		test_str(&t, html_svg_numbers(numbers[i].in, &a), numbers[i].want, numbers[i].name);
	for (size_t i = 0; i < LEN(paths); i++)
		test_str(&t, html_svg_path(paths[i].in, &a), paths[i].want, paths[i].name);
	for (size_t i = 0; i < LEN(drawings); i++) {
		out = STR("");
		html_svg(drawings[i].in, "test", STR("f1"), &a, &out, &err);
		test_str(&t, out, drawings[i].want, drawings[i].name);
	}
	test_ok(&t, !html_svg(STR("<svg><g></svg>"), "fig", STR("f1"), &a, &out, &err)
			&& err.code == ERR_SYNTAX && str_eq(str_of(err.pos.file), STR("fig")),
		"what is no XML is refused with its name");
	arena_free(&a);
	return test_done(&t);
}
