/* Recurrent layers: one primitive a layer for both directions. The packed weights are reordered to
 * what the primitive wants in every pass, as an optimizer that changes them in between demands; its
 * time is counted. Gates stand in the order i f c~ o on both sides. The primitive has one bias, the
 * sum of ours; both have its gradient. */
#include "onednn_load.h"

#include "onednn_vector.h"

#include <string.h>

struct lstm {
	struct op_lstm p;
	struct prim *prim;
	struct call *call;
	struct adapter w, r, dw, dr, dx, dy;
	float *bias, *dbias;      /* 2 directions of 4h */
	void *workspace;          /* what the forward pass keeps for the backward one */
	struct lstm *forward;
};

static const int args_fwd[] = { DNNL_ARG_SRC_LAYER, DNNL_ARG_WEIGHTS_LAYER, DNNL_ARG_WEIGHTS_ITER,
				DNNL_ARG_BIAS,      DNNL_ARG_DST_LAYER,     DNNL_ARG_WORKSPACE };
static const int args_bwd[] = { DNNL_ARG_SRC_LAYER,         DNNL_ARG_WEIGHTS_LAYER,
				DNNL_ARG_WEIGHTS_ITER,      DNNL_ARG_BIAS,
				DNNL_ARG_DST_LAYER,         DNNL_ARG_WORKSPACE,
				DNNL_ARG_DIFF_SRC_LAYER,    DNNL_ARG_DIFF_WEIGHTS_LAYER,
				DNNL_ARG_DIFF_WEIGHTS_ITER, DNNL_ARG_DIFF_BIAS,
				DNNL_ARG_DIFF_DST_LAYER };

/* Elements of one direction: W (4h i), R (4h h), bW (4h), bR (4h). */
static long direction_size(const struct op_lstm *p)
{
	return 4 * p->hidden * (p->input + p->hidden) + 8 * p->hidden;
}

static long recurrent_at(const struct op_lstm *p)
{
	return 4 * p->hidden * p->input;
}

static long bias_at(const struct op_lstm *p)
{
	return 4 * p->hidden * (p->input + p->hidden);
}

/* W or R as it lies in the packed tensor: (layer direction input gate output), gate and output
 * outside. */
static const struct layout *packed(struct loaded *l, const struct op_lstm *p, dnnl_data_type_t type,
				   long input, struct bench_error *err)
{
	long size = direction_size(p);

	return layout_make(&l->lib, type, 5, (long[]){ 1, 2, input, 4, p->hidden },
			   (long[]){ 2 * size, size, 1, p->hidden * input, input }, err);
}

static const struct layout *sequence(struct loaded *l, const struct op_lstm *p,
				     dnnl_data_type_t type, long width, struct bench_error *err)
{
	return layout_make(&l->lib, type, 3, (long[]){ p->steps, p->batch, width }, NULL, err);
}

static const struct layout *any_weights(struct loaded *l, const struct op_lstm *p,
					dnnl_data_type_t type, long input, struct bench_error *err)
{
	return layout_any(&l->lib, type, 5, (long[]){ 1, 2, input, 4, p->hidden }, err);
}

static bool describe(struct loaded *l, const struct op_lstm *p, dnnl_data_type_t type,
		     struct lib_lstm *out, struct bench_error *err)
{
	*out = (struct lib_lstm){
		.x = sequence(l, p, type, p->input, err),
		.y = sequence(l, p, type, 2 * p->hidden, err),
		.w = any_weights(l, p, type, p->input, err),
		.r = any_weights(l, p, type, p->hidden, err),
		.bias =
		    layout_make(&l->lib, dnnl_f32, 4, (long[]){ 1, 2, 4, p->hidden }, NULL, err),
	};
	return out->x && out->y && out->w && out->r && out->bias;
}

/* All gradients are fp32: the library has no backward pass with others. */
static bool describe_bwd(struct loaded *l, const struct op_lstm *p, struct lib_lstm *out,
			 struct bench_error *err)
{
	out->dx = sequence(l, p, dnnl_f32, p->input, err);
	out->dy = sequence(l, p, dnnl_f32, 2 * p->hidden, err);
	out->dw = any_weights(l, p, dnnl_f32, p->input, err);
	out->dr = any_weights(l, p, dnnl_f32, p->hidden, err);
	out->dbias = out->bias;
	return out->dx && out->dy && out->dw && out->dr;
}

