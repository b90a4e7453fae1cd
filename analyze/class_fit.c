#include "class_fit.h"

#include "../base/stat.h"

#include <math.h>
#include <stdint.h>

static const double implausible_p90s = 2;
static const double z95 = 1.96;
enum { ROWS_NAMED = 4 }; /* workloads spelt out for each series in a reason */

/* The model behind the matrix without the devices set aside. */
struct fitting {
	const struct class_fit_input *in;
	struct arena *arena;
	struct model_work *work;
	struct model_cell *cells;
};

struct model_options class_fit_options(bool robust)
{
	return (struct model_options){ .robust = robust, .max_rounds = 100, .tolerance = 1e-10 };
}

const struct backtest *class_fit_backtest(const struct class_fit *f, enum backtest_case c)
{
	return &f->backtests[f->chosen[c == BACKTEST_REPRESENTED ? BACKTEST_REPRESENTED
								 : BACKTEST_NOT_REPRESENTED]];
}

const struct backtest *class_fit_backtest_of(const struct class_fit *f, size_t source)
{
	const struct backtest *b = class_fit_backtest(f, BACKTEST_REPRESENTED);

	return !isnan(b->factor[source]) && b->prediction[source].represented
		   ? b
		   : class_fit_backtest(f, BACKTEST_NOT_REPRESENTED);
}

size_t class_fit_row(const struct class_fit *f, size_t device)
{
	size_t r = 0;

	while (r < f->matrix.ndevices && f->matrix.devices[r] != device)
		r++;
	return r;
}

bool class_fit_measured(const struct class_fit *f, size_t device)
{
	size_t r = class_fit_row(f, device);

	return f->reference != REFERENCE_NONE && r < f->matrix.ndevices && f->fit.in[r]
	       && !f->set_aside[r];
}

/* Median of y - theta over the fitted cells of a column; NAN where there are none. */
static double column_level(const struct class_fit *f, size_t column, struct arena *a)
{
	const struct model *m = &f->model.model;
	double *v = arena_array(a, m->ncells, sizeof *v);
	size_t n = 0;

	for (size_t i = 0; i < m->ncells; i++)
		if (m->cells[i].column == column && f->fit.in[m->cells[i].device])
			v[n++] = m->cells[i].y - f->fit.theta[m->cells[i].device];
	return n ? stat_median(v, n, a) : NAN;
}

double class_fit_wide_score(const struct class_fit *f, size_t device, struct arena *a)
{
	double sum = 0, weights = 0;

	for (size_t i = 0; i < f->matrix.nwide; i++) {
		const struct matrix_wide *w = &f->matrix.wide[i];
		double level = w->device == device ? column_level(f, w->column, a) : NAN;
		double weight = f->matrix.columns[w->column].weight;
		if (isnan(level))
			continue;
		sum += weight * (w->y - level);
		weights += weight;
	}
	return weights > 0 ? f->unit * exp(sum / weights) : NAN;
}

/* Two independent factor errors as one: their logs add as squares. */
static double join_factors(double a, double b)
{
	return exp(hypot(log(a), log(b)));
}

static void gather_cells(struct class_fit *f, struct fitting *t)
{
	struct model *m = &f->model.model;

	*m = (struct model){ .cells = t->cells,
			     .ndevices = f->matrix.ndevices,
			     .ncolumns = f->matrix.ncolumns };
	for (size_t i = 0; i < f->matrix.ncells; i++) {
		const struct matrix_cell *c = &f->matrix.cells[i];
		if (f->set_aside[c->device])
			continue;
		f->model.cell_of[m->ncells] = i;
		t->cells[m->ncells++] = (struct model_cell){ c->device, c->column, c->y,
							     f->matrix.columns[c->column].weight };
	}
}

/* The device whose theta is 0: the reference where it is measured beside others, else the best
 * connected. */
