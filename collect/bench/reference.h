/* What every operation means, in plain C and double precision; the numeric truth that backends are
 * held against. An operation falls into units (an element of a product, a row of a softmax, a
 * channel of a batch norm, a sequence of a recurrent layer), each computed alone, so that a sample
 * of a large operation takes seconds.
 * Sources: gradients as in the references of PyTorch and cuDNN; each is checked by finite
 * differences. */
#ifndef BENCH_REFERENCE_H
#define BENCH_REFERENCE_H

#include "plan.h"

struct reference {
	const struct plan *plan;
	const struct op *op;
	const double *in[OP_INPUTS];   /* values before the operation, in logical order */
	/* of the outputs before it (sums in place, parts of tensors) */
	const double *old[OP_OUTPUTS];
	double *out[OP_OUTPUTS];       /* out: a unit writes what it computes and leaves the rest */
	int devices;                   /* all-reduce */
};

/* How many units; those of recurrent weights count as one more, of norms' weights as one a
 * column. */
long reference_units(const struct plan *p, const struct op *op);
void reference_unit(const struct reference *r, long unit);
/* Multiplications of one unit, about. */
double reference_unit_work(const struct plan *p, const struct op *op);

/* Nearest value of a type (ties to even); out of range: infinite, as stored. fp8 is e4m3 with the
 * tensor's scale, which is left to the backend: not rounded here. */
double reference_round(double v, enum element e, enum precision p);

/* By kind: how many units, and one of them. In reference_dense.c and reference_rows.c. */
struct reference_kind {
	long (*units)(const struct plan *p, const struct op *op);
	void (*unit)(const struct reference *r, long unit);
};
extern const struct reference_kind reference_gemm, reference_conv, reference_conv_data,
    reference_conv_filter, reference_lstm, reference_lstm_bwd, reference_attention,
    reference_attention_bwd, reference_attention_cache;
extern const struct reference_kind reference_bias_grad, reference_batchnorm,
    reference_batchnorm_bwd, reference_layernorm, reference_layernorm_bwd, reference_rmsnorm,
    reference_maxpool, reference_maxpool_bwd, reference_avgpool, reference_avgpool_bwd,
    reference_activation, reference_activation_bwd, reference_swiglu, reference_add, reference_loss,
    reference_embed, reference_embed_bwd, reference_gather, reference_scatter, reference_rope,
    reference_rel_shift, reference_rel_shift_bwd, reference_softmax, reference_softmax_bwd,
    reference_sgd, reference_adam, reference_stream, reference_transfer, reference_allreduce;

/* Activations and their derivatives, for both files. */
double reference_activate(enum activation a, double x);
double reference_activate_slope(enum activation a, double x);

#endif
