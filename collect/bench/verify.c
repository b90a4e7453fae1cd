#include "verify.h"

#include "random.h"
#include "reference.h"

#include "../../base/stat.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Relative errors that are rounding: of fp32 sums, of inputs rounded to 10 bits (tf32), of results
 * stored in 8 to 11 bits. fp8 products end in bf16; their inputs are exact on both sides. */
static const double tolerances[PRECISIONS] = {
	[PRECISION_FP32] = 1e-5, [PRECISION_TF32] = 1e-3, [PRECISION_FP16] = 2e-2,
	[PRECISION_BF16] = 2e-2, [PRECISION_FP8] = 6e-2,
};

/* fp32 results of 16-bit operands (statistics, gradients of biases, states of optimizers) have only
 * rounding of fp32 sums to excuse them. */
static const double tolerance_single = 1e-3;
/* The mean error over the mean value: one more than a tolerance of the largest value, which in
 * normal numbers is about four means. It finds what is wrong everywhere beside a few large values
 * (a softmax left out of a loss). */
static const double mean_allowed = 4;

/* Work of the reference for one operation, multiplications; and how few units are enough where each
 * is dear. */
static const double work_max = 4e8;
enum { UNITS_MIN = 2, UNITS_ELEMENTS_MIN = 256, UNITS_MAX = 65536 };

/* One operation on its way. Values of operands: before it, after it by the backend, by the
 * reference. */
struct check {
	const struct backend *b;
	struct loaded *l;
	const struct plan *p;
	const struct op *op;
	int index, devices;
	double *in[OP_INPUTS], *old[OP_OUTPUTS], *got[OP_OUTPUTS], *want[OP_OUTPUTS];
};

static bool is_optimizer(enum op_kind kind)
{
	return kind == OP_SGD || kind == OP_ADAM;
}

double verify_tolerance(enum op_kind kind, enum precision p)
{
	/* adding up 1e5 and more rows in fp32 in an order of its own, and differences of nearly
	 * equal sums: in the gradient of attention dp - sum(p dp) loses two digits where the
	 * attention is even */
	static const bool long_sums[OP_KINDS] = {
		[OP_BATCHNORM] = true,
		[OP_BATCHNORM_BWD] = true,
		[OP_BIAS_GRAD] = true,
		[OP_CONV_BWD_FILTER] = true,
		[OP_LAYERNORM_BWD] = true,
		[OP_LSTM_BWD] = true,
		[OP_STREAM] = true,
		[OP_ATTENTION_BWD] = true,
		/* of these the change is compared */
		[OP_SOFTMAX_BWD] = true,
		[OP_SGD] = true,
		[OP_ADAM] = true,
	};

	return tolerances[p] * (long_sums[kind] && p == PRECISION_FP32 ? 10 : 1);
}

/* Of one result. */
static double allowed(const struct check *c, int k)
{
	double most = verify_tolerance(c->op->kind, c->p->precision);

	return c->p->tensors[c->op->out[k]].element == ELEMENT_F32 ? fmin(most, tolerance_single)
								   : most;
}

static double *room(const struct plan *p, int tensor)
{
	return calloc((size_t)tensor_count(&p->tensors[tensor]) + 1, sizeof(double));
}

/* Of this program, not of the device: no fact about that. */
static bool no_room(const struct plan *p, int tensor, struct bench_error *err)
{
	return bench_fail(err, BENCH_FAILED, "verification: no host memory for " STR_FMT,
			  STR_ARG(p->tensors[tensor].name));
}

static bool fetch(struct check *c, int tensor, double **out, struct bench_error *err)
{
	if (tensor < 0)
		return true;
	*out = room(c->p, tensor);
	if (!*out)
		return no_room(c->p, tensor, err);
	return c->b->download(c->l, tensor, *out, err);
}

static void release(struct check *c)
{
	for (int i = 0; i < OP_INPUTS; i++)
		free(c->in[i]);
	for (int i = 0; i < OP_OUTPUTS; i++) {
		free(c->old[i]);
		free(c->got[i]);
		free(c->want[i]);
	}
}

