/* The legend of a figure, and the marks that stand in it. */
#ifndef RENDER_FIGURE_KEY_H
#define RENDER_FIGURE_KEY_H

#include "chart_plan.h"
#include "../base/str.h"

#include <stdbool.h>
#include <stddef.h>

/* KEY_AREA: a pale strip between low and high. KEY_BOX…: a bar in the look of measured, scaled and
 * estimated ones. KEY_DOT and KEY_RING have the shape of their look. */
enum figure_key_kind { KEY_DOT, KEY_RING, KEY_CIRCLE, KEY_DIAMOND, KEY_RING_DIAMOND,
	KEY_LINE, KEY_DASHES, KEY_AREA, KEY_BOX, KEY_HATCH, KEY_RISING };

/* Looks: of a class, or without one. */
enum { LOOK_NONE = CHART_CLASSES_MAX };
const struct class_style *figure_look(size_t look);

struct figure_key {
	enum figure_key_kind kind;
	size_t look;
	struct str text; /* an empty one is left out with its sample */
};

/* In one line from the left edge, or more; returns where it ends (y itself without keys). */
double figure_keys_draw(struct chart_plan *p, const struct figure_key *keys, size_t n, double y);
/* A mark, filled or hollow. MARK_OF_LOOK: in the shape that its class has; else in its colour. */
enum figure_mark { MARK_OF_LOOK, MARK_CIRCLE, MARK_DIAMOND };
void figure_dot_draw(struct chart_plan *p, size_t look, enum figure_mark mark, bool hollow,
                     double x, double y);
/* Text of the given style, shortened to a width, at y in its middle. */
void figure_text(struct chart_plan *p, enum text_style style, enum text_anchor anchor, double x,
                 double y, struct str text, double width);
/* Wrapped text from y down, at most max lines (8); returns where it ends. */
double figure_lines(struct chart_plan *p, enum text_style style, double x, double y,
                    struct str text, double width, double height, size_t max);

#endif
