/* The kinds of pictures, from data to SVG and back: places, marks, and texts that keep clear. */
#include "figure_fixture.h"

#include "../base/file.h"
#include "../render/chart.h"
#include "../render/figure_cells.h"
#include "../render/figure_flow.h"
#include "../render/figure_slope.h"
#include "../render/figure_stack.h"
#include "../render/figure_xy.h"

#include <stdlib.h>
#include <unistd.h>

struct bench {
	struct test t;
	struct arena a;
	struct font_set *fonts;
	char dir[64];
	struct drawing d;
};

typedef double draw_fn(struct chart_plan *p, const void *data, double y);

static bool draw(struct bench *b, draw_fn *fn, const void *data, const char *name)
{
	struct chart_picture picture = { fn, data };
	struct chart c = { .id = STR("figure-x"), .title = STR("A title"), .subtitle = STR("unit"),
			   .alt = STR("What it shows."), .reference = NAN, .picture = &picture };
	struct error err = { 0 };
	struct str svg;
	bool good = chart_draw(&c, b->fonts, NULL, b->dir, &b->a, &svg, &err);

	b->d = (struct drawing){ 0 };
	good = good && drawing_parse(svg, "figure-x.svg", &b->a, &b->d, &err);
	test_ok(&b->t, good, name);
	if (!good)
		printf("# %s\n", err.msg);
	else
		test_texts(&b->t, &b->d, b->fonts, name);
	return good;
}

/* Paths that are filled, or stroked, in the colour. */
static size_t count(const struct bench *b, bool filled, unsigned char red, unsigned char green)
{
	size_t n = 0;

	for (size_t i = 0; i < b->d.n; i++) {
		const struct shape *s = &b->d.shapes[i];
		struct colour c = filled ? s->fill_colour : s->stroke_colour;

		n += s->kind == SHAPE_PATH && (filled ? s->fill == FILL_SOLID : s->stroke)
		     && c.r == red && c.g == green;
	}
	return n;
}

#define AT(px, py, name)                                                                           \
	{ .x = px, .y = py, .low = NAN, .high = NAN, .label = STR_INIT(name), .look = 0 }

static void test_xy(struct bench *b)
{
	struct xy_point points[] = { AT(1, 1, "first"), AT(10, 1, "second"), AT(10, 10, "third"),
				     AT(10.1, 10, "crowded"), AT(NAN, 1, "missing"),
				     AT(1000, 1, "beyond") };
	struct xy_series s = { .line = XY_CURVE, .marks = true, .points = points, .n = 3,
			       .name = STR_INIT("The line") };
	struct xy_rule rule = { 1, 1, 10, 10, STR_INIT(""), false };
	struct xy_panel panel = { STR_INIT("Panel"), &s, 1, &rule, 1 };
	struct figure_key key = { KEY_DOT, 0, STR_INIT("a key") };
	struct figure_xy f = {
		.x = { STR_INIT("x axis"), { .kind = SCALE_LOG10, .min = 1, .max = 100 } },
		.y = { STR_INIT("y axis"), { .kind = SCALE_LOG10, .min = 1, .max = 100 } },
		.panels = &panel,
		.npanels = 1,
		.columns = 1,
		.plot_height = 200,
		.keys = &key,
		.nkeys = 1
	};

	draw(b, figure_xy_draw, &f, "points and a line");
	test_near(&b->t, b->d.width, 760, 0, "760 units wide");
	test_ok(&b->t, text_find(&b->d, "first", 0) && text_find(&b->d, "third", 0)
			   && text_find(&b->d, "The line", 0) && text_find(&b->d, "Panel", 0)
			   && text_find(&b->d, "x axis", 0) && text_find(&b->d, "y axis", 0)
			   && text_find(&b->d, "a key", 0),
		"labels, name, titles and key");
	/* one decade of two is half the plot: ticks 1 and 100 of the x axis lie at its ends, 10
	 * between */
	const struct shape *one = text_find(&b->d, "1", 1), *ten = text_find(&b->d, "10", 1),
			   *hundred = text_find(&b->d, "100", 1);
	test_ok(&b->t, one && ten && hundred, "ticks on both axes");
	if (one && ten && hundred)
		test_near(&b->t, ten->x, (one->x + hundred->x) / 2, 0.02, "logarithmic");
	s.n = LEN(points);
	draw(b, figure_xy_draw, &f, "points that are missing or beyond the axis");
	test_ok(&b->t, !text_find(&b->d, "missing", 0) && !text_find(&b->d, "beyond", 0),
		"are left out with their labels");
	s.points[0].low = 1;
	s.points[0].high = s.points[1].high = 2;
	s.points[1].low = 1;
	s.points[2].low = 5;
	s.points[2].high = 20;
	s.band = true;
	draw(b, figure_xy_draw, &f, "a band");
	test_ok(&b->t, count(b, true, 0xcf, 0xe4) == 1, "is one pale area");
}

