/* Every way of a convolution that stands alone, each forced, against the reference: all passes,
 * small and awkward sizes, fp32 and bf16; that a way which fails is passed over; that networks have
 * none of it. It looks into the plug-in's structs, so it is built where oneDNN's header is. */
#include "../../collect/bench/measure.h"
#include "../../collect/bench/onednn_load.h"
#include "../test.h"
#include "onednn_fixture.h"

#include <string.h>

static const struct { enum op_kind kind; const char *name; } passes[] = {
	{ OP_CONV, "forward" },
	{ OP_CONV_BWD_DATA, "to the input" },
	{ OP_CONV_BWD_FILTER, "to the filters" },
};

/* begins: what the detail of a row begins with, before the library's word for its kernel. */
static const struct { const char *name, *begins; } ways[CONV_WAYS] = {
	[CONV_LIBRARY] = { "the library's layout", "" },
	[CONV_NHWC] = { "pixel by pixel", "nhwc: " },
	[CONV_NHWC_NEXT] = { "pixel by pixel, the next kernel", "nhwc: " },
	[CONV_TURNED] = { "turned filters", "nhwc, turned filters: " },
	[CONV_PRODUCT] = { "product", "nhwc, product: " },
	[CONV_PRODUCT_NEXT] = { "product, the next kernel", "nhwc, product: " },
};

/* The kinds of ResNet-50, and what it has not: odd channels, filters that reach far, no padding. */
static const struct { const char *name; long n, ci, side, co, k, stride, pad; } shapes[] = {
	{ "1x1", 3, 64, 7, 48, 1, 1, 0 },
	{ "1x1, odd", 2, 19, 5, 37, 1, 1, 0 },
	{ "1x1, wide", 2, 32, 14, 128, 1, 1, 0 },
	{ "1x1, stride 2", 2, 64, 8, 32, 1, 2, 0 },
	{ "3x3", 2, 64, 14, 64, 3, 1, 1 },
	{ "3x3, odd", 3, 19, 9, 37, 3, 1, 1 },
	{ "3x3, stride 2", 2, 32, 8, 64, 3, 2, 1 },
	{ "3x3, stride 2, odd", 2, 32, 9, 64, 3, 2, 1 },
	{ "3x3, no padding", 2, 16, 10, 32, 3, 1, 0 },
	{ "5x5", 2, 16, 11, 48, 5, 1, 2 },
	{ "7x7, stride 2, 3 channels", 2, 3, 21, 64, 7, 2, 3 },
	{ "7x7 on 7x7", 2, 32, 7, 48, 7, 1, 3 },
};
enum { SHAPE_1X1 = 0, SHAPE_3X3 = 4, SHAPE_APART = 6 };

static struct tensor values(struct str name, double scale, const long dims[4])
{
	struct tensor t = { .name = name, .rank = 4, .fill = FILL_NORMAL, .scale = scale };

	memcpy(t.dim, dims, 4 * sizeof *dims);
	return t;
}

static void build(struct plan *p, size_t shape, enum op_kind kind)
{
	long n = shapes[shape].n, ci = shapes[shape].ci, side = shapes[shape].side;
	long co = shapes[shape].co, k = shapes[shape].k, stride = shapes[shape].stride;
	long pad = shapes[shape].pad, made = (side + 2 * pad - k) / stride + 1;
	struct op o = op_make(kind, STR("conv"));
	struct tensor x = values(STR("x"), 1, (long[]){ n, ci, side, side });
	struct tensor y = values(STR("y"), 1, (long[]){ n, co, made, made });
	struct tensor w = values(STR("w"), 0.1, (long[]){ co, ci, k, k });
	struct tensor *const orders[][3] = { { &x, &w, &y }, { &y, &w, &x }, { &y, &x, &w } };
	struct tensor *const *order = orders[kind - OP_CONV];

	order[2]->fill = FILL_NONE;
	o.in[0] = plan_tensor(p, order[0]);
	o.in[1] = plan_tensor(p, order[1]);
	o.out[0] = plan_tensor(p, order[2]);
	o.p.conv = (struct op_conv){ n, ci, side, side, co, k, k, stride, pad, made, made };
	plan_op(p, &o);
}

/* Whether there is such a way for the shape. */
static bool possible(enum conv_way way, size_t shape, enum op_kind kind)
{
	bool product = shapes[shape].k == 1 && shapes[shape].stride == 1;

	return way == CONV_TURNED ? kind == OP_CONV_BWD_DATA && shapes[shape].stride == 1
				  : way < CONV_PRODUCT || product;
}

/* Of its next kernels, and of those for other processors, only the library knows. */
static bool required(const struct device *d, enum conv_way way)
{
	return way != CONV_NHWC_NEXT && way != CONV_PRODUCT_NEXT
	       && strncmp(d->isa, "avx512", 6) == 0;
}

