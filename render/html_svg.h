/* A drawing made smaller for standing in a page. gnuplot wraps every mark into groups of its own
 * and writes two decimals throughout; a page has a dozen such drawings. */
#ifndef RENDER_HTML_SVG_H
#define RENDER_HTML_SVG_H

#include "../base/arena.h"
#include "../base/error.h"
#include "../base/str.h"

#include <stdbool.h>

/* svg     what svg_theme (render/svg.h) made
 * out     the same picture: coordinates to a tenth of a unit (small numbers keep more), groups that
 *         say nothing dropped, neighbours that look alike joined, marks of one shape and size as
 *         one symbol
 * name    stands in positions
 * prefix  a letter and digits: begins every id but those of the root, its title and its description
 * Errors  as svg_tree_parse */
bool html_svg(struct str svg, const char *name, struct str prefix, struct arena *a, struct str *out,
              struct error *err);

/* A number list or path as SVG attributes hold them, its numbers rounded as above. */
struct str html_svg_numbers(struct str value, struct arena *a);
/* Path data of absolute M, L and z with level and upright lines as H and V; any other comes back
 * with its numbers rounded alone. */
struct str html_svg_path(struct str d, struct arena *a);

#endif
