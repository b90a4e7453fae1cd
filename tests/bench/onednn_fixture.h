/* Opens the CPU backend for a test: the plug-in beside the benchmark program of the same build. */
#ifndef TESTS_BENCH_ONEDNN_FIXTURE_H
#define TESTS_BENCH_ONEDNN_FIXTURE_H

#include "../../collect/bench/registry.h"

#include <stdlib.h>
#include <unistd.h>

static inline struct str own_folder(struct arena *a)
{
	char path[4096];
	ssize_t n = readlink("/proc/self/exe", path, sizeof path);
	struct str s = n > 0 ? str_dup(a, (struct str){ path, (size_t)n }) : STR(".");

	for (int up = 0; up < 3; up++) /* BUILD/bench/tests/onednn_test */
		while (s.len && s.p[--s.len] != '/')
			;
	return s;
}

/* NULL with BENCH_UNSUPPORTED where the plug-in is not built. */
static inline const struct backend *onednn_open(struct arena *a, struct bench_error *err)
{
#ifdef __SANITIZE_ADDRESS__
	/* the search for leaks dies of OpenMP's waiting threads */
	setenv("OMP_NUM_THREADS", "1", 1);
#endif
	return registry_open("onednn", own_folder(a), a, err);
}

#endif
