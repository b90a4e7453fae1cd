/* Several devices at one job: measured speed-ups beside those that the guide stated. */
#include "build.h"
#include "figure_chapter.h"
#include "footnote.h"
#include "format.h"
#include "../base/stat.h"

#include <math.h>
#include <stdlib.h>

enum { COUNTS_MAX = 5, DEVICES_SHOWN = 10 };

static const struct build_column summary_columns[] = {
	{ "column.class", false, true, 1.2 },   { "column.gpus", true, false, 0.5 },
	{ "column.one_job", true, false, 0.7 }, { "column.spread", true, false, 1.1 },
	{ "column.cells", true, false, 0.7 },   { "column.independent", true, false, 0.8 },
};

/* The guide's own columns, as in multi_summary.csv. */
static const struct {
	const char *key, *year;
} guide_columns[] = {
	{ "column.guide_table", "2019" },
	{ "column.guide_frameworks", "2016" },
	{ "column.guide_tuned", "2016" },
};

static struct report_table *new_summary_table(struct build *b)
{
	struct report_table *t = build_table(b, "table-multi", "multi.table", NULL, summary_columns,
					     LEN(summary_columns));

	for (size_t i = 0; i < LEN(guide_columns); i++) {
		const struct text_arg args[] = { text_arg("year", str_of(guide_columns[i].year)),
						 text_arg_end() };
		build_add_column(
		    b, t,
		    (struct report_column){ .title = build_str(b, guide_columns[i].key, args),
					    .numeric = true,
					    .weight = 0.9 });
	}
	build_add_column(
	    b, t,
	    (struct report_column){ .title = build_str(b, "column.note", NULL), .weight = 0.6 });
	return t;
}

static void summary_table(struct build *b)
{
	struct report_table *t = new_summary_table(b);
	struct footnotes notes = { .texts = { .n = 0 } };

	for (size_t i = 0; i < b->data->nmulti_summary; i++) {
		const struct data_multi_summary *m = &b->data->multi_summary[i];
		struct report_cell *cells = report_table_row(t, b->arena);
		cells[0].text = build_class_title(b, m->class_text);
		cells[1].text = format_count(b->arena, m->device_count);
		cells[2].text = format_ratio(b->arena, m->median_speedup);
		cells[3].text = format_ratio_range(b->arena, m->p10, m->p90);
		cells[4].text = format_count(b->arena, m->n);
		cells[5].text = format_ratio(b->arena, m->independent_speedup);
		cells[6].text = format_ratio(b->arena, m->guide_2019);
		cells[7].text = format_ratio_range(b->arena, m->guide_2016_low, m->guide_2016_high);
		cells[8].text =
		    format_ratio_range(b->arena, m->guide_2016_tuned_low, m->guide_2016_tuned_high);
		struct str note = build_said_str(b, m->note, m->note_msg, m->pos);
		cells[9] = (struct report_cell){ .text = footnote_mark(b, &notes, note),
						 .tone = TONE_MUTED };
	}
	build_add_table(b, t, "data/multi_summary.csv");
	footnote_list(b, &notes);
}

/* ---- by device ---- */

/* The numbers of devices that somebody ran together, ascending, at most COUNTS_MAX. */
static size_t device_counts(const struct build *b, int *counts)
{
	size_t n = 0;

	for (size_t i = 0; i < b->data->nmulti; i++) {
		int count = b->data->multi[i].device_count;
		size_t at = 0;
		while (at < n && counts[at] < count)
			at++;
		if (isnan(b->data->multi[i].speedup) || (at < n && counts[at] == count))
			continue;
		if (n == COUNTS_MAX) /* the largest give way */
			n--;
		for (size_t k = n; k > at; k--)
			counts[k] = counts[k - 1];
		if (at < COUNTS_MAX)
			counts[at] = count;
		n++;
	}
	return n;
}

/* One device in one class. */
struct device_row {
	const struct data_multi *first;
	double *speedups[COUNTS_MAX];
	size_t n[COUNTS_MAX], cells; /* of each count; of all */
};

/* Most measured cells first; ties in the order of the file. */
static int by_cells(const void *pa, const void *pb)
{
	const struct device_row *a = pa, *b = pb;

	if (a->cells != b->cells)
		return a->cells < b->cells ? 1 : -1;
	return (a->first->pos.line > b->first->pos.line)
	       - (a->first->pos.line < b->first->pos.line);
}

