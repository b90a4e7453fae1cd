#include "backtest.h"

#include "../base/stat.h"

#include <math.h>

static const double tail = 0.9;

static const struct str case_names[] = {
	[BACKTEST_REPRESENTED] = STR_INIT("represented"),
	[BACKTEST_NOT_REPRESENTED] = STR_INIT("not-represented"),
	[BACKTEST_ALL] = STR_INIT("all"),
	[BACKTEST_ARCHITECTURE_OUT] = STR_INIT("architecture-left-out"),
};

struct str backtest_case_name(enum backtest_case c)
{
	return case_names[c];
}

static enum backtest_case case_of(const struct scale_prediction *p)
{
	return p->represented ? BACKTEST_REPRESENTED : BACKTEST_NOT_REPRESENTED;
}

/* The factor of source i where it belongs to the case, else NAN. */
static double factor_in(const struct backtest *b, enum backtest_case c, size_t i)
{
	if (c == BACKTEST_ARCHITECTURE_OUT)
		return b->factor_out[i];
	return c == BACKTEST_ALL || c == case_of(&b->prediction[i]) ? b->factor[i] : NAN;
}

/* The errors of one case, without source `left_out` (n: all of them). */
static struct backtest_error summarise(const struct backtest *b, enum backtest_case c,
				       size_t left_out, struct arena *a)
{
	double *v = arena_array(a, b->n, sizeof *v);
	struct backtest_error e = { 0, NAN, NAN };

	for (size_t i = 0; i < b->n; i++)
		if (i != left_out && !isnan(factor_in(b, c, i)))
			v[e.n++] = factor_in(b, c, i);
	if (e.n) {
		stat_sort(v, e.n);
		e.median_factor = stat_quantile_sorted(v, e.n, 0.5);
		e.p90_factor = stat_quantile_sorted(v, e.n, tail);
	}
	return e;
}

static double factor_error(double predicted, double measured)
{
	return fmax(predicted / measured, measured / predicted);
}

/* The sources without those of the architecture of source i, itself among them. */
static struct scale_input without_architecture(const struct scale_input *in, size_t i,
					       struct scale_source *room)
{
	struct scale_input out = { in->devices, in->class, room, 0 };

	for (size_t j = 0; j < in->nsources; j++)
		if (j != i
		    && !scale_same_architecture(in->devices, in->sources[i].device,
						in->sources[j].device))
			room[out.nsources++] = in->sources[j];
	return out;
}

/* Predicts source i both ways. Where none of its architecture is left the second is the first
 * again. Adds |log error| / log_sd of each to z. */
static void predict_source(const struct scale_input *in, size_t i, struct scale_source *room,
			   struct arena *a, struct backtest *out, double *z, size_t *nz)
{
	const struct scale_source *s = &in->sources[i];
	struct scale_prediction *p = &out->prediction[i], other;
	struct say why;

	out->factor[i] = out->factor_out[i] = NAN;
	if (!out->method->predict(in, s->device, a, p, &why))
		return;
	out->factor[i] = factor_error(p->score, s->score);
	if (!isnan(p->log_sd))
		z[(*nz)++] = log(out->factor[i]) / p->log_sd;
	out->factor_out[i] = p->represented ? NAN : out->factor[i];
	struct scale_input rest = without_architecture(in, i, room);
	if (!p->represented || !out->method->predict(&rest, s->device, a, &other, &why))
		return;
	out->factor_out[i] = factor_error(other.score, s->score);
	if (!isnan(other.log_sd))
		z[(*nz)++] = log(out->factor_out[i]) / other.log_sd;
}

void backtest_run(const struct scale_method *method, const struct scale_input *in, struct arena *a,
		  struct backtest *out)
{
	struct scale_source *room = arena_array(a, in->nsources, sizeof *room);
	double *z = arena_array(a, 2 * in->nsources, sizeof *z);
	size_t nz = 0;

	*out = (struct backtest){ .method = method, .n = in->nsources };
	out->factor = arena_array(a, in->nsources, sizeof *out->factor);
	out->factor_out = arena_array(a, in->nsources, sizeof *out->factor_out);
	out->prediction = arena_array(a, in->nsources, sizeof *out->prediction);
	for (size_t i = 0; i < in->nsources; i++)
		predict_source(in, i, room, a, out, z, &nz);
	for (int c = 0; c < BACKTEST_CASES; c++)
		out->cases[c] = summarise(out, (enum backtest_case)c, out->n, a);
	out->sd_scale = nz ? stat_quantile(z, nz, tail, a) : NAN;
}

/* See BACKTEST_CASE_MIN. far: of the architecture left out; NULL for a represented case */
static bool choose_p90(const struct backtest_error *own, const struct backtest_error *all,
		       const struct backtest_error *far, double *factor)
{
	if (all->n < BACKTEST_ALL_MIN || (far && far->n == 0)) /* own is part of far */
		return false;
	bool by_far = own->n < BACKTEST_ALL_MIN && far; /* which may be as few */

	*factor = own->p90_factor;
	if (by_far) /* fmax passes over the NAN of an empty case */
		*factor = fmax(*factor, far->p90_factor);
	if (own->n < BACKTEST_CASE_MIN && !(by_far && far->n >= BACKTEST_ALL_MIN))
		*factor = fmax(*factor, all->p90_factor);
	return true;
}

