#include "test.h"

#include "../base/file.h"
#include "../base/process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const char *const shell[] = { "sh", "-c", NULL, NULL };

/* One shell script and what becomes of it; `good` is the whole message of process_good(), "" for
 * none. */
static const struct {
	const char *name, *script, *input;
	int seconds;
	size_t output_max, file_max;
	int status, signal;
	bool timed_out, too_much;
	const char *output, *message, *good;
} cases[] = {
	{ "its output", "echo one; echo two", "", 5, 100, 0, 0, 0, false, false, "one\ntwo\n", "",
	  "" },
	{ "output thrown away", "echo one", "", 5, 0, 0, 0, 0, false, false, "", "", "" },
	{ "status and message", "echo 'fatal: no' >&2; exit 7", "", 5, 9, 0, 7, 0, false, false, "",
	  "fatal: no", "sh: status 7: fatal: no" },
	{ "a warning is not the reason",
	  "echo '***' >&2; echo 'warning: w' >&2; echo bad >&2; exit 1", "", 5, 9, 0, 1, 0, false,
	  false, "", "***\nwarning: w\nbad", "sh: status 1: bad" },
	{ "no letter in the message", "echo 123 >&2; exit 1", "", 5, 9, 0, 1, 0, false, false, "",
	  "123", "sh: status 1: 123" },
	{ "no message", "exit 3", "", 5, 9, 0, 3, 0, false, false, "", "",
	  "sh: status 3: no message" },
	{ "a message that a terminal would obey",
	  "printf 'a\\033[2J\\302\\233\\377b\\rc\\n\\n' >&2", "", 5, 9, 0, 0, 0, false, false, "",
	  "a?[2J??b\nc", "" },
	{ "a signal", "kill -TERM $$", "", 5, 9, 0, -1, SIGTERM, false, false, "", "",
	  "sh: killed by signal 15" },
	{ "the time limit", "echo x; sleep 30", "", 1, 9, 0, -1, SIGKILL, true, false, "x\n", "",
	  "sh: stopped after 1 s" },
	{ "the time limit, signals ignored", "trap '' TERM HUP ALRM; sleep 30; sleep 30", "", 1, 9,
	  0, -1, SIGKILL, true, false, "", "", "sh: stopped after 1 s" },
	{ "endless output", "while :; do echo 12345678; done", "", 20, 12, 0, -1, SIGKILL, false,
	  true, "12345678\n123", "", "sh: stopped: more than 12 bytes of output" },
	{ "just as much output as it may", "printf 123456789", "", 5, 9, 0, 0, 0, false, false,
	  "123456789", "", "" },
	{ "one byte too many", "printf 1234567890; sleep 30", "", 20, 9, 0, -1, SIGKILL, false,
	  true, "123456789", "", "sh: stopped: more than 9 bytes of output" },
	{ "input", "cat; read x; echo $?", "some text", 5, 99, 0, 0, 0, false, false,
	  "some text1\n", "", "" },
	{ "no input", "cat; readlink /proc/self/fd/0", "", 5, 99, 0, 0, 0, false, false,
	  "/dev/null\n", "", "" },
	{ "a file too large", "exec head -c 5000 /dev/zero >big", "", 5, 99, 1000, -1, SIGXFSZ,
	  false, false, "", "", "sh: stopped: a file of more than 1000 bytes" },
	{ "a file within the limit", "exec head -c 1000 /dev/zero >big", "", 5, 99, 1000, 0, 0,
	  false, false, "", "", "" },
	{ "LC_ALL, added and replaced variables", "echo $LC_ALL $ADDED $HOME$KEPT", "", 5, 99, 0, 0,
	  0, false, false, "C two words /nowhere\n", "", "" },
	{ "no open file of this program",
	  "for fd in 3 4 5 6 7 8 9; do [ -e /proc/$$/fd/$fd ] && echo $fd; done; echo done", "", 5,
	  99, 0, 0, 0, false, false, "done\n", "", "" },
	{ "a group of its own", "ps -o pgid= -p $$ | tr -d ' ' | grep -cx $$", "", 5, 99, 0, 0, 0,
	  false, false, "1\n", "", "" },
	{ "signals as usual", "sleep 0.1 & wait; kill -PIPE $$", "", 5, 99, 0, -1, SIGPIPE, false,
	  false, "", "", "sh: killed by signal 13" },
	{ "a child left behind does not hold it up", "sleep 30 & echo done", "", 20, 99, 0, 0, 0,
	  false, false, "done\n", "", "" },
	{ "a child that left the group does not hold it up",
	  "setsid sleep 3 & sleep 0.1; echo done", "", 20, 99, 0, 0, 0, false, false, "done\n", "",
	  "" },
};