/* Two hundred labelled points: whatever has no room stays away. */
static void test_crowd(struct bench *b)
{
	struct xy_point points[200];
	struct xy_series s = { .marks = true, .points = points, .n = LEN(points) };
	struct xy_panel panels[3] = { { STR_INIT("A"), &s, 1, NULL, 0 },
				      { STR_INIT("B"), &s, 1, NULL, 0 },
				      { STR_INIT("C"), &s, 1, NULL, 0 } };
	struct figure_xy f = {
		.x = { STR_INIT("x"), { .kind = SCALE_LINEAR, .min = 0, .max = 20 } },
		.y = { STR_INIT("y"), { .kind = SCALE_LINEAR, .min = 0, .max = 10 } },
		.panels = panels,
		.npanels = 3,
		.columns = 2,
		.plot_height = 230
	};

	for (size_t i = 0; i < LEN(points); i++)
		points[i] = (struct xy_point){ .x = (double)(i % 20),
					       .y = (double)(i / 20),
					       .low = NAN,
					       .high = NAN,
					       .look = i % 6,
					       .hollow = i % 2,
					       .label = str_printf(&b->a, "Card %zu", i) };
	draw(b, figure_xy_draw, &f, "a crowd in three panels");
}

static void test_stack(struct bench *b)
{
	struct stack_row rows[] = {
		{ STR_INIT("A card"), { 100, 200, 100 }, STR_INIT("$400"), STR_INIT("1.00") },
		{ STR_INIT("A card without power"),
		  { 100, 50, NAN },
		  STR_INIT("$150"),
		  STR_INIT("0.50") },
	};
	struct figure_stack f = { .axis_title = STR_INIT("USD"),
				  .note_title = STR_INIT("value"),
				  .part_titles = { STR_INIT("card"), STR_INIT("host"),
						   STR_INIT("power") },
				  .nparts = 3,
				  .rows = rows,
				  .nrows = 2,
				  .prefix = STR_INIT("$") };

	draw(b, figure_stack_draw, &f, "stacked bars");
	/* solid blue: both rows and the key; pale amber and paper under hatches likewise, less
	 * one */
	test_ok(&b->t, count(b, true, 0x00, 0x72) == 3, "first parts and their key");
	test_ok(&b->t, count(b, true, 0xfb, 0xeb) == 3, "second parts");
	test_ok(&b->t, count(b, true, 0xff, 0xff) == 2, "a part that is missing has no bar");
	test_ok(&b->t, text_find(&b->d, "$400", 1) && text_find(&b->d, "$150", 0), "sums");
	f.nrows = 0;
	draw(b, figure_stack_draw, &f, "no rows");
}

static void test_cells(struct bench *b)
{
	static const struct str columns[] = { STR_INIT("2"), STR_INIT("4"), STR_INIT("8"),
					      STR_INIT("16") };
	const struct figure_cell no = { CELL_EMPTY, LOOK_NONE, STR_INIT("x") };
	const struct figure_cell half = { CELL_TINTED, 0, STR_INIT("h") };
	const struct figure_cell full = { CELL_THICK, 2, STR_INIT("f") };
	const struct figure_cell cells[] = { no, half, full, full };
	const struct cells_row rows[] = { { STR_INIT("training"), NULL },
					  { STR_INIT("a net"), cells } };
	const struct cell_key keys[] = { { half, STR_INIT("half") }, { full, STR_INIT("full") } };
	const struct figure_cells f = { STR_INIT("GB"), columns, 4, rows, 2, keys, 2 };

	draw(b, figure_cells_draw, &f, "a matrix");
	test_ok(&b->t, text_find(&b->d, "f", 1) && !text_find(&b->d, "f", 2),
		"cells that say the same are one (and one in the key)");
	test_ok(&b->t, text_find(&b->d, "x", 0) && text_find(&b->d, "16", 1), "and both heads");
}

static void test_tiles(struct bench *b)
{
	struct figure_cell tiles[44];
	struct tile_group groups[] = { { STR_INIT("yes: 40"), tiles, 40 },
				       { STR_INIT("no: 4"), &tiles[40], 4 } };
	const struct figure_tiles f = { groups, 2 };

	for (size_t i = 0; i < LEN(tiles); i++)
		tiles[i] = (struct figure_cell){ i < 40 ? CELL_TINTED : CELL_DASHED, 2,
						 str_printf(&b->a, "%zu", i + 1) };
	draw(b, figure_tiles_draw, &f, "tiles in more than one line");
	test_ok(&b->t, text_find(&b->d, "44", 0) && text_find(&b->d, "no: 4", 0), "all of them");
}

