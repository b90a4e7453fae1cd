/* NVRTC, NVML and NCCL of the stand-in. See standin.h. */
#include "standin.h"

#include <cuda_runtime_api.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define API __attribute__((visibility("default")))

/* They are declared by the backend alone, function by function. */
#pragma GCC diagnostic ignored "-Wmissing-prototypes"

/* NVRTC: the image of a program is the value it was asked for. */
API int nvrtcVersion(int *a, int *b)
{
	*a = 13;
	*b = 0;
	return 0;
}

API int nvrtcCreateProgram(void **p, const char *source, const char *name, int n,
			   const char *const *h, const char *const *i)
{
	(void)name, (void)n, (void)h, (void)i;
	*p = standin_make(sizeof(int));
	return strstr(source, "KERNEL layernorm(") ? standin_status("nvrtcCreateProgram") : 1;
}

API int nvrtcDestroyProgram(void **p)
{
	standin_free(*p);
	return 0;
}

API int nvrtcCompileProgram(void *p, int n, const char *const *options)
{
	for (int i = 0; i < n; i++)
		if (strncmp(options[i], "-DVALUE=", 8) == 0)
			*(int *)p = atoi(options[i] + 8);
	return standin_status("nvrtcCompileProgram");
}

API int nvrtcGetCUBINSize(void *p, size_t *n)
{
	(void)p;
	*n = sizeof(int);
	return 0;
}

API int nvrtcGetCUBIN(void *p, char *out)
{
	memcpy(out, p, sizeof(int));
	return 0;
}

API int nvrtcGetPTXSize(void *p, size_t *n)
{
	return nvrtcGetCUBINSize(p, n);
}

API int nvrtcGetPTX(void *p, char *out)
{
	return nvrtcGetCUBIN(p, out);
}

static const char compile_log[] =
    "gpuguide.cu(3): error: identifier \"nonsense\" is undefined\n1 error detected\n";

API int nvrtcGetProgramLogSize(void *p, size_t *n)
{
	(void)p;
	*n = sizeof compile_log;
	return 0;
}

API int nvrtcGetProgramLog(void *p, char *out)
{
	(void)p;
	memcpy(out, compile_log, sizeof compile_log);
	return 0;
}

API int nvrtcGetNumSupportedArchs(int *n)
{
	*n = 3;
	return 0;
}

API int nvrtcGetSupportedArchs(int *out)
{
	memcpy(out, (int[]){ 75, 80, 90 }, 3 * sizeof *out);
	return 0;
}

API const char *nvrtcGetErrorString(int e)
{
	return e == 6 ? "NVRTC_ERROR_COMPILATION" : "NVRTC_ERROR";
}

/* NVML. */
API int nvmlInit_v2(void)
{
	return standin_status("nvmlInit_v2");
}

API int nvmlShutdown(void)
{
	return 0;
}

API int nvmlDeviceGetHandleByPciBusId_v2(const char *bus, void **d)
{
	static int card;

	*d = &card;
	return strncmp(bus, "0000:", 5) != 0;
}

API int nvmlDeviceGetPowerUsage(void *d, unsigned *v)
{
	(void)d;
	*v = 250000;
	return 0;
}

API int nvmlDeviceGetTotalEnergyConsumption(void *d, unsigned long long *v)
{
	(void)d;
	*v = 5000;
	return 0;
}

API int nvmlDeviceGetClockInfo(void *d, int what, unsigned *v)
{
	(void)d;
	*v = what == 1 ? 1400 : 1000;
	return 0;
}

API int nvmlDeviceGetMaxClockInfo(void *d, int what, unsigned *v)
{
	(void)d;
	*v = what == 1 ? 1980 : 1000;
	return 0;
}

API int nvmlDeviceGetTemperature(void *d, int sensor, unsigned *v)
{
	(void)d;
	(void)sensor;
	*v = 61;
	return 0;
}

API int nvmlDeviceGetCurrentClocksThrottleReasons(void *d, unsigned long long *v)
{
	(void)d;
	*v = 4;
	return 0;
}

API int nvmlDeviceGetComputeRunningProcesses_v3(void *d, unsigned *n, void *list)
{
	struct {
		unsigned pid;
		unsigned long long bytes;
		unsigned a, b;
	} *p = list;

	(void)d;
	*n = 2;
	p[0].pid = (unsigned)getpid();
	p[1].pid = 1;
	return 0;
}

API int nvmlDeviceGetEnforcedPowerLimit(void *d, unsigned *v)
{
	(void)d;
	*v = 700000;
	return 0;
}

API int nvmlSystemGetDriverVersion(char *out, unsigned n)
{
	snprintf(out, n, "580.65.06");
	return 0;
}

/* NCCL: all sums are made when the group ends. */
static struct {
	const float *from[8];
	float *to[8];
	size_t count;
	int n;
} group;

API int ncclCommInitAll(void **c, int n, const int *devices)
{
	int e = standin_status("ncclCommInitAll");

	(void)devices;
	for (int i = 0; i < n && !e; i++)
		c[i] = standin_make(1);
	return e;
}

API int ncclCommDestroy(void *c)
{
	standin_free(c);
	return 0;
}

API int ncclGroupStart(void)
{
	group.n = 0;
	return 0;
}

API int ncclAllReduce(const void *from, void *to, size_t count, int type, int op, void *c,
		      cudaStream_t t)
{
	(void)c;
	(void)t;
	group.from[group.n] = from;
	group.to[group.n++] = to;
	group.count = count;
	return type != 7 || op != 0 ? 4 : standin_status("ncclAllReduce");
}

API int ncclGroupEnd(void)
{
	for (size_t i = 0; i < group.count && group.n; i++) {
		float sum = 0;
		for (int k = 0; k < group.n; k++)
			sum += group.from[k][i];
		for (int k = 0; k < group.n; k++)
			group.to[k][i] = sum;
	}
	return 0;
}

API const char *ncclGetErrorString(int e)
{
	return e == 2 ? "unhandled system error" : "an error of NCCL";
}
