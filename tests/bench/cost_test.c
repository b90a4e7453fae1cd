/* FLOP, bytes and parameters of every workload against the layer tables (tests/bench/tables) and against sums
 * that were added up by hand. */
#include "table_read.h"

#include "../test.h"
#include "../../collect/bench/workload.h"
#include "../../collect/bench/workload_cnn.h"

#include <math.h>
#include <string.h>

/* Products of one shape: m and n in either order, as a gradient may be written both ways. */
struct shape { long m, n, k; double count; };
struct shapes { struct shape v[400]; int n; };

static void put(struct shapes *s, long m, long n, long k, double count)
{
	long low = m < n ? m : n, high = m < n ? n : m;

	for (int i = 0; i < s->n; i++)
		if (s->v[i].m == low && s->v[i].n == high && s->v[i].k == k) {
			s->v[i].count += count;
			return;
		}
	s->v[s->n++] = (struct shape){ low, high, k, count };
}

static double find(const struct shapes *s, const struct shape *want)
{
	for (int i = 0; i < s->n; i++)
		if (s->v[i].m == want->m && s->v[i].n == want->n && s->v[i].k == want->k)
			return s->v[i].count;
	return 0;
}

static bool same(const struct shapes *a, const struct shapes *b)
{
	for (int i = 0; i < a->n; i++)
		if (find(b, &a->v[i]) != a->v[i].count) {
			printf("# %ld x %ld x %ld: %g and %g\n", a->v[i].m, a->v[i].n, a->v[i].k, a->v[i].count,
			       find(b, &a->v[i]));
			return false;
		}
	return true;
}

static const struct workload *workload(const struct workload_list *all, const char *name)
{
	for (size_t i = 0; i < all->n; i++)
		if (str_eq(all->v[i].name, str_of(name)))
			return &all->v[i];
	printf("Bail out! no workload %s\n", name);
	exit(1);
}

static void shapes_of_plan(const struct plan *p, struct shapes *out)
{
	struct product products[PRODUCTS_MAX];

	for (int i = 0; i < p->nops; i++) {
		int n = op_products(&p->ops[i], products);
		for (int k = 0; k < n; k++)
			put(out, products[k].m, products[k].n, products[k].k,
			    (double)products[k].count * (double)products[k].batch);
	}
}

static double product_bytes(const struct plan *p)
{
	struct product v[PRODUCTS_MAX];
	double sum = 0;

	for (int i = 0; i < p->nops; i++) {
		int n = op_products(&p->ops[i], v);
		for (int k = 0; k < n; k++)
			sum += 2 * (double)v[k].count * (double)v[k].batch
			       * (double)(v[k].m * v[k].k + v[k].k * v[k].n + v[k].m * v[k].n);
	}
	return sum;
}

/* Name, its table, MACs of a step, GFLOP and GB of products of the published notes (bytes of fp16). */
static const struct { const char *name, *table; double macs, gflop, gb; } tables[] = {
	{ "bilstm-word", "rnn_word_bilstm", 198967296000, 397.9, 1.98 },
	{ "bilstm-char", "rnn_char_bilstm", 166169935872, 332.3, 3.25 },
	{ "bilstm-char-b256", "rnn_char_bilstm_large_batch", 664679743488, 1329.4, 5.67 },
	{ "bert-base-s128", "transformer_bert_base_s128", 1118863687680, 2237.7, 6.2 },
	{ "bert-base-squad", "transformer_bert_base_s384", 1696003522560, 3392.0, 11.4 },
	{ "bert-large-s128", "transformer_bert_large_s128", 1925141889024, 3850, 9.3 },
	{ "bert-large-squad", "transformer_bert_large_s384", 2957103857664, 5914, 16.3 },
	{ "bert-large-s512", "transformer_bert_large_s512", 2041068257280, 4082, 12.9 },
	{ "transformerxl-base", "transformer_xl_base", 1737226386432, 3474, 17.0 },
	{ "transformerxl-large", "transformer_xl_large", 6470533182432, 12941, 47.7 },
};

