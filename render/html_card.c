#include "html_card.h"

#include <cairo/cairo.h>

/* The card: a head with the words of the page, below it as much of the drawing as has room. */
enum {
	MARGIN = 36,
	TITLE_Y = 62,
	SUBTITLE_Y = 96,
	DRAWING_Y = 116,
	FADE = 70, /* the drawing goes on below: it fades out and is not cut off */
	TITLE_SIZE = 40,
	SUBTITLE_SIZE = 22,
};

/* The Chinese face has no bold: its outlines are drawn over with a line this wide. */
static const double cjk_bold_em = 0.035;

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

/* A card being painted. Text is painted as outlines of the report's own fonts: no font of the
 * machine and no setting of its font library plays in, and a character falls back to another face
 * as in the PDF. */
struct card {
	cairo_t *cairo;
	struct font_set *fonts;
};

static void pen_move(void *ctx, double x, double y)
{
	cairo_move_to(ctx, x, y);
}

static void pen_line(void *ctx, double x, double y)
{
	cairo_line_to(ctx, x, y);
}

static void pen_curve(void *ctx, double x1, double y1, double x2, double y2, double x, double y)
{
	cairo_curve_to(ctx, x1, y1, x2, y2, x, y);
}

static void pen_close(void *ctx)
{
	cairo_close_path(ctx);
}

/* Text from (x, y) on, at `size` user units an em. */
static void put_glyphs(struct card *card, struct str text, bool bold, double size, double x,
		       double y)
{
	const struct font_pen pen = { card->cairo, pen_move, pen_line, pen_curve, pen_close };
	enum font_id wanted = bold ? FONT_BOLD : FONT_REGULAR, font;

	cairo_save(card->cairo);
	cairo_translate(card->cairo, x, y);
	cairo_scale(card->cairo, size, -size);
	cairo_set_line_width(card->cairo, cjk_bold_em);
	cairo_set_dash(card->cairo, NULL, 0, 0);
	for (size_t at = 0; at < text.len;) {
		unsigned c = font_resolve(card->fonts, wanted, str_next_utf8(text, &at), &font);
		if (!c)
			continue;
		cairo_new_path(card->cairo);
		font_outline(card->fonts, font, c, &pen);
		if (bold && font == FONT_CJK)
			cairo_stroke_preserve(card->cairo);
		cairo_fill(card->cairo);
		cairo_translate(card->cairo, font_char_width(card->fonts, font, c), 0);
	}
	cairo_restore(card->cairo);
}

static void put_text(struct card *card, const struct shape *s)
{
	static const double part[] = {
		[ANCHOR_START] = 0,
		[ANCHOR_MIDDLE] = 0.5,
		[ANCHOR_END] = 1,
	};
	double width = font_text_width(card->fonts, s->bold ? FONT_BOLD : FONT_REGULAR, s->text);

	if (!(s->size > 0))
		return;
	cairo_save(card->cairo);
	set_colour(card->cairo, s->text_colour, 1);
	cairo_translate(card->cairo, s->x, s->y);
	cairo_rotate(card->cairo, -s->angle_deg * 3.14159265358979323846 / 180);
	put_glyphs(card, s->text, s->bold, s->size, -part[s->anchor] * width * s->size, 0);
	cairo_restore(card->cairo);
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

static void put_drawing(struct card *card, const struct drawing *d)
{
	double scale = (HTML_CARD_WIDTH - 2 * MARGIN) / d->width;
	cairo_t *c = card->cairo;

	cairo_save(c);
	cairo_rectangle(c, 0, DRAWING_Y, HTML_CARD_WIDTH, HTML_CARD_HEIGHT - DRAWING_Y);
	cairo_clip(c);
	cairo_translate(c, MARGIN, DRAWING_Y);
	cairo_scale(c, scale, scale);
	for (size_t i = 0; i < d->n; i++) {
		if (d->shapes[i].kind == SHAPE_TEXT)
			put_text(card, &d->shapes[i]);
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
static void put_line(struct card *card, struct str text, bool bold, double size, struct colour k,
		     double y)
{
	double room = HTML_CARD_WIDTH - 2 * MARGIN;
	double width = size * font_text_width(card->fonts, bold ? FONT_BOLD : FONT_REGULAR, text);

	set_colour(card->cairo, k, 1);
	put_glyphs(card, text, bold, width > room ? size * room / width : size, MARGIN, y);
}

static cairo_status_t add_bytes(void *closure, const unsigned char *data, unsigned length)
{
	strbuf_add(closure, (struct str){ (const char *)data, length });
	return CAIRO_STATUS_SUCCESS;
}

bool html_card_png(const struct report *r, struct font_set *fonts, struct arena *a, struct str *png,
		   struct error *err)
{
	const struct report_figure *f = html_card_figure(r);
	struct strbuf out = { .arena = a };
	cairo_status_t status;

	*png = STR("");
	if (!f)
		return true;
	cairo_surface_t *surface =
	    cairo_image_surface_create(CAIRO_FORMAT_RGB24, HTML_CARD_WIDTH, HTML_CARD_HEIGHT);
	struct card card = { cairo_create(surface), fonts };
	set_colour(card.cairo, (struct colour){ 255, 255, 255 }, 1);
	cairo_paint(card.cairo);
	put_drawing(&card, &f->drawing);
	fade_out(card.cairo);
	put_line(&card, r->title, true, TITLE_SIZE, ink, TITLE_Y);
	put_line(&card, r->subtitle, false, SUBTITLE_SIZE, muted, SUBTITLE_Y);
	status = cairo_status(card.cairo);
	if (status == CAIRO_STATUS_SUCCESS)
		status = cairo_surface_write_to_png_stream(surface, add_bytes, &out);
	cairo_destroy(card.cairo);
	cairo_surface_destroy(surface);
	if (status != CAIRO_STATUS_SUCCESS)
		return error_set(err, ERR_ENVIRONMENT, "og.png: cairo: %s",
				 cairo_status_to_string(status));
	*png = strbuf_str(&out);
	return true;
}
