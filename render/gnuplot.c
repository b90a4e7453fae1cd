#include "gnuplot.h"

#include "../base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static bool redirect(const char *path, int flags, int to)
{
	int fd = open(path, flags, 0666);

	if (fd < 0)
		return false;
	if (fd == to)
		return true;

	bool good = dup2(fd, to) >= 0;

	close(fd);
	return good;
}

/* alarm() outlives exec, so the time limit needs no clock and no signal handler on our side. It
 * must not be blocked or ignored, which exec would hand on. */
static void limit_time(int seconds)
{
	sigset_t set;

	signal(SIGALRM, SIG_DFL);
	sigemptyset(&set);
	sigaddset(&set, SIGALRM);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	alarm((unsigned)seconds);
}

/* -d: neither ~/.gnuplot nor the system's file may change the drawing */
static char **arguments(const struct gnuplot_job *job, struct arena *a)
{
	char **argv = arena_array(a, job->n + 3, sizeof *argv);

	argv[0] = (char *)job->program;
	argv[1] = (char *)"-d";
	for (size_t i = 0; i < job->n; i++)
		argv[2 + i] = (char *)job->scripts[i];
	return argv;
}

/* Runs in the child. Tells through `report` why exec failed; on success the descriptor just closes.
 */
static void child(const struct gnuplot_job *job, char **argv, int report)
{

	if (chdir(job->work_dir) == 0 && redirect("/dev/null", O_RDONLY, STDIN_FILENO)
	    && redirect("/dev/null", O_WRONLY, STDOUT_FILENO)
	    && redirect(job->log, O_WRONLY | O_CREAT | O_TRUNC, STDERR_FILENO)
	    && setenv("LC_ALL", "C", 1) == 0) {
		limit_time(job->seconds);
		/* a run that is killed leaves nothing that writes */
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		execvp(job->program, argv);
	}

	int why = errno;

	if (write(report, &why, sizeof why) < 0)
		_exit(126);
	_exit(127);
}

/* 0 when exec worked (the pipe closed without a word), else its errno. */
static int exec_result(int report)
{
	int why = 0;
	ssize_t n;

	do
		n = read(report, &why, sizeof why);
	while (n < 0 && errno == EINTR);
	return n == (ssize_t)sizeof why ? why : 0;
}

static bool spawn(const struct gnuplot_job *job, char **argv, pid_t *pid, int *why,
		  struct error *err)
{
	int ends[2];

	if (pipe(ends) != 0)
		return error_errno(err, "gnuplot: pipe");
	fcntl(ends[1], F_SETFD, FD_CLOEXEC);
	*pid = fork();
	if (*pid == 0) {
		close(ends[0]);
		child(job, argv, ends[1]);
	}

	bool good = *pid > 0 || error_errno(err, "gnuplot: fork");

	close(ends[1]);
	*why = good ? exec_result(ends[0]) : 0;
	close(ends[0]);
	return good;
}

/* The first line that reads `"file" line N: …`, or else the first that is not empty; no warnings.
 */
static struct str first_message(const struct gnuplot_job *job, struct arena *a)
{
	struct error ignored = { 0 };
	struct str text, line, first = { 0 };
	struct str path = file_join(a, str_of(job->work_dir), str_of(job->log));

	if (!file_read(str_c(a, path), GNUPLOT_OUTPUT_MAX, a, &text, &ignored))
		return STR("no message");
	while (str_cut(&text, '\n', &line)) {
		struct str t = str_slice(str_trim(line), 0, 200);

		if (t.len == 0 || str_find(t, STR("warning:"), 0) < t.len)
			continue;
		if (str_starts(t, STR("\"")))
			return t;
		if (first.len == 0)
			first = t;
	}
	return first.len > 0 ? first : STR("no message");
}

/* "figure-value.gnuplot", "figure-advice.gnuplot and 11 more": what ran. */
static const char *name_of(const struct gnuplot_job *job, struct arena *a)
{
	if (job->n == 1)
		return job->scripts[0];
	return str_c(a, str_printf(a, "%s and %zu more", job->scripts[0], job->n - 1));
}

static bool judge(const struct gnuplot_job *job, int status, int why, struct arena *a,
		  struct error *err)
{
	const char *program = job->program, *name = name_of(job, a);

	if (why == ENOENT && file_is_dir(job->work_dir))
		return error_set(err, ERR_ENVIRONMENT, "%s: not found: install gnuplot-nox",
				 program);
	if (why != 0)
		return error_set(err, ERR_ENVIRONMENT, "%s: cannot run in %s: %s", program,
				 job->work_dir, strerror(why));
	if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)
		return error_set(err, ERR_ENVIRONMENT, "%s: %s: stopped after %d s", program,
				 name, job->seconds);
	if (WIFSIGNALED(status))
		return error_set(err, ERR_ENVIRONMENT, "%s: %s: killed by signal %d", program,
				 name, WTERMSIG(status));
	if (WEXITSTATUS(status) != 0)
		return error_set(err, ERR_ENVIRONMENT, "%s: %s: status %d: " STR_FMT, program,
				 name, WEXITSTATUS(status), STR_ARG(first_message(job, a)));
	return true;
}

/* Waits and tells what became of it. */
static bool run(const struct gnuplot_job *job, struct arena *a, struct error *err)
{
	int status = 0, why = 0;
	pid_t pid = -1, done;

	if (!spawn(job, arguments(job, a), &pid, &why, err))
		return false;
	do
		done = waitpid(pid, &status, 0);
	while (done < 0 && errno == EINTR);
	if (done != pid)
		return error_errno(err, "gnuplot: wait");
	return judge(job, status, why, a, err);
}

