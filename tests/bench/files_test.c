/* The files of a run, its command line, and what a machine is called. */
#include "../test.h"
#include "../../collect/bench/contribution.h"
#include "../../collect/bench/options.h"
#include "../../collect/bench/registry.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *const columns[] = { "name", "value", NULL };

static void put(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	if (f) {
		fputs(text, f);
		fclose(f);
	}
}

static bool holds(const char *path, const char *want)
{
	char buf[4096] = "";
	FILE *f = fopen(path, "r");

	if (!f)
		return false;
	buf[fread(buf, 1, sizeof buf - 1, f)] = '\0';
	fclose(f);
	if (strcmp(buf, want) != 0)
		printf("# '%s'\n", buf);
	return strcmp(buf, want) == 0;
}

static void test_table(struct test *t, const char *path)
{
	struct arena a = { 0 };
	struct error err = { 0 };
	struct table w = table_make(&a, path, columns), r = w, n = w;
	struct table_row *row = table_add(&w);

	test_ok(t, table_read(&r, &err) && r.n == 0, "no file: no rows");
	table_set(&w, row, "name", STR("a \"b\", c\nd"));
	table_set_num(&w, row, "value", 1.0 / 3);
	row = table_add(&w);
	table_set(&w, row, "name", STR("=1+1"));
	table_set_num(&w, row, "value", NAN);
	test_ok(t, table_write(&w, &err), "written");
	test_ok(t, holds(path, "name,value\n\"a \"\"b\"\", c\nd\",0.333333333333\n'=1+1,\n"), "quotes, 12 digits, missing is empty");
	test_ok(t, table_read(&r, &err) && r.n == 2, "read back");
	test_str(t, table_get(&r, &r.rows[0], "name"), STR("a \"b\", c\nd"), "text with quotes and a newline");
	test_str(t, table_get(&r, &r.rows[1], "name"), STR("=1+1"), "text like a formula");
	put(path, "name,value\nx,1\ny,2\nz,");
	test_ok(t, table_read(&n, &err) && n.n == 2, "killed while it appended: the last line is left out");
	table_append(&n, &err);
	arena_free(&a);
}

static void test_broken(struct test *t, const char *path)
{
	static const struct { const char *name, *text, *want; int line; } cases[] = {
		{ "other columns", "name,values\nx,1\n", "not a file of this program's columns; give another with -o", 1 },
		{ "empty", "", "not a file of this program's columns; give another with -o", 1 },
		{ "three cells", "name,value\nx,1\nx,1,2\n", "not a row of 2 cells", 3 },
		{ "one cell", "name,value\nx\n", "not a row of 2 cells", 2 },
	};

	for (size_t i = 0; i < LEN(cases); i++) {
		struct arena a = { 0 };
		struct error err = { 0 };
		struct table r = table_make(&a, path, columns);
		put(path, cases[i].text);
		test_ok(t, !table_read(&r, &err) && err.code == ERR_SYNTAX && err.pos.line == cases[i].line
			   && strcmp(err.msg, cases[i].want) == 0, cases[i].name);
		arena_free(&a);
	}
}

static void test_options(struct test *t)
{
	static const struct { const char *name; const char *argv[4]; const char *want; } cases[] = {
		{ "good", { "--quick", "-w", "resnet50" }, NULL },
		{ "no such option", { "--fast" }, "'--fast': there is no such option; see gpuguide-bench --help" },
		{ "no value", { "--backend" }, "'--backend': wants a value; see gpuguide-bench --help" },
		{ "an argument", { "resnet50" }, "'resnet50' is not an option; see gpuguide-bench --help" },
		{ "device", { "--device", "x" }, "--device: 'x' is not a whole number from 0 on" },
		{ "batch", { "--batch", "0" }, "--batch: '0' is not a whole number from 1 on" },
		{ "precision", { "-p", "fp64" }, "--precision: 'fp64' is not fp32, tf32, fp16, bf16 or fp8" },
		{ "seconds", { "--seconds", "0" }, "--seconds: '0' is not a number in (0, 3600]" },
		{ "machine", { "--machine", "../x" }, "--machine: '../x' is not 1 to 60 letters, digits, '.', '_', '-', the first a letter, a digit or '_'" },
		{ "workload", { "-w", "nix" }, "--workload: 'nix' is neither a workload nor a group; gpuguide-bench --list names them" },
	};

	for (size_t i = 0; i < LEN(cases); i++) {
		struct arena a = { 0 };
		struct error err = { 0 };
		struct bench_options opt;
		char *argv[6] = { (char[]){ "gpuguide-bench" } };
		int argc = 1;
		for (; argc <= 4 && cases[i].argv[argc - 1]; argc++)
			argv[argc] = (char *)(size_t)str_c(&a, str_of(cases[i].argv[argc - 1]));
		struct workload_list all = workload_all(&a);
		bool good = options_parse(argc, argv, &a, &opt, &err) && options_check(&opt, &all, &err);
		test_ok(t, good == !cases[i].want && (good || (err.code == ERR_USAGE && strcmp(err.msg, cases[i].want) == 0)),
			cases[i].name);
		if (!good && cases[i].want && strcmp(err.msg, cases[i].want) != 0)
			printf("# %s\n", err.msg);
		arena_free(&a);
	}
}

