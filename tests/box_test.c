/* Work in a child that locks itself in: its result, its words and its ends. */
#define _GNU_SOURCE /* mkstemp, dprintf */

#include "test.h"

#include "../base/box.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

enum { MOST = 10000 }; /* bytes of output */

static void work_good(void *ctx, int out)
{
	dprintf(out, "%s", (const char *)ctx);
}

static void work_nothing(void *ctx, int out)
{
	(void)ctx;
	(void)out;
}

static void work_talks(void *ctx, int out)
{
	(void)ctx;
	dprintf(out, "half");
	dprintf(STDERR_FILENO, "====\n\033[2Jwords\n\nmore\n");
	_exit(3);
}

static void work_full(void *ctx, int out)
{
	(void)ctx;
	(void)out;
	_exit(BOX_EXIT_ERRNO + EFBIG);
}

static void work_segv(void *ctx, int out)
{
	(void)ctx;
	dprintf(out, "half");
	signal(SIGSEGV, SIG_DFL); /* of a sanitizer */
	raise(SIGSEGV);
}

static void work_exec(void *ctx, int out)
{
	char *const argv[] = { (char *)"true", NULL };

	(void)ctx;
	(void)out;
	execv("/bin/true", argv);
	raise(SIGSYS); /* under a sanitizer the call only fails */
}

/* The lowest numbers are in use, nothing else is open. */
static void work_lists_files(void *ctx, int out)
{
	int n = 0;

	(void)ctx;
	for (int fd = 0; fd < 64; fd++)
		n += fcntl(fd, F_GETFD) >= 0 ? 1 << (fd < 8 ? fd : 8) : 0;
	dprintf(out, "%d", n);
}

/* The scratch file is there, and can be written and read. */
static void work_scratches(void *ctx, int out)
{
	char back[8] = "";

	(void)ctx;
	if (pwrite(BOX_SCRATCH_FD, "kept", 4, 100) == 4 && pread(BOX_SCRATCH_FD, back, 4, 100) == 4)
		dprintf(out, "%s", back);
}

/* ctx: how many bytes it would hand back. */
static void work_fills(void *ctx, int out)
{
	const size_t *bytes = ctx;

	for (size_t i = 0; i < *bytes; i++)
		if (write(out, "x", 1) != 1)
			_exit(BOX_EXIT_ERRNO + errno);
}

/* As one would who has taken over the work: what it may not have it does not get by other ways
 * either. ctx: not NULL: and says that it has written more than there is. */
static void work_takes(void *ctx, int out)
{
	char line[2000];

	memset(line, 'w', sizeof line);
	for (int i = 0; i < 2000; i++)
		if (write(STDERR_FILENO, line, sizeof line) < 0 && errno != EPERM)
			_exit(1);
	dprintf(out, "%s%s%s", ftruncate(out, 1 << 20) == 0 ? "longer " : "",
		ftruncate(out, 10) == 0 ? "shorter " : "",
		pwrite(out, "x", 1, MOST) > 0 ? "behind " : "");
	if (ctx)
		lseek(out, MOST + 1, SEEK_SET);
}

/* What the standard input has, and whether it can be written to. */
static void work_reads(void *ctx, int out)
{
	char text[100];
	ssize_t n = read(STDIN_FILENO, text, sizeof text);

	(void)ctx;
	dprintf(out, "%.*s%s", n > 0 ? (int)n : 0, text,
		write(STDIN_FILENO, "x", 1) == 1 ? " written" : "");
}

static void check_most(struct test *t)
{
	static const struct {
		const char *name;
		size_t most, bytes;
		const char *error;
	} cases[] = {
		{ "as much as it may", MOST, MOST, "" },
		{ "a byte more", MOST, MOST + 1,
		  "x: its process could not hand back its result: it has more than 10000 bytes" },
		{ "nothing where nothing is allowed", 0, 0, "" },
		{ "a byte where nothing is allowed", 0, 1,
		  "x: its process could not hand back its result: it has more than 0 bytes" },
	};
	struct arena a = { 0 };

	for (size_t i = 0; i < LEN(cases); i++) {
		size_t bytes = cases[i].bytes;
		struct box b = {
			.what = "x", .work = work_fills, .ctx = &bytes, .most = cases[i].most
		};
		struct box_result r;
		struct error err = { 0 };
		bool good = box_run(&b, &a, &r, &err);

		test_ok(t,
			good == !*cases[i].error && r.output.len == (good ? bytes : 0) && !r.died,
			cases[i].name);
		test_str(t, str_of(err.msg), str_of(cases[i].error), "  what is said");
		box_close(&r);
	}
	arena_free(&a);
}

