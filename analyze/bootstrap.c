#include "bootstrap.h"

#include "../base/stat.h"

#include <math.h>

static const uint64_t seed = 20190403; /* any fixed number: the same inputs give the same bytes */
static const double z95 = 1.96;

/* A resample needs its thetas only as well as percentiles of 1,000 draws can tell. */
static const int resample_rounds = 30;
static const double resample_tolerance = 1e-4;

/* Machines that each device of the model was measured on, a cell's machines counted once. */
static size_t *count_machines(const struct matrix *m, const struct model *model,
			      const size_t *cell_of, struct arena *a)
{
	size_t *n = arena_array(a, model->ndevices, sizeof *n);
	size_t *seen =
	    arena_array(a, m->nmachines, sizeof *seen); /* device + 1 that was last counted there */

	for (size_t i = 0; i < model->ncells; i++) { /* cells stand by device */
		const struct matrix_cell *c = &m->cells[cell_of[i]];
		for (size_t j = 0; j < c->nvalues; j++) {
			if (seen[c->values[j].machine] == c->device + 1)
				continue;
			seen[c->values[j].machine] = c->device + 1;
			n[c->device]++;
		}
	}
	return n;
}

/* Machines behind the cells of the model: what is drawn from. */
static size_t *list_machines(const struct matrix *m, const struct model *model,
			     const size_t *cell_of, struct arena *a, size_t *n)
{
	bool *used = arena_array(a, m->nmachines, sizeof *used);
	size_t *list = arena_array(a, m->nmachines, sizeof *list);

	*n = 0;
	for (size_t i = 0; i < model->ncells; i++) {
		const struct matrix_cell *c = &m->cells[cell_of[i]];
		for (size_t j = 0; j < c->nvalues; j++)
			used[c->values[j].machine] = true;
	}
	for (size_t i = 0; i < m->nmachines; i++)
		if (used[i])
			list[(*n)++] = i;
	return list;
}

static void draw(struct rng *rng, const size_t *machines, size_t n, unsigned *counts,
		 size_t ncounts)
{
	for (size_t i = 0; i < ncounts; i++)
		counts[i] = 0;
	for (size_t i = 0; i < n; i++)
		counts[machines[rng_below(rng, n)]]++;
}

/* The cells that the drawn machines leave, each with its new median. */
static size_t resample_cells(const struct matrix *m, const struct model *model,
			     const size_t *cell_of, const unsigned *counts, struct model_cell *out)
{
	size_t n = 0;

	for (size_t i = 0; i < model->ncells; i++) {
		double y = matrix_cell_y(&m->cells[cell_of[i]], counts);
		if (!isnan(y))
			out[n] = model->cells[i], out[n++].y = y;
	}
	return n;
}

/* Log deviations from the full fit, `usable[d]` of them at draws + d * BOOTSTRAP_RESAMPLES. */
static void resample_all(const struct matrix *m, const struct model *model, const size_t *cell_of,
			 const struct model_fit *fit, bool robust, double *draws, size_t *usable,
			 struct arena *a)
{
	struct model_work *work =
	    model_work_new(model->ndevices, model->ncolumns, model->ncells, a);
	struct model_fit again = model_fit_new(model->ndevices, a);
	struct model_cell *cells = arena_array(a, model->ncells, sizeof *cells);
	unsigned *counts = arena_array(a, m->nmachines, sizeof *counts);
	struct model_options opt = { robust, resample_rounds, resample_tolerance };
	struct rng rng = { seed };
	size_t nmachines;
	size_t *machines = list_machines(m, model, cell_of, a, &nmachines);

	for (int r = 0; r < BOOTSTRAP_RESAMPLES; r++) {
		draw(&rng, machines, nmachines, counts, m->nmachines);
		struct model sub = *model;
		sub.cells = cells;
		sub.ncells = resample_cells(m, model, cell_of, counts, cells);
		model_fit(&sub, &opt, work, &again);
		for (size_t d = 0; d < model->ndevices; d++)
			if (again.in[d])
				draws[d * BOOTSTRAP_RESAMPLES + usable[d]++] =
				    again.theta[d] - fit->theta[d];
	}
}

/* Percentiles, widened where they would leave the score itself out. */
static struct bootstrap_interval percentiles(double *draws, size_t n)
{
	stat_sort(draws, n);
	return (struct bootstrap_interval){ exp(fmin(0, stat_quantile_sorted(draws, n, 0.025))),
					    exp(fmax(0, stat_quantile_sorted(draws, n, 0.975))) };
}

void bootstrap_run(const struct matrix *m, const struct model *model, const size_t *cell_of,
		   const struct model_fit *fit, bool robust, double sigma, struct arena *a,
		   struct bootstrap_interval *out)
{
	size_t *machines = count_machines(m, model, cell_of, a);
	size_t *usable = arena_array(a, model->ndevices, sizeof *usable);
	double *draws = arena_array(a, model->ndevices * BOOTSTRAP_RESAMPLES, sizeof *draws);
	bool several = false;

	for (size_t d = 0; d < model->ndevices; d++)
		several = several || (fit->in[d] && machines[d] > 1);
	if (several)
		resample_all(m, model, cell_of, fit, robust, draws, usable, a);
	for (size_t d = 0; d < model->ndevices; d++) {
		if (!fit->in[d])
			out[d] = (struct bootstrap_interval){ NAN, NAN };
		else if (d == model->reference)
			out[d] = (struct bootstrap_interval){ 1, 1 };
		else if (machines[d] > 1 && usable[d] >= BOOTSTRAP_USABLE_MIN)
			out[d] = percentiles(&draws[d * BOOTSTRAP_RESAMPLES], usable[d]);
		else
			out[d] = (struct bootstrap_interval){ exp(-z95 * sigma), exp(z95 * sigma) };
	}
}