/* The name as given, or "gnuplot"; a path is made absolute, because the child changes its folder.
 */
static const char *program_of(const struct gnuplot_job *job, struct arena *a)
{
	char here[4096];
	const char *program = job->program ? job->program : "gnuplot";

	if (!strchr(program, '/') || program[0] == '/' || !getcwd(here, sizeof here))
		return program;
	return str_c(a, file_join(a, str_of(here), str_of(program)));
}

/* gnuplot may end well and yet have written nothing: with a script that has no plot, or in place of
 * gnuplot a program that ignores it. */
static bool read_output(const struct gnuplot_job *job, size_t i, const char *output,
			struct arena *a, struct str *out, struct error *err)
{
	if (!file_exists(output))
		return error_set(err, ERR_ENVIRONMENT, "%s: %s: wrote no %s", job->program,
				 job->scripts[i], job->outputs[i]);
	if (!file_read(output, GNUPLOT_OUTPUT_MAX, a, out, err))
		return false;
	if (out->len == 0)
		return error_set(err, ERR_ENVIRONMENT, "%s: %s: wrote an empty file", job->program,
				 job->scripts[i]);
	return true;
}

/* Runs the scripts of a job. */
static bool draw(struct gnuplot_job *job, struct arena *a, struct str *out, struct error *err)
{
	const char *log = str_c(a, file_join(a, str_of(job->work_dir), str_of(job->log)));
	const char **outputs = arena_array(a, job->n, sizeof *outputs);
	bool good;

	for (size_t i = 0; i < job->n; i++) {
		outputs[i] = str_c(a, file_join(a, str_of(job->work_dir), str_of(job->outputs[i])));
		unlink(outputs[i]); /* what an earlier run left must not pass for this one's */
	}
	good = run(job, a, err);
	for (size_t i = 0; i < job->n; i++) {
		good = good && read_output(job, i, outputs[i], a, &out[i], err);
		unlink(outputs[i]);
	}
	unlink(log);
	return good;
}

/* As execvp() looks for it. */
static const char *find_program(const char *program, struct arena *a)
{
	const char *path = getenv("PATH");
	struct str rest = str_of(path ? path : "/bin:/usr/bin"), dir;

	if (strchr(program, '/'))
		return program;
	while (str_cut(&rest, ':', &dir)) {
		const char *file =
		    str_c(a, file_join(a, dir.len ? dir : STR("."), str_of(program)));
		if (access(file, X_OK) == 0 && !file_is_dir(file))
			return file;
	}
	return NULL;
}

struct str gnuplot_identity(const char *program, struct arena *a)
{
	struct arena scratch = { 0 };
	const char *path = find_program(program ? program : "gnuplot", &scratch);
	struct error ignored = { 0 };
	struct str text, identity = { 0 };

	if (path && file_read(path, 0, &scratch, &text, &ignored)
	    && str_starts(text, STR("\177ELF")))
		identity = file_sha256(a, text);
	arena_free(&scratch);
	return identity;
}

static struct str *keys_of(const struct gnuplot_job *job, struct arena *a)
{
	struct str *keys = arena_array(a, job->n, sizeof *keys);
	struct cache_key *common = cache_key_begin("gnuplot 1", a);

	cache_key_add(common, job->identity);
	for (size_t i = 0; i < job->n; i++) {
		struct cache_key *k = cache_key_copy(common, a);
		cache_key_add(k, job->made_of[i]);
		keys[i] = cache_key_end(k);
	}
	return keys;
}

/* A picture that is broken off is told of after it was drawn: what gnuplot wrote with a full disk
 * must not come back every night. */
static bool is_whole(struct str picture)
{
	return str_ends(str_trim(picture), STR("</svg>"));
}

static bool draw_missing(struct gnuplot_job *job, struct arena *a, struct str *out,
			 struct error *err)
{
	const struct str *keys = keys_of(job, a);
	struct gnuplot_job rest = *job;
	const char **scripts = arena_array(a, job->n, sizeof *scripts);
	const char **outputs = arena_array(a, job->n, sizeof *outputs);
	size_t *at = arena_array(a, job->n, sizeof *at);
	struct str *drawn = arena_array(a, job->n, sizeof *drawn);

	rest.n = 0;
	rest.scripts = scripts;
	rest.outputs = outputs;
	for (size_t i = 0; i < job->n; i++) {
		if (cache_get(job->cache, keys[i], a, &out[i]))
			continue;
		scripts[rest.n] = job->scripts[i];
		outputs[rest.n] = job->outputs[i];
		at[rest.n++] = i;
	}
	if (rest.n > 0 && !draw(&rest, a, drawn, err))
		return false;
	for (size_t i = 0; i < rest.n; i++) {
		out[at[i]] = drawn[i];
		if (is_whole(drawn[i]))
			cache_put(job->cache, keys[at[i]], drawn[i]);
	}
	return true;
}

bool gnuplot_run(const struct gnuplot_job *asked, struct arena *a, struct str *out,
		 struct error *err)
{
	struct gnuplot_job job = *asked;

	job.program = program_of(asked, a);
	job.seconds = job.seconds > 0 ? job.seconds : GNUPLOT_SECONDS;
	if (job.cache && job.identity.len)
		return draw_missing(&job, a, out, err);
	return draw(&job, a, out, err);
}
