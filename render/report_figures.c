/* Chapters 2 and 3: normalised performance and performance per cost by class, each as charts with
 * the same numbers in a table beside them. */
#include "build.h"
#include "chart.h"
#include "format.h"
#include "../base/stat.h"

#include <math.h>
#include <stdlib.h>

enum { PART_MAX_ROWS = 50 };

/* What differs between the two figures. Keys are of the message catalogue. */
struct subject {
	const char *chapter, *id, *heading, *title, *title_part, *subtitle, *axis, *caption, *alt,
	    *empty;
	const char *table_id, *table_caption, *csv;
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
	const struct data_value *v = data_value(d, DATA_CARD, device, class_no);

	if (!s || s->origin == ORIGIN_EXCLUDED || !v || isnan(v->value))
		return (struct chart_point){ .has = false };
	return (struct chart_point){ true, v->value, v->low, v->high, s->origin };
}

static const struct subject performance = {
	.chapter = "performance",
	.id = "figure-performance",
	.heading = "performance.title",
	.title = "performance.figure",
	.title_part = "performance.figure_part",
	.subtitle = "performance.subtitle",
	.axis = "performance.axis",
	.caption = "performance.caption",
	.alt = "performance.alt",
	.empty = "performance.empty",
	.table_id = "table-performance",
	.table_caption = "performance.table",
	.csv = "data/scores.csv",
	.point = performance_point,
};