static void test_slope(struct bench *b)
{
	static const struct slope_item items[] = {
		{ STR_INIT("riser"), 5, 1 },  { STR_INIT("faller"), 1, 7 },
		{ STR_INIT("stayer"), 2, 2 }, { STR_INIT("newcomer"), 0, 3 },
		{ STR_INIT("leaver"), 3, 0 },
	};
	const struct slope_panel panels[] = { { STR_INIT("CNN"), items, 5 },
					      { STR_INIT("RNN"), items, 5 } };
	const struct figure_slope f = {
		STR_INIT("before"), STR_INIT("now"), panels, 2, 2, NULL, 0
	};

	draw(b, figure_slope_draw, &f, "a slope chart");
	/* the left sides of both panels come first */
	const struct shape *from = text_find(&b->d, "riser", 0), *to = text_find(&b->d, "riser", 2);
	test_ok(&b->t, from && to && to->y < from->y && to->x > from->x, "rises to the right");
	test_ok(&b->t, text_find(&b->d, "newcomer", 1) && !text_find(&b->d, "newcomer", 2),
		"once a panel, on one side");
	test_ok(&b->t, text_find(&b->d, "stayer", 3) != NULL, "on both sides");
}

static void test_flow(struct bench *b)
{
	static const struct flow_step steps[] = {
		{ STR_INIT("Starter"), STR_INIT("What is enough?"), STR_INIT("RTX 2060"),
		  STR_INIT("$299"), STR_INIT("most performance per cost"), false },
		{ STR_INIT(
		      "A long title that is wider than the box that it has to stand in, by far"),
		  STR_INIT(
		      "A question that goes on and on, over more than one line, until it has said "
		      "all "
		      "that there is to say about the matter and a little more than that, and then "
		      "still goes on"),
		  STR_INIT("A graphics card whose name has sixty characters, all needed W"),
		  STR_INIT("$10,718 with its computer and its power, runner-up: another card"),
		  STR_INIT("a rule"), false },
		{ STR_INIT("Nobody"), STR_INIT("What fits?"), STR_INIT("No card"), STR_INIT(""),
		  STR_INIT(""), true },
	};
	const struct figure_flow f = { STR_INIT("yes"), STR_INIT("no"), steps, 3 };

	draw(b, figure_flow_draw, &f, "a flow chart");
	test_ok(&b->t, text_find(&b->d, "yes", 2) && text_find(&b->d, "no", 1)
			   && !text_find(&b->d, "no", 2),
		"every question has a yes, all but the last a no");
	const struct shape *q = text_find(&b->d, "What is enough?", 0),
			   *c = text_find(&b->d, "RTX 2060", 0);
	test_ok(&b->t, q && c && c->x > q->x + 300, "the answer stands to the right");
}

/* Two charts in one run come out as each would alone. */
static void test_all(struct bench *b)
{
	static const struct flow_step step = { STR_INIT("A"), STR_INIT("B"), STR_INIT("C"),
					       STR_INIT("D"), STR_INIT("E"), false };
	static const struct figure_flow flow = { STR_INIT("yes"), STR_INIT("no"), &step, 1 };
	const struct chart_picture picture = { figure_flow_draw, &flow };
	struct chart one = { .id = STR("figure-one"), .title = STR("One"), .reference = NAN,
			     .picture = &picture };
	struct chart two = one;
	const struct chart *both[] = { &one, &two };
	const struct chart_drawer by = { .fonts = b->fonts };
	struct str alone, together[2];
	struct error err = { 0 };

	two.id = STR("figure-two");
	test_ok(&b->t, chart_draw(&two, b->fonts, NULL, b->dir, &b->a, &alone, &err), "one chart");
	test_ok(&b->t, chart_draw_all(both, 2, &by, b->dir, &b->a, together, &err),
		"two charts in one run");
	test_str(&b->t, together[1], alone, "the second as if alone");
	test_ok(&b->t, chart_draw_all(both, 0, &by, b->dir, &b->a, together, &err),
		"none at all");
	two.id = STR("no id");
	test_ok(&b->t,
		!chart_draw_all(both, 2, &by, b->dir, &b->a, together, &err)
		    && err.code == ERR_DATA,
		"an id that is none");
}

static void clear(struct bench *b)
{
	struct file_list files = { .n = 0 };
	struct error err = { 0 };

	file_list(b->dir, "", false, &b->a, &files, NULL, &err);
	for (size_t i = 0; i < files.n; i++)
		remove(str_c(&b->a, file_join(&b->a, str_of(b->dir), files.v[i])));
	rmdir(b->dir);
}

int main(void)
{
	struct bench b = { .dir = "/tmp/figure_picture_test_XXXXXX" };
	struct error err = { 0 };

	if (!mkdtemp(b.dir) || !font_set_open(&b.a, &b.fonts, &err)) {
		error_print(stderr, &err);
		return 1;
	}
	test_xy(&b);
	test_crowd(&b);
	test_stack(&b);
	test_cells(&b);
	test_tiles(&b);
	test_slope(&b);
	test_flow(&b);
	test_all(&b);
	clear(&b);
	font_set_free(b.fonts);
	arena_free(&b.a);
	return test_done(&b.t);
}
