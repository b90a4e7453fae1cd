/* Chapters 2 and 3: normalised performance and performance per cost by class, each as charts with
 * the same numbers in a table beside them. */
#include "build.h"
#include "chart.h"
#include "format.h"
#include "../base/stat.h"

#include <math.h>
#include <stdlib.h>

/* TABLE_SHOWN: rows of the table in the chapter; the appendix has all. */
enum { TABLE_SHOWN = 20 };

/* What differs between the two figures. Keys are of the message catalogue. */
struct subject {
	const char *chapter, *id, *heading, *title, *subtitle, *axis, *caption, *alt, *empty;
	const char *table_id, *table_caption, *csv;
	/* Of a table that shows a part: its caption, and that where only cards with a recent price
	 * are in it. */
	const char *top_caption, *recent_caption;
	const char *finding, *recent_finding; /* the sentence at the head of the chapter */
	const char *drawn; /* which devices are drawn, where not all are */
	bool fresh_only;   /* an old price says nothing of what a card is worth today */
	struct chart_point (*point)(const struct report_data *d, size_t device, size_t class_no);
};

static struct chart_point performance_point(const struct report_data *d, size_t device,
					    size_t class_no)
{
	const struct data_score *s = data_score(d, device, class_no);

	if (!s || s->origin == ORIGIN_EXCLUDED)
		return (struct chart_point){ .has = false };
	return (struct chart_point){ true, s->score, s->low, s->high, s->origin };
}

static struct chart_point value_point(const struct report_data *d, size_t device, size_t class_no)
{
	const struct data_score *s = data_score(d, device, class_no);
	const struct data_value *v = data_value(d, LENS_CARD, device, class_no);

	if (!s || s->origin == ORIGIN_EXCLUDED || !v || isnan(v->value))
		return (struct chart_point){ .has = false };
	return (struct chart_point){ true, v->value, v->low, v->high, s->origin };
}

static const struct subject performance = {
	.chapter = "performance",
	.id = "figure-performance",
	.heading = "performance.title",
	.title = "performance.figure",
	.subtitle = "performance.subtitle",
	.axis = "performance.axis",
	.caption = "performance.caption",
	.alt = "performance.alt",
	.empty = "performance.empty",
	.table_id = "table-performance",
	.table_caption = "performance.table",
	.top_caption = "performance.table_top",
	.finding = "performance.finding",
	.csv = "data/scores.csv",
	.drawn = "performance.drawn",
	.point = performance_point,
};

static const struct subject value = {
	.chapter = "value",
	.id = "figure-value",
	.heading = "value.title",
	.title = "value.figure",
	.subtitle = "value.subtitle",
	.axis = "value.axis",
	.caption = "value.caption",
	.alt = "value.alt",
	.empty = "value.empty",
	.table_id = "table-value",
	.table_caption = "value.table",
	.top_caption = "value.table_top",
	.recent_caption = "value.table_recent",
	.finding = "value.finding",
	.recent_finding = "value.finding_recent",
	.csv = "data/values.csv",
	.drawn = "value.drawn",
	.fresh_only = true,
	.point = value_point,
};

/* A device that has at least one point. */
struct row {
	size_t device;
	double mean; /* geometric, over the classes it has */
};

struct rows {
	struct row *v;
	size_t n;
};

static int by_mean(const void *pa, const void *pb)
{
	const struct row *a = pa, *b = pb;

	if (a->mean != b->mean)
		return a->mean < b->mean ? 1 : -1;
	return (a->device > b->device) - (a->device < b->device);
}

static struct rows sorted_rows(struct build *b, const struct subject *s)
{
	const struct report_data *d = b->data;
	struct rows rows = { .v = arena_array(b->arena, d->ndevices, sizeof *rows.v) };

	for (size_t i = 0; i < d->ndevices; i++) {
		double sum = 0;
		int n = 0;
		for (size_t c = 0; c < d->nclasses; c++) {
			struct chart_point p = s->point(d, i, c);
			if (p.has) {
				sum += log(p.value);
				n++;
			}
		}
		if (n > 0)
			rows.v[rows.n++] = (struct row){ i, exp(sum / n) };
	}
	qsort(rows.v, rows.n, sizeof *rows.v, by_mean);
	return rows;
}

/* The classes that have a point, at most as many as a chart holds. */
static size_t drawn_classes(struct build *b, const struct subject *s, size_t *class_no)
{
	size_t n = 0;

	for (size_t c = 0; c < b->data->nclasses && n < CHART_CLASSES_MAX; c++)
		for (size_t i = 0; i < b->data->ndevices; i++)
			if (s->point(b->data, i, c).has) {
				class_no[n++] = c;
				break;
			}
	return n;
}

