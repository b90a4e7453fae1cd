#include "io.h"

#include <errno.h>
#include <unistd.h>

bool io_write_all(int fd, const void *p, size_t n)
{
	const char *at = p;

	while (n > 0) {
		ssize_t done = write(fd, at, n);

		if (done < 0 && errno == EINTR)
			continue;
		if (done == 0)
			errno = ENOSPC;
		if (done <= 0)
			return false;
		at += done;
		n -= (size_t)done;
	}
	return true;
}
