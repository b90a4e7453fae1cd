/* The values of SVG attributes: numbers, colours, transforms and path data, as far as gnuplot
 * writes them. Everything else is an error at the given position: ERR_DATA for an unknown form,
 * ERR_RANGE for a number that is not finite. */
#ifndef RENDER_SVG_VALUE_H
#define RENDER_SVG_VALUE_H

#include "drawing.h"
#include "../base/arena.h"
#include "../base/error.h"
#include "../base/str.h"

#include <stdbool.h>
#include <stddef.h>

enum paint_kind { PAINT_NONE, PAINT_CURRENT, PAINT_COLOUR, PAINT_REF };

struct paint {
	enum paint_kind kind;
	struct colour colour; /* PAINT_COLOUR */
	struct str ref;       /* PAINT_REF: the id in url(#id) */
};

/* x' = a x + c y + e, y' = b x + d y + f, as in the SVG specification. */
struct matrix {
	double a, b, c, d, e, f;
};

#define MATRIX_ONE ((struct matrix){ 1, 0, 0, 1, 0, 0 })

struct path {
	struct path_step *steps; /* absolute, h and v turned into lines */
	size_t n, cap;
};

/* none, currentColor, black, white, gray, #rrggbb, url(#id), rgb(r,g,b) with blanks anywhere. */
bool paint_parse(struct str s, struct pos pos, struct paint *out, struct error *err);
/* One number; the unit px is allowed. */
bool number_parse(struct str s, struct pos pos, double *out, struct error *err);
/* Up to max numbers, separated by blanks or commas. */
bool number_list_parse(struct str s, struct pos pos, double *out, size_t max, size_t *n,
                       struct error *err);
/* Pairs of `points`, as a closed path. */
bool points_parse(struct str s, struct pos pos, struct arena *a, struct path *out,
                  struct error *err);
/* A list of translate, rotate (one angle) and scale. */
bool transform_parse(struct str s, struct pos pos, struct matrix *out, struct error *err);
/* M m L l H h V v Z z. */
bool path_parse(struct str s, struct pos pos, struct arena *a, struct path *out, struct error *err);

void path_add(struct path *p, struct arena *a, enum path_op op, double x, double y);
/* The matrix that applies `inner` first. */
struct matrix matrix_times(struct matrix outer, struct matrix inner);
double matrix_scale(struct matrix m); /* lengths grow by this on average: sqrt |det| */

#endif
