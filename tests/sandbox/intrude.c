/* A library to preload: takes over the stage that reads contributions, as a fault in its reading could.
 * It is called where the stage asks for the real name of an input, which no other part of a collect does.
 *
 *   INTRUDE       what it does there, once:
 *     exec fork kill ptrace socket   what nobody who reads files does
 *     read write unlink              INTRUDE_PATH: says LEAKED and the first bytes, or overwrites, or removes it
 *     segv abort exit0 exit3         how it ends
 *     garbage                        hands back INTRUDE_SEED's bytes and ends well
 *     talk                           says words that a terminal would obey, and ends badly
 *   INTRUDE_AT    "input": where standard input is read, instead
 *   INTRUDE_BOXED  only in a process that has locked itself in
 *   INTRUDE_PATH  a file; of exec the one that it makes */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *path_of(void)
{
	const char *path = getenv("INTRUDE_PATH");

	return path ? path : "/nowhere";
}

static void run_program(void)
{
	char command[4096];

	snprintf(command, sizeof command, "touch %s", path_of());
	execl("/bin/sh", "sh", "-c", command, (char *)NULL);
}

static void fork_child(void)
{
	pid_t pid = fork();

	if (pid == 0) {
		close(open(path_of(), O_WRONLY | O_CREAT, 0666));
		_exit(0);
	}
	waitpid(pid, NULL, 0);
}

static void kill_parent(void)
{
	kill(getppid(), SIGKILL);
}

static void trace_parent(void)
{
	if (ptrace(PTRACE_ATTACH, getppid(), NULL, NULL) == 0)
		dprintf(2, "LEAKED\n");
}

static void open_socket(void)
{
	if (socket(AF_INET, SOCK_STREAM, 0) >= 0)
		dprintf(2, "LEAKED\n");
}

static void read_file(void)
{
	char text[64];
	int fd = open(path_of(), O_RDONLY);
	ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof text);

	if (n > 0)
		dprintf(2, "LEAKED %.*s\n", (int)n, text);
}

static void write_file(void)
{
	int fd = open(path_of(), O_WRONLY | O_CREAT | O_TRUNC, 0666);

	if (fd >= 0)
		dprintf(fd, "overwritten\n");
}

static void remove_file(void)
{
	unlink(path_of());
}

static void crash(void)
{
	signal(SIGSEGV, SIG_DFL);
	raise(SIGSEGV);
}

static void exit_well(void)
{
	_exit(0);
}

static void exit_badly(void)
{
	_exit(3);
}

/* Every bit of it by a small generator; a third of the runs ends in a place that lies within. */
static void hand_back(void)
{
	const char *seed = getenv("INTRUDE_SEED");
	unsigned long long x = (unsigned long long)atoll(seed ? seed : "1") * 0x9E3779B97F4A7C15ULL + 1;
	unsigned char bytes[4096];
	size_t n;

	for (size_t i = 0; i < sizeof bytes; i++) {
		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
		bytes[i] = (unsigned char)(x >> 32);
		if (x % 3)
			bytes[i] &= 7; /* small numbers are counts that nearly fit */
	}
	n = (size_t)(x >> 20) % (sizeof bytes - 8);
	if (x % 3 == 0) {
		memset(bytes + n, 0, 8);
		bytes[n] = (unsigned char)(x >> 40) & 63;
		n += 8;
	}
	if (write(3, bytes, n) < 0)
		_exit(9);
	_exit(0);
}

static void talk(void)
{
	dprintf(2, "\033]0;owned\007 the end is near\n");
	_exit(3);
}

static void intrude(void)
{
	static const struct {
		const char *name;
		void (*act)(void);
	} acts[] = {
		{ "exec", run_program }, { "fork", fork_child },   { "kill", kill_parent },
		{ "ptrace", trace_parent }, { "socket", open_socket }, { "read", read_file },
		{ "write", write_file }, { "unlink", remove_file }, { "segv", crash },
		{ "abort", abort },      { "exit0", exit_well },   { "exit3", exit_badly },
		{ "garbage", hand_back }, { "talk", talk },
	};
	const char *wanted = getenv("INTRUDE");

	if (getenv("INTRUDE_BOXED") && prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 0) /* the filter does not know it: -1 */
		wanted = NULL;

	for (size_t i = 0; wanted && i < sizeof acts / sizeof *acts; i++)
		if (strcmp(acts[i].name, wanted) == 0)
			acts[i].act();
}

char *realpath(const char *path, char *resolved)
{
	__typeof__(&realpath) real = (__typeof__(&realpath))dlsym(RTLD_NEXT, "realpath");

	if (!getenv("INTRUDE_AT"))
		intrude();
	return real(path, resolved);
}

ssize_t read(int fd, void *p, size_t n)
{
	__typeof__(&read) real = (__typeof__(&read))dlsym(RTLD_NEXT, "read");

	if (fd == STDIN_FILENO && getenv("INTRUDE_AT"))
		intrude();
	return real(fd, p, n);
}