static bool weight_adapters(struct loaded *l, struct lstm *m, dnnl_data_type_t type,
			    struct bench_error *err)
{
	const struct layout *w = packed(l, &m->p, type, m->p.input, err);
	const struct layout *r = packed(l, &m->p, type, m->p.hidden, err);

	return w && r
	       && adapter_in(l, &m->w, w,
			     prim_layout(&l->lib, m->prim, DNNL_ARG_WEIGHTS_LAYER, err), SLOT_A,
			     err)
	       && adapter_in(l, &m->r, r, prim_layout(&l->lib, m->prim, DNNL_ARG_WEIGHTS_ITER, err),
			     SLOT_B, err);
}

static bool state_adapters(struct loaded *l, struct lstm *m, const struct lib_lstm *d,
			   dnnl_data_type_t type, struct bench_error *err)
{
	const struct layout *x = sequence(l, &m->p, type, m->p.input, err);
	const struct layout *y = sequence(l, &m->p, type, 2 * m->p.hidden, err);

	/* also where nobody wants dx, which the library makes all the same */
	step_want_slot(l, SLOT_E, d->dx->bytes);
	return x && y && adapter_out(l, &m->dx, d->dx, x, SLOT_E, err)
	       && adapter_in(l, &m->dy, y, d->dy, SLOT_F, err);
}

static bool gradient_adapters(struct loaded *l, struct lstm *m, dnnl_data_type_t type,
			      struct bench_error *err)
{
	const struct layout *w = packed(l, &m->p, type, m->p.input, err);
	const struct layout *r = packed(l, &m->p, type, m->p.hidden, err);
	const struct layout *dw = prim_layout(&l->lib, m->prim, DNNL_ARG_DIFF_WEIGHTS_LAYER, err);
	const struct layout *dr = prim_layout(&l->lib, m->prim, DNNL_ARG_DIFF_WEIGHTS_ITER, err);

	return w && r && dw && dr && adapter_out(l, &m->dw, dw, w, SLOT_C, err)
	       && adapter_out(l, &m->dr, dr, r, SLOT_D, err);
}

/* bW + bR of both directions. */
static void sum_biases(const struct loaded *l, const struct lstm *m, int tensor)
{
	long h4 = 4 * m->p.hidden;
	struct numbers w = numbers_of(l, tensor);
	float *room = m->dbias; /* free until the gradient is written */

	for (long d = 0; d < 2; d++) {
		long at = d * direction_size(&m->p) + bias_at(&m->p);
		float *to = m->bias + d * h4;
		memcpy(to, numbers_get(w, at, h4, room), sizeof *to * (size_t)h4);
		vector_add(to, to, numbers_get(w, at + h4, h4, room), h4);
	}
}

static bool read_weights(struct loaded *l, const struct lstm *m, int tensor, void **w, void **r,
			 struct bench_error *err)
{
	char *data = step_data(l, tensor);
	size_t size = step_half(l, tensor) ? 2 : 4;

	sum_biases(l, m, tensor);
	return adapter_read(l, &m->w, data, w, err)
	       && adapter_read(l, &m->r, data + size * (size_t)recurrent_at(&m->p), r, err);
}

static bool lstm_run(struct loaded *l, const struct step *s, struct bench_error *err)
{
	const struct lstm *m = s->state;
	void *w, *r;

	return read_weights(l, m, s->op->in[1], &w, &r, err)
	       && call_run(m->call,
			   (void *[]){ step_data(l, s->op->in[0]), w, r, m->bias,
				       step_data(l, s->op->out[0]), m->workspace },
			   l->slot[SLOT_SCRATCHPAD], err);
}

static bool write_gradients(struct loaded *l, const struct lstm *m, int tensor,
			    struct bench_error *err)
{
	struct numbers dw = numbers_of(l, tensor);
	size_t size = dw.half ? 2 : 4;
	long h4 = 4 * m->p.hidden;

	for (long d = 0; d < 2; d++)
		for (long i = 0; i < 2; i++)
			numbers_put(dw, d * direction_size(&m->p) + bias_at(&m->p) + i * h4, h4,
				    m->dbias + d * h4);
	return adapter_finish(l, &m->dw, dw.p, err)
	       && adapter_finish(l, &m->dr, dw.p + size * (size_t)recurrent_at(&m->p), err);
}