/* Whether the detail of a row says which way it was; no kernel of the library is called nhwc. */
static bool told(const struct backend *b, struct loaded *l)
{
	const char *detail = b->op_detail(l, 0), *begins = ways[l->way].begins;

	return begins[0] ? strncmp(detail, begins, strlen(begins)) == 0
			 : detail[0] && strncmp(detail, "nhwc", 4) != 0;
}

/* Right results by that very way, or, where it is none, the words for that. */
static bool right(const struct backend *b, struct device *d, struct plan *p, enum conv_way way,
		  bool wanted, bool needed)
{
	struct bench_error err = { 0 };
	struct verify_result r;
	struct loaded *l = b->load(d, p, &err);
	bool good = !l ? err.code == BENCH_UNSUPPORTED && err.msg[0] && !needed
		       : wanted && l->way == way && told(b, l)
				 && verify_plan(b, l, p, 1, p->arena, &r, &err);

	if (!good)
		printf("# %s: %s\n", l ? b->op_detail(l, 0) : "not loaded", err.msg);
	if (l)
		b->unload(l);
	return good;
}

/* In all three passes. */
static bool right_in(const struct backend *b, struct device *d, enum conv_way way, size_t shape,
		     enum precision type)
{
	bool good = true;

	for (size_t k = 0; k < LEN(passes); k++) {
		struct arena a = { 0 };
		struct plan p = { .precision = type, .arena = &a };
		bool wanted = possible(way, shape, passes[k].kind);
		build(&p, shape, passes[k].kind);
		if (!right(b, d, &p, way, wanted, wanted && required(d, way))) {
			printf("# %s\n", passes[k].name);
			good = false;
		}
		arena_free(&a);
	}
	return good;
}

static void check_ways(struct test *t, const struct backend *b, struct device *d,
		       enum precision type)
{
	struct str name = precision_name(type);
	struct bench_error why = { 0 };

	if (!b->supports(d, type, &why)) {
		printf("# %s\n", why.msg);
		return;
	}
	for (int way = 0; way < CONV_WAYS; way++)
		for (size_t i = 0; i < LEN(shapes); i++) {
			char line[128];
			d->ways = 1u << way;
			snprintf(line, sizeof line, STR_FMT ", %s: %s", STR_ARG(name),
				 ways[way].name, shapes[i].name);
			test_ok(t, right_in(b, d, (enum conv_way)way, i, type), line);
		}
}

static void impossible(struct plan *p)
{
	build(p, SHAPE_3X3, OP_CONV);
	p->ops[0].p.conv.pad = -1;
}

static void endless(struct plan *p)
{
	build(p, SHAPE_3X3, OP_CONV);
	p->ops[0].p.conv.n = p->tensors[0].dim[0] = p->tensors[2].dim[0] = 1L << 24;
}

static void three(struct plan *p)
{
	build(p, SHAPE_3X3, OP_CONV_BWD_DATA);
}

static void three_apart(struct plan *p)
{
	build(p, SHAPE_APART, OP_CONV_BWD_DATA);
}

enum {
	ALL = (1 << CONV_WAYS) - 1,
	LIBRARY = 1 << CONV_LIBRARY,
	NHWC = 1 << CONV_NHWC,
	TURNED = 1 << CONV_TURNED,
	PRODUCT = 1 << CONV_PRODUCT,
};

/* What is left when ways fail. ways: those that are tried; left: -1: none of them. */
static const struct left_case {
	const char *name;
	void (*build)(struct plan *p);
	unsigned ways;
	int left;
	enum bench_code code;
	const char *says;
} lefts[] = {
	{ "no product of 3x3: the library's", three, LIBRARY | PRODUCT, CONV_LIBRARY,
	  BENCH_OK, "" },
	{ "no turned filters at stride 2: pixel by pixel", three_apart, NHWC | TURNED, CONV_NHWC,
	  BENCH_OK, "" },
	{ "turned filters and no product: turned filters", three, TURNED | PRODUCT, CONV_TURNED,
	  BENCH_OK, "" },
	{ "none of two: the words of the first", three_apart, TURNED | PRODUCT, -1,
	  BENCH_UNSUPPORTED, "no turned filters" },
	{ "what no library does: its own words", impossible, ALL, -1, BENCH_FAILED,
	  "convolution: 2 invalid arguments" },
	{ "more than there is: how much", endless, ALL, -1, BENCH_NO_MEMORY,
	  "GB of memory are free" },
};

static void check_left(struct test *t, const struct backend *b, struct device *d,
		       const struct left_case *c)
{
	struct arena a = { 0 };
	struct plan p = { .precision = PRECISION_FP32, .arena = &a };
	struct bench_error err = { 0 };

	c->build(&p);
	d->ways = c->ways;
	struct loaded *l = b->load(d, &p, &err);
	bool good = l ? (int)l->way == c->left
		      : c->left < 0 && err.code == c->code && strstr(err.msg, c->says);
	test_ok(t, good, c->name);
	if (!good)
		printf("# way %d: %s\n", l ? (int)l->way : -1, err.msg);
	if (l)
		b->unload(l);
	arena_free(&a);
}

