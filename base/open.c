#include "open.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

void open_drop(int fd)
{
	int why = errno;

	close(fd);
	errno = why;
}

/* O_NONBLOCK: a FIFO opens at once, and is then refused. */
int open_regular(const char *path, struct stat *st, struct error *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	if (fd < 0 || fstat(fd, st) != 0)
		error_errno(err, path);
	else if (!S_ISREG(st->st_mode))
		error_set(err, ERR_ENVIRONMENT, "%s: not a regular file", path);
	else
		return fd;
	if (fd >= 0)
		close(fd);
	return -1;
}

int open_below(int folder, struct str path, struct arena *a)
{
	int at = folder, fd = -1;
	struct str part;

	errno = ENOENT;
	while (str_cut(&path, '/', &part)) {
		int kind = path.p ? O_DIRECTORY : O_NONBLOCK;
		fd = openat(at, str_c(a, part), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | kind);
		if (at != folder)
			open_drop(at);
		if (fd < 0)
			return -1;
		at = fd;
	}
	return fd;
}

DIR *open_folder(int parent, const char *name)
{
	int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;

	if (fd >= 0 && !dir)
		open_drop(fd);
	return dir;
}
