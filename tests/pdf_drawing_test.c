/* A drawing as page operators: what they say and what they leave out. */
#include "pdf_fixture.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

static size_t count_in(struct str s, const char *what)
{
	size_t n = 0;

	for (size_t at = 0; (at = str_find(s, str_of(what), at)) < s.len; at++)
		n++;
	return n;
}

/* A closed polygon of n corners around (100, 100), its radii multiplied by `wide` across. */
static struct shape *ring(struct fixture *f, struct drawing *d, size_t n, double wide)
{
	struct shape *s = shape(f, d, SHAPE_PATH);

	s->nsteps = n + 1;
	s->steps = arena_array(&f->a, n + 1, sizeof *s->steps);
	for (size_t i = 0; i < n; i++) {
		double t = 2 * acos(-1) * (double)i / (double)n;
		s->steps[i] = (struct path_step){ i ? PATH_LINE : PATH_MOVE,
						  100 + wide * 50 * cos(t), 100 + 50 * sin(t) };
	}
	s->steps[n].op = PATH_CLOSE;
	s->fill = FILL_SOLID;
	s->fill_colour = (struct colour){ 0x33, 0x66, 0x99 };
	return s;
}

/* The page that shows a drawing of one ring, 493.276 pt wide for 493.276 units. */
static struct str page_of(struct fixture *f, size_t corners, double wide, size_t rings)
{
	struct report r = empty_report(f);
	struct report_figure *g = arena_alloc(&f->a, sizeof *g);
	struct error err = { 0 };
	struct str pdf = STR("");

	g->id = STR("f");
	g->title = STR("Title");
	g->drawing.width = 493.276;
	g->drawing.height = 200;
	for (size_t i = 0; i < rings; i++)
		ring(f, &g->drawing, corners, wide);
	block(&r, BLOCK_FIGURE)->figure = g;
	if (!write_pdf(f, &r, &pdf, &err))
		printf("# %s\n", err.msg);
	return pdf_file_plain(pdf, &f->a);
}

static const struct {
	const char *name;
	size_t corners;
	double wide;
	size_t curves, lines;
} shapes[] = {
	{ "a ring of many corners is four curves", 32, 1, 4, 0 },
	{ "an oval keeps its corners", 32, 1.5, 0, 31 },
	{ "so does an octagon", 8, 1, 0, 7 },
	{ "and a triangle", 3, 1, 0, 2 },
};

int main(void)
{
	struct fixture f = { 0 };
	struct error err = { 0 };
	char tmp[] = "/tmp/pdf-test-XXXXXX";

	f.tmp = mkdtemp(tmp);
	if (!f.tmp || !font_set_open(&f.a, &f.fonts, &err)) {
		test_ok(&f.t, false, err.msg);
		return test_done(&f.t);
	}
	for (size_t i = 0; i < LEN(shapes); i++) {
		struct str page = page_of(&f, shapes[i].corners, shapes[i].wide, 1);
		test_ok(&f.t,
			count_in(page, " c\n") == shapes[i].curves
			    && count_in(page, " l\n") == shapes[i].lines,
			shapes[i].name);
	}
	struct str three = page_of(&f, 3, 1, 3);
	/* 0x33 0x66 0x99 of 255 */
	test_ok(&f.t, count_in(three, "0.2 0.4 0.6 rg\n") == 1,
		"a colour that stays is not repeated");
	test_ok(&f.t, count_in(three, " m\n") == 3, "the shapes are");
	/* the first corner: 51 + 150 */
	test_ok(&f.t, count_in(three, "\n201 ") == 3, "whole numbers have no decimals");
	test_ok(&f.t, count_in(three, ".000") == 0 && count_in(three, "0.0 ") == 0,
		"nor zeros at the end");
	rmdir(tmp);
	font_set_free(f.fonts);
	arena_free(&f.a);
	return test_done(&f.t);
}
