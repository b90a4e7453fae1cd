/* The command line of gpuguide-bench. */
#ifndef BENCH_OPTIONS_H
#define BENCH_OPTIONS_H

#include "workload.h"

#include "../../base/error.h"

#include <stdio.h>

struct bench_options {
	bool list, dry_run, quick, resume, quiet, help, version, verify_only;
	const char *backend;        /* NULL: the first that has a device */
	int device;
	struct str *workloads;      /* names or groups; none: all */
	size_t nworkloads, workloads_cap;
	unsigned precisions;        /* bits; 0: all */
	long batch;                 /* 0: the rule's */
	const char *machine, *out, *sign;
	double seconds;             /* of each measurement instead of the rule's; NAN */
};

/* Errors: ERR_USAGE "--batch: 'x' is not a whole number from 1 on" … */
bool options_parse(int argc, char **argv, struct arena *a, struct bench_options *out,
		   struct error *err);
void options_help(FILE *to);
/* Whether the options ask for it (by name or group, and in --quick only what is quick unless
 * named). */
bool options_wants(const struct bench_options *opt, const struct workload *w);
bool options_wants_precision(const struct bench_options *opt, const struct workload *w,
			     enum precision p);
/* ERR_USAGE where a --workload is neither a name nor a group. */
bool options_check(const struct bench_options *opt, const struct workload_list *all,
		   struct error *err);

#endif
