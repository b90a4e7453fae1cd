/* The two-way model: geometric means, invariance, gaps, outliers, components. */
#include "test.h"

#include "../analyze/model.h"
#include "../base/arena.h"

static const struct model_options robust = { true, 100, 1e-10 }, plain = { false, 1, 0 };

/* Rates of 3 devices on 4 workloads, any numbers. */
static const double table[3][4] = {
	{ 100, 7.5, 3300, 0.21 },
	{ 151, 9.9, 4100, 0.35 },
	{ 64, 6.1, 1700, 0.13 },
};

static size_t fill(struct model_cell *cells, bool left_out, double scale)
{
	size_t n = 0;

	for (size_t d = 0; d < 3; d++)
		for (size_t w = 0; w < 4; w++)
			if (!(left_out && d == 2 && w == 3))
				cells[n++] = (struct model_cell){
					d, w, log(table[d][w] * (w == 1 ? scale : 1)), 1
				};
	return n;
}

static struct model_fit fit(const struct model *m, const struct model_options *opt, struct arena *a)
{
	struct model_fit f = model_fit_new(m->ndevices, a);

	model_fit(m, opt, model_work_new(m->ndevices, m->ncolumns, m->ncells, a), &f);
	return f;
}

static double geomean_ratio(size_t d)
{
	double sum = 0;

	for (size_t w = 0; w < 4; w++)
		sum += log(table[d][w] / table[0][w]);
	return exp(sum / 4);
}

static void test_complete(struct test *t, struct arena *a)
{
	struct model_cell cells[12];
	struct model m = { cells, 3, 4, fill(cells, false, 1), 0 };
	struct model_work *work = model_work_new(3, 4, 12, a);
	struct model_fit f = fit(&m, &plain, a);

	test_near(t, exp(f.theta[1]), geomean_ratio(1), 1e-9,
		  "complete table: geometric mean of ratios");
	test_near(t, exp(f.theta[2]), geomean_ratio(2), 1e-9,
		  "complete table: the other device too");
	test_ok(t, f.theta[0] == 0, "the reference has theta 0");
	test_ok(t, model_connect(&m, work, &f) == 3 && model_complete(&m, work, &f),
		"a table without gaps is complete");
	m.ncells = fill(cells, true, 1);
	test_ok(t, model_connect(&m, work, &f) == 3 && !model_complete(&m, work, &f),
		"a gap makes it incomplete");
	m.ncells = fill(cells, false, 1000);
	struct model_fit scaled = fit(&m, &robust, a);
	m.ncells = fill(cells, false, 1);
	struct model_fit unscaled = fit(&m, &robust, a);
	test_near(t, scaled.theta[1], unscaled.theta[1], 1e-12,
		  "the unit of a workload does not matter");
	test_near(t, scaled.theta[2], unscaled.theta[2], 1e-12,
		  "the unit of a workload does not matter (2)");
}

/* d0 and d1 share columns 0 and 1, d1 and d2 column 2: theta(2) = theta(1) + (y12 - y11) by hand.
 */
static void test_chain(struct test *t, struct arena *a)
{
	const struct model_cell cells[] = {
		{ 0, 0, log(10), 1 }, { 1, 0, log(20), 1 }, { 0, 1, log(5), 1 },
		{ 1, 1, log(10), 1 }, { 1, 2, log(3), 1 },  { 2, 2, log(9), 1 },
		{ 3, 3, log(8), 1 },  { 4, 3, log(4), 1 },
	};
	struct model m = { cells, 5, 4, LEN(cells), 0 };
	struct model_fit f = fit(&m, &robust, a);

	test_near(t, exp(f.theta[1]), 2, 1e-9, "chain: direct link");
	test_near(t, exp(f.theta[2]), 6, 1e-9, "chain: link over another device");
	test_ok(t, !f.in[3] && isnan(f.theta[3]) && !f.in[4],
		"a device without a common column is not in");
	test_ok(t, model_best_connected(&m, model_work_new(5, 4, LEN(cells), a)) == 1,
		"the best connected device has the most links");
}

/* Nine columns say 2, one says 50, one is missing: least squares is pulled, Huber is not. */
static void test_outlier(struct test *t, struct arena *a)
{
	struct model_cell cells[33];
	size_t n = 0;

	for (size_t w = 0; w < 11; w++)
		for (size_t d = 0; d < 3; d++) {
			double noise = 1 + 0.01 * ((double)((w * 7 + d * 3) % 5) - 2);
			double y = (d == 0 ? 1 : d == 1 ? 2 : 3) * noise * (double)(w + 1);
			if (d == 1 && w == 10)
				continue;
			cells[n++] = (struct model_cell){ d, w, log(d == 1 && w == 0 ? 50 : y), 1 };
		}
	struct model m = { cells, 3, 11, n, 0 };
	struct model_fit huber = fit(&m, &robust, a), squares = fit(&m, &plain, a);
	test_ok(t, fabs(exp(huber.theta[1]) - 2) < 0.06, "one outlier in ten hardly moves the fit");
	test_ok(t, exp(squares.theta[1]) > 2.6, "which least squares would have followed");
	test_ok(t, huber.rounds > 1 && huber.rounds <= 100, "it ends within 100 rounds");
}

/* Two columns of one series against one of another, which says 4 where they say 1: with weights 1/2
 * the log mean. */
static void test_weights(struct test *t, struct arena *a)
{
	const struct model_cell cells[] = {
		{ 0, 0, 0, 0.5 }, { 1, 0, 0, 0.5 }, { 0, 1, 0, 0.5 },
		{ 1, 1, 0, 0.5 }, { 0, 2, 0, 1 },   { 1, 2, log(4), 1 },
	};
	struct model m = { cells, 2, 3, LEN(cells), 0 };
	struct model_fit f = fit(&m, &plain, a);

	test_near(t, exp(f.theta[1]), 2, 1e-9,
		  "weights: two series of equal weight give their geometric mean");
}

int main(void)
{
	struct test t = { 0 };
	struct arena a = { 0 };

	test_complete(&t, &a);
	test_chain(&t, &a);
	test_outlier(&t, &a);
	test_weights(&t, &a);
	arena_free(&a);
	return test_done(&t);
}
