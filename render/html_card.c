#include "html_card.h"

#include <cairo/cairo.h>

/* The card: a head with the words of the page, below it as much of the drawing as there is room for. */
enum {
	MARGIN = 36,
	TITLE_Y = 62,
	SUBTITLE_Y = 96,
	DRAWING_Y = 116,
	FADE = 70, /* the drawing goes on below: it fades out and is not cut off */
	TITLE_SIZE = 40,
	TITLE_SIZE_MIN = 20,
	SUBTITLE_SIZE = 22,
};

static const struct colour ink = { 0x1a, 0x1a, 0x1a }, muted = { 0x5f, 0x66, 0x70 };

const struct report_figure *html_card_figure(const struct report *r)
{
	const struct report_figure *first = NULL;

	for (size_t i = 0; i < r->n; i++) {
		const struct report_figure *f = r->blocks[i].figure;
		if (r->blocks[i].kind != BLOCK_FIGURE || f->drawing.n == 0)
			continue;
		if (str_starts(f->id, STR("figure-performance")))
			return f;
		first = first ? first : f;
	}
	return first;
}

static void set_colour(cairo_t *c, struct colour k, double opacity)
{
	cairo_set_source_rgba(c, k.r / 255.0, k.g / 255.0, k.b / 255.0, opacity);
}

/* cairo's text functions take one font a call and look for no other: text with any Han character is set in the
 * font that has both. */
static const char *family_of(struct str text)
{
	for (size_t at = 0; at < text.len;)
		if (str_next_utf8(text, &at) >= 0x2e80)
			return "WenQuanYi Zen Hei";
	return "Liberation Sans";
}

