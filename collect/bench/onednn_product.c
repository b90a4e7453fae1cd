/* Matrix products: one for all threads, or many small ones, of which each thread takes some. */
#include "onednn_load.h"

#include "onednn_vector.h"

#include <math.h>
#include <omp.h>

/* The library's ways to do one product, and which was the fastest when they were tried; operations
 * with the same numbers share them. calls: one of each, or one a thread where products are shared
 * out. */
enum { WAYS_MAX = 3, ROUNDS = 3, ROUNDS_MAX = 20, SEEN = 2 };
struct ways {
	int n, chosen;
	bool tried;
	struct call **calls[WAYS_MAX];
};

struct gemm {
	const struct op_gemm *p;
	struct ways *ways;
	bool many;
	int in[3], out, pre;      /* tensors; pre: what the activation is taken of, or -1 */
	int nin;
	size_t size_a, size_b, size_c; /* bytes of an element */
};

static size_t bytes_of(const struct loaded *l, int tensor)
{
	return step_half(l, tensor) ? 2 : 4;
}

static const struct layout *matrix(struct loaded *l, int tensor, long rows, long cols, bool trans,
				   long ld, struct bench_error *err)
{
	return layout_make(&l->lib, step_type(l, tensor), 2, (long[]){ rows, cols },
			   trans ? (long[]){ 1, ld } : (long[]){ ld, 1 }, err);
}

static bool describe(struct loaded *l, const struct step *s, struct lib_product *out,
		     struct bench_error *err)
{
	const struct op_gemm *g = &s->op->p.gemm;
	bool kept = s->op->out[1] >= 0;

	*out = (struct lib_product){
		.a = matrix(l, s->op->in[0], g->m, g->k, g->trans_a, g->lda, err),
		.b = matrix(l, s->op->in[1], g->k, g->n, g->trans_b, g->ldb, err),
		.c = matrix(l, s->op->out[0], g->m, g->n, false, g->ldc, err),
		.alpha = g->alpha, .beta = g->beta,
		.activation = kept ? ACTIVATION_NONE : g->activation,
	};
	if (g->bias)
		out->bias = layout_make(&l->lib, step_type(l, s->op->in[2]), 2, (long[]){ 1, g->n },
					NULL, err);
	return out->a && out->b && out->c && (!g->bias || out->bias);
}

/* Where matrix i of a batch begins, in elements. */
static long begin(const struct op_gemm *g, long i, long offset, long stride, long inner_stride)
{
	return offset + i / g->inner * stride + i % g->inner * inner_stride;
}

static bool run_one(const struct loaded *l, const struct gemm *p, int thread, long i, void *scratch,
		    struct bench_error *err)
{
	const struct op_gemm *g = p->p;
	int to = p->pre >= 0 ? p->pre : p->out, n = 0;
	void *data[4];

	data[n++] = step_data(l, p->in[0])
		    + p->size_a * (size_t)begin(g, i, g->offset_a, g->stride_a, g->inner_stride_a);
	data[n++] = step_data(l, p->in[1])
		    + p->size_b * (size_t)begin(g, i, g->offset_b, g->stride_b, g->inner_stride_b);
	if (p->nin == 3)
		data[n++] = step_data(l, p->in[2]);
	data[n] = step_data(l, to)
		  + p->size_c * (size_t)begin(g, i, g->offset_c, g->stride_c, g->inner_stride_c);
	return call_run(p->ways->calls[p->ways->chosen][thread], data, scratch, err);
}

/* The first failure of any thread. */
struct many { const struct gemm *p; struct bench_error *errors; };

static void run_some(const struct loaded *l, const void *job, long from, long to, int thread)
{
	const struct many *m = job;

	for (long i = from; i < to && m->errors[thread].code == BENCH_OK; i++)
		run_one(l, m->p, thread, i, thread_room(l, thread), &m->errors[thread]);
}

static bool run_many(struct loaded *l, const struct gemm *p, struct bench_error *err)
{
	struct arena a = { 0 };
	struct bench_error *errors = arena_array(&a, (size_t)l->device->threads, sizeof *errors);
	bool good = true;

	parallel(l, p->p->batch, 1, run_some, &(struct many){ p, errors });
	for (int t = 0; t < l->device->threads && good; t++)
		if (errors[t].code != BENCH_OK) {
			*err = errors[t];
			good = false;
		}
	arena_free(&a);
	return good;
}

enum { RUN = 2048, ROW_RUN = 16 };

