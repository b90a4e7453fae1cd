/* Faults; memory, streams, events, graphs; the driver's modules and launches. See standin.h. */
#define _GNU_SOURCE
#include "shim.h"
#include "standin.h"

#include <cuda_runtime_api.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define API __attribute__((visibility("default")))

/* The driver is declared by the backend alone, function by function. */
#pragma GCC diagnostic ignored "-Wmissing-prototypes"

enum { FAULTS_MAX = 16, NAMES_MAX = 160 };

static struct {
	bool read;
	struct fault {
		char name[48];
		long nth, status;
	} faults[FAULTS_MAX];
	int nfaults;
	struct seen {
		const char *name;
		long calls;
	} seen[NAMES_MAX];
	int nseen;
	long live;
	size_t bytes;
	cudaError_t last, sticky;
	bool capturing, spoiled;
	int device;
} s;

static void parse(const char *spec)
{
	s.nfaults = 0;
	while (spec && *spec && s.nfaults < FAULTS_MAX) {
		struct fault *f = &s.faults[s.nfaults];
		if (sscanf(spec, "%47[^:]:%ld:%ld", f->name, &f->nth, &f->status) == 3)
			s.nfaults++;
		spec = strchr(spec, ',');
		spec = spec ? spec + 1 : NULL;
	}
	s.read = true;
}

API void standin_set(const char *spec)
{
	parse(spec);
	s.nseen = 0;
	s.last = s.sticky = cudaSuccess;
	s.capturing = s.spoiled = false;
}

API long standin_live(void)
{
	return s.live;
}

static struct seen *seen_of(const char *name)
{
	for (int i = 0; i < s.nseen; i++)
		if (strcmp(s.seen[i].name, name) == 0)
			return &s.seen[i];
	if (s.nseen == NAMES_MAX)
		abort();
	s.seen[s.nseen] = (struct seen){ name, 0 };
	return &s.seen[s.nseen++];
}

API long standin_calls(const char *name)
{
	return seen_of(name)->calls;
}

int standin_status(const char *name)
{
	if (!s.read)
		parse(getenv("STANDIN"));
	long n = ++seen_of(name)->calls;
	for (int i = 0; i < s.nfaults; i++)
		if (strcmp(s.faults[i].name, name) == 0
		    && (s.faults[i].nth == n || s.faults[i].nth == 0))
			return (int)s.faults[i].status;
	return 0;
}

long standin_number(const char *name, long otherwise)
{
	if (!s.read)
		parse(getenv("STANDIN"));
	for (int i = 0; i < s.nfaults; i++)
		if (strcmp(s.faults[i].name, name) == 0)
			return s.faults[i].status;
	return otherwise;
}

/* The size stands before the memory. */
void *standin_make(size_t bytes)
{
	size_t *p = calloc(1, bytes + 256);

	p[0] = bytes;
	s.live++;
	return (char *)p + 256;
}

void standin_free(void *p)
{
	if (!p)
		return;
	s.live--;
	free((char *)p - 256);
}

bool standin_capturing(void)
{
	return s.capturing;
}

double standin_spoil(double v)
{
	long how = standin_number("product", 0);

	return how == 1 ? NAN : how == 2 ? 1.1 * v + 0.1 : v;
}

/* The runtime: what is returned is remembered; a sticky error is returned for ever. */
static cudaError_t result(cudaError_t e)
{
	if (s.sticky)
		e = s.sticky;
	else if (e == cudaErrorIllegalAddress || e == cudaErrorLaunchFailure)
		s.sticky = e;
	if (e)
		s.last = e;
	return e;
}

static cudaError_t call(const char *name)
{
	return result((cudaError_t)standin_status(name));
}

/* Not allowed while a stream is captured. */
static cudaError_t call_outside(const char *name)
{
	if (s.capturing) {
		s.spoiled = true;
		return result(cudaErrorStreamCaptureUnsupported);
	}
	return call(name);
}

API cudaError_t cudaGetLastError(void)
{
	cudaError_t e = s.last;

	s.last = s.sticky;
	return e;
}

API cudaError_t cudaPeekAtLastError(void)
{
	return s.last;
}

