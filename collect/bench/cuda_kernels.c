#include "cuda_kernels.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The lines of cuda_kernels.cu and cuda_kernels_more.cu, made by the build: static const char
 * *const kernel_lines[]. */
#include "cuda_kernels_text.h"

static const char *const names[KERNELS] = {
	[KERNEL_ADD_ROWS] = "add_rows",
	[KERNEL_ADD_PACKS] = "add_packs",
	[KERNEL_ACTIVATION] = "activation",
	[KERNEL_ACTIVATION_BWD] = "activation_bwd",
	[KERNEL_SWIGLU] = "swiglu",
	[KERNEL_COLUMN_PARTS] = "column_parts",
	[KERNEL_COLUMN_FINISH] = "column_finish",
	[KERNEL_BATCHNORM_APPLY] = "batchnorm_apply",
	[KERNEL_BATCHNORM_BWD_APPLY] = "batchnorm_bwd_apply",
	[KERNEL_LAYERNORM] = "layernorm",
	[KERNEL_LAYERNORM_BWD] = "layernorm_bwd",
	[KERNEL_RMSNORM] = "rmsnorm",
	[KERNEL_SOFTMAX] = "softmax",
	[KERNEL_SOFTMAX_BWD] = "softmax_bwd",
	[KERNEL_LOSS] = "loss",
	[KERNEL_SUM_ALL] = "sum_all",
	[KERNEL_GATHER_ROWS] = "gather_rows",
	[KERNEL_EMBED_BWD] = "embed_bwd",
	[KERNEL_SCATTER_ROWS] = "scatter_rows",
	[KERNEL_ROPE] = "rope",
	[KERNEL_REL_SHIFT] = "rel_shift",
	[KERNEL_MAXPOOL] = "maxpool",
	[KERNEL_MAXPOOL_BWD] = "maxpool_bwd",
	[KERNEL_AVGPOOL] = "avgpool",
	[KERNEL_AVGPOOL_BWD] = "avgpool_bwd",
	[KERNEL_SGD] = "sgd",
	[KERNEL_ADAM] = "adam",
	[KERNEL_STREAM] = "stream",
	[KERNEL_STREAM_READ] = "stream_read",
	[KERNEL_ATTENTION_CACHE] = "attention_cache",
};

const char *kernel_name(enum kernel k)
{
	return names[k];
}

/* NVRTC by its own declarations: its header need not be there. 0 is success everywhere. */
struct nvrtc {
	int (*version)(int *major, int *minor);
	int (*create)(void **program, const char *source, const char *name, int headers,
		      const char *const *texts, const char *const *names);
	int (*destroy)(void **program);
	int (*compile)(void *program, int options, const char *const *option);
	int (*cubin_size)(void *program, size_t *size);
	int (*cubin)(void *program, char *out);
	int (*ptx_size)(void *program, size_t *size);
	int (*ptx)(void *program, char *out);
	int (*log_size)(void *program, size_t *size);
	int (*log)(void *program, char *out);
	int (*arch_count)(int *n);
	int (*archs)(int *out);
	const char *(*words)(int status);
};

static bool nvrtc_open(struct nvrtc *n, struct bench_error *err)
{
	static const char *const libraries[] = { "libnvrtc.so.13", "libnvrtc.so.12",
						 "libnvrtc.so.11.2", "libnvrtc.so", NULL };
	char why[200];
	void *lib = cuda_open_library(libraries, why, sizeof why);
	struct cuda_symbol symbols[] = {
		{ "nvrtcVersion", (void **)&n->version },
		{ "nvrtcCreateProgram", (void **)&n->create },
		{ "nvrtcDestroyProgram", (void **)&n->destroy },
		{ "nvrtcCompileProgram", (void **)&n->compile },
		{ "nvrtcGetCUBINSize", (void **)&n->cubin_size },
		{ "nvrtcGetCUBIN", (void **)&n->cubin },
		{ "nvrtcGetPTXSize", (void **)&n->ptx_size },
		{ "nvrtcGetPTX", (void **)&n->ptx },
		{ "nvrtcGetProgramLogSize", (void **)&n->log_size },
		{ "nvrtcGetProgramLog", (void **)&n->log },
		{ "nvrtcGetNumSupportedArchs", (void **)&n->arch_count },
		{ "nvrtcGetSupportedArchs", (void **)&n->archs },
		{ "nvrtcGetErrorString", (void **)&n->words },
	};

	if (!lib || !cuda_find_symbols(lib, symbols, LEN(symbols), why, sizeof why))
		return bench_fail(err, BENCH_UNSUPPORTED, "our own kernels need NVRTC: %s", why);
	return true; /* the library stays open */
}

