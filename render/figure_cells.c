#include "figure_cells.h"

#include <math.h>

#define CELL_HEIGHT 21.0
#define KEY_WIDTH 30.0
#define KEY_HEIGHT 24.0
#define TILE 34.0
#define TILE_GAP 5.0

static void cell_draw(struct chart_plan *p, const struct figure_cell *c, double x0, double y0,
		      double x1, double y1)
{
	static const double dash[] = { 3, 2 };
	const struct class_style *look = figure_look(c->look);
	struct canvas *cv = &p->canvas;

	if (c->kind == CELL_TINTED || c->kind == CELL_THICK)
		canvas_box(cv, PAGE_FILL, paint_solid(p->arena, look->pale), x0, y0, x1, y1);
	if (c->kind != CELL_EMPTY)
		canvas_box(cv, PAGE_OUTLINE,
			   paint_outline(p->arena, look->colour,
					 c->kind == CELL_DASHED ? dash : NULL),
			   x0, y0, x1, y1);
	if (c->kind == CELL_THICK) /* a second outline inside: thick in every renderer */
		canvas_box(cv, PAGE_OUTLINE, paint_outline(p->arena, look->colour, NULL), x0 + 2,
			   y0 + 2, x1 - 2, y1 - 2);
	figure_text(p, c->kind == CELL_EMPTY ? TEXT_NOTE : TEXT_NAME, ANCHOR_MIDDLE,
		    (x0 + x1) / 2, (y0 + y1) / 2, c->text, x1 - x0);
}

static double keys_draw(struct chart_plan *p, const struct figure_cells *f, double y)
{
	double x = CHART_EDGE, right = p->view.width - CHART_EDGE, end = y;

	for (size_t i = 0; i < f->nkeys; i++) {
		struct str text = chart_text_clean(p->arena, f->keys[i].text);
		double width = KEY_WIDTH + 6 + chart_text_width(p->fonts, TEXT_LEGEND, text);

		if (x > CHART_EDGE && x + width > right) {
			x = CHART_EDGE;
			y += KEY_HEIGHT;
		}
		end = y + KEY_HEIGHT;
		cell_draw(p, &f->keys[i].cell, x, y + 3, x + KEY_WIDTH, y + KEY_HEIGHT - 3);
		figure_text(p, TEXT_LEGEND, ANCHOR_START, x + KEY_WIDTH + 6, y + KEY_HEIGHT / 2,
			    text, right - x - KEY_WIDTH - 6);
		x += width + 18;
	}
	return end;
}

/* The width of the names, and of one column. */
static double names_width(const struct chart_plan *p, const struct figure_cells *f)
{
	double w = 60;

	for (size_t i = 0; i < f->nrows; i++)
		if (f->rows[i].cells)
			w = fmax(w, chart_text_width(p->fonts, TEXT_ROW, f->rows[i].label));
	return fmin(ceil(w), 250) + 8;
}

static void head_draw(struct chart_plan *p, const struct figure_cells *f, double left, double step,
		      double y)
{
	for (size_t k = 0; k < f->ncolumns; k++)
		figure_text(p, TEXT_TICK, ANCHOR_MIDDLE, left + ((double)k + 0.5) * step, y,
			    f->columns[k], step - 1);
}

static bool same_cell(const struct figure_cell *a, const struct figure_cell *b)
{
	return a->kind == b->kind && a->look == b->look && str_eq(a->text, b->text);
}

/* Neighbours that say the same make one bar; of empty ones the last says it, behind a thin line. */
static void run_draw(struct chart_plan *p, const struct figure_cell *c, double x0, double x1,
		     double step, double y)
{
	double middle = y + CELL_HEIGHT / 2;

	if (c->kind != CELL_EMPTY) {
		cell_draw(p, c, x0 + 1.5, y + 1.5, x1 - 1.5, y + CELL_HEIGHT - 1.5);
		return;
	}
	if (c->text.len == 0)
		return;
	cell_draw(p, c, x1 - step, y, x1, y + CELL_HEIGHT);
	if (x1 - x0 > 1.5 * step)
		canvas_line(&p->canvas, PAGE_GRID, paint_line(p->arena, COLOUR_GRID, 1, NULL),
			    x0 + step / 2, middle, x1 - step / 2 - 6, middle);
}

static void row_draw(struct chart_plan *p, const struct figure_cells *f, const struct cells_row *r,
		     double left, double step, double y)
{
	double middle = y + CELL_HEIGHT / 2;

	if (!r->cells) {
		figure_text(p, TEXT_PANEL, ANCHOR_START, CHART_EDGE, middle, r->label,
			    p->view.width - 2 * CHART_EDGE);
		return;
	}
	figure_text(p, TEXT_ROW, ANCHOR_END, left - 8, middle, r->label, left - CHART_EDGE - 8);
	for (size_t k = 0, end; k < f->ncolumns; k = end) {
		for (end = k + 1; end < f->ncolumns && same_cell(&r->cells[k], &r->cells[end]);)
			end++;
		run_draw(p, &r->cells[k], left + (double)k * step, left + (double)end * step, step,
			 y);
	}
}

double figure_cells_draw(struct chart_plan *p, const void *data, double y)
{
	const struct figure_cells *f = data;
	double left = CHART_EDGE + names_width(p, f), right = p->view.width - CHART_EDGE;
	double step = f->ncolumns ? fmin((right - left) / (double)f->ncolumns, 60) : 0;

	y = keys_draw(p, f, y + 6) + 4;
	figure_text(p, TEXT_AXIS, ANCHOR_START, left, y + 9, f->column_title, right - left);
	head_draw(p, f, left, step, y + 27);
	y += 38;
	for (size_t i = 0; i < f->nrows; i++, y += CELL_HEIGHT) {
		y += !f->rows[i].cells && i > 0 ? 8 : 0;
		row_draw(p, f, &f->rows[i], left, step, y);
	}
	head_draw(p, f, left, step, y + 11);
	return y + 18;
}

double figure_tiles_draw(struct chart_plan *p, const void *data, double y)
{
	const struct figure_tiles *f = data;
	double room = p->view.width - 2 * CHART_EDGE + TILE_GAP;
	size_t in_line = (size_t)floor(room / (TILE + TILE_GAP));

	y += 10;
	for (size_t g = 0; g < f->ngroups; g++) {
		const struct tile_group *group = &f->groups[g];
		size_t lines = (group->n + in_line - 1) / in_line;

		figure_text(p, TEXT_PANEL, ANCHOR_START, CHART_EDGE, y + 9, group->label, room);
		y += 22;
		for (size_t i = 0; i < group->n; i++) {
			double x0 = CHART_EDGE + (double)(i % in_line) * (TILE + TILE_GAP);
			double y0 = y + (double)(i / in_line) * (TILE + TILE_GAP);

			cell_draw(p, &group->tiles[i], x0, y0, x0 + TILE, y0 + TILE);
		}
		y += (double)lines * (TILE + TILE_GAP) + 8;
	}
	return y - 8;
}
