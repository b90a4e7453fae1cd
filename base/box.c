#define _GNU_SOURCE /* memfd_create, close_range, MAP_ANONYMOUS, strsignal */

#include "box.h"

#include "io.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { OUT_FD = STDERR_FILENO + 1, FREE_FD = BOX_SCRATCH_FD + 1 };
/* More than is shown: a report that is cut would end its sanitizer. */
enum { WORDS_SIZE = 1 << 20 };

/* What a run holds. */
struct run {
	const struct box *box;
	int out, words;              /* files in memory; -1: none */
	int in;                      /* the same, of what a socket gave */
	struct sandbox_state *state; /* in memory that the child shares */
	pid_t parent, child;
};

/* A limit of file sizes is not for us to pass: to ask for more would be a signal. */
static size_t allowed_size(size_t size)
{
	struct rlimit own;

	return getrlimit(RLIMIT_FSIZE, &own) == 0 && own.rlim_cur < size ? (size_t)own.rlim_cur
									 : size;
}

/* It has its full length from the beginning, all of it a hole. */
static bool fix_size(int fd, size_t size)
{
	return ftruncate(fd, (off_t)allowed_size(size)) == 0
	       && fcntl(fd, F_ADD_SEALS, F_SEAL_GROW | F_SEAL_SHRINK) == 0;
}

/* Above the standard streams, whatever was closed before, so that none overwrites another. */
static int make_empty(const char *name)
{
	int low = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
	int fd = low < 0 ? -1 : fcntl(low, F_DUPFD_CLOEXEC, FREE_FD);

	if (low >= 0)
		close(low);
	return fd;
}

static int make_file(const char *name, size_t size)
{
	int fd = make_empty(name);

	if (fd >= 0 && !fix_size(fd, size)) {
		close(fd);
		fd = -1;
	}
	return fd;
}

/* At most so many bytes; false with errno. */
static bool copy_socket(int from, int to, size_t most)
{
	char block[1 << 16];
	size_t room = allowed_size(most), n = 0;

	while (n < most) {
		size_t left = most - n;
		ssize_t got = read(from, block, left < sizeof block ? left : sizeof block);

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return got == 0;
		if ((size_t)got > room - n) {
			errno = EFBIG;
			return false;
		}
		if (!io_write_all(to, block, (size_t)got))
			return false;
		n += (size_t)got;
	}
	return true;
}

/* What the work reads in place of a socket. */
static bool take_socket(struct run *r, struct error *err)
{
	struct stat st;

	if (!r->box->input || fstat(STDIN_FILENO, &st) != 0 || !S_ISSOCK(st.st_mode))
		return true;
	r->in = make_empty("in");
	if (r->in < 0)
		return error_errno(err, r->box->what);
	return (copy_socket(STDIN_FILENO, r->in, r->box->input_most)
		&& lseek(r->in, 0, SEEK_SET) == 0)
	       || error_errno(err, "standard input");
}

/* A terminal, or what was given as <>, could be written to as well. */
static void only_read_input(void)
{
	int flags = fcntl(STDIN_FILENO, F_GETFL);
	int fd = flags < 0 || (flags & O_ACCMODE) == O_RDONLY
		     ? -1
		     : open("/proc/self/fd/0", O_RDONLY | O_NOCTTY | O_CLOEXEC);
	off_t at = lseek(STDIN_FILENO, 0, SEEK_CUR);

	if (fd < 0)
		return;
	if (at > 0)
		lseek(fd, at, SEEK_SET);
	dup2(fd, STDIN_FILENO);
}

/* Where standard input is closed, the first file opened would take its place. The scratch file
 * moves out of the way first: it may have the number of another. */
static void set_streams(const struct run *r)
{
	int scratch = r->box->scratch ? fcntl(r->box->scratch, F_DUPFD, FREE_FD) : 0;
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	if (r->in >= 0)
		dup2(r->in, STDIN_FILENO);
	else if (!r->box->input || fcntl(STDIN_FILENO, F_GETFD) < 0)
		dup2(null, STDIN_FILENO);
	only_read_input();
	dup2(null, STDOUT_FILENO);
	dup2(r->words, STDERR_FILENO);
	if (scratch > 0)
		dup2(scratch, BOX_SCRATCH_FD);
	dup2(r->out, OUT_FD);
	close_range(scratch > 0 ? FREE_FD : BOX_SCRATCH_FD, UINT_MAX, 0);
}

/* Never returns. _exit: what is to be done at the end of the program is the parent's. */
static void child(const struct run *r)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != r->parent)
		_exit(2);
	set_streams(r);
	sandbox_enter(&r->box->rules, r->state);
	r->box->work(r->box->ctx, OUT_FD);
	_exit(0);
}

static bool start(struct run *r, struct error *err)
{
	if (!take_socket(r, err))
		return false;
	r->out = make_file("out", r->box->most);
	r->words = make_file("words", WORDS_SIZE);
	r->state = mmap(NULL, sizeof *r->state, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
	                -1, 0);
	if (r->state == MAP_FAILED)
		r->state = NULL;
	if (r->out < 0 || r->words < 0 || !r->state)
		return error_errno(err, r->box->what);
	*r->state = (struct sandbox_state){ 0 };
	fflush(NULL); /* or the child could write it once more */
	r->parent = getpid();
	r->child = fork();
	if (r->child == 0)
		child(r);
	return r->child > 0 || error_errno(err, r->box->what);
}

