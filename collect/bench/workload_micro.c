/* Single operations: products, convolutions, memory, transfers, all-reduce. */
#include "workload.h"
#include "workload_cnn.h"

#include <math.h>

/* m n k, and what the shape stands for. */
struct gemm_shape { struct str name; long m, n, k; struct str title; bool quick; };

static const struct gemm_shape gemms[] = {
	{ STR_INIT("gemm-256x256x256"), 256, 256, 256, STR_INIT("square"), false },
	{ STR_INIT("gemm-512x512x512"), 512, 512, 512, STR_INIT("square"), false },
	{ STR_INIT("gemm-1024x1024x1024"), 1024, 1024, 1024, STR_INIT("square"), true },
	{ STR_INIT("gemm-2048x2048x2048"), 2048, 2048, 2048, STR_INIT("square"), true },
	{ STR_INIT("gemm-4096x4096x4096"), 4096, 4096, 4096, STR_INIT("square"), true },
	{ STR_INIT("gemm-8192x8192x8192"), 8192, 8192, 8192, STR_INIT("square"), true },
	{ STR_INIT("gemm-16384x16384x16384"), 16384, 16384, 16384, STR_INIT("square"), false },
	{ STR_INIT("gemm-2048x2048x512"), 2048, 2048, 512, STR_INIT("short k"), false },
	{ STR_INIT("gemm-4096x4096x512"), 4096, 4096, 512, STR_INIT("short k"), false },
	{ STR_INIT("gemm-8192x8192x512"), 8192, 8192, 512, STR_INIT("short k"), false },
	{ STR_INIT("gemm-64x2048x512"), 64, 2048, 512, STR_INIT("recurrent step of batch 64"),
	  false },
	{ STR_INIT("gemm-4096x2304x768"), 4096, 2304, 768, STR_INIT("BERT-base q, k, v"), false },
	{ STR_INIT("gemm-4096x3072x768"), 4096, 3072, 768,
	  STR_INIT("BERT-base, into the inner layer"), false },
	{ STR_INIT("gemm-4096x768x3072"), 4096, 768, 3072,
	  STR_INIT("BERT-base, out of the inner layer"), false },
	{ STR_INIT("gemm-4096x4096x1024"), 4096, 4096, 1024,
	  STR_INIT("BERT-large, into the inner layer"), false },
	{ STR_INIT("gemm-3200x10000x1024"), 3200, 10000, 1024, STR_INIT("word softmax"), false },
	{ STR_INIT("gemm-1x4096x4096"), 1, 4096, 4096, STR_INIT("one token, bound by bandwidth"),
	  false },
	{ STR_INIT("gemm-4095x4097x1023"), 4095, 4097, 1023, STR_INIT("odd sizes"), false },
};

struct memory_shape {
	struct str name, title;
	enum op_kind kind;
	enum stream stream;
	enum transfer transfer;
	long bytes;  /* of one array */
	int devices;
	bool quick;
};

enum { MIB = 1 << 20 };

static const struct memory_shape memories[] = {
	{ STR_INIT("memory-copy"), STR_INIT("Memory, copy y = x"), OP_STREAM, STREAM_COPY, 0,
	  256L * MIB, 1, true },
	{ STR_INIT("memory-scale"), STR_INIT("Memory, scale y = a x"), OP_STREAM, STREAM_SCALE, 0,
	  256L * MIB, 1, false },
	{ STR_INIT("memory-add"), STR_INIT("Memory, add z = x + y"), OP_STREAM, STREAM_ADD, 0,
	  256L * MIB, 1, false },
	{ STR_INIT("memory-triad"), STR_INIT("Memory, triad z = x + a y"), OP_STREAM, STREAM_TRIAD,
	  0, 256L * MIB, 1, true },
	{ STR_INIT("memory-read"), STR_INIT("Memory, read"), OP_STREAM, STREAM_READ, 0, 256L * MIB,
	  1, true },
	{ STR_INIT("memory-write"), STR_INIT("Memory, write"), OP_STREAM, STREAM_WRITE, 0,
	  256L * MIB, 1, false },
	{ STR_INIT("transfer-h2d"), STR_INIT("Copy from the host to the device"), OP_TRANSFER, 0,
	  TRANSFER_H2D, 256L * MIB, 1, true },
	{ STR_INIT("transfer-d2h"), STR_INIT("Copy from the device to the host"), OP_TRANSFER, 0,
	  TRANSFER_D2H, 256L * MIB, 1, true },
	{ STR_INIT("transfer-peer"), STR_INIT("Copy from device to device"), OP_TRANSFER, 0,
	  TRANSFER_PEER, 256L * MIB, 2, false },
	{ STR_INIT("allreduce-1024-bytes"), STR_INIT("All-reduce of 1 KiB"), OP_ALLREDUCE, 0, 0,
	  1024, 2, false },
	{ STR_INIT("allreduce-65536-bytes"), STR_INIT("All-reduce of 64 KiB"), OP_ALLREDUCE, 0, 0,
	  65536, 2, false },
	{ STR_INIT("allreduce-1048576-bytes"), STR_INIT("All-reduce of 1 MiB"), OP_ALLREDUCE, 0, 0,
	  1048576, 2, false },
	{ STR_INIT("allreduce-8388608-bytes"), STR_INIT("All-reduce of 8 MiB"), OP_ALLREDUCE, 0, 0,
	  8388608, 2, false },
	{ STR_INIT("allreduce-51114064-bytes"),
	  STR_INIT("All-reduce of the 16-bit gradients of ResNet-50"), OP_ALLREDUCE, 0, 0, 51114064,
	  2, false },
	{ STR_INIT("allreduce-67108864-bytes"), STR_INIT("All-reduce of 64 MiB"), OP_ALLREDUCE, 0,
	  0, 67108864, 2, false },
	{ STR_INIT("allreduce-218964480-bytes"),
	  STR_INIT("All-reduce of the 16-bit gradients of BERT-base"), OP_ALLREDUCE, 0, 0,
	  218964480, 2, false },
	{ STR_INIT("allreduce-268435456-bytes"), STR_INIT("All-reduce of 256 MiB"), OP_ALLREDUCE, 0,
	  0, 268435456, 2, true },
	{ STR_INIT("allreduce-670283776-bytes"),
	  STR_INIT("All-reduce of the 16-bit gradients of BERT-large"), OP_ALLREDUCE, 0, 0,
	  670283776, 2, false },
	{ STR_INIT("allreduce-1073741824-bytes"), STR_INIT("All-reduce of 1 GiB"), OP_ALLREDUCE, 0,
	  0, 1073741824, 2, false },
};