static void choose_gauge(struct class_fit *f, struct fitting *t)
{
	size_t reference = class_fit_row(f, t->in->reference);
	struct model *m = &f->model.model;

	if (reference < f->matrix.ndevices) {
		m->reference = reference;
		if (model_connect(m, t->work, &f->fit) > 1)
			return;
	}
	m->reference = model_best_connected(m, t->work);
	if (model_connect(m, t->work, &f->fit) == 1 && reference < f->matrix.ndevices)
		m->reference = reference; /* nothing is connected with anything */
}

static bool is_edition_anchor(const struct class_fit_input *in, size_t device)
{
	const struct str_list *anchors = &in->edition->anchors;

	for (size_t i = 0; i < anchors->n; i++)
		if (str_eq(anchors->v[i], in->devices->v[device].name))
			return true;
	return anchors->n == 0;
}

/* Lists the fitted devices with exp(theta), in units of the gauge device. */
static void gather_sources(struct class_fit *f, const struct fitting *t)
{
	size_t nanchors = 0;

	f->nsources = 0;
	for (size_t r = 0; r < f->matrix.ndevices; r++) {
		if (!f->fit.in[r] || f->set_aside[r])
			continue;
		bool anchor = is_edition_anchor(t->in, f->matrix.devices[r]);
		nanchors += anchor;
		f->sources[f->nsources++] =
		    (struct scale_source){ f->matrix.devices[r], exp(f->fit.theta[r]), anchor };
	}
	f->anchors_replaced = nanchors == 0 && f->nsources > 0;
	for (size_t i = 0; f->anchors_replaced && i < f->nsources; i++)
		f->sources[i].anchor = true;
}

static struct scale_input scale_input(const struct class_fit *f, const struct class_fit_input *in)
{
	return (struct scale_input){ in->devices, f->class, f->sources, f->nsources };
}

/* Every method on the present sources, and which of them is in use. */
static void test_methods(struct class_fit *f, const struct fitting *t)
{
	struct scale_input si = scale_input(f, t->in);

	for (size_t i = 0; i < SCALE_METHODS; i++)
		backtest_run(&scale_methods[i], &si, t->arena, &f->backtests[i]);
	for (int c = BACKTEST_REPRESENTED; c <= BACKTEST_NOT_REPRESENTED; c++)
		f->chosen[c] = backtest_choose(f->backtests, SCALE_METHODS, f->class->method,
					       (enum backtest_case)c, f->nsources, t->arena);
}

static void fit_once(struct class_fit *f, struct fitting *t)
{
	struct model *m = &f->model.model;

	gather_cells(f, t);
	choose_gauge(f, t);
	model_connect(m, t->work, &f->fit);
	/* Without gaps the score is the geometric mean of ratios, and nothing else. */
	f->model.robust = !model_complete(m, t->work, &f->fit);
	for (size_t i = 0; !f->model.robust && i < m->ncells; i++)
		t->cells[i].weight = 1;
	struct model_options opt = class_fit_options(f->model.robust);
	model_fit(m, &opt, t->work, &f->fit);
	gather_sources(f, t);
	test_methods(f, t);
}

static size_t count_cells(const struct class_fit *f, size_t row)
{
	size_t n = 0;

	for (size_t i = 0; i < f->matrix.ncells; i++)
		n += f->matrix.cells[i].device == row;
	return n;
}

static bool links_accepted(const struct class_fit *f, const struct class_fit_input *in, size_t row)
{
	for (size_t i = 0; i < f->matrix.ncells; i++) {
		const struct matrix_cell *c = &f->matrix.cells[i];
		if (c->device != row)
			continue;
		for (size_t j = 0; j < in->link_accepted->n; j++)
			if (str_eq(f->matrix.columns[c->column].series, in->link_accepted->v[j]))
				return true;
	}
	return false;
}

/* How far the score of a source may be off its prediction, told by the errors of the others (its
 * own would raise the limit for itself); INFINITY when too little is known to judge. */
