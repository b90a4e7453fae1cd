#define _XOPEN_SOURCE 700 /* symlink */

/* base/open.h and base/sha256.h: what is opened, and by which name it is known. */
#include "test.h"

#include "../base/open.h"
#include "../base/sha256.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* dir/a, dir/a/f, dir/a/to-f -> f, dir/to-a -> a, dir/pipe */
static bool fill(const char *dir)
{
	bool good = chdir(dir) == 0 && mkdir("a", 0777) == 0 && symlink("f", "a/to-f") == 0
		    && symlink("a", "to-a") == 0 && mkfifo("pipe", 0600) == 0;
	int fd = open("a/f", O_WRONLY | O_CREAT, 0666);

	good = good && fd >= 0 && write(fd, "abc", 3) == 3;
	return close(fd) == 0 && good;
}

static void clean(const char *dir)
{
	static const char *const names[] = { "a/f", "a/to-f", "to-a", "pipe" };

	for (size_t i = 0; i < LEN(names); i++)
		unlink(names[i]);
	rmdir("a");
	rmdir(dir);
}

static void test_regular(struct test *t)
{
	static const struct {
		const char *name, *path, *msg; /* msg empty: it opens */
	} cases[] = {
		{ "a file", "a/f", "" },
		{ "a link to a file: the path is ours", "a/to-f", "" },
		{ "behind a link to a folder", "to-a/f", "" },
		{ "a pipe: it is not waited for", "pipe", "pipe: not a regular file" },
		{ "a folder", "a", "a: not a regular file" },
		{ "nothing", "b", "b: No such file or directory" },
	};

	for (size_t i = 0; i < LEN(cases); i++) {
		struct error err = { 0 };
		struct stat st = { 0 };
		int fd = open_regular(cases[i].path, &st, &err);
		bool want = cases[i].msg[0] == '\0';
		test_ok(t,
			(fd >= 0) == want && (!want || st.st_size == 3)
			    && strcmp(err.msg, cases[i].msg) == 0,
			cases[i].name);
		if (fd >= 0)
			close(fd);
	}
}

/* The number that the next open file gets. */
static int next_fd(void)
{
	int fd = open(".", O_RDONLY);

	close(fd);
	return fd;
}

static void test_below(struct test *t)
{
	static const struct {
		const char *name;
		struct str path;
		int why[2]; /* one of these, by the kernel; 0: it opens */
	} cases[] = {
		{ "a path", STR_INIT("a/f"), { 0 } },
		{ "a folder", STR_INIT("a"), { 0 } },
		{ "a pipe: it is not waited for", STR_INIT("pipe"), { 0 } },
		{ "a link at its end", STR_INIT("a/to-f"), { ELOOP } },
		{ "a link on the way", STR_INIT("to-a/f"), { ENOTDIR, ELOOP } },
		{ "a file on the way", STR_INIT("a/f/g"), { ENOTDIR } },
		{ "nothing", STR_INIT("a/g"), { ENOENT } },
		{ "an empty path", STR_INIT(""), { ENOENT } },
		{ "an empty part", STR_INIT("a//f"), { ENOENT } },
		{ "no path", { 0 }, { ENOENT } },
	};
	struct arena a = { 0 };
	int folder = open(".", O_RDONLY | O_DIRECTORY), next = next_fd();

	for (size_t i = 0; i < LEN(cases); i++) {
		int fd = open_below(folder, cases[i].path, &a), why = fd < 0 ? errno : 0;
		test_ok(t, why == cases[i].why[0] || (why && why == cases[i].why[1]),
			cases[i].name);
		if (fd >= 0)
			close(fd);
	}
	test_ok(t, next_fd() == next, "and nothing is left open");
	close(folder);
	arena_free(&a);
}

static void test_folder(struct test *t)
{
	static const struct {
		const char *name, *path;
		bool opens;
	} cases[] = {
		{ "a folder", "a", true },
		{ "the folder itself", ".", true },
		{ "a link to one", "to-a", false },
		{ "a file", "a/f", false },
		{ "nothing", "b", false },
	};

	for (size_t i = 0; i < LEN(cases); i++) {
		DIR *dir = open_folder(AT_FDCWD, cases[i].path);
		test_ok(t, (dir != NULL) == cases[i].opens, cases[i].name);
		if (dir)
			closedir(dir);
	}
}

/* FIPS 180-4, examples. */
static void test_sha256(struct test *t)
{
	struct arena a = { 0 };
	crypto_hash_sha256_state s;
	char text[SHA256_TEXT + 1];

	crypto_hash_sha256_init(&s);
	crypto_hash_sha256_update(&s, (const unsigned char *)"abc", 3);
	test_str(t, sha256_end(&s, &a),
		 STR("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
		 "SHA-256 of abc");
	crypto_hash_sha256_init(&s);
	sha256_end_in(&s, text);
	test_str(t, str_of(text),
		 STR("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
		 "and of nothing");
	arena_free(&a);
}

int main(void)
{
	struct test t = { 0 };
	char dir[] = "/tmp/gpuguide-test-XXXXXX";

	test_ok(&t, mkdtemp(dir) && fill(dir), "a folder with links");
	test_regular(&t);
	test_below(&t);
	test_folder(&t);
	test_sha256(&t);
	clean(dir);
	return test_done(&t);
}