/* What an untouched element of the reference holds: no result of arithmetic has this bit pattern in
 * its payload, and elements that are not finite are found before. */
static bool untouched(double v)
{
	return isnan(v);
}

/* Which units are computed: all where that is cheap, else drawn with a fixed seed; the last always
 * (losses and weights are there). */
static void compute_sample(struct check *c)
{
	struct reference r = { .plan = c->p, .op = c->op, .devices = c->devices };
	long units = reference_units(c->p, c->op), n;
	double work = reference_unit_work(c->p, c->op);
	bool dear = c->op->kind == OP_LSTM || c->op->kind == OP_LSTM_BWD
		    || c->op->kind == OP_ATTENTION || c->op->kind == OP_ATTENTION_BWD;
	struct rng rng = { 1 + (uint64_t)c->index };

	for (int i = 0; i < OP_INPUTS; i++)
		r.in[i] = c->in[i];
	for (int i = 0; i < OP_OUTPUTS; i++) {
		r.old[i] = c->old[i];
		r.out[i] = c->want[i];
	}
	double afford = fmin(work_max / (work + 1), UNITS_MAX);
	n = afford < (double)units ? (long)afford : units;
	if (n < (dear ? UNITS_MIN : UNITS_ELEMENTS_MIN))
		n = dear ? UNITS_MIN : UNITS_ELEMENTS_MIN;
	if (n >= units) {
		for (long u = 0; u < units; u++)
			reference_unit(&r, u);
		return;
	}
	for (long i = 0; i + 1 < n; i++)
		reference_unit(&r, (long)rng_below(&rng, (size_t)units));
	reference_unit(&r, units - 1);
}

static bool finite_result(struct check *c, int k, struct bench_error *err)
{
	long n = tensor_count(&c->p->tensors[c->op->out[k]]);
	struct str kind = op_kind_name(c->op->kind);

	for (long i = 0; i < n; i++)
		if (!isfinite(c->got[k][i]))
			return bench_fail(err, BENCH_FAILED,
					  STR_FMT " of " STR_FMT ": element %ld of " STR_FMT
						  " is not a number",
					  STR_ARG(kind), STR_ARG(c->op->name), i,
					  STR_ARG(c->p->tensors[c->op->out[k]].name));
	return true;
}

/* Results are compared as they are stored: what rounding to the type alone changes is no error. */
static double wanted(const struct check *c, int k, long i)
{
	const struct tensor *t = &c->p->tensors[c->op->out[k]];

	return reference_round(c->want[k][i], t->element, c->p->precision);
}

/* What a result of an optimizer was before: the weight that is trained (the master, or the weight
 * itself), its states; NULL of every other result. A step moves a weight by a millionth: only the
 * change shows whether it was right. */
static const double *moved_from(const struct check *c, int k)
{
	bool master = c->op->out[1] >= 0;

	if (!is_optimizer(c->op->kind)
	    || (k == 0 && master)) /* with a master the weight is its rounding */
		return NULL;
	/* out: w, master, states; in: w, dw, master, states */
	return k == 0 ? c->in[0] : c->in[k + 1];
}

/* Distance to the next number in fp32: what a change must be forgiven. */
static double spacing(double v)
{
	return ldexp(fabs(v), -23);
}

/* Sums over the sampled part of a result. */
struct deviation { double largest, sum, error, error_sum; long n, at; };

static struct deviation deviation_of(const struct check *c, int k)
{
	struct deviation d = { .at = -1 };
	const double *from = moved_from(c, k);
	long n = tensor_count(&c->p->tensors[c->op->out[k]]);

	for (long i = 0; i < n; i++) {
		if (untouched(c->want[k][i]))
			continue;
		double want = wanted(c, k, i), error = fabs(c->got[k][i] - want);
		if (from)
			error = fmax(error - spacing(want), 0);
		double size = fabs(want - (from ? from[i] : 0));
		d.n++;
		d.largest = fmax(d.largest, size);
		d.sum += size;
		d.error_sum += error;
		if (error > d.error) {
			d.error = error;
			d.at = i;
		}
	}
	return d;
}

