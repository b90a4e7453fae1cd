/* The table of functions, and what a card is. */
#include "cuda_device.h"
#include "cuda_kernels.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MIB = 1 << 20 };

/* cudaGetDeviceCount leaves n untouched when it fails. 35 has two meanings: no driver (version 0),
 * or one too old. */
static int devices(struct bench_error *why)
{
	int n = 0, driver = 0, runtime = 0;
	struct bench_error err;

	cudaDriverGetVersion(&driver);
	cudaRuntimeGetVersion(&runtime);
	cudaError_t s = cudaGetDeviceCount(&n);
	if (s == cudaSuccess && n > 0)
		return n;
	if (driver == 0 && s == cudaErrorInsufficientDriver)
		bench_fail(why, BENCH_UNSUPPORTED,
			   "no NVIDIA driver on this machine (libcuda.so.1 is not there)");
	else if (s == cudaErrorInsufficientDriver)
		bench_fail(
		    why, BENCH_UNSUPPORTED,
		    "the driver is too old: it knows CUDA %d.%d, this program was built for %d.%d",
		    driver / 1000, driver % 1000 / 10, runtime / 1000, runtime % 1000 / 10);
	else if (s == cudaSuccess || s == cudaErrorNoDevice)
		bench_fail(why, BENCH_UNSUPPORTED,
			   "a driver (CUDA %d.%d), but no device that it can use", driver / 1000,
			   driver % 1000 / 10);
	else if (!cuda_ok(s, "cudaGetDeviceCount", &err))
		*why = err;
	cudaGetLastError();
	return 0;
}

static void close_device(struct device *d)
{
	cudaSetDevice(d->index);
	monitor_close(d->monitor);
	for (size_t i = 0; i < LEN(d->kernels); i++)
		kernels_free(d->kernels[i]);
	if (d->dnn)
		cudnnDestroy(d->dnn);
	if (d->lt)
		cublasLtDestroy(d->lt);
	if (d->blas)
		cublasDestroy(d->blas);
	cudaFree(d->blas_workspace);
	if (d->stream)
		cudaStreamDestroy(d->stream);
	cudaGetLastError();
	free(d);
}

static bool attribute(int *out, enum cudaDeviceAttr a, int index, struct bench_error *err)
{
	return cuda_ok(cudaDeviceGetAttribute(out, a, index), "cudaDeviceGetAttribute", err);
}

static bool open_libraries(struct device *d, struct bench_error *err)
{
	d->blas_workspace_bytes = (size_t)(d->arch >= 90 ? 32 : 4) * MIB;
	return cuda_ok(cudaStreamCreateWithFlags(&d->stream, cudaStreamNonBlocking),
		       "cudaStreamCreateWithFlags", err)
	       && cuda_ok(cudaMalloc(&d->blas_workspace, d->blas_workspace_bytes), "cudaMalloc",
			  err)
	       && blas_ok(cublasCreate(&d->blas), "cublasCreate", err)
	       && blas_ok(cublasSetStream(d->blas, d->stream), "cublasSetStream", err)
	       && blas_ok(cublasSetWorkspace(d->blas, d->blas_workspace, d->blas_workspace_bytes),
			  "cublasSetWorkspace", err)
	       && blas_ok(cublasLtCreate(&d->lt), "cublasLtCreate", err)
	       && dnn_ok(cudnnCreate(&d->dnn), "cudnnCreate", err)
	       && dnn_ok(cudnnSetStream(d->dnn, d->stream), "cudnnSetStream", err);
}

static bool open_card(struct device *d, struct bench_error *err)
{
	int major = 0, minor = 0, l2 = 0;

	if (!cuda_ok(cudaSetDevice(d->index), "cudaSetDevice", err)
	    || !attribute(&major, cudaDevAttrComputeCapabilityMajor, d->index, err)
	    || !attribute(&minor, cudaDevAttrComputeCapabilityMinor, d->index, err)
	    || !attribute(&d->processors, cudaDevAttrMultiProcessorCount, d->index, err)
	    || !attribute(&l2, cudaDevAttrL2CacheSize, d->index, err))
		return false;
	d->arch = 10 * major + minor;
	d->l2_bytes = l2;
	if (!open_libraries(d, err))
		return false;
	d->monitor = monitor_open(d->index);
	return true;
}

