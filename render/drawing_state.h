/* What an SVG element hands down to those inside it; helper of drawing.c. */
#ifndef RENDER_DRAWING_STATE_H
#define RENDER_DRAWING_STATE_H

#include "drawing.h"
#include "svg_tree.h"
#include "svg_value.h"

/* What an element inherits (SVG 1.1, property index) and the transform down to it. */
struct state {
	struct matrix m;
	struct paint fill, stroke;
	struct colour colour; /* what currentColor means */
	double fill_opacity, stroke_width;
	double dash[8];
	size_t ndash;
	double font_size;
	bool bold;
	enum text_anchor anchor;
};

/* Applies the element's attributes; those that only the element itself reads (x, d, href …) are
 * passed over. ERR_DATA for an attribute or a value that is not known, ERR_RANGE for a number not
 * finite. */
bool state_apply(const struct svg_node *n, struct state *s, struct error *err);
bool state_apply_one(const struct svg_node *n, struct str name, struct str v, struct state *s,
                     struct error *err);
/* "svg: <name>: what 'value' is not known" at the element, as ERR_DATA; returns false. */
bool state_refuse(const struct svg_node *n, struct str what, struct str value, struct error *err);

#endif
