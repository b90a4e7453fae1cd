#include "registry.h"

#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* What the program knows by name; where `get` is NULL a plug-in. Order of choice: the first that
 * has a device. */
static const struct known {
	const char *name;
	const struct backend *(*get)(void);
	bool automatic;
} known[] = {
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

static const struct backend *check_abi(bench_backend_get_fn *get, const char *name,
				       struct bench_error *err)
{
	const struct backend *b = get();

	if (!b)
		bench_fail(err, BENCH_FAILED, "%s: the plug-in gives no backend", name);
	else if (b->abi != BENCH_ABI)
		bench_fail(err, BENCH_FAILED,
			   "%s: the plug-in is of another version (interface %d, wanted %d); "
			   "build both together",
			   name, b->abi, BENCH_ABI);
	else if (strcmp(b->name, name) != 0)
		bench_fail(err, BENCH_FAILED, "%s: the plug-in says it is '%s'", name, b->name);
	else
		return b;
	return NULL;
}

/* A file or folder that anybody may write is anybody's code. */
static bool only_ours(const char *path, const char *name, struct bench_error *err)
{
	struct stat s;

	if (stat(path, &s) != 0)
		return bench_fail(err, BENCH_UNSUPPORTED, "%s: %s: %s", name, path,
				  strerror(errno));
	return !(s.st_mode & S_IWOTH)
	       || bench_fail(err, BENCH_FAILED,
			     "%s: anybody may write %s; a plug-in there is not run", name, path);
}

/* The loader maps a file that was cut off (a full disk, a copy in progress) and dies of it: the
 * section headers, which stand last, must lie inside. What is no ELF file at all the loader itself
 * says. */
static bool is_whole(const char *path, const char *name, struct bench_error *err)
{
	FILE *f = fopen(path, "rb");
	Elf64_Ehdr head;
	struct stat s;
	bool whole = true;

	if (f && fread(&head, sizeof head, 1, f) == 1 && fstat(fileno(f), &s) == 0
	    && memcmp(head.e_ident, ELFMAG, SELFMAG) == 0 && head.e_ident[EI_CLASS] == ELFCLASS64)
		whole = head.e_shoff <= (Elf64_Off)s.st_size
			&& (Elf64_Off)head.e_shnum * head.e_shentsize
			       <= (Elf64_Off)s.st_size - head.e_shoff;
	if (f)
		fclose(f);
	return whole
	       || bench_fail(err, BENCH_UNSUPPORTED, "%s: %s is cut off; build it again", name,
			     path);
}

static const struct backend *open_plugin(const char *name, struct str folder, struct arena *a,
					 struct bench_error *err)
{
	struct str path = plugin_path(name, folder, a);
	bench_backend_get_fn *get;

	if (access(path.p, F_OK) != 0) {
		bench_fail(err, BENCH_UNSUPPORTED,
			   "%s: there is no " STR_FMT " (not built: make bench says why)", name,
			   STR_ARG(path));
		return NULL;
	}
	const char *at =
	    str_c(a, str_slice(path, 0, path.len - strlen("/gpuguide-bench-.so") - strlen(name)));
	if (!only_ours(path.p, name, err) || !only_ours(at, name, err)
	    || !is_whole(path.p, name, err))
		return NULL;
	/* stays open: its code runs until the end */
	void *lib = dlopen(path.p, RTLD_NOW | RTLD_LOCAL);
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

const struct backend *registry_open(const char *name, struct str folder, struct arena *a,
				    struct bench_error *err)
{
	for (size_t i = 0; i < LEN(known); i++)
		if (strcmp(known[i].name, name) == 0)
			return known[i].get ? known[i].get() : open_plugin(name, folder, a, err);
	bench_fail(err, BENCH_FAILED,
		   "there is no backend '%s'; known are cuda, onednn, reference, null", name);
	return NULL;
}
