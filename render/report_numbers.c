/* Appendix: the long tables in full, of which the chapters show the part that helps to choose. */
#include "build.h"
#include "format.h"

#include <math.h>
#include <stdlib.h>

/* ---- every device: price, scores, value ---- */

/* mean: geometric, over the classes that it has; NAN without a score. */
struct line {
	size_t device;
	double mean;
};

static double mean_score(const struct build *b, size_t device)
{
	double sum = 0;
	int n = 0;

	for (size_t c = 0; c < b->data->nclasses; c++) {
		const struct data_score *s = data_score(b->data, device, c);
		if (!s || s->origin == ORIGIN_EXCLUDED || isnan(s->score))
			continue;
		sum += log(s->score);
		n++;
	}
	return n > 0 ? exp(sum / n) : (double)NAN;
}

/* The fastest first, then those without a score; ties in the order of the files. */
static int by_mean(const void *pa, const void *pb)
{
	const struct line *a = pa, *b = pb;

	if (isnan(a->mean) != isnan(b->mean))
		return isnan(a->mean) ? 1 : -1;
	if (a->mean < b->mean || a->mean > b->mean)
		return a->mean < b->mean ? 1 : -1;
	return (a->device > b->device) - (a->device < b->device);
}

static const struct build_column first_columns[] = {
	{ "column.device", false, true, 2 },
	{ "column.price", true, false, 0.8 },
	{ "column.price_date", true, false, 1 },
};

static struct report_table *new_table(struct build *b)
{
	const struct text_arg args[] = {
		text_arg("reference", data_setting(b->data, STR("reference"))), text_arg_end()
	};
	struct report_table *t = build_table(b, "numbers-devices", "numbers.devices", args,
					     first_columns, LEN(first_columns));

	for (size_t c = 0; c < b->data->nclasses; c++) {
		struct str title = build_class(b, b->data->classes[c]);
		build_add_column(
		    b, t,
		    (struct report_column){ .title = title, .numeric = true, .weight = 1 });
	}
	build_add_column(b, t,
			 (struct report_column){ .title = build_str(b, "column.mean", NULL),
						 .numeric = true,
						 .weight = 0.7 });
	build_add_column(b, t,
			 (struct report_column){ .title = build_str(b, "column.value", NULL),
						 .numeric = true,
						 .weight = 0.8 });
	return t;
}

static void device_row(struct build *b, struct report_table *t, const struct line *l)
{
	struct report_cell *cells = report_table_row(t, b->arena);
	const struct data_price *p = build_card_price(b, b->data->devices[l->device]);
	size_t nclasses = b->data->nclasses;

	(cells++)->text = b->data->devices[l->device];
	if (p) {
		cells[0].text = format_usd(b->arena, p->price_usd);
		cells[1].text = format_date(b->arena, p->newest_date);
		cells[1].tone = build_price_is_stale(p) ? TONE_WARN : TONE_PLAIN;
	}
	cells += 2;
	for (size_t c = 0; c < nclasses; c++) {
		const struct data_score *s = data_score(b->data, l->device, c);
		if (!s)
			continue;
		cells[c].text = build_figure(b, s->origin, s->score, NAN, NAN);
		cells[c].tone = s->origin == ORIGIN_MEASURED ? TONE_PLAIN : TONE_MUTED;
	}
	cells[nclasses].text = format_ratio(b->arena, l->mean);
	cells[nclasses + 1].text =
	    format_ratio(b->arena, build_mean_value(b, LENS_CARD, l->device));
}

/* Left out where the chapters have shown every device. */
static void numbers_devices(struct build *b)
{
	enum { FEW = 20 };
	size_t n = b->data->ndevices;
	struct line *lines = arena_array(b->arena, n, sizeof *lines);
	struct report_table *t = new_table(b);

	if (build_rows_shown(n, FEW) == n)
		return;
	for (size_t i = 0; i < n; i++)
		lines[i] = (struct line){ i, mean_score(b, i) };
	qsort(lines, n, sizeof *lines, by_mean);
	for (size_t i = 0; i < n; i++)
		device_row(b, t, &lines[i]);
	build_add_table(b, t, "data/scores.csv");
	build_text(b, "numbers.files",
		   (struct text_arg[]){
		       text_arg_link("scores", STR("data/scores.csv"), STR("data/scores.csv")),
		       text_arg_link("values", STR("data/values.csv"), STR("data/values.csv")),
		       text_arg_link("prices", STR("data/prices.csv"), STR("data/prices.csv")),
		       text_arg_end() });
}

/* In the order of the chapters. One whose chapter has shown all says nothing. */
static void (*const parts[])(struct build *b) = {
	numbers_devices,
	advice_rules,
	numbers_memory,
	numbers_claims,
};

void chapter_numbers(struct build *b)
{
	size_t start = b->report->n, empty;

	build_heading(b, 2, "numbers", "numbers.title", NULL);
	build_text(b, "numbers.about", NULL);
	empty = b->report->n;
	for (size_t i = 0; i < LEN(parts); i++)
		parts[i](b);
	if (b->report->n == empty)
		b->report->n = start;
}
