#include "options.h"

#include "../collect/parallel.h"

#include "../base/file.h"
#include "../base/num.h"

#include <getopt.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* One line an option: what getopt and the help text need. A letter of 0 ends the table. */
static const struct option_row { char letter; const char *name, *argument, *help;
} rows[] = {
	{ 'o', "out", "DIR", "where the output goes; pick: the edition or editions asked" },
	{ 'd', "date", "YYYY-MM-DD", "date of the edition; prices after it do not exist for it" },
	{ 'c', "contributions", "DIR", "contributions to read instead of the shipped ones" },
	{ 'r', "root", "DIR", "folder that holds data/, editions/ and templates/" },
	{ 'g', "gnuplot", "PROGRAM", "the gnuplot to run" },
	{ 'f', "format", "FORMAT", "text (default), csv or json" },
	{ 'b', "budget", "USD", "what the cards may cost together; lens cloud: USD an hour" },
	{ 'k', "class", "CLASS", "a class of the edition: cnn, rnn-word, transformer …" },
	{ 'm', "memory", "GB", "memory that a card must have; memory: to fit into" },
	{ 'l', "lens", "LENS", "cost that counts: card, system, system+power or cloud" },
	{ 'u', "condition", "WHICH", "new, used or any (default)" },
	{ 'w', "persona", "NAME", "a persona of data/personas.ini instead of a class" },
	{ 'n', "gpus", "N", "how many cards" },
	{ 'D', "data-center", NULL, "only cards whose licence allows data centers" },
	{ 'p', "precision", "NAME", "fp32, fp16, bf16, int8 or int4" },
	{ 't', "mode", "MODE", "training, training-recompute or inference" },
	{ 'B', "batch", "N", "samples a step (a sequence counts as one)" },
	{ 'a', "device", "NAME", "the card to fit into" },
	{ 'P', "previous", "DIR", "edition to compare with; \"none\": with none" },
	{ 'C', "config", "FILE", "instead of ROOT/publish.ini" },
	{ 'M', "market", "NAME", "amazon, ebay, pcpartpicker …, cloud:PROVIDER" },
	{ 'x', "map", "FILE", "description of the listing: a name of data/price_maps or a file" },
	{ 's', "source", "TEXT",
	  "where it comes from; fetch: only this source; check --accept: the reason" },
	{ 'A', "accept", NULL, "take what was held back or changed" },
	{ 'y', "signers", "FILE", "allowed signers (ssh) or public key (minisign)" },
	{ 'Q', "quick", NULL, "only the checksums and the signature, without a rebuild" },
	{ 'N', "dry-run", NULL, "say what would be done, and do nothing" },
	{ 'j', "threads", "N",
	  "read contributions with N threads (default: all there are; the results are the same)" },
	{ 'S', "no-sandbox", NULL,
	  "read contributions in this process, unprotected: for debuggers" },
	{ 'q', "quiet", NULL, "say only what went wrong" },
	{ 'v', "verbose", NULL, "say each stage's time and peak memory" },
	{ 'h', "help", NULL, "this text" },
	{ 'V', "version", NULL, "version and licence" },
};

/* Less is a slip of the pen, and what is divided by it could overflow. */
static const double cent = 0.01, megabyte_gb = 0.001, amount_max = 1e9;
enum { GPUS_MAX = 16 };

static const char *default_root(void)
{
	static const char *const roots[] = { ".", GPUGUIDE_DATADIR };

	for (size_t i = 0; i < LEN(roots); i++) {
		char probe[PATH_MAX];
		snprintf(probe, sizeof probe, "%s/data/devices.csv", roots[i]);
		if (file_exists(probe))
			return roots[i];
	}
	return ".";
}

static bool set_date(const char *text, struct date *out, struct error *err)
{
	if (!date_parse(str_of(text), out))
		return error_set(err, ERR_USAGE, "--date: '%s' is not a date YYYY-MM-DD", text);
	return true;
}

static const char *const format_names[] = { "text", "csv", "json" };

static bool set_format(const char *text, enum output_format *out, struct error *err)
{
	for (size_t i = 0; i < LEN(format_names); i++)
		if (strcmp(format_names[i], text) == 0) {
			*out = (enum output_format)i;
			return true;
		}
	return error_set(err, ERR_USAGE, "--format: '%s' is not text, csv or json", text);
}

static bool set_amount(const char *name, const char *text, double least, double *out,
                       struct error *err)
{
	if (!num_parse(str_of(text), false, out))
		return error_set(err, ERR_USAGE, "--%s: '%s' is not a number", name, text);
	if (!(*out >= least && *out <= amount_max))
		return error_set(err, ERR_USAGE, "--%s: %s is not from %g to %g", name, text, least,
		                 amount_max);
	return true;
}

static bool set_gpus(const char *text, int *out, struct error *err)
{
	if (!num_parse_int(str_of(text), out) || *out < 1 || *out > GPUS_MAX)
		return error_set(err, ERR_USAGE, "--gpus: '%s' is not a whole number from 1 to %d",
				 text, GPUS_MAX);
	return true;
}

static bool set_threads(const char *text, int *out, struct error *err)
{
	if (!num_parse_int(str_of(text), out) || *out > THREADS_MAX)
		return error_set(err, ERR_USAGE,
				 "--threads: '%s' is not a whole number from 0 to %d", text,
				 THREADS_MAX);
	return true;
}