static const char *const added[] = { "ADDED=two words", "HOME=/nowhere", "LC_ALL=C", NULL };

static struct process_options options(const char **argv, const char *dir, size_t i)
{
	argv[0] = shell[0];
	argv[1] = shell[1];
	argv[2] = cases[i].script;
	argv[3] = NULL;
	return (struct process_options){ .argv = argv, .work_dir = dir, .env = added,
		.input = str_of(cases[i].input), .seconds = cases[i].seconds,
		.output_max = cases[i].output_max, .file_max = cases[i].file_max };
}

static void test_cases(struct test *t, const char *dir, struct arena *a)
{
	for (size_t i = 0; i < LEN(cases); i++) {
		const char *argv[4];
		struct process_options opt = options(argv, dir, i);
		struct process_result r;
		struct error err = { 0 };
		bool ran = process_run(&opt, a, &r, &err);

		test_ok(t, ran && r.status == cases[i].status && r.signal == cases[i].signal
			&& r.timed_out == cases[i].timed_out
			&& r.too_much_output == cases[i].too_much, cases[i].name);
		if (!ran || r.status != cases[i].status)
			printf("# status %d signal %d %s\n", r.status, r.signal, err.msg);
		test_str(t, r.output, str_of(cases[i].output), "  output");
		test_str(t, r.message, str_of(cases[i].message), "  message");
		bool good = ran && process_good(&opt, &r, &err);
		test_ok(t, good == (cases[i].good[0] == '\0'), "  good or not");
		test_str(t, str_of(err.msg), str_of(cases[i].good), "  what is said");
	}
}

static bool alive(pid_t pid)
{
	/* one that is dead and unreaped (by whoever inherited it) counts as gone */
	char path[64], text[512] = "";
	snprintf(path, sizeof path, "/proc/%ld/stat", (long)pid);
	int fd = open(path, O_RDONLY);
	if (fd < 0)
		return false;
	ssize_t n = read(fd, text, sizeof text - 1);
	close(fd);
	const char *end = n > 0 ? strrchr(text, ')') : NULL;
	return end && end[2] != 'Z' && end[2] != 'X';
}

static bool gone_soon(pid_t pid)
{
	for (int i = 0; i < 200 && alive(pid); i++)
		nanosleep(&(struct timespec){ 0, 10000000 }, NULL);
	return !alive(pid);
}

/* The numbers of processes that a script wrote into `file`, one a line. */
static int read_pids(const char *dir, const char *file, pid_t *pids, int max, struct arena *a)
{
	const char *path = str_c(a, file_join(a, str_of(dir), str_of(file)));
	struct str text = { 0 }, line;
	struct error ignored = { 0 };
	int n = 0;

	for (int i = 0; i < 300 && n < max; i++) {
		n = 0;
		if (file_exists(path) && file_read(path, 0, a, &text, &ignored))
			while (str_cut(&text, '\n', &line) && n < max)
				if (line.len)
					pids[n++] = (pid_t)atol(str_c(a, line));
		if (n < max)
			nanosleep(&(struct timespec){ 0, 10000000 }, NULL);
	}
	return n;
}

/* Each writes the number of the shell, of its child and of the child's child. */
static const char family[] = "echo $$ >>pids; sh -c 'echo $$ >>pids; sh -c \"echo \\$\\$ >>pids; "
			     "sleep 60; :\"; :' & wait; sleep 60";

