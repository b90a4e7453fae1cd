#include "chart.h"

#include "chart_plan.h"
#include "gnuplot.h"
#include "svg.h"
#include "../base/file.h"
#include "../base/num.h"

#include <math.h>

/* A score is a ratio; beyond this something else went wrong, and gnuplot's arithmetic stays exact.
 */
#define CHART_VALUE_MAX 1e9

bool chart_has(const struct chart_point *p)
{
	return p->has && p->origin != ORIGIN_EXCLUDED;
}

double chart_row_y(const struct chart_plan *p, size_t row)
{
	return p->view.top + ((double)row + 0.5) * p->row_height;
}

struct str chart_number(struct arena *a, double v)
{
	int decimals = v > 0 && v < 0.01 ? 1 - (int)floor(log10(v)) : 2;

	return num_fixed(a, v, decimals);
}

/* --- what is refused --- */

static bool in_bounds(double v)
{
	return v >= 0 && v <= CHART_VALUE_MAX; /* false for NaN too */
}

static bool value_refuse(const struct chart *c, size_t row, const char *what, double v,
			 const char *wanted, struct error *err)
{
	return error_set(err, ERR_RANGE, STR_FMT ": row %zu '" STR_FMT "': %s %g is not %s",
			 STR_ARG(c->id), row + 1, STR_ARG(str_slice(c->rows[row].label, 0, 80)),
			 what, v, wanted);
}

static bool point_check(const struct chart *c, bool log, size_t row, const struct chart_point *p,
			struct error *err)
{
	if (!in_bounds(p->value))
		return value_refuse(c, row, "value", p->value, "in [0, 1e9]", err);
	if (!isnan(p->low) && !in_bounds(p->low))
		return value_refuse(c, row, "low", p->low, "in [0, 1e9]", err);
	if (!isnan(p->high) && !in_bounds(p->high))
		return value_refuse(c, row, "high", p->high, "in [0, 1e9]", err);
	if (p->low > p->high)
		return value_refuse(c, row, "low", p->low, "at most high", err);
	if (log && !(p->value > 0))
		return value_refuse(c, row, "value", p->value, "above 0 on a log axis", err);
	if (c->axis_max > 0 && p->value > c->axis_max)
		return value_refuse(c, row, "value", p->value, "within axis_max", err);
	if (log && c->axis_min > 0 && p->value < c->axis_min)
		return value_refuse(c, row, "value", p->value, "within axis_min", err);
	return true;
}

static bool rows_check(const struct chart *c, bool log, struct error *err)
{
	for (size_t r = 0; r < c->nrows; r++) {
		if (!isnan(c->rows[r].mean) && !in_bounds(c->rows[r].mean))
			return value_refuse(c, r, "mean", c->rows[r].mean, "in [0, 1e9]", err);
		for (size_t k = 0; k < c->nclasses; k++)
			if (chart_has(&c->rows[r].points[k])
			    && !point_check(c, log, r, &c->rows[r].points[k], err))
				return false;
	}
	return true;
}

static bool axis_check(const struct chart *c, bool log, struct error *err)
{
	if (!in_bounds(c->axis_max) || !in_bounds(c->axis_min))
		return error_set(err, ERR_RANGE, STR_FMT ": axis from %g to %g is not in [0, 1e9]",
				 STR_ARG(c->id), c->axis_min, c->axis_max);
	if (c->axis_max > 0 && c->axis_min >= c->axis_max)
		return error_set(err, ERR_RANGE, STR_FMT ": axis from %g to %g is empty",
				 STR_ARG(c->id), c->axis_min, c->axis_max);
	if (!isnan(c->reference) && (!in_bounds(c->reference) || (log && c->reference == 0)))
		return error_set(err, ERR_RANGE, STR_FMT ": reference %g is not on the axis",
				 STR_ARG(c->id), c->reference);
	return true;
}

static bool chart_check(const struct chart *c, bool dots, struct error *err)
{
	bool log = dots && c->log_axis;

	if (c->nclasses > CHART_CLASSES_MAX)
		return error_set(err, ERR_RANGE, STR_FMT ": %zu classes, at most %d",
				 STR_ARG(c->id), c->nclasses, CHART_CLASSES_MAX);
	if (c->nrows > CHART_DOTS_MAX_ROWS)
		return error_set(err, ERR_RANGE, STR_FMT ": %zu rows, at most %d", STR_ARG(c->id),
				 c->nrows, CHART_DOTS_MAX_ROWS);
	return axis_check(c, log, err) && rows_check(c, log, err);
}

/* --- measures --- */

static enum text_style row_style(const struct chart_plan *p)
{
	return p->dots ? TEXT_DOT_ROW : TEXT_ROW;
}

