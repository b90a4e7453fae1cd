/* The picture of a page: what of a drawing stands where, read back by cairo. */
#include "../render/html_card.h"
#include "test.h"

#include <cairo/cairo.h>
#include <string.h>

/* A drawing as wide as the card without its margins: one unit is one pixel, from (36, 116) on. */
enum { LEFT = 36, TOP = 116, WIDTH = HTML_CARD_WIDTH - 2 * LEFT };

static struct path_step square[] = {
	{ PATH_MOVE, 100, 100 }, { PATH_LINE, 200, 100 }, { PATH_LINE, 200, 200 },
	{ PATH_LINE, 100, 200 }, { PATH_CLOSE, 0, 0 },
};
static struct path_step hatched[] = {
	{ PATH_MOVE, 300, 100 }, { PATH_LINE, 400, 100 }, { PATH_LINE, 400, 200 },
	{ PATH_LINE, 300, 200 }, { PATH_CLOSE, 0, 0 },
};
static struct path_step beyond[] = { /* into the head of the card and below its end */
	{ PATH_MOVE, 500, -90 }, { PATH_LINE, 600, -90 }, { PATH_LINE, 600, 2000 },
	{ PATH_LINE, 500, 2000 }, { PATH_CLOSE, 0, 0 },
};

static struct shape shapes[] = {
	{ .kind = SHAPE_PATH,
	  .steps = square,
	  .nsteps = LEN(square),
	  .fill = FILL_SOLID,
	  .fill_colour = { 0, 114, 178 },
	  .fill_opacity = 1,
	  .stroke = true,
	  .stroke_colour = { 255, 0, 0 },
	  .stroke_width = 8,
	  .dash = { 4, 3 },
	  .ndash = 2 },
	{ .kind = SHAPE_PATH,
	  .steps = hatched,
	  .nsteps = LEN(hatched),
	  .fill = FILL_HATCH,
	  .fill_colour = { 0, 128, 0 },
	  .fill_opacity = 1,
	  .hatch_step = 8,
	  .hatch_width = 2,
	  .hatch_slope = 1 },
	{ .kind = SHAPE_PATH,
	  .steps = beyond,
	  .nsteps = LEN(beyond),
	  .fill = FILL_SOLID,
	  .fill_colour = { 0, 0, 0 },
	  .fill_opacity = 1 },
	{ .kind = SHAPE_TEXT,
	  .text = STR_INIT("RTX 2070 显卡"),
	  .x = 700,
	  .y = 150,
	  .size = 60,
	  .anchor = ANCHOR_MIDDLE,
	  .text_colour = { 0, 0, 200 } },
	{ .kind = SHAPE_TEXT, .text = STR_INIT("bad \xff byte"), .x = 700, .y = 300, .size = 60 },
	{ .kind = SHAPE_TEXT,
	  .text = STR_INIT(""),
	  .x = 700,
	  .y = 300,
	  .size = 60,
	  .angle_deg = 90 },
};

struct source {
	struct str png;
	size_t at;
};

static cairo_status_t read_bytes(void *closure, unsigned char *data, unsigned length)
{
	struct source *s = closure;

	if (s->png.len - s->at < length)
		return CAIRO_STATUS_READ_ERROR;
	memcpy(data, s->png.p + s->at, length);
	s->at += length;
	return CAIRO_STATUS_SUCCESS;
}

static unsigned pixel(cairo_surface_t *s, int x, int y)
{
	unsigned v;

	memcpy(&v, cairo_image_surface_get_data(s) + y * cairo_image_surface_get_stride(s) + 4 * x,
	       sizeof v);
	return v & 0xffffff;
}

/* How many pixels of a rectangle are no paper. */
static int inked(cairo_surface_t *s, int x0, int y0, int x1, int y1)
{
	int n = 0;

	for (int y = y0; y < y1; y++)
		for (int x = x0; x < x1; x++)
			n += pixel(s, x, y) != 0xffffff;
	return n;
}

