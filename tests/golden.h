/* Compares text with a file of expected text; with GOLDEN=write in the environment it writes the
 * file. */
#ifndef TESTS_GOLDEN_H
#define TESTS_GOLDEN_H

#include "test.h"
#include "../base/file.h"

#include <stdlib.h>

static inline void test_golden(struct test *t, struct str got, const char *path, struct arena *a,
			       const char *name)
{
	struct error err = { .code = ERR_NONE };
	struct str want = STR("");
	size_t at = 0;
	int line = 1;

	if (getenv("GOLDEN") && !file_write(path, got, &err))
		printf("# %s\n", err.msg);
	bool read = file_read(path, 0, a, &want, &err);
	test_ok(t, read && str_eq(got, want), name);
	while (at < got.len && at < want.len && got.p[at] == want.p[at])
		line += got.p[at++] == '\n';
	if (!read || !str_eq(got, want))
		printf("# %s:%d differs: got '" STR_FMT "'\n", path, line,
		       STR_ARG(str_slice(got, at, at + 60)));
}

#endif