static void test_tables(struct test *t, const struct workload_list *all)
{
	for (size_t i = 0; i < LEN(tables); i++) {
		struct arena a = { 0 };
		struct shapes *plan = arena_alloc(&a, sizeof *plan), *table = arena_alloc(&a, sizeof *table);
		struct plan p = workload_plan(workload(all, tables[i].name), PRECISION_FP16, 0, &a);
		struct sheet *s = sheet_read(tables[i].table, &a);
		double macs = 0;
		for (size_t r = 0; r < s->rows; r++) {
			put(table, sheet_long(s, r, "m"), sheet_long(s, r, "n"), sheet_long(s, r, "k"),
			    (double)(sheet_long(s, r, "count") * sheet_long(s, r, "batch")));
			macs += (double)sheet_long(s, r, "macs");
		}
		shapes_of_plan(&p, plan);
		test_ok(t, same(table, plan) && same(plan, table),
			str_printf(&a, "%s: every product of the table, and no other", tables[i].name).p);
		test_near(t, plan_cost(&p).matrix_flop, 2 * tables[i].macs, 0,
			  str_printf(&a, "%s: FLOP", tables[i].name).p);
		test_near(t, macs, tables[i].macs, 0, str_printf(&a, "%s: MACs of the table", tables[i].name).p);
		test_near(t, plan_cost(&p).matrix_flop * 1e-9, tables[i].gflop, 0.5,
			  str_printf(&a, "%s: GFLOP as published", tables[i].name).p);
		test_near(t, product_bytes(&p) * 1e-9, tables[i].gb, 0.05,
			  str_printf(&a, "%s: GB of products as published", tables[i].name).p);
		arena_free(&a);
	}
}

static bool is_conv(const struct op *o, const struct sheet *s, size_t r)
{
	const struct op_conv *c = &o->p.conv;

	return c->ci == sheet_long(s, r, "cin") && c->h == sheet_long(s, r, "hin") && c->w == sheet_long(s, r, "win")
	       && c->co == sheet_long(s, r, "cout") && c->kh == sheet_long(s, r, "kh") && c->kw == sheet_long(s, r, "kw")
	       && c->stride == sheet_long(s, r, "stride") && c->pad == sheet_long(s, r, "pad")
	       && c->ho == sheet_long(s, r, "hout") && c->wo == sheet_long(s, r, "wout");
}

/* Every line is an operation of that name and these sizes, in the order of the table. */
static void test_resnet_layers(struct test *t, const struct plan *p, struct arena *a)
{
	struct sheet *s = sheet_read("cnn_resnet50_layers", a);
	double macs = 0;
	size_t found = 0;

	for (size_t r = 0; r < s->rows; r++) {
		macs += (double)sheet_long(s, r, "macs_per_image");
		for (int i = 0; i < p->nops; i++)
			if (str_eq(p->ops[i].name, sheet_text(s, r, "layer")))
				found += p->ops[i].kind == OP_GEMM ? p->ops[i].p.gemm.k == sheet_long(s, r, "cin")
								   : p->ops[i].kind == OP_CONV && is_conv(&p->ops[i], s, r);
	}
	test_ok(t, s->rows == 54 && found == 54, "ResNet-50: 54 layers of the table");
	test_near(t, macs, 4089184256.0, 0, "ResNet-50: MACs of the table, forward, one image");
	/* dgrad and wgrad repeat them, but the first convolution has no dgrad */
	test_near(t, plan_cost(p).matrix_flop, 2 * (3 * 4089184256.0 - 118013952.0), 0, "ResNet-50: FLOP of training, one image");
	test_near(t, plan_cost(p).matrix_flop * 1e-9, 24.30, 0.005, "ResNet-50: 24.30 GFLOP an image");
	test_ok(t, plan_parameters(p) == 25557032, "ResNet-50: 25,557,032 parameters");
}

/* The distinct shapes with their counts. */
static void test_resnet_distinct(struct test *t, const struct plan *p, struct arena *a)
{
	struct sheet *s = sheet_read("cnn_resnet50_distinct", a);
	struct op_conv shapes[CNN_SHAPES_MAX];
	size_t same_shape = 0, same_count = 0;

	test_ok(t, cnn_resnet50_shapes(shapes) == 23 && s->rows == 23, "23 distinct convolutions");
	for (size_t r = 0; r < s->rows; r++) {
		struct op o = op_make(OP_CONV, STR("shape"));
		long count = 0;
		for (size_t k = 0; k < 23; k++) {
			o.p.conv = shapes[k];
			same_shape += is_conv(&o, s, r);
		}
		for (int i = 0; i < p->nops; i++)
			count += p->ops[i].kind == OP_CONV && is_conv(&p->ops[i], s, r);
		same_count += count == sheet_long(s, r, "count");
	}
	test_ok(t, same_shape == 23 && same_count == 23, "their sizes and counts");
}

