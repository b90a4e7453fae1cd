#include "spread.h"

#include "../base/stat.h"

#include <math.h>
#include <stdint.h>

static const double mad_to_sd = 1.4826; /* of a normal distribution */

/* One (device, series) with cells in the fit. */
struct group {
	size_t device, series, cells;
	double residuals; /* sum over its cells */
	double weight;    /* of its columns in the fit */
};

/* The residuals of a class by group, and what they cost in parameters. */
struct groups {
	struct group *v; /* by device */
	size_t n;
	size_t *series_of;  /* by column: the first column of the same series */
	size_t *per_column; /* cells; a column of one says nothing and takes no part */
	size_t *group; /* by cell of the model: index into v, SIZE_MAX for one that takes no part */
	double *residual;   /* by cell of the model */
	size_t *per_device; /* groups */
	size_t ncells, ncolumns, nseries, ndevices;
};

static void index_columns(const struct matrix *m, const struct model *model, struct groups *g,
			  struct arena *a)
{
	g->series_of = arena_array(a, m->ncolumns, sizeof *g->series_of);
	g->per_column = arena_array(a, m->ncolumns, sizeof *g->per_column);
	for (size_t j = 0; j < m->ncolumns; j++) {
		size_t first = 0;
		while (!str_eq(m->columns[first].series, m->columns[j].series))
			first++;
		g->series_of[j] = first;
	}
	for (size_t i = 0; i < model->ncells; i++)
		g->per_column[model->cells[i].column]++;
}

static bool takes_part(const struct groups *g, const struct model_cell *c,
		       const struct model_fit *fit)
{
	return fit->in[c->device] && g->per_column[c->column] > 1;
}

static double *column_effects(const struct model *model, const struct groups *g,
			      const struct model_fit *fit, struct arena *a)
{
	double *beta = arena_array(a, model->ncolumns, sizeof *beta);

	for (size_t i = 0; i < model->ncells; i++) {
		const struct model_cell *c = &model->cells[i];
		if (takes_part(g, c, fit))
			beta[c->column] +=
			    (c->y - fit->theta[c->device]) / (double)g->per_column[c->column];
	}
	return beta;
}

/* Cells of the model stand by device, so a group's device is the last ones'. */
static size_t group_of(struct groups *g, size_t device, size_t series)
{
	for (size_t i = g->n; i-- > 0 && g->v[i].device == device;)
		if (g->v[i].series == series)
			return i;
	g->v[g->n] = (struct group){ .device = device, .series = series };
	g->per_device[device]++;
	return g->n++;
}

static struct groups gather(const struct matrix *m, const struct model *model,
			    const struct model_fit *fit, struct arena *a)
{
	struct groups g = { .v = arena_array(a, model->ncells, sizeof *g.v),
			    .group = arena_array(a, model->ncells, sizeof *g.group),
			    .residual = arena_array(a, model->ncells, sizeof *g.residual),
			    .per_device = arena_array(a, model->ndevices, sizeof *g.per_device) };

	index_columns(m, model, &g, a);
	double *beta = column_effects(model, &g, fit, a);
	for (size_t i = 0; i < model->ncells; i++) {
		const struct model_cell *c = &model->cells[i];
		g.group[i] = SIZE_MAX;
		if (!takes_part(&g, c, fit))
			continue;
		g.group[i] = group_of(&g, c->device, g.series_of[c->column]);
		g.residual[i] = c->y - fit->theta[c->device] - beta[c->column];
		struct group *at = &g.v[g.group[i]];
		at->cells++;
		at->residuals += g.residual[i];
		at->weight += c->weight;
		g.ncells++;
	}
	return g;
}

static void count_parameters(const struct matrix *m, struct groups *g, struct arena *a)
{
	bool *series = arena_array(a, m->ncolumns, sizeof *series);
	bool *device = arena_array(a, m->ndevices, sizeof *device);

	for (size_t i = 0; i < g->n; i++) {
		g->nseries += !series[g->v[i].series];
		g->ndevices += !device[g->v[i].device];
		series[g->v[i].series] = device[g->v[i].device] = true;
	}
	for (size_t j = 0; j < m->ncolumns; j++)
		g->ncolumns += g->per_column[j] > 1 && series[g->series_of[j]];
}

/* Variance from n deviations that lost parameters leave `freedom` of: MAD, widened by n / freedom
 * as a mean square would be. */
static double robust_variance(const double *v, size_t n, double freedom, struct arena *a)
{
	double sd = mad_to_sd * stat_mad(v, n, a);

	return sd * sd * (double)n / freedom;
}

/* Deviations of cells from their group's mean, of groups of more than one (the others are 0 by
 * construction). */
