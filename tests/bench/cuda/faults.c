/* What the CUDA backend says and does when something fails: each fault by the stand-in, the
 * message, the code, nothing left behind, and no result that should not be. faults PLUGIN with all
 * libraries faults PLUGIN missing    where NVRTC, NVML and NCCL cannot be opened */
#include "plans.h"
#include "standin.h"

#include "../../../collect/bench/backend.h"
#include "../../../collect/bench/verify.h"

#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int tests, bad;

static bool ok(bool good, const char *what, const char *how)
{
	printf("%s %d - %s%s%s\n", good ? "ok" : "not ok", ++tests, what, *how ? ": " : "", how);
	fflush(stdout);
	bad += !good;
	return good;
}

static const struct backend *plugin(const char *path)
{
	void *lib = dlopen(path, RTLD_NOW | RTLD_LOCAL),
	     *symbol = lib ? dlsym(lib, "bench_backend_get") : NULL;
	bench_backend_get_fn *get;

	if (!symbol) {
		printf("Bail out! %s\n", dlerror());
		exit(1);
	}
	memcpy(&get, &symbol, sizeof get);
	return get();
}

/* A card in order, for what fails later. */
static struct device *card(const struct backend *b, const char *faults)
{
	struct bench_error err = { .code = BENCH_OK };

	standin_set(faults);
	struct device *d = b->open(0, &err);
	if (!d) {
		printf("Bail out! %s\n", err.msg);
		exit(1);
	}
	return d;
}

static bool tells(const struct bench_error *e, enum bench_code code, const char *words)
{
	return e->code == code && strstr(e->msg, words);
}

/* Faults at opening. */
static const struct {
	const char *name, *faults;
	int index;
	enum bench_code code;
	const char *words;
} opens[] = {
	{ "no driver", "cudaGetDeviceCount:0:35,driver:0:0", 0, BENCH_UNSUPPORTED,
	  "no NVIDIA driver on this machine" },
	{ "too old a driver", "cudaGetDeviceCount:0:35,driver:0:12020", 0, BENCH_UNSUPPORTED,
	  "the driver is too old: it knows CUDA 12.2, this program was built for 13.0" },
	{ "no device", "cudaGetDeviceCount:0:100", 0, BENCH_UNSUPPORTED,
	  "a driver (CUDA 13.0), but no device" },
	{ "stub", "cudaGetDeviceCount:0:34", 0, BENCH_FAILED, "cudaGetDeviceCount: 34" },
	{ "no such device", "", 7, BENCH_FAILED, "there is no device 7, only 0 to 1" },
	{ "device in use", "cudaSetDevice:1:46", 0, BENCH_FAILED, "cudaSetDevice: 46" },
	{ "attribute", "cudaDeviceGetAttribute:1:1", 0, BENCH_FAILED, "cudaDeviceGetAttribute: 1" },
	{ "stream", "cudaStreamCreateWithFlags:1:1", 0, BENCH_FAILED,
	  "cudaStreamCreateWithFlags: 1" },
	{ "workspace", "cudaMalloc:1:2", 0, BENCH_NO_MEMORY, "cudaMalloc: 2" },
	{ "cublas", "cublasCreate:1:1", 0, BENCH_FAILED, "cublasCreate: 1" },
	{ "cublas stream", "cublasSetStream:1:1", 0, BENCH_FAILED, "cublasSetStream: 1" },
	{ "cublas workspace", "cublasSetWorkspace:1:7", 0, BENCH_FAILED, "cublasSetWorkspace: 7" },
	{ "cublasLt", "cublasLtCreate:1:3", 0, BENCH_NO_MEMORY, "cublasLtCreate: 3" },
	{ "cudnn", "cudnnCreate:1:1001", 0, BENCH_FAILED,
	  "cudnnCreate: 1001 CUDNN_STATUS_OTHER: what the stand-in was told to say" },
	{ "cudnn stream", "cudnnSetStream:1:2000", 0, BENCH_FAILED, "cudnnSetStream: 2000" },
};

static void check_opens(const struct backend *b)
{
	for (size_t i = 0; i < LEN(opens); i++) {
		struct bench_error err = { .code = BENCH_OK };
		standin_set(opens[i].faults);
		struct device *d = b->open(opens[i].index, &err);
		ok(!d && tells(&err, opens[i].code, opens[i].words) && standin_live() == 0,
		   opens[i].name, err.msg);
		if (d)
			b->close(d);
	}
}

