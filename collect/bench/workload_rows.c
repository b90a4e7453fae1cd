/* Layers of workload_net.h on rows and sequences. */
#include "workload_net.h"

enum { REF_OP, REF_X, REF_Y, REF_W, REF_IDS };

static void add_backward(struct net *n, const struct node *node)
{
	int dz = net_grad_of(n, node->ref[REF_Y]);

	/* One buffer is the gradient of both. */
	if (n->state[dz].pooled)
		n->state[dz].holders++;
	net_accumulate(n, node->ref[REF_X], dz);
	net_accumulate(n, node->ref[REF_W], dz);
}

int net_add(struct net *n, struct str name, int x, int y, long rows, long cols)
{
	struct op o = op_make(OP_ADD, name);
	int z = net_like(n, name, x);

	o.in[0] = x;
	o.in[1] = y;
	o.out[0] = z;
	o.p.add = (struct op_add){ rows, cols, 0, cols, 0, cols, 0, cols };
	net_op(n, &o);
	net_want(n, z);
	*net_node(n, name, add_backward) = (struct node){
		add_backward, { [REF_X] = x, [REF_W] = y, [REF_Y] = z }, name };
	return z;
}

static void add_row_backward(struct net *n, const struct node *node)
{
	const struct op_add *a = &n->plan->ops[node->ref[REF_OP]].p.add;
	struct op o = op_make(OP_BIAS_GRAD, net_name(n, STR_FMT ".bias", STR_ARG(node->name)));
	int dz = net_grad_of(n, node->ref[REF_Y]);
	bool fresh;
	int dy = net_weight_grad(n, node->ref[REF_W], &fresh);

	n->plan->tensors[dy].element = ELEMENT_F32;
	/* the rows of a table that nobody reads have no gradient */
	n->plan->tensors[dy].fill = FILL_CONSTANT;
	o.in[0] = dz;
	o.out[0] = dy;
	o.p.rows.rows = a->rows;
	o.p.rows.cols = a->cols;
	net_op(n, &o);
	net_accumulate(n, node->ref[REF_X], dz);
}

int net_add_row(struct net *n, struct str name, int x, int y, long rows, long cols)
{
	struct op o = op_make(OP_ADD, name);
	int z = net_like(n, name, x);

	o.in[0] = x;
	o.in[1] = y;
	o.out[0] = z;
	o.p.add = (struct op_add){ rows, cols, 0, cols, 0, 0, 0, cols };
	int op = net_op(n, &o);
	net_want(n, z);
	*net_node(n, name, add_row_backward) = (struct node){
		add_row_backward, { [REF_OP] = op, [REF_X] = x, [REF_W] = y, [REF_Y] = z }, name };
	return z;
}

static void embed_backward(struct net *n, const struct node *node)
{
	struct op o = op_make(OP_EMBED_BWD, net_name(n, STR_FMT ".bwd", STR_ARG(node->name)));
	int dy = net_grad_of(n, node->ref[REF_Y]);
	bool fresh;

	o.in[0] = dy;
	o.in[1] = node->ref[REF_IDS];
	o.out[0] = net_weight_grad(n, node->ref[REF_W], &fresh);
	o.in[2] = fresh ? -1 : o.out[0];
	o.p = n->plan->ops[node->ref[REF_OP]].p;
	net_op(n, &o);
	net_release(n, dy);
}

int net_embed(struct net *n, struct str name, int table, int ids, long rows, long cols,
	      long vocabulary)
{
	struct op o = op_make(OP_EMBED, name);
	int y = net_tensor(n, name, ELEMENT_VALUE, (long[]){ rows, cols, 0 });

	o.in[0] = table;
	o.in[1] = ids;
	o.out[0] = y;
	o.p.rows.rows = rows;
	o.p.rows.cols = cols;
	o.p.rows.other = vocabulary;
	int op = net_op(n, &o);
	net_want(n, y);
	net_table(n, table);
	*net_node(n, name, embed_backward) =
	    (struct node){ embed_backward,
			   { [REF_OP] = op, [REF_W] = table, [REF_Y] = y, [REF_IDS] = ids },
			   name };
	return y;
}

/* Where other rows of x have a gradient already the gathered ones are added to it. */
static void gather_backward(struct net *n, const struct node *node)
{
	struct op o = op_make(OP_SCATTER_ROWS, net_name(n, STR_FMT ".bwd", STR_ARG(node->name)));
	int dy = net_grad_of(n, node->ref[REF_Y]), x = node->ref[REF_X], dx = net_grad_of(n, x);
	bool alone = dx < 0;

	if (alone)
		dx = net_grad_buffer(n, x);
	o.in[0] = dy;
	o.in[1] = node->ref[REF_IDS];
	o.in[2] = alone ? -1 : dx;
	o.out[0] = dx;
	o.p = n->plan->ops[node->ref[REF_OP]].p;
	net_op(n, &o);
	net_release(n, dy);
	if (alone)
		net_accumulate(n, x, dx);
}