static void set_font(cairo_t *c, struct str text, bool bold, double size)
{
	cairo_select_font_face(c, family_of(text), CAIRO_FONT_SLANT_NORMAL,
			       bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
	cairo_set_font_size(c, size);
}

static double text_width(cairo_t *c, const char *text)
{
	cairo_text_extents_t e;

	cairo_text_extents(c, text, &e);
	return e.x_advance;
}

static void put_text(cairo_t *c, const struct shape *s, struct arena *a)
{
	static const double part[] = { [ANCHOR_START] = 0, [ANCHOR_MIDDLE] = 0.5, [ANCHOR_END] = 1 };
	const char *text = str_c(a, s->text);

	if (!str_is_utf8(s->text)) /* cairo would refuse everything after it */
		return;
	set_font(c, s->text, s->bold, s->size);
	set_colour(c, s->text_colour, 1);
	cairo_save(c);
	cairo_translate(c, s->x, s->y);
	cairo_rotate(c, -s->angle_deg * 3.14159265358979323846 / 180);
	cairo_move_to(c, -part[s->anchor] * text_width(c, text), 0);
	cairo_show_text(c, text);
	cairo_restore(c);
}

static void trace(cairo_t *c, const struct shape *s)
{
	cairo_new_path(c);
	for (size_t i = 0; i < s->nsteps; i++) {
		const struct path_step *p = &s->steps[i];
		if (p->op == PATH_MOVE)
			cairo_move_to(c, p->x, p->y);
		else if (p->op == PATH_LINE)
			cairo_line_to(c, p->x, p->y);
		else
			cairo_close_path(c);
	}
}

/* Lines of 45 degrees through the shape, a multiple of the step from the origin. */
static void hatch(cairo_t *c, const struct shape *s)
{
	const double diagonal = 1.4142135623730951, step = s->hatch_step * diagonal;
	double x0, y0, x1, y1;

	if (!(step > 0.1))
		return;
	cairo_save(c);
	cairo_clip_preserve(c);
	cairo_path_extents(c, &x0, &y0, &x1, &y1);
	cairo_new_path(c);
	double from = s->hatch_slope > 0 ? x0 - y1 : x0 + y0;
	double to = s->hatch_slope > 0 ? x1 - y0 : x1 + y1;
	for (long k = (long)(from / step) - 1; k <= (long)(to / step) + 1; k++) {
		double at = (double)k * step; /* x - y, or x + y */
		cairo_move_to(c, s->hatch_slope > 0 ? at + y0 : at - y0, y0);
		cairo_line_to(c, s->hatch_slope > 0 ? at + y1 : at - y1, y1);
	}
	cairo_set_line_width(c, s->hatch_width);
	set_colour(c, s->fill_colour, 1);
	cairo_stroke(c);
	cairo_restore(c);
}

static void put_path(cairo_t *c, const struct shape *s)
{
	trace(c, s);
	if (s->fill == FILL_SOLID) {
		set_colour(c, s->fill_colour, s->fill_opacity);
		cairo_fill(c);
	} else if (s->fill == FILL_HATCH) {
		hatch(c, s);
	}
	if (!s->stroke)
		return;
	trace(c, s);
	cairo_set_dash(c, s->dash, (int)s->ndash, 0);
	cairo_set_line_width(c, s->stroke_width);
	set_colour(c, s->stroke_colour, 1);
	cairo_stroke(c);
}

static void put_drawing(cairo_t *c, const struct drawing *d, struct arena *a)
{
	double scale = (HTML_CARD_WIDTH - 2 * MARGIN) / d->width;

	cairo_save(c);
	cairo_rectangle(c, 0, DRAWING_Y, HTML_CARD_WIDTH, HTML_CARD_HEIGHT - DRAWING_Y);
	cairo_clip(c);
	cairo_translate(c, MARGIN, DRAWING_Y);
	cairo_scale(c, scale, scale);
	for (size_t i = 0; i < d->n; i++) {
		if (d->shapes[i].kind == SHAPE_TEXT)
			put_text(c, &d->shapes[i], a);
		else
			put_path(c, &d->shapes[i]);
	}
	cairo_restore(c);
}

static void fade_out(cairo_t *c)
{
	cairo_pattern_t *p =
	    cairo_pattern_create_linear(0, HTML_CARD_HEIGHT - FADE, 0, HTML_CARD_HEIGHT);

	cairo_pattern_add_color_stop_rgba(p, 0, 1, 1, 1, 0);
	cairo_pattern_add_color_stop_rgba(p, 1, 1, 1, 1, 1);
	cairo_set_source(c, p);
	cairo_rectangle(c, 0, HTML_CARD_HEIGHT - FADE, HTML_CARD_WIDTH, FADE);
	cairo_fill(c);
	cairo_pattern_destroy(p);
}

/* One line, smaller where it would be wider than the card. */
static void put_line(cairo_t *c, struct str text, bool bold, double size, struct colour k, double y,
		     struct arena *a)
{
	double room = HTML_CARD_WIDTH - 2 * MARGIN, width;

	if (!str_is_utf8(text))
		return;
	set_font(c, text, bold, size);
	width = text_width(c, str_c(a, text));
	if (width > room)
		set_font(c, text, bold, size * room / width > TITLE_SIZE_MIN ? size * room / width
									     : TITLE_SIZE_MIN);
	set_colour(c, k, 1);
	cairo_move_to(c, MARGIN, y);
	cairo_show_text(c, str_c(a, text));
}

/* Without hinting, so that no setting of the machine moves a glyph. */
static void steady_fonts(cairo_t *c)
{
	cairo_font_options_t *o = cairo_font_options_create();

	cairo_font_options_set_antialias(o, CAIRO_ANTIALIAS_GRAY);
	cairo_font_options_set_hint_style(o, CAIRO_HINT_STYLE_NONE);
	cairo_font_options_set_hint_metrics(o, CAIRO_HINT_METRICS_OFF);
	cairo_set_font_options(c, o);
	cairo_font_options_destroy(o);
}

static cairo_status_t add_bytes(void *closure, const unsigned char *data, unsigned length)
{
	strbuf_add(closure, (struct str){ (const char *)data, length });
	return CAIRO_STATUS_SUCCESS;
}

bool html_card_png(const struct report *r, struct arena *a, struct str *png, struct error *err)
{
	const struct report_figure *f = html_card_figure(r);
	struct strbuf out = { .arena = a };
	cairo_status_t status;

	*png = STR("");
	if (!f)
		return true;
	cairo_surface_t *surface =
	    cairo_image_surface_create(CAIRO_FORMAT_RGB24, HTML_CARD_WIDTH, HTML_CARD_HEIGHT);
	cairo_t *c = cairo_create(surface);
	steady_fonts(c);
	set_colour(c, (struct colour){ 255, 255, 255 }, 1);
	cairo_paint(c);
	put_drawing(c, &f->drawing, a);
	fade_out(c);
	put_line(c, r->title, true, TITLE_SIZE, ink, TITLE_Y, a);
	put_line(c, r->subtitle, false, SUBTITLE_SIZE, muted, SUBTITLE_Y, a);
	status = cairo_status(c);
	if (status == CAIRO_STATUS_SUCCESS)
		status = cairo_surface_write_to_png_stream(surface, add_bytes, &out);
	cairo_destroy(c);
	cairo_surface_destroy(surface);
	if (status != CAIRO_STATUS_SUCCESS)
		return error_set(err, ERR_ENVIRONMENT, "og.png: cairo: %s",
				 cairo_status_to_string(status));
	*png = strbuf_str(&out);
	return true;
}