static const struct subject value = {
	.chapter = "value",
	.id = "figure-value",
	.heading = "value.title",
	.title = "value.figure",
	.title_part = "value.figure_part",
	.subtitle = "value.subtitle",
	.axis = "value.axis",
	.caption = "value.caption",
	.alt = "value.alt",
	.empty = "value.empty",
	.table_id = "table-value",
	.table_caption = "value.table",
	.csv = "data/values.csv",
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

/* Equal axes for all parts of one figure. */
static void set_axes(struct build *b, const struct rows *rows, const struct subject *s,
		     bool several, struct chart *chart)
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
	if (several || chart->log_axis)
		chart->axis_max = 1.09 * top;
	if (chart->log_axis)
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

/* The words of one part of a figure; args hold reference, part, parts, and what caption and alt
 * say. */
static struct report_figure *part_words(struct build *b, const struct subject *s, size_t part,
					size_t parts, const struct text_arg *args,
					struct chart *chart)
{
	struct report_figure *f = arena_alloc(b->arena, sizeof *f);

	f->id = parts > 1 ? str_printf(b->arena, "%s-%zu", s->id, part + 1) : str_of(s->id);
	f->title = build_str(b, parts > 1 ? s->title_part : s->title, args);
	f->caption = build_str(b, part == 0 ? s->caption : "figure.continued", args);
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

static void add_part(struct build *b, const struct subject *s, const struct rows *rows, size_t part,
		     size_t parts)
{
	size_t from = part * rows->n / parts, to = (part + 1) * rows->n / parts, last = rows->n - 1;
	size_t class_no[CHART_CLASSES_MAX];
	struct chart *chart = arena_alloc(b->arena, sizeof *chart);
	struct name_set classes = { .n = 0 };
	bool dots = rows->n > CHART_BARS_MAX_ROWS;

	chart->nclasses = drawn_classes(b, s, class_no);
	for (size_t c = 0; c < chart->nclasses; c++) {
		chart->class_titles[c] = class_title(b->data->classes[class_no[c]]);
		name_add(b, &classes, chart->class_titles[c]);
	}
	chart->reference = 1.0;
	set_axes(b, rows, s, parts > 1, chart);
	set_rows(b, s, &rows->v[from], to - from, class_no, chart);
	const struct text_arg args[] = {
		text_arg("reference", data_setting(b->data, STR("reference"))),
		text_arg_int("part", (long)part + 1, b->arena),
		text_arg_int("parts", (long)parts, b->arena),
		text_arg_int("n", (long)(to - from), b->arena),
		text_arg("classes", name_list(b, &classes, CHART_CLASSES_MAX)),
		text_arg("marks", build_str(b, dots ? "figure.dots" : "figure.bars", NULL)),
		text_arg("scale", chart->log_axis ? build_str(b, "figure.log", NULL) : STR("")),
		text_arg("caveats", caveat_text(b)),
		text_arg("first", b->data->devices[rows->v[0].device]),
		text_arg("first_mean", format_ratio(b->arena, rows->v[0].mean)),
		text_arg("last", b->data->devices[rows->v[last].device]),
		text_arg("last_mean", format_ratio(b->arena, rows->v[last].mean)),
		text_arg_end(),
	};
	report_add_figure(b->report, part_words(b, s, part, parts, args, chart));
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

/* The devices that are drawn, in the chart's order; those without a figure are named below it. */
static void add_table(struct build *b, const struct subject *s, const struct rows *rows)
{
	const struct report_data *d = b->data;
	struct report_table *t = arena_alloc(b->arena, sizeof *t);
	const struct text_arg args[] = { text_arg("reference", data_setting(d, STR("reference"))),
					 text_arg_end() };

	t->id = str_of(s->table_id);
	t->caption = build_str(b, s->table_caption, args);
	t->csv_href = str_of(s->csv);
	t->folded = true;
	t->ncolumns = d->nclasses + 2;
	t->columns = arena_array(b->arena, t->ncolumns, sizeof *t->columns);
	t->columns[0] = build_column(b, &device_column);
	for (size_t c = 0; c < d->nclasses; c++)
		t->columns[c + 1] = (struct report_column){ .title = class_title(d->classes[c]),
							    .numeric = true,
							    .weight = 1.2 };
	t->columns[t->ncolumns - 1] = (struct report_column){
		.title = build_str(b, "figure.mean", NULL), .numeric = true, .weight = 0.6
	};
	for (size_t i = 0; i < rows->n; i++)
		table_row(b, s, t, rows->v[i].device, rows->v[i].mean);
	if (t->nrows > 0)
		report_add_table(b->report, t);
}

static const struct build_column excluded_columns[] = {
	{ "column.devices", false, false, 2.4 },
	{ "column.classes", false, false, 1.4 },
	{ "column.reason", false, false, 2.4 },
};

/* The devices that lack the same classes for one and the same reason: one row of the table. */
struct excluded {
	struct str classes, reason;
	struct name_set devices;
};

struct excluded_list {
	struct excluded *v;
	size_t n, cap;
};

static void excluded_add(struct build *b, struct excluded_list *l, struct str classes,
			 struct str reason, struct str device)
{
	size_t i = 0;

	while (i < l->n && !(str_eq(l->v[i].classes, classes) && str_eq(l->v[i].reason, reason)))
		i++;
	if (i == l->n) {
		l->v = arena_grow(b->arena, l->v, &l->cap, l->n + 1, sizeof *l->v);
		l->v[l->n++] = (struct excluded){ .classes = classes, .reason = reason };
	}
	name_add(b, &l->v[i].devices, device);
}

static void excluded_device(struct build *b, struct excluded_list *l, size_t device)
{
	const struct report_data *d = b->data;
	bool told[CLASS_COUNT] = { false };

	for (size_t c = 0; c < d->nclasses; c++) {
		const struct data_score *s = data_score(d, device, c);
		struct name_set classes = { .n = 0 };
		if (told[c] || !s || s->origin != ORIGIN_EXCLUDED)
			continue;
		for (size_t k = c; k < d->nclasses; k++) {
			const struct data_score *other = data_score(d, device, k);
			if (!other || other->origin != ORIGIN_EXCLUDED
			    || !str_eq(other->reason, s->reason))
				continue;
			told[k] = true;
			name_add(b, &classes, class_title(d->classes[k]));
		}
		excluded_add(b, l, name_list(b, &classes, CLASS_COUNT), s->reason,
			     d->devices[device]);
	}
}

static void add_excluded(struct build *b)
{
	struct report_table *t = build_table(b, "table-excluded", "performance.excluded", NULL,
					     excluded_columns, LEN(excluded_columns));
	struct excluded_list l = { .n = 0 };

	for (size_t i = 0; i < b->data->ndevices; i++)
		excluded_device(b, &l, i);
	for (size_t i = 0; i < l.n; i++) {
		struct report_cell *cells = report_table_row(t, b->arena);
		cells[0].text = name_list(b, &l.v[i].devices, b->data->ndevices);
		cells[1].text = l.v[i].classes;
		cells[2].text = l.v[i].reason;
	}
	t->csv_href = STR("data/scores.csv");
	t->folded = true;
	if (t->nrows > 0)
		report_add_table(b->report, t);
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

/* Old prices are drawn like new ones: how many there are must be said. */
static void add_stale(struct build *b)
{
	struct str days = data_setting(b->data, STR("stale_days"));
	long n = 0, stale = 0;

	for (size_t i = 0; i < b->data->ndevices; i++) {
		const struct data_price *p = build_card_price(b, b->data->devices[i]);
		bool drawn = false;
		for (size_t c = 0; c < b->data->nclasses; c++)
			drawn |= value_point(b->data, i, c).has;
		n += drawn;
		stale += drawn && p && build_price_is_stale(p);
	}
	if (stale > 0 && days.len > 0)
		build_text(b, "value.stale",
			   (struct text_arg[]){ text_arg_int("stale", stale, b->arena),
						text_arg_int("n", n, b->arena),
						text_arg("days", days), text_arg_end() });
}

static void add_figure(struct build *b, const struct subject *s)
{
	struct rows rows = sorted_rows(b, s);
	size_t parts =
	    rows.n > CHART_BARS_MAX_ROWS ? (rows.n + PART_MAX_ROWS - 1) / PART_MAX_ROWS : 1;

	build_heading(b, 2, s->chapter, s->heading, NULL);
	if (rows.n == 0)
		build_note(b, NOTE_WARN, s->empty, NULL);
	else
		for (size_t i = 0; i < parts; i++)
			add_part(b, s, &rows, i, parts);
	add_table(b, s, &rows);
}

void chapter_performance(struct build *b)
{
	add_figure(b, &performance);
	add_excluded(b);
}

void chapter_value(struct build *b)
{
	add_figure(b, &value);
	add_stale(b);
	add_unpriced(b);
}
