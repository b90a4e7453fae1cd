/* A library to preload: lets a run of gpuguide die, or a file-system call fail, at the n-th call that
 * changes something on disk.
 *
 *   FAULT_COUNT=FILE   writes how many such calls were made, at the end
 *   FAULT_AT=N         the N-th (from 1) is hit
 *   FAULT_KIND         kill: SIGKILL before it; torn: of a write the first half, then SIGKILL;
 *                      an errno number: it fails with that, and so do all that follow (a disk that is
 *                      full or a folder that is read-only stays so)
 *
 * Only what the program itself does is counted: its children (gnuplot, ssh-keygen) are left alone. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

static atomic_long calls;
static long at;
static int kind_errno;
static int torn, active;

__attribute__((constructor)) static void start(void)
{
	const char *n = getenv("FAULT_AT"), *kind = getenv("FAULT_KIND");

	active = strcmp(program_invocation_short_name, "gpuguide") == 0;
	at = n ? atol(n) : 0;
	torn = kind && strcmp(kind, "torn") == 0;
	kind_errno = kind ? atoi(kind) : 0;
}

__attribute__((destructor)) static void end(void)
{
	const char *path = getenv("FAULT_COUNT");
	FILE *f = path && active ? fopen(path, "w") : NULL;

	if (f) {
		fprintf(f, "%ld\n", atomic_load(&calls));
		fclose(f);
	}
}

/* Whether the call fails, with errno set. Does not return when it is where the run dies. */
static int hit(void)
{
	if (!active)
		return 0;
	long n = atomic_fetch_add(&calls, 1) + 1;
	if (!at || n < at)
		return 0;
	if (kind_errno) {
		errno = kind_errno;
		return 1;
	}
	if (n == at)
		kill(getpid(), SIGKILL);
	return 0;
}

#define REAL(name) __typeof__(&name) real = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

static int changes(int flags)
{
	return (flags & O_ACCMODE) != O_RDONLY || (flags & (O_CREAT | O_TRUNC));
}

int open(const char *path, int flags, ...)
{
	REAL(open);
	va_list ap;

	va_start(ap, flags);
	mode_t mode = va_arg(ap, mode_t);
	va_end(ap);
	/* a device is no disk */
	if (changes(flags) && strncmp(path, "/dev/", 5) != 0 && hit())
		return -1;
	return real(path, flags, mode);
}

int openat(int dir, const char *path, int flags, ...)
{
	REAL(openat);
	va_list ap;

	va_start(ap, flags);
	mode_t mode = va_arg(ap, mode_t);
	va_end(ap);
	if (changes(flags) && hit())
		return -1;
	return real(dir, path, flags, mode);
}

ssize_t write(int fd, const void *p, size_t n)
{
	REAL(write);
	struct stat st;

	if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode))
		return real(fd, p, n);
	if (torn && active && at && atomic_load(&calls) + 1 == at && n > 1)
		n = (size_t)real(fd, p, n / 2); /* and the rest never comes */
	return hit() ? -1 : real(fd, p, n);
}

#define WRAP(type, name, params, args)       \
	type name params                     \
	{                                    \
		REAL(name);                  \
		return hit() ? -1 : real args; \
	}

WRAP(int, rename, (const char *a, const char *b), (a, b))
WRAP(int, renameat, (int d, const char *a, int e, const char *b), (d, a, e, b))
WRAP(int, link, (const char *a, const char *b), (a, b))
WRAP(int, linkat, (int d, const char *a, int e, const char *b, int f), (d, a, e, b, f))
WRAP(int, symlink, (const char *a, const char *b), (a, b))
WRAP(int, symlinkat, (const char *a, int d, const char *b), (a, d, b))
WRAP(int, mkdir, (const char *a, mode_t m), (a, m))
WRAP(int, mkdirat, (int d, const char *a, mode_t m), (d, a, m))
WRAP(int, unlink, (const char *a), (a))
WRAP(int, unlinkat, (int d, const char *a, int f), (d, a, f))
WRAP(int, rmdir, (const char *a), (a))
WRAP(int, fsync, (int fd), (fd))
WRAP(int, fdatasync, (int fd), (fd))
WRAP(int, syncfs, (int fd), (fd))
WRAP(int, ftruncate, (int fd, off_t n), (fd, n))
WRAP(int, chmod, (const char *a, mode_t m), (a, m))
WRAP(int, fchmod, (int fd, mode_t m), (fd, m))
WRAP(int, fchmodat, (int d, const char *a, mode_t m, int f), (d, a, m, f))
