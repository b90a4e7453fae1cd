#include "pdf_drawing.h"

#include <math.h>
#include <stdlib.h>

#define COORDINATE_MAX 1e5 /* user units */

enum { HATCH_LINES_MAX = 20000, DASHES_MAX = 8 };

/* ---- checks: libharu takes NaN and writes a broken page ---- */

static bool sound(double v)
{
	return fabs(v) <= COORDINATE_MAX; /* false for NaN too */
}

static bool positive(double v)
{
	return v > 0 && v <= COORDINATE_MAX;
}

struct bounds {
	double x0, y0, x1, y1;
};

static struct bounds bounds_of(const struct shape *s)
{
	struct bounds b = { INFINITY, INFINITY, -INFINITY, -INFINITY };

	for (size_t i = 0; i < s->nsteps; i++) {
		if (s->steps[i].op == PATH_CLOSE)
			continue;
		b.x0 = fmin(b.x0, s->steps[i].x);
		b.y0 = fmin(b.y0, s->steps[i].y);
		b.x1 = fmax(b.x1, s->steps[i].x);
		b.y1 = fmax(b.y1, s->steps[i].y);
	}
	return b;
}

/* Distance of two hatch lines along an axis: they run at 45 degrees. */
static double hatch_distance(const struct shape *s)
{
	return s->hatch_step * sqrt(2);
}

static const char *path_fault(const struct shape *s)
{
	for (size_t i = 0; i < s->nsteps; i++) {
		if (i == 0 && s->steps[i].op != PATH_MOVE)
			return "a path that does not start with a move";
		if (s->steps[i].op != PATH_CLOSE && !(sound(s->steps[i].x) && sound(s->steps[i].y)))
			return "a coordinate out of bounds";
	}
	if (s->fill != FILL_NONE && !(s->fill_opacity >= 0 && s->fill_opacity <= 1))
		return "an opacity outside 0 to 1";
	if (s->stroke && !(s->stroke_width >= 0 && sound(s->stroke_width)))
		return "a line width out of bounds";
	if (s->ndash > DASHES_MAX)
		return "more than 8 dashes";
	for (size_t i = 0; i < s->ndash; i++)
		if (!(s->dash[i] >= 0 && sound(s->dash[i])))
			return "a dash out of bounds";
	return NULL;
}

static const char *hatch_fault(const struct shape *s)
{
	struct bounds b = bounds_of(s);
	double span = b.x1 - b.x0 + b.y1 - b.y0;

	if (s->fill != FILL_HATCH || s->nsteps == 0)
		return NULL;
	if (!positive(s->hatch_step) || !positive(s->hatch_width)
	    || span / hatch_distance(s) > HATCH_LINES_MAX)
		return "a hatch out of bounds";
	return NULL;
}

static const char *text_fault(const struct shape *s)
{
	if (!sound(s->x) || !sound(s->y) || !sound(s->angle_deg))
		return "a text position out of bounds";
	return positive(s->size) ? NULL : "a text size out of bounds";
}

bool pdf_drawing_check(const struct report_figure *f, struct error *err)
{
	const struct drawing *d = &f->drawing;

	if (!positive(d->width) || !positive(d->height))
		return error_set(err, ERR_DATA,
				 "figure '" STR_FMT "': size %g x %g cannot be drawn",
				 STR_ARG(f->id), d->width, d->height);
	for (size_t i = 0; i < d->n; i++) {
		const struct shape *s = &d->shapes[i];
		const char *fault = s->kind == SHAPE_TEXT ? text_fault(s) : path_fault(s);

		if (!fault && s->kind == SHAPE_PATH)
			fault = hatch_fault(s);
		if (fault)
			return error_set(err, ERR_DATA, "figure '" STR_FMT "': shape %zu has %s",
					 STR_ARG(f->id), i + 1, fault);
	}
	return true;
}

struct pdf_line *pdf_drawing_labels(struct pdf_layout *l, const struct drawing *d)
{
	struct pdf_line *lines = arena_array(l->arena, d->n, sizeof *lines);

