/* Memory of a plan: what there is, how it is taken, and values on their way in and out. */
#include "onednn_load.h"

#include "host_memory.h"
#include "onednn_vector.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

struct clear { char *p; };

static void clear(const struct loaded *l, const void *job, long from, long to, int thread)
{
	const struct clear *c = job;

	(void)l;
	(void)thread;
	memset(c->p + from, 0, (size_t)(to - from));
}

enum { PAGE = 1 << 21 };

/* What is left to the rest of the machine: others may have taken memory since it was counted. */
static const double left_free = 512e6;

/* Every page is touched by the thread that will mostly use it. */
void *load_memory(struct loaded *l, size_t bytes, const char *what, struct bench_error *err)
{
	struct piece *p = arena_alloc(&l->arena, sizeof *p);
	size_t page = bytes < PAGE ? 4096 : PAGE;

	p->bytes = (bytes / page + 1) * page;
	p->data = page < PAGE || host_memory_available() > (double)p->bytes + left_free
		      ? aligned_alloc(page, p->bytes)
		      : NULL;
	if (!p->data) {
		bench_fail(err, BENCH_NO_MEMORY, "onednn: no %.3f GB for %s", (double)bytes * 1e-9,
			   what);
		return NULL;
	}
	p->next = l->pieces;
	l->pieces = p;
#ifdef MADV_HUGEPAGE
	if (page == PAGE)
		madvise(p->data, p->bytes, MADV_HUGEPAGE); /* where it is refused, small pages do */
#endif
	parallel(l, (long)p->bytes, (long)page, clear, &(struct clear){ p->data });
	return p->data;
}

void load_free(struct loaded *l)
{
	lib_close(&l->lib);
	for (struct piece *p = l->pieces; p; p = p->next)
		free(p->data);
	arena_free(&l->arena);
	free(l);
}

static int operands_of(const struct op *op, int out[OP_INPUTS + OP_OUTPUTS])
{
	int all[OP_INPUTS + OP_OUTPUTS], n = 0;

	memcpy(all, op->in, sizeof op->in);
	memcpy(all + OP_INPUTS, op->out, sizeof op->out);
	for (size_t i = 0; i < LEN(all); i++) {
		bool known = all[i] < 0;
		for (int k = 0; k < n && !known; k++)
			known = out[k] == all[i];
		if (!known)
			out[n++] = all[i];
	}
	return n;
}

bool load_copies(struct loaded *l, int op, int n, struct bench_error *err)
{
	struct copies *c = &l->copies;
	double want = 0, have = host_memory_available();

	if (c->n >= n && c->op == op)
		return true;
	*c = (struct copies){ .op = op };
	c->operands = operands_of(&l->plan->ops[op], c->tensor);
	for (int k = 0; k < c->operands; k++)
		want += (double)(n - 1) * (double)l->places[c->tensor[k]].bytes;
	if (want > have)
		return bench_fail(err, BENCH_NO_MEMORY,
				  "onednn: %.1f GB wanted for %d sets of buffers, %.1f GB are free",
				  want * 1e-9, n, have * 1e-9);
	c->data = arena_array(&l->arena, (size_t)n * (size_t)c->operands, sizeof *c->data);
	for (int i = 0; i < n; i++)
		for (int k = 0; k < c->operands; k++) {
			const struct place *p = &l->places[c->tensor[k]];
			char *at = i ? load_memory(l, p->bytes, "sets of buffers", err) : p->data;
			if (!at)
				return false;
			if (i)
				memcpy(at, p->data, p->bytes);
			c->data[i * c->operands + k] = at;
		}
	c->n = n;
	return true;
}

void load_turn(struct loaded *l, int copy)
{
	const struct copies *c = &l->copies;

	for (int k = 0; k < c->operands; k++)
		l->places[c->tensor[k]].data = c->data[copy * c->operands + k];
}

/* Values between doubles and what is stored, row-major. */
struct convert { char *plain; const double *from; double *to; dnnl_data_type_t type; };

enum { RUN = 1024 };