static double implausible_limit(const struct class_fit *f, size_t source, struct arena *a)
{
	double p90;

	return backtest_p90_without(class_fit_backtest_of(f, source), source, a, &p90)
		   ? fmax(IMPLAUSIBLE_FACTOR_MIN, implausible_p90s * p90)
		   : INFINITY;
}

/* The source whose score is furthest over its limit, or nsources. Two cards that predict each other
 * are equally far off: then the one with fewer cells has the weaker link, and of equals the later
 * in devices.csv goes. */
static size_t find_implausible(const struct class_fit *f, const struct class_fit_input *in,
			       struct arena *a)
{
	size_t worst = f->nsources, worst_cells = 0;

	for (size_t i = 0; i < f->nsources; i++) {
		size_t row = class_fit_row(f, f->sources[i].device), cells = count_cells(f, row);
		double factor = class_fit_backtest_of(f, i)->factor[i];
		if (isnan(factor) || f->sources[i].device == in->reference
		    || factor <= IMPLAUSIBLE_FACTOR_MIN || !(factor > implausible_limit(f, i, a))
		    || links_accepted(f, in, row))
			continue;
		double best =
		    worst < f->nsources ? class_fit_backtest_of(f, worst)->factor[worst] : 0;
		if (factor > best * (1 + 1e-9)
		    || (factor > best * (1 - 1e-9) && cells <= worst_cells)) {
			worst = i;
			worst_cells = cells;
		}
	}
	return worst;
}

/* Whether a cell before the i-th has the same device and series. */
static bool series_seen(const struct matrix *m, size_t i)
{
	for (size_t j = 0; j < i; j++)
		if (m->cells[j].device == m->cells[i].device
		    && str_eq(m->columns[m->cells[j].column].series,
			      m->columns[m->cells[i].column].series))
			return true;
	return false;
}

/* "series NAME: a, b and 3 more", for the series of the i-th cell of its device. */
static struct say name_series(const struct matrix *m, size_t i, struct arena *a)
{
	struct str series = m->columns[m->cells[i].column].series;
	struct say_list l = { .arena = a };
	size_t n = 0;

	for (size_t j = i; j < m->ncells; j++) {
		const struct matrix_column *c = &m->columns[m->cells[j].column];
		if (m->cells[j].device != m->cells[i].device || !str_eq(c->series, series))
			continue;
		if (n++ < ROWS_NAMED)
			say_add(&l, say_plain(a, c->workload));
	}
	struct say names = say_join(&l, "comma");
	if (n > ROWS_NAMED)
		names = say(a, "list.more",
			    (const struct say_arg[]){ say_put("names", names),
						      say_count("n", n - ROWS_NAMED), say_end() });
	return say(a, "score.series",
		   (const struct say_arg[]){ say_name("series", series), say_put("rows", names),
					     say_end() });
}

/* Names the series and rows that carry the device. */
static struct say implausible(const struct class_fit *f, const struct fitting *t, size_t source)
{
	const struct matrix *m = &f->matrix;
	const struct backtest *test = class_fit_backtest_of(f, source);
	const struct scale_prediction *p = &test->prediction[source];
	size_t row = class_fit_row(f, f->sources[source].device);
	struct say_list l = { .arena = t->arena };
	const struct say_arg args[] = {
		say_fixed("factor", test->factor[source], 1),
		say_put("anchor", scale_anchor_said(p, t->in->devices, t->arena)),
		say_name("spec", p->spec),
		say_fixed("limit", implausible_limit(f, source, t->arena), 1),
		say_end(),
	};

	say_add(&l, say(t->arena, "score.implausible", args));
	for (size_t i = 0; i < m->ncells; i++)
		if (m->cells[i].device == row && !series_seen(m, i))
			say_add(&l, name_series(m, i, t->arena));
	return say_join(&l, "semicolon");
}

static void set_aside(struct class_fit *f, const struct fitting *t, size_t source)
{
	size_t row = class_fit_row(f, f->sources[source].device);

	f->set_aside_why[row] = implausible(f, t, source);
	f->set_aside[row] = true;
}