static void test_family(struct test *t, const char *dir, struct arena *a)
{
	const char *argv[] = { "sh", "-c", family, NULL };
	struct process_options opt = { .argv = argv, .work_dir = dir, .seconds = 1 };
	struct process_result r;
	struct error err = { 0 };
	pid_t pids[3];

	test_ok(t, process_run(&opt, a, &r, &err) && r.timed_out, "a family is stopped");
	bool all = read_pids(dir, "pids", pids, 3, a) == 3;
	for (int i = 0; all && i < 3; i++)
		all = gone_soon(pids[i]);
	test_ok(t, all, "with its grandchildren");
	unlink(str_c(a, file_join(a, str_of(dir), STR("pids"))));
}

/* This program's own death: in a child, which is killed while it waits for the family. */
static void test_parent_dies(struct test *t, const char *dir, struct arena *a)
{
	const char *argv[] = { "sh", "-c", family, NULL };
	struct process_options opt = { .argv = argv, .work_dir = dir, .seconds = 60 };
	struct process_result r;
	struct error err = { 0 };
	pid_t pids[3];
	pid_t pid = fork();

	if (pid == 0) {
		process_run(&opt, a, &r, &err);
		_exit(0);
	}
	bool all = read_pids(dir, "pids", pids, 3, a) == 3;
	for (int i = 0; all && i < 3; i++)
		all = alive(pids[i]);
	test_ok(t, all, "a family runs");
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	for (int i = 0; all && i < 3; i++)
		all = gone_soon(pids[i]);
	test_ok(t, all, "and is gone when the program that started it was killed");
	unlink(str_c(a, file_join(a, str_of(dir), STR("pids"))));
}

static const struct { const char *name, *program, *dir, *want; } missing[] = {
	{ "no such program", "no-such-program", NULL, "no-such-program: not found" },
	{ "no such path", "/nowhere/git", NULL, "/nowhere/git: not found" },
	{ "not a program", "/dev/null", NULL, "/dev/null: cannot run: Permission denied" },
	{ "a folder", "/tmp", NULL, "/tmp: cannot run: Permission denied" },
	{ "no such folder to work in", "sh", "/nowhere/at/all",
	  "sh: cannot run in /nowhere/at/all: No such file or directory" },
};

static void test_missing(struct test *t, struct arena *a)
{
	for (size_t i = 0; i < LEN(missing); i++) {
		const char *argv[] = { missing[i].program, NULL };
		struct process_options opt = { .argv = argv,
					       .work_dir = missing[i].dir,
					       .seconds = 5 };
		struct process_result r;
		struct error err = { 0 };

		test_ok(t, !process_run(&opt, a, &r, &err) && err.code == ERR_ENVIRONMENT,
			missing[i].name);
		test_str(t, str_of(err.msg), str_of(missing[i].want), "  what is said");
	}
}

/* What is left out of the environment, by the beginnings of names; what is added comes in all the
 * same. */
static void test_environment(struct test *t, struct arena *a)
{
	const char *argv[] = { "sh", "-c", "echo $OUT_ONE$OUT_TWO $OUTER $EXACT $EXACTLY", NULL };
	const char *const without[] = { "OUT_", "EXACT=", NULL }, *const env[] = { "OUT_TWO=added",
										   NULL };
	struct process_options opt = { .argv = argv, .seconds = 5, .output_max = 99, .env = env,
				       .env_without = without };
	struct process_result r = { 0 };
	struct error err = { 0 };

	setenv("OUT_ONE", "one", 1);
	setenv("OUT_TWO", "two", 1);
	setenv("OUTER", "outer", 1);
	setenv("EXACT", "exact", 1);
	setenv("EXACTLY", "exactly", 1);
	test_ok(t, process_run(&opt, a, &r, &err), "some of the environment is left out");
	test_str(t, r.output, STR("added outer exactly\n"), "  output");
}

/* A program that takes more memory than it may fails by itself; one within the limit does not. */
static void test_memory(struct test *t, struct arena *a)
{
	const char *argv[] = { "sh", "-c",
			       "head -c 300000000 /dev/zero | tail -c 200000000 | wc -c", NULL };
	struct process_options opt = { .argv = argv, .seconds = 20, .output_max = 99,
				       .memory_max = 100000000 };
	struct process_result r = { 0 };
	struct error err = { 0 };

	test_ok(t, process_run(&opt, a, &r, &err) && !str_eq(r.output, STR("200000000\n")),
		"too much memory");
	opt.memory_max = 1000000000;
	test_ok(t, process_run(&opt, a, &r, &err) && str_eq(r.output, STR("200000000\n")),
		"memory within the limit");
}

