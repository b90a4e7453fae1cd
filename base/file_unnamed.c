/* Files without a name. */
#define _GNU_SOURCE /* O_TMPFILE, mkostemp */

#include "file.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

/* On a file system without such files it has a name for a moment. */
static int make_and_unlink(const char *dir)
{
	struct arena scratch = { .block_size = 1 << 12 };
	struct str name = file_join(&scratch, str_of(dir), STR(".scratch-XXXXXX"));
	char *path = (char *)str_c(&scratch, name); /* a copy */
	int fd = mkostemp(path, O_CLOEXEC);

	if (fd >= 0)
		unlink(path);
	arena_free(&scratch);
	return fd;
}

/* Where a standard stream is closed the next file would take its place. */
static int above_streams(int low)
{
	int fd = fcntl(low, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);

	close(low);
	return fd;
}

int file_make_unnamed(const char *dir, struct error *err)
{
	int fd = open(dir, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);

	if (fd < 0)
		fd = make_and_unlink(dir);
	if (fd >= 0 && fd <= STDERR_FILENO)
		fd = above_streams(fd);
	if (fd < 0)
		error_errno(err, dir);
	return fd;
}
