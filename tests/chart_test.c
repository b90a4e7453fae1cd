/* Charts from data to SVG, by way of gnuplot and back through drawing_parse. */
#include "test.h"

#include "../base/file.h"
#include "../render/canvas.h"
#include "../render/chart.h"
#include "../render/chart_plan.h"
#include "../render/drawing.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct bench {
	struct test t;
	struct arena a;
	struct font_set *fonts;
	char dir[64];
};

#define POINT(v)                                                                                   \
	{                                                                                          \
		.has = true, .value = v, .low = NAN, .high = NAN, .origin = ORIGIN_MEASURED        \
	}
#define RANGE(v, l, h, o)                                                                          \
	{                                                                                          \
		.has = true, .value = v, .low = l, .high = h, .origin = o                          \
	}
#define NONE                                                                                       \
	{                                                                                          \
		.has = false, .value = 0, .low = NAN, .high = NAN, .origin = ORIGIN_EXCLUDED       \
	}

static struct chart chart_new(struct chart_row *rows, size_t n)
{
	return (struct chart){
		.id = STR("figure-x"),
		.title = STR("Title"),
		.subtitle = STR("Subtitle"),
		.axis_title = STR("Axis"),
		.mean_title = STR("mean"),
		.alt = STR("Bars & dots."),
		.legend_measured = STR("measured"),
		.legend_scaled = STR("scaled"),
		.legend_estimated = STR("estimated"),
		.class_titles = { STR_INIT("CNN"), STR_INIT("Word RNN") },
		.nclasses = 2,
		.rows = rows,
		.nrows = n,
		.reference = 1,
		.has_estimated = true,
	};
}

static bool draw(struct bench *b, const struct chart *c, struct str *svg, struct drawing *d)
{
	struct error err = { 0 };
	bool good = chart_draw(c, b->fonts, NULL, b->dir, &b->a, svg, &err)
		    && drawing_parse(*svg, "figure-x.svg", &b->a, d, &err);

	if (!good)
		printf("# %s\n", err.msg);
	return good;
}

static const struct shape *text_at(const struct drawing *d, struct str text, size_t nth)
{
	for (size_t i = 0; i < d->n; i++)
		if (d->shapes[i].kind == SHAPE_TEXT && str_eq(d->shapes[i].text, text)
		    && nth-- == 0)
			return &d->shapes[i];
	return NULL;
}

static bool has_text(const struct drawing *d, const char *text)
{
	return text_at(d, str_of(text), 0) != NULL;
}

/* The nth path filled with the colour, NULL behind the last. */
static const struct shape *fill_at(const struct drawing *d, struct colour c, enum fill_kind kind,
				   size_t nth)
{
	for (size_t i = 0; i < d->n; i++) {
		const struct shape *s = &d->shapes[i];

		if (s->kind == SHAPE_PATH && s->fill == kind && s->fill_colour.r == c.r
		    && s->fill_colour.g == c.g && s->fill_colour.b == c.b && nth-- == 0)
			return s;
	}
	return NULL;
}

static void box_of(const struct shape *s, double *x0, double *y0, double *x1, double *y1)
{
	*x0 = *y0 = INFINITY;
	*x1 = *y1 = -INFINITY;
	for (size_t i = 0; s && i < s->nsteps; i++) {
		if (s->steps[i].op == PATH_CLOSE)
			continue;
		*x0 = fmin(*x0, s->steps[i].x);
		*y0 = fmin(*y0, s->steps[i].y);
		*x1 = fmax(*x1, s->steps[i].x);
		*y1 = fmax(*y1, s->steps[i].y);
	}
}

static const struct colour blue = { 0x00, 0x72, 0xb2 }, amber = { 0xc9, 0x85, 0x00 };
static const struct colour pale_amber = { 0xfb, 0xeb, 0xc8 }, whisker = { 0x2b, 0x2f, 0x36 };
static const struct colour band = { 0xf6, 0xf7, 0xf9 }, reference = { 0x7a, 0x82, 0x8c };

