#include "options.h"

#include "../../base/num.h"

#include <getopt.h>
#include <math.h>
#include <string.h>

static const struct option_row { char letter; const char *name, *argument, *help;
} rows[] = {
	{ 'l', "list", NULL, "every workload and precision: work of a step, memory" },
	{ 'n', "dry-run", NULL, "what would run here, memory, estimated time" },
	{ 'k', "quick", NULL,
	  "about two minutes on a GPU: the main workloads, fewer steps; the rows are marked" },
	{ 'V', "verify", NULL,
	  "only hold every operation against the reference; nothing is timed" },
	{ 'b', "backend", "NAME",
	  "cuda, onednn, reference or null; without it the first that has a device" },
	{ 'd', "device", "N", "which device (0)" },
	{ 'w', "workload", "NAME",
	  "only this one, or this group (cnn, rnn, bert, xl, llm, gemm, conv, memory, transfer,\n"
	  "                       allreduce); may be given again" },
	{ 'p', "precision", "NAME", "only fp32, tf32, fp16, bf16 or fp8; may be given again" },
	{ 'B', "batch", "N",
	  "another batch than the rule's; such rows are marked and are no contribution" },
	{ 'm', "machine", "NAME", "what to call this machine; without it a hash of what it is" },
	{ 'o', "out", "FILE",
	  "the contribution (gpuguide-bench-VERSION/MACHINE.csv); others stand beside it" },
	{ 'r', "resume", NULL, "keep what FILE has and go on from there" },
	{ 's', "sign", "KEY", "sign FILE with this SSH key (FILE.sig)" },
	{ 't', "seconds", "S",
	  "measure each for about S seconds; under 10 the rows are marked as those of --quick" },
	{ 'q', "quiet", NULL, "say only what went wrong" },
	{ 'h', "help", NULL, "this text" },
	{ 'v', "version", NULL, "version" },
};

void options_help(FILE *to)
{
	fputs("Usage: gpuguide-bench [OPTION...]\n\nMeasures this machine and writes one CSV to "
	      "contribute.\n\n",
	      to);
	for (size_t i = 0; i < LEN(rows); i++)
		fprintf(to, "  -%c, --%-9s %-5s %s\n", rows[i].letter, rows[i].name,
			rows[i].argument ? rows[i].argument : "", rows[i].help);
	fputs("\nExit: 0 done; 1 a check failed or a result was refused; 2 usage or environment; 3 "
	      "another run writes FILE.\n",
	      to);
}

static bool number(const char *name, const char *text, int least, int *out, struct error *err)
{
	if (num_parse_int(str_of(text), out) && *out >= least)
		return true;
	return error_set(err, ERR_USAGE, "--%s: '%s' is not a whole number from %d on", name, text,
			 least);
}

static bool add_precision(struct bench_options *o, const char *text, struct error *err)
{
	enum precision p;

	if (!precision_parse(str_of(text), &p))
		return error_set(err, ERR_USAGE,
				 "--precision: '%s' is not fp32, tf32, fp16, bf16 or fp8", text);
	o->precisions |= 1u << p;
	return true;
}

/* A machine's name becomes a file name and stands in reports. */
static bool check_machine(const char *text, struct error *err)
{
	size_t n =
	    strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-");

	if (n > 0 && text[n] == '\0' && n <= 60 && text[0] != '.' && text[0] != '-')
		return true;
	return error_set(
	    err, ERR_USAGE,
	    "--machine: '%s' is not 1 to 60 letters, digits, '.', '_', '-', the first a "
	    "letter, a digit or '_'",
	    text);
}

static bool check_out(const char *text, struct error *err)
{
	if (*text && !str_ends(str_of(text), STR("/")))
		return true;
	return error_set(err, ERR_USAGE, "--out: '%s' is not the name of a file", text);
}

static bool take(struct bench_options *o, int letter, const char *arg, struct arena *a,
		 struct error *err)
{
	int n = 0;

