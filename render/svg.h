/* Text-level work on gnuplot's SVG. */
#ifndef RENDER_SVG_H
#define RENDER_SVG_H

#include "../base/arena.h"
#include "../base/error.h"
#include "../base/str.h"

#include <stdbool.h>

/* raw    gnuplot's output, a complete <svg> element
 * id     letters, digits and dashes, a letter first; unique in the page it will stand in
 * out    the same picture written anew: no prolog, comments, filters, unused symbols or empty
 *        groups (their colour depends on what gnuplot drew before); title and desc are the given
 *        ones, with the ids <id>-title and <id>-desc; every other id and reference gets "<id>-" in
 *        front; equal patterns are merged; colours are #rrggbb; only the viewBox gives the size;
 *        the fonts stand once, at the root; ':Bold' in a font name becomes font-weight
 * Errors ERR_SYNTAX not XML; ERR_DATA an element, attribute, value or reference not known */
bool svg_clean(struct str raw, struct str id, struct str title, struct str desc, struct arena *a,
               struct str *out, struct error *err);

/* Whether the text is such an id: 1 to 100 letters, digits and dashes, a letter first. */
bool svg_id_is_valid(struct str id);

/* For inlining the output of svg_clean: adds role="img", aria-labelledby, aria-describedby and
 * class="figure", and turns the palette into CSS variables. The page defines the neutral ones:
 * --ink --label --muted --ref --grid --band --whisker. It may define --paper (inside of hollow
 * marks), --class-1 to --class-6 (class colours), --pale-1 to --pale-6 (scaled bars) and --pale-0
 * (the legend's scaled sample); without them the light colours stay. */
struct str svg_theme(struct str clean, struct str id, struct arena *a);

#endif
