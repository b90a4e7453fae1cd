/* Convolutions, and the layouts of images, which they choose. Filters lie as the forward pass wants
 * them; the backward passes reorder theirs, which is counted in their time and small against it. */
#include "onednn_load.h"

struct conv {
	struct call *call;
	struct adapter in[2], out;
};

static const int args_fwd[] = { DNNL_ARG_SRC, DNNL_ARG_WEIGHTS, DNNL_ARG_DST };
static const int args_data[] = { DNNL_ARG_DIFF_DST, DNNL_ARG_WEIGHTS, DNNL_ARG_DIFF_SRC };
static const int args_filter[] = { DNNL_ARG_DIFF_DST, DNNL_ARG_SRC, DNNL_ARG_DIFF_WEIGHTS };

/* Operands in the order of the operation: two inputs, the result. */
static const int *args_of(enum op_kind kind)
{
	return kind == OP_CONV ? args_fwd : kind == OP_CONV_BWD_DATA ? args_data : args_filter;
}

static bool conv_run(struct loaded *l, const struct step *s, struct bench_error *err)
{
	const struct conv *c = s->state;
	char *out = step_data(l, s->op->out[0]);
	void *data[3];

	if (!adapter_read(l, &c->in[0], step_data(l, s->op->in[0]), &data[0], err)
	    || !adapter_read(l, &c->in[1], step_data(l, s->op->in[1]), &data[1], err))
		return false;
	data[2] = adapter_write(l, &c->out, out);
	return call_run(c->call, data, l->slot[SLOT_SCRATCHPAD], err)
	       && adapter_finish(l, &c->out, out, err);
}

static struct prim *make_prim(struct loaded *l, const struct step *s, struct bench_error *err)
{
	const struct op_conv *p = &s->op->p.conv;
	dnnl_data_type_t type = step_type(l, s->op->in[0]);
	struct lib_conv c = {
		.pass = s->op->kind, .p = *p,
		.x = layout_any(&l->lib, type, 4, (long[]){ p->n, p->ci, p->h, p->w }, err),
		.w = layout_any(&l->lib, type, 4, (long[]){ p->co, p->ci, p->kh, p->kw }, err),
		.y = layout_any(&l->lib, type, 4, (long[]){ p->n, p->co, p->ho, p->wo }, err),
	};

	return c.x && c.w && c.y ? lib_conv(&l->lib, &c, err) : NULL;
}

/* How the result is to lie: a gradient of filters as the filters do, so that the optimizer goes
 * through both in one order; everything else as it is made. */
static const struct layout *result_layout(const struct loaded *l, const struct step *s,
					  const struct layout *made)
{
	if (s->op->kind != OP_CONV_BWD_FILTER || s->op->forward < 0)
		return made;
	return l->steps[s->op->forward].in[1];
}

bool conv_make(struct loaded *l, struct step *s, struct bench_error *err)
{
	static const enum slot slots[] = { SLOT_A, SLOT_B };
	struct conv *c = arena_alloc(&l->arena, sizeof *c);
	const int *args = args_of(s->op->kind);
	struct prim *prim = make_prim(l, s, err);

	if (!prim || !(c->call = step_call(l, prim, args, 3, err)))
		return false;
	for (int k = 0; k < 2; k++) {
		const struct layout *want = prim_layout(&l->lib, prim, args[k], err);
		if (!step_in(l, s, k, want)
		    || !adapter_in(l, &c->in[k], s->in[k], want, slots[k], err))
			return false;
	}
	const struct layout *made = prim_layout(&l->lib, prim, args[2], err);
	s->state = c;
	s->run = conv_run;
	s->detail = prim->detail;
	return made && step_out(l, s, 0, result_layout(l, s, made))
	       && adapter_out(l, &c->out, made, s->out[0], SLOT_C, err);
}
