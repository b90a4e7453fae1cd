/* gpuguide: from contributed benchmarks and dated prices to a GPU buying guide. */
#include "bench.h"
#include "commands.h"
#include "options.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const struct command commands[] = {
	{ .name = "report",
	  .arguments = "[EDITION] [--date YYYY-MM-DD] [-o DIR]",
	  .summary = "Makes an edition: collects, analyzes and renders into DIR/<date> (DIR is out "
		     "unless given).",
	  .letters = "odcrgPSjqvhV",
	  .takes_edition = true,
	  .run = command_report },
	{ .name = "collect",
	  .arguments = "[EDITION] -o DIR PATH...",
	  .summary = "Reads contributions (files, folders, - for standard input) into "
		     "DIR/data/observations.csv and\n"
		     "rejects.csv. Exit 1 when a row was refused; the other rows and files count "
		     "all the same.",
	  .letters = "orSjqvhV",
	  .takes_edition = true,
	  .takes_paths = true,
	  .needs_out = true,
	  .min_paths = 1,
	  .paths_missing = "no file or folder was named",
	  .run = command_collect },
	{ .name = "analyze",
	  .arguments = "[EDITION] [--date YYYY-MM-DD] -o DIR",
	  .summary = "Turns DIR/data/observations.csv and the prices into scores, prices, values, "
		     "systems, memory,\n"
		     "picks, claims and the other tables beside it.",
	  .letters = "odrqvhV",
	  .takes_edition = true,
	  .needs_out = true,
	  .run = command_analyze },
	{ .name = "render",
	  .arguments = "[EDITION] -o DIR",
	  .summary = "Turns DIR/data/ into DIR/index.html, report.pdf, figures/ and report.json.",
	  .letters = "orgqvhV",
	  .takes_edition = true,
	  .needs_out = true,
	  .run = command_render },
	{ .name = "publish",
	  .arguments = "[EDITION] [--date YYYY-MM-DD] [--out DIR] [--dry-run]",
	  .summary = "The nightly job: a new edition where an input changed, the archive page, the "
		     "feed and DIR/latest\n"
		     "(DIR is that of ROOT/publish.ini, or out). Whatever fails, the editions that "
		     "are there stay as they\n"
		     "are; DIR/failed.txt says why.",
	  .letters = "odcrgPCNSjqvhV",
	  .takes_edition = true,
	  .run = command_publish },
	{ .name = "verify",
	  .arguments = "DIR [--quick] [--signers FILE]",
	  .summary = "Makes the edition in DIR again from the inputs kept in it and compares every "
		     "byte; exit 1 when a\n"
		     "file differs, is missing or is one too many.",
	  .letters = "ygfQSqvhV",
	  .takes_paths = true,
	  .min_paths = 1,
	  .paths_missing = "no edition folder was named",
	  .run = command_verify },
	{ .name = "prices",
	  .arguments = "import FILE... | check [FILE...] | show DEVICE | fetch",
	  .summary = "Brings listings into data/prices, finds stale, odd and missing prices, shows "
		     "the history of a card,\n"
		     "or fetches the sources of data/price_sources.ini. Exit 1 when something "
		     "needs a decision or a source\n"
		     "failed.",
	  .letters = "rdMxsuAfNoqvhV",
	  .takes_paths = true,
	  .min_paths = 1,
	  .paths_missing = "import, check, show or fetch?",
	  .run = command_prices },
	{ .name = "fetch",
	  .arguments = "[--source NAME] [--accept] [--dry-run]",
	  .summary = "Brings contributions in from the sources of data/sources.ini; a file counts "
		     "only after collect\n"
		     "has read it, and nothing that was accepted is ever overwritten. Exit 1 when "
		     "a source failed or a file\n"
		     "was held for the first time; spool/held has it and the reason.",
	  .letters = "rsANfqvhV",
	  .run = command_fetch },
	{ .name = "pick",
	  .arguments = "[--budget USD] [--class CLASS | --persona NAME] [--memory GB] [-o DIR]",
	  .summary = "Says what to buy and why, from the newest edition in DIR (out unless given; "
		     "an edition's\n"
		     "own folder will do). Exit 1 when no card meets the wish.",
	  .letters = "obkmlunwDfrqhV",
	  .run = command_pick },
	{ .name = "memory",
	  .arguments =
	      "[NETWORK...] [--mode MODE] [--precision NAME] [--memory GB | --device NAME]",
	  .summary = "Says what memory a network needs and which cards hold it. NETWORK is a "
		     "preset or a file\n"
		     "NAME.ini; without one the presets are listed.",
	  .letters = "ptBamfrqhV",
	  .takes_paths = true,
	  .run = command_memory },
	{ .name = "diff",
	  .arguments = "A B [--class CLASS] [--format FORMAT]",
	  .summary =
	      "Says what moved from edition folder A to B, split into price, data and method.",
	  .letters = "klfrqhV",
	  .takes_paths = true,
	  .min_paths = 2,
	  .paths_missing = "two edition folders are needed",
	  .run = command_diff },
	{ .name = "backtest",
	  .arguments = "[EDITION] [--class CLASS]",
	  .summary = "Predicts every measured card from the others by every scaling method and "
		     "prints how far\n"
		     "each was off, and the worst predictions of the method in use.",
	  .letters = "kfcdrSqvhV",
	  .takes_edition = true,
	  .run = command_backtest },
	{ .name = "bench",
	  .arguments = "[OPTION...]", /* no run: another program, see bench.h */
	  .summary = "Measures this machine; gpuguide-bench --help says more." },
};