/* Two rows, axis to 4: one unit of value is (936 - left) / 4 units of page. */
static void test_bars(struct bench *b)
{
	struct chart_row rows[] = {
		{ STR_INIT("RTX 2080 Ti"), { RANGE(2, 1.5, 3, ORIGIN_MEASURED), POINT(1) }, NAN },
		{ STR_INIT("Titan V"), { NONE, RANGE(0.5, 0.25, 9, ORIGIN_SCALED) }, NAN },
	};
	struct chart c = chart_new(rows, 2);
	struct str svg;
	struct drawing d = { 0 };
	double x0, y0, x1, y1, left = 120; /* both names are short: an eighth of the page */

	c.axis_max = 4;
	test_ok(&b->t, draw(b, &c, &svg, &d), "bars are drawn");
	test_near(&b->t, d.width, 960, 0, "960 units wide");
	box_of(fill_at(&d, blue, FILL_SOLID, 1), &x0, &y0, &x1, &y1); /* 0 is the legend */
	test_near(&b->t, x0, left, 0.02, "a bar starts at 0");
	test_near(&b->t, x1, left + 2 * (936 - left) / 4, 0.02, "and ends at its value");
	test_near(&b->t, y1 - y0, 10.8, 0.02, "as high as planned");
	test_ok(&b->t, fill_at(&d, blue, FILL_SOLID, 1) && !fill_at(&d, blue, FILL_SOLID, 2),
		"a missing value has no bar");
	test_ok(&b->t, text_at(&d, STR("n/a"), 0) && !text_at(&d, STR("n/a"), 1), "but says n/a");
	test_ok(&b->t, has_text(&d, "2.00") && has_text(&d, "1.00") && has_text(&d, "0.50"),
		"values have two decimals");
	test_ok(&b->t, !has_text(&d, "0.00"), "nothing reads 0");
	box_of(fill_at(&d, pale_amber, FILL_SOLID, 0), &x0, &y0, &x1, &y1);
	test_near(&b->t, x1, left + 0.5 * (936 - left) / 4, 0.02, "a scaled bar is pale");

	const struct shape *hatch = fill_at(&d, amber, FILL_HATCH, 0);

	test_ok(&b->t, hatch && hatch->hatch_slope == 1, "and hatched");
	test_ok(&b->t,
		text_at(&d, STR("Titan V"), 0)
		    && text_at(&d, STR("Titan V"), 0)->anchor == ANCHOR_END,
		"names end at the plot");
	test_ok(&b->t,
		text_at(&d, STR("Title"), 0) && text_at(&d, STR("Title"), 0)->bold
		    && text_at(&d, STR("Title"), 0)->size == 17.5,
		"the title is bold");
	test_ok(&b->t, has_text(&d, "0.0\xC3\x97") && has_text(&d, "3.5\xC3\x97"), "tick labels");
	box_of(fill_at(&d, band, FILL_SOLID, 0), &x0, &y0, &x1, &y1);
	test_near(&b->t, x1 - x0, 936, 0.02, "the band goes over the whole width");
	test_ok(&b->t,
		str_find(svg, STR("<desc id=\"figure-x-desc\">Bars &amp; dots.</desc>"), 0)
		    < svg.len,
		"the description");
}

/* gnuplot gathers the lines of a block in one path. */
static const struct shape *stroke_at(const struct drawing *d, struct colour c)
{
	for (size_t i = 0; i < d->n; i++) {
		const struct shape *s = &d->shapes[i];

		if (s->kind == SHAPE_PATH && s->stroke && s->stroke_colour.r == c.r
		    && s->stroke_colour.g == c.g && s->stroke_colour.b == c.b)
			return s;
	}
	return NULL;
}

static void test_whiskers(struct bench *b)
{
	struct chart_row rows[] = {
		{ STR_INIT("a"),
		  { RANGE(2, 1, 3, ORIGIN_MEASURED), RANGE(2, 1, 9, ORIGIN_SCALED) },
		  NAN },
		{ STR_INIT("b"), { RANGE(1, 0.5, NAN, ORIGIN_MEASURED), NONE }, NAN },
	};
	struct chart c = chart_new(rows, 2);
	struct str svg;
	struct drawing d = { 0 };
	const struct shape *s;
	double x0, y0, x1, y1;
	size_t moves = 0;

	c.axis_max = 4;
	test_ok(&b->t, draw(b, &c, &svg, &d) && (s = stroke_at(&d, whisker)) != NULL, "whiskers");
	s = stroke_at(&d, whisker);
	box_of(s, &x0, &y0, &x1, &y1);
	test_near(&b->t, x0, 120 + 204, 0.02, "from low");
	test_near(&b->t, x1, 936, 0.02, "to high, at most to the end of the axis");
	for (size_t i = 0; s && i < s->nsteps; i++)
		moves += s->steps[i].op == PATH_MOVE;
	test_ok(&b->t, moves == 3 + 2, "a cut whisker lacks a cap; half an interval is none");
	s = stroke_at(&d, reference);
	test_ok(&b->t, s && s->ndash == 2, "the reference line is dashed");
	test_near(&b->t, s ? s->dash[0] : 0, 4, 0.06, "four on");
	test_near(&b->t, s ? s->dash[1] : 0, 3, 0.06, "three off");
	box_of(s, &x0, &y0, &x1, &y1);
	test_near(&b->t, x0, 120 + 204, 0.02, "and stands at 1");
}