static size_t within_deviations(const struct groups *g, size_t ncells, double *out)
{
	size_t n = 0;

	for (size_t i = 0; i < ncells; i++) {
		if (g->group[i] == SIZE_MAX || g->v[g->group[i]].cells < 2)
			continue;
		const struct group *v = &g->v[g->group[i]];
		out[n++] = g->residual[i] - v->residuals / (double)v->cells;
	}
	return n;
}

/* Means of the groups of devices in more than one series (the others' are 0 by construction), and
 * the mean of 1 / cells, which is what the within part adds to them. */
static size_t between_deviations(const struct groups *g, double *out, double *per_cells)
{
	size_t n = 0;

	*per_cells = 0;
	for (size_t i = 0; i < g->n; i++) {
		const struct group *v = &g->v[i];
		if (g->per_device[v->device] < 2)
			continue;
		out[n++] = v->residuals / (double)v->cells;
		*per_cells += 1 / (double)v->cells;
	}
	*per_cells = n ? *per_cells / (double)n : 0;
	return n;
}

/* Column effects and group means take groups + columns - series parameters from the cells; a table
 * of groups by series without gaps has (devices - 1) (series - 1) = groups - devices - series + 1
 * degrees of freedom. */
struct spread spread_measure(const struct matrix *m, const struct model *model,
			     const struct model_fit *fit, struct arena *a)
{
	struct groups g = gather(m, model, fit, a);
	struct spread s = { NAN, NAN, 0, 0 };
	double *v = arena_array(a, model->ncells, sizeof *v), per_cells;

	if (g.n == 0) /* no column has two cards: nothing tells the spread */
		return s;
	count_parameters(m, &g, a);
	s.within_freedom =
	    fmax(0, (double)g.ncells - (double)g.n - (double)g.ncolumns + (double)g.nseries);
	if (g.n) /* else no column compares anything */
		s.between_freedom =
		    fmax(0, (double)g.n + 1 - (double)g.ndevices - (double)g.nseries);
	if (s.within_freedom > 0)
		s.within = robust_variance(v, within_deviations(&g, model->ncells, v),
					   s.within_freedom, a);
	if (s.between_freedom > 0) {
		size_t n = between_deviations(&g, v, &per_cells);
		double noise = s.within_freedom > 0 ? s.within * per_cells : 0;
		s.between = fmax(0, robust_variance(v, n, s.between_freedom, a) - noise);
	}
	return s;
}

void spread_add(struct spread_pool *pool, const struct spread *s)
{
	if (s->between_freedom > 0)
		pool->between_sum += s->between * s->between_freedom;
	if (s->within_freedom > 0)
		pool->within_sum += s->within * s->within_freedom;
	pool->between_freedom += s->between_freedom;
	pool->within_freedom += s->within_freedom;
}

static double shrink(double own, double freedom, double pool_sum, double pool_freedom)
{
	if (!(pool_freedom > 0))
		return 0;
	double pooled = pool_sum / pool_freedom;
	if (!(freedom > 0))
		return pooled;
	return (own * freedom + pooled * SPREAD_PRIOR_FREEDOM) / (freedom + SPREAD_PRIOR_FREEDOM);
}

struct spread spread_shrink(const struct spread *own, const struct spread_pool *pool)
{
	struct spread s = *own;

	s.between =
	    shrink(own->between, own->between_freedom, pool->between_sum, pool->between_freedom);
	s.within = shrink(own->within, own->within_freedom, pool->within_sum, pool->within_freedom);
	return s;
}

void spread_variance(const struct matrix *m, const struct model *model, const struct model_fit *fit,
		     const struct spread *s, struct arena *a, double *out)
{
	struct groups g = gather(m, model, fit, a);
	double *weight = arena_array(a, model->ndevices, sizeof *weight);

	for (size_t d = 0; d < model->ndevices; d++)
		out[d] = 0;
	for (size_t i = 0; i < g.n; i++)
		weight[g.v[i].device] += g.v[i].weight;
	for (size_t i = 0; i < g.n; i++) {
		const struct group *v = &g.v[i];
		double share = v->weight / weight[v->device];
		out[v->device] += share * share * (s->between + s->within / (double)v->cells);
	}
}

void spread_residuals(const struct matrix *m, const struct model *model,
		      const struct model_fit *fit, struct arena *a, double *out)
{
	struct groups g = gather(m, model, fit, a);
	size_t *n = arena_array(a, model->ndevices, sizeof *n);

	for (size_t d = 0; d < model->ndevices; d++)
		out[d] = 0;
	for (size_t i = 0; i < model->ncells; i++) {
		if (g.group[i] == SIZE_MAX)
			continue;
		out[model->cells[i].device] += g.residual[i] * g.residual[i];
		n[model->cells[i].device]++;
	}
	for (size_t d = 0; d < model->ndevices; d++)
		out[d] = n[d] > 1 ? sqrt(out[d] / (double)n[d]) : NAN;
}
