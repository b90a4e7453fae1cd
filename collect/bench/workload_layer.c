/* The layers of workload_net.h: forward operations, and what goes back through each. */
#include "workload_net.h"

/* References of a node, by layer. */
enum { REF_OP, REF_X, REF_Y, REF_W, REF_B, REF_PRE, REF_MEAN, REF_INV, REF_RESIDUAL };

/* An operation of the way back with the numbers of its forward one. */
static struct op backward_op(struct net *n, const struct node *node, enum op_kind kind,
			     const char *suffix)
{
	const struct op *f = &n->plan->ops[node->ref[REF_OP]];
	struct op o = op_make(kind, net_name(n, STR_FMT "%s", STR_ARG(node->name), suffix));

	o.p = f->p;
	o.forward = node->ref[REF_OP];
	return o;
}

struct op net_product(struct str name, int a, int b, int c, struct op_gemm g)
{
	struct op o = op_make(OP_GEMM, name);

	o.in[0] = a;
	o.in[1] = b;
	o.out[0] = c;
	o.p.gemm.batch = 1;
	o.p.gemm.inner = 1;
	o.p.gemm.m = g.m;
	o.p.gemm.n = g.n;
	o.p.gemm.k = g.k;
	o.p.gemm.trans_a = g.trans_a;
	o.p.gemm.trans_b = g.trans_b;
	o.p.gemm.lda = g.trans_a ? g.m : g.k;
	o.p.gemm.ldb = g.trans_b ? g.k : g.n;
	o.p.gemm.ldc = g.n;
	o.p.gemm.alpha = 1;
	o.p.gemm.beta = g.beta;
	return o;
}

static void bias_grad(struct net *n, struct str name, int dy, int b, long rows, long cols)
{
	struct op o = op_make(OP_BIAS_GRAD, name);
	bool fresh;
	int db = net_weight_grad(n, b, &fresh);

	n->plan->tensors[db].element = ELEMENT_F32;
	o.in[0] = dy;
	o.out[0] = db;
	o.p.rows.rows = rows;
	o.p.rows.cols = cols;
	net_op(n, &o);
}

static int activation_backward(struct net *n, const struct node *node, int dy)
{
	const struct op *f = &n->plan->ops[node->ref[REF_OP]];
	struct op o = op_make(OP_ACTIVATION_BWD, net_name(n, STR_FMT ".act", STR_ARG(node->name)));
	int dpre = net_grad_buffer(n, node->ref[REF_Y]);

	o.in[0] = dy;
	o.in[1] = node->ref[REF_PRE];
	o.out[0] = dpre;
	o.p.rows.rows = f->p.gemm.m;
	o.p.rows.cols = f->p.gemm.n;
	o.p.rows.activation = f->p.gemm.activation;
	net_op(n, &o);
	net_release(n, dy);
	return dpre;
}

static void linear_backward(struct net *n, const struct node *node)
{
	struct op_gemm g = n->plan->ops[node->ref[REF_OP]].p.gemm;
	int x = node->ref[REF_X], w = node->ref[REF_W], dy = net_grad_of(n, node->ref[REF_Y]);
	struct op o;

	if (dy < 0)
		return;
	if (node->ref[REF_PRE] >= 0)
		dy = activation_backward(n, node, dy);
	if (node->ref[REF_B] >= 0)
		bias_grad(n, net_name(n, STR_FMT ".bias", STR_ARG(node->name)), dy,
			  node->ref[REF_B], g.m, g.n);
	if (net_wants(n, x)) {
		int dx = net_grad_buffer(n, x);
		o = net_product(net_name(n, STR_FMT ".dgrad", STR_ARG(node->name)), dy, w, dx,
			    (struct op_gemm){ .m = g.m, .n = g.k, .k = g.n });
		net_op(n, &o);
		net_accumulate(n, x, dx);
	}
	bool fresh;
	int dw = net_weight_grad(n, w, &fresh);
	o = net_product(net_name(n, STR_FMT ".wgrad", STR_ARG(node->name)), dy, x, dw,
		    (struct op_gemm){ .m = g.n, .n = g.k, .k = g.m, .trans_a = true,
				      .beta = fresh ? 0 : 1 });
	net_op(n, &o);
	net_release(n, dy);
}

int net_linear(struct net *n, struct str name, int x, int w, int b, long rows, long in, long out,
	       enum activation act)
{
	int y = net_tensor(n, name, ELEMENT_VALUE, (long[]){ rows, out, 0 });
	struct op o = net_product(name, x, w, y,
			      (struct op_gemm){ .m = rows, .n = out, .k = in, .trans_b = true });
	int pre = act != ACTIVATION_NONE && n->training
		      ? net_like(n, net_name(n, STR_FMT ".pre", STR_ARG(name)), y) : -1;

