#include "backtest.h"

#include "../base/stat.h"

#include <math.h>

static const struct str case_names[] = {
	[BACKTEST_REPRESENTED] = STR_INIT("represented"),
	[BACKTEST_NOT_REPRESENTED] = STR_INIT("not-represented"),
	[BACKTEST_ALL] = STR_INIT("all"),
};

struct str backtest_case_name(enum backtest_case c)
{
	return case_names[c];
}

static enum backtest_case case_of(const struct scale_prediction *p)
{
	return p->represented ? BACKTEST_REPRESENTED : BACKTEST_NOT_REPRESENTED;
}

/* The errors of one case, without source `left_out` (n: all of them). */
static struct backtest_error summarise(const struct backtest *b, enum backtest_case c,
				       size_t left_out, struct arena *a)
{
	double *v = arena_array(a, b->n, sizeof *v);
	struct backtest_error e = { 0, NAN, NAN };

	for (size_t i = 0; i < b->n; i++)
		if (i != left_out && !isnan(b->factor[i])
		    && (c == BACKTEST_ALL || c == case_of(&b->prediction[i])))
			v[e.n++] = b->factor[i];
	if (e.n) {
		stat_sort(v, e.n);
		e.median_factor = stat_quantile_sorted(v, e.n, 0.5);
		e.p90_factor = stat_quantile_sorted(v, e.n, 0.9);
	}
	return e;
}

void backtest_run(const struct scale_method *method, const struct scale_input *in, struct arena *a,
		  struct backtest *out)
{
	out->n = in->nsources;
	out->factor = arena_array(a, in->nsources, sizeof *out->factor);
	out->prediction = arena_array(a, in->nsources, sizeof *out->prediction);
	for (size_t i = 0; i < in->nsources; i++) {
		const struct scale_source *s = &in->sources[i];
		struct scale_prediction *p = &out->prediction[i];
		struct str why;

		out->factor[i] = NAN;
		if (method->predict(in, s->device, a, p, &why))
			out->factor[i] = fmax(p->score / s->score, s->score / p->score);
	}
	for (int c = 0; c < BACKTEST_CASES; c++)
		out->cases[c] = summarise(out, (enum backtest_case)c, out->n, a);
}

static bool choose_p90(const struct backtest_error *own, const struct backtest_error *all,
		       double *factor)
{
	if (all->n < BACKTEST_ALL_MIN)
		return false;
	*factor = own->p90_factor;
	if (own->n < BACKTEST_CASE_MIN) /* fmax passes over the NAN of an empty case */
		*factor = fmax(*factor, all->p90_factor);
	return true;
}

bool backtest_p90(const struct backtest *b, bool represented, double *factor)
{
	enum backtest_case c = represented ? BACKTEST_REPRESENTED : BACKTEST_NOT_REPRESENTED;

	return choose_p90(&b->cases[c], &b->cases[BACKTEST_ALL], factor);
}

bool backtest_p90_without(const struct backtest *b, size_t left_out, struct arena *a,
			  double *factor)
{
	struct backtest_error own = summarise(b, case_of(&b->prediction[left_out]), left_out, a);
	struct backtest_error all = summarise(b, BACKTEST_ALL, left_out, a);

	return choose_p90(&own, &all, factor);
}
