#include "reference.h"

#include <math.h>

static const struct reference_kind *const kinds[OP_KINDS] = {
	[OP_GEMM] = &reference_gemm,
	[OP_BIAS_GRAD] = &reference_bias_grad,
	[OP_CONV] = &reference_conv,
	[OP_CONV_BWD_DATA] = &reference_conv_data,
	[OP_CONV_BWD_FILTER] = &reference_conv_filter,
	[OP_BATCHNORM] = &reference_batchnorm,
	[OP_BATCHNORM_BWD] = &reference_batchnorm_bwd,
	[OP_LAYERNORM] = &reference_layernorm,
	[OP_LAYERNORM_BWD] = &reference_layernorm_bwd,
	[OP_RMSNORM] = &reference_rmsnorm,
	[OP_MAXPOOL] = &reference_maxpool,
	[OP_MAXPOOL_BWD] = &reference_maxpool_bwd,
	[OP_AVGPOOL] = &reference_avgpool,
	[OP_AVGPOOL_BWD] = &reference_avgpool_bwd,
	[OP_ACTIVATION] = &reference_activation,
	[OP_ACTIVATION_BWD] = &reference_activation_bwd,
	[OP_SWIGLU] = &reference_swiglu,
	[OP_ADD] = &reference_add,
	[OP_LOSS] = &reference_loss,
	[OP_EMBED] = &reference_embed,
	[OP_EMBED_BWD] = &reference_embed_bwd,
	[OP_GATHER_ROWS] = &reference_gather,
	[OP_SCATTER_ROWS] = &reference_scatter,
	[OP_LSTM] = &reference_lstm,
	[OP_LSTM_BWD] = &reference_lstm_bwd,
	[OP_ATTENTION] = &reference_attention,
	[OP_ATTENTION_BWD] = &reference_attention_bwd,
	[OP_ATTENTION_CACHE] = &reference_attention_cache,
	[OP_ROPE] = &reference_rope,
	[OP_REL_SHIFT] = &reference_rel_shift,
	[OP_REL_SHIFT_BWD] = &reference_rel_shift_bwd,
	[OP_SOFTMAX] = &reference_softmax,
	[OP_SOFTMAX_BWD] = &reference_softmax_bwd,
	[OP_SGD] = &reference_sgd,
	[OP_ADAM] = &reference_adam,
	[OP_STREAM] = &reference_stream,
	[OP_TRANSFER] = &reference_transfer,
	[OP_ALLREDUCE] = &reference_allreduce,
};

long reference_units(const struct plan *p, const struct op *op)
{
	return kinds[op->kind]->units(p, op);
}

void reference_unit(const struct reference *r, long unit)
{
	kinds[r->op->kind]->unit(r, unit);
}

double reference_unit_work(const struct plan *p, const struct op *op)
{
	struct cost c = op_cost(p, op);
	double units = (double)reference_units(p, op);

	/* a row that goes into a table looks at all of them */
	if (op->kind == OP_EMBED_BWD || op->kind == OP_SCATTER_ROWS)
		return (double)op->p.rows.rows;
	return (c.matrix_flop / 2 + c.bytes) / units;
}

/* Steps of 2^-bits within a binade down to the least exponent, then of fixed size (subnormal
 * numbers). */
static double round_to(double v, int bits, int least, double max)
{
	int exponent;

	if (v == 0 || !isfinite(v))
		return v;
	frexp(v, &exponent); /* v = f 2^exponent, f in [0.5, 1) */
	if (exponent - 1 < least)
		exponent = least + 1;
	double step = ldexp(1, exponent - 1 - bits), r = nearbyint(v / step) * step;
	return fabs(r) > max ? copysign(INFINITY, v) : r;
}

double reference_round(double v, enum element e, enum precision p)
{
	if (e == ELEMENT_I32 || (p == PRECISION_FP8 && e == ELEMENT_VALUE))
		return v;
	if (e == ELEMENT_F32 || p == PRECISION_FP32 || p == PRECISION_TF32)
		return (double)(float)v;
	if (p == PRECISION_FP16)
		return round_to(v, 10, -14, 65504);
	return round_to(v, 7, -126, 3.3895313892515355e38); /* bf16 */
}
