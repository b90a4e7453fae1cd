/* Kriging: log score of a device is Gaussian with the mean c + prior' x, c such that the sources'
 * mean is met (so the unit of the scores does not matter), and between devices i and j the
 * covariance
 *
 *     k(i,j) = 2^2 + b^2 (x_i - m)'(x_j - m) + s^2 exp(-|x_i - x_j|^2 / (2 l^2))
 *              + a^2 [same architecture] + n^2 [i = j],
 *
 * x the natural logarithms of some specifications, m their mean over the sources. In words: a ridge
 * regression (b: how far elasticities stray from the prior ones, which say that twice the rate and
 * bandwidth are twice the score), a smooth rest (s, within l), an effect that the cards of one
 * architecture share (a) and what the specifications do not tell (n).
 *
 * Memory is a specification because benchmarks fill it with larger batches, which run faster. What
 * else makes a card of much memory slow or fast (a lower clock, a larger chip) must not be taken
 * for its effect: of two cards equal but for memory the smaller came out 12 % faster when it was as
 * free as the others. So its prior elasticity is 0.1, b counts a quarter, and the smooth rest
 * leaves it out.
 *
 * Every combination of the grid below and of the sets of specifications is a model, each predicts,
 * and the predictions are averaged with the models' marginal likelihoods on the sources as weights:
 * a device that is left out has no say in the weights. The sets and the grid are fixed; METHOD.md
 * says which others were tried and that they differ little.
 * A prediction costs the cube of the sources, and the back-test makes one for each, so only the NEIGHBOURS nearest
 * sources of a device have part in it, those of its architecture before others (a moving neighbourhood).
 * `regression` is the same with s = 0. Source  Rasmussen & Williams, Gaussian Processes for Machine
 * Learning, 2006, ch. 2 and 5; averaging: Hoeting et al., Statistical Science 14(4), 1999 */
#include "scale.h"

#include "cholesky.h"

#include <math.h>
#include <stdlib.h>

enum { NEIGHBOURS = 64 };

static const double constant_sd = 2; /* how far c may be off: hardly a limit */

enum { SPECS_MAX = 4, SPEC_BANDWIDTH = 0, SPEC_RATE, SPEC_FP32, SPEC_MEMORY };

static const struct {
	struct str name;
	double freedom; /* times b: of its elasticity */
	bool smooth;    /* has part in the smooth rest */
} specs[] = {
	[SPEC_BANDWIDTH] = { STR_INIT("bandwidth_gbs"), 1, true },
	[SPEC_RATE] = { STR_INIT("rate_16bit"), 1, true },
	[SPEC_FP32] = { STR_INIT("fp32_tflops"), 1, true },
	[SPEC_MEMORY] = { STR_INIT("memory_gb"), 0.25, false },
};

/* Which specifications a model goes by, with the prior elasticity of each. A device is predicted by
 * the sets of the lowest level that it has all specifications of. */
static const struct spec_set {
	int level;
	size_t n;
	int spec[SPECS_MAX];
	double prior[SPECS_MAX];
} sets[] = {
	{ 0, 3, { SPEC_BANDWIDTH, SPEC_RATE, SPEC_MEMORY }, { 0.5, 0.5, 0.1 } },
	{ 0, 4, { SPEC_BANDWIDTH, SPEC_RATE, SPEC_FP32, SPEC_MEMORY }, { 0.5, 0.5, 0, 0.1 } },
	{ 1, 2, { SPEC_BANDWIDTH, SPEC_RATE }, { 0.5, 0.5 } },
	{ 2, 1, { SPEC_BANDWIDTH }, { 1 } },
};
enum { LEVELS = 3 };

/* The grid: standard deviations in units of log score, the length in units of a log specification.
 * Two values each, a factor of 2 to 3 apart: finer grids gave the same back-test. */
enum { GRID = 2 };
static const double linear_sd[GRID] = { 0.3, 0.6 }, length[GRID] = { 0.7, 1.5 },
		    smooth_sd[GRID] = { 0.1, 0.3 }, architecture_sd[GRID] = { 0.1, 0.3 },
		    noise_sd[GRID] = { 0.04, 0.1 };

struct hyper {
	double b, l, s, a, n;
};

/* Room for one prediction from at most n sources; the matrices are n x n, lower triangles. */
struct kriging {
	const struct scale_input *in;
	const size_t *kept; /* indices into in->sources */
	size_t device, n;
	double *x;            /* n + 1 rows of SPECS_MAX: the sources', then the device's */
	double *rest;         /* n: log score less its mean */
	double *dot, *square; /* (n + 1) x (n + 1), lower triangles: of the rows of x */
	double *k, *alpha, *v;
	double *smooth; /* (n + 1) x (n + 1), lower triangle */
	bool *same;     /* the same: whether two share an architecture */
};

