/* The files of a run. The contribution has the columns that `gpuguide collect` takes
 * (data/README.md), one row a metric; beside it, named after it, CSVs with other endings, so that
 * collect passes them over:
 *   STEM.results.txt  one row a workload and precision: status, times with interval, share of the
 *                     roofline, marks
 *   STEM.checks.txt   largest relative error of each kind of operation
 *   STEM.steps.txt    the measured times, of each at most the first 5,000
 *   STEM.system.txt   what the machine is
 * A run that did not fit is the row "value 0 with batch_size 0", which collect keeps as a fact
 * about memory. */
#ifndef BENCH_CONTRIBUTION_H
#define BENCH_CONTRIBUTION_H

#include "measure.h"
#include "system.h"
#include "table.h"

struct contribution {
	struct arena *arena;
	struct table rows, results, checks, steps, system;
	struct arena scratch; /* of the steps, which are not kept */
	struct str machine, date, source;
	bool held, locked; /* STEM.lock by another run, by this one */
};

/* path: FILE of the contribution; a folder that is missing is made. system: what is measured and
 * how, with the facts "program", "machine", "run"; it is written at once. resume: reads what is
 * there, and drops rows of workloads that were not finished. STEM.lock keeps two runs out of one
 * file: *out is `held` then, and nothing else. Errors: ERR_ENVIRONMENT, ERR_SYNTAX; ERR_USAGE where
 * FILE is there and resume was not asked, or it is of another program, machine, device, framework,
 * driver or kind of run: rows of two would look like those of one. */
bool contribution_open(const char *path, bool resume, const struct system *system, struct arena *a,
		       struct contribution *out, struct error *err);
/* name: the workload's, with "-max" behind it for the largest batch. contributes: false for what is
 * no contribution (another batch, verification only): the side files alone have it. */
void contribution_add(struct contribution *c, const struct bench *b, const struct workload *w,
		      struct str name, enum precision p, const struct measurement *m,
		      bool contributes);
/* Whether an earlier run has brought this to an end (anything but failed and device-lost). */
bool contribution_has(const struct contribution *c, struct str name, enum precision p);
/* After each workload: times are appended, the rest is written anew. */
bool contribution_write(struct contribution *c, struct error *err);
void contribution_close(struct contribution *c);

#endif
