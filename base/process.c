#define _GNU_SOURCE /* close_range, memfd_create */

#include "process.h"

#include "file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* Three processes: this program, a keeper it forks, and the program asked for, which the keeper
 * forks and which heads a group of its own. The keeper does nothing but wait for the end, the time
 * limit or the death of its parent, and then kills the group: the kernel's death signal reaches a
 * child only, never the children of that child. After fork() only system calls are made, for the
 * parent may have threads. */

extern char **environ;

enum { MESSAGE_KEPT = 2000 };
enum { STOP_SIGNAL = SIGUSR1 }; /* to the keeper: its parent died, or wants the end */

/* What the keeper and the child tell through their pipe; the child only of what failed. */
enum note_kind { NOTE_CHDIR, NOTE_EXEC, NOTE_FORK, NOTE_ENDED };
struct note {
	enum note_kind kind;
	int value; /* errno; of NOTE_ENDED the wait status */
	int timed_out;
};

struct job {
	const struct process_options *opt;
	const char *path; /* of the program */
	char **argv, **env;
	int in, out, err, report; /* the child's ends */
};

static void tell(const struct job *j, enum note_kind kind, int value, int timed_out)
{
	struct note note = { kind, value, timed_out };

	if (write(j->report, &note, sizeof note) < 0)
		_exit(126);
}

/* What was ignored or blocked here would be there too, for exec hands it on. */
static void reset_signals(void)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE,
				       SIGALRM, SIGCHLD, SIGXFSZ, SIGUSR1, SIGUSR2 };
	sigset_t none;

	for (size_t i = 0; i < LEN(signals); i++)
		signal(signals[i], SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

static void limit(const struct process_options *opt)
{
	struct rlimit none = { 0, 0 }, file = { opt->file_max, opt->file_max };
	struct rlimit memory = { opt->memory_max, opt->memory_max };

	setrlimit(RLIMIT_CORE, &none);
	if (opt->file_max)
		setrlimit(RLIMIT_FSIZE, &file);
	if (opt->memory_max)
		setrlimit(RLIMIT_AS, &memory);
}

/* The program asked for. Never returns. */
static void child(struct job *j)
{
	int report = fcntl(j->report, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);

	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGKILL); /* should the keeper be killed */
	reset_signals();
	limit(j->opt);
	j->report = report;
	if (j->opt->work_dir && chdir(j->opt->work_dir) != 0) {
		tell(j, NOTE_CHDIR, errno, 0);
		_exit(127);
	}
	/* all four lie above the standard streams: see open_ends() */
	dup2(j->in, STDIN_FILENO);
	dup2(j->out, STDOUT_FILENO);
	dup2(j->err, STDERR_FILENO);
	close_range(STDERR_FILENO + 1, (unsigned)report - 1, 0);
	close_range((unsigned)report + 1, UINT_MAX, 0);
	execve(j->path, j->argv, j->env);
	tell(j, NOTE_EXEC, errno, 0);
	_exit(127);
}

/* Waits for the end of the child, the time limit or the order to stop; then nothing of the group is
 * left. The child stays unreaped until its group was killed, so that its number is nobody
 * else's. */
static void watch(const struct job *j, pid_t pid, const sigset_t *set)
{
	int status = 0, got, timed_out = 0;

	for (;;) {
		siginfo_t info = { 0 };

		if (sigwait(set, &got) != 0)
			continue;
		if (got == SIGALRM)
			timed_out = 1;
		else if (got == SIGCHLD
			 && (waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) != 0
			     || info.si_pid != pid))
			continue;
		break;
	}
	kill(-pid, SIGKILL);
	kill(pid, SIGKILL); /* it may not have its group yet */
	waitpid(pid, &status, 0);
	tell(j, NOTE_ENDED, status, timed_out);
}

/* Never returns. */
static void keeper(struct job *j, pid_t parent)
{
	sigset_t all, wanted;

	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, NULL);
	signal(SIGCHLD, SIG_DFL); /* ignored, it would reap the child */
	sigemptyset(&wanted);
	sigaddset(&wanted, SIGCHLD);
	sigaddset(&wanted, SIGALRM);
	sigaddset(&wanted, STOP_SIGNAL);
	prctl(PR_SET_PDEATHSIG, STOP_SIGNAL);
	if (getppid() != parent)
		_exit(126);

	pid_t pid = fork();

	if (pid == 0)
		child(j);
	if (pid < 0) {
		tell(j, NOTE_FORK, errno, 0);
		_exit(126);
	}
	setpgid(pid, pid); /* in the child too: whichever comes first */
	alarm((unsigned)j->opt->seconds);
	watch(j, pid, &wanted);
	_exit(0);
}

