/* Runs another program without a shell, under limits. The child gets an empty standard input unless
 * told otherwise, its own process group (all of it is killed when the child ends, at the time limit
 * and when this program dies), LC_ALL=C, signals as usual, no core file, and nothing of this
 * program's open files. May be called from several threads at once. */
#ifndef BASE_PROCESS_H
#define BASE_PROCESS_H

#include "arena.h"
#include "error.h"
#include "str.h"

#include <stdbool.h>
#include <stddef.h>

struct process_options {
	const char *const *argv;  /* ends in NULL; argv[0] is looked up in PATH unless it holds a
	                           * slash */
	const char *work_dir;     /* NULL: where this program runs */
	const char *const *env;   /* "NAME=value", added to the environment, ends in NULL; NULL:
	                           * none */
	const char *const *env_without; /* beginnings of names that are left out of it, ends in
	                                 * NULL; NULL: none */
	struct str input;         /* for its standard input; empty: /dev/null */
	int seconds;              /* killed after; > 0 */
	size_t output_max;        /* bytes of standard output kept; more kills it; 0: output is
	                           * thrown away */
	size_t file_max;          /* bytes of any file it writes (RLIMIT_FSIZE); 0: no limit */
	size_t memory_max;        /* bytes of address space of each of its processes (RLIMIT_AS); 0:
	                           * no limit */
};

struct process_result {
	int status;           /* exit status; -1 when a signal ended it */
	int signal;           /* that signal; 0 otherwise */
	bool timed_out, too_much_output;
	struct str output;    /* what it wrote to standard output, at most output_max */
	struct str message;   /* last lines of its standard error, at most 2,000 bytes, each as
	                       * str_plain() */
};

/* Returns false only where it could not be run at all: ERR_ENVIRONMENT "PROGRAM: not found" …;
 * what became of it stands in the result. */
bool process_run(const struct process_options *opt, struct arena *a, struct process_result *out,
                 struct error *err);
/* Whether it ended with status 0 within its limits; else err says what happened, with the first
 * line of its message that has a letter and is no warning: "git: stopped after 60 s", "curl: status
 * 22: …" (ERR_ENVIRONMENT). */
bool process_good(const struct process_options *opt, const struct process_result *r,
		  struct error *err);

#endif
