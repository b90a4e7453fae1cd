/* What the sandbox forbids really fails, and what the stage needs works: each in a child of its
 * own. */
#define _GNU_SOURCE /* mkdtemp, syscall */

#include "test.h"

#include "../base/file.h"
#include "../base/sandbox.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <netinet/in.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* The folder of the test; "in" below it may be read, "out" may not. */
struct place {
	char dir[64], in[96], file[112], out[96], made[112];
	pid_t parent;
	int port; /* somebody listens there */
};

/* Each gives 0 where it could do what it tried, else an errno. */
static int fail(int result)
{
	return result < 0 ? errno : 0;
}

static int open_and_close(const char *path, int flags)
{
	int fd = open(path, flags, 0600);

	if (fd < 0)
		return errno;
	close(fd);
	return 0;
}

static int try_read_inside(const struct place *p)
{
	return open_and_close(p->file, O_RDONLY);
}

static int try_list_inside(const struct place *p)
{
	DIR *dir = opendir(p->in);
	int n = 0;

	if (!dir)
		return errno;
	while (readdir(dir))
		n++;
	closedir(dir);
	return n < 3 ? ENOENT : 0;
}

static int try_read_whole(const struct place *p)
{
	struct arena a = { 0 };
	struct error err = { 0 };
	struct str text;
	bool good = file_read(p->file, 0, &a, &text, &err) && str_eq(text, STR("inside\n"));

	arena_free(&a);
	return good ? 0 : EIO;
}

static void *add_one(void *ctx)
{
	struct arena a = { 0 };

	memset(arena_alloc(&a, 1 << 22), 1, 1 << 22);
	arena_free(&a);
	__atomic_add_fetch((int *)ctx, 1, __ATOMIC_SEQ_CST);
	return NULL;
}

static int try_threads(const struct place *p)
{
	pthread_t threads[8];
	int n = 0;

	(void)p;
	for (size_t i = 0; i < LEN(threads); i++) {
		int why = pthread_create(&threads[i], NULL, add_one, &n);
		if (why)
			return why;
	}
	for (size_t i = 0; i < LEN(threads); i++)
		pthread_join(threads[i], NULL);
	return n == LEN(threads) ? 0 : ECHILD;
}

static int try_map(const struct place *p)
{
	int fd = open(p->file, O_RDONLY);
	void *at = fd < 0 ? MAP_FAILED : mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, fd, 0);
	bool good = at != MAP_FAILED && memcmp(at, "inside", 6) == 0;

	return good && madvise(at, 4096, MADV_SEQUENTIAL) == 0 ? 0 : EIO;
}

static int try_read_passwd(const struct place *p)
{
	(void)p;
	return open_and_close("/etc/passwd", O_RDONLY);
}

static int try_read_outside(const struct place *p)
{
	return open_and_close(p->out, O_RDONLY);
}

/* A way out of the folder is no way in. */
static int try_read_dots(const struct place *p)
{
	char path[160];

	snprintf(path, sizeof path, "%s/../out", p->in);
	return open_and_close(path, O_RDONLY);
}

static int try_list_outside(const struct place *p)
{
	return open_and_close(p->dir, O_RDONLY | O_DIRECTORY);
}

static int try_write_inside(const struct place *p)
{
	return open_and_close(p->file, O_WRONLY);
}

static int try_truncate(const struct place *p)
{
	return fail(truncate(p->file, 0));
}

static int try_create(const struct place *p)
{
	return open_and_close(p->made, O_WRONLY | O_CREAT | O_EXCL);
}

static int try_mkdir(const struct place *p)
{
	return fail(mkdir(p->made, 0700));
}

static int try_unlink(const struct place *p)
{
	return fail(unlink(p->file));
}

static int try_rename(const struct place *p)
{
	return fail(rename(p->file, p->made));
}

static int try_link(const struct place *p)
{
	return fail(symlink("/etc/passwd", p->made));
}

static int try_chmod(const struct place *p)
{
	return fail(chmod(p->file, 0777));
}

