/* Every cuDNN graph of every workload is built for cards that are not here, from the properties of
 * such cards. A driver of stubs must stand in LD_LIBRARY_PATH as libcuda.so.1 (check.sh sees to
 * it): engines that are compiled at run time are compiled, and only loading them fails (status
 * 5001). That shows that a graph is supported, not what it computes. Our own kernels are compiled
 * by the real NVRTC for the same cards; and what numbers are stored as is looked at. graph [quick]
 * quick: one shape of each kind, kernels for two cards */
#include "../../../collect/bench/cuda_device.h"
#include "../../../collect/bench/cuda_graph.h"
#include "../../../collect/bench/cuda_kernels.h"
#include "../../../collect/bench/workload.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Public numbers of a card of each architecture. */
static const struct card {
	int arch;
	const char *name;
	int processors, threads, blocks;
	long shared, l2;
} cards[] = {
	{ 75, "Tesla T4", 40, 1024, 16, 65536, 4194304 },
	{ 80, "NVIDIA A100-SXM4-80GB", 108, 2048, 32, 166912, 41943040 },
	{ 86, "NVIDIA GeForce RTX 3090", 82, 1536, 16, 101376, 6291456 },
	{ 89, "NVIDIA GeForce RTX 4090", 128, 1536, 24, 101376, 75497472 },
	{ 90, "NVIDIA H100 80GB HBM3", 132, 2048, 32, 232448, 52428800 },
	{ 100, "NVIDIA B200", 148, 2048, 32, 232448, 132644864 },
	{ 120, "NVIDIA GeForce RTX 5090", 170, 1536, 24, 101376, 100663296 },
};
enum { CARDS = (int)LEN(cards) };

/* What is counted apart. fused: attention; where it is not supported the backend uses products and
 * a softmax. */
enum what {
	WHAT_CONV,
	WHAT_CONV_DATA,
	WHAT_CONV_FILTER,
	WHAT_ATTENTION,
	WHAT_ATTENTION_BWD,
	WHATS
};
static const char *const what_names[WHATS] = { "convolution", "convolution, data",
					       "convolution, filter", "attention",
					       "attention backward" };

struct count {
	int good, loaded, total;
	char why[160];
};

/* All keys that cuDNN asks for. */
static cudnnBackendDescriptor_t properties(const struct card *c)
{
	char json[2000];
	cudnnBackendDescriptor_t d = NULL;
	int n =
	    snprintf(json, sizeof json,
		     "{\"maxGridSize\":[2147483647,65535,65535],\"maxBlockSize\":[1024,1024,64],"
		     "\"regsPerBlock\":65536,"
		     "\"multiProcessorCount\":%d,\"warpSize\":32,\"maxSharedMemoryPerBlock\":49152,"
		     "\"maxSharedMemoryPerBlockOptin\":%ld,\"reservedSharedMemoryPerBlock\":1024,"
		     "\"maxRegistersPerSM\":65536,"
		     "\"maxCtasPerSM\":%d,\"maxThreadsPerBlock\":1024,\"maxThreadsPerSM\":%d,"
		     "\"pciDeviceId\":0,"
		     "\"isTccDriver\":0,\"supportCoopLaunch\":1,\"smClockRateKHz\":1700000,"
		     "\"memClockRateKHz\":1500000,"
		     "\"l2CacheSize\":%ld,\"deviceName\":\"%s\",\"deviceVer\":%d,\"driverVer\":"
		     "13000,\"cudaDeviceId\":0,"
		     "\"totalGlobalMem\":85899345920}",
		     c->processors, c->shared, c->blocks, c->threads, c->l2, c->name, 10 * c->arch);

	if (cudnnBackendCreateDescriptor(CUDNN_BACKEND_DEVICEPROP_DESCRIPTOR, &d)
		== CUDNN_STATUS_SUCCESS
	    && cudnnBackendSetAttribute(d, CUDNN_ATTR_DEVICEPROP_JSON_REPRESENTATION,
					CUDNN_TYPE_CHAR, n + 1, json)
		   == CUDNN_STATUS_SUCCESS
	    && cudnnBackendFinalize(d) == CUDNN_STATUS_SUCCESS)
		return d;
	return NULL;
}

static bool build(struct graph *g, cudnnBackendDescriptor_t card, bool true_fp32,
		  struct count *count)
{
	struct graph_target target = { .properties = card, .true_fp32 = true_fp32 };
	struct plan_choice plans[GRAPH_CANDIDATES];
	struct bench_error err = { .code = BENCH_OK };
	cudnnStatus_t status = CUDNN_STATUS_NOT_SUPPORTED;
	int n = 0;
	bool good = graph_plans(g, &target, plans, &n, &status, &err);

	for (int i = 0; i < n; i++)
		plan_free(&plans[i]);
	graph_free(g);
	count->total++;
	count->good += good;
	count->loaded += n > 0;
	if (!good)
		snprintf(count->why, sizeof count->why, "%.150s", err.msg);
	return good;
}

