#include "plan.h"

#include <string.h>

static const struct str precision_names[PRECISIONS] = {
	[PRECISION_FP32] = STR_INIT("fp32"), [PRECISION_TF32] = STR_INIT("tf32"),
	[PRECISION_FP16] = STR_INIT("fp16"), [PRECISION_BF16] = STR_INIT("bf16"),
	[PRECISION_FP8] = STR_INIT("fp8"),
};

static const struct str op_names[OP_KINDS] = {
	[OP_GEMM] = STR_INIT("gemm"),
	[OP_BIAS_GRAD] = STR_INIT("bias-grad"),
	[OP_CONV] = STR_INIT("conv"),
	[OP_CONV_BWD_DATA] = STR_INIT("conv-bwd-data"),
	[OP_CONV_BWD_FILTER] = STR_INIT("conv-bwd-filter"),
	[OP_BATCHNORM] = STR_INIT("batchnorm"),
	[OP_BATCHNORM_BWD] = STR_INIT("batchnorm-bwd"),
	[OP_LAYERNORM] = STR_INIT("layernorm"),
	[OP_LAYERNORM_BWD] = STR_INIT("layernorm-bwd"),
	[OP_RMSNORM] = STR_INIT("rmsnorm"),
	[OP_MAXPOOL] = STR_INIT("maxpool"),
	[OP_MAXPOOL_BWD] = STR_INIT("maxpool-bwd"),
	[OP_AVGPOOL] = STR_INIT("avgpool"),
	[OP_AVGPOOL_BWD] = STR_INIT("avgpool-bwd"),
	[OP_ACTIVATION] = STR_INIT("activation"),
	[OP_ACTIVATION_BWD] = STR_INIT("activation-bwd"),
	[OP_SWIGLU] = STR_INIT("swiglu"),
	[OP_ADD] = STR_INIT("add"),
	[OP_LOSS] = STR_INIT("loss"),
	[OP_EMBED] = STR_INIT("embed"),
	[OP_EMBED_BWD] = STR_INIT("embed-bwd"),
	[OP_GATHER_ROWS] = STR_INIT("gather-rows"),
	[OP_SCATTER_ROWS] = STR_INIT("scatter-rows"),
	[OP_LSTM] = STR_INIT("lstm"),
	[OP_LSTM_BWD] = STR_INIT("lstm-bwd"),
	[OP_ATTENTION] = STR_INIT("attention"),
	[OP_ATTENTION_BWD] = STR_INIT("attention-bwd"),
	[OP_ATTENTION_CACHE] = STR_INIT("attention-cache"),
	[OP_ROPE] = STR_INIT("rope"),
	[OP_REL_SHIFT] = STR_INIT("rel-shift"),
	[OP_REL_SHIFT_BWD] = STR_INIT("rel-shift-bwd"),
	[OP_SOFTMAX] = STR_INIT("softmax"),
	[OP_SOFTMAX_BWD] = STR_INIT("softmax-bwd"),
	[OP_SGD] = STR_INIT("sgd"),
	[OP_ADAM] = STR_INIT("adam"),
	[OP_STREAM] = STR_INIT("stream"),
	[OP_TRANSFER] = STR_INIT("transfer"),
	[OP_ALLREDUCE] = STR_INIT("allreduce"),
};

struct str precision_name(enum precision p)
{
	return precision_names[p];
}

bool precision_parse(struct str s, enum precision *out)
{
	for (int i = 0; i < PRECISIONS; i++)
		if (str_eq(s, precision_names[i])) {
			*out = (enum precision)i;
			return true;
		}
	return false;
}

struct str op_kind_name(enum op_kind k)
{
	return op_names[k];
}

size_t element_bytes(enum element e, enum precision p)
{
	static const size_t value[PRECISIONS] = {
		[PRECISION_FP32] = 4, [PRECISION_TF32] = 4, [PRECISION_FP16] = 2,
		[PRECISION_BF16] = 2, [PRECISION_FP8] = 1,
	};

	switch (e) {
	case ELEMENT_VALUE:
		return value[p];
	case ELEMENT_RESULT:
		return p == PRECISION_FP8 ? 2 : value[p];
	case ELEMENT_F32:
	case ELEMENT_I32:
		break;
	}
	return 4;
}

int plan_tensor(struct plan *p, const struct tensor *t)
{
	p->tensors = arena_grow(p->arena, p->tensors, &p->tensors_cap, (size_t)p->ntensors + 1,
				sizeof *p->tensors);
	p->tensors[p->ntensors] = *t;
	return p->ntensors++;
}

int plan_op(struct plan *p, const struct op *o)
{
	p->ops = arena_grow(p->arena, p->ops, &p->ops_cap, (size_t)p->nops + 1, sizeof *p->ops);
	p->ops[p->nops] = *o;
	return p->nops++;
}

struct op op_make(enum op_kind kind, struct str name)
{
	struct op o;

	memset(&o, 0, sizeof o); /* padding too: op_same() compares bytes of the parameters */
	o.kind = kind;
	o.name = name;
	o.forward = -1;
	for (int i = 0; i < OP_INPUTS; i++)
		o.in[i] = -1;
	for (int i = 0; i < OP_OUTPUTS; i++)
		o.out[i] = -1;
	return o;
}

long tensor_count(const struct tensor *t)
{
	long n = 1;

	for (int i = 0; i < t->rank; i++)
		n *= t->dim[i];
	return n;
}

/* Whether two operands are of one kind: both absent, or of one element type. */
static bool operand_same(const struct plan *p, int a, int b)
{
	if (a < 0 || b < 0)
		return a < 0 && b < 0;
	return p->tensors[a].element == p->tensors[b].element;
}

bool op_same(const struct plan *p, const struct op *a, const struct op *b)
{
	if (a->kind != b->kind || memcmp(&a->p, &b->p, sizeof a->p) != 0)
		return false;
	for (int i = 0; i < OP_INPUTS; i++)
		if (!operand_same(p, a->in[i], b->in[i]))
			return false;
	for (int i = 0; i < OP_OUTPUTS; i++)
		if (!operand_same(p, a->out[i], b->out[i]))
			return false;
	return true;
}

double plan_bytes(const struct plan *p)
{
	double sum = 0;

	for (int i = 0; i < p->ntensors; i++)
		sum += (double)tensor_count(&p->tensors[i])
		       * (double)element_bytes(p->tensors[i].element, p->precision);
	return sum;
}

long plan_parameters(const struct plan *p)
{
	long sum = 0;

	for (int i = 0; i < p->ntensors; i++)
		sum += p->tensors[i].is_weight ? tensor_count(&p->tensors[i]) : 0;
	return sum;
}
