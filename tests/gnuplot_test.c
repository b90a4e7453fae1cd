/* Runs of gnuplot: what comes back, and every way to fail. */
#include "test.h"

#include "../base/file.h"
#include "../render/gnuplot.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct folder {
	struct arena *a;
	char path[64];
};

static const char *in(const struct folder *f, const char *name)
{
	return str_c(f->a, file_join(f->a, str_of(f->path), str_of(name)));
}

static void write_script(const struct folder *f, const char *name, const char *text)
{
	struct error err = { 0 };

	if (!file_write(in(f, name), str_of(text), &err))
		error_print(stderr, &err);
}

static const char *const scripts[] = { "t.gnuplot", "u.gnuplot" };
static const char *const outputs[] = { "t.svg", "u.svg" };

static struct gnuplot_job job_of(const struct folder *f, const char *program)
{
	return (struct gnuplot_job){ .program = program,
				     .work_dir = f->path,
				     .scripts = scripts,
				     .outputs = outputs,
				     .n = 1,
				     .log = "t.log",
				     .seconds = 1 };
}

static void test_good(struct test *t, const struct folder *f)
{
	struct gnuplot_job job = job_of(f, NULL);
	struct error err = { 0 };
	struct str first, second;

	job.seconds = 0;
	write_script(f, "t.gnuplot", "set terminal svg size 100,50\nset output 't.svg'\nplot 1\n");
	test_ok(t, gnuplot_run(&job, f->a, &first, &err), "gnuplot draws");
	test_ok(t, str_find(first, STR("</svg>"), 0) < first.len, "the output is whole");
	test_ok(t, gnuplot_run(&job, f->a, &second, &err) && str_eq(first, second),
		"the same script gives the same bytes");
	test_ok(t, !file_exists(in(f, "t.svg")) && !file_exists(in(f, "t.log")),
		"output and log are removed");
}

/* Two scripts in one run of gnuplot, and what a failure of the second says. */
static void test_two(struct test *t, const struct folder *f)
{
	struct gnuplot_job job = job_of(f, NULL);
	struct error err = { 0 };
	struct str out[2] = { 0 };

	job.n = 2;
	job.seconds = 0;
	write_script(f, "t.gnuplot", "set terminal svg size 100,50\nset output 't.svg'\nplot 1\n"
				     "unset output\n");
	write_script(f, "u.gnuplot", "reset session\nset terminal svg size 70,50\n"
				     "set output 'u.svg'\nplot 2\nunset output\n");
	test_ok(t, gnuplot_run(&job, f->a, out, &err), "two scripts in one run");
	test_ok(t,
		str_find(out[0], STR("viewBox=\"0 0 100 50\""), 0) < out[0].len
		    && str_find(out[1], STR("viewBox=\"0 0 70 50\""), 0) < out[1].len,
		"each its own picture");
	write_script(f, "u.gnuplot", "plot 'no such file'\n");
	test_ok(
	    t,
	    !gnuplot_run(&job, f->a, out, &err)
		&& strstr(err.msg, "gnuplot: t.gnuplot and 1 more: status 1: \"u.gnuplot\" line 1"),
	    "the script that failed is named");
	err = (struct error){ 0 };
	write_script(f, "u.gnuplot", "a = 1\n");
	test_ok(t,
		!gnuplot_run(&job, f->a, out, &err)
		    && strstr(err.msg, "gnuplot: u.gnuplot: wrote no u.svg"),
		"so is the one that wrote nothing");
	test_ok(t, !file_exists(in(f, "t.svg")), "and nothing is left of the other");
	unlink(in(f, "u.gnuplot"));
}