static int try_exec(const struct place *p)
{
	char *const argv[] = { (char *)"true", NULL };

	(void)p;
	execv("/bin/true", argv);
	return errno;
}

static int try_fork(const struct place *p)
{
	pid_t pid = fork();

	(void)p;
	if (pid == 0)
		_exit(0);
	return fail(pid);
}

static int try_kill(const struct place *p)
{
	return fail(kill(p->parent, SIGUSR1));
}

static int try_kill_thread(const struct place *p)
{
	return fail((int)syscall(SYS_tgkill, p->parent, p->parent, SIGUSR1));
}

static int try_ptrace(const struct place *p)
{
	return fail((int)ptrace(PTRACE_ATTACH, p->parent, NULL, NULL));
}

static int try_socket(const struct place *p)
{
	(void)p;
	return fail(socket(AF_INET, SOCK_STREAM, 0));
}

static int try_unix_socket(const struct place *p)
{
	(void)p;
	return fail(socket(AF_UNIX, SOCK_STREAM, 0));
}

static int try_connect(const struct place *p)
{
	struct sockaddr_in to = { .sin_family = AF_INET, .sin_port = htons((uint16_t)p->port) };
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	return fd < 0 ? errno : fail(connect(fd, (struct sockaddr *)&to, sizeof to));
}

static int try_mount(const struct place *p)
{
	(void)p;
	return fail((int)syscall(SYS_mount, "none", "/tmp", "tmpfs", 0, NULL));
}

static int try_bpf(const struct place *p)
{
	(void)p;
	return fail((int)syscall(SYS_bpf, 0, NULL, 0));
}

static int try_io_uring(const struct place *p)
{
	(void)p;
	return fail((int)syscall(SYS_io_uring_setup, 1, NULL));
}

static int try_keyctl(const struct place *p)
{
	(void)p;
	return fail((int)syscall(SYS_keyctl, 0, 0, 0, 0, 0));
}

static int try_unshare(const struct place *p)
{
	(void)p;
	return fail((int)syscall(SYS_unshare, 0x10000000)); /* CLONE_NEWUSER */
}

static int try_executable_memory(const struct place *p)
{
	void *at = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS,
	                -1, 0);

	(void)p;
	return at == MAP_FAILED ? errno : 0;
}

static int try_limits(const struct place *p)
{
	unsigned long long none[2] = { 0, 0 };

	return fail((int)syscall(SYS_prlimit64, p->parent, 4, none, NULL));
}

/* An unknown call says so, and the C library does what it did before there was one. */
static int try_unknown(const struct place *p)
{
	(void)p;
	return fail((int)syscall(9999)) == ENOSYS ? ENOSYS : 0;
}

enum { LANDLOCK = 1, SECCOMP = 2, BOTH = 3 };

/* by  which of the two alone forbids it */
static const struct {
	const char *name;
	int (*attempt)(const struct place *p);
	int by, landlock_abi;
} forbidden[] = {
	{ "reading /etc/passwd", try_read_passwd, LANDLOCK, 1 },
	{ "reading a file that no rule names", try_read_outside, LANDLOCK, 1 },
	{ "reading by .. from a folder that is named", try_read_dots, LANDLOCK, 1 },
	{ "listing another folder", try_list_outside, LANDLOCK, 1 },
	{ "opening an input for writing", try_write_inside, BOTH, 1 },
	{ "truncating", try_truncate, BOTH, 3 },
	{ "making a file", try_create, BOTH, 1 },
	{ "making a folder", try_mkdir, BOTH, 1 },
	{ "removing a file", try_unlink, BOTH, 1 },
	{ "renaming", try_rename, BOTH, 1 },
	{ "making a link", try_link, BOTH, 1 },
	{ "chmod", try_chmod, SECCOMP, 0 },
	{ "exec", try_exec, BOTH, 1 },
	{ "fork", try_fork, SECCOMP, 0 },
	{ "a signal to the parent", try_kill, BOTH, 6 },
	{ "a signal to a thread of the parent", try_kill_thread, BOTH, 6 },
	{ "ptrace", try_ptrace, BOTH, 1 },
	{ "a socket", try_socket, SECCOMP, 0 },
	{ "a Unix socket", try_unix_socket, SECCOMP, 0 },
	{ "connecting", try_connect, BOTH, 4 },
	{ "mount", try_mount, BOTH, 1 },
	{ "bpf", try_bpf, SECCOMP, 0 },
	{ "io_uring", try_io_uring, SECCOMP, 0 },
	{ "keys", try_keyctl, SECCOMP, 0 },
	{ "another user name space", try_unshare, SECCOMP, 0 },
	{ "executable memory", try_executable_memory, SECCOMP, 0 },
	{ "setting limits of the parent", try_limits, SECCOMP, 0 },
	{ "a call that nobody knows", try_unknown, SECCOMP, 0 },
};

