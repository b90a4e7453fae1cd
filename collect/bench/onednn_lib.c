#include "onednn_lib_own.h"

#include <string.h>

void lib_own(struct lib *l, enum owned_kind kind, void *handle)
{
	struct lib_owned *o = arena_alloc(l->arena, sizeof *o);

	*o = (struct lib_owned){ l->owned, kind, handle };
	l->owned = o;
}

static const char *status_name(dnnl_status_t s)
{
	static const struct { dnnl_status_t status; const char *name; } names[] = {
		{ dnnl_out_of_memory, "out of memory" },
		{ dnnl_invalid_arguments, "invalid arguments" },
		{ dnnl_unimplemented, "not implemented" },
		{ dnnl_runtime_error, "runtime error" },
		{ dnnl_not_required, "not required" },
	};

	for (size_t i = 0; i < LEN(names); i++)
		if (names[i].status == s)
			return names[i].name;
	return "unknown status";
}

bool lib_ok(dnnl_status_t s, const char *what, struct bench_error *err)
{
	enum bench_code code = s == dnnl_out_of_memory ? BENCH_NO_MEMORY
			       : s == dnnl_unimplemented ? BENCH_UNSUPPORTED : BENCH_FAILED;

	return s == dnnl_success
	       || bench_fail(err, code, "%s: %d %s", what, (int)s, status_name(s));
}

bool lib_open(struct lib *l, struct arena *a, struct bench_error *err)
{
	*l = (struct lib){ .arena = a };
	return lib_ok(dnnl_engine_create(&l->engine, dnnl_cpu, 0), "dnnl_engine_create", err)
	       && lib_ok(dnnl_stream_create(&l->stream, l->engine, dnnl_stream_default_flags),
			 "dnnl_stream_create", err);
}

static void destroy(const struct lib_owned *o)
{
	switch (o->kind) {
	case OWN_PRIMITIVE:
		dnnl_primitive_destroy(o->handle);
		break;
	case OWN_DESC:
		dnnl_primitive_desc_destroy(o->handle);
		break;
	case OWN_MEMORY:
		dnnl_memory_destroy(o->handle);
		break;
	case OWN_STREAM:
		dnnl_stream_destroy(o->handle);
		break;
	case OWN_LAYOUT:
#if DNNL_VERSION_MAJOR >= 3
		dnnl_memory_desc_destroy(o->handle);
#endif
		break;
	}
}

void lib_close(struct lib *l)
{
	for (const struct lib_owned *o = l->owned; o; o = o->next)
		destroy(o);
	if (l->stream)
		dnnl_stream_destroy(l->stream);
	if (l->engine)
		dnnl_engine_destroy(l->engine);
	*l = (struct lib){ 0 };
}

/* Primitives. */

static struct prim *prim_of(struct lib *l, dnnl_primitive_desc_t desc, struct bench_error *err)
{
	struct prim *p = arena_alloc(l->arena, sizeof *p);

	p->desc = desc;
	lib_own(l, OWN_DESC, desc);
	if (dnnl_primitive_desc_query(desc, dnnl_query_impl_info_str, 0, (void *)&p->detail)
	    != dnnl_success)
		p->detail = "";
	if (!lib_ok(dnnl_primitive_create(&p->primitive, desc), "dnnl_primitive_create", err))
		return NULL;
	lib_own(l, OWN_PRIMITIVE, p->primitive);
	const struct layout *scratch = prim_layout(l, p, DNNL_ARG_SCRATCHPAD, err);
	p->scratch_bytes = scratch ? scratch->bytes : 0;
	return scratch ? p : NULL;
}

/* A scratchpad of the caller's; NULL: no memory for it. */
static dnnl_primitive_attr_t attributes(void)
{
	dnnl_primitive_attr_t attr;

	if (dnnl_primitive_attr_create(&attr) != dnnl_success)
		return NULL;
	dnnl_primitive_attr_set_scratchpad_mode(attr, dnnl_scratchpad_mode_user);
	return attr;
}

static dnnl_status_t append_eltwise(dnnl_post_ops_t ops, dnnl_alg_kind_t alg, float alpha)
{
#if DNNL_VERSION_MAJOR >= 3
	return dnnl_post_ops_append_eltwise(ops, alg, alpha, 0);
#else
	return dnnl_post_ops_append_eltwise(ops, 1, alg, alpha, 0);
#endif
}