/* Maps what was written to a file: up to where its writer stands in it, for the place is one for
 * both processes. Sealed against whatever may have outlived the child. Empty text for an empty
 * one. */
static bool map_file(int fd, struct str *out)
{
	off_t n = lseek(fd, 0, SEEK_CUR);
	struct stat st;

	*out = (struct str){ 0 };
	if (n < 0 || fstat(fd, &st) != 0 || fcntl(fd, F_ADD_SEALS, F_SEAL_WRITE) != 0)
		return false;
	if (n > st.st_size) {
		errno = EFBIG;
		return false;
	}
	if (n == 0)
		return true;
	void *p = mmap(NULL, (size_t)n, PROT_READ, MAP_PRIVATE, fd, 0);
	if (p == MAP_FAILED)
		return false;
	*out = (struct str){ p, (size_t)n };
	return true;
}

static void unmap(struct str *s)
{
	if (s->len)
		munmap((void *)s->p, s->len);
	*s = (struct str){ 0 };
}

static struct str plain_words(int fd, struct arena *a)
{
	struct strbuf b = { .arena = a };
	struct str all, rest, line;

	if (!map_file(fd, &all))
		return (struct str){ 0 };
	rest = str_slice(all, 0, BOX_WORDS_MAX);
	while (str_cut(&rest, '\n', &line)) {
		line = str_trim(str_plain(a, line));
		if (line.len)
			strbuf_printf(&b, "%s" STR_FMT, b.len ? "\n" : "", STR_ARG(line));
	}
	unmap(&all);
	return strbuf_str(&b);
}

/* A sanitizer begins with a line of '='. */
static struct str first_words(struct str words)
{
	struct str line;

	while (str_cut(&words, '\n', &line))
		for (size_t i = 0; i < line.len; i++)
			if (line.p[i] != '=')
				return str_slice(line, 0, 200);
	return (struct str){ 0 };
}

static struct str unwritten(const struct run *r, int why, struct arena *a)
{
	if (why == EPERM) /* of the seal */
		return str_printf(a, "could not hand back its result: it has more than %zu bytes",
		                  r->box->most);
	return str_printf(a, "could not hand back its result: %s", strerror(why));
}

/* Why the child could not hand back its result, as an error number; 0: it did not say so. */
static int write_error_of(int status)
{
	int exit_status = WIFEXITED(status) ? WEXITSTATUS(status) : 0;

	return exit_status > BOX_EXIT_ERRNO ? exit_status - BOX_EXIT_ERRNO : 0;
}

/* How the child ended; no text: as it should. */
static struct str fault_of(const struct run *r, int status, struct arena *a)
{
	if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
		return (struct str){ 0 };
	if (write_error_of(status))
		return unwritten(r, write_error_of(status), a);
	if (WIFEXITED(status))
		return str_printf(a, "ended with status %d before it was done",
		                  WEXITSTATUS(status));
	return str_printf(a, "was ended by signal %d (%s)%s", WTERMSIG(status),
	                  strsignal(WTERMSIG(status)),
	                  WTERMSIG(status) == SIGSYS && r->state->filter
	                          ? ", as it tried what its sandbox forbids"
	                          : "");
}

static bool conclude(const struct run *r, int status, struct arena *a, struct box_result *out,
                     struct error *err)
{
	struct str fault = fault_of(r, status, a);

	out->state = *r->state;
	out->words = plain_words(r->words, a);
	if (fault.len == 0)
		return map_file(r->out, &out->output) || error_errno(err, r->box->what);
	struct str said = first_words(out->words);
	out->died = !write_error_of(status);
	const char *kept = out->died ? "; nothing of it was kept" : "";
	return error_set(err, ERR_ENVIRONMENT, "%s: its process " STR_FMT "%s%s" STR_FMT,
	                 r->box->what, STR_ARG(fault), kept, said.len ? "; it said: " : "",
	                 STR_ARG(said));
}

/* A parent that ignores the end of its children would never know how it came. */
static bool run(struct run *r, struct arena *a, struct box_result *out, struct error *err)
{
	const struct sigaction usual = { .sa_handler = SIG_DFL };
	struct sigaction before;
	int status = 0;

	sigaction(SIGCHLD, &usual, &before);
	bool good = start(r, err);
	while (good && waitpid(r->child, &status, 0) < 0)
		good = errno == EINTR || error_errno(err, r->box->what);
	sigaction(SIGCHLD, &before, NULL);
	return good && conclude(r, status, a, out, err);
}

bool box_run(const struct box *box, struct arena *a, struct box_result *out, struct error *err)
{
	struct run r = { .box = box, .out = -1, .words = -1, .in = -1 };
	const int *const files[] = { &r.out, &r.words, &r.in };

	*out = (struct box_result){ 0 };
	bool good = run(&r, a, out, err);
	for (size_t i = 0; i < LEN(files); i++)
		if (*files[i] >= 0)
			close(*files[i]);
	if (r.state)
		munmap(r.state, sizeof *r.state);
	return good;
}

void box_close(struct box_result *r)
{
	unmap(&r->output);
}