/* Error over value; over 1 where every value is 0. */
static double relative(double error, double value)
{
	return error / (value > 0 ? value : 1);
}

/* The worst of a kind is what took the largest share of what it was allowed. */
static void keep_worst(struct verify_kind *kind, const struct check *c, double error, double most)
{
	if (kind->worst.len && error / most <= kind->error / kind->tolerance)
		return;
	kind->error = error;
	kind->tolerance = most;
	kind->worst = c->op->name;
}

static bool compare(struct check *c, int k, struct verify_kind *kind, struct bench_error *err)
{
	struct deviation d = deviation_of(c, k);
	double most = allowed(c, k), worst = relative(d.error, d.largest),
	       mean = relative(d.error_sum, d.sum) / mean_allowed;
	struct str name = op_kind_name(c->op->kind), tensor = c->p->tensors[c->op->out[k]].name;

	kind->elements += d.n;
	keep_worst(kind, c, fmax(worst, mean), most);
	if (worst > most)
		return bench_fail(
		    err, BENCH_FAILED,
		    STR_FMT
		    " of " STR_FMT ": element %ld of " STR_FMT " is %.6g where the "
		    "reference has %.6g, off by %.2g of the largest %s (at most %.2g is allowed)",
		    STR_ARG(name), STR_ARG(c->op->name), d.at, STR_ARG(tensor), c->got[k][d.at],
		    wanted(c, k, d.at), worst, moved_from(c, k) ? "change" : "value", most);
	return mean <= most
	       || bench_fail(err, BENCH_FAILED,
			     STR_FMT " of " STR_FMT ": " STR_FMT
				     " is off by %.2g of its mean value "
				     "(at most %.2g is allowed)",
			     STR_ARG(name), STR_ARG(c->op->name), STR_ARG(tensor),
			     mean * mean_allowed, most * mean_allowed);
}

/* Optimizers begin with states of 0, which would hide what they do with them: in their place
 * numbers of the size of the gradient, and of its square. */
static bool stir(struct check *c, struct bench_error *err)
{
	long n = c->op->p.optimizer.count;
	double size = 0;
	bool good = true;

	for (long i = 0; i < n; i++)
		size = fmax(size, fabs(c->in[1][i]));
	for (int k = 3; good && k <= (c->op->kind == OP_ADAM ? 4 : 3); k++) {
		struct tensor t = c->p->tensors[c->op->in[k]];
		t.fill = FILL_NORMAL;
		t.scale = size / 2;
		random_fill(&t, (unsigned)k, c->in[k]);
		for (long i = 0; k == 4 && i < n; i++)
			c->in[k][i] = size * (size + fabs(c->in[k][i])) / 4;
		good = c->b->upload(c->l, c->op->in[k], c->in[k], err)
		       && c->b->download(c->l, c->op->in[k], c->in[k], err);
	}
	return good;
}

/* What was there counts only for a product that adds to it. */
static bool adds_to_result(const struct op *op)
{
	return op->kind == OP_GEMM && op->p.gemm.beta != 0;
}

static bool before(struct check *c, struct bench_error *err)
{
	bool good = true;

	for (int i = 0; i < OP_INPUTS && good; i++)
		good = fetch(c, c->op->in[i], &c->in[i], err);
	if (good && is_optimizer(c->op->kind))
		good = stir(c, err);
	for (int i = 0; i < OP_OUTPUTS && good; i++) {
		if (c->op->out[i] < 0)
			continue;
		c->want[i] = room(c->p, c->op->out[i]);
		good = c->want[i] || no_room(c->p, c->op->out[i], err);
		if (good && adds_to_result(c->op))
			good = fetch(c, c->op->out[i], &c->old[i], err);
		for (long k = 0; good && k < tensor_count(&c->p->tensors[c->op->out[i]]); k++)
			c->want[i][k] = NAN;
	}
	return good;
}

