/* Small boxes with a short text each: a matrix of what fits where, and tiles in groups. A box's
 * look tells what its text means; its outline tells it without colour. */
#ifndef RENDER_FIGURE_CELLS_H
#define RENDER_FIGURE_CELLS_H

#include "figure_key.h"
#include "../base/str.h"

#include <stddef.h>

/* CELL_EMPTY: text alone. The others: tinted in a thin outline, tinted in a thick one, and in
 * dashes without a tint. */
enum cell_kind { CELL_EMPTY, CELL_TINTED, CELL_THICK, CELL_DASHED };

struct figure_cell {
	enum cell_kind kind;
	size_t look;
	struct str text; /* a few characters */
};

/* A sample cell and what it means. */
struct cell_key {
	struct figure_cell cell;
	struct str text;
};

/* A heading over rows (its cells are NULL), or a row with a cell a column. */
struct cells_row {
	struct str label;
	const struct figure_cell *cells;
};

struct figure_cells {
	struct str column_title; /* over the columns */
	const struct str *columns;
	size_t ncolumns;
	const struct cells_row *rows;
	size_t nrows;
	const struct cell_key *keys;
	size_t nkeys;
};

/* draw of a chart_picture; data: struct figure_cells. */
double figure_cells_draw(struct chart_plan *p, const void *data, double y);

/* A group of tiles under its label. */
struct tile_group {
	struct str label;
	const struct figure_cell *tiles;
	size_t n;
};

struct figure_tiles {
	const struct tile_group *groups;
	size_t ngroups;
};

/* draw of a chart_picture; data: struct figure_tiles. */
double figure_tiles_draw(struct chart_plan *p, const void *data, double y);

#endif
