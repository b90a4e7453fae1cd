/* Bidirectional LSTM layers by cuDNN's recurrent interface. The tensor of the weights lies on the
 * card as cuDNN packs them, and so do its gradient, master and optimizer states: everything that is
 * done to them is element by element. */
#include "cuda_device.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { DIRECTIONS = 2, GATES = 4 };

struct lstm_state {
	cudnnRNNDescriptor_t rnn;
	cudnnDropoutDescriptor_t dropout;
	cudnnRNNDataDescriptor_t x, y;
	cudnnTensorDescriptor_t h; /* first and last states, which are zero and not wanted */
	size_t weights, workspace, reserve_bytes;
	void *lengths, *reserve; /* on the card */
};

static void free_state(void *p)
{
	struct lstm_state *s = p;

	if (s->h)
		cudnnDestroyTensorDescriptor(s->h);
	if (s->y)
		cudnnDestroyRNNDataDescriptor(s->y);
	if (s->x)
		cudnnDestroyRNNDataDescriptor(s->x);
	if (s->rnn)
		cudnnDestroyRNNDescriptor(s->rnn);
	if (s->dropout)
		cudnnDestroyDropoutDescriptor(s->dropout);
	memset(s, 0, sizeof *s);
}

/* FMA keeps true fp32; the default may use tf32. 16-bit values are added in fp32. */
static cudnnMathType_t math_of(enum precision p)
{
	static const cudnnMathType_t math[PRECISIONS] = {
		[PRECISION_FP32] = CUDNN_FMA_MATH,
		[PRECISION_TF32] = CUDNN_DEFAULT_MATH,
		[PRECISION_FP16] = CUDNN_TENSOR_OP_MATH,
		[PRECISION_BF16] = CUDNN_TENSOR_OP_MATH,
	};

	return math[p];
}

static bool describe_rnn(struct loaded *l, const struct op_lstm *p, cudnnDataType_t type,
			 struct lstm_state *s, struct bench_error *err)
{
	return dnn_ok(cudnnCreateDropoutDescriptor(&s->dropout), "cudnnCreateDropoutDescriptor",
		      err)
	       && dnn_ok(cudnnSetDropoutDescriptor(s->dropout, l->d->dnn, 0, NULL, 0, 0),
			 "cudnnSetDropoutDescriptor", err)
	       && dnn_ok(cudnnCreateRNNDescriptor(&s->rnn), "cudnnCreateRNNDescriptor", err)
	       && dnn_ok(cudnnSetRNNDescriptor_v8(
			     s->rnn, CUDNN_RNN_ALGO_STANDARD, CUDNN_LSTM, CUDNN_RNN_DOUBLE_BIAS,
			     CUDNN_BIDIRECTIONAL, CUDNN_LINEAR_INPUT, type, CUDNN_DATA_FLOAT,
			     math_of(l->plan->precision), (int32_t)p->input, (int32_t)p->hidden,
			     (int32_t)p->hidden, 1, s->dropout, CUDNN_RNN_PADDED_IO_DISABLED),
			 "cudnnSetRNNDescriptor_v8", err)
	       && dnn_ok(cudnnGetRNNWeightSpaceSize(l->d->dnn, s->rnn, &s->weights),
			 "cudnnGetRNNWeightSpaceSize", err);
}

/* All sequences are of the same length: packed rows (t b) are what the plan has. */
static bool describe_data(struct loaded *l, const struct op_lstm *p, cudnnDataType_t type,
			  struct lstm_state *s, struct bench_error *err)
{
	int *lengths = arena_array(&l->arena, (size_t)p->batch, sizeof *lengths);
	int dims[3] = { DIRECTIONS, (int)p->batch, (int)p->hidden },
	    strides[3] = { dims[1] * dims[2], dims[2], 1 };

