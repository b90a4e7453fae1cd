/* What moved since the edition before, and whether prices, data or the method moved it. */
#include "build.h"
#include "figure_chapter.h"
#include "format.h"

#include <math.h>
#include <stdlib.h>

enum { ROWS_SHOWN = 20 };

static const struct build_column columns[] = {
	{ "column.device", false, true, 1.7 },    { "column.class", false, false, 1 },
	{ "column.rank_move", true, false, 1 },   { "column.from_price", true, false, 0.8 },
	{ "column.from_data", true, false, 0.8 }, { "column.from_method", true, false, 0.8 },
	{ "column.reason", false, false, 2.4 },
};

static bool is_status(const struct data_change *c, const char *status)
{
	return str_eq(c->status, str_of(status));
}

/* How far the three parts move the performance per cost together, as a factor of at least 1. */
static double size_of(const struct data_change *c)
{
	const double parts[] = { c->from_price_pct, c->from_data_pct, c->from_method_pct };
	double sum = 0;

	for (size_t i = 0; i < LEN(parts); i++)
		if (parts[i] > -100) /* false for a missing part */
			sum += fabs(log1p(parts[i] / 100));
	return sum;
}

static int by_size(const void *pa, const void *pb)
{
	const struct data_change *const *a = pa, *const *b = pb;
	double x = size_of(*a), y = size_of(*b);

	if (x < y || x > y)
		return x < y ? 1 : -1;
	return ((*a)->pos.line > (*b)->pos.line) - ((*a)->pos.line < (*b)->pos.line);
}

static struct str signed_percent(struct build *b, double v)
{
	struct str text = format_percent(b->arena, v);

	return v > 0 && text.len > 0 ? str_printf(b->arena, "+" STR_FMT, STR_ARG(text)) : text;
}

static void change_row(struct build *b, struct report_table *t, const struct data_change *c)
{
	struct report_cell *cells = report_table_row(t, b->arena);
	struct str from = format_count(b->arena, c->old_rank),
		   to = format_count(b->arena, c->new_rank);

	cells[0].text = c->device;
	cells[1].text = build_class_title(b, c->class_text);
	if (from.len > 0 && to.len > 0)
		cells[2].text =
		    build_str(b, "changes.ranks",
			      (struct text_arg[]){ text_arg("from", from), text_arg("to", to),
						   text_arg_end() });
	cells[3].text = signed_percent(b, c->from_price_pct);
	cells[4].text = signed_percent(b, c->from_data_pct);
	cells[5].text = signed_percent(b, c->from_method_pct);
	cells[6] = build_data(b, c->reason);
}

static void status_counts(struct build *b)
{
	static const char *const statuses[] = { "changed", "new", "gone", "same" };
	long n[LEN(statuses)] = { 0 };

	for (size_t i = 0; i < b->data->nchanges; i++)
		for (size_t k = 0; k < LEN(statuses); k++)
			n[k] += is_status(&b->data->changes[i], statuses[k]);
	build_text(b, "changes.counts",
		   (struct text_arg[]){ text_arg_int("changed", n[0], b->arena),
					text_arg_int("fresh", n[1], b->arena),
					text_arg_int("gone", n[2], b->arena),
					text_arg_int("same", n[3], b->arena), text_arg_end() });
}

void chapter_changes(struct build *b)
{
	const struct data_change **c = arena_array(b->arena, b->data->nchanges, sizeof *c);
	size_t n = 0;

	if (b->data->nchanges == 0)
		return;
	for (size_t i = 0; i < b->data->nchanges; i++)
		if (is_status(&b->data->changes[i], "changed"))
			c[n++] = &b->data->changes[i];
	if (n > 0)
		qsort(c, n, sizeof *c, by_size);
	size_t shown = build_rows_shown(n, ROWS_SHOWN);
	struct report_table *t =
	    build_table(b, "table-changes", "changes.table",
			(struct text_arg[]){ text_arg_int("shown", (long)shown, b->arena),
					     text_arg_int("n", (long)n, b->arena), text_arg_end() },
			columns, LEN(columns));
	for (size_t i = 0; i < shown; i++)
		change_row(b, t, c[i]);
	build_heading(b, 2, "changes", "changes.title", NULL);
	build_text(b, "changes.about", NULL);
	status_counts(b);
	figure_changes(b);
	build_add_table(b, t, "data/changes.csv");
}
