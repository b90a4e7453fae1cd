/* Finds backends: built in, or plug-ins beside the program (gpuguide-bench-NAME.so), or in the
 * folder that GPUGUIDE_BENCH_BACKENDS names by an absolute path; nowhere else, and not where
 * anybody may write. */
#ifndef BENCH_REGISTRY_H
#define BENCH_REGISTRY_H

#include "backend.h"

#include "../../base/arena.h"
#include "../../base/str.h"

/* The names in the order of choice; automatic: taken without being asked for when it has a
 * device. */
size_t registry_count(void);
const char *registry_name(size_t i);
bool registry_automatic(size_t i);

/* folder  where the program lies
 * NULL with a message: BENCH_UNSUPPORTED not there or a library of it is missing ("onednn:
 * libdnnl.so.2: cannot open shared object file"), BENCH_FAILED an unknown name, another interface,
 * no backend. */
const struct backend *registry_open(const char *name, struct str folder, struct arena *a,
				    struct bench_error *err);

#endif