static bool right_result(struct check *c, struct verify_kind *kind, struct bench_error *err)
{
	for (int i = 0; i < OP_OUTPUTS; i++)
		if (c->op->out[i] >= 0 && !finite_result(c, i, err))
			return false;
	compute_sample(c);
	for (int i = 0; i < OP_OUTPUTS; i++)
		if (c->op->out[i] >= 0 && !compare(c, i, kind, err))
			return false;
	return true;
}

/* *right  false: it ran, and its results are wrong */
static bool check_op(struct check *c, struct verify_kind *kind, bool *right,
		     struct bench_error *err)
{
	bool good = before(c, err) && c->b->run_op(c->l, c->index, err);

	for (int i = 0; i < OP_OUTPUTS && good; i++)
		good = fetch(c, c->op->out[i], &c->got[i], err);
	if (good) {
		*right = right_result(c, kind, err);
		good = *right;
	}
	kind->checked += good;
	release(c);
	return good;
}

/* Whether an earlier operation of the plan is the same. */
static bool seen(const struct plan *p, int index)
{
	for (int i = 0; i < index; i++)
		if (op_same(p, &p->ops[i], &p->ops[index]))
			return true;
	return false;
}

bool verify_fill(const struct backend *b, struct loaded *l, const struct plan *p,
		 struct bench_error *err)
{
	bool good = true;

	for (int i = 0; i < p->ntensors && good; i++) {
		if (p->tensors[i].fill == FILL_NONE)
			continue;
		double *v = room(p, i);
		if (!v)
			return no_room(p, i, err);
		random_fill(&p->tensors[i], (unsigned)i, v);
		good = b->upload(l, i, v, err);
		free(v);
	}
	return good;
}

static double doubles(const struct plan *p, int tensor)
{
	return tensor < 0 ? 0 : (double)tensor_count(&p->tensors[tensor]) * (double)sizeof(double);
}

double verify_host_bytes(const struct plan *p)
{
	double most = 0, largest = 0;

	for (int i = 0; i < p->ntensors; i++)
		largest = fmax(largest, doubles(p, i));
	for (int i = 0; i < p->nops; i++) {
		const struct op *op = &p->ops[i];
		double sum = 0;
		for (int k = 0; k < OP_INPUTS; k++)
			sum += doubles(p, op->in[k]);
		for (int k = 0; k < OP_OUTPUTS; k++) /* wanted, got, what was there */
			sum += doubles(p, op->out[k]) * (adds_to_result(op) ? 3 : 2);
		most = fmax(most, sum);
	}
	return fmax(most, largest) + largest / 2; /* fp32 on its way to another layout */
}

static void summarise(const struct verify_kind *all, struct arena *a, struct verify_result *out)
{
	out->kinds = arena_array(a, OP_KINDS, sizeof *out->kinds);
	out->nkinds = 0;
	out->error = 0;
	for (int k = 0; k < OP_KINDS; k++) {
		if (!all[k].checked)
			continue;
		out->kinds[out->nkinds++] = all[k];
		if (all[k].error / all[k].tolerance > out->error) {
			out->error = all[k].error / all[k].tolerance;
			out->worst = all[k].worst;
		}
	}
}

bool verify_plan(const struct backend *b, struct loaded *l, const struct plan *p, int devices,
		 struct arena *a, struct verify_result *out, struct bench_error *err)
{
	struct verify_kind all[OP_KINDS] = { 0 };

	for (int k = 0; k < OP_KINDS; k++)
		all[k] = (struct verify_kind){ .kind = (enum op_kind)k,
					       .tolerance = verify_tolerance((enum op_kind)k,
									     p->precision) };
	bool good = verify_fill(b, l, p, err), right = true;
	for (int i = 0; i < p->nops && good; i++) {
		struct check c = {
			.b = b, .l = l, .p = p, .op = &p->ops[i], .index = i, .devices = devices
		};
		good = seen(p, i) ? b->run_op(l, i, err)
				  : check_op(&c, &all[p->ops[i].kind], &right, err);
	}
	summarise(all, a, out);
	out->wrong = !right;
	return good;
}