/* Left margin: as wide as the longest name, at least an eighth, at most two fifths of the page. */
static void labels_plan(struct chart_plan *p)
{
	double widest = 0, most = 0.4 * p->view.width - CHART_PAD - 10;

	p->labels = arena_array(p->arena, p->chart->nrows, sizeof *p->labels);
	for (size_t r = 0; r < p->chart->nrows; r++) {
		struct str clean = chart_text_clean(p->arena, p->chart->rows[r].label);

		p->labels[r] = chart_text_fit(p->arena, p->fonts, row_style(p), clean, most);
		widest = fmax(widest, chart_text_width(p->fonts, row_style(p), p->labels[r]));
	}
	p->view.left = fmax(ceil(widest) + CHART_PAD + 10, p->view.width / 8);
}

/* Right margin of the dot plot: the column of means. Its heading keeps clear of the last tick. */
static void means_plan(struct chart_plan *p)
{
	const struct chart *c = p->chart;
	struct str title = chart_text_clean(p->arena, c->mean_title);
	double widest;

	p->mean_title = chart_text_fit(p->arena, p->fonts, TEXT_TICK, title, 90);
	widest = chart_text_width(p->fonts, TEXT_TICK, p->mean_title);
	p->means = arena_array(p->arena, c->nrows, sizeof *p->means);
	for (size_t r = 0; r < c->nrows; r++) {
		if (isnan(c->rows[r].mean))
			continue;
		p->means[r] = chart_number(p->arena, c->rows[r].mean);
		widest = fmax(widest, chart_text_width(p->fonts, TEXT_MEAN, p->means[r]));
	}
	p->view.right = p->view.width - CHART_PAD - (widest > 0 ? ceil(widest) + 28 : 0);
}

static void plan_widths(struct chart_plan *p)
{
	p->view.width = CHART_WIDTH;
	p->view.right = CHART_WIDTH - CHART_PAD;
	p->row_height = CHART_DOT_ROW;
	if (!p->dots)
		p->row_height = CHART_BAR_STEP * (double)p->chart->nclasses + CHART_BAR_HEIGHT;
	labels_plan(p);
	if (p->dots)
		means_plan(p);
}

static void plan_heights(struct chart_plan *p, double head_end)
{
	double rows = (double)p->chart->nrows * p->row_height;

	p->view.top = ceil(head_end + (p->dots ? 46 : 13));
	p->view.bottom = p->view.top + ceil(p->chart->nrows > 0 ? rows : 80);
	p->view.height = p->view.bottom + 54;
}

/* --- drawing --- */

static void rows_draw(struct chart_plan *p)
{
	struct str band = paint_solid(p->arena, COLOUR_BAND);

	for (size_t r = 0; r < p->chart->nrows; r++) {
		double y = chart_row_y(p, r);

		if (r % 2 == 0)
			canvas_box(&p->canvas, PAGE_BAND, band, CHART_BAND_PAD,
				   y - p->row_height / 2, p->view.width - CHART_BAND_PAD,
				   y + p->row_height / 2);
		canvas_text(&p->canvas, row_style(p), ANCHOR_END, p->view.left - 8, y,
			    p->labels[r]);
	}
	if (p->chart->nrows == 0)
		canvas_text(&p->canvas, TEXT_SUBTITLE, ANCHOR_MIDDLE,
			    (p->view.left + p->view.right) / 2, (p->view.top + p->view.bottom) / 2,
			    STR("no data"));
}

static void plan_draw(struct chart_plan *p)
{
	plan_widths(p);
	chart_axis_plan(p);
	plan_heights(p, chart_head_draw(p));
	rows_draw(p);
	if (p->dots)
		chart_dots_draw(p);
	else
		chart_bars_draw(p);
	chart_axis_draw(p); /* after the value labels, which it leaves free */
}

/* Everything lies on the page; the plot stays empty. */
static void picture_draw(struct chart_plan *p)
{
	const struct chart_picture *picture = p->chart->picture;
	struct canvas_view *v = &p->view;

	*v = (struct canvas_view){ .width = PICTURE_WIDTH, .left = CHART_EDGE,
				   .right = PICTURE_WIDTH - CHART_EDGE, .max = 1 };
	v->height = ceil(picture->draw(p, picture->data, chart_head_draw(p)) + 10);
	v->bottom = v->height;
}

/* The files of one chart, named after its id. */
struct chart_files {
	const char *data, *script, *output;
};

static struct chart_files files_of(const struct chart_plan *p)
{
	struct arena *a = p->arena;
	struct str id = p->chart->id;

	return (struct chart_files){
		.data = str_c(a, str_printf(a, STR_FMT ".tsv", STR_ARG(id))),
		.script = str_c(a, str_printf(a, STR_FMT ".gnuplot", STR_ARG(id))),
		.output = str_c(a, str_printf(a, STR_FMT ".raw.svg", STR_ARG(id))),
	};
}

