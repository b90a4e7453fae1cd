/* What we want of oneDNN, without its versions: 2.x describes an operation in a struct and makes a
 * primitive of it, 3.x makes the primitive at once; a memory descriptor is a struct in 2.x and a
 * handle in 3.x. Nothing outside onednn_lib.c looks at the version. (Its tests pass with 2.6.3 and
 * 3.7.2.)
 *
 * Traps that this module is there for: a missing argument makes an execution return 2 and do
 * nothing, so every status is looked at; layouts are asked for with `any`, or convolutions take
 * slow paths; scratchpads are the caller's, so that threads may run one primitive at the same time.
 * Source: oneDNN developer guide, sections "Basic concepts", "Convolution", "Matmul", "RNN". */
#ifndef BENCH_ONEDNN_LIB_H
#define BENCH_ONEDNN_LIB_H

#include "backend.h"

#include <oneapi/dnnl/dnnl.h>

/* Everything made through a lib lives as long as its arena and dies in lib_close. */
struct lib {
	dnnl_engine_t engine;
	dnnl_stream_t stream;
	struct arena *arena;
	struct lib_owned *owned;
};
bool lib_open(struct lib *l, struct arena *a, struct bench_error *err);
void lib_close(struct lib *l);

/* How a tensor lies in memory. `any`: the library may choose. */
enum { LAYOUT_DIMS = 5 };
struct layout {
	dnnl_memory_desc_t md;
	int rank;
	long dims[LAYOUT_DIMS];
	dnnl_data_type_t type;
	size_t bytes;
	bool any;
};
/* strides  in elements; NULL: row-major */
const struct layout *layout_make(struct lib *l, dnnl_data_type_t type, int rank, const long *dims,
				 const long *strides, struct bench_error *err);
const struct layout *layout_any(struct lib *l, dnnl_data_type_t type, int rank, const long *dims,
				struct bench_error *err);
/* The same order of elements for another type. */
const struct layout *layout_like(struct lib *l, const struct layout *a, dnnl_data_type_t type,
				 struct bench_error *err);
bool layout_same(const struct layout *a, const struct layout *b);
/* The same memory with the names of its first two dimensions changed over: filters (o i h w) as (i o h w). */
const struct layout *layout_swapped(struct lib *l, const struct layout *a, struct bench_error *err);

/* Filters (o i h w), h and w over 1, as runs of memory: `outer` times one for each of the `places` of a filter, row
 * by row or column by column, so that turning filters round reverses the places. */
struct filter_runs {
	long outer, places;
	size_t bytes; /* of a run */
};
/* False where they lie otherwise. */
bool layout_filters(const struct layout *a, struct filter_runs *out);

/* An image tensor as runs of memory: run r = n * blocks + c / block holds `pixels` groups of
 * `block` channels (nChw16c: 16; n h w c: all; n c h w: 1), one behind the other. */
struct image {
	long n, c, block, pixels, h, w;
};
/* False where it lies otherwise, or with channels that are only there to fill a block. */
bool layout_image(const struct layout *a, struct image *out);
/* The layout of an image of these sizes and blocks (1, 4, 8, 16 or all channels). */
const struct layout *layout_blocked(struct lib *l, dnnl_data_type_t type, const struct image *m,
				    struct bench_error *err);

/* An operation ready to run, for so many threads as OpenMP would take when it was made. */
struct prim {
	dnnl_primitive_t primitive;
	dnnl_primitive_desc_t desc;
	const char *detail;   /* the library's word for how it is done: "jit:avx512_core" */
	size_t scratch_bytes; /* to be handed to prim_run */
};

/* c = act(alpha a b + bias + beta c), matrices; bias NULL: none. */
struct lib_product {
	const struct layout *a, *b, *bias, *c;
	double alpha, beta;
	enum activation activation;
};
/* way  which of the library's ways to do it, from 0; BENCH_UNSUPPORTED behind the last. Its plain
 *      reference loops, which
 * are the last resort, count as none but the first. */
struct prim *lib_matmul(struct lib *l, const struct lib_product *p, int way,
			struct bench_error *err);

/* x, w and y as the forward pass names them; pass: OP_CONV and the two backward kinds. way: as of a product. */
struct lib_conv {
	enum op_kind pass;
	struct op_conv p;
	const struct layout *x, *w, *y;
};
struct prim *lib_conv(struct lib *l, const struct lib_conv *c, int way, struct bench_error *err);

/* One bidirectional layer, outputs side by side. The backward one wants its forward one. */
struct lib_lstm {
	/* (t b i), (1 2 i 4 h), (1 2 h 4 h), (1 2 4 h), (t b 2h) */
	const struct layout *x, *w, *r, *bias, *y;
	const struct layout *dx, *dw, *dr, *dbias, *dy;  /* backward only */
	const struct prim *forward;
};
struct prim *lib_lstm(struct lib *l, const struct lib_lstm *p, struct bench_error *err);
struct prim *lib_lstm_bwd(struct lib *l, const struct lib_lstm *p, struct bench_error *err);

struct prim *lib_reorder(struct lib *l, const struct layout *from, const struct layout *to,
			 struct bench_error *err);

/* How an argument (DNNL_ARG_…) has to lie. */
const struct layout *prim_layout(struct lib *l, const struct prim *p, int arg,
				 struct bench_error *err);

size_t prim_bytes(const struct prim *p, int arg);

/* The arguments of one execution; a thread has its own. */
enum { CALL_ARGS = 16 };
struct call {
	const struct prim *prim;
	dnnl_stream_t stream;
	dnnl_exec_arg_t args[CALL_ARGS];
	int n;
};
/* args  so many DNNL_ARG_… as nargs says; call_run takes their addresses in this order. */
struct call *call_make(struct lib *l, const struct prim *p, const int *args, int nargs,
		       struct bench_error *err);
bool call_run(struct call *c, void *const *data, void *scratch, struct bench_error *err);

#endif
