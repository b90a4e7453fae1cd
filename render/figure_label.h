/* Direct labels that touch neither a mark, a line nor each other, and stay inside their frame. */
#ifndef RENDER_FIGURE_LABEL_H
#define RENDER_FIGURE_LABEL_H

#include "../base/arena.h"

#include <stdbool.h>
#include <stddef.h>

struct label_box {
	double x0, y0, x1, y1;
};

/* What is taken already. */
struct label_room {
	struct arena *arena;
	struct label_box frame;
	struct label_box *boxes;    /* no label may touch these */
	struct label_box *segments; /* nor cross these: lines from (x0, y0) to (x1, y1) */
	struct label_box *labels;   /* placed ones, which no leader line may cross */
	size_t nboxes, box_cap, nsegments, segment_cap, nlabels, label_cap;
};

void label_room_box(struct label_room *r, struct label_box b);
void label_room_segment(struct label_room *r, double x0, double y0, double x1, double y1);

/* Takes the place for a label if it is free, and tells whether it was. */
bool label_room_take(struct label_room *r, struct label_box b);

/* A text of this width and height beside the mark of this radius at (x, y): right, left, above,
 * below, then aslant, then the same farther off with a leader line; the first that is free. Takes
 * the place, and that of the line.
 * left, middle  where the text starts, and its middle
 * leader        whether it stands so far off that a line must lead from the mark to (to_x, to_y)
 * False: none is free. */
struct label_place {
	double left, middle, to_x, to_y;
	bool leader;
};
bool label_room_place(struct label_room *r, double x, double y, double radius, double width,
                      double height, struct label_place *out);

/* Moves places on one line apart so that neighbours are at least `gap` from each other and all lie
 * in [low, high], as near to where they were as that allows; equal ones in the given order. More
 * than fit share the space evenly. */
void label_spread(double *at, size_t n, double gap, double low, double high, struct arena *a);

#endif
