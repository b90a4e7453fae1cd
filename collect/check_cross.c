#include "check_cross.h"

#include "../base/stat.h"

#include <math.h>

static const double super_linear = 1.25, collapsed = 0.5;
static const double outlier_mads = 6 * 1.4826, outlier_least = 0.10;

enum { OUTLIER_MACHINES = 5 };

static bool same_work(const struct observation *a, const struct observation *b)
{
	return a->series == b->series && a->key->device == b->key->device
	       && a->key->workload == b->key->workload && a->key->precision == b->key->precision;
}

/* fewest  the cell of the same work on the fewest devices, one where anybody ran one */
static void check_row_scaling(struct collection *c, struct overrides *o, struct group *g, int line,
			      double value, const struct observation *fewest)
{
	const struct row *r = &g->row;
	const struct workload *w = &c->workloads->v[r->workload];
	double ratio = value / fewest->value;
	int n = r->device_count, n0 = fewest->key->device_count;
	double linear = (double)n / n0;

	if (ratio > super_linear * linear)
		override_set_aside(c, o, g, line, value, REJECT_SUPER_LINEAR,
				   STR_FMT " " STR_FMT ": %d devices at %.6g " STR_FMT
				   " are %.3g x %g x the %d-device median %.6g (machines: %zu)",
				   STR_ARG(w->name), STR_ARG(c->precisions.v[r->precision]), n,
				   value, STR_ARG(w->unit), ratio / linear, linear, n0,
				   fewest->value, fewest->machines);
	else if (ratio < collapsed)
		override_set_aside(c, o, g, line, value, REJECT_COLLAPSED,
				   STR_FMT " " STR_FMT ": %d devices at %.6g " STR_FMT
				   " are %.3g x the %d-device median %.6g (machines: %zu)",
				   STR_ARG(w->name), STR_ARG(c->precisions.v[r->precision]), n,
				   value, STR_ARG(w->unit), ratio, n0, fewest->value,
				   fewest->machines);
}

/* The extreme values of a group tell whether its rows need to be looked at: both tests are of
 * ratios that rise with the value. */
static bool check_group_scaling(struct collection *c, struct overrides *o, struct group *g,
				const struct observation *fewest, struct error *err)
{
	double linear = (double)g->row.device_count / fewest->key->device_count;

	if (!(g->most / fewest->value > super_linear * linear)
	    && !(g->least / fewest->value < collapsed))
		return true;
	struct group_cursor cur = group_first(c, g);
	while (group_next(&cur, err))
		for (size_t i = 0; i < cur.n; i++)
			check_row_scaling(c, o, g, cur.v[i].line, cur.v[i].value, fewest);
	return !cur.failed;
}

bool check_scaling(struct collection *c, struct overrides *o, const struct observations *cells,
		   struct error *err)
{
	const struct observation *fewest = NULL;
	bool good = true;

	for (size_t i = 0; i < cells->n && good; i++) {
		const struct observation *cell = &cells->v[i];
		if (!fewest || !same_work(fewest, cell)) {
			fewest = cell; /* cells of one work stand by rising count */
			continue;
		}
		if (c->workloads->v[cell->key->workload].lower_is_better)
			continue;
		for (size_t k = 0; k < cell->ngroups && good; k++)
			good =
			    check_group_scaling(c, o, cells->groups[cell->first + k], fewest, err);
	}
	return good;
}

/* Sets a group of an outlying machine aside. */
static bool outlier_group(struct collection *c, struct overrides *o, struct group *g,
			  const struct observation *cell, const struct machine_median *m,
			  struct error *err)
{
	const struct workload *w = &c->workloads->v[g->row.workload];
	struct group_cursor cur = group_first(c, g);

	while (group_next(&cur, err))
		for (size_t i = 0; i < cur.n; i++)
			override_set_aside(c, o, g, cur.v[i].line, cur.v[i].value, REJECT_OUTLIER,
					   "'" STR_FMT "' has %.6g " STR_FMT
					   ", %.3g x the median %.6g of %zu machines",
					   STR_ARG(c->machines[m->machine].name), m->value,
					   STR_ARG(w->unit), m->value / cell->value, cell->value,
					   cell->machines);
	return !cur.failed;
}

/* Sets the rows of one machine in the cell aside. */
static bool outlier_rows(struct collection *c, struct overrides *o,
			 const struct observations *cells, const struct observation *cell,
			 const struct machine_median *m, struct error *err)
{
	for (size_t k = 0; k < cell->ngroups; k++) {
		struct group *g = cells->groups[cell->first + k];
		if (g->row.machine == m->machine && !outlier_group(c, o, g, cell, m, err))
			return false;
	}
	return true;
}

/* Whether a machine is so far from the median that it may be an outlier: of most cells none is. */
static bool is_far(const struct observation *cell, const struct machine_median *m)
{
	return fabs(m->value / cell->value - 1) > outlier_least;
}

static bool has_far(const struct observation *cell, const struct machine_median *m)
{
	for (size_t i = 0; i < cell->machines; i++)
		if (is_far(cell, &m[i]))
			return true;
	return false;
}

static bool check_cell(struct collection *c, struct overrides *o, const struct observations *cells,
		       const struct observation *cell, struct error *err)
{
	struct arena scratch = { .block_size = 1 << 12 };
	const struct machine_median *m = &cells->medians[cell->machine0];

	if (!has_far(cell, m))
		return true;
	double *logs = arena_array(&scratch, cell->machines, sizeof *logs);
	for (size_t i = 0; i < cell->machines; i++)
		logs[i] = log(m[i].value);
	double middle = stat_median(logs, cell->machines, &scratch);
	double width = outlier_mads * stat_mad(logs, cell->machines, &scratch);
	bool good = true;
	for (size_t i = 0; i < cell->machines && good; i++)
		if (fabs(logs[i] - middle) > width && is_far(cell, &m[i]))
			good = outlier_rows(c, o, cells, cell, &m[i], err);
	arena_free(&scratch);
	return good;
}

bool check_outlier(struct collection *c, struct overrides *o, const struct observations *cells,
		   struct error *err)
{
	for (size_t i = 0; i < cells->n; i++)
		if (cells->v[i].machines >= OUTLIER_MACHINES
		    && !check_cell(c, o, cells, &cells->v[i], err))
			return false;
	return true;
}