	o.in[2] = b;
	o.out[1] = pre;
	o.p.gemm.bias = b >= 0;
	o.p.gemm.activation = act;
	int op = net_op(n, &o);
	net_want(n, y);
	*net_node(n, name, linear_backward) = (struct node){ linear_backward,
							     { [REF_OP] = op,
							       [REF_X] = x,
							       [REF_Y] = y,
							       [REF_W] = w,
							       [REF_B] = b,
							       [REF_PRE] = pre },
							     name };
	return y;
}

static void conv_backward(struct net *n, const struct node *node)
{
	int dy = net_grad_of(n, node->ref[REF_Y]), x = node->ref[REF_X];
	bool fresh;

	if (net_wants(n, x)) {
		struct op o = backward_op(n, node, OP_CONV_BWD_DATA, ".dgrad");
		int dx = net_grad_buffer(n, x);
		o.in[0] = dy;
		o.in[1] = node->ref[REF_W];
		o.out[0] = dx;
		net_op(n, &o);
		net_accumulate(n, x, dx);
	}
	struct op o = backward_op(n, node, OP_CONV_BWD_FILTER, ".wgrad");
	o.in[0] = dy;
	o.in[1] = x;
	o.out[0] = net_weight_grad(n, node->ref[REF_W], &fresh);
	net_op(n, &o);
	net_release(n, dy);
}

int net_conv(struct net *n, struct str name, int x, const struct op_conv *c)
{
	struct op o = op_make(OP_CONV, name);
	int w = net_weight(n, net_name(n, STR_FMT ".weight", STR_ARG(name)),
			   (long[]){ c->co, c->ci, c->kh, c->kw, 0 }, c->ci * c->kh * c->kw);
	int y = net_tensor(n, name, ELEMENT_VALUE, (long[]){ c->n, c->co, c->ho, c->wo, 0 });

	o.in[0] = x;
	o.in[1] = w;
	o.out[0] = y;
	o.p.conv = *c;
	int op = net_op(n, &o);
	net_want(n, y);
	*net_node(n, name, conv_backward) = (struct node){
		conv_backward, { [REF_OP] = op, [REF_X] = x, [REF_Y] = y, [REF_W] = w }, name };
	return y;
}

static void batchnorm_backward(struct net *n, const struct node *node)
{
	struct op o = backward_op(n, node, OP_BATCHNORM_BWD, ".bwd");
	int dy = net_grad_of(n, node->ref[REF_Y]), x = node->ref[REF_X];
	int residual = node->ref[REF_RESIDUAL], dx = net_grad_buffer(n, x);
	int dresidual = residual >= 0 ? net_grad_buffer(n, x) : -1;
	bool fresh;

	o.in[0] = dy;
	o.in[1] = x;
	o.in[2] = node->ref[REF_Y];
	o.in[3] = node->ref[REF_W];
	o.in[4] = node->ref[REF_MEAN];
	o.in[5] = node->ref[REF_INV];
	o.out[0] = dx;
	o.out[1] = net_weight_grad(n, node->ref[REF_W], &fresh);
	o.out[2] = net_weight_grad(n, node->ref[REF_B], &fresh);
	o.out[3] = dresidual;
	net_op(n, &o);
	net_release(n, dy);
	net_accumulate(n, x, dx);
	if (dresidual >= 0)
		net_accumulate(n, residual, dresidual);
}

int net_batchnorm(struct net *n, struct str name, int x, int residual, bool relu, const long *nchw)
{
	struct op o = op_make(OP_BATCHNORM, name);
	long c = nchw[1];
	struct node node = { batchnorm_backward, { 0 }, name };

	node.ref[REF_X] = o.in[0] = x;
	node.ref[REF_W] = o.in[1] =
	    net_norm_weight(n, net_name(n, STR_FMT ".gamma", STR_ARG(name)), c, 1);
	node.ref[REF_B] = o.in[2] =
	    net_norm_weight(n, net_name(n, STR_FMT ".beta", STR_ARG(name)), c, 0);
	node.ref[REF_RESIDUAL] = o.in[3] = residual;
	node.ref[REF_Y] = o.out[0] = net_like(n, name, x);
	node.ref[REF_MEAN] = o.out[1] = net_tensor(n, net_name(n, STR_FMT ".mean", STR_ARG(name)),
						   ELEMENT_F32, (long[]){ c, 0 });
	node.ref[REF_INV] = o.out[2] = net_like(n, net_name(n, STR_FMT ".inv_std", STR_ARG(name)),
						o.out[1]);
	o.p.norm.rows = nchw[0] * nchw[2] * nchw[3];
	o.p.norm.cols = c;
	o.p.norm.epsilon = 1e-5;
	o.p.norm.relu = relu;
	o.p.norm.residual = residual >= 0;
	node.ref[REF_OP] = net_op(n, &o);
	net_want(n, o.out[0]);
	*net_node(n, name, batchnorm_backward) = node;
	return o.out[0];
}

