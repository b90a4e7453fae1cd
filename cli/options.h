/* The command line: one table of options, shared by all commands. */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include "../base/arena.h"
#include "../base/date.h"
#include "../base/error.h"
#include "../base/str.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum output_format { FORMAT_TEXT, FORMAT_CSV, FORMAT_JSON };

struct options {
	const char *root;            /* folder that holds data/, editions/, templates/ */
	const char *edition;         /* name or path of an .ini; "current" unless given */
	bool edition_given;
	const char *out;             /* -o, --out */
	const char *gnuplot;         /* program; NULL: "gnuplot" */
	const char *contributions;   /* report: instead of ROOT/data/contributions */
	const char **paths;          /* collect: what to read */
	size_t npaths;
	struct date date;            /* --date; day INT_MIN: not given */
	int threads;                 /* of collect; 0: as many as the machine has */
	long long source_date_epoch; /* from the environment; -1: not set */
	bool quiet, verbose, help, version;
	/* pick, memory, diff, backtest; a number that was not given is NAN, a text NULL. */
	enum output_format format;
	double budget_usd, memory_gb;
	const char *class_name, *lens, *condition, *persona, *precision, *mode, *batch, *device;
	int gpus;         /* -1: not given */
	bool data_center; /* the cards must be allowed in data centers */
	/* report, publish, verify, prices, fetch; a text that was not given is NULL. */
	const char *previous, *config, *market, *map, *source, *signers;
	bool accept, quick, dry_run;
};

/* What a command takes; the letters of the options it knows. */
struct command {
	const char *name, *arguments, *summary;
	const char *letters;
	bool takes_edition, takes_paths, needs_out;
	size_t min_paths;
	const char *paths_missing; /* said when there are fewer */
	bool (*run)(const struct options *opt, struct arena *a, int *status, struct error *err);
};

/* Reads argv[1..] for `command`. Errors: ERR_USAGE. */
bool options_parse(const struct command *command, int argc, char **argv, struct arena *a,
                   struct options *out, struct error *err);
void options_help(const struct command *command, FILE *to);

#endif