/* The library adds to gradients of weights: they start from zero. */
static bool lstm_bwd_run(struct loaded *l, const struct step *s, struct bench_error *err)
{
	const struct lstm *m = s->state;
	const struct op *op = s->op;
	size_t recurrent = (step_half(l, op->out[1]) ? 2 : 4) * (size_t)recurrent_at(&m->p);
	void *w, *r, *dy,
	    *dx = op->out[0] >= 0 ? adapter_write(l, &m->dx, step_data(l, op->out[0]))
				  : l->slot[SLOT_E];
	char *dw = adapter_write(l, &m->dw, step_data(l, op->out[1]));
	char *dr = adapter_write(l, &m->dr, step_data(l, op->out[1]) + recurrent);

	if (!read_weights(l, m, op->in[3], &w, &r, err)
	    || !adapter_read(l, &m->dy, step_data(l, op->in[0]), &dy, err))
		return false;
	memset(m->dbias, 0, sizeof *m->dbias * 8 * (size_t)m->p.hidden);
	memset(dw, 0, prim_bytes(m->prim, DNNL_ARG_DIFF_WEIGHTS_LAYER));
	memset(dr, 0, prim_bytes(m->prim, DNNL_ARG_DIFF_WEIGHTS_ITER));
	return call_run(m->call,
			(void *[]){ step_data(l, op->in[1]), w, r, m->bias, step_data(l, op->in[2]),
				    m->forward->workspace, dx, dw, dr, m->dbias, dy },
			l->slot[SLOT_SCRATCHPAD], err)
	       && (op->out[0] < 0 || adapter_finish(l, &m->dx, step_data(l, op->out[0]), err))
	       && write_gradients(l, m, op->out[1], err);
}

static struct lstm *state_of(struct loaded *l, struct step *s)
{
	struct lstm *m = arena_alloc(&l->arena, sizeof *m);

	m->p = s->op->p.lstm;
	m->bias = arena_array(&l->arena, 8 * (size_t)m->p.hidden, sizeof *m->bias);
	m->dbias = arena_array(&l->arena, 8 * (size_t)m->p.hidden, sizeof *m->dbias);
	s->state = m;
	return m;
}

bool lstm_make(struct loaded *l, struct step *s, struct bench_error *err)
{
	struct lstm *m = state_of(l, s);
	dnnl_data_type_t type = step_type(l, s->op->in[0]);
	struct lib_lstm d;

	s->run = lstm_run;
	if (!step_all_plain(l, s, err) || !describe(l, &m->p, type, &d, err)
	    || !(m->prim = lib_lstm(&l->lib, &d, err))
	    || !(m->call = step_call(l, m->prim, args_fwd, LEN(args_fwd), err)))
		return false;
	s->detail = m->prim->detail;
	step_want_own(l, prim_bytes(m->prim, DNNL_ARG_WORKSPACE), &m->workspace);
	return weight_adapters(l, m, type, err);
}

bool lstm_bwd_make(struct loaded *l, struct step *s, struct bench_error *err)
{
	struct lstm *m = state_of(l, s);
	dnnl_data_type_t type = step_type(l, s->op->in[0]);
	struct lib_lstm d;

	s->run = lstm_bwd_run;
	if (s->op->forward < 0)
		return bench_fail(err, BENCH_UNSUPPORTED,
				  "onednn: " STR_FMT ": a backward pass without its forward one",
				  STR_ARG(s->op->name));
	m->forward = l->steps[s->op->forward].state;
	if (!step_all_plain(l, s, err) || !describe(l, &m->p, type, &d, err)
	    || !describe_bwd(l, &m->p, &d, err))
		return false;
	d.forward = m->forward->prim;
	if (!(m->prim = lib_lstm_bwd(&l->lib, &d, err))
	    || !(m->call = step_call(l, m->prim, args_bwd, LEN(args_bwd), err)))
		return false;
	s->detail = m->prim->detail;
	return weight_adapters(l, m, type, err) && state_adapters(l, m, &d, type, err)
	       && gradient_adapters(l, m, step_type(l, s->op->out[1]), err);
}
