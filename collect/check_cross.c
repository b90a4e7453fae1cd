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
static void check_row_scaling(struct collection *c, struct overrides *o, size_t row,
			      const struct observation *fewest)
{
	const struct row *r = &c->rows[row];
	const struct workload *w = &c->workloads->v[r->workload];
	double ratio = r->value / fewest->value;
	int n = r->device_count, n0 = fewest->key->device_count;
	double linear = (double)n / n0;

	if (ratio > super_linear * linear)
		override_set_aside(c, o, row, REJECT_SUPER_LINEAR,
				   STR_FMT " " STR_FMT ": %d devices at %.6g " STR_FMT
				   " are %.3g x %g x the %d-device median %.6g (machines: %zu)",
				   STR_ARG(w->name), STR_ARG(c->precisions.v[r->precision]), n, r->value,
				   STR_ARG(w->unit), ratio / linear, linear, n0, fewest->value,
				   fewest->machines);
	else if (ratio < collapsed)
		override_set_aside(c, o, row, REJECT_COLLAPSED,
				   STR_FMT " " STR_FMT ": %d devices at %.6g " STR_FMT
				   " are %.3g x the %d-device median %.6g (machines: %zu)",
				   STR_ARG(w->name), STR_ARG(c->precisions.v[r->precision]), n, r->value,
				   STR_ARG(w->unit), ratio, n0, fewest->value, fewest->machines);
}

void check_scaling(struct collection *c, struct overrides *o, const struct observations *cells)
{
	const struct observation *fewest = NULL;

	for (size_t i = 0; i < cells->n; i++) {
		const struct observation *cell = &cells->v[i];
		if (!fewest || !same_work(fewest, cell))
			fewest = cell; /* cells of one work stand by rising count */
		else if (!c->workloads->v[cell->key->workload].lower_is_better)
			for (size_t k = 0; k < cell->nrows; k++)
				check_row_scaling(c, o, cells->order[cell->first + k], fewest);
	}
}

/* Sets the rows of one machine in the cell aside. */
static void outlier_rows(struct collection *c, struct overrides *o,
			 const struct observations *cells, const struct observation *cell,
			 const struct machine_median *m)
{
	for (size_t k = 0; k < cell->nrows; k++) {
		size_t row = cells->order[cell->first + k];
		const struct row *r = &c->rows[row];
		const struct workload *w = &c->workloads->v[r->workload];

		if (r->machine == m->machine)
			override_set_aside(
			    c, o, row, REJECT_OUTLIER,
			    "'" STR_FMT "' has %.6g " STR_FMT ", %.3g x the median %.6g of %zu "
			    "machines",
			    STR_ARG(c->machines[m->machine].name), m->value, STR_ARG(w->unit),
			    m->value / cell->value, cell->value, cell->machines);
	}
}

static void check_cell(struct collection *c, struct overrides *o, const struct observations *cells,
		       const struct observation *cell)
{
	struct arena scratch = { .block_size = 1 << 12 };
	const struct machine_median *m = &cells->medians[cell->machine0];
	double *logs = arena_array(&scratch, cell->machines, sizeof *logs);

	for (size_t i = 0; i < cell->machines; i++)
		logs[i] = log(m[i].value);
	double middle = stat_median(logs, cell->machines, &scratch);
	double width = outlier_mads * stat_mad(logs, cell->machines, &scratch);
	for (size_t i = 0; i < cell->machines; i++)
		if (fabs(logs[i] - middle) > width
		    && fabs(m[i].value / cell->value - 1) > outlier_least)
			outlier_rows(c, o, cells, cell, &m[i]);
	arena_free(&scratch);
}

void check_outlier(struct collection *c, struct overrides *o, const struct observations *cells)
{
	for (size_t i = 0; i < cells->n; i++)
		if (cells->v[i].machines >= OUTLIER_MACHINES)
			check_cell(c, o, cells, &cells->v[i]);
}
