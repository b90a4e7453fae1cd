/* A library to preload: stops a run of gpuguide when it has read a part of one file, until somebody outside has done
 * something to that file. What is done is the script's affair, so that it works from within a sandbox too: here are only
 * bytes to and from two pipes that are open from the start.
 *
 *   RACE_FILE=NAME   the end of the path of the file
 *   RACE_BYTES=N     stop after at least so many of its bytes have been read (default 1); a mapping stops at once
 *   RACE_PIPE=DIR    DIR/go is written to (one line), then DIR/done is read from: two FIFOs */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/types.h>
#include <unistd.h>

#ifndef O_TMPFILE
#define O_TMPFILE 0
#endif

static atomic_int watched = -1; /* the file's descriptor while it is open */
static atomic_long left;        /* bytes until the stop */
static atomic_flag done = ATOMIC_FLAG_INIT;
static int go = -1, back = -1;
static const char *file;

__attribute__((constructor)) static void start(void)
{
	const char *dir = getenv("RACE_PIPE"), *bytes = getenv("RACE_BYTES");
	char path[4096];

	if (!dir || strcmp(program_invocation_short_name, "gpuguide") != 0)
		return;
	/* both for reading and writing: to open a FIFO would wait for its other end else */
	snprintf(path, sizeof path, "%s/go", dir);
	go = open(path, O_RDWR | O_CLOEXEC);
	snprintf(path, sizeof path, "%s/done", dir);
	back = open(path, O_RDWR | O_CLOEXEC);
	file = getenv("RACE_FILE");
	atomic_store(&left, bytes ? atol(bytes) : 1);
}

static void stop(void)
{
	char answer[16];

	if (go < 0 || atomic_flag_test_and_set(&done))
		return;
	if (write(go, "go\n", 3) != 3 || read(back, answer, sizeof answer) < 0)
		_exit(99);
}

#define REAL(name) __typeof__(&name) real = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

static int opened(const char *path, int fd)
{
	size_t n = strlen(path), m = file ? strlen(file) : 0;

	if (m && fd >= 0 && n >= m && strcmp(path + n - m, file) == 0)
		atomic_store(&watched, fd);
	return fd;
}

int open(const char *path, int flags, ...)
{
	REAL(open);
	va_list ap;

	va_start(ap, flags);
	mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(ap, mode_t) : 0;
	va_end(ap);
	return opened(path, real(path, flags, mode));
}

int openat(int dir, const char *path, int flags, ...)
{
	REAL(openat);
	va_list ap;

	va_start(ap, flags);
	mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(ap, mode_t) : 0;
	va_end(ap);
	return opened(path, real(dir, path, flags, mode));
}

int close(int fd)
{
	REAL(close);
	int same = fd;

	atomic_compare_exchange_strong(&watched, &same, -1);
	return real(fd);
}

static ssize_t was_read(int fd, ssize_t n)
{
	if (n > 0 && fd >= 0 && fd == atomic_load(&watched) && atomic_fetch_sub(&left, n) <= n)
		stop();
	return n;
}

ssize_t read(int fd, void *p, size_t n)
{
	REAL(read);
	return was_read(fd, real(fd, p, n));
}

ssize_t pread(int fd, void *p, size_t n, off_t at)
{
	REAL(pread);
	return was_read(fd, real(fd, p, n, at));
}

void *mmap(void *at, size_t n, int prot, int flags, int fd, off_t offset)
{
	REAL(mmap);
	void *p = real(at, n, prot, flags, fd, offset);

	if (p != MAP_FAILED && fd >= 0 && fd == atomic_load(&watched))
		stop();
	return p;
}
