#include "verify.h"

#include "random.h"
#include "reference.h"

#include "../../base/stat.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Relative errors that are rounding: of fp32 sums, of inputs rounded to 10 bits (tf32), of results stored in 8 to
 * 11 bits. fp8 products end in bf16; their inputs are exact on both sides. */
static const double tolerances[PRECISIONS] = {
	[PRECISION_FP32] = 1e-5, [PRECISION_TF32] = 1e-3, [PRECISION_FP16] = 2e-2,
	[PRECISION_BF16] = 2e-2, [PRECISION_FP8] = 6e-2,
};

/* Work of the reference for one operation, multiplications; and how few units are enough where each is dear. */
static const double work_max = 4e8;
enum { UNITS_MIN = 2, UNITS_ELEMENTS_MIN = 256, UNITS_MAX = 65536 };

/* One operation on its way. Values of operands: before it, after it by the backend, by the reference. */
struct check {
	const struct backend *b;
	struct loaded *l;
	const struct plan *p;
	const struct op *op;
	int index, devices;
	double *in[OP_INPUTS], *old[OP_OUTPUTS], *got[OP_OUTPUTS], *want[OP_OUTPUTS];
};

double verify_tolerance(enum op_kind kind, enum precision p)
{
	/* adding up 1e5 and more rows in fp32 in an order of its own, and differences of nearly equal sums: in the gradient
	 * of attention dp - sum(p dp) loses two digits where the attention is even */
	static const bool long_sums[OP_KINDS] = {
		[OP_BATCHNORM] = true, [OP_BATCHNORM_BWD] = true, [OP_BIAS_GRAD] = true, [OP_CONV_BWD_FILTER] = true,
		[OP_LAYERNORM_BWD] = true, [OP_LSTM_BWD] = true, [OP_STREAM] = true, [OP_ATTENTION_BWD] = true,
		[OP_SOFTMAX_BWD] = true,
	};

	return tolerances[p] * (long_sums[kind] && p == PRECISION_FP32 ? 10 : 1);
}

static double *room(const struct plan *p, int tensor)
{
	return calloc((size_t)tensor_count(&p->tensors[tensor]) + 1, sizeof(double));
}