static dnnl_status_t append_sum(dnnl_post_ops_t ops, float scale)
{
#if DNNL_VERSION_MAJOR >= 3
	return dnnl_post_ops_append_sum(ops, scale, 0, dnnl_data_type_undef);
#else
	return dnnl_post_ops_append_sum(ops, scale);
#endif
}

/* alpha, then beta, then the activation: what they are taken of is the product with its bias, so
 * that alpha and a bias do not go together. */
static bool set_post_ops(dnnl_primitive_attr_t attr, const struct lib_product *p,
			 struct bench_error *err)
{
	static const dnnl_alg_kind_t algs[] = {
		[ACTIVATION_NONE] = dnnl_alg_kind_undef, [ACTIVATION_RELU] = dnnl_eltwise_relu,
		[ACTIVATION_GELU] = dnnl_eltwise_gelu_erf, [ACTIVATION_SILU] = dnnl_eltwise_swish,
	};
	dnnl_post_ops_t ops;
	bool good = lib_ok(dnnl_post_ops_create(&ops), "dnnl_post_ops_create", err);

	if (!good)
		return false;
	if (p->alpha != 1)
		good = p->bias ? bench_fail(err, BENCH_UNSUPPORTED,
					    "a product with both a factor and a bias")
			       : lib_ok(append_eltwise(ops, dnnl_eltwise_linear, (float)p->alpha),
					"factor", err);
	if (good && p->beta != 0)
		good = lib_ok(append_sum(ops, (float)p->beta), "sum", err);
	if (good && p->activation != ACTIVATION_NONE)
		good = lib_ok(
		    append_eltwise(ops, algs[p->activation], p->activation == ACTIVATION_SILU),
		    "activation", err);
	good = good
	       && lib_ok(dnnl_primitive_attr_set_post_ops(attr, ops),
			 "dnnl_primitive_attr_set_post_ops", err);
	dnnl_post_ops_destroy(ops);
	return good;
}

/* The way-th implementation of what is described. That there is no other has a status of its own,
 * which is "not implemented" to us. */
#if DNNL_VERSION_MAJOR >= 3
/* made  the status of making the first, *out */
static dnnl_status_t nth_way(dnnl_status_t made, int way, dnnl_primitive_desc_t *out)
{
	for (int i = 0; i < way && made == dnnl_success; i++)
		if ((made = dnnl_primitive_desc_next_impl(*out)) != dnnl_success) {
			dnnl_primitive_desc_destroy(*out);
			made = dnnl_unimplemented;
		}
	return made;
}

static dnnl_status_t matmul_desc(struct lib *l, const struct lib_product *p,
				 dnnl_primitive_attr_t attr, int way, dnnl_primitive_desc_t *out)
{
	return nth_way(dnnl_matmul_primitive_desc_create(out, l->engine, p->a->md, p->b->md,
							 p->bias ? p->bias->md : NULL, p->c->md,
							 attr),
		       way, out);
}
#else
/* desc  a dnnl_..._desc_t; hint: of the forward pass, or NULL */
static dnnl_status_t nth_way(struct lib *l, const void *desc, dnnl_primitive_attr_t attr,
			     dnnl_primitive_desc_t hint, int way, dnnl_primitive_desc_t *out)
{
	dnnl_primitive_desc_iterator_t it;
	dnnl_status_t s = dnnl_primitive_desc_iterator_create(&it, desc, attr, l->engine, hint);

	if (s != dnnl_success)
		return s;
	for (int i = 0; i < way && s == dnnl_success; i++)
		s = dnnl_primitive_desc_iterator_next(it);
	*out = s == dnnl_success ? dnnl_primitive_desc_iterator_fetch(it) : NULL;
	dnnl_primitive_desc_iterator_destroy(it);
	return *out ? dnnl_success : dnnl_unimplemented;
}

static dnnl_status_t matmul_desc(struct lib *l, const struct lib_product *p,
				 dnnl_primitive_attr_t attr, int way, dnnl_primitive_desc_t *out)
{
	dnnl_matmul_desc_t d;
	dnnl_status_t s = dnnl_matmul_desc_init(&d, &p->a->md, &p->b->md,
						p->bias ? &p->bias->md : NULL, &p->c->md);

	return s == dnnl_success ? nth_way(l, &d, attr, NULL, way, out) : s;
}
#endif

static struct prim *matmul_way(struct lib *l, const struct lib_product *p, int way,
			       struct bench_error *err)
{
	dnnl_primitive_attr_t attr = attributes();
	dnnl_primitive_desc_t desc = NULL;
	bool good = attr && set_post_ops(attr, p, err);

