/* gpuguide: from contributed benchmarks and dated prices to a GPU buying guide. */
#include "commands.h"
#include "options.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const struct command commands[] = {
	{ "report", "[EDITION] [--date YYYY-MM-DD] [-o DIR]",
	  "Makes an edition: collects, analyzes and renders into DIR/<date> (DIR is out unless given).",
	  "odcrgqvhV", true, false, false, command_report },
	{ "collect", "[EDITION] -o DIR PATH...",
	  "Reads contributions (files, folders, - for standard input) into DIR/data/observations.csv and\n"
	  "rejects.csv. Exit 1 when a row was refused; the other rows and files count all the same.",
	  "orqvhV", true, true, true, command_collect },
	{ "analyze", "[EDITION] -o DIR",
	  "Turns DIR/data/observations.csv and the prices into scores, prices and values beside it.",
	  "odrqvhV", true, false, true, command_analyze },
	{ "render", "[EDITION] -o DIR",
	  "Turns DIR/data/ into DIR/index.html, report.pdf, figures/ and report.json.",
	  "orgqvhV", true, false, true, command_render },
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

static bool print_version(void)
{
	return puts("gpuguide " GPUGUIDE_VERSION "\nMIT licence; the sources of the data stand in "
	            "data/SOURCES.md.") >= 0;
}

static const struct command *find_command(const char *name)
{
	for (size_t i = 0; i < LEN(commands); i++)
		if (strcmp(commands[i].name, name) == 0)
			return &commands[i];
	return NULL;
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
	if (good && fflush(stdout) != 0)
		good = error_errno(&err, "standard output");
	if (!good) {
		fputs("gpuguide: ", stderr);
		error_print(stderr, &err);
		if (status == 0)
			status = error_exit_status(&err);
	}
	arena_free(&a);
	return status;
}

/* A closed standard stream would lend its number to the next file opened, and words meant for a
 * terminal would land in it. open() gives the lowest free number. */
static void fill_standard_streams(void)
{
	int fd;

	do
		fd = open("/dev/null", O_RDWR);
	while (fd >= 0 && fd <= STDERR_FILENO);
	if (fd > STDERR_FILENO)
		close(fd);
}

int main(int argc, char **argv)
{
	fill_standard_streams();
	if (argc < 2 || strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
		print_help(argc < 2 ? stderr : stdout);
		return argc < 2 ? 2 : 0;
	}
	if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0)
		return print_version() ? 0 : 2;
	const struct command *c = find_command(argv[1]);
	if (!c) {
		fprintf(stderr, "gpuguide: there is no command '%s'; see gpuguide --help\n", argv[1]);
		return 2;
	}
	return run(c, argc - 1, argv + 1);
}