static void check_taken(struct test *t)
{
	struct arena a = { 0 };
	struct box b = { .what = "x", .work = work_takes, .most = MOST };
	struct box_result r;
	struct error err = { 0 };

	test_ok(t, box_run(&b, &a, &r, &err), "a child that tries to have more");
	test_str(t, r.output, STR(""), "can do nothing to the length of its file");
	test_ok(t, r.words.len > 0 && r.words.len <= BOX_WORDS_MAX,
		"of endless words the first are shown");
	box_close(&r);
	b.ctx = &a;
	test_ok(t, !box_run(&b, &a, &r, &err) && r.output.len == 0,
		"it says that it has written behind the end");
	test_str(t, str_of(err.msg), STR("x: File too large"), "  what is said");
	box_close(&r);
	arena_free(&a);
}

/* A file with text stands at the standard input, open for both. */
static void check_input(struct test *t)
{
	static const struct {
		const char *name;
		bool input;
		const char *want;
	} cases[] = {
		{ "the standard input, to read", true, "text" },
		{ "it is empty for work that does not ask for it", false, "" },
	};
	struct arena a = { 0 };
	char path[] = "/tmp/gpuguide-input-XXXXXX";
	int kept = dup(STDIN_FILENO), fd = mkstemp(path);

	test_ok(t, fd > 0 && write(fd, "some text", 9) == 9 && dup2(fd, STDIN_FILENO) == 0,
		"a file to read");
	for (size_t i = 0; i < LEN(cases); i++) {
		struct box b = {
			.what = "x", .work = work_reads, .most = MOST, .input = cases[i].input
		};
		struct box_result r;
		struct error err = { 0 };

		lseek(STDIN_FILENO, 5, SEEK_SET);
		bool good = box_run(&b, &a, &r, &err);
		test_str(t, good ? r.output : str_of(err.msg), str_of(cases[i].want),
			 cases[i].name);
		box_close(&r);
	}
	if (kept >= 0)
		dup2(kept, STDIN_FILENO);
	close(kept);
	close(fd);
	unlink(path);
	arena_free(&a);
}

/* Puts a socket to the standard input. Its peer has said all that it has to say, or is gone without
 * having heard what was said to it, which resets the connection. */
static bool stand_socket(bool reset, int *peer)
{
	int pair[2];

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0)
		return false;
	bool good = dup2(pair[0], STDIN_FILENO) == STDIN_FILENO && close(pair[0]) == 0;
	*peer = pair[1];
	if (reset)
		return good && write(STDIN_FILENO, "x", 1) == 1 && close(pair[1]) == 0;
	return good && write(pair[1], "some text", 9) == 9 && shutdown(pair[1], SHUT_WR) == 0;
}

static void check_socket(struct test *t)
{
	static const struct {
		const char *name;
		bool reset;
		size_t most;
		rlim_t files; /* bytes that files may have; 0: as they come */
		const char *want;
	} cases[] = {
		{ "a socket, to read", false, 100, 0, "some text" },
		{ "as much of it as is wanted", false, 4, 0, "some" },
		{ "more than a file may have", false, 100, 4, "standard input: File too large" },
		{ "a connection that breaks", true, 100, 0,
		  "standard input: Connection reset by peer" },
	};
	struct arena a = { 0 };
	struct rlimit all;
	int kept = dup(STDIN_FILENO);

	getrlimit(RLIMIT_FSIZE, &all);
	for (size_t i = 0; i < LEN(cases); i++) {
		struct box b = { .what = "x", .work = work_reads, .most = MOST, .input = true,
				 .input_most = cases[i].most };
		struct box_result r;
		struct error err = { 0 };
		struct rlimit few = { cases[i].files, all.rlim_max };
		char heard;
		int peer = -1;

		test_ok(t, stand_socket(cases[i].reset, &peer), cases[i].name);
		if (cases[i].files) /* nothing is printed under it */
			setrlimit(RLIMIT_FSIZE, &few);
		bool good = box_run(&b, &a, &r, &err);
		setrlimit(RLIMIT_FSIZE, &all);
		test_str(t, good ? r.output : str_of(err.msg), str_of(cases[i].want),
			 "  what the work reads, and can not write to");
		box_close(&r);
		if (cases[i].reset)
			continue;
		test_ok(t, recv(peer, &heard, 1, MSG_DONTWAIT) < 0 && errno == EAGAIN,
			"  who waits for an answer hears nothing, nor that none will come");
		close(peer);
	}
	if (kept >= 0)
		dup2(kept, STDIN_FILENO);
	close(kept);
	arena_free(&a);
}

