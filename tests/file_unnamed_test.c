/* A file without a name. */
#include "test.h"

#include "../base/file.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void test_file(struct test *t, const char *dir)
{
	struct error err = { 0 };
	struct stat st = { .st_nlink = 9 };
	char back[8] = "";
	int fd = file_make_unnamed(dir, &err);

	test_ok(t, fd > STDERR_FILENO && err.code == ERR_NONE, "a file without a name");
	test_ok(t, pwrite(fd, "kept", 4, 100) == 4 && pread(fd, back, 4, 100) == 4
		    && strcmp(back, "kept") == 0,
		"what is written can be read back");
	test_ok(t, fstat(fd, &st) == 0 && st.st_nlink == 0 && (st.st_mode & 0777) == 0600,
		"it is nobody else's, and goes with the program");
	test_ok(t, fcntl(fd, F_GETFD) & FD_CLOEXEC, "no program that is run has it");
	test_ok(t, rmdir(dir) == 0 && mkdir(dir, 0700) == 0, "nothing lies in the folder");
	close(fd);
}

/* Standard streams that are closed stay closed. */
static void test_streams(struct test *t, const char *dir)
{
	struct error err = { 0 };
	int kept = dup(STDIN_FILENO);

	close(STDIN_FILENO);
	int fd = file_make_unnamed(dir, &err);
	bool closed = fcntl(STDIN_FILENO, F_GETFD) < 0;
	if (kept >= 0)
		dup2(kept, STDIN_FILENO);
	test_ok(t, fd > STDERR_FILENO && closed, "it takes the place of no standard stream");
	test_ok(t, fcntl(fd, F_GETFD) & FD_CLOEXEC, "nor does any other program have it then");
	close(fd);
	close(kept);
}

static void test_failure(struct test *t)
{
	static const struct {
		const char *name, *dir;
	} cases[] = {
		{ "no such folder", "/nonexistent/folder" },
		{ "not a folder", "/dev/null" },
	};

	for (size_t i = 0; i < LEN(cases); i++) {
		const char *dir = cases[i].dir;
		struct error err = { 0 };
		test_ok(t, file_make_unnamed(dir, &err) < 0 && err.code == ERR_ENVIRONMENT
			    && strncmp(err.msg, dir, strlen(dir)) == 0,
			cases[i].name);
	}
}

int main(void)
{
	struct test t = { 0 };
	char dir[] = "/tmp/gpuguide-test-XXXXXX";

	if (!mkdtemp(dir))
		return 1;
	test_file(&t, dir);
	test_streams(&t, dir);
	test_failure(&t);
	test_ok(&t, rmdir(dir) == 0, "nothing is left behind");
	return test_done(&t);
}