static bool is_left_out(const struct process_options *opt, const char *variable)
{
	for (const char *const *name = opt->env_without; name && *name; name++)
		if (strncmp(variable, *name, strlen(*name)) == 0)
			return true;
	return false;
}

/* The environment but for what is left out, with opt->env and LC_ALL=C in place of what it said of
 * them. */
static char **make_env(const struct process_options *opt, struct arena *a)
{
	size_t nadded = 0, n = 0, old = 0;

	while (opt->env && opt->env[nadded])
		nadded++;
	while (environ && environ[old])
		old++;
	char **env = arena_array(a, old + nadded + 2, sizeof *env);
	for (size_t i = 0; i <= nadded; i++)
		env[n++] = (char *)(i < nadded ? opt->env[i] : "LC_ALL=C");
	for (size_t i = 0; i < old; i++) {
		size_t name = strcspn(environ[i], "="), j = 0;

		while (j <= nadded
		       && (strncmp(env[j], environ[i], name) != 0 || env[j][name] != '='))
			j++;
		if (j > nadded && !is_left_out(opt, environ[i]))
			env[n++] = environ[i];
	}
	return env;
}

static bool is_program(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISREG(st.st_mode) && access(path, X_OK) == 0;
}

/* The child changes its folder: a relative name means one of here. */
static const char *absolute(const char *path, struct arena *a)
{
	char here[PATH_MAX];

	if (path[0] == '/' || !getcwd(here, sizeof here))
		return path;
	return str_c(a, file_join(a, str_of(here), str_of(path)));
}

static bool find_program(const char *name, struct arena *a, const char **out, struct error *err)
{
	const char *list = getenv("PATH");
	struct str rest = str_of(list ? list : "/usr/bin:/bin"), dir;

	if (strchr(name, '/')) {
		*out = absolute(name, a);
		return true; /* exec tells what is wrong with it */
	}
	while (str_cut(&rest, ':', &dir)) {
		struct str path = file_join(a, dir.len ? dir : STR("."), str_of(name));

		*out = absolute(str_c(a, path), a);
		if (is_program(*out))
			return true;
	}
	return error_set(err, ERR_ENVIRONMENT, "%s: not found", name);
}

/* This program's ends of the pipes; -1: closed. */
struct ends {
	int out, err, report;
};