static void test_estimated(struct bench *b)
{
	struct chart_row rows[] = {
		{ STR_INIT("TPU"), { RANGE(2, 1, 3, ORIGIN_ESTIMATED), POINT(1) }, 1.41 },
	};
	struct chart c = chart_new(rows, 1);
	struct str svg;
	struct drawing d = { 0 };

	test_ok(&b->t, draw(b, &c, &svg, &d), "an estimated bar");
	test_ok(&b->t,
		fill_at(&d, blue, FILL_HATCH, 0)
		    && fill_at(&d, blue, FILL_HATCH, 0)->hatch_slope == -1,
		"hatched the other way");
	test_ok(&b->t, stroke_at(&d, blue) && stroke_at(&d, blue)->ndash == 2, "in dashes");
	test_ok(&b->t, has_text(&d, "estimated"), "named in the legend");
	c.has_estimated = false;
	test_ok(&b->t, draw(b, &c, &svg, &d) && !has_text(&d, "estimated"),
		"unless told otherwise");
}

static const char *const hostile[] = {
	"<script>alert(1)</script>",
	"R&D \"quoted\" card",
	"\"",
	"\"all\"",
	"`touch pwned`",
	"{/Bold x}_{y}^2 @z",
	"back\\nslash \\101 \\",
	"# hash",
	"'single' $(id)",
	"%s%n",
	"NaN",
	"?",
	"\xE5\x9B\xBE\xE5\xBD\xA2\xE5\xA4\x84\xE7\x90\x86\xE5\x99\xA8",
	"\xF0\x9F\x8E\x89",
	"]]>",
	"<!-- x",
	"&lt;",
	"|",
	"-",
	"1e5",
};

static void test_hostile(struct bench *b)
{
	struct chart_row rows[LEN(hostile)] = { 0 };
	struct chart c = chart_new(rows, LEN(hostile));
	struct error err = { 0 };
	struct str svg, script;
	struct drawing d = { 0 };
	size_t found = 0;
	char *pwned = (char *)str_c(&b->a, file_join(&b->a, str_of(b->dir), STR("pwned")));

	for (size_t i = 0; i < LEN(hostile); i++) {
		rows[i] = (struct chart_row){ str_of(hostile[i]), { POINT(1), POINT(2) }, NAN };
		c.title = str_of(hostile[i]); /* the last one stays; each is drawn as a name */
	}
	c.title = c.subtitle = c.axis_title = c.class_titles[1] = c.alt = STR("'`\"\\<&>{}^@\n|");
	test_ok(&b->t, draw(b, &c, &svg, &d), "hostile names are drawn");
	for (size_t i = 0; i < LEN(hostile); i++)
		found += has_text(&d, hostile[i]);
	test_ok(&b->t, found == LEN(hostile), "every one as it is");
	test_ok(&b->t, has_text(&d, "'`\"\\<&>{}^@\xEF\xBF\xBD|"),
		"titles too, control characters replaced");
	test_ok(&b->t, !file_exists(pwned), "no shell ran");
	test_ok(&b->t,
		file_read(str_c(&b->a, file_join(&b->a, str_of(b->dir), STR("figure-x.gnuplot"))),
			  0, &b->a, &script, &err)
		    && str_find(script, STR("quoted"), 0) == script.len
		    && str_find(script, STR("`"), 0) == script.len
		    && str_find(script, STR("\""), 0) == script.len,
		"no name stands in the script");
}