/* Predicts a device by the method for represented ones where it is one, else by that for others. */
static const struct backtest *predict(const struct class_fit *f, const struct class_fit_input *in,
				      size_t device, struct arena *a, struct scale_prediction *p,
				      struct say *why)
{
	const struct backtest *near = class_fit_backtest(f, BACKTEST_REPRESENTED);
	const struct backtest *far = class_fit_backtest(f, BACKTEST_NOT_REPRESENTED);
	struct scale_input si = scale_input(f, in);

	if (near->method->predict(&si, device, a, p, why) && (p->represented || near == far))
		return near;
	return near != far && far->method->predict(&si, device, a, p, why) ? far : NULL;
}

/* Predicts a reference that is not in the fit, in units of the gauge device. */
static double find_reference(struct class_fit *f, const struct fitting *t)
{
	size_t row = class_fit_row(f, t->in->reference);

	f->reference = REFERENCE_MEASURED;
	f->reference_factor = 1;
	if (row < f->matrix.ndevices && f->fit.in[row])
		return exp(f->fit.theta[row]);
	f->reference = REFERENCE_NONE;
	const struct backtest *test =
	    predict(f, t->in, t->in->reference, t->arena, &f->reference_prediction, &f->why_none);
	if (!test)
		return NAN;
	f->reference_method = test->method;
	if (!backtest_p90(test, &f->reference_prediction, &f->reference_factor)) {
		f->why_none = say(t->arena, "score.reference_error", NULL);
		return NAN;
	}
	if (f->reference_factor > t->in->edition->max_error) {
		f->why_none = say(t->arena, "score.reference_uncertain",
				  (const struct say_arg[]){
				      say_fixed("factor", f->reference_factor, 2),
				      say_fixed("limit", t->in->edition->max_error, 2), say_end() });
		return NAN;
	}
	f->reference = REFERENCE_SCALED;
	return f->reference_prediction.score;
}

/* From units of the gauge device to those of the reference. */
static void divide_by_reference(struct class_fit *f, const struct fitting *t)
{
	double reference = find_reference(f, t);

	f->unit = 1 / reference;
	for (size_t r = 0; r < f->matrix.ndevices; r++) {
		f->score[r] = f->fit.in[r] ? exp(f->fit.theta[r]) / reference : NAN;
		f->low[r] = f->high[r] = f->peer_low[r] = f->peer_high[r] = NAN;
	}
	for (size_t i = 0; i < f->nsources; i++) {
		f->sources[i].score /= reference;
		for (size_t k = 0; k < SCALE_METHODS; k++)
			f->backtests[k].prediction[i].score /= reference;
	}
	if (f->reference == REFERENCE_SCALED)
		f->reference_prediction.score = 1;
}

static void allocate(struct class_fit *f, struct fitting *t)
{
	struct arena *a = t->arena;
	size_t n = f->matrix.ndevices;

	f->fit = model_fit_new(n, a);
	f->set_aside = arena_array(a, n, sizeof *f->set_aside);
	f->set_aside_why = arena_array(a, n, sizeof *f->set_aside_why);
	f->score = arena_array(a, n, sizeof *f->score);
	f->low = arena_array(a, n, sizeof *f->low);
	f->high = arena_array(a, n, sizeof *f->high);
	f->peer_low = arena_array(a, n, sizeof *f->peer_low);
	f->peer_high = arena_array(a, n, sizeof *f->peer_high);
	f->sources = arena_array(a, n, sizeof *f->sources);
	f->model.cell_of = arena_array(a, f->matrix.ncells, sizeof *f->model.cell_of);
	t->work = model_work_new(n, f->matrix.ncolumns, f->matrix.ncells, a);
	t->cells = arena_array(a, f->matrix.ncells, sizeof *t->cells);
}

void class_fit_run(const struct class_fit_input *in, const struct edition_class *class,
		   struct arena *a, struct class_fit *out)
{
	struct fitting t = { .in = in, .arena = a };

