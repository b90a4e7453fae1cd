#include "workload_net.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

struct net net_make(struct plan *p, bool training)
{
	return (struct net){ .plan = p, .arena = p->arena, .training = training };
}

struct str net_name(struct net *n, const char *fmt, ...)
{
	char buf[128];
	va_list args;

	va_start(args, fmt);
	vsnprintf(buf, sizeof buf, fmt, args);
	va_end(args);
	return str_dup(n->arena, str_of(buf));
}

/* The state of a tensor; the array follows the plan's. */
static struct net_state *state_of(struct net *n, int tensor)
{
	n->state = arena_grow(n->arena, n->state, &n->state_cap, (size_t)n->plan->ntensors,
			      sizeof *n->state);
	for (; n->nstate < (size_t)n->plan->ntensors; n->nstate++)
		n->state[n->nstate] = (struct net_state){ .grad = -1 };
	return &n->state[tensor];
}

static int add_tensor(struct net *n, struct tensor t, const long *dims)
{
	for (t.rank = 0; t.rank < DIMS_MAX && dims[t.rank]; t.rank++)
		t.dim[t.rank] = dims[t.rank];
	return plan_tensor(n->plan, &t);
}

int net_tensor(struct net *n, struct str name, enum element e, const long *dims)
{
	return add_tensor(n, (struct tensor){ .name = name, .element = e }, dims);
}

int net_input(struct net *n, struct str name, const long *dims)
{
	return add_tensor(n, (struct tensor){ .name = name, .fill = FILL_NORMAL, .scale = 1 },
			  dims);
}

int net_ids(struct net *n, struct str name, long count, enum fill fill, long range)
{
	return add_tensor(n, (struct tensor){ .name = name, .element = ELEMENT_I32, .fill = fill,
					      .range = range }, (long[]){ count, 0 });
}

static int add_weight(struct net *n, struct tensor t, const long *dims)
{
	t.is_weight = true;
	int w = add_tensor(n, t, dims);
	state_of(n, w)->wants = n->training;
	return w;
}

int net_weight(struct net *n, struct str name, const long *dims, long fan_in)
{
	return add_weight(n, (struct tensor){ .name = name, .fill = FILL_NORMAL,
					      .scale = 1 / sqrt((double)fan_in) }, dims);
}

/* Biases, factors and summands of norms: large enough that one which is left out shows in 16
 * bits. */
static const double vector_scale = 0.25;

int net_norm_weight(struct net *n, struct str name, long count, double value)
{
	return add_weight(n, (struct tensor){ .name = name, .element = ELEMENT_F32,
					      .fill = value == 1 ? FILL_NEAR_ONE : FILL_NORMAL,
					      .scale = vector_scale }, (long[]){ count, 0 });
}

int net_bias(struct net *n, struct str name, long count)
{
	return add_weight(
	    n, (struct tensor){ .name = name, .fill = FILL_NORMAL, .scale = vector_scale },
	    (long[]){ count, 0 });
}

int net_like(struct net *n, struct str name, int tensor)
{
	struct tensor t = n->plan->tensors[tensor];

	t.name = name;
	t.fill = FILL_NONE;
	t.is_weight = false;
	return plan_tensor(n->plan, &t);
}

int net_op(struct net *n, struct op *o)
{
	o->phase = n->phase;
	return plan_op(n->plan, o);
}

struct node *net_node(struct net *n, struct str name,
		      void (*backward)(struct net *, const struct node *))
{
	n->nodes = arena_grow(n->arena, n->nodes, &n->nodes_cap, n->nnodes + 1, sizeof *n->nodes);
	struct node *node = &n->nodes[n->nnodes++];
	*node = (struct node){ .backward = backward, .name = name };
	return node;
}

void net_want(struct net *n, int tensor)
{
	state_of(n, tensor)->wants = n->training;
}

bool net_wants(struct net *n, int tensor)
{
	return state_of(n, tensor)->wants;
}

void net_table(struct net *n, int w)
{
	state_of(n, w)->table = true;
}

int net_grad_of(struct net *n, int tensor)
{
	return state_of(n, tensor)->grad;
}

/* A pool buffer of the same size and type that nobody holds, or a new one. The first that fits, so
 * that the plan is always the same. */
int net_grad_buffer(struct net *n, int like)
{
	struct tensor want = n->plan->tensors[like];

	for (int i = 0; i < n->plan->ntensors; i++) {
		const struct tensor *t = &n->plan->tensors[i];
		struct net_state *s = state_of(n, i);
		if (!s->pooled || s->holders || t->element != want.element
		    || tensor_count(t) != tensor_count(&want))
			continue;
		s->holders = 1;
		return i;
	}
	int fresh = net_like(n, net_name(n, "gradient.%d", n->plan->ntensors), like);
	*state_of(n, fresh) = (struct net_state){ .grad = -1, .holders = 1, .pooled = true };
	return fresh;
}