static void layernorm_backward(struct net *n, const struct node *node)
{
	struct op o = backward_op(n, node, OP_LAYERNORM_BWD, ".bwd");
	int dy = net_grad_of(n, node->ref[REF_Y]), x = node->ref[REF_X], dx = net_grad_buffer(n, x);
	bool fresh;

	o.in[0] = dy;
	o.in[1] = x;
	o.in[2] = node->ref[REF_W];
	o.in[3] = node->ref[REF_MEAN];
	o.in[4] = node->ref[REF_INV];
	o.out[0] = dx;
	o.out[1] = net_weight_grad(n, node->ref[REF_W], &fresh);
	o.out[2] = net_weight_grad(n, node->ref[REF_B], &fresh);
	net_op(n, &o);
	net_release(n, dy);
	net_accumulate(n, x, dx);
}

int net_layernorm(struct net *n, struct str name, int x, long rows, long cols)
{
	struct op o = op_make(OP_LAYERNORM, name);
	struct node node = { layernorm_backward, { 0 }, name };

	node.ref[REF_X] = o.in[0] = x;
	node.ref[REF_W] = o.in[1] = net_norm_weight(n, net_name(n, STR_FMT ".gamma", STR_ARG(name)),
						    cols, 1);
	node.ref[REF_B] = o.in[2] = net_norm_weight(n, net_name(n, STR_FMT ".beta", STR_ARG(name)),
						    cols, 0);
	node.ref[REF_Y] = o.out[0] = net_tensor(n, name, ELEMENT_VALUE, (long[]){ rows, cols, 0 });
	node.ref[REF_MEAN] = o.out[1] = net_tensor(n, net_name(n, STR_FMT ".mean", STR_ARG(name)),
						   ELEMENT_F32, (long[]){ rows, 0 });
	node.ref[REF_INV] = o.out[2] = net_like(n, net_name(n, STR_FMT ".inv_std", STR_ARG(name)),
						o.out[1]);
	o.p.norm.rows = rows;
	o.p.norm.cols = cols;
	o.p.norm.epsilon = 1e-5;
	node.ref[REF_OP] = net_op(n, &o);
	net_want(n, o.out[0]);
	*net_node(n, name, layernorm_backward) = node;
	return o.out[0];
}

/* dy, and x and y of a maximum, -> dx. */
static void pool_backward(struct net *n, const struct node *node)
{
	bool max = n->plan->ops[node->ref[REF_OP]].kind == OP_MAXPOOL;
	struct op o = backward_op(n, node, max ? OP_MAXPOOL_BWD : OP_AVGPOOL_BWD, ".bwd");
	int dy = net_grad_of(n, node->ref[REF_Y]), x = node->ref[REF_X], dx = net_grad_buffer(n, x);

	o.in[0] = dy;
	o.in[1] = max ? x : -1;
	o.in[2] = max ? node->ref[REF_Y] : -1;
	o.out[0] = dx;
	net_op(n, &o);
	net_release(n, dy);
	net_accumulate(n, x, dx);
}

static int pool(struct net *n, struct str name, enum op_kind kind, int x, const struct op_window *w,
		const long *dims)
{
	struct op o = op_make(kind, name);
	int y = net_tensor(n, name, ELEMENT_VALUE, dims);

	o.in[0] = x;
	o.out[0] = y;
	o.p.window = *w;
	int op = net_op(n, &o);
	net_want(n, y);
	*net_node(n, name, pool_backward) = (struct node){
		pool_backward, { [REF_OP] = op, [REF_X] = x, [REF_Y] = y }, name };
	return y;
}

int net_maxpool(struct net *n, struct str name, int x, const struct op_window *w)
{
	return pool(n, name, OP_MAXPOOL, x, w, (long[]){ w->n, w->c, w->ho, w->wo, 0 });
}

int net_avgpool(struct net *n, struct str name, int x, const struct op_window *w)
{
	return pool(n, name, OP_AVGPOOL, x, w, (long[]){ w->n, w->c, 0 });
}