/* Faults of one plan: `stage` is where the first failure must show. OK: the backend finds another
 * way. With a '!' they begin after loading. */
enum stage { AT_LOAD, AT_RUN, AT_NOTHING };
static const struct {
	const char *name, *faults;
	struct plan (*plan)(enum precision, struct arena *);
	enum precision p;
	enum stage stage;
	enum bench_code code;
	const char *words;
} plans[] = {
	{ "first plan of a convolution", "plan:1:3000", plan_cnn, PRECISION_FP16, AT_NOTHING,
	  BENCH_OK, "" },
	{ "first two plans", "plan:1:3000,plan:2:4001", plan_cnn, PRECISION_FP16, AT_NOTHING,
	  BENCH_OK, "" },
	{ "no plan of a convolution", "plan:0:3000", plan_cnn, PRECISION_FP16, AT_LOAD,
	  BENCH_UNSUPPORTED, "cudnnBackendFinalize(plan): 3000 CUDNN_STATUS_NOT_SUPPORTED" },
	{ "a candidate that does not run", "cudnnBackendExecute:1:5000", plan_cnn, PRECISION_FP16,
	  AT_NOTHING, BENCH_OK, "" },
	{ "no candidate runs", "cudnnBackendExecute:0:5000", plan_cnn, PRECISION_FP16, AT_LOAD,
	  BENCH_FAILED, "cudnnBackendExecute: 5000 CUDNN_STATUS_EXECUTION_FAILED" },
	{ "a descriptor", "cudnnBackendCreateDescriptor:1:4003", plan_cnn, PRECISION_FP16, AT_LOAD,
	  BENCH_NO_MEMORY, "cudnnBackendCreateDescriptor: 4003" },
	{ "an attribute", "cudnnBackendSetAttribute:3:2000", plan_cnn, PRECISION_FP16, AT_LOAD,
	  BENCH_FAILED, "cudnnBackendSetAttribute: 2000" },
	{ "no plan of attention", "plan:0:3000", plan_bert, PRECISION_FP16, AT_NOTHING, BENCH_OK,
	  "" },
	{ "recurrent layer not supported", "cudnnSetRNNDescriptor_v8:1:3003", plan_rnn,
	  PRECISION_BF16, AT_LOAD, BENCH_UNSUPPORTED, "cudnnSetRNNDescriptor_v8: 3003" },
	{ "recurrent weights", "cudnnGetRNNWeightParams:5:2000", plan_rnn, PRECISION_FP32, AT_LOAD,
	  BENCH_FAILED, "cudnnGetRNNWeightParams: 2000" },
	{ "recurrent memory", "cudnnGetRNNTempSpaceSizes:1:2000", plan_rnn, PRECISION_FP32, AT_LOAD,
	  BENCH_FAILED, "cudnnGetRNNTempSpaceSizes: 2000" },
	{ "recurrent layer forward", "cudnnRNNForward:1:5000", plan_rnn, PRECISION_FP32, AT_RUN,
	  BENCH_FAILED, "lstm0: cudnnRNNForward: 5000" },
	{ "recurrent layer backward", "cudnnRNNBackwardData_v8:1:5000", plan_rnn, PRECISION_FP32,
	  AT_RUN, BENCH_FAILED, "lstm1.bwd: cudnnRNNBackwardData_v8: 5000" },
	{ "recurrent layer, weights", "cudnnRNNBackwardWeights_v8:1:5000", plan_rnn, PRECISION_FP32,
	  AT_RUN, BENCH_FAILED, "lstm1.bwd: cudnnRNNBackwardWeights_v8: 5000" },
	{ "a product's candidate", "cublasLtMatmul:1:13", plan_bert, PRECISION_FP32, AT_NOTHING,
	  BENCH_OK, "" },
	{ "no product runs", "cublasLtMatmul:0:13", plan_bert, PRECISION_FP32, AT_LOAD,
	  BENCH_UNSUPPORTED, "candidates runs" },
	{ "no heuristic", "cublasLtMatmulAlgoGetHeuristic:0:15", plan_bert, PRECISION_FP32, AT_LOAD,
	  BENCH_UNSUPPORTED, "cublasLtMatmulAlgoGetHeuristic: 15" },
	{ "products of addresses", "cublasGemmBatchedEx:1:13", plan_bert, PRECISION_FP32, AT_RUN,
	  BENCH_FAILED,
	  "layer0.attention: cublasGemmBatchedEx: 13 CUBLAS_STATUS_EXECUTION_FAILED" },
	{ "kernels do not compile", "nvrtcCompileProgram:0:6", plan_bert, PRECISION_FP32, AT_LOAD,
	  BENCH_FAILED,
	  "nvrtcCompileProgram: 6 NVRTC_ERROR_COMPILATION: error: identifier \"nonsense\" is "
	  "undefined" },
	{ "kernels do not load", "cuModuleLoadData:1:209", plan_bert, PRECISION_FP32, AT_LOAD,
	  BENCH_FAILED, "cuModuleLoadData(kernels): 209 words of the driver" },
	{ "a kernel is missing", "cuModuleGetFunction:3:500", plan_bert, PRECISION_FP32, AT_LOAD,
	  BENCH_FAILED, "cuModuleGetFunction(activation): 500" },
	{ "no memory for a module", "cuModuleLoadData:1:2", plan_bert, PRECISION_FP32, AT_LOAD,
	  BENCH_NO_MEMORY, "cuModuleLoadData" },
	{ "a launch", "cuLaunchKernel:1:1", plan_bert, PRECISION_FP32, AT_RUN, BENCH_FAILED,
	  "embed: cuLaunchKernel(gather_rows): 1 words of the driver" },
	{ "an address, in a kernel", "cuLaunchKernel:4:700", plan_bert, PRECISION_FP32, AT_RUN,
	  BENCH_LOST, "cuLaunchKernel(layernorm): 700 an illegal memory access" },
	{ "an address, seen at the end", "!cudaStreamSynchronize:3:700", plan_bert, PRECISION_FP32,
	  AT_RUN, BENCH_LOST, "cudaStreamSynchronize: 700" },
	{ "an address, while loading", "cudaStreamSynchronize:20:700", plan_bert, PRECISION_FP32,
	  AT_LOAD, BENCH_LOST,
	  "cudaStreamSynchronize: 700 cudaErrorIllegalAddress: an illegal memory access was "
	  "encountered" },
	{ "an address, in a candidate", "cudnnBackendExecute:2:5000,cudaStreamSynchronize:43:700",
	  plan_cnn, PRECISION_FP16, AT_LOAD, BENCH_LOST, "700" },
	{ "too little memory", "memory:0:45", plan_bert, PRECISION_FP32, AT_LOAD, BENCH_NO_MEMORY,
	  "cudaMalloc: no room for" },
	{ "a copy to the card", "cudaMemcpyAsync:1:1", plan_cnn, PRECISION_FP32, AT_LOAD,
	  BENCH_FAILED, "cudaMemcpyAsync: 1" },
	{ "a fill", "cudaMemsetAsync:2:1", plan_cnn, PRECISION_FP32, AT_LOAD, BENCH_FAILED,
	  "cudaMemsetAsync: 1" },
};

