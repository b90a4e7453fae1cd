#include "backtest_reason.h"

#include "../base/stat.h"

#include <math.h>

static const double wide_spread = 2; /* times the median card's */

/* One source in its class, and the reasons found so far. */
struct reasoning {
	const struct class_fit *f;
	const struct devices *devices;
	size_t source, row;
	struct arena *arena;
	struct strbuf *out;
};

static void add(struct reasoning *r, struct str text)
{
	if (r->out->len)
		strbuf_add(r->out, STR("; "));
	strbuf_add(r->out, text);
}

static double power_per_tflops(const struct device *d)
{
	return d->tdp_w / d->fp32_tflops;
}

static double bandwidth(const struct device *d)
{
	return d->bandwidth_gbs;
}

static double fp32(const struct device *d)
{
	return d->fp32_tflops;
}

static double memory(const struct device *d)
{
	return d->memory_gb;
}

static double l2(const struct device *d)
{
	return d->l2_mb;
}

/* What a card is compared by. */
static const struct {
	const char *name;
	double (*of)(const struct device *d);
} facts[] = {
	{ "bandwidth_gbs", bandwidth },
	{ "rate_16bit", scale_rate_16bit },
	{ "fp32_tflops", fp32 },
	{ "memory_gb", memory },
	{ "l2_mb", l2 },
	{ "tdp_w per fp32 TFLOP/s", power_per_tflops },
};

static void check_architecture(struct reasoning *r)
{
	const struct device *d = &r->devices->v[r->f->sources[r->source].device];

	for (size_t i = 0; i < r->f->nsources; i++)
		if (i != r->source
		    && scale_same_architecture(r->devices, r->f->sources[i].device,
					       r->f->sources[r->source].device))
			return;
	add(r, str_printf(r->arena, "no other card of its architecture (" STR_FMT ") is measured",
			  STR_ARG(d->architecture)));
}

static void check_range(struct reasoning *r, size_t fact)
{
	size_t own = r->f->sources[r->source].device;
	double v = facts[fact].of(&r->devices->v[own]), low = INFINITY, high = -INFINITY;

	for (size_t i = 0; i < r->f->nsources; i++) {
		size_t other = r->f->sources[i].device;
		double x = facts[fact].of(&r->devices->v[other]);
		if (i == r->source || !scale_same_vendor(r->devices, own, other) || isnan(x))
			continue;
		low = fmin(low, x);
		high = fmax(high, x);
	}
	if (v > high && isfinite(high))
		add(r, str_printf(r->arena, "%s %.4g, above all others' (%.4g)", facts[fact].name,
				  v, high));
	if (v < low && isfinite(low))
		add(r, str_printf(r->arena, "%s %.3g, below all others' (%.3g)", facts[fact].name,
				  v, low));
}

static size_t count_cells(const struct reasoning *r)
{
	size_t n = 0;

	for (size_t i = 0; i < r->f->matrix.ncells; i++)
		n += r->f->matrix.cells[i].device == r->row;
	return n;
}

static void check_rows(struct reasoning *r)
{
	size_t cells = count_cells(r);
	int machines = matrix_machines(&r->f->matrix, r->row, r->arena);

	if (cells < REASON_WORKLOADS_MIN)
		add(r, str_printf(r->arena, "%zu workload%s only", cells, cells == 1 ? "" : "s"));
	if (machines == 1)
		add(r, STR("one machine"));
}

static void check_series(struct reasoning *r)
{
	const struct matrix *m = &r->f->matrix;
	struct str series = STR("");

	for (size_t i = 0; i < m->ncells; i++) {
		struct str own = m->columns[m->cells[i].column].series;
		if (m->cells[i].device != r->row)
			continue;
		if (series.len && !str_eq(series, own))
			return;
		series = own;
	}
	add(r, str_printf(r->arena, "linked through one series (" STR_FMT ")", STR_ARG(series)));
}

static void check_residuals(struct reasoning *r)
{
	size_t n = r->f->matrix.ndevices, m = 0;
	double *spread = arena_array(r->arena, n, sizeof *spread);
	double *known = arena_array(r->arena, n, sizeof *known);

	spread_residuals(&r->f->matrix, &r->f->model.model, &r->f->fit, r->arena, spread);
	for (size_t d = 0; d < n; d++)
		if (!isnan(spread[d]))
			known[m++] = spread[d];
	if (m == 0 || isnan(spread[r->row]))
		return;
	double median = stat_median(known, m, r->arena);
	if (spread[r->row] > wide_spread * median)
		add(r, str_printf(r->arena,
				  "its own rows disagree by a factor %.2f (median card %.2f)",
				  exp(spread[r->row]), exp(median)));
}

struct str backtest_reason(const struct class_fit *f, const struct devices *devices, size_t source,
			   struct arena *a)
{
	struct strbuf b = { .arena = a };
	size_t device = f->sources[source].device;
	struct reasoning r = { f, devices, source, class_fit_row(f, device), a, &b };

	check_architecture(&r);
	for (size_t i = 0; i < LEN(facts); i++)
		check_range(&r, i);
	if (str_eq(devices->v[device].form_factor, STR("laptop")))
		add(&r, STR("a laptop part, its power limit is the laptop maker's"));
	check_rows(&r);
	check_series(&r);
	check_residuals(&r);
	return b.len ? strbuf_str(&b) : STR("nothing unusual among the measured cards");
}
