/* Convolutions, and the layouts of images, which they choose; the ways to do one stand in
 * onednn_ways.h. In a network filters lie as the forward pass wants them; the backward passes
 * reorder theirs, which is counted in their time and small against it. */
#include "onednn_load.h"

#include <string.h>

/* A way for one convolution: what runs, how it names the operands (two inputs, the result), and how
 * these have to lie. */
struct form {
	const struct prim *prim;
	const int *args;
	const struct layout *want[3];
	bool turned; /* it reads the second input with the places of the filters in reverse order */
};

struct recipe;
typedef bool form_fn(struct loaded *l, const struct step *s, const struct recipe *r,
		     struct form *out, struct bench_error *err);

static form_fn plain_form, turned_form, product_form;

/* By way. name: what the detail of a row begins with; nhwc: images lie pixel by pixel, else as the
 * library likes; kernel: which of the library's (`way` in onednn_lib.h). */
static const struct recipe {
	const char *name;
	form_fn *form;
	bool nhwc;
	int kernel;
} recipes[CONV_WAYS] = {
	[CONV_LIBRARY] = { "", plain_form, false, 0 },
	[CONV_NHWC] = { "nhwc: ", plain_form, true, 0 },
	[CONV_NHWC_NEXT] = { "nhwc: ", plain_form, true, 1 },
	[CONV_TURNED] = { "nhwc, turned filters: ", turned_form, true, 0 },
	[CONV_PRODUCT] = { "nhwc, product: ", product_form, true, 0 },
	[CONV_PRODUCT_NEXT] = { "nhwc, product: ", product_form, true, 1 },
};

struct conv {
	struct call *call;
	struct adapter in[2], out;
	bool turned;
	struct filter_runs runs; /* of the second input, where it is to be turned */
};

static const int args_fwd[] = { DNNL_ARG_SRC, DNNL_ARG_WEIGHTS, DNNL_ARG_DST };
static const int args_data[] = { DNNL_ARG_DIFF_DST, DNNL_ARG_WEIGHTS, DNNL_ARG_DIFF_SRC };
static const int args_filter[] = { DNNL_ARG_DIFF_DST, DNNL_ARG_SRC, DNNL_ARG_DIFF_WEIGHTS };

/* As the operation names them, in its order. */
static const int *args_of(enum op_kind kind)
{
	return kind == OP_CONV ? args_fwd : kind == OP_CONV_BWD_DATA ? args_data : args_filter;
}

/* Running. */

struct turning { const struct filter_runs *runs; const char *from; char *to; };

static void turn(const struct loaded *l, const void *job, long from, long to, int thread)
{
	const struct turning *t = job;
	long places = t->runs->places;
	size_t bytes = t->runs->bytes;

	(void)l;
	(void)thread;
	for (long i = from; i < to; i++) {
		long place = i % places, at = i - place + (places - 1 - place);
		memcpy(t->to + bytes * (size_t)at, t->from + bytes * (size_t)i, bytes);
	}
}

static bool conv_run(struct loaded *l, const struct step *s, struct bench_error *err)
{
	const struct conv *c = s->state;
	char *out = step_data(l, s->op->out[0]);
	void *data[3];

	if (!adapter_read(l, &c->in[0], step_data(l, s->op->in[0]), &data[0], err)
	    || !adapter_read(l, &c->in[1], step_data(l, s->op->in[1]), &data[1], err))
		return false;
	if (c->turned) {
		struct turning t = { &c->runs, data[1], l->slot[SLOT_D] };
		parallel(l, c->runs.outer * c->runs.places, 1, turn, &t);
		data[1] = t.to;
	}
	data[2] = adapter_write(l, &c->out, out);
	return call_run(c->call, data, l->slot[SLOT_SCRATCHPAD], err)
	       && adapter_finish(l, &c->out, out, err);
}

/* Forms. */

/* Pixel by pixel by strides: a format's name would be another one for few channels. */
static const struct layout *image_layout(struct loaded *l, dnnl_data_type_t type, bool nhwc,
					 const long dims[4], struct bench_error *err)
{
	const long c = dims[1], w = dims[3], strides[4] = { dims[2] * w * c, 1, w * c, c };

	return nhwc ? layout_make(&l->lib, type, 4, dims, strides, err)
		    : layout_any(&l->lib, type, 4, dims, err);
}

static struct prim *conv_prim(struct loaded *l, const struct step *s, const struct recipe *r,
			      enum op_kind pass, const struct op_conv *p, struct bench_error *err)
{
	dnnl_data_type_t type = step_type(l, s->op->in[0]);
	struct lib_conv c = {
		.pass = pass, .p = *p,
		.x = image_layout(l, type, r->nhwc, (long[]){ p->n, p->ci, p->h, p->w }, err),
		.w = layout_any(&l->lib, type, 4, (long[]){ p->co, p->ci, p->kh, p->kw }, err),
		.y = image_layout(l, type, r->nhwc, (long[]){ p->n, p->co, p->ho, p->wo }, err),
	};

	return c.x && c.w && c.y ? lib_conv(&l->lib, &c, r->kernel, err) : NULL;
}

static bool wants_of(struct loaded *l, struct form *f, struct bench_error *err)
{
	for (int k = 0; k < 3; k++)
		if (!(f->want[k] = prim_layout(&l->lib, f->prim, f->args[k], err)))
			return false;
	return true;
}

static bool plain_form(struct loaded *l, const struct step *s, const struct recipe *r,
		       struct form *out, struct bench_error *err)
{
	out->args = args_of(s->op->kind);
	out->prim = conv_prim(l, s, r, s->op->kind, &s->op->p.conv, err);
	return out->prim && wants_of(l, out, err);
}