const char *kernels_source(struct arena *a)
{
	struct strbuf b = { .arena = a };

	for (size_t i = 0; i < LEN(kernel_lines); i++)
		strbuf_add(&b, str_of(kernel_lines[i]));
	return str_c(a, strbuf_str(&b));
}

enum { ARCHS_MAX = 64 };

/* Whether NVRTC knows this architecture; *newest is the highest below it that it knows, 0 none. */
static bool knows_arch(const struct nvrtc *n, int arch, int *newest)
{
	int list[ARCHS_MAX], count = 0;
	bool known = false;

	*newest = 0;
	if (n->arch_count(&count) || count > ARCHS_MAX || n->archs(list))
		return true; /* let the compiler say it */
	for (int i = 0; i < count; i++) {
		known = known || list[i] == arch;
		if (list[i] < arch && list[i] > *newest)
			*newest = list[i];
	}
	return known;
}

/* The first line of the compiler's log that tells of an error. */
static bool compile_error(const struct nvrtc *n, void *program, int status, struct bench_error *err)
{
	char log[4096] = "";
	size_t size = 0;

	if (n->log_size(program, &size) == 0 && size <= sizeof log)
		n->log(program, log);
	char *at = strstr(log, "error");
	at = at ? at : log;
	at[strcspn(at, "\n")] = '\0';
	return bench_fail(err, BENCH_FAILED, "nvrtcCompileProgram: %d %s: %s", status,
			  n->words(status), at);
}

static bool get_image(const struct nvrtc *n, void *program, bool cubin, void **image, size_t *bytes,
		      struct bench_error *err)
{
	int s = cubin ? n->cubin_size(program, bytes) : n->ptx_size(program, bytes);

	if (s || *bytes == 0)
		return bench_fail(err, BENCH_FAILED, "nvrtcGetCUBINSize: %d %s", s, n->words(s));
	*image = malloc(*bytes);
	if (!*image)
		return bench_fail(err, BENCH_NO_MEMORY, "no memory for %zu bytes of kernels",
				  *bytes);
	s = cubin ? n->cubin(program, *image) : n->ptx(program, *image);
	if (s) {
		free(*image);
		return bench_fail(err, BENCH_FAILED, "nvrtcGetCUBIN: %d %s", s, n->words(s));
	}
	return true;
}

bool kernels_compile(int arch, int value, void **image, size_t *bytes, struct bench_error *err)
{
	struct nvrtc n;
	struct arena a = { 0 };
	char option[2][48];
	const char *options[] = { option[0], option[1], "--std=c++14" };
	void *program = NULL;
	int newest;

	if (!nvrtc_open(&n, err))
		return false;
	bool cubin = knows_arch(&n, arch, &newest);
	if (!cubin && !newest)
		return bench_fail(err, BENCH_UNSUPPORTED,
				  "NVRTC does not know sm_%d: this CUDA is too new for the card",
				  arch);
	snprintf(option[0], sizeof option[0], "--gpu-architecture=%s_%d", cubin ? "sm" : "compute",
		 cubin ? arch : newest);
	snprintf(option[1], sizeof option[1], "-DVALUE=%d", value);
	int s = n.create(&program, kernels_source(&a), "gpuguide.cu", 0, NULL, NULL);
	bool good =
	    s == 0 || bench_fail(err, BENCH_FAILED, "nvrtcCreateProgram: %d %s", s, n.words(s));
	if (good && (s = n.compile(program, (int)LEN(options), options)) != 0)
		good = compile_error(&n, program, s, err);
	good = good && get_image(&n, program, cubin, image, bytes, err);
	if (program)
		n.destroy(&program);
	arena_free(&a);
	return good;
}