static bool fetch(struct check *c, int tensor, double **out, struct bench_error *err)
{
	if (tensor < 0)
		return true;
	*out = room(c->p, tensor);
	if (!*out)
		return bench_fail(err, BENCH_NO_MEMORY, "verification: no host memory for " STR_FMT,
				  STR_ARG(c->p->tensors[tensor].name));
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

/* What an untouched element of the reference holds: no result of arithmetic has this bit pattern in its payload, and
 * elements that are not finite are found before. */
static bool untouched(double v)
{
	return isnan(v);
}

/* Which units are computed: all where that is cheap, else drawn with a fixed seed; the last always (losses and weights
 * are there). */
static void compute_sample(struct check *c)
{
	struct reference r = { .plan = c->p, .op = c->op, .devices = c->devices };
	long units = reference_units(c->p, c->op), n;
	double work = reference_unit_work(c->p, c->op);
	bool dear = c->op->kind == OP_LSTM || c->op->kind == OP_LSTM_BWD || c->op->kind == OP_ATTENTION
		    || c->op->kind == OP_ATTENTION_BWD;
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
			return bench_fail(err, BENCH_FAILED, STR_FMT " of " STR_FMT ": element %ld of " STR_FMT
					  " is not a number", STR_ARG(kind), STR_ARG(c->op->name), i,
					  STR_ARG(c->p->tensors[c->op->out[k]].name));
	return true;
}

/* Results are compared as they are stored: what rounding to the type alone changes is no error. */
static double wanted(const struct check *c, int k, long i)
{
	const struct tensor *t = &c->p->tensors[c->op->out[k]];

	return reference_round(c->want[k][i], t->element, c->p->precision);
}

static double largest(const struct check *c, int k, long n)
{
	double max = 0;

	for (long i = 0; i < n; i++)
		if (!untouched(c->want[k][i]))
			max = fmax(max, fabs(wanted(c, k, i)));
	return max;
}

static bool compare(struct check *c, int k, struct verify_kind *kind, struct bench_error *err)
{
	const struct tensor *t = &c->p->tensors[c->op->out[k]];
	long n = tensor_count(t), at = -1;
	double scale = largest(c, k, n), worst = 0;

	for (long i = 0; i < n; i++) {
		if (untouched(c->want[k][i]))
			continue;
		double error = fabs(c->got[k][i] - wanted(c, k, i)) / (scale > 0 ? scale : 1);
		kind->elements++;
		if (error > worst) {
			worst = error;
			at = i;
		}
	}
	if (worst > kind->error) {
		kind->error = worst;
		kind->worst = c->op->name;
	}
	if (worst <= kind->tolerance)
		return true;
	struct str name = op_kind_name(c->op->kind);
	return bench_fail(err, BENCH_FAILED, STR_FMT " of " STR_FMT ": element %ld of " STR_FMT " is %.6g where the "
			  "reference has %.6g, off by %.2g of the largest value (at most %.2g is allowed)",
			  STR_ARG(name), STR_ARG(c->op->name), at, STR_ARG(t->name), c->got[k][at],
			  wanted(c, k, at), worst, kind->tolerance);
}

static bool before(struct check *c, struct bench_error *err)
{
	bool good = true;

	for (int i = 0; i < OP_INPUTS && good; i++)
		good = fetch(c, c->op->in[i], &c->in[i], err);
	for (int i = 0; i < OP_OUTPUTS && good; i++) {
		if (c->op->out[i] < 0)
			continue;
		c->want[i] = room(c->p, c->op->out[i]);
		good = c->want[i] || bench_fail(err, BENCH_NO_MEMORY, "verification: no host memory for " STR_FMT,
						STR_ARG(c->p->tensors[c->op->out[i]].name));
		/* what was there counts only for a product that adds to it */
		if (good && c->op->kind == OP_GEMM && c->op->p.gemm.beta != 0)
			good = fetch(c, c->op->out[i], &c->old[i], err);
		for (long k = 0; good && k < tensor_count(&c->p->tensors[c->op->out[i]]); k++)
			c->want[i][k] = NAN;
	}
	return good;
}

static bool check_op(struct check *c, struct verify_kind *kind, struct bench_error *err)
{
	bool good = before(c, err) && c->b->run_op(c->l, c->index, err);

	for (int i = 0; i < OP_OUTPUTS && good; i++)
		good = fetch(c, c->op->out[i], &c->got[i], err)
		       && (c->op->out[i] < 0 || finite_result(c, i, err));
	if (good)
		compute_sample(c);
	for (int i = 0; i < OP_OUTPUTS && good; i++)
		good = c->op->out[i] < 0 || compare(c, i, kind, err);
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

bool verify_fill(const struct backend *b, struct loaded *l, const struct plan *p, struct bench_error *err)
{
	bool good = true;

	for (int i = 0; i < p->ntensors && good; i++) {
		if (p->tensors[i].fill == FILL_NONE)
			continue;
		double *v = room(p, i);
		if (!v)
			return bench_fail(err, BENCH_NO_MEMORY, "no host memory for " STR_FMT,
					  STR_ARG(p->tensors[i].name));
		random_fill(&p->tensors[i], (unsigned)i, v);
		good = b->upload(l, i, v, err);
		free(v);
	}
	return good;
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

bool verify_plan(const struct backend *b, struct loaded *l, const struct plan *p, int devices, struct arena *a,
		 struct verify_result *out, struct bench_error *err)
{
	struct verify_kind all[OP_KINDS] = { 0 };

	for (int k = 0; k < OP_KINDS; k++)
		all[k] = (struct verify_kind){ .kind = (enum op_kind)k,
					       .tolerance = verify_tolerance((enum op_kind)k, p->precision) };
	bool good = verify_fill(b, l, p, err);
	for (int i = 0; i < p->nops && good; i++) {
		struct check c = { .b = b, .l = l, .p = p, .op = &p->ops[i], .index = i, .devices = devices };
		good = seen(p, i) ? b->run_op(l, i, err) : check_op(&c, &all[p->ops[i].kind], err);
	}
	summarise(all, a, out);
	return good;
}