/* Largest factor below 1, 2 or 5 times a power of ten: where a log axis can start. */
static double nice_floor(double v)
{
	static const double steps[] = { 5, 2, 1 };
	double power = pow(10, floor(log10(v)));

	for (size_t i = 0; i < LEN(steps); i++)
		if (steps[i] * power <= v)
			return steps[i] * power;
	return power;
}

/* A linear axis would squash most points where the largest is over 10 times the median, and shows
 * none apart from zero that is under a thirtieth of the largest. */
static bool wants_log(double *points, size_t n, struct arena *a)
{
	double largest = 0, least = INFINITY;

	for (size_t i = 0; i < n; i++) {
		largest = fmax(largest, points[i]);
		least = fmin(least, points[i]);
	}
	return largest > 10 * stat_median(points, n, a) || largest > 30 * least;
}

/* Which devices are drawn where there are too many: the lower, the sooner. */
static int draw_order(const struct build *b, size_t device)
{
	bool fresh = build_price_is_fresh(b, b->data->devices[device]), measured = false;

	for (size_t c = 0; c < b->data->nclasses; c++) {
		const struct data_score *s = data_score(b->data, device, c);
		measured |= s && s->origin == ORIGIN_MEASURED;
	}
	return fresh && measured ? 0 : fresh ? 1 : measured ? 2 : 3;
}

/* At most CHART_DOTS_MAX_ROWS: those with a fresh price first (no others where only these count and
 * there is any), then the measured ones, then the rest, each by rank; they stand in the order of
 * all. The table has every device. */
static struct rows drawn_rows(struct build *b, const struct subject *s, const struct rows *all)
{
	int last = s->fresh_only && build_value_ranking(b) == BY_FRESH_VALUE ? 1 : 3;
	struct rows drawn = { .v = arena_array(b->arena, all->n, sizeof *drawn.v) };
	bool *take = arena_array(b->arena, all->n, sizeof *take);
	size_t n = 0;

	for (int order = 0; order <= 3 && (order <= last || n == 0); order++)
		for (size_t i = 0; i < all->n && n < CHART_DOTS_MAX_ROWS; i++)
			if (draw_order(b, all->v[i].device) == order) {
				take[i] = true;
				n++;
			}
	for (size_t i = 0; i < all->n; i++)
		if (take[i])
			drawn.v[drawn.n++] = all->v[i];
	return drawn;
}

static void set_axes(struct build *b, const struct rows *rows, const struct subject *s,
		     struct chart *chart)
{
	const struct report_data *d = b->data;
	double *points = arena_array(b->arena, rows->n * d->nclasses, sizeof *points);
	double top = 0, bottom = INFINITY;
	size_t n = 0;

	for (size_t i = 0; i < rows->n; i++)
		for (size_t c = 0; c < d->nclasses; c++) {
			struct chart_point p = s->point(d, rows->v[i].device, c);
			if (!p.has)
				continue;
			points[n++] = p.value;
			top = fmax(top, fmax(p.value, p.high)); /* fmax and fmin pass over NAN */
			bottom = fmin(bottom, p.low > 0 ? fmin(p.value, p.low) : p.value);
		}
	chart->log_axis = rows->n > CHART_BARS_MAX_ROWS && wants_log(points, n, b->arena);
	if (!chart->log_axis)
		return;
	chart->axis_max = 1.09 * top;
	chart->axis_min = nice_floor(bottom);
}

static void set_rows(struct build *b, const struct subject *s, const struct row *rows, size_t n,
		     const size_t *class_no, struct chart *chart)
{
	chart->rows = arena_array(b->arena, n, sizeof *chart->rows);
	chart->nrows = n;
	for (size_t i = 0; i < n; i++) {
		struct chart_row *r = &chart->rows[i];
		r->label = b->data->devices[rows[i].device];
		r->mean = rows[i].mean;
		for (size_t c = 0; c < chart->nclasses; c++) {
			r->points[c] = s->point(b->data, rows[i].device, class_no[c]);
			chart->has_estimated |=
			    r->points[c].has && r->points[c].origin == ORIGIN_ESTIMATED;
		}
	}
}

/* The words of the figure; args hold reference, and what caption and alt say. */
static struct report_figure *figure_words(struct build *b, const struct subject *s,
					  const struct text_arg *args, struct chart *chart)
{
	struct report_figure *f = arena_alloc(b->arena, sizeof *f);

	f->id = str_of(s->id);
	f->title = build_str(b, s->title, args);
	f->caption = build_str(b, s->caption, args);
	f->alt = build_str(b, s->alt, args);
	f->svg_href = str_printf(b->arena, "figures/" STR_FMT ".svg", STR_ARG(f->id));
	f->csv_href = str_of(s->csv);
	f->chart = chart;
	chart->id = f->id;
	chart->title = f->title;
	chart->subtitle = build_str(b, s->subtitle, args);
	chart->axis_title = build_str(b, s->axis, args);
	chart->mean_title = build_str(b, "figure.mean", NULL);
	chart->alt = f->alt;
	chart->legend_measured = build_str(b, "figure.measured", NULL);
	chart->legend_scaled = build_str(b, "figure.scaled", NULL);
	chart->legend_estimated = build_str(b, "figure.estimated", NULL);
	return f;
}