/* Every operation once; false at the first that fails. */
static bool run_all(const struct backend *b, struct loaded *l, const struct plan *p,
		    struct bench_error *err)
{
	for (int i = 0; i < p->nops; i++)
		if (!b->run_op(l, i, err))
			return false;
	return true;
}

static void check_fault(const struct backend *b, size_t i)
{
	struct bench_error err = { .code = BENCH_OK }, again;
	struct arena a = { 0 };
	struct plan p = plans[i].plan(plans[i].p, &a);
	bool late = *plans[i].faults == '!';
	struct device *d = card(b, late ? "" : plans[i].faults);
	struct loaded *l = b->load(d, &p, &err), *next = NULL;
	bool at_load = !l;
	if (late)
		standin_set(plans[i].faults + 1);
	bool ran = l && run_all(b, l, &p, &err);
	enum stage stage = at_load ? AT_LOAD : ran ? AT_NOTHING : AT_RUN;
	bool good = stage == plans[i].stage
		    && (stage == AT_NOTHING || tells(&err, plans[i].code, plans[i].words));

	if (l)
		b->unload(l);
	if (good
	    && plans[i].code
		   == BENCH_LOST) { /* nothing on this card any more, whatever comes next */
		next = b->load(d, &p, &again);
		good = !next && again.code == BENCH_LOST;
	}
	b->close(d);
	ok(good, plans[i].name, stage == AT_NOTHING ? "another way was found" : err.msg);
	ok(standin_live() == 0, plans[i].name, "nothing left");
	arena_free(&a);
}