static struct device *open_device(int index, struct bench_error *err)
{
	int n = devices(err);

	if (n == 0)
		return NULL;
	if (index < 0 || index >= n) {
		bench_fail(err, BENCH_FAILED, "cuda: there is no device %d, only 0 to %d", index,
			   n - 1);
		return NULL;
	}
	struct device *d = calloc(1, sizeof *d);
	if (!d) {
		bench_fail(err, BENCH_NO_MEMORY, "cuda: no host memory");
		return NULL;
	}
	d->index = index;
	d->count = n;
	if (open_card(d, err))
		return d;
	close_device(d);
	return NULL;
}

/* Matrix FLOP of one processor and clock, with fp32 sums; 0: it has no such units. Of GeForce cards
 * tensor cores add in fp32 at half the rate. Source: NVIDIA's architecture papers of Volta, Turing,
 * Ampere, Ada, Hopper, Blackwell (dense). */
static const struct rate {
	int arch;
	double flop[PRECISIONS];
} rates[] = {
	{ 70, { [PRECISION_FP32] = 128, [PRECISION_FP16] = 1024 } },
	{ 75, { [PRECISION_FP32] = 128, [PRECISION_FP16] = 1024 } },
	{ 80,
	  { [PRECISION_FP32] = 128,
	    [PRECISION_TF32] = 1024,
	    [PRECISION_FP16] = 2048,
	    [PRECISION_BF16] = 2048 } },
	{ 86,
	  { [PRECISION_FP32] = 256,
	    [PRECISION_TF32] = 512,
	    [PRECISION_FP16] = 1024,
	    [PRECISION_BF16] = 1024 } },
	{ 89,
	  { [PRECISION_FP32] = 256,
	    [PRECISION_TF32] = 512,
	    [PRECISION_FP16] = 1024,
	    [PRECISION_BF16] = 1024,
	    [PRECISION_FP8] = 2048 } },
	{ 90,
	  { [PRECISION_FP32] = 256,
	    [PRECISION_TF32] = 2048,
	    [PRECISION_FP16] = 4096,
	    [PRECISION_BF16] = 4096,
	    [PRECISION_FP8] = 8192 } },
	{ 100,
	  { [PRECISION_FP32] = 256,
	    [PRECISION_TF32] = 4096,
	    [PRECISION_FP16] = 8192,
	    [PRECISION_BF16] = 8192,
	    [PRECISION_FP8] = 16384 } },
	{ 120,
	  { [PRECISION_FP32] = 256,
	    [PRECISION_TF32] = 512,
	    [PRECISION_FP16] = 1024,
	    [PRECISION_BF16] = 1024,
	    [PRECISION_FP8] = 2048 } },
};

/* An architecture that the table does not have is not guessed. */
static double rate_of(int arch, enum precision p)
{
	for (size_t i = 0; i < LEN(rates); i++)
		if (rates[i].arch == arch)
			return rates[i].flop[p] > 0 ? rates[i].flop[p] : NAN;
	return NAN;
}

/* kHz as a double; NAN where the runtime does not tell. */
static double attribute_or_nan(enum cudaDeviceAttr a, int index)
{
	int v = 0;

	if (cudaDeviceGetAttribute(&v, a, index) != cudaSuccess) {
		cudaGetLastError();
		return NAN;
	}
	return v > 0 ? v : (double)NAN;
}