static const struct {
	const char *name;
	int (*attempt)(const struct place *p);
} needed[] = {
	{ "opening an input", try_read_inside }, { "listing its folder", try_list_inside },
	{ "reading it", try_read_whole },        { "threads and memory", try_threads },
	{ "mapping it", try_map },
};

/* How a child under some of the sandbox ended: its status, or 1000 + a signal. */
static int outcome(const struct place *p, int (*attempt)(const struct place *), int by)
{
	const char *const read[] = { p->in, "/nowhere/at/all" };
	const struct sandbox_rules rules = { read, LEN(read) };
	int status, abi;
	pid_t pid = fork();

	if (pid == 0) {
		prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
		if (by & LANDLOCK)
			sandbox_landlock(&rules, &abi);
		if (by & SECCOMP)
			sandbox_filter();
		_exit(attempt(p));
	}
	waitpid(pid, &status, 0);
	return WIFSIGNALED(status) ? 1000 + WTERMSIG(status) : WEXITSTATUS(status);
}

/* What the kernel grants here, found out in a child. */
static struct sandbox_state granted(void)
{
	struct sandbox_state *shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE,
	                                    MAP_SHARED | MAP_ANONYMOUS, -1, 0), state;
	pid_t pid = fork();

	if (pid == 0) {
		sandbox_enter(&(struct sandbox_rules){ 0 }, shared);
		_exit(0);
	}
	waitpid(pid, NULL, 0);
	state = *shared;
	munmap(shared, sizeof *shared);
	return state;
}

static void check_forbidden(struct test *t, const struct place *p, const struct sandbox_state *has)
{
	static const char *const by_name[] = { "", "Landlock", "seccomp" };
	char name[160];

	for (size_t i = 0; i < LEN(forbidden); i++)
		for (int by = LANDLOCK; by <= SECCOMP; by++) {
			if (!(forbidden[i].by & by))
				continue;
			bool can = by == LANDLOCK ? has->landlock_abi >= forbidden[i].landlock_abi
							    && has->landlock_abi
						  : has->filter;
			snprintf(name, sizeof name, "%s: forbids %s%s", by_name[by],
			         forbidden[i].name, can ? "" : " # SKIP not in this kernel");
			test_ok(t, !can || outcome(p, forbidden[i].attempt, by) != 0, name);
		}
}

static void check_needed(struct test *t, const struct place *p)
{
	char name[160];

	for (size_t i = 0; i < LEN(needed); i++) {
		int got = outcome(p, needed[i].attempt, BOTH);
		snprintf(name, sizeof name, "in the sandbox: %s works", needed[i].name);
		test_ok(t, got == 0, name);
		if (got)
			printf("# %d\n", got);
	}
}