	if (!attr)
		bench_fail(err, BENCH_NO_MEMORY, "dnnl_primitive_attr_create");
	good = good && lib_ok(matmul_desc(l, p, attr, way, &desc), "matmul", err);
	dnnl_primitive_attr_destroy(attr);
	struct prim *made = good ? prim_of(l, desc, err) : NULL;
	if (made && way > 0 && strncmp(made->detail, "ref", 3) == 0) {
		bench_fail(err, BENCH_UNSUPPORTED, "matmul: no other way");
		return NULL;
	}
	return made;
}

/* Trap: the cache of primitives of 2.6 does not tell the ways of one operation apart and gives the
 * first for all. Returns its capacity, to be set again. */
static int cache_off(void)
{
	int capacity = 0;

	dnnl_get_primitive_cache_capacity(&capacity);
	dnnl_set_primitive_cache_capacity(0);
	return capacity;
}

struct prim *lib_matmul(struct lib *l, const struct lib_product *p, int way,
			struct bench_error *err)
{
	int capacity = cache_off();
	struct prim *made = matmul_way(l, p, way, err);

	dnnl_set_primitive_cache_capacity(capacity);
	return made;
}

struct shape { dnnl_dims_t stride, dilation, left, right; };

static struct shape shape_of(const struct op_conv *c)
{
	struct shape s = { .stride = { c->stride, c->stride }, .left = { c->pad, c->pad } };

	s.right[0] = (c->ho - 1) * c->stride + c->kh - c->h - c->pad;
	s.right[1] = (c->wo - 1) * c->stride + c->kw - c->w - c->pad;
	return s;
}

/* Backward passes take the forward one as a hint. */
#if DNNL_VERSION_MAJOR >= 3
static dnnl_status_t conv_first(struct lib *l, const struct lib_conv *c, enum op_kind pass,
				dnnl_primitive_attr_t attr, dnnl_primitive_desc_t hint,
				dnnl_primitive_desc_t *out)
{
	struct shape s = shape_of(&c->p);

	if (pass == OP_CONV)
		return dnnl_convolution_forward_primitive_desc_create(
		    out, l->engine, dnnl_forward_training, dnnl_convolution_direct, c->x->md,
		    c->w->md, NULL, c->y->md, s.stride, s.dilation, s.left, s.right, attr);
	if (pass == OP_CONV_BWD_DATA)
		return dnnl_convolution_backward_data_primitive_desc_create(
		    out, l->engine, dnnl_convolution_direct, c->x->md, c->w->md, c->y->md, s.stride,
		    s.dilation, s.left, s.right, hint, attr);
	return dnnl_convolution_backward_weights_primitive_desc_create(
	    out, l->engine, dnnl_convolution_direct, c->x->md, c->w->md, NULL, c->y->md, s.stride,
	    s.dilation, s.left, s.right, hint, attr);
}

static dnnl_status_t conv_desc(struct lib *l, const struct lib_conv *c, enum op_kind pass,
			       dnnl_primitive_attr_t attr, dnnl_primitive_desc_t hint, int way,
			       dnnl_primitive_desc_t *out)
{
	return nth_way(conv_first(l, c, pass, attr, hint, out), way, out);
}
#else
static dnnl_status_t conv_desc(struct lib *l, const struct lib_conv *c, enum op_kind pass,
			       dnnl_primitive_attr_t attr, dnnl_primitive_desc_t hint, int way,
			       dnnl_primitive_desc_t *out)
{
	struct shape s = shape_of(&c->p);
	dnnl_convolution_desc_t d;
	dnnl_status_t st;

	if (pass == OP_CONV)
		st = dnnl_convolution_forward_desc_init(
		    &d, dnnl_forward_training, dnnl_convolution_direct, &c->x->md, &c->w->md, NULL,
		    &c->y->md, s.stride, s.left, s.right);
	else if (pass == OP_CONV_BWD_DATA)
		st = dnnl_convolution_backward_data_desc_init(&d, dnnl_convolution_direct,
							      &c->x->md, &c->w->md, &c->y->md,
							      s.stride, s.left, s.right);
	else
		st = dnnl_convolution_backward_weights_desc_init(
		    &d, dnnl_convolution_direct, &c->x->md, &c->w->md, NULL, &c->y->md, s.stride,
		    s.left, s.right);
	return st == dnnl_success ? nth_way(l, &d, attr, hint, way, out) : st;
}
#endif