/* The rule by which devices were left out, or nothing. */
static struct str drawn_text(struct build *b, const struct subject *s, size_t drawn,
			     size_t all)
{
	if (drawn == all)
		return STR("");
	return build_str(b, s->drawn,
			 (struct text_arg[]){
			     text_arg_int("drawn", (long)drawn, b->arena),
			     text_arg_int("all", (long)all, b->arena),
			     text_arg("days", data_setting(b->data, STR("stale_days"))),
			     text_arg_end() });
}

static void add_chart(struct build *b, const struct subject *s, const struct rows *all)
{
	struct rows rows = drawn_rows(b, s, all);
	size_t class_no[CHART_CLASSES_MAX], last = rows.n - 1;
	struct chart *chart = arena_alloc(b->arena, sizeof *chart);
	struct name_set classes = { .n = 0 };
	bool dots = rows.n > CHART_BARS_MAX_ROWS;

	chart->nclasses = drawn_classes(b, s, class_no);
	for (size_t c = 0; c < chart->nclasses; c++) {
		chart->class_titles[c] = build_class(b, b->data->classes[class_no[c]]);
		name_add(b, &classes, chart->class_titles[c]);
	}
	chart->reference = 1.0;
	set_axes(b, &rows, s, chart);
	set_rows(b, s, rows.v, rows.n, class_no, chart);
	const struct text_arg args[] = {
		text_arg("reference", data_setting(b->data, STR("reference"))),
		text_arg_int("n", (long)rows.n, b->arena),
		text_arg("classes", name_list(b, &classes, CHART_CLASSES_MAX)),
		text_arg("marks", build_str(b, dots ? "figure.dots" : "figure.bars", NULL)),
		text_arg("scale", chart->log_axis ? build_str(b, "figure.log", NULL) : STR("")),
		text_arg("drawn", drawn_text(b, s, rows.n, all->n)),
		text_arg("caveats", caveat_text(b)),
		text_arg("first", b->data->devices[rows.v[0].device]),
		text_arg("first_mean", format_ratio(b->arena, rows.v[0].mean)),
		text_arg("last", b->data->devices[rows.v[last].device]),
		text_arg("last_mean", format_ratio(b->arena, rows.v[last].mean)),
		text_arg_end(),
	};
	report_add_figure(b->report, figure_words(b, s, args, chart));
}

static const struct build_column device_column = { "column.device", false, true, 1.7 };

static void table_row(struct build *b, const struct subject *s, struct report_table *t,
		      size_t device, double mean)
{
	struct report_cell *cells = report_table_row(t, b->arena);

	(cells++)->text = b->data->devices[device];
	for (size_t c = 0; c < b->data->nclasses; c++) {
		struct chart_point p = s->point(b->data, device, c);
		if (p.has)
			cells[c].text = build_figure(b, p.origin, p.value, p.low, p.high);
		if (p.has && p.origin != ORIGIN_MEASURED)
			cells[c].tone = TONE_MUTED;
	}
	cells[b->data->nclasses].text = format_ratio(b->arena, mean);
}

static struct report_table *new_table(struct build *b, const struct subject *s, struct str caption)
{
	const struct report_data *d = b->data;
	struct report_table *t = arena_alloc(b->arena, sizeof *t);

	t->id = str_of(s->table_id);
	t->caption = caption;
	t->csv_href = str_of(s->csv);
	t->folded = true;
	t->ncolumns = d->nclasses + 2;
	t->columns = arena_array(b->arena, t->ncolumns, sizeof *t->columns);
	t->columns[0] = build_column(b, &device_column);
	for (size_t c = 0; c < d->nclasses; c++)
		t->columns[c + 1] = (struct report_column){ .title = build_class(b, d->classes[c]),
							    .numeric = true,
							    .weight = 1.2 };
	t->columns[t->ncolumns - 1] = (struct report_column){
		.title = build_str(b, "column.mean", NULL), .numeric = true, .weight = 0.6
	};
	return t;
}

/* The rows of a long table that a reader can act on: cards with a recent price where prices count
 * and any has one. */
static struct rows recent_rows(struct build *b, const struct subject *s, const struct rows *rows)
{
	struct rows recent = { .v = arena_array(b->arena, rows->n, sizeof *recent.v) };