/* The errors of one method in a case, told by all sources but one; infinite where another method
 * predicts and it does not. */
static struct backtest_error padded(const struct backtest *tests, size_t n, size_t which,
				    enum backtest_case c, size_t left_out, struct arena *a)
{
	double *v = arena_array(a, tests[which].n, sizeof *v);
	struct backtest_error e = { 0, NAN, NAN };

	for (size_t i = 0; i < tests[which].n; i++) {
		bool any = false;
		for (size_t j = 0; j < n; j++)
			any = any || !isnan(factor_in(&tests[j], c, i));
		double own = factor_in(&tests[which], c, i);
		if (any && i != left_out)
			v[e.n++] = isnan(own) ? INFINITY : own;
	}
	if (e.n)
		e.p90_factor = stat_quantile(v, e.n, tail, a);
	return e;
}

/* What backtest_choose goes by: the 90th percentile, INFINITY where too little tells it. */
static double width(const struct backtest *tests, size_t n, size_t which, enum backtest_case c,
		    size_t left_out, struct arena *a)
{
	struct backtest_error own = padded(tests, n, which, c, left_out, a);
	struct backtest_error all = padded(tests, n, which, BACKTEST_ALL, left_out, a);
	struct backtest_error far = padded(tests, n, which, BACKTEST_ARCHITECTURE_OUT, left_out, a);
	double factor = NAN;

	if (c == BACKTEST_NOT_REPRESENTED && own.n >= BACKTEST_ALL_MIN)
		factor = own.p90_factor;
	if (c == BACKTEST_NOT_REPRESENTED && far.n >= BACKTEST_ALL_MIN)
		factor = fmax(factor, far.p90_factor); /* NAN is passed over */
	if (!isnan(factor))
		return factor;
	return choose_p90(c == BACKTEST_REPRESENTED ? &own : &all, &all, NULL, &factor) ? factor
											: INFINITY;
}

size_t backtest_choose(const struct backtest *tests, size_t n, struct str method,
		       enum backtest_case c, size_t left_out, struct arena *a)
{
	double *widths = arena_array(a, n, sizeof *widths), lowest = INFINITY;
	size_t chosen = 0;

	for (size_t i = 0; i < n; i++)
		if (str_eq(tests[i].method->name, method))
			return i;
	for (size_t i = 0; i < n; i++) {
		widths[i] = width(tests, n, i, c, left_out, a);
		lowest = fmin(lowest, widths[i]);
	}
	for (size_t i = 0; i < n && isfinite(lowest); i++)
		if (widths[i] <= BACKTEST_LEVEL * lowest)
			chosen = i;
	return chosen;
}

struct backtest_error backtest_nested(const struct backtest *tests, size_t n, enum backtest_case c,
				      struct arena *a)
{
	double *v = arena_array(a, tests->n, sizeof *v);
	struct backtest_error e = { 0, NAN, NAN };

	for (size_t i = 0; i < tests->n; i++) {
		enum backtest_case chosen_by =
		    c == BACKTEST_REPRESENTED ? c : BACKTEST_NOT_REPRESENTED;
		size_t which = backtest_choose(tests, n, STR(""), chosen_by, i, a);
		if (!isnan(factor_in(&tests[which], c, i)))
			v[e.n++] = factor_in(&tests[which], c, i);
	}
	if (e.n) {
		e.median_factor = stat_quantile(v, e.n, 0.5, a);
		e.p90_factor = stat_quantile(v, e.n, tail, a);
	}
	return e;
}

bool backtest_p90(const struct backtest *b, const struct scale_prediction *p, double *factor)
{
	const struct backtest_error *far =
	    p->represented ? NULL : &b->cases[BACKTEST_ARCHITECTURE_OUT];

	if (!choose_p90(&b->cases[case_of(p)], &b->cases[BACKTEST_ALL], far, factor))
		return false;
	*factor = fmax(*factor, exp(b->sd_scale * p->log_sd)); /* NAN is passed over */
	return true;
}

bool backtest_p90_without(const struct backtest *b, size_t left_out, struct arena *a,
			  double *factor)
{
	enum backtest_case c = case_of(&b->prediction[left_out]);
	struct backtest_error own = summarise(b, c, left_out, a);
	struct backtest_error all = summarise(b, BACKTEST_ALL, left_out, a);
	struct backtest_error far = summarise(b, BACKTEST_ARCHITECTURE_OUT, left_out, a);

	return choose_p90(&own, &all, c == BACKTEST_REPRESENTED ? NULL : &far, factor);
}

bool backtest_check_method(const struct edition_class *class, struct arena *a, struct error *err)
{
	if (str_eq(class->method, STR("best")) || class->method.len == 0
	    || scale_method_find(class->method))
		return true;
	return error_at(err, ERR_UNKNOWN, class->method_pos,
			"scaling: method." STR_FMT ": '" STR_FMT
			"' is no scaling method; known: best, " STR_FMT,
			STR_ARG(class_name(class->id)), STR_ARG(class->method),
			STR_ARG(scale_method_names(a)));
}