API const char *cudaGetErrorName(cudaError_t e)
{
	return e == cudaErrorMemoryAllocation ? "cudaErrorMemoryAllocation"
	       : e == cudaErrorIllegalAddress ? "cudaErrorIllegalAddress"
					      : "cudaErrorOther";
}

API const char *cudaGetErrorString(cudaError_t e)
{
	return e == cudaErrorIllegalAddress ? "an illegal memory access was encountered"
					    : "words of the stand-in";
}

API cudaError_t cudaGetDeviceCount(int *n)
{
	cudaError_t e = call("cudaGetDeviceCount");

	if (e == cudaSuccess)
		*n = (int)standin_number("devices", 2);
	return e;
}

API cudaError_t cudaDriverGetVersion(int *v)
{
	*v = (int)standin_number("driver", 13000);
	return cudaSuccess;
}

API cudaError_t cudaRuntimeGetVersion(int *v)
{
	*v = 13000;
	return cudaSuccess;
}

API cudaError_t cudaSetDevice(int d)
{
	s.device = d;
	return call("cudaSetDevice");
}

API cudaError_t cudaDeviceGetAttribute(int *v, enum cudaDeviceAttr a, int d)
{
	int arch = (int)standin_number("arch", 90);

	(void)d;
	*v = a == cudaDevAttrComputeCapabilityMajor   ? arch / 10
	     : a == cudaDevAttrComputeCapabilityMinor ? arch % 10
	     : a == cudaDevAttrMultiProcessorCount    ? 1
	     : a == cudaDevAttrL2CacheSize            ? 1 << 16
	     : a == cudaDevAttrClockRate              ? 1500000
	     : a == cudaDevAttrMemoryClockRate        ? 1000000
	     : a == cudaDevAttrGlobalMemoryBusWidth   ? 256
						      : 0;
	return call("cudaDeviceGetAttribute");
}

API cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *p, int d)
{
	(void)d;
	memset(p, 0, sizeof *p);
	snprintf(p->name, sizeof p->name, "Stand-in");
	return call("cudaGetDeviceProperties");
}

API cudaError_t cudaDeviceGetPCIBusId(char *out, int n, int d)
{
	snprintf(out, (size_t)n, "0000:%02d:00.0", d);
	return call("cudaDeviceGetPCIBusId");
}

static size_t memory(void)
{
	return (size_t)standin_number("memory", 8000) * 1000000;
}

API cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *total)
{
	*total = memory();
	*free_bytes = *total - s.bytes;
	return call("cudaMemGetInfo");
}

static cudaError_t allocate(void **p, size_t n)
{
	if (s.bytes + n > memory())
		return result(cudaErrorMemoryAllocation);
	*p = standin_make(n);
	memset(*p, 0xff, n); /* what nobody wrote is no number */
	s.bytes += n;
	return cudaSuccess;
}

API cudaError_t cudaMalloc(void **p, size_t n)
{
	cudaError_t e = call_outside("cudaMalloc");

	return e ? e : allocate(p, n);
}

API cudaError_t cudaMallocHost(void **p, size_t n)
{
	cudaError_t e = call_outside("cudaMallocHost");

	return e ? e : allocate(p, n);
}

API cudaError_t cudaFree(void *p)
{
	if (p)
		s.bytes -= *(size_t *)(void *)((char *)p - 256);
	standin_free(p);
	return call_outside("cudaFree");
}

API cudaError_t cudaFreeHost(void *p)
{
	return cudaFree(p);
}

API cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t n, enum cudaMemcpyKind k,
				cudaStream_t t)
{
	cudaError_t e = call("cudaMemcpyAsync");

	(void)k;
	(void)t;
	if (!e)
		memmove(to, from, n);
	return e;
}

API cudaError_t cudaMemcpyPeerAsync(void *to, int a, const void *from, int b, size_t n,
				    cudaStream_t t)
{
	(void)a;
	(void)b;
	return cudaMemcpyAsync(to, from, n, cudaMemcpyDeviceToDevice, t);
}

API cudaError_t cudaMemsetAsync(void *p, int v, size_t n, cudaStream_t t)
{
	cudaError_t e = call("cudaMemsetAsync");

	(void)t;
	if (!e)
		memset(p, v, n);
	return e;
}

