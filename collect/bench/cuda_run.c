/* Running what is loaded: an operation, steps (plain or as a graph), one operation many times over.
 */
#include "cuda_kernels.h"

#include <math.h>
#include <string.h>
#include <time.h>

/* Which functions do an operation; prepare may be missing. */
static const struct cuda_kind kinds[OP_KINDS] = {
	[OP_GEMM] = { cuda_gemm_prepare, cuda_gemm_run, NULL, false },
	[OP_BIAS_GRAD] = { cuda_bias_grad_prepare, cuda_bias_grad_run, NULL, true },
	[OP_CONV] = { cuda_conv_prepare, cuda_conv_run, NULL, false },
	[OP_CONV_BWD_DATA] = { cuda_conv_prepare, cuda_conv_run, NULL, false },
	[OP_CONV_BWD_FILTER] = { cuda_conv_prepare, cuda_conv_run, NULL, false },
	[OP_BATCHNORM] = { cuda_norm_prepare, cuda_batchnorm_run, NULL, true },
	[OP_BATCHNORM_BWD] = { cuda_norm_prepare, cuda_batchnorm_bwd_run, NULL, true },
	[OP_LAYERNORM] = { NULL, cuda_layernorm_run, NULL, true },
	[OP_LAYERNORM_BWD] = { cuda_norm_prepare, cuda_layernorm_bwd_run, NULL, true },
	[OP_RMSNORM] = { NULL, cuda_rmsnorm_run, NULL, true },
	[OP_MAXPOOL] = { NULL, cuda_maxpool_run, NULL, true },
	[OP_MAXPOOL_BWD] = { NULL, cuda_maxpool_bwd_run, NULL, true },
	[OP_AVGPOOL] = { NULL, cuda_avgpool_run, NULL, true },
	[OP_AVGPOOL_BWD] = { NULL, cuda_avgpool_bwd_run, NULL, true },
	[OP_ACTIVATION] = { NULL, cuda_activation_run, NULL, true },
	[OP_ACTIVATION_BWD] = { NULL, cuda_activation_bwd_run, NULL, true },
	[OP_SWIGLU] = { NULL, cuda_swiglu_run, NULL, true },
	[OP_ADD] = { NULL, cuda_add_run, NULL, true },
	[OP_LOSS] = { cuda_loss_prepare, cuda_loss_run, NULL, true },
	[OP_EMBED] = { NULL, cuda_gather_run, NULL, true },
	[OP_EMBED_BWD] = { NULL, cuda_embed_bwd_run, NULL, true },
	[OP_GATHER_ROWS] = { NULL, cuda_gather_run, NULL, true },
	[OP_SCATTER_ROWS] = { NULL, cuda_scatter_run, NULL, true },
	[OP_LSTM] = { cuda_lstm_prepare, cuda_lstm_run, NULL, false },
	[OP_LSTM_BWD] = { cuda_lstm_bwd_prepare, cuda_lstm_bwd_run, NULL, false },
	[OP_ATTENTION] = { cuda_attention_prepare, cuda_attention_run, NULL, false },
	[OP_ATTENTION_BWD] = { cuda_attention_bwd_prepare, cuda_attention_bwd_run, NULL, false },
	[OP_ATTENTION_CACHE] = { cuda_attention_cache_prepare, cuda_attention_cache_run, NULL,
				 true },
	[OP_ROPE] = { NULL, cuda_rope_run, NULL, true },
	[OP_REL_SHIFT] = { NULL, cuda_rel_shift_run, NULL, true },
	[OP_REL_SHIFT_BWD] = { NULL, cuda_rel_shift_run, NULL, true },
	[OP_SOFTMAX] = { NULL, cuda_softmax_run, NULL, true },
	[OP_SOFTMAX_BWD] = { NULL, cuda_softmax_bwd_run, NULL, true },
	[OP_SGD] = { cuda_optimizer_prepare, cuda_optimizer_run, NULL, true },
	[OP_ADAM] = { cuda_optimizer_prepare, cuda_optimizer_run, NULL, true },
	[OP_STREAM] = { cuda_stream_prepare, cuda_stream_run, NULL, true },
	[OP_TRANSFER] = { cuda_transfer_prepare, cuda_transfer_run, cuda_transfer_check, false },
	[OP_ALLREDUCE] = { cuda_allreduce_prepare, cuda_allreduce_run, cuda_allreduce_check,
			   false },
};

const struct cuda_kind *cuda_kind_of(enum op_kind k)
{
	return &kinds[k];
}

/* "layer1.0.conv1: cudnnBackendExecute: …" */
static bool name_op(const struct op *o, struct bench_error *err)
{
	struct bench_error e = *err;

	return bench_fail(err, e.code, STR_FMT ": %.300s", STR_ARG(o->name), e.msg);
}

