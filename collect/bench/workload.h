/* Every workload of the program: what a step is, its batch, what is measured of it.
 * A row of the tables below is a workload; networks are lists of layers in workload_*.c. */
#ifndef BENCH_WORKLOAD_H
#define BENCH_WORKLOAD_H

#include "plan.h"

enum workload_kind {
	WORKLOAD_STEP,      /* a whole step of a network, run after one another */
	WORKLOAD_MICRO,     /* one operation, buffers rotated */
};

struct workload;
typedef void workload_build_fn(const struct workload *w, struct plan *p);

struct workload {
	struct str name;      /* as in data/workloads.csv */
	struct str group;     /* what --workload may also say: "gemm", "bert" */
	struct str class;     /* as in data/workloads.csv */
	struct str title;
	enum workload_kind kind;
	struct str metric, unit;
	double per_unit;      /* samples, FLOP or bytes of one unit */
	unsigned precisions;  /* bits 1u << PRECISION_… */
	/* by rule: as in the published training scripts, the same on every device */
	long batch;
	long sample;          /* samples of one element of the batch: tokens of a sequence; 1 */
	bool grows;           /* the largest batch that fits is measured too */
	bool quick;           /* part of --quick */
	bool sustained;       /* measured once more on a warm device: one of each kind of network */
	unsigned quick_precisions; /* there, unless asked for; 0: all of them */
	int devices;          /* at least so many are needed */
	workload_build_fn *build;
	const void *shape;    /* a row of the builder's own table */
};

struct workload_list {
	const struct workload *v;
	size_t n;
};
/* All of them in the order they run: what gives the peaks (products, memory) comes first. */
struct workload_list workload_all(struct arena *a);
/* batch 0: the rule's. The plan lives in `a`. */
struct plan workload_plan(const struct workload *w, enum precision p, long batch, struct arena *a);

/* The builders and their tables; each appends its rows. */
struct workload_table;
void workload_table_add(struct workload_table *t, struct workload w);
void workload_add_micro(struct workload_table *t);
void workload_add_cnn(struct workload_table *t);
void workload_add_rnn(struct workload_table *t);
void workload_add_bert(struct workload_table *t);
void workload_add_xl(struct workload_table *t);
void workload_add_llm(struct workload_table *t);

struct workload_table {
	struct arena *arena;
	struct workload *v;
	size_t n, cap;
};

enum {
	PRECISIONS_TRAIN = 1u << PRECISION_FP32 | 1u << PRECISION_TF32 | 1u << PRECISION_FP16
			   | 1u << PRECISION_BF16,
	PRECISIONS_ALL = PRECISIONS_TRAIN | 1u << PRECISION_FP8,
	PRECISIONS_ONE = 1u << PRECISION_FP32, /* where the type of the numbers says nothing */
};

#endif