/* y = act(pre), element by element. */
static void activate(const struct loaded *l, const void *job, long from, long to, int thread)
{
	const struct gemm *p = job;
	struct numbers x = numbers_of(l, p->pre), y = numbers_of(l, p->out);
	float in[RUN], out[RUN];

	(void)thread;
	for (long i = from; i < to; i += RUN) {
		long n = to - i < RUN ? to - i : RUN;
		float *at = numbers_at(y, i, out);
		vector_activate(at, numbers_get(x, i, n, in), p->p->activation, n);
		numbers_put(y, i, n, at);
	}
}

static bool run_products(struct loaded *l, const struct gemm *p, struct bench_error *err)
{
	return p->many ? run_many(l, p, err) : run_one(l, p, 0, 0, l->slot[SLOT_SCRATCHPAD], err);
}

static bool product_run(struct loaded *l, const struct step *s, struct bench_error *err)
{
	const struct gemm *p = s->state;

	if (!run_products(l, p, err))
		return false;
	if (p->pre >= 0)
		parallel(l, p->p->batch * p->p->m * p->p->n, RUN, activate, p);
	return true;
}

/* Beyond this a trial takes too long (16384^3): the first way it is. */
static const double flop_max = 4e12, seconds_max = 3, near_best = 1.03, clean_share = 0.95;

static double flop_of(const struct op_gemm *g)
{
	return 2.0 * (double)g->batch * (double)g->m * (double)g->n * (double)g->k;
}

/* Times of a way. clean: the least of the runs in which all threads worked all the time, and how
 * often it was met within 3 %; cpu: the least CPU time of all runs, which on a machine that does
 * something else is all that can be known. */
struct trial { double clean, cpu; int seen; };

static void add_time(struct trial *t, double wall, double cpu, int threads)
{
	t->cpu = fmin(t->cpu, cpu);
	if (cpu < clean_share * wall * threads)
		return;
	if (wall * near_best < t->clean)
		t->seen = 0;
	t->seen += wall < t->clean * near_best;
	t->clean = fmin(t->clean, wall);
}

static bool settled(const struct trial *t, int n, int round, double seconds)
{
	bool all = round >= ROUNDS;

	for (int i = 0; i < n; i++)
		all = all && t[i].seen >= SEEN;
	return all || round >= ROUNDS_MAX || (round >= ROUNDS && seconds > seconds_max);
}

static int fastest(const struct trial *t, int n)
{
	bool clean = true;
	int best = 0;

	for (int i = 0; i < n; i++)
		clean = clean && isfinite(t[i].clean);
	for (int i = 1; i < n; i++)
		if (clean ? t[i].clean < t[best].clean : t[i].cpu < t[best].cpu)
			best = i;
	return best;
}

/* Runs the ways in turn and keeps the fastest. The result is not looked at; the values of the
 * moment are zeros, which are as fast as any on a CPU. */
static bool try_ways(struct loaded *l, const struct gemm *p, struct bench_error *err)
{
	struct ways *w = p->ways;
	struct trial t[WAYS_MAX];
	double start = load_clock(CLOCK_MONOTONIC);

	for (int i = 0; i < WAYS_MAX; i++)
		t[i] = (struct trial){ INFINITY, INFINITY, 0 };
	for (int round = 0; !settled(t, w->n, round, load_clock(CLOCK_MONOTONIC) - start); round++)
		for (w->chosen = 0; w->chosen < w->n; w->chosen++) {
			double wall = load_clock(CLOCK_MONOTONIC),
			       cpu = load_clock(CLOCK_PROCESS_CPUTIME_ID);
			if (!run_products(l, p, err))
				return false;
			add_time(&t[w->chosen], load_clock(CLOCK_MONOTONIC) - wall,
				 load_clock(CLOCK_PROCESS_CPUTIME_ID) - cpu, l->device->threads);
		}
	w->chosen = fastest(t, w->n);
	return true;
}

static bool product_choose(struct loaded *l, struct step *s, struct bench_error *err)
{
	struct gemm *p = s->state;
	struct ways *w = p->ways;

	if (!w->tried && w->n > 1 && flop_of(p->p) < flop_max && !try_ways(l, p, err))
		return false;
	w->tried = true;
	s->detail = w->calls[w->chosen][0]->prim->detail;
	return true;
}

/* One row times a matrix that lies transposed: every element of the result is a scalar product of
 * two runs. Reading the matrix is all the work, which the library's product does not do at the
 * speed of memory. */
static void row_product(const struct loaded *l, const void *job, long from, long to, int thread)
{
	const struct step *s = job;
	const struct op_gemm *g = &s->op->p.gemm;
	struct numbers b = numbers_of(l, s->op->in[1]), c = numbers_of(l, s->op->out[0]);
	const float *x = (const float *)(void *)thread_room(l, 0);
	const uint16_t *half = (const uint16_t *)(void *)b.p;
	float out[ROW_RUN];

	(void)thread;
	for (long i = from; i < to; i += ROW_RUN) {
		long n = to - i < ROW_RUN ? to - i : ROW_RUN;
		for (long k = 0; k < n; k++)
			out[k] =
			    b.half
				? vector_dot_half(x, half + (i + k) * g->ldb, g->k)
				: vector_dot(x, (const float *)(const void *)b.p + (i + k) * g->ldb,
					     g->k);
		numbers_put(c, i, n, out);
	}
}