static void test_dots(struct bench *b)
{
	struct chart_row rows[CHART_DOTS_MAX_ROWS] = { 0 };
	struct chart c = chart_new(rows, CHART_DOTS_MAX_ROWS);
	struct str svg, again;
	struct drawing d = { 0 }, e;
	double x0, y0, x1, y1, left, right;

	for (size_t i = 0; i < LEN(rows); i++)
		rows[i] = (struct chart_row){ str_printf(&b->a, "card %zu", i),
					      { POINT(0.1), RANGE(1, 0.5, 2, ORIGIN_SCALED) },
					      i == 0 ? NAN : 0.333 };
	c.axis_min = 0.1;
	c.axis_max = 10;
	c.log_axis = true;
	test_ok(&b->t, draw(b, &c, &svg, &d), "sixty rows are dots");
	test_ok(&b->t, text_at(&d, STR("0.33"), 58) && !text_at(&d, STR("0.33"), 59),
		"means, none where NAN");
	test_ok(&b->t,
		has_text(&d, "mean") && has_text(&d, "0.1\xC3\x97") && has_text(&d, "10\xC3\x97"),
		"heading and powers of ten");
	/* two panels with a gap of 26 between them; a scale from 0.1 to 10 in each */
	left = text_at(&d, STR("10\xC3\x97"), 0) ? text_at(&d, STR("0.1\xC3\x97"), 2)->x : 0;
	right = left > 0 ? text_at(&d, STR("10\xC3\x97"), 2)->x : 0;
	/* 0 stands beside the title of the panel */
	box_of(fill_at(&d, amber, FILL_SOLID, 0), &x0, &y0, &x1, &y1);
	test_near(&b->t, (x0 + x1) / 2, left + 4, 0.05, "the class's mark beside its title");
	box_of(fill_at(&d, amber, FILL_SOLID, 1), &x0, &y0, &x1, &y1);
	test_near(&b->t, (x0 + x1) / 2, (left + right) / 2, 0.05, "1 is halfway from 0.1 to 10");
	test_near(&b->t, left - text_at(&d, STR("10\xC3\x97"), 0)->x, 26, 0.05,
		  "the panels do not touch");
	test_ok(&b->t,
		text_at(&d, STR("mean"), 0) && right + 20 < text_at(&d, STR("mean"), 0)->x - 30,
		"the last tick keeps off the means");
	test_ok(&b->t, draw(b, &c, &again, &e) && str_eq(svg, again), "the same bytes again");
	c.nrows = 3;
	c.dots = true;
	test_ok(&b->t,
		draw(b, &c, &svg, &d) && text_at(&d, STR("10\xC3\x97"), 0)
		    && text_at(&d, STR("10\xC3\x97"), 2)->x == right,
		"the short last part has the same axis");
	c.dots = false;
	c.axis_min = 0;
	test_ok(&b->t, draw(b, &c, &svg, &d) && has_text(&d, "0\xC3\x97"),
		"bars are never on a log axis");
}

static void test_sparse(struct bench *b)
{
	struct chart_row rows[] = {
		{ STR_INIT(""), { NONE, NONE }, NAN },
		{ STR_INIT("zero"), { POINT(0), NONE }, NAN },
	};
	struct chart c = chart_new(rows, 0);
	struct str svg;
	struct drawing d = { 0 };

	test_ok(&b->t, draw(b, &c, &svg, &d) && has_text(&d, "no data") && has_text(&d, "CNN"),
		"no rows");
	c.nclasses = 0;
	test_ok(&b->t, draw(b, &c, &svg, &d) && has_text(&d, "no data"), "no classes");
	c.nrows = 1;
	c.reference = NAN;
	test_ok(&b->t, draw(b, &c, &svg, &d) && has_text(&d, "1.0"),
		"a row of nothing; no reference, no x");
	c.nclasses = 2;
	test_ok(&b->t, draw(b, &c, &svg, &d) && text_at(&d, STR("n/a"), 1), "a row without values");
	c.nrows = 2;
	test_ok(&b->t, draw(b, &c, &svg, &d) && has_text(&d, "0.00"),
		"a value that is 0 is said to be");
	c.dots = true;
	test_ok(&b->t, draw(b, &c, &svg, &d) && !has_text(&d, "n/a"), "dots leave the place empty");
	c.title = c.subtitle = c.axis_title = c.mean_title = c.legend_measured = c.legend_scaled =
	    STR("");
	test_ok(&b->t, draw(b, &c, &svg, &d), "no texts");
}