/* Whatever failed, a lost card is remembered: nothing after it can be trusted. */
static bool settle(struct loaded *l, bool good, struct bench_error *err)
{
	if (!good && err->code == BENCH_LOST)
		l->d->lost = true;
	return good;
}

static bool is_alive(const struct loaded *l, struct bench_error *err)
{
	return !l->d->lost || bench_fail(err, BENCH_LOST, "the card was lost by an earlier error");
}

static bool synchronise(struct loaded *l, struct bench_error *err)
{
	return cuda_ok(cudaStreamSynchronize(l->d->stream), "cudaStreamSynchronize", err);
}

bool cuda_run_op(struct loaded *l, int op, struct bench_error *err)
{
	const struct op *o = &l->plan->ops[op];
	const struct cuda_kind *k = l->ops[op].kind;
	struct cuda_args a = cuda_args_of(l, o);

	if (!is_alive(l, err))
		return false;
	bool good =
	    (k->check ? k->check(l, op, err) : k->run(l, op, &a, err)) && synchronise(l, err);
	cuda_note_written(l, op);
	return settle(l, good || name_op(o, err), err);
}

/* All operations of a step onto the stream. */
static bool enqueue_step(struct loaded *l, struct bench_error *err)
{
	for (int i = 0, next; i < l->plan->nops; i = next) {
		const struct op *o = &l->plan->ops[i];
		struct cuda_args a = cuda_args_of(l, o);
		next = i + 1;
		bool good = o->kind == OP_SGD || o->kind == OP_ADAM
				? cuda_optimizer_run_group(l, i, &next, err)
				: l->ops[i].kind->run(l, i, &a, err);
		if (!good)
			return name_op(o, err);
	}
	return true;
}

static bool need_events(struct loaded *l, size_t n, struct bench_error *err)
{
	l->events = arena_grow(&l->arena, l->events, &l->events_cap, n, sizeof *l->events);
	while (l->nevents < n) {
		if (!cuda_ok(cudaEventCreate(&l->events[l->nevents]), "cudaEventCreate", err))
			return false;
		l->nevents++;
	}
	return true;
}

static bool record(struct loaded *l, size_t i, struct bench_error *err)
{
	return cuda_ok(cudaEventRecord(l->events[i], l->d->stream), "cudaEventRecord", err);
}

static bool elapsed(struct loaded *l, size_t from, size_t to, double *seconds,
		    struct bench_error *err)
{
	float ms = 0;

	if (!cuda_ok(cudaEventElapsedTime(&ms, l->events[from], l->events[to]),
		     "cudaEventElapsedTime", err))
		return false;
	*seconds = (double)ms * 1e-3;
	return true;
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* A capture that fails is no failure of the card: plain steps go on. The stream must leave its
 * capturing state whatever happens, else every later call on it fails. */
static bool capture(struct loaded *l, struct bench_error *err)
{
	cudaGraph_t graph = NULL;
	struct bench_error why = { 0 };
	bool good = cuda_ok(cudaStreamBeginCapture(l->d->stream, cudaStreamCaptureModeThreadLocal),
			    "cudaStreamBeginCapture", &why);

	if (good) {
		good = enqueue_step(l, &why);
		struct bench_error *end_err = good ? &why : &(struct bench_error){ 0 };
		bool ended = cuda_ok(cudaStreamEndCapture(l->d->stream, &graph),
				     "cudaStreamEndCapture", end_err);
		good = good && ended;
	}
	good = good
	       && cuda_ok(cudaGraphInstantiateWithFlags(&l->graph, graph, 0),
			  "cudaGraphInstantiate", &why);
	if (graph)
		cudaGraphDestroy(graph);
	if (good)
		return true;
	l->graph = NULL;
	if (why.code == BENCH_LOST)
		return bench_fail(err, BENCH_LOST, "%s", why.msg);
	return bench_fail(err, BENCH_UNSUPPORTED, "no CUDA graph of a step: %.300s", why.msg);
}

static bool one_step(struct loaded *l, bool graph, struct bench_error *err)
{
	return graph ? cuda_ok(cudaGraphLaunch(l->graph, l->d->stream), "cudaGraphLaunch", err)
		     : enqueue_step(l, err);
}

static bool run_steps(struct loaded *l, int steps, bool graph, double *seconds, double *wall_s,
		      struct bench_error *err)
{
	if (!need_events(l, (size_t)steps + 1, err) || (graph && !l->graph && !capture(l, err)))
		return false;
	double begin = now();
	if (!record(l, 0, err))
		return false;
	for (int i = 0; i < steps; i++)
		if (!one_step(l, graph, err) || !record(l, (size_t)i + 1, err))
			return false;
	if (!synchronise(l, err))
		return false;
	*wall_s = now() - begin;
	for (int i = 0; i < steps; i++)
		if (!elapsed(l, (size_t)i, (size_t)i + 1, &seconds[i], err))
			return false;
	return true;
}

bool cuda_run_steps(struct loaded *l, int steps, bool graph, double *seconds, double *wall_s,
		    struct bench_error *err)
{
	return is_alive(l, err) && settle(l, run_steps(l, steps, graph, seconds, wall_s, err), err);
}

/* Sets of buffers beyond the tensors themselves stand at the end of `owned`. */
void cuda_drop_sets(struct loaded *l)
{
	if (l->sets_op >= 0)
		while (l->nowned > l->sets_owned)
			cudaFree(l->owned[--l->nowned]);
	l->sets_op = -1;
	l->nsets = 0;
}

/* A copy of a tensor with the same content; the copy of one that was copied already is that. */
static bool copy_tensor(struct loaded *l, int tensor, const int *known, void *const *copies, int n,
			void **out, struct bench_error *err)
{
	const struct cuda_tensor *t = &l->tensors[tensor];
	size_t bytes = (size_t)t->count * cuda_type_bytes(t->type);

	for (int i = 0; i < n; i++)
		if (known[i] == tensor) {
			*out = copies[i];
			return true;
		}
	return cuda_alloc(l, bytes, out, err)
	       && cuda_copy(l, *out, t->p, bytes, cudaMemcpyDeviceToDevice, err);
}

static bool make_set(struct loaded *l, const struct op *o, struct cuda_args *set,
		     struct bench_error *err)
{
	int known[OP_INPUTS + OP_OUTPUTS], n = 0;
	void *copies[OP_INPUTS + OP_OUTPUTS];