static void print_help(FILE *to)
{
	fputs("Usage: gpuguide COMMAND [OPTION...]\n\n", to);
	for (size_t i = 0; i < LEN(commands); i++)
		fprintf(to, "  %-8s %s\n", commands[i].name, commands[i].arguments);
	fputs("\ngpuguide COMMAND --help says more; the manual is gpuguide(1).\n"
	      "Exit: 0 done; 1 data was refused or a check failed; 2 usage or environment;\n"
	      "3 another run holds the lock.\n", to);
}

static void print_version(void)
{
	puts("gpuguide " GPUGUIDE_VERSION "\nMIT licence; the sources of the data stand in "
	            "data/SOURCES.md.");
}

static const struct command *find_command(const char *name)
{
	for (size_t i = 0; i < LEN(commands); i++)
		if (strcmp(commands[i].name, name) == 0)
			return &commands[i];
	return NULL;
}

/* A write that failed may have left the buffer empty, so fflush() alone does not tell. */
static bool flush_output(struct error *err)
{
	if (fflush(stdout) != 0)
		return error_errno(err, "standard output");
	if (ferror(stdout)) /* errno is no longer its own */
		return error_set(err, ERR_ENVIRONMENT, "standard output: not all could be written");
	return true;
}

/* Returns the exit status. */
static int run(const struct command *c, int argc, char **argv)
{
	struct arena a = { 0 };
	struct error err = { 0 };
	struct options opt;
	int status = 0;
	bool good = options_parse(c, argc, argv, &a, &opt, &err);

	if (good && opt.help)
		options_help(c, stdout);
	else if (good && opt.version)
		print_version();
	else if (good)
		good = c->run(&opt, &a, &status, &err);
	if (good && !flush_output(&err)) {
		good = false;
		status = 0; /* that no card meets the wish counts for less */
	}
	if (!good) {
		fputs("gpuguide: ", stderr);
		error_print(stderr, &err);
		if (status == 0)
			status = error_exit_status(&err);
	}
	arena_free(&a);
	return status;
}

/* Comes back only where there is no such program: the exit status. */
static int become_bench(char **argv)
{
	struct error err = { 0 };

	bench_become(argv, &err);
	fputs("gpuguide: ", stderr);
	error_print(stderr, &err);
	return error_exit_status(&err);
}

/* After help and version: the exit status. */
static int finish(void)
{
	struct error err = { 0 };

	if (flush_output(&err))
		return 0;
	fputs("gpuguide: ", stderr);
	error_print(stderr, &err);
	return error_exit_status(&err);
}

/* A closed standard stream would lend its number to the next file opened, and words meant for a
 * terminal would land in it. open() gives the lowest free number. Opened for reading only, so that
 * what is written there fails and is told, as for a full device, and reading finds the end. */
static void fill_standard_streams(void)
{
	int fd;

	do
		fd = open("/dev/null", O_RDONLY);
	while (fd >= 0 && fd <= STDERR_FILENO);
	if (fd > STDERR_FILENO)
		close(fd);
}

int main(int argc, char **argv)
{
	fill_standard_streams();
	if (argc < 2 || strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
		print_help(argc < 2 ? stderr : stdout);
		return argc < 2 ? 2 : finish();
	}
	if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0) {
		print_version();
		return finish();
	}
	const struct command *c = find_command(argv[1]);
	if (!c) {
		fprintf(stderr, "gpuguide: there is no command '%s'; see gpuguide --help\n",
			argv[1]);
		return 2;
	}
	return c->run ? run(c, argc - 1, argv + 1) : become_bench(argv + 1);
}
