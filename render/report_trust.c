/* How far to trust scaled numbers: every method back-tested, and where the one in use was most
 * wrong. */
#include "build.h"
#include "figure_chapter.h"
#include "format.h"

#include <math.h>
#include <stdlib.h>

enum { METHODS_MAX = 8, WORST_SHOWN = 2 };

/* ---- the table: a row for each class and case, a column for each method ---- */

static size_t methods_of(const struct build *b, struct str *methods)
{
	size_t n = 0;

	for (size_t i = 0; i < b->data->nbacktest; i++) {
		size_t k = 0;
		while (k < n && !str_eq(methods[k], b->data->backtest[i].method))
			k++;
		if (k == n && n < METHODS_MAX)
			methods[n++] = b->data->backtest[i].method;
	}
	return n;
}

static bool same_row(const struct data_backtest *a, const struct data_backtest *b)
{
	return str_eq(a->class_text, b->class_text) && str_eq(a->which, b->which);
}

/* The first row of backtest.csv with this class and case stands for them all. */
static bool is_first_row(const struct build *b, size_t at)
{
	for (size_t i = 0; i < at; i++)
		if (same_row(&b->data->backtest[i], &b->data->backtest[at]))
			return false;
	return true;
}

static struct report_cell error_cell(struct build *b, const struct data_backtest *r, bool several)
{
	const struct text_arg args[] = {
		text_arg("median", format_percent(b->arena, r->median_error_pct)),
		text_arg("ninth", format_percent(b->arena, r->p90_error_pct)), text_arg_end()
	};
	struct report_cell cell = { .tone = TONE_PLAIN };

	if (isnan(r->median_error_pct))
		return cell;
	cell.text = build_str(b, "trust.cell", args);
	if (several && str_eq(r->chosen, STR("yes")))
		cell.tone = TONE_STRONG;
	return cell;
}

static void backtest_row(struct build *b, struct report_table *t, const struct data_backtest *first,
			 const struct str *methods, size_t n)
{
	struct report_cell *cells = report_table_row(t, b->arena);

	cells[0].text = build_class_title(b, first->class_text);
	cells[1].text = build_word(b, "case", first->which);
	cells[2].text = format_count(b->arena, first->n);
	for (size_t i = 0; i < b->data->nbacktest; i++) {
		const struct data_backtest *r = &b->data->backtest[i];
		for (size_t k = 0; k < n; k++)
			if (same_row(r, first) && str_eq(r->method, methods[k]))
				cells[3 + k] = error_cell(b, r, n > 1);
	}
}

static const struct build_column backtest_columns[] = {
	{ "column.class", false, true, 1.1 },
	{ "column.case", false, false, 1.5 },
	{ "column.predictions", true, false, 0.8 },
};

static void backtest_table(struct build *b)
{
	struct report_table *t = build_table(b, "table-backtest", "trust.table", NULL,
					     backtest_columns, LEN(backtest_columns));
	struct str methods[METHODS_MAX];
	size_t n = methods_of(b, methods);

	for (size_t k = 0; k < n; k++)
		build_add_column(
		    b, t,
		    (struct report_column){ .title = build_word(b, "method-name", methods[k]),
					    .numeric = true,
					    .weight = 1 });
	for (size_t i = 0; i < b->data->nbacktest; i++)
		if (is_first_row(b, i))
			backtest_row(b, t, &b->data->backtest[i], methods, n);
	build_add_table(b, t, "data/backtest.csv");
	if (n > 1)
		build_text(b, "trust.chosen", NULL);
}

/* ---- the worst predictions ---- */

static const struct build_column worst_columns[] = {
	{ "column.class", false, false, 1 },      { "column.device", false, true, 1.6 },
	{ "column.predicted", true, false, 0.8 }, { "column.measured", true, false, 0.8 },
	{ "column.factor", true, false, 0.7 },    { "column.represented", false, false, 0.9 },
	{ "column.predictor", false, false, 2 },
};

/* The largest factor first; ties in the order of the file. */
static int by_factor(const void *pa, const void *pb)
{
	const struct data_prediction *const *a = pa, *const *b = pb;

	if ((*a)->factor < (*b)->factor || (*a)->factor > (*b)->factor)
		return (*a)->factor < (*b)->factor ? 1 : -1;
	return ((*a)->pos.line > (*b)->pos.line) - ((*a)->pos.line < (*b)->pos.line);
}

static size_t chosen_predictions(const struct build *b, size_t class_no,
				 const struct data_prediction **out)
{
	size_t n = 0;

	for (size_t i = 0; i < b->data->npredictions; i++) {
		const struct data_prediction *p = &b->data->predictions[i];
		if (str_eq(p->chosen, STR("yes")) && !isnan(p->factor)
		    && data_class_no(b->data, p->class_text) == class_no)
			out[n++] = p;
	}
	if (n > 0)
		qsort(out, n, sizeof *out, by_factor);
	return n;
}

static void worst_row(struct build *b, struct report_table *t, const struct data_prediction *p)
{
	struct report_cell *cells = report_table_row(t, b->arena);
	struct name_set how = { .n = 0 };

	name_add(b, &how, build_word(b, "method-name", p->method));
	if (!str_eq(p->anchor, STR("all")))
		name_add(b, &how, p->anchor);
	cells[0].text = build_class_title(b, p->class_text);
	cells[1].text = p->device;
	cells[2].text = format_ratio(b->arena, p->predicted);
	cells[3].text = format_ratio(b->arena, p->measured);
	cells[4].text = format_ratio(b->arena, p->factor);
	cells[5].text = build_word(b, "word", p->represented);
	cells[6].text = name_list_long(b, &how, how.n);
}

static void worst_table(struct build *b)
{
	struct report_table *t = build_table(
	    b, "table-worst", "trust.worst",
	    (struct text_arg[]){ text_arg_int("n", WORST_SHOWN, b->arena), text_arg_end() },
	    worst_columns, LEN(worst_columns));
	const struct data_prediction **p = arena_array(b->arena, b->data->npredictions, sizeof *p);

	for (size_t c = 0; c < b->data->nclasses; c++) {
		size_t n = chosen_predictions(b, c, p);
		for (size_t i = 0; i < n && i < WORST_SHOWN; i++)
			worst_row(b, t, p[i]);
	}
	build_add_table(b, t, "data/predictions.csv");
}

void chapter_trust(struct build *b)
{
	if (b->data->nbacktest == 0)
		return;
	build_heading(b, 2, "trust", "trust.title", NULL);
	build_text(b, "trust.about", NULL);
	figure_trust(b);
	backtest_table(b);
	worst_table(b);
}