/* The device of a row of x. */
static size_t device_of(const struct kriging *g, size_t row)
{
	return row < g->n ? g->in->sources[g->kept[row]].device : g->device;
}

/* What one model says. */
struct outcome {
	double mean, variance, log_likelihood;
};

static double spec_of(const struct device *d, int spec)
{
	switch (spec) {
	case SPEC_BANDWIDTH:
		return scale_known(d->bandwidth_gbs);
	case SPEC_RATE:
		return scale_rate_16bit(d);
	case SPEC_FP32:
		return scale_known(d->fp32_tflops);
	default:
		return scale_known(d->memory_gb);
	}
}

static bool has_set(const struct device *d, const struct spec_set *set)
{
	for (size_t i = 0; i < set->n; i++)
		if (isnan(spec_of(d, set->spec[i])))
			return false;
	return true;
}

static bool has_level(const struct device *d, int level)
{
	for (size_t i = 0; i < LEN(sets); i++)
		if (sets[i].level == level && !has_set(d, &sets[i]))
			return false;
	return true;
}

/* The sources that have the specifications of a level; kept is narrowed to them. */
static size_t narrow(const struct scale_input *in, int level, const size_t *from, size_t n,
		     size_t *kept)
{
	size_t m = 0;

	for (size_t i = 0; i < n; i++)
		if (has_level(&in->devices->v[in->sources[from[i]].device], level))
			kept[m++] = from[i];
	return m;
}

/* Products and squared distances of all rows of x, as the covariance weighs them. */
static void compare_rows(struct kriging *g, const struct spec_set *set, const double *mean)
{
	size_t rows = g->n + 1;

	for (size_t i = 0; i < rows; i++)
		for (size_t j = 0; j <= i; j++) {
			double dot = 0, square = 0;
			for (size_t p = 0; p < set->n; p++) {
				double x = g->x[i * SPECS_MAX + p], y = g->x[j * SPECS_MAX + p];
				double freedom = specs[set->spec[p]].freedom;
				dot += freedom * freedom * (x - mean[p]) * (y - mean[p]);
				square += specs[set->spec[p]].smooth ? (x - y) * (x - y) : 0;
			}
			g->dot[i * rows + j] = dot;
			g->square[i * rows + j] = square;
		}
}

/* Fills x, dot, square and rest for a set of specifications; returns the mean of the device, c +
 * prior' x. */
static double prepare(struct kriging *g, const struct spec_set *set)
{
	double mean[SPECS_MAX] = { 0 }, target = 0, c = 0;

	for (size_t i = 0; i <= g->n; i++) {
		size_t device = device_of(g, i);
		double prior = 0;
		for (size_t j = 0; j < set->n; j++) {
			double x = log(spec_of(&g->in->devices->v[device], set->spec[j]));
			g->x[i * SPECS_MAX + j] = x;
			prior += set->prior[j] * x;
			mean[j] += i < g->n ? x / (double)g->n : 0;
		}
		if (i < g->n) {
			g->rest[i] = log(g->in->sources[g->kept[i]].score) - prior;
			c += g->rest[i] / (double)g->n;
		} else {
			target = prior;
		}
	}
	for (size_t i = 0; i < g->n; i++)
		g->rest[i] -= c;
	compare_rows(g, set, mean);
	return c + target;
}

/* The part of the covariance that the length and size of the smooth rest decide. */
static void fill_smooth(struct kriging *g, const struct hyper *h)
{
	size_t rows = g->n + 1;

	for (size_t i = 0; i < rows; i++)
		for (size_t j = 0; j <= i; j++) {
			size_t at = i * rows + j;
			g->smooth[at] =
			    h->s > 0 ? h->s * h->s * exp(-g->square[at] / (2 * h->l * h->l)) : 0;
		}
}

static double covariance(const struct kriging *g, const struct hyper *h, size_t i, size_t j)
{
	size_t at = i * (g->n + 1) + j;
	double k = constant_sd * constant_sd + h->b * h->b * g->dot[at] + g->smooth[at];

	if (g->same[at])
		k += h->a * h->a;
	return i == j ? k + h->n * h->n : k;
}

/* The Gaussian conditional of the device given the sources, on top of its mean. */
static struct outcome predict_one(struct kriging *g, const struct hyper *h)
{
	size_t n = g->n;
	struct outcome o = { 0, covariance(g, h, n, n), 0 };