int net_gather(struct net *n, struct str name, int x, int ids, long rows, long cols, long of)
{
	struct op o = op_make(OP_GATHER_ROWS, name);
	int y = net_tensor(n, name, ELEMENT_VALUE, (long[]){ rows, cols, 0 });

	o.in[0] = x;
	o.in[1] = ids;
	o.out[0] = y;
	o.p.rows.rows = rows;
	o.p.rows.cols = cols;
	o.p.rows.other = of;
	int op = net_op(n, &o);
	net_want(n, y);
	*net_node(n, name, gather_backward) = (struct node){
		gather_backward, { [REF_OP] = op, [REF_X] = x, [REF_Y] = y, [REF_IDS] = ids }, name
	};
	return y;
}

static void lstm_backward(struct net *n, const struct node *node)
{
	struct op o = op_make(OP_LSTM_BWD, net_name(n, STR_FMT ".bwd", STR_ARG(node->name)));
	int dy = net_grad_of(n, node->ref[REF_Y]), x = node->ref[REF_X];
	int dx = net_wants(n, x) ? net_grad_buffer(n, x) : -1;
	bool fresh;

	o.in[0] = dy;
	o.in[1] = x;
	o.in[2] = node->ref[REF_Y];
	o.in[3] = node->ref[REF_W];
	o.out[0] = dx;
	o.out[1] = net_weight_grad(n, node->ref[REF_W], &fresh);
	o.p = n->plan->ops[node->ref[REF_OP]].p;
	o.forward = node->ref[REF_OP];
	net_op(n, &o);
	net_release(n, dy);
	if (dx >= 0)
		net_accumulate(n, x, dx);
}

int net_lstm(struct net *n, struct str name, int x, int w, const struct op_lstm *l)
{
	struct op o = op_make(OP_LSTM, name);
	int y = net_tensor(n, name, ELEMENT_VALUE,
			   (long[]){ l->steps, l->batch, 2 * l->hidden, 0 });

	o.in[0] = x;
	o.in[1] = w;
	o.out[0] = y;
	o.p.lstm = *l;
	int op = net_op(n, &o);
	net_want(n, y);
	*net_node(n, name, lstm_backward) = (struct node){
		lstm_backward, { [REF_OP] = op, [REF_X] = x, [REF_W] = w, [REF_Y] = y }, name };
	return y;
}

static void attention_backward(struct net *n, const struct node *node)
{
	struct op o = op_make(OP_ATTENTION_BWD, net_name(n, STR_FMT ".bwd", STR_ARG(node->name)));
	int dy = net_grad_of(n, node->ref[REF_Y]), qkv = node->ref[REF_X];
	int dqkv = net_grad_buffer(n, qkv);

	o.in[0] = dy;
	o.in[1] = qkv;
	o.in[2] = node->ref[REF_Y];
	o.out[0] = dqkv;
	o.p = n->plan->ops[node->ref[REF_OP]].p;
	o.forward = node->ref[REF_OP];
	net_op(n, &o);
	net_release(n, dy);
	net_accumulate(n, qkv, dqkv);
}

int net_attention(struct net *n, struct str name, int qkv, const struct op_attention *a)
{
	struct op o = op_make(OP_ATTENTION, name);
	int y = net_tensor(n, name, ELEMENT_VALUE,
			   (long[]){ a->batch, a->queries, a->heads, a->width, 0 });

	o.in[0] = qkv;
	o.out[0] = y;
	o.p.attention.batch = a->batch;
	o.p.attention.queries = a->queries;
	o.p.attention.keys = a->keys;
	o.p.attention.heads = a->heads;
	o.p.attention.kv_heads = a->kv_heads;
	o.p.attention.width = a->width;
	o.p.attention.causal = a->causal;
	o.p.attention.position = a->position;
	int op = net_op(n, &o);
	net_want(n, y);
	*net_node(n, name, attention_backward) = (struct node){
		attention_backward, { [REF_OP] = op, [REF_X] = qkv, [REF_Y] = y }, name };
	return y;
}

double net_loss_scale(const struct net *n)
{
	return n->plan->precision == PRECISION_FP16 ? 1024 : 1;
}

void net_loss(struct net *n, struct str name, int logits, int labels, long rows, long cols)
{
	struct op o = op_make(OP_LOSS, name);
	int dlogits = net_like(n, net_name(n, STR_FMT ".grad", STR_ARG(name)), logits);

	o.in[0] = logits;
	o.in[1] = labels;
	o.out[0] = dlogits;
	o.out[1] = net_tensor(n, name, ELEMENT_F32, (long[]){ 1, 0 });
	o.p.rows.rows = rows;
	o.p.rows.cols = cols;
	o.p.rows.scale = net_loss_scale(n);
	net_op(n, &o);
	net_accumulate(n, logits, dlogits);
}