/* The choice among all: results are right by the way that is kept. */
static void check_choice(struct test *t, const struct backend *b, struct device *d)
{
	d->ways = ALL;
	for (size_t k = 0; k < LEN(passes); k++) {
		struct arena a = { 0 };
		struct plan p = { .precision = PRECISION_FP32, .arena = &a };
		struct bench_error err = { 0 };
		struct verify_result r;
		build(&p, SHAPE_1X1, passes[k].kind);
		struct loaded *l = b->load(d, &p, &err);
		test_ok(t, l && verify_plan(b, l, &p, 1, &a, &r, &err) && told(b, l),
			str_c(&a, str_printf(&a, "chosen of all ways, %s", passes[k].name)));
		printf("# %s %s\n", l ? b->op_detail(l, 0) : "", err.msg);
		if (l)
			b->unload(l);
		arena_free(&a);
	}
}

/* Bytes of the buffer of turned filters, which are asked of the memory like those of tensors. */
static size_t turned_bytes(const struct backend *b, struct device *d, size_t shape)
{
	struct arena a = { 0 };
	struct plan p = { .precision = PRECISION_FP32, .arena = &a };
	struct bench_error err = { 0 };

	d->ways = TURNED;
	build(&p, shape, OP_CONV_BWD_DATA);
	struct loaded *l = b->load(d, &p, &err);
	size_t bytes = l ? l->slot_bytes[SLOT_D] : 1;
	if (l)
		b->unload(l);
	arena_free(&a);
	return bytes;
}

/* Two operations are a network, however alike they are to single ones. */
static void check_network(struct test *t, const struct backend *b, struct device *d)
{
	struct arena a = { 0 };
	struct plan p = { .precision = PRECISION_FP32, .arena = &a };
	struct bench_error err = { 0 };
	struct verify_result r;

	d->ways = ALL - LIBRARY;
	build(&p, SHAPE_1X1, OP_CONV);
	build(&p, SHAPE_1X1, OP_CONV_BWD_DATA);
	struct loaded *l = b->load(d, &p, &err);
	test_ok(t, l && l->way == CONV_LIBRARY && told(b, l)
		       && verify_plan(b, l, &p, 1, &a, &r, &err),
		"a network keeps the library's layout");
	if (l)
		b->unload(l);
	arena_free(&a);
}

/* A quick run verifies networks with two samples, a convolution as it is timed: with fewer samples
 * another way might have been chosen and verified. */
static void check_quick(struct test *t, const struct backend *b, struct device *d)
{
	struct arena a = { 0 };
	struct device_info info;
	struct bench_error err = { 0 };
	bool described = b->describe(d, &info, &err);
	struct bench bench = bench_make(b, d, &info, true, &a);
	const struct workload *conv = NULL;

	d->ways = ALL;
	bench.verify_only = true;
	for (size_t i = 0; i < bench.workloads.n; i++)
		if (bench.workloads.v[i].quick && str_eq(bench.workloads.v[i].group, STR("conv")))
			conv = &bench.workloads.v[i];
	test_ok(t, described && conv, "a convolution of the quick run");
	if (!conv)
		return;
	struct measurement m = measure_workload(&bench, conv, PRECISION_FP32, 0, &a);
	test_ok(t, m.status == MEASURE_VERIFIED && m.verified_batch == conv->batch && m.detail[0],
		"quick: a convolution is verified at the batch that is timed");
	printf("# batch %ld, %s %s\n", m.verified_batch, m.detail, m.message);
	arena_free(&a);
}

int main(void)
{
	struct test t = { 0 };
	struct arena a = { 0 };
	struct bench_error err = { 0 };
	const struct backend *b = onednn_open(&a, &err);
	struct device *d = b ? b->open(0, &err) : NULL;

	test_ok(&t, d, "the CPU is there");
	if (d) {
		test_ok(&t, d->ways == ALL, "all ways are tried unless a test says otherwise");
		check_ways(&t, b, d, PRECISION_FP32);
		check_ways(&t, b, d, PRECISION_BF16);
		for (size_t i = 0; i < LEN(lefts); i++)
			check_left(&t, b, d, &lefts[i]);
		check_choice(&t, b, d);
		/* 64 x 64 filters of 3 x 3 floats; those of 1 x 1 are read where they lie */
		test_ok(&t, turned_bytes(b, d, SHAPE_3X3) == 64 * 64 * 9 * 4,
			"turned filters: a buffer that is counted");
		test_ok(&t, turned_bytes(b, d, SHAPE_1X1) == 0, "turned filters of 1x1: no buffer");
		check_network(&t, b, d);
		check_quick(&t, b, d);
		b->close(d);
	}
	arena_free(&a);
	return test_done(&t);
}