/* Without a sandbox each would work: else the test could not fail. */
static void check_possible(struct test *t, const struct place *p)
{
	static int (*const harmless[])(const struct place *) = {
		try_read_passwd,
		try_read_outside,
		try_read_dots,
		try_list_outside,
		try_write_inside,
		try_fork,
		try_kill,
		try_socket,
		try_unix_socket,
		try_connect,
		try_executable_memory,
		try_exec,
	};
	bool good = true;

	signal(SIGUSR1, SIG_IGN);
	for (size_t i = 0; i < LEN(harmless); i++)
		good = outcome(p, harmless[i], 0) == 0 && good;
	signal(SIGUSR1, SIG_DFL);
	test_ok(t, good, "without a sandbox all of it works");
}

/* --- kernels that refuse --- */

/* As an old kernel or a strict container: the calls of the sandbox fail with `why`. */
static void refuse(int why)
{
	struct sock_filter v[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_landlock_create_ruleset, 1, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_seccomp, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (unsigned)why),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { LEN(v), v };

	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program);
}

static void check_refused(struct test *t, const struct sandbox_state *has, int why)
{
	struct arena a = { 0 };
	struct sandbox_state *shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE,
	                                    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	pid_t pid = fork();
	int status;

	if (pid == 0) {
		refuse(why);
		sandbox_enter(&(struct sandbox_rules){ 0 }, shared);
		_exit(open_and_close("/etc/passwd", O_RDONLY));
	}
	waitpid(pid, &status, 0);
	struct str want =
	    str_printf(&a, "no Landlock (%s), no seccomp (%s)", strerror(why), strerror(why));
	test_ok(t, !has->filter || status == 0, "a kernel that refuses: the stage goes on");
	if (has->filter) /* else there is no way to refuse */
		test_str(t, sandbox_text(shared, &a), want, "a kernel that refuses: it is said");
	munmap(shared, sizeof *shared);
	arena_free(&a);
}

static void check_text(struct test *t)
{
	struct arena a = { 0 };
	struct sandbox_state full = { .landlock_abi = 6, .filter = true };

	test_str(t, sandbox_text(&full, &a), STR("Landlock ABI 6, seccomp"),
		 "what was granted, in words");
	arena_free(&a);
}

static bool open_place(struct place *p, int *listener)
{
	struct sockaddr_in at = { .sin_family = AF_INET };
	socklen_t len = sizeof at;
	int fd;

	snprintf(p->dir, sizeof p->dir, "/tmp/gpuguide-sandbox-XXXXXX");
	if (!mkdtemp(p->dir))
		return false;
	snprintf(p->in, sizeof p->in, "%s/in", p->dir);
	snprintf(p->file, sizeof p->file, "%s/file", p->in);
	snprintf(p->out, sizeof p->out, "%s/out", p->dir);
	snprintf(p->made, sizeof p->made, "%s/made", p->in);
	p->parent = getpid();
	mkdir(p->in, 0700);
	fd = open(p->file, O_WRONLY | O_CREAT, 0600);
	if (fd < 0 || write(fd, "inside\n", 7) != 7)
		return false;
	close(fd);
	open_and_close(p->out, O_WRONLY | O_CREAT);
	at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	*listener = socket(AF_INET, SOCK_STREAM, 0);
	bind(*listener, (struct sockaddr *)&at, sizeof at);
	listen(*listener, 4);
	getsockname(*listener, (struct sockaddr *)&at, &len);
	p->port = ntohs(at.sin_port);
	return true;
}

int main(void)
{
	struct test t = { 0 };
	struct place p;
	int listener;

	setvbuf(stdout, NULL, _IOLBF, 0); /* children would write what is buffered once more */
	if (!open_place(&p, &listener))
		return 2;
	struct sandbox_state has = granted();
	check_possible(&t, &p);
	check_needed(&t, &p);
	check_forbidden(&t, &p, &has);
	test_ok(&t, file_exists(p.file) && !file_exists(p.made), "nothing came of it");
	check_refused(&t, &has, ENOSYS);
	check_refused(&t, &has, EPERM);
	check_text(&t);
	close(listener);
	unlink(p.file);
	unlink(p.out);
	rmdir(p.in);
	rmdir(p.dir);
	return test_done(&t);
}
