#include "model.h"

#include "cholesky.h"

#include <math.h>
#include <stdint.h>

static const double huber_k = 1.345;
static const double mad_to_sd = 1.4826; /* of a normal distribution */
static const double scale_floor =
    1e-12; /* residuals below are rounding: nothing to be robust against */

struct model_work {
	size_t ndevices, ncolumns, ncells; /* room */
	bool *column_in;
	size_t *per_device, *per_column; /* cells that take part */
	size_t *row;                     /* of a device in the normal equations */
	size_t *first,
	    *at; /* cells of column j: by_column[first[j]] to by_column[first[j + 1] - 1] */
	size_t *by_column;
	double *weight, *residual, *scratch; /* by cell */
	double *beta;
	double *matrix; /* lower triangle, row-major, ndevices squared */
	double *rhs;
};

struct model_work *model_work_new(size_t ndevices, size_t ncolumns, size_t ncells, struct arena *a)
{
	struct model_work *w = arena_alloc(a, sizeof *w);

	*w = (struct model_work){
		.ndevices = ndevices,
		.ncolumns = ncolumns,
		.ncells = ncells,
		.column_in = arena_array(a, ncolumns, sizeof *w->column_in),
		.per_device = arena_array(a, ndevices, sizeof *w->per_device),
		.per_column = arena_array(a, ncolumns, sizeof *w->per_column),
		.row = arena_array(a, ndevices, sizeof *w->row),
		.first = arena_array(a, ncolumns + 1, sizeof *w->first),
		.at = arena_array(a, ncolumns + 1, sizeof *w->at),
		.by_column = arena_array(a, ncells, sizeof *w->by_column),
		.weight = arena_array(a, ncells, sizeof *w->weight),
		.residual = arena_array(a, ncells, sizeof *w->residual),
		.scratch = arena_array(a, ncells, sizeof *w->scratch),
		.beta = arena_array(a, ncolumns, sizeof *w->beta),
		.matrix = arena_array(a, ndevices * ndevices, sizeof *w->matrix),
		.rhs = arena_array(a, ndevices, sizeof *w->rhs),
	};
	return w;
}

struct model_fit model_fit_new(size_t ndevices, struct arena *a)
{
	return (struct model_fit){ .in = arena_array(a, ndevices, sizeof(bool)),
				   .theta = arena_array(a, ndevices, sizeof(double)) };
}

static void count_columns(const struct model *m, struct model_work *w)
{
	for (size_t j = 0; j < m->ncolumns; j++)
		w->per_column[j] = 0;
	for (size_t i = 0; i < m->ncells; i++)
		w->per_column[m->cells[i].column]++;
}

size_t model_best_connected(const struct model *m, struct model_work *w)
{
	size_t best = 0;

	count_columns(m, w);
	for (size_t d = 0; d < m->ndevices; d++)
		w->per_device[d] = 0;
	for (size_t i = 0; i < m->ncells; i++)
		w->per_device[m->cells[i].device] += w->per_column[m->cells[i].column] - 1;
	for (size_t d = 1; d < m->ndevices; d++)
		if (w->per_device[d] > w->per_device[best])
			best = d;
	return best;
}

size_t model_connect(const struct model *m, struct model_work *w, struct model_fit *fit)
{
	size_t n = 1;
	bool grew = true;

	for (size_t d = 0; d < m->ndevices; d++)
		fit->in[d] = d == m->reference;
	for (size_t j = 0; j < m->ncolumns; j++)
		w->column_in[j] = false;
	while (grew) { /* as many rounds as the longest chain of links: a few */
		grew = false;
		for (size_t i = 0; i < m->ncells; i++) {
			const struct model_cell *c = &m->cells[i];
			if (fit->in[c->device] == w->column_in[c->column])
				continue;
			n += !fit->in[c->device];
			fit->in[c->device] = w->column_in[c->column] = grew = true;
		}
	}
	return n;
}

bool model_complete(const struct model *m, struct model_work *w, const struct model_fit *fit)
{
	size_t n = 0;

	for (size_t d = 0; d < m->ndevices; d++)
		n += fit->in[d];
	count_columns(m, w);
	for (size_t j = 0; j < m->ncolumns; j++)
		if (w->column_in[j] && w->per_column[j] > 1 && w->per_column[j] < n)
			return false;
	return true;
}

/* Cells of the component by column, without columns of one device: their beta takes up the whole
 * cell. */
static void index_cells(const struct model *m, struct model_work *w)
{
	count_columns(m, w);
	w->first[0] = 0;
	for (size_t j = 0; j < m->ncolumns; j++) {
		w->column_in[j] = w->column_in[j] && w->per_column[j] > 1;
		w->at[j] = w->first[j];
		w->first[j + 1] = w->first[j] + (w->column_in[j] ? w->per_column[j] : 0);
	}
	for (size_t d = 0; d < m->ndevices; d++)
		w->per_device[d] = 0;
	for (size_t i = 0; i < m->ncells; i++) {
		size_t j = m->cells[i].column;
		if (!w->column_in[j])
			continue;
		w->by_column[w->at[j]++] = i;
		w->weight[i] = m->cells[i].weight;
		w->per_device[m->cells[i].device]++;
	}
}

/* Adds column j to the normal equations. With beta(j) = sum w (y - theta) / W eliminated they read,
 * for device d, sum_j w theta(d) - sum_j w sum_e w_e theta(e) / W = sum_j w (y - mean_j y). */