/* Memory ends at the n-th allocation, for every n of a plan: nothing left, and the next load is as
 * if nothing had been. */
static void check_memory(const struct backend *b, const char *name,
			 struct plan (*make)(enum precision, struct arena *))
{
	struct arena a = { 0 };
	struct plan p = make(PRECISION_FP16, &a);
	int n, refused = 0, passed = 0, wrong = 0;
	bool more = true;
	char how[200];

	for (n = 1; more && n < 2000; n++) {
		struct bench_error err = { .code = BENCH_OK };
		struct device *d = card(b, "");
		char fault[40];
		snprintf(fault, sizeof fault, "cudaMalloc:%d:2", n);
		standin_set(fault);
		long before = standin_live();
		struct loaded *l = b->load(d, &p, &err);
		more = standin_calls("cudaMalloc") >= n;
		refused += !l;
		passed += l && more;
		wrong += !l && (err.code != BENCH_NO_MEMORY || standin_live() - before > 1);
		if (l)
			b->unload(l);
		else if (n % 16 == 1) {
			l = b->load(d, &p, &err);
			wrong += !l;
			if (l)
				b->unload(l);
		}
		b->close(d);
		wrong += standin_live() != 0;
	}
	snprintf(
	    how, sizeof how,
	    "%d allocations: %d refused as no memory, %d done without (a candidate less), %d wrong",
	    n - 2, refused, passed, wrong);
	ok(wrong == 0 && refused > 20, name, how);
	arena_free(&a);
}

/* Wrong numbers never pass verification. */
static void check_results(const struct backend *b)
{
	static const struct {
		const char *name, *faults, *words;
		struct plan (*plan)(enum precision, struct arena *);
	} cases[] = {
		{ "NaN of products", "product:0:1", "is not a number", plan_bert },
		{ "NaN of convolutions", "product:0:1",
		  "conv of conv1: element 0 of conv1 is not a number", plan_cnn },
		{ "NaN of recurrent layers", "product:0:1", "lstm of lstm0", plan_rnn },
		{ "wrong products", "product:0:2", "off by", plan_bert },
		{ "wrong convolutions", "product:0:2", "conv of conv1", plan_cnn },
		{ "wrong recurrent layers", "product:0:2", "lstm of lstm0", plan_rnn },
	};

	for (size_t i = 0; i < LEN(cases); i++) {
		struct bench_error err = { .code = BENCH_OK };
		struct arena a = { 0 };
		struct plan p = cases[i].plan(PRECISION_FP16, &a);
		struct verify_result r;
		struct device *d = card(b, cases[i].faults);
		struct loaded *l = b->load(d, &p, &err);
		bool good = l && !verify_plan(b, l, &p, 2, &a, &r, &err)
			    && tells(&err, BENCH_FAILED, cases[i].words);
		if (l)
			b->unload(l);
		b->close(d);
		ok(good, cases[i].name, err.msg);
		arena_free(&a);
	}
}

/* A graph that cannot be captured is unsupported, and plain steps go on. */
static void check_graphs(const struct backend *b)
{
	static const struct {
		const char *name, *faults, *words;
		enum bench_code code;
	} cases[] = {
		{ "capture does not begin", "cudaStreamBeginCapture:1:900",
		  "no CUDA graph of a step: cudaStreamBeginCapture: 900", BENCH_UNSUPPORTED },
		{ "capture does not end", "cudaStreamEndCapture:1:901", "cudaStreamEndCapture: 901",
		  BENCH_UNSUPPORTED },
		{ "graph is not made", "cudaGraphInstantiateWithFlags:1:801",
		  "cudaGraphInstantiate: 801", BENCH_UNSUPPORTED },
		{ "a launch in a capture", "cuLaunchKernel:5:900",
		  "no CUDA graph of a step: ", BENCH_UNSUPPORTED },
		{ "graph does not run", "cudaGraphLaunch:2:1", "cudaGraphLaunch: 1", BENCH_FAILED },
		{ "graph loses the card", "cudaGraphLaunch:2:700", "cudaGraphLaunch: 700",
		  BENCH_LOST },
	};

	for (size_t i = 0; i < LEN(cases); i++) {
		struct bench_error err = { .code = BENCH_OK }, plain = { .code = BENCH_OK };
		struct arena a = { 0 };
		struct plan p = plan_cnn(PRECISION_FP16, &a);
		double seconds[4] = { 0 }, wall = 0;
		struct device *d = card(b, "");
		struct loaded *l = b->load(d, &p, &err);
		standin_set(cases[i].faults);
		bool good = l && !b->run_steps(l, 4, true, seconds, &wall, &err)
			    && tells(&err, cases[i].code, cases[i].words);
		bool after = l && b->run_steps(l, 4, false, seconds, &wall, &plain);
		good = good && after == (cases[i].code != BENCH_LOST)
		       && (!after || (wall > 0 && seconds[3] > 0));
		if (l)
			b->unload(l);
		b->close(d);
		ok(good && standin_live() == 0, cases[i].name, err.msg);
		arena_free(&a);
	}
}

