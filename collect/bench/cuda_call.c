#include "cuda_device.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

/* Errors after which every call fails until the process ends: the context is gone. */
static bool is_sticky(cudaError_t s)
{
	static const cudaError_t sticky[] = {
		cudaErrorECCUncorrectable,
		cudaErrorNvlinkUncorrectable,
		cudaErrorIllegalAddress,
		cudaErrorLaunchTimeout,
		cudaErrorLaunchFailure,
		cudaErrorHardwareStackError,
		cudaErrorIllegalInstruction,
		cudaErrorMisalignedAddress,
		cudaErrorInvalidAddressSpace,
		cudaErrorInvalidPc,
		cudaErrorAssert,
		cudaErrorCudartUnloading,
		cudaErrorExternalDevice,
		cudaErrorUnknown,
	};

	for (size_t i = 0; i < LEN(sticky); i++)
		if (s == sticky[i])
			return true;
	return false;
}

bool cuda_ok(cudaError_t s, const char *call, struct bench_error *err)
{
	enum bench_code code = BENCH_FAILED;

	if (s == cudaSuccess)
		return true;
	if (s == cudaErrorMemoryAllocation)
		code = BENCH_NO_MEMORY;
	else if (is_sticky(s))
		code = BENCH_LOST;
	cudaGetLastError(); /* one that is not sticky is forgotten, else the next call would report
			       it again */
	return bench_fail(err, code, "%s: %d %s: %s", call, (int)s, cudaGetErrorName(s),
			  cudaGetErrorString(s));
}

/* A library's own "execution failed" hides what the runtime knows. */
static enum bench_code context_code(enum bench_code code)
{
	cudaError_t s = cudaPeekAtLastError();

	return is_sticky(s) ? BENCH_LOST : s == cudaErrorMemoryAllocation ? BENCH_NO_MEMORY : code;
}

bool blas_ok(cublasStatus_t s, const char *call, struct bench_error *err)
{
	enum bench_code code = BENCH_FAILED;

	if (s == CUBLAS_STATUS_SUCCESS)
		return true;
	if (s == CUBLAS_STATUS_NOT_SUPPORTED || s == CUBLAS_STATUS_ARCH_MISMATCH)
		code = BENCH_UNSUPPORTED;
	else if (s == CUBLAS_STATUS_ALLOC_FAILED)
		code = BENCH_NO_MEMORY;
	else
		code = context_code(code);
	bench_fail(err, code, "%s: %d %s: %s", call, (int)s, cublasGetStatusName(s),
		   cublasGetStatusString(s));
	cudaGetLastError();
	return false;
}

bool dnn_ok(cudnnStatus_t s, const char *call, struct bench_error *err)
{
	enum bench_code code = BENCH_FAILED;
	char words[200] = "";

	if (s == CUDNN_STATUS_SUCCESS)
		return true;
	cudnnGetLastErrorString(words, sizeof words);
	words[strcspn(words, "\n")] = '\0';
	if ((int)s / 1000 == 3)
		code = BENCH_UNSUPPORTED;
	else if (s == CUDNN_STATUS_INTERNAL_ERROR_HOST_ALLOCATION_FAILED
		 || s == CUDNN_STATUS_INTERNAL_ERROR_DEVICE_ALLOCATION_FAILED)
		code = BENCH_NO_MEMORY;
	else
		code = context_code(code);
	bench_fail(err, code, "%s: %d %s%s%s", call, (int)s, cudnnGetErrorString(s),
		   *words ? ": " : "", words);
	cudaGetLastError();
	return false;
}

void *cuda_open_library(const char *const *names, char *why, size_t size)
{
	void *lib = NULL;

	for (; !lib && *names; names++) {
		lib = dlopen(*names, RTLD_NOW | RTLD_LOCAL);
		if (!lib)
			snprintf(why, size, "%s", dlerror());
	}
	return lib;
}

bool cuda_find_symbols(void *lib, const struct cuda_symbol *s, size_t n, char *why, size_t size)
{
	for (size_t i = 0; i < n; i++) {
		void *f = dlsym(lib, s[i].name);
		if (!f) {
			snprintf(why, size, "%s is missing", s[i].name);
			return false;
		}
		memcpy(s[i].at, &f, sizeof f); /* ISO C has no cast from void * to a function */
	}
	return true;
}