/* Elements moved for one image, weights aside: convolutions 21.78 M each way, batch norm 38.9 and 70.7 M. */
static void test_resnet_traffic(struct test *t, const struct plan *p, struct arena *a)
{
	struct sheet *s = sheet_read("cnn_resnet50_other_ops", a);
	double conv[3] = { 0 }, norm = 0, norm_bwd = 0, want_norm = 0, want_bwd = 0;

	for (int i = 0; i < p->nops; i++) {
		const struct op *o = &p->ops[i];
		double bytes = op_cost(p, o).bytes;
		if (o->kind == OP_CONV || o->kind == OP_CONV_BWD_DATA || o->kind == OP_CONV_BWD_FILTER)
			conv[o->kind - OP_CONV] += bytes / 2 - (double)(o->p.conv.ci * o->p.conv.co * o->p.conv.kh
									 * o->p.conv.kw);
		/* of each channel: gamma, beta, mean, inv_std, and going back dgamma and dbeta for beta; fp32 */
		if (o->kind == OP_BATCHNORM)
			norm += (bytes - 16 * (double)o->p.norm.cols) / 2;
		if (o->kind == OP_BATCHNORM_BWD)
			norm_bwd += (bytes - 20 * (double)o->p.norm.cols) / 2;
	}
	for (size_t r = 0; r < s->rows; r++) {
		struct str op = sheet_text(s, r, "op");
		double n = (double)sheet_long(s, r, "out_elems_per_image");
		bool relu = str_ends(op, STR("relu")), add = str_find(op, STR("+add"), 0) < op.len;
		if (!str_starts(op, STR("batchnorm")))
			continue;
		want_norm += n * (3 + add);
		want_bwd += n * (5 + relu + add);
	}
	test_near(t, norm, want_norm, 0, "batch norm: 3 passes and the residual");
	test_near(t, norm_bwd, want_bwd, 0, "batch norm backward: 5 passes, mask, residual");
	test_near(t, conv[0] * 1e-6, 21.78, 0.005, "convolutions forward, million elements");
	/* the first convolution reads no gradient for its inputs: 150,528 + 802,816 fewer */
	test_near(t, conv[1], conv[0] - 953344, 0, "to the inputs");
	test_near(t, conv[2] * 1e-6, 21.78, 0.005, "to the weights");
	test_near(t, norm * 1e-6, 38.9, 0.05, "batch norm, million elements");
	test_near(t, norm_bwd * 1e-6, 70.7, 0.05, "batch norm backward, million elements");
}

static long parameters_but(const struct plan *p, struct str prefix)
{
	long sum = 0;

	for (int i = 0; i < p->ntensors; i++)
		if (p->tensors[i].is_weight && !str_starts(p->tensors[i].name, prefix))
			sum += tensor_count(&p->tensors[i]);
	return sum;
}

/* Parameters of published models; the layers that guess masked words are counted apart there. */
static void test_parameters(struct test *t, const struct workload_list *all)
{
	static const struct { const char *name, *without; long count; } models[] = {
		{ "bert-base-s128", "mlm.", 109482240 },
		{ "bert-large-s128", "mlm.", 335141888 },
		{ "bert-large-s512", "mlm.", 335141888 },
		{ "llama-2-7b-tg1-d512", "none.", 6738415616 },
		/* V E + 2 H V + V + the sum over layers of 2 (4 H (I + H) + 8 H) */
		{ "bilstm-word", "none.", 10000L * 512 + 1024L * 10000 + 10000 + 2 * (2048L * 1024 + 4096) + 2 * (2048L * 1536 + 4096) },
		{ "bilstm-char", "none.", 100L * 128 + 1024L * 100 + 100 + 2 * (2048L * 640 + 4096) + 2 * (2048L * 1536 + 4096) },
	};

	for (size_t i = 0; i < LEN(models); i++) {
		struct arena a = { 0 };
		struct plan p = workload_plan(workload(all, models[i].name), PRECISION_BF16, 0, &a);
		test_ok(t, parameters_but(&p, str_of(models[i].without)) == models[i].count, models[i].name);
		arena_free(&a);
	}
}