static int matrix(struct plan *p, struct str name, enum element e, long rows, long cols,
		  double scale)
{
	struct tensor t = { .name = name, .element = e, .rank = 2, .dim = { rows, cols } };

	t.fill = scale > 0 ? FILL_NORMAL : FILL_NONE;
	t.scale = scale;
	return plan_tensor(p, &t);
}

static void build_gemm(const struct workload *w, struct plan *p)
{
	const struct gemm_shape *s = w->shape;
	double scale = 1 / sqrt(sqrt((double)s->k)); /* of both, so that products are N(0, 1) */
	struct op o = op_make(OP_GEMM, w->name);

	/* b lies transposed as a linear layer has it: the only form in which fp8 is multiplied */
	o.in[0] = matrix(p, STR("a"), ELEMENT_VALUE, s->m, s->k, scale);
	o.in[1] = matrix(p, STR("b"), ELEMENT_VALUE, s->n, s->k, scale);
	o.out[0] = matrix(p, STR("c"), ELEMENT_RESULT, s->m, s->n, 0);
	o.p.gemm = (struct op_gemm){ .batch = 1, .inner = 1, .m = s->m, .n = s->n, .k = s->k,
				     .trans_b = true, .lda = s->k, .ldb = s->k, .ldc = s->n,
				     .alpha = 1 };
	plan_op(p, &o);
}

static void build_memory(const struct workload *w, struct plan *p)
{
	const struct memory_shape *s = w->shape;
	struct op o = op_make(s->kind, w->name);
	long count = s->bytes / 4;
	bool second =
	    s->kind == OP_STREAM && (s->stream == STREAM_ADD || s->stream == STREAM_TRIAD);
	bool source = s->kind != OP_STREAM || s->stream != STREAM_WRITE;

	o.in[0] = source ? matrix(p, STR("x"), ELEMENT_F32, 1, count, 1) : -1;
	o.in[1] = second ? matrix(p, STR("y"), ELEMENT_F32, 1, count, 1) : -1;
	o.out[0] = s->kind != OP_STREAM ? o.in[0]
					: matrix(p, STR("z"), ELEMENT_F32, 1,
						 s->stream == STREAM_READ ? 1 : count, 0);
	o.p.memory.count = count;
	o.p.memory.bytes = s->bytes;
	o.p.memory.stream = s->stream;
	o.p.memory.transfer = s->transfer;
	plan_op(p, &o);
}

static void add_gemms(struct workload_table *t)
{
	for (size_t i = 0; i < LEN(gemms); i++)
		workload_table_add(
		    t, (struct workload){
			   .name = gemms[i].name,
			   .group = STR("gemm"),
			   .class = STR("gemm"),
			   .title = str_printf(
			       t->arena, "Matrix product %ld x %ld x %ld (" STR_FMT ")", gemms[i].m,
			       gemms[i].n, gemms[i].k, STR_ARG(gemms[i].title)),
			   .kind = WORKLOAD_MICRO,
			   .metric = STR("tflops"),
			   .unit = STR("tflops"),
			   .per_unit = 1e12,
			   .precisions = PRECISIONS_ALL,
			   .batch = 1,
			   .sample = 1,
			   .quick = gemms[i].quick,
			   .devices = 1,
			   .build = build_gemm,
			   .shape = &gemms[i] });
}