	for (size_t i = 0; i < n; i++) {
		for (size_t j = 0; j <= i; j++)
			g->k[i * n + j] = covariance(g, h, i, j);
		g->alpha[i] = g->rest[i];
		g->v[i] = covariance(g, h, n, i);
	}
	if (!cholesky_factor(g->k, n)) /* n^2 on the diagonal keeps it from happening */
		return (struct outcome){ 0, 0, -INFINITY };
	cholesky_forward(g->k, g->alpha, n);
	cholesky_forward(g->k, g->v, n);
	for (size_t i = 0; i < n; i++) {
		o.mean += g->v[i] * g->alpha[i];
		o.variance -= g->v[i] * g->v[i];
		o.log_likelihood -= g->alpha[i] * g->alpha[i] / 2 + log(g->k[i * n + i]);
	}
	return o;
}

/* Every model of the grid on one set; out has room for GRID^5. Without the smooth part its length
 * and size are no choice. */
static size_t predict_grid(struct kriging *g, const struct spec_set *set, bool smooth,
			   struct outcome *out)
{
	double mean = prepare(g, set);
	size_t n = 0, smooths = smooth ? GRID * GRID : 1;

	for (size_t r = 0; r < smooths; r++) {
		struct hyper h = { .l = length[r % GRID], .s = smooth ? smooth_sd[r / GRID] : 0 };
		fill_smooth(g, &h);
		for (size_t c = 0; c < GRID * GRID * GRID; c++) {
			h.b = linear_sd[c % GRID];
			h.a = architecture_sd[c / GRID % GRID];
			h.n = noise_sd[c / GRID / GRID];
			out[n] = predict_one(g, &h);
			out[n++].mean += mean;
		}
	}
	return n;
}

/* Bayesian model averaging with equal prior weights: mean of means; mean of variances and the
 * variance of means. */
static void average(const struct outcome *o, size_t n, struct scale_prediction *out)
{
	double best = -INFINITY, total = 0, mean = 0, variance = 0;

	for (size_t i = 0; i < n; i++)
		best = fmax(best, o[i].log_likelihood);
	for (size_t i = 0; i < n; i++) {
		double w = exp(o[i].log_likelihood - best);
		total += w;
		mean += w * o[i].mean;
	}
	mean /= total;
	for (size_t i = 0; i < n; i++)
		variance += exp(o[i].log_likelihood - best) / total
			    * (o[i].variance + (o[i].mean - mean) * (o[i].mean - mean));
	out->score = exp(mean);
	out->log_sd = sqrt(variance);
}

/* Room on the scratch arena for n sources. */
static struct kriging open_kriging(const struct scale_input *in, size_t device, const size_t *kept,
				   size_t n, struct arena *scratch)
{
	struct kriging g = { .in = in, .kept = kept, .device = device, .n = n };
	size_t rows = n + 1;

	g.x = arena_array(scratch, rows * SPECS_MAX, sizeof *g.x);
	g.rest = arena_array(scratch, n, sizeof *g.rest);
	g.dot = arena_array(scratch, rows * rows, sizeof *g.dot);
	g.square = arena_array(scratch, rows * rows, sizeof *g.square);
	g.k = arena_array(scratch, n * n, sizeof *g.k);
	g.alpha = arena_array(scratch, n, sizeof *g.alpha);
	g.v = arena_array(scratch, n, sizeof *g.v);
	g.same = arena_array(scratch, rows * rows, sizeof *g.same);
	g.smooth = arena_array(scratch, rows * rows, sizeof *g.smooth);
	for (size_t i = 0; i < rows; i++)
		for (size_t j = 0; j <= i; j++)
			g.same[i * rows + j] = i == j
					       || scale_same_architecture(
						   in->devices, device_of(&g, i), device_of(&g, j));
	return g;
}

/* The nearest source: of the same architecture before others, then by the last set's distance, then
 * the first. */
static void describe(const struct kriging *g, struct scale_prediction *out)
{
	double nearest = INFINITY;

	for (size_t i = 0; i < g->n; i++) {
		size_t at = g->n * (g->n + 1) + i;
		double away = g->square[at] + (g->same[at] ? 0 : 1e6);
		out->represented = out->represented || g->same[at];
		if (away < nearest) {
			nearest = away;
			out->anchor = g->in->sources[g->kept[i]].device;
		}
	}
}