static struct prim *conv_way(struct lib *l, const struct lib_conv *c, int way,
			     struct bench_error *err)
{
	dnnl_primitive_attr_t attr = attributes();
	dnnl_primitive_desc_t hint = NULL, desc = NULL;
	bool good = attr || bench_fail(err, BENCH_NO_MEMORY, "dnnl_primitive_attr_create");

	if (good && c->pass != OP_CONV)
		good = lib_ok(conv_desc(l, c, OP_CONV, attr, NULL, 0, &hint), "convolution (hint)",
			      err);
	good = good && lib_ok(conv_desc(l, c, c->pass, attr, hint, way, &desc), "convolution", err);
	if (hint)
		dnnl_primitive_desc_destroy(hint);
	dnnl_primitive_attr_destroy(attr);
	return good ? prim_of(l, desc, err) : NULL;
}

struct prim *lib_conv(struct lib *l, const struct lib_conv *c, int way, struct bench_error *err)
{
	if (way == 0)
		return conv_way(l, c, way, err);
	int capacity = cache_off();
	struct prim *made = conv_way(l, c, way, err);
	dnnl_set_primitive_cache_capacity(capacity);
	return made;
}

static dnnl_status_t lstm_desc(struct lib *l, const struct lib_lstm *p, dnnl_primitive_attr_t attr,
			       dnnl_primitive_desc_t *out)
{
#if DNNL_VERSION_MAJOR >= 3
	return dnnl_lstm_forward_primitive_desc_create(
	    out, l->engine, dnnl_forward_training, dnnl_bidirectional_concat, p->x->md, NULL, NULL,
	    p->w->md, p->r->md, NULL, NULL, p->bias->md, p->y->md, NULL, NULL, dnnl_rnn_flags_undef,
	    attr);
#else
	dnnl_rnn_desc_t d;
	dnnl_status_t s = dnnl_lstm_forward_desc_init(
	    &d, dnnl_forward_training, dnnl_bidirectional_concat, &p->x->md, NULL, NULL, &p->w->md,
	    &p->r->md, &p->bias->md, &p->y->md, NULL, NULL, dnnl_rnn_flags_undef);

	return s != dnnl_success ? s : dnnl_primitive_desc_create(out, &d, attr, l->engine, NULL);
#endif
}

static dnnl_status_t lstm_bwd_desc(struct lib *l, const struct lib_lstm *p,
				   dnnl_primitive_attr_t attr, dnnl_primitive_desc_t *out)
{
	dnnl_primitive_desc_t hint = p->forward->desc;
#if DNNL_VERSION_MAJOR >= 3
	return dnnl_lstm_backward_primitive_desc_create(
	    out, l->engine, dnnl_backward, dnnl_bidirectional_concat, p->x->md, NULL, NULL,
	    p->w->md, p->r->md, NULL, NULL, p->bias->md, p->y->md, NULL, NULL, p->dx->md, NULL,
	    NULL, p->dw->md, p->dr->md, NULL, NULL, p->dbias->md, p->dy->md, NULL, NULL,
	    dnnl_rnn_flags_undef, hint, attr);
#else
	dnnl_rnn_desc_t d;
	dnnl_status_t s = dnnl_lstm_backward_desc_init(
	    &d, dnnl_backward, dnnl_bidirectional_concat, &p->x->md, NULL, NULL, &p->w->md,
	    &p->r->md, &p->bias->md, &p->y->md, NULL, NULL, &p->dx->md, NULL, NULL, &p->dw->md,
	    &p->dr->md, &p->dbias->md, &p->dy->md, NULL, NULL, dnnl_rnn_flags_undef);

	return s != dnnl_success ? s : dnnl_primitive_desc_create(out, &d, attr, l->engine, hint);
#endif
}

static struct prim *lstm(struct lib *l, const struct lib_lstm *p, bool backward,
			 struct bench_error *err)
{
	dnnl_primitive_attr_t attr = attributes();
	dnnl_primitive_desc_t desc = NULL;
	bool good = attr || bench_fail(err, BENCH_NO_MEMORY, "dnnl_primitive_attr_create");

	good = good
	       && lib_ok(backward ? lstm_bwd_desc(l, p, attr, &desc) : lstm_desc(l, p, attr, &desc),
			 "lstm", err);
	dnnl_primitive_attr_destroy(attr);
	return good ? prim_of(l, desc, err) : NULL;
}

struct prim *lib_lstm(struct lib *l, const struct lib_lstm *p, struct bench_error *err)
{
	return lstm(l, p, false, err);
}