/* The driver's own interface, for modules and launches: the same since CUDA 4. */
struct driver {
	int (*load)(void **module, const void *image);
	int (*unload)(void *module);
	int (*function)(void **out, void *module, const char *name);
	int (*launch)(void *f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
		      unsigned bz, unsigned shared, void *stream, void **args, void **extra);
	int (*words)(int status, const char **out);
};

struct kernels {
	struct driver driver;
	void *module;
	void *function[KERNELS];
};

static bool driver_open(struct driver *d, struct bench_error *err)
{
	static const char *const libraries[] = { "libcuda.so.1", NULL };
	char why[200];
	void *lib = cuda_open_library(libraries, why, sizeof why);
	struct cuda_symbol symbols[] = {
		{ "cuModuleLoadData", (void **)&d->load },
		{ "cuModuleUnload", (void **)&d->unload },
		{ "cuModuleGetFunction", (void **)&d->function },
		{ "cuLaunchKernel", (void **)&d->launch },
		{ "cuGetErrorString", (void **)&d->words },
	};

	if (!lib || !cuda_find_symbols(lib, symbols, LEN(symbols), why, sizeof why))
		return bench_fail(err, BENCH_UNSUPPORTED, "our own kernels need the driver: %s",
				  why);
	return true;
}

/* Numbers of the driver's errors are those of the runtime's. */
static bool driver_ok(const struct driver *d, int s, const char *call, const char *what,
		      struct bench_error *err)
{
	const char *words = "";
	struct bench_error as_runtime = { .code = BENCH_FAILED };

	if (s == 0)
		return true;
	d->words(s, &words);
	cuda_ok(s == 2 ? cudaErrorMemoryAllocation : (cudaError_t)s, call, &as_runtime);
	return bench_fail(err, as_runtime.code, "%s(%s): %d %s", call, what, s, words ? words : "");
}

void kernels_free(struct kernels *k)
{
	if (k && k->module)
		k->driver.unload(k->module);
	free(k);
}

static bool load_functions(struct kernels *k, const void *image, struct bench_error *err)
{
	if (!driver_ok(&k->driver, k->driver.load(&k->module, image), "cuModuleLoadData", "kernels",
		       err))
		return false;
	for (int i = 0; i < KERNELS; i++)
		if (!driver_ok(&k->driver, k->driver.function(&k->function[i], k->module, names[i]),
			       "cuModuleGetFunction", names[i], err))
			return false;
	return true;
}

/* VALUE of a precision; fp8 has products only. */
static int value_of(enum precision p)
{
	static const int value[PRECISIONS] = {
		[PRECISION_FP16] = 1, [PRECISION_BF16] = 2, [PRECISION_FP8] = 2
	};

	return value[p];
}

bool kernels_want(struct device *d, enum precision p, struct bench_error *err)
{
	int value = value_of(p);
	void *image = NULL;
	size_t bytes;

	if (d->kernels[value])
		return true;
	struct kernels *k = calloc(1, sizeof *k);
	if (!k)
		return bench_fail(err, BENCH_NO_MEMORY, "no memory for kernels");
	bool good = driver_open(&k->driver, err)
		    && kernels_compile(d->arch, value, &image, &bytes, err)
		    && load_functions(k, image, err);
	free(image);
	if (good)
		d->kernels[value] = k;
	else
		kernels_free(k);
	return good;
}

bool kernel_launch(struct loaded *l, enum kernel i, struct kernel_grid g, void **args,
		   struct bench_error *err)
{
	const struct kernels *k = l->d->kernels[value_of(l->plan->precision)];
	int s =
	    k->driver.launch(k->function[i], (unsigned)g.x, (unsigned)(g.y ? g.y : 1), 1,
			     (unsigned)g.block, 1, 1, (unsigned)g.shared, l->d->stream, args, NULL);

	return driver_ok(&k->driver, s, "cuLaunchKernel", names[i], err);
}