/* Bytes counted: what is read and written; of an all-reduce 2 (n - 1) / n of the array, which is
 * what every link must carry ("bus bandwidth" of nccl-tests). */
static void add_memories(struct workload_table *t, enum op_kind kind, struct str group)
{
	for (size_t i = 0; i < LEN(memories); i++)
		if (memories[i].kind == kind)
			workload_table_add(t, (struct workload){
				.name = memories[i].name, .group = group, .class = STR("bandwidth"),
				.title = memories[i].title, .kind = WORKLOAD_MICRO,
				.metric = STR("throughput"), .unit = STR("GB/s"), .per_unit = 1e9,
				.precisions = PRECISIONS_ONE, .batch = 1, .sample = 1,
				.quick = memories[i].quick, .devices = memories[i].devices,
				.build = build_memory, .shape = &memories[i] });
}

static void build_conv(const struct workload *w, struct plan *p)
{
	const struct conv_pass *s = w->shape;
	struct op_conv c = s->conv;
	double fan = sqrt((double)(c.ci * c.kh * c.kw));
	struct op o = op_make(s->kind, w->name);
	struct tensor x = { .name = STR("x"), .rank = 4, .dim = { p->batch_size, c.ci, c.h, c.w } };
	struct tensor f = { .name = STR("w"), .rank = 4, .dim = { c.co, c.ci, c.kh, c.kw } };
	struct tensor y = { .name = STR("y"),
			    .rank = 4,
			    .dim = { p->batch_size, c.co, c.ho, c.wo } };
	/* the three tensors in the order of the pass; the last is the result */
	struct tensor *const order[][3] = { { &x, &f, &y }, { &y, &f, &x }, { &y, &x, &f } };
	struct tensor *const *at = order[s->kind - OP_CONV];

	c.n = p->batch_size;
	x.fill = y.fill = f.fill = FILL_NORMAL;
	x.scale = y.scale = 1;
	f.scale = 1 / fan;
	at[2]->fill = FILL_NONE;
	o.in[0] = plan_tensor(p, at[0]);
	o.in[1] = plan_tensor(p, at[1]);
	o.out[0] = plan_tensor(p, at[2]);
	o.p.conv = c;
	plan_op(p, &o);
}

static void add_convs(struct workload_table *t)
{
	static const struct { enum op_kind kind; const char *suffix, *title; } passes[] = {
		{ OP_CONV, "fwd", "forward" },
		{ OP_CONV_BWD_DATA, "bwd-inputs", "backward to the inputs" },
		{ OP_CONV_BWD_FILTER, "bwd-params", "backward to the weights" },
	};
	struct op_conv shapes[CNN_SHAPES_MAX];
	int n = cnn_resnet50_shapes(shapes);
	struct conv_pass *pass = arena_array(t->arena, (size_t)n * LEN(passes), sizeof *pass);

	for (int i = 0; i < n; i++)
		for (size_t k = 0; k < LEN(passes); k++, pass++) {
			const struct op_conv *c = &shapes[i];
			*pass = (struct conv_pass){ passes[k].kind, *c };
			workload_table_add(
			    t, (struct workload){
				   .name = str_printf(
				       t->arena, "conv-%ldx%ldx%ld-k%ld-f%ldx%ld-s%ldx%ld-b%d-%s",
				       c->w, c->h, c->ci, c->co, c->kw, c->kh, c->stride, c->stride,
				       CNN_BATCH, passes[k].suffix),
				   .group = STR("conv"),
				   .class = STR("conv"),
				   .title = str_printf(t->arena,
						       "Convolution %ldx%ldx%ld to %ld channels, "
						       "filter %ldx%ld, stride %ld, "
						       "batch %d, %s",
						       c->w, c->h, c->ci, c->co, c->kw, c->kh,
						       c->stride, CNN_BATCH, passes[k].title),
				   .kind = WORKLOAD_MICRO,
				   .metric = STR("tflops"),
				   .unit = STR("tflops"),
				   .per_unit = 1e12,
				   .precisions = PRECISIONS_TRAIN,
				   .batch = CNN_BATCH,
				   .sample = 1,
				   .quick = i == 2,
				   .devices = 1,
				   .build = build_conv,
				   .shape = pass });
		}
}

void workload_add_micro(struct workload_table *t)
{
	add_memories(t, OP_STREAM, STR("memory"));
	add_gemms(t);
	add_memories(t, OP_TRANSFER, STR("transfer"));
	add_memories(t, OP_ALLREDUCE, STR("allreduce"));
	add_convs(t);
}
