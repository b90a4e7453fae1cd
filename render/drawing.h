/* An SVG drawing read back into plain shapes, for renderers without SVG. */
#ifndef RENDER_DRAWING_H
#define RENDER_DRAWING_H

#include "../base/arena.h"
#include "../base/error.h"
#include "../base/str.h"

#include <stdbool.h>
#include <stddef.h>

struct colour { unsigned char r, g, b; };

enum path_op { PATH_MOVE, PATH_LINE, PATH_CLOSE };
struct path_step { enum path_op op; double x, y; };
enum text_anchor { ANCHOR_START, ANCHOR_MIDDLE, ANCHOR_END };
enum shape_kind { SHAPE_PATH, SHAPE_TEXT };
enum fill_kind { FILL_NONE, FILL_SOLID, FILL_HATCH };

/* Coordinates in SVG user units, y downwards, all transforms applied. Circles come as polygons. */
struct shape {
	enum shape_kind kind;
	/* SHAPE_PATH */
	struct path_step *steps;
	size_t nsteps;
	enum fill_kind fill;
	struct colour fill_colour;   /* of the solid, or of the hatch lines */
	double fill_opacity;         /* 0..1 */
	double hatch_step;           /* FILL_HATCH: distance of the 45 degree lines, across them */
	double hatch_width;
	int hatch_slope;             /* dy/dx, y downwards: +1 falls to the right, -1 rises */
	bool stroke;
	struct colour stroke_colour;
	double stroke_width;
	double dash[8];
	size_t ndash;
	/* SHAPE_TEXT */
	struct str text;
	double x, y;                 /* baseline point the anchor refers to */
	double size;                 /* font size in user units */
	double angle_deg;            /* counter-clockwise */
	bool bold;
	enum text_anchor anchor;
	struct colour text_colour;
};

struct drawing {
	double width, height; /* of the viewBox */
	struct shape *shapes; /* in painting order */
	size_t n, cap;
};

/* svg   what gnuplot's svg terminal wrote, after svg_clean (render/svg.h)
 * Fails closed: ERR_DATA with line and column for an element, attribute value, transform or path
 * command that it does not know, ERR_SYNTAX for text that is not XML, ERR_RANGE for a coordinate
 * not finite. Symbols that use symbols are bounded in depth and number. */
bool drawing_parse(struct str svg, const char *name, struct arena *a, struct drawing *out,
                   struct error *err);

#endif