/* The highest clock that the driver would set; both edges of the memory clock carry data. */
static void limits(struct device *d, struct device_info *out)
{
	double sm = monitor_max_sm_hz(d->monitor),
	       memory = attribute_or_nan(cudaDevAttrMemoryClockRate, d->index) * 1e3;
	double bus = attribute_or_nan(cudaDevAttrGlobalMemoryBusWidth, d->index);
	bool half = strstr(out->name, "GeForce") != NULL;

	if (isnan(sm))
		sm = attribute_or_nan(cudaDevAttrClockRate, d->index) * 1e3;
	out->bandwidth = 2 * memory * bus / 8;
	for (int p = 0; p < PRECISIONS; p++)
		out->peak[p] = rate_of(d->arch, (enum precision)p) * d->processors * sm
			       * (half && p != PRECISION_FP32 ? 0.5 : 1);
}

/* "13.0": the runtime and cuBLAS have 13000 and 130100, cuDNN 91900. */
static void versions(struct device_info *out)
{
	int driver = 0, runtime = 0, major = 0, minor = 0;
	size_t dnn = cudnnGetVersion();

	cudaDriverGetVersion(&driver);
	cudaRuntimeGetVersion(&runtime);
	cublasGetProperty(MAJOR_VERSION, &major);
	cublasGetProperty(MINOR_VERSION, &minor);
	snprintf(out->framework, sizeof out->framework, "cuda %d.%d cublas %d.%d cudnn %zu.%zu.%zu",
		 runtime / 1000, runtime % 1000 / 10, major, minor, dnn / 10000, dnn / 100 % 100,
		 dnn % 100);
	device_fact_add(out, "cuda_driver", "%d.%d", driver / 1000, driver % 1000 / 10);
}

static bool describe(struct device *d, struct device_info *out, struct bench_error *err)
{
	struct cudaDeviceProp p;
	size_t free_bytes, total;

	memset(out, 0, sizeof *out);
	if (!cuda_ok(cudaSetDevice(d->index), "cudaSetDevice", err)
	    || !cuda_ok(cudaGetDeviceProperties(&p, d->index), "cudaGetDeviceProperties", err)
	    || !cuda_ok(cudaMemGetInfo(&free_bytes, &total), "cudaMemGetInfo", err))
		return false;
	snprintf(out->name, sizeof out->name, "%.*s", (int)sizeof out->name - 1, p.name);
	out->device_count = d->count;
	out->memory_bytes = (double)total;
	out->l2_bytes = d->l2_bytes;
	limits(d, out);
	versions(out);
	device_fact_add(out, "compute_capability", "%d.%d", d->arch / 10, d->arch % 10);
	device_fact_add(out, "multiprocessors", "%d", d->processors);
	device_fact_add(out, "memory_free_gb", "%.2f", (double)free_bytes * 1e-9);
	monitor_facts(d->monitor, out);
	return true;
}

/* From which architecture on a precision has units of its own. fp16 runs on older cards too, bf16
 * and tf32 do not. */
static bool supports(struct device *d, enum precision p, struct bench_error *why)
{
	static const int least[PRECISIONS] = { [PRECISION_FP32] = 0,
					       [PRECISION_TF32] = 80,
					       [PRECISION_FP16] = 70,
					       [PRECISION_BF16] = 80,
					       [PRECISION_FP8] = 89 };

	if (d->arch >= least[p])
		return true;
	return bench_fail(
	    why, BENCH_UNSUPPORTED, STR_FMT " needs compute capability %d.%d, this card has %d.%d",
	    STR_ARG(precision_name(p)), least[p] / 10, least[p] % 10, d->arch / 10, d->arch % 10);
}

static bool sample(struct device *d, struct telemetry *out)
{
	return monitor_sample(d->monitor, out);
}

__attribute__((visibility("default"))) const struct backend *bench_backend_get(void);

const struct backend *bench_backend_get(void)
{
	static const struct backend b = {
		.abi = BENCH_ABI,
		.name = "cuda",
		.devices = devices,
		.open = open_device,
		.close = close_device,
		.describe = describe,
		.supports = supports,
		.load = cuda_load,
		.unload = cuda_unload,
		.upload = cuda_upload,
		.download = cuda_download,
		.run_op = cuda_run_op,
		.run_steps = cuda_run_steps,
		.run_micro = cuda_run_micro,
		.sample = sample,
		.op_detail = cuda_op_detail,
	};

	return &b;
}