static bool set_option(struct options *o, int letter, const char *argument, struct error *err)
{
	switch (letter) {
	case 'o': o->out = argument; break;
	case 'd': return set_date(argument, &o->date, err);
	case 'c': o->contributions = argument; break;
	case 'r': o->root = argument; break;
	case 'g': o->gnuplot = argument; break;
	case 'f': return set_format(argument, &o->format, err);
	case 'b': return set_amount("budget", argument, cent, &o->budget_usd, err);
	case 'k': o->class_name = argument; break;
	case 'm': return set_amount("memory", argument, megabyte_gb, &o->memory_gb, err);
	case 'l': o->lens = argument; break;
	case 'u': o->condition = argument; break;
	case 'w': o->persona = argument; break;
	case 'n': return set_gpus(argument, &o->gpus, err);
	case 'D': o->data_center = true; break;
	case 'p': o->precision = argument; break;
	case 't': o->mode = argument; break;
	case 'B': o->batch = argument; break;
	case 'a': o->device = argument; break;
	case 'P': o->previous = argument; break;
	case 'C': o->config = argument; break;
	case 'M': o->market = argument; break;
	case 'x': o->map = argument; break;
	case 's': o->source = argument; break;
	case 'A': o->accept = true; break;
	case 'y': o->signers = argument; break;
	case 'Q': o->quick = true; break;
	case 'N': o->dry_run = true; break;
	case 'S': o->no_sandbox = true; break;
	case 'q': o->quiet = true; break;
	case 'j': return set_threads(argument, &o->threads, err);
	case 'v': o->verbose = true; break;
	case 'h': o->help = true; break;
	case 'V': o->version = true; break;
	}
	return true;
}

/* Reproducible builds: https://reproducible-builds.org/specs/source-date-epoch/ */
static bool read_epoch(long long *out, struct error *err)
{
	const char *text = getenv("SOURCE_DATE_EPOCH");
	double v;

	*out = -1;
	if (!text || !*text)
		return true;
	if (strspn(text, "0123456789") != strlen(text) || !num_parse(str_of(text), false, &v)
	    || v > 253402300799.0) /* 9999-12-31 */
		return error_set(err, ERR_USAGE,
				 "SOURCE_DATE_EPOCH: '%s' is not a count of seconds", text);
	*out = (long long)v;
	return true;
}

/* The first argument is an edition when it is called like one: "name.ini" or a file of
 * ROOT/editions. */
static bool is_edition(const struct options *o, const char *argument, struct arena *a)
{
	if (str_ends(str_of(argument), STR(".ini")))
		return true;
	return !strchr(argument, '/') && *argument
		&& file_exists(str_c(a, str_printf(a, "%s/editions/%s.ini", o->root, argument)));
}

static bool take_arguments(const struct command *c, int argc, char **argv, struct arena *a,
                           struct options *o, struct error *err)
{
	int at = 0;

	if (c->takes_edition && at < argc && (!c->takes_paths || is_edition(o, argv[at], a))) {
		o->edition = argv[at++];
		o->edition_given = true;
	}
	o->paths = arena_array(a, (size_t)(argc - at) + 1, sizeof *o->paths);
	while (at < argc)
		o->paths[o->npaths++] = argv[at++];
	if (!c->takes_paths && o->npaths)
		return error_set(err, ERR_USAGE, "%s: '%s' is one argument too many", c->name,
				 o->paths[0]);
	if (c->takes_paths && o->npaths < c->min_paths)
		return error_set(err, ERR_USAGE, "%s: %s", c->name, c->paths_missing);
	if (c->needs_out && !o->out)
		return error_set(err, ERR_USAGE, "%s: -o DIR is missing", c->name);
	return true;
}

bool options_parse(const struct command *c, int argc, char **argv, struct arena *a,
                   struct options *o, struct error *err)
{
	struct option longs[LEN(rows) + 1] = { { 0 } };
	struct strbuf shorts = { .arena = a };
	int letter;

	*o = (struct options){ .edition = "current", .date = { INT_MIN }, .budget_usd = NAN,
	                       .memory_gb = NAN, .gpus = -1 };
	strbuf_addc(&shorts, ':');
	for (size_t i = 0, n = 0; i < LEN(rows); i++) {
		if (!strchr(c->letters, rows[i].letter))
			continue;
		longs[n++] = (struct option){ rows[i].name,
					      rows[i].argument ? required_argument : no_argument,
					      NULL, rows[i].letter };
		strbuf_printf(&shorts, "%c%s", rows[i].letter, rows[i].argument ? ":" : "");
	}
	opterr = 0;
	optind = 1;
	while ((letter = getopt_long(argc, argv, str_c(a, strbuf_str(&shorts)), longs, NULL))
	       != -1) {
		if (letter == ':')
			return error_set(err, ERR_USAGE, "%s: %s needs an argument", c->name,
					 argv[optind - 1]);
		if (letter == '?')
			return error_set(err, ERR_USAGE,
					 "%s: unknown option %s; see gpuguide %s --help", c->name,
					 argv[optind - 1], c->name);
		if (!set_option(o, letter, optarg, err))
			return false;
	}
	if (o->help || o->version)
		return true;
	if (!o->root)
		o->root = default_root();
	return read_epoch(&o->source_date_epoch, err)
		&& take_arguments(c, argc - optind, argv + optind, a, o, err);
}

void options_help(const struct command *c, FILE *to)
{
	fprintf(to, "Usage: gpuguide %s %s\n%s\n\n", c->name, c->arguments, c->summary);
	for (size_t i = 0; i < LEN(rows); i++) {
		char left[64];
		if (!strchr(c->letters, rows[i].letter))
			continue;
		snprintf(left, sizeof left, "-%c, --%s%s%s", rows[i].letter, rows[i].name,
		         rows[i].argument ? " " : "", rows[i].argument ? rows[i].argument : "");
		fprintf(to, "  %-28s %s\n", left, rows[i].help);
	}
}