	for (long i = 0; i < p->batch; i++)
		lengths[i] = (int)p->steps;
	return dnn_ok(cudnnCreateRNNDataDescriptor(&s->x), "cudnnCreateRNNDataDescriptor", err)
	       && dnn_ok(cudnnCreateRNNDataDescriptor(&s->y), "cudnnCreateRNNDataDescriptor", err)
	       && dnn_ok(cudnnSetRNNDataDescriptor(
			     s->x, type, CUDNN_RNN_DATA_LAYOUT_SEQ_MAJOR_PACKED, (int)p->steps,
			     (int)p->batch, (int)p->input, lengths, NULL),
			 "cudnnSetRNNDataDescriptor", err)
	       && dnn_ok(cudnnSetRNNDataDescriptor(
			     s->y, type, CUDNN_RNN_DATA_LAYOUT_SEQ_MAJOR_PACKED, (int)p->steps,
			     (int)p->batch, (int)(DIRECTIONS * p->hidden), lengths, NULL),
			 "cudnnSetRNNDataDescriptor", err)
	       && dnn_ok(cudnnCreateTensorDescriptor(&s->h), "cudnnCreateTensorDescriptor", err)
	       && dnn_ok(cudnnSetTensorNdDescriptor(s->h, type, 3, dims, strides),
			 "cudnnSetTensorNdDescriptor", err)
	       && cuda_alloc(l, sizeof *lengths * (size_t)p->batch, &s->lengths, err)
	       && cuda_copy(l, s->lengths, lengths, sizeof *lengths * (size_t)p->batch,
			    cudaMemcpyHostToDevice, err);
}

/* One matrix and one bias: gate (0 .. 3 of the input, 4 .. 7 of the recurrence) of a direction. */
static bool find_gate(struct loaded *l, const struct op_lstm *p, const struct lstm_state *s,
		      char *space, int direction, int gate, size_t element,
		      struct cuda_segment out[2], struct bench_error *err)
{
	cudnnTensorDescriptor_t matrix = NULL, bias = NULL;
	void *m = NULL, *b = NULL;
	long h = p->hidden, from = direction * (4 * h * (p->input + h) + 8 * h), g = gate % GATES;
	bool recurrent = gate >= GATES;
	bool good =
	    dnn_ok(cudnnCreateTensorDescriptor(&matrix), "cudnnCreateTensorDescriptor", err)
	    && dnn_ok(cudnnCreateTensorDescriptor(&bias), "cudnnCreateTensorDescriptor", err)
	    && dnn_ok(cudnnGetRNNWeightParams(l->d->dnn, s->rnn, direction, s->weights, space, gate,
					      matrix, &m, bias, &b),
		      "cudnnGetRNNWeightParams", err);

	if (good && (!m || !b))
		good = bench_fail(err, BENCH_FAILED, "cudnnGetRNNWeightParams: no place of gate %d",
				  gate);
	if (matrix)
		cudnnDestroyTensorDescriptor(matrix);
	if (bias)
		cudnnDestroyTensorDescriptor(bias);
	if (!good)
		return false;
	out[0] = (struct cuda_segment){ recurrent ? from + 4 * h * p->input + g * h * h
						  : from + g * h * p->input,
					recurrent ? h * h : h * p->input,
					((char *)m - space) / (long)element };
	out[1] = (struct cuda_segment){ from + 4 * h * (p->input + h) + gate * h, h,
					((char *)b - space) / (long)element };
	return true;
}

bool cuda_lstm_layout(struct loaded *l, const struct op *o, const struct cuda_segment **out, int *n,
		      long *count, struct bench_error *err)
{
	int weights = o->kind == OP_LSTM ? o->in[1] : o->in[3];
	struct cuda_segment *list =
	    arena_array(&l->arena, (size_t)(DIRECTIONS * 2 * GATES * 2), sizeof *list);
	struct lstm_state s = { 0 };
	size_t element = cuda_type_bytes(cuda_type_of(l, weights));
	void *space = NULL;
	bool good = describe_rnn(l, &o->p.lstm, cuda_dnn_type(cuda_type_of(l, weights)), &s, err)
		    && cuda_ok(cudaMalloc(&space, s.weights), "cudaMalloc", err);

	*n = 0;
	for (int d = 0; d < DIRECTIONS && good; d++)
		for (int gate = 0; gate < 2 * GATES && good; gate++, *n += 2)
			good =
			    find_gate(l, &o->p.lstm, &s, space, d, gate, element, &list[*n], err);
	*out = list;
	*count = (long)(s.weights / element);
	if (space)
		cudaFree(space);
	free_state(&s);
	return good;
}