	switch (letter) {
	case 'l': o->list = true; return true;
	case 'n': o->dry_run = true; return true;
	case 'k': o->quick = true; return true;
	case 'V': o->verify_only = true; return true;
	case 'b': o->backend = arg; return true;
	case 'd': return number("device", arg, 0, &o->device, err);
	case 'p': return add_precision(o, arg, err);
	case 'm': o->machine = arg; return check_machine(arg, err);
	case 'o': o->out = arg; return check_out(arg, err);
	case 'r': o->resume = true; return true;
	case 's': o->sign = arg; return true;
	case 'q': o->quiet = true; return true;
	case 'h': o->help = true; return true;
	case 'v': o->version = true; return true;
	case 'w':
		o->workloads = arena_grow(a, o->workloads, &o->workloads_cap, o->nworkloads + 1,
					  sizeof *o->workloads);
		o->workloads[o->nworkloads++] = str_of(arg);
		return true;
	case 'B':
		if (!number("batch", arg, 1, &n, err))
			return false;
		o->batch = n;
		return true;
	case 't':
		if (num_parse(str_of(arg), false, &o->seconds) && o->seconds > 0
		    && o->seconds <= 3600)
			return true;
		return error_set(err, ERR_USAGE, "--seconds: '%s' is not a number in (0, 3600]",
				 arg);
	default:
		return error_set(err, ERR_USAGE, "see gpuguide-bench --help");
	}
}

bool options_parse(int argc, char **argv, struct arena *a, struct bench_options *out,
		   struct error *err)
{
	struct option longs[LEN(rows) + 1];
	char shorts[2 * LEN(rows) + 2] = ":";
	size_t at = 1;
	int letter;

	memset(longs, 0, sizeof longs);
	for (size_t i = 0; i < LEN(rows); i++) {
		longs[i] = (struct option){ rows[i].name,
					    rows[i].argument ? required_argument : no_argument,
					    NULL, rows[i].letter };
		shorts[at++] = rows[i].letter;
		if (rows[i].argument)
			shorts[at++] = ':';
	}
	shorts[at] = '\0';
	*out = (struct bench_options){ .seconds = (double)NAN };
	opterr = 0;
	optind = 1;
	while ((letter = getopt_long(argc, argv, shorts, longs, NULL)) != -1) {
		if (letter == '?' || letter == ':')
			return error_set(
			    err, ERR_USAGE, "'%s': %s; see gpuguide-bench --help", argv[optind - 1],
			    letter == ':' ? "wants a value" : "there is no such option");
		if (!take(out, letter, optarg, a, err))
			return false;
	}
	if (optind < argc)
		return error_set(err, ERR_USAGE, "'%s' is not an option; see gpuguide-bench --help",
				 argv[optind]);
	return true;
}

static bool names(struct str asked, const struct workload *w)
{
	return str_eq(asked, w->name) || str_eq(asked, w->group);
}

bool options_wants(const struct bench_options *opt, const struct workload *w)
{
	for (size_t i = 0; i < opt->nworkloads; i++) {
		if (str_eq(opt->workloads[i], w->name))
			return true;
		if (str_eq(opt->workloads[i], w->group) && (!opt->quick || w->quick))
			return true;
	}
	return opt->nworkloads == 0 && (!opt->quick || w->quick);
}

bool options_wants_precision(const struct bench_options *opt, const struct workload *w,
			     enum precision p)
{
	if (!(w->precisions & 1u << p))
		return false;
	if (opt->quick && !opt->precisions && w->quick_precisions
	    && !(w->quick_precisions & 1u << p))
		return false;
	/* where the type says nothing there is one row, whatever was asked */
	return w->precisions == PRECISIONS_ONE || !opt->precisions || opt->precisions & 1u << p;
}

bool options_check(const struct bench_options *opt, const struct workload_list *all,
		   struct error *err)
{
	for (size_t i = 0; i < opt->nworkloads; i++) {
		bool known = false;
		for (size_t k = 0; k < all->n && !known; k++)
			known = names(opt->workloads[i], &all->v[k]);
		if (!known)
			return error_set(err, ERR_USAGE,
					 "--workload: '" STR_FMT
					 "' is neither a workload nor a group; "
					 "gpuguide-bench --list names them",
					 STR_ARG(opt->workloads[i]));
	}
	return true;
}