	memset(set, 0, sizeof *set);
	for (int i = 0; i < OP_INPUTS + OP_OUTPUTS; i++) {
		int tensor = i < OP_INPUTS ? o->in[i] : o->out[i - OP_INPUTS];
		void **at = i < OP_INPUTS ? &set->in[i] : &set->out[i - OP_INPUTS];
		if (tensor < 0)
			continue;
		if (!copy_tensor(l, tensor, known, copies, n, at, err))
			return false;
		known[n] = tensor;
		copies[n++] = *at;
	}
	return true;
}

/* `copies` sets; the first is the tensors themselves. They stay until another operation is asked
 * for. */
static bool need_sets(struct loaded *l, int op, int copies, struct bench_error *err)
{
	const struct op *o = &l->plan->ops[op];

	if (l->sets_op == op && l->nsets == copies)
		return true;
	cuda_drop_sets(l);
	l->sets_op = op;
	l->sets_owned = l->nowned;
	l->sets = arena_array(&l->arena, (size_t)copies, sizeof *l->sets);
	l->sets[0] = cuda_args_of(l, o);
	for (l->nsets = 1; l->nsets < copies; l->nsets++)
		if (!make_set(l, o, &l->sets[l->nsets], err)) {
			cuda_drop_sets(l);
			return false;
		}
	return true;
}

static bool run_micro(struct loaded *l, int op, int times, int copies, double *seconds,
		      struct bench_error *err)
{
	if (!need_sets(l, op, copies > 0 ? copies : 1, err) || !need_events(l, 2, err)
	    || !synchronise(l, err) || !record(l, 0, err))
		return false;
	for (int i = 0; i < times; i++)
		if (!l->ops[op].kind->run(l, op, &l->sets[i % l->nsets], err))
			return name_op(&l->plan->ops[op], err);
	return record(l, 1, err) && synchronise(l, err) && elapsed(l, 0, 1, seconds, err);
}

bool cuda_run_micro(struct loaded *l, int op, int times, int copies, double *seconds,
		    struct bench_error *err)
{
	return is_alive(l, err) && settle(l, run_micro(l, op, times, copies, seconds, err), err);
}

enum { TRIES = 3 };

bool cuda_time_try(struct loaded *l, bool (*f)(void *ctx, struct bench_error *err), void *ctx,
		   double *seconds, struct bench_error *err)
{
	*seconds = INFINITY;
	if (!need_events(l, 2, err) || !f(ctx, err) || !synchronise(l, err))
		return false;
	for (int i = 0; i < TRIES; i++) {
		double s;
		if (!record(l, 0, err) || !f(ctx, err) || !record(l, 1, err) || !synchronise(l, err)
		    || !elapsed(l, 0, 1, &s, err))
			return false;
		*seconds = fmin(*seconds, s);
	}
	return true;
}

const char *cuda_op_detail(struct loaded *l, int op)
{
	return l->ops[op].detail;
}