static void build_op(const struct op *o, enum precision p, cudnnBackendDescriptor_t card,
		     struct count counts[WHATS])
{
	static const cudnnDataType_t types[PRECISIONS] = { CUDNN_DATA_FLOAT, CUDNN_DATA_FLOAT,
							   CUDNN_DATA_HALF, CUDNN_DATA_BFLOAT16,
							   CUDNN_DATA_FP8_E4M3 };
	struct graph g = { 0 };
	bool narrow = p == PRECISION_FP16 || p == PRECISION_BF16;

	switch ((int)o->kind) {
	case OP_CONV:
	case OP_CONV_BWD_DATA:
	case OP_CONV_BWD_FILTER:
		graph_of_conv(&g, o->kind, &o->p.conv, types[p], p != PRECISION_FP32);
		build(&g, card, p == PRECISION_FP32, &counts[WHAT_CONV + (int)(o->kind - OP_CONV)]);
		break;
	case OP_ATTENTION: /* as the backend: the node, then parts */
		if (!narrow)
			break;
		struct count node = { 0 };
		if (!o->p.attention.causal) {
			graph_of_attention(&g, &o->p.attention, types[p], true);
			if (build(&g, card, false, &node)) {
				counts[WHAT_ATTENTION].good++;
				counts[WHAT_ATTENTION].total++;
				break;
			}
			memset(&g, 0, sizeof g);
		}
		graph_of_attention(&g, &o->p.attention, types[p], false);
		build(&g, card, false, &counts[WHAT_ATTENTION]);
		break;
	case OP_ATTENTION_BWD:
		if (!narrow || o->p.attention.causal)
			break;
		graph_of_attention_bwd(&g, &o->p.attention, types[p]);
		build(&g, card, false, &counts[WHAT_ATTENTION_BWD]);
		break;
	default:
		break;
	}
}

/* Distinct operations of all workloads of one precision. */
static int distinct(struct arena *a, enum precision p, struct plan *out, bool quick)
{
	struct workload_list all = workload_all(a);
	int seen[OP_KINDS] = { 0 };

	out->arena = a;
	out->precision = p;
	for (size_t i = 0; i < all.n; i++) {
		if (!(all.v[i].precisions & 1u << p) || str_eq(all.v[i].group, STR("memory")))
			continue;
		struct plan plan = workload_plan(&all.v[i], p, 0, a);
		for (int k = 0; k < plan.nops; k++) {
			struct op o = plan.ops[k];
			bool known = o.kind < OP_CONV
				     || (o.kind > OP_CONV_BWD_FILTER && o.kind != OP_ATTENTION
					 && o.kind != OP_ATTENTION_BWD);
			for (int j = 0; j < out->nops && !known; j++)
				known = out->ops[j].kind == o.kind
					&& memcmp(&out->ops[j].p, &o.p, sizeof o.p) == 0;
			if (!known && !(quick && seen[o.kind]++))
				plan_op(out, &o);
		}
	}
	return out->nops;
}

/* Attention is fused from sm_80 on; below the backend uses products and a softmax. */
static bool expected(int arch, enum what w)
{
	return arch >= 80 || w < WHAT_ATTENTION;
}

/* The backend refuses bf16 and tf32 below sm_80: nothing to build. */
static bool refused(int arch, enum precision p)
{
	return arch < 80 && (p == PRECISION_BF16 || p == PRECISION_TF32);
}

/* Kernels of all three kinds of values. */
static void check_kernels(int arch, int *tests, int *bad)
{
	for (int value = 0; value < 3; value++) {
		struct bench_error err = { .code = BENCH_OK };
		void *image = NULL;
		size_t bytes = 0;
		bool good = kernels_compile(arch, value, &image, &bytes, &err) && bytes > 10000;
		printf("%s %d - sm_%d kernels of value %d: %zu bytes %s\n", good ? "ok" : "not ok",
		       ++*tests, arch, value, bytes, err.msg);
		fflush(stdout);
		*bad += !good;
		free(image);
	}
}