static void store(const struct loaded *l, const void *job, long from, long to, int thread)
{
	const struct convert *c = job;
	float room[RUN];

	(void)l;
	(void)thread;
	for (long i = from; i < to; i += RUN) {
		long n = to - i < RUN ? to - i : RUN;
		for (long k = 0; c->type == dnnl_s32 && k < n; k++)
			((int32_t *)(void *)c->plain)[i + k] = (int32_t)c->from[i + k];
		if (c->type == dnnl_s32)
			continue;
		for (long k = 0; k < n; k++)
			room[k] = (float)c->from[i + k];
		numbers_put((struct numbers){ c->plain, c->type == dnnl_bf16 }, i, n, room);
	}
}

static void fetch(const struct loaded *l, const void *job, long from, long to, int thread)
{
	const struct convert *c = job;
	float room[RUN];

	(void)l;
	(void)thread;
	for (long i = from; i < to; i += RUN) {
		long n = to - i < RUN ? to - i : RUN;
		if (c->type == dnnl_s32) {
			for (long k = 0; k < n; k++)
				c->to[i + k] = ((const int32_t *)(void *)c->plain)[i + k];
			continue;
		}
		const float *x =
		    numbers_get((struct numbers){ c->plain, c->type == dnnl_bf16 }, i, n, room);
		for (long k = 0; k < n; k++)
			c->to[i + k] = (double)x[k];
	}
}

/* The tensor itself where it lies row-major, else a copy that a reorder fills or empties; those are
 * made once and freed at once, since uploads and downloads are rare. */
struct passage { const struct layout *plain; char *copy; struct lib lib; struct arena arena; };

static bool passage_open(struct loaded *l, int tensor, struct passage *p, struct bench_error *err)
{
	const struct place *at = &l->places[tensor];

	*p = (struct passage){ 0 };
	if (!lib_open(&p->lib, &p->arena, err)
	    || !(p->plain =
		     layout_make(&p->lib, at->now->type, at->now->rank, at->now->dims, NULL, err)))
		return false;
	if (at->now->bytes == p->plain->bytes && layout_same(at->now, p->plain))
		return true;
	p->copy = malloc(p->plain->bytes);
	return p->copy || bench_fail(err, BENCH_NO_MEMORY, "onednn: no memory to move a tensor");
}

static bool move(struct passage *p, const struct layout *from, const struct layout *to,
		 char *data_from, char *data_to, struct bench_error *err)
{
	static const int args[] = { DNNL_ARG_FROM, DNNL_ARG_TO };
	struct prim *r = lib_reorder(&p->lib, from, to, err);
	struct call *c = r ? call_make(&p->lib, r, args, LEN(args), err) : NULL;
	char *scratch = r ? malloc(r->scratch_bytes + 1) : NULL;
	bool good =
	    c && (scratch || bench_fail(err, BENCH_NO_MEMORY, "onednn: no memory to move a tensor"))
	    && call_run(c, (void *[]){ data_from, data_to }, scratch, err);

	free(scratch);
	return good;
}

static void passage_close(struct passage *p)
{
	lib_close(&p->lib);
	arena_free(&p->arena);
	free(p->copy);
}

bool load_upload(struct loaded *l, int tensor, const double *values, struct bench_error *err)
{
	struct place *at = &l->places[tensor];
	struct passage p;
	bool good = passage_open(l, tensor, &p, err);

	if (good) {
		struct convert c = { p.copy ? p.copy : at->data, values, NULL,
				     step_type(l, tensor) };
		parallel(l, tensor_count(&l->plan->tensors[tensor]), RUN, store, &c);
	}
	if (good && p.copy)
		good = move(&p, p.plain, at->now, p.copy, at->data, err);
	passage_close(&p);
	return good;
}

bool load_download(struct loaded *l, int tensor, double *values, struct bench_error *err)
{
	struct place *at = &l->places[tensor];
	struct passage p;
	bool good = passage_open(l, tensor, &p, err);

	if (good && p.copy)
		good = move(&p, at->now, p.plain, at->data, p.copy, err);
	if (good) {
		struct convert c = { p.copy ? p.copy : at->data, NULL, values,
				     step_type(l, tensor) };
		parallel(l, tensor_count(&l->plan->tensors[tensor]), RUN, fetch, &c);
	}
	passage_close(&p);
	return good;
}