	for (size_t i = 0; i < d->n; i++) {
		const struct shape *s = &d->shapes[i];
		struct pdf_style style = { .font = s->bold ? FONT_BOLD : FONT_REGULAR,
					   .size = s->size,
					   .colour = s->text_colour };

		if (s->kind == SHAPE_TEXT)
			lines[i] = pdf_text_line(l->fonts, s->text, &style, l->arena);
	}
	return lines;
}

/* ---- replay ---- */

struct replay {
	struct pdf_writer *w;
	const struct pdf_item *item;
};

static double at_x(const struct replay *r, double x)
{
	return r->item->x + x * r->item->scale;
}

static double at_y(const struct replay *r, double y)
{
	return r->w->height - (r->item->y + y * r->item->scale);
}

static void trace_to(const struct replay *r, double x, double y, const char *op)
{
	pdf_writer_op(r->w, (const double[]){ at_x(r, x), at_y(r, y) }, 2, op);
}

struct circle {
	double x, y, r;
};

/* Circles come as regular polygons of many corners: a closed path whose corners are all as far from
 * their middle. */
static bool is_circle(const struct shape *s, struct circle *c)
{
	const size_t least = 16;
	const double tolerance = 1e-6;
	size_t n = s->nsteps - 1;

	if (s->nsteps <= least || s->steps[n].op != PATH_CLOSE)
		return false;
	*c = (struct circle){ 0 };
	for (size_t i = 0; i < n; i++) {
		if ((s->steps[i].op == PATH_MOVE) != (i == 0) || s->steps[i].op == PATH_CLOSE)
			return false;
		c->x += s->steps[i].x / (double)n;
		c->y += s->steps[i].y / (double)n;
	}
	c->r = hypot(s->steps[0].x - c->x, s->steps[0].y - c->y);
	for (size_t i = 0; i < n; i++) {
		double r = hypot(s->steps[i].x - c->x, s->steps[i].y - c->y);
		double side = hypot(s->steps[i].x - s->steps[(i + 1) % n].x,
				    s->steps[i].y - s->steps[(i + 1) % n].y);
		if (!(fabs(r - c->r) <= tolerance * c->r) || side > c->r)
			return false;
	}
	return true;
}

/* Four curves: rounder and shorter than the corners. */
static void trace_circle(const struct replay *r, const struct circle *c)
{
	const double k = 0.5522847498 * c->r; /* 4/3 (sqrt 2 - 1): a quarter within 0.03 % */
	const double quarters[4][2] = { { 1, 0 }, { 0, 1 }, { -1, 0 }, { 0, -1 } };

	trace_to(r, c->x + c->r, c->y, "m");
	for (size_t i = 0; i < 4; i++) {
		const double *from = quarters[i], *to = quarters[(i + 1) % 4];
		const double v[] = {
			at_x(r, c->x + c->r * from[0] + k * to[0]),
			at_y(r, c->y + c->r * from[1] + k * to[1]),
			at_x(r, c->x + c->r * to[0] + k * from[0]),
			at_y(r, c->y + c->r * to[1] + k * from[1]),
			at_x(r, c->x + c->r * to[0]),
			at_y(r, c->y + c->r * to[1]),
		};
		pdf_writer_op(r->w, v, LEN(v), "c");
	}
	pdf_writer_raw(r->w, STR("h\n"));
}

static void trace(const struct replay *r, const struct shape *s)
{
	struct circle c;

	if (is_circle(s, &c)) {
		trace_circle(r, &c);
		return;
	}
	for (size_t i = 0; i < s->nsteps; i++) {
		const struct path_step *p = &s->steps[i];

		switch (p->op) {
		case PATH_MOVE:
			trace_to(r, p->x, p->y, "m");
			break;
		case PATH_LINE:
			trace_to(r, p->x, p->y, "l");
			break;
		case PATH_CLOSE:
			pdf_writer_raw(r->w, STR("h\n"));
			break;
		}
	}
}