/* Single operations with their costs by hand. */
static void test_costs(struct test *t)
{
	struct arena a = { 0 };
	struct plan p = { .arena = &a, .precision = PRECISION_FP16 };
	struct tensor half = { .rank = 2, .dim = { 100, 1000 } }, single = half;
	struct op sgd = op_make(OP_SGD, STR("w")), adam = op_make(OP_ADAM, STR("w")), copy = op_make(OP_STREAM, STR("s"));

	single.element = ELEMENT_F32;
	int w = plan_tensor(&p, &half), dw = plan_tensor(&p, &half), m = plan_tensor(&p, &single);
	int v = plan_tensor(&p, &single), u = plan_tensor(&p, &single);
	sgd.in[0] = sgd.out[0] = adam.in[0] = adam.out[0] = w;
	sgd.in[1] = adam.in[1] = dw;
	sgd.in[2] = sgd.out[1] = adam.in[2] = adam.out[1] = m;
	sgd.in[3] = sgd.out[2] = adam.in[3] = adam.out[2] = v;
	adam.in[4] = adam.out[3] = u;
	/* gradient 2, master 4 + 4, momentum 4 + 4, weight 2 */
	test_near(t, op_cost(&p, &sgd).bytes, 100000.0 * 20, 0, "SGD: 20 bytes a parameter");
	test_near(t, op_cost(&p, &adam).bytes, 100000.0 * 28, 0, "Adam: 28 bytes a parameter");
	copy.in[0] = m;
	copy.in[1] = v;
	copy.out[0] = u;
	copy.p.memory.count = 100000;
	copy.p.memory.stream = STREAM_TRIAD;
	test_near(t, op_cost(&p, &copy).bytes, 1.2e6, 0, "triad: 12 bytes an element");
	plan_op(&p, &sgd);
	plan_op(&p, &copy);
	test_near(t, plan_bound(&p, 1e12, 1e9), 2e-3 + 1.2e-3, 1e-12, "bound: the sum of both times");
	arena_free(&a);
}

/* A product is bound by what it computes or by what it moves. */
static void test_bound(struct test *t, const struct workload_list *all)
{
	struct arena a = { 0 };
	struct plan big = workload_plan(workload(all, "gemm-4096x4096x4096"), PRECISION_FP16, 0, &a);
	struct plan thin = workload_plan(workload(all, "gemm-1x4096x4096"), PRECISION_FP16, 0, &a);
	struct plan fp8 = workload_plan(workload(all, "gemm-4096x4096x4096"), PRECISION_FP8, 0, &a);

	test_near(t, plan_bound(&big, 1e14, 1e12), 2 * 68719476736.0 / 1e14, 1e-15, "a square product: by FLOP");
	test_near(t, plan_bound(&thin, 1e14, 1e12), 2 * (4096.0 + 4096 * 4096 + 4096) / 1e12, 1e-15, "one row: by bytes");
	test_near(t, plan_cost(&fp8).bytes, 16777216.0 * (1 + 1 + 2), 0, "fp8: inputs of 1 byte, result of 2");
	arena_free(&a);
}