static void check_micro(const struct backend *b)
{
	static const struct {
		const char *name, *faults;
		enum op_kind kind;
		int which;
		enum bench_code code;
		const char *words;
	} cases[] = {
		{ "all-reduce of one device", "devices:0:1", OP_ALLREDUCE, 0, BENCH_UNSUPPORTED,
		  "needs two devices" },
		{ "peer copy of one device", "devices:0:1", OP_TRANSFER, TRANSFER_PEER,
		  BENCH_UNSUPPORTED, "needs two" },
		{ "NCCL does not start", "ncclCommInitAll:1:2", OP_ALLREDUCE, 0, BENCH_FAILED,
		  "ncclCommInitAll: 2 unhandled system error" },
		{ "NCCL does not run", "ncclAllReduce:2:1", OP_ALLREDUCE, 0, BENCH_FAILED,
		  "ncclAllReduce: 1" },
		{ "no pinned memory", "cudaMallocHost:1:2", OP_TRANSFER, TRANSFER_H2D,
		  BENCH_NO_MEMORY, "cudaMallocHost" },
		{ "a copy fails", "cudaMemcpyAsync:1:1", OP_TRANSFER, TRANSFER_D2H, BENCH_FAILED,
		  "cudaMemcpyAsync: 1" },
		{ "memory for sets", "memory:0:10", OP_STREAM, STREAM_TRIAD, BENCH_NO_MEMORY,
		  "no room for" },
		{ "an event", "cudaEventCreate:1:1", OP_STREAM, STREAM_COPY, BENCH_FAILED,
		  "cudaEventCreate: 1" },
		{ "no time", "cudaEventElapsedTime:1:1", OP_STREAM, STREAM_COPY, BENCH_FAILED,
		  "cudaEventElapsedTime: 1" },
	};

	for (size_t i = 0; i < LEN(cases); i++) {
		struct bench_error err = { .code = BENCH_OK };
		struct arena a = { 0 };
		struct plan p = plan_memory(cases[i].kind, cases[i].which, 100000, &a);
		double seconds;
		/* of 32 MiB the libraries have their workspace: 10 MB are beyond it */
		struct device *d =
		    card(b, strstr(cases[i].faults, "memory") ? "arch:0:75" : cases[i].faults);
		if (strstr(cases[i].faults, "memory"))
			standin_set(cases[i].faults);
		struct loaded *l = b->load(d, &p, &err);
		bool failed =
		    !l || !b->run_op(l, 0, &err) || !b->run_micro(l, 0, 5, 12, &seconds, &err);
		if (l)
			b->unload(l);
		b->close(d);
		ok(failed && tells(&err, cases[i].code, cases[i].words) && standin_live() == 0,
		   cases[i].name, err.msg);
		arena_free(&a);
	}
}

static const char *fact(const struct device_info *info, const char *key)
{
	for (int i = 0; i < info->nfacts; i++)
		if (strcmp(info->facts[i].key, key) == 0)
			return info->facts[i].value;
	return "";
}