/* Values that the formats' definitions give; ties go to the even one. */
static const struct {
	enum cuda_type t;
	double v;
	unsigned bits;
	double back;
} numbers[] = {
	{ CUDA_TYPE_F16, 1, 0x3c00, 1 },
	{ CUDA_TYPE_F16, -2, 0xc000, -2 },
	{ CUDA_TYPE_F16, 65504, 0x7bff, 65504 },
	{ CUDA_TYPE_F16, 65519, 0x7bff, 65504 },
	{ CUDA_TYPE_F16, 65520, 0x7c00, INFINITY },
	{ CUDA_TYPE_F16, 0x1p-24, 1, 0x1p-24 },
	{ CUDA_TYPE_F16, 0x1p-25, 0, 0 },
	{ CUDA_TYPE_F16, 0x3p-25, 2, 0x1p-23 },
	{ CUDA_TYPE_F16, 0x1.ffep-15, 0x400, 0x1p-14 },
	{ CUDA_TYPE_F16, 2049, 0x6800, 2048 },
	{ CUDA_TYPE_F16, 2051, 0x6802, 2052 },
	{ CUDA_TYPE_BF16, 1, 0x3f80, 1 },
	{ CUDA_TYPE_BF16, 257, 0x4380, 256 },
	{ CUDA_TYPE_BF16, 259, 0x4382, 260 },
	{ CUDA_TYPE_BF16, -0.5, 0xbf00, -0.5 },
	{ CUDA_TYPE_E4M3, 1, 0x38, 1 },
	{ CUDA_TYPE_E4M3, 448, 0x7e, 448 },
	{ CUDA_TYPE_E4M3, 1000, 0x7e, 448 },
	{ CUDA_TYPE_E4M3, -448, 0xfe, -448 },
	{ CUDA_TYPE_E4M3, 0x1p-9, 1, 0x1p-9 },
	{ CUDA_TYPE_E4M3, 0x1p-10, 0, 0 },
	{ CUDA_TYPE_E4M3, 0x3p-10, 2, 0x1p-8 },
	{ CUDA_TYPE_E4M3, 17, 0x58, 16 },
	{ CUDA_TYPE_E4M3, 19, 0x5a, 20 },
	{ CUDA_TYPE_E4M3, 15.9, 0x58, 16 },
	{ CUDA_TYPE_E4M3, 0x1p-6, 8, 0x1p-6 },
	{ CUDA_TYPE_E4M3, 0.0147, 8, 0x1p-6 },
};

static void check_numbers(int *tests, int *bad)
{
	int round_trips = 0;

	for (size_t i = 0; i < LEN(numbers); i++) {
		uint32_t bits = 0;
		cuda_encode(numbers[i].t, numbers[i].v, &bits);
		double back = cuda_decode(numbers[i].t, &bits);
		bool good = bits == numbers[i].bits && (back == numbers[i].back);
		printf("%s %d - %g of type %d: %#x, %g\n", good ? "ok" : "not ok", ++*tests,
		       numbers[i].v, (int)numbers[i].t, bits, back);
		*bad += !good;
	}
	for (uint32_t h = 0; h < 0x10000; h++)
		for (int t = CUDA_TYPE_F16; t <= CUDA_TYPE_E4M3; t++) {
			uint32_t again = 0, mask = t == CUDA_TYPE_E4M3 ? 0xff : 0xffff,
				 one = h & mask;
			double v = cuda_decode((enum cuda_type)t, &one);
			cuda_encode((enum cuda_type)t, v, &again);
			round_trips += isnan(v) || again == one;
		}
	printf("%s %d - every 16-bit and 8-bit number is what it was after decoding and encoding\n",
	       round_trips == 3 * 0x10000 ? "ok" : "not ok", ++*tests);
	*bad += round_trips != 3 * 0x10000;
}

int main(int argc, char **argv)
{
	static const enum precision precisions[] = { PRECISION_FP32, PRECISION_TF32, PRECISION_FP16,
						     PRECISION_BF16 };
	bool quick = argc > 1 && strcmp(argv[1], "quick") == 0;
	int tests = 0, bad = 0;

	check_numbers(&tests, &bad);
	for (int c = 0; c < CARDS; c++) {
		if (!quick || cards[c].arch == 75 || cards[c].arch == 90)
			check_kernels(cards[c].arch, &tests, &bad);
		cudnnBackendDescriptor_t card = properties(&cards[c]);
		if (!card) {
			printf("not ok %d - sm_%d: no properties\n", ++tests, cards[c].arch);
			bad++;
			continue;
		}
		for (size_t k = 0; k < LEN(precisions); k++) {
			struct arena a = { 0 };
			struct plan ops = { 0 };
			struct count counts[WHATS] = { { 0 } };
			enum precision p = precisions[k];
			if (refused(cards[c].arch, p))
				continue;
			distinct(&a, p, &ops, quick);
			for (int i = 0; i < ops.nops; i++)
				build_op(&ops.ops[i], p, card, counts);
			for (int w = 0; w < WHATS; w++) {
				if (counts[w].total == 0)
					continue;
				bool want = expected(cards[c].arch, (enum what)w);
				bool good =
				    want ? counts[w].good == counts[w].total : counts[w].good == 0;
				printf("%s %d - sm_%d %.*s %s: %d of %d%s%s\n",
				       good ? "ok" : "not ok", ++tests, cards[c].arch,
				       STR_ARG(precision_name(p)), what_names[w], counts[w].good,
				       counts[w].total, *counts[w].why ? "; " : "", counts[w].why);
				fflush(stdout);
				bad += !good;
			}
			arena_free(&a);
		}
		cudnnBackendDestroyDescriptor(card);
	}
	printf("1..%d\n", tests);
	return bad > 0;
}