/* Its sets stand smallest first. */
static const struct spec_set *largest_set(int level)
{
	const struct spec_set *largest = NULL;

	for (size_t i = 0; i < LEN(sets); i++)
		if (sets[i].level == level)
			largest = &sets[i];
	return largest;
}

struct neighbour {
	double away;   /* of log specifications, squared; one of another architecture is further than any */
	size_t source; /* index into in->sources */
};

static int by_distance(const void *px, const void *py)
{
	const struct neighbour *x = px, *y = py;

	if (x->away != y->away)
		return x->away < y->away ? -1 : 1;
	return (x->source > y->source) - (x->source < y->source);
}

static int by_source(const void *px, const void *py)
{
	const size_t *x = px, *y = py;

	return (*x > *y) - (*x < *y);
}

/* Narrows kept to the nearest sources, in their order; returns how many. */
static size_t nearest(const struct scale_input *in, size_t device, int level, size_t *kept, size_t n,
		      struct arena *a)
{
	const struct spec_set *set = largest_set(level);
	const struct device *d = &in->devices->v[device];
	struct neighbour *v;

	if (n <= NEIGHBOURS)
		return n;
	v = arena_array(a, n, sizeof *v);
	for (size_t i = 0; i < n; i++) {
		size_t other = in->sources[kept[i]].device;
		v[i] = (struct neighbour){ scale_same_architecture(in->devices, device, other) ? 0 : 1e6,
					   kept[i] };
		for (size_t j = 0; j < set->n; j++) {
			double x = log(spec_of(d, set->spec[j]) / spec_of(&in->devices->v[other], set->spec[j]));
			v[i].away += specs[set->spec[j]].smooth ? x * x : 0;
		}
	}
	qsort(v, n, sizeof *v, by_distance);
	for (size_t i = 0; i < NEIGHBOURS; i++)
		kept[i] = v[i].source;
	qsort(kept, NEIGHBOURS, sizeof *kept, by_source);
	return NEIGHBOURS;
}

/* The names of the specifications of a level's largest set, blank-separated. */
static struct str level_specs(int level, struct str between, struct arena *a)
{
	struct strbuf b = { .arena = a };
	const struct spec_set *largest = largest_set(level);

	for (size_t i = 0; i < largest->n; i++) {
		if (i)
			strbuf_add(&b, between);
		strbuf_add(&b, specs[largest->spec[i]].name);
	}
	return strbuf_str(&b);
}

static void predict_level(const struct scale_input *in, size_t device, const size_t *kept, size_t n,
			  int level, bool smooth, struct scale_prediction *out)
{
	struct arena scratch = { 0 };
	struct kriging g = open_kriging(in, device, kept, n, &scratch);
	size_t per_set = GRID * GRID * GRID * (smooth ? GRID * GRID : 1), m = 0;
	struct outcome *o = arena_array(&scratch, LEN(sets) * per_set, sizeof *o);

	for (size_t i = 0; i < LEN(sets); i++)
		if (sets[i].level == level)
			m += predict_grid(&g, &sets[i], smooth, &o[m]);
	average(o, m, out);
	describe(&g, out);
	arena_free(&scratch);
}

static bool predict(const struct scale_input *in, size_t device, bool smooth, struct arena *a,
		    struct scale_prediction *out, struct say *why)
{
	const struct device *d = &in->devices->v[device];
	size_t *from = arena_array(a, in->nsources, sizeof *from);
	size_t *kept = arena_array(a, in->nsources, sizeof *kept);
	struct str missing =
	    has_level(d, LEVELS - 1) ? STR("") : level_specs(LEVELS - 1, STR(", "), a);
	size_t n = scale_candidates(in, device, missing, a, from, why);

	*out = (struct scale_prediction){ .all = true, .log_sd = NAN };
	if (n == 0)
		return false;
	for (int level = 0; level < LEVELS; level++) {
		size_t m = has_level(d, level) ? narrow(in, level, from, n, kept) : 0;
		if (m == 0)
			continue;
		m = nearest(in, device, level, kept, m, a);
		predict_level(in, device, kept, m, level, smooth, out);
		out->spec = level_specs(level, STR(" "), a);
		return true;
	}
	*why = say(a, "scale.no_common", NULL);
	return false;
}

bool scale_predict_regression(const struct scale_input *in, size_t device, struct arena *a,
			      struct scale_prediction *out, struct say *why)
{
	return predict(in, device, false, a, out, why);
}

bool scale_predict_kriging(const struct scale_input *in, size_t device, struct arena *a,
			   struct scale_prediction *out, struct say *why)
{
	return predict(in, device, true, a, out, why);
}