/* 1 processor of sm_90: fp16 4096 FLOP a clock at 1980 MHz; 1 GHz, both edges, 256 bits. */
static void check_description(const struct backend *b, bool nvml)
{
	struct bench_error err = { .code = BENCH_OK };
	struct device_info info;
	struct telemetry t;
	struct device *d = card(b, nvml ? "" : "nvmlInit_v2:1:9");
	bool good = b->describe(d, &info, &err), sampled = b->sample(d, &t);
	double clock = nvml ? 1980e6 : 1500e6;

	ok(good && strcmp(info.name, "Stand-in") == 0 && info.device_count == 2
	       && info.bandwidth == 64e9 && info.peak[PRECISION_FP16] == 4096 * clock
	       && info.peak[PRECISION_FP8] == 8192 * clock,
	   "description", info.framework);
	ok(strcmp(info.framework, "cuda 13.0 cublas 13.1 cudnn 9.19.0") == 0, "versions",
	   info.framework);
	if (nvml) {
		ok(sampled && t.power_w == 250 && t.energy_j == 5 && t.sm_mhz == 1400
		       && t.memory_mhz == 1000 && t.temperature_c == 61 && t.throttle == 4
		       && t.other_processes == 1,
		   "telemetry", "");
		ok(strcmp(fact(&info, "power_limit_w"), "700") == 0
		       && strcmp(info.driver, "580.65.06") == 0,
		   "facts", info.driver);
	} else {
		ok(!sampled && isnan(t.power_w) && t.other_processes == -1, "no telemetry", "");
		ok(strstr(fact(&info, "nvml"), "not available") != NULL, "facts",
		   fact(&info, "nvml"));
	}
	b->close(d);
	ok(standin_live() == 0, "description", "nothing left");
}

static void check_support(const struct backend *b)
{
	static const struct {
		const char *card;
		enum precision p;
		bool good;
	} cases[] = {
		{ "arch:0:75", PRECISION_FP16, true },  { "arch:0:75", PRECISION_BF16, false },
		{ "arch:0:75", PRECISION_TF32, false }, { "arch:0:86", PRECISION_BF16, true },
		{ "arch:0:86", PRECISION_FP8, false },  { "arch:0:89", PRECISION_FP8, true },
	};

	for (size_t i = 0; i < LEN(cases); i++) {
		struct bench_error why = { .code = BENCH_OK };
		struct device *d = card(b, cases[i].card);
		bool good = b->supports(d, cases[i].p, &why);
		ok(good == cases[i].good
		       && (good || tells(&why, BENCH_UNSUPPORTED, "needs compute capability")),
		   cases[i].card, why.msg);
		b->close(d);
	}
}

/* Only what needs them is lost. */
static void check_missing(const struct backend *b)
{
	struct bench_error err = { .code = BENCH_OK };
	struct arena a = { 0 };
	struct plan gemm = plan_gemm(PRECISION_FP16, 16, 16, 16, &a),
		    bert = plan_bert(PRECISION_FP16, &a);
	struct plan reduce = plan_memory(OP_ALLREDUCE, 0, 100, &a),
		    copy = plan_memory(OP_TRANSFER, TRANSFER_H2D, 100, &a);
	struct device *d = card(b, "");
	struct telemetry t;
	struct loaded *l = b->load(d, &gemm, &err);

	ok(l && b->run_op(l, 0, &err), "products without NVRTC", "");
	if (l)
		b->unload(l);
	l = b->load(d, &copy, &err);
	ok(l && b->run_op(l, 0, &err), "copies without NVRTC", "");
	if (l)
		b->unload(l);
	ok(!b->load(d, &bert, &err)
	       && tells(&err, BENCH_UNSUPPORTED, "our own kernels need NVRTC: "),
	   "kernels", err.msg);
	ok(!b->load(d, &reduce, &err) && tells(&err, BENCH_UNSUPPORTED, "all-reduce needs NCCL: "),
	   "all-reduce", err.msg);
	ok(!b->sample(d, &t), "telemetry", "none");
	b->close(d);
	ok(standin_live() == 0, "missing libraries", "nothing left");
	arena_free(&a);
}

int main(int argc, char **argv)
{
	const struct backend *b = plugin(argc > 1 ? argv[1] : "");

	if (argc > 2) {
		check_missing(b);
	} else {
		check_opens(b);
		check_support(b);
		check_description(b, true);
		check_description(b, false);
		for (size_t i = 0; i < LEN(plans); i++)
			check_fault(b, i);
		check_results(b);
		check_graphs(b);
		check_micro(b);
		check_memory(b, "memory ends, cnn", plan_cnn);
		check_memory(b, "memory ends, rnn", plan_rnn);
	}
	printf("1..%d\n", tests);
	return bad > 0;
}