static void check_scratch(struct test *t)
{
	struct arena a = { 0 };
	char path[] = "/tmp/gpuguide-scratch-XXXXXX";
	int fd = mkstemp(path);
	struct box b = { .what = "x", .work = work_scratches, .most = MOST, .scratch = fd };
	struct box_result r;
	struct error err = { 0 };
	bool good = box_run(&b, &a, &r, &err);

	test_ok(t, fd > 0 && good, "a scratch file");
	test_str(t, r.output, STR("kept"), "it can be written and read");
	b.work = work_lists_files;
	box_close(&r);
	good = box_run(&b, &a, &r, &err);
	test_str(t, good ? r.output : STR(""), STR("31"), "and is all that is open besides");
	box_close(&r);
	close(fd);
	unlink(path);
	arena_free(&a);
}

static void check_box(struct test *t)
{
	static const struct {
		const char *name;
		void (*work)(void *ctx, int out);
		struct str output;
		const char *error, *words;
	} cases[] = {
		{ "result", work_good, STR_INIT("the result"), "", "" },
		{ "nothing", work_nothing, STR_INIT(""), "", "" },
		{ "open files", work_lists_files, STR_INIT("15"), "", "" },
		{ "an exit", work_talks, STR_INIT(""),
		  "x: its process ended with status 3 before it was done; nothing of it was kept; "
		  "it said: "
		  "?[2Jwords",
		  "====\n?[2Jwords\nmore" },
		{ "no room", work_full, STR_INIT(""),
		  "x: its process could not hand back its result: File too large", "" },
		{ "a crash", work_segv, STR_INIT(""),
		  "x: its process was ended by signal 11 (Segmentation fault); nothing of it was "
		  "kept",
		  "" },
		{ "an exec", work_exec, STR_INIT(""),
		  "x: its process was ended by signal 31 (Bad system call), as it tried what its "
		  "sandbox "
		  "forbids; nothing of it was kept",
		  "" },
	};
	struct arena a = { 0 };
	int kept = open("/dev/null", O_RDONLY);

	for (size_t i = 0; i < LEN(cases); i++) {
		struct box b = { .what = "x",
				 .work = cases[i].work,
				 .ctx = (void *)"the result",
				 .most = MOST };
		struct box_result r;
		struct error err = { 0 };
		bool good = box_run(&b, &a, &r, &err);

		test_ok(t,
			good == !*cases[i].error && r.died == (!good && cases[i].work != work_full),
			cases[i].name);
		test_str(t, r.output, cases[i].output, cases[i].name);
		if (r.state.filter || i + 1 < LEN(cases))
			test_str(t, str_of(err.msg), str_of(cases[i].error), cases[i].name);
		test_str(t, r.words, str_of(cases[i].words), cases[i].name);
		box_close(&r);
	}
	close(kept);
	arena_free(&a);
}

/* A parent that ignores its children's ends, as some schedulers start programs. */
static void check_ignored(struct test *t)
{
	struct arena a = { 0 };
	struct box b = { .what = "x", .work = work_segv, .most = MOST };
	struct box_result r;
	struct error err = { 0 };

	signal(SIGCHLD, SIG_IGN);
	test_ok(t, !box_run(&b, &a, &r, &err) && r.died,
		"a crash is seen where SIGCHLD is ignored");
	test_ok(t, signal(SIGCHLD, SIG_DFL) == SIG_IGN, "and it is ignored afterwards");
	arena_free(&a);
}

int main(void)
{
	struct test t = { 0 };

	setvbuf(stdout, NULL, _IOLBF, 0); /* children would write what is buffered once more */
	check_box(&t);
	check_ignored(&t);
	check_scratch(&t);
	check_most(&t);
	check_taken(&t);
	check_input(&t);
	check_socket(&t);
	return test_done(&t);
}
