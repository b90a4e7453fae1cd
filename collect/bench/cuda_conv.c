/* Convolutions: one cuDNN graph a pass and shape, the fastest of cuDNN's first candidates by time.
 */
#include "cuda_device.h"
#include "cuda_graph.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* n c h w in the order that is stored. */
static struct graph_tensor image(int64_t uid, cudnnDataType_t type, bool nhwc, long n, long c,
				 long h, long w)
{
	struct graph_tensor t = { .uid = uid, .type = type, .rank = 4, .dim = { n, c, h, w } };

	t.stride[0] = c * h * w;
	t.stride[1] = nhwc ? 1 : h * w;
	t.stride[2] = nhwc ? w * c : w;
	t.stride[3] = nhwc ? c : 1;
	return t;
}

void graph_of_conv(struct graph *g, enum op_kind pass, const struct op_conv *c,
		   cudnnDataType_t type, bool nhwc)
{
	struct graph_tensor x = image(UID_X, type, nhwc, c->n, c->ci, c->h, c->w);
	struct graph_tensor w = image(UID_W, type, nhwc, c->co, c->ci, c->kh, c->kw);
	struct graph_tensor y = image(UID_Y, type, nhwc, c->n, c->co, c->ho, c->wo);
	cudnnBackendDescriptor_t dx = graph_tensor(g, &x), dw = graph_tensor(g, &w),
				 dy = graph_tensor(g, &y);

	graph_conv(g, pass, c, dx, dw, dy);
}

/* The description stays as long as the plan that was made of it. */
struct conv_state {
	struct plan_choice plan;
	struct graph graph;
};

static void free_state(void *p)
{
	struct conv_state *s = p;

	plan_free(&s->plan);
	graph_free(&s->graph);
}

/* The three pointers in the order of uids, by pass. */
static void pointers(const struct op *o, const struct cuda_args *a, struct graph_pointer p[3])
{
	void *x = o->kind == OP_CONV_BWD_DATA ? a->out[0]
		  : o->kind == OP_CONV        ? a->in[0]
					      : a->in[1];
	void *w = o->kind == OP_CONV_BWD_FILTER ? a->out[0] : a->in[1];
	void *y = o->kind == OP_CONV ? a->out[0] : a->in[0];

	p[0] = (struct graph_pointer){ UID_X, x };
	p[1] = (struct graph_pointer){ UID_W, w };
	p[2] = (struct graph_pointer){ UID_Y, y };
}

struct
try {
	struct loaded *l;
	const struct plan_choice *plan;
	struct graph_pointer p[3];
};

static bool try_plan(void *ctx, struct bench_error *err)
{
	struct try *t = ctx;

	return plan_run(t->l->d->dnn, t->plan, t->p, 3, t->l->workspace, err);
}

/* A candidate that fails, or that wants more memory than there is, is passed over; a lost card is
 * not. */
static bool choose(struct loaded *l, const struct op *o, struct plan_choice *list, int n,
		   int *chosen, struct bench_error *err)
{
	struct cuda_args a = cuda_args_of(l, o);
	struct try t = { .l = l };
	double best = INFINITY, seconds;

	*chosen = -1;
	pointers(o, &a, t.p);
	for (int i = 0; i < n; i++) {
		t.plan = &list[i];
		if (!cuda_need_workspace(l, (size_t)list[i].workspace, err)
		    || !cuda_time_try(l, try_plan, &t, &seconds, err)) {
			if (err->code == BENCH_LOST)
				return false;
			continue;
		}
		if (seconds < best) {
			best = seconds;
			*chosen = i;
		}
	}
	return *chosen >= 0; /* else with the reason of the last */
}

static bool find_plan(struct loaded *l, int op, struct conv_state *s, struct bench_error *err)
{
	const struct op *o = &l->plan->ops[op];
	struct graph_target target = { .handle = l->d->dnn,
				       .true_fp32 = l->plan->precision == PRECISION_FP32 };
	struct plan_choice list[GRAPH_CANDIDATES];
	int n, chosen = -1;

	graph_of_conv(&s->graph, o->kind, &o->p.conv, cuda_dnn_type(cuda_type_of(l, o->in[0])),
		      l->nhwc);
	bool good = graph_plans(&s->graph, &target, list, &n, NULL, err)
		    && choose(l, o, list, n, &chosen, err);
	for (int i = 0; i < n; i++)
		if (i != chosen || !good)
			plan_free(&list[i]);
	if (good) {
		s->plan = list[chosen];
		snprintf(l->ops[op].detail, sizeof l->ops[op].detail, "%s", s->plan.name);
	}
	/* the choice may have ended on a small workspace after a large one failed */
	return good && cuda_need_workspace(l, (size_t)s->plan.workspace, err);
}

bool cuda_conv_prepare(struct loaded *l, int op, struct bench_error *err)
{
	int same = cuda_same_before(l, op);

	if (same >= 0) {
		l->ops[op].state = l->ops[same].state;
		memcpy(l->ops[op].detail, l->ops[same].detail, sizeof l->ops[op].detail);
		return true;
	}
	struct conv_state *s = arena_alloc(&l->arena, sizeof *s);
	l->ops[op].state = s;
	cuda_defer(l, free_state, s);
	return find_plan(l, op, s, err);
}

bool cuda_conv_run(struct loaded *l, int op, const struct cuda_args *a, struct bench_error *err)
{
	const struct conv_state *s = l->ops[op].state;
	struct graph_pointer p[3];

	pointers(&l->plan->ops[op], a, p);
	return plan_run(l->d->dnn, &s->plan, p, 3, l->workspace, err);
}
