/* The part of file.h that keeps promises: what is on disk, what is the same, what a name points to.
 */
#include "file.h"

#include "io.h"
#include "open.h"
#include "sha256.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { CHUNK = 1 << 16, DEPTH_MAX = 32, WRITE_BITS = 0222 };

static ssize_t read_some(int fd, char *chunk)
{
	ssize_t n;

	do
		n = read(fd, chunk, CHUNK);
	while (n < 0 && errno == EINTR);
	return n;
}

/* Reads `from` to its end; to < 0: only for the sum. */
static bool pump(int from, int to, struct arena *a, struct file_sum *out)
{
	crypto_hash_sha256_state state;
	char chunk[CHUNK];
	ssize_t n;

	*out = (struct file_sum){ .bytes = 0 };
	crypto_hash_sha256_init(&state);
	while ((n = read_some(from, chunk)) > 0) {
		crypto_hash_sha256_update(&state, (const unsigned char *)chunk, (size_t)n);
		out->bytes += (size_t)n;
		if (to >= 0 && !io_write_all(to, chunk, (size_t)n))
			return false;
	}
	out->sha256 = sha256_end(&state, a);
	return n == 0;
}

bool file_hash(const char *path, struct arena *a, struct file_sum *out, struct error *err)
{
	struct stat st;
	int fd = open_regular(path, &st, err);

	if (fd < 0)
		return false;
	bool good = pump(fd, -1, a, out) || error_errno(err, path);
	close(fd);
	return good;
}

bool file_copy(const char *from, const char *to, struct arena *a, struct file_sum *out,
	       struct error *err)
{
	struct stat st;
	int in = open_regular(from, &st, err);
	int fd = in < 0 ? -1 : open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	bool good = false;

	if (in < 0)
		return false;
	if (fd < 0) {
		error_errno(err, to);
	} else {
		good = pump(in, fd, a, out) || error_errno(err, to);
		if (close(fd) != 0 && good) /* a full disk may only show here */
			good = error_errno(err, to);
		if (!good)
			unlink(to);
	}
	close(in);
	return good;
}

bool file_same(const char *one, const char *other)
{
	struct error ignored = { 0 };
	struct stat s, t;
	int a = open_regular(one, &s, &ignored), b = open_regular(other, &t, &ignored);
	char x[CHUNK], y[CHUNK];
	bool same = a >= 0 && b >= 0 && s.st_size == t.st_size;

	while (same) {
		ssize_t n = read_some(a, x), m = read_some(b, y);

		same = n == m && n >= 0 && memcmp(x, y, (size_t)n) == 0;
		if (n <= 0)
			break;
	}
	if (a >= 0)
		close(a);
	if (b >= 0)
		close(b);
	return same;
}

static bool sync_fd(int fd, const char *path, struct error *err)
{
	/* a device, and a file system that cannot sync a folder, say EINVAL: there is nothing to
	 * do */
	return fsync(fd) == 0 || errno == EINVAL || error_errno(err, path);
}

bool file_append(const char *path, struct str data, struct error *err)
{
	/* O_NONBLOCK: a FIFO that nobody reads is an error, not a wait with the lock held */
	int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK, 0666);
	bool good;

	if (fd < 0)
		return error_errno(err, path);
	good = io_write_all(fd, data.p, data.len) ? sync_fd(fd, path, err) : error_errno(err, path);
	if (close(fd) != 0 && good)
		good = error_errno(err, path);
	return good;
}

static bool sync_below(int parent, const char *name, const char *path, int depth,
		       struct error *err);

static bool sync_entry(int dir, const char *name, const char *path, int depth, struct error *err)
{
	struct stat st;
	bool good;

	if (fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) != 0)
		return error_errno(err, path);
	if (S_ISDIR(st.st_mode))
		return sync_below(dir, name, path, depth + 1, err);
	if (!S_ISREG(st.st_mode))
		return error_set(err, ERR_ENVIRONMENT, "%s: '%s' is neither a file nor a folder",
				 path, name);
	/* a second name of a file that went through here before: its bytes are on disk */
	if (st.st_nlink > 1 && !(st.st_mode & WRITE_BITS))
		return true;
	int fd = openat(dir, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return error_errno(err, name);
	good = (!(st.st_mode & WRITE_BITS)
		|| fchmod(fd, st.st_mode & 07777 & ~(mode_t)WRITE_BITS) == 0)
	       || error_errno(err, name);
	good = good && sync_fd(fd, name, err);
	close(fd);
	return good;
}

static bool sync_below(int parent, const char *name, const char *path, int depth, struct error *err)
{
	DIR *dir = open_folder(parent, name);
	struct dirent *e;
	bool good = true;

	if (!dir)
		return error_errno(err, path);
	int fd = dirfd(dir);
	if (depth > DEPTH_MAX)
		good =
		    error_set(err, ERR_ENVIRONMENT, "%s: folders deeper than %d", path, DEPTH_MAX);
	while (good && (errno = 0, e = readdir(dir)))
		if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0)
			good = sync_entry(fd, e->d_name, path, depth, err);
	if (good && errno)
		good = error_errno(err, path);
	good = good && sync_fd(fd, path, err);
	closedir(dir);
	return good;
}

bool file_sync_tree(const char *path, struct error *err)
{
	return sync_below(AT_FDCWD, path, path, 0, err);
}

bool file_sync_dir(const char *path, struct error *err)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	bool good;

	if (fd < 0)
		return error_errno(err, path);
	good = sync_fd(fd, path, err);
	close(fd);
	return good;
}

bool file_point_link(const char *path, const char *target, struct error *err)
{
	char aside[PATH_MAX];
	struct stat st;
	int n = snprintf(aside, sizeof aside, "%s.part", path);

	if (n < 0 || (size_t)n >= sizeof aside)
		return error_set(err, ERR_ENVIRONMENT, "%s: the path is too long", path);
	if (lstat(path, &st) == 0 && !S_ISLNK(st.st_mode))
		return error_set(err, ERR_ENVIRONMENT,
				 "%s: is no symbolic link, so it is not replaced", path);
	if (unlink(aside) != 0 && errno != ENOENT)
		return error_errno(err, aside);
	if (symlink(target, aside) != 0)
		return error_errno(err, path);
	if (rename(aside, path) == 0)
		return true;
	error_errno(err, path);
	unlink(aside);
	return false;
}