static void test_long(struct bench *b)
{
	struct str name = STR("A graphics card whose name has sixty characters, all needed W");
	struct str words =
	    STR("All work and no play makes a very long title that cannot stand in one line of "
		"a chart and goes on in a second one, and then, still, in the third and last one, "
		"where whatever else there may be to say is cut in the middle, because enough is "
		"enough and a chart needs room for its bars");
	struct chart_row rows[] = { { name, { POINT(1), POINT(2) }, NAN } };
	struct chart c = chart_new(rows, 1);
	struct str svg;
	struct drawing d = { 0 };
	const struct shape *s;

	c.title = words;
	for (size_t i = 0; i < CHART_CLASSES_MAX; i++)
		c.class_titles[i] = str_printf(&b->a, "A class with quite a name, number %zu", i);
	c.nclasses = CHART_CLASSES_MAX;
	test_ok(&b->t, draw(b, &c, &svg, &d), "long texts");
	s = text_at(&d, STR("A class with quite a name, number 5"), 0);
	test_ok(&b->t, s && s->x + 200 < 960, "the legend goes on in another line");
	for (size_t i = 0; i < d.n; i++) {
		double w, x;

		s = &d.shapes[i];
		if (s->kind != SHAPE_TEXT)
			continue;
		w = s->size
		    * font_text_width(b->fonts, s->bold ? FONT_BOLD : FONT_REGULAR, s->text);
		x = s->anchor == ANCHOR_START ? s->x
		    : s->anchor == ANCHOR_END ? s->x - w
					      : s->x - w / 2;
		if (x < 0 || x + w > 960)
			break;
		s = NULL;
	}
	test_ok(&b->t, !s || s->kind != SHAPE_TEXT, "no text leaves the page");
	rows[0].label = STR("W W W W W W W W W W W W W W W W W W W W W W W W W W W W W W W W");
	test_ok(&b->t,
		draw(b, &c, &svg, &d)
		    && !has_text(&d, "W W W W W W W W W W W W W W W W W W W W W W"),
		"a name too wide is shortened");
}

static void set_value(struct chart *c)
{
	c->rows[0].points[0].value = INFINITY;
}
static void set_nan(struct chart *c)
{
	c->rows[0].points[0].value = NAN;
}
static void set_negative(struct chart *c)
{
	c->rows[0].points[0].value = -1;
}
static void set_huge(struct chart *c)
{
	c->rows[0].points[0].value = 1e10;
}
static void set_low(struct chart *c)
{
	c->rows[0].points[0].low = -INFINITY;
}
static void set_high(struct chart *c)
{
	c->rows[0].points[0].high = INFINITY;
}
static void set_crossed(struct chart *c)
{
	c->rows[0].points[0].low = 3;
	c->rows[0].points[0].high = 2;
}
static void set_mean(struct chart *c)
{
	c->rows[0].mean = INFINITY;
}
static void set_axis(struct chart *c)
{
	c->axis_max = NAN;
}
static void set_axis_low(struct chart *c)
{
	c->axis_max = 0.5;
}
static void set_axis_empty(struct chart *c)
{
	c->axis_max = 1;
	c->axis_min = 1;
}
static void set_reference(struct chart *c)
{
	c->reference = INFINITY;
}
static void set_log_zero(struct chart *c)
{
	c->dots = c->log_axis = true;
	c->rows[0].points[0].value = 0;
}
static void set_log_min(struct chart *c)
{
	c->dots = c->log_axis = true;
	c->axis_min = 2;
}
static void set_classes(struct chart *c)
{
	c->nclasses = CHART_CLASSES_MAX + 1;
}
static void set_rows(struct chart *c)
{
	c->nrows = CHART_DOTS_MAX_ROWS + 1;
}
static void set_id(struct chart *c)
{
	c->id = STR("../x");
}