/* A kernel may leave out what meets the padding: at 7 x 7 with a 3 x 3 filter 19 of 21 places along a side do not. */
static void test_padding(struct test *t, const struct workload_list *all)
{
	static const struct { const char *name; double flop, least; } cases[] = {
		{ "conv-7x7x512-k512-f3x3-s1x1-b64-fwd", 2.0 * 64 * 512 * 512 * 21 * 21, 2.0 * 64 * 512 * 512 * 19 * 19 },
		{ "conv-7x7x512-k512-f3x3-s1x1-b64-bwd-inputs", 2.0 * 64 * 512 * 512 * 21 * 21,
		  2.0 * 64 * 512 * 512 * 19 * 19 },
		{ "conv-14x14x512-k512-f3x3-s2x2-b64-bwd-params", 2.0 * 64 * 512 * 512 * 21 * 21,
		  2.0 * 64 * 512 * 512 * 20 * 20 },
		{ "conv-224x224x3-k64-f7x7-s2x2-b64-fwd", 2.0 * 64 * 3 * 64 * 784 * 784, 2.0 * 64 * 3 * 64 * 778 * 778 },
		{ "conv-7x7x512-k2048-f1x1-s1x1-b64-fwd", 2.0 * 64 * 512 * 2048 * 49, 2.0 * 64 * 512 * 2048 * 49 },
	};
	struct arena a = { 0 };

	for (size_t i = 0; i < LEN(cases); i++) {
		struct plan p = workload_plan(workload(all, cases[i].name), PRECISION_FP32, 0, &a);
		double bound = plan_bound(&p, 1e12, INFINITY) * 1e12;
		test_near(t, plan_cost(&p).matrix_flop, cases[i].flop, 0, cases[i].name);
		test_near(t, bound / cases[i].least, 1, 1e-12, "its bound does without the padding");
	}
	arena_free(&a);
}

static void test_sweeps(struct test *t, const struct workload_list *all)
{
	struct arena a = { 0 };
	struct sheet *g = sheet_read("gemm_sweep", &a), *r = sheet_read("allreduce", &a);
	size_t gemms = 0, sums = 0;

	for (size_t i = 0; i < g->rows; i++) {
		struct str name = str_printf(&a, "gemm-%ldx%ldx%ld", sheet_long(g, i, "m"), sheet_long(g, i, "n"),
					     sheet_long(g, i, "k"));
		struct plan p = workload_plan(workload(all, name.p), PRECISION_FP32, 0, &a);
		gemms += p.ops[0].p.gemm.m == sheet_long(g, i, "m") && p.ops[0].p.gemm.n == sheet_long(g, i, "n")
			 && p.ops[0].p.gemm.k == sheet_long(g, i, "k");
	}
	for (size_t i = 0; i < r->rows; i++) {
		struct str name = str_printf(&a, "allreduce-%ld-bytes", sheet_long(r, i, "bytes"));
		struct plan p = workload_plan(workload(all, name.p), PRECISION_FP32, 0, &a);
		sums += p.ops[0].p.memory.bytes == sheet_long(r, i, "bytes");
	}
	test_ok(t, gemms == 18, "18 products of the sweep");
	test_ok(t, sums == 10, "10 all-reduces of the sweep");
	arena_free(&a);
}

/* What no plan may have, whatever the network. */
static void test_sound(struct test *t, const struct workload_list *all)
{
	int bad = 0, plans = 0;

	for (size_t i = 0; i < all->n; i++)
		for (int precision = 0; precision < PRECISIONS; precision++) {
			struct arena a = { 0 };
			struct plan p = workload_plan(&all->v[i], (enum precision)precision, 0, &a);
			bool *written = arena_alloc(&a, (size_t)p.ntensors + 1);
			for (int k = 0; k < p.nops; k++) {
				for (int j = 0; j < OP_INPUTS; j++) {
					int x = p.ops[k].in[j];
					bad += x >= p.ntensors || (x >= 0 && !written[x] && p.tensors[x].fill == FILL_NONE);
				}
				for (int j = 0; j < OP_OUTPUTS; j++)
					if (p.ops[k].out[j] >= 0)
						written[p.ops[k].out[j]] = true;
				bad += p.ops[k].forward >= k;
			}
			plans++;
			arena_free(&a);
		}
	printf("# %d plans of %zu workloads\n", plans, all->n);
	test_ok(t, bad == 0, "nothing is read before it is written");
}

int main(void)
{
	struct test t = { 0 };
	struct arena a = { 0 };
	struct workload_list all = workload_all(&a);
	struct plan p = workload_plan(workload(&all, "resnet50"), PRECISION_FP16, 1, &a);

	test_tables(&t, &all);
	test_resnet_layers(&t, &p, &a);
	test_resnet_distinct(&t, &p, &a);
	test_resnet_traffic(&t, &p, &a);
	test_parameters(&t, &all);
	test_costs(&t);
	test_bound(&t, &all);
	test_padding(&t, &all);
	test_sweeps(&t, &all);
	test_sound(&t, &all);
	arena_free(&a);
	return test_done(&t);
}
