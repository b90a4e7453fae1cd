/* A plan on the CPU: memory of its tensors, and for every operation how it is done. Operations are
 * made in the order of the plan, since the first that touches a tensor says how it lies
 * (convolutions: in blocks of channels); buffers that are used again may lie otherwise at every
 * operation, so each remembers how its operands do.
 *
 * Threads: loops of our own share OpenMP's threads with oneDNN; a second pool would wait for the
 * first one's. */
#ifndef BENCH_ONEDNN_LOAD_H
#define BENCH_ONEDNN_LOAD_H

#include "onednn_lib.h"
#include "onednn_ways.h"

#include "../../base/arena.h"

#include <stdint.h>
#include <time.h>

struct device {
	int threads;
	/* of a convolution alone that are tried (onednn_ways.h), a bit each: all but in tests */
	unsigned ways;
	bool half;                /* bf16 has instructions of its own */
	double peak[PRECISIONS];  /* measured when it was opened; NAN: cannot */
	const char *loop[PRECISIONS]; /* what it was measured with */
	char isa[64];
};

struct place {
	char *data;
	const struct layout *plain;       /* row-major in its own dimensions */
	const struct layout *now, *first; /* how it lies at the moment; at the start of a step */
	size_t bytes;                     /* the most that a layout wants */
};

/* Buffers that operations share, one after the other. */
enum slot { SLOT_SCRATCHPAD, SLOT_A, SLOT_B, SLOT_C, SLOT_D, SLOT_E, SLOT_F, SLOTS };

struct step;
typedef bool step_run_fn(struct loaded *l, const struct step *s, struct bench_error *err);

struct step {
	const struct op *op;
	const struct layout *in[OP_INPUTS], *out[OP_OUTPUTS];
	step_run_fn *run;
	bool (*choose)(struct loaded *l, struct step *s,
		       struct bench_error *err); /* NULL, or: tries its ways, once
	                                                                         * there is
	                                                                         * memory */
	void *state;        /* of the kind of operation */
	const char *detail;
};

/* Memory of one operation's own, wanted while it is made and given before it runs. */
struct own_want { struct own_want *next; size_t bytes; void **at; };

/* A piece of memory that the load owns. */
struct piece { struct piece *next; void *data; size_t bytes; };

/* Sets of buffers that a single operation runs on in turn; the first is the plan's own. */
struct copies {
	int op, n, operands;
	int tensor[OP_INPUTS + OP_OUTPUTS];
	char **data; /* n x operands */
};

struct loaded {
	struct device *device;
	const struct plan *plan;
	enum conv_way way;
	struct arena arena;
	struct lib lib;
	struct place *places;
	struct step *steps;
	size_t slot_bytes[SLOTS], thread_bytes;
	char *slot[SLOTS], *thread_room;   /* thread_room: thread_bytes for each */
	struct own_want *wants;
	struct piece *pieces;
	struct copies copies;
};

/* way  how convolutions are done */
struct loaded *load_plan(struct device *d, const struct plan *plan, enum conv_way way,
			 struct bench_error *err);
void load_free(struct loaded *l);
bool load_run(struct loaded *l, int op, struct bench_error *err);
bool load_upload(struct loaded *l, int tensor, const double *values, struct bench_error *err);
bool load_download(struct loaded *l, int tensor, double *values, struct bench_error *err);

/* Makes n sets of the operands of an operation, with the values of the moment; kept for the next
 * call. Then takes one of them. */
bool load_copies(struct loaded *l, int op, int n, struct bench_error *err);
void load_turn(struct loaded *l, int copy);

/* Seconds. */
double load_clock(clockid_t clock);

/* Zeroed memory in large pages where the system gives them; NULL with BENCH_NO_MEMORY. */
void *load_memory(struct loaded *l, size_t bytes, const char *what, struct bench_error *err);

/* How operations are made (onednn_*.c), by kind; `make` fills layouts, run and state. */
typedef bool step_make_fn(struct loaded *l, struct step *s, struct bench_error *err);
step_make_fn product_make, conv_make, lstm_make, lstm_bwd_make, attention_make, attention_bwd_make,
    attention_cache_make, batchnorm_make, batchnorm_bwd_make, maxpool_make, maxpool_bwd_make,
    avgpool_make, avgpool_bwd_make, rows_make, norm_make, optimizer_make, stream_make, add_make,
    shift_make;

/* For these functions. */
dnnl_data_type_t step_type(const struct loaded *l, int tensor);
bool step_half(const struct loaded *l, int tensor);   /* stored as bf16 */
/* The plain row-major layout of a tensor. */
const struct layout *step_plain(const struct loaded *l, int tensor);
/* Settles how an operand lies: where it has no layout yet it takes `want`. Results always take
 * `want`. */
bool step_in(struct loaded *l, struct step *s, int k, const struct layout *want);
bool step_out(struct loaded *l, struct step *s, int k, const struct layout *want);
/* All operands row-major; BENCH_UNSUPPORTED where one lies otherwise. */
bool step_all_plain(struct loaded *l, struct step *s, struct bench_error *err);
void step_want_slot(struct loaded *l, enum slot slot, size_t bytes);
void step_want_thread(struct loaded *l, size_t bytes);
void step_want_own(struct loaded *l, size_t bytes, void **at);
char *step_data(const struct loaded *l, int tensor); /* NULL for -1 */
/* Primitive or reorder with its scratchpad in SLOT_SCRATCHPAD. */
struct call *step_call(struct loaded *l, const struct prim *p, const int *args, int nargs,
		       struct bench_error *err);

/* An operand that an operation wants to have in another layout than the tensor has: through a
 * slot. */
struct adapter { struct call *reorder; enum slot slot; };
bool adapter_in(struct loaded *l, struct adapter *a, const struct layout *has,
		const struct layout *want, enum slot slot, struct bench_error *err);
bool adapter_out(struct loaded *l, struct adapter *a, const struct layout *makes,
		 const struct layout *has, enum slot slot, struct bench_error *err);
/* Where the operation reads or writes; an input is reordered here, a result in adapter_finish. */
bool adapter_read(struct loaded *l, const struct adapter *a, char *tensor, void **at,
		  struct bench_error *err);
void *adapter_write(const struct loaded *l, const struct adapter *a, char *tensor);
bool adapter_finish(struct loaded *l, const struct adapter *a, char *tensor,
		    struct bench_error *err);

/* body on [0, n), cut into one run a thread at multiples of `grain`. */
typedef void parallel_body(const struct loaded *l, const void *job, long from, long to, int thread);
void parallel(const struct loaded *l, long n, long grain, parallel_body *body, const void *job);
char *thread_room(const struct loaded *l, int thread);

/* Numbers of a tensor as floats: a run is widened into `room`, or handed out as it lies. */
struct numbers { char *p; bool half; };
struct numbers numbers_of(const struct loaded *l, int tensor);
const float *numbers_get(struct numbers v, long at, long n, float *room);
float *numbers_at(struct numbers v, long at, float *room); /* to write into; then numbers_put */
void numbers_put(struct numbers v, long at, long n, const float *x);

#endif