static bool row_run(struct loaded *l, const struct step *s, struct bench_error *err)
{
	const struct op_gemm *g = &s->op->p.gemm;
	struct numbers a = numbers_of(l, s->op->in[0]);
	float *x = (float *)(void *)thread_room(l, 0);
	const float *read = numbers_get(a, 0, g->k, x);

	(void)err;
	if (read != x)
		vector_scale(x, 1, read, g->k);
	parallel(l, g->n, ROW_RUN, row_product, s);
	return true;
}

static bool is_row(const struct op *op)
{
	const struct op_gemm *g = &op->p.gemm;

	return g->m == 1 && g->batch == 1 && g->trans_b && !g->trans_a && !g->bias && g->alpha == 1
	       && g->beta == 0 && g->activation == ACTIVATION_NONE && op->out[1] < 0 && !g->offset_a
	       && !g->offset_b && !g->offset_c;
}

static const int args_plain[] = { DNNL_ARG_SRC, DNNL_ARG_WEIGHTS, DNNL_ARG_DST };
static const int args_bias[] = { DNNL_ARG_SRC, DNNL_ARG_WEIGHTS, DNNL_ARG_BIAS, DNNL_ARG_DST };

static bool add_way(struct loaded *l, const struct gemm *p, const struct prim *prim,
		    const struct lib_product *d, struct bench_error *err)
{
	int threads = p->many ? l->device->threads : 1;
	struct ways *w = p->ways;

	w->calls[w->n] = arena_array(&l->arena, (size_t)threads, sizeof(struct call *));
	for (int t = 0; t < threads; t++)
		if (!(w->calls[w->n][t] =
			  call_make(&l->lib, prim, d->bias ? args_bias : args_plain,
				    d->bias ? LEN(args_bias) : LEN(args_plain), err)))
			return false;
	w->n++;
	if (p->many)
		step_want_thread(l, prim->scratch_bytes);
	else
		step_want_slot(l, SLOT_SCRATCHPAD, prim->scratch_bytes);
	return true;
}

/* A primitive for one thread is made while OpenMP would use one. */
static bool make_ways(struct loaded *l, struct gemm *p, const struct lib_product *d,
		      struct bench_error *err)
{
	bool good = true;

	p->ways = arena_alloc(&l->arena, sizeof *p->ways);
	omp_set_num_threads(p->many ? 1 : l->device->threads);
	for (int way = 0; way < WAYS_MAX && good; way++) {
		struct bench_error none = { 0 };
		const struct prim *prim = lib_matmul(&l->lib, d, way, &none);
		if (!prim && way > 0 && none.code == BENCH_UNSUPPORTED)
			break;
		if (!prim)
			*err = none;
		good = prim && add_way(l, p, prim, d, err);
	}
	omp_set_num_threads(l->device->threads);
	return good;
}

/* The ways of an earlier operation with the same numbers; NULL: it is the first. */
static struct ways *known_ways(const struct loaded *l, const struct step *s)
{
	for (const struct step *t = l->steps; t < s; t++)
		if (t->run == product_run && op_same(l->plan, t->op, s->op)
		    && (t->op->out[1] < 0) == (s->op->out[1] < 0))
			return ((struct gemm *)t->state)->ways;
	return NULL;
}

bool product_make(struct loaded *l, struct step *s, struct bench_error *err)
{
	const struct op_gemm *g = &s->op->p.gemm;
	struct gemm *p = arena_alloc(&l->arena, sizeof *p);
	struct lib_product d;

	if (!step_all_plain(l, s, err))
		return false;
	if (is_row(s->op)) {
		step_want_thread(l, sizeof(float) * (size_t)g->k);
		s->run = row_run;
		return true;
	}
	*p = (struct gemm){ .p = g,
			    .many = g->batch > 1,
			    .nin = g->bias ? 3 : 2,
			    .out = s->op->out[0],
			    .pre = s->op->out[1],
			    .in = { s->op->in[0], s->op->in[1], s->op->in[2] } };
	p->size_a = bytes_of(l, p->in[0]);
	p->size_b = bytes_of(l, p->in[1]);
	p->size_c = bytes_of(l, p->out);
	p->ways = known_ways(l, s);
	s->state = p;
	s->run = product_run;
	s->choose = product_choose;
	return p->ways || (describe(l, s, &d, err) && make_ways(l, p, &d, err));
}