void net_release(struct net *n, int grad)
{
	struct net_state *s = state_of(n, grad);

	if (s->pooled)
		s->holders--;
}

static void add_gradients(struct net *n, int x, int y, int z)
{
	struct op o = op_make(OP_ADD, STR("gradient.sum"));
	long count = tensor_count(&n->plan->tensors[z]);

	o.in[0] = x;
	o.in[1] = y;
	o.out[0] = z;
	o.p.add = (struct op_add){ 1, count, 0, count, 0, count, 0, count };
	net_op(n, &o);
}

/* A buffer that somebody else holds too must not be written: the sum goes to another. */
void net_accumulate(struct net *n, int tensor, int grad)
{
	struct net_state *s = state_of(n, tensor);

	if (!s->wants) {
		net_release(n, grad);
		return;
	}
	if (s->grad < 0) {
		s->grad = grad;
		return;
	}
	int old = s->grad;
	int sum = state_of(n, old)->holders == 1 ? old : net_grad_buffer(n, old);
	add_gradients(n, old, grad, sum);
	net_release(n, grad);
	if (sum != old)
		net_release(n, old);
	state_of(n, tensor)->grad = sum;
}

int net_weight_grad(struct net *n, int w, bool *fresh)
{
	*fresh = state_of(n, w)->grad < 0;
	if (*fresh) {
		int g =
		    net_like(n, net_name(n, STR_FMT ".grad", STR_ARG(n->plan->tensors[w].name)), w);
		state_of(n, w)->grad = g;
		if (state_of(n, w)->table)
			n->plan->tensors[g].element = ELEMENT_F32;
	}
	return state_of(n, w)->grad;
}

void net_backward(struct net *n)
{
	n->phase = PHASE_BACKWARD;
	for (size_t i = n->nnodes; i-- > 0;) {
		struct node node = n->nodes[i];
		node.backward(n, &node);
	}
}

/* A state of the optimizer: fp32, as many elements as the weight. */
static int optimizer_state(struct net *n, const char *what, int w, struct tensor t)
{
	long count = tensor_count(&n->plan->tensors[w]);

	t.name = net_name(n, STR_FMT ".%s", STR_ARG(n->plan->tensors[w].name), what);
	t.element = ELEMENT_F32;
	return add_tensor(n, t, (long[]){ count, 0 });
}

/* fp32 weights are their own masters. */
static int master_of(struct net *n, int w)
{
	const struct tensor *t = &n->plan->tensors[w];
	enum precision p = n->plan->precision;

	if (t->element == ELEMENT_F32 || p == PRECISION_FP32 || p == PRECISION_TF32)
		return -1;
	return optimizer_state(n, "master", w,
			       (struct tensor){ .fill = t->fill, .scale = t->scale });
}

/* One operation a weight, in the order of the weights. */
static void optimize(struct net *n, enum op_kind kind, const char *const *states, int nstates,
		     struct op_optimizer rule)
{
	int count = n->plan->ntensors;

	n->phase = PHASE_OPTIMIZER;
	for (int w = 0; w < count; w++) {
		if (!n->plan->tensors[w].is_weight || net_grad_of(n, w) < 0)
			continue;
		struct op o = op_make(kind, n->plan->tensors[w].name);
		o.in[0] = o.out[0] = w;
		o.in[1] = net_grad_of(n, w);
		o.in[2] = o.out[1] = master_of(n, w);
		for (int i = 0; i < nstates; i++)
			o.in[3 + i] = o.out[2 + i] = optimizer_state(
			    n, states[i], w, (struct tensor){ .fill = FILL_CONSTANT });
		rule.count = tensor_count(&n->plan->tensors[w]);
		o.p.optimizer.count = rule.count;
		o.p.optimizer.rate = rule.rate;
		o.p.optimizer.momentum = rule.momentum;
		o.p.optimizer.beta1 = rule.beta1;
		o.p.optimizer.beta2 = rule.beta2;
		o.p.optimizer.epsilon = rule.epsilon;
		o.p.optimizer.decay = rule.decay;
		o.p.optimizer.step = rule.step;
		net_op(n, &o);
	}
}

/* Small rates: the weights of a benchmark must stay where they are, whatever the number of steps.
 * The scale of the loss goes into the rate; Adam does not see it. */
void net_sgd(struct net *n)
{
	static const char *const states[] = { "momentum" };

	optimize(n, OP_SGD, states, 1,
		 (struct op_optimizer){
		     .rate = 1e-5 / net_loss_scale(n), .momentum = 0.9, .decay = 1e-4, .step = 1 });
}

void net_adam(struct net *n)
{
	static const char *const states[] = { "m", "v" };

	optimize(n, OP_ADAM, states, 2,
		 (struct op_optimizer){ .rate = 1e-6, .beta1 = 0.9, .beta2 = 0.999, .epsilon = 1e-6,
					.decay = 0.01, .step = 1 });
}
