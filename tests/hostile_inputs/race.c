/* A library to preload: stops a run of gpuguide when it has read a part of one file, until somebody
 * outside has done something to that file. What is done is the script's affair, so that it works
 * from within a sandbox too, behind which no file can be opened and no descriptor outlives: here is
 * only a page of memory that is shared with a file.
 *
 *   RACE_FILE=NAME   the end of the path of the file
 *   RACE_BYTES=N     stop after at least so many of its bytes have been read (default 1); a mapping
 *                    stops at once
 *   RACE_PAGE=PATH   a file of at least two bytes: the first becomes '1' when the run has stopped;
 *                    it goes on when the second is '1', or after a minute */
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
#include <time.h>
#include <unistd.h>

#ifndef O_TMPFILE
#define O_TMPFILE 0
#endif

static atomic_int watched = -1; /* the file's descriptor while it is open */
static atomic_long left;        /* bytes until the stop */
static atomic_flag done = ATOMIC_FLAG_INIT;
static volatile char *page;
static const char *file;

__attribute__((constructor)) static void start(void)
{
	const char *path = getenv("RACE_PAGE"), *bytes = getenv("RACE_BYTES");
	int fd;

	if (!path || strcmp(program_invocation_short_name, "gpuguide") != 0
	    || (fd = open(path, O_RDWR | O_CLOEXEC)) < 0)
		return;
	void *p = mmap(NULL, 2, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	page = p == MAP_FAILED ? NULL : p;
	close(fd);
	file = getenv("RACE_FILE");
	atomic_store(&left, bytes ? atol(bytes) : 1);
}

static void stop(void)
{
	if (!page || atomic_flag_test_and_set(&done))
		return;
	page[0] = '1';
	for (int i = 0; page[1] != '1' && i < 6000; i++)
		nanosleep(&(struct timespec){ 0, 10000000 }, NULL);
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