static const struct {
	void (*set)(struct chart *c);
	enum error_code code;
	const char *want;
} faults[] = {
	{ set_value, ERR_RANGE, "figure-x: row 1 'card': value inf is not in [0, 1e9]" },
	{ set_nan, ERR_RANGE, "figure-x: row 1 'card': value nan is not in [0, 1e9]" },
	{ set_negative, ERR_RANGE, "figure-x: row 1 'card': value -1 is not in [0, 1e9]" },
	{ set_huge, ERR_RANGE, "figure-x: row 1 'card': value 1e+10 is not in [0, 1e9]" },
	{ set_low, ERR_RANGE, "figure-x: row 1 'card': low -inf is not in [0, 1e9]" },
	{ set_high, ERR_RANGE, "figure-x: row 1 'card': high inf is not in [0, 1e9]" },
	{ set_crossed, ERR_RANGE, "figure-x: row 1 'card': low 3 is not at most high" },
	{ set_mean, ERR_RANGE, "figure-x: row 1 'card': mean inf is not in [0, 1e9]" },
	{ set_axis, ERR_RANGE, "figure-x: axis from 0 to nan is not in [0, 1e9]" },
	{ set_axis_low, ERR_RANGE, "figure-x: row 1 'card': value 1 is not within axis_max" },
	{ set_axis_empty, ERR_RANGE, "figure-x: axis from 1 to 1 is empty" },
	{ set_reference, ERR_RANGE, "figure-x: reference inf is not on the axis" },
	{ set_log_zero, ERR_RANGE, "figure-x: row 1 'card': value 0 is not above 0 on a log axis" },
	{ set_log_min, ERR_RANGE, "figure-x: row 1 'card': value 1 is not within axis_min" },
	{ set_classes, ERR_RANGE, "figure-x: 7 classes, at most 6" },
	{ set_rows, ERR_RANGE, "figure-x: 61 rows, at most 60" },
	{ set_id, ERR_DATA, "chart: '../x' is no id: letters, digits and dashes" },
};

static void test_faults(struct bench *b)
{
	for (size_t i = 0; i < LEN(faults); i++) {
		struct chart_row rows[] = { { STR_INIT("card"), { POINT(1), POINT(1) }, 1 } };
		struct chart c = chart_new(rows, 1);
		struct error err = { 0 };
		struct str svg;

		faults[i].set(&c);
		test_ok(&b->t,
			!chart_draw(&c, b->fonts, NULL, b->dir, &b->a, &svg, &err)
			    && err.code == faults[i].code && strcmp(err.msg, faults[i].want) == 0,
			faults[i].want);
		if (strcmp(err.msg, faults[i].want) != 0)
			printf("# got '%s'\n", err.msg);
	}
}

/* A gnuplot that draws well-formed nothing: the texts are missed. */
static void test_lost(struct bench *b)
{
	struct chart_row rows[] = { { STR_INIT("card"), { POINT(1), POINT(1) }, 1 } };
	struct chart c = chart_new(rows, 1);
	struct error err = { 0 };
	struct str svg;
	const char *fake = str_c(&b->a, file_join(&b->a, str_of(b->dir), STR("fake")));

	file_write(fake, STR("#!/bin/sh\necho \"<svg viewBox='0 0 1 1'/>\" > figure-x.raw.svg\n"),
		   &err);
	chmod(fake, 0755);
	test_ok(&b->t,
		!chart_draw(&c, b->fonts, fake, b->dir, &b->a, &svg, &err) && err.code == ERR_DATA
		    && strcmp(err.msg, "figure-x: gnuplot lost the text 'Title'") == 0,
		"a lost text is an error");
	file_write(fake,
		   STR("#!/bin/sh\necho \"<svg viewBox='0 0 1 1'><g><text\" > figure-x.raw.svg\n"),
		   &err);
	chmod(fake, 0755);
	err = (struct error){ 0 };
	test_ok(&b->t,
		!chart_draw(&c, b->fonts, fake, b->dir, &b->a, &svg, &err)
		    && err.code == ERR_ENVIRONMENT
		    && strncmp(err.msg, "gnuplot wrote a broken picture: ", 32) == 0,
		"half a picture is the environment's fault");
	unlink(fake);
}

int main(void)
{
	struct bench b = { .dir = "/tmp/gpuguide-test-XXXXXX" };
	struct error err = { 0 };

	if (!font_set_open(&b.a, &b.fonts, &err) || !mkdtemp(b.dir)) {
		error_print(stderr, &err);
		return 1;
	}
	test_bars(&b);
	test_whiskers(&b);
	test_estimated(&b);
	test_hostile(&b);
	test_dots(&b);
	test_sparse(&b);
	test_long(&b);
	test_faults(&b);
	test_lost(&b);
	unlink(str_c(&b.a, file_join(&b.a, str_of(b.dir), STR("figure-x.gnuplot"))));
	unlink(str_c(&b.a, file_join(&b.a, str_of(b.dir), STR("figure-x.tsv"))));
	rmdir(b.dir);
	font_set_free(b.fonts);
	arena_free(&b.a);
	return test_done(&b.t);
}