static int wanted(const char *const *names, bool quick)
{
	struct arena a = { 0 };
	struct workload_list all = workload_all(&a);
	struct str asked[2];
	struct bench_options opt = { .quick = quick, .workloads = asked };
	int n = 0;

	for (; names[opt.nworkloads]; opt.nworkloads++)
		asked[opt.nworkloads] = str_of(names[opt.nworkloads]);
	for (size_t i = 0; i < all.n; i++)
		n += options_wants(&opt, &all.v[i]);
	arena_free(&a);
	return n;
}

static void test_choice(struct test *t)
{
	test_ok(t, wanted((const char *[]){ NULL }, false) == 120, "all: 120 workloads");
	test_ok(t, wanted((const char *[]){ "bert", NULL }, false) == 5, "a group: 5");
	test_ok(t, wanted((const char *[]){ "bert", NULL }, true) == 1, "its quick ones: 1");
	test_ok(t, wanted((const char *[]){ "bert-large-s512", NULL }, true) == 1, "a name, quick or not");
	test_ok(t, wanted((const char *[]){ NULL }, true) < 30, "quick: fewer than 30");
}

static void test_machine(struct test *t)
{
	struct arena a = { 0 };
	struct device_info info = { .name = "X 1", .device_count = 1 };
	struct system_fact facts[] = { { STR_INIT("processor"), STR_INIT("P") }, { STR_INIT("kernel"), STR_INIT("K") } };
	struct system s = { .facts = facts, .n = 2, .arena = &a };
	struct str name = system_machine(&s, &info, &a);

	/* FNV-1a of "X 1\n1\nP\n", by another program */
	test_str(t, name, STR("m-1c89193b54e8c393"), "a hash of what it is");
	facts[1].value = STR("another kernel");
	test_ok(t, str_eq(name, system_machine(&s, &info, &a)), "another kernel: the same machine");
	info.device_count = 2;
	test_ok(t, !str_eq(name, system_machine(&s, &info, &a)), "another card more: another machine");
	test_str(t, system_line(STR("a\t: 1\nmodel name : Q  \n"), STR("model name")), STR("Q"), "a line of /proc/cpuinfo");
	test_str(t, system_line(STR("a : 1\n"), STR("model name")), STR(""), "no such line");
	char host[256] = "";
	gethostname(host, sizeof host - 1);
	struct system own = system_describe(&info, &a);
	bool told = false;
	for (size_t i = 0; i < own.n; i++)
		told = told || (strlen(host) > 3 && str_find(own.facts[i].value, str_of(host), 0) < own.facts[i].value.len);
	test_ok(t, !told && own.n > 4, "the machine's own name is nowhere");
	arena_free(&a);
}

static void test_plugins(struct test *t, struct str folder)
{
	struct arena a = { 0 };
	struct bench_error err = { 0 };
	struct str file = str_printf(&a, STR_FMT "/gpuguide-bench-cuda.so", STR_ARG(folder));

	unsetenv("GPUGUIDE_BENCH_BACKENDS");
	test_ok(t, !registry_open("cuda", folder, &a, &err) && err.code == BENCH_UNSUPPORTED
		   && strstr(err.msg, "not built"), "a plug-in that is not there");
	put(file.p, "no library");
	test_ok(t, !registry_open("cuda", folder, &a, &err) && strstr(err.msg, "cuda: ") == err.msg
		   && strstr(err.msg, ".so"), "no shared object: the loader's words");
	unlink(file.p);
	test_ok(t, !registry_open("rocm", folder, &a, &err) && err.code == BENCH_FAILED
		   && strcmp(err.msg, "there is no backend 'rocm'; known are cuda, onednn, reference, null") == 0,
		"a backend that nobody has");
	setenv("GPUGUIDE_BENCH_BACKENDS", "relative", 1);
	test_ok(t, !registry_open("cuda", folder, &a, &err) && !strstr(err.msg, "relative"), "only an absolute folder");
	setenv("GPUGUIDE_BENCH_BACKENDS", "/elsewhere", 1);
	test_ok(t, !registry_open("cuda", folder, &a, &err) && strstr(err.msg, "/elsewhere/"), "another folder by the environment");
	unsetenv("GPUGUIDE_BENCH_BACKENDS");
	test_ok(t, registry_open("reference", folder, &a, &err) == backend_reference(), "built in");
	arena_free(&a);
}

int main(void)
{
	struct test t = { 0 };
	char dir[] = "/tmp/gpuguide-bench-test-XXXXXX", path[64];

	if (!mkdtemp(dir))
		return 1;
	snprintf(path, sizeof path, "%s/t.csv", dir);
	test_table(&t, path);
	test_broken(&t, path);
	test_options(&t);
	test_choice(&t);
	test_machine(&t);
	test_plugins(&t, str_of(dir));
	unlink(path);
	rmdir(dir);
	return test_done(&t);
}
