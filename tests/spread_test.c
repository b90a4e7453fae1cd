/* Variance components of a small table by hand, their shrinkage, and small systems by Cholesky. */
#include "test.h"

#include "../analyze/cholesky.h"
#include "../analyze/spread.h"

/* Three cards in two series of two workloads. theta = 0, beta = 0, so y is the residual:
 *            s: a     b      t: c     d
 *   card 0   0.3   0.1      -0.1  -0.3
 *   card 1   0.0   0.0       0.0   0.0
 *   card 2  -0.3  -0.1       0.1   0.3
 * Column means are 0. Group means 0.2, -0.2, 0, 0, -0.2, 0.2. */
static const double y[3][4] = { { 0.3, 0.1, -0.1, -0.3 },
				{ 0, 0, 0, 0 },
				{ -0.3, -0.1, 0.1, 0.3 } };

struct table {
	struct matrix_column columns[4];
	struct model_cell cells[12];
	struct matrix m;
	struct model model;
	bool in[3];
	double theta[3];
	struct model_fit fit;
};

static void make(struct table *t)
{
	static const struct str names[] = { STR_INIT("s"), STR_INIT("s"), STR_INIT("t"),
					    STR_INIT("t") };

	*t = (struct table){ .in = { true, true, true } };
	for (size_t j = 0; j < 4; j++)
		t->columns[j] = (struct matrix_column){ .series = names[j], .weight = 0.5 };
	for (size_t i = 0; i < 12; i++)
		t->cells[i] = (struct model_cell){ i / 4, i % 4, y[i / 4][i % 4], 0.5 };
	t->m = (struct matrix){ .ndevices = 3, .columns = t->columns, .ncolumns = 4 };
	t->model = (struct model){ t->cells, 3, 4, 12, 1 };
	t->fit = (struct model_fit){ t->in, t->theta, 1 };
}

/* Within deviations 0.1, -0.1, 0.1, -0.1, 0 x 4, -0.1, 0.1, -0.1, 0.1: median 0, MAD 0.1; 12 of
 * them, 12 cells - 6 groups - 4 columns + 2 series = 4 degrees of freedom: (1.4826 x 0.1)^2 x 3.
 * Between deviations 0.2, -0.2, 0, 0, -0.2, 0.2: MAD 0.2; 6 groups, 6 + 1 - 3 - 2 = 2 degrees:
 * (1.4826 x 0.2)^2 x 3, less half of within. */
static void test_measure(struct test *t, struct arena *a)
{
	struct table x;
	double within = 3 * pow(1.4826 * 0.1, 2), between = 3 * pow(1.4826 * 0.2, 2) - within / 2,
	       v[3], sd[3];

	make(&x);
	struct spread s = spread_measure(&x.m, &x.model, &x.fit, a);
	test_near(t, s.within_freedom, 4, 0, "degrees of freedom within series");
	test_near(t, s.between_freedom, 2, 0, "and between them");
	test_near(t, s.within, within, 1e-12, "variance within");
	test_near(t, s.between, between, 1e-12, "variance between");
	spread_variance(&x.m, &x.model, &x.fit, &s, a, v);
	test_near(t, v[0], (between + within / 2) / 2, 1e-12,
		  "of a score: two series of two workloads each");
	spread_residuals(&x.m, &x.model, &x.fit, a, sd);
	test_near(t, sd[0], sqrt((0.09 + 0.01 + 0.01 + 0.09) / 4), 1e-12, "residuals of a card");
	test_near(t, sd[1], 0, 1e-12, "of one without any");
	x.in[2] = false;
	spread_variance(&x.m, &x.model, &x.fit, &s, a, v);
	test_near(t, v[2], 0, 0, "a card that is not in the fit has none");
	x.model.ncells = 5; /* card 0 in all columns, card 1 in the first */
	s = spread_measure(&x.m, &x.model, &x.fit, a);
	test_ok(t, s.within_freedom == 0 && isnan(s.within) && isnan(s.between),
		"a table that compares too little tells nothing");
	x.model.ncells = 4; /* card 0 alone */
	s = spread_measure(&x.m, &x.model, &x.fit, a);
	test_ok(t, s.between_freedom == 0 && isnan(s.between),
		"nor does one that compares nothing");
}

static void test_shrink(struct test *t)
{
	struct spread a = { 0.04, 0.09, 2, 12 }, none = { NAN, NAN, 0, 0 }, s;
	struct spread_pool pool = { 0 };

	s = spread_shrink(&none, &pool);
	test_ok(t, s.between == 0 && s.within == 0, "what nothing tells is 0");
	spread_add(&pool, &a);
	spread_add(&pool, &none);
	s = spread_shrink(&none, &pool);
	test_near(t, s.between, 0.04, 1e-15, "a class that can not tell takes the others'");
	test_near(t, s.within, 0.09, 1e-15, "both of them");
	struct spread b = { 0.16, 0.09, 4, 4 };
	spread_add(&pool, &b); /* between (2 x 0.04 + 4 x 0.16) / 6 = 0.12 */
	s = spread_shrink(&a, &pool);
	test_near(t, s.between, (2 * 0.04 + 4 * 0.12) / 6, 1e-12,
		  "few degrees of freedom: towards the pool");
}

static void test_cholesky(struct test *t)
{
	double a[] = { 4, 0, 0, 2, 5, 0, 2, 3, 6 }, b[] = { 14, 21, 26 }; /* x = 1, 2, 3 */
	double bad[] = { 1, 0, 2, 1 };

	test_ok(t, cholesky_factor(a, 3), "positive definite");
	test_near(t, a[0], 2, 0, "its factor's first pivot");
	cholesky_forward(a, b, 3);
	cholesky_back(a, b, 3);
	test_near(t, b[0], 1, 1e-12, "x1");
	test_near(t, b[1], 2, 1e-12, "x2");
	test_near(t, b[2], 3, 1e-12, "x3");
	test_ok(t, !cholesky_factor(bad, 2), "not positive definite");
}

int main(void)
{
	struct test t = { 0 };
	struct arena a = { 0 };

	test_measure(&t, &a);
	test_shrink(&t);
	test_cholesky(&t);
	arena_free(&a);
	return test_done(&t);
}
