/* Runs gnuplot on scripts in a folder. No shell is involved. */
#ifndef RENDER_GNUPLOT_H
#define RENDER_GNUPLOT_H

#include "../base/arena.h"
#include "../base/cache.h"
#include "../base/error.h"
#include "../base/str.h"

#include <stdbool.h>
#include <stddef.h>

enum { GNUPLOT_SECONDS = 60, GNUPLOT_OUTPUT_MAX = 16 << 20 };

struct gnuplot_job {
	const char *program;  /* name (looked up in PATH) or path; NULL: "gnuplot" */
	const char *work_dir; /* becomes gnuplot's working folder */
	const char *const *scripts; /* file names in work_dir, run one after the other */
	const char *const *outputs; /* what each writes, likewise; read, then removed */
	size_t n;             /* scripts, at least 1: starting gnuplot takes longer than a chart */
	const char *log;      /* file name in work_dir for gnuplot's messages; removed again */
	int seconds;          /* time limit; 0: GNUPLOT_SECONDS */
	struct cache *cache;  /* NULL: every script is run */
	const struct str *made_of; /* with a cache: n, all bytes that a script and its data hold */
	struct str identity;  /* with a cache: of gnuplot_identity() */
};

/* What drew a picture beside its script: the SHA-256 of the program file that `program` (NULL:
 * "gnuplot") names. Empty where it is not there, or is itself a script, of which nothing tells what
 * it runs: then every picture is drawn. Fonts have no part: gnuplot writes text as text. */
struct str gnuplot_identity(const char *program, struct arena *a);

/* Of the scripts those are run whose picture is not in the cache; then it is put there.
 * Runs it under LC_ALL=C, without start-up files, with stdin and stdout on /dev/null. A script that
 * fails stops those after it. What it leaves set, the next one finds: scripts begin with a reset.
 * out     n: what each script wrote, not empty
 * Errors  ERR_ENVIRONMENT gnuplot is missing, was refused, was stopped at the time limit, ended
 *         with another status than 0 (its first message line is quoted), or wrote nothing;
 *         ERR_RANGE more than GNUPLOT_OUTPUT_MAX bytes */
bool gnuplot_run(const struct gnuplot_job *job, struct arena *a, struct str *out,
                 struct error *err);

#endif