static void test_pixels(struct test *t, cairo_surface_t *s)
{
	test_ok(
	    t, cairo_image_surface_get_width(s) == 1200 && cairo_image_surface_get_height(s) == 630,
	    "1200 x 630");
	test_ok(t, pixel(s, LEFT + 150, TOP + 150) == 0x0072b2, "a solid shape in its colour");
	test_ok(t, pixel(s, LEFT + 50, TOP + 50) == 0xffffff, "paper beside it");
	int lines = inked(s, LEFT + 310, TOP + 110, LEFT + 390, TOP + 190); /* of 6,400 */
	/* width 2 at a distance of 8: a quarter is ink, more with the half covered pixels at the
	 * edges */
	test_ok(t, lines > 1600 && lines < 3800, "hatching leaves paper between its lines");
	test_ok(t, inked(s, LEFT + 401, TOP + 90, LEFT + 490, TOP + 210) == 0,
		"and stays in its shape");
	test_ok(t, pixel(s, LEFT + 550, TOP - 2) == 0xffffff, "nothing of the drawing in the head");
	test_ok(t, pixel(s, LEFT + 550, 400) == 0 && pixel(s, LEFT + 550, 629) > 0xf0f0f0,
		"what goes on below fades out");
	test_ok(t, inked(s, LEFT + 630, TOP + 90, LEFT + 770, TOP + 160) > 200, "text");
	test_ok(t, inked(s, LEFT + 700, TOP + 240, LEFT + 900, TOP + 310) > 200,
		"a bad byte is a box in its text");
	test_ok(t, inked(s, LEFT, 20, 600, 70) > 500, "the title");
	test_ok(t, inked(s, 1200 - LEFT + 2, 0, 1200, 110) == 0, "a long title stays on the card");
}

int main(void)
{
	struct test t = { 0 };
	struct arena a = { 0 };
	struct error err = { .code = ERR_NONE };
	struct report_figure other = { .id = STR("figure-advice"),
				       .drawing = { .width = 10, .height = 10 } };
	struct report_figure figure = { .id = STR("figure-performance"),
					.drawing = { WIDTH, 2000, shapes, LEN(shapes),
						     LEN(shapes) } };
	struct report r = {
		.title = STR("A title of a report which is so long that it would not fit on a card "
			     "at its full size at all"),
		.subtitle = STR("as of 2019-05-31"),
		.arena = &a
	};
	struct str png = STR("?"), again = STR("");
	struct font_set *fonts = NULL;

	if (!font_set_open(&a, &fonts, &err)) {
		error_print(stdout, &err);
		test_ok(&t, false, "fonts");
		return test_done(&t);
	}
	report_add_figure(&r, &other);
	test_ok(&t,
		html_card_png(&r, fonts, &a, &png, &err) && png.len == 0 && !html_card_figure(&r),
		"no picture of a report without a drawing");
	other.drawing.shapes = shapes;
	other.drawing.n = 1;
	test_ok(&t, html_card_figure(&r) == &other, "the first that is drawn");
	report_add_figure(&r, &figure);
	test_ok(&t, html_card_figure(&r) == &figure, "but performance where it is there");
	test_ok(&t,
		html_card_png(&r, fonts, &a, &png, &err)
		    && html_card_png(&r, fonts, &a, &again, &err) && str_eq(png, again),
		"the same bytes twice");
	struct source source = { png, 0 };
	cairo_surface_t *s = cairo_image_surface_create_from_png_stream(read_bytes, &source);
	test_ok(&t, cairo_surface_status(s) == CAIRO_STATUS_SUCCESS, "a PNG");
	if (cairo_surface_status(s) == CAIRO_STATUS_SUCCESS)
		test_pixels(&t, s);
	cairo_surface_destroy(s);
	font_set_free(fonts);
	arena_free(&a);
	return test_done(&t);
}