static void add_column(const struct model *m, struct model_work *w, size_t j, size_t n)
{
	double total = 0, mean = 0;

	for (size_t k = w->first[j]; k < w->first[j + 1]; k++) {
		size_t i = w->by_column[k];
		total += w->weight[i];
		mean += w->weight[i] * m->cells[i].y;
	}
	mean /= total;
	for (size_t k = w->first[j]; k < w->first[j + 1]; k++) {
		size_t i = w->by_column[k], row = w->row[m->cells[i].device];
		if (row == SIZE_MAX)
			continue;
		w->rhs[row] += w->weight[i] * (m->cells[i].y - mean);
		w->matrix[row * n + row] += w->weight[i];
		for (size_t l = w->first[j]; l < w->first[j + 1]; l++) {
			size_t col = w->row[m->cells[w->by_column[l]].device];
			if (col <= row) /* SIZE_MAX, the reference, is never below */
				w->matrix[row * n + col] -=
				    w->weight[i] * w->weight[w->by_column[l]] / total;
		}
	}
}

/* One weighted least squares solution. Returns the largest change of a theta. */
static double solve_round(const struct model *m, struct model_work *w, struct model_fit *fit)
{
	size_t n = 0;
	double change = 0;

	for (size_t d = 0; d < m->ndevices; d++)
		w->row[d] = fit->in[d] && d != m->reference ? n++ : SIZE_MAX;
	for (size_t i = 0; i < n * n; i++)
		w->matrix[i] = 0;
	for (size_t i = 0; i < n; i++)
		w->rhs[i] = 0;
	for (size_t j = 0; j < m->ncolumns; j++)
		if (w->first[j] < w->first[j + 1])
			add_column(m, w, j, n);
	/* Positive definite: the component is connected and its reference taken out. */
	cholesky_factor(w->matrix, n);
	cholesky_forward(w->matrix, w->rhs, n);
	cholesky_back(w->matrix, w->rhs, n);
	for (size_t d = 0; d < m->ndevices; d++) {
		if (w->row[d] == SIZE_MAX)
			continue;
		change = fmax(change, fabs(w->rhs[w->row[d]] - fit->theta[d]));
		fit->theta[d] = w->rhs[w->row[d]];
	}
	return change;
}

static void find_residuals(const struct model *m, struct model_work *w, const struct model_fit *fit)
{
	for (size_t j = 0; j < m->ncolumns; j++) {
		double total = 0, sum = 0;

		for (size_t k = w->first[j]; k < w->first[j + 1]; k++) {
			size_t i = w->by_column[k];
			w->residual[i] = m->cells[i].y - fit->theta[m->cells[i].device];
			total += w->weight[i];
			sum += w->weight[i] * w->residual[i];
		}
		for (size_t k = w->first[j]; k < w->first[j + 1]; k++)
			w->residual[w->by_column[k]] -= sum / total;
	}
}

/* The k-th smallest of v (Hoare's selection); reorders v. Sorting them all would take most of a
 * bootstrap's time. */
static double select_kth(double *v, size_t n, size_t k)
{
	size_t lo = 0, hi = n - 1;

	while (lo < hi) {
		double pivot = v[lo + (hi - lo) / 2];
		size_t i = lo, j = hi;
		for (;;) {
			while (v[i] < pivot)
				i++;
			while (v[j] > pivot)
				j--;
			if (i >= j)
				break;
			double swap = v[i];
			v[i++] = v[j];
			v[j--] = swap;
		}
		if (k <= j)
			hi = j;
		else
			lo = j + 1;
	}
	return v[k];
}

static double median_of(double *v, size_t n)
{
	double upper = select_kth(v, n, n / 2);

	return n % 2 ? upper : (select_kth(v, n, n / 2 - 1) + upper) / 2;
}

/* Sets Huber's weights from the residuals. False when there is nothing to weight. */
static bool set_weights(const struct model *m, struct model_work *w)
{
	size_t total = w->first[m->ncolumns], n = 0;

	for (size_t k = 0; k < total; k++)
		if (w->per_device[m->cells[w->by_column[k]].device] > 1)
			w->scratch[n++] = w->residual[w->by_column[k]];
	if (n == 0)
		return false;
	double median = median_of(w->scratch, n);
	for (size_t i = 0; i < n; i++)
		w->scratch[i] = fabs(w->scratch[i] - median);
	double scale = mad_to_sd * median_of(w->scratch, n);
	if (scale < scale_floor)
		return false;
	for (size_t k = 0; k < total; k++) {
		size_t i = w->by_column[k];
		double off = fabs(w->residual[i]);
		w->weight[i] = m->cells[i].weight * fmin(1, huber_k * scale / off);
	}
	return true;
}

void model_fit(const struct model *m, const struct model_options *opt, struct model_work *w,
	       struct model_fit *fit)
{
	model_connect(m, w, fit);
	index_cells(m, w);
	for (size_t d = 0; d < m->ndevices; d++)
		fit->theta[d] = fit->in[d] ? 0 : NAN;
	for (fit->rounds = 1;; fit->rounds++) {
		double change = solve_round(m, w, fit);
		if (!opt->robust || change < opt->tolerance || fit->rounds >= opt->max_rounds)
			break;
		find_residuals(m, w, fit);
		if (!set_weights(m, w))
			break;
	}
}
