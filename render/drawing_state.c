#include "drawing_state.h"

bool state_refuse(const struct svg_node *n, struct str what, struct str value, struct error *err)
{
	return error_at(
	    err, ERR_DATA, n->pos, "svg: <" STR_FMT ">: " STR_FMT " '" STR_FMT "' is not known",
	    STR_ARG(str_slice(n->name, 0, 40)), STR_ARG(what), STR_ARG(str_slice(value, 0, 60)));
}

static bool set_transform(const struct svg_node *n, struct str v, struct state *s,
			  struct error *err)
{
	struct matrix m;

	if (!transform_parse(v, n->pos, &m, err))
		return false;
	s->m = matrix_times(s->m, m);
	return true;
}

static bool set_fill(const struct svg_node *n, struct str v, struct state *s, struct error *err)
{
	return paint_parse(v, n->pos, &s->fill, err);
}

static bool set_stroke(const struct svg_node *n, struct str v, struct state *s, struct error *err)
{
	if (!paint_parse(v, n->pos, &s->stroke, err))
		return false;
	return s->stroke.kind != PAINT_REF || state_refuse(n, STR("stroke"), v, err);
}

static bool set_colour(const struct svg_node *n, struct str v, struct state *s, struct error *err)
{
	struct paint p;

	if (!paint_parse(v, n->pos, &p, err))
		return false;
	if (p.kind == PAINT_COLOUR)
		s->colour = p.colour;
	return p.kind == PAINT_COLOUR || p.kind == PAINT_CURRENT
	       || state_refuse(n, STR("color"), v, err);
}

static bool set_opacity(const struct svg_node *n, struct str v, struct state *s, struct error *err)
{
	if (!number_parse(v, n->pos, &s->fill_opacity, err))
		return false;
	return (s->fill_opacity >= 0 && s->fill_opacity <= 1)
	       || state_refuse(n, STR("fill-opacity"), v, err);
}

static bool set_stroke_width(const struct svg_node *n, struct str v, struct state *s,
			     struct error *err)
{
	if (!number_parse(v, n->pos, &s->stroke_width, err))
		return false;
	return s->stroke_width >= 0 || state_refuse(n, STR("stroke-width"), v, err);
}

static bool set_dash(const struct svg_node *n, struct str v, struct state *s, struct error *err)
{
	double sum = 0;

	s->ndash = 0;
	if (str_eq(str_trim(v), STR("none")))
		return true;
	if (!number_list_parse(v, n->pos, s->dash, LEN(s->dash), &s->ndash, err))
		return false;
	for (size_t i = 0; i < s->ndash; i++) {
		if (s->dash[i] < 0)
			return state_refuse(n, STR("stroke-dasharray"), v, err);
		sum += s->dash[i];
	}
	if (sum == 0)
		s->ndash = 0; /* SVG 1.1, 11.4: a solid line */
	return true;
}

static bool set_font_size(const struct svg_node *n, struct str v, struct state *s,
			  struct error *err)
{
	if (!number_parse(v, n->pos, &s->font_size, err))
		return false;
	return s->font_size > 0 || state_refuse(n, STR("font-size"), v, err);
}

static bool set_weight(const struct svg_node *n, struct str v, struct state *s, struct error *err)
{
	s->bold = str_eq(v, STR("bold"));
	return s->bold || str_eq(v, STR("normal")) || state_refuse(n, STR("font-weight"), v, err);
}

static bool set_anchor(const struct svg_node *n, struct str v, struct state *s, struct error *err)
{
	static const struct str names[] = {
		[ANCHOR_START] = STR_INIT("start"),
		[ANCHOR_MIDDLE] = STR_INIT("middle"),
		[ANCHOR_END] = STR_INIT("end"),
	};

	for (size_t i = 0; i < LEN(names); i++) {
		if (str_eq(names[i], v)) {
			s->anchor = (enum text_anchor)i;
			return true;
		}
	}
	return state_refuse(n, STR("text-anchor"), v, err);
}

static bool set_style(const struct svg_node *n, struct str v, struct state *s, struct error *err);

/* Attributes in every element; set NULL: read where it is needed, or without effect on a print. */
static const struct {
	struct str name;
	bool (*set)(const struct svg_node *n, struct str v, struct state *s, struct error *err);
} attrs[] = {
	{ STR_INIT("transform"), set_transform },
	{ STR_INIT("fill"), set_fill },
	{ STR_INIT("stroke"), set_stroke },
	{ STR_INIT("color"), set_colour },
	{ STR_INIT("fill-opacity"), set_opacity },
	{ STR_INIT("stroke-width"), set_stroke_width },
	{ STR_INIT("stroke-dasharray"), set_dash },
	{ STR_INIT("font-size"), set_font_size },
	{ STR_INIT("font-weight"), set_weight },
	{ STR_INIT("text-anchor"), set_anchor },
	{ STR_INIT("style"), set_style },
	{ STR_INIT("id"), NULL },
	{ STR_INIT("font-family"), NULL },
	{ STR_INIT("x"), NULL },
	{ STR_INIT("y"), NULL },
	{ STR_INIT("width"), NULL },
	{ STR_INIT("height"), NULL },
	{ STR_INIT("cx"), NULL },
	{ STR_INIT("cy"), NULL },
	{ STR_INIT("r"), NULL },
	{ STR_INIT("d"), NULL },
	{ STR_INIT("points"), NULL },
	{ STR_INIT("patternUnits"), NULL },
	{ STR_INIT("href"), NULL },
	{ STR_INIT("xlink:href"), NULL },
	{ STR_INIT("xml:space"), NULL },
};

bool state_apply_one(const struct svg_node *n, struct str name, struct str v, struct state *s,
		     struct error *err)
{
	for (size_t i = 0; i < LEN(attrs); i++)
		if (str_eq(attrs[i].name, name))
			return !attrs[i].set || attrs[i].set(n, str_trim(v), s, err);
	return state_refuse(n, STR("attribute"), name, err);
}

static bool set_style(const struct svg_node *n, struct str v, struct state *s, struct error *err)
{
	struct str piece;

	while (str_cut(&v, ';', &piece)) {
		struct str name;

		if (str_trim(piece).len == 0)
			continue;
		if (!str_cut(&piece, ':', &name) || str_eq(str_trim(name), STR("style")))
			return state_refuse(n, STR("style"), v, err);
		if (!state_apply_one(n, str_trim(name), piece, s, err))
			return false;
	}
	return true;
}

bool state_apply(const struct svg_node *n, struct state *s, struct error *err)
{
	for (size_t i = 0; i < n->nattrs; i++)
		if (!state_apply_one(n, n->attrs[i].name, n->attrs[i].value, s, err))
			return false;
	return true;
}