/* Made above the standard streams, whatever was closed before, so that none overwrites another. */
static bool make_pipe(int *ours, int *theirs)
{
	int ends[2];

	if (pipe2(ends, O_CLOEXEC) != 0)
		return false;
	*ours = fcntl(ends[0], F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	*theirs = fcntl(ends[1], F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	close(ends[0]);
	close(ends[1]);
	return *ours >= 0 && *theirs >= 0 && fcntl(*ours, F_SETFL, O_NONBLOCK) == 0;
}

static bool open_null(int *fd)
{
	int low = open("/dev/null", O_RDWR | O_CLOEXEC);

	if (low < 0)
		return false;
	*fd = fcntl(low, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	close(low);
	return *fd >= 0;
}

/* Input lies in memory the child reads as a file: nobody has to feed it, nobody gets SIGPIPE. */
static bool open_input(struct str input, int *fd)
{
	if (input.len == 0)
		return open_null(fd);
	int low = memfd_create("input", MFD_CLOEXEC);
	if (low < 0)
		return false;
	*fd = fcntl(low, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	close(low);
	while (*fd >= 0 && input.len) {
		ssize_t n = write(*fd, input.p, input.len);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return false;
		input = str_slice(input, (size_t)n, input.len);
	}
	return *fd >= 0 && lseek(*fd, 0, SEEK_SET) == 0;
}

static bool open_ends(struct job *j, struct ends *e)
{
	return open_input(j->opt->input, &j->in)
	    && (j->opt->output_max ? make_pipe(&e->out, &j->out) : open_null(&j->out))
	    && make_pipe(&e->err, &j->err) && make_pipe(&e->report, &j->report);
}

static void close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

/* What is gathered while it runs. */
struct gathered {
	struct ends ends;
	pid_t keeper;
	struct strbuf output;
	size_t output_max;
	bool too_much;
	char tail[2 * MESSAGE_KEPT]; /* the end of its standard error */
	size_t ntail;
	bool tail_cut;
	struct note notes[3];
	size_t nnotes;
};

static void take_output(struct gathered *g, const char *p, size_t n)
{
	size_t room = g->output_max - g->output.len;

	strbuf_add(&g->output, (struct str){ p, n < room ? n : room });
	if (n > room && !g->too_much) {
		g->too_much = true;
		kill(g->keeper, STOP_SIGNAL);
	}
}

static void take_message(struct gathered *g, const char *p, size_t n)
{
	if (n > MESSAGE_KEPT) {
		p += n - MESSAGE_KEPT;
		n = MESSAGE_KEPT;
		g->ntail = 0;
		g->tail_cut = true;
	}
	if (g->ntail + n > sizeof g->tail) {
		memmove(g->tail, g->tail + g->ntail - MESSAGE_KEPT, MESSAGE_KEPT);
		g->ntail = MESSAGE_KEPT;
		g->tail_cut = true;
	}
	memcpy(g->tail + g->ntail, p, n);
	g->ntail += n;
}

static void take_note(struct gathered *g, const char *p, size_t n)
{
	/* a note is far shorter than PIPE_BUF: it comes whole */
	for (; n >= sizeof *g->notes && g->nnotes < LEN(g->notes); n -= sizeof *g->notes) {
		memcpy(&g->notes[g->nnotes++], p, sizeof *g->notes);
		p += sizeof *g->notes;
	}
}

/* Takes all that is there to read; closes at the end. */
static void drain(struct gathered *g, int *fd,
		  void (*take)(struct gathered *, const char *, size_t))
{
	char chunk[1 << 14];

	while (*fd >= 0) {
		ssize_t n = read(*fd, chunk, sizeof chunk);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && errno == EAGAIN)
			return;
		if (n <= 0)
			close_fd(fd);
		else
			take(g, chunk, (size_t)n);
	}
}

static bool has_ended(const struct gathered *g)
{
	return g->nnotes && g->notes[g->nnotes - 1].kind == NOTE_ENDED;
}

/* Until the keeper tells the end: a descendant that left the group may hold the other pipes open
 * for ever, and what another thread forked meanwhile holds them all for a while. */
static void gather(struct gathered *g)
{
	while (g->ends.report >= 0 && !has_ended(g)) {
		struct pollfd fds[] = { { g->ends.out, POLLIN, 0 },
					{ g->ends.err, POLLIN, 0 },
					{ g->ends.report, POLLIN, 0 } };

		if (poll(fds, LEN(fds), -1) < 0 && errno != EINTR)
			break;
		drain(g, &g->ends.out, take_output);
		drain(g, &g->ends.err, take_message);
		drain(g, &g->ends.report, take_note);
	}
	drain(g, &g->ends.out, take_output);
	drain(g, &g->ends.err, take_message);
	close_fd(&g->ends.out);
	close_fd(&g->ends.err);
	close_fd(&g->ends.report);
}

/* The last whole lines, each made plain; a carriage return (of a progress line) ends one too. */
static struct str message_text(struct gathered *g, struct arena *a)
{
	struct strbuf b = { .arena = a };
	struct str rest = { g->tail, g->ntail }, line;

	for (size_t i = 0; i < g->ntail; i++)
		if (g->tail[i] == '\r')
			g->tail[i] = '\n';
	if (rest.len > MESSAGE_KEPT) {
		rest = str_slice(rest, rest.len - MESSAGE_KEPT, rest.len);
		g->tail_cut = true;
	}
	size_t whole = str_find(rest, STR("\n"), 0);
	if (g->tail_cut && whole < rest.len)
		rest = str_slice(rest, whole + 1, rest.len);
	while (str_cut(&rest, '\n', &line)) {
		line = str_trim(str_plain(a, line));
		if (line.len)
			strbuf_printf(&b, "%s" STR_FMT, b.len ? "\n" : "", STR_ARG(line));
	}
	/* a malformed byte is one '?', so the text cannot have grown; tabs and the like neither */
	return str_slice(strbuf_str(&b), 0, MESSAGE_KEPT);
}

static bool conclude(struct gathered *g, struct job *j, struct arena *a, struct process_result *out,
		     struct error *err)
{
	const char *name = j->opt->argv[0];
	const struct note *last = g->nnotes ? &g->notes[g->nnotes - 1] : NULL;

	for (size_t i = 0; i < g->nnotes; i++) {
		const struct note *note = &g->notes[i];

		if (note->kind == NOTE_EXEC && note->value == ENOENT)
			return error_set(err, ERR_ENVIRONMENT, "%s: not found", name);
		if (note->kind == NOTE_CHDIR)
			return error_set(err, ERR_ENVIRONMENT, "%s: cannot run in %s: %s", name,
					 j->opt->work_dir, strerror(note->value));
		if (note->kind != NOTE_ENDED)
			return error_set(err, ERR_ENVIRONMENT, "%s: cannot run: %s", name,
					 strerror(note->value));
	}
	if (!last)
		return error_set(err, ERR_ENVIRONMENT, "%s: its keeper was killed", name);
	*out = (struct process_result){
		.status = WIFEXITED(last->value) ? WEXITSTATUS(last->value) : -1,
		.signal = WIFSIGNALED(last->value) ? WTERMSIG(last->value) : 0,
		.timed_out = last->timed_out != 0,
		.too_much_output = g->too_much,
		.output = strbuf_str(&g->output),
		.message = message_text(g, a),
	};
	return true;
}

static bool start(struct job *j, struct gathered *g, struct error *err)
{
	pid_t self = getpid();

	if (!open_ends(j, &g->ends))
		return error_errno(err, j->opt->argv[0]);
	g->keeper = fork();
	if (g->keeper == 0)
		keeper(j, self);
	return g->keeper > 0 || error_errno(err, j->opt->argv[0]);
}

bool process_run(const struct process_options *opt, struct arena *a, struct process_result *out,
		 struct error *err)
{
	struct job j = { .opt = opt, .in = -1, .out = -1, .err = -1, .report = -1 };
	struct gathered g = { .ends = { -1, -1, -1 }, .output = { .arena = a },
			      .output_max = opt->output_max };

	*out = (struct process_result){ 0 };
	if (!find_program(opt->argv[0], a, &j.path, err))
		return false;
	j.argv = (char **)opt->argv;
	j.env = make_env(opt, a);
	bool good = start(&j, &g, err);
	close_fd(&j.in);
	close_fd(&j.out);
	close_fd(&j.err);
	close_fd(&j.report);
	if (!good) {
		close_fd(&g.ends.out);
		close_fd(&g.ends.err);
		close_fd(&g.ends.report);
		return false;
	}
	gather(&g);
	while (waitpid(g.keeper, NULL, 0) < 0 && errno == EINTR)
		;
	return conclude(&g, &j, a, out, err);
}

/* The first line that has a letter and is no mere warning, or else the first. */
static struct str first_line(struct str message)
{
	struct str rest = message, line, first = { 0 };

	while (str_cut(&rest, '\n', &line)) {
		bool letter = false;

		for (size_t i = 0; i < line.len; i++)
			letter |= (line.p[i] | 0x20) >= 'a' && (line.p[i] | 0x20) <= 'z';
		if (letter && !str_starts(line, STR("warning:"))
		    && !str_starts(line, STR("Warning:")))
			return str_slice(line, 0, 300);
		if (first.len == 0)
			first = line;
	}
	return first.len ? str_slice(first, 0, 300) : STR("no message");
}

bool process_good(const struct process_options *opt, const struct process_result *r,
		  struct error *err)
{
	const char *slash = strrchr(opt->argv[0], '/'), *name = slash ? slash + 1 : opt->argv[0];

	if (r->timed_out)
		return error_set(err, ERR_ENVIRONMENT, "%s: stopped after %d s", name,
				 opt->seconds);
	if (r->too_much_output)
		return error_set(err, ERR_ENVIRONMENT, "%s: stopped: more than %zu bytes of output",
				 name, opt->output_max);
	if (r->signal == SIGXFSZ)
		return error_set(err, ERR_ENVIRONMENT, "%s: stopped: a file of more than %zu bytes",
				 name, opt->file_max);
	if (r->signal)
		return error_set(err, ERR_ENVIRONMENT, "%s: killed by signal %d", name, r->signal);
	if (r->status != 0)
		return error_set(err, ERR_ENVIRONMENT, "%s: status %d: " STR_FMT, name, r->status,
				 STR_ARG(first_line(r->message)));
	return true;
}