/* made_of: out: all that the picture hangs on */
static bool plan_write(const struct chart_plan *p, const struct chart_files *f,
		       const char *work_dir, struct str *made_of, struct error *err)
{
	struct arena *a = p->arena;
	struct str dir = str_of(work_dir), data = canvas_data(&p->canvas);
	struct str script = canvas_script(&p->canvas, &p->view, str_of(f->data), str_of(f->output));

	struct strbuf both = { .arena = a };

	strbuf_printf(&both, "%zu\n", script.len);
	strbuf_add(&both, script);
	strbuf_add(&both, data);
	*made_of = strbuf_str(&both);
	return file_write(str_c(a, file_join(a, dir, str_of(f->data))), data, err)
	       && file_write(str_c(a, file_join(a, dir, str_of(f->script))), script, err);
}

/* gnuplot does not tell when the disk is full: half a picture is the environment's fault. */
static bool clean(const struct chart *c, struct str raw, struct arena *a, struct str *svg,
		  struct error *err)
{
	struct str title = chart_text_clean(a, c->title), desc = chart_text_clean(a, c->alt);
	struct error why = { 0 };

	if (svg_clean(raw, c->id, title, desc, a, svg, &why))
		return true;
	if (why.code == ERR_SYNTAX)
		return error_at(err, ERR_ENVIRONMENT, why.pos,
				"gnuplot wrote a broken picture: %s", why.msg);
	return error_at(err, why.code, why.pos, "%s", why.msg);
}

static bool plan_make(const struct chart *c, const struct font_set *fonts, struct arena *a,
		      struct chart_plan *p, struct error *err)
{
	*p = (struct chart_plan){ .chart = c,
				  .fonts = fonts,
				  .arena = a,
				  .canvas = { .arena = a },
				  .dots = c->dots || c->nrows > CHART_BARS_MAX_ROWS };
	/* the id names files and stands in the script: svg_id_is_valid before anything is written
	 */
	if (!svg_id_is_valid(c->id))
		return error_set(err, ERR_DATA,
				 "chart: '" STR_FMT "' is no id: letters, digits and dashes",
				 STR_ARG(str_slice(c->id, 0, 60)));
	if (!chart_check(c, p->dots, err))
		return false;
	if (c->picture)
		picture_draw(p);
	else
		plan_draw(p);
	return true;
}

static bool plan_finish(const struct chart_plan *p, struct str raw, struct str *svg,
			struct error *err)
{
	struct str lost;

	if (!clean(p->chart, raw, p->arena, svg, err))
		return false;
	return canvas_check(&p->canvas, *svg, &lost)
	       || error_set(err, ERR_DATA, STR_FMT ": gnuplot lost the text '" STR_FMT "'",
			    STR_ARG(p->chart->id), STR_ARG(lost));
}

bool chart_draw_all(const struct chart *const *charts, size_t n, const struct chart_drawer *by,
		    const char *work_dir, struct arena *a, struct str *svgs, struct error *err)
{
	struct chart_plan *plans = arena_array(a, n, sizeof *plans);
	const char **scripts = arena_array(a, n, sizeof *scripts);
	const char **outputs = arena_array(a, n, sizeof *outputs);
	struct str *made_of = arena_array(a, n, sizeof *made_of);
	struct str *raw = arena_array(a, n, sizeof *raw);
	struct gnuplot_job job = { .program = by->gnuplot,
				   .work_dir = work_dir,
				   .n = n,
				   .scripts = scripts,
				   .outputs = outputs,
				   .log = "gnuplot.log",
				   .cache = by->cache,
				   .made_of = made_of,
				   .identity = by->identity };

	for (size_t i = 0; i < n; i++) {
		if (!plan_make(charts[i], by->fonts, a, &plans[i], err))
			return false;
		struct chart_files files = files_of(&plans[i]);
		if (!plan_write(&plans[i], &files, work_dir, &made_of[i], err))
			return false;
		scripts[i] = files.script;
		outputs[i] = files.output;
	}
	if (n > 0 && !gnuplot_run(&job, a, raw, err))
		return false;
	for (size_t i = 0; i < n; i++)
		if (!plan_finish(&plans[i], raw[i], &svgs[i], err))
			return false;
	return true;
}

bool chart_draw(const struct chart *c, const struct font_set *fonts, const char *gnuplot,
		const char *work_dir, struct arena *a, struct str *svg, struct error *err)
{
	const struct chart_drawer by = { .fonts = fonts, .gnuplot = gnuplot };

	return chart_draw_all(&c, 1, &by, work_dir, a, svg, err);
}