struct prim *lib_lstm_bwd(struct lib *l, const struct lib_lstm *p, struct bench_error *err)
{
	return lstm(l, p, true, err);
}

struct prim *lib_reorder(struct lib *l, const struct layout *from, const struct layout *to,
			 struct bench_error *err)
{
	dnnl_primitive_attr_t attr = attributes();
	dnnl_primitive_desc_t desc = NULL;
	bool good = attr || bench_fail(err, BENCH_NO_MEMORY, "dnnl_primitive_attr_create");

	good = good
	       && lib_ok(dnnl_reorder_primitive_desc_create(&desc, LIB_MD(from), l->engine,
							    LIB_MD(to), l->engine, attr),
			 "reorder", err);
	dnnl_primitive_attr_destroy(attr);
	return good ? prim_of(l, desc, err) : NULL;
}

const struct layout *prim_layout(struct lib *l, const struct prim *p, int arg,
				 struct bench_error *err)
{
	struct layout *out = layout_fresh(l, dnnl_data_type_undef, 0, NULL);
#if DNNL_VERSION_MAJOR >= 3
	const_dnnl_memory_desc_t md =
	    dnnl_primitive_desc_query_md(p->desc, dnnl_query_exec_arg_md, arg);

	if (md && !lib_ok(dnnl_memory_desc_clone(&out->md, md), "dnnl_memory_desc_clone", err))
		return NULL;
	if (md)
		lib_own(l, OWN_LAYOUT, out->md);
	if (md)
		dnnl_memory_desc_query(md, dnnl_query_data_type, &out->type);
#else
	const dnnl_memory_desc_t *md =
	    dnnl_primitive_desc_query_md(p->desc, dnnl_query_exec_arg_md, arg);

	if (md) {
		out->md = *md;
		out->type = md->data_type;
	}
#endif
	if (!md) {
		bench_fail(err, BENCH_FAILED, "dnnl_primitive_desc_query_md: no argument %d", arg);
		return NULL;
	}
	struct blocking b;
	if (layout_blocking(out, &b) && b.rank <= LAYOUT_DIMS) {
		out->rank = b.rank;
		for (int i = 0; i < b.rank; i++)
			out->dims[i] = b.dims[i];
	}
	out->bytes = dnnl_memory_desc_get_size(LIB_MD(out));
	return out;
}

size_t prim_bytes(const struct prim *p, int arg)
{
	return dnnl_memory_desc_get_size(
	    dnnl_primitive_desc_query_md(p->desc, dnnl_query_exec_arg_md, arg));
}

static bool add_arg(struct lib *l, struct call *c, int arg, struct bench_error *err)
{
	const struct layout *at = prim_layout(l, c->prim, arg, err);
	dnnl_memory_t m;

	if (!at
	    || !lib_ok(dnnl_memory_create(&m, LIB_MD(at), l->engine, DNNL_MEMORY_NONE),
		       "dnnl_memory_create", err))
		return false;
	lib_own(l, OWN_MEMORY, m);
	c->args[c->n++] = (dnnl_exec_arg_t){ arg, m };
	return true;
}

struct call *call_make(struct lib *l, const struct prim *p, const int *args, int nargs,
		       struct bench_error *err)
{
	struct call *c = arena_alloc(l->arena, sizeof *c);
	bool good;

	c->prim = p;
	good = lib_ok(dnnl_stream_create(&c->stream, l->engine, dnnl_stream_default_flags),
		      "dnnl_stream_create", err);
	if (good)
		lib_own(l, OWN_STREAM, c->stream);
	for (int i = 0; i < nargs && good; i++)
		good = add_arg(l, c, args[i], err);
	good = good && add_arg(l, c, DNNL_ARG_SCRATCHPAD, err);
	return good ? c : NULL;
}

bool call_run(struct call *c, void *const *data, void *scratch, struct bench_error *err)
{
	for (int i = 0; i < c->n; i++) {
		void *at = i + 1 < c->n ? data[i] : scratch;
		if (!lib_ok(dnnl_memory_set_data_handle(c->args[i].memory, at),
			    "dnnl_memory_set_data_handle", err))
			return false;
	}
	return lib_ok(dnnl_primitive_execute(c->prim->primitive, c->stream, c->n, c->args),
		      "dnnl_primitive_execute", err)
	       && lib_ok(dnnl_stream_wait(c->stream), "dnnl_stream_wait", err);
}
