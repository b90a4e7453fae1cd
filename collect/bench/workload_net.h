/* Builds the plan of one step of a network: each net_ function appends an operation of the forward
 * pass and notes how to go back; net_backward() then appends all gradients in reverse order,
 * net_adam() or net_sgd() the update of every weight. Tensors are named by indices into the plan.
 *
 * Gradients of activations live in a pool of buffers: one is taken again as soon as nothing wants
 * its content, so that the memory of a plan is about what a framework needs. Gradients of weights
 * have tensors of their own. Where a tensor has two users their gradients are added (OP_ADD). */
#ifndef BENCH_WORKLOAD_NET_H
#define BENCH_WORKLOAD_NET_H

#include "plan.h"

#include <stdbool.h>

struct net;

/* Room for what a backward function needs to know: indices of operations and tensors. */
enum { NODE_REFS = 16 };
struct node {
	void (*backward)(struct net *n, const struct node *node);
	int ref[NODE_REFS];
	struct str name;
};

struct net {
	struct plan *plan;
	struct arena *arena;
	bool training;
	enum phase phase;
	struct node *nodes;
	size_t nnodes, nodes_cap;
	/* by tensor: its gradient (-1: none yet), how many hold it, whether it takes part in
	 * training */
	/* table: its gradient is fp32 sums */
	struct net_state { int grad, holders; bool wants, pooled, table; } *state;
	size_t state_cap;
	size_t nstate;
};

struct net net_make(struct plan *p, bool training);
struct str net_name(struct net *n, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Tensors. `dims` ends at the first 0. */
int net_tensor(struct net *n, struct str name, enum element e, const long *dims);
int net_input(struct net *n, struct str name, const long *dims);  /* FILL_NORMAL, no gradient */
int net_ids(struct net *n, struct str name, long count, enum fill fill, long range);
/* A matrix or filter of the plan's precision, N(0, 1/fan_in). */
int net_weight(struct net *n, struct str name, const long *dims, long fan_in);
/* fp32 parameters of norms (around value: 1 or 0), or biases, which are of the plan's precision. */
int net_norm_weight(struct net *n, struct str name, long count, double value);
int net_bias(struct net *n, struct str name, long count);

/* Layers; each returns its output. b or residual -1: none. x (m k), w (n k): y = x w^T. */
int net_linear(struct net *n, struct str name, int x, int w, int b, long rows, long in, long out,
               enum activation act);
/* w, filters; only the first convolution of a network has an x that wants no gradient. */
int net_conv(struct net *n, struct str name, int x, const struct op_conv *c);
int net_batchnorm(struct net *n, struct str name, int x, int residual, bool relu, const long *nchw);
int net_layernorm(struct net *n, struct str name, int x, long rows, long cols);
int net_maxpool(struct net *n, struct str name, int x, const struct op_window *w);
int net_avgpool(struct net *n, struct str name, int x, const struct op_window *w);
/* y of the size of x */
int net_add(struct net *n, struct str name, int x, int y, long rows, long cols);
/* y: one row for all, the first `cols` elements of a weight. */
int net_add_row(struct net *n, struct str name, int x, int y, long rows, long cols);
int net_embed(struct net *n, struct str name, int table, int ids, long rows, long cols,
	      long vocabulary);
int net_gather(struct net *n, struct str name, int x, int ids, long rows, long cols, long of);
int net_lstm(struct net *n, struct str name, int x, int w, const struct op_lstm *l);
int net_attention(struct net *n, struct str name, int qkv, const struct op_attention *a);
/* Loss scale: 1,024 in fp16, as mixed-precision training has it (Micikevicius et al., ICLR 2018),
 * else 1. */
double net_loss_scale(const struct net *n);
void net_loss(struct net *n, struct str name, int logits, int labels, long rows, long cols);

/* For layers with rules of their own (workload_xl.c). */
/* adds it in the phase of the moment */
int net_op(struct net *n, struct op *o);
/* a tensor of the same shape and type */
int net_like(struct net *n, struct str name, int tensor);
struct node *net_node(struct net *n, struct str name,
		      void (*backward)(struct net *, const struct node *));
/* of an output: -1 when nothing came back */
int net_grad_of(struct net *n, int tensor);
int net_grad_buffer(struct net *n, int like);                 /* to write a gradient into */
void net_accumulate(struct net *n, int tensor, int grad);     /* hands a gradient over */
void net_release(struct net *n, int grad);
int net_weight_grad(struct net *n, int w, bool *fresh);       /* fresh: write, else add */
void net_want(struct net *n, int tensor);
bool net_wants(struct net *n, int tensor);
void net_table(struct net *n, int w);
/* A row-major product a b -> c; of `g` m n k, trans_a, trans_b and beta are taken. */
struct op net_product(struct str name, int a, int b, int c, struct op_gemm g);

void net_backward(struct net *n);
void net_sgd(struct net *n);
void net_adam(struct net *n);

#endif
