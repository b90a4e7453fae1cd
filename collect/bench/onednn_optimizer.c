/* SGD and Adam, element by element in the order in which the weight lies: all its companions lie
 * alike. */
#include "onednn_load.h"

#include "onednn_vector.h"

#include <math.h>

enum { RUN = 1024 };

struct optimizer { const struct step *step; struct vector_rule rule; };

static struct vector_rule rule_of(const struct op_optimizer *p)
{
	return (struct vector_rule){
		.rate = (float)p->rate,
		.momentum = (float)p->momentum,
		.beta1 = (float)p->beta1,
		.beta2 = (float)p->beta2,
		.rest1 = (float)(1 - p->beta1),
		.rest2 = (float)(1 - p->beta2),
		.epsilon = (float)p->epsilon,
		.decay = (float)p->decay,
		.correct1 = (float)(1 / (1 - pow(p->beta1, p->step))),
		.correct2 = (float)(1 / (1 - pow(p->beta2, p->step))),
	};
}

/* w, dw, (master), momentum or m, (v). */
static void update(const struct loaded *l, const void *job, long from, long to, int thread)
{
	const struct optimizer *o = job;
	const struct op *op = o->step->op;
	struct numbers w = numbers_of(l, op->in[0]), g = numbers_of(l, op->in[1]);
	int master = op->in[2] >= 0 ? op->in[2] : op->in[0];
	float *trained = (float *)(void *)step_data(l, master);
	float *m = (float *)(void *)step_data(l, op->in[3]),
	      *v = (float *)(void *)step_data(l, op->in[4]);
	float room[RUN];

	(void)thread;
	for (long i = from; i < to; i += RUN) {
		long n = to - i < RUN ? to - i : RUN;
		const float *grad = numbers_get(g, i, n, room);
		if (op->kind == OP_SGD)
			vector_sgd(trained + i, grad, m + i, &o->rule, n);
		else
			vector_adam(trained + i, grad, m + i, v + i, &o->rule, n);
		if (master != op->in[0])
			numbers_put(w, i, n, trained + i);
	}
}

static bool optimizer_run(struct loaded *l, const struct step *s, struct bench_error *err)
{
	const struct layout *w = s->in[0];
	struct optimizer o = { s, rule_of(&s->op->p.optimizer) };

	(void)err;
	/* what only fills a block is 0 everywhere and stays 0 */
	parallel(l, (long)(w->bytes / (w->type == dnnl_bf16 ? 2 : 4)), RUN, update, &o);
	return true;
}

/* As the weight lies, in fp32. */
static const struct layout *companion(struct loaded *l, const struct layout *w, int tensor,
				      struct bench_error *err)
{
	return layout_like(&l->lib, w, step_type(l, tensor), err);
}

bool optimizer_make(struct loaded *l, struct step *s, struct bench_error *err)
{
	const struct op *op = s->op;

	if (!step_in(l, s, 0, step_plain(l, op->in[0])))
		return false;
	if (op->in[2] < 0 && step_half(l, op->in[0]))
		return bench_fail(err, BENCH_UNSUPPORTED,
				  "onednn: " STR_FMT ": a bf16 weight without a master",
				  STR_ARG(op->name));
	for (int k = 1; k < OP_INPUTS; k++) {
		if (op->in[k] < 0)
			continue;
		const struct layout *want = companion(l, s->in[0], op->in[k], err);
		if (!want || !step_in(l, s, k, want))
			return false;
		if (s->in[k] != want && !layout_same(s->in[k], want))
			return bench_fail(
			    err, BENCH_UNSUPPORTED,
			    "onednn: " STR_FMT ": " STR_FMT " lies otherwise than its weight",
			    STR_ARG(op->name), STR_ARG(l->plan->tensors[op->in[k]].name));
	}
	s->run = optimizer_run;
	return true;
}