static void set_dash(const struct replay *r, const struct shape *s)
{
	double lengths[DASHES_MAX];

	for (size_t i = 0; i < s->ndash; i++)
		lengths[i] = s->dash[i] * r->item->scale;
	pdf_writer_raw(r->w, STR("["));
	pdf_writer_op(r->w, lengths, s->ndash, "] 0 d");
}

static bool has_dash(const struct shape *s)
{
	double sum = 0;

	for (size_t i = 0; i < s->ndash; i++)
		sum += s->dash[i];
	return sum > 0; /* all zero would be an error in PDF and means solid in SVG */
}

/* The polygon is the clip, the lines y = slope x + c run over its bounding box. Multiples of the
 * distance, not the box's corner, place them: neighbouring bars are hatched in step. */
static void replay_hatch(const struct replay *r, const struct shape *s)
{
	struct bounds b = bounds_of(s);
	double slope = s->hatch_slope < 0 ? -1 : 1, step = hatch_distance(s);
	double low = slope > 0 ? b.y0 - b.x1 : b.y0 + b.x0;
	double high = slope > 0 ? b.y1 - b.x0 : b.y1 + b.x1;
	struct pdf_state state = pdf_writer_save(r->w);

	trace(r, s);
	pdf_writer_raw(r->w, STR("W n\n"));
	pdf_writer_stroke(r->w, s->fill_colour, s->hatch_width * r->item->scale);
	for (double k = ceil(low / step); k * step <= high; k++) {
		double c = k * step;

		trace_to(r, b.x0, slope * b.x0 + c, "m");
		trace_to(r, b.x1, slope * b.x1 + c, "l");
	}
	if (ceil(low / step) * step <= high)
		pdf_writer_raw(r->w, STR("S\n"));
	pdf_writer_restore(r->w, state);
}

static void replay_solid(const struct replay *r, const struct shape *s)
{
	bool clear = s->fill_opacity < 1;
	struct pdf_state state = { 0 };

	if (clear) {
		state = pdf_writer_save(r->w);
		pdf_writer_alpha(r->w, s->fill_opacity);
	}
	pdf_writer_fill(r->w, s->fill_colour);
	trace(r, s);
	pdf_writer_raw(r->w, STR("f\n"));
	if (clear)
		pdf_writer_restore(r->w, state);
}

static void replay_stroke(const struct replay *r, const struct shape *s)
{
	bool dashed = has_dash(s);
	struct pdf_state state = { 0 };

	if (dashed) {
		state = pdf_writer_save(r->w);
		set_dash(r, s);
	}
	pdf_writer_stroke(r->w, s->stroke_colour, s->stroke_width * r->item->scale);
	trace(r, s);
	pdf_writer_raw(r->w, STR("S\n"));
	if (dashed)
		pdf_writer_restore(r->w, state);
}

static void replay_path(const struct replay *r, const struct shape *s)
{
	if (s->nsteps == 0)
		return;
	switch (s->fill) {
	case FILL_NONE:
		break;
	case FILL_SOLID:
		replay_solid(r, s);
		break;
	case FILL_HATCH:
		replay_hatch(r, s);
		break;
	}
	if (s->stroke)
		replay_stroke(r, s);
}

static void replay_text(const struct replay *r, const struct shape *s, const struct pdf_line *line)
{
	static const double shares[] = {
		[ANCHOR_START] = 0, [ANCHOR_MIDDLE] = 0.5, [ANCHOR_END] = 1
	};
	const double radians = acos(-1) / 180;
	double back = shares[s->anchor] * line->width * r->item->scale;

	pdf_writer_line(r->w, line, at_x(r, s->x) - back * cos(s->angle_deg * radians),
			at_y(r, s->y) - back * sin(s->angle_deg * radians), s->angle_deg,
			r->item->scale);
}

void pdf_drawing_emit(struct pdf_writer *w, const struct pdf_item *item)
{
	struct replay r = { w, item };

	for (size_t i = 0; i < item->drawing->n; i++) {
		const struct shape *s = &item->drawing->shapes[i];

		if (s->kind == SHAPE_PATH)
			replay_path(&r, s);
		else
			replay_text(&r, s, &item->labels[i]);
	}
}