API cudaError_t cudaStreamCreateWithFlags(cudaStream_t *t, unsigned flags)
{
	cudaError_t e = call("cudaStreamCreateWithFlags");

	(void)flags;
	if (!e)
		*t = standin_make(1);
	return e;
}

API cudaError_t cudaStreamDestroy(cudaStream_t t)
{
	standin_free(t);
	return call("cudaStreamDestroy");
}

API cudaError_t cudaStreamSynchronize(cudaStream_t t)
{
	(void)t;
	return call_outside("cudaStreamSynchronize");
}

/* The work is done while it is captured; a launch of the graph only counts. */
API cudaError_t cudaStreamBeginCapture(cudaStream_t t, enum cudaStreamCaptureMode m)
{
	cudaError_t e = call("cudaStreamBeginCapture");

	(void)t;
	(void)m;
	s.capturing = !e;
	s.spoiled = false;
	return e;
}

API cudaError_t cudaStreamEndCapture(cudaStream_t t, cudaGraph_t *g)
{
	cudaError_t e = call("cudaStreamEndCapture");

	(void)t;
	s.capturing = false;
	if (s.spoiled)
		e = result(cudaErrorStreamCaptureInvalidated);
	*g = e ? NULL : standin_make(1);
	return e;
}

API cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *x, cudaGraph_t g,
					      unsigned long long flags)
{
	cudaError_t e = call("cudaGraphInstantiateWithFlags");

	(void)g;
	(void)flags;
	if (!e)
		*x = standin_make(1);
	return e;
}

API cudaError_t cudaGraphDestroy(cudaGraph_t g)
{
	standin_free(g);
	return cudaSuccess;
}

API cudaError_t cudaGraphExecDestroy(cudaGraphExec_t g)
{
	standin_free(g);
	return cudaSuccess;
}

API cudaError_t cudaGraphLaunch(cudaGraphExec_t g, cudaStream_t t)
{
	(void)g;
	(void)t;
	return call("cudaGraphLaunch");
}

API cudaError_t cudaEventCreate(cudaEvent_t *e)
{
	cudaError_t r = call("cudaEventCreate");

	if (!r)
		*e = standin_make(sizeof(double));
	return r;
}

API cudaError_t cudaEventDestroy(cudaEvent_t e)
{
	standin_free(e);
	return cudaSuccess;
}

API cudaError_t cudaEventRecord(cudaEvent_t e, cudaStream_t t)
{
	struct timespec now;

	(void)t;
	clock_gettime(CLOCK_MONOTONIC, &now);
	*(double *)(void *)e = (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
	return call("cudaEventRecord");
}

API cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t a, cudaEvent_t b)
{
	*ms = (float)((*(double *)(void *)b - *(double *)(void *)a) * 1e3);
	return call("cudaEventElapsedTime");
}

/* The driver. */
API int cuModuleLoadData(void **m, const void *image)
{
	int e = standin_status("cuModuleLoadData");

	if (!e) {
		*m = standin_make(sizeof(int));
		memcpy(*m, image, sizeof(int));
	}
	return e;
}

API int cuModuleUnload(void *m)
{
	standin_free(m);
	return 0;
}

API int cuModuleGetFunction(void **f, void *m, const char *name)
{
	static const struct shim_kernel *const tables[] = { shim_kernels_0, shim_kernels_1,
							    shim_kernels_2 };
	const struct shim_kernel *k = tables[*(int *)m];

	while (k->name && strcmp(k->name, name) != 0)
		k++;
	*f = (void *)(size_t)k;
	return k->name ? standin_status("cuModuleGetFunction") : 500;
}

API int cuLaunchKernel(void *f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
		       unsigned bz, unsigned shared, void *stream, void **args, void **extra)
{
	int e = standin_status("cuLaunchKernel");

	(void)gz, (void)by, (void)bz, (void)stream, (void)extra;
	if (s.sticky || e == 700)
		return (int)result(e ? (cudaError_t)e : s.sticky);
	if (!e)
		shim_launch(f, gx, gy, bx, shared, args);
	return e;
}

API int cuGetErrorString(int e, const char **out)
{
	*out = e == 700 ? "an illegal memory access was encountered" : "words of the driver";
	return 0;
}