/* Whether a program's last lines are what is kept of a long message. */
static void test_long_message(struct test *t, struct arena *a)
{
	const char *argv[] = {
		"sh", "-c", "i=0; while [ $i -lt 5000 ]; do i=$((i + 1)); echo line $i; done >&2",
		NULL
	};
	struct process_options opt = { .argv = argv, .seconds = 10 };
	struct process_result r = { 0 };
	struct error err = { 0 };

	bool ran = process_run(&opt, a, &r, &err);
	test_ok(t, ran && r.message.len <= 2000 && r.message.len > 1900, "2,000 bytes are kept");
	test_ok(t, str_starts(r.message, STR("line 4")) && str_ends(r.message, STR("\nline 5000")),
		"whole lines, the last ones");
}

/* More input than a pipe holds, which the child does not read to its end. */
static void test_unread_input(struct test *t, struct arena *a)
{
	size_t n = 1 << 20;
	char *text = arena_alloc(a, n);
	const char *head[] = { "head", "-c", "3", NULL }, *count[] = { "wc", "-c", NULL };
	struct process_options opt = { .argv = head, .seconds = 5, .output_max = 99,
				       .input = { text, n } };
	struct process_result r = { 0 };
	struct error err = { 0 };

	memset(text, 'x', n);
	test_ok(t, process_run(&opt, a, &r, &err) && r.status == 0, "input that is not read");
	test_str(t, r.output, STR("xxx"), "  output");
	opt.argv = count;
	test_ok(t, process_run(&opt, a, &r, &err) && r.status == 0, "a megabyte of input");
	test_str(t, r.output, STR("1048576\n"), "  output");
}

/* Where this program was started with the death of children ignored, and with closed streams. */
static void test_odd_surroundings(struct test *t, struct arena *a)
{
	const char *argv[] = { "sh", "-c", "echo out; exit 4", NULL };
	struct process_options opt = { .argv = argv, .seconds = 5, .output_max = 99 };
	struct process_result r = { 0 };
	struct error err = { 0 };

	signal(SIGCHLD, SIG_IGN);
	test_ok(t, process_run(&opt, a, &r, &err) && r.status == 4, "deaths of children ignored");
	signal(SIGCHLD, SIG_DFL);

	fflush(stdout);
	int kept = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 10);
	close(STDIN_FILENO);
	close(STDOUT_FILENO);
	bool ran = process_run(&opt, a, &r, &err);
	dup2(kept, STDOUT_FILENO);
	close(kept);
	test_ok(t, ran && r.status == 4 && str_eq(r.output, STR("out\n")),
		"standard streams closed");
}

/* Nothing is left open here after many runs. */
static void test_descriptors(struct test *t, struct arena *a)
{
	const char *good[] = { "true", NULL }, *bad[] = { "no-such-program", NULL };
	struct process_options opt = {
		.argv = good, .seconds = 5, .output_max = 9, .input = STR_INIT("x")
	};
	struct process_result r;
	struct error err = { 0 };
	int before = dup(STDERR_FILENO);

	close(before);
	for (int i = 0; i < 20; i++) {
		opt.argv = i % 2 ? good : bad;
		process_run(&opt, a, &r, &err);
	}
	int after = dup(STDERR_FILENO);
	close(after);
	test_ok(t, before == after, "no descriptor is left open");
}

int main(void)
{
	struct test t = { 0 };
	struct arena a = { 0 };
	struct error err = { 0 };
	char dir[] = "/tmp/process_test.XXXXXX";
	int inherited = open("/dev/null", O_RDONLY); /* without CLOEXEC */

	if (!mkdtemp(dir) || inherited < 0)
		return 1;
	test_cases(&t, dir, &a);
	test_missing(&t, &a);
	test_environment(&t, &a);
	test_memory(&t, &a);
	test_long_message(&t, &a);
	test_unread_input(&t, &a);
	test_family(&t, dir, &a);
	test_parent_dies(&t, dir, &a);
	test_odd_surroundings(&t, &a);
	test_descriptors(&t, &a);
	file_remove_tree(dir, &err);
	arena_free(&a);
	return test_done(&t);
}
