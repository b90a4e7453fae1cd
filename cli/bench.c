#include "bench.h"

#include <limits.h>
#include <string.h>
#include <unistd.h>

/* The folder of this program with the other's name; false where /proc does not tell. */
static bool beside(char *path, size_t size)
{
	static const char name[] = "gpuguide-bench";
	ssize_t n = readlink("/proc/self/exe", path, size - sizeof name);

	while (n > 0 && path[n - 1] != '/')
		n--;
	if (n <= 0)
		return false;
	memcpy(path + n, name, sizeof name);
	return true;
}

bool bench_become(char **argv, struct error *err)
{
	char path[PATH_MAX];

	if (!beside(path, sizeof path))
		return error_set(
		    err, ERR_ENVIRONMENT,
		    "bench: the folder of this program is not known; run gpuguide-bench itself");
	argv[0] = path;
	execv(path, argv);
	return error_errno(err, path);
}
