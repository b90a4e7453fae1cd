#include "figure_flow.h"

#include "figure_key.h"

#include <math.h>

#define BOX_PAD 7.0
#define LINE 14.0
#define QUESTION_WIDTH 330.0
#define ARROW 50.0
#define ROW_GAP 15.0
#define DETAIL_GAP 14.0

/* A question and its answer while they are laid out. */
struct row {
	const struct flow_step *step;
	double y, height;
};

static double lines_height(const struct chart_plan *p, enum text_style style, struct str text,
			   double width, size_t max)
{
	struct str lines[4];
	size_t n = chart_text_wrap(p->arena, p->fonts, style, chart_text_clean(p->arena, text),
				   width, lines, max < LEN(lines) ? max : LEN(lines));

	return (double)n * LINE;
}

static double answer_left(void)
{
	return CHART_EDGE + QUESTION_WIDTH + ARROW;
}

static double answer_width(const struct chart_plan *p)
{
	return p->view.width - CHART_EDGE - answer_left();
}

/* Behind the answer on its line, where there is room. */
static bool detail_beside(const struct chart_plan *p, const struct flow_step *s)
{
	return chart_text_width(p->fonts, TEXT_STRONG, s->answer) + DETAIL_GAP
		       + chart_text_width(p->fonts, TEXT_NAME, s->detail)
	       <= answer_width(p) - 2 * BOX_PAD;
}

/* As high as the fuller of both boxes. */
static double row_height(const struct chart_plan *p, const struct flow_step *s)
{
	double left = QUESTION_WIDTH - 2 * BOX_PAD, right = answer_width(p) - 2 * BOX_PAD;
	double question = lines_height(p, TEXT_STRONG, s->title, left, 1)
			  + lines_height(p, TEXT_NAME, s->question, left, 3);
	double answer = lines_height(p, TEXT_STRONG, s->answer, right, 1)
			+ (detail_beside(p, s) ? 0
					       : lines_height(p, TEXT_NAME, s->detail, right, 1))
			+ lines_height(p, TEXT_NOTE, s->rule, right, 2);

	return fmax(question, answer) + 2 * BOX_PAD - 2;
}

static void arrow_draw(struct chart_plan *p, double x0, double y0, double x1, double y1)
{
	struct str paint = paint_line(p->arena, COLOUR_WHISKER, 1.2, NULL);
	double dx = x1 > x0 ? 1 : 0, dy = y1 > y0 ? 1 : 0;
	const struct canvas_xy head[] = { { x1, y1 },
					  { x1 - 8 * dx - 4 * dy, y1 - 8 * dy - 4 * dx },
					  { x1 - 8 * dx + 4 * dy, y1 - 8 * dy + 4 * dx } };

	canvas_line(&p->canvas, PAGE_WHISKER, paint, x0, y0, x1 - 7 * dx, y1 - 7 * dy);
	canvas_area(&p->canvas, PAGE_CURVE, paint_solid(p->arena, COLOUR_WHISKER), head,
		    LEN(head));
}

static void question_draw(struct chart_plan *p, const struct row *r)
{
	double x = CHART_EDGE, x1 = x + QUESTION_WIDTH, y = r->y + BOX_PAD - 1;

	canvas_box(&p->canvas, PAGE_FILL, paint_solid(p->arena, COLOUR_BAND), x, r->y, x1,
		   r->y + r->height);
	canvas_box(&p->canvas, PAGE_OUTLINE, paint_outline(p->arena, COLOUR_REF, NULL), x, r->y, x1,
		   r->y + r->height);
	y = figure_lines(p, TEXT_STRONG, x + BOX_PAD, y, r->step->title,
			 QUESTION_WIDTH - 2 * BOX_PAD, LINE, 1);
	figure_lines(p, TEXT_NAME, x + BOX_PAD, y, r->step->question, QUESTION_WIDTH - 2 * BOX_PAD,
		     LINE, 3);
}

static void answer_draw(struct chart_plan *p, const struct row *r)
{
	static const double dash[] = { 3, 2 };
	const struct class_style *look = figure_look(r->step->none ? (size_t)LOOK_NONE : 0);
	double x = answer_left(), width = answer_width(p), y = r->y + BOX_PAD - 1;

	if (!r->step->none)
		canvas_box(&p->canvas, PAGE_FILL, paint_solid(p->arena, look->pale), x, r->y,
			   x + width, r->y + r->height);
	canvas_box(&p->canvas, PAGE_OUTLINE,
		   paint_outline(p->arena, look->colour, r->step->none ? dash : NULL), x, r->y,
		   x + width, r->y + r->height);
	x += BOX_PAD;
	width -= 2 * BOX_PAD;
	figure_lines(p, TEXT_STRONG, x, y, r->step->answer, width, LINE, 1);
	if (detail_beside(p, r->step))
		figure_text(p, TEXT_NAME, ANCHOR_END, x + width, y + LINE / 2, r->step->detail,
			    width);
	else
		y = figure_lines(p, TEXT_NAME, x, y + LINE, r->step->detail, width, LINE, 1) - LINE;
	figure_lines(p, TEXT_NOTE, x, y + LINE, r->step->rule, width, LINE, 2);
}

double figure_flow_draw(struct chart_plan *p, const void *data, double y)
{
	const struct figure_flow *f = data;
	double spine = CHART_EDGE + 40;

	y += 10;
	for (size_t i = 0; i < f->n; i++) {
		struct row r = { &f->steps[i], y, row_height(p, &f->steps[i]) };
		double middle = y + r.height / 2;

		question_draw(p, &r);
		answer_draw(p, &r);
		arrow_draw(p, CHART_EDGE + QUESTION_WIDTH, middle, answer_left(), middle);
		figure_text(p, TEXT_NAME, ANCHOR_MIDDLE,
			    CHART_EDGE + QUESTION_WIDTH + ARROW / 2 - 4, middle - 9, f->yes, ARROW);
		y += r.height;
		if (i + 1 == f->n)
			break;
		arrow_draw(p, spine, y, spine, y + ROW_GAP);
		figure_text(p, TEXT_NAME, ANCHOR_START, spine + 9, y + ROW_GAP / 2, f->no, 200);
		y += ROW_GAP;
	}
	return y + 4;
}
