#include "lock.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

bool lock_take(const char *path, bool *taken, struct error *err)
{
	int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
	struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };

	*taken = false;
	if (fd < 0)
		return error_errno(err, path);
	if (fcntl(fd, F_SETLK, &lock) == 0) {
		*taken = true; /* fd stays open on purpose: closing it would drop the lock */
		return true;
	}
	bool held = errno == EACCES || errno == EAGAIN;
	if (!held)
		error_errno(err, path);
	close(fd);
	return held;
}