	if (!s->recent_caption || data_setting(b->data, STR("stale_days")).len == 0
	    || build_rows_shown(rows->n, TABLE_SHOWN) == rows->n)
		return *rows;
	for (size_t i = 0; i < rows->n; i++)
		if (build_price_is_fresh(b, b->data->devices[rows->v[i].device]))
			recent.v[recent.n++] = rows->v[i];
	return recent.n > 0 ? recent : *rows;
}

/* The first of the rows, in the chart's order; all of them where they are few. */
static void add_table(struct build *b, const struct subject *s, const struct rows *rows)
{
	struct rows part = recent_rows(b, s, rows);
	size_t shown = build_rows_shown(part.n, TABLE_SHOWN);
	const struct text_arg args[] = {
		text_arg("reference", data_setting(b->data, STR("reference"))),
		text_arg("days", data_setting(b->data, STR("stale_days"))),
		text_arg_int("shown", (long)shown, b->arena),
		text_arg_int("n", (long)part.n, b->arena), text_arg_end()
	};
	const char *key = shown == rows->n     ? s->table_caption
			  : part.n == rows->n ? s->top_caption
					      : s->recent_caption;
	struct report_table *t = new_table(b, s, build_str(b, key, args));

	for (size_t i = 0; i < shown; i++)
		table_row(b, s, t, part.v[i].device, part.v[i].mean);
	if (t->nrows > 0)
		report_add_table(b->report, t);
}

/* What the figure shows, in one sentence. */
static void add_finding(struct build *b, const struct subject *s, const struct rows *rows)
{
	struct rows part = recent_rows(b, s, rows);
	const struct row *first = &part.v[0], *middle = &part.v[part.n / 2];
	long measured = 0;

	for (size_t i = 0; i < part.n; i++)
		for (size_t c = 0; c < b->data->nclasses; c++)
			if (s->point(b->data, part.v[i].device, c).has
			    && s->point(b->data, part.v[i].device, c).origin == ORIGIN_MEASURED) {
				measured++;
				break;
			}
	if (part.n < 2)
		return;
	build_text(
	    b, part.n < rows->n ? s->recent_finding : s->finding,
	    (struct text_arg[]){
		text_arg("first", b->data->devices[first->device]),
		text_arg("first_mean", format_ratio(b->arena, first->mean)),
		text_arg("middle_mean", format_ratio(b->arena, middle->mean)),
		text_arg("share", format_percent(b->arena, 100 * middle->mean / first->mean)),
		text_arg("reference", data_setting(b->data, STR("reference"))),
		text_arg("days", data_setting(b->data, STR("stale_days"))),
		text_arg_int("n", (long)part.n, b->arena),
		text_arg_int("measured", measured, b->arena), text_arg_end() });
}

/* Devices with a score that lack a price: the figure cannot show them. */
static void add_unpriced(struct build *b)
{
	struct name_set names = { .n = 0 };

	for (size_t i = 0; i < b->data->ndevices; i++)
		for (size_t c = 0; c < b->data->nclasses; c++)
			if (performance_point(b->data, i, c).has && !value_point(b->data, i, c).has)
				name_add(b, &names, b->data->devices[i]);
	if (names.n > 0)
		build_text(b, "value.unpriced",
			   (struct text_arg[]){ text_arg_int("n", (long)names.n, b->arena),
						text_arg("names", name_list(b, &names, names.n)),
						text_arg_end() });
}

/* Where old prices are drawn they look like new ones: how many there are must be said. */
static void add_stale(struct build *b)
{
	struct rows all = sorted_rows(b, &value), drawn = drawn_rows(b, &value, &all);
	struct str days = data_setting(b->data, STR("stale_days"));
	long stale = 0;

	for (size_t i = 0; i < drawn.n; i++) {
		const struct data_price *p =
		    build_card_price(b, b->data->devices[drawn.v[i].device]);
		stale += p && build_price_is_stale(p);
	}
	if (stale > 0 && days.len > 0)
		build_text(b, "value.stale",
			   (struct text_arg[]){ text_arg_int("stale", stale, b->arena),
						text_arg_int("n", (long)drawn.n, b->arena),
						text_arg("days", days), text_arg_end() });
}

static void add_figure(struct build *b, const struct subject *s)
{
	struct rows rows = sorted_rows(b, s);

	build_heading(b, 2, s->chapter, s->heading, NULL);
	if (rows.n == 0) {
		build_note(b, NOTE_WARN, s->empty, NULL);
		return;
	}
	add_finding(b, s, &rows);
	add_chart(b, s, &rows);
	add_table(b, s, &rows);
}

void chapter_performance(struct build *b)
{
	add_figure(b, &performance);
	table_excluded(b);
}

void chapter_value(struct build *b)
{
	add_figure(b, &value);
	add_stale(b);
	add_unpriced(b);
}