bool cuda_lstm_prepare(struct loaded *l, int op, struct bench_error *err)
{
	const struct op *o = &l->plan->ops[op];
	cudnnDataType_t type = cuda_dnn_type(cuda_type_of(l, o->in[0]));
	struct lstm_state *s = arena_alloc(&l->arena, sizeof *s);

	l->ops[op].state = s;
	cuda_defer(l, free_state, s);
	snprintf(l->ops[op].detail, sizeof l->ops[op].detail, "cudnn RNN, standard algorithm");
	return describe_rnn(l, &o->p.lstm, type, s, err)
	       && describe_data(l, &o->p.lstm, type, s, err)
	       && dnn_ok(cudnnGetRNNTempSpaceSizes(l->d->dnn, s->rnn, CUDNN_FWD_MODE_TRAINING, s->x,
						   &s->workspace, &s->reserve_bytes),
			 "cudnnGetRNNTempSpaceSizes", err)
	       && cuda_alloc(l, s->reserve_bytes, &s->reserve, err)
	       && cuda_need_workspace(l, s->workspace, err);
}

bool cuda_lstm_run(struct loaded *l, int op, const struct cuda_args *a, struct bench_error *err)
{
	const struct lstm_state *s = l->ops[op].state;

	return dnn_ok(cudnnRNNForward(l->d->dnn, s->rnn, CUDNN_FWD_MODE_TRAINING, s->lengths, s->x,
				      a->in[0], s->y, a->out[0], s->h, NULL, NULL, s->h, NULL, NULL,
				      s->weights, a->in[1], s->workspace, l->workspace,
				      s->reserve_bytes, s->reserve),
		      "cudnnRNNForward", err);
}

/* The first layer of a network may have no dx; cuDNN writes one all the same. */
struct backward_state {
	void *dx;
};

bool cuda_lstm_bwd_prepare(struct loaded *l, int op, struct bench_error *err)
{
	const struct op *o = &l->plan->ops[op];
	const struct op_lstm *p = &o->p.lstm;
	struct backward_state *s = arena_alloc(&l->arena, sizeof *s);

	if (o->forward < 0)
		return bench_fail(err, BENCH_UNSUPPORTED,
				  "LSTM backward without its forward operation");
	l->ops[op].state = s;
	snprintf(l->ops[op].detail, sizeof l->ops[op].detail, "cudnn RNN, standard algorithm");
	return o->out[0] >= 0
	       || cuda_alloc(l,
			     (size_t)(p->steps * p->batch * p->input)
				 * cuda_type_bytes(cuda_type_of(l, o->in[1])),
			     &s->dx, err);
}

bool cuda_lstm_bwd_run(struct loaded *l, int op, const struct cuda_args *a, struct bench_error *err)
{
	const struct op *o = &l->plan->ops[op];
	const struct lstm_state *s = l->ops[o->forward].state;
	const struct backward_state *b = l->ops[op].state;
	void *dx = a->out[0] ? a->out[0] : b->dx;

	/* cuDNN only adds to the gradient of the weights */
	return cuda_ok(cudaMemsetAsync(a->out[1], 0, s->weights, l->d->stream), "cudaMemsetAsync",
		       err)
	       && dnn_ok(cudnnRNNBackwardData_v8(
			     l->d->dnn, s->rnn, s->lengths, s->y, a->in[2], a->in[0], s->x, dx,
			     s->h, NULL, NULL, NULL, s->h, NULL, NULL, NULL, s->weights, a->in[3],
			     s->workspace, l->workspace, s->reserve_bytes, s->reserve),
			 "cudnnRNNBackwardData_v8", err)
	       && dnn_ok(cudnnRNNBackwardWeights_v8(l->d->dnn, s->rnn, CUDNN_WGRAD_MODE_ADD,
						    s->lengths, s->x, a->in[1], s->h, NULL, s->y,
						    a->in[2], s->weights, a->out[1], s->workspace,
						    l->workspace, s->reserve_bytes, s->reserve),
			 "cudnnRNNBackwardWeights_v8", err);
}