static void add_speedup(struct build *b, struct device_row *row, const struct data_multi *m,
			const int *counts, size_t ncounts)
{
	for (size_t k = 0; k < ncounts; k++) {
		if (counts[k] != m->device_count)
			continue;
		size_t cap = row->n[k];
		row->speedups[k] = arena_grow(b->arena, row->speedups[k], &cap, row->n[k] + 1,
					      sizeof *row->speedups[k]);
		row->speedups[k][row->n[k]++] = m->speedup;
		row->cells++;
	}
}

static size_t device_rows(struct build *b, const int *counts, size_t ncounts,
			  struct device_row *out)
{
	struct map index = { .arena = b->arena };
	size_t n = 0;
	bool fresh;

	for (size_t i = 0; i < b->data->nmulti; i++) {
		const struct data_multi *m = &b->data->multi[i];
		if (isnan(m->speedup))
			continue;
		struct str key = str_printf(b->arena, STR_FMT "\n" STR_FMT, STR_ARG(m->class_text),
					    STR_ARG(m->device));
		size_t at = *map_put(&index, key, n, &fresh);
		if (fresh)
			out[n++] = (struct device_row){ .first = m };
		add_speedup(b, &out[at], m, counts, ncounts);
	}
	if (n > 0)
		qsort(out, n, sizeof *out, by_cells);
	return n;
}

static void device_cells(struct build *b, struct report_table *t, const struct device_row *row,
			 size_t ncounts)
{
	struct report_cell *cells = report_table_row(t, b->arena);

	cells[0].text = build_class_title(b, row->first->class_text);
	cells[1].text = row->first->device;
	for (size_t k = 0; k < ncounts; k++) {
		if (row->n[k] == 0)
			continue;
		double median = stat_median(row->speedups[k], row->n[k], b->arena);
		cells[2 + k].text =
		    build_str(b, "multi.cell",
			      (struct text_arg[]){
				  text_arg("speedup", format_ratio(b->arena, median)),
				  text_arg_int("n", (long)row->n[k], b->arena), text_arg_end() });
	}
}

static void device_table(struct build *b)
{
	static const struct build_column columns[] = { { "column.class", false, false, 1 },
						       { "column.device", false, true, 1.6 } };
	struct device_row *rows = arena_array(b->arena, b->data->nmulti, sizeof *rows);
	int counts[COUNTS_MAX];
	size_t ncounts = device_counts(b, counts), n = device_rows(b, counts, ncounts, rows);
	size_t shown = build_rows_shown(n, DEVICES_SHOWN);
	const struct text_arg args[] = { text_arg_int("shown", (long)shown, b->arena),
					 text_arg_int("n", (long)n, b->arena), text_arg_end() };
	struct report_table *t =
	    build_table(b, "table-multi-devices", "multi.devices", args, columns, LEN(columns));

	for (size_t k = 0; k < ncounts; k++) {
		const struct text_arg count[] = { text_arg_int("n", counts[k], b->arena),
						  text_arg_end() };
		build_add_column(
		    b, t,
		    (struct report_column){ .title = build_str(b, "column.together", count),
					    .numeric = true,
					    .weight = 1 });
	}
	for (size_t i = 0; i < shown; i++)
		device_cells(b, t, &rows[i], ncounts);
	t->folded = true;
	build_add_table(b, t, "data/multi.csv");
}

/* Cards that overheat side by side: their machines carry the warning. */
static void cooling(struct build *b)
{
	struct name_set names = { .n = 0 };

	for (size_t i = 0; i < b->data->nsystems; i++) {
		const struct data_system *s = &b->data->systems[i];
		if (data_has_word(s->warnings, STR("cooling")))
			name_add(b, &names, s->device);
	}
	if (names.n > 0)
		build_note(b, NOTE_WARN, "multi.cooling",
			   (struct text_arg[]){ text_arg_int("n", (long)names.n, b->arena),
						text_arg_link("machines", STR("data/systems.csv"),
							      STR("data/systems.csv")),
						text_arg_end() });
}

void chapter_multi(struct build *b)
{
	if (b->data->nmulti_summary == 0 && b->data->nmulti == 0)
		return;
	build_heading(b, 2, "multi", "multi.title", NULL);
	build_text(b, "multi.about", NULL);
	figure_multi(b);
	summary_table(b);
	device_table(b);
	cooling(b);
}
