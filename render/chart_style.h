/* Palette, type sizes and symbols of the charts. The classes differ under every kind of colour
 * blindness (smallest Lab distance 12) and have 3:1 on white; the place in the row carries them in
 * print. svg.c turns these very colours into CSS variables. */
#ifndef RENDER_CHART_STYLE_H
#define RENDER_CHART_STYLE_H

#include "chart.h"

#define COLOUR_BAND "#f6f7f9"
#define COLOUR_GRID "#e1e5ea"
#define COLOUR_REF "#7a828c"
#define COLOUR_WHISKER "#2b2f36"
#define COLOUR_PAPER "#ffffff"
#define COLOUR_MUTED "#5f6670" /* also the class-less samples of the legend */
#define COLOUR_LABEL "#3a3f47"
#define COLOUR_INK "#1a1a1a"

/* pale       under the hatch of a scaled bar
 * point      gnuplot's point type, at a size where all look equally large
 * hole       size of the hole in a hollow one, as a share: a ring of about one unit */
struct class_style {
	const char *colour, *pale;
	int point;
	double point_size, hole;
};

extern const struct class_style chart_classes[CHART_CLASSES_MAX];
extern const struct class_style chart_no_class; /* of the legend's measured, scaled, estimated */

enum text_style {
	TEXT_TITLE, TEXT_SUBTITLE, TEXT_LEGEND, TEXT_ROW, TEXT_TICK, TEXT_AXIS, TEXT_VALUE,
	TEXT_ABSENT, TEXT_MEAN, TEXT_DOT_ROW, TEXT_PANEL, TEXT_NAME, TEXT_NOTE, TEXT_STRONG,
	TEXT_STYLES
};

/* Sizes in user units, pixels at 960 wide: 1.25 times the points of the printed figure. */
struct text_look {
	const char *colour;
	double size;
	bool bold;
};

extern const struct text_look chart_texts[TEXT_STYLES];

/* Hatches of gnuplot: 4 falls to the right, 5 rises. */
enum { HATCH_SCALED = 4, HATCH_ESTIMATED = 5 };

/* gnuplot clauses for boxes, lines and points. dash: on and off in user units, NULL: solid. */
struct str paint_solid(struct arena *a, const char *colour);
struct str paint_hatch(struct arena *a, const char *colour, int pattern);
struct str paint_outline(struct arena *a, const char *colour, const double *dash);
struct str paint_line(struct arena *a, const char *colour, double width, const double *dash);
struct str paint_point(struct arena *a, const char *colour, int type, double size);

#endif