/* A stand-in for gnuplot written in sh, or a script that real gnuplot gets. */
static const struct {
	const char *name, *program, *script, *want;
} faults[] = {
	{ "missing program", NULL, "", "no-such-gnuplot: not found: install gnuplot-nox" },
	{ "a script that fails", "", "plot 'no such file'\n",
	  "gnuplot: t.gnuplot: status 1: \"t.gnuplot\" line 1: No data in plot" },
	{ "a status without a message", "exit 3", "", "t.gnuplot: status 3: no message" },
	{ "another kind of message", "echo >&2; echo 'lib gone' >&2; exit 4", "",
	  "t.gnuplot: status 4: lib gone" },
	{ "too slow", "exec sleep 20", "", "t.gnuplot: stopped after 1 s" },
	{ "killed", "kill -9 $$", "", "t.gnuplot: killed by signal 9" },
	{ "an empty file", ": > t.svg", "", "t.gnuplot: wrote an empty file" },
	{ "no file", ":", "", "t.gnuplot: wrote no t.svg" },
};

static void test_faults(struct test *t, const struct folder *f)
{
	for (size_t i = 0; i < LEN(faults); i++) {
		struct error err = { 0 };
		const char *program = "no-such-gnuplot";
		struct str out;

		write_script(f, "t.gnuplot", faults[i].script);
		if (faults[i].program && faults[i].program[0] == '\0')
			program = "gnuplot";
		else if (faults[i].program) {
			program = in(f, "fake");
			write_script(
			    f, "fake",
			    str_c(f->a, str_printf(f->a, "#!/bin/sh\n%s\n", faults[i].program)));
			chmod(program, 0755);
		}

		struct gnuplot_job job = job_of(f, program);
		bool failed = !gnuplot_run(&job, f->a, &out, &err);

		test_ok(t, failed && err.code == ERR_ENVIRONMENT && strstr(err.msg, faults[i].want),
			faults[i].name);
		if (!strstr(err.msg, faults[i].want))
			printf("# got '%s'\n", err.msg);
	}
}

static void test_environment(struct test *t, const struct folder *f)
{
	struct gnuplot_job job = job_of(f, in(f, "fake"));
	struct error err = { 0 };
	struct str out = { 0 };

	write_script(f, "fake", "#!/bin/sh\nprintf '%s|%s|%s' \"$LC_ALL\" \"$1\" \"$2\" > t.svg\n");
	chmod(job.program, 0755);
	gnuplot_run(&job, f->a, &out, &err);
	test_str(t, out, STR("C|-d|t.gnuplot"), "locale C, no start-up files, one script");
	chmod(job.program, 0644);
	test_ok(t, !gnuplot_run(&job, f->a, &out, &err) && strstr(err.msg, "cannot run in"),
		"a program that may not be run");
	err = (struct error){ 0 };
	job.program = NULL;
	job.work_dir = "/no/such/folder";
	test_ok(t,
		!gnuplot_run(&job, f->a, &out, &err)
		    && strstr(err.msg, "cannot run in /no/such/folder"),
		"a missing folder");
}

static void test_relative_program(struct test *t, const struct folder *f)
{
	struct gnuplot_job job = job_of(f, "./fake2");
	struct error err = { 0 };
	struct str out = { 0 };
	char back[4096];

	write_script(f, "fake2", "#!/bin/sh\nprintf yes > t.svg\n");
	chmod(in(f, "fake2"), 0755);
	file_make_dirs(in(f, "below"), &err);
	job.work_dir = in(f, "below");
	if (getcwd(back, sizeof back) && chdir(f->path) == 0) {
		gnuplot_run(&job, f->a, &out, &err);
		test_str(t, out, STR("yes"), "a program by relative path, from another folder");
		test_ok(t, chdir(back) == 0, "back again");
	}
	rmdir(job.work_dir);
	unlink(in(f, "fake2"));
}

int main(void)
{
	struct test t = { 0 };
	struct arena a = { 0 };
	struct folder f = { &a, "/tmp/gpuguide-test-XXXXXX" };

	if (!mkdtemp(f.path))
		return 1;
	test_two(&t, &f);
	test_good(&t, &f);
	test_faults(&t, &f);
	test_environment(&t, &f);
	test_relative_program(&t, &f);
	unlink(in(&f, "fake"));
	unlink(in(&f, "t.gnuplot"));
	rmdir(f.path);
	arena_free(&a);
	return test_done(&t);
}