/* dx = dy * w', the forward pass from the output's size to the input's, where w'(i, o) has at a
 * place what w(o, i) has at the opposite one. With k - 1 - pad of padding a filter meets dy in all
 * the places in which it met x. */
static bool turned_form(struct loaded *l, const struct step *s, const struct recipe *r,
			struct form *out, struct bench_error *err)
{
	const struct op_conv *p = &s->op->p.conv;
	struct op_conv back = { .n = p->n, .ci = p->co, .h = p->ho, .w = p->wo, .co = p->ci,
				.kh = p->kh, .kw = p->kw, .stride = 1, .pad = p->kh - 1 - p->pad,
				.ho = p->h, .wo = p->w };

	if (s->op->kind != OP_CONV_BWD_DATA || p->stride != 1 || p->kh != p->kw || p->pad >= p->kh)
		return bench_fail(err, BENCH_UNSUPPORTED, "convolution: no turned filters here");
	out->args = args_fwd;
	out->prim = conv_prim(l, s, r, OP_CONV, &back, err);
	out->turned = p->kh > 1;
	return out->prim && wants_of(l, out, err)
	       && (out->want[1] = layout_swapped(&l->lib, out->want[1], err));
}

/* y = x w, dx = dy w, dw = dy^T x with images as matrices (pixels channels). Filters lie so that no
 * product needs them transposed: (i o) in the forward pass, else (o i). */
static struct prim *product_prim(struct loaded *l, const struct step *s, const struct recipe *r,
				 struct bench_error *err)
{
	const struct op_conv *p = &s->op->p.conv;
	dnnl_data_type_t type = step_type(l, s->op->in[0]);
	long pixels = p->n * p->h * p->w;
	const long sides[][3] = { { pixels, p->co, p->ci }, { pixels, p->ci, p->co },
				  { p->co, p->ci, pixels } };
	const long *g = sides[s->op->kind - OP_CONV], m = g[0], n = g[1], k = g[2];
	const long *across = s->op->kind == OP_CONV_BWD_FILTER ? (long[]){ 1, m } : NULL;
	struct lib_product d = {
		.a = layout_make(&l->lib, type, 2, (long[]){ m, k }, across, err),
		.b = layout_make(&l->lib, type, 2, (long[]){ k, n }, NULL, err),
		.c = layout_make(&l->lib, type, 2, (long[]){ m, n }, NULL, err),
		.alpha = 1,
	};

	return d.a && d.b && d.c ? lib_matmul(&l->lib, &d, r->kernel, err) : NULL;
}

static bool product_form(struct loaded *l, const struct step *s, const struct recipe *r,
			 struct form *out, struct bench_error *err)
{
	const struct op_conv *p = &s->op->p.conv;
	dnnl_data_type_t type = step_type(l, s->op->in[0]);
	const long all = p->co * p->ci, *by_input = s->op->kind == OP_CONV
							    ? (long[]){ 1, p->co, all, all } : NULL;

	if (p->kh != 1 || p->kw != 1 || p->stride != 1 || p->pad != 0)
		return bench_fail(err, BENCH_UNSUPPORTED, "convolution: no product");
	const long in[4] = { p->n, p->ci, p->h, p->w }, made[4] = { p->n, p->co, p->h, p->w };
	const struct layout *x = image_layout(l, type, true, in, err);
	const struct layout *y = image_layout(l, type, true, made, err);
	const struct layout *w = layout_make(&l->lib, type, 4, (long[]){ p->co, p->ci, 1, 1 },
					     by_input, err);
	const struct layout *const order[][3] = { { x, w, y }, { y, w, x }, { y, x, w } };
	memcpy(out->want, order[s->op->kind - OP_CONV], sizeof out->want);
	out->args = args_fwd;
	out->prim = product_prim(l, s, r, err);
	return x && y && w && out->prim;
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

/* Room for the turned filters. */
static bool turn_make(struct loaded *l, struct conv *c, const struct layout *filters,
		      struct bench_error *err)
{
	c->turned = true;
	step_want_slot(l, SLOT_D, filters->bytes);
	return layout_filters(filters, &c->runs)
	       || bench_fail(err, BENCH_UNSUPPORTED, "convolution: filters without runs");
}

static bool form_make(struct loaded *l, struct step *s, struct form *out, struct bench_error *err)
{
	const struct recipe *r = &recipes[l->way];

	if (!r->form(l, s, r, out, err))
		return false;
	/* the library's last resort would take minutes to show that it is slow */
	if (l->way != CONV_LIBRARY && strncmp(out->prim->detail, "ref", 3) == 0)
		return bench_fail(err, BENCH_UNSUPPORTED, "convolution: %sonly plain loops",
				  r->name);
	struct str detail = str_printf(&l->arena, "%s%s", r->name, out->prim->detail);
	s->detail = str_c(&l->arena, detail);
	return true;
}

bool conv_make(struct loaded *l, struct step *s, struct bench_error *err)
{
	static const enum slot slots[] = { SLOT_A, SLOT_B };
	struct conv *c = arena_alloc(&l->arena, sizeof *c);
	struct form f = { 0 };

	if (!form_make(l, s, &f, err) || !(c->call = step_call(l, f.prim, f.args, 3, err)))
		return false;
	for (int k = 0; k < 2; k++)
		if (!step_in(l, s, k, f.want[k])
		    || !adapter_in(l, &c->in[k], s->in[k], f.want[k], slots[k], err))
			return false;
	if (f.turned && !turn_make(l, c, f.want[1], err))
		return false;
	s->state = c;
	s->run = conv_run;
	return step_out(l, s, 0, result_layout(l, s, f.want[2]))
	       && adapter_out(l, &c->out, f.want[2], s->out[0], SLOT_C, err);
}
