#define _GNU_SOURCE /* pipe2 */

#include "rebuild.h"

#include "edition_build.h"
#include "../base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* A file of an edition has some megabytes. */
static const rlim_t file_max = (rlim_t)1 << 30;

static bool build(const struct rebuild *r, struct arena *a, struct error *err)
{
	struct str inputs = str_of(r->inputs);
	const char *previous = str_c(a, file_join(a, inputs, STR("previous")));
	struct options opt = {
		.root = r->inputs,
		.edition = str_c(a, str_printf(a, "%s/editions/" STR_FMT ".ini", r->inputs,
					       STR_ARG(r->made->edition))),
		.gnuplot = r->gnuplot,
		.date = r->made->date,
		.source_date_epoch = r->made->source_date_epoch,
		.quiet = true,
		.no_sandbox = r->no_sandbox,
	};
	struct edition_build b = { .dir = r->dir,
				   .previous = file_is_dir(previous) ? previous : NULL,
				   .silent = true };
	struct inputs in;
	struct context c;

	return edition_inputs(&opt, b.previous, a, &in, err) && context_open(&c, &opt, true, a, err)
	       && edition_build(&c, &b, &in, err);
}

/* The kernel ends it with its parent; what it runs ends with it in the same way. */
static void limit(pid_t parent)
{
	struct rlimit none = { 0, 0 }, files = { file_max, file_max };
	sigset_t all;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(2);
	setrlimit(RLIMIT_CORE, &none);
	setrlimit(RLIMIT_FSIZE, &files);
	sigemptyset(&all);
	sigprocmask(SIG_SETMASK, &all, NULL);
}

/* Never returns. What went wrong goes through `report`, in one piece: it is shorter than PIPE_BUF.
 */
static void child(const struct rebuild *r, pid_t parent, int report)
{
	struct arena a = { 0 };
	struct error err = { 0 };

	limit(parent);
	if (build(r, &a, &err))
		_exit(0);
	if (err.pos.file) { /* the file's name is of this memory */
		struct str at = error_text(&err, &a);

		err.pos = (struct pos){ NULL, 0, 0 };
		snprintf(err.msg, sizeof err.msg, STR_FMT, STR_ARG(at));
	}
	if (write(report, &err, sizeof err) < 0)
		_exit(2);
	_exit(1);
}

/* A signal that ends this program, or the end of the child, or neither in time (0). */
static int wait_signal(int seconds)
{
	struct timespec limit_s = { seconds, 0 };
	sigset_t wanted;
	int signal;

	sigemptyset(&wanted);
	sigaddset(&wanted, SIGCHLD);
	sigaddset(&wanted, SIGINT);
	sigaddset(&wanted, SIGTERM);
	sigaddset(&wanted, SIGHUP);
	do
		signal = sigtimedwait(&wanted, NULL, &limit_s);
	while (signal < 0 && errno == EINTR);
	return signal < 0 ? 0 : signal;
}

/* Waits for the end, its own or that which was set. *why: the signal that was taken, or 0. */
static int wait_child(pid_t pid, int seconds, int *why)
{
	int status = 0;

	for (;;) {
		*why = wait_signal(seconds);
		if (*why != SIGCHLD)
			kill(pid, SIGKILL);
		if (waitpid(pid, &status, *why == SIGCHLD ? WNOHANG : 0) == pid)
			return status;
	}
}

/* Paths of the folder that is gone soon become those in the edition. */
static void localise(const char *inputs, struct arena *a, struct error *err)
{
	struct str text = str_of(err->msg), prefix = str_of(inputs);
	struct strbuf b = { .arena = a };
	size_t at;

	while ((at = str_find(text, prefix, 0)) < text.len) {
		strbuf_add(&b, str_slice(text, 0, at));
		strbuf_add(&b, STR("inputs"));
		text = str_slice(text, at + prefix.len, text.len);
	}
	strbuf_add(&b, text);
	snprintf(err->msg, sizeof err->msg, STR_FMT, STR_ARG(strbuf_str(&b)));
}

static bool judge(const struct rebuild *r, int status, int why, int report, struct arena *a,
		  struct error *err)
{
	struct error told;

	if (why == 0)
		return error_set(err, ERR_ENVIRONMENT, "the rebuild was stopped after %d s",
				 r->seconds);
	if (why != SIGCHLD) {
		raise(why); /* blocked as yet */
		return error_set(err, ERR_ENVIRONMENT, "the rebuild was stopped by a signal");
	}
	if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
		return true;
	if (WIFSIGNALED(status))
		return error_set(err, ERR_ENVIRONMENT, "the rebuild was ended by signal %d",
				 WTERMSIG(status));
	if (read(report, &told, sizeof told) != (ssize_t)sizeof told)
		return error_set(err, ERR_ENVIRONMENT, "the rebuild ended with status %d",
				 WEXITSTATUS(status));
	localise(r->inputs, a, &told);
	return error_set(err, told.code, "%s", told.msg);
}

bool rebuild_run(const struct rebuild *r, struct arena *a, struct error *err)
{
	pid_t parent = getpid(), pid;
	int ends[2], why, status;

	if (pipe2(ends, O_CLOEXEC) != 0) /* or a program of the rebuild could hold it open */
		return error_errno(err, "pipe");
	fflush(NULL); /* or the child would write it once more */
	pid = fork();
	if (pid == 0) {
		close(ends[0]);
		child(r, parent, ends[1]);
	}
	close(ends[1]);

	bool good = pid > 0 || error_errno(err, "fork");

	if (good) {
		status = wait_child(pid, r->seconds, &why);
		good = judge(r, status, why, ends[0], a, err);
	}
	close(ends[0]);
	return good;
}