	*out = (struct class_fit){ .class = class,
				   .reference = REFERENCE_NONE,
				   .reference_factor = 1,
				   .unit = NAN,
				   .spread = { NAN, NAN, 0, 0 },
				   .why_none = say(a, "score.no_rows", NULL) };
	matrix_build(in->obs, class, in->devices, a, &out->matrix);
	allocate(out, &t);
	if (out->matrix.ndevices == 0) {
		test_methods(out, &t);
		return;
	}
	for (;;) {
		fit_once(out, &t);
		size_t worst = find_implausible(out, in, a);
		if (worst == out->nsources)
			break;
		set_aside(out, &t, worst);
	}
	divide_by_reference(out, &t);
	out->spread = spread_measure(&out->matrix, &out->model.model, &out->fit, a);
}

void class_fit_pool(const struct class_fit *f, struct class_pool *pool)
{
	matrix_within(&f->matrix, &pool->machine_squares, &pool->machine_freedom);
	spread_add(&pool->spread, &f->spread);
}

/* Standard deviation of log v between machines of one card; NAN where nothing tells it. */
static double machine_sigma(const struct class_fit *f, const struct class_pool *pool)
{
	double sum = 0;
	size_t freedom = 0;

	matrix_within(&f->matrix, &sum, &freedom);
	if (freedom)
		return sqrt(sum / (double)freedom);
	return pool->machine_freedom ? sqrt(pool->machine_squares / (double)pool->machine_freedom)
				     : NAN;
}

void class_fit_intervals(struct class_fit *f, const struct class_pool *pool, struct arena *a)
{
	size_t n = f->matrix.ndevices;
	struct bootstrap_interval *around = arena_array(a, n, sizeof *around);
	double *variance = arena_array(a, n, sizeof *variance);
	struct spread spread = spread_shrink(&f->spread, &pool->spread);

	if (n == 0)
		return;
	bootstrap_run(&f->matrix, &f->model.model, f->model.cell_of, &f->fit, f->model.robust,
		      machine_sigma(f, pool), a, around);
	spread_variance(&f->matrix, &f->model.model, &f->fit, &spread, a, variance);
	variance[f->model.model.reference] = 0; /* its score is 1 whatever was run */
	for (size_t r = 0; r < n; r++) {
		double elsewhere = exp(z95 * sqrt(variance[r]));
		double low = join_factors(around[r].low, elsewhere),
		       high = join_factors(around[r].high, elsewhere);
		f->peer_low[r] = f->score[r] / low;
		f->peer_high[r] = f->score[r] * high;
		f->low[r] = f->score[r] / join_factors(low, f->reference_factor);
		f->high[r] = f->score[r] * join_factors(high, f->reference_factor);
	}
}

bool class_fit_scale(const struct class_fit *f, const struct class_fit_input *in, size_t device,
		     struct arena *a, const struct scale_method **method,
		     struct scale_prediction *p, double *own, double *total, struct say *why)
{
	if (f->reference == REFERENCE_NONE) {
		*why = say(a, "score.no_reference",
			   (const struct say_arg[]){ say_name("reference", in->edition->reference),
						     say_put("why", f->why_none), say_end() });
		return false;
	}
	const struct backtest *test = predict(f, in, device, a, p, why);
	if (!test)
		return false;
	*method = test->method;
	if (!backtest_p90(test, p, own)) {
		*why = say(a, "score.error_unknown", NULL);
		return false;
	}
	*total = join_factors(*own, f->reference_factor);
	if (*total > in->edition->max_error) {
		*why = say(a, "score.uncertain",
			   (const struct say_arg[]){
			       say_name("spec", p->spec),
			       say_put("anchor", scale_anchor_said(p, in->devices, a)),
			       say_fixed("factor", *total, 2),
			       say_fixed("limit", in->edition->max_error, 2), say_end() });
		return false;
	}
	return true;
}
