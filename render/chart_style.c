#include "chart_style.h"

const struct class_style chart_classes[CHART_CLASSES_MAX] = {
	{ "#0072b2", "#cfe4f1", 7, 0.62, 0.62 },  /* circle */
	{ "#c98500", "#fbebc8", 5, 0.53, 0.58 },  /* square */
	{ "#009e73", "#cbe9de", 9, 0.66, 0.50 },  /* triangle */
	{ "#cc79a7", "#f5e3ed", 13, 0.56, 0.57 }, /* diamond */
	{ "#a6341b", "#f1dbd6", 11, 0.66, 0.50 }, /* triangle on its tip */
	{ "#5b3a8c", "#e0d9ea", 15, 0.62, 0.57 }, /* pentagon */
};

const struct class_style chart_no_class = { COLOUR_MUTED, "#e4e6e9", 7, 0.62, 0.62 };

const struct text_look chart_texts[TEXT_STYLES] = {
	[TEXT_TITLE] = { COLOUR_INK, 17.5, true },
	[TEXT_SUBTITLE] = { COLOUR_MUTED, 11.75, false },
	[TEXT_LEGEND] = { COLOUR_INK, 11.25, false },
	[TEXT_ROW] = { COLOUR_INK, 12, false },
	[TEXT_TICK] = { COLOUR_MUTED, 11.25, false },
	[TEXT_AXIS] = { COLOUR_LABEL, 11.25, false },
	[TEXT_VALUE] = { COLOUR_LABEL, 10.25, false },
	[TEXT_ABSENT] = { COLOUR_MUTED, 10.25, false },
	[TEXT_MEAN] = { COLOUR_LABEL, 12, false },
	[TEXT_DOT_ROW] = { COLOUR_INK, 13.5, false }, /* a tall figure is made smaller for a page */
	[TEXT_PANEL] = { COLOUR_INK, 12.5, true },
	[TEXT_NAME] = { COLOUR_INK, 11.25, false },
	[TEXT_NOTE] = { COLOUR_MUTED, 10.25, false },
	[TEXT_STRONG] = { COLOUR_INK, 12, true },
};

struct str paint_solid(struct arena *a, const char *colour)
{
	return str_printf(a, "lc rgb '%s' fs solid noborder", colour);
}

struct str paint_hatch(struct arena *a, const char *colour, int pattern)
{
	return str_printf(a, "lc rgb '%s' lw 0.8 fs transparent pattern %d noborder", colour,
			  pattern);
}

/* gnuplot multiplies dashes by half the line width. */
static struct str dash_clause(struct arena *a, double width, const double *dash)
{
	if (!dash)
		return STR("dt solid");
	return str_printf(a, "dt (%.4f,%.4f)", 2 * dash[0] / width, 2 * dash[1] / width);
}

struct str paint_outline(struct arena *a, const char *colour, const double *dash)
{
	/* the colour stands before fs for the (empty) fill, behind it for the border */
	return str_printf(a, "lc rgb '%s' lw 0.8 " STR_FMT " fs empty border lc rgb '%s'", colour,
			  STR_ARG(dash_clause(a, 0.8, dash)), colour);
}

struct str paint_line(struct arena *a, const char *colour, double width, const double *dash)
{
	return str_printf(a, "lc rgb '%s' lw %.2f " STR_FMT, colour, width,
			  STR_ARG(dash_clause(a, width, dash)));
}

struct str paint_point(struct arena *a, const char *colour, int type, double size)
{
	return str_printf(a, "pt %d ps %.2f lw 1 lc rgb '%s'", type, size, colour);
}
