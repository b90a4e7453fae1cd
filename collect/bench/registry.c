#include "registry.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What the program knows by name; where `get` is NULL a plug-in. Order of choice: the first that has a device. */
static const struct known { const char *name; const struct backend *(*get)(void); bool automatic; } known[] = {
	{ "cuda", NULL, true },
	{ "onednn", NULL, true },
	{ "reference", backend_reference, false },
	{ "null", backend_null, false },
};

size_t registry_count(void)
{
	return LEN(known);
}

const char *registry_name(size_t i)
{
	return known[i].name;
}

bool registry_automatic(size_t i)
{
	return known[i].automatic;
}

/* Never the working folder, nor what the loader would search: a plug-in is code that we run. */
static struct str plugin_path(const char *name, struct str folder, struct arena *a)
{
	const char *own = getenv("GPUGUIDE_BENCH_BACKENDS");

	if (own && *own == '/')
		folder = str_of(own);
	return str_printf(a, STR_FMT "/gpuguide-bench-%s.so", STR_ARG(folder), name);
}

static const struct backend *check_abi(bench_backend_get_fn *get, const char *name, struct bench_error *err)
{
	const struct backend *b = get();

	if (!b)
		bench_fail(err, BENCH_FAILED, "%s: the plug-in gives no backend", name);
	else if (b->abi != BENCH_ABI)
		bench_fail(err, BENCH_FAILED, "%s: the plug-in is of another version (interface %d, wanted %d); "
			   "build both together", name, b->abi, BENCH_ABI);
	else if (strcmp(b->name, name) != 0)
		bench_fail(err, BENCH_FAILED, "%s: the plug-in says it is '%s'", name, b->name);
	else
		return b;
	return NULL;
}

static const struct backend *open_plugin(const char *name, struct str folder, struct arena *a,
					 struct bench_error *err)
{
	struct str path = plugin_path(name, folder, a);
	bench_backend_get_fn *get;

	if (access(path.p, F_OK) != 0) {
		bench_fail(err, BENCH_UNSUPPORTED, "%s: there is no " STR_FMT " (not built: make bench says why)", name,
			   STR_ARG(path));
		return NULL;
	}
	void *lib = dlopen(path.p, RTLD_NOW | RTLD_LOCAL); /* stays open: its code runs until the end */
	if (!lib) {
		bench_fail(err, BENCH_UNSUPPORTED, "%s: %s", name, dlerror());
		return NULL;
	}
	void *symbol = dlsym(lib, "bench_backend_get");
	if (!symbol) {
		bench_fail(err, BENCH_FAILED, "%s: %s", name, dlerror());
		return NULL;
	}
	memcpy(&get, &symbol, sizeof get); /* ISO C has no cast from void * to a function */
	return check_abi(get, name, err);
}

const struct backend *registry_open(const char *name, struct str folder, struct arena *a, struct bench_error *err)
{
	for (size_t i = 0; i < LEN(known); i++)
		if (strcmp(known[i].name, name) == 0)
			return known[i].get ? known[i].get() : open_plugin(name, folder, a, err);
	bench_fail(err, BENCH_FAILED, "there is no backend '%s'; known are cuda, onednn, reference, null", name);
	return NULL;
}
