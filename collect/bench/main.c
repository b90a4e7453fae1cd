/* gpuguide-bench: measures a machine by classes of networks, and writes one CSV to contribute. */
#include "options.h"
#include "run.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* The folder of the program: where its plug-ins lie. */
static struct str own_folder(struct arena *a)
{
	enum { MOST = 4096 };
	char *path = arena_alloc(a, MOST);
	ssize_t n = readlink("/proc/self/exe", path, MOST - 1);

	while (n > 0 && path[n - 1] != '/')
		n--;
	return n > 1 ? (struct str){ path, (size_t)n - 1 } : STR("/nonexistent");
}

static bool run(const struct bench_options *opt, struct arena *a, int *status, struct error *err)
{
	if (opt->list)
		return run_list(opt, a, err);
	if (opt->dry_run)
		return run_dry(opt, own_folder(a), a, err);
	return run_measure(opt, own_folder(a), a, status, err);
}

static bool flush_output(struct error *err)
{
	if (fflush(stdout) != 0)
		return error_errno(err, "standard output");
	return !ferror(stdout)
	       || error_set(err, ERR_ENVIRONMENT, "standard output: not all could be written");
}

int main(int argc, char **argv)
{
	struct arena a = { 0 };
	struct error err = { 0 };
	struct bench_options opt;
	int status = 0;
	bool good = options_parse(argc, argv, &a, &opt, &err);

	if (good && opt.help)
		options_help(stdout);
	else if (good && opt.version)
		puts("gpuguide-bench " GPUGUIDE_VERSION);
	else
		good = good && run(&opt, &a, &status, &err);
	good = flush_output(&err) && good;
	if (!good) {
		fputs("gpuguide-bench: ", stderr);
		error_print(stderr, &err);
		status = error_exit_status(&err);
	}
	arena_free(&a);
	return status;
}
